//! Search by intention and the manual's pages, for the page.

use super::{Arguments, Refused};
use crate::desk::commands::COMMANDS;
use crate::editor::finder::{Entry, Finder, Target};
use crate::language::explain::{
    Page, Subject, elsewhere, recipe_titles, subjects, suggested_word, topics,
};
use crate::language::finding::Code;
use crate::language::ludemes::Kind;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The longest query, in bytes.
const MAX_QUERY: usize = 400;

static FINDER: LazyLock<Finder> = LazyLock::new(|| Finder::new(COMMANDS));

/// Lists what a query may stand for, the best first.
pub fn find(arguments: &Arguments) -> Result<Value, Refused> {
    let query = arguments.text("query")?;
    if query.len() > MAX_QUERY {
        return Err("this is too long to search for".into());
    }
    let entry = |entry: &Entry| {
        let name = match entry.target {
            Target::Page(subject) => subject.word(),
            Target::Game(name) | Target::Command(name) => name,
        };
        json!({
            "kind": entry.what(), "name": name, "title": entry.title, "summary": entry.summary,
        })
    };
    Ok(json!({ "found": FINDER.find(query).into_iter().map(entry).collect::<Vec<Value>>() }))
}

/// Lists the pages of the manual by topic.
pub fn contents() -> Value {
    let codes = Code::ALL.iter().map(|&code| Subject::Finding(code));
    let types = Kind::ALL.iter().map(|&kind| Subject::Type(kind));
    let mut contents =
        vec![("Recipes", recipe_titles().into_iter().map(Subject::Recipe).collect())];
    let words = topics().into_iter();
    contents.extend(words.map(|(topic, words)| {
        (topic, words.into_iter().map(Subject::Ludeme).collect::<Vec<Subject>>())
    }));
    contents.extend([("Types", types.collect()), ("What a check finds", codes.collect())]);
    let topic = |(topic, pages): (&str, Vec<Subject>)| {
        let page = |subject: Subject| json!({ "kind": kind(subject), "name": subject.word(), "title": subject.word() });
        json!({ "topic": topic, "pages": pages.into_iter().map(page).collect::<Vec<Value>>() })
    };
    json!({ "contents": contents.into_iter().map(topic).collect::<Vec<Value>>() })
}

fn kind(subject: Subject) -> &'static str {
    match subject {
        Subject::Ludeme(_) => "word",
        other => other.what(),
    }
}

/// Explains a word of the language.
pub fn explain(arguments: &Arguments) -> Result<Value, Refused> {
    let word = arguments.text("word")?.trim().trim_matches(['(', ')', '`']);
    let found = subjects(word);
    if found.is_empty() {
        let near = elsewhere(word)
            .or_else(|| suggested_word(word).map(|meant| format!("did you mean `{meant}`?")));
        let message = near.unwrap_or_else(|| "no word of the language is spelled so".to_owned());
        return Ok(json!({ "markdown": message, "see": [] }));
    }
    let pages: Vec<Page> = found.into_iter().map(Subject::page).collect();
    let texts: Vec<String> = pages.iter().map(markdown).collect();
    let is_recipe = |page: &&Page| matches!(page.subject, Subject::Recipe(_));
    let see = pages.iter().filter(|page| !is_recipe(page)).flat_map(|page| &page.see);
    let see = see.map(|(topic, words)| json!({ "topic": topic, "words": words }));
    Ok(json!({ "markdown": texts.join("\n\n---\n\n"), "see": see.collect::<Vec<Value>>() }))
}

fn markdown(page: &Page) -> String {
    let mut text = format!("**{}** ({})", page.subject.word(), page.subject.what());
    let block = |rules: &str| match rules {
        "" => String::new(),
        rules => format!("\n\n```ludwright\n{}\n```", rules.trim_end()),
    };
    for meaning in &page.meanings {
        text.push_str(&block(&meaning.signature));
        text.push_str(&format!("\n\n{}", meaning.text));
        text.push_str(&block(meaning.example));
    }
    if let Some(mistake) = &page.mistake {
        text.push_str(&format!("\n\n{}\n\nWrong:", mistake.remedy));
        text.push_str(&block(mistake.wrong));
        text.push_str("\n\nRight:");
        text.push_str(&block(mistake.right));
    }
    text
}
