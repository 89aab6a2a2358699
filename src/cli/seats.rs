//! Who plays for whom: `--seat NAME=PLAYER` in, programs that play out, and what they say.

use super::failure::Failure;
use ludwright::engine::game::{Fault, Match, Turn};
use ludwright::language::near::nearest;
use ludwright::language::rules::Rules;
use ludwright::notation::{clip, list, spell, turn};
use ludwright::random::mix;
use ludwright::search::{Choice, Kind, Player, Thinking, thought};
use serde_json::{Map, Value, json};

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
                let message = format!("{} has no player `{}`", rules.title, clip(name));
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

/// Tells what the program that is to act plays, and what it thinks.
pub fn told(position: &Match, choice: &Choice, json: bool) -> String {
    let (rules, mover) = (position.game().rules(), position.turn());
    let ply = choice.spelled(rules);
    if json {
        let mut told = json!({ "played": ply, "by": turn(rules, mover) });
        if let Some(thinking) = &choice.thinking {
            told["thinking"] = describe(rules, thinking);
        }
        return told.to_string();
    }
    match (&choice.thinking, mover) {
        (Some(thinking), Turn::Player(player)) => format!("{}: {ply}\n{}\n", turn(rules, mover), thought(rules, player, thinking)),
        _ => format!("{}: {ply}\n", turn(rules, mover)),
    }
}

fn describe(rules: &Rules, thinking: &Thinking) -> Value {
    let chances = rules.players.iter().map(|player| player.name.clone()).zip(thinking.chances.iter().map(|&chance| json!(chance)));
    json!({
        "winning_chances": chances.collect::<Map<String, Value>>(),
        "solved": thinking.solved,
        "line": thinking.line.iter().map(|ply| spell(rules, ply)).collect::<Vec<String>>(),
        "iterations": thinking.iterations,
        "seconds": thinking.seconds,
    })
}
