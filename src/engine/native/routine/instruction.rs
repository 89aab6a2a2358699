//! Emits the instructions of a program one by one.

use super::super::helpers::Helper;
use super::super::set_ops::{self, Words};
use super::super::status;
use super::{Continuation, FunctionEmitter, Mode, MoveSetBuffer, ProgramPoint, TRUSTED};
use crate::compile::op::{Code, Op};
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value, types,
};

impl FunctionEmitter<'_, '_> {
    /// Emits one instruction; returns whether it ends its block.
    pub(super) fn instruction(&mut self, place: ProgramPoint) -> bool {
        let (address, then) = place;
        let op = self.op(address);
        let (next, target) = ((address + 1, then), (op.c, then));
        match op.code {
            Code::Copy
            | Code::And
            | Code::Or
            | Code::AndNot
            | Code::Xor
            | Code::Join
            | Code::Drop
            | Code::Clear
            | Code::Shift
            | Code::Beside => {
                if let Some(wide) = self.wide_set(op) {
                    self.set_wide(op.a, wide);
                } else {
                    let run = self.step_chain_after(op);
                    let words = match run.as_ref().and_then(|run| self.row(run)) {
                        Some(row) => row,
                        None => self.plain_set(op),
                    };
                    self.set(op.a, words);
                    self.step_chains.extend(run.map(|run| (op.a, run)));
                }
            }
            Code::Flood => {
                let words = self.flood(address);
                self.set(op.a, words);
            }
            Code::Single => {
                let words = self.one(op.b);
                self.set(op.a, words);
            }
            Code::Fill | Code::Walk | Code::Sight | Code::Between | Code::Gate | Code::Transfer => {
                if let Some(wide) = self.cached_fill(address) {
                    self.set_wide(op.a, wide);
                } else {
                    let words = self.found_set(op);
                    self.set(op.a, words);
                }
            }
            Code::Constant
            | Code::Assign
            | Code::Add
            | Code::Subtract
            | Code::Multiply
            | Code::Divide
            | Code::Remainder
            | Code::Least
            | Code::Greatest
            | Code::Count
            | Code::Lowest
            | Code::Step
            | Code::StepBy
            | Code::Direction
            | Code::Distance
            | Code::Argument
            | Code::Bit => {
                let number = self.found_number(op);
                let site = self.given_site(op, number);
                self.put(op.a, number);
                if let Some(site) = site {
                    self.keep_site(op.a, site);
                }
            }
            Code::IfNone
            | Code::IfAny
            | Code::IfIn
            | Code::IfOut
            | Code::IfEqual
            | Code::IfUnequal
            | Code::IfLess
            | Code::IfAtLeast => {
                let (condition, negated) = self.condition(op);
                let (yes, no) = if negated { (next, target) } else { (target, next) };
                self.fork(condition, yes, no);
                return true;
            }
            Code::Jump => {
                self.jump(target);
                return true;
            }
            Code::LoopBack => {
                self.take_move_fuel(address);
                self.jump(target);
                return true;
            }
            Code::Take => {
                let set = self.words(op.b);
                let any = set_ops::any(&mut self.b, &set);
                let some = self.b.create_block();
                let over = self.blocks[&target];
                self.b.ins().brif(any, some, &[], over, &[]);
                self.b.switch_to_block(some);
                self.take_move_fuel(address);
                let lowest = set_ops::lowest(&mut self.b, &set);
                let rest = set_ops::rest(&mut self.b, &set);
                let site = set_ops::without(&mut self.b, &set, &rest);
                self.keep_site(op.a, site);
                self.put(op.a, lowest);
                self.set(op.b, rest);
                self.jump(next);
                return true;
            }
            Code::Dequeue => {
                self.take_move_fuel(address);
                let queue = self.queue(op.x);
                let site = self.helpers.number(&mut self.b, Helper::Dequeue, &[queue]);
                self.put(op.a, site);
                let over = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, site, 0);
                self.fork(over, target, next);
                return true;
            }
            Code::NewQueue => {
                let queue = self.queue(op.x);
                self.helpers.call(&mut self.b, Helper::NewQueue, &[queue]);
            }
            Code::Enqueue => {
                let queue = self.queue(op.x);
                let set = self.words(op.a);
                let set = self.spill(&set);
                self.helpers.call(&mut self.b, Helper::Enqueue, &[queue, set]);
            }
            Code::AddMoveSet => match (then, &self.mode) {
                (
                    Continuation::At(decision)
                    | Continuation::First(decision)
                    | Continuation::ProposalsReady(decision),
                    Mode::Playout(_),
                ) => self.keep_move_set(address, decision),
                _ => self.add_move_set(op, address),
            },
            Code::Sink | Code::Rise | Code::Carry | Code::Height => self.work_on_piles(op),
            // The move set behind them reads them.
            Code::EachPrefix | Code::Together => {}
            Code::SetPrefix => {
                let number = self.number(op.a);
                let number = self.b.ins().ireduce(types::I16, number);
                if let Some(&prefix) =
                    self.prefix.as_ref().and_then(|prefix| prefix.get(usize::from(op.x)))
                {
                    self.b.def_var(prefix, number);
                }
            }
            Code::GuardAllLegal => {
                let all_legal = self.number(op.a);
                self.b.def_var(self.all_legal, all_legal);
            }
            Code::Leave => {
                let yes = self.b.ins().iconst(types::I32, 1);
                self.b.def_var(self.leaves, yes);
            }
            Code::Return => {
                self.continue_with(then);
                return true;
            }
            Code::Fail => {
                match self.mode {
                    Mode::Perft { .. } | Mode::Lookahead { .. } => self.next_ply_follows(),
                    Mode::Playout(_) => self.fail(then),
                    Mode::Routine => self.leave_with(status::FAIL, op.a),
                }
                return true;
            }
            Code::Draw => {
                self.finish(status::DRAW, 0);
                return true;
            }
            Code::Win => {
                self.win(op.a);
                return true;
            }
            Code::Decide => {
                match self.mode {
                    Mode::Playout(_) => self.decide(op.a),
                    _ => self.jump((
                        self.program.decisions[usize::from(op.a)].generate_moves,
                        Continuation::At(op.a),
                    )),
                }
                return true;
            }
        }
        false
    }

    /// Emits the continuation of a routine.
    fn continue_with(&mut self, then: Continuation) {
        match (then, &self.mode) {
            // The order of play never returns; a program that does is over.
            (Continuation::Done, Mode::Playout(_)) => self.finish(status::DRAW, 0),
            (Continuation::Done, _) => self.finish(status::RETURN, 0),
            (Continuation::At(decision), &Mode::Perft { tally, .. }) => self.count(decision, tally),
            (Continuation::At(_), &Mode::Lookahead { try_move_sets, .. }) => {
                self.b.ins().jump(try_move_sets, &[]);
            }
            (Continuation::At(decision) | Continuation::First(decision), Mode::Playout(_)) => {
                self.pool_filled(decision, false)
            }
            (Continuation::At(decision) | Continuation::First(decision), _) => {
                self.finish(status::DECIDE, decision)
            }
            (Continuation::ProposalsReady(decision), _) => self.pool_filled(decision, true),
            (Continuation::Counted(decision), _) => self.counted(decision),
            (Continuation::Checked, _) => self.leave_with(status::RETURN, 0),
            (Continuation::GoOn(decision), &Mode::Lookahead { plies, .. }) => {
                self.follow(decision, plies)
            }
            (Continuation::GoOn(decision), Mode::Playout(_)) => self.step_or_go_on(decision),
            (Continuation::GoOn(decision), _) => self.go_on(decision),
            (Continuation::Completed(decision), _) => self.complete(decision),
            (Continuation::End(decision), _) => self.jump(self.end(decision)),
        }
    }

    /// Ends the game with a win for the player in a register.
    fn win(&mut self, player: u16) {
        if let Mode::Perft { .. } | Mode::Lookahead { .. } = self.mode {
            // Who wins does not matter there.
            return self.finish(status::DRAW, 0);
        }
        self.keep_or_take_back();
        self.write_frame();
        self.write_move_fuel();
        let player = self.number(player);
        let player = self.b.ins().uextend(types::I64, player);
        let shifted = self.b.ins().ishl_imm_u(player, 8);
        let status = self.b.ins().bor_imm_u(shifted, status::WIN as i64);
        self.b.ins().return_(&[status]);
    }

    pub(super) fn plain_set(&mut self, op: Op) -> Words {
        match op.code {
            Code::Clear => set_ops::none(&mut self.b, self.layout.width),
            Code::Copy => self.words(op.b),
            Code::Join | Code::Drop => {
                let (set, other) = (self.words(op.a), self.words(op.b));
                match op.code {
                    Code::Join => set_ops::or(&mut self.b, &set, &other),
                    _ => set_ops::without(&mut self.b, &set, &other),
                }
            }
            Code::Shift | Code::Beside => {
                let set = self.words(op.b);
                let ways =
                    if op.code == Code::Beside { self.env.mask(op) } else { 1 << (op.x & 15) };
                set_ops::beside(&mut self.b, &self.env.steps, ways, &set)
            }
            code => {
                let (one, other) = (self.words(op.b), self.words(op.c));
                self.apply_to_words(code, &one, &other)
            }
        }
    }

    /// Emits a bitwise instruction on two words or two vectors.
    pub(super) fn apply_bitwise(&mut self, code: Code, one: Value, other: Value) -> Value {
        match code {
            Code::And => self.b.ins().band(one, other),
            Code::Or => self.b.ins().bor(one, other),
            Code::AndNot => self.b.ins().band_not(one, other),
            _ => self.b.ins().bxor(one, other),
        }
    }

    /// Emits a bitwise instruction on two sets.
    pub(super) fn apply_to_words(&mut self, code: Code, one: &[Value], other: &[Value]) -> Words {
        one.iter().zip(other).map(|(&one, &other)| self.apply_bitwise(code, one, other)).collect()
    }

    pub(super) fn found_set(&mut self, op: Op) -> Words {
        match op.code {
            Code::Gate => {
                let (condition, set) = (self.number(op.c), self.words(op.b));
                set_ops::gate(&mut self.b, condition, &set)
            }
            Code::Transfer => {
                let (from, to) = (self.one(op.b), self.one(op.c));
                let plane = self.words(op.a);
                let both = set_ops::and(&mut self.b, &plane, &from);
                let there = set_ops::any(&mut self.b, &both);
                let arrived = set_ops::gate(&mut self.b, there, &to);
                let left = set_ops::or(&mut self.b, &from, &to);
                let rest = set_ops::without(&mut self.b, &plane, &left);
                set_ops::or(&mut self.b, &rest, &arrived)
            }
            Code::Between => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                self.call_set_helper(Helper::Between, &[from, to])
            }
            Code::Sight => self.sight(op),
            _ => self.walked_set(op),
        }
    }

    /// Returns the condition of a conditional jump, and whether it is negated.
    pub(super) fn condition(&mut self, op: Op) -> (Value, bool) {
        let compare = |emitter: &mut Self, order: IntCC| {
            let (one, other) = (emitter.number(op.a), emitter.number(op.b));
            emitter.b.ins().icmp(order, one, other)
        };
        match op.code {
            Code::IfNone | Code::IfAny => {
                let set = self.words(op.a);
                (set_ops::any(&mut self.b, &set), op.code == Code::IfNone)
            }
            Code::IfIn | Code::IfOut => {
                let set = self.words(op.b);
                (self.is_in(op.a, &set), op.code == Code::IfOut)
            }
            Code::IfEqual => (compare(self, IntCC::Equal), false),
            Code::IfUnequal => (compare(self, IntCC::NotEqual), false),
            Code::IfLess => (compare(self, IntCC::SignedLessThan), false),
            _ => (compare(self, IntCC::SignedGreaterThanOrEqual), false),
        }
    }

    /// Stores a move set, or counts its members.
    pub(super) fn add_move_set(&mut self, op: Op, address: Address) {
        let members = self.words(op.a);
        let factors = self.factors(address);
        if self.is_tally() {
            let member_count = self.move_set_buffer.member_count;
            let before = self.b.use_var(member_count);
            let count = self.product_count(&factors, &members);
            let after = self.b.ins().iadd(before, count);
            return self.b.def_var(member_count, after);
        }
        self.list_product(&factors, &members, op, address);
    }

    /// Stores a move set; it is overwritten by the next one if it is empty.
    pub(super) fn store_move_set(&mut self, members: &[Value], op: Op, address: Address) {
        let MoveSetBuffer { move_set_count, member_count, .. } = self.move_set_buffer;
        self.make_room(address);
        let place = self.b.use_var(move_set_count);
        let entry = self.move_set_address(place);
        for (index, &word) in members.iter().enumerate() {
            self.b.ins().store(
                TRUSTED,
                word,
                entry,
                (self.layout.move_set_members + 8 * index) as i32,
            );
        }
        let before = self.b.use_var(member_count);
        self.b.ins().store(TRUSTED, before, entry, self.layout.move_set_before as i32);
        let specialization = self.b.ins().iconst(types::I16, i64::from(op.b));
        self.b.ins().store(
            TRUSTED,
            specialization,
            entry,
            self.layout.move_set_specialization as i32,
        );
        for (index, prefix) in self.prefix.into_iter().flatten().enumerate() {
            let prefix = self.b.use_var(prefix);
            self.b.ins().store(
                TRUSTED,
                prefix,
                entry,
                (self.layout.move_set_prefix + 2 * index) as i32,
            );
        }
        let count = set_ops::count(&mut self.b, members);
        let after = self.b.ins().iadd(before, count);
        self.b.def_var(member_count, after);
        let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, count, 0);
        let more = self.b.ins().uextend(types::I64, some);
        let next = self.b.ins().iadd(place, more);
        self.b.def_var(move_set_count, next);
    }

    /// Stores a set on the stack, for a helper to read.
    pub(super) fn spill(&mut self, words: &[Value]) -> Value {
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(
            StackSlotKind::ExplicitSlot,
            8 * words.len() as u32,
            3,
        ));
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        for (index, &word) in words.iter().enumerate() {
            self.b.ins().store(TRUSTED, word, address, 8 * index as i32);
        }
        address
    }

    /// Calls a helper that returns a set.
    pub(super) fn call_set_helper(&mut self, helper: Helper, arguments: &[Value]) -> Words {
        let none = set_ops::none(&mut self.b, self.layout.width);
        let result = self.spill(&none);
        let tables = self.b.ins().iconst(types::I64, self.env.tables_address as i64);
        let mut all = vec![tables];
        all.extend_from_slice(arguments);
        all.push(result);
        self.helpers.call(&mut self.b, helper, &all);
        (0..self.layout.width)
            .map(|index| {
                self.b.ins().load(types::I64, MemFlagsData::new(), result, 8 * index as i32)
            })
            .collect()
    }

    /// Returns the address of the queue of a chain.
    pub(super) fn queue(&mut self, chain: u8) -> Value {
        self.b.ins().iadd_imm_s(self.queues, (usize::from(chain) * self.layout.queue_size) as i64)
    }
}
