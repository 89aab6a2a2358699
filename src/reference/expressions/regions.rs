//! Regions, evaluated literally, site by site.

use super::super::passages;
use super::super::position::is_cut_out;
use super::super::values::{Region, Value};
use super::View;
use crate::board::{Direction, Site};
use crate::engine::snapshot::MemoryValue;
use crate::language::rules::{
    PieceId, PieceOf, PlayerId, Sites, Spanned, Value as Expression, Whose,
};

impl<'a> View<'a> {
    /// Evaluates a region.
    pub fn sites(&self, sites: &Sites) -> Region {
        self.fuel.spend(1 + self.board().slots() as u64 / 16);
        let board = self.board();
        let snapshot = self.snapshot;
        match sites {
            Sites::Everywhere => Region::of(board, |site| !is_cut_out(snapshot, site)),
            Sites::Nowhere => Region::none(board),
            Sites::Empty => Region::of(board, |site| {
                !is_cut_out(snapshot, site) && snapshot.pieces[site.index()].is_none()
            }),
            Sites::CutOut => Region::of(board, |site| is_cut_out(snapshot, site)),
            Sites::Pieces { kinds, whose } => self.pieces(kinds, whose),
            Sites::Memory { memory, player, direction } => {
                let player = player.as_ref().map(|player| self.player(&player.node));
                let asked = direction.as_ref().map(|direction| self.direction(&direction.node));
                match asked {
                    Some(None) => Region::none(board),
                    Some(Some(direction))
                        if !self.rules.memories[memory.index()]
                            .per_direction
                            .contains(&direction) =>
                    {
                        Region::none(board)
                    }
                    _ => match self.memory_value(*memory, player, asked.flatten().into()) {
                        MemoryValue::Sites(sites) => Region::listed(board, sites),
                        other => unreachable!("expected sites, found {other:?}"),
                    },
                }
            }
            Sites::Literal(sites) => Region::listed(board, sites),
            Sites::One(site) => Region::listed(board, self.site(&site.node).as_slice()),
            Sites::Beside(sites, directions) => {
                let (sites, directions) =
                    (self.sites(&sites.node), self.directions(&directions.node));
                let mut beside = Region::none(board);
                for site in sites.list() {
                    for &direction in &directions {
                        for neighbour in passages::next(board, site, direction) {
                            beside.insert(neighbour.site);
                        }
                    }
                }
                beside
            }
            Sites::Group { of, within, directions } => {
                let (of, within, directions) = (
                    self.sites(&of.node),
                    self.sites(&within.node),
                    self.directions(&directions.node),
                );
                let mut group = Region::none(board);
                let mut to_visit: Vec<Site> = of.list();
                while let Some(site) = to_visit.pop() {
                    if within.contains(site) && !group.contains(site) {
                        self.fuel.spend(directions.len() as u64 / 4);
                        group.insert(site);
                        let next = |&direction| passages::next(board, site, direction);
                        to_visit.extend(directions.iter().flat_map(next).map(|next| next.site));
                    }
                }
                group
            }
            Sites::Lines { number, region, directions } => {
                let region = self.sites(&region.node);
                let directions = self.directions(&directions.node);
                // The sites of the region that follow a site in a direction, each once even on a
                // cycle.
                let follow = |site: Site, direction: Direction| {
                    let mut sites = Region::none(board);
                    let mut next = board.step(site, direction);
                    while let Some(site) =
                        next.filter(|&site| region.contains(site) && !sites.contains(site))
                    {
                        sites.insert(site);
                        next = board.step(site, direction);
                    }
                    sites
                };
                // The fuel for the regions of a line.
                let steps = 1 + board.slots() as u64 / 128;
                Region::of(board, |site| {
                    region.contains(site)
                        && directions.iter().any(|&direction| {
                            self.fuel.spend(steps);
                            let mut line = follow(site, direction);
                            follow(site, direction.opposite())
                                .list()
                                .into_iter()
                                .chain([site])
                                .for_each(|site| line.insert(site));
                            line.list().len() >= *number
                        })
                })
            }
            Sites::Walk { from, directions, through } => {
                let (from, directions, through) = (
                    self.site(&from.node),
                    self.directions(&directions.node),
                    self.sites(&through.node),
                );
                let mut passed = Region::none(board);
                for direction in directions {
                    let starts = from.map_or(Vec::new(), |it| passages::next(board, it, direction));
                    for start in starts {
                        let mut next = Some(start);
                        // The line may be a cycle, which is walked once for each direction.
                        let mut passed_here = Vec::new();
                        while let Some(passage) = next.filter(|next| {
                            through.contains(next.site) && !passed_here.contains(next)
                        }) {
                            passed_here.push(passage);
                            passed.insert(passage.site);
                            next = passages::after(board, passage, direction);
                        }
                    }
                }
                passed
            }
            Sites::Slide { from, directions } => {
                let mut reached = Region::none(board);
                let from = self.site(&from.node);
                for direction in self.directions(&directions.node) {
                    let starts = from.map_or(Vec::new(), |it| passages::next(board, it, direction));
                    for start in starts {
                        let mut next = Some(start);
                        let mut passed = Vec::new();
                        while let Some(passage) = next.filter(|next| !passed.contains(next)) {
                            let site = passage.site;
                            if is_cut_out(snapshot, site) {
                                break;
                            }
                            reached.insert(site);
                            if snapshot.pieces[site.index()].is_some() {
                                break;
                            }
                            passed.push(passage);
                            next = passages::after(board, passage, direction);
                        }
                    }
                }
                reached
            }
            Sites::Between(from, to) => {
                let (Some(from), Some(to)) = (self.site(&from.node), self.site(&to.node)) else {
                    return Region::none(board);
                };
                // On a wrapped board several lines may join the sites. The first of the shortest
                // lines counts.
                let mut shortest: Option<Region> = None;
                for direction in board.straight().filter(|_| from != to) {
                    let mut passed = Region::none(board);
                    let mut next = board.step(from, direction);
                    while let Some(site) = next.filter(|&site| site != to && !passed.contains(site))
                    {
                        passed.insert(site);
                        next = board.step(site, direction);
                    }
                    if next == Some(to)
                        && shortest
                            .as_ref()
                            .is_none_or(|known| passed.list().len() < known.list().len())
                    {
                        shortest = Some(passed);
                    }
                }
                shortest.unwrap_or_else(|| Region::none(board))
            }
            Sites::When(condition, region) => {
                if self.condition(&condition.node) {
                    self.sites(&region.node)
                } else {
                    Region::none(board)
                }
            }
            Sites::Union(binder, region) => {
                let mut all = Region::none(board);
                for value in self.domain(&binder.domain) {
                    self.with(binder.variable, value)
                        .sites(&region.node)
                        .list()
                        .into_iter()
                        .for_each(|site| all.insert(site));
                }
                all
            }
            Sites::Reach(binder, step) => {
                let mut reached = Region::none(board);
                let mut left = self.domain(&binder.domain);
                while let Some(value) = left.pop() {
                    let Value::Site(Some(site)) = value else {
                        unreachable!("expected a site, found {value:?}")
                    };
                    if reached.contains(site) {
                        continue;
                    }
                    reached.insert(site);
                    let next = self.with(binder.variable, value).sites(&step.node).list();
                    left.extend(next.into_iter().map(|site| Value::Site(Some(site))));
                }
                reached
            }
            Sites::And(regions) => {
                let regions: Vec<Region> =
                    regions.iter().map(|region| self.sites(&region.node)).collect();
                Region::of(board, |site| regions.iter().all(|region| region.contains(site)))
            }
            Sites::Or(regions) => {
                let regions: Vec<Region> =
                    regions.iter().map(|region| self.sites(&region.node)).collect();
                Region::of(board, |site| regions.iter().any(|region| region.contains(site)))
            }
            Sites::Not(region) => {
                let region = self.sites(&region.node);
                Region::of(board, |site| !region.contains(site))
            }
            Sites::Where(binder, condition) => {
                let mut found = Region::none(board);
                for value in self.domain(&binder.domain) {
                    let Value::Site(Some(site)) = value else {
                        unreachable!("expected a site, found {value:?}")
                    };
                    if self.with(binder.variable, value).condition(&condition.node) {
                        found.insert(site);
                    }
                }
                found
            }
            Sites::ByPlayer(player, regions) => {
                self.sites(&regions[self.player(&player.node).index()].node)
            }
            Sites::Local(local) => match self.variables.get(*local) {
                Value::Sites(region) => region.clone(),
                other => unreachable!("expected sites, found {other:?}"),
            },
            Sites::Call(definition, arguments) => match self.call(*definition, arguments) {
                (view, Expression::Sites(body)) => view.sites(&body.node),
                (_, other) => unreachable!("expected sites, found {other:?}"),
            },
        }
    }

    pub(super) fn pieces(&self, kinds: &[Spanned<PieceOf>], whose: &Whose) -> Region {
        let every = kinds.is_empty();
        let kinds: Vec<PieceId> = kinds.iter().filter_map(|kind| self.piece(&kind.node)).collect();
        let fits: Box<dyn Fn(Option<PlayerId>) -> bool> = match whose {
            Whose::Anyones => Box::new(|_| true),
            Whose::Players(player) => {
                let player = self.player(&player.node);
                Box::new(move |owner| owner == Some(player))
            }
            Whose::Others(player) => {
                let teams = self.rules.teams;
                let team = teams.of(self.player(&player.node));
                Box::new(move |owner| owner.is_some_and(|owner| teams.of(owner) != team))
            }
        };
        Region::of(self.board(), |site| {
            self.snapshot.pieces[site.index()].is_some_and(|occupant| {
                (every || kinds.contains(&occupant.piece)) && fits(occupant.owner)
            })
        })
    }
}
