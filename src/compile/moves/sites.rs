//! Which sites of a move are lifted over, and which are fixed one by one.

use super::super::plan::{Unlifted, Why};
use super::super::values::Scope;
use super::super::{Compiled, Compiler};
use super::partial::PartialSpecialization;
use crate::board::Site;
use crate::language::rules::{Directions, Domain, Local, MoveRule, Parameter, Sites, Spanned};
use crate::language::visit::{Composite, Expression};

/// The greatest number of sites of a region that are fixed one by one.
const MAX_SITE_CASES: usize = 8;

/// The greatest number of copies of a rule for which sites are fixed one by one.
const MAX_COPIES: usize = 64;

impl PartialSpecialization<'_> {
    /// Lifts over no site if the domain of a later parameter depends on one that was to be lifted
    /// over: its values are cases, of one site at a time.
    pub(super) fn unlift_dependent(&mut self) {
        let Some(last) = self.stepped.or(self.lifted) else { return };
        let (sites, later) = self.parameters.split_at(last + 1);
        let lifted = &sites[self.lifted.unwrap_or(last)..];
        let is_lifted = |local: Local| lifted.iter().any(|site| site.variable == local);
        let depends = |parameter: &&Parameter| {
            let parts = parameter.domain.parts().into_iter().flat_map(Expression::descendants);
            parts.filter_map(Expression::local).any(is_lifted)
        };
        if let Some(parameter) = later.iter().find(depends) {
            (self.lifted, self.stepped) = (None, None);
            self.apart = Some(Unlifted { why: Why::Value, span: parameter.domain.span() });
        }
    }
}

impl<'r> Compiler<'r> {
    /// Returns the parameter to lift over and, if it is a path away, the next one; and else why
    /// not.
    pub(super) fn lifted_sites(
        &mut self,
        parameters: &'r [Parameter],
        sites: &[usize],
        scope: &Scope<'r>,
    ) -> Compiled<(Option<usize>, Option<usize>, Option<Unlifted>)> {
        if let &[.., from, to] = sites
            && from + 1 == to
            && !parameters[to].alike
        {
            return Ok(match self.path_failure(parameters, from, to, scope)? {
                None => (Some(from), Some(to), None),
                apart => (Some(to), None, apart),
            });
        }
        Ok((sites.last().copied(), None, None))
    }

    /// Returns, by parameter, the sites that are fixed one by one: the sites of a small region that
    /// is known before play, if another site is left to lift over.
    pub(super) fn site_cases(&mut self, rule: &'r MoveRule) -> Compiled<Vec<Option<Vec<Site>>>> {
        let mut cases = vec![None; rule.parameters.len()];
        let (mut open, mut copies) = (0, 1);
        for (index, parameter) in rule.parameters.iter().enumerate() {
            match &parameter.domain {
                Domain::Sites(domain) => {
                    // Sites that are chosen together are chosen in the order of the sites.
                    let next = rule.parameters.get(index + 1);
                    if !parameter.alike && !next.is_some_and(|next| next.alike) {
                        cases[index] = self.known_sites(domain);
                    }
                    open += 1;
                }
                Domain::Directions(directions) => {
                    copies *= match &directions.node {
                        Directions::Fixed(all) => all.len(),
                        Directions::List(all) => all.len(),
                        _ => self.board.all().len(),
                    }
                }
                Domain::Pieces(pieces, _) => copies *= pieces.len(),
                Domain::Numbers { least, most, .. } => {
                    copies *= (i64::from(*most) - i64::from(*least)).clamp(0, 1 << 16) as usize + 1
                }
                Domain::Players(_) | Domain::Team(..) | Domain::Groups { .. } => {}
            }
            copies = copies.min(1 << 16);
        }
        for case in &mut cases {
            let Some(sites) = case else { continue };
            if open == 1 || copies * sites.len() > MAX_COPIES {
                *case = None;
                continue;
            }
            copies *= sites.len();
            open -= 1;
        }
        Ok(cases)
    }

    /// Returns the sites of a region that is known before play, if they are few.
    pub(super) fn known_sites(&mut self, region: &'r Spanned<Sites>) -> Option<Vec<Site>> {
        let sites = self.board_sites(region, &Scope::default())?;
        (1..=MAX_SITE_CASES).contains(&sites.len()).then_some(sites)
    }
}
