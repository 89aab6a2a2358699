//! `ludwright manual`: the manual of the language.

use super::failure::Failure;
use super::screen::Screen;
use ludwright::language::manual::manual;
use serde_json::json;
use std::io::Write;

/// Prints the manual.
pub fn run(screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    match screen.json() {
        true => writeln!(out, "{}", json!({ "manual": manual() }))?,
        false => write!(out, "{}", manual())?,
    }
    Ok(0)
}
