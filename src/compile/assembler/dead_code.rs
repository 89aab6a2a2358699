//! Drops instructions whose results are never read.

use super::{Assembler, FIXED};
use crate::compile::op::{Op, OperandRole};

impl Assembler {
    /// Drops pure instructions whose result is never read, to a fixed point.
    pub(super) fn eliminate_dead_code(&mut self) {
        let mut set_reads = vec![0u32; self.next_set as usize];
        let mut num_reads = vec![0u32; self.next_num as usize];
        let count = |op: &Op, by: i64, sets: &mut Vec<u32>, nums: &mut Vec<u32>| {
            for (role, register) in op.operands() {
                let reads = match role {
                    OperandRole::SetRead | OperandRole::SetChange => {
                        &mut sets[usize::from(register)]
                    }
                    OperandRole::NumberRead | OperandRole::NumberChange => {
                        &mut nums[usize::from(register)]
                    }
                    _ => continue,
                };
                *reads = (i64::from(*reads) + by) as u32;
            }
        };
        for op in &self.ops {
            count(op, 1, &mut set_reads, &mut num_reads);
        }
        let mut keep = vec![true; self.ops.len()];
        loop {
            let mut dropped = false;
            // Backwards, so that a dropped reader frees the values that it reads in the same pass.
            for (index, op) in self.ops.iter().enumerate().rev() {
                if !keep[index] || !op.code.is_pure() || op.a < FIXED {
                    continue;
                }
                let reads = match op.code.roles()[0] {
                    OperandRole::SetWrite => set_reads[usize::from(op.a)],
                    _ => num_reads[usize::from(op.a)],
                };
                if reads == 0 {
                    keep[index] = false;
                    dropped = true;
                    count(op, -1, &mut set_reads, &mut num_reads);
                }
            }
            // Only in a loop can an instruction read what a later one computes, which takes another
            // pass.
            if !dropped || self.loops.is_empty() {
                break;
            }
        }
        let mut moved = Vec::with_capacity(self.ops.len() + 1);
        let mut left = 0;
        for &kept in &keep {
            moved.push(left);
            left += usize::from(kept);
        }
        moved.push(left);
        for place in self.labels.iter_mut().flatten() {
            *place = moved[*place];
        }
        for (from, to) in &mut self.loops {
            (*from, *to) = (moved[*from], moved[*to]);
        }
        for (_, from, to) in &mut self.notes {
            (*from, *to) = (moved[*from], moved[*to]);
        }
        let mut keep = keep.into_iter();
        self.ops.retain(|_| keep.next().unwrap_or(true));
    }
}
