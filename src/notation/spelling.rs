//! Moves, players and results in, their spelling out. It refuses to know which moves are legal.

use crate::engine::game::{Argument, Move, State, Turn};
use crate::engine::position::Outcome;
use crate::language::rules::{MoveRule, ParameterRole, PlayerId, Rules};

/// Spells a move as records and rule cases do: the verb, a space, its arguments, such as `move
/// b2-c3`.
pub fn spell(rules: &Rules, ply: &Move) -> String {
    let rule = &rules.moves[ply.rule.index()];
    let mut text = rule.verb.clone();
    for (index, argument) in ply.arguments.iter().enumerate() {
        text.push(if is_joined(rule, index) { '-' } else { ' ' });
        text.push_str(&spell_argument(rules, argument));
    }
    text
}

/// Spells what was chosen for one parameter.
pub(super) fn spell_argument(rules: &Rules, argument: &Argument) -> String {
    match argument {
        Argument::Site(site) => rules.board.label(*site).to_owned(),
        Argument::Direction(direction) => direction.name().to_owned(),
        Argument::Number(number) => number.to_string(),
        Argument::Piece(piece) => rules.pieces[piece.index()].name.clone(),
    }
}

/// Tests if the argument is joined by `-` to the one before it.
pub(super) fn is_joined(rule: &MoveRule, index: usize) -> bool {
    index > 0
        && rule.parameters[index].role == ParameterRole::To
        && rule.parameters[index - 1].role == ParameterRole::From
}

/// Shows how a move is spelled, such as `move FROM-TO`.
pub fn form(rule: &MoveRule) -> String {
    let mut text = rule.verb.clone();
    for (index, parameter) in rule.parameters.iter().enumerate() {
        text.push(if is_joined(rule, index) { '-' } else { ' ' });
        text.push_str(match parameter.role {
            ParameterRole::At => "SITE",
            ParameterRole::From => "FROM",
            ParameterRole::To if is_joined(rule, index) => "TO",
            ParameterRole::To => "SITE",
            ParameterRole::Towards => "DIRECTION",
            ParameterRole::Number => "NUMBER",
            ParameterRole::Piece => "PIECE",
        });
    }
    text
}

/// Spells every legal move of a position, sorted by byte order.
pub fn legal(position: &State) -> Vec<String> {
    let rules = position.game().rules();
    let mut spelled: Vec<String> = position.legal().iter().map(|ply| spell(rules, ply)).collect();
    spelled.sort_unstable();
    spelled
}

/// Names a player.
pub fn player(rules: &Rules, player: PlayerId) -> &str {
    &rules.players[player.index()].name
}

/// Says who is to act: a player's name, `chance`, or `nobody` when the game is over.
pub fn turn(rules: &Rules, turn: Turn) -> &str {
    match turn {
        Turn::Player(mover) => player(rules, mover),
        Turn::Chance => "chance",
        Turn::Nobody => "nobody",
    }
}

/// Says how a game stands: `NAME wins`, `draw` or `unfinished`.
pub fn outcome(rules: &Rules, outcome: Option<Outcome>) -> String {
    match outcome {
        Some(Outcome::Win(winner)) => format!("{} wins", player(rules, winner)),
        Some(Outcome::Draw) => "draw".to_owned(),
        None => "unfinished".to_owned(),
    }
}

/// Lists words for a sentence: `a`, `a or b`, `a, b or c`, where the last joint is the word given.
pub fn list<S: AsRef<str>>(words: &[S], joint: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {joint} {}", first.join(", "), last.as_ref())
        }
    }
}

/// Shortens a text of unknown length for a message, and shows what cannot be seen.
pub fn clip(text: &str) -> String {
    clip_to(text, 40)
}

/// Shortens a text to so many characters, and shows what cannot be seen.
pub(super) fn clip_to(text: &str, most: usize) -> String {
    let shown: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    let shown = shown.replace("\\'", "'").replace("\\\"", "\"");
    if text.chars().nth(most).is_some() { format!("{shown}…") } else { shown }
}

/// Writes a number with its digits in threes.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{clip, list};

    #[test]
    fn lists_and_clips() {
        assert_eq!(list(&["a"], "or"), "a");
        assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
        assert_eq!(clip("Müller's\t\"x\""), "Müller's\\t\"x\"");
        assert_eq!(clip(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
    }
}
