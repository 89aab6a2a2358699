//! Diagnosis: explains forms that failed by likely mistakes: an operator between its arguments, a
//! bracket that is missing or closed early, words of Ludii, the table of patterns, arguments in the
//! wrong order. One finding with the right form replaces those on the types.

use super::spelling;
use super::typed::accepts;
use super::{Checker, Suspects};
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Ludeme, Row, Slot, Times};
use crate::language::ludii_hints;
use crate::language::names::Meaning;
use crate::syntax::{Node, NodeKind, Span};

/// What explains a form that failed.
pub(super) enum Diagnosis {
    Unknown,
    /// A mistake that was reported. The form is checked as its correction, so that one mistake gives
    /// one finding.
    Corrected(Node),
    /// A mistake that was reported, and has no certain correction.
    Reported,
}

impl Checker<'_> {
    /// Tests if the rules are checked a second time, to diagnose errors.
    pub(super) fn is_diagnosing(&self) -> bool {
        !matches!(self.suspects, Suspects::None)
    }

    /// Tests if a form is to be diagnosed.
    pub(super) fn is_suspect(&self, node: &Node) -> bool {
        match &self.suspects {
            Suspects::None => false,
            Suspects::Forms(failed) => self.context.is_suspect || failed.contains(&node.span),
            Suspects::All => true,
        }
    }

    /// Compares a form with likely mistakes, and reports the one that it fits. A form that begins
    /// with no known word is always reported.
    pub(super) fn diagnosis(&mut self, node: &Node, wanted: Kind) -> Diagnosis {
        let parts = node.as_form().unwrap_or_default();
        if let Some(corrected) = self.infix(node, parts, wanted) {
            return Diagnosis::Corrected(corrected);
        }
        let Some((head, args)) = parts.split_first() else {
            let message = format!("expected {}, found empty brackets", wanted.phrase());
            self.report_missing(Finding::new(Code::MissingArgument, node.span, message));
            return Diagnosis::Reported;
        };
        let Some(word) = head.as_word() else {
            self.no_head(node, head, args);
            return Diagnosis::Reported;
        };
        let takes = |kind: Kind| {
            let mut slots = ludemes::rows(word).flat_map(|row| row.slots);
            slots.any(|slot| accepts(slot.kind, kind))
        };
        // A new variable may have the name of a ludeme: `(let beside (beside s))`.
        let binds = |row: &Row| row.slots.first().is_some_and(|slot| slot.kind == Kind::Variable);
        let names = usize::from(!args.is_empty() && ludemes::rows(word).any(binds));
        let corrected = self.bracketed(&args[names..], &takes);
        let corrected =
            corrected.map(|args| form(parts[..=names].iter().cloned().chain(args), node.span));
        let meant = corrected.as_ref().unwrap_or(node);
        if self.is_ludii_form(meant, word, meant.args()) || self.is_misused(meant, word, wanted) {
            return Diagnosis::Reported;
        }
        if ludemes::rows(word).any(|row| !row.word) {
            return corrected.map_or(Diagnosis::Unknown, Diagnosis::Corrected);
        }
        match self.meaning(word) {
            Some(Meaning::Memory(_) | Meaning::Definition(_) | Meaning::Path(_)) => {
                Diagnosis::Unknown
            }
            meaning => self.misspelled(node, head, meaning, wanted),
        }
    }

    /// Reports a form with an unknown head, and corrects it if a word for its place and arguments
    /// is spelled nearly so: later uses of its names are known then.
    fn misspelled(
        &mut self,
        node: &Node,
        head: &Node,
        meaning: Option<Meaning>,
        wanted: Kind,
    ) -> Diagnosis {
        let (word, args) = (head.as_word().unwrap_or_default(), node.args());
        let fits = |row: &Row| !row.word && accepts(wanted, row.result) && row.takes(args.len());
        match self.unknown_head(node, head.span, word, meaning, wanted) {
            Some(meant) if spelling::is_typo(word, meant) => {
                if !ludemes::rows(meant).any(fits) {
                    return Diagnosis::Reported;
                }
                let head = Node { kind: NodeKind::Word(meant.to_owned()), span: head.span };
                Diagnosis::Corrected(form([head].into_iter().chain(args.to_vec()), node.span))
            }
            _ => {
                // The name that the form would have bound must not be reported as unknown.
                if let Some(name) = args.first().filter(|_| args.len() > 1) {
                    self.bind_unknown(name);
                }
                Diagnosis::Reported
            }
        }
    }

    /// Tests if a form misuses its word, and reports it with the right form.
    fn is_misused(&mut self, node: &Node, word: &str, wanted: Kind) -> bool {
        let args = node.args();
        if self.meaning(word).is_some() {
            return false;
        }
        let rows: Vec<&'static Row> = ludemes::rows(word).filter(|row| !row.word).collect();
        if rows.is_empty() {
            return false;
        }
        if self.is_bare_call(word, &rows, args) || self.is_closed_early(&rows, args) {
            return true;
        }
        if !self.is_mistaken(node, word, &rows, wanted) {
            return false;
        }
        if rows.iter().any(|row| row.result == Kind::Parameter)
            && let Some(variable) = args.first()
        {
            self.bind_unknown(variable);
        }
        true
    }

    /// Corrects a form with an infix operator, or one of two words, and reports it.
    fn infix(&mut self, node: &Node, parts: &[Node], wanted: Kind) -> Option<Node> {
        let sign = |part: &Node| part.as_word().filter(|word| is_sign(word)).map(str::to_owned);
        let at = (1..parts.len().saturating_sub(1)).find(|&at| sign(&parts[at]).is_some())?;
        let word = sign(&parts[at])?;
        if let Some(first) = sign(&parts[0]).filter(|_| at == 1) {
            // `(= - 1)` has another error.
            let whole = format!("{first}{word}");
            ludemes::rows(&whole).next()?;
            let span = parts[0].span.join(parts[1].span);
            let message = format!("`{whole}` is written without a blank");
            let finding = Finding::new(Code::Misplaced, span, message);
            let help = format!("write `{whole}`");
            self.report(finding.with_help(help).with_fix(Fix::write(span, &*whole)));
            let head = Node { kind: NodeKind::Word(whole), span };
            return Some(form([head].into_iter().chain(parts[2..].to_vec()), node.span));
        }
        let mut end = at + 2;
        // The same operator again joins further operands: `a + b + c`.
        while end + 1 < parts.len() && sign(&parts[end]).as_ref() == Some(&word) {
            end += 2;
        }
        let joined = parts[at - 1].span.join(parts[end - 1].span);
        let operands: Vec<Node> =
            (at - 1..end).step_by(2).map(|index| parts[index].clone()).collect();
        // `(Total = 3)` where a statement is wanted.
        let remembers =
            at == 1 && wanted == Kind::Statement && word == "=" && self.is_memory(&parts[0]);
        let head = if remembers { "set" } else { word.as_str() };
        let texts: Vec<&str> =
            operands.iter().map(|operand| operand.span.text(self.source)).collect();
        let text = format!("({head} {})", texts.join(" "));
        let message = format!("`{word}` goes before its arguments, not between them");
        let help = match text.contains('\n') {
            true => format!("write `({head} … …)`"),
            false => format!("write `{text}`"),
        };
        // If the operator has the form to itself, the form has the brackets already.
        let (span, whole) =
            if at == 1 && end == parts.len() { (node.span, true) } else { (joined, false) };
        let finding = Finding::new(Code::Misplaced, parts[at].span, message)
            .with_help(help)
            .with_fix(Fix::write(span, text));
        self.report(finding);
        let sign = Node { kind: NodeKind::Word(head.to_owned()), span: parts[at].span };
        let joined = form([sign].into_iter().chain(operands), span);
        if whole || at == 1 {
            return Some(joined);
        }
        let (before, after) = (parts[..at - 1].to_vec(), parts[end..].to_vec());
        Some(form(before.into_iter().chain([joined]).chain(after), node.span))
    }

    /// Puts brackets around each ludeme that is followed by its arguments, as in `(if (none (mine))
    /// lose mover)`, and reports it. Returns the corrected nodes, or `None` if there is none. Only
    /// ludemes whose kind is wanted are corrected.
    pub(super) fn bracketed(
        &mut self,
        nodes: &[Node],
        wanted: &dyn Fn(Kind) -> bool,
    ) -> Option<Vec<Node>> {
        if !self.is_diagnosing() {
            return None;
        }
        let mut corrected = Vec::new();
        let mut from = 0;
        let mut start = 0;
        while start < nodes.len() {
            let Some(count) = self.bare_form(&nodes[start..], wanted) else {
                start += 1;
                continue;
            };
            corrected.extend_from_slice(&nodes[from..start]);
            corrected.push(self.in_brackets(&nodes[start..start + count]));
            start += count;
            from = start;
        }
        corrected.extend_from_slice(if from > 0 { &nodes[from..] } else { &[] });
        (from > 0).then_some(corrected)
    }

    /// Reports a form without its brackets, and returns it.
    fn in_brackets(&mut self, nodes: &[Node]) -> Node {
        let span = nodes[0].span.join(nodes[nodes.len() - 1].span);
        let right = format!("({})", span.text(self.source));
        let word = nodes[0].span.text(self.source);
        let message = format!("`{word}` and its arguments need brackets");
        let mut finding = Finding::new(Code::Misplaced, nodes[0].span, message);
        if !right.contains('\n') {
            finding = finding.with_help(format!("write `{right}`"));
        }
        self.report(finding.with_fix(Fix::write(span, right)));
        form(nodes.to_vec(), span)
    }

    /// Counts the first nodes that would be a form if they were in brackets: a ludeme that takes
    /// arguments, and these.
    fn bare_form(&mut self, nodes: &[Node], wanted: &dyn Fn(Kind) -> bool) -> Option<usize> {
        let (head, rest) = nodes.split_first()?;
        let word = head.as_word()?;
        let is_known = ludemes::rows(word).any(|row| row.word)
            || self.meaning(word).is_some()
            || self.context.scope.find(word).is_some()
            || self.declared.verbs.contains_key(word);
        let mut rows = ludemes::rows(word).filter(|row| !is_known && wanted(row.result));
        rows.find_map(|row| {
            let ones = row.slots.iter().filter(|slot| slot.times == Times::One).count();
            let count = if row.slots.iter().any(Slot::is_list) { rest.len() } else { ones };
            let fits = |(index, arg): (usize, &Node)| {
                row.slot(index).is_some_and(|slot| self.certainly_fits(arg, slot.kind))
            };
            let args = rest.get(..count.max(1))?;
            args.iter().enumerate().all(fits).then_some(1 + args.len())
        })
    }

    /// Finds a definition or memory whose arguments follow it without brackets of their own:
    /// `(count Friends t)`.
    fn is_bare_call(&mut self, word: &str, rows: &[&'static Row], args: &[Node]) -> bool {
        if rows.iter().any(|row| row.takes(args.len()) && row.slots.len() > 1) {
            return false;
        }
        for (index, arg) in args.iter().enumerate() {
            let Some(name) = arg.as_word() else { continue };
            let Some(Meaning::Definition(id)) = self.meaning(name) else { continue };
            let wanted: Vec<Kind> = match self.declared.definitions.get(id.index()) {
                Some(entry) => entry.parameters.iter().map(|&(_, kind)| kind).collect(),
                None => continue,
            };
            let given = args.get(index + 1..index + 1 + wanted.len()).unwrap_or_default();
            let fits = !wanted.is_empty()
                && given.len() == wanted.len()
                && given.iter().zip(&wanted).all(|(arg, &wanted)| {
                    self.kind_of_node(arg).is_some_and(|kind| accepts(wanted, kind))
                });
            let left = args.len().saturating_sub(wanted.len());
            if !fits || !rows.iter().any(|row| row.takes(left)) {
                continue;
            }
            let span = arg.span.join(given[given.len() - 1].span);
            let right = format!("({})", span.text(self.source));
            self.note_use(Meaning::Definition(id), arg.span);
            let message =
                format!("`{name}` and its arguments need brackets of their own in `{word}`");
            let finding =
                Finding::new(Code::MissingArgument, span, message).with_right(span, right);
            self.report(finding);
            return true;
        }
        false
    }

    /// Finds an argument with a variable that ends before its last part, which follows it:
    /// `(any (where s (mine)) (none (beside s)))`.
    fn is_closed_early(&mut self, rows: &[&'static Row], args: &[Node]) -> bool {
        if rows.iter().any(|row| row.takes(args.len())) {
            return false;
        }
        for (index, arg) in args.iter().enumerate() {
            let (Some(next), Some((head, _))) = (args.get(index + 1), arg.head()) else { continue };
            let Some([_, variable, _]) = arg.as_form() else { continue };
            let Some(name) = variable.as_word().filter(|name| self.is_new_variable(name)) else {
                continue;
            };
            let Some(row) = ludemes::rows(head).find(|row| {
                row.slots.len() == 3
                    && row.slots[0].kind == Kind::Variable
                    && row.slots[1].kind != Kind::Variable
            }) else {
                continue;
            };
            let kind = self.kind_of_node(next);
            if !mentions(next, name)
                || kind.is_some_and(|kind| !accepts(row.slots[2].kind, kind))
                || !rows.iter().any(|row| row.takes(args.len() - 1))
            {
                continue;
            }
            let bracket = Span::new(arg.span.end - 1, arg.span.end);
            let after = Span::new(next.span.end - 1, next.span.end);
            let message =
                format!("this bracket closes `{head}` too early, before its {}", row.slots[2].name);
            let end = Span::new(next.span.end, next.span.end);
            let fix = Fix::several("move the bracket", [(bracket, ""), (end, ")")]);
            let finding = Finding::new(Code::MisplacedBracket, bracket, message)
                .with_other(after, format!("it belongs after this, where `{name}` is used"))
                .with_help("move it there")
                .with_fix(fix);
            self.report(finding);
            return true;
        }
        false
    }

    /// Tests if a form is of another language, and reports it with its equivalent.
    pub(super) fn is_ludii_form(&mut self, node: &Node, word: &str, args: &[Node]) -> bool {
        let known = self.meaning(word).is_some()
            || self.declared.verbs.contains_key(word)
            || self.context.scope.find(word).is_some();
        let says = |arg: &Node| arg.as_word().is_some_and(|word| self.meaning(word).is_some());
        let Some(form) = ludii_hints::form(word, args)
            .filter(|form| !known && (form.is_head_alone() || !args.first().is_some_and(says)))
        else {
            return false;
        };
        // Ludii also has words of ours; others are told by what follows them.
        let is_ours = form.of_ludii && ludemes::rows(word).next().is_some();
        let message = match is_ours {
            true => format!("there is no `{}` here", form.spelling()),
            false => format!("there is no ludeme `{word}`"),
        };
        let is_brief = !node.span.text(self.source).contains('\n');
        let span = if is_ours && is_brief { node.span } else { node.head_span() };
        let replaced = if form.of_ludii { node.span } else { node.head_span() };
        let mut finding = Finding::new(Code::UnknownLudeme, span, message);
        finding.fix = form.exact.map(|exact| Box::new(Fix::write(replaced, exact)));
        self.report_again(format!("foreign {}", form.spelling()), finding.with_help(form.help()));
        true
    }

    /// Finds and reports two swapped arguments: at least one does not fit its slot, and each fits
    /// the other's.
    pub(super) fn swapped(
        &mut self,
        head: &str,
        kinds: &[Kind],
        args: &[Node],
    ) -> Option<(usize, usize)> {
        if !self.is_diagnosing() {
            return None;
        }
        let misfit: Vec<bool> =
            kinds.iter().zip(args).map(|(&kind, arg)| self.misfits(arg, kind)).collect();
        if !misfit.contains(&true) {
            return None;
        }
        let mut found = None;
        for first in 0..misfit.len() {
            for second in first + 1..misfit.len() {
                if (misfit[first] || misfit[second])
                    && self.certainly_fits(&args[first], kinds[second])
                    && self.certainly_fits(&args[second], kinds[first])
                {
                    found = found.or(Some((first, second)));
                }
            }
        }
        let (first, second) = found?;
        let (one, other) = (&args[first], &args[second]);
        let message = format!(
            "{} and {} are in the wrong order in `{head}`",
            self.snippet(one),
            self.snippet(other)
        );
        let expected = |kind: Kind| match kind {
            Kind::Any => String::from("expected what it holds"),
            kind => format!("expected {}", kind.phrase()),
        };
        let finding = Finding::new(Code::WrongType, one.span, message)
            .with_label(expected(kinds[first]))
            .with_other(other.span, expected(kinds[second]))
            .with_fix(Fix::swap(one.span, other.span, self.source));
        let finding = Finding { help: self.usage_within(), ..finding };
        self.report(finding);
        Some((first, second))
    }

    pub(super) fn misfits(&mut self, node: &Node, wanted: Kind) -> bool {
        match wanted {
            Kind::Variable => node.as_word().is_none_or(|word| {
                self.declared.names.contains_key(word) || ludemes::rows(word).any(|row| row.word)
            }),
            Kind::Memory => !self.is_memory(node) && self.kind_of_node(node).is_some(),
            Kind::Values => self.kind_of_node(node).is_some_and(|kind| kind != Kind::Values),
            _ => self.kind_of_node(node).is_some_and(|kind| !accepts(wanted, kind)),
        }
    }

    pub(super) fn certainly_fits(&mut self, node: &Node, wanted: Kind) -> bool {
        match wanted {
            Kind::Variable => node.as_word().is_some_and(|word| self.is_new_variable(word)),
            Kind::Memory => self.is_memory(node),
            Kind::OptionValue => node.as_form().is_none() && node.as_text().is_none(),
            _ => self
                .kind_of_node(node)
                .is_some_and(|kind| kind != Kind::Any && accepts(wanted, kind)),
        }
    }

    /// Tests if there is an argument too many and it is this one: the next argument fits the slot,
    /// and this one does not.
    pub(super) fn is_left_over(&mut self, slots: &[Slot], index: usize, rest: &[Node]) -> bool {
        let [this, next, ..] = rest else { return false };
        if !self.is_diagnosing()
            || rest.len() <= slots.len() - index
            || slots.iter().any(Slot::is_list)
        {
            return false;
        }
        let wanted = slots[index].kind;
        if matches!(wanted, Kind::Variable | Kind::Name | Kind::OptionValue) {
            return false;
        }
        let fits = |kind: Option<Kind>| kind.is_some_and(|kind| accepts(wanted, kind));
        !fits(self.kind_of_node(this)) && fits(self.kind_of_node(next))
    }

    /// Tests if the argument of a slot is left out: the argument found there fits the next slot
    /// instead, and there are fewer arguments than slots.
    pub(super) fn is_left_out(
        &mut self,
        slots: &[Slot],
        index: usize,
        rest: &[Node],
        count: usize,
    ) -> bool {
        let (Some([slot, next, ..]), Some(first)) = (slots.get(index..), rest.first()) else {
            return false;
        };
        let is_expression =
            !matches!(slot.kind, Kind::Variable | Kind::Name | Kind::Statement | Kind::OptionValue);
        self.is_diagnosing()
            && is_expression
            && count < slots.len()
            && slot.times == Times::One
            && self
                .kind_of_node(first)
                .is_some_and(|found| !accepts(slot.kind, found) && accepts(next.kind, found))
    }
}

/// Creates a form at the place of other nodes.
fn form(parts: impl IntoIterator<Item = Node>, span: Span) -> Node {
    Node { kind: NodeKind::Form(parts.into_iter().collect()), span }
}

/// Tests if a word occurs in a node.
fn mentions(node: &Node, word: &str) -> bool {
    match node.as_form() {
        Some(parts) => parts.iter().any(|part| mentions(part, word)),
        None => node.as_word() == Some(word),
    }
}

/// Tests if a word is an infix operator in other languages.
fn is_sign(word: &str) -> bool {
    let joins = |row: &Row| {
        !row.word
            && (row.spelling.starts_with(|first: char| !first.is_alphabetic())
                || matches!(row.ludeme, Ludeme::Both | Ludeme::Either))
    };
    ludemes::rows(word).any(joins)
}
