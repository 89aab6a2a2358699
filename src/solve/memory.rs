//! A vector in chunks, each charged to the memory budget before it is allocated.

use crate::budget::{MemoryBudget, RanOut};

/// Elements per chunk of a [`ChunkedVec`].
const CHUNK: usize = 1 << 16;

/// A vector that grows by chunks: it never reallocates, so the peak is not twice its size.
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
