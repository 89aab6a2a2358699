//! The control flow graph of a function: reachable instructions, successors and blocks.

use super::super::set_ops;
use super::piles::StoredPiles;
use super::{Continuation, FunctionEmitter, Mode, ProgramPoint, Register};
use crate::compile::op::{Code, Op, OperandRole, RegisterFile};
use crate::compile::program::{Address, Program};
use cranelift_codegen::ir::types;
use cranelift_frontend::FunctionBuilder;
use std::array::from_fn;

impl Register {
    /// Makes the variables of a register.
    pub(super) fn new(b: &mut FunctionBuilder, is_set: bool, width: usize) -> Register {
        match is_set {
            true => Register::Set(set_ops::variables(b, width)),
            false => Register::Number(b.declare_var(types::I32)),
        }
    }
}

/// Returns the instructions of a routine that add move sets, in order.
pub(super) fn move_set_addresses(program: &Program, from: Address) -> Vec<Address> {
    let makes_offer =
        |address: &Address| program.code[usize::from(*address)].code == Code::AddMoveSet;
    program.routine(from).into_iter().filter(makes_offer).collect()
}

impl FunctionEmitter<'_, '_> {
    /// Returns the routine that checks, after a ply of the decision, if the game is over.
    pub(super) fn end(&self, decision: u16) -> ProgramPoint {
        let mover = self.program.decisions[usize::from(decision)].mover;
        (self.program.end[mover.index()], Continuation::GoOn(decision))
    }

    pub(super) fn otherwise(&self, decision: u16) -> ProgramPoint {
        (self.program.decisions[usize::from(decision)].otherwise, Continuation::Done)
    }

    pub(super) fn op(&self, address: Address) -> Op {
        self.program.code[usize::from(address)]
    }

    /// Returns where the order of play continues after a ply of the decision, and where if the ply
    /// ends the turn, unless that is the same.
    pub(super) fn onward(&self, decision: u16) -> Vec<ProgramPoint> {
        let code = &self.program.decisions[usize::from(decision)];
        let mut places = vec![(code.next, Continuation::Done)];
        if code.leave != code.next {
            places.push((code.leave, Continuation::Done));
        }
        places
    }

    /// Tests if play continues elsewhere if a ply of the decision ends the turn.
    pub(super) fn can_be_left(&self, decision: u16) -> bool {
        self.onward(decision).len() > 1
    }

    /// Returns the successors of an instruction, the next one first.
    pub(super) fn successors(&self, (address, then): ProgramPoint) -> Vec<ProgramPoint> {
        let op = self.op(address);
        let next = (address + 1, then);
        let target = (op.c, then);
        match op.code {
            Code::Jump | Code::LoopBack => vec![target],
            Code::Return => match (then, &self.mode) {
                (Continuation::At(decision), Mode::Perft { .. }) => vec![self.otherwise(decision)],
                (Continuation::At(decision), Mode::Lookahead { .. }) => {
                    let specializations = self.specializations(decision).into_iter();
                    specializations
                        .map(|specialization| self.applying(specialization, decision))
                        .chain([self.ending(decision)])
                        .collect()
                }
                (
                    Continuation::At(decision)
                    | Continuation::First(decision)
                    | Continuation::ProposalsReady(decision),
                    Mode::Playout(playout),
                ) => self.after_generation(playout, decision),
                (Continuation::GoOn(decision), Mode::Playout(_)) => {
                    self.onward(decision).into_iter().chain(self.completing(decision)).collect()
                }
                (Continuation::GoOn(_), Mode::Lookahead { .. }) => Vec::new(),
                (Continuation::GoOn(decision) | Continuation::Completed(decision), _) => {
                    self.onward(decision)
                }
                (Continuation::End(decision), _) => vec![self.end(decision)],
                _ => Vec::new(),
            },
            Code::Decide if matches!(self.mode, Mode::Playout(_)) => {
                vec![self.first_pool_start(op.a)]
            }
            Code::Decide => vec![(
                self.program.decisions[usize::from(op.a)].generate_moves,
                Continuation::At(op.a),
            )],
            Code::Fail | Code::Win | Code::Draw => Vec::new(),
            code if code.roles()[2] == OperandRole::Target => vec![next, target],
            _ => vec![next],
        }
    }

    /// Finds the reachable instructions, the starts of blocks, and the features that the function
    /// uses.
    pub(super) fn explore(&mut self, entries: &[ProgramPoint]) {
        let mut open = entries.to_vec();
        for &entry in entries {
            self.begin_block(entry);
        }
        while let Some(place) = open.pop() {
            if !self.reached.insert(place) {
                continue;
            }
            let op = self.op(place.0);
            match op.code {
                Code::LoopBack | Code::Take | Code::Dequeue | Code::Flood => {
                    self.uses_move_fuel = true
                }
                Code::Leave => self.uses_leaves = true,
                Code::Return => {
                    if let Continuation::GoOn(decision) | Continuation::Completed(decision) =
                        place.1
                    {
                        self.uses_leaves |= self.can_be_left(decision);
                    }
                }
                Code::AddMoveSet => self.move_sets = true,
                Code::GuardAllLegal => self.emits_guard = true,
                _ => {}
            }
            let holds = matches!(op.code, Code::SetPrefix | Code::EachPrefix | Code::Together);
            if holds && self.prefix.is_none() {
                self.prefix = Some(from_fn(|_| self.b.declare_var(types::I16)));
            }
            for (role, register) in op.operands() {
                let Some(file) = role.file() else { continue };
                let is_set = file == RegisterFile::Sets;
                if role.is_written() && self.is_of_position(is_set, register) {
                    self.written.insert((is_set, register));
                }
                self.declare(is_set, register);
            }
            if op.code.works_on_piles()
                && let Some(piles) = &self.program.layout.piles
            {
                let (b, width) = (&mut self.b, self.layout.width);
                self.piles.get_or_insert_with(|| StoredPiles::new(b, piles, width));
                if op.code.moves_piles() {
                    self.written.extend(piles.registers().map(|register| (true, register)));
                }
                (0..piles.tops).for_each(|top| self.declare(true, top));
            }
            let successors = self.successors(place);
            let straight = op.code != Code::Return
                && op.code.roles()[2] != OperandRole::Target
                && successors == [(place.0 + 1, place.1)];
            for next in successors {
                if !straight {
                    self.begin_block(next);
                }
                open.push(next);
            }
        }
    }

    /// Declares a register, unless it is declared.
    pub(super) fn declare(&mut self, is_set: bool, register: u16) {
        let (b, width) = (&mut self.b, self.layout.width);
        self.registers.entry((is_set, register)).or_insert_with(|| Register::new(b, is_set, width));
    }

    pub(super) fn begin_block(&mut self, place: ProgramPoint) {
        let b = &mut self.b;
        self.blocks.entry(place).or_insert_with(|| b.create_block());
    }

    pub(super) fn is_of_position(&self, is_set: bool, register: u16) -> bool {
        register < if is_set { self.program.layout.sets } else { self.program.nums }
    }

    /// Tests if the instruction may run again before the function ends.
    pub(super) fn is_in_loop(&self, address: Address) -> bool {
        self.reached.iter().any(|&(from, _)| {
            let op = self.op(from);
            from >= address && op.code.roles()[2] == OperandRole::Target && op.c <= address
        })
    }
}
