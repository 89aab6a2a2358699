//! How often players give away a result that the solver proves.

use super::families::trained;
use super::{Measure, Strengths, Unit};
use crate::measure::plan::Pairing;
use crate::measure::results::Results;
use crate::notation::{counted, list};
use crate::search::PlayerKind;

/// The key of the measure.
pub const KEY: &str = "blunders";

/// With fewer plies of a strength, their share says little.
const MIN_PLIES: u64 = 50;

/// Computes the measure.
pub fn measure(results: &Results) -> Measure {
    let mut measure = Measure::new(
        KEY,
        "Blunders",
        "The share of plies that give away a proven result: that turn a win into anything less, or a draw into a loss (with dice: that cost at least a tenth of the expected score). \
         Only plies count before which the value of every legal ply is known, and some but not all of them keep it: of a game all of whose positions were solved, any; of others late \
         ones, where a solver with 2,000 positions finds these values. Figures of fewer than 50 such plies are left out. Interval: Wilson's, with plies of one game as a cluster.",
    );
    for (index, pairing) in results.pairings() {
        if pairing.challenger.is_some() {
            continue;
        }
        let who = pairing.name(&results.plan.players);
        let share =
            results.proportion_in(index, |row| (row.late.blunders.into(), row.late.plies.into()));
        let share = share.filter(|share| share.sample >= MIN_PLIES);
        measure.add("", &who, Unit::Share, "plies", share);
    }
    measure
}

/// Says how often each strength blunders; `None` if little is known of one.
pub fn sentence(results: &Results, measure: &Measure, strengths: &Strengths) -> Option<String> {
    let find = |kind: &PlayerKind| {
        let figure = measure.figure("", &format!("{kind} against itself"))?;
        Some((strengths.name(kind), figure.estimate))
    };
    let ladder = results.plan.ladder();
    let mut found: Vec<_> = ladder.iter().filter_map(find).collect();
    let played = |kind: &&PlayerKind| {
        let is_own = |(_, pairing): &(usize, &Pairing)| {
            pairing.challenger.is_none() && pairing.seats[0].first() == Some(*kind)
        };
        results.pairings().iter().any(is_own)
    };
    if found.len() < 3 || found.len() < ladder.iter().filter(played).count() {
        return None;
    }
    found.extend(trained(results).as_ref().and_then(find));
    let least = found.iter().map(|(_, share)| share.sample).min()?;
    let shown = found
        .iter()
        .map(|(name, share)| format!("{:.0} % ({name})", share.value * 100.0))
        .collect::<Vec<String>>();
    let shown = list(&shown, "and");
    let least = counted(least, "ply");
    let is_solved = results.exact().any(|board| board.options.is_empty() && board.tabulated);
    Some(match is_solved {
        true => format!(
            "Where a ply can give away what best play keeps, players give it away with {shown} of their plies (by the exact values of all positions; at least {least} each)."
        ),
        false => format!(
            "Late in the game, where the result can be proven and given away, players give it away with {shown} of their plies (at least {least} each, which 2,000 positions are enough to prove)."
        ),
    })
}
