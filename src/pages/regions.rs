//! Sites, directions, pieces and players in English, for rule sheets.
//!
//! A region has three forms: what it is (`the empty sites`), one of its sites (`an empty site`),
//! and what is said of a site in it (`is empty`).

use super::words::Words;
use crate::board::{Board, Direction};
use crate::language::rules::{
    Binder, DirectionOf, Directions, Domain, PieceId, PieceOf, PlayerId, PlayerOf, SiteOf, Sites,
    Spanned, Whose,
};
use crate::notation::list;

/// The most sites that are named.
const MOST_SITES: usize = 12;

impl Words<'_> {
    fn board(&self) -> &Board {
        &self.rules.board
    }

    fn piece_name(self, piece: PieceId) -> String {
        self.rules.pieces[piece.index()].name.clone()
    }

    fn player_name(self, player: PlayerId) -> String {
        self.rules.players[player.index()].name.clone()
    }

    /// Writes whose pieces: `of White`.
    fn whose(self, whose: &Whose) -> String {
        match whose {
            Whose::Anyones => String::new(),
            Whose::Players(player) => format!(" of {}", self.player(&player.node)),
            Whose::Others(player) if self.rules.players.len() == 2 => {
                match self.player(&player.node) {
                    mover if mover == "the mover" => " of the opponent".to_owned(),
                    player => format!(" of the opponent of {player}"),
                }
            }
            Whose::Others(player) => {
                format!(" of another player than {}", self.player(&player.node))
            }
        }
    }

    fn kinds(self, kinds: &[Spanned<PieceOf>], several: bool) -> String {
        let plural = if several { "s" } else { "" };
        match kinds {
            [] => format!("piece{plural}"),
            _ => {
                let names: Vec<String> = kinds
                    .iter()
                    .map(|kind| match &kind.node {
                        PieceOf::Fixed(_) => format!("{}{plural}", self.piece(&kind.node)),
                        other => format!("piece{plural} of {}", self.piece(other)),
                    })
                    .collect();
                list(&names, "or")
            }
        }
    }

    /// Writes a region without its article, after `the number of`.
    pub(super) fn bare(self, sites: &Sites) -> String {
        let whole = self.sites(sites);
        match whole.strip_prefix("the ") {
            Some(bare) => bare.to_owned(),
            None => format!("sites in {whole}"),
        }
    }

    /// Writes a region: `the empty sites`.
    pub fn sites(self, sites: &Sites) -> String {
        match sites {
            Sites::Everywhere => "all sites".to_owned(),
            Sites::Nowhere => "no site".to_owned(),
            Sites::Empty => "the empty sites".to_owned(),
            Sites::CutOut => "the sites out of play".to_owned(),
            Sites::Pieces { kinds, whose } => {
                format!("the {}{}", self.kinds(kinds, true), self.whose(whose))
            }
            Sites::Memory { memory, player, direction } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                None,
                None,
                direction.as_ref().map(|direction| &direction.node),
            ),
            Sites::Literal(sites) => {
                let mut names: Vec<String> = sites
                    .iter()
                    .take(MOST_SITES)
                    .map(|&site| self.board().label(site).to_owned())
                    .collect();
                let more = sites.len() - names.len();
                names.extend((more > 0).then(|| format!("{more} more")));
                list(&names, "and")
            }
            Sites::One(site) => self.site(&site.node),
            Sites::Group { of, within, directions } => format!(
                "the sites connected with {} through {} {}",
                self.sites(&of.node),
                self.sites(&within.node),
                self.how(&directions.node)
            ),
            Sites::Lines { number, region, directions } => format!(
                "the lines of {number} or more of {} {}",
                self.sites(&region.node),
                self.how(&directions.node)
            ),
            Sites::Walk { from, directions, through } => format!(
                "the sites from {} {} as far as they are among {}",
                self.site(&from.node),
                self.how(&directions.node),
                self.sites(&through.node)
            ),
            Sites::Slide { from, directions } => format!(
                "the sites that a slide from {} {} reaches",
                self.site(&from.node),
                self.how(&directions.node)
            ),
            Sites::Between(one, other) => {
                format!("the sites between {} and {}", self.site(&one.node), self.site(&other.node))
            }
            Sites::When(condition, sites) => {
                format!("{} if {}", self.sites(&sites.node), self.condition(&condition.node))
            }
            Sites::Union(binder, sites) => {
                format!("{} for {}", self.sites(&sites.node), self.binder(binder))
            }
            Sites::Reach(binder, sites) => format!(
                "the sites {} of {}, and again and again for each of them {}",
                self.local(binder.variable),
                self.domain(&binder.domain),
                self.sites(&sites.node)
            ),
            Sites::And(parts) => {
                let (head, said) = self.head_and_rest(parts, true);
                let head = head.map_or("the sites".to_owned(), |head| self.sites(head));
                format!("{head} that {said}")
            }
            Sites::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.sites(&part.node)).collect();
                list(&parts, "and")
            }
            Sites::Not(_) | Sites::Beside(..) => {
                format!("the sites that {}", self.is(sites, true))
            }
            Sites::Where(binder, condition) => format!(
                "the sites {} of {} for which {}",
                self.local(binder.variable),
                self.domain(&binder.domain),
                self.condition(&condition.node)
            ),
            Sites::ByPlayer(player, each) => {
                self.by_player(player, each.iter().map(|each| self.sites(&each.node)).collect())
            }
            Sites::Local(local) => self.local(*local),
            Sites::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes one site of a region: `an empty site`.
    pub fn one(self, sites: &Sites) -> String {
        match sites {
            Sites::Everywhere => "a site".to_owned(),
            Sites::Empty => "an empty site".to_owned(),
            Sites::Pieces { kinds, whose } => {
                let kinds = self.kinds(kinds, false);
                let article = if kinds.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o']) {
                    "an"
                } else {
                    "a"
                };
                format!("{article} {kinds}{}", self.whose(whose))
            }
            Sites::And(parts) => {
                let (head, said) = self.head_and_rest(parts, false);
                let head = head.map_or("a site".to_owned(), |head| self.one(head));
                format!("{head} that {said}")
            }
            Sites::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.one(&part.node)).collect();
                list(&parts, "or")
            }
            Sites::Where(binder, condition) => format!(
                "a site {} of {} for which {}",
                self.local(binder.variable),
                self.domain(&binder.domain),
                self.condition(&condition.node)
            ),
            Sites::One(site) => self.site(&site.node),
            _ => format!("a site that {}", self.is(sites, false)),
        }
    }

    /// Splits an intersection into the part that names its sites best, if any, and what is said of
    /// them by the others.
    fn head_and_rest(self, parts: &[Spanned<Sites>], several: bool) -> (Option<&Sites>, String) {
        let is_head = |part: &Spanned<Sites>| {
            matches!(part.node, Sites::Empty | Sites::Pieces { .. } | Sites::Where(..))
        };
        // Something must be left to be said.
        let head = parts.iter().position(is_head).filter(|_| parts.len() > 1);
        let others = parts.iter().enumerate().filter(|(index, _)| Some(*index) != head);
        let others: Vec<String> = others.map(|(_, part)| self.is(&part.node, several)).collect();
        (head.map(|index| &parts[index].node), others.join(" and "))
    }

    /// Writes what holds of the sites of a region: `is empty`, or `are empty` of several.
    pub(super) fn is(self, sites: &Sites, several: bool) -> String {
        let verb = if several { "are" } else { "is" };
        match sites {
            Sites::Everywhere => format!("{verb} in play"),
            Sites::Empty => format!("{verb} empty"),
            Sites::CutOut => format!("{verb} out of play"),
            Sites::Pieces { kinds, whose } => {
                let has = if several { "have" } else { "has" };
                let one = self.one(&Sites::Pieces { kinds: kinds.clone(), whose: whose.clone() });
                format!("{has} {one}")
            }
            Sites::Beside(of, directions) => format!(
                "{verb} next to {}{}",
                self.sites(&of.node),
                match self.how(&directions.node) {
                    how if how == "orthogonally" => String::new(),
                    how => format!(" ({how})"),
                }
            ),
            Sites::One(site) => format!("{verb} {}", self.site(&site.node)),
            Sites::Not(inner) => self.is_not(&inner.node, several),
            Sites::And(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.is(&part.node, several)).collect();
                parts.join(" and ")
            }
            Sites::Or(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.is(&part.node, several)).collect();
                parts.join(" or ")
            }
            _ => format!("{verb} among {}", self.sites(sites)),
        }
    }

    pub(super) fn is_not(self, sites: &Sites, several: bool) -> String {
        let verb = if several { "are" } else { "is" };
        match sites {
            Sites::Empty => format!("{verb} not empty"),
            Sites::One(site) => format!("{verb} not {}", self.site(&site.node)),
            _ => format!("{verb} not among {}", self.sites(sites)),
        }
    }

    /// Writes a variable with its domain: `site t of the empty sites`.
    pub fn binder(self, binder: &Binder) -> String {
        let name = self.local(binder.variable);
        let kind = match &binder.domain {
            Domain::Sites(_) => "site",
            Domain::Directions(_) => "direction",
            Domain::Players(_) => "player",
            Domain::Pieces(..) => "kind of piece",
            Domain::Numbers { .. } => "number",
            Domain::Groups { .. } => "group",
        };
        match &binder.domain {
            Domain::Players(_) => format!("{kind} {name}"),
            domain => format!("{kind} {name} of {}", self.domain(domain)),
        }
    }

    fn domain(self, domain: &Domain) -> String {
        match domain {
            Domain::Sites(sites) => self.sites(&sites.node),
            Domain::Directions(directions) => self.directions(&directions.node),
            Domain::Players(_) => "the players".to_owned(),
            Domain::Pieces(kinds, _) => {
                let names: Vec<String> = kinds.iter().map(|&kind| self.piece_name(kind)).collect();
                list(&names, "and")
            }
            Domain::Numbers { least, most, .. } => format!("{least} to {most}"),
            Domain::Groups { region, directions, .. } => {
                format!("{} connected {}", self.sites(&region.node), self.how(&directions.node))
            }
        }
    }

    /// Writes what a player chooses for a parameter.
    pub fn choice(self, domain: &Domain) -> String {
        match domain {
            Domain::Sites(sites) => self.one(&sites.node),
            Domain::Directions(directions) => match self.directions(&directions.node) {
                all if all == "all directions" => "any direction".to_owned(),
                some => format!("a direction of {some}"),
            },
            Domain::Players(_) => "a player".to_owned(),
            Domain::Pieces(..) => format!("a kind of piece: {}", self.domain(domain)),
            Domain::Numbers { least, most, .. } => format!("a number from {least} to {most}"),
            Domain::Groups { .. } => format!("a group of {}", self.domain(domain)),
        }
    }

    /// Writes a site.
    pub fn site(self, site: &SiteOf) -> String {
        match site {
            SiteOf::Literal(site) => self.board().label(*site).to_owned(),
            SiteOf::Nowhere => "no site".to_owned(),
            SiteOf::Local(local) => self.local(*local),
            SiteOf::Step(from, direction, count) => {
                let steps =
                    if *count == 1 { "one step".to_owned() } else { format!("{count} steps") };
                format!(
                    "the site {steps} {} of {}",
                    self.direction(&direction.node),
                    self.site(&from.node)
                )
            }
            SiteOf::First { from, direction, stops } => format!(
                "the first site {} of {} among {}",
                self.direction(&direction.node),
                self.site(&from.node),
                self.sites(&stops.node)
            ),
            SiteOf::Memory { memory, player, site } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                site.as_ref().map(|site| &site.node),
                None,
                None,
            ),
            SiteOf::Only(sites) => format!("the only one of {}", self.sites(&sites.node)),
            SiteOf::ByPlayer(player, each) => {
                self.by_player(player, each.iter().map(|each| self.site(&each.node)).collect())
            }
            SiteOf::If(condition, then, otherwise) => format!(
                "{} if {}, else {}",
                self.site(&then.node),
                self.condition(&condition.node),
                self.site(&otherwise.node)
            ),
            SiteOf::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes a direction.
    pub fn direction(self, direction: &DirectionOf) -> String {
        match direction {
            DirectionOf::Fixed(direction) => direction.name().to_owned(),
            DirectionOf::Local(local) => self.local(*local),
            DirectionOf::Between(from, to) => {
                format!("the direction from {} to {}", self.site(&from.node), self.site(&to.node))
            }
            DirectionOf::Turned(direction, steps) if *steps == self.board().half_turn() => {
                format!("the opposite of {}", self.direction(&direction.node))
            }
            DirectionOf::Turned(direction, steps) => {
                format!("{} turned {steps} × clockwise", self.direction(&direction.node))
            }
            DirectionOf::Memory { memory, player, site } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                site.as_ref().map(|site| &site.node),
                None,
                None,
            ),
            DirectionOf::ByPlayer(player, each) => {
                self.by_player(player, each.iter().map(|each| self.direction(&each.node)).collect())
            }
            DirectionOf::If(condition, then, otherwise) => format!(
                "{} if {}, else {}",
                self.direction(&then.node),
                self.condition(&condition.node),
                self.direction(&otherwise.node)
            ),
            DirectionOf::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes directions: `N, E and S`.
    pub fn directions(self, directions: &Directions) -> String {
        match directions {
            Directions::Fixed(fixed) => self.fixed(fixed),
            Directions::One(direction) => self.direction(&direction.node),
            Directions::List(all) => {
                let all: Vec<String> =
                    all.iter().map(|direction| self.direction(&direction.node)).collect();
                list(&all, "and")
            }
            Directions::ByPlayer(player, each) => self
                .by_player(player, each.iter().map(|each| self.directions(&each.node)).collect()),
            Directions::Local(local) => self.local(*local),
            Directions::Call(definition, values) => self.call(*definition, values),
        }
    }

    fn fixed(self, fixed: &[Direction]) -> String {
        let same = |others: &[Direction]| {
            fixed.len() == others.len() && fixed.iter().all(|one| others.contains(one))
        };
        if same(self.board().all()) && fixed.len() > 2 {
            return "all directions".to_owned();
        }
        let names: Vec<&str> = fixed.iter().map(|direction| direction.name()).collect();
        list(&names, "and")
    }

    /// Writes directions as an adverb: `orthogonally`, `towards N`.
    pub(super) fn how(self, directions: &Directions) -> String {
        if let Directions::Fixed(fixed) = directions {
            let same = |others: &[Direction]| {
                fixed.len() == others.len() && fixed.iter().all(|one| others.contains(one))
            };
            let board = self.board();
            if same(board.all()) && board.all().len() > board.orthogonal().len() {
                return "in any direction".to_owned();
            }
            if same(board.orthogonal()) {
                return "orthogonally".to_owned();
            }
            if same(board.diagonal()) {
                return "diagonally".to_owned();
            }
        }
        format!("towards {}", self.directions(directions))
    }

    /// Writes a kind of piece.
    pub fn piece(self, piece: &PieceOf) -> String {
        match piece {
            PieceOf::Fixed(piece) => self.piece_name(*piece),
            PieceOf::Local(local) => self.local(*local),
            PieceOf::At(site) => format!("the kind of the piece on {}", self.site(&site.node)),
            PieceOf::Memory { memory, player, site } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                site.as_ref().map(|site| &site.node),
                None,
                None,
            ),
            PieceOf::ByPlayer(player, each) => {
                self.by_player(player, each.iter().map(|each| self.piece(&each.node)).collect())
            }
            PieceOf::If(condition, then, otherwise) => format!(
                "{} if {}, else {}",
                self.piece(&then.node),
                self.condition(&condition.node),
                self.piece(&otherwise.node)
            ),
            PieceOf::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes a player.
    pub fn player(self, player: &PlayerOf) -> String {
        match player {
            PlayerOf::Fixed(player) => self.player_name(*player),
            PlayerOf::Mover => "the mover".to_owned(),
            PlayerOf::Next(of) => match (&of.node, self.rules.players.len()) {
                (PlayerOf::Mover, 2) => "the opponent".to_owned(),
                (PlayerOf::Mover, _) => "the next player".to_owned(),
                (of, 2) => format!("the opponent of {}", self.player(of)),
                (of, _) => format!("the player after {}", self.player(of)),
            },
            PlayerOf::Local(local) => self.local(*local),
            PlayerOf::Memory { memory, player } => {
                self.memory(*memory, player.as_ref().map(|player| &player.node), None, None, None)
            }
            PlayerOf::ByPlayer(player, each) => {
                self.by_player(player, each.iter().map(|each| self.player(&each.node)).collect())
            }
            PlayerOf::If(condition, then, otherwise) => format!(
                "{} if {}, else {}",
                self.player(&then.node),
                self.condition(&condition.node),
                self.player(&otherwise.node)
            ),
            PlayerOf::Call(definition, values) => self.call(*definition, values),
        }
    }
}
