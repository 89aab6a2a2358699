//! Piles of a snapshot: the pieces on a site from the bottom up.

use super::{MemoryValue, Occupant, Snapshot};
use crate::board::Site;
use crate::language::rules::{Piles, PlayerId, Rules};

impl Snapshot {
    /// Returns the pieces on a site from the bottom up; the last is the one on top.
    pub fn pile(&self, rules: &Rules, site: Site) -> Vec<Occupant> {
        let below = rules.piles.iter().flat_map(|piles| {
            (1..piles.most).map_while(move |depth| self.lying(rules, piles, depth, site))
        });
        let top = self.pieces.get(site.index()).copied().flatten();
        let mut all: Vec<Occupant> = top.into_iter().chain(below).collect();
        all.reverse();
        all
    }

    /// Returns the piece this many pieces below the top.
    fn lying(&self, rules: &Rules, piles: &Piles, depth: usize, site: Site) -> Option<Occupant> {
        let holds = |set: &MemoryValue| match set {
            MemoryValue::Sites(sites) => sites.binary_search(&site).is_ok(),
            _ => false,
        };
        piles.kinds().find_map(|piece| {
            let sets = self.memories.get(piles.set(depth, piece)?.index())?;
            let owner = PlayerId(sets.iter().position(holds)? as u16);
            let owner = rules.pieces[piece.index()].owned.then_some(owner);
            Some(Occupant { piece, owner })
        })
    }

    /// Replaces the pieces on a site, given from the bottom up. Below the top, pieces that others
    /// may not lie on are dropped, and so are the lowest ones if the pile is too high.
    pub fn set_pile(&mut self, rules: &Rules, site: Site, pile: &[Occupant]) {
        let mut down = pile.iter().rev();
        self.pieces[site.index()] = down.next().copied();
        let Some(piles) = &rules.piles else { return };
        let mut down = down.filter(|lying| piles.covers(lying.piece));
        for depth in 1..piles.most {
            let lying = down.next();
            for kind in piles.kinds() {
                let Some(set) = piles.set(depth, kind) else { continue };
                let sets = &mut self.memories[set.index()];
                for (owner, set) in sets.iter_mut().enumerate() {
                    let MemoryValue::Sites(sites) = set else { continue };
                    let is_it = lying.is_some_and(|lying| {
                        lying.piece == kind && lying.owner.map_or(0, PlayerId::index) == owner
                    });
                    match (sites.binary_search(&site), is_it) {
                        (Ok(place), false) => {
                            sites.remove(place);
                        }
                        (Err(place), true) => sites.insert(place, site),
                        _ => {}
                    }
                }
            }
        }
    }
}
