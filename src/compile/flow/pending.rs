//! What has been compiled of the order of play, and decisions whose targets are known only after
//! all of it.

use super::super::Routine;
use super::super::assembler::{Label, Num};
use super::super::layout::Layout;
use super::super::program::{Address, DecisionCode, EntryCode, StepsCode};
use crate::language::rules::{PlayerId, Rules, Statement};
use rustc_hash::FxHashMap;

/// What has been compiled of the order of play.
pub(in crate::compile) struct OrderOfPlay<'r> {
    /// Numbers of the position that the order of play needs besides the memories.
    pub counters: u16,
    /// The number of the position that is 1 after a ply that gives its player another turn, and 0
    /// at every decision. Only in games with `extra-turn`; it is the first of the counters.
    pub extra_turn: Option<Num>,
    pub decisions: Vec<Pending>,
    /// Number of decisions by phase and mover (`None`: chance).
    pub steps: FxHashMap<(Option<&'r str>, Option<PlayerId>), usize>,
    /// Total length of the decisions' paths.
    pub path_steps: usize,
    /// Whether a statement belongs to the order of play, by its address.
    pub flow_statements: FxHashMap<*const Statement, bool>,
    /// The order of play, its turns and its phases; an inner entry follows the outer one.
    pub entries: Vec<PendingEntry>,
}

impl<'r> OrderOfPlay<'r> {
    pub fn new(rules: &'r Rules, layout: &Layout) -> OrderOfPlay<'r> {
        let extra = rules.statements().any(|found| matches!(found.node, Statement::ExtraTurn));
        OrderOfPlay {
            counters: u16::from(extra),
            extra_turn: extra.then_some(Num(layout.nums)),
            decisions: Vec::new(),
            steps: FxHashMap::default(),
            path_steps: 0,
            flow_statements: FxHashMap::default(),
            entries: Vec::new(),
        }
    }
}

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
