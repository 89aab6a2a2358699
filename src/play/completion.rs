//! Completion and hints for a line that is being typed.

use super::command::{COMMANDS, Command};
use crate::engine::game::State;
use crate::evaluate::is_expression;
use crate::language::accepts;
use crate::language::ludemes::Kind;
use crate::language::ludemes::TABLE;
use crate::language::rules::Rules;
use crate::notation::{form, inflected, legal};
use crate::search::player::KINDS;

/// The possible inputs at a position.
#[derive(Clone, Debug, Default)]
pub struct CompletionContext {
    /// Whether the line is a move or a command; false while a position is being entered.
    accepts_commands: bool,
    /// The legal moves in canonical spelling.
    moves: Vec<String>,
    sites: Vec<String>,
    players: Vec<String>,
    options: Vec<String>,
    /// The verbs with the forms of their moves.
    forms: Vec<(String, String)>,
    /// The words of expressions, with their descriptions.
    words: Vec<(String, String)>,
}

/// A text that can be typed next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text that replaces the word being typed.
    pub text: String,
    /// The text with a description, for the list.
    pub shown: String,
}

/// The kind of a partial line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// A legal move, with or without its verb.
    Move,
    /// A command, possibly with arguments.
    Command,
    /// Neither.
    Open,
}

/// The hint shown after the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub shown: String,
    /// The text that completes the line; `None` if the hint only describes the arguments.
    pub rest: Option<String>,
}

impl CompletionContext {
    /// Collects the moves, commands and arguments of a position.
    pub fn of(position: &State) -> CompletionContext {
        let rules = position.game().rules();
        let values = |option: &crate::language::rules::Choice| {
            option.values.iter().map(|value| format!("{}={value}", option.name)).collect()
        };
        CompletionContext {
            accepts_commands: true,
            moves: legal(position),
            sites: rules.board.sites().map(|site| rules.board.label(site).to_owned()).collect(),
            players: rules.players.iter().map(|player| player.name.clone()).collect(),
            options: rules.options.iter().flat_map::<Vec<String>, _>(values).collect(),
            forms: rules.moves.iter().map(|rule| (rule.verb.clone(), form(rule))).collect(),
            words: words_of(rules),
        }
    }

    /// Returns the start of the word being typed, as a byte offset, and its possible continuations
    /// up to the next blank or hyphen, with descriptions.
    pub fn candidates(&self, typed: &str) -> (usize, Vec<Candidate>) {
        if self.accepts_commands && is_expression(typed) {
            let begin = typed.rfind([' ', '(', ')']).map_or(0, |last| last + 1);
            let begun = &typed[begin..];
            let fits = |(word, _): &&(String, String)| word.starts_with(begun) && !begun.is_empty();
            let all = self.words.iter().filter(fits);
            let candidate = |(word, what): &(String, String)| Candidate {
                text: word.clone(),
                shown: format!("{word}  {what}").trim_end().to_owned(),
            };
            return (begin, all.map(candidate).collect());
        }
        let (begin, words) = self.completions(typed);
        let mut length = typed.len() - begin;
        loop {
            let stages = stages(&words, length);
            match &stages[..] {
                // If there is only one continuation, it is completed further.
                [only] if words.iter().any(|word| word.len() > only.len()) => length = only.len(),
                _ => {
                    let first = begin == 0;
                    let candidate = |text: &String| Candidate {
                        shown: if first { self.meaning(text) } else { text.clone() },
                        text: text.clone(),
                    };
                    return (begin, stages.iter().map(candidate).collect());
                }
            }
        }
    }

    /// Appends a description to the beginning of a line.
    fn meaning(&self, text: &str) -> String {
        let word = text.trim_end();
        if let Some((_, form)) = self.forms.iter().find(|(verb, _)| verb == word) {
            let moves = self.moves.iter().filter(|spelled| spelled.starts_with(text)).count();
            return format!("{form}  {moves} {}", inflected(moves as u64, "move"));
        }
        match Command::from_name(word) {
            Some(row) => format!("{}  {}", row.call(), row.what),
            None => text.to_owned(),
        }
    }

    /// Returns the start of the word being typed, as a byte offset, and its completions. The name
    /// of a command that takes arguments ends with a space.
    pub fn completions(&self, typed: &str) -> (usize, Vec<String>) {
        if !self.accepts_commands {
            return (0, Vec::new());
        }
        if let Some((command, rest)) = command_of(typed) {
            let begun = typed.len() - rest.len();
            let last = typed.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
            let kinds = KINDS;
            let (begin, words): (usize, Vec<String>) = match command {
                Command::Play | Command::Why => (begun, self.all_moves()),
                Command::Targets => (begun, self.sites.clone()),
                Command::Help => (begun, COMMANDS.iter().map(|row| row.name.to_owned()).collect()),
                Command::Explain => {
                    (begun, TABLE.iter().map(|row| row.spelling.to_owned()).collect())
                }
                Command::Hint | Command::Eval | Command::Auto => {
                    (last, kinds[1..].iter().map(|&kind| kind.to_owned()).collect())
                }
                Command::Seats => {
                    let all = self
                        .players
                        .iter()
                        .flat_map(|player| kinds.map(|kind| format!("{player}={kind}")));
                    (last, all.collect())
                }
                Command::Watch => (begun, vec!["off".to_owned()]),
                Command::Restart => (last, self.options.clone()),
                _ => return (begun, Vec::new()),
            };
            return (begin, fitting(words, &typed[begin..]));
        }
        let commands = COMMANDS.iter().map(|row| {
            if row.takes.is_empty() { row.name.to_owned() } else { format!("{} ", row.name) }
        });
        let whole = fitting(commands.chain(self.moves.iter().cloned()).collect(), typed);
        if whole.is_empty() { (0, fitting(self.all_moves(), typed)) } else { (0, whole) }
    }

    /// Returns the text that completes the line, or a description of the arguments.
    pub fn hint(&self, typed: &str) -> Option<Hint> {
        if typed.is_empty() || !self.accepts_commands {
            return None;
        }
        if let Some(row) = Command::from_name(typed.trim_end()).filter(|row| !row.takes.is_empty())
        {
            let blank = if typed.ends_with(' ') { "" } else { " " };
            return Some(Hint { shown: format!("{blank}{}  {}", row.takes, row.what), rest: None });
        }
        let (begin, words) = self.completions(typed);
        let rest = words.first()?.strip_prefix(&typed[begin..])?.trim_end();
        let more = if words.len() > 1 { " …" } else { "" };
        (!rest.is_empty())
            .then(|| Hint { shown: format!("{rest}{more}"), rest: Some(rest.to_owned()) })
    }

    /// Classifies the line.
    pub fn sense(&self, typed: &str) -> Sense {
        let typed = typed.split_whitespace().collect::<Vec<&str>>().join(" ");
        let word = typed.split(' ').next().unwrap_or("");
        if self.moves.contains(&typed)
            || self
                .moves
                .iter()
                .filter_map(|spelled| spelled.split_once(' '))
                .any(|(_, rest)| rest == typed)
        {
            Sense::Move
        } else if self.accepts_commands
            && Command::from_name(word.strip_prefix('/').unwrap_or(word)).is_some()
        {
            Sense::Command
        } else {
            Sense::Open
        }
    }

    /// Lists the moves, then all moves without their verbs.
    fn all_moves(&self) -> Vec<String> {
        let bare = self
            .moves
            .iter()
            .filter_map(|spelled| spelled.split_once(' '))
            .map(|(_, rest)| rest.to_owned());
        self.moves.iter().cloned().chain(bare).collect()
    }
}

/// Splits a line into command and arguments.
fn command_of(typed: &str) -> Option<(Command, &str)> {
    let (name, rest) = typed.split_once(char::is_whitespace)?;
    Some((Command::from_name(name.strip_prefix('/').unwrap_or(name))?.command, rest.trim_start()))
}

/// Lists the beginnings of words, up to the next blank or hyphen after `length` bytes.
fn stages(words: &[String], length: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        let rest = word.get(length..).unwrap_or_default();
        let end = rest.find([' ', '-']).map_or(word.len(), |index| length + index + 1);
        if !found.iter().any(|known| known == &word[..end]) {
            found.push(word[..end].to_owned());
        }
    }
    found
}

/// Lists the words of expressions: the names of the game and the words of the language.
fn words_of(rules: &Rules) -> Vec<(String, String)> {
    let named = |names: Vec<&String>, what: &str| -> Vec<(String, String)> {
        names.into_iter().map(|name| (name.clone(), what.to_owned())).collect()
    };
    let mut words = named(rules.definitions.iter().map(|it| &it.name).collect(), "a definition");
    words.retain(|(word, _)| !word.contains(' '));
    words.extend(named(rules.memories.iter().map(|it| &it.name).collect(), "a memory"));
    words.extend(named(rules.pieces.iter().map(|it| &it.name).collect(), "a piece"));
    words.extend(named(rules.players.iter().map(|it| &it.name).collect(), "a player"));
    words.extend(named(rules.options.iter().map(|it| &it.name).collect(), "an option"));
    for row in TABLE.iter().filter(|row| accepts(Kind::Domain, row.result) || is_value(row.result))
    {
        if !words.iter().any(|(word, _)| word == row.spelling) {
            let what = if row.word { String::new() } else { row.signature() };
            words.push((row.spelling.to_owned(), what));
        }
    }
    words
}

fn is_value(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Condition | Kind::Player | Kind::Piece | Kind::Any)
}

/// Lists the words with this prefix, without repetition.
fn fitting(words: Vec<String>, typed: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words {
        if word.starts_with(typed) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}
