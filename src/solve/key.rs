//! Exact keys: positions packed into a few words. Equal keys mean equal positions, and a key can be
//! decoded.
//!
//! A key consists of the bits of every set, without padding between sets, and the number of the
//! *remainder*. The remainder is the place in the order of play and all registers; remainders are
//! interned, numbered in order of appearance.

use super::RanOut;
use crate::budget::MemoryBudget;
use crate::engine::game::State;
use crate::engine::position::Position;
use std::collections::HashMap;

/// Bits reserved for the remainder's number in games with registers.
const NUMBERED: usize = 24;

/// Encodes and decodes the keys of one game.
pub struct Coder {
    /// The runs of bits that stand for sites, with their places in the key.
    runs: Vec<Run>,
    /// Words per key.
    words: usize,
    /// The bit of the key at which the remainder's number begins.
    rest_at: usize,
    rests: Vec<Rest>,
    numbers: HashMap<Rest, u32>,
    blank: Position,
}

/// Adjacent bits, `mask` wide: from bit `from` of a word of the position to bit `to` of the key.
#[derive(Clone, Copy)]
struct Run {
    word: usize,
    from: usize,
    mask: u64,
    to: usize,
}

/// The place in the order of play, and all registers.
type Rest = (u16, Box<[i32]>);

impl Coder {
    /// Creates a coder for the game of a state.
    pub fn new(from: &State) -> Coder {
        let blank = from.position();
        let (game, board) = (from.game(), &from.game().rules().board);
        let sets = usize::from(game.program().layout.sets);
        let width = blank.words().len().checked_div(sets).unwrap_or(0);
        let mut runs: Vec<Run> = Vec::new();
        let mut bits = 0;
        for set in 0..sets {
            for site in board.sites().map(|site| site.index()) {
                let (word, from) = (set * width + site / 64, site % 64);
                // A run stays within a word on both sides, so that one shift moves it.
                match runs.last_mut() {
                    Some(run)
                        if run.word == word
                            && run.from + run.mask.count_ones() as usize == from
                            && bits % 64 != 0 =>
                    {
                        run.mask = run.mask << 1 | 1;
                    }
                    _ => runs.push(Run { word, from, mask: 1, to: bits }),
                }
                bits += 1;
            }
        }
        let most = game.decisions().len().max(2) - 1;
        let least = if blank.numbers().is_empty() {
            (usize::BITS - most.leading_zeros()) as usize
        } else {
            NUMBERED
        };
        // The number must not straddle two words.
        let rest_at = if bits % 64 + least > 64 { bits.next_multiple_of(64) } else { bits };
        Coder {
            runs,
            words: rest_at / 64 + 1,
            rest_at,
            rests: Vec::new(),
            numbers: HashMap::new(),
            blank,
        }
    }

    /// Returns the number of words per key.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Returns a position to decode into.
    pub fn blank(&self) -> Position {
        self.blank.clone()
    }

    /// Encodes a position in which the game is not over.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room for a new remainder.
    pub fn write(
        &mut self,
        position: &Position,
        key: &mut [u64],
        memory_budget: &mut MemoryBudget,
    ) -> Result<(), RanOut> {
        key.fill(0);
        let words = position.words();
        for run in &self.runs {
            key[run.to / 64] |= (words[run.word] >> run.from & run.mask) << (run.to % 64);
        }
        let rest = self.number(position, memory_budget)?;
        self.set_rest(key, rest);
        Ok(())
    }

    /// Returns the number of a key's remainder.
    pub fn rest(&self, key: &[u64]) -> u32 {
        (key[self.rest_at / 64] >> (self.rest_at % 64)) as u32
    }

    /// Sets the remainder's number in a key that has none yet.
    pub fn set_rest(&self, key: &mut [u64], rest: u32) {
        key[self.rest_at / 64] |= u64::from(rest) << (self.rest_at % 64);
    }

    /// Returns the number of a position's remainder, interning it if it is new.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room for it.
    pub fn number(
        &mut self,
        position: &Position,
        memory_budget: &mut MemoryBudget,
    ) -> Result<u32, RanOut> {
        // Without registers, the decision is the whole remainder.
        if position.numbers().is_empty() {
            return Ok(position.decision() as u32);
        }
        // Fast path: no allocation and no hashing if the last new remainder occurs again.
        let last = self.rests.last();
        if last.is_some_and(|(at, numbers)| {
            *at == position.decision() as u16 && **numbers == *position.numbers()
        }) {
            return Ok(self.rests.len() as u32 - 1);
        }
        let rest = (position.decision() as u16, position.numbers().into());
        if let Some(&number) = self.numbers.get(&rest) {
            return Ok(number);
        }
        let number = self.rests.len() as u32;
        if self.rest_at % 64 + (u32::BITS - number.leading_zeros()) as usize > 64 {
            return Err(RanOut::Memory);
        }
        memory_budget.take((3 * size_of::<Rest>() + 8 * position.numbers().len() + 64) as u64)?;
        self.rests.push(rest.clone());
        self.numbers.insert(rest, number);
        Ok(number)
    }

    /// Decodes a key into a position.
    pub fn read(&self, key: &[u64], position: &mut Position) {
        let words = position.words_mut();
        words.fill(0);
        for run in &self.runs {
            words[run.word] |= (key[run.to / 64] >> (run.to % 64) & run.mask) << run.from;
        }
        self.read_rest(self.rest(key), position);
    }

    /// Decodes a remainder into a position, leaving its sets.
    pub fn read_rest(&self, number: u32, position: &mut Position) {
        if self.blank.numbers().is_empty() {
            position.set_at(number as u16, []);
        } else if let Some((at, numbers)) = self.rests.get(number as usize) {
            position.set_at(*at, numbers.iter().copied());
        }
    }
}

/// An interner of keys: numbers by key (open addressing with linear probing) and keys by number.
pub struct Store {
    words: usize,
    keys: super::memory::ChunkedVec<u64>,
    /// The number of a key plus one; 0 in an empty slot.
    table: Vec<u32>,
    length: usize,
}

impl Store {
    /// Creates an empty store for keys of `words` words.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the table does not fit into the budget.
    pub fn new(words: usize, memory_budget: &mut MemoryBudget) -> Result<Store, RanOut> {
        Ok(Store {
            words,
            keys: Default::default(),
            table: memory_budget.array(0, 1 << 10)?,
            length: 0,
        })
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Copies the key with this number into `key`.
    pub fn copy(&self, number: usize, key: &mut [u64]) {
        key.iter_mut()
            .enumerate()
            .for_each(|(index, word)| *word = self.keys.get(number * self.words + index));
    }

    /// Returns the number of a key, if it is stored.
    pub fn find(&self, key: &[u64]) -> Option<usize> {
        self.place(key).ok()
    }

    /// Returns the number of a key, or the slot for it.
    fn place(&self, key: &[u64]) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut place = hash(key) as usize & mask;
        loop {
            let Some(number) = (self.table[place] as usize).checked_sub(1) else {
                return Err(place);
            };
            if (0..self.words).all(|index| self.keys.get(number * self.words + index) == key[index])
            {
                return Ok(number);
            }
            place = (place + 1) & mask;
        }
    }

    /// Returns the number of a key, adding it if it is new, and whether it is new.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if there is no room for it.
    pub fn add(
        &mut self,
        key: &[u64],
        memory_budget: &mut MemoryBudget,
    ) -> Result<(usize, bool), RanOut> {
        let place = match self.place(key) {
            Ok(number) => return Ok((number, false)),
            Err(place) => place,
        };
        let number = self.length;
        if number >= u32::MAX as usize - 64 {
            return Err(RanOut::Memory);
        }
        for &word in key {
            self.keys.push(word, memory_budget)?;
        }
        self.length += 1;
        self.table[place] = self.length as u32;
        if self.length > self.table.len() / 3 * 2 {
            self.grow(memory_budget)?;
        }
        Ok((number, true))
    }

    fn grow(&mut self, memory_budget: &mut MemoryBudget) -> Result<(), RanOut> {
        let larger = memory_budget.array(0u32, self.table.len() * 2)?;
        memory_budget.drop(std::mem::replace(&mut self.table, larger));
        let mask = self.table.len() - 1;
        let mut key = vec![0; self.words];
        for number in 0..self.length {
            self.copy(number, &mut key);
            let mut place = hash(&key) as usize & mask;
            while self.table[place] != 0 {
                place = (place + 1) & mask;
            }
            self.table[place] = number as u32 + 1;
        }
        Ok(())
    }
}

/// Hashes a key for the table; keys are compared in full, so collisions are harmless.
fn hash(key: &[u64]) -> u64 {
    key.iter().fold(0, |sum: u64, &word| crate::random::mix(sum, word))
}
