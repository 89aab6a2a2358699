//! Tree search: deterministic for a seed on any number of threads, exact where it claims to be, and
//! within its limits.

use crate::support::{Variant, load};
use ludwright::budget::Deadline;
use ludwright::engine::game::{State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::learn::{Evaluation, Features, Method};
use ludwright::random::{Random, mix};
use ludwright::search::{Mcts, SearchLimits, Thinking, greedy, learned, roll};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const MEMORY: usize = 64 << 20;
/// Memory that is full after some thousand iterations.
const LITTLE: usize = 1 << 20;

/// A game with options.
type Chosen = (&'static str, &'static [(&'static str, &'static str)]);

fn begin(name: &str, options: &[(&str, &str)]) -> State {
    let options =
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    load(&Variant { name: name.to_owned(), options, plies: 0 }).begin().expect("a first position")
}

fn iterations(number: u64) -> SearchLimits<'static> {
    SearchLimits { iterations: Some(number), ..SearchLimits::default() }
}

fn think(mcts: &mut Mcts, position: &State, seed: u64, number: u64) -> Thinking {
    mcts.think(position, seed, &iterations(number), &mut |_| true).expect("rules that end")
}

/// A search result without its duration.
fn timeless(thinking: &Thinking) -> Thinking {
    Thinking { seconds: 0.0, ..thinking.clone() }
}

/// An evaluation that knows nothing, but believes much.
fn drawn_evaluation(features: &Arc<Features>) -> Evaluation {
    let mut random = Random::new(3);
    let weights = 0..features.all_weights();
    let drawn = weights.map(|_| random.below(200) as f32 / 500.0 - 0.2).collect();
    Evaluation::new(Arc::clone(features), drawn)
}

#[test]
fn threads_change_nothing() {
    let games: [Chosen; 7] = [
        ("kitaran", &[]),
        ("cicada", &[("Size", "4")]),
        ("double-move-situ", &[("Order", "2")]),
        ("lichen-chess", &[]),
        ("swarm", &[("Size", "4"), ("Cubes", "5")]),
        ("three-player-tic-tac-toe", &[]),
        ("outlast", &[]),
    ];
    for (name, options) in games {
        let thought = [1, 2, 3].map(|threads| {
            let mut mcts = Mcts::new(threads, MEMORY);
            let mut position = begin(name, options);
            let mut all = Vec::new();
            for number in 0..6 {
                let ply = match roll(&position, 5) {
                    Some(ply) => ply,
                    None => {
                        let thinking = think(&mut mcts, &position, mix(7, number), 700);
                        let ply = thinking.plies[0].ply.clone();
                        all.push(timeless(&thinking));
                        ply
                    }
                };
                position.play(&ply).expect("a legal ply");
            }
            all
        });
        assert!(thought[0].len() >= 3, "{name}");
        assert!(
            thought[0].iter().any(|thinking| thinking.plies.len() > 1 && thinking.nodes > 100),
            "{name}"
        );
        assert_eq!(thought[0], thought[1], "{name}");
        assert_eq!(thought[0], thought[2], "{name}");
        let other = timeless(&think(&mut Mcts::new(1, MEMORY), &begin(name, options), 8, 700));
        assert_ne!(other, thought[0][0], "{name}: the seed does nothing");
    }
}

/// What an evaluation says of nodes and plies is the same on any number of threads, in a tree that
/// grows and in one that is full.
#[test]
fn threads_change_nothing_with_an_evaluation() {
    let games: [Chosen; 4] = [
        ("kitaran", &[]),
        ("lichen-chess", &[("Wings", "off")]),
        ("swarm", &[("Size", "4"), ("Cubes", "5")]),
        ("three-player-tic-tac-toe", &[]),
    ];
    for (name, options) in games {
        let position = begin(name, options);
        let features = Arc::new(Features::new(position.game()));
        let drawn = Arc::new(drawn_evaluation(&features));
        let empty = Arc::new(Evaluation::new(features, Vec::new()));
        for method in [Method::Tree, Method::Leaves] {
            let search = |threads, memory, number, evaluation| {
                let mut mcts = Mcts::new(threads, memory);
                mcts.search_by(method.into(), evaluation);
                let mut position = position.clone();
                let mut all = Vec::new();
                while all.len() < 3 {
                    let ply = roll(&position, 5).unwrap_or_else(|| {
                        let thinking = think(&mut mcts, &position, all.len() as u64, number);
                        all.push(timeless(&thinking));
                        thinking.plies[0].ply.clone()
                    });
                    position.play(&ply).expect("a legal ply");
                }
                all
            };
            for (memory, number) in [(MEMORY, 700), (LITTLE, 4_000)] {
                let [one, two, three] =
                    [1, 2, 3].map(|threads| search(threads, memory, number, &drawn));
                assert_eq!(one, two, "{name} {method:?}");
                assert_eq!(one, three, "{name} {method:?}");
                let other = search(1, memory, number, &empty);
                assert_ne!(one, other, "{name} {method:?}: the evaluation does nothing");
            }
        }
    }
}

/// With little memory, what is visited least is forgotten, and the search goes on.
#[test]
fn a_full_tree_is_recycled() {
    for (name, options) in
        [("kitaran", &[][..]), ("connect-four", &[("Columns", "5"), ("Rows", "4")])]
    {
        let position = begin(name, options);
        let [one, two] = [1, 3]
            .map(|threads| timeless(&think(&mut Mcts::new(threads, LITTLE), &position, 5, 30_000)));
        assert!(one.recycled > 1, "{name}: {} times", one.recycled);
        assert_eq!(one.iterations, 30_000, "{name}");
        assert_eq!(one, two, "{name}");
        let visits: u32 = one.plies.iter().map(|ply| ply.visits).sum();
        assert!(visits > 29_900, "{name}: the root keeps its {visits} visits");
    }
}

/// Value of a position for each of two players by full minimax (expectation at chance); `None` if
/// it has too many positions.
fn minimax(position: &mut State, left: &mut u32) -> Option<[f64; 2]> {
    *left = left.checked_sub(1)?;
    if let Some(outcome) = position.outcome() {
        return Some(match outcome {
            Outcome::Win(winner) if winner.index() == 0 => [1.0, 0.0],
            Outcome::Win(_) => [0.0, 1.0],
            Outcome::Draw | Outcome::Shared(_) => [0.5, 0.5],
        });
    }
    let mut children = Vec::new();
    for ply in position.legal().to_vec() {
        position.play(&ply).expect("a legal ply");
        let child = minimax(position, left);
        position.undo();
        children.push(child?);
    }
    Some(match position.turn() {
        Turn::Player(player) => children
            .into_iter()
            .max_by(|one, other| one[player.index()].total_cmp(&other[player.index()]))?,
        _ => [0, 1].map(|player| {
            children.iter().map(|child| child[player]).sum::<f64>() / children.len() as f64
        }),
    })
}

#[test]
fn solved_values_are_exact() {
    // With and without repetition, with turns of several plies, and with dice.
    let games: [(Chosen, usize); 6] = [
        (("tic-tac-toe", &[]), 3),
        (("connect-four", &[("Columns", "4"), ("Rows", "3"), ("Line", "3")]), 5),
        (("flow-repetition", &[]), 0),
        (("kitaran", &[("Size", "3")]), 8),
        (("cicada", &[("Size", "3"), ("Molt", "3")]), 10),
        (("double-move-situ", &[("Order", "2"), ("Surplus", "2")]), 13),
    ];
    for ((name, options), before) in games {
        let mut compared = 0;
        let features = Arc::new(Features::new(begin(name, options).game()));
        let evaluation = Arc::new(drawn_evaluation(&features));
        for seed in 0..12 {
            let mut position = begin(name, options);
            for number in 0..before {
                let legal = position.legal();
                let Some(ply) = legal
                    .get(Random::new(mix(seed, number as u64)).below(legal.len() as u32) as usize)
                    .cloned()
                else {
                    break;
                };
                position.play(&ply).expect("a legal ply");
            }
            let Some(exact) = minimax(&mut position.clone(), &mut 60_000) else { continue };
            let mut mcts = Mcts::new(2, if seed % 2 == 0 { MEMORY } else { LITTLE });
            if seed >= 8 {
                mcts.search_by(Method::Tree.into(), &evaluation);
            }
            // The tree with its proven values is reused.
            while position.outcome().is_none() {
                let thinking = think(&mut mcts, &position, seed, 20_000);
                let Some(exact) = minimax(&mut position.clone(), &mut 60_000) else { break };
                for tried in thinking.plies.iter().filter(|tried| tried.solved) {
                    let Turn::Player(mover) = position.turn() else { break };
                    let mut after = position.clone();
                    after.play(&tried.ply).expect("a legal ply");
                    let exact = minimax(&mut after, &mut 60_000).expect("few positions");
                    assert_eq!(tried.chance, exact[mover.index()], "{name}: {:?}", tried.ply);
                }
                if thinking.solved {
                    compared += 1;
                    assert_eq!(
                        thinking.win_probabilities,
                        exact,
                        "{name}, seed {seed}, after {:?}",
                        position.plies()
                    );
                }
                position.play(&thinking.plies[0].ply).expect("a legal ply");
                if thinking.solved {
                    assert_eq!(
                        minimax(&mut position.clone(), &mut 60_000),
                        Some(exact),
                        "{name}, seed {seed}: the choice gives away what was sure"
                    );
                }
            }
            assert!(exact.iter().sum::<f64>() == 1.0);
        }
        assert!(compared >= 8, "{name}: only {compared} were solved");
    }
}

#[test]
fn chance_is_weighed_exactly() {
    let text = r#"
        (game "Toss"
          (players A B)
          (board (square 2))
          (piece Stone)
          (remember Bet number)
          (remember Die number)
          (move bet (number n 1 4) (set Bet n))
          (move roll (number n 1 6) (set Die n))
          (play
            (turn A (choose bet))
            (chance roll)
            (if (>= Bet Die) (win A) (else (if (= Die 6) (draw) (else (win B)))))))"#;
    let position = ludwright::load(text, &[]).expect("a game").begin().expect("a first position");
    let thinking = think(&mut Mcts::new(1, MEMORY), &position, 1, 1_000);
    assert!(thinking.solved && thinking.iterations < 1_000, "{thinking:?}");
    // Four of six rolls win, one draws.
    assert!((thinking.win_probabilities[0] - 4.5 / 6.0).abs() < 1e-12, "{thinking:?}");
    assert_eq!(
        ludwright::notation::spell(position.game().rules(), &thinking.plies[0].ply),
        "bet 4"
    );
}

#[test]
fn a_win_at_hand_is_taken() {
    let mut position = begin("tic-tac-toe", &[]);
    for text in ["place a1", "place b1", "place a2", "place b2"] {
        position
            .play(&ludwright::notation::read(&position, text).expect("a legal move"))
            .expect("a legal move");
    }
    let spelled = |ply| ludwright::notation::spell(position.game().rules(), ply);
    let thinking = think(&mut Mcts::new(1, MEMORY), &position, 1, 1_000);
    assert!(
        thinking.solved && thinking.win_probabilities == [1.0, 0.0] && thinking.iterations < 200,
        "{thinking:?}"
    );
    assert_eq!(thinking.line.iter().map(spelled).collect::<Vec<_>>(), ["place a3"]);
    let greedy =
        greedy::choose(&position, 1, &SearchLimits::default()).expect("an end").expect("a ply");
    assert_eq!(spelled(&greedy), "place a3");
}

/// All plies are equal, so that chance decides between those that were looked at.
#[test]
fn players_that_look_one_ply_ahead_can_be_stopped() {
    let position = begin("tic-tac-toe", &[]);
    let features = Features::new(position.game());
    let evaluation = Evaluation::new(Arc::new(features), Vec::new());
    let stop = AtomicBool::new(true);
    let stopped = SearchLimits { stop: Some(&stop), ..SearchLimits::default() };
    let late = Deadline::at(Some(Instant::now()));
    let late = SearchLimits { deadline: late, ..SearchLimits::default() };
    for (limits, is_cut_short) in [(SearchLimits::default(), false), (stopped, true), (late, true)]
    {
        let greedy = |seed| greedy::choose(&position, seed, &limits);
        let learned = |seed| learned::choose(&position, &evaluation, seed, &limits);
        let plies: HashSet<String> =
            (0..20).map(|seed| format!("{:?}", greedy(seed).expect("an end"))).collect();
        assert_eq!(plies.len() == 1, is_cut_short, "{plies:?}");
        let plies: HashSet<String> =
            (0..20).map(|seed| format!("{:?}", learned(seed).expect("an end"))).collect();
        assert_eq!(plies.len() == 1, is_cut_short, "{plies:?}");
        assert!(!plies.contains("None"));
    }
}

#[test]
fn a_whole_small_game_is_solved() {
    let thinking = think(&mut Mcts::new(2, MEMORY), &begin("tic-tac-toe", &[]), 1, 200_000);
    assert!(
        thinking.solved && thinking.win_probabilities == [0.5, 0.5],
        "{} iterations, {:?}",
        thinking.iterations,
        thinking.win_probabilities
    );
    // The tree merges transpositions, so it has few nodes.
    assert!(thinking.nodes < 10_000, "{}", thinking.nodes);
}

#[test]
fn the_tree_is_kept_between_moves() {
    let mut position = begin("kitaran", &[]);
    let mut mcts = Mcts::new(1, MEMORY);
    let first = think(&mut mcts, &position, 1, 3_000);
    for ply in &first.line[..2] {
        position.play(ply).expect("a legal ply");
    }
    let second = think(&mut mcts, &position, 2, 1);
    assert!(
        second.nodes > 10 && second.plies.iter().map(|tried| tried.visits).sum::<u32>() > 10,
        "{second:?}"
    );
    // A search of another game does not reuse the tree.
    let other = think(&mut mcts, &begin("kitaran", &[]), 1, 3_000);
    assert_eq!(timeless(&other), timeless(&first));
    let mut elsewhere = begin("kitaran", &[]);
    elsewhere.play(&first.plies.last().expect("a ply").ply).expect("a legal ply");
    let third = think(&mut mcts, &elsewhere, 3, 100);
    let last = first.plies.last().expect("a ply");
    assert!(third.nodes <= 101 + last.visits as usize, "{third:?}");
}

#[test]
fn limits_hold() {
    let position = begin("kitaran", &[]);
    // A search continues with a full tree, without growing it.
    let small = think(&mut Mcts::new(2, 1 << 20), &position, 1, 40_000);
    assert_eq!(small.iterations, 40_000);
    let whole = think(&mut Mcts::new(2, MEMORY), &position, 1, 40_000);
    assert!(3 * small.nodes < whole.nodes, "{} and {}", small.nodes, whole.nodes);
    // Without limits, a search ends when the tree is full.
    let full = Mcts::new(1, 1 << 20)
        .think(&position, 1, &SearchLimits::default(), &mut |_| true)
        .expect("an end");
    assert!(full.iterations < 20_000 && !full.plies.is_empty(), "{full:?}");
    let began = Instant::now();
    let limits = SearchLimits {
        deadline: Deadline::after(Some(Duration::from_millis(100))),
        ..SearchLimits::default()
    };
    let timed = Mcts::new(2, MEMORY).think(&position, 1, &limits, &mut |_| true).expect("an end");
    assert!(timed.iterations > 100 && began.elapsed() < Duration::from_secs(5), "{timed:?}");
    let stop = AtomicBool::new(true);
    let stopped = Mcts::new(2, MEMORY)
        .think(
            &position,
            1,
            &SearchLimits { stop: Some(&stop), ..SearchLimits::default() },
            &mut |_| true,
        )
        .expect("an end");
    assert!(stopped.iterations == 1 && stopped.plies.len() == 1, "{stopped:?}");
}

#[test]
fn rules_without_end_are_blamed() {
    let text = std::fs::read_to_string("tests/commands/endless/endless.game").expect("a file");
    let position = ludwright::load(&text, &[]).expect("a game").begin().expect("a first position");
    let fault = Mcts::new(2, MEMORY)
        .think(&position, 1, &iterations(100), &mut |_| true)
        .expect_err("an endless playout");
    assert!(fault.message.contains("never reach the next ply"), "{fault}");
}
