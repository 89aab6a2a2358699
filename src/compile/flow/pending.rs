//! Decisions whose targets are known only after all of the order of play has been compiled.

use super::super::Routine;
use super::super::assembler::Label;
use super::super::program::{Address, DecisionCode, EntryCode, StepsCode};

/// A decision whose addresses are not assigned yet.
pub(in crate::compile) struct Pending {
    pub(super) code: DecisionCode,
    pub(super) generate_moves: Routine,
    pub(super) proposals: Option<Routine>,
    pub(super) next: Label,
    pub(super) leave: Label,
    pub(super) otherwise: Label,
    pub(super) steps: Option<(u16, Routine)>,
}

impl Pending {
    /// Returns the decision with the addresses of its routines and of its labels in the order of
    /// play.
    pub(in crate::compile) fn resolve(
        self,
        routine: &impl Fn(Routine) -> Address,
        labels: &[Option<Address>],
    ) -> Option<DecisionCode> {
        let label = |label: Label| labels.get(usize::from(label.0)).copied().flatten();
        Some(DecisionCode {
            generate_moves: routine(self.generate_moves),
            proposals: self.proposals.map(routine),
            next: label(self.next)?,
            leave: label(self.leave)?,
            otherwise: label(self.otherwise)?,
            steps: self.steps.map(|(left, ending)| StepsCode { left, ending: routine(ending) }),
            ..self.code
        })
    }
}

/// A turn or a phase whose address is not assigned yet.
pub(in crate::compile) struct PendingEntry {
    pub(super) code: EntryCode,
    pub(super) label: Label,
}

impl PendingEntry {
    /// Returns the entry with the address of its label in the order of play.
    pub(in crate::compile) fn resolve(self, labels: &[Option<Address>]) -> Option<EntryCode> {
        let address = labels.get(usize::from(self.label.0)).copied().flatten()?;
        Some(EntryCode { address, ..self.code })
    }
}
