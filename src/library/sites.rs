//! The board: sites, their places and neighbours, and the values of pieces and memories.

use super::game::Game;
use super::moves::Move;
use super::outcome::Player;
use super::state::{Piece, State};
use crate::board;
use crate::engine::game as engine;
use crate::engine::snapshot::MemoryValue as Held;
use crate::language::rules::{PieceId, Rules};
use serde::Serialize;

/// A site of the board of a game.
///
/// ```
/// let game = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let b2 = game.site("b2").expect("a site");
/// assert_eq!((b2.index(), game.label(b2), game.place(b2)), (4, "b2", Some((1, 1))));
/// assert_eq!(game.sites().nth(4), Some(b2));
/// let west = game.neighbors(b2).into_iter().find(|&(direction, _)| direction == "W");
/// assert_eq!(west.map(|(_, site)| game.label(site).to_owned()).as_deref(), Some("a2"));
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(into = "u16")]
pub struct Site {
    index: u16,
    site: board::Site,
}

/// A value of a memory of the rules.
///
/// ```
/// use ludwright::{Game, MemoryValue};
///
/// let mut state = Game::from_file("games/kitaran.game", &[])?.start();
/// state.play(state.parse_move("place b2")?)?;
/// let fresh = &state.memories()[0];
/// assert_eq!(fresh.name, "Fresh");
/// let b2 = state.game().site("b2").expect("a site");
/// assert_eq!(fresh.value, MemoryValue::Sites(vec![b2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Memory {
    /// The name in the rules.
    pub name: String,
    /// The player whose value this is, if each player has one.
    pub owner: Option<Player>,
    /// The direction, kind of piece or number whose value this is, if each has one.
    pub part: Option<String>,
    /// The value.
    pub value: MemoryValue,
}

/// The value of a memory; values per site are in the order of [`Game::sites`].
///
/// See [`Memory`] for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum MemoryValue {
    /// A number.
    Number(i32),
    /// A set of sites, in order.
    Sites(Vec<Site>),
    /// A site, or nowhere.
    Site(Option<Site>),
    /// A player.
    Player(Player),
    /// A kind of piece or a direction, by name, or none.
    Name(Option<String>),
    /// A truth value.
    Condition(bool),
    /// A number for each site.
    Numbers(Vec<i32>),
    /// A site, or nowhere, for each site.
    SitePerSite(Vec<Option<Site>>),
    /// A kind of piece or a direction, by name, or none, for each site.
    Names(Vec<Option<String>>),
}

/// The verb and the choices of a move.
///
/// ```
/// use ludwright::{Argument, Game};
///
/// let state = Game::from_file("tests/games/breakthrough.game", &[])?.start();
/// let game = state.game();
/// let parts = state.parts(state.parse_move("a2 b3")?).expect("a move of this game");
/// let [from, to] = ["a2", "b3"].map(|label| Argument::Site(game.site(label).expect("a site")));
/// assert_eq!((&*parts.verb, parts.arguments), ("move", vec![from, to]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MoveParts {
    /// The name of the move in the rules.
    pub verb: String,
    /// The choices, in the order of the rules.
    pub arguments: Vec<Argument>,
}

/// A choice of a move.
///
/// See [`MoveParts`] for an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Argument {
    /// A site.
    Site(Site),
    /// A number.
    Number(i32),
    /// A direction, such as `NE`.
    Direction(String),
    /// A kind of piece, by name.
    Piece(String),
}

impl From<Site> for u16 {
    fn from(site: Site) -> u16 {
        site.index
    }
}

impl Site {
    /// Returns the index among the sites of the board, from 0: row by row from the bottom, each
    /// from the left.
    ///
    /// See [`Site`] for an example.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.index)
    }

    pub(super) fn of(rules: &Rules, site: board::Site) -> Option<Site> {
        let index = rules.board.sites().position(|known| known == site)?;
        Some(Site { index: index as u16, site })
    }
}

impl Game {
    /// Lists the sites of the board: row by row from the bottom, each from the left.
    ///
    /// See [`Site`] for an example.
    pub fn sites(&self) -> impl ExactSizeIterator<Item = Site> + '_ {
        let sites = self.0.rules().board.sites().enumerate();
        sites.map(|(index, site)| Site { index: index as u16, site })
    }

    /// Finds the site with this label.
    ///
    /// See [`Site`] for an example.
    #[must_use]
    pub fn site(&self, label: &str) -> Option<Site> {
        Site::of(self.0.rules(), self.0.rules().board.find(label)?)
    }

    /// Returns the label of a site, such as `b2`; empty for a site of a larger board of another
    /// game.
    ///
    /// See [`Site`] for an example.
    #[must_use]
    pub fn label(&self, site: Site) -> &str {
        self.0.rules().board.label(site.site)
    }

    /// Returns the column and the row of a site in the drawing, from 0 at the left and the bottom;
    /// on boards whose sites have six neighbours, each row is drawn half a site to the left of the
    /// row below. `None` for a site of a larger board of another game.
    ///
    /// See [`Site`] for an example.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<(usize, usize)> {
        let board = &self.0.rules().board;
        board.contains(site.site).then(|| board.place(site.site))
    }

    /// Lists the neighbours of a site, with the directions in which they lie, clockwise from the
    /// north.
    ///
    /// See [`Site`] for an example.
    #[must_use]
    pub fn neighbors(&self, site: Site) -> Vec<(&'static str, Site)> {
        let rules = self.0.rules();
        let step = |direction: &board::Direction| {
            let next = rules.board.step(site.site, *direction)?;
            Some((direction.name(), Site::of(rules, next)?))
        };
        rules.board.all().iter().filter_map(step).collect()
    }
}

impl State {
    /// Returns the piece on a site.
    ///
    /// ```
    /// let state = ludwright::Game::from_file("tests/games/breakthrough.game", &[])?.start();
    /// let at = |label| state.piece_at(state.game().site(label).expect("a site"));
    /// assert_eq!(at("a1").map(|piece| piece.name).as_deref(), Some("Pawn"));
    /// assert_eq!(at("d4"), None);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn piece_at(&self, site: Site) -> Option<Piece> {
        let label = self.game().label(site);
        self.pieces().into_iter().find(|piece| piece.site == label)
    }

    /// Lists the values of the memories, in the order of the rules: one entry for each value.
    ///
    /// See [`Memory`] for an example.
    #[must_use]
    pub fn memories(&self) -> Vec<Memory> {
        let rules = self.inner.game().rules();
        let mut memories = Vec::new();
        for (memory, values) in rules.memories.iter().zip(self.inner.snapshot().memories) {
            let each = memory.values_per_player();
            for (index, value) in values.iter().enumerate() {
                let direction = memory.per_direction.get(index % each);
                let direction = direction.map(|&direction| rules.board.direction_name(direction));
                memories.push(Memory {
                    name: memory.name.clone(),
                    owner: self.game().players().nth(index / each).filter(|_| memory.per_player),
                    part: direction.or_else(|| memory.keys.name(&rules.pieces, index % each)),
                    value: MemoryValue::of(rules, value),
                });
            }
        }
        memories
    }

    /// Returns the verb and the choices of a move, which need not be legal now; `None` for a move
    /// of another game.
    ///
    /// See [`MoveParts`] for an example.
    #[must_use]
    pub fn parts(&self, ply: Move) -> Option<MoveParts> {
        let game = self.inner.game();
        let rules = game.rules();
        let made = ply.is_of(self.game()).then(|| game.spell_out(ply.packed))?;
        let argument = |argument: &engine::Argument| {
            Some(match *argument {
                engine::Argument::Site(site) => Argument::Site(Site::of(rules, site)?),
                engine::Argument::Number(number) => Argument::Number(number),
                engine::Argument::Direction(direction) => {
                    Argument::Direction(rules.board.direction_name(direction))
                }
                engine::Argument::Piece(kind) => {
                    Argument::Piece(rules.pieces[kind.index()].name.clone())
                }
            })
        };
        Some(MoveParts {
            verb: rules.moves[made.rule.index()].verb.clone(),
            arguments: made.arguments.iter().filter_map(argument).collect(),
        })
    }
}

impl MemoryValue {
    fn of(rules: &Rules, value: &Held) -> MemoryValue {
        let board = &rules.board;
        let site = |site: &board::Site| Site::of(rules, *site);
        let kind = |kind: PieceId| rules.pieces[kind.index()].name.clone();
        let direction = |direction: board::Direction| board.direction_name(direction);
        match value {
            Held::Number(number) => MemoryValue::Number(*number),
            Held::Sites(sites) => MemoryValue::Sites(sites.iter().filter_map(site).collect()),
            Held::Site(held) => MemoryValue::Site(held.as_ref().and_then(site)),
            Held::Player(player) => MemoryValue::Player(Player(*player)),
            Held::Kind(held) => MemoryValue::Name(held.map(kind)),
            Held::Direction(held) => MemoryValue::Name(held.map(direction)),
            Held::Condition(holds) => MemoryValue::Condition(*holds),
            Held::NumberPerSite(all) => {
                MemoryValue::Numbers(board.sites().map(|site| all[site.index()]).collect())
            }
            Held::SitePerSite(all) => {
                let sites = board.sites().map(|at| all[at.index()].as_ref().and_then(site));
                MemoryValue::SitePerSite(sites.collect())
            }
            Held::KindPerSite(all) => {
                MemoryValue::Names(board.sites().map(|at| all[at.index()].map(kind)).collect())
            }
            Held::DirectionPerSite(all) => {
                MemoryValue::Names(board.sites().map(|at| all[at.index()].map(direction)).collect())
            }
        }
    }
}
