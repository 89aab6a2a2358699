//! The rule of repetition: compares whole snapshots, and remembers the conditions after every ply.

use super::expressions::View;
use super::flow::{Flow, Stop};
use super::moves;
use super::statement_list::Root;
use super::tracer::{Event, NoopTracer, Tracer};
use super::values::{Value, Variables};
use super::{Illegality, Interpreter};
use crate::engine::game::{Fault, Move, State};
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{Comparing, MoveId, PlayerId, Rules, Statement, Throughout};

/// A position that counts for the rule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Occurrence {
    snapshot: Snapshot,
    /// The order of play at the position: at its decision or, if repetition can make plies illegal,
    /// at the statement that it arrived at.
    flow: Flow,
    /// The player who made the ply before it, and the values of the conditions after the ply;
    /// `None` for the first position and after a roll.
    ply: Option<(PlayerId, Vec<bool>)>,
    /// The number of plies before it.
    pub(super) plies: usize,
}

/// The properties of a ply that matter to repetition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    mover: PlayerId,
    rule: MoveId,
    is_roll: bool,
}

/// The verdict of the rule of repetition on a ply.
enum Verdict {
    Nothing,
    /// The ply is illegal; the position already occurred after this number of plies.
    Illegal(usize),
    Over(Outcome),
    Fault(Fault),
}

impl<'r> Interpreter<'r> {
    /// Starts at the position of a match, with its history if the rules have a repetition clause.
    pub fn with_past(position: &'r State) -> Interpreter<'r> {
        let mut interpreter = Interpreter::at(position);
        if !interpreter.rules.depends_on_past() {
            if interpreter.rules.repetition.is_some() {
                let past = super::resume::past(position, &interpreter.fuel).into_iter();
                let past = past.filter_map(|(snapshot, flow)| Some((snapshot, flow?)));
                let occurrence =
                    |(plies, (snapshot, flow))| Occurrence { snapshot, flow, ply: None, plies };
                interpreter.past = past.enumerate().map(occurrence).collect();
                interpreter.plies = position.ply_count();
            }
            return interpreter;
        }
        let mut first = position.clone();
        while first.undo() {}
        let mut replayed = Interpreter::at_first(&first, position);
        for ply in position.plies() {
            if replayed.play(ply, &mut NoopTracer).is_err() {
                return interpreter;
            }
        }
        (interpreter.past, interpreter.plies) = (replayed.past, replayed.plies);
        interpreter
    }

    /// Starts at the first position of a match, which counts.
    fn at_first(first: &State, of: &'r State) -> Interpreter<'r> {
        let rules = of.game().rules();
        let mut interpreter = Interpreter::at_snapshot(first, rules);
        // If nobody could make the first choice, the position counts at the following decision
        // instead.
        if let Ok(start) = Interpreter::start(rules, &mut NoopTracer)
            && (&start.snapshot, &start.flow) == (&interpreter.snapshot, &interpreter.flow)
        {
            return start;
        }
        if interpreter.outcome.is_none() {
            interpreter.past.push(Occurrence {
                snapshot: interpreter.snapshot.clone(),
                flow: interpreter.flow.clone(),
                ply: None,
                plies: 0,
            });
        }
        interpreter
    }

    /// Describes the ply that the decision asks for.
    pub(super) fn made(&self, rule: MoveId) -> Made {
        let is_roll = matches!(self.flow.statement(self.rules).node, Statement::Chance(_));
        Made { mover: self.flow.mover(), rule, is_roll }
    }

    /// Returns the number of plies after which the position occurred that the ply must not repeat;
    /// `None` if repetition does not forbid the ply.
    pub(super) fn repeats(&self, ply: &Move) -> Option<usize> {
        if !self.rules.forbids_repetition() {
            return None;
        }
        let made = self.made(ply.rule);
        let view = self.flow.view(self.rules, &self.snapshot, &self.fuel);
        let after = moves::make_ply(&view, ply, &mut NoopTracer).ok()?;
        if after.outcome.is_some() {
            return None;
        }
        let (mut snapshot, mut flow) = (after.snapshot, self.flow.clone());
        flow.ply_done(after.turn_end);
        match flow.run(self.rules, &mut snapshot, &self.fuel, &mut NoopTracer) {
            Stop::Arrival => {}
            _ => return None,
        }
        let occurrence = self.occurrence(snapshot, flow, Some(made))?;
        match self.verdict(&occurrence, made, &mut NoopTracer) {
            Verdict::Illegal(plies) => Some(plies),
            _ => None,
        }
    }

    /// Runs to the next decision and applies the rule of repetition; the ply is `None` at the
    /// beginning.
    pub(super) fn run_to_decision(
        &mut self,
        made: Option<Made>,
        tracer: &mut dyn Tracer,
    ) -> Result<Result<(), Illegality>, Fault> {
        tracer.begin(Root::Play);
        let mut is_counted = false;
        loop {
            let stop = self.flow.run(self.rules, &mut self.snapshot, &self.fuel, tracer);
            let arrives = matches!(stop, Stop::Arrival);
            if !arrives {
                self.stop_to_fault(stop)?;
            }
            if !is_counted && self.outcome.is_none() {
                is_counted = true;
                match self.count(made, tracer) {
                    Verdict::Nothing => {}
                    Verdict::Illegal(plies) => return Ok(Err(Illegality::Repeats(plies))),
                    Verdict::Over(outcome) => self.outcome = Some(outcome),
                    Verdict::Fault(fault) => return Err(fault),
                }
            }
            if !arrives || self.outcome.is_some() {
                return Ok(Ok(()));
            }
            tracer.begin(Root::Play);
            let legal = self.listed().into_iter().next().is_some();
            let statement = self.flow.statement(self.rules);
            if self.fuel.is_empty() {
                return Err(Fault::out_of_fuel(statement.span));
            }
            if !statement.span.is_empty() {
                let view = self.flow.view(self.rules, &self.snapshot, &self.fuel);
                tracer.on_event(&view, statement.span, Event::Asks { legal });
            }
            if legal {
                return Ok(Ok(()));
            }
            if !self.flow.pass_over(self.rules) {
                self.outcome = Some(super::flow::drawn(self.rules, &self.snapshot));
                return Ok(Ok(()));
            }
        }
    }

    /// Counts the current position as an occurrence.
    fn count(&mut self, made: Option<Made>, tracer: &mut dyn Tracer) -> Verdict {
        let (snapshot, flow) = (self.snapshot.clone(), self.flow.clone());
        let Some(occurrence) = self.occurrence(snapshot, flow, made) else {
            return Verdict::Nothing;
        };
        let verdict = made.map_or(Verdict::Nothing, |made| self.verdict(&occurrence, made, tracer));
        self.past.push(occurrence);
        verdict
    }

    /// Describes a position; `None` if it does not count.
    fn occurrence(&self, snapshot: Snapshot, flow: Flow, made: Option<Made>) -> Option<Occurrence> {
        let rule = self.rules.repetition.as_ref()?;
        let is_swap = |made: Made| self.rules.pie.is_some_and(|pie| pie.swap == made.rule);
        if self.rules.depends_on_past() && made.is_some_and(is_swap) {
            return None;
        }
        let ply = made.filter(|made| !made.is_roll).map(|made| {
            let view = View {
                rules: self.rules,
                snapshot: &snapshot,
                variables: Variables::default(),
                mover: made.mover,
                fuel: &self.fuel,
            };
            let holds = |throughout: &Throughout| view.condition(&throughout.condition.node);
            (made.mover, rule.throughout.iter().map(holds).collect())
        });
        let ply = ply.filter(|_| self.rules.depends_on_past());
        Some(Occurrence { snapshot, flow, ply, plies: self.plies + usize::from(made.is_some()) })
    }

    /// Applies the rule of repetition to a position that is not in the past yet.
    fn verdict(&self, now: &Occurrence, made: Made, tracer: &mut dyn Tracer) -> Verdict {
        let Some(rule) = &self.rules.repetition else { return Verdict::Nothing };
        let same: Vec<usize> = (0..self.past.len())
            .rev()
            .filter(|&index| are_same(self.rules, &self.past[index], now))
            .collect();
        let Some(&since) = same.get(rule.times as usize - 2) else { return Verdict::Nothing };
        tracer.begin(Root::Repetition);
        let view = now.flow.view(self.rules, &now.snapshot, &self.fuel);
        tracer.on_event(&view, rule.span, Event::Repeated { times: 1 + same.len() });
        let mut variables = Variables::default();
        let players = self.rules.players.len();
        for (index, throughout) in rule.throughout.iter().enumerate() {
            let counted = throughout.player.as_ref();
            let counted =
                counted.and_then(|player| Throughout::player_of(&player.node, made.mover, players));
            let held = self.past[since + 1..].iter().chain([now]).all(|occurrence| {
                let Some((player, held)) = &occurrence.ply else { return true };
                counted.is_some_and(|counted| counted != *player) || held[index]
            });
            variables = variables.with(throughout.variable, Value::Condition(held));
        }
        let mut flow = Flow::new(Root::Repetition, variables, made.mover);
        tracer.begin(Root::Repetition);
        match flow.run(self.rules, &mut now.snapshot.clone(), &self.fuel, tracer) {
            Stop::Refused(_) if !made.is_roll => Verdict::Illegal(self.past[since].plies),
            Stop::Over(outcome) => Verdict::Over(outcome),
            Stop::OutOfFuel(span) => Verdict::Fault(Fault::out_of_fuel(span)),
            _ => Verdict::Nothing,
        }
    }
}

/// Tests if two positions are the same to the rule of repetition.
fn are_same(rules: &Rules, one: &Occurrence, other: &Occurrence) -> bool {
    let Some(rule) = &rules.repetition else { return false };
    let same_board =
        one.snapshot.pieces == other.snapshot.pieces && one.snapshot.cut == other.snapshot.cut;
    let same_memory = |index: usize| one.snapshot.memories[index] == other.snapshot.memories[index];
    match &rule.comparing {
        Comparing::AllBut(ignored) => {
            let ignored: Vec<usize> = ignored.iter().map(|memory| memory.index()).collect();
            let mut compared = (0..rules.memories.len()).filter(|index| !ignored.contains(index));
            same_board && compared.all(same_memory) && one.flow == other.flow
        }
        Comparing::Only { board, mover, memories } => {
            (!board || same_board)
                && (!mover || one.flow.mover() == other.flow.mover())
                && memories.iter().all(|memory| same_memory(memory.index()))
        }
    }
}
