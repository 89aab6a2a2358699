//! Positions as a few words, exactly.
//!
//! In: positions of one game. Out: keys that differ where the positions do, and the positions back.
//! The bits of every set stand one after another without those that stand for no site; what a game
//! counts and remembers besides sets, with the point in the order of play, is numbered as it turns
//! up. It refuses to know what a position is worth.

use super::RanOut;
use super::memory::MemoryBudget;
use crate::engine::game::State;
use crate::engine::position::Position;
use std::collections::HashMap;

/// A game with numbers has so many bits for them at least.
const NUMBERED: usize = 24;

/// Writes and reads the keys of one game.
pub struct Coder {
    /// By word of a position, the runs of bits that can be set: from where, how many, and where
    /// they go in the key.
    runs: Vec<Run>,
    /// How many words a key has.
    words: usize,
    /// Where the number of the rest begins in the last word.
    rest_at: usize,
    rests: Vec<Rest>,
    numbers: HashMap<Rest, u32>,
    blank: Position,
}

#[derive(Clone, Copy)]
struct Run {
    word: usize,
    from: usize,
    mask: u64,
    to: usize,
}

/// The point in the order of play, and all numbers.
type Rest = (u16, Box<[i32]>);

impl Coder {
    /// Makes a coder for the match's game.
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
        // The rest stands within one word.
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

    /// How many words a key has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// A position to write over.
    pub fn blank(&self) -> Position {
        self.blank.clone()
    }

    /// Writes the key of a position that is not over.
    ///
    /// # Errors
    /// Tells if the game counts so much that there is no memory left for it.
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

    /// The number of what a key tells besides sets.
    pub fn rest(&self, key: &[u64]) -> u32 {
        (key[self.rest_at / 64] >> (self.rest_at % 64)) as u32
    }

    /// Adds the number of a rest to a key that has none yet.
    pub fn set_rest(&self, key: &mut [u64], rest: u32) {
        key[self.rest_at / 64] |= u64::from(rest) << (self.rest_at % 64);
    }

    /// The number of what a position has besides sets.
    ///
    /// # Errors
    /// Tells if the game counts so much that there is no memory left for it.
    pub fn number(
        &mut self,
        position: &Position,
        memory_budget: &mut MemoryBudget,
    ) -> Result<u32, RanOut> {
        // Most games keep no numbers: the decision says all.
        if position.numbers().is_empty() {
            return Ok(position.decision() as u32);
        }
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

    /// Writes the position of a key over another.
    pub fn read(&self, key: &[u64], position: &mut Position) {
        let words = position.words_mut();
        words.fill(0);
        for run in &self.runs {
            words[run.word] |= (key[run.to / 64] >> (run.to % 64) & run.mask) << run.from;
        }
        self.read_rest(self.rest(key), position);
    }

    /// Writes over what a position has besides sets.
    pub fn read_rest(&self, number: u32, position: &mut Position) {
        if self.blank.numbers().is_empty() {
            position.set_at(number as u16, &[]);
        } else if let Some((at, numbers)) = self.rests.get(number as usize) {
            position.set_at(*at, numbers);
        }
    }
}

/// Keys by number, and numbers by key.
pub struct Store {
    words: usize,
    keys: super::memory::ChunkedVec<u64>,
    /// A number and one, or 0 where there is none.
    table: Vec<u32>,
    length: usize,
}

impl Store {
    /// Holds nothing yet.
    ///
    /// # Errors
    /// Tells if there is no memory left for it.
    pub fn new(words: usize, memory_budget: &mut MemoryBudget) -> Result<Store, RanOut> {
        Ok(Store {
            words,
            keys: Default::default(),
            table: memory_budget.array(0, 1 << 10)?,
            length: 0,
        })
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Copies out the key with that number.
    pub fn copy(&self, number: usize, key: &mut [u64]) {
        key.iter_mut()
            .enumerate()
            .for_each(|(index, word)| *word = self.keys.get(number * self.words + index));
    }

    /// The number of a key, if it is there.
    pub fn find(&self, key: &[u64]) -> Option<usize> {
        self.place(key).ok()
    }

    /// The number of a key, or the place where its number belongs.
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

    /// The number of a key, which is added if it is not there yet, and whether it was.
    ///
    /// # Errors
    /// Tells if there is no memory left for it.
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

/// Spreads keys over the table; equal hashes do no harm.
fn hash(key: &[u64]) -> u64 {
    key.iter().fold(0, |sum: u64, &word| crate::random::mix(sum, word))
}
