//! The typed game: what a rules file says once every name is resolved, every type is known and the
//! options have their values.
//!
//! In: nothing but the checker's word. Out: a tree that the compiler lowers and that the account
//! obeys word by word. Every node keeps the span of the text that it came from, so that whatever is
//! decided later can point at the clause that decided it. It refuses to know how any of it is
//! executed.
//!
//! The tree is *pointwise*: expressions speak of one site, one direction, one player at a time,
//! bound to a [`Local`]. A site that is not there (a step over the board's edge, the first stone on
//! an empty line) is *nowhere*: it is in no region, a region made of it alone is empty, it equals
//! no site, and an effect upon it does nothing.

mod expressions;

pub use expressions::{
    Comparison, Condition, DirectionOf, Directions, Number, PieceOf, PlayerOf, SiteOf, Sites, Whose,
};

use super::claims::Claim;
use super::look::Look;
use super::sources::Sources;
use crate::board::{Board, Direction};
use crate::syntax::Span;
use std::sync::Arc;

/// A node of the tree with the text it came from.
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
    /// The files that it was put together from.
    pub files: Sources,
    /// The players in the order in which they move.
    pub players: Vec<Named>,
    pub options: Vec<Choice>,
    pub board: Arc<Board>,
    pub pieces: Vec<Piece>,
    pub memories: Vec<Memory>,
    pub definitions: Vec<Definition>,
    pub moves: Vec<MoveRule>,
    /// Every variable of the file, in the order of its declarations; a [`Local`] is an index into
    /// it.
    pub locals: Vec<Named>,
    /// Done once, to the empty board, before the first ply.
    pub setup: Vec<Spanned<Statement>>,
    /// The order of play.
    pub play: Vec<Spanned<Statement>>,
    /// Looked at after every ply, from top to bottom, until one ends the game.
    pub end: Vec<Spanned<Statement>>,
    pub repetition: Option<Repetition>,
    pub look: Look,
    pub claims: Vec<Claim>,
}

impl Rules {
    /// The text that every span points into, options' values notwithstanding.
    pub fn source(&self) -> &str {
        self.files.text()
    }
}

/// What the file says about the game for people to read.
#[derive(Clone, Debug, Default)]
pub struct About {
    pub author: Option<String>,
    pub year: Option<String>,
    pub source: Option<String>,
    pub description: Option<String>,
}

/// A declared name and where it was declared.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: String,
    pub span: Span,
}

/// An option with the value that this game was loaded with.
#[derive(Clone, Debug)]
pub struct Choice {
    pub name: String,
    pub span: Span,
    pub description: String,
    /// Every allowed value in its canonical spelling. Shared, for rules are cloned and a range may
    /// have thousands.
    pub values: Arc<[String]>,
    /// Index into `values`.
    pub default: usize,
    /// Index into `values`.
    pub chosen: usize,
}

/// A kind of piece. At most one piece stands on a site.
#[derive(Clone, Debug)]
pub struct Piece {
    pub name: String,
    pub span: Span,
    pub owned: bool,
    /// How diagrams show it: one symbol for each player, or a single one when nobody owns it.
    pub symbols: Vec<String>,
}

macro_rules! identifiers {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u16);
        impl $name {
            /// The index that it stands for.
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

/// Something that the rules remember from ply to ply. It is part of the position.
#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    pub span: Span,
    pub holds: MemoryType,
    /// Whether each player has one of his own.
    pub per_player: bool,
    /// For a set of sites: the directions for each of which there is one; empty when there is just
    /// one.
    pub per_direction: Vec<Direction>,
    /// For a number or a site: whether each site of the board has one of its own.
    pub per_site: bool,
    /// Whether what is remembered of a site goes along when a piece is relocated from it, and is
    /// forgotten when the piece leaves the board.
    pub travels: bool,
    /// Whether it is a player's hand: shown with the board, never below zero.
    pub hand: bool,
    /// The whole number that a number starts with, for each player alike; a player's index for
    /// [`MemoryType::Player`]; else 0.
    pub initial: i32,
}

impl Memory {
    /// Makes one that there is once, and that starts with nothing.
    pub fn new(name: String, span: Span, holds: MemoryType) -> Memory {
        let (per_direction, initial) = (Vec::new(), 0);
        Memory {
            name,
            span,
            holds,
            per_player: false,
            per_direction,
            per_site: false,
            travels: false,
            hand: false,
            initial,
        }
    }
}

/// What a memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryType {
    /// A whole number, saturating at the bounds of `i32`; when `per_site`, from 0 to `most`,
    /// clamped.
    Number { most: i32 },
    /// A set of sites, empty at first.
    Sites,
    /// A site, or nowhere, as at first.
    Site,
    /// A player.
    Player,
}

/// A named notion: an expression or a list of statements, with parameters.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub span: Span,
    pub parameters: Vec<Local>,
    pub body: Value,
}

/// What a variable, an argument or a definition stands for.
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

/// Something that a player (or chance) can do as one ply.
#[derive(Clone, Debug)]
pub struct MoveRule {
    pub verb: String,
    pub span: Span,
    pub parameters: Vec<Parameter>,
    /// Obeyed from top to bottom; a [`Statement::Require`] speaks of the position as it is when its
    /// turn comes, and where it fails the whole move is illegal.
    pub body: Vec<Spanned<Statement>>,
}

/// One thing to choose when making a move. Its domain may speak of the parameters before it.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub role: ParameterRole,
    pub variable: Local,
    pub span: Span,
    pub domain: Domain,
}

/// What a parameter is in the spelling of the move: `To` right after `From` is joined to it by `-`,
/// all else by a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterRole {
    At,
    From,
    To,
    Towards,
    Number,
    Piece,
}

/// What a variable ranges over, in this order: sites ascending, directions as listed, players in
/// order of play, numbers ascending.
#[derive(Clone, Debug)]
pub enum Domain {
    Sites(Spanned<Sites>),
    Directions(Spanned<Directions>),
    Players(Span),
    /// Kinds of piece, as listed.
    Pieces(Vec<PieceId>, Span),
    /// Whole numbers, both ends included.
    Numbers {
        least: i32,
        most: i32,
        span: Span,
    },
}

impl Domain {
    /// The text that it comes from.
    pub fn span(&self) -> Span {
        match self {
            Domain::Sites(sites) => sites.span,
            Domain::Directions(directions) => directions.span,
            Domain::Players(span) | Domain::Pieces(_, span) | Domain::Numbers { span, .. } => *span,
        }
    }
}

/// A variable with what it ranges over.
#[derive(Clone, Debug)]
pub struct Binder {
    pub variable: Local,
    pub domain: Domain,
}

/// What is done to the position, asked of it, or what comes next.
#[derive(Clone, Debug)]
pub enum Statement {
    /// In a move only.
    Require(Spanned<Condition>),
    /// The value is that of this moment; it is visible in the statements after it.
    Let(Local, Value),
    If {
        condition: Spanned<Condition>,
        then: Vec<Spanned<Statement>>,
        otherwise: Vec<Spanned<Statement>>,
    },
    /// The domain is looked at once, before the first round.
    For(Binder, Vec<Spanned<Statement>>),
    ByPlayer(Spanned<PlayerOf>, Vec<Vec<Spanned<Statement>>>),
    /// Works a queue of sites: the region's at first, in ascending order; the body may join others
    /// at its end. No site joins twice.
    Chain {
        variable: Local,
        from: Spanned<Sites>,
        body: Vec<Spanned<Statement>>,
    },
    /// Joins the sites, in ascending order, to the queue of the innermost chain.
    Join(Spanned<Sites>),
    Do(DefinitionId, Vec<Value>),

    /// Puts one piece on each site that is not cut out; whatever stood there leaves the board. The
    /// owner is the mover where none is named and the piece is owned.
    Put {
        piece: Spanned<PieceOf>,
        at: Spanned<Sites>,
        owner: Option<Spanned<PlayerOf>>,
    },
    Remove(Spanned<Sites>),
    /// The piece on the first site goes to the second with all that travels with it; whatever stood
    /// there leaves the board. Nothing happens when the first is bare or the second nowhere or cut
    /// out.
    Relocate {
        from: Spanned<SiteOf>,
        to: Spanned<SiteOf>,
    },
    /// The owned pieces on these sites change hands; the rest stays as it is.
    Convert {
        at: Spanned<Sites>,
        to: Spanned<PlayerOf>,
    },
    /// The pieces on these sites become pieces of that kind; their owner stays, unless one is named
    /// or the kind has none; a kind that is owned replacing one that is not goes to the mover.
    Replace {
        at: Spanned<Sites>,
        piece: Spanned<PieceOf>,
        owner: Option<Spanned<PlayerOf>>,
    },
    /// Cuts the sites out of the board; a piece there leaves it.
    Cut(Spanned<Sites>),

    SetNumber {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        site: Option<Spanned<SiteOf>>,
        to: Spanned<Number>,
    },
    /// Adds to a number; a negative amount lowers it.
    Raise {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        site: Option<Spanned<SiteOf>>,
        by: Spanned<Number>,
    },
    Lower {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        site: Option<Spanned<SiteOf>>,
        by: Spanned<Number>,
    },
    SetSite {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        site: Option<Spanned<SiteOf>>,
        to: Spanned<SiteOf>,
    },
    SetSites {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        direction: Option<Spanned<DirectionOf>>,
        to: Spanned<Sites>,
    },
    SetPlayer {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        to: Spanned<PlayerOf>,
    },
    /// Adds sites to a remembered set.
    Mark {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        direction: Option<Spanned<DirectionOf>>,
        sites: Spanned<Sites>,
    },
    /// Takes sites out of a remembered set.
    Unmark {
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        direction: Option<Spanned<DirectionOf>>,
        sites: Spanned<Sites>,
    },

    /// Ends the game at once; nothing after it is done.
    Win(Spanned<PlayerOf>),
    /// The other player wins. Only in games of two players.
    Lose(Spanned<PlayerOf>),
    Draw,
    /// The player with the greatest number wins; a tie for the greatest is a draw. The variable
    /// stands for each player in turn.
    ByScore(Local, Spanned<Number>),
    /// Ends the turn of the innermost `turn` when the ply is done.
    EndTurn,

    /// The rest is for the order of play only.
    Forever(Vec<Spanned<Statement>>),
    While(Spanned<Condition>, Vec<Spanned<Statement>>),
    /// The number is looked at once, before the first round.
    Repeat(Spanned<Number>, Vec<Spanned<Statement>>),
    /// Each player in the order of play has a turn, again and again.
    Turns(Vec<Spanned<Statement>>),
    Turn(Spanned<PlayerOf>, Vec<Spanned<Statement>>),
    Phase(Named, Vec<Spanned<Statement>>),
    /// One ply: the mover makes one of these moves. When none is legal, `otherwise` is done instead
    /// and there is no ply; without it the game is then drawn.
    Choose {
        moves: Vec<MoveId>,
        otherwise: Option<Vec<Spanned<Statement>>>,
    },
    /// One ply of chance: every legal instance of the move is equally likely.
    Chance(MoveId),
    /// As many plies as the number says, or the longest possible sequence below it, such that the
    /// condition holds at its end. With r plies left let f be the largest k <= r such that k
    /// further plies can be made with the condition true after the last (k = 0: true now); a ply
    /// that ends the game or the turn counts for all of the rest. A move is legal when f after it
    /// is one less than before; the sequence is over when f is 0 or there is none.
    Steps {
        count: Spanned<Number>,
        moves: Vec<MoveId>,
        ending: Spanned<Condition>,
    },
}

/// What happens when a position arises again.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// From which occurrence on something happens, 2 or more; the first position counts as one.
    pub times: u32,
    pub then: Vec<Spanned<Statement>>,
    pub span: Span,
}
