//! What is wrong with the text itself in, findings out.

use super::Checker;
use crate::language::finding::{Code, Finding};
use crate::syntax::{DEPTH_LIMIT, Fault, FaultKind, SOURCE_LIMIT, Span};

impl Checker<'_> {
    /// Reports the faults of the text. Says whether the tree can be trusted all the same.
    pub(super) fn faults(&mut self, faults: &[Fault]) -> bool {
        let mut trusted = true;
        for fault in faults {
            let text = fault.span.text(self.source);
            let (code, message, help) = match fault.kind {
                FaultKind::FileTooLarge => {
                    (Code::FileTooLarge, format!("expected at most {SOURCE_LIMIT} bytes, found {}", self.source.len()), None)
                }
                FaultKind::NestedTooDeep => (
                    Code::NestedTooDeep,
                    format!("expected at most {DEPTH_LIMIT} brackets inside each other, found more"),
                    Some(String::from("give the inner parts names with `define`")),
                ),
                FaultKind::UnclosedBracket { .. } => (Code::UnclosedBracket, String::from("this bracket is never closed"), None),
                FaultKind::StrayBracket => (Code::StrayBracket, String::from("this bracket closes nothing"), None),
                FaultKind::UnclosedString => (Code::UnclosedText, String::from("this text has no closing quote"), None),
                FaultKind::StrayCharacter(stray) => (
                    Code::StrayCharacter,
                    format!("the character `{stray}` means nothing here"),
                    match stray {
                        ',' => Some(String::from("arguments are separated by blanks alone")),
                        '[' | ']' | '{' | '}' => Some(String::from("the only brackets are `(` and `)`")),
                        '“' | '”' | '„' | '\'' | '`' => Some(String::from("texts stand between `\"` and `\"`")),
                        _ => None,
                    },
                ),
                FaultKind::BadNumber => (Code::BadNumber, format!("expected a whole number or a half, such as 2.5, found `{text}`"), None),
            };
            match fault.kind {
                FaultKind::BadNumber | FaultKind::StrayCharacter(_) => self.faulty.push(fault.span),
                _ => trusted = false,
            }
            let mut finding = Finding::new(code, fault.span, message);
            finding.help = help;
            if let FaultKind::UnclosedBracket { suggested_end } = fault.kind
                && let Some(last) = self.last_character(fault.span, suggested_end)
            {
                finding = finding.with_label("opened here").with_other(last, "the indentation suggests that it ends here");
            }
            self.report(finding);
        }
        trusted
    }

    /// The character that ends at the given byte, if it comes after the bracket.
    fn last_character(&self, bracket: Span, end: usize) -> Option<Span> {
        let before = self.source.get(..end)?;
        let last = before.chars().next_back()?;
        let span = Span::new(end - last.len_utf8(), end);
        (span.start >= bracket.end).then_some(span)
    }
}
