//! Move generation, and the routines that make moves.
//!
//! A move rule is compiled to *specializations*: its directions, numbers and kinds of piece are
//! fixed one by one and the last of its sites is lifted over, so that one instruction adds the
//! moves of a specialization for a whole set of sites. If the last site is a fixed path away from
//! the one before it, the two become one lifted site and a path. Choices that nothing relates to
//! the others are factors of a product. Loops run over the other sites and pass them as prefix
//! arguments. Requirements before the first effect are lifted; those that cannot be, and those
//! after an effect, stay in the routine that makes the move, which fails if the move is illegal.
//! `then`: choices that come after effects.

mod afterwards;
mod alternatives;
mod branches;
mod partial;
mod paths;
mod products;
mod sites;
mod specializations;
mod then;

pub(super) use partial::PartialSpecialization;
pub(super) use then::ThenRole;

use super::assembler::{Label, Num, Set};
use super::plan::{ClauseKind, ClausePart, How, Unlifted, Why};
use super::program::{MAX_PARAMETERS, ParameterSource, Path};
use super::relation::SetId;
use super::values::{Binding, Scope, SiteOperand};
use super::{Compiled, Compiler, Routine, Stop};
use crate::board::Site;
use crate::language::rules::{Domain, MoveId, MoveRule, Parameter, PlayerId, Statement};
use crate::syntax::Span;
use afterwards::Changes;
use products::Relations;

/// What distinguishes specializations: the sources of their arguments, the requirements that their
/// moves meet, and whether they leave expensive ones to their routines, because they are proposals.
pub(super) type SpecializationKey = (PlayerId, MoveId, Vec<ParameterSource>, Vec<usize>, bool);

/// The routines that generate the moves of a decision.
#[derive(Clone, Copy)]
pub(super) struct MoveGenerator {
    pub routine: Routine,
    /// Whether every generated move is legal.
    pub exact: bool,
    /// Generates a superset of the legal moves at a lower cost, for rejection sampling.
    pub proposals: Option<Routine>,
}

impl<'r> Compiler<'r> {
    /// Returns the routines that generate all of these moves for the mover.
    pub(super) fn move_generator(
        &mut self,
        moves: &'r [MoveId],
        span: Span,
    ) -> Compiled<MoveGenerator> {
        let key = (self.mover, moves.to_vec());
        if let Some(&known) = self.moves.move_generators.get(&key) {
            return Ok(known);
        }
        // Whether a ply is legal by repetition is known when it is made.
        let past_matters = self.rules.forbids_repetition();
        let mut exact = true;
        let routine = self.move_routine(span, |c| {
            let mut doubtful = Vec::new();
            for &id in moves {
                if !c.generate_rule(id)? {
                    exact = false;
                    doubtful.push(id);
                }
            }
            if past_matters { Ok(()) } else { c.emit_guard(&doubtful) }
        })?;
        // Moves with a `then` are tried one by one, which proposals cannot make cheaper.
        let is_whole = |id: &MoveId| self.rules.moves[id.index()].further.is_empty();
        let proposals = match exact && moves.iter().all(is_whole) {
            true => self.proposals(moves, span, routine),
            false => None,
        };
        let exact = exact && !past_matters;
        let generator = MoveGenerator { routine, exact, proposals };
        self.moves.move_generators.insert(key, generator);
        Ok(generator)
    }

    /// Emits a guard after the moves: a sufficient condition for all of them to be legal although
    /// these rules have requirements that are tested move by move.
    fn emit_guard(&mut self, doubtful: &[MoveId]) -> Compiled<()> {
        let mut bounds = Vec::new();
        for &id in doubtful {
            let settled = self.moves.settled.get(&(self.mover, id)).cloned().unwrap_or_default();
            let Some(of_rule) = self.guards_of(&self.rules.moves[id.index()], &settled)? else {
                return Ok(());
            };
            bounds.extend(of_rule.into_iter().map(|bound| (id, bound)));
        }
        let mut guard: Option<Num> = None;
        let part = self.part;
        for (id, bound) in bounds {
            self.part = ClausePart::Move(id);
            let bound = self.emit_bound(bound);
            guard = Some(guard.map_or(bound, |guard| self.asm.least(guard, bound)));
        }
        self.part = part;
        if let Some(guard) = guard {
            self.asm.guard_all_legal(guard);
        }
        Ok(())
    }

    /// Emits the generation of one rule's moves. Returns whether every generated move is legal.
    pub(super) fn generate_rule(&mut self, id: MoveId) -> Compiled<bool> {
        let rule = &self.rules.moves[id.index()];
        // There are routines for each direction and each kind of piece.
        let is_chosen = |parameter: &&Parameter| {
            !matches!(parameter.domain, Domain::Directions(_) | Domain::Pieces(..))
        };
        let chosen = rule.parameters.iter().filter(is_chosen).count();
        if chosen + rule.further.len() > MAX_PARAMETERS {
            return Err(Stop::TooLarge(rule.span));
        }
        let part = std::mem::replace(&mut self.part, ClausePart::Move(id));
        let skip = self.asm.label();
        self.asm.open();
        let start = self.asm.length();
        let asked = self.require_once(rule, skip)?;
        let skips = !asked.is_empty();
        let exact = self.generate_branches(rule, id, &asked)?;
        // The next rule can use the values computed here only if no jump leads past them, or if
        // they are hoisted.
        if skips {
            self.asm.close();
            self.asm.note_skipped(start);
        } else {
            self.asm.keep();
        }
        self.asm.place(skip);
        self.part = part;
        Ok(exact)
    }

    /// Emits the generation of one rule's moves, on two branches where a region is an `if` about no
    /// choice: each of its regions may consist of fixed paths, which both together do not.
    fn generate_branches(
        &mut self,
        rule: &'r MoveRule,
        id: MoveId,
        asked: &[usize],
    ) -> Compiled<bool> {
        let choice = self.asm.attempt();
        let mut partial = self.partial(rule, id, asked, true)?;
        if partial.is_product() && !self.is_whole_product(&partial)? {
            self.asm.roll_back(choice);
            partial = self.partial(rule, id, asked, false)?;
        } else {
            self.asm.commit(choice);
        }
        if partial.apart.is_some()
            && let Some(condition) = self.branching(rule)
        {
            return self.on_both_branches(condition, |c| c.generate_branches(rule, id, asked));
        }
        self.fix_parameters(&mut partial, 0, &Scope::default())
    }

    /// Emits the requirements that mention no parameter, tested once for all moves. Returns their
    /// indexes.
    fn require_once(&mut self, rule: &'r MoveRule, skip: Label) -> Compiled<Vec<usize>> {
        let mut scope = Scope::default();
        let mut asked = Vec::new();
        let relations = Relations::of(rule);
        for (index, statement) in rule.body.iter().enumerate() {
            match &statement.node {
                Statement::Let(variable, value) => {
                    scope = scope.with(*variable, Binding::Unevaluated(value, scope.clone()))
                }
                Statement::Require(condition) if relations.mentions_none(index) => {
                    let from = self.asm.length();
                    self.jump(condition, &scope, false, skip)?;
                    let how = self.settled(condition, &scope).map_or(How::Decision, How::Known);
                    self.note(ClauseKind::Requirement, condition.span, how, from);
                    asked.push(index);
                }
                Statement::Require(_) => {}
                _ => break,
            }
        }
        Ok(asked)
    }

    /// Generates moves whose last parameter is a number, for all numbers at once.
    fn generate_for_numbers(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        index: usize,
        least: i32,
        many: usize,
    ) -> Compiled<bool> {
        partial.sources[partial.first + index] = ParameterSource::MemberNumber(least);
        self.note(
            ClauseKind::Choice,
            partial.parameters[index].domain.span(),
            How::Numbers,
            self.asm.length(),
        );
        let all = self.constant((0..many as u16).map(Site).collect());
        // The numbers are not sites to lift over, so the requirements are tested when the move is
        // made.
        self.emit_move_set(partial, all, Vec::new())
    }

    /// Generates the moves for all values of the lifted site at once, with one specialization for
    /// each path to the second site.
    fn generate_for_sites(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        scope: &Scope<'r>,
    ) -> Compiled<bool> {
        let Some(lifted) = partial.lifted else {
            // A move that chooses no site is a set with one member.
            let once = self.constant(vec![Site(0)]);
            return self.emit_move_set(partial, once, Vec::new());
        };
        let variable = partial.parameters[lifted].variable;
        partial.sources[partial.first + lifted] = ParameterSource::Member;
        self.lifting(variable, scope, |c, scope| {
            let Domain::Sites(domain) = &partial.parameters[lifted].domain else {
                return Err(Stop::NotLiftable(Why::Value));
            };
            let start = c.asm.length();
            let continues = partial.parameters[lifted].alike && partial.together.is_empty();
            let from = match partial.rest.filter(|_| continues) {
                Some(rest) => rest,
                None => c.region(domain, scope)?,
            };
            c.note(ClauseKind::Choice, domain.span, partial.at_once(), start);
            let Some(to) = partial.stepped else {
                let (set, asked) = c.lift_requirements(partial, from, scope)?;
                return c.emit_move_set(partial, set, asked);
            };
            let start = c.asm.length();
            let paths = c.paths_to(&partial.parameters[to], scope)?;
            let how = How::Paths(paths.len().min(usize::from(u16::MAX)) as u16);
            let stretches = c.stretches(paths);
            for always in stretches.iter().filter(|stretch| stretch.test().is_none()) {
                c.emit_starts(&always.paths)?;
            }
            let span = partial.parameters[to].domain.span();
            c.note(ClauseKind::Choice, span, how, start);
            let mut exact = true;
            for stretch in stretches {
                let Some(needs) = stretch.test() else {
                    exact &= c.offer_paths(partial, (from, to), stretch.paths, scope)?;
                    continue;
                };
                let needed = c.emit_set(needs)?;
                let needed = c.asm.and(from, needed);
                let over = c.asm.label();
                c.asm.if_none(needed, over);
                c.asm.open();
                let tested = c.asm.length();
                c.emit_starts(&stretch.paths)?;
                c.note(ClauseKind::Choice, span, how, tested);
                exact &= c.offer_paths(partial, (from, to), stretch.paths, scope)?;
                c.asm.close();
                c.asm.note_skipped(tested);
                c.asm.place(over);
            }
            Ok(exact)
        })
    }

    /// Adds the moves from these sites along paths to the parameter with this index. Returns
    /// whether all of them are legal.
    fn offer_paths(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        (from, to): (Set, usize),
        paths: Vec<(Path, SetId)>,
        scope: &Scope<'r>,
    ) -> Compiled<bool> {
        let variable = partial.parameters[to].variable;
        let mut exact = true;
        for (path, starts) in paths {
            partial.sources[partial.first + to] = ParameterSource::MemberPath(path);
            self.offered = match path.steps() {
                [direction] => Some((self.context.lift, *direction)),
                _ => None,
            };
            let path = path.steps().to_vec();
            let place = SiteOperand::Lifted { lift: self.context.lift, path };
            let scope = scope.with(variable, Binding::Site(place));
            let starts = self.emit_set(starts)?;
            let set = self.asm.and(from, starts);
            let (set, asked) = self.lift_requirements(partial, set, &scope)?;
            exact &= self.emit_move_set(partial, set, asked)?;
        }
        self.offered = None;
        Ok(exact)
    }

    /// Returns the members of the set that meet the requirements before the first effect, as far as
    /// these can be lifted, and the indexes of the requirements that were.
    fn lift_requirements(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        mut set: Set,
        scope: &Scope<'r>,
    ) -> Compiled<(Set, Vec<usize>)> {
        let mut scope = scope.clone();
        let mut lifted = Vec::new();
        let mut changes = Changes::default();
        partial.unlifted.clear();
        partial.proposals = false;
        for (index, statement) in partial.body.iter().enumerate() {
            match &statement.node {
                Statement::Let(variable, value) if changes.is_empty() => {
                    scope = scope.with(*variable, Binding::Unevaluated(value, scope.clone()))
                }
                Statement::Require(_) if partial.asked.contains(&index) => {}
                // In so many cases, a guard once per decision is better.
                Statement::Require(_)
                    if partial.shares_numbers && self.rules.limits_height(statement) =>
                {
                    let unlifted = Unlifted { why: Why::Heights, span: statement.span };
                    partial.unlifted.push((index, unlifted));
                }
                Statement::Require(condition) => {
                    let (from, early) = (self.asm.length(), changes.is_empty());
                    let found = self.attempt(|c| match (early, c.moves.proposals) {
                        (true, true) => c.lift_cheaply(condition, &scope).map(Some),
                        (true, false) => c.lift_condition(condition, &scope).map(Some),
                        (false, _) => {
                            let lowered = c.lower_afterwards(condition, &changes, &scope)?;
                            lowered.map(|lowered| c.emit_lowered(lowered)).transpose()
                        }
                    })?;
                    match found.flatten() {
                        Some(holds) => {
                            set = self.asm.and(set, holds);
                            lifted.push(index);
                            let how = match holds {
                                _ if holds == self.asm.board() => How::Known(true),
                                _ if holds == self.asm.none() => How::Known(false),
                                _ => partial.at_once(),
                            };
                            self.note(ClauseKind::Requirement, condition.span, how, from);
                        }
                        None if !early => {}
                        None if self.moves.proposals => partial.proposals = true,
                        None => partial.unlifted.push((index, self.unlifted)),
                    }
                }
                effect => {
                    let noted = self.attempt(|c| c.note_changes(effect, &scope, &mut changes))?;
                    if noted != Some(true) {
                        break;
                    }
                }
            }
        }
        Ok((set, lifted))
    }

    /// Adds the move set. Returns whether all of its moves are legal.
    fn emit_move_set(
        &mut self,
        partial: &mut PartialSpecialization<'r>,
        set: Set,
        lifted: Vec<usize>,
    ) -> Compiled<bool> {
        if set == self.asm.none() {
            return Ok(true);
        }
        if self.moves.probes {
            return Ok(self.counts_as_product(partial, &lifted));
        }
        if let Some(search) = self.search {
            self.search_move_set(search, partial, set, &lifted)?;
            return Ok(true);
        }
        if !partial.rule.further.is_empty() {
            let sources = partial.sources.clone();
            partial.pending.push(then::MovesToTry { sources, set, lifted });
            return Ok(true);
        }
        let specialization = self.specialization(partial, lifted)?;
        let exact = self.moves.specializations[usize::from(specialization)].0.exact;
        self.add_move_set(partial, set, specialization);
        Ok(exact)
    }

    /// Returns the index of the last statement by which a move can fail that is in the move set.
    pub(super) fn last_requirement(
        &self,
        partial: &PartialSpecialization<'r>,
        lifted: &[usize],
    ) -> Option<usize> {
        let requires = |statement: &Statement| {
            self.rules.holds(statement, &|inner| matches!(inner, Statement::Require(_)))
        };
        let mut body = partial.rule.body.iter().enumerate();
        body.rfind(|(index, statement)| {
            !partial.is_settled(*index, lifted) && requires(&statement.node)
        })
        .map(|(index, _)| index)
    }
}
