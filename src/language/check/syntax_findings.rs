//! Turns syntax faults into findings.

use super::Checker;
use super::scope::is_site;
use crate::board::Direction;
use crate::language::finding::{Code, Finding, Fix};
use crate::syntax::{DEPTH_LIMIT, Fault, FaultKind, SOURCE_LIMIT, Span, Tree};

const ROUND_BRACKETS: &str = "use only `(` and `)`";
const STRAIGHT_QUOTES: &str = "write texts between straight quotation marks, `\"`";

impl Checker<'_> {
    /// Reports the faults of a text. Returns whether its tree can be checked all the same.
    pub(super) fn faults(&mut self, faults: &[Fault]) -> bool {
        faults.iter().for_each(|fault| self.fault(fault));
        let is_illegible = |fault: &Fault| {
            matches!(fault.kind, FaultKind::FileTooLarge | FaultKind::NestedTooDeep)
        };
        !faults.iter().any(is_illegible)
    }

    fn fault(&mut self, fault: &Fault) {
        let span = fault.span;
        match fault.kind {
            FaultKind::UnclosedBracket { .. }
            | FaultKind::StrayBracket
            | FaultKind::UnclosedString => self.diagnostics.damaged.push(span),
            FaultKind::WrongBrackets { .. }
            | FaultKind::WrongQuotes
            | FaultKind::StrayCharacter(_)
            | FaultKind::BadNumber => self.diagnostics.faulty.push(span),
            FaultKind::MisplacedBracket { .. }
            | FaultKind::FileTooLarge
            | FaultKind::NestedTooDeep => {}
        }
        let text = span.text(self.source);
        let finding = |code: Code, message: &str| Finding::new(code, span, message);
        match fault.kind {
            FaultKind::UnclosedBracket { suggested_end, missing } => {
                self.unclosed(span, suggested_end, missing);
            }
            FaultKind::MisplacedBracket { belongs } => self.misplaced_bracket(span, belongs),
            FaultKind::WrongBrackets { close } => self.wrong_brackets(span, close),
            FaultKind::FileTooLarge => {
                let found = self.source.len();
                let message = format!("expected at most {SOURCE_LIMIT} bytes, found {found}");
                self.report(finding(Code::FileTooLarge, &message));
            }
            FaultKind::NestedTooDeep => {
                let message = format!("expected at most {DEPTH_LIMIT} nested brackets, found more");
                let help = "move inner parts into definitions with `define`";
                self.report(finding(Code::NestedTooDeep, &message).with_help(help));
            }
            FaultKind::StrayBracket => self.report(
                finding(Code::StrayBracket, "this bracket closes nothing")
                    .with_help("delete it, or open a bracket before it")
                    .with_fix(Fix::delete(span, "the bracket")),
            ),
            FaultKind::UnclosedString => {
                let mut finding =
                    finding(Code::UnclosedText, "this text has no closing quotation mark");
                // A row of a drawing that ends with a backslash goes on behind it.
                if let Some(at) = self.source[..span.end].rfind("\\\"") {
                    let note = "this is a quotation mark inside the text: with a space after the `\\`, the text ends here";
                    finding = finding.with_other(Span::new(at, at + 2), note);
                }
                let fix = Fix::insert(span.end, "\"");
                self.report(finding.with_help("end the text with `\"`").with_fix(fix));
            }
            FaultKind::WrongQuotes => {
                let ends = [text.chars().next(), text.chars().next_back()]
                    .map(|end| end.map_or(0, char::len_utf8));
                let first = Span::new(span.start, span.start + ends[0]);
                let last = Span::new(span.end - ends[1], span.end);
                let fix = Fix::several("write `\"` and `\"`", [(first, "\""), (last, "\"")]);
                let finding = finding(Code::StrayCharacter, "unexpected quotation marks")
                    .with_help(STRAIGHT_QUOTES)
                    .with_fix(fix);
                self.report_again(String::from("quotes"), finding);
            }
            FaultKind::StrayCharacter(stray) => {
                let help = match stray {
                    ',' => Some("separate arguments by spaces only"),
                    '[' | ']' | '{' | '}' => Some(ROUND_BRACKETS),
                    '“' | '”' | '„' | '\'' | '`' => Some(STRAIGHT_QUOTES),
                    _ => None,
                };
                let finding =
                    finding(Code::StrayCharacter, &format!("unexpected character `{stray}`"))
                        .with_optional_help(help.map(str::to_owned))
                        .with_fix(Fix::delete(span, &format!("`{stray}`")));
                self.report_again(format!("stray {stray}"), finding);
            }
            FaultKind::BadNumber => {
                let message =
                    format!("expected a whole number or a half, such as 2.5, found `{text}`");
                self.report(finding(Code::BadNumber, &message));
            }
        }
    }

    fn wrong_brackets(&mut self, span: Span, close: Span) {
        let (text, closing) = (span.text(self.source), close.text(self.source));
        let is_round = closing == ")";
        let message = match is_round {
            true => format!("unexpected bracket `{text}`: brackets are round"),
            false => format!("unexpected brackets `{text}` and `{closing}`"),
        };
        let help = match text {
            "{" if !is_round => {
                "use only `(` and `)`; a list of sites is `(sites a1 b2)`, a list of directions `(list N S)`"
            }
            _ => ROUND_BRACKETS,
        };
        // A list in braces becomes a form with a head.
        let inside = &self.source[span.end..close.start];
        let open = match inside.split_whitespace().next().unwrap_or_default() {
            word if Direction::from_name(word).is_some() => "(list ",
            word if is_site(word) => "(sites ",
            _ => "(",
        };
        let fix = match is_round {
            true => Fix::write(span, open),
            false => {
                let title = format!("write `{open}` and `)`");
                Fix::several(title, [(span, open), (close, ")")])
            }
        };
        let mut finding =
            Finding::new(Code::StrayCharacter, span, message).with_help(help).with_fix(fix);
        // Such brackets recur, so the closing one is labelled only if it is near.
        if !is_round && close.start <= span.end + 60 {
            finding = finding.with_other(close, "and here");
        }
        self.report_again(format!("brackets {text}"), finding);
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
        let title = format!("move {these} to where it seems to belong");
        let fix = Fix::several(title, [(brackets, ""), (Span::new(belongs, belongs), text)]);
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
