//! The expressions of rules with their places, and the values that their variables range over.

use crate::language::rules::{Definition, Domain, Local, Rules, Spanned, Statement, Value};
use crate::language::visit::{Composite, Expression, StatementClass};
use crate::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;

/// The values that a variable ranges over.
#[derive(Clone, Copy)]
pub enum Source<'r> {
    /// A parameter of a move, or the variable of a quantifier or a loop.
    Domain(&'r Domain),
    Let(&'r Value),
    /// A parameter of a definition, or a variable that stands for any value of its type.
    Any,
}

/// The expression or domain at a place of the rules.
#[derive(Clone, Copy)]
pub enum Target<'r> {
    Expression(Expression<'r>),
    /// A domain that is no expression: players, kinds of piece, numbers, groups.
    Domain(&'r Domain),
}

/// The expressions around a place, and all variables of the rules.
pub struct Scope<'r> {
    /// The smallest expression around the place.
    pub target: Option<Target<'r>>,
    /// Whether an effect of the same move precedes the target.
    pub follows_effect: bool,
    /// The innermost statement that contains the target.
    pub statement: Option<Span>,
    /// The statement that is being entered.
    entered: Option<Span>,
    pub sources: FxHashMap<Local, Source<'r>>,
    place: usize,
    /// The variables that are assigned.
    assigned: HashSet<Local>,
}

impl<'r> Scope<'r> {
    /// Looks for the smallest expression around a byte of the source of the rules.
    pub fn at(rules: &'r Rules, place: usize) -> Scope<'r> {
        let sources = FxHashMap::default();
        let mut scope = Scope {
            target: None,
            follows_effect: false,
            statement: None,
            entered: None,
            sources,
            place,
            assigned: rules.assigned(),
        };
        for rule in &rules.moves {
            for parameter in &rule.parameters {
                scope.bind(parameter.variable, &parameter.domain);
            }
            scope.sequence(&rule.body);
        }
        for definition in &rules.definitions {
            scope.defined(definition);
        }
        for throughout in rules.repetition.iter().flat_map(|repetition| &repetition.throughout) {
            scope.sources.insert(throughout.variable, Source::Any);
            scope.expression(Expression::Condition(&throughout.condition));
        }
        let repetition = rules.repetition.iter().flat_map(|repetition| &repetition.then);
        for statement in rules.setup.iter().chain(&rules.play).chain(&rules.end).chain(repetition) {
            scope.statement(statement);
        }
        for condition in rules.claims.iter().filter_map(|claim| claim.condition()) {
            scope.expression(Expression::Condition(condition));
        }
        scope
    }

    fn defined(&mut self, definition: &'r Definition) {
        for &parameter in &definition.parameters {
            self.sources.insert(parameter, Source::Any);
        }
        match definition.body.expression() {
            Some(body) => self.expression(body),
            None => {
                let before = self.span();
                self.sequence(definition.body.statements());
                // A statement may call the definition after an effect.
                self.follows_effect |= self.span() != before;
            }
        }
    }

    /// Enters statements that are executed one after the other.
    fn sequence(&mut self, statements: impl IntoIterator<Item = &'r Spanned<Statement>>) {
        let mut has_effect = false;
        for statement in statements {
            let before = self.span();
            self.statement(statement);
            self.follows_effect |= has_effect && self.span() != before;
            has_effect |= changes(&statement.node);
        }
    }

    fn statement(&mut self, statement: &'r Spanned<Statement>) {
        let node = &statement.node;
        self.entered = Some(statement.span);
        match node {
            Statement::Let(variable, value) => {
                let changes = self.assigned.contains(variable);
                let source = if changes { Source::Any } else { Source::Let(value) };
                self.sources.insert(*variable, source);
            }
            Statement::For(binder, _) => self.bind(binder.variable, &binder.domain),
            Statement::Then { parameters, .. } => {
                for parameter in parameters {
                    self.bind(parameter.variable, &parameter.domain);
                }
            }
            Statement::Chain { variable, .. } | Statement::ByScore(variable, _) => {
                self.sources.insert(*variable, Source::Any);
            }
            _ => {}
        }
        for part in node.parts() {
            self.expression(part);
        }
        self.sequence(node.bodies().into_iter().flatten());
        self.entered = None;
    }

    fn bind(&mut self, variable: Local, domain: &'r Domain) {
        self.sources.insert(variable, Source::Domain(domain));
        self.offer(Target::Domain(domain), domain.span());
        domain.parts().into_iter().for_each(|part| self.expression(part));
    }

    fn expression(&mut self, expression: Expression<'r>) {
        if let Some(binder) = expression.binder() {
            self.bind(binder.variable, &binder.domain);
        }
        self.offer(Target::Expression(expression), expression.span());
        for part in expression.parts() {
            self.expression(part);
        }
    }

    /// Takes an expression at the place if it is smaller than the current target. Of two
    /// expressions with the same span, the outer one comes first and is kept, unless it is only a
    /// domain.
    fn offer(&mut self, target: Target<'r>, span: Span) {
        if !(span.start <= self.place && self.place < span.end) {
            return;
        }
        let length = span.end - span.start;
        let is_better = match (self.span(), self.target) {
            (Some(known), Some(Target::Domain(_))) => length <= known.end - known.start,
            (Some(known), _) => length < known.end - known.start,
            (None, _) => true,
        };
        if is_better {
            self.target = Some(target);
            self.follows_effect = false;
            self.statement = self.entered;
        }
    }

    /// Returns the span of the target.
    pub fn span(&self) -> Option<Span> {
        Some(match self.target? {
            Target::Expression(expression) => expression.span(),
            Target::Domain(domain) => domain.span(),
        })
    }

    /// Lists the variables that the target needs, each after the variables that its own values
    /// depend on, and with an expression of its type.
    pub fn free(&self, target: Target<'r>) -> Vec<(Local, Option<Expression<'r>>)> {
        let mut free = Vec::new();
        let mut seen = FxHashSet::default();
        for part in target.parts() {
            self.collect(part, &mut seen, &mut free);
        }
        free
    }

    fn collect(
        &self,
        expression: Expression<'r>,
        seen: &mut FxHashSet<Local>,
        free: &mut Vec<(Local, Option<Expression<'r>>)>,
    ) {
        let bound = expression.binder().map(|binder| binder.variable);
        // A variable that is bound inside the target has a value there.
        let is_new = bound.is_some_and(|bound| seen.insert(bound));
        if let Some(local) = expression.local()
            && seen.insert(local)
        {
            match self.sources.get(&local) {
                Some(Source::Let(value)) => {
                    if let Some(value) = value.expression() {
                        self.collect(value, seen, free);
                    }
                }
                Some(Source::Domain(domain)) => {
                    for part in domain.parts() {
                        self.collect(part, seen, free);
                    }
                }
                Some(Source::Any) | None => {}
            }
            free.push((local, Some(expression)));
        }
        for part in expression.parts() {
            self.collect(part, seen, free);
        }
        if let Some(bound) = bound.filter(|_| is_new) {
            seen.remove(&bound);
        }
    }
}

impl<'r> Target<'r> {
    /// Lists the direct subexpressions.
    pub fn parts(self) -> Vec<Expression<'r>> {
        match self {
            Target::Expression(expression) => vec![expression],
            Target::Domain(domain) => domain.parts(),
        }
    }
}

/// Tests if a statement, or one inside it, changes the position.
fn changes(statement: &Statement) -> bool {
    matches!(statement, Statement::Do(..))
        || statement.class() == StatementClass::Effect
        || statement.bodies().into_iter().flatten().any(|inner| changes(&inner.node))
}
