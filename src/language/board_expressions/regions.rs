//! Evaluates regions.

use super::BoardValue;
use super::{Evaluator, SiteSet, Variables};
use crate::board::{Direction, Site};
use crate::language::rules::{Domain, Sites, Spanned, Value};

impl Evaluator<'_> {
    /// Evaluates a region.
    pub fn sites(&self, sites: &Sites, variables: &Variables) -> Option<SiteSet> {
        let board = self.board;
        self.spend(1 + board.slots() / 64)?;
        let of = |sites: &Spanned<Sites>| self.sites(&sites.node, variables);
        match sites {
            Sites::Everywhere if !self.cuts => Some(self.everywhere()),
            Sites::Nowhere => Some(self.listed([])),
            Sites::Literal(sites) => Some(self.listed(sites.iter().copied())),
            Sites::One(site) => Some(self.listed(self.site(&site.node, variables)?)),
            Sites::Beside(region, directions) => {
                let region = of(region)?;
                let directions = self.directions(&directions.node, variables)?;
                Some(self.beside(&region, &directions))
            }
            Sites::Group { of: seeds, within, directions } => {
                let (seeds, within) = (of(seeds)?, of(within)?);
                let directions = self.directions(&directions.node, variables)?;
                self.flood(seeds, &within, &directions)
            }
            Sites::Lines { number, region, directions } => {
                let region = of(region)?;
                let directions = self.directions(&directions.node, variables)?;
                self.spend(board.len() * directions.len())?;
                let is_in_line = |&site: &Site| {
                    directions.iter().any(|&direction| {
                        let mut line = self.listed([site]);
                        for way in [direction, direction.opposite()] {
                            let ahead = self.line(site, way);
                            let ahead = ahead.take_while(|&site| region.contains(site));
                            ahead.for_each(|site| line.insert(site));
                        }
                        line.len() >= *number
                    })
                };
                Some(self.listed(region.iter().filter(is_in_line)))
            }
            Sites::Walk { from, directions, through } => {
                let from = self.site(&from.node, variables)?;
                let directions = self.directions(&directions.node, variables)?;
                let through = of(through)?;
                let passed = |direction| {
                    let is_through = |place: &Site| through.contains(board.site_of(*place));
                    from.into_iter().flat_map(move |from| {
                        let starts = self.starts(from, direction).into_iter();
                        starts.flat_map(move |start| {
                            let line = self.line(start, direction);
                            line.take_while(is_through).map(|place| board.site_of(place))
                        })
                    })
                };
                self.spend(directions.len())?;
                Some(self.listed(directions.iter().copied().flat_map(passed)))
            }
            Sites::Between(from, to) => {
                let ends = (self.site(&from.node, variables)?, self.site(&to.node, variables)?);
                let (Some(from), Some(to)) = ends else { return Some(self.listed([])) };
                Some(self.between(from, to))
            }
            Sites::When(condition, region) => match self.condition(&condition.node, variables)? {
                true => of(region),
                false => Some(self.listed([])),
            },
            Sites::Union(binder, region) => {
                let mut all = self.listed([]);
                self.each(binder, variables, &mut |_, variables| {
                    let part = self.sites(&region.node, variables)?;
                    all = all.combined(&part, |one, other| one | other);
                    Some(true)
                })?;
                Some(all)
            }
            Sites::Reach(binder, step) => {
                let mut reached = self.listed([]);
                let mut left: Vec<Site> = Vec::new();
                self.each(binder, variables, &mut |value, _| match value {
                    BoardValue::Site(site) => {
                        left.extend(*site);
                        Some(true)
                    }
                    _ => None,
                })?;
                while let Some(site) = left.pop() {
                    if !reached.contains(site) {
                        reached.insert(site);
                        let here = BoardValue::Site(Some(site));
                        let around = Variables::With(binder.variable, &here, variables);
                        let next = self.sites(&step.node, &around)?;
                        left.extend(next.iter().filter(|&site| !reached.contains(site)));
                    }
                }
                Some(reached)
            }
            Sites::And(parts) => {
                let all = self.everywhere();
                parts.iter().try_fold(all, |all, part| Some(all.combined(&of(part)?, |a, b| a & b)))
            }
            Sites::Or(parts) => {
                let any = self.listed([]);
                parts.iter().try_fold(any, |any, part| Some(any.combined(&of(part)?, |a, b| a | b)))
            }
            Sites::Not(region) => Some(self.everywhere().combined(&of(region)?, |a, b| a & !b)),
            Sites::Where(binder, condition) if matches!(binder.domain, Domain::Sites(_)) => {
                let mut found = self.listed([]);
                self.each(binder, variables, &mut |value, variables| {
                    if let &BoardValue::Site(Some(site)) = value
                        && self.condition(&condition.node, variables)?
                    {
                        found.insert(site);
                    }
                    Some(true)
                })?;
                Some(found)
            }
            Sites::ByPlayer(player, regions) => {
                of(regions.get(self.player(&player.node, variables)?.index())?)
            }
            Sites::Local(local) => match variables.get(*local)? {
                BoardValue::Sites(sites) => Some(sites),
                BoardValue::Site(site) => Some(self.listed(site)),
                _ => None,
            },
            Sites::Call(definition, arguments) => {
                self.call(*definition, arguments, variables, &mut |body, variables| match body {
                    Value::Sites(body) => self.sites(&body.node, variables),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    /// Returns all sites of the board.
    fn everywhere(&self) -> SiteSet {
        self.listed(self.board.sites())
    }

    /// Returns the set of those listed sites that are on the board.
    fn listed(&self, sites: impl IntoIterator<Item = Site>) -> SiteSet {
        let mut set = SiteSet::none(self.board.slots());
        sites.into_iter().filter(|&site| self.board.contains(site)).for_each(|it| set.insert(it));
        set
    }

    /// Iterates over the sites in a direction from a site, each once where the line is a ring.
    pub(super) fn line(&self, from: Site, direction: Direction) -> impl Iterator<Item = Site> {
        let board = self.board;
        let step = move |&site: &Site| board.step(site, direction);
        let mut is_closed = false;
        std::iter::successors(step(&from), step)
            .take_while(move |&site| !std::mem::replace(&mut is_closed, site == from))
    }

    /// Lists where lines in a direction start from a site: there, or at its passages.
    fn starts(&self, site: Site, direction: Direction) -> Vec<Site> {
        match self.board.returns(direction) {
            true => self.board.passages(site).collect(),
            false => vec![site],
        }
    }

    /// Lists the sites one step from a site in any of the directions.
    fn next(&self, site: Site, directions: &[Direction]) -> impl Iterator<Item = Site> {
        directions.iter().flat_map(move |&direction| {
            let starts = self.starts(site, direction).into_iter();
            let next = starts.filter_map(move |start| self.board.step(start, direction));
            next.map(|place| self.board.site_of(place))
        })
    }

    fn beside(&self, region: &SiteSet, directions: &[Direction]) -> SiteSet {
        self.listed(region.iter().flat_map(|site| self.next(site, directions)))
    }

    /// Returns the sites within a region that steps inside it connect with the seeds in it.
    fn flood(&self, seeds: SiteSet, within: &SiteSet, directions: &[Direction]) -> Option<SiteSet> {
        let mut found = self.listed([]);
        let mut open: Vec<Site> = seeds.iter().collect();
        while let Some(site) = open.pop() {
            if within.contains(site) && !found.contains(site) {
                self.spend(1 + directions.len())?;
                found.insert(site);
                open.extend(self.next(site, directions));
            }
        }
        Some(found)
    }

    /// Returns the groups of a region, connected by steps both ways, by their lowest sites.
    pub(super) fn groups(
        &self,
        region: &SiteSet,
        directions: &[Direction],
    ) -> Option<Vec<SiteSet>> {
        let ways: Vec<Direction> =
            directions.iter().flat_map(|one| [*one, one.opposite()]).collect();
        let mut groups: Vec<SiteSet> = Vec::new();
        for start in region.iter() {
            if groups.iter().all(|group| !group.contains(start)) {
                groups.push(self.flood(self.listed([start]), region, &ways)?);
            }
        }
        Some(groups)
    }

    /// Returns the sites strictly between two sites; on a wrapped board, on the first of the
    /// shortest lines.
    fn between(&self, from: Site, to: Site) -> SiteSet {
        let lines = self.board.straight().filter_map(|direction| {
            let steps = self.line(from, direction).position(|site| site == to)?;
            Some((steps, direction))
        });
        match lines.filter(|_| from != to).min_by_key(|&(steps, _)| steps) {
            Some((steps, direction)) => self.listed(self.line(from, direction).take(steps)),
            None => self.listed([]),
        }
    }
}
