//! Columns: variables that stand for every site at once, and conditions on them.
//!
//! A condition on one column is a set, on two a relation, and a conjunction may have any number of
//! columns, so that a variable can be eliminated as long as it touches at most two others: `some y`
//! over C(x, y) and D(y, z) and U(y) is C;U?;D. What touches more is only known with one variable
//! fixed in a register, by a loop.

use super::super::assembler::Num;
use super::super::directions::Guard;
use super::super::plan::Why;
use super::super::values::{Binding, PlayerOperand, Scope, SiteOperand, key};
use super::super::{Compiled, Compiler, Stop};
use super::{GuardId, RelationId, SetId, Stuck, Terms};
use crate::board::Direction;
use crate::language::rules::{Local, PlayerOf, Spanned};
use crate::language::visit::Expression;
use std::rc::Rc;
use std::slice::from_ref;

/// A site.
#[derive(Clone, Debug)]
pub(in crate::compile) enum SiteTerm {
    /// It depends on no column.
    At(SiteOperand),
    /// The end of a path from a column.
    Path(u32, Vec<Direction>),
    /// The site to which a partial map leads from a column.
    Map(u32, RelationId),
}

/// A condition on columns: all of these hold.
#[derive(Clone, Debug)]
pub(in crate::compile) struct Lowered {
    /// All sites or none, for what depends on no column.
    pub(in crate::compile) gate: SetId,
    sets: Vec<(u32, SetId)>,
    /// The lower column comes first.
    pairs: Vec<(u32, u32, RelationId)>,
}

/// The sites of a region that may depend on a column.
pub(in crate::compile) enum Members {
    /// They are the same for all sites of the column.
    Same(SetId),
    /// Each site leads to its own.
    Of(RelationId),
}

impl Lowered {
    pub(in crate::compile) fn gate(gate: SetId) -> Lowered {
        Lowered { gate, sets: Vec::new(), pairs: Vec::new() }
    }

    /// Returns what holds for no site.
    pub(in crate::compile) fn never() -> Lowered {
        Lowered::gate(SetId::NONE)
    }

    /// Tests if it is known to hold for no site.
    pub(in crate::compile) fn is_never(&self) -> bool {
        self.gate == SetId::NONE
    }

    pub(in crate::compile) fn on(column: u32, set: SetId) -> Lowered {
        Lowered { sets: vec![(column, set)], ..Lowered::gate(SetId::BOARD) }
    }

    /// Returns the columns, in ascending order.
    pub(super) fn columns(&self) -> Vec<u32> {
        let pairs = self.pairs.iter().flat_map(|&(one, other, _)| [one, other]);
        let mut all: Vec<u32> = self.sets.iter().map(|(column, _)| *column).chain(pairs).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl<'r> Compiler<'r> {
    /// Returns the stop for what operations on sets cannot compute.
    pub(in crate::compile) fn stuck(&mut self, stuck: Stuck) -> Stop {
        match stuck.span {
            Some(span) => self.blame(span, stuck.why),
            None => Stop::NotLiftable(stuck.why),
        }
    }

    /// Returns a fresh column, and the scope in which the variable stands for it.
    pub(super) fn column(&mut self, variable: Local, scope: &Scope<'r>) -> (u32, Scope<'r>) {
        let column = self.fresh_column();
        let bound = SiteOperand::Lifted { lift: column, path: Vec::new() };
        (column, scope.with(variable, Binding::Site(bound)))
    }

    pub(super) fn fresh_column(&mut self) -> u32 {
        self.lifts += 1;
        self.lifts
    }

    /// Returns the columns that an expression mentions.
    pub(in crate::compile) fn columns(
        &self,
        expression: Expression<'r>,
        scope: &Scope<'r>,
    ) -> Vec<u32> {
        let mut columns = self.all_columns(expression, scope);
        columns.retain(|&column| self.fixed_column(column).is_none());
        columns
    }

    /// Returns the columns that an expression mentions, those included that loops have fixed.
    fn all_columns(&self, expression: Expression<'r>, scope: &Scope<'r>) -> Vec<u32> {
        let mut columns = Vec::new();
        for &local in &*self.mentioned(expression) {
            let Some(entry) = scope.entry(local) else { continue };
            let found = match &entry.binding {
                Binding::Site(SiteOperand::Lifted { lift, .. }) => from_ref(lift),
                Binding::Unevaluated(value, inner) => entry.columns.get_or_init(|| {
                    let value = value.expression();
                    value.map_or(Vec::new(), |value| self.all_columns(value, inner))
                }),
                _ => continue,
            };
            for column in found {
                if !columns.contains(column) {
                    columns.push(*column);
                }
            }
        }
        columns
    }

    /// Returns the variables that an expression mentions, those included that it binds.
    fn mentioned(&self, expression: Expression<'r>) -> Rc<[Local]> {
        if let Some(known) = self.mentioned.borrow().get(&key(expression)) {
            return known.clone();
        }
        let mut all: Vec<Local> = expression.local().into_iter().collect();
        for part in expression.parts() {
            for &local in &*self.mentioned(part) {
                if !all.contains(&local) {
                    all.push(local);
                }
            }
        }
        let all: Rc<[Local]> = all.into();
        self.mentioned.borrow_mut().insert(key(expression), all.clone());
        all
    }

    /// Tests if an expression mentions no column.
    pub(in crate::compile) fn is_closed(
        &self,
        expression: Expression<'r>,
        scope: &Scope<'r>,
    ) -> bool {
        self.columns(expression, scope).is_empty()
    }

    /// Returns the register of a column that a loop has fixed.
    pub(in crate::compile) fn fixed_column(&self, column: u32) -> Option<Num> {
        self.fixed.iter().find(|(fixed, _)| *fixed == column).map(|(_, site)| *site)
    }

    /// Compiles what is lifted over this column.
    pub(in crate::compile) fn over_column<T>(
        &mut self,
        column: u32,
        compile: impl FnOnce(&mut Self) -> Compiled<T>,
    ) -> Compiled<T> {
        let around = std::mem::replace(&mut self.context.lift, column);
        let compiled = compile(self);
        self.context.lift = around;
        compiled
    }

    /// Returns the set of the sites for which a condition on the column holds.
    pub(in crate::compile) fn set_of(&mut self, lowered: Lowered, column: u32) -> Compiled<SetId> {
        match &lowered.columns()[..] {
            [] => Ok(lowered.gate),
            [only] if *only == column => Ok(self.terms.and(lowered.gate, lowered.sets[0].1)),
            _ => Err(Stop::NotLiftable(Why::TwoSites)),
        }
    }

    /// Returns a condition on at most two columns as a relation from the first to the second.
    pub(super) fn relation_of(
        &mut self,
        lowered: &Lowered,
        from: u32,
        to: u32,
    ) -> Compiled<RelationId> {
        if lowered.columns().iter().any(|column| *column != from && *column != to) {
            return Err(Stop::NotLiftable(Why::TwoSites));
        }
        let on = |column| {
            let set = lowered.sets.iter().find(|(other, _)| *other == column);
            set.map_or(SetId::BOARD, |(_, set)| *set)
        };
        let relation = lowered.pairs.first().map_or(RelationId::ALL, |(_, _, pair)| *pair);
        let relation = if from < to { relation } else { self.terms.converse(relation) };
        let starts = self.terms.and(lowered.gate, on(from));
        Ok(self.terms.restricted(starts, relation, on(to)))
    }

    pub(in crate::compile) fn pair(&mut self, from: u32, to: u32, relation: RelationId) -> Lowered {
        let pair = match from < to {
            true => (from, to, relation),
            false => (to, from, self.terms.converse(relation)),
        };
        Lowered { pairs: vec![pair], ..Lowered::gate(SetId::BOARD) }
    }

    /// Returns that both hold.
    pub(in crate::compile) fn both(&mut self, mut one: Lowered, other: Lowered) -> Lowered {
        one.gate = self.terms.and(one.gate, other.gate);
        for (column, set) in other.sets {
            match one.sets.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known = self.terms.and(*known, set),
                None => one.sets.push((column, set)),
            }
        }
        for (from, to, pair) in other.pairs {
            match one.pairs.iter_mut().find(|known| (known.0, known.1) == (from, to)) {
                Some((.., known)) => *known = self.terms.both(*known, pair),
                None => one.pairs.push((from, to, pair)),
            }
        }
        one
    }

    /// Returns conditions on at most two columns in all, combined as sets or as relations.
    fn combined(
        &mut self,
        parts: Vec<Lowered>,
        sets: impl FnOnce(&mut Terms<'r>, Vec<SetId>) -> SetId,
        relations: impl FnOnce(&mut Terms<'r>, Vec<RelationId>) -> RelationId,
    ) -> Compiled<Lowered> {
        let mut columns: Vec<u32> = parts.iter().flat_map(Lowered::columns).collect();
        columns.sort_unstable();
        columns.dedup();
        match columns[..] {
            [] => {
                let gates = parts.iter().map(|part| part.gate).collect();
                Ok(Lowered::gate(sets(&mut self.terms, gates)))
            }
            [column] => {
                let parts = parts.into_iter().map(|part| self.set_of(part, column));
                let parts = parts.collect::<Compiled<_>>()?;
                Ok(Lowered::on(column, sets(&mut self.terms, parts)))
            }
            [from, to] => {
                let parts = parts.iter().map(|part| self.relation_of(part, from, to));
                let parts = parts.collect::<Compiled<_>>()?;
                let relation = relations(&mut self.terms, parts);
                Ok(self.pair(from, to, relation))
            }
            _ => Err(Stop::NotLiftable(Why::TwoSites)),
        }
    }

    /// Returns that one of two holds.
    pub(in crate::compile) fn either(&mut self, one: Lowered, other: Lowered) -> Compiled<Lowered> {
        self.combined(
            vec![one, other],
            |terms, sets| terms.or(sets[0], sets[1]),
            |terms, relations| terms.union(relations[0], relations[1]),
        )
    }

    /// Lowers parts that must all hold.
    pub(super) fn lower_all_of<T>(
        &mut self,
        parts: &'r [T],
        lower: impl Fn(&mut Self, &'r T) -> Compiled<Lowered>,
    ) -> Compiled<Lowered> {
        self.lower_parts(parts, SetId::BOARD, &lower, &|c, one, other| Ok(c.both(one, other)))
    }

    /// Lowers parts of which one must hold.
    pub(super) fn lower_any_of<T>(
        &mut self,
        parts: &'r [T],
        lower: impl Fn(&mut Self, &'r T) -> Compiled<Lowered>,
    ) -> Compiled<Lowered> {
        self.lower_parts(parts, SetId::NONE, &lower, &Self::either)
    }

    /// Lowers parts and joins them: many in halves, so that terms nest by the logarithm of their
    /// number, and the stack has room for what visits the terms.
    fn lower_parts<T>(
        &mut self,
        parts: &'r [T],
        none: SetId,
        lower: &impl Fn(&mut Self, &'r T) -> Compiled<Lowered>,
        join: &impl Fn(&mut Self, Lowered, Lowered) -> Compiled<Lowered>,
    ) -> Compiled<Lowered> {
        const FEW: usize = 16;
        if parts.len() > FEW {
            let (first, second) = parts.split_at(parts.len() / 2);
            let first = self.lower_parts(first, none, lower, join)?;
            let second = self.lower_parts(second, none, lower, join)?;
            return join(self, first, second);
        }
        parts.iter().try_fold(Lowered::gate(none), |whole, part| {
            let part = lower(self, part)?;
            join(self, whole, part)
        })
    }

    /// Returns that it does not hold.
    pub(in crate::compile) fn negated(&mut self, lowered: Lowered) -> Compiled<Lowered> {
        self.combined(
            vec![lowered],
            |terms, sets| terms.complement(sets[0]),
            |terms, relations| terms.difference(RelationId::ALL, relations[0]),
        )
    }

    /// Returns that it holds and the guard, too.
    pub(in crate::compile) fn under_guard(
        &mut self,
        guard: &Guard,
        lowered: Lowered,
    ) -> Compiled<Lowered> {
        if guard.is_empty() {
            return Ok(lowered);
        }
        let guard = self.guard_term(guard);
        self.combined(
            vec![lowered],
            |terms, sets| terms.under(guard, sets[0]),
            |terms, relations| terms.relation_under(guard, relations[0]),
        )
    }

    /// Returns a guard as of now.
    pub(super) fn guard_term(&mut self, guard: &Guard) -> GuardId {
        let versions = guard.registers().map(|register| self.asm.num_version(register.0));
        let versions = versions.collect();
        self.terms.guard(guard.clone(), versions)
    }

    /// Returns that the case holds whose number is in the register.
    pub(in crate::compile) fn selected(
        &mut self,
        which: Num,
        cases: Vec<(i32, Lowered)>,
    ) -> Compiled<Lowered> {
        let mut any = Lowered::never();
        for (case, part) in cases {
            let part = self.under_guard(&Guard::equal(which, case), part)?;
            any = self.either(any, part)?;
        }
        Ok(any)
    }

    /// Lowers a branch for each player, of whom one is meant.
    pub(in crate::compile) fn lower_by_player<T>(
        &mut self,
        player: &'r Spanned<PlayerOf>,
        branches: &'r [Spanned<T>],
        scope: &Scope<'r>,
        mut lower: impl FnMut(&mut Self, &'r Spanned<T>) -> Compiled<Lowered>,
    ) -> Compiled<Lowered> {
        match self.player_operand(player, scope)? {
            PlayerOperand::Fixed(player) => lower(self, &branches[player.index()]),
            PlayerOperand::In(who) => {
                let mut cases = Vec::with_capacity(branches.len());
                for (player, branch) in (0..).zip(branches) {
                    cases.push((player, lower(self, branch)?));
                }
                self.selected(who, cases)
            }
        }
    }

    /// Eliminates a column: the condition holds for some site in its place.
    pub(super) fn some(&mut self, column: u32, lowered: Lowered) -> Compiled<Lowered> {
        let mut among = SetId::BOARD;
        let mut rest = Lowered::gate(lowered.gate);
        for (other, set) in lowered.sets {
            match other == column {
                true => among = set,
                false => rest.sets.push((other, set)),
            }
        }
        let mut leading = Vec::new();
        for (from, to, pair) in lowered.pairs {
            match (from == column, to == column) {
                (true, _) => leading.push((to, self.terms.converse(pair))),
                (_, true) => leading.push((from, pair)),
                _ => rest.pairs.push((from, to, pair)),
            }
        }
        let joined = match leading[..] {
            [] => Lowered::gate(self.terms.somewhere(among)),
            [(from, relation)] => {
                let set = self.terms.preimage(relation, among);
                Lowered::on(from, set.map_err(|stuck| self.stuck(stuck))?)
            }
            [(from, relation), (to, other)] => {
                let (among, back) = (self.terms.test(among), self.terms.converse(other));
                let relation = self.terms.then(relation, among);
                let relation = self.terms.then(relation, back);
                self.pair(from, to, relation)
            }
            _ => return Err(Stop::NotLiftable(Why::TwoSites)),
        };
        Ok(self.both(rest, joined))
    }

    /// Returns that a relation leads from one site to another.
    pub(in crate::compile) fn related(
        &mut self,
        from: &SiteTerm,
        relation: RelationId,
        to: &SiteTerm,
    ) -> Compiled<Lowered> {
        if let (SiteTerm::Path(column, f), SiteTerm::Path(other, g)) = (from, to)
            && column == other
        {
            let set = self.terms.along(relation, f, g).map_err(|stuck| self.stuck(stuck))?;
            return Ok(Lowered::on(*column, set));
        }
        let (from, to) = (self.by_column(from)?, self.by_column(to)?);
        Ok(match (from, to) {
            ((None, from), (None, to)) => {
                let reached =
                    self.terms.image(relation, from).map_err(|stuck| self.stuck(stuck))?;
                let both = self.terms.and(reached, to);
                Lowered::gate(self.terms.somewhere(both))
            }
            ((Some((column, map)), _), (None, to)) => {
                let relation = self.terms.then(map, relation);
                let set = self.terms.preimage(relation, to).map_err(|stuck| self.stuck(stuck))?;
                Lowered::on(column, set)
            }
            ((None, from), (Some((column, map)), _)) => {
                let back = self.terms.converse(relation);
                let relation = self.terms.then(map, back);
                let set = self.terms.preimage(relation, from).map_err(|stuck| self.stuck(stuck))?;
                Lowered::on(column, set)
            }
            ((Some((one, map)), _), (Some((other, end)), _)) => {
                let leads = self.terms.then(map, relation);
                if one == other {
                    let both = self.terms.both(leads, end);
                    let set = self.terms.preimage(both, SetId::BOARD);
                    return Ok(Lowered::on(one, set.map_err(|stuck| self.stuck(stuck))?));
                }
                let back = self.terms.converse(end);
                let pair = self.terms.then(leads, back);
                self.pair(one, other, pair)
            }
        })
    }

    /// Returns the column of a site and the map from it to the site; else the set of just the site.
    pub(super) fn by_column(
        &mut self,
        site: &SiteTerm,
    ) -> Compiled<(Option<(u32, RelationId)>, SetId)> {
        Ok(match site {
            SiteTerm::At(place) => (None, self.single_term(place)?),
            SiteTerm::Path(column, path) => (Some((*column, self.terms.path(path))), SetId::NONE),
            SiteTerm::Map(column, map) => (Some((*column, *map)), SetId::NONE),
        })
    }

    /// Returns the set of just this site, which depends on no column.
    fn single_term(&mut self, place: &SiteOperand) -> Compiled<SetId> {
        match place {
            SiteOperand::Nowhere => Ok(SetId::NONE),
            SiteOperand::Fixed(site) => Ok(self.terms.constant(vec![*site])),
            SiteOperand::In(site) => {
                let version = self.asm.num_version(site.0);
                Ok(self.terms.single(*site, version))
            }
            SiteOperand::Lifted { .. } => Err(Stop::NotLiftable(Why::Site)),
        }
    }

    /// Returns that a site is in a set.
    pub(in crate::compile) fn in_set(&mut self, site: &SiteTerm, set: SetId) -> Compiled<Lowered> {
        Ok(match site {
            SiteTerm::At(place) => {
                let single = self.single_term(place)?;
                let both = self.terms.and(single, set);
                Lowered::gate(self.terms.somewhere(both))
            }
            SiteTerm::Path(column, path) => Lowered::on(*column, self.terms.back(set, path)),
            SiteTerm::Map(column, map) => {
                let set = self.terms.preimage(*map, set).map_err(|stuck| self.stuck(stuck))?;
                Lowered::on(*column, set)
            }
        })
    }
}
