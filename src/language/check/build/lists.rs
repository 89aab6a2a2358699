//! Lists in the typed rules: directions, sites and conditions that stand side by side.

use super::super::Checker;
use super::super::typed::{Typed, at};
use crate::language::rules::*;
use crate::syntax::Span;

/// Builds a region of listed sites; a literal if all are constant.
pub(super) fn listed(sites: Vec<Spanned<SiteOf>>) -> Sites {
    let known = sites.iter().map(|site| match site.node {
        SiteOf::Literal(site) => Some(site),
        _ => None,
    });
    match known.collect() {
        Some(known) => Sites::Literal(known),
        None => Sites::Or(
            sites
                .into_iter()
                .map(|site| {
                    let span = site.span;
                    at(Sites::One(Box::new(site)), span)
                })
                .collect(),
        ),
    }
}

/// Builds a conjunction or disjunction, folded if all conditions are constant.
pub(super) fn joined(all: bool, conditions: Vec<Spanned<Condition>>) -> Condition {
    let known: Option<Vec<bool>> = conditions
        .iter()
        .map(|condition| match condition.node {
            Condition::Constant(so) => Some(so),
            _ => None,
        })
        .collect();
    match known {
        Some(known) if all => Condition::Constant(known.into_iter().all(|so| so)),
        Some(known) => Condition::Constant(known.into_iter().any(|so| so)),
        None if all => Condition::And(conditions),
        None => Condition::Or(conditions),
    }
}

/// Builds the negation of an equality.
pub(super) fn differ(same: Condition, span: Span) -> Condition {
    Condition::Not(Box::new(at(same, span)))
}

impl Checker<'_> {
    /// Returns the given directions, or the orthogonal ones.
    pub(super) fn orthogonal_unless(
        &mut self,
        given: Option<Box<Spanned<Directions>>>,
        span: Span,
    ) -> Option<Box<Spanned<Directions>>> {
        match given {
            Some(directions) => Some(directions),
            None => {
                let orthogonal = self.require_board(span)?.orthogonal().to_vec();
                Some(Box::new(at(Directions::Fixed(orthogonal), span)))
            }
        }
    }

    /// Builds a list of directions; if all are constant, without duplicates.
    pub(super) fn listed_directions(
        &mut self,
        directions: Vec<Spanned<DirectionOf>>,
        span: Span,
    ) -> Option<Typed> {
        let mut distinct = Vec::with_capacity(directions.len());
        for direction in &directions {
            let DirectionOf::Fixed(fixed) = direction.node else {
                return Some(Typed::Directions(at(Directions::List(directions), span)));
            };
            if !distinct.contains(&fixed) {
                distinct.push(fixed);
            }
        }
        Some(Typed::Directions(at(Directions::Fixed(distinct), span)))
    }
}
