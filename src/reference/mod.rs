//! The rules obeyed word by word, giving account of every clause.
//!
//! In: typed rules, and moves. Out: who moves, what is legal, the position, the result; and, for a
//! [`Tracer`], every clause as it is obeyed: what was offered, required and asked, what was done,
//! how the game ended, each with its place in the text and with the values that its variables had.
//!
//! This is an interpreter of the typed game that goes from site to site and makes no haste. It is
//! what the engine is held against, and what explains the engine's decisions: it refuses to know
//! compiled rules and everything that makes the engine fast. Where a match stands is all that it
//! lets the engine tell it ([`Interpreter::at`]).

mod effects;
mod expressions;
mod flow;
mod fuel;
mod moves;
mod position;
mod resume;
mod statement_list;
mod tracer;
mod values;

pub use effects::Clamped;
pub use expressions::View;
pub use statement_list::Root;
pub use tracer::{Event, NoopTracer, Tracer};
pub use values::{ONE, Region, Value, Variables};

use crate::engine::game::{Fault, Move, PlayError, State, Turn};
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{MoveId, PlayerId, Rules, Statement};
use crate::syntax::Span;
use flow::{Flow, Stop};
use fuel::FuelTracker;
use moves::CompletionSearch;

/// A game in the course of being played, word by word.
#[derive(Clone)]
pub struct Interpreter<'r> {
    rules: &'r Rules,
    snapshot: Snapshot,
    /// The order of play, standing at the decision; meaningless once the game is over.
    flow: Flow,
    /// Every position that there was, the present one included, if the rules ask for them.
    past: Vec<(Snapshot, Flow)>,
    outcome: Option<Outcome>,
    fuel: FuelTracker,
}

/// What forbids a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegality {
    /// The game is over.
    Over,
    /// The move is not among those that can be chosen from now.
    NotNow,
    /// What it chooses for the parameter with this number is not offered.
    NotOffered(usize),
    /// The requirement at this place does not hold.
    Requirement(Span),
}

/// How many plies of a `steps` can be made such that the condition holds at their end; none when it
/// cannot be made to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// How many are left.
    pub left: i128,
    /// Before the move.
    pub most: Option<i128>,
    /// With the move, itself counted.
    pub with: Option<i128>,
}

impl<'r> Interpreter<'r> {
    /// Sets the board up and goes on to the first decision.
    ///
    /// # Errors
    /// Fails where the rules go round without end before it.
    pub fn start(rules: &'r Rules, tracer: &mut dyn Tracer) -> Result<Interpreter<'r>, Fault> {
        let first = PlayerId(0);
        let mut interpreter = Interpreter {
            rules,
            snapshot: Snapshot::empty(rules),
            flow: Flow::new(Root::Play, Variables::default(), first),
            past: Vec::new(),
            outcome: None,
            fuel: FuelTracker::new(),
        };
        interpreter.run_part(Root::Setup, first, tracer)?;
        if interpreter.outcome.is_none() {
            interpreter.go_on(first, tracer)?;
        }
        Ok(interpreter)
    }

    /// Begins where a match stands, as if nothing had been before. See [`Interpreter::with_past`].
    pub fn at(position: &'r State) -> Interpreter<'r> {
        let fuel = FuelTracker::new();
        let snapshot = position.snapshot();
        let begun = Flow::new(Root::Play, Variables::default(), PlayerId(0));
        let flow = resume::occupant(position, &snapshot, &fuel).unwrap_or(begun);
        Interpreter {
            rules: position.game().rules(),
            snapshot,
            flow,
            past: Vec::new(),
            outcome: position.outcome(),
            fuel,
        }
    }

    /// Begins where a match stands, and knows which positions it has been through, where the rules
    /// ask for them.
    pub fn with_past(position: &'r State) -> Interpreter<'r> {
        let mut interpreter = Interpreter::at(position);
        if interpreter.rules.repetition.is_some() {
            let past = resume::past(position, &interpreter.fuel).into_iter();
            interpreter.past =
                past.filter_map(|(snapshot, flow)| Some((snapshot, flow?))).collect();
        }
        interpreter
    }

    /// Tests if another account is at the same position, at the same point in the order of play,
    /// and has been through the same positions so far as the rules ask for them.
    pub fn is_at(&self, other: &Interpreter) -> bool {
        let is_same_point =
            self.outcome.is_some() || self.flow == other.flow && self.past == other.past;
        self.snapshot == other.snapshot && self.outcome == other.outcome && is_same_point
    }

    /// The rules that are obeyed.
    pub fn rules(&self) -> &'r Rules {
        self.rules
    }

    /// Who is to act.
    pub fn turn(&self) -> Turn {
        if self.outcome.is_some() {
            return Turn::Nobody;
        }
        match self.flow.statement(self.rules).node {
            Statement::Chance(_) => Turn::Chance,
            _ => Turn::Player(self.flow.mover()),
        }
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What stands and is remembered now.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The clause that asks for the ply at hand; none when the game is over.
    pub fn decision(&self) -> Option<Span> {
        self.outcome.is_none().then(|| self.flow.statement(self.rules).span)
    }

    /// The statement that asks for the ply at hand; none when the game is over.
    pub fn statement(&self) -> Option<&'r Statement> {
        self.outcome.is_none().then(|| &self.flow.statement(self.rules).node)
    }

    /// The position as the clause sees it that asks for the ply at hand.
    ///
    /// # Panics
    /// If the game is over.
    pub fn view(&self) -> View<'_> {
        self.fuel.refill();
        self.flow.view(self.rules, &self.snapshot, &self.fuel)
    }

    /// Lists the legal moves, each once; none when the game is over.
    pub fn legal(&self) -> Vec<Move> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let view = self.view();
        match &self.flow.statement(self.rules).node {
            Statement::Steps { moves, ending, .. } => {
                CompletionSearch::new(&view, moves, ending, self.flow.is_in_turn())
                    .legal(self.flow.steps_left())
            }
            _ => moves::choices(&view, self.choice()),
        }
    }

    /// The moves that can be chosen from now.
    fn choice(&self) -> &'r [MoveId] {
        match &self.flow.statement(self.rules).node {
            Statement::Choose { moves, .. } | Statement::Steps { moves, .. } => moves,
            Statement::Chance(rule) => std::slice::from_ref(rule),
            _ => &[],
        }
    }

    /// Tries a move, and tells what forbids it: nothing where it is legal, or where it is only that
    /// the rest of the `steps` could not be made after it ([`Interpreter::lookahead`]). What ends
    /// the game is not looked at. See [`Interpreter::is_exhausted`].
    pub fn illegality(&self, ply: &Move, tracer: &mut dyn Tracer) -> Option<Illegality> {
        if self.outcome.is_some() {
            return Some(Illegality::Over);
        }
        if !self.choice().contains(&ply.rule) {
            return Some(Illegality::NotNow);
        }
        let view = self.view();
        tracer.begin(Root::Move(ply.rule));
        match moves::first_unoffered(&view, ply, tracer) {
            Some(parameter) => Some(Illegality::NotOffered(parameter)),
            None => moves::make(&view, ply, tracer).err().map(Illegality::Requirement),
        }
    }

    /// Tries every way to choose a ply now, legal or not, and tells the listener what each asks up
    /// to what forbids it.
    pub fn trace_all_moves(&self, tracer: &mut dyn Tracer) {
        self.trace_all_moves_while(tracer, &|| true);
    }

    /// The same, for as long as it is to go on: it is asked after every move.
    pub fn trace_all_moves_while(&self, tracer: &mut dyn Tracer, goes_on: &dyn Fn() -> bool) {
        if self.outcome.is_some() {
            return;
        }
        let view = self.view();
        let _ = moves::for_each_choice(&view, self.choice(), &mut |ply| {
            // Whether it is legal is for the listener to find out.
            let _ = moves::make(&view, &ply, tracer);
            if goes_on() {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        });
    }

    /// Tests if the last answer took too long and means nothing.
    pub fn is_exhausted(&self) -> bool {
        self.fuel.is_out_of_fuel()
    }

    /// Looks ahead within `steps`: what can be made at all, and with this move first; none where no
    /// `steps` is at hand, or where it takes too long.
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
        (!self.fuel.is_out_of_fuel()).then_some(lookahead)
    }

    /// Makes a ply and goes on to the next decision. Whether the rest of the `steps` can be made
    /// after it is not looked at.
    ///
    /// # Errors
    /// Fails where something forbids the move, or the rules go round without end after it; then the
    /// account is of no use any more.
    pub fn play(&mut self, ply: &Move, tracer: &mut dyn Tracer) -> Result<(), PlayError> {
        if self.outcome.is_some() || !self.choice().contains(&ply.rule) {
            return Err(PlayError::Illegal);
        }
        let mover = self.flow.mover();
        let view = self.view();
        tracer.begin(Root::Move(ply.rule));
        if moves::first_unoffered(&view, ply, tracer).is_some() {
            return Err(PlayError::Illegal);
        }
        let after = moves::make_ply(&view, ply, tracer).map_err(|span| {
            match self.fuel.is_out_of_fuel() {
                true => PlayError::Fault(Fault::out_of_fuel(span)),
                false => PlayError::Illegal,
            }
        })?;
        self.snapshot = after.snapshot;
        self.outcome = after.outcome;
        if self.outcome.is_none() {
            self.flow.ply_done(after.ends_turn);
            self.go_on(mover, tracer).map_err(PlayError::Fault)?;
        }
        Ok(())
    }

    /// Goes on to the next decision, and sees if that position has been there before.
    fn go_on(&mut self, mover: PlayerId, tracer: &mut dyn Tracer) -> Result<(), Fault> {
        tracer.begin(Root::Play);
        let stop = self.flow.run(self.rules, &mut self.snapshot, &self.fuel, tracer);
        self.stop_to_fault(stop)?;
        let Some(repetition) = self.rules.repetition.as_ref().filter(|_| self.outcome.is_none())
        else {
            return Ok(());
        };
        let now = (self.snapshot.clone(), self.flow.clone());
        let times = 1 + self.past.iter().filter(|earlier| **earlier == now).count();
        self.past.push(now);
        if times >= repetition.times as usize {
            tracer.begin(Root::Repetition);
            tracer.on_event(
                &self.flow.view(self.rules, &self.snapshot, &self.fuel),
                repetition.span,
                Event::Repeated { times },
            );
            self.run_part(Root::Repetition, mover, tracer)?;
        }
        Ok(())
    }

    /// Obeys a part of the rules in which no ply is made.
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
            Stop::Decision => {}
            Stop::Over(outcome) => self.outcome = Some(outcome),
            // The order of play has come to its end.
            Stop::Done => self.outcome = Some(Outcome::Draw),
            Stop::OutOfFuel(span) => return Err(Fault::out_of_fuel(span)),
            Stop::Refused(_) => unreachable!("nothing is required outside of moves"),
        }
        Ok(())
    }
}
