//! Results: seats, strengths, draws, unfinished games, and the influence of the dice.

use super::{Measure, Unit};
use crate::engine::game::Game;
use crate::engine::position::Outcome;
use crate::language::rules::PlayerId;
use crate::measure::game_rows::{Ending, GameRow};
use crate::measure::results::Results;
use crate::measure::statistics::{Estimate, intraclass_ci};
use crate::render::plot::{Interval, Plot, Shape};
use std::collections::{BTreeMap, BTreeSet};

/// Computes the measures.
pub fn measures(results: &Results, game: &Game) -> Vec<Measure> {
    let has_chance = game.decisions().iter().any(|decision| decision.mover.is_none());
    let mut measures = vec![
        seats(results),
        draws(results),
        unfinished(results),
        strengths(results),
        ladder(results),
    ];
    if has_chance {
        measures.push(chance(results));
    }
    measures
}

fn seats(results: &Results) -> Measure {
    let players = &results.plan.players;
    let even = 100.0 / players.len().max(1) as f64;
    let doc = match players.len() {
        1 => String::from(
            "The score of the player, for each pairing: a win counts 1, any other end 0. Unfinished games are left out. Interval: Wilson's.",
        ),
        _ => format!(
            "The score of each player of the game, for each pairing: a win counts 1, a draw is divided equally. Between equal players, \
             {even:.0} % each is balanced. Unfinished games are left out. Interval: Wilson's, with the variance of the scores where there are draws."
        ),
    };
    let mut measure = Measure::new("seat-advantage", "Seat advantage", doc);
    let all = results.pairings();
    for (index, pairing) in all.iter().filter(|(_, pairing)| pairing.challenger.is_none()) {
        for (seat, player) in players.iter().enumerate() {
            measure.add(
                player,
                &pairing.name(players),
                Unit::Share,
                "games",
                results.score(*index, seat),
            );
        }
    }
    let first: Vec<Interval> = measure
        .figures
        .iter()
        .filter(|figure| Some(&figure.what) == players.first())
        .map(|figure| point(&figure.who, &figure.estimate))
        .collect();
    if let Some(player) = players.first().filter(|_| first.len() > 1) {
        let shape = Shape::Intervals { neutral: even, points: first };
        measure.plots.push(Plot {
            title: format!("Score of {player}"),
            across: "players, each against itself".into(),
            up: "%".into(),
            shape,
        });
    }
    measure
}

fn point(name: &str, estimate: &Estimate) -> Interval {
    let hundredths = estimate.scaled(100.0);
    let name =
        name.split(" against ").next().unwrap_or(name).trim_start_matches("mcts:").to_owned();
    Interval { name, value: hundredths.value, low: hundredths.low, high: hundredths.high }
}

fn draws(results: &Results) -> Measure {
    let (title, doc) = match results.plan.players.len() {
        1 => ("Lost games", "The share of finished games without a win. Interval: Wilson's."),
        _ => ("Draws", "The share of draws among finished games. Interval: Wilson's."),
    };
    let mut measure = Measure::new("draws", title, doc);
    for (index, pairing) in results.pairings() {
        let name = pairing.name(&results.plan.players);
        measure.add("", &name, Unit::Share, "games", results.proportion(index, is_drawn));
    }
    measure
}

/// Tests if a finished game is a draw; for the first player, a result that others share is a loss.
pub fn is_drawn(ending: Ending) -> Option<bool> {
    ending.outcome().map(|over| match over {
        Outcome::Win(_) => false,
        Outcome::Shared(among) => among.contains(PlayerId(0)),
        Outcome::Draw => true,
    })
}

fn unfinished(results: &Results) -> Measure {
    let cap = crate::measure::play::CAP;
    let mut measure = Measure::new(
        "unfinished",
        "Unfinished games",
        format!(
            "The share of games that did not finish, and why: `too long` games were stopped after {cap} plies; so were `circling` games, in which most plies had led to earlier \
             positions; in `endless` games the rules never reached the next ply. For random games that are not recorded, circling is not detected. Interval: Wilson's."
        ),
    );
    for (index, pairing) in results.pairings() {
        let name = pairing.name(&results.plan.players);
        let unfinished = results.proportion(index, |ending| Some(!ending.is_finished()));
        measure.add("", &name, Unit::Share, "games", unfinished);
        let tallies = results.tallies(index);
        let endings = tallies.iter().map(|tally| tally.ending);
        let mut reasons: BTreeSet<Ending> =
            results.rows(index).map(|row| row.ending).chain(endings).collect();
        reasons.retain(|ending| !ending.is_finished());
        for ending in reasons {
            let reason = match ending {
                Ending::Circling => "circling",
                Ending::Endless => "endless",
                _ => "too long",
            };
            let share = results.proportion(index, |own| Some(own == ending));
            measure.add(reason, &name, Unit::Share, "games", share);
        }
    }
    measure
}

fn strengths(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "strength",
        "Strength",
        "The score of the stronger player against the weaker one, over all seatings: how much skill decides. Interval: Wilson's, with the variance of the scores where there are \
         draws.",
    );
    for (index, pairing) in
        results.pairings().into_iter().filter(|(_, pairing)| pairing.rung.is_none())
    {
        measure.add(
            "",
            &pairing.name(&results.plan.players),
            Unit::Share,
            "games",
            results.gain(index),
        );
    }
    measure
}

/// A doubling that gains less than this is said to gain little.
pub const LITTLE: f64 = 0.1;

fn ladder(results: &Results) -> Measure {
    let players = results.plan.players.len();
    let even = 1.0 / players.max(1) as f64;
    let mut measure = Measure::new(
        "skill-ladder",
        "The last doubling",
        format!(
            "The score of the strongest search against one with half as many iterations, over all seatings. While it is significantly more than {:.0} % (the interval lies \
             above it), stronger players may still give other figures. Interval: Wilson's, with the variance of the scores where there are draws.",
            even * 100.0
        ),
    );
    for index in results.rungs().into_iter().filter(|&index| results.games(index) > 0) {
        let name = results.plan.pairings[index].name(&results.plan.players);
        measure.add("", &name, Unit::Share, "games", results.gain(index));
    }
    measure
}

fn chance(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "chance",
        "Chance",
        "The share of the result that the dice alone decide: the intraclass correlation of the first player's score among games with the same dice, \
         over all seatings and with different seeds of the players. 0 % means none of it, 100 % all of it. Luck that depends on earlier plies is not included, so this is a \
         lower bound. A value below 0 % comes from a small sample; read it as 0. Interval: Wilson's, of the variance within the groups of games. In all other intervals of this report, games with the same \
         dice are a cluster.",
    );
    for (index, pairing) in results.pairings() {
        let mean = results.score(index, 0).map_or(0.5, |score| score.value);
        let estimate = intraclass_ci(&groups(results, index), mean);
        measure.add("", &pairing.name(&results.plan.players), Unit::Share, "games", estimate);
    }
    measure
}

/// Returns the first player's scores in each complete group of games with the same dice, minus the
/// mean of the seating, so that differences between seatings do not count as chance.
fn groups(results: &Results, index: usize) -> Vec<Vec<f64>> {
    let pairing = &results.plan.pairings[index];
    let players = results.plan.players.len();
    let mut groups: BTreeMap<u64, Vec<(usize, f64)>> = BTreeMap::new();
    let mut sums = vec![(0.0, 0_u64); pairing.seats.len()];
    let arrangement = |row: &GameRow| (row.game % pairing.seats.len() as u64) as usize;
    for row in results.rows(index) {
        let Some(worth) = row.ending.score(0, players) else { continue };
        groups.entry(row.game / pairing.group).or_default().push((arrangement(row), worth));
        let sum = &mut sums[arrangement(row)];
        *sum = (sum.0 + worth, sum.1 + 1);
    }
    let mean = |at: usize| sums[at].0 / sums[at].1.max(1) as f64;
    let whole = groups.into_values().filter(|group| group.len() as u64 == pairing.group);
    whole.map(|group| group.into_iter().map(|(at, worth)| worth - mean(at)).collect()).collect()
}
