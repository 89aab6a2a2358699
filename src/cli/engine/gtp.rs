//! The Go Text Protocol, version 2 (<https://www.lysator.liu.se/~gunnar/gtp/>).
//!
//! Colours, vertices and settings are spelled by the notation `gtp` of the rules; a colour may be
//! shortened. `boardsize`, `komi` and similar commands set the game's options to which the notation
//! gives these names, and restart the game. Unless `time_settings` or `time_left` set a time, the
//! program thinks for [`USUAL`].

use super::asked::GoLimits;
use super::{Engine, locked};
use crate::program::failure::Failure;
use crate::program::files::read_text;
use ludwright::engine::game::{Move, Turn};
use ludwright::engine::position::Outcome;
use ludwright::formats;
use ludwright::language::notations::{Format, Spellings};
use ludwright::language::rules::PlayerId;
use ludwright::notation::clip;
use ludwright::record;
use ludwright::render::diagram;
use std::path::Path;
use std::time::Duration;

/// The thinking time if the client sets none.
const USUAL: Duration = Duration::from_secs(1);
/// The number of moves among which the remaining time is divided.
const MOVES_AHEAD: f64 = 30.0;
const COMMANDS: [&str; 18] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "clear_board",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "showboard",
    "final_score",
    "time_settings",
    "time_left",
    "printsgf",
    "loadsgf",
    "ludwright-moves",
];

/// Executes a line.
pub fn execute(engine: &mut Engine, line: &str) -> Result<(), Failure> {
    let line: String = line.chars().map(|sign| if sign == '\t' { ' ' } else { sign }).collect();
    let line = line.split('#').next().unwrap_or_default().trim();
    if line.is_empty() {
        return Ok(());
    }
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let number = words[0].bytes().all(|byte| byte.is_ascii_digit());
    engine.talk.id = if number { words.remove(0).to_owned() } else { String::new() };
    let Some((&command, arguments)) = words.split_first() else {
        return respond(engine, Err(String::from("a command is missing")));
    };
    let outcome = match command {
        "genmove" | "reg_genmove" => {
            let color =
                color(engine, arguments.first()).and_then(|color| is_to_move(engine, color));
            match color {
                Ok(_) => {
                    engine.talk.plays = command == "genmove";
                    let limits = engine.talk.limits.clone();
                    let time = limits.time.or((limits.iterations.is_none()).then_some(USUAL));
                    return engine.go(GoLimits { time, ..limits }, false);
                }
                Err(complaint) => Err(complaint),
            }
        }
        "quit" => {
            engine.ended = true;
            engine.waiting.clear();
            Ok(String::new())
        }
        "clear_board" => {
            locked(&engine.player).clear();
            engine.goto(None, &[]).map(|()| String::new())
        }
        setting if option(engine, setting).is_some() => {
            let name = option(engine, setting).unwrap_or_default();
            let value = arguments.first().copied().unwrap_or_default();
            // `7.0` is taken for the option's value 7.
            let value = value.strip_suffix(".0").unwrap_or(value);
            let changed = engine.set_option(&name, value)?;
            changed.map(|()| String::new()).map_err(|complaint| match setting {
                "boardsize" => format!("unacceptable size: {complaint}"),
                _ => complaint,
            })
        }
        _ => answer(engine, command, arguments),
    };
    respond(engine, outcome)
}

fn respond(engine: &mut Engine, outcome: Result<String, String>) -> Result<(), Failure> {
    let (sign, text) = match &outcome {
        Ok(text) => ('=', text),
        Err(text) => ('?', text),
    };
    let id = &engine.talk.id;
    let blank = if text.is_empty() { "" } else { " " };
    // GTP ends an answer with an empty line, so an answer cannot contain one.
    let lines: Vec<&str> = text
        .lines()
        .enumerate()
        .filter(|(at, line)| *at == 0 || !line.trim().is_empty())
        .map(|(_, line)| line.trim_end())
        .collect();
    Ok(write!(engine.out, "{sign}{id}{blank}{}\n\n", lines.join("\n"))?)
}

fn spellings<'e>(engine: &'e Engine) -> Option<&'e Spellings> {
    engine.game.rules().notations.of(Format::Gtp)
}

/// Finds the option of the game that a command sets.
fn option(engine: &Engine, command: &str) -> Option<String> {
    let (index, _) = spellings(engine)?.options.iter().find(|(_, spelled)| spelled == command)?;
    Some(engine.game.rules().options.get(*index)?.name.clone())
}

/// Finds the player of a colour, which may be shortened.
fn color(engine: &Engine, word: Option<&&str>) -> Result<PlayerId, String> {
    let word = word.ok_or_else(|| String::from("a color is missing"))?.to_lowercase();
    let players = spellings(engine).map(|spellings| &spellings.players[..]).unwrap_or_default();
    let named = players.iter().find(|(_, spelled)| spelled.to_lowercase().starts_with(&word));
    named.map(|(player, _)| *player).ok_or_else(|| format!("`{}` is no color", clip(&word)))
}

fn is_to_move(engine: &Engine, player: PlayerId) -> Result<(), String> {
    match engine.place.position.turn() {
        Turn::Player(mover) if mover == player => Ok(()),
        Turn::Nobody => Err(String::from("the game is over")),
        _ => {
            let name = &engine.game.rules().players[player.index()].name;
            Err(format!("illegal move: {name} is not to move"))
        }
    }
}

fn answer(engine: &mut Engine, command: &str, arguments: &[&str]) -> Result<String, String> {
    let number = |index: usize| {
        let word = arguments.get(index).copied().unwrap_or_default();
        word.parse::<f64>()
            .ok()
            .filter(|number| (0.0..1e9).contains(number))
            .ok_or_else(|| format!("expected a number, found `{}`", clip(word)))
    };
    match command {
        "protocol_version" => Ok(String::from("2")),
        "name" => Ok(String::from("Ludwright")),
        "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        "known_command" => {
            let asked = arguments.first().copied().unwrap_or_default();
            Ok((COMMANDS.contains(&asked) || option(engine, asked).is_some()).to_string())
        }
        "list_commands" => {
            let options = spellings(engine).map(|spellings| &spellings.options[..]);
            let options = options.unwrap_or_default().iter().map(|(_, spelled)| spelled.as_str());
            Ok(COMMANDS.into_iter().chain(options).collect::<Vec<_>>().join("\n"))
        }
        "play" => {
            let player = color(engine, arguments.first())?;
            is_to_move(engine, player)?;
            let vertex = arguments.get(1).ok_or_else(|| String::from("a vertex is missing"))?;
            // Vertices are not case-sensitive.
            let exact = [vertex.to_string(), vertex.to_uppercase(), vertex.to_lowercase()];
            let played = exact.iter().find(|vertex| engine.extend(&[vertex]).is_ok());
            match played {
                Some(_) => Ok(String::new()),
                None => engine
                    .extend(&[vertex])
                    .map(|()| String::new())
                    .map_err(|complaint| format!("illegal move: {complaint}")),
            }
        }
        "undo" => {
            engine.take_back(1).map(|()| String::new()).map_err(|_| String::from("cannot undo"))
        }
        "showboard" => Ok(format!("\n{}", diagram(&engine.place.position))),
        "final_score" => {
            let names = spellings(engine).map(|spellings| &spellings.players[..]);
            let letter = |player: PlayerId| {
                let spelled = names.unwrap_or_default().iter().find(|(known, _)| *known == player);
                spelled
                    .and_then(|(_, text)| text.chars().next())
                    .unwrap_or('?')
                    .to_ascii_uppercase()
            };
            match engine.place.position.personal_outcome() {
                Some(Outcome::Win(winner)) => Ok(format!("{}+", letter(winner))),
                Some(Outcome::Draw | Outcome::Shared(_)) => Ok(String::from("0")),
                None => Err(String::from("cannot score: the game is not over")),
            }
        }
        "time_settings" => {
            let (main, period, stones) = (number(0)?, number(1)?, number(2)?);
            engine.talk.limits.time = if main + period == 0.0 {
                // In GTP, zero times mean no limit.
                None
            } else {
                let by_period = if stones > 0.0 { period / stones } else { 0.0 };
                Some(Duration::from_secs_f64((main / MOVES_AHEAD).max(by_period).max(0.01)))
            };
            Ok(String::new())
        }
        "time_left" => {
            color(engine, arguments.first())?;
            let (left, stones) = (number(1)?, number(2)?);
            let moves = if stones > 0.0 { stones } else { MOVES_AHEAD };
            engine.talk.limits.time = Some(Duration::from_secs_f64((left / moves).max(0.01)));
            Ok(String::new())
        }
        "printsgf" => formats::write(&engine.place.position, Format::Sgf),
        "loadsgf" => {
            let path = arguments.first().ok_or_else(|| String::from("a file is missing"))?;
            let text =
                read_text(Path::new(path), record::LIMIT).map_err(|failure| match failure {
                    Failure::Input(reason) | Failure::Usage(reason) => {
                        format!("cannot load file: {}", reason.message)
                    }
                    _ => String::from("cannot load file"),
                })?;
            load(engine, &text).map(|()| String::new())
        }
        "ludwright-moves" => {
            let position = &engine.place.position;
            let moves: Vec<String> =
                position.legal().iter().map(|ply| engine.written(ply)).collect();
            Ok(moves.join(" "))
        }
        _ => Err(String::from("unknown command")),
    }
}

/// Goes to the end of a record. Its options must be those of the game.
fn load(engine: &mut Engine, text: &str) -> Result<(), String> {
    let rules = engine.game.rules();
    for (name, value) in formats::options(rules, Format::Sgf, text) {
        let chosen = rules.options.iter().find(|option| option.name == name);
        let chosen = chosen.map(|option| option.value());
        if chosen.is_some_and(|chosen| chosen != value && chosen.parse::<f64>() != value.parse()) {
            return Err(format!("cannot load file: it has {name}={value}"));
        }
    }
    let position = formats::read(&engine.game, Format::Sgf, text)
        .map_err(|misread| format!("cannot load file: {misread}"))?;
    let mut at = position.clone();
    let plies = position.plies().to_vec();
    while at.undo() {}
    let mut moves = Vec::with_capacity(plies.len());
    for ply in &plies {
        moves.push(engine.speller.write(&at, ply));
        at.play(ply).map_err(|error| error.to_string())?;
    }
    engine.place = super::CurrentGame { fen: None, moves, position };
    Ok(())
}

/// Answers `genmove`.
pub fn finish(engine: &mut Engine, best: Option<Move>) -> Result<(), Failure> {
    let outcome = match best {
        None => Err(String::from("there is no move")),
        Some(ply) => {
            let written = engine.written(&ply);
            match engine.talk.plays {
                true => engine.extend(&[&written]).map(|()| written),
                false => Ok(written),
            }
        }
    };
    respond(engine, outcome)
}
