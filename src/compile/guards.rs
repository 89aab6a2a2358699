//! Guards: cheap sufficient conditions under which every generated move is legal although the rules
//! have requirements that must be tested move by move.
//!
//! "The group has at most five stones" holds for every move while there are fewer than five stones.
//! Such a bound is tested once per decision.

use super::assembler::{Num, Set};
use super::plan::{ClauseKind, How};
use super::values::{Binding, Scope};
use super::{Compiled, Compiler};
use crate::language::rules::{
    Comparison, Condition, Domain, MoveRule, Number, Parameter, Sites, Spanned, Statement, Value,
};
use crate::syntax::Span;

/// What the effects so far have added at most; `None` if unknown.
#[derive(Clone, Copy)]
struct Growth {
    /// Pieces of any kind, those below the tops of piles not counted.
    pieces: Option<i64>,
    /// Pieces of any pile.
    height: Option<i64>,
}

impl Growth {
    const NONE: Growth = Growth { pieces: Some(0), height: Some(0) };
    const UNKNOWN: Growth = Growth { pieces: None, height: None };

    /// Returns what holds after either of two.
    fn or(self, other: Growth) -> Growth {
        let most = |one: Option<i64>, other: Option<i64>| {
            one.zip(other).map(|(one, other)| one.max(other))
        };
        Growth { pieces: most(self.pieces, other.pieces), height: most(self.height, other.height) }
    }

    fn plus(self, pieces: Option<i64>, height: Option<i64>) -> Growth {
        let sum =
            |one: Option<i64>, other: Option<i64>| one.zip(other).map(|(one, other)| one + other);
        Growth { pieces: sum(self.pieces, pieces), height: sum(self.height, height) }
    }
}

/// What keeps a requirement from failing, whatever is chosen.
pub(super) struct Bound {
    limited: Limited,
    /// The greatest number with which the requirement holds.
    most: i64,
    /// The requirement.
    span: Span,
    /// The text of what is limited.
    of: Span,
}

/// What a bound limits.
enum Limited {
    /// The number of pieces in these registers.
    Pieces(Vec<u16>),
    /// The height of every pile.
    Height,
}

impl<'r> Compiler<'r> {
    /// Returns bounds within which no requirement of the rule can fail, whatever is chosen.
    /// Statements of the body that move generation has settled are left out. `None` if a
    /// requirement has no bound.
    pub(super) fn guards_of(
        &mut self,
        rule: &'r MoveRule,
        settled: &[usize],
    ) -> Compiled<Option<Vec<Bound>>> {
        let mut scope = Scope::default();
        let mut growth = Growth::NONE;
        let mut bounds = Vec::new();
        for (index, statement) in rule.body.iter().enumerate() {
            if settled.contains(&index) && matches!(statement.node, Statement::Require(_)) {
                continue;
            }
            if self.rules.limits_height(statement) {
                // The effect that it belongs to comes next.
                let effect = rule.body[index + 1..].iter().map(|statement| &statement.node);
                let mut effect = effect.skip_while(|next| matches!(next, Statement::Require(_)));
                if !effect.next().is_some_and(|effect| {
                    self.guard_height(rule, effect, growth, statement.span, &mut bounds)
                }) {
                    return Ok(None);
                }
                continue;
            }
            if !self.guard_statement(rule, statement, &mut scope, &mut growth, &mut bounds)? {
                return Ok(None);
            }
        }
        Ok(Some(bounds))
    }

    /// Emits a number that is above zero only within the bound.
    pub(super) fn emit_bound(&mut self, bound: Bound) -> Num {
        let from = self.asm.length();
        let number = match bound.limited {
            Limited::Height => self.none_higher(bound.most as usize),
            Limited::Pieces(registers) => {
                let none = self.asm.none();
                let pieces =
                    registers.into_iter().fold(none, |all, one| self.asm.or(all, Set(one)));
                let pieces = self.asm.count(pieces);
                let room = self.asm.constant((bound.most + 1).clamp(0, 1 << 20) as i32);
                let left = self.asm.subtract(room, pieces);
                let zero = self.asm.constant(0);
                self.asm.greatest(left, zero)
            }
        };
        if let Ok(most) = u32::try_from(bound.most) {
            let how = How::Guarded { most, of: bound.of };
            self.note(ClauseKind::Bound, bound.span, how, from);
        }
        number
    }

    /// Adds the bounds of a statement; returns false if it may fail for unknown reasons.
    fn guard_statement(
        &mut self,
        rule: &'r MoveRule,
        statement: &'r Spanned<Statement>,
        scope: &mut Scope<'r>,
        growth: &mut Growth,
        bounds: &mut Vec<Bound>,
    ) -> Compiled<bool> {
        self.work(statement.span)?;
        match &statement.node {
            Statement::Require(condition) => {
                self.guard_condition(condition, scope, *growth, bounds)
            }
            Statement::Let(variable, value) => {
                *scope = scope.with(*variable, Binding::Unevaluated(value, scope.clone()));
                Ok(true)
            }
            Statement::If { then, otherwise, .. } => {
                let before = *growth;
                let mut most: Option<Growth> = None;
                for branch in [then, otherwise] {
                    *growth = before;
                    let mut scope = scope.clone();
                    for statement in branch {
                        if !self.guard_statement(rule, statement, &mut scope, growth, bounds)? {
                            return Ok(false);
                        }
                    }
                    most = Some(most.map_or(*growth, |most| most.or(*growth)));
                }
                *growth = most.unwrap_or(before);
                Ok(true)
            }
            Statement::Do(definition, arguments) => {
                let (mut scope, Value::Statements(body)) =
                    self.open_arguments(*definition, arguments, scope)
                else {
                    return Ok(false);
                };
                for statement in body {
                    if !self.guard_statement(rule, statement, &mut scope, growth, bounds)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Statement::Put { at, .. } => {
                let pieces = matches!(at.node, Sites::One(_)).then_some(1);
                *growth = growth.plus(pieces, Some(1));
                Ok(true)
            }
            // Part of a pile can come to an empty site.
            Statement::Relocate { number: Some(number), .. } => {
                *growth = growth.plus(Some(1), most_of(&rule.parameters, number));
                Ok(true)
            }
            Statement::Relocate { number: None, .. } => {
                *growth = growth.plus(Some(0), None);
                Ok(true)
            }
            Statement::Remove { .. }
            | Statement::SetNumber { .. }
            | Statement::Raise { .. }
            | Statement::Lower { .. } => Ok(true),
            // There are more pieces of the new kind, or of the new owner.
            Statement::Replace { at, .. } | Statement::Convert { at, .. } => {
                let pieces = matches!(at.node, Sites::One(_)).then_some(1);
                *growth = growth.plus(pieces, Some(0));
                Ok(true)
            }
            other => {
                let is_unknown = |inner: &Statement| {
                    matches!(inner, Statement::Require(_) | Statement::Assign(..))
                };
                if self.rules.holds(other, &is_unknown) {
                    return Ok(false);
                }
                *growth = Growth::UNKNOWN;
                Ok(true)
            }
        }
    }

    /// Adds that no pile is so high that an effect can make one too high; returns false if that is
    /// unknown.
    fn guard_height(
        &mut self,
        rule: &'r MoveRule,
        effect: &'r Statement,
        growth: Growth,
        span: Span,
        bounds: &mut Vec<Bound>,
    ) -> bool {
        let Statement::Relocate { number: Some(number), .. } = effect else { return false };
        let growth = growth.plus(None, most_of(&rule.parameters, number));
        let Some(piles) = &self.rules.piles else { return false };
        let most = growth.height.and_then(|growth| (piles.most as i64).checked_sub(growth));
        let (Some(most @ 1..), of) = (most, piles.span) else { return false };
        bounds.push(Bound { limited: Limited::Height, most, span, of });
        true
    }

    fn guard_condition(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
        growth: Growth,
        bounds: &mut Vec<Bound>,
    ) -> Compiled<bool> {
        match (&condition.node, growth.pieces) {
            (Condition::And(parts), _) => {
                for part in parts {
                    if !self.guard_condition(part, scope, growth, bounds)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Condition::Compare(comparison, left, right), Some(growth)) => {
                let (less, more, strict) = match comparison {
                    Comparison::AtMost => (left, right, 0),
                    Comparison::Less => (left, right, 1),
                    Comparison::AtLeast => (right, left, 0),
                    Comparison::Greater => (right, left, 1),
                    Comparison::Equal | Comparison::Unequal => return Ok(false),
                };
                let Number::Count(region) = &less.node else { return Ok(false) };
                let Some(most) = self.board_whole(more, scope) else { return Ok(false) };
                let mut around = Vec::new();
                self.regions_around(region, scope, &mut around)?;
                let pieces = around.iter().find_map(|around| match &around.node {
                    Sites::Pieces { kinds, whose } => {
                        Some((self.registers(kinds, whose)?, around.span))
                    }
                    _ => None,
                });
                let Some((registers, of)) = pieces else { return Ok(false) };
                let limited = Limited::Pieces(registers);
                let most = most - growth - strict;
                bounds.push(Bound { limited, most, span: condition.span, of });
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// Returns how great a number can be whatever is chosen; `None` if that depends on the position.
pub(super) fn most_of(parameters: &[Parameter], number: &Spanned<Number>) -> Option<i64> {
    match &number.node {
        Number::Constant(halves) => Some(halves / 2),
        Number::Local(local) => parameters.iter().find_map(|parameter| match &parameter.domain {
            Domain::Numbers { most, .. } if parameter.variable == *local => Some(i64::from(*most)),
            _ => None,
        }),
        Number::Add(parts) => {
            parts.iter().try_fold(0i64, |sum, part| Some(sum + most_of(parameters, part)?))
        }
        Number::Least(parts) => parts.iter().filter_map(|part| most_of(parameters, part)).min(),
        _ => None,
    }
}
