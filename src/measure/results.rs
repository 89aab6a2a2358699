//! What was played of a plan, lot by lot, and putting parts together.
//!
//! In: what came of lots, in any order. Out: the same in the order of the plan. It refuses to know
//! what the figures are.

use super::game_rows::{Ending, GameRow, Played, StateCount, Tally};
use super::plan::{Batch, Pairing, Plan};
use super::statistics::{Estimate, Scores};
use serde::{Deserialize, Serialize};

/// What was played of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    pub plan: Plan,
    /// In the order of their numbers, each once.
    pub lots: Vec<Played>,
}

/// Why parts cannot be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// They are of different plans.
    Plan,
    /// They have the same lot, and not the same of it.
    Batch(usize),
    /// One has a lot that its plan has not, or what it says came of one is not what that lot is
    /// about.
    Strange(usize),
}

impl Results {
    /// Begins with nothing.
    pub fn new(plan: Plan) -> Results {
        Results { plan, lots: Vec::new() }
    }

    /// Takes what came of lots, up to the first that does not suit.
    ///
    /// # Errors
    /// Tells if the plan has no such lot, or something else is known of it.
    pub fn add(&mut self, played: Vec<Played>) -> Result<(), Mismatch> {
        let lots = self.plan.batches();
        for played in played {
            if !lots.get(played.lot).is_some_and(|lot| suits(*lot, &played, &self.plan)) {
                return Err(Mismatch::Strange(played.lot));
            }
            self.enter(played)?;
        }
        Ok(())
    }

    /// Takes what came of a lot of this plan that was played just now.
    ///
    /// # Errors
    /// Tells if something else is known of it.
    pub fn enter(&mut self, played: Played) -> Result<(), Mismatch> {
        match self.lots.binary_search_by_key(&played.lot, |other| other.lot) {
            Ok(at) if self.lots[at] == played => Ok(()),
            Ok(_) => Err(Mismatch::Batch(played.lot)),
            Err(at) => {
                self.lots.insert(at, played);
                Ok(())
            }
        }
    }

    /// Takes all that another part has.
    ///
    /// # Errors
    /// Tells why the parts are not of one playtest.
    pub fn join(&mut self, other: Results) -> Result<(), Mismatch> {
        if self.plan != other.plan {
            return Err(Mismatch::Plan);
        }
        self.add(other.lots)
    }

    /// The rungs of the skill ladder that are to be played, in order: each until the gain is no
    /// longer significant.
    pub fn rungs(&self) -> Vec<usize> {
        let all = (0..)
            .zip(&self.plan.pairings)
            .filter(|(_, pairing)| pairing.rung.is_some())
            .map(|(index, _)| index);
        let mut rungs = Vec::new();
        for index in all {
            rungs.push(index);
            // Whoever has not played all of it cannot tell.
            let is_played = self.games(index) == self.plan.pairings[index].games;
            if is_played
                && !self
                    .gain(index)
                    .is_some_and(|gain| gain.low > 1.0 / self.plan.players.len() as f64)
            {
                break;
            }
        }
        rungs
    }

    /// Leaves out what was played of the ladder beyond where it ends. Parts that were played
    /// without knowing of each other come to the same then.
    pub fn settle(&mut self) {
        let rungs = self.rungs();
        let pairings = &self.plan.pairings;
        let wanted = |lot: &Batch| {
            lot.pairing()
                .is_none_or(|index| pairings[index].rung.is_none() || rungs.contains(&index))
        };
        let lots = self.plan.batches();
        self.lots.retain(|played| lots.get(played.lot).is_some_and(wanted));
    }

    /// The lots that are still to be played, as far as that is known by now.
    pub fn missing(&self) -> Vec<(usize, Batch)> {
        let rungs = self.rungs();
        let is_known =
            |number: usize| self.lots.binary_search_by_key(&number, |played| played.lot).is_ok();
        let wanted = |lot: &Batch| {
            lot.pairing().is_none_or(|index| {
                self.plan.pairings[index].rung.is_none() || rungs.contains(&index)
            })
        };
        self.plan
            .batches()
            .into_iter()
            .enumerate()
            .filter(|(number, lot)| wanted(lot) && !is_known(*number))
            .collect()
    }

    /// How many games of a pairing were played.
    pub fn games(&self, pairing: usize) -> u64 {
        self.rows(pairing).count() as u64
            + self.tallies(pairing).iter().map(|tally| tally.games).sum::<u64>()
    }

    /// The games of a pairing that were written down.
    pub fn rows(&self, pairing: usize) -> impl Iterator<Item = &GameRow> {
        self.all_rows().filter(move |row| row.pairing == pairing)
    }

    /// All games that were written down.
    pub fn all_rows(&self) -> impl Iterator<Item = &GameRow> {
        self.lots.iter().flat_map(|played| &played.rows)
    }

    /// How all games of a pairing ended and how long they were, those that were not written down
    /// only; the same ones together.
    pub fn tallies(&self, pairing: usize) -> Vec<Tally> {
        let lots = self.plan.batches();
        let own = self.lots.iter().filter(|played| {
            !played.tallies.is_empty() && lots[played.lot].pairing() == Some(pairing)
        });
        let mut sums = std::collections::BTreeMap::<(Ending, u32), u64>::new();
        own.flat_map(|played| &played.tallies)
            .for_each(|tally| *sums.entry((tally.ending, tally.plies)).or_default() += tally.games);
        sums.into_iter().map(|((ending, plies), games)| Tally { ending, plies, games }).collect()
    }

    /// How many positions there are, if somebody has counted.
    pub fn state_count(&self) -> Option<StateCount> {
        self.lots.iter().find_map(|played| played.census)
    }

    /// The challenger's score in a pairing.
    pub fn gain(&self, pairing: usize) -> Option<Estimate> {
        let described = &self.plan.pairings[pairing];
        let challenger = described.challenger?;
        let mut scores = Scores::default();
        for row in self.rows(pairing) {
            let Some(seat) =
                described.arrangement(row.game).iter().position(|kind| *kind == challenger)
            else {
                continue;
            };
            count(&mut scores, row.ending, seat, 1);
        }
        scores.estimate(self.plan.players.len())
    }

    /// The results of the player with that index, by all games of a pairing that ended.
    pub fn scores(&self, pairing: usize, player: usize) -> Scores {
        let mut scores = Scores::default();
        self.rows(pairing).for_each(|row| count(&mut scores, row.ending, player, 1));
        self.tallies(pairing)
            .iter()
            .for_each(|tally| count(&mut scores, tally.ending, player, tally.games));
        scores
    }

    /// The pairings of which something was played, with their numbers.
    pub fn pairings(&self) -> Vec<(usize, &Pairing)> {
        self.plan.pairings.iter().enumerate().filter(|(index, _)| self.games(*index) > 0).collect()
    }
}

fn count(scores: &mut Scores, ending: Ending, player: usize, games: u64) {
    match ending {
        Ending::Win(winner) if usize::from(winner) == player => scores.wins += games,
        Ending::Win(_) => scores.losses += games,
        Ending::Draw => scores.draws += games,
        Ending::TooLong | Ending::Circling | Ending::Endless => {}
    }
}

/// Tests if that can have come of a lot: whoever reads it need not fear what it says.
fn suits(lot: Batch, played: &Played, plan: &Plan) -> bool {
    let players = plan.players.len();
    let ending =
        |ending: Ending| !matches!(ending, Ending::Win(winner) if usize::from(winner) >= players);
    match lot {
        Batch::Census => {
            played.rows.is_empty() && played.tallies.is_empty() && played.census.is_some()
        }
        Batch::Written { pairing, first, games } => {
            let own = |(row, game): (&GameRow, u64)| {
                row.pairing == pairing
                    && row.game == game
                    && ending(row.ending)
                    && row.movers.len() == row.plies.len()
                    && row.legal.len() == row.plies.len()
                    && row.movers.iter().all(|&mover| (-1..players as i32).contains(&mover))
                    && row.states.len() == 16 * (row.plies.len() + 1)
                    && row.hashes().count() == row.plies.len() + 1
                    && row.chances.iter().all(|chances| {
                        chances.len() == players + 1 && (chances[0] as usize) < row.plies.len()
                    })
            };
            played.census.is_none()
                && played.tallies.is_empty()
                && played.rows.len() as u64 == games
                && played.rows.iter().zip(first..).all(own)
        }
        Batch::Light { games, .. } => {
            let sum =
                played.tallies.iter().try_fold(0_u64, |sum, tally| sum.checked_add(tally.games));
            played.census.is_none()
                && played.rows.is_empty()
                && sum == Some(games)
                && played.tallies.iter().all(|tally| ending(tally.ending))
        }
    }
}
