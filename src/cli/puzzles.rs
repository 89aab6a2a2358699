//! Writes the puzzles of a playtest into a folder: each as a position and as a rule case with its
//! solution.

use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_text;
use crate::program::save;
use ludwright::measure::Report;
use ludwright::measure::report::{Puzzle, Puzzles};
use ludwright::record;
use std::fs::create_dir;
use std::path::{Path, PathBuf};

/// Creates the folder, unless there is one.
///
/// # Errors
/// If it cannot be created, or something else has its name.
pub fn folder(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Ok(());
    }
    create_dir(path).map_err(|error| Failure::file("create", path, &error))
}

/// Writes the puzzles, named after the rules file. A file that already has the same content is
/// left.
///
/// # Errors
/// If a file of the same name has other content, before anything is written; or if a file cannot be
/// written.
pub fn write(
    folder: &Path,
    file: &Path,
    report: &Report,
    console: &Console,
) -> Result<(), Failure> {
    let puzzles = Puzzles::of(report.results, report.game).all();
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let title = &report.results.plan.game;
    let files = |(number, puzzle): (usize, &Puzzle)| {
        let path = |end: &str| folder.join(format!("{stem}-{number}.{end}"));
        [(path("position"), puzzle.as_position(title)), (path("case"), puzzle.as_case(title))]
    };
    let files: Vec<(PathBuf, String)> = (1..).zip(&puzzles).flat_map(files).collect();
    let mut missing = Vec::new();
    for (path, text) in files {
        match path.symlink_metadata() {
            Err(_) => missing.push((path, text)),
            Ok(_) if read_text(&path, record::LIMIT).is_ok_and(|old| old == text) => {}
            Ok(_) => {
                let message = format!("{} is there already, and another", path.display());
                let help = "choose another folder for the puzzles, which are not written";
                return Err(Failure::usage(message).with_help(Some(help.to_owned())));
            }
        }
    }
    for (path, text) in missing {
        save::create(&path, text.as_bytes())
            .map_err(|error| Failure::file("write", &path, &error))?;
    }
    let counted = ludwright::notation::counted(puzzles.len() as u64, "puzzle");
    console.say(&format!("{counted} in {}\n", folder.display()));
    Ok(())
}
