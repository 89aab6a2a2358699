//! Compiles changes of memories.

use crate::compile::assembler::{Assembler, Num, Set};
use crate::compile::layout::Home;
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
        mut emit: impl FnMut(&mut Self, Num),
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
            PlayerOperand::Fixed(player) => emit(self, Num(first + player.0)),
            PlayerOperand::In(who) => self.each_player(who, |c, player| {
                emit(c, Num(first + player.0));
                Ok(())
            })?,
        }
        Ok(())
    }

    /// Emits the change of a remembered site, kind, direction, player or condition. Bit planes
    /// count from one.
    pub(super) fn assign(
        &mut self,
        memory: MemoryId,
        player: Option<&'r Spanned<PlayerOf>>,
        site: Option<&'r Spanned<SiteOf>>,
        value: Num,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        if let Home::Field { first, bits } = self.layout.home(memory) {
            let one = self.asm.constant(1);
            let value = self.asm.add(value, one);
            return self.set_field(first, bits, site, value, scope);
        }
        self.each_number(memory, player, None, scope, |c, register| {
            c.asm.assign_to(register, value)
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
            value = self.asm.greatest(value, zero);
        }
        match (self.layout.home(at.memory), declared.holds) {
            (Home::Field { first, bits }, MemoryType::Number { most }) => {
                let most = self.asm.constant(most);
                value = self.asm.least(value, most);
                self.set_field(first, bits, at.site, value, scope)
            }
            _ => self.each_number(at.memory, at.player, at.key, scope, |c, register| {
                c.asm.assign_to(register, value)
            }),
        }
    }

    pub(super) fn change(
        &mut self,
        at: NumberPlace<'r>,
        by: &'r Spanned<Number>,
        lowers: bool,
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
            let value = if lowers { self.asm.subtract(old, by) } else { self.asm.add(old, by) };
            return self.set_number(at, value, scope);
        }
        let hand = self.rules.memories[at.memory.index()].hand;
        self.each_number(at.memory, at.player, at.key, scope, |c, register| {
            let change = if lowers { Assembler::subtract_to } else { Assembler::add_to };
            change(&mut c.asm, register, register, by);
            if hand {
                let zero = c.asm.constant(0);
                c.asm.greatest_to(register, register, zero);
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
            let plane = Set(first + bit);
            let shifted = self.asm.divide(value, 1 << bit);
            let odd = self.asm.remainder(shifted, 2);
            let here = self.asm.gate(single, odd);
            self.asm.drop(plane, single);
            self.asm.join(plane, here);
        }
        Ok(())
    }

    pub(super) fn change_marks(
        &mut self,
        (memory, player, direction): (
            MemoryId,
            Option<&'r Spanned<PlayerOf>>,
            Option<&'r Spanned<DirectionOf>>,
        ),
        emit: fn(&mut Assembler, Set, Set),
        sites: Set,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let homes = self.homes_of_sets(memory, player, direction, scope)?;
        let is_known = homes.iter().all(|(guard, _)| guard.is_empty());
        let sites = if is_known { sites } else { self.frozen_set(sites) };
        homes.into_iter().try_for_each(|(guard, home)| {
            self.guarded(&guard, |c| {
                emit(&mut c.asm, home, sites);
                Ok(())
            })
        })
    }
}
