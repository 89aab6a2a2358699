//! The report of a playtest: figures with definition, sample and confidence interval. The same
//! games give the same report.
//!
//! - `outcome`: who wins, and why. `course`: length, branching, positions, sites. `drama`: winning
//!   chances over the game; `comebacks`: who comes back, and when games are settled. `openings`:
//!   first plies and mirror play; `dominance`: which first plies differ. `rules`: coverage of the
//!   clauses. `records`: notable games. `puzzles`: positions with one ply that wins.
//! - `summary`: all this in three sentences; `verdict`: with intervals and caveats; `evidence`: the
//!   figures and claims of both. `strengths`: names of the players.
//! - How far the players can be trusted. `exact`: best play, where it is known. `trends`: which
//!   figures depend on strength. `levels`: how many levels of play there are. `families`: two
//!   families of players. `blunders`: how often players give away a proven result. `significance`:
//!   what a verdict may claim.

mod blunders;
mod comebacks;
mod course;
pub mod dominance;
mod drama;
mod evidence;
mod exact;
mod families;
mod levels;
mod openings;
mod outcome;
mod puzzles;
mod records;
mod rules;
mod significance;
mod strengths;
mod summary;
mod trends;
mod verdict;

pub use exact::best_play;
pub use families::{Agreement, Balance, balance, compare};
pub use openings::map as opening_map;
pub use puzzles::{Puzzle, Puzzles};
pub use records::{CriticalPly, NotableGame};
pub use rules::{ClauseUse, Coverage};
pub use strengths::{NAMES as STRENGTH_NAMES, Strengths};
pub use verdict::Sentence;

use super::compared::{self, Compared};
use super::left_out::{self, LeftOut, Without};
use super::play::MEMORY;
use super::results::Results;
use super::statistics::Estimate;
use crate::engine::game::Game;
use crate::language::sources::Sources;
use crate::notation::{capital, grouped, list};
use crate::render::plot::Plot;
use evidence::Evidence;
use serde::Serialize;
use significance::Claims;

/// Games are said to be repeated where less than this share of them is independent.
const MUCH_VARIETY: f64 = 0.9;

/// The report of a playtest.
pub struct Report<'r> {
    pub game: &'r Game,
    pub sources: &'r Sources,
    pub results: &'r Results,
    /// The number of batches played, and of all batches as far as known.
    pub played: (usize, usize),
    /// What a designer asks first, in at most three short sentences without intervals and caveats.
    pub summary: Vec<String>,
    /// What the figures say, in a few sentences.
    pub verdict: Vec<Sentence>,
    /// The plain names of the players.
    pub strengths: Strengths,
    pub measures: Vec<Measure>,
    /// How often each site was chosen.
    pub heat: Vec<Heat>,
    pub coverage: Coverage,
    pub records: Vec<NotableGame>,
    /// The best puzzles.
    pub puzzles: Vec<Puzzle>,
    /// The comparison with other games, if there is one.
    pub compared: Option<Compared>,
    /// What the game is without each of its rules, if that was tried.
    pub left_out: Option<LeftOut>,
}

/// A measure with its figures.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Measure {
    /// Its name in JSON.
    pub key: &'static str,
    pub title: &'static str,
    /// Its definition, in terms for game designers.
    pub definition: String,
    pub figures: Vec<Figure>,
    /// Further remarks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plots: Vec<Plot>,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A proportion, shown in percent.
    Share,
    /// A number.
    Number,
    /// An integer.
    Count,
    /// The decimal logarithm of a number.
    PowerOfTen,
}

/// A figure.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Figure {
    /// What it is a figure of, such as `White` or `median`; may be empty.
    pub what: String,
    /// The pairing, such as `mcts:64it against itself`; empty for all games.
    pub who: String,
    pub unit: Unit,
    /// The estimate; bounds that are not finite become null in JSON.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// What the sample counts: `games`, `positions`, ….
    pub of: &'static str,
}

/// The frequency of each site among all choices of sites, by site number.
#[derive(Clone, Debug)]
pub struct Heat {
    pub who: String,
    pub sites: Vec<f64>,
    /// The frequencies by site label.
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

    /// Adds a figure if there is an estimate.
    fn add(
        &mut self,
        what: impl Into<String>,
        who: &str,
        unit: Unit,
        of: &'static str,
        estimate: Option<Estimate>,
    ) {
        // Quantities in these units are never negative.
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

    /// Finds a figure.
    pub fn figure(&self, what: &str, who: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.what == what && figure.who == who)
    }

    /// Tests if the measure has any content.
    fn says(&self) -> bool {
        !self.figures.is_empty() || !self.notes.is_empty()
    }
}

impl<'r> Report<'r> {
    /// Computes the report.
    pub fn new(game: &'r Game, sources: &'r Sources, results: &'r Results) -> Report<'r> {
        let strengths = Strengths::of(&results.plan);
        let mut measures = exact::measures(results, game.rules());
        measures.extend(outcome::measures(results, game));
        measures.push(levels::measure(results));
        measures.push(blunders::measure(results));
        measures.extend(course::measures(results));
        measures.extend(drama::measures(results));
        measures.extend(comebacks::measures(results));
        measures.extend(openings::measures(results, game));
        let found = Puzzles::of(results, game);
        let puzzles = found.told();
        measures.push(found.measure(&puzzles));
        let mut movements = trends::movements(results, &measures);
        let claims = Claims::test(results, &measures, &mut movements);
        let trust = [
            trends::measure(&movements, &strengths),
            families::measure(results, &measures, &claims),
        ];
        let after = measures.iter().position(|measure| measure.key == "seat-advantage");
        let after = after.map_or(0, |after| after + 1);
        drop(measures.splice(after..after, trust));
        measures.retain(Measure::says);
        let missing = results.missing().len();
        let coverage = rules::coverage(results, game);
        let evidence = Evidence::of(results, &measures, (&movements, &claims), &strengths);
        let evidence = evidence.as_ref();
        let summary = summary::summary((results, game), evidence, &coverage);
        let verdict = verdict::verdict((results, game), evidence, &claims, &coverage, &strengths);
        Report {
            game,
            sources,
            results,
            played: (results.lots.len(), results.lots.len() + missing),
            summary,
            verdict,
            strengths,
            measures,
            heat: course::heat(results, game),
            coverage,
            records: records::records(results, game),
            puzzles,
            compared: None,
            left_out: None,
        }
    }

    /// Adds a comparison with the reports of other games.
    pub fn compared_with(self, others: &[Report]) -> Report<'r> {
        let compared = Some(compared::compare(&self, others));
        Report { compared, ..self }
    }

    /// Adds a comparison with the game without each of its rules.
    pub fn leaving_out(self, without: &[Without]) -> Report<'r> {
        let left_out = left_out::compare(&self, without);
        Report { left_out, ..self }
    }

    /// Returns the title of the game, with the options that differ from their defaults.
    pub fn title(&self) -> String {
        let options = &self.game.rules().options;
        let changed = options.iter().filter(|option| option.chosen != option.default);
        let changed: Vec<String> =
            changed.map(|own| format!("{}={}", own.name, own.values[own.chosen])).collect();
        let title = &self.results.plan.game;
        match &changed[..] {
            [] => title.clone(),
            changed => format!("{title} ({})", changed.join(" ")),
        }
    }

    /// Finds a measure by its name in JSON.
    pub fn measure(&self, key: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.key == key)
    }

    /// Tests if all planned batches were played.
    pub fn is_complete(&self) -> bool {
        self.played.0 == self.played.1
    }

    /// Tests if a training would add a second family of players that is of use: in a default plan
    /// of a game that is not solved.
    pub fn lacks_training(&self) -> bool {
        let plan = &self.results.plan;
        let is_default = plan.players.len() > 1 && plan.ladder().len() > 1;
        plan.training.is_none() && is_default && !self.results.is_solved()
    }

    /// Returns the number of games played.
    pub fn games(&self) -> u64 {
        (0..self.results.plan.pairings.len()).map(|index| self.results.games(index)).sum()
    }

    /// Returns remarks that qualify all figures.
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
        if self.is_complete() {
            let pairings = self.results.plan.pairings.iter().zip(self.results.limits());
            let left_out =
                pairings.filter(|(pairing, limit)| *limit == 0 && pairing.rung.is_none());
            let name = |(pairing, _): (&super::Pairing, u64)| {
                self.strengths.text(&pairing.name(&self.results.plan.players))
            };
            let left_out: Vec<String> = left_out.map(name).collect();
            if !left_out.is_empty() {
                remarks.push(format!(
                    "Games of {} take too long for a playtest of about a minute, and were not played; `--games N` plays them.",
                    list(&left_out, "and")
                ));
            }
        }
        let full = self.results.all_rows().filter(|row| row.recycled > 0).count() as u64;
        if full > 0 {
            remarks.push(format!(
                "In {} of {} games the memory of a search was full ({} MB), and the least visited part of its tree was dropped: these players were weaker than their iterations say.",
                grouped(full),
                grouped(self.results.all_rows().count() as u64),
                MEMORY >> 20
            ));
        }
        let alike = |(index, pairing): (usize, &super::Pairing)| {
            let variety = self.results.variety(index);
            let different = match variety.different {
                1 => "one and the same".to_owned(),
                different => format!("{} different ones", grouped(different)),
            };
            let name = pairing.name(&self.results.plan.players);
            (variety.independent < MUCH_VARIETY).then(|| {
                format!(
                    "{} of {} are {different}, which count as {:.0}",
                    grouped(variety.games),
                    self.strengths.text(&name),
                    (variety.independent * variety.games as f64).max(1.0)
                )
            })
        };
        let alike: Vec<String> = self.results.pairings().into_iter().filter_map(alike).collect();
        if !alike.is_empty() {
            remarks.push(format!(
                "Some players repeat themselves, and the intervals are those of fewer, independent games. Of the games, up to symmetry, {}.",
                alike.join("; ")
            ));
        }
        if self.results.plan.pairings.iter().any(super::Pairing::is_timed) {
            remarks.push("Players with a time limit play differently each time; use `mcts:…it` for reproducible figures.".to_owned());
        }
        remarks
    }
}
