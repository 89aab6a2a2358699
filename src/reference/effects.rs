//! Effects: statements that change the position and never the order of play.
//!
//! All operands are evaluated against the view, which shows the position before the effect; only
//! then is the snapshot changed. Numbers saturate at the bounds of their memory.

use super::expressions::View;
use super::position::{
    Key, bounds, cut, displace, is_cut_out, lift, mark, memory_value, put, relocate, remove, unmark,
};
use super::values::ONE;
use crate::board::Site;
use crate::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use crate::language::rules::{
    DirectionOf, KeyOf, MemoryId, Number, PlayerOf, SiteOf, Spanned, Statement,
};

/// The bound at which a memory saturated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamped {
    /// The memory's minimum.
    Least(i32),
    /// The memory's maximum.
    Most(i32),
}

/// Applies an effect to `snapshot`, with operands evaluated in `view`. Returns the bound if a
/// number saturated.
///
/// # Panics
/// If the statement is not an effect.
pub fn apply_effect(
    view: &View,
    snapshot: &mut Snapshot,
    statement: &Statement,
) -> Option<Clamped> {
    let rules = view.rules;
    let mut clamped = None;
    match statement {
        Statement::Put { piece, at, owner, beneath } => {
            let named = owner.as_ref().map(|owner| view.player(&owner.node));
            let piece = view.piece(&piece.node)?;
            let owner = rules.pieces[piece.index()].owned.then_some(named.unwrap_or(view.mover));
            for site in view.sites(&at.node).list() {
                put(rules, snapshot, site, Occupant { piece, owner }, *beneath);
            }
        }
        Statement::Remove { at, number } => {
            let number = number.as_ref().map(|number| whole(view, number));
            for site in view.sites(&at.node).list() {
                match number {
                    Some(number) => lift(rules, snapshot, site, number),
                    None => remove(rules, snapshot, site),
                }
            }
        }
        Statement::Relocate { from, to, number, beneath } => {
            let number = number.as_ref().map(|number| whole(view, number));
            if let (Some(from), Some(to)) = (view.site(&from.node), view.site(&to.node)) {
                relocate(rules, snapshot, (from, to), number, *beneath);
            }
        }
        Statement::Shift { at, direction } => {
            let direction = view.direction(&direction.node)?;
            let steps: Vec<(Site, Option<Site>)> = view
                .sites(&at.node)
                .list()
                .into_iter()
                .map(|site| (site, rules.board.step(site, direction)))
                .collect();
            displace(rules, snapshot, &steps);
        }
        Statement::Swap(one, other) => {
            if let (Some(one), Some(other)) = (view.site(&one.node), view.site(&other.node))
                && !is_cut_out(snapshot, one)
                && !is_cut_out(snapshot, other)
            {
                displace(rules, snapshot, &[(one, Some(other)), (other, Some(one))]);
            }
        }
        Statement::Convert { at, to } => {
            let player = view.player(&to.node);
            for site in view.sites(&at.node).list() {
                if let Some(occupant) = &mut snapshot.pieces[site.index()] {
                    // Unowned pieces stay unowned.
                    occupant.owner = occupant.owner.map(|_| player);
                }
            }
        }
        Statement::Replace { at, piece, owner } => {
            let named = owner.as_ref().map(|owner| view.player(&owner.node));
            let piece = view.piece(&piece.node)?;
            for site in view.sites(&at.node).list() {
                if let Some(occupant) = &mut snapshot.pieces[site.index()] {
                    let owner = named.or(occupant.owner).unwrap_or(view.mover);
                    let owner = rules.pieces[piece.index()].owned.then_some(owner);
                    *occupant = Occupant { piece, owner };
                }
            }
        }
        Statement::Cut(at) => {
            for site in view.sites(&at.node).list() {
                cut(rules, snapshot, site);
            }
        }
        Statement::SetNumber { memory, player, site, key, to } => {
            let to = whole(view, to);
            clamped = change_number(view, snapshot, *memory, player, site, key, |_| to);
        }
        Statement::Raise { memory, player, site, key, by } => {
            let by = whole(view, by);
            clamped =
                change_number(view, snapshot, *memory, player, site, key, |number| number + by);
        }
        Statement::Lower { memory, player, site, key, by } => {
            let by = whole(view, by);
            clamped =
                change_number(view, snapshot, *memory, player, site, key, |number| number - by);
        }
        Statement::SetSite { memory, player, site, to } => {
            let to = view.site(&to.node);
            let asked = site.as_ref().map(|site| view.site(&site.node));
            match (find(view, snapshot, *memory, player, Key::None), asked) {
                (Some(MemoryValue::Site(value)), None) => *value = to,
                (Some(MemoryValue::SitePerSite(values)), Some(Some(site))) => {
                    values[site.index()] = to
                }
                (Some(MemoryValue::SitePerSite(_)), Some(None)) => {}
                (other, _) => unreachable!("expected a site, found {other:?}"),
            }
        }
        Statement::SetSites { memory, player, direction, to } => {
            let to = view.sites(&to.node).list();
            change_sites(view, snapshot, *memory, player, direction, |sites| *sites = to);
        }
        Statement::SetPlayer { memory, player, to } => {
            let to = view.player(&to.node);
            match find(view, snapshot, *memory, player, Key::None) {
                Some(MemoryValue::Player(value)) => *value = to,
                other => unreachable!("expected a player, found {other:?}"),
            }
        }
        Statement::SetKind { memory, player, site, to } => {
            let to = view.piece(&to.node);
            let asked = site.as_ref().map(|site| view.site(&site.node));
            match (find(view, snapshot, *memory, player, Key::None), asked) {
                (Some(MemoryValue::Kind(value)), None) => *value = to,
                (Some(MemoryValue::KindPerSite(values)), Some(Some(site))) => {
                    values[site.index()] = to
                }
                (Some(MemoryValue::KindPerSite(_)), Some(None)) => {}
                (other, _) => unreachable!("expected a kind, found {other:?}"),
            }
        }
        Statement::SetDirection { memory, player, site, to } => {
            let to = view.direction(&to.node);
            let asked = site.as_ref().map(|site| view.site(&site.node));
            match (find(view, snapshot, *memory, player, Key::None), asked) {
                (Some(MemoryValue::Direction(value)), None) => *value = to,
                (Some(MemoryValue::DirectionPerSite(values)), Some(Some(site))) => {
                    values[site.index()] = to
                }
                (Some(MemoryValue::DirectionPerSite(_)), Some(None)) => {}
                (other, _) => unreachable!("expected a direction, found {other:?}"),
            }
        }
        Statement::DropOut(player) => {
            if let Some(drop_outs) = rules.drop_outs {
                let leaving = &mut snapshot.memories[drop_outs.leaving.index()];
                leaving[view.player(&player.node).index()] = MemoryValue::Condition(true);
            }
        }
        Statement::SetCondition { memory, player, to } => {
            let to = view.condition(&to.node);
            match find(view, snapshot, *memory, player, Key::None) {
                Some(MemoryValue::Condition(value)) => *value = to,
                other => unreachable!("expected a condition, found {other:?}"),
            }
        }
        Statement::Mark { memory, player, direction, sites } => {
            let new = view.sites(&sites.node).list();
            change_sites(view, snapshot, *memory, player, direction, |sites| {
                new.into_iter().for_each(|site| mark(sites, site))
            });
        }
        Statement::Unmark { memory, player, direction, sites } => {
            let old = view.sites(&sites.node).list();
            change_sites(view, snapshot, *memory, player, direction, |sites| {
                old.into_iter().for_each(|site| unmark(sites, site))
            });
        }
        other => unreachable!("expected an effect, found {other:?}"),
    }
    clamped
}

fn whole(view: &View, number: &Spanned<Number>) -> i128 {
    view.number(&number.node).div_euclid(ONE)
}

fn change_number(
    view: &View,
    snapshot: &mut Snapshot,
    memory: MemoryId,
    player: &Option<Spanned<PlayerOf>>,
    site: &Option<Spanned<SiteOf>>,
    key: &Option<KeyOf>,
    change: impl FnOnce(i128) -> i128,
) -> Option<Clamped> {
    let asked = site.as_ref().map(|site| view.site(&site.node));
    // A kind or number that the memory has no value for changes nothing.
    let key = view.key(key.as_ref())?;
    let value = match (find(view, snapshot, memory, player, key)?, asked) {
        (MemoryValue::Number(value), None) => value,
        (MemoryValue::NumberPerSite(values), Some(Some(site))) => &mut values[site.index()],
        (MemoryValue::NumberPerSite(_), Some(None)) => return None,
        (other, _) => unreachable!("expected a number, found {other:?}"),
    };
    let (least, most) = bounds(&view.rules.memories[memory.index()]);
    let wanted = change(i128::from(*value));
    *value = wanted.clamp(i128::from(least), i128::from(most)) as i32;
    match wanted {
        wanted if wanted < i128::from(least) => Some(Clamped::Least(least)),
        wanted if wanted > i128::from(most) => Some(Clamped::Most(most)),
        _ => None,
    }
}

fn change_sites(
    view: &View,
    snapshot: &mut Snapshot,
    memory: MemoryId,
    player: &Option<Spanned<PlayerOf>>,
    direction: &Option<Spanned<DirectionOf>>,
    change: impl FnOnce(&mut Vec<Site>),
) {
    let asked = direction.as_ref().map(|direction| view.direction(&direction.node));
    if asked == Some(None) {
        return;
    }
    match find(view, snapshot, memory, player, asked.flatten().into()) {
        Some(MemoryValue::Sites(sites)) => change(sites),
        None => {}
        other => unreachable!("expected sites, found {other:?}"),
    }
}

fn find<'s>(
    view: &View,
    snapshot: &'s mut Snapshot,
    memory: MemoryId,
    player: &Option<Spanned<PlayerOf>>,
    key: Key,
) -> Option<&'s mut MemoryValue> {
    let player = player.as_ref().map(|player| view.player(&player.node));
    let place = memory_value(view.rules, memory, player, key)?;
    Some(&mut snapshot.memories[memory.index()][place])
}
