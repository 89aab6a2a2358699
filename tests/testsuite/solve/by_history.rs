//! Games in which more of the past matters than how often whole positions have occurred: the solver
//! against plain minimax, and Go with positional superko.

use crate::generator::dice::Dice;
use crate::generator::small::small_game;
use ludwright::engine::game::{State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::solve::{Ending, SolveLimits, Unknown, Value, solve};

/// The most plies of minimax, and the longest play.
const MOST: u32 = 6_000;
const DEEPEST: u32 = 60;

/// Rules of repetition in these games.
const RULES: &[&str] = &[
    "(repetition 2 (comparing board) (illegal))",
    "(repetition 2 (comparing board mover) (illegal))",
    "(repetition 2 (illegal))",
    "(repetition 3 (ignoring Count Die) (illegal))",
    "(repetition 2 (comparing board Count) (if (= mover A) (illegal)) (draw))",
    "(repetition 2 (comparing board) (draw))",
    "(repetition 2 (comparing board) (lose mover))",
    "(repetition 2 (if (throughout (any (mine)) mover) (lose mover)) (draw))",
    "(repetition 2 (comparing board mover) (if (throughout (none (theirs)) (next mover)) (win mover)) (draw))",
    "(repetition 3 (comparing board) (if (throughout (any (empty))) (illegal)) (win mover))",
];

/// Replaces the rule of repetition of a small game.
fn with_rule(text: &str, rule: &str) -> String {
    let lines = text.trim_end().strip_suffix(')').expect("a form").lines();
    let kept: Vec<&str> =
        lines.filter(|line| !line.trim_start().starts_with("(repetition")).collect();
    format!("{}\n  {rule})", kept.join("\n"))
}

/// Returns the value for the first person: 1, 0 or -1. `None` beyond the limits.
fn minimax(state: &State, plies: &mut u32, depth: u32) -> Option<i8> {
    if let Some(over) = state.team_outcome() {
        return Some(match over {
            Outcome::Win(PlayerId(0)) => 1,
            Outcome::Win(_) => -1,
            _ => 0,
        });
    }
    let side = if state.team_turn() == Turn::Player(PlayerId(1)) { -1 } else { 1 };
    let mut best = -1;
    for ply in state.legal() {
        *plies += 1;
        if *plies > MOST || depth > DEEPEST {
            return None;
        }
        let mut after = state.clone();
        after.play(ply).ok()?;
        best = best.max(side * minimax(&after, plies, depth + 1)?);
    }
    Some(side * best)
}

fn value(score: i8, players: usize) -> Value {
    match score {
        1 => Value::Win(PlayerId(0)),
        -1 if players > 1 => Value::Win(PlayerId(1)),
        _ => Value::Draw,
    }
}

#[test]
fn small_games_with_a_past_are_solved() {
    let limits = SolveLimits { time: None, positions: Some(200_000), ..SolveLimits::default() };
    let (mut solved, mut forbidding, mut repeated) = (0, 0, 0);
    for seed in 0..400 {
        let rule = *Dice::new(seed).pick(RULES);
        let text = with_rule(&small_game(seed), rule);
        let Ok(game) = ludwright::load(&text, &[]) else { continue };
        let players = game.rules().teams.count();
        let has_dice = game.decisions().iter().any(|decision| decision.mover.is_none());
        let Ok(start) = game.begin() else { continue };
        assert!(game.rules().depends_on_past(), "{text}");
        if players > 2 || has_dice {
            let solution = solve(&start, &limits, &mut |_| true).expect("rules that end");
            assert_eq!(solution.value, Value::Unknown(Unknown::Past), "{text}");
            continue;
        }
        let Some(score) = minimax(&start, &mut 0, 0) else { continue };
        let solution = solve(&start, &limits, &mut |_| true).expect("rules that end");
        assert_eq!(solution.value, value(score, players), "seed {seed}\n{text}");
        for first in &solution.first {
            let mut after = start.clone();
            after.play(&first.ply).expect("a legal ply");
            let Some(score) = minimax(&after, &mut 0, 0) else { continue };
            assert_eq!(first.value, value(score, players), "seed {seed}\n{text}");
        }
        let mut end = start.clone();
        for ply in &solution.line {
            end.play(ply).expect("a legal ply");
        }
        assert_eq!(solution.ending, Ending::Over(end.outcome().expect("an end")), "{text}");
        solved += 1;
        forbidding += u32::from(game.rules().forbids_repetition());
        repeated += u32::from(end.history().len() > 3);
    }
    assert!(solved >= 60 && forbidding >= 20 && repeated >= 20, "{solved} {forbidding} {repeated}");
}

#[test]
fn two_by_two_go_is_won_by_one_point() {
    let wins = |komi: &str| {
        let text = std::fs::read_to_string("tests/games/superko-go.game").expect("the game");
        let options = [("Size".to_owned(), "2".to_owned()), ("Komi".to_owned(), komi.to_owned())];
        let game = ludwright::load(text.as_str(), &options).expect("a game");
        solve(&game.begin().expect("a start"), &SolveLimits::default(), &mut |_| true)
            .expect("rules that end")
            .value
    };
    assert_eq!(wins("0.5"), Value::Win(PlayerId(0)));
    assert_eq!(wins("1"), Value::Draw);
    assert_eq!(wins("1.5"), Value::Win(PlayerId(1)));
}
