//! Coverage of the rules: lists the clauses of a game, and counts how often each was executed, was
//! true, and decided a game, by running games in the reference interpreter.
//!
//! A clause is a statement (of the setup, a move, the order of play, the end, a repetition or a
//! definition), or a part of a condition: `(and A B)` has the parts A and B. Conditions in moves
//! are counted over all combinations of arguments, legal or not, in a sample of positions;
//! everything else as the game runs.

use super::game_rows::ClauseCounts;
use crate::language::rules::{Condition, Rules, Spanned, Statement};
use crate::language::visit::{Composite, StatementClass};
use crate::reference::{Event, Root, Tracer, View};
use crate::syntax::Span;
use std::collections::{BTreeMap, HashMap};

/// The kind of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseRole {
    /// A condition.
    Question,
    /// A choice or a roll; it is true if something is legal.
    Choice,
    /// An effect.
    Effect,
    /// An end of the game.
    Result,
}

/// A clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    pub span: Span,
    pub role: ClauseRole,
    /// Decisions inside this span are attributed to the clause: for the condition of an `if`, the
    /// whole `if`.
    pub whole: Span,
}

/// The clauses of a game, in source order.
pub struct Clauses {
    list: Vec<Clause>,
    numbers: HashMap<Span, usize>,
}

impl Clauses {
    /// Collects the clauses of a game.
    pub fn of(rules: &Rules) -> Clauses {
        let mut list = Vec::new();
        let lists = [&rules.setup, &rules.play, &rules.end].into_iter();
        lists.for_each(|statements| gather(statements, &mut list));
        rules.repetition.iter().for_each(|repetition| gather(&repetition.then, &mut list));
        rules.moves.iter().for_each(|rule| gather(&rule.body, &mut list));
        let definitions = rules.definitions.iter().map(|definition| definition.body.statements());
        definitions.for_each(|statements| gather(statements, &mut list));
        // Statements that the checker added have an empty span.
        list.retain(|clause: &Clause| !clause.span.is_empty());
        list.sort_by_key(|clause: &Clause| clause.span);
        list.dedup_by_key(|clause| clause.span);
        let numbers =
            list.iter().enumerate().map(|(number, clause)| (clause.span, number)).collect();
        Clauses { list, numbers }
    }

    /// Returns the clauses; the index is a clause's number.
    pub fn list(&self) -> &[Clause] {
        &self.list
    }
}

fn gather(statements: &[Spanned<Statement>], list: &mut Vec<Clause>) {
    for statement in statements {
        let span = statement.span;
        let mut add = |span: Span, role: ClauseRole| list.push(Clause { span, role, whole: span });
        match &statement.node {
            Statement::Require(condition)
            | Statement::While(condition, _)
            | Statement::Until(condition, _) => {
                each_part(condition, &mut |part| add(part.span, ClauseRole::Question));
            }
            Statement::If { condition, .. } => each_part(condition, &mut |part| {
                let whole = if part.span == condition.span { span } else { part.span };
                list.push(Clause { span: part.span, role: ClauseRole::Question, whole });
            }),
            other => match other.class() {
                StatementClass::Ply => add(span, ClauseRole::Choice),
                StatementClass::Result => add(span, ClauseRole::Result),
                StatementClass::Effect => add(span, ClauseRole::Effect),
                StatementClass::Control | StatementClass::Requirement | StatementClass::Order => {}
            },
        }
        statement.node.bodies().into_iter().for_each(|body| gather(body, list));
    }
}

/// Visits a condition and its operands, recursively, except constants.
fn each_part(condition: &Spanned<Condition>, found: &mut dyn FnMut(&Spanned<Condition>)) {
    match &condition.node {
        Condition::Constant(_) => return,
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| each_part(part, found))
        }
        Condition::Not(part) => each_part(part, found),
        Condition::Any(_)
        | Condition::None(_)
        | Condition::In(..)
        | Condition::Exists(..)
        | Condition::Every(..)
        | Condition::Compare(..)
        | Condition::Connected(..)
        | Condition::Can(..)
        | Condition::SamePlayer(..)
        | Condition::SameSite(..)
        | Condition::SameDirection(..)
        | Condition::SameKind(..)
        | Condition::ByPlayer(..)
        | Condition::Local(_)
        | Condition::Memory { .. }
        | Condition::Call(..) => {}
    }
    found(condition);
}

/// Counts the executions of clauses.
pub struct CoverageTracer<'c> {
    clauses: &'c Clauses,
    /// Whether a move is being made: its conditions are counted when all moves are tried.
    in_move: bool,
    /// The last clause by which a player has dropped out.
    dropped: Span,
    pub uses: BTreeMap<usize, ClauseCounts>,
}

impl<'c> CoverageTracer<'c> {
    pub fn new(clauses: &'c Clauses) -> CoverageTracer<'c> {
        CoverageTracer { clauses, in_move: false, dropped: Span::default(), uses: BTreeMap::new() }
    }

    /// Returns a tracer that counts only conditions, for trying moves.
    pub fn trying(&mut self) -> TrialTracer<'_, 'c> {
        TrialTracer(self)
    }

    fn count(&mut self, span: Span, held: bool, decided: bool) {
        if let Some(&number) = self.clauses.numbers.get(&span) {
            let found = self.uses.entry(number).or_default();
            found.asked += 1;
            found.held += u64::from(held);
            found.decided += u64::from(decided);
        }
    }

    /// Counts the clause by which the last player dropped out as deciding the game.
    fn count_decision(&mut self) {
        if let Some(number) = self.clauses.numbers.get(&self.dropped)
            && let Some(found) = self.uses.get_mut(number)
        {
            found.decided += 1;
        }
    }

    fn count_condition(&mut self, view: &View, condition: &Spanned<Condition>, holds: bool) {
        each_part(condition, &mut |part| {
            let holds =
                if part.span == condition.span { holds } else { view.condition(&part.node) };
            self.count(part.span, holds, false);
        });
    }
}

impl Tracer for CoverageTracer<'_> {
    fn begin(&mut self, part: Root) {
        self.in_move = matches!(part, Root::Move(_));
    }

    fn on_event(&mut self, view: &View, clause: Span, event: Event) {
        match event {
            Event::Required { condition, holds } | Event::Asked { condition, holds }
                if !self.in_move =>
            {
                self.count_condition(view, condition, holds);
            }
            Event::Asks { legal } => self.count(clause, legal, false),
            // A `let` is no clause and has no number; a change of its variable is a clause.
            Event::Done { .. } | Event::TurnEnds { .. } | Event::Named { .. } => {
                self.count(clause, true, false)
            }
            Event::DropsOut(_) => {
                self.dropped = clause;
                self.count(clause, true, false);
            }
            // The clause was counted when the player dropped out.
            Event::Over(_) if clause.is_empty() => self.count_decision(),
            Event::Over(_) => self.count(clause, true, true),
            Event::Required { .. }
            | Event::Asked { .. }
            | Event::Offered { .. }
            | Event::Unchosen { .. }
            | Event::Overchosen
            | Event::Repeated { .. }
            | Event::Scored { .. } => {}
        }
    }
}

/// Counts the conditions that are evaluated while moves are tried, but no effects.
pub struct TrialTracer<'t, 'c>(&'t mut CoverageTracer<'c>);

impl Tracer for TrialTracer<'_, '_> {
    fn on_event(&mut self, view: &View, _: Span, event: Event) {
        if let Event::Required { condition, holds } | Event::Asked { condition, holds } = event {
            self.0.count_condition(view, condition, holds);
        }
    }
}
