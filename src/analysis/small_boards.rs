//! Finds choices of options with small boards.

use crate::language::check;
use crate::language::rules::{Choice, Rules};
use crate::language::sources::Sources;

/// Of an option with more values than this, only the first and last are checked.
const MAX_TRIED_VALUES: usize = 4;

/// Options by name, with their values.
pub type Choices = Vec<(String, String)>;

/// Returns choices of options in order of board size, varying all options on which the size
/// depends.
pub fn smaller(
    source: &Sources,
    choices: &[(String, String)],
    rules: &Rules,
) -> impl Iterator<Item = Choices> {
    let size =
        |values: &[(String, String)]| check(source, values).rules.map(|rules| rules.board.len());
    let with =
        |option: &Choice, value: usize| replace(choices, &option.name, &option.values[value]);
    let mut ladders = Vec::new();
    for option in rules.options.iter().filter(|option| option.values.len() > 1) {
        let all = 0..option.values.len();
        let tried: Vec<usize> = if all.len() <= MAX_TRIED_VALUES {
            all.clone().collect()
        } else {
            vec![0, all.len() - 1]
        };
        let mut sizes: Vec<(usize, usize)> =
            tried.iter().filter_map(|&value| Some((size(&with(option, value))?, value))).collect();
        sizes.sort_unstable();
        match sizes[..] {
            // Assumes that the values in between are in order of size, to save checking them.
            [(small, first), (large, last)] if all.len() > MAX_TRIED_VALUES && small < large => {
                let steps: Vec<usize> =
                    if first < last { all.collect() } else { all.rev().collect() };
                ladders.push((
                    option.name.clone(),
                    steps
                        .into_iter()
                        .map(|value| option.values[value].clone())
                        .collect::<Vec<String>>(),
                ));
            }
            [(small, _), .., (large, _)] if small < large => {
                ladders.push((
                    option.name.clone(),
                    sizes.into_iter().map(|(_, value)| option.values[value].clone()).collect(),
                ));
            }
            _ => {}
        }
    }
    let steps = ladders.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let choices = choices.to_vec();
    (0..steps).map(move |step| {
        ladders.iter().fold(choices.clone(), |choices, (name, values)| {
            replace(&choices, name, &values[step.min(values.len() - 1)])
        })
    })
}

fn replace(choices: &[(String, String)], name: &str, value: &str) -> Choices {
    let others = choices.iter().filter(|(known, _)| known != name).cloned();
    others.chain([(name.to_owned(), value.to_owned())]).collect()
}
