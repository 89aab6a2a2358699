//! Lines of sight that are updated from ply to ply: finds the fills of a program whose results can
//! be cached in the frame.
//!
//! A ply changes a site or two, and a fill then changes only on the lines through them. A fill
//! qualifies if its operands are expressions over registers of the position and constants, and if
//! no goal is a site that the fill passes. Fills through the same sites form a family, which is
//! updated together (`routine::sightlines`).

use super::super::frame::SIGHTLINE_CACHE_SIZE;
use super::super::tables::{BoardTables, DirectionRays, Rays, back};
use super::wide;
use crate::compile::op::{Code, OperandRole};
use crate::compile::program::{Address, Program};
use indexmap::IndexSet;
use std::collections::{BTreeSet, HashMap};

/// Larger expressions are not evaluated a second time to find the changed sites.
const MAX_EXPRESSION_SIZE: usize = 16;

/// A set as an expression over registers of the position and constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SetExpression {
    Register(u16),
    Made(Code, Box<[SetExpression; 2]>),
}

impl SetExpression {
    /// Returns the number of instructions that evaluate it.
    fn size(&self) -> usize {
        match self {
            SetExpression::Register(_) => 0,
            SetExpression::Made(_, parts) => {
                1 + parts.iter().map(SetExpression::size).sum::<usize>()
            }
        }
    }

    /// Tests if the set is certainly a subset of the other one.
    fn is_within(&self, other: &SetExpression) -> bool {
        let in_part = match other {
            SetExpression::Made(Code::Or, parts) => parts.iter().any(|part| self.is_within(part)),
            _ => false,
        };
        self == other
            || in_part
            || match self {
                SetExpression::Made(Code::And, parts) => {
                    parts.iter().any(|part| part.is_within(other))
                }
                SetExpression::Made(Code::Or, parts) => {
                    parts.iter().all(|part| part.is_within(other))
                }
                SetExpression::Made(Code::AndNot, parts) => parts[0].is_within(other),
                _ => false,
            }
    }

    /// Tests if the sets are certainly disjoint.
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

    /// Returns the registers that it reads.
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
    /// The goals of its fills, disjoint from `through`.
    pub goals: IndexSet<SetExpression>,
    /// The fills: the index of their goals, and their direction.
    pub fills: IndexSet<(usize, u8)>,
    /// The first cache slot of the family: `through`, then the goals, then the results of the
    /// fills.
    pub slot: usize,
}

impl FillFamily {
    /// Returns the number of cached sets.
    fn size(&self) -> usize {
        1 + self.goals.len() + self.fills.len()
    }

    /// Returns the slot of a fill's result.
    pub fn slot_of(&self, fill: usize) -> usize {
        self.slot + 1 + self.goals.len() + fill
    }
}

/// The cached fills of a program.
pub struct SightlineCache {
    pub families: Vec<FillFamily>,
    /// The fill instructions, with the family and the fill that each stands for.
    pub places: HashMap<Address, (usize, usize)>,
    /// The rays opposite to the directions of the fills.
    rays: Rays,
}

impl SightlineCache {
    /// Finds the fills, for sets of this many words. On boards of one word a fill costs no more
    /// than finding out what has changed, so none is cached there, nor where there are no wide
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
            sightlines.assign_slots();
        }
        sightlines
    }

    /// Returns the rays that lead from a site to those that look at it in a direction; `None` if
    /// numbers neither rise nor fall along them.
    pub fn behind(&self, way: u8) -> Option<DirectionRays<'_>> {
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
        // Expressions are followed within basic blocks: any jump may arrive at an entry.
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
            if op.code.moves_piles() {
                known.clear();
            }
            for (role, register) in op.operands() {
                if let OperandRole::SetWrite | OperandRole::SetChange = role {
                    // The expressions known so far were over the old contents of the position.
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

    /// Assigns cache slots. Families for which there is no room or no rays are not cached.
    fn assign_slots(&mut self) {
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
