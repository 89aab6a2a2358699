//! What a report says of games that are solved: by exact values, not by the games of weak players.

use crate::support::{Variant, load, rules_file};
use ludwright::engine::game::{Game, Move, State, Turn};
use ludwright::measure::report::Report;
use ludwright::measure::{
    Batch, CostModel, ExactValue, FirstPlies, GameRow, LatePlies, Plan, Request, Results,
    SolvedBoard, play, write,
};
use ludwright::notation::spell;
use ludwright::search::PlayerKind;
use ludwright::solve::{SolveLimits, Value, solve};
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::AtomicBool;

fn variant(name: &str, options: &[(&str, &str)]) -> Game {
    let options =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    load(&Variant { name: name.to_owned(), options, plies: 0 })
}

/// Plays a few short games of each pairing of a default plan, all examined, and solves the game.
fn played(game: &Game, name: &str) -> Results {
    let sources = ludwright::files::gather(&rules_file(name)).expect("its rules");
    let wishes = Request { games: Some(12), seats: None, seed: 1, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(game));
    (plan.mirrored, plan.exact, plan.judge, plan.openings) = (0, 100_000, 1, 20);
    plan.pairings.truncate(5);
    let fewer = |kind: &mut PlayerKind| {
        if let PlayerKind::Iterations(iterations) = kind {
            *iterations = (*iterations / 64).max(1);
        }
    };
    plan.pairings.iter_mut().for_each(|pairing| {
        pairing.seats.iter_mut().flatten().for_each(fewer);
        (pairing.written, pairing.judged, pairing.listened, pairing.games) = (12, 12, 0, 12);
    });
    let lots: Vec<(usize, Batch)> = plan.batches().into_iter().enumerate().collect();
    let mut results = Results::new(plan.clone());
    play(&plan, &start, &lots, 2, &AtomicBool::new(false), &mut |played| {
        results.enter(played).expect("each once");
    });
    results
}

fn notes(report: &Report, key: &str) -> Vec<String> {
    report.measure(key).map(|measure| measure.notes.clone()).unwrap_or_default()
}

/// Counts the blunders of a recorded game anew, by solving each of its positions.
fn blunders(game: &Game, row: &GameRow) -> LatePlies {
    let value = |state: &State| match state.personal_outcome() {
        Some(outcome) => match outcome {
            ludwright::engine::position::Outcome::Win(winner) => Value::Win(winner),
            _ => Value::Draw,
        },
        None => solve(state, &SolveLimits::default(), &mut |_| true).expect("it ends").value,
    };
    let mut state = game.begin().expect("a first position");
    let mut late = LatePlies::default();
    for text in &row.plies {
        let Turn::Player(person) = state.personal_turn() else { panic!("nobody rolls") };
        let before = value(&state);
        let gives_away = |ply: &Move| {
            let mut after = state.clone();
            after.play(ply).expect("legal");
            match before {
                Value::Win(winner) => winner == person && value(&after) != before,
                Value::Draw => value(&after) != Value::Draw,
                _ => panic!("two players"),
            }
        };
        let made = state.legal().iter().find(|ply| spell(game.rules(), ply) == *text);
        let made = made.expect("a legal ply").clone();
        if state.legal().iter().any(gives_away) {
            late.plies += 1;
            late.blunders += u32::from(gives_away(&made));
        }
        state.play(&made).expect("legal");
    }
    late
}

#[test]
fn tic_tac_toe_is_told_as_it_is() {
    let game = variant("tic-tac-toe", &[]);
    let results = played(&game, "tic-tac-toe");
    let sources = ludwright::files::gather(&rules_file("tic-tac-toe")).expect("its rules");
    let report = Report::new(&game, &sources, &results);
    // A corner, an edge and the middle are all first plies that there are.
    let first = report.measure("first-moves").expect("first moves");
    let told: BTreeSet<&str> = first.figures.iter().map(|figure| figure.what.as_str()).collect();
    assert!(told.is_subset(&BTreeSet::from(["place a1", "place b1", "place b2"])), "{told:?}");
    assert_eq!(first.figures.iter().map(|figure| figure.estimate.sample).sum::<u64>(), 48);
    assert_eq!(first.notes, ["With best play: a draw after every first ply."]);
    assert_eq!(
        notes(&report, "pie-rule"),
        [
            "With the pie rule and best play, the game would begin with place a1, place b1 or place b2 (and 6 more) and be a draw. Without it, the game is a draw."
        ]
    );
    // Every ply of a solved game counts that could give something away, not only the late ones.
    for row in results.all_rows().filter(|row| row.pairing < 5) {
        assert_eq!(row.late, blunders(&game, row), "{:?}", row.plies);
    }
    let of_first = results.all_rows().filter(|row| row.late.plies as usize >= row.plies.len() - 4);
    assert!(of_first.count() > 0);
    // Plies that are images of each other are judged alike.
    let judged: BTreeSet<&Vec<u32>> = results.openings().map(|opening| &opening.chances).collect();
    assert!(results.openings().count() == 9 && judged.len() <= 3, "{judged:?}");
    assert!(results.exact().all(|board| board.tabulated && board.first_plies.len() == 9));
    let text = write::json(&report).expect("JSON").to_string();
    assert_eq!(write::read(&text).expect("a report"), results);
}

/// In Hex there are no draws: who chooses the side wins.
#[test]
fn the_pie_rule_of_a_solved_game_is_exact() {
    let game = variant("hex", &[("Size", "3")]);
    let results = played(&game, "hex");
    let sources = ludwright::files::gather(&rules_file("hex")).expect("its rules");
    let report = Report::new(&game, &sources, &results);
    let told = notes(&report, "pie-rule");
    assert_eq!(
        told,
        [
            "With the pie rule and best play, the player who chooses the side wins, whatever the first ply is. Without it, Red wins in 5 plies."
        ]
    );
    let told = notes(&report, "first-moves");
    let [told] = &told[..] else { panic!("{told:?}") };
    assert!(told.starts_with("With best play: ") && told.contains("Red wins after"), "{told}");
    assert!(told.contains("Blue wins after"), "{told}");
}

/// Only symmetries that keep the first position make first plies the same.
#[test]
fn first_plies_are_images_where_the_first_position_is() {
    let classes = |setup: &str| {
        let text = format!(
            "(game \"Fill\" (players A B) (board (square 3)) (piece Stone) {setup}
               (move drop (to t (empty)) (put Stone t))
               (play (turns (choose drop (otherwise (draw))))))"
        );
        let game = ludwright::load(text.as_str(), &[]).unwrap_or_else(|found| panic!("{found}"));
        let start = game.begin().expect("a first position");
        (start.legal().len(), FirstPlies::of(&start).count())
    };
    assert_eq!(classes(""), (9, 3));
    // One diagonal is left: b1 and a2, c1 and a3, c2 and b3.
    assert_eq!(classes("(setup (put Stone (sites a1) A))"), (8, 5));
    // One column mirrors the others: a1 and c1, a2 and c2, a3 and c3, b2 and b3 alone.
    assert_eq!(classes("(setup (put Stone (sites b1) A))"), (8, 5));
    assert_eq!(classes("(setup (put Stone (sites a1 b1) A))"), (7, 7));
}

/// Runs the program and returns what it prints.
fn printed(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .args(arguments.split_whitespace())
        .env("LUDWRIGHT_STATE", concat!(env!("CARGO_TARGET_TMPDIR"), "/solved"))
        .output()
        .expect("the binary");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_report_begins_with_what_solve_finds() {
    for (rules, players) in
        [("games/kitaran.game", ["Black", "White"]), ("games/cicada.game", ["Placer", "Mover"])]
    {
        let solved = printed(&format!("solve {rules} -o Size=3"));
        let value = solved.lines().next().and_then(|line| line.strip_prefix("value "));
        let value = value.expect("a value").trim();
        let seats = players.map(|player| format!("--seat {player}=mcts:20it")).join(" ");
        let report =
            printed(&format!("playtest {rules} -o Size=3 {seats} --games 4 --format json"));
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        let first = report["verdict"][0]["text"].as_str().expect("a sentence");
        assert!(first.starts_with(&format!("Exactly: with best play, {value}.")), "{first}");
        assert_eq!(report["exact"][0]["options"], serde_json::json!({}));
    }
}

#[test]
fn smaller_boards_are_solved_and_blunders_counted() {
    let variant = Variant {
        name: "cicada".to_owned(),
        options: vec![("Size".to_owned(), "4".to_owned())],
        plies: 0,
    };
    let game = load(&variant);
    let sources = ludwright::files::gather(&rules_file("cicada")).expect("its rules");
    let wishes = Request { games: Some(6), seats: None, seed: 1, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    // Too few positions for the whole board, enough for the one with nine sites.
    (plan.openings, plan.mirrored, plan.exact, plan.judge) = (0, 0, 3_000, 1);
    plan.pairings.truncate(5);
    let fewer = |kind: &mut PlayerKind| {
        if let PlayerKind::Iterations(iterations) = kind {
            *iterations = (*iterations / 64).max(1);
        }
    };
    plan.pairings.iter_mut().for_each(|pairing| {
        pairing.seats.iter_mut().flatten().for_each(fewer);
        (pairing.written, pairing.judged, pairing.listened) = (6, 6, 0);
        pairing.games = 6;
    });
    let lots: Vec<(usize, Batch)> = plan.batches().into_iter().enumerate().collect();
    let mut results = Results::new(plan.clone());
    play(&plan, &start, &lots, 2, &AtomicBool::new(false), &mut |played| {
        results.enter(played).expect("each once");
    });
    let boards: Vec<&SolvedBoard> = results.exact().collect();
    let [board] = boards[..] else { panic!("{boards:?}") };
    assert_eq!(board.options, [("Size".to_owned(), "3".to_owned())]);
    assert_eq!(
        (board.value, board.plies, board.optimal, board.first),
        (ExactValue::Win(0), Some(9), 9, 9)
    );
    assert!(
        board.games.len() == 4 && board.games.iter().all(|own| own.wins.iter().sum::<u64>() > 0)
    );
    let late: Vec<LatePlies> = results.all_rows().map(|row| row.late).collect();
    let plies: u32 = late.iter().map(|late| late.plies).sum();
    let blunders: u32 = late.iter().map(|late| late.blunders).sum();
    assert!(plies > 20 && blunders > 0 && blunders < plies, "{blunders} of {plies}");
    // The same is found from what was written.
    let report = Report::new(&game, &sources, &results);
    let text = write::json(&report).expect("JSON").to_string();
    assert_eq!(write::read(&text).expect("a report"), results);
    assert!(
        report.verdict.last().is_some_and(|sentence| sentence.text.starts_with(
            "Exactly: on the smaller board Size=3, with best play, Placer wins in 9 plies;"
        )),
        "{:?}",
        report.verdict
    );
}

/// A sweep says what best play leads to, and does not call a won game nearest to even without it.
#[test]
fn a_sweep_tells_what_best_play_leads_to() {
    let sizes = ["3", "4"];
    let games = sizes.map(|size| variant("tic-tac-toe", &[("Size", size)]));
    let sources = ludwright::files::gather(&rules_file("tic-tac-toe")).expect("its rules");
    let results = games.each_ref().map(|game| played(game, "tic-tac-toe"));
    let reports = sizes.iter().zip(&games).zip(&results).map(|((size, game), results)| {
        (format!("Size={size}"), Report::new(game, &sources, results))
    });
    let drawn = "With best play, the game is a draw with Size=3; X wins with Size=4.";
    let comparison = write::Comparison::new(reports.clone().collect());
    for text in [comparison.text(false, 200), comparison.markdown(), comparison.html()] {
        assert!(text.contains(drawn), "{text}");
        assert!(!text.contains("That is between these players"), "{text}");
    }
    let comparison = write::Comparison::new(reports.rev().take(1).cycle().take(2).collect());
    let won = "With best play, X wins with Size=4 and Size=4.";
    for text in [comparison.text(false, 400), comparison.markdown(), comparison.html()] {
        assert!(text.contains(won), "{text}");
        assert!(text.contains("That is between these players: with best play, X wins."), "{text}");
    }
}
