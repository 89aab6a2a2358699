//! Computes what depends on the board alone during compilation.
//!
//! A region, a condition or a number in which no piece, memory, hand or chance occurs has the same
//! value in every position. If all its variables are known, too, it becomes a constant. If one site
//! is open, it is evaluated for every site of the board: for the lifted site a condition becomes a
//! constant set and a number [`Amount::Known`]; for a site in a register a condition becomes a test
//! of membership in a constant set, and a number or a site an entry of a table.

use super::Compiler;
use super::assembler::{FIXED, Num, Set};
use super::directions::known;
use super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, PlayerOperand, Quantity, Scope, SiteOperand,
    key,
};
use crate::board::{Direction, Site};
use crate::language::board_expressions::{
    BoardValue, Evaluator, ONE, SiteSet, Variables, reads_position,
};
use crate::language::rules::{
    Condition, Local, Number, PlayerId, PlayerOf, SiteOf, Sites, Spanned,
};
use crate::language::visit::Expression;
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Limit on the work for one expression, for all its sites: a few milliseconds.
const MAX_WORK: u32 = 1 << 18;
/// Limit on the work for all expressions of a game.
const MAX_TOTAL_WORK: u32 = 1 << 21;
/// Limit on the visits to find the open site of an expression: arguments of definitions are visited
/// at every use.
const MAX_VISITS: u32 = 1 << 10;
/// The number of set registers, of the position and of constants, up to which expressions become
/// further constants.
const MAX_CONSTANTS: usize = FIXED as usize / 2;

/// The expressions known to depend, or not to depend, on the board alone, and the work spent.
#[derive(Default)]
pub(super) struct BoardValues {
    of_board: FxHashMap<(*const (), u8), bool>,
    work: u32,
}

/// The site on which an expression depends besides the board.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OpenSite {
    None,
    /// The lifted site.
    Lifted,
    /// The site in a register.
    In(Num),
}

impl<'r> Compiler<'r> {
    /// Returns a region that is known before play, if it is not trivial to compute.
    pub(super) fn board_region(
        &mut self,
        sites: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Option<Set> {
        match &sites.node {
            // What reads the position or takes no time, and what is opened first.
            Sites::Everywhere
            | Sites::Nowhere
            | Sites::Empty
            | Sites::CutOut
            | Sites::Pieces { .. }
            | Sites::Memory { .. }
            | Sites::Slide { .. }
            | Sites::Reach(..)
            | Sites::Literal(_)
            | Sites::One(_)
            | Sites::Local(_)
            | Sites::Call(..)
            | Sites::ByPlayer(..) => return None,
            _ => {}
        }
        if !self.has_room(1) {
            return None;
        }
        let known = self.board_sites(sites, scope)?;
        Some(self.constant_set(known))
    }

    /// Returns the sites of a region that is known before play, in ascending order.
    pub(super) fn board_sites(
        &mut self,
        sites: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Option<Vec<Site>> {
        let expression = Expression::Sites(sites);
        if self.open_site(expression, scope)? != OpenSite::None {
            return None;
        }
        let known = self.value(expression, scope, |evaluator, variables| {
            evaluator.sites(&sites.node, variables)
        })?;
        Some(known.iter().collect())
    }

    /// Returns the sites from which a path leads into a region, if they are known before play.
    pub(super) fn board_members(
        &mut self,
        path: &[Direction],
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Option<Set> {
        let expression = Expression::Sites(region);
        if self.open_site(expression, scope)? != OpenSite::Lifted || !self.has_room(1) {
            return None;
        }
        let sites: Vec<Site> = self.board.sites().collect();
        let regions = self.values(
            expression,
            scope,
            sites.iter().copied().map(Some),
            |evaluator, variables| evaluator.sites(&region.node, variables),
        )?;
        let leads_there = |(site, region): (Site, SiteSet)| {
            let end = path.iter().try_fold(site, |site, &way| self.board.step(site, way))?;
            region.contains(end).then_some(site)
        };
        let members = sites.into_iter().zip(regions).filter_map(leads_there).collect();
        Some(self.constant_set(members))
    }

    /// Returns the value of a condition that is known before play.
    pub(super) fn board_condition(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Option<bool> {
        let expression = asked(condition)?;
        if self.open_site(expression, scope)? != OpenSite::None {
            return None;
        }
        self.value(expression, scope, |evaluator, variables| {
            evaluator.condition(&condition.node, variables)
        })
    }

    /// Returns a player who is known before play.
    pub(super) fn board_player(
        &mut self,
        player: &'r Spanned<PlayerOf>,
        scope: &Scope<'r>,
    ) -> Option<PlayerId> {
        self.value(Expression::Player(player), scope, |evaluator, variables| {
            evaluator.player(&player.node, variables)
        })
    }

    /// Returns a number that is known before play, rounded down.
    pub(super) fn board_whole(
        &mut self,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Option<i64> {
        let value = self.value(Expression::Number(number), scope, |evaluator, variables| {
            evaluator.number(&number.node, variables)
        })?;
        i64::try_from(value.div_euclid(ONE)).ok()
    }

    /// Returns the sites for which a condition on the lifted site holds, if they are known before
    /// play.
    pub(super) fn board_condition_lifted(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Option<Set> {
        let expression = asked(condition)?;
        if self.open_site(expression, scope)? != OpenSite::Lifted || !self.has_room(1) {
            return None;
        }
        let holds = self.values_by_site(expression, scope, |evaluator, variables| {
            evaluator.condition(&condition.node, variables)
        })?;
        let sites = self.board.sites().filter(|site| holds[site.index()]).collect();
        Some(self.constant_set(sites))
    }

    /// Returns a register with a site and the sites for which a condition on it holds, if they are
    /// known before play. It does not hold for nowhere.
    pub(super) fn board_condition_at(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Option<(Num, Set)> {
        let expression = asked(condition)?;
        let OpenSite::In(site) = self.open_site(expression, scope)? else { return None };
        if !self.has_room(1) {
            return None;
        }
        let holds = self.values_by_site(expression, scope, |evaluator, variables| {
            evaluator.condition(&condition.node, variables)
        })?;
        if holds.last() != Some(&false) {
            return None;
        }
        let sites = self.board.sites().filter(|site| holds[site.index()]).collect();
        Some((site, self.constant_set(sites)))
    }

    /// Returns a number that is known before play, for each site if it depends on an open one.
    pub(super) fn board_number(
        &mut self,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Option<Quantity> {
        match &number.node {
            Number::Constant(_)
            | Number::Local(_)
            | Number::Memory { .. }
            | Number::Call(..)
            | Number::RowOf(_)
            | Number::ColumnOf(_)
            | Number::Distance { .. } => return None,
            _ => {}
        }
        let expression = Expression::Number(number);
        let open = self.open_site(expression, scope)?;
        let evaluate = |evaluator: &Evaluator, variables: &Variables| {
            evaluator.number(&number.node, variables)
        };
        let numbers = match open {
            OpenSite::None => self.values(expression, scope, [None], evaluate)?,
            _ => self.values_by_site(expression, scope, evaluate)?,
        };
        let scale = [1, 2]
            .into_iter()
            .find(|scale| numbers.iter().all(|number| number * i128::from(*scale) % ONE == 0))?;
        let numbers: Vec<i64> = numbers
            .into_iter()
            .map(|number| i64::try_from(number * i128::from(scale) / ONE).ok())
            .collect::<Option<_>>()?;
        let amount = match open {
            OpenSite::None => Amount::Fixed(numbers[0]),
            OpenSite::Lifted => Amount::Known(numbers[..self.board.slots()].into()),
            OpenSite::In(site) => Amount::In(self.table_entry(&numbers, site)?),
        };
        Some(Quantity { amount, scale })
    }

    /// Returns a site that is known before play, or known for each value of an open one.
    pub(super) fn board_site(
        &mut self,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Option<SiteOperand> {
        if !matches!(site.node, SiteOf::First { .. } | SiteOf::Only(_) | SiteOf::If(..)) {
            return None;
        }
        let expression = Expression::Site(site);
        let evaluate =
            |evaluator: &Evaluator, variables: &Variables| evaluator.site(&site.node, variables);
        match self.open_site(expression, scope)? {
            OpenSite::None => {
                let sites = self.values(expression, scope, [None], evaluate)?;
                Some(sites[0].map_or(SiteOperand::Nowhere, SiteOperand::Fixed))
            }
            OpenSite::Lifted => None,
            OpenSite::In(from) => {
                let sites = self.values_by_site(expression, scope, evaluate)?;
                let number = |site: &Option<Site>| site.map_or(-1, |site| i64::from(site.0));
                let numbers: Vec<i64> = sites.iter().map(number).collect();
                self.table_entry(&numbers, from).map(SiteOperand::In)
            }
        }
    }

    /// Returns the entry for a site in a register, of a table by site number that ends with the
    /// entry for nowhere; `None` if that one is not the least.
    fn table_entry(&mut self, entries: &[i64], site: Num) -> Option<Num> {
        let (&offset, by_site) = entries.split_last()?;
        let sites: Vec<Site> = self.board.sites().collect();
        let entry = |site: &Site| by_site[site.index()];
        let (least, most) = (sites.iter().map(entry).min()?, sites.iter().map(entry).max()?);
        let bits = (i64::BITS - most.saturating_sub(offset).leading_zeros()) as usize;
        if least < offset || i32::try_from(offset).is_err() || bits > 31 || !self.has_room(bits) {
            return None;
        }
        let planes = self.known_planes(by_site, offset);
        Some(self.number_in_planes(&planes, site, offset as i32))
    }

    /// Tests if there are registers for some more constants.
    fn has_room(&self, count: usize) -> bool {
        usize::from(self.layout.sets) + self.constants.len() + count <= MAX_CONSTANTS
    }

    /// Evaluates an expression for every value of the open site: by site number, then nowhere.
    /// Numbers that are no sites of the board have the value for nowhere.
    fn values_by_site<T>(
        &mut self,
        expression: Expression<'r>,
        scope: &Scope<'r>,
        evaluate: impl Fn(&Evaluator, &Variables) -> Option<T>,
    ) -> Option<Vec<T>> {
        let board = self.board;
        let sites = (0..board.slots() as u16).map(Site).map(Some);
        let sites = sites.map(|site| site.filter(|&site| board.contains(site)));
        self.values(expression, scope, sites.chain([None]), evaluate)
    }

    /// Evaluates an expression without an open site.
    fn value<T>(
        &mut self,
        expression: Expression<'r>,
        scope: &Scope<'r>,
        evaluate: impl Fn(&Evaluator, &Variables) -> Option<T>,
    ) -> Option<T> {
        self.values(expression, scope, [None], evaluate)?.pop()
    }

    /// Evaluates an expression for some values of the open site. One that takes too much work is
    /// not tried again.
    fn values<T>(
        &mut self,
        expression: Expression<'r>,
        scope: &Scope<'r>,
        sites: impl IntoIterator<Item = Option<Site>>,
        evaluate: impl Fn(&Evaluator, &Variables) -> Option<T>,
    ) -> Option<Vec<T>> {
        let granted = (MAX_TOTAL_WORK - self.board_values.work).min(MAX_WORK);
        let fuel = Cell::new(granted);
        let evaluator = Evaluator::of(self.rules, self.layout.cut.is_some(), &fuel);
        let evaluator = Evaluator { mover: Some(self.mover), ..evaluator };
        let value = |site: Option<Site>| {
            let lookup = |local: Local| self.bound_value(local, scope, site, &evaluator);
            evaluate(&evaluator, &Variables::Outer(&lookup))
        };
        let values: Option<Vec<T>> = sites.into_iter().map(value).collect();
        self.board_values.work += granted - fuel.get();
        if fuel.get() == 0 {
            self.board_values.of_board.insert(key(expression), false);
        }
        values
    }

    /// Returns what a variable stands for, given the open site.
    fn bound_value(
        &self,
        local: Local,
        scope: &Scope<'r>,
        open: Option<Site>,
        evaluator: &Evaluator,
    ) -> Option<BoardValue> {
        Some(match scope.get(local)? {
            Binding::Site(SiteOperand::Nowhere) => BoardValue::Site(None),
            Binding::Site(SiteOperand::Fixed(site)) => BoardValue::Site(Some(site)),
            Binding::Site(SiteOperand::In(_)) => BoardValue::Site(open),
            Binding::Site(SiteOperand::Lifted { path, .. }) => {
                let step = |site, &way: &Direction| self.board.step(site, way);
                BoardValue::Site(open.and_then(|site| path.iter().try_fold(site, step)))
            }
            Binding::Direction(DirectionOperand::Nowhere) => BoardValue::Direction(None),
            Binding::Direction(DirectionOperand::Fixed(way)) => BoardValue::Direction(Some(way)),
            Binding::Directions(cases) => BoardValue::Directions(known(&cases)?),
            Binding::Player(PlayerOperand::Fixed(player)) => BoardValue::Player(player),
            Binding::Piece(PieceOperand::Nothing) => BoardValue::Piece(None),
            Binding::Piece(PieceOperand::Fixed(piece)) => BoardValue::Piece(Some(piece)),
            Binding::Number(Quantity { amount: Amount::Fixed(amount), scale }) => {
                BoardValue::Number(ONE * i128::from(amount) / i128::from(scale))
            }
            Binding::Sites(set) => {
                let mut sites = SiteSet::none(self.board.slots());
                self.constant_sites(set)?.iter().for_each(|&site| sites.insert(site));
                BoardValue::Sites(sites)
            }
            Binding::Unevaluated(value, scope) => {
                let lookup = |local: Local| self.bound_value(local, &scope, open, evaluator);
                evaluator.value(value.expression()?, &Variables::Outer(&lookup))?
            }
            Binding::Direction(_)
            | Binding::Player(_)
            | Binding::Piece(_)
            | Binding::Number(_)
            | Binding::Condition(_)
            | Binding::Changing(_) => return None,
        })
    }

    /// Returns the sites in a register that holds a constant.
    pub(super) fn constant_sites(&self, set: Set) -> Option<&Vec<Site>> {
        let index = set.0.checked_sub(self.layout.sets).filter(|_| set.0 < FIXED)?;
        self.constants.get_index(usize::from(index)).map(|(sites, ())| sites)
    }

    /// Returns the open site of an expression; `None` if the expression depends on more than the
    /// board and one site.
    fn open_site(&mut self, expression: Expression<'r>, scope: &Scope<'r>) -> Option<OpenSite> {
        if !self.is_of_board(expression) {
            return None;
        }
        let (mut open, mut visits) = (OpenSite::None, MAX_VISITS);
        let is_known = self.collect_open(expression, scope, &mut open, &mut visits);
        if visits == 0 {
            self.board_values.of_board.insert(key(expression), false);
        }
        is_known.then_some(open)
    }

    /// Adds the site that the variables of an expression leave open. Returns false if there is more
    /// than one, or if `visits` is used up.
    fn collect_open(
        &mut self,
        expression: Expression<'r>,
        scope: &Scope<'r>,
        open: &mut OpenSite,
        visits: &mut u32,
    ) -> bool {
        *visits = visits.saturating_sub(1);
        if *visits == 0 {
            return false;
        }
        // A variable that is not in scope is bound inside the expression.
        if let Some(binding) = expression.local().and_then(|local| scope.get(local)) {
            let site = match binding {
                Binding::Site(SiteOperand::Lifted { lift, path }) => {
                    if let Some(site) = self.fixed_column(lift) {
                        let is_only = path.is_empty() && *open == OpenSite::None
                            || *open == OpenSite::In(site);
                        *open = OpenSite::In(site);
                        return is_only;
                    }
                    if lift != self.context.lift {
                        return false;
                    }
                    OpenSite::Lifted
                }
                Binding::Site(SiteOperand::In(num)) => OpenSite::In(num),
                Binding::Unevaluated(value, inner) => {
                    let Some(value) = value.expression() else { return false };
                    return self.is_of_board(value)
                        && self.collect_open(value, &inner, open, visits);
                }
                Binding::Directions(cases) if known(&cases).is_none() => return false,
                Binding::Sites(set) if self.constant_sites(set).is_none() => return false,
                Binding::Direction(DirectionOperand::In(_))
                | Binding::Player(PlayerOperand::In(_))
                | Binding::Piece(PieceOperand::In(_) | PieceOperand::On(_))
                | Binding::Number(Quantity {
                    amount: Amount::In(_) | Amount::Field(_) | Amount::Known(_),
                    ..
                })
                | Binding::Condition(_)
                | Binding::Changing(_) => return false,
                _ => return true,
            };
            let is_only = *open == OpenSite::None || *open == site;
            *open = site;
            return is_only;
        }
        expression.parts().into_iter().all(|part| self.collect_open(part, scope, open, visits))
    }

    /// Tests if an expression and the definitions that it uses read nothing but the board, whatever
    /// its variables stand for.
    fn is_of_board(&mut self, expression: Expression<'r>) -> bool {
        if let Some(&known) = self.board_values.of_board.get(&key(expression)) {
            return known;
        }
        let body = expression.definition().and_then(|id| self.definition(id).body.expression());
        let is_next =
            matches!(expression, Expression::Player(it) if matches!(it.node, PlayerOf::Next(_)));
        let is_decided_in_play = is_next && self.rules.drop_outs.is_some();
        let is_of_board = !is_decided_in_play
            && !reads_position(expression, self.layout.cut.is_some())
            && expression.parts().into_iter().all(|part| self.is_of_board(part))
            && body.is_none_or(|body| self.is_of_board(body));
        self.board_values.of_board.insert(key(expression), is_of_board);
        is_of_board
    }
}

/// Returns a condition as an expression if it is not trivial to compute.
fn asked(condition: &Spanned<Condition>) -> Option<Expression<'_>> {
    let is_trivial = matches!(
        condition.node,
        Condition::Constant(_) | Condition::Local(_) | Condition::Call(..)
    );
    (!is_trivial).then_some(Expression::Condition(condition))
}
