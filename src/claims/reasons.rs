//! Reasons for verdicts about games, in words.

use super::games::{SearchCoverage, SearchResult, rarer_than};
use super::question::{GamesQuery, Property, Question};
use crate::notation::{counted, grouped};

/// Explains the verdict on a claim about games.
pub fn of_games(question: &Question, asked: GamesQuery, sought: &SearchResult) -> String {
    let opening = question.claim.opening.len();
    let after = if opening == 0 {
        String::new()
    } else {
        format!(" after the opening of {}", counted(opening as u64, "ply"))
    };
    match sought {
        SearchResult::Never { longest: Some(longest), found } => {
            format!(
                "searched all {}; the longest game takes {}{after}",
                counted(found.positions, "position"),
                counted(u64::from(*longest), "ply")
            )
        }
        SearchResult::Never { longest: None, found } => {
            format!("searched all {}", counted(found.positions, "position"))
        }
        SearchResult::Against { plies, shortest, .. } => {
            let what = match asked.property {
                Property::EndsWithin(most) => {
                    format!("a game is not over after {}{after}", counted(u64::from(most), "ply"))
                }
                Property::NeverRepeats => {
                    format!(
                        "a position repeats within {}{after}",
                        counted(plies.len() as u64, "ply")
                    )
                }
                Property::NotDrawn => {
                    format!("a game is drawn in {}{after}", counted(plies.len() as u64, "ply"))
                }
                Property::Always { so, .. } => {
                    let what = if so { "the condition is false" } else { "the condition is true" };
                    match plies.len() {
                        0 => format!("{what} in the first position{after}"),
                        plies => format!("{what} after {}{after}", counted(plies as u64, "ply")),
                    }
                }
            };
            match (asked.property, shortest, plies.len()) {
                (Property::EndsWithin(_), ..) | (_, _, 0) => what,
                (_, true, _) => format!("{what}, and never earlier"),
                (_, false, _) => format!("{what}, possibly earlier"),
            }
        }
        SearchResult::NotSeen(found) => unseen(asked.every, found),
    }
}

fn unseen(every: bool, found: &SearchCoverage) -> String {
    let what = if every { "no counterexample" } else { "no example" };
    let mut text = format!("{what} in {}", counted(found.positions, "position"));
    if found.games > 0 {
        let longest = counted(u64::from(found.longest), "ply");
        text.push_str(&format!(" and {} of up to {longest}", counted(found.games, "random game")));
        text.push_str(&format!(
            "; with 95 % confidence, fewer than 1 random game in {} is one",
            grouped(rarer_than(found.games))
        ));
    }
    if let Some(plies) = found.none_up_to.filter(|&plies| plies > 0) {
        text.push_str(&format!("; no game of up to {} is one", counted(u64::from(plies), "ply")));
    }
    if found.late {
        text.push_str("; stopped because time ran out");
    }
    text
}
