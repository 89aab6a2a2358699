//! Paths: the steps that lead from the first site of a move to the second, the same from every site.

use super::super::assembler::Set;
use super::super::plan::{Unlifted, Why};
use super::super::program::Path;
use super::super::relation::Members;
use super::super::values::Scope;
use super::super::{Compiled, Compiler, Stop};
use crate::language::rules::{Domain, Parameter};

impl<'r> Compiler<'r> {
    /// Returns why the region of the second site does not consist of fixed paths from the first
    /// under conditions that can be lifted; `None` if it does. Emits nothing.
    pub(super) fn path_failure(
        &mut self,
        parameters: &'r [Parameter],
        from: usize,
        to: usize,
        scope: &Scope<'r>,
    ) -> Compiled<Option<Unlifted>> {
        let attempt = self.asm.attempt();
        let found = self.lifting(parameters[from].variable, scope, |c, scope| {
            c.paths_to(&parameters[to], scope)
        });
        self.asm.roll_back(attempt);
        match found {
            Ok(_) => Ok(None),
            Err(Stop::NotLiftable(why)) => Ok(Some(Unlifted { why, span: self.last })),
            Err(stop) => Err(stop),
        }
    }

    /// Returns the paths from the lifted site to the second one, each with the set of the sites
    /// from which it leads there. No two of them lead from one site to the same site.
    pub(super) fn paths_to(
        &mut self,
        to: &'r Parameter,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Path, Set)>> {
        let Domain::Sites(domain) = &to.domain else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let relation = match self.members(self.context.lift, domain, scope)? {
            Members::Of(relation) => relation,
            Members::Same(_) => return Err(self.blame(domain.span, Why::Choice)),
        };
        let ports = self.terms.fixed_ports(relation).map_err(|stuck| match stuck.why {
            Why::Length | Why::Group => self.stuck(stuck),
            _ => self.blame(domain.span, Why::Choice),
        })?;
        let mut paths = Vec::with_capacity(ports.len());
        for port in ports {
            let path = Path::new(&port.path).ok_or(Stop::NotLiftable(Why::Choice))?;
            let starts = self.terms.with_end(port.starts, &port.path);
            paths.push((path, self.emit_set(starts)?));
        }
        Ok(paths)
    }
}
