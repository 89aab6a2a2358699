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

/// A region in its scope.
type Region<'r> = (&'r Sites, Scope<'r>);

/// The condition that two regions are connected within a third.
struct Chain<'r> {
    ends: [Vec<Region<'r>>; 2],
    within: Region<'r>,
    directions: (&'r Directions, Scope<'r>),
}

impl<'r> Same<'r, '_> {
    /// Compares conditions on some or every direction of a set, where each line may be read
    /// backwards.
    pub fn same_lines(
        &self,
        (one, body, a): (&'r Binder, &'r Condition, &Scope<'r>),
        (other, other_body, b): (&'r Binder, &'r Condition, &Scope<'r>),
    ) -> bool {
        let (Domain::Directions(lines), Domain::Directions(other_lines)) =
            (&one.domain, &other.domain)
        else {
            return false;
        };
        if !self.same_axes((&lines.node, a), (&other_lines.node, b)) {
            return false;
        }
        let (inner, other_inner) = self.bind(one.variable, a, other.variable, b);
        self.condition((body, &inner), (other_body, &other_inner))
            && self.under(&Identity).reads_backwards(one.variable, body, a)
    }

    /// Compares constant directions, where a direction and its opposite are the same.
    pub fn same_axes(
        &self,
        (one, a): In<'_, 'r, Directions>,
        (other, b): In<'_, 'r, Directions>,
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
        let one = self.constants.directions(one, a);
        let one = one.map(|one| one.into_iter().map(|way| self.board_map.direction(way)).collect());
        one.zip(self.constants.directions(other, b))
            .is_some_and(|(one, other)| axes(one) == axes(other))
    }

    /// Tests if a condition is the same for a direction and its opposite.
    fn reads_backwards(&self, direction: Local, body: &'r Condition, scope: &Scope<'r>) -> bool {
        let (number, another) = (self.variable(), self.variable());
        let there = scope.with(direction, Meaning::Any(number));
        let back = scope.with(direction, Meaning::Back(number));
        if self.condition((body, &there), (body, &back)) {
            return true;
        }
        // The lemma requires that the region M does not depend on the direction.
        let elsewhere = scope.with(direction, Meaning::Any(another));
        match (self.row(number, body, &there), self.row(another, body, &elsewhere)) {
            (Some((one, a)), Some((other, b))) => self.sites((one, &a), (other, &b)),
            _ => false,
        }
    }

    /// Matches "some site of M is followed by at least n of M in this direction"; returns M.
    fn row(
        &self,
        direction: u32,
        condition: &'r Condition,
        scope: &Scope<'r>,
    ) -> Option<Region<'r>> {
        let rules = self.constants.rules;
        let (binder, comparison, scope) = match resolve(rules, condition, scope.clone())? {
            Resolved::It(Condition::Exists(binder, comparison), scope) => {
                (binder, comparison, scope)
            }
            Resolved::It(Condition::Any(sites), scope) => match resolve(rules, &sites.node, scope)?
            {
                Resolved::It(Sites::Where(binder, comparison), scope) => {
                    (binder, comparison, scope)
                }
                _ => return None,
            },
            _ => return None,
        };
        let Domain::Sites(region) = &binder.domain else { return None };
        let start = self.variable();
        let inner = scope.with(binder.variable, Meaning::Any(start));
        let Resolved::It(
            Condition::Compare(Comparison::AtLeast | Comparison::Greater, count, least),
            inner,
        ) = resolve(rules, &comparison.node, inner)?
        else {
            return None;
        };
        let (walk, inner) =
            self.is_constant(&least.node, &inner).then(|| self.counted(&count.node, &inner))??;
        let Resolved::It(Sites::Walk { from, directions, through }, inner) =
            resolve(rules, walk, inner)?
        else {
            return None;
        };
        let from_start = matches!(resolve(rules, &from.node, inner.clone())?, Resolved::Any(number) if number == start);
        let along = match resolve(rules, &directions.node, inner.clone())? {
            Resolved::It(Directions::One(one), inner) => {
                matches!(resolve(rules, &one.node, inner)?, Resolved::Any(number) if number == direction)
            }
            _ => false,
        };
        (from_start && along && self.sites((&through.node, &inner), (&region.node, &scope)))
            .then_some((&region.node, scope))
    }

    /// Returns the region that a number counts, perhaps plus constants.
    fn counted(&self, number: &'r Number, scope: &Scope<'r>) -> Option<Region<'r>> {
        match resolve(self.constants.rules, number, scope.clone())? {
            Resolved::It(Number::Count(sites), scope) => Some((&sites.node, scope)),
            Resolved::It(Number::Add(numbers), scope) => {
                let mut open =
                    numbers.iter().filter(|number| !self.is_constant(&number.node, &scope));
                let counted = self.counted(&open.next()?.node, &scope)?;
                open.next().is_none().then_some(counted)
            }
            _ => None,
        }
    }

    fn is_constant(&self, number: &'r Number, scope: &Scope<'r>) -> bool {
        matches!(
            resolve(self.constants.rules, number, scope.clone()),
            Some(Resolved::It(Number::Constant(_), _))
        )
    }

    /// Compares two connections with the ends of one exchanged.
    pub fn same_chain(&self, one: In<'_, 'r, Sites>, other: In<'_, 'r, Sites>) -> bool {
        let (Some(one), Some(other)) = (self.chain(one), self.chain(other)) else { return false };
        let ends = |one: &[Region<'r>], other: &[Region<'r>]| {
            self.any_order(one, other, |(one, a), (other, b)| self.sites((one, a), (other, b)))
        };
        let [first, last] = &one.ends;
        let [other_first, other_last] = &other.ends;
        self.sites((one.within.0, &one.within.1), (other.within.0, &other.within.1))
            && self.directions(
                (one.directions.0, &one.directions.1),
                (other.directions.0, &other.directions.1),
            )
            && ends(first, other_last)
            && ends(last, other_first)
    }

    /// Matches a connection: a group and what it intersects. Its directions must be closed under
    /// opposites.
    fn chain(&self, (sites, scope): In<'_, 'r, Sites>) -> Option<Chain<'r>> {
        let mut parts = Vec::new();
        self.conjuncts(sites, scope, &mut parts);
        let place = parts.iter().position(|(part, _)| matches!(part, Sites::Group { .. }))?;
        let (group, scope) = parts.remove(place);
        let Sites::Group { of, within, directions } = group else { return None };
        let ways = self.constants.directions(&directions.node, &scope)?;
        if !ways.iter().all(|way| ways.contains(&way.opposite())) {
            return None;
        }
        let within = (&within.node, scope.clone());
        let mut first = Vec::new();
        self.conjuncts(&of.node, &scope, &mut first);
        // Both ends lie within the region anyway.
        let still = self.under(&Identity);
        for end in [&mut first, &mut parts] {
            end.retain(|(part, scope)| !still.sites((part, scope), (within.0, &within.1)));
        }
        Some(Chain { ends: [first, parts], within, directions: (&directions.node, scope) })
    }

    /// Collects the operands of nested intersections.
    fn conjuncts(&self, sites: &'r Sites, scope: &Scope<'r>, found: &mut Vec<Region<'r>>) {
        match resolve(self.constants.rules, sites, scope.clone()) {
            Some(Resolved::It(Sites::And(parts), scope)) => parts
                .iter()
                .for_each(|part: &'r Spanned<Sites>| self.conjuncts(&part.node, &scope, found)),
            Some(Resolved::It(part, scope)) => found.push((part, scope)),
            _ => found.push((sites, scope.clone())),
        }
    }
}
