//! The visible parts of a position, independent of the backend: pieces, tokens, marks, numbers, the
//! last move and legal targets.

use super::palette::Palette;
use crate::board::{Direction, Site};
use crate::engine::game::{Argument, Move, State, Turn};
use crate::engine::position::Outcome;
use crate::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use crate::language::look::{Color, Shape};
use crate::language::rules::{Memory, MemoryId, MemoryType, PlayerId, Rules};
use crate::notation::{MemoryLine, person, shown_outcome, turn, write_memories};
use std::collections::HashSet;

/// Which legal targets to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Targets {
    /// The targets of all legal moves.
    All,
    /// The targets of the legal moves that choose this site.
    Of(Site),
}

/// The visible contents of a position.
#[derive(Clone, Debug)]
pub struct Scene<'m> {
    pub(super) rules: &'m Rules,
    pub(super) palette: Palette,
    pub(super) snapshot: Snapshot,
    /// The sites that the last move chose, in order; the last one is its target.
    pub(super) last: Vec<Site>,
    /// The direction that the last move chose, seen from its last site.
    pub(super) pointed: Option<Direction>,
    pub(super) targets: Vec<Site>,
    /// The site whose targets are shown.
    pub(super) chosen: Option<Site>,
    /// Whether the game's rules can cut sites.
    pub(super) cuts: bool,
    pub(super) mover: Option<PlayerId>,
    pub(super) situation: String,
}

/// A mark of a per-direction memory: an arrow from a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub site: Site,
    pub direction: Direction,
    pub owner: Option<PlayerId>,
    pub memory: MemoryId,
}

/// A mark of a memory that contains the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub site: Site,
    pub owner: Option<PlayerId>,
    pub memory: MemoryId,
}

/// A value shown beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub memory: MemoryId,
    pub name: String,
    /// The player that the value belongs to.
    pub player: Option<PlayerId>,
    pub value: String,
    /// Whether to show the value as a die.
    pub die: bool,
}

impl<'m> Scene<'m> {
    /// Collects the visible contents. The last move is the latest move that chose a site.
    pub fn of(position: &'m State) -> Scene<'m> {
        let rules = position.game().rules();
        let last = position.plies().iter().rev().find(|ply| !sites(ply).is_empty());
        let mover = position.turn().player();
        Scene {
            rules,
            palette: Palette::of(rules),
            snapshot: position.snapshot(),
            last: last.map(sites).unwrap_or_default(),
            pointed: last.and_then(|ply| ply.arguments.iter().find_map(direction)),
            targets: Vec::new(),
            chosen: None,
            cuts: position.game().program().layout.cut.is_some(),
            mover,
            situation: situation(position),
        }
    }

    /// Adds legal targets.
    pub fn with_targets(mut self, position: &State, wanted: Targets) -> Scene<'m> {
        self.targets = targets(position, wanted);
        self.chosen = match wanted {
            Targets::All => None,
            Targets::Of(site) => Some(site),
        };
        self
    }

    /// Marks these sites, in ascending order, as targets, and marks nothing else.
    pub fn with_marked(self, sites: Vec<Site>) -> Scene<'m> {
        Scene { targets: sites, chosen: None, ..self.without_last() }
    }

    /// Marks all sites whose contents have changed since an earlier position, in the style of the
    /// last move.
    pub fn with_changes(self, before: &Snapshot) -> Scene<'m> {
        let is_changed = |&site: &Site| {
            let at = |snapshot: &Snapshot| {
                (snapshot.pieces.get(site.index()).copied(), snapshot.cut.contains(&site))
            };
            at(before) != at(&self.snapshot)
        };
        let changed: Vec<Site> = self.rules.board.sites().filter(is_changed).collect();
        if changed.is_empty() { self } else { Scene { last: changed, pointed: None, ..self } }
    }

    /// Removes the last move.
    pub fn without_last(self) -> Scene<'m> {
        Scene { last: Vec::new(), pointed: None, ..self }
    }

    pub(super) fn occupant(&self, site: Site) -> Option<Occupant> {
        self.snapshot.pieces.get(site.index()).copied().flatten()
    }

    pub(super) fn is_cut(&self, site: Site) -> bool {
        self.snapshot.cut.binary_search(&site).is_ok()
    }

    /// Returns the memories that are not hidden, with their values.
    fn memories(&self) -> impl Iterator<Item = (MemoryId, &Memory, &Vec<MemoryValue>)> {
        let memories = self.rules.memories.iter().zip(&self.snapshot.memories).enumerate();
        let numbered =
            memories.map(|(index, (memory, memories))| (MemoryId(index as u16), memory, memories));
        numbered.filter(|(id, ..)| !self.rules.hides(*id))
    }

    /// Lists the sites of per-direction memories, sorted by site and direction: of the memories
    /// shown as lines, or of the others.
    fn directed(&self, as_lines: bool) -> Vec<Token> {
        let mut tokens = Vec::new();
        for (id, memory, memories) in self.pointing(as_lines) {
            for (player, sets) in memories.chunks(memory.per_direction.len()).enumerate() {
                for (&direction, memory_value) in memory.per_direction.iter().zip(sets) {
                    let MemoryValue::Sites(sites) = memory_value else { continue };
                    let owner = memory.per_player.then_some(PlayerId(player as u16));
                    tokens.extend(sites.iter().map(|&site| Token {
                        site,
                        direction,
                        owner,
                        memory: id,
                    }));
                }
            }
        }
        tokens.sort_by_key(|token| (token.site, token.direction));
        tokens
    }

    /// Returns the per-direction memories of sites: those shown as lines, or the others.
    fn pointing(
        &self,
        as_lines: bool,
    ) -> impl Iterator<Item = (MemoryId, &Memory, &Vec<MemoryValue>)> {
        self.memories().filter(move |(id, memory, _)| {
            !memory.per_direction.is_empty() && self.is_lines(*id) == as_lines
        })
    }

    fn is_lines(&self, memory: MemoryId) -> bool {
        self.rules.look.mark(memory) == Some(Shape::Line)
    }

    /// Lists the tokens, sorted by site and direction.
    pub(super) fn tokens(&self) -> Vec<Token> {
        self.directed(false)
    }

    /// Lists the lines from sites to their neighbours, each with the neighbour. A line that is
    /// stored at both of its ends is listed once.
    pub(super) fn links(&self) -> impl Iterator<Item = (Token, Site)> {
        let board = &self.rules.board;
        let ends = |token: Token| Some((token, board.step(token.site, token.direction)?));
        let mut known = HashSet::new();
        self.directed(true).into_iter().filter_map(ends).filter(move |(link, end)| {
            let ends = (link.site.min(*end), link.site.max(*end));
            known.insert((ends, link.memory, link.owner))
        })
    }

    /// Lists the directions of the tokens that travel with pieces: every piece has a slot for each.
    pub(super) fn places(&self) -> Vec<Direction> {
        let borne = self
            .pointing(false)
            .filter(|(_, memory, _)| memory.travels)
            .flat_map(|(_, memory, _)| &memory.per_direction);
        let mut places: Vec<Direction> = borne.copied().collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Tests if the game has tokens.
    pub(super) fn has_tokens(&self) -> bool {
        self.pointing(false).next().is_some()
    }

    /// Tests if players own tokens.
    pub(super) fn has_owned_tokens(&self) -> bool {
        self.pointing(false).any(|(_, memory, _)| memory.per_player)
    }

    /// Lists the marks, by memory.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (memory, described, memories) in
            self.memories().filter(|(_, memory, _)| is_marked(memory))
        {
            for (player, memory_value) in memories.iter().enumerate() {
                let owner = described.per_player.then_some(PlayerId(player as u16));
                let mark = |&site: &Site| Mark { site, owner, memory };
                match memory_value {
                    MemoryValue::Sites(sites) => marks.extend(sites.iter().map(mark)),
                    MemoryValue::Site(site) => marks.extend(site.iter().map(mark)),
                    _ => {}
                }
            }
        }
        marks
    }

    /// Lists the non-zero numbers of sites, each with its memory.
    pub(super) fn numbers(&self) -> Vec<(Site, i32, MemoryId)> {
        let all = self.memories().flat_map(|(id, _, values)| values.iter().map(move |it| (id, it)));
        let numbers = all.flat_map(|(id, value)| {
            let number = move |site: Site| match value {
                MemoryValue::NumberPerSite(numbers) => numbers[site.index()],
                _ => 0,
            };
            self.rules.board.sites().map(move |site| (site, number(site), id))
        });
        numbers.chain(self.heights()).filter(|(_, number, _)| *number != 0).collect()
    }

    /// Lists the directions of sites that are shown as arrows, each with its memory.
    pub(super) fn facings(&self) -> Vec<(Site, Direction, MemoryId)> {
        let arrows =
            self.memories().filter(|(id, ..)| self.rules.look.mark(*id) == Some(Shape::Arrow));
        let all = arrows.flat_map(|(id, _, values)| values.iter().map(move |value| (id, value)));
        all.flat_map(|(id, value)| {
            let facing = move |site: Site| match value {
                MemoryValue::DirectionPerSite(ways) => ways[site.index()],
                _ => None,
            };
            let sites = self.rules.board.sites();
            sites.filter_map(move |site| Some((site, facing(site)?, id)))
        })
        .collect()
    }

    /// Lists the piles of two or more pieces, from the bottom up.
    pub(super) fn piles(&self) -> impl Iterator<Item = (Site, Vec<Occupant>)> {
        let sites = self.rules.piles.iter().flat_map(|_| self.rules.board.sites());
        let piles = sites.map(|site| (site, self.snapshot.pile(self.rules, site)));
        piles.filter(|(_, pile)| pile.len() > 1)
    }

    /// Lists the heights of the piles, as numbers of sites.
    fn heights(&self) -> impl Iterator<Item = (Site, i32, MemoryId)> {
        self.rules.piles.iter().flat_map(|piles| {
            let heights = self.piles().map(|(site, pile)| (site, pile.len() as i32));
            heights.map(|(site, height)| (site, height, piles.first_set()))
        })
    }

    /// Returns the number of a site that is shown as seeds, if it has one.
    pub(super) fn seeds_of(&self, site: Site) -> Option<i32> {
        let seeds = self.memories().filter(|(id, ..)| self.is_seeds(*id));
        let mut values = seeds.flat_map(|(.., values)| values);
        values.find_map(|value| match value {
            MemoryValue::NumberPerSite(numbers) => {
                Some(numbers[site.index()]).filter(|&number| number != 0)
            }
            _ => None,
        })
    }

    /// Tests if the numbers of sites are shown as seeds.
    pub(super) fn is_seeds(&self, memory: MemoryId) -> bool {
        self.rules.look.mark(memory) == Some(Shape::Seeds)
    }

    /// Lists the values beside the board: hands, and numbers and players that differ from their
    /// defaults.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let lines = write_memories(self.rules, &self.snapshot).into_iter();
        let told = lines.filter(|line| {
            let memory = &self.rules.memories[line.memory.index()];
            let said =
                !matches!(memory.holds, MemoryType::Sites | MemoryType::Site) && !memory.per_site;
            said && !self.rules.hides(line.memory) && (line.hand || !line.idle)
        });
        told.map(|MemoryLine { memory, player, value, .. }| {
            let die = self.rules.look.mark(memory) == Some(Shape::Die);
            let name = self.rules.memories[memory.index()].name.clone();
            Fact { memory, name, player, value, die }
        })
        .collect()
    }

    /// Tests if pictures of this game can show the colour of a player.
    pub(super) fn shows(&self, player: PlayerId) -> bool {
        self.rules.look.of_player(player).is_some()
            || self.rules.pieces.iter().any(|piece| piece.owned)
            || self.memories().any(|(id, memory, _)| memory.per_player && self.is_drawn(id))
    }

    /// Tests if pictures show a memory: on the board, or in the text below it.
    pub fn is_drawn(&self, memory: MemoryId) -> bool {
        !self.rules.hides(memory)
    }

    pub(super) fn is_last(&self, token: Token) -> bool {
        self.pointed == Some(token.direction) && self.last.last() == Some(&token.site)
    }

    /// Returns the colour of the owner, or of the memory if there is none.
    pub(super) fn color_of(&self, owner: Option<PlayerId>, memory: MemoryId) -> Color {
        owner.map_or_else(|| self.palette.mark(memory), |owner| self.palette.player(owner))
    }
}

/// Tests if a memory is shown as marks on sites.
pub(super) fn is_marked(memory: &Memory) -> bool {
    matches!(memory.holds, MemoryType::Sites | MemoryType::Site)
        && memory.per_direction.is_empty()
        && !memory.per_site
}

/// Lists the targets of legal moves in ascending order. The target is the last site that a move
/// chooses; with [`Targets::Of`], the last site other than the given one, if there is one.
pub fn targets(position: &State, wanted: Targets) -> Vec<Site> {
    let leads = |ply: &Move| {
        let chosen = sites(ply);
        match wanted {
            Targets::All => chosen.last().copied(),
            Targets::Of(site) if !chosen.contains(&site) => None,
            Targets::Of(site) => {
                chosen.iter().rev().copied().find(|&other| other != site).or(Some(site))
            }
        }
    };
    let mut targets: Vec<Site> = position.legal().iter().filter_map(leads).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn sites(ply: &Move) -> Vec<Site> {
    let site = |argument: &Argument| match argument {
        Argument::Site(site) => Some(*site),
        _ => None,
    };
    ply.arguments.iter().filter_map(site).collect()
}

fn direction(argument: &Argument) -> Option<Direction> {
    match argument {
        Argument::Direction(direction) => Some(*direction),
        _ => None,
    }
}

/// Describes who is to move and in which phase, or the result.
pub fn situation(position: &State) -> String {
    let rules = position.game().rules();
    // After a swap, the name of a colour does not tell which person plays it.
    let played_by = |turn: Turn| match turn {
        Turn::Player(player) if position.is_swapped() => {
            format!(", played by {}", person(rules, position.person(player)))
        }
        _ => String::new(),
    };
    if let Some(over) = position.outcome() {
        let by = match over {
            Outcome::Win(winner) => played_by(Turn::Player(winner)),
            Outcome::Draw | Outcome::Shared(_) => String::new(),
        };
        return format!("The game is over: {}{by}", shown_outcome(rules, Some(over)));
    }
    let decision = position.decision().map(|index| &position.game().decisions()[index]);
    let phase =
        decision.and_then(|decision| decision.phase.as_ref()).map(|phase| format!(" ({phase})"));
    let left = match position.counters().last() {
        Some(&left) if left > 1 => format!(", {left} left"),
        _ => String::new(),
    };
    match position.turn() {
        Turn::Chance => format!("The next ply is a roll{}", phase.unwrap_or_default()),
        mover => {
            let (phase, by) = (phase.unwrap_or_default(), played_by(mover));
            format!("{} to move{phase}{left}{by}", turn(rules, mover))
        }
    }
}
