//! Formats the result of a search as a line of text.

use super::mcts::Thinking;
use crate::language::rules::{PlayerId, Rules};
use crate::notation::{counted, player, spell};

/// Describes a search: the mover's winning chance, the principal variation and the effort.
pub fn thought(rules: &Rules, mover: PlayerId, thinking: &Thinking) -> String {
    let chance = thinking.win_probabilities.get(mover.index()).copied().unwrap_or(0.5);
    let expects = match thinking.solved {
        true if chance >= 1.0 => "has a proven win".to_owned(),
        true if chance <= 0.0 && rules.players.len() == 1 => "cannot win any more".to_owned(),
        true if chance <= 0.0 => "has a proven loss".to_owned(),
        true if chance == 0.5 => "has a proven draw".to_owned(),
        true => format!("has a winning chance of exactly {}", percent(chance)),
        false => format!("has a winning chance of {}", likely(chance)),
    };
    let line: Vec<String> = thinking.line.iter().map(|ply| spell(rules, ply)).collect();
    let effort = match (thinking.iterations, thinking.depth) {
        (0, _) => "known from the search before".to_owned(),
        (positions, Some(depth)) => {
            let positions = counted(positions, "position");
            format!("depth {depth}, {positions}, {:.1} s", thinking.seconds)
        }
        (games, None) => {
            // Many results far from the root have then been dropped.
            let full = if thinking.recycled > 0 { "; the memory was full" } else { "" };
            format!("{}, {:.1} s{full}", counted(games, "game"), thinking.seconds)
        }
    };
    format!("{} {expects}: {} ({effort})", player(rules, mover), line.join(", "))
}

/// Formats an estimate; unproven values are never shown as certain.
pub fn likely(chance: f64) -> String {
    match chance {
        chance if chance > 0.99 => "over 99 %".to_owned(),
        chance if chance < 0.01 => "under 1 %".to_owned(),
        chance => percent(chance),
    }
}

fn percent(chance: f64) -> String {
    format!("{:.0} %", chance * 100.0)
}
