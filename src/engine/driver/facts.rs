//! What compiled code takes for granted of positions and moves, asserted in builds with debug
//! assertions. The effects leave out what such a fact makes needless, so that every way to execute a
//! program would agree on the same wrong game if one of them were wrong.

use super::{Driver, PackedMove};
use crate::board::Direction;
use crate::compile::program::{Bearing, ParameterSource};
use crate::engine::bits::Bits;

impl<const W: usize> Driver<W> {
    /// Asserts that no site bears two pieces, and a site that was cut out none.
    pub(super) fn assert_apart(&self) {
        let (layout, sets) = (&self.machine.program.layout, &self.machine.frame.sets);
        let mut taken = layout.cut.map_or(Bits::NONE, |cut| sets[usize::from(cut.0)]);
        for (register, &pieces) in (0..layout.pieces_end).zip(sets) {
            assert!((taken & pieces).is_none(), "pieces of register {register} on other ones");
            taken |= pieces;
        }
    }

    /// Asserts what the routine of a move takes for granted of the move's sites.
    pub(super) fn assert_facts(&self, candidate: PackedMove) {
        let program = &self.machine.program;
        let specialization = &program.specializations[usize::from(candidate.specialization)];
        let sets = &self.machine.frame.sets;
        let bears = |register: u16, site: usize| sets[usize::from(register)].has(site);
        for &source in &specialization.sources {
            let is_path = matches!(source, ParameterSource::MemberPath(_));
            let leads_there = !is_path || self.site_of(source, candidate).is_some();
            assert!(leads_there, "{source:?} of {candidate:?} leads to no site");
        }
        for fact in &specialization.facts {
            let source = specialization.sources[fact.parameter];
            let site = self.site_of(source, candidate);
            let site = site.unwrap_or_else(|| panic!("{source:?} of {candidate:?} is no site"));
            let cut = program.layout.cut.is_some_and(|cut| bears(cut.0, site));
            let holds = match &fact.bearing {
                Bearing::Nothing => {
                    !cut && !(0..program.layout.pieces_end).any(|piece| bears(piece, site))
                }
                Bearing::OneOf(registers) => registers.iter().any(|&piece| bears(piece, site)),
            };
            assert!(holds, "site {site} of {candidate:?} does not bear {:?}", fact.bearing);
        }
    }

    /// Returns the site of a parameter; `None` for nowhere and for what is no site.
    fn site_of(&self, source: ParameterSource, candidate: PackedMove) -> Option<usize> {
        let number = |site: i32| usize::try_from(site).ok();
        match source {
            ParameterSource::Member => Some(candidate.member.into()),
            ParameterSource::MemberPath(path) => {
                let next = &self.machine.tables.board.next;
                let step = |site: usize, way: &Direction| number(next[way.index()][site]);
                path.steps().iter().try_fold(candidate.member.into(), step)
            }
            ParameterSource::Prefix(place) => number(candidate.prefix[usize::from(place)].into()),
            ParameterSource::Site(site) => Some(site.index()),
            _ => None,
        }
    }
}
