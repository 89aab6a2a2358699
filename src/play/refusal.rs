//! Explains why a line is neither a legal move nor a command.

use super::command::COMMANDS;
use super::reply::Refused;
use crate::engine::game::{State, Turn};
use crate::language::edit_distance::nearest;
use crate::notation::{clip, readings, refuse_bare};
use crate::why::{Answer, Verdict, why_move};

/// Explains why a line is neither a legal move nor a command.
pub fn refuse(position: &State, line: &str) -> Refused {
    reason_against(position, line).unwrap_or_else(|| {
        let near =
            nearest(first_word(line), COMMANDS.iter().map(|row| row.name).chain(verbs(position)));
        unknown(
            format!("`{}` is neither a legal move nor a command", clip(line)),
            near,
            "`moves` lists the moves, `help` the commands",
        )
    })
}

/// Explains why a text is not a legal move.
pub fn refuse_move(position: &State, text: &str) -> Refused {
    reason_against(position, text).unwrap_or_else(|| {
        unknown(
            format!("`{}` is not a legal move", clip(text)),
            nearest(first_word(text), verbs(position)),
            "`moves` lists the legal moves",
        )
    })
}

fn unknown(message: String, near: Option<&str>, otherwise: &str) -> Refused {
    let help = near.map_or(otherwise.to_owned(), |near| format!("did you mean `{near}`?"));
    Refused { help: Some(help), ..message.into() }
}

/// Explains why a text that looks like a move is illegal; `None` if it does not look like one.
fn reason_against(position: &State, text: &str) -> Option<Refused> {
    let is_verb = verbs(position).any(|verb| verb == first_word(text));
    if !is_verb && position.turn() == Turn::Nobody {
        let help = Some("`undo` takes back the last ply".to_owned());
        return Some(Refused {
            help,
            ..format!("`{}` cannot be played: the game is over", clip(text)).into()
        });
    }
    match readings(position, text) {
        Ok(plies) => {
            Some(forbidden(plies.iter().map(|ply| why_move(position, ply)).collect(), text))
        }
        Err(refusal) if is_verb => Some(refusal.into()),
        Err(_) => refuse_bare(position, text).map(Refused::from),
    }
}

/// Joins the explanations of all possible readings, with a hint at `why`.
fn forbidden(answers: Vec<Answer>, text: &str) -> Refused {
    let shown = answers.iter().all(|answer| {
        matches!(answer.verdict, Verdict::NotOffered | Verdict::Requirement | Verdict::Incomplete)
    });
    let messages: Vec<&str> = answers.iter().map(|answer| answer.message.as_str()).collect();
    let refused = Refused::from(messages.join("; "));
    match shown {
        true => Refused { help: Some(format!("`why {}` shows the rule", clip(text))), ..refused },
        false => Refused { help: answers.into_iter().find_map(|answer| answer.help), ..refused },
    }
}

fn verbs(position: &State) -> impl Iterator<Item = &str> {
    position.game().rules().moves.iter().map(|rule| rule.verb.as_str())
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}
