//! `ludwright games`: lists the games that come with the program.

use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::output::Out;
use crate::program::schema::{Answer, print};
use ludwright::catalog::{Entry, entries, summary};
use ludwright::language::check;
use ludwright::language::rules::Rules;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// The games that come with the program.
#[derive(Serialize, JsonSchema)]
pub struct GamesAnswer {
    games: Vec<GameEntry>,
}

impl Answer for GamesAnswer {
    const NAME: &'static str = "games";
}

/// A game that comes with the program.
#[derive(Serialize, JsonSchema)]
struct GameEntry {
    /// Its name in commands.
    name: &'static str,
    /// `shipped` or `classic`.
    group: &'static str,
    title: String,
    /// The first sentence of its description.
    about: String,
}

/// Lists the built-in games, one per line.
pub fn run(console: &Console, out: &mut Out) -> Result<u8, Failure> {
    let entries = entries();
    let rules: Vec<(&Entry, Option<Rules>)> =
        entries.iter().map(|entry| (entry, check(entry.sources(), &[]).rules)).collect();
    if console.json() {
        let games = rules.iter().filter_map(|(entry, rules)| {
            let rules = rules.as_ref()?;
            Some(GameEntry {
                name: entry.name,
                group: entry.group,
                title: rules.title.clone(),
                about: summary(rules),
            })
        });
        print(&GamesAnswer { games: games.collect() }, out)?;
        return Ok(0);
    }
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for (entry, rules) in rules {
        let about = rules.as_ref().map(summary).unwrap_or_default();
        writeln!(out, "{:width$}  {about}", entry.name)?;
    }
    Ok(0)
}
