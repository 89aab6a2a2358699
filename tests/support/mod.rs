//! The shipped games and those of `tests/games`, with the options that the tests use.

use ludwright::engine::game::Game;
use std::fmt;
use std::path::{Path, PathBuf};

/// A game file with chosen options.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Name of the file without extension.
    pub name: String,
    pub options: Vec<(String, String)>,
    /// Length of a random game that is feasible for the slow reference evaluation.
    #[allow(dead_code, reason = "not every test asks the slow evaluator")]
    pub plies: usize,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

/// Lists every shipped game with its defaults, with every value of every option, and with some
/// combinations.
pub fn variants() -> Vec<Variant> {
    const MIXED: &[(&str, &str)] = &[
        ("kitaran", "Size=4 Komi=0.5"),
        ("cicada", "Size=4 Molt=3"),
        ("double-move-situ", "Grid=square Order=2 Surplus=1"),
        ("double-move-situ", "Grid=diagonal Order=2 Surplus=2"),
        ("double-move-situ", "Order=2 Surplus=1"),
        ("double-move-situ", "Order=7 Surplus=4"),
        ("swarm", "Size=4 Cubes=5 Chain=on"),
        ("swarm", "Size=5 Cubes=32 Steps=orthogonal"),
        ("lichen-chess", "Hand=2 Wings=off Pointer=any"),
        ("lichen-chess", "Hand=1 Facing=back"),
    ];
    let mut variants = Vec::new();
    for name in ["cicada", "double-move-situ", "kitaran", "lichen-chess", "swarm"] {
        let plies = if name == "swarm" { 40 } else { 120 };
        let plain = Variant { name: name.to_string(), options: Vec::new(), plies };
        let choices = load(&plain).rules().options.clone();
        variants.push(plain.clone());
        for choice in choices {
            for (index, value) in
                choice.values.iter().enumerate().filter(|&(index, _)| index != choice.default)
            {
                // Long ranges are sampled: both ends, and every fifth value.
                if choice.values.len() > 12 && index % 5 != 0 && index + 1 != choice.values.len() {
                    continue;
                }
                variants.push(Variant {
                    options: vec![(choice.name.clone(), value.clone())],
                    ..plain.clone()
                });
            }
        }
        variants.extend(chosen(&plain, MIXED));
    }
    variants
}

/// Lists every game of `tests/games` with its defaults, and with some options.
pub fn published() -> Vec<Variant> {
    const CHOSEN: &[(&str, &str)] = &[
        ("tic-tac-toe", "Size=4 Row=4"),
        ("tic-tac-toe", "Size=5 Row=4"),
        ("connect-four", "Columns=4 Rows=3"),
        ("connect-four", "Columns=12 Rows=12 Line=3"),
        ("breakthrough", "Size=4"),
        ("breakthrough", "Size=5"),
        ("othello", "Size=4"),
        ("othello", "Size=6"),
        ("othello", "Size=10"),
        ("hex", "Size=2"),
        ("hex", "Size=4"),
        ("hex", "Size=19"),
        ("ataxx", "Blockers=square"),
        ("ataxx", "Blockers=quincunx"),
        ("ataxx", "Blockers=diamond"),
        ("draughts", "Flying=on"),
    ];
    let plain = files("tests/games").into_iter().map(|name| Variant {
        options: few_moves(&name),
        name,
        plies: 60,
    });
    plain.flat_map(|plain| std::iter::once(plain.clone()).chain(chosen(&plain, CHOSEN))).collect()
}

/// Returns the variants of a game that a list contains.
fn chosen(plain: &Variant, list: &[(&str, &str)]) -> Vec<Variant> {
    let named = list.iter().filter(|(game, _)| *game == plain.name);
    let options = |text: &str| {
        text.split(' ')
            .filter_map(|option| option.split_once('='))
            .map(|(name, value)| (name.into(), value.into()))
            .collect()
    };
    named.map(|(_, text)| Variant { options: options(text), ..plain.clone() }).collect()
}

/// Returns the options with which a game has so few moves that all of them can be listed in every
/// position.
pub fn few_moves(name: &str) -> Vec<(String, String)> {
    match name {
        "connect-six" => vec![("Size".into(), "7".into())],
        "quoridor" | "short-quoridor" => {
            vec![("Size".into(), "5".into()), ("Supply".into(), "3".into())]
        }
        _ => Vec::new(),
    }
}

/// Lists the rules files of a folder, without extension, sorted.
pub fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let paths = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "game"));
    let mut names: Vec<String> =
        paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    names.sort_unstable();
    names
}

/// Lists the rules files of the shipped games and of `tests/games`, sorted.
pub fn rules_files() -> Vec<PathBuf> {
    let entries = ["games", "tests/games"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder of games"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "game"));
    paths.sort_unstable();
    paths
}

/// Finds the rules file of a game by its name, which is unique among the folders of games.
///
/// # Panics If there is none.
pub fn rules_file(name: &str) -> PathBuf {
    let folders = ["games", "tests/games", "tests/plain/games"];
    let mut paths = folders.iter().map(|folder| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{name}.game"))
    });
    paths.find(|path| path.is_file()).unwrap_or_else(|| panic!("there is no game {name}"))
}

/// Loads a variant.
///
/// # Panics If it does not load.
pub fn load(variant: &Variant) -> Game {
    let path = rules_file(&variant.name);
    ludwright::load_file(&path, &variant.options)
        .unwrap_or_else(|unloaded| panic!("{variant}: {unloaded}"))
}
