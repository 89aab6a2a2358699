//! What was seen of a game with one choice of options.

use super::instrument::{End, Instrumented};
use super::suspects::Suspects;
use crate::engine::PackedMove;
use crate::engine::game::{Argument, Game, State};
use crate::engine::position::Outcome;
use crate::language::rules::{MemoryId, MoveId, PlayerId, Rules};
use crate::record::Record;
use crate::syntax::Span;
use std::collections::{HashMap, HashSet};

/// So many rounds of loops take as long as a few plies. What a ply has besides whole times of that
/// is as usual.
const FUEL_PER_PLY: u64 = 1 << 12;

/// How much may be looked at, in plies. It knows no clock, so that everybody sees the same.
#[derive(Clone, Copy, Debug)]
pub struct PlyBudget {
    plies: u64,
    /// How many rounds of loops the match had gone through when it was last asked.
    fuel_used: u64,
}

impl PlyBudget {
    pub fn of(plies: u64) -> PlyBudget {
        PlyBudget { plies, fuel_used: 0 }
    }

    /// Takes off what a ply costs where so many are legal, and what the rounds cost that the match
    /// has gone through since; false when nothing is left.
    pub fn spend(&mut self, state: &State, legal: usize) -> bool {
        let whole = state.fuel_used().saturating_sub(self.fuel_used) / FUEL_PER_PLY;
        self.fuel_used = state.fuel_used();
        let cost = 1 + legal as u64 / 16 + state.game().rules().board.slots() as u64 / 64 + whole;
        self.plies = self.plies.saturating_sub(cost);
        self.plies > 0
    }
}

/// A game that comes back to a position that it has been at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// From the first position to the one that comes again, and once around.
    pub plies: Vec<PackedMove>,
    /// How many of them the way around has.
    pub length: usize,
    /// The decision at which it begins.
    pub decision: usize,
}

/// What was seen of a game.
pub struct Observations {
    pub instrumented: Instrumented,
    /// How many positions were looked at, each as often as the search came there.
    pub positions: usize,
    /// How many plies were made.
    pub plies: usize,
    /// How many random games came to an end.
    pub games: usize,
    /// Whether a random game was given up because it did not come to an end.
    pub given_up: bool,
    /// Whether there is no other position that can be reached, rules of repetition left aside.
    pub complete: bool,
    /// The verbs of the moves that were legal somewhere.
    pub legal: HashSet<Span>,
    /// The ends that were come to.
    pub ended: HashSet<End>,
    /// For ends that no rule speaks of: the shortest way there that was seen.
    pub stuck: Option<(Span, Vec<PackedMove>)>,
    pub cycle: Option<Cycle>,
    /// What to look out for.
    pub suspects: Suspects,
    /// Who won at each end, and how often it was come to.
    pub winners: HashMap<End, (HashSet<PlayerId>, usize)>,
    /// Counters but for which a position would have come again.
    pub counted: HashSet<MemoryId>,
    /// Moves that changed nothing and led back to the clause that they were chosen at, with the
    /// clause.
    pub leads_back: HashMap<MoveId, Span>,
    /// Moves that were legal with one site chosen twice, with the numbers of the two parameters.
    pub twice: HashSet<(MoveId, usize, usize)>,
}

impl Observations {
    /// Nothing was seen yet.
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
            suspects,
            winners: HashMap::new(),
            counted: HashSet::new(),
            leads_back: HashMap::new(),
            twice: HashSet::new(),
        }
    }

    /// Stands at the first position, with nothing spent yet; none where the rules go round without
    /// end before it.
    pub fn begin(&self) -> Option<State> {
        let begun = self.instrumented.game.begin().ok()?;
        // A clone has spent nothing.
        Some(begun.clone())
    }

    pub fn rules(&self) -> &Rules {
        self.instrumented.game.rules()
    }

    /// Takes note of the legal plies of a position.
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

    /// Takes note of a ply that was made at that decision, and of where it led.
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

    /// Takes note of how a game ended; `way` gives the plies that led there.
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

    /// Writes plies down as a record.
    pub fn record(&self, plies: &[PackedMove]) -> Option<String> {
        let game: &Game = &self.instrumented.game;
        let mut played: State = game.begin().ok()?;
        for &ply in plies {
            played.play(&game.spell_out(ply)).ok()?;
        }
        // The dice of a record are among its plies.
        let record = Record { seed: None, ..Record::of(&played, 0) };
        Some(record.write())
    }
}
