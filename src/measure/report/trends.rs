//! Which figures move with the strength of the players.

use super::outcome::is_drawn;
use super::significance::ERROR;
use super::{Figure, Measure, Strengths, Unit, capital};
use crate::measure::plan::{Pairing, iterations};
use crate::measure::results::Results;
use crate::measure::statistics::{
    Estimate, Scores, Trend, homogeneity, pooled_estimates, weighted_trend,
};
use crate::notation::{grouped, list};
use crate::search::PlayerKind;

/// The key of the measure.
pub const KEY: &str = "depends-on-strength";
/// With fewer independent games of a strength, the test would not hold its error rate.
const MIN_GAMES: f64 = 10.0;
/// The same for lengths, whose variances may differ.
const MIN_LENGTH_GAMES: f64 = 15.0;

/// With fewer, the second test (that all strengths have one figure) would not hold its error rate.
const MIN_UNEVEN_GAMES: f64 = 30.0;

/// Fewer games of a strength are said to show large changes only.
const FEW_GAMES: u64 = 50;

/// A figure along the ladder of strengths.
pub struct Movement {
    /// The figure, as in a sentence: `the score of White`.
    pub what: String,
    pub unit: Unit,
    /// The players, weakest first, with the figure of each.
    pub steps: Vec<(PlayerKind, Estimate)>,
    pub trend: Trend,
    /// Whether it rises or falls steadily, as far as the tests say; else it moves up and down.
    pub is_steady: bool,
    /// The p-value, in a report after Holm's correction for all claims of its verdict.
    pub p: f64,
}

impl Movement {
    /// Tests if the figure depends on strength.
    pub fn is_significant(&self) -> bool {
        self.p <= ERROR
    }

    /// Says how it moves: `the score of White falls from 78 % (beginner) to 36 % (club), p = 0.01`.
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
    let players = results.plan.players.len();
    let steps = steps(results);
    // With the variance of all games together, as if the strengths were the same.
    let shares = |what: String, players: usize, sample: &dyn Fn(usize) -> (Scores, f64)| {
        let samples: Vec<(Scores, f64)> = steps.iter().map(|step| sample(step.pairing)).collect();
        let estimates = pooled_estimates(&samples, players);
        movement(what, Unit::Share, &steps, &estimates)
    };
    // The scores of two players sum to 1, so that the second one says nothing new.
    let scored = if players == 2 { 1 } else { players };
    let score = |player: usize| {
        let what = format!("the score of {}", results.plan.players[player]);
        shares(what, players, &|pairing| results.score_sample(pairing, player))
    };
    let draws = (players > 1).then(|| {
        shares("the share of draws".to_owned(), 2, &|pairing| {
            results.proportion_sample(pairing, is_drawn)
        })
    });
    let lengths: Vec<Option<Estimate>> = steps
        .iter()
        .map(|step| {
            let measure = measures.iter().find(|measure| measure.key == "plies");
            let who = format!("{} against itself", step.kind);
            let measure = measure.filter(|_| step.games >= MIN_LENGTH_GAMES)?;
            Some(measure.figure("mean", &who)?.estimate)
        })
        .collect();
    let length = movement("the length".to_owned(), Unit::Number, &steps, &lengths);
    (0..scored).map(score).chain(draws).chain([length]).flatten().collect()
}

/// A strength, with the pairing of equal players.
struct Step {
    kind: PlayerKind,
    pairing: usize,
    /// How many of its games are independent.
    games: f64,
}

/// Returns the strengths with enough games, weakest first.
fn steps(results: &Results) -> Vec<Step> {
    let pairings = results.pairings();
    let find = |kind: PlayerKind| {
        let is_own = |(_, pairing): &&(usize, &Pairing)| {
            pairing.challenger.is_none()
                && pairing.is_even()
                && pairing.seats[0].first() == Some(&kind)
        };
        let pairing = pairings.iter().find(is_own)?.0;
        let games = results.independent_games(pairing);
        (games >= MIN_GAMES).then_some(Step { kind, pairing, games })
    };
    results.plan.ladder().into_iter().filter_map(find).collect()
}

/// Tests a figure with these estimates for the strengths; `None` if there are too few.
fn movement(
    what: String,
    unit: Unit,
    steps: &[Step],
    estimates: &[Option<Estimate>],
) -> Option<Movement> {
    let known = steps.iter().zip(estimates).filter_map(|(step, own)| Some((step, (*own)?)));
    let known: Vec<(&Step, Estimate)> = known.collect();
    let at = |step: &Step| (iterations(&step.kind) as f64).log10();
    let points: Vec<(f64, Estimate)> = known.iter().map(|(step, own)| (at(step), *own)).collect();
    let trend = weighted_trend(&points)?;
    let uneven = match known.iter().all(|(step, _)| step.games >= MIN_UNEVEN_GAMES) {
        true => homogeneity(&points.iter().map(|(_, estimate)| *estimate).collect::<Vec<_>>()),
        false => None,
    };
    // Bonferroni's correction for the two tests of a figure.
    let (p, is_steady) = match uneven {
        Some(uneven) => ((2.0 * trend.p.min(uneven)).min(1.0), trend.p <= uneven.max(ERROR / 2.0)),
        None => (trend.p, true),
    };
    let steps = known.into_iter().map(|(step, own)| (step.kind, own)).collect();
    Some(Movement { what, unit, steps, trend, is_steady, p })
}

/// Computes the measure.
pub fn measure(movements: &[Movement], strengths: &Strengths) -> Measure {
    let mut measure = Measure::new(
        KEY,
        "What depends on strength",
        format!(
            "The change of a figure for ten times as many iterations per ply, over games between equal tree searches: the weighted least-squares slope over the logarithm of the \
         iterations, the weights being the inverse variances (of shares: that of all games together). A figure depends on strength if the z test of this slope (Armitage's test for trend) or, from 30 games of each \
         strength on, the test that all strengths have the same figure (Cochran's Q) is significant: p of at most {ERROR:.2} after Bonferroni's correction for these two and Holm's for \
         all claims that the verdict could make. Beyond the strongest players nothing is said."
        ),
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
