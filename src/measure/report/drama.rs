//! The winning chances over the course of a game.

use super::course::within_shares;
use super::{Measure, Unit};
use crate::measure::game_rows::{Ending, GameRow};
use crate::measure::results::Results;
use crate::render::plot::{Plot, Series, Shape};

/// The margin by which a player must be ahead to take the lead.
const AHEAD: f64 = 0.05;
/// The winner's chance above which a game counts as decided.
const DECIDED: f64 = 0.8;
/// The number of sections into which games are divided for the curve.
const PARTS: usize = 10;

/// The winning chances in a game: points of elapsed fraction and each player's expected score.
pub struct Curve {
    points: Vec<(f64, Vec<f64>)>,
    winner: Option<usize>,
}

impl Curve {
    /// Returns the curve of a game; `None` if its chances were not estimated or it has no result.
    pub fn of(row: &GameRow) -> Option<Curve> {
        let winner = match row.ending {
            Ending::Win(winner) => Some(usize::from(winner)),
            Ending::Draw | Ending::Shared(_) => None,
            Ending::TooLong | Ending::Circling | Ending::Endless => return None,
        };
        let plies = row.plies.len().max(1) as f64;
        let points: Vec<(f64, Vec<f64>)> = row
            .chances
            .iter()
            .filter_map(|entry| entry.split_first())
            .map(|(made, chances)| {
                (
                    f64::from(*made) / plies,
                    chances.iter().map(|&chance| f64::from(chance) / 1000.0).collect(),
                )
            })
            .collect();
        (!points.is_empty()).then_some(Curve { points, winner })
    }

    /// Returns the drama: the mean over all points of the square root of the best opponent's lead
    /// over the winner, or of 0 if no opponent led. `None` for a draw.
    pub fn drama(&self) -> Option<f64> {
        let winner = self.winner?;
        let behind = |chances: &[f64]| {
            let best = (0..chances.len())
                .filter(|&player| player != winner)
                .map(|player| chances[player])
                .fold(0.0, f64::max);
            (best - chances[winner]).max(0.0).sqrt()
        };
        Some(
            self.points.iter().map(|(_, chances)| behind(chances)).sum::<f64>()
                / self.points.len() as f64,
        )
    }

    /// Returns how often the lead passes to another player.
    pub fn lead_changes(&self) -> u64 {
        let mut leader = None;
        let mut changes = 0;
        for (_, chances) in &self.points {
            let mut ranked: Vec<usize> = (0..chances.len()).collect();
            ranked.sort_by(|&one, &other| chances[other].total_cmp(&chances[one]));
            let [first, second, ..] = ranked[..] else { continue };
            if chances[first] >= chances[second] + AHEAD {
                changes += u64::from(leader.is_some_and(|leader| leader != first));
                leader = Some(first);
            }
        }
        changes
    }

    /// Returns the fraction of the game left when it was decided for good. `None` for a draw.
    pub fn played_on(&self) -> Option<f64> {
        let winner = self.winner?;
        let open = self.points.iter().rposition(|(_, chances)| chances[winner] < DECIDED);
        let decided =
            open.map_or(Some(0.0), |open| self.points.get(open + 1).map(|(part, _)| *part));
        Some(1.0 - decided.unwrap_or(1.0))
    }

    /// Returns whether the first player whose chance falls to `bound` wins; of several players at
    /// once, the one with the least chance. `None` if nobody falls so low.
    pub fn first_behind_won(&self, bound: f64) -> Option<bool> {
        let (_, chances) = self
            .points
            .iter()
            .find(|(_, chances)| chances.iter().any(|chance| *chance <= bound))?;
        let least =
            (0..chances.len()).min_by(|&one, &other| chances[one].total_cmp(&chances[other]));
        Some(self.winner.is_some() && self.winner == least)
    }

    /// Returns the mean normalised entropy of the winning chances, from 0 to 1.
    pub fn uncertainty(&self) -> f64 {
        self.points.iter().map(|(_, chances)| entropy(chances)).sum::<f64>()
            / self.points.len() as f64
    }
}

/// Returns the entropy of chances relative to the uniform distribution, from 0 to 1.
fn entropy(chances: &[f64]) -> f64 {
    let sum: f64 = chances.iter().sum();
    if chances.len() < 2 || sum <= 0.0 {
        return 0.0;
    }
    let parts = chances.iter().map(|chance| chance / sum).filter(|part| *part > 0.0);
    parts.map(|part| -part * part.ln()).sum::<f64>() / (chances.len() as f64).ln()
}

/// Says where the winning chances come from.
pub fn judged_by(results: &Results) -> String {
    format!(
        "The winning chances come from a separate search with {} iterations, in at most 40 positions of a game; the sample is the first games of each pairing.",
        results.plan.judge
    )
}

/// Computes the measures.
pub fn measures(results: &Results) -> Vec<Measure> {
    let judge = format!(" {} Interval: Student's t.", judged_by(results));
    let told = |key, title, text: &str| Measure::new(key, title, format!("{text}{judge}"));
    let mut drama = told(
        "drama",
        "Drama",
        "How far the winner was behind before winning: the mean over the game of the square root of the best opponent's lead in winning chances, 0 where no opponent led. \
         0 is a game in which the winner led throughout. (After Cameron Browne, Automatic Generation and Evaluation of Recombination Games, 2008, whose mean is over the plies behind alone.)",
    );
    let mut leads = told(
        "lead-changes",
        "Lead changes",
        "How often the lead passes to another player in a game. A player takes the lead by being ahead by 5 percentage points in winning chances, and keeps it until another player does.",
    );
    let mut decisive = told(
        "decisiveness",
        "Played on after the decision",
        "The share of a game that is played after it is decided, that is, after the winner's chance reaches 80 % for good. The lower the share, the more decisive the game.",
    );
    let mut uncertain = told(
        "uncertainty",
        "Uncertainty",
        "How open the result is, averaged over the game: the normalised entropy of the winning chances, 100 % when all players have equal chances, 0 % when the result is certain.",
    );
    let mut lines = Vec::new();
    for (index, pairing) in results.pairings() {
        let name = pairing.name(&results.plan.players);
        let curves: Vec<Curve> = results.rows(index).filter_map(Curve::of).collect();
        let over = |value: &dyn Fn(&Curve) -> Option<f64>| {
            results.mean(index, |row| Curve::of(row).as_ref().and_then(value))
        };
        drama.add("", &name, Unit::Number, "games", over(&Curve::drama));
        leads.add(
            "",
            &name,
            Unit::Number,
            "games",
            over(&|curve| Some(curve.lead_changes() as f64)),
        );
        decisive.add("", &name, Unit::Share, "games", over(&Curve::played_on).map(within_shares));
        uncertain.add(
            "",
            &name,
            Unit::Share,
            "games",
            over(&|curve| Some(curve.uncertainty())).map(within_shares),
        );
        lines.extend(by_part(&curves).map(|points| Series { name, points }));
    }
    if !lines.is_empty() {
        uncertain.plots.push(Plot {
            title: "How open the result is".into(),
            across: "% of the game".into(),
            up: "% uncertain".into(),
            shape: Shape::Lines(lines),
        });
    }
    vec![drama, leads, decisive, uncertain]
}

/// Returns the mean uncertainty in each section of the game.
fn by_part(curves: &[Curve]) -> Option<Vec<(f64, f64)>> {
    let mut sums = [(0.0, 0_u32); PARTS];
    for (part, chances) in curves.iter().flat_map(|curve| &curve.points) {
        let sum = &mut sums[((part * PARTS as f64) as usize).min(PARTS - 1)];
        *sum = (sum.0 + entropy(chances), sum.1 + 1);
    }
    let width = 100.0 / PARTS as f64;
    let points = sums.iter().enumerate().filter(|(_, (_, count))| *count > 0);
    let points: Vec<(f64, f64)> = points
        .map(|(part, (sum, count))| ((part as f64 + 0.5) * width, 100.0 * sum / f64::from(*count)))
        .collect();
    (points.len() > 1).then_some(points)
}
