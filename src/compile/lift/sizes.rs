//! Sizes: how many sites a region has that depends on the lifted site.

use super::super::assembler::Set;
use super::super::directions::known;
use super::super::plan::Why;
use super::super::values::{Scope, SiteOperand};
use super::super::{Compiled, Compiler, Stop, unevaluated};
use super::of_one_site;
use crate::language::rules::{Sites, Spanned};

/// Sets whose sum is a count: each site's count is the number of sets that contain it.
pub(in crate::compile) enum Members {
    Any(Vec<Set>),
    /// Each set is contained in the one before it.
    Ladder(Vec<Set>),
}

impl<'r> Compiler<'r> {
    /// Returns sets whose sum at each site is the size of a region that depends on the site,
    /// restricted to `within`.
    pub(in crate::compile) fn lift_members(
        &mut self,
        region: &'r Spanned<Sites>,
        within: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Members> {
        self.work(region.span)?;
        match &region.node {
            Sites::One(site) => match self.site_operand(site, scope)? {
                SiteOperand::Lifted { path, .. } => {
                    Ok(Members::Any(vec![self.back(within, &path)]))
                }
                _ => Err(Stop::NotLiftable(Why::Site)),
            },
            Sites::Beside(of, directions) => {
                let path = self.lifted_path(of, scope)?;
                let mut sets = Vec::new();
                for case in self.direction_cases(directions, scope)? {
                    sets.push(self.guarded_set(&case.guard, |c| {
                        let beside = c.beside(within, &[case.direction.opposite()]);
                        Ok(c.back(beside, &path))
                    })?);
                }
                Ok(Members::Any(sets))
            }
            // On a line that is a cycle, the walk would count the same site repeatedly.
            Sites::Walk { .. } | Sites::Slide { .. } if self.board.is_wrapped() => {
                Err(Stop::NotLiftable(Why::Line))
            }
            Sites::Walk { from, directions, .. } | Sites::Slide { from, directions } => {
                // The k-th site is counted where the sites before it are all in `through` and it is
                // in `ends`. At iteration k, `passed` has the sites whose first k-1 are in
                // `through`, and `here` and `way` are shifted back k-1 steps.
                let SiteOperand::Lifted { path, .. } = self.site_operand(from, scope)? else {
                    return Err(Stop::NotLiftable(Why::Site));
                };
                let (through, ends) = self.line_parts(&region.node, scope)?;
                let mut sets = Vec::new();
                let directions = self.direction_cases(directions, scope)?;
                // Every step of every case would need a register of its own.
                let directions = known(&directions).ok_or(Stop::NotLiftable(Why::Direction))?;
                let is_ladder = directions.len() == 1 && within == self.asm.board();
                for direction in directions {
                    let mut passed = self.asm.board();
                    let mut here = self.asm.and(ends, within);
                    let mut way = through;
                    for _ in 0..self.board.longest_line() {
                        let counted = self.back_along(here, direction);
                        let counted = self.asm.and(counted, passed);
                        sets.push(self.back(counted, &path));
                        let open = self.back_along(way, direction);
                        passed = self.asm.and(passed, open);
                        here = self.back_along(here, direction);
                        way = open;
                    }
                }
                Ok(if is_ladder { Members::Ladder(sets) } else { Members::Any(sets) })
            }
            Sites::And(parts) => {
                let (part, within) = self.only_open(parts, within, scope)?;
                self.lift_members(part, within, scope)
            }
            Sites::Local(local) => {
                let (sites, scope) = unevaluated(scope.get(*local))?;
                self.lift_members(sites, within, &scope)
            }
            Sites::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lift_members(body, within, &scope)
            }
            other => Err(Stop::NotLiftable(of_one_site(other))),
        }
    }
}
