//! The routines that make moves, and what a parameter of a specialization is bound to.

use super::super::assembler::Num;
use super::super::plan::How;
use super::super::program::{ParameterSource, Specialization};
use super::super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, Quantity, Scope, SiteOperand,
};
use super::super::{Compiled, Compiler, Stop};
use super::{PartialSpecialization, ThenRole};

impl<'r> Compiler<'r> {
    /// Returns the specialization, and compiles the routine that makes the move if it is new.
    pub(super) fn specialization(
        &mut self,
        partial: &PartialSpecialization<'r>,
        lifted: Vec<usize>,
    ) -> Compiled<u16> {
        let sources = partial.sources.clone();
        let key = (self.mover, partial.id, sources, lifted.clone(), partial.proposals);
        if let Some(&known) = self.moves.made.get(&key) {
            return Ok(known);
        }
        let is_tried = !partial.rule.further.is_empty();
        let settled = |index: &usize| !is_tried && partial.is_settled(*index, &lifted);
        let body = &partial.rule.body;
        let exact = is_tried || self.last_requirement(partial, &lifted).is_none();
        if !partial.proposals {
            // A guard covers the whole rule, so it relies on what every specialization has settled.
            let always = self
                .moves
                .settled
                .entry((self.mover, partial.id))
                .or_insert_with(|| (0..body.len()).collect());
            always.retain(settled);
        }
        let role = match partial.sources.get(partial.rule.parameters.len()..) {
            Some(sources) if !sources.is_empty() => ThenRole::Made(sources.to_vec()),
            _ => ThenRole::Skipped,
        };
        let around = std::mem::replace(&mut self.then, role);
        let mut facts = Vec::new();
        let apply = self.routine(partial.rule.span, |c| {
            let mut scope = c.arguments(partial, |c, index| c.asm.argument(index))?;
            c.context.are_requirements_met = is_tried;
            c.context.parameters = &partial.rule.parameters;
            c.context.site_facts = c.site_facts_of(&partial.rule.parameters)?;
            facts = c.context.site_facts.about(&partial.rule.parameters);
            let mut effect = None;
            for (index, statement) in body.iter().enumerate() {
                c.asked = match partial.proposals {
                    true => How::Sampled,
                    false => How::Tried(partial.why_tried(index, statement, &mut effect)),
                };
                if !settled(&index) {
                    scope = c.statement(statement, scope)?;
                }
            }
            c.asked = How::Once;
            Ok(())
        });
        self.then = around;
        let apply = apply?;
        let index = self.moves.specializations.len();
        if index >= usize::from(u16::MAX) {
            return Err(Stop::TooLarge(partial.rule.span));
        }
        let specialization = Specialization {
            rule: partial.id,
            sources: partial.sources.clone(),
            facts,
            apply: 0,
            exact,
            is_proposal: partial.proposals,
        };
        self.moves.specializations.push((specialization, apply));
        self.moves.made.insert(key, index as u16);
        Ok(index as u16)
    }

    /// Binds the parameters. `argument` returns the register of an argument: 0 is the lifted site
    /// or number, the prefix arguments follow.
    pub(in crate::compile) fn arguments(
        &mut self,
        partial: &PartialSpecialization<'r>,
        argument: impl Fn(&mut Self, u8) -> Num,
    ) -> Compiled<Scope<'r>> {
        let mut scope = Scope::default();
        for (parameter, source) in partial.rule.parameters.iter().zip(&partial.sources) {
            let bound = self.argument(*source, &argument);
            scope = scope.with(parameter.variable, bound);
        }
        Ok(scope)
    }

    /// Returns the value of a parameter; `argument` as in [`Compiler::arguments`].
    pub(super) fn argument(
        &mut self,
        source: ParameterSource,
        argument: &impl Fn(&mut Self, u8) -> Num,
    ) -> Binding<'r> {
        match source {
            ParameterSource::Member => Binding::Site(SiteOperand::In(argument(self, 0))),
            ParameterSource::MemberPath(path) => {
                let from = argument(self, 0);
                let mut to = from;
                for direction in path.steps() {
                    to = self.asm.step(*direction, to);
                }
                if let [direction] = path.steps() {
                    self.context.stepped.insert(to.0, (from.0, *direction));
                }
                Binding::Site(SiteOperand::In(to))
            }
            ParameterSource::MemberNumber(least) => {
                let number = argument(self, 0);
                self.offset_number(number, least)
            }
            ParameterSource::Prefix(prefix) => {
                Binding::Site(SiteOperand::In(argument(self, prefix + 1)))
            }
            ParameterSource::PrefixNumber(prefix, least) => {
                let number = argument(self, prefix + 1);
                self.offset_number(number, least)
            }
            ParameterSource::Direction(direction) => {
                Binding::Direction(DirectionOperand::Fixed(direction))
            }
            ParameterSource::Number(number) => {
                Binding::Number(Quantity::whole(Amount::Fixed(i64::from(number))))
            }
            ParameterSource::Piece(piece) => Binding::Piece(PieceOperand::Fixed(piece)),
            ParameterSource::Site(site) => Binding::Site(SiteOperand::Fixed(site)),
        }
    }

    /// Returns the number in a register plus an offset.
    fn offset_number(&mut self, number: Num, offset: i32) -> Binding<'r> {
        let offset = self.asm.constant(offset);
        let number = self.asm.add(number, offset);
        Binding::Number(Quantity::whole(Amount::In(number)))
    }
}
