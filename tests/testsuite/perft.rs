//! Perft counts of plies and turns, one per row of `perft.txt`.

use ludwright::engine::game::{CodeQuality, Game, JitPolicy, State};
use ludwright::record::load;
use std::collections::BTreeSet;
use std::path::Path;

/// Folders of games.
const FOLDERS: [&str; 2] = ["games", "tests/games"];

/// Machine code is not worth its compilation where all counts of a game are at most this;
/// `native.rs` compares it with the interpreter on every game.
const INTERPRETED: u64 = 350_000;

struct Row<'t> {
    text: &'t str,
    game: &'t str,
    /// Whether it takes long.
    slow: bool,
    options: Vec<(String, String)>,
    what: What,
    count: u64,
}

/// What is counted.
enum What {
    Plies(u32),
    Turns(u32),
    Finished,
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(row).collect()
}

fn row(text: &str) -> Row<'_> {
    let mut words = text.split_whitespace();
    let mut word = |what: &str| words.next().unwrap_or_else(|| panic!("`{text}` has no {what}"));
    let game = word("game");
    let (slow, game) = game.strip_prefix('!').map_or((false, game), |game| (true, game));
    let options = match word("options") {
        "-" => Vec::new(),
        options => options
            .split(',')
            .map(|option| option.split_once('=').expect("Key=Value"))
            .map(|(key, value)| (key.into(), value.into()))
            .collect(),
    };
    let depth = word("depth");
    let what = match depth.strip_suffix('t') {
        _ if depth == "finished" => What::Finished,
        Some(turns) => What::Turns(turns.parse().expect("a number of turns")),
        None => What::Plies(depth.parse().expect("a depth")),
    };
    let count = word("count").parse().expect("a count");
    assert!(words.next().is_some(), "`{text}` does not say where the count is from");
    Row { text, game, slow, options, what, count }
}

/// Checks rows of one game with the same options, which share its machine code.
fn check(rows: &[Row]) -> Vec<String> {
    let game = match game(&rows[0]) {
        Ok(game) => game,
        Err(wrong) => return vec![wrong],
    };
    if rows.iter().all(|row| row.count <= INTERPRETED) {
        game.set_jit_policy(JitPolicy::Never);
    }
    rows.iter().filter_map(|row| count(row, &game).err()).collect()
}

fn game(row: &Row) -> Result<Game, String> {
    let mut paths =
        FOLDERS.iter().map(|folder| Path::new(folder).join(row.game).with_extension("game"));
    let path = paths
        .find(|path| path.is_file())
        .ok_or_else(|| format!("{}: there is no such game", row.text))?;
    let source =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", row.text))?;
    let game =
        load(&source, &row.options, None).map_err(|error| format!("{}: {error}", row.text))?;
    // Machine code is optimized for the shipped games as they come.
    let is_shipped = row.options.is_empty() && path.starts_with("games");
    game.set_code_quality(if is_shipped { CodeQuality::Full } else { CodeQuality::Quick });
    Ok(game)
}

fn count(row: &Row, game: &Game) -> Result<(), String> {
    let start = game.begin().map_err(|fault| fault.message)?;
    let count = match row.what {
        What::Plies(plies) => game.perft(&start, plies).map_err(|fault| fault.message)?,
        What::Turns(turns) => game.perft_turns(&start, turns).map_err(|fault| fault.message)?,
        What::Finished => finished(&mut start.clone()),
    };
    match count {
        count if count == row.count => Ok(()),
        count => Err(format!("found {count} where it says {}", row.text)),
    }
}

/// Counts the complete games from a position.
fn finished(position: &mut State) -> u64 {
    if position.outcome().is_some() {
        return 1;
    }
    let mut count = 0;
    for ply in position.legal().to_vec() {
        position.play(&ply).expect("a legal move");
        count += finished(position);
        position.undo();
    }
    count
}

#[test]
fn counts_agree() {
    check_all(|row| !row.slow);
}

#[test]
#[ignore = "takes minutes; `cargo test --release --test testsuite perft::long -- --ignored`"]
fn long_counts_agree() {
    check_all(|row| row.slow);
}

fn check_all(chosen: impl Fn(&Row) -> bool) {
    let text = std::fs::read_to_string("tests/perft.txt").expect("tests/perft.txt");
    let rows: Vec<Row> = rows(&text).into_iter().filter(chosen).collect();
    let groups: Vec<&[Row]> = rows
        .chunk_by(|one, other| one.game == other.game && one.options == other.options)
        .collect();
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(group) = groups.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        {
            wrong.extend(check(group));
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_game_has_counts() {
    // Counts of variants are in `variants.txt`.
    let is_variant = |path: &Path| {
        std::fs::read_to_string(path).is_ok_and(|text| text.starts_with("(variant-of"))
    };
    let text = std::fs::read_to_string("tests/perft.txt").expect("tests/perft.txt");
    let counted: BTreeSet<String> = rows(&text).iter().map(|row| row.game.to_owned()).collect();
    let files = FOLDERS
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect(folder))
        .map(|entry| entry.expect("an entry").path());
    let games: BTreeSet<String> = files
        .filter(|path| !is_variant(path))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert_eq!(counted, games);
}

#[test]
fn every_value_of_every_option_has_a_count() {
    let text = std::fs::read_to_string("tests/perft.txt").expect("tests/perft.txt");
    let rows = rows(&text);
    let games: BTreeSet<&str> = rows.iter().map(|row| row.game).collect();
    // Only shipped games need a count per value; other games have the published counts.
    for name in games {
        let Ok(source) =
            std::fs::read_to_string(Path::new("games").join(name).with_extension("game"))
        else {
            continue;
        };
        let game = load(&source, &[], None).expect("a game");
        for option in &game.rules().options {
            for value in option.values.iter() {
                let chosen = (option.name.clone(), value.clone());
                assert!(
                    rows.iter().any(|row| row.game == name && row.options.contains(&chosen)),
                    "{name} {}={value}",
                    chosen.0
                );
            }
        }
    }
}
