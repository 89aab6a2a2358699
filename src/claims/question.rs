//! A claim in, out the game that it is about, begun where it is about, and what is asked of it.

use crate::engine::game::{Game, State};
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
    /// Its number among the claims.
    pub index: usize,
    /// Compiled to watch the conditions of the claims.
    pub game: Game,
    /// Where what it is about begins.
    pub start: State,
    pub asked: ClaimQuery,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub enum ClaimQuery {
    Games(GamesQuery),
    /// Who wins with best play, if anybody; and whether that is claimed to be so.
    Best(Option<PlayerId>, bool),
    Mean(MeanQuery),
}

/// What is asked of games.
#[derive(Clone, Copy, Debug)]
pub struct GamesQuery {
    pub property: Property,
    /// Whether every game is claimed to have the property; otherwise some game is claimed not to
    /// have it.
    pub every: bool,
}

/// What a game can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// It is over after so many plies.
    EndsWithin(u32),
    /// No position comes twice in it.
    NeverRepeats,
    /// It does not end as a draw.
    NotDrawn,
    /// In each of its positions the watched condition with that number is so, or not.
    Always { condition: usize, so: bool },
}

/// What is asked of games between programs: whether what is counted in them is in the mean on that
/// side of a share.
#[derive(Clone, Copy, Debug)]
pub struct MeanQuery {
    pub of: Counted,
    pub side: Side,
    /// The share, in halves of a percent.
    pub halves: u32,
    /// Whether that is claimed to be so.
    pub so: bool,
}

/// Who plays where nobody is named.
const DEFAULT_PLAYER: PlayerKind = PlayerKind::Iterations(200);

impl Question {
    /// Loads the game that the claim with that number is about, and plays its opening.
    ///
    /// # Errors
    /// Tells why it cannot be decided.
    pub fn new(
        source: &Sources,
        choices: &[(String, String)],
        index: usize,
        claim: &Claim,
    ) -> Result<Question, String> {
        let others =
            choices.iter().filter(|(name, _)| !claim.options.iter().any(|(own, _)| own == name));
        let choices: Vec<(String, String)> = claim.options.iter().chain(others).cloned().collect();
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
        let question = Question { claim, index, game, start, asked };
        if let ClaimQuery::Mean(_) = question.asked {
            question.programs()?;
        }
        Ok(question)
    }

    /// Who plays for each of the players.
    ///
    /// # Errors
    /// Tells what is no such player, or one whose games cannot be played again.
    pub fn programs(&self) -> Result<Vec<PlayerKind>, String> {
        let seats = &self.claim.seats;
        (0..self.game.rules().players.len())
            .map(|player| {
                let own = seats.iter().find(|(of, _)| of.is_some_and(|of| of.index() == player));
                let Some((_, program)) = own.or_else(|| seats.iter().find(|(of, _)| of.is_none())) else { return Ok(DEFAULT_PLAYER) };
                match program.node.parse()? {
                    PlayerKind::Human => Err(String::from("a claim cannot have a human player; name a program, such as `mcts:200it`")),
                    PlayerKind::Time(_) => Err(format!(
                        "games of `{}` cannot be reproduced; give a number of iterations, such as `mcts:200it`",
                        clip(&program.node)
                    )),
                    kind => Ok(kind),
                }
            })
            .collect()
    }

    /// Writes the plies after the opening down, with the opening before them.
    pub fn record(&self, plies: &[crate::engine::game::Move]) -> Record {
        let mut played = self.start.clone();
        // They were played before.
        plies.iter().for_each(|ply| drop(played.play(ply)));
        // Whatever the dice showed is among the plies.
        Record { seed: None, ..Record::of(&played, 0) }
    }
}

/// What an assertion comes to.
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
