//! Moves: their domains, legality and effect.
//!
//! Legality is decided by executing the move on a copy of the position. The plies of a `steps` also
//! need [`CompletionSearch`], a memoized search for the longest completion.

use super::expressions::View;
use super::flow::{Flow, Stop, TurnEnd};
use super::statement_list::Root;
use super::tracer::{Event, NoopTracer, Tracer};
use super::values::{ONE, Value, Variables};
use crate::engine::game::{Argument, Move};
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{Condition, MoveId, Parameter, Spanned, Statement};
use crate::syntax::Span;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The result of a move or of a whole ply.
pub struct AfterMove {
    pub snapshot: Snapshot,
    pub outcome: Option<Outcome>,
    /// How the turn ends with the ply; `None` if it continues.
    pub turn_end: Option<TurnEnd>,
}

/// Executes the body of a move on a copy of the position.
///
/// # Errors
/// Returns the requirement that fails, the choice that is illegal or missing, or the clause at
/// which the fuel runs out.
pub fn make(view: &View, ply: &Move, tracer: &mut dyn Tracer) -> Result<AfterMove, Span> {
    let rule = &view.rules.moves[ply.rule.index()];
    let (chosen, further) = ply.arguments.split_at(ply.arguments.len().min(rule.parameters.len()));
    tracer.begin(Root::Move(ply.rule));
    let mut trial = Trial::new(view, ply.rule, chosen);
    let mut stop = trial.run(view, tracer);
    match &stop {
        Stop::Then if further.is_empty() => {
            if let Some(span) = trial.unchosen(view, tracer) {
                return Err(span);
            }
            trial.flow.skip_then();
            stop = trial.run(view, tracer);
        }
        Stop::Then => {
            trial.choose(view, further, tracer)?;
            stop = trial.run(view, tracer);
        }
        Stop::Done | Stop::Over(_) if !further.is_empty() => {
            tracer.on_event(&view.at(&trial.snapshot), rule.span, Event::Overchosen);
            return Err(rule.span);
        }
        _ => {}
    }
    let Trial { snapshot, flow } = trial;
    let mut after = AfterMove { snapshot, outcome: None, turn_end: flow.turn_end };
    finish(stop, &mut after).map(|()| after)
}

/// A move in the course of execution.
#[derive(Clone)]
struct Trial {
    snapshot: Snapshot,
    flow: Flow,
}

impl Trial {
    /// Starts with the arguments chosen before the first effect.
    fn new(view: &View, rule: MoveId, chosen: &[Argument]) -> Trial {
        let mut variables = Variables::default();
        for (parameter, argument) in view.rules.moves[rule.index()].parameters.iter().zip(chosen) {
            variables = variables.with(parameter.variable, value(*argument));
        }
        let flow = Flow::new(Root::Move(rule), variables, view.mover);
        Trial { snapshot: view.snapshot.clone(), flow }
    }

    fn run(&mut self, view: &View, tracer: &mut dyn Tracer) -> Stop {
        self.flow.run(view.rules, &mut self.snapshot, view.fuel, tracer)
    }

    /// Returns the parameters of the current `then`.
    fn parameters<'r>(&self, view: &View<'r>) -> &'r [Parameter] {
        match &self.flow.statement(view.rules).node {
            Statement::Then { parameters, .. } => parameters,
            other => unreachable!("expected a choice, found {other:?}"),
        }
    }

    /// Chooses at the current `then`.
    fn choose(
        &mut self,
        view: &View,
        chosen: &[Argument],
        tracer: &mut dyn Tracer,
    ) -> Result<(), Span> {
        let mut here = self.flow.view(view.rules, &self.snapshot, view.fuel);
        let mut previous = None;
        for (parameter, argument) in self.parameters(view).iter().zip(chosen) {
            let chosen = value(*argument);
            let offered = offered(&here, parameter, previous).contains(&chosen);
            let event = Event::Offered { parameter, chosen: &chosen, offered };
            tracer.on_event(&here, parameter.span, event);
            if !offered {
                return Err(parameter.span);
            }
            here = here.with(parameter.variable, chosen);
            previous = Some(*argument);
        }
        let variables = here.variables;
        self.flow.enter_then(variables);
        Ok(())
    }

    /// Returns the clause of the current `then` if something can be chosen there.
    fn unchosen(&self, view: &View, tracer: &mut dyn Tracer) -> Option<Span> {
        let possible = self.for_each_further(view, &mut Vec::new(), &mut |trial, _| match trial
            .clone()
            .run(view, &mut NoopTracer)
        {
            Stop::Done | Stop::Over(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        let parameters = self.parameters(view);
        let span = parameters.first().map(|parameter| parameter.span);
        span.filter(|_| possible.is_break()).inspect(|&span| {
            let here = self.flow.view(view.rules, &self.snapshot, view.fuel);
            tracer.on_event(&here, span, Event::Unchosen { parameters });
        })
    }

    /// Calls `found` with every choice at the current `then`, legal or not, until it breaks.
    /// `chosen` holds the arguments chosen there so far.
    fn for_each_further(
        &self,
        view: &View,
        chosen: &mut Vec<Value>,
        found: &mut dyn FnMut(&Trial, &[Value]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let parameters = self.parameters(view);
        let mut here = self.flow.view(view.rules, &self.snapshot, view.fuel);
        for (parameter, value) in parameters.iter().zip(chosen.iter()) {
            here = here.with(parameter.variable, value.clone());
        }
        let Some(parameter) = parameters.get(chosen.len()) else {
            let variables = here.variables;
            let mut trial = self.clone();
            trial.flow.enter_then(variables);
            return found(&trial, chosen);
        };
        for value in offered(&here, parameter, chosen.last().map(argument)) {
            chosen.push(value);
            self.for_each_further(view, chosen, found)?;
            chosen.pop();
        }
        ControlFlow::Continue(())
    }
}

/// Executes a move and then the end conditions.
///
/// # Errors
/// As [`make`].
pub fn make_ply(view: &View, ply: &Move, tracer: &mut dyn Tracer) -> Result<AfterMove, Span> {
    let mut after = make(view, ply, tracer)?;
    if after.outcome.is_none() {
        follow(view, &mut after, Root::End, tracer)?;
    }
    Ok(after)
}

/// Executes statements without decisions.
fn follow(
    view: &View,
    after: &mut AfterMove,
    root: Root,
    tracer: &mut dyn Tracer,
) -> Result<(), Span> {
    let mut flow = Flow::new(root, Variables::default(), view.mover);
    tracer.begin(root);
    let stop = flow.run(view.rules, &mut after.snapshot, view.fuel, tracer);
    after.turn_end = flow.turn_end.or(after.turn_end);
    finish(stop, after)
}

/// Records how statements without decisions have ended.
fn finish(stop: Stop, after: &mut AfterMove) -> Result<(), Span> {
    match stop {
        Stop::Done => {}
        Stop::Over(outcome) => after.outcome = Some(outcome),
        Stop::Refused(span) | Stop::OutOfFuel(span) => return Err(span),
        Stop::Decision | Stop::Arrival => unreachable!("there are no decisions within a ply"),
        Stop::Then => unreachable!("nothing is chosen after a `then`"),
    }
    Ok(())
}

/// Returns the index of the first parameter whose argument is not in its domain. [`make`] checks
/// the arguments of a `then`.
pub fn first_out_of_domain(view: &View, ply: &Move, tracer: &mut dyn Tracer) -> Option<usize> {
    let mut view = view.clone();
    view.variables = Variables::default();
    let mut previous = None;
    for (index, (parameter, argument)) in
        view.rules.moves[ply.rule.index()].parameters.iter().zip(&ply.arguments).enumerate()
    {
        let chosen = value(*argument);
        let offered = offered(&view, parameter, previous).contains(&chosen);
        tracer.on_event(
            &view,
            parameter.span,
            Event::Offered { parameter, chosen: &chosen, offered },
        );
        if !offered {
            return Some(index);
        }
        view = view.with(parameter.variable, chosen);
        previous = Some(*argument);
    }
    None
}

/// Lists the possible values of a parameter, given the argument before it.
fn offered(view: &View, parameter: &Parameter, previous: Option<Argument>) -> Vec<Value> {
    let mut values = view.domain(&parameter.domain);
    if parameter.alike {
        values.retain(|value| Some(argument(value)) > previous);
    }
    values
}

fn value(argument: Argument) -> Value {
    match argument {
        Argument::Site(site) => Value::Site(Some(site)),
        Argument::Direction(direction) => Value::Direction(Some(direction)),
        Argument::Number(number) => Value::Number(ONE * i128::from(number)),
        Argument::Piece(piece) => Value::Piece(Some(piece)),
    }
}

fn argument(value: &Value) -> Argument {
    match value {
        Value::Site(Some(site)) => Argument::Site(*site),
        Value::Direction(Some(direction)) => Argument::Direction(*direction),
        Value::Number(number) => Argument::Number((number / ONE) as i32),
        Value::Piece(Some(piece)) => Argument::Piece(*piece),
        other => unreachable!("{other:?} is nothing to choose"),
    }
}

/// Lists the legal instances of the moves, without repetition.
pub fn choices(view: &View, moves: &[MoveId]) -> Vec<Move> {
    let mut legal = Vec::new();
    let _ = for_each_choice(view, moves, &mut |ply| {
        if !legal.contains(&ply) && make(view, &ply, &mut NoopTracer).is_ok() {
            legal.push(ply);
        }
        ControlFlow::Continue(())
    });
    legal
}

/// Tests if any of the moves has a legal instance.
pub fn has_choice(view: &View, moves: &[MoveId]) -> bool {
    first_choice(view, moves).is_some()
}

/// Returns the first legal instance of the moves.
pub fn first_choice(view: &View, moves: &[MoveId]) -> Option<Move> {
    let mut first = None;
    let _ = for_each_choice(view, moves, &mut |ply| match make(view, &ply, &mut NoopTracer) {
        Ok(_) => {
            first = Some(ply);
            ControlFlow::Break(())
        }
        Err(_) => ControlFlow::Continue(()),
    });
    first
}

/// Calls `found` with every instance of the moves, legal or not, until it breaks.
pub fn for_each_choice(
    view: &View,
    moves: &[MoveId],
    found: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let view = View { variables: Variables::default(), ..view.clone() };
    moves.iter().try_for_each(|&rule| for_each_choice_of(&view, rule, &mut Vec::new(), found))
}

fn for_each_choice_of(
    view: &View,
    rule: MoveId,
    chosen: &mut Vec<Argument>,
    found: &mut dyn FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(parameter) = view.rules.moves[rule.index()].parameters.get(chosen.len()) else {
        found(Move { rule, arguments: chosen.clone() })?;
        if view.rules.moves[rule.index()].further.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut trial = Trial::new(view, rule, chosen);
        let Stop::Then = trial.run(view, &mut NoopTracer) else {
            return ControlFlow::Continue(());
        };
        return trial.for_each_further(view, &mut Vec::new(), &mut |_, further| {
            let further = further.iter().map(argument);
            found(Move { rule, arguments: chosen.iter().copied().chain(further).collect() })
        });
    };
    for value in offered(view, parameter, chosen.last().copied()) {
        chosen.push(argument(&value));
        for_each_choice_of(&view.with(parameter.variable, value), rule, chosen, found)?;
        chosen.pop();
    }
    ControlFlow::Continue(())
}

/// Maximum depth of the search in plies. It recurses once per ply, and real turns are far shorter.
const MAX_LOOKAHEAD: i128 = 200;

/// Searches for the longest completion of a `steps`, memoized by position and plies left.
pub struct CompletionSearch<'a> {
    /// The view of the `steps` statement.
    pub view: &'a View<'a>,
    pub moves: &'a [MoveId],
    pub ending: &'a Spanned<Condition>,
    /// Whether there is a turn that a ply can end.
    pub in_turn: bool,
    memo: HashMap<(Snapshot, i128), Option<i128>>,
}

impl<'a> CompletionSearch<'a> {
    /// Starts a search with an empty memo.
    pub fn new(
        view: &'a View<'a>,
        moves: &'a [MoveId],
        ending: &'a Spanned<Condition>,
        in_turn: bool,
    ) -> CompletionSearch<'a> {
        CompletionSearch { view, moves, ending, in_turn, memo: HashMap::new() }
    }

    /// Lists the moves that start a longest completion.
    pub fn legal(&mut self, left: i128) -> Vec<Move> {
        let most = self.most(self.view.snapshot, left);
        if most.is_none_or(|most| most == 0) {
            return Vec::new();
        }
        let view = self.view;
        let mut legal = Vec::new();
        let _ = for_each_choice(view, self.moves, &mut |ply| {
            if !legal.contains(&ply) && self.most_with(view.snapshot, left, &ply) == most {
                legal.push(ply);
            }
            ControlFlow::Continue(())
        });
        legal
    }

    /// Returns the largest number of plies, at most `left`, after which the condition can hold;
    /// `None` if it cannot be made to hold.
    pub fn most(&mut self, snapshot: &Snapshot, left: i128) -> Option<i128> {
        let key = (snapshot.clone(), left);
        if let Some(&most) = self.memo.get(&key) {
            return most;
        }
        if left > MAX_LOOKAHEAD {
            self.view.fuel.drain();
        }
        // If the condition holds already, making no further ply is a completion.
        let mut most = self.holds(snapshot).then_some(0);
        if left > 0 && !self.view.fuel.is_empty() {
            let moves = self.moves;
            let view = self.view.at(snapshot);
            let _ = for_each_choice(&view, moves, &mut |ply| {
                most = most.max(self.most_with(snapshot, left, &ply));
                // A completion cannot be longer than the number of plies left.
                if most == Some(left) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        self.memo.insert(key, most);
        most
    }

    /// As [`CompletionSearch::most`] with this ply first; also `None` if the ply is illegal.
    pub fn most_with(&mut self, snapshot: &Snapshot, left: i128, ply: &Move) -> Option<i128> {
        let after = make_ply(&self.view.at(snapshot), ply, &mut NoopTracer).ok()?;
        if after.outcome.is_some() || after.turn_end.is_some() && self.in_turn {
            // A ply that ends the game or the turn completes the sequence.
            self.holds(&after.snapshot).then_some(left)
        } else {
            self.most(&after.snapshot, left - 1).map(|further| 1 + further)
        }
    }

    fn holds(&self, snapshot: &Snapshot) -> bool {
        self.view.at(snapshot).condition(&self.ending.node)
    }
}
