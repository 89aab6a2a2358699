//! Single sites, directions, pieces and players in English, for rule sheets.

use super::phrase::Phrase;
use super::words::{Place, Words};
use crate::board::Direction;
use crate::language::rules::{
    DirectionOf, Directions, MemoryId, PieceOf, PlayerOf, SiteOf, Spanned,
};

impl<'r> Words<'r> {
    /// Writes a site.
    pub fn site(self, site: &SiteOf) -> Phrase {
        match site {
            SiteOf::Literal(site) => Phrase::closed(self.board().label(*site)),
            SiteOf::Nowhere => Phrase::closed("no site"),
            SiteOf::Local(local) => self.local(*local),
            SiteOf::Step(from, direction, count) => Phrase::closed(format!(
                "the site {} {}",
                if *count == 1 { "one step".to_owned() } else { format!("{count} steps") },
                self.towards(direction, from)
            )),
            SiteOf::StepBy(from, direction, number) => Phrase::closed(format!(
                "the site as many steps {} as {}",
                self.towards(direction, from),
                self.number(&number.node).part()
            )),
            SiteOf::First { from, direction, stops } => Phrase::closed(format!(
                "the first site {} among {}",
                self.towards(direction, from),
                self.sites(&stops.node).part()
            )),
            SiteOf::Memory { memory, player, site } => {
                self.memory_of(*memory, player.as_ref(), site.as_deref())
            }
            SiteOf::Only(sites) => {
                Phrase::closed(format!("the only site of {}", self.sites(&sites.node).part()))
            }
            SiteOf::ByPlayer(player, each) => {
                let each: Vec<Phrase> = each.iter().map(|each| self.site(&each.node)).collect();
                self.by_player(player, &each)
            }
            SiteOf::If(condition, then, otherwise) => {
                self.either(condition, &self.site(&then.node), &self.site(&otherwise.node))
            }
            SiteOf::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes the direction from a site: `N of a1`, `towards d from a1`.
    fn towards(self, direction: &Spanned<DirectionOf>, from: &Spanned<SiteOf>) -> String {
        let from = self.site(&from.node).part();
        match &direction.node {
            DirectionOf::Fixed(way) if !self.board().is_path(*way) => {
                format!("{} of {from}", self.board().direction_name(*way))
            }
            direction => format!("towards {} from {from}", self.direction(direction).part()),
        }
    }

    fn memory_of(
        self,
        memory: MemoryId,
        player: Option<&Spanned<PlayerOf>>,
        site: Option<&Spanned<SiteOf>>,
    ) -> Phrase {
        self.memory(memory, Place { player, site, ..Place::default() })
    }

    /// Writes a direction.
    pub fn direction(self, direction: &DirectionOf) -> Phrase {
        match direction {
            DirectionOf::Fixed(direction) => self.way(*direction),
            DirectionOf::Local(local) => self.local(*local),
            DirectionOf::Between(from, to) => Phrase::closed(format!(
                "the direction from {} to {}",
                self.site(&from.node).part(),
                self.site(&to.node).part()
            )),
            DirectionOf::Turned(direction, steps) if steps.0 == self.board().half_turn() => {
                let direction = self.direction(&direction.node);
                Phrase::closed(format!("the opposite of {}", direction.part()))
            }
            DirectionOf::Turned(direction, steps) => {
                let direction = self.direction(&direction.node);
                Phrase::open(format!("{} turned {} × clockwise", direction.part(), steps.0))
            }
            DirectionOf::Memory { memory, player, site } => {
                self.memory_of(*memory, player.as_deref(), site.as_deref())
            }
            DirectionOf::ByPlayer(player, each) => {
                let each: Vec<Phrase> =
                    each.iter().map(|each| self.direction(&each.node)).collect();
                self.by_player(player, &each)
            }
            DirectionOf::If(condition, then, otherwise) => self.either(
                condition,
                &self.direction(&then.node),
                &self.direction(&otherwise.node),
            ),
            DirectionOf::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes directions: `N, E and S`.
    pub fn directions(self, directions: &Directions) -> Phrase {
        match directions {
            Directions::Fixed(fixed) if self.are_half(fixed) => {
                Phrase::closed(format!("half steps {}", self.how_of(fixed)))
            }
            Directions::Fixed(fixed) => self.fixed(fixed),
            Directions::One(direction) => self.direction(&direction.node),
            Directions::List(all) => {
                let all: Vec<Phrase> =
                    all.iter().map(|direction| self.direction(&direction.node)).collect();
                match &all[..] {
                    [] => Phrase::closed("no direction"),
                    all => Phrase::list(all, "and"),
                }
            }
            Directions::ByPlayer(player, each) => {
                let each: Vec<Phrase> =
                    each.iter().map(|each| self.directions(&each.node)).collect();
                self.by_player(player, &each)
            }
            Directions::Half(of) => Phrase::closed(format!("half steps {}", self.how(&of.node))),
            Directions::Local(local) => self.local(*local),
            Directions::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Names a direction.
    fn way(self, direction: Direction) -> Phrase {
        match direction {
            Direction::Against(track) if !self.board().is_wind(direction) => {
                let track = self.board().direction_name(Direction::Along(track));
                Phrase::closed(format!("the opposite of {track}"))
            }
            direction => Phrase::closed(self.board().direction_name(direction)),
        }
    }

    fn fixed(self, fixed: &[Direction]) -> Phrase {
        if is_same(fixed, self.board().all()) && fixed.len() > 2 {
            return Phrase::closed("all directions");
        }
        if self.board().has_layers() && is_same(fixed, &self.board().below()) {
            return Phrase::closed("the ways down");
        }
        if self.board().has_layers() && is_same(fixed, &self.board().above()) {
            return Phrase::closed("the ways up");
        }
        if is_same(fixed, self.board().leaping()) && !fixed.is_empty() {
            return Phrase::closed("the directions of a knight's leap");
        }
        let names: Vec<Phrase> = fixed.iter().map(|&direction| self.way(direction)).collect();
        match &names[..] {
            [] => Phrase::closed("no direction"),
            names => Phrase::list(names, "and"),
        }
    }

    /// Writes directions as an adverb: `orthogonally`, `towards N`.
    pub(super) fn how(self, directions: &Directions) -> String {
        match directions {
            Directions::Fixed(fixed) => self.how_of(fixed),
            Directions::Half(of) => self.how(&of.node),
            directions => format!("towards {}", self.directions(directions).part()),
        }
    }

    /// Tests if the directions lead half a step, to the borders of cells.
    pub(super) fn are_half(self, fixed: &[Direction]) -> bool {
        self.board().has_borders() && fixed.iter().any(|way| way.is_track())
    }

    /// Returns the word for directions that lead to the next layer.
    pub(super) fn lift(self, directions: &Directions) -> Option<&'static str> {
        let Directions::Fixed(ways) = directions else { return None };
        let first = ways.first().filter(|&&way| self.board().is_lift(way))?;
        Some(if matches!(first, Direction::Along(_)) { "above" } else { "below" })
    }

    pub(super) fn how_of(self, fixed: &[Direction]) -> String {
        let board = self.board();
        let half = self.are_half(fixed);
        let whole = |&way: &Direction| if half { way.whole() } else { way };
        let fixed: &[Direction] = &fixed.iter().map(whole).collect::<Vec<_>>();
        if is_same(fixed, board.all()) && board.all().len() > board.orthogonal().len() {
            "in any direction".to_owned()
        } else if is_same(fixed, board.orthogonal()) {
            "orthogonally".to_owned()
        } else if is_same(fixed, board.diagonal()) && !fixed.is_empty() {
            "diagonally".to_owned()
        } else if is_same(fixed, board.leaping()) && !fixed.is_empty() {
            "by a knight's leap".to_owned()
        } else {
            format!("towards {}", self.fixed(fixed).part())
        }
    }

    /// Writes a kind of piece.
    pub fn piece(self, piece: &PieceOf) -> Phrase {
        match piece {
            PieceOf::Fixed(piece) => Phrase::closed(&self.rules.pieces[piece.index()].name),
            PieceOf::Local(local) => self.local(*local),
            PieceOf::At(site) => {
                let site = self.site(&site.node);
                Phrase::closed(format!("the kind of the piece on {}", site.part()))
            }
            PieceOf::Memory { memory, player, site } => {
                self.memory_of(*memory, player.as_deref(), site.as_deref())
            }
            PieceOf::ByPlayer(player, each) => {
                let each: Vec<Phrase> = each.iter().map(|each| self.piece(&each.node)).collect();
                self.by_player(player, &each)
            }
            PieceOf::If(condition, then, otherwise) => {
                self.either(condition, &self.piece(&then.node), &self.piece(&otherwise.node))
            }
            PieceOf::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes a player.
    pub fn player(self, player: &PlayerOf) -> Phrase {
        match player {
            PlayerOf::Fixed(player) => Phrase::closed(&self.rules.players[player.index()].name),
            PlayerOf::Mover => Phrase::closed("the mover"),
            PlayerOf::Next(of) => Phrase::closed(match (&of.node, self.rules.players.len()) {
                (PlayerOf::Mover, 2) => "the opponent".to_owned(),
                (PlayerOf::Mover, _) => "the next player".to_owned(),
                (of, 2) => format!("the opponent of {}", self.player(of).part()),
                (of, _) => format!("the player after {}", self.player(of).part()),
            }),
            PlayerOf::Local(local) => self.local(*local),
            PlayerOf::Memory { memory, player } => self.memory_of(*memory, player.as_deref(), None),
            PlayerOf::ByPlayer(player, each) => {
                let each: Vec<Phrase> = each.iter().map(|each| self.player(&each.node)).collect();
                self.by_player(player, &each)
            }
            PlayerOf::If(condition, then, otherwise) => {
                self.either(condition, &self.player(&then.node), &self.player(&otherwise.node))
            }
            PlayerOf::Call(definition, values) => self.call(*definition, values),
        }
    }
}

/// Tests if directions are the same, in any order.
fn is_same(one: &[Direction], other: &[Direction]) -> bool {
    one.len() == other.len() && one.iter().all(|direction| other.contains(direction))
}
