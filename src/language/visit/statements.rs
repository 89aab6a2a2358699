//! Statements: what they do, and what whole rules hold.

use super::super::rules::{Condition, Local, MoveId, MoveRule, Rules, Spanned, Statement};
use super::{Composite, Expression};
use std::collections::HashSet;

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementClass {
    /// Only says when, how often or with which values other statements are executed.
    Control,
    /// Makes a move illegal where its condition fails.
    Requirement,
    /// Changes the position.
    Effect,
    /// A turn, a phase or a loop of the order of play.
    Order,
    /// A point at which a player or chance chooses.
    Ply,
    /// Ends the game, or forbids a ply that repeats a position.
    Result,
}

impl Statement {
    /// Returns the moves with which the piece that one of them moves goes on.
    pub fn go_on(&self) -> &[MoveId] {
        if let Statement::Choose { go_on, .. } = self { go_on } else { &[] }
    }

    /// Returns the moves that a player can choose in it, those inside it left alone.
    pub fn chosen(&self) -> Vec<MoveId> {
        match self {
            Statement::Choose { moves, go_on, .. } => [&moves[..], go_on].concat(),
            Statement::Steps { moves, .. } => moves.clone(),
            _ => Vec::new(),
        }
    }

    /// What it does, those inside it left alone.
    pub fn class(&self) -> StatementClass {
        match self {
            Statement::Let(..)
            | Statement::If { .. }
            | Statement::For(..)
            | Statement::ByPlayer(..)
            | Statement::Chain { .. }
            | Statement::Join(_)
            | Statement::Then { .. }
            | Statement::Do(..) => StatementClass::Control,
            Statement::Require(_) => StatementClass::Requirement,
            Statement::Put { .. }
            | Statement::Remove { .. }
            | Statement::Relocate { .. }
            | Statement::Shift { .. }
            | Statement::Swap(..)
            | Statement::Convert { .. }
            | Statement::Replace { .. }
            | Statement::Cut(_)
            | Statement::SetNumber { .. }
            | Statement::Raise { .. }
            | Statement::Lower { .. }
            | Statement::SetSite { .. }
            | Statement::SetSites { .. }
            | Statement::SetPlayer { .. }
            | Statement::SetKind { .. }
            | Statement::SetDirection { .. }
            | Statement::SetCondition { .. }
            | Statement::Mark { .. }
            | Statement::Unmark { .. }
            | Statement::DropOut(_)
            | Statement::Assign(..)
            | Statement::EndTurn
            | Statement::ExtraTurn => StatementClass::Effect,
            Statement::Forever(_)
            | Statement::While(..)
            | Statement::Until(..)
            | Statement::Repeat(..)
            | Statement::Turns(_)
            | Statement::Turn(..)
            | Statement::Phase(..) => StatementClass::Order,
            Statement::Choose { .. } | Statement::Chance(_) | Statement::Steps { .. } => {
                StatementClass::Ply
            }
            Statement::Win(_)
            | Statement::Lose(_)
            | Statement::Draw
            | Statement::Illegal
            | Statement::ByScore(..) => StatementClass::Result,
        }
    }
}

impl Rules {
    /// Iterates over all statements of the rules, nested ones included, in no particular order.
    pub fn statements(&self) -> impl Iterator<Item = &Spanned<Statement>> {
        let mut left: Vec<&Spanned<Statement>> =
            self.repetition.iter().flat_map(|rule| &rule.then).collect();
        left.extend(self.setup.iter().chain(&self.play).chain(&self.end));
        left.extend(self.moves.iter().flat_map(|rule| &rule.body));
        left.extend(self.definitions.iter().flat_map(|definition| definition.body.statements()));
        std::iter::from_fn(move || {
            let statement = left.pop()?;
            left.extend(statement.node.bodies().into_iter().flatten());
            Some(statement)
        })
    }

    /// Iterates over all expressions of the rules, those inside others included, in no particular
    /// order.
    pub fn expressions(&self) -> impl Iterator<Item = Expression<'_>> {
        let definitions = self.definitions.iter();
        let parameters = self.moves.iter().flat_map(|rule| &rule.parameters);
        let throughout = self.repetition.iter().flat_map(|rule| &rule.throughout);
        let statements = self.statements().flat_map(|statement| statement.node.parts());
        let all = statements
            .chain(definitions.filter_map(|definition| definition.body.expression()))
            .chain(parameters.flat_map(|parameter| parameter.domain.parts()))
            .chain(throughout.map(|throughout| Expression::Condition(&throughout.condition)));
        all.flat_map(Expression::descendants)
    }

    /// Returns the variables that some statement gives another value.
    pub fn assigned(&self) -> HashSet<Local> {
        let assigned = self.statements().filter_map(|statement| match statement.node {
            Statement::Assign(local, _) => Some(local),
            _ => None,
        });
        assigned.collect()
    }

    /// Tests if `such` holds of a statement of the setup, the order of play, the end or a move, or
    /// of a statement inside it or in a definition that it uses.
    pub fn any_holds(&self, such: &impl Fn(&Statement) -> bool) -> bool {
        let moves = self.moves.iter().map(|rule| &rule.body);
        let mut all = moves.chain([&self.setup, &self.play, &self.end]).flatten();
        all.any(|statement| self.holds(&statement.node, such))
    }

    /// Tests if `such` holds of the expression, or of an expression inside it, in a definition that
    /// it uses or in a move that it asks for.
    pub fn mentions(&self, expression: Expression, such: impl Fn(Expression) -> bool) -> bool {
        let mut left = vec![expression];
        let mut seen = vec![false; self.definitions.len()];
        let mut seen_moves = vec![false; self.moves.len()];
        while let Some(expression) = left.pop() {
            if such(expression) {
                return true;
            }
            if let Expression::Condition(Spanned { node: Condition::Can(_, moves), .. }) =
                expression
            {
                for id in moves {
                    if !std::mem::replace(&mut seen_moves[id.index()], true) {
                        left.extend(self.expressions_of(&self.moves[id.index()], &mut seen));
                    }
                }
            }
            if let Some(definition) = expression.definition()
                && !std::mem::replace(&mut seen[definition.index()], true)
            {
                left.extend(self.definitions[definition.index()].body.expression());
            }
            left.extend(expression.parts());
        }
        false
    }

    /// Lists statements with all that are inside them and in the definitions that they use.
    pub fn reachable<'r>(
        &'r self,
        from: impl IntoIterator<Item = &'r Spanned<Statement>>,
    ) -> Vec<&'r Statement> {
        self.reachable_unseen(from, &mut vec![false; self.definitions.len()])
    }

    /// Implements [`Rules::reachable`], skipping definitions that were seen already.
    fn reachable_unseen<'r>(
        &'r self,
        from: impl IntoIterator<Item = &'r Spanned<Statement>>,
        seen: &mut [bool],
    ) -> Vec<&'r Statement> {
        let mut left: Vec<_> = from.into_iter().collect();
        let mut found = Vec::new();
        while let Some(statement) = left.pop() {
            if let Statement::Do(id, _) = statement.node
                && !std::mem::replace(&mut seen[id.index()], true)
            {
                left.extend(self.definitions[id.index()].body.statements());
            }
            left.extend(statement.node.bodies().into_iter().flatten());
            found.push(&statement.node);
        }
        found
    }

    /// Lists the expressions of a move, except those inside them; with those of the definitions of
    /// statements that it calls and that were not seen before.
    fn expressions_of<'r>(&'r self, rule: &'r MoveRule, seen: &mut [bool]) -> Vec<Expression<'r>> {
        let domains = rule.parameters.iter().filter_map(|parameter| parameter.domain.expression());
        let mut expressions: Vec<Expression> = domains.collect();
        let statements = self.reachable_unseen(&rule.body, seen);
        expressions.extend(statements.into_iter().flat_map(|statement| statement.parts()));
        expressions
    }

    /// Tests if `such` holds for a statement, one nested in it, or one in a definition that it
    /// calls.
    pub fn holds(&self, statement: &Statement, such: &impl Fn(&Statement) -> bool) -> bool {
        self.holds_unseen(statement, such, &mut vec![false; self.definitions.len()])
    }

    /// Tests if a statement belongs to the order of play: it contains a ply, a turn, a phase or a
    /// loop.
    pub fn belongs_to_flow(&self, statement: &Statement) -> bool {
        self.holds(statement, &|inner| {
            matches!(inner.class(), StatementClass::Ply | StatementClass::Order)
        })
    }

    /// Implements [`Rules::holds`], skipping definitions that were searched already.
    fn holds_unseen(
        &self,
        statement: &Statement,
        such: &impl Fn(&Statement) -> bool,
        seen: &mut [bool],
    ) -> bool {
        if such(statement) {
            return true;
        }
        if let Statement::Do(definition, _) = statement
            && let Some(seen_before) = seen.get_mut(definition.index())
            && !std::mem::replace(seen_before, true)
            && self.definitions[definition.index()]
                .body
                .statements()
                .iter()
                .any(|statement| self.holds_unseen(&statement.node, such, seen))
        {
            return true;
        }
        statement
            .bodies()
            .into_iter()
            .flatten()
            .any(|statement| self.holds_unseen(&statement.node, such, seen))
    }
}
