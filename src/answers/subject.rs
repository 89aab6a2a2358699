//! Says in JSON which game an answer is about.

use super::ByName;
use crate::language::rules::Rules;
use crate::record::fingerprint;
use serde::Serialize;

/// The game that an answer is about.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Subject {
    /// The title of the game.
    pub game: String,
    /// A hash of the rules files, as in records.
    pub rules: String,
    /// All options of the game with their values.
    pub options: ByName<String>,
    /// The ply that is assumed to come next, if the given position fits several turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<String>,
}

impl Subject {
    /// Describes a game.
    pub fn of(rules: &Rules) -> Subject {
        Subject {
            game: rules.title.clone(),
            rules: fingerprint(rules),
            options: ByName(rules.chosen_options()),
            assumed: None,
        }
    }
}
