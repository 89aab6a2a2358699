//! The commands of the prompt: their names, what they take, what they do.

/// What can be asked for besides making a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    Moves,
    Undo,
    Redo,
    Board,
    Why,
    Options,
    Save,
    Load,
    Help,
    Quit,
}

/// Every command with its name, what follows it, and what it does.
pub const COMMANDS: [(Command, &str, &str, &str); 10] = [
    (Command::Moves, "moves", "", "list the legal moves"),
    (Command::Undo, "undo", "", "take back the last player's ply, and the rolls after it"),
    (Command::Redo, "redo", "", "make it again, with the same rolls"),
    (Command::Board, "board", "", "show the board and what its symbols mean"),
    (Command::Why, "why", "[MOVE]", "say why a move is legal or not, what the last ply did, or `why result`"),
    (Command::Options, "options", "", "show the options that the game is played with"),
    (Command::Save, "save", "FILE", "write a record of the game"),
    (Command::Load, "load", "FILE", "go on from a record"),
    (Command::Help, "help", "", "show this"),
    (Command::Quit, "quit", "", "leave"),
];

impl Command {
    /// Finds the command with exactly this name.
    pub fn from_name(name: &str) -> Option<Command> {
        COMMANDS.iter().find(|(_, known, _, _)| *known == name).map(|&(command, ..)| command)
    }
}
