//! Who plays for whom: `--seat NAME=PLAYER` in, programs that play out.

use super::failure::Failure;
use ludwright::engine::game::{Fault, Match, Turn};
use ludwright::language::near::nearest;
use ludwright::language::rules::Rules;
use ludwright::notation::list;
use ludwright::random::mix;
use ludwright::search::{Choice, Kind, Player};

/// A program for each player of a game, where there is one; the others are people.
pub struct Seats {
    players: Vec<Option<Player>>,
}

impl Seats {
    /// Seats the players that were asked for. What they draw depends on the seed.
    ///
    /// # Errors
    /// Tells if the game has no such player, or somebody should sit at two places.
    pub fn new(rules: &Rules, wanted: &[(String, Kind)], seed: u64) -> Result<Seats, Failure> {
        let mut kinds: Vec<Option<Kind>> = vec![None; rules.players.len()];
        for (name, kind) in wanted {
            let names: Vec<&str> = rules.players.iter().map(|player| player.name.as_str()).collect();
            let Some(index) = names.iter().position(|known| known == name) else {
                let help = match nearest(name, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the players are {}", list(&names, "and")),
                };
                let message = format!("{} has no player `{}`", rules.title, ludwright::notation::clip(name));
                return Err(Failure::usage(message).with_help(Some(help)));
            };
            match kinds[index] {
                Some(other) if other != *kind => {
                    return Err(Failure::usage(format!("{name}={other} and {name}={kind} were both asked for")));
                }
                _ => kinds[index] = Some(*kind),
            }
        }
        // Nobody draws what the dice or another player do.
        let seat = |(index, kind): (u64, Option<Kind>)| Player::new(kind?, mix(!seed, index));
        Ok(Seats { players: (0..).zip(kinds).map(seat).collect() })
    }

    /// Whether a program is to act.
    pub fn is_due(&self, position: &Match) -> bool {
        match position.turn() {
            Turn::Player(player) => self.players[player.index()].is_some(),
            Turn::Chance | Turn::Nobody => false,
        }
    }

    /// What the program that is to act plays; none where it is no program's turn.
    ///
    /// # Errors
    /// Fails where the rules go round without end.
    pub fn choose(&mut self, position: &Match) -> Result<Option<Choice>, Fault> {
        match position.turn() {
            Turn::Player(player) => self.players[player.index()].as_mut().map_or(Ok(None), |program| program.choose(position)),
            Turn::Chance | Turn::Nobody => Ok(None),
        }
    }
}
