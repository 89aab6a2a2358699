//! Formats the coverage of a deep check as text and JSON.

use super::ByName;
use crate::analysis::BoardCoverage;
use crate::language::sources::Sources;
use crate::notation::counted;
use serde::Serialize;

/// How far a deep check has searched a game.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LookedAnswer {
    pub file: String,
    pub boards: Vec<BoardAnswer>,
    /// End conditions that a search did not reach that was not exhaustive.
    pub unreached: Vec<UnreachedAnswer>,
}

/// How far a choice of options was searched.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct BoardAnswer {
    /// The options that differ from those chosen.
    pub options: ByName<String>,
    pub positions: usize,
    pub games: usize,
    pub plies: usize,
    pub exhaustive: bool,
}

/// An end condition.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct UnreachedAnswer {
    pub line: usize,
    pub text: String,
}

/// Formats the coverage as text.
pub fn tell(looked: &[BoardCoverage], unreached: &[(String, String, usize)]) -> String {
    let mut text = String::new();
    for board in looked.iter().rev() {
        let options: Vec<String> =
            board.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let whole = if board.exhaustive { "all " } else { "" };
        let games = if board.games > 0 {
            format!(", {}", counted(board.games as u64, "random game"))
        } else {
            String::new()
        };
        let with =
            if options.is_empty() { String::new() } else { format!(" with {}", options.join(" ")) };
        let limits = if board.exhaustive { "" } else { "; not exhaustive" };
        let positions = counted(board.positions as u64, "position");
        let plies = counted(board.plies as u64, "ply");
        text.push_str(&format!("  searched {whole}{positions}{with}: {plies}{games}{limits}\n"));
    }
    if looked.is_empty() {
        text.push_str("  searched no position\n");
    }
    for (place, clause, _) in unreached {
        text.push_str(&format!("  note: no game in the search reached {clause}, {place}; the search was not exhaustive\n"));
    }
    text
}

/// Describes the coverage in JSON.
pub fn describe(
    source: &Sources,
    looked: Vec<BoardCoverage>,
    unreached: Vec<(String, String, usize)>,
) -> LookedAnswer {
    let boards = looked.into_iter().map(|board| BoardAnswer {
        options: board.options.into_iter().collect(),
        positions: board.positions,
        games: board.games,
        plies: board.plies,
        exhaustive: board.exhaustive,
    });
    let unreached = unreached
        .into_iter()
        .map(|(_, text, line)| UnreachedAnswer { line, text: text.trim_matches('`').to_owned() });
    LookedAnswer {
        file: source.name().to_owned(),
        boards: boards.collect(),
        unreached: unreached.collect(),
    }
}
