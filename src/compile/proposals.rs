//! Proposals: a cheap superset of the legal moves, for rejection sampling in random play.
//!
//! Requirements that are expensive to lift are left out of move generation and tested on the
//! sampled move only; if they fail, the move is rejected. An accepted move is uniformly distributed
//! over the legal ones. There is no such routine if the cost model says that it does not pay.

use super::assembler::Set;
use super::op::{Code, Op};
use super::plan::{How, Why};
use super::program::MAX_CACHED_FILLS;
use super::values::Scope;
use super::{Compiled, Compiler, Routine, Stop};
use crate::language::rules::{Condition, MoveId, Spanned};
use crate::syntax::Span;

/// Requirements that take fewer word operations are lifted anyway: rejections would cost more.
const CHEAP_REQUIREMENT: u32 = 64;
/// Cost of a sample besides instructions: a random number, a member by rank, and mispredicted
/// branches.
const SAMPLING_COST: u32 = 200;
/// Generating all legal moves must cost this many times one proposal and its test. The rate of
/// rejections is unknown before play; this is the measured break-even if half of the proposals are
/// rejected and the legal moves must occasionally be generated after all.
const MIN_SPEEDUP: u32 = 6;
/// Sets of more words do not stay in machine registers, which doubles the cost of every operation.
const MAX_REGISTER_WORDS: u32 = 2;
/// Cost per word of a fill that random play caches from ply to ply: see `native::sightlines`.
const CACHED_FILL_COST: u32 = 8;
/// Doubling iterations of a walk on boards whose lines are endless.
const MAX_DOUBLING_ROUNDS: u32 = 8;

impl<'r> Compiler<'r> {
    /// Compiles a routine that generates proposals; `None` if sampling from the legal moves, which
    /// `legal` generates, is no more expensive.
    pub(super) fn proposals(
        &mut self,
        moves: &'r [MoveId],
        span: Span,
        legal: Routine,
    ) -> Option<Routine> {
        let all = self.cost(self.routines[usize::from(legal.0)].0.ops())?;
        // A requirement left to sampling costs about `CHEAP_REQUIREMENT` at least: below this bound
        // proposals are not worth compiling.
        if all < MIN_SPEEDUP * (CHEAP_REQUIREMENT + SAMPLING_COST) {
            return None;
        }
        let (routines, specializations, work) =
            (self.routines.len(), self.moves.specializations.len(), self.spent.work);
        let (constants, clauses) = (self.constants.len(), self.clauses.len());
        self.moves.proposals = true;
        let sampled_routine = self
            .move_routine(span, |c| moves.iter().try_for_each(|&id| c.generate_rule(id).map(drop)));
        self.moves.proposals = false;
        let pays = |c: &Self, sampled_routine: Routine| {
            let generation_cost = c.cost(c.routines[usize::from(sampled_routine.0)].0.ops())?;
            let trial_costs = c.moves.specializations[specializations..]
                .iter()
                .map(|(_, apply)| c.cost_of_trying(*apply));
            let most = trial_costs.collect::<Option<Vec<u32>>>()?.into_iter().max()?;
            (all >= MIN_SPEEDUP * (generation_cost + most + SAMPLING_COST))
                .then_some(sampled_routine)
        };
        let sampled_routine =
            sampled_routine.ok().and_then(|sampled_routine| pays(self, sampled_routine));
        if sampled_routine.is_none() {
            self.routines.truncate(routines);
            self.moves.specializations.truncate(specializations);
            self.moves.made.retain(|_, made| usize::from(*made) < specializations);
            self.constants.truncate(constants);
            self.clauses.truncate(clauses);
            self.spent.work = work;
        }
        sampled_routine
    }

    /// Lifts the condition if that is cheap.
    pub(super) fn lift_cheaply(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Set> {
        let from = self.asm.length();
        let holds = self.lift_condition(condition, scope)?;
        match self.cost(&self.asm.ops()[from..]) {
            Some(cost) if cost < CHEAP_REQUIREMENT => Ok(holds),
            _ => Err(Stop::NotLiftable(Why::Value)),
        }
    }

    /// Returns the cost of the requirements that are left to the routine that makes a move.
    fn cost_of_trying(&self, apply: Routine) -> Option<u32> {
        let routine = &self.routines[usize::from(apply.0)].0;
        let requirements = routine.noted().filter(|(note, _)| note.how == How::Sampled);
        requirements.map(|(_, ops)| self.cost(ops)).sum()
    }

    /// Returns the number of operations on words and numbers in the instructions; `None` if some of
    /// them run a variable number of times.
    fn cost(&self, ops: &[Op]) -> Option<u32> {
        let words = self.board.slots().div_ceil(64) as u32;
        let words = if words > MAX_REGISTER_WORDS { 2 * words } else { words };
        let doublings = if self.board.has_rings() {
            MAX_DOUBLING_ROUNDS
        } else {
            self.board.longest_line().checked_ilog2().unwrap_or(0) + 1
        };
        // An iteration shifts two sets, which costs more if bits cross words.
        let walk = words * (doublings * if words > 1 { 9 } else { 5 } + 3);
        let fills = ops.iter().filter(|op| op.code == Code::Fill).count();
        let are_cached = words > 1 && fills <= MAX_CACHED_FILLS && !self.board.has_rings();
        let cost = |op: &Op| {
            let ways = self.masks.get_index(op.x.into()).map_or(0, |(mask, ())| mask.count_ones());
            Some(match op.code {
                Code::Fill if are_cached => CACHED_FILL_COST * words,
                Code::Fill => walk,
                Code::Walk => ways * walk,
                Code::Flood | Code::Take | Code::NewQueue | Code::Enqueue | Code::Dequeue => {
                    return None;
                }
                Code::Between => 8 * doublings,
                Code::Beside | Code::Sight => 5 * ways * words,
                Code::Transfer => 6 * words,
                Code::Sink | Code::Rise | Code::Carry | Code::Height => 40 * words,
                Code::Shift | Code::Lowest => 3 * words,
                Code::Single
                | Code::Count
                | Code::AddMoveSet
                | Code::EachPrefix
                | Code::Bit
                | Code::IfIn
                | Code::IfOut => 2 * words,
                Code::Direction | Code::Distance | Code::StepBy => 8,
                code if code.has_sets() => words,
                _ => 1,
            })
        };
        ops.iter().map(cost).sum()
    }
}
