//! The commands of the page, and the phrases by which a search finds them. The page has an action
//! for each name (`src/studio/page/commands.js`).

use crate::editor::finder::Command;

macro_rules! commands {
    ($($name:literal, $title:literal, $summary:literal, [$($other:literal),*];)*) => {
        &[$(Command { name: $name, title: $title, summary: $summary, names: &[$($other),*] }),*]
    };
}

/// All commands.
pub static COMMANDS: &[Command] = commands! {
    "save", "Save the rules", "Writes the rules to their file.", ["save", "keep my work"];
    "save-as", "Save under another name", "Writes the rules to another file.",
        ["save as", "copy of this game"];
    "lay-out", "Lay the rules out", "Indents the rules in the standard way.",
        ["format", "tidy up", "indent", "pretty print"];
    "replace", "Find and replace", "Finds a text in the rules, and replaces it.",
        ["search the text", "replace text"];
    "rework", "Rename or rework", "Renames everywhere, makes a definition, an option or a variant, deletes what is unused.",
        ["rename", "refactor", "extract a definition", "make a variant"];
    "delete-unused", "Delete what is never used", "Deletes the declarations that nothing uses. Undo takes it back.",
        ["delete unused", "remove unused", "clean up"];
    "set-up", "Set up a position", "Puts pieces on the board by hand, for the start of the game or to play from.",
        ["starting position", "edit the board", "place pieces by hand", "initial setup"];
    "must-be", "This must be so", "Keeps watch over a rule by a rule case or a claim.",
        ["rule case", "test a rule", "claim", "assert"];
    "games", "Games and files", "Shows your files, the games of the program and the templates.",
        ["new game", "open a file", "my games", "templates", "home"];
    "manual", "The manual", "Shows the recipes and the words of the language, by topic.",
        ["contents", "documentation", "reference", "handbook", "all words"];
    "tour", "Take the tour", "Makes a game in ten steps.", ["tutorial", "help me begin", "learn"];
    "keys", "Keys", "Lists the keys of the page.", ["keyboard shortcuts", "help"];
    "undo", "Take back a ply", "Takes back the last ply on the board.", ["undo move", "take back"];
    "redo", "Play a ply again", "Plays the ply again that was taken back.", ["redo move"];
    "restart", "Begin a new game", "Goes back to the start of the game.", ["restart", "play again"];
    "hint", "Ask for a hint", "A program says what it would play.",
        ["hint", "best move", "what should i play"];
    "options", "Options of the game", "Shows the options, such as the size of the board.",
        ["change the size", "settings", "other board size"];
    "ask", "Ask about the game", "Measures the game: who wins how often, and more.",
        ["playtest", "is it fair", "balance", "statistics", "solve", "who wins", "analyse"];
    "share-play", "Share a page that plays", "Makes one file with the game, for friends.",
        ["share", "publish", "send to a friend", "play with friends", "export"];
    "share-sheet", "Print the rules", "Makes a rule sheet in words and diagrams.",
        ["rule sheet", "rulebook", "print", "rules in words"];
    "share-png", "Save a picture of the board", "Makes a PNG file of the position.",
        ["png", "picture", "image", "screenshot"];
    "share-gif", "Save a moving picture of the game", "Makes a GIF file of the game.",
        ["gif", "animation", "video"];
    "share-record", "Save the record", "Makes a text file with the plies of the game.",
        ["record", "save the moves", "notation of the game"];
};
