//! Edges that are rated when their node was visited often, not when it is expanded.

use super::{Actor, PathEdge, Rating, Tree};

impl Tree {
    /// Finds the first node of a path that was visited this often and whose edges were not rated,
    /// and marks it as rated; returns its index in the path.
    pub fn find_unrated(&mut self, path: &[PathEdge], visits: u32) -> Option<usize> {
        let place = path.iter().position(|step| {
            let node = self.node(step.node);
            !node.is_rated && node.visits >= visits && matches!(node.actor, Actor::Player(_))
        })?;
        self.nodes[path[place].node as usize].is_rated = true;
        Some(place)
    }

    /// Rates the edges of a node, in their order, or leaves them as they are if there are no
    /// ratings.
    pub fn rate(&mut self, node: u32, ratings: &[Rating]) {
        let edges = self.node(node).edges();
        if !ratings.is_empty() {
            self.edges.rate(edges.clone(), ratings);
            // The plies are not in the order of their ratings.
            self.nodes[node as usize].begun = edges.len() as u32;
        }
    }

    /// Marks a node as not rated.
    pub fn unrate(&mut self, node: u32) {
        self.nodes[node as usize].is_rated = false;
    }
}
