//! Lints on declarations that are never used.

use super::CheckedGame;
use crate::language::finding::{Code, Finding};
use crate::language::names::Meaning;
use crate::syntax::Span;
use std::collections::HashSet;

/// Lists the unused declarations. With a rule on repetition, a memory that is only written still
/// distinguishes positions and counts as used.
pub(super) fn unused(game: &CheckedGame) -> Vec<Finding> {
    let (rules, usage) = (game.rules, game.usage);
    let mut unused: Vec<Finding> = Vec::new();
    for &(meaning, name) in &game.declarations {
        let finding = |message: String| Finding::new(Code::Unused, name.span, message);
        if !usage.used.contains(&meaning) {
            let sort = meaning.kind().word();
            let finding = finding(format!("the {sort} `{}` is never used", name.name));
            unused.push(finding.with_help(how_to_use(meaning, &name.name)));
        } else if let Meaning::Memory(id) = meaning
            && !usage.read.contains(&id)
            && !rules.memories[id.index()].hand
            && rules.repetition.is_none()
        {
            let finding = finding(format!("the memory `{}` is set and never read", name.name));
            unused.push(finding.with_help("delete it, or use its value somewhere"));
        }
    }
    let declared = |(_, declared): (&Span, &Span)| *declared;
    let (written, read): (Vec<_>, Vec<_>) =
        usage.uses.iter().partition(|(span, _)| usage.written.contains(span));
    let written: HashSet<Span> = written.into_iter().map(declared).collect();
    let read: HashSet<Span> = read.into_iter().map(declared).collect();
    let named = usage.named.iter().map(|local| &rules.locals[local.index()]);
    for name in named.filter(|name| !read.contains(&name.span)) {
        let message = match written.contains(&name.span) {
            true => format!("`{}` is changed and never read", name.name),
            false => format!("`{}` is never used", name.name),
        };
        let finding = Finding::new(Code::Unused, name.span, message);
        unused.push(finding.with_help("delete it, or use it"));
    }
    unused
}

fn how_to_use(meaning: Meaning, name: &str) -> String {
    match meaning {
        Meaning::Move(_) => format!("delete it, or add it to `play`: `(choose {name})`"),
        Meaning::Piece(_) => format!("delete it, or put it on the board: `(put {name} …)`"),
        Meaning::Option(_) => String::from("delete it, or use its name where its value matters"),
        _ => String::from("delete it, or use it"),
    }
}
