//! Notable games, as records.

use super::Strengths;
use super::drama::Curve;
use crate::engine::game::Game;
use crate::language::rules::{Player, PlayerId};
use crate::measure::game_rows::GameRow;
use crate::measure::results::Results;
use crate::notation::outcome;
use crate::record::{PlyNote, Record, RecordedPly};
use serde::Serialize;
use std::collections::BTreeMap;

/// A notable game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct NotableGame {
    pub title: &'static str,
    /// Why it is notable.
    pub why: String,
    /// The record in the format of `ludwright replay`.
    pub record: String,
    /// The plies after which the winning chances changed most.
    pub critical: Vec<CriticalPly>,
    /// By number of plies: the estimated winning chances in this position.
    #[serde(skip)]
    pub chances: BTreeMap<usize, String>,
}

/// A ply after which the winning chances changed much.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct CriticalPly {
    /// The number of the ply in the record, from 1.
    pub ply: usize,
    pub text: String,
}

/// The most critical plies of a game, and the least change of a player's expected score.
const MOST_CRITICAL: usize = 3;
const LEAST_CHANGE: u32 = 150;

/// Returns the longest, the shortest, the most decisive and the most dramatic of the recorded
/// games. The most decisive one is decided earliest.
pub fn records(results: &Results, game: &Game) -> Vec<NotableGame> {
    // Ties go to the first. Random players' games count only if there are no others.
    let thought = |row: &&GameRow| !results.plan.pairings[row.pairing].is_random();
    let any = results.all_rows().any(|row| thought(&row));
    let rows: Vec<&GameRow> = results.all_rows().filter(|row| !any || thought(row)).collect();
    let length = |row: &GameRow| row.plies.len();
    let longest = rows
        .iter()
        .rev()
        .max_by_key(|row| length(row))
        .map(|row| ("The longest game", *row, format!("{} plies", length(row))));
    let finished = rows.iter().filter(|row| row.ending.is_finished());
    let shortest = finished
        .min_by_key(|row| length(row))
        .map(|row| ("The shortest game", *row, format!("{} plies", length(row))));
    let dramas = rows.iter().filter_map(|row| Some((*row, Curve::of(row)?.drama()?)));
    let dramatic = dramas.rev().max_by(|one, other| one.1.total_cmp(&other.1));
    let dramatic =
        dramatic.map(|(row, drama)| ("The most dramatic game", row, format!("drama {drama:.2}")));
    let decided = rows.iter().filter_map(|row| Some((*row, Curve::of(row)?.played_on()?)));
    let decisive = decided.rev().max_by(|one, other| one.1.total_cmp(&other.1));
    let decisive = decisive.map(|(row, part)| {
        let why = format!("{:.0} % of it was played after the decision", part * 100.0);
        ("The most decisive game", row, why)
    });
    let strengths = Strengths::of(&results.plan);
    let all = [longest, shortest, decisive, dramatic].into_iter().flatten();
    all.map(|(title, row, why)| {
        let name = results.plan.pairings[row.pairing].name(&results.plan.players);
        NotableGame {
            title,
            why: format!("{why}; {}, game {}", strengths.text(&name), row.game + 1),
            record: record(results, game, row).write(),
            critical: critical(results, row),
            chances: chances(results, row),
        }
    })
    .collect()
}

/// Returns the plies after which the mover's expected score changed most. Where not every position
/// was judged, a change belongs to several plies, and the first of them is named.
fn critical(results: &Results, row: &GameRow) -> Vec<CriticalPly> {
    let opening = results.plan.opening.len();
    let players = &results.plan.players;
    let mut changes: Vec<(u32, usize, String)> = Vec::new();
    for pair in row.chances.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let made = before[0] as usize;
        let mover = row.movers.get(made).copied().unwrap_or(-1);
        // After a roll the first player's score is reported.
        let player = usize::try_from(mover).unwrap_or(0);
        let (from, to) = (before[player + 1], after[player + 1]);
        let plies = match after[0] as usize - made {
            1 => format!("{}. {}", opening + made + 1, row.plies[made]),
            several => format!("{}–{}", opening + made + 1, opening + made + several),
        };
        let percent = |thousandths: u32| (f64::from(thousandths) / 10.0).round();
        let text = format!("{plies}: {} {} % → {} %", players[player], percent(from), percent(to));
        changes.push((from.abs_diff(to), opening + made + 1, text));
    }
    changes.retain(|(change, ..)| *change >= LEAST_CHANGE);
    changes.sort_by_key(|&(change, ply, _)| (std::cmp::Reverse(change), ply));
    changes.truncate(MOST_CRITICAL);
    changes.sort_by_key(|&(_, ply, _)| ply);
    changes.into_iter().map(|(_, ply, text)| CriticalPly { ply, text }).collect()
}

/// Spells out the estimated winning chances, by number of plies.
fn chances(results: &Results, row: &GameRow) -> BTreeMap<usize, String> {
    let opening = results.plan.opening.len();
    let spelled = |chances: &Vec<u32>| {
        let each = results.plan.players.iter().zip(&chances[1..]);
        let each =
            each.map(|(player, chance)| format!("{player} {:.0} %", f64::from(*chance) / 10.0));
        (
            opening + chances[0] as usize,
            format!("Expected: {}", each.collect::<Vec<String>>().join(", ")),
        )
    };
    row.chances.iter().map(spelled).collect()
}

/// Returns the record of a game.
pub fn record(results: &Results, game: &Game, row: &GameRow) -> Record {
    let plan = &results.plan;
    let kinds = plan.pairings[row.pairing].arrangement(row.game);
    let rules = game.rules();
    let ended = row.ending.outcome().map(|over| outcome(rules, Some(over.of_teams(rules.teams))));
    let seat = |(player, named): (u16, &Player)| {
        let kind = kinds.get(rules.teams.of(PlayerId(player)).index())?;
        Some((named.name.clone(), kind.to_string()))
    };
    Record {
        game: Some(plan.game.clone()),
        rules: Some(plan.rules.clone()),
        options: plan.options.clone(),
        seats: (0..).zip(&rules.players).filter_map(seat).collect(),
        result: ended,
        plies: plan
            .opening
            .iter()
            .chain(&row.plies)
            .map(|text| RecordedPly { line: 0, text: text.clone(), note: PlyNote::default() })
            .collect(),
        ..Record::default()
    }
}
