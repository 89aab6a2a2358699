//! Plain alpha-beta with an evaluation written by hand for one game: what learned evaluations are
//! measured against. The program itself knows none of this.

use ludwright::engine::PackedMove;
use ludwright::engine::game::{State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::engine::snapshot::Snapshot;

/// The value of a win; one that is nearer is worth more.
const WIN: i32 = 1_000_000;

/// Evaluates a position for a player who is not necessarily to act.
pub type Evaluate = fn(&State, usize) -> i32;

/// Chooses a ply by a search of a fixed depth; ties go to the first.
pub fn choose(state: &mut State, depth: u32, evaluate: Evaluate) -> Option<PackedMove> {
    let Turn::Player(mover) = state.turn() else { return None };
    let mut best = (-WIN * 2, None);
    for ply in state.candidates() {
        let value = state.descend(ply, |after| {
            value(after, mover.index(), depth - 1, best.0, 2 * WIN, evaluate)
        });
        if value > best.0 {
            best = (value, Some(ply));
        }
    }
    best.1
}

/// Returns the value of a position for a player, within a window.
fn value(
    state: &mut State,
    player: usize,
    depth: u32,
    mut alpha: i32,
    mut beta: i32,
    evaluate: Evaluate,
) -> i32 {
    let mover = match state.turn() {
        Turn::Player(mover) => mover.index(),
        Turn::Chance | Turn::Nobody => {
            return match state.outcome() {
                Some(Outcome::Win(winner)) if winner.index() == player => WIN + depth as i32,
                Some(Outcome::Win(_)) => -WIN - depth as i32,
                Some(Outcome::Draw | Outcome::Shared(_)) | None => 0,
            };
        }
    };
    if depth == 0 {
        return evaluate(state, player);
    }
    let maximizes = mover == player;
    for ply in state.candidates() {
        let next =
            state.descend(ply, |after| value(after, player, depth - 1, alpha, beta, evaluate));
        match maximizes {
            true => alpha = alpha.max(next),
            false => beta = beta.min(next),
        }
        if alpha >= beta {
            break;
        }
    }
    if maximizes { alpha } else { beta }
}

/// Sums up what each owned piece is worth by its owner and site.
fn pieces(snapshot: &Snapshot, player: usize, worth: impl Fn(usize, usize) -> i32) -> i32 {
    kinds(snapshot, player, |site, owner, _| worth(site, owner))
}

/// Sums up what each owned piece is worth by its owner, site and kind.
fn kinds(snapshot: &Snapshot, player: usize, worth: impl Fn(usize, usize, usize) -> i32) -> i32 {
    let owned = snapshot.pieces.iter().enumerate().filter_map(|(site, piece)| {
        let piece = (*piece)?;
        Some((site, piece.owner?.index(), piece.piece.index()))
    });
    owned
        .map(|(site, owner, kind)| {
            let worth = worth(site, owner, kind);
            if owner == player { worth } else { -worth }
        })
        .sum()
}

/// Chess: material.
pub fn chess(state: &State, player: usize) -> i32 {
    const WORTH: [i32; 6] = [0, 9, 5, 3, 3, 1];
    kinds(&state.snapshot(), player, |_, _, kind| WORTH[kind])
}

/// Breakthrough on eight by eight squares: material and advancement.
pub fn breakthrough(state: &State, player: usize) -> i32 {
    pieces(&state.snapshot(), player, |site, owner| {
        let row = site / 8;
        let advance = if owner == 0 { row } else { 7 - row } as i32;
        100 + advance * advance
    })
}

/// Othello on eight by eight squares: corners, mobility and discs.
pub fn othello(state: &State, player: usize) -> i32 {
    let placed = pieces(&state.snapshot(), player, |site, _| match site {
        0 | 7 | 56 | 63 => 100,
        _ => 1,
    });
    let moves = 5 * state.move_count_bound() as i32;
    let mover = matches!(state.turn(), Turn::Player(mover) if mover.index() == player);
    placed + if mover { moves } else { -moves }
}
