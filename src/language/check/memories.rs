//! Checks memories: the declarations `remember` and `hand`, and accesses to them.

use super::known::{BEFORE_PLAY, known};
use super::report::Within;
use super::typed::{Access, MemoryDetail, Typed};
use super::{Checker, Stage};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::Node;
use std::mem::discriminant;

/// The maximal initial value of a hand.
const MAX_IN_HAND: i64 = 1_000_000;

/// A memory in the course of checking.
pub(super) struct MemoryEntry<'t> {
    pub name: Named,
    pub node: &'t Node,
    pub hand: bool,
    /// Its type, if the declaration gives a valid one.
    pub holds: Option<MemoryType>,
    /// Whether the rest of the declaration has been checked.
    pub tried: bool,
    pub memory: Option<Memory>,
}

impl MemoryEntry<'_> {
    /// Returns the type of its value.
    pub(super) fn kind(&self) -> Option<Kind> {
        let holds = discriminant(&self.holds?);
        let (.., kind) = TYPES.iter().find(|(_, known, _)| discriminant(known) == holds)?;
        Some(*kind)
    }

    /// Tests if it is read by its name alone.
    pub(super) fn stands_alone(&self) -> bool {
        self.memory.as_ref().is_none_or(|memory| slots(memory).is_empty())
    }

    /// Describes how it is read.
    pub(super) fn usage(&self) -> String {
        let name = &self.name.name;
        let Some(memory) = &self.memory else {
            return format!("`{name}` is a memory");
        };
        let mut text = name.clone();
        for slot in slots(memory) {
            text.push(' ');
            text.push_str(slot.spelling());
        }
        match text == *name {
            true => format!("write `{name}` to read it"),
            false => format!("write `({text})` to read it"),
        }
    }
}

/// Returns the arguments of an access, in order.
fn slots(memory: &Memory) -> Vec<Kind> {
    let mut slots = Vec::new();
    if memory.per_player {
        slots.push(Kind::Player);
    }
    if !memory.per_direction.is_empty() {
        slots.push(Kind::Direction);
    }
    match memory.keys {
        Keys::One => {}
        Keys::Kinds(_) => slots.push(Kind::Piece),
        Keys::Numbers(_) => slots.push(Kind::Number),
    }
    if memory.per_site {
        slots.push(Kind::Site);
    }
    slots
}

/// The types of memories: the word, the type and the type of the value.
const TYPES: [(&str, MemoryType, Kind); 7] = [
    ("number", MemoryType::Number { most: i32::MAX }, Kind::Number),
    ("sites", MemoryType::Sites, Kind::Sites),
    ("site", MemoryType::Site, Kind::Site),
    ("player", MemoryType::Player, Kind::Player),
    ("kind", MemoryType::Kind, Kind::Piece),
    ("direction", MemoryType::Direction, Kind::Direction),
    ("condition", MemoryType::Condition, Kind::Condition),
];

/// Parses the type of a memory.
pub(super) fn holds(word: &str) -> Option<MemoryType> {
    TYPES.iter().find(|(known, ..)| *known == word).map(|(_, holds, _)| *holds)
}

impl<'t> Checker<'t> {
    /// Checks the declarations of all memories.
    pub(super) fn remember(&mut self) {
        for index in 0..self.declared.memories.len() {
            let memory = match self.declared.memories[index].hand {
                true => self.inside(Within::Row(Ludeme::Hand.row()), |it| it.hand(index)),
                false => self.inside(Within::Row(Ludeme::Remember.row()), |it| it.memory(index)),
            };
            self.declared.memories[index].tried = true;
            self.declared.memories[index].memory = memory;
        }
    }

    /// Hands out the memories of the rules: those of the text, then those that piles need, and
    /// those for questions about the last ply.
    pub(super) fn all_memories(&mut self) -> Option<Vec<Memory>> {
        let declared = self.declared.memories.iter_mut().map(|entry| entry.memory.take());
        let mut memories = declared.collect::<Option<Vec<Memory>>>()?;
        let pieces = self.played_pieces();
        memories.extend(self.declared.piles.iter().flat_map(|piles| piles.memories(&pieces)));
        memories.extend(self.last_moves().iter().flat_map(|it| self.memories_of_question(it)));
        Some(memories)
    }

    fn hand(&mut self, index: usize) -> Option<Memory> {
        let node = self.declared.memories[index].node;
        let ([_, start], details) = self.leading(Ludeme::Hand.row(), node, node.args())?;
        let initial = self.constant_node(start, 0, MAX_IN_HAND);
        let name = self.declared.memories[index].name.clone();
        let holds = MemoryType::Number { most: i32::MAX };
        let mut hand =
            Memory { per_player: true, hand: true, ..Memory::new(name.name, name.span, holds) };
        if let Some((detail, extra)) = details.split_first() {
            self.detail(&mut hand, detail)?;
            self.extra("hand", 3, extra);
        }
        Some(Memory { initial: initial? as i32, ..hand })
    }

    fn memory(&mut self, index: usize) -> Option<Memory> {
        let node = self.declared.memories[index].node;
        let ([_, word], rest) = self.leading(Ludeme::Remember.row(), node, node.args())?;
        let Some(holds) = self.declared.memories[index].holds else {
            let finding = self.mismatch(Code::WrongType, word, Kind::Holds.phrase());
            let advice = match word.as_word() {
                Some("flag" | "boolean" | "bool") => Some("write `condition`: true or false"),
                Some("directions") => {
                    Some("write `direction`: a memory holds a single one, or none")
                }
                Some("piece" | "pieces") => {
                    Some("remember the `site` where the piece is, or its `kind`, such as `Pawn`")
                }
                Some("move") => Some("remember the `site` of the move, or the `kind` of its piece"),
                _ => None,
            };
            let types = TYPES.map(|(word, ..)| word);
            match advice {
                Some(help) => self.report(finding.with_help(help)),
                None => self.unknown(finding, word.as_word().unwrap_or(""), &types, None),
            }
            return None;
        };
        let name = self.declared.memories[index].name.clone();
        let mut memory = Memory::new(name.name, name.span, holds);
        let is_detail =
            |node: &Node| node.as_word() == Some("travelling") || node.begins_with("per");
        let (first, details) = match rest.split_first() {
            Some((first, details)) if !is_detail(first) => (Some(first), details),
            _ => (None, rest),
        };
        let mut sound = true;
        for detail in details {
            sound &= self.detail(&mut memory, detail).is_some();
        }
        if memory.per_site && memory.holds == (MemoryType::Number { most: i32::MAX }) && sound {
            let message = "expected the maximum of the number, found nothing";
            let finding = Finding::new(Code::MissingArgument, name.span, message)
                .with_help("write `(per site 8)` for numbers from 0 to 8");
            return self.refuse(finding);
        }
        if memory.travels && !memory.per_site && memory.holds != MemoryType::Sites && sound {
            let message = format!(
                "only a memory of sites, or one kept per site, can be `travelling`, and `{}` is neither",
                memory.name
            );
            return self.refuse(Finding::new(Code::Misplaced, name.span, message));
        }
        if let Some(first) = first {
            memory.initial = self.first_value(&memory, first)?;
        }
        sound.then_some(memory)
    }

    /// Adds a detail to a memory, if it fits.
    fn detail(&mut self, memory: &mut Memory, node: &Node) -> Option<()> {
        let detail: Spanned<MemoryDetail> = self.value(node)?;
        let number = matches!(memory.holds, MemoryType::Number { .. });
        let (fits, again) = match &detail.node {
            MemoryDetail::PerKey(_) => (number && !memory.per_site, !memory.keys.is_one()),
            _ if memory.hand => (false, false),
            MemoryDetail::PerPlayer => (!memory.per_site, memory.per_player),
            MemoryDetail::PerDirection(_) => {
                (memory.holds == MemoryType::Sites, !memory.per_direction.is_empty())
            }
            MemoryDetail::PerSite(most) => {
                let unbounded = matches!(
                    memory.holds,
                    MemoryType::Site | MemoryType::Kind | MemoryType::Direction
                );
                let fits = number || unbounded && most.is_none();
                (fits && !memory.per_player && memory.keys.is_one(), memory.per_site)
            }
            MemoryDetail::Travelling => (true, memory.travels),
        };
        if again || !fits {
            let (code, why) = match again {
                true => (Code::ExtraArgument, "appears twice"),
                false => (Code::Misplaced, "does not fit this memory"),
            };
            let message = format!("{} {why}", self.snippet(node));
            let help = match memory.hand {
                true => {
                    "each player has a hand; with `(per kind)` it counts each kind of piece, with `(per number 1 6)` each of these numbers"
                }
                false if memory.holds == MemoryType::Condition => {
                    "a condition can be kept per player; remember `sites` for those where it is true"
                }
                false => {
                    "a number can be kept per player, per kind or per number, or per site; a site, a kind or a direction, per player or per site; sites, per player, per direction or both; a player or a condition, per player"
                }
            };
            return self.refuse(Finding::new(code, node.span, message).with_help(help));
        }
        match detail.node {
            MemoryDetail::PerPlayer => memory.per_player = true,
            MemoryDetail::PerDirection(directions) => memory.per_direction = directions,
            MemoryDetail::PerKey(keys) => memory.keys = keys,
            MemoryDetail::PerSite(most) => {
                memory.per_site = true;
                if let (MemoryType::Number { .. }, Some(most)) = (memory.holds, most) {
                    memory.holds = MemoryType::Number { most };
                }
            }
            MemoryDetail::Travelling => memory.travels = true,
        }
        Some(())
    }

    /// Checks the initial value.
    fn first_value(&mut self, memory: &Memory, node: &Node) -> Option<i32> {
        match memory.holds {
            MemoryType::Number { .. } if !memory.per_site => {
                let value = self.constant_node(node, i32::MIN.into(), i32::MAX.into())?;
                i32::try_from(value).ok()
            }
            MemoryType::Player => match self.value::<Spanned<_>>(node)?.node {
                PlayerOf::Fixed(id) => Some(i32::from(id.0)),
                _ => self.not_constant(node, "a player", "write the player's name"),
            },
            // The value that it has at the start anyway, written out.
            MemoryType::Site | MemoryType::Direction
                if node.as_word() == Some(Ludeme::NoSiteAtAll.row().spelling) =>
            {
                Some(memory.initial)
            }
            MemoryType::Direction if !memory.per_site => {
                match self.value::<Spanned<_>>(node)?.node {
                    DirectionOf::Fixed(direction) => Some(direction.index() as i32),
                    _ => self.not_constant(node, "a direction", "write it, such as `N`"),
                }
            }
            MemoryType::Condition => match self.value::<Spanned<_>>(node)?.node {
                Condition::Constant(holds) => Some(i32::from(holds)),
                _ => self.not_constant(node, "a condition", "write `true` or `false`"),
            },
            MemoryType::Number { .. }
            | MemoryType::Sites
            | MemoryType::Site
            | MemoryType::Kind
            | MemoryType::Direction => {
                let start = match memory.holds {
                    MemoryType::Number { .. } => "a number per site starts as 0",
                    MemoryType::Sites => "a memory of sites starts empty",
                    MemoryType::Kind => "a memory of a kind starts as no kind",
                    MemoryType::Direction => "a direction per site starts as no direction",
                    _ => "a memory of a site starts as `nowhere`",
                };
                let wanted = format_args!("no first value: {start}");
                let finding = self.mismatch(Code::ExtraArgument, node, wanted);
                self.refuse(finding.with_optional_help(self.usage_within()))
            }
        }
    }

    /// Checks an access to a memory.
    pub(super) fn access(&mut self, node: &Node) -> Option<Access> {
        self.record_expected(node, Kind::Memory);
        let (word, args) = (node.word_or_head().unwrap_or_default(), node.args());
        let Some(Meaning::Memory(id)) = self.meaning(word) else {
            self.no_memory(node, word);
            return None;
        };
        self.note_use(Meaning::Memory(id), node.head_span());
        let entry = &self.declared.memories[id.index()];
        let Some(memory) = &entry.memory else {
            if !entry.tried && self.stage < Stage::Stating {
                let message = format!("expected something known before play, found `{word}`");
                let finding = Finding::new(Code::NotConstant, node.span, message)
                    .with_other(entry.name.span, "this memory is declared here");
                self.report(finding.with_help(BEFORE_PLAY));
            }
            return self.fail();
        };
        let (holds, slots) = (memory.holds, slots(memory));
        let slots: Vec<(String, Kind)> =
            slots.into_iter().map(|kind| (kind.spelling().to_owned(), kind)).collect();
        let values = self
            .inside(Within::Memory(id), |checker| checker.arguments_of(word, node, args, &slots))?;
        let mut access = Access {
            memory: id,
            holds,
            player: None,
            direction: None,
            key: None,
            site: None,
            span: node.span,
        };
        for value in values {
            match value {
                Typed::Player(player) => access.player = Some(player),
                Typed::Direction(direction) => access.direction = Some(direction),
                Typed::Piece(kind) => access.key = Some(KeyOf::Kind(kind)),
                Typed::Number(number) => access.key = Some(KeyOf::Number(Box::new(number))),
                Typed::Site(site) => access.site = Some(site),
                _ => {}
            }
        }
        self.check_kept(&access, word)?;
        Some(access)
    }

    /// Checks that a memory is kept for the direction or the key of an access, if that is known
    /// before play.
    fn check_kept(&mut self, access: &Access, word: &str) -> Option<()> {
        let memory = self.declared.memories[access.memory.index()].memory.as_ref()?;
        let (directions, keys) = (memory.per_direction.clone(), memory.keys.clone());
        let lacking = match (&access.direction, &access.key, &keys) {
            (Some(Spanned { node: DirectionOf::Fixed(direction), span }), ..)
                if !directions.contains(direction) =>
            {
                let kept = directions.iter().map(|known| known.name().to_owned()).collect();
                Some((*span, "a direction", direction.name().to_owned(), kept))
            }
            (
                _,
                Some(KeyOf::Kind(Spanned { node: PieceOf::Fixed(kind), span })),
                Keys::Kinds(kinds),
            ) if !kinds.contains(kind) => {
                let name = |kind: &PieceId| self.declared.pieces[kind.index()].name.name.clone();
                Some((*span, "a kind", name(kind), kinds.iter().map(name).collect::<Vec<_>>()))
            }
            _ => None,
        };
        if let Some((span, what, found, kept)) = lacking {
            let message = format!("expected {what} that `{word}` is kept for, found `{found}`");
            let finding = Finding::new(Code::OutOfRange, span, message);
            let kept = super::spelling::list(&kept, "and");
            return self.refuse_live(finding.with_help(format!("it is kept for {kept}")));
        }
        if let (Some(KeyOf::Number(number)), Keys::Numbers(numbers)) = (&access.key, &keys)
            && let Some(halves) = known(number)
            && keys.place_of_number(halves / 2).is_none()
        {
            let (least, most) = (numbers.start(), numbers.end());
            let message = format!(
                "expected a number that `{word}` is kept for, from {least} to {most}, found {}",
                halves / 2
            );
            return self.refuse_live(Finding::new(Code::OutOfRange, number.span, message));
        }
        Some(())
    }

    /// Reports something that is no memory.
    fn no_memory(&mut self, node: &Node, word: &str) {
        match self.kind_of_node(node) {
            Some(kind) => self.wrong_type(node, Kind::Memory, kind),
            None => {
                let finding = self.mismatch(Code::UnknownName, node.head_span(), "a memory");
                let names = self.declared.names_of(|meaning| matches!(meaning, Meaning::Memory(_)));
                self.unknown(finding, word, &names, None);
            }
        }
    }
}
