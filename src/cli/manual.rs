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

/// The manual of the language.
#[derive(Serialize, JsonSchema)]
pub struct ManualAnswer {
    /// In Markdown.
    manual: String,
}

impl Answer for ManualAnswer {
    const NAME: &'static str = "manual";
}

/// Prints the manual, or a grammar.
pub fn run(task: &Manual, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    match console.json() {
        _ if task.textmate => write!(out, "{}", textmate::grammar())?,
        _ if task.vim => write!(out, "{}", vim::syntax())?,
        true => print(&ManualAnswer { manual: manual() }, out)?,
        false => write!(out, "{}", manual())?,
    }
    Ok(0)
}
