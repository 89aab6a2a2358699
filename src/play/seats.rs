//! Assigns people and programs to the players of a game.

use super::reply::Refused;
use crate::engine::game::{Fault, State, Turn};
use crate::language::edit_distance::nearest;
use crate::language::rules::Rules;
use crate::notation::{clip, list};
use crate::random::mix;
use crate::search::{Choice, Player, PlayerKind};
use std::sync::atomic::AtomicBool;

/// Who plays each player: a program or a person. After a swap, each of the two plays the other's
/// colour.
pub struct Seats {
    kinds: Vec<PlayerKind>,
    players: Vec<Option<Player>>,
}

impl Seats {
    /// Assigns the given players; the others are people. The seed determines the random choices of
    /// programs.
    ///
    /// # Errors
    /// Fails if the game has no such player or a player is assigned twice.
    pub fn new(
        rules: &Rules,
        wanted: &[(String, PlayerKind)],
        seed: u64,
    ) -> Result<Seats, Refused> {
        let mut kinds: Vec<Option<PlayerKind>> = vec![None; rules.players.len()];
        for (name, kind) in wanted {
            let index = seat(rules, name)?;
            match kinds[index] {
                Some(other) if other != *kind => {
                    return Err(format!(
                        "{name} is given twice, as {name}={other} and {name}={kind}"
                    )
                    .into());
                }
                _ => kinds[index] = Some(*kind),
            }
        }
        let kinds: Vec<PlayerKind> =
            kinds.into_iter().map(|kind| kind.unwrap_or(PlayerKind::Human)).collect();
        // Every program has its own random numbers, independent of the rolls.
        let players =
            (0..).zip(&kinds).map(|(index, &kind)| Player::new(kind, mix(!seed, index))).collect();
        Ok(Seats { kinds, players })
    }

    /// Lists the players, each with the name of the person or program that plays it.
    pub fn spelled(&self, rules: &Rules) -> Vec<(String, String)> {
        rules
            .players
            .iter()
            .zip(&self.kinds)
            .map(|(player, kind)| (player.name.clone(), kind.to_string()))
            .collect()
    }

    /// Lists the players with their kinds, as [`Seats::new`] takes them.
    pub fn wanted(&self, rules: &Rules) -> Vec<(String, PlayerKind)> {
        rules
            .players
            .iter()
            .map(|player| player.name.clone())
            .zip(self.kinds.iter().copied())
            .collect()
    }

    /// Tests if a person plays.
    pub fn has_person(&self) -> bool {
        self.kinds.contains(&PlayerKind::Human)
    }

    /// Tests if a program is to move.
    pub fn is_due(&self, position: &State) -> bool {
        self.program(position).is_some()
    }

    /// Tests if a program is to move and a person plays too: undo and redo skip the program's
    /// plies.
    pub fn is_skipped(&self, position: &State) -> bool {
        self.has_person() && self.is_due(position)
    }

    /// Returns the program to move; `None` if a person, chance or nobody is to move.
    pub fn program(&self, position: &State) -> Option<&Player> {
        self.players[position.personal_turn().player()?.index()].as_ref()
    }

    /// Returns the choice of the program to move; `None` if there is no program to move. Setting
    /// `stop` ends its search early.
    ///
    /// # Errors
    /// Fails if the rules do not terminate.
    pub fn choose(
        &mut self,
        position: &State,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Choice>, Fault> {
        match position.personal_turn() {
            Turn::Player(player) => self.players[player.index()]
                .as_mut()
                .map_or(Ok(None), |program| program.choose_until(position, stop)),
            Turn::Chance | Turn::Nobody => Ok(None),
        }
    }
}

/// Assigns the old seats to the new players by name, and renamed players by their index. New
/// players are people.
pub fn reseated(before: &[(String, PlayerKind)], rules: &Rules) -> Vec<(String, PlayerKind)> {
    let is_known = |name: &str| rules.players.iter().any(|player| player.name == name);
    let seat = |(place, name): (usize, &String)| {
        let same = before.iter().find(|(known, _)| known == name);
        let renamed = || before.get(place).filter(|(known, _)| !is_known(known));
        let kind = same.or_else(renamed).map_or(PlayerKind::Human, |(_, kind)| *kind);
        (name.clone(), kind)
    };
    rules.players.iter().map(|player| &player.name).enumerate().map(seat).collect()
}

/// Finds a player by name.
fn seat(rules: &Rules, name: &str) -> Result<usize, Refused> {
    let names: Vec<&str> = rules.players.iter().map(|player| player.name.as_str()).collect();
    names.iter().position(|known| *known == name).ok_or_else(|| {
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the players are {}", list(&names, "and")),
        };
        Refused {
            message: format!("{} has no player `{}`", rules.title, clip(name)),
            help: Some(help),
            fault: None,
            rejected: None,
        }
    })
}
