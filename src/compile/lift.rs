//! Lifting: compiles a condition or a number that is written about one site into code that computes
//! it for every site of the board at once.
//!
//! Within [`Compiler::lifting`] one variable stands for every site. A condition on it becomes the
//! set of the sites for which it holds; a number becomes a [`Field`]. Conditions and regions are
//! lowered to the sets and relations of `relation`, whose preimages they are: "some enemy next to
//! s" is a dilation of the enemies, "the first piece seen from s in a direction is mine" an
//! occluded fill, and a count over directions a sum by full adders. A condition that does not
//! depend on the variable is a gate: all sites or none. What cannot be lifted stops with
//! [`Stop::NotLiftable`], and the caller tests site by site.

use super::assembler::Set;
use super::directions::{DirectionCase, Guard};
use super::plan::Why;
use super::relation::Lowered;
use super::values::{
    Amount, Binding, DirectionOperand, Field, PieceOperand, PlayerOperand, Quantity, Scope,
    SiteOperand,
};
use super::{Compiled, Compiler, Stop};
use crate::board::Direction;
use crate::language::rules::{Condition, Domain, Local, PlayerId, PlayerOf, Spanned};

impl<'r> Compiler<'r> {
    /// Compiles with the variable standing for every site at once. Variables of liftings around
    /// this one cannot be used within.
    pub(super) fn lifting<T>(
        &mut self,
        variable: Local,
        scope: &Scope<'r>,
        compile: impl FnOnce(&mut Self, &Scope<'r>) -> Compiled<T>,
    ) -> Compiled<T> {
        let around = self.context.lift;
        self.lifts += 1;
        self.context.lift = self.lifts;
        let scope = scope.with(
            variable,
            Binding::Site(SiteOperand::Lifted { lift: self.context.lift, path: Vec::new() }),
        );
        let done = compile(self, &scope);
        self.context.lift = around;
        done
    }

    /// Returns the sites for which the condition holds.
    pub(super) fn lift_condition(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let lowered = self.lower_condition(condition, scope)?;
        self.emit_lowered(lowered)
    }

    /// Returns the sites for which a condition that was lowered holds.
    pub(super) fn emit_lowered(&mut self, lowered: Lowered) -> Compiled<Set> {
        let set = self.set_of(lowered, self.context.lift)?;
        self.emit_set(set)
    }

    /// Returns all sites or none, for a condition that does not depend on the lifted site.
    pub(super) fn gate(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        match self.settled(condition, scope) {
            Some(true) => Ok(self.asm.board()),
            Some(false) => Ok(self.asm.none()),
            None => {
                let holds = self.truth(condition, scope)?;
                let board = self.asm.board();
                Ok(self.asm.gate(board, holds))
            }
        }
    }

    /// Returns a scope for each value of a variable that does not range over sites, with the guard
    /// under which the value occurs.
    pub(super) fn cases(
        &mut self,
        variable: Local,
        domain: &'r Domain,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Guard, Scope<'r>)>> {
        let values: Vec<Binding> = match domain {
            Domain::Directions(directions) => {
                let cases = self.direction_cases(directions, scope)?;
                return Ok(Self::scopes(variable, cases, scope));
            }
            Domain::Players(_) => (0..self.rules.players.len() as u16)
                .map(|player| Binding::Player(PlayerOperand::Fixed(PlayerId(player))))
                .collect(),
            Domain::Team(of, _) => {
                let cases = self.team_cases(of, scope)?.into_iter();
                let bound = |player| Binding::Player(PlayerOperand::Fixed(player));
                return Ok(cases
                    .map(|(guard, it)| (guard, scope.with(variable, bound(it))))
                    .collect());
            }
            Domain::Numbers { least, most, .. } => (*least..=*most)
                .map(|number| Amount::Fixed(i64::from(number)))
                .map(|amount| Binding::Number(Quantity::whole(amount)))
                .collect(),
            Domain::Pieces(pieces, _) => {
                pieces.iter().map(|&piece| Binding::Piece(PieceOperand::Fixed(piece))).collect()
            }
            Domain::Sites(_) => return Err(Stop::NotLiftable(Why::TwoSites)),
            Domain::Groups { .. } => return Err(Stop::NotLiftable(Why::Group)),
        };
        let case = |value| (Guard::default(), scope.with(variable, value));
        Ok(values.into_iter().map(case).collect())
    }

    /// As [`Compiler::cases`] for a loop of effects: the guards test copies of their registers,
    /// which the effects may change.
    pub(super) fn frozen_scopes(
        &mut self,
        variable: Local,
        domain: &'r Domain,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Guard, Scope<'r>)>> {
        let mut cases = self.cases(variable, domain, scope)?;
        cases.iter_mut().for_each(|(guard, _)| self.freeze(guard));
        Ok(cases)
    }

    /// Returns the players of a player's team, each with the guard under which he is in it: that
    /// the player is of no other team.
    fn team_cases(
        &mut self,
        of: &'r Spanned<PlayerOf>,
        scope: &Scope<'r>,
    ) -> Compiled<Vec<(Guard, PlayerId)>> {
        let teams = self.rules.teams;
        let all = (0..self.rules.players.len() as u16).map(PlayerId);
        Ok(match self.player_operand(of, scope)? {
            PlayerOperand::Fixed(of) => {
                teams.members(teams.of(of)).map(|player| (Guard::default(), player)).collect()
            }
            PlayerOperand::In(who) => all
                .clone()
                .map(|player| {
                    let others = all.clone().filter(|&other| teams.of(other) != teams.of(player));
                    let differs = |guard: Guard, other: PlayerId| {
                        guard.and(&Guard::unequal(who, i32::from(other.0)))
                    };
                    (others.fold(Guard::default(), differs), player)
                })
                .collect(),
        })
    }

    fn scopes(
        variable: Local,
        cases: Vec<DirectionCase>,
        scope: &Scope<'r>,
    ) -> Vec<(Guard, Scope<'r>)> {
        let bound = |direction| Binding::Direction(DirectionOperand::Fixed(direction));
        cases
            .into_iter()
            .map(|case| (case.guard, scope.with(variable, bound(case.direction))))
            .collect()
    }

    /// Returns the sites from which the path leads into the set: the set shifted by the opposite
    /// steps, the last one first.
    pub(super) fn back(&mut self, mut set: Set, path: &[Direction]) -> Set {
        for direction in path.iter().rev() {
            set = self.beside(set, &[direction.opposite()]);
        }
        set
    }

    /// Returns all sites if the set is not empty, otherwise none.
    pub(super) fn any_gate(&mut self, set: Set) -> Set {
        let board = self.asm.board();
        let count = self.asm.count(set);
        self.asm.gate(board, count)
    }

    /// Returns the number in consecutive bit planes at the end of the path, for every site.
    pub(super) fn field_along(&mut self, first: u16, bits: u16, path: &[Direction]) -> Field {
        Field::new((0..bits).map(|bit| self.back(Set(first + bit), path)).collect())
    }
}

/// Returns the parts that must all hold for a condition to hold.
pub(super) fn conjuncts(condition: &Spanned<Condition>) -> &[Spanned<Condition>] {
    match &condition.node {
        Condition::And(parts) => parts,
        _ => std::slice::from_ref(condition),
    }
}
