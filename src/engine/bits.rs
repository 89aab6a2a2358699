//! Bit sets of sites, in a fixed number of machine words.
//!
//! The operators are plain loops: a build with few optimizations, such as the test profile, does
//! not inline the closures of `array::from_fn`.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A set of numbers below 64 `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const NONE: Self = Bits([0; W]);

    /// Returns the set of one number.
    ///
    /// # Panics
    /// If the number is not below 64 `W`.
    #[inline(always)]
    pub fn single(number: usize) -> Self {
        let mut words = [0; W];
        words[number / 64] = 1 << (number % 64);
        Bits(words)
    }

    /// Tests if the set is empty.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        let (mut all, mut index) = (0, 0);
        while index < W {
            all |= self.0[index];
            index += 1;
        }
        all == 0
    }

    /// Tests if the number is in the set. Numbers out of range are not.
    #[inline(always)]
    pub fn has(self, number: usize) -> bool {
        number / 64 < W && self.0[number / 64] >> (number % 64) & 1 == 1
    }

    /// Returns the number of elements.
    #[inline(always)]
    pub fn count(self) -> u32 {
        let (mut count, mut index) = (0, 0);
        while index < W {
            count += self.0[index].count_ones();
            index += 1;
        }
        count
    }

    /// Returns the least element.
    #[inline(always)]
    pub fn lowest(self) -> Option<usize> {
        self.0
            .iter()
            .position(|&word| word != 0)
            .map(|index| index * 64 + self.0[index].trailing_zeros() as usize)
    }

    /// Returns the greatest element.
    #[inline(always)]
    pub fn highest(self) -> Option<usize> {
        self.0
            .iter()
            .rposition(|&word| word != 0)
            .map(|index| index * 64 + 63 - self.0[index].leading_zeros() as usize)
    }

    /// Removes and returns the least element.
    #[inline(always)]
    pub fn take(&mut self) -> Option<usize> {
        let lowest = self.lowest()?;
        self.0[lowest / 64] &= self.0[lowest / 64] - 1;
        Some(lowest)
    }

    /// Returns the element with exactly `rank` lesser ones, if there is one.
    #[inline(always)]
    pub fn nth(self, rank: u32) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the processor has the instructions, as was just tested.
            return unsafe { nth_by_deposit(self, rank) };
        }
        self.nth_by(rank, select)
    }

    /// Implements [`Bits::nth`] with a function that selects a bit of one word.
    #[inline(always)]
    pub fn nth_by(self, mut rank: u32, select: impl Fn(u64, u32) -> u32) -> Option<usize> {
        for (index, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if rank < here {
                return Some(index * 64 + select(word, rank) as usize);
            }
            rank -= here;
        }
        None
    }

    /// Adds `by` to every element; drops those that leave the range.
    #[inline(always)]
    pub fn up(self, by: u32) -> Self {
        if W == 1 {
            let mut words = self.0;
            words[0] = if by < 64 { words[0] << by } else { 0 };
            return Bits(words);
        }
        let (whole, part) = ((by / 64) as usize, by % 64);
        let mut words = [0; W];
        for index in (whole..W).rev() {
            let low = if part > 0 && index > whole {
                self.0[index - whole - 1] >> (64 - part)
            } else {
                0
            };
            words[index] = self.0[index - whole] << part | low;
        }
        Bits(words)
    }

    /// Subtracts `by` from every element; drops those that leave the range.
    #[inline(always)]
    pub fn down(self, by: u32) -> Self {
        if W == 1 {
            let mut words = self.0;
            words[0] = if by < 64 { words[0] >> by } else { 0 };
            return Bits(words);
        }
        let (whole, part) = ((by / 64) as usize, by % 64);
        let mut words = [0; W];
        let mut index = 0;
        while index + whole < W {
            let high = if part > 0 && index + whole + 1 < W {
                self.0[index + whole + 1] << (64 - part)
            } else {
                0
            };
            words[index] = self.0[index + whole] >> part | high;
            index += 1;
        }
        Bits(words)
    }

    /// Iterates over the elements in ascending order.
    pub fn iter(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.take())
    }
}

/// Implements [`Bits::nth`] with `pdep`, which deposits a bit at the place of the bit with that
/// rank. Random play does this once a ply, and it takes at most a quarter of the time.
///
/// # Safety
/// The processor must have POPCNT, BMI1 and BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2")]
unsafe fn nth_by_deposit<const W: usize>(set: Bits<W>, rank: u32) -> Option<usize> {
    set.nth_by(rank, |word, rank| std::arch::x86_64::_pdep_u64(1 << rank, word).trailing_zeros())
}

/// Returns the index of the set bit with exactly `rank` set bits below it. There must be one.
pub fn select(mut word: u64, mut rank: u32) -> u32 {
    // Skips 32, 16 and 8 bits by their population counts, then single bits.
    let mut place = 0;
    for width in [32, 16, 8] {
        let here = (word & ((1 << width) - 1)).count_ones();
        if rank >= here {
            rank -= here;
            word >>= width;
            place += width;
        }
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    place + word.trailing_zeros()
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    /// Collects numbers.
    ///
    /// # Panics
    /// If a number is not below 64 `W`.
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        numbers.into_iter().fold(Self::NONE, |set, number| set | Self::single(number))
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> BitXor for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(mut self, other: Self) -> Self {
        let mut index = 0;
        while index < W {
            self.0[index] ^= other.0[index];
            index += 1;
        }
        self
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        let mut index = 0;
        while index < W {
            self.0[index] = !self.0[index];
            index += 1;
        }
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        let mut index = 0;
        while index < W {
            self.0[index] &= other.0[index];
            index += 1;
        }
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        let mut index = 0;
        while index < W {
            self.0[index] |= other.0[index];
            index += 1;
        }
    }
}
