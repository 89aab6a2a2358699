//! Comebacks, and the point of no return: how often a player who falls clearly behind still wins,
//! and how much of a game is over when its result is settled.
//!
//! Only the player who is the first of a game to fall clearly behind counts. If the estimated
//! winning chances are right, they are a martingale, and this player wins with a probability of at
//! most the bound (optional stopping). More wins show that the estimates are wrong.

use super::course::within_shares;
use super::drama::{Curve, judged_by};
use super::significance::{Claim, Claims};
use super::{Measure, Unit};
use crate::measure::game_rows::GameRow;
use crate::measure::results::Results;
use crate::measure::statistics::{Clusters, Estimate, quantile_ci_of_independent};

pub const COMEBACKS: &str = "comebacks";
pub const SETTLED: &str = "settled";

/// A player is clearly behind with at most this part of an equal share.
const BEHIND: f64 = 0.5;
/// With fewer games with a player clearly behind, or fewer settled games, there is no figure.
pub const FEW: u64 = 10;

/// Returns the expected score at which a player is clearly behind.
fn bound(results: &Results) -> f64 {
    BEHIND / results.plan.players.len().max(1) as f64
}

/// Returns 1 or 0 of 1: whether the player won who first fell clearly behind; 0 of 0 if nobody did.
fn comeback(row: &GameRow, bound: f64) -> (u64, u64) {
    let won = Curve::of(row).and_then(|curve| curve.first_behind_won(bound));
    (u64::from(won == Some(true)), u64::from(won.is_some()))
}

/// Computes the measures.
pub fn measures(results: &Results) -> Vec<Measure> {
    if results.plan.players.len() < 2 {
        return Vec::new();
    }
    let bound = bound(results);
    let mut comebacks = Measure::new(
        COMEBACKS,
        "Comebacks",
        format!(
            "How often the player wins who is the first of a game to fall clearly behind: to a winning chance of at most {:.0} %. If these chances were right, \
             it would be at most about so often; more shows that the search that estimates them misjudges the game. {} Interval: Wilson's.",
            100.0 * bound,
            judged_by(results)
        ),
    );
    let mut settled = Measure::new(
        SETTLED,
        "Point of no return",
        format!(
            "The part of a game after which its result is settled, that is, after which the chance of the winner stays at 80 % or more; draws are left out. In half of the games it is settled \
             by the median, in nine of ten by the 90 % quantile. {} Interval: order statistics.",
            judged_by(results)
        ),
    );
    for (index, pairing) in results.pairings() {
        let name = pairing.name(&results.plan.players);
        let share = results.proportion_in(index, |row| comeback(row, bound));
        comebacks.add("", &name, Unit::Share, "games", share);
        for (what, part) in [("median", 0.5), ("90 %", 0.9)] {
            settled.add(what, &name, Unit::Share, "games", quantile(results, index, part));
        }
    }
    vec![comebacks, settled]
}

/// Estimates a quantile of the part of a game after which its result is settled.
fn quantile(results: &Results, pairing: usize, part: f64) -> Option<Estimate> {
    let own = |row: &GameRow| Some(1.0 - Curve::of(row)?.played_on()?);
    let mut values: Vec<(f64, u64)> =
        results.rows(pairing).filter_map(|row| Some((own(row)?, 1))).collect();
    values.sort_by(|one, other| one.0.total_cmp(&other.0));
    let independent = results.variety(pairing).independent;
    let up_to = |most: f64| {
        let mut clusters = Clusters::default();
        for row in results.rows(pairing) {
            let is_within = |own: f64| f64::from(u8::from(own <= most));
            results.add_to(&mut clusters, row, own(row).map(is_within));
        }
        independent * clusters.independent_of_proportion()
    };
    quantile_ci_of_independent(&values, part, up_to).map(within_shares)
}

/// Returns the p-value of the test that the player who first falls clearly behind wins more often
/// than the bound says.
pub fn test(results: &Results, pairing: usize) -> Option<f64> {
    let bound = bound(results);
    let (scores, independent) = results.proportion_in_sample(pairing, |row| comeback(row, bound));
    let share = scores.estimate_of_independent(2, independent)?;
    // The bound is the share of wins of each of `1 / bound` equal players.
    let p = scores.equality_test((1.0 / bound).round() as usize, independent);
    Some(if share.value > bound { p } else { 1.0 })
}

/// Says how often players come back, and when games are settled.
pub fn sentence(
    results: &Results,
    measures: &[Measure],
    (index, who): (usize, &str),
    claims: &Claims,
) -> Option<String> {
    let figure = |key: &str, what: &str| {
        let measure = measures.iter().find(|measure| measure.key == key)?;
        measure.figure(what, who).map(|figure| figure.estimate)
    };
    let settled = figure(SETTLED, "median").filter(|median| median.sample >= FEW).map(|median| {
        let late = figure(SETTLED, "90 %").map_or(String::new(), |late| {
            format!(", and in nine of ten by {:.0} %", 100.0 * late.value)
        });
        format!(
            "half of these games are settled by {:.0} % of their plies{late}",
            100.0 * median.value
        )
    });
    let back = figure(COMEBACKS, "").filter(|back| back.sample >= FEW).map(|back| {
        format!(
            "who falls clearly behind still wins {:.0} % (95 % interval {:.0}–{:.0}, {} games)",
            100.0 * back.value,
            100.0 * back.low,
            100.0 * back.high,
            back.sample
        )
    });
    let misjudges = claims.hold(Claim::Comebacks(index));
    let but = match misjudges {
        true => format!(
            " If its estimates were right, it would be at most about {:.0} %: this search misjudges the game.",
            100.0 * bound(results)
        ),
        false => String::new(),
    };
    let found: Vec<String> = back.into_iter().chain(settled).collect();
    (!found.is_empty()).then(|| {
        format!(
            "By the estimates of a search of {} iterations, {}.{but}",
            results.plan.judge,
            found.join("; ")
        )
    })
}
