//! Instructions, one by one.

use super::super::super::bits::Bits;
use super::super::super::frame::{Frame, HELD, Offer, Queue};
use super::super::super::tables::{Along, back};
use super::super::helpers::Helpers;
use super::super::status;
use super::super::words::{self, Words};
use super::{Offering, Place, TRUSTED, Then, Writer};
use crate::compile::op::{Code, Op};
use crate::compile::program::Address;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Value, types};
use std::array::from_fn;
use std::mem::offset_of;

impl<const W: usize> Writer<'_, '_, W> {
    /// Writes one instruction; gives whether it ends its block.
    pub(super) fn instruction(&mut self, place: Place) -> bool {
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
                    let (run, loose) = (self.run_after(op), self.loose_after(op));
                    let words = match run.and_then(|run| self.row(run)) {
                        Some(row) => row,
                        None => self.plain_set(op),
                    };
                    self.set(op.a, words);
                    self.runs.extend(run.map(|run| (op.a, run)));
                    self.loose.extend(loose.map(|loose| (op.a, loose)));
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
                if let Some(wide) = self.kept_view(address) {
                    self.set_wide(op.a, wide);
                } else {
                    let words = self.found_set(op);
                    self.set(op.a, words);
                }
            }
            Code::Step if self.is_unasked(op) => {
                let site = self.stepped_site(op);
                self.keep_site(op.a, site);
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
            | Code::Direction
            | Code::Argument
            | Code::Bit => {
                let number = self.found_number(op);
                let site = self.given_site(op, number);
                self.put(op.a, number);
                if let Some(site) = site {
                    self.keep_site(op.a, site);
                }
            }
            Code::IfNone | Code::IfAny | Code::IfIn | Code::IfOut | Code::IfEqual | Code::IfUnequal | Code::IfLess | Code::IfAtLeast => {
                self.settle_offers(place);
                let (condition, negated) = self.condition(op);
                let (yes, no) = if negated { (next, target) } else { (target, next) };
                self.fork(condition, yes, no);
                return true;
            }
            Code::Jump => {
                self.jump(target);
                return true;
            }
            Code::Again => {
                self.round(address);
                self.jump(target);
                return true;
            }
            Code::Take => {
                let set = self.words(op.b);
                let any = words::any(&mut self.b, &set);
                let some = self.b.create_block();
                let over = self.blocks[&target];
                self.b.ins().brif(any, some, &[], over, &[]);
                self.b.switch_to_block(some);
                self.round(address);
                let lowest = words::lowest(&mut self.b, &set);
                let rest = words::rest(&mut self.b, &set);
                let site = words::without(&mut self.b, &set, &rest);
                self.keep_site(op.a, site);
                self.put(op.a, lowest);
                self.set(op.b, rest);
                self.jump(next);
                return true;
            }
            Code::Dequeue => {
                self.round(address);
                let queue = self.queue(op.x);
                let site = self.helpers.number(&mut self.b, Helpers::DEQUEUE, &[queue]);
                self.put(op.a, site);
                let over = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, site, 0);
                self.fork(over, target, next);
                return true;
            }
            Code::NewQueue => {
                let queue = self.queue(op.x);
                self.helpers.call(&mut self.b, Helpers::NEW_QUEUE, &[queue]);
            }
            Code::Enqueue => {
                let queue = self.queue(op.x);
                let set = self.words(op.a);
                let set = self.spilled(&set);
                self.helpers.call(&mut self.b, Helpers::ENQUEUE, &[queue, set]);
            }
            Code::Offer => match then {
                Then::At(decision) | Then::First(decision) | Then::Drawn(decision) if self.is_playout() => {
                    self.keep_offer(address, decision)
                }
                _ => self.offer(op, address),
            },
            Code::Hold => {
                let number = self.number(op.a);
                let number = self.b.ins().ireduce(types::I16, number);
                if let Some(&held) = self.held.as_ref().and_then(|held| held.get(usize::from(op.x))) {
                    self.b.def_var(held, number);
                }
            }
            Code::Sure => {
                let sure = self.number(op.a);
                self.b.def_var(self.sure, sure);
            }
            Code::Leave => {
                let yes = self.b.ins().iconst(types::I32, 1);
                self.b.def_var(self.leaves, yes);
            }
            Code::Return => {
                match then {
                    // The order of play never returns; a program that does is over.
                    Then::Done if self.is_playout() => self.finish(status::DRAW, 0),
                    Then::Done => self.finish(status::RETURN, 0),
                    Then::At(decision) | Then::First(decision) if self.is_playout() => self.offered(decision, false),
                    Then::Drawn(decision) => self.offered(decision, true),
                    Then::Counted(decision) => self.counted(decision),
                    Then::At(decision) if self.is_perft() => self.count(decision),
                    Then::At(_) if self.is_ahead() => self.offers_made(),
                    Then::GoOn(decision) if self.is_ahead() => self.follow(decision),
                    Then::Checked => self.leave_with(status::RETURN, 0),
                    Then::At(decision) | Then::First(decision) => self.finish(status::DECIDE, decision),
                    Then::GoOn(first) if self.is_playout() => self.after_ply(first),
                    Then::Completed(decision) => self.complete(decision),
                    Then::GoOn(decision) => self.go_on(decision),
                    Then::End(decision) => self.jump(self.end(decision)),
                }
                return true;
            }
            Code::Fail | Code::Win if self.is_perft() => {
                self.next_ply_follows();
                return true;
            }
            Code::Fail if self.is_ahead() => {
                self.next_ply_follows();
                return true;
            }
            Code::Win if self.is_ahead() => {
                self.finish(status::DRAW, 0);
                return true;
            }
            Code::Fail if self.is_playout() => {
                self.fail(then);
                return true;
            }
            Code::Fail => {
                self.leave_with(status::FAIL, op.a);
                return true;
            }
            Code::Win => {
                self.keep_or_take_back();
                self.write_frame();
                if self.counts_rounds {
                    let rounds = self.b.use_var(self.rounds);
                    self.store(rounds, offset_of!(Frame<W>, rounds));
                }
                let player = self.number(op.a);
                let player = self.b.ins().uextend(types::I64, player);
                let shifted = self.b.ins().ishl_imm_u(player, 8);
                let status = self.b.ins().bor_imm_u(shifted, status::WIN as i64);
                self.b.ins().return_(&[status]);
                return true;
            }
            Code::Draw => {
                self.finish(status::DRAW, 0);
                return true;
            }
            Code::Decide if self.is_playout() => {
                self.decide(op.a);
                return true;
            }
            Code::Decide => {
                self.jump((self.program.decisions[usize::from(op.a)].offer, Then::At(op.a)));
                return true;
            }
        }
        false
    }

    pub(super) fn plain_set(&mut self, op: Op) -> Words<W> {
        match op.code {
            Code::Clear => words::constant(&mut self.b, Bits::NONE),
            Code::Copy => self.words(op.b),
            Code::Join | Code::Drop => {
                let set = self.words(op.a);
                if op.code == Code::Join {
                    let other = self.words(op.b);
                    return words::or(&mut self.b, &set, &other);
                }
                let other = self.loose(op.b);
                words::without(&mut self.b, &set, &other)
            }
            Code::Shift | Code::Beside => {
                let set = self.words(op.b);
                let ways = if op.code == Code::Beside { op.x } else { 1 << (op.x & 7) };
                words::beside(&mut self.b, self.tables, ways, &set)
            }
            code => {
                let (one, other) = self.meeting(op);
                from_fn(|index| self.alike(code, one[index], other[index]))
            }
        }
    }

    /// What an instruction that is done to every site alike makes of two words, or of two wide values.
    pub(super) fn alike(&mut self, code: Code, one: Value, other: Value) -> Value {
        match code {
            Code::And => self.b.ins().band(one, other),
            Code::Or => self.b.ins().bor(one, other),
            Code::AndNot => self.b.ins().band_not(one, other),
            _ => self.b.ins().bxor(one, other),
        }
    }

    pub(super) fn found_set(&mut self, op: Op) -> Words<W> {
        match op.code {
            Code::Gate => {
                let (condition, set) = (self.number(op.c), self.words(op.b));
                words::gate(&mut self.b, condition, &set)
            }
            Code::Transfer => {
                let (from, to) = (self.one(op.b), self.one(op.c));
                let plane = self.words(op.a);
                let both = words::and(&mut self.b, &plane, &from);
                let there = words::any(&mut self.b, &both);
                let arrived = words::gate(&mut self.b, there, &to);
                let left = words::or(&mut self.b, &from, &to);
                let rest = words::without(&mut self.b, &plane, &left);
                words::or(&mut self.b, &rest, &arrived)
            }
            Code::Between => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                self.helped(Helpers::BETWEEN, &[from, to])
            }
            Code::Sight => self.sight(op),
            _ => self.walked_set(op),
        }
    }

    /// Walks along lines: in one shift a round where the directions allow it, else by a helper.
    pub(super) fn walked_set(&mut self, op: Op) -> Words<W> {
        let (one, other) = (self.words(op.b), self.words(op.c));
        let ways: Vec<usize> = match op.code {
            Code::Walk => (0..8).filter(|way| op.x >> way & 1 == 1).collect(),
            _ => vec![usize::from(back(op.x))],
        };
        if ways.iter().any(|&way| !self.tables.steps[way].is_one_shift()) {
            let helper = if op.code == Code::Walk { Helpers::WALK } else { Helpers::FILL };
            let way = self.b.ins().iconst(types::I32, i64::from(op.x));
            let (one, other) = (self.spilled(&one), self.spilled(&other));
            return self.helped(helper, &[way, one, other]);
        }
        let b = &mut self.b;
        let tables = self.tables;
        let walks = ways.into_iter().map(|way| match op.code {
            Code::Walk => words::walk(b, &tables.steps[way], &one, &other),
            _ => words::fill(b, &tables.steps[way], &one, &other),
        });
        let walks: Vec<Words<W>> = walks.collect();
        let none = words::constant(b, Bits::NONE);
        walks.into_iter().reduce(|all, walk| words::or(b, &all, &walk)).unwrap_or(none)
    }

    /// Looks along lines from a site: at rays that never change where site numbers rise or fall along them, else by a helper.
    fn sight(&mut self, op: Op) -> Words<W> {
        let (site, stops) = (self.number(op.b), self.words(op.c));
        let ways: Option<Vec<Along<W>>> = (0..8).filter(|way| op.x >> way & 1 == 1).map(|way| self.tables.rays.along(way)).collect();
        let Some(ways) = ways else {
            let (ways, stops) = (self.b.ins().iconst(types::I32, i64::from(op.x)), self.spilled(&stops));
            return self.helped(Helpers::SIGHT, &[ways, site, stops]);
        };
        let row = self.b.ins().iadd_imm_s(site, 1);
        let none = words::constant(&mut self.b, Bits::NONE);
        let seen: Vec<Words<W>> = ways.into_iter().map(|along| self.seen(along, row, &stops)).collect();
        seen.into_iter().reduce(|all, seen| words::or(&mut self.b, &all, &seen)).unwrap_or(none)
    }

    /// The first of the sites in one direction; the rays of the site are in that row.
    fn seen(&mut self, Along { rays, rises }: Along<W>, row: Value, stops: &Words<W>) -> Words<W> {
        let ray = self.ray(rays, row);
        let met = words::and(&mut self.b, &ray, stops);
        words::nearest(&mut self.b, &met, rises)
    }

    /// A ray that is in that row.
    pub(super) fn ray(&mut self, rays: &[Bits<W>], row: Value) -> Words<W> {
        let entry = self.table_entry(row, rays);
        from_fn(|index| self.b.ins().load(types::I64, TRUSTED.with_readonly(), entry, 8 * index as i32))
    }

    /// Where an entry of a table lies that never changes; the first one where there is none with that number.
    fn table_entry<T>(&mut self, index: Value, table: &[T]) -> Value {
        let valid = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, index, table.len() as i64);
        let first = self.b.ins().iconst(types::I32, 0);
        let index = self.b.ins().select(valid, index, first);
        let index = self.b.ins().uextend(types::I64, index);
        let offset = self.b.ins().imul_imm_s(index, size_of::<T>() as i64);
        let table = self.b.ins().iconst(types::I64, table.as_ptr() as i64);
        self.b.ins().iadd(table, offset)
    }

    pub(super) fn found_number(&mut self, op: Op) -> Value {
        match op.code {
            Code::Constant => self.b.ins().iconst(types::I32, i64::from(op.constant())),
            Code::Assign => self.number(op.b),
            Code::Add | Code::Subtract | Code::Multiply | Code::Least | Code::Greatest => {
                let (one, other) = (self.number(op.b), self.number(op.c));
                match op.code {
                    Code::Add => {
                        let sum = self.b.ins().sadd_overflow(one, other);
                        self.saturated(sum, one)
                    }
                    Code::Subtract => {
                        let difference = self.b.ins().ssub_overflow(one, other);
                        self.saturated(difference, one)
                    }
                    Code::Multiply => self.multiplied(one, other),
                    code => {
                        let order = if code == Code::Least { IntCC::SignedLessThan } else { IntCC::SignedGreaterThan };
                        let first = self.b.ins().icmp(order, one, other);
                        self.b.ins().select(first, one, other)
                    }
                }
            }
            Code::Divide | Code::Remainder => {
                let number = self.number(op.b);
                let (quotient, rest) = self.divided(number, op.c);
                if op.code == Code::Divide { quotient } else { rest }
            }
            Code::Count => {
                let set = self.words(op.b);
                words::count(&mut self.b, &set)
            }
            Code::Lowest => {
                let set = self.words(op.b);
                let any = words::any(&mut self.b, &set);
                let lowest = words::lowest(&mut self.b, &set);
                let nowhere = self.b.ins().iconst(types::I32, -1);
                self.b.ins().select(any, lowest, nowhere)
            }
            Code::Step => {
                let site = self.number(op.b);
                self.stepped(op.x, site)
            }
            Code::Direction => {
                let (from, to) = (self.number(op.b), self.number(op.c));
                let tables = self.b.ins().iconst(types::I64, std::ptr::from_ref(self.tables) as i64);
                self.helpers.number(&mut self.b, Helpers::DIRECTION, &[tables, from, to])
            }
            Code::Argument if usize::from(op.x) > HELD => self.b.ins().iconst(types::I32, -1),
            Code::Argument if self.chooses() => self.chosen_argument(op.x),
            Code::Argument => self.load(types::I32, offset_of!(Frame<W>, arguments) + 4 * usize::from(op.x)),
            _ => {
                let (number, set) = (self.number(op.a), self.words(op.b));
                let has = self.is_in(op.c, &set);
                let more = self.b.ins().iadd_imm_s(number, 1 << op.x);
                self.b.ins().select(has, more, number)
            }
        }
    }

    /// What a conditional jump asks, and whether it jumps where the answer is no.
    pub(super) fn condition(&mut self, op: Op) -> (Value, bool) {
        let compare = |writer: &mut Self, order: IntCC| {
            let (one, other) = (writer.number(op.a), writer.number(op.b));
            writer.b.ins().icmp(order, one, other)
        };
        match op.code {
            Code::IfNone | Code::IfAny => {
                let set = self.words(op.a);
                (words::any(&mut self.b, &set), op.code == Code::IfNone)
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

    /// Adds an offer, which stays only if it has a member.
    pub(super) fn offer(&mut self, op: Op, address: Address) {
        let Offering { offered, total, .. } = self.offering;
        let members = self.words(op.a);
        if self.is_tally() {
            let before = self.b.use_var(total);
            let count = words::count(&mut self.b, &members);
            let after = self.b.ins().iadd(before, count);
            return self.b.def_var(total, after);
        }
        if self.is_in_loop(address) {
            self.make_room(1, address);
        }
        let place = self.b.use_var(offered);
        let entry = self.offer_entry(place);
        for (index, &word) in members.iter().enumerate() {
            self.b.ins().store(TRUSTED, word, entry, (offset_of!(Offer<W>, members) + 8 * index) as i32);
        }
        let before = self.b.use_var(total);
        self.b.ins().store(TRUSTED, before, entry, offset_of!(Offer<W>, before) as i32);
        let variation = self.b.ins().iconst(types::I16, i64::from(op.b));
        self.b.ins().store(TRUSTED, variation, entry, offset_of!(Offer<W>, variation) as i32);
        for (index, held) in self.held.into_iter().flatten().enumerate() {
            let held = self.b.use_var(held);
            self.b.ins().store(TRUSTED, held, entry, (offset_of!(Offer<W>, held) + 2 * index) as i32);
        }
        let count = words::count(&mut self.b, &members);
        let after = self.b.ins().iadd(before, count);
        self.b.def_var(total, after);
        let some = self.b.ins().icmp_imm_u(IntCC::NotEqual, count, 0);
        let more = self.b.ins().uextend(types::I64, some);
        let next = self.b.ins().iadd(place, more);
        self.b.def_var(offered, next);
    }

    /// A set in memory, for a helper to read.
    pub(super) fn spilled(&mut self, words: &Words<W>) -> Value {
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * W as u32, 3));
        let address = self.b.ins().stack_addr(types::I64, slot, 0);
        for (index, &word) in words.iter().enumerate() {
            self.b.ins().store(TRUSTED, word, address, 8 * index as i32);
        }
        address
    }

    /// A set that a helper works out from numbers or sets.
    pub(super) fn helped(&mut self, helper: usize, arguments: &[Value]) -> Words<W> {
        let none = words::constant(&mut self.b, Bits::NONE);
        let result = self.spilled(&none);
        let tables = self.b.ins().iconst(types::I64, std::ptr::from_ref(self.tables) as i64);
        let mut all = vec![tables];
        all.extend_from_slice(arguments);
        all.push(result);
        self.helpers.call(&mut self.b, helper, &all);
        from_fn(|index| self.b.ins().load(types::I64, MemFlagsData::new(), result, 8 * index as i32))
    }

    /// Where the queue of a chain lies.
    pub(super) fn queue(&mut self, chain: u8) -> Value {
        self.b.ins().iadd_imm_s(self.queues, (usize::from(chain) * size_of::<Queue<W>>()) as i64)
    }

    /// Keeps a sum or difference within 32 bits where it left them; `sign` is an operand whose sign it then has.
    pub(super) fn saturated(&mut self, (number, overflow): (Value, Value), sign: Value) -> Value {
        let negative = self.b.ins().sshr_imm_u(sign, 31);
        let most = self.b.ins().bxor_imm_s(negative, i64::from(i32::MAX));
        self.b.ins().select(overflow, most, number)
    }

    pub(super) fn multiplied(&mut self, one: Value, other: Value) -> Value {
        let (one, other) = (self.b.ins().sextend(types::I64, one), self.b.ins().sextend(types::I64, other));
        let product = self.b.ins().imul(one, other);
        let bounded = [(IntCC::SignedGreaterThan, i32::MAX), (IntCC::SignedLessThan, i32::MIN)].into_iter().fold(
            product,
            |number, (beyond, bound)| {
                let bound = self.b.ins().iconst(types::I64, i64::from(bound));
                let is_beyond = self.b.ins().icmp(beyond, number, bound);
                self.b.ins().select(is_beyond, bound, number)
            },
        );
        self.b.ins().ireduce(types::I32, bounded)
    }

    /// The quotient, rounded down, and the rest of a division by a number above zero.
    pub(super) fn divided(&mut self, number: Value, by: u16) -> (Value, Value) {
        let by = i64::from(by.max(1));
        if by.count_ones() == 1 {
            let quotient = self.b.ins().sshr_imm_u(number, i64::from(by.trailing_zeros()));
            return (quotient, self.b.ins().band_imm_s(number, by - 1));
        }
        let quotient = self.b.ins().sdiv_imm_s(number, by);
        let product = self.b.ins().imul_imm_s(quotient, by);
        let rest = self.b.ins().isub(number, product);
        let sign = self.b.ins().sshr_imm_u(rest, 31);
        let missing = self.b.ins().band_imm_s(sign, by);
        let (quotient, rest) = (self.b.ins().iadd(quotient, sign), self.b.ins().iadd(rest, missing));
        (quotient, rest)
    }

    /// The site one step from another, or -1.
    pub(super) fn stepped(&mut self, way: u8, site: Value) -> Value {
        let next = &self.tables.next[usize::from(way & 7)];
        let nowhere = self.b.ins().iconst(types::I32, -1);
        if next.is_empty() {
            return nowhere;
        }
        let valid = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, next.len() as i64);
        let entry = self.table_entry(site, next);
        let to = self.b.ins().load(types::I32, TRUSTED.with_readonly(), entry, 0);
        self.b.ins().select(valid, to, nowhere)
    }
}
