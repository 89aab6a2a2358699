//! `ludwright games`: lists the games that come with the program.

use crate::program::catalog::{Entry, entries, summary};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::output::Out;
use ludwright::language::check;
use ludwright::language::rules::Rules;
use serde_json::json;
use std::io::Write;

/// Lists the built-in games, one per line.
pub fn run(console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let entries = entries();
    let rules: Vec<(&Entry, Option<Rules>)> =
        entries.iter().map(|entry| (entry, check(entry.sources(), &[]).rules)).collect();
    if console.json() {
        let games = rules.iter().filter_map(|(entry, rules)| {
            let rules = rules.as_ref()?;
            Some(json!({ "name": entry.name, "group": entry.group, "title": rules.title, "about": summary(rules) }))
        });
        writeln!(out, "{}", json!({ "games": games.collect::<Vec<_>>() }))?;
        return Ok(0);
    }
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for (entry, rules) in rules {
        let about = rules.as_ref().map(summary).unwrap_or_default();
        writeln!(out, "{:width$}  {about}", entry.name)?;
    }
    Ok(0)
}
