//! Sets in wide values, two words to each; where the number of words is odd, the second half of the
//! last one is empty.
//!
//! What is done to every site alike takes half the instructions so. Words go in and out of wide
//! values one by one, which is dear: it is for sets that come from memory and go through many
//! hands.

use super::set_ops::Words;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    ConstantData, Endianness, InstBuilder, MemFlagsData, Type, Value, types,
};
use cranelift_frontend::FunctionBuilder;

/// A set, two words by two.
pub type Wide = Vec<Value>;

/// The type of a wide value.
pub const KIND: Type = types::I64X2;

/// Which byte of a wide value is the first.
const LITTLE: MemFlagsData = MemFlagsData::new().with_endianness(Endianness::Little);

/// Whether wide values are worth while for sets of so many words.
pub const fn suits(words: usize) -> bool {
    words > 1
}

pub fn pack(b: &mut FunctionBuilder, words: &[Value]) -> Wide {
    let pair = |pair: &[Value]| {
        let low = b.ins().scalar_to_vector(KIND, pair[0]);
        pair.get(1).map_or(low, |&high| b.ins().insertlane(low, high, 1))
    };
    words.chunks(2).map(pair).collect()
}

/// The first words of a set, so many of them.
pub fn unpack(b: &mut FunctionBuilder, width: usize, wide: &[Value]) -> Words {
    (0..width).map(|index| b.ins().extractlane(wide[index / 2], (index % 2) as u8)).collect()
}

pub fn constant(b: &mut FunctionBuilder, set: &[u64]) -> Wide {
    let pair = |pair: &[u64]| {
        let words = [pair[0], pair.get(1).copied().unwrap_or(0)];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let constant = b.func.dfg.constants.insert(ConstantData::from(bytes));
        b.ins().vconst(KIND, constant)
    };
    set.chunks(2).map(pair).collect()
}

/// The set of so many words that lies there.
pub fn load(
    b: &mut FunctionBuilder,
    width: usize,
    flags: MemFlagsData,
    address: Value,
    offset: i32,
) -> Wide {
    let pair = |index: usize| {
        let place = offset + 8 * index as i32;
        if index + 1 < width {
            return b.ins().load(KIND, flags, address, place);
        }
        let last = b.ins().load(types::I64, flags, address, place);
        b.ins().scalar_to_vector(KIND, last)
    };
    (0..width).step_by(2).map(pair).collect()
}

/// Writes a set of so many words there.
pub fn store(
    b: &mut FunctionBuilder,
    width: usize,
    flags: MemFlagsData,
    wide: &[Value],
    address: Value,
    offset: i32,
) {
    for (index, &value) in (0..width).step_by(2).zip(wide) {
        let value = if index + 1 < width { value } else { b.ins().extractlane(value, 0) };
        b.ins().store(flags, value, address, offset + 8 * index as i32);
    }
}

/// A wide value of ones only where the set is empty, else of zeros only.
pub fn is_none(b: &mut FunctionBuilder, wide: &[Value]) -> Value {
    let all = wide[1..].iter().fold(wide[0], |all, &value| b.ins().bor(all, value));
    let other_way: Vec<u8> = (8..16).chain(0..8).collect();
    let other_way = b.func.dfg.immediates.push(ConstantData::from(other_way));
    let bytes = b.ins().bitcast(types::I8X16, LITTLE, all);
    let swapped = b.ins().shuffle(bytes, bytes, other_way);
    let swapped = b.ins().bitcast(KIND, LITTLE, swapped);
    let all = b.ins().bor(all, swapped);
    let zero = b.func.dfg.constants.insert(ConstantData::from(vec![0; 16]));
    let zero = b.ins().vconst(KIND, zero);
    b.ins().icmp(IntCC::Equal, all, zero)
}
