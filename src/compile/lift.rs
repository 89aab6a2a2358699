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

mod membership;
mod nonempty;
mod sizes;

pub(super) use sizes::Members;

use super::assembler::Set;
use super::directions::{DirectionCase, Guard};
use super::op::Code;
use super::plan::Why;
use super::values::{
    Amount, Binding, DirectionOperand, Field, PieceOperand, PlayerOperand, Quantity, Scope,
    SiteOperand,
};
use super::{Compiled, Compiler, Stop, unevaluated};
use crate::board::Direction;
use crate::language::rules::{Condition, Domain, Local, PlayerId, Sites, Spanned};

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
        if let Some(known) = self.board_condition_lifted(condition, scope) {
            return Ok(known);
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
            Condition::SamePlayer(..) | Condition::SameDirection(..) | Condition::Can(..) => {
                self.gate(condition, scope)
            }
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
            Condition::Memory { memory, player } => {
                let num = self.remembered(*memory, player.as_deref(), None, scope)?;
                Ok(self.asm.set(Code::Gate, 0, board.0, num.0))
            }
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

    /// Returns all sites if the set is not empty, otherwise none.
    pub(super) fn any_gate(&mut self, set: Set) -> Set {
        let board = self.asm.board();
        let count = self.asm.num(Code::Count, 0, set.0, 0);
        self.asm.set(Code::Gate, 0, board.0, count.0)
    }

    /// Returns the sites from which a walk in the direction through sites of `through` reaches a
    /// goal: an occluded fill from the goals in the opposite direction.
    fn fill(&mut self, goals: Set, through: Set, direction: Direction) -> Set {
        if goals == self.asm.none() {
            return goals;
        }
        self.asm.set(Code::Fill, direction.index() as u8, goals.0, through.0)
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
