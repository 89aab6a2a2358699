//! Expected scores of two-player games with dice under optimal play, by interval iteration.
//!
//! A win of the first player is 1, a draw ½, a loss 0. Two value iterations run side by side, from
//! 0 and from 1. Both bounds hold at every moment, and they meet where the dice end every play with
//! probability 1. (Serge Haddad and Benjamin Monmege, *Interval iteration algorithm for MDPs and
//! IMDPs*, Theoretical Computer Science 735, 2018.)

use super::graph::{CHANCE, Graph, NodeIndex};
use super::{Clock, RanOut};
use crate::budget::MemoryBudget;

/// Scores that differ by less count as equal.
pub const SCORE_TOLERANCE: f64 = 1e-9;
/// Bounds this close have converged; well above accumulated rounding errors.
const CONVERGED: f64 = 1e-12;

/// Bounds of the first player's expected score, by node.
pub struct Scores {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// Iterates until the bounds meet everywhere or reach a fixed point.
///
/// # Errors
/// Stops if memory or time runs out.
pub fn expect(
    graph: &Graph,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<Scores, RanOut> {
    let mut lower = memory_budget.array(0.0, graph.nodes())?;
    let mut upper = memory_budget.array(1.0, graph.nodes())?;
    for bounds in [&mut lower, &mut upper] {
        // The ends: a win of each player, and a draw. A single player scores nothing in it.
        match graph.players() {
            1 => bounds[..2].copy_from_slice(&[1.0, 0.0]),
            _ => bounds[..3].copy_from_slice(&[1.0, 0.0, 0.5]),
        }
    }
    loop {
        let mut change: f64 = 0.0;
        let mut gap: f64 = 0.0;
        // In-place updates in reverse order of discovery: values flow back from the ends, so that
        // acyclic parts converge in few sweeps.
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

/// Returns the value of a position from those of its successors (the Bellman operator).
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
