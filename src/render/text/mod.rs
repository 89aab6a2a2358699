//! A position in, a picture of plain characters out. It refuses to know colours and the width of any screen.

use crate::engine::game::{Match, Turn};
use crate::engine::setting::Setting;
use crate::language::rules::Rules;
use crate::notation::{outcome, symbols, turn, write_board, write_memories};

/// Draws the board and, below it, what there is to know besides: hands, numbers, marks. What every site has of its own is left out.
pub fn board(rules: &Rules, setting: &Setting) -> String {
    let mut text = write_board(rules, &setting.pieces, &setting.cut);
    let shown: Vec<String> = write_memories(rules, setting)
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

/// Draws the board and says who is to act, or how the game ended.
pub fn view(position: &Match) -> String {
    let rules = position.game().rules();
    format!("{}\n{}\n", board(rules, &position.setting()), situation(position))
}

/// Says who is to act and in which phase, or how the game ended.
fn situation(position: &Match) -> String {
    let rules = position.game().rules();
    if position.outcome().is_some() {
        return format!("The game is over: {}", outcome(rules, position.outcome()));
    }
    let decision = position.decision().map(|index| &position.game().decisions()[index]);
    let phase = decision.and_then(|decision| decision.phase.as_ref()).map(|phase| format!(" ({phase})"));
    let left = match position.counters().last() {
        Some(&left) if left > 1 => format!(", {left} left"),
        _ => String::new(),
    };
    match position.turn() {
        Turn::Chance => format!("A roll comes next{}", phase.unwrap_or_default()),
        mover => format!("{} to move{}{left}", turn(rules, mover), phase.unwrap_or_default()),
    }
}

/// Explains the symbols, on one line.
pub fn legend(rules: &Rules) -> String {
    let mut parts: Vec<String> = symbols(rules).into_iter().map(|(_, symbol, name)| format!("{symbol} {name}")).collect();
    parts.push(". empty".to_owned());
    parts.join("   ")
}
