//! `ludwright trace`: replays a record and prints what each clause did in each ply.
//!
//! In JSON each line is an object. The first has the keys `game`, `options` and `position`. One for
//! each ply has `ply` (from 1), `to_move` (a player or `chance`), `played`, `clauses`, `before` and
//! `after` (positions, as `--position` reads them) and `result` (null while the game goes on). A
//! clause has `part` (`move`, `end`, `play` or `repetition`), `kind` (`choice`, `requirement`,
//! `condition`, `let`, `effect`, `turn-end`, `no-move`, `repetition` or `result`), its place
//! (`file`, `line`, `column`, `start`, `end`, `text`), `says` (its outcome) and `notes` (the values
//! in it, each with its place and `says`). With `--watch`, the first line and one for each ply also
//! have `watched`, a list of values as `eval` describes them.

use super::arguments::Trace;
use super::console::Console;
use super::eval;
use super::failure::Failure;
use super::files::read_record;
use super::game::Loaded;
use super::why::place;
use ludwright::engine::game::State;
use ludwright::evaluate::Expression;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::clause::quote;
use ludwright::notation::{PositionText, outcome, spell};
use ludwright::reference::{Interpreter, NoopTracer};
use ludwright::render::diagram;
use ludwright::syntax::Span;
use ludwright::why::{Happening, Story, TOO_LONG};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Traces the plies of a record. The plies before an illegal one are still printed.
pub fn run(task: &Trace, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let record = read_record(&task.record)?;
    let loaded = Loaded::new(&task.game, Some((&task.record, &record)), console)?;
    let rules = loaded.game.rules();
    let first =
        record.begin(&loaded.game).map_err(|stopped| loaded.stopped(&task.record, stopped))?;
    let mut position = first.clone();
    let mut interpreter = match record.start.is_empty() {
        true => Interpreter::start(rules, &mut NoopTracer).map_err(|_| Failure::input(TOO_LONG))?,
        false => Interpreter::with_past(&first),
    };
    let watched = task
        .watch
        .iter()
        .map(|text| Expression::parse(&loaded.game, text))
        .collect::<Result<Vec<Expression>, _>>()
        .map_err(|rejected| Failure::Rejected(Box::new(rejected)))?;
    begin(&position, &watched, console, out)?;
    for index in 0..record.plies.len() {
        let ply = record
            .ply(index, &position)
            .map_err(|stopped| loaded.stopped(&task.record, stopped))?;
        let before = written(&position);
        record
            .play(index, &mut position)
            .map_err(|stopped| loaded.stopped(&task.record, stopped))?;
        // The engine has accepted the ply, so only the interpreter's limit can stop it.
        let spelled = spell(rules, &ply);
        let story = Story::of(&mut interpreter, &ply)
            .map_err(|_| Failure::input(format!("ply {}, `{spelled}`: {TOO_LONG}", index + 1)))?;
        if console.json() {
            let mut line = Map::from_iter([("ply".to_owned(), json!(index + 1))]);
            line.extend(describe_story(&story, rules, &loaded.source));
            line.insert("before".to_owned(), json!(before));
            line.insert("after".to_owned(), json!(written(&position)));
            line.insert(
                "result".to_owned(),
                json!(position.outcome().map(|over| outcome(rules, Some(over)))),
            );
            if !watched.is_empty() {
                line.insert("watched".to_owned(), describe_values(&watched, &position)?);
            }
            writeln!(out, "{}", Value::Object(line))?;
        } else {
            write!(
                out,
                "{:>4}. {}\n{}{}\n",
                index + 1,
                tell(&story, rules, &loaded.source),
                diagram(&position),
                tell_values(&watched, &position)?
            )?;
        }
    }
    Ok(0)
}

/// Describes the watched values in JSON.
fn describe_values(watched: &[Expression], position: &State) -> Result<Value, Failure> {
    let value = |expression: &Expression| {
        let evaluation = expression.evaluate(position).map_err(Failure::input)?;
        Ok(eval::describe(expression, &evaluation))
    };
    watched.iter().map(value).collect()
}

/// Writes the watched values, one per line.
fn tell_values(watched: &[Expression], position: &State) -> Result<String, Failure> {
    let line = |expression: &Expression| {
        let evaluation = expression.evaluate(position).map_err(Failure::input)?;
        let told = evaluation.describe(expression.rules()).replace('\n', "; ");
        Ok(format!("{}: {told}\n", expression.text()))
    };
    watched.iter().map(line).collect()
}

fn begin(
    position: &State,
    watched: &[Expression],
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rules = position.game().rules();
    if console.json() {
        let options = rules
            .options
            .iter()
            .map(|option| (option.name.clone(), json!(option.values[option.chosen])));
        let options: Map<String, Value> = options.collect();
        let mut line =
            json!({ "game": rules.title, "options": options, "position": written(position) });
        if !watched.is_empty() {
            line["watched"] = describe_values(watched, position)?;
        }
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{}{}", diagram(position), tell_values(watched, position)?)?;
    }
    Ok(())
}

fn written(position: &State) -> String {
    PositionText::of(position).write(position.game())
}

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

/// Quotes a clause with its line, and with its file if there are several.
pub fn locate(clause: Span, rules: &Rules, source: &Sources) -> String {
    let (file, span) = source.place(clause);
    let line = source.text_of(file)[..span.start].matches('\n').count() + 1;
    let name = if source.names().len() > 1 {
        source.names().nth(file).unwrap_or_default()
    } else {
        "line"
    };
    format!("{name} {line}, {}", quote(rules, clause))
}
