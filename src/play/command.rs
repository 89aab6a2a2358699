//! The commands of the prompt: their names, what they take, what they do.

/// What can be asked for besides making a move.
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

/// A command as the table has it.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    pub command: Command,
    pub name: &'static str,
    /// What follows it; in brackets what may be left out.
    pub takes: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    /// What else there is to know, in whole lines.
    pub more: &'static str,
}

const fn row(command: Command, name: &'static str, takes: &'static str, what: &'static str, more: &'static str) -> CommandRow {
    CommandRow { command, name, takes, what, more }
}

/// Every command.
pub const COMMANDS: [CommandRow; 23] = [
    row(Command::Moves, "moves", "", "list the legal moves by their verbs", ""),
    row(Command::Play, "play", "MOVE", "make a move; `play` itself may be left out", ""),
    row(
        Command::Undo,
        "undo",
        "",
        "take back the last person's ply, and what came after it",
        "Rolls are taken back with the ply before them, and so are the plies of programs.\nPlaying on meets the same rolls again.",
    ),
    row(Command::Redo, "redo", "", "make it again, with the same rolls", ""),
    row(
        Command::Goto,
        "goto",
        "N",
        "go to the position after N plies",
        "`goto 0` is the beginning. What comes after is kept for `redo` until another move is made.",
    ),
    row(Command::Board, "board", "", "show the board and what its symbols mean", ""),
    row(Command::Targets, "targets", "[SITE]", "show where the legal moves lead", "With a site, only those of the moves that choose it."),
    row(Command::Why, "why", "[MOVE]", "say why a move is legal or not, what the last ply did, or `why result`", ""),
    row(
        Command::Hint,
        "hint",
        "[PLAYER]",
        "say what a program would play",
        "PLAYER is a program such as greedy, mcts:5s or mcts:2000it; mcts:1s unless given.",
    ),
    row(
        Command::Eval,
        "eval",
        "[PLAYER]",
        "say how the game stands, and what the best moves are",
        "PLAYER is a search such as mcts:5s or mcts:2000it; mcts:1s unless given.",
    ),
    row(
        Command::Auto,
        "auto",
        "[N] [PLAYER]",
        "let programs play on, for people too",
        "N is how many plies, until the end unless given. PLAYER plays for people; mcts:200ms unless given.\nCtrl-C stops it.",
    ),
    row(
        Command::Seats,
        "seats",
        "[NAME=PLAYER…]",
        "show who plays, or let somebody else play",
        "PLAYER is human, random, greedy, or a search such as mcts:1s or mcts:2000it.",
    ),
    row(Command::Options, "options", "", "show the options that the game is played with", ""),
    row(
        Command::Restart,
        "restart",
        "[KEY=VALUE…]",
        "begin again with other dice, and perhaps other options",
        "The game that is left is kept: `play --resume` goes on with it once the newer ones are over or saved.",
    ),
    row(
        Command::Seed,
        "seed",
        "[N]",
        "show what the dice are rolled with, or roll those to come with N",
        "Rolls that were made stay as they are.",
    ),
    row(
        Command::Position,
        "position",
        "[FILE|draw]",
        "print the position, or go to another one",
        "FILE holds a diagram and what completes it, as it is printed. After `position draw` type it, and an empty line.",
    ),
    row(Command::Comment, "comment", "TEXT", "say something of the last ply, for the record", ""),
    row(Command::Record, "record", "", "print the record of the game", ""),
    row(
        Command::Save,
        "save",
        "FILE",
        "write the record to a file",
        "A record that was not saved in this session is replaced only if you say so, and a file of another kind never.",
    ),
    row(
        Command::Load,
        "load",
        "[--force] FILE",
        "go on from a record",
        "With --force one that was made under other rules is played as far as it goes.",
    ),
    row(Command::Explain, "explain", "WORD", "say what a word of the rules means", ""),
    row(Command::Help, "help", "[COMMAND]", "show this, or more about a command", ""),
    row(Command::Quit, "quit", "", "leave", ""),
];

impl Command {
    /// Finds the command with exactly this name.
    pub fn from_name(name: &str) -> Option<&'static CommandRow> {
        COMMANDS.iter().find(|row| row.name == name)
    }
}

impl CommandRow {
    /// The name and what follows it.
    pub fn call(&self) -> String {
        format!("{} {}", self.name, self.takes).trim_end().to_owned()
    }

    /// Whether something has to follow it.
    pub fn needs(&self) -> bool {
        let optional = self.takes.starts_with('[') && self.takes.ends_with(']');
        !self.takes.is_empty() && !optional
    }
}
