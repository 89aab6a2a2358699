//! Directions that a symmetry of the board maps to each other.

use super::super::scope::{Resolved, resolve};
use super::{In, Same};
use crate::board::Direction;
use crate::language::rules::{DirectionOf, Directions};

impl<'r> Same<'r, '_> {
    /// Tests if turning a direction by `steps` and then mapping it is mapping it and then turning
    /// it by `other`. A reflection reverses turns.
    pub(super) fn turns_alike(&self, steps: i32, other: i32) -> bool {
        let board = &self.rules().board;
        board.all().iter().all(|&direction| {
            board.turned(direction, steps).map(|turned| self.board_map.direction(turned))
                == board.turned(self.board_map.direction(direction), other)
        })
    }

    /// Resolves a direction to a variable's number and by how many steps it is turned from that
    /// variable.
    pub(super) fn direction_variable(
        &self,
        (direction, scope): In<'_, 'r, DirectionOf>,
    ) -> Option<(u32, i32)> {
        let board = &self.rules().board;
        match resolve(self.rules(), direction, scope.clone())? {
            Resolved::Any(number) => Some((number, 0)),
            Resolved::Back(number) => Some((number, i32::from(board.half_turn()))),
            Resolved::It(DirectionOf::Turned(one, steps), scope) => {
                let (number, before) = self.direction_variable((&one.node, &scope))?;
                // Turns of directions that the board lacks do not add up.
                let is_half = |steps: i32| steps % i32::from(board.half_turn()) == 0;
                let adds_up = board.all().len() == Direction::ALL.len()
                    || before == 0
                    || is_half(before) && is_half(i32::from(*steps));
                adds_up.then_some((number, before + i32::from(*steps)))
            }
            _ => None,
        }
    }

    /// Compares sets of directions; their order matters only in loops.
    pub fn directions(&self, one: In<'_, 'r, Directions>, other: In<'_, 'r, Directions>) -> bool {
        use Directions as D;
        if let (Some(one), Some(other)) =
            (self.constants.directions(one.0, one.1), self.constants.directions(other.0, other.1))
        {
            let turned: Vec<Direction> =
                one.into_iter().map(|direction| self.board_map.direction(direction)).collect();
            return turned.iter().all(|direction| other.contains(direction))
                && other.iter().all(|direction| turned.contains(direction));
        }
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (D::List(one), D::List(other)) => self.any_order(one, other, |one, other| {
                self.direction((&one.node, a), (&other.node, b))
            }),
            (D::ByPlayer(one, directions), D::ByPlayer(other, other_directions)) => self.by_player(
                (&one.node, directions, a),
                (&other.node, other_directions, b),
                |one, other| self.directions(one, other),
            ),
            (D::One(_), _) => self.same_parts((one, a), (other, b)),
            (D::Fixed(_) | D::List(_) | D::ByPlayer(..) | D::Local(_) | D::Call(..), _) => false,
        })
    }
}
