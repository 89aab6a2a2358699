//! Explains why a condition holds or fails: notes on the values that decide, each with its span.
//!
//! Only deciding parts are noted: the failing parts of a conjunction that fails, the first part
//! that holds of a disjunction that holds. Definitions are followed into their bodies, and the
//! values of the parameters are collected separately.

use super::values;
use crate::board::Site;
use crate::language::rules::{
    Binder, Comparison, Condition, DefinitionId, Domain, Number, PlayerOf, Rules, Sites, Spanned,
    Value as Expression,
};
use crate::notation::clause::quote;
use crate::notation::{player, spell};
use crate::reference::{Value, View, first_choice};
use crate::syntax::Span;
use std::cmp::Ordering;

/// A remark on a place in the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub span: Span,
    pub text: String,
}

/// The value of a variable, or of `mover`, where a clause uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableValue {
    pub name: String,
    pub value: String,
}

/// Writes the values of variables as `where x is …`; `None` if there are none.
pub fn bindings<'b>(bound: impl IntoIterator<Item = &'b VariableValue>) -> Option<String> {
    let spelled: Vec<String> =
        bound.into_iter().map(|bound| format!("{} is {}", bound.name, bound.value)).collect();
    (!spelled.is_empty()).then(|| format!("where {}", spelled.join(", ")))
}

/// Notes being collected.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    pub notes: Vec<Note>,
    /// The values of variables, in order of appearance.
    pub bound: Vec<VariableValue>,
    /// The sites that decide a condition: the sites of a nonempty region, or a site in a region.
    pub sites: Vec<Site>,
}

impl Notes {
    /// Adds a note, unless it exists or merely repeats the text of its span.
    pub fn note(&mut self, rules: &Rules, span: Span, text: impl Into<String>) {
        let note = Note { span, text: text.into() };
        // Clauses that the checker adds are not in the text.
        if span.is_empty() {
            return;
        }
        if note.span.text(rules.source()) != note.text && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Collects sites that decide a condition.
    fn by(&mut self, sites: impl IntoIterator<Item = Site>) {
        for site in sites {
            if !self.sites.contains(&site) {
                self.sites.push(site);
            }
        }
    }

    /// Collects the values of the variables that a clause names.
    pub fn bind(&mut self, view: &View, clause: Span) {
        let text = clause.text(view.rules.source());
        let words: Vec<&str> = text
            .split(|character: char| character.is_whitespace() || "()".contains(character))
            .collect();
        let variables = view.variables.list().into_iter().rev();
        let variables = variables.map(|(local, value)| {
            (view.rules.locals[local.index()].name.as_str(), values::value(view.rules, value))
        });
        let mover = ("mover", player(view.rules, view.mover).to_owned());
        for (name, value) in variables.chain([mover]).filter(|(name, _)| words.contains(name)) {
            let bound = VariableValue { name: name.to_owned(), value };
            if !self.bound.contains(&bound) {
                self.bound.push(bound);
            }
        }
    }

    /// Notes why a condition holds or fails, and returns a short explanation if one is possible.
    pub fn condition(&mut self, view: &View, asked: &Spanned<Condition>) -> Option<String> {
        let rules = view.rules;
        let holds = view.condition(&asked.node);
        match &asked.node {
            Condition::Constant(_) => None,
            Condition::Not(inner) => self.condition(view, inner),
            Condition::And(parts) | Condition::Or(parts) => {
                // A single part decides a disjunction that holds or a conjunction that fails.
                let alone = holds == matches!(asked.node, Condition::Or(_));
                let deciding = parts.iter().filter(|part| view.condition(&part.node) == holds);
                let said: Vec<String> = match alone {
                    true => {
                        deciding.take(1).filter_map(|part| self.condition(view, part)).collect()
                    }
                    false => deciding.filter_map(|part| self.condition(view, part)).collect(),
                };
                (!said.is_empty()).then(|| said.join("; "))
            }
            Condition::ByPlayer(player, branches) => {
                let player = self.player(view, player);
                self.condition(view, branches.get(player)?)
            }
            Condition::Local(_) | Condition::Memory { .. } => {
                self.note(rules, asked.span, if holds { "true" } else { "false" });
                None
            }
            Condition::Call(definition, arguments) => {
                self.note(rules, asked.span, if holds { "holds" } else { "does not hold" });
                match self.inside(view, *definition, arguments) {
                    (inner, Expression::Condition(body)) => self.condition(&inner, body),
                    _ => None,
                }
            }
            Condition::Any(sites) | Condition::None(sites) => {
                self.by(view.sites(&sites.node).list());
                Some(self.region(view, sites))
            }
            Condition::In(site, sites) => {
                let found = values::site(rules, view.site(&site.node));
                self.note(rules, site.span, &found);
                let at = view.site(&site.node)?;
                if holds {
                    self.by([at]);
                }
                let inside = if holds { "in" } else { "not in" };
                self.region(view, sites);
                Some(format!("{found} is {inside} {}", quote(rules, sites.span)))
            }
            Condition::Exists(binder, inner) => self.each(view, binder, inner, true),
            Condition::Every(binder, inner) => self.each(view, binder, inner, false),
            Condition::Can(of, moves) => {
                let mover = view.player(&of.node);
                let ply = first_choice(&View { mover, ..view.clone() }, moves);
                let name = player(rules, mover);
                Some(match ply {
                    Some(ply) => format!("{name} can `{}`", spell(rules, &ply)),
                    None => format!("{name} has no legal move of these"),
                })
            }
            Condition::Connected(region, directions) => {
                let listed = view
                    .groups(&region.node, &directions.node)
                    .into_iter()
                    .map(|group| values::value(rules, &Value::Sites(group)))
                    .collect::<Vec<String>>();
                let said = match &listed[..] {
                    [] => String::from("no site"),
                    [one] => format!("one group: {one}"),
                    several => format!("{} groups: {}", several.len(), several.join(" / ")),
                };
                if holds {
                    self.by(view.sites(&region.node).list());
                }
                self.note(rules, region.span, &said);
                Some(format!("{} consists of {said}", quote(rules, region.span)))
            }
            Condition::Compare(comparison, left, right) => {
                Some(self.compare(view, *comparison, left, right))
            }
            Condition::SamePlayer(left, right) => {
                let names = [left, right]
                    .map(|side| (side.span, player(rules, view.player(&side.node)).to_owned()));
                Some(self.same(rules, names, holds))
            }
            Condition::SameSite(left, right) => {
                let labels = [left, right]
                    .map(|side| (side.span, values::site(rules, view.site(&side.node))));
                Some(self.same(rules, labels, holds))
            }
            Condition::SameDirection(left, right) => {
                let names = [left, right].map(|side| {
                    (side.span, values::direction(view.rules, view.direction(&side.node)))
                });
                Some(self.same(rules, names, holds))
            }
            Condition::SameKind(left, right) => {
                let names = [left, right]
                    .map(|side| (side.span, values::kind(rules, view.piece(&side.node))));
                Some(self.same(rules, names, holds))
            }
        }
    }

    /// Notes the values of both sides of an equation.
    fn same(&mut self, rules: &Rules, sides: [(Span, String); 2], holds: bool) -> String {
        let [(left, one), (right, other)] = sides;
        self.note(rules, left, &one);
        self.note(rules, right, &other);
        let not = if holds { "" } else { "not " };
        format!("{one} is {not}{other}")
    }

    /// Notes the value that decides a quantified condition. `decides` is true for `exists`, where
    /// one value that satisfies the condition is enough, and false for `every`.
    fn each(
        &mut self,
        view: &View,
        binder: &Binder,
        inner: &Spanned<Condition>,
        decides: bool,
    ) -> Option<String> {
        let rules = view.rules;
        let name = &rules.locals[binder.variable.index()].name;
        let domain = view.domain(&binder.domain);
        let deciding = domain.iter().find(|value| {
            view.with(binder.variable, (*value).clone()).condition(&inner.node) == decides
        });
        match deciding {
            Some(value) => {
                let view = view.with(binder.variable, value.clone());
                self.bind(&view, inner.span);
                let said = self.condition(&view, inner)?;
                Some(format!("{said} for {name} = {}", values::value(rules, value)))
            }
            None => {
                let all = values::all(rules, &domain);
                self.note(rules, span_of(&binder.domain), &all);
                let each = if decides { "none" } else { "all" };
                self.note(rules, inner.span, format!("for {each} of these"));
                Some(format!("{} holds for {each} of {all}", quote(rules, inner.span)))
            }
        }
    }

    fn compare(
        &mut self,
        view: &View,
        comparison: Comparison,
        left: &Spanned<Number>,
        right: &Spanned<Number>,
    ) -> String {
        let (one, other) = (view.number(&left.node), view.number(&right.node));
        self.number(view, left);
        self.number(view, right);
        let relation = match (comparison, one.cmp(&other)) {
            (Comparison::Equal | Comparison::Unequal, Ordering::Equal) => {
                return self.name(view, left, one);
            }
            (Comparison::Equal | Comparison::Unequal, _) => "not",
            (Comparison::AtMost, Ordering::Less | Ordering::Equal) => "at most",
            (Comparison::AtLeast, Ordering::Greater | Ordering::Equal) => "at least",
            (Comparison::Less, Ordering::Equal) => "not less than",
            (_, Ordering::Equal) => "not more than",
            (_, Ordering::Less) => "less than",
            (_, Ordering::Greater) => "more than",
        };
        format!("{}, {relation} {}", self.name(view, left, one), values::number(other))
    }

    /// Writes a number with its value, unless the text is the value.
    fn name(&self, view: &View, number: &Spanned<Number>, value: i128) -> String {
        let value = values::number(value);
        if number.span.text(view.rules.source()) == value {
            return value;
        }
        let counted = self
            .counted(view, &number.node)
            .map(|counted| format!(" ({counted})"))
            .unwrap_or_default();
        format!("{} is {value}{counted}", quote(view.rules, number.span))
    }

    /// Notes the value of a number, or of its terms.
    pub fn number(&mut self, view: &View, number: &Spanned<Number>) {
        match &number.node {
            Number::Add(terms)
            | Number::Multiply(terms)
            | Number::Least(terms)
            | Number::Greatest(terms) => {
                terms.iter().for_each(|term| self.number(view, term));
            }
            Number::Subtract(from, what) => {
                self.number(view, from);
                self.number(view, what);
            }
            Number::Divide(what, _) | Number::Remainder(what, _) => self.number(view, what),
            Number::If(condition, then, otherwise) => {
                self.condition(view, condition);
                let holds = view.condition(&condition.node);
                self.number(view, if holds { then } else { otherwise });
            }
            Number::ByPlayer(player, branches) => {
                let player = self.player(view, player);
                if let Some(branch) = branches.get(player) {
                    self.number(view, branch);
                }
            }
            _ => {
                let counted = self
                    .counted(view, &number.node)
                    .map(|counted| format!(": {counted}"))
                    .unwrap_or_default();
                self.note(
                    view.rules,
                    number.span,
                    format!("{}{counted}", values::number(view.number(&number.node))),
                );
            }
        }
    }

    /// Lists the elements that a number counts.
    fn counted(&self, view: &View, number: &Number) -> Option<String> {
        let listed = match number {
            Number::Count(sites) => values::sites(view.rules, &view.sites(&sites.node)),
            Number::CountWhere(binder, condition) => {
                let counts = |value: &Value| {
                    view.with(binder.variable, value.clone()).condition(&condition.node)
                };
                let counted = view.domain(&binder.domain).into_iter().filter(counts);
                values::all(view.rules, &counted.collect::<Vec<Value>>())
            }
            // The first value that gives the extreme.
            Number::LeastOver(binder, of) | Number::GreatestOver(binder, of) => {
                let best = view.number(number);
                let gives = |value: &Value| {
                    view.with(binder.variable, value.clone()).number(&of.node) == best
                };
                let value = view.domain(&binder.domain).into_iter().find(gives)?;
                let name = &view.rules.locals[binder.variable.index()].name;
                format!("for {name} = {}", values::value(view.rules, &value))
            }
            Number::Call(definition, arguments) => match view.call(*definition, arguments) {
                (inner, Expression::Number(body)) => return self.counted(&inner, &body.node),
                _ => return None,
            },
            _ => return None,
        };
        (view.number(number) != 0).then_some(listed)
    }

    /// Notes the sites of a region, and returns them as a sentence.
    pub fn region(&mut self, view: &View, sites: &Spanned<Sites>) -> String {
        let listed = values::sites(view.rules, &view.sites(&sites.node));
        let quoted = quote(view.rules, sites.span);
        match &sites.node {
            // The region follows from its parts.
            Sites::And(parts) | Sites::Or(parts) => {
                for part in parts {
                    self.note(
                        view.rules,
                        part.span,
                        values::sites(view.rules, &view.sites(&part.node)),
                    );
                }
            }
            Sites::Where(binder, condition) => {
                if let Domain::Sites(from) = &binder.domain {
                    self.note(
                        view.rules,
                        from.span,
                        values::sites(view.rules, &view.sites(&from.node)),
                    );
                }
                self.note(view.rules, condition.span, format!("holds for {listed}"));
            }
            _ => self.note(view.rules, sites.span, &listed),
        }
        format!("{quoted} contains {listed}")
    }

    /// Notes the player that a `case` selects, and returns the index of the branch.
    pub fn player(&mut self, view: &View, asked: &Spanned<PlayerOf>) -> usize {
        let found = view.player(&asked.node);
        self.note(view.rules, asked.span, player(view.rules, found));
        found.index()
    }

    /// Enters a definition and collects the values of its parameters.
    pub fn inside<'v>(
        &mut self,
        view: &View<'v>,
        definition: DefinitionId,
        arguments: &[Expression],
    ) -> (View<'v>, &'v Expression) {
        let (inner, body) = view.call(definition, arguments);
        if let Some(body) = body.expression() {
            self.bind(&inner, body.span());
        }
        (inner, body)
    }
}

/// Returns the span of a variable's domain.
pub fn span_of(domain: &Domain) -> Span {
    match domain {
        Domain::Sites(sites) => sites.span,
        Domain::Directions(directions) => directions.span,
        Domain::Players(span)
        | Domain::Team(_, span)
        | Domain::Pieces(_, span)
        | Domain::Numbers { span, .. }
        | Domain::Groups { span, .. } => *span,
    }
}
