//! Rows, as in "five in a row": sites that follow others of the same set in a direction.
//!
//! The rules ask for n sites in a set by n - 1 steps of the whole set, intersected. Doubling does
//! it in log n: a site ends a row of four if it ends a row of two and the site two steps back does,
//! too. Plain shifts suffice; that the row does not cross an edge is tested once at the end.

use super::super::set_ops::{self, Words};
use super::FunctionEmitter;
use crate::compile::op::{Code, Op};

/// Describes a set as an intersection of steps of another set, all in one direction. `steps` has
/// the number of each step.
#[derive(Clone, Debug)]
pub struct StepChain {
    of: Words,
    /// `None` before the first step.
    way: Option<u8>,
    /// A bit mask of numbers of steps.
    steps: u64,
}

impl StepChain {
    /// Returns the description of the intersection, if there is one.
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
    /// Returns the description of the result of an instruction, if there is one.
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

    /// Returns the ends of rows, if the set consists of such ends and the rows are long enough for
    /// doubling to pay.
    pub(super) fn row(&mut self, step_chain: &StepChain) -> Option<Words> {
        let length = step_chain.steps.trailing_ones();
        let stepping = &self.env.steps[usize::from(step_chain.way? & 15)];
        if length < 3 || step_chain.steps.count_ones() > length || stepping.one_shift().is_none() {
            return None;
        }
        Some(set_ops::row(&mut self.b, stepping, length - 1, &step_chain.of))
    }
}
