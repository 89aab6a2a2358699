//! First moves and a line of best play, read from the values of all reachable positions.

use super::verdict::Verdicts;
use super::{Ending, FirstMove, Solution, Stopped, Unknown, Value};
use crate::budget::MemoryBudget;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Move, State, Turn};
use crate::language::rules::PlayerId;
use crate::notation::spell;
use std::collections::HashMap;

/// Builds the solution of the starting position.
///
/// # Errors
/// Stops if memory runs out, or if the rules do not terminate after one of the moves.
pub fn describe(
    from: &State,
    verdicts: &mut Verdicts,
    memory_budget: &mut MemoryBudget,
) -> Result<Solution, Stopped> {
    let Some(root) = verdicts.graph.node(from) else {
        return Ok(unknown(from, Unknown::Repetition, 0));
    };
    let (value, distance) = verdicts.value(root);
    let mut first = Vec::new();
    for after in after_each(from) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        let Some(node) = verdicts.graph.node(&after) else { continue };
        let (value, distance) = verdicts.value(node);
        let optimal = verdicts.keeps(root, value);
        first.push(FirstMove { ply, value, distance: distance.map(|plies| plies + 1), optimal });
    }
    let (line, ending) = best_line(from, verdicts, memory_budget)?;
    Ok(Solution {
        value,
        distance,
        first,
        line,
        ending,
        nodes: verdicts.graph.len() as u64,
        plies: 0,
        symmetries: verdicts.graph.symmetries(),
        acyclic: Some(verdicts.longest.is_some()),
        longest: verdicts.longest,
        seconds: 0.0,
    })
}

/// Builds the solution of a position whose value is unknown.
pub fn unknown(from: &State, why: Unknown, nodes: u64) -> Solution {
    let value = Value::Unknown(why);
    let first = sorted(from).into_iter().map(|(ply, _)| FirstMove {
        ply,
        value,
        distance: None,
        optimal: false,
    });
    Solution {
        value,
        distance: None,
        first: first.collect(),
        line: Vec::new(),
        ending: Ending::Open,
        nodes,
        plies: 0,
        symmetries: 1,
        acyclic: None,
        longest: None,
        seconds: 0.0,
    }
}

/// Returns the legal moves sorted by their spelling, each also in packed form.
fn sorted(of: &State) -> Vec<(Move, PackedMove)> {
    let mut plies: Vec<_> = of.legal().iter().cloned().zip(of.packed().iter().copied()).collect();
    plies.sort_by_cached_key(|(ply, _)| spell(of.game().rules(), ply));
    plies
}

/// Iterates over the legal moves, sorted by spelling, each with the position after it, or the fault
/// of the rules there. One position at a time is made, and its moves are not listed: there may be
/// hundreds of thousands of both.
pub fn after_each(from: &State) -> impl Iterator<Item = Result<(Move, State), Fault>> {
    sorted(from).into_iter().filter_map(|(ply, packed)| {
        let mut after = from.clone();
        after.advance(packed).then(|| after.fault().map_or(Ok((ply, after)), Err))
    })
}

/// Follows best play for all players until the game ends, repeats a position or reaches a roll.
fn best_line(
    from: &State,
    verdicts: &mut Verdicts,
    memory_budget: &mut MemoryBudget,
) -> Result<(Vec<Move>, Ending), Stopped> {
    let mut at = from.clone();
    let mut line = Vec::new();
    let Some(root) = verdicts.graph.node(&at) else { return Ok((line, Ending::Open)) };
    let path = match verdicts.value(root).0 {
        Value::Draw => verdicts.drawn_path(root, memory_budget)?,
        Value::Open | Value::Unknown(_) => {
            return Ok((line, at.outcome().map_or(Ending::Open, Ending::Over)));
        }
        Value::Win(_) | Value::Score(_) => None,
    };
    let mut seen = HashMap::from([(root, 0)]);
    loop {
        match at.personal_turn() {
            Turn::Nobody => return Ok((line, at.outcome().map_or(Ending::Open, Ending::Over))),
            Turn::Chance => return Ok((line, Ending::Chance)),
            Turn::Player(player) => {
                let wanted = path.as_ref().and_then(|path| path.get(line.len() + 1)).copied();
                let Some((ply, after)) =
                    best(&at, player, wanted, verdicts).map_err(Stopped::Fault)?
                else {
                    return Ok((line, Ending::Open));
                };
                line.push(ply);
                at = after;
            }
        }
        let Some(node) = verdicts.graph.node(&at) else { return Ok((line, Ending::Open)) };
        if at.outcome().is_none()
            && let Some(before) = seen.insert(node, line.len())
        {
            return Ok((line, Ending::Repeats(before)));
        }
    }
}

/// Chooses a best ply: one to the wanted node, if given; otherwise the quickest win or slowest
/// loss. Ties go to the first by spelling.
fn best(
    at: &State,
    player: PlayerId,
    wanted: Option<u32>,
    verdicts: &mut Verdicts,
) -> Result<Option<(Move, State)>, Fault> {
    let Some(here) = verdicts.graph.node(at) else { return Ok(None) };
    let mut best: Option<(i64, Move, State)> = None;
    for after in after_each(at) {
        let (ply, after) = after?;
        let Some(node) = verdicts.graph.node(&after) else { continue };
        let (value, distance) = verdicts.value(node);
        if wanted.is_some_and(|wanted| wanted != node) || !verdicts.keeps(here, value) {
            continue;
        }
        let plies = i64::from(distance.unwrap_or(0));
        let rank = if value == Value::Win(player) { plies } else { -plies };
        if best.as_ref().is_none_or(|(least, _, _)| rank < *least) {
            best = Some((rank, ply, after));
        }
    }
    Ok(best.map(|(_, ply, after)| (ply, after)))
}
