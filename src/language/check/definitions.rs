//! Checks definitions: each once, after the definitions that it depends on, whether it is used or
//! not.

use super::Checker;
use super::headings::PARAMETERS;
use super::moves::statement;
use super::report::Within;
use super::typed::{Typed, at, kind_of, of_kind};
use crate::language::depth_first::Search;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::collections::HashSet;

/// The maximal nesting depth of definitions.
const MAX_DEPTH: usize = 100;

/// A definition in the course of checking.
#[derive(Default)]
pub(super) struct DefinitionEntry<'t> {
    pub name: Named,
    /// The name, or the form with the name and the parameters.
    pub heading: Span,
    pub body: &'t [Node],
    /// What variants add to the body.
    pub added: Vec<&'t [Node]>,
    pub parameters: Vec<(Local, Kind)>,
    /// Whether the heading is faulty or the body missing.
    pub broken: bool,
    /// Whether it depends on itself.
    pub recursive: bool,
    /// The definitions that its body mentions.
    pub depends_on: Vec<usize>,
    pub tried: bool,
    pub kind: Option<Kind>,
    pub value: Option<Value>,
    /// Whether it is a number that may be a half.
    pub halves: bool,
    /// The statements in it, or in definitions that it calls, whose placement is restricted, with
    /// their spans in it.
    pub needs: Vec<(Ludeme, Span)>,
    /// Whether it contains a ply, or may contain one in a part that failed.
    pub has_ply: bool,
    /// Whether it contains a ply in a part that did not fail.
    pub has_known_ply: bool,
    pub has_result: bool,
    /// The roles of what is chosen in its `then`, if it has one.
    pub further: Vec<ArgumentRole>,
    /// Findings that depend on the chosen option values; reported if it is used under them.
    pub deferred: Vec<Finding>,
    /// The definitions that it calls under the chosen option values.
    pub calls: Vec<usize>,
}

impl<'t> Checker<'t> {
    /// Computes the dependencies of definitions and reports cycles. Returns a topological order,
    /// each definition after those that it depends on (depth-first search).
    pub(super) fn order_definitions(&mut self) -> Vec<usize> {
        for index in 0..self.declared.definitions.len() {
            let DefinitionEntry { body, added, .. } = &self.declared.definitions[index];
            let depends_on =
                self.mentioned(body.iter().chain(added.iter().copied().flatten()).collect());
            self.declared.definitions[index].depends_on = depends_on;
        }
        let count = self.declared.definitions.len();
        let depends_on = |index: usize| &self.declared.definitions[index].depends_on[..];
        let Search { order, cycles } = Search::from(0..count, count, depends_on);
        cycles.iter().for_each(|cycle| self.report_cycle(cycle));
        let mut deep = vec![1usize; count];
        for &index in &order {
            let definition = &self.declared.definitions[index];
            let below = definition.depends_on.iter().map(|&below| deep[below]);
            deep[index] = 1 + below.max().unwrap_or(0);
            if deep[index] == MAX_DEPTH + 1 {
                let Named { name, span } = definition.name.clone();
                let message = format!("`{name}` nests more than {MAX_DEPTH} definitions");
                self.report(Finding::new(Code::RulesTooLarge, span, message));
            }
        }
        order
    }

    fn report_cycle(&mut self, cycle: &[usize]) {
        if cycle.iter().all(|&index| self.declared.definitions[index].recursive) {
            return;
        }
        let name = |index: usize| self.declared.definitions[index].name.name.as_str();
        let Some(&first) = cycle.iter().min() else { return };
        let at_first = cycle.iter().position(|&index| index == first).unwrap_or(0);
        let mut names: Vec<&str> =
            cycle[at_first..].iter().chain(&cycle[..=at_first]).map(|&index| name(index)).collect();
        if names.len() > 8 {
            names.splice(4..names.len() - 3, ["…"]);
        }
        let message = format!("`{}` uses itself: {}", name(first), names.join(" → "));
        let span = self.declared.definitions[first].name.span;
        for &index in cycle {
            self.declared.definitions[index].recursive = true;
        }
        let mut finding = Finding::new(Code::RecursiveDefinition, span, message);
        let next = cycle[(at_first + 1) % cycle.len()];
        if next != first {
            let next = self.declared.definitions[next].name.span;
            finding = finding.with_other(next, "by way of this one");
        }
        let help = "a definition cannot be recursive; to go from site to site, use `group` or `walk`, or `chain` for effects";
        self.report(finding.with_help(help));
    }

    /// Returns the definitions mentioned in nodes, where names of definitions can stand.
    fn mentioned(&self, mut left: Vec<&Node>) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut seen: HashSet<usize> = HashSet::new();
        left.reverse();
        while let Some(node) = left.pop() {
            if let Some(Meaning::Definition(id)) = self.meaning_of(node) {
                if seen.insert(id.index()) {
                    found.push(id.index());
                }
                continue;
            }
            let Some(parts) = node.as_form() else { continue };
            match node.head().map(|(head, _)| head) {
                // The value of a branch and the name of a phase are no uses of definitions.
                Some("case") => {
                    let branches = parts.iter().skip(2).filter_map(Node::as_form);
                    let bodies: Vec<&Node> =
                        branches.flat_map(|branch| branch.iter().skip(1)).collect();
                    left.extend(bodies.into_iter().rev());
                    left.extend(parts.get(1));
                }
                Some("phase") => left.extend(parts.iter().skip(2).rev()),
                _ => left.extend(parts.iter().rev()),
            }
        }
        found
    }

    /// Checks all definitions, in the given order.
    pub(super) fn define(&mut self, order: &[usize]) {
        for &index in order {
            self.definition(index);
        }
    }

    /// Checks a definition after its dependencies, if it was not checked yet.
    fn prepare(&mut self, id: DefinitionId) {
        let definitions = &self.declared.definitions;
        if !definitions[id.index()].tried {
            let depends_on = |index: usize| &definitions[index].depends_on[..];
            let search = Search::from([id.index()], definitions.len(), depends_on);
            search.order.into_iter().for_each(|index| self.definition(index));
        }
    }

    fn definition(&mut self, index: usize) {
        let entry = &mut self.declared.definitions[index];
        if std::mem::replace(&mut entry.tried, true) {
            return;
        }
        if entry.broken {
            return;
        }
        let (body, added) = (entry.body, entry.added.clone());
        let parameters = entry.parameters.clone();
        let scope = std::mem::take(&mut self.context.scope);
        let place = std::mem::take(&mut self.context.place);
        let dead = std::mem::take(&mut self.context.dead);
        let within = std::mem::replace(&mut self.context.within, Within::Row(Ludeme::Define.row()));
        let defining = self.context.defining.replace(index);
        self.context.part += 1;
        for (local, _) in parameters {
            self.bind(local);
        }
        let before = self.diagnostics.failures;
        let value = match added.is_empty() {
            true => self.body(body),
            false => self.body_with(index, body, &added),
        };
        let failed = self.diagnostics.failures > before;
        self.context.scope = scope;
        self.context.place = place;
        self.context.dead = dead;
        self.context.within = within;
        self.context.defining = defining;

        let halves = matches!(&value, Some(Value::Number(it)) if self.half(it).is_some());
        let statements = match &value {
            Some(Value::Statements(statements)) => Some(statements),
            _ => None,
        };
        // A part that failed may have contained a ply: assume so rather than report a missing one.
        let sound = statements.filter(|_| !failed);
        let has_ply = sound.is_none_or(|sound| self.has_ply(sound));
        let has_result = sound.is_none_or(|sound| self.has_result(sound));
        let has_known_ply = statements.is_some_and(|statements| self.has_known_ply(statements));
        let further = statements.map_or(Vec::new(), |statements| self.further(statements));
        let entry = &mut self.declared.definitions[index];
        entry.kind = value.as_ref().map(kind_of).or(entry.kind);
        entry.value = value;
        entry.halves = halves;
        entry.has_ply = has_ply;
        entry.has_known_ply = has_known_ply;
        entry.has_result = has_result;
        entry.further = further;
    }

    fn body(&mut self, body: &[Node]) -> Option<Value> {
        let kind = match body {
            [single] if single.as_word() == Some(Ludeme::Nowhere.row().spelling) => Kind::Sites,
            [single] => self.kind_of_node(single).unwrap_or(Kind::Any),
            _ => Kind::Statement,
        };
        if kind == Kind::Statement {
            if let Some(index) = self.context.defining {
                self.declared.definitions[index].kind = Some(Kind::Statement);
            }
            return Some(Value::Statements(self.statements(body)));
        }
        let single = body.first()?;
        if PARAMETERS.contains(&kind) {
            if let Some(index) = self.context.defining {
                self.declared.definitions[index].kind = Some(kind);
            }
        } else if kind != Kind::Any {
            self.not_a_value(single, kind);
            return None;
        }
        let typed = self.expression(single, kind)?;
        let kind = typed.kind();
        let value = typed.value();
        if value.is_none() {
            self.not_a_value(single, kind);
        }
        value
    }

    /// Checks the body of a definition with what variants add to it.
    fn body_with(&mut self, index: usize, body: &[Node], added: &[&[Node]]) -> Option<Value> {
        let base = match body {
            [single] => self.kind_of_node(single).unwrap_or(Kind::Statement),
            _ => Kind::Statement,
        };
        if base == Kind::Statement {
            // Each node is copied once.
            let all: Vec<Node> =
                body.iter().chain(added.iter().copied().flatten()).cloned().collect();
            self.declared.definitions[index].kind = Some(Kind::Statement);
            return Some(Value::Statements(self.statements(&all)));
        }
        let value = self.body(body)?;
        let Value::Sites(region) = value else {
            let name = self.declared.definitions[index].name.clone();
            let message = format!(
                "expected statements or a region to add to, found `{}`, which is {}",
                name.name,
                super::report::found_phrase(kind_of(&value))
            );
            for span in added.iter().filter_map(|added| added.first()).map(|node| node.span) {
                let finding = Finding::new(Code::WrongType, span, message.clone())
                    .with_other(name.span, "defined here")
                    .with_help("write the definition again in the variant, without `add`");
                self.report(finding);
            }
            return Some(value);
        };
        let span = region.span;
        let mut regions = vec![region];
        for node in added.iter().copied().flatten() {
            regions.extend(self.value::<Spanned<Sites>>(node));
        }
        Some(Value::Sites(at(Sites::Or(regions), span)))
    }

    /// Reports a node that is no value that a name can stand for.
    pub(super) fn not_a_value(&mut self, node: &Node, kind: Kind) {
        let word = node.word_or_head();
        if let Some(Meaning::Option(_)) = word.and_then(|word| self.meaning(word)) {
            // An option of words: the ordinary finding gives the advice.
            self.expression(node, Kind::Number);
            return;
        }
        let message = format!(
            "expected an expression or statements, found {}, which is {}",
            self.snippet(node),
            super::report::found_phrase(kind)
        );
        let finding = Finding::new(Code::WrongType, node.span, message);
        self.report(finding.with_optional_help(self.usage_within()));
    }

    /// Returns the type of a definition, if it is known.
    pub(super) fn definition_kind(&mut self, id: DefinitionId) -> Option<Kind> {
        self.prepare(id);
        self.declared.definitions[id.index()].kind
    }

    /// Checks a call of a definition.
    pub(super) fn call(
        &mut self,
        id: DefinitionId,
        node: &Node,
        args: &[Node],
        wanted: Kind,
    ) -> Option<Typed> {
        let span = node.span;
        self.note_use(Meaning::Definition(id), node.head_span());
        self.prepare(id);
        let index = id.index();
        if self.context.dead == 0 {
            match self.context.defining {
                Some(caller) if self.declared.definitions[caller].calls.contains(&index) => {}
                Some(caller) => self.declared.definitions[caller].calls.push(index),
                None => self.usage.called.push(index),
            }
        }
        let args = self.inside(Within::Definition(id), |checker| checker.passed(id, node, args));
        if self.declared.definitions[index].kind == Some(Kind::Statement)
            && wanted == Kind::Statement
        {
            self.check_definition_placement(id, span);
        }
        let (args, Some(value)) = (args?, &self.declared.definitions[index].value) else {
            return self.fail();
        };
        if self.declared.definitions[index].recursive {
            return self.fail();
        }
        let constant = value.expression().filter(|body| args.is_empty() && body.is_constant());
        if let Some(value) = constant.and_then(|body| self.evaluated(body)) {
            return self.constant(value, span);
        }
        match kind_of(value) {
            Kind::Statement => Some(statement(Statement::Do(id, args), span)),
            kind => of_kind!(kind, span, Call(id, args)),
        }
    }

    /// Checks the arguments of a call.
    fn passed(&mut self, id: DefinitionId, node: &Node, args: &[Node]) -> Option<Vec<Value>> {
        let entry = &self.declared.definitions[id.index()];
        let name = entry.name.name.clone();
        let parameters = entry.parameters.clone();
        if entry.broken && parameters.len() != args.len() {
            for arg in args {
                self.expression(arg, Kind::Any);
            }
            return self.fail();
        }
        let kinds: Vec<Kind> = parameters.iter().map(|&(_, kind)| kind).collect();
        if self.swapped(&name, &kinds, args).is_some() {
            return None;
        }
        let slot = |&(local, kind): &(Local, Kind)| {
            (self.context.locals[local.index()].name.clone(), kind)
        };
        let slots: Vec<(String, Kind)> = parameters.iter().map(slot).collect();
        let values = self.arguments_of(&name, node, args, &slots)?;
        values.into_iter().map(Typed::value).collect()
    }

    /// Checks the arguments of a declared name, one for each slot. Checks all of them, even if one
    /// fails.
    pub(super) fn arguments_of(
        &mut self,
        name: &str,
        node: &Node,
        args: &[Node],
        slots: &[(String, Kind)],
    ) -> Option<Vec<Typed>> {
        let mut values = Vec::with_capacity(slots.len());
        for (index, (slot, kind)) in slots.iter().enumerate() {
            let Some(arg) = args.get(index) else {
                self.missing(name, node.head_span(), slot, *kind);
                return None;
            };
            let typed = self.expression(arg, *kind);
            match &typed {
                Some(Typed::Number(number)) if self.whole(number).is_none() => {}
                _ => values.extend(typed),
            }
        }
        if args.len() > slots.len() {
            self.extra(name, slots.len(), &args[slots.len()..]);
            return None;
        }
        (values.len() == slots.len()).then_some(values)
    }

    /// Reports the deferred findings of definitions that are used under the chosen option values,
    /// and of unused ones.
    pub(super) fn report_deferred(&mut self) {
        let mut live = vec![false; self.declared.definitions.len()];
        let mut left = std::mem::take(&mut self.usage.called);
        for index in 0..self.declared.definitions.len() {
            let id = Meaning::Definition(DefinitionId(index as u16));
            if !self.usage.used.contains(&id) {
                left.push(index);
            }
        }
        while let Some(index) = left.pop() {
            if !std::mem::replace(&mut live[index], true) {
                left.extend(&self.declared.definitions[index].calls);
            }
        }
        for index in (0..live.len()).filter(|&index| live[index]) {
            for finding in std::mem::take(&mut self.declared.definitions[index].deferred) {
                self.report(finding);
            }
        }
    }

    /// Returns the definitions. One that failed, and is not used under the chosen values, gets a
    /// dummy body.
    pub(super) fn defined(&mut self) -> Vec<Definition> {
        let nothing = |span| Value::Condition(at(Condition::Constant(false), span));
        let height = self.height_definition();
        self.declared
            .definitions
            .iter_mut()
            .map(|entry| Definition {
                name: entry.name.name.clone(),
                span: entry.name.span,
                parameters: entry.parameters.iter().map(|&(local, _)| local).collect(),
                body: entry.value.take().unwrap_or_else(|| nothing(entry.name.span)),
            })
            .chain(height)
            .collect()
    }
}
