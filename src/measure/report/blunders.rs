//! How often players give away a result that the solver proves.

use super::families::trained;
use super::{Measure, Strengths, Unit};
use crate::measure::results::Results;
use crate::notation::{counted, list};
use crate::search::PlayerKind;

/// The key of the measure.
pub const KEY: &str = "blunders";

/// Computes the measure.
pub fn measure(results: &Results) -> Measure {
    let mut measure = Measure::new(
        KEY,
        "Blunders",
        "The share of plies that give away a proven result: that turn a win into anything less, or a draw into a loss (with dice: that cost at least a tenth of the expected score). \
         Only late plies count: those before which a solver with 2,000 positions knows the value of every legal ply, and some but not all of them keep it. Interval: Wilson's, \
         with plies of one game as a cluster.",
    );
    for (index, pairing) in results.pairings() {
        if pairing.challenger.is_some() {
            continue;
        }
        let who = pairing.name(&results.plan.players);
        let share =
            results.proportion_in(index, |row| (row.late.blunders.into(), row.late.plies.into()));
        measure.add("", &who, Unit::Share, "plies", share);
    }
    measure
}

/// Says how often each strength blunders; `None` if nothing is known of the strongest.
pub fn sentence(results: &Results, measure: &Measure, strengths: &Strengths) -> Option<String> {
    let find = |kind: &PlayerKind| {
        let figure = measure.figure("", &format!("{kind} against itself"))?;
        Some((strengths.name(kind), figure.estimate))
    };
    let mut found: Vec<_> = results.plan.ladder().iter().filter_map(find).collect();
    if found.len() < 3 {
        return None;
    }
    found.extend(trained(results).as_ref().and_then(find));
    let least = found.iter().map(|(_, share)| share.sample).min()?;
    let shown = found
        .iter()
        .map(|(name, share)| format!("{:.0} % ({name})", share.value * 100.0))
        .collect::<Vec<String>>();
    Some(format!(
        "Late in the game, where the result can be proven and given away, players give it away with {} of their plies (of at least {} each).",
        list(&shown, "and"),
        counted(least, "ply")
    ))
}
