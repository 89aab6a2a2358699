//! The division of work: the successors that a search leaves to others, and the results that it
//! takes over.

use super::{Search, Shared};
use crate::language::rules::PlayerId;
use crate::solve::proof_table::Proven;
use crate::solve::tags::Tag;

impl Search {
    /// Creates another search over the same positions, with this many bytes for its path.
    pub fn another(&self, memory: u64) -> Search {
        Search::new(self.ahead.another(), memory)
    }

    /// Copies the ply statistics of another search.
    pub fn learn(&mut self, from: &Search) {
        self.ahead.order.learn(&from.ahead.order);
    }

    /// Puts off successors that others are searching until the end, but not the first successor of
    /// a position, and none twice.
    pub(super) fn put_off(&mut self) {
        let Some(step) = self.path.last_mut().filter(|step| step.searched > 0) else { return };
        let words = self.ahead.words;
        while self.open.len() - step.open > step.put_off + 1
            && self.open.last().is_some_and(|next| self.busy.contains(&next.tag))
        {
            self.open[step.open..].rotate_right(1);
            self.open_positions[step.open * words..].rotate_right(words);
            step.put_off += 1;
        }
    }

    /// Tests if a position is on the path.
    pub fn is_on_path(&self, tag: Tag) -> bool {
        self.places.contains_key(&tag)
    }

    /// Lists the successors that others can search: the remaining successors of positions whose
    /// first successor has not decided, from the beginning of the path on. Each comes with the tag
    /// of its parent and its packed position.
    pub fn divisible(&self) -> impl Iterator<Item = (Tag, Tag, &[u64])> {
        let ends = self.path.iter().skip(1).map(|step| step.open).chain([self.open.len()]);
        let steps = self.path.iter().zip(ends).filter(|(step, _)| step.searched > 1);
        steps.flat_map(|(step, end)| {
            (step.open..end).rev().map(|at| {
                let words = self.ahead.words;
                let packed = &self.open_positions[at * words..][..words];
                (step.tag, self.open[at].tag, packed)
            })
        })
    }

    /// Leaves the first position of the path that others have settled, and returns its result.
    /// `searched` are the successors whose search others have finished, each after the tag of its
    /// parent.
    pub fn settled_elsewhere<'s>(
        &mut self,
        shared: &Shared,
        searched: impl Iterator<Item = &'s (Tag, Tag)>,
        player: PlayerId,
    ) -> Option<Proven> {
        let look = |tag: Tag| shared.table.look(tag, player);
        let mut itself = self.path.iter().enumerate();
        let itself = itself.find_map(|(at, step)| Some((at, look(step.tag)?)));
        let decided = searched.filter_map(|(parent, tag)| {
            let &at = self.places.get(parent)?;
            let proven = look(*tag)?;
            (proven.is_win_of(player) == self.path[at].wants).then_some((at, proven))
        });
        let (at, proven) = decided.chain(itself).min_by_key(|(at, _)| *at)?;
        let step = &self.path[at];
        shared.table.keep(step.tag, proven, self.nodes - step.nodes);
        while self.path.len() > at {
            self.leave();
        }
        Some(proven)
    }
}
