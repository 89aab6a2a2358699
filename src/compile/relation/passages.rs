//! Ways along tracks that pass a site more than once.
//!
//! Such a track leads between passages, not between sites, see [`Board::entering`]. With E from
//! each site to its passages, a step of the track is E;Step;E˘, and a ray through a set W is
//! E;Ray(E[W]);E˘: all are relations that exist, and nothing else in the compiler knows of
//! passages. Where no track of a mask returns, the relation is the plain one.
//!
//! [`Board::entering`]: crate::board::Board::entering

use super::operations::{directions, opposite};
use super::{RelationId, SetId, Terms};
use crate::board::Direction;

impl Terms<'_> {
    /// Returns one step in any of the directions of the mask, following each passage of a site.
    pub fn step_on(&mut self, mask: u16) -> RelationId {
        let (plain, returning) = self.split(mask);
        let (plain, between) = (self.step(plain), self.step(returning));
        let around = self.by_passages(between);
        self.union(plain, around)
    }

    /// Returns a ray in the directions of the mask, through sites of the set, following each
    /// passage of a site.
    pub fn ray_on(&mut self, mask: u16, through: SetId) -> RelationId {
        let (plain, returning) = self.split(mask);
        let plain = self.ray(plain, through);
        if returning == 0 {
            return plain;
        }
        let passages = self.beside(self.entering(), through);
        let between = self.ray(returning, passages);
        let around = self.by_passages(between);
        self.union(plain, around)
    }

    /// Tests if some direction leads along a track that passes a site more than once.
    pub fn returns(&self, ways: &[Direction]) -> bool {
        ways.iter().any(|&way| self.board.returns(way))
    }

    /// Splits a mask into the directions between sites and those between passages.
    fn split(&self, mask: u16) -> (u16, u16) {
        let returning = directions(mask).filter(|&way| self.board.returns(way));
        let returning = returning.fold(0, |all, way| all | 1 << way.index());
        (mask & !returning, returning)
    }

    /// Returns the directions from sites to their passages.
    fn entering(&self) -> u16 {
        self.board.entering().fold(0, |all, way| all | 1 << way.index())
    }

    /// Returns a relation between passages as one between their sites.
    fn by_passages(&mut self, between: RelationId) -> RelationId {
        let enter = self.entering();
        let (enter, leave) = (self.step(enter), self.step(opposite(enter)));
        let left = self.then(between, leave);
        self.then(enter, left)
    }
}
