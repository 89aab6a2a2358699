//! `ludwright trace`: replays a record and prints what each clause did in each ply.

use crate::program::answers::evaluation::{self, EvaluationAnswer};
use crate::program::answers::position::ResultAnswer;
use crate::program::answers::story::{StoryAnswer, describe_story, tell};
use crate::program::answers::subject::Subject;
use crate::program::arguments::Trace;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_record;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, print};
use ludwright::engine::game::State;
use ludwright::evaluate::Expression;
use ludwright::notation::{PositionText, spell};
use ludwright::reference::{Interpreter, NoopTracer};
use ludwright::render::diagram;
use ludwright::why::{Story, TOO_LONG};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The beginning of a record, or one of its plies.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TraceAnswer {
    Start {
        #[serde(flatten)]
        subject: Subject,
        /// The first position, as `--position` reads it.
        position: String,
        /// The values of the expressions of `--watch`.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        watched: Vec<EvaluationAnswer>,
    },
    Ply {
        /// The number of the ply, from 1.
        ply: usize,
        #[serde(flatten)]
        story: StoryAnswer,
        /// The position before it.
        before: String,
        /// The position after it.
        after: String,
        #[serde(flatten)]
        result: ResultAnswer,
        /// The values of the expressions of `--watch` after it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        watched: Vec<EvaluationAnswer>,
    },
}

impl Answer for TraceAnswer {
    const NAME: &'static str = "trace";
}

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
            let ply = TraceAnswer::Ply {
                ply: index + 1,
                story: describe_story(&story, rules, &loaded.source),
                before,
                after: written(&position),
                result: ResultAnswer::of(&position),
                watched: describe_values(&watched, &position)?,
            };
            print(&ply, out)?;
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
fn describe_values(
    watched: &[Expression],
    position: &State,
) -> Result<Vec<EvaluationAnswer>, Failure> {
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
    if console.json() {
        let first = TraceAnswer::Start {
            subject: Subject::of(position.game().rules()),
            position: written(position),
            watched: describe_values(watched, position)?,
        };
        print(&first, out)?;
    } else {
        writeln!(out, "{}{}", diagram(position), tell_values(watched, position)?)?;
    }
    Ok(())
}

fn written(position: &State) -> String {
    PositionText::of(position).write(position.game())
}
