//! What the checker adds to a game in which pieces go on.

use super::{Condition, MoveId, Rules, Sites, Spanned, Statement};

impl Rules {
    /// Tests if no text contains the statement: it only says where the piece is that goes on, or
    /// that it does.
    pub fn is_of_going_on(&self, statement: &Statement) -> bool {
        let is_place = |sites: &Sites| matches!(sites, Sites::Memory { memory, .. } if Some(*memory) == self.going_on);
        match statement {
            Statement::SetSites { memory, .. } => Some(*memory) == self.going_on,
            Statement::If { condition, .. } | Statement::While(condition, _) => {
                let first = match &condition.node {
                    Condition::And(all) => all.first().map(|first| &first.node),
                    other => Some(other),
                };
                match first {
                    Some(Condition::In(_, place) | Condition::Any(place)) => is_place(&place.node),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Splits moves with which a piece goes on into those that move it and those that stop it.
    pub fn moving_and_stops(&self, moves: &[MoveId]) -> (Vec<MoveId>, Vec<MoveId>) {
        moves.iter().partition(|id| self.moves[id.index()].moved().is_some())
    }

    /// Returns the region that the text offers to `from`, where only the piece that goes on can be
    /// moved.
    pub fn without_going_on<'s>(&self, sites: &'s Spanned<Sites>) -> &'s Spanned<Sites> {
        match &sites.node {
            Sites::And(both) if self.going_on.is_some() => match &both[..] {
                [written, added] if added.span.is_empty() => written,
                _ => sites,
            },
            _ => sites,
        }
    }
}
