//! Declarations of a game under construction, scopes, and positions of statements.

use ludwright::language::ludemes::{Kind, Ludeme};

/// A declared memory.
#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    pub holds: Kind,
    pub per_player: bool,
    /// Directions of a memory per direction.
    pub directions: Vec<String>,
    /// Kinds of piece of a memory per kind.
    pub kinds: Vec<String>,
    /// Numbers of a memory per number.
    pub numbers: Vec<String>,
    pub per_site: bool,
}

/// A definition; `section` is where its statements are valid.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub parameters: Vec<Kind>,
    pub kind: Kind,
    pub section: Option<Section>,
    /// Whether its value is known at compile time for each player.
    pub settled: bool,
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Whether it has one of a few values known at compile time.
    pub settled: bool,
    /// Whether statements can change it.
    pub changes: bool,
}

/// Part of the game that contains statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Setup,
    Move,
    Play,
    End,
    Repetition,
    /// Definitions and claims, without statements.
    Elsewhere,
}

/// Position of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub section: Section,
    /// Inside a `chain`.
    pub chained: bool,
    /// Inside a loop over sites, where plies are invalid.
    pub over_sites: bool,
    /// Inside a condition, where ending the game is allowed.
    pub guarded: bool,
}

impl Place {
    pub fn of(section: Section) -> Place {
        Place {
            section,
            chained: false,
            over_sites: false,
            guarded: section == Section::Repetition,
        }
    }

    /// Tests if plies are valid here.
    pub fn has_plies(self) -> bool {
        self.section == Section::Play && !self.over_sites
    }
}

/// Declarations so far.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub players: Vec<String>,
    /// Whether one more player is named, beyond the number of players.
    pub absent: bool,
    /// Names, and whether players own them.
    pub pieces: Vec<(String, bool)>,
    pub memories: Vec<Memory>,
    pub definitions: Vec<Definition>,
    /// Options with whole numbers.
    pub numbers: Vec<String>,
    /// Options with words, and their values.
    pub words: Vec<(String, Vec<String>)>,
    /// Verbs of players' moves.
    pub moves: Vec<String>,
    /// Those of `moves` that usually have a legal instance.
    pub easy: Vec<String>,
    /// Those of `moves` with which a piece goes on.
    pub going: Vec<String>,
    /// The one of `moves` that is always legal.
    pub pass: Option<String>,
    /// Verbs of chance moves.
    pub rolls: Vec<String>,
    pub sites: Vec<String>,
    pub columns: Vec<String>,
    pub rows: usize,
    /// The numbers of sites of the rows, from the top.
    pub drawn: Vec<usize>,
    /// The symbols of pieces that the game gives.
    pub symbols: Vec<String>,
    /// The board's directions of the compass, others that its grid or its lines have, and whether it is of
    /// squares.
    pub directions: Vec<String>,
    pub winds: Vec<String>,
    pub diagonal: bool,
    /// Whether it has columns and rows of squares and no lines.
    pub squares: bool,
    /// The words for sites of a sort, on a board with borders.
    pub sorts: Vec<Ludeme>,
    /// Whether the board has layers.
    pub layered: bool,
    /// Whether sites hold several pieces.
    pub piled: bool,
    /// The paths, each as a direction.
    pub paths: Vec<String>,
    /// Those that pass a site more than once.
    pub returning: Vec<String>,
    /// Whether every player has a direction, and whether rows can be counted in all of them.
    pub faces: bool,
    pub counts_rows: bool,
}

impl Names {
    pub fn is_large(&self) -> bool {
        self.sites.len() > 100
    }
}

/// Tests if statements of a topic of the table are valid at a position.
pub fn topic_stands(topic: &str, place: Place) -> bool {
    match topic {
        "Effects" => matches!(place.section, Section::Setup | Section::Move | Section::Play),
        "Results" => {
            place.guarded
                && matches!(
                    place.section,
                    Section::Move | Section::Play | Section::End | Section::Repetition
                )
        }
        "The order of play" => place.has_plies(),
        _ => place.section != Section::Elsewhere,
    }
}
