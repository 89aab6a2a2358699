//! Writes the strategies that prove a value, for [`crate::verify`].

use super::best_line::after_each;
use super::proof::Prover;
use super::verdict::Verdicts;
use super::{Clock, Stopped, Value};
use crate::budget::MemoryBudget;
use crate::engine::game::{Move, State, Turn};
use crate::engine::position::Position;
use crate::language::rules::PlayerId;
use crate::notation::spell;
use crate::verify::{Certificate, Goal, Strategy, verify};
use std::collections::HashSet;

/// The size of a move in the lookup table of the verifier.
const LOOKUP_BYTES: usize = 2 * size_of::<(u64, &str)>();

/// A source of the values of positions.
pub(super) trait Oracle {
    /// Returns whether a player wins a position, if that is known, with a measure of distance: it
    /// falls after each ply of the winner that should be preferred.
    fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)>;

    /// Determines if a player wins a position.
    fn wins(&mut self, player: PlayerId, of: &State, clock: &mut Clock) -> Result<bool, Stopped>;
}

impl Oracle for Verdicts {
    fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)> {
        let node = self.graph.node(of)?;
        let (value, distance) = self.value(node);
        Some((value == Value::Win(player), distance.map_or(u64::MAX, u64::from)))
    }

    fn wins(&mut self, player: PlayerId, of: &State, _: &mut Clock) -> Result<bool, Stopped> {
        Ok(self.known(player, of).is_some_and(|(wins, _)| wins))
    }
}

impl Oracle for Prover {
    fn known(&mut self, player: PlayerId, of: &State) -> Option<(bool, u64)> {
        Prover::known(self, player, of)
    }

    fn wins(&mut self, player: PlayerId, of: &State, clock: &mut Clock) -> Result<bool, Stopped> {
        Prover::wins(self, player, of, clock)
    }
}

/// Writes the strategies that prove the value of a position. `None` if there are none: the value is
/// unknown or a score, there are more than two players, or play is infinite in a way that no
/// strategy proves.
///
/// # Errors
/// Stops if memory or time runs out, or if the rules do not terminate somewhere.
pub(super) fn certificate(
    from: &State,
    value: Value,
    oracle: &mut dyn Oracle,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<Option<Certificate>, Stopped> {
    let players = from.game().rules().teams.count();
    let goals = match (value, players) {
        (Value::Win(player), 1 | 2) => vec![Goal::Win(player)],
        (Value::Draw, 2) => vec![Goal::Hold(PlayerId(0)), Goal::Hold(PlayerId(1))],
        (Value::Draw, 1) => vec![Goal::NoWin],
        _ => return Ok(None),
    };
    let mut certificate = Certificate::new(from);
    let bytes = position_bytes(from);
    for goal in goals {
        let mut for_positions = MemoryBudget::new(memory_budget.left());
        let moves = strategy(from, goal, oracle, bytes, &mut for_positions, clock)?;
        memory_budget.take(moves.iter().map(move_bytes).sum())?;
        certificate.strategies.push(Strategy { goal, moves });
    }
    // The verifier looks up moves by hash, and stores the positions of a strategy again.
    let moves: usize = certificate.strategies.iter().map(|strategy| strategy.moves.len()).sum();
    memory_budget.take((moves * LOOKUP_BYTES) as u64)?;
    let mut ran_out = None;
    let is_shown = verify(from.game(), &certificate, &mut |positions| {
        let within = memory_budget.has(positions * bytes).and_then(|()| clock.tick(positions));
        ran_out = within.err();
        ran_out.is_none()
    });
    match ran_out {
        Some(ran_out) => Err(ran_out.into()),
        None => Ok(is_shown.is_ok().then_some(certificate)),
    }
}

/// Returns the approximate size in bytes of a position that is stored in a table and in a list.
fn position_bytes(from: &State) -> u64 {
    let position = from.position();
    let content = size_of_val(position.words()) + size_of_val(position.numbers());
    // A table that has just grown is half empty.
    (content + 3 * size_of::<Position>()) as u64 * 2
}

/// Returns the size in bytes of a move of a strategy.
fn move_bytes(entry: &(u64, String)) -> u64 {
    (2 * size_of::<(u64, String)>() + entry.1.capacity()) as u64
}

/// Lists a move for every position that can be reached while the player follows the strategy.
fn strategy(
    from: &State,
    goal: Goal,
    oracle: &mut dyn Oracle,
    position_bytes: u64,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
) -> Result<Vec<(u64, String)>, Stopped> {
    let mut moves = Vec::new();
    // Without a strategy, the verifier tries every move.
    let Some(player) = goal.player() else { return Ok(moves) };
    let rules = from.game().rules();
    let mut at = from.clone();
    let mut seen: HashSet<Position> = HashSet::from([from.position()]);
    let mut open = vec![from.position()];
    while let Some(position) = open.pop() {
        clock.tick(seen.len() as u64)?;
        at.go_to(&position);
        if at.outcome().is_some() {
            continue;
        }
        let mut next: Vec<Position> = Vec::new();
        if at.team_turn() == Turn::Player(player) {
            if let Some((ply, after)) = choose(&at, goal, oracle, clock)? {
                moves.push((at.hash(), spell(rules, &ply)));
                memory_budget.take(moves.last().map_or(0, move_bytes))?;
                next.push(after.position());
            }
        } else {
            for after in after_each(&at) {
                next.push(after.map_err(Stopped::Fault)?.1.position());
            }
        }
        for position in next {
            if seen.insert(position.clone()) {
                memory_budget.take(position_bytes)?;
                open.push(position);
            }
        }
    }
    moves.sort_unstable();
    Ok(moves)
}

/// Chooses the move of a strategy: the nearest win, or the first move that does not lose. Known
/// values are looked up before anything is searched.
fn choose(
    at: &State,
    goal: Goal,
    oracle: &mut dyn Oracle,
    clock: &mut Clock,
) -> Result<Option<(Move, State)>, Stopped> {
    let (who, wanted) = match goal {
        Goal::Win(player) => (player, true),
        Goal::Hold(player) => (PlayerId(1 - player.0), false),
        Goal::NoWin => return Ok(None),
    };
    let mut best: Option<(u64, Move, State)> = None;
    for after in after_each(at) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        let Some((_, distance)) = oracle.known(who, &after).filter(|(wins, _)| *wins == wanted)
        else {
            continue;
        };
        if best.as_ref().is_none_or(|(least, ..)| wanted && distance < *least) {
            best = Some((distance, ply, after));
        }
    }
    if let Some((_, ply, after)) = best {
        return Ok(Some((ply, after)));
    }
    for after in after_each(at) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        if oracle.wins(who, &after, clock)? == wanted {
            return Ok(Some((ply, after)));
        }
    }
    Ok(None)
}
