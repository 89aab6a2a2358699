//! Typed expressions in English, for rule sheets.
//!
//! A region has three forms: what it is (`the empty sites`), one of its sites (`an empty site`),
//! and what is said of a site in it (`is empty`). Variables and definitions keep their names.

use crate::board::{Board, Direction};
use crate::language::rules::{
    Binder, Comparison, Condition, DefinitionId, DirectionOf, Directions, Domain, Local, MemoryId,
    Number, PieceId, PieceOf, PlayerId, PlayerOf, Rules, SiteOf, Sites, Spanned, Value, Whose,
};
use crate::notation::list;

/// The most sites that are named.
const MOST_SITES: usize = 12;

/// Writes the expressions of a game.
#[derive(Clone, Copy)]
pub struct Words<'r> {
    pub rules: &'r Rules,
}

impl Words<'_> {
    /// Returns the name of a variable.
    pub fn local(self, local: Local) -> String {
        self.rules.locals.get(local.index()).map_or_else(String::new, |local| local.name.clone())
    }

    fn board(&self) -> &Board {
        &self.rules.board
    }

    fn piece_name(self, piece: PieceId) -> String {
        self.rules.pieces[piece.index()].name.clone()
    }

    fn player_name(self, player: PlayerId) -> String {
        self.rules.players[player.index()].name.clone()
    }

    /// Writes a value by player: once if it is the same for all.
    fn by_player(self, player: &Spanned<PlayerOf>, each: Vec<String>) -> String {
        if let Some(first) = each.first().filter(|first| each.iter().all(|other| other == *first)) {
            return first.clone();
        }
        if let PlayerOf::Fixed(fixed) = &player.node
            && let Some(own) = each.get(fixed.index())
        {
            return own.clone();
        }
        let names = self.rules.players.iter().map(|player| player.name.as_str());
        let each: Vec<String> =
            names.zip(&each).map(|(name, each)| format!("{each} for {name}")).collect();
        list(&each, "and")
    }

    fn call(self, definition: DefinitionId, values: &[Value]) -> String {
        let name = &self.rules.definitions[definition.index()].name;
        if values.is_empty() {
            return name.clone();
        }
        let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
        format!("{name} of {}", list(&values, "and"))
    }

    /// Writes a value of any type.
    pub fn value(self, value: &Value) -> String {
        match value {
            Value::Number(number) => self.number(&number.node),
            Value::Condition(condition) => self.condition(&condition.node),
            Value::Sites(sites) => self.sites(&sites.node),
            Value::Site(site) => self.site(&site.node),
            Value::Direction(direction) => self.direction(&direction.node),
            Value::Directions(directions) => self.directions(&directions.node),
            Value::Player(player) => self.player(&player.node),
            Value::Piece(piece) => self.piece(&piece.node),
            Value::Statements(_) => "these steps".to_owned(),
        }
    }

    /// Writes a memory: `Supply of White`.
    pub fn memory(
        self,
        memory: MemoryId,
        player: Option<&PlayerOf>,
        site: Option<&SiteOf>,
        kind: Option<&PieceOf>,
        direction: Option<&DirectionOf>,
    ) -> String {
        let name = self.rules.memories[memory.index()].name.clone();
        let of = [
            player.map(|player| self.player(player)),
            kind.map(|kind| self.piece(kind)),
            site.map(|site| self.site(site)),
        ];
        let of: Vec<String> = of.into_iter().flatten().collect();
        let of = if of.is_empty() { String::new() } else { format!(" of {}", list(&of, "and")) };
        let towards = direction.map(|direction| format!(" towards {}", self.direction(direction)));
        format!("{name}{of}{}", towards.unwrap_or_default())
    }

    fn numbers(self, numbers: &[Spanned<Number>]) -> Vec<String> {
        numbers.iter().map(|number| self.number(&number.node)).collect()
    }

    /// Writes a number.
    pub fn number(self, number: &Number) -> String {
        match number {
            Number::Constant(halves) if halves % 2 == 0 => (halves / 2).to_string(),
            Number::Constant(halves) => format!("{}", *halves as f64 / 2.0),
            Number::Local(local) => self.local(*local),
            Number::Memory { memory, player, site, kind } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                site.as_ref().map(|site| &site.node),
                kind.as_ref().map(|kind| &kind.node),
                None,
            ),
            Number::Add(all) => self.numbers(all).join(" plus "),
            Number::Subtract(from, less) => {
                format!("{} minus {}", self.number(&from.node), self.number(&less.node))
            }
            Number::Multiply(all) => self.numbers(all).join(" times "),
            Number::Divide(of, by) => {
                format!("{} divided by {by}, rounded down", self.number(&of.node))
            }
            Number::Remainder(of, by) => {
                format!("the remainder of {} divided by {by}", self.number(&of.node))
            }
            Number::Least(all) => format!("the least of {}", list(&self.numbers(all), "and")),
            Number::Greatest(all) => {
                format!("the greatest of {}", list(&self.numbers(all), "and"))
            }
            Number::Count(sites) => format!("the number of {}", self.bare(&sites.node)),
            Number::CountWhere(binder, condition) => format!(
                "the number of {} for which {}",
                self.binder(binder),
                self.condition(&condition.node)
            ),
            Number::Sum(binder, each) => {
                format!("the sum of {} over {}", self.number(&each.node), self.binder(binder))
            }
            Number::LeastOver(binder, each) => {
                format!("the least {} over {}", self.number(&each.node), self.binder(binder))
            }
            Number::GreatestOver(binder, each) => {
                format!("the greatest {} over {}", self.number(&each.node), self.binder(binder))
            }
            Number::RowOf(site) => format!("the row of {}", self.site(&site.node)),
            Number::ColumnOf(site) => format!("the column of {}", self.site(&site.node)),
            Number::Distance { from, to, .. } => format!(
                "the number of steps from {} to {}",
                self.site(&from.node),
                self.site(&to.node)
            ),
            Number::ByPlayer(player, each) => self.by_player(player, self.numbers(each)),
            Number::If(condition, then, otherwise) => format!(
                "{} if {}, else {}",
                self.number(&then.node),
                self.condition(&condition.node),
                self.number(&otherwise.node)
            ),
            Number::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes a condition, as it stands after `if`.
    pub fn condition(self, condition: &Condition) -> String {
        let joined = |parts: &[Spanned<Condition>], joint: &str| {
            let part = |part: &Spanned<Condition>| match &part.node {
                Condition::And(_) | Condition::Or(_) if parts.len() > 1 => {
                    format!("({})", self.condition(&part.node))
                }
                _ => self.condition(&part.node),
            };
            parts.iter().map(part).collect::<Vec<String>>().join(&format!(" {joint} "))
        };
        match condition {
            Condition::Constant(true) => "in any case".to_owned(),
            Condition::Constant(false) => "in no case".to_owned(),
            Condition::And(parts) => joined(parts, "and"),
            Condition::Or(parts) => joined(parts, "or"),
            Condition::Not(inner) => match &inner.node {
                Condition::Any(sites) => self.condition(&Condition::None(sites.clone())),
                Condition::None(sites) => self.condition(&Condition::Any(sites.clone())),
                Condition::In(site, sites) => {
                    format!("{} {}", self.site(&site.node), self.is_not(&sites.node, false))
                }
                Condition::SamePlayer(one, other) => {
                    format!("{} is not {}", self.player(&one.node), self.player(&other.node))
                }
                Condition::SameSite(one, other) => {
                    format!("{} is not {}", self.site(&one.node), self.site(&other.node))
                }
                inner => format!("it is not true that {}", self.condition(inner)),
            },
            Condition::Any(sites) if is_named(&sites.node) => {
                format!("{} is not empty", self.sites(&sites.node))
            }
            Condition::None(sites) if is_named(&sites.node) => {
                format!("{} is empty", self.sites(&sites.node))
            }
            Condition::Any(sites) => format!("there is {}", self.one(&sites.node)),
            Condition::None(sites) => {
                let one = self.one(&sites.node);
                let bare = one.strip_prefix("a ").or_else(|| one.strip_prefix("an "));
                format!("there is no {}", bare.unwrap_or(&one))
            }
            Condition::In(site, sites) => {
                format!("{} {}", self.site(&site.node), self.is(&sites.node, false))
            }
            Condition::Exists(binder, condition) => {
                format!("for some {}, {}", self.binder(binder), self.condition(&condition.node))
            }
            Condition::Every(binder, condition) => {
                format!("for each {}, {}", self.binder(binder), self.condition(&condition.node))
            }
            Condition::Compare(comparison, left, right) => {
                let is = match comparison {
                    Comparison::Equal => "is",
                    Comparison::Unequal => "is not",
                    Comparison::Less => "is less than",
                    Comparison::AtMost => "is at most",
                    Comparison::Greater => "is more than",
                    Comparison::AtLeast => "is at least",
                };
                format!("{} {is} {}", self.number(&left.node), self.number(&right.node))
            }
            Condition::SamePlayer(one, other) => {
                format!("{} is {}", self.player(&one.node), self.player(&other.node))
            }
            Condition::SameSite(one, other) => {
                format!("{} is {}", self.site(&one.node), self.site(&other.node))
            }
            Condition::SameDirection(one, other) => {
                format!("{} is {}", self.direction(&one.node), self.direction(&other.node))
            }
            Condition::SameKind(one, other) => {
                format!("{} is {}", self.piece(&one.node), self.piece(&other.node))
            }
            Condition::Connected(sites, directions) => {
                format!("{} are connected {}", self.sites(&sites.node), self.how(&directions.node))
            }
            Condition::ByPlayer(player, each) => {
                let each = each.iter().map(|each| self.condition(&each.node)).collect();
                self.by_player(player, each)
            }
            Condition::Local(local) => format!("{} is true", self.local(*local)),
            Condition::Call(definition, values) => {
                format!("{} is true", self.call(*definition, values))
            }
        }
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
            Whose::Others(player) => format!(" of another player than {}", self.player(&player.node)),
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
    fn bare(self, sites: &Sites) -> String {
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
            Sites::And(parts) => match parts.split_first() {
                Some((first, rest)) => {
                    let rest: Vec<String> =
                        rest.iter().map(|part| self.is(&part.node, true)).collect();
                    format!("{} that {}", self.sites(&first.node), rest.join(" and "))
                }
                None => "all sites".to_owned(),
            },
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
            Sites::And(parts) => match parts.split_first() {
                Some((first, rest)) => {
                    let rest: Vec<String> =
                        rest.iter().map(|part| self.is(&part.node, false)).collect();
                    format!("{} that {}", self.one(&first.node), rest.join(" and "))
                }
                None => "a site".to_owned(),
            },
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

    /// Writes what holds of the sites of a region: `is empty`, or `are empty` of several.
    fn is(self, sites: &Sites, several: bool) -> String {
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

    fn is_not(self, sites: &Sites, several: bool) -> String {
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
            Domain::Groups { region, directions, .. } => format!(
                "{} connected {}",
                self.sites(&region.node),
                self.how(&directions.node)
            ),
        }
    }

    /// Writes what a player chooses for a parameter.
    pub fn choice(self, domain: &Domain) -> String {
        match domain {
            Domain::Sites(sites) => self.one(&sites.node),
            Domain::Directions(directions) => {
                format!("a direction: {}", self.directions(&directions.node))
            }
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
                let steps = if *count == 1 { "one step".to_owned() } else { format!("{count} steps") };
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
            DirectionOf::Turned(direction, steps)
                if *steps == self.board().half_turn() =>
            {
                format!("the opposite of {}", self.direction(&direction.node))
            }
            DirectionOf::Turned(direction, steps) => {
                format!("{} turned {steps} × clockwise", self.direction(&direction.node))
            }
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
    fn how(self, directions: &Directions) -> String {
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
            PlayerOf::Memory { memory, player } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                None,
                None,
                None,
            ),
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

/// Tests if a region is written by its name.
fn is_named(sites: &Sites) -> bool {
    matches!(sites, Sites::Local(_) | Sites::Call(..) | Sites::Memory { .. })
}
