//! Recognizes forms that use a word for what another word is for, such as `(- (row 2) (empty))` for
//! `(and (row 2) (not (empty)))`. One finding with the right form replaces those on the types.
//!
//! A form is only reported if no row of its word accepts it, so that the findings here disappear
//! when a word gains a meaning.

use super::Checker;
use super::inference::takes;
use super::scope::Meaning;
use super::typed::accepts;
use crate::language::finding::{Code, Edit, Finding, Fix};
use crate::language::ludemes::{self, Kind, Row, Slot, Times};
use crate::syntax::{Node, NodeKind, Span};

/// A finding on a misused word.
struct Misuse {
    message: String,
    /// The right form.
    right: String,
}

impl Checker<'_> {
    /// Tests if a form misuses its word, and reports it with the right form.
    pub(super) fn is_misused(&mut self, node: &Node, word: &str, args: &[Node]) -> bool {
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
        let Some(Misuse { message, right }) = self.misuse(word, &rows, args) else { return false };
        let mut finding = Finding::new(Code::WrongType, node.span, message);
        if !right.contains('\n') {
            finding = finding.with_help(format!("write `{right}`"));
        }
        self.report(finding.with_fix(Fix::write(node.span, right)));
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
            let is_list = |slot: &Slot| matches!(slot.times, Times::Some | Times::Any);
            let count = if row.slots.iter().any(is_list) { rest.len() } else { ones };
            let fits = |(index, arg): (usize, &Node)| {
                let slot = row.slots.get(index).or(row.slots.last());
                slot.is_some_and(|slot| self.certainly_fits(arg, slot.kind))
            };
            let args = rest.get(..count.max(1))?;
            args.iter().enumerate().all(fits).then_some(1 + args.len())
        })
    }

    fn misuse(&mut self, word: &str, rows: &[&'static Row], args: &[Node]) -> Option<Misuse> {
        let kinds: Vec<Option<Kind>> = args.iter().map(|arg| self.kind_of_node(arg)).collect();
        let texts: Vec<&str> = args.iter().map(|arg| arg.span.text(self.source)).collect();
        let joined = texts.join(" ");
        let is_region = |kind: &Option<Kind>| *kind == Some(Kind::Sites);
        let fits = |index: usize, kind: Kind| {
            rows.iter().any(|row| {
                let slot = row.slots.get(index).or(row.slots.last());
                slot.is_some_and(|slot| accepts(slot.kind, kind))
            })
        };
        let misuse = |message: String, right: String| Some(Misuse { message, right });
        match (word, &kinds[..]) {
            (
                "=" | "!=",
                [Some(Kind::Site), Some(Kind::Sites)] | [Some(Kind::Sites), Some(Kind::Site)],
            ) if !fits(1, Kind::Sites) && !joined.contains("nowhere") => {
                let (site, region) =
                    if is_region(&kinds[1]) { (texts[0], texts[1]) } else { (texts[1], texts[0]) };
                let inside = format!("(in {site} {region})");
                let right = if word == "=" { inside } else { format!("(not {inside})") };
                misuse(
                    format!("`{word}` compares two sites, and `{region}` is a set of sites"),
                    right,
                )
            }
            ("connected", [Some(Kind::Sites), rest @ ..])
                if matches!(rest, [_] | [_, _])
                    && rest.iter().all(|kind| matches!(kind, Some(Kind::Sites | Kind::Site))) =>
            {
                // One region that connects two others, or two that pieces connect.
                let [through, one, other] = match texts[..] {
                    [through, one, other] => [through, one, other],
                    _ => ["(mine)", texts[0], texts[1]],
                };
                misuse(
                    format!("`connected` tests if one region is connected, and `{one}` is another"),
                    format!("(any (and (group (and {one} {through}) {through}) {other}))"),
                )
            }
            ("-" | "+" | "*", [first, second]) if is_region(first) && is_region(second) => {
                let right = match word {
                    "-" => format!("(and {} (not {}))", texts[0], texts[1]),
                    "+" => format!("(or {joined})"),
                    _ => format!("(and {joined})"),
                };
                misuse(format!("`{word}` is for numbers, and these are sets of sites"), right)
            }
            ("to" | "from" | "at", [None, regions @ ..])
                if regions.len() > 1
                    && args[0].as_word().is_some()
                    && regions.iter().all(is_region) =>
            {
                misuse(
                    format!("`{word}` takes one region, and these are {}", regions.len()),
                    format!("({word} {} (and {}))", texts[0], texts[1..].join(" ")),
                )
            }
            ("row" | "column", [first, rest @ ..])
                if !rest.is_empty()
                    && rest.iter().all(|kind| kind == first)
                    && matches!(first, Some(Kind::Number | Kind::Text))
                    && !rows.iter().any(|row| {
                        row.slots
                            .get(1)
                            .is_some_and(|slot| first.is_some_and(|kind| accepts(slot.kind, kind)))
                    }) =>
            {
                let each: Vec<String> =
                    texts.iter().map(|text| format!("({word} {text})")).collect();
                misuse(
                    format!("`{word}` is one {word}, and this lists {}", args.len()),
                    format!("(or {})", each.join(" ")),
                )
            }
            ("square", [Some(Kind::Number), Some(Kind::Number)]) => misuse(
                "a square has sides of one length, and these are two".to_owned(),
                match texts[0] == texts[1] {
                    true => format!("(square {})", texts[0]),
                    false => format!("(rectangle {joined})"),
                },
            ),
            ("step", [Some(Kind::Sites), Some(Kind::Direction | Kind::Directions)])
                if !fits(0, Kind::Sites) =>
            {
                misuse(
                    format!("`step` starts at one site, and `{}` is a set of sites", texts[0]),
                    format!("(beside {joined})"),
                )
            }
            ("step", [Some(Kind::Site), Some(Kind::Directions)]) if !fits(1, Kind::Directions) => {
                misuse(
                    format!(
                        "`step` takes one direction, and `{}` is a list of directions",
                        texts[1]
                    ),
                    format!("(beside {joined})"),
                )
            }
            _ => None,
        }
    }

    /// Finds a definition or memory whose arguments follow it without brackets of their own:
    /// `(count Friends t)`.
    fn is_bare_call(&mut self, word: &str, rows: &[&'static Row], args: &[Node]) -> bool {
        if rows.iter().any(|row| takes(row, args.len()) && row.slots.len() > 1) {
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
            if !fits || !rows.iter().any(|row| takes(row, left)) {
                continue;
            }
            let span = arg.span.join(given[given.len() - 1].span);
            let right = format!("({})", span.text(self.source));
            self.note_use(Meaning::Definition(id), arg.span);
            let message =
                format!("`{name}` and its arguments need brackets of their own in `{word}`");
            let finding = Finding::new(Code::MissingArgument, span, message)
                .with_help(format!("write `{right}`"))
                .with_fix(Fix::write(span, right));
            self.report(finding);
            return true;
        }
        false
    }

    /// Finds an argument with a variable that ends before its last part, which follows it:
    /// `(any (where s (mine)) (none (beside s)))`.
    fn is_closed_early(&mut self, rows: &[&'static Row], args: &[Node]) -> bool {
        if rows.iter().any(|row| takes(row, args.len())) {
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
                || !rows.iter().any(|row| takes(row, args.len() - 1))
            {
                continue;
            }
            let bracket = Span::new(arg.span.end - 1, arg.span.end);
            let after = Span::new(next.span.end - 1, next.span.end);
            let message =
                format!("this bracket closes `{head}` too early, before its {}", row.slots[2].name);
            let fix = Fix {
                title: String::from("move the bracket"),
                edits: vec![
                    Edit { span: bracket, text: String::new() },
                    Edit { span: Span::new(next.span.end, next.span.end), text: String::from(")") },
                ],
            };
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
