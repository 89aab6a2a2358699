//! The part of `equivalence` that compares statements.

use super::equivalence::{In, Same};
use super::scope::Scope;
use crate::language::rules::{
    Condition, DirectionOf, Domain, Number, PieceOf, PlayerOf, SiteOf, Sites, Spanned, Statement,
    Value,
};

impl<'r> Same<'r, '_> {
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
        (one, a): In<'_, 'r, Statement>,
        (other, b): In<'_, 'r, Statement>,
    ) -> bool {
        use Statement as S;
        let lists = |one: &'r [Spanned<Statement>], other: &'r [Spanned<Statement>]| {
            self.statements(one, other, a, b)
        };
        let player = |one: &'r Spanned<PlayerOf>, other: &'r Spanned<PlayerOf>| {
            self.player((&one.node, a), (&other.node, b))
        };
        let owner = |one: &'r Option<Spanned<PlayerOf>>, other: &'r Option<Spanned<PlayerOf>>| {
            self.option(one, other, player)
        };
        let sites = |one: &'r Spanned<Sites>, other: &'r Spanned<Sites>| {
            self.sites((&one.node, a), (&other.node, b))
        };
        let site = |one: &'r Spanned<SiteOf>, other: &'r Spanned<SiteOf>| {
            self.site((&one.node, a), (&other.node, b))
        };
        let at = |one: &'r Option<Spanned<SiteOf>>, other: &'r Option<Spanned<SiteOf>>| {
            self.option(one, other, site)
        };
        let number = |one: &'r Spanned<Number>, other: &'r Spanned<Number>| {
            self.number((&one.node, a), (&other.node, b))
        };
        let piece = |one: &'r Spanned<PieceOf>, other: &'r Spanned<PieceOf>| {
            self.piece((&one.node, a), (&other.node, b))
        };
        let towards = |one: &'r Option<Spanned<DirectionOf>>,
                       other: &'r Option<Spanned<DirectionOf>>| {
            self.option(one, other, |one, other| self.direction((&one.node, a), (&other.node, b)))
        };
        let condition = |one: &'r Spanned<Condition>, other: &'r Spanned<Condition>| {
            self.condition((&one.node, a), (&other.node, b))
        };
        self.goes_on()
            && match (one, other) {
                (S::Require(one), S::Require(other)) => condition(one, other),
                (
                    S::If { condition: one, then, otherwise },
                    S::If { condition: other, then: other_then, otherwise: other_otherwise },
                ) => {
                    condition(one, other)
                        && lists(then, other_then)
                        && lists(otherwise, other_otherwise)
                }
                (S::For(one, one_body), S::For(other, other_body)) => {
                    // The image of the loop would visit sites or directions in another order.
                    !matches!(one.domain, Domain::Sites(_) | Domain::Directions(_))
                        && self.domain((&one.domain, a), (&other.domain, b))
                        && {
                            let (a, b) = self.bind(one.variable, a, other.variable, b);
                            self.statements(one_body, other_body, &a, &b)
                        }
                }
                (S::ByPlayer(one, one_lists), S::ByPlayer(other, other_lists)) => {
                    player(one, other)
                        && one_lists.len() == other_lists.len()
                        && one_lists.iter().zip(other_lists).all(|(one, other)| lists(one, other))
                }
                (S::Do(one, one_arguments), S::Do(other, other_arguments)) => {
                    // Equivalent arguments are equal, arbitrary values inside the body.
                    let body = &self.rules().definitions[one.index()];
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
                (
                    S::Put { piece: one, at: one_at, owner: one_owner },
                    S::Put { piece: other, at: other_at, owner: other_owner },
                ) => piece(one, other) && sites(one_at, other_at) && owner(one_owner, other_owner),
                (
                    S::Replace { piece: one, at: one_at, owner: one_owner },
                    S::Replace { piece: other, at: other_at, owner: other_owner },
                ) => piece(one, other) && sites(one_at, other_at) && owner(one_owner, other_owner),
                (S::Remove(one), S::Remove(other)) | (S::Cut(one), S::Cut(other)) => {
                    sites(one, other)
                }
                (S::Relocate { from, to }, S::Relocate { from: other_from, to: other_to }) => {
                    site(from, other_from) && site(to, other_to)
                }
                (S::Convert { at: one, to }, S::Convert { at: other, to: other_to }) => {
                    sites(one, other) && player(to, other_to)
                }
                (
                    S::SetNumber { memory, player, site, to },
                    S::SetNumber {
                        memory: other,
                        player: other_player,
                        site: other_site,
                        to: other_to,
                    },
                ) => {
                    memory == other
                        && owner(player, other_player)
                        && at(site, other_site)
                        && number(to, other_to)
                }
                (
                    S::Raise { memory, player, site, by },
                    S::Raise {
                        memory: other,
                        player: other_player,
                        site: other_site,
                        by: other_by,
                    },
                )
                | (
                    S::Lower { memory, player, site, by },
                    S::Lower {
                        memory: other,
                        player: other_player,
                        site: other_site,
                        by: other_by,
                    },
                ) => {
                    memory == other
                        && owner(player, other_player)
                        && at(site, other_site)
                        && number(by, other_by)
                }
                (
                    S::SetSite { memory, player, site: one, to },
                    S::SetSite {
                        memory: other,
                        player: other_player,
                        site: other_site,
                        to: other_to,
                    },
                ) => {
                    memory == other
                        && owner(player, other_player)
                        && at(one, other_site)
                        && site(to, other_to)
                }
                (
                    S::SetSites { memory, player, direction, to },
                    S::SetSites {
                        memory: other,
                        player: other_player,
                        direction: other_direction,
                        to: other_to,
                    },
                ) => {
                    memory == other
                        && owner(player, other_player)
                        && towards(direction, other_direction)
                        && sites(to, other_to)
                }
                (
                    S::SetPlayer { memory, player: of, to },
                    S::SetPlayer { memory: other, player: other_of, to: other_to },
                ) => memory == other && owner(of, other_of) && player(to, other_to),
                (
                    S::Mark { memory, player, direction, sites: one },
                    S::Mark {
                        memory: other,
                        player: other_player,
                        direction: other_direction,
                        sites: other_sites,
                    },
                )
                | (
                    S::Unmark { memory, player, direction, sites: one },
                    S::Unmark {
                        memory: other,
                        player: other_player,
                        direction: other_direction,
                        sites: other_sites,
                    },
                ) => {
                    memory == other
                        && owner(player, other_player)
                        && towards(direction, other_direction)
                        && sites(one, other_sites)
                }
                (S::Win(one), S::Win(other)) | (S::Lose(one), S::Lose(other)) => player(one, other),
                (S::Draw, S::Draw) | (S::EndTurn, S::EndTurn) => true,
                (S::ByScore(one, one_number), S::ByScore(other, other_number)) => {
                    let (a, b) = self.bind(*one, a, *other, b);
                    self.number((&one_number.node, &a), (&other_number.node, &b))
                }
                (S::Forever(one), S::Forever(other))
                | (S::Turns(one), S::Turns(other))
                | (S::Phase(_, one), S::Phase(_, other)) => lists(one, other),
                (S::While(one, one_body), S::While(other, other_body)) => {
                    condition(one, other) && lists(one_body, other_body)
                }
                (S::Repeat(one, one_body), S::Repeat(other, other_body)) => {
                    number(one, other) && lists(one_body, other_body)
                }
                (S::Turn(one, one_body), S::Turn(other, other_body)) => {
                    player(one, other) && lists(one_body, other_body)
                }
                (
                    S::Choose { moves: one, otherwise },
                    S::Choose { moves: other, otherwise: other_otherwise },
                ) => {
                    one == other
                        && self.option(otherwise, other_otherwise, |one, other| lists(one, other))
                }
                (S::Chance(one), S::Chance(other)) => one == other,
                (
                    S::Steps { count, moves: one, ending },
                    S::Steps { count: other_count, moves: other, ending: other_ending },
                ) => one == other && number(count, other_count) && condition(ending, other_ending),
                // Queued steps have an order.
                (
                    S::Require(_)
                    | S::If { .. }
                    | S::Let(..)
                    | S::For(..)
                    | S::ByPlayer(..)
                    | S::Chain { .. }
                    | S::Join(_)
                    | S::Do(..)
                    | S::Put { .. }
                    | S::Remove(_)
                    | S::Relocate { .. }
                    | S::Convert { .. }
                    | S::Replace { .. }
                    | S::Cut(_)
                    | S::SetNumber { .. }
                    | S::Raise { .. }
                    | S::Lower { .. }
                    | S::SetSite { .. }
                    | S::SetSites { .. }
                    | S::SetPlayer { .. }
                    | S::Mark { .. }
                    | S::Unmark { .. }
                    | S::Win(_)
                    | S::Lose(_)
                    | S::Draw
                    | S::EndTurn
                    | S::ByScore(..)
                    | S::Forever(_)
                    | S::While(..)
                    | S::Repeat(..)
                    | S::Turns(_)
                    | S::Turn(..)
                    | S::Phase(..)
                    | S::Choose { .. }
                    | S::Chance(_)
                    | S::Steps { .. },
                    _,
                ) => false,
            }
    }
}
