//! Compiles the parts of a position that a rule of repetition compares, and its conditions on the
//! plies in between.

use super::layout::{Home, Layout};
use super::program::{Address, PastCode, Place, RepetitionCode, ThroughoutCode};
use super::values::{Binding, Scope};
use super::{Compiled, Compiler, Routine};
use crate::language::rules::{
    Comparing, Memory, MemoryId, PlayerId, Repetition, Rules, Throughout,
};
use std::collections::BTreeSet;

/// The routines of a rule of repetition: by player, what follows, and the conditions in between.
#[derive(Default)]
pub(super) struct RepetitionRoutines {
    then: Vec<Routine>,
    throughout: Vec<Vec<Routine>>,
}

impl RepetitionRoutines {
    /// Makes the code of the rule; `at` returns the address of a routine.
    pub(super) fn resolve(
        self,
        rules: &Rules,
        layout: &Layout,
        counters: u16,
        at: &impl Fn(Routine) -> Address,
    ) -> Option<RepetitionCode> {
        let rule = rules.repetition.as_ref()?;
        let players = rules.players.len();
        let throughout = rule.throughout.iter().zip(self.throughout);
        let past = rules.depends_on_past().then(|| PastCode {
            forbids: rules.forbids_repetition(),
            swap: rules.pie.map(|pie| pie.swap),
            throughout: throughout
                .map(|(throughout, holds)| ThroughoutCode {
                    holds: holds.into_iter().map(at).collect(),
                    counted: (0..players as u16)
                        .map(|mover| counted(throughout, PlayerId(mover), players))
                        .collect(),
                })
                .collect(),
            ..compared(rules, layout, counters, &rule.comparing)
        });
        let then = self.then.into_iter().map(at).collect();
        Some(RepetitionCode { times: rule.times, then, past })
    }
}

impl<'r> Compiler<'r> {
    /// Compiles the routines for the mover. The truth of each `throughout` is an argument.
    pub(super) fn repetition_routines(
        &mut self,
        rule: &'r Repetition,
        routines: &mut RepetitionRoutines,
    ) -> Compiled<()> {
        routines.then.push(self.routine(rule.span, |c| {
            let mut scope = Scope::default();
            for (index, throughout) in (0..).zip(&rule.throughout) {
                let held = c.asm.argument(index);
                scope = scope.with(throughout.variable, Binding::Condition(held));
            }
            c.statements(&rule.then, &scope)
        })?);
        let conditions = rule.throughout.iter().map(|throughout| &throughout.condition);
        routines.throughout.resize_with(rule.throughout.len(), Vec::new);
        for (condition, of) in conditions.zip(&mut routines.throughout) {
            of.push(self.routine(condition.span, |c| c.require(condition, &Scope::default()))?);
        }
        Ok(())
    }
}

/// Returns whose plies count if `mover` has repeated the position; `None` if all players' plies do.
fn counted(throughout: &Throughout, mover: PlayerId, players: usize) -> Option<PlayerId> {
    let player = throughout.player.as_ref()?;
    Throughout::player_of(&player.node, mover, players)
}

/// Lists the registers that are compared.
fn compared(rules: &Rules, layout: &Layout, counters: u16, comparing: &Comparing) -> PastCode {
    let (mut sets, mut nums) = (BTreeSet::new(), BTreeSet::new());
    let place = match comparing {
        Comparing::AllBut(ignored) => {
            sets.extend(0..layout.sets);
            nums.extend(0..layout.nums + counters);
            for &memory in ignored {
                let (its_sets, its_nums) = registers(rules, layout, memory);
                sets.retain(|register| !its_sets.contains(register));
                nums.retain(|register| !its_nums.contains(register));
            }
            Place::Decision
        }
        Comparing::Only { board, mover, memories } => {
            if *board {
                sets.extend(0..layout.pieces_end);
                sets.extend(layout.cut.map(|cut| cut.0));
            }
            for &memory in memories {
                let (its_sets, its_nums) = registers(rules, layout, memory);
                sets.extend(its_sets);
                nums.extend(its_nums);
            }
            if *mover { Place::Mover } else { Place::Anywhere }
        }
    };
    PastCode {
        sets: sets.into_iter().collect(),
        nums: nums.into_iter().collect(),
        place,
        throughout: Vec::new(),
        forbids: false,
        swap: None,
    }
}

/// Returns the registers of a memory: sets and numbers.
fn registers(
    rules: &Rules,
    layout: &Layout,
    id: MemoryId,
) -> (std::ops::Range<u16>, std::ops::Range<u16>) {
    let memory: &Memory = &rules.memories[id.index()];
    let owners = if memory.per_player { rules.players.len() } else { 1 };
    let copies = (owners * memory.values_per_player()) as u16;
    match layout.home(id) {
        Home::Sets { first } => (first..first + copies, 0..0),
        Home::Nums { first } => (0..0, first..first + copies),
        Home::Field { first, bits } => (first..first + bits, 0..0),
    }
}
