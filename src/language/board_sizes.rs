//! Finds the options that change the size of the board, and the smaller boards that they give.

use super::check;
use super::rules::Rules;
use super::sources::Sources;

/// Of an option with more values than this, only the first and the last are tried.
const MAX_TRIED_VALUES: usize = 4;

/// Options by name, with their values.
pub type Choices = Vec<(String, String)>;

/// An option whose values give boards of different sizes.
pub struct SizeOption {
    pub name: String,
    /// Those that give fewer sites first.
    pub values: Vec<String>,
}

/// Lists the options that change the number of sites. Those in `fixed` are left out.
pub fn size_options(
    source: &Sources,
    choices: &[(String, String)],
    rules: &Rules,
    fixed: &[(String, String)],
) -> Vec<SizeOption> {
    let mut found = Vec::new();
    for option in &rules.options {
        let all = 0..option.values.len();
        if all.len() < 2 || fixed.iter().any(|(name, _)| *name == option.name) {
            continue;
        }
        let sites = |value: usize| {
            let choices = replace(choices, &option.name, &option.values[value]);
            check(source, &choices).rules.map(|rules| (rules.board.len(), value))
        };
        let tries_all = all.len() <= MAX_TRIED_VALUES;
        let mut sizes: Vec<(usize, usize)> = match tries_all {
            true => all.clone().filter_map(sites).collect(),
            false => [0, all.len() - 1].into_iter().filter_map(sites).collect(),
        };
        sizes.sort_unstable();
        let (Some(&(small, first)), Some(&(large, last))) = (sizes.first(), sizes.last()) else {
            continue;
        };
        if small == large {
            continue;
        }
        // The values between the first and the last most likely give sizes in order.
        let order: Vec<usize> = match tries_all {
            true => sizes.into_iter().map(|(_, value)| value).collect(),
            false if first < last => all.collect(),
            false => all.rev().collect(),
        };
        let values = order.into_iter().map(|value| option.values[value].clone()).collect();
        found.push(SizeOption { name: option.name.clone(), values });
    }
    found
}

/// Lists choices that give a board with fewer sites than that of the rules, the smallest first: the
/// options that change its size grow together. Those in `fixed` keep their values.
pub fn smaller_boards(
    source: &Sources,
    choices: &[(String, String)],
    rules: &Rules,
    fixed: &[(String, String)],
) -> impl Iterator<Item = (Choices, Rules)> {
    let options = size_options(source, choices, rules, fixed);
    let steps = options.iter().map(|option| option.values.len()).max().unwrap_or(0);
    let sites = rules.board.len();
    (0..steps)
        .filter_map(move |step| {
            let choices = options.iter().fold(choices.to_vec(), |choices, option| {
                replace(&choices, &option.name, &option.values[step.min(option.values.len() - 1)])
            });
            let rules = check(source, &choices).rules?;
            Some((choices, rules))
        })
        .take_while(move |(_, rules)| rules.board.len() < sites)
}

fn replace(choices: &[(String, String)], name: &str, value: &str) -> Choices {
    let others = choices.iter().filter(|(known, _)| known != name).cloned();
    others.chain([(name.to_owned(), value.to_owned())]).collect()
}
