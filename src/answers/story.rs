//! Describes the effect of each clause in a ply, as text or JSON.

use super::place::{RemarkedPlace, locate, place};
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::why::{Happening, Story};
use serde::Serialize;

/// A ply, and what each clause of the rules did in it.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct StoryAnswer {
    /// The player who made the ply, or `chance`.
    pub to_move: String,
    /// The ply, spelled as in records; empty for the setup.
    pub played: String,
    /// The clauses in the order in which they were executed.
    pub clauses: Vec<ClauseAnswer>,
}

/// What a clause did in a ply.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ClauseAnswer {
    /// `move`, `end`, `play` or `repetition`.
    pub part: &'static str,
    /// `choice`, `requirement`, `condition`, `let`, `effect`, `turn-end`, `no-move`, `repetition` or
    /// `result`.
    pub kind: &'static str,
    /// Its place, and its outcome.
    #[serde(flatten)]
    pub place: RemarkedPlace,
    /// The values in it.
    pub notes: Vec<RemarkedPlace>,
    /// In a comparison: whether it does so in one of the games only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<bool>,
}

/// Describes a ply in JSON.
pub fn describe_story(story: &Story, rules: &Rules, source: &Sources) -> StoryAnswer {
    let remarked = |span, says: &str| RemarkedPlace {
        place: place(span, rules, source),
        says: says.to_owned(),
    };
    let clauses = story.happenings.iter().map(|happening| ClauseAnswer {
        part: happening.part.name(),
        kind: happening.kind.name(),
        place: remarked(happening.span, &happening.text),
        notes: happening.notes.iter().map(|note| remarked(note.span, &note.text)).collect(),
        differs: None,
    });
    StoryAnswer {
        to_move: story.mover.clone(),
        played: story.played.clone(),
        clauses: clauses.collect(),
    }
}

/// Describes a ply in text, one line per clause.
pub fn tell(story: &Story, rules: &Rules, source: &Sources) -> String {
    let mut text = format!("{} plays `{}`\n", story.mover, story.played);
    for (happening, news) in story.happenings.iter().zip(story.news()) {
        let of = news.map(|news| format!(" ({news})")).unwrap_or_default();
        text.push_str(&format!("      {}{of}\n", line(happening, rules, source)));
    }
    text
}

fn line(happening: &Happening, rules: &Rules, source: &Sources) -> String {
    format!("{}: {}", locate(happening.span, rules, source), happening.text)
}
