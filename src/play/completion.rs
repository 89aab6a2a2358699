//! Completion and hints for a line that is being typed.

use super::command::{COMMANDS, Command};
use crate::engine::game::State;
use crate::language::ludemes::TABLE;
use crate::notation::legal;

/// What can be typed at a position.
#[derive(Clone, Debug, Default)]
pub struct CompletionContext {
    /// Whether the line is a move or a command; false while a position is being entered.
    accepts_commands: bool,
    /// The legal moves in canonical spelling.
    moves: Vec<String>,
    sites: Vec<String>,
    players: Vec<String>,
    options: Vec<String>,
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
            let kinds = ["human", "random", "greedy", "mcts:1s", "mcts:2000it"];
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

#[cfg(test)]
mod tests {
    use super::{CompletionContext, Sense};

    fn words() -> CompletionContext {
        let text = r#"(game "Fill" (players A B) (option Size (range 2 3) 2 "Sites.") (board (square Size)) (piece Stone)
            (move place (to t (empty)) (put Stone t)) (move pass) (play (turns (choose place pass (otherwise (draw))))))"#;
        let game = crate::load(text, &[]).expect("a game");
        CompletionContext::of(&game.begin().expect("a position"))
    }

    #[test]
    fn completes_moves_and_commands_and_what_follows_them() {
        for (typed, begin, found) in [
            ("pl", 0, "play ,place a1,place a2,place b1,place b2"),
            ("b", 0, "board"),
            ("b1", 0, "b1"),
            ("play b", 5, "b1,b2"),
            ("why place b", 4, "place b1,place b2"),
            ("targets a", 8, "a1,a2"),
            ("help un", 5, "undo"),
            ("seats A=h", 6, "A=human"),
            ("restart ", 8, "Size=2,Size=3"),
            ("auto 3 gr", 7, "greedy"),
            ("undo x", 5, ""),
            ("é", 0, ""),
        ] {
            let words = words().completions(typed);
            assert_eq!((words.0, words.1.join(",").as_str()), (begin, found), "{typed}");
        }
    }

    #[test]
    fn where_no_command_is_awaited_none_is_known() {
        let none = CompletionContext::default();
        assert_eq!(
            (none.completions("und"), none.hint("goto"), none.sense("undo")),
            ((0, Vec::new()), None, Sense::Open)
        );
    }

    #[test]
    fn hints_and_tells_moves_from_commands() {
        let words = words();
        let hint = |typed: &str| words.hint(typed).map(|hint| (hint.shown, hint.rest));
        assert_eq!(hint("place b2"), None);
        assert_eq!(hint("und"), Some(("o".to_owned(), Some("o".to_owned()))));
        assert_eq!(hint("place a"), Some(("1 …".to_owned(), Some("1".to_owned()))));
        assert_eq!(hint("goto"), Some((" N  go to the position after N plies".to_owned(), None)));
        assert_eq!(
            [words.sense("b2"), words.sense("place  b2"), words.sense("undo"), words.sense("b")],
            [Sense::Move, Sense::Move, Sense::Command, Sense::Open]
        );
    }
}
