//! Many short walks from one position, for searches.
//!
//! In: a match. Out: the positions that its plies lead to, one ply at a time, without spelling anything or keeping what was before. It refuses to know where a walk should go.

use super::driver::Candidate;
use super::game::{Fault, Game, Match, Turn, fault};
use super::position::{Outcome, Position};
use super::runner::{Playout, Runner};
use super::setting::Setting;
use crate::language::rules::MoveId;
use crate::random::Random;

/// Walks from one position as often as one likes.
pub struct Walker {
    game: Game,
    runner: Box<dyn Runner>,
    start: Position,
    history: Vec<u64>,
}

impl Clone for Walker {
    fn clone(&self) -> Self {
        Walker { game: self.game.clone(), runner: self.runner.boxed_clone(), start: self.start.clone(), history: self.history.clone() }
    }
}

impl Walker {
    /// Makes a walker that stands where the match does.
    pub fn new(from: &Match) -> Walker {
        let runner = from.runner().boxed_clone();
        Walker { game: from.game().clone(), start: runner.position(), history: runner.history().to_vec(), runner }
    }

    /// Goes back to where the walks begin.
    pub fn restart(&mut self) {
        self.runner.load(&self.start, &self.history);
    }

    /// How often that position has arisen which arose most often, up to where the walks begin; 0 where the rules do not ask.
    pub fn most_arisen(&self) -> usize {
        let times = |hash: &u64| self.history.iter().filter(|other| *other == hash).count();
        self.history.iter().map(times).max().unwrap_or(0)
    }

    /// Goes to a position of this game as if it had arisen after all that was played where the walks begin.
    pub fn resume_at(&mut self, position: &Position) {
        self.runner.load(position, &self.history);
    }

    /// Writes the position at hand over another of the same game.
    pub fn read(&self, position: &mut Position) {
        self.runner.read(position);
    }

    /// Goes to a position that a walker of the same game has stood at. It refuses to know what came before: no rule of repetition is met on the way from there.
    pub fn go_to(&mut self, position: &Position) {
        self.go_to_after(position, &[]);
    }

    /// Goes to such a position as if those with these hashes had been before, its own among them where it counts.
    pub fn go_to_after(&mut self, position: &Position, history: &[u64]) {
        self.runner.load(position, history);
    }

    /// The game that is walked in.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Where it stands.
    pub fn position(&self) -> Position {
        self.runner.position()
    }

    /// What stands and is remembered now.
    pub fn setting(&self) -> Setting {
        Setting::of(self.game.rules(), self.game.program(), self.runner.width(), &self.runner.position())
    }

    /// The hashes of the positions since the match began, the one at hand last; none where the rules do not count repetitions.
    pub fn history(&self) -> &[u64] {
        self.runner.history()
    }

    /// The index of the decision at hand; meaningless once the game is over.
    pub fn decision(&self) -> usize {
        self.runner.at()
    }

    /// The move that a ply makes.
    pub fn rule(&self, ply: Candidate) -> MoveId {
        self.game.program().variations[usize::from(ply.variation)].rule
    }

    /// Who is to act.
    pub fn turn(&self) -> Turn {
        match self.runner.outcome() {
            Some(_) => Turn::Nobody,
            None => self.game.decisions()[self.runner.at()].mover.map_or(Turn::Chance, Turn::Player),
        }
    }

    /// How the game has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.runner.outcome()
    }

    /// A hash of the position: what stands, what is remembered, which decision it is. The positions before it have no part in it.
    pub fn hash(&self) -> u64 {
        self.runner.hash()
    }

    /// The clause of the rules that goes round without end, if one did since the walk began. Nothing else means anything then.
    pub fn fault(&self) -> Option<Fault> {
        fault(&*self.runner)
    }

    /// Lists the legal plies, always in the same order; none when the game is over.
    pub fn legal(&mut self) -> Vec<Candidate> {
        self.runner.legal()
    }

    /// Plays a ply; false, with nothing changed, where it is illegal.
    pub fn play(&mut self, ply: Candidate) -> bool {
        self.runner.play(ply)
    }

    /// Tests whether a condition holds that the game was compiled to watch.
    ///
    /// # Panics
    /// If the game watches no condition with that number.
    pub fn holds(&mut self, condition: usize) -> bool {
        self.runner.watched(condition)
    }

    /// Looks at what a legal ply leads to, and comes back. Then no ply can be listed here any more before the walker goes elsewhere, but those that were can be looked at and played.
    pub fn ahead<R>(&mut self, ply: Candidate, look: impl FnOnce(&Walker) -> R) -> R {
        self.runner.save();
        self.runner.play(ply);
        let seen = look(self);
        self.runner.restore();
        seen
    }

    /// How many plies are offered: those that are legal, and perhaps some that turn out not to be.
    pub fn breadth(&self) -> u32 {
        self.runner.breadth()
    }

    /// Plays uniformly random plies until the game ends or so many are made.
    pub fn play_out(&mut self, random: &mut Random, cap: u32) -> Playout {
        self.runner.playout(random, cap, None)
    }

    /// The same, but every few milliseconds somebody is asked whether to stop, and then the playout has come to no end.
    pub fn play_out_until(&mut self, random: &mut Random, cap: u32, stop: &mut dyn FnMut() -> bool) -> Playout {
        self.runner.playout(random, cap, Some(stop))
    }

    /// How many rounds of loops were gone through so far, and what trying moves cost besides, in rounds: what the plies cost, the same on every computer as long
    /// as the game is not [hastened](Game::hasten).
    pub fn spent(&self) -> u64 {
        self.runner.spent()
    }
}
