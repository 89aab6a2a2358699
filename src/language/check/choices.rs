//! Applies the option values that the user chose (`-o`) to the options of the game.

use super::options::{OptionEntry, OptionValue};
use super::spelling;
use crate::language::ChoiceFault;

/// The user's choices, and whether each has found its option.
pub(super) struct OptionChoices<'c> {
    choices: &'c [(String, String)],
    /// By choice.
    outcomes: Vec<Outcome>,
}

#[derive(Clone)]
enum Outcome {
    Unmet,
    Met,
    Fault(ChoiceFault),
}

impl<'c> OptionChoices<'c> {
    pub(super) fn new(choices: &'c [(String, String)]) -> OptionChoices<'c> {
        OptionChoices { choices, outcomes: vec![Outcome::Unmet; choices.len()] }
    }

    /// Ignores the choices for an option that is itself faulty.
    pub(super) fn ignore(&mut self, name: &str) {
        for (index, (key, _)) in self.choices.iter().enumerate() {
            if key == name {
                self.outcomes[index] = Outcome::Met;
            }
        }
    }

    /// Finds the value chosen for an option; of several choices, the first counts.
    pub(super) fn choose(&mut self, option: &OptionEntry) -> Option<usize> {
        let name = &option.name.name;
        let mut chosen: Option<usize> = None;
        for (index, (key, value)) in self.choices.iter().enumerate() {
            if key != name {
                continue;
            }
            let wanted = match halves(value) {
                Some(halves) => OptionValue::Number(halves),
                None => OptionValue::Word(value.clone()),
            };
            let position = option.values.position(&wanted);
            let fault = match (position, chosen) {
                (None, _) => Some(ChoiceFault {
                    message: format!("`{value}` is not a value of the option `{name}`"),
                    help: Some(values_help(option, value)),
                }),
                (Some(position), Some(before)) if position != before => {
                    let [first, second] = [before, position].map(|it| option.values.spelling(it));
                    let message = format!(
                        "the option `{name}` is given twice, as `{first}` and as `{second}`"
                    );
                    Some(ChoiceFault { message, help: None })
                }
                _ => None,
            };
            chosen = chosen.or(position);
            self.outcomes[index] = fault.map_or(Outcome::Met, Outcome::Fault);
        }
        chosen
    }

    /// Returns the faults, in the order of the choices.
    pub(super) fn faults(self, options: &[OptionEntry]) -> Vec<ChoiceFault> {
        self.outcomes
            .into_iter()
            .zip(self.choices)
            .filter_map(|(outcome, (key, _))| match outcome {
                Outcome::Met => None,
                Outcome::Fault(fault) => Some(fault),
                Outcome::Unmet => Some(ChoiceFault {
                    message: format!("the game has no option `{key}`"),
                    help: Some(names_help(options, key)),
                }),
            })
            .collect()
    }
}

fn values_help(option: &OptionEntry, value: &str) -> String {
    // A number is out of range rather than misspelled.
    let words: Vec<String> = match option.is_numeric() {
        true => Vec::new(),
        false => option.values.spellings().collect(),
    };
    match spelling::nearest(value, words.iter().map(String::as_str)) {
        Some(meant) => {
            format!("did you mean `{meant}`? Its values are {}", option.values.summary())
        }
        None => format!("its values are {}", option.values.summary()),
    }
}

fn names_help(options: &[OptionEntry], key: &str) -> String {
    let names: Vec<&str> = options.iter().map(|option| option.name.name.as_str()).collect();
    if names.is_empty() {
        return String::from("this game has no options");
    }
    let known = format!("its options are {}", spelling::list(&names, "and"));
    match spelling::nearest(key, names.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`? {}", upper(&known)),
        None => known,
    }
}

fn upper(sentence: &str) -> String {
    sentence.replacen("its", "Its", 1)
}

/// Parses a number in the forms that users type: `5`, `5.0`, `.5`, `-0.50`. Returns halves.
fn halves(text: &str) -> Option<i64> {
    let (digits, sign) = match text.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (text, 1),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let numeric = |part: &str| part.bytes().all(|digit| digit.is_ascii_digit());
    if digits.is_empty() || digits == "." || !numeric(whole) || !numeric(fraction) {
        return None;
    }
    let half = match fraction.trim_end_matches('0') {
        "" => 0,
        "5" => 1,
        _ => return None,
    };
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    Some(sign * whole.checked_mul(2)?.checked_add(half)?)
}
