//! Rows: sites that come after others of the same set in a direction.
//!
//! That a site and so many before it are in a set is asked by as many steps of the whole set. Half of a row is as good as all its sites one by one: where a site ends a row of two, and the one two steps
//! before does, it ends a row of four. That the board goes on for so long is asked at the end.

use super::super::words::{self, Words};
use super::FunctionEmitter;
use crate::compile::op::{Code, Op};

/// What is known of a set: it has the sites to which certain numbers of steps in one direction lead from another set, all of them.
#[derive(Clone, Debug)]
pub struct Run {
    of: Words,
    /// None where no step was taken yet.
    way: Option<u8>,
    /// A bit for each number of steps.
    steps: u64,
}

impl Run {
    /// What is known of the sites that are in both sets.
    fn and(self, other: Run) -> Option<Run> {
        let ways_agree = self.way.is_none() || other.way.is_none() || self.way == other.way;
        (self.of == other.of && ways_agree).then_some(Run { way: self.way.or(other.way), steps: self.steps | other.steps, ..self })
    }
}

impl FunctionEmitter<'_, '_> {
    /// What is known of the set that an instruction gives.
    pub(super) fn run_after(&mut self, op: Op) -> Option<Run> {
        match op.code {
            Code::Shift => {
                let run = self.run(op.b);
                let goes_on = run.way.is_none_or(|way| way == op.x) && run.steps.leading_zeros() > 0;
                goes_on.then_some(Run { way: Some(op.x), steps: run.steps << 1, ..run })
            }
            Code::And => self.run(op.b).and(self.run(op.c)),
            _ => None,
        }
    }

    fn run(&mut self, register: u16) -> Run {
        match self.runs.get(&register) {
            Some(run) => run.clone(),
            None => Run { of: self.words(register), way: None, steps: 1 },
        }
    }

    /// The sites that end a row, where that is what is known of a set, and the row is long enough that halves are worth the while.
    pub(super) fn row(&mut self, run: &Run) -> Option<Words> {
        let length = run.steps.trailing_ones();
        let stepping = &self.env.steps[usize::from(run.way? & 7)];
        if length < 3 || run.steps.count_ones() > length || stepping.one_shift().is_none() {
            return None;
        }
        Some(words::row(&mut self.b, stepping, length - 1, &run.of))
    }
}
