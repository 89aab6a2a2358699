//! A position as planes of numbers, one number for each site, as one player sees it: the input of
//! learning algorithms.

use super::game::Game;
use super::position::Position;
use crate::board::Site;
use crate::compile::layout::Home;
use crate::language::rules::{MemoryId, MemoryType, PieceId, PlayerId};

/// The planes of a game.
pub struct Planes {
    names: Vec<String>,
    /// By player: the sources of the planes that he sees.
    sources: Vec<Vec<PlaneSource>>,
    sites: Vec<Site>,
    width: usize,
}

/// The source of the numbers of a plane.
#[derive(Clone, Debug)]
enum PlaneSource {
    /// 1 at the sites of a set, else 0.
    Set(u16),
    /// The number that bit planes hold at each site; of a remembered site it is one more.
    Field { first: u16, bits: u16 },
    /// 1 where bit planes hold this number, else 0.
    FieldIs { first: u16, bits: u16, value: i32 },
    /// A number, everywhere.
    Number(u16),
    /// 1 everywhere if a number has this value, else 0.
    NumberIs(u16, i32),
    /// 1 at the site whose number this is, else 0.
    SiteIn(u16),
    /// 1 everywhere at these decisions, else 0.
    Decisions(Vec<usize>),
    /// The counter of the loop at this depth around the decision, everywhere; 0 without one.
    Counter(usize),
}

impl Planes {
    /// Lists the planes of a game.
    pub fn new(game: &Game) -> Planes {
        let players = game.rules().players.len();
        let seen = |viewer| Listing::of(game, viewer).planes;
        let names = seen(0).into_iter().map(|(name, _)| name).collect();
        let sources = |viewer| seen(viewer).into_iter().map(|(_, source)| source).collect();
        Planes {
            names,
            sources: (0..players).map(sources).collect(),
            sites: game.rules().board.sites().collect(),
            width: game.width(),
        }
    }

    /// Returns the names of the planes, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the planes that a player sees, one after the other, each with a number for every site
    /// in ascending order.
    pub fn write(&self, game: &Game, position: &Position, viewer: PlayerId, out: &mut [f32]) {
        let Some(sources) = self.sources.get(viewer.index()) else { return };
        let is_over = position.outcome.is_some();
        for (plane, source) in out.chunks_exact_mut(self.sites.len().max(1)).zip(sources) {
            let number = |register: &u16| position.number(*register);
            let truth = |holds: bool| f32::from(u8::from(holds));
            let uniform = match source {
                PlaneSource::Set(set) => {
                    let words = position.set(*set, self.width);
                    for (value, site) in plane.iter_mut().zip(&self.sites) {
                        let bit = words[site.index() / 64] >> (site.index() % 64) & 1;
                        *value = f32::from(bit as u8);
                    }
                    continue;
                }
                PlaneSource::Field { first, bits } => {
                    for (value, site) in plane.iter_mut().zip(&self.sites) {
                        *value = self.spelled(position, *first, *bits, *site) as f32;
                    }
                    continue;
                }
                PlaneSource::FieldIs { first, bits, value: wanted } => {
                    for (value, site) in plane.iter_mut().zip(&self.sites) {
                        *value = truth(self.spelled(position, *first, *bits, *site) == *wanted);
                    }
                    continue;
                }
                PlaneSource::SiteIn(register) => {
                    let at = number(register);
                    for (value, site) in plane.iter_mut().zip(&self.sites) {
                        *value = truth(i32::from(site.0) == at);
                    }
                    continue;
                }
                PlaneSource::Number(register) => number(register) as f32,
                PlaneSource::NumberIs(register, value) => truth(number(register) == *value),
                PlaneSource::Decisions(decisions) => {
                    truth(!is_over && decisions.contains(&position.decision()))
                }
                PlaneSource::Counter(_) if is_over => 0.0,
                PlaneSource::Counter(depth) => {
                    let counters = &game.program().decisions[position.decision()].counters;
                    counters.get(*depth).map_or(0.0, |register| number(register) as f32)
                }
            };
            plane.fill(uniform);
        }
    }

    fn spelled(&self, position: &Position, first: u16, bits: u16, site: Site) -> i32 {
        let has =
            |set: u16| position.set(set, self.width)[site.index() / 64] >> (site.index() % 64);
        (0..bits).map(|bit| ((has(first + bit) & 1) as i32) << bit).sum()
    }
}

/// The planes that one player sees, as they are listed.
struct Listing<'g> {
    game: &'g Game,
    viewer: usize,
    planes: Vec<(String, PlaneSource)>,
}

impl<'g> Listing<'g> {
    fn of(game: &'g Game, viewer: usize) -> Listing<'g> {
        let mut listing = Listing { game, viewer, planes: Vec::new() };
        listing.pieces();
        (0..game.rules().memories.len()).for_each(|memory| listing.memory(memory));
        if let Some(cut) = game.program().layout.cut {
            listing.add("cut out".to_owned(), PlaneSource::Set(cut.0));
        }
        listing.order_of_play();
        listing
    }

    fn add(&mut self, name: String, source: PlaneSource) {
        self.planes.push((name, source));
    }

    /// Lists the players, the viewer first, each with his relation to the viewer.
    fn seats(&self) -> impl Iterator<Item = (PlayerId, String)> + use<> {
        let (players, viewer) = (self.game.rules().players.len(), self.viewer);
        (0..players).map(move |after| {
            let name = match (after, players) {
                (0, _) => "own".to_owned(),
                (_, 2) => "opponent".to_owned(),
                _ => format!("own+{after}"),
            };
            (PlayerId(((viewer + after) % players) as u16), name)
        })
    }

    fn pieces(&mut self) {
        let layout = &self.game.program().layout;
        for (index, kind) in (0..).zip(&self.game.rules().pieces) {
            if !kind.owned {
                let set = layout.piece(PieceId(index), None);
                self.add(kind.name.clone(), PlaneSource::Set(set.0));
                continue;
            }
            for (owner, seat) in self.seats() {
                let set = layout.piece(PieceId(index), Some(owner));
                self.add(format!("{} ({seat})", kind.name), PlaneSource::Set(set.0));
            }
        }
    }

    fn memory(&mut self, index: usize) {
        let rules = self.game.rules();
        let memory = &rules.memories[index];
        let home = self.game.program().layout.home(MemoryId(index as u16));
        let seats: Vec<(u16, String)> = match memory.per_player {
            true => self.seats().map(|(owner, seat)| (owner.0, format!(" ({seat})"))).collect(),
            false => vec![(0, String::new())],
        };
        let each = memory.values_per_player() as u16;
        for (player, seat) in seats {
            for offset in 0..each {
                let part = usize::from(offset);
                let direction = memory.per_direction.get(part);
                let direction = direction.map(|&it| rules.board.direction_name(it));
                let part = direction.or_else(|| memory.keys.name(&rules.pieces, part));
                let part = part.map_or_else(String::new, |part| format!(" {part}"));
                let name = format!("{}{part}{seat}", memory.name);
                self.value(name, memory.holds, home, player * each + offset);
            }
        }
    }

    /// Adds the planes of one value of a memory.
    fn value(&mut self, name: String, holds: MemoryType, home: Home, offset: u16) {
        let rules = self.game.rules();
        // A number for each kind, direction or player that it can be.
        let kinds = || (0..).zip(rules.pieces.iter().map(|kind| kind.name.clone()));
        let board = &rules.board;
        let directions =
            || board.ways_of_grid().map(|one| (one.index() as i32, board.direction_name(one)));
        let values: Vec<(i32, String)> = match holds {
            MemoryType::Kind => kinds().collect(),
            MemoryType::Direction => directions().collect(),
            MemoryType::Player => {
                self.seats().map(|(player, seat)| (i32::from(player.0), seat)).collect()
            }
            _ => Vec::new(),
        };
        match home {
            Home::Sets { first } => self.add(name, PlaneSource::Set(first + offset)),
            Home::Nums { first } => {
                let register = first + offset;
                match holds {
                    MemoryType::Site => self.add(name, PlaneSource::SiteIn(register)),
                    MemoryType::Kind | MemoryType::Direction | MemoryType::Player => {
                        for (value, what) in values {
                            let source = PlaneSource::NumberIs(register, value);
                            self.add(format!("{name} = {what}"), source);
                        }
                    }
                    _ => self.add(name, PlaneSource::Number(register)),
                }
            }
            Home::Field { first, bits } if values.is_empty() => {
                self.add(name, PlaneSource::Field { first, bits });
            }
            Home::Field { first, bits } => {
                for (value, what) in values {
                    let source = PlaneSource::FieldIs { first, bits, value: value + 1 };
                    self.add(format!("{name} = {what}"), source);
                }
            }
        }
    }

    /// Adds the planes of the player to act, the place in the order of play, and the counters of
    /// loops.
    fn order_of_play(&mut self) {
        let decisions = self.game.decisions();
        let at = |wanted: &dyn Fn(usize) -> bool| {
            PlaneSource::Decisions((0..decisions.len()).filter(|&index| wanted(index)).collect())
        };
        for (player, seat) in self.seats() {
            let source = at(&|index| decisions[index].mover == Some(player));
            self.add(format!("to move: {seat}"), source);
        }
        if decisions.iter().any(|decision| decision.mover.is_none()) {
            self.add("to move: chance".to_owned(), at(&|index| decisions[index].mover.is_none()));
        }
        let mut points: Vec<(Option<&str>, usize)> = Vec::new();
        for decision in decisions {
            let point = (decision.phase.as_deref(), decision.step);
            if !points.contains(&point) {
                points.push(point);
            }
        }
        if points.len() > 1 {
            for (phase, step) in points {
                let is_at = |index: usize| {
                    (decisions[index].phase.as_deref(), decisions[index].step) == (phase, step)
                };
                let phase = phase.map(|phase| format!("{phase} ")).unwrap_or_default();
                self.add(format!("at: {phase}{step}"), at(&is_at));
            }
        }
        let depth = decisions.iter().map(|decision| decision.counters).max().unwrap_or(0);
        for number in 0..depth {
            self.add(format!("left: {}", number + 1), PlaneSource::Counter(number));
        }
    }
}
