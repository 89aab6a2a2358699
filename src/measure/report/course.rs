//! The course of games: length, branching, positions and sites.

use super::{Heat, Measure, Unit};
use crate::engine::game::Game;
use crate::measure::game_rows::{GameRow, StateCount};
use crate::measure::results::Results;
use crate::measure::statistics::{
    ClusterKey, Clusters, Estimate, chao1, quantile_ci_of_independent, weighted_mean_ci,
};
use crate::render::plot::{Plot, Series, Shape};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The key of the length in minutes.
pub const MINUTES: &str = "minutes";

/// The most bars of a histogram.
const BARS: usize = 40;

/// Computes the measures.
pub fn measures(results: &Results) -> Vec<Measure> {
    vec![
        plies(results),
        turns(results),
        minutes(results),
        branching(results),
        forced(results),
        tree(results),
        states(results),
        repetition(results),
        sites(results),
    ]
}

/// Returns the pairings without a challenger, with their names.
fn even(results: &Results) -> Vec<(usize, String)> {
    let even = results.pairings().into_iter().filter(|(_, pairing)| pairing.challenger.is_none());
    even.map(|(index, pairing)| (index, pairing.name(&results.plan.players))).collect()
}

fn plies(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "plies",
        "Length in plies",
        "The number of plies in a game, rolls included; unfinished games are left out. Nine games in ten lie between the 5 % and the 95 % quantile. Interval of the mean: Student's t; of the quantiles: \
         order statistics, and open where there are too few games.",
    );
    for (index, name) in even(results) {
        let rows = results
            .rows(index)
            .filter(|row| row.ending.is_finished())
            .map(|row| (row.plies.len() as u32, 1, results.cluster(row)));
        let tallies = results.tallies(index);
        let light = tallies
            .iter()
            .filter(|tally| tally.ending.is_finished())
            .map(|tally| (tally.plies, tally.games, None));
        let independent = results.variety(index).independent;
        add_distribution(&mut measure, &name, "plies", rows.chain(light), independent);
    }
    measure
}

fn turns(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "turns",
        "Length in turns",
        "The number of turns in a game; a turn is all consecutive plies of one player. Only recorded games count. Intervals as for plies.",
    );
    for (index, name) in even(results) {
        let lengths = results
            .rows(index)
            .filter(|row| row.ending.is_finished())
            .map(|row| (row.turns() as u32, 1, results.cluster(row)));
        let independent = results.variety(index).independent;
        add_distribution(&mut measure, &name, "turns", lengths, independent);
    }
    measure
}

/// Computes the length of games in minutes.
fn minutes(results: &Results) -> Measure {
    let pace = results.plan.pace as f64 / 1e3;
    let mut measure = Measure::new(
        MINUTES,
        "Length in minutes",
        format!(
            "The length of a game if a player takes {} for each ply; rolls take no time. Only recorded games that were finished count. Intervals as for plies.",
            duration(pace)
        ),
    );
    for (index, name) in even(results) {
        let lengths = results.rows(index).filter(|row| row.ending.is_finished()).map(|row| {
            let plies = row.movers.iter().filter(|mover| **mover >= 0).count();
            (plies as u32, 1, results.cluster(row))
        });
        let independent = results.variety(index).independent;
        add_distribution(&mut measure, &name, "plies", lengths, independent);
    }
    // The histogram of plies shows the same.
    measure.plots.clear();
    for figure in &mut measure.figures {
        figure.estimate = figure.estimate.scaled(pace / 60.0);
    }
    measure
}

/// Formats seconds: `30 s`, `2.5 min`.
pub fn duration(seconds: f64) -> String {
    let digits = |value: f64| match (value * 10.0).round() / 10.0 {
        whole if whole.fract() == 0.0 => format!("{whole:.0}"),
        broken => format!("{broken:.1}"),
    };
    match seconds {
        short if short < 1.0 => format!("{:.0} ms", short * 1e3),
        short if short < 120.0 => format!("{} s", digits(short)),
        long => format!("{} min", digits(long / 60.0)),
    }
}

/// Adds the mean, the quantiles and a histogram of lengths, each given with its frequency and
/// cluster. `independent` is the share of the games that are not copies.
fn add_distribution(
    measure: &mut Measure,
    who: &str,
    across: &str,
    lengths: impl Iterator<Item = (u32, u64, Option<ClusterKey>)>,
    independent: f64,
) {
    let of = "games";
    let lengths: Vec<(u32, u64, Option<ClusterKey>)> = lengths.collect();
    let clusters = |value: &dyn Fn(f64) -> f64| {
        let mut clusters = Clusters::default();
        for &(length, count, cluster) in &lengths {
            clusters.add(value(f64::from(length)), count, cluster);
        }
        clusters
    };
    let mut games: BTreeMap<u32, u64> = BTreeMap::new();
    lengths.iter().for_each(|(length, count, _)| *games.entry(*length).or_default() += count);
    let values: Vec<(f64, u64)> =
        games.into_iter().map(|(length, count)| (f64::from(length), count)).collect();
    let mean = weighted_mean_ci(&values).map(|mean| {
        mean.of_independent(independent * clusters(&|length| length).independent_of_mean())
    });
    measure.add("mean", who, Unit::Number, of, mean);
    for (what, part) in [("median", 0.5), ("5 %", 0.05), ("95 %", 0.95)] {
        let up_to = |most: f64| clusters(&|length| f64::from(u8::from(length <= most)));
        let quantile = quantile_ci_of_independent(&values, part, |value| {
            independent * up_to(value).independent_of_proportion()
        });
        measure.add(what, who, Unit::Number, of, quantile);
    }
    if let (Some(&(least, _)), Some(&(most, _))) = (values.first(), values.last()) {
        let width = ((most - least + 1.0) / BARS as f64).ceil().max(1.0);
        let mut heights = vec![0.0; ((most - least) / width) as usize + 1];
        values.iter().for_each(|(value, count)| {
            heights[((value - least) / width) as usize] += *count as f64
        });
        let shape = Shape::Histogram { from: least, width, heights };
        measure.plots.push(Plot {
            title: who.to_owned(),
            across: across.to_owned(),
            up: of.to_owned(),
            shape,
        });
    }
}

/// Returns the index of each ply of a player with the number of legal plies.
fn choices(row: &GameRow) -> impl Iterator<Item = (usize, u32)> + '_ {
    let players =
        row.movers.iter().zip(&row.legal).enumerate().filter(|(_, (mover, _))| **mover >= 0);
    players.map(|(ply, (_, &legal))| (ply, legal))
}

fn branching(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "branching",
        "Choice",
        "The number of legal plies that a player can choose from: the mean over a game, averaged over all recorded games. Rolls do not count. Interval: Student's t.",
    );
    let mut lines = Vec::new();
    for (index, name) in even(results) {
        let mut by_ply: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for (ply, legal) in results.rows(index).flat_map(choices) {
            let place = by_ply.entry(ply).or_default();
            *place = (place.0 + u64::from(legal), place.1 + 1);
        }
        let mean = results.mean(index, |row| {
            let plies = choices(row).count();
            let sum: u64 = choices(row).map(|(_, legal)| u64::from(legal)).sum();
            (plies > 0).then(|| sum as f64 / plies as f64)
        });
        measure.add("", &name, Unit::Number, "games", mean);
        // The mean over the few longest games is not representative.
        let enough = mean.map_or(0, |mean| mean.sample).div_ceil(10);
        let points = by_ply.into_iter().filter(|(_, (_, games))| *games >= enough);
        let points: Vec<(f64, f64)> = points
            .map(|(ply, (sum, games))| (ply as f64 + 1.0, sum as f64 / games as f64))
            .collect();
        if points.len() > 1 {
            lines.push(Series { name, points });
        }
    }
    if !lines.is_empty() {
        measure.plots.push(Plot {
            title: "Choice in the course of the game".into(),
            across: "ply".into(),
            up: "legal plies".into(),
            shape: Shape::Lines(lines),
        });
    }
    measure
}

fn forced(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "forced",
        "Forced plies",
        "The share of a player's plies at which only one ply is legal. Interval: Student's t, over the recorded games.",
    );
    for (index, name) in even(results) {
        let share = results.mean(index, |row| {
            let plies = choices(row).count();
            let forced = choices(row).filter(|(_, legal)| *legal == 1).count();
            (plies > 0).then(|| forced as f64 / plies as f64)
        });
        measure.add("", &name, Unit::Share, "games", share.map(within_shares));
    }
    measure
}

/// Clips an interval to `[0, 1]`.
pub fn within_shares(estimate: Estimate) -> Estimate {
    Estimate { low: estimate.low.max(0.0), high: estimate.high.min(1.0), ..estimate }
}

fn tree(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "game-tree",
        "Size of the game tree",
        "The number of legal plies, multiplied along a game from its first ply to its end, rolls included: the mean of the decimal logarithms, so that 30 means about \
         10^30 games. Interval: Student's t, over the recorded games.",
    );
    for (index, name) in even(results) {
        let size = results.mean(index, |row| {
            let size = || row.legal.iter().map(|&legal| f64::from(legal).log10()).sum();
            row.ending.is_finished().then(size)
        });
        measure.add("", &name, Unit::PowerOfTen, "games", size);
    }
    measure
}

fn states(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "states",
        "Positions",
        "The number of different positions: pieces, memories and the player to act. Seen: in all recorded games of all players. At least: \
         Chao's lower bound (Chao1), from the numbers seen once and twice; positions of one game are not independent samples, so this bound is rough. Exactly: by enumeration, \
         where that takes little time.",
    );
    let mut often: HashMap<u64, u64> = HashMap::new();
    let mut all = 0;
    for hash in results.all_rows().flat_map(GameRow::hashes) {
        *often.entry(hash).or_default() += 1;
        all += 1;
    }
    let times = |times: u64| often.values().filter(|&&count| count == times).count() as u64;
    if all > 0 {
        let seen = Estimate::count(often.len() as f64, all);
        measure.add("seen", "", Unit::Count, "positions", Some(seen));
        let found = chao1(often.len() as u64, times(1), times(2));
        let bound = Estimate {
            low: found.low,
            high: found.high,
            error: (found.high - found.low) / 3.92,
            ..Estimate::count(found.least, all)
        };
        measure.add("at least", "", Unit::Count, "positions", Some(bound));
    }
    match results.state_count() {
        Some(StateCount::Exactly(count)) => {
            let exact = Estimate::count(count as f64, count);
            measure.add("exactly", "", Unit::Count, "positions", Some(exact));
        }
        Some(StateCount::Many) => {
            measure.notes.push("There are too many to count exactly.".to_owned())
        }
        None => {}
    }
    measure
}

fn repetition(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "repetition",
        "Repetition",
        "The share of recorded games in which a position repeated, and the share of plies that led to an earlier position. Interval of the first: Wilson's; of the \
         second: Student's t.",
    );
    for (index, name) in even(results) {
        let share = results.proportion_in(index, |row| (u64::from(row.repeated() > 0), 1));
        measure.add("games", &name, Unit::Share, "games", share);
        if share.is_some_and(|share| share.value > 0.0) {
            let part = |row: &GameRow| row.repeated() as f64 / row.plies.len().max(1) as f64;
            let share = results.mean(index, |row| Some(part(row)));
            measure.add("plies", &name, Unit::Share, "games", share.map(within_shares));
        }
    }
    measure
}

fn sites(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "sites",
        "Use of the board",
        "The share of the board's sites that are chosen at least once in a game. Interval: Student's t, over the recorded games.",
    );
    let sites = results.plan.sites;
    for (index, name) in even(results).into_iter().filter(|_| sites > 0) {
        let share = results.mean(index, |row| {
            let chosen: HashSet<&u16> = row.sites.iter().collect();
            Some(chosen.len() as f64 / sites as f64)
        });
        measure.add("", &name, Unit::Share, "games", share.map(within_shares));
    }
    measure
}

/// Returns how often each site was chosen, for each pairing.
pub fn heat(results: &Results, game: &Game) -> Vec<Heat> {
    let board = &game.rules().board;
    let mut maps = Vec::new();
    for (index, who) in even(results) {
        let mut counts = vec![0.0; board.slots()];
        let mut all = 0.0;
        for &site in results.rows(index).flat_map(|row| &row.sites) {
            if let Some(count) = counts.get_mut(usize::from(site)) {
                *count += 1.0;
                all += 1.0;
            }
        }
        if all > 0.0 {
            let sites: Vec<f64> = counts.iter().map(|count| count / all).collect();
            let named = board
                .sites()
                .map(|site| (board.label(site).to_owned(), sites[site.index()]))
                .collect();
            maps.push(Heat { who, sites, named });
        }
    }
    maps
}
