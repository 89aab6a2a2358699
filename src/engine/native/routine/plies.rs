//! Loops over plies, in functions that choose plies themselves: the arguments of a ply are SSA
//! values.

use super::super::super::frame::MAX_PREFIX;
use super::super::set_ops::{self, Variables, Words};
use super::graph::move_set_addresses;
use super::{Continuation, FunctionEmitter, Mode, ProgramPoint, TRUSTED};
use crate::compile::op::Code;
use crate::compile::program::Program;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::array::from_fn;
use std::collections::BTreeSet;

/// The arguments of the current ply.
pub(super) struct Chosen {
    /// The member of the move set, as a number and as a set.
    site: Variable,
    pub(super) member: Variables,
    /// The prefix arguments, as many as the program uses.
    pub(super) prefix: Vec<Variable>,
}

impl Chosen {
    pub(super) fn new(b: &mut FunctionBuilder, program: &Program, width: usize) -> Chosen {
        let places = program.code.iter().map(|op| match op.code {
            Code::SetPrefix | Code::EachPrefix => usize::from(op.x) + 1,
            Code::Together => usize::from(op.x) + usize::from(op.b),
            _ => 0,
        });
        Chosen {
            site: b.declare_var(types::I32),
            member: set_ops::variables(b, width),
            prefix: (0..places.max().unwrap_or(0).min(MAX_PREFIX))
                .map(|_| b.declare_var(types::I32))
                .collect(),
        }
    }
}

impl FunctionEmitter<'_, '_> {
    /// Tests if the function chooses plies itself; others receive one in the frame.
    pub(super) fn chooses(&self) -> bool {
        !matches!(self.mode, Mode::Routine)
    }

    pub(super) fn choose_member(&mut self, site: Value, member: &[Value]) {
        self.b.def_var(self.chosen.site, site);
        set_ops::define(&mut self.b, &self.chosen.member, member);
    }

    pub(super) fn chosen_argument(&mut self, index: u8) -> Value {
        match index
            .checked_sub(1)
            .map_or(Some(&self.chosen.site), |index| self.chosen.prefix.get(usize::from(index)))
        {
            Some(&argument) => self.b.use_var(argument),
            None => self.b.ins().iconst(types::I32, 0),
        }
    }

    /// Returns the member of the current ply as a set, if the function chose it.
    pub(super) fn chosen_member(&mut self) -> Option<Words> {
        self.chooses().then(|| set_ops::used(&mut self.b, &self.chosen.member))
    }

    /// Returns the specializations of a decision's moves.
    pub(super) fn specializations(&self, decision: u16) -> Vec<u16> {
        let move_sets = move_set_addresses(
            self.program,
            self.program.decisions[usize::from(decision)].generate_moves,
        )
        .into_iter();
        move_sets.map(|address| self.op(address).b).collect::<BTreeSet<u16>>().into_iter().collect()
    }

    pub(super) fn applying(&self, specialization: u16, decision: u16) -> ProgramPoint {
        (
            self.program.specializations[usize::from(specialization)].apply,
            Continuation::End(decision),
        )
    }

    /// Emits a loop over the members of the decision's move sets from `first` to `last` in the
    /// room, each applied to the position that `begin` restores. The code after a ply is emitted
    /// elsewhere and jumps to `next_ply`; the code emitted next runs after the loop.
    pub(super) fn each_ply(
        &mut self,
        decision: u16,
        next_ply: Block,
        first: Value,
        last: impl FnOnce(&mut Self) -> Value,
        begin: impl FnOnce(&mut Self),
    ) {
        let [next_offer, this_offer, this_ply, done] = from_fn(|_| self.b.create_block());
        let [index, place] = [types::I64, types::I32].map(|kind| self.b.declare_var(kind));
        let specializations = self.specializations(decision);
        let (lowest, highest) = (
            specializations.first().copied().unwrap_or(0),
            specializations.last().copied().unwrap_or(0),
        );
        // Indexes between the decision's specializations that belong to others do not occur.
        let applied = |specialization| {
            if specializations.contains(&specialization) {
                self.blocks[&self.applying(specialization, decision)]
            } else {
                next_offer
            }
        };
        let applied: Vec<Block> = (lowest..=highest).map(applied).collect();
        let rest = set_ops::variables(&mut self.b, self.layout.width);
        self.b.def_var(index, first);
        self.b.ins().jump(next_offer, &[]);

        self.b.switch_to_block(next_offer);
        let move_set_count = last(self);
        let here = self.b.use_var(index);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, here, move_set_count);
        self.b.ins().brif(more, this_offer, &[], done, &[]);

        self.b.switch_to_block(this_offer);
        let entry = self.move_set_address(here);
        for (place, variable) in self.chosen.prefix.clone().into_iter().enumerate() {
            let prefix = self.b.ins().load(
                types::I16,
                TRUSTED,
                entry,
                (self.layout.move_set_prefix + 2 * place) as i32,
            );
            let prefix = self.b.ins().sextend(types::I32, prefix);
            self.b.def_var(variable, prefix);
        }
        for (word, &variable) in rest.iter().enumerate() {
            let members = self.b.ins().load(
                types::I64,
                TRUSTED,
                entry,
                (self.layout.move_set_members + 8 * word) as i32,
            );
            self.b.def_var(variable, members);
        }
        let specialization = self.b.ins().load(
            types::I16,
            TRUSTED,
            entry,
            self.layout.move_set_specialization as i32,
        );
        let specialization = self.b.ins().uextend(types::I32, specialization);
        let specialization = self.b.ins().iadd_imm_s(specialization, -i64::from(lowest));
        self.b.def_var(place, specialization);
        let after = self.b.ins().iadd_imm_s(here, 1);
        self.b.def_var(index, after);
        self.b.ins().jump(next_ply, &[]);

        self.b.switch_to_block(next_ply);
        let members = set_ops::used(&mut self.b, &rest);
        let any = set_ops::any(&mut self.b, &members);
        self.b.ins().brif(any, this_ply, &[], next_offer, &[]);

        self.b.switch_to_block(this_ply);
        let site = set_ops::lowest(&mut self.b, &members);
        let others = set_ops::rest(&mut self.b, &members);
        let member = set_ops::without(&mut self.b, &members, &others);
        self.choose_member(site, &member);
        set_ops::define(&mut self.b, &rest, &others);
        begin(self);
        let none = self.b.ins().iconst(types::I32, 0);
        self.b.def_var(self.leaves, none);
        let place = self.b.use_var(place);
        self.go_to(place, &applied);
        self.b.switch_to_block(done);
    }

    pub(super) fn next_ply_follows(&mut self) {
        if let Mode::Perft { next_ply, .. } | Mode::Lookahead { next_ply, .. } = self.mode {
            self.b.ins().jump(next_ply, &[]);
        }
    }
}
