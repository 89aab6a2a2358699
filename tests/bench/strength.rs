//! Measures what learning is worth: trains, then plays against opponents written by hand and
//! against tree search with plain playouts. A training takes sixty times, and each ply as long as
//! the time of a measurement.

use super::Settings;
use super::games::load;
use super::opponents::{Evaluate, breakthrough, choose, othello};
use super::report::Column;
use super::support::files;
use ludwright::budget::Deadline;
use ludwright::engine::game::{Game, State, Turn};
use ludwright::learn::network::payoffs;
use ludwright::learn::{Evaluation, Features, MatchResult, Method, Training, TrainingLimits};
use ludwright::random::{Random, mix};
use ludwright::search::selection::{MatchLimits, play_match};
use ludwright::search::{AlphaBeta, SearchLimits};
use std::sync::Arc;
use std::time::Duration;

/// Games of each match.
const GAMES: u32 = 20;
/// The random plies that begin a game.
const RANDOM_PLIES: usize = 4;
/// The depth of the opponents.
const DEPTH: u32 = 6;
/// The memory of the searcher, in bytes.
const MEMORY: usize = 64 << 20;

const COLUMNS: &[Column] = &[
    Column { key: "games learned", digits: 0 },
    Column { key: "games played", digits: 0 },
    Column { key: "score", digits: 3 },
    Column { key: "wanted", digits: 2 },
];

/// Measures the games with opponents written by hand, then all shipped ones.
pub fn measure(settings: &Settings) {
    let about = "games learned from, and the share of points by hand at depth 6 or plain mcts";
    let table = settings.table("strength", about, COLUMNS);
    let time = Duration::from_secs_f64(settings.seconds);
    let by_hand: [(&str, Evaluate, f64); 2] =
        [("breakthrough", breakthrough, 0.8), ("othello", othello, 0.7)];
    for (name, evaluate, wanted) in by_hand.into_iter().filter(|(name, ..)| settings.wants(name)) {
        let game = load(name, &[]);
        let (games, evaluation) = train(&game, time * 60);
        let score = f64::from(against(&game, &evaluation, evaluate, time)) / f64::from(GAMES);
        table.row(name, &[games as f64, f64::from(GAMES), score, wanted].map(Some));
    }
    for name in files("games").iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let (games, evaluation) = train(&game, time * 60);
        let limits =
            MatchLimits { games: GAMES, time, deadline: Deadline::default(), seed: 1, threads: 1 };
        let play = |method| play_match(&game, &evaluation, method, &limits).expect("an end");
        let results = [Method::AlphaBeta, Method::Tree].map(play);
        let share = |result: &MatchResult| result.score / f64::from(result.games.max(1));
        let score = results.iter().map(share).fold(0.0, f64::max);
        let wanted = if name == "swarm" { 0.65 } else { 0.85 };
        table.row(name, &[games as f64, f64::from(GAMES), score, wanted].map(Some));
    }
}

/// Trains on one thread; returns the number of games too.
fn train(game: &Game, time: Duration) -> (u64, Arc<Evaluation>) {
    let mut training = Training::new(game, Arc::new(Features::new(game)), 1);
    let deadline = Deadline::after(Some(time));
    let limits = TrainingLimits { games: None, deadline, seed: 1, threads: 1 };
    training.run(&limits, &mut |_| true).expect("rules that end");
    (training.games(), Arc::new(training.evaluation().clone()))
}

/// Returns the points of alpha-beta with the evaluation.
fn against(game: &Game, evaluation: &Arc<Evaluation>, opponent: Evaluate, time: Duration) -> f32 {
    let mut points = 0.0;
    for number in 0..GAMES {
        let seat = (number % 2) as usize;
        let mut search = AlphaBeta::new(Arc::clone(evaluation), MEMORY);
        let mut opening = Random::new(mix(11, u64::from(number / 2)));
        let mut state: State = game.begin().expect("a first position");
        let mut made = 0;
        while let Turn::Player(player) = state.turn() {
            let legal = state.packed().to_vec();
            let ply = if made < RANDOM_PLIES {
                legal.get(opening.below(legal.len() as u32) as usize).copied()
            } else if player.index() == seat {
                let limits = SearchLimits {
                    deadline: Deadline::after(Some(time)),
                    ..SearchLimits::default()
                };
                let thinking = search.think(&state, 1, &limits).expect("rules that end");
                let first = thinking.plies.first().expect("a ply").ply.clone();
                legal.into_iter().find(|&ply| game.spell_out(ply) == first)
            } else {
                choose(&mut state.clone(), DEPTH, opponent)
            };
            state.play_packed(ply.expect("a ply")).expect("a legal ply");
            made += 1;
        }
        let mut scores = [0.0; 2];
        payoffs(state.outcome(), &mut scores);
        points += scores[seat];
    }
    points
}
