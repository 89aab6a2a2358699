//! The values of expressions, and immutable variable environments.

use crate::board::{Board, Direction, Site};
use crate::language::rules::{Local, PieceId, PlayerId};
use std::sync::Arc;

/// Fixed-point unit: the representation of 1. Products of up to sixteen halves are exact.
pub const ONE: i128 = 1 << 16;

/// Saturates a number to the range of `i32`, in multiples of [`ONE`].
pub fn bounded(number: i128) -> i128 {
    number.clamp(i128::from(i32::MIN) * ONE, i128::from(i32::MAX) * ONE)
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number in multiples of [`ONE`].
    Number(i128),
    Condition(bool),
    Sites(Region),
    /// `None` is off the board.
    Site(Option<Site>),
    /// `None` if no step leads from one site to the other.
    Direction(Option<Direction>),
    Directions(Vec<Direction>),
    Player(PlayerId),
    /// `None` is no kind.
    Piece(Option<PieceId>),
}

/// A set of sites as one flag per site number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Region(Vec<bool>);

impl Region {
    /// Returns the empty region.
    pub fn none(board: &Board) -> Region {
        Region(vec![false; board.slots()])
    }

    /// Returns the sites of the board that pass the test.
    pub fn of(board: &Board, test: impl Fn(Site) -> bool) -> Region {
        let mut region = Region::none(board);
        for site in board.sites().filter(|&site| test(site)) {
            region.insert(site);
        }
        region
    }

    /// Returns the region of those listed sites that are on the board.
    pub fn listed(board: &Board, sites: &[Site]) -> Region {
        let mut region = Region::none(board);
        sites.iter().filter(|&&site| board.contains(site)).for_each(|&site| region.insert(site));
        region
    }

    /// Adds a site.
    pub fn insert(&mut self, site: Site) {
        self.0[site.index()] = true;
    }

    /// Tests if a site is in the region.
    pub fn contains(&self, site: Site) -> bool {
        self.0[site.index()]
    }

    /// Lists the sites in ascending order.
    pub fn list(&self) -> Vec<Site> {
        (0..self.0.len())
            .filter(|&number| self.0[number])
            .map(|number| Site(number as u16))
            .collect()
    }
}

/// The variables in scope: a persistent linked list, so that extending a scope keeps the old one
/// valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables(Option<Arc<Variable>>);

#[derive(Debug, PartialEq, Eq)]
struct Variable {
    name: Local,
    value: Value,
    others: Variables,
}

impl Variables {
    /// Adds a variable, which shadows an earlier one of the same name.
    pub fn with(&self, name: Local, value: Value) -> Variables {
        let others = self.clone();
        Variables(Some(Arc::new(Variable { name, value, others })))
    }

    /// Assigns a value to a bound variable; `None` if the variable is not bound.
    pub fn assigned(&self, name: Local, value: &Value) -> Option<Variables> {
        let variable = self.0.as_ref()?;
        if variable.name == name {
            return Some(variable.others.with(name, value.clone()));
        }
        let others = variable.others.assigned(name, value)?;
        Some(others.with(variable.name, variable.value.clone()))
    }

    /// Looks up a variable.
    ///
    /// # Panics
    /// If it is unbound, which the checker rules out.
    pub fn get(&self, name: Local) -> &Value {
        let variable =
            self.0.as_ref().unwrap_or_else(|| unreachable!("variable {} has no value", name.0));
        if variable.name == name { &variable.value } else { variable.others.get(name) }
    }

    /// Lists the variables that are not shadowed, innermost first.
    pub fn list(&self) -> Vec<(Local, &Value)> {
        let mut listed: Vec<(Local, &Value)> = Vec::new();
        let mut rest = self;
        while let Some(variable) = &rest.0 {
            if !listed.iter().any(|(name, _)| *name == variable.name) {
                listed.push((variable.name, &variable.value));
            }
            rest = &variable.others;
        }
        listed
    }
}
