//! `ludwright explain`: prints the pages about a word, the pages nearest to words without a page,
//! or the index of all pages.

use crate::program::arguments::Explain;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::schema::{Answer, ByName, print};
use ludwright::editor::finder::{Entry, Finder, Target};
use ludwright::language::explain::{
    Page, Subject, elsewhere, recipe_titles, subjects, suggested_word, topics,
};
use ludwright::language::finding::{Code, Severity};
use ludwright::language::ludemes::Kind;
use ludwright::language::samples::{NAME, Sample};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use textwrap::WordSplitter;

/// The most pages that are listed for a search.
const MOST_FOUND: usize = 8;
/// Width of the text in columns.
const WIDTH: usize = 100;

/// The pages about a word, or the index of all pages.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ExplainAnswer {
    Pages {
        pages: Vec<PageAnswer>,
    },
    Index {
        /// The words by topic.
        topics: ByName<Vec<String>>,
    },
    Search {
        /// What the words may mean, the best first.
        found: Vec<FoundAnswer>,
    },
}

/// A page, or a game that comes with the program, that words may mean.
#[derive(Serialize, JsonSchema)]
pub struct FoundAnswer {
    /// The word, the title of the recipe, or the name of the game.
    word: String,
    /// What it is.
    kind: String,
    summary: String,
}

impl Answer for ExplainAnswer {
    const NAME: &'static str = "explain";
}

/// The page about a word, a type or a finding.
#[derive(Serialize, JsonSchema)]
pub struct PageAnswer {
    word: String,
    /// What the word is.
    kind: String,
    meanings: Vec<MeaningAnswer>,
    mistake: Option<MistakeAnswer>,
    /// A complete game that uses it: the text of each file.
    files: ByName<String>,
    /// Related words by topic.
    see: ByName<Vec<String>>,
}

/// A meaning of a word.
#[derive(Serialize, JsonSchema)]
struct MeaningAnswer {
    signature: Option<String>,
    text: String,
    example: Option<String>,
}

/// A mistake that a finding reports.
#[derive(Serialize, JsonSchema)]
struct MistakeAnswer {
    /// What to do.
    remedy: String,
    wrong: String,
    /// What `ludwright check` reports.
    said: Option<String>,
    right: String,
}

/// Prints the pages about a word, or the index.
pub fn run(task: &Explain, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    if task.words.is_empty() {
        match console.json() {
            true => print(&ExplainAnswer::Index { topics: topics_by_name() }, out)?,
            false => write!(out, "{}", index())?,
        }
        return Ok(0);
    }
    let word = task.words.join(" ");
    let subjects = subjects(word.trim().trim_matches(['(', ')', '`']));
    if subjects.is_empty() {
        let near = elsewhere(&word)
            .or_else(|| suggested_word(&word).map(|meant| format!("did you mean `{meant}`?")));
        let found = if near.is_none() { found(&word) } else { Vec::new() };
        if !found.is_empty() {
            match console.json() {
                true => print(&ExplainAnswer::Search { found }, out)?,
                false => write!(out, "{}", listed(&word, &found))?,
            }
            return Ok(0);
        }
        let help = near.unwrap_or_else(|| {
            "`ludwright explain` lists all words, types and findings".to_owned()
        });
        return Err(Failure::usage(format!("there is no ludeme, type or finding `{word}`"))
            .with_help(Some(help)));
    }
    let pages = subjects.into_iter().map(Subject::page);
    if console.json() {
        let pages = pages.map(|page| describe(&page)).collect();
        print(&ExplainAnswer::Pages { pages }, out)?;
        return Ok(0);
    }
    let pages: Vec<String> = pages.map(|page| show(&page)).collect();
    write!(out, "{}", pages.join("\n"))?;
    Ok(0)
}

/// Searches the pages and the games for words.
fn found(words: &str) -> Vec<FoundAnswer> {
    let finder = Finder::new(&[]);
    let answer = |entry: &Entry| {
        let word = match entry.target {
            Target::Page(subject) => subject.word(),
            Target::Game(name) | Target::Command(name) => name,
        };
        FoundAnswer {
            word: word.to_owned(),
            kind: entry.what().to_owned(),
            summary: entry.summary.clone(),
        }
    };
    finder.find(words).into_iter().take(MOST_FOUND).map(answer).collect()
}

fn listed(words: &str, found: &[FoundAnswer]) -> String {
    let mut text = format!("No page is called \"{words}\". What comes nearest:\n");
    for FoundAnswer { word, kind, summary } in found {
        text.push_str(&format!("\n{word} ({kind})\n{}", paragraph(summary)));
    }
    text
}

fn show(page: &Page) -> String {
    let mut text = format!("{} ({})\n", page.subject.word(), page.subject.what());
    for meaning in &page.meanings {
        if !meaning.signature.is_empty() {
            text.push_str(&format!("\n  {}\n", meaning.signature));
        }
        text.push_str(&format!("\n{}", paragraph(&meaning.text)));
        if !meaning.example.is_empty() {
            text.push_str(&format!("\n{}", indented(meaning.example)));
        }
    }
    if let Some(mistake) = &page.mistake {
        text.push_str(&format!("\n{}", paragraph(mistake.remedy)));
        text.push_str(&format!("\nWrong:\n\n{}", indented(mistake.wrong)));
        if let Some(said) = &mistake.said {
            text.push_str(&format!("\n`ludwright check` reports:\n\n{}", paragraph(said)));
        }
        text.push_str(&format!("\nRight:\n\n{}", indented(mistake.right)));
    }
    text.push_str(&whole(&page.sample));
    for (what, words) in &page.see {
        let what = if matches!(page.subject, Subject::Ludeme(_)) {
            format!("See also, under {what:?}")
        } else {
            (*what).to_owned()
        };
        let separator = if words.iter().any(|word| word.contains(' ')) { "; " } else { " " };
        text.push_str(&format!("\n{what}:\n\n{}", paragraph(&words.join(separator))));
    }
    text
}

fn whole(sample: &Sample) -> String {
    let mut text = format!("\nIn a complete game, {NAME}:\n\n{}", indented(&sample.text));
    for (name, other) in &sample.files {
        text.push_str(&format!("\nwith {name} next to it:\n\n{}", indented(other)));
    }
    text
}

fn paragraph(text: &str) -> String {
    let options = textwrap::Options::new(WIDTH).initial_indent("  ").subsequent_indent("  ");
    textwrap::fill(text, options.word_splitter(WordSplitter::NoHyphenation)) + "\n"
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") })
        .collect()
}

/// Lists all words that have a page, by topic.
fn contents() -> Vec<(&'static str, Vec<&'static str>)> {
    let codes = |severity: Severity| {
        Code::ALL
            .iter()
            .filter(move |code| code.severity() == severity)
            .map(|code| code.name())
            .collect()
    };
    let mut contents = topics();
    contents.push(("Recipes", recipe_titles()));
    contents.push(("Types", Kind::ALL.iter().map(|kind| kind.spelling()).collect()));
    contents.push(("Findings that are errors", codes(Severity::Error)));
    contents.push(("Findings that are warnings", codes(Severity::Warning)));
    contents
}

fn topics_by_name() -> ByName<Vec<String>> {
    contents().into_iter().map(|(what, words)| (what.to_owned(), owned(&words))).collect()
}

fn index() -> String {
    let mut text = String::from("`ludwright explain WORD` explains each of these words.\n");
    for (what, words) in contents() {
        // Type names can contain blanks.
        let separator = if words.iter().any(|word| word.contains(' ')) { "; " } else { " " };
        text.push_str(&format!("\n{what}\n{}", paragraph(&words.join(separator))));
    }
    text
}

/// Describes a page in JSON.
fn describe(page: &Page) -> PageAnswer {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let meanings = page.meanings.iter().map(|meaning| MeaningAnswer {
        signature: given(&meaning.signature),
        text: meaning.text.clone(),
        example: given(meaning.example),
    });
    let mistake = page.mistake.as_ref().map(|mistake| MistakeAnswer {
        remedy: mistake.remedy.to_owned(),
        wrong: mistake.wrong.to_owned(),
        said: mistake.said.clone(),
        right: mistake.right.to_owned(),
    });
    let others =
        page.sample.files.iter().map(|(name, text)| ((*name).to_owned(), text.to_string()));
    PageAnswer {
        word: page.subject.word().to_owned(),
        kind: page.subject.what().to_owned(),
        meanings: meanings.collect(),
        mistake,
        files: [(NAME.to_owned(), page.sample.text.to_string())]
            .into_iter()
            .chain(others)
            .collect(),
        see: page.see.iter().map(|(what, words)| ((*what).to_owned(), owned(words))).collect(),
    }
}

fn owned<S: ToString>(words: &[S]) -> Vec<String> {
    words.iter().map(S::to_string).collect()
}
