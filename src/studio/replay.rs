//! Replays long games under changed rules, on a thread beside the requests, so that findings do not
//! wait for it. A request about such a game completes the replay at once
//! ([`ludwright::desk::Desk::settle`]).

use super::{DeskCell, Studio, lock, thinking};
use std::sync::Arc;

/// Begins to replay the game of a desk, if a replay is pending and not running.
pub fn begin(studio: &Arc<Studio>, cell: &Arc<DeskCell>) {
    let mut desk = lock(&cell.desk);
    if desk.is_replaying || desk.pending.is_none() {
        return;
    }
    let (shared, own) = (Arc::clone(studio), Arc::clone(cell));
    let spawned = std::thread::Builder::new().name("replay".to_owned()).spawn(move || {
        run(&shared, &own);
    });
    match spawned {
        Ok(_) => desk.is_replaying = true,
        Err(_) => desk.settle(),
    }
}

/// Replays the game until no newer rules are pending.
fn run(studio: &Arc<Studio>, cell: &Arc<DeskCell>) {
    loop {
        let (game, mut variations, moment) = {
            let mut desk = lock(&cell.desk);
            let Some(game) = desk.pending.clone() else {
                desk.is_replaying = false;
                return;
            };
            (game, desk.draft.variations.clone(), (desk.checks, desk.turn))
        };
        let played = variations.run(&game);
        let mut desk = lock(&cell.desk);
        if (desk.checks, desk.turn) != moment || desk.pending.is_none() {
            continue;
        }
        desk.draft.variations = variations;
        desk.go_on(game, played);
        desk.is_replaying = false;
        studio.keep(&cell.id, &mut desk);
        let game = desk.describe_game();
        drop(desk);
        cell.listeners.send("game", &game);
        thinking::wake(studio, cell);
        return;
    }
}
