//! Alternatives of a move: one for each combination of the parameters that are fixed when the game is compiled.

use super::super::assembler::Assembler;
use super::super::directions::DirectionCase;
use super::super::op::Code;
use super::super::plan::{ClauseKind, How, Unlifted, Why};
use super::super::program::ParameterSource;
use super::super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, PlayerOperand, Quantity, Scope, SiteOperand,
};
use super::super::{Compiled, Compiler, Stop};
use super::{Alternative, PartialSpecialization};
use crate::language::rules::{Domain, Parameter, SiteOf, Sites, Spanned, Value};

impl<'r> Compiler<'r> {
    /// Adds every path by which the region leads away from the lifted site.
    pub(super) fn alternatives(
        &mut self,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
        found: &mut Vec<Alternative<'r>>,
    ) -> Compiled<()> {
        self.work(region.span)?;
        let simple = |path, guards| Alternative {
            path,
            conditions: Vec::new(),
            guards,
            regions: Vec::new(),
        };
        match &region.node {
            Sites::One(site) => {
                // A step in a direction that is known only in play is a path for each direction.
                let (site, ways) = match &site.node {
                    SiteOf::Step(from, direction, number) => {
                        let way = self.direction_operand(direction, scope)?;
                        (from, Some((self.cases_of(way), usize::from(*number))))
                    }
                    _ => (site, None),
                };
                let SiteOperand::Lifted { path, .. } = self.site_operand(site, scope)? else {
                    return Err(Stop::NotLiftable(Why::Choice));
                };
                match ways {
                    None => found.push(simple(path, Vec::new())),
                    Some((ways, number)) => found.extend(ways.into_iter().map(|case| {
                        let steps = vec![case.direction; number];
                        simple([&path[..], &steps].concat(), vec![case.guard])
                    })),
                }
            }
            Sites::Beside(of, directions) => {
                let Sites::One(site) = &of.node else { return Err(Stop::NotLiftable(Why::Choice)) };
                let SiteOperand::Lifted { path, .. } = self.site_operand(site, scope)? else {
                    return Err(Stop::NotLiftable(Why::Choice));
                };
                for case in self.direction_cases(directions, scope)? {
                    let path = [&path[..], &[case.direction]].concat();
                    found.push(simple(path, vec![case.guard]));
                }
            }
            Sites::And(parts) => {
                // One part provides the paths; the others restrict where they may end.
                let mut leading = None;
                let mut blamed = Unlifted { why: Why::Choice, span: region.span };
                for (index, part) in parts.iter().enumerate() {
                    let mut paths = Vec::new();
                    if self.attempt(|c| c.alternatives(part, scope, &mut paths))?.is_some() {
                        leading = Some((index, paths));
                        break;
                    }
                    if blamed.why == Why::Choice {
                        blamed = self.unlifted;
                    }
                }
                let (leading, paths) =
                    leading.ok_or_else(|| self.blame(blamed.span, blamed.why))?;
                for mut way in paths {
                    let others = parts.iter().enumerate().filter(|(index, _)| *index != leading);
                    way.regions.extend(others.map(|(_, part)| (part, scope.clone())));
                    found.push(way);
                }
            }
            Sites::Or(parts) => {
                for part in parts {
                    self.alternatives(part, scope, found)?;
                }
            }
            Sites::When(condition, region) => {
                let from = found.len();
                self.alternatives(region, scope, found)?;
                found[from..]
                    .iter_mut()
                    .for_each(|way| way.conditions.push((condition, scope.clone())));
            }
            Sites::Union(binder, region) => {
                for (guard, scope) in self.cases(binder.variable, &binder.domain, scope)? {
                    let from = found.len();
                    self.alternatives(region, &scope, found)?;
                    found[from..].iter_mut().for_each(|way| way.guards.push(guard.clone()));
                }
            }
            Sites::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.alternatives(&branches[player.index()], scope, found)?
                }
                PlayerOperand::In(_) => return Err(Stop::NotLiftable(Why::Player)),
            },
            Sites::Local(local) => match scope.get(*local) {
                Some(Binding::Unevaluated(Value::Sites(region), scope)) => {
                    self.alternatives(region, &scope, found)?
                }
                _ => return Err(Stop::NotLiftable(Why::Value)),
            },
            Sites::Call(definition, arguments) => {
                match self.open_arguments(*definition, arguments, scope) {
                    (scope, Value::Sites(body)) => self.alternatives(body, &scope, found)?,
                    _ => return Err(Stop::NotLiftable(Why::Value)),
                }
            }
            Sites::Walk { .. } | Sites::Slide { .. } => return Err(Stop::NotLiftable(Why::Length)),
            Sites::Group { .. } => return Err(Stop::NotLiftable(Why::Group)),
            _ => return Err(Stop::NotLiftable(Why::Choice)),
        }
        Ok(())
    }

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
                        c.asm.emit(Code::SetPrefix, prefix, number.0, 0, 0);
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
                for number in *least..=*most {
                    partial.sources[partial.first + index] = ParameterSource::Number(number);
                    let quantity = Quantity::whole(Amount::Fixed(i64::from(number)));
                    exact &= self.fix_parameters(
                        partial,
                        index + 1,
                        &scope.with(parameter.variable, Binding::Number(quantity)),
                    )?;
                }
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
            Domain::Players(span) => Err(Stop::Misplaced(*span, "a move cannot choose a player")),
            Domain::Groups { span, .. } => {
                Err(Stop::Misplaced(*span, "a move cannot choose a group"))
            }
        }
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
