//! Compiles `can`: tests if a player has a legal move by some verbs in the position as it is.
//!
//! The answer comes from move generation: where it would add a move set to a decision, it tests the
//! set instead. If all moves of the set are legal, one site in it suffices. Otherwise the moves are
//! made one by one on the registers of the position, which are restored after each, up to the first
//! move that meets all requirements. Choices other than sites are already specialized, so that the
//! instructions of decisions suffice.

use super::assembler::{Assembler, Label, Num, Saved, Set};
use super::moves::PartialSpecialization;
use super::values::{PlayerOperand, Scope};
use super::{Compiled, Compiler, RoutineContext};
use crate::language::rules::{MoveId, PlayerId, PlayerOf, Spanned};

/// The search for a legal move, while code for it is generated.
#[derive(Clone, Copy)]
pub(super) struct Search {
    /// Where code continues once a legal move is found.
    found: Label,
    /// Where the code of the current move continues, if it is being made.
    trial: Option<Trial>,
}

/// Where the code of a move continues that is only tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// If a requirement fails.
    pub fails: Label,
    /// If the move ends the game: nothing after that can fail.
    pub succeeds: Label,
}

impl<'r> Compiler<'r> {
    /// Returns where the code of the current move continues, if it is only tried.
    pub(super) fn trial(&self) -> Option<Trial> {
        self.context.tried.or_else(|| self.search?.trial)
    }

    /// Jumps to the label if "the player has a legal move by one of these rules" has the truth
    /// value `when`, otherwise continues.
    pub(super) fn jump_if_able(
        &mut self,
        player: &'r Spanned<PlayerOf>,
        moves: &'r [MoveId],
        scope: &Scope<'r>,
        when: bool,
        to: Label,
    ) -> Compiled<()> {
        let who = self.player_operand(player, scope)?;
        let found = if when { to } else { self.asm.label() };
        self.asm.open();
        match who {
            PlayerOperand::Fixed(player) => self.search(player, moves, found)?,
            PlayerOperand::In(who) => {
                self.each_player(who, |c, player| c.search(player, moves, found))?
            }
        }
        self.asm.close();
        if !when {
            self.asm.jump(to);
            self.asm.place(found);
        }
        Ok(())
    }

    /// Jumps to the label if the player has a legal move. Nothing that is known of the code around
    /// holds for these moves, except which queues are in use.
    fn search(&mut self, player: PlayerId, moves: &'r [MoveId], found: Label) -> Compiled<()> {
        let context = RoutineContext { chain: self.context.chain, ..RoutineContext::default() };
        let context = std::mem::replace(&mut self.context, context);
        let mover = std::mem::replace(&mut self.mover, player);
        let search = self.search.replace(Search { found, trial: None });
        // What is chosen in a `then` forbids no move: without a possible choice there is none.
        let then = std::mem::take(&mut self.then);
        let proposals = std::mem::take(&mut self.moves.proposals);
        let offered = self.offered.take();
        let (assumed, open_kind) = (std::mem::take(&mut self.assumed), self.open_kind.take());
        let done = moves.iter().try_for_each(|&id| {
            self.asm.open();
            let done = self.generate_rule(id);
            self.asm.close();
            done.map(drop)
        });
        (self.assumed, self.open_kind) = (assumed, open_kind);
        self.offered = offered;
        self.moves.proposals = proposals;
        self.search = search;
        self.then = then;
        self.mover = mover;
        self.context = context;
        done
    }

    /// Jumps if a move of the set is legal. `lifted` are the requirements that all of them meet.
    pub(super) fn search_move_set(
        &mut self,
        search: Search,
        partial: &PartialSpecialization<'r>,
        set: Set,
        lifted: &[usize],
    ) -> Compiled<()> {
        let Some(last) = self.last_requirement(partial, lifted) else {
            self.asm.if_any(set, search.found);
            return Ok(());
        };
        let start = self.asm.length();
        let mut saved = Saved::default();
        self.each_site(set, Assembler::open_loop, |c, member| {
            let member = c.site_number(&member)?;
            let trial = Trial { fails: c.asm.label(), succeeds: c.asm.label() };
            let from = c.asm.length();
            c.asm.open();
            c.search = Some(Search { trial: Some(trial), ..search });
            let tried = c.try_move(partial, member, lifted, last);
            c.search = Some(search);
            c.asm.close();
            tried?;
            saved = c.asm.saved_since(from, &c.context.changing);
            c.asm.place(trial.succeeds);
            c.asm.restore(&saved);
            c.asm.jump(search.found);
            c.asm.place(trial.fails);
            c.asm.restore(&saved);
            Ok(())
        })?;
        self.asm.save(start, &saved);
        Ok(())
    }

    /// Emits the body of the move up to this statement, its last requirement. The lifted site, or
    /// the last number, is in a register.
    fn try_move(
        &mut self,
        partial: &PartialSpecialization<'r>,
        member: Num,
        lifted: &[usize],
        last: usize,
    ) -> Compiled<()> {
        let context = RoutineContext { chain: self.context.chain, ..RoutineContext::default() };
        let context = std::mem::replace(&mut self.context, context);
        let scope = self.arguments(partial, |_, index| match index.checked_sub(1) {
            None => member,
            Some(prefix) => partial.prefixes[usize::from(prefix)],
        });
        let tried = scope.and_then(|mut scope| {
            self.context.site_facts = self.site_facts_of(&partial.rule.parameters)?;
            for (index, statement) in partial.rule.body.iter().enumerate().take(last + 1) {
                if !partial.is_settled(index, lifted) {
                    scope = self.statement(statement, scope)?;
                }
            }
            Ok(())
        });
        self.context = context;
        tried
    }
}
