//! Proves that rules are invariant under a symmetry, by structural induction over the typed rules.
//!
//! Two expressions are equivalent if the second has, in the image of a position, the image of the
//! value that the first has in the position itself. They are if they have the same form and
//! equivalent parts; operands of "and" and "or" match in any order. Constant regions and directions
//! are mapped and compared. Whatever depends on the order in which sites or directions are visited
//! is never equivalent. `lemmas` adds two facts about boards. The proof is sound and incomplete: a
//! case that is not covered is "no".

mod directions;

use super::constant::Constants;
use super::scope::{Meaning, Named, Resolved, Scope, resolve};
use crate::board::{Board, Direction, Site};
use crate::language::rules::{
    Binder, Condition, DirectionOf, Domain, Local, Number, PieceOf, PlayerOf, Rules, SiteOf, Sites,
    Spanned, Statement, Value, Whose,
};
use crate::language::visit::{Composite, Expression};
use std::cell::Cell;
use std::mem::discriminant;

/// The limit of comparisons for one candidate.
const MAX_COMPARISONS: u32 = 2_000_000;

/// A permutation of sites and directions.
pub trait BoardMap {
    fn site(&self, site: Site) -> Site;
    fn direction(&self, direction: Direction) -> Direction;
}

/// The identity.
pub struct Identity;

impl BoardMap for Identity {
    fn site(&self, site: Site) -> Site {
        site
    }

    fn direction(&self, direction: Direction) -> Direction {
        direction
    }
}

/// The comparison of rules with their image.
pub struct Same<'r, 't> {
    pub constants: Constants<'r>,
    pub board_map: &'t dyn BoardMap,
    fuel: &'t Cell<u32>,
    /// The number of the next variable.
    variables: Cell<u32>,
}

/// An expression in its scope.
pub type In<'a, 'r, T> = (&'r T, &'a Scope<'r>);

/// Tests if the moves, the order of play, the end and the consequence of repetition are invariant.
pub fn is_symmetry(constants: Constants, board_map: &dyn BoardMap) -> bool {
    let fuel = Cell::new(MAX_COMPARISONS);
    let same = Same { constants, board_map, fuel: &fuel, variables: Cell::new(0) };
    let rules = constants.rules;
    let alike = |statements: &[Spanned<Statement>]| {
        same.statements(statements, statements, &Scope::default(), &Scope::default())
    };
    let moves = rules.moves.iter().all(|rule| {
        let scope = Scope::default();
        same.choices((&rule.parameters, &rule.body, &scope), (&rule.parameters, &rule.body, &scope))
    });
    moves
        && alike(&rules.play)
        && alike(&rules.end)
        && rules.repetition.as_ref().is_none_or(|rule| alike(&rule.then))
}

impl<'r> Same<'r, '_> {
    pub fn rules(&self) -> &'r Rules {
        self.constants.rules
    }

    /// Uses up one comparison; returns false if none is left.
    pub fn spend_fuel(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0
    }

    /// Binds a variable on both sides to the same arbitrary value.
    pub fn bind(
        &self,
        one: Local,
        one_scope: &Scope<'r>,
        other: Local,
        other_scope: &Scope<'r>,
    ) -> (Scope<'r>, Scope<'r>) {
        let number = self.variable();
        (one_scope.with(one, Meaning::Any(number)), other_scope.with(other, Meaning::Any(number)))
    }

    /// Returns a comparison under another permutation that shares the limit.
    pub fn under<'s>(&'s self, board_map: &'s dyn BoardMap) -> Same<'r, 's> {
        Same {
            constants: self.constants,
            board_map,
            fuel: self.fuel,
            variables: self.variables.clone(),
        }
    }

    /// Returns the number of a new variable.
    pub fn variable(&self) -> u32 {
        self.variables.replace(self.variables.get() + 1)
    }

    /// Compares two expressions after resolving names.
    fn seen<T: Named>(
        &self,
        one: In<'_, 'r, T>,
        other: In<'_, 'r, T>,
        it: impl Fn(In<'_, 'r, T>, In<'_, 'r, T>) -> bool,
    ) -> bool {
        if !self.spend_fuel() {
            return false;
        }
        match (
            resolve(self.rules(), one.0, one.1.clone()),
            resolve(self.rules(), other.0, other.1.clone()),
        ) {
            (Some(Resolved::Any(one)), Some(Resolved::Any(other)))
            | (Some(Resolved::Back(one)), Some(Resolved::Back(other))) => one == other,
            (Some(Resolved::It(one, one_scope)), Some(Resolved::It(other, other_scope))) => {
                it((one, &one_scope), (other, &other_scope))
            }
            _ => false,
        }
    }

    /// Compares lists regardless of order.
    pub fn any_order<T>(&self, one: &[T], other: &[T], alike: impl Fn(&T, &T) -> bool) -> bool {
        if one.len() != other.len() {
            return false;
        }
        // Equivalence is transitive, so that greedy matching finds a perfect matching if there is
        // one.
        let mut left: Vec<&T> = other.iter().collect();
        one.iter().all(|one| {
            let found = left.iter().position(|other| alike(one, other));
            found.map(|place| left.swap_remove(place)).is_some()
        })
    }

    pub fn value(&self, (one, a): In<'_, 'r, Value>, (other, b): In<'_, 'r, Value>) -> bool {
        one.expression()
            .zip(other.expression())
            .is_some_and(|(one, other)| self.expression((one, a), (other, b)))
    }

    fn expression(
        &self,
        (one, a): (Expression<'r>, &Scope<'r>),
        (other, b): (Expression<'r>, &Scope<'r>),
    ) -> bool {
        use Expression as E;
        match (one, other) {
            (E::Number(one), E::Number(other)) => self.number((&one.node, a), (&other.node, b)),
            (E::Condition(one), E::Condition(other)) => {
                self.condition((&one.node, a), (&other.node, b))
            }
            (E::Sites(one), E::Sites(other)) => self.sites((&one.node, a), (&other.node, b)),
            (E::Site(one), E::Site(other)) => self.site((&one.node, a), (&other.node, b)),
            (E::Direction(one), E::Direction(other)) => {
                self.direction((&one.node, a), (&other.node, b))
            }
            (E::Directions(one), E::Directions(other)) => {
                self.directions((&one.node, a), (&other.node, b))
            }
            (E::Player(one), E::Player(other)) => self.player((&one.node, a), (&other.node, b)),
            (E::Piece(one), E::Piece(other)) => self.piece((&one.node, a), (&other.node, b)),
            (
                E::Number(_)
                | E::Condition(_)
                | E::Sites(_)
                | E::Site(_)
                | E::Direction(_)
                | E::Directions(_)
                | E::Player(_)
                | E::Piece(_),
                _,
            ) => false,
        }
    }

    /// Compares two nodes of one kind that bind no variable, part by part in order. What they have
    /// besides expressions is for the caller to compare.
    pub fn same_parts<T: Composite>(
        &self,
        (one, a): In<'_, 'r, T>,
        (other, b): In<'_, 'r, T>,
    ) -> bool {
        let (parts, other_parts) = (one.parts(), other.parts());
        discriminant(one) == discriminant(other)
            && parts.len() == other_parts.len()
            && parts
                .into_iter()
                .zip(other_parts)
                .all(|(one, other)| self.expression((one, a), (other, b)))
    }

    pub fn domain(&self, (one, a): In<'_, 'r, Domain>, (other, b): In<'_, 'r, Domain>) -> bool {
        match (one, other) {
            (Domain::Sites(one), Domain::Sites(other)) => {
                self.sites((&one.node, a), (&other.node, b))
            }
            (Domain::Directions(one), Domain::Directions(other)) => {
                self.directions((&one.node, a), (&other.node, b))
            }
            (Domain::Players(_), Domain::Players(_)) => true,
            (Domain::Pieces(one, _), Domain::Pieces(other, _)) => one == other,
            (
                Domain::Numbers { least: one, most: one_most, .. },
                Domain::Numbers { least: other, most: other_most, .. },
            ) => (one, one_most) == (other, other_most),
            (
                Domain::Groups { region: one, directions, .. },
                Domain::Groups { region: other, directions: other_directions, .. },
            ) => {
                self.sites((&one.node, a), (&other.node, b))
                    && self.directions((&directions.node, a), (&other_directions.node, b))
            }
            (
                Domain::Sites(_)
                | Domain::Directions(_)
                | Domain::Players(_)
                | Domain::Pieces(..)
                | Domain::Numbers { .. }
                | Domain::Groups { .. },
                _,
            ) => false,
        }
    }

    /// Compares expressions under a binder, where the order of the values does not matter.
    fn bound<T>(
        &self,
        (one, one_body, a): (&'r Binder, &'r T, &Scope<'r>),
        (other, other_body, b): (&'r Binder, &'r T, &Scope<'r>),
        alike: impl Fn(In<'_, 'r, T>, In<'_, 'r, T>) -> bool,
    ) -> bool {
        self.domain((&one.domain, a), (&other.domain, b)) && {
            let (a, b) = self.bind(one.variable, a, other.variable, b);
            alike((one_body, &a), (other_body, &b))
        }
    }

    pub fn number(&self, one: In<'_, 'r, Number>, other: In<'_, 'r, Number>) -> bool {
        use Number as N;
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (N::Constant(one), N::Constant(other)) => one == other,
            (N::Memory { memory, .. }, N::Memory { memory: other, .. }) if memory != other => false,
            (N::Divide(_, by), N::Divide(_, other))
            | (N::Remainder(_, by), N::Remainder(_, other))
                if by != other =>
            {
                false
            }
            (N::RowOf(_), N::RowOf(_)) if !self.keeps(|board, site| board.row_of(site)) => false,
            (N::ColumnOf(_), N::ColumnOf(_))
                if !self.keeps(|board, site| board.column_of(site)) =>
            {
                false
            }
            (N::Distance { directions, .. }, N::Distance { directions: other, .. })
                if !self.any_order(directions, other, |one, other| {
                    self.board_map.direction(*one) == *other
                }) =>
            {
                false
            }
            (N::CountWhere(one, body), N::CountWhere(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.condition(one, other)
                })
            }
            (N::Sum(one, body), N::Sum(other, other_body))
            | (N::LeastOver(one, body), N::LeastOver(other, other_body))
            | (N::GreatestOver(one, body), N::GreatestOver(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.number(one, other)
                })
            }
            (N::ByPlayer(one, numbers), N::ByPlayer(other, other_numbers)) => self.by_player(
                (&one.node, numbers, a),
                (&other.node, other_numbers, b),
                |one, other| self.number(one, other),
            ),
            (
                N::Memory { .. }
                | N::Add(_)
                | N::Subtract(..)
                | N::Multiply(_)
                | N::Divide(..)
                | N::Remainder(..)
                | N::Least(_)
                | N::Greatest(_)
                | N::Count(_)
                | N::RowOf(_)
                | N::ColumnOf(_)
                | N::Distance { .. }
                | N::If(..),
                _,
            ) => self.same_parts((one, a), (other, b)),
            (
                N::Constant(_)
                | N::Local(_)
                | N::CountWhere(..)
                | N::Sum(..)
                | N::LeastOver(..)
                | N::GreatestOver(..)
                | N::ByPlayer(..)
                | N::Call(..),
                _,
            ) => false,
        })
    }

    /// Tests if every site has the same number as its image.
    fn keeps(&self, number: impl Fn(&Board, Site) -> usize) -> bool {
        let board = &self.rules().board;
        board.sites().all(|site| number(board, site) == number(board, self.board_map.site(site)))
    }

    fn by_player<T>(
        &self,
        (one, one_branches, a): (&'r PlayerOf, &'r [Spanned<T>], &Scope<'r>),
        (other, other_branches, b): (&'r PlayerOf, &'r [Spanned<T>], &Scope<'r>),
        alike: impl Fn(In<'_, 'r, T>, In<'_, 'r, T>) -> bool,
    ) -> bool {
        // Constant players select one branch each.
        if let (Some(one), Some(other)) =
            (self.constants.player(one, a), self.constants.player(other, b))
        {
            return alike((&one_branches[one].node, a), (&other_branches[other].node, b));
        }
        self.player((one, a), (other, b))
            && one_branches.len() == other_branches.len()
            && one_branches
                .iter()
                .zip(other_branches)
                .all(|(one, other)| alike((&one.node, a), (&other.node, b)))
    }

    pub fn condition(&self, one: In<'_, 'r, Condition>, other: In<'_, 'r, Condition>) -> bool {
        use Condition as C;
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (C::Constant(one), C::Constant(other)) => one == other,
            (C::And(one), C::And(other)) | (C::Or(one), C::Or(other)) => {
                self.any_order(one, other, |one, other| {
                    self.condition((&one.node, a), (&other.node, b))
                })
            }
            (C::Any(one), C::Any(other)) | (C::None(one), C::None(other)) => {
                self.sites((&one.node, a), (&other.node, b))
                    || self.same_chain((&one.node, a), (&other.node, b))
            }
            (C::Exists(one, body), C::Exists(other, other_body))
            | (C::Every(one, body), C::Every(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.condition(one, other)
                }) || self.same_lines((one, &body.node, a), (other, &other_body.node, b))
            }
            (C::Compare(one, ..), C::Compare(other, ..)) if one != other => false,
            // All moves of the game are invariant, or this is the same position.
            (C::Can(_, one), C::Can(_, other)) if one != other => false,
            (C::Memory { memory, .. }, C::Memory { memory: other, .. }) if memory != other => false,
            (C::ByPlayer(one, conditions), C::ByPlayer(other, other_conditions)) => self.by_player(
                (&one.node, conditions, a),
                (&other.node, other_conditions, b),
                |one, other| self.condition(one, other),
            ),
            (
                C::Not(_)
                | C::In(..)
                | C::Compare(..)
                | C::SamePlayer(..)
                | C::SameSite(..)
                | C::SameDirection(..)
                | C::SameKind(..)
                | C::Connected(..)
                | C::Memory { .. }
                | C::Can(..),
                _,
            ) => self.same_parts((one, a), (other, b)),
            (
                C::Constant(_)
                | C::And(_)
                | C::Or(_)
                | C::Any(_)
                | C::None(_)
                | C::Exists(..)
                | C::Every(..)
                | C::ByPlayer(..)
                | C::Local(_)
                | C::Call(..),
                _,
            ) => false,
        })
    }

    pub fn sites(&self, one: In<'_, 'r, Sites>, other: In<'_, 'r, Sites>) -> bool {
        use Sites as S;
        if let (Some(one), Some(other)) =
            (self.constants.sites(one.0, one.1), self.constants.sites(other.0, other.1))
        {
            return one
                .into_iter()
                .map(|site| self.board_map.site(site))
                .collect::<std::collections::BTreeSet<Site>>()
                == other;
        }
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (S::Pieces { kinds, whose }, S::Pieces { kinds: other_kinds, whose: other_whose }) => {
                self.any_order(kinds, other_kinds, |one, other| {
                    self.piece((&one.node, a), (&other.node, b))
                }) && match (whose, other_whose) {
                    (Whose::Anyones, Whose::Anyones) => true,
                    (Whose::Players(one), Whose::Players(other))
                    | (Whose::Others(one), Whose::Others(other)) => {
                        self.player((&one.node, a), (&other.node, b))
                    }
                    (Whose::Anyones | Whose::Players(_) | Whose::Others(_), _) => false,
                }
            }
            (S::Memory { memory, .. }, S::Memory { memory: other, .. }) if memory != other => false,
            (
                S::Lines { number, region, directions },
                S::Lines { number: other_number, region: other_region, directions: along },
            ) => {
                number == other_number
                    && self.sites((&region.node, a), (&other_region.node, b))
                    && self.same_axes((&directions.node, a), (&along.node, b))
            }
            // On wrapped boards there may be two lines between sites, and the order of directions
            // decides which one counts.
            (S::Between(..), S::Between(..)) if self.rules().board.is_wrapped() => false,
            (S::Union(one, body), S::Union(other, other_body))
            | (S::Reach(one, body), S::Reach(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.sites(one, other)
                })
            }
            (S::Where(one, body), S::Where(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.condition(one, other)
                })
            }
            (S::And(one), S::And(other)) | (S::Or(one), S::Or(other)) => {
                self.any_order(one, other, |one, other| {
                    self.sites((&one.node, a), (&other.node, b))
                })
            }
            (S::ByPlayer(one, regions), S::ByPlayer(other, other_regions)) => self.by_player(
                (&one.node, regions, a),
                (&other.node, other_regions, b),
                |one, other| self.sites(one, other),
            ),
            (
                S::Everywhere
                | S::Nowhere
                | S::Empty
                | S::CutOut
                | S::Memory { .. }
                | S::One(_)
                | S::Beside(..)
                | S::Group { .. }
                | S::Walk { .. }
                | S::Slide { .. }
                | S::Between(..)
                | S::When(..)
                | S::Not(_),
                _,
            ) => self.same_parts((one, a), (other, b)),
            (
                S::Literal(_)
                | S::Pieces { .. }
                | S::Lines { .. }
                | S::Union(..)
                | S::Reach(..)
                | S::And(_)
                | S::Or(_)
                | S::Where(..)
                | S::ByPlayer(..)
                | S::Local(_)
                | S::Call(..),
                _,
            ) => false,
        })
    }

    pub fn site(&self, one: In<'_, 'r, SiteOf>, other: In<'_, 'r, SiteOf>) -> bool {
        use SiteOf as S;
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (S::Literal(one), S::Literal(other)) => self.board_map.site(*one) == *other,
            (S::Nowhere, S::Nowhere) => true,
            (S::Step(.., number), S::Step(.., other)) if number != other => false,
            (S::Memory { memory, .. }, S::Memory { memory: other, .. }) if memory != other => false,
            (S::ByPlayer(one, sites), S::ByPlayer(other, other_sites)) => self.by_player(
                (&one.node, sites, a),
                (&other.node, other_sites, b),
                |one, other| self.site(one, other),
            ),
            (S::Step(..) | S::First { .. } | S::Memory { .. } | S::Only(_) | S::If(..), _) => {
                self.same_parts((one, a), (other, b))
            }
            (S::Literal(_) | S::Nowhere | S::ByPlayer(..) | S::Local(_) | S::Call(..), _) => false,
        })
    }

    pub fn direction(&self, one: In<'_, 'r, DirectionOf>, other: In<'_, 'r, DirectionOf>) -> bool {
        use DirectionOf as D;
        match (self.direction_variable(one), self.direction_variable(other)) {
            (Some((one, steps)), Some((other, other_steps))) => {
                return one == other && self.turns_alike(steps, other_steps);
            }
            (None, None) => {}
            _ => return false,
        }
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (D::Fixed(one), D::Fixed(other)) => self.board_map.direction(*one) == *other,
            (D::ByPlayer(one, directions), D::ByPlayer(other, other_directions)) => self.by_player(
                (&one.node, directions, a),
                (&other.node, other_directions, b),
                |one, other| self.direction(one, other),
            ),
            (D::Turned(_, steps), D::Turned(_, other_steps))
                if !self.turns_alike(i32::from(*steps), i32::from(*other_steps)) =>
            {
                false
            }
            (D::Memory { memory, .. }, D::Memory { memory: other, .. }) if memory != other => false,
            (D::Between(..) | D::Turned(..) | D::Memory { .. } | D::If(..), _) => {
                self.same_parts((one, a), (other, b))
            }
            (D::Fixed(_) | D::ByPlayer(..) | D::Local(_) | D::Call(..), _) => false,
        })
    }

    pub fn player(&self, one: In<'_, 'r, PlayerOf>, other: In<'_, 'r, PlayerOf>) -> bool {
        use PlayerOf as P;
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (P::Fixed(one), P::Fixed(other)) => one == other,
            (P::Memory { memory, .. }, P::Memory { memory: other, .. }) if memory != other => false,
            (P::ByPlayer(one, players), P::ByPlayer(other, other_players)) => self.by_player(
                (&one.node, players, a),
                (&other.node, other_players, b),
                |one, other| self.player(one, other),
            ),
            (P::Mover | P::Next(_) | P::Memory { .. } | P::If(..), _) => {
                self.same_parts((one, a), (other, b))
            }
            (P::Fixed(_) | P::ByPlayer(..) | P::Local(_) | P::Call(..), _) => false,
        })
    }

    pub fn piece(&self, one: In<'_, 'r, PieceOf>, other: In<'_, 'r, PieceOf>) -> bool {
        use PieceOf as P;
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (P::Fixed(one), P::Fixed(other)) => one == other,
            (P::Memory { memory, .. }, P::Memory { memory: other, .. }) if memory != other => false,
            (P::ByPlayer(one, kinds), P::ByPlayer(other, other_kinds)) => self.by_player(
                (&one.node, kinds, a),
                (&other.node, other_kinds, b),
                |one, other| self.piece(one, other),
            ),
            (P::At(_) | P::Memory { .. } | P::If(..), _) => self.same_parts((one, a), (other, b)),
            (P::Fixed(_) | P::ByPlayer(..) | P::Local(_) | P::Call(..), _) => false,
        })
    }
}
