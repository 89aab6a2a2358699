//! Saves and restores positions on a stack, and converts them from and to plain data.

use super::Driver;
use crate::engine::hash::hash;
use crate::engine::position::{Outcome, Position};

#[derive(Clone, Copy)]
pub(super) struct SavedPosition {
    at: u16,
    outcome: Option<Outcome>,
    history: usize,
    target: Option<i32>,
}

impl<const W: usize> Driver<W> {
    /// Pushes the position on the stack, for [`Driver::restore`].
    pub fn save(&mut self) {
        let (sets, nums) = self.registers();
        self.saved_sets.extend_from_slice(&self.machine.frame.sets[..sets]);
        self.saved_nums.extend_from_slice(&self.machine.frame.nums[..nums]);
        self.saved.push(SavedPosition {
            at: self.at,
            outcome: self.outcome,
            history: self.history.hashes().len(),
            target: self.target,
        });
    }

    /// Pops the position that was saved last.
    pub fn restore(&mut self) {
        let (sets, nums) = self.registers();
        if let Some(saved) = self.saved.pop() {
            let from = self.saved_sets.len() - sets;
            self.machine.frame.sets[..sets].copy_from_slice(&self.saved_sets[from..]);
            self.saved_sets.truncate(from);
            let from = self.saved_nums.len() - nums;
            self.machine.frame.nums[..nums].copy_from_slice(&self.saved_nums[from..]);
            self.saved_nums.truncate(from);
            self.at = saved.at;
            self.outcome = saved.outcome;
            self.target = saved.target;
            self.history.truncate(saved.history);
        }
    }

    /// Drops the position that was saved last.
    pub(super) fn discard(&mut self) {
        if self.saved.pop().is_some() {
            let (sets, nums) = self.registers();
            self.saved_sets.truncate(self.saved_sets.len() - sets);
            self.saved_nums.truncate(self.saved_nums.len() - nums);
        }
    }

    /// Returns a hash of the position: board, memories, counters and decision.
    pub fn hash(&self) -> u64 {
        let (sets, nums) = self.registers();
        let frame = &self.machine.frame;
        let piles = self.machine.program.layout.piles.as_ref();
        hash(&frame.sets[..sets], &frame.nums[..nums], piles, self.at)
    }

    /// Returns the current position.
    pub fn position(&self) -> Position {
        let (sets, nums) = self.registers();
        Position {
            program: self.machine.program.fingerprint,
            words: self.machine.frame.sets[..sets].iter().flat_map(|set| set.0).collect(),
            numbers: self.machine.frame.nums[..nums].into(),
            at: self.at,
            outcome: self.outcome,
        }
    }

    /// Sets the position. Move sets and history are left to the caller; see [`Driver::resume`].
    ///
    /// # Panics
    /// If the position belongs to another game: its numbers could be used as sites that do not
    /// exist here.
    pub fn load(&mut self, position: &Position) {
        assert_eq!(
            position.program, self.machine.program.fingerprint,
            "the position is of another game"
        );
        for (set, words) in self.machine.frame.sets.iter_mut().zip(position.words.chunks_exact(W)) {
            set.0.copy_from_slice(words);
        }
        let nums = usize::from(self.machine.program.nums).min(position.numbers.len());
        // Element by element: there are few numbers, often none.
        self.machine
            .frame
            .nums
            .iter_mut()
            .zip(&position.numbers[..nums])
            .for_each(|(number, &from)| *number = from);
        self.at = position.at;
        self.outcome = position.outcome;
        self.out_of_fuel = None;
        self.target = None;
        self.base = 0;
        self.clear_move_sets();
    }
}
