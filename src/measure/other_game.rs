//! A second game for a comparison, played by the players of a playtest: another game, or the same
//! game without one of its rules.

use super::compared::common_players;
use super::cost_model::CostModel;
use super::plan::Plan;
use super::report::Report;
use super::results::Results;
use crate::engine::game::{Game, State};
use crate::language::sources::Sources;

/// A game that is to be played for a comparison.
pub struct OtherGame {
    pub game: Game,
    pub sources: Sources,
    /// The first position.
    pub start: State,
    pub effort: CostModel,
    /// The plan, with the games that were played.
    pub results: Results,
}

/// The reason why a game cannot be compared with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomparable {
    /// The game is over before its first ply.
    Over,
    /// The same players do not meet as equals in both games.
    Players,
}

impl OtherGame {
    /// Plans games from `start` on between the players who meet as equals in the plan `own`, as
    /// many games as there. The seed must differ from the seed of `own`, so that games are
    /// independent.
    ///
    /// # Errors
    /// Returns [`Incomparable`] if the game is over, or no such players can play it.
    pub fn planned(
        start: State,
        sources: Sources,
        effort: CostModel,
        own: &Plan,
        seed: u64,
    ) -> Result<OtherGame, Incomparable> {
        if start.outcome().is_some() {
            return Err(Incomparable::Over);
        }
        let plan = own.for_comparison(&start, &sources, &effort, seed);
        let plan = plan.filter(|plan| !common_players(own, plan).is_empty());
        let results = Results::new(plan.ok_or(Incomparable::Players)?);
        Ok(OtherGame { game: start.game().clone(), sources, start, effort, results })
    }

    /// Estimates the processor time that its games take, in seconds.
    pub fn seconds(&self) -> f64 {
        self.effort.seconds(&self.results.plan)
    }

    /// Reports its games.
    pub fn report(&self) -> Report<'_> {
        Report::new(&self.game, &self.sources, &self.results)
    }
}
