//! Compiles loops within a ply.

use super::super::assembler::{Assembler, Label};
use super::super::plan::{ClauseKind, How};
use super::super::site_facts::SiteFacts;
use super::super::values::{Binding, Scope, SiteOperand};
use super::super::{Compiled, Compiler, Stop};
use crate::language::rules::{Binder, Condition, Domain, Local, Number, Sites, Spanned, Statement};
use crate::syntax::Span;

impl<'r> Compiler<'r> {
    pub(super) fn each(
        &mut self,
        binder: &'r Binder,
        body: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        if let Domain::Sites(domain) = &binder.domain {
            return self.for_sites(binder.variable, domain, body, scope);
        }
        if let Domain::Groups { region, directions, span } = &binder.domain {
            self.context.site_facts = SiteFacts::default();
            let start = self.asm.length();
            self.each_group(region, directions, scope, Assembler::open_loop, |c, group, _| {
                c.statements(body, &scope.with(binder.variable, Binding::Sites(group)))
            })?;
            self.note(ClauseKind::For, *span, How::Each(None), start);
            return Ok(());
        }
        for (guard, scope) in self.frozen_scopes(binder.variable, &binder.domain, scope)? {
            self.guarded(&guard, |c| c.statements(body, &scope))?;
        }
        Ok(())
    }

    /// Compiles the statements for each site of a region, in ascending order.
    fn for_sites(
        &mut self,
        variable: Local,
        from: &'r Spanned<Sites>,
        body: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        self.context.site_facts = SiteFacts::default();
        let (span, start) = (from.span, self.asm.length());
        let Sites::One(site) = &from.node else {
            let from = self.region(from, scope)?;
            self.each_site(from, Assembler::open_loop, |c, site| {
                c.statements(body, &scope.with(variable, Binding::Site(site)))
            })?;
            self.note(ClauseKind::For, span, How::Each(None), start);
            return Ok(());
        };
        // A single site needs no loop, at most a test that it exists.
        match self.site_operand(site, scope)? {
            SiteOperand::Nowhere => {}
            SiteOperand::In(num) => {
                let num = self.frozen_number(num);
                let nowhere = self.asm.label();
                let zero = self.asm.constant(0);
                self.asm.if_less(num, zero, nowhere);
                self.asm.open();
                self.statements(body, &scope.with(variable, Binding::Site(SiteOperand::In(num))))?;
                self.asm.close();
                self.asm.place(nowhere);
            }
            place => self.statements(body, &scope.with(variable, Binding::Site(place)))?,
        }
        self.note(ClauseKind::For, span, How::Once, start);
        Ok(())
    }

    pub(super) fn chain(
        &mut self,
        variable: Local,
        from: &'r Spanned<Sites>,
        body: &'r [Spanned<Statement>],
        span: Span,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        // If nothing joins the chain, it is a loop over its first sites.
        if !body.iter().any(|statement| {
            self.rules.holds(&statement.node, &|inside| matches!(inside, Statement::Join(_)))
        }) {
            return self.for_sites(variable, from, body, scope);
        }
        self.context.site_facts = SiteFacts::default();
        let (first, start) = (from.span, self.asm.length());
        let from = self.region(from, scope)?;
        let queue = self.context.chain;
        if queue == u8::MAX {
            return Err(Stop::TooLarge(span));
        }
        self.context.chain += 1;
        self.chains = self.chains.max(self.context.chain);
        self.asm.new_queue(queue);
        self.asm.enqueue(queue, from);
        let again = self.asm.label();
        let done = self.asm.label();
        let round = self.asm.open_loop();
        self.asm.place(again);
        let site = self.asm.fresh_num();
        self.asm.dequeue(queue, site, done);
        let emitted =
            self.statements(body, &scope.with(variable, Binding::Site(SiteOperand::In(site))));
        self.asm.jump(again);
        self.asm.close_loop(round);
        self.asm.place(done);
        self.context.chain -= 1;
        emitted?;
        self.note(ClauseKind::For, first, How::Each(None), start);
        Ok(())
    }

    /// Emits rounds by their number, which is determined before the first.
    pub(super) fn times(
        &mut self,
        times: &'r Spanned<Number>,
        span: Span,
        scope: &Scope<'r>,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let times = self.number(times, scope)?;
        let left = self.asm.fresh_num();
        self.asm.assign_to(left, times);
        self.rounds(span, |c, done| {
            let one = c.asm.constant(1);
            c.asm.if_less(left, one, done);
            c.asm.subtract_to(left, left, one);
            emit(c)
        })
    }

    /// Compiles the statements as long as the condition holds before each round.
    pub(super) fn as_long_as(
        &mut self,
        condition: &'r Spanned<Condition>,
        body: &'r [Spanned<Statement>],
        span: Span,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        self.rounds(span, |c, done| {
            let from = c.asm.length();
            c.jump(condition, scope, false, done)?;
            c.note(ClauseKind::Condition, condition.span, How::Once, from);
            c.statements(body, scope)
        })
    }

    /// Emits rounds that may change the position, until one jumps to the label.
    pub(super) fn rounds(
        &mut self,
        span: Span,
        emit: impl FnOnce(&mut Self, Label) -> Compiled<()>,
    ) -> Compiled<()> {
        self.context.site_facts = SiteFacts::default();
        let (again, done) = (self.asm.label(), self.asm.label());
        let round = self.asm.open_loop();
        self.asm.place(again);
        let emitted = emit(self, done);
        self.last = span;
        self.go_round(again);
        self.asm.close_loop(round);
        self.asm.place(done);
        self.context.site_facts = SiteFacts::default();
        emitted
    }
}
