//! Teams: which players win together.

use super::PlayerId;

/// The most players of a game.
pub const MAX_PLAYERS: usize = 8;

/// The teams of a game, by number from 0. Without the part `teams`, each player is a team of his
/// own, whose number is his.
///
/// A result names a team by its first player. What plays or values numbers teams instead, as if
/// each were one player who has several turns in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Teams {
    /// The team of each player.
    of: [u8; MAX_PLAYERS],
    players: u8,
    count: u8,
}

impl Teams {
    /// Returns a team for each player.
    pub fn alone(players: usize) -> Teams {
        let players = players.min(MAX_PLAYERS) as u8;
        Teams { of: [0, 1, 2, 3, 4, 5, 6, 7], players, count: players }
    }

    /// Returns teams of several players. Every player is in one.
    pub fn new(teams: &[Vec<PlayerId>]) -> Teams {
        let mut of = [0; MAX_PLAYERS];
        for (number, team) in (0..).zip(teams) {
            for player in team {
                if let Some(entry) = of.get_mut(player.index()) {
                    *entry = number;
                }
            }
        }
        let players = teams.iter().map(Vec::len).sum::<usize>().min(MAX_PLAYERS) as u8;
        Teams { of, players, count: teams.len() as u8 }
    }

    /// Returns the number of teams.
    pub fn count(self) -> usize {
        self.count.into()
    }

    /// Returns the numbers of the teams.
    pub fn numbers(self) -> impl ExactSizeIterator<Item = PlayerId> + Clone + use<> {
        (0..u16::from(self.count)).map(PlayerId)
    }

    /// Tests if some team has several players.
    pub fn has_partners(self) -> bool {
        self.count < self.players
    }

    /// Returns the number of a player's team.
    pub fn of(self, player: PlayerId) -> PlayerId {
        PlayerId(self.of.get(player.index()).copied().unwrap_or_default().into())
    }

    /// Returns the players of a team, in the order in which they move.
    pub fn members(self, team: PlayerId) -> impl Iterator<Item = PlayerId> + use<> {
        (0..u16::from(self.players)).map(PlayerId).filter(move |&player| self.of(player) == team)
    }

    /// Returns the first player of a team, by whom results name it.
    pub fn first(self, team: PlayerId) -> PlayerId {
        self.members(team).next().unwrap_or(PlayerId(0))
    }

    /// Returns the player by whom results name the team of a player.
    pub fn leader(self, player: PlayerId) -> PlayerId {
        self.first(self.of(player))
    }

    /// Returns the player by whom results name the other one of two teams.
    pub fn rival(self, player: PlayerId) -> PlayerId {
        let others = self.numbers().filter(|&team| team != self.of(player));
        self.first(others.last().unwrap_or(PlayerId(0)))
    }
}
