//! Strongly connected components of the game graph: positions in the same component, and only
//! those, can occur again after each other. (Robert Tarjan, *Depth-first search and linear graph
//! algorithms*, SIAM Journal on Computing 1, 1972.)

use super::RanOut;
use super::graph::{Graph, NodeIndex};
use crate::budget::MemoryBudget;

/// The component of every node.
pub struct Components(Vec<u32>);

/// The component of a node that is not yet in one.
const OPEN: u32 = u32::MAX;

impl Components {
    /// Finds the components.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the arrays do not fit into the budget.
    pub fn find(graph: &Graph, memory_budget: &mut MemoryBudget) -> Result<Components, RanOut> {
        let mut component = memory_budget.array(OPEN, graph.nodes())?;
        // By node: its number in the order of discovery, from 1 on, and the least such number of an
        // open node that is reachable from it.
        let mut reached = memory_budget.array(0u32, graph.nodes())?;
        let mut least = memory_budget.array(0u32, graph.nodes())?;
        let mut open: Vec<NodeIndex> = memory_budget.list(graph.nodes())?;
        // The path from the start, each node with its next edge.
        let mut path: Vec<(NodeIndex, usize)> = memory_budget.list(graph.nodes())?;
        let (mut numbered, mut components) = (0, 0);
        let mut enter = graph.start();
        loop {
            if let Some(node) = enter.take() {
                numbered += 1;
                reached[node as usize] = numbered;
                least[node as usize] = numbered;
                open.push(node);
                path.push((node, graph.edges(node).start));
            }
            let Some((node, edge)) = path.last_mut() else { break };
            let (node, next) = (*node, *edge);
            let index = node as usize;
            if next < graph.edges(node).end {
                *edge += 1;
                let after = graph.target(next);
                if reached[after as usize] == 0 {
                    enter = Some(after);
                } else if component[after as usize] == OPEN {
                    least[index] = least[index].min(reached[after as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(before, _)) = path.last() {
                least[before as usize] = least[before as usize].min(least[index]);
            }
            if least[index] == reached[index] {
                while let Some(member) = open.pop() {
                    component[member as usize] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
        memory_budget.drop(reached);
        memory_budget.drop(least);
        memory_budget.drop(open);
        memory_budget.drop(path);
        Ok(Components(component))
    }

    /// Tests if play can go from each of the nodes to the other.
    pub fn joins(&self, one: NodeIndex, other: NodeIndex) -> bool {
        self.0[one as usize] == self.0[other as usize]
    }
}
