//! Sets of sites on a board of any size.

use crate::board::Site;

/// A set of sites as one bit per site number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteSet(Vec<u64>);

impl SiteSet {
    /// Makes the empty set, with room for site numbers below `slots`.
    pub fn none(slots: usize) -> SiteSet {
        SiteSet(vec![0; slots.div_ceil(64)])
    }

    /// Adds a site, if there is room for its number.
    pub fn insert(&mut self, site: Site) {
        if let Some(word) = self.0.get_mut(site.index() / 64) {
            *word |= 1 << (site.index() % 64);
        }
    }

    /// Tests if a site is in the set.
    pub fn contains(&self, site: Site) -> bool {
        self.0.get(site.index() / 64).is_some_and(|word| word >> (site.index() % 64) & 1 == 1)
    }

    /// Returns the number of sites.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Tests if there is no site.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Returns the site if there is just one.
    pub fn only(&self) -> Option<Site> {
        self.iter().next().filter(|_| self.len() == 1)
    }

    /// Iterates over the sites in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Site> {
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0)
                .map(move |word| Site((64 * index) as u16 + word.trailing_zeros() as u16))
        })
    }

    /// Combines two sets for the same board, word by word.
    pub fn combined(&self, other: &SiteSet, combine: impl Fn(u64, u64) -> u64) -> SiteSet {
        SiteSet(self.0.iter().zip(&other.0).map(|(&one, &other)| combine(one, other)).collect())
    }
}
