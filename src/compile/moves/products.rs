//! Choices that nothing relates to the others of a move: its moves are a product.
//!
//! A parameter is independent if no other choice, and no requirement that move generation tests,
//! mentions it together with another parameter. Its values are then a set of their own, with the
//! requirements on it folded in, and no loop runs over them: the product is counted and sampled
//! without being listed. Sites that are chosen together from one region are its combinations.

use super::super::assembler::Set;
use super::super::plan::{ClauseKind, How, Why};
use super::super::program::ParameterSource;
use super::super::values::{Binding, Scope};
use super::super::{Compiled, Compiler, Routine, Stop};
use super::PartialSpecialization;
use crate::board::Site;
use crate::language::rules::{Domain, Local, MoveRule, Parameter, Statement};
use crate::language::visit::{Composite, Expression};
use crate::syntax::Span;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The greatest number of move sets that the products of a routine may stand for. Where plies are
/// made one by one, a product becomes a move set for every combination of its prefix arguments.
const MAX_PRODUCTS: usize = 1 << 17;

/// An independent parameter: its prefix argument, and the set of its values.
#[derive(Clone, Copy)]
pub(super) struct Factor {
    prefix: u8,
    set: Set,
    /// How many values there are, if they are numbers.
    numbers: Option<u16>,
}

/// Which parameters a rule relates to each other.
pub(super) struct Relations {
    /// By parameter: the other parameters in its domain.
    domains: Vec<Vec<usize>>,
    /// The requirements before the first effect, by index, with the parameters in them.
    requirements: Vec<(usize, Vec<usize>)>,
}

impl Relations {
    pub(super) fn of(rule: &MoveRule) -> Relations {
        // What depends on which parameters: they themselves, and the variables made of them.
        let mut known: FxHashMap<Local, Vec<usize>> = rule
            .parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| (parameter.variable, vec![index]))
            .collect();
        let about = |expression: Expression, known: &FxHashMap<Local, Vec<usize>>| {
            let locals = expression.descendants().filter_map(Expression::local);
            let mut about: Vec<usize> =
                locals.filter_map(|local| known.get(&local)).flatten().copied().collect();
            about.sort_unstable();
            about.dedup();
            about
        };
        let in_domain = |parameter: &Parameter| {
            let parts = parameter.domain.parts().into_iter();
            parts.flat_map(|part| about(part, &known)).collect()
        };
        let domains = rule.parameters.iter().map(in_domain).collect();
        let mut requirements = Vec::new();
        for (index, statement) in rule.body.iter().enumerate() {
            match &statement.node {
                Statement::Let(variable, value) => {
                    let on = value.expression().map_or(Vec::new(), |value| about(value, &known));
                    known.insert(*variable, on);
                }
                Statement::Require(condition) => {
                    requirements.push((index, about(Expression::Condition(condition), &known)));
                }
                _ => break,
            }
        }
        Relations { domains, requirements }
    }

    /// Tests if no choice relates a parameter to one outside the range, which it is in.
    fn is_chosen_alone(&self, index: usize, among: &Range<usize>) -> bool {
        self.domains[index].iter().all(|other| among.contains(other))
            && (0..self.domains.len())
                .all(|other| among.contains(&other) || !self.domains[other].contains(&index))
    }

    /// Tests if a statement is a requirement that mentions no parameter.
    pub(super) fn mentions_none(&self, statement: usize) -> bool {
        self.requirements.iter().any(|(index, about)| *index == statement && about.is_empty())
    }

    /// Returns the requirements that mention the parameter; `None` if one of them mentions another
    /// one, too.
    fn own_requirements(&self, index: usize) -> Option<Vec<usize>> {
        let on = self.requirements.iter().filter(|(_, about)| about.contains(&index));
        on.map(|(statement, about)| (about.len() == 1).then_some(*statement)).collect()
    }

    /// Returns the parameters that are chosen together with the lifted one, if nothing else depends
    /// on any of them.
    pub(super) fn combined(&self, rule: &MoveRule, lifted: usize) -> Range<usize> {
        let parameters = &rule.parameters;
        let is_whole = parameters.get(lifted + 1).is_none_or(|next| !next.alike);
        let second = (0..=lifted).rev().take_while(|&index| parameters[index].alike).last();
        let first = second.map_or(lifted, |second| second - 1);
        let all = first..lifted + 1;
        let is_free = |index: usize| {
            let own = self.own_requirements(index);
            self.is_chosen_alone(index, &all) && own.is_some_and(|own| own.is_empty())
        };
        if is_whole && all.clone().all(is_free) { first..lifted } else { 0..0 }
    }
}

impl<'r> Compiler<'r> {
    /// Compiles a routine that generates moves.
    pub(in crate::compile) fn move_routine(
        &mut self,
        span: Span,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<Routine> {
        self.moves.products = 0;
        self.routine(span, emit)
    }

    /// Returns the parameters of sites and numbers that are independent of the others, except for
    /// regions of so few sites that each can be a case.
    pub(super) fn independent(
        &mut self,
        rule: &'r MoveRule,
        relations: &Relations,
    ) -> Compiled<Vec<bool>> {
        let mut independent = vec![false; rule.parameters.len()];
        for (index, parameter) in rule.parameters.iter().enumerate() {
            if !relations.is_chosen_alone(index, &(index..index + 1)) {
                continue;
            }
            let Some(own) = relations.own_requirements(index) else { continue };
            independent[index] = match &parameter.domain {
                Domain::Sites(domain) => {
                    let next = rule.parameters.get(index + 1);
                    !parameter.alike
                        && !next.is_some_and(|next| next.alike)
                        && (!own.is_empty() || self.known_sites(domain).is_none())
                }
                // A requirement on a number is decided for each number when the game is compiled.
                // A move set of numbers needs a site for each of them.
                domain => {
                    own.is_empty()
                        && number_count(domain)
                            .is_some_and(|many| usize::from(many) <= self.board.slots())
                }
            };
        }
        Ok(independent)
    }

    /// Computes the values of the independent parameters, each with the requirements on it. Those
    /// with a requirement that cannot be lifted remain without.
    pub(super) fn find_values(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        relations: &Relations,
        independent: &[bool],
    ) -> Compiled<()> {
        for (index, parameter) in partial.parameters.iter().enumerate() {
            if !independent[index] || partial.lifted == Some(index) {
                continue;
            }
            if let Some(many) = number_count(&parameter.domain) {
                // The last number is the member of the move set if there is no site.
                if partial.lifted.is_some() || index + 1 < partial.parameters.len() {
                    let numbers = self.constant((0..many).map(Site).collect());
                    partial.values[index] = Some(numbers);
                }
                continue;
            }
            let own = relations.own_requirements(index).unwrap_or_default();
            let asked = &partial.asked;
            let own: Vec<usize> = own.into_iter().filter(|own| !asked.contains(own)).collect();
            partial.values[index] = self.attempt(|c| c.independent_sites(partial, index, &own))?;
            if partial.values[index].is_some() {
                partial.asked.extend(own);
            }
        }
        Ok(())
    }

    /// Returns the sites of the parameter's region that meet these requirements.
    fn independent_sites(
        &mut self,
        partial: &PartialSpecialization<'r>,
        index: usize,
        requirements: &[usize],
    ) -> Compiled<Set> {
        let parameter = &partial.parameters[index];
        let Domain::Sites(domain) = &parameter.domain else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        self.lifting(parameter.variable, &Scope::default(), |c, scope| {
            let mut scope = scope.clone();
            let start = c.asm.length();
            let mut set = c.region(domain, &scope)?;
            c.note(ClauseKind::Choice, domain.span, How::Lifted, start);
            for (index, statement) in partial.body.iter().enumerate() {
                match &statement.node {
                    Statement::Let(variable, value) => {
                        let bound = Binding::Unevaluated(value, scope.clone());
                        scope = scope.with(*variable, bound);
                    }
                    Statement::Require(condition) if requirements.contains(&index) => {
                        let start = c.asm.length();
                        let holds = c.lift_condition(condition, &scope)?;
                        set = c.asm.and(set, holds);
                        c.note(ClauseKind::Requirement, condition.span, How::Lifted, start);
                    }
                    Statement::Require(_) => {}
                    _ => break,
                }
            }
            Ok(set)
        })
    }

    /// Fixes an independent parameter, and then the others.
    pub(super) fn fix_independent(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        index: usize,
        set: Set,
        scope: &Scope<'r>,
    ) -> Compiled<bool> {
        let prefix = partial.prefix;
        let domain = &partial.parameters[index].domain;
        partial.sources[partial.first + index] = match domain {
            Domain::Numbers { least, span, .. } => {
                self.note(ClauseKind::Choice, *span, How::Numbers, self.asm.length());
                ParameterSource::PrefixNumber(prefix, *least)
            }
            _ => ParameterSource::Prefix(prefix),
        };
        partial.prefix += 1;
        partial.factors.push(Factor { prefix, set, numbers: number_count(domain) });
        let exact = self.fix_parameters(partial, index + 1, scope)?;
        partial.factors.pop();
        partial.prefix = prefix;
        Ok(exact)
    }

    /// Tests if all moves of the rule can be added as products.
    pub(super) fn is_whole_product(
        &mut self,
        partial: &PartialSpecialization<'r>,
    ) -> Compiled<bool> {
        let products = self.moves.products;
        self.moves.probes = true;
        let attempt = self.asm.attempt();
        let mut probe = partial.clone();
        let found = self.fix_parameters(&mut probe, 0, &Scope::default());
        self.asm.roll_back(attempt);
        self.moves.probes = false;
        let is_whole = found?;
        if !is_whole {
            self.moves.products = products;
        }
        Ok(is_whole)
    }

    /// Tests if a set of moves can be added as a product, and counts it if so.
    pub(super) fn counts_as_product(
        &mut self,
        partial: &PartialSpecialization<'r>,
        lifted: &[usize],
    ) -> bool {
        let many = |factor: &Factor| factor.numbers.map_or(self.board.slots(), usize::from);
        let together = partial.together.clone().map(|_| self.board.slots());
        let all = partial.factors.iter().map(many).chain(together);
        self.moves.products =
            self.moves.products.saturating_add(all.fold(1, usize::saturating_mul));
        // A move that turns out to be illegal is removed from its set, and there is no way to
        // remove one from a product.
        self.last_requirement(partial, lifted).is_none() && self.moves.products <= MAX_PRODUCTS
    }

    /// Adds the moves of a set for every value of the independent parameters.
    pub(super) fn add_move_set(
        &mut self,
        partial: &PartialSpecialization<'r>,
        set: Set,
        specialization: u16,
    ) {
        for &(prefix, number) in &partial.numbers {
            let number = self.asm.constant(number);
            self.asm.set_prefix(prefix, number);
        }
        for factor in &partial.factors {
            self.asm.each_prefix(factor.prefix, factor.set);
        }
        let mut parts = partial.factors.len() as u8;
        // The prefix arguments that are chosen together follow one another.
        let together = &partial.together;
        if let (Some(ParameterSource::Prefix(first)), false) =
            (partial.sources.get(partial.first + together.start), together.is_empty())
        {
            self.asm.together(*first, together.len() as u16);
            parts += 1;
        }
        self.asm.add_move_set(parts, set, specialization);
    }
}

/// Returns how many numbers there are to choose from; `None` if they are no numbers, or very many.
fn number_count(domain: &Domain) -> Option<u16> {
    let Domain::Numbers { least, most, .. } = domain else { return None };
    u16::try_from(i64::from(*most) - i64::from(*least) + 1).ok()
}
