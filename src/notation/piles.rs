//! Writes and reads piles: `piles: c3 b b W, d4 w B` lists the pieces on a site from the bottom up.

use super::diagram::{symbol, symbols};
use super::memory::{MemoryLine, site};
use super::spelling::{clip, list};
use crate::board::Site;
use crate::engine::snapshot::{Occupant, Snapshot};
use crate::language::rules::{Piles, Rules};

/// The key of the line of piles. No memory has this name, since memories begin with a capital.
pub const PILES: &str = "piles";

/// Writes the piles of two or more pieces; `None` if the rules have no piles.
pub(super) fn write_piles(rules: &Rules, snapshot: &Snapshot) -> Option<MemoryLine> {
    let piles = rules.piles.as_ref()?;
    let written = rules.board.sites().filter_map(|site| {
        let pile = snapshot.pile(rules, site);
        (pile.len() > 1).then(|| format!("{} {}", rules.board.label(site), spelled(rules, &pile)))
    });
    let value = written.collect::<Vec<String>>().join(", ");
    Some(MemoryLine {
        memory: piles.first_set(),
        player: None,
        name: PILES.to_owned(),
        idle: value.is_empty(),
        value,
        hand: false,
        per_site: false,
    })
}

/// Spells pieces by their symbols.
pub fn spelled(rules: &Rules, pile: &[Occupant]) -> String {
    pile.iter().map(|&occupant| symbol(rules, occupant)).collect::<Vec<&str>>().join(" ")
}

/// Reads piles into a snapshot whose tops are known. A site that is not listed has at most one
/// piece.
pub(super) fn read_piles(
    rules: &Rules,
    piles: &Piles,
    snapshot: &mut Snapshot,
    value: &str,
) -> Result<(), String> {
    let known = symbols(rules);
    for site in rules.board.sites() {
        let top = snapshot.pieces[site.index()];
        snapshot.set_pile(rules, site, top.as_slice());
    }
    let mut seen: Vec<Site> = Vec::new();
    for pile in value.split(',').map(str::trim).filter(|pile| !pile.is_empty()) {
        let mut words = pile.split_whitespace();
        let label = words.next().unwrap_or_default();
        let at = site(&rules.board, label)?;
        if seen.contains(&at) {
            return Err(format!("`{label}` has two piles"));
        }
        seen.push(at);
        let read = |word: &str| {
            let found = known.iter().find(|(_, symbol, _)| symbol == word);
            found.map(|&(occupant, ..)| occupant).ok_or_else(|| {
                let all: Vec<&str> = known.iter().map(|(_, symbol, _)| symbol.as_str()).collect();
                format!("expected {}, found `{}`", list(&all, "or"), clip(word))
            })
        };
        let pieces = words.map(read).collect::<Result<Vec<Occupant>, String>>()?;
        if pieces.len() > piles.most {
            let (found, most) = (pieces.len(), piles.most);
            return Err(format!("expected at most {most} pieces on `{label}`, found {found}"));
        }
        let lying = pieces.iter().rev().skip(1);
        if let Some(bare) = lying.copied().find(|lying| !piles.covers(lying.piece)) {
            let (bare, limit) = (symbol(rules, bare), piles.limit(&rules.pieces));
            return Err(format!("`{bare}` has a piece on it on `{label}`: {limit}"));
        }
        if pieces.last().copied() != snapshot.pieces[at.index()] {
            let name = |top: Option<&Occupant>| top.map_or("nothing", |&top| symbol(rules, top));
            return Err(format!(
                "the pile on `{label}` ends with {}, and the diagram shows {} there",
                name(pieces.last()),
                name(snapshot.pieces[at.index()].as_ref())
            ));
        }
        snapshot.set_pile(rules, at, &pieces);
    }
    Ok(())
}
