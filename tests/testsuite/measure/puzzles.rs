//! Puzzles of games that are searched to their end here: every position of a game in which exactly
//! one ply wins, and not at once, is found, and nothing else.

use ludwright::cases::Runner;
use ludwright::catalog;
use ludwright::engine::game::{Game, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::language::sources::Sources;
use ludwright::measure::report::Puzzles;
use ludwright::measure::{Batch, Clauses, CostModel, Plan, PuzzlePly, Request, Results, Worker};
use ludwright::record::Start;
use ludwright::search::PlayerKind;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

type Known = HashMap<u64, (Option<PlayerId>, u32)>;

/// Returns who wins with best play, and in how many plies: the winner hurries, the others delay.
fn best(state: &State, known: &mut Known) -> (Option<PlayerId>, u32) {
    if let Some(over) = state.outcome() {
        return (if let Outcome::Win(winner) = over { Some(winner) } else { None }, 0);
    }
    if let Some(found) = known.get(&state.hash()) {
        return *found;
    }
    let Turn::Player(mover) = state.turn() else { panic!("no dice") };
    let after: Vec<(Option<PlayerId>, u32)> =
        after_each(state).iter().map(|after| best(after, known)).collect();
    let wins = after.iter().filter(|(winner, _)| *winner == Some(mover)).map(|own| own.1).min();
    let loses = after.iter().all(|(winner, _)| winner.is_some());
    let found = match wins {
        Some(plies) => (Some(mover), plies + 1),
        None if loses => (after[0].0, after.iter().map(|own| own.1).max().expect("a ply") + 1),
        None => (None, 0),
    };
    known.insert(state.hash(), found);
    found
}

fn after_each(state: &State) -> Vec<State> {
    let after = |ply| {
        let mut after = state.clone();
        after.play(ply).expect("a legal ply");
        after
    };
    state.legal().iter().map(after).collect()
}

/// Returns the plies to the win, if exactly one of several plies wins, and not at once.
fn puzzle(state: &State, known: &mut Known) -> Option<u32> {
    let Turn::Player(mover) = state.turn() else { return None };
    let after: Vec<(Option<PlayerId>, u32)> =
        after_each(state).iter().map(|after| best(after, known)).collect();
    let wins: Vec<u32> =
        after.iter().filter(|(winner, _)| *winner == Some(mover)).map(|own| own.1 + 1).collect();
    match wins[..] {
        [plies] if plies > 1 && after.len() > 1 => Some(plies),
        _ => None,
    }
}

/// Plays games of weak players. `is_solved` says whether the game is solved first.
fn played(game: &Game, sources: &Sources, is_solved: bool) -> Results {
    let seats = Some(vec![PlayerKind::Iterations(3); 2]);
    let wishes = Request { games: Some(40), seats, seed: 3, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, sources, &wishes, &CostModel::of(game));
    plan.exact = if is_solved { plan.exact.max(400_000) } else { 0 };
    (plan.pairings[0].judged, plan.pairings[0].listened, plan.judge) = (40, 0, 1);
    let (clauses, stop) = (Clauses::of(game.rules()), AtomicBool::new(false));
    let mut results = Results::new(plan.clone());
    let mut worker = Worker::new(&plan, &start, &clauses, &stop);
    for (number, lot) in plan.batches().into_iter().enumerate() {
        if matches!(lot, Batch::Written { .. }) {
            results.enter(worker.play(number, lot).expect("not stopped")).expect("each once");
        }
    }
    results
}

#[test]
fn puzzles_are_those_of_a_search_to_the_end() {
    for (name, choices) in [
        ("tic-tac-toe", &[][..]),
        ("misere-tic-tac-toe", &[]),
        ("hex", &[("Size".to_owned(), "3".to_owned())]),
    ] {
        let sources = catalog::find(name).expect("a game").sources();
        let game = ludwright::load(&sources, choices).unwrap_or_else(|error| panic!("{error}"));
        let mut known = Known::new();
        let mut all = 0;
        for is_solved in [true, false] {
            let results = played(&game, &sources, is_solved);
            for row in results.all_rows() {
                let mut state = game.begin().expect("a first position");
                let mut expected = Vec::new();
                for (made, text) in (0..).zip(&row.plies) {
                    let plies = puzzle(&state, &mut known);
                    expected.extend(plies.map(|plies| PuzzlePly { made, plies }));
                    let legal = state.legal();
                    let spelled = |ply: &&_| &ludwright::notation::spell(game.rules(), ply) == text;
                    let ply = legal.iter().find(spelled).expect("it was legal").clone();
                    state.play(&ply).expect("it was legal");
                }
                // Without the values of all positions, those near the end are found.
                if !is_solved {
                    let late = row.plies.len() as u32 - 4;
                    assert!(
                        row.puzzles.iter().all(|own| expected.contains(own)),
                        "{name}: {row:?}"
                    );
                    expected.retain(|own| own.made >= late || row.puzzles.contains(own));
                }
                assert_eq!(row.puzzles, expected, "{name}, solved {is_solved}: {:?}", row.plies);
                all += expected.len();
            }
            told(&game, &sources, choices, &results, &mut known);
        }
        assert!(all > 10, "{name} has {all}");
    }
}

/// What is told of puzzles holds of the position as it is written, and its case passes.
fn told(
    game: &Game,
    sources: &Sources,
    choices: &[(String, String)],
    results: &Results,
    known: &mut Known,
) {
    let puzzles = Puzzles::of(results, game);
    let told = puzzles.all();
    assert!(!told.is_empty() && told.len() == puzzles.count(), "{} told", told.len());
    assert!(told.is_sorted_by_key(|own| std::cmp::Reverse(own.plies)));
    let mut runner = Runner::new(sources.clone());
    let mut positions = Vec::new();
    for own in &told {
        let start = Start::parse(&own.position).expect("a position");
        let state = start.begin(game).expect("a position of the game");
        assert_eq!(puzzle(&state, known), Some(own.plies), "{}", own.position);
        assert_eq!(own.line.len(), own.plies as usize, "{own:?}");
        assert_eq!((&own.line[0], own.legal as usize), (&own.ply, state.legal().len()));
        let case = own.as_case(&game.rules().title);
        let report = runner.run(&case, choices);
        assert!(report.passed(), "{case}{report:?}");
        // A case that says another result does not pass.
        let (plies, _) = case.split_once("result: ").expect("a result");
        assert!(!runner.run(&format!("{plies}result: draw\n"), choices).passed(), "{plies}");
        positions.push(own.position.clone());
    }
    positions.sort();
    positions.dedup();
    assert_eq!(positions.len(), told.len());
}

/// The same puzzles may be written again; nothing that a user has written is lost.
#[test]
fn exported_puzzles_overwrite_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("puzzles");
    let _ = std::fs::remove_dir_all(&folder);
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        command.args(["playtest", "tic-tac-toe", "--games", "12"]);
        command.args(["--seat", "X=mcts:5it", "--seat", "O=mcts:5it", "--puzzles"]);
        let done = command.arg(&folder).output().expect("it runs");
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let files = || {
        let entries = std::fs::read_dir(&folder).expect("a folder");
        let path = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").path();
        let read = |path: PathBuf| (std::fs::read_to_string(&path).expect("a text"), path);
        let mut files: Vec<(String, PathBuf)> = entries.map(path).map(read).collect();
        files.sort();
        files
    };
    assert_eq!(run().0, Some(0));
    let written = files();
    assert!(written.len() >= 2, "{written:?}");
    assert_eq!((run().0, files()), (Some(0), written.clone()));
    // One is changed, and another is missing.
    let (first, last) = (&written[0].1, &written[written.len() - 1].1);
    std::fs::write(first, "mine").expect("it is written");
    std::fs::remove_file(last).expect("it is removed");
    let (code, message) = run();
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("is there already, and another"), "{message}");
    assert!(!last.exists());
    assert_eq!(std::fs::read_to_string(first).expect("a text"), "mine");
}
