//! A position in, the diagram that rule cases read and what completes it for people out. It refuses
//! to know colours and the width of any screen.

use crate::engine::game::State;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::Rules;
use crate::notation::{write_board, write_memories};
use crate::render::scene::situation;

/// Draws the board and, below it, what there is to know besides: hands, numbers, marks. What every
/// site has of its own is left out.
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

/// Draws the diagram and says who is to act, or how the game ended.
pub fn diagram(position: &State) -> String {
    let rules = position.game().rules();
    format!("{}\n{}\n", board(rules, &position.snapshot()), situation(position))
}
