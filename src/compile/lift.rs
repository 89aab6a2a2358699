//! Lifting: compiles a condition or a number that is written about one site into code that computes
//! it for every site of the board at once.
//!
//! Within [`Compiler::lifting`] one variable stands for every site. A condition on it becomes the
//! set of the sites for which it holds; a number becomes a [`Field`]. A site that is some steps
//! from the variable is a path, and "the end of the path is in R" is R shifted back along the path.
//! So "some enemy next to s" is a dilation of the enemies, "the first piece seen from s in a
//! direction is mine" an occluded fill, and a count over directions a sum by full adders. A
//! condition that does not depend on the variable is a gate: all sites or none. What cannot be
//! lifted stops with [`Stop::NotLiftable`], and the caller tests site by site.

use super::assembler::Set;
use super::directions::{DirectionCase, Guard, known};
use super::inverse::conjuncts;
use super::layout::Home;
use super::op::Code;
use super::plan::Why;
use super::values::{
    Amount, Binding, DirectionOperand, Field, PieceOperand, PlayerOperand, Quantity, Scope,
    SiteOperand,
};
use super::{Compiled, Compiler, Stop, unevaluated};
use crate::board::Direction;
use crate::language::rules::{
    Condition, DirectionOf, Domain, Local, PlayerId, SiteOf, Sites, Spanned,
};

/// Sets whose sum is a count: each site's count is the number of sets that contain it.
pub(super) enum Members {
    Any(Vec<Set>),
    /// Each set is contained in the one before it.
    Ladder(Vec<Set>),
}

impl<'r> Compiler<'r> {
    /// Compiles with the variable standing for every site at once. Variables of liftings around
    /// this one cannot be used within.
    pub(super) fn lifting<T>(
        &mut self,
        variable: Local,
        scope: &Scope<'r>,
        compile: impl FnOnce(&mut Self, &Scope<'r>) -> Compiled<T>,
    ) -> Compiled<T> {
        let around = self.context.lift;
        self.lifts += 1;
        self.context.lift = self.lifts;
        let scope = scope.with(
            variable,
            Binding::Site(SiteOperand::Lifted { lift: self.context.lift, path: Vec::new() }),
        );
        let done = compile(self, &scope);
        self.context.lift = around;
        done
    }

    /// Returns the sites for which the condition holds.
    pub(super) fn lift_condition(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.work(condition.span)?;
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
                self.lift_by_kinds(condition, scope)
            }
            _ => self.lift_condition_within(condition, scope),
        }
    }

    pub(super) fn lift_condition_within(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let board = self.asm.board();
        match &condition.node {
            Condition::Constant(true) => Ok(board),
            Condition::Constant(false) => Ok(self.asm.none()),
            Condition::And(parts) => {
                let mut all = board;
                for part in parts {
                    all = match &part.node {
                        Condition::Not(part) => {
                            // Subtracting a negated part saves computing its complement.
                            let part = self.lift_condition(part, scope)?;
                            self.asm.without(all, part)
                        }
                        _ => {
                            let part = self.lift_condition(part, scope)?;
                            self.asm.and(all, part)
                        }
                    };
                }
                Ok(all)
            }
            Condition::Or(parts) => {
                let mut any = self.asm.none();
                for part in parts {
                    let part = self.lift_condition(part, scope)?;
                    any = self.asm.or(any, part);
                }
                Ok(any)
            }
            Condition::Not(part) => {
                let part = self.lift_condition(part, scope)?;
                Ok(self.asm.without(board, part))
            }
            Condition::Any(region) => self.lift_any(region, scope),
            Condition::None(region) => {
                let any = self.lift_any(region, scope)?;
                Ok(self.asm.without(board, any))
            }
            Condition::In(site, region) => self.lift_in(site, region, scope),
            Condition::Exists(binder, body) | Condition::Every(binder, body) => {
                let every = matches!(condition.node, Condition::Every(..));
                let cases = match &binder.domain {
                    Domain::Groups { .. } => {
                        return self.gate(condition, scope).map_err(|stop| match stop {
                            Stop::NotLiftable(_) => self.blame(condition.span, Why::TwoSites),
                            stop => stop,
                        });
                    }
                    Domain::Sites(domain) => {
                        if let Some(gate) = self.attempt(|c| c.gate(condition, scope))? {
                            return Ok(gate);
                        }
                        let some = match every {
                            true => None,
                            false => self.attempt(|c| {
                                c.lift_some(binder.variable, domain, body, board, scope)
                            })?,
                        };
                        return some.ok_or_else(|| self.blame(condition.span, Why::TwoSites));
                    }
                    domain => self.cases(binder.variable, domain, scope)?,
                };
                let mut result = if every { board } else { self.asm.none() };
                for (guard, scope) in cases {
                    if every && !guard.is_empty() {
                        let fails = self.guarded_set(&guard, |c| {
                            let part = c.lift_condition(body, &scope)?;
                            Ok(c.asm.without(board, part))
                        })?;
                        result = self.asm.without(result, fails);
                        continue;
                    }
                    let part = self.guarded_set(&guard, |c| c.lift_condition(body, &scope))?;
                    result =
                        if every { self.asm.and(result, part) } else { self.asm.or(result, part) };
                }
                Ok(result)
            }
            Condition::Compare(comparison, left, right) => {
                let compared = self.attempt(|c| {
                    let left = c.lift_number(left, scope)?;
                    let right = c.lift_number(right, scope)?;
                    match (&left.amount, &right.amount) {
                        (Amount::Field(_) | Amount::Known(_), _)
                        | (_, Amount::Field(_) | Amount::Known(_)) => {
                            c.compare_fields(*comparison, left, right)
                        }
                        _ => Err(Stop::NotLiftable(Why::Value)),
                    }
                })?;
                // The gate may overwrite `unlifted`, but the reason why the fields could not be
                // compared says more.
                let unlifted = self.unlifted;
                match compared {
                    Some(set) => Ok(set),
                    None => self.gate(condition, scope).map_err(|stop| match stop {
                        Stop::NotLiftable(_) => self.blame(unlifted.span, unlifted.why),
                        stop => stop,
                    }),
                }
            }
            Condition::SameSite(left, right) => self.lift_same(left, right, scope),
            Condition::SamePlayer(..) | Condition::SameDirection(..) => self.gate(condition, scope),
            Condition::SameKind(left, right) => self.lift_same_kind(left, right, scope),
            Condition::Connected(..) => self.gate(condition, scope).map_err(|stop| match stop {
                Stop::NotLiftable(_) => self.blame(condition.span, Why::Group),
                stop => stop,
            }),
            Condition::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.lift_condition(&branches[player.index()], scope)
                }
                PlayerOperand::In(who) => self.set_by_player(who, |c, player| {
                    c.lift_condition(&branches[player.index()], scope)
                }),
            },
            Condition::Local(local) => match scope.get(*local) {
                Some(Binding::Condition(num)) => Ok(self.asm.set(Code::Gate, 0, board.0, num.0)),
                binding => {
                    let (condition, scope) = unevaluated(binding)?;
                    self.lift_condition(condition, &scope)
                }
            },
            Condition::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lift_condition(body, &scope)
            }
        }
    }

    /// Returns all sites or none, for a condition that does not depend on the lifted site.
    fn gate(&mut self, condition: &'r Spanned<Condition>, scope: &Scope<'r>) -> Compiled<Set> {
        match self.settled(condition, scope)? {
            Some(true) => Ok(self.asm.board()),
            Some(false) => Ok(self.asm.none()),
            None => {
                let holds = self.truth(condition, scope)?;
                let board = self.asm.board();
                Ok(self.asm.set(Code::Gate, 0, board.0, holds.0))
            }
        }
    }

    /// Returns a scope for each value of a variable that does not range over sites, with the guard
    /// under which the value occurs.
    pub(super) fn cases(
        &mut self,
        variable: Local,
        domain: &'r Domain,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Guard, Scope<'r>)>> {
        if let Domain::Directions(directions) = domain {
            let cases = self.direction_cases(directions, scope)?;
            return Ok(Self::scopes(variable, cases, scope));
        }
        let scopes = self.values_of(variable, domain, scope)?;
        Ok(scopes.into_iter().map(|scope| (Guard::default(), scope)).collect())
    }

    /// As [`Compiler::cases`] for a loop of effects: the guards test copies of their registers,
    /// which the effects may change.
    pub(super) fn frozen_scopes(
        &mut self,
        variable: Local,
        domain: &'r Domain,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Guard, Scope<'r>)>> {
        let Domain::Directions(directions) = domain else {
            return self.cases(variable, domain, scope);
        };
        let cases = self.direction_cases(directions, scope)?;
        let cases = self.frozen_cases(cases);
        Ok(Self::scopes(variable, cases, scope))
    }

    fn scopes(
        variable: Local,
        cases: Vec<DirectionCase>,
        scope: &Scope<'r>,
    ) -> Vec<(Guard, Scope<'r>)> {
        let bound = |direction| Binding::Direction(DirectionOperand::Fixed(direction));
        cases
            .into_iter()
            .map(|case| (case.guard, scope.with(variable, bound(case.direction))))
            .collect()
    }

    fn values_of(
        &mut self,
        variable: Local,
        domain: &'r Domain,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<Scope<'r>>> {
        match domain {
            Domain::Players(_) => Ok((0..self.rules.players.len() as u16)
                .map(|player| {
                    scope.with(variable, Binding::Player(PlayerOperand::Fixed(PlayerId(player))))
                })
                .collect()),
            Domain::Numbers { least, most, .. } => Ok((*least..=*most)
                .map(|number| {
                    scope.with(
                        variable,
                        Binding::Number(Quantity::whole(Amount::Fixed(i64::from(number)))),
                    )
                })
                .collect()),
            Domain::Pieces(pieces, _) => Ok(pieces
                .iter()
                .map(|&piece| scope.with(variable, Binding::Piece(PieceOperand::Fixed(piece))))
                .collect()),
            Domain::Directions(_) => Err(Stop::NotLiftable(Why::Direction)),
            Domain::Sites(_) => Err(Stop::NotLiftable(Why::TwoSites)),
            Domain::Groups { .. } => Err(Stop::NotLiftable(Why::Group)),
        }
    }

    /// Returns the sites from which the path leads into the set: the set shifted by the opposite
    /// steps, the last one first.
    pub(super) fn back(&mut self, mut set: Set, path: &[Direction]) -> Set {
        for direction in path.iter().rev() {
            set = self.beside(set, &[direction.opposite()]);
        }
        set
    }

    /// Returns the sites from which one step leads into the set.
    pub(super) fn back_along(&mut self, set: Set, direction: Direction) -> Set {
        self.back(set, &[direction])
    }

    /// Returns the sites for which a site that may depend on them is in a region.
    fn lift_in(
        &mut self,
        site: &'r Spanned<SiteOf>,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        if let SiteOf::If(condition, then, otherwise) = &site.node
            && self.settled(condition, scope)?.is_none()
        {
            let holds = self.lift_condition(condition, scope)?;
            let then = self.lift_in(then, region, scope)?;
            let otherwise = self.lift_in(otherwise, region, scope)?;
            let (then, otherwise) = (self.asm.and(then, holds), self.asm.without(otherwise, holds));
            return Ok(self.asm.or(then, otherwise));
        }
        if let Some(place) = self.attempt(|c| c.site_operand(site, scope))? {
            return match place {
                SiteOperand::Lifted { path, .. } => {
                    let members = self.members(&path, region, scope)?;
                    Ok(members)
                }
                SiteOperand::Nowhere => Ok(self.asm.none()),
                place => {
                    let region = self.region(region, scope)?;
                    let single = self.single(&place)?;
                    let both = self.asm.and(region, single);
                    Ok(self.any_gate(both))
                }
            };
        }
        self.lift_in_first(site, region, scope)
    }

    /// Returns all sites if the set is not empty, otherwise none.
    pub(super) fn any_gate(&mut self, set: Set) -> Set {
        let board = self.asm.board();
        let count = self.asm.num(Code::Count, 0, set.0, 0);
        self.asm.set(Code::Gate, 0, board.0, count.0)
    }

    /// Returns the sites from which the first stop in a direction is in a region.
    fn lift_in_first(
        &mut self,
        site: &'r Spanned<SiteOf>,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        match &site.node {
            SiteOf::First { .. } | SiteOf::Call(..) => {
                // The region belongs to the scope outside the definition, so it is evaluated before
                // the definition is entered.
                let region = self.region(region, scope)?;
                self.lift_in_set(site, region, scope)
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
                    c.members(&[&path[..], &steps].concat(), region, scope)
                })
            }
            _ => Err(self.blame(site.span, Why::Site)),
        }
    }

    /// Returns the sites for which a site that may depend on them is in a set, which is the same
    /// for all.
    pub(super) fn lift_in_set(
        &mut self,
        site: &'r Spanned<SiteOf>,
        set: Set,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        self.work(site.span)?;
        if let SiteOf::If(condition, then, otherwise) = &site.node
            && self.settled(condition, scope)?.is_none()
        {
            let holds = self.lift_condition(condition, scope)?;
            let then = self.lift_in_set(then, set, scope)?;
            let otherwise = self.lift_in_set(otherwise, set, scope)?;
            let (then, otherwise) = (self.asm.and(then, holds), self.asm.without(otherwise, holds));
            return Ok(self.asm.or(then, otherwise));
        }
        match self.attempt(|c| c.site_operand(site, scope))? {
            Some(SiteOperand::Lifted { path, .. }) => return Ok(self.back(set, &path)),
            Some(place) => {
                let single = self.single(&place)?;
                let both = self.asm.and(single, set);
                return Ok(self.any_gate(both));
            }
            None => {}
        }
        match &site.node {
            SiteOf::First { from, direction, stops } => {
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
                    Ok(c.back(set, &[&path[..], &steps].concat()))
                })
            }
            SiteOf::Local(local) => {
                let (site, scope) = unevaluated(scope.get(*local))?;
                self.lift_in_set(site, set, &scope)
            }
            SiteOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lift_in_set(body, set, &scope)
            }
            _ => Err(self.blame(site.span, Why::Site)),
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

    /// Returns the sites from which a walk in the direction through sites of `through` reaches a
    /// goal: an occluded fill from the goals in the opposite direction.
    fn fill(&mut self, goals: Set, through: Set, direction: Direction) -> Set {
        if goals == self.asm.none() {
            return goals;
        }
        self.asm.set(Code::Fill, direction.index() as u8, goals.0, through.0)
    }

    /// Returns the sites for which the end of the path is in the region, which may depend on the
    /// site.
    pub(super) fn members(
        &mut self,
        path: &[Direction],
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        if let Some(closed) = self.attempt(|c| c.region(region, scope))? {
            return Ok(self.back(closed, path));
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
    fn lift_same(
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

    /// Returns the sites for which a region that may depend on them is not empty.
    fn lift_any(&mut self, region: &'r Spanned<Sites>, scope: &Scope<'r>) -> Compiled<Set> {
        if let Some(closed) = self.attempt(|c| c.tested_region(region, scope))? {
            return Ok(self.any_gate(closed));
        }
        let board = self.asm.board();
        self.lift_any_within(region, board, scope)
    }

    /// Returns the sites for which a region that may depend on them intersects `within`, which is
    /// the same for all.
    fn lift_any_within(
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
    fn lift_some(
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

    /// Returns the sites that a walk or slide passes, and those that can be the last site of it.
    fn line_parts(&mut self, line: &'r Sites, scope: &Scope<'r>) -> Compiled<(Set, Set)> {
        match line {
            Sites::Walk { through, .. } => {
                let through = self.region(through, scope)?;
                Ok((through, through))
            }
            _ => {
                let board = self.asm.board();
                Ok((self.empty(), self.not_cut(board)))
            }
        }
    }

    /// Returns the only part of an intersection that depends on the lifted site, and `within`
    /// narrowed by the others. Two such parts would relate sites pairwise, which no operation on
    /// sets does.
    fn only_open(
        &mut self,
        parts: &'r [Spanned<Sites>],
        mut within: Set,
        scope: &Scope<'r>,
    ) -> Compiled<(&'r Spanned<Sites>, Set)> {
        let mut open = None;
        for part in parts {
            match self.attempt(|c| c.region(part, scope))? {
                Some(closed) => within = self.asm.and(within, closed),
                None if open.is_none() => open = Some(part),
                None => return Err(Stop::NotLiftable(Why::TwoRegions)),
            }
        }
        Ok((open.ok_or(Stop::NotLiftable(Why::Region))?, within))
    }

    /// Returns the path to a region that consists of one site, which depends on the lifted one.
    fn lifted_path(
        &mut self,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<Direction>> {
        match &region.node {
            Sites::One(site) => match self.site_operand(site, scope)? {
                SiteOperand::Lifted { path, .. } => Ok(path),
                _ => Err(Stop::NotLiftable(Why::Site)),
            },
            _ => Err(Stop::NotLiftable(Why::Region)),
        }
    }

    /// Returns sets whose sum at each site is the size of a region that depends on the site,
    /// restricted to `within`.
    pub(super) fn lift_members(
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

    /// Returns the number in consecutive bit planes at the end of the path, for every site.
    pub(super) fn field_along(&mut self, first: u16, bits: u16, path: &[Direction]) -> Field {
        Field::new((0..bits).map(|bit| self.back(Set(first + bit), path)).collect())
    }
}

/// Returns why a region of this kind is only computed for one site at a time.
fn of_one_site(region: &Sites) -> Why {
    match region {
        Sites::Group { .. } => Why::Group,
        Sites::Lines { .. } | Sites::Walk { .. } | Sites::Slide { .. } | Sites::Between(..) => {
            Why::Line
        }
        _ => Why::Region,
    }
}
