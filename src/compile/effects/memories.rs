//! Compiles changes of memories.

use crate::compile::assembler::{Num, Set};
use crate::compile::layout::Home;
use crate::compile::op::Code;
use crate::compile::plan::Why;
use crate::compile::values::{PlayerOperand, Scope, SiteOperand};
use crate::compile::{Compiled, Compiler, Stop};
use crate::language::rules::{
    DirectionOf, KeyOf, MemoryId, MemoryType, Number, PlayerId, PlayerOf, SiteOf, Spanned,
};

/// A remembered number.
#[derive(Clone, Copy)]
pub(super) struct NumberPlace<'r> {
    memory: MemoryId,
    player: Option<&'r Spanned<PlayerOf>>,
    site: Option<&'r Spanned<SiteOf>>,
    key: Option<&'r KeyOf>,
}

impl<'r> NumberPlace<'r> {
    pub(super) fn new(
        memory: MemoryId,
        player: &'r Option<Spanned<PlayerOf>>,
        site: &'r Option<Spanned<SiteOf>>,
        key: &'r Option<KeyOf>,
    ) -> NumberPlace<'r> {
        let (player, site, key) = (player.as_ref(), site.as_ref(), key.as_ref());
        NumberPlace { memory, player, site, key }
    }
}

impl<'r> Compiler<'r> {
    /// Emits the change of a remembered number, site, player or kind that is not per-site, for the
    /// player and the key that it belongs to.
    fn each_number(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        key: Option<&'r KeyOf>,
        scope: &Scope<'r>,
        mut emit: impl FnMut(&mut Self, u16),
    ) -> Compiled<()> {
        let Home::Nums { first } = self.layout.home(memory) else {
            return Err(Stop::NotLiftable(Why::Value));
        };
        let who = match player {
            Some(player) => self.player_operand(player, scope)?,
            None => PlayerOperand::Fixed(PlayerId(0)),
        };
        if let Some(key) = key {
            let key = self.key_operand(key, scope)?;
            return self.each_kept_number(memory, who, &key, |c, register| {
                emit(c, register);
                Ok(())
            });
        }
        match who {
            PlayerOperand::Fixed(player) => emit(self, first + player.0),
            PlayerOperand::In(who) => self.each_player(who, |c, player| {
                emit(c, first + player.0);
                Ok(())
            })?,
        }
        Ok(())
    }

    pub(super) fn assign(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        value: Num,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        self.each_number(memory, player, None, scope, |c, register| {
            c.asm.emit(Code::Assign, 0, register, value.0, 0)
        })
    }

    pub(super) fn set_number(
        &mut self,
        at: NumberPlace<'r>,
        mut value: Num,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let declared = &self.rules.memories[at.memory.index()];
        // A hand and a number per site are never negative.
        if declared.hand || declared.per_site {
            let zero = self.asm.constant(0);
            value = self.asm.num(Code::Greatest, 0, value.0, zero.0);
        }
        match (self.layout.home(at.memory), declared.holds) {
            (Home::Field { first, bits }, MemoryType::Number { most }) => {
                let most = self.asm.constant(most);
                value = self.asm.num(Code::Least, 0, value.0, most.0);
                self.set_field(first, bits, at.site, value, scope)
            }
            _ => self.each_number(at.memory, at.player, at.key, scope, |c, register| {
                c.asm.emit(Code::Assign, 0, register, value.0, 0)
            }),
        }
    }

    pub(super) fn change(
        &mut self,
        at: NumberPlace<'r>,
        by: &'r Spanned<Number>,
        code: Code,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let by = self.number(by, scope)?;
        if let Home::Field { first, bits } = self.layout.home(at.memory) {
            let place = match at.site {
                Some(site) => self.site_operand(site, scope)?,
                None => SiteOperand::Nowhere,
            };
            let place = self.site_number(&place)?;
            let old = self.field_at(first, bits, place, 0);
            let value = self.asm.num(code, 0, old.0, by.0);
            return self.set_number(at, value, scope);
        }
        let hand = self.rules.memories[at.memory.index()].hand;
        self.each_number(at.memory, at.player, at.key, scope, |c, register| {
            c.asm.emit(code, 0, register, register, by.0);
            if hand {
                let zero = c.asm.constant(0);
                c.asm.emit(Code::Greatest, 0, register, register, zero.0);
            }
        })
    }

    pub(super) fn set_field(
        &mut self,
        first: u16,
        bits: u16,
        site: Option<&'r Spanned<SiteOf>>,
        value: Num,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let place = match site {
            Some(site) => self.site_operand(site, scope)?,
            None => SiteOperand::Nowhere,
        };
        let single = self.single(&place)?;
        // Plane by plane: clears the site in it, then sets it again if the bit of the value is 1.
        for bit in 0..bits {
            let shifted = self.asm.num(Code::Divide, 0, value.0, 1 << bit);
            let odd = self.asm.num(Code::Remainder, 0, shifted.0, 2);
            let here = self.asm.set(Code::Gate, 0, single.0, odd.0);
            self.asm.emit(Code::Drop, 0, first + bit, single.0, 0);
            self.asm.emit(Code::Join, 0, first + bit, here.0, 0);
        }
        Ok(())
    }

    pub(super) fn change_marks(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        direction: Option<&'r Spanned<DirectionOf>>,
        code: Code,
        sites: Set,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let homes = self.homes_of_sets(memory, player, direction, scope)?;
        let is_known = homes.iter().all(|(guard, _)| guard.is_empty());
        let sites = if is_known { sites } else { self.frozen_set(sites) };
        homes.into_iter().try_for_each(|(guard, home)| {
            self.guarded(&guard, |c| {
                c.asm.emit(code, 0, home.0, sites.0, 0);
                Ok(())
            })
        })
    }
}
