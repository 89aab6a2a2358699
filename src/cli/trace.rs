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

use crate::program::answers::evaluation;
use crate::program::answers::story::{describe_story, tell};
use crate::program::arguments::Trace;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_record;
use crate::program::game::Loaded;
use ludwright::engine::game::State;
use ludwright::evaluate::Expression;
use ludwright::notation::{PositionText, outcome, spell};
use ludwright::reference::{Interpreter, NoopTracer};
use ludwright::render::diagram;
use ludwright::why::{Story, TOO_LONG};
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
        Ok(evaluation::describe(expression, &evaluation))
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
