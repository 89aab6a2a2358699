//! The pages of `explain` about ludemes, types and findings, made from their tables.

use super::edit_distance::nearest;
use super::finding::Code;
use super::look::{COLORS, Grid, Shape};
use super::ludemes::{Kind, Row, TABLE, Times, rows};
use super::notations::{Format, SUBJECTS};
use super::recipes::{Entry, Recipe, find, recipes};
use super::samples::Sample;
use super::{check, check_values};
use crate::board::Direction;

/// The subject of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A word of the language, in all its meanings.
    Ludeme(&'static str),
    Type(Kind),
    Finding(Code),
    /// How to write something that has no word of its own, by its title.
    Recipe(&'static str),
}

/// A page.
#[derive(Clone, Debug)]
pub struct Page {
    pub subject: Subject,
    /// The meanings, in order.
    pub meanings: Vec<Meaning>,
    /// An example of the mistake and its correction; for findings only.
    pub mistake: Option<Mistake>,
    /// A complete game that uses it, without errors.
    pub sample: Sample,
    /// Related words, grouped under headings.
    pub see: Vec<(&'static str, Vec<&'static str>)>,
}

/// One meaning of a word.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The signature; empty for a type and a finding.
    pub signature: String,
    pub text: String,
    /// An example; empty for a type and a finding.
    pub example: &'static str,
}

/// A mistake and its correction.
#[derive(Clone, Debug)]
pub struct Mistake {
    pub remedy: &'static str,
    pub wrong: &'static str,
    /// The message of the checker; `None` if the wrong file is only described.
    pub said: Option<String>,
    pub right: &'static str,
}

impl Subject {
    /// Returns the word that it is found by.
    pub fn word(self) -> &'static str {
        match self {
            Subject::Ludeme(word) => word,
            Subject::Type(kind) => kind.spelling(),
            Subject::Finding(code) => code.name(),
            Subject::Recipe(title) => title,
        }
    }

    /// Returns the kind of subject, in a word.
    pub fn what(self) -> &'static str {
        match self {
            Subject::Ludeme(_) => "ludeme",
            Subject::Type(_) => "type",
            Subject::Finding(code) => code.severity().name(),
            Subject::Recipe(_) => "recipe",
        }
    }

    /// Builds its page.
    ///
    /// ```
    /// use ludwright::language::explain::subjects;
    ///
    /// let pages: Vec<_> = subjects("beside").into_iter().map(|subject| subject.page()).collect();
    /// assert_eq!(pages[0].meanings[0].signature, "(beside of: sites directions?: directions) -> sites");
    /// assert!(pages[0].sample.text.contains("(beside b2 all)"));
    /// ```
    pub fn page(self) -> Page {
        match self {
            Subject::Ludeme(word) => ludeme(word),
            Subject::Type(kind) => of_type(kind),
            Subject::Finding(code) => finding(code),
            Subject::Recipe(title) => match find(title) {
                Some(Entry::Recipe(recipe)) => of_recipe(recipe),
                Some(Entry::Word(row)) => ludeme(row.spelling),
                None => ludeme(title),
            },
        }
    }
}

/// Finds the meanings of a word, which may be both a ludeme and a type. A word that is none of
/// these may be the name of a recipe, or another name of a ludeme.
pub fn subjects(word: &str) -> Vec<Subject> {
    let ludeme = rows(word).next().map(|row| Subject::Ludeme(row.spelling));
    let types = Kind::ALL
        .iter()
        .filter(|kind| kind.spelling() == word || literals(**kind).contains(&word))
        .map(|kind| Subject::Type(*kind));
    let code =
        Code::ALL.iter().filter(|code| code.name() == word).map(|code| Subject::Finding(*code));
    let found: Vec<Subject> = ludeme.into_iter().chain(types).chain(code).collect();
    match (found.is_empty(), find(word)) {
        (true, Some(Entry::Recipe(recipe))) => vec![Subject::Recipe(recipe.title())],
        (true, Some(Entry::Word(row))) => vec![Subject::Ludeme(row.spelling)],
        _ => found,
    }
}

/// Lists the titles of the recipes.
pub fn recipe_titles() -> Vec<&'static str> {
    recipes().map(Recipe::title).collect()
}

/// Finds the equivalent of a word of another language.
pub use super::ludii_hints::elsewhere;

/// Suggests a word with a page for one without.
pub fn suggested_word(word: &str) -> Option<&'static str> {
    let ludemes = TABLE.iter().map(|row| row.spelling);
    let types = Kind::ALL.iter().map(|kind| kind.spelling());
    nearest(word, ludemes.chain(types).chain(Code::ALL.iter().map(|code| code.name())))
}

/// Lists the ludemes by topic, in the order of the table.
pub fn topics() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut topics: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in TABLE {
        match topics.last_mut() {
            Some((topic, words)) if *topic == row.topic => add(words, row.spelling),
            _ => topics.push((row.topic, vec![row.spelling])),
        }
    }
    topics
}

/// Lists the literals of a type, if there are finitely many.
pub fn literals(kind: Kind) -> Vec<&'static str> {
    match kind {
        Kind::Direction => Direction::ALL.iter().map(|direction| direction.name()).collect(),
        Kind::Edge => vec!["top", "bottom"],
        Kind::Wrapping => vec!["columns", "rows"],
        Kind::Border => vec!["sides", "posts"],
        Kind::Compared => vec!["board", "mover"],
        Kind::Beneath => vec!["beneath"],
        Kind::Ownership => vec!["owned", "unowned"],
        Kind::Grid => Grid::WORDS.to_vec(),
        Kind::Spelled => SUBJECTS.to_vec(),
        Kind::Format => Format::ALL.map(|(_, word)| word).to_vec(),
        Kind::Color => COLORS.iter().map(|(name, _)| *name).collect(),
        Kind::Figure => Shape::WORDS.to_vec(),
        _ => Vec::new(),
    }
}

fn ludeme(word: &'static str) -> Page {
    let meaning = |row: &Row| Meaning {
        signature: row.full_signature(),
        text: row.documentation(),
        example: row.example,
    };
    let mut see = Vec::new();
    for topic in rows(word).map(|row| row.topic) {
        if !see.iter().any(|(known, _)| *known == topic) {
            let mut words = Vec::new();
            TABLE
                .iter()
                .filter(|row| row.topic == topic && row.spelling != word)
                .for_each(|row| add(&mut words, row.spelling));
            see.push((topic, words));
        }
    }
    Page {
        subject: Subject::Ludeme(word),
        meanings: rows(word).map(meaning).collect(),
        mistake: None,
        sample: Sample::of_rows(rows(word)),
        see,
    }
}

fn of_type(kind: Kind) -> Page {
    let (mut yielding, mut taking) = (Vec::new(), Vec::new());
    for row in TABLE {
        if row.result == kind {
            add(&mut yielding, row.spelling);
        }
        if row.slots.iter().any(|slot| slot.kind == kind) {
            add(&mut taking, row.spelling);
        }
    }
    let takes = |row: &&Row| {
        row.slots
            .iter()
            .any(|slot| slot.kind == kind && matches!(slot.times, Times::One | Times::Some))
    };
    let takes_perhaps = |row: &&Row| row.slots.iter().any(|slot| slot.kind == kind);
    // The first rows of a type are the simplest; the last make the better examples.
    let row = TABLE
        .iter()
        .rfind(|row| row.result == kind)
        .or_else(|| TABLE.iter().find(takes))
        .or_else(|| TABLE.iter().find(takes_perhaps));
    let meaning = Meaning { signature: String::new(), text: kind.doc(), example: "" };
    let see = [("Ludemes with this result", yielding), ("Ludemes that take it", taking)];
    Page {
        subject: Subject::Type(kind),
        meanings: vec![meaning],
        mistake: None,
        sample: Sample::of_rows(row),
        see: see.into_iter().filter(|(_, words)| !words.is_empty()).collect(),
    }
}

fn of_recipe(recipe: &'static Recipe) -> Page {
    let meaning =
        Meaning { signature: String::new(), text: recipe.text.to_owned(), example: recipe.parts };
    Page {
        subject: Subject::Recipe(recipe.title()),
        meanings: vec![meaning],
        mistake: None,
        sample: recipe.sample(),
        see: vec![("Also called", recipe.names[1..].to_vec())]
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .collect(),
    }
}

fn finding(code: Code) -> Page {
    let advice = code.advice();
    let findings = advice.wrong.sample().map(|sample| {
        let sources = sample.sources();
        let checked = check(&sources, &[]);
        let with_other_values =
            checked.rules.map(|rules| check_values(&sources, &rules)).unwrap_or_default();
        checked.findings.into_iter().chain(with_other_values).collect::<Vec<_>>()
    });
    let said = findings
        .and_then(|findings| findings.into_iter().find(|finding| finding.code == code))
        .map(|finding| match finding.help {
            Some(help) => format!("{}; {help}", finding.message),
            None => finding.message,
        });
    Page {
        subject: Subject::Finding(code),
        meanings: vec![Meaning { signature: String::new(), text: code.doc(), example: "" }],
        mistake: Some(Mistake {
            remedy: advice.remedy,
            wrong: advice.wrong.shown(),
            said,
            right: advice.right.shown(),
        }),
        sample: advice.right.sample().unwrap_or_else(|| Sample::of_parts("")),
        see: Vec::new(),
    }
}

fn add(words: &mut Vec<&'static str>, word: &'static str) {
    if !words.contains(&word) {
        words.push(word);
    }
}
