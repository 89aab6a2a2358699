//! Declared names, the scope of variables, and the words that neither may use.

use super::Checker;
use super::typed::{Typed, at, of_kind};
use crate::board::Direction;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Ludeme, Row, TABLE};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::collections::HashMap;

/// The visible variables.
#[derive(Default)]
pub(super) struct Scope {
    visible: HashMap<String, Local>,
    /// The bindings in order, each with the variable that it shadows.
    bound: Vec<(String, Option<Local>)>,
}

impl Scope {
    /// Finds the visible variable of that name.
    pub(super) fn find(&self, name: &str) -> Option<Local> {
        self.visible.get(name).copied()
    }

    /// Returns the visible variables with their types.
    pub(super) fn variables<'s>(
        &'s self,
        kinds: &'s [Kind],
    ) -> impl Iterator<Item = (&'s str, Kind)> {
        self.visible
            .iter()
            .filter_map(|(name, local)| Some((name.as_str(), *kinds.get(local.index())?)))
    }

    /// Marks the current state for [`release`](Self::release).
    pub(super) fn mark(&self) -> usize {
        self.bound.len()
    }

    /// Removes all bindings since the mark.
    pub(super) fn release(&mut self, mark: usize) {
        for (name, hidden) in self.bound.drain(mark.min(self.bound.len())..).rev() {
            match hidden {
                Some(local) => self.visible.insert(name, local),
                None => self.visible.remove(&name),
            };
        }
    }

    fn bind(&mut self, name: &str, local: Local) {
        let hidden = self.visible.insert(name.to_owned(), local);
        self.bound.push((name.to_owned(), hidden));
    }
}

/// Tests if a word is spelled like a site of some board: up to three letters of one case and a
/// number.
pub(super) fn is_site(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let letters = &word[..word.len() - digits.len()];
    let same_case = letters.bytes().all(|letter| letter.is_ascii_lowercase())
        || letters.bytes().all(|letter| letter.is_ascii_uppercase());
    (1..=3).contains(&letters.len())
        && same_case
        && (1..=4).contains(&digits.len())
        && digits.bytes().all(|digit| digit.is_ascii_digit())
        && !digits.starts_with('0')
}

/// The single words that a variable may hide, so that files with variables of these names are
/// valid. It may hide the directions of the mover, too.
const HIDEABLE: &[Ludeme] = &[Ludeme::Axes, Ludeme::Corners, Ludeme::Centre];

/// Tests if a word of the language is a single word that no variable may hide.
fn is_reserved(word: &str) -> bool {
    let hideable = |row: &Row| row.result == Kind::Direction || HIDEABLE.contains(&row.ludeme);
    ludemes::rows(word).any(|row| row.word && !hideable(row))
}

impl<'t> Checker<'t> {
    /// Checks a new name, which must begin with an upper-case letter.
    pub(super) fn new_name(&mut self, node: &Node, what: &str) -> Option<Named> {
        let Some(name) = plain_name(node) else {
            let help = match node.as_number() {
                Some(_) if what == "a player" => {
                    Some(String::from("write the players' names: `(players White Black)`"))
                }
                _ => self.usage_within(),
            };
            let wanted = format_args!("the name of {what}");
            let finding = self.mismatch(Code::WrongType, node, wanted);
            return self.refuse(finding.with_optional_help(help));
        };
        if node.as_text().is_some() {
            let message = format!("expected the name of {what}, found a text in quotes");
            let finding = Finding::new(Code::WrongType, node.span, message)
                .with_help(format!("write `{name}`, without quotes"));
            self.report(finding.with_fix(Fix::write(node.span, name)));
        } else if !name.starts_with(char::is_uppercase) {
            let message = format!(
                "`{name}` is the name of {what}, and names begin with an upper-case letter"
            );
            self.bad_name(node.span, message, capitalised(name));
        }
        Some(Named { name: name.to_owned(), span: node.span })
    }

    /// Reports a new name with a wrong first letter.
    pub(super) fn bad_name(&mut self, span: Span, message: String, better: Option<String>) {
        let finding = Finding::new(Code::BadName, span, message);
        self.report(match better {
            Some(better) => finding.with_right(span, better),
            None => finding,
        });
    }

    /// Declares a name. Of duplicates, the first declaration counts.
    pub(super) fn declare(
        &mut self,
        node: &'t Node,
        what: &str,
        meaning: Meaning,
    ) -> Option<Named> {
        let named = self.new_name(node, what)?;
        let name = plain_name(node)?;
        if let Some(better) = capitalised(name).filter(|better| better != name) {
            self.declared.aliases.insert(better, name);
        }
        let taken = if Direction::from_name(name).is_some() {
            Some((format!("is a direction and cannot be the name of {what}"), None))
        } else if is_site(name) {
            Some((format!("is spelled like a site and cannot be the name of {what}"), None))
        } else {
            // Words of the language begin with lower-case letters, so no valid name can be one.
            self.declared.names.get(name).map(|&(meaning, span)| {
                (format!("is already the name of {}", meaning.phrase()), Some(span))
            })
        };
        if let Some((why, before)) = taken {
            let message = format!("`{name}` {why}");
            let help = match Direction::from_name(name) {
                Some(_) => String::from(
                    "choose another name: N, NE, E, SE, S, SW, W and NW are directions, on every board and at every place",
                ),
                None => String::from("choose another name"),
            };
            let mut finding = Finding::new(Code::NameTaken, node.span, message).with_help(help);
            if let Some(before) = before {
                finding = finding.with_other(before, "declared here");
            }
            self.report(finding);
        }
        // A name spelled like a site or a direction is declared too, so that its uses are not
        // reported.
        self.declared.names.entry(name).or_insert((meaning, node.span));
        Some(named)
    }

    /// Creates a variable of that type, not visible yet.
    pub(super) fn new_variable(&mut self, node: &Node, kind: Kind) -> Option<Local> {
        let Some(name) = node.as_word() else {
            let finding = self.mismatch(Code::WrongType, node, "a new variable");
            return self.refuse(finding.with_optional_help(self.usage_within()));
        };
        let small = name.starts_with(|first: char| first.is_alphabetic() && !first.is_uppercase());
        if is_reserved(name) || is_site(name) {
            let why = match is_site(name) {
                true => "is spelled like a site",
                false => "is a word of the language",
            };
            let message = format!("`{name}` {why} and cannot be a variable");
            let finding = Finding::new(Code::NameTaken, node.span, message);
            self.report(finding.with_help("choose another name"));
        } else if !small {
            let message =
                format!("`{name}` is a variable, and variables begin with a lower-case letter");
            self.bad_name(node.span, message, small_first(name));
        } else if let Some(before) = self.context.scope.find(name) {
            let before = self.context.locals[before.index()].span;
            let message = format!("`{name}` is already a variable here");
            let finding = Finding::new(Code::NameTaken, node.span, message)
                .with_other(before, "declared here")
                .with_help("choose another name");
            self.report(finding);
        }
        self.add_variable(name, node.span, kind)
    }

    /// Creates a variable that is in no scope unless it is bound.
    pub(super) fn add_variable(&mut self, name: &str, span: Span, kind: Kind) -> Option<Local> {
        let Ok(index) = u16::try_from(self.context.locals.len()) else {
            let message = "the file has more variables than the engine can hold";
            return self.refuse(Finding::new(Code::RulesTooLarge, span, message));
        };
        self.context.locals.push(Named { name: name.to_owned(), span });
        self.context.kinds.push(kind);
        Some(Local(index))
    }

    /// Makes a variable visible until the scope is released.
    pub(super) fn bind(&mut self, local: Local) {
        let name = &self.context.locals[local.index()].name;
        self.context.scope.bind(name, local);
        // Uses with the correct spelling are accepted as well.
        if name.starts_with(char::is_uppercase)
            && let Some(better) = small_first(name)
            && self.context.scope.find(&better).is_none()
        {
            self.context.scope.bind(&better, local);
        }
    }

    /// Makes a new word visible as a variable of unknown type, because the form that would bind it
    /// failed.
    pub(super) fn bind_unknown(&mut self, node: &Node) {
        let Some(name) = node.as_word().filter(|name| self.is_new_variable(name)) else { return };
        if let Some(local) = self.add_variable(name, node.span, Kind::Any) {
            self.bind(local);
        }
    }

    /// Finds the visible variable of that name.
    pub(super) fn variable(&self, word: &str) -> Option<(Local, Kind)> {
        let local = self.context.scope.find(word).or_else(|| self.free_variable(word))?;
        Some((local, self.context.kinds[local.index()]))
    }

    /// Finds what a name denotes.
    pub(super) fn meaning(&self, word: &str) -> Option<Meaning> {
        let name = self
            .declared
            .names
            .get(word)
            .or_else(|| self.declared.names.get(self.declared.aliases.get(word)?))?;
        Some(name.0)
    }

    /// Finds what a node denotes, if it is a word.
    pub(super) fn meaning_of(&self, node: &Node) -> Option<Meaning> {
        self.meaning(node.as_word()?)
    }

    /// Reports a node that is none of these names, with a suggestion, and fails.
    pub(super) fn unknown_name<T>(
        &mut self,
        node: &Node,
        wanted: &str,
        names: &[String],
    ) -> Option<T> {
        let finding = self.mismatch(Code::UnknownName, node, wanted);
        self.unknown(finding, node.as_word().unwrap_or_default(), names, None);
        None
    }

    /// Finds the option that a node names, which does not count as a use; reports any other node.
    pub(super) fn named_option(&mut self, node: &Node, wanted: &str) -> Option<usize> {
        if let Some(meaning @ Meaning::Option(index)) = self.meaning_of(node) {
            self.note_mention(meaning, node.span);
            return Some(index);
        }
        let names = self.declared.names_of(|meaning| matches!(meaning, Meaning::Option(_)));
        self.unknown_name(node, wanted, &names)
    }

    /// Returns the direction between those of the compass with this name, where lines of the board
    /// lead so.
    pub(super) fn wind(&self, word: &str) -> Option<Direction> {
        let board = self.declared.board.as_ref()?;
        board.direction_named(word).filter(|&direction| board.is_wind(direction))
    }

    /// Returns the single words that fit the wanted type.
    pub(super) fn words_for(&self, wanted: Kind) -> Vec<&str> {
        let variables = self
            .context
            .scope
            .visible
            .iter()
            .map(|(name, &local)| (name.as_str(), Some(self.context.kinds[local.index()])));
        // Names with arguments are excluded.
        let alone = |meaning: Meaning| match meaning {
            Meaning::Definition(id) => self
                .declared
                .definitions
                .get(id.index())
                .is_some_and(|entry| entry.parameters.is_empty()),
            Meaning::Memory(id) => {
                self.declared.memories.get(id.index()).is_some_and(|entry| entry.stands_alone())
            }
            _ => true,
        };
        let names = self.declared.names.iter().filter(|&(_, &(meaning, _))| alone(meaning));
        let names = names.map(|(&name, &(meaning, _))| (name, self.kind_of_name(meaning)));
        let words = TABLE.iter().filter(|row| row.word).map(|row| (row.spelling, Some(row.result)));
        let directions =
            Direction::ALL.into_iter().map(|direction| (direction.name(), Some(Kind::Direction)));
        let winds = self.declared.board.iter().flat_map(|board| board.wind_names());
        let directions = directions.chain(winds.map(|name| (name, Some(Kind::Direction))));
        let verbs = self.declared.verbs.keys().map(|&verb| (verb, Some(Kind::Move)));
        let all = variables.chain(names).chain(words).chain(directions).chain(verbs);
        let fits = |kind: Kind| match wanted {
            // `Any` accepts values.
            Kind::Any => !matches!(kind, Kind::Move | Kind::MemoryDetail | Kind::Domain),
            _ => super::typed::accepts(wanted, kind),
        };
        let mut fitting: Vec<&str> =
            all.filter(|&(_, kind)| kind.is_some_and(fits)).map(|(word, _)| word).collect();
        fitting.sort_unstable();
        fitting.dedup();
        fitting
    }

    /// Returns the type of a name, if it is known.
    pub(super) fn kind_of_name(&self, meaning: Meaning) -> Option<Kind> {
        match meaning {
            Meaning::Player(_) => Some(Kind::Player),
            Meaning::Option(index) => {
                let option = self.declared.options.get(index)?;
                Some(if option.is_numeric() { Kind::Number } else { Kind::OptionValue })
            }
            Meaning::Piece(_) => Some(Kind::Piece),
            Meaning::Memory(id) => self.declared.memories.get(id.index())?.kind(),
            Meaning::Definition(id) => self.declared.definitions.get(id.index())?.kind,
            Meaning::Move(_) => Some(Kind::Move),
            Meaning::Path(_) => Some(Kind::Direction),
        }
    }
}

/// Builds the node that reads a variable.
pub(super) fn read(local: Local, kind: Kind, span: Span) -> Option<Typed> {
    of_kind!(kind, span, Local(local))
}

/// Returns the name that a node is, even in quotes.
fn plain_name(node: &Node) -> Option<&str> {
    let plain = |text: &&str| {
        text.starts_with(char::is_alphabetic)
            && text.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
    };
    node.as_word().or(node.as_text().filter(plain))
}

pub(super) fn small_first(name: &str) -> Option<String> {
    let first = name.chars().next().filter(|first| first.is_alphabetic())?;
    Some(first.to_lowercase().chain(name[first.len_utf8()..].chars()).collect())
}

pub(super) fn capitalised(name: &str) -> Option<String> {
    let first = name.chars().next().filter(|first| first.is_alphabetic())?;
    Some(first.to_uppercase().chain(name[first.len_utf8()..].chars()).collect())
}
