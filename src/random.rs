//! Random numbers that are the same on every platform.
//!
//! The generator is PCG-XSH-RR with 64 bits of state and 32 of output (Melissa O'Neill, *PCG: A
//! Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
//! Generation*, Harvey Mudd College HMC-CS-2014-0905, 2014, section 6.3.1). A seed is always given;
//! no entropy is taken from the system.

/// A generator of random numbers.
///
/// ```
/// use ludwright::random::Random;
///
/// let mut one = Random::new(7);
/// let mut other = Random::new(7);
/// let rolls: Vec<u32> = (0..5).map(|_| one.below(6) + 1).collect();
/// assert!(rolls.iter().all(|roll| (1..=6).contains(roll)));
/// assert!(rolls.iter().all(|&roll| roll == other.below(6) + 1));
/// ```
#[derive(Clone, Debug)]
pub struct Random {
    pub(crate) state: u64,
}

/// The multiplier of the linear congruential step.
pub(crate) const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
/// The increment of the step, which selects one of the generator's sequences: that of the reference
/// implementation's demonstration (stream 54).
pub(crate) const INCREMENT: u64 = (54 << 1) | 1;

impl Random {
    /// Makes a generator with this seed.
    #[inline]
    pub fn new(seed: u64) -> Random {
        // The reference implementation's seeding: a step from zero, add the seed, another step.
        let mut random = Random { state: INCREMENT.wrapping_add(seed) };
        random.step();
        random
    }

    /// Returns a uniform 32-bit number.
    #[inline]
    pub fn bits32(&mut self) -> u32 {
        let old = self.state;
        self.step();
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// Returns a uniform 64-bit number.
    #[inline]
    pub fn bits64(&mut self) -> u64 {
        u64::from(self.bits32()) << 32 | u64::from(self.bits32())
    }

    /// Returns a uniform number from 0 to `n - 1`; 0 if `n` is 0.
    ///
    /// Daniel Lemire, *Fast Random Integer Generation in an Interval*, ACM Transactions on Modeling
    /// and Computer Simulation 29 (2019), algorithm 5.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.bits32()) * u64::from(n);
        if (product as u32) < n {
            let short = n.wrapping_neg() % n;
            while (product as u32) < short {
                product = u64::from(self.bits32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }

    /// Shuffles the items.
    ///
    /// Fisher–Yates shuffle, in Durstenfeld's form (*Algorithm 235*, Communications of the ACM 7,
    /// 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    #[inline]
    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT);
    }
}

/// Derives the seed of the `index`-th of many independent samples, such as a playout or a roll,
/// from a common seed.
///
/// This is the output function of SplitMix64 (Guy Steele, Doug Lea and Christine Flood, *Fast
/// Splittable Pseudorandom Number Generators*, OOPSLA 2014, figure 17 with the constants of Vigna's
/// implementation), `index + 1` steps from the seed.
#[inline]
pub const fn mix(seed: u64, index: u64) -> u64 {
    let mut mixed = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
