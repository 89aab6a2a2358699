//! Typed expressions: numbers, conditions, sites, directions, kinds of piece, players.

use super::parts::{Composite, Parts, each_field, pattern, typed};
use super::{
    Binder, DefinitionId, Local, MemoryId, MoveId, PieceId, PlayerId, Spanned, SpannedBox,
    Statement, Value,
};
use crate::board::{Direction, Site};
use crate::syntax::Span;

typed! {
    /// A number. Constants may be halves; memories and counts are whole. Arithmetic during play
    /// saturates at the bounds of `i32`.
    pub enum Number {
        /// In halves: `Constant(5)` is 2.5.
        Constant(i64),
        Local(Local),
        Memory {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            site: Option<SpannedBox<SiteOf>>,
            /// A kind or number that the memory has no value for yields 0.
            key: Option<KeyOf>,
        },
        Add(Vec<Spanned<Number>>),
        Subtract(SpannedBox<Number>, SpannedBox<Number>),
        Multiply(Vec<Spanned<Number>>),
        /// Rounded down; the divisor is a whole positive constant.
        Divide(SpannedBox<Number>, i32),
        /// The remainder of the division rounded down; the divisor is a whole positive constant.
        Remainder(SpannedBox<Number>, i32),
        Least(Vec<Spanned<Number>>),
        Greatest(Vec<Spanned<Number>>),
        /// The number of sites in a region.
        Count(Box<Spanned<Sites>>),
        /// The number of values of the variable for which the condition holds.
        CountWhere(Box<Binder>, SpannedBox<Condition>),
        /// The sum over all values of the variable.
        Sum(Box<Binder>, SpannedBox<Number>),
        /// The smallest number over all values of the variable; 0 if there are none.
        LeastOver(Box<Binder>, SpannedBox<Number>),
        /// The greatest number over all values of the variable; 0 if there are none.
        GreatestOver(Box<Binder>, SpannedBox<Number>),
        /// The number of the site's row, as its label has it; 0 if it is nowhere.
        RowOf(SpannedBox<SiteOf>),
        /// The number of the site's column, counted from 1 at the first letter; 0 if it is nowhere.
        ColumnOf(SpannedBox<SiteOf>),
        /// The least number of steps in these directions, which are distinct, from the first site
        /// to the second; [`Board::FAR`] if there is no way or one of them is nowhere.
        ///
        /// [`Board::FAR`]: crate::board::Board::FAR
        Distance {
            from: SpannedBox<SiteOf>,
            to: SpannedBox<SiteOf>,
            directions: Vec<Direction>,
        },
        ByPlayer(Box<Spanned<PlayerOf>>, Vec<Spanned<Number>>),
        /// The first number if the condition holds, else the second.
        If(SpannedBox<Condition>, SpannedBox<Number>, SpannedBox<Number>),
        Call(DefinitionId, Vec<Value>),
    }
}

/// How many steps clockwise among the board's directions a direction is turned ([`Board::turned`]):
/// from 1 to one less than their number.
///
/// [`Board::turned`]: crate::board::Board::turned
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation(pub u8);

/// A comparison of two numbers.
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
    /// Evaluates the comparison.
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

typed! {
    /// A condition.
    pub enum Condition {
        Constant(bool),
        And(Vec<Spanned<Condition>>),
        Or(Vec<Spanned<Condition>>),
        Not(SpannedBox<Condition>),
        /// The region is not empty.
        Any(SpannedBox<Sites>),
        /// The region is empty.
        None(SpannedBox<Sites>),
        In(SpannedBox<SiteOf>, SpannedBox<Sites>),
        Exists(Box<Binder>, SpannedBox<Condition>),
        Every(Box<Binder>, SpannedBox<Condition>),
        Compare(Comparison, SpannedBox<Number>, SpannedBox<Number>),
        SamePlayer(SpannedBox<PlayerOf>, SpannedBox<PlayerOf>),
        /// Nowhere equals no site, not even nowhere.
        SameSite(SpannedBox<SiteOf>, SpannedBox<SiteOf>),
        SameDirection(SpannedBox<DirectionOf>, SpannedBox<DirectionOf>),
        /// No kind equals no kind, not even no kind.
        SameKind(SpannedBox<PieceOf>, SpannedBox<PieceOf>),
        /// The region has at most one group ([`Domain::Groups`](super::Domain::Groups)).
        Connected(SpannedBox<Sites>, Box<Spanned<Directions>>),
        /// The player has a legal move by one of these rules, as a [`Statement::Choose`] in his
        /// turn would offer it. No rule asks for itself, not even through the rules that it asks
        /// for.
        ///
        /// [`Statement::Choose`]: super::Statement::Choose
        Can(SpannedBox<PlayerOf>, Vec<MoveId>),
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<Condition>>),
        Local(Local),
        Memory {
            memory: MemoryId,
            player: Option<Box<Spanned<PlayerOf>>>,
        },
        Call(DefinitionId, Vec<Value>),
    }

    /// Which value of a memory that has one for each kind of piece, or for each number.
    pub enum KeyOf {
        Kind(Spanned<PieceOf>),
        Number(SpannedBox<Number>),
    }
}

impl KeyOf {
    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            KeyOf::Kind(kind) => kind.span,
            KeyOf::Number(number) => number.span,
        }
    }
}

/// Whose pieces.
#[derive(Clone, Debug)]
pub enum Whose {
    /// Pieces of any owner, and unowned ones.
    Anyones,
    Players(Spanned<PlayerOf>),
    /// Pieces of every player but this one.
    Others(Spanned<PlayerOf>),
}

typed! {
    /// A region: a set of sites. A site that was cut out never has a piece and is not empty, but
    /// lines and steps still reach it.
    pub enum Sites {
        /// Every site that is not cut out.
        Everywhere,
        Nowhere,
        /// The sites without a piece that are not cut out.
        Empty,
        /// The sites that were cut out during play.
        CutOut,
        /// The sites with a piece of one of these kinds; of any kind if the list is empty.
        Pieces {
            kinds: Vec<Spanned<PieceOf>>,
            whose: Whose,
        },
        Memory {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            direction: Option<Spanned<DirectionOf>>,
        },
        /// Sites listed, or a row or a column, including those cut out during play.
        Literal(Vec<Site>),
        One(SpannedBox<SiteOf>),
        /// The sites one step from a site of the region, in any of the directions.
        Beside(SpannedBox<Sites>, Box<Spanned<Directions>>),
        /// The sites of `within` that are connected, by steps inside `within`, with a site of `of`
        /// in `within`, that site included.
        Group {
            of: SpannedBox<Sites>,
            within: SpannedBox<Sites>,
            directions: Box<Spanned<Directions>>,
        },
        /// The sites of `region` in straight lines of at least `number` of its sites, along the
        /// axes of the directions: a line is the same in both directions. On a board that wraps a
        /// line can be a ring.
        Lines {
            number: usize,
            region: SpannedBox<Sites>,
            directions: Box<Spanned<Directions>>,
        },
        /// The sites passed from `from` (excluded) in each of the directions, as long as they are
        /// in `through`.
        Walk {
            from: SpannedBox<SiteOf>,
            directions: Box<Spanned<Directions>>,
            through: SpannedBox<Sites>,
        },
        /// The sites passed from `from` (excluded) in each of the directions while they are empty,
        /// and the first one behind them if it has a piece.
        Slide {
            from: SpannedBox<SiteOf>,
            directions: Box<Spanned<Directions>>,
        },
        /// The sites strictly between the two, if a straight line in one of the board's directions
        /// joins them; else none.
        Between(SpannedBox<SiteOf>, SpannedBox<SiteOf>),
        /// The region if the condition holds, else no site.
        When(SpannedBox<Condition>, SpannedBox<Sites>),
        /// The sites that are in the region for some value of the variable.
        Union(Box<Binder>, SpannedBox<Sites>),
        /// The smallest region that contains the binder's region and, with each of its sites, the
        /// region for this value of the variable.
        Reach(Box<Binder>, SpannedBox<Sites>),
        And(Vec<Spanned<Sites>>),
        Or(Vec<Spanned<Sites>>),
        /// The sites of the board that are not in the region, including those cut out during play.
        Not(SpannedBox<Sites>),
        /// The sites of the binder's region for which the condition holds.
        Where(Box<Binder>, SpannedBox<Condition>),
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<Sites>>),
        Local(Local),
        Call(DefinitionId, Vec<Value>),
    }

    /// A single site, or nowhere.
    pub enum SiteOf {
        Literal(Site),
        /// No site.
        Nowhere,
        Local(Local),
        /// The site that many steps in that direction, at least one, even if it was cut out.
        Step(SpannedBox<SiteOf>, Box<Spanned<DirectionOf>>, u8),
        /// The site that many steps in that direction, or in the opposite one if the number is
        /// negative; without steps, the site itself, if there is the direction.
        StepBy(SpannedBox<SiteOf>, Box<Spanned<DirectionOf>>, SpannedBox<Number>),
        /// The first site in that direction, the start excluded, that is in `stops`.
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
        /// The site of a region of one site, else nowhere.
        Only(SpannedBox<Sites>),
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<SiteOf>>),
        /// The first site if the condition holds, else the second.
        If(SpannedBox<Condition>, SpannedBox<SiteOf>, SpannedBox<SiteOf>),
        Call(DefinitionId, Vec<Value>),
    }

    /// A single direction.
    pub enum DirectionOf {
        Fixed(Direction),
        Local(Local),
        /// The direction of the step from the first site to the second. If there is none, it equals
        /// no direction, a step in it leads nowhere, a memory for it is empty, and setting that
        /// memory has no effect.
        Between(SpannedBox<SiteOf>, SpannedBox<SiteOf>),
        /// The direction so far clockwise from another one.
        Turned(SpannedBox<DirectionOf>, Rotation),
        Memory {
            memory: MemoryId,
            player: Option<Box<Spanned<PlayerOf>>>,
            site: Option<SpannedBox<SiteOf>>,
        },
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<DirectionOf>>),
        /// The first direction if the condition holds, else the second.
        If(SpannedBox<Condition>, SpannedBox<DirectionOf>, SpannedBox<DirectionOf>),
        Call(DefinitionId, Vec<Value>),
    }

    /// Directions, ordered and distinct.
    pub enum Directions {
        Fixed(Vec<Direction>),
        One(SpannedBox<DirectionOf>),
        /// Duplicates after the first and undefined directions are skipped.
        List(Vec<Spanned<DirectionOf>>),
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<Directions>>),
        /// Half a step in each of the directions, see [`Direction::half`].
        Half(SpannedBox<Directions>),
        Local(Local),
        Call(DefinitionId, Vec<Value>),
    }

    /// A kind of piece, or no kind.
    pub enum PieceOf {
        Fixed(PieceId),
        Local(Local),
        /// The kind of the piece on the site; no kind where there is no piece.
        At(SpannedBox<SiteOf>),
        Memory {
            memory: MemoryId,
            player: Option<Box<Spanned<PlayerOf>>>,
            site: Option<SpannedBox<SiteOf>>,
        },
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<PieceOf>>),
        /// The first kind if the condition holds, else the second.
        If(SpannedBox<Condition>, SpannedBox<PieceOf>, SpannedBox<PieceOf>),
        Call(DefinitionId, Vec<Value>),
    }
}

impl PieceOf {
    /// Returns the kind if it is a constant.
    pub fn fixed(&self) -> Option<PieceId> {
        if let PieceOf::Fixed(kind) = self { Some(*kind) } else { None }
    }
}

typed! {
    /// A player.
    pub enum PlayerOf {
        Fixed(PlayerId),
        /// The player of the innermost `turn` around the clause, or around the ply that led to it;
        /// without one, the first player.
        Mover,
        /// The next player in the order of play; after the last, the first.
        Next(SpannedBox<PlayerOf>),
        Local(Local),
        Memory {
            memory: MemoryId,
            player: Option<Box<Spanned<PlayerOf>>>,
        },
        ByPlayer(SpannedBox<PlayerOf>, Vec<Spanned<PlayerOf>>),
        /// The first player if the condition holds, else the second.
        If(SpannedBox<Condition>, SpannedBox<PlayerOf>, SpannedBox<PlayerOf>),
        Call(DefinitionId, Vec<Value>),
    }
}
