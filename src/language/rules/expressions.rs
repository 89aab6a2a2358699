//! What clauses ask: numbers, conditions, sites, directions, kinds of piece, players.

use super::{At, Binder, DefinitionId, Local, MemoryId, Node, PieceId, PlayerId, Value};
use crate::board::{Direction, Site};

/// A number. Constants may be halves; everything that is remembered or counted is whole. What is worked out in play saturates at the bounds of `i32`.
#[derive(Clone, Debug)]
pub enum Number {
    /// In halves: `Constant(5)` is 2.5.
    Constant(i64),
    Local(Local),
    Memory {
        memory: MemoryId,
        player: Option<At<PlayerOf>>,
        site: Option<Node<SiteOf>>,
    },
    Add(Vec<At<Number>>),
    Subtract(Node<Number>, Node<Number>),
    Multiply(Vec<At<Number>>),
    /// Rounded down; the divisor is a whole constant above zero.
    Divide(Node<Number>, i32),
    /// What a division rounded down leaves; the divisor is a whole constant above zero.
    Remainder(Node<Number>, i32),
    Least(Vec<At<Number>>),
    Greatest(Vec<At<Number>>),
    /// How many sites a region has.
    Count(Box<At<Sites>>),
    /// For how many values of the variable the condition holds.
    CountWhere(Box<Binder>, Node<Condition>),
    /// The sum over all values of the variable.
    Sum(Box<Binder>, Node<Number>),
    ByPlayer(Box<At<PlayerOf>>, Vec<At<Number>>),
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
    And(Vec<At<Condition>>),
    Or(Vec<At<Condition>>),
    Not(Node<Condition>),
    /// Whether the region has a site.
    Any(Node<Sites>),
    /// Whether the region has no site.
    None(Node<Sites>),
    In(Node<SiteOf>, Node<Sites>),
    Exists(Box<Binder>, Node<Condition>),
    Every(Box<Binder>, Node<Condition>),
    Compare(Comparison, Node<Number>, Node<Number>),
    SamePlayer(Node<PlayerOf>, Node<PlayerOf>),
    /// Nowhere is the same as no site, itself included.
    SameSite(Node<SiteOf>, Node<SiteOf>),
    SameDirection(Node<DirectionOf>, Node<DirectionOf>),
    ByPlayer(Node<PlayerOf>, Vec<At<Condition>>),
    Local(Local),
    Call(DefinitionId, Vec<Value>),
}

/// Whose pieces are meant.
#[derive(Clone, Debug)]
pub enum Whose {
    /// Every player's, and nobody's.
    Anyones,
    Players(At<PlayerOf>),
    /// Those of every player but this one.
    Others(At<PlayerOf>),
}

/// A region: a set of sites. A site that was cut out in play never bears a piece and is not empty, but it is a site still: lines and steps meet it.
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
        player: Option<At<PlayerOf>>,
        direction: Option<At<DirectionOf>>,
    },
    /// Sites of the board, listed, or a row or a column of it; among them sites that were cut out in play.
    Literal(Vec<Site>),
    One(Node<SiteOf>),
    /// The sites one step from a site of the region, in any of the directions.
    Beside(Node<Sites>, Box<At<Directions>>),
    /// The sites connected to some site of the first region, itself included, by steps in the given directions within the second region; nothing of the first
    /// that is not in the second.
    Group {
        of: Node<Sites>,
        within: Node<Sites>,
        directions: Box<At<Directions>>,
    },
    /// The sites passed when walking from the first (not included) in each of the directions for as long as they are in the region.
    Walk {
        from: Node<SiteOf>,
        directions: Box<At<Directions>>,
        through: Node<Sites>,
    },
    /// The sites strictly between the two, where one of the board's directions leads straight from the first to the second; else none.
    Between(Node<SiteOf>, Node<SiteOf>),
    /// The region where the condition holds, else no site.
    When(Node<Condition>, Node<Sites>),
    /// The sites that are in the region for some value of the variable.
    Union(Box<Binder>, Node<Sites>),
    And(Vec<At<Sites>>),
    Or(Vec<At<Sites>>),
    /// Every site of the board that is not in the region, among them those cut out in play.
    Not(Node<Sites>),
    /// The sites of the binder's region for which the condition holds.
    Where(Box<Binder>, Node<Condition>),
    ByPlayer(Node<PlayerOf>, Vec<At<Sites>>),
    Local(Local),
    Call(DefinitionId, Vec<Value>),
}

/// A single site, or nowhere.
#[derive(Clone, Debug)]
pub enum SiteOf {
    Literal(Site),
    Local(Local),
    /// The next site in that direction. A site cut out in play is a site still.
    Step(Node<SiteOf>, Box<At<DirectionOf>>),
    /// The first site in that direction, the start not included, that is in the region.
    First {
        from: Node<SiteOf>,
        direction: Box<At<DirectionOf>>,
        stops: Node<Sites>,
    },
    Memory {
        memory: MemoryId,
        player: Option<At<PlayerOf>>,
        site: Option<Node<SiteOf>>,
    },
    ByPlayer(Node<PlayerOf>, Vec<At<SiteOf>>),
    Call(DefinitionId, Vec<Value>),
}

/// A single direction.
#[derive(Clone, Debug)]
pub enum DirectionOf {
    Fixed(Direction),
    Local(Local),
    /// The direction of the step from the first site to the second. Where none leads there it is no direction: it equals none, a step in it leads nowhere,
    /// what is remembered for it is empty, and to remember something for it does nothing.
    Between(Node<SiteOf>, Node<SiteOf>),
    Opposite(Node<DirectionOf>),
    ByPlayer(Node<PlayerOf>, Vec<At<DirectionOf>>),
    Call(DefinitionId, Vec<Value>),
}

/// Some directions, in a definite order and without repetition.
#[derive(Clone, Debug)]
pub enum Directions {
    Fixed(Vec<Direction>),
    One(Node<DirectionOf>),
    /// The first of any that are alike; what is no direction is passed over.
    List(Vec<At<DirectionOf>>),
    ByPlayer(Node<PlayerOf>, Vec<At<Directions>>),
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
    /// The player of the innermost `turn` around the clause or around the ply that led to it; the first player where there is none.
    Mover,
    /// The one after that player in the order of play; after the last comes the first.
    Next(Node<PlayerOf>),
    Local(Local),
    Memory {
        memory: MemoryId,
        player: Option<Box<At<PlayerOf>>>,
    },
    ByPlayer(Node<PlayerOf>, Vec<At<PlayerOf>>),
    Call(DefinitionId, Vec<Value>),
}
