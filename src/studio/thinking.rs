//! Programs at a desk: they play their seats, and estimate winning chances. Each runs on a thread
//! of its own, on a copy of the position, and its result is dropped if the game has changed in the
//! meantime.

use super::{DeskCell, Studio, lock};
use ludwright::desk::thoughts::{Estimate, STEP, SeatedPrograms, hint as describe_hint};
use ludwright::engine::game::{State, Turn};
use ludwright::search::{Mcts, Player, PlayerKind, thought};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The least time between two plies of programs, so that they can be watched.
const PACE: Duration = Duration::from_millis(150);
/// The time for which programs continue when no tab listens.
const UNATTENDED: Duration = Duration::from_secs(10);

/// The search of a program that is choosing a ply.
pub struct Search {
    /// The turn of the desk that the search is for.
    turn: u64,
    /// Ends the search early when set.
    stop: Arc<AtomicBool>,
}

/// Lets the programs of a desk play, if one is to move. A program that is still searching an
/// outdated position, or outdated rules, is interrupted and starts on the current ones.
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
    let mut programs = SeatedPrograms::default();
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
        let Some(program) = programs.of(person.0, kind, seed, Mcts::default) else {
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

/// Suggests a ply: the choice of a searching program.
///
/// # Errors
/// Says why there is no suggestion.
pub fn hint(position: &State, kind: PlayerKind, seed: u64) -> Result<Value, String> {
    let mut program = Player::new(kind, seed).ok_or("expected a program")?;
    let choice = program.choose(position).map_err(|fault| fault.message)?;
    let choice = choice.ok_or("no player is to move")?;
    describe_hint(position, &choice)
}

/// Starts to estimate winning chances, until the desk turns this off.
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
    let mut estimate: Option<Estimate> = None;
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
            estimate = estimate.filter(|estimate| estimate.is_for(desk.turn));
            let is_done = estimate.as_ref().is_some_and(Estimate::is_done);
            let idle = desk.is_thinking || is_done || desk.is_crowded();
            (desk.run.as_ref().filter(|_| !idle).map(|run| run.state.clone()), desk.turn)
        };
        let Some(position) = position.filter(|position| position.outcome().is_none()) else {
            std::thread::sleep(STEP);
            continue;
        };
        let estimate = estimate.get_or_insert_with(|| Estimate::new(turn));
        let Ok(chances) = estimate.improve(&position) else { return };
        if lock(&cell.desk).turn == turn {
            cell.listeners.send("evaluation", &chances);
        }
    }
}
