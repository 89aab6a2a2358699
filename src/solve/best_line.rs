//! First moves and a line of best play, read from the values of all reachable positions.

use super::graph::NodeIndex;
use super::repetition::{EarliestRepetition, RepetitionSearch};
use super::retrograde::NOT_FORCED;
use super::verdict::Verdicts;
use super::{Clock, Ending, FirstMove, Solution, Stopped, Unknown, Value};
use crate::budget::MemoryBudget;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Move, State, Turn};
use crate::engine::position::{Outcome, Position};
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
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let Some(root) = verdicts.graph.node(from) else {
        return Ok(unknown(from, Unknown::Repetition, 0));
    };
    let (value, distance) = verdicts.value(root);
    let mut first = Vec::new();
    let mut nodes = Vec::new();
    for after in after_each(from) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        let Some(node) = verdicts.graph.node(&after) else { continue };
        let (value, distance) = verdicts.value(node);
        let optimal = verdicts.keeps(root, value);
        first.push(FirstMove { ply, value, distance: distance.map(|plies| plies + 1), optimal });
        nodes.push(node);
    }
    let mut solution = Solution {
        value,
        distance,
        first,
        line: Vec::new(),
        ending: Ending::Open,
        nodes: verdicts.graph.len() as u64,
        plies: 0,
        symmetries: verdicts.graph.symmetries(),
        acyclic: Some(verdicts.longest.is_some() && !verdicts.graph.ends_by_repetition),
        longest: verdicts.longest,
        goes_round: false,
        seconds: 0.0,
    };
    let quickest = hasten(from, root, &nodes, verdicts, memory_budget, clock, &mut solution)?;
    let path = match solution.value {
        Value::Win(_) => quickest,
        Value::Draw | Value::Score(_) => verdicts.path_to_end(root, memory_budget)?,
        Value::Open | Value::Unknown(_) => {
            solution.ending = from.outcome().map_or(Ending::Open, Ending::Over);
            return Ok(solution);
        }
    };
    solution.goes_round = value == Value::Draw && path.is_none() && verdicts.graph.players() > 1;
    (solution.line, solution.ending) = best_line(from, path.as_deref(), verdicts)?;
    Ok(solution)
}

/// Corrects distances for wins by a repetition: a single player's quickest win may be such a win,
/// and the distances of others are withdrawn where a repetition could come first. Returns a play to
/// the quickest win, if it is a win by a repetition.
fn hasten(
    from: &State,
    root: NodeIndex,
    nodes: &[NodeIndex],
    verdicts: &Verdicts,
    memory_budget: &mut MemoryBudget,
    clock: &mut Clock,
    solution: &mut Solution,
) -> Result<Option<Vec<NodeIndex>>, Stopped> {
    let rule = from.game().rules().repetition.as_ref();
    let Some((components, rule)) = verdicts.components.as_ref().zip(rule) else { return Ok(None) };
    let graph = &verdicts.graph;
    let mut search = RepetitionSearch::new(graph, components, rule.times, memory_budget)?;
    let mut path = None;
    if verdicts.wins_alone() {
        let won = Value::Win(PlayerId(0));
        for (first, &node) in solution.first.iter_mut().zip(nodes) {
            if first.value == won && graph.start().is_some_and(|start| node >= start) {
                let direct = first.distance.map(|plies| plies - 1);
                let found = search.earliest(node, 1, direct.unwrap_or(NOT_FORCED), clock);
                first.distance = quickest(direct, &found).map(|plies| plies + 1);
            }
        }
        if solution.value == won && graph.start() == Some(root) {
            let direct = solution.distance;
            let found = search.earliest(root, 0, direct.unwrap_or(NOT_FORCED), clock);
            solution.distance = quickest(direct, &found);
            path = found.path;
            // The rule applies at the last ply.
            if let Some(last) = path.as_mut().and_then(|path| path.last_mut()) {
                *last = graph.end(Outcome::Win(PlayerId(0)));
            }
        }
    } else {
        let firsts = solution.first.iter().filter_map(|first| first.distance);
        let most = firsts.chain(solution.distance).max();
        if let (Some(most), Some(start)) = (most, graph.start()) {
            let found = search.earliest(start, 0, most, clock);
            let certain = |plies: &u32| *plies <= found.plies;
            solution.distance = solution.distance.filter(certain);
            for first in &mut solution.first {
                first.distance = first.distance.filter(certain);
            }
        }
    }
    search.drop(memory_budget);
    Ok(path)
}

/// Returns the plies to a single player's win, with or without a repetition, if known.
fn quickest(direct: Option<u32>, repetition: &EarliestRepetition) -> Option<u32> {
    match direct {
        Some(plies) if plies <= repetition.plies => Some(plies),
        _ => repetition.path.as_ref().map(|_| repetition.plies),
    }
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
        goes_round: false,
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
/// of the rules there. Makes one position at a time, without listing its moves: there may be
/// hundreds of thousands of positions, and of moves.
pub fn after_each(from: &State) -> impl Iterator<Item = Result<(Move, State), Fault>> {
    sorted(from).into_iter().filter_map(|(ply, packed)| {
        let mut after = from.clone();
        after.advance(packed).then(|| after.fault().map_or(Ok((ply, after)), Err))
    })
}

/// Follows best play for all players until the game ends, repeats a position or reaches a roll:
/// along the path, if there is one.
fn best_line(
    from: &State,
    path: Option<&[NodeIndex]>,
    verdicts: &mut Verdicts,
) -> Result<(Vec<Move>, Ending), Stopped> {
    let mut at = from.clone();
    let mut line = Vec::new();
    let mut seen: HashMap<Position, usize> = HashMap::from([(at.position(), 0)]);
    // A node may stand for several symmetric positions. When a node recurs, the line passes the
    // same nodes again, until a position recurs.
    let mut nodes: Vec<NodeIndex> = verdicts.graph.node(&at).into_iter().collect();
    let mut round: Option<(usize, usize)> = None;
    loop {
        let player = match at.team_turn() {
            Turn::Nobody => return Ok((line, at.outcome().map_or(Ending::Open, Ending::Over))),
            Turn::Chance => return Ok((line, Ending::Chance)),
            Turn::Player(player) => player,
        };
        let next = line.len() + 1;
        let wanted = match (path, round) {
            (Some(path), _) => path.get(next).copied(),
            (None, Some((begin, end))) => Some(nodes[begin + (next - begin) % (end - begin)]),
            (None, None) => None,
        };
        let mut found = match wanted {
            Some(_) => best(&at, player, wanted, verdicts).map_err(Stopped::Fault)?,
            None => None,
        };
        if found.is_none() {
            found = best(&at, player, None, verdicts).map_err(Stopped::Fault)?;
        }
        let Some((ply, after)) = found else { return Ok((line, Ending::Open)) };
        line.push(ply);
        at = after;
        if at.outcome().is_some() {
            continue;
        }
        if let Some(before) = seen.insert(at.position(), line.len())
            && path.is_none_or(|path| line.len() >= path.len())
        {
            return Ok((line, Ending::Repeats(before)));
        }
        let Some(node) = verdicts.graph.node(&at) else { return Ok((line, Ending::Open)) };
        if round.is_none() {
            round = nodes.iter().position(|&before| before == node).map(|at| (at, nodes.len()));
            nodes.push(node);
        }
    }
}

/// Chooses a best ply: one to the wanted node, if given; otherwise the quickest win or slowest
/// loss. Ties go to the first by spelling.
fn best(
    at: &State,
    player: PlayerId,
    wanted: Option<NodeIndex>,
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
        // Without a distance, a win takes a repetition.
        let plies = i64::from(distance.unwrap_or(NOT_FORCED));
        let rank = if value == Value::Win(player) { plies } else { -plies };
        if best.as_ref().is_none_or(|(least, _, _)| rank < *least) {
            best = Some((rank, ply, after));
        }
    }
    Ok(best.map(|(_, ply, after)| (ply, after)))
}
