//! The rule cases of a rules file, which are files in a folder beside it.

use super::arguments::GameFile;
use super::failure::Failure;
use super::files::read_text;
use super::game::Loaded;
use ludwright::cases::Runner;
use ludwright::language::sources::Sources;
use ludwright::pages::Example;
use std::path::{Path, PathBuf};

/// Maximum size of a case, in bytes.
pub const LIMIT: usize = 1 << 20;

/// Folders that may hold the cases of a rules file, in order of precedence.
pub fn folders(file: &Path) -> [PathBuf; 2] {
    let stem = file.file_stem().unwrap_or_default();
    [Path::new("tests/cases").join(stem), file.with_extension("cases")]
}

/// Lists the cases of a rules file, by name.
pub fn cases_of(file: &Path) -> Vec<PathBuf> {
    find(&folders(file)).unwrap_or_default()
}

/// Lists the cases in the first folder that has any, by name.
pub fn find(folders: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let fail = |error: std::io::Error| Failure::file("read", folder, &error);
        let entries = folder.read_dir().map_err(fail)?;
        let paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<Vec<PathBuf>, std::io::Error>>();
        let mut cases = paths.map_err(fail)?;
        cases.retain(|path| path.extension().is_some_and(|extension| extension == "case"));
        cases.sort_unstable();
        if !cases.is_empty() {
            return Ok(cases);
        }
    }
    Ok(Vec::new())
}

/// Finds a case by its path, or by its name in the folders.
pub fn named_case(case: &Path, folders: &[PathBuf]) -> Result<PathBuf, Failure> {
    let in_folders = folders
        .iter()
        .flat_map(|folder| [folder.join(case), folder.join(case).with_extension("case")]);
    let mut places = std::iter::once(case.to_path_buf()).chain(in_folders);
    let missing = || Failure::usage(format!("there is no case {}", case.display()));
    places.find(|path| path.is_file()).ok_or_else(missing)
}

/// Runs all cases of a rules file, and counts those that pass and fail.
pub fn tally(
    file: &Path,
    source: &Sources,
    choices: &[(String, String)],
) -> Result<(usize, usize), Failure> {
    let mut runner = Runner::new(source);
    let (mut passed, mut failed) = (0, 0);
    for case in find(&folders(file))? {
        match runner.run(&read_text(&case, LIMIT)?, choices).passed() {
            true => passed += 1,
            false => failed += 1,
        }
    }
    Ok((passed, failed))
}

/// Finds plies to show in the rule cases of a game.
pub fn examples_of(game: &GameFile, loaded: &Loaded) -> Vec<Example> {
    let mut runner = Runner::new(loaded.source.clone());
    let mut examples = Vec::new();
    for path in cases_of(&game.file) {
        // A case that cannot be read has no examples; `test` says why.
        if let Ok(text) = read_text(&path, LIMIT) {
            examples.extend(runner.examples(&text, &game.options.choices));
        }
    }
    examples
}
