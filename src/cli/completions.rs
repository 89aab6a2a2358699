//! `ludwright completions`: prints the completion script for a shell.

use crate::program::arguments::{Arguments, Completions};
use crate::program::failure::Failure;
use clap::CommandFactory;
use std::io::Write;

/// Prints the completion script.
pub fn run(task: &Completions, out: &mut dyn Write) -> Result<u8, Failure> {
    let mut command = Arguments::command();
    let name = command.get_name().to_owned();
    // `generate` panics if writing fails, for example to a closed pipe; memory never fails.
    let mut script = Vec::new();
    clap_complete::generate(task.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(0)
}
