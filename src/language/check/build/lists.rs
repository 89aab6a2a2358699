//! Lists in the typed rules: sites and directions that stand side by side.

use super::super::Checker;
use super::super::typed::at;
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
        None => {
            let one =
                |site: Spanned<SiteOf>| Spanned { span: site.span, node: Sites::One(site.into()) };
            Sites::Or(sites.into_iter().map(one).collect())
        }
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
}
