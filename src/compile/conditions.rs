//! Compiles conditions to jumps, one site at a time; `lift` computes them for all sites at once.

use super::assembler::{Assembler, Label, Num, Set};
use super::calls::unevaluated;
use super::directions::Guard;
use super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, PlayerOperand, Quantity, Scope, SiteOperand,
};
use super::{Compiled, Compiler};
use crate::language::rules::{Comparison, Condition, Domain, Spanned};

/// The instruction that jumps if something holds, and the one that jumps if it does not.
type Jumps<A, B> = [fn(&mut Assembler, A, B, Label); 2];

impl<'r> Compiler<'r> {
    /// Jumps to the label if the condition has the value `when`, otherwise continues.
    pub(super) fn jump(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
        when: bool,
        to: Label,
    ) -> Compiled<()> {
        self.work(condition.span)?;
        if let Some(holds) = self.board_condition(condition, scope) {
            return self.jump_settled(holds, when, to);
        }
        if let Some((site, sites)) = self.board_condition_at(condition, scope) {
            return self.test([Assembler::if_in, Assembler::if_out], site, sites, when, to);
        }
        match &condition.node {
            Condition::Constant(holds) => {
                if *holds == when {
                    self.asm.jump(to);
                }
                Ok(())
            }
            Condition::And(parts) => self.jump_all(
                parts.iter().map(|part| (Guard::default(), part, scope.clone())).collect(),
                false,
                when,
                to,
            ),
            Condition::Or(parts) => self.jump_all(
                parts.iter().map(|part| (Guard::default(), part, scope.clone())).collect(),
                true,
                when,
                to,
            ),
            Condition::Not(part) => self.jump(part, scope, !when, to),
            Condition::Any(region) | Condition::None(region) => {
                let region = self.tested_region(region, scope)?;
                let any = matches!(condition.node, Condition::Any(_));
                self.jump_any(region, when == any, to)
            }
            Condition::In(site, region) => {
                let place = self.site_operand(site, scope)?;
                let region = self.region(region, scope)?;
                if place == SiteOperand::Nowhere {
                    return self.jump_settled(false, when, to);
                }
                let site = self.site_number(&place)?;
                self.test([Assembler::if_in, Assembler::if_out], site, region, when, to)
            }
            Condition::Exists(binder, body) | Condition::Every(binder, body) => {
                let every = matches!(condition.node, Condition::Every(..));
                if let Domain::Sites(domain) = &binder.domain {
                    // "Some" holds if the set of sites that satisfy the body is not empty, "every"
                    // if the rest of the domain is empty.
                    let domain = self.region(domain, scope)?;
                    let found = self.domain_where(binder.variable, domain, body, scope)?;
                    let (set, when) = if every {
                        (self.asm.without(domain, found), !when)
                    } else {
                        (found, when)
                    };
                    return self.jump_any(set, when, to);
                }
                if let Domain::Groups { region, directions, .. } = &binder.domain {
                    let (found, one) = (self.starting_at(0), self.asm.constant(1));
                    self.each_group(
                        region,
                        directions,
                        scope,
                        Assembler::open_pure_loop,
                        |c, group, rest| {
                            // A group that decides is the last one.
                            let scope = scope.with(binder.variable, Binding::Sites(group));
                            let over = c.asm.label();
                            c.asm.open();
                            c.jump(body, &scope, every, over)?;
                            c.asm.assign_to(found, one);
                            c.asm.clear(rest);
                            c.asm.close();
                            c.asm.place(over);
                            Ok(())
                        },
                    )?;
                    return self.jump_number(found, when != every, to);
                }
                let cases = self.cases(binder.variable, &binder.domain, scope)?;
                let asked: Vec<_> =
                    cases.into_iter().map(|(guard, scope)| (guard, &**body, scope)).collect();
                self.jump_all(asked, !every, when, to)
            }
            Condition::Compare(comparison, left, right) => {
                let left = self.lift_number(left, scope)?;
                let right = self.lift_number(right, scope)?;
                self.jump_compare(*comparison, left, right, when, to)
            }
            Condition::Connected(region, directions) => {
                // The group of the lowest site is the whole region.
                let region = self.region(region, scope)?;
                let cases = self.both_ways(directions, scope)?;
                let lowest = self.asm.lowest(region);
                let first = self.asm.single(lowest);
                let group = self.group_of(first, region, &cases)?;
                let rest = self.asm.without(region, group);
                self.jump_any(rest, !when, to)
            }
            Condition::SamePlayer(left, right) => {
                let left = self.player_operand(left, scope)?;
                let right = self.player_operand(right, scope)?;
                if let (PlayerOperand::Fixed(left), PlayerOperand::Fixed(right)) = (left, right) {
                    return self.jump_settled(left == right, when, to);
                }
                let left = self.player_number(left);
                let right = self.player_number(right);
                self.test([Assembler::if_equal, Assembler::if_unequal], left, right, when, to)
            }
            Condition::SameSite(left, right) => {
                let left = self.site_operand(left, scope)?;
                let right = self.site_operand(right, scope)?;
                match (&left, &right) {
                    (SiteOperand::Nowhere, _) | (_, SiteOperand::Nowhere) => {
                        return self.jump_settled(false, when, to);
                    }
                    (SiteOperand::Fixed(left), SiteOperand::Fixed(right)) => {
                        return self.jump_settled(left == right, when, to);
                    }
                    _ => {}
                }
                // Nowhere equals nothing, not even itself: as sets, both are empty.
                let left = self.single(&left)?;
                let right = self.single(&right)?;
                let both = self.asm.and(left, right);
                self.jump_any(both, when, to)
            }
            Condition::SameDirection(left, right) => {
                let left = self.direction_operand(left, scope)?;
                let right = self.direction_operand(right, scope)?;
                match (left, right) {
                    (DirectionOperand::Nowhere, _) | (_, DirectionOperand::Nowhere) => {
                        self.jump_settled(false, when, to)
                    }
                    (DirectionOperand::Fixed(left), DirectionOperand::Fixed(right)) => {
                        self.jump_settled(left == right, when, to)
                    }
                    (left, right) => {
                        let left = self.direction_number(left);
                        let right = self.direction_number(right);
                        self.jump_same_number(left, right, when, to)
                    }
                }
            }
            Condition::SameKind(left, right) => {
                let left = self.piece_operand(left, scope)?;
                let right = self.piece_operand(right, scope)?;
                self.jump_same_kind(&left, &right, when, to)
            }
            Condition::Can(player, moves) => self.jump_if_able(player, moves, scope, when, to),
            Condition::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.jump(&branches[player.index()], scope, when, to)
                }
                PlayerOperand::In(who) => self.each_player(who, |c, player| {
                    c.jump(&branches[player.index()], scope, when, to)
                }),
            },
            Condition::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Condition(num)) => self.jump_number(num, when, to),
                binding => {
                    let (condition, scope) = unevaluated(binding)?;
                    self.jump(condition, &scope, when, to)
                }
            },
            Condition::Memory { memory, player } => {
                let num = self.remembered(*memory, player.as_deref(), None, scope)?;
                self.jump_number(num, when, to)
            }
            Condition::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.jump(body, &scope, when, to)
            }
        }
    }

    /// Jumps if what is tested has the value `when`.
    fn test<A, B>(&mut self, by: Jumps<A, B>, a: A, b: B, when: bool, to: Label) -> Compiled<()> {
        by[usize::from(!when)](&mut self.asm, a, b, to);
        Ok(())
    }

    /// Jumps if a set has a site, or if it has none unless `when`.
    fn jump_any(&mut self, set: Set, when: bool, to: Label) -> Compiled<()> {
        let jump = if when { Assembler::if_any } else { Assembler::if_none };
        jump(&mut self.asm, set, to);
        Ok(())
    }

    /// Jumps if a number, which is 0 for false, has the value `when`.
    fn jump_number(&mut self, number: Num, when: bool, to: Label) -> Compiled<()> {
        let zero = self.asm.constant(0);
        self.test([Assembler::if_unequal, Assembler::if_equal], number, zero, when, to)
    }

    fn jump_same_kind(
        &mut self,
        left: &PieceOperand,
        right: &PieceOperand,
        when: bool,
        to: Label,
    ) -> Compiled<()> {
        match (left, right) {
            (PieceOperand::Nothing, _) | (_, PieceOperand::Nothing) => {
                self.jump_settled(false, when, to)
            }
            (PieceOperand::Fixed(left), PieceOperand::Fixed(right)) => {
                self.jump_settled(left == right, when, to)
            }
            (PieceOperand::On(place), PieceOperand::Fixed(kind))
            | (PieceOperand::Fixed(kind), PieceOperand::On(place)) => {
                let standing = self.sites_with(*kind, |_| true);
                let site = self.site_number(place)?;
                self.test([Assembler::if_in, Assembler::if_out], site, standing, when, to)
            }
            (left, right) => {
                let left = self.piece_number(left)?;
                let right = self.piece_number(right)?;
                self.jump_same_number(left, right, when, to)
            }
        }
    }

    /// Jumps on the equality of two numbers; a negative number equals nothing.
    fn jump_same_number(&mut self, left: Num, right: Num, when: bool, to: Label) -> Compiled<()> {
        let no = self.asm.label();
        let zero = self.asm.constant(0);
        self.asm.if_less(left, zero, if when { no } else { to });
        self.test([Assembler::if_equal, Assembler::if_unequal], left, right, when, to)?;
        self.asm.place(no);
        Ok(())
    }

    fn jump_settled(&mut self, holds: bool, when: bool, to: Label) -> Compiled<()> {
        if holds == when {
            self.asm.jump(to);
        }
        Ok(())
    }

    /// Jumps on a conjunction, or on a disjunction if `any`.
    fn jump_all(
        &mut self,
        parts: Vec<(Guard, &'r Spanned<Condition>, Scope<'r>)>,
        any: bool,
        when: bool,
        to: Label,
    ) -> Compiled<()> {
        // Short-circuit evaluation: a part with the value `any` decides the whole. It jumps to the
        // label if that is the value asked for, otherwise over the other parts.
        let guarded = parts.iter().any(|(guard, ..)| !guard.is_empty());
        let (last, before) = match parts.split_last() {
            None => return self.jump_settled(!any, when, to),
            // A last part that does not apply leaves the value to the others.
            Some(_) if guarded => (None, &parts[..]),
            Some((last, before)) => (Some(last), before),
        };
        let direct = any == when;
        let over = self.asm.label();
        self.asm.open();
        for (guard, part, scope) in before {
            self.guarded(guard, |c| c.jump(part, scope, any, if direct { to } else { over }))?;
        }
        match last {
            Some((_, part, scope)) => self.jump(part, scope, when, to)?,
            None => self.jump_settled(!any, when, to)?,
        }
        self.asm.close();
        self.asm.place(over);
        Ok(())
    }

    fn jump_compare(
        &mut self,
        comparison: Comparison,
        left: Quantity,
        right: Quantity,
        when: bool,
        to: Label,
    ) -> Compiled<()> {
        let scale = left.scale.max(right.scale);
        let left = self.scaled(left, scale)?;
        let right = self.scaled(right, scale)?;
        if let (Amount::Fixed(left), Amount::Fixed(right)) = (&left.amount, &right.amount) {
            return self.jump_settled(comparison.holds(*left, *right), when, to);
        }
        let left = self.held(&left)?;
        let right = self.held(&right)?;
        let equal = [Assembler::if_equal, Assembler::if_unequal];
        let less = [Assembler::if_less, Assembler::if_at_least];
        match comparison {
            Comparison::Equal => self.test(equal, left, right, when, to),
            Comparison::Unequal => self.test(equal, left, right, !when, to),
            Comparison::Less => self.test(less, left, right, when, to),
            Comparison::AtLeast => self.test(less, left, right, !when, to),
            Comparison::Greater => self.test(less, right, left, when, to),
            Comparison::AtMost => self.test(less, right, left, !when, to),
        }
    }

    /// Returns a register with 1 if the condition holds, otherwise 0.
    pub(super) fn truth(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Num> {
        let (result, one) = (self.starting_at(0), self.asm.constant(1));
        let no = self.asm.label();
        self.asm.open();
        self.jump(condition, scope, false, no)?;
        self.asm.assign_to(result, one);
        self.asm.close();
        self.asm.place(no);
        Ok(result)
    }

    /// Returns the condition's value if it is known before play. Emits nothing.
    pub(super) fn settled(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Option<bool> {
        let is_here = |one: &&Spanned<Condition>| std::ptr::eq(*one, condition);
        let mut assumed = self.context.assumed.iter();
        if let Some(&(_, holds)) = assumed.find(|(both, _)| both.iter().any(is_here)) {
            return Some(holds);
        }
        match &condition.node {
            Condition::Not(part) => self.settled(part, scope).map(|holds| !holds),
            Condition::Constant(holds) => Some(*holds),
            _ => self.board_condition(condition, scope),
        }
    }
}
