//! A position in terms of sites and values, for diagrams, records and tests.
//!
//! It is independent of registers and of the width of bit sets. It does not contain the point in
//! the order of play.

mod piles;

use super::position::Position;
use crate::board::{Direction, Site};
use crate::compile::assembler::Set;
use crate::compile::layout::Home;
use crate::compile::program::Program;
use crate::language::rules::{MemoryId, MemoryType, PieceId, PlayerId, Rules};

/// A piece on the board, and its owner if its kind is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occupant {
    pub piece: PieceId,
    pub owner: Option<PlayerId>,
}

/// The value of a memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MemoryValue {
    Number(i32),
    /// In ascending order.
    Sites(Vec<Site>),
    Site(Option<Site>),
    Player(PlayerId),
    /// By site number.
    NumberPerSite(Vec<i32>),
    /// By site number.
    SitePerSite(Vec<Option<Site>>),
    Kind(Option<PieceId>),
    /// By site number.
    KindPerSite(Vec<Option<PieceId>>),
    Direction(Option<Direction>),
    /// By site number.
    DirectionPerSite(Vec<Option<Direction>>),
    Condition(bool),
}

/// The occupants of the board and the values of the memories.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// By site number; as long as the board has slots.
    pub pieces: Vec<Option<Occupant>>,
    /// The sites removed in play, in ascending order.
    pub cut: Vec<Site>,
    /// By memory; then by player (one entry unless it is per player) and by direction or kind (in
    /// the order of the memory's directions or kinds; one entry if it has none):
    /// `memories[memory][player * directions + direction]`.
    pub memories: Vec<Vec<MemoryValue>>,
}

impl Snapshot {
    /// Makes the empty board, with every memory at its initial value before the setup.
    pub fn empty(rules: &Rules) -> Snapshot {
        let slots = rules.board.slots();
        let memories = rules.memories.iter().map(|memory| {
            let players = if memory.per_player { rules.players.len() } else { 1 };
            let memory_value = match (memory.holds, memory.per_site) {
                (MemoryType::Number { .. }, false) => MemoryValue::Number(memory.initial),
                (MemoryType::Number { .. }, true) => MemoryValue::NumberPerSite(vec![0; slots]),
                (MemoryType::Sites, _) => MemoryValue::Sites(Vec::new()),
                (MemoryType::Site, false) => MemoryValue::Site(None),
                (MemoryType::Site, true) => MemoryValue::SitePerSite(vec![None; slots]),
                (MemoryType::Player, _) => MemoryValue::Player(PlayerId(memory.initial as u16)),
                (MemoryType::Kind, false) => MemoryValue::Kind(None),
                (MemoryType::Kind, true) => MemoryValue::KindPerSite(vec![None; slots]),
                (MemoryType::Direction, false) => {
                    MemoryValue::Direction(direction_of(memory.initial))
                }
                (MemoryType::Direction, true) => MemoryValue::DirectionPerSite(vec![None; slots]),
                (MemoryType::Condition, _) => MemoryValue::Condition(memory.initial != 0),
            };
            vec![memory_value; players * memory.values_per_player()]
        });
        Snapshot { pieces: vec![None; slots], cut: Vec::new(), memories: memories.collect() }
    }

    /// Reads the registers of a position.
    pub(super) fn of(
        rules: &Rules,
        program: &Program,
        width: usize,
        position: &Position,
    ) -> Snapshot {
        let mut snapshot = Snapshot::empty(rules);
        let layout = &program.layout;
        let words = |set: Set| &position.words[usize::from(set.0) * width..][..width];
        let has =
            |set: Set, site: Site| words(set)[site.index() / 64] >> (site.index() % 64) & 1 == 1;
        let members =
            |set: Set| rules.board.sites().filter(|&site| has(set, site)).collect::<Vec<Site>>();
        for (occupant, register) in occupants(rules, program) {
            for site in members(register) {
                snapshot.pieces[site.index()] = Some(occupant);
            }
        }
        snapshot.cut = layout.cut.map(members).unwrap_or_default();
        for (index, memories) in snapshot.memories.iter_mut().enumerate() {
            let home = layout.home(MemoryId(index as u16));
            for (offset, memory_value) in memories.iter_mut().enumerate() {
                let number = |first: u16| position.numbers[usize::from(first) + offset];
                let spelled = |first: u16, bits: u16, site: Site| {
                    (0..bits).map(|bit| i32::from(has(Set(first + bit), site)) << bit).sum::<i32>()
                };
                match (memory_value, home) {
                    (MemoryValue::Number(memory_value), Home::Nums { first }) => {
                        *memory_value = number(first)
                    }
                    (MemoryValue::Player(memory_value), Home::Nums { first }) => {
                        *memory_value = PlayerId(number(first) as u16)
                    }
                    (MemoryValue::Site(memory_value), Home::Nums { first }) => {
                        *memory_value = u16::try_from(number(first)).ok().map(Site)
                    }
                    (MemoryValue::Kind(memory_value), Home::Nums { first }) => {
                        *memory_value = u16::try_from(number(first)).ok().map(PieceId)
                    }
                    (MemoryValue::Direction(memory_value), Home::Nums { first }) => {
                        *memory_value = direction_of(number(first))
                    }
                    (MemoryValue::Condition(memory_value), Home::Nums { first }) => {
                        *memory_value = number(first) != 0
                    }
                    (MemoryValue::DirectionPerSite(memory_value), Home::Field { first, bits }) => {
                        rules.board.sites().for_each(|site| {
                            memory_value[site.index()] =
                                direction_of(spelled(first, bits, site) - 1);
                        });
                    }
                    (MemoryValue::KindPerSite(memory_value), Home::Field { first, bits }) => {
                        rules.board.sites().for_each(|site| {
                            memory_value[site.index()] =
                                u16::try_from(spelled(first, bits, site) - 1).ok().map(PieceId);
                        });
                    }
                    (MemoryValue::Sites(memory_value), Home::Sets { first }) => {
                        *memory_value = members(Set(first + offset as u16))
                    }
                    (MemoryValue::NumberPerSite(memory_value), Home::Field { first, bits }) => {
                        rules.board.sites().for_each(|site| {
                            memory_value[site.index()] = spelled(first, bits, site)
                        });
                    }
                    (MemoryValue::SitePerSite(memory_value), Home::Field { first, bits }) => {
                        rules.board.sites().for_each(|site| {
                            memory_value[site.index()] =
                                u16::try_from(spelled(first, bits, site) - 1).ok().map(Site);
                        });
                    }
                    _ => {}
                }
            }
        }
        snapshot
    }

    /// Makes the position with this content at a decision, all counters zero. Content that the game
    /// cannot represent is dropped or clamped: sites beyond the board are ignored, and unknown
    /// players become the last one.
    pub(super) fn position(
        &self,
        rules: &Rules,
        program: &Program,
        width: usize,
        decision: u16,
    ) -> Position {
        let layout = &program.layout;
        let declared =
            |kind: Option<PieceId>| kind.filter(|kind| kind.index() < rules.pieces.len());
        let on_board = |site: Option<Site>| site.filter(|&site| rules.board.contains(site));
        let mut words = vec![0u64; usize::from(layout.sets) * width].into_boxed_slice();
        let mut numbers: Box<[i32]> = program.initial.clone().into();
        let mut put = |set: Set, site: Site| {
            if rules.board.contains(site) {
                words[usize::from(set.0) * width + site.index() / 64] |= 1 << (site.index() % 64);
            }
        };
        for (occupant, register) in occupants(rules, program) {
            let here =
                self.pieces.iter().enumerate().filter(|(_, piece)| **piece == Some(occupant));
            here.for_each(|(site, _)| put(register, Site(site as u16)));
        }
        if let Some(cut) = layout.cut {
            self.cut.iter().for_each(|&site| put(cut, site));
        }
        for (index, memories) in self.memories.iter().enumerate().take(rules.memories.len()) {
            let home = layout.home(MemoryId(index as u16));
            for (offset, memory_value) in memories.iter().enumerate() {
                let mut spell = |first: u16, bits: u16, site: usize, number: i32| {
                    (0..bits)
                        .filter(|bit| number >> bit & 1 == 1)
                        .for_each(|bit| put(Set(first + bit), Site(site as u16)));
                };
                match (memory_value, home) {
                    (MemoryValue::Number(number), Home::Nums { first }) => {
                        numbers[usize::from(first) + offset] = *number
                    }
                    (MemoryValue::Player(player), Home::Nums { first }) => {
                        numbers[usize::from(first) + offset] =
                            i32::from(player.0).min(rules.players.len() as i32 - 1);
                    }
                    (MemoryValue::Site(site), Home::Nums { first }) => {
                        numbers[usize::from(first) + offset] =
                            on_board(*site).map_or(-1, |site| i32::from(site.0));
                    }
                    (MemoryValue::Kind(kind), Home::Nums { first }) => {
                        numbers[usize::from(first) + offset] =
                            declared(*kind).map_or(-1, |kind| i32::from(kind.0));
                    }
                    (MemoryValue::Direction(direction), Home::Nums { first }) => {
                        numbers[usize::from(first) + offset] = direction_number(*direction);
                    }
                    (MemoryValue::Condition(holds), Home::Nums { first }) => {
                        numbers[usize::from(first) + offset] = i32::from(*holds);
                    }
                    (MemoryValue::DirectionPerSite(all), Home::Field { first, bits }) => {
                        all.iter().enumerate().for_each(|(site, &direction)| {
                            spell(first, bits, site, direction_number(direction) + 1);
                        });
                    }
                    (MemoryValue::KindPerSite(all), Home::Field { first, bits }) => {
                        all.iter().enumerate().for_each(|(site, &kind)| {
                            let number = declared(kind).map_or(0, |kind| i32::from(kind.0) + 1);
                            spell(first, bits, site, number);
                        });
                    }
                    (MemoryValue::Sites(sites), Home::Sets { first }) => {
                        sites.iter().for_each(|&site| put(Set(first + offset as u16), site))
                    }
                    (MemoryValue::NumberPerSite(all), Home::Field { first, bits }) => {
                        all.iter()
                            .enumerate()
                            .for_each(|(site, &number)| spell(first, bits, site, number));
                    }
                    (MemoryValue::SitePerSite(all), Home::Field { first, bits }) => {
                        all.iter().enumerate().for_each(|(site, to)| {
                            spell(
                                first,
                                bits,
                                site,
                                on_board(*to).map_or(0, |to| i32::from(to.0) + 1),
                            );
                        });
                    }
                    _ => {}
                }
            }
        }
        Position { program: program.fingerprint, words, numbers, at: decision, outcome: None }
    }
}

/// Returns the direction with this index; none for -1.
fn direction_of(index: i32) -> Option<Direction> {
    usize::try_from(index).ok().and_then(Direction::from_index)
}

fn direction_number(direction: Option<Direction>) -> i32 {
    direction.map_or(-1, |direction| direction.index() as i32)
}

/// Lists all possible occupants with the registers that hold their sites.
fn occupants(rules: &Rules, program: &Program) -> Vec<(Occupant, Set)> {
    let mut all = Vec::new();
    for piece in (0..rules.pieces.len() as u16).map(PieceId) {
        if !rules.pieces[piece.index()].owned {
            all.push((Occupant { piece, owner: None }, program.layout.piece(piece, None)));
            continue;
        }
        for owner in (0..rules.players.len() as u16).map(PlayerId) {
            all.push((
                Occupant { piece, owner: Some(owner) },
                program.layout.piece(piece, Some(owner)),
            ));
        }
    }
    all
}
