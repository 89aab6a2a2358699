//! Regions in English, for rule sheets.
//!
//! A region has three forms: its sites (`the empty sites`), one of its sites (`an empty site`), and
//! a predicate of a site in it (`is empty`).

use super::phrase::Phrase;
use super::words::{Place, Words};
use crate::board::{Board, Site, Sort};
use crate::language::rules::{
    Binder, Directions, Domain, PieceOf, PlayerOf, Sites, Spanned, Statement, Whose,
};

impl<'r> Words<'r> {
    pub(super) fn board(self) -> &'r Board {
        &self.rules.board
    }

    /// Writes the owner of pieces: `of White`.
    fn whose(self, whose: &Whose) -> String {
        match whose {
            Whose::Anyones => String::new(),
            Whose::Players(player) => format!(" of {}", self.player(&player.node).part()),
            Whose::Others(player) if self.rules.players.len() == 2 => match &player.node {
                PlayerOf::Mover => " of the opponent".to_owned(),
                player => format!(" of the opponent of {}", self.player(player).part()),
            },
            Whose::Others(player) if self.rules.teams.has_partners() => {
                format!(" of another team than that of {}", self.player(&player.node).part())
            }
            Whose::Others(player) => {
                format!(" of another player than {}", self.player(&player.node).part())
            }
        }
    }

    /// Writes kinds of piece with their owner: `Stones of White`.
    fn pieces(self, kinds: &[Spanned<PieceOf>], whose: &Whose, several: bool) -> Phrase {
        let plural = if several { "s" } else { "" };
        let names: Vec<Phrase> = match kinds {
            [] => vec![Phrase::closed(format!("piece{plural}"))],
            _ => kinds
                .iter()
                .map(|kind| Phrase::closed(self.pieces_of(&kind.node, plural)))
                .collect(),
        };
        let text = format!("{}{}", Phrase::list(&names, "or"), self.whose(whose));
        if names.len() == 1 || !matches!(whose, Whose::Anyones) {
            Phrase::closed(text)
        } else {
            Phrase::open(text)
        }
    }

    pub(super) fn pieces_of(self, kind: &PieceOf, plural: &str) -> String {
        let name = self.piece(kind).part();
        match kind {
            PieceOf::Fixed(_) => format!("{name}{plural}"),
            _ => format!("piece{plural} of kind {name}"),
        }
    }

    /// Tests if sites can be removed from the board.
    fn is_cut(self) -> bool {
        self.rules.statements().any(|statement| matches!(statement.node, Statement::Cut(_)))
    }

    /// Writes a region: `the empty sites`.
    pub fn sites(self, sites: &Sites) -> Phrase {
        let part = |sites: &Spanned<Sites>| self.sites(&sites.node).part();
        match sites {
            Sites::Everywhere if self.is_cut() => Phrase::closed("all sites in play"),
            Sites::Everywhere => Phrase::closed("all sites"),
            Sites::Nowhere => Phrase::closed("no site"),
            Sites::Empty => Phrase::closed("the empty sites"),
            Sites::CutOut => Phrase::closed("the sites out of play"),
            Sites::Pieces { kinds, whose } => {
                let pieces = self.pieces(kinds, whose, true);
                let text = format!("the {pieces}");
                if pieces.is_closed() { Phrase::closed(text) } else { Phrase::open(text) }
            }
            Sites::Memory { memory, player, direction } => self.memory(
                *memory,
                Place {
                    player: player.as_ref(),
                    direction: direction.as_ref(),
                    ..Place::default()
                },
            ),
            Sites::Literal(sites) => self.places(sites),
            Sites::One(site) => self.site(&site.node),
            Sites::Group { of, within, directions } => Phrase::closed(format!(
                "the sites connected with {} through {} {}",
                part(of),
                part(within),
                self.how(&directions.node)
            )),
            Sites::Lines { number, region, directions } => Phrase::closed(format!(
                "the sites that form lines of {number} or more among {} {}",
                part(region),
                self.how(&directions.node)
            )),
            Sites::Walk { from, directions, through } => Phrase::closed(format!(
                "the sites beyond {} {} as far as they are among {}",
                self.site(&from.node).part(),
                self.how(&directions.node),
                part(through)
            )),
            Sites::Slide { from, directions } => Phrase::closed(format!(
                "the sites that a slide from {} {} reaches",
                self.site(&from.node).part(),
                self.how(&directions.node)
            )),
            Sites::Between(one, other) => Phrase::closed(format!(
                "the sites between {} and {}",
                self.site(&one.node).part(),
                self.site(&other.node).part()
            )),
            Sites::When(condition, sites) => {
                Phrase::open(format!("{} if {}", part(sites), self.condition(&condition.node)))
            }
            Sites::Union(binder, sites) => {
                Phrase::open(format!("{} for each {}", part(sites), self.binder(binder)))
            }
            Sites::Reach(binder, sites) => Phrase::open(format!(
                "the {}, and again and again for each of them {}",
                self.binders(binder),
                self.sites(&sites.node)
            )),
            Sites::And(parts) => {
                let (head, said) = self.head_and_rest(parts, true);
                let head = head.map_or("the sites".to_owned(), |head| self.sites(head).to_string());
                Phrase::open(format!("{head} that {said}"))
            }
            Sites::Or(parts) => {
                let parts: Vec<Phrase> = parts.iter().map(|part| self.sites(&part.node)).collect();
                Phrase::list(&parts, "and")
            }
            Sites::Not(_) | Sites::Beside(..) => {
                Phrase::open(format!("the sites that {}", self.is(sites, true)))
            }
            Sites::Where(binder, condition) => Phrase::open(format!(
                "the {} for which {}",
                self.binders(binder),
                self.condition(&condition.node)
            )),
            Sites::ByPlayer(player, each) => {
                let each: Vec<Phrase> = each.iter().map(|each| self.sites(&each.node)).collect();
                self.by_player(player, &each)
            }
            Sites::Local(local) => self.local(*local),
            Sites::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes known sites: a row, a column, an edge by its name, others by their labels.
    pub(super) fn places(self, sites: &[Site]) -> Phrase {
        let board = self.board();
        let is = |others: &[Site]| {
            sites.len() == others.len() && others.iter().all(|site| sites.contains(site))
        };
        if sites.len() > 1 {
            if is(&board.corners()) {
                return Phrase::closed("the corners");
            }
            let mut edge: Vec<Site> =
                board.all().iter().flat_map(|&direction| board.edge(direction)).collect();
            edge.sort();
            edge.dedup();
            if is(&edge) {
                return Phrase::closed("the edge");
            }
        }
        if let Some(sort) = self.sort_of(sites) {
            return Phrase::closed(match sort {
                Sort::Cell => "the cells",
                Sort::Side => "the sides",
                Sort::Post => "the posts",
            });
        }
        let rows = board.rows_of_cells();
        let mut rest = sites.to_vec();
        let mut names = Vec::new();
        for (label, row) in rows.iter().rev() {
            if row.len() > 1 && row.iter().all(|site| rest.contains(site)) {
                names.push(Phrase::closed(format!("row {label}")));
                rest.retain(|site| !row.contains(site));
            }
        }
        let mut left: Vec<Site> = Vec::new();
        for site in &rest {
            let letters = board.column_letters(*site);
            let column = board.column(&letters);
            if column.len() > 1 && column.iter().all(|site| rest.contains(site)) {
                if column.first() == Some(site) {
                    names.push(Phrase::closed(format!("column {letters}")));
                }
            } else {
                left.push(*site);
            }
        }
        // Three or more neighbours in a row are named by their ends.
        for (_, row) in rows.iter().rev() {
            for run in row.chunk_by(|one, next| left.contains(one) == left.contains(next)) {
                match run {
                    [first, .., last] if run.len() > 2 && left.contains(first) => {
                        let (first, last) = (board.label(*first), board.label(*last));
                        names.push(Phrase::closed(format!("{first} to {last}")));
                    }
                    _ => {
                        let run = run.iter().filter(|site| left.contains(site));
                        names.extend(run.map(|&site| Phrase::closed(board.label(site))));
                    }
                }
            }
        }
        let borders = left.iter().filter(|&&site| board.sort(site) != Sort::Cell);
        names.extend(borders.map(|&site| Phrase::closed(board.label(site))));
        if names.is_empty() { Phrase::closed("no site") } else { Phrase::list(&names, "and") }
    }

    /// Returns the sort that consists of exactly these sites, on a board with several sorts.
    fn sort_of(self, sites: &[Site]) -> Option<Sort> {
        let board = self.board();
        let is_all = |&sort: &Sort| {
            sites.len() == board.of_sort(sort).count()
                && sites.iter().all(|&site| board.sort(site) == sort)
        };
        Sort::ALL.into_iter().filter(|_| board.has_borders()).find(is_all)
    }

    /// Writes the predicate of a region that is intersected with others: `is touching a1` for one
    /// sort of border, half a step away in every direction that has this sort.
    fn is_among(self, parts: &[Spanned<Sites>], part: &Sites, several: bool) -> Phrase {
        let sort = parts.iter().find_map(|other| match &other.node {
            Sites::Literal(sites) => self.sort_of(sites),
            _ => None,
        });
        if let (Sites::Beside(of, directions), Some(sort)) = (part, sort)
            && let Directions::Fixed(ways) = &directions.node
        {
            let board = self.board();
            let every = if sort == Sort::Side { board.orthogonal() } else { board.all() };
            let verb = if several { "are" } else { "is" };
            if ways.len() == every.len() && every.iter().all(|way| ways.contains(&way.half())) {
                let of = self.sites(&of.node).part();
                return Phrase::closed(format!("{verb} touching {of}"));
            }
        }
        self.is(part, several)
    }

    /// Writes one site of a region: `an empty site`.
    pub fn one(self, sites: &Sites) -> Phrase {
        match sites {
            Sites::Everywhere if self.is_cut() => Phrase::closed("a site in play"),
            Sites::Everywhere => Phrase::closed("a site"),
            Sites::Empty => Phrase::closed("an empty site"),
            Sites::Pieces { kinds, whose } => {
                let pieces = self.pieces(kinds, whose, false);
                let text = format!("{} {pieces}", article(pieces.text()));
                if pieces.is_closed() { Phrase::closed(text) } else { Phrase::open(text) }
            }
            Sites::And(parts) => {
                let (head, said) = self.head_and_rest(parts, false);
                let head = head.map_or("a site".to_owned(), |head| self.one(head).to_string());
                Phrase::open(format!("{head} that {said}"))
            }
            Sites::Where(binder, condition) => Phrase::open(format!(
                "a {} for which {}",
                self.binder(binder),
                self.condition(&condition.node)
            )),
            Sites::One(site) => self.site(&site.node),
            Sites::Or(_) | Sites::Not(_) | Sites::Beside(..) => {
                Phrase::open(format!("a site that {}", self.is(sites, false)))
            }
            sites => Phrase::closed(format!("a site {}", self.within(sites))),
        }
    }

    /// Splits an intersection into the part that names its sites best, if any, and the predicate
    /// made of the other parts.
    fn head_and_rest(self, parts: &[Spanned<Sites>], several: bool) -> (Option<&Sites>, String) {
        let is_head = |part: &Spanned<Sites>| match &part.node {
            Sites::Empty | Sites::Pieces { .. } => true,
            Sites::Literal(sites) => self.sort_of(sites).is_some(),
            _ => false,
        };
        // At least one part must remain for the predicate.
        let head = parts.iter().position(is_head).filter(|_| parts.len() > 1);
        let others = parts.iter().enumerate().filter(|(index, _)| Some(*index) != head);
        let others: Vec<Phrase> =
            others.map(|(_, part)| self.is_among(parts, &part.node, several)).collect();
        (head.map(|index| &parts[index].node), Phrase::joined(&others, "and").text().to_owned())
    }

    /// Writes that something is in a region, after `is`.
    fn within(self, sites: &Sites) -> String {
        format!("{} {}", if is_place(sites) { "in" } else { "among" }, self.sites(sites).part())
    }

    /// Writes the predicate of a region: `is empty`, or `are empty` for several sites.
    pub(super) fn is(self, sites: &Sites, several: bool) -> Phrase {
        let verb = if several { "are" } else { "is" };
        let all = |parts: &[Spanned<Sites>]| -> Vec<Phrase> {
            parts.iter().map(|part| self.is_among(parts, &part.node, several)).collect()
        };
        match sites {
            Sites::Everywhere => Phrase::closed(format!("{verb} in play")),
            Sites::Empty => Phrase::closed(format!("{verb} empty")),
            Sites::CutOut => Phrase::closed(format!("{verb} out of play")),
            Sites::Pieces { kinds, whose } => {
                let has = if several { "have" } else { "has" };
                let pieces = self.pieces(kinds, whose, false);
                let text = format!("{has} {} {pieces}", article(pieces.text()));
                if pieces.is_closed() { Phrase::closed(text) } else { Phrase::open(text) }
            }
            Sites::Beside(of, directions) => {
                let of = self.sites(&of.node).part();
                let is_half = match &directions.node {
                    Directions::Fixed(ways) => self.are_half(ways),
                    directions => matches!(directions, Directions::Half(_)),
                };
                if let Some(side) = self.lift(&directions.node) {
                    return Phrase::closed(format!("{verb} directly {side} {of}"));
                }
                Phrase::closed(match self.how(&directions.node) {
                    how if is_half => format!("{verb} half a step {how} from {of}"),
                    how if how.starts_with("towards") => format!("{verb} one step {how} from {of}"),
                    how if how == "orthogonally" => format!("{verb} next to {of}"),
                    how => format!("{verb} next to {of} ({how})"),
                })
            }
            Sites::One(site) => Phrase::closed(format!("{verb} {}", self.site(&site.node).part())),
            Sites::Not(inner) => Phrase::closed(self.is_not(&inner.node, several)),
            Sites::And(parts) => Phrase::joined(&all(parts), "and"),
            Sites::Or(parts) => Phrase::joined(&all(parts), "or"),
            _ => Phrase::closed(format!("{verb} {}", self.within(sites))),
        }
    }

    pub(super) fn is_not(self, sites: &Sites, several: bool) -> String {
        let verb = if several { "are" } else { "is" };
        match sites {
            Sites::Everywhere => format!("{verb} not in play"),
            Sites::Empty => format!("{verb} not empty"),
            Sites::CutOut => format!("{verb} not out of play"),
            Sites::One(site) => format!("{verb} not {}", self.site(&site.node).part()),
            _ => format!("{verb} not {}", self.within(sites)),
        }
    }

    /// Writes a variable with its domain: `site t of the empty sites`.
    pub(super) fn binder(self, binder: &Binder) -> String {
        self.binder_of(binder, "")
    }

    /// Writes a variable with its domain in the plural: `sites t of the empty sites`.
    pub(super) fn binders(self, binder: &Binder) -> String {
        self.binder_of(binder, "s")
    }

    fn binder_of(self, binder: &Binder, plural: &str) -> String {
        let name = self.local(binder.variable);
        let of = self.domain(&binder.domain);
        match &binder.domain {
            Domain::Sites(_) => format!("site{plural} {name} of {of}"),
            Domain::Directions(_) => format!("direction{plural} {name} of {of}"),
            Domain::Players(_) => format!("player{plural} {name}"),
            Domain::Team(..) => format!("player{plural} {name} of {of}"),
            Domain::Pieces(..) => format!("kind{plural} of piece {name} of {of}"),
            Domain::Numbers { .. } => format!("number{plural} {name} {of}"),
            Domain::Groups { .. } => format!("group{plural} {name} of {of}"),
        }
    }

    fn domain(self, domain: &Domain) -> String {
        match domain {
            Domain::Sites(sites) => self.sites(&sites.node).part(),
            Domain::Directions(directions) => self.directions(&directions.node).part(),
            Domain::Players(_) => String::new(),
            Domain::Team(player, _) => format!("the team of {}", self.player(&player.node).part()),
            Domain::Pieces(kinds, _) => {
                let kinds: Vec<Phrase> =
                    kinds.iter().map(|&kind| self.piece(&PieceOf::Fixed(kind))).collect();
                Phrase::list(&kinds, "and").part()
            }
            Domain::Numbers { least, most, .. } => format!("from {least} to {most}"),
            Domain::Groups { region, directions, .. } => format!(
                "{} connected {}",
                self.sites(&region.node).part(),
                self.how(&directions.node)
            ),
        }
    }

    /// Writes the choice of a player for a parameter.
    pub fn choice(self, domain: &Domain) -> String {
        match domain {
            Domain::Sites(sites) => self.one(&self.rules.without_going_on(sites).node).to_string(),
            Domain::Directions(directions) => match self.directions(&directions.node) {
                all if all.text() == "all directions" => "any direction".to_owned(),
                some => format!("a direction of {}", some.part()),
            },
            Domain::Players(_) | Domain::Team(..) => "a player".to_owned(),
            Domain::Pieces(..) => format!("a kind of piece of {}", self.domain(domain)),
            Domain::Numbers { .. } => format!("a number {}", self.domain(domain)),
            Domain::Groups { .. } => format!("a group of {}", self.domain(domain)),
        }
    }
}

/// Tests if a region is written by names of places.
fn is_place(sites: &Sites) -> bool {
    match sites {
        Sites::Local(_) | Sites::Call(..) | Sites::Memory { .. } | Sites::Literal(_) => true,
        Sites::ByPlayer(_, each) => each.iter().all(|sites| is_place(&sites.node)),
        _ => false,
    }
}

/// Returns the article before a word.
pub(super) fn article(word: &str) -> &'static str {
    if word.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}
