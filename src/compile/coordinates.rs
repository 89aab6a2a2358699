//! Compiles rows, columns and distances, and the arithmetic of numbers that are known for each
//! site.
//!
//! A number that depends on the lifted site only, such as its row, is worked out for every site
//! during compilation ([`Amount::Known`]), and so are numbers computed from it. Its comparison with
//! a constant is a constant region. The distance from a site that is known only in play is a table
//! entry for one site; for all sites it is compared by widening rings around that site.

use super::assembler::{FIXED, Num, Set};
use super::numbers::MAX_FIELD_BITS;
use super::plan::Why;
use super::values::{Amount, Field, Quantity, Scope, SiteOperand};
use super::{Compiled, Compiler, Stop};
use crate::board::{Board, Direction, Site};
use crate::language::rules::{Comparison, SiteOf, Spanned};
use std::rc::Rc;

/// The maximal number of rings around a site; each takes two instructions. A farther distance is
/// computed for one site at a time.
const MAX_RINGS: u16 = 32;

/// The number of set registers of the position and of constants up to which numbers that are known
/// for each site, and steps from constants, become constants. The others are left for what needs
/// them.
const MAX_CONSTANTS: usize = FIXED as usize * 3 / 4;

/// The site at the end of a path, for each site of the board, by site number.
type Ends = Vec<Option<Site>>;

impl<'r> Compiler<'r> {
    /// Evaluates a number that each site has, and nowhere as 0.
    pub(super) fn coordinate(
        &mut self,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
        number: impl Fn(&Board, Site) -> usize,
    ) -> Compiled<Quantity> {
        let board = self.board;
        let number = |site: Option<Site>| site.map_or(0, |site| number(board, site) as i64);
        let amount = match self.site_operand(site, scope)? {
            SiteOperand::Nowhere => Amount::Fixed(0),
            SiteOperand::Fixed(site) => Amount::Fixed(number(Some(site))),
            SiteOperand::Lifted { path, .. } => {
                Amount::Known(self.ends(&path).into_iter().map(number).collect())
            }
            SiteOperand::In(site) => {
                let all: Rc<[i64]> = self.ends(&[]).into_iter().map(number).collect();
                Amount::In(self.site_entry(&all, site))
            }
        };
        Ok(Quantity::whole(amount))
    }

    /// Evaluates the distance of two sites.
    pub(super) fn distance(
        &mut self,
        from: &'r Spanned<SiteOf>,
        to: &'r Spanned<SiteOf>,
        directions: &[Direction],
        scope: &Scope<'r>,
    ) -> Compiled<Quantity> {
        let far = Amount::Fixed(Board::FAR as i64);
        let (from, to) = (self.site_operand(from, scope)?, self.site_operand(to, scope)?);
        let amount = match (&from, &to) {
            (SiteOperand::Nowhere, _) | (_, SiteOperand::Nowhere) => far,
            (SiteOperand::Fixed(from), SiteOperand::Fixed(to)) => {
                Amount::Fixed(i64::from(self.distances(*from, directions)[to.index()]))
            }
            (SiteOperand::Lifted { path, .. }, SiteOperand::Fixed(to)) => {
                self.lifted_distance(path, *to, &opposite(directions))
            }
            (SiteOperand::Fixed(from), SiteOperand::Lifted { path, .. }) => {
                self.lifted_distance(path, *from, directions)
            }
            (SiteOperand::Lifted { path, .. }, SiteOperand::In(to)) => {
                Amount::Field(self.rings(*to, path, &opposite(directions))?)
            }
            (SiteOperand::In(from), SiteOperand::Lifted { path, .. }) => {
                Amount::Field(self.rings(*from, path, directions)?)
            }
            (SiteOperand::Lifted { .. }, SiteOperand::Lifted { .. }) => {
                return Err(Stop::NotLiftable(Why::TwoSites));
            }
            _ => {
                let (from, to) = (self.site_number(&from)?, self.site_number(&to)?);
                let ways = self.ways(Self::mask(directions));
                Amount::In(self.asm.distance(ways, from, to))
            }
        };
        Ok(Quantity::whole(amount))
    }

    /// Returns the distance from a fixed site to the end of the path, for each site.
    fn lifted_distance(
        &mut self,
        path: &[Direction],
        from: Site,
        directions: &[Direction],
    ) -> Amount {
        let distances = self.distances(from, directions);
        let distance = |end: Option<Site>| {
            end.map_or(Board::FAR as i64, |end| i64::from(distances[end.index()]))
        };
        Amount::Known(self.ends(path).into_iter().map(distance).collect())
    }

    /// Returns the distance from a site that is known in play to the end of the path, as a field.
    fn rings(
        &mut self,
        from: Num,
        path: &[Direction],
        directions: &[Direction],
    ) -> Compiled<Field> {
        let farthest = self.farthest(directions);
        if farthest > MAX_RINGS {
            return Err(Stop::NotLiftable(Why::Length));
        }
        // The k-th set has the sites that are at least k steps away; the last one those that cannot
        // be reached.
        let board = self.asm.board();
        let mut reached = self.asm.single(from);
        let mut ladder = Vec::with_capacity(Board::FAR);
        for steps in 0..=farthest {
            if steps > 0 {
                let next = self.beside(reached, directions);
                reached = self.asm.or(reached, next);
            }
            let ends = self.back(reached, path);
            ladder.push(self.asm.without(board, ends));
        }
        let unreached = ladder[ladder.len() - 1];
        let near = self.sum_bits(ladder.clone());
        let rest = Board::FAR - ladder.len();
        let far: Vec<Set> = (0..usize::BITS - rest.leading_zeros())
            .map(|bit| if rest >> bit & 1 == 1 { unreached } else { self.asm.none() })
            .collect();
        let bits = self.add_bits(&near, &far);
        ladder.resize(Board::FAR, unreached);
        Ok(Field { ladder, ..Field::new(bits) })
    }

    /// Returns the greatest distance of two sites that steps join.
    fn farthest(&mut self, directions: &[Direction]) -> u16 {
        let mask = Self::mask(directions);
        if let Some(&known) = self.farthest.get(&mask) {
            return known;
        }
        let far = Board::FAR as u16;
        let sites: Vec<Site> = self.board.sites().collect();
        let farthest = sites
            .into_iter()
            .filter_map(|site| {
                self.distances(site, directions).into_iter().filter(|&one| one < far).max()
            })
            .max();
        *self.farthest.entry(mask).or_insert(farthest.unwrap_or(0))
    }

    /// Returns the distances from a site, and counts the work.
    fn distances(&mut self, from: Site, directions: &[Direction]) -> Vec<u16> {
        self.spent.computed += self.board.slots() / 2;
        self.board.distances(from, directions)
    }

    /// Returns the site at the end of a path from each site of the board.
    fn ends(&self, path: &[Direction]) -> Ends {
        let follow =
            |site| path.iter().try_fold(site, |site, &direction| self.board.step(site, direction));
        let slots = self.board.slots() as u16;
        let sites =
            (0..slots).map(Site).map(|site| Some(site).filter(|&it| self.board.contains(it)));
        sites.map(|site| site.and_then(follow)).collect()
    }

    /// Returns the entry of a list for a site that is known in play; 0 for nowhere.
    fn site_entry(&mut self, all: &[i64], site: Num) -> Num {
        let planes = self.known_planes(all, 0);
        self.number_in_planes(&planes, site, 0)
    }

    /// Returns the number that bit planes hold at a site in a register, plus an offset; the offset
    /// for nowhere.
    pub(super) fn number_in_planes(&mut self, planes: &[Set], site: Num, offset: i32) -> Num {
        let number = self.starting_at(offset);
        for (bit, plane) in planes.iter().enumerate() {
            self.asm.bit(bit as u8, number, *plane, site);
        }
        number
    }

    /// Returns the bit planes of numbers that are known for each site, less an offset that is at
    /// most the least of them.
    pub(super) fn known_planes(&mut self, all: &[i64], offset: i64) -> Vec<Set> {
        let sites: Vec<Site> = self.board.sites().collect();
        let most = sites.iter().map(|site| all[site.index()] - offset).max().unwrap_or(0);
        (0..i64::BITS - most.leading_zeros())
            .map(|bit| {
                let has = |site: &&Site| (all[site.index()] - offset) >> bit & 1 == 1;
                self.constant_set(sites.iter().filter(has).copied().collect())
            })
            .collect()
    }

    /// Checks that there are registers for some more constants.
    pub(super) fn reserve_constants(&self, count: usize) -> Compiled<()> {
        let used = usize::from(self.layout.sets) + self.constants.len();
        match used + count <= MAX_CONSTANTS {
            true => Ok(()),
            false => Err(Stop::NotLiftable(Why::Arithmetic)),
        }
    }

    /// Returns a constant set; folding recognizes the empty set and the set of all sites.
    pub(super) fn constant_set(&mut self, sites: Vec<Site>) -> Set {
        match sites.len() {
            0 => self.asm.none(),
            _ if self.board.is_all(&sites) => self.asm.board(),
            _ => self.constant(sites),
        }
    }

    /// Returns a set that is known before play one step further, as long as constants are few.
    pub(super) fn shifted_constant(&mut self, set: Set, direction: Direction) -> Option<Set> {
        let step = |sites: &mut dyn Iterator<Item = Site>| -> Vec<Site> {
            let mut ends: Vec<Site> =
                sites.filter_map(|site| self.board.step(site, direction)).collect();
            ends.sort_unstable();
            ends
        };
        let ends = if set == self.asm.board() {
            step(&mut self.board.sites())
        } else {
            step(&mut self.constant_sites(set)?.iter().copied())
        };
        let used = usize::from(self.layout.sets) + self.constants.len();
        let is_new = !self.constants.contains_key(&ends);
        (!is_new || used < MAX_CONSTANTS).then(|| self.constant_set(ends))
    }

    /// Returns the sites for which a comparison holds, if both amounts, which have one scale, are
    /// known for each site and differ from site to site.
    pub(super) fn compare_known(
        &mut self,
        comparison: Comparison,
        left: &Amount,
        right: &Amount,
    ) -> Compiled<Option<Set>> {
        if !is_known(left, right) {
            return Ok(None);
        }
        self.reserve_constants(1)?;
        let sites: Vec<Site> = self.board.sites().collect();
        let holds = |site: &Site| Some(comparison.holds(left.at(*site)?, right.at(*site)?));
        let found = sites.into_iter().filter(|site| holds(site) == Some(true)).collect();
        Ok(Some(self.constant_set(found)))
    }

    /// Computes a number from two amounts of that scale for each site, if both are known for each
    /// site and differ from site to site.
    pub(super) fn pointwise(
        &self,
        left: &Amount,
        right: &Amount,
        scale: i64,
        compute: impl Fn(i64, i64) -> i64,
    ) -> Option<Amount> {
        if !is_known(left, right) {
            return None;
        }
        let (least, most) =
            (i64::from(i32::MIN).saturating_mul(scale), i64::from(i32::MAX).saturating_mul(scale));
        let all: Option<Rc<[i64]>> = (0..self.board.slots() as u16)
            .map(Site)
            .map(|site| Some(compute(left.at(site)?, right.at(site)?).clamp(least, most)))
            .collect();
        all.map(Amount::Known)
    }

    /// Returns numbers that are known for each site as a field. Anything else stays.
    pub(super) fn unknown(&mut self, amount: Amount) -> Compiled<Amount> {
        let Amount::Known(all) = &amount else { return Ok(amount) };
        let numbers = || self.board.sites().map(|site| all[site.index()]);
        let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        if most - least >= 1 << (MAX_FIELD_BITS - 1) {
            return Err(Stop::NotLiftable(Why::Arithmetic));
        }
        self.reserve_constants((i64::BITS - (most - least).leading_zeros()) as usize)?;
        let bits = self.known_planes(all, least);
        Ok(Amount::Field(Field { offset: least, ..Field::new(bits) }))
    }
}

impl Amount {
    /// Returns the amount for a site, if it is known before play.
    fn at(&self, site: Site) -> Option<i64> {
        match self {
            Amount::Fixed(number) => Some(*number),
            Amount::Known(all) => all.get(site.index()).copied(),
            Amount::In(_) | Amount::Field(_) => None,
        }
    }
}

/// Tests if both are known before play, and not only constants.
fn is_known(left: &Amount, right: &Amount) -> bool {
    matches!(
        (left, right),
        (Amount::Known(_), Amount::Known(_) | Amount::Fixed(_))
            | (Amount::Fixed(_), Amount::Known(_))
    )
}

/// Returns the opposites of directions.
fn opposite(directions: &[Direction]) -> Vec<Direction> {
    directions.iter().map(|direction| direction.opposite()).collect()
}
