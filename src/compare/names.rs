//! Translates between the names of two games.
//!
//! Players, pieces, memories and verbs correspond by spelling, sites by label; a [`Renaming`]
//! states an exception. Paths correspond by spelling, and the remaining ones by their order.

use crate::board::{Board, Direction, Site};
use crate::engine::game::{Argument, Move};
use crate::engine::position::Outcome;
use crate::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use crate::language::rules::{
    Keys, Memory, MemoryId, MoveId, MoveRule, PieceId, PlayerId, Rules, Teams,
};
use crate::notation::{form, list, spell, team};
use std::ops::Range;

/// A name in the left file that corresponds to another one in the right file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming {
    pub left: String,
    pub right: String,
}

/// The namespaces of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    Player,
    Piece,
    Memory,
    Move,
}

impl Namespace {
    /// All namespaces.
    pub const ALL: [Namespace; 4] =
        [Namespace::Player, Namespace::Piece, Namespace::Memory, Namespace::Move];

    /// Returns the word for a thing in this namespace.
    pub fn name(self) -> &'static str {
        match self {
            Namespace::Player => "player",
            Namespace::Piece => "piece",
            Namespace::Memory => "memory",
            Namespace::Move => "move",
        }
    }

    /// Returns the names of a file in this namespace, without hidden memories.
    pub fn names(self, rules: &Rules) -> Vec<&str> {
        match self {
            Namespace::Player => rules.players.iter().map(|player| player.name.as_str()).collect(),
            Namespace::Piece => rules.pieces.iter().map(|piece| piece.name.as_str()).collect(),
            Namespace::Memory => {
                let shown = (0..rules.memories.len())
                    .filter(|&index| !rules.look.hides(MemoryId(index as u16)));
                shown.map(|index| rules.memories[index].name.as_str()).collect()
            }
            Namespace::Move => rules.moves.iter().map(|rule| rule.verb.as_str()).collect(),
        }
    }
}

/// A name without a counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmatchedName {
    pub sort: Namespace,
    pub name: String,
    /// Whether the left file has it.
    pub is_left: bool,
}

/// A difference that makes all positions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incompatible {
    /// The labels of the sites that only one board has.
    Boards { left: Vec<String>, right: Vec<String> },
    /// The players of both games, which do not correspond.
    Players { left: Vec<String>, right: Vec<String> },
    /// The teams of both games, which do not correspond.
    Teams { left: Vec<String>, right: Vec<String> },
}

/// A memory that both files have and show, with the index of each left direction or kind in the
/// right one.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub left: MemoryId,
    pub right: MemoryId,
    places: Vec<usize>,
}

/// The translation from the right game to the left game. Elements that only the right game has get
/// indices beyond the left game's.
#[derive(Clone, Debug)]
pub struct Names {
    /// Indexed by the right game's slots.
    sites: Vec<Option<Site>>,
    slots: usize,
    players: Vec<PlayerId>,
    /// The left game's teams.
    teams: Teams,
    pieces: Vec<PieceId>,
    verbs: Vec<MoveId>,
    /// Indexed by the right game's tracks.
    tracks: Vec<u8>,
    /// Indexed by the right game's moves: the groups of arguments that are chosen together, in no
    /// order.
    unordered: Vec<Vec<Range<usize>>>,
    pub(super) shared: Vec<Shared>,
    unmatched: Vec<UnmatchedName>,
    renamings: Vec<Renaming>,
}

impl Names {
    /// Matches the names of two games.
    ///
    /// # Errors
    /// Returns [`Incompatible`] if boards or players do not correspond.
    pub fn new(left: &Rules, right: &Rules, renamings: &[Renaming]) -> Result<Names, Incompatible> {
        let boards = [(left, right), (right, left)].map(|(one, other)| {
            let only = one
                .board
                .sites()
                .map(|site| one.board.label(site))
                .filter(|label| other.board.find(label).is_none());
            only.map(str::to_owned).collect::<Vec<String>>()
        });
        let [only_left, only_right] = boards;
        if !only_left.is_empty() || !only_right.is_empty() {
            return Err(Incompatible::Boards { left: only_left, right: only_right });
        }
        let mut sites = vec![None; right.board.slots()];
        right
            .board
            .sites()
            .for_each(|site| sites[site.index()] = left.board.find(right.board.label(site)));
        let find = |sort: Namespace, name: &str| {
            let renamed = renamings.iter().find(|renaming| {
                renaming.right == name && sort.names(left).contains(&renaming.left.as_str())
            });
            let taken = |known: &str| {
                renamings.iter().any(|renaming| {
                    renaming.left == known && sort.names(right).contains(&renaming.right.as_str())
                })
            };
            let wanted =
                renamed.map(|renaming| renaming.left.as_str()).or((!taken(name)).then_some(name))?;
            sort.names(left).iter().position(|known| *known == wanted)
        };
        let players: Vec<Option<usize>> =
            right.players.iter().map(|player| find(Namespace::Player, &player.name)).collect();
        if players.len() != left.players.len() || players.contains(&None) {
            let all =
                |rules: &Rules| rules.players.iter().map(|player| player.name.clone()).collect();
            return Err(Incompatible::Players { left: all(left), right: all(right) });
        }
        // The teams are the same if any two players are partners in both games or in neither.
        let partners = |one: usize, other: usize| {
            let of = |rules: &Rules, player: usize| rules.teams.of(PlayerId(player as u16));
            let (left_one, left_other) =
                (players[one].unwrap_or(one), players[other].unwrap_or(other));
            (of(right, one) == of(right, other)) == (of(left, left_one) == of(left, left_other))
        };
        let count = players.len();
        if !(0..count).all(|one| (0..one).all(|other| partners(one, other))) {
            let all = |rules: &Rules| rules.teams.numbers().map(|one| team(rules, one)).collect();
            return Err(Incompatible::Teams { left: all(left), right: all(right) });
        }
        let pieces = right.pieces.iter().map(|piece| find(Namespace::Piece, &piece.name));
        let verbs = right.moves.iter().map(|rule| {
            let index = find(Namespace::Move, &rule.verb)?;
            // Verbs correspond only if their arguments are spelled in the same form: `a-b` is not
            // `a b`.
            let arguments = |rule: &MoveRule| {
                let form = form(rule);
                form.strip_prefix(&rule.verb).map(str::to_owned)
            };
            (arguments(&left.moves[index]) == arguments(rule)).then_some(index)
        });
        let beyond = |known: usize, found: Vec<Option<usize>>| -> Vec<u16> {
            found
                .into_iter()
                .enumerate()
                .map(|(index, found)| found.unwrap_or(known + index) as u16)
                .collect()
        };
        let pieces = beyond(left.pieces.len(), pieces.collect()).into_iter().map(PieceId).collect();
        let verbs = beyond(left.moves.len(), verbs.collect()).into_iter().map(MoveId).collect();
        let players = players.into_iter().flatten().map(|index| PlayerId(index as u16)).collect();
        let mut names = Names {
            sites,
            slots: left.board.slots(),
            players,
            teams: left.teams,
            pieces,
            verbs,
            tracks: matching_tracks(&left.board, &right.board),
            unordered: right.moves.iter().map(MoveRule::unordered).collect(),
            shared: Vec::new(),
            unmatched: Vec::new(),
            renamings: renamings.to_vec(),
        };
        let shown = |rules: &Rules, name: &str| Namespace::Memory.names(rules).contains(&name);
        for (index, memory) in
            right.memories.iter().enumerate().filter(|(_, memory)| shown(right, &memory.name))
        {
            let Some(found) = find(Namespace::Memory, &memory.name)
                .map(|index| Namespace::Memory.names(left)[index])
            else {
                continue;
            };
            let Some(known) = left.memories.iter().position(|memory| memory.name == found) else {
                continue;
            };
            let places = names.matching_places(&left.memories[known], memory);
            if let Some(places) = places {
                names.shared.push(Shared {
                    left: MemoryId(known as u16),
                    right: MemoryId(index as u16),
                    places,
                });
            }
        }
        names.shared.sort_by_key(|shared| shared.left);
        names.unmatched = names.find_unmatched(left, right);
        Ok(names)
    }

    /// Returns the names without a counterpart, among everything observable in play.
    pub fn unmatched(&self) -> &[UnmatchedName] {
        &self.unmatched
    }

    /// Returns the renamings.
    pub fn renamings(&self) -> &[Renaming] {
        &self.renamings
    }

    fn find_unmatched(&self, left: &Rules, right: &Rules) -> Vec<UnmatchedName> {
        let pieces = (0..left.pieces.len()).map(|index| {
            (Namespace::Piece, index, self.pieces.contains(&PieceId(index as u16)), true)
        });
        let others = self.pieces.iter().enumerate().map(|(index, piece)| {
            (Namespace::Piece, index, piece.index() < left.pieces.len(), false)
        });
        let verbs = (0..left.moves.len()).map(|index| {
            (Namespace::Move, index, self.verbs.contains(&MoveId(index as u16)), true)
        });
        let more =
            self.verbs.iter().enumerate().map(|(index, verb)| {
                (Namespace::Move, index, verb.index() < left.moves.len(), false)
            });
        let named =
            pieces.chain(others).chain(verbs).chain(more).filter(|&(_, _, known, _)| !known);
        let named = named.map(|(sort, index, _, is_left)| {
            (sort, sort.names(if is_left { left } else { right })[index].to_owned(), is_left)
        });
        let mut unmatched: Vec<(Namespace, String, bool)> = named.collect();
        let is_shared = |memory: usize, is_left: bool| {
            self.shared
                .iter()
                .any(|shared| if is_left { shared.left } else { shared.right }.index() == memory)
        };
        for (rules, is_left) in [(left, true), (right, false)] {
            let own = rules.memories.iter().enumerate();
            let own = own.filter(|&(index, _)| {
                !rules.look.hides(MemoryId(index as u16)) && !is_shared(index, is_left)
            });
            unmatched
                .extend(own.map(|(_, memory)| (Namespace::Memory, memory.name.clone(), is_left)));
        }
        unmatched
            .into_iter()
            .map(|(sort, name, is_left)| UnmatchedName { sort, name, is_left })
            .collect()
    }

    /// Translates a move of the right game.
    pub(super) fn ply(&self, ply: &Move) -> Move {
        let argument = |argument: &Argument| match *argument {
            Argument::Site(site) => Argument::Site(self.site(site)),
            Argument::Piece(piece) => Argument::Piece(self.pieces[piece.index()]),
            Argument::Direction(direction) => Argument::Direction(self.direction(direction)),
            Argument::Number(_) => *argument,
        };
        let mut arguments: Vec<Argument> = ply.arguments.iter().map(argument).collect();
        for together in &self.unordered[ply.rule.index()] {
            arguments.get_mut(together.clone()).into_iter().for_each(<[Argument]>::sort_unstable);
        }
        Move { rule: self.verbs[ply.rule.index()], arguments }
    }

    /// Spells a move of the left game in the right game's terms.
    pub(super) fn spell_right(&self, left: &Rules, right: &Rules, ply: &Move) -> String {
        let spelled = spell(left, ply);
        let mut text = match self.verbs.iter().position(|&verb| verb == ply.rule) {
            Some(verb) => format!(
                "{}{}",
                right.moves[verb].verb,
                &spelled[left.moves[ply.rule.index()].verb.len()..]
            ),
            None => spelled,
        };
        for argument in &ply.arguments {
            let Argument::Piece(piece) = argument else { continue };
            let (own, known) = (
                &left.pieces[piece.index()].name,
                self.pieces.iter().position(|known| known == piece),
            );
            if let Some(other) = known.map(|index| &right.pieces[index].name) {
                text = text
                    .split(' ')
                    .map(|word| if word == own { other } else { word })
                    .collect::<Vec<&str>>()
                    .join(" ");
            }
        }
        text
    }

    /// Spells a move of the right game in the left game's terms, as far as they exist.
    pub(super) fn spell_left(&self, left: &Rules, right: &Rules, ply: &Move) -> String {
        let told = self.ply(ply);
        let pieces =
            told.arguments.iter().all(|argument| !matches!(argument, Argument::Piece(piece) if piece.index() >= left.pieces.len()));
        if told.rule.index() < left.moves.len() && pieces {
            spell(left, &told)
        } else {
            spell(right, ply)
        }
    }

    pub(super) fn player(&self, player: PlayerId) -> PlayerId {
        self.players[player.index()]
    }

    pub(super) fn outcome(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Win(player) => Outcome::Win(self.teams.leader(self.player(player))),
            Outcome::Draw => Outcome::Draw,
            Outcome::Shared(among) => {
                Outcome::Shared(among.iter().map(|player| self.player(player)).collect())
            }
        }
    }

    fn direction(&self, direction: Direction) -> Direction {
        let told = |track: u8| self.tracks.get(usize::from(track)).copied().unwrap_or(track);
        match direction {
            Direction::Along(track) => Direction::Along(told(track)),
            Direction::Against(track) => Direction::Against(told(track)),
            compass => compass,
        }
    }

    /// Returns the index of each left direction, kind or number in the right memory; `None` if the
    /// types differ.
    fn matching_places(&self, left: &Memory, right: &Memory) -> Option<Vec<usize>> {
        let kind = |memory: &Memory| {
            (
                std::mem::discriminant(&memory.holds),
                memory.per_player,
                memory.per_site,
                memory.per_direction.len(),
                memory.keys.count(),
            )
        };
        let place = |direction: &Direction| {
            right.per_direction.iter().position(|other| self.direction(*other) == *direction)
        };
        let directions = left.per_direction.iter().map(place);
        let keys: Vec<Option<usize>> = match (&left.keys, &right.keys) {
            (Keys::Kinds(left), Keys::Kinds(right)) => {
                let place = |kind: &PieceId| {
                    right.iter().position(|other| self.pieces[other.index()] == *kind)
                };
                left.iter().map(place).collect()
            }
            (Keys::Numbers(left), right) => {
                left.clone().map(|number| right.place_of_number(number.into())).collect()
            }
            (left, right) if left == right => Vec::new(),
            _ => return None,
        };
        let places: Option<Vec<usize>> = directions.chain(keys).collect();
        places.filter(|_| kind(left) == kind(right))
    }

    /// Translates a site; every label is on both boards.
    fn site(&self, site: Site) -> Site {
        self.sites.get(site.index()).copied().flatten().unwrap_or(site)
    }

    /// Reduces a left snapshot to the shared memories.
    pub(super) fn left(&self, mut snapshot: Snapshot) -> Snapshot {
        let shared = self
            .shared
            .iter()
            .map(|shared| std::mem::take(&mut snapshot.memories[shared.left.index()]));
        snapshot.memories = shared.collect();
        snapshot
    }

    /// Translates a right snapshot, reduced to the shared memories.
    pub(super) fn right(&self, snapshot: &Snapshot) -> Snapshot {
        let mut pieces = vec![None; self.slots];
        for (slot, occupant) in snapshot.pieces.iter().enumerate() {
            let told = occupant.map(|it| Occupant {
                piece: self.pieces[it.piece.index()],
                owner: it.owner.map(|owner| self.player(owner)),
            });
            if let (Some(_), Some(site)) = (told, self.sites[slot]) {
                pieces[site.index()] = told;
            }
        }
        let memories = self.shared.iter().map(|shared| {
            let own = &snapshot.memories[shared.right.index()];
            let width = shared.places.len().max(1);
            let mut told = own.clone();
            for (index, memory_value) in own.iter().enumerate() {
                let player =
                    if own.len() > width { self.players[index / width].index() } else { 0 };
                let place =
                    shared.places.iter().position(|&place| place == index % width).unwrap_or(0);
                told[player * width + place] = self.memory_value(memory_value);
            }
            told
        });
        Snapshot { pieces, cut: self.sorted(&snapshot.cut), memories: memories.collect() }
    }

    fn memory_value(&self, memory_value: &MemoryValue) -> MemoryValue {
        match memory_value {
            MemoryValue::Number(number) => MemoryValue::Number(*number),
            MemoryValue::Sites(sites) => MemoryValue::Sites(self.sorted(sites)),
            MemoryValue::Site(site) => MemoryValue::Site(site.map(|site| self.site(site))),
            MemoryValue::Player(player) => MemoryValue::Player(self.player(*player)),
            MemoryValue::Kind(kind) => {
                MemoryValue::Kind(kind.map(|kind| self.pieces[kind.index()]))
            }
            MemoryValue::KindPerSite(kinds) => MemoryValue::KindPerSite(
                self.per_site(kinds, |kind| kind.map(|kind| self.pieces[kind.index()])),
            ),
            MemoryValue::Direction(direction) => {
                MemoryValue::Direction(direction.map(|it| self.direction(it)))
            }
            MemoryValue::DirectionPerSite(directions) => MemoryValue::DirectionPerSite(
                self.per_site(directions, |direction| direction.map(|it| self.direction(it))),
            ),
            MemoryValue::Condition(holds) => MemoryValue::Condition(*holds),
            MemoryValue::NumberPerSite(numbers) => {
                MemoryValue::NumberPerSite(self.per_site(numbers, |&number| number))
            }
            MemoryValue::SitePerSite(sites) => MemoryValue::SitePerSite(
                self.per_site(sites, |site| site.map(|site| self.site(site))),
            ),
        }
    }

    fn sorted(&self, sites: &[Site]) -> Vec<Site> {
        let mut told: Vec<Site> = sites.iter().map(|&site| self.site(site)).collect();
        told.sort_unstable();
        told
    }

    fn per_site<T: Clone + Default>(&self, all: &[T], tell: impl Fn(&T) -> T) -> Vec<T> {
        let mut told = vec![T::default(); self.slots];
        for (value, site) in all.iter().zip(&self.sites) {
            if let Some(site) = site {
                told[site.index()] = tell(value);
            }
        }
        told
    }
}

/// Returns the left track for each right track. A track without a counterpart gets a number that no
/// left track has.
fn matching_tracks(left: &Board, right: &Board) -> Vec<u8> {
    let at = |board: &Board, name: &str| board.tracks().iter().position(|one| one.name == name);
    let matching = right.tracks().iter().enumerate().map(|(number, track)| {
        let same_place = left.tracks().get(number).filter(|own| at(right, &own.name).is_none());
        let found = at(left, &track.name).or(same_place.map(|_| number));
        found.unwrap_or(left.tracks().len() + number) as u8
    });
    matching.collect()
}

impl std::fmt::Display for Incompatible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Incompatible::Boards { left, right } => {
                let side = |labels: &[String]| match labels {
                    [] => None,
                    [only] => Some(format!("site {only}")),
                    [first, .., last] => Some(format!("{} sites, {first} to {last}", labels.len())),
                };
                let said = [("left", side(left)), ("right", side(right))];
                let said = said
                    .into_iter()
                    .filter_map(|(side, only)| Some(format!("only the {side} one has {}", only?)));
                write!(f, "the boards differ: {}", said.collect::<Vec<String>>().join(", "))
            }
            Incompatible::Players { left, right } => {
                write!(
                    f,
                    "the players differ: {} on the left, {} on the right",
                    list(left, "and"),
                    list(right, "and")
                )
            }
            Incompatible::Teams { left, right } => {
                write!(
                    f,
                    "the teams differ: {} on the left, {} on the right",
                    left.join("; "),
                    right.join("; ")
                )
            }
        }
    }
}
