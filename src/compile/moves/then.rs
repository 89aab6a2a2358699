//! Choices within a move that come after effects of it: `then`.
//!
//! What can be chosen depends on the position after the effects. The moves up to that point are
//! generated as sets, as if they were whole moves. Each of their members is then tried: its effects
//! are made in place, the choices that follow are generated as a set of their own, with the
//! member as its prefix, and the registers that the effects have written are restored from
//! copies. Members after which nothing is chosen are collected and remain one set. All
//! requirements are tested on the way, so every generated move is legal.

use super::super::ability::Trial;
use super::super::assembler::{Assembler, Label, Num, Set};
use super::super::plan::How;
use super::super::program::ParameterSource;
use super::super::values::{Binding, Scope, SiteOperand};
use super::super::{Compiled, Compiler};
use super::PartialSpecialization;
use crate::board::Site;
use crate::language::rules::{Domain, Parameter, Spanned, Statement};

/// How a `then` is compiled in the current routine.
#[derive(Clone, Default)]
pub(in crate::compile) enum ThenRole<'r> {
    /// The move is made without it.
    #[default]
    Skipped,
    /// The move is made with the `then`: the sources of the arguments that it chooses.
    Made(Vec<ParameterSource>),
    /// Its choices are generated, for the moves with these arguments.
    Generated(Box<PartialSpecialization<'r>>),
}

/// The moves of one set of a rule with a `then`, before they are tried.
#[derive(Clone)]
pub(super) struct MovesToTry {
    pub sources: Vec<ParameterSource>,
    pub set: Set,
    /// The indexes of the requirements that all of them meet.
    pub lifted: Vec<usize>,
}

impl<'r> Compiler<'r> {
    /// Adds the pending sets of moves, of a rule with a `then` or of the `then` itself.
    pub(super) fn try_pending(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        for MovesToTry { sources, set, lifted } in std::mem::take(&mut partial.pending) {
            let one = PartialSpecialization { sources, ..partial.clone() };
            match one.found {
                Some(found) => self.add_continuations(&one, found, set, lifted, scope)?,
                None => self.try_moves(&one, set, lifted, scope)?,
            }
        }
        Ok(())
    }

    /// Tries each move of a set and adds the sets of its continuations, then the set of the moves
    /// without a continuation.
    fn try_moves(
        &mut self,
        partial: &PartialSpecialization<'r>,
        set: Set,
        lifted: Vec<usize>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let whole = self.asm.fresh_set();
        self.asm.clear(whole);
        match partial.lifted {
            Some(_) => self.each_site(set, Assembler::open_loop, |c, site| {
                c.try_one(partial, Some(&site), &lifted, scope, whole)
            })?,
            None => self.try_one(partial, None, &lifted, scope, whole)?,
        }
        let specialization = self.specialization(partial, lifted)?;
        self.asm.add_move_set(0, whole, specialization);
        Ok(())
    }

    /// Tries one move: adds its continuations, or adds its member to `whole`.
    fn try_one(
        &mut self,
        partial: &PartialSpecialization<'r>,
        member: Option<&SiteOperand>,
        lifted: &[usize],
        scope: &Scope<'r>,
        whole: Set,
    ) -> Compiled<()> {
        let mut further = partial.clone();
        let mut scope = scope.clone();
        let facts = self.site_facts_of(&partial.rule.parameters)?;
        let stepped = self.context.stepped.clone();
        let single = match (member, partial.lifted) {
            (Some(site), Some(lifted)) => {
                let number = self.site_number(site)?;
                let chosen;
                (chosen, scope) = self.member_sites(partial, lifted, number, scope);
                for (index, number) in chosen {
                    let prefix = further.prefix;
                    self.asm.set_prefix(prefix, number);
                    further.sources[index] = ParameterSource::Prefix(prefix);
                    further.prefix += 1;
                }
                Some(number)
            }
            _ => None,
        };
        let done = self.asm.label();
        self.in_place(done, |c| {
            let over = c.asm.label();
            c.context.tried = Some(Trial { fails: done, succeeds: over });
            c.context.site_facts = facts;
            let role = ThenRole::Generated(Box::new(further));
            let around = std::mem::replace(&mut c.then, role);
            c.asm.open();
            let emitted = c.untested(&partial.rule.body, partial, lifted, &scope);
            c.asm.close();
            c.then = around;
            emitted?;
            c.asm.place(over);
            let member = match single {
                Some(number) => c.asm.single(number),
                None => c.constant(vec![Site(0)]),
            };
            c.asm.join(whole, member);
            Ok(())
        })?;
        self.context.stepped = stepped;
        Ok(())
    }

    /// Returns the parameters that a member of a move set determines, with the registers of their
    /// sites, and the scope in which they are bound to them.
    fn member_sites(
        &mut self,
        partial: &PartialSpecialization<'r>,
        lifted: usize,
        member: Num,
        mut scope: Scope<'r>,
    ) -> (Vec<(usize, Num)>, Scope<'r>) {
        let mut chosen = vec![(lifted, member)];
        if let Some(to) = partial.stepped
            && let ParameterSource::MemberPath(path) = partial.sources[partial.first + to]
        {
            let end = path.steps().iter().fold(member, |site, way| self.asm.step(*way, site));
            if let [direction] = path.steps() {
                self.context.stepped.insert(end.0, (member.0, *direction));
            }
            chosen.push((to, end));
        }
        for &(index, number) in &chosen {
            let site = Binding::Site(SiteOperand::In(number));
            scope = scope.with(partial.parameters[index].variable, site);
        }
        (chosen, scope)
    }

    /// Compiles the statements of a move, except for the requirements that it is known to meet.
    fn untested(
        &mut self,
        body: &'r [Spanned<Statement>],
        partial: &PartialSpecialization<'r>,
        lifted: &[usize],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let mut scope = scope.clone();
        let mut effect = None;
        for (index, statement) in body.iter().enumerate() {
            self.asked = How::Tried(partial.why_tried(index, statement, &mut effect));
            if !partial.asked.contains(&index) && !lifted.contains(&index) {
                scope = self.statement(statement, scope)?;
            }
        }
        self.asked = How::Once;
        Ok(())
    }

    /// Compiles a `then` according to its role in the current routine.
    pub(in crate::compile) fn then(
        &mut self,
        parameters: &'r [Parameter],
        body: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        match self.then.clone() {
            ThenRole::Skipped => Ok(()),
            ThenRole::Made(sources) => {
                let mut scope = scope.clone();
                for (parameter, source) in parameters.iter().zip(sources) {
                    let bound = self.argument(source, &|c, index| c.asm.argument(index));
                    scope = scope.with(parameter.variable, bound);
                }
                self.context.site_facts = self.site_facts_of(parameters)?;
                self.statements(body, &scope)
            }
            ThenRole::Generated(partial) => self.continuations(*partial, parameters, body, scope),
        }
    }

    /// Adds the continuations of the move that is tried. If there is one, the move is dealt with.
    fn continuations(
        &mut self,
        mut partial: PartialSpecialization<'r>,
        parameters: &'r [Parameter],
        body: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let Some(Trial { fails: done, .. }) = self.context.tried else { return Ok(()) };
        let found = self.asm.fresh_set();
        self.asm.clear(found);
        let first = partial.sources.len();
        let is_site = |&index: &usize| matches!(parameters[index].domain, Domain::Sites(_));
        let sites: Vec<usize> = (0..parameters.len()).filter(is_site).collect();
        (partial.lifted, partial.stepped, partial.apart) =
            self.lifted_sites(parameters, &sites, scope)?;
        partial.first = first;
        partial.parameters = parameters;
        partial.body = body;
        partial.cases = vec![None; parameters.len()];
        partial.values = vec![None; parameters.len()];
        partial.together = 0..0;
        partial.asked.clear();
        partial.found = Some(found);
        partial.sources.resize(first + parameters.len(), ParameterSource::Number(0));
        partial.unlift_dependent();
        self.fix_parameters(&mut partial, 0, scope)?;
        self.asm.if_any(found, done);
        Ok(())
    }

    /// Adds a set of continuations of the move that is tried, without those that turn out to be
    /// illegal.
    fn add_continuations(
        &mut self,
        partial: &PartialSpecialization<'r>,
        found: Set,
        mut set: Set,
        lifted: Vec<usize>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let fails = |(index, statement): (usize, &Spanned<Statement>)| {
            let is_requirement = |inner: &Statement| matches!(inner, Statement::Require(_));
            !lifted.contains(&index) && self.rules.holds(&statement.node, &is_requirement)
        };
        if partial.body.iter().enumerate().any(fails) {
            let legal = self.asm.fresh_set();
            self.asm.clear(legal);
            match partial.lifted {
                Some(index) => self.each_site(set, Assembler::open_loop, |c, site| {
                    let number = c.site_number(&site)?;
                    let stepped = c.context.stepped.clone();
                    let (_, scope) = c.member_sites(partial, index, number, scope.clone());
                    let single = c.asm.single(number);
                    c.try_continuation(partial, &lifted, &scope, single, legal)?;
                    c.context.stepped = stepped;
                    Ok(())
                })?,
                None => self.try_continuation(partial, &lifted, scope, set, legal)?,
            }
            set = legal;
        }
        self.asm.join(found, set);
        let specialization = self.specialization(partial, lifted)?;
        self.asm.add_move_set(0, set, specialization);
        Ok(())
    }

    /// Tries one continuation, and adds its member to `legal` if it is legal.
    fn try_continuation(
        &mut self,
        partial: &PartialSpecialization<'r>,
        lifted: &[usize],
        scope: &Scope<'r>,
        member: Set,
        legal: Set,
    ) -> Compiled<()> {
        let facts = self.site_facts_of(partial.parameters)?;
        let done = self.asm.label();
        self.in_place(done, |c| {
            let over = c.asm.label();
            c.context.tried = Some(Trial { fails: done, succeeds: over });
            c.context.site_facts = facts;
            c.asm.open();
            let emitted = c.untested(partial.body, partial, lifted, scope);
            c.asm.close();
            emitted?;
            c.asm.place(over);
            c.asm.join(legal, member);
            Ok(())
        })
    }

    /// Emits instructions that may change the position, places the label, and restores the position
    /// after it.
    fn in_place(
        &mut self,
        done: Label,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let context = self.context.clone();
        let start = self.asm.length();
        self.asm.open();
        let emitted = emit(self);
        self.asm.close();
        self.context = context;
        emitted?;
        let saved = self.asm.saved_since(start, &self.context.changing);
        self.asm.place(done);
        self.asm.restore(&saved);
        self.asm.save(start, &saved);
        Ok(())
    }
}
