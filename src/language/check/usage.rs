//! Warnings about declarations that are never used.

use super::Checker;
use super::scope::Meaning;
use crate::language::finding::{Code, Finding};
use crate::syntax::Span;
use std::collections::HashSet;

impl Checker<'_> {
    /// Warns about unused declarations of the game's own file; included files may serve several
    /// games. With errors nothing is reported, since they may hide uses. With a rule on repetition,
    /// a memory that is only written still distinguishes positions and counts as used.
    pub(super) fn warn_of_unused(&mut self, remembers_positions: bool) {
        if self.diagnostics.failed {
            return;
        }
        let mut unused: Vec<Finding> = Vec::new();
        let all = self.declared.in_order();
        for (meaning, name) in all.filter(|(_, name)| self.sources.file_of(name.span) == 0) {
            let sort = meaning.sort();
            let finding = |message: String| Finding::new(Code::Unused, name.span, message);
            if !self.usage.used.contains(&meaning) {
                let finding = finding(format!("the {sort} `{}` is never used", name.name));
                unused.push(finding.with_help(how_to_use(meaning, &name.name)));
            } else if let Meaning::Memory(id) = meaning
                && !self.usage.read.contains(&id)
                && !self.declared.memories[id.index()].hand
                && !remembers_positions
            {
                let finding = finding(format!("the memory `{}` is set and never read", name.name));
                unused.push(finding.with_help("delete it, or use its value somewhere"));
            }
        }
        let declared = |(_, declared): (&Span, &Span)| *declared;
        let (written, read): (Vec<_>, Vec<_>) =
            self.usage.uses.iter().partition(|(span, _)| self.usage.written.contains(span));
        let written: HashSet<Span> = written.into_iter().map(declared).collect();
        let read: HashSet<Span> = read.into_iter().map(declared).collect();
        for local in &self.usage.named {
            let name = &self.context.locals[local.index()];
            if !read.contains(&name.span) && self.sources.file_of(name.span) == 0 {
                let message = match written.contains(&name.span) {
                    true => format!("`{}` is changed and never read", name.name),
                    false => format!("`{}` is never used", name.name),
                };
                unused.push(
                    Finding::new(Code::Unused, name.span, message)
                        .with_help("delete it, or use it"),
                );
            }
        }
        for finding in unused {
            self.report(finding);
        }
    }
}

fn how_to_use(meaning: Meaning, name: &str) -> String {
    match meaning {
        Meaning::Move(_) => format!("delete it, or add it to `play`: `(choose {name})`"),
        Meaning::Piece(_) => format!("delete it, or put it on the board: `(put {name} …)`"),
        Meaning::Option(_) => String::from("delete it, or use its name where its value matters"),
        _ => String::from("delete it, or use it"),
    }
}
