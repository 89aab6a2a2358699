//! What an expression evaluates to during compilation.
//!
//! Values are partially evaluated: code is specialized for each mover and direction, so that
//! players and directions are nearly always constants. Other values are in registers, or depend on
//! the site that is being *lifted* over and then stand for a value at every site at once.

use super::assembler::{Num, Set};
use super::directions::DirectionCase;
use crate::board::{Direction, Site};
use crate::language::rules::{Local, PieceId, PlayerId, Value};
use crate::language::visit::Expression;
use std::cell::OnceCell;
use std::rc::Rc;

/// A single site.
#[derive(Clone, Debug, PartialEq)]
pub enum SiteOperand {
    Nowhere,
    Fixed(Site),
    /// A register with its number, or -1 for nowhere.
    In(Num),
    /// The site at the end of a path from the lifted site.
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
    /// A register with its index, or -1 for none.
    In(Num),
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerOperand {
    Fixed(PlayerId),
    /// A register with his index.
    In(Num),
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq)]
pub enum PieceOperand {
    /// No kind.
    Nothing,
    Fixed(PieceId),
    /// A register with its index, or -1 for no kind.
    In(Num),
    /// The kind of the piece on a site that is not lifted.
    On(SiteOperand),
}

/// Which value of a memory is meant.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyOperand {
    Kind(PieceOperand),
    /// Known before play or in a register.
    Number(Amount),
}

/// A number: the amount divided by the scale. The scale is a power of 2, and 1 without halves.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub amount: Amount,
    pub scale: i64,
}

/// The amount of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    Fixed(i64),
    In(Num),
    /// A number for each site.
    Field(Field),
    /// A number for each site that is known before play, by site number.
    Known(Rc<[i64]>),
}

/// A number for each site: bit planes, the lowest bit first, plus an offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub bits: Vec<Set>,
    pub offset: i64,
    /// If known, the same in unary: the sites where the bits are at least 1, at least 2 and so on,
    /// up to their maximum.
    pub ladder: Vec<Set>,
}

impl Field {
    /// Makes a field of bit planes.
    pub fn new(bits: Vec<Set>) -> Field {
        Field { bits, offset: 0, ladder: Vec::new() }
    }
}

impl Quantity {
    /// Makes a whole number.
    pub fn whole(amount: Amount) -> Quantity {
        Quantity { amount, scale: 1 }
    }
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub enum Binding<'r> {
    Site(SiteOperand),
    Direction(DirectionOperand),
    Directions(Vec<DirectionCase>),
    Player(PlayerOperand),
    Piece(PieceOperand),
    Number(Quantity),
    Sites(Set),
    /// A register with 1 if it holds, else 0.
    Condition(Num),
    /// An expression to be compiled at each use, in the scope where it was written. The position
    /// does not change in between.
    Unevaluated(&'r Value, Scope<'r>),
    /// The value is in a register of its own, which statements change. It is read by
    /// [`super::Compiler::bound`].
    Changing(Box<Binding<'r>>),
}

/// The bound variables, the latest first.
#[derive(Clone, Debug, Default)]
pub struct Scope<'r>(Option<Rc<ScopeEntry<'r>>>);

/// A bound variable.
#[derive(Debug)]
pub struct ScopeEntry<'r> {
    variable: Local,
    pub binding: Binding<'r>,
    outer: Scope<'r>,
    /// The columns that the value depends on, once they have been asked for.
    pub columns: OnceCell<Vec<u32>>,
}

impl<'r> Scope<'r> {
    /// Returns the scope with one more variable.
    pub fn with(&self, variable: Local, binding: Binding<'r>) -> Scope<'r> {
        let (outer, columns) = (self.clone(), OnceCell::new());
        Scope(Some(Rc::new(ScopeEntry { variable, binding, outer, columns })))
    }

    /// Returns the value of a variable.
    pub fn get(&self, variable: Local) -> Option<Binding<'r>> {
        self.entry(variable).map(|entry| entry.binding.clone())
    }

    /// Returns the entry of a variable.
    pub fn entry(&self, variable: Local) -> Option<&ScopeEntry<'r>> {
        let mut scope = self;
        while let Some(entry) = scope.0.as_deref().filter(|entry| entry.variable != variable) {
            scope = &entry.outer;
        }
        scope.0.as_deref()
    }
}

/// Returns the address and the type of an expression: a part may begin where the whole does.
pub fn key(expression: Expression) -> (*const (), u8) {
    fn address<T>(it: &T) -> *const () {
        std::ptr::from_ref(it).cast()
    }
    match expression {
        Expression::Number(it) => (address(it), 0),
        Expression::Condition(it) => (address(it), 1),
        Expression::Sites(it) => (address(it), 2),
        Expression::Site(it) => (address(it), 3),
        Expression::Direction(it) => (address(it), 4),
        Expression::Directions(it) => (address(it), 5),
        Expression::Player(it) => (address(it), 6),
        Expression::Piece(it) => (address(it), 7),
    }
}
