//! Players, turns and results.

use crate::engine::game as engine;
use crate::engine::position;
use crate::language::rules::{PlayerId, Teams};
use serde::{Deserialize, Serialize};

/// A player of a game, by index in the game's list of players.
///
/// ```
/// use ludwright::Game;
///
/// let game = Game::from_file("games/kitaran.game", &[])?;
/// let names: Vec<&str> = game.players().map(|player| game.name_of(player)).collect();
/// assert_eq!(names, ["Black", "White"]);
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "u16", into = "u16")]
pub struct Player(pub(super) PlayerId);

impl Player {
    /// Returns the index in the list of players, from 0.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("games/kitaran.game", &[])?;
    /// let places: Vec<usize> = game.players().map(|player| player.index()).collect();
    /// assert_eq!(places, [0, 1]);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn index(self) -> usize {
        self.0.index()
    }
}

/// Who is to act.
///
/// ```
/// use ludwright::{Game, Turn};
///
/// let game = Game::from_file("games/two-dice-swarm.game", &[])?;
/// assert_eq!(game.start().turn(), Turn::Chance, "the dice come first");
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// A player chooses a move.
    Player(Player),
    /// Dice are rolled: each legal move is a roll, and all are equally likely.
    Chance,
    /// No one: the game is over.
    Over,
}

/// The result of a game.
///
/// ```
/// use ludwright::{Game, Outcome};
///
/// let mut state = Game::from_file("tests/games/tic-tac-toe.game", &[])?.start();
/// for text in ["a1", "b1", "a2", "b2", "a3"] {
///     state.play(state.parse_move(text)?)?;
/// }
/// let winner = state.game().players().next().expect("a player");
/// assert_eq!(state.outcome(), Some(Outcome::Win(winner)));
/// // Like most types here, it can be serialized; players are numbers from 0.
/// assert_eq!(serde_json::to_string(&state.outcome())?, r#"{"win":0}"#);
/// assert_eq!(serde_json::from_str::<Outcome>(r#"{"win":0}"#)?, Outcome::Win(winner));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// The player won.
    Win(Player),
    /// The players of a team won.
    Team(PlayerSet),
    /// No player won.
    Draw,
    /// No player won, and these players share the draw: the others have dropped out.
    Shared(PlayerSet),
}

/// A set of players of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Player>", into = "Vec<Player>")]
pub struct PlayerSet(position::PlayerSet);

impl PlayerSet {
    /// Tests if the player is in the set.
    pub fn contains(self, player: Player) -> bool {
        self.0.contains(player.0)
    }

    /// Iterates over the players of the set, in the order of play.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        self.0.iter().map(Player)
    }
}

impl From<u16> for Player {
    fn from(index: u16) -> Player {
        Player(PlayerId(index))
    }
}

impl From<Player> for u16 {
    fn from(player: Player) -> u16 {
        player.0.0
    }
}

impl From<Vec<Player>> for PlayerSet {
    fn from(players: Vec<Player>) -> PlayerSet {
        let bit = |player: &Player| 1_u8.checked_shl(u32::from(player.0.0)).unwrap_or_default();
        PlayerSet(position::PlayerSet(players.iter().fold(0, |bits, player| bits | bit(player))))
    }
}

impl From<PlayerSet> for Vec<Player> {
    fn from(players: PlayerSet) -> Vec<Player> {
        players.iter().collect()
    }
}

impl Outcome {
    /// Converts an outcome in which the first player of a team stands for the team.
    pub(super) fn of(outcome: position::Outcome, teams: Teams) -> Outcome {
        match outcome {
            position::Outcome::Win(player) => {
                let team: position::PlayerSet = teams.members(teams.of(player)).collect();
                if team.len() > 1 {
                    Outcome::Team(PlayerSet(team))
                } else {
                    Outcome::Win(Player(player))
                }
            }
            position::Outcome::Draw => Outcome::Draw,
            position::Outcome::Shared(among) => Outcome::Shared(PlayerSet(among)),
        }
    }
}

impl From<engine::Turn> for Turn {
    fn from(turn: engine::Turn) -> Turn {
        match turn {
            engine::Turn::Player(player) => Turn::Player(Player(player)),
            engine::Turn::Chance => Turn::Chance,
            engine::Turn::Nobody => Turn::Over,
        }
    }
}
