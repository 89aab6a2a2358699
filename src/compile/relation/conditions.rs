//! Lowers conditions.

use super::super::calls::unevaluated;
use super::super::plan::Why;
use super::super::values::Scope;
use super::super::{Compiled, Compiler, Stop};
use super::{Lowered, RelationId, SiteTerm};
use crate::language::rules::{Binder, Condition, Domain, Sites, Spanned};
use crate::language::visit::Expression;

impl<'r> Compiler<'r> {
    /// Returns that a region is not empty.
    pub(in crate::compile) fn lower_any(
        &mut self,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let member = self.fresh_column();
        let inside = self.lower_in(&SiteTerm::Path(member, Vec::new()), region, scope)?;
        self.some(member, inside)
    }

    /// Lowers a condition.
    pub(in crate::compile) fn lower_condition(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        self.work(condition.span)?;
        let columns = self.columns(Expression::Condition(condition), scope);
        match columns[..] {
            [] => {
                let gate = self.gate(condition, scope)?;
                return Ok(Lowered::gate(self.known_set(gate)));
            }
            [column] => {
                let known =
                    self.over_column(column, |c| Ok(c.board_condition_lifted(condition, scope)))?;
                if let Some(known) = known {
                    return Ok(Lowered::on(column, self.known_set(known)));
                }
            }
            _ => {}
        }
        // Cases by kind are made at the innermost condition: around an `and` or `or` they would
        // repeat every part for each kind.
        match &condition.node {
            Condition::Any(_)
            | Condition::None(_)
            | Condition::In(..)
            | Condition::Exists(..)
            | Condition::Every(..)
            | Condition::Compare(..)
            | Condition::SamePlayer(..)
            | Condition::SameSite(..)
            | Condition::SameDirection(..)
                if self.reads_kinds =>
            {
                self.lower_by_kinds(condition, scope)
            }
            _ => self.lower_condition_within(condition, scope),
        }
    }

    pub(in crate::compile) fn lower_condition_within(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        match &condition.node {
            Condition::And(parts) => {
                self.lower_all_of(parts, |c, part| c.lower_condition(part, scope))
            }
            Condition::Or(parts) => {
                self.lower_any_of(parts, |c, part| c.lower_condition(part, scope))
            }
            Condition::Not(part) => {
                let part = self.lower_condition(part, scope)?;
                self.negated(part)
            }
            Condition::Any(region) => self.lower_any(region, scope),
            Condition::None(region) => {
                let any = self.lower_any(region, scope)?;
                self.negated(any)
            }
            Condition::In(site, region) => {
                let site = self.lower_site(site, scope)?;
                self.lower_in(&site, region, scope)
            }
            Condition::Exists(binder, body) => {
                self.lower_some(condition, binder, body, false, scope)
            }
            Condition::Every(binder, body) => self.lower_some(condition, binder, body, true, scope),
            Condition::SameSite(left, right) => {
                let (left, right) = (self.lower_site(left, scope)?, self.lower_site(right, scope)?);
                self.related(&left, RelationId::SAME, &right)
            }
            Condition::SameKind(left, right) => self.lower_same_kind(left, right, scope),
            Condition::ByPlayer(player, branches) => {
                self.lower_by_player(player, branches, scope, |c, branch| {
                    c.lower_condition(branch, scope)
                })
            }
            Condition::Local(local) => {
                let (condition, scope) = unevaluated(self.bound(*local, scope))?;
                self.lower_condition(condition, &scope)
            }
            Condition::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lower_condition(body, &scope)
            }
            Condition::Compare(..) => self.lower_comparison(condition, scope),
            // These differ from site to site only by operands that are constants or registers by
            // now.
            Condition::Constant(_)
            | Condition::Connected(..)
            | Condition::SamePlayer(..)
            | Condition::SameDirection(..)
            | Condition::Can(..)
            | Condition::Memory { .. } => {
                let gate = self.gate(condition, scope)?;
                Ok(Lowered::gate(self.known_set(gate)))
            }
        }
    }

    /// Lowers that a condition holds for some, or every, value of a variable.
    fn lower_some(
        &mut self,
        condition: &'r Spanned<Condition>,
        binder: &'r Binder,
        body: &'r Spanned<Condition>,
        every: bool,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        let cases = match &binder.domain {
            Domain::Groups { .. } => return Err(self.blame(condition.span, Why::TwoSites)),
            Domain::Sites(domain) => {
                let some = |c: &mut Self| {
                    let (column, inner) = c.column(binder.variable, scope);
                    let place = SiteTerm::Path(column, Vec::new());
                    let among = c.lower_in(&place, domain, scope)?;
                    let mut holds = c.lower_condition(body, &inner)?;
                    if every {
                        holds = c.negated(holds)?;
                    }
                    let both = c.both(among, holds);
                    let some = c.some(column, both)?;
                    if every { c.negated(some) } else { Ok(some) }
                };
                return some(self).map_err(|stop| match stop {
                    Stop::NotLiftable(_) if self.open_kind.is_none() => {
                        self.blame(condition.span, Why::TwoSites)
                    }
                    stop => stop,
                });
            }
            domain => self.cases(binder.variable, domain, scope)?,
        };
        let mut any = Lowered::never();
        for (guard, scope) in cases {
            let mut part = self.lower_condition(body, &scope)?;
            if every {
                part = self.negated(part)?;
            }
            part = self.under_guard(&guard, part)?;
            any = self.either(any, part)?;
        }
        if every { self.negated(any) } else { Ok(any) }
    }
}
