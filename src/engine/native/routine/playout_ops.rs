//! Operations of playouts: random numbers, selection of a member by rank, the hash of a position.
//! Each yields the same bits as the engine's own.

use super::super::super::hash;
use super::super::super::history::{FILTER_WORDS, History};
use super::super::helpers::Helper;
use super::super::set_ops::{self, Words};
use super::{FunctionEmitter, TRUSTED};
use crate::random::{INCREMENT, MULTIPLIER};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_frontend::{Switch, Variable};
use std::array::from_fn;
use std::mem::offset_of;
use std::slice::Iter;

impl FunctionEmitter<'_, '_> {
    /// Returns a random number below the bound, which is not zero, as
    /// [`Random::below`](crate::random::Random::below) does.
    pub(super) fn below(&mut self, random: Variable, bound: Value) -> Value {
        let wide = self.b.ins().uextend(types::I64, bound);
        let [doubtful, again, done] = from_fn(|_| self.b.create_block());
        let product = self.b.append_block_param(done, types::I64);
        let retried = self.b.append_block_param(again, types::I64);
        // Lemire: the high half of a product is uniform unless the low half is too small. The
        // division that tells is on the rare path.
        let first = self.bits(random, wide);
        let low = self.b.ins().ireduce(types::I32, first);
        let is_doubtful = self.b.ins().icmp(IntCC::UnsignedLessThan, low, bound);
        self.b.ins().brif(is_doubtful, doubtful, &[], done, &[BlockArg::from(first)]);
        self.b.switch_to_block(doubtful);
        let negative = self.b.ins().ineg(bound);
        let short = self.b.ins().urem(negative, bound);
        self.b.ins().jump(again, &[BlockArg::from(first)]);
        self.b.switch_to_block(again);
        let low = self.b.ins().ireduce(types::I32, retried);
        let is_short = self.b.ins().icmp(IntCC::UnsignedLessThan, low, short);
        let redraw = self.b.create_block();
        self.b.ins().brif(is_short, redraw, &[], done, &[BlockArg::from(retried)]);
        self.b.switch_to_block(redraw);
        let next = self.bits(random, wide);
        self.b.ins().jump(again, &[BlockArg::from(next)]);
        self.b.switch_to_block(done);
        let high = self.b.ins().ushr_imm_u(product, 32);
        self.b.ins().ireduce(types::I32, high)
    }

    /// Advances the generator (PCG) and returns its 32 bits times a number.
    fn bits(&mut self, random: Variable, factor: Value) -> Value {
        let old = self.b.use_var(random);
        let product = self.b.ins().imul_imm_s(old, MULTIPLIER as i64);
        let next = self.b.ins().iadd_imm_s(product, INCREMENT as i64);
        self.b.def_var(random, next);
        let high = self.b.ins().ushr_imm_u(old, 18);
        let mixed = self.b.ins().bxor(high, old);
        let mixed = self.b.ins().ushr_imm_u(mixed, 27);
        let mixed = self.b.ins().ireduce(types::I32, mixed);
        let turn = self.b.ins().ushr_imm_u(old, 59);
        let turn = self.b.ins().ireduce(types::I32, turn);
        let bits = self.b.ins().rotr(mixed, turn);
        let bits = self.b.ins().uextend(types::I64, bits);
        self.b.ins().imul(bits, factor)
    }

    /// Jumps to the block of the move set that the rank falls in. There must be one.
    pub(super) fn choose(&mut self, rank: Value, counts: &[Value], blocks: &[Block]) {
        let last = blocks.len() - 1;
        for (index, &block) in blocks[..last].iter().enumerate() {
            let before = counts[index + 1];
            let later = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, before);
            let on = self.b.create_block();
            self.b.ins().brif(later, on, &[], block, &[]);
            self.b.switch_to_block(on);
        }
        self.b.ins().jump(blocks[last], &[]);
    }

    /// Jumps to the block with this index. There must be one.
    pub(super) fn go_to(&mut self, place: Value, blocks: &[Block]) {
        let last = blocks.len() - 1;
        let mut table = Switch::new();
        for (index, &block) in blocks[..last].iter().enumerate() {
            table.set_entry(index as u128, block);
        }
        table.emit(&mut self.b, place, blocks[last]);
    }

    /// Adds up numbers.
    pub(super) fn sum(&mut self, numbers: Vec<Value>) -> Value {
        let sum = numbers.into_iter().reduce(|one, other| self.b.ins().iadd(one, other));
        sum.unwrap_or_else(|| self.b.ins().iconst(types::I32, 0))
    }

    /// Returns the member of a set by rank, as a set. There must be one.
    pub(super) fn nth(&mut self, members: &[Value], rank: Value) -> Words {
        let (mut word, mut rest, mut before) = (members[0], rank, None);
        let mut reached = Vec::new();
        for index in 1..members.len() {
            let count = self.b.ins().popcnt(members[index - 1]);
            let count = self.b.ins().ireduce(types::I32, count);
            let sum = before.map_or(count, |before| self.b.ins().iadd(before, count));
            before = Some(sum);
            let later = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, sum);
            let beyond = self.b.ins().isub(rank, sum);
            word = self.b.ins().select(later, members[index], word);
            rest = self.b.ins().select(later, beyond, rest);
            reached.push(later);
        }
        let rest = self.b.ins().uextend(types::I64, rest);
        let call = self.helpers.call(&mut self.b, Helper::Nth, &[word, rest]);
        let bit = self.b.inst_results(call)[0];
        // The bit belongs to the last word whose range the rank has reached.
        let none = self.b.ins().iconst(types::I64, 0);
        let member = (0..members.len()).map(|index| {
            let here =
                if index == 0 { bit } else { self.b.ins().select(reached[index - 1], bit, none) };
            reached.get(index).map_or(here, |&later| self.b.ins().select(later, none, here))
        });
        member.collect()
    }

    /// Returns the hash of the position at a decision, as [`hash::hash`] does.
    pub(super) fn hash(&mut self, decision: u16) -> Value {
        let piles = self.program.layout.piles.as_ref();
        let below = piles.map_or(0..0, |piles| piles.all_below());
        let others = (0..self.program.layout.sets).filter(|register| !below.contains(register));
        let mut words: Vec<Value> = others.flat_map(|register| self.words(register)).collect();
        let numbers: Vec<Value> =
            (0..self.program.nums).map(|register| self.number(register)).collect();
        for pair in numbers.chunks(2) {
            let halves: Vec<Value> =
                pair.iter().map(|&number| self.b.ins().uextend(types::I64, number)).collect();
            words.extend(halves.into_iter().reduce(|high, low| {
                let high = self.b.ins().ishl_imm_u(high, 32);
                self.b.ins().bor(high, low)
            }));
        }
        let decision = i64::from(decision).wrapping_mul(hash::FINAL_KEY as i64);
        let mut sum = self.b.ins().iconst(types::I64, decision);
        let mut keys = hash::KEYS.iter();
        sum = self.add_words(sum, words, &mut keys);
        if let Some(piles) = piles {
            // Down to the first depth at which there is nothing.
            let done = self.b.create_block();
            self.b.append_block_param(done, types::I64);
            for depth in 1..usize::from(piles.most) {
                let words: Vec<Value> =
                    piles.below(depth).flat_map(|register| self.words(register)).collect();
                let any = set_ops::any(&mut self.b, &words);
                let deeper = self.b.create_block();
                self.b.ins().brif(any, deeper, &[], done, &[sum.into()]);
                self.b.switch_to_block(deeper);
                sum = self.add_words(sum, words, &mut keys);
            }
            self.b.ins().jump(done, &[sum.into()]);
            self.b.switch_to_block(done);
            sum = self.b.block_params(done)[0];
        }
        let high = self.b.ins().ushr_imm_u(sum, 32);
        let mixed = self.b.ins().bxor(sum, high);
        let last = self.b.ins().iconst(types::I64, hash::FINAL_KEY as i64);
        self.fold_product(mixed, last)
    }

    /// Adds the products of pairs of words, each added to its key, to a sum.
    fn add_words(&mut self, sum: Value, mut words: Vec<Value>, keys: &mut Iter<u64>) -> Value {
        if words.len() % 2 == 1 {
            words.push(self.b.ins().iconst(types::I64, 0));
        }
        let keyed = words.into_iter().zip(keys);
        let keyed: Vec<Value> =
            keyed.map(|(word, &key)| self.b.ins().iadd_imm_s(word, key as i64)).collect();
        keyed.chunks_exact(2).fold(sum, |sum, pair| {
            let product = self.fold_product(pair[0], pair[1]);
            self.b.ins().iadd(sum, product)
        })
    }

    /// Returns the exclusive or of the two halves of a 128-bit product.
    fn fold_product(&mut self, one: Value, other: Value) -> Value {
        let (low, high) = (self.b.ins().imul(one, other), self.b.ins().umulhi(one, other));
        self.b.ins().bxor(low, high)
    }

    /// Appends a hash to the history, as
    /// [`History::push`](super::super::super::history::History::push) does. Jumps to the first
    /// block if the filter proves that it is new, else to the second; to the third, with nothing
    /// appended, if there is no room.
    pub(super) fn push(&mut self, hash: Value, [new, known, full]: [Block; 3]) {
        let history = self.move_set_buffer.room;
        let field = |offset: usize| offset as i32;
        let length =
            self.b.ins().load(types::I64, TRUSTED, history, field(offset_of!(History, length)));
        let room =
            self.b.ins().load(types::I64, TRUSTED, history, field(offset_of!(History, capacity)));
        let some = self.b.create_block();
        let is_full = self.b.ins().icmp(IntCC::Equal, length, room);
        self.b.ins().brif(is_full, full, &[], some, &[]);
        self.b.switch_to_block(some);
        let first =
            self.b.ins().load(types::I64, TRUSTED, history, field(offset_of!(History, first)));
        let place = self.b.ins().ishl_imm_u(length, 3);
        let place = self.b.ins().iadd(first, place);
        self.b.ins().store(TRUSTED, hash, place, 0);
        let more = self.b.ins().iadd_imm_s(length, 1);
        self.b.ins().store(TRUSTED, more, history, field(offset_of!(History, length)));
        // The word's index times 8: bits 6 and up of the hash, shifted to bit 3.
        let word = self.b.ins().ushr_imm_u(hash, 3);
        let word = self.b.ins().band_imm_u(word, 8 * (FILTER_WORDS as i64 - 1));
        let place = self.b.ins().iadd(history, word);
        let filter =
            self.b.ins().load(types::I64, TRUSTED, place, field(offset_of!(History, filter)));
        let one = self.b.ins().iconst(types::I64, 1);
        let bit = self.b.ins().ishl(one, hash);
        let both = self.b.ins().bor(filter, bit);
        self.b.ins().store(TRUSTED, both, place, field(offset_of!(History, filter)));
        let is_known = self.b.ins().band(filter, bit);
        self.b.ins().brif(is_known, known, &[], new, &[]);
    }
}
