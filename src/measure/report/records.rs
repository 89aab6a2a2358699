//! Notable games, as records.

use super::drama::Curve;
use super::outcome::outcome_of;
use crate::engine::game::Game;
use crate::measure::game_rows::GameRow;
use crate::measure::results::Results;
use crate::notation::outcome;
use crate::record::{PlyNote, Record, RecordedPly};
use serde::Serialize;

/// A notable game.
#[derive(Clone, Debug, Serialize)]
pub struct NotableGame {
    pub title: &'static str,
    /// Why it is notable.
    pub why: String,
    /// The record in the format of `ludwright replay`.
    pub record: String,
}

/// Returns the longest, the shortest and the most dramatic of the recorded games.
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
    let all = [longest, shortest, dramatic].into_iter().flatten();
    all.map(|(title, row, why)| {
        let name = results.plan.pairings[row.pairing].name(&results.plan.players);
        NotableGame {
            title,
            why: format!("{why}; {name}, game {}", row.game + 1),
            record: record(results, game, row).write(),
        }
    })
    .collect()
}

fn record(results: &Results, game: &Game, row: &GameRow) -> Record {
    let plan = &results.plan;
    let kinds = plan.pairings[row.pairing].arrangement(row.game).iter().map(ToString::to_string);
    let ended = outcome_of(row.ending).map(|over| outcome(game.rules(), Some(over)));
    Record {
        game: Some(plan.game.clone()),
        rules: Some(plan.rules.clone()),
        options: plan.options.clone(),
        seats: plan.players.iter().cloned().zip(kinds).collect(),
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
