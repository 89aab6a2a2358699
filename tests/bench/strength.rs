//! Measures what learning is worth: trains, then plays against opponents written by hand and
//! against tree search with plain playouts. Each ply takes as long as the time of a measurement.
//!
//! What decided for constants of the searches, in matches outside this benchmark:
//!
//! | constant | game | time a ply | tried | score |
//! |---|---|---|---|---|
//! | `mcts::search::DESCENT_SECONDS` | Kitaran | 10 ms | three playouts a descent against one | 64 % of 120 |
//! | | Connect Four | 10 ms | the same | 62 % of 200 |
//! | | Lichen Chess | 10 ms | the same | 43 % of 200 |
//! | `mcts::search::MIN_DESCENTS_WITH_SEVERAL` | Kitaran | 50 ms | four playouts: iterations of random play with 2; with 1 | 0.70; 0.68 |
//! | `mcts::search::MIN_VISITS_TO_RATE`, `Trust::sharpness` | Lichen Chess | 0.1 s | 16 and 2 against plies that are not rated | 46 of 80 |
//! | | Connect Four | 50 ms | the same | 43½ of 80 |
//! | | Lichen Chess | 0.1 s | 3.3 against 1.7 | 37 of 80 |
//! | `probe::BESIDE_PLAYOUTS` | Lichen Chess | 50 ms | 0.7 and 3 against 0.5 and 2 | 74 of 120 |
//! | | Connect Four | 20 ms | the same; only 0.7 | 47; 43 of 80 |
//! | | Double-Move Situ; Cicada | 20 ms | the same | 32; 30 of 60 |
//! | | Connect Four | 1 s | two threads, 0.7 and 3; 0.5 and 2, mean of three runs | 192; 195 of 200 positions right |
//! | | Lichen Chess | 50 ms | 0.3 and 1 against 0.5 and 2; 0.85 against 0.7 | 14; 29 of 60 |
//! | tree, one set of weights for all points, halves | Lichen Chess | 0.1 s | log-odds × 0.4 and 7 : 3 to the playout; × 0.5 and 6 : 4 against halves | 46; 47 of 80 |
//! | | Connect Four; Double-Move Situ | 50 ms | log-odds × 0.4 and 7 : 3 to the playout against halves; the ratings too in Connect Four | 36 of 80; 17 of 40 |
//! | | Lichen Chess | 0.1 s | log-odds × 0.4 against × 1, halves of both; 6 : 4 against halves of × 1 | 33 of 80; 67 of 120 |
//! | | Connect Four | 50 ms | log-odds × 0.7 and 6 : 4 to the playout, as fitted to results, against halves | 60½ of 120 |
//! | | Double-Move Situ; Kitaran | 50; 30 ms | 1 : 2 and 9 : 1 to the playout, as fitted to results, against halves | 35 of 80; 12½ of 31 |
//! | | Lichen Chess | 0.1 s | no playouts against halves | 24 of 80 |
//! | | Lichen Chess | 0.1 s | evaluation 3 : 1 to the playout against halves | 43 of 90 |
//! | | Lichen Chess | 0.1 s | two playouts against one | 87 of 180 |
//! | | Lichen Chess | 0.1 s | evaluated after 8 random plies against whole playouts | 28 of 90 |
//! | `learn::heads`: a set for each point too | Double-Move Situ | 20 ms | against those of the side alone | 91 of 140 |
//! | | Swarm | 20 ms | the same | 25 of 50 |
//! | | Othello | 10 ms | the same, for passing as well | 12 of 80 |
//! | a set for each point alone | Double-Move Situ | 20 ms | the same | 40 of 80 |
//! | | Swarm | 20 ms | the same | 6 of 20 |
//! | | Lichen Chess | 50 ms | against those of the side too | 34 of 60 |
//! | weights for the numbers of both players together | Lichen Chess | 50 ms | against none | 35 of 80 |
//! | games that begin in positions of searched games | Lichen Chess | 50 ms | against none | 63 of 120 |
//! | `training::LAMBDA` and `STEP` | Swarm, Double-Move Situ; Connect Four | 10 ms | 0.95 and 2 against 0.8 and 1, learned for 40 s each | 15, 14 of 20; 39 of 60 |
//! | | Cicada, Kitaran, Othello | 10 ms | the same | 29, 28½, 26½ of 60 |
//! | | Breakthrough | 10 ms | the same, three seeds | 82 of 160 |
//! | | Breakthrough | 10 ms | only 0.95; only 2 | 38; 44 of 60 |
//! | `strong::PROOF_SHARE_BESIDE_TREE` | Connect Four | 1 s | two threads, 2; before the tree, 1/20, 1/5 and 1/3 of the time | 195; 193, 194, 196 of 200 positions right |
//! | `Method::exploration` | Lichen Chess | | tree with 1.0; 0.5; 2.0 against `mcts` | 79; 74; 75 % of 200 |
//! | `selection::MAX_TIME_FACTOR` | Lichen Chess | 20 ms; 0.1 and 0.4 s | leaves against the tree | 27; 23 of 60 |
//! | `history::STEEPNESS` | Double-Move Situ | | 15; 8 against `mcts` | 73; 63 % of 30 |
//! | `AlphaBeta::varied` | Double-Move Situ | | 1.5 %; 5 % against none | 45 % of 200; 35 % of 60 |
//! | alpha-beta: plies that have won elsewhere tried where the depth ends, by both sides | Connect Four | 2,000 positions | against none, two trainings | 137½ of 240; 99 of 200 |
//! | | Breakthrough; Hex; chess | 1,000 positions | the same | 48 of 100; 29 of 60; 14 of 24 |
//! | alpha-beta: evaluations of 0.7 a ply too much cut off at depths 1 and 2 | Connect Four | 2,000 positions | against none, two trainings | 132½ of 240; 88 of 200 |
//! | | chess; Breakthrough | 1,000 positions | the same | 31 of 60; 47 of 100 |
//! | weights tapered by the number of pieces | Connect Four | 2,000 positions | against one set, learned for 6 s each | 62½ of 160 |
//! | the number of moves of the other side | Breakthrough | 1,000 positions | against none, learned for 8 s each | 42 of 80 |
//! | `openings::POSITIONS` | Lichen Chess | | beginnings of two random plies found decided with 1,000; 5,000 | 28; 28 of 128 |

use super::Settings;
use super::games::load;
use super::opponents::{Evaluate, breakthrough, chess, choose, othello};
use super::report::Column;
use super::support::files;
use super::trainings::training;
use ludwright::budget::Deadline;
use ludwright::engine::PackedMove;
use ludwright::engine::game::{Game, Move, State, Turn};
use ludwright::learn::network::payoffs;
use ludwright::learn::{Learned, Method};
use ludwright::measure::statistics::{Estimate, Scores};
use ludwright::random::mix;
use ludwright::search::openings::undecided;
use ludwright::search::strong::Strong;
use ludwright::search::{Mcts, SearchLimits, roll_with};
use std::sync::Arc;
use std::time::Duration;

/// The random plies that begin a game; as many games as there are players begin with the same.
const RANDOM_PLIES: usize = 2;
/// Games that reach this number of plies count as draws.
const MAX_PLIES: usize = 600;
/// The memory of a searcher, in bytes.
pub const MEMORY: usize = 64 << 20;

const COLUMNS: &[Column] = &[
    Column { key: "learned from", digits: 0 },
    Column { key: "method", digits: 0 },
    Column { key: "games", digits: 0 },
    Column { key: "score", digits: 3 },
    Column { key: "from", digits: 3 },
    Column { key: "to", digits: 3 },
    Column { key: "wanted", digits: 2 },
];

/// Whom the player is measured against.
enum Opponent {
    /// Plain alpha-beta of this depth, with an evaluation written by hand.
    ByHand(u32, Evaluate),
    /// Tree search with plain playouts, with the same time.
    Mcts,
}

/// Measures the games with opponents written by hand, then all shipped ones.
pub fn measure(settings: &Settings) {
    let about = "games learned from, how the training decided to search (0 mcts, 1 alpha-beta, 2 tree, 3 leaves, 4 quiescence), and the share of points with its 95 % interval";
    let table = settings.table("strength", about, COLUMNS);
    let by_hand = [
        ("breakthrough", Opponent::ByHand(6, breakthrough), 0.8),
        ("othello", Opponent::ByHand(6, othello), 0.7),
        ("chess", Opponent::ByHand(2, chess), 0.6),
    ];
    let by_hand =
        by_hand.into_iter().map(|(name, opponent, wanted)| (name.to_owned(), opponent, wanted));
    let shipped = files("games").into_iter().map(|name| {
        let wanted = if name.contains("swarm") { 0.65 } else { 0.85 };
        (name, Opponent::Mcts, wanted)
    });
    for (name, opponent, wanted) in by_hand.chain(shipped).filter(|(name, ..)| settings.wants(name))
    {
        let game = load(&name, &[]);
        let learned = training(&game, settings);
        let Some(Estimate { value, low, high, .. }) = play(&game, &learned, &opponent, settings)
        else {
            continue;
        };
        let method = match learned.style.method {
            Method::Mcts => 0.0,
            Method::AlphaBeta => 1.0,
            Method::Tree => 2.0,
            Method::Leaves => 3.0,
            Method::Quiescence => 4.0,
        };
        let (from, games) = (learned.games as f64, f64::from(settings.games));
        table.row(&name, &[from, method, games, value, low, high, wanted].map(Some));
    }
}

/// Plays a match; returns the score of the player that uses the training.
fn play(
    game: &Game,
    learned: &Learned,
    opponent: &Opponent,
    settings: &Settings,
) -> Option<Estimate> {
    let players = game.rules().players.len();
    let mut scores = Scores::default();
    for number in 0..u64::from(settings.games) {
        let seat = number as usize % players;
        let score = one(game, learned, opponent, seat, number, settings.seconds);
        match score {
            score if score >= 1.0 => scores.wins += 1,
            score if score > 0.0 => scores.draws += 1,
            _ => scores.losses += 1,
        }
        eprint!(
            "{}",
            if score >= 1.0 {
                "+"
            } else if score > 0.0 {
                "="
            } else {
                "-"
            }
        );
    }
    eprintln!();
    scores.estimate(players)
}

/// Plays a game; returns the score of the player in that seat, who uses the training.
fn one(
    game: &Game,
    learned: &Learned,
    opponent: &Opponent,
    seat: usize,
    number: u64,
    seconds: f64,
) -> f32 {
    let players = game.rules().players.len();
    let mut strong = Strong::new(Arc::clone(&learned.evaluation), learned.style, MEMORY);
    let [mut own, mut plain] = [0, 1].map(|_| Mcts::new(1, MEMORY));
    let opening = mix(11, number / players as u64);
    let mut state = undecided(game, RANDOM_PLIES, opening).expect("rules that end");
    for made in RANDOM_PLIES..MAX_PLIES {
        let seed = mix(number, made as u64);
        let time = Some(Duration::from_secs_f64(seconds));
        let within = || SearchLimits { deadline: Deadline::after(time), ..SearchLimits::default() };
        let legal = state.packed();
        let ply: Option<PackedMove> = match state.personal_turn() {
            Turn::Nobody => break,
            Turn::Chance => find(&state, &roll_with(&state, seed).expect("a roll")),
            Turn::Player(player) => match opponent {
                _ if legal.len() == 1 => legal.first().copied(),
                _ if player.index() == seat => {
                    let thinking = strong.think(&mut own, &state, seed, &within());
                    find(&state, &thinking.expect("rules that end").plies[0].ply)
                }
                Opponent::ByHand(depth, evaluate) => choose(&mut state.clone(), *depth, *evaluate),
                Opponent::Mcts => {
                    let thinking = plain.think(&state, seed, &within(), &mut |_| true);
                    find(&state, &thinking.expect("rules that end").plies[0].ply)
                }
            },
        };
        state.play_packed(ply.expect("a ply")).expect("a legal ply");
    }
    let mut scores = vec![0.0; players];
    payoffs(state.personal_outcome(), &mut scores);
    scores[seat]
}

/// Returns the packed form of a legal ply.
fn find(state: &State, ply: &Move) -> Option<PackedMove> {
    let place = state.legal().iter().position(|legal| legal == ply)?;
    state.packed().get(place).copied()
}
