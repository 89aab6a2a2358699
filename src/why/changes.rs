//! Describes the differences between two positions, one short sentence each.

use super::values;
use crate::board::Site;
use crate::engine::snapshot::{Occupant, Snapshot};
use crate::language::rules::Rules;
use crate::notation::{MemoryLine, player, write_memories};

/// Lists what changed from `before` to `after`.
pub fn changes(rules: &Rules, before: &Snapshot, after: &Snapshot) -> Vec<String> {
    let mut said = pieces(rules, before, after);
    let cut: Vec<Site> =
        after.cut.iter().filter(|site| !before.cut.contains(site)).copied().collect();
    if !cut.is_empty() {
        said.push(format!("{} cut out", values::list(rules, &cut)));
    }
    let lines = write_memories(rules, before).into_iter().zip(write_memories(rules, after));
    let is_list = |index: usize| {
        let memory = &rules.memories[index];
        !memory.per_direction.is_empty() || !memory.keys.is_one() || memory.per_site
    };
    for (before, after) in lines.filter(|(before, after)| before.value != after.value) {
        said.push(if is_list(after.memory.index()) || rules.is_of_pile(after.memory) {
            difference(&before, &after)
        } else {
            became(&before, &after)
        });
    }
    said
}

/// Describes changed pieces; sites with the same change share a sentence.
fn pieces(rules: &Rules, before: &Snapshot, after: &Snapshot) -> Vec<String> {
    type Fate = (Option<Occupant>, Option<Occupant>);
    let mut fates: Vec<(Fate, Vec<Site>)> = Vec::new();
    for site in rules.board.sites() {
        let fate = (before.pieces[site.index()], after.pieces[site.index()]);
        if fate.0 == fate.1 {
            continue;
        }
        match fates.iter_mut().find(|(known, _)| *known == fate) {
            Some((_, sites)) => sites.push(site),
            None => fates.push((fate, vec![site])),
        }
    }
    // A piece that leaves one site and appears on one other has moved.
    if let [(one, from), (other, to)] = &fates[..]
        && from.len() == 1
        && to.len() == 1
    {
        for ((one, from), (other, to)) in [((one, from), (other, to)), ((other, to), (one, from))] {
            if let (Some(gone), None) = one
                && other.1 == Some(*gone)
            {
                let taken = other
                    .0
                    .map(|taken| format!(", where {} was", name(rules, taken)))
                    .unwrap_or_default();
                let (from, to) = (values::list(rules, from), values::list(rules, to));
                return vec![format!("{} moves from {from} to {to}{taken}", name(rules, *gone))];
            }
        }
    }
    let said = |(fate, sites): (Fate, Vec<Site>)| {
        let sites = values::list(rules, &sites);
        match fate {
            (None, Some(new)) => format!("{} appears on {sites}", name(rules, new)),
            (Some(old), None) => format!("{} is removed from {sites}", name(rules, old)),
            (Some(old), Some(new)) => {
                format!("{} on {sites} becomes {}", name(rules, old), name(rules, new))
            }
            (None, None) => String::new(),
        }
    };
    fates.into_iter().map(said).collect()
}

fn name(rules: &Rules, occupant: Occupant) -> String {
    let piece = &rules.pieces[occupant.piece.index()].name;
    occupant.owner.map_or(piece.clone(), |owner| format!("{}'s {piece}", player(rules, owner)))
}

fn became(before: &MemoryLine, after: &MemoryLine) -> String {
    let shown =
        |value: &str| if value.is_empty() { "no site".to_owned() } else { value.to_owned() };
    format!("{} is {}, was {}", after.name, shown(&after.value), shown(&before.value))
}

/// Describes the elements that a list gained and lost.
fn difference(before: &MemoryLine, after: &MemoryLine) -> String {
    let parts = |line: &MemoryLine| {
        line.value
            .split(", ")
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let (old, new) = (parts(before), parts(after));
    let besides = |list: &[String], other: &[String]| {
        list.iter().filter(|part| !other.contains(part)).cloned().collect::<Vec<_>>().join(", ")
    };
    let said = [("gains", besides(&new, &old)), ("loses", besides(&old, &new))];
    let said: Vec<String> = said
        .into_iter()
        .filter(|(_, what)| !what.is_empty())
        .map(|(verb, what)| format!("{verb} {what}"))
        .collect();
    format!("{} {}", after.name, said.join(" and "))
}
