//! The command line: parses arguments, runs a command, prints text or JSON.
//!
//! Each command has a file of its own. Results go to standard output, failures to standard error.
//! What a command computes belongs to the library; these modules load, call and print.

mod bench;
mod check;
mod compare_with;
mod completions;
mod convert;
mod diff;
mod engine;
mod eval;
mod explain;
mod fault;
mod fmt;
mod games;
mod interrupt;
mod ledger;
mod left_out;
#[cfg(feature = "lsp")]
mod lsp;
mod man;
mod manual;
mod merge;
mod moves;
mod new;
mod page;
mod perft;
mod plan;
mod play;
mod playtest;
mod prompt;
mod puzzles;
mod quiet;
mod replay;
mod report;
mod rules;
mod schema;
mod show;
mod site;
mod solve;
mod sweep;
mod test;
mod trace;
mod train;
mod verify;
mod watch;
mod why;

use crate::program::answers::diagnostic::DiagnosticAnswer;
#[cfg(feature = "studio")]
use crate::program::arguments::Studio;
use crate::program::arguments::{Arguments, Format, Task};
use crate::program::console::{Console, tell_in_json};
use crate::program::failure::Failure;
use crate::program::output::{self, Form, Out};
use clap::Parser;
use ludwright::syntax::visible::{is_hidden, shorten};
use std::io::Write;
use std::process::ExitCode;

/// The command that starts the studio. Commands know nothing of the studio, so `main` passes it.
#[cfg(feature = "studio")]
pub type StudioCommand = fn(&Studio, &Console, &mut Out) -> Result<u8, Failure>;

/// Runs the command that the arguments name. The exit code is 0 on success, 1 if the input is at
/// fault, 2 if the usage is or a file cannot be read, 3 if the answer could not be found, and 70
/// after an internal error.
pub fn main(#[cfg(feature = "studio")] studio: StudioCommand) -> ExitCode {
    fault::watch();
    ludwright::learn::store::set_lookup(train::look_up);
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misused(&error),
    };
    let console = Console::new(arguments.common.format, arguments.common.color);
    let form = match (&arguments.task, arguments.common.format) {
        #[cfg(feature = "lsp")]
        (Task::Lsp, _) => Form::Data,
        (Task::Manual(_) | Task::Man(_) | Task::Schema(_) | Task::Completions(_), Format::Text) => {
            Form::Data
        }
        (_, Format::Json) => Form::Json,
        (_, Format::Text) => Form::Text,
    };
    let mut out = Out::new(form);
    let done = run(
        arguments.task,
        &console,
        &mut out,
        #[cfg(feature = "studio")]
        studio,
    );
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => ExitCode::from(code),
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // Results found before the failure are printed before its message.
            let _ = out.flush();
            ExitCode::from(console.fail(&failure))
        }
    }
}

/// Tests if the arguments ask for JSON. This also works on arguments that clap rejects.
fn asks_for_json() -> bool {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    arguments.iter().any(|argument| argument == "--format=json")
        || arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json")
}

/// Describes clap's error: its first paragraph, and its tips.
fn describe_misuse(error: &clap::Error) -> DiagnosticAnswer {
    let text = shorten(&error.render().to_string()).into_owned();
    let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let message = first.strip_prefix("error: ").unwrap_or(first).to_owned();
    let tips = rest.lines().filter_map(|line| line.trim().strip_prefix("tip: "));
    let tips: Vec<&str> = tips.collect();
    let help = (!tips.is_empty()).then(|| tips.join("; "));
    DiagnosticAnswer::new("error", Some("usage"), &message, help)
}

/// Prints clap's error or help. Arguments quoted in it are escaped and shortened.
fn misused(error: &clap::Error) -> ExitCode {
    let odd = |argument: std::ffi::OsString| {
        let text = argument.to_string_lossy();
        text.contains(is_hidden) || matches!(shorten(&text), std::borrow::Cow::Owned(_))
    };
    if error.use_stderr() && asks_for_json() {
        tell_in_json(vec![describe_misuse(error)]);
    } else if std::env::args_os().any(odd) {
        output::say(&shorten(&error.render().to_string()));
    } else {
        // A failure to write to standard error cannot be reported.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn run(
    task: Task,
    console: &Console,
    out: &mut Out,
    #[cfg(feature = "studio")] studio: StudioCommand,
) -> Result<u8, Failure> {
    match task {
        Task::Check(task) => check::run(&task, console, out),
        Task::Moves(task) => moves::run(&task, console, out),
        Task::Eval(task) => eval::run(&task, console, out),
        Task::Perft(task) => perft::run(&task, console, out),
        Task::Replay(task) => replay::run(&task, console, out),
        Task::Convert(task) => convert::run(&task, console, out),
        Task::Bench(task) => bench::run(&task, console, out),
        Task::Train(task) => train::run(&task, console, out),
        Task::Solve(task) => solve::run(&task, console, out),
        Task::Verify(task) => verify::run(&task, console, out),
        Task::Playtest(task) => playtest::run(&task, console, out),
        Task::Merge(task) => merge::run(&task, console, out),
        Task::Sweep(task) => sweep::run(&task, console, out),
        Task::Play(task) => play::run(&task, console, out),
        Task::Engine(task) => engine::run(&task, console, out),
        Task::Show(task) => show::run(&task, console, out),
        Task::Rules(task) => rules::run(&task, console, out),
        Task::Page(task) => page::run(&task, console, out),
        Task::Site(task) => site::run(&task, console, out),
        Task::Why(task) => why::run(&task, console, out),
        Task::Plan(task) => plan::run(&task, console, out),
        Task::Trace(task) => trace::run(&task, console, out),
        Task::Test(task) => test::run(&task, console, out),
        Task::Diff(task) => diff::run(&task, console, out),
        Task::Fmt(task) => fmt::run(&task, console, out),
        Task::Explain(task) => explain::run(&task, console, out),
        #[cfg(feature = "lsp")]
        Task::Lsp => lsp::run(out),
        #[cfg(feature = "studio")]
        Task::Studio(task) => studio(&task, console, out),
        Task::Games => games::run(console, out),
        Task::New(task) => new::run(&task, console, out),
        Task::Manual(task) => manual::run(&task, console, out),
        Task::Schema(task) => schema::run(&task, console, out),
        Task::Completions(task) => completions::run(&task, out),
        Task::Man(task) => man::run(&task, out),
    }
}
