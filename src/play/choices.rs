//! A move chosen part by part, as with the mouse: what can be chosen next.
//!
//! A part is a verb or an argument. Sites are chosen in the order of the move's arguments, other
//! arguments in theirs, and the verb at any time: the same click may belong to moves of several
//! verbs, and the next click often decides between them. Choices that clicks on sites cannot make
//! become a menu.

use crate::board::{Direction, Site};
use crate::engine::game::{Argument, Move, State};
use crate::language::rules::{MoveId, PieceId, Rules};
use crate::notation::spell;
use std::collections::BTreeMap;

/// The most sites and menu entries that are listed.
pub const MAX_LISTED: usize = 1_000;

/// A part of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Site(Site),
    Verb(MoveId),
    Direction(Direction),
    Number(i32),
    Piece(PieceId),
    /// The move is complete as it is, although it could go on.
    Done,
}

/// An entry of a menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub part: Part,
    /// The name of the entry, in a word or two.
    pub label: String,
    /// A move that the entry leads to, in canonical spelling.
    pub about: String,
    /// The number of moves that the entry leads to.
    pub moves: usize,
}

/// The possible choices after some parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The sites that can be chosen, in the order of the board, each with its number of possible
    /// moves.
    pub sites: Vec<(Site, usize)>,
    pub menu: Vec<Entry>,
    /// The move, if the parts determine one.
    pub complete: Option<Move>,
    /// Whether no legal move has these parts. The choices are then those without any part.
    pub is_reset: bool,
}

/// A move that has the parts chosen so far.
struct Candidate<'m> {
    ply: &'m Move,
    /// Whether each argument is chosen.
    chosen: Vec<bool>,
    is_verb_chosen: bool,
}

impl Part {
    /// Reads a part: the label of a site, `pass` for a verb without arguments, `done`, or a kind
    /// and a value: `verb:place`, `direction:N`, `piece:Man`, `number:3`. `None` if the game has no
    /// such verb, site or value.
    pub fn parse(rules: &Rules, text: &str) -> Option<Part> {
        let verb = |name: &str| {
            let index = rules.moves.iter().position(|rule| rule.verb == name)?;
            Some(Part::Verb(MoveId(index as u16)))
        };
        if let Some(site) = rules.board.find(text) {
            return Some(Part::Site(site));
        }
        match text.split_once(':') {
            Some(("verb", name)) => verb(name),
            Some(("direction", name)) => rules.board.direction_named(name).map(Part::Direction),
            Some(("number", number)) => number.parse().ok().map(Part::Number),
            Some(("piece", name)) => {
                let index = rules.pieces.iter().position(|piece| piece.name == name)?;
                Some(Part::Piece(PieceId(index as u16)))
            }
            Some(_) => None,
            None if text == "done" => Some(Part::Done),
            None => verb(text),
        }
    }

    /// Writes a part in the form that [`Part::parse`] reads.
    pub fn write(self, rules: &Rules) -> String {
        match self {
            Part::Site(site) => rules.board.label(site).to_owned(),
            Part::Verb(id) => format!("verb:{}", rules.moves[id.index()].verb),
            Part::Direction(direction) => {
                format!("direction:{}", rules.board.direction_name(direction))
            }
            Part::Number(number) => format!("number:{number}"),
            Part::Piece(piece) => format!("piece:{}", rules.pieces[piece.index()].name),
            Part::Done => "done".to_owned(),
        }
    }

    fn label(self, rules: &Rules) -> String {
        match self {
            Part::Site(site) => rules.board.label(site).to_owned(),
            Part::Verb(id) => rules.moves[id.index()].verb.clone(),
            Part::Direction(direction) => rules.board.direction_name(direction),
            Part::Number(number) => number.to_string(),
            Part::Piece(piece) => rules.pieces[piece.index()].name.clone(),
            Part::Done => "nothing more".to_owned(),
        }
    }
}

impl From<Argument> for Part {
    fn from(argument: Argument) -> Part {
        match argument {
            Argument::Site(site) => Part::Site(site),
            Argument::Direction(direction) => Part::Direction(direction),
            Argument::Number(number) => Part::Number(number),
            Argument::Piece(piece) => Part::Piece(piece),
        }
    }
}

/// Lists the possible next choices in a position.
///
/// ```
/// use ludwright::play::{Part, choices};
///
/// let game = ludwright::load_file("tests/games/tic-tac-toe.game".as_ref(), &[])?;
/// let start = game.begin()?;
/// let first = choices(&start, &[]);
/// assert_eq!((first.sites.len(), first.menu.len()), (9, 0));
/// let b2 = Part::parse(game.rules(), "b2").expect("a site");
/// assert!(choices(&start, &[b2]).complete.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn choices(position: &State, parts: &[Part]) -> Choices {
    let mut chosen = Vec::new();
    let mut found = after(position, &chosen);
    for (index, &part) in parts.iter().enumerate() {
        chosen.push(part);
        found = after(position, &chosen);
        // A menu with one entry is no choice: the entry is taken.
        while let [only] = &found.menu[..] {
            let is_given = parts.get(index + 1) == Some(&only.part);
            if chosen.contains(&only.part)
                || !found.sites.is_empty()
                || found.complete.is_some()
                || found.is_reset
                || is_given
            {
                break;
            }
            chosen.push(only.part);
            found = after(position, &chosen);
        }
        if found.is_reset {
            break;
        }
    }
    found
}

/// Lists the possible choices after exactly these parts.
fn after(position: &State, parts: &[Part]) -> Choices {
    let rules = position.game().rules();
    let groups: Vec<Vec<std::ops::Range<usize>>> =
        rules.moves.iter().map(|rule| rule.unordered()).collect();
    let all = position.legal().iter();
    let fitting: Vec<Candidate> =
        all.filter_map(|ply| Candidate::of(ply, parts, &groups[ply.rule.index()])).collect();
    if fitting.is_empty() && !parts.is_empty() {
        return Choices { is_reset: true, ..after(position, &[]) };
    }
    let is_done = parts.contains(&Part::Done);
    let (whole, open): (Vec<Candidate>, Vec<Candidate>) =
        fitting.into_iter().partition(Candidate::is_whole);
    let open = if is_done { Vec::new() } else { open };
    let mut sites: BTreeMap<Site, usize> = BTreeMap::new();
    let mut menu: BTreeMap<Part, (usize, &Move)> = BTreeMap::new();
    for candidate in &open {
        for part in candidate.next(&groups[candidate.ply.rule.index()]) {
            match part {
                Part::Site(site) => *sites.entry(site).or_default() += 1,
                part => menu.entry(part).or_insert((0, candidate.ply)).0 += 1,
            }
        }
    }
    // A move without a site to click on is chosen by its verb.
    let verb_needed = !whole.is_empty() && (whole.len() > 1 || !open.is_empty());
    let mut complete = None;
    match &whole[..] {
        [only] if open.is_empty() && !parts.is_empty() => complete = Some(only.ply.clone()),
        [only] if !parts.is_empty() && only.is_verb_chosen => {
            menu.insert(Part::Done, (1, only.ply));
        }
        [] => {}
        _ => {
            for candidate in &whole {
                let part = match candidate.is_verb_chosen {
                    true => Part::Done,
                    false => Part::Verb(candidate.ply.rule),
                };
                menu.entry(part).or_insert((0, candidate.ply)).0 += 1;
            }
        }
    }
    // Moves that differ only in the verb and in arguments that are no sites: the verb comes first.
    let has_verbs = open.iter().any(|candidate| candidate.ply.rule != open[0].ply.rule);
    let is_mixed = menu.keys().any(|part| !matches!(part, Part::Verb(_) | Part::Done));
    if is_mixed && !verb_needed && has_verbs {
        let asks = |candidate: &&Candidate| {
            let next = candidate.next(&groups[candidate.ply.rule.index()]);
            next.iter().any(|part| !matches!(part, Part::Site(_)))
        };
        let asking: Vec<&Candidate> = open.iter().filter(asks).collect();
        menu.clear();
        for candidate in asking {
            menu.entry(Part::Verb(candidate.ply.rule)).or_insert((0, candidate.ply)).0 += 1;
        }
    }
    let entry = |(part, (moves, ply)): (Part, (usize, &Move))| Entry {
        part,
        label: part.label(rules),
        about: spell(rules, ply),
        moves,
    };
    Choices {
        sites: sites.into_iter().take(MAX_LISTED).collect(),
        menu: menu.into_iter().take(MAX_LISTED).map(entry).collect(),
        complete,
        is_reset: false,
    }
}

impl<'m> Candidate<'m> {
    /// Matches a move with parts; `None` if the move lacks one of them.
    fn of(
        ply: &'m Move,
        parts: &[Part],
        groups: &[std::ops::Range<usize>],
    ) -> Option<Candidate<'m>> {
        let chosen = vec![false; ply.arguments.len()];
        let mut candidate = Candidate { ply, chosen, is_verb_chosen: false };
        for &part in parts {
            match part {
                Part::Verb(rule) if rule == ply.rule => candidate.is_verb_chosen = true,
                Part::Verb(_) => return None,
                Part::Done => {}
                part => {
                    let index = candidate
                        .open(groups)
                        .into_iter()
                        .find(|&index| Part::from(ply.arguments[index]) == part)?;
                    candidate.chosen[index] = true;
                }
            }
        }
        let is_done = parts.contains(&Part::Done);
        (!is_done || candidate.is_whole()).then_some(candidate)
    }

    fn is_whole(&self) -> bool {
        self.chosen.iter().all(|&chosen| chosen)
    }

    /// Lists the arguments that can be chosen next: the first open site, with the other sites of
    /// its unordered group, and the first open argument of any other kind.
    fn open(&self, groups: &[std::ops::Range<usize>]) -> Vec<usize> {
        let is_site = |index: &usize| matches!(self.ply.arguments[*index], Argument::Site(_));
        let left: Vec<usize> =
            (0..self.chosen.len()).filter(|&index| !self.chosen[index]).collect();
        let mut open: Vec<usize> = Vec::new();
        if let Some(site) = left.iter().copied().find(is_site) {
            let together = groups.iter().find(|group| group.contains(&site));
            open.extend(left.iter().copied().filter(|index| {
                *index == site || together.is_some_and(|group| group.contains(index))
            }));
        }
        open.extend(left.iter().copied().find(|index| !is_site(index)));
        open
    }

    /// Lists the parts that can be chosen next. Other arguments come after all sites before them.
    fn next(&self, groups: &[std::ops::Range<usize>]) -> Vec<Part> {
        let open = self.open(groups);
        let first = self.chosen.iter().position(|&chosen| !chosen);
        let is_site = |index: usize| matches!(self.ply.arguments[index], Argument::Site(_));
        let site_first = first.is_some_and(is_site);
        open.into_iter()
            .filter(|&index| is_site(index) == site_first)
            .map(|index| Part::from(self.ply.arguments[index]))
            .collect()
    }
}
