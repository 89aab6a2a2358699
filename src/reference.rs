//! The reference interpreter: executes typed rules directly, site by site, as simply as possible.
//!
//! The engine is tested against it, and it explains the engine's decisions: a [`Tracer`] receives
//! every executed clause with its span and the values of its variables. As an independent check, it
//! executes no compiled code; it only reads positions from the engine ([`Interpreter::at`]).

mod effects;
mod expressions;
mod flow;
mod list_frame;
mod moves;
mod passages;
mod position;
mod recurrence;
mod resume;
mod statement_list;
mod tracer;
mod values;

pub use effects::Clamped;
pub use expressions::{View, is_out};
pub use moves::first_choice;
pub use statement_list::Root;
pub use tracer::{Event, NoopTracer, Tracer};
pub use values::{ONE, Region, Value, Variables};

use crate::budget::Fuel;
use crate::engine::game::{Fault, Move, PlayError, State, Turn};
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{MoveId, PlayerId, Rules, Statement};
use crate::syntax::Span;
use flow::{Flow, Stop};
use moves::CompletionSearch;
use recurrence::Occurrence;

/// The fuel of a decision, in expressions and statements evaluated: a few seconds. Rules that do
/// not terminate become an error, not a hang.
const FUEL: u64 = 10_000_000;

/// A game in progress under the reference semantics.
#[derive(Clone)]
pub struct Interpreter<'r> {
    rules: &'r Rules,
    snapshot: Snapshot,
    /// The order of play, suspended at the decision; meaningless once the game is over.
    flow: Flow,
    /// All positions so far including the current one, if the rules have a repetition clause.
    past: Vec<Occurrence>,
    /// The number of plies made, as far as they are known.
    plies: usize,
    outcome: Option<Outcome>,
    fuel: Fuel,
}

/// What forbids a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegality {
    /// The game is over.
    Over,
    /// The move is not in the current choice.
    NotNow,
    /// The argument for the parameter with this index is outside its domain.
    NotOffered(usize),
    /// The requirement at this span fails.
    Requirement(Span),
    /// The move would repeat the position after this number of plies, which the rule of repetition
    /// forbids.
    Repeats(usize),
}

/// The longest possible continuations of a `steps` after which its condition holds; `None` if no
/// continuation reaches the condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// Plies left.
    pub left: i128,
    /// The longest continuation before the move.
    pub most: Option<i128>,
    /// The longest continuation that starts with the move, which counts.
    pub with: Option<i128>,
}

impl<'r> Interpreter<'r> {
    /// Sets up the board and runs to the first decision.
    ///
    /// # Errors
    /// Fails if the fuel runs out before the first decision.
    pub fn start(rules: &'r Rules, tracer: &mut dyn Tracer) -> Result<Interpreter<'r>, Fault> {
        let first = PlayerId(0);
        let mut interpreter = Interpreter {
            rules,
            snapshot: Snapshot::empty(rules),
            flow: Flow::new(Root::Play, Variables::default(), first)
                .arriving(rules.forbids_repetition()),
            past: Vec::new(),
            plies: 0,
            outcome: None,
            fuel: Fuel::new(FUEL),
        };
        interpreter.run_part(Root::Setup, first, tracer)?;
        if interpreter.outcome.is_none() {
            // Nothing is illegal before the first ply.
            let _ = interpreter.run_to_decision(None, tracer)?;
        }
        Ok(interpreter)
    }

    /// Starts at the position of a match, with an empty history. See [`Interpreter::with_past`].
    pub fn at(position: &'r State) -> Interpreter<'r> {
        Interpreter::at_snapshot(position, position.game().rules())
    }

    /// Starts at a position of a game with these rules, with an empty history.
    fn at_snapshot(position: &State, rules: &'r Rules) -> Interpreter<'r> {
        let fuel = Fuel::new(FUEL);
        let snapshot = position.snapshot();
        let begun = Flow::new(Root::Play, Variables::default(), PlayerId(0));
        let flow = resume::suspended_flow(position, &snapshot, &fuel).unwrap_or(begun);
        let flow = flow.arriving(rules.forbids_repetition());
        Interpreter {
            rules,
            snapshot,
            flow,
            past: Vec::new(),
            plies: 0,
            outcome: position.outcome(),
            fuel,
        }
    }

    /// Tests if another interpreter has the same position, point in the order of play and history.
    pub fn is_at(&self, other: &Interpreter) -> bool {
        let is_same_point =
            self.outcome.is_some() || self.flow == other.flow && self.past == other.past;
        self.snapshot == other.snapshot && self.outcome == other.outcome && is_same_point
    }

    /// Returns the rules that are executed.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Returns who is to act.
    pub fn turn(&self) -> Turn {
        if self.outcome.is_some() {
            return Turn::Nobody;
        }
        match self.flow.statement(self.rules).node {
            Statement::Chance(_) => Turn::Chance,
            _ => Turn::Player(self.flow.mover()),
        }
    }

    /// Returns the result once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns the current board and memories.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the span of the statement that asks for the ply; `None` when the game is over.
    pub fn decision(&self) -> Option<Span> {
        self.outcome.is_none().then(|| self.flow.statement(self.rules).span)
    }

    /// Returns the statement that asks for the ply; `None` when the game is over.
    pub fn statement(&self) -> Option<&'r Statement> {
        self.outcome.is_none().then(|| &self.flow.statement(self.rules).node)
    }

    /// Returns the view of the statement that asks for the ply.
    ///
    /// # Panics
    /// If the game is over.
    pub fn view(&self) -> View<'_> {
        self.fuel.refill();
        self.flow.view(self.rules, &self.snapshot, &self.fuel)
    }

    /// Lists the legal moves without repetition; empty when the game is over.
    pub fn legal(&self) -> Vec<Move> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        self.fuel.refill();
        self.listed()
    }

    /// Lists the legal moves with the remaining fuel.
    fn listed(&self) -> Vec<Move> {
        let view = self.flow.view(self.rules, &self.snapshot, &self.fuel);
        match &self.flow.statement(self.rules).node {
            Statement::Steps { moves, ending, .. } => {
                CompletionSearch::new(&view, moves, ending, self.flow.is_in_turn())
                    .legal(self.flow.steps_left())
            }
            _ => {
                let mut legal = moves::choices(&view, self.choice());
                legal.retain(|ply| self.repeats(ply).is_none());
                legal
            }
        }
    }

    /// Returns the moves of the current choice.
    fn choice(&self) -> &'r [MoveId] {
        match &self.flow.statement(self.rules).node {
            Statement::Choose { moves, .. } | Statement::Steps { moves, .. } => moves,
            Statement::Chance(rule) => std::slice::from_ref(rule),
            _ => &[],
        }
    }

    /// Tries a move and returns what forbids it. `None` does not prove that the move is legal: the
    /// completion of `steps` ([`Interpreter::lookahead`]) and the end conditions are not checked.
    /// The answer is valid only if not [`Interpreter::is_exhausted`].
    pub fn illegality(&self, ply: &Move, tracer: &mut dyn Tracer) -> Option<Illegality> {
        if self.outcome.is_some() {
            return Some(Illegality::Over);
        }
        if !self.choice().contains(&ply.rule) {
            return Some(Illegality::NotNow);
        }
        let view = self.view();
        tracer.begin(Root::Move(ply.rule));
        match moves::first_out_of_domain(&view, ply, tracer) {
            Some(parameter) => Some(Illegality::NotOffered(parameter)),
            None => match moves::make(&view, ply, tracer) {
                Err(span) => Some(Illegality::Requirement(span)),
                Ok(_) => self.repeats(ply).map(Illegality::Repeats),
            },
        }
    }

    /// Traces every move of the current choice, legal or not, up to the clause that forbids it.
    pub fn trace_all_moves(&self, tracer: &mut dyn Tracer) {
        self.trace_all_moves_while(tracer, &|| true);
    }

    /// As [`Interpreter::trace_all_moves`], but stops once `should_continue`, called after every
    /// move, returns false.
    pub fn trace_all_moves_while(
        &self,
        tracer: &mut dyn Tracer,
        should_continue: &dyn Fn() -> bool,
    ) {
        if self.outcome.is_some() {
            return;
        }
        let view = self.view();
        let _ = moves::for_each_choice(&view, self.choice(), &mut |ply| {
            // Legality is visible in the events.
            let _ = moves::make(&view, &ply, tracer);
            if should_continue() {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        });
    }

    /// Tests if the fuel ran out during the last query, so that its answer is meaningless.
    pub fn is_exhausted(&self) -> bool {
        self.fuel.is_empty()
    }

    /// Returns the number of expressions and statements evaluated so far.
    pub fn steps(&self) -> u64 {
        self.fuel.spent()
    }

    /// Looks ahead within `steps`, with any first ply and with the given one. `None` if the
    /// decision is not a `steps` or the fuel runs out.
    pub fn lookahead(&self, ply: &Move) -> Option<Lookahead> {
        if self.outcome.is_some() {
            return None;
        }
        let Statement::Steps { moves, ending, .. } = &self.flow.statement(self.rules).node else {
            return None;
        };
        let view = self.view();
        let left = self.flow.steps_left();
        let mut steps = CompletionSearch::new(&view, moves, ending, self.flow.is_in_turn());
        let lookahead = Lookahead {
            left,
            most: steps.most(&self.snapshot, left),
            with: steps.most_with(&self.snapshot, left, ply),
        };
        (!self.fuel.is_empty()).then_some(lookahead)
    }

    /// Makes a ply and runs to the next decision. Does not check if the rest of the `steps` can be
    /// completed.
    ///
    /// # Errors
    /// Fails if the move is illegal or the fuel runs out; in the latter case the interpreter must
    /// not be used any more.
    pub fn play(&mut self, ply: &Move, tracer: &mut dyn Tracer) -> Result<(), PlayError> {
        if self.outcome.is_some() || !self.choice().contains(&ply.rule) {
            return Err(PlayError::Illegal);
        }
        let made = self.made(ply.rule);
        let view = self.view();
        tracer.begin(Root::Move(ply.rule));
        if moves::first_out_of_domain(&view, ply, tracer).is_some() {
            return Err(PlayError::Illegal);
        }
        let after =
            moves::make_ply(&view, ply, tracer).map_err(|span| match self.fuel.is_empty() {
                true => PlayError::Fault(Fault::out_of_fuel(span)),
                false => PlayError::Illegal,
            })?;
        let before = (self.snapshot.clone(), self.flow.clone(), self.past.len());
        self.snapshot = after.snapshot;
        self.outcome = after.outcome;
        if self.outcome.is_none() {
            self.flow.ply_done(after.turn_end);
            if self.run_to_decision(Some(made), tracer).map_err(PlayError::Fault)?.is_err() {
                let (snapshot, flow, counted) = before;
                (self.snapshot, self.flow) = (snapshot, flow);
                self.past.truncate(counted);
                return Err(PlayError::Illegal);
            }
        }
        self.plies += 1;
        Ok(())
    }

    /// Executes a part of the rules that has no decisions.
    fn run_part(
        &mut self,
        part: Root,
        mover: PlayerId,
        tracer: &mut dyn Tracer,
    ) -> Result<(), Fault> {
        let mut flow = Flow::new(part, Variables::default(), mover);
        tracer.begin(part);
        match flow.run(self.rules, &mut self.snapshot, &self.fuel, tracer) {
            Stop::Done => Ok(()),
            stop => self.stop_to_fault(stop),
        }
    }

    fn stop_to_fault(&mut self, stop: Stop) -> Result<(), Fault> {
        match stop {
            Stop::Decision | Stop::Arrival => {}
            Stop::Over(outcome) => self.outcome = Some(outcome),
            // A finished order of play is a draw.
            Stop::Done => self.outcome = Some(flow::drawn(self.rules, &self.snapshot)),
            Stop::OutOfFuel(span) => return Err(Fault::out_of_fuel(span)),
            Stop::Refused(_) | Stop::Then => {
                unreachable!("nothing is required or chosen outside of moves")
            }
        }
        Ok(())
    }
}
