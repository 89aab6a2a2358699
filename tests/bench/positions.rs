//! Measures how often players choose a ply that keeps the value of a position, where exact values
//! are known.
//!
//! The 200 positions of Connect Four, by seconds on one thread if nothing else is said, with 95 %
//! intervals, after a minute of training (`cargo bench -- connect-four --seconds 1`, and the same
//! with `--threads 2`):
//!
//! | player | time | right |
//! |---|---|---|
//! | `strong`, tree search with the evaluation and playouts, two threads | 1 s | 97.0 % (93.6–98.6) |
//! | the same, one thread | 1 s | 96.5 % (93.0–98.3) |
//! | `strong`, tree search by the evaluation | 1 s | 97.0 % (93.6–98.6) |
//! | `mcts` | 1 s | 95.0 % (91.0–97.3) |
//! | `strong`, alpha-beta | 0.3 s | 95.0 % (91.0–97.3) |
//! | `strong`, tree search by the evaluation | 0.3 s | 94.5 % (90.4–96.9) |
//! | `strong`, tree search with the evaluation and playouts | 0.3 s | 91.5 % (86.8–94.6) |
//! | `mcts` | 0.3 s | 90.0 % (85.1–93.4) |

use super::Settings;
use super::connect_four::column;
use super::games::{all, load};
use super::report::Column;
use super::strength::MEMORY;
use super::trainings::training;
use ludwright::budget::Deadline;
use ludwright::engine::game::{Game, Move, State, Turn};
use ludwright::learn::Learned;
use ludwright::measure::statistics::proportion_ci;
use ludwright::random::{Random, mix};
use ludwright::search::strong::Strong;
use ludwright::search::{Mcts, SearchLimits, roll_with};
use ludwright::solve::{SolveLimits, Value, solve};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The positions of Connect Four: on each line the columns of the plies, and the right column.
const POSITIONS: &str = include_str!("connect_four_positions.txt");
/// The iterations of the players that make positions. Of three plies one is random.
const MAKER: u64 = 60;
const RANDOM_SHARE: u32 = 3;
/// The limits of the solver.
const LIMITS: SolveLimits = SolveLimits {
    memory: 1 << 30,
    time: Some(Duration::from_secs(6)),
    positions: None,
    plies: None,
    symmetric: false,
    threads: 1,
    by_numbers: false,
};
/// The most plies of a game that late positions are taken from, and the games of which they are.
const MAX_PLIES: usize = 300;
const MAX_GAMES: u64 = 60;
/// The most plies by which a late position is before the end of its game, and the time to solve it.
const LATE: u32 = 14;
const LATE_TIME: Duration = Duration::from_secs(2);
/// The most time to find late positions of a game.
const MAX_LATE_TIME: Duration = Duration::from_secs(60);

const COLUMNS: &[Column] = &[
    Column { key: "positions", digits: 0 },
    Column { key: "right", digits: 3 },
    Column { key: "from", digits: 3 },
    Column { key: "to", digits: 3 },
    Column { key: "mcts", digits: 3 },
    Column { key: "wanted", digits: 2 },
];

/// Plays a ply as the maker of positions.
pub fn make_ply(state: &State, random: &mut Random) -> Option<Move> {
    let seed = random.bits64();
    match state.turn() {
        Turn::Nobody => None,
        Turn::Chance => roll_with(state, seed),
        Turn::Player(_) if random.below(RANDOM_SHARE) == 0 => {
            let legal = state.legal();
            legal.get(random.below(legal.len() as u32) as usize).cloned()
        }
        Turn::Player(_) => {
            let limits = SearchLimits { iterations: Some(MAKER), ..SearchLimits::default() };
            let thinking = Mcts::new(1, 1 << 20).think(state, seed, &limits, &mut |_| true);
            thinking.ok()?.plies.first().map(|first| first.ply.clone())
        }
    }
}

/// Returns the plies that keep the value, if the solver decides all of them and not all do.
fn right_plies(state: &State, limits: &SolveLimits) -> Option<Vec<Move>> {
    let solution = solve(state, limits, &mut |_| true).ok()?;
    let is_known = |value: &Value| !matches!(value, Value::Unknown(_) | Value::Open);
    let all_known = solution.first.iter().all(|first| is_known(&first.value));
    let right: Vec<Move> = solution.optimal().map(|first| first.ply.clone()).collect();
    let decides = !right.is_empty() && right.len() < solution.first.len();
    (is_known(&solution.value) && all_known && decides).then_some(right)
}

/// Goes to a position that is written as columns.
pub fn after(game: &Game, columns: &str) -> State {
    let mut state = game.begin().expect("a first position");
    for wanted in columns.chars() {
        let legal = state.legal();
        let ply = legal.iter().find(|ply| column(game, ply) == wanted).expect("a column").clone();
        state.play(&ply).expect("a legal ply");
    }
    state
}

/// Chooses a ply with the training, and with plain playouts, each within the time and on as many
/// threads as are set; returns whether they are right.
fn are_right(learned: &Learned, state: &State, right: &[Move], settings: &Settings) -> [bool; 2] {
    let time = Some(Duration::from_secs_f64(settings.seconds));
    let within = || SearchLimits { deadline: Deadline::after(time), ..SearchLimits::default() };
    let mut strong = Strong::new(Arc::clone(&learned.evaluation), learned.style, MEMORY);
    let [mut own, mut plain] = [0, 1].map(|_| Mcts::new(settings.threads.into(), MEMORY));
    let chosen = strong.think(&mut own, state, 1, &within()).expect("rules that end");
    let plainly = plain.think(state, 1, &within(), &mut |_| true).expect("rules that end");
    [chosen, plainly].map(|thinking| right.contains(&thinking.plies[0].ply))
}

/// Measures how often the right column is found.
pub fn connect_four(settings: &Settings) {
    let about = "share of right columns, with its 95 % interval, and that of mcts; each alone keeps the value of its position";
    let table = settings.table("connect-four", about, COLUMNS);
    let game = load("connect-four", &[]);
    let learned = training(&game, settings);
    let mut counts = [0; 2];
    let mut positions = 0;
    for line in POSITIONS.lines() {
        let (columns, right) = line.split_once(' ').expect("a position and a column");
        let state = after(&game, columns);
        let wanted = right.chars().next();
        let is_right = |ply: &&Move| Some(column(&game, ply)) == wanted;
        let right: Vec<Move> = state.legal().iter().filter(is_right).cloned().collect();
        let found = are_right(&learned, &state, &right, settings);
        if !found[0] {
            eprintln!("wrong: {line}");
        }
        positions += 1;
        counts.iter_mut().zip(found).for_each(|(count, found)| *count += u64::from(found));
    }
    row(&table, "connect-four", positions, counts, 0.97);
}

fn row(table: &super::Table, name: &str, positions: u64, counts: [u64; 2], wanted: f64) {
    let Some(share) = proportion_ci(counts[0], positions) else { return };
    let mcts = counts[1] as f64 / positions as f64;
    let values = [positions as f64, share.value, share.low, share.high, mcts, wanted];
    table.row(name, &values.map(Some));
}

/// Measures how often the value is kept in late positions of every game that the solver decides.
pub fn late(settings: &Settings) {
    let about = "share of plies that keep the value in late positions that are solved, with its 95 % interval, and that of mcts";
    let table = settings.table("late", about, COLUMNS);
    let mut all_counts = [0; 2];
    let mut all_positions = 0;
    for name in all().iter().filter(|name| settings.wants(name)) {
        let game = load(name, &[]);
        let positions = late_positions(&game, settings.games as usize);
        if positions.is_empty() {
            eprintln!("{name}: none was solved");
            continue;
        }
        let learned = training(&game, settings);
        let mut counts = [0; 2];
        for (state, right) in &positions {
            let found = are_right(&learned, state, right, settings);
            if !found[0] {
                let legal = state.legal().len();
                eprintln!("{name}: wrong, {} of {legal} plies are right", right.len());
            }
            counts.iter_mut().zip(found).for_each(|(count, found)| *count += u64::from(found));
        }
        row(&table, name, positions.len() as u64, counts, 0.98);
        all_positions += positions.len() as u64;
        all_counts.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    row(&table, "all", all_positions, all_counts, 0.98);
}

/// Finds late positions of a game with the plies that keep their value.
fn late_positions(game: &Game, most: usize) -> Vec<(State, Vec<Move>)> {
    let began = Instant::now();
    let limits = SolveLimits { time: Some(LATE_TIME), memory: 1 << 28, ..LIMITS };
    let mut found = Vec::new();
    for number in 0..MAX_GAMES {
        if found.len() >= most || began.elapsed() > MAX_LATE_TIME {
            break;
        }
        let mut random = Random::new(mix(5, number));
        let mut state = game.begin().expect("a first position");
        while state.plies().len() < MAX_PLIES {
            let Some(ply) = make_ply(&state, &mut random) else { break };
            state.play(&ply).expect("a legal ply");
        }
        if state.outcome().is_none() {
            continue;
        }
        for _ in 0..2 + random.below(LATE) {
            state.undo();
        }
        if !matches!(state.turn(), Turn::Player(_)) {
            continue;
        }
        if let Some(right) = right_plies(&state, &limits) {
            found.push((state, right));
        }
    }
    found
}
