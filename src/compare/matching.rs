//! Matches the names of two games: tries the possible renamings and keeps the one under which the
//! games agree the longest.

use super::lockstep::Pair;
use super::names::{Names, Namespace, Renaming};
use super::random_walk::random_walk;
use super::search::{HistoryMode, Search, SearchBudget, SearchEnd};
use super::{CompareLimits, Incompatible, Progress};
use crate::budget::{Deadline, Instant, MemoryBudget};
use crate::engine::game::Game;
use crate::language::rules::Rules;
use crate::notation::form;
use std::fmt;

/// The limit of matchings that are tried.
const MAX_MATCHINGS: usize = 5000;
/// The limits for each matching: random games, and the memory of the search in bytes.
const GAMES: u32 = 5;
const MEMORY: u64 = 1 << 20;

/// The names have more matchings than can be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyMatchings;

impl fmt::Display for TooManyMatchings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there are more than {MAX_MATCHINGS} ways to match the names of the two files, which is too many to try"
        )
    }
}

impl std::error::Error for TooManyMatchings {}

/// Finds renamings, besides the `known` ones, for names that only one file has. Tries every
/// matching of moves of the same form, pieces of the same ownership, players, and memories of the
/// same type; keeps the matching that agrees the longest, the first in file order on a tie. Takes
/// at most a quarter of the time and, for each matching, of the positions.
///
/// # Errors
/// Returns [`TooManyMatchings`] if there are too many matchings.
pub fn match_names(
    left: &Game,
    right: &Game,
    known: &[Renaming],
    limits: &CompareLimits,
    watch: &mut dyn FnMut(Progress),
) -> Result<Vec<Renaming>, TooManyMatchings> {
    let begun = Instant::now();
    let mut ways = vec![known.to_vec()];
    for sort in Namespace::ALL {
        let (mine, others) = (
            spare(sort, left.rules(), right.rules(), known, true),
            spare(sort, right.rules(), left.rules(), known, false),
        );
        let fits = |one: &str, other: &str| is_alike(sort, left.rules(), one, right.rules(), other);
        let matched = matches(&mine, &others, &fits);
        if ways.len().saturating_mul(matched.len()) > MAX_MATCHINGS {
            return Err(TooManyMatchings);
        }
        ways = ways
            .iter()
            .flat_map(|way| matched.iter().map(|more| [&way[..], more].concat()))
            .collect();
    }
    let of = ways.len();
    let mut best = (None, known.to_vec());
    for (tried, way) in ways.into_iter().enumerate() {
        watch(Progress::Matching { tried, of });
        // At most four times an even share, so that one matching cannot use up the time of all.
        let until = limits.time.map(|time| {
            let time = time.div_f64(4.0);
            (begun + time).min(Instant::now() + time.div_f64(of as f64 / 4.0))
        });
        let positions = limits.positions.map_or(u64::MAX, |most| most / 4);
        let agreed = agreement(left, right, &way, Deadline::at(until), positions);
        if agreed > best.0 {
            best = (agreed, way);
        }
    }
    Ok(best.1)
}

/// Returns the names of a file that are neither in the other file nor matched.
fn spare<'r>(
    sort: Namespace,
    own: &'r Rules,
    other: &Rules,
    known: &[Renaming],
    is_left: bool,
) -> Vec<&'r str> {
    let matched = |name: &str| {
        known.iter().any(|renaming| name == if is_left { &renaming.left } else { &renaming.right })
    };
    sort.names(own)
        .into_iter()
        .filter(|name| !matched(name) && !sort.names(other).contains(name))
        .collect()
}

fn is_alike(sort: Namespace, left: &Rules, one: &str, right: &Rules, other: &str) -> bool {
    match sort {
        Namespace::Player => true,
        Namespace::Piece => {
            let owned = |rules: &Rules, name: &str| {
                rules.pieces.iter().find(|piece| piece.name == name).map(|piece| piece.owned)
            };
            owned(left, one) == owned(right, other)
        }
        Namespace::Move => {
            let arguments = |rules: &Rules, name: &str| {
                let rule = rules.moves.iter().find(|rule| rule.verb == name);
                rule.map(|rule| form(rule)[name.len()..].to_owned())
            };
            arguments(left, one) == arguments(right, other)
        }
        Namespace::Memory => {
            let kind = |rules: &Rules, name: &str| {
                let memory = rules.memories.iter().find(|memory| memory.name == name)?;
                Some((
                    std::mem::discriminant(&memory.holds),
                    memory.per_player,
                    memory.per_site,
                    memory.per_direction.len(),
                    memory.keys.count(),
                    memory.hand,
                ))
            };
            kind(left, one) == kind(right, other)
        }
    }
}

/// Returns the maximal matchings of two lists of names, in file order.
fn matches(
    mine: &[&str],
    others: &[&str],
    fits: &dyn Fn(&str, &str) -> bool,
) -> Vec<Vec<Renaming>> {
    let Some((&first, rest)) = mine.split_first() else { return vec![Vec::new()] };
    let mut ways = Vec::new();
    for (index, &other) in others.iter().enumerate().filter(|(_, other)| fits(first, other)) {
        let left_over = [&others[..index], &others[index + 1..]].concat();
        for mut way in matches(rest, &left_over, fits) {
            way.insert(0, Renaming { left: first.to_owned(), right: other.to_owned() });
            ways.push(way);
            if ways.len() > MAX_MATCHINGS {
                return ways;
            }
        }
    }
    // If there are more names than in the other file, or none fits, this name may stay unmatched.
    if ways.is_empty() || mine.len() > others.len() {
        ways.extend(matches(rest, others, fits));
    }
    ways
}

/// Measures how long two games agree: the depth of a search, then the plies of random games. `None`
/// if the names do not fit or the rules do not terminate.
fn agreement(
    left: &Game,
    right: &Game,
    way: &[Renaming],
    deadline: Deadline,
    positions: u64,
) -> Option<(u64, u64)> {
    let names: Result<Names, Incompatible> = Names::new(left.rules(), right.rules(), way);
    let names = names.ok()?;
    let starts = [left.begin().ok()?, right.begin().ok()?];
    let mut pair = Pair::new(&names, &starts[0], &starts[1]);
    let memory = MemoryBudget::new(MEMORY);
    let budget = SearchBudget {
        deadline: deadline.clone(),
        memory,
        positions,
        depth: u32::MAX,
        continue_when_uncertain: true,
    };
    let found = Search::new(&mut pair, HistoryMode::Ignored).run(&budget, &mut |_, _| {}).ok()?;
    match found.end {
        SearchEnd::Differs(way) => return Some((way.len() as u64, 0)),
        SearchEnd::Complete => return Some((u64::MAX, u64::MAX)),
        SearchEnd::Uncertain
        | SearchEnd::OutOfTime
        | SearchEnd::OutOfMemory
        | SearchEnd::OutOfPositions => {}
    }
    let walk = random_walk(&mut pair, GAMES, 1, deadline, &mut |_| {}).ok()?;
    let agreed = walk.plies + walk.difference.as_ref().map_or(0, |plies| plies.len() as u64);
    Some((
        u64::from(found.depth) + u64::from(walk.difference.is_none()) * u64::from(u32::MAX),
        agreed,
    ))
}
