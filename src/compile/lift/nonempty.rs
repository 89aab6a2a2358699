//! Non-emptiness: for which sites a region that depends on them has a site.

use super::super::assembler::Set;
use super::super::inverse::conjuncts;
use super::super::plan::Why;
use super::super::values::{PlayerOperand, Scope, SiteOperand};
use super::super::{Compiled, Compiler, Stop, unevaluated};
use super::of_one_site;
use crate::board::Direction;
use crate::language::rules::{Condition, Domain, Local, Sites, Spanned};

impl<'r> Compiler<'r> {
    /// Returns the sites for which a region that may depend on them is not empty.
    pub(super) fn lift_any(
        &mut self,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        if let Some(closed) = self.attempt(|c| c.tested_region(region, scope))? {
            return Ok(self.any_gate(closed));
        }
        let board = self.asm.board();
        self.lift_any_within(region, board, scope)
    }

    /// Returns the sites for which a region that may depend on them intersects `within`, which is
    /// the same for all.
    pub(in crate::compile) fn lift_any_within(
        &mut self,
        region: &'r Spanned<Sites>,
        within: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.work(region.span)?;
        if let Some(closed) = self.attempt(|c| c.region(region, scope))? {
            let both = self.asm.and(closed, within);
            return Ok(self.any_gate(both));
        }
        match &region.node {
            Sites::One(site) => match self.site_operand(site, scope)? {
                SiteOperand::Lifted { path, .. } => Ok(self.back(within, &path)),
                _ => Err(Stop::NotLiftable(Why::Site)),
            },
            Sites::Beside(of, directions) => {
                let path = self.lifted_path(of, scope)?;
                let directions = self.direction_cases(directions, scope)?;
                let beside = self.join_directions(&directions, |c, directions| {
                    let back: Vec<Direction> =
                        directions.iter().map(|direction| direction.opposite()).collect();
                    Ok(c.beside(within, &back))
                })?;
                Ok(self.back(beside, &path))
            }
            Sites::Walk { from, directions, .. } | Sites::Slide { from, directions } => {
                let SiteOperand::Lifted { path, .. } = self.site_operand(from, scope)? else {
                    return Err(Stop::NotLiftable(Why::Site));
                };
                let (through, ends) = self.line_parts(&region.node, scope)?;
                let goals = self.asm.and(within, ends);
                let mut any = self.asm.none();
                for case in self.direction_cases(directions, scope)? {
                    let fill = self
                        .guarded_set(&case.guard, |c| Ok(c.fill(goals, through, case.direction)))?;
                    any = self.asm.or(any, fill);
                }
                Ok(self.back(any, &path))
            }
            Sites::Or(parts) => {
                let mut any = self.asm.none();
                for part in parts {
                    let part = self.lift_any_within(part, within, scope)?;
                    any = self.asm.or(any, part);
                }
                Ok(any)
            }
            Sites::And(parts) => {
                let (part, within) = self.only_open(parts, within, scope)?;
                self.lift_any_within(part, within, scope)
            }
            Sites::Where(binder, condition) => {
                let Domain::Sites(domain) = &binder.domain else {
                    return Err(Stop::NotLiftable(Why::Value));
                };
                self.lift_some(binder.variable, domain, condition, within, scope)
            }
            Sites::When(condition, region) => {
                let holds = self.lift_condition(condition, scope)?;
                let any = self.lift_any_within(region, within, scope)?;
                Ok(self.asm.and(holds, any))
            }
            Sites::Union(binder, region) => {
                let mut any = self.asm.none();
                for (guard, scope) in self.cases(binder.variable, &binder.domain, scope)? {
                    let part =
                        self.guarded_set(&guard, |c| c.lift_any_within(region, within, &scope))?;
                    any = self.asm.or(any, part);
                }
                Ok(any)
            }
            Sites::Reach(binder, step) => {
                let Domain::Sites(from) = &binder.domain else {
                    return Err(Stop::NotLiftable(Why::Value));
                };
                let starts = self.leading_into(binder.variable, step, within, scope)?;
                self.lift_any_within(from, starts, scope)
            }
            Sites::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.lift_any_within(&branches[player.index()], within, scope)
                }
                PlayerOperand::In(_) => Err(Stop::NotLiftable(Why::Player)),
            },
            Sites::Local(local) => {
                let (sites, scope) = unevaluated(scope.get(*local))?;
                self.lift_any_within(sites, within, &scope)
            }
            Sites::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lift_any_within(body, within, &scope)
            }
            other => Err(Stop::NotLiftable(of_one_site(other))),
        }
    }

    /// Returns the sites for which some site of a domain that is in `within` satisfies a condition.
    pub(super) fn lift_some(
        &mut self,
        variable: Local,
        domain: &'r Spanned<Sites>,
        condition: &'r Spanned<Condition>,
        within: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        // A condition on members that ignores the outer site narrows `within` once for all sites;
        // the inner lifting rejects every other condition.
        let holding = |c: &mut Self, condition| {
            c.lifting(variable, scope, |c, scope| c.lift_condition(condition, scope))
        };
        if let Some(holds) = self.attempt(|c| holding(c, condition))? {
            let within = self.asm.and(within, holds);
            return self.lift_any_within(domain, within, scope);
        }
        // One part may relate the member to the outer site if the relation can be inverted.
        let mut within = within;
        let mut relation = None;
        for part in conjuncts(condition) {
            if relation.is_none() {
                relation = self.inverse(variable, part, scope)?;
                if relation.is_some() {
                    continue;
                }
            }
            let holds = holding(self, part)?;
            within = self.asm.and(within, holds);
        }
        let (region, inner) = relation.ok_or(Stop::NotLiftable(Why::TwoSites))?;
        let domain = self.region(domain, scope)?;
        let within = self.asm.and(within, domain);
        self.lift_any_within(region, within, &inner)
    }
}
