//! A line that is neither a legal move nor a command in, the reason out.

use super::command::COMMANDS;
use crate::engine::game::{Match, Turn};
use crate::language::near::nearest;
use crate::notation::{clip, read, refuse_bare};

/// Says why a line is neither a legal move nor a command.
pub fn refuse(position: &Match, line: &str) -> String {
    reason_against(position, line).unwrap_or_else(|| {
        match nearest(first_word(line), COMMANDS.iter().map(|row| row.name).chain(verbs(position))) {
            Some(near) => format!("`{}` is neither a legal move nor a command; did you mean `{near}`?", clip(line)),
            None => format!("`{}` is neither a legal move nor a command; `moves` and `help` list those", clip(line)),
        }
    })
}

/// Says why a text is no legal move.
pub fn refuse_move(position: &Match, text: &str) -> String {
    reason_against(position, text).unwrap_or_else(|| match nearest(first_word(text), verbs(position)) {
        Some(near) => format!("`{}` is no legal move; did you mean `{near}`?", clip(text)),
        None => format!("`{}` is no legal move; `moves` lists those", clip(text)),
    })
}

/// Says what the rules have against a text that was probably meant as a move.
fn reason_against(position: &Match, text: &str) -> Option<String> {
    if verbs(position).any(|verb| verb == first_word(text)) {
        return Some(match read(position, text) {
            Err(refusal) => refusal.line(),
            Ok(_) => format!("`{}` is not clear", clip(text)),
        });
    }
    if position.turn() == Turn::Nobody {
        return Some(format!("`{}` cannot be done: the game is over; `undo` takes the last ply back", clip(text)));
    }
    refuse_bare(position, text)
}

fn verbs(position: &Match) -> impl Iterator<Item = &str> {
    position.game().rules().moves.iter().map(|rule| rule.verb.as_str())
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}
