//! Requirements after an effect of the same move that are tested before it.
//!
//! An effect on known sites leaves the other sites as they are: a requirement about these has the
//! same answer before the effect. Where a piece has become one of a known kind, the kind is known.
//! This is the weakest precondition (Dijkstra, *A Discipline of Programming*, 1976) of the
//! requirement, for conditions and effects whose precondition is a condition of the same form.

use super::super::relation::{Lowered, SetId};
use super::super::values::{Binding, Scope, SiteOperand};
use super::super::{Compiled, Compiler};
use crate::board::{Direction, Site};
use crate::language::rules::{
    Condition, Number, PieceId, PlayerOf, SiteOf, Sites, Spanned, Statement, Value, Whose,
};
use crate::language::visit::Expression;

/// What the effects so far have done to a site.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// Its pieces may have changed in an unknown way.
    Any,
    /// The top piece of the site, if it has one, is of this kind now.
    Kind(PieceId),
}

/// The sites whose pieces the effects of a move so far have changed.
#[derive(Default)]
pub(super) struct Changes(Vec<(SiteOperand, Change)>);

impl Changes {
    /// Tests if no effect has changed a piece.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'r> Compiler<'r> {
    /// Adds what a statement changes; returns false if it may change more than the pieces on known
    /// sites and memories.
    pub(super) fn note_changes(
        &mut self,
        statement: &'r Statement,
        scope: &Scope<'r>,
        changes: &mut Changes,
    ) -> Compiled<bool> {
        let mut touched = Vec::new();
        let mut change = Change::Any;
        match statement {
            Statement::Relocate { from, to, .. } => touched.extend([from, to]),
            Statement::Put { at, .. } | Statement::Remove { at, .. } => match &at.node {
                Sites::One(site) => touched.push(site),
                _ => return Ok(false),
            },
            Statement::Replace { at, piece, owner: None } => match (&at.node, piece.node.fixed()) {
                (Sites::One(site), Some(kind)) => {
                    change = Change::Kind(kind);
                    touched.push(site);
                }
                _ => return Ok(false),
            },
            Statement::If { condition, then, otherwise } => {
                let branch = match self.settled(condition, scope) {
                    Some(true) => then,
                    Some(false) => otherwise,
                    None => return Ok(false),
                };
                for statement in branch {
                    if !self.note_changes(&statement.node, scope, changes)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            Statement::SetNumber { memory, .. }
            | Statement::Raise { memory, .. }
            | Statement::Lower { memory, .. } => return Ok(!self.rules.is_of_pile(*memory)),
            _ => return Ok(false),
        }
        for site in touched {
            match self.site_operand(site, scope)? {
                SiteOperand::Nowhere => {}
                SiteOperand::In(_) => return Ok(false),
                site => changes.0.push((site, change)),
            }
        }
        Ok(true)
    }

    /// Returns for which sites a condition holds after the effects; `None` if that depends on what
    /// they have changed.
    pub(super) fn lower_afterwards(
        &mut self,
        condition: &'r Spanned<Condition>,
        changes: &Changes,
        scope: &Scope<'r>,
    ) -> Compiled<Option<Lowered>> {
        self.work(condition.span)?;
        match &condition.node {
            Condition::Constant(_) => self.lower_condition(condition, scope).map(Some),
            Condition::And(parts) | Condition::Or(parts) => {
                let all = matches!(condition.node, Condition::And(_));
                let part = |c: &mut Self, part| c.lower_afterwards(part, changes, scope);
                self.joined_afterwards(parts, all, part)
            }
            Condition::Not(part) => match self.lower_afterwards(part, changes, scope)? {
                Some(lowered) => self.negated(lowered).map(Some),
                None => Ok(None),
            },
            Condition::In(site, region) => self.lower_in_afterwards(site, region, changes, scope),
            Condition::None(region) => {
                // The requirement that is tested before a piece is put on a pile.
                let Sites::And(parts) = &region.node else { return Ok(None) };
                let [Spanned { node: Sites::One(site), .. }, rest] = &parts[..] else {
                    return Ok(None);
                };
                match self.lower_in_afterwards(site, rest, changes, scope)? {
                    Some(inside) => self.negated(inside).map(Some),
                    None => Ok(None),
                }
            }
            Condition::Compare(_, left, right) => {
                match self.is_untouched(left, changes, scope)?
                    && self.is_untouched(right, changes, scope)?
                {
                    true => self.lower_condition(condition, scope).map(Some),
                    false => Ok(None),
                }
            }
            Condition::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lower_afterwards(body, changes, &scope)
            }
            _ => Ok(None),
        }
    }

    fn joined_afterwards<T>(
        &mut self,
        parts: &'r [T],
        all: bool,
        mut lower: impl FnMut(&mut Self, &'r T) -> Compiled<Option<Lowered>>,
    ) -> Compiled<Option<Lowered>> {
        let mut joined = if all { Lowered::gate(SetId::BOARD) } else { Lowered::never() };
        for part in parts {
            let Some(part) = lower(self, part)? else { return Ok(None) };
            joined = if all { self.both(joined, part) } else { self.either(joined, part)? };
        }
        Ok(Some(joined))
    }

    fn lower_in_afterwards(
        &mut self,
        site: &'r Spanned<SiteOf>,
        region: &'r Spanned<Sites>,
        changes: &Changes,
        scope: &Scope<'r>,
    ) -> Compiled<Option<Lowered>> {
        let place = self.site_operand(site, scope)?;
        let Some(change) = self.change_at(&place, changes) else { return Ok(None) };
        self.lower_in_changed(site, region, change, scope)
    }

    /// Returns that a site is in a region after a change to it, if there was one.
    fn lower_in_changed(
        &mut self,
        site: &'r Spanned<SiteOf>,
        region: &'r Spanned<Sites>,
        change: Option<Change>,
        scope: &Scope<'r>,
    ) -> Compiled<Option<Lowered>> {
        self.work(region.span)?;
        match (&region.node, change) {
            (Sites::And(parts) | Sites::Or(parts), _) => {
                let all = matches!(region.node, Sites::And(_));
                let part = |c: &mut Self, part| c.lower_in_changed(site, part, change, scope);
                self.joined_afterwards(parts, all, part)
            }
            (Sites::Not(rest), _) => {
                let place = self.lower_site(site, scope)?;
                let there = self.in_set(&place, SetId::BOARD)?;
                let Some(inside) = self.lower_in_changed(site, rest, change, scope)? else {
                    return Ok(None);
                };
                let outside = self.negated(inside)?;
                Ok(Some(self.both(there, outside)))
            }
            // Arguments may name the site by another variable.
            (Sites::Call(definition, arguments), _) if arguments.is_empty() => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lower_in_changed(site, body, change, &scope)
            }
            (Sites::Pieces { kinds, whose: Whose::Anyones }, Some(Change::Kind(now))) => {
                let of_kind = kinds.iter().map(|kind| kind.node.fixed());
                let known: Option<Vec<PieceId>> = of_kind.collect();
                let Some(known) = known else { return Ok(None) };
                if !known.is_empty() && !known.contains(&now) {
                    return Ok(Some(Lowered::never()));
                }
                let occupied = self.occupied();
                let occupied = self.known_set(occupied);
                let place = self.lower_site(site, scope)?;
                self.in_set(&place, occupied).map(Some)
            }
            (Sites::Empty, _) | (Sites::Pieces { .. }, None) if is_fixed(region) => {
                let place = self.lower_site(site, scope)?;
                self.lower_in(&place, region, scope).map(Some)
            }
            // What lies below is the same whatever kind the top has become.
            (Sites::Memory { memory, .. }, _)
                if self.rules.is_of_pile(*memory) && is_fixed(region) =>
            {
                let place = self.lower_site(site, scope)?;
                self.lower_in(&place, region, scope).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Tests if a number is the same before the effects.
    fn is_untouched(
        &mut self,
        number: &'r Spanned<Number>,
        changes: &Changes,
        scope: &Scope<'r>,
    ) -> Compiled<bool> {
        match &number.node {
            Number::Constant(_) => Ok(true),
            Number::Local(local) => {
                Ok(matches!(self.bound(*local, scope), Some(Binding::Number(_))))
            }
            Number::Add(parts) | Number::Least(parts) | Number::Greatest(parts) => {
                for part in parts {
                    if !self.is_untouched(part, changes, scope)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Number::Call(definition, arguments) => {
                let piles = self.rules.piles.as_ref();
                if piles.is_none_or(|piles| piles.height != *definition) {
                    return Ok(false);
                }
                let [Value::Site(site)] = &arguments[..] else { return Ok(false) };
                let place = self.site_operand(site, scope)?;
                Ok(self.change_at(&place, changes) == Some(None))
            }
            _ => Ok(false),
        }
    }

    /// Returns what has happened to a site; `None` if that is unknown.
    fn change_at(&self, site: &SiteOperand, changes: &Changes) -> Option<Option<Change>> {
        let mut change = None;
        for (changed, how) in &changes.0 {
            if changed == site {
                change = Some(*how);
            } else if !self.is_apart(changed, site) {
                return None;
            }
        }
        if change == Some(Change::Any) { None } else { Some(change) }
    }

    /// Tests if two sites are different ones, or nowhere, whatever the lifted site is.
    fn is_apart(&self, one: &SiteOperand, other: &SiteOperand) -> bool {
        let ends = |operand: &SiteOperand| -> Option<Vec<Option<Site>>> {
            let end = |site: Site, path: &[Direction]| {
                path.iter().try_fold(site, |site, &way| self.board.step(site, way))
            };
            let all = self.board.sites();
            match operand {
                SiteOperand::Nowhere => Some(all.map(|_| None).collect()),
                SiteOperand::Fixed(site) => Some(all.map(|_| Some(*site)).collect()),
                SiteOperand::Lifted { path, .. } => Some(all.map(|site| end(site, path)).collect()),
                SiteOperand::In(_) => None,
            }
        };
        let lifts = |operand: &SiteOperand| match operand {
            SiteOperand::Lifted { lift, .. } => Some(*lift),
            _ => None,
        };
        if lifts(one).zip(lifts(other)).is_some_and(|(one, other)| one != other) {
            return false;
        }
        let (Some(one), Some(other)) = (ends(one), ends(other)) else { return false };
        one.iter().zip(&other).all(|(one, other)| one.is_none() || one != other)
    }
}

/// Tests if a region names its kinds and players without a look at the position.
fn is_fixed(region: &Spanned<Sites>) -> bool {
    Expression::Sites(region).parts().into_iter().all(|part| match part {
        Expression::Piece(kind) => kind.node.fixed().is_some(),
        Expression::Player(player) => is_fixed_player(&player.node),
        _ => false,
    })
}

fn is_fixed_player(player: &PlayerOf) -> bool {
    match player {
        PlayerOf::Fixed(_) | PlayerOf::Mover => true,
        PlayerOf::Next(of) => is_fixed_player(&of.node),
        _ => false,
    }
}
