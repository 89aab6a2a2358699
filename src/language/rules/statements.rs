//! Statements: effects, requirements and the order of play.

use super::parts::{Composite, Parts, each_field, pattern, typed};
use super::{
    Binder, Condition, DefinitionId, DirectionOf, KeyOf, Local, MemoryId, MoveId, Named, Number,
    Parameter, PieceOf, PlayerOf, SiteOf, Sites, Spanned, Value,
};

typed! {
    /// An effect, a requirement, or a step in the order of play.
    pub enum Statement {
        /// In moves only.
        Require(Spanned<Condition>),
        /// The value is computed at this point; it is visible in the following statements.
        Let(Local, Value),
        /// Gives the variable of a `let` another value, for what is executed from now on. Numbers
        /// saturate at the bounds of an `i32`.
        Assign(Local, Value),
        If {
            condition: Spanned<Condition>,
            then: Vec<Spanned<Statement>>,
            otherwise: Vec<Spanned<Statement>>,
        },
        /// The domain is evaluated once, before the first iteration.
        For(Binder, Vec<Spanned<Statement>>),
        ByPlayer(Spanned<PlayerOf>, Vec<Vec<Spanned<Statement>>>),
        /// Processes a queue of sites: first those of the region, in ascending order; the body may
        /// append others. No site is queued twice.
        Chain {
            variable: Local,
            from: Spanned<Sites>,
            body: Vec<Spanned<Statement>>,
        },
        /// Appends sites, in ascending order, to the queue of the innermost chain.
        Join(Spanned<Sites>),
        Do(DefinitionId, Vec<Value>),

        /// Puts a piece on each site that is not cut out, replacing the piece there; with piles, on
        /// top or beneath, where the pile can grow. An owned piece without a named owner belongs to
        /// the mover; no kind puts nothing.
        Put {
            piece: Spanned<PieceOf>,
            at: Spanned<Sites>,
            owner: Option<Spanned<PlayerOf>>,
            beneath: bool,
        },
        /// Removes the pieces on these sites: whole piles, or so many pieces from the top of each.
        Remove {
            at: Spanned<Sites>,
            number: Option<Spanned<Number>>,
        },
        /// Moves the piece on the first site, with its travelling memories, to the second,
        /// replacing the piece there. No effect if the first is empty or the second is nowhere or
        /// cut out. With piles, moves the whole pile or so many pieces from its top: on top of the
        /// second, in their order, or beneath it, one by one. No effect if that pile would be too
        /// high.
        Relocate {
            from: Spanned<SiteOf>,
            to: Spanned<SiteOf>,
            number: Option<Spanned<Number>>,
            beneath: bool,
        },
        /// Moves the pieces on these sites, with their travelling memories, one step in the
        /// direction, all at once. A piece whose step leaves the board or leads to a cut-out site
        /// is removed, and so is a piece that stands where one of them comes to. No direction moves
        /// nothing.
        Shift {
            at: Spanned<Sites>,
            direction: Spanned<DirectionOf>,
        },
        /// Exchanges the pieces on two sites, with their travelling memories; one of the sites may
        /// be empty. No effect if one of them is nowhere or cut out.
        Swap(Spanned<SiteOf>, Spanned<SiteOf>),
        /// Changes the owner of the owned pieces on these sites.
        Convert {
            at: Spanned<Sites>,
            to: Spanned<PlayerOf>,
        },
        /// Changes the kind of the pieces on these sites. The owner stays, unless one is named or
        /// the new kind is unowned; an unowned piece that becomes owned goes to the mover. No kind
        /// changes nothing.
        Replace {
            piece: Spanned<PieceOf>,
            at: Spanned<Sites>,
            owner: Option<Spanned<PlayerOf>>,
        },
        /// Removes the sites, and the pieces on them, from play.
        Cut(Spanned<Sites>),

        SetNumber {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            site: Option<Spanned<SiteOf>>,
            key: Option<KeyOf>,
            to: Spanned<Number>,
        },
        /// Adds to a number; a negative amount lowers it.
        Raise {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            site: Option<Spanned<SiteOf>>,
            key: Option<KeyOf>,
            by: Spanned<Number>,
        },
        Lower {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            site: Option<Spanned<SiteOf>>,
            key: Option<KeyOf>,
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
        SetKind {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            site: Option<Spanned<SiteOf>>,
            to: Spanned<PieceOf>,
        },
        SetDirection {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            site: Option<Spanned<SiteOf>>,
            to: Spanned<DirectionOf>,
        },
        SetCondition {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            to: Spanned<Condition>,
        },
        /// Adds sites to a set.
        Mark {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            direction: Option<Spanned<DirectionOf>>,
            sites: Spanned<Sites>,
        },
        /// Removes sites from a set.
        Unmark {
            memory: MemoryId,
            player: Option<Spanned<PlayerOf>>,
            direction: Option<Spanned<DirectionOf>>,
            sites: Spanned<Sites>,
        },

        /// Ends the game at once; later statements are not executed.
        Win(Spanned<PlayerOf>),
        /// The other player wins. Only in games of two players.
        Lose(Spanned<PlayerOf>),
        /// The player drops out when the statements at hand are done: those up to the end of the
        /// ply, or up to the next ply. Only with [`Rules::drop_outs`](super::Rules::drop_outs).
        DropOut(Spanned<PlayerOf>),
        Draw,
        /// In a repetition only: the ply that has led there is illegal.
        Illegal,
        /// The player with the greatest number wins; a tie for the greatest is a draw. The variable
        /// is bound to each player.
        ByScore(Local, Spanned<Number>),
        /// Ends the turn of the innermost `turn` when the ply is done.
        EndTurn,
        /// As [`Statement::EndTurn`], but the same player then has this turn once more. Of both,
        /// the last that a ply executes counts.
        ExtraTurn,
        /// In moves only, and last there: a choice that is part of the move, from the position at
        /// this point. If nothing can be chosen so that the requirements of the body hold, the move
        /// is made without it, and only then.
        Then {
            parameters: Vec<Parameter>,
            body: Vec<Spanned<Statement>>,
        },

        /// From here on: for the order of play only.
        Forever(Vec<Spanned<Statement>>),
        While(Spanned<Condition>, Vec<Spanned<Statement>>),
        /// Left when the condition holds: before a round, or after a ply inside. Of several, a ply
        /// leaves the innermost whose condition holds. Plies of `steps` count as one.
        Until(Spanned<Condition>, Vec<Spanned<Statement>>),
        /// The number is evaluated once, before the first iteration.
        Repeat(Spanned<Number>, Vec<Spanned<Statement>>),
        /// Each player in the order of play has a turn, repeatedly.
        Turns(Vec<Spanned<Statement>>),
        Turn(Spanned<PlayerOf>, Vec<Spanned<Statement>>),
        Phase(Named, Vec<Spanned<Statement>>),
        /// One ply: the mover makes one of these moves. If none is legal, `otherwise` is executed
        /// instead and there is no ply; without it the game is drawn.
        Choose {
            moves: Vec<MoveId>,
            /// After one of these, the same piece goes on with them. For what comes after the
            /// checker, the statements of the order of play say so, too.
            go_on: Vec<MoveId>,
            otherwise: Option<Vec<Spanned<Statement>>>,
        },
        /// One ply of chance: every legal instance of the move is equally likely.
        Chance(MoveId),
        /// As many plies as the number says, or the longest possible sequence below it, such that
        /// the condition holds at its end. With r plies left let f be the largest k <= r such that
        /// k further plies can be made with the condition true after the last (k = 0: true now); a
        /// ply that ends the game or the turn counts for all of the rest. A move is legal if f
        /// after it is one less than before; the sequence ends when f is 0 or undefined.
        Steps {
            count: Spanned<Number>,
            moves: Vec<MoveId>,
            ending: Spanned<Condition>,
        },
    }
}
