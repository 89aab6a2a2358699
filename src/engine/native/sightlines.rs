//! Lines of sight that are kept from ply to ply: from which sites a walk through free ones comes to
//! a goal.
//!
//! In: a program. Out: which of its fills are worked out of the position alone, together with those
//! through the same sites. A ply changes a site or two, and what a fill came to then changes on the
//! lines through them only.

use super::super::frame::SIGHTLINE_CACHE_SIZE;
use super::super::tables::{Along, BoardTables, Rays, back};
use super::wide;
use crate::compile::op::{Code, OperandRole};
use crate::compile::program::{Address, Program};
use indexmap::IndexSet;
use std::collections::{BTreeSet, HashMap};

/// More instructions than that are not gone through a second time.
const MAX_EXPRESSION_SIZE: usize = 16;

/// A set that is worked out of registers of the position and of constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetExpression {
    Register(u16),
    Made(Code, Box<[SetExpression; 2]>),
}

impl SetExpression {
    /// How many instructions it takes.
    fn size(&self) -> usize {
        match self {
            SetExpression::Register(_) => 0,
            SetExpression::Made(_, parts) => {
                1 + parts.iter().map(SetExpression::size).sum::<usize>()
            }
        }
    }

    /// Whether it is for certain that the set has only sites of the other one.
    fn is_within(&self, other: &SetExpression) -> bool {
        self == other
            || match self {
                SetExpression::Made(Code::And, parts) => {
                    parts.iter().any(|part| part.is_within(other))
                }
                SetExpression::Made(Code::AndNot, parts) => parts[0].is_within(other),
                _ => false,
            }
    }

    /// Whether it is for certain that no site is in both sets.
    fn is_apart_from(&self, other: &SetExpression) -> bool {
        self.leaves_out(other) || other.leaves_out(self)
    }

    fn leaves_out(&self, other: &SetExpression) -> bool {
        match self {
            SetExpression::Made(Code::And, parts) => {
                parts.iter().any(|part| part.leaves_out(other))
            }
            SetExpression::Made(Code::AndNot, parts) => {
                other.is_within(&parts[1]) || parts[0].leaves_out(other)
            }
            _ => false,
        }
    }

    /// The registers that it is worked out of.
    pub fn registers(&self) -> Vec<u16> {
        match self {
            SetExpression::Register(register) => vec![*register],
            SetExpression::Made(_, parts) => {
                parts.iter().flat_map(SetExpression::registers).collect()
            }
        }
    }
}

/// Fills through the same sites.
#[derive(Clone, Debug)]
pub struct FillFamily {
    pub through: SetExpression,
    /// The goals of its fills: none is in a site that is gone through.
    pub goals: IndexSet<SetExpression>,
    /// The fills: where their goals stand among those of the family, and in which direction they
    /// look.
    pub fills: IndexSet<(usize, u8)>,
    /// Where what is kept begins: the sites gone through, the goals, and what the fills came to.
    pub slot: usize,
}

impl FillFamily {
    /// How many sets are kept.
    fn size(&self) -> usize {
        1 + self.goals.len() + self.fills.len()
    }

    /// Where it is kept what a fill came to.
    pub fn slot_of(&self, fill: usize) -> usize {
        self.slot + 1 + self.goals.len() + fill
    }
}

/// The fills of a program that are kept.
pub struct SightlineCache {
    pub families: Vec<FillFamily>,
    /// The instructions that stand for them: which family, and which of its fills.
    pub places: HashMap<Address, (usize, usize)>,
    /// By direction, what is looked at from where, the other way round.
    rays: Rays,
}

impl SightlineCache {
    /// Finds them, for sets of so many words. On boards of one word fills take no longer than
    /// finding out what has changed does; they are not kept there, nor where there are no wide
    /// values.
    pub fn new(program: &Program, tables: &BoardTables, width: usize) -> SightlineCache {
        let mut sightlines = SightlineCache {
            families: Vec::new(),
            places: HashMap::new(),
            rays: Rays::new(width, 0, &tables.next),
        };
        if wide::suits(width) {
            sightlines.find(program);
            let ways = sightlines
                .families
                .iter()
                .flat_map(|family| &family.fills)
                .fold(0, |ways, (_, way)| ways | 1 << back(*way));
            sightlines.rays = Rays::new(width, ways, &tables.next);
            sightlines.settle();
        }
        sightlines
    }

    /// The rays on which those lie that look in a direction; none where they must be gone site by
    /// site.
    pub fn behind(&self, way: u8) -> Option<Along<'_>> {
        self.rays.along(back(way))
    }

    fn find(&mut self, program: &Program) {
        let targets = program
            .code
            .iter()
            .filter(|op| op.code.roles()[2] == OperandRole::Target)
            .map(|op| op.c);
        let entries: BTreeSet<Address> =
            targets.chain(program.origins.iter().map(|&(start, _)| start)).collect();
        let fixed = program.layout.sets + program.constants.len() as u16;
        let mut known: HashMap<u16, SetExpression> = HashMap::new();
        for (address, op) in (0..).zip(&program.code) {
            if entries.contains(&address) {
                known.clear();
            }
            let source = |register: u16| {
                if register < fixed {
                    Some(SetExpression::Register(register))
                } else {
                    known.get(&register).cloned()
                }
            };
            let both = || source(op.b).zip(source(op.c));
            let mut made = None;
            match op.code {
                Code::Copy => made = source(op.b),
                Code::And | Code::Or | Code::AndNot | Code::Xor => {
                    made = both()
                        .map(|(one, other)| SetExpression::Made(op.code, Box::new([one, other])));
                }
                Code::Fill => {
                    if let Some((goals, through)) =
                        both().filter(|(goals, through)| goals.is_apart_from(through))
                    {
                        self.add(address, goals, through, op.x);
                    }
                }
                _ => {}
            }
            for (role, register) in op.operands() {
                if let OperandRole::SetWrite | OperandRole::SetChange = role {
                    if register < fixed {
                        known.clear();
                    }
                    known.remove(&register);
                }
            }
            if let Some(made) =
                made.filter(|made| op.a >= fixed && made.size() <= MAX_EXPRESSION_SIZE)
            {
                known.insert(op.a, made);
            }
        }
    }

    fn add(&mut self, address: Address, goals: SetExpression, through: SetExpression, way: u8) {
        let families = &mut self.families;
        let family =
            families.iter().position(|family| family.through == through).unwrap_or_else(|| {
                families.push(FillFamily {
                    through,
                    goals: IndexSet::new(),
                    fills: IndexSet::new(),
                    slot: 0,
                });
                families.len() - 1
            });
        let FillFamily { goals: all, fills, .. } = &mut families[family];
        let (goals, _) = all.insert_full(goals);
        let (fill, _) = fills.insert_full((goals, way));
        self.places.insert(address, (family, fill));
    }

    /// Finds room for what is kept. What there is none for, or no rays, is not kept.
    fn settle(&mut self) {
        let mut taken = 0;
        for family in &mut self.families {
            family.slot = taken;
            let has_rays =
                family.fills.iter().all(|(_, way)| self.rays.along(back(*way)).is_some());
            if taken + family.size() > SIGHTLINE_CACHE_SIZE || !has_rays {
                family.fills.clear();
            } else {
                taken += family.size();
            }
        }
        let families = &self.families;
        self.places.retain(|_, &mut (family, _)| !families[family].fills.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tables::Tables;
    use super::*;

    /// What each player sees is counted along eight lines, of sites that are left out of what is
    /// looked through.
    #[test]
    fn lines_of_sight_are_found() {
        let text = "(game \"Lookouts\" (players A B) (board (square 10)) (piece Stone)
            (define (Seen (player p) (site s)) (count d all (in (first s d (not (empty))) (of p Stone))))
            (move post (to t (empty)) (require (>= (Seen mover t) (Seen (next mover) t))) (put Stone t))
            (play (turns (choose post (otherwise (draw))))))";
        let game = crate::load(text, &[]).expect("a game");
        let program = game.program();
        let sightlines =
            SightlineCache::new(program, &Tables::<2>::new(&game.rules().board, program).board, 2);
        let fills = program.code.iter().filter(|op| op.code == Code::Fill).count();
        assert!(fills >= 32, "{fills}");
        assert_eq!(sightlines.places.len(), fills);
    }
}
