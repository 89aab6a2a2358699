//! The list of plies as players edit it: lines are removed, promoted and restored, and games are
//! left for new ones in the same tree.

use super::{MAX_PLIES, Node, Variations};
use crate::random::mix;
use serde::{Deserialize, Serialize};

/// A change of the list of plies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum ListChange {
    /// A ply was removed; `was_first` tells if its parent listed it first.
    Removed { node: usize, was_first: bool },
    /// These plies now list another ply first; the pairs hold the one listed first before.
    Promoted(Vec<(usize, Option<usize>)>),
}

/// The point where a game was left for a new one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LeftGame {
    /// The ply that was shown.
    pub(super) wanted: usize,
    /// The first ply of the line that was shown.
    pub(super) first: Option<usize>,
    pub(super) seed: u64,
}

/// Returns the seed of the rolls of the next game.
pub fn next_seed(seed: u64) -> u64 {
    mix(seed, u64::MAX) % 1_000_000_000
}

impl Variations {
    /// Removes a ply and all plies that follow it from the list. [`Variations::restore`] and
    /// playing them again bring them back. If the wanted ply is removed, the ply before becomes the
    /// wanted one.
    ///
    /// # Errors
    /// If there is no such ply.
    pub fn remove(&mut self, node: usize) -> Result<(), String> {
        let known = self.nodes.get(node).filter(|known| !known.is_removed);
        let parent = known.and_then(|known| known.parent).ok_or("there is no such ply")?;
        if self.path(self.wanted).contains(&node) {
            self.wanted = parent;
        }
        let before = &mut self.nodes[parent];
        let was_first = before.first == Some(node);
        before.first = before.first.filter(|&first| first != node);
        before.next = before.next.filter(|&next| next != node);
        self.nodes[node].is_removed = true;
        self.changes.push(ListChange::Removed { node, was_first });
        Ok(())
    }

    /// Removes all nodes from a number on for good; none of them may be shown.
    pub fn cut(&mut self, count: usize) {
        let is_left = |node: Option<usize>| node.is_none_or(|node| node < count);
        if !self.left.iter().all(|left| left.wanted < count && is_left(left.first)) {
            return;
        }
        self.nodes.truncate(count);
        for node in &mut self.nodes {
            node.next = node.next.filter(|next| *next < count);
            node.first = node.first.filter(|first| *first < count);
        }
        // Each ply before them continues with the first remaining ply after it.
        for index in 1..self.nodes.len() {
            let Node { parent: Some(parent), is_removed: false, .. } = self.nodes[index] else {
                continue;
            };
            let before = &mut self.nodes[parent].next;
            *before = before.or(Some(index));
        }
        self.changes.retain(|change| match change {
            ListChange::Removed { node, .. } => *node < count,
            ListChange::Promoted(before) => {
                before.iter().all(|(parent, first)| *parent < count && is_left(*first))
            }
        });
    }

    /// Lists the line to a ply first, at every ply where another line branches off.
    ///
    /// # Errors
    /// If there is no such ply, or its line already is listed first.
    pub fn promote(&mut self, node: usize) -> Result<(), String> {
        if node >= self.nodes.len() {
            return Err("there is no such ply".to_owned());
        }
        let mut before = Vec::new();
        for node in self.path(node) {
            let parent = self.nodes[node].parent.unwrap_or(0);
            if self.listed_first(parent) != Some(node) {
                before.push((parent, self.nodes[parent].first));
                self.nodes[parent].first = Some(node);
            }
        }
        if before.is_empty() {
            return Err("this line is the main line".to_owned());
        }
        self.changes.push(ListChange::Promoted(before));
        Ok(())
    }

    /// Returns the ply that is listed first among the plies after another one.
    fn listed_first(&self, parent: usize) -> Option<usize> {
        self.nodes[parent].first.or_else(|| {
            self.nodes.iter().position(|node| node.parent == Some(parent) && !node.is_removed)
        })
    }

    /// Undoes the last removal or promotion.
    ///
    /// # Errors
    /// If there is nothing to undo.
    pub fn restore(&mut self) -> Result<(), String> {
        match self.changes.pop().ok_or("no variation was deleted or promoted")? {
            ListChange::Removed { node, was_first } => {
                self.nodes[node].is_removed = false;
                if was_first && let Some(parent) = self.nodes[node].parent {
                    self.nodes[parent].first = Some(node);
                }
            }
            ListChange::Promoted(before) => {
                for (parent, first) in before {
                    self.nodes[parent].first = first;
                }
            }
        }
        Ok(())
    }

    /// Names the change that [`Variations::restore`] would undo: `removed` or `promoted`.
    pub fn restorable(&self) -> Option<&'static str> {
        self.changes.last().map(|change| match change {
            ListChange::Removed { .. } => "removed",
            ListChange::Promoted(_) => "promoted",
        })
    }

    /// Lists a removed ply again when it is played or visited.
    pub(super) fn bring_back(&mut self, node: usize) {
        if self.nodes[node].is_removed {
            self.nodes[node].is_removed = false;
            self.changes.retain(
                |change| !matches!(change, ListChange::Removed { node: gone, .. } if *gone == node),
            );
        }
    }

    /// Goes to the start for a new game with other rolls. All plies stay; [`Variations::go_back`]
    /// returns to the point where this game was left.
    pub fn begin_again(&mut self) {
        self.make_room();
        if self.nodes.len() > 1 {
            let first = self.nodes[0].next;
            self.left.push(LeftGame { wanted: self.wanted, first, seed: self.seed });
        }
        self.seed = next_seed(self.seed);
        // The first ply may be a roll, which is then made anew.
        self.nodes[0].next = None;
        self.wanted = 0;
    }

    /// Tests if a game was left for the current one.
    pub fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Returns to the game that was left last, and returns the ply that was shown in it.
    pub fn go_back(&mut self) -> Option<usize> {
        let left = self.left.pop()?;
        self.seed = left.seed;
        self.nodes[0].next = left.first;
        Some(left.wanted)
    }

    /// Makes room for another game if the tree is more than half full: removes the lines of first
    /// plies, the oldest first, except the line of the wanted ply.
    fn make_room(&mut self) {
        let mut excess = self.nodes.len().saturating_sub(MAX_PLIES / 2);
        if excess == 0 {
            return;
        }
        // The first ply of the line that each node is in; parents come before their children.
        let mut lines = vec![0; self.nodes.len()];
        let mut sizes = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            lines[index] =
                node.parent.filter(|&parent| parent > 0).map_or(index, |parent| lines[parent]);
            sizes[lines[index]] += 1;
        }
        let mut goes = vec![false; self.nodes.len()];
        for first in (1..self.nodes.len()).filter(|&index| lines[index] == index) {
            if excess > 0 && first != lines[self.wanted] {
                goes[first] = true;
                excess = excess.saturating_sub(sizes[first]);
            }
        }
        let mut places = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for line in &lines {
            places.push((!goes[*line]).then_some(count));
            count += usize::from(!goes[*line]);
        }
        let place = |node: Option<usize>| node.and_then(|node| places[node]);
        let nodes = std::mem::take(&mut self.nodes).into_iter().enumerate();
        self.nodes = nodes
            .filter(|(index, _)| places[*index].is_some())
            .map(|(_, node)| Node {
                parent: place(node.parent),
                next: place(node.next),
                first: place(node.first),
                ..node
            })
            .collect();
        self.wanted = place(Some(self.wanted)).unwrap_or(0);
        self.changes = std::mem::take(&mut self.changes)
            .into_iter()
            .filter_map(|change| match change {
                ListChange::Removed { node, was_first } => {
                    place(Some(node)).map(|node| ListChange::Removed { node, was_first })
                }
                ListChange::Promoted(before) => {
                    let kept = before
                        .into_iter()
                        .filter_map(|(parent, first)| Some((place(Some(parent))?, place(first))));
                    Some(ListChange::Promoted(kept.collect()))
                }
            })
            .collect();
        self.left = std::mem::take(&mut self.left)
            .into_iter()
            .filter_map(|left| {
                let wanted = place(Some(left.wanted))?;
                Some(LeftGame { wanted, first: place(left.first), ..left })
            })
            .collect();
    }
}
