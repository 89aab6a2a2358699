//! Formats a position as the plain diagram that rule cases read, with its memories.

use crate::engine::game::State;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::Rules;
use crate::notation::{write_board, write_memories};
use crate::render::scene::situation;

/// Formats the board and below it the memories that are not at their default, without per-site
/// values.
fn board(rules: &Rules, snapshot: &Snapshot) -> String {
    let mut text = write_board(rules, &snapshot.pieces, &snapshot.cut);
    let shown: Vec<String> = write_memories(rules, snapshot)
        .into_iter()
        .filter(|line| line.hand || !(line.idle || line.per_site))
        .map(|line| format!("{}: {}\n", line.name, line.value))
        .collect();
    if !shown.is_empty() {
        text.push('\n');
        text.extend(shown);
    }
    text
}

/// Formats the diagram, and who is to move or the result.
pub fn diagram(position: &State) -> String {
    let rules = position.game().rules();
    format!("{}\n{}\n", board(rules, &position.snapshot()), situation(position))
}
