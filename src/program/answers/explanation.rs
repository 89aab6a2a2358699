//! Says why a move is legal or not, and how a value came about, as text or JSON.

use super::place::place;
use super::story::{describe_story, tell};
use crate::program::console::{Console, broken};
use crate::program::failure::Failure;
use ludwright::evaluate::Expression;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::why::{Answer, Reply};
use serde_json::{Value, json};
use std::io::Write;

/// Prints the explanation of a value.
pub fn show_value(
    expression: &Expression,
    answer: &Answer,
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rules = expression.rules();
    match console.json() {
        true => writeln!(out, "{}", describe(answer, rules, &rules.files))?,
        false => write!(out, "{}", console.answer(&rules.files, answer))?,
    }
    Ok(())
}

/// Prints a reply. The lines of a ply's account are wrapped at `width` columns.
pub fn show(
    reply: &Reply,
    rules: &Rules,
    source: &Sources,
    console: &Console,
    width: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match reply {
        Reply::Answers(answers) if console.json() => {
            for answer in answers {
                writeln!(out, "{}", describe(answer, rules, source))?;
            }
        }
        Reply::Answers(answers) => {
            for answer in answers {
                write!(out, "{}", console.answer(source, answer))?;
            }
        }
        Reply::Stories(stories) if console.json() => {
            for story in stories {
                writeln!(out, "{}", Value::Object(describe_story(story, rules, source)))?;
            }
        }
        Reply::Stories(stories) => {
            for story in stories {
                write!(out, "{}", broken(&tell(story, rules, source), width))?;
            }
        }
    }
    Ok(())
}

pub fn describe(answer: &Answer, rules: &Rules, source: &Sources) -> Value {
    let notes = answer.notes.iter().map(|note| {
        let mut place = place(note.span, rules, source);
        place["says"] = json!(note.text);
        place
    });
    json!({
        "about": answer.about,
        "verdict": answer.verdict.name(),
        "message": answer.message,
        "clause": answer.clause.map(|clause| place(clause, rules, source)),
        "notes": notes.collect::<Vec<Value>>(),
        "help": answer.help,
    })
}
