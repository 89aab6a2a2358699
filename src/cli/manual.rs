//! `ludwright manual`: prints the manual of the language, or a grammar of it for editors.

use crate::program::arguments::Manual;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::schema::{Answer, print};
use ludwright::language::manual::manual;
use ludwright::language::{textmate, vim};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The manual of the language, or the grammar that was asked for.
#[derive(Serialize, JsonSchema)]
pub struct ManualAnswer {
    /// The manual in Markdown; the grammar in the format of the editor.
    manual: String,
}

impl Answer for ManualAnswer {
    const NAME: &'static str = "manual";
}

/// Prints the manual, or a grammar.
pub fn run(task: &Manual, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let text = match (task.textmate, task.vim) {
        (true, _) => textmate::grammar(),
        (_, true) => vim::syntax(),
        _ => manual(),
    };
    match console.json() {
        true => print(&ManualAnswer { manual: text }, out)?,
        false => write!(out, "{text}")?,
    }
    Ok(0)
}
