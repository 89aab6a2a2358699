//! Describes the result of a comparison in JSON.

use super::ByName;
use super::explanation::{Explanation, describe};
use super::place::{Place, place};
use super::story::{StoryAnswer, describe_story};
use super::subject::Subject;
use crate::compare::{Comparison, Difference, Incompatible, Incomplete, Names, Reason, reasons};
use crate::engine::game::{Game, State, Turn};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::{PositionText, spell, turn};
use serde::Serialize;

/// Whether two games are the same.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DiffAnswer {
    pub left: SideAnswer,
    pub right: SideAnswer,
    /// `same`, `different` or `no-difference-found`.
    pub verdict: &'static str,
    #[serde(flatten)]
    pub searched: SearchedAnswer,
}

/// One of two games.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SideAnswer {
    pub file: String,
    #[serde(flatten)]
    pub subject: Subject,
}

/// What was searched, and found.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SearchedAnswer {
    /// The boards or the players differ, so that nothing was searched.
    Apart {
        /// How they differ.
        apart: String,
        help: Option<String>,
    },
    Searched {
        /// Names that are matched although they differ.
        names: Vec<Sides>,
        /// Names that only one of the files has.
        strangers: Vec<Stranger>,
        /// Pairs of positions searched.
        positions: u64,
        /// The depth in plies up to which all of them were searched.
        depth: u32,
        /// The binary logarithm of a bound on the probability that two positions were taken for one.
        confusion: f64,
        /// Why the search stopped early: `time`, `memory` or `positions`.
        short: Option<&'static str>,
        /// Random games played after it.
        games: u32,
        difference: Option<Box<DifferenceAnswer>>,
    },
}

/// A name, a value or a text of each of two games.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Sides {
    pub left: String,
    pub right: String,
}

/// A name that only one of two files has.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Stranger {
    /// `player`, `piece`, `move` or `memory`.
    pub sort: &'static str,
    pub name: String,
    /// `left` or `right`.
    pub side: &'static str,
}

/// A sequence of plies after which two games differ.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct DifferenceAnswer {
    /// The plies, spelled as in the left game.
    pub plies: Vec<String>,
    /// Whether no shorter sequence leads to a difference.
    pub shortest: bool,
    /// The position of the left game after them, as `--position` reads it.
    pub left: String,
    /// The position of the right game.
    pub right: String,
    /// The results, if they differ.
    pub result: Option<Sides>,
    /// The players to move, if they differ.
    pub to_move: Option<Sides>,
    /// What is on the sites that differ.
    pub sites: ByName<Sides>,
    /// The values of the memories that differ.
    pub memories: ByName<Sides>,
    /// The moves that are legal in the left game only.
    pub only_left: Vec<String>,
    /// The moves that are legal in the right game only.
    pub only_right: Vec<String>,
    pub reasons: Vec<ReasonAnswer>,
}

/// Why two games differ.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ReasonAnswer {
    /// A move is legal in one game only.
    Move {
        /// In which: `left` or `right`.
        legal: String,
        left: Box<Explanation>,
        right: Box<Explanation>,
    },
    /// The last ply has other effects.
    Stories { left: StoryAnswer, right: StoryAnswer },
    /// Other clauses ask for the next ply.
    Asked { left: Option<Place>, right: Option<Place> },
}

/// Two games that are compared, with their names in answers.
pub struct Pair<'p> {
    pub files: [String; 2],
    pub sides: [(&'p Sources, &'p Game); 2],
}

impl Pair<'_> {
    /// Returns the rules of a side.
    pub fn rules(&self, side: usize) -> &Rules {
        self.sides[side].1.rules()
    }

    /// Describes a comparison.
    pub fn answer(&self, names: &Names, found: &Comparison) -> DiffAnswer {
        let verdict = match &found.difference {
            Some(_) => "different",
            None if found.is_same() => "same",
            None => "no-difference-found",
        };
        self.json(verdict, self.searched(names, found))
    }

    /// Describes that boards or players differ, so that no positions can be compared.
    pub fn answer_apart(&self, apart: &Incompatible, help: Option<&str>) -> DiffAnswer {
        let help = help.map(str::to_owned);
        self.json("different", SearchedAnswer::Apart { apart: apart.to_string(), help })
    }

    fn json(&self, verdict: &'static str, searched: SearchedAnswer) -> DiffAnswer {
        let [left, right] = [0, 1].map(|side| SideAnswer {
            file: self.files[side].clone(),
            subject: Subject::of(self.rules(side)),
        });
        DiffAnswer { left, right, verdict, searched }
    }

    /// Describes the extent and the result of the search.
    fn searched(&self, names: &Names, found: &Comparison) -> SearchedAnswer {
        let taken = names
            .renamings()
            .iter()
            .map(|renaming| Sides { left: renaming.left.clone(), right: renaming.right.clone() });
        let unmatched = names.unmatched().iter().map(|unmatched_name| Stranger {
            sort: unmatched_name.sort.name(),
            name: unmatched_name.name.clone(),
            side: if unmatched_name.is_left { "left" } else { "right" },
        });
        let difference = found.difference.as_ref();
        SearchedAnswer::Searched {
            names: taken.collect(),
            strangers: unmatched.collect(),
            positions: found.positions,
            depth: found.depth,
            confusion: found.confusion(),
            short: found.short.map(|short| match short {
                Incomplete::OfTime => "time",
                Incomplete::OfMemory => "memory",
                Incomplete::OfPositions => "positions",
            }),
            games: found.games,
            difference: difference.map(|difference| Box::new(self.difference(names, difference))),
        }
    }

    fn difference(&self, names: &Names, difference: &Difference) -> DifferenceAnswer {
        let divergence = &difference.divergence;
        let written = |position: &State| PositionText::of(position).write(position.game());
        let pair = |[left, right]: &[String; 2]| Sides { left: left.clone(), right: right.clone() };
        let named = |all: &[(String, [String; 2])]| {
            all.iter().map(|(name, values)| (name.clone(), pair(values))).collect()
        };
        let reasons = reasons(names, difference);
        DifferenceAnswer {
            plies: lines(&difference.left).into_iter().map(|(_, ply)| ply).collect(),
            shortest: difference.is_shortest,
            left: written(&difference.left),
            right: written(&difference.right),
            result: divergence.result.as_ref().map(pair),
            to_move: divergence.turn.as_ref().map(pair),
            sites: named(&divergence.sites),
            memories: named(&divergence.memories),
            only_left: divergence.only_left.clone(),
            only_right: divergence.only_right.clone(),
            reasons: reasons.iter().map(|reason| self.reason_in_json(reason)).collect(),
        }
    }

    fn reason_in_json(&self, reason: &Reason) -> ReasonAnswer {
        match reason {
            Reason::Move { legal, answers } => {
                let [left, right] = [0, 1].map(|side| {
                    let (rules, source) = (self.rules(side), self.sides[side].0);
                    Box::new(describe(&answers[side], rules, source))
                });
                ReasonAnswer::Move { legal: format!("{legal:?}").to_lowercase(), left, right }
            }
            Reason::Stories(told) => {
                let [left, right] = [0, 1].map(|side| {
                    let (rules, source) = (self.rules(side), self.sides[side].0);
                    let mut story = describe_story(&told[side].story, rules, source);
                    for (clause, &differs) in story.clauses.iter_mut().zip(&told[side].differs) {
                        clause.differs = Some(differs);
                    }
                    story
                });
                ReasonAnswer::Stories { left, right }
            }
            Reason::Asked(clauses) => {
                let [left, right] = [0, 1].map(|side| {
                    clauses[side].map(|clause| place(clause, self.rules(side), self.sides[side].0))
                });
                ReasonAnswer::Asked { left, right }
            }
        }
    }
}

/// Lists the plies of a game, each with its player.
pub fn lines(position: &State) -> Vec<(String, String)> {
    let rules = position.game().rules();
    let mut earlier = position.clone();
    let mut lines = Vec::new();
    while let Some(ply) = earlier.plies().last().cloned() {
        earlier.undo();
        let mover: Turn = earlier.turn();
        lines.push((turn(rules, mover).to_owned(), spell(rules, &ply)));
    }
    lines.reverse();
    lines
}
