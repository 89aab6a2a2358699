//! What random play draws from where that is more than is legal.
//!
//! In: the moves of a decision, and the routine that offers just those plies that are legal. Out: a
//! routine that offers more and takes less, because what is dear to lift is asked of the one site
//! that is drawn instead. A ply that is drawn so and turns out to be legal is drawn uniformly among
//! the legal ones. There is no such routine where it would not pay.

use super::assembler::Set;
use super::op::{Code, Op};
use super::plan::{How, Why};
use super::program::MAX_CACHED_FILLS;
use super::values::Scope;
use super::{Compiled, Compiler, Routine, Stop};
use crate::language::rules::{Condition, MoveId, Spanned};
use crate::syntax::Span;

/// A requirement that takes fewer operations on words is lifted all the same: it would cost more to
/// draw in vain.
const CHEAP_REQUIREMENT: u32 = 64;
/// What a draw takes besides instructions: a random number, a member by its rank, and jumps that
/// nobody foresees.
const SAMPLING_COST: u32 = 200;
/// All offers must take so many times what one draw and one try do. How many draws are in vain is
/// not known before play. Where half of them are, and now and then all is offered after all, this
/// is what it was measured to take to be even.
const MIN_SPEEDUP: u32 = 6;
/// Sets of more words than this do not stay in the registers of a computer, so that every operation
/// takes twice as much.
const MAX_REGISTER_WORDS: u32 = 2;
/// What a fill takes for every word where random play keeps it from ply to ply: see
/// `native::views`.
const CACHED_FILL_COST: u32 = 8;
/// Rounds of doubling that a walk takes where lines have no end.
const MAX_DOUBLING_ROUNDS: u32 = 8;

impl<'r> Compiler<'r> {
    /// The routine from which random play draws, where that is another one than offers just what is
    /// legal.
    pub(super) fn proposals(
        &mut self,
        moves: &'r [MoveId],
        span: Span,
        legal: Routine,
    ) -> Option<Routine> {
        let all = self.cost(self.routines[usize::from(legal.0)].0.ops())?;
        if all < MIN_SPEEDUP * (CHEAP_REQUIREMENT + SAMPLING_COST) {
            return None;
        }
        let (routines, specializations, work) =
            (self.routines.len(), self.moves.specializations.len(), self.spent.work);
        let (constants, clauses) = (self.constants.len(), self.clauses.len());
        self.moves.proposals = true;
        let drawn =
            self.routine(span, |c| moves.iter().try_for_each(|&id| c.generate_rule(id).map(drop)));
        self.moves.proposals = false;
        let pays = |c: &Self, drawn: Routine| {
            let offers = c.cost(c.routines[usize::from(drawn.0)].0.ops())?;
            let tries = c.moves.specializations[specializations..]
                .iter()
                .map(|(_, apply)| c.cost_of_trying(*apply));
            let most = tries.collect::<Option<Vec<u32>>>()?.into_iter().max()?;
            (all >= MIN_SPEEDUP * (offers + most + SAMPLING_COST)).then_some(drawn)
        };
        let drawn = drawn.ok().and_then(|drawn| pays(self, drawn));
        if drawn.is_none() {
            self.routines.truncate(routines);
            self.moves.specializations.truncate(specializations);
            self.moves.made.retain(|_, made| usize::from(*made) < specializations);
            self.constants.truncate(constants);
            self.clauses.truncate(clauses);
            self.spent.work = work;
        }
        drawn
    }

    /// The sites for which the condition holds, where that does not take much.
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

    /// What the requirements take that were left to the routine that makes a move.
    fn cost_of_trying(&self, apply: Routine) -> Option<u32> {
        let routine = &self.routines[usize::from(apply.0)].0;
        let requirements = routine.noted().filter(|(note, _)| note.how == How::Sampled);
        requirements.map(|(_, ops)| self.cost(ops)).sum()
    }

    /// How many operations on words and numbers the instructions take together; none where they are
    /// gone through more than once.
    fn cost(&self, ops: &[Op]) -> Option<u32> {
        let words = self.board.slots().div_ceil(64) as u32;
        let words = if words > MAX_REGISTER_WORDS { 2 * words } else { words };
        let rounds = if self.board.is_wrapped() {
            MAX_DOUBLING_ROUNDS
        } else {
            self.board.longest_line().checked_ilog2().unwrap_or(0) + 1
        };
        // A round moves two sets, which takes more where words hand bits on.
        let walk = words * (rounds * if words > 1 { 9 } else { 5 } + 3);
        let fills = ops.iter().filter(|op| op.code == Code::Fill).count();
        let are_kept = words > 1 && fills <= MAX_CACHED_FILLS && !self.board.is_wrapped();
        let cost = |op: &Op| {
            let ways = op.x.count_ones();
            Some(match op.code {
                Code::Fill if are_kept => CACHED_FILL_COST * words,
                Code::Fill => walk,
                Code::Walk => ways * walk,
                Code::Flood
                | Code::Take
                | Code::LoopBack
                | Code::NewQueue
                | Code::Enqueue
                | Code::Dequeue => return None,
                Code::Between => 8 * rounds,
                Code::Beside | Code::Sight => 5 * ways * words,
                Code::Transfer => 6 * words,
                Code::Shift | Code::Lowest => 3 * words,
                Code::Single
                | Code::Count
                | Code::AddMoveSet
                | Code::Bit
                | Code::IfIn
                | Code::IfOut => 2 * words,
                Code::Direction => 8,
                Code::Copy
                | Code::And
                | Code::Or
                | Code::AndNot
                | Code::Xor
                | Code::Gate
                | Code::Clear
                | Code::Join
                | Code::Drop => words,
                Code::IfNone | Code::IfAny => words,
                _ => 1,
            })
        };
        ops.iter().map(cost).sum()
    }
}
