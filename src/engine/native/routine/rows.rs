//! Rows: sites that come after others of the same set in a direction.
//!
//! That a site and so many before it are in a set is asked by as many steps of the whole set. Half
//! of a row is as good as all its sites one by one: where a site ends a row of two, and the one two
//! steps before does, it ends a row of four. That the board goes on for so long is asked at the
//! end.

use super::super::set_ops::{self, Words};
use super::FunctionEmitter;
use crate::compile::op::{Code, Op};

/// What is known of a set: it has the sites to which certain numbers of steps in one direction lead
/// from another set, all of them.
#[derive(Clone, Debug)]
pub struct StepChain {
    of: Words,
    /// None where no step was taken yet.
    way: Option<u8>,
    /// A bit for each number of steps.
    steps: u64,
}

impl StepChain {
    /// What is known of the sites that are in both sets.
    fn and(self, other: StepChain) -> Option<StepChain> {
        let ways_agree = self.way.is_none() || other.way.is_none() || self.way == other.way;
        (self.of == other.of && ways_agree).then_some(StepChain {
            way: self.way.or(other.way),
            steps: self.steps | other.steps,
            ..self
        })
    }
}

impl FunctionEmitter<'_, '_> {
    /// What is known of the set that an instruction gives.
    pub(super) fn step_chain_after(&mut self, op: Op) -> Option<StepChain> {
        match op.code {
            Code::Shift => {
                let step_chain = self.step_chain(op.b);
                let goes_on = step_chain.way.is_none_or(|way| way == op.x)
                    && step_chain.steps.leading_zeros() > 0;
                goes_on.then_some(StepChain {
                    way: Some(op.x),
                    steps: step_chain.steps << 1,
                    ..step_chain
                })
            }
            Code::And => self.step_chain(op.b).and(self.step_chain(op.c)),
            _ => None,
        }
    }

    fn step_chain(&mut self, register: u16) -> StepChain {
        match self.step_chains.get(&register) {
            Some(step_chain) => step_chain.clone(),
            None => StepChain { of: self.words(register), way: None, steps: 1 },
        }
    }

    /// The sites that end a row, where that is what is known of a set, and the row is long enough
    /// that halves are worth the while.
    pub(super) fn row(&mut self, step_chain: &StepChain) -> Option<Words> {
        let length = step_chain.steps.trailing_ones();
        let stepping = &self.env.steps[usize::from(step_chain.way? & 7)];
        if length < 3 || step_chain.steps.count_ones() > length || stepping.one_shift().is_none() {
            return None;
        }
        Some(set_ops::row(&mut self.b, stepping, length - 1, &step_chain.of))
    }
}
