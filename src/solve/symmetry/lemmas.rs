//! Two facts about boards that structural comparison cannot derive.
//!
//! - A row read backwards is the same row: "some site of M is followed by at least n of M in
//!   direction d" holds for d if and only if it holds for the opposite of d. The same is true of
//!   any condition that is equivalent to itself with d reversed.
//! - Connection is symmetric: "any of B is connected, within M, with one of A" is the same with A
//!   and B exchanged.

use super::equivalence::{Identity, In, Same};
use super::scope::{Meaning, Resolved, Scope, resolve};
use crate::board::Direction;
use crate::language::rules::{
    Binder, Comparison, Condition, Directions, Domain, Local, Number, Sites, Spanned,
};
use crate::language::visit::Expression as E;

/// An expression in its scope.
type Region<'r> = (E<'r>, Scope<'r>);

/// The condition that two regions are connected within a third.
struct Chain<'r> {
    ends: [Vec<Region<'r>>; 2],
    within: Region<'r>,
    directions: Region<'r>,
}

impl<'r> Same<'r, '_> {
    /// Compares conditions on some or every direction of a set, where each line may be read
    /// backwards.
    pub fn same_lines(
        &self,
        (one, body, a): (&'r Binder, E<'r>, &Scope<'r>),
        (other, other_body, b): (&'r Binder, E<'r>, &Scope<'r>),
    ) -> bool {
        let (Domain::Directions(lines), Domain::Directions(other_lines)) =
            (&one.domain, &other.domain)
        else {
            return false;
        };
        if !self.same_axes((lines, a), (other_lines, b)) {
            return false;
        }
        let (inner, other_inner) = self.bind(one.variable, a, other.variable, b);
        self.expression((body, &inner), (other_body, &other_inner))
            && self.under(&Identity).reads_backwards(one.variable, body, a)
    }

    /// Compares constant directions, where a direction and its opposite are the same.
    pub fn same_axes(
        &self,
        (one, a): (&'r Spanned<Directions>, &Scope<'r>),
        (other, b): (&'r Spanned<Directions>, &Scope<'r>),
    ) -> bool {
        let axes = |directions: Vec<Direction>| {
            let mut axes: Vec<Direction> = directions
                .into_iter()
                .map(|direction| direction.min(direction.opposite()))
                .collect();
            axes.sort_unstable();
            axes.dedup();
            axes
        };
        let one = self.directions(one, a);
        let one = one.map(|one| one.into_iter().map(|way| self.board_map.direction(way)).collect());
        one.zip(self.directions(other, b)).is_some_and(|(one, other)| axes(one) == axes(other))
    }

    /// Tests if a condition is the same for a direction and its opposite.
    fn reads_backwards(&self, direction: Local, body: E<'r>, scope: &Scope<'r>) -> bool {
        let (number, another) = (self.variable(), self.variable());
        let there = scope.with(direction, Meaning::Any(number));
        let back = scope.with(direction, Meaning::Back(number));
        if self.expression((body, &there), (body, &back)) {
            return true;
        }
        // The lemma requires that the region M does not depend on the direction.
        let elsewhere = scope.with(direction, Meaning::Any(another));
        match (self.row(number, body, &there), self.row(another, body, &elsewhere)) {
            (Some((one, a)), Some((other, b))) => self.expression((one, &a), (other, &b)),
            _ => false,
        }
    }

    /// Matches "some site of M is followed by at least n of M in this direction"; returns M. Not on
    /// boards with passages: a track that passes a site twice may have more sites after one end
    /// than before the other.
    fn row(&self, direction: u32, condition: E<'r>, scope: &Scope<'r>) -> Option<Region<'r>> {
        if self.rules.board.has_passages() {
            return None;
        }
        let (mut some, mut scope) = self.resolved(condition, scope)?;
        if let E::Condition(Spanned { node: Condition::Any(sites), .. }) = some {
            (some, scope) = self.resolved(E::Sites(sites), &scope)?;
        }
        let (binder, comparison) = match some {
            E::Condition(Spanned { node: Condition::Exists(binder, comparison), .. })
            | E::Sites(Spanned { node: Sites::Where(binder, comparison), .. }) => {
                (binder, comparison)
            }
            _ => return None,
        };
        let Domain::Sites(region) = &binder.domain else { return None };
        let start = self.variable();
        let inner = scope.with(binder.variable, Meaning::Any(start));
        let (comparison, inner) = self.resolved(E::Condition(comparison), &inner)?;
        let E::Condition(Spanned {
            node: Condition::Compare(Comparison::AtLeast | Comparison::Greater, count, least),
            ..
        }) = comparison
        else {
            return None;
        };
        let (walk, inner) =
            self.is_constant(least, &inner).then(|| self.counted(count, &inner))??;
        let (walk, inner) = self.resolved(walk, &inner)?;
        let E::Sites(Spanned { node: Sites::Walk { from, directions, through }, .. }) = walk else {
            return None;
        };
        let is = |it: E<'r>, scope: &Scope<'r>, wanted: u32| {
            let resolved = resolve(self.rules, it, scope.clone());
            matches!(resolved, Some(Resolved::Any(number)) if number == wanted)
        };
        let along = match self.resolved(E::Directions(directions), &inner)? {
            (E::Directions(Spanned { node: Directions::One(one), .. }), inner) => {
                is(E::Direction(one), &inner, direction)
            }
            _ => false,
        };
        let region = E::Sites(region);
        (is(E::Site(from), &inner, start)
            && along
            && self.expression((E::Sites(through), &inner), (region, &scope)))
        .then_some((region, scope))
    }

    /// Resolves names; `None` for the value of a variable.
    fn resolved(&self, it: E<'r>, scope: &Scope<'r>) -> Option<Region<'r>> {
        match resolve(self.rules, it, scope.clone())? {
            Resolved::It(it, scope) => Some((it, scope)),
            Resolved::Any(_) | Resolved::Back(_) => None,
        }
    }

    /// Returns the region that a number counts, perhaps plus constants.
    fn counted(&self, number: &'r Spanned<Number>, scope: &Scope<'r>) -> Option<Region<'r>> {
        let (E::Number(number), scope) = self.resolved(E::Number(number), scope)? else {
            return None;
        };
        match &number.node {
            Number::Count(sites) => Some((E::Sites(sites), scope)),
            Number::Add(numbers) => {
                let mut open = numbers.iter().filter(|number| !self.is_constant(number, &scope));
                let counted = self.counted(open.next()?, &scope)?;
                open.next().is_none().then_some(counted)
            }
            _ => None,
        }
    }

    fn is_constant(&self, number: &'r Spanned<Number>, scope: &Scope<'r>) -> bool {
        let resolved = self.resolved(E::Number(number), scope);
        matches!(resolved, Some((E::Number(it), _)) if matches!(it.node, Number::Constant(_)))
    }

    /// Compares two connections with the ends of one exchanged.
    pub fn same_chain(&self, one: In<'_, 'r>, other: In<'_, 'r>) -> bool {
        let (Some(one), Some(other)) = (self.chain(one), self.chain(other)) else { return false };
        let alike = |(one, a): &Region<'r>, (other, b): &Region<'r>| {
            self.expression((*one, a), (*other, b))
        };
        let [first, last] = &one.ends;
        let [other_first, other_last] = &other.ends;
        alike(&one.within, &other.within)
            && alike(&one.directions, &other.directions)
            && self.any_order(first, other_last, alike)
            && self.any_order(last, other_first, alike)
    }

    /// Matches a connection: a group and the region that it intersects. Its directions must be
    /// closed under opposites.
    fn chain(&self, (sites, scope): In<'_, 'r>) -> Option<Chain<'r>> {
        let mut parts = Vec::new();
        self.conjuncts(sites, scope, &mut parts);
        let is_group =
            |part: &E| matches!(part, E::Sites(it) if matches!(it.node, Sites::Group { .. }));
        let place = parts.iter().position(|(part, _)| is_group(part))?;
        let (group, scope) = parts.remove(place);
        let E::Sites(Spanned { node: Sites::Group { of, within, directions }, .. }) = group else {
            return None;
        };
        let ways = self.directions(directions, &scope)?;
        if !ways.iter().all(|way| ways.contains(&way.opposite())) {
            return None;
        }
        let within = (E::Sites(within), scope.clone());
        let mut first = Vec::new();
        self.conjuncts(E::Sites(of), &scope, &mut first);
        // Both ends lie within the region anyway.
        let still = self.under(&Identity);
        for end in [&mut first, &mut parts] {
            end.retain(|(part, scope)| !still.expression((*part, scope), (within.0, &within.1)));
        }
        Some(Chain { ends: [first, parts], within, directions: (E::Directions(directions), scope) })
    }

    /// Collects the operands of nested intersections.
    fn conjuncts(&self, sites: E<'r>, scope: &Scope<'r>, found: &mut Vec<Region<'r>>) {
        match self.resolved(sites, scope) {
            Some((E::Sites(Spanned { node: Sites::And(parts), .. }), scope)) => {
                parts.iter().for_each(|part| self.conjuncts(E::Sites(part), &scope, found));
            }
            Some(part) => found.push(part),
            None => found.push((sites, scope.clone())),
        }
    }
}
