//! The evidence of the summary and the verdict: the figures of the strongest players who play each
//! other as equals, and the claims that may be made of them.

use super::families::{self, Agreement, Balance, FamilyScores};
use super::significance::{Claim, Claims};
use super::trends::Movement;
use super::{Measure, Strengths};
use crate::measure::plan::Pairing;
use crate::measure::results::Results;
use crate::measure::statistics::Estimate;
use crate::notation::{equal_share, inflected};

/// The figures and claims of a report.
pub struct Evidence<'r> {
    pub results: &'r Results,
    pub measures: &'r [Measure],
    pub movements: &'r [Movement],
    pub claims: &'r Claims,
    pub strengths: &'r Strengths,
    /// The strongest tree searches that play each other as equals, or else chosen players.
    pub pairing: &'r Pairing,
    pub index: usize,
    pub who: String,
}

/// Who is ahead between equal players, as far as may be claimed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standing {
    Ahead(usize),
    Close,
    /// The interval of this player alone would say that he is ahead; all tests together do not.
    ByChance(usize),
    /// Nothing can be said; this player scores most.
    Open(usize),
    /// Two families of players differ, with this p-value.
    Differ {
        leader: usize,
        p: f64,
    },
}

impl<'r> Evidence<'r> {
    /// Collects the evidence; `None` if no equal players have played.
    pub fn of(
        results: &'r Results,
        measures: &'r [Measure],
        (movements, claims): (&'r [Movement], &'r Claims),
        strengths: &'r Strengths,
    ) -> Option<Evidence<'r>> {
        let (index, pairing) = results.strongest_equals()?;
        let who = pairing.name(&results.plan.players);
        Some(Evidence { results, measures, movements, claims, strengths, pairing, index, who })
    }

    /// Tests if a claim may be made.
    pub fn holds(&self, claim: Claim) -> bool {
        self.claims.hold(claim)
    }

    pub fn measure(&self, key: &str) -> Option<&'r Measure> {
        self.measures.iter().find(|measure| measure.key == key)
    }

    /// Returns a figure of the strongest players.
    pub fn figure(&self, key: &str, what: &str) -> Option<Estimate> {
        self.measure(key)?.figure(what, &self.who).map(|figure| figure.estimate)
    }

    /// Returns the score of each player between the strongest players; empty if one is missing.
    pub fn scores(&self) -> Vec<Estimate> {
        let players = &self.results.plan.players;
        let scores = players.iter().map(|player| self.figure("seat-advantage", player));
        scores.collect::<Option<Vec<Estimate>>>().unwrap_or_default()
    }

    /// Says who is ahead by the scores of one family of players.
    pub fn standing(&self, scores: &[Estimate]) -> Option<Standing> {
        let leader = families::leader(scores)?;
        let ahead = |player| self.holds(Claim::Score { pairing: self.index, player });
        Some(match families::balance(scores) {
            Balance::Ahead(player) if ahead(player) => Standing::Ahead(player),
            Balance::Ahead(player) => Standing::ByChance(player),
            Balance::Close => Standing::Close,
            Balance::Open => Standing::Open(leader),
        })
    }

    /// Says who is ahead, as far as two families of players agree.
    pub fn common_standing(&self, one: &FamilyScores, other: &FamilyScores) -> Option<Standing> {
        let leader = families::leader(&one.scores)?;
        let p = self.claims.p(Claim::Differ);
        Some(match families::compare_with(&one.scores, &other.scores, p) {
            Agreement::Both(Balance::Ahead(player)) => Standing::Ahead(player),
            Agreement::Both(Balance::Close) => Standing::Close,
            Agreement::Differ(p) => Standing::Differ { leader, p },
            Agreement::Both(Balance::Open) | Agreement::Neither => Standing::Open(leader),
        })
    }

    /// Names the players: `between two strong players`.
    pub fn between(&self) -> String {
        let count = match self.pairing.seats[0].len() {
            1 => "a".to_owned(),
            2 => "two".to_owned(),
            players => players.to_string(),
        };
        let noun = inflected(self.pairing.seats[0].len() as u64, "player");
        let joint = if self.pairing.seats[0].len() == 1 { "for" } else { "between" };
        match self.pairing.seats[0].first() {
            Some(kind) if self.pairing.is_even() => {
                format!("{joint} {count} {} {noun}", self.strengths.text(&kind.to_string()))
            }
            _ => format!("with {}", self.strengths.text(&self.who)),
        }
    }

    /// Says what an equal share is, if there are more than two players.
    pub fn equal_share(&self) -> String {
        equal_share(self.results.plan.players.len(), |share| format!("{:.0} %", share * 100.0))
    }
}
