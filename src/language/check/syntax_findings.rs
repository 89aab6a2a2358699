//! Turns syntax faults into findings.

use super::Checker;
use super::scope::is_site;
use crate::board::Direction;
use crate::language::finding::{Code, Edit, Finding, Fix};
use crate::syntax::{DEPTH_LIMIT, Fault, FaultKind, SOURCE_LIMIT, Span, Tree};

impl Checker<'_> {
    /// Reports the faults of a text. Returns whether its tree can be checked all the same.
    pub(super) fn faults(&mut self, faults: &[Fault]) -> bool {
        let mut legible = true;
        for fault in faults {
            let text = fault.span.text(self.source);
            match fault.kind {
                FaultKind::FileTooLarge => {
                    legible = false;
                    let message = format!(
                        "expected at most {SOURCE_LIMIT} bytes, found {}",
                        self.source.len()
                    );
                    self.report(Finding::new(Code::FileTooLarge, fault.span, message));
                }
                FaultKind::NestedTooDeep => {
                    legible = false;
                    let message =
                        format!("expected at most {DEPTH_LIMIT} nested brackets, found more");
                    let finding = Finding::new(Code::NestedTooDeep, fault.span, message);
                    self.report(
                        finding.with_help("move inner parts into definitions with `define`"),
                    );
                }
                FaultKind::UnclosedBracket { suggested_end, missing } => {
                    self.diagnostics.damaged.push(fault.span);
                    self.unclosed(fault.span, suggested_end, missing);
                }
                FaultKind::StrayBracket => {
                    self.diagnostics.damaged.push(fault.span);
                    let finding =
                        Finding::new(Code::StrayBracket, fault.span, "this bracket closes nothing");
                    let help = "delete it, or open a bracket before it";
                    self.report(
                        finding.with_help(help).with_fix(Fix::delete(fault.span, "the bracket")),
                    );
                }
                FaultKind::MisplacedBracket { belongs } => {
                    self.misplaced_bracket(fault.span, belongs)
                }
                FaultKind::UnclosedString => {
                    self.diagnostics.damaged.push(fault.span);
                    let mut finding = Finding::new(
                        Code::UnclosedText,
                        fault.span,
                        "this text has no closing quotation mark",
                    );
                    // A row of a drawing that ends with a backslash goes on behind it.
                    if let Some(at) = self.source[..fault.span.end].rfind("\\\"") {
                        let note = "this is a quotation mark inside the text: with a space after the `\\`, the text ends here";
                        finding = finding.with_other(Span::new(at, at + 2), note);
                    }
                    let help = "end the text with `\"`";
                    self.report(
                        finding.with_help(help).with_fix(Fix::insert(fault.span.end, "\"")),
                    );
                }
                FaultKind::WrongBrackets { close } => {
                    self.diagnostics.faulty.push(fault.span);
                    let closing = close.text(self.source);
                    let message = match closing {
                        ")" => format!("unexpected bracket `{text}`: brackets are round"),
                        _ => format!("unexpected brackets `{text}` and `{closing}`"),
                    };
                    let help = match text {
                        "{" if closing != ")" => {
                            "use only `(` and `)`; a list of sites is `(sites a1 b2)`, a list of directions `(list N S)`"
                        }
                        _ => "use only `(` and `)`",
                    };
                    let edit = |span: Span, text: &str| Edit { span, text: text.to_owned() };
                    // A list in braces becomes a form with a head.
                    let inside = &self.source[fault.span.end..close.start];
                    let open = match inside.split_whitespace().next().unwrap_or_default() {
                        word if Direction::from_name(word).is_some() => "(list ",
                        word if is_site(word) => "(sites ",
                        _ => "(",
                    };
                    let fix = match closing {
                        ")" => Fix::write(fault.span, open),
                        _ => Fix {
                            title: format!("write `{open}` and `)`"),
                            edits: vec![edit(fault.span, open), edit(close, ")")],
                        },
                    };
                    let finding = Finding::new(Code::StrayCharacter, fault.span, message)
                        .with_help(help)
                        .with_fix(fix);
                    // Such brackets recur, so the closing one is labelled only if it is near.
                    let finding = if closing == ")" || close.start > fault.span.end + 60 {
                        finding
                    } else {
                        finding.with_other(close, "and here")
                    };
                    self.report_again(format!("brackets {text}"), finding);
                }
                FaultKind::WrongQuotes => {
                    self.diagnostics.faulty.push(fault.span);
                    let finding = Finding::new(
                        Code::StrayCharacter,
                        fault.span,
                        "unexpected quotation marks",
                    );
                    let ends = [text.chars().next(), text.chars().next_back()]
                        .map(|end| end.map_or(0, char::len_utf8));
                    let quote = |start: usize, length: usize| Edit {
                        span: Span::new(start, start + length),
                        text: String::from("\""),
                    };
                    let edits = vec![
                        quote(fault.span.start, ends[0]),
                        quote(fault.span.end - ends[1], ends[1]),
                    ];
                    let fix = Fix { title: String::from("write `\"` and `\"`"), edits };
                    self.report_again(
                        String::from("quotes"),
                        finding
                            .with_help("write texts between straight quotation marks, `\"`")
                            .with_fix(fix),
                    );
                }
                FaultKind::StrayCharacter(stray) => {
                    self.diagnostics.faulty.push(fault.span);
                    let message = format!("unexpected character `{stray}`");
                    let mut finding = Finding::new(Code::StrayCharacter, fault.span, message);
                    finding = finding.with_fix(Fix::delete(fault.span, &format!("`{stray}`")));
                    finding.help = match stray {
                        ',' => Some(String::from("separate arguments by spaces only")),
                        '[' | ']' | '{' | '}' => Some(String::from("use only `(` and `)`")),
                        '“' | '”' | '„' | '\'' | '`' => {
                            Some(String::from("write texts between straight quotation marks, `\"`"))
                        }
                        _ => None,
                    };
                    self.report_again(format!("stray {stray}"), finding);
                }
                FaultKind::BadNumber => {
                    self.diagnostics.faulty.push(fault.span);
                    let message =
                        format!("expected a whole number or a half, such as 2.5, found `{text}`");
                    self.report(Finding::new(Code::BadNumber, fault.span, message));
                }
            }
        }
        legible
    }

    fn unclosed(&mut self, bracket: Span, end: usize, missing: usize) {
        let mut finding =
            Finding::new(Code::UnclosedBracket, bracket, "this bracket is never closed");
        const FEW: usize = 8;
        let brackets = ")".repeat(missing.min(FEW));
        if let Some(last) = self.last_character(bracket, end) {
            finding = finding
                .with_label("opened here")
                .with_other(last, "by the indentation, the form ends here");
            finding.help = match missing {
                0 | 1 => None,
                2..=FEW => {
                    Some(format!("{missing} closing brackets are missing there: `{brackets}`"))
                }
                _ => Some(format!("{missing} closing brackets are missing there")),
            };
        }
        finding.fix = (missing <= FEW).then(|| Box::new(Fix::insert(end, brackets)));
        self.report(finding);
    }

    fn misplaced_bracket(&mut self, brackets: Span, belongs: usize) {
        let text = brackets.text(self.source);
        let (these, verb, it) = if brackets.len() == 1 {
            ("this bracket", "closes its form", "it seems")
        } else {
            ("these brackets", "close their forms", "they seem")
        };
        let place = if brackets.start < belongs { "too early" } else { "too late" };
        let mut finding =
            Finding::new(Code::MisplacedBracket, brackets, format!("{these} {verb} {place}"));
        if let Some(last) = self.last_character(Span::new(0, 0), belongs) {
            finding = finding.with_other(last, format!("{it} to belong after this"));
        }
        let edit = |span: Span, text: &str| Edit { span, text: text.to_owned() };
        let mut edits = vec![edit(brackets, ""), edit(Span::new(belongs, belongs), text)];
        edits.sort_by_key(|edit| edit.span);
        let fix = Fix { title: format!("move {these} to where it seems to belong"), edits };
        self.report(finding.with_fix(fix));
    }

    /// Returns the character that ends at a byte, if it comes after the bracket.
    fn last_character(&self, bracket: Span, end: usize) -> Option<Span> {
        let before = self.source.get(..end)?;
        let last = before.chars().next_back()?;
        let span = Span::new(end - last.len_utf8(), end);
        (span.start >= bracket.end).then_some(span)
    }

    /// Drops the findings after the first `from`, except those that cannot be consequences of
    /// damaged text: errors that do not depend on context, in parts without missing brackets or
    /// quotes.
    pub(super) fn keep_certain(&mut self, from: usize, trees: &[Tree]) {
        let parts =
            trees.iter().flat_map(|tree| &tree.forms).filter_map(|form| form.as_form()).flatten();
        let holds = |part: Span, place: Span| part.start <= place.start && place.end <= part.end;
        let damaged = |part: Span| self.diagnostics.damaged.iter().any(|&place| holds(part, place));
        let sound: Vec<Span> = parts.map(|part| part.span).filter(|&part| !damaged(part)).collect();
        let certain = |finding: &Finding| {
            let by_itself = matches!(
                finding.code,
                Code::UnknownLudeme
                    | Code::WrongType
                    | Code::MissingArgument
                    | Code::ExtraArgument
                    | Code::Misplaced
                    | Code::UnknownSite
                    | Code::OutOfRange
                    | Code::BadName
            );
            self.diagnostics.certain.contains(&finding.span)
                || by_itself
                    && sound.iter().any(|&part| holds(part, finding.span) && part != finding.span)
        };
        let mut index = 0;
        self.diagnostics.findings.retain(|finding| {
            index += 1;
            index <= from || certain(finding)
        });
    }
}
