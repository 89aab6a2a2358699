//! Reports findings, with messages of the form "expected X, found Y" and the signature as help.

use super::Checker;
use super::spelling;
use super::typed::accepts;
use crate::language::finding::{Code, Finding, Fix, Label, MAX_FINDINGS, Severity};
use crate::language::ludemes::{Kind, Row};
use crate::language::rules::{DefinitionId, MemoryId};
use crate::syntax::{Node, NodeKind, Span};
use std::fmt;

/// The most names that are listed where another one was expected.
const MOST_NAMED: usize = 12;

/// The form that an argument belongs to.
#[derive(Clone, Copy, Default)]
pub(super) enum Within {
    #[default]
    Nothing,
    Row(&'static Row),
    Definition(DefinitionId),
    Memory(MemoryId),
    /// A place with an example of its own.
    Example(&'static str),
}

/// Something that is quoted in messages.
pub(super) trait Quoted {
    fn span(&self) -> Span;
    fn quoted(&self, checker: &Checker) -> String;
}

impl Quoted for &Node {
    fn span(&self) -> Span {
        self.span
    }

    fn quoted(&self, checker: &Checker) -> String {
        checker.snippet(self)
    }
}

impl Quoted for Span {
    fn span(&self) -> Span {
        *self
    }

    fn quoted(&self, checker: &Checker) -> String {
        format!("`{}`", checker.excerpt(*self))
    }
}

/// Returns a kind that was found in place of another, for messages.
pub(super) fn found_phrase(kind: Kind) -> &'static str {
    match kind {
        Kind::Domain => "what variables run through",
        Kind::OptionValue => "an option of words",
        _ => kind.phrase(),
    }
}

/// Tests if a text is spelled like a number.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit())
}

/// Returns the signature and the example of a row, for help.
pub(super) fn usage(row: &Row) -> String {
    match row.word {
        true => format!("for example `{}`", row.example),
        false => format!("`{}`, for example `{}`", row.signature(), row.example),
    }
}

impl Checker<'_> {
    /// Reports a finding, unless there is one with the same code and span. Unknown sites are
    /// merged, since a wrong board lacks many of them.
    pub(super) fn report(&mut self, finding: Finding) {
        match finding.code {
            Code::UnknownSite => self.report_again(String::from("unknown site"), finding),
            _ => self.take(finding),
        }
    }

    fn take(&mut self, finding: Finding) {
        if finding.severity() == Severity::Error {
            self.diagnostics.failed = true;
            self.diagnostics.failures += 1;
        }
        if !self.is_full() && self.diagnostics.reported.insert((finding.code, finding.span)) {
            self.diagnostics.findings.push(finding);
        }
    }

    /// Reports a finding that may recur, such as an unknown name. The first occurrence has the
    /// finding, the others become secondary locations, and the fix applies to all.
    pub(super) fn report_again(&mut self, key: String, mut finding: Finding) {
        const SHOWN: usize = 3;
        const AGAIN: &str = "and here";
        let Some(&index) = self.diagnostics.repeated.get(&key) else {
            if !self.is_full() && !self.diagnostics.reported.contains(&(finding.code, finding.span))
            {
                self.diagnostics.repeated.insert(key, self.diagnostics.findings.len());
            }
            return self.take(finding);
        };
        self.diagnostics.failures += 1;
        let known = &mut self.diagnostics.findings[index];
        if known.span == finding.span {
            return;
        }
        if finding.span < known.span {
            std::mem::swap(known, &mut finding);
            let again = finding.others.iter().filter(|label| label.text == AGAIN);
            known.add_others(again.cloned());
        }
        if known.others.iter().filter(|label| label.text == AGAIN).count() < SHOWN {
            known.add_others([Label { span: finding.span, text: String::from(AGAIN) }]);
        }
        if let (Some(fix), Some(more)) = (&mut known.fix, finding.fix) {
            fix.edits.extend(more.edits);
            fix.edits.sort_by_key(|edit| edit.span);
            fix.edits.dedup_by_key(|edit| edit.span);
        }
    }

    /// Tests if further findings are dropped.
    pub(super) fn is_full(&self) -> bool {
        self.diagnostics.findings.len() >= MAX_FINDINGS
    }

    /// Reports a finding that depends on the chosen option values. It is dropped in branches that
    /// are not taken, and deferred in definitions until it is known whether they are used.
    pub(super) fn report_live(&mut self, finding: Finding) {
        self.diagnostics.failures += 1;
        if self.context.dead > 0 {
            return;
        }
        match self.context.defining {
            Some(definition) => {
                let deferred = &mut self.declared.definitions[definition].deferred;
                if deferred.len() < MAX_FINDINGS {
                    deferred.push(finding);
                }
            }
            None => self.report(finding),
        }
    }

    /// Reports a finding and fails.
    pub(super) fn refuse<T>(&mut self, finding: Finding) -> Option<T> {
        self.report(finding);
        None
    }

    /// Reports a finding that depends on the chosen option values, and fails.
    pub(super) fn refuse_live<T>(&mut self, finding: Finding) -> Option<T> {
        self.report_live(finding);
        None
    }

    /// Reports that something is missing, and fails.
    pub(super) fn refuse_missing<T>(&mut self, finding: Finding) -> Option<T> {
        self.report_missing(finding);
        None
    }

    /// Creates the finding that something else was expected.
    pub(super) fn mismatch(
        &self,
        code: Code,
        found: impl Quoted,
        wanted: impl fmt::Display,
    ) -> Finding {
        let message = format!("expected {wanted}, found {}", found.quoted(self));
        Finding::new(code, found.span(), message)
    }

    /// Reports an expression that must be known before play and is not, and fails.
    pub(super) fn not_constant<T>(
        &mut self,
        found: impl Quoted,
        wanted: &str,
        help: impl Into<String>,
    ) -> Option<T> {
        let is = if wanted.starts_with("a ") { "is" } else { "are" };
        let wanted = format_args!("{wanted} that {is} known before play");
        self.refuse(self.mismatch(Code::NotConstant, found, wanted).with_help(help))
    }

    /// Fails without a finding: the cause has been or will be reported.
    pub(super) fn fail<T>(&mut self) -> Option<T> {
        self.diagnostics.failures += 1;
        None
    }

    /// Reports a node of the wrong type.
    pub(super) fn wrong_type(&mut self, node: &Node, wanted: Kind, found: Kind) {
        let message = format!(
            "expected {}, found {}, which is {}",
            wanted.phrase(),
            self.snippet(node),
            found_phrase(found)
        );
        let mut finding = Finding::new(Code::WrongType, node.span, message);
        finding.help = self.usage_within();
        if let Some((help, fix)) = self.conversion(node, wanted, Some(found)) {
            finding.help = Some(help);
            finding.fix = fix.map(Box::new);
        }
        let quoted = node.as_text().and_then(|text| {
            if is_number(text) { Some(Kind::Number) } else { self.kind_of_word(text) }
        });
        finding =
            self.unless_quoted(finding, node, |_| quoted.is_some_and(|kind| accepts(wanted, kind)));
        if let Some((name, span)) = self.declaration(node) {
            finding = finding.with_other(span, format!("`{name}` is declared here"));
        }
        self.report(finding);
    }

    /// Creates the finding for the bounds of a range in the wrong order.
    pub(super) fn reversed_bounds(
        &self,
        least: Span,
        most: Span,
        [first, last]: [String; 2],
    ) -> Finding {
        let message = format!("expected the lower number first, found {first} before {last}");
        let help = format!("write `{} {}`", most.text(self.source), least.text(self.source));
        Finding::new(Code::OutOfRange, least.join(most), message)
            .with_help(help)
            .with_fix(Fix::swap(least, most, self.source))
    }

    /// Adds advice to remove quotes, if they are the only error.
    pub(super) fn unless_quoted(
        &self,
        finding: Finding,
        node: &Node,
        fits: impl Fn(&str) -> bool,
    ) -> Finding {
        match node.as_text().filter(|text| fits(text)) {
            Some(text) => finding
                .with_help(format!("write `{text}`, without quotes"))
                .with_fix(Fix::write(node.span, text)),
            None => finding,
        }
    }

    /// Checks something as an argument of a form.
    pub(super) fn inside<T>(&mut self, form: Within, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.context.within, form);
        let result = check(self);
        self.context.within = outer;
        result
    }

    /// Splits off the first arguments of a form; reports the first one that is missing.
    pub(super) fn leading<'n, const COUNT: usize>(
        &mut self,
        row: &Row,
        node: &Node,
        args: &'n [Node],
    ) -> Option<(&'n [Node; COUNT], &'n [Node])> {
        let split = args.split_first_chunk();
        if split.is_none() {
            self.missing_slot(row, node, args.len());
        }
        split
    }

    /// Returns the arguments of a form with a fixed number of them; reports one that is missing,
    /// and those beyond them.
    pub(super) fn exactly<'n, const COUNT: usize>(
        &mut self,
        row: &Row,
        node: &Node,
        args: &'n [Node],
    ) -> Option<&'n [Node; COUNT]> {
        let (given, extra) = self.leading(row, node, args)?;
        self.extra(row.spelling, COUNT, extra);
        extra.is_empty().then_some(given)
    }

    /// Reports that a form lacks the argument of a slot.
    pub(super) fn missing_slot(&mut self, row: &Row, node: &Node, index: usize) {
        let slot = &row.slots[index];
        self.missing(row.spelling, node.head_span(), slot.name, slot.kind);
    }

    /// Reports a missing argument of the form with that head.
    pub(super) fn missing(&mut self, head: &str, span: Span, slot: &str, kind: Kind) {
        let wanted = match slot == kind.spelling() {
            true => kind.phrase().to_owned(),
            false => format!("{} for `{slot}`", kind.phrase()),
        };
        let message = format!("expected {wanted} in `{head}`, found nothing");
        let mut finding = Finding::new(Code::MissingArgument, span, message);
        finding.help = self.usage_within();
        self.report_missing(finding);
    }

    /// Reports that something is missing, unless characters were skipped in the text.
    pub(super) fn report_missing(&mut self, finding: Finding) {
        match self.diagnostics.faulty.is_empty() {
            true => self.report(finding),
            false => self.diagnostics.failures += 1,
        }
    }

    /// Reports extra arguments.
    pub(super) fn extra(&mut self, head: &str, most: usize, extra: &[Node]) {
        let (Some(first), Some(last)) = (extra.first(), extra.last()) else {
            return;
        };
        let most = match most {
            0 => String::from("no arguments"),
            1 => String::from("1 argument"),
            _ => format!("at most {most} arguments"),
        };
        let message = format!("`{head}` takes {most}, found an extra {}", self.snippet(first));
        let mut finding = Finding::new(Code::ExtraArgument, first.span.join(last.span), message);
        finding.help = self.usage_within();
        self.report(finding);
    }

    /// Reports an unknown word, with a suggestion from `fitting` or advice.
    pub(super) fn unknown(
        &mut self,
        mut finding: Finding,
        word: &str,
        fitting: &[impl AsRef<str>],
        advice: Option<String>,
    ) {
        let (code, span) = (finding.code, finding.span);
        if self.is_lost(word, span) {
            self.diagnostics.failures += 1;
            return;
        }
        let fitting: Vec<&str> = fitting.iter().map(AsRef::as_ref).collect();
        let known = match code {
            Code::UnknownName | Code::CaseBranches if (1..=MOST_NAMED).contains(&fitting.len()) => {
                Some(format!("defined here: {}", spelling::list(&fitting, "and")))
            }
            _ => None,
        };
        if let Some(meant) = spelling::nearest(word, fitting.iter().copied()) {
            finding.help = Some(format!("did you mean `{meant}`?"));
            finding.fix = Some(Box::new(Fix::write(span, meant)));
        } else {
            let renamed = self.unused(&fitting).filter(|_| code == Code::UnknownName);
            let known = match renamed {
                Some(renamed) => Some(format!("did you mean `{renamed}`, which is not used yet?")),
                None => known,
            };
            let lines: Vec<String> = known.into_iter().chain(advice).collect();
            finding.help = (!lines.is_empty()).then(|| spelling::lines(&lines));
            finding.fix = renamed.map(|renamed| Box::new(Fix::write(span, renamed)));
        }
        match code {
            Code::UnknownName | Code::UnknownLudeme => self.report_again(self.key(word), finding),
            _ => self.report(finding),
        }
    }

    /// Returns the one name that the file contains only once, where it is declared; `None` if there
    /// are several. A declaration that was renamed is one. Most rules use no player by name.
    fn unused<'f>(&self, fitting: &[&'f str]) -> Option<&'f str> {
        let is_within = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        let is_once = |name: &&&str| {
            let whole = self.source.match_indices(**name).filter(|(at, _)| {
                !self.source[..*at].ends_with(is_within)
                    && !self.source[at + name.len()..].starts_with(is_within)
            });
            name.starts_with(char::is_uppercase)
                && !self.declared.players.iter().any(|player| player.name == **name)
                && whole.take(2).count() == 1
        };
        let mut once = fitting.iter().take(MOST_NAMED).filter(is_once);
        once.next().copied().filter(|_| once.next().is_none())
    }

    /// Returns the key of an unknown word for merging: names are global, variables are local to a
    /// part.
    pub(super) fn key(&self, word: &str) -> String {
        match word.starts_with(char::is_uppercase) {
            true => format!("unknown {word}"),
            false => format!("unknown {} {word}", self.context.part),
        }
    }

    /// Describes the form whose arguments are being checked.
    pub(super) fn usage_within(&self) -> Option<String> {
        match self.context.within {
            Within::Nothing => None,
            Within::Row(row) => Some(usage(row)),
            Within::Definition(id) => {
                let heading = self.declared.definitions.get(id.index())?.heading;
                Some(format!("its definition is `{}`", heading.text(self.source)))
            }
            Within::Memory(id) => Some(self.declared.memories.get(id.index())?.usage()),
            Within::Example(example) => Some(format!("for example `{example}`")),
        }
    }

    /// Quotes a node, shortened.
    pub(super) fn snippet(&self, node: &Node) -> String {
        const LENGTH: usize = 40;
        let text = node.span.text(self.source);
        let short = |text: &str| text.chars().take(LENGTH / 2).collect::<String>();
        if text.chars().take(LENGTH + 1).count() <= LENGTH && !text.contains(['\n', '\r']) {
            return format!("`{text}`");
        }
        match &node.kind {
            NodeKind::Form(_) => match node.head() {
                Some((head, _)) => format!("`({} …)`", short(head)),
                None => String::from("`(…)`"),
            },
            NodeKind::Text(text) => {
                format!("`\"{}…\"`", short(text.lines().next().unwrap_or("")))
            }
            NodeKind::Word(_) | NodeKind::Number(_) => format!("`{}…`", short(text)),
        }
    }

    /// Returns the text of a span, shortened.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let text = span.text(self.source);
        match text.char_indices().nth(40) {
            _ if text.contains(['\n', '\r']) => {
                let line = text.lines().next().unwrap_or("").trim_end();
                format!("{} …", line.chars().take(30).collect::<String>())
            }
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }

    /// Returns the beginning of a text.
    pub(super) fn short(&self, text: &str) -> String {
        let line = text.lines().next().unwrap_or("");
        match line.char_indices().nth(40) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None if line.len() < text.len() => format!("{line} …"),
            None => line.to_owned(),
        }
    }

    /// Finds the declaration of the name that a node is or begins with.
    fn declaration<'n>(&self, node: &'n Node) -> Option<(&'n str, Span)> {
        let word = node.as_word().or(node.head().map(|(head, _)| head))?;
        let span = match self.context.scope.find(word) {
            Some(local) if node.as_word().is_some() => self.context.locals[local.index()].span,
            _ => self.declared.names.get(word)?.1,
        };
        Some((word, span))
    }
}
