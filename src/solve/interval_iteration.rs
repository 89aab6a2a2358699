//! Expected scores of two-player games with dice under optimal play, by interval iteration.
//!
//! A win of the first player is 1, a draw ½, a loss 0. Two value iterations run side by side, from
//! 0 and from 1. Both bounds hold at every moment, and they meet where the dice end every play with
//! probability 1. (Serge Haddad and Benjamin Monmege, *Interval iteration algorithm for MDPs and
//! IMDPs*, Theoretical Computer Science 735, 2018.)
//!
//! A rule of repetition can end play in any position that can recur. The score then depends on the
//! positions before, and is only bounded: while play stays among positions that can recur, a
//! successor counts as the minimum, or the maximum, of its own bound and the result of the rule.
//! Every play is finite under the rule, so by induction from its ends each fixed point of these
//! equations is a bound. The tightest are the greatest lower and the least upper fixed point, so
//! the iterations start from 1 and 0.

use super::components::Components;
use super::graph::{CHANCE, Graph, NodeIndex};
use super::repetition::EndlessPlay;
use super::{Clock, RanOut};
use crate::budget::MemoryBudget;
use crate::language::rules::PlayerId;

/// Scores that differ by less count as equal.
pub const SCORE_TOLERANCE: f64 = 1e-9;
/// Bounds this close have converged; well above accumulated rounding errors.
const CONVERGED: f64 = 1e-12;

/// Sweeps that change less have reached a fixed point, up to rounding errors.
const SETTLED: f64 = 1e-15;

/// Bounds of the first player's expected score, by node.
pub struct Scores {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// A rule of repetition in a game whose positions can recur.
pub struct Recurrence<'c> {
    pub components: &'c Components,
    /// The result of play that the rule ends.
    pub worth: EndlessPlay,
}

impl Recurrence<'_> {
    /// The least and greatest score that the rule can give.
    fn bounds(&self, players: usize) -> [f64; 2] {
        match self.worth {
            EndlessPlay::Draw if players == 1 => [0.0; 2],
            EndlessPlay::Draw => [0.5; 2],
            EndlessPlay::Win(PlayerId(0)) => [1.0; 2],
            EndlessPlay::Win(_) => [0.0; 2],
            EndlessPlay::Varies => [0.0, 1.0],
        }
    }
}

/// Iterates until the bounds meet everywhere or reach a fixed point.
///
/// # Errors
/// Stops if memory or time runs out.
pub fn expect(
    graph: &Graph,
    recurrence: Option<&Recurrence>,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<Scores, RanOut> {
    let [first, last] = if recurrence.is_some() { [1.0, 0.0] } else { [0.0, 1.0] };
    let mut lower = memory_budget.array(first, graph.nodes())?;
    let mut upper = memory_budget.array(last, graph.nodes())?;
    let [least, most] = recurrence.map_or([0.0, 1.0], |rule| rule.bounds(graph.players()));
    // The lower and upper value of a successor.
    let stays = |node, after| recurrence.is_some_and(|rule| rule.components.joins(node, after));
    let low = |node, after, score: f64| if stays(node, after) { score.min(least) } else { score };
    let high = |node, after, score: f64| if stays(node, after) { score.max(most) } else { score };
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
            let worst = score(graph, node as NodeIndex, &lower, low);
            let best = score(graph, node as NodeIndex, &upper, high);
            change = change.max((lower[node] - worst).abs()).max((upper[node] - best).abs());
            (lower[node], upper[node]) = (worst, best);
            gap = gap.max(best - worst);
        }
        // With a rule of repetition, the iterations start beyond the bounds, which hold only at a
        // fixed point.
        if gap <= CONVERGED && recurrence.is_none() || change <= SETTLED {
            return Ok(Scores { lower, upper });
        }
    }
}

/// Returns the value of a position from its successors' values (the Bellman operator).
fn score(
    graph: &Graph,
    node: NodeIndex,
    scores: &[f64],
    counts_as: impl Fn(NodeIndex, NodeIndex, f64) -> f64,
) -> f64 {
    let after = graph.after(node).map(|after| counts_as(node, after, scores[after as usize]));
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
