//! `ludwright completions`: a shell in, what completes this program's command lines there out.

use super::arguments::{Arguments, Completions};
use super::failure::Failure;
use clap::CommandFactory;
use std::io::Write;

/// Prints the completions.
pub fn run(task: &Completions, out: &mut dyn Write) -> Result<u8, Failure> {
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    // Made in memory first: a pipe that is closed is no reason to panic.
    let mut script = Vec::new();
    clap_complete::generate(task.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(0)
}
