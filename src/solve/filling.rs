//! Games, such as Domineering, in which the rules prove that every ply fills some empty sites and
//! that nothing but emptiness is ever read.
//!
//! A ply can be made while all sites that it *needs* are empty; it then occupies the sites that it
//! *fills*. Sites that no such ply needs no longer matter. The other sites fall into *parts*: no
//! ply needs sites of two parts, so that a position is determined by its parts, whatever their
//! places and their order (John Conway, *On Numbers and Games*, 1976: a position is the sum of its
//! parts). This holds for every order of play, and whether the last ply wins or loses.
//!
//! A small part is identified by its plies, with the sites numbered by a walk along the steps: from
//! the site and with the order of directions that give the least numbers. A larger part is
//! identified by the least of its images under the symmetries of the game.

use super::image::Mapping;
use super::symmetry::turnings;
use crate::board::{Board, Direction, Site};
use crate::engine::PackedMove;
use crate::engine::bits::Bits;
use crate::engine::game::{Game, State};
use crate::language::board_expressions::reads_position;
use crate::language::rules::{
    Condition, DefinitionId, Domain, MoveRule, Rules, Sites, Spanned, Statement, Value,
};
use crate::language::visit::{Composite, Expression};
use crate::random::{Random, mix};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most sites of a small part.
const SMALL: usize = 12;
/// The most sums for small sets of sites that are cached.
const REMEMBERED: usize = 1 << 16;
/// The most plies of a game, and the most decisions, for which this method pays.
const MOST_PLIES: usize = 1 << 10;
const MOST_DECISIONS: usize = 1 << 3;
/// The most sites of a board.
const WIDEST: usize = u64::BITS as usize;
/// How deep conditions are followed through definitions.
const DEEPEST: u32 = 16;
/// The seed of the random numbers of sites.
const SEED: u64 = 0x5041_5254;

/// A set of sites.
type Set = Bits<1>;

/// A hash of a part. The hash of a position is the sum over its parts.
type Hashes = [u64; 2];

/// Tests if plies only fill sites, and if the legality of each ply depends only on whether certain
/// sites, always the same ones, are empty.
fn is_filling(rules: &Rules) -> bool {
    let is_plain = rules.piles.is_none()
        && rules.repetition.is_none()
        && rules.drop_outs.is_none()
        && rules.memories.is_empty()
        && !rules.board.has_passages();
    is_plain
        && rules.end.is_empty()
        && rules.moves.iter().all(|rule| is_filling_move(rules, rule))
        && rules.play.iter().all(|statement| is_blind(rules, &statement.node))
}

/// Tests if a statement of the order of play reads nothing of the position, and changes none.
fn is_blind(rules: &Rules, statement: &Statement) -> bool {
    let is_of_flow = matches!(
        statement,
        Statement::Forever(_)
            | Statement::Turns(_)
            | Statement::Turn(..)
            | Statement::Phase(..)
            | Statement::Repeat(..)
            | Statement::Choose { .. }
            | Statement::Win(_)
            | Statement::Lose(_)
            | Statement::Draw
    );
    is_of_flow
        && statement.parts().into_iter().all(|part| is_fixed(rules, part))
        && statement.bodies().into_iter().flatten().all(|inner| is_blind(rules, &inner.node))
}

fn is_filling_move(rules: &Rules, rule: &MoveRule) -> bool {
    let is_told = |domain: &Domain| match domain {
        Domain::Sites(region) => needs_empty(rules, region, DEEPEST),
        Domain::Groups { .. } => false,
        domain => domain.parts().into_iter().all(|part| is_fixed(rules, part)),
    };
    let does_fill = |statement: &Spanned<Statement>| match &statement.node {
        Statement::Put { piece, at, owner, beneath: false } => {
            let of_piece = [Expression::Piece(piece), Expression::Sites(at)];
            let of_owner = owner.iter().map(Expression::Player);
            of_piece.into_iter().chain(of_owner).all(|part| is_fixed(rules, part))
        }
        Statement::Require(condition) => demands_empty(rules, condition, DEEPEST),
        _ => false,
    };
    rule.parameters.iter().all(|parameter| is_told(&parameter.domain))
        && rule.body.iter().all(does_fill)
}

/// Tests if an expression, with the definitions that it uses, does not depend on the position.
fn is_fixed(rules: &Rules, expression: Expression) -> bool {
    !rules.mentions(expression, |inner| reads_position(inner, false))
}

/// Returns the body of a definition whose arguments do not depend on the position.
fn body<'r>(rules: &'r Rules, definition: DefinitionId, arguments: &[Value]) -> Option<&'r Value> {
    let mut known = arguments.iter().filter_map(Value::expression);
    let are_fixed = known.all(|argument| is_fixed(rules, argument));
    are_fixed.then(|| &rules.definitions[definition.index()].body)
}

/// Tests if each site is either never in a region or in it exactly when certain sites, always the
/// same ones, are empty.
fn needs_empty(rules: &Rules, region: &Spanned<Sites>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let demands = |condition: &Spanned<Condition>| demands_empty(rules, condition, depth);
    match &region.node {
        Sites::Empty => true,
        Sites::And(all) => all.iter().all(|part| needs_empty(rules, part, depth)),
        Sites::When(condition, part) => demands(condition) && needs_empty(rules, part, depth),
        Sites::Where(binder, condition) => match &binder.domain {
            Domain::Sites(domain) => needs_empty(rules, domain, depth) && demands(condition),
            _ => false,
        },
        Sites::Call(definition, arguments) => match body(rules, *definition, arguments) {
            Some(Value::Sites(body)) => needs_empty(rules, body, depth),
            _ => false,
        },
        _ => is_fixed(rules, Expression::Sites(region)),
    }
}

/// Tests if a condition either never holds or holds exactly when certain sites, always the same
/// ones, are empty.
fn demands_empty(rules: &Rules, condition: &Spanned<Condition>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match &condition.node {
        Condition::And(all) => all.iter().all(|part| demands_empty(rules, part, depth)),
        Condition::In(site, region) => {
            is_fixed(rules, Expression::Site(site)) && needs_empty(rules, region, depth)
        }
        Condition::Any(region) => match &region.node {
            // A single site that must be in all the other regions.
            Sites::And(all) => {
                let is_site = |part: &Spanned<Sites>| {
                    matches!(part.node, Sites::One(_)) && is_fixed(rules, Expression::Sites(part))
                };
                all.iter().any(is_site) && all.iter().all(|part| needs_empty(rules, part, depth))
            }
            _ => is_fixed(rules, Expression::Sites(region)),
        },
        Condition::Every(binder, inner) => {
            let is_known = binder.domain.parts();
            is_known.into_iter().all(|part| is_fixed(rules, part))
                && demands_empty(rules, inner, depth)
        }
        Condition::Call(definition, arguments) => match body(rules, *definition, arguments) {
            Some(Value::Condition(body)) => demands_empty(rules, body, depth),
            _ => false,
        },
        _ => is_fixed(rules, Expression::Condition(condition)),
    }
}

/// The plies of a filling game, and the parts of its positions.
pub struct FillingPlies {
    sites: Set,
    /// The number of sets that hold pieces; they come first.
    pieces: usize,
    plies: Vec<FillingPly>,
    /// Random numbers, by image (the identity first) and site number.
    numbers: Vec<Vec<Hashes>>,
    /// The neighbours, by order of directions and site number.
    beside: Vec<Vec<Vec<usize>>>,
    /// A cache: the sum of the hashes of the parts, by small set of empty sites.
    small: FxHashMap<u64, Hashes>,
    /// The parts found by the last search.
    found: Vec<Set>,
    /// The empty sites of the current position, its parts with their hashes, and the sum of these
    /// hashes.
    at_empty: Set,
    at: Vec<(Set, Hashes)>,
    at_sum: Hashes,
}

/// A ply of a decision.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FillingPly {
    decision: usize,
    needs: Set,
    fills: Set,
}

impl FillingPly {
    /// Tests if the sites contain all sites that the ply needs.
    #[inline(always)]
    fn is_within(&self, sites: Set) -> bool {
        (self.needs & !sites).is_none()
    }
}

/// The numbers of sites in a walk, by site.
type Numbers = [u8; WIDEST];

impl FillingPlies {
    /// Determines if the rules prove that a game is a filling game, and lists all plies that can be
    /// made from a state on. Returns `None` also on large boards, and where [`filling_plies`] does.
    pub fn of(from: &State, mappings: &[Mapping]) -> Option<FillingPlies> {
        let game = from.game();
        let board = &game.rules().board;
        if board.slots() > WIDEST || !is_filling(game.rules()) {
            return None;
        }
        let mut random = Random::new(SEED);
        let numbers: Vec<Hashes> =
            (0..board.slots()).map(|_| [random.bits64(), random.bits64()]).collect();
        let images = mappings
            .iter()
            .map(|mapping| (0..board.slots()).map(|site| numbers[mapping.site(site)]).collect());
        let images = images.collect::<Vec<_>>();
        Some(FillingPlies {
            sites: board.sites().map(|site| site.index()).collect(),
            pieces: usize::from(game.program().layout.pieces_end),
            plies: filling_plies(from)?,
            numbers: std::iter::once(numbers).chain(images).collect(),
            beside: turnings(board).iter().map(|ways| beside(board, ways)).collect(),
            small: FxHashMap::default(),
            found: Vec::new(),
            at_empty: Bits::NONE,
            at: Vec::new(),
            at_sum: [0; 2],
        })
    }
}

/// Lists the neighbours of each site, in an order of directions.
fn beside(board: &Board, ways: &[Direction; Direction::COUNT]) -> Vec<Vec<usize>> {
    let ways = board.rings().flatten().map(|way| ways[way.index()]);
    let ways: Vec<Direction> = ways.collect();
    let beside = |site: usize| {
        let next = ways.iter().filter_map(|&way| board.step(Site(site as u16), way));
        next.map(Site::index).collect()
    };
    (0..board.slots()).map(beside).collect()
}

/// Returns the empty sites of a position.
fn empty(sites: Set, pieces: usize, words: &[u64]) -> Set {
    words.iter().take(pieces).fold(sites, |empty, &set| empty & !Bits([set]))
}

/// Determines which sites each ply needs and fills, by filling one empty site of the state after
/// the other; `None` if a ply fills a site that it does not need, or if there are too many plies.
fn filling_plies(from: &State) -> Option<Vec<FillingPly>> {
    let game: &Game = from.game();
    let sites: Set = game.rules().board.sites().map(|site| site.index()).collect();
    let pieces = usize::from(game.program().layout.pieces_end);
    let (mut state, mut position) = (from.clone(), from.position());
    let first = empty(sites, pieces, position.words());
    let numbers = position.numbers().to_vec();
    let mut plies: Vec<FillingPly> = Vec::new();
    if game.decisions().len() > MOST_DECISIONS {
        return None;
    }
    for decision in 0..game.decisions().len() {
        position.set_at(decision as u16, numbers.iter().copied());
        state.go_to(&position);
        let all = state.candidates();
        if plies.len() + all.len() > MOST_PLIES {
            return None;
        }
        let mut needs = vec![Set::NONE; all.len()];
        for site in first.iter() {
            let mut without = position.clone();
            without.words_mut()[site / 64] |= 1 << (site % 64);
            state.go_to(&without);
            let left: FxHashSet<PackedMove> = state.candidates().into_iter().collect();
            for (ply, needs) in all.iter().zip(&mut needs) {
                if !left.contains(ply) {
                    *needs |= Bits::single(site);
                }
            }
        }
        for (&ply, needs) in all.iter().zip(needs) {
            state.go_to(&position);
            let after = state.ahead(ply, |state| state.position());
            let fills = first & !empty(sites, pieces, after.words());
            if !(fills & !needs).is_none() {
                return None;
            }
            let ply = FillingPly { decision, needs, fills };
            if !plies.contains(&ply) {
                plies.push(ply);
            }
        }
    }
    Some(plies)
}

impl FillingPlies {
    /// Finds the parts of the empty sites.
    fn find(&mut self, empty: Set) {
        let found = &mut self.found;
        found.clear();
        for ply in self.plies.iter().filter(|ply| ply.is_within(empty)) {
            // Consecutive plies are often in the same part.
            if found.last().is_some_and(|&last| ply.is_within(last)) {
                continue;
            }
            let mut part = ply.needs;
            let mut kept = 0;
            for index in 0..found.len() {
                let other = found[index];
                if (other & ply.needs).is_none() {
                    found[kept] = other;
                    kept += 1;
                } else {
                    part |= other;
                }
            }
            found.truncate(kept);
            found.push(part);
        }
    }

    /// Returns the sum of the hashes of the parts of these empty sites.
    fn sum(&mut self, empty: Set) -> Hashes {
        if let Some(&known) = self.small.get(&empty.0[0]) {
            return known;
        }
        self.find(empty);
        let mut sum = [0; 2];
        for index in 0..self.found.len() {
            sum = add(sum, self.hash(self.found[index]));
        }
        self.remember(empty, sum);
        sum
    }

    /// Caches the sum for a small set of sites.
    fn remember(&mut self, empty: Set, sum: Hashes) {
        if empty.count() as usize <= SMALL {
            if self.small.len() == REMEMBERED {
                self.small.clear();
            }
            self.small.insert(empty.0[0], sum);
        }
    }

    /// Returns the hash of a part.
    fn hash(&mut self, part: Set) -> Hashes {
        if part.count() as usize > SMALL {
            return self.large(part);
        }
        if let Some(&known) = self.small.get(&part.0[0]) {
            return known;
        }
        let own: Vec<FillingPly> =
            self.plies.iter().filter(|ply| ply.is_within(part)).copied().collect();
        let starts = rarest(part, &own);
        let walks = self.beside.iter().flat_map(|beside| {
            starts.iter().filter_map(|&site| Some(walked(&own, &walk(site, part, beside)?)))
        });
        let hashes = walks.min().unwrap_or_else(|| self.large(part));
        self.remember(part, hashes);
        hashes
    }

    /// Returns the hash of a part by its sites: the least hash of its images.
    fn large(&self, part: Set) -> Hashes {
        let image = |numbers: &Vec<Hashes>| {
            part.iter().fold([0; 2], |[one, other], site| {
                [one ^ numbers[site][0], other ^ numbers[site][1]]
            })
        };
        let [one, other] = self.numbers.iter().map(image).min().unwrap_or_default();
        [mix(one, other), mix(other, one)]
    }
}

/// Lists the smallest class of sites of a part that are needed by equally many plies of each
/// decision.
fn rarest(part: Set, plies: &[FillingPly]) -> Vec<usize> {
    let mut sites: Vec<(u64, usize)> = part.iter().map(|site| (0, site)).collect();
    for (use_of, site) in &mut sites {
        let using = plies.iter().filter(|ply| ply.needs.has(*site));
        *use_of = using.fold(0, |sum, ply| sum.wrapping_add(mix(ply.decision as u64, SEED)));
    }
    sites.sort_unstable();
    let alike = sites.chunk_by(|one, other| one.0 == other.0);
    let rarest = alike.min_by_key(|alike| (alike.len(), alike[0].0)).unwrap_or_default();
    rarest.iter().map(|&(_, site)| site).collect()
}

/// Numbers the sites of a small part in the order of a walk; `None` if the walk does not reach all.
fn walk(from: usize, part: Set, beside: &[Vec<usize>]) -> Option<Numbers> {
    let mut left = part & !Bits::single(from);
    let mut numbers = [0; WIDEST];
    let mut sites = [from; SMALL];
    let (mut next, mut length) = (0, 1);
    while next < length {
        for &site in &beside[sites[next]] {
            if left.has(site) {
                left &= !Bits::single(site);
                numbers[site] = length as u8;
                sites[length] = site;
                length += 1;
            }
        }
        next += 1;
    }
    left.is_none().then_some(numbers)
}

/// Returns a hash of plies with their sites numbered.
fn walked(plies: &[FillingPly], numbers: &Numbers) -> Hashes {
    let numbered = |sites: Set| sites.iter().fold(0u64, |all, site| all | 1 << numbers[site]);
    plies.iter().fold([0; 2], |sum, ply| {
        let ply = (ply.decision as u64) << (2 * SMALL)
            | numbered(ply.needs) << SMALL
            | numbered(ply.fills);
        add(sum, [mix(SEED, ply), mix(!SEED, ply)])
    })
}

fn add([one, other]: Hashes, [more, another]: Hashes) -> Hashes {
    [one.wrapping_add(more), other.wrapping_add(another)]
}

impl FillingPlies {
    /// Goes to a position, by the words of its sets: hashing the positions after it is then faster.
    pub fn go_to(&mut self, words: &[u64]) {
        let empty = empty(self.sites, self.pieces, words);
        self.find(empty);
        self.at_empty = empty;
        self.at.clear();
        for index in 0..self.found.len() {
            let part = self.found[index];
            let own = self.hash(part);
            self.at.push((part, own));
        }
        self.at_sum = self.at.iter().fold([0; 2], |sum, &(_, part)| add(sum, part));
    }

    /// Returns the sum of the hashes of the parts of a position.
    pub fn hashes(&mut self, words: &[u64]) -> Hashes {
        let empty = empty(self.sites, self.pieces, words);
        if !(empty & !self.at_empty).is_none() {
            return self.sum(empty);
        }
        let filled = self.at_empty & !empty;
        let mut sum = self.at_sum;
        for index in 0..self.at.len() {
            let (part, [one, other]) = self.at[index];
            if !(part & filled).is_none() {
                sum = add(sum, [one.wrapping_neg(), other.wrapping_neg()]);
                sum = add(sum, self.sum(part & empty));
            }
        }
        sum
    }
}

/// A clone starts with an empty cache.
impl Clone for FillingPlies {
    fn clone(&self) -> Self {
        FillingPlies {
            plies: self.plies.clone(),
            numbers: self.numbers.clone(),
            beside: self.beside.clone(),
            small: FxHashMap::default(),
            found: Vec::new(),
            at: self.at.clone(),
            ..*self
        }
    }
}
