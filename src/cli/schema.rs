//! `ludwright schema`: prints the JSON Schema of what a command prints with `--format json`.

use super::{
    bench, check, convert, explain, fmt, games, manual, moves, new, perft, plan, replay, show,
    site, solve, test, trace, train, verify,
};
use crate::program::answers::diagnostic::DiagnosticsAnswer;
use crate::program::answers::difference::DiffAnswer;
use crate::program::answers::evaluation::EvalAnswer;
use crate::program::answers::explanation::WhyAnswer;
use crate::program::answers::leave_out::LeaveOutAnswer;
use crate::program::answers::play::PlayAnswer;
#[cfg(feature = "studio")]
use crate::program::answers::studio::StudioAnswer;
use crate::program::arguments::SchemaOf;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::schema::{Answer, joined, part, print};
use crate::program::target::FileAnswer;
use ludwright::measure::write::{ReportAnswer, SweepAnswer};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use std::io::Write;

/// Generates the schema of one kind of output line.
type Part = fn(&mut SchemaGenerator) -> Schema;

/// The lines that the prompt prints.
const PROMPT: &[Part] =
    &[part::<PlayAnswer>, part::<WhyAnswer>, part::<EvalAnswer>, part::<FileAnswer>];

/// The lines that each command prints. The last row is not a command: it is the lines that all
/// commands print to standard error.
const SCHEMAS: &[(&str, &[Part])] = &[
    ("bench", &[part::<bench::BenchAnswer>]),
    ("check", &[part::<check::CheckAnswer>]),
    ("convert", &[part::<convert::ConvertAnswer>]),
    ("diff", &[part::<DiffAnswer>, part::<LeaveOutAnswer>]),
    ("eval", &[part::<EvalAnswer>]),
    ("explain", &[part::<explain::ExplainAnswer>]),
    ("fmt", &[part::<fmt::FmtAnswer>]),
    ("games", &[part::<games::GamesAnswer>]),
    ("manual", &[part::<manual::ManualAnswer>]),
    ("merge", &[SchemaGenerator::subschema_for::<ReportAnswer>]),
    ("moves", &[part::<moves::MovesAnswer>]),
    ("new", &[part::<new::NewAnswer>]),
    ("page", &[part::<FileAnswer>]),
    ("perft", &[part::<perft::PerftAnswer>]),
    ("plan", &[part::<plan::PlanAnswer>]),
    ("play", PROMPT),
    ("playtest", &[SchemaGenerator::subschema_for::<ReportAnswer>]),
    ("replay", &[part::<replay::ReplayAnswer>, PROMPT[0], PROMPT[1], PROMPT[2], PROMPT[3]]),
    ("rules", &[part::<FileAnswer>]),
    ("schema", &[part::<SchemaAnswer>]),
    ("show", &[part::<show::ShowAnswer>, part::<FileAnswer>]),
    ("site", &[part::<site::SiteAnswer>]),
    ("solve", &[part::<solve::SolveAnswer>]),
    #[cfg(feature = "studio")]
    ("studio", &[part::<StudioAnswer>, part::<FileAnswer>]),
    ("sweep", &[SchemaGenerator::subschema_for::<SweepAnswer>]),
    ("test", &[part::<test::TestAnswer>]),
    ("trace", &[part::<trace::TraceAnswer>]),
    ("train", &[part::<train::TrainAnswer>]),
    ("verify", &[part::<verify::VerifyAnswer>]),
    ("why", &[part::<WhyAnswer>]),
    (DiagnosticsAnswer::NAME, &[part::<DiagnosticsAnswer>]),
];

/// What has a schema.
#[derive(Serialize, JsonSchema)]
pub struct SchemaAnswer {
    /// The commands that print JSON, and `diagnostics`.
    commands: Vec<&'static str>,
}

impl Answer for SchemaAnswer {
    const NAME: &'static str = "schema";
}

/// Prints a schema, or the list of what has one.
pub fn run(task: &SchemaOf, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let names = || SCHEMAS.iter().map(|(name, _)| *name);
    let Some(command) = &task.command else {
        match console.json() {
            true => print(&SchemaAnswer { commands: names().collect() }, out)?,
            false => names().try_for_each(|name| writeln!(out, "{name}"))?,
        }
        return Ok(0);
    };
    let Some((name, parts)) = SCHEMAS.iter().find(|(name, _)| name == command) else {
        let message = format!("the command `{command}` has no schema");
        let help = "`ludwright schema` lists those that have one".to_owned();
        return Err(Failure::usage(message).with_help(Some(help)));
    };
    writeln!(out, "{}", serde_json::to_string_pretty(&joined(name, parts))?)?;
    Ok(0)
}
