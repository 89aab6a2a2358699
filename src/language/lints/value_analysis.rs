//! Value analysis: abstract interpretation of regions, numbers and conditions before play.
//!
//! The abstract domains: for a region the classes of its sites (empty, cut out, the mover's kings,
//! …), for a number an interval, for a condition its truth value if it is constant. Results hold in
//! every reachable position. Runs on games without errors; the results of definitions are cached.

mod numbers;

use numbers::compare;
pub(super) use numbers::{Range, UNBOUNDED_END};

use super::{CheckedGame, is_no_direction};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::language::visit::Expression;
use crate::syntax::Span;
use rustc_hash::FxHashMap;
use std::collections::HashSet;

/// The classes of sites: for each kind of piece a bit for the mover's and one for all others, and a
/// bit each for empty sites and sites that were cut out.
const EMPTY: u128 = 1 << 64;
const CUT: u128 = 1 << 65;
const MOVERS: u128 = 0x5555_5555_5555_5555;
const OTHERS: u128 = MOVERS << 1;
const ALL: u128 = EMPTY | CUT | MOVERS | OTHERS;

/// The classes that the sites of a region can have. `exact`: the region has all sites of these
/// classes, so that its complement is known, too.
#[derive(Clone, Copy)]
struct Region {
    kinds: u128,
    exact: bool,
}

impl Region {
    const ANY: Region = Region { kinds: ALL, exact: false };

    fn within(kinds: u128) -> Region {
        Region { kinds, exact: false }
    }

    fn exactly(kinds: u128) -> Region {
        Region { kinds, exact: true }
    }
}

pub(super) struct ValueAnalysis<'r> {
    rules: &'r Rules,
    source: &'r str,
    /// The uses of options and definitions, sorted.
    uses: Vec<(Span, Meaning)>,
    /// The range of each option; `None` for words, or if it depends on other options.
    options: Vec<Option<Range>>,
    /// For each definition, once computed: whether it depends on an option.
    varying: Vec<Option<bool>>,
    regions: Vec<Option<Region>>,
    ranges: Vec<Option<Range>>,
    truths: Vec<Option<Option<bool>>>,
    /// The classes of pieces that are ever put on the board.
    put: u128,
    /// The maximal number of sites of the board.
    largest: usize,
    /// The regions that sites were chosen from in the current move, until an effect may change
    /// them.
    chosen: FxHashMap<Local, &'r Spanned<Sites>>,
    /// The ranges of the numbers that `let` names, where no option changes them.
    named: FxHashMap<Local, Range>,
    /// The variables that change.
    assigned: HashSet<Local>,
}

impl<'r> ValueAnalysis<'r> {
    /// Creates the analysis. `largest` is the maximal number of sites of the board.
    pub(super) fn new(game: &CheckedGame<'r>, largest: usize) -> ValueAnalysis<'r> {
        let rules = game.rules;
        let is_value =
            |meaning: &Meaning| matches!(meaning, Meaning::Option(_) | Meaning::Definition(_));
        let declared = game.declarations.iter().filter(|(meaning, _)| is_value(meaning));
        let declared: FxHashMap<Span, Meaning> =
            declared.map(|&(meaning, name)| (name.span, meaning)).collect();
        let uses = game.usage.uses.iter();
        let mut uses: Vec<(Span, Meaning)> =
            uses.filter_map(|(&span, of)| Some((span, *declared.get(of)?))).collect();
        uses.sort_unstable_by_key(|&(span, _)| span);
        let count = rules.definitions.len();
        let mut values = ValueAnalysis {
            rules,
            source: rules.source(),
            uses,
            options: Vec::new(),
            varying: vec![None; count],
            regions: vec![None; count],
            ranges: vec![None; count],
            truths: vec![None; count],
            put: 0,
            largest,
            chosen: FxHashMap::default(),
            named: FxHashMap::default(),
            assigned: rules.assigned(),
        };
        for option in &game.options {
            let depends = option.arguments.iter().any(|&part| values.varies(part));
            values.options.push(option.bounds.filter(|_| !depends));
        }
        values.put = values.pieces_put();
        values
    }

    /// Records the choices of a move, at its beginning.
    pub(super) fn choose(&mut self, rule: &'r MoveRule) {
        for parameter in &rule.parameters {
            if let Domain::Sites(sites) = &parameter.domain
                && !self.varies(sites.span)
            {
                self.chosen.insert(parameter.variable, sites);
            }
        }
    }

    /// Records the range of a number that `let` names.
    pub(super) fn name(&mut self, variable: Local, number: &'r Spanned<Number>) {
        if !self.varies(number.span) && !self.assigned.contains(&variable) {
            let range = self.range(number);
            self.named.insert(variable, range);
        }
    }

    /// Drops the choices: after an effect, a chosen site may be in another region.
    pub(super) fn change(&mut self) {
        self.chosen.clear();
    }

    /// Returns the region that a site was chosen from, if no effect has happened since.
    pub(super) fn chosen_from(&self, site: &SiteOf) -> Option<&'r Spanned<Sites>> {
        match site {
            SiteOf::Local(local) => self.chosen.get(local).copied(),
            _ => None,
        }
    }

    /// Tests if a piece of that kind ever comes on the board.
    pub(super) fn is_put(&self, kind: PieceId) -> bool {
        self.put >> (2 * kind.index()) & 3 != 0
    }

    /// Tests if the text of a span depends on an option, directly or by definitions.
    pub(super) fn varies(&mut self, span: Span) -> bool {
        let first = self.uses.partition_point(|(used, _)| used.start < span.start);
        for index in first..self.uses.len() {
            let (used, of) = self.uses[index];
            if used.start >= span.end {
                break;
            }
            match of {
                Meaning::Option(_) => return true,
                Meaning::Definition(definition) => {
                    let definition = definition.index();
                    if let Some(known) = self.varying[definition] {
                        if known {
                            return true;
                        }
                        continue;
                    }
                    // Definitions are acyclic and nested at most to a fixed depth, which bounds the
                    // recursion.
                    let varies = self.rules.definitions.get(definition).is_none_or(|definition| {
                        let body = &definition.body;
                        let expression = body.expression().map(Expression::span);
                        let statements = body.statements().iter().map(|statement| statement.span);
                        expression.into_iter().chain(statements).any(|span| self.varies(span))
                    });
                    self.varying[definition] = Some(varies);
                    if varies {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Returns the options that a text refers to directly; `None` if it depends on one by a
    /// definition.
    pub(super) fn options_in(&mut self, span: Span) -> Option<Vec<usize>> {
        let mut options = Vec::new();
        for index in 0..self.uses.len() {
            let (used, of) = self.uses[index];
            if !(span.start <= used.start && used.end <= span.end) {
                continue;
            }
            match of {
                Meaning::Option(option) if !options.contains(&option) => options.push(option),
                Meaning::Definition(_) if self.varies(used) => return None,
                _ => {}
            }
        }
        Some(options)
    }

    /// Returns the range of the option that exactly this span refers to.
    fn option_at(&self, span: Span) -> Option<Range> {
        let index = self.uses.binary_search_by_key(&span, |&(used, _)| used).ok()?;
        match self.uses[index].1 {
            Meaning::Option(option) => self.options.get(option).copied().flatten(),
            _ => None,
        }
    }

    /// Tests if the analysis of a condition holds for all option values: it depends on none, or
    /// compares numbers that are options themselves.
    pub(super) fn is_general(&mut self, condition: &Spanned<Condition>) -> bool {
        let mut is_general = |number: &Spanned<Number>| {
            self.option_at(number.span).is_some() || !self.varies(number.span)
        };
        match &condition.node {
            Condition::Compare(_, left, right) => is_general(left) && is_general(right),
            _ => !self.varies(condition.span),
        }
    }

    /// Tests if a region is always empty, for all option values.
    pub(super) fn is_never(&mut self, sites: &'r Spanned<Sites>) -> bool {
        self.region(&sites.node).kinds == 0
            && !self.varies(sites.span)
            && sites.span.text(self.source) != "nowhere"
    }

    /// Returns the classes of pieces that some statement puts on the board.
    fn pieces_put(&self) -> u128 {
        let rules = self.rules;
        let mut put: u128 = 0;
        for statement in rules.statements() {
            if let Statement::Put { piece, .. } | Statement::Replace { piece, .. } = &statement.node
            {
                match piece.node {
                    PieceOf::Fixed(kind) => put |= 3 << (2 * kind.index()),
                    // A kind that is on the board was put there.
                    PieceOf::At(_) => {}
                    _ => put = MOVERS | OTHERS,
                }
            }
        }
        let mut owners = 0;
        for (index, piece) in rules.pieces.iter().enumerate() {
            // Unowned pieces count as others'. In a game of one player, no pieces are others'.
            owners |= match (piece.owned, rules.players.len()) {
                (true, 1) => 1,
                (true, _) => 3,
                (false, _) => 2,
            } << (2 * index);
        }
        put & owners
    }

    fn region(&mut self, sites: &'r Sites) -> Region {
        match sites {
            Sites::Everywhere => Region::exactly(EMPTY | self.put),
            Sites::Nowhere => Region::exactly(0),
            Sites::Empty => Region::exactly(EMPTY),
            Sites::CutOut => Region::exactly(CUT),
            Sites::Pieces { kinds, whose } => {
                let fixed: Option<Vec<PieceId>> =
                    kinds.iter().map(|kind| kind.node.fixed()).collect();
                let all: u128 = match &fixed {
                    Some(kinds) if !kinds.is_empty() => kinds
                        .iter()
                        .map(|kind| 3 << (2 * kind.index()))
                        .fold(0, |all, kind| all | kind),
                    _ => MOVERS | OTHERS,
                };
                let owned = self.rules.pieces.iter().enumerate().filter(|(_, piece)| piece.owned);
                let owned: u128 =
                    owned.map(|(index, _)| 3 << (2 * index)).fold(0, |all, kind| all | kind);
                let region = match whose {
                    Whose::Anyones => Region::exactly(all & self.put),
                    Whose::Players(Spanned { node: PlayerOf::Mover, .. }) => {
                        Region::exactly(all & owned & MOVERS & self.put)
                    }
                    Whose::Others(Spanned { node: PlayerOf::Mover, .. })
                        if !self.rules.teams.has_partners() =>
                    {
                        Region::exactly(all & owned & OTHERS & self.put)
                    }
                    _ => Region::within(all & owned & self.put),
                };
                Region { exact: region.exact && fixed.is_some(), ..region }
            }
            Sites::Literal(sites) if sites.is_empty() => Region::exactly(0),
            Sites::And(all) => all.iter().fold(Region::exactly(ALL), |common, part| {
                let part = self.region(&part.node);
                Region { kinds: common.kinds & part.kinds, exact: common.exact && part.exact }
            }),
            Sites::Or(all) => all.iter().fold(Region::exactly(0), |both, part| {
                let part = self.region(&part.node);
                Region { kinds: both.kinds | part.kinds, exact: both.exact && part.exact }
            }),
            // The complement of a region is known only if it has all sites of its classes.
            Sites::Not(inner) => match self.region(&inner.node) {
                Region { kinds, exact: true } => Region::exactly((EMPTY | CUT | self.put) & !kinds),
                _ => Region::ANY,
            },
            Sites::Group { within, .. } => Region::within(self.region(&within.node).kinds),
            Sites::Lines { region, .. } => Region::within(self.region(&region.node).kinds),
            Sites::Walk { through, .. } => Region::within(self.region(&through.node).kinds),
            Sites::Slide { .. } => Region::within(ALL & !CUT),
            Sites::Union(_, region) => Region::within(self.region(&region.node).kinds),
            Sites::Where(binder, _) => match &binder.domain {
                Domain::Sites(sites) => Region::within(self.region(&sites.node).kinds),
                _ => Region::ANY,
            },
            Sites::When(condition, region) => match self.truth(condition) {
                Some(false) => Region::within(0),
                _ => Region::within(self.region(&region.node).kinds),
            },
            Sites::ByPlayer(_, branches) => Region::within(
                branches.iter().fold(0, |all, branch| all | self.region(&branch.node).kinds),
            ),
            Sites::Call(id, _) => {
                if let Some(known) = self.regions[id.index()] {
                    return known;
                }
                let region = match &self.rules.definitions[id.index()].body {
                    Value::Sites(sites) => self.region(&sites.node),
                    _ => Region::ANY,
                };
                self.regions[id.index()] = Some(region);
                region
            }
            _ => Region::ANY,
        }
    }

    /// Returns the truth value of a condition, if it is known.
    pub(super) fn truth(&mut self, condition: &'r Spanned<Condition>) -> Option<bool> {
        match &condition.node {
            Condition::Constant(so) => Some(*so),
            Condition::And(all) => self.all(all, true),
            Condition::Or(all) => self.all(all, false),
            Condition::Not(inner) => self.truth(inner).map(|so| !so),
            Condition::Any(sites) => (self.region(&sites.node).kinds == 0).then_some(false),
            Condition::None(sites) => (self.region(&sites.node).kinds == 0).then_some(true),
            Condition::In(site, sites) => {
                let region = self.region(&sites.node);
                let from =
                    self.chosen_from(&site.node).map_or(ALL, |from| self.region(&from.node).kinds);
                // If the choice itself is empty, that is reported instead.
                match (from & region.kinds, from & !region.kinds) {
                    (0, _) if from != 0 => Some(false),
                    (_, 0) if region.exact && from != 0 => Some(true),
                    _ => None,
                }
            }
            // Only the domain of players is known not to be empty.
            Condition::Exists(binder, inner) => match self.truth(inner) {
                Some(true) => has_players(&binder.domain).then_some(true),
                so => so.or_else(|| self.is_bare(&binder.domain).then_some(false)),
            },
            Condition::Every(binder, inner) => match self.truth(inner) {
                Some(false) => has_players(&binder.domain).then_some(false),
                so => so.or_else(|| self.is_bare(&binder.domain).then_some(true)),
            },
            Condition::Compare(comparison, left, right) => {
                // Operands with the same text have the same value.
                if left.span.text(self.source) == right.span.text(self.source)
                    && left.span != right.span
                {
                    return Some(matches!(
                        comparison,
                        Comparison::Equal | Comparison::AtMost | Comparison::AtLeast
                    ));
                }
                compare(*comparison, self.range(left), self.range(right))
            }
            Condition::Connected(sites, _) => (self.region(&sites.node).kinds == 0).then_some(true),
            Condition::SamePlayer(left, right) => match (&left.node, &right.node) {
                (PlayerOf::Fixed(left), PlayerOf::Fixed(right)) => Some(left == right),
                (PlayerOf::Mover, PlayerOf::Mover) => Some(true),
                (PlayerOf::Local(left), PlayerOf::Local(right)) if left == right => Some(true),
                (PlayerOf::Mover, PlayerOf::Next(of)) | (PlayerOf::Next(of), PlayerOf::Mover)
                    if self.rules.players.len() > 1 =>
                {
                    matches!(of.node, PlayerOf::Mover).then_some(false)
                }
                _ => None,
            },
            Condition::SameDirection(left, right) => match (&left.node, &right.node) {
                (left, right) if is_no_direction(left) || is_no_direction(right) => Some(false),
                _ => None,
            },
            Condition::SameKind(left, right) => match (&left.node, &right.node) {
                (PieceOf::Fixed(left), PieceOf::Fixed(right)) => Some(left == right),
                // Pieces of this kind never come on the board.
                (PieceOf::At(_), PieceOf::Fixed(kind)) | (PieceOf::Fixed(kind), PieceOf::At(_)) => {
                    (!self.is_put(*kind)).then_some(false)
                }
                _ => None,
            },
            Condition::SameSite(left, right) => match (&left.node, &right.node) {
                (SiteOf::Literal(left), SiteOf::Literal(right)) => Some(left == right),
                (SiteOf::Nowhere, _) | (_, SiteOf::Nowhere) => Some(false),
                _ => None,
            },
            Condition::ByPlayer(_, branches) => {
                let mut truths = branches.iter().map(|branch| self.truth(branch));
                let first = truths.next()??;
                truths.all(|so| so == Some(first)).then_some(first)
            }
            Condition::Call(id, _) => {
                if let Some(known) = self.truths[id.index()] {
                    return known;
                }
                let so = match &self.rules.definitions[id.index()].body {
                    Value::Condition(condition) => self.truth(condition),
                    _ => None,
                };
                self.truths[id.index()] = Some(so);
                so
            }
            Condition::Can(..) | Condition::Local(_) | Condition::Memory { .. } => None,
        }
    }

    /// Combines a conjunction (`all`) or a disjunction.
    fn all(&mut self, conditions: &'r [Spanned<Condition>], all: bool) -> Option<bool> {
        let mut known = Some(all);
        if conditions.iter().enumerate().any(|(index, one)| {
            conditions[..index].iter().any(|other| self.are_opposite(one, other))
        }) {
            return Some(!all);
        }
        for condition in conditions {
            match self.truth(condition) {
                Some(so) if so == all => {}
                Some(so) => return Some(so),
                None => known = None,
            }
        }
        known
    }

    /// Tests if exactly one of two conditions holds, by their texts.
    fn are_opposite(&self, one: &Spanned<Condition>, other: &Spanned<Condition>) -> bool {
        let same = |one: Span, other: Span| one.text(self.source) == other.text(self.source);
        match (&one.node, &other.node) {
            (Condition::Any(one), Condition::None(other))
            | (Condition::None(one), Condition::Any(other)) => same(one.span, other.span),
            (Condition::Not(inner), _) => same(inner.span, other.span),
            (_, Condition::Not(inner)) => same(one.span, inner.span),
            _ => false,
        }
    }

    fn is_bare(&mut self, domain: &'r Domain) -> bool {
        match domain {
            Domain::Sites(sites) | Domain::Groups { region: sites, .. } => {
                self.region(&sites.node).kinds == 0
            }
            Domain::Numbers { least, most, .. } => least > most,
            Domain::Directions(_) | Domain::Players(_) | Domain::Team(..) | Domain::Pieces(..) => {
                false
            }
        }
    }
}

/// Tests if a domain is one of players, which is never empty.
fn has_players(domain: &Domain) -> bool {
    matches!(domain, Domain::Players(_) | Domain::Team(..))
}
