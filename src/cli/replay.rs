//! `ludwright replay`: replays a record and lists its plies, or steps through them.

use super::play::PromptLoop;
use crate::program::answers::position::{scores, to_move};
use crate::program::arguments::Replay;
use crate::program::console::Console;
use crate::program::failure::{Failure, refusal_failure};
use crate::program::files::read_record;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, ByName, print};
use ludwright::notation::{legal, outcome, spell};
use ludwright::play::Session;
use ludwright::record::{CHANGED, PlyNote, Record};
use ludwright::render::{Room, Scene, drawing, spell_with as spelled};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{IsTerminal, Write};

/// A ply of a record, or its end.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ReplayAnswer {
    Ply {
        /// The player who makes the ply, or `chance`.
        to_move: Option<String>,
        /// The legal moves before it, with `--legal`.
        #[serde(skip_serializing_if = "Option::is_none")]
        legal: Option<Vec<String>>,
        /// The ply.
        played: String,
        /// How long the player thought.
        #[serde(skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    End {
        /// The result in words, or `unfinished`.
        result: String,
        /// The score of each player; null if the game is unfinished.
        scores: Option<ByName<f64>>,
    },
}

impl Answer for ReplayAnswer {
    const NAME: &'static str = "replay";
}

/// Replays a record. The plies before an illegal one are still listed.
pub fn run(task: &Replay, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let record = read_record(&task.record)?;
    let loaded = Loaded::new(&task.game, Some((&task.record, &record)), console)?;
    let rules = loaded.game.rules();
    let mut position =
        record.begin(&loaded.game).map_err(|stopped| loaded.stopped(&task.record, stopped))?;
    let listed = task.list || task.legal || console.json();
    if task.step || !listed && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return step(task, &record, &loaded, console, out);
    }
    let warn = |out: &mut dyn Write, message: &str| {
        out.flush()?;
        console.warn(&format!("{}: {message}", task.record.display()));
        Ok::<(), Failure>(())
    };
    let widest = rules
        .players
        .iter()
        .map(|player| player.name.chars().count())
        .max()
        .unwrap_or(0)
        .max("chance".len());
    for index in 0..record.plies.len() {
        let ply = match record.ply(index, &position) {
            Err(stopped) if task.force => {
                warn(out, &stopped.to_string())?;
                break;
            }
            ply => ply.map_err(|stopped| loaded.stopped(&task.record, stopped))?,
        };
        let spelled = spell(rules, &ply);
        let moves = task.legal.then(|| legal(&position));
        let mover = to_move(&position).map(str::to_owned);
        record
            .play(index, &mut position)
            .map_err(|stopped| loaded.stopped(&task.record, stopped))?;
        if console.json() {
            let PlyNote { time, comment } = &record.plies[index].note;
            let ply = ReplayAnswer::Ply {
                to_move: mover,
                legal: moves,
                played: spelled,
                seconds: time.map(|time| time.as_secs_f64()),
                comment: comment.clone(),
            };
            print(&ply, out)?;
        } else {
            writeln!(
                out,
                "{:>4}. {:widest$}  {spelled}{}",
                index + 1,
                mover.unwrap_or_default(),
                remark(&record.plies[index].note)
            )?;
            if let Some(moves) = moves {
                writeln!(out, "      of {}: {}", moves.len(), moves.join(", "))?;
            }
        }
    }
    match record.agrees(&position) {
        Err(stopped) if !task.force => return Err(loaded.stopped(&task.record, stopped)),
        // Reported above: `--force` stopped at an illegal ply.
        _ if position.ply_count() < record.plies.len() => {}
        Err(stopped) => warn(out, &stopped.to_string())?,
        Ok(()) if record.is_changed(rules) => warn(out, CHANGED)?,
        Ok(()) => {}
    }
    if console.json() {
        let result = outcome(rules, position.outcome());
        let scores = position.outcome().map(|over| scores(rules, over));
        print(&ReplayAnswer::End { result, scores }, out)?;
    } else {
        let lines = drawing(&Scene::of(&position), Room::default());
        write!(out, "\n{}", spelled(&lines, console.color_prefix()))?;
        if position.outcome().is_none() {
            writeln!(out, "The game is unfinished.")?;
        }
    }
    Ok(0)
}

/// Steps through the record at the prompt.
fn step(
    task: &Replay,
    record: &Record,
    loaded: &Loaded,
    console: &Console,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let position = loaded.play_over(&task.record, record, task.force, console)?;
    let seed = record.seed.unwrap_or_default();
    let begun = Session::begin(&loaded.source, &task.game.options.choices, position, &[], seed);
    let rewound = begun.and_then(|mut session| {
        session.rewind(record)?;
        Ok(session)
    });
    let session = rewound.map_err(|refused| refusal_failure(refused, &loaded.source))?;
    PromptLoop::new(session, None, loaded, console, out).stepping().run()
}

/// Time and comment of a ply, for the end of its line.
fn remark(note: &PlyNote) -> String {
    let time = note.time.map(|time| format!("  [{:.1} s]", time.as_secs_f64()));
    let comment = note.comment.as_ref().map(|comment| format!("  {}", comment.replace('\n', " ")));
    [time, comment].into_iter().flatten().collect()
}
