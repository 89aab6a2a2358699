//! Assigns real registers to the virtual ones.

use super::{Assembler, FIXED, TooLarge};
use crate::compile::op::RegisterFile;

impl Assembler {
    /// Assigns real registers by a linear scan over the live ranges of the virtual ones (Poletto
    /// and Sarkar, 1999). A value that is live at the start of a loop and read in it lives to the
    /// loop's end, for the next iteration.
    pub(super) fn assign_registers(&mut self, first: (u16, u16)) -> Result<(), TooLarge> {
        for file in [RegisterFile::Sets, RegisterFile::Numbers] {
            let sets = file == RegisterFile::Sets;
            // First and last use of each virtual register; an unused one begins at the end.
            let count = if sets { self.next_set } else { self.next_num } - u32::from(FIXED);
            let mut lives = vec![(self.ops.len(), 0); count as usize];
            for (index, op) in self.ops.iter().enumerate() {
                for (role, register) in op.operands() {
                    if role.file() == Some(file) && register >= FIXED {
                        let life = &mut lives[usize::from(register - FIXED)];
                        *life = (life.0.min(index), index);
                    }
                }
            }
            // By last use, so that a loop only visits the live ranges that end in it.
            let mut ending: Vec<Vec<usize>> = vec![Vec::new(); self.ops.len() + 1];
            for (register, &(from, to)) in lives.iter().enumerate() {
                if from < self.ops.len() && !self.loops.is_empty() {
                    ending[to].push(register);
                }
            }
            // Loops were recorded innermost first; two passes cover every nesting.
            for _ in 0..2 {
                for &(from, to) in &self.loops {
                    for end in from..to {
                        if ending[end].is_empty() {
                            continue;
                        }
                        let (outliving, ended): (Vec<usize>, Vec<usize>) = ending[end]
                            .iter()
                            .copied()
                            .partition(|&register| lives[register].0 < from);
                        ending[end] = ended;
                        outliving.iter().for_each(|&register| lives[register].1 = to);
                        ending[to].extend(outliving);
                    }
                }
            }
            let mut order: Vec<(usize, (usize, usize))> = lives
                .into_iter()
                .enumerate()
                .filter(|(_, (from, _))| *from < self.ops.len())
                .collect();
            order.sort_by_key(|&(register, (from, _))| (from, register));
            let first = if sets { first.0 } else { first.1 };
            let mut free: Vec<u16> = (first..FIXED).rev().collect();
            let mut active: Vec<(usize, u16)> = Vec::new();
            let mut real = vec![0; count as usize];
            for (register, (from, to)) in order {
                // The instruction that reads a value last may write its own result to the same
                // register.
                active.retain(|&(end, used)| {
                    let over = end <= from;
                    if over {
                        free.push(used);
                    }
                    !over
                });
                let used = free.pop().ok_or(TooLarge)?;
                active.push((to, used));
                real[register] = used;
            }
            for op in &mut self.ops {
                for (role, operand) in op.operands_mut() {
                    if role.file() == Some(file) && *operand >= FIXED {
                        *operand = real[usize::from(*operand - FIXED)];
                    }
                }
            }
        }
        Ok(())
    }
}
