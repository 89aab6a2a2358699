//! Recognizes forms that say something else than they mean: by the table of patterns, and brackets
//! that are missing or closed early. One finding with the right form replaces those on the types.

use super::Checker;

use super::typed::accepts;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Row, Slot, Times};
use crate::language::names::Meaning;
use crate::syntax::{Node, NodeKind, Span};

impl Checker<'_> {
    /// Tests if a form misuses its word, and reports it with the right form.
    pub(super) fn is_misused(
        &mut self,
        node: &Node,
        word: &str,
        args: &[Node],
        wanted: Kind,
    ) -> bool {
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

    /// Puts brackets around each ludeme that is followed by its arguments, as in `(if (none (mine))
    /// lose mover)`, and reports it. Returns the corrected nodes, or `None` if there is none. Only
    /// ludemes whose kind is wanted are corrected.
    pub(super) fn bracketed(
        &mut self,
        nodes: &[Node],
        wanted: &dyn Fn(Kind) -> bool,
    ) -> Option<Vec<Node>> {
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
        Node { kind: NodeKind::Form(nodes.to_vec()), span }
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
}

/// Tests if a word occurs in a node.
fn mentions(node: &Node, word: &str) -> bool {
    match node.as_form() {
        Some(parts) => parts.iter().any(|part| mentions(part, word)),
        None => node.as_word() == Some(word),
    }
}
