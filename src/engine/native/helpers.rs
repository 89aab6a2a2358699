//! Engine functions that machine code calls: lines that are not one constant shift, queues, and
//! operations without a machine instruction.
//!
//! Every helper receives pointers from the machine code: to the tables, which live as long as the
//! code, to queues, to the history, or to sets on the stack of the code.

use super::super::bits::{Bits, select};
use super::super::frame::Queue;
use super::super::history::History;
use super::super::piles::Piles;
use super::super::spread;
use super::super::tables::{Tables, back};
use super::combinations;
use crate::compile::layout::PileRegisters;
use crate::compile::program::MAX_PARAMETERS;
use cranelift_codegen::ir::{AbiParam, Inst, InstBuilder, Signature, Type, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

/// The types of a helper's parameters and of its result.
type HelperSignature = (&'static [Type], Option<Type>);

/// Defines the helpers: each with its function for sets of a given width, and the types of its
/// parameters and of its result.
macro_rules! helpers {
    (@result) => { None };
    (@result $result:ident) => { Some(types::$result) };
    ($width:ident; $(
        $helper:ident = $function:expr, ($($parameter:ident),*) $(-> $result:ident)?;
    )*) => {
        /// A function that machine code can call.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Helper {
            $($helper,)*
        }

        const SIGNATURES: &[HelperSignature] =
            &[$((&[$(types::$parameter),*], helpers!(@result $($result)?)),)*];

        /// The address of each helper.
        pub type Addresses = [usize; SIGNATURES.len()];

        impl Helpers {
            /// Returns the addresses of the helpers for sets of this many words.
            pub fn of<const $width: usize>() -> Addresses {
                [$($function as *const () as usize,)*]
            }
        }
    };
}

helpers! {
    W;
    Fill = fill::<W>, (I64, I32, I64, I64, I64);
    Walk = walk::<W>, (I64, I32, I64, I64, I64);
    Sight = sight::<W>, (I64, I32, I32, I64, I64);
    Between = between::<W>, (I64, I32, I32, I64);
    Direction = direction::<W>, (I64, I32, I32) -> I32;
    NewQueue = new_queue::<W>, (I64);
    Enqueue = enqueue::<W>, (I64, I64);
    Dequeue = dequeue::<W>, (I64) -> I32;
    Nth = nth(), (I64, I64) -> I64;
    Arisen = arisen, (I64, I64) -> I32;
    Distance = distance::<W>, (I64, I32, I32, I32) -> I32;
    Combination = combination, (I32, I32, I32, I64);
    StepBy = step_by::<W>, (I64, I32, I32, I32) -> I32;
    Sink = sink::<W>, (I64, I64, I64);
    Rise = rise::<W>, (I64, I64, I64, I32);
    Carry = carry::<W>, (I64, I64, I32, I32, I32, I32);
    Height = height::<W>, (I64, I64, I32) -> I32;
}

/// The helpers for one width of sets.
pub struct Helpers {
    convention: CallConv,
    addresses: Addresses,
}

impl Helpers {
    /// Makes the helpers, with their calling convention.
    pub fn new(addresses: Addresses, convention: CallConv) -> Helpers {
        Helpers { convention, addresses }
    }

    /// Emits a call of a helper.
    pub fn call(&self, b: &mut FunctionBuilder, helper: Helper, arguments: &[Value]) -> Inst {
        let (parameters, gives) = SIGNATURES[helper as usize];
        let mut signature = Signature::new(self.convention);
        signature.params.extend(parameters.iter().map(|&kind| AbiParam::new(kind)));
        signature.returns.extend(gives.map(AbiParam::new));
        let signature = b.import_signature(signature);
        let address = b.ins().iconst(types::I64, self.addresses[helper as usize] as i64);
        b.ins().call_indirect(signature, address, arguments)
    }

    /// Emits a call of a helper that returns a number.
    pub fn number(&self, b: &mut FunctionBuilder, helper: Helper, arguments: &[Value]) -> Value {
        let call = self.call(b, helper, arguments);
        b.inst_results(call)[0]
    }
}

extern "C" fn fill<const W: usize>(
    tables: &Tables<W>,
    way: u32,
    goals: &Bits<W>,
    through: &Bits<W>,
    result: &mut Bits<W>,
) {
    *result = spread::fill(&tables.steps[usize::from(back(way as u8))], *goals, *through);
}

extern "C" fn walk<const W: usize>(
    tables: &Tables<W>,
    ways: u32,
    from: &Bits<W>,
    through: &Bits<W>,
    result: &mut Bits<W>,
) {
    *result = spread::walk(tables, ways as u16, *from, *through);
}

extern "C" fn sight<const W: usize>(
    tables: &Tables<W>,
    ways: u32,
    from: i32,
    stops: &Bits<W>,
    result: &mut Bits<W>,
) {
    *result = spread::sight(tables, ways as u16, from, *stops);
}

extern "C" fn between<const W: usize>(
    tables: &Tables<W>,
    from: i32,
    to: i32,
    result: &mut Bits<W>,
) {
    *result = spread::between(tables, from, to);
}

extern "C" fn direction<const W: usize>(tables: &Tables<W>, from: i32, to: i32) -> i32 {
    spread::direction(tables, from, to)
}

extern "C" fn distance<const W: usize>(tables: &Tables<W>, mask: i32, from: i32, to: i32) -> i32 {
    tables.board.distance(mask as u16, from, to)
}

extern "C" fn step_by<const W: usize>(tables: &Tables<W>, way: u32, site: i32, number: i32) -> i32 {
    tables.board.step_by(way as u8, site, number)
}

/// # Safety
/// There must be as many sets as there are registers, which are compact.
unsafe fn piles<const W: usize>(registers: &PileRegisters, sets: *mut Bits<W>) -> Piles<'_, W> {
    // SAFETY: the caller vouches for the length, and nothing else refers to the sets meanwhile.
    Piles::new(unsafe { std::slice::from_raw_parts_mut(sets, registers.count()) }, registers)
}

/// # Safety
/// As for [`piles`].
unsafe extern "C" fn sink<const W: usize>(
    registers: &PileRegisters,
    sets: *mut Bits<W>,
    at: &Bits<W>,
) {
    // SAFETY: as the caller vouches.
    unsafe { piles(registers, sets) }.sink(*at);
}

/// # Safety
/// As for [`piles`].
unsafe extern "C" fn rise<const W: usize>(
    registers: &PileRegisters,
    sets: *mut Bits<W>,
    at: &Bits<W>,
    number: i32,
) {
    // SAFETY: as the caller vouches.
    unsafe { piles(registers, sets) }.rise(*at, number);
}

/// # Safety
/// As for [`piles`].
unsafe extern "C" fn carry<const W: usize>(
    registers: &PileRegisters,
    sets: *mut Bits<W>,
    from: i32,
    to: i32,
    number: i32,
    beneath: i32,
) {
    // SAFETY: as the caller vouches.
    unsafe { piles(registers, sets) }.carry(from, to, number, beneath == 1);
}

/// # Safety
/// As for [`piles`].
unsafe extern "C" fn height<const W: usize>(
    registers: &PileRegisters,
    sets: *mut Bits<W>,
    site: i32,
) -> i32 {
    // SAFETY: as the caller vouches.
    unsafe { piles(registers, sets) }.height(site)
}

extern "C" fn combination(many: u32, size: u32, rank: u32, result: &mut [u32; MAX_PARAMETERS]) {
    *result = combinations::combination(many, size, rank);
}

extern "C" fn new_queue<const W: usize>(queue: &mut Queue<W>) {
    queue.empty();
}

extern "C" fn enqueue<const W: usize>(queue: &mut Queue<W>, sites: &Bits<W>) {
    queue.join(*sites);
}

extern "C" fn dequeue<const W: usize>(queue: &mut Queue<W>) -> i32 {
    queue.take().map_or(-1, i32::from)
}

/// Returns a function that selects the bit of a word that has `rank` set bits below it.
fn nth() -> unsafe extern "C" fn(u64, u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") {
        return nth_by_deposit;
    }
    nth_by_counts
}

extern "C" fn nth_by_counts(word: u64, rank: u64) -> u64 {
    1 << select(word, rank as u32)
}

/// # Safety
/// The host must support BMI2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
unsafe extern "C" fn nth_by_deposit(word: u64, rank: u64) -> u64 {
    std::arch::x86_64::_pdep_u64(1 << rank, word)
}

extern "C" fn arisen(history: &mut History, hash: u64) -> i32 {
    history.count(hash) as i32
}
