//! Results of a plan by batch, and merging of parts.

use super::allowance::limits;
use super::copies::Variety;
use super::game_rows::{
    Ending, ExactValue, GameRow, MirroredGame, Opening, Played, SolvedBoard, StateCount, Tally,
};
use super::levels::LevelTrial;
use super::plan::{Batch, Pairing, Plan};
use super::statistics::{ClusterKey, Clusters, Estimate, Scores, mean_ci};
use crate::syntax::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The results of a plan, complete or partial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    pub plan: Plan,
    /// In order of their indices, without duplicates.
    pub lots: Vec<Played>,
}

/// Why parts cannot be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// They were played by different versions of the program.
    Program,
    /// They were played under different rules.
    Rules,
    /// They have different plans.
    Plan,
    /// They have different results for this batch.
    Batch(usize),
    /// The plan has no such batch, or its results are not possible.
    Strange(usize),
}

impl Results {
    /// Creates empty results.
    pub fn new(plan: Plan) -> Results {
        Results { plan, lots: Vec::new() }
    }

    /// Adds batches, up to the first that is rejected.
    ///
    /// # Errors
    /// Returns [`Mismatch`] if a batch is invalid or contradicts a known one.
    pub fn add(&mut self, played: Vec<Played>) -> Result<(), Mismatch> {
        let lots = self.plan.batches();
        for played in played {
            if !lots.get(played.lot).is_some_and(|lot| is_valid(*lot, &played, &self.plan)) {
                return Err(Mismatch::Strange(played.lot));
            }
            self.enter(played)?;
        }
        Ok(())
    }

    /// Adds a batch that was just played, without validating it.
    ///
    /// # Errors
    /// Returns [`Mismatch::Batch`] if it contradicts a known one.
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

    /// Merges another part.
    ///
    /// # Errors
    /// Returns [`Mismatch`] if the parts do not belong to the same playtest.
    pub fn join(&mut self, other: Results) -> Result<(), Mismatch> {
        if self.plan != other.plan {
            return Err(Mismatch::Plan);
        }
        self.add(other.lots)
    }

    /// Returns for each pairing how many of its games to play, as far as the results so far tell.
    pub fn limits(&self) -> Vec<u64> {
        limits(self)
    }

    /// Returns the doublings of the skill ladder to be played, as far as the time reaches.
    pub fn rungs(&self) -> Vec<usize> {
        let limits = self.limits();
        let pairings = self.plan.pairings.iter().enumerate();
        pairings
            .filter(|(index, pairing)| pairing.rung.is_some() && limits[*index] > 0)
            .map(|(index, _)| index)
            .collect()
    }

    /// Returns the batches still to be played, as far as the results so far tell.
    pub fn missing(&self) -> Vec<(usize, Batch)> {
        let limits = self.limits();
        let lots = self.plan.batches().into_iter().enumerate();
        lots.filter(|(number, lot)| is_within(lot, &limits) && !self.is_known(*number)).collect()
    }

    /// Returns the batches of shard `part` of `of`, from 1, that are still to be played.
    pub fn missing_of(&self, part: usize, of: usize) -> Vec<(usize, Batch)> {
        let lots = self.plan.batches().into_iter().enumerate();
        lots.filter(|(number, _)| number % of == part - 1 && !self.is_known(*number)).collect()
    }

    fn is_known(&self, number: usize) -> bool {
        self.lots.binary_search_by_key(&number, |played| played.lot).is_ok()
    }

    /// Returns the clause at which the rules first hung, in the order of the batches, if they did.
    pub fn hang(&self) -> Option<Span> {
        let (start, end) = self.lots.iter().find_map(|played| played.hang)?;
        Some(Span::new(start, end))
    }

    /// Returns the number of games in which the rules hung.
    pub fn hung_games(&self) -> u64 {
        let tallies = self.lots.iter().flat_map(|played| &played.tallies);
        let tallies = tallies.filter(|tally| tally.ending == Ending::Endless);
        let rows = self.all_rows().filter(|row| row.ending == Ending::Endless).count();
        rows as u64 + tallies.map(|tally| tally.games).sum::<u64>()
    }

    /// Returns the solution of the game itself, if its value is known.
    pub fn solved(&self) -> Option<&SolvedBoard> {
        self.exact().find(|board| board.options.is_empty())
    }

    /// Tests if the value of the game itself is known.
    pub fn is_solved(&self) -> bool {
        self.solved().is_some()
    }

    /// Returns the judged first plies.
    pub fn openings(&self) -> impl Iterator<Item = &Opening> {
        self.lots.iter().flat_map(|played| &played.openings)
    }

    /// Returns the games in which the second player mirrors.
    pub fn mirrored(&self) -> impl Iterator<Item = &MirroredGame> {
        self.lots.iter().flat_map(|played| &played.mirrored)
    }

    /// Returns the steps of the ladder of levels, in their order.
    pub fn levels(&self) -> &[LevelTrial] {
        let all = self.lots.iter().find(|played| !played.levels.is_empty());
        all.map_or(&[], |played| &played.levels)
    }

    /// Returns the boards that were solved, the largest last.
    pub fn exact(&self) -> impl DoubleEndedIterator<Item = &SolvedBoard> {
        self.lots.iter().flat_map(|played| &played.exact)
    }

    /// Returns the number of games played of a pairing.
    pub fn games(&self, pairing: usize) -> u64 {
        self.rows(pairing).count() as u64
            + self.tallies(pairing).iter().map(|tally| tally.games).sum::<u64>()
    }

    /// Returns the recorded games of a pairing.
    pub fn rows(&self, pairing: usize) -> impl Iterator<Item = &GameRow> {
        self.all_rows().filter(move |row| row.pairing == pairing)
    }

    /// Returns all recorded games.
    pub fn all_rows(&self) -> impl Iterator<Item = &GameRow> {
        self.lots.iter().flat_map(|played| &played.rows)
    }

    /// Returns the tallies of a pairing's unrecorded games, merged.
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

    /// Returns the number of reachable positions, if counted.
    pub fn state_count(&self) -> Option<StateCount> {
        self.lots.iter().find_map(|played| played.census)
    }

    /// Returns the challenger's mean score in a pairing.
    pub fn gain(&self, pairing: usize) -> Option<Estimate> {
        let (scores, independent) = self.gains(pairing)?;
        scores.estimate_of_independent(self.plan.players.len(), independent)
    }

    /// Returns the p-value of the test that the challenger scores as much as the others.
    pub fn gain_test(&self, pairing: usize) -> Option<f64> {
        let (scores, independent) = self.gains(pairing)?;
        Some(scores.equality_test(self.plan.players.len(), independent))
    }

    /// Returns the challenger's scores, and the share of the games that is independent.
    fn gains(&self, pairing: usize) -> Option<(Scores, f64)> {
        let described = &self.plan.pairings[pairing];
        let challenger = described.challenger?;
        let players = self.plan.players.len();
        let mut scores = Scores::default();
        let mut clusters = Clusters::default();
        for row in self.rows(pairing) {
            let seats = described.arrangement(row.game);
            let Some(seat) = seats.iter().position(|kind| *kind == challenger) else { continue };
            scores.add(row.ending, seat, players, 1);
            self.add_to(&mut clusters, row, row.ending.score(seat, players));
        }
        let independent = self.variety(pairing).independent * clusters.independent_of_proportion();
        Some((scores, independent))
    }

    /// Returns the p-value of the test that a player scores as much as the others in the finished
    /// games of a pairing.
    pub fn score_test(&self, pairing: usize, player: usize) -> f64 {
        let (scores, independent) = self.score_sample(pairing, player);
        scores.equality_test(self.plan.players.len(), independent)
    }

    /// Returns a player's scores in the finished games of a pairing, and the share of the games
    /// that is independent.
    pub fn score_sample(&self, pairing: usize, player: usize) -> (Scores, f64) {
        let players = self.plan.players.len();
        let independent = self.independent(pairing, &|ending| ending.score(player, players));
        (self.scores(pairing, player), independent)
    }

    /// Returns how many finished games of a pairing are independent: games with the same dice count
    /// as one, and so do games that repeat each other.
    pub fn independent_games(&self, pairing: usize) -> f64 {
        let finished = self.rows(pairing).filter(|row| row.ending.is_finished());
        let clusters: BTreeSet<ClusterKey> = finished
            .map(|row| self.cluster(row).unwrap_or((self.plan.pairings.len(), row.game)))
            .collect();
        let tallies = self.tallies(pairing);
        let light = tallies.iter().filter(|tally| tally.ending.is_finished());
        let light: u64 = light.map(|tally| tally.games).sum();
        (clusters.len() as u64 + light) as f64 * self.variety(pairing).independent
    }

    /// Estimates a player's mean score in the finished games of a pairing.
    pub fn score(&self, pairing: usize, player: usize) -> Option<Estimate> {
        let (scores, independent) = self.score_sample(pairing, player);
        scores.estimate_of_independent(self.plan.players.len(), independent)
    }

    /// Estimates the proportion of the games of a pairing for whose endings `so` holds; games where
    /// `so` returns `None` are left out.
    pub fn proportion(
        &self,
        pairing: usize,
        so: impl Fn(Ending) -> Option<bool>,
    ) -> Option<Estimate> {
        let (scores, independent) = self.proportion_sample(pairing, so);
        scores.estimate_of_independent(2, independent)
    }

    /// As [`proportion`](Self::proportion), but returns scores and their independent share.
    pub fn proportion_sample(
        &self,
        pairing: usize,
        so: impl Fn(Ending) -> Option<bool>,
    ) -> (Scores, f64) {
        let endings = self.rows(pairing).map(|row| (row.ending, 1));
        let tallies = self.tallies(pairing);
        let endings = endings.chain(tallies.iter().map(|tally| (tally.ending, tally.games)));
        let answers = endings.filter_map(|(ending, games)| Some((so(ending)?, games)));
        let (so_many, of) = answers.fold((0, 0), |(so_many, of), (so, games)| {
            (so_many + if so { games } else { 0 }, of + games)
        });
        let independent = self.independent(pairing, &|ending| so(ending).map(f64::from));
        (Scores::of_proportion(so_many, of), independent)
    }

    /// Estimates a proportion of things, such as plies, in the recorded games of a pairing. `so`
    /// counts the things of a game for which it holds, and all of them, which are a cluster.
    pub fn proportion_in(
        &self,
        pairing: usize,
        so: impl Fn(&GameRow) -> (u64, u64),
    ) -> Option<Estimate> {
        let (scores, independent) = self.proportion_in_sample(pairing, so);
        scores.estimate_of_independent(2, independent)
    }

    /// As [`proportion_in`](Self::proportion_in), but returns scores and their independent share.
    pub fn proportion_in_sample(
        &self,
        pairing: usize,
        so: impl Fn(&GameRow) -> (u64, u64),
    ) -> (Scores, f64) {
        let (mut so_many, mut of) = (0, 0);
        let mut clusters = Clusters::default();
        for row in self.rows(pairing) {
            let (own, own_of) = so(row);
            let key = self.cluster(row).or(Some((pairing, row.game)));
            clusters.add(1.0, own, key);
            clusters.add(0.0, own_of - own, key);
            (so_many, of) = (so_many + own, of + own_of);
        }
        let independent = self.variety(pairing).independent * clusters.independent_of_proportion();
        (Scores::of_proportion(so_many, of), independent)
    }

    /// Returns the share of the games of a pairing that counts as independent for the mean of a
    /// value of their endings.
    fn independent(&self, pairing: usize, value: &dyn Fn(Ending) -> Option<f64>) -> f64 {
        let mut clusters = Clusters::default();
        self.rows(pairing).for_each(|row| self.add_to(&mut clusters, row, value(row.ending)));
        for tally in self.tallies(pairing) {
            value(tally.ending).iter().for_each(|&value| clusters.add(value, tally.games, None));
        }
        self.variety(pairing).independent * clusters.independent_of_proportion()
    }

    /// Adds the value of a recorded game, if it has one.
    pub fn add_to(&self, clusters: &mut Clusters, row: &GameRow, value: Option<f64>) {
        value.iter().for_each(|&value| clusters.add(value, 1, self.cluster(row)));
    }

    /// Returns the cluster of the games that share the dice of a game; `None` without dice.
    pub fn cluster(&self, row: &GameRow) -> Option<ClusterKey> {
        let pairing = self.plan.pairings.get(row.pairing).filter(|_| row.is_rolled())?;
        Some((row.pairing, row.game - row.game % pairing.group))
    }

    /// Estimates the mean of a value over the recorded games of a pairing that have one.
    pub fn mean(
        &self,
        pairing: usize,
        value: impl Fn(&GameRow) -> Option<f64>,
    ) -> Option<Estimate> {
        let (rows, values): (Vec<&GameRow>, Vec<f64>) =
            self.rows(pairing).filter_map(|row| Some((row, value(row)?))).unzip();
        let mut clusters = Clusters::default();
        rows.iter()
            .zip(&values)
            .for_each(|(row, &value)| self.add_to(&mut clusters, row, Some(value)));
        let independent =
            Variety::of(&self.plan, rows.into_iter()).independent * clusters.independent_of_mean();
        mean_ci(&values).map(|estimate| estimate.of_independent(independent))
    }

    /// Returns a player's wins, draws and losses over all finished games of a pairing.
    pub fn scores(&self, pairing: usize, player: usize) -> Scores {
        let mut scores = Scores::default();
        let players = self.plan.players.len();
        self.rows(pairing).for_each(|row| scores.add(row.ending, player, players, 1));
        self.tallies(pairing)
            .iter()
            .for_each(|tally| scores.add(tally.ending, player, players, tally.games));
        scores
    }

    /// Returns the pairings with at least one game played, with their indices.
    pub fn pairings(&self) -> Vec<(usize, &Pairing)> {
        self.plan.pairings.iter().enumerate().filter(|(index, _)| self.games(*index) > 0).collect()
    }

    /// Returns the strongest tree searches that play each other as equals, or else the last pairing
    /// without a challenger, with its index. `None` if there are no such games.
    pub fn strongest_equals(&self) -> Option<(usize, &Pairing)> {
        let strongest = self.plan.ladder().last().copied();
        let is_strongest = |pairing: &Pairing| {
            pairing.is_even()
                && strongest.is_some()
                && pairing.seats[0].first().copied() == strongest
        };
        let pairings = self.pairings().into_iter();
        let mut equals = pairings.filter(|(_, pairing)| pairing.challenger.is_none());
        let found = equals.clone().find(|(_, pairing)| is_strongest(pairing));
        found.or_else(|| equals.next_back())
    }
}

/// Tests if a batch is within the games to be played.
fn is_within(lot: &Batch, limits: &[u64]) -> bool {
    match *lot {
        Batch::Written { pairing, first, .. } | Batch::Light { pairing, first, .. } => {
            limits.get(pairing).is_some_and(|limit| first < *limit)
        }
        Batch::Census | Batch::Openings | Batch::Mirrored | Batch::Exact | Batch::Levels => true,
    }
}

impl Scores {
    /// Adds games with this ending, for one of `players` players; unfinished games do not count.
    pub fn add(&mut self, ending: Ending, player: usize, players: usize, games: u64) {
        match ending {
            Ending::Win(winner) if usize::from(winner) == player => self.wins += games,
            Ending::Win(_) => self.losses += games,
            Ending::Draw => self.draws += games,
            Ending::Shared(among) => self.add_shared(among, player, players, games),
            Ending::TooLong | Ending::Circling | Ending::Endless => {}
        }
    }
}

/// Validates the results of a batch read from a file, so that later code can rely on them.
fn is_valid(lot: Batch, played: &Played, plan: &Plan) -> bool {
    let players = plan.players.len();
    let ending = |ending: Ending| {
        !matches!(ending, Ending::Win(winner) if usize::from(winner) >= players)
            && !matches!(ending, Ending::Shared(among) if u16::from(among) >> players != 0)
    };
    let empty = Played { effort: played.effort, ..Played::empty(played.lot) };
    let is_plain = played.openings.is_empty()
        && played.mirrored.is_empty()
        && played.exact.is_empty()
        && played.levels.is_empty();
    match lot {
        Batch::Openings => {
            let own = |opening: &Opening| opening.chances.len() == players;
            let others = Played { openings: Vec::new(), ..played.clone() };
            others == empty && played.openings.iter().all(own)
        }
        Batch::Mirrored => {
            let own = |game: &MirroredGame| game.images <= game.replies && ending(game.ending);
            let others = Played { mirrored: Vec::new(), ..played.clone() };
            others == empty
                && played.mirrored.len() as u64 <= plan.mirrored
                && played.mirrored.iter().all(own)
        }
        Batch::Exact => {
            let own = |board: &SolvedBoard| {
                let player = |value| !matches!(value, ExactValue::Win(winner) if usize::from(winner) >= players);
                player(board.value) && board.games.iter().all(|games| games.wins.len() == players)
            };
            let others = Played { exact: Vec::new(), ..played.clone() };
            others == empty && played.exact.iter().all(own)
        }
        Batch::Levels => {
            let own = |trial: &LevelTrial| {
                let decided = trial.wins.checked_add(trial.draws);
                trial.against < trial.iterations && decided.is_some_and(|own| own <= trial.games)
            };
            let others = Played { levels: Vec::new(), ..played.clone() };
            others == empty && players == 2 && played.levels.iter().all(own)
        }
        _ if !is_plain => false,
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
                    && row.late.blunders <= row.late.plies
                    && row.puzzles.iter().all(|own| (own.made as usize) < row.plies.len())
                    && matches!(row.fingerprint.len(), 0 | 16)
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
