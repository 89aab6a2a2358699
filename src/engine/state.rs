//! A game under way: where it stands, what is legal there, and what was played before.
//!
//! A match moves in two ways. [`play`](State::play) checks a move, keeps what was before for
//! [`undo`](State::undo), and lists what is legal next, so that rules without end are told of at
//! once. Searches move by [`advance`](State::advance) and go back by
//! [`return_to`](State::return_to) or [`go_to`](State::go_to): nothing is listed, spelled out or
//! kept, and the match has no past then ([`plies`](State::plies) is empty, nothing can be undone).

use super::driver::PackedMove;
use super::game::{Fault, Game, Move, PlayError, Turn};
use super::position::{Outcome, Position};
use super::runner::{Playout, Runner};
use super::snapshot::Snapshot;
use crate::language::rules::MoveId;
use crate::random::Random;
use std::sync::{Arc, OnceLock};

/// A game under way. Searches on several threads can share one; each clones it to move.
pub struct State {
    game: Game,
    runner: Box<dyn Runner>,
    /// What is legal here, once it was listed.
    legal: OnceLock<Arc<Legal>>,
    /// None when nothing can be undone. Clones share it until one of them is played on.
    past: Option<Arc<Past>>,
}

/// What is legal at a position.
struct Legal {
    packed: Vec<PackedMove>,
    moves: OnceLock<Vec<Move>>,
}

#[derive(Clone, Default)]
struct Past {
    plies: Vec<Move>,
    before: Vec<Before>,
}

/// What was before a ply.
#[derive(Clone)]
struct Before {
    position: Position,
    /// How long the history of hashes was.
    history: usize,
    legal: Arc<Legal>,
    /// The ply.
    made: PackedMove,
}

/// A position, and the hashes of those before it: what a search comes back to.
#[derive(Clone, Debug)]
pub struct Mark {
    position: Position,
    history: Vec<u64>,
}

impl Mark {
    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The hashes of the positions up to it, its own last; none where the rules do not count
    /// repetitions.
    pub fn history(&self) -> &[u64] {
        &self.history
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            game: self.game.clone(),
            runner: self.runner.boxed_clone(),
            legal: self.legal.clone(),
            past: self.past.clone(),
        }
    }
}

impl State {
    /// Makes a match that nothing was played in.
    ///
    /// # Errors
    /// Fails where the rules go round without end here.
    pub(super) fn new(game: Game, runner: Box<dyn Runner>) -> Result<State, Fault> {
        let mut begun = State { game, runner, legal: OnceLock::new(), past: None };
        begun.list();
        begun.fault().map_or(Ok(begun), Err)
    }

    /// Lists what is legal now.
    fn list(&mut self) {
        self.legal = OnceLock::from(Arc::new(Legal::of(&mut *self.runner)));
    }

    /// What is legal now. After a search has moved the match nothing was listed, and a copy of the
    /// engine does it.
    fn listed(&self) -> &Arc<Legal> {
        self.legal.get_or_init(|| Arc::new(Legal::of(&mut *self.runner.boxed_clone())))
    }

    /// Takes note that the match goes where nothing was listed, and without a past.
    #[inline]
    fn leave(&mut self) {
        if self.legal.get().is_some() {
            self.legal = OnceLock::new();
        }
        if self.past.is_some() {
            self.past = None;
        }
    }

    pub(super) fn runner(&self) -> &dyn Runner {
        &*self.runner
    }

    /// The game that is played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Who is to act.
    pub fn turn(&self) -> Turn {
        match self.decision().map(|decision| self.game.decisions()[decision].mover) {
            None => Turn::Nobody,
            Some(None) => Turn::Chance,
            Some(Some(player)) => Turn::Player(player),
        }
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.runner.outcome()
    }

    /// The legal moves, each once, always in the same order; none when the game is over.
    pub fn legal(&self) -> &[Move] {
        let Legal { packed, moves } = &**self.listed();
        moves.get_or_init(|| {
            packed.iter().map(|&candidate| self.game.spell_out(candidate)).collect()
        })
    }

    /// The legal moves as searches make them, in the same order.
    pub fn packed(&self) -> &[PackedMove] {
        &self.listed().packed
    }

    /// The same, listed anew: for a search, which comes to no position twice.
    pub fn candidates(&mut self) -> Vec<PackedMove> {
        self.runner.legal()
    }

    /// How many plies are offered: those that are legal, and perhaps some that turn out not to be.
    pub fn breadth(&self) -> u32 {
        self.runner.breadth()
    }

    /// The move that a ply makes.
    pub fn rule(&self, ply: PackedMove) -> MoveId {
        self.game.program().specializations[usize::from(ply.specialization)].rule
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// Fails, with nothing changed, where the move is illegal or the rules go round without end
    /// after it.
    pub fn play(&mut self, ply: &Move) -> Result<(), PlayError> {
        let index = self.legal().iter().position(|legal| legal == ply);
        self.make(index, || ply.clone())
    }

    /// Plays a legal move as [`packed`](Self::packed) lists it.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_packed(&mut self, ply: PackedMove) -> Result<(), PlayError> {
        let index = self.packed().iter().position(|&legal| legal == ply);
        let game = self.game.clone();
        self.make(index, || game.spell_out(ply))
    }

    /// Plays the legal move with that number.
    fn make(
        &mut self,
        index: Option<usize>,
        spelled: impl FnOnce() -> Move,
    ) -> Result<(), PlayError> {
        let legal = Arc::clone(self.listed());
        let made = *index.and_then(|index| legal.packed.get(index)).ok_or(PlayError::Illegal)?;
        let before = Before {
            position: self.runner.position(),
            history: self.runner.history().len(),
            legal,
            made,
        };
        if !self.runner.play(made) {
            return Err(PlayError::Illegal);
        }
        let past = Arc::make_mut(self.past.get_or_insert_default());
        past.before.push(before);
        past.plies.push(spelled());
        self.legal = OnceLock::new();
        if self.runner.out_of_fuel().is_none() {
            // To know what is legal, effects are tried; those may be what never ends.
            self.list();
        }
        if let Some(fault) = self.fault() {
            self.undo();
            return Err(PlayError::Fault(fault));
        }
        Ok(())
    }

    /// Takes back the last ply of [`plies`](Self::plies); false when there is none.
    pub fn undo(&mut self) -> bool {
        let Some(past) = self.past.as_mut().map(Arc::make_mut) else { return false };
        let Some(before) = past.before.pop() else { return false };
        past.plies.pop();
        let history = self.runner.history()[..before.history].to_vec();
        self.runner.load(&before.position, &history);
        self.legal = OnceLock::from(before.legal);
        true
    }

    /// The moves [played](Self::play) so far.
    pub fn plies(&self) -> &[Move] {
        self.past.as_ref().map_or(&[], |past| &past.plies)
    }

    /// The moves [played](Self::play) so far, as searches make them.
    pub fn packed_plies(&self) -> impl ExactSizeIterator<Item = PackedMove> + DoubleEndedIterator {
        self.past.as_ref().map_or(&[][..], |past| &past.before).iter().map(|before| before.made)
    }

    /// Makes a ply as searches do; false, with the position as it was, where it is illegal. Nothing
    /// is kept to undo it. Where the rules go round without end, [`fault`](Self::fault) says so.
    pub fn advance(&mut self, ply: PackedMove) -> bool {
        self.leave();
        self.runner.play(ply)
    }

    /// Looks at what a legal ply leads to, and comes back. Then no [candidates](Self::candidates)
    /// can be listed here any more before the match goes elsewhere, but those that were can be
    /// looked at and made.
    pub fn ahead<R>(&mut self, ply: PackedMove, look: impl FnOnce(&State) -> R) -> R {
        let legal = self.legal.take();
        self.runner.save();
        self.runner.play(ply);
        let seen = look(self);
        self.runner.restore();
        self.legal = legal.map(OnceLock::from).unwrap_or_default();
        seen
    }

    /// Plays uniformly random plies until the game ends or so many are made. Nothing is kept to
    /// undo them.
    pub fn play_out(&mut self, random: &mut Random, cap: u32) -> Playout {
        self.leave();
        self.runner.playout(random, cap, None)
    }

    /// The same, but every few milliseconds somebody is asked whether to stop, and then the playout
    /// has come to no end.
    pub fn play_out_until(
        &mut self,
        random: &mut Random,
        cap: u32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Playout {
        self.leave();
        self.runner.playout(random, cap, Some(stop))
    }

    /// Marks where the match stands.
    pub fn mark(&self) -> Mark {
        Mark { position: self.runner.position(), history: self.runner.history().to_vec() }
    }

    /// Goes where a match of the same game stood.
    pub fn return_to(&mut self, mark: &Mark) {
        self.go_to_after(&mark.position, &mark.history);
    }

    /// Goes to a position that a match of the same game has stood at. What came before is not
    /// known: no rule of repetition is met on the way from there.
    pub fn go_to(&mut self, position: &Position) {
        self.go_to_after(position, &[]);
    }

    /// Goes to such a position as if those with these hashes had been before, its own among them
    /// where it counts.
    pub fn go_to_after(&mut self, position: &Position, history: &[u64]) {
        self.leave();
        self.runner.load(position, history);
    }

    /// The position now, as plain data.
    pub fn position(&self) -> Position {
        self.runner.position()
    }

    /// Writes the position now over another of the same game.
    pub fn read(&self, position: &mut Position) {
        self.runner.read(position);
    }

    /// What stands and is remembered now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(
            self.game.rules(),
            self.game.program(),
            self.runner.width(),
            &self.runner.position(),
        )
    }

    /// The hashes of the positions since the match began, the one at hand last; none where the
    /// rules do not count repetitions.
    pub fn history(&self) -> &[u64] {
        self.runner.history()
    }

    /// How often that position has arisen which arose most often; 0 where the rules do not ask.
    pub fn max_repetitions(&self) -> usize {
        let history = self.runner.history();
        let times = |hash: &u64| history.iter().filter(|other| *other == hash).count();
        history.iter().map(times).max().unwrap_or(0)
    }

    /// The index of the decision at hand, into [`Game::decisions`]; none when the game is over.
    pub fn decision(&self) -> Option<usize> {
        self.outcome().is_none().then(|| self.runner.at())
    }

    /// The counters of the loops around the decision at hand.
    pub fn counters(&self) -> Vec<i32> {
        let position = self.runner.position();
        let Some(decision) = self.decision() else { return Vec::new() };
        self.game.program().decisions[decision]
            .counters
            .iter()
            .map(|&register| position.number(register))
            .collect()
    }

    /// What a register for the order of play holds now, as [`DecisionCode`] speaks of it.
    ///
    /// [`DecisionCode`]: crate::compile::program::DecisionCode
    pub fn register(&self, register: u16) -> i32 {
        self.runner.position().number(register)
    }

    /// A hash of the position: what stands, what is remembered, which decision it is. The positions
    /// before it have no part in it.
    pub fn hash(&self) -> u64 {
        self.runner.hash()
    }

    /// The clause of the rules that goes round without end, if one did since the match last went to
    /// a position. Nothing else means anything then.
    pub fn fault(&self) -> Option<Fault> {
        self.runner.out_of_fuel().map(Fault::out_of_fuel)
    }

    /// Tests whether a condition holds that the game was compiled to watch.
    ///
    /// # Panics
    /// If the game watches no condition with that number.
    pub fn holds(&mut self, condition: usize) -> bool {
        self.runner.watched(condition)
    }

    /// How many rounds of loops were gone through so far, and what trying moves cost besides, in
    /// rounds: what the plies cost, the same on every computer as long as the game is not
    /// [hastened](Game::jit_compile).
    pub fn fuel_used(&self) -> u64 {
        self.runner.fuel_used()
    }
}

impl Legal {
    fn of(runner: &mut dyn Runner) -> Legal {
        Legal { packed: runner.legal(), moves: OnceLock::new() }
    }
}
