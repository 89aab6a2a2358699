//! Retrograde analysis: for every position, the number of plies in which a coalition can force one
//! of some results.
//!
//! Breadth-first search backwards from the results. It is correct in graphs with cycles, because a
//! result counts as forced only if it takes a finite number of plies against every defence. (Ken
//! Thompson, *Retrograde analysis of certain endgames*, ICCA Journal 9, 1986; it computes the
//! attractor of a set, going back to Ernst Zermelo, 1913.)

use super::RanOut;
use super::graph::{CHANCE, Graph, NodeIndex, Reversed};
use crate::budget::MemoryBudget;

/// The distance of nodes from which nothing can be forced.
pub const NOT_FORCED: u32 = u32::MAX;

/// Returns by node the plies in which the players for whom `wants` holds force one of `goals`; they
/// minimize, the others maximize. Chance always counts as an opponent.
///
/// # Errors
/// Returns [`RanOut::Memory`] if the arrays do not fit into the budget.
pub fn force(
    graph: &Graph,
    reversed: &Reversed,
    goals: impl Iterator<Item = NodeIndex>,
    wants: impl Fn(u8) -> bool,
    memory_budget: &mut MemoryBudget,
) -> Result<Vec<u32>, RanOut> {
    let mut plies = memory_budget.array(NOT_FORCED, graph.nodes())?;
    // By node, the successors not yet known to lead to `goals`. An opponent is forced when none is
    // left; breadth-first order makes the last one the longest defence.
    let mut open = branching(graph, memory_budget)?;
    // The queue, in order of distance.
    let mut found = memory_budget.list(graph.nodes())?;
    for goal in goals {
        plies[goal as usize] = 0;
        found.push(goal);
    }
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        for &before in reversed.before(node) {
            let index = before as usize;
            if plies[index] != NOT_FORCED {
                continue;
            }
            let actor = graph.actor(before);
            open[index] -= 1;
            if actor != CHANCE && wants(actor) || open[index] == 0 {
                plies[index] = plies[node as usize] + 1;
                found.push(before);
            }
        }
    }
    memory_budget.drop(open);
    memory_budget.drop(found);
    Ok(plies)
}

/// Returns the number of successors by node.
fn branching(graph: &Graph, memory_budget: &mut MemoryBudget) -> Result<Vec<u32>, RanOut> {
    let mut plies = memory_budget.array(0u32, graph.nodes())?;
    plies
        .iter_mut()
        .enumerate()
        .for_each(|(node, plies)| *plies = graph.after(node as NodeIndex).count() as u32);
    Ok(plies)
}

/// Returns the longest possible play from the starting position in plies, or `None` if the graph
/// has a cycle. (Arthur Kahn, *Topological sorting of large networks*, Communications of the ACM 5,
/// 1962.)
///
/// # Errors
/// Returns [`RanOut::Memory`] if the arrays do not fit into the budget.
pub fn longest(
    graph: &Graph,
    reversed: &Reversed,
    memory_budget: &mut MemoryBudget,
) -> Result<Option<u32>, RanOut> {
    let mut open = branching(graph, memory_budget)?;
    let mut plies = memory_budget.array(0u32, graph.nodes())?;
    let mut ready = memory_budget.list(graph.nodes())?;
    ready.extend((0..graph.nodes() as NodeIndex).filter(|&node| open[node as usize] == 0));
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &before in reversed.before(node) {
            let index = before as usize;
            plies[index] = plies[index].max(plies[node as usize] + 1);
            open[index] -= 1;
            if open[index] == 0 {
                ready.push(before);
            }
        }
    }
    let first = plies.get(graph.ends()).copied().unwrap_or(0);
    memory_budget.drop(open);
    memory_budget.drop(plies);
    memory_budget.drop(ready);
    Ok((done == graph.nodes()).then_some(first))
}
