//! The Universal Game Interface (<https://github.com/kz04px/ugi>), and the Universal Chess
//! Interface, which it generalizes.
//!
//! Where the protocols leave a choice: UGI spells moves as records do, with `_` for blanks, UCI by
//! the rules' notation `uci`. Before a roll, `query turn` answers `chance`, and `go` answers with a
//! random roll, seeded by the option `Seed`. The game's options are engine options; setting one
//! restarts the game. `query moves` lists all legal moves, or all rolls, separated by blanks.
//! `query position` prints a position on one line, its lines joined by `|`, and `position fen`
//! reads this form; if the rules have a notation `fen`, `position fen` also reads FEN, and `query
//! fen` writes it. `position moves …` continues the current game, `undo N` takes moves back, and
//! `query hash` prints the hash of the position. A command that cannot be executed is answered with
//! `info string` and changes nothing. If there is no move, for example after the end, `go` explains
//! it with `info string` and answers `bestmove (none)`, as chess engines do, so that the caller
//! always gets an answer; `query moves` then answers `(none)`.
//!
//! Before the last `info` of a search, `info string root` lists the plies that it has tried, at
//! most [`MAX_ROOT_PLIES`], best first: each with its visits, the score that its player expects,
//! between 0 and 1, and `proven` if the score is certain.
//!
//! After a swap by the pie rule, `p1` is still the program that began as the first player, in
//! clocks and results; `query turn` names the colour to move.
//!
//! After `go infinite`, `bestmove` comes only after `stop`, even if there is nothing left to
//! search.

use super::asked::GoLimits;
use super::settings::described;
use super::{Engine, locked, unknown};
use crate::program::arguments::Protocol;
use crate::program::failure::Failure;
use ludwright::engine::game::{Move, Turn};
use ludwright::engine::position::Outcome;
use ludwright::formats;
use ludwright::language::notations::Format;
use ludwright::notation::{clip, turn};
use ludwright::record::Start;
use ludwright::search::Thinking;

/// The most plies of the root that are listed after a search.
const MAX_ROOT_PLIES: usize = 100;
/// The text that stands for a move if there is none.
const NO_MOVE: &str = "(none)";
const COMMANDS: [&str; 10] = [
    "ugi",
    "isready",
    "setoption",
    "uginewgame",
    "position",
    "undo",
    "go",
    "stop",
    "query",
    "quit",
];
const QUERIES: [&str; 8] =
    ["gameover", "p1turn", "result", "turn", "moves", "position", "fen", "hash"];
/// Commands of chess programs without a counterpart here.
const IGNORED: [&str; 4] = ["debug", "register", "ponderhit", "ucinewgame"];

/// Executes a line.
pub fn execute(engine: &mut Engine, line: &str) -> Result<(), Failure> {
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let done = match (command, engine.protocol) {
        ("ugi", Protocol::Ugi) | ("uci", Protocol::Uci) => {
            let rules = engine.game.rules();
            let settings: String = std::iter::once(engine.settings.list(&engine.game))
                .chain(rules.options.iter().map(described))
                .collect();
            let title = &rules.title;
            write!(
                engine.out,
                "id name Ludwright {} playing {title}\nid author Ludwright\n{settings}{command}ok\n",
                env!("CARGO_PKG_VERSION")
            )?;
            Ok(())
        }
        ("isready", _) => {
            writeln!(engine.out, "readyok")?;
            Ok(())
        }
        ("setoption", _) => match named(rest) {
            Ok((name, value)) => engine.set_option(name, value)?,
            Err(complaint) => Err(complaint),
        },
        ("uginewgame", Protocol::Ugi) | ("ucinewgame", Protocol::Uci) => {
            locked(&engine.player).clear();
            engine.goto(None, &[])
        }
        ("position", _) => position(engine, rest),
        ("undo", _) => match rest {
            "" => engine.take_back(1),
            count => match count.parse() {
                Ok(count) => engine.take_back(count),
                Err(_) => Err(format!("expected a number of moves, found `{}`", clip(count))),
            },
        },
        ("go", _) => match GoLimits::read(rest, engine.place.position.personal_turn()) {
            Ok(limits) => {
                engine.go(limits, !rest.is_empty())?;
                Ok(())
            }
            Err(complaint) => Err(complaint),
        },
        ("query", _) => match answer(engine, rest) {
            Ok(answer) => {
                writeln!(engine.out, "response {answer}")?;
                Ok(())
            }
            Err(complaint) => Err(complaint),
        },
        // No search is in progress.
        ("stop", _) => Ok(()),
        (ignored, Protocol::Uci) if IGNORED.contains(&ignored) => Ok(()),
        _ => Err(unknown("command", command, &COMMANDS)),
    };
    match done {
        Ok(()) => Ok(()),
        Err(complaint) => engine.say(&complaint),
    }
}

/// Splits `name NAME value VALUE`.
fn named(text: &str) -> Result<(&str, &str), String> {
    let named = text.strip_prefix("name ").and_then(|rest| rest.split_once(" value "));
    let found = || format!("expected `setoption name NAME value VALUE`, found `{}`", clip(text));
    named.map(|(name, value)| (name.trim(), value.trim())).ok_or_else(found)
}

fn position(engine: &mut Engine, text: &str) -> Result<(), String> {
    let (start, moves) = match text
        .strip_suffix(" moves")
        .map(|start| (start, ""))
        .or_else(|| text.rsplit_once(" moves "))
    {
        Some((start, moves)) => (start.trim(), moves),
        None => (text, ""),
    };
    let moves: Vec<&str> = moves.split_whitespace().collect();
    match start.split_once(' ').unwrap_or((start, "")) {
        ("startpos", "") => engine.goto(None, &moves),
        ("fen", fen) if !fen.trim().is_empty() => engine.goto(Some(fen.to_owned()), &moves),
        ("moves", more) => engine.extend(&more.split_whitespace().collect::<Vec<_>>()),
        _ => Err(format!(
            "expected `position startpos` or `position fen POSITION`, and perhaps `moves …`, found `{}`",
            clip(text)
        )),
    }
}

fn answer(engine: &Engine, question: &str) -> Result<String, String> {
    let position = &engine.place.position;
    Ok(match question {
        "gameover" => position.outcome().is_some().to_string(),
        "p1turn" => matches!(position.personal_turn(), Turn::Player(player) if player.index() == 0)
            .to_string(),
        "result" => match position.personal_outcome() {
            Some(Outcome::Win(winner)) => format!("p{}win", winner.index() + 1),
            Some(Outcome::Draw | Outcome::Shared(_)) => "draw".to_owned(),
            None => "none".to_owned(),
        },
        "turn" => turn(engine.game.rules(), position.turn()).to_owned(),
        "moves" => {
            let moves: Vec<String> =
                position.legal().iter().map(|ply| engine.written(ply)).collect();
            if moves.is_empty() { NO_MOVE.to_owned() } else { moves.join(" ") }
        }
        "position" => {
            let written = Start::write(position);
            let lines: Vec<&str> =
                written.lines().filter(|line| !line.starts_with("option:")).collect();
            lines.join("|")
        }
        "fen" => formats::write_line(position, Format::Fen)?,
        "hash" => format!("{:016x}", position.hash()),
        _ => return Err(unknown("query", question, &QUERIES)),
    })
}

/// Prints the intermediate result of a search. The score is from -100 (a certain loss) to 100 (a
/// certain win).
pub fn report(engine: &mut Engine, thinking: &Thinking) -> Result<(), Failure> {
    let milliseconds = (thinking.seconds * 1e3) as u64;
    let rate = thinking.rate() as u64;
    let line = engine.written_line(&thinking.line);
    let (depth, iterations, score) = (line.len(), thinking.iterations, engine.score(thinking));
    Ok(writeln!(
        engine.out,
        "info depth {depth} time {milliseconds} nodes {iterations} nps {rate} score cp {score} pv {}",
        line.join(" ")
    )?)
}

/// Lists the results of a search for each ply of the root.
fn report_root(engine: &mut Engine, thinking: &Thinking) -> Result<(), Failure> {
    let tried = thinking.plies.iter().take(MAX_ROOT_PLIES).map(|tried| {
        let proven = if tried.solved { " proven" } else { "" };
        format!("{} {} {:.3}{proven}", engine.written(&tried.ply), tried.visits, tried.chance)
    });
    let tried: Vec<String> = tried.collect();
    Ok(writeln!(engine.out, "info string root {}", tried.join(", "))?)
}

/// Answers a search.
pub fn finish(
    engine: &mut Engine,
    thinking: Option<&Thinking>,
    best: Option<Move>,
) -> Result<(), Failure> {
    if let Some(thinking) = thinking {
        report_root(engine, thinking)?;
        report(engine, thinking)?;
    } else if best.is_none() && engine.place.position.outcome().is_some() {
        engine.say("the game is over: there is no move")?;
    }
    let best = best.map_or_else(|| NO_MOVE.to_owned(), |ply| engine.written(&ply));
    Ok(writeln!(engine.out, "bestmove {best}")?)
}
