//! Alternatives of a move: one for each combination of the parameters that are fixed when the game
//! is compiled.

use super::super::assembler::Assembler;
use super::super::directions::DirectionCase;
use super::super::lift::conjuncts;
use super::super::plan::{ClauseKind, How};
use super::super::program::ParameterSource;
use super::super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, Quantity, Scope, SiteOperand,
};
use super::super::{Compiled, Compiler, Stop};
use super::PartialSpecialization;
use crate::language::rules::{Domain, Local, Parameter, Statement};
use crate::language::visit::Expression;

impl<'r> Compiler<'r> {
    /// Fixes the parameters from `index` on that are not lifted over, then generates the moves.
    /// Returns whether every generated move is legal.
    pub(super) fn fix_parameters(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        index: usize,
        scope: &Scope<'r>,
    ) -> Compiled<bool> {
        let Some(parameter) = partial.parameters.get(index) else {
            let exact = self.generate_for_sites(partial, scope)?;
            self.try_pending(partial, scope)?;
            return Ok(exact);
        };
        if partial.lifted == Some(index) || partial.stepped == Some(index) {
            return self.fix_parameters(partial, index + 1, scope);
        }
        if let Some(set) = partial.values[index] {
            return self.fix_independent(partial, index, set, scope);
        }
        if partial.together.contains(&index) {
            let prefix = partial.prefix;
            partial.sources[partial.first + index] = ParameterSource::Prefix(prefix);
            partial.prefix += 1;
            let exact = self.fix_parameters(partial, index + 1, scope)?;
            partial.prefix = prefix;
            return Ok(exact);
        }
        if let Some(sites) = partial.cases[index].clone() {
            self.note_cases(parameter, sites.len());
            let mut exact = true;
            for site in sites {
                partial.sources[partial.first + index] = ParameterSource::Site(site);
                let bound = Binding::Site(SiteOperand::Fixed(site));
                let scope = scope.with(parameter.variable, bound);
                exact &= self.fix_parameters(partial, index + 1, &scope)?;
            }
            return Ok(exact);
        }
        match &parameter.domain {
            Domain::Sites(domain) => {
                let (from, span) = (self.asm.length(), domain.span);
                let domain = match partial.rest.filter(|_| parameter.alike) {
                    Some(rest) => rest,
                    None => self.region(domain, scope)?,
                };
                self.note(ClauseKind::Choice, span, How::Each(partial.apart), from);
                let prefix = partial.prefix;
                partial.sources[partial.first + index] = ParameterSource::Prefix(prefix);
                partial.prefix += 1;
                let mut exact = true;
                // What is tried within the loop changes the position for a while.
                let tries = self.search.is_some() || !partial.rule.further.is_empty();
                let open = if tries { Assembler::open_loop } else { Assembler::open_pure_loop };
                let outer = partial.rest;
                self.each_taken(domain, open, |c, number, rest| {
                    partial.prefixes.truncate(usize::from(prefix));
                    partial.prefixes.push(number);
                    if c.search.is_none() {
                        c.asm.set_prefix(prefix, number);
                    }
                    partial.rest = Some(rest);
                    exact = c.fix_parameters(
                        partial,
                        index + 1,
                        &scope.with(parameter.variable, Binding::Site(SiteOperand::In(number))),
                    )?;
                    Ok(())
                })?;
                (partial.prefix, partial.rest) = (prefix, outer);
                Ok(exact)
            }
            Domain::Directions(directions) => {
                let mut exact = true;
                let cases = self.direction_cases(directions, scope)?;
                self.note_cases(parameter, cases.len());
                for DirectionCase { direction, guard } in cases {
                    partial.sources[partial.first + index] = ParameterSource::Direction(direction);
                    let bound = Binding::Direction(DirectionOperand::Fixed(direction));
                    let scope = scope.with(parameter.variable, bound);
                    exact &=
                        self.guarded(&guard, |c| c.fix_parameters(partial, index + 1, &scope))?;
                }
                Ok(exact)
            }
            Domain::Numbers { least, most, span } => {
                let many = i64::from(*most) - i64::from(*least) + 1;
                // The members of the move set can be the numbers themselves if a set has room for
                // them.
                let last = partial.lifted.is_none() && index + 1 == partial.parameters.len();
                if last && partial.rule.further.is_empty() && many <= self.board.slots() as i64 {
                    return self.generate_for_numbers(partial, index, *least, many as usize);
                }
                if many > 4096 {
                    return Err(Stop::TooLarge(*span));
                }
                self.note_cases(parameter, many as usize);
                let mut exact = true;
                let shared = partial.shares_numbers.then_some(partial.prefix);
                partial.prefix += u8::from(shared.is_some());
                for number in *least..=*most {
                    partial.sources[partial.first + index] = match shared {
                        Some(prefix) => ParameterSource::PrefixNumber(prefix, *least),
                        None => ParameterSource::Number(number),
                    };
                    let quantity = Quantity::whole(Amount::Fixed(i64::from(number)));
                    let scope = scope.with(parameter.variable, Binding::Number(quantity));
                    if shared.is_some() && self.excludes(partial, index, &scope)? {
                        continue;
                    }
                    partial.numbers.extend(shared.map(|prefix| (prefix, number - *least)));
                    exact &= self.fix_parameters(partial, index + 1, &scope)?;
                    shared.and_then(|_| partial.numbers.pop());
                }
                partial.prefix -= u8::from(shared.is_some());
                Ok(exact)
            }
            Domain::Pieces(pieces, _) => {
                self.note_cases(parameter, pieces.len());
                let mut exact = true;
                for &piece in pieces {
                    partial.sources[partial.first + index] = ParameterSource::Piece(piece);
                    exact &= self.fix_parameters(
                        partial,
                        index + 1,
                        &scope.with(parameter.variable, Binding::Piece(PieceOperand::Fixed(piece))),
                    )?;
                }
                Ok(exact)
            }
            Domain::Players(span) | Domain::Team(_, span) => {
                Err(Stop::Misplaced(*span, "a move cannot choose a player"))
            }
            Domain::Groups { span, .. } => {
                Err(Stop::Misplaced(*span, "a move cannot choose a group"))
            }
        }
    }

    /// Tests if the numbers that are fixed so far, up to this parameter, contradict a requirement
    /// that is about them alone.
    fn excludes(
        &mut self,
        partial: &PartialSpecialization<'r>,
        index: usize,
        scope: &Scope<'r>,
    ) -> Compiled<bool> {
        let is_number = |local: Local| {
            partial.parameters[..=index].iter().any(|parameter| {
                parameter.variable == local && matches!(parameter.domain, Domain::Numbers { .. })
            })
        };
        for statement in partial.body {
            let Statement::Require(condition) = &statement.node else { break };
            for part in conjuncts(condition) {
                let inside = Expression::Condition(part).descendants();
                let mut locals = inside.filter_map(Expression::local).peekable();
                let is_about = locals.peek().is_some() && locals.all(is_number);
                if is_about && self.settled(part, scope) == Some(false) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Notes that the rest is compiled separately for each of `many` values of the parameter.
    pub(super) fn note_cases(&mut self, parameter: &Parameter, many: usize) {
        self.note(
            ClauseKind::Choice,
            parameter.domain.span(),
            How::Cases(many.min(usize::from(u16::MAX)) as u16),
            self.asm.length(),
        );
    }
}
