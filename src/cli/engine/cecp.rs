//! The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard
//! (<https://www.gnu.org/software/xboard/engine-intf.html>).
//!
//! Moves and positions are spelled by the notations `uci` and `fen` of the rules.

use super::asked::{GoLimits, PLIES_AHEAD};
use super::{Engine, locked};
use crate::program::failure::Failure;
use ludwright::engine::game::{Move, Turn};
use ludwright::engine::position::Outcome;
use ludwright::notation::{clip, shown_outcome};
use ludwright::search::Thinking;
use std::time::Duration;

/// Commands without effect here.
const IGNORED: [&str; 14] = [
    "xboard", "random", "hard", "easy", "accepted", "rejected", "computer", "name", "rating",
    "ics", "hint", "bk", "draw", "variant",
];

/// Executes a line.
pub fn execute(engine: &mut Engine, line: &str) -> Result<(), Failure> {
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let seconds = |text: &str| text.parse::<f64>().ok().filter(|it| (0.0..1e9).contains(it));
    let done = match command {
        "protover" => {
            let features = "ping=1 setboard=1 usermove=1 time=1 san=0 sigint=0 sigterm=0 colors=0 analyze=0 debug=1 variants=\"normal\"";
            let version = env!("CARGO_PKG_VERSION");
            writeln!(engine.out, "feature {features} myname=\"Ludwright {version}\"")?;
            writeln!(engine.out, "feature done=1")?;
            Ok(())
        }
        "new" => {
            locked(&engine.player).clear();
            (engine.talk.forced, engine.talk.limits) = (false, GoLimits::default());
            engine.goto(None, &[])
        }
        "force" | "result" => {
            engine.talk.forced = true;
            Ok(())
        }
        "go" => {
            engine.talk.forced = false;
            return think(engine);
        }
        "ping" => {
            writeln!(engine.out, "pong {rest}")?;
            Ok(())
        }
        "post" | "nopost" => {
            engine.talk.posts = command == "post";
            Ok(())
        }
        "setboard" => engine
            .goto(Some(rest.to_owned()), &[])
            .map_err(|complaint| format!("tellusererror Illegal position: {complaint}")),
        "undo" => engine.take_back(1),
        "remove" => engine.take_back(2),
        "time" => {
            // In hundredths of a second.
            let left = seconds(rest).map(|hundredths| hundredths / 100.0);
            engine.talk.limits.time =
                left.map(|left| Duration::from_secs_f64((left / f64::from(PLIES_AHEAD)).max(0.01)));
            Ok(())
        }
        "otim" => Ok(()),
        "st" => {
            engine.talk.limits.time = seconds(rest).map(Duration::from_secs_f64);
            Ok(())
        }
        "sd" => {
            engine.talk.limits.depth = rest.parse().ok();
            Ok(())
        }
        "level" => {
            // `40 5 0` or `0 2:30 12`: moves, minutes, and the seconds added for each move.
            let mut words = rest.split_whitespace();
            let moves = words.next().and_then(seconds).unwrap_or(0.0);
            let (minutes, more) =
                words.next().map_or(("", "0"), |base| base.split_once(':').unwrap_or((base, "0")));
            let base = seconds(minutes).unwrap_or(0.0) * 60.0 + seconds(more).unwrap_or(0.0);
            let added = words.next().and_then(seconds).unwrap_or(0.0);
            let ahead = if moves > 0.0 { moves } else { f64::from(PLIES_AHEAD) };
            let each = (base / ahead + added / 2.0).max(0.01);
            engine.talk.limits.time = Some(Duration::from_secs_f64(each));
            Ok(())
        }
        "quit" | "?" => Ok(()),
        ignored if IGNORED.contains(&ignored) => Ok(()),
        _ => return usermove(engine, if command == "usermove" { rest } else { line }, command),
    };
    match done {
        Ok(()) => Ok(()),
        Err(complaint) => match complaint.strip_prefix("tellusererror ") {
            Some(told) => Ok(writeln!(engine.out, "tellusererror {told}")?),
            None => Ok(writeln!(engine.out, "Error ({complaint}): {line}")?),
        },
    }
}

/// Plays the opponent's move; starts to think unless the game is over or the mode is `force`.
fn usermove(engine: &mut Engine, word: &str, command: &str) -> Result<(), Failure> {
    if let Err(complaint) = engine.extend(&[word]) {
        let is_command = command != "usermove" && !word.bytes().any(|byte| byte.is_ascii_digit());
        let refusal = match is_command {
            true => String::from("Error (unknown command)"),
            false => format!("Illegal move ({complaint})"),
        };
        return Ok(writeln!(engine.out, "{refusal}: {}", clip(word))?);
    }
    if say_result(engine)? || engine.talk.forced {
        return Ok(());
    }
    think(engine)
}

fn think(engine: &mut Engine) -> Result<(), Failure> {
    let limits = engine.talk.limits.clone();
    let is_free = limits.time.is_none() && limits.depth.is_none();
    let time = if is_free { Some(Duration::from_secs(1)) } else { limits.time };
    engine.go(GoLimits { time, ..limits }, false)
}

/// Prints the result if the game is over; returns whether it is over.
fn say_result(engine: &mut Engine) -> Result<bool, Failure> {
    let position = &engine.place.position;
    let Some(over) = position.personal_outcome() else { return Ok(false) };
    let result = match over {
        Outcome::Win(winner) if winner.index() == 0 => "1-0",
        Outcome::Win(_) => "0-1",
        Outcome::Draw | Outcome::Shared(_) => "1/2-1/2",
    };
    let said = shown_outcome(engine.game.rules(), position.outcome());
    writeln!(engine.out, "{result} {{{said}}}")?;
    Ok(true)
}

/// Prints the intermediate result of a search.
pub fn report(engine: &mut Engine, thinking: &Thinking) -> Result<(), Failure> {
    let line = engine.written_line(&thinking.line);
    let hundredths = (thinking.seconds * 100.0) as u64;
    let (score, iterations) = (engine.score(thinking), thinking.iterations);
    Ok(writeln!(engine.out, "{} {score} {hundredths} {iterations} {}", line.len(), line.join(" "))?)
}

/// Plays the move that the search has found.
pub fn finish(engine: &mut Engine, best: Option<Move>) -> Result<(), Failure> {
    let Some(ply) = best else {
        return say_result(engine).map(|_| ());
    };
    let written = engine.written(&ply);
    match engine.extend(&[&written]) {
        Ok(()) => writeln!(engine.out, "move {written}")?,
        Err(complaint) => writeln!(engine.out, "tellusererror {complaint}")?,
    }
    say_result(engine)?;
    // A roll is not answered: the next player goes on.
    match engine.place.position.turn() {
        Turn::Chance => think(engine),
        Turn::Player(_) | Turn::Nobody => Ok(()),
    }
}
