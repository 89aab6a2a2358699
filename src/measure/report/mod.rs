//! Figures of a playtest, each with what it means, what it was worked out from and how sure it is.
//!
//! In: what was played. Out: a report, the same for the same games. It refuses to know how it is
//! shown.
//!
//! - `outcome`: who wins, and why. `course`: how long games are, how much there is to choose,
//!   where. `drama`: how the winning chances go. `rules`: what became of every clause. `records`:
//!   games worth looking at.

mod course;
mod drama;
mod outcome;
mod records;
mod rules;

pub use records::NotableGame;
pub use rules::{ClauseUse, Coverage};

use super::results::Results;
use super::statistics::Estimate;
use crate::engine::game::Game;
use crate::language::sources::Sources;
use crate::render::plot::Plot;
use serde::Serialize;

/// What there is to say about a playtest.
pub struct Report<'r> {
    pub game: &'r Game,
    pub sources: &'r Sources,
    pub results: &'r Results,
    /// How many lots were played, and how many there are as far as that is known by now.
    pub played: (usize, usize),
    pub measures: Vec<Measure>,
    /// How often each site was chosen.
    pub heat: Vec<Heat>,
    pub coverage: Coverage,
    pub records: Vec<NotableGame>,
}

/// Something that is measured.
#[derive(Clone, Debug, Serialize)]
pub struct Measure {
    /// Its name in JSON.
    pub key: &'static str,
    pub title: &'static str,
    /// What it means, for people who make games.
    pub definition: String,
    pub figures: Vec<Figure>,
    /// What else is to be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
}

/// What numbers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A part of one, shown in hundredths.
    Share,
    Number,
    /// A whole number of things.
    Count,
    /// The decimal logarithm of a number of things.
    PowerOfTen,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// What it is a figure of, such as `White` or `median`; empty where the measure says it all.
    pub what: String,
    /// Whose games it is about, such as `mcts:64it against itself`; empty if everybody's.
    pub who: String,
    pub unit: Unit,
    /// None where nothing could be worked out.
    #[serde(flatten, serialize_with = "bounded")]
    pub estimate: Estimate,
    /// What was counted: `games`, `positions`, ….
    pub of: &'static str,
}

/// JSON has no infinity: a bound that is not known is left out.
fn bounded<S: serde::Serializer>(estimate: &Estimate, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap;
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("value", &estimate.value)?;
    let bound = |bound: f64| bound.is_finite().then_some(bound);
    map.serialize_entry("low", &bound(estimate.low))?;
    map.serialize_entry("high", &bound(estimate.high))?;
    map.serialize_entry("error", &bound(estimate.error))?;
    map.serialize_entry("sample", &estimate.sample)?;
    map.end()
}

/// How often each site of the board was chosen, by its number, as a part of all choices of sites.
#[derive(Clone, Debug, Serialize)]
pub struct Heat {
    pub who: String,
    #[serde(skip)]
    pub sites: Vec<f64>,
    /// The same by the sites' names.
    #[serde(rename = "sites")]
    pub named: Vec<(String, f64)>,
}

impl Measure {
    fn new(key: &'static str, title: &'static str, definition: impl Into<String>) -> Measure {
        Measure {
            key,
            title,
            definition: definition.into(),
            figures: Vec::new(),
            notes: Vec::new(),
            plots: Vec::new(),
        }
    }

    /// Adds a figure, if something could be worked out.
    fn add(
        &mut self,
        what: impl Into<String>,
        who: &str,
        unit: Unit,
        of: &'static str,
        estimate: Option<Estimate>,
    ) {
        // Nothing that is counted or multiplied here is below zero.
        let counted = matches!(unit, Unit::Number | Unit::PowerOfTen);
        let least = |low: f64| if counted && low.is_finite() { low.max(0.0) } else { low };
        let within = |estimate: Estimate| Estimate { low: least(estimate.low), ..estimate };
        let figure = |estimate| Figure {
            what: what.into(),
            who: who.to_owned(),
            unit,
            estimate: within(estimate),
            of,
        };
        self.figures.extend(estimate.map(figure));
    }

    /// Whether there is anything to say.
    fn says(&self) -> bool {
        !self.figures.is_empty() || !self.notes.is_empty()
    }
}

impl<'r> Report<'r> {
    /// Works everything out.
    pub fn new(game: &'r Game, sources: &'r Sources, results: &'r Results) -> Report<'r> {
        let mut measures = outcome::measures(results, game);
        measures.extend(course::measures(results));
        measures.extend(drama::measures(results));
        measures.retain(Measure::says);
        let missing = results.missing().len();
        Report {
            game,
            sources,
            results,
            played: (results.lots.len(), results.lots.len() + missing),
            measures,
            heat: course::heat(results, game),
            coverage: rules::coverage(results, game),
            records: records::records(results, game),
        }
    }

    /// Finds a measure by its name in JSON.
    pub fn measure(&self, key: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.key == key)
    }

    /// Whether all was played that was planned.
    pub fn is_complete(&self) -> bool {
        self.played.0 == self.played.1
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        (0..self.results.plan.pairings.len()).map(|index| self.results.games(index)).sum()
    }

    /// What the reader should know before all figures.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if !self.is_complete() {
            remarks.push(format!(
                "This report is partial: {} of {} batches of games have been played.",
                self.played.0, self.played.1
            ));
        }
        if !self.results.plan.opening.is_empty() {
            let opening = self.results.plan.opening.join(", ");
            remarks.push(format!(
                "Every game starts after {opening}; the figures cover what follows."
            ));
        }
        if self.results.plan.pairings.iter().any(super::Pairing::is_timed) {
            remarks.push("Players with a time limit play differently each time; use `mcts:…it` for reproducible figures.".to_owned());
        }
        remarks
    }
}
