//! `ludwright merge`: parts of a playtest in, the report of all of them out.

use super::arguments::Merge;
use super::failure::Failure;
use super::files::read_text;
use super::report::{kinds, show};
use super::screen::Screen;
use ludwright::measure::{Mismatch, Report, Results, write};
use std::io::Write;
use std::path::Path;

/// The largest part, in bytes.
const LIMIT: usize = 1 << 30;

/// Puts parts together and reports them.
pub fn run(task: &Merge, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let kinds = kinds(&task.output)?;
    let mut whole: Option<Results> = None;
    for path in &task.parts {
        let part = read(path)?;
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => whole.join(part).map_err(|mismatch| refuse(path, &task.parts[0], mismatch))?,
        }
    }
    let Some(mut results) = whole else { return Ok(0) };
    results.settle();
    let source = results.plan.sources();
    let game = ludwright::load(&source, &results.plan.options).map_err(|rejected| {
        let path = task.parts[0].display();
        Failure::input(format!("{path}: the rules in it are none that this program can play: {rejected}"))
    })?;
    if game.rules().players.len() != results.plan.players.len() {
        return Err(Failure::input(format!("{}: the rules in it have other players than its plan", task.parts[0].display())));
    }
    let report = Report::new(&game, &source, &results);
    if !report.is_complete() {
        screen.warn(&format!("these parts have {} of {} lots of games", report.played.0, report.played.1));
    }
    show(&report, &task.output, &kinds, screen, out)?;
    Ok(0)
}

fn read(path: &Path) -> Result<Results, Failure> {
    let text = read_text(path, LIMIT)?;
    write::read(&text).map_err(|why| Failure::input(format!("{}: {why}", path.display())))
}

fn refuse(path: &Path, first: &Path, mismatch: Mismatch) -> Failure {
    let (path, first) = (path.display(), first.display());
    match mismatch {
        Mismatch::Plan => {
            let help = "the parts of a playtest have the same rules, options, `--games`, `--seat` and `--seed`, and were made by the same version of the program";
            Failure::input(format!("{path} and {first} are parts of different playtests")).with_help(Some(help.to_owned()))
        }
        Mismatch::Lot(lot) => {
            let help = "players who think by the clock play otherwise each time: then no two parts may have the same lots";
            Failure::input(format!("{path} has lot {lot}, which came out otherwise in a part before it")).with_help(Some(help.to_owned()))
        }
        Mismatch::Strange(lot) => Failure::input(format!("{path} has a lot {lot} that is none of its playtest")),
    }
}
