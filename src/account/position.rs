//! What a single effect does to a position.
//!
//! In: a position, sites, pieces, values. Out: the position changed. It refuses to know expressions and when anything is done.

use crate::board::{Direction, Site};
use crate::engine::setting::{Content, Setting, Standing};
use crate::language::rules::{Holds, Memory, MemoryId, PlayerId, Rules};

/// Tells if a site was cut out in play.
pub fn is_cut_out(setting: &Setting, site: Site) -> bool {
    setting.cut.contains(&site)
}

/// Finds which of a memory's contents is meant; none if it has none for that direction.
pub fn content(rules: &Rules, memory: MemoryId, player: Option<PlayerId>, direction: Option<Direction>) -> Option<usize> {
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
pub fn put(rules: &Rules, setting: &mut Setting, site: Site, standing: Standing) {
    if !is_cut_out(setting, site) {
        remove(rules, setting, site);
        setting.pieces[site.index()] = Some(standing);
    }
}

/// Takes the piece on a site, if there is one, off the board: what travels with it is forgotten.
pub fn remove(rules: &Rules, setting: &mut Setting, site: Site) {
    if setting.pieces[site.index()].take().is_some() {
        for content in travelling(rules, setting) {
            forget(content, site);
        }
    }
}

/// Moves the piece on a site, if there is one, and what travels with it to another site that is not cut out.
pub fn relocate(rules: &Rules, setting: &mut Setting, from: Site, to: Site) {
    if from == to || is_cut_out(setting, to) || setting.pieces[from.index()].is_none() {
        return;
    }
    remove(rules, setting, to);
    setting.pieces[to.index()] = setting.pieces[from.index()].take();
    for content in travelling(rules, setting) {
        forget(content, to);
        match content {
            Content::Sites(sites) if sites.contains(&from) => mark(sites, to),
            Content::NumberPerSite(numbers) => numbers[to.index()] = numbers[from.index()],
            Content::SitePerSite(sites) => sites[to.index()] = sites[from.index()],
            _ => {}
        }
        forget(content, from);
    }
}

/// Cuts a site out of the board.
pub fn cut(rules: &Rules, setting: &mut Setting, site: Site) {
    remove(rules, setting, site);
    mark(&mut setting.cut, site);
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
        Holds::Number { most } if memory.per_site => (0, most),
        _ if memory.hand => (0, i32::MAX),
        _ => (i32::MIN, i32::MAX),
    }
}

/// Everything that travels with pieces.
fn travelling<'a>(rules: &'a Rules, setting: &'a mut Setting) -> impl Iterator<Item = &'a mut Content> {
    rules.memories.iter().zip(&mut setting.contents).filter(|(memory, _)| memory.travels).flat_map(|(_, contents)| contents)
}

/// Makes a memory as if it had never been told anything of that site.
fn forget(content: &mut Content, site: Site) {
    match content {
        Content::Sites(sites) => unmark(sites, site),
        Content::NumberPerSite(numbers) => numbers[site.index()] = 0,
        Content::SitePerSite(sites) => sites[site.index()] = None,
        Content::Number(_) | Content::Site(_) | Content::Player(_) => {}
    }
}
