//! Checks a program for what the engine and machine code take for granted.

use super::op::{Code, OperandRole, RegisterFile};
use super::program::{Address, Program};
use std::fmt;

/// A fault of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// An address that has no instruction.
    NoInstruction,
    /// It names a clause, a move set or a decision that does not exist.
    NoSuchPart,
    /// It writes a constant set.
    WritesConstant,
    /// It reads a temporary that is not written before on every way to it.
    ReadsUnwritten(RegisterFile, u16),
}

/// The first faulty instruction of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidProgram {
    /// Its address.
    pub address: Address,
    /// Its fault.
    pub defect: Defect,
}

impl fmt::Display for InvalidProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "instruction {}: {:?}", self.address, self.defect)
    }
}

impl std::error::Error for InvalidProgram {}

/// The registers that are written, one bit each: the set registers, then the number registers.
type Written = Vec<u64>;

impl Program {
    /// Tests that every instruction is followed by another one or ends its routine; that it names
    /// only clauses, move sets and decisions that exist; that it writes no constant; and that it
    /// reads no temporary that some path to it leaves unwritten. A forward data-flow analysis that
    /// visits each instruction a few times.
    ///
    /// # Errors
    /// Returns the first faulty instruction.
    pub fn verify(&self) -> Result<(), InvalidProgram> {
        let (sets, numbers) = self.registers();
        let bit = |file: RegisterFile, register: u16| match file {
            RegisterFile::Sets => usize::from(register),
            RegisterFile::Numbers => sets + usize::from(register),
        };
        let mut first = vec![0; (sets + numbers).div_ceil(64)];
        let given = 0..usize::from(self.layout.sets) + self.constants.len();
        for one in given.chain(sets..sets + usize::from(self.nums)) {
            first[one / 64] |= 1 << (one % 64);
        }
        // By instruction reached so far, the registers that are written on every path to it.
        let mut before: Vec<Option<Written>> = vec![None; self.code.len()];
        let mut open = Vec::new();
        for start in self.starts() {
            self.reach(start, start, &first, &mut before, &mut open)?;
        }
        while let Some(address) = open.pop() {
            let Some(mut written) = before[usize::from(address)].clone() else { continue };
            let op = self.code[usize::from(address)];
            let wrong = |defect| Err(InvalidProgram { address, defect });
            let part = match op.code {
                Code::Fail | Code::LoopBack => Some((op.a, self.clauses.len())),
                Code::Decide => Some((op.a, self.decisions.len())),
                Code::AddMoveSet => Some((op.b, self.specializations.len())),
                _ => None,
            };
            if part.is_some_and(|(index, count)| usize::from(index) >= count) {
                return wrong(Defect::NoSuchPart);
            }
            let named = op.operands().map(|(role, register)| (role, role.file(), register));
            for &(role, file, register) in &named {
                let Some(file) = file else { continue };
                let at = bit(file, register);
                let is_read = !matches!(role, OperandRole::SetWrite | OperandRole::NumberWrite);
                if is_read && written[at / 64] >> (at % 64) & 1 == 0 {
                    return wrong(Defect::ReadsUnwritten(file, register));
                }
            }
            for (role, file, register) in named {
                let Some(file) = file.filter(|_| role.is_written()) else { continue };
                let constants = self.layout.sets..self.layout.sets + self.constants.len() as u16;
                if file == RegisterFile::Sets && constants.contains(&register) {
                    return wrong(Defect::WritesConstant);
                }
                let at = bit(file, register);
                written[at / 64] |= 1 << (at % 64);
            }
            match op.code {
                Code::Return | Code::Decide | Code::Fail | Code::Win | Code::Draw => continue,
                Code::Jump | Code::LoopBack => {}
                _ => self.reach(address, address + 1, &written, &mut before, &mut open)?,
            }
            if op.code.roles()[2] == OperandRole::Target {
                self.reach(address, op.c, &written, &mut before, &mut open)?;
            }
        }
        Ok(())
    }

    /// Notes what is written on a way to an instruction; opens it again if that is less than known.
    fn reach(
        &self,
        from: Address,
        to: Address,
        written: &Written,
        before: &mut [Option<Written>],
        open: &mut Vec<Address>,
    ) -> Result<(), InvalidProgram> {
        let Some(known) = before.get_mut(usize::from(to)) else {
            return Err(InvalidProgram { address: from, defect: Defect::NoInstruction });
        };
        let both = match known {
            None => written.clone(),
            Some(known) => known.iter().zip(written).map(|(one, other)| one & other).collect(),
        };
        if known.as_ref() != Some(&both) {
            *known = Some(both);
            open.push(to);
        }
        Ok(())
    }

    /// Returns the number of registers of sets and of numbers that instructions name.
    fn registers(&self) -> (usize, usize) {
        let mut counts =
            [usize::from(self.layout.sets) + self.constants.len(), usize::from(self.nums)];
        for (role, register) in self.code.iter().flat_map(|op| op.operands()) {
            if let Some(file) = role.file() {
                let count = &mut counts[usize::from(file == RegisterFile::Numbers)];
                *count = (*count).max(usize::from(register) + 1);
            }
        }
        (counts[0], counts[1])
    }

    /// Lists the addresses at which the engine begins.
    fn starts(&self) -> Vec<Address> {
        let mut starts = vec![self.setup, self.start];
        starts.extend(&self.end);
        starts.extend(self.repetition.iter().flat_map(|repetition| &repetition.then));
        let past = self.past().into_iter().flat_map(|past| &past.throughout);
        starts.extend(past.flat_map(|throughout| &throughout.holds));
        starts.extend(self.watched.iter().flatten().chain(&self.observing));
        starts.extend(self.specializations.iter().map(|one| one.apply));
        starts.extend(self.entries.iter().map(|entry| entry.address));
        for decision in &self.decisions {
            starts.extend([decision.generate_moves, decision.next, decision.leave]);
            starts.push(decision.otherwise);
            starts.extend(decision.proposals);
            starts.extend(decision.steps.map(|steps| steps.ending));
        }
        starts
    }
}
