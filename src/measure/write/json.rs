//! Reports as JSON. A report contains all results, so that it can be read again and parts can be
//! merged.
//!
//! # The schema, version 1
//!
//! - `schema`: `"ludwright-playtest"`; `version`: 1. Readers should check both first. `program`:
//!   the version of the program that played. `shard`, for a part: `part` of `of`.
//! - `game`, `options` (by name), `players`, `opening` (the plies that begin every game), `seed`,
//!   `games` (their number).
//! - `remarks`: remarks that qualify all figures. `complete`: whether all batches were played;
//!   `lots`: how many batches were `played`, `of` how many as far as known.
//! - `verdict`: the sentences that the report begins with, each with its `text` and the key of the
//!   `measure` that it rests on (`rules` for the coverage). `strengths`: the players by their plain
//!   names; empty if they were chosen by hand.
//! - `exact`: the boards that were solved, the largest last, each with the `options` in which it
//!   differs from the game, its `value` (`win` of a player's number, `draw`, `never-ends`, `open`,
//!   or the `score` of the first player), the `plies` to a win, how many of the `first` plies are
//!   `optimal`, the `positions` searched, and the `games` of equal players of each strength there.
//!   `tabulated`: whether the values of all positions are known. `first_plies`, of the game itself:
//!   each `ply`, the `site` that it chooses last and, if it is known, the `value` after it.
//!   `training`: the `method`, `exploration` (if it is not the usual one), `games`, `score` (of how
//!   many games, `of`) and `fingerprint` of the training that players use; null if none is kept.
//! - `measures`: each with `key`, `title`, `definition` and `figures`; optionally `notes` and
//!   `plots`. A figure has `what` (such as a player, or `median`), `who` (the pairing), `unit`
//!   (`share`, `number`, `count` or `power-of-ten`, the decimal logarithm), `value`, `low` and
//!   `high` (the 95 % interval; null if unbounded), `error` (the standard error), `sample` and `of`
//!   (what the sample counts). A plot has `title`, `across`, `up` and `shape`: `histogram` (`from`,
//!   `width`, `heights`), `lines` (`name`, `points`) or `intervals` (`neutral`, `points`).
//! - `openings`: for each first `ply`, where they were judged, the expected score of each player in
//!   thousandths (`chances`) and the number of the `site` that it chooses last.
//! - `sites`: for each `who` the frequency of each site among all choices of sites.
//! - `coverage`: `games` and `positions` in the sample, and `clauses`, each with its place (`file`,
//!   `line`, `column` from 1, `start` and `end` in bytes, `text`), `role` (`question`, `choice`,
//!   `effect` or `result`), `asked`, `held` and `decided`.
//! - `records`: the longest, the shortest, the most decisive and the most dramatic game, each with
//!   `title`, `why`, `record` and `critical`: the plies after which the winning chances changed
//!   most, each with its number `ply` in the record, from 1, and `text`.
//! - `played`: the `plan` (including the files of the game) and the `lots` with the rows of all
//!   recorded games, in the format of [`Results`]. `ludwright merge` reads it; it changes with the
//!   version.

use crate::measure::Opening;
use crate::measure::report::Report;
use crate::measure::results::Results;
use crate::notation::clause::quote;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Identifies JSON as a report.
pub const SCHEMA: &str = "ludwright-playtest";
/// The schema version that is written and read.
pub const VERSION: u64 = 1;
/// The version of this program.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// A report that was read.
#[derive(Clone, Debug)]
pub struct ReportPart {
    pub results: Results,
    /// The version of the program that played it; `None` in reports that lack the key.
    pub program: Option<String>,
    /// The shard and the number of shards, from 1, if the report is one of several.
    pub shard: Option<(usize, usize)>,
}

/// Converts a report to JSON.
///
/// # Errors
/// Returns the error of the serializer, if any.
pub fn json(report: &Report) -> Result<Value, serde_json::Error> {
    let plan = &report.results.plan;
    let options: Map<String, Value> =
        plan.options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let clauses: Vec<Value> = report
        .coverage
        .clauses
        .iter()
        .map(|clause| describe(report, clause))
        .collect::<Result<_, _>>()?;
    let strengths: Map<String, Value> = report
        .strengths
        .list()
        .iter()
        .map(|(kind, name)| (name.clone(), json!(kind.to_string())))
        .collect();
    let openings: Vec<&Opening> = report.results.openings().collect();
    Ok(json!({
        "schema": SCHEMA,
        "version": VERSION,
        "program": PROGRAM,
        "game": plan.game,
        "options": options,
        "players": plan.players,
        "opening": plan.opening,
        "seed": plan.seed,
        "games": report.games(),
        "complete": report.is_complete(),
        "lots": { "played": report.played.0, "of": report.played.1 },
        "remarks": report.remarks(),
        "verdict": serde_json::to_value(&report.verdict)?,
        "strengths": strengths,
        "exact": serde_json::to_value(report.results.exact().collect::<Vec<_>>())?,
        "training": serde_json::to_value(&plan.training)?,
        "measures": serde_json::to_value(&report.measures)?,
        "openings": serde_json::to_value(openings)?,
        "sites": serde_json::to_value(&report.heat)?,
        "coverage": { "games": report.coverage.games, "positions": report.coverage.positions, "clauses": clauses },
        "records": serde_json::to_value(&report.records)?,
        "played": serde_json::to_value(report.results)?,
    }))
}

fn describe(
    report: &Report,
    clause: &crate::measure::report::ClauseUse,
) -> Result<Value, serde_json::Error> {
    let (file, span) = report.sources.place(clause.span);
    let text = report.sources.text_of(file);
    let before = text.get(..span.start).unwrap_or_default();
    let place = json!({
        "file": report.sources.names().nth(file).unwrap_or_default(),
        "line": before.matches('\n').count() + 1,
        "column": before.chars().rev().take_while(|character| *character != '\n').count() + 1,
        "start": span.start,
        "end": span.end,
        "text": quote(report.game.rules(), clause.span).trim_matches('`'),
    });
    let mut described = match place {
        Value::Object(place) => place,
        _ => Map::new(),
    };
    if let Value::Object(found) = serde_json::to_value(clause)? {
        described.extend(found);
    }
    Ok(Value::Object(described))
}

/// Reads the results in a report.
///
/// # Errors
/// Returns a message if the text is not a valid report.
pub fn read(text: &str) -> Result<Results, String> {
    read_part(text).map(|part| part.results)
}

/// Reads the results in a report, with its origin.
///
/// # Errors
/// Returns a message if the text is not a valid report.
pub fn read_part(text: &str) -> Result<ReportPart, String> {
    #[derive(Deserialize)]
    struct Shard {
        part: usize,
        of: usize,
    }
    #[derive(Deserialize)]
    struct Head {
        schema: Option<String>,
        version: Option<u64>,
        program: Option<String>,
        shard: Option<Shard>,
    }
    #[derive(Deserialize)]
    struct Whole {
        played: Results,
    }
    let head: Head =
        serde_json::from_str(text).map_err(|error| format!("it is not a JSON report: {error}"))?;
    match (head.schema.as_deref(), head.version) {
        (Some(SCHEMA), Some(VERSION)) => {}
        (Some(SCHEMA), Some(version)) => {
            return Err(format!("it has version {version}; this program reads version {VERSION}"));
        }
        _ => {
            return Err(format!(
                "it is not a report of a playtest: it has no `\"schema\": \"{SCHEMA}\"`"
            ));
        }
    }
    let Whole { played } = serde_json::from_str(text)
        .map_err(|error| format!("cannot read the games in it: {error}"))?;
    played.plan.check()?;
    let mut results = Results::new(played.plan);
    match results.add(played.lots) {
        Ok(()) => {
            let shard = head
                .shard
                .map(|Shard { part, of }| (part, of))
                .filter(|&(part, of)| 1 <= part && part <= of);
            Ok(ReportPart { results, program: head.program, shard })
        }
        Err(_) => Err("its games do not match its plan".to_owned()),
    }
}
