//! The typed rules: names are resolved, types are known, and options have their values.
//!
//! The compiler lowers this tree, and the reference interpreter executes it directly. Every node
//! keeps its span, so that later stages can point at the clause.
//!
//! The tree is *pointwise*: expressions refer to one site, one direction, one player at a time,
//! bound to a [`Local`]. An absent site (a step over the edge of the board, the first piece on an
//! empty line) is *nowhere*: it is in no region, equals no site, makes an empty region, and an
//! effect on it does nothing.

mod drop_outs;
mod expressions;
mod going_on;
mod last_moves;
mod memory;
mod parts;
mod pie;
mod piles;
mod repetition;
mod statements;
mod teams;

pub use drop_outs::DropOuts;
pub use expressions::{
    Comparison, Condition, DirectionOf, Directions, KeyOf, Number, PieceOf, PlayerOf, Rotation,
    SiteOf, Sites, Whose,
};
pub use last_moves::LastMove;
pub use memory::{Keys, Memory, MemoryType};
pub use parts::{Composite, Expression, Label};
pub use pie::Pie;
pub use piles::Piles;
pub use repetition::{Comparing, Repetition, Throughout};
pub use statements::Statement;
pub use teams::{MAX_PLAYERS, Teams};

use super::claims::Claim;
use super::look::Look;
use super::notations::Notations;
use super::sources::Sources;
use crate::board::{Board, Direction};
use crate::syntax::Span;
use std::ops::Range;
use std::sync::Arc;

/// A node with its span.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    pub node: T,
    pub span: Span,
}

/// A node on the heap.
pub type SpannedBox<T> = Box<Spanned<T>>;

/// A game, ready to be compiled.
#[derive(Clone, Debug)]
pub struct Rules {
    pub title: String,
    pub about: About,
    /// The files of the game.
    pub files: Sources,
    /// The players in the order in which they move.
    pub players: Vec<Player>,
    pub teams: Teams,
    pub options: Vec<Choice>,
    pub board: Arc<Board>,
    pub pieces: Vec<Piece>,
    pub memories: Vec<Memory>,
    pub definitions: Vec<Definition>,
    pub moves: Vec<MoveRule>,
    /// Every variable of the game, in the order of declaration; indexed by [`Local`].
    pub locals: Vec<Named>,
    /// Executed once, on the empty board, before the first ply.
    pub setup: Vec<Spanned<Statement>>,
    /// The order of play.
    pub play: Vec<Spanned<Statement>>,
    /// Executed after every ply, from top to bottom, until a statement ends the game.
    pub end: Vec<Spanned<Statement>>,
    pub repetition: Option<Repetition>,
    /// How players drop out; `None` if none can.
    pub drop_outs: Option<DropOuts>,
    /// What the pie rule has added; `None` without it.
    pub pie: Option<Pie>,
    /// A region: the site of the piece that goes on, if one does. `None` without `go-on`.
    pub going_on: Option<MemoryId>,
    /// What the rules ask of the last ply.
    pub last_moves: Vec<LastMove>,
    /// `None` if a site holds one piece at most.
    pub piles: Option<Piles>,
    pub look: Look,
    pub notations: Notations,
    pub claims: Vec<Claim>,
}

impl Rules {
    /// Returns the text that all spans refer to. Values of options are not substituted in it.
    pub fn source(&self) -> &str {
        self.files.text()
    }

    /// Returns the first character of the text: what is blamed for a fault of the whole.
    pub fn opening(&self) -> Span {
        Span::new(0, self.source().len().min(1))
    }

    /// Lists the options with their chosen values.
    pub fn chosen_options(&self) -> Vec<(String, String)> {
        let pair = |option: &Choice| (option.name.clone(), option.value().to_owned());
        self.options.iter().map(pair).collect()
    }

    /// Tests if there is an option of this name.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }
}

/// Bibliographic data of the game.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub author: Option<String>,
    pub year: Option<String>,
    pub source: Option<String>,
    pub license: Option<String>,
    pub description: Option<String>,
}

impl About {
    /// Returns who made the game, when, and under which licence, as far as it is known.
    pub fn by(&self) -> String {
        let known = [&self.author, &self.year, &self.license].into_iter().flatten();
        known.map(String::as_str).collect::<Vec<_>>().join(", ")
    }
}

/// A declared name and the span of its declaration.
#[derive(Clone, Debug, Default)]
pub struct Named {
    pub name: String,
    pub span: Span,
}

/// A player.
#[derive(Clone, Debug)]
pub struct Player {
    pub name: String,
    pub span: Span,
    /// The direction in which he plays, if he has one.
    pub forward: Option<Direction>,
}

/// An option with the chosen value.
#[derive(Clone, Debug)]
pub struct Choice {
    pub name: String,
    pub span: Span,
    pub description: String,
    /// Every allowed value in its canonical spelling. Shared, because rules are cloned and a range
    /// may have thousands of values.
    pub values: Arc<[String]>,
    /// An index into `values`.
    pub default: usize,
    /// An index into `values`.
    pub chosen: usize,
}

impl Choice {
    /// Returns the chosen value.
    pub fn value(&self) -> &str {
        &self.values[self.chosen]
    }
}

/// A kind of piece. A site holds at most one piece, unless there are [`Piles`].
#[derive(Clone, Debug)]
pub struct Piece {
    pub name: String,
    pub span: Span,
    pub owned: bool,
    /// The symbols in diagrams: one for each player, or a single one if unowned.
    pub symbols: Vec<String>,
}

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u16);
        impl $name {
            /// Returns the index.
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    )*};
}
identifiers! {
    /// An index into [`Rules::players`].
    PlayerId,
    /// An index into [`Rules::pieces`].
    PieceId,
    /// An index into [`Rules::memories`].
    MemoryId,
    /// An index into [`Rules::definitions`].
    DefinitionId,
    /// An index into [`Rules::moves`].
    MoveId,
    /// An index into [`Rules::locals`].
    Local,
}

/// A named expression or list of statements, with parameters.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub span: Span,
    pub parameters: Vec<Local>,
    pub body: Value,
}

/// The value of a variable, an argument or a definition.
#[derive(Clone, Debug)]
pub enum Value {
    Number(Spanned<Number>),
    Condition(Spanned<Condition>),
    Sites(Spanned<Sites>),
    Site(Spanned<SiteOf>),
    Direction(Spanned<DirectionOf>),
    Directions(Spanned<Directions>),
    Player(Spanned<PlayerOf>),
    Piece(Spanned<PieceOf>),
    Statements(Vec<Spanned<Statement>>),
}

/// A move: what a player, or chance, can do as one ply.
#[derive(Clone, Debug)]
pub struct MoveRule {
    pub verb: String,
    pub span: Span,
    pub parameters: Vec<Parameter>,
    /// The roles of what is chosen in its [`Statement::Then`], if it has one. A move has no
    /// arguments for them where nothing is chosen there.
    pub further: Vec<ArgumentRole>,
    /// Executed from top to bottom. A [`Statement::Require`] tests the position at that point; if
    /// it fails, the whole move is illegal.
    pub body: Vec<Spanned<Statement>>,
}

impl MoveRule {
    /// Returns the parameter that chooses the piece to be moved, if it has one.
    pub fn moved(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.role == ParameterRole::From)
    }

    /// Returns the roles of all arguments that a move can have, those in a `then` last.
    pub fn roles(&self) -> impl Iterator<Item = ArgumentRole> {
        self.parameters.iter().map(Parameter::argument_role).chain(self.further.iter().copied())
    }

    /// Returns the role of the argument with this index; `None` if there are fewer.
    pub fn role(&self, index: usize) -> Option<ParameterRole> {
        self.roles().nth(index).map(|role| role.role)
    }

    /// Returns the ranges of arguments that are chosen together, in no order.
    pub fn unordered(&self) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (index, _) in self.roles().enumerate().filter(|(_, role)| role.alike) {
            match ranges.last_mut() {
                Some(range) if range.end == index => range.end += 1,
                _ => ranges.push(index.saturating_sub(1)..index + 1),
            }
        }
        ranges
    }
}

/// What the notation of a move says about an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArgumentRole {
    pub role: ParameterRole,
    /// Whether it is chosen together with the one before, in no order.
    pub alike: bool,
}

/// A choice of a move. Its domain may refer to earlier parameters.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub role: ParameterRole,
    pub variable: Local,
    pub span: Span,
    pub domain: Domain,
    /// Whether it is chosen together with the parameter before: another site of the same region,
    /// which comes after that one in the order of sites, so that every set is chosen once.
    pub alike: bool,
}

impl Parameter {
    /// Returns what the notation of a move says about its argument.
    pub fn argument_role(&self) -> ArgumentRole {
        ArgumentRole { role: self.role, alike: self.alike }
    }
}

/// The role of a parameter in the notation of the move: `To` directly after `From` is joined by
/// `-`, anything else by a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterRole {
    At,
    From,
    To,
    Towards,
    Number,
    Piece,
}

/// The domain of a variable, iterated in this order: sites ascending, directions as listed, players
/// in order of play, numbers ascending, groups by their lowest sites.
#[derive(Clone, Debug)]
pub enum Domain {
    Sites(Spanned<Sites>),
    Directions(Spanned<Directions>),
    Players(Span),
    /// The players of a player's team.
    Team(Box<Spanned<PlayerOf>>, Span),
    /// Kinds of piece, as listed.
    Pieces(Vec<PieceId>, Span),
    /// Whole numbers, both bounds included.
    Numbers {
        least: i32,
        most: i32,
        span: Span,
    },
    /// The groups of the region: its largest parts that are connected by steps in the directions or
    /// against them. Ordered by their lowest sites; the variable is a region.
    Groups {
        region: Spanned<Sites>,
        directions: Box<Spanned<Directions>>,
        span: Span,
    },
}

impl Domain {
    /// Returns its span.
    pub fn span(&self) -> Span {
        match self {
            Domain::Sites(sites) => sites.span,
            Domain::Directions(directions) => directions.span,
            Domain::Players(span)
            | Domain::Team(_, span)
            | Domain::Pieces(_, span)
            | Domain::Numbers { span, .. }
            | Domain::Groups { span, .. } => *span,
        }
    }
}

/// A variable with its domain.
#[derive(Clone, Debug)]
pub struct Binder {
    pub variable: Local,
    pub domain: Domain,
}
