//! Dropping parts of a tree: the branches beside a ply that was made, and the least visited nodes.

use super::{Actor, NONE, Spare, Tree, TreeNode, refilled};
use std::mem::replace;

impl Tree {
    /// Discards everything that is not reachable from a node, and makes it the root.
    pub fn reroot(&mut self, root: u32) {
        self.frozen = false;
        self.compact(root, 0);
    }

    /// Makes room in a full tree: discards the expansions of the least visited nodes, until the
    /// remaining expansions take half the size of a full tree. Values and visits stay. No path may
    /// be pending.
    pub fn recycle(&mut self) {
        let mut costs: Vec<(u32, usize)> = self
            .nodes
            .iter()
            .filter(|node| node.edges > 0)
            .map(|node| {
                // An upper bound: an expansion brings its edges, as many nodes, and a position.
                let edges = node.edges as usize;
                (node.visits, self.size_of(edges, edges, 1))
            })
            .collect();
        costs.sort_unstable_by_key(|&(visits, _)| std::cmp::Reverse(visits));
        let mut left = self.memory / 4;
        let first_dropped = costs.iter().find(|(_, cost)| match left.checked_sub(*cost) {
            Some(less) => {
                left = less;
                false
            }
            None => true,
        });
        let least = first_dropped.map_or(0, |&(visits, _)| visits + 1);
        self.compact(self.root, least);
        // A few nodes with very many edges may leave nothing to remove.
        let positions = self.positions.len();
        self.frozen =
            8 * self.size_of(self.nodes.len(), self.edges.len(), positions) >= 3 * self.memory;
    }

    /// Keeps the nodes reachable from `root`, the new root, through nodes with at least `least`
    /// visits; the others lose their edges.
    fn compact(&mut self, root: u32, least: u32) {
        let Spare { mut nodes, mut edges, mut values, mut positions } = self.spare();
        let keeps_edges = |node: u32| node == root || self.node(node).visits >= least;
        let mut places = vec![NONE; self.nodes.len()];
        let mut order = vec![root];
        places[root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            if !keeps_edges(node) {
                continue;
            }
            for (_, edge) in self.edges(node) {
                if edge.child != NONE && places[edge.child as usize] == NONE {
                    places[edge.child as usize] = order.len() as u32;
                    order.push(edge.child);
                }
            }
        }
        for &node in &order {
            let first = edges.len() as u32;
            let mut kept = *self.node(node);
            if keeps_edges(node) {
                let place = |child: u32| places.get(child as usize).copied().unwrap_or(NONE);
                edges.add_from(&self.edges, kept.edges(), place);
                if kept.stored != NONE {
                    kept.stored = positions.push_from(&self.positions, kept.stored);
                }
            } else {
                kept = TreeNode {
                    edges: 0,
                    begun: 0,
                    stored: NONE,
                    has_solved: false,
                    is_rated: false,
                    ..kept
                };
            }
            values.extend_from_slice(self.exact(node));
            nodes.push(TreeNode { first, ..kept });
        }
        if let Some(known) = &mut self.known {
            known.clear();
            let alive = (0..).zip(&nodes).filter(|(_, node)| node.actor != Actor::Nobody);
            known.extend(alive.map(|(index, node)| (node.hash, index)));
        }
        self.root = 0;
        self.spare = Some(Spare {
            nodes: replace(&mut self.nodes, nodes),
            edges: replace(&mut self.edges, edges),
            values: replace(&mut self.values, values),
            positions: replace(&mut self.positions, positions),
        });
    }

    /// Returns emptied lists for the contents of this tree, which reuse spare memory.
    fn spare(&mut self) -> Spare {
        match self.spare.take() {
            Some(Spare { nodes, edges, values, positions }) => Spare {
                nodes: refilled(nodes, &[]),
                edges: self.edges.emptied_into(edges),
                values: refilled(values, &[]),
                positions: self.positions.emptied_into(positions),
            },
            None => Spare {
                nodes: Vec::new(),
                edges: self.edges.emptied(),
                values: Vec::new(),
                positions: self.positions.emptied(),
            },
        }
    }
}
