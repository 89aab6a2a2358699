//! Proves that rules are invariant under a symmetry, by structural induction over the typed rules.
//!
//! Two expressions are equivalent if the second has, in the image of a position, the image of the
//! value that the first has in the position itself. They are if they have the same form and
//! equivalent parts; operands of "and" and "or" match in any order. Constant regions and directions
//! are mapped and compared. Whatever depends on the order in which sites or directions are visited
//! is never equivalent. `lemmas` adds two facts about boards. The proof is sound and incomplete: a
//! case that is not covered is "no".

use super::constant::Constants;
use super::scope::{Meaning, Named, Scope, Seen, look};
use crate::board::{Direction, Site};
use crate::language::rules::{
    Binder, Condition, DirectionOf, Directions, Domain, Local, Number, PieceOf, PlayerOf, Rules,
    SiteOf, Sites, Spanned, Statement, Value, Whose,
};
use std::cell::Cell;

/// The limit of comparisons for one candidate.
const PATIENCE: u32 = 2_000_000;

/// A permutation of sites and directions.
pub trait Turning {
    fn site(&self, site: Site) -> Site;
    fn direction(&self, direction: Direction) -> Direction;
}

/// The identity.
pub struct Still;

impl Turning for Still {
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
    pub turning: &'t dyn Turning,
    patience: &'t Cell<u32>,
    /// The number of the next variable.
    variables: Cell<u32>,
}

/// An expression in its scope.
pub type In<'a, 'r, T> = (&'r T, &'a Scope<'r>);

/// Tests if the moves, the order of play, the end and the consequence of repetition are invariant.
pub fn is_symmetry(constants: Constants, turning: &dyn Turning) -> bool {
    let patience = Cell::new(PATIENCE);
    let same = Same { constants, turning, patience: &patience, variables: Cell::new(0) };
    let rules = constants.rules;
    let alike = |statements: &[Spanned<Statement>]| {
        same.statements(statements, statements, &Scope::default(), &Scope::default())
    };
    let moves = rules.moves.iter().all(|rule| {
        let (mut one, mut other) = (Scope::default(), Scope::default());
        let domains = rule.parameters.iter().all(|parameter| {
            let alike = same.domain((&parameter.domain, &one), (&parameter.domain, &other));
            (one, other) = same.bind(parameter.variable, &one, parameter.variable, &other);
            alike
        });
        domains && same.statements(&rule.body, &rule.body, &one, &other)
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
    pub fn goes_on(&self) -> bool {
        let left = self.patience.get();
        self.patience.set(left.saturating_sub(1));
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
    pub fn turned_by<'s>(&'s self, turning: &'s dyn Turning) -> Same<'r, 's> {
        Same {
            constants: self.constants,
            turning,
            patience: self.patience,
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
        if !self.goes_on() {
            return false;
        }
        match (
            look(self.rules(), one.0, one.1.clone()),
            look(self.rules(), other.0, other.1.clone()),
        ) {
            (Some(Seen::Any(one)), Some(Seen::Any(other)))
            | (Some(Seen::Back(one)), Some(Seen::Back(other))) => one == other,
            (Some(Seen::It(one, one_scope)), Some(Seen::It(other, other_scope))) => {
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

    pub fn option<T>(
        &self,
        one: &'r Option<T>,
        other: &'r Option<T>,
        alike: impl Fn(&'r T, &'r T) -> bool,
    ) -> bool {
        match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => alike(one, other),
            _ => false,
        }
    }

    pub fn value(&self, (one, a): In<'_, 'r, Value>, (other, b): In<'_, 'r, Value>) -> bool {
        use Value as V;
        match (one, other) {
            (V::Number(one), V::Number(other)) => self.number((&one.node, a), (&other.node, b)),
            (V::Condition(one), V::Condition(other)) => {
                self.condition((&one.node, a), (&other.node, b))
            }
            (V::Sites(one), V::Sites(other)) => self.sites((&one.node, a), (&other.node, b)),
            (V::Site(one), V::Site(other)) => self.site((&one.node, a), (&other.node, b)),
            (V::Direction(one), V::Direction(other)) => {
                self.direction((&one.node, a), (&other.node, b))
            }
            (V::Directions(one), V::Directions(other)) => {
                self.directions((&one.node, a), (&other.node, b))
            }
            (V::Player(one), V::Player(other)) => self.player((&one.node, a), (&other.node, b)),
            (V::Piece(one), V::Piece(other)) => self.piece((&one.node, a), (&other.node, b)),
            (
                V::Number(_)
                | V::Condition(_)
                | V::Sites(_)
                | V::Site(_)
                | V::Direction(_)
                | V::Directions(_)
                | V::Piece(_)
                | V::Player(_)
                | V::Statements(_),
                _,
            ) => false,
        }
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
                Domain::Sites(_)
                | Domain::Directions(_)
                | Domain::Players(_)
                | Domain::Pieces(..)
                | Domain::Numbers { .. },
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
        let both =
            |one: &'r Spanned<Number>, a: &Scope<'r>, other: &'r Spanned<Number>, b: &Scope<'r>| {
                self.number((&one.node, a), (&other.node, b))
            };
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (N::Constant(one), N::Constant(other)) => one == other,
            (
                N::Memory { memory, player, site },
                N::Memory { memory: other, player: other_player, site: other_site },
            ) => {
                memory == other
                    && self.option(player, other_player, |one, other| {
                        self.player((&one.node, a), (&other.node, b))
                    })
                    && self.option(site, other_site, |one, other| {
                        self.site((&one.node, a), (&other.node, b))
                    })
            }
            (N::Add(one), N::Add(other))
            | (N::Multiply(one), N::Multiply(other))
            | (N::Least(one), N::Least(other))
            | (N::Greatest(one), N::Greatest(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| both(one, a, other, b))
            }
            (N::Subtract(one, by), N::Subtract(other, other_by)) => {
                both(one, a, other, b) && both(by, a, other_by, b)
            }
            (N::Divide(one, by), N::Divide(other, other_by))
            | (N::Remainder(one, by), N::Remainder(other, other_by)) => {
                by == other_by && both(one, a, other, b)
            }
            (N::Count(one), N::Count(other)) => self.sites((&one.node, a), (&other.node, b)),
            (N::CountWhere(one, body), N::CountWhere(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.condition(one, other)
                })
            }
            (N::Sum(one, body), N::Sum(other, other_body)) => {
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
                N::Constant(_)
                | N::Local(_)
                | N::Memory { .. }
                | N::Add(_)
                | N::Subtract(..)
                | N::Multiply(_)
                | N::Divide(..)
                | N::Remainder(..)
                | N::Least(_)
                | N::Greatest(_)
                | N::Count(_)
                | N::CountWhere(..)
                | N::Sum(..)
                | N::ByPlayer(..)
                | N::Call(..),
                _,
            ) => false,
        })
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
            (C::Not(one), C::Not(other)) => self.condition((&one.node, a), (&other.node, b)),
            (C::Any(one), C::Any(other)) | (C::None(one), C::None(other)) => {
                self.sites((&one.node, a), (&other.node, b))
                    || self.same_chain((&one.node, a), (&other.node, b))
            }
            (C::In(one, within), C::In(other, other_within)) => {
                self.site((&one.node, a), (&other.node, b))
                    && self.sites((&within.node, a), (&other_within.node, b))
            }
            (C::Exists(one, body), C::Exists(other, other_body))
            | (C::Every(one, body), C::Every(other, other_body)) => {
                self.bound((one, &body.node, a), (other, &other_body.node, b), |one, other| {
                    self.condition(one, other)
                }) || self.same_lines((one, &body.node, a), (other, &other_body.node, b))
            }
            (C::Compare(comparison, left, right), C::Compare(other, other_left, other_right)) => {
                comparison == other
                    && self.number((&left.node, a), (&other_left.node, b))
                    && self.number((&right.node, a), (&other_right.node, b))
            }
            (C::SamePlayer(left, right), C::SamePlayer(other_left, other_right)) => {
                self.player((&left.node, a), (&other_left.node, b))
                    && self.player((&right.node, a), (&other_right.node, b))
            }
            (C::SameSite(left, right), C::SameSite(other_left, other_right)) => {
                self.site((&left.node, a), (&other_left.node, b))
                    && self.site((&right.node, a), (&other_right.node, b))
            }
            (C::SameDirection(left, right), C::SameDirection(other_left, other_right)) => {
                self.direction((&left.node, a), (&other_left.node, b))
                    && self.direction((&right.node, a), (&other_right.node, b))
            }
            (C::ByPlayer(one, conditions), C::ByPlayer(other, other_conditions)) => self.by_player(
                (&one.node, conditions, a),
                (&other.node, other_conditions, b),
                |one, other| self.condition(one, other),
            ),
            (
                C::Constant(_)
                | C::And(_)
                | C::Or(_)
                | C::Not(_)
                | C::Any(_)
                | C::None(_)
                | C::In(..)
                | C::Exists(..)
                | C::Every(..)
                | C::Compare(..)
                | C::SamePlayer(..)
                | C::SameSite(..)
                | C::SameDirection(..)
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
                .map(|site| self.turning.site(site))
                .collect::<std::collections::BTreeSet<Site>>()
                == other;
        }
        let both = |one: &'r Spanned<Sites>,
                    a: &Scope<'r>,
                    other: &'r Spanned<Sites>,
                    b: &Scope<'r>| self.sites((&one.node, a), (&other.node, b));
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (S::Everywhere, S::Everywhere)
            | (S::Nowhere, S::Nowhere)
            | (S::Empty, S::Empty)
            | (S::CutOut, S::CutOut) => true,
            (S::Pieces { kinds, whose }, S::Pieces { kinds: other, whose: other_whose }) => {
                let of = |one: &'r Spanned<PlayerOf>, other: &'r Spanned<PlayerOf>| {
                    self.player((&one.node, a), (&other.node, b))
                };
                self.any_order(kinds, other, |one, other| one == other)
                    && match (whose, other_whose) {
                        (Whose::Anyones, Whose::Anyones) => true,
                        (Whose::Players(one), Whose::Players(other))
                        | (Whose::Others(one), Whose::Others(other)) => of(one, other),
                        (Whose::Anyones | Whose::Players(_) | Whose::Others(_), _) => false,
                    }
            }
            (
                S::Memory { memory, player, direction },
                S::Memory { memory: other, player: other_player, direction: other_direction },
            ) => {
                memory == other
                    && self.option(player, other_player, |one, other| {
                        self.player((&one.node, a), (&other.node, b))
                    })
                    && self.option(direction, other_direction, |one, other| {
                        self.direction((&one.node, a), (&other.node, b))
                    })
            }
            (S::One(one), S::One(other)) => self.site((&one.node, a), (&other.node, b)),
            (S::Beside(one, directions), S::Beside(other, other_directions)) => {
                both(one, a, other, b)
                    && self.directions((&directions.node, a), (&other_directions.node, b))
            }
            (
                S::Group { of, within, directions },
                S::Group { of: other, within: other_within, directions: other_directions },
            ) => {
                both(of, a, other, b)
                    && both(within, a, other_within, b)
                    && self.directions((&directions.node, a), (&other_directions.node, b))
            }
            (
                S::Walk { from, directions, through },
                S::Walk { from: other, directions: other_directions, through: other_through },
            ) => {
                self.site((&from.node, a), (&other.node, b))
                    && self.directions((&directions.node, a), (&other_directions.node, b))
                    && both(through, a, other_through, b)
            }
            // On wrapped boards there may be two lines between sites, and the order of directions
            // decides which one counts.
            (S::Between(from, to), S::Between(other_from, other_to)) => {
                !self.rules().board.is_wrapped()
                    && self.site((&from.node, a), (&other_from.node, b))
                    && self.site((&to.node, a), (&other_to.node, b))
            }
            (S::When(one, region), S::When(other, other_region)) => {
                self.condition((&one.node, a), (&other.node, b)) && both(region, a, other_region, b)
            }
            (S::Union(one, body), S::Union(other, other_body)) => {
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
            (S::Not(one), S::Not(other)) => both(one, a, other, b),
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
                | S::Pieces { .. }
                | S::Memory { .. }
                | S::Literal(_)
                | S::One(_)
                | S::Beside(..)
                | S::Group { .. }
                | S::Walk { .. }
                | S::Between(..)
                | S::When(..)
                | S::Union(..)
                | S::And(_)
                | S::Or(_)
                | S::Not(_)
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
            (S::Literal(one), S::Literal(other)) => self.turning.site(*one) == *other,
            (S::Step(one, direction), S::Step(other, other_direction)) => {
                self.site((&one.node, a), (&other.node, b))
                    && self.direction((&direction.node, a), (&other_direction.node, b))
            }
            (
                S::First { from, direction, stops },
                S::First { from: other, direction: other_direction, stops: other_stops },
            ) => {
                self.site((&from.node, a), (&other.node, b))
                    && self.direction((&direction.node, a), (&other_direction.node, b))
                    && self.sites((&stops.node, a), (&other_stops.node, b))
            }
            (
                S::Memory { memory, player, site },
                S::Memory { memory: other, player: other_player, site: other_site },
            ) => {
                memory == other
                    && self.option(player, other_player, |one, other| {
                        self.player((&one.node, a), (&other.node, b))
                    })
                    && self.option(site, other_site, |one, other| {
                        self.site((&one.node, a), (&other.node, b))
                    })
            }
            (S::ByPlayer(one, sites), S::ByPlayer(other, other_sites)) => self.by_player(
                (&one.node, sites, a),
                (&other.node, other_sites, b),
                |one, other| self.site(one, other),
            ),
            (
                S::Literal(_)
                | S::Local(_)
                | S::Step(..)
                | S::First { .. }
                | S::Memory { .. }
                | S::ByPlayer(..)
                | S::Call(..),
                _,
            ) => false,
        })
    }

    pub fn direction(&self, one: In<'_, 'r, DirectionOf>, other: In<'_, 'r, DirectionOf>) -> bool {
        use DirectionOf as D;
        match (self.way(one), self.way(other)) {
            (Some(one), Some(other)) => return one == other,
            (None, None) => {}
            _ => return false,
        }
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (D::Fixed(one), D::Fixed(other)) => self.turning.direction(*one) == *other,
            (D::Between(from, to), D::Between(other_from, other_to)) => {
                self.site((&from.node, a), (&other_from.node, b))
                    && self.site((&to.node, a), (&other_to.node, b))
            }
            (D::Opposite(one), D::Opposite(other)) => {
                self.direction((&one.node, a), (&other.node, b))
            }
            (D::ByPlayer(one, directions), D::ByPlayer(other, other_directions)) => self.by_player(
                (&one.node, directions, a),
                (&other.node, other_directions, b),
                |one, other| self.direction(one, other),
            ),
            (
                D::Fixed(_)
                | D::Local(_)
                | D::Between(..)
                | D::Opposite(_)
                | D::ByPlayer(..)
                | D::Call(..),
                _,
            ) => false,
        })
    }

    /// Resolves a direction to a variable's number and whether it is that variable's opposite.
    fn way(&self, (direction, scope): In<'_, 'r, DirectionOf>) -> Option<(u32, bool)> {
        match look(self.rules(), direction, scope.clone())? {
            Seen::Any(number) => Some((number, false)),
            Seen::Back(number) => Some((number, true)),
            Seen::It(DirectionOf::Opposite(one), scope) => {
                self.way((&one.node, &scope)).map(|(number, back)| (number, !back))
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
                one.into_iter().map(|direction| self.turning.direction(direction)).collect();
            return turned.iter().all(|direction| other.contains(direction))
                && other.iter().all(|direction| turned.contains(direction));
        }
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (D::One(one), D::One(other)) => self.direction((&one.node, a), (&other.node, b)),
            (D::List(one), D::List(other)) => self.any_order(one, other, |one, other| {
                self.direction((&one.node, a), (&other.node, b))
            }),
            (D::ByPlayer(one, directions), D::ByPlayer(other, other_directions)) => self.by_player(
                (&one.node, directions, a),
                (&other.node, other_directions, b),
                |one, other| self.directions(one, other),
            ),
            (
                D::Fixed(_) | D::One(_) | D::List(_) | D::ByPlayer(..) | D::Local(_) | D::Call(..),
                _,
            ) => false,
        })
    }

    pub fn player(&self, one: In<'_, 'r, PlayerOf>, other: In<'_, 'r, PlayerOf>) -> bool {
        use PlayerOf as P;
        self.seen(one, other, |(one, a), (other, b)| match (one, other) {
            (P::Fixed(one), P::Fixed(other)) => one == other,
            (P::Mover, P::Mover) => true,
            (P::Next(one), P::Next(other)) => self.player((&one.node, a), (&other.node, b)),
            (P::Memory { memory, player }, P::Memory { memory: other, player: other_player }) => {
                memory == other
                    && self.option(player, other_player, |one, other| {
                        self.player((&one.node, a), (&other.node, b))
                    })
            }
            (P::ByPlayer(one, players), P::ByPlayer(other, other_players)) => self.by_player(
                (&one.node, players, a),
                (&other.node, other_players, b),
                |one, other| self.player(one, other),
            ),
            (
                P::Fixed(_)
                | P::Mover
                | P::Next(_)
                | P::Local(_)
                | P::Memory { .. }
                | P::ByPlayer(..)
                | P::Call(..),
                _,
            ) => false,
        })
    }

    pub fn piece(&self, one: In<'_, 'r, PieceOf>, other: In<'_, 'r, PieceOf>) -> bool {
        self.seen(one, other, |(one, _), (other, _)| matches!((one, other), (PieceOf::Fixed(one), PieceOf::Fixed(other)) if one == other))
    }
}
