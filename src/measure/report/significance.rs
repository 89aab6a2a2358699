//! The claims that the sentences of a verdict may make, tested together: of a hundred reports of a
//! game where nothing is to be claimed, at most five make any claim.

use super::exact::solved_scores;
use super::trends::Movement;
use super::{Measure, comebacks, families};
use crate::measure::levels;
use crate::measure::results::Results;
use crate::measure::statistics::holm;
use crate::search::PlayerKind;

/// The error rate of all claims together: 5 % with the levels, which have a sequential test of
/// their own.
pub const ERROR: f64 = 0.05 - levels::ERROR;

/// What may be claimed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// In this pairing, a player scores more or less than an equal share.
    Score { pairing: usize, player: usize },
    /// The challenger of this pairing scores more or less than an equal share.
    Gain(usize),
    /// On the board that was solved, equal players of this kind score more or less with one side.
    Solved { kind: PlayerKind, player: usize },
    /// In this pairing, players who fall clearly behind win more often than the estimates allow.
    Comebacks(usize),
    /// The two families of players differ.
    Differ,
    /// The figure with this index depends on strength.
    Moves(usize),
}

/// The claims with their p-values after Holm's correction.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    tested: Vec<(Claim, f64)>,
    players: usize,
}

impl Claims {
    /// Tests everything that sentences speak of. Figures that depend on strength get their p-value
    /// among all claims.
    pub fn test(results: &Results, measures: &[Measure], movements: &mut [Movement]) -> Claims {
        let players = results.plan.players.len();
        // The second of two players' scores mirrors the first.
        let tested = if players == 2 { 1 } else { players };
        let families = families::strongest(results, measures).unwrap_or_default();
        let differ = families::differ(&families).map(|p| (Claim::Differ, p));
        let mut tests: Vec<(Claim, f64)> = differ.into_iter().collect();
        // In a plan without families, there are only players that were chosen.
        let speaks_of = |kind: Option<&PlayerKind>| {
            families.is_empty() || families.iter().any(|family| Some(&family.kind) == kind)
        };
        for (pairing, described) in results.pairings() {
            if described.challenger.is_some() {
                tests.extend(results.gain_test(pairing).map(|p| (Claim::Gain(pairing), p)));
            } else if described.is_even() && speaks_of(described.seats[0].first()) {
                tests.extend((0..tested).map(|player| {
                    (Claim::Score { pairing, player }, results.score_test(pairing, player))
                }));
            }
        }
        if let Some((pairing, _)) = results.strongest_equals() {
            let p = comebacks::test(results, pairing);
            tests.extend(p.map(|p| (Claim::Comebacks(pairing), p)));
        }
        let board = results.exact().next_back();
        for (kind, scores) in board.into_iter().flat_map(|board| solved_scores(results, board)) {
            let own = scores.iter().take(tested).enumerate();
            tests.extend(own.map(|(player, (_, p))| (Claim::Solved { kind, player }, *p)));
        }
        tests.extend(movements.iter().enumerate().map(|(index, own)| (Claim::Moves(index), own.p)));
        let corrected = holm(&tests.iter().map(|(_, p)| *p).collect::<Vec<f64>>());
        let tested = tests.into_iter().zip(corrected).map(|((claim, _), p)| (claim, p)).collect();
        let claims = Claims { tested, players };
        for (index, movement) in movements.iter_mut().enumerate() {
            movement.p = claims.p(Claim::Moves(index));
        }
        claims
    }

    /// Returns the p-value of a claim; 1 if it was not tested. Of two players, the first answers
    /// for both.
    pub fn p(&self, claim: Claim) -> f64 {
        let first = |player: usize| if self.players == 2 { 0 } else { player };
        let claim = match claim {
            Claim::Score { pairing, player } => Claim::Score { pairing, player: first(player) },
            Claim::Solved { kind, player } => Claim::Solved { kind, player: first(player) },
            other => other,
        };
        self.tested.iter().find(|(own, _)| *own == claim).map_or(1.0, |(_, p)| *p)
    }

    /// Tests if a claim may be made.
    pub fn hold(&self, claim: Claim) -> bool {
        self.p(claim) <= ERROR
    }

    /// Returns the number of claims that were tested.
    pub fn count(&self) -> usize {
        self.tested.len()
    }
}
