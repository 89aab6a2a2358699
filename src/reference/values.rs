//! What expressions come to, and the variables that hold it.
//!
//! In: sites, numbers, directions. Out: values that can be copied and compared. It refuses to know
//! the rules.

use crate::board::{Board, Direction, Site};
use crate::language::rules::{Local, PieceId, PlayerId};
use std::sync::Arc;

/// What numbers are counted in: so many make one. Products of up to sixteen halves are exact in it.
pub const ONE: i128 = 1 << 16;

/// Brings a number within the bounds of what is worked out in play.
pub fn bounded(number: i128) -> i128 {
    number.clamp(i128::from(i32::MIN) * ONE, i128::from(i32::MAX) * ONE)
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Counted in parts of [`ONE`].
    Number(i128),
    Condition(bool),
    Sites(Region),
    /// None is nowhere.
    Site(Option<Site>),
    /// None where no step leads from the one site to the other.
    Direction(Option<Direction>),
    Directions(Vec<Direction>),
    Player(PlayerId),
    Piece(PieceId),
}

/// A set of sites: of each site number, whether it is in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Region(Vec<bool>);

impl Region {
    /// Makes the region without a site.
    pub fn none(board: &Board) -> Region {
        Region(vec![false; board.slots()])
    }

    /// Makes the region of the board's sites for which the test holds.
    pub fn of(board: &Board, test: impl Fn(Site) -> bool) -> Region {
        let mut region = Region::none(board);
        for site in board.sites().filter(|&site| test(site)) {
            region.insert(site);
        }
        region
    }

    /// Makes the region of these sites of the board.
    pub fn listed(board: &Board, sites: &[Site]) -> Region {
        let mut region = Region::none(board);
        sites.iter().filter(|&&site| board.contains(site)).for_each(|&site| region.insert(site));
        region
    }

    /// Adds a site of the board.
    pub fn insert(&mut self, site: Site) {
        self.0[site.index()] = true;
    }

    /// Tests if a site of the board is in it.
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

/// The variables that a clause sees, each with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables(Option<Arc<Variable>>);

#[derive(Debug, PartialEq, Eq)]
struct Variable {
    name: Local,
    value: Value,
    others: Variables,
}

impl Variables {
    /// Adds a variable. It hides one of the same name.
    pub fn with(&self, name: Local, value: Value) -> Variables {
        let others = self.clone();
        Variables(Some(Arc::new(Variable { name, value, others })))
    }

    /// Looks a variable up.
    ///
    /// # Panics
    /// If there is none of that name, which cannot be in rules that were checked.
    pub fn get(&self, name: Local) -> &Value {
        let variable =
            self.0.as_ref().unwrap_or_else(|| unreachable!("variable {} has no value", name.0));
        if variable.name == name { &variable.value } else { variable.others.get(name) }
    }

    /// Lists every variable that is not hidden, the latest first.
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
