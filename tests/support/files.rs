//! The rules files of the shipped games and of those under `tests/games`.

use std::path::PathBuf;

pub fn files() -> Vec<PathBuf> {
    let entries = ["games", "tests/games"].into_iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder of games"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "game"));
    paths.sort_unstable();
    paths
}
