//! A playtest's comparisons with other games, and with the game without each of its rules.

use super::{Figure, PlaytestReport};
use crate::diagnostics::place;
use crate::measure::compared::{self, Compared};
use crate::measure::left_out::{LeftOut, LeftOutRule};
use serde::Serialize;

pub use crate::measure::left_out::Verdict;

/// The comparison of a game with another one.
///
/// See [`Playtest::compare_with`](super::Playtest::compare_with) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GameComparison {
    /// The title of the other game, with the options that differ from their defaults.
    pub game: String,
    /// The player who plays both games against itself; `None` if no such player has played enough
    /// games.
    pub player: Option<String>,
    /// The numbers of games: of the tested game, and of the other one.
    pub games: (u64, u64),
    /// The figures of both games.
    pub figures: Vec<FigureComparison>,
}

/// A figure of two games.
///
/// See [`Playtest::compare_with`](super::Playtest::compare_with) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FigureComparison {
    /// The measure by its name in JSON.
    pub measure: &'static str,
    /// The title of the measure.
    pub title: &'static str,
    /// The figure of the tested game.
    pub own: Figure,
    /// The figure of the other game.
    pub other: Figure,
    /// The p-value for equal figures, after Holm's correction for all tests of the comparison.
    pub p: f64,
    /// Whether the figures differ significantly.
    pub differs: bool,
}

/// The game without one of its rules.
///
/// See [`Playtest::leave_out`](super::Playtest::leave_out) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Omission {
    /// The file that the rule is in.
    pub file: String,
    /// The line at which it begins, from 1.
    pub line: usize,
    /// The text of the rule, on one line; a long one is cut.
    pub rule: String,
    /// The effect of leaving the rule out.
    pub verdict: Verdict,
    /// The number of games played without the rule.
    pub games: u64,
    /// The p-value for a difference of some figure by the margin or more, corrected for all tests;
    /// `None` if the game without the rule was not played.
    pub p: Option<f64>,
    /// About how many games would be enough, if there are too few and no difference was found.
    pub enough: Option<u64>,
    /// The figures with the rule (`own`) and without it (`other`).
    pub figures: Vec<FigureComparison>,
}

impl FigureComparison {
    fn of(figure: &compared::ComparedFigure) -> FigureComparison {
        FigureComparison {
            measure: figure.measure,
            title: figure.title,
            own: Figure { what: figure.what.clone(), ..Figure::of(&figure.own) },
            other: Figure { what: figure.what.clone(), ..Figure::of(&figure.other) },
            p: figure.p,
            differs: figure.differs(),
        }
    }
}

impl PlaytestReport {
    /// Lists the comparisons with the games of [`Playtest::compare_with`], in their order.
    ///
    /// See [`Playtest::compare_with`] for an example.
    ///
    /// [`Playtest::compare_with`]: super::Playtest::compare_with
    #[must_use]
    pub fn comparisons(&self) -> Vec<GameComparison> {
        let games = self.compared.iter().flat_map(|Compared { games, .. }| games);
        let described = games.map(|game| GameComparison {
            game: game.game.clone(),
            player: game.player.clone(),
            games: game.games,
            figures: game.figures.iter().map(FigureComparison::of).collect(),
        });
        described.collect()
    }

    /// Returns for each rule that can be left out the game without it, in the order of the rules;
    /// `None` without [`Playtest::leave_out`], or if there are too few games.
    ///
    /// See [`Playtest::leave_out`] for an example.
    ///
    /// [`Playtest::leave_out`]: super::Playtest::leave_out
    #[must_use]
    pub fn omissions(&self) -> Option<Vec<Omission>> {
        let LeftOut { rules, .. } = self.left_out.as_ref()?;
        let described = rules.iter().map(|rule: &LeftOutRule| {
            let at = place(rule.clause, self.game.0.rules(), &self.game.0.rules().files);
            Omission {
                file: at.file,
                line: at.line,
                rule: at.text,
                verdict: rule.verdict,
                games: rule.games,
                p: rule.p,
                enough: rule.enough,
                figures: rule.figures.iter().map(FigureComparison::of).collect(),
            }
        });
        Some(described.collect())
    }
}
