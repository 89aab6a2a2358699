//! Typed expressions: nodes of the typed rules with their types, and conversions between types.

use super::claims::Circumstance;
use super::look::LookDetail;
use super::notations::Spelling;
use super::options::{OptionValue, Values};
use crate::board::{Drawing, Labels, Shape, Sort, Wraps};
use crate::language::claims::Assertion;
use crate::language::ludemes::Kind;
use crate::language::rules::*;
use crate::syntax::Span;

/// Creates a node.
pub(super) fn at<T>(it: T, span: Span) -> Spanned<T> {
    Spanned { node: it, span }
}

/// The number of a kind, which chooses the type of its values.
pub(super) struct OfKind<const KIND: usize>;

/// The type of the values of a kind.
pub(super) trait Payload {
    type Is;
}

/// The values of one kind.
pub(super) trait Content: Sized {
    const KIND: Kind;

    /// Returns the content, if the value is of this kind.
    fn of(typed: Typed) -> Option<Self>;
}

/// Builds an expression of a kind, as a variant that the types of all expressions have.
macro_rules! of_kind {
    ($kind:expr, $span:expr, $variant:ident $fields:tt) => {
        match $kind {
            Kind::Number => Some(Typed::Number(at(Number::$variant $fields, $span))),
            Kind::Condition => Some(Typed::Condition(at(Condition::$variant $fields, $span))),
            Kind::Sites => Some(Typed::Sites(at(Sites::$variant $fields, $span))),
            Kind::Site => Some(Typed::Site(at(SiteOf::$variant $fields, $span))),
            Kind::Direction => Some(Typed::Direction(at(DirectionOf::$variant $fields, $span))),
            Kind::Directions => Some(Typed::Directions(at(Directions::$variant $fields, $span))),
            Kind::Player => Some(Typed::Player(at(PlayerOf::$variant $fields, $span))),
            Kind::Piece => Some(Typed::Piece(at(PieceOf::$variant $fields, $span))),
            _ => None,
        }
    };
}
pub(super) use of_kind;

macro_rules! payloads {
    ($($(#[$doc:meta])* $kind:ident($type:ty),)*) => {
        /// A checked form or word of any kind. What is large is boxed, because forms nest deeply.
        #[derive(Clone, Debug)]
        pub(super) enum Typed { $($(#[$doc])* $kind($type),)* }

        impl Typed {
            /// Returns its type.
            pub(super) fn kind(&self) -> Kind {
                match self { $(Typed::$kind(_) => Kind::$kind,)* }
            }
        }

                $(impl Payload for OfKind<{ Kind::$kind as usize }> {
            type Is = $type;
        }

        impl Content for $type {
            const KIND: Kind = Kind::$kind;

            fn of(typed: Typed) -> Option<$type> {
                match typed { Typed::$kind(it) => Some(it), _ => None }
            }
        })*
    };
}

payloads! {
    Number(Spanned<Number>),
    Condition(Spanned<Condition>),
    Sites(Spanned<Sites>),
    Site(Spanned<SiteOf>),
    Direction(Spanned<DirectionOf>),
    Directions(Spanned<Directions>),
    Player(Spanned<PlayerOf>),
    /// A statement, as a list: a `case` on an option may result in none or several.
    Statement(Vec<Spanned<Statement>>),
    Domain(Domain),
    Shape(Box<Spanned<BoardShape>>),
    BoardDetail(Box<Spanned<BoardDetail>>),
    Values(Spanned<Values>),
    OptionValue(Spanned<OptionValue>),
    MemoryDetail(Spanned<MemoryDetail>),
    RepetitionDetail(Comparing),
    LookDetail(Box<LookDetail>),
    Spelling(Box<Spelling>),
    Circumstance(Spanned<Circumstance>),
    Assertion(Spanned<Assertion>),
    Parameter(Vec<Parameter>),
    Piece(Spanned<PieceOf>),
    Move(Spanned<MoveId>),
    Memory(Target),
    Text(Spanned<String>),
    /// Whether it is the top.
    Edge(bool),
    Wrapping(Wrapping),
    Border(Sort),
    Beneath(Span),
    Limit(Box<Spanned<Spanned<Number>>>),
    Name(Named),
    Variable(Local),
}

/// An axis that wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapping {
    Columns,
    Rows,
}

/// A detail of a board.
#[derive(Clone, Debug)]
pub(super) enum BoardDetail {
    ColumnsFrom(char),
    RowsFromTop(bool),
    Wrap(Wraps),
    /// Which borders of cells are sites.
    Borders(Vec<Sort>),
    /// Hexagons have directions across their corners.
    Diagonals,
    /// Squares have the directions of a knight's leap.
    Leaps,
    Without(Spanned<Sites>),
    /// How many pieces a site holds at most, and on which kinds others may lie: all if none is
    /// named.
    Piled(Spanned<Number>, Vec<PieceId>),
    /// Steps that the board has: their directions and, if not everywhere, the sites at both ends.
    Joined(Spanned<Directions>, Option<Spanned<Sites>>),
}

/// The shape of a board.
#[derive(Clone, Debug)]
pub(super) enum BoardShape {
    Grid(Shape),
    Drawn(Drawing),
    /// Lines of sites, by their labels.
    Lines(Vec<Vec<Spanned<String>>>),
    /// The columns and rows of layers, the lowest first.
    Layers(Vec<(usize, usize)>),
}

/// The description of a board before it is built.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub shape: Spanned<BoardShape>,
    pub labels: Labels,
    pub wraps: Wraps,
    /// The span of the `wrap` form.
    pub wrap: Option<Span>,
    /// The sorts of sites beside cells.
    pub borders: Option<Spanned<Vec<Sort>>>,
    /// The span of the word `diagonals`.
    pub diagonals: Option<Span>,
    /// The span of the word `leaps`.
    pub leaps: Option<Span>,
}

/// A detail of a memory.
#[derive(Clone, Debug)]
pub(super) enum MemoryDetail {
    PerPlayer,
    PerDirection(Vec<crate::board::Direction>),
    PerKey(Keys),
    /// With the maximum of a number, if given.
    PerSite(Option<i32>),
    Travelling,
}

/// What `set` and its like change.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Memory(Box<Access>),
    /// The variable of a `let`.
    Variable(Spanned<Local>, Kind),
}

/// An access to a memory, with the player, direction, kind or site.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub memory: MemoryId,
    pub holds: MemoryType,
    pub player: Option<Spanned<PlayerOf>>,
    pub direction: Option<Spanned<DirectionOf>>,
    pub key: Option<KeyOf>,
    pub site: Option<Spanned<SiteOf>>,
    pub span: Span,
}

impl Access {
    /// Builds the node that reads the memory.
    pub(super) fn read(self) -> Typed {
        let Access { memory, player: of, direction, key, span, .. } = self;
        let site = self.site.map(Box::new);
        let player = of.clone().map(Box::new);
        match self.holds {
            MemoryType::Number { .. } => {
                Typed::Number(at(Number::Memory { memory, player: of, site, key }, span))
            }
            MemoryType::Sites => {
                Typed::Sites(at(Sites::Memory { memory, player: of, direction }, span))
            }
            MemoryType::Site => Typed::Site(at(SiteOf::Memory { memory, player: of, site }, span)),
            MemoryType::Player => Typed::Player(at(PlayerOf::Memory { memory, player }, span)),
            MemoryType::Kind => Typed::Piece(at(PieceOf::Memory { memory, player, site }, span)),
            MemoryType::Direction => {
                Typed::Direction(at(DirectionOf::Memory { memory, player, site }, span))
            }
            MemoryType::Condition => {
                Typed::Condition(at(Condition::Memory { memory, player }, span))
            }
        }
    }
}

impl Typed {
    /// Converts it to a value of a variable, an argument or a definition.
    pub(super) fn value(self) -> Option<Value> {
        Some(match self {
            Typed::Number(it) => Value::Number(it),
            Typed::Condition(it) => Value::Condition(it),
            Typed::Sites(it) => Value::Sites(it),
            Typed::Site(it) => Value::Site(it),
            Typed::Direction(it) => Value::Direction(it),
            Typed::Directions(it) => Value::Directions(it),
            Typed::Player(it) => Value::Player(it),
            Typed::Piece(it) => Value::Piece(it),
            Typed::Statement(it) => Value::Statements(it),
            _ => return None,
        })
    }

    /// Coerces it to the wanted type: a site to a region, a direction to a list.
    pub(super) fn coerced(self, wanted: Kind) -> Option<Typed> {
        if self.kind() == wanted || wanted == Kind::Any {
            return Some(self);
        }
        Some(match (wanted, self) {
            (Kind::Sites, Typed::Site(site)) => {
                let span = site.span;
                Typed::Sites(at(Sites::One(Box::new(site)), span))
            }
            (Kind::Directions, Typed::Direction(direction)) => {
                let span = direction.span;
                let directions = match direction.node {
                    DirectionOf::Fixed(fixed) => Directions::Fixed(vec![fixed]),
                    _ => Directions::One(Box::new(direction)),
                };
                Typed::Directions(at(directions, span))
            }
            (Kind::Domain, Typed::Sites(sites)) => Typed::Domain(Domain::Sites(sites)),
            (Kind::Domain, Typed::Directions(list)) => Typed::Domain(Domain::Directions(list)),
            (Kind::Domain, site @ Typed::Site(_)) => {
                site.coerced(Kind::Sites)?.coerced(Kind::Domain)?
            }
            (Kind::Domain, one @ Typed::Direction(_)) => {
                one.coerced(Kind::Directions)?.coerced(Kind::Domain)?
            }
            _ => return None,
        })
    }
}

/// Tests if a value of type `found` is accepted where `wanted` is expected.
pub(in crate::language) fn accepts(wanted: Kind, found: Kind) -> bool {
    wanted == found
        || matches!(
            (wanted, found),
            (Kind::Any, _)
                | (_, Kind::Any)
                | (Kind::Sites, Kind::Site)
                | (Kind::Directions, Kind::Direction)
                | (Kind::Domain, Kind::Sites | Kind::Site | Kind::Directions | Kind::Direction)
        )
}

/// Returns the type of a value.
pub(super) fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Number(_) => Kind::Number,
        Value::Condition(_) => Kind::Condition,
        Value::Sites(_) => Kind::Sites,
        Value::Site(_) => Kind::Site,
        Value::Direction(_) => Kind::Direction,
        Value::Directions(_) => Kind::Directions,
        Value::Player(_) => Kind::Player,
        Value::Piece(_) => Kind::Piece,
        Value::Statements(_) => Kind::Statement,
    }
}
