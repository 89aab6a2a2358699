//! Evaluates regions, directions and players that are the same in every position, and returns
//! `None` for all others.

use super::scope::{Meaning, Resolved, Scope, resolve};
use crate::board::{Direction, Site};
use crate::language::rules::{
    Condition, DirectionOf, Directions, Domain, PlayerOf, Rules, SiteOf, Sites, Spanned,
};
use std::collections::BTreeSet;

type SiteSet = BTreeSet<Site>;

/// The evaluator.
#[derive(Clone, Copy)]
pub struct Constants<'r> {
    pub rules: &'r Rules,
    /// Whether sites can be cut out in play.
    pub cuts: bool,
}

impl<'r> Constants<'r> {
    /// Returns the sites of a constant region.
    pub fn sites(self, sites: &'r Sites, scope: &Scope<'r>) -> Option<SiteSet> {
        let board = &self.rules.board;
        let Resolved::It(it, scope) = resolve(self.rules, sites, scope.clone())? else {
            return None;
        };
        let all = |regions: &'r [Spanned<Sites>]| {
            regions
                .iter()
                .map(|region| self.sites(&region.node, &scope))
                .collect::<Option<Vec<SiteSet>>>()
        };
        Some(match it {
            Sites::Everywhere if !self.cuts => board.sites().collect(),
            Sites::Nowhere => SiteSet::new(),
            Sites::Literal(sites) => {
                sites.iter().copied().filter(|&site| board.contains(site)).collect()
            }
            Sites::One(site) => self.site(&site.node, &scope)?.into_iter().collect(),
            Sites::And(regions) => all(regions)?.into_iter().reduce(|one, other| &one & &other)?,
            Sites::Or(regions) => all(regions)?.into_iter().flatten().collect(),
            Sites::Not(region) => {
                let region = self.sites(&region.node, &scope)?;
                board.sites().filter(|site| !region.contains(site)).collect()
            }
            Sites::Beside(region, directions) => {
                let directions = self.directions(&directions.node, &scope)?;
                let region = self.sites(&region.node, &scope)?;
                region
                    .into_iter()
                    .flat_map(|site| {
                        directions.iter().filter_map(move |&direction| board.step(site, direction))
                    })
                    .collect()
            }
            Sites::ByPlayer(player, regions) => {
                self.sites(&regions[self.player(&player.node, &scope)?].node, &scope)?
            }
            Sites::Where(binder, condition) => {
                let Domain::Sites(domain) = &binder.domain else { return None };
                let mut found = SiteSet::new();
                for site in self.sites(&domain.node, &scope)? {
                    if self.condition(
                        &condition.node,
                        &scope.with(binder.variable, Meaning::Site(site)),
                    )? {
                        found.insert(site);
                    }
                }
                found
            }
            Sites::Everywhere
            | Sites::Empty
            | Sites::CutOut
            | Sites::Pieces { .. }
            | Sites::Memory { .. }
            | Sites::Group { .. }
            | Sites::Lines { .. }
            | Sites::Walk { .. }
            | Sites::Slide { .. }
            | Sites::Between(..)
            | Sites::When(..)
            | Sites::Union(..)
            | Sites::Reach(..)
            | Sites::Local(_)
            | Sites::Call(..) => return None,
        })
    }

    /// Returns the truth of a constant condition.
    fn condition(self, condition: &'r Condition, scope: &Scope<'r>) -> Option<bool> {
        let Resolved::It(it, scope) = resolve(self.rules, condition, scope.clone())? else {
            return None;
        };
        let all = |conditions: &'r [Spanned<Condition>]| {
            conditions
                .iter()
                .map(|condition| self.condition(&condition.node, &scope))
                .collect::<Option<Vec<bool>>>()
        };
        Some(match it {
            Condition::Constant(truth) => *truth,
            Condition::And(conditions) => all(conditions)?.into_iter().all(|truth| truth),
            Condition::Or(conditions) => all(conditions)?.into_iter().any(|truth| truth),
            Condition::Not(condition) => !self.condition(&condition.node, &scope)?,
            Condition::Any(sites) => !self.sites(&sites.node, &scope)?.is_empty(),
            Condition::None(sites) => self.sites(&sites.node, &scope)?.is_empty(),
            Condition::In(site, sites) => {
                let sites = self.sites(&sites.node, &scope)?;
                self.site(&site.node, &scope)?.is_some_and(|site| sites.contains(&site))
            }
            Condition::Exists(..)
            | Condition::Every(..)
            | Condition::Compare(..)
            | Condition::SamePlayer(..)
            | Condition::Connected(..)
            | Condition::Can(..)
            | Condition::SameSite(..)
            | Condition::SameDirection(..)
            | Condition::SameKind(..)
            | Condition::ByPlayer(..)
            | Condition::Local(_)
            | Condition::Memory { .. }
            | Condition::Call(..) => return None,
        })
    }

    /// Returns a constant site; the inner `None` is "nowhere".
    fn site(self, site: &'r SiteOf, scope: &Scope<'r>) -> Option<Option<Site>> {
        Some(match resolve(self.rules, site, scope.clone())? {
            Resolved::Site(site) => Some(site),
            Resolved::It(SiteOf::Literal(site), _) => Some(*site),
            Resolved::It(SiteOf::Nowhere, _) => None,
            Resolved::It(SiteOf::Step(from, direction, number), scope) => {
                let direction = self.direction(&direction.node, &scope)?;
                self.site(&from.node, &scope)?.and_then(|from| {
                    (0..*number).try_fold(from, |site, _| self.rules.board.step(site, direction))
                })
            }
            _ => return None,
        })
    }

    fn direction(self, direction: &'r DirectionOf, scope: &Scope<'r>) -> Option<Direction> {
        match resolve(self.rules, direction, scope.clone())? {
            Resolved::It(DirectionOf::Fixed(direction), _) => Some(*direction),
            Resolved::It(DirectionOf::Turned(direction, steps), scope) => {
                let direction = self.direction(&direction.node, &scope)?;
                self.rules.board.turned(direction, i32::from(*steps))
            }
            Resolved::It(DirectionOf::ByPlayer(player, directions), scope) => {
                self.direction(&directions[self.player(&player.node, &scope)?].node, &scope)
            }
            _ => None,
        }
    }

    /// Returns constant directions.
    pub fn directions(
        self,
        directions: &'r Directions,
        scope: &Scope<'r>,
    ) -> Option<Vec<Direction>> {
        match resolve(self.rules, directions, scope.clone())? {
            Resolved::It(Directions::Fixed(directions), _) => Some(directions.clone()),
            Resolved::It(Directions::One(direction), scope) => {
                Some(vec![self.direction(&direction.node, &scope)?])
            }
            Resolved::It(Directions::List(directions), scope) => {
                directions.iter().map(|direction| self.direction(&direction.node, &scope)).collect()
            }
            Resolved::It(Directions::ByPlayer(player, directions), scope) => {
                self.directions(&directions[self.player(&player.node, &scope)?].node, &scope)
            }
            _ => None,
        }
    }

    /// Returns the index of a constant player.
    pub fn player(self, player: &'r PlayerOf, scope: &Scope<'r>) -> Option<usize> {
        match resolve(self.rules, player, scope.clone())? {
            Resolved::It(PlayerOf::Fixed(player), _) => Some(player.index()),
            Resolved::It(PlayerOf::Next(player), scope) if self.rules.drop_outs.is_none() => {
                Some((self.player(&player.node, &scope)? + 1) % self.rules.players.len())
            }
            _ => None,
        }
    }
}
