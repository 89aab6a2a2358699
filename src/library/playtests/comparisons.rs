//! What a playtest says of other games, and of the game without each of its rules.

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
    /// Who plays both games against itself; `None` if none of those who do has played enough games.
    pub player: Option<String>,
    /// The number of the games: of the game that was tested, and of the other one.
    pub games: (u64, u64),
    /// The figures of both.
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
    /// The figure of the game that was tested.
    pub own: Figure,
    /// The figure of the other game.
    pub other: Figure,
    /// The p-value that they do not differ, after Holm's correction for all tests of the comparison.
    pub p: f64,
    /// Whether they differ significantly.
    pub differs: bool,
}

/// What the game is without one of its rules.
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
    /// What leaving it out does to the game.
    pub verdict: Verdict,
    /// The number of games without it.
    pub games: u64,
    /// The p-value that some figure differs by the margin or more, corrected for all tests; `None`
    /// if it was not played.
    pub p: Option<f64>,
    /// About how many games would be enough, where there are too few and nothing differs.
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

    /// Says of each rule that can be left out what the game is without it, in the order of the rules;
    /// `None` without [`Playtest::leave_out`], or if there are too few games to say.
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
