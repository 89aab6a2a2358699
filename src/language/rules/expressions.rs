//! What clauses ask: numbers, conditions, sites, directions, kinds of piece, players.

use super::{Binder, DefinitionId, Local, MemoryId, PieceId, PlayerId, Spanned, SpannedBox, Value};
use crate::board::{Direction, Site};

/// A number. Constants may be halves; everything that is remembered or counted is whole. What is
/// worked out in play saturates at the bounds of `i32`.
#[derive(Clone, Debug)]
pub enum Number {
    /// In halves: `Constant(5)` is 2.5.
    Constant(i64),
    Local(Local),
    Memory {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        site: Option<SpannedBox<SiteOf>>,
    },
    Add(Vec<Spanned<Number>>),
    Subtract(SpannedBox<Number>, SpannedBox<Number>),
    Multiply(Vec<Spanned<Number>>),
    /// Rounded down; the divisor is a whole constant above zero.
    Divide(SpannedBox<Number>, i32),
    /// What a division rounded down leaves; the divisor is a whole constant above zero.
    Remainder(SpannedBox<Number>, i32),
    Least(Vec<Spanned<Number>>),
    Greatest(Vec<Spanned<Number>>),
    /// How many sites a region has.
    Count(Box<Spanned<Sites>>),
    /// For how many values of the variable the condition holds.
    CountWhere(Box<Binder>, SpannedBox<Condition>),
    /// The sum over all values of the variable.
    Sum(Box<Binder>, SpannedBox<Number>),
    ByPlayer(Box<Spanned<PlayerOf>>, Vec<Spanned<Number>>),
    Call(DefinitionId, Vec<Value>),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// Whether it holds of these two.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

/// Something that is so or is not.
#[derive(Clone, Debug)]
pub enum Condition {
    Constant(bool),
    And(Vec<Spanned<Condition>>),
    Or(Vec<Spanned<Condition>>),
    Not(SpannedBox<Condition>),
    /// Whether the region has a site.
    Any(SpannedBox<Sites>),
    /// Whether the region has no site.
    None(SpannedBox<Sites>),
    In(SpannedBox<SiteOf>, SpannedBox<Sites>),
    Exists(Box<Binder>, SpannedBox<Condition>),
    Every(Box<Binder>, SpannedBox<Condition>),
    Compare(Comparison, SpannedBox<Number>, SpannedBox<Number>),
    SamePlayer(SpannedBox<PlayerOf>, SpannedBox<PlayerOf>),
    /// Nowhere is the same as no site, itself included.
    SameSite(SpannedBox<SiteOf>, SpannedBox<SiteOf>),
    SameDirection(SpannedBox<DirectionOf>, SpannedBox<DirectionOf>),
    ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<Condition>>),
    Local(Local),
    Call(DefinitionId, Vec<Value>),
}

/// Whose pieces are meant.
#[derive(Clone, Debug)]
pub enum Whose {
    /// Every player's, and nobody's.
    Anyones,
    Players(Spanned<PlayerOf>),
    /// Those of every player but this one.
    Others(Spanned<PlayerOf>),
}

/// A region: a set of sites. A site that was cut out in play never bears a piece and is not empty,
/// but it is a site still: lines and steps meet it.
#[derive(Clone, Debug)]
pub enum Sites {
    /// Every site that is not cut out.
    Everywhere,
    Nowhere,
    /// The sites without a piece that are not cut out.
    Empty,
    /// The sites that were cut out in play.
    CutOut,
    /// The sites with a piece of one of these kinds (of any kind when the list is empty).
    Pieces {
        kinds: Vec<PieceId>,
        whose: Whose,
    },
    Memory {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        direction: Option<Spanned<DirectionOf>>,
    },
    /// Sites of the board, listed, or a row or a column of it; among them sites that were cut out
    /// in play.
    Literal(Vec<Site>),
    One(SpannedBox<SiteOf>),
    /// The sites one step from a site of the region, in any of the directions.
    Beside(SpannedBox<Sites>, Box<Spanned<Directions>>),
    /// The sites connected to some site of the first region, itself included, by steps in the given
    /// directions within the second region; nothing of the first that is not in the second.
    Group {
        of: SpannedBox<Sites>,
        within: SpannedBox<Sites>,
        directions: Box<Spanned<Directions>>,
    },
    /// The sites passed when walking from the first (not included) in each of the directions for as
    /// long as they are in the region.
    Walk {
        from: SpannedBox<SiteOf>,
        directions: Box<Spanned<Directions>>,
        through: SpannedBox<Sites>,
    },
    /// The sites strictly between the two, where one of the board's directions leads straight from
    /// the first to the second; else none.
    Between(SpannedBox<SiteOf>, SpannedBox<SiteOf>),
    /// The region where the condition holds, else no site.
    When(SpannedBox<Condition>, SpannedBox<Sites>),
    /// The sites that are in the region for some value of the variable.
    Union(Box<Binder>, SpannedBox<Sites>),
    And(Vec<Spanned<Sites>>),
    Or(Vec<Spanned<Sites>>),
    /// Every site of the board that is not in the region, among them those cut out in play.
    Not(SpannedBox<Sites>),
    /// The sites of the binder's region for which the condition holds.
    Where(Box<Binder>, SpannedBox<Condition>),
    ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<Sites>>),
    Local(Local),
    Call(DefinitionId, Vec<Value>),
}

/// A single site, or nowhere.
#[derive(Clone, Debug)]
pub enum SiteOf {
    Literal(Site),
    Local(Local),
    /// The next site in that direction. A site cut out in play is a site still.
    Step(SpannedBox<SiteOf>, Box<Spanned<DirectionOf>>),
    /// The first site in that direction, the start not included, that is in the region.
    First {
        from: SpannedBox<SiteOf>,
        direction: Box<Spanned<DirectionOf>>,
        stops: SpannedBox<Sites>,
    },
    Memory {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        site: Option<SpannedBox<SiteOf>>,
    },
    ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<SiteOf>>),
    Call(DefinitionId, Vec<Value>),
}

/// A single direction.
#[derive(Clone, Debug)]
pub enum DirectionOf {
    Fixed(Direction),
    Local(Local),
    /// The direction of the step from the first site to the second. Where none leads there it is no
    /// direction: it equals none, a step in it leads nowhere, what is remembered for it is empty,
    /// and to remember something for it does nothing.
    Between(SpannedBox<SiteOf>, SpannedBox<SiteOf>),
    Opposite(SpannedBox<DirectionOf>),
    ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<DirectionOf>>),
    Call(DefinitionId, Vec<Value>),
}

/// Some directions, in a definite order and without repetition.
#[derive(Clone, Debug)]
pub enum Directions {
    Fixed(Vec<Direction>),
    One(SpannedBox<DirectionOf>),
    /// The first of any that are alike; what is no direction is passed over.
    List(Vec<Spanned<DirectionOf>>),
    ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<Directions>>),
    Local(Local),
    Call(DefinitionId, Vec<Value>),
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub enum PieceOf {
    Fixed(PieceId),
    Local(Local),
}

/// A player.
#[derive(Clone, Debug)]
pub enum PlayerOf {
    Fixed(PlayerId),
    /// The player of the innermost `turn` around the clause or around the ply that led to it; the
    /// first player where there is none.
    Mover,
    /// The one after that player in the order of play; after the last comes the first.
    Next(SpannedBox<PlayerOf>),
    Local(Local),
    Memory {
        memory: MemoryId,
        player: Option<Box<Spanned<PlayerOf>>>,
    },
    ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<PlayerOf>>),
    Call(DefinitionId, Vec<Value>),
}
