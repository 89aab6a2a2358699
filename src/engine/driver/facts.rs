//! Asserts, in builds with debug assertions, the facts about positions and moves that compiled code
//! takes for granted. The compiler leaves out effects that such a fact makes needless, so if a fact
//! were wrong, every way to execute the program would agree on the same wrong game.

use super::{Driver, PackedMove};
use crate::board::Direction;
use crate::compile::program::{Bearing, ParameterSource, SiteFact};
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

    /// Asserts the facts that the routine of a move takes for granted about the move's sites.
    pub(super) fn assert_facts(&self, candidate: PackedMove) {
        let program = &self.machine.program;
        let specialization = &program.specializations[usize::from(candidate.specialization)];
        let sets = &self.machine.frame.sets;
        let bears = |register: u16, site: usize| sets[usize::from(register)].has(site);
        for &source in &specialization.sources {
            let leads_there = self.site_of(source, candidate).is_some();
            let is_path = matches!(source, ParameterSource::MemberPath(_));
            assert!(leads_there || !is_path, "{source:?} of {candidate:?} leads to no site");
        }
        for SiteFact { parameter, bearing } in &specialization.facts {
            let site = self.site_of(specialization.sources[*parameter], candidate);
            let cut = program.layout.cut.map(|cut| cut.0);
            let holds = site.is_some_and(|site| match bearing {
                Bearing::Nothing => {
                    !(0..program.layout.pieces_end).chain(cut).any(|taken| bears(taken, site))
                }
                Bearing::OneOf(registers) => registers.iter().any(|&piece| bears(piece, site)),
            });
            assert!(holds, "site {site:?} of {candidate:?} does not bear {bearing:?}");
        }
    }

    /// Returns the site of a parameter; `None` if it is nowhere or holds no site.
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
