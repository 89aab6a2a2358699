//! Makes terms from typed rules: definitions, variables, players, directions and kinds are
//! resolved.
//!
//! There is one thing to lower: that a site is in a region. A region is the condition that a
//! further column, its member, is in it; *some site of it* eliminates that column.
//!
//! A part that depends on no column is computed by [`Compiler::region`] and is a leaf. *Nowhere* is
//! in no region: a site that may be nowhere is a partial map from its column.

use super::super::calls::unevaluated;
use super::super::directions::{DirectionCase, Guard, known};
use super::super::layout::Home;
use super::super::plan::{Unlifted, Why};
use super::super::values::{Binding, DirectionOperand, PlayerOperand, Scope, SiteOperand};
use super::super::{Compiled, Compiler, Stop};
use super::{Lowered, Members, RelationId, SetId, SiteTerm, Stuck};
use crate::board::Direction;
use crate::compile::assembler::Set;
use crate::language::rules::{Domain, Local, SiteOf, Sites, Spanned, Value};
use crate::language::visit::Expression;
use crate::syntax::Span;

impl<'r> Compiler<'r> {
    /// Lowers a site.
    pub(in crate::compile) fn lower_site(
        &mut self,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<SiteTerm> {
        self.at(site.span, |c| c.lower_site_within(site, scope))
    }

    fn lower_site_within(
        &mut self,
        site: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<SiteTerm> {
        if self.is_closed(Expression::Site(site), scope) {
            return self.site_operand(site, scope).map(SiteTerm::At);
        }
        match &site.node {
            SiteOf::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Site(SiteOperand::Lifted { lift, path })) => {
                    Ok(SiteTerm::Path(lift, path))
                }
                binding => {
                    let (site, scope) = unevaluated(binding)?;
                    self.lower_site(site, &scope)
                }
            },
            SiteOf::Step(from, direction, number) => {
                let from = self.lower_site(from, scope)?;
                let number = usize::from(*number);
                match (from, self.direction_operand(direction, scope)?) {
                    (SiteTerm::Path(column, mut path), DirectionOperand::Fixed(way)) => {
                        path.extend(vec![way; number]);
                        Ok(SiteTerm::Path(column, path))
                    }
                    (from, way) => self.moved(from, way, |c, mask| {
                        let step = c.terms.step(mask);
                        (1..number).fold(step, |steps, _| c.terms.then(step, steps))
                    }),
                }
            }
            SiteOf::First { from, direction, stops } => {
                let from = self.lower_site(from, scope)?;
                if !self.is_closed(Expression::Sites(stops), scope) {
                    return Err(self.blame(site.span, Why::Site));
                }
                let stops = self.closed_set(stops, scope)?;
                // A walk passes sites that are not stops, and ends at the first stop.
                let through = self.terms.complement(stops);
                let way = self.direction_operand(direction, scope)?;
                self.moved(from, way, |c, mask| {
                    let ray = c.terms.ray(mask, through);
                    let stops = c.terms.test(stops);
                    c.terms.then(ray, stops)
                })
            }
            SiteOf::If(condition, then, otherwise) => {
                if let Some(holds) = self.settled(condition, scope) {
                    return self.lower_site(if holds { then } else { otherwise }, scope);
                }
                let holds = self.lower_condition(condition, scope)?;
                let fails = self.negated(holds.clone())?;
                let mut branches = Vec::new();
                for (branch, when) in [(then, holds), (otherwise, fails)] {
                    branches.push((self.lower_site(branch, scope)?, when));
                }
                self.joined(site.span, branches)
            }
            SiteOf::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => self.lower_site(&branches[player.index()], scope),
                PlayerOperand::In(who) => {
                    let mut cases = Vec::new();
                    for (player, branch) in (0..).zip(branches) {
                        let chosen = vec![(player, Lowered::gate(SetId::BOARD))];
                        let chosen = self.selected(who, chosen)?;
                        cases.push((self.lower_site(branch, scope)?, chosen));
                    }
                    self.joined(site.span, cases)
                }
            },
            SiteOf::Memory { memory, site: Some(index), .. } => {
                let Home::Field { first, bits } = self.layout.home(*memory) else {
                    return Err(self.blame(site.span, Why::Site));
                };
                let SiteTerm::Path(column, path) = self.lower_site(index, scope)? else {
                    return Err(self.blame(site.span, Why::Site));
                };
                let planes = (first..first + bits).map(|plane| self.known_set(Set(plane)));
                let planes = planes.collect();
                let (path, stored) = (self.terms.path(&path), self.terms.stored(planes));
                Ok(SiteTerm::Map(column, self.terms.then(path, stored)))
            }
            SiteOf::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lower_site(body, &scope)
            }
            _ => match self.site_operand(site, scope) {
                Ok(SiteOperand::Lifted { lift, path }) => Ok(SiteTerm::Path(lift, path)),
                Ok(place) => Ok(SiteTerm::At(place)),
                Err(Stop::NotLiftable(_)) => Err(self.blame(site.span, Why::Site)),
                Err(stop) => Err(stop),
            },
        }
    }

    /// Returns where a relation leads to from a site in a direction.
    fn moved(
        &mut self,
        from: SiteTerm,
        way: DirectionOperand,
        relation: impl Fn(&mut Self, u16) -> RelationId,
    ) -> Compiled<SiteTerm> {
        let moves = match way {
            DirectionOperand::Nowhere => return Ok(SiteTerm::At(SiteOperand::Nowhere)),
            DirectionOperand::Fixed(way) => relation(self, 1 << way.index()),
            DirectionOperand::In(register) => {
                let case = |direction: Direction| DirectionCase {
                    direction,
                    guard: Guard::equal(register, direction.index() as i32),
                };
                let ways = self.board.ways_of_grid();
                let cases: Vec<_> = ways.map(case).collect();
                self.along_cases(&cases, relation)
            }
        };
        match self.by_column(&from)? {
            (Some((column, map)), _) => Ok(SiteTerm::Map(column, self.terms.then(map, moves))),
            // The direction depends on a column.
            (None, _) => Err(Stop::NotLiftable(Why::Direction)),
        }
    }

    /// Returns the site of the only branch that applies.
    fn joined(&mut self, span: Span, branches: Vec<(SiteTerm, Lowered)>) -> Compiled<SiteTerm> {
        let mut joined = None;
        let column = branches.iter().find_map(|(site, when)| match site {
            SiteTerm::Path(column, _) | SiteTerm::Map(column, _) => Some(*column),
            SiteTerm::At(_) => when.columns().first().copied(),
        });
        let column = column.ok_or_else(|| self.blame(span, Why::Site))?;
        for (site, when) in branches {
            let when = self.set_of(when, column)?;
            let map = match self.by_column(&site)? {
                (None, single) => self.terms.product(SetId::BOARD, single),
                (Some((other, map)), _) if other == column => map,
                _ => return Err(self.blame(span, Why::TwoSites)),
            };
            let map = self.terms.restricted(when, map, SetId::BOARD);
            joined = Some(match joined {
                None => map,
                Some(joined) => self.terms.union(joined, map),
            });
        }
        Ok(SiteTerm::Map(column, joined.unwrap_or(RelationId::NONE)))
    }

    /// Returns that a site is in a region. If any site is meant and the region depends on one
    /// column, a region without an operation on sets becomes a loop over the sites of that column.
    pub(in crate::compile) fn lower_in(
        &mut self,
        site: &SiteTerm,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        self.work(region.span)?;
        let columns = self.columns(Expression::Sites(region), scope);
        if columns.is_empty() {
            let set = self.closed_set(region, scope)?;
            return self.in_set(site, set);
        }
        match (site, &columns[..]) {
            (SiteTerm::Path(member, path), &[column]) if *member == column => {
                let known =
                    self.over_column(column, |c| Ok(c.board_members(path, region, scope)))?;
                if let Some(known) = known {
                    return Ok(Lowered::on(column, self.known_set(known)));
                }
            }
            (SiteTerm::Path(member, path), &[column]) if path.is_empty() => {
                let around = self.open_kind.take();
                let lowered = self.attempt(|c| c.lower_in_within(site, region, scope))?;
                if let Some(lowered) = lowered {
                    self.open_kind = around;
                    return Ok(lowered);
                }
                let Unlifted { why, span } = self.unlifted;
                if self.open_kind.is_some() {
                    return Err(self.blame(span, why));
                }
                self.open_kind = around;
                let why = Stuck { why, span: Some(span) };
                let by_site = self.loop_from(column, region, scope.clone(), why);
                return Ok(self.pair(column, *member, by_site));
            }
            _ => {}
        }
        self.lower_in_within(site, region, scope)
    }

    /// Returns the sites of a region that depends on no column.
    pub(in crate::compile) fn lower_members(
        &mut self,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<SetId> {
        let member = self.fresh_column();
        let place = SiteTerm::Path(member, Vec::new());
        let lowered = self.lower_in_within(&place, region, scope)?;
        self.set_of(lowered, member)
    }

    fn lower_in_within(
        &mut self,
        site: &SiteTerm,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        self.last = region.span;
        match &region.node {
            Sites::And(parts) => self.lower_all_of(parts, |c, part| c.lower_in(site, part, scope)),
            Sites::Or(parts) => self.lower_any_of(parts, |c, part| c.lower_in(site, part, scope)),
            Sites::Not(rest) => {
                // The complement has no site that is nowhere.
                let there = self.in_set(site, SetId::BOARD)?;
                let inside = self.lower_in(site, rest, scope)?;
                let outside = self.negated(inside)?;
                Ok(self.both(there, outside))
            }
            Sites::Where(binder, condition) if !matches!(site, SiteTerm::Map(..)) => {
                let Domain::Sites(domain) = &binder.domain else {
                    return Err(Stop::NotLiftable(Why::Value));
                };
                let bound = match site {
                    SiteTerm::At(place) => place.clone(),
                    SiteTerm::Path(column, path) => {
                        SiteOperand::Lifted { lift: *column, path: path.clone() }
                    }
                    SiteTerm::Map(..) => return Err(self.blame(region.span, Why::Site)),
                };
                let there = self.lower_in(site, domain, scope)?;
                let scope = scope.with(binder.variable, Binding::Site(bound));
                let holds = self.lower_condition(condition, &scope)?;
                Ok(self.both(there, holds))
            }
            Sites::When(condition, region) => {
                let holds = self.lower_condition(condition, scope)?;
                let inside = self.lower_in(site, region, scope)?;
                Ok(self.both(holds, inside))
            }
            Sites::Union(binder, region) => match &binder.domain {
                Domain::Sites(domain) => {
                    if self.is_closed(Expression::Sites(region), scope) {
                        let parts = self.relation_with_image(binder.variable, region, scope)?;
                        return self.led_to(domain, parts, site, scope);
                    }
                    let (column, inner) = self.column(binder.variable, scope);
                    let place = SiteTerm::Path(column, Vec::new());
                    let among = self.lower_in(&place, domain, scope)?;
                    let inside = self.lower_in(site, region, &inner)?;
                    let both = self.both(among, inside);
                    self.some(column, both)
                }
                domain => {
                    let mut any = Lowered::gate(SetId::NONE);
                    for (guard, scope) in self.cases(binder.variable, domain, scope)? {
                        let part = self.lower_in(site, region, &scope)?;
                        let part = self.under_guard(&guard, part)?;
                        any = self.either(any, part)?;
                    }
                    Ok(any)
                }
            },
            Sites::ByPlayer(player, branches) => {
                self.lower_by_player(player, branches, scope, |c, branch| {
                    c.lower_in(site, branch, scope)
                })
            }
            Sites::Local(local) => match self.bound(*local, scope) {
                Some(Binding::Unevaluated(Value::Site(place), scope)) => {
                    let place = self.lower_site(place, &scope)?;
                    self.related(&place, RelationId::SAME, site)
                }
                binding => {
                    let (region, scope) = unevaluated(binding)?;
                    self.lower_in(site, region, &scope)
                }
            },
            Sites::Call(definition, arguments) => {
                let (body, scope) = self.open_call(*definition, arguments, scope)?;
                self.lower_in(site, body, &scope)
            }
            _ if matches!(site, SiteTerm::Map(..)) => {
                // Two columns: the one that the site depends on, and the site.
                let column = self.fresh_column();
                let member = SiteTerm::Path(column, Vec::new());
                let same = self.related(site, RelationId::SAME, &member)?;
                let inside = self.lower_in(&member, region, scope)?;
                let both = self.both(same, inside);
                self.some(column, both)
            }
            Sites::One(place) => {
                let place = self.lower_site(place, scope)?;
                self.related(&place, RelationId::SAME, site)
            }
            Sites::Beside(of, directions) => {
                let cases = self.direction_cases(directions, scope)?;
                let steps = self.along_cases(&cases, |c, mask| c.terms.step_on(mask));
                self.led_to(of, steps, site, scope)
            }
            Sites::Group { of, within, directions } => {
                if !self.is_closed(Expression::Sites(within), scope) {
                    return Err(self.blame(region.span, Why::Group));
                }
                let within = self.closed_set(within, scope)?;
                let cases = self.direction_cases(directions, scope)?;
                let group = self.group(&cases, within);
                self.terms.note(group, region.span);
                self.led_to(of, group, site, scope)
            }
            Sites::Walk { from, directions, through } => {
                if !self.is_closed(Expression::Sites(through), scope) {
                    return Err(self.blame(region.span, Why::Line));
                }
                let from = self.lower_site(from, scope)?;
                let through = self.closed_set(through, scope)?;
                let cases = self.direction_cases(directions, scope)?;
                let walk = self.along_cases(&cases, |c, mask| {
                    let ray = c.terms.ray_on(mask, through);
                    c.terms.note(ray, region.span);
                    c.terms.restricted(SetId::BOARD, ray, through)
                });
                self.related(&from, walk, site)
            }
            Sites::Slide { from, directions } => {
                let from = self.lower_site(from, scope)?;
                // A site that was cut out stops the slide.
                let (empty, board) = (self.empty(), self.asm.board());
                let ends = self.not_cut(board);
                let (empty, ends) = (self.known_set(empty), self.known_set(ends));
                let cases = self.direction_cases(directions, scope)?;
                let slide = self.along_cases(&cases, |c, mask| {
                    let ray = c.terms.ray_on(mask, empty);
                    c.terms.note(ray, region.span);
                    c.terms.restricted(SetId::BOARD, ray, ends)
                });
                self.related(&from, slide, site)
            }
            Sites::Reach(binder, step) => {
                let Domain::Sites(of) = &binder.domain else {
                    return Err(Stop::NotLiftable(Why::Value));
                };
                let step = match self.is_closed(Expression::Sites(step), scope) {
                    true => self.relation_with_image(binder.variable, step, scope)?,
                    false => self.region_relation(binder.variable, step, scope)?,
                };
                let steps = self.terms.star(step);
                self.led_to(of, steps, site, scope)
            }
            _ => {
                let set = self.closed_set(region, scope)?;
                self.in_set(site, set)
            }
        }
    }

    /// Returns the union of relations in directions: of those that are known at once, and each of
    /// the others where its guard holds.
    fn along_cases(
        &mut self,
        cases: &[DirectionCase],
        relation: impl Fn(&mut Self, u16) -> RelationId,
    ) -> RelationId {
        let known = cases.iter().filter(|case| case.guard.is_empty());
        let known = known.fold(0, |mask, case| mask | 1 << case.direction.index());
        let mut all = relation(self, known);
        for case in cases.iter().filter(|case| !case.guard.is_empty()) {
            let one = relation(self, 1 << case.direction.index());
            let guard = self.guard_term(&case.guard);
            let one = self.terms.relation_under(guard, one);
            all = self.terms.union(all, one);
        }
        all
    }

    /// Returns what is connected within a set by steps in directions.
    fn group(&mut self, cases: &[DirectionCase], within: SetId) -> RelationId {
        if let Some(ways) = known(cases).filter(|ways| !self.terms.returns(ways)) {
            return self.terms.flood(Self::mask(&ways), within);
        }
        let steps = self.along_cases(cases, |c, mask| c.terms.step_on(mask));
        let steps = self.terms.restricted(SetId::BOARD, steps, within);
        let steps = self.terms.star(steps);
        self.terms.restricted(within, steps, SetId::BOARD)
    }

    /// Returns the sites that are connected with a site of the first set within the second one.
    pub(in crate::compile) fn group_of(
        &mut self,
        of: Set,
        within: Set,
        cases: &[DirectionCase],
    ) -> Compiled<Set> {
        let (of, within) = (self.known_set(of), self.known_set(within));
        let group = self.group(cases, within);
        let group = self.terms.image(group, of).map_err(|stuck| self.stuck(stuck))?;
        self.emit_set(group)
    }

    /// Returns that a relation leads from a site of a region to a site.
    fn led_to(
        &mut self,
        of: &'r Spanned<Sites>,
        relation: RelationId,
        site: &SiteTerm,
        scope: &Scope<'r>,
    ) -> Compiled<Lowered> {
        if let Sites::One(from) = &of.node {
            let from = self.lower_site(from, scope)?;
            return self.related(&from, relation, site);
        }
        let column = self.fresh_column();
        let place = SiteTerm::Path(column, Vec::new());
        let among = self.lower_in(&place, of, scope)?;
        let leads = self.related(&place, relation, site)?;
        let both = self.both(among, leads);
        self.some(column, both)
    }

    /// Returns the relation from each value of a variable to the sites of a region for it, which
    /// mentions no other column.
    pub(in crate::compile) fn region_relation(
        &mut self,
        variable: Local,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<RelationId> {
        let (from, scope) = self.column(variable, scope);
        let to = self.fresh_column();
        let lowered = self.lower_in(&SiteTerm::Path(to, Vec::new()), region, &scope)?;
        self.relation_of(&lowered, from, to)
    }

    /// Returns the sites of a region that may depend on a column.
    pub(in crate::compile) fn members(
        &mut self,
        column: u32,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<Members> {
        let to = self.fresh_column();
        let lowered = self.lower_in(&SiteTerm::Path(to, Vec::new()), region, scope)?;
        Ok(match lowered.columns()[..] {
            [only] if only == to => Members::Same(self.set_of(lowered, to)?),
            [] => Members::Same(lowered.gate),
            _ => Members::Of(self.relation_of(&lowered, column, to)?),
        })
    }

    /// Returns the relation from each value of a variable to the sites of a region for it. It has
    /// an image: what operations on sets do not compute is a loop.
    fn relation_with_image(
        &mut self,
        variable: Local,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
    ) -> Compiled<RelationId> {
        let stuck = match self.attempt(|c| c.region_relation(variable, region, scope))? {
            None => Stuck { why: self.unlifted.why, span: Some(self.unlifted.span) },
            Some(relation) => match self.terms.image(relation, SetId::BOARD) {
                Ok(_) => return Ok(relation),
                Err(stuck) => stuck,
            },
        };
        let (column, scope) = self.column(variable, scope);
        Ok(self.loop_from(column, region, scope, stuck))
    }

    fn loop_from(
        &mut self,
        column: u32,
        region: &'r Spanned<Sites>,
        scope: Scope<'r>,
        why: Stuck,
    ) -> RelationId {
        self.loops.push((column, region, scope));
        self.terms.loop_over(why)
    }
}
