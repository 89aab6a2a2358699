//! Paths: the steps that lead from the first site of a move to the second, the same from every
//! site.

use super::super::plan::{Unlifted, Why};
use super::super::program::Path;
use super::super::relation::{Members, SetId, SetTerm};
use super::super::values::Scope;
use super::super::{Compiled, Compiler, Stop};
use crate::language::rules::{Domain, Parameter};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many paths pay for a test.
const TESTED: usize = 3;

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
            let paths = c.paths_to(&parameters[to], scope)?;
            c.emit_starts(&paths)
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
    ) -> Compiled<Vec<(Path, SetId)>> {
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
            paths.push((path, starts));
        }
        Ok(paths)
    }

    /// Emits the sites from which paths lead somewhere.
    pub(super) fn emit_starts(&mut self, paths: &[(Path, SetId)]) -> Compiled<()> {
        paths.iter().try_for_each(|&(_, starts)| self.emit_set(starts).map(|_| ()))
    }

    /// Returns the paths in stretches, in their order.
    pub(super) fn stretches(&self, paths: Vec<(Path, SetId)>) -> Vec<Stretch> {
        let (sparse, mut known) = (self.sparse_registers(), FxHashMap::default());
        let mut stretches: Vec<Stretch> = Vec::new();
        for (path, starts) in paths {
            let mut needed = self.terms.needed(starts, &sparse, &mut known);
            needed.retain(|&set| matches!(self.terms.set_term(set), SetTerm::Beside(..)));
            match stretches.last_mut() {
                Some(last) if last.takes(&needed) => {
                    last.needed.retain(|set| needed.contains(set));
                    last.paths.push((path, starts));
                }
                _ => stretches.push(Stretch { needed, paths: vec![(path, starts)] }),
            }
        }
        stretches
    }
}

/// Consecutive paths that need the same, or nothing.
pub(super) struct Stretch {
    /// The sets without which none of them leads anywhere, and which often have no site, such as
    /// the sites next to an enemy pawn.
    needed: FxHashSet<SetId>,
    /// Each path, with the sites from which it leads somewhere.
    pub paths: Vec<(Path, SetId)>,
}

impl Stretch {
    /// Tests if a path that needs these sets continues the stretch.
    fn takes(&self, needed: &FxHashSet<SetId>) -> bool {
        match self.needed.is_empty() {
            true => needed.is_empty(),
            false => !self.needed.is_disjoint(needed),
        }
    }

    /// Returns the set that is better tested for first, if there is one.
    pub fn test(&self) -> Option<SetId> {
        self.needed.iter().min().copied().filter(|_| self.paths.len() >= TESTED)
    }
}
