//! Memory that is counted before it is taken.
//!
//! In: how much there is. Out: arrays that grow without being copied, and a plain word when there
//! is no more. It refuses to know what they are for.

use super::RanOut;

/// How much memory may be taken, and how much is.
#[derive(Debug)]
pub struct MemoryBudget {
    limit: u64,
    used: u64,
}

impl MemoryBudget {
    /// Nothing is taken yet.
    pub fn new(limit: u64) -> MemoryBudget {
        MemoryBudget { limit, used: 0 }
    }

    /// Notes that so many bytes are about to be taken.
    ///
    /// # Errors
    /// Tells if there are not so many left.
    pub fn take(&mut self, bytes: u64) -> Result<(), RanOut> {
        self.has(bytes)?;
        self.used += bytes;
        Ok(())
    }

    /// Notes that so many bytes were given back.
    pub fn give_back(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Makes an array of one value, of memory that is counted.
    ///
    /// # Errors
    /// Tells if there is too little left.
    pub fn array<T: Copy>(&mut self, value: T, length: usize) -> Result<Vec<T>, RanOut> {
        let mut array = self.list(length)?;
        array.resize(length, value);
        Ok(array)
    }

    /// Makes an empty list that has room for so many things, of memory that is counted.
    ///
    /// # Errors
    /// Tells if there is too little left.
    pub fn list<T>(&mut self, most: usize) -> Result<Vec<T>, RanOut> {
        self.take((most * size_of::<T>()) as u64)?;
        let mut list = Vec::new();
        // There may be less memory than one was told.
        list.try_reserve_exact(most).map_err(|_| RanOut::Memory)?;
        Ok(list)
    }

    /// Tests if there are so many bytes left.
    ///
    /// # Errors
    /// Tells if there are not.
    pub fn has(&self, bytes: u64) -> Result<(), RanOut> {
        if bytes > self.limit - self.used { Err(RanOut::Memory) } else { Ok(()) }
    }

    /// Drops an array or a list that was made here.
    pub fn drop<T>(&mut self, array: Vec<T>) {
        self.give_back((array.capacity() * size_of::<T>()) as u64);
    }
}

/// A part of a pile holds so many things.
const CHUNK: usize = 1 << 16;

/// An array that grows part by part, so that it never needs twice its memory to grow.
#[derive(Debug)]
pub struct ChunkedVec<T> {
    parts: Vec<Vec<T>>,
    length: usize,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        ChunkedVec { parts: Vec::new(), length: 0 }
    }
}

impl<T: Copy> ChunkedVec<T> {
    /// How many things it holds.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Adds a thing.
    ///
    /// # Errors
    /// Tells if there is no memory left for it.
    pub fn push(&mut self, thing: T, memory_budget: &mut MemoryBudget) -> Result<(), RanOut> {
        if self.length == self.parts.len() * CHUNK {
            self.parts.push(memory_budget.list(CHUNK)?);
        }
        if let Some(part) = self.parts.last_mut() {
            part.push(thing);
            self.length += 1;
        }
        Ok(())
    }

    /// The thing with that number.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline(always)]
    pub fn get(&self, index: usize) -> T {
        self.parts[index / CHUNK][index % CHUNK]
    }
}
