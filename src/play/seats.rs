//! Who plays for whom. In: names of players and kinds of programs. Out: the programs' plies. It
//! refuses to know what else happens at the table.

use super::reply::Refused;
use crate::engine::game::{Fault, State, Turn};
use crate::language::edit_distance::nearest;
use crate::language::rules::Rules;
use crate::notation::{clip, list};
use crate::random::mix;
use crate::search::{Choice, Player, PlayerKind};
use std::sync::atomic::AtomicBool;

/// A program for each player of a game, where there is one; the others are people.
pub struct Seats {
    kinds: Vec<PlayerKind>,
    players: Vec<Option<Player>>,
}

impl Seats {
    /// Seats the players that were asked for. What they draw depends on the seed.
    ///
    /// # Errors
    /// Tells if the game has no such player, or somebody should sit at two places.
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
        // Nobody draws what the dice or another player do.
        let players =
            (0..).zip(&kinds).map(|(index, &kind)| Player::new(kind, mix(!seed, index))).collect();
        Ok(Seats { kinds, players })
    }

    /// Every player of the game with who plays for it.
    pub fn spelled(&self, rules: &Rules) -> Vec<(String, String)> {
        rules
            .players
            .iter()
            .zip(&self.kinds)
            .map(|(player, kind)| (player.name.clone(), kind.to_string()))
            .collect()
    }

    /// Every player of the game with the kind of who plays for it, as [`Seats::new`] takes them.
    pub fn wanted(&self, rules: &Rules) -> Vec<(String, PlayerKind)> {
        rules
            .players
            .iter()
            .map(|player| player.name.clone())
            .zip(self.kinds.iter().copied())
            .collect()
    }

    /// Whether a person plays.
    pub fn has_person(&self) -> bool {
        self.kinds.contains(&PlayerKind::Human)
    }

    /// Whether a program is to act.
    pub fn is_due(&self, position: &State) -> bool {
        match position.turn() {
            Turn::Player(player) => self.players[player.index()].is_some(),
            Turn::Chance | Turn::Nobody => false,
        }
    }

    /// What the program that is to act plays; none where it is no program's turn. Told to stop, it
    /// thinks no further.
    ///
    /// # Errors
    /// Fails where the rules go round without end.
    pub fn choose(
        &mut self,
        position: &State,
        stop: Option<&AtomicBool>,
    ) -> Result<Option<Choice>, Fault> {
        match position.turn() {
            Turn::Player(player) => self.players[player.index()]
                .as_mut()
                .map_or(Ok(None), |program| program.choose_until(position, stop)),
            Turn::Chance | Turn::Nobody => Ok(None),
        }
    }
}

/// Finds the player of that name.
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
        }
    })
}
