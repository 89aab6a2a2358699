//! Generates a TextMate grammar for syntax highlighting from the table of ludemes.

use super::explain::literals;
use super::ludemes::{Kind, Row, TABLE, Times};
use serde_json::{Value, json};

/// The boundaries of a word.
const BEFORE: &str = r#"(?<![^\s()";])"#;
const AFTER: &str = r#"(?![^\s()";])"#;

/// Generates the grammar.
///
/// ```
/// let grammar = ludwright::language::textmate::grammar();
/// assert!(grammar.contains("\"scopeName\": \"source.ludwright\""));
/// ```
pub fn grammar() -> String {
    let grammar = json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Ludwright",
        "scopeName": "source.ludwright",
        "fileTypes": ["game"],
        "patterns": patterns(),
        "repository": {},
    });
    format!("{grammar:#}\n")
}

/// The patterns in order of precedence.
fn patterns() -> Vec<Value> {
    let declaring = |kinds: &[Kind]| {
        let declares = |row: &&Row| {
            row.slots
                .first()
                .is_some_and(|slot| kinds.contains(&slot.kind) && slot.times == Times::One)
        };
        alternatives(
            TABLE
                .iter()
                .filter(|row| row.result == Kind::Part && !row.word)
                .filter(declares)
                .map(|row| row.spelling),
        )
    };
    let head = |scope: &str, wanted: &dyn Fn(&Row) -> bool| {
        let words = alternatives(
            TABLE.iter().filter(|row| !row.word && wanted(row)).map(|row| row.spelling),
        );
        json!({ "match": format!(r"(?<=\()\s*({words}){AFTER}"), "name": scope })
    };
    let is_operator = |row: &Row| !row.spelling.starts_with(|letter: char| letter.is_alphabetic());
    let is_done = |row: &Row| row.result == Kind::Statement || row.result.is_branch();
    let is_asked = |row: &Row| {
        !is_operator(row) && !is_done(row) && !matches!(row.result, Kind::Part | Kind::Parameter)
    };
    vec![
        json!({ "match": ";.*$", "name": "comment.line.semicolon.ludwright" }),
        json!({
            "begin": "\"",
            "end": "\"",
            "name": "string.quoted.double.ludwright",
            "patterns": [{ "match": r#"\\["\\]"#, "name": "constant.character.escape.ludwright" }],
        }),
        json!({
            "match": format!(r"(?<=\()\s*({})\s+\(?([^\s()\x22;]+)", declaring(&[Kind::Heading, Kind::Name, Kind::Seat, Kind::Verb])),
            "captures": {
                "1": { "name": "keyword.declaration.ludwright" },
                "2": { "name": "entity.name.function.ludwright" },
            },
        }),
        head("keyword.declaration.ludwright", &|row| row.result == Kind::Part),
        head("keyword.operator.ludwright", &is_operator),
        head("keyword.control.ludwright", &is_done),
        head("variable.parameter.ludwright", &|row| row.result == Kind::Parameter),
        head("support.function.ludwright", &is_asked),
        json!({ "match": format!(r"(?<=\()\s*\p{{Lu}}[^\s()\x22;]*{AFTER}"), "name": "entity.name.function.ludwright" }),
        json!({ "match": format!(r"{BEFORE}-?[0-9]+(\.[0-9]+)?{AFTER}"), "name": "constant.numeric.ludwright" }),
        json!({
            "match": format!("{BEFORE}({}){AFTER}", alternatives(Kind::ALL.iter().flat_map(|kind| literals(*kind)))),
            "name": "constant.language.ludwright",
        }),
        json!({
            "match": format!("{BEFORE}({}){AFTER}", alternatives(TABLE.iter().filter(|row| row.word).map(|row| row.spelling))),
            "name": "constant.language.ludwright",
        }),
        json!({ "match": format!("{BEFORE}[A-Za-z]{{1,2}}[0-9]+{AFTER}"), "name": "constant.other.site.ludwright" }),
        json!({ "match": format!(r"{BEFORE}\p{{Lu}}[^\s()\x22;]*{AFTER}"), "name": "entity.name.type.ludwright" }),
    ]
}

/// Builds an alternation of the words, sorted and without duplicates.
fn alternatives<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let mut words: Vec<&str> = words.collect();
    words.sort_unstable();
    words.dedup();
    let escape = |word: &&str| {
        word.chars()
            .flat_map(|letter| ["+*.".contains(letter).then_some('\\'), Some(letter)])
            .flatten()
            .collect()
    };
    words.iter().map(escape).collect::<Vec<String>>().join("|")
}
