//! The rule cases of every game in `games` and `tests/games` pass, and each of them asserts
//! something.

use ludwright::cases::Runner;
use std::collections::HashMap;
use std::path::PathBuf;

/// Folders of games, with the minimum number of cases per game.
const FOLDERS: [(&str, usize); 2] = [("games", 12), ("tests/games", 3)];

/// The keys of a case that assert something.
const ASSERTIONS: [&str; 10] =
    ["count", "illegal", "legal", "left", "mover", "moves", "phase", "result", "step", "then"];

/// Rules files of a folder.
fn games(folder: &str) -> Vec<PathBuf> {
    std::fs::read_dir(folder).expect(folder).map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn cases_pass() {
    let mut sources = HashMap::new();
    for path in FOLDERS.iter().flat_map(|(folder, _)| games(folder)) {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        sources.insert(stem, ludwright::files::gather(&path).expect("a rules file"));
    }
    let mut runners: HashMap<&str, Runner> =
        sources.iter().map(|(name, source)| (name.as_str(), Runner::new(source))).collect();
    let mut failed = Vec::new();
    insta::glob!("../cases", "*/*.case", |path| {
        let game = path
            .parent()
            .and_then(|folder| folder.file_name())
            .expect("a folder")
            .to_string_lossy();
        let runner = runners.get_mut(&*game).unwrap_or_else(|| panic!("there is no game {game}"));
        let text = std::fs::read_to_string(path).expect("a case");
        let asserts =
            |line: &str| ASSERTIONS.contains(&line.split([':', ' ']).next().unwrap_or_default());
        assert!(text.lines().any(asserts), "{} asserts nothing", path.display());
        let report = runner.run(&text, &[]);
        if !report.passed() {
            failed.push(format!("{}: {}\n{}", path.display(), report.title, report.explain()));
        }
    });
    assert!(failed.is_empty(), "{} cases failed\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_game_has_cases() {
    for (least, path) in FOLDERS
        .iter()
        .flat_map(|&(folder, least)| games(folder).into_iter().map(move |path| (least, path)))
    {
        if std::fs::read_to_string(&path).is_ok_and(|text| text.starts_with("(variant-of")) {
            // A variant changes little; the cases of its base cover the rest.
            continue;
        }
        let folder = std::path::Path::new("tests/cases").join(path.file_stem().expect("a name"));
        let cases = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let count = cases
            .filter(|case| {
                case.as_ref()
                    .is_ok_and(|case| case.path().extension().is_some_and(|end| end == "case"))
            })
            .count();
        assert!(
            count >= least,
            "{} holds {count} cases, and it takes {least} at least",
            folder.display()
        );
    }
}
