//! Loops in the order of play, and the numbers of the position that count their rounds.

use super::super::assembler::{FIXED, Label, Num};
use super::super::plan::{ClauseKind, How};
use super::super::program::PathTarget;
use super::super::values::{Amount, Scope};
use super::super::{Compiled, Compiler, Stop};
use super::FlowContext;
use crate::language::rules::{Condition, Number, PlayerId, Spanned, Statement};
use crate::syntax::Span;
use std::rc::Rc;

/// A `repeat` of at most this many iterations is unrolled.
const MAX_UNROLLED: i64 = 8;

/// An `until` around a statement.
pub(super) struct OpenLoop<'r> {
    condition: &'r Spanned<Condition>,
    scope: Scope<'r>,
    mover: PlayerId,
    /// Where play continues when the condition holds.
    over: Label,
    outer: Option<Rc<OpenLoop<'r>>>,
}

impl<'r> Compiler<'r> {
    /// Emits a loop; the function receives the label behind it.
    pub(super) fn emit_loop(
        &mut self,
        span: Span,
        emit: impl FnOnce(&mut Self, Label) -> Compiled<()>,
    ) -> Compiled<()> {
        let clause = self.clause(span);
        let again = self.asm.label();
        let over = self.asm.label();
        self.asm.place(again);
        self.asm.forget();
        emit(self, over)?;
        self.asm.loop_back(clause, again);
        self.asm.place(over);
        self.asm.forget();
        Ok(())
    }

    /// Reserves a number of the position for the order of play.
    pub(super) fn counter(
        &mut self,
        context: &FlowContext<'r>,
        span: Span,
    ) -> Compiled<(Num, FlowContext<'r>)> {
        let register = self.layout.nums + context.depth;
        let inner = FlowContext { depth: context.depth + 1, ..context.clone() };
        self.order.counters = self.order.counters.max(inner.depth);
        if register >= FIXED {
            return Err(Stop::TooLarge(span));
        }
        Ok((Num(register), inner))
    }

    pub(super) fn repeat(
        &mut self,
        times: &'r Spanned<Number>,
        body: &'r [Spanned<Statement>],
        span: Span,
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        let quantity = self.lift_number(times, scope)?;
        let quantity = self.whole(quantity)?;
        if let Amount::Fixed(times) = quantity.amount
            && times <= MAX_UNROLLED
        {
            for left in (0..times).rev() {
                self.flow(body, scope, &context.inside(PathTarget::Round { left }))?;
            }
            return Ok(());
        }
        let times = self.held(&quantity)?;
        let (counter, mut inner) = self.counter(context, span)?;
        inner.counters.push(counter.0);
        self.asm.assign_to(counter, times);
        let inner = inner.inside(PathTarget::Counted(counter.0));
        self.emit_loop(span, |c, over| {
            c.count_down(counter, over, |c| c.flow(body, scope, &inner))
        })?;
        self.reset(counter);
        Ok(())
    }

    /// Jumps to the label if the counter is below one; else emits the rest and a decrement.
    pub(super) fn count_down(
        &mut self,
        counter: Num,
        over: Label,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        // Requested again below: no temporary survives a decision in the rest.
        let one = self.asm.constant(1);
        self.asm.if_less(counter, one, over);
        emit(self)?;
        let one = self.asm.constant(1);
        self.asm.subtract_to(counter, counter, one);
        Ok(())
    }

    pub(super) fn reset(&mut self, register: Num) {
        let zero = self.asm.constant(0);
        self.asm.assign_to(register, zero);
    }

    /// Resets the counters of loops that may have been left early. Equal positions must be equal
    /// in all numbers.
    pub(super) fn reset_counters(&mut self, context: &FlowContext<'r>) {
        for depth in context.depth..self.order.counters {
            self.reset(Num(self.layout.nums + depth));
        }
    }

    /// Emits a turn.
    pub(super) fn turn(
        &mut self,
        player: PlayerId,
        body: &'r [Spanned<Statement>],
        span: Span,
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        let mover = std::mem::replace(&mut self.mover, player);
        let [again, leave, over] = [(); 3].map(|()| self.asm.label());
        let inside = FlowContext {
            leave: Some(leave),
            around_turn: context.loops.clone(),
            ..context.inside(PathTarget::Turn(player))
        };
        self.asm.place(again);
        let done = self.entry(None, |c| c.flow(body, scope, &inside));
        self.asm.place(leave);
        self.asm.forget();
        self.reset_counters(context);
        if let Some(extra) = self.order.extra_turn {
            let one = self.asm.constant(1);
            self.asm.if_less(extra, one, over);
            self.reset(extra);
            let clause = self.clause(span);
            self.asm.loop_back(clause, again);
            self.asm.place(over);
            self.asm.forget();
        }
        self.mover = mover;
        done
    }

    /// Emits that there is no other turn after all, where a ply has left more than its turn, or
    /// is in none.
    pub(super) fn forget_extra_turn(&mut self) {
        if let Some(extra) = self.order.extra_turn {
            self.reset(extra);
        }
    }

    /// Emits that the turn ends with the ply, and if the same player has another one.
    pub(in crate::compile) fn end_turn(&mut self, again: bool) {
        if let Some(extra) = self.order.extra_turn {
            let again = self.asm.constant(i32::from(again));
            self.asm.assign_to(extra, again);
        }
        self.asm.leave();
    }

    /// Emits rounds up to the one before which, or the ply after which, the condition holds.
    pub(super) fn until(
        &mut self,
        condition: &'r Spanned<Condition>,
        body: &'r [Spanned<Statement>],
        span: Span,
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        self.emit_loop(span, |c, over| {
            let from = c.asm.length();
            c.jump(condition, scope, true, over)?;
            c.note(ClauseKind::Condition, condition.span, How::Once, from);
            let (scope, mover, outer) = (scope.clone(), c.mover, context.loops.clone());
            let open = OpenLoop { condition, scope: scope.clone(), mover, over, outer };
            let inside =
                FlowContext { loops: Some(Rc::new(open)), ..context.inside(PathTarget::List(0)) };
            c.flow(body, &scope, &inside)
        })?;
        self.reset_counters(context);
        self.forget_extra_turn();
        Ok(())
    }

    /// Emits the way out of the innermost of these loops whose condition holds.
    pub(super) fn leave_loops(&mut self, loops: &Option<Rc<OpenLoop<'r>>>) -> Compiled<()> {
        let open = |open: &Rc<OpenLoop<'r>>| open.outer.clone();
        for open in std::iter::successors(loops.clone(), open) {
            let mover = std::mem::replace(&mut self.mover, open.mover);
            let left = self.jump(open.condition, &open.scope, true, open.over);
            self.mover = mover;
            left?;
        }
        Ok(())
    }
}
