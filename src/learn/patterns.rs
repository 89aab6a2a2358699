//! Patterns: small windows of sites along the steps of the board, and the tables of their states.
//!
//! The states of a window's sites, read as digits, are the index of a weight: an n-tuple network
//! (Simon Lucas, *Learning to Play Othello with N-Tuple Systems*, Australian Journal of Intelligent
//! Information Processing Systems 9, 2008; Wojciech Jaśkowski, *Systematic N-Tuple Networks for
//! Othello Position Evaluation*, ICGA Journal 37, 2014).
//!
//! - A **block** is the set of windows that the proven symmetries of the game map to each other.
//!   They share weights for their place on the board.
//! - A **family** is the set of windows of one shape. They also share weights for all places, so
//!   that weights learned in one place count in the others.
//!
//! The index of a window is composed from the indices of two smaller windows, which other windows
//! share: `left + factor × right`, one multiplication per window.

use super::sites::SiteStates;
use crate::board::{Board, Direction, Site};
use crate::engine::game::Game;
use crate::solve::symmetry::{Symmetry, symmetries};
use rustc_hash::FxHashMap;

/// The sites of a window in the order in which they are read; `None` is beyond the edge.
type WindowSites = Vec<Option<Site>>;

/// The most entries of the tables of one family's blocks together.
const MAX_LOCAL: usize = 1 << 18;
/// The most entries of a family whose blocks have no weights of their own.
const MAX_ALONE: usize = 1 << 16;
/// The most entries of the table of neighbourhoods.
const MAX_SHARED: usize = 1 << 18;
/// Lines of three with this many states get pairs beside them: few of their states come up often.
const MANY_STATES: u32 = 4_096;
/// The most windows in all.
const MAX_WINDOWS: usize = 6_000;

/// A window's code from the codes of two smaller ones: `left + factor × right`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Join {
    left: u32,
    right: u32,
    factor: u32,
}

/// A window whose entry is added to the sum.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The place of its code among all codes.
    code: u32,
    pub block: u32,
    /// Where its sites begin in [`Patterns::places`].
    first: u32,
}

/// Windows that share a table.
#[derive(Debug)]
pub struct Block {
    pub family: u32,
    /// The sites of one of its windows, `None` beyond the edge of the board.
    pub sites: WindowSites,
    /// The number of its windows.
    pub windows: u32,
    /// Where its entries begin in the tables.
    pub table: u32,
    /// By entry: the weight of the block; empty if only the family has weights.
    pub own: Vec<u32>,
}

/// Windows of one shape.
#[derive(Debug)]
pub struct Family {
    /// The number of site states per digit. The highest may mean "beyond the edge".
    pub base: u32,
    pub digits: u32,
    /// By entry: the weight of the family.
    pub shared: Vec<u32>,
}

/// All windows of a board.
#[derive(Debug, Default)]
pub struct Patterns {
    joins: Vec<Join>,
    /// The sites of the windows, in the order of their digits.
    places: WindowSites,
    pub windows: Vec<Window>,
    pub blocks: Vec<Block>,
    pub families: Vec<Family>,
    /// The number of entries of all tables.
    pub entries: usize,
    /// The number of weights.
    pub weights: u32,
    slots: usize,
    /// The state that stands for "beyond the edge".
    outside: u32,
}

/// A shape in one orientation: the steps from its first site to each of its sites.
struct Shape {
    steps: Vec<Vec<Direction>>,
}

/// The windows under construction.
struct Builder<'b> {
    board: &'b Board,
    group: Vec<Symmetry>,
    states: u32,
    made: Patterns,
    joined: FxHashMap<Join, u32>,
}

impl Patterns {
    /// Makes the windows of a game's board.
    pub fn new(game: &Game, states: &SiteStates) -> Patterns {
        let board = &game.rules().board;
        let made = Patterns {
            slots: board.slots(),
            outside: states.count() as u32,
            ..Patterns::default()
        };
        let mut builder = Builder {
            board,
            group: symmetries(game),
            states: states.count() as u32,
            made,
            joined: FxHashMap::default(),
        };
        builder.lines();
        builder.rectangles();
        builder.neighbourhoods();
        builder.single_sites();
        builder.made
    }

    /// Computes the codes of windows from the codes of the slots, which come first.
    #[inline]
    pub fn complete(&self, codes: &mut [u32]) {
        codes[self.slots] = self.outside;
        for (place, join) in (self.slots + 1..).zip(&self.joins) {
            codes[place] = codes[join.left as usize] + join.factor * codes[join.right as usize];
        }
    }

    /// Returns the number of codes.
    pub fn codes(&self) -> usize {
        self.slots + 1 + self.joins.len()
    }

    /// Returns the code of a window.
    pub fn code(&self, window: &Window, codes: &[u32]) -> u32 {
        codes[window.code as usize]
    }

    /// Returns the sites of a window, in the order of the digits of its code.
    pub fn sites_of(&self, window: &Window) -> &[Option<Site>] {
        let count = self.blocks[window.block as usize].sites.len();
        &self.places[window.first as usize..][..count]
    }

    /// Returns where the entries of each window begin, and where its code is.
    pub fn lookups(&self) -> Vec<(u32, u32)> {
        let table = |window: &Window| self.blocks[window.block as usize].table;
        self.windows.iter().map(|window| (table(window), window.code)).collect()
    }

    /// Returns the weights that an entry adds up: the block's, if it has any, and the family's.
    #[inline]
    pub fn weights_of(&self, window: &Window, codes: &[u32]) -> (Option<u32>, u32) {
        let block = &self.blocks[window.block as usize];
        let code = codes[window.code as usize] as usize;
        (block.own.get(code).copied(), self.families[block.family as usize].shared[code])
    }

    /// Returns the state of each site of a window with this code, in the order of
    /// [`Block::sites`].
    pub fn digits(&self, block: &Block, mut code: u32) -> Vec<u32> {
        let base = self.families[block.family as usize].base;
        let digit = |_| {
            let digit = code % base;
            code /= base;
            digit
        };
        (0..block.sites.len()).map(digit).collect()
    }

    /// Returns the state that means "beyond the edge".
    pub fn outside(&self) -> u32 {
        self.outside
    }
}

impl Builder<'_> {
    /// Adds single sites, unless windows with weights of their own cover the board.
    fn single_sites(&mut self) {
        let mut covered = vec![false; self.made.slots];
        for block in self.made.blocks.iter().filter(|block| !block.own.is_empty()) {
            for site in block.sites.iter().flatten() {
                covered[site.index()] = true;
                self.group.iter().for_each(|one| covered[one.site(*site).index()] = true);
            }
        }
        if self.board.sites().all(|site| covered[site.index()]) {
            return;
        }
        self.family(&[Shape { steps: vec![Vec::new()] }], true, true);
    }

    /// Adds lines of four sites, or of fewer where a block would have too many weights; the longer
    /// lines then have at least the family's weights. Where lines of three have too many states to
    /// come up often, pairs are added, too.
    fn lines(&mut self) {
        let axes: Vec<Direction> = self
            .board
            .all()
            .iter()
            .copied()
            .filter(|direction| direction.index() < direction.opposite().index())
            .collect();
        let sites = self.board.len() * axes.len();
        for length in [4usize, 3, 2] {
            let line = |&direction: &Direction| Shape {
                steps: (0..length).map(|steps| vec![direction; steps]).collect(),
            };
            let shapes: Vec<Shape> = axes.iter().map(line).collect();
            let is_local = self.add(length as u32, sites, &shapes);
            if is_local && (length != 3 || self.states.pow(3) < MANY_STATES) {
                break;
            }
        }
    }

    /// Adds rectangles of two by three sites, or two by two; rhombi where the grid is not square.
    fn rectangles(&mut self) {
        let ring = self.board.orthogonal();
        let Some((&one, &other)) = ring.first().zip(ring.get(1)) else { return };
        let rectangle = |along: Direction, columns: usize, across: Direction| {
            let steps = (0..2).flat_map(|row| {
                (0..columns).map(move |column| {
                    let mut steps = vec![across; row];
                    steps.extend(vec![along; column]);
                    steps
                })
            });
            Shape { steps: steps.collect() }
        };
        let sites = self.board.len();
        if ring.len() == 4 {
            let wide = [rectangle(other, 3, one), rectangle(one, 3, other)];
            if !self.add(6, 2 * sites, &wide) {
                self.add(4, sites, &[rectangle(other, 2, one)]);
            }
        } else {
            let third = ring[2];
            let rhombi = [
                rectangle(other, 2, one),
                rectangle(third, 2, other),
                rectangle(third.opposite(), 2, one),
            ];
            self.add(4, 3 * sites, &rhombi);
        }
    }

    /// Adds each site with all its neighbours, or its orthogonal ones, even beyond the edge.
    fn neighbourhoods(&mut self) {
        let around = |directions: &[Direction]| Shape {
            steps: std::iter::once(Vec::new())
                .chain(directions.iter().map(|&direction| vec![direction]))
                .collect(),
        };
        use Direction::{E, N, NE, NW, S, SE, SW, W};
        // Row by row, so that windows have rows in common.
        let square = [&[SW][..], &[S], &[SE], &[W], &[], &[E], &[NW], &[N], &[NE]];
        let whole = match self.board.compass().len() {
            8 => Shape { steps: square.iter().map(|steps| steps.to_vec()).collect() },
            _ => around(self.board.compass()),
        };
        let star = around(self.board.orthogonal());
        let size = |shape: &Shape| {
            (self.states + 1)
                .checked_pow(shape.steps.len() as u32)
                .map_or(usize::MAX, |n| n as usize)
        };
        if size(&whole) <= MAX_SHARED {
            self.family(&[whole], false, false);
        } else if size(&star) <= MAX_SHARED {
            self.family(&[star], false, false);
        }
    }

    /// Adds the windows of some orientations of a shape of `digits` sites, about `places` windows,
    /// if their tables are small enough. Returns whether their blocks have weights of their own.
    fn add(&mut self, digits: u32, places: usize, shapes: &[Shape]) -> bool {
        let size = self.states.checked_pow(digits).map_or(usize::MAX, |size| size as usize);
        let blocks = places.div_ceil(self.group.len() + 1);
        let own = size.saturating_mul(blocks) <= MAX_LOCAL;
        if own || size <= MAX_ALONE {
            self.family(shapes, true, own);
        }
        own
    }

    /// Returns the sites of a shape from its first site on. `None` if one occurs twice or, with
    /// `inside`, lies beyond the edge.
    fn place(&self, shape: &Shape, first: Site, inside: bool) -> Option<WindowSites> {
        let mut sites = Vec::new();
        for steps in &shape.steps {
            let walk = |site: Site, &step: &Direction| self.board.step(site, step);
            let site = steps.iter().try_fold(first, walk);
            if inside && site.is_none() {
                return None;
            }
            sites.push(site);
        }
        // On a small board that wraps, a line may come back to itself.
        let twice =
            |(index, site): (usize, &Option<Site>)| site.is_some() && sites[..index].contains(site);
        (!sites.iter().enumerate().any(twice)).then_some(sites)
    }

    /// Adds the windows of some orientations of a shape: a family for each set of orientations that
    /// the symmetries map to each other. With `inside`, all sites are on the board; with `own`,
    /// blocks have weights of their own.
    fn family(&mut self, shapes: &[Shape], inside: bool, own: bool) {
        let base = self.states + u32::from(!inside);
        // A window by its sites in ascending order: its block, and the order in which it is read.
        let mut known: FxHashMap<WindowSites, (u32, WindowSites)> = FxHashMap::default();
        for shape in shapes {
            let generated: Vec<WindowSites> =
                self.board.sites().filter_map(|site| self.place(shape, site, inside)).collect();
            let is_image = generated.first().is_none_or(|first| known.contains_key(&key(first)));
            if is_image && inside || generated.is_empty() {
                continue;
            }
            if self.made.windows.len() + generated.len() > MAX_WINDOWS {
                continue;
            }
            let digits = shape.steps.len() as u32;
            let family = self.made.families.len() as u32;
            let orders = self.orders_of_shape(shape, &generated, inside);
            let size = base.pow(digits) as usize;
            let first = self.made.weights;
            let shared = canonical(base, digits, &orders);
            self.made.weights += size as u32;
            self.made.families.push(Family {
                base,
                digits,
                shared: shared.into_iter().map(|code| first + code).collect(),
            });
            if !inside {
                let block = self.block(family, &generated[0], Vec::new(), size);
                for sites in &generated {
                    self.window(block, sites, base);
                }
                continue;
            }
            let whole = (!own).then(|| self.block(family, &generated[0], Vec::new(), size));
            for sites in &generated {
                if known.contains_key(&key(sites)) {
                    continue;
                }
                let block = whole.unwrap_or(self.made.blocks.len() as u32);
                known.insert(key(sites), (block, sites.clone()));
                let mut orders = Vec::new();
                let mut windows = vec![sites.clone()];
                for symmetry in &self.group {
                    let image: WindowSites =
                        sites.iter().map(|site| site.map(|site| symmetry.site(site))).collect();
                    match known.get(&key(&image)) {
                        None => {
                            known.insert(key(&image), (block, image.clone()));
                            windows.push(image);
                        }
                        Some((own, order)) if *own == block => {
                            orders.extend(permutation(order, &image));
                        }
                        Some(_) => {}
                    }
                }
                if own {
                    let first = self.made.weights;
                    self.made.weights += size as u32;
                    let own = canonical(base, digits, &orders);
                    let own = own.into_iter().map(|code| first + code).collect();
                    self.block(family, sites, own, size);
                }
                for sites in &windows {
                    self.window(block, sites, base);
                }
            }
        }
    }

    /// Returns the permutations of a shape's sites under which a symmetry maps some window to
    /// another one of the same orientation.
    fn orders_of_shape(
        &self,
        shape: &Shape,
        generated: &[WindowSites],
        inside: bool,
    ) -> Vec<Vec<usize>> {
        let mut orders: Vec<Vec<usize>> = Vec::new();
        if inside {
            let by_key: FxHashMap<WindowSites, &WindowSites> =
                generated.iter().map(|sites| (key(sites), sites)).collect();
            for symmetry in &self.group {
                let image = |sites: &WindowSites| -> WindowSites {
                    sites.iter().map(|site| site.map(|site| symmetry.site(site))).collect()
                };
                let images = generated.iter().map(image);
                for image in images {
                    if let Some(order) = by_key.get(&key(&image)) {
                        orders.extend(permutation(order, &image));
                    }
                }
                orders.sort();
                orders.dedup();
            }
            return orders;
        }
        // A symmetry permutes the directions of a neighbourhood.
        for symmetry in &self.group {
            let turned = |steps: &Vec<Direction>| -> Vec<Direction> {
                steps.iter().map(|&step| symmetry.direction(step)).collect()
            };
            let order: Option<Vec<usize>> = shape
                .steps
                .iter()
                .map(|steps| shape.steps.iter().position(|known| *known == turned(steps)))
                .collect();
            orders.extend(order);
        }
        orders
    }

    fn block(&mut self, family: u32, sites: &[Option<Site>], own: Vec<u32>, size: usize) -> u32 {
        let table = self.made.entries as u32;
        self.made.entries += size;
        self.made.blocks.push(Block { family, sites: sites.to_vec(), windows: 0, table, own });
        self.made.blocks.len() as u32 - 1
    }

    fn window(&mut self, block: u32, sites: &[Option<Site>], base: u32) {
        let outside = self.made.slots as u32;
        let places: Vec<u32> =
            sites.iter().map(|site| site.map_or(outside, |site| u32::from(site.0))).collect();
        let code = self.code(&places, base);
        let first = self.made.places.len() as u32;
        self.made.places.extend(sites);
        self.made.blocks[block as usize].windows += 1;
        self.made.windows.push(Window { code, block, first });
    }

    /// Returns the place of the code of these sites; the first site is the lowest digit.
    fn code(&mut self, places: &[u32], base: u32) -> u32 {
        if let [only] = places {
            return *only;
        }
        if let [first, second] = places {
            return self.join(Join { left: *first, right: *second, factor: base });
        }
        // Rows of three and halves are shared with other windows.
        let half = match places.len() {
            4 => 2,
            6 | 9 => 3,
            _ => 1,
        };
        let left = self.code(&places[..half], base);
        let right = self.code(&places[half..], base);
        self.join(Join { left, right, factor: base.pow(half as u32) })
    }

    fn join(&mut self, join: Join) -> u32 {
        let first = self.made.slots + 1;
        let joins = &mut self.made.joins;
        *self.joined.entry(join).or_insert_with(|| {
            joins.push(join);
            (first + joins.len() - 1) as u32
        })
    }
}

/// Returns the sites of a window in ascending order.
fn key(sites: &[Option<Site>]) -> WindowSites {
    let mut key = sites.to_vec();
    key.sort_unstable();
    key
}

/// Returns the place in `order` of each site of `image`. `None` if the sites differ, or none has
/// another place.
fn permutation(order: &[Option<Site>], image: &[Option<Site>]) -> Option<Vec<usize>> {
    let found: Option<Vec<usize>> =
        image.iter().map(|site| order.iter().position(|known| known == site)).collect();
    found.filter(|found| found.iter().enumerate().any(|(index, &place)| index != place))
}

/// Returns for each code the least code that permuting its digits gives.
fn canonical(base: u32, digits: u32, orders: &[Vec<usize>]) -> Vec<u32> {
    let size = base.pow(digits);
    let mut orders = orders.to_vec();
    orders.sort();
    orders.dedup();
    let powers: Vec<u32> = (0..digits).map(|digit| base.pow(digit)).collect();
    let mut split = vec![0; digits as usize];
    let mut least: Vec<u32> = (0..size).collect();
    for code in 0..size {
        let mut rest = code;
        for digit in &mut split {
            *digit = rest % base;
            rest /= base;
        }
        for order in &orders {
            let image: u32 = order.iter().zip(&split).map(|(&to, &digit)| digit * powers[to]).sum();
            // Both codes take the lesser one, so that the orders need not include their inverses.
            let low = least[code as usize].min(least[image as usize]);
            (least[code as usize], least[image as usize]) = (low, low);
        }
    }
    // A second pass lets every code take the least of its class.
    (0..size).map(|code| least[least[code as usize] as usize]).collect()
}
