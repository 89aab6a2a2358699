//! The part of `equivalence` that compares statements, and choices with the statements after them.

use super::equivalence::Same;
use super::scope::{Meaning, Scope};
use crate::language::rules::{Domain, Parameter, Spanned, Statement, Value};
use crate::language::visit::{Composite, Expression as E};
use std::mem::discriminant;

/// Parameters and the statements after them, in their scope.
pub type Choices<'a, 'r> = (&'r [Parameter], &'r [Spanned<Statement>], &'a Scope<'r>);

impl<'r> Same<'r, '_> {
    /// Compares parameters and the statements after them. The image may list sites that are chosen
    /// together in another order, which must change nothing: it suffices that no exchange of two
    /// neighbouring parameters does.
    pub fn choices(&self, one: Choices<'_, 'r>, other: Choices<'_, 'r>) -> bool {
        let mut together = (1..one.0.len()).filter(|&index| one.0[index].alike);
        one.0.len() == other.0.len()
            && self.choices_exchanged(one, other, None)
            && together.all(|index| self.choices_exchanged(one, other, Some(index)))
    }

    /// Compares choices; on one side the parameter with this index is exchanged with the one before
    /// it.
    fn choices_exchanged(
        &self,
        (one, one_body, one_scope): Choices<'_, 'r>,
        (other, other_body, other_scope): Choices<'_, 'r>,
        exchanged: Option<usize>,
    ) -> bool {
        let (mut a, mut b) = (one_scope.clone(), other_scope.clone());
        let numbers: Vec<u32> = one.iter().map(|_| self.variable()).collect();
        let alike = (0..one.len()).all(|index| {
            let (one, other) = (&one[index], &other[index]);
            let image = match exchanged {
                Some(second) if index == second => index - 1,
                Some(second) if index + 1 == second => second,
                _ => index,
            };
            let alike = self.domain((&one.domain, &a), (&other.domain, &b));
            a = a.with(one.variable, Meaning::Any(numbers[index]));
            b = b.with(other.variable, Meaning::Any(numbers[image]));
            alike && one.argument_role() == other.argument_role()
        });
        alike && self.statements(one_body, other_body, &a, &b)
    }

    /// Compares lists of statements, in order.
    pub fn statements(
        &self,
        one: &'r [Spanned<Statement>],
        other: &'r [Spanned<Statement>],
        one_scope: &Scope<'r>,
        other_scope: &Scope<'r>,
    ) -> bool {
        let (mut one_scope, mut other_scope) = (one_scope.clone(), other_scope.clone());
        one.len() == other.len()
            && one.iter().zip(other).all(|(one, other)| {
                if let (Statement::Let(one, one_value), Statement::Let(other, other_value)) =
                    (&one.node, &other.node)
                {
                    let alike = self.value((one_value, &one_scope), (other_value, &other_scope));
                    (one_scope, other_scope) = self.bind(*one, &one_scope, *other, &other_scope);
                    return alike;
                }
                self.statement((&one.node, &one_scope), (&other.node, &other_scope))
            })
    }

    fn statement(
        &self,
        (one, a): (&'r Statement, &Scope<'r>),
        (other, b): (&'r Statement, &Scope<'r>),
    ) -> bool {
        use Statement as S;
        self.spend_fuel()
            && match (one, other) {
                (S::For(one, one_body), S::For(other, other_body)) => {
                    // The image of the loop would visit sites, directions or groups in another
                    // order.
                    let is_ordered = matches!(
                        one.domain,
                        Domain::Sites(_) | Domain::Directions(_) | Domain::Groups { .. }
                    );
                    !is_ordered && self.domain((&one.domain, a), (&other.domain, b)) && {
                        let (a, b) = self.bind(one.variable, a, other.variable, b);
                        self.statements(one_body, other_body, &a, &b)
                    }
                }
                (
                    S::Then { parameters, body },
                    S::Then { parameters: other_parameters, body: other_body },
                ) => self.choices((parameters, body, a), (other_parameters, other_body, b)),
                (S::Do(one, one_arguments), S::Do(other, other_arguments)) => {
                    // Equivalent arguments are equal, arbitrary values inside the body.
                    let body = &self.rules.definitions[one.index()];
                    let Value::Statements(statements) = &body.body else { return false };
                    let (mut inner, mut other_inner) = (Scope::default(), Scope::default());
                    one == other
                        && one_arguments.iter().zip(other_arguments).zip(&body.parameters).all(
                            |((one, other), &parameter)| {
                                (inner, other_inner) =
                                    self.bind(parameter, &inner, parameter, &other_inner);
                                self.value((one, a), (other, b))
                            },
                        )
                        && self.statements(statements, statements, &inner, &other_inner)
                }
                (S::ByScore(one, one_number), S::ByScore(other, other_number)) => {
                    let (a, b) = self.bind(*one, a, *other, b);
                    let (one, other) = (E::Number(one_number), E::Number(other_number));
                    self.expression((one, &a), (other, &b))
                }
                (S::Assign(one, one_value), S::Assign(other, other_value)) => {
                    let is_same = matches!(
                        (a.get(*one), b.get(*other)),
                        (Some(Meaning::Any(one)), Some(Meaning::Any(other))) if one == other
                    );
                    is_same && self.value((one_value, a), (other_value, b))
                }
                (S::Chance(one), S::Chance(other)) => one == other,
                (
                    S::Require(_)
                    | S::If { .. }
                    | S::ByPlayer(..)
                    | S::Put { .. }
                    | S::Replace { .. }
                    | S::Remove { .. }
                    | S::Cut(_)
                    | S::Relocate { .. }
                    | S::Shift { .. }
                    | S::Swap(..)
                    | S::Convert { .. }
                    | S::SetNumber { .. }
                    | S::Raise { .. }
                    | S::Lower { .. }
                    | S::SetSite { .. }
                    | S::SetSites { .. }
                    | S::SetPlayer { .. }
                    | S::SetKind { .. }
                    | S::SetDirection { .. }
                    | S::SetCondition { .. }
                    | S::Mark { .. }
                    | S::Unmark { .. }
                    | S::Win(_)
                    | S::Lose(_)
                    | S::DropOut(_)
                    | S::Draw
                    | S::Illegal
                    | S::EndTurn
                    | S::ExtraTurn
                    | S::Forever(_)
                    | S::While(..)
                    | S::Until(..)
                    | S::Repeat(..)
                    | S::Turns(_)
                    | S::Turn(..)
                    | S::Phase(..)
                    | S::Choose { .. }
                    | S::Steps { .. },
                    _,
                ) => {
                    let (bodies, other_bodies) = (one.bodies(), other.bodies());
                    discriminant(one) == discriminant(other)
                        && self.same_labels(&one.labels(), &other.labels())
                        && self.parts((one.parts(), a), (other.parts(), b))
                        && bodies.len() == other_bodies.len()
                        && bodies
                            .into_iter()
                            .zip(other_bodies)
                            .all(|(one, other)| self.statements(one, other, a, b))
                }
                // Queued steps have an order.
                (
                    S::Let(..)
                    | S::Assign(..)
                    | S::For(..)
                    | S::Do(..)
                    | S::ByScore(..)
                    | S::Chance(_)
                    | S::Chain { .. }
                    | S::Then { .. }
                    | S::Join(_),
                    _,
                ) => false,
            }
    }
}
