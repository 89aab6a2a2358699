//! Effects on pieces: putting, removing, moving and changing them in the sets of owners and kinds.

use super::super::assembler::{Assembler, Set};
use super::super::site_facts::SiteFacts;
use super::super::values::{PlayerOperand, Scope};
use super::super::{Compiled, Compiler};
use crate::language::rules::{PieceId, PlayerId, PlayerOf, SiteOf, Spanned};

impl<'r> Compiler<'r> {
    pub(super) fn owner(
        &mut self,
        piece: PieceId,
        owner: Option<&'r Spanned<PlayerOf>>,
        scope: &Scope<'r>,
    ) -> Compiled<Option<PlayerOperand>> {
        if !self.rules.pieces[piece.index()].owned {
            return Ok(None);
        }
        match owner {
            Some(owner) => self.player_operand(owner, scope).map(Some),
            None => Ok(Some(PlayerOperand::Fixed(self.mover))),
        }
    }

    /// Emits a piece, by its register, on these sites, which are empty if `bare`.
    pub(super) fn put(&mut self, to: Set, at: Set, bare: bool, beneath: bool) {
        let at = self.frozen_set(at);
        if self.rules.piles.is_some() && !bare {
            return self.pile_on(to, at, beneath);
        }
        if !bare {
            self.clear(at, Some(to));
        }
        self.asm.join(to, at);
    }

    /// Emits the removal of the pieces on these sites, except from one register, and of the
    /// memories that travel with them, or of the piles.
    pub(super) fn clear(&mut self, at: Set, save: Option<Set>) {
        let at = self.frozen_set(at);
        if self.rules.piles.is_some() {
            return self.clear_piles(at);
        }
        if self.layout.travelling_end > self.layout.pieces_end {
            let occupied = self.occupied();
            let leaving = self.asm.and(at, occupied);
            for register in (self.layout.pieces_end..self.layout.travelling_end).map(Set) {
                self.asm.drop(register, leaving);
            }
        }
        self.vacate(at, save);
    }

    /// Emits the removal of the pieces on these sites, except from one register.
    pub(super) fn vacate(&mut self, at: Set, save: Option<Set>) {
        let pieces = (0..self.layout.pieces_end).map(Set);
        for register in pieces.filter(|&register| Some(register) != save) {
            self.asm.drop(register, at);
        }
    }

    pub(super) fn relocate(
        &mut self,
        from: &'r Spanned<SiteOf>,
        to: &'r Spanned<SiteOf>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let bare = self.context.site_facts.is_bare(&to.node);
        let occupants = self.context.site_facts.occupants(&from.node).cloned();
        self.context.site_facts = SiteFacts::default();
        let from = self.site_operand(from, scope)?;
        let to = self.site_operand(to, scope)?;
        let from = self.site_number(&from)?;
        let to = self.site_number(&to)?;
        let stays = self.asm.label();
        self.asm.open();
        // A move from an empty site or to a cut-out one has no effect, unless the facts exclude
        // both.
        if occupants.is_none() {
            let occupied = self.occupied();
            self.asm.if_out(from, occupied, stays);
        }
        if !bare {
            let board = self.asm.board();
            let goal = self.not_cut(board);
            self.asm.if_out(to, goal, stays);
        }
        if let Some(&[only]) = occupants.as_deref() {
            let [from, to] = [from, to].map(|site| self.asm.single(site));
            let only = Set(only);
            if !bare {
                self.vacate(to, Some(only));
            }
            self.asm.drop(only, from);
            self.asm.join(only, to);
        } else {
            // Registers that hold neither the moving piece nor one on the target need no
            // instruction.
            let every = (0..self.layout.pieces_end).collect();
            for register in occupants.filter(|_| bare).unwrap_or(every) {
                self.asm.transfer(Set(register), from, to);
            }
        }
        for register in (self.layout.pieces_end..self.layout.travelling_end).map(Set) {
            self.asm.transfer(register, from, to);
        }
        self.asm.close();
        self.asm.place(stays);
        Ok(())
    }

    pub(super) fn convert(&mut self, at: Set, to: PlayerId) {
        for piece in (0..self.rules.pieces.len() as u16)
            .map(PieceId)
            .filter(|piece| self.rules.pieces[piece.index()].owned)
        {
            let others = self.sites_with(piece, |owner| owner != to);
            let turning = self.asm.and(at, others);
            let turning = self.frozen_set(turning);
            for player in (0..self.rules.players.len() as u16).map(PlayerId) {
                let register = self.layout.piece(piece, Some(player));
                let change = if player == to { Assembler::join } else { Assembler::drop };
                change(&mut self.asm, register, turning);
            }
        }
    }

    pub(super) fn replace(&mut self, at: Set, piece: PieceId, owner: Option<PlayerId>) {
        let kinds: Vec<PieceId> = (0..self.rules.pieces.len() as u16).map(PieceId).collect();
        let mut becoming = Vec::new();
        let occupied = self.occupied();
        let at = self.asm.and(at, occupied);
        let at = self.frozen_set(at);
        if !self.rules.pieces[piece.index()].owned {
            becoming.push((self.layout.piece(piece, None), at));
        } else if let Some(owner) = owner {
            becoming.push((self.layout.piece(piece, Some(owner)), at));
        } else {
            let owned = self.owned(&kinds, |_| true);
            let unowned = self.asm.without(at, owned);
            for player in (0..self.rules.players.len() as u16).map(PlayerId) {
                let of_player = self.owned(&kinds, |owner| owner == player);
                let mut becomes = self.asm.and(at, of_player);
                if player == self.mover {
                    becomes = self.asm.or(becomes, unowned);
                }
                becoming.push((self.layout.piece(piece, Some(player)), self.frozen_set(becomes)));
            }
        }
        for register in (0..self.layout.pieces_end).map(Set) {
            self.asm.drop(register, at);
        }
        for (register, becomes) in becoming {
            self.asm.join(register, becomes);
        }
    }
}
