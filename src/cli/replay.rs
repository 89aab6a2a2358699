//! `ludwright replay`: a record in, its plies and where they lead out.

use super::arguments::Replay;
use super::failure::Failure;
use super::files::read_record;
use super::game::Loaded;
use super::moves::to_move;
use super::screen::Screen;
use ludwright::notation::{legal, outcome, spell};
use ludwright::render::{Room, Scene, drawing, spell as spelled};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Plays a record ply by ply. What was played before an illegal move is shown.
pub fn run(task: &Replay, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let record = read_record(&task.record)?;
    let loaded = Loaded::new(&task.game, Some((&task.record, &record)), screen)?;
    let rules = loaded.game.rules();
    let mut position = loaded.begin()?;
    let widest = rules.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0).max("chance".len());
    for index in 0..record.plies.len() {
        let ply = record.ply(index, &position).map_err(|stopped| loaded.stopped(&task.record, stopped))?;
        let spelled = spell(rules, &ply);
        let moves = task.legal.then(|| legal(&position));
        let mover = to_move(&position).map(str::to_owned);
        record.play(index, &mut position).map_err(|stopped| loaded.stopped(&task.record, stopped))?;
        if screen.json() {
            let mut line = Map::new();
            line.insert("to_move".to_owned(), json!(mover));
            line.extend(moves.map(|moves| ("legal".to_owned(), json!(moves))));
            line.insert("played".to_owned(), json!(spelled));
            writeln!(out, "{}", Value::Object(line))?;
        } else {
            writeln!(out, "{:>4}. {:widest$}  {spelled}", index + 1, mover.unwrap_or_default())?;
            if let Some(moves) = moves {
                writeln!(out, "      of {}: {}", moves.len(), moves.join(", "))?;
            }
        }
    }
    if screen.json() {
        let result = outcome(rules, position.outcome());
        writeln!(out, "{}", json!({ "result": result }))?;
    } else {
        let lines = drawing(&Scene::of(&position), Room::default());
        write!(out, "\n{}", spelled(&lines, screen.paints))?;
        if position.outcome().is_none() {
            writeln!(out, "The game is unfinished.")?;
        }
    }
    Ok(0)
}
