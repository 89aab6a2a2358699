//! Emits the instructions of one routine on virtual registers, and assigns real ones at the end.
//!
//! It optimizes while it emits: `value_numbering` shares equal computations, and `folding`
//! simplifies operations on known sets. [`Assembler::finish`] shares more by `hoisting`, eliminates
//! `dead_code`, assigns `registers` and resolves labels.
//!
//! A value is available as long as the scope is open in which it was computed: scopes are the
//! stretches that a jump may skip. Versions distinguish the contents of a register before and after
//! a change. Registers below [`FIXED`] are real: the position and the constants. The others are
//! virtual.

mod dead_code;
mod emitters;
mod folding;
mod hoisting;
mod registers;
mod value_numbering;

use super::op::{Code, Op, OperandRole, RegisterFile};
use super::plan::ExecutionNote;
use folding::SetFacts;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use value_numbering::AvailableValues;

/// Number of registers of each kind.
pub const FIXED: u16 = 256;

/// The number of virtual registers that a single expression may use.
const MARGIN: u32 = 4096;

/// A register that holds a set of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set(pub u16);

/// A register that holds a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Num(pub u16);

/// A register of either file.
pub type Register = (RegisterFile, u16);

/// A position in the routine to jump to, which may not be placed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(pub u16);

/// The routine needs more registers or instructions than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The constants that folding recognizes.
#[derive(Clone, Copy, Debug)]
pub struct FoldedConstants {
    /// The register of the empty set.
    pub none: Set,
    /// The register of all sites of the board.
    pub board: Set,
    /// The registers below this hold the pieces of one kind and owner each. A site has at most one
    /// piece, so these sets are disjoint.
    pub pieces_end: u16,
    /// The registers of the pieces below the tops of piles.
    pub below_first: u16,
    pub below_end: u16,
}

impl FoldedConstants {
    /// Returns the registers that an instruction changes without having them as operands.
    pub fn changed_by(&self, code: Code) -> impl Iterator<Item = u16> + use<> {
        let changed = (0..self.pieces_end).chain(self.below_first..self.below_end);
        changed.filter(move |_| code.moves_piles())
    }
}

/// The routine under construction.
pub struct Assembler {
    ops: Vec<Op>,
    known: FoldedConstants,
    next_set: u32,
    next_num: u32,
    labels: Vec<Option<usize>>,
    values: AvailableValues,
    set_versions: FxHashMap<u16, u32>,
    num_versions: FxHashMap<u16, u32>,
    version: u32,
    /// The version of the latest change of a register of the position.
    position_version: u32,
    facts: SetFacts,
    /// Ranges of instructions that are loops.
    loops: Vec<(usize, usize)>,
    /// Ranges of instructions that a jump may skip, with their values no longer available.
    skipped: Vec<(usize, usize)>,
    /// Where control may arrive from elsewhere, as after a decision.
    entries: Vec<usize>,
    /// Notes on ranges of instructions.
    notes: Vec<(ExecutionNote, usize, usize)>,
    /// Number of requested values, shared ones and those rolled back included.
    requests: usize,
}

/// A routine with real registers and addresses.
pub struct Finished {
    pub ops: Vec<Op>,
    /// The address of each label.
    pub places: Vec<Option<u16>>,
    pub notes: Vec<ExecutionNote>,
}

impl Assembler {
    /// Starts a routine.
    pub fn new(known: FoldedConstants) -> Assembler {
        Assembler {
            ops: Vec::new(),
            known,
            next_set: u32::from(FIXED),
            next_num: u32::from(FIXED),
            labels: Vec::new(),
            values: AvailableValues::default(),
            set_versions: FxHashMap::default(),
            num_versions: FxHashMap::default(),
            version: 0,
            position_version: 0,
            facts: SetFacts::default(),
            loops: Vec::new(),
            skipped: Vec::new(),
            entries: Vec::new(),
            notes: Vec::new(),
            requests: 0,
        }
    }

    /// Returns the number of instructions so far.
    pub fn length(&self) -> usize {
        self.ops.len()
    }

    /// Returns the number of requested values: a measure of work that, unlike the number of
    /// instructions, includes shared values and attempts that were rolled back.
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// Returns the instructions so far.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Returns the notes, each with its instructions.
    pub fn noted(&self) -> impl Iterator<Item = (&ExecutionNote, &[Op])> {
        self.notes.iter().map(|(note, from, to)| (note, &self.ops[*from..*to]))
    }

    /// Returns a fresh register for a set.
    pub fn fresh_set(&mut self) -> Set {
        let set = Set(self.next_set.min(u32::from(u16::MAX)) as u16);
        self.next_set += 1;
        set
    }

    /// Returns a fresh register for a number.
    pub fn fresh_num(&mut self) -> Num {
        let num = Num(self.next_num.min(u32::from(u16::MAX)) as u16);
        self.next_num += 1;
        num
    }

    /// Makes a label to be placed later.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label((self.labels.len() - 1).min(usize::from(u16::MAX)) as u16)
    }

    /// Places the label here. The caller closes the scopes that a jump to it skips.
    pub fn place(&mut self, label: Label) {
        self.labels[usize::from(label.0)] = Some(self.ops.len());
    }

    /// Opens a scope for a stretch that may be skipped: its values are not available after
    /// [`Assembler::close`].
    pub fn open(&mut self) {
        self.values.open();
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        self.values.discard_last();
    }

    /// Closes the innermost scope, which nothing skips: its values stay available.
    pub fn keep(&mut self) {
        self.values.close();
    }

    /// Closes the scope of a stretch that begins at `from` and either continues here or jumps to
    /// the label. If only its last instruction jumps there, the whole stretch has run in both
    /// cases, and its values stay available.
    pub fn close_before(&mut self, label: Label, from: usize) {
        let leads_there = |op: &Op| op.code.roles()[2] == OperandRole::Target && op.c == label.0;
        let ways = self.ops[from..].iter().filter(|op| leads_there(op)).count();
        match ways == 1 && self.ops.last().is_some_and(leads_there) {
            true => self.values.close(),
            false => self.values.discard_last(),
        }
    }

    /// Opens a loop whose iterations may change the position: nothing computed before is available
    /// in it. Returns the token to close it with.
    pub fn open_loop(&mut self) -> LoopRegion {
        let kept = std::mem::take(&mut self.values);
        self.facts = SetFacts::default();
        LoopRegion { kept: Some(kept), from: self.ops.len() }
    }

    /// Opens a loop whose iterations change only registers from which nothing has been computed
    /// before: all available values stay available in every iteration.
    pub fn open_pure_loop(&mut self) -> LoopRegion {
        self.open();
        LoopRegion { kept: None, from: self.ops.len() }
    }

    /// Closes a loop, after its jump back.
    pub fn close_loop(&mut self, round: LoopRegion) {
        match round.kept {
            Some(kept) => self.values = kept,
            None => self.close(),
        }
        self.loops.push((round.from, self.ops.len()));
    }

    /// Makes every value unavailable: control may arrive here from elsewhere.
    pub fn forget(&mut self) {
        self.entries.push(self.ops.len());
        self.values.forget();
        self.facts = SetFacts::default();
    }

    /// Begins something that may have to be rolled back.
    pub fn attempt(&mut self) -> Attempt {
        let scopes = self.values.open();
        Attempt {
            ops: self.ops.len(),
            labels: self.labels.len(),
            loops: self.loops.len(),
            skipped: self.skipped.len(),
            entries: self.entries.len(),
            notes: self.notes.len(),
            scopes,
        }
    }

    /// Keeps what was emitted since. No jump from before the attempt may skip any of it.
    pub fn commit(&mut self, attempt: Attempt) {
        debug_assert_eq!(attempt.scopes + 1, self.values.scopes());
        self.values.close();
    }

    /// Removes what was emitted since.
    pub fn roll_back(&mut self, attempt: Attempt) {
        self.ops.truncate(attempt.ops);
        self.labels.truncate(attempt.labels);
        self.loops.truncate(attempt.loops);
        self.skipped.truncate(attempt.skipped);
        self.entries.truncate(attempt.entries);
        self.notes.truncate(attempt.notes);
        self.values.discard(attempt.scopes);
    }

    /// Attaches a note to the instructions from `from` to here.
    pub fn note(&mut self, note: ExecutionNote, from: usize) {
        self.notes.push((note, from, self.ops.len()));
    }

    /// Emits an instruction unchanged.
    fn emit(&mut self, op: Op) {
        self.ops.push(op);
        for (role, register) in op.operands() {
            match role {
                OperandRole::SetWrite | OperandRole::SetChange => {
                    self.version += 1;
                    self.set_versions.insert(register, self.version);
                    if register < self.known.none.0 {
                        self.position_version = self.version;
                    }
                    if register < self.known.pieces_end {
                        self.facts.forget_pieces();
                    }
                }
                OperandRole::NumberWrite | OperandRole::NumberChange => {
                    self.version += 1;
                    self.num_versions.insert(register, self.version);
                    if register < FIXED {
                        self.position_version = self.version;
                    }
                }
                _ => {}
            }
        }
        for register in self.known.changed_by(op.code) {
            self.version += 1;
            self.set_versions.insert(register, self.version);
            self.position_version = self.version;
            self.facts.forget_pieces();
        }
    }

    /// Makes registers that save those registers of the position, and of `others`, that the
    /// instructions from `from` on write.
    pub fn saved_since(&mut self, from: usize, others: &[Register]) -> Saved {
        let written = self.ops[from..].iter().flat_map(|op| self.written_by(op));
        let is_meant = |register: &Register| register.1 < FIXED || others.contains(register);
        let registers: BTreeSet<Register> = written.filter(is_meant).collect();
        let copies = registers.into_iter().map(|(file, register)| match file {
            RegisterFile::Sets => (Code::Copy, register, self.fresh_set().0),
            RegisterFile::Numbers => (Code::Assign, register, self.fresh_num().0),
        });
        Saved(copies.collect())
    }

    /// Inserts the instructions that save registers before the one at this index.
    pub fn save(&mut self, at: usize, saved: &Saved) {
        let op = |&(code, register, copy): &_| Op { a: copy, b: register, ..Op::new(code) };
        self.insert(at, &saved.0.iter().map(op).collect::<Vec<Op>>());
    }

    /// Restores registers that are saved.
    pub fn restore(&mut self, saved: &Saved) {
        for &(code, register, copy) in &saved.0 {
            self.emit(Op { a: register, b: copy, ..Op::new(code) });
        }
    }

    /// Inserts instructions before the one at this index. They write fresh registers only, and
    /// labels there lead to them.
    fn insert(&mut self, at: usize, ops: &[Op]) {
        self.ops.splice(at..at, ops.iter().copied());
        let shift = |index: &mut usize| {
            if *index > at {
                *index += ops.len();
            }
        };
        self.labels.iter_mut().flatten().for_each(shift);
        self.entries.iter_mut().for_each(shift);
        self.loops.iter_mut().chain(&mut self.skipped).for_each(|(from, to)| {
            shift(from);
            shift(to);
        });
        self.notes.iter_mut().for_each(|(_, from, to)| {
            shift(from);
            shift(to);
        });
    }

    /// Returns the constants that it was made with.
    pub fn known(&self) -> FoldedConstants {
        self.known
    }

    /// Returns the empty set.
    pub fn none(&self) -> Set {
        self.known.none
    }

    /// Returns all the sites of the board.
    pub fn board(&self) -> Set {
        self.known.board
    }

    /// Tests if one more expression might find no free register.
    pub fn is_full(&self) -> bool {
        self.next_set.max(self.next_num) >= u32::from(u16::MAX) - MARGIN
    }

    /// Returns a register with this number.
    pub fn constant(&mut self, number: i32) -> Num {
        let bits = number as u32;
        let (b, c) = (bits as u16, (bits >> 16) as u16);
        Num(self.value(Op { b, c, ..Op::new(Code::Constant) }))
    }

    /// Finishes the routine: drops unread results, assigns the registers from `free` on (sets,
    /// numbers), and resolves labels relative to `origin`, the address of the first instruction.
    pub fn finish(mut self, origin: usize, free: (u16, u16)) -> Result<Finished, TooLarge> {
        if self.next_set >= u32::from(u16::MAX)
            || self.next_num >= u32::from(u16::MAX)
            || self.labels.len() >= usize::from(u16::MAX)
        {
            return Err(TooLarge);
        }
        // Hoisted values occupy registers for longer: without them there may be enough.
        let mut plain = None;
        while let Some(before) = self.hoist() {
            plain.get_or_insert(before);
        }
        self.eliminate_dead_code();
        if self.assign_registers(free).is_err() {
            self.replace(plain.ok_or(TooLarge)?);
            self.eliminate_dead_code();
            self.assign_registers(free)?;
        }
        if origin + self.ops.len() >= usize::from(u16::MAX) {
            return Err(TooLarge);
        }
        let places: Vec<Option<u16>> =
            self.labels.iter().map(|place| place.map(|place| (origin + place) as u16)).collect();
        for op in &mut self.ops {
            for (role, operand) in op.operands_mut() {
                if role == OperandRole::Target {
                    *operand = places[usize::from(*operand)].ok_or(TooLarge)?;
                }
            }
        }
        let at = |index: usize| (origin + index) as u16;
        let notes = self
            .notes
            .into_iter()
            .map(|(note, from, to)| ExecutionNote { from: at(from), to: at(to), ..note })
            .collect();
        Ok(Finished { ops: self.ops, places, notes })
    }
}

/// Registers that are saved: what copies each, and the register that it is saved in.
#[derive(Default)]
pub struct Saved(Vec<(Code, u16, u16)>);

/// The state at the start of an attempt.
pub struct Attempt {
    ops: usize,
    labels: usize,
    loops: usize,
    skipped: usize,
    entries: usize,
    notes: usize,
    scopes: usize,
}

/// A loop that is open.
pub struct LoopRegion {
    /// The values that are available again behind it, unless they stay available in it.
    kept: Option<AvailableValues>,
    from: usize,
}
