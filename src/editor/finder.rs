//! Search by intention: from the words of players to recipes, words of the language, games,
//! findings and the commands of a page. A single index holds all of these.
//!
//! The ranking ([`ranking`]) knows nothing about games. The vocabulary of players is data: the
//! names of recipes and words, and the groups of synonyms in [`terms`].

pub mod ranking;
pub mod terms;

use crate::catalog;
use crate::language::explain::Subject;
use crate::language::finding::Code;
use crate::language::ludemes::{Kind, TABLE};
use crate::language::recipes::{recipes, synonyms};
use crate::syntax::{Node, parse};
use ranking::{Document, Index};

/// The target of a search result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A recipe, a word of the language, a type or a finding.
    Page(Subject),
    /// A game that comes with the program, by its name.
    Game(&'static str),
    /// A command of the page.
    Command(&'static str),
}

/// A command of a page, with the phrases by which a search finds it.
#[derive(Debug)]
pub struct Command {
    pub name: &'static str,
    pub title: &'static str,
    /// What the command does, in a sentence.
    pub summary: &'static str,
    /// Other names of the command.
    pub names: &'static [&'static str],
}

/// An entry of the index.
#[derive(Clone, Debug)]
pub struct Entry {
    pub target: Target,
    pub title: String,
    /// The first sentence about the target.
    pub summary: String,
}

impl Entry {
    /// Returns the kind of the target, in a word.
    pub fn what(&self) -> &'static str {
        match self.target {
            Target::Page(Subject::Ludeme(_)) => "word",
            Target::Page(subject) => subject.what(),
            Target::Game(_) => "game",
            Target::Command(_) => "command",
        }
    }
}

/// The search index.
pub struct Finder {
    entries: Vec<Entry>,
    index: Index,
}

impl Finder {
    /// Makes an index of the language, the games that come with the program, and these commands.
    pub fn new(commands: &'static [Command]) -> Finder {
        let mut finder = Finder { entries: Vec::new(), index: Index::default() };
        finder.add_recipes();
        finder.add_words();
        finder.add_types_and_findings();
        finder.add_games();
        for command in commands {
            let names = std::iter::once(command.title).chain(command.names.iter().copied());
            let document = Document {
                names: names.map(str::to_owned).collect(),
                text: command.summary.to_owned(),
                weight: COMMAND,
            };
            finder.add(Target::Command(command.name), command.title, command.summary, document);
        }
        finder.index.finish();
        finder
    }

    /// Finds the targets of a query, the best first. The last word may be incomplete.
    ///
    /// ```
    /// use ludwright::editor::finder::Finder;
    ///
    /// let finder = Finder::new(&[]);
    /// let found = finder.find("turning over the enemy's discs");
    /// assert_eq!(found[0].title, "flip");
    /// ```
    pub fn find(&self, query: &str) -> Vec<&Entry> {
        self.index.rank(query).into_iter().map(|index| &self.entries[index]).collect()
    }

    fn add(&mut self, target: Target, title: &str, text: &str, document: Document) {
        let entry = Entry { target, title: title.to_owned(), summary: first_sentence(text) };
        self.entries.push(entry);
        self.index.add(document);
    }

    fn add_recipes(&mut self) {
        for recipe in recipes() {
            let names = recipe.names.iter().map(|&name| name.to_owned()).collect();
            let document = Document { names, text: recipe.text.to_owned(), weight: RECIPE };
            let target = Target::Page(Subject::Recipe(recipe.title()));
            self.add(target, recipe.title(), recipe.text, document);
        }
    }

    fn add_words(&mut self) {
        let mut words: Vec<&'static str> = Vec::new();
        for row in TABLE {
            if words.contains(&row.spelling) {
                continue;
            }
            words.push(row.spelling);
            let meanings = TABLE.iter().filter(|other| other.spelling == row.spelling);
            let text: Vec<String> = meanings.map(|row| row.documentation()).collect();
            let mut names = vec![row.spelling.to_owned()];
            for (others, _) in synonyms().filter(|(_, word)| *word == row.spelling) {
                names.extend(others.iter().map(|&name| name.to_owned()));
            }
            let document = Document { names, text: text.join(" "), weight: WORD };
            self.add(Target::Page(Subject::Ludeme(row.spelling)), row.spelling, &text[0], document);
        }
    }

    fn add_types_and_findings(&mut self) {
        let types = Kind::ALL.iter().map(|kind| (Subject::Type(*kind), kind.doc()));
        let codes = Code::ALL.iter().map(|code| (Subject::Finding(*code), code.doc()));
        for (subject, text) in types.chain(codes) {
            let names = vec![subject.word().replace('-', " ")];
            let document = Document { names, text: text.clone(), weight: FINDING };
            self.add(Target::Page(subject), subject.word(), &text, document);
        }
    }

    fn add_games(&mut self) {
        for entry in catalog::entries() {
            let Some((title, _)) = super::outline::title(entry.text) else { continue };
            let about = about(entry.text).unwrap_or_default();
            let document =
                Document { names: vec![title.clone()], text: about.clone(), weight: GAME };
            self.add(Target::Game(entry.name), &title, &about, document);
        }
    }
}

/// Weights by kind: designers search mostly for recipes, and hardly for findings.
const RECIPE: f64 = 1.1;
const WORD: f64 = 1.0;
const COMMAND: f64 = 1.0;
const GAME: f64 = 0.9;
const FINDING: f64 = 0.6;

/// Returns a game's description of itself.
fn about(text: &str) -> Option<String> {
    let tree = parse(text);
    let parts = tree.forms.first()?.as_form()?;
    let about = parts.iter().find(|part| part.head().is_some_and(|(head, _)| head == "about"))?;
    let text = about.as_form()?.get(1).and_then(Node::as_text)?;
    Some(text.split_whitespace().collect::<Vec<&str>>().join(" "))
}

fn first_sentence(text: &str) -> String {
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text.to_owned(),
    }
}
