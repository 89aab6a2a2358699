//! `ludwright manual`: prints the manual of the language, or a grammar of it for editors.

use crate::program::arguments::Manual;
use crate::program::console::Console;
use crate::program::failure::Failure;
use ludwright::language::manual::manual;
use ludwright::language::{textmate, vim};
use serde_json::json;
use std::io::Write;

/// Prints the manual, or a grammar.
pub fn run(task: &Manual, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    match console.json() {
        _ if task.textmate => write!(out, "{}", textmate::grammar())?,
        _ if task.vim => write!(out, "{}", vim::syntax())?,
        true => writeln!(out, "{}", json!({ "manual": manual() }))?,
        false => write!(out, "{}", manual())?,
    }
    Ok(0)
}
