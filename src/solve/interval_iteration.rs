//! What can be expected where dice are rolled, for two players.
//!
//! In: positions with what leads where. Out: by node, the first player's expected score with best
//! play, between two bounds: a win is 1, a draw ½, a loss 0. Both bounds are true at every moment,
//! the lower as if play that has not ended yet were lost, the upper as if it were won, and they
//! meet where the dice end every play sooner or later. (Serge Haddad and Benjamin Monmege,
//! *Interval iteration algorithm for MDPs and IMDPs*, Theoretical Computer Science 735, 2018.)

use super::graph::{CHANCE, Graph, NodeIndex};
use super::memory::MemoryBudget;
use super::{Clock, RanOut};

/// Scores that differ by less are taken for equal.
pub const SCORE_TOLERANCE: f64 = 1e-9;
/// Bounds that are so close are taken for one; it is well above what rounding adds up to.
const CONVERGED: f64 = 1e-12;

/// Bounds of the first player's score, by node.
pub struct Scores {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// Works the bounds out until they meet everywhere, or nothing changes any more.
///
/// # Errors
/// Tells if memory or time ran out.
pub fn expect(
    graph: &Graph,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<Scores, RanOut> {
    let mut lower = memory_budget.array(0.0, graph.nodes())?;
    let mut upper = memory_budget.array(1.0, graph.nodes())?;
    for bounds in [&mut lower, &mut upper] {
        bounds[..3].copy_from_slice(&[1.0, 0.0, 0.5]);
    }
    loop {
        let mut change: f64 = 0.0;
        let mut gap: f64 = 0.0;
        // Those found last are nearest to the end.
        for node in (graph.ends()..graph.nodes()).rev() {
            clock.tick(graph.len() as u64)?;
            for bounds in [&mut lower, &mut upper] {
                let score = score(graph, node as NodeIndex, bounds);
                change = change.max((bounds[node] - score).abs());
                bounds[node] = score;
            }
            gap = gap.max(upper[node] - lower[node]);
        }
        if gap <= CONVERGED || change == 0.0 {
            return Ok(Scores { lower, upper });
        }
    }
}

/// What a position is worth by what its plies lead to.
fn score(graph: &Graph, node: NodeIndex, scores: &[f64]) -> f64 {
    let after = graph.after(node).map(|after| scores[after as usize]);
    match graph.actor(node) {
        0 => after.fold(0.0, f64::max),
        CHANCE => {
            let (sum, count) =
                after.fold((0.0, 0u32), |(sum, count), score| (sum + score, count + 1));
            sum / f64::from(count.max(1))
        }
        _ => after.fold(1.0, f64::min),
    }
}
