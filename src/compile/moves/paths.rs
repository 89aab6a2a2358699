//! Paths: the steps that lead from the first site of a move to the second, the same from every site.

use super::super::assembler::Set;
use super::super::plan::{Unlifted, Why};
use super::super::program::Path;
use super::super::values::Scope;
use super::super::{Compiled, Compiler, Stop};
use super::Alternative;
use crate::board::Site;
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
        let mut alternatives = Vec::new();
        self.alternatives(domain, scope, &mut alternatives)?;
        let mut paths: Vec<(Path, Set)> = Vec::new();
        for alternative in alternatives {
            let path = Path::new(&alternative.path).ok_or(Stop::NotLiftable(Why::Choice))?;
            let set = self.path_starts(&alternative)?;
            match paths.iter_mut().find(|(known, _)| *known == path) {
                Some((_, known)) => *known = self.asm.or(*known, set),
                None => paths.push((path, set)),
            }
        }
        // Where two paths meet, only the first generates the move, so that every move is generated
        // once. Where they meet is known before play.
        for later in 1..paths.len() {
            for earlier in 0..later {
                let (path, set) = paths[earlier];
                let meeting = self.meeting(&path, &paths[later].0);
                if !meeting.is_empty() {
                    let meeting = self.constant(meeting);
                    let offered = self.asm.and(set, meeting);
                    paths[later].1 = self.asm.without(paths[later].1, offered);
                }
            }
        }
        Ok(paths)
    }

    /// Returns the sites from which both paths lead to the same site.
    pub(super) fn meeting(&self, one: &Path, other: &Path) -> Vec<Site> {
        let board = &self.board;
        let end = |path: &Path, start| {
            path.steps().iter().try_fold(start, |site, &direction| board.step(site, direction))
        };
        board
            .sites()
            .filter(|&start| end(one, start).is_some_and(|to| end(other, start) == Some(to)))
            .collect()
    }

    /// Returns the sites from which an alternative leads to a site that meets its conditions.
    pub(super) fn path_starts(&mut self, alternative: &Alternative<'r>) -> Compiled<Set> {
        let board = self.asm.board();
        let mut set = self.back(board, &alternative.path);
        for (region, scope) in &alternative.regions {
            let from = self.members(&alternative.path, region, scope)?;
            set = self.asm.and(set, from);
        }
        for (condition, scope) in &alternative.conditions {
            let holds = self.lift_condition(condition, scope)?;
            set = self.asm.and(set, holds);
        }
        for guard in &alternative.guards {
            set = self.guarded_set(guard, |_| Ok(set))?;
        }
        Ok(set)
    }
}
