//! What expressions become while they are compiled.
//!
//! A value is as static as can be: a player is nearly always a plain index, a direction too,
//! because code is made anew for each mover and each direction. What remains lives in registers, or
//! depends on the site that is being *lifted* over: then it stands for a value at every site of the
//! board at once.

use super::assembler::{Num, Set};
use crate::board::{Direction, Site};
use crate::language::rules::{Local, PieceId, PlayerId, Value};
use std::rc::Rc;

/// A single site.
#[derive(Clone, Debug, PartialEq)]
pub enum SiteOperand {
    Nowhere,
    Fixed(Site),
    /// Its number, or -1 for nowhere.
    In(Num),
    /// The site that is lifted over, and from there the steps to take.
    Lifted {
        lift: u32,
        path: Vec<Direction>,
    },
}

/// A single direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DirectionOperand {
    Nowhere,
    Fixed(Direction),
    /// Its index, or -1 for none.
    In(Num),
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerOperand {
    Fixed(PlayerId),
    /// His index.
    In(Num),
}

/// A number: what it holds, divided by the scale. The scale is 2 where halves are about, else 1,
/// and a power of 2 always.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub amount: Amount,
    pub scale: i64,
}

/// Where a quantity is held.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    Fixed(i64),
    In(Num),
    /// A number at each site.
    Field(Field),
}

/// A number at each site of the board: the sets spell it in binary, lowest bit first, and the
/// offset is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub bits: Vec<Set>,
    pub offset: i64,
    /// Where these are known: the sites where the bits spell at least 1, at least 2 and so on, up
    /// to the most that they spell.
    pub ladder: Vec<Set>,
}

impl Field {
    /// The number that the sets spell.
    pub fn new(bits: Vec<Set>) -> Field {
        Field { bits, offset: 0, ladder: Vec::new() }
    }
}

impl Quantity {
    /// A whole number.
    pub fn whole(amount: Amount) -> Quantity {
        Quantity { amount, scale: 1 }
    }
}

/// What a variable is bound to.
#[derive(Clone, Debug)]
pub enum Binding<'r> {
    Site(SiteOperand),
    Direction(DirectionOperand),
    Directions(Vec<Direction>),
    Player(PlayerOperand),
    Piece(PieceId),
    Number(Quantity),
    Sites(Set),
    /// 1 where it holds, else 0.
    Condition(Num),
    /// An expression to be looked at in the scope where it was written. Nothing is done to the
    /// position in between.
    Unevaluated(&'r Value, Scope<'r>),
}

/// The variables that are bound, the latest first.
#[derive(Clone, Debug, Default)]
pub struct Scope<'r>(Option<Rc<ScopeEntry<'r>>>);

#[derive(Debug)]
struct ScopeEntry<'r> {
    variable: Local,
    binding: Binding<'r>,
    outer: Scope<'r>,
}

impl<'r> Scope<'r> {
    /// The scope with one variable more.
    pub fn with(&self, variable: Local, binding: Binding<'r>) -> Scope<'r> {
        Scope(Some(Rc::new(ScopeEntry { variable, binding, outer: self.clone() })))
    }

    /// What the variable is bound to.
    pub fn get(&self, variable: Local) -> Option<Binding<'r>> {
        let mut scope = self;
        while let Some(binding) = &scope.0 {
            if binding.variable == variable {
                return Some(binding.binding.clone());
            }
            scope = &binding.outer;
        }
        None
    }
}
