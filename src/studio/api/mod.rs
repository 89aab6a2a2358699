//! The requests of the page: names, arguments and answers are JSON.

mod assist;
mod explain;
mod home;
mod open;
mod play;
mod seats;
mod share;
mod write;

pub use assist::with_own_text;

use super::folder::{hash, plain, written};
use super::{DeskCell, Studio, jobs, lock};
use ludwright::syntax::SOURCE_LIMIT;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A request that is not granted.
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

/// The arguments of a request.
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Returns a text.
    pub fn text(&self, name: &str) -> Result<&str, Refused> {
        self.maybe_text(name).ok_or_else(|| missing(name, "a text"))
    }

    /// Returns a text, if it is given.
    pub fn maybe_text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// Returns the text of a rules file.
    pub fn rules(&self) -> Result<String, Refused> {
        let text = plain(self.text("text")?);
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
        self.0.get(name).is_some_and(|value| !value.is_null())
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

    /// Returns an object inside, empty if it is not given.
    pub fn inner(&self, name: &str) -> Arguments {
        Arguments(self.0.get(name).and_then(Value::as_object).cloned().unwrap_or_default())
    }

    /// Returns pairs of a name and a value, if they are given. Numbers are taken as they are
    /// written.
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

/// Answers a request.
pub fn call(studio: &Arc<Studio>, name: &str, body: &[u8]) -> Result<Value, Refused> {
    let arguments = match serde_json::from_slice(body) {
        Ok(Value::Object(arguments)) => Arguments(arguments),
        Ok(_) => return Err("expected an object of JSON".into()),
        Err(_) => return Err("this is no JSON".into()),
    };
    match name {
        "home" => return Ok(home::home(studio)),
        "open" => return open::open(studio, &arguments),
        "forget" => return open::forget(studio, &arguments),
        _ => {}
    }
    let gone =
        || Refused { status: 404, message: "this tab is not known; load it again".to_owned() };
    let cell = arguments.maybe_text("desk").and_then(|id| desk(studio, id)).ok_or_else(gone)?;
    match name {
        "edit" => write::edit(studio, &cell, &arguments),
        "save" => write::save(studio, &cell, &arguments),
        "format" => write::format(&arguments),
        "complete" => assist::complete(&cell, &arguments),
        "hover" => assist::hover(&cell, &arguments),
        "signature" => assist::signature(&cell, &arguments),
        "recipes" => Ok(assist::recipes()),
        "explain" => assist::explain(&arguments),
        "light" => explain::light(&cell, &arguments),
        "why" => explain::why(&cell, &arguments),
        "trace" => explain::trace(&cell),
        "seats" => seats::seats(studio, &cell, &arguments),
        "goOn" => seats::go_on(studio, &cell),
        "stopThinking" => Ok(seats::stop(&cell)),
        "hint" => seats::hint(&cell),
        "evaluate" => Ok(seats::evaluate(&cell, &arguments)),
        "job" => jobs::start(studio, &cell, &arguments),
        "jobs" => Ok(jobs::list(studio, &cell)),
        "stop" => jobs::stop(studio, &cell, &arguments),
        "share" => share::share(studio, &cell, &arguments),
        "choices" => play::choices(&cell, &arguments),
        "play" => play::play(studio, &cell, &arguments),
        "playChosen" => play::play_chosen(studio, &cell, &arguments),
        "roll" => play::change(studio, &cell, |desk| desk.roll()),
        "undo" => play::change(studio, &cell, |desk| desk.undo()),
        "redo" => play::change(studio, &cell, |desk| desk.redo()),
        "restart" => play::change(studio, &cell, |desk| desk.restart()),
        "goto" => {
            let node = arguments.number("id")?;
            play::change(studio, &cell, |desk| desk.go_to(node))
        }
        _ => Err(Refused { status: 404, message: "there is no such request".to_owned() }),
    }
}

/// Finds a desk: in memory, or if it had to make room there, by its draft.
pub fn desk(studio: &Studio, id: &str) -> Option<Arc<DeskCell>> {
    studio.find_desk(id).or_else(|| open::restored(studio, id).ok())
}

/// Describes all of a desk.
fn describe(studio: &Studio, cell: &DeskCell) -> Value {
    let desk = lock(&cell.desk);
    let disk = desk.draft.disk.as_ref();
    let (base, variants) = desk.relatives(&studio.folder);
    serde_json::json!({
        "desk": cell.id,
        "path": desk.draft.origin.file().map(written),
        "text": desk.draft.text,
        "disk": disk.map(|text| hash(text)),
        "savedText": disk,
        "draft": desk.draft.is_unsaved(),
        "readOnly": studio.is_read_only,
        "title": desk.title(),
        "base": base,
        "variants": variants,
        "check": desk.describe_check(),
        "game": desk.describe_game(),
    })
}
