//! The observations of search and random games with one choice of options.

use super::instrument::{End, Instrumented};
use super::reachability::{Cycle, Extent, PositionGraph, Step, Visitor};
use super::suspects::Suspects;
use crate::engine::game::{Argument, Fault, Game, State};
use crate::engine::position::Outcome;
use crate::engine::{PackedMove, PlyBudget};
use crate::language::rules::{MemoryId, MoveId, PlayerId, Rules};
use crate::record::Record;
use crate::syntax::Span;
use std::collections::{HashMap, HashSet};

/// A game that never reaches its next ply.
pub struct Hang {
    pub fault: Fault,
    pub plies: Vec<PackedMove>,
}

/// The observations of a game, and the instrumented game itself.
pub struct Observations {
    pub instrumented: Instrumented,
    /// Positions visited; repeats count.
    pub positions: usize,
    /// Plies made.
    pub plies: usize,
    /// Random games that ended.
    pub games: usize,
    /// Whether a random game reached the ply limit.
    pub given_up: bool,
    /// Whether all reachable positions were visited, ignoring rules of repetition.
    pub complete: bool,
    /// The spans of the move rules that were legal somewhere.
    pub legal: HashSet<Span>,
    /// The ends that were reached.
    pub ended: HashSet<End>,
    /// The first game seen to end in [`End::Stuck`].
    pub stuck: Option<(Span, Vec<PackedMove>)>,
    pub cycle: Option<Cycle>,
    /// The first game seen that never reaches its next ply.
    pub hang: Option<Hang>,
    /// The parts of the rules to watch.
    pub suspects: Suspects,
    /// The winners of each end, and how often it was reached.
    pub winners: HashMap<End, (HashSet<PlayerId>, usize)>,
    /// Counters without which a position would have repeated.
    pub counted: HashSet<MemoryId>,
    /// Moves that changed nothing and after which the same player made the same choice again, with
    /// the span of the choice.
    pub leads_back: HashMap<MoveId, Span>,
    /// Moves that were legal with the same site for two parameters, with the indices of both
    /// parameters.
    pub twice: HashSet<(MoveId, usize, usize)>,
}

impl Observations {
    /// Creates empty observations.
    pub fn new(instrumented: Instrumented) -> Observations {
        let suspects = Suspects::of(&instrumented.game);
        Observations {
            instrumented,
            positions: 0,
            plies: 0,
            games: 0,
            given_up: false,
            complete: false,
            legal: HashSet::new(),
            ended: HashSet::new(),
            stuck: None,
            cycle: None,
            hang: None,
            suspects,
            winners: HashMap::new(),
            counted: HashSet::new(),
            leads_back: HashMap::new(),
            twice: HashSet::new(),
        }
    }

    /// Returns the first position with no fuel used; `None` if the rules do not terminate before
    /// it.
    pub fn begin(&self) -> Option<State> {
        let begun = self.instrumented.game.begin().ok()?;
        // A clone counts its fuel afresh, without the setup.
        Some(begun.clone())
    }

    /// Explores positions breadth-first until the budget is exhausted.
    pub fn explore(&mut self, budget: &mut PlyBudget) {
        let Some(mut state) = self.begin() else { return };
        if state.outcome().is_some() {
            self.note_end(&state, Vec::new);
            self.complete = true;
            return;
        }
        if self.rules().depends_on_past() {
            // Positions do not determine the games that follow them, so only random games are
            // observed.
            return;
        }
        let mut graph = PositionGraph::default();
        let mut explorer = Explorer { observations: self, budget };
        let extent = graph.explore(&mut state, &mut explorer);
        self.complete = matches!(extent, Ok(Extent::All));
        if self.rules().repetition.is_none() || self.complete {
            self.cycle = graph.find_cycle();
        }
    }

    pub fn rules(&self) -> &Rules {
        self.instrumented.game.rules()
    }

    /// Records the legal plies of a position.
    pub fn note_legal(&mut self, state: &State, legal: &[PackedMove]) {
        self.positions += 1;
        let rules = self.instrumented.game.rules();
        self.legal.extend(legal.iter().map(|&ply| rules.moves[state.rule(ply).index()].span));
        for &(rule, first, second) in &self.suspects.twice {
            if self.twice.contains(&(rule, first, second)) {
                continue;
            }
            let is_twice = |ply: PackedMove| {
                let arguments = self.instrumented.game.spell_out(ply).arguments;
                match (arguments.get(first), arguments.get(second)) {
                    (Some(Argument::Site(one)), Some(Argument::Site(other))) => one == other,
                    _ => false,
                }
            };
            if legal.iter().any(|&ply| state.rule(ply) == rule && is_twice(ply)) {
                self.twice.insert((rule, first, second));
            }
        }
    }

    /// Records a ply made at decision `before`, in the state after it.
    pub fn note_ply(&mut self, state: &State, before: usize, made: PackedMove) {
        self.plies += 1;
        let rule = state.rule(made);
        let Some(after) = state.decision() else { return };
        if !self.suspects.idle.contains(&rule) || self.rules().players.len() < 2 {
            return;
        }
        let decisions = &self.instrumented.game.program().decisions;
        let (from, to) = (&decisions[before], &decisions[after]);
        let is_again = (from.span, from.mover) == (to.span, to.mover);
        if is_again && !from.chance && self.suspects.looped.contains(&from.span) {
            self.leads_back.insert(rule, from.span);
        }
    }

    /// Records how a game ended; `way` returns its plies.
    pub fn note_end(&mut self, state: &State, way: impl FnOnce() -> Vec<PackedMove>) {
        let mark = state.position().number(self.instrumented.register());
        let Some(&end) =
            usize::try_from(mark - 1).ok().and_then(|index| self.instrumented.ends.get(index))
        else {
            return;
        };
        self.ended.insert(end);
        let (winners, times) = self.winners.entry(end).or_default();
        *times += 1;
        if let Some(Outcome::Win(player)) = state.outcome() {
            winners.insert(player);
        }
        if let (End::Stuck(span), None) = (end, &self.stuck) {
            self.stuck = Some((span, way()));
        }
    }

    /// Records a game that never reaches its next ply, unless one is known.
    pub fn note_hang(&mut self, hang: Hang) {
        self.hang.get_or_insert(hang);
    }

    /// Formats plies as a record.
    pub fn record(&self, plies: &[PackedMove]) -> Option<String> {
        let game: &Game = &self.instrumented.game;
        let mut played: State = game.begin().ok()?;
        for &ply in plies {
            played.play(&game.spell_out(ply)).ok()?;
        }
        // A record with plies for the rolls needs no seed.
        let record = Record { seed: None, ..Record::of(&played, 0) };
        Some(record.write())
    }
}

/// Collects observations from the positions and plies of a search.
struct Explorer<'o> {
    observations: &'o mut Observations,
    budget: &'o mut PlyBudget,
}

impl Visitor for Explorer<'_> {
    fn on_position(&mut self, state: &State, legal: &[PackedMove]) {
        self.observations.note_legal(state, legal);
    }

    fn on_fault(&mut self, fault: &Fault, plies: Vec<PackedMove>) {
        self.observations.note_hang(Hang { fault: fault.clone(), plies });
    }

    fn may_follow(&mut self, state: &State, legal: usize) -> bool {
        self.budget.spend(state, legal)
    }

    fn on_ply(&mut self, state: &mut State, step: &Step) -> bool {
        self.observations.note_ply(state, step.decision(), step.made);
        if state.outcome().is_some() {
            self.observations.note_end(state, || step.path());
        }
        false
    }
}
