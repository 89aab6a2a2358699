//! Loads a game for a record: with the options that it was played with.

use super::Record;
use crate::engine::game::Game;
use crate::language::sources::Sources;
use crate::load::{Cause, LoadError};

/// Loads a game with the options that are asked for and those of a record.
///
/// # Errors
/// Tells whose fault it is: the rules', the options', or the record's.
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
    // The title comes first: another game's options say nothing here.
    let usual = || crate::load::load(source, &[]).ok();
    let game = loaded.as_ref().ok().cloned().or_else(usual);
    game.map_or(Ok(()), |game| record.is_of(game.rules()))
        .map_err(|message| at_fault(message, None))?;
    loaded.map_err(|error| {
        // A fault that the record has by itself is the record's.
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

/// Tests if two values are spellings of one.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|value| number(other) == Some(value))
}
