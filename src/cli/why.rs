//! `ludwright why`: explains why a move is legal or not, what the last plies did, or how the game
//! ended.
//!
//! In JSON an answer has the keys `about`, `verdict` (`legal`, `not-offered`, `requirement`,
//! `incomplete`, `not-now`, `over`, `unreadable` or, about an expression, `value`), `message`, `clause` (the decisive clause, or
//! null), `notes` (places with remarks) and `help`. A place has `file`, `line`, `column`, `start`
//! and `end` (bytes of the file) and `text`, the text there on one line; a note also has `says`. If
//! `--position` fits several turns, `assumed` names the ply assumed. The account of a ply has the
//! keys of `trace`.

use super::arguments::Why;
use super::console::{Console, broken};
use super::failure::Failure;
use super::game::Loaded;
use super::trace::{describe_story, tell};
use ludwright::diagnostics::Places;
use ludwright::evaluate::{Expression, is_expression};
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::clause::quote;
use ludwright::syntax::Span;
use ludwright::why::{Answer, Reply, Verdict, ask};
use serde_json::{Value, json};
use std::io::Write;

/// Answers a question. The exit code is 1 if it cannot be read.
pub fn run(task: &Why, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let question = task.question.join(" ");
    if is_expression(&question) {
        let expression = Expression::parse(&loaded.game, &question)
            .map_err(|rejected| Failure::Rejected(Box::new(rejected)))?;
        let answer = expression.explain(&position).map_err(Failure::input)?;
        if console.json() {
            let rules = expression.rules();
            let told = describe(&answer, rules, &rules.files);
            writeln!(out, "{}", loaded.add_assumed(told))?;
        } else {
            show_value(&expression, &answer, console, out)?;
        }
        return Ok(0);
    }
    let reply = ask(&position, &question).map_err(Failure::input)?;
    match &reply {
        Reply::Answers(answers) if console.json() => {
            for answer in answers {
                writeln!(
                    out,
                    "{}",
                    loaded.add_assumed(describe(answer, loaded.game.rules(), &loaded.source))
                )?;
            }
        }
        _ => show(&reply, loaded.game.rules(), &loaded.source, console, usize::MAX, out)?,
    }
    let is_unreadable = |answer: &Answer| answer.verdict == Verdict::Unreadable;
    Ok(match reply {
        Reply::Answers(answers) if answers.iter().any(is_unreadable) => 1,
        _ => 0,
    })
}

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

/// Describes a place in the rules.
pub fn place(span: Span, rules: &Rules, source: &Sources) -> Value {
    let (file, local) = source.place(span);
    let place = Places::new(source.text_of(file)).of(local.start);
    json!({
        "file": source.names().nth(file).unwrap_or_default(),
        "line": place.line,
        "column": place.column,
        "start": local.start,
        "end": local.end,
        "text": quote(rules, span).trim_matches('`'),
    })
}
