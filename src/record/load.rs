//! Loads the game of a record with the options of the record.

use super::Record;
use crate::engine::game::Game;
use crate::language::sources::Sources;
use crate::load::{Cause, LoadError};

/// Loads a game with the requested options and the options of a record.
///
/// # Errors
/// Attributes the error to the rules, to the options or to the record.
pub fn load(
    source: impl Into<Sources>,
    choices: &[(String, String)],
    record: Option<&Record>,
) -> Result<Game, LoadError> {
    let source = &source.into();
    let at_fault =
        |message: String, help| LoadError::new(Cause::Record { message, help }, source.clone());
    let mut all = choices.to_vec();
    if let Some(record) = record {
        for (name, value) in &record.options {
            match choices.iter().find(|(known, _)| known == name) {
                Some((_, other)) if !is_same(value, other) => {
                    return Err(at_fault(
                        format!("the file has {name}={value}, but {name}={other} was requested"),
                        None,
                    ));
                }
                Some(_) => {}
                None => all.push((name.clone(), value.clone())),
            }
        }
    }
    let loaded = crate::load::load(source, &all);
    let Some(record) = record else { return loaded };
    // The title is checked before the options, which mean nothing in another game.
    let usual = || crate::load::load(source, &[]).ok();
    let game = loaded.as_ref().ok().cloned().or_else(usual);
    game.map_or(Ok(()), |game| record.is_of(game.rules()))
        .map_err(|message| at_fault(message, None))?;
    loaded.map_err(|error| {
        // An error in the options of the record alone is attributed to the record.
        let own = || match crate::load::load(source, &record.options).err()?.into_cause() {
            Cause::Options(faults) => faults.into_iter().next(),
            _ => None,
        };
        match error.cause() {
            Cause::Options(_) => own().map_or(error, |fault| at_fault(fault.message, fault.help)),
            _ => error,
        }
    })
}

/// Tests if two values are equal as texts or as numbers.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|value| number(other) == Some(value))
}
