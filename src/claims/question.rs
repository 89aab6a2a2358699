//! Prepares a claim: compiles its game, plays its opening and states its query.

use crate::engine::PackedMove;
use crate::engine::game::{Game, Move, State};
use crate::language::board_sizes::Choices;
use crate::language::check;
use crate::language::claims::{Assertion, Claim, Counted, Side};
use crate::language::rules::PlayerId;
use crate::language::sources::Sources;
use crate::notation::{clause, clip};
use crate::record::Record;
use crate::search::PlayerKind;
use crate::why::read;

/// A claim that can be decided.
pub struct Question {
    pub claim: Claim,
    /// The chosen options; those of the claim come first and take precedence.
    pub choices: Choices,
    /// The index of the claim.
    pub index: usize,
    /// Compiled so that the conditions of claims can be evaluated.
    pub game: Game,
    /// The position after the opening.
    pub start: State,
    pub asked: ClaimQuery,
}

/// The query of a claim.
#[derive(Clone, Copy, Debug)]
pub enum ClaimQuery {
    Games(GamesQuery),
    /// Whether the player wins with best play or, if `None`, whether best play is a draw; and
    /// whether the claim says so or denies it.
    Best(Option<PlayerId>, bool),
    Mean(MeanQuery),
}

/// A query about all games.
#[derive(Clone, Copy, Debug)]
pub struct GamesQuery {
    pub property: Property,
    /// Whether every game is claimed to have the property; otherwise that some game lacks it.
    pub every: bool,
}

/// A property of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// The game is over within this many plies.
    EndsWithin(u32),
    /// No position occurs twice.
    NeverRepeats,
    /// The game is not drawn.
    NotDrawn,
    /// In every position the watched condition with this index has the value `so`.
    Always { condition: usize, so: bool },
}

/// A query about games between programs: whether a mean is on one side of a bound.
#[derive(Clone, Copy, Debug)]
pub struct MeanQuery {
    pub of: Counted,
    pub side: Side,
    /// The bound, in units of half a percent.
    pub halves: u32,
    /// Whether the claim says so or denies it.
    pub so: bool,
}

/// The player of seats that the claim does not name.
const DEFAULT_PLAYER: PlayerKind = PlayerKind::Iterations(200);

impl Question {
    /// Prepares the claim with this index.
    ///
    /// # Errors
    /// Explains why the claim cannot be decided.
    pub fn new(
        source: &Sources,
        choices: &[(String, String)],
        index: usize,
        claim: &Claim,
    ) -> Result<Question, String> {
        let others =
            choices.iter().filter(|(name, _)| !claim.options.iter().any(|(own, _)| own == name));
        let choices: Choices = claim.options.iter().chain(others).cloned().collect();
        let checked = check(source, &choices);
        let faults = || {
            let faults = checked.choice_faults.iter().map(|fault| fault.message.clone());
            let errors = checked
                .findings
                .iter()
                .filter(|finding| finding.severity() == crate::language::finding::Severity::Error);
            faults
                .chain(errors.map(|finding| finding.message.clone()))
                .collect::<Vec<String>>()
                .join("; ")
        };
        let rules = checked.rules.clone().ok_or_else(faults)?;
        let claim = rules
            .claims
            .get(index)
            .cloned()
            .ok_or_else(|| String::from("this claim does not exist with these options"))?;
        let watched =
            rules.claims[..index].iter().filter(|claim| claim.condition().is_some()).count();
        let game = Game::compile_watching(rules).map_err(|finding| finding.message)?;
        let mut start = game.begin().map_err(|fault| clause::endless(game.rules(), &fault))?;
        for ply in &claim.opening {
            let found = read(&start, &ply.node)
                .map_err(|refusal| format!("after `{}`: {}", clip(&ply.node), refusal.line()))?;
            start.play(&found).map_err(|_| format!("`{}` cannot be played", clip(&ply.node)))?;
        }
        let asked = match &claim.assertion {
            Some(assertion) => asked(&assertion.node, watched),
            None => return Err(String::from("this claim is not valid with these options")),
        };
        let question = Question { claim, choices, index, game, start, asked };
        if let ClaimQuery::Mean(_) = question.asked {
            question.programs()?;
        }
        Ok(question)
    }

    /// Returns the program that plays each seat.
    ///
    /// # Errors
    /// Explains which player does not exist or is not reproducible.
    pub fn programs(&self) -> Result<Vec<PlayerKind>, String> {
        let seats = &self.claim.seats;
        (0..self.game.rules().players.len())
            .map(|player| {
                let own = seats.iter().find(|(of, _)| of.is_some_and(|of| of.index() == player));
                let Some((_, program)) = own.or_else(|| seats.iter().find(|(of, _)| of.is_none())) else { return Ok(DEFAULT_PLAYER) };
                match program.node.parse()? {
                    PlayerKind::Human => Err(String::from("a claim cannot have a human player; name a program, such as `mcts:200it`")),
                    kind if kind.uses_training() => Err(format!(
                        "games of `{}` depend on a training; name another program, such as `mcts:200it`",
                        clip(&program.node)
                    )),
                    PlayerKind::Time(_) => Err(format!(
                        "games of `{}` cannot be reproduced; give a number of iterations, such as `mcts:200it`",
                        clip(&program.node)
                    )),
                    kind => Ok(kind),
                }
            })
            .collect()
    }

    /// Converts packed moves to moves.
    pub fn spell_out(&self, plies: &[PackedMove]) -> Vec<Move> {
        plies.iter().map(|&ply| self.game.spell_out(ply)).collect()
    }

    /// Returns a record of the opening and the plies after it.
    pub fn record(&self, plies: &[Move]) -> Record {
        let mut played = self.start.clone();
        // The caller passes legal plies only.
        plies.iter().for_each(|ply| drop(played.play(ply)));
        // The plies include the rolls, so the record needs no seed.
        Record { seed: None, ..Record::of(&played, 0) }
    }
}

/// Translates an assertion into a query.
fn asked(assertion: &Assertion, condition: usize) -> ClaimQuery {
    let games = |property, every| ClaimQuery::Games(GamesQuery { property, every });
    match *assertion {
        Assertion::EndsWithin(plies) => games(Property::EndsWithin(plies), true),
        Assertion::NeverRepeats => games(Property::NeverRepeats, true),
        Assertion::NeverDraws => games(Property::NotDrawn, true),
        Assertion::Always(_) => games(Property::Always { condition, so: true }, true),
        Assertion::Possible(_) => games(Property::Always { condition, so: false }, false),
        Assertion::Wins(player) => ClaimQuery::Best(Some(player), true),
        Assertion::Drawn => ClaimQuery::Best(None, true),
        Assertion::Mean { of, side, halves } => {
            ClaimQuery::Mean(MeanQuery { of, side, halves, so: true })
        }
        Assertion::Not(ref inner) => match asked(&inner.node, condition) {
            ClaimQuery::Games(asked) => {
                ClaimQuery::Games(GamesQuery { every: !asked.every, ..asked })
            }
            ClaimQuery::Best(wanted, so) => ClaimQuery::Best(wanted, !so),
            ClaimQuery::Mean(asked) => ClaimQuery::Mean(MeanQuery { so: !asked.so, ..asked }),
        },
    }
}
