//! Exact values against published ones, and against an independent brute-force search without
//! symmetries, hashing or retrograde analysis.

mod brute;
mod by_history;
mod certificates;
mod command;
mod generated;
mod small;
mod sums;
mod symmetry;
mod threads;
mod truth;

use ludwright::engine::game::{Game, State};
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::notation::{outcome, spell, team_does};
use ludwright::solve::{
    Ending, FirstMove, RanOut, Solution, SolveLimits, Unknown, Value, prove, solve, tabulate,
};
use std::path::Path;
use std::time::{Duration, Instant};

fn game(file: &str, choices: &[(&str, &str)]) -> Game {
    let choices: Vec<(String, String)> =
        choices.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    ludwright::load_file(Path::new(file), &choices)
        .unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn solved(from: &State, limits: &SolveLimits) -> Solution {
    solve(from, limits, &mut |_| true).expect("rules that come to an end")
}

// ---- Published values.

/// A file, its options, the value and, where published, the number of plies and the first moves
/// that keep the value.
type Published = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
    Option<u32>,
    Option<&'static [&'static str]>,
);

const PUBLISHED: &[Published] = &[
    // Folklore.
    ("tests/games/tic-tac-toe.game", &[], "draw", None, None),
    // Martin Gardner, Mathematical Puzzles and Diversions, 1959: on small boards of Hex the first
    // player wins in the centre, on 4x4 only on the short diagonal.
    ("tests/games/hex.game", &[("Size", "2")], "Red wins", None, Some(&["place a1", "place b2"])),
    ("tests/games/hex.game", &[("Size", "3")], "Red wins", None, None),
    // With the pie rule the second player has the better of every first stone: by strategy stealing
    // one of the two colours wins after it, and he takes that one. The person who begins as Blue.
    ("tests/games/hex-with-pie.game", &[("Size", "2")], "Blue wins", None, None),
    // The table of John Tromp (tromp.github.io/c4/c4.html), extended by Christophe Steininger
    // (github.com/ChristopheSteininger/c4).
    ("tests/games/connect-four.game", &[("Columns", "4"), ("Rows", "4")], "draw", None, None),
    // Berlekamp, Conway and Guy, Winning Ways: the first player wins on three by three.
    ("tests/games/dodgem.game", &[], "Blue wins", None, None),
    // The second player wins Othello on six by six (Joel Feinstein, 1993), and on four by four
    // (exhaustive search, Iwata and Kasai 1994).
    ("tests/games/othello.game", &[("Size", "4")], "White wins", None, None),
    // Solomon Golomb and Alfred Hales, Hypercube Tic-Tac-Toe, 2002: misère tic-tac-toe is a draw if
    // the first player takes the centre.
    ("tests/games/misere-tic-tac-toe.game", &[], "draw", None, Some(&["place b2"])),
];

/// As [`PUBLISHED`], for boards that take longer.
const PUBLISHED_LARGER: &[Published] = &[
    // HexWiki, "Small boards": only the short diagonal wins.
    (
        "tests/games/hex.game",
        &[("Size", "4")],
        "Red wins",
        None,
        Some(&["place a1", "place b2", "place c3", "place d4"]),
    ),
    ("tests/games/hex-with-pie.game", &[("Size", "4")], "Blue wins", None, None),
    // The table of Connect Four, as above.
    ("tests/games/connect-four.game", &[("Columns", "4"), ("Rows", "5")], "draw", None, None),
    ("tests/games/connect-four.game", &[("Columns", "5"), ("Rows", "4")], "draw", None, None),
    // Dan Friedman, "Optimal mnk-games", 2020 (dfriedman.org/ramblings): the winner's number of
    // marks at the end, from which the number of plies follows.
    (
        "tests/games/tic-tac-toe.game",
        &[("Size", "4"), ("Row", "3")],
        "X wins",
        Some(2 * 3 - 1),
        None,
    ),
    ("tests/games/tic-tac-toe.game", &[("Size", "4"), ("Row", "4")], "draw", None, None),
    (
        "tests/games/misere-tic-tac-toe.game",
        &[("Size", "4"), ("Row", "3")],
        "O wins",
        Some(2 * 7 + 1),
        None,
    ),
];

#[test]
fn published_values_are_found() {
    PUBLISHED.iter().for_each(found_as_published);
}

#[test]
#[ignore = "takes minutes; `cargo test --release --test testsuite solve::published -- --ignored`"]
fn published_values_of_larger_boards_are_found() {
    PUBLISHED_LARGER.iter().for_each(found_as_published);
}

fn found_as_published((file, choices, value, plies, first): &Published) {
    let game = game(file, choices);
    let solution = solved(&game.begin().expect("it begins"), &SolveLimits::default());
    assert_eq!(worth(&game, solution.value), *value, "{file} {choices:?}");
    if plies.is_some() {
        // A proof of the value need not say in how many plies.
        let whole =
            tabulate(&game.begin().expect("it begins"), &SolveLimits::default(), &mut |_| true);
        let (whole, _) = whole.expect("rules that end");
        assert_eq!(whole.distance, *plies, "{file} {choices:?}");
    }
    if let Some(first) = first {
        let found: Vec<String> =
            solution.optimal().map(|first| spell(game.rules(), &first.ply)).collect();
        assert_eq!(found, *first, "{file} {choices:?}");
    }
}

/// Kalah with up to three houses and one to six seeds (Geoffrey Irving, Jeroen Donkers and Jos
/// Uiterwijk, Solving Kalah, 2000), for the player who begins.
#[test]
fn published_values_of_kalah_are_found() {
    kalah_is_as_published(&[("1", "DLWLWD"), ("2", "WLLLWW"), ("3", "DWW")]);
}

#[test]
#[ignore = "takes a minute; `cargo test --release --test testsuite solve::published -- --ignored`"]
fn published_values_of_larger_kalah_are_found() {
    kalah_is_as_published(&[("3", "DWWWWL")]);
}

fn kalah_is_as_published(published: &[(&str, &str)]) {
    for &(houses, values) in published {
        for (start, value) in ["1", "2", "3", "4", "5", "6"].into_iter().zip(values.chars()) {
            let expected = match value {
                'W' => "South wins",
                'L' => "North wins",
                _ => "draw",
            };
            let choices = [("Houses", houses), ("Start", start)];
            let game = game("tests/games/kalah.game", &choices);
            let from = game.begin().expect("it begins");
            let solution = solved(&from, &SolveLimits::default());
            assert_eq!(worth(&game, solution.value), expected, "{choices:?}");
        }
    }
}

/// Rows of marks on small rectangles (Dan Friedman): the winner, and his number of marks at the
/// end.
#[test]
fn published_values_of_rows_are_found() {
    for (file, rows, row, value, plies) in [
        ("tic-tac-toe", 3, 3, "X wins", Some(2 * 4 - 1)),
        ("tic-tac-toe", 3, 4, "draw", None),
        ("tic-tac-toe", 2, 3, "draw", None),
        ("misere-tic-tac-toe", 3, 3, "O wins", Some(2 * 5 + 1)),
        ("misere-tic-tac-toe", 3, 4, "draw", None),
        ("misere-tic-tac-toe", 2, 3, "draw", None),
    ] {
        let sources = small::varied(
            &format!("tests/games/{file}.game"),
            &format!("(default Size 4) (board (rectangle Size {rows}))"),
        );
        let choices = [("Row".to_owned(), row.to_string())];
        let game =
            ludwright::load(&sources, &choices).unwrap_or_else(|error| panic!("{file}: {error}"));
        let solution = solved(&game.begin().expect("it begins"), &SolveLimits::default());
        assert_eq!(
            (worth(&game, solution.value).as_str(), solution.distance),
            (value, plies),
            "{file} 4 {rows} {row}"
        );
    }
}

/// David desJardins, 1996: on four by four and five by five squares, Dodgem never ends under best
/// play.
#[test]
fn a_play_that_never_ends_is_a_draw() {
    let game = game("tests/games/dodgem.game", &[("Size", "4")]);
    let solution = solved(&game.begin().expect("it begins"), &SolveLimits::default());
    assert_eq!(solution.value, Value::Draw);
    assert!(matches!(solution.ending, Ending::Repeats(_)), "{:?}", solution.ending);
    assert_eq!((solution.acyclic, solution.longest), (Some(false), None));
}

fn worth(game: &Game, value: Value) -> String {
    match value {
        Value::Win(winner) => outcome(game.rules(), Some(Outcome::Win(winner))),
        Value::Draw => "draw".to_owned(),
        other => format!("{other:?}"),
    }
}

// ---- Budgets.

#[test]
fn time_is_bounded() {
    let game = game("games/swarm.game", &[]);
    let began = Instant::now();
    let solution = solved(
        &game.begin().expect("it begins"),
        &SolveLimits { time: Some(Duration::from_millis(100)), ..SolveLimits::default() },
    );
    assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Time)));
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(
        solution.line.is_empty()
            && solution.first.iter().all(|first| !first.optimal && first.value == solution.value)
    );
}

/// Both ways of solving stop after a number of plies, and say how many they have tried.
#[test]
fn plies_are_bounded() {
    let game = game("games/kitaran.game", &[("Size", "3")]);
    let start = game.begin().expect("it begins");
    let all = solved(&start, &SolveLimits::default());
    assert!(all.value == Value::Win(PlayerId(0)) && all.plies > all.nodes, "{} plies", all.plies);
    let few = SolveLimits { plies: Some(1_000), ..SolveLimits::default() };
    for solution in [solved(&start, &few), prove(&start, &few, &mut |_| true).expect("it ends")] {
        assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Steps)));
        assert!((1_000..1_002).contains(&solution.plies), "{} plies", solution.plies);
    }
}

/// Exploring and proof search take turns by positions: a limit of time changes nothing that comes
/// before it, and where one way is stopped the other one still finds the value.
#[test]
fn turns_do_not_depend_on_time() {
    let game = game("tests/games/hex.game", &[("Size", "3")]);
    let start = game.begin().expect("it begins");
    let of = |limits: &SolveLimits| Solution { seconds: 0.0, ..solved(&start, limits) };
    let (mut explored, mut proven) = (0, 0);
    for positions in [50, 100, 200, 400, 800, 1_600, 100_000] {
        let limits =
            SolveLimits { positions: Some(positions), time: None, ..SolveLimits::default() };
        let solution = of(&limits);
        let timed = of(&SolveLimits { time: Some(Duration::from_secs(3_600)), ..limits });
        assert_eq!(solution, timed, "{positions} positions");
        match (solution.value, solution.acyclic) {
            (Value::Win(PlayerId(0)), Some(_)) => explored += 1,
            (Value::Win(PlayerId(0)), None) => proven += 1,
            (value, _) => assert_eq!(value, Value::Unknown(Unknown::RanOut(RanOut::Steps))),
        }
    }
    assert!(explored > 0 && proven > 0, "{explored} explored, {proven} proven");
}

/// Wherever a limit stops a proof search, its line begins with a move that is known to be optimal.
#[test]
fn a_line_begins_with_an_optimal_move() {
    let small: [(&str, &[(&str, &str)]); 3] = [
        ("games/kitaran.game", &[("Size", "3")]),
        ("tests/games/dodgem.game", &[]),
        ("tests/games/hex.game", &[("Size", "3")]),
    ];
    let mut partial = 0;
    for (file, choices) in small {
        let game = game(file, choices);
        let start = game.begin().expect("it begins");
        for step in 0..50 {
            let plies = Some((100.0 * 1.2_f64.powi(step)) as u64);
            let limits = SolveLimits { plies, ..SolveLimits::default() };
            let solution = prove(&start, &limits, &mut |_| true).expect("it ends");
            if let Some(ply) = solution.line.first() {
                let first = solution.first.iter().find(|first| first.ply == *ply);
                let context = format!("{file}, {plies:?} plies: {}", spell(game.rules(), ply));
                assert!(first.is_some_and(|first| first.optimal), "{context}");
                let is_open = |first: &FirstMove| matches!(first.value, Value::Unknown(_));
                partial += u32::from(solution.first.iter().any(is_open));
            }
        }
    }
    assert!(partial > 0, "no search was stopped after it had a line");
}

#[test]
fn the_caller_can_stop_it() {
    let game = game("games/swarm.game", &[]);
    let solution =
        solve(&game.begin().expect("it begins"), &SolveLimits::default(), &mut |progress| {
            progress.nodes < 5_000
        })
        .expect("an end");
    assert_eq!(solution.value, Value::Unknown(Unknown::RanOut(RanOut::Cancelled)));
}

#[test]
fn results_are_the_same_every_time() {
    let game = game("games/kitaran.game", &[("Size", "3")]);
    let once = || Solution {
        seconds: 0.0,
        ..solved(&game.begin().expect("it begins"), &SolveLimits::default())
    };
    assert_eq!(once(), once());
}

// ---- Repetition and history.

/// Two stones that step back and forth, under a repetition rule.
fn shuttle(rule: &str) -> State {
    let text = format!(
        "(game \"Shuttle\" (players A B) (board (rectangle 2 2)) (piece Stone)
           (setup (put Stone a1 A) (put Stone b2 B))
           (move step (from s (mine)) (to t (and (beside s (list N S)) (empty))) (relocate s t))
           (play (turns (choose step))) {rule})"
    );
    ludwright::load(text.as_str(), &[]).expect("a game").begin().expect("it begins")
}

#[test]
fn repetition_is_respected() {
    let value = |rule: &str| solved(&shuttle(rule), &SolveLimits::default()).value;
    assert_eq!(value(""), Value::Draw);
    assert_eq!(value("(repetition 3 (draw))"), Value::Draw);
    // The player who completes the repetition loses. That depends on the history, so the value is
    // unknown.
    assert_eq!(value("(repetition 3 (lose mover))"), Value::Unknown(Unknown::Repetition));
    // Where the rule lets the same player win whatever recurs, he wins who can go on for ever.
    assert_eq!(value("(repetition 3 (win B))"), Value::Win(PlayerId(1)));
    assert_eq!(value("(repetition 3 (lose B))"), Value::Win(PlayerId(0)));
    // Here it is known: the first position is the first to recur, and B makes it recur.
    assert_eq!(value("(repetition 2 (lose mover))"), Value::Win(PlayerId(0)));
}

/// A puzzle of one player has a solution or none, also where the positions can repeat, and where
/// they do not fit into memory.
#[test]
fn puzzles_are_solved_or_have_no_solution() {
    let puzzle = |rows: &str, option: &str| {
        let text = format!(
            "(game \"Small Solitaire\" (players Solver) (board (square 4)) (piece Peg unowned \"o\") (setup (diagram {rows}))
            (move jump (from s (pieces)) (to t (and (leap s 2 0) (empty))) (require (any (and (between s t) (pieces))))
              (remove (between s t)) (relocate s t))
            {option} (end (if (= (count (pieces)) 1) (win mover))))"
        );
        ludwright::load(text.as_str(), &[]).expect("a game")
    };
    let jumps = "(play (turns (choose jump (otherwise (lose mover)))))";
    let steps = "(move step (from s (pieces)) (to t (and (beside s) (empty))) (relocate s t))
        (play (turns (choose step (otherwise (lose mover))))) (repetition 2 (lose mover))";
    let solvable = puzzle("\"....\" \"....\" \".o..\" \"oo.o\"", jumps);
    let start = solvable.begin().expect("a start");
    let found = solved(&start, &SolveLimits::default());
    assert_eq!((found.value, found.distance), (Value::Win(PlayerId(0)), Some(3)));
    let line: Vec<String> = found.line.iter().map(|ply| spell(solvable.rules(), ply)).collect();
    assert_eq!(line, ["jump a1-c1", "jump d1-b1", "jump b1-b3"]);
    let hopeless = puzzle("\"o..o\" \"....\" \"....\" \"oo..\"", jumps);
    let found = solved(&hopeless.begin().expect("a start"), &SolveLimits::default());
    assert_eq!(found.value, Value::Draw);
    // Stepping to and fro never leads to a single peg.
    let endless = puzzle("\"o..o\" \"....\" \"....\" \"....\"", steps);
    let found = solved(&endless.begin().expect("a start"), &SolveLimits::default());
    assert_eq!(found.value, Value::Draw);
    // Proof search, where there is no room for all positions.
    let whole = game("tests/games/peg-solitaire.game", &[]).begin().expect("a start");
    let jumped = (0..16).fold(whole, |mut state, _| {
        let ply = state.legal().iter().next().cloned().expect("a jump");
        state.play(&ply).expect("a jump");
        state
    });
    let limits = [64 << 10, 2 << 30].map(|memory| SolveLimits {
        memory,
        symmetric: false,
        ..SolveLimits::default()
    });
    let values = limits.map(|limits| solved(&jumped, &limits).value);
    assert_eq!(values[0], values[1]);
}

/// The plies before the solved position count for repetition.
#[test]
fn what_was_played_before_counts() {
    let mut play = shuttle("(repetition 2 (win B))");
    for ply in ["step a1-a2", "step b2-b1", "step a2-a1"] {
        let ply = ludwright::notation::read(&play, ply).expect("a legal move");
        play.play(&ply).expect("a legal move");
    }
    // B steps back to its first site.
    let solution = solved(&play, &SolveLimits::default());
    assert_eq!((solution.value, solution.distance), (Value::Win(PlayerId(1)), Some(1)));
}

#[test]
fn a_finished_game_is_worth_its_result() {
    let game = game("tests/games/tic-tac-toe.game", &[]);
    let mut play = game.begin().expect("it begins");
    for ply in ["place a1", "place a2", "place b1", "place b2", "place c1"] {
        let ply = ludwright::notation::read(&play, ply).expect("a legal move");
        play.play(&ply).expect("a legal move");
    }
    let solution = solved(&play, &SolveLimits::default());
    assert_eq!((solution.value, solution.distance), (Value::Win(PlayerId(0)), Some(0)));
    assert!(solution.first.is_empty() && solution.line.is_empty());
}

#[test]
fn dice_are_worth_what_can_be_expected() {
    // A wins with five or six. Otherwise B can resign, or roll and win with six.
    let text = r#"(game "Dice" (players A B) (board (square 1)) (piece Stone) (remember Die number)
      (move roll (number n 1 6) (set Die n))
      (move go) (move stop (set Die 0))
      (play (chance roll) (if (>= Die 5) (win A)) (turn B (choose go stop)) (if (= Die 0) (win A)) (chance roll) (if (= Die 6) (win B) (else (win A)))))"#;
    let game = ludwright::load(text, &[]).expect("a game");
    let solution = solved(&game.begin().expect("it begins"), &SolveLimits::default());
    let Value::Score(score) = solution.value else { panic!("{:?}", solution.value) };
    assert!((score - (1.0 / 3.0 + 2.0 / 3.0 * 5.0 / 6.0)).abs() < 1e-12, "{score}");
    assert_eq!(solution.ending, Ending::Chance);
}

/// Two teams of two are solved as two players who each have every other turn. The value, the plies
/// and the first moves were found by an independent program.
#[test]
fn teams_are_solved_as_one_player_each() {
    let game = game("tests/games/pair-breakthrough.game", &[("Size", "4")]);
    let from = game.begin().expect("it begins");
    let (whole, _) = tabulate(&from, &SolveLimits::default(), &mut |_| true).expect("an end");
    for solution in [solved(&from, &SolveLimits::default()), whole] {
        assert_eq!(solution.value, Value::Win(PlayerId(0)));
        let optimal: Vec<String> =
            solution.optimal().map(|first| spell(game.rules(), &first.ply)).collect();
        assert_eq!(optimal, ["step b1-a2", "step b1-c2", "step c1-c2", "step c1-d2"]);
        assert!(solution.distance.is_none_or(|plies| plies == 9), "{:?}", solution.distance);
    }
    assert_eq!(team_does(game.rules(), PlayerId(0), "wins", "win"), "South and North win");
}
