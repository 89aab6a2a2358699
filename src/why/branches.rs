//! Finds the condition that led the order of play away from a move.
//!
//! Each choice of the order of play is guarded by the conditions of the `if`, `while` and `case`
//! around it. The first guard that had another value when it was last evaluated has decided. Guards
//! that also surround the current choice cannot have decided.

use super::notes::Notes;
use super::{Happening, HappeningKind, Note, Recorder};
use crate::engine::game::{Move, State};
use crate::language::rules::{Condition, MoveId, PlayerOf, Rules, Spanned, Statement};
use crate::language::visit::{Composite, Expression};
use crate::notation::clause::quote;
use crate::notation::player;
use crate::reference::{Interpreter, View};
use crate::syntax::Span;

/// The numbers of last plies that are replayed to find a condition's value: first few, then more.
const REPLAYED: [usize; 2] = [1, 16];

/// A condition that decided.
pub struct Decided {
    /// The condition.
    pub span: Span,
    /// A clause in words: `` `(any Capturers)` holds: `Capturers` contains a1 ``.
    pub text: String,
    pub notes: Vec<Note>,
}

/// A condition that must hold on the way to a choice.
#[derive(Clone, Copy)]
enum Guard<'r> {
    Holds(&'r Spanned<Condition>, bool),
    Is(&'r Spanned<PlayerOf>, usize),
}

impl Guard<'_> {
    /// Returns the identity of a guard.
    fn key(self) -> (Span, usize) {
        match self {
            Guard::Holds(condition, needed) => (condition.span, usize::from(needed)),
            Guard::Is(player, index) => (player.span, index),
        }
    }
}

/// A choice in the order of play with its guards, outermost first.
struct Choice<'r> {
    span: Span,
    moves: &'r [MoveId],
    guards: Vec<Guard<'r>>,
}

/// Finds the condition that led to the current choice instead of a choice of this move. `None` if
/// no condition prevents a choice of the move, so that it only comes at another time.
pub fn decided(position: &State, ply: &Move) -> Option<Decided> {
    let rules = position.game().rules();
    let now = position.game().program().decisions[position.decision()?].span;
    let mut choices = Vec::new();
    collect(rules, &rules.play, &mut Vec::new(), &mut choices);
    let here = choices.iter().filter(|choice| choice.span == now);
    let here: Vec<(Span, usize)> =
        here.flat_map(|choice| choice.guards.iter().map(|guard| guard.key())).collect();
    let mut history = History { position, replayed: None, happenings: Vec::new() };
    let against = |choice: &Choice| {
        let guards = choice.guards.iter().filter(|guard| !here.contains(&guard.key()));
        let mut decided = guards.filter_map(|guard| match *guard {
            Guard::Holds(condition, needed) => history.condition(condition, needed),
            Guard::Is(whose, index) => {
                let interpreter = Interpreter::at(position);
                branch(&interpreter.view(), whose, index)
            }
        });
        decided.next()
    };
    let elsewhere =
        choices.iter().filter(|choice| choice.span != now && choice.moves.contains(&ply.rule));
    let all: Option<Vec<Decided>> = elsewhere.map(against).collect();
    all?.into_iter().next()
}

/// Collects the choices of the order of play.
fn collect<'r>(
    rules: &'r Rules,
    statements: &'r [Spanned<Statement>],
    guards: &mut Vec<Guard<'r>>,
    choices: &mut Vec<Choice<'r>>,
) {
    for statement in statements {
        let span = statement.span;
        let mut behind = |guard, body: &'r [Spanned<Statement>]| {
            guards.push(guard);
            collect(rules, body, guards, choices);
            guards.pop();
        };
        match &statement.node {
            // Conditions that test who has dropped out are not in the text.
            Statement::If { condition, then, otherwise }
                if rules.is_turn_guard(&condition.node) =>
            {
                collect(rules, then, guards, choices);
                collect(rules, otherwise, guards, choices);
            }
            Statement::If { condition, then, otherwise } => {
                behind(Guard::Holds(condition, true), then);
                behind(Guard::Holds(condition, false), otherwise);
            }
            Statement::While(condition, body) => match rules.written(condition) {
                Some(condition) => behind(Guard::Holds(condition, true), body),
                None => collect(rules, body, guards, choices),
            },
            Statement::Until(condition, body) => behind(Guard::Holds(condition, false), body),
            Statement::ByPlayer(player, branches) => {
                for (index, body) in branches.iter().enumerate() {
                    behind(Guard::Is(player, index), body);
                }
            }
            Statement::Do(definition, _) => {
                let body = rules.definitions[definition.index()].body.statements();
                collect(rules, body, guards, choices);
            }
            other => {
                let moves = match other {
                    Statement::Choose { moves, .. } | Statement::Steps { moves, .. } => &moves[..],
                    Statement::Chance(rule) => std::slice::from_ref(rule),
                    _ => &[],
                };
                if !moves.is_empty() {
                    choices.push(Choice { span, moves, guards: guards.clone() });
                }
                for body in other.bodies() {
                    collect(rules, body, guards, choices);
                }
            }
        }
    }
}

/// The events before a position, replayed as far as they are needed.
struct History<'s> {
    position: &'s State,
    replayed: Option<usize>,
    happenings: Vec<Happening>,
}

impl History<'_> {
    /// Describes the last evaluation of a condition, if its value is not the needed one. For a
    /// position that was not reached by plies, the condition is evaluated now.
    fn condition(&mut self, condition: &Spanned<Condition>, needed: bool) -> Option<Decided> {
        let rules = self.position.game().rules();
        let quoted = quote(rules, condition.span);
        let does = if needed { "does not hold" } else { "holds" };
        let decided = |said: Option<String>, notes: Vec<Note>| {
            let said = said.map(|said| format!(": {said}")).unwrap_or_default();
            Decided { span: condition.span, text: format!("{quoted} {does}{said}"), notes }
        };
        for plies in REPLAYED {
            self.replay(plies);
            let asked = self.happenings.iter().rev().find(|happening| {
                happening.kind == HappeningKind::Condition && happening.span == condition.span
            });
            if let Some(asked) = asked {
                let said =
                    Some(asked.text.clone()).filter(|said| !said.starts_with("the condition is "));
                return (asked.holds != needed).then(|| decided(said, asked.notes.clone()));
            }
        }
        let interpreter = Interpreter::at(self.position);
        let view = interpreter.view();
        if !is_known(&view, Expression::Condition(condition))
            || view.condition(&condition.node) == needed
        {
            return None;
        }
        let mut notes = Notes::default();
        let said = notes.condition(&view, condition);
        (!interpreter.is_exhausted()).then(|| decided(said, notes.notes))
    }

    /// Replays the last plies; if these are all plies, also the setup.
    fn replay(&mut self, plies: usize) {
        let all = self.position.plies();
        let plies = plies.min(all.len());
        if self.replayed >= Some(plies) {
            return;
        }
        let mut recorder = Recorder::default();
        let mut earlier = self.position.clone();
        while earlier.ply_count() + plies > all.len() && earlier.undo() {}
        if plies == all.len() {
            let rules = self.position.game().rules();
            let begun = Interpreter::start(rules, &mut recorder);
            if !begun.is_ok_and(|begun| *begun.snapshot() == earlier.snapshot()) {
                recorder = Recorder::default();
            }
        }
        let mut interpreter = Interpreter::with_past(&earlier);
        for ply in &all[all.len() - plies..] {
            if interpreter.play(ply, &mut recorder).is_err() {
                break;
            }
        }
        self.replayed = Some(plies);
        self.happenings = recorder.happenings;
    }
}

/// Describes the player that a `case` selects, if this is not the needed branch.
fn branch(view: &View, whose: &Spanned<PlayerOf>, needed: usize) -> Option<Decided> {
    if !is_known(view, Expression::Player(whose)) {
        return None;
    }
    let found = view.player(&whose.node);
    let text = format!("{} is {}", quote(view.rules, whose.span), player(view.rules, found));
    (found.index() != needed).then(|| Decided { span: whose.span, text, notes: Vec::new() })
}

/// Tests if every variable that an expression uses but does not bind has a value.
fn is_known(view: &View, expression: Expression) -> bool {
    let (mut used, mut bound) = (Vec::new(), Vec::new());
    for expression in expression.descendants() {
        used.extend(expression.local());
        bound.extend(expression.binder().map(|binder| binder.variable));
    }
    bound.extend(view.variables.list().into_iter().map(|(local, _)| local));
    used.iter().all(|local| bound.contains(local))
}
