//! A game in progress: its position, its legal moves, and the moves played so far.
//!
//! There are two ways to move. [`play`](State::play) checks the move, records it for
//! [`undo`](State::undo), and reveals rules that run out of fuel: where the next legal moves cannot
//! be listed with certainty, it lists them at once, elsewhere when they are asked for. Searches use
//! [`advance`](State::advance) and go back by [`return_to`](State::return_to) or
//! [`go_to`](State::go_to): these list and record nothing, and erase the record
//! ([`plies`](State::plies) is then empty).

use super::driver::PackedMove;
use super::game::{Fault, Game, Move, PlayError, Turn};
use super::position::{Outcome, Position};
use super::runner::{Playout, Runner, StopSignal};
use super::snapshot::Snapshot;
use crate::compile::program::PastCode;
use crate::language::rules::{MoveId, PlayerId};
use crate::random::{Random, mix};
use std::iter::successors;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A game in progress. Searches on several threads can share one; each clones it to move.
pub struct State {
    game: Game,
    runner: Box<dyn Runner>,
    /// The legal moves, once listed.
    legal: OnceLock<Arc<Legal>>,
    /// A runner that lists the legal moves where this state cannot be changed.
    lister: Mutex<Option<Box<dyn Runner>>>,
    /// The last ply of the record for undo, if there is one. Clones share it.
    past: Option<Arc<Past>>,
    /// The plies of the record, once asked for.
    plies: OnceLock<Vec<Move>>,
}

/// Longer lists of legal moves are not kept with the record: they would take megabytes for each
/// ply. [`State::undo`] lists them again.
const MAX_KEPT: usize = 1_000;

/// The legal moves of a position.
struct Legal {
    packed: Vec<PackedMove>,
    moves: OnceLock<Vec<Move>>,
}

/// A ply of the record, with the state before it.
struct Past {
    position: Position,
    /// The length of the history of hashes.
    history: usize,
    /// `None` if they were not listed, or for more than [`MAX_KEPT`].
    legal: Option<Arc<Legal>>,
    made: PackedMove,
    /// The number of this ply, from 1.
    number: usize,
    earlier: Option<Arc<Past>>,
}

impl Past {
    /// Iterates from this ply back to the first.
    fn backwards(past: &Option<Arc<Past>>) -> impl Iterator<Item = &Past> {
        successors(past.as_deref(), |past| past.earlier.as_deref())
    }
}

impl Drop for Past {
    /// Drops the earlier plies one after the other: one inside the other, thousands of them would
    /// overflow the stack.
    fn drop(&mut self) {
        let mut earlier = self.earlier.take();
        while let Some(mut past) = earlier.and_then(Arc::into_inner) {
            earlier = past.earlier.take();
        }
    }
}

/// A position and its history of hashes, for a search to return to.
#[derive(Clone, Debug)]
pub struct Mark {
    position: Position,
    history: Vec<u64>,
}

impl Mark {
    /// Returns the position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the hashes of the positions up to this one, its own last; none if the rules do not
    /// count repetitions.
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
            lister: Mutex::default(),
            past: self.past.clone(),
            plies: OnceLock::new(),
        }
    }
}

impl State {
    /// Makes a state without a record of plies.
    ///
    /// # Errors
    /// If the rules run out of fuel at this position.
    pub(super) fn new(game: Game, runner: Box<dyn Runner>) -> Result<State, Fault> {
        let mut begun = State {
            game,
            runner,
            legal: OnceLock::new(),
            lister: Mutex::default(),
            past: None,
            plies: OnceLock::new(),
        };
        begun.list();
        begun.fault().map_or(Ok(begun), Err)
    }

    /// Lists the legal moves.
    fn list(&mut self) {
        self.legal = OnceLock::from(Arc::new(Legal::of(&mut *self.runner)));
    }

    /// Returns the legal moves. If they are not listed yet, a second runner lists them, since
    /// listing changes a runner.
    fn listed(&self) -> &Arc<Legal> {
        self.legal.get_or_init(|| {
            let mut lister = self.lister.lock().unwrap_or_else(PoisonError::into_inner);
            let runner = match &mut *lister {
                Some(runner) => {
                    runner.load(&self.runner.position(), self.runner.history());
                    runner
                }
                none => none.insert(self.runner.boxed_clone()),
            };
            Arc::new(Legal::of(&mut **runner))
        })
    }

    /// Drops the list of legal moves and the record, before a move of a search.
    #[inline]
    fn forget_past(&mut self) {
        if self.legal.get().is_some() {
            self.legal = OnceLock::new();
        }
        if self.past.is_some() {
            self.past = None;
            self.plies = OnceLock::new();
        }
    }

    pub(super) fn runner(&self) -> &dyn Runner {
        &*self.runner
    }

    /// Returns the game that is played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns who is to act.
    pub fn turn(&self) -> Turn {
        match self.decision().map(|decision| self.game.decisions()[decision].mover) {
            None => Turn::Nobody,
            Some(None) => Turn::Chance,
            Some(Some(player)) => Turn::Player(player),
        }
    }

    /// Returns the result if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.runner.outcome()
    }

    /// Tests if the two persons have exchanged their colours, by the pie rule.
    pub fn is_swapped(&self) -> bool {
        self.runner.is_swapped()
    }

    /// Returns the person who plays a colour: the player as whom he began the game. It is also the
    /// colour that a person plays. They differ only after a swap.
    pub fn person(&self, player: PlayerId) -> PlayerId {
        player.exchanged(self.is_swapped())
    }

    /// Returns which person is to act: as [`turn`](Self::turn), but players stand for the
    /// [persons](Self::person).
    pub fn personal_turn(&self) -> Turn {
        match self.turn() {
            Turn::Player(player) => Turn::Player(self.person(player)),
            turn => turn,
        }
    }

    /// Returns the result by person: as [`outcome`](Self::outcome), but players stand for the
    /// [persons](Self::person).
    pub fn personal_outcome(&self) -> Option<Outcome> {
        Some(self.outcome()?.by_person(self.is_swapped()))
    }

    /// Returns the number of the team of the [person](Self::person) who plays a colour.
    pub fn team(&self, player: PlayerId) -> PlayerId {
        self.game.program().teams.of(self.person(player))
    }

    /// Returns which team is to act: as [`personal_turn`](Self::personal_turn), but players stand
    /// for the numbers of [teams](crate::language::rules::Teams).
    pub fn team_turn(&self) -> Turn {
        match self.turn() {
            Turn::Player(player) => Turn::Player(self.team(player)),
            turn => turn,
        }
    }

    /// Returns the result by team: as [`personal_outcome`](Self::personal_outcome), but players
    /// stand for the numbers of [teams](crate::language::rules::Teams).
    pub fn team_outcome(&self) -> Option<Outcome> {
        Some(self.personal_outcome()?.by_team(self.game.program().teams))
    }

    /// Returns the legal moves, each once, in a fixed order; none if the game is over.
    pub fn legal(&self) -> &[Move] {
        let Legal { packed, moves } = &**self.listed();
        moves.get_or_init(|| {
            packed.iter().map(|&candidate| self.game.spell_out(candidate)).collect()
        })
    }

    /// Returns the legal moves in packed form, in the same order.
    pub fn packed(&self) -> &[PackedMove] {
        &self.listed().packed
    }

    /// Lists the legal moves in packed form without caching them, for searches.
    pub fn candidates(&mut self) -> Vec<PackedMove> {
        self.runner.legal()
    }

    /// As [`candidates`](Self::candidates), in a buffer, which is emptied first.
    pub fn candidates_into(&mut self, candidates: &mut Vec<PackedMove>) {
        self.runner.legal_into(candidates);
    }

    /// Returns the number of moves in the move sets: an upper bound on the number of legal moves.
    pub fn move_count_bound(&self) -> u32 {
        self.runner.move_count_bound()
    }

    /// Returns the move rule of a ply.
    pub fn rule(&self, ply: PackedMove) -> MoveId {
        self.game.program().specializations[usize::from(ply.specialization)].rule
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// If the move is illegal, or the rules run out of fuel after it. The state is then unchanged.
    pub fn play(&mut self, ply: &Move) -> Result<(), PlayError> {
        let index = self.legal().iter().position(|legal| legal == ply);
        self.make(*index.and_then(|index| self.packed().get(index)).ok_or(PlayError::Illegal)?)
    }

    /// Plays a legal move in packed form. Unlike [`play`](Self::play), it does not list the moves
    /// that are legal before it.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn play_packed(&mut self, ply: PackedMove) -> Result<(), PlayError> {
        let is_candidate = match self.legal.get() {
            Some(legal) if legal.packed.len() <= MAX_KEPT => legal.packed.contains(&ply),
            _ => self.runner.is_candidate(ply),
        };
        match is_candidate {
            true => self.make(ply),
            false => Err(PlayError::Illegal),
        }
    }

    /// Plays a candidate.
    fn make(&mut self, ply: PackedMove) -> Result<(), PlayError> {
        let legal = self.legal.get().filter(|legal| legal.packed.len() <= MAX_KEPT);
        let past = Past {
            position: self.runner.position(),
            history: self.runner.history().len(),
            legal: legal.cloned(),
            made: ply,
            number: self.past.as_ref().map_or(0, |past| past.number) + 1,
            earlier: self.past.take(),
        };
        if !self.runner.play(ply) {
            let mut past = past;
            self.past = past.earlier.take();
            return Err(PlayError::Illegal);
        }
        self.past = Some(Arc::new(past));
        self.legal = OnceLock::new();
        self.plies = OnceLock::new();
        if self.runner.out_of_fuel().is_none() && !self.runner.can_list() {
            // Listing the legal moves tries their effects, which may be endless.
            self.list();
        }
        if let Some(fault) = self.fault() {
            self.undo();
            return Err(PlayError::Fault(fault));
        }
        Ok(())
    }

    /// Takes back the last of [`plies`](Self::plies); returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(past) = self.past.take() else { return false };
        let history = self.runner.history()[..past.history].to_vec();
        self.runner.load(&past.position, &history);
        self.legal = past.legal.clone().map(OnceLock::from).unwrap_or_default();
        self.past = past.earlier.clone();
        self.plies = OnceLock::new();
        true
    }

    /// Returns the moves [played](Self::play) so far.
    pub fn plies(&self) -> &[Move] {
        self.plies.get_or_init(|| {
            self.packed_plies().into_iter().map(|ply| self.game.spell_out(ply)).collect()
        })
    }

    /// Lists the moves [played](Self::play) so far, in packed form.
    pub fn packed_plies(&self) -> Vec<PackedMove> {
        let mut plies: Vec<PackedMove> =
            Past::backwards(&self.past).map(|past| past.made).collect();
        plies.reverse();
        plies
    }

    /// Returns the move [played](Self::play) last.
    pub fn last_packed(&self) -> Option<PackedMove> {
        self.past.as_ref().map(|past| past.made)
    }

    /// Returns the number of moves [played](Self::play) so far.
    pub fn ply_count(&self) -> usize {
        self.past.as_ref().map_or(0, |past| past.number)
    }

    /// Makes a ply without a record; returns false, with the position unchanged, if it is illegal.
    /// If the rules run out of fuel, [`fault`](Self::fault) says so.
    pub fn advance(&mut self, ply: PackedMove) -> bool {
        self.forget_past();
        self.runner.play(ply)
    }

    /// Goes to a position of the same game with the given history, as
    /// [`go_to_after`](Self::go_to_after), and makes a ply that is legal there, without generating
    /// the other moves. Returns false if the ply is illegal.
    pub fn advance_from(&mut self, position: &Position, history: &[u64], ply: PackedMove) -> bool {
        self.forget_past();
        self.runner.play_from(position, history, ply)
    }

    /// Calls `look` on the position after a legal ply, and returns to this one. The engine's move
    /// sets are not restored: until the position changes, the [candidates](Self::candidates) listed
    /// before can still be used, but not listed again.
    pub fn ahead<R>(&mut self, ply: PackedMove, look: impl FnOnce(&State) -> R) -> R {
        self.descend(ply, |state| look(state))
    }

    /// As [`ahead`](Self::ahead), for a search that goes further: `search` may list candidates and
    /// descend again, but not move in any other way.
    pub fn descend<R>(&mut self, ply: PackedMove, search: impl FnOnce(&mut State) -> R) -> R {
        let legal = self.legal.take();
        self.runner.save();
        self.runner.play(ply);
        let seen = search(self);
        self.runner.restore();
        self.legal = legal.map(OnceLock::from).unwrap_or_default();
        seen
    }

    /// Plays at most `cap` uniformly random plies, until the game ends. Nothing is recorded.
    pub fn play_out(&mut self, random: &mut Random, cap: u32) -> Playout {
        self.forget_past();
        self.runner.playout(random, cap, None)
    }

    /// As [`play_out`](Self::play_out), but calls `stop`, if there is one, every few milliseconds,
    /// and breaks off if it returns true.
    pub fn play_out_until(&mut self, random: &mut Random, cap: u32, stop: StopSignal) -> Playout {
        self.forget_past();
        self.runner.playout(random, cap, stop)
    }

    /// As [`play_out_until`](Self::play_out_until), from a position of the same game with the given
    /// history, [set](Self::go_to_after) without generating its moves.
    pub fn play_out_from(
        &mut self,
        position: &Position,
        history: &[u64],
        random: &mut Random,
        cap: u32,
        stop: StopSignal,
    ) -> Result<Playout, Fault> {
        self.forget_past();
        let played = self.runner.playout_from(position, history, random, cap, stop);
        played.map_err(Fault::out_of_fuel)
    }

    /// Returns the position with its history, for [`return_to`](Self::return_to).
    pub fn mark(&self) -> Mark {
        Mark { position: self.runner.position(), history: self.runner.history().to_vec() }
    }

    /// Returns to a mark of a state of the same game.
    pub fn return_to(&mut self, mark: &Mark) {
        self.go_to_after(&mark.position, &mark.history);
    }

    /// Goes to a position of the same game, with an empty history: repetition is not recognized
    /// from there on.
    pub fn go_to(&mut self, position: &Position) {
        self.go_to_after(position, &[]);
    }

    /// Goes to a position of the same game with the given history, its own hash last if the rules
    /// count repetitions.
    pub fn go_to_after(&mut self, position: &Position, history: &[u64]) {
        self.forget_past();
        self.runner.load(position, history);
    }

    /// Returns the position.
    pub fn position(&self) -> Position {
        self.runner.position()
    }

    /// Copies the position into another of the same game.
    pub fn read(&self, position: &mut Position) {
        self.runner.read(position);
    }

    /// Returns the board and the memories.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::of(
            self.game.rules(),
            self.game.program(),
            self.runner.width(),
            &self.runner.position(),
        )
    }

    /// Returns the hashes of the positions since the beginning, the current one last; none if the
    /// rules do not count repetitions.
    pub fn history(&self) -> &[u64] {
        self.runner.history()
    }

    /// Returns the number of occurrences of the most frequent position; 0 if the rules do not count
    /// repetitions.
    pub fn max_repetitions(&self) -> usize {
        let history = self.runner.history();
        let times = |hash: &u64| history.iter().filter(|other| *other == hash).count();
        history.iter().map(times).max().unwrap_or(0)
    }

    /// Returns the index of the current decision in [`Game::decisions`]; `None` if the game is
    /// over.
    pub fn decision(&self) -> Option<usize> {
        self.outcome().is_none().then(|| self.runner.at())
    }

    /// Returns the counters of the loops around the current decision.
    pub fn counters(&self) -> Vec<i32> {
        let position = self.runner.position();
        let Some(decision) = self.decision() else { return Vec::new() };
        self.game.program().decisions[decision]
            .counters
            .iter()
            .map(|&register| position.number(register))
            .collect()
    }

    /// Returns the value of a number register, such as one that [`DecisionCode`] refers to.
    ///
    /// [`DecisionCode`]: crate::compile::program::DecisionCode
    pub fn register(&self, register: u16) -> i32 {
        self.runner.position().number(register)
    }

    /// Returns a hash of everything that play from here depends on: the position and, if the rules
    /// refer to it, its past.
    pub fn situation(&self) -> u64 {
        match self.game.program().past() {
            None => self.hash(),
            Some(past) => mix(self.hash(), self.past_hash(past, 0)),
        }
    }

    /// Returns the same as a 128-bit key: a chance collision among a few million keys is
    /// negligible.
    pub fn situation_key(&self) -> u128 {
        let past = self.game.program().past().map_or(0, |past| self.past_hash(past, 1));
        u128::from(self.situation()) << 64 | u128::from(mix(!self.hash(), past))
    }

    fn past_hash(&self, past: &PastCode, seed: u64) -> u64 {
        let history = self.history();
        // Without conditions on the plies in between, the order of the positions does not matter.
        match past.throughout.is_empty() {
            true => history.iter().fold(seed, |sum, &word| sum.wrapping_add(mix(word, seed))),
            false => history.iter().fold(seed, |hash, &word| mix(hash, word)),
        }
    }

    /// Returns the word that stands for the position in the history of later positions.
    pub fn history_word(&self) -> u64 {
        let last = self.history().last().filter(|_| self.game.program().past().is_some());
        last.copied().unwrap_or_else(|| self.hash())
    }

    /// Returns a hash of the position: board, memories, counters and decision, without the history.
    pub fn hash(&self) -> u64 {
        self.runner.hash()
    }

    /// Returns the fault if the rules have run out of fuel since the position was last set.
    /// Everything else is then meaningless.
    pub fn fault(&self) -> Option<Fault> {
        self.runner.out_of_fuel().map(Fault::out_of_fuel)
    }

    /// Tests if a watched condition holds.
    ///
    /// # Panics
    /// If the game was compiled with no condition of that index.
    pub fn holds(&mut self, condition: usize) -> bool {
        self.runner.watched(condition)
    }

    /// Returns the fuel used so far: loop iterations, plus a fixed cost for each move tried. The
    /// number is the same on every computer as long as no [machine code](Game::jit_compile) runs.
    pub fn fuel_used(&self) -> u64 {
        self.runner.fuel_used()
    }

    /// Returns the number of instructions that were interpreted so far, where one that follows
    /// lines of the board counts as several. The number is the same on every computer as long as no
    /// [machine code](Game::jit_compile) runs.
    pub fn interpreted(&self) -> u64 {
        self.runner.interpreted()
    }
}

impl Legal {
    fn of(runner: &mut dyn Runner) -> Legal {
        Legal { packed: runner.legal(), moves: OnceLock::new() }
    }
}
