//! The search for forced wins: it proves what is true and finds what there is, and players that use
//! it keep what is theirs.

use crate::support::{Variant, load};
use ludwright::budget::Deadline;
use ludwright::engine::game::{Game, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::learn::{Evaluation, Features, Method};
use ludwright::random::{Random, mix};
use ludwright::search::prover::{Answer, Prover};
use ludwright::search::strong::Strong;
use ludwright::search::{AlphaBeta, Mcts, SearchLimits, roll_with};
use ludwright::solve::{Solution, SolveLimits, Value, solve};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    let options = options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    load(&Variant { name: name.to_owned(), options, plies: 0 })
}

/// A position after some random plies; `None` if the game is over by then.
fn random_position(game: &Game, plies: usize, seed: u64) -> Option<State> {
    let mut random = Random::new(seed);
    let mut state = game.begin().expect("a first position");
    for _ in 0..plies {
        let legal = state.legal();
        let ply = legal.get(random.below(legal.len().max(1) as u32) as usize)?.clone();
        state.play(&ply).expect("a legal ply");
    }
    matches!(state.turn(), Turn::Player(_)).then_some(state)
}

fn exact(state: &State) -> Solution {
    solve(state, &SolveLimits::default(), &mut |_| true).expect("rules that end")
}

fn within(positions: u64) -> SearchLimits<'static> {
    SearchLimits { iterations: Some(positions), ..SearchLimits::default() }
}

/// The most positions of a proof.
const POSITIONS: u64 = 20_000;

/// The limits of a solver of positions that may be too large for it.
const LIMITS: SolveLimits = SolveLimits {
    memory: 1 << 28,
    time: None,
    positions: Some(300_000),
    plies: None,
    symmetric: false,
    threads: 1,
    by_numbers: false,
};

/// The options of a game.
type Options = &'static [(&'static str, &'static str)];

/// Small games, with a number of random plies after which few are left.
const SMALL: [(&str, Options, usize); 6] = [
    ("tic-tac-toe", &[], 2),
    ("connect-four", &[("Columns", "4"), ("Rows", "4"), ("Line", "3")], 3),
    ("hex", &[("Size", "4")], 5),
    ("kitaran", &[("Size", "3")], 3),
    ("cicada", &[("Size", "3")], 2),
    ("double-move-situ", &[("Order", "2"), ("Surplus", "2")], 12),
];

#[test]
fn what_is_proven_is_true_and_wins_are_found() {
    for (name, options, plies) in SMALL {
        let game = game(name, options);
        let mut prover = Prover::new(1 << 20);
        let mut wins = [0; 2];
        for seed in 0..6 {
            let Some(state) = random_position(&game, plies, seed) else { continue };
            let solution = exact(&state);
            prover.clear();
            for player in [PlayerId(0), PlayerId(1)] {
                let (answer, positions) =
                    prover.prove(&mut state.clone(), player, &within(POSITIONS));
                let is_won = solution.value == Value::Win(player);
                let context = format!("{name}, seed {seed}, {player:?}, {positions} positions");
                match answer {
                    Answer::Wins(ply) => {
                        assert!(is_won, "{context}: proven, but {:?}", solution.value);
                        let spelled = ply.map(|ply| game.spell_out(ply));
                        let is_own = state.turn() == Turn::Player(player);
                        assert_eq!(spelled.is_some(), is_own, "{context}");
                        let is_right = |ply| solution.optimal().any(|first| first.ply == ply);
                        assert!(spelled.is_none_or(is_right), "{context}: a wrong ply");
                        let line = prover.line(&state, player);
                        let mut end = state.clone();
                        line.iter().for_each(|&ply| end.play_packed(ply).expect("a legal ply"));
                        assert_eq!(
                            end.outcome(),
                            Some(Outcome::Win(player)),
                            "{context}: {line:?}"
                        );
                        wins[player.index()] += 1;
                    }
                    Answer::NotFound => assert!(!is_won, "{context}: the win is not found"),
                    Answer::Open => assert_eq!(positions, POSITIONS, "{context}"),
                }
            }
        }
        assert!(wins.iter().sum::<u32>() >= 2, "{name}: only {wins:?} are won");
    }
}

/// Whoever follows captures where the depth ends may stop there, so that no win is proven that the
/// other player can prevent.
#[test]
fn what_a_quiescence_search_proves_is_true() {
    let with_captures: [(&str, Options, usize); 3] =
        [("breakthrough", &[("Size", "5")], 12), ("hex-breakthrough", &[], 20), ("dodgem", &[], 4)];
    let mut all = [0; 2];
    for (name, options, plies) in with_captures.into_iter().chain(SMALL) {
        let game = game(name, options);
        let features = Arc::new(Features::new(&game));
        let evaluation = Arc::new(Evaluation::new(features, Vec::new()));
        for seed in 0..8 {
            let Some(state) = random_position(&game, plies, mix(4, seed)) else { continue };
            let mut search = AlphaBeta::new(Arc::clone(&evaluation), 1 << 20).with_quiescence();
            let thinking = search.think(&state, seed, &within(POSITIONS)).expect("rules that end");
            if !thinking.solved {
                continue;
            }
            let solution = solve(&state, &LIMITS, &mut |_| true).expect("rules that end");
            let context = format!("{name}, seed {seed}: {:?}", solution.value);
            let Value::Win(winner) = solution.value else {
                assert!(matches!(solution.value, Value::Unknown(_)), "{context}");
                continue;
            };
            assert_eq!(thinking.win_probabilities[winner.index()], 1.0, "{context}");
            all[winner.index()] += 1;
        }
    }
    assert!(all.iter().all(|&won| won >= 5), "only {all:?} are proven");
}

/// What is won against every roll is proven; what depends on one is not.
#[test]
fn rolls_are_opponents() {
    let text = |most: u32| {
        format!(
            r#"
        (game "Toss"
          (players A B)
          (board (square 2))
          (piece Stone)
          (remember Bet number)
          (remember Die number)
          (move bet (number n 1 {most}) (set Bet n))
          (move roll (number n 1 6) (set Die n))
          (play
            (turn A (choose bet))
            (chance roll)
            (if (>= Bet Die) (win A) (else (win B)))))"#
        )
    };
    for (most, wins) in [(5, false), (6, true)] {
        let game = ludwright::load(&text(most), &[]).expect("a game");
        let mut start = game.begin().expect("a first position");
        let (answer, _) = Prover::new(0).prove(&mut start, PlayerId(0), &within(1_000));
        assert_eq!(matches!(answer, Answer::Wins(Some(_))), wins, "{answer:?}");
    }
}

/// What only holds after some plies is not taken for true after others: a token moves along arrows,
/// and who repeats a position loses. After `a b c d` the only way on repeats `c`, so that A wins;
/// after `a b e d` it does not, and A repeats `d` in turn.
#[test]
fn wins_by_repetition_are_not_carried_over() {
    for [one, other] in [["c", "e"], ["e", "c"]] {
        let arrows = [["a", "b"], ["b", one], ["b", other], [one, "d"], [other, "d"], ["d", one]]
            .map(|[from, to]| format!("(and (= s {from}1) (= t {to}1))"));
        let text = format!(
            r#"(game "Arrows" (players A B) (board (rectangle 5 1)) (piece Token unowned)
              (setup (put Token a1))
              (move go (from s (pieces)) (to t (empty)) (require (or {})) (relocate s t))
              (play (turns (choose go)))
              (repetition 2 (lose mover)))"#,
            arrows.join(" ")
        );
        let game = ludwright::load(text.as_str(), &[]).expect("a game");
        let mut start = game.begin().expect("a first position");
        let (answer, _) = Prover::new(0).prove(&mut start, PlayerId(0), &within(1_000));
        assert_eq!(answer, Answer::NotFound, "by {one}");
    }
}

#[test]
fn limits_of_proofs_hold() {
    let game = game("chess", &[]);
    let mut start = game.begin().expect("a first position");
    let mut prover = Prover::new(1 << 20);
    let (answer, positions) = prover.prove(&mut start, PlayerId(0), &within(2_000));
    assert_eq!((answer, positions), (Answer::Open, 2_000));
}

/// With an evaluation that knows nothing, only proofs tell what keeps the value.
#[test]
fn a_strong_player_keeps_what_is_proven() {
    for (name, options, plies) in [
        ("connect-four", &[("Columns", "5"), ("Rows", "4")][..], 8),
        ("hex", &[("Size", "4")], 4),
        ("kitaran", &[("Size", "3")], 3),
    ] {
        let game = game(name, options);
        let features = Arc::new(Features::new(&game));
        let evaluation = Arc::new(Evaluation::new(features, Vec::new()));
        let mut compared = 0;
        for seed in 0..8 {
            let Some(state) = random_position(&game, plies, mix(3, seed)) else { continue };
            let solution = exact(&state);
            let keeps: Vec<_> = solution.optimal().map(|first| first.ply.clone()).collect();
            if keeps.is_empty() || keeps.len() == solution.first.len() {
                continue;
            }
            compared += 1;
            for method in [Method::Leaves, Method::Mcts] {
                let chosen = [1, 2].map(|threads| {
                    let mut strong = Strong::new(Arc::clone(&evaluation), method, 4 << 20);
                    let mut mcts = Mcts::new(threads, 4 << 20);
                    let thinking = strong.think(&mut mcts, &state, seed, &within(20_000));
                    thinking.expect("rules that end").plies[0].ply.clone()
                });
                assert!(keeps.contains(&chosen[0]), "{name}, seed {seed}, {method:?}: {chosen:?}");
                assert_eq!(chosen[0], chosen[1], "{name}, seed {seed}, {method:?}");
            }
        }
        assert!(compared >= 3, "{name}: only {compared} positions have a wrong ply");
    }
}

/// With time and several threads, a win is searched for beside the search, and alpha-beta has
/// helpers: what is proven is true, and a search that is stopped ends all.
#[test]
fn what_several_threads_prove_is_true() {
    let (mut proven, mut beside) = (0, 0);
    for (name, options, plies) in SMALL {
        let game = game(name, options);
        let features = Arc::new(Features::new(&game));
        let evaluation = Arc::new(Evaluation::new(features, Vec::new()));
        for seed in 0..6 {
            let Some(state) = random_position(&game, plies, mix(6, seed)) else { continue };
            let Turn::Player(mover) = state.turn() else { continue };
            for method in [Method::Tree, Method::Mcts, Method::AlphaBeta, Method::Quiescence] {
                let mut strong = Strong::new(Arc::clone(&evaluation), method, 4 << 20);
                let mut mcts = Mcts::new(2 + seed as usize % 2, 4 << 20);
                let timed = |milliseconds, stop| SearchLimits {
                    deadline: Deadline::after(Some(Duration::from_millis(milliseconds))),
                    stop,
                    ..SearchLimits::default()
                };
                let mut think = |limits: &SearchLimits| {
                    strong.think(&mut mcts, &state, seed, limits).expect("rules that end")
                };
                let stopped = AtomicBool::new(true);
                let began = Instant::now();
                assert!(!think(&timed(60_000, Some(&stopped))).plies.is_empty(), "{name}");
                assert!(began.elapsed().as_secs() < 30, "{name}: it was not stopped");
                let thinking = think(&timed(60, None));
                if thinking.solved && thinking.plies[0].chance == 1.0 {
                    let value = exact(&state).value;
                    assert_eq!(value, Value::Win(mover), "{name}, seed {seed}, {method:?}");
                    proven += 1;
                    // A tree does not say how far it looked ahead.
                    let is_tree = method.exploration().is_some();
                    beside += u32::from(is_tree && thinking.depth.is_some());
                }
            }
        }
    }
    println!("{proven} wins were proven, {beside} beside the tree");
    assert!(proven >= 30 && beside >= 3, "{proven} wins were proven, {beside} beside the tree");
}

/// Games with dice, several players, or one alone are searched, too.
#[test]
fn strong_players_play_any_game() {
    for (name, options) in [
        ("swarm", &[("Size", "4"), ("Cubes", "5")][..]),
        ("three-player-tic-tac-toe", &[]),
        ("peg-solitaire", &[]),
    ] {
        let game = game(name, options);
        let features = Arc::new(Features::new(&game));
        let evaluation = Arc::new(Evaluation::new(features, Vec::new()));
        for method in Method::LEARNED {
            let mut strong = Strong::new(Arc::clone(&evaluation), method, 1 << 20);
            let mut mcts = Mcts::new(1, 1 << 20);
            let mut state = game.begin().expect("a first position");
            for made in 0..12 {
                let ply = match state.turn() {
                    Turn::Nobody => break,
                    Turn::Chance => roll_with(&state, made).expect("a roll"),
                    Turn::Player(_) => {
                        let thinking = strong.think(&mut mcts, &state, made, &within(60));
                        thinking.expect("rules that end").plies[0].ply.clone()
                    }
                };
                state.play(&ply).expect("a legal ply");
            }
        }
    }
}
