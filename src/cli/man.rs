//! `ludwright man`: prints a man page.

use crate::program::arguments::{Arguments, Man};
use crate::program::failure::Failure;
use clap::CommandFactory;
use clap_mangen::Man as Page;
use ludwright::notation::clip;
use std::io::Write;

/// Prints the page of the program, or of a command.
pub fn run(task: &Man, out: &mut dyn Write) -> Result<u8, Failure> {
    let mut program = Arguments::command();
    program.build();
    let page = match &task.command {
        None => Page::new(program),
        Some(name) => {
            let known = program.find_subcommand(name).cloned();
            let command = known.ok_or_else(|| {
                Failure::usage(format!("there is no command `{}`", clip(name)))
                    .with_help(Some("`ludwright --help` lists the commands".to_owned()))
            })?;
            let title = format!("ludwright-{}", command.get_name());
            Page::new(command).title(title)
        }
    };
    page.render(&mut *out)?;
    Ok(0)
}
