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

/// A case about a move that the game does not have in any position watches nothing, so it is an
/// error, also where the move is said to be illegal.
#[test]
fn a_move_that_no_game_has_is_an_error_of_the_case() {
    let rules = r#"(game "G" (players Black White) (board (square 3)) (piece Man) (piece King)
      (setup (put Man (sites a1 b1) Black))
      (move drop (kind k Man King) (to s (empty)) (put k s))
      (move step (from s (mine Man)) (towards d all) (require (in (step s d) (empty))) (relocate s (step s d)))
      (move stay)
      (play (turns (choose drop step stay))))"#;
    let mut runner = Runner::new(rules);
    let no_moves = [
        ("place a2", "this game has no move `place`; possible now"),
        ("drp Man a2", "this game has no move `drp`; did you mean `drop`?"),
        ("drop Man z9", "the board has no site `z9`; its columns are a to c and its rows 1 to 3"),
        ("drop Man A2", "the board has no site `A2`; did you mean `a2`?"),
        ("drop Kink a2", "expected a piece, found `Kink`"),
        ("step a1 up", "expected a direction, found `up`"),
        ("drop Man", "found `Man`"),
        ("drop Man a2 a3", "found `Man a2 a3`"),
        ("step a1", "found `a1`"),
        ("stay a1", "found `a1`"),
    ];
    for key in ["illegal", "legal", "play"] {
        for (spelled, said) in no_moves {
            let case = format!("title: No move.\n{key}: {spelled}\n");
            let report = runner.run(&case, &[]);
            assert!(report.is_misread(), "{key}: {spelled} passes: {}", report.explain());
            assert!(report.explain().contains(said), "{key}: {spelled}: {}", report.explain());
        }
    }
    // What the rules forbid, or another order of play, is illegal.
    let case =
        "title: Illegal.\nillegal: drop Man a1, step a2 N, step a1 S, step a1 E\nlegal: stay\n";
    let report = runner.run(case, &[]);
    assert!(report.passed(), "{}", report.explain());
}
