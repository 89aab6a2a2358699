//! Two families of players, and whether they agree on who is ahead.
//!
//! Tree search with playouts and search with a training err in different ways. What both find is
//! more likely to be true of the game than of the players.

use super::significance::{Claim, Claims, ERROR};
use super::trends::probability;
use super::{Measure, Strengths};
use crate::measure::results::Results;
use crate::measure::statistics::{Estimate, difference_test, holm};
use crate::notation::grouped;
use crate::search::PlayerKind;

/// The key of the measure.
pub const KEY: &str = "families";
/// Scores whose intervals lie this close to an equal share are called close to even.
const CLOSE: f64 = 0.1;

/// What the scores of all players say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// The player with this index scores significantly more than an equal share.
    Ahead(usize),
    /// No score can be far from an equal share.
    Close,
    /// Neither can be said.
    Open,
}

/// Returns the player with the greatest score, the first of equals.
pub fn leader(scores: &[Estimate]) -> Option<usize> {
    (0..scores.len()).max_by(|&one, &other| {
        scores[one].value.total_cmp(&scores[other].value).then(other.cmp(&one))
    })
}

/// Returns what the scores of equal players say, by player.
pub fn balance(scores: &[Estimate]) -> Balance {
    let even = 1.0 / scores.len().max(1) as f64;
    let is_close = |score: &Estimate| score.low > even - CLOSE && score.high < even + CLOSE;
    match leader(scores) {
        Some(best) if scores.len() > 1 && scores[best].low > even => Balance::Ahead(best),
        Some(_) if scores.len() > 1 && scores.iter().all(is_close) => Balance::Close,
        _ => Balance::Open,
    }
}

/// What two families of players say together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// Both families say this.
    Both(Balance),
    /// Their scores differ significantly, with this p-value.
    Differ(f64),
    /// The scores do not differ significantly, but do not say the same either.
    Neither,
}

/// Compares the scores that two families find, by player, with Holm's correction.
pub fn compare(one: &[Estimate], other: &[Estimate]) -> Agreement {
    compare_with(one, other, difference(one, other))
}

/// Returns the p-value, with Holm's correction, of the tests that the scores are equal.
fn difference(one: &[Estimate], other: &[Estimate]) -> f64 {
    let test = |(one, other)| difference_test(one, other).unwrap_or(1.0);
    let tests: Vec<f64> = one.iter().zip(other).map(test).collect();
    // The second of two players' scores mirrors the first.
    let tests = if tests.len() == 2 { tests[..1].to_vec() } else { tests };
    holm(&tests).into_iter().fold(1.0, f64::min)
}

/// Returns the p-value of the test that two families find the same scores, if there are two.
pub fn differ(families: &[FamilyScores]) -> Option<f64> {
    let [one, other] = families else { return None };
    Some(difference(&one.scores, &other.scores))
}

/// As [`compare`], with `p` as the p-value of a difference.
pub fn compare_with(one: &[Estimate], other: &[Estimate], p: f64) -> Agreement {
    let (first, second) = (balance(one), balance(other));
    match (first, second) {
        // Two families that find the same player ahead agree, even if not on how far.
        (Balance::Ahead(one), Balance::Ahead(other)) if one == other => Agreement::Both(first),
        _ if p <= ERROR => Agreement::Differ(p),
        _ if first == second => Agreement::Both(first),
        _ => Agreement::Neither,
    }
}

/// The scores of each player in games between equal players of one kind.
pub struct FamilyScores {
    pub kind: PlayerKind,
    pub scores: Vec<Estimate>,
}

impl FamilyScores {
    /// Describes the score of a player: `62 % (95 % interval 53–70, 120 games) between two
    /// strongest players`.
    pub fn text(&self, player: usize, players: &[String], strengths: &Strengths) -> String {
        let score = &self.scores[player];
        format!(
            "{:.0} % (95 % interval {:.0}–{:.0}, {} games) between {} {} players",
            score.value * 100.0,
            score.low * 100.0,
            score.high * 100.0,
            grouped(score.sample),
            if players.len() == 2 { "two" } else { "equal" },
            strengths.name(&self.kind)
        )
    }
}

/// Returns the players of a default plan that use a training and play each other as equals, if
/// there are any.
pub fn trained(results: &Results) -> Option<PlayerKind> {
    results.plan.pairings.iter().find_map(|pairing| {
        let kind = *pairing.seats[0].first().filter(|_| pairing.is_even())?;
        matches!(kind, PlayerKind::StrongIterations(_)).then_some(kind)
    })
}

/// Returns the scores of the strongest players of each family: first tree search, then players with
/// a training, if there are any.
pub fn strongest(results: &Results, measures: &[Measure]) -> Option<Vec<FamilyScores>> {
    let ladder = results.plan.ladder();
    if ladder.len() < 3 {
        return None;
    }
    let seats = measures.iter().find(|measure| measure.key == "seat-advantage")?;
    let family = |kind: PlayerKind| {
        let who = format!("{kind} against itself");
        let score = |player: &String| seats.figure(player, &who).map(|figure| figure.estimate);
        let scores = results.plan.players.iter().map(score);
        Some(FamilyScores { kind, scores: scores.collect::<Option<Vec<Estimate>>>()? })
    };
    // The strongest players have no games where those take too long.
    let first = ladder.into_iter().rev().find_map(family)?;
    Some([Some(first), trained(results).and_then(family)].into_iter().flatten().collect())
}

/// Computes the measure.
pub fn measure(results: &Results, measures: &[Measure], claims: &Claims) -> Measure {
    let mut measure = Measure::new(
        KEY,
        "Two families of players",
        format!(
            "Tree search with random playouts, and search with an evaluation learned from self-play, which both think for about as long. They err in different ways, so only what both \
         say is called a verdict: that the same player is ahead (both intervals lie above an equal share), or that the sides are close to even (both intervals lie within 10 % of it). \
         They differ if Yates's test of their scores has p of at most {ERROR:.2} after Holm's correction for all claims of the verdict."
        ),
    );
    let Some(families) = strongest(results, measures) else { return measure };
    measure.notes.push(match (&results.plan.training, &families[..]) {
        (Some(training), [one, other]) => {
            let p = claims.p(Claim::Differ);
            let says = match compare_with(&one.scores, &other.scores, p) {
                Agreement::Both(Balance::Ahead(player)) => {
                    format!("Both find {} ahead.", results.plan.players[player])
                }
                Agreement::Both(Balance::Close) => "Both find the sides close to even.".to_owned(),
                Agreement::Both(Balance::Open) => "Neither finds a player ahead.".to_owned(),
                Agreement::Differ(p) => format!("They differ ({}).", probability(p)),
                Agreement::Neither => {
                    "They do not differ significantly, but do not say the same either.".to_owned()
                }
            };
            format!(
                "{says} The training learned from {} games; searching by {} with it scored {} of {} games against plain playouts in its own match.",
                grouped(training.games),
                training.method,
                training.score,
                training.of
            )
        }
        (Some(_), _) => "There is only one family: the training of this game that is kept did not beat plain playouts in its match.".to_owned(),
        (None, _) => "There is only one family: no training of this game is kept; `ludwright playtest --train` makes one first.".to_owned(),
    });
    measure
}
