//! Membership: for which sites a site that depends on them is in a region that may, too.

use super::super::assembler::Set;
use super::super::layout::Home;
use super::super::plan::Why;
use super::super::values::{Binding, DirectionOperand, PlayerOperand, Scope, SiteOperand};
use super::super::{Compiled, Compiler, Stop, unevaluated};
use super::of_one_site;
use crate::board::Direction;
use crate::language::rules::{DirectionOf, Domain, SiteOf, Sites, Spanned};

/// Where a site is looked for.
enum Goal<'s, 'r> {
    /// The same sites whichever site is lifted.
    Set(Set),
    /// A region, in its scope.
    Region(&'r Spanned<Sites>, &'s Scope<'r>),
}

impl<'r> Compiler<'r> {
    /// Returns the sites for which a site that may depend on them is in a region, which may too.
    pub(super) fn lift_in(
        &mut self,
        site: &'r Spanned<SiteOf>,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.lift_into(site, &Goal::Region(region, scope), scope)
    }

    /// Returns the sites for which a site that may depend on them is in a set.
    pub(in crate::compile) fn lift_in_set(
        &mut self,
        site: &'r Spanned<SiteOf>,
        set: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.lift_into(site, &Goal::Set(set), scope)
    }

    fn lift_into(
        &mut self,
        site: &'r Spanned<SiteOf>,
        goal: &Goal<'_, 'r>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.work(site.span)?;
        if let SiteOf::If(condition, then, otherwise) = &site.node
            && self.settled(condition, scope)?.is_none()
        {
            let holds = self.lift_condition(condition, scope)?;
            let then = self.lift_into(then, goal, scope)?;
            let otherwise = self.lift_into(otherwise, goal, scope)?;
            let (then, otherwise) = (self.asm.and(then, holds), self.asm.without(otherwise, holds));
            return Ok(self.asm.or(then, otherwise));
        }
        match self.attempt(|c| c.site_operand(site, scope))? {
            Some(SiteOperand::Lifted { path, .. }) => return self.path_into(&path, goal),
            Some(SiteOperand::Nowhere) => return Ok(self.asm.none()),
            Some(place) => {
                let single = self.single(&place)?;
                let set = match goal {
                    Goal::Set(set) => *set,
                    // The same site for all: it is in the region of each from which it is reached.
                    Goal::Region(region, scope) => {
                        match self.attempt(|c| c.region(region, scope))? {
                            Some(set) => set,
                            None => return self.lift_any_within(region, single, scope),
                        }
                    }
                };
                let both = self.asm.and(single, set);
                return Ok(self.any_gate(both));
            }
            None => {}
        }
        match &site.node {
            SiteOf::First { from, direction, stops } => {
                let set = self.same_for_all(goal)?;
                self.fill_to_first(from, direction, stops, set, scope)
            }
            SiteOf::Step(from, direction, number) => {
                let SiteOperand::Lifted { path, .. } = self.site_operand(from, scope)? else {
                    return Err(self.blame(site.span, Why::Site));
                };
                let DirectionOperand::In(way) = self.direction_operand(direction, scope)? else {
                    return Err(self.blame(site.span, Why::Site));
                };
                self.set_by_direction(way, |c, direction| {
                    let steps = vec![direction; usize::from(*number)];
                    c.path_into(&[&path[..], &steps].concat(), goal)
                })
            }
            SiteOf::Local(local) => {
                let (site, scope) = unevaluated(scope.get(*local))?;
                self.lift_into(site, goal, &scope)
            }
            SiteOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lift_into(body, goal, &scope)
            }
            _ => Err(self.blame(site.span, Why::Site)),
        }
    }

    /// Returns the sites from which a path leads into the goal.
    fn path_into(&mut self, path: &[Direction], goal: &Goal<'_, 'r>) -> Compiled<Set> {
        match goal {
            Goal::Set(set) => Ok(self.back(*set, path)),
            Goal::Region(region, scope) => self.members(path, region, scope),
        }
    }

    /// Returns the goal if it is the same for all sites.
    fn same_for_all(&mut self, goal: &Goal<'_, 'r>) -> Compiled<Set> {
        match goal {
            Goal::Set(set) => Ok(*set),
            Goal::Region(region, scope) => self.region(region, scope),
        }
    }

    fn fill_to_first(
        &mut self,
        from: &'r Spanned<SiteOf>,
        direction: &'r Spanned<DirectionOf>,
        stops: &'r Spanned<Sites>,
        region: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let SiteOperand::Lifted { path, .. } = self.site_operand(from, scope)? else {
            return Err(Stop::NotLiftable(Why::Site));
        };
        let way = self.direction_operand(direction, scope)?;
        let stops = self.region(stops, scope)?;
        // A walk passes sites that are not stops, and ends at the first stop.
        let goals = self.asm.and(region, stops);
        let board = self.asm.board();
        let through = self.asm.without(board, stops);
        let seen = match way {
            DirectionOperand::Nowhere => self.asm.none(),
            DirectionOperand::Fixed(direction) => self.fill(goals, through, direction),
            DirectionOperand::In(way) => {
                self.set_by_direction(way, |c, direction| Ok(c.fill(goals, through, direction)))?
            }
        };
        Ok(self.back(seen, &path))
    }

    /// Returns the sites for which the end of the path is in the region, which may depend on the
    /// site.
    pub(in crate::compile) fn members(
        &mut self,
        path: &[Direction],
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        if let Some(closed) = self.attempt(|c| c.region(region, scope))? {
            return Ok(self.back(closed, path));
        }
        if let Some(known) = self.board_members(path, region, scope) {
            return Ok(known);
        }
        self.last = region.span;
        match &region.node {
            Sites::And(parts) => {
                let mut all = self.asm.board();
                for part in parts {
                    let part = self.members(path, part, scope)?;
                    all = self.asm.and(all, part);
                }
                Ok(all)
            }
            Sites::Or(parts) => {
                let mut any = self.asm.none();
                for part in parts {
                    let part = self.members(path, part, scope)?;
                    any = self.asm.or(any, part);
                }
                Ok(any)
            }
            Sites::Not(region) => {
                // The complement has no ends of paths that leave the board.
                let board = self.asm.board();
                let there = self.back(board, path);
                let members = self.members(path, region, scope)?;
                Ok(self.asm.without(there, members))
            }
            Sites::Where(binder, condition) => {
                let Domain::Sites(domain) = &binder.domain else {
                    return Err(Stop::NotLiftable(Why::Value));
                };
                let domain = self.members(path, domain, scope)?;
                let place = SiteOperand::Lifted { lift: self.context.lift, path: path.to_vec() };
                let holds = self.lift_condition(
                    condition,
                    &scope.with(binder.variable, Binding::Site(place)),
                )?;
                Ok(self.asm.and(domain, holds))
            }
            Sites::One(site) => {
                let place = self.site_operand(site, scope)?;
                self.same(
                    &SiteOperand::Lifted { lift: self.context.lift, path: path.to_vec() },
                    &place,
                )
            }
            Sites::Beside(of, directions) => {
                let Sites::One(site) = &of.node else { return Err(Stop::NotLiftable(Why::Region)) };
                let place = self.site_operand(site, scope)?;
                let here = SiteOperand::Lifted { lift: self.context.lift, path: path.to_vec() };
                let mut any = self.asm.none();
                for case in self.direction_cases(directions, scope)? {
                    let same = self.guarded_set(&case.guard, |c| {
                        let way = DirectionOperand::Fixed(case.direction);
                        let beside = c.step(place.clone(), way)?;
                        c.same(&here, &beside)
                    })?;
                    any = self.asm.or(any, same);
                }
                Ok(any)
            }
            Sites::When(condition, region) => {
                let holds = self.lift_condition(condition, scope)?;
                let members = self.members(path, region, scope)?;
                Ok(self.asm.and(holds, members))
            }
            Sites::Union(binder, region) => {
                let mut any = self.asm.none();
                for (guard, scope) in self.cases(binder.variable, &binder.domain, scope)? {
                    let part = self.guarded_set(&guard, |c| c.members(path, region, &scope))?;
                    any = self.asm.or(any, part);
                }
                Ok(any)
            }
            Sites::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.members(path, &branches[player.index()], scope)
                }
                PlayerOperand::In(_) => Err(Stop::NotLiftable(Why::Player)),
            },
            Sites::Local(local) => {
                let (sites, scope) = unevaluated(scope.get(*local))?;
                self.members(path, sites, &scope)
            }
            Sites::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.members(path, body, &scope)
            }
            other => Err(Stop::NotLiftable(of_one_site(other))),
        }
    }

    /// Returns the sites for which two sites that may depend on them are the same.
    pub(super) fn lift_same(
        &mut self,
        left: &'r Spanned<SiteOf>,
        right: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        for (one, other) in [(left, right), (right, left)] {
            // A memory that holds a site at each site, compared with the site at which it is read:
            // its bit planes are compared with those of the sites' own numbers, which are
            // constants. Site n is stored as n + 1, because 0 is nowhere.
            if let SiteOf::Memory { memory, site: Some(index), .. } = &one.node
                && let Home::Field { first, bits } = self.layout.home(*memory)
                && let SiteOperand::Lifted { path: index, .. } = self.site_operand(index, scope)?
                && let Some(SiteOperand::Lifted { path, .. }) =
                    self.attempt(|c| c.site_operand(other, scope))?
                && index == path
            {
                let mut same = self.asm.board();
                for bit in 0..bits {
                    let here = self
                        .board
                        .sites()
                        .filter(|site| (u32::from(site.0) + 1) >> bit & 1 == 1)
                        .collect();
                    let here = self.constant(here);
                    let differs = self.asm.xor(Set(first + bit), here);
                    same = self.asm.without(same, differs);
                }
                return Ok(self.back(same, &path));
            }
        }
        let left = self.site_operand(left, scope)?;
        let right = self.site_operand(right, scope)?;
        self.same(&left, &right)
    }

    fn same(&mut self, left: &SiteOperand, right: &SiteOperand) -> Compiled<Set> {
        let board = self.asm.board();
        match (left, right) {
            (SiteOperand::Nowhere, _) | (_, SiteOperand::Nowhere) => Ok(self.asm.none()),
            (SiteOperand::Lifted { path: left, .. }, SiteOperand::Lifted { path: right, .. }) => {
                let common =
                    left.iter().zip(right).take_while(|(left, right)| left == right).count();
                let (left_rest, right_rest) = (&left[common..], &right[common..]);
                match (left_rest, right_rest) {
                    ([], []) => Ok(self.back(board, left)),
                    // One step leads to another site, and single steps in two directions lead to
                    // different sites. Wrapped boards are wide enough for that, too.
                    ([_], []) | ([], [_]) | ([_], [_]) => Ok(self.asm.none()),
                    _ => Err(Stop::NotLiftable(Why::TwoSites)),
                }
            }
            (SiteOperand::Lifted { path, .. }, place)
            | (place, SiteOperand::Lifted { path, .. }) => {
                let single = self.single(place)?;
                Ok(self.back(single, path))
            }
            (SiteOperand::Fixed(left), SiteOperand::Fixed(right)) => {
                Ok(if left == right { board } else { self.asm.none() })
            }
            (left, right) => {
                let left = self.single(left)?;
                let right = self.single(right)?;
                let both = self.asm.and(left, right);
                Ok(self.any_gate(both))
            }
        }
    }
}
