//! Buffers that machine code writes to, between canaries in builds with debug assertions.
//!
//! Machine code stores through plain addresses; the emitter alone keeps them in bounds. These types
//! verify it: everything that a store can reach lies between canaries, which are compared after
//! every call. Without debug assertions they cost nothing.

use std::ops::{Deref, DerefMut};

/// The words of a canary: unlike any address, count or small number.
pub const PATTERN: u64 = 0xa5c3_96e1_5a3c_691e;

/// The number of canaries on each side of a buffer.
const GUARDS: usize = if cfg!(debug_assertions) { 1 } else { 0 };

/// A type that has a canary value.
pub trait Canary: Sized {
    /// Returns the canary.
    fn canary() -> Self;
    /// Tests if the canary is unchanged.
    fn is_intact(&self) -> bool;
}

/// A contiguous buffer between canaries.
#[derive(Debug)]
pub struct Guarded<T> {
    cells: Vec<T>,
}

impl<T: Canary> Default for Guarded<T> {
    fn default() -> Self {
        Guarded { cells: (0..2 * GUARDS).map(|_| T::canary()).collect() }
    }
}

impl<T: Canary> Guarded<T> {
    /// Extends the buffer to at least `length` values by calling `fresh`.
    pub fn extend_to(&mut self, length: usize, mut fresh: impl FnMut() -> T) {
        let missing = length.saturating_sub(self.len());
        if missing > 0 {
            self.check();
            self.cells.truncate(self.cells.len() - GUARDS);
            self.cells
                .extend((0..missing).map(|_| fresh()).chain((0..GUARDS).map(|_| T::canary())));
        }
    }

    /// Appends a value.
    #[inline]
    pub fn push(&mut self, value: T) {
        let end = self.cells.len() - GUARDS;
        self.cells.insert(end, value);
    }

    /// Returns the values with the canaries around them.
    pub fn with_canaries(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Compares the canaries, if there are any.
    ///
    /// # Panics
    /// If machine code has written beyond the buffer.
    #[inline(always)]
    pub fn check(&self) {
        let (before, after) = (&self.cells[..GUARDS], &self.cells[self.cells.len() - GUARDS..]);
        let intact = before.iter().chain(after).all(T::is_intact);
        assert!(intact, "machine code has written beside a buffer of {} values", self.len());
    }
}

impl<T> Deref for Guarded<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.cells[GUARDS..self.cells.len() - GUARDS]
    }
}

impl<T> DerefMut for Guarded<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        let end = self.cells.len() - GUARDS;
        &mut self.cells[GUARDS..end]
    }
}

/// Words that nothing may write to.
#[derive(Clone, Debug)]
#[cfg_attr(not(debug_assertions), derive(Default))]
#[repr(C)]
pub struct Fence {
    #[cfg(debug_assertions)]
    pub words: [u64; 64],
}

#[cfg(debug_assertions)]
impl Default for Fence {
    fn default() -> Fence {
        Fence { words: [PATTERN; 64] }
    }
}

impl Fence {
    /// Compares the words, if there are any.
    ///
    /// # Panics
    /// If one of them has changed.
    #[inline(always)]
    pub fn check(&self) {
        #[cfg(debug_assertions)]
        assert!(self.words == [PATTERN; 64], "machine code has written beside a value");
    }
}

/// A value on the heap between fences.
pub struct GuardedBox<T>(Box<Fenced<T>>);

/// The order in memory matters.
#[repr(C)]
struct Fenced<T> {
    before: Fence,
    value: T,
    after: Fence,
}

impl<T> GuardedBox<T> {
    /// Allocates a value.
    pub fn new(value: T) -> GuardedBox<T> {
        GuardedBox(Box::new(Fenced { before: Fence::default(), value, after: Fence::default() }))
    }

    /// Returns the fences before and after the value.
    pub fn fences(&mut self) -> [&mut Fence; 2] {
        let Fenced { before, after, .. } = &mut *self.0;
        [before, after]
    }

    /// Compares the fences, if there are any.
    ///
    /// # Panics
    /// If machine code has written beyond the value.
    #[inline(always)]
    pub fn check(&self) {
        self.0.before.check();
        self.0.after.check();
    }
}

impl<T> Deref for GuardedBox<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> DerefMut for GuardedBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0.value
    }
}

impl Canary for u64 {
    fn canary() -> u64 {
        PATTERN
    }

    fn is_intact(&self) -> bool {
        *self == PATTERN
    }
}
