//! The requests of a page about a desk: names, arguments and answers are JSON.
//!
//! [`look`] leaves the game unchanged, except that it settles pending work; [`change`] changes the
//! game. The owner of the desk (the server of the studio or the module for browsers) handles
//! requests that need files, threads or a clock.

mod appearance;
mod arrange;
pub mod assist;
pub mod explain;
pub mod lookup;
pub mod pictures;
mod play;
pub mod rework;
mod seats;
pub mod share;

use super::Desk;
use crate::language::format::format;
use crate::measure::report::STRENGTH_NAMES;
use crate::record::Stopped;
use crate::syntax::SOURCE_LIMIT;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A request that is refused, and why.
#[derive(Debug)]
pub struct Refused {
    pub status: u16,
    /// A sentence for the designer.
    pub message: String,
}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused { status: 400, message }
    }
}

impl From<&str> for Refused {
    fn from(message: &str) -> Refused {
        Refused::from(message.to_owned())
    }
}

impl From<Stopped> for Refused {
    fn from(stopped: Stopped) -> Refused {
        String::from(stopped).into()
    }
}

/// The arguments of a request.
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Takes the members of an object of JSON.
    pub fn new(arguments: Map<String, Value>) -> Arguments {
        Arguments(arguments)
    }

    /// Reads the arguments of a request, an object of JSON.
    ///
    /// # Errors
    /// If the body is not an object of JSON.
    pub fn parse(body: &[u8]) -> Result<Arguments, Refused> {
        match serde_json::from_slice(body) {
            Ok(Value::Object(arguments)) => Ok(Arguments(arguments)),
            Ok(_) => Err("expected an object of JSON".into()),
            Err(_) => Err("this is no JSON".into()),
        }
    }

    /// Returns a value, if the argument is given.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Returns a text.
    pub fn text(&self, name: &str) -> Result<&str, Refused> {
        self.maybe_text(name).ok_or_else(|| missing(name, "a text"))
    }

    /// Returns a text, if the argument is given.
    pub fn maybe_text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// Returns the text of a rules file.
    pub fn rules(&self) -> Result<String, Refused> {
        let text = self.text("text")?.replace("\r\n", "\n");
        match text.len() {
            0..=SOURCE_LIMIT => Ok(text),
            _ => {
                Err(Refused { status: 413, message: "the text is too long for a game".to_owned() })
            }
        }
    }

    /// Returns a whole number from 0 up.
    pub fn number(&self, name: &str) -> Result<usize, Refused> {
        let number = self.0.get(name).and_then(Value::as_u64);
        number
            .and_then(|number| usize::try_from(number).ok())
            .ok_or_else(|| missing(name, "a whole number"))
    }

    /// Tests if there is an argument of this name.
    pub fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Tests if a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// Returns a list of texts.
    pub fn texts(&self, name: &str) -> Result<Vec<&str>, Refused> {
        let list = self.0.get(name).and_then(Value::as_array);
        list.and_then(|list| list.iter().map(Value::as_str).collect())
            .ok_or_else(|| missing(name, "a list of texts"))
    }

    /// Returns an object among the arguments, empty if it is not given.
    pub fn inner(&self, name: &str) -> Arguments {
        Arguments(self.0.get(name).and_then(Value::as_object).cloned().unwrap_or_default())
    }

    /// Returns pairs of a name and a value, if they are given. A number becomes its text.
    pub fn maybe_pairs(&self, name: &str) -> Result<Option<Vec<(String, String)>>, Refused> {
        let pairs = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(value) => value.as_object().ok_or_else(|| missing(name, "names with values"))?,
        };
        let pair = |(name, value): (&String, &Value)| match value {
            Value::String(text) => Some((name.clone(), text.clone())),
            Value::Number(number) => Some((name.clone(), number.to_string())),
            _ => None,
        };
        let pairs: Option<Vec<(String, String)>> = pairs.iter().map(pair).collect();
        pairs.map(Some).ok_or_else(|| missing(name, "names with values"))
    }
}

fn missing(name: &str, what: &str) -> Refused {
    Refused::from(format!("the request lacks `{name}`, {what}"))
}

/// Answers a request that changes nothing; `None` if there is no request of this name.
pub fn look(desk: &mut Desk, name: &str, arguments: &Arguments) -> Option<Result<Value, Refused>> {
    Some(match name {
        "choices" => play::choices(desk, arguments),
        "why" => explain::why(desk, arguments),
        "trace" => Ok(explain::trace(desk)),
        "light" => explain::light(&explain::Lit::of(desk), arguments),
        "complete" => assist::complete(&Arc::clone(&desk.study), arguments),
        "hover" => assist::hover(&Arc::clone(&desk.study), arguments),
        "signature" => assist::signature(&Arc::clone(&desk.study), arguments),
        "find" => lookup::find(arguments),
        "contents" => Ok(lookup::contents()),
        "recipe" => assist::recipe(&desk.study, &desk.draft.options, arguments),
        "looks" => Ok(appearance::looks(&desk.study)),
        "setLook" => appearance::set_look(arguments),
        "lineOf" => play::line_of(arguments),
        "strengths" => Ok(json!({ "strengths": STRENGTH_NAMES })),
        "explain" => lookup::explain(arguments),
        "format" => laid_out(arguments),
        "frames" => pictures::frames(desk),
        "arrange" => arrange::arrange(desk, arguments),
        "setUp" => arrange::set_up(desk, arguments),
        "moves" => arrange::moves(desk),
        "mustBe" => arrange::must_be(desk, arguments),
        "claim" => arrange::claim(desk, arguments),
        "offers" => rework::offers(&desk.study, arguments),
        "rework" => rework::rework(&desk.study, arguments),
        "variant" => rework::make_variant(arguments),
        _ => return None,
    })
}

/// Executes a request that changes the game; `None` if there is no request of this name. Returns a
/// note for the player, if there is one.
pub fn change(
    desk: &mut Desk,
    name: &str,
    arguments: &Arguments,
) -> Option<Result<Option<String>, Refused>> {
    desk.settle();
    let changed = match name {
        "play" => play::play(desk, arguments),
        "playChosen" => play::play_chosen(desk, arguments),
        "roll" => desk.roll().map_err(Refused::from),
        "undo" => desk.undo().map_err(Refused::from),
        "redo" => desk.redo().map_err(Refused::from),
        "restart" => desk.restart().map_err(Refused::from),
        "line" => play::line(desk, arguments),
        "goto" => arguments.number("id").and_then(|node| Ok(desk.go_to(node)?)),
        "leaveLine" => arguments.number("id").and_then(|node| Ok(desk.leave_line(node)?)),
        "removePly" => arguments.number("id").and_then(|node| Ok(desk.remove(node)?)),
        "promotePly" => {
            arguments.number("id").and_then(|node| Ok(desk.draft.variations.promote(node)?))
        }
        "restorePlies" => desk.draft.variations.restore().map_err(Refused::from),
        "goOn" => {
            desk.paused = false;
            Ok(())
        }
        "seats" => return Some(seats::seat(desk, arguments)),
        _ => return None,
    };
    Some(changed.map(|()| None))
}

/// Lays out a text in the standard way.
fn laid_out(arguments: &Arguments) -> Result<Value, Refused> {
    format(arguments.text("text")?)
        .map(|text| json!({ "text": text }))
        .map_err(|_| "the brackets do not match, so the text cannot be laid out".into())
}
