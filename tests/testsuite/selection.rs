//! The matches that decide how a player with a training searches, and the positions in which their
//! games begin.

use crate::learning::{costs, game, train};
use ludwright::engine::game::Game;
use ludwright::learn::{Evaluation, Features, MatchResult, Method, Style};
use ludwright::search::openings::undecided;
use ludwright::search::selection::{MatchLimits, best, play_matches};
use ludwright::solve::{SolveLimits, Value, solve};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// A game that the first of the players wins, whatever they do.
fn filling(players: &str) -> Game {
    let (winner, _) = players.split_once(' ').unwrap_or((players, ""));
    let text = format!(
        r#"(game "Fill" (players {players}) (board (square 2)) (piece Stone)
          (move drop (to t (empty)) (put Stone t))
          (play (turns (choose drop)))
          (end (if (none (empty)) (win {winner}))))"#
    );
    ludwright::load(&text, &[]).expect("a game")
}

/// Of the positions of tic-tac-toe after two plies, most are won for one side; no game begins there.
#[test]
fn no_side_has_won_when_a_game_begins() {
    let game = game("tic-tac-toe", &[]);
    let begun: Vec<_> =
        (0..40).map(|seed| undecided(&game, 2, seed).expect("rules that end")).collect();
    for state in &begun {
        assert_eq!(state.plies().len(), 2);
        let solution = solve(state, &SolveLimits::default(), &mut |_| true);
        let value = solution.expect("rules that end").value;
        assert_eq!(value, Value::Draw, "{:?}", state.plies());
    }
    let different: HashSet<u64> = begun.iter().map(|state| state.hash()).collect();
    assert!(different.len() > 10, "{}", different.len());
    let again = undecided(&game, 2, 7).expect("rules that end");
    assert_eq!(again.plies(), begun[7].plies());
}

/// Where every beginning decides the game, it begins nevertheless; for one player, no game is decided.
#[test]
fn games_that_are_decided_from_the_first_ply_begin_too() {
    for (players, plies) in [("First Second", 2), ("Alone", 3)] {
        let game = filling(players);
        let state = undecided(&game, plies, 1).expect("rules that end");
        assert_eq!((state.plies().len(), state.outcome()), (plies, None), "{players}");
    }
}

/// In a game for one player, a search with the evaluation is compared with a plain one: where both
/// always win, neither is better.
#[test]
fn who_plays_alone_is_compared_with_plain_playouts() {
    let game = filling("Alone");
    let evaluation = Arc::new(Evaluation::new(Arc::new(Features::new(&game)), Vec::new()));
    let limits = MatchLimits {
        games: 2,
        costs: costs(&game),
        time: Duration::from_millis(1),
        most: None,
        seed: 1,
        threads: 1,
        stop: None,
    };
    let results = play_matches(&game, &evaluation, &limits).expect("rules that end");
    // No piece is ever taken. Nothing is better than plain playouts, so that their constant is tried.
    let tried = ["alpha-beta", "tree", "leaves", "mcts exploration 0.35", "mcts exploration 1.4"];
    let told = results.iter().map(|result| result.style.to_string());
    assert_eq!(told.collect::<Vec<_>>(), tried);
    assert!(results.iter().all(|result| result.against == Style::PLAIN), "{results:?}");
    assert!(results.iter().all(|result| (result.score, result.games) == (1.0, 2)), "{results:?}");
    assert_eq!(best(&results, 1), Style::PLAIN);
}

/// Those that beat plain playouts play each other at five times the time per ply, if the time of all
/// matches is not limited.
#[test]
fn the_best_have_more_time() {
    let game = game("breakthrough", &[("Size", "5")]);
    let evaluation = train(&game, 400, 2).rounded();
    let limits = MatchLimits {
        games: 10,
        costs: costs(&game),
        time: Duration::from_millis(2),
        most: None,
        seed: 1,
        threads: 2,
        stop: None,
    };
    let results = play_matches(&game, &evaluation, &limits).expect("rules that end");
    let (play_offs, others): (Vec<&MatchResult>, Vec<&MatchResult>) =
        results.iter().partition(|result| {
            let [own, rival] = [result.style.method, result.against.method];
            rival != Method::Mcts && own != rival
        });
    assert!(!play_offs.is_empty(), "{results:?}");
    assert!(play_offs.iter().all(|result| result.milliseconds == 10), "{results:?}");
    assert!(others.iter().all(|result| result.milliseconds == 2), "{results:?}");
}

/// Matches have the same results on any number of threads, with a limit of time, too.
#[test]
fn matches_do_not_depend_on_the_computer() {
    let game = game("breakthrough", &[("Size", "5")]);
    let evaluation = train(&game, 60, 2).rounded();
    let results = |threads: usize| {
        let limits = MatchLimits {
            games: 10,
            costs: costs(&game),
            time: Duration::from_millis(1),
            most: Some(0.5),
            seed: 1,
            threads,
            stop: None,
        };
        play_matches(&game, &evaluation, &limits).expect("rules that end")
    };
    let one = results(1);
    assert!(one.iter().any(|result| result.games > 0), "{one:?}");
    assert_eq!(one, results(2));
}

/// The method is the one that beats plain playouts most surely, until another one has more points
/// against it and, counted twice, against plain playouts together.
#[test]
fn the_best_play_each_other() {
    let result = |method: Method, against: Method, score| {
        let (style, against, games) = (method.into(), against.into(), 10);
        MatchResult { style, against, score, games, milliseconds: 20 }
    };
    let best = |results: &[MatchResult]| best(results, 2).method;
    let mut results = vec![
        result(Method::AlphaBeta, Method::Mcts, 10.0),
        result(Method::Quiescence, Method::Mcts, 8.5),
        result(Method::Tree, Method::Mcts, 5.0),
        result(Method::Leaves, Method::Mcts, 4.0),
    ];
    assert_eq!(best(&results), Method::AlphaBeta);
    results.push(result(Method::Quiescence, Method::AlphaBeta, 6.0));
    assert_eq!(best(&results), Method::AlphaBeta);
    results.push(result(Method::Quiescence, Method::AlphaBeta, 7.0));
    assert_eq!(best(&results), Method::Quiescence);
    assert_eq!(best(&results[2..4]), Method::Mcts, "nothing beats plain playouts");
    let hardly = [result(Method::Leaves, Method::Mcts, 5.5)];
    assert_eq!(best(&hardly), Method::Mcts, "nothing surely beats plain playouts");
}

/// A constant is kept if it wins clearly against the usual one of its method, in enough games.
#[test]
fn the_constant_that_wins_is_kept() {
    let leaves = |exploration| Style { method: Method::Leaves, exploration: Some(exploration) };
    let result = |style: Style, against: Style, score, games| MatchResult {
        style,
        against,
        score,
        games,
        milliseconds: 20,
    };
    let first = [
        result(Method::AlphaBeta.into(), Style::PLAIN, 20.0, 20),
        result(leaves(1.0), Style::PLAIN, 19.0, 20),
    ];
    let after = |results: &[MatchResult]| best(&[&first[..], results].concat(), 2).to_string();
    let tuned = result(leaves(0.5), leaves(1.0), 13.0, 20);
    assert_eq!(after(&[tuned]), "alpha-beta");
    let challenge = |score| result(leaves(0.5), Method::AlphaBeta.into(), score, 20);
    assert_eq!(after(&[tuned, challenge(10.0)]), "alpha-beta");
    assert_eq!(after(&[tuned, challenge(12.0)]), "leaves exploration 0.5");
    let hardly = result(Method::Leaves.into(), Style::PLAIN, 10.5, 20);
    assert_eq!(best(&[hardly, tuned], 2), Style::PLAIN);
    // As the best of all, it is compared only with itself.
    let own = |score, games| best(&[first[1], result(leaves(2.0), leaves(1.0), score, games)], 2);
    assert_eq!(own(12.5, 20), leaves(2.0));
    assert_eq!(own(12.0, 20), leaves(1.0), "by less than a standard error");
    assert_eq!(own(5.0, 5), leaves(1.0), "too few games");
}

/// A style is read as it is written; what no tree can use is refused.
#[test]
fn styles_are_read() {
    for text in ["alpha-beta", "quiescence", "tree", "leaves exploration 0.5", "mcts"] {
        assert_eq!(Style::read(text).map(|style| style.to_string()).as_deref(), Some(text));
    }
    let usual = Style::read("leaves exploration 1").expect("a style");
    assert_eq!(usual, Method::Leaves.into());
    for text in [
        "",
        "roots",
        "leaves exploration",
        "leaves exploration ",
        "leaves exploration NaN",
        "leaves exploration inf",
        "leaves exploration 0",
        "leaves exploration -1",
        "alpha-beta exploration 1",
    ] {
        assert_eq!(Style::read(text), None, "{text}");
    }
}
