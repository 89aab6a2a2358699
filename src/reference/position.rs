//! What a single effect does to a position.
//!
//! In: a position, sites, pieces, values. Out: the position changed. It refuses to know expressions
//! and when anything is done.

use crate::board::{Direction, Site};
use crate::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use crate::language::rules::{Memory, MemoryId, MemoryType, PlayerId, Rules};

/// Tells if a site was cut out in play.
pub fn is_cut_out(snapshot: &Snapshot, site: Site) -> bool {
    snapshot.cut.contains(&site)
}

/// Finds which of a memory's contents is meant; none if it has none for that direction.
pub fn memory_value(
    rules: &Rules,
    memory: MemoryId,
    player: Option<PlayerId>,
    direction: Option<Direction>,
) -> Option<usize> {
    let memory = &rules.memories[memory.index()];
    let player = player.map_or(0, PlayerId::index);
    match direction {
        None => Some(player),
        Some(direction) => {
            let place = memory.per_direction.iter().position(|&listed| listed == direction)?;
            Some(player * memory.per_direction.len() + place)
        }
    }
}

/// Puts a piece on a site that is not cut out.
pub fn put(rules: &Rules, snapshot: &mut Snapshot, site: Site, occupant: Occupant) {
    if !is_cut_out(snapshot, site) {
        remove(rules, snapshot, site);
        snapshot.pieces[site.index()] = Some(occupant);
    }
}

/// Takes the piece on a site, if there is one, off the board: what travels with it is forgotten.
pub fn remove(rules: &Rules, snapshot: &mut Snapshot, site: Site) {
    if snapshot.pieces[site.index()].take().is_some() {
        for memory_value in travelling(rules, snapshot) {
            forget(memory_value, site);
        }
    }
}

/// Moves the piece on a site, if there is one, and what travels with it to another site that is not
/// cut out.
pub fn relocate(rules: &Rules, snapshot: &mut Snapshot, from: Site, to: Site) {
    if from == to || is_cut_out(snapshot, to) || snapshot.pieces[from.index()].is_none() {
        return;
    }
    remove(rules, snapshot, to);
    snapshot.pieces[to.index()] = snapshot.pieces[from.index()].take();
    for memory_value in travelling(rules, snapshot) {
        forget(memory_value, to);
        match memory_value {
            MemoryValue::Sites(sites) if sites.contains(&from) => mark(sites, to),
            MemoryValue::NumberPerSite(numbers) => numbers[to.index()] = numbers[from.index()],
            MemoryValue::SitePerSite(sites) => sites[to.index()] = sites[from.index()],
            _ => {}
        }
        forget(memory_value, from);
    }
}

/// Cuts a site out of the board.
pub fn cut(rules: &Rules, snapshot: &mut Snapshot, site: Site) {
    remove(rules, snapshot, site);
    mark(&mut snapshot.cut, site);
}

/// Adds a site to a set in ascending order.
pub fn mark(sites: &mut Vec<Site>, site: Site) {
    if !sites.contains(&site) {
        sites.push(site);
        sites.sort();
    }
}

/// Takes a site out of a set.
pub fn unmark(sites: &mut Vec<Site>, site: Site) {
    sites.retain(|&other| other != site);
}

/// The least and the most that the memory can hold.
pub fn bounds(memory: &Memory) -> (i32, i32) {
    match memory.holds {
        MemoryType::Number { most } if memory.per_site => (0, most),
        _ if memory.hand => (0, i32::MAX),
        _ => (i32::MIN, i32::MAX),
    }
}

/// Everything that travels with pieces.
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

/// Makes a memory as if it had never been told anything of that site.
fn forget(memory_value: &mut MemoryValue, site: Site) {
    match memory_value {
        MemoryValue::Sites(sites) => unmark(sites, site),
        MemoryValue::NumberPerSite(numbers) => numbers[site.index()] = 0,
        MemoryValue::SitePerSite(sites) => sites[site.index()] = None,
        MemoryValue::Number(_) | MemoryValue::Site(_) | MemoryValue::Player(_) => {}
    }
}
