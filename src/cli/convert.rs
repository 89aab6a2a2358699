//! `ludwright convert`: reads a record or a position in any format that the rules describe, and
//! writes it in another.

use crate::program::answers::subject::Subject;
use crate::program::arguments::{Convert, Converted};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_text;
use crate::program::game::Loaded;
use crate::program::output::Out;
use crate::program::schema::{Answer, print};
use ludwright::engine::game::State;
use ludwright::formats;
use ludwright::language::notations::Format;
use ludwright::notation::Misread;
use ludwright::record::{self, Record, Start};
use schemars::JsonSchema;
use serde::Serialize;

/// A record or a position in another format.
#[derive(Serialize, JsonSchema)]
pub struct ConvertAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// The format that was read.
    from: &'static str,
    /// The format that is written.
    to: &'static str,
    /// The text.
    text: String,
}

impl Answer for ConvertAnswer {
    const NAME: &'static str = "convert";
}

/// Converts a file.
pub fn run(task: &Convert, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let text = read_text(&task.input, record::LIMIT)?;
    let misread =
        |misread: Misread| Failure::input(format!("in {}, {misread}", task.input.display()));
    let plain = Loaded::new(&task.game, None, console)?;
    let rules = plain.game.rules();
    let from = task.from.unwrap_or_else(|| match formats::detect(&text, rules) {
        Some(format) => Converted::of(format),
        None if Record::parse(&text).is_ok_and(|record| record.game.is_some()) => Converted::Record,
        None => Converted::Position,
    });
    // The game is loaded with the options that the text names.
    let record = match from {
        Converted::Record => Record::parse(&text).map_err(misread)?,
        Converted::Position => {
            let options = Start::parse(&text).map_err(misread)?.options;
            Record { options, ..Record::default() }
        }
        _ => {
            let options = from.foreign().map(|format| formats::options(rules, format, &text));
            Record { options: options.unwrap_or_default(), ..Record::default() }
        }
    };
    let loaded = Loaded::new(&task.game, Some((&task.input, &record)), console)?;
    let game = &loaded.game;
    let position: State = match (from, from.foreign()) {
        (_, Some(format)) => formats::read(game, format, &text).map_err(misread)?,
        (Converted::Record, _) => loaded.play_over(&task.input, &record, false, console)?,
        _ => Start::parse(&text).and_then(|start| start.begin(game)).map_err(misread)?,
    };
    let written = match (task.to, task.to.foreign()) {
        (_, Some(format)) => formats::write(&position, format).map_err(Failure::input)?,
        (Converted::Record, _) => Record::of(&position, 0).write(),
        _ => Start::write(&position),
    };
    if console.json() {
        let subject = loaded.subject();
        print(
            &ConvertAnswer { subject, from: from.word(), to: task.to.word(), text: written },
            out,
        )?;
        return Ok(0);
    }
    out.data(written.as_bytes())?;
    Ok(0)
}

impl Converted {
    fn of(format: Format) -> Converted {
        match format {
            Format::Fen => Converted::Fen,
            Format::Pgn => Converted::Pgn,
            Format::Sgf => Converted::Sgf,
            Format::Diagram | Format::Uci | Format::Gtp => Converted::Diagram,
        }
    }

    /// Returns the format, if it belongs to other programs.
    fn foreign(self) -> Option<Format> {
        match self {
            Converted::Fen => Some(Format::Fen),
            Converted::Pgn => Some(Format::Pgn),
            Converted::Sgf => Some(Format::Sgf),
            Converted::Diagram => Some(Format::Diagram),
            Converted::Record | Converted::Position => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Converted::Record => "record",
            Converted::Position => "position",
            _ => self.foreign().map_or("", Format::word),
        }
    }
}
