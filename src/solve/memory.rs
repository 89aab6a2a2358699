//! Memory accounting: every allocation is charged to a budget before it is made, so that the solver
//! reports that memory is exhausted and does not crash.

use super::RanOut;

/// A memory limit and the bytes in use.
#[derive(Debug)]
pub struct MemoryBudget {
    limit: u64,
    used: u64,
}

impl MemoryBudget {
    /// Creates a budget of `limit` bytes with nothing in use.
    pub fn new(limit: u64) -> MemoryBudget {
        MemoryBudget { limit, used: 0 }
    }

    /// Charges `bytes` to the budget.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if less is left.
    pub fn take(&mut self, bytes: u64) -> Result<(), RanOut> {
        self.has(bytes)?;
        self.used += bytes;
        Ok(())
    }

    /// Returns bytes to the budget.
    pub fn give_back(&mut self, bytes: u64) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Allocates an array filled with one value.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the budget or the system has too little.
    pub fn array<T: Copy>(&mut self, value: T, length: usize) -> Result<Vec<T>, RanOut> {
        let mut array = self.list(length)?;
        array.resize(length, value);
        Ok(array)
    }

    /// Allocates an empty list with the capacity `most`.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the budget or the system has too little.
    pub fn list<T>(&mut self, most: usize) -> Result<Vec<T>, RanOut> {
        self.take((most * size_of::<T>()) as u64)?;
        let mut list = Vec::new();
        // The machine may have less memory than the budget says.
        list.try_reserve_exact(most).map_err(|_| RanOut::Memory)?;
        Ok(list)
    }

    /// Tests if `bytes` are left, without charging them.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not.
    pub fn has(&self, bytes: u64) -> Result<(), RanOut> {
        if bytes > self.limit - self.used { Err(RanOut::Memory) } else { Ok(()) }
    }

    /// Drops an array or a list that this budget allocated.
    pub fn drop<T>(&mut self, array: Vec<T>) {
        self.give_back((array.capacity() * size_of::<T>()) as u64);
    }
}

/// Elements per chunk of a [`ChunkedVec`].
const CHUNK: usize = 1 << 16;

/// An array that grows chunk by chunk: growing never copies, so the peak is not twice the size.
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
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Appends an element.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if a new chunk does not fit into the budget.
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

    /// Returns the element at `index`.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[inline(always)]
    pub fn get(&self, index: usize) -> T {
        self.parts[index / CHUNK][index % CHUNK]
    }
}
