//! The table of commands of the prompt.

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Moves,
    Play,
    Undo,
    Redo,
    Goto,
    Board,
    Targets,
    Why,
    Hint,
    Eval,
    Watch,
    Auto,
    Seats,
    Options,
    Restart,
    Seed,
    Position,
    Comment,
    Record,
    Save,
    Load,
    Explain,
    Help,
    Quit,
}

/// A row of the table of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    pub command: Command,
    pub name: &'static str,
    /// The arguments; optional ones are in brackets.
    pub takes: &'static str,
    /// A short description.
    pub what: &'static str,
    /// Further description, as whole lines; may be empty.
    pub more: &'static str,
}

const fn row(
    command: Command,
    name: &'static str,
    takes: &'static str,
    what: &'static str,
    more: &'static str,
) -> CommandRow {
    CommandRow { command, name, takes, what, more }
}

/// All commands, in the order of `help`.
pub const COMMANDS: [CommandRow; 24] = [
    row(Command::Moves, "moves", "", "list the legal moves, by verb", ""),
    row(Command::Play, "play", "MOVE", "make a move; the word `play` can be left out", ""),
    row(
        Command::Undo,
        "undo",
        "[N]",
        "take back the last ply of a human player, and all plies after it",
        "With N, the last N plies of human players.\nRolls and plies of programs are taken back with the ply before them.\nIf you play on, the dice show the same rolls again.",
    ),
    row(Command::Redo, "redo", "", "replay the ply that was taken back, with the same rolls", ""),
    row(
        Command::Goto,
        "goto",
        "N",
        "go to the position after N plies",
        "`goto 0` is the start. Later plies are kept for `redo` until you make another move.",
    ),
    row(Command::Board, "board", "", "show the board and a legend of its symbols", ""),
    row(
        Command::Targets,
        "targets",
        "[SITE]",
        "show where the legal moves lead",
        "With a site, only the moves that choose it.",
    ),
    row(
        Command::Why,
        "why",
        "[MOVE]",
        "explain why a move is legal or illegal, what the last ply did, or the result (`why result`)",
        "`why (…)` explains the value of an expression by the values of its parts.",
    ),
    row(
        Command::Hint,
        "hint",
        "[PLAYER]",
        "show what a program would play",
        "PLAYER is a program such as greedy, learned, mcts:5s or strong:5s; the default is mcts:1s. With learned, the features that decided are shown.",
    ),
    row(
        Command::Eval,
        "eval",
        "[PLAYER|EXPRESSION]",
        "evaluate the position, and list the best moves; or evaluate an expression",
        "PLAYER is a search such as mcts:5s or mcts:2000it; the default is mcts:1s.\nAn expression in brackets, such as `(count (empty))`, needs no command. A lower-case word without a meaning stands for all values: `(some d (list N E) (in (step s d) (empty)))` marks every site s for which it holds.",
    ),
    row(
        Command::Watch,
        "watch",
        "[EXPRESSION|off]",
        "show the value of an expression after each ply",
        "Without an expression, list those that are watched; `watch off` ends it.",
    ),
    row(
        Command::Auto,
        "auto",
        "[N] [PLAYER]",
        "let programs play, for human players too",
        "N is the number of plies; without it, to the end. PLAYER plays for human players; the default is mcts:200ms.\nCtrl-C stops it.",
    ),
    row(
        Command::Seats,
        "seats",
        "[NAME=PLAYER…]",
        "show who plays, or change it",
        "PLAYER is human, random, greedy, learned, or a search such as mcts:1s, mcts:2000it or strong:1s.",
    ),
    row(Command::Options, "options", "", "show the options of this game", ""),
    row(
        Command::Restart,
        "restart",
        "[KEY=VALUE…]",
        "start again with new dice, and other options if given",
        "The current game is kept: `undo` at the start of the new one leads back to it, and `play --resume` continues it once the newer ones are over or saved.",
    ),
    row(
        Command::Seed,
        "seed",
        "[N]",
        "show the seed of the dice, or set it for the rolls to come",
        "Rolls already made do not change.",
    ),
    row(
        Command::Position,
        "position",
        "[FILE|draw]",
        "print the position as text, or set up another one",
        "FILE holds a diagram and the lines below it, as printed. After `position draw`, enter them here, then an empty line.",
    ),
    row(Command::Comment, "comment", "TEXT", "add a comment on the last ply to the record", ""),
    row(Command::Record, "record", "", "print the record of the game", ""),
    row(
        Command::Save,
        "save",
        "FILE",
        "write the record to a file",
        "A record that was not saved in this session is replaced only if you confirm it; a file of another kind is never replaced.",
    ),
    row(
        Command::Load,
        "load",
        "[--force] FILE",
        "load a record and continue from its end",
        "With --force, a record made under other rules is played as far as it is legal.",
    ),
    row(
        Command::Explain,
        "explain",
        "WORD",
        "explain a word of the rules language, or a name of this game",
        "A move, definition, memory, piece or option of the game is shown as the rules have it.",
    ),
    row(Command::Help, "help", "[COMMAND]", "show this list, or the details of a command", ""),
    row(Command::Quit, "quit", "", "leave the game", ""),
];

impl Command {
    /// Finds the command with exactly this name, or one of the short names `?`, `q` and `exit`.
    pub fn from_name(name: &str) -> Option<&'static CommandRow> {
        let name = match name {
            "?" => "help",
            "q" | "exit" => "quit",
            name => name,
        };
        COMMANDS.iter().find(|row| row.name == name)
    }
}

impl CommandRow {
    /// Returns the name followed by the arguments.
    pub fn call(&self) -> String {
        format!("{} {}", self.name, self.takes).trim_end().to_owned()
    }

    /// Tests if an argument is required.
    pub fn needs(&self) -> bool {
        let optional = self.takes.starts_with('[') && self.takes.ends_with(']');
        !self.takes.is_empty() && !optional
    }
}
