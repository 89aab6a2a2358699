//! `ludwright manual`: prints the manual of the language, or a TextMate grammar of it.

use super::arguments::Manual;
use super::console::Console;
use super::failure::Failure;
use ludwright::language::manual::manual;
use ludwright::language::textmate::grammar;
use serde_json::json;
use std::io::Write;

/// Prints the manual, or the grammar.
pub fn run(task: &Manual, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    match console.json() {
        _ if task.textmate => write!(out, "{}", grammar())?,
        true => writeln!(out, "{}", json!({ "manual": manual() }))?,
        false => write!(out, "{}", manual())?,
    }
    Ok(0)
}
