//! Which figures move with the strength of the players.

use super::significance::ERROR;
use super::{Figure, Measure, Strengths, Unit, capital};
use crate::measure::plan::iterations;
use crate::measure::results::Results;
use crate::measure::statistics::{Estimate, Trend, homogeneity, weighted_trend};
use crate::notation::{grouped, list};
use crate::search::PlayerKind;

/// The key of the measure.
pub const KEY: &str = "depends-on-strength";
/// With fewer games of a strength, the test would not hold its error rate.
const MIN_GAMES: u64 = 10;

/// With fewer, it would not hold that of the second test either.
const MIN_UNEVEN_GAMES: u64 = 30;

/// Fewer games of a strength are said to show large changes only.
const FEW_GAMES: u64 = 50;

/// A figure along the ladder of strengths.
pub struct Movement {
    /// What it is, as in a sentence: `the score of White`.
    pub what: String,
    pub unit: Unit,
    /// The players, weakest first, with the figure of each.
    pub steps: Vec<(PlayerKind, Estimate)>,
    pub trend: Trend,
    /// Whether it rises or falls steadily, as far as can be told; otherwise it moves up and down.
    pub is_steady: bool,
    /// The p-value, in a report after Holm's correction for all claims of its verdict.
    pub p: f64,
}

impl Movement {
    /// Tests if the figure depends on strength.
    pub fn is_significant(&self) -> bool {
        self.p <= ERROR
    }

    /// Says how it moves: `the score of White falls from 78 % (beginner) to 36 % (strongest), p <
    /// 0.001`.
    fn text(&self, strengths: &Strengths) -> String {
        let shown = |(kind, estimate): &(PlayerKind, Estimate)| {
            format!("{} ({})", number(estimate.value, self.unit), strengths.name(kind))
        };
        let shown: Vec<String> = self.steps.iter().map(shown).collect();
        let moves = match (&self.steps[..], &shown[..]) {
            ([(_, first), .., (_, last)], [from, .., to]) if self.is_steady => {
                let slope = self.trend.slope.value;
                let verb = if slope < 0.0 { "falls" } else { "rises" };
                // An uneven movement can have ends that lie the other way round.
                match (last.value - first.value) * slope > 0.0 {
                    true => format!("{verb} from {from} to {to}"),
                    false => format!("{verb} between {from} and {to}"),
                }
            }
            _ => format!("moves up and down: {}", list(&shown, "and")),
        };
        format!("{} {moves}, {}", self.what, probability(self.p))
    }
}

fn number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.0} %", value * 100.0),
        _ if value < 10.0 => format!("{value:.1} plies"),
        _ => format!("{value:.0} plies"),
    }
}

/// Formats a p-value.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// Tests the scores, draws and length of games between equal players of each strength.
pub fn movements(results: &Results, measures: &[Measure]) -> Vec<Movement> {
    let players = &results.plan.players;
    let ladder = results.plan.ladder();
    let estimates = |key: &str, what: &str| -> Vec<(PlayerKind, Estimate)> {
        let measure = measures.iter().find(|measure| measure.key == key);
        let find = |kind: &PlayerKind| {
            let estimate = measure?.figure(what, &format!("{kind} against itself"))?.estimate;
            (estimate.sample >= MIN_GAMES).then_some((*kind, estimate))
        };
        ladder.iter().filter_map(find).collect()
    };
    // The scores of two players sum to 1, so that the second one says nothing new.
    let scored = if players.len() == 2 { 1 } else { players.len() };
    let scores = players.iter().take(scored).map(|player| {
        (format!("the score of {player}"), Unit::Share, estimates("seat-advantage", player))
    });
    let draws = (players.len() > 1)
        .then(|| ("the share of draws".to_owned(), Unit::Share, estimates("draws", "")));
    let length = ("the length".to_owned(), Unit::Number, estimates("plies", "mean"));
    let tested = scores.chain(draws).chain([length]).filter_map(|(what, unit, estimates)| {
        let at = |kind: &PlayerKind| (iterations(kind) as f64).log10();
        let points: Vec<(f64, Estimate)> =
            estimates.iter().map(|(kind, estimate)| (at(kind), *estimate)).collect();
        let trend = weighted_trend(&points)?;
        let uneven = match estimates.iter().all(|(_, estimate)| estimate.sample >= MIN_UNEVEN_GAMES)
        {
            true => homogeneity(&points.iter().map(|(_, estimate)| *estimate).collect::<Vec<_>>()),
            false => None,
        };
        // Bonferroni's correction for the two tests of a figure.
        let (p, is_steady) = match uneven {
            Some(uneven) => {
                ((2.0 * trend.p.min(uneven)).min(1.0), trend.p <= uneven.max(ERROR / 2.0))
            }
            None => (trend.p, true),
        };
        Some(Movement { what, unit, steps: estimates, trend, is_steady, p })
    });
    tested.collect()
}

/// Computes the measure.
pub fn measure(movements: &[Movement], strengths: &Strengths) -> Measure {
    let mut measure = Measure::new(
        KEY,
        "What depends on strength",
        "The change of a figure for ten times as many iterations per ply, over games between equal tree searches: the weighted least-squares slope over the logarithm of the \
         iterations, the weights being the inverse variances. A figure depends on strength if the z test of this slope (Armitage's test for trend) or, from 30 games of each \
         strength on, the test that all strengths have the same figure (Cochran's Q) is significant: p of at most 0.05 after Bonferroni's correction for these two and Holm's for \
         all claims that the verdict could make. Beyond the strongest players nothing is said.",
    );
    for movement in movements {
        measure.figures.push(Figure {
            what: format!("{}, for ten times the iterations", movement.what),
            who: String::new(),
            unit: movement.unit,
            estimate: movement.trend.slope,
            of: "games",
        });
        measure.notes.push(match movement.is_significant() {
            true => format!("{}: it depends on strength.", capital(&movement.text(strengths))),
            false => format!(
                "{}: no change is found ({}).",
                capital(&movement.what),
                probability(movement.p)
            ),
        });
    }
    measure
}

/// Says what depends on strength; `None` if nothing was tested.
pub fn sentence(movements: &[Movement], strengths: &Strengths) -> Option<String> {
    let steps = &movements.first()?.steps;
    let (first, last) = (steps.first()?, steps.last()?);
    let fewest = movements.iter().flat_map(|movement| &movement.steps);
    let fewest = fewest.map(|(_, estimate)| estimate.sample).min()?;
    let moving: Vec<String> = movements
        .iter()
        .filter(|movement| movement.is_significant())
        .map(|movement| movement.text(strengths))
        .collect();
    Some(match moving.is_empty() {
        false => format!("This depends on strength: {}.", moving.join("; ")),
        true => {
            let tested: Vec<&str> =
                movements.iter().map(|movement| movement.what.as_str()).collect();
            format!(
                "Nothing is found to depend on strength from {} to {} iterations per ply: {} {} no significant change{}.",
                grouped(iterations(&first.0)),
                grouped(iterations(&last.0)),
                list(&tested, "and"),
                if tested.len() == 1 { "shows" } else { "show" },
                match fewest < FEW_GAMES {
                    true => format!(", but {fewest} games of a strength only show very large ones"),
                    false => String::new(),
                }
            )
        }
    })
}
