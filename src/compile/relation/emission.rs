//! Emits the instructions of a set. A set that is available is not computed again.

use super::super::assembler::{Assembler, Set};
use super::super::directions::Guard;
use super::super::plan::{ClauseKind, How, Unlifted, Why};
use super::super::{Compiled, Compiler, Stop};
use super::operations::directions;
use super::{LoopId, RelationId, SetId, SetTerm, Stuck};
use crate::board::Direction;
use std::ops::Range;

/// The cost from which a test whether a set is empty pays, in fills.
const DEAR: u32 = 3;

/// Parts of a union that are computed only if a test holds.
struct Part {
    guard: Guard,
    /// A set without which the parts are empty.
    some: Option<SetId>,
    sets: Vec<SetId>,
}

/// Returns the key by which a set is defined. The keys of definitions of the rules begin with an
/// index, which is less.
fn set_key(id: SetId) -> [u32; 2] {
    [u32::MAX, id.0]
}

impl Compiler<'_> {
    /// Returns a set that was computed before as a term.
    pub(in crate::compile) fn known_set(&mut self, set: Set) -> SetId {
        match set {
            _ if set == self.asm.none() => SetId::NONE,
            _ if set == self.asm.board() => SetId::BOARD,
            _ => {
                let version = self.asm.set_version(set.0);
                self.terms.register(set, version)
            }
        }
    }

    /// Returns the register of a set.
    pub(in crate::compile) fn emit_set(&mut self, id: SetId) -> Compiled<Set> {
        let key = set_key(id);
        if let Some(known) = self.asm.defined(&key) {
            return Ok(Set(known));
        }
        self.work(self.last)?;
        let set = match self.terms.set_term(id).clone() {
            SetTerm::None => self.asm.none(),
            SetTerm::Board => self.asm.board(),
            SetTerm::Register(set, _) => set,
            SetTerm::Single(site, _) => self.asm.single(site),
            SetTerm::Constant(sites) => {
                // A single site stands in the rules. What is computed may be one of many sets.
                if sites.len() > 1 {
                    self.reserve_constants(1)?;
                }
                self.constant(sites)
            }
            SetTerm::And(a, b) => match (self.needed(a), self.needed(b)) {
                (Some(set), _) => self.gated(b, set)?,
                (None, Some(set)) => self.gated(a, set)?,
                (None, None) => match self.joined_parts(id) {
                    Some(parts) => self.emit_joined(parts)?,
                    None => {
                        let (a, b) = (self.emit_set(a)?, self.emit_set(b)?);
                        self.asm.and(a, b)
                    }
                },
            },
            SetTerm::Or(a, b) => match self.joined_parts(id) {
                Some(parts) => self.emit_joined(parts)?,
                None => self.emit_plain_union(a, b)?,
            },
            SetTerm::Minus(a, b) => {
                let (a, b) = (self.emit_set(a)?, self.emit_set(b)?);
                self.asm.without(a, b)
            }
            SetTerm::Xor(a, b) => {
                let (a, b) = (self.emit_set(a)?, self.emit_set(b)?);
                self.asm.xor(a, b)
            }
            SetTerm::Beside(mask, of) => {
                let of = self.emit_set(of)?;
                let ways: Vec<Direction> = directions(mask).collect();
                self.beside(of, &ways)
            }
            SetTerm::Fill(direction, goals, through) => {
                let (goals, through) = (self.emit_set(goals)?, self.emit_set(through)?);
                match goals == self.asm.none() {
                    true => goals,
                    false => self.asm.fill(direction, goals, through),
                }
            }
            SetTerm::Walk(mask, from, through) => {
                let (from, through) = (self.emit_set(from)?, self.emit_set(through)?);
                let ways = self.ways(mask);
                self.asm.walk(ways, from, through)
            }
            SetTerm::Sight(mask, from, through) => {
                let site = match self.terms.set_term(from) {
                    SetTerm::Single(site, _) => *site,
                    SetTerm::Constant(sites) => {
                        let site = sites.first().map_or(-1, |site| i32::from(site.0));
                        self.asm.constant(site)
                    }
                    _ => return Err(Stop::NotLiftable(Why::Site)),
                };
                let (from, through) = (self.emit_set(from)?, self.emit_set(through)?);
                let ways = self.ways(mask);
                let passed = self.asm.walk(ways, from, through);
                let board = self.asm.board();
                let stops = self.asm.without(board, through);
                let first = self.asm.sight(ways, site, stops);
                self.asm.or(passed, first)
            }
            SetTerm::Flood(mask, of, within) => {
                let (of, within) = (self.emit_set(of)?, self.emit_set(within)?);
                let ways = self.ways(mask);
                self.asm.flood(ways, of, within)
            }
            SetTerm::Closure(step, of) => {
                let of = self.emit_set(of)?;
                self.emit_closure(step, of, None)?
            }
            SetTerm::Somewhere(set) => self.gated(SetId::BOARD, set)?,
            SetTerm::Elsewhere(set) => {
                let (set, board) = (self.emit_set(set)?, self.asm.board());
                let (count, one) = (self.asm.count(set), self.asm.constant(1));
                let others = self.asm.subtract(count, one);
                let some = self.asm.gate(board, count);
                let several = self.asm.gate(set, others);
                let only = self.asm.without(set, several);
                self.asm.without(some, only)
            }
            SetTerm::Guarded(guard, set) => {
                let (guard, _) = self.terms.guards[guard.0 as usize].clone();
                self.guarded_set(&guard, |c| c.emit_set(set))?
            }
            SetTerm::Loop(id, of) => {
                let of = self.emit_set(of)?;
                self.emit_region_loop(id, of)?
            }
        };
        self.asm.define(&key, set.0);
        Ok(set)
    }

    /// Returns a set that is empty if and only if the given one is, and takes less to compute: a
    /// closure ends as soon as it meets what it is intersected with.
    pub(in crate::compile) fn emit_tested(&mut self, id: SetId) -> Compiled<Set> {
        let closure = |id: SetId| match *self.terms.set_term(id) {
            SetTerm::Closure(step, of) if self.asm.defined(&set_key(id)).is_none() => {
                Some((step, of))
            }
            _ => None,
        };
        let (goal, (step, of)) = match *self.terms.set_term(id) {
            SetTerm::And(a, b) => match (closure(a), closure(b)) {
                (Some(closure), None) => (b, closure),
                (None, Some(closure)) => (a, closure),
                _ => return self.emit_set(id),
            },
            _ => return self.emit_set(id),
        };
        let (goal, of) = (self.emit_set(goal)?, self.emit_set(of)?);
        let found = self.emit_closure(step, of, Some(goal))?;
        Ok(self.asm.and(found, goal))
    }

    /// Returns the set that must have a site for the intersection with this one to have one.
    fn needed(&self, id: SetId) -> Option<SetId> {
        match *self.terms.set_term(id) {
            SetTerm::Somewhere(set) => Some(set),
            _ => None,
        }
    }

    /// Returns the registers that may have no site often: memories of sites, and one kind of piece
    /// among others.
    pub(in crate::compile) fn sparse_registers(&self) -> Range<u16> {
        let pieces = if self.rules.pieces.len() > 1 { 0 } else { self.layout.pieces_end };
        pieces..self.layout.sets
    }

    /// Returns the parts of a union, those with the same test together, if some of them are better
    /// tested for than computed.
    fn joined_parts(&mut self, union: SetId) -> Option<Vec<Part>> {
        let sparse = self.sparse_registers();
        let mut parts: Vec<Part> = Vec::new();
        let mut left = vec![union];
        while let Some(id) = left.pop() {
            let is_known = self.asm.defined(&set_key(id)).is_some();
            let part = match *self.terms.set_term(id) {
                SetTerm::Or(before, last) if !is_known => {
                    left.extend([last, before]);
                    continue;
                }
                SetTerm::Guarded(guard, set) => Part {
                    guard: self.terms.guards[guard.0 as usize].0.clone(),
                    some: None,
                    sets: vec![set],
                },
                _ => {
                    let factored =
                        (!is_known).then(|| self.terms.factored(id, sparse.clone())).flatten();
                    let (some, set) =
                        factored.map_or((None, id), |(some, rest)| (Some(some), rest));
                    Part { guard: Guard::default(), some, sets: vec![set] }
                }
            };
            let same = |other: &&mut Part| other.some == part.some && other.guard == part.guard;
            match parts.iter_mut().find(same) {
                Some(other) if part.guard.is_empty() => other.sets.extend(part.sets),
                _ => parts.push(part),
            }
        }
        for part in &mut parts {
            let cost: u32 = part.sets.iter().map(|&set| self.terms.cost(set)).sum();
            if let Some(some) = part.some.filter(|_| cost < DEAR) {
                part.some = None;
                for set in &mut part.sets {
                    *set = self.terms.and(some, *set);
                }
            }
        }
        let is_tested = |part: &Part| !part.guard.is_empty() || part.some.is_some();
        parts.iter().any(is_tested).then_some(parts)
    }

    /// Returns a union that has no parts to be tested for; then no union inside it has any.
    fn emit_plain_union(&mut self, a: SetId, b: SetId) -> Compiled<Set> {
        let mut part = |id: SetId| match *self.terms.set_term(id) {
            SetTerm::Or(a, b) if self.asm.defined(&set_key(id)).is_none() => {
                self.work(self.last)?;
                let union = self.emit_plain_union(a, b)?;
                self.asm.define(&set_key(id), union.0);
                Ok(union)
            }
            _ => self.emit_set(id),
        };
        let (a, b) = (part(a)?, part(b)?);
        Ok(self.asm.or(a, b))
    }

    /// Returns the union of sets, each computed only if its test holds.
    fn emit_joined(&mut self, parts: Vec<Part>) -> Compiled<Set> {
        let result = self.asm.fresh_set();
        let (tested, others): (Vec<Part>, Vec<Part>) =
            parts.into_iter().partition(|part| !part.guard.is_empty() || part.some.is_some());
        let mut always = self.asm.none();
        for set in others.into_iter().flat_map(|part| part.sets) {
            let set = self.emit_set(set)?;
            always = self.asm.or(always, set);
        }
        match always == self.asm.none() {
            true => self.asm.clear(result),
            false => self.asm.copy_to(result, always),
        }
        for Part { guard, some, sets } in tested {
            self.guarded(&guard, |c| c.emit_part(result, some, sets))?;
        }
        Ok(result)
    }

    /// Adds sets to a result if another one is not empty.
    fn emit_part(&mut self, result: Set, some: Option<SetId>, sets: Vec<SetId>) -> Compiled<()> {
        let some = some.map(|some| self.emit_set(some)).transpose()?;
        let over = self.asm.label();
        if let Some(some) = some {
            self.asm.if_none(some, over);
            self.asm.open();
        }
        let mut all = self.asm.none();
        for set in sets {
            let set = self.emit_set(set)?;
            all = self.asm.or(all, set);
        }
        if let Some(some) = some {
            all = self.asm.and(some, all);
        }
        self.asm.join(result, all);
        if some.is_some() {
            self.asm.close();
            self.asm.place(over);
        }
        Ok(())
    }

    /// Returns the set if another one is not empty, else no site.
    fn gated(&mut self, set: SetId, some: SetId) -> Compiled<Set> {
        let some = self.emit_set(some)?;
        let set = self.emit_set(set)?;
        let count = self.asm.count(some);
        Ok(self.asm.gate(set, count))
    }

    /// Returns the sites from which some number of steps, or none, leads into the set. Each round
    /// takes the steps into the sites that the round before has added, until it adds none, or one
    /// of the goals if they are given.
    fn emit_closure(&mut self, step: RelationId, of: Set, goals: Option<Set>) -> Compiled<Set> {
        let (found, added) = (self.asm.fresh_set(), self.asm.fresh_set());
        self.asm.copy_to(found, of);
        self.asm.copy_to(added, of);
        let (done, again) = (self.asm.label(), self.asm.label());
        let round = self.asm.open_loop();
        self.asm.place(again);
        self.asm.if_none(added, done);
        if let Some(goals) = goals {
            let met = self.asm.and(added, goals);
            self.asm.if_any(met, done);
        }
        let last = self.known_set(added);
        let stepped = self.terms.preimage(step, last).map_err(|stuck| self.stuck(stuck));
        let stepped = stepped.and_then(|stepped| self.emit_set(stepped));
        if let Ok(reached) = stepped {
            let new = self.asm.without(reached, found);
            self.asm.copy_to(added, new);
            self.asm.join(found, new);
        }
        self.go_round(again);
        self.asm.close_loop(round);
        self.asm.place(done);
        stepped.map(|_| found)
    }

    /// Returns the union of a region over all values of its site in a set: the site is in a
    /// register meanwhile.
    fn emit_region_loop(&mut self, id: LoopId, of: Set) -> Compiled<Set> {
        let Stuck { why, span } = self.terms.loops[id.0 as usize];
        let (column, region, scope) = self.loops[id.0 as usize].clone();
        let unlifted = Unlifted { why, span: span.unwrap_or(region.span) };
        let from = self.asm.length();
        let found = self.asm.fresh_set();
        self.asm.clear(found);
        let around = std::mem::take(&mut self.context.lift);
        self.each_taken(of, Assembler::open_pure_loop, |c, site, _| {
            c.fixed.push((column, site));
            let part = c.region(region, &scope);
            c.fixed.pop();
            c.asm.join(found, part?);
            Ok(())
        })?;
        self.context.lift = around;
        self.note(ClauseKind::Loop, region.span, How::Each(Some(unlifted)), from);
        Ok(found)
    }
}
