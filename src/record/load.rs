//! Rules, choices and perhaps a record in, a game out. It refuses to know where any of them comes from.

use super::Record;
use crate::Rejected;
use crate::engine::game::Game;
use crate::language::ChoiceFault;
use crate::language::finding::{Finding, Severity};
use crate::language::sources::Sources;

/// Why there is no game.
#[derive(Clone, Debug)]
pub enum Unloadable {
    /// What the checker or the compiler finds in the rules, one error at least.
    Findings(Vec<Finding>),
    /// The options that were asked for are not the rules'.
    Choices(Vec<ChoiceFault>),
    /// The record is at fault, or does not go with what was asked for.
    Record { message: String, help: Option<String> },
}

impl std::fmt::Display for Unloadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fault = |message: &str, help: &Option<String>| match help {
            Some(help) => format!("{message}; {help}"),
            None => message.to_owned(),
        };
        match self {
            Unloadable::Findings(findings) => {
                let errors = findings.iter().filter(|finding| finding.severity() == Severity::Error);
                let messages: Vec<&str> = errors.map(|finding| finding.message.as_str()).collect();
                f.write_str(&messages.join("; "))
            }
            Unloadable::Choices(faults) => {
                let messages: Vec<String> = faults.iter().map(|found| fault(&found.message, &found.help)).collect();
                f.write_str(&messages.join("; "))
            }
            Unloadable::Record { message, help } => f.write_str(&fault(message, help)),
        }
    }
}

impl std::error::Error for Unloadable {}

/// Loads a game with the options that are asked for and those of a record.
///
/// # Errors
/// Tells whose fault it is: the rules', the options', or the record's.
pub fn load(source: impl Into<Sources>, choices: &[(String, String)], record: Option<&Record>) -> Result<Game, Unloadable> {
    let source = &source.into();
    let at_fault = |message: String| Unloadable::Record { message, help: None };
    let mut all = choices.to_vec();
    if let Some(record) = record {
        for (name, value) in &record.options {
            match choices.iter().find(|(known, _)| known == name) {
                Some((_, other)) if !is_same(value, other) => {
                    return Err(at_fault(format!("it says {name}={value}, and {name}={other} was asked for")));
                }
                Some(_) => {}
                None => all.push((name.clone(), value.clone())),
            }
        }
    }
    let loaded = crate::load(source, &all);
    if let Some(record) = record {
        // The title comes first: another game's options say nothing here.
        let usual = || crate::load(source, &[]).ok();
        let game = loaded.as_ref().ok().cloned().or_else(usual);
        game.map_or(Ok(()), |game| record.is_of(game.rules())).map_err(at_fault)?;
    }
    let Rejected { findings, choice_faults } = match loaded {
        Ok(game) => return Ok(game),
        Err(rejected) => rejected,
    };
    if choice_faults.is_empty() {
        return Err(Unloadable::Findings(findings));
    }
    // A fault that the record has by itself is the record's.
    let own = record.and_then(|record| crate::load(source, &record.options).err()).unwrap_or_default();
    Err(match own.choice_faults.into_iter().next() {
        Some(ChoiceFault { message, help }) => Unloadable::Record { message, help },
        None => Unloadable::Choices(choice_faults),
    })
}

/// Tests if two values are spellings of one.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|value| number(other) == Some(value))
}
