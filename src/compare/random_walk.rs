//! Random games in lockstep, and shortening of the sequences that lead to a difference.

use super::lockstep::{Halt, Pair};
use super::search::{HistoryMode, Search, SearchBudget, SearchEnd};
use crate::budget::{Deadline, MemoryBudget};
use crate::engine::game::Move;
use crate::random::{Random, mix};

/// The ply limit of a random game.
const MAX_PLIES: usize = 2000;
/// The memory limit, in bytes, of a search near a difference.
const NEARBY_MEMORY: u64 = 64 << 20;

/// Rules that do not terminate after these plies.
#[derive(Clone, Debug)]
pub struct Lost {
    pub halt: Halt,
    pub plies: Vec<Move>,
}

/// The result of random games.
pub struct RandomWalk {
    pub games: u32,
    pub plies: u64,
    /// The plies of the game that led to a difference.
    pub difference: Option<Vec<Move>>,
}

/// Plays random games with uniformly distributed plies until two positions differ. Deterministic
/// for a seed unless time runs out.
///
/// # Errors
/// Returns [`Lost`] if the rules of a game do not terminate.
pub fn random_walk(
    pair: &mut Pair,
    games: u32,
    seed: u64,
    mut deadline: Deadline,
    watch: &mut dyn FnMut(u32),
) -> Result<RandomWalk, Lost> {
    let mut walk = RandomWalk { games: 0, plies: 0, difference: None };
    while walk.games < games && !deadline.is_over() {
        watch(walk.games);
        let mut random = Random::new(mix(seed, u64::from(walk.games)));
        pair.restart();
        let mut plies = Vec::new();
        loop {
            let lost = |halt, plies: &[Move]| Lost { halt, plies: plies.to_vec() };
            let Some(legal) = pair.agree().map_err(|halt| lost(halt, &plies))? else {
                walk.difference = Some(plies);
                return Ok(walk);
            };
            if legal.is_empty() || plies.len() >= MAX_PLIES {
                break;
            }
            if deadline.is_over() {
                walk.plies += plies.len() as u64;
                return Ok(walk);
            }
            let chosen = &legal[random.below(legal.len() as u32) as usize];
            plies.push(chosen.told.clone());
            pair.play(chosen).map_err(|halt| lost(halt, &plies))?;
        }
        walk.games += 1;
        walk.plies += plies.len() as u64;
    }
    Ok(walk)
}

/// Replays plies, skipping illegal ones, and returns the plies made before the first difference;
/// `None` if no difference is found or time runs out.
pub fn differs_after(
    pair: &mut Pair,
    plies: &[Move],
    deadline: &mut Deadline,
) -> Result<Option<Vec<Move>>, Halt> {
    pair.restart();
    let mut played = Vec::new();
    let mut rest = plies.iter();
    loop {
        let Some(legal) = pair.agree()? else { return Ok(Some(played)) };
        if deadline.is_over() {
            return Ok(None);
        }
        let Some(ply) =
            rest.by_ref().find_map(|wanted| legal.iter().find(|ply| ply.told == *wanted))
        else {
            return Ok(None);
        };
        pair.play(ply)?;
        played.push(ply.told.clone());
    }
}

/// Follows a path, given as indices into the ordered legal plies, and returns the plies up to the
/// first difference; `None` if there is no difference.
pub fn follow(pair: &mut Pair, way: &[u32]) -> Result<Option<Vec<Move>>, Lost> {
    let mut plies = Vec::new();
    let mut rest = way.iter();
    loop {
        let Some(legal) = pair.agree().map_err(|halt| Lost { halt, plies: plies.clone() })? else {
            return Ok(Some(plies));
        };
        let Some(ply) = rest.next().and_then(|&index| legal.get(index as usize)) else {
            return Ok(None);
        };
        plies.push(ply.told.clone());
        pair.play(ply).map_err(|halt| Lost { halt, plies: plies.clone() })?;
    }
}

/// Shortens a sequence that leads to a difference, and returns whether it is certainly shortest.
/// Alternates delta debugging (Andreas Zeller and Ralf Hildebrandt, *Simplifying and Isolating
/// Failure-Inducing Input*, IEEE Transactions on Software Engineering 28, 2002) with exact searches
/// around the result. Rules that do not terminate count as no difference.
pub fn shorten(
    pair: &mut Pair,
    mut plies: Vec<Move>,
    deadline: &mut Deadline,
    watch: &mut dyn FnMut(usize),
) -> (Vec<Move>, bool) {
    loop {
        plies = delete_parts(pair, plies, deadline, watch);
        match around(pair, &plies, deadline) {
            NearbySearch::Shorter(shorter) if shorter.len() < plies.len() => plies = shorter,
            around => return (plies, matches!(around, NearbySearch::None)),
        }
    }
}

/// The result of searching around a sequence.
enum NearbySearch {
    Shorter(Vec<Move>),
    /// No shorter sequence exists.
    None,
    Unknown,
}

/// Deletes parts of decreasing size as long as the remaining plies lead to a difference.
fn delete_parts(
    pair: &mut Pair,
    mut plies: Vec<Move>,
    deadline: &mut Deadline,
    watch: &mut dyn FnMut(usize),
) -> Vec<Move> {
    let mut part = plies.len().div_ceil(2);
    while part > 0 {
        let mut start = 0;
        let mut shorter = false;
        while start < plies.len() {
            if deadline.has_passed() {
                return plies;
            }
            watch(plies.len());
            let rest = [&plies[..start], &plies[(start + part).min(plies.len())..]].concat();
            match differs_after(pair, &rest, deadline) {
                Ok(Some(fewer)) => {
                    plies = fewer;
                    shorter = true;
                }
                _ => start += part,
            }
        }
        part = if shorter { part.min(plies.len()) } else { part / 2 };
    }
    plies
}

/// Searches for a shorter continuation from each position on the path, last to first, as long as
/// the search completes.
fn around(pair: &mut Pair, plies: &[Move], deadline: &mut Deadline) -> NearbySearch {
    for kept in (0..plies.len().saturating_sub(1)).rev() {
        let budget = SearchBudget {
            deadline: deadline.clone(),
            memory: MemoryBudget::new(NEARBY_MEMORY),
            positions: u64::MAX,
            depth: (plies.len() - kept - 1) as u32,
            continue_when_uncertain: true,
        };
        let found = replay(pair, &plies[..kept], deadline)
            .and_then(|()| Search::new(pair, HistoryMode::Kept).run(&budget, &mut |_, _| {}).ok());
        match found.map(|found| found.end) {
            Some(SearchEnd::Complete) => {}
            Some(SearchEnd::Differs(way)) => {
                let rest = replay(pair, &plies[..kept], deadline)
                    .and_then(|()| follow(pair, &way).ok()?);
                return rest.map_or(NearbySearch::Unknown, |rest| {
                    NearbySearch::Shorter([&plies[..kept], &rest].concat())
                });
            }
            _ => return NearbySearch::Unknown,
        }
    }
    NearbySearch::None
}

/// Plays all the plies from the start; `None` if one is illegal or time runs out.
fn replay(pair: &mut Pair, plies: &[Move], deadline: &mut Deadline) -> Option<()> {
    pair.restart();
    plies.iter().try_for_each(|wanted| {
        let legal = pair.agree().ok()?.filter(|_| !deadline.is_over())?;
        pair.play(legal.iter().find(|ply| ply.told == *wanted)?).ok()
    })
}
