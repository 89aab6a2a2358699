//! Says what each clause did in a ply, as text or JSON.

use super::place::{locate, place};
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::why::{Happening, Story};
use serde_json::{Map, Value, json};

/// Describes a ply in JSON.
pub fn describe_story(story: &Story, rules: &Rules, source: &Sources) -> Map<String, Value> {
    let says = |mut place: Value, says: &str| {
        place["says"] = json!(says);
        place
    };
    let clauses = story.happenings.iter().map(|happening| {
        let mut clause = Map::from_iter([
            ("part".to_owned(), json!(happening.part.name())),
            ("kind".to_owned(), json!(happening.kind.name())),
        ]);
        if let Value::Object(place) = says(place(happening.span, rules, source), &happening.text) {
            clause.extend(place);
        }
        let notes =
            happening.notes.iter().map(|note| says(place(note.span, rules, source), &note.text));
        clause.insert("notes".to_owned(), notes.collect());
        Value::Object(clause)
    });
    let clauses: Value = clauses.collect();
    Map::from_iter([
        ("to_move".to_owned(), json!(story.mover)),
        ("played".to_owned(), json!(story.played)),
        ("clauses".to_owned(), clauses),
    ])
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
