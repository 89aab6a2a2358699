//! Regions, directions and players that are the same in every position.

use super::scope::{Meaning, Scope};
use crate::board::{Direction, Site};
use crate::language::board_expressions::{BoardValue, Evaluator, Variables};
use crate::language::rules::{Directions, Local, PlayerOf, Rules, Sites};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Limit on the work for one expression.
const MAX_WORK: u32 = 1 << 16;

/// The rules, for the evaluator of what depends on the board alone.
#[derive(Clone, Copy)]
pub struct Constants<'r> {
    pub rules: &'r Rules,
    /// Whether sites can be cut out in play.
    pub cuts: bool,
}

impl<'r> Constants<'r> {
    /// Returns the sites of a constant region.
    pub fn sites(self, sites: &'r Sites, scope: &Scope<'r>) -> Option<BTreeSet<Site>> {
        self.evaluated(scope, |evaluator, variables| evaluator.sites(sites, variables))
            .map(|sites| sites.iter().collect())
    }

    /// Returns constant directions.
    pub fn directions(self, all: &'r Directions, scope: &Scope<'r>) -> Option<Vec<Direction>> {
        self.evaluated(scope, |evaluator, variables| evaluator.directions(all, variables))
    }

    /// Returns the index of a constant player.
    pub fn player(self, player: &'r PlayerOf, scope: &Scope<'r>) -> Option<usize> {
        self.evaluated(scope, |evaluator, variables| evaluator.player(player, variables))
            .map(|player| player.index())
    }

    fn evaluated<T>(
        self,
        scope: &Scope<'r>,
        evaluate: impl FnOnce(&Evaluator, &Variables) -> Option<T>,
    ) -> Option<T> {
        let players = self.rules.players.len() as u16;
        let evaluator = Evaluator {
            board: &self.rules.board,
            definition: &|id| self.rules.definitions.get(id.index()),
            players: if self.rules.drop_outs.is_some() { 0 } else { players },
            mover: None,
            cuts: self.cuts,
            fuel: &Cell::new(MAX_WORK),
        };
        evaluate(&evaluator, &Variables::Outer(&|local| bound(local, scope, &evaluator)))
    }
}

/// Returns what a variable stands for, if it is constant.
fn bound(local: Local, scope: &Scope, evaluator: &Evaluator) -> Option<BoardValue> {
    match scope.get(local)? {
        Meaning::Any(_) | Meaning::Back(_) => None,
        Meaning::Given(value, outer) => {
            evaluator.value(value, &Variables::Outer(&|local| bound(local, outer, evaluator)))
        }
    }
}
