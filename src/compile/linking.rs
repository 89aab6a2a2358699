//! Joins the compiled routines to one program: instructions get their addresses and values the
//! registers that they share, and what names a routine or a label gets its address.

use super::Routine;
use super::assembler::{Assembler, FIXED, TooLarge};
use super::flow::OrderOfPlay;
use super::layout::{Home, Layout};
use super::program::{Address, MAX_MASKS, Program, Specialization};
use super::recurrence::RepetitionRoutines;
use crate::board::Site;
use crate::language::rules::{MemoryId, MemoryType, Rules};
use crate::syntax::Span;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// What has been compiled of a game.
pub(super) struct Unlinked<'r> {
    pub rules: &'r Rules,
    pub layout: Layout,
    pub constants: Vec<Vec<Site>>,
    pub masks: Vec<u16>,
    pub clauses: Vec<Span>,
    pub chains: u8,
    /// With the routines that make the moves.
    pub specializations: Vec<(Specialization, Routine)>,
    pub order: OrderOfPlay<'r>,
    /// Each with the text that it was compiled from. The order of play comes last.
    pub routines: Vec<(Assembler, Span)>,
    pub setup: Routine,
    pub start: Routine,
    /// By player.
    pub end: Vec<Routine>,
    pub repetition: RepetitionRoutines,
    /// For each watched condition, by player.
    pub watched: Vec<Vec<Routine>>,
    pub observing: Vec<Routine>,
}

impl Unlinked<'_> {
    /// Makes the program.
    ///
    /// # Errors
    /// If it needs more registers or instructions than there are: the text to blame.
    pub fn link(self) -> Result<Program, Span> {
        let Unlinked { rules, layout, order, .. } = self;
        let whole = rules.opening();
        let sets = usize::from(layout.sets) + self.constants.len();
        let nums = usize::from(layout.nums) + usize::from(order.counters);
        if self.masks.len() > MAX_MASKS || sets.max(nums) >= usize::from(FIXED) {
            return Err(whole);
        }
        let (sets, nums) = (sets as u16, nums as u16);
        let mut code = Vec::new();
        let mut places = Vec::new();
        let mut origins = Vec::new();
        let mut notes = Vec::new();
        for (routine, span) in self.routines {
            origins.push((code.len().min(usize::from(u16::MAX)) as Address, span));
            let finished = routine.finish(code.len(), (sets, nums)).map_err(|TooLarge| span)?;
            code.extend(finished.ops);
            notes.extend(finished.notes);
            places = finished.places;
        }
        let at = |routine: Routine| origins[usize::from(routine.0)].0;
        let all_at = |routines: Vec<Routine>| routines.into_iter().map(at).collect();
        let initial = initial_numbers(rules, &layout, nums);
        let swapped = rules.pie.and_then(|pie| match layout.home(pie.swapped) {
            Home::Nums { first } => Some(first),
            Home::Sets { .. } | Home::Field { .. } => None,
        });
        let specialization =
            |(made, apply): (Specialization, _)| Specialization { apply: at(apply), ..made };
        let decisions = order.decisions.into_iter().map(|one| one.resolve(&at, &places));
        let entries = order.entries.into_iter().map(|one| one.resolve(&places));
        let program = Program {
            fingerprint: fingerprint(rules, &layout, &initial),
            repetition: self.repetition.resolve(rules, &layout, order.counters, &at),
            specializations: self.specializations.into_iter().map(specialization).collect(),
            decisions: decisions.collect::<Option<_>>().ok_or(whole)?,
            entries: entries.collect::<Option<_>>().ok_or(whole)?,
            setup: at(self.setup),
            start: at(self.start),
            end: all_at(self.end),
            watched: self.watched.into_iter().map(all_at).collect(),
            observing: all_at(self.observing),
            clauses: self.clauses,
            constants: self.constants,
            masks: self.masks,
            chains: self.chains,
            teams: rules.teams,
            code,
            origins,
            notes,
            layout,
            nums,
            initial,
            swapped,
        };
        debug_assert_eq!(program.verify(), Ok(()));
        Ok(program)
    }
}

/// Returns the numbers before the setup.
fn initial_numbers(rules: &Rules, layout: &Layout, nums: u16) -> Vec<i32> {
    let mut initial = vec![0; usize::from(nums)];
    for (index, memory) in (0..).zip(&rules.memories) {
        if let Home::Nums { first } = layout.home(MemoryId(index)) {
            let owners = if memory.per_player { rules.players.len() } else { 1 };
            let copies = owners * memory.keys.count();
            let value = match memory.holds {
                MemoryType::Site | MemoryType::Kind => -1,
                _ => memory.initial,
            };
            initial[usize::from(first)..usize::from(first) + copies].fill(value);
        }
    }
    initial
}

/// Returns the hash of [`Program::fingerprint`].
fn fingerprint(rules: &Rules, layout: &Layout, initial: &[i32]) -> u64 {
    let mut hasher = FxHasher::default();
    (rules.board.slots(), rules.players.len(), layout, initial).hash(&mut hasher);
    rules.board.sites().for_each(|site| site.hash(&mut hasher));
    rules.memories.iter().for_each(|memory| memory.holds.hash(&mut hasher));
    hasher.finish()
}
