//! What a game under construction has declared, what is in scope, and where a statement stands.

use ludwright::language::ludemes::Kind;

/// Something remembered.
#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    pub holds: Kind,
    pub per_player: bool,
    /// The directions for which there is one each.
    pub directions: Vec<String>,
    pub per_site: bool,
}

/// A definition, and where its statements may stand.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub parameters: Vec<Kind>,
    pub kind: Kind,
    pub section: Option<Section>,
    /// Whether its value is known when the game is compiled, for each player.
    pub settled: bool,
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    /// Whether its value is one of a few that are known when the game is compiled.
    pub settled: bool,
}

/// The part of the game that statements are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Setup,
    Move,
    Play,
    End,
    Repetition,
    /// No statements: definitions and claims.
    Elsewhere,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub section: Section,
    /// Whether a `chain` is around it.
    pub chained: bool,
    /// Whether it is repeated for sites, so that there can be no ply in it.
    pub over_sites: bool,
    /// Whether a condition is around it, so that it may end the game.
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

    /// Whether plies can stand here.
    pub fn has_plies(self) -> bool {
        self.section == Section::Play && !self.over_sites
    }
}

/// Everything that the game has declared so far.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub players: Vec<String>,
    /// With whether players own it.
    pub pieces: Vec<(String, bool)>,
    pub memories: Vec<Memory>,
    pub definitions: Vec<Definition>,
    /// Options that are whole numbers.
    pub numbers: Vec<String>,
    /// Options of words, with their values.
    pub words: Vec<(String, Vec<String>)>,
    /// Verbs of moves that players choose.
    pub moves: Vec<String>,
    /// Verbs of moves that usually have a legal instance, which are among those.
    pub easy: Vec<String>,
    /// The verb of a move that is always legal, which is among the moves.
    pub pass: Option<String>,
    /// Verbs of moves that chance makes.
    pub rolls: Vec<String>,
    pub sites: Vec<String>,
    pub columns: Vec<String>,
    pub rows: usize,
    /// All directions of the board, and whether it has diagonal ones.
    pub directions: Vec<String>,
    pub diagonal: bool,
}

impl Names {
    pub fn is_large(&self) -> bool {
        self.sites.len() > 100
    }
}

/// Whether a statement of that topic of the table can stand there.
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
