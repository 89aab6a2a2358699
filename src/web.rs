//! The library in a browser: a module of WebAssembly without a file system, threads or a clock of
//! its own.
//!
//! JavaScript calls three functions (`exports`): `alloc` and `free` for texts, and `call`, which
//! takes a request as JSON and returns the answer as JSON:
//!
//! ```text
//! {"name": "play", "arguments": {"text": "place a1"}}   request
//! {"ok": {"game": {…}, "due": null, "draft": {…}}}      answer
//! {"error": "…", "status": 400}                         a request that is refused
//! ```
//!
//! The page provides functions (namespace `page`): `now()`, the milliseconds of its clock;
//! `panicked(pointer, length)`, which takes the message of a panic; and `told(pointer, length)`,
//! which takes intermediate results. After a panic or any other trap, the instance is lost: the
//! page makes a new one and opens the last `draft` in it.
//!
//! One instance keeps one [`Desk`] ([`Browser`]). `open` makes it, from a [`Bundle`] of files. The
//! requests about a desk ([`look`], [`change`]) are the studio's, with the same arguments and
//! answers; the studio's requests for files or threads have a counterpart here, or in `studio`.
//! Long-running work (`choose`, `hint`, `sheet`) goes to a second instance, so that the first one
//! stays free: the first hands out a task (`due` of its answers, or `task`) with all that the
//! second needs, and the page passes the result back (`chosen`).
//!
//! There are two modules, so that pages that play stay small: this [`Browser`], and
//! [`asking::Asking`], which answers questions such as playtests. The studio fetches the second at
//! the first question.

pub mod asking;
#[cfg(target_arch = "wasm32")]
pub mod exports;
mod program;
mod studio;

use crate::desk::requests::{Arguments, Refused, change, look};
use crate::desk::{Bundle, Desk, Draft, Origin};
use crate::search::PlayerKind;
use program::{Programs, task};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The state of an instance for a page.
#[derive(Default)]
pub struct Browser {
    bundle: Bundle,
    desk: Option<Desk>,
    programs: Programs,
}

/// A request.
#[derive(Deserialize)]
struct Request {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

impl Browser {
    /// Answers a request.
    pub fn call(&mut self, request: &[u8]) -> String {
        answered(request, |name, arguments| self.answer(name, arguments))
    }

    fn answer(&mut self, name: &str, arguments: &Arguments) -> Result<Value, Refused> {
        match name {
            "open" => return self.open(arguments),
            "choose" => return self.programs.choose(&self.bundle, arguments),
            "hint" => return self.programs.hint(&self.bundle, arguments),
            "sheet" => return self.programs.sheet(&self.bundle, arguments),
            "evaluate" => return self.programs.evaluate(&self.bundle, arguments),
            "titles" => return Ok(studio::titles(&files(arguments)?)),
            "fileName" => return studio::file_name(arguments),
            "picture" => return studio::picture(&files(arguments)?, arguments),
            "observe" => return studio::observe(&files(arguments)?, arguments),
            "cases" => return studio::run_cases(&files(arguments)?, arguments),
            _ => {}
        }
        let bundle = &mut self.bundle;
        let desk = self.desk.as_mut().ok_or("no game is open")?;
        let text = |text: Option<String>| {
            let text = text.ok_or("the rules cannot be played yet")?;
            Ok(json!({ "text": text }))
        };
        match name {
            "record" => return text(desk.record()),
            "position" => return text(desk.position()),
            "fragment" => return text(desk.fragment()),
            "share" => return studio::share(desk, arguments),
            "rename" => return studio::rename(desk, &files(arguments)?, arguments),
            "task" => {
                let kind = arguments.text("kind")?.parse::<PlayerKind>()?;
                return task(desk, kind).ok_or_else(|| "no player is to move".into());
            }
            _ => {}
        }
        let note = match name {
            "take" => desk.take(arguments.text("text")?, bundle)?,
            // The new game starts with an empty list of plies.
            "restart" if !arguments.flag("keep") => {
                desk.restart_with(desk.draft.options.clone(), bundle)?;
                None
            }
            "options" => {
                let options = arguments.maybe_pairs("values")?.unwrap_or_default();
                desk.restart_with(options, bundle)?;
                None
            }
            "edit" => {
                let options = arguments.maybe_pairs("options")?;
                desk.edit(arguments.rules()?, options, bundle);
                desk.settle();
                desk.revision = arguments.number("revision").unwrap_or(0) as u64;
                None
            }
            "stopThinking" => {
                desk.paused = true;
                desk.turn += 1;
                None
            }
            "saved" => {
                studio::saved(desk, bundle, arguments)?;
                None
            }
            "moved" => {
                studio::moved(desk, bundle, arguments);
                None
            }
            "chosen" => chosen(desk, arguments)?,
            _ => match look(desk, name, arguments) {
                Some(looked) => return looked,
                None => change(desk, name, arguments).unwrap_or_else(|| {
                    Err(Refused { status: 404, message: "there is no such request".to_owned() })
                })?,
            },
        };
        let mut answer = state(desk, bundle);
        if ["edit", "saved", "options", "take", "undo"].contains(&name) {
            answer["check"] = desk.describe_check();
        }
        if let Some(note) = note {
            answer["note"] = json!(note);
        }
        Ok(answer)
    }

    /// Opens a game: `files` (a [`Bundle`]), with `options`, `seats` and the `seed` of its dice, or
    /// in the state of an earlier answer's `draft`. `origin` tells where a new desk's text comes
    /// from: a `file`, a game `shipped` with the page, or `new`. The texts to `take` are read one
    /// after the other; if one cannot be read, `refused` says why, and the game stays as it was.
    fn open(&mut self, arguments: &Arguments) -> Result<Value, Refused> {
        self.bundle = files(arguments)?;
        self.programs = Programs::default();
        let origin = match arguments.maybe_text("origin") {
            Some("new") => Origin::New,
            Some("shipped") => Origin::Shipped(self.bundle.name().to_owned()),
            _ => Origin::File(PathBuf::from(self.bundle.name())),
        };
        let kept = arguments.value("draft").and_then(|draft| Draft::deserialize(draft).ok());
        let kept = kept.filter(|draft| draft.variations.is_valid());
        let draft = kept.unwrap_or_else(|| {
            let options = arguments.maybe_pairs("options").ok().flatten().unwrap_or_default();
            let seed = arguments.number("seed").unwrap_or(1) as u64;
            Draft::of_bundle(&self.bundle, origin, options, seed)
        });
        let mut desk = Desk::new(draft, &self.bundle);
        desk.settle();
        if arguments.has("seats") {
            change(&mut desk, "seats", arguments).transpose()?;
        }
        let (mut note, mut refused) = (None, None);
        if arguments.has("take") {
            for text in arguments.texts("take")? {
                match desk.take(text, &self.bundle) {
                    Ok(told) => note = told.or(note),
                    Err(message) => refused = Some(message),
                }
            }
        }
        let mut answer = state(&mut desk, &self.bundle);
        let (base, variants) = self.bundle.relatives(&desk.draft.text);
        let variants =
            variants.into_iter().map(|(path, title)| json!({ "path": path, "title": title }));
        answer["base"] = json!(base);
        answer["variants"] = variants.collect();
        answer["text"] = json!(desk.draft.text);
        answer["saved"] = json!(desk.draft.disk);
        answer["shipped"] = json!(desk.draft.shipped);
        answer["check"] = desk.describe_check();
        if let Some(note) = note {
            answer["note"] = json!(note);
        }
        if let Some(refused) = refused {
            answer["refused"] = json!(refused);
        }
        self.desk = Some(desk);
        Ok(answer)
    }
}

/// Reads a request and writes its answer.
fn answered(
    request: &[u8],
    answer: impl FnOnce(&str, &Arguments) -> Result<Value, Refused>,
) -> String {
    let answer = match serde_json::from_slice::<Request>(request) {
        Ok(Request { name, arguments }) => answer(&name, &Arguments::new(arguments)),
        Err(_) => Err("this is no request".into()),
    };
    match answer {
        Ok(value) => json!({ "ok": value }),
        Err(Refused { status, message }) => json!({ "error": message, "status": status }),
    }
    .to_string()
}

/// Reads the files that a request is about.
fn files(arguments: &Arguments) -> Result<Bundle, Refused> {
    let malformed = || "this page is damaged; get it again".to_owned();
    let bundle = arguments.value("files").ok_or_else(malformed)?;
    Bundle::deserialize(bundle).map_err(|_| malformed().into())
}

/// Describes the game of a desk: `game` as in the studio; `due` if a program is to choose a ply;
/// and `draft`, the data with which a new instance continues, with its title and whether it is
/// `unsaved`.
fn state(desk: &mut Desk, bundle: &Bundle) -> Value {
    let due = desk.due().and_then(|kind| task(desk, kind));
    desk.is_thinking = due.is_some();
    json!({
        "game": desk.describe_game(),
        "due": due,
        "draft": desk.draft,
        "title": desk.title(),
        "path": desk.draft.origin.file(),
        "unsaved": studio::is_changed(desk, bundle),
    })
}

/// Plays a program's choice, unless the game has changed in the meantime.
fn chosen(desk: &mut Desk, arguments: &Arguments) -> Result<Option<String>, Refused> {
    if arguments.number("turn")? as u64 != desk.turn {
        return Ok(None);
    }
    let (text, seat) = (arguments.text("ply")?, arguments.text("seat")?);
    let (run, _) = desk.run()?;
    let ply = crate::play::variations::read(&run.state, text)?;
    desk.play(&ply, Some(seat.to_owned()))?;
    Ok(None)
}
