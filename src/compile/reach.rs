//! Closures: the sites that steps lead to from a region, where the steps from a site are a region
//! written about that site.
//!
//! The closure is computed in rounds. Each round takes the steps from the sites that the round
//! before has added ([`Compiler::image`]), until it adds none, so that every site is stepped from
//! once. The union of the steps from all sites of a set is computed for the whole set at once where
//! the step is made of steps, lines and parts that do not depend on the site; otherwise it is a loop
//! over the sites of the set.
//!
//! Which sites a closure leads from into a set is a closure, too, of the sites from which one step
//! leads there ([`Compiler::leading_into`]); that is how a closure that starts from a lifted site is
//! tested for all sites at once.

use super::assembler::{Assembler, Set};
use super::inverse::{argument_of, binder_mentions, is_local, mentions};
use super::op::Code;
use super::plan::{ClauseKind, How, Why};
use super::values::{Binding, DirectionOperand, PlayerOperand, Scope};
use super::{Compiled, Compiler, Stop};
use crate::language::rules::{Binder, Directions, Domain, Local, SiteOf, Sites, Spanned, Value};
use crate::language::visit::Expression;

impl<'r> Compiler<'r> {
    /// Returns the sites of the binder's region, and those that steps lead to from them.
    pub(super) fn reach(
        &mut self,
        binder: &'r Binder,
        step: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let Domain::Sites(from) = &binder.domain else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let from = self.region(from, scope)?;
        self.closure(from, |c, sites| c.image(binder.variable, sites, step, scope))
    }

    /// Returns the sites from which some number of steps, or none, leads into the set.
    pub(super) fn leading_into(
        &mut self,
        variable: Local,
        step: &'r Spanned<Sites>,
        goals: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.closure(goals, |c, goals| {
            c.lifting(variable, scope, |c, scope| c.lift_any_within(step, goals, scope))
        })
    }

    /// Returns the smallest set that contains `from` and what `step` yields for each part of it.
    fn closure(
        &mut self,
        from: Set,
        step: impl FnOnce(&mut Self, Set) -> Compiled<Set>,
    ) -> Compiled<Set> {
        let (found, added) = (self.asm.fresh_set(), self.asm.fresh_set());
        self.asm.emit(Code::Copy, 0, found.0, from.0, 0);
        self.asm.emit(Code::Copy, 0, added.0, from.0, 0);
        let (done, again) = (self.asm.label(), self.asm.label());
        let round = self.asm.open_loop();
        self.asm.place(again);
        self.asm.emit(Code::IfNone, 0, added.0, 0, done.0);
        let stepped = step(self, added);
        if let Ok(reached) = stepped {
            let new = self.asm.without(reached, found);
            self.asm.emit(Code::Copy, 0, added.0, new.0, 0);
            self.asm.emit(Code::Join, 0, found.0, new.0, 0);
        }
        self.go_round(again);
        self.asm.close_loop(round);
        self.asm.place(done);
        stepped.map(|_| found)
    }

    /// Returns the union of a region over all values of its variable in a set.
    fn image(
        &mut self,
        x: Local,
        of: Set,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.work(region.span)?;
        if let Some(set) = self.attempt(|c| c.image_at_once(x, of, region, scope))? {
            return Ok(set);
        }
        let (unlifted, from) = (self.unlifted, self.asm.length());
        let found = self.asm.fresh_set();
        self.asm.emit(Code::Clear, 0, found.0, 0, 0);
        self.each_site(of, Assembler::open_pure_loop, |c, site| {
            let part = c.region(region, &scope.with(x, Binding::Site(site)))?;
            c.asm.emit(Code::Join, 0, found.0, part.0, 0);
            Ok(())
        })?;
        self.note(ClauseKind::Loop, region.span, How::Each(Some(unlifted)), from);
        Ok(found)
    }

    /// Implements [`Compiler::image`] without a loop over the sites, except in parts.
    fn image_at_once(
        &mut self,
        x: Local,
        of: Set,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let varies = |part: &Spanned<Sites>| mentions(Expression::Sites(part), x);
        let turns =
            |directions: &Spanned<Directions>| mentions(Expression::Directions(directions), x);
        let unlifted = self.blame(region.span, Why::Region);
        if !varies(region) {
            let set = self.region(region, scope)?;
            let some = self.any_gate(of);
            return Ok(self.asm.and(set, some));
        }
        match &region.node {
            Sites::One(site) => self.image_of_site(x, of, site, scope),
            Sites::Beside(from, directions) if !turns(directions) => {
                let from = self.image(x, of, from, scope)?;
                let cases = self.direction_cases(directions, scope)?;
                self.join_directions(&cases, |c, directions| Ok(c.beside(from, directions)))
            }
            Sites::Group { of: from, within, directions }
                if !turns(directions) && !varies(within) =>
            {
                let from = self.image(x, of, from, scope)?;
                let within = self.region(within, scope)?;
                let cases = self.direction_cases(directions, scope)?;
                self.flood(from, within, &cases)
            }
            Sites::Walk { from, directions, through } if !turns(directions) && !varies(through) => {
                let from = self.image_of_site(x, of, from, scope)?;
                let through = self.region(through, scope)?;
                let cases = self.direction_cases(directions, scope)?;
                self.join_directions(&cases, |c, directions| {
                    Ok(c.asm.set(Code::Walk, Self::mask(directions), from.0, through.0))
                })
            }
            Sites::Slide { from, directions } if !turns(directions) => {
                let from = self.image_of_site(x, of, from, scope)?;
                let cases = self.direction_cases(directions, scope)?;
                let (empty, occupied) = (self.empty(), self.occupied());
                let mut all = self.asm.none();
                for case in cases {
                    let slid = self.guarded_set(&case.guard, |c| {
                        let mask = Self::mask(&[case.direction]);
                        let passed = c.asm.set(Code::Walk, mask, from.0, empty.0);
                        let along = c.asm.or(passed, from);
                        let ends = c.beside(along, &[case.direction]);
                        let ends = c.asm.and(ends, occupied);
                        Ok(c.asm.or(passed, ends))
                    })?;
                    all = self.asm.or(all, slid);
                }
                Ok(all)
            }
            Sites::When(condition, region) => {
                let holds =
                    self.lifting(x, scope, |c, scope| c.lift_condition(condition, scope))?;
                let of = self.asm.and(of, holds);
                self.image(x, of, region, scope)
            }
            Sites::Union(binder, region)
                if !binder_mentions(binder, x)
                    && !matches!(binder.domain, Domain::Sites(_) | Domain::Groups { .. }) =>
            {
                let mut all = self.asm.none();
                for (guard, scope) in self.cases(binder.variable, &binder.domain, scope)? {
                    let part = self.guarded_set(&guard, |c| c.image(x, of, region, &scope))?;
                    all = self.asm.or(all, part);
                }
                Ok(all)
            }
            Sites::And(parts) => {
                // Two parts that depend on the site relate it to the sites of the region.
                let mut open = parts.iter().filter(|part| varies(part));
                let (Some(first), None) = (open.next(), open.next()) else { return Err(unlifted) };
                let mut all = self.image(x, of, first, scope)?;
                for part in parts.iter().filter(|part| !varies(part)) {
                    let part = self.region(part, scope)?;
                    all = self.asm.and(all, part);
                }
                Ok(all)
            }
            Sites::Or(parts) => {
                let mut all = self.asm.none();
                for part in parts {
                    let part = self.image(x, of, part, scope)?;
                    all = self.asm.or(all, part);
                }
                Ok(all)
            }
            Sites::Where(binder, condition) if !mentions(Expression::Condition(condition), x) => {
                let Domain::Sites(domain) = &binder.domain else { return Err(unlifted) };
                let domain = self.image(x, of, domain, scope)?;
                self.domain_where(binder.variable, domain, condition, scope)
            }
            Sites::Reach(binder, step) if !varies(step) => {
                let Domain::Sites(from) = &binder.domain else { return Err(unlifted) };
                let from = self.image(x, of, from, scope)?;
                self.closure(from, |c, sites| c.image(binder.variable, sites, step, scope))
            }
            Sites::ByPlayer(player, branches) if !mentions(Expression::Player(player), x) => {
                match self.player_operand(player, scope)? {
                    PlayerOperand::Fixed(player) => {
                        self.image(x, of, &branches[player.index()], scope)
                    }
                    PlayerOperand::In(who) => self.set_by_player(who, |c, player| {
                        c.image(x, of, &branches[player.index()], scope)
                    }),
                }
            }
            Sites::Call(definition, arguments) => {
                let index = argument_of(arguments, x).ok_or(unlifted)?;
                let parameter = self.definition(*definition).parameters[index];
                let (inner, body) = self.open_arguments(*definition, arguments, scope);
                let Value::Sites(body) = body else { return Err(Stop::NotLiftable(Why::Value)) };
                self.image(parameter, of, body, &inner)
            }
            _ => Err(unlifted),
        }
    }

    /// Returns the sites that a site stands for, for all values of its variable in a set.
    fn image_of_site(
        &mut self,
        x: Local,
        of: Set,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        match &site.node {
            SiteOf::Local(_) if is_local(site, x) => Ok(of),
            SiteOf::Step(from, direction, number)
                if !mentions(Expression::Direction(direction), x) =>
            {
                let from = self.image_of_site(x, of, from, scope)?;
                let steps = |c: &mut Self, direction| {
                    Ok((0..*number).fold(from, |set, _| c.beside(set, &[direction])))
                };
                match self.direction_operand(direction, scope)? {
                    DirectionOperand::Nowhere => Ok(self.asm.none()),
                    DirectionOperand::Fixed(direction) => steps(self, direction),
                    DirectionOperand::In(way) => self.set_by_direction(way, steps),
                }
            }
            SiteOf::First { from, direction, stops }
                if !mentions(Expression::Direction(direction), x)
                    && !mentions(Expression::Sites(stops), x) =>
            {
                let from = self.image_of_site(x, of, from, scope)?;
                let stops = self.region(stops, scope)?;
                let board = self.asm.board();
                let through = self.asm.without(board, stops);
                let first = |c: &mut Self, direction| {
                    let mask = Self::mask(&[direction]);
                    let passed = c.asm.set(Code::Walk, mask, from.0, through.0);
                    let along = c.asm.or(passed, from);
                    let ends = c.beside(along, &[direction]);
                    Ok(c.asm.and(ends, stops))
                };
                match self.direction_operand(direction, scope)? {
                    DirectionOperand::Nowhere => Ok(self.asm.none()),
                    DirectionOperand::Fixed(direction) => first(self, direction),
                    DirectionOperand::In(way) => self.set_by_direction(way, first),
                }
            }
            SiteOf::If(condition, then, otherwise) => {
                let holds =
                    self.lifting(x, scope, |c, scope| c.lift_condition(condition, scope))?;
                let (yes, no) = (self.asm.and(of, holds), self.asm.without(of, holds));
                let then = self.image_of_site(x, yes, then, scope)?;
                let otherwise = self.image_of_site(x, no, otherwise, scope)?;
                Ok(self.asm.or(then, otherwise))
            }
            SiteOf::Call(definition, arguments) => {
                let unlifted = self.blame(site.span, Why::Site);
                let index = argument_of(arguments, x).ok_or(unlifted)?;
                let parameter = self.definition(*definition).parameters[index];
                let (inner, body) = self.open_arguments(*definition, arguments, scope);
                let Value::Site(body) = body else { return Err(Stop::NotLiftable(Why::Value)) };
                self.image_of_site(parameter, of, body, &inner)
            }
            _ => Err(self.blame(site.span, Why::Site)),
        }
    }
}
