//! Proves that rules are invariant under a symmetry, by structural induction over the typed rules.
//!
//! Two expressions are equivalent if the second has, in the image of a position, the image of the
//! value that the first has in the position itself. It suffices that they have the same form and
//! equivalent parts; operands of "and" and "or" match in any order. Constant regions and directions
//! are mapped and compared. An expression that depends on the order in which sites or directions
//! are visited is never equivalent. `lemmas` adds two facts about boards. The proof is sound and
//! incomplete: a case that is not covered is "no".

use super::scope::{Meaning, Resolved, Scope, resolve};
use crate::board::{Board, Direction, Site};
use crate::language::board_expressions::{Evaluator, Variables};
use crate::language::rules::{
    Condition, DirectionOf, Directions, Domain, Local, Number, PlayerOf, Repetition, Rules, Sites,
    Spanned, Statement, Value,
};
use crate::language::visit::{Composite, Expression, Label};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::mem::discriminant;

/// The limit of comparisons for one candidate.
const MAX_COMPARISONS: u32 = 2_000_000;

/// The limit of work to evaluate one expression.
const MAX_WORK: u32 = 1 << 16;

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
    pub rules: &'r Rules,
    /// Whether sites can be cut out in play.
    cuts: bool,
    pub board_map: &'t dyn BoardMap,
    fuel: &'t Cell<u32>,
    /// The number of the next variable.
    variables: Cell<u32>,
}

/// An expression in its scope.
pub type In<'a, 'r> = (Expression<'r>, &'a Scope<'r>);

/// Tests if the moves, the order of play, the end and the consequence of repetition are invariant.
pub fn is_symmetry(rules: &Rules, cuts: bool, board_map: &dyn BoardMap) -> bool {
    let fuel = Cell::new(MAX_COMPARISONS);
    let same = Same { rules, cuts, board_map, fuel: &fuel, variables: Cell::new(0) };
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
        && rules.repetition.as_ref().is_none_or(|rule| same.repetition(rule))
}

impl<'r> Same<'r, '_> {
    /// Compares a rule of repetition with its image. The rule compares parts of positions as a
    /// whole: if these parts of two positions are the same, so are their images.
    fn repetition(&self, rule: &'r Repetition) -> bool {
        let (mut a, mut b) = (Scope::default(), Scope::default());
        rule.throughout.iter().all(|throughout| {
            let condition = Expression::Condition(&throughout.condition);
            let alike =
                self.expression((condition, &Scope::default()), (condition, &Scope::default()));
            let variable = throughout.variable;
            (a, b) = self.bind(variable, &a, variable, &b);
            alike
        }) && self.statements(&rule.then, &rule.then, &a, &b)
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
        Same { board_map, variables: self.variables.clone(), ..*self }
    }

    /// Returns the number of a new variable.
    pub fn variable(&self) -> u32 {
        self.variables.replace(self.variables.get() + 1)
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

    pub fn value(
        &self,
        (one, a): (&'r Value, &Scope<'r>),
        (other, b): (&'r Value, &Scope<'r>),
    ) -> bool {
        one.expression()
            .zip(other.expression())
            .is_some_and(|(one, other)| self.expression((one, a), (other, b)))
    }

    /// Compares parts in order.
    pub fn parts(
        &self,
        (one, a): (Vec<Expression<'r>>, &Scope<'r>),
        (other, b): (Vec<Expression<'r>>, &Scope<'r>),
    ) -> bool {
        one.len() == other.len()
            && one.into_iter().zip(other).all(|(one, other)| self.expression((one, a), (other, b)))
    }

    pub fn domain(
        &self,
        (one, a): (&'r Domain, &Scope<'r>),
        (other, b): (&'r Domain, &Scope<'r>),
    ) -> bool {
        use Domain as D;
        let alike = match (one, other) {
            (D::Pieces(one, _), D::Pieces(other, _)) => one == other,
            (
                D::Numbers { least: one, most: one_most, .. },
                D::Numbers { least: other, most: other_most, .. },
            ) => (one, one_most) == (other, other_most),
            (
                D::Sites(_)
                | D::Directions(_)
                | D::Players(_)
                | D::Team(..)
                | D::Pieces(..)
                | D::Numbers { .. }
                | D::Groups { .. },
                _,
            ) => discriminant(one) == discriminant(other),
        };
        alike && self.parts((one.parts(), a), (other.parts(), b))
    }

    /// Evaluates an expression if it has the same value in every position.
    fn constant<T>(
        &self,
        scope: &Scope<'r>,
        evaluate: impl FnOnce(&Evaluator, &Variables) -> Option<T>,
    ) -> Option<T> {
        let fuel = Cell::new(MAX_WORK);
        let evaluator = Evaluator::of(self.rules, self.cuts, &fuel);
        evaluate(&evaluator, &Variables::Outer(&|local| scope.constant(local, &evaluator)))
    }

    /// Returns constant directions.
    pub fn directions(
        &self,
        all: &'r Spanned<Directions>,
        scope: &Scope<'r>,
    ) -> Option<Vec<Direction>> {
        self.constant(scope, |evaluator, variables| evaluator.directions(&all.node, variables))
    }

    /// Compares two expressions.
    pub fn expression(&self, (one, a): In<'_, 'r>, (other, b): In<'_, 'r>) -> bool {
        use Expression as E;
        match (one, other) {
            (E::Sites(one), E::Sites(other)) => {
                let of = |all: &'r Spanned<Sites>, scope| {
                    self.constant(scope, |evaluator, variables| {
                        evaluator.sites(&all.node, variables)
                    })
                };
                if let (Some(one), Some(other)) = (of(one, a), of(other, b)) {
                    let image = one.iter().map(|site| self.board_map.site(site));
                    return image.collect::<BTreeSet<Site>>() == other.iter().collect();
                }
            }
            (E::Directions(one), E::Directions(other)) => {
                // The order of directions matters only in loops.
                let ways = (self.directions(one, a), self.directions(other, b));
                if let (Some(one), Some(other)) = ways {
                    let image = one.into_iter().map(|way| self.board_map.direction(way));
                    return image.collect::<BTreeSet<Direction>>() == other.into_iter().collect();
                }
            }
            (E::Direction(_), E::Direction(_)) => {
                match (self.direction_variable(one, a), self.direction_variable(other, b)) {
                    (None, None) => {}
                    (Some((one, steps)), Some((other, other_steps))) => {
                        return one == other && self.turns_alike(steps, other_steps);
                    }
                    _ => return false,
                }
            }
            _ => {}
        }
        if !self.spend_fuel() {
            return false;
        }
        match (resolve(self.rules, one, a.clone()), resolve(self.rules, other, b.clone())) {
            (Some(Resolved::Any(one)), Some(Resolved::Any(other)))
            | (Some(Resolved::Back(one)), Some(Resolved::Back(other))) => one == other,
            (Some(Resolved::It(one, a)), Some(Resolved::It(other, b))) => {
                one.is_like(other)
                    && self.is_kept(one)
                    && self.same_labels(&one.labels(), &other.labels())
                    && self.same_insides((one, &a), (other, &b))
            }
            _ => false,
        }
    }

    /// Compares the expressions inside two expressions of one kind.
    fn same_insides(&self, (one, a): In<'_, 'r>, (other, b): In<'_, 'r>) -> bool {
        use Expression as E;
        let (mut parts, mut other_parts) = (one.parts(), other.parts());
        if let (Some(binder), Some(other_binder), Some(body), Some(other_body)) =
            (one.binder(), other.binder(), parts.pop(), other_parts.pop())
        {
            // The order of the values does not matter.
            let bound = self.domain((&binder.domain, a), (&other_binder.domain, b)) && {
                let (a, b) = self.bind(binder.variable, a, other_binder.variable, b);
                self.expression((body, &a), (other_body, &b))
            };
            return bound
                || matches!(one, E::Condition(_))
                    && self.same_lines((binder, body, a), (other_binder, other_body, b));
        }
        let (parts, other_parts) = (one.parts(), other.parts());
        match (one, other) {
            (E::Condition(Spanned { node: Condition::And(_) | Condition::Or(_), .. }), _)
            | (
                E::Sites(Spanned {
                    node: Sites::And(_) | Sites::Or(_) | Sites::Pieces { .. }, ..
                }),
                _,
            )
            | (E::Directions(Spanned { node: Directions::List(_), .. }), _) => {
                self.any_order(&parts, &other_parts, |one, other| {
                    self.expression((*one, a), (*other, b))
                })
            }
            (E::Condition(Spanned { node: Condition::Any(_) | Condition::None(_), .. }), _) => {
                self.parts((parts.clone(), a), (other_parts.clone(), b))
                    || self.same_chain((parts[0], a), (other_parts[0], b))
            }
            (
                E::Sites(Spanned { node: Sites::Lines { region, directions, .. }, .. }),
                E::Sites(Spanned {
                    node: Sites::Lines { region: of, directions: along, .. }, ..
                }),
            ) => {
                self.expression((E::Sites(region), a), (E::Sites(of), b))
                    && self.same_axes((directions, a), (along, b))
            }
            _ => {
                // Constant players select one branch each.
                let branch = |(player, branches): (&'r Spanned<PlayerOf>, Vec<_>), scope| {
                    self.constant(scope, |evaluator, variables| {
                        evaluator.player(&player.node, variables)
                    })
                    .map(|player| branches[player.index()])
                };
                if let (Some(one), Some(other)) = (one.by_player(), other.by_player())
                    && let (Some(one), Some(other)) = (branch(one, a), branch(other, b))
                {
                    return self.expression((one, a), (other, b));
                }
                self.parts((parts, a), (other_parts, b))
            }
        }
    }

    /// Tests if the property of sites that an expression reads is preserved by the mapping.
    fn is_kept(&self, it: Expression<'r>) -> bool {
        match it {
            Expression::Number(it) => match it.node {
                Number::RowOf(_) => self.keeps(Board::row_of),
                Number::ColumnOf(_) => self.keeps(Board::column_of),
                _ => true,
            },
            // On wrapped boards there may be two lines between sites, and the order of directions
            // decides which one counts.
            Expression::Sites(it) if matches!(it.node, Sites::Between(..)) => {
                !self.rules.board.is_wrapped()
            }
            _ => true,
        }
    }

    /// Compares the labels of two nodes: the parts that are no expressions.
    pub fn same_labels(&self, labels: &[Label], others: &[Label]) -> bool {
        let map = self.board_map;
        let alike = |(one, other): (&Label, &Label)| match (one, other) {
            (Label::Site(one), Label::Site(other)) => map.site(*one) == *other,
            // Constant regions were compared before.
            (Label::Sites(_), _) => false,
            (Label::Direction(one), Label::Direction(other)) => map.direction(*one) == *other,
            (Label::Directions(one), Label::Directions(other)) => {
                self.any_order(one, other, |one, other| map.direction(*one) == *other)
            }
            (Label::TurnedBy(one), Label::TurnedBy(other)) => {
                self.turns_alike(i32::from(one.0), i32::from(other.0))
            }
            // All moves of the game are invariant, and other labels must be the same.
            _ => one == other,
        };
        labels.len() == others.len() && labels.iter().zip(others).all(alike)
    }

    /// Tests if every site has the same number as its image.
    fn keeps(&self, number: impl Fn(&Board, Site) -> usize) -> bool {
        let board = &self.rules.board;
        board.sites().all(|site| number(board, site) == number(board, self.board_map.site(site)))
    }

    /// Tests if turning a direction by `steps` and then mapping it is mapping it and then turning
    /// it by `other`. A reflection reverses turns.
    fn turns_alike(&self, steps: i32, other: i32) -> bool {
        let board = &self.rules.board;
        board.straight().all(|direction| {
            board.turned(direction, steps).map(|turned| self.board_map.direction(turned))
                == board.turned(self.board_map.direction(direction), other)
        })
    }

    /// Resolves a direction to a variable's number and the number of steps by which it is turned
    /// from that variable.
    fn direction_variable(
        &self,
        direction: Expression<'r>,
        scope: &Scope<'r>,
    ) -> Option<(u32, i32)> {
        let board = &self.rules.board;
        match resolve(self.rules, direction, scope.clone())? {
            Resolved::Any(number) => Some((number, 0)),
            Resolved::Back(number) => Some((number, i32::from(board.half_turn()))),
            Resolved::It(Expression::Direction(it), scope) => {
                let DirectionOf::Turned(one, steps) = &it.node else { return None };
                let one = Expression::Direction(one);
                let (number, before) = self.direction_variable(one, &scope)?;
                // Turns of directions that the board lacks do not add up.
                let is_half = |steps: i32| steps % i32::from(board.half_turn()) == 0;
                let mut ways = Direction::ALL.iter().chain(board.track_ways());
                let adds_up = ways.all(|way| board.rings().any(|ring| ring.contains(way)))
                    || before == 0
                    || is_half(before) && is_half(i32::from(steps.0));
                adds_up.then_some((number, before + i32::from(steps.0)))
            }
            Resolved::It(..) => None,
        }
    }
}
