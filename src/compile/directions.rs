//! Compiles lists of directions.
//!
//! Most directions are known before play, once the mover is fixed, and code is specialized for
//! each. A direction that is known only in play, such as that of a step between two remembered
//! sites, is a register. It becomes one [`DirectionCase`] for each direction of the compass,
//! guarded by a test of the register: within a case the direction is a constant, so that everything
//! that is lifted over constant directions is lifted over it, too.

use super::assembler::{Num, Set};
use super::calls::unevaluated;
use super::values::{Binding, DirectionOperand, PlayerOperand, Scope};
use super::{Compiled, Compiler};
use crate::board::Direction;
use crate::language::rules::{DirectionOf, Directions, PlayerId, Spanned};

/// When a case applies: registers with the values that they have, and that they have not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guard {
    has: Vec<(Num, i32)>,
    has_not: Vec<(Num, i32)>,
}

impl Guard {
    /// Returns the guard that the register has the value.
    pub fn equal(register: Num, value: i32) -> Guard {
        Guard { has: vec![(register, value)], has_not: Vec::new() }
    }

    /// Returns the guard that the register has another value.
    pub fn unequal(register: Num, value: i32) -> Guard {
        Guard { has: Vec::new(), has_not: vec![(register, value)] }
    }

    /// Returns the guard that both hold.
    pub fn and(mut self, other: &Guard) -> Guard {
        self.has.extend(&other.has);
        self.has_not.extend(&other.has_not);
        self
    }

    /// Returns the registers that are tested.
    pub fn registers(&self) -> impl Iterator<Item = Num> {
        self.has.iter().chain(&self.has_not).map(|(register, _)| *register)
    }

    /// Tests if the case always applies.
    pub fn is_empty(&self) -> bool {
        self.has.is_empty() && self.has_not.is_empty()
    }
}

/// A direction of a list, if its guard holds. For each direction of the compass at most one case
/// applies at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectionCase {
    pub direction: Direction,
    pub guard: Guard,
}

/// Returns the directions of cases that all apply always.
pub(super) fn known(cases: &[DirectionCase]) -> Option<Vec<Direction>> {
    cases.iter().map(|case| case.guard.is_empty().then_some(case.direction)).collect()
}

impl<'r> Compiler<'r> {
    /// Evaluates directions, in order.
    pub(super) fn direction_cases(
        &mut self,
        directions: &'r Spanned<Directions>,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<DirectionCase>> {
        self.at(directions.span, |c| c.direction_cases_within(directions, scope))
    }

    fn direction_cases_within(
        &mut self,
        directions: &'r Spanned<Directions>,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<DirectionCase>> {
        match &directions.node {
            Directions::Fixed(directions) => Ok(directions
                .iter()
                .map(|&direction| DirectionCase { direction, guard: Guard::default() })
                .collect()),
            Directions::One(direction) => {
                self.listed_cases(std::slice::from_ref(&**direction), scope)
            }
            Directions::List(listed) => self.listed_cases(listed, scope),
            Directions::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.direction_cases(&branches[player.index()], scope)
                }
                PlayerOperand::In(who) => {
                    let mut all = Vec::new();
                    for (player, branch) in (0..).zip(branches) {
                        for mut case in self.direction_cases(branch, scope)? {
                            case.guard.has.push((who, i32::from(PlayerId(player).0)));
                            all.push(case);
                        }
                    }
                    Ok(all)
                }
            },
            Directions::Half(of) => {
                let mut cases = self.direction_cases(of, scope)?;
                cases.iter_mut().for_each(|case| case.direction = case.direction.half());
                Ok(cases)
            }
            Directions::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Directions(cases)) => Ok(cases),
                binding => {
                    let (directions, scope) = unevaluated(binding)?;
                    self.direction_cases(directions, &scope)
                }
            },
            Directions::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.direction_cases(body, &scope)
            }
        }
    }

    /// Evaluates listed directions. One that was listed before is skipped.
    fn listed_cases(
        &mut self,
        listed: &'r [Spanned<DirectionOf>],
        scope: &Scope<'r>,
    ) -> Compiled<Vec<DirectionCase>> {
        let mut cases = Vec::with_capacity(listed.len());
        let mut before: Vec<Direction> = Vec::new();
        let mut registers: Vec<Num> = Vec::new();
        for direction in listed {
            let (one, all): (_, Vec<Direction>);
            let (ways, register) = match self.direction_operand(direction, scope)? {
                DirectionOperand::Nowhere => continue,
                DirectionOperand::Fixed(direction) => {
                    one = [direction];
                    (&one[..], None)
                }
                DirectionOperand::In(way) => {
                    all = self.board.ways().collect();
                    (&all[..], Some(way))
                }
            };
            for &direction in ways.iter().filter(|way| !before.contains(way)) {
                let index = direction.index() as i32;
                let has = register.map(|register| (register, index)).into_iter().collect();
                let has_not = registers.iter().map(|&register| (register, index)).collect();
                cases.push(DirectionCase { direction, guard: Guard { has, has_not } });
            }
            match register {
                Some(register) => registers.push(register),
                None => before.extend(ways),
            }
        }
        Ok(cases)
    }

    /// Copies the registers of guards, which later effects may change.
    pub(super) fn frozen_cases(&mut self, mut cases: Vec<DirectionCase>) -> Vec<DirectionCase> {
        cases.iter_mut().for_each(|case| self.freeze(&mut case.guard));
        cases
    }

    /// Copies the registers of a guard, which later effects may change.
    pub(super) fn freeze(&mut self, guard: &mut Guard) {
        for (register, _) in guard.has.iter_mut().chain(&mut guard.has_not) {
            *register = self.frozen_number(*register);
        }
    }

    /// Emits code that is executed only if the guard holds.
    pub(super) fn guarded<T>(
        &mut self,
        guard: &Guard,
        emit: impl FnOnce(&mut Self) -> Compiled<T>,
    ) -> Compiled<T> {
        if guard.is_empty() {
            return emit(self);
        }
        let over = self.asm.label();
        self.asm.open();
        for &(register, value) in &guard.has {
            let value = self.asm.constant(value);
            self.asm.if_unequal(register, value, over);
        }
        for &(register, value) in &guard.has_not {
            let value = self.asm.constant(value);
            self.asm.if_equal(register, value, over);
        }
        let emitted = emit(self);
        self.asm.close();
        self.asm.place(over);
        emitted
    }

    /// Returns the set if the guard holds, else no site.
    pub(super) fn guarded_set(
        &mut self,
        guard: &Guard,
        compute: impl FnOnce(&mut Self) -> Compiled<Set>,
    ) -> Compiled<Set> {
        if guard.is_empty() {
            return compute(self);
        }
        let result = self.asm.fresh_set();
        self.asm.clear(result);
        self.guarded(guard, |c| {
            let set = compute(c)?;
            c.asm.copy_to(result, set);
            Ok(())
        })?;
        Ok(result)
    }

    /// Returns the union of the results of `compute`: one result for all directions that are known
    /// before play, and one for each other direction.
    pub(super) fn join_directions(
        &mut self,
        cases: &[DirectionCase],
        mut compute: impl FnMut(&mut Self, &[Direction]) -> Set,
    ) -> Compiled<Set> {
        let (known, others): (Vec<&DirectionCase>, Vec<&DirectionCase>) =
            cases.iter().partition(|case| case.guard.is_empty());
        let known: Vec<Direction> = known.into_iter().map(|case| case.direction).collect();
        let mut all = compute(self, &known);
        for case in others {
            let part = self.guarded_set(&case.guard, |c| Ok(compute(c, &[case.direction])))?;
            all = self.asm.or(all, part);
        }
        Ok(all)
    }

    /// Evaluates directions together with their opposites.
    pub(super) fn both_ways(
        &mut self,
        directions: &'r Spanned<Directions>,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<DirectionCase>> {
        let mut cases = self.direction_cases(directions, scope)?;
        for index in 0..cases.len() {
            let DirectionCase { direction, guard } = cases[index].clone();
            cases.push(DirectionCase { direction: direction.opposite(), guard });
        }
        cases.sort_by_key(|case| case.direction.index());
        cases.dedup();
        Ok(cases)
    }
}
