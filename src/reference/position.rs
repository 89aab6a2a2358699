//! Primitive changes of a position: pieces, cut sites and memories, independent of expressions.

use crate::board::{Direction, Site};
use crate::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use crate::language::rules::{Memory, MemoryId, MemoryType, PieceId, PlayerId, Rules};

/// Tests if a site was cut out during play.
pub fn is_cut_out(snapshot: &Snapshot, site: Site) -> bool {
    snapshot.cut.contains(&site)
}

/// The key that selects one of a player's values of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The memory has one value.
    None,
    Direction(Direction),
    Kind(PieceId),
    Number(i64),
}

impl From<Option<Direction>> for Key {
    fn from(direction: Option<Direction>) -> Key {
        direction.map_or(Key::None, Key::Direction)
    }
}

/// Returns the index of a memory's value for a player and a direction, kind or number; `None` if
/// the memory has no value for these.
pub fn memory_value(
    rules: &Rules,
    memory: MemoryId,
    player: Option<PlayerId>,
    key: Key,
) -> Option<usize> {
    let memory = &rules.memories[memory.index()];
    let player = player.map_or(0, PlayerId::index);
    let place = match key {
        Key::None => 0,
        Key::Direction(direction) => {
            memory.per_direction.iter().position(|&listed| listed == direction)?
        }
        Key::Kind(kind) => memory.keys.place_of_kind(kind)?,
        Key::Number(number) => memory.keys.place_of_number(number)?,
    };
    Some(player * memory.values_per_player() + place)
}

/// Puts a piece on a site, unless the site is cut out; with piles, on the top or at the bottom of a
/// pile that can grow.
pub fn put(rules: &Rules, snapshot: &mut Snapshot, site: Site, new: Occupant, beneath: bool) {
    if is_cut_out(snapshot, site) {
        return;
    }
    if let Some(piles) = &rules.piles {
        let mut pile = snapshot.pile(rules, site);
        pile.insert(if beneath { 0 } else { pile.len() }, new);
        if piles.allows(pile.iter().map(|lying| lying.piece)) {
            snapshot.set_pile(rules, site, &pile);
        }
        return;
    }
    remove(rules, snapshot, site);
    snapshot.pieces[site.index()] = Some(new);
}

/// Removes a number of pieces from the top of a pile.
pub fn lift(rules: &Rules, snapshot: &mut Snapshot, site: Site, number: i128) {
    let pile = snapshot.pile(rules, site);
    let left = pile.len() - number.clamp(0, pile.len() as i128) as usize;
    snapshot.set_pile(rules, site, &pile[..left]);
}

/// Removes the piece or the pile on a site, if any, and clears the travelling memories there.
pub fn remove(rules: &Rules, snapshot: &mut Snapshot, site: Site) {
    if rules.piles.is_some() {
        return snapshot.set_pile(rules, site, &[]);
    }
    if snapshot.pieces[site.index()].take().is_some() {
        for memory_value in travelling(rules, snapshot) {
            forget(memory_value, site);
        }
    }
}

/// Moves the piece on a site and its travelling memories to another site, unless that site is cut.
/// A piece on the target is removed. With piles, moves a number of pieces from the top, or all,
/// onto the pile there or one by one beneath it, unless the pile would become too high.
pub fn relocate(
    rules: &Rules,
    snapshot: &mut Snapshot,
    (from, to): (Site, Site),
    number: Option<i128>,
    beneath: bool,
) {
    if from == to || is_cut_out(snapshot, to) || snapshot.pieces[from.index()].is_none() {
        return;
    }
    if let Some(piles) = &rules.piles {
        let (mut own, mut other) = (snapshot.pile(rules, from), snapshot.pile(rules, to));
        let number = number.map_or(own.len(), |number| number.clamp(0, own.len() as i128) as usize);
        let carried = own.split_off(own.len() - number);
        match beneath {
            true => other.splice(0..0, carried),
            false => other.splice(other.len().., carried),
        };
        if number == 0 || !piles.allows(other.iter().map(|lying| lying.piece)) {
            return;
        }
        snapshot.set_pile(rules, from, &own);
        snapshot.set_pile(rules, to, &other);
        return;
    }
    displace(rules, snapshot, &[(from, Some(to))]);
}

/// Moves the pieces on some sites with their travelling memories, all at once. Pieces that move to
/// no site or to a cut site are removed, and so are pieces on the target sites.
pub fn displace(rules: &Rules, snapshot: &mut Snapshot, moves: &[(Site, Option<Site>)]) {
    let before = snapshot.clone();
    if rules.piles.is_some() {
        let ends = moves.iter().filter_map(|&(from, to)| Some((from, to?)));
        ends.for_each(|(from, to)| snapshot.set_pile(rules, to, &before.pile(rules, from)));
        return;
    }
    let moves = moves.iter().filter(|(from, _)| before.pieces[from.index()].is_some());
    moves.clone().for_each(|&(from, _)| remove(rules, snapshot, from));
    for &(from, to) in moves {
        let Some(to) = to.filter(|&to| !is_cut_out(&before, to)) else { continue };
        remove(rules, snapshot, to);
        snapshot.pieces[to.index()] = before.pieces[from.index()];
        let memories = rules.memories.iter().zip(&before.memories).zip(&mut snapshot.memories);
        for ((_, old), new) in memories.filter(|((memory, _), _)| memory.travels) {
            for (old, new) in old.iter().zip(new) {
                forget(new, to);
                carry(old, new, from, to);
            }
        }
    }
}

/// Copies a memory's value at a site to another site.
fn carry(old: &MemoryValue, new: &mut MemoryValue, from: Site, to: Site) {
    let (from_index, to_index) = (from.index(), to.index());
    match (old, new) {
        (MemoryValue::Sites(old), MemoryValue::Sites(new)) if old.contains(&from) => mark(new, to),
        (MemoryValue::NumberPerSite(old), MemoryValue::NumberPerSite(new)) => {
            new[to_index] = old[from_index]
        }
        (MemoryValue::SitePerSite(old), MemoryValue::SitePerSite(new)) => {
            new[to_index] = old[from_index]
        }
        (MemoryValue::KindPerSite(old), MemoryValue::KindPerSite(new)) => {
            new[to_index] = old[from_index]
        }
        (MemoryValue::DirectionPerSite(old), MemoryValue::DirectionPerSite(new)) => {
            new[to_index] = old[from_index]
        }
        _ => {}
    }
}

/// Cuts a site out of the board.
pub fn cut(rules: &Rules, snapshot: &mut Snapshot, site: Site) {
    remove(rules, snapshot, site);
    mark(&mut snapshot.cut, site);
}

/// Inserts a site into an ascending list.
pub fn mark(sites: &mut Vec<Site>, site: Site) {
    if !sites.contains(&site) {
        sites.push(site);
        sites.sort();
    }
}

/// Removes a site from a list.
pub fn unmark(sites: &mut Vec<Site>, site: Site) {
    sites.retain(|&other| other != site);
}

/// Returns the minimum and maximum of a memory's numbers.
pub fn bounds(memory: &Memory) -> (i32, i32) {
    match memory.holds {
        MemoryType::Number { most } if memory.per_site => (0, most),
        _ if memory.hand => (0, i32::MAX),
        _ => (i32::MIN, i32::MAX),
    }
}

/// Returns the values of all memories that travel with pieces.
fn travelling<'a>(
    rules: &'a Rules,
    snapshot: &'a mut Snapshot,
) -> impl Iterator<Item = &'a mut MemoryValue> {
    rules
        .memories
        .iter()
        .zip(&mut snapshot.memories)
        .filter(|(memory, _)| memory.travels)
        .flat_map(|(_, memories)| memories)
}

/// Resets a memory's value at a site.
fn forget(memory_value: &mut MemoryValue, site: Site) {
    match memory_value {
        MemoryValue::Sites(sites) => unmark(sites, site),
        MemoryValue::NumberPerSite(numbers) => numbers[site.index()] = 0,
        MemoryValue::SitePerSite(sites) => sites[site.index()] = None,
        MemoryValue::KindPerSite(kinds) => kinds[site.index()] = None,
        MemoryValue::DirectionPerSite(directions) => directions[site.index()] = None,
        MemoryValue::Number(_)
        | MemoryValue::Site(_)
        | MemoryValue::Player(_)
        | MemoryValue::Kind(_)
        | MemoryValue::Direction(_)
        | MemoryValue::Condition(_) => {}
    }
}
