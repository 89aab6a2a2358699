//! Sets in SIMD vectors of two words; with an odd number of words the upper half of the last one is
//! empty.
//!
//! Bitwise operations take half the instructions. Moving words in and out of vectors is expensive,
//! so this pays for sets that come from memory and take part in many operations.

use super::set_ops::Words;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    ConstantData, Endianness, InstBuilder, MemFlagsData, Type, Value, types,
};
use cranelift_frontend::FunctionBuilder;

/// A set, two words per value.
pub type Wide = Vec<Value>;

/// The type of the vectors.
pub const KIND: Type = types::I64X2;

/// The byte order of bit casts.
const LITTLE: MemFlagsData = MemFlagsData::new().with_endianness(Endianness::Little);

/// Tests if vectors pay for sets of this many words.
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

/// Extracts the words of a set.
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

/// Loads a set of this many words.
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

/// Stores a set of this many words.
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

/// Returns a vector of ones if the set is empty, else of zeros.
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
