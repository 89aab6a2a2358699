//! Directions as operands: known, in a register, or none.

use super::super::assembler::Num;
use super::super::calls::unevaluated;
use super::super::op::Code;
use super::super::plan::Why;
use super::super::values::{Binding, DirectionOperand, PlayerOperand, Scope, SiteOperand};
use super::super::{Compiled, Compiler, Stop};
use crate::board::Direction;
use crate::language::rules::{DirectionOf, Spanned};

impl<'r> Compiler<'r> {
    /// Evaluates a single direction.
    pub(in crate::compile) fn direction_operand(
        &mut self,
        direction: &'r Spanned<DirectionOf>,
        scope: &Scope<'r>,
    ) -> Compiled<DirectionOperand> {
        self.at(direction.span, |c| c.direction_operand_within(direction, scope))
    }

    pub(super) fn direction_operand_within(
        &mut self,
        direction: &'r Spanned<DirectionOf>,
        scope: &Scope<'r>,
    ) -> Compiled<DirectionOperand> {
        match &direction.node {
            DirectionOf::Fixed(direction) => Ok(DirectionOperand::Fixed(*direction)),
            DirectionOf::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Direction(way)) => Ok(way),
                binding => {
                    let (direction, scope) = unevaluated(binding)?;
                    self.direction_operand(direction, &scope)
                }
            },
            DirectionOf::Between(from, to) => {
                let from = self.site_operand(from, scope)?;
                let to = self.site_operand(to, scope)?;
                self.between(&from, &to)
            }
            DirectionOf::Turned(direction, steps) => {
                let (board, steps) = (self.board, i32::from(*steps));
                let turned = |direction| board.turned(direction, steps);
                match self.direction_operand(direction, scope)? {
                    DirectionOperand::Nowhere => Ok(DirectionOperand::Nowhere),
                    DirectionOperand::Fixed(direction) => Ok(turned(direction)
                        .map_or(DirectionOperand::Nowhere, DirectionOperand::Fixed)),
                    DirectionOperand::In(way) => {
                        let result = self.nothing();
                        let ways = board.ways().filter_map(|direction| {
                            Some((direction.index() as i32, turned(direction)?))
                        });
                        self.emit_matching(way, ways, |c, turned| {
                            let number = c.asm.constant(turned.index() as i32);
                            c.asm.emit(Code::Assign, 0, result.0, number.0, 0);
                            Ok(())
                        })?;
                        Ok(DirectionOperand::In(result))
                    }
                }
            }
            DirectionOf::Memory { memory, player, site } => Ok(self
                .remembered_index(*memory, player.as_deref(), site.as_deref(), scope)?
                .map_or(DirectionOperand::Nowhere, DirectionOperand::In)),
            DirectionOf::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.direction_operand(&branches[player.index()], scope)
                }
                PlayerOperand::In(who) => self
                    .by_player(who, |c, player| {
                        let direction = c.direction_operand(&branches[player.index()], scope)?;
                        Ok(c.direction_number(direction))
                    })
                    .map(DirectionOperand::In),
            },
            DirectionOf::If(condition, then, otherwise) => match self.settled(condition, scope)? {
                Some(holds) => self.direction_operand(if holds { then } else { otherwise }, scope),
                None => self
                    .num_if(condition, scope, |c, holds| {
                        let branch = if holds { then } else { otherwise };
                        let direction = c.direction_operand(branch, scope)?;
                        Ok(c.direction_number(direction))
                    })
                    .map(DirectionOperand::In),
            },
            DirectionOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.direction_operand(body, &scope)
            }
        }
    }

    pub(super) fn between(
        &mut self,
        from: &SiteOperand,
        to: &SiteOperand,
    ) -> Compiled<DirectionOperand> {
        match (from, to) {
            (SiteOperand::Nowhere, _) | (_, SiteOperand::Nowhere) => Ok(DirectionOperand::Nowhere),
            (SiteOperand::Fixed(from), SiteOperand::Fixed(to)) => {
                let leads = |&way: &Direction| self.board.step(*from, way) == Some(*to);
                let found = self.board.straight().find(leads);
                Ok(found.map_or(DirectionOperand::Nowhere, DirectionOperand::Fixed))
            }
            // Only steps that a move set was generated by are known to stay on the board.
            (SiteOperand::Lifted { lift, path: from }, SiteOperand::Lifted { path: to, .. }) => {
                // A step along a track is none of the compass, between whose directions this chooses.
                let is_step = |(offered, direction): &(_, Direction)| {
                    offered == lift && !direction.is_track()
                };
                let offered = self.offered.filter(is_step);
                match (offered, &from[..], &to[..]) {
                    (Some((_, direction)), [], [step]) if direction == *step => {
                        Ok(DirectionOperand::Fixed(direction))
                    }
                    (Some((_, direction)), [step], []) if direction == *step => {
                        Ok(DirectionOperand::Fixed(direction.opposite()))
                    }
                    _ => Err(Stop::NotLiftable(Why::Direction)),
                }
            }
            (SiteOperand::In(from), SiteOperand::In(to))
                if let Some(&(start, direction)) = self.context.stepped.get(&to.0)
                    && start == from.0
                    && !direction.is_track() =>
            {
                Ok(DirectionOperand::Fixed(direction))
            }
            _ => {
                let from = self.site_number(from)?;
                let to = self.site_number(to)?;
                Ok(DirectionOperand::In(self.asm.num(Code::Direction, 0, from.0, to.0)))
            }
        }
    }

    /// Returns the register with a direction's index, -1 for no direction.
    pub(in crate::compile) fn direction_number(&mut self, direction: DirectionOperand) -> Num {
        match direction {
            DirectionOperand::Nowhere => self.asm.constant(-1),
            DirectionOperand::Fixed(direction) => self.asm.constant(direction.index() as i32),
            DirectionOperand::In(num) => num,
        }
    }
}
