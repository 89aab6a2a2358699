//! Midgame positions: the ends of the records in `tests/pictures`. The README shows pictures of
//! some, stored beside the records.

use ludwright::engine::game::State;
use ludwright::record::{Record, load};
use std::path::{Path, PathBuf};

/// Folder of the records.
pub const FOLDER: &str = "tests/pictures";

/// Returns the records in order.
pub fn records() -> Vec<PathBuf> {
    let paths =
        std::fs::read_dir(FOLDER).expect(FOLDER).map(|entry| entry.expect("an entry").path());
    let mut records: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "record")).collect();
    records.sort_unstable();
    records
}

/// Tests if the README shows a picture of the end of a record.
pub fn is_shown(record: &Path) -> bool {
    record.with_extension("svg").exists()
}

/// Returns the records whose pictures the README shows.
pub fn shown() -> Vec<PathBuf> {
    records().into_iter().filter(|record| is_shown(record)).collect()
}

/// Returns the name of a record, which begins with that of its game: `hex` or
/// `double-move-situ+square`.
pub fn name(record: &Path) -> String {
    record.file_stem().expect("a name").to_string_lossy().into_owned()
}

/// Replays a record to its end.
pub fn end_of(record: &Path) -> State {
    let name = name(record);
    let game = name.split('+').next().expect("a name");
    let mut files = ["games", "tests/games"]
        .iter()
        .map(|folder| Path::new(folder).join(game).with_extension("game"));
    let file =
        files.find(|file| file.is_file()).unwrap_or_else(|| panic!("there is no game {game}"));
    let record =
        Record::parse(&std::fs::read_to_string(record).expect("a file")).expect("a record");
    let sources = ludwright::files::gather(&file).expect("its rules");
    let game = load(&sources, &[], Some(&record))
        .unwrap_or_else(|unloadable| panic!("{name}: {unloadable}"));
    let mut position = game.begin().expect("a beginning");
    record.replay(&mut position).unwrap_or_else(|stopped| panic!("{name}: {stopped}"));
    position
}
