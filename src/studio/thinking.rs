//! Programs at a desk: they play the seats that they are given, and estimate winning chances. Each
//! runs on a thread of its own, on a copy of the position, and what it finds is dropped if the game
//! has gone on otherwise in the meantime.

use super::{DeskCell, Studio, lock};
use ludwright::budget::Deadline;
use ludwright::desk::thoughts::{evaluation, hint as describe_hint};
use ludwright::engine::game::{State, Turn};
use ludwright::random::mix;
use ludwright::search::{Mcts, Player, PlayerKind, SearchLimits, thought};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The least time between two plies of programs, so that they can be watched.
const PACE: Duration = Duration::from_millis(150);
/// How long programs go on when no tab listens.
const UNATTENDED: Duration = Duration::from_secs(10);
/// Winning chances are estimated in steps of this length, and the number of steps for a position.
const STEP: Duration = Duration::from_millis(250);
const STEPS: usize = 6;
/// The most memory for it, in bytes.
const MEMORY: usize = 64 << 20;

/// The search of a program that is choosing a ply.
pub struct Search {
    /// The turn of the desk that it is for.
    turn: u64,
    /// Ends it early when set.
    stop: Arc<AtomicBool>,
}

/// Lets the programs of a desk play, if one of them is to move. One that is still choosing a ply in
/// a position that is no longer at hand, or under other rules, turns to the new one at once.
pub fn wake(studio: &Arc<Studio>, cell: &Arc<DeskCell>) {
    let mut desk = lock(&cell.desk);
    if desk.is_thinking {
        if let Some(search) = lock(&cell.search).as_ref().filter(|search| !desk.is_at(search.turn))
        {
            search.stop.store(true, Ordering::Relaxed);
        }
        return;
    }
    if desk.due().is_none() {
        return;
    }
    let (shared, own) = (Arc::clone(studio), Arc::clone(cell));
    let spawned = std::thread::Builder::new().name("program".to_owned()).spawn(move || {
        play(&shared, &own);
    });
    desk.is_thinking = spawned.is_ok();
}

/// Ends the search of a program early.
pub fn interrupt(cell: &DeskCell) {
    if let Some(search) = &*lock(&cell.search) {
        search.stop.store(true, Ordering::Relaxed);
    }
}

/// Plays until a person is to move.
fn play(studio: &Studio, cell: &DeskCell) {
    let mut programs: Vec<((u16, PlayerKind), Player)> = Vec::new();
    let mut attended = Instant::now();
    loop {
        let began = Instant::now();
        if cell.listeners.has_listener() {
            attended = began;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (position, turn, kind, seed) = {
            let mut desk = lock(&cell.desk);
            let due = desk.due().filter(|_| attended.elapsed() < UNATTENDED);
            let due = due.and_then(|kind| Some((desk.run.as_ref()?.state.clone(), kind)));
            let Some((position, kind)) = due else {
                desk.is_thinking = false;
                let game = desk.describe_game();
                drop(desk);
                cell.listeners.send("game", &game);
                return;
            };
            *lock(&cell.search) = Some(Search { turn: desk.turn, stop: Arc::clone(&stop) });
            (position, desk.turn, kind, desk.draft.variations.seed)
        };
        let Turn::Player(mover) = position.turn() else { continue };
        let person = position.person(mover);
        let seat = (person.0, kind);
        let known = programs.iter().position(|(known, _)| *known == seat);
        let known = known.or_else(|| {
            let program = Player::new(kind, mix(!seed, u64::from(person.0)))?;
            programs.push((seat, program));
            Some(programs.len() - 1)
        });
        let Some((_, program)) = known.and_then(|index| programs.get_mut(index)) else {
            lock(&cell.desk).is_thinking = false;
            return;
        };
        let choice = program.choose_until(&position, Some(&stop));
        std::thread::sleep(PACE.saturating_sub(began.elapsed()));
        let mut desk = lock(&cell.desk);
        *lock(&cell.search) = None;
        if !desk.is_at(turn) {
            continue;
        }
        let played = match choice {
            Ok(Some(choice)) => {
                desk.play(&choice.ply, Some(kind.to_string())).map(|()| choice.thinking)
            }
            Ok(None) => Err("the program finds no move".to_owned()),
            Err(fault) => Err(fault.message),
        };
        match played {
            Ok(thinking) => {
                let rules = position.game().rules();
                let text = thinking.map(|thinking| thought(rules, mover, &thinking));
                studio.keep(&cell.id, &mut desk);
                let game = desk.describe_game();
                drop(desk);
                if let Some(text) = text {
                    cell.listeners.send("thinking", &json!({ "text": text }));
                }
                cell.listeners.send("game", &game);
            }
            Err(message) => {
                desk.paused = true;
                drop(desk);
                cell.listeners.send("thinking", &json!({ "text": message, "failed": true }));
            }
        }
    }
}

/// Suggests a ply, as a program that searches would play it.
///
/// # Errors
/// Says why there is none.
pub fn hint(position: &State, kind: PlayerKind, seed: u64) -> Result<Value, String> {
    let mut program = Player::new(kind, seed).ok_or("expected a program")?;
    let choice = program.choose(position).map_err(|fault| fault.message)?;
    let choice = choice.ok_or("no player is to move")?;
    describe_hint(position, &choice)
}

/// Begins to estimate winning chances, until the desk no longer wants them.
pub fn evaluate(cell: &Arc<DeskCell>) {
    if cell.is_evaluating.swap(true, Ordering::AcqRel) {
        return;
    }
    let own = Arc::clone(cell);
    let spawned = std::thread::Builder::new().name("evaluation".to_owned()).spawn(move || {
        estimate(&own);
        own.is_evaluating.store(false, Ordering::Release);
    });
    if spawned.is_err() {
        cell.is_evaluating.store(false, Ordering::Release);
    }
}

fn estimate(cell: &DeskCell) {
    let fresh = || Mcts::new(1, MEMORY);
    let (mut mcts, mut known, mut steps) = (fresh(), None, 0);
    let mut attended = Instant::now();
    while attended.elapsed() < UNATTENDED {
        if cell.listeners.has_listener() {
            attended = Instant::now();
        }
        let (position, turn) = {
            let desk = lock(&cell.desk);
            if !desk.evaluates {
                return;
            }
            let is_done = known == Some(desk.turn) && steps >= STEPS;
            let idle = desk.is_thinking || is_done || desk.is_crowded();
            (desk.run.as_ref().filter(|_| !idle).map(|run| run.state.clone()), desk.turn)
        };
        let Some(position) = position.filter(|position| position.outcome().is_none()) else {
            std::thread::sleep(STEP);
            continue;
        };
        if known != Some(turn) {
            (mcts, known, steps) = (fresh(), Some(turn), 0);
        }
        let deadline = Deadline::after(Some(STEP));
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let Ok(thinking) = mcts.think(&position, 1, &limits, &mut |_| true) else { return };
        steps = if thinking.solved { STEPS } else { steps + 1 };
        if lock(&cell.desk).turn == turn {
            cell.listeners.send("evaluation", &evaluation(&position, &thinking));
        }
    }
}
