//! Positions in the midst of games, where records end: those of the shipped games in `pictures`, and others in `tests/pictures`.

use ludwright::engine::game::Match;
use ludwright::record::{Record, load};
use std::path::{Path, PathBuf};

/// The records of a folder, in order.
pub fn records(folder: &str) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).expect(folder).map(|entry| entry.expect("an entry").path());
    let mut records: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "record")).collect();
    records.sort_unstable();
    records
}

/// The name of a record, which begins with that of its game's file: `hex` or `double-move-situ+square`.
pub fn name(record: &Path) -> String {
    record.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// Plays a record to its end.
pub fn end_of(record: &Path) -> Match {
    let name = name(record);
    let game = name.split('+').next().expect("a name");
    let mut files = ["games", "tests/games"].iter().map(|folder| Path::new(folder).join(game).with_extension("game"));
    let file = files.find(|file| file.is_file()).unwrap_or_else(|| panic!("there is no game {game}"));
    let record = Record::parse(&std::fs::read_to_string(record).expect("a file")).expect("a record");
    let sources = ludwright::files::gather(&file).expect("its rules");
    let game = load(&sources, &[], Some(&record)).unwrap_or_else(|unloadable| panic!("{name}: {unloadable}"));
    let mut position = game.begin().expect("a beginning");
    record.replay(&mut position).unwrap_or_else(|stopped| panic!("{name}: {stopped}"));
    position
}
