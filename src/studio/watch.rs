//! Work at desks without requests: games are played for a moment to find faults that checking does
//! not show, and changed files are read from the disk.

use super::folder::hash;
use super::{DeskCell, Studio, lock, thinking};
use crate::program::game::findings;
use ludwright::analysis::Effort;
use ludwright::desk::Files;
use serde_json::json;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The interval between two rounds over all desks.
const PACE: Duration = Duration::from_millis(200);
/// The time for which a text must stay unchanged before its game is tried out.
const QUIET: Duration = Duration::from_millis(500);
/// The interval between two readings of the files.
const DISK_PACE: Duration = Duration::from_secs(1);

/// The last seen state of a desk.
struct Known {
    /// The last seen number of checks, and the time of the change.
    checks: u64,
    since: Instant,
    is_observed: bool,
    /// The file content that the page was last told about.
    told: Option<String>,
    /// Whether the page was told that the file is gone.
    is_gone: bool,
}

/// Watches all desks until the program ends.
pub fn run(studio: &Arc<Studio>) {
    let mut known: HashMap<String, Known> = HashMap::new();
    let mut read = Instant::now();
    loop {
        std::thread::sleep(PACE);
        let desks: Vec<Arc<DeskCell>> = lock(&studio.desks).clone();
        known.retain(|id, _| desks.iter().any(|desk| desk.id == *id));
        let reads = read.elapsed() >= DISK_PACE;
        if reads {
            read = Instant::now();
        }
        for cell in desks.iter().filter(|cell| cell.listeners.has_listener()) {
            let checks = lock(&cell.desk).checks;
            let fresh = || Known {
                checks,
                since: Instant::now(),
                is_observed: false,
                told: None,
                is_gone: false,
            };
            let known = known.entry(cell.id.clone()).or_insert_with(fresh);
            if known.checks != checks {
                let (told, is_gone) = (known.told.take(), known.is_gone);
                *known = Known { told, is_gone, ..fresh() };
            }
            if reads {
                take_in(studio, cell, known);
            }
            if !known.is_observed && known.since.elapsed() >= QUIET {
                known.is_observed = true;
                observe(cell, checks);
            }
        }
    }
}

/// Plays a game without errors for a moment, and reports the findings to the page.
fn observe(cell: &DeskCell, checks: u64) {
    let (sources, options) = {
        let desk = lock(&cell.desk);
        if desk.is_faulty() {
            return;
        }
        (desk.study.sources.clone(), desk.draft.options.clone())
    };
    let Ok(found) = findings(&sources, &options, Effort::Glance) else { return };
    let mut desk = lock(&cell.desk);
    if desk.checks != checks || found.len() == desk.study.checked.findings.len() {
        return;
    }
    desk.observed = found;
    let check = desk.describe_check();
    drop(desk);
    cell.listeners.send("check", &check);
}

/// Handles changes on the disk: other files of the game are taken over at once; for the game's own
/// file, the page decides.
fn take_in(studio: &Arc<Studio>, cell: &Arc<DeskCell>, known: &mut Known) {
    let mut desk = lock(&cell.desk);
    let Some(path) = desk.draft.origin.file().map(Path::to_owned) else { return };
    let is_there = studio.root().join(&path).symlink_metadata().is_ok();
    if is_there == known.is_gone {
        known.is_gone = !is_there;
        cell.listeners.send("gone", &json!({ "gone": known.is_gone }));
    }
    if let Ok(text) = studio.folder.read(&path) {
        let is_known = desk.draft.disk.as_ref() == Some(&text);
        if !is_known && known.told.as_ref() != Some(&text) {
            cell.listeners.send("disk", &json!({ "text": text, "disk": hash(&text) }));
            known.told = Some(text.clone());
        }
        // The page already has this text.
        if !is_known && desk.draft.text == text {
            desk.draft.disk = Some(text);
            studio.keep(&cell.id, &mut desk);
        }
    }
    let gathered = studio.folder.gather(&desk.draft.origin, &desk.draft.text);
    let known = &desk.study.sources;
    if gathered.text() == known.text() && gathered.findings().len() == known.findings().len() {
        return;
    }
    desk.check(&studio.folder);
    desk.settle();
    let (check, game) = (desk.describe_check(), desk.describe_game());
    drop(desk);
    cell.listeners.send("check", &check);
    cell.listeners.send("game", &game);
    thinking::wake(studio, cell);
}
