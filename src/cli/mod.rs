//! Arguments in, text or JSON out.
//!
//! Each command is a file. What a command finds out goes to standard output, what it has to complain of to standard error. No rule is decided here.

mod arguments;
mod bench;
mod check;
mod claims;
mod completions;
mod diagnostics;
mod diff;
mod engine;
mod explain;
mod failure;
mod files;
mod fmt;
mod game;
mod journal;
mod ledger;
#[cfg(feature = "lsp")]
mod lsp;
mod manual;
mod merge;
mod moves;
mod new;
mod perft;
mod places;
mod plan;
mod play;
mod playtest;
mod prompt;
mod readers;
mod replay;
mod report;
mod screen;
mod show;
mod solve;
mod sweep;
mod test;
mod trace;
mod watch;
mod why;

use arguments::{Arguments, Task};
use clap::Parser;
use failure::Failure;
use screen::Screen;
use std::io::Write;
use std::process::ExitCode;

/// Does what the arguments say. The exit code is 0 if all is well, 1 if the input is at fault, 2 if the command is, or a file cannot be read,
/// and 3 if what was asked could not be found out.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let screen = Screen::new(arguments.common.format, arguments.common.color);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let done = run(arguments.task, &screen, &mut out);
    match done.and_then(|code| Ok(out.flush().map(|()| code)?)) {
        Ok(code) => ExitCode::from(code),
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            // What was found out before the failure comes first.
            let _ = out.flush();
            ExitCode::from(screen.fail(&failure))
        }
    }
}

fn run(task: Task, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    match task {
        Task::Check(task) => check::run(&task, screen, out),
        Task::Moves(task) => moves::run(&task, screen, out),
        Task::Perft(task) => perft::run(&task, screen, out),
        Task::Replay(task) => replay::run(&task, screen, out),
        Task::Bench(task) => bench::run(&task, screen, out),
        Task::Solve(task) => solve::run(&task, screen, out),
        Task::Playtest(task) => playtest::run(&task, screen, out),
        Task::Merge(task) => merge::run(&task, screen, out),
        Task::Sweep(task) => sweep::run(&task, screen, out),
        Task::Play(task) => play::run(&task, screen, out),
        Task::Engine(task) => engine::run(&task, screen, out),
        Task::Show(task) => show::run(&task, screen, out),
        Task::Why(task) => why::run(&task, screen, out),
        Task::Plan(task) => plan::run(&task, screen, out),
        Task::Trace(task) => trace::run(&task, screen, out),
        Task::Test(task) => test::run(&task, screen, out),
        Task::Diff(task) => diff::run(&task, screen, out),
        Task::Fmt(task) => fmt::run(&task, screen, out),
        Task::Explain(task) => explain::run(&task, screen, out),
        #[cfg(feature = "lsp")]
        Task::Lsp => lsp::run(out),
        Task::New(task) => new::run(&task, screen, out),
        Task::Manual(task) => manual::run(&task, screen, out),
        Task::Completions(task) => completions::run(&task, out),
    }
}
