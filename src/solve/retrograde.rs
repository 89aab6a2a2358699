//! What can be forced, by retrograde analysis.
//!
//! In: positions with what leads where. Out: in how many plies somebody can bring about an end,
//! from every position. It is right where positions come round: nothing is forced but what takes a
//! finite number of plies, whatever the others do. (Ken Thompson, *Retrograde analysis of certain
//! endgames*, ICCA Journal 9, 1986; as the attractor of a set it is Ernst Zermelo's, 1913.)

use super::RanOut;
use super::graph::{CHANCE, Graph, NodeIndex, Reversed};
use super::memory::MemoryBudget;

/// Not to be forced.
pub const NOT_FORCED: u32 = u32::MAX;

/// By node, within how many plies the ones who want it come to one of the ends: they as quickly as
/// they can, the others as late as they can. Chance is never on their side.
///
/// # Errors
/// Tells if there is no memory left for it.
pub fn force(
    graph: &Graph,
    reversed: &Reversed,
    ends: &[NodeIndex],
    wants: impl Fn(u8) -> bool,
    memory_budget: &mut MemoryBudget,
) -> Result<Vec<u32>, RanOut> {
    let mut plies = memory_budget.array(NOT_FORCED, graph.nodes())?;
    // How many plies of a position have not been found to lead there.
    let mut open = branching(graph, memory_budget)?;
    // Those that have been found to, the nearer ones first.
    let mut found = memory_budget.list(graph.nodes())?;
    for &end in ends {
        plies[end as usize] = 0;
        found.push(end);
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

/// By node, how many plies there are.
fn branching(graph: &Graph, memory_budget: &mut MemoryBudget) -> Result<Vec<u32>, RanOut> {
    let mut plies = memory_budget.array(0u32, graph.nodes())?;
    plies
        .iter_mut()
        .enumerate()
        .for_each(|(node, plies)| *plies = graph.after(node as NodeIndex).count() as u32);
    Ok(plies)
}

/// The longest that play can go on from the first position, in plies; none where positions come
/// round, so that it can go on for ever. (Arthur Kahn, *Topological sorting of large networks*,
/// Communications of the ACM 5, 1962.)
///
/// # Errors
/// Tells if there is no memory left for it.
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
