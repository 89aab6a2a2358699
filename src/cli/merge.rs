//! `ludwright merge`: merges the shards of a playtest into one report.

use super::compare_with::{self, Other};
use super::report::{show, targets};
use crate::program::arguments::Merge;
use crate::program::console::Console;
use crate::program::failure::{Failure, FailureMessage};
use crate::program::files::read_text;
use ludwright::measure::write::{self, ReportPart};
use ludwright::measure::{Mismatch, Report, Results};
use ludwright::notation::{clip, inflected, list};
use std::io::Write;
use std::path::Path;

/// Maximum size of a shard's file, in bytes.
const LIMIT: usize = 1 << 30;

/// Merges shards and reports the result.
pub fn run(task: &Merge, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let targets = targets(&task.output)?;
    let mut whole: Option<ReportPart> = None;
    let mut shards = Vec::new();
    for path in &task.parts {
        let part = read(path)?;
        shards.push(part.shard);
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => join(whole, part, path, &task.parts[0])?,
        }
    }
    let Some(whole) = whole else { return Ok(0) };
    let game = whole
        .game()
        .map_err(|why| Failure::input(format!("{}: {why}", task.parts[0].display())))?;
    let (results, source) = (whole.results, &game.rules().files);
    let others = compare_with::read_reports(&task.compare_with, &results.plan)?;
    let compared: Vec<Report> = others.iter().filter_map(Other::report).collect();
    let report = Report::new(&game, source, &results);
    if !report.is_complete() {
        let (known, lots) = report.played;
        let missing = missing(&results, &shards);
        let message = format!("these parts have {known} of {lots} batches of games: {missing}");
        let help = "the report covers these batches only; for the missing ones run the same command with `--shard` again";
        console.advise(&FailureMessage { message, help: Some(help.to_owned()) });
    }
    let report = match (report.is_complete(), &compared[..]) {
        (_, []) => report,
        (true, compared) => report.compared_with(compared),
        (false, _) => {
            console.warn("only a whole playtest is compared with others");
            report
        }
    };
    show(&report, &task.output, &targets, console, out)?;
    Ok(u8::from(!report.is_complete() || results.hang().is_some()))
}

/// Adds a shard to the merged ones.
fn join(
    whole: &mut ReportPart,
    part: ReportPart,
    path: &Path,
    first: &Path,
) -> Result<(), Failure> {
    let version =
        |program: &Option<String>| program.clone().unwrap_or_else(|| "before 0.1.0".to_owned());
    let versions = [version(&part.program), version(&whole.program)];
    whole.join(part).map_err(|mismatch| refuse(path, first, &versions, mismatch))
}

/// Names what is missing: shards if all files say which they are, otherwise batches.
fn missing(results: &Results, shards: &[Option<(usize, usize)>]) -> String {
    let lots: Vec<usize> = results.missing().into_iter().map(|(number, _)| number).collect();
    let known: Option<Vec<(usize, usize)>> = shards.iter().copied().collect();
    let same = known.filter(|known| known.iter().all(|(_, of)| *of == known[0].1));
    let Some(shards) = same else {
        let numbers: Vec<String> = lots.iter().map(ToString::to_string).collect();
        return format!(
            "{} {} missing",
            inflected(lots.len() as u64, "batch"),
            clip(&numbers.join(", "))
        );
    };
    let of = shards[0].1;
    let (mut absent, mut cut) = (Vec::new(), Vec::new());
    for part in 1..=of {
        if lots.iter().any(|lot| lot % of == part - 1) {
            let has = shards.iter().any(|(known, _)| *known == part);
            if has { &mut cut } else { &mut absent }.push(format!("{part}/{of}"));
        }
    }
    let told = |parts: &[String], one: &str, many: &str| match parts {
        [] => None,
        [part] => Some(format!("part {part} {one}")),
        parts => Some(format!("parts {} {many}", list(parts, "and"))),
    };
    let told =
        [told(&absent, "is missing", "are missing"), told(&cut, "is incomplete", "are incomplete")];
    told.into_iter().flatten().collect::<Vec<String>>().join("; ")
}

fn read(path: &Path) -> Result<ReportPart, Failure> {
    let text = read_text(path, LIMIT)?;
    write::read_part(&text).map_err(|why| Failure::input(format!("{}: {why}", path.display())))
}

fn refuse(path: &Path, first: &Path, versions: &[String; 2], mismatch: Mismatch) -> Failure {
    let (path, first) = (path.display(), first.display());
    match mismatch {
        Mismatch::Program => {
            let [one, other] = versions;
            let help = "versions can play differently; play all parts with the same version";
            Failure::input(format!(
                "{path} and {first} were played by different versions of the program, {one} and {other}"
            ))
            .with_help(Some(help.to_owned()))
        }
        Mismatch::Rules => {
            let help = "all parts need the same rules; play the others again";
            Failure::input(format!("{path} and {first} were played under different rules"))
                .with_help(Some(help.to_owned()))
        }
        Mismatch::Plan => {
            let help = "all parts of a playtest need the same rules, options, `--games`, `--seat` and `--seed`, the same training if one is kept, and the same version of the program";
            Failure::input(format!("{path} and {first} are parts of different playtests"))
                .with_help(Some(help.to_owned()))
        }
        Mismatch::Batch(lot) => {
            let help = "players with a time limit play differently each time, so no two parts may contain the same batch";
            Failure::input(format!(
                "batch {lot} of {path} differs from the same batch in an earlier part"
            ))
            .with_help(Some(help.to_owned()))
        }
        Mismatch::Strange(lot) => {
            Failure::input(format!("{path} has a batch {lot} that its playtest does not have"))
        }
    }
}
