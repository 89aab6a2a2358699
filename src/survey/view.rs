//! What was seen of a game with one choice of options.

use super::marks::{End, Marked};
use crate::engine::Candidate;
use crate::engine::game::{Game, Match};
use crate::engine::walker::Walker;
use crate::language::rules::Rules;
use crate::record::Record;
use crate::syntax::Span;
use std::collections::HashSet;

/// How much may be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Budget(pub u64);

impl Budget {
    /// Takes off what a ply costs where so many are legal; false when nothing is left.
    pub fn spend(&mut self, rules: &Rules, legal: usize) -> bool {
        let cost = 1 + legal as u64 / 16 + rules.board.slots() as u64 / 64;
        self.0 = self.0.saturating_sub(cost);
        self.0 > 0
    }
}

/// A game that comes back to a position that it has been at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// From the first position to the one that comes again, and once around.
    pub plies: Vec<Candidate>,
    /// How many of them the way around has.
    pub length: usize,
    /// The decision at which it begins.
    pub decision: usize,
}

/// What was seen of a game.
pub struct View {
    pub marked: Marked,
    /// How many positions were looked at, each as often as the search came there.
    pub positions: usize,
    /// How many random games came to an end.
    pub games: usize,
    /// Whether there is no other position that can be reached, rules of repetition left aside.
    pub complete: bool,
    /// The verbs of the moves that were legal somewhere.
    pub legal: HashSet<Span>,
    /// The ends that were come to.
    pub ended: HashSet<End>,
    /// For ends that no rule speaks of: the shortest way there that was seen.
    pub stuck: Option<(Span, Vec<Candidate>)>,
    pub cycle: Option<Cycle>,
}

impl View {
    /// Nothing was seen yet.
    pub fn new(marked: Marked) -> View {
        View { marked, positions: 0, games: 0, complete: false, legal: HashSet::new(), ended: HashSet::new(), stuck: None, cycle: None }
    }

    /// Stands at the first position; none where the rules go round without end before it.
    pub fn begin(&self) -> Option<Walker> {
        self.marked.game.begin().ok().as_ref().map(Walker::new)
    }

    pub fn rules(&self) -> &Rules {
        self.marked.game.rules()
    }

    /// Takes note of the legal plies of a position.
    pub fn note_legal(&mut self, walker: &Walker, legal: &[Candidate]) {
        self.positions += 1;
        let rules = self.marked.game.rules();
        self.legal.extend(legal.iter().map(|&ply| rules.moves[walker.rule(ply).index()].span));
    }

    /// Takes note of how a game ended; `way` gives the plies that led there.
    pub fn note_end(&mut self, walker: &Walker, way: impl FnOnce() -> Vec<Candidate>) {
        let mark = walker.position().number(self.marked.register());
        let Some(&end) = usize::try_from(mark - 1).ok().and_then(|index| self.marked.ends.get(index)) else { return };
        self.ended.insert(end);
        if let (End::Stuck(span), None) = (end, &self.stuck) {
            self.stuck = Some((span, way()));
        }
    }

    /// Writes plies down as a record.
    pub fn record(&self, plies: &[Candidate]) -> Option<String> {
        let game: &Game = &self.marked.game;
        let mut played: Match = game.begin().ok()?;
        for &ply in plies {
            played.play(&game.spell_out(ply)).ok()?;
        }
        // The dice of a record are among its plies.
        let record = Record { seed: None, ..Record::of(&played, 0) };
        Some(record.write())
    }
}
