//! Parses the arguments of `go` into search limits.

use super::unknown;
use ludwright::engine::game::Turn;
use ludwright::notation::clip;
use std::time::Duration;

/// Assumed number of plies a player still has to make; divides the remaining clock time.
pub const PLIES_AHEAD: u32 = 30;

/// Search limits.
#[derive(Clone, Default)]
pub struct GoLimits {
    pub iterations: Option<u64>,
    pub time: Option<Duration>,
    pub infinite: bool,
    pub depth: Option<usize>,
}

impl GoLimits {
    /// Parses the limits for the player to move.
    ///
    /// # Errors
    /// If a limit is unknown or its number malformed.
    pub fn read(text: &str, turn: Turn) -> Result<GoLimits, String> {
        let mover = match turn {
            Turn::Player(player) => player.index() + 1,
            Turn::Chance | Turn::Nobody => 0,
        };
        let mut asked = GoLimits { infinite: text.is_empty(), ..GoLimits::default() };
        let (mut left, mut added) = (None, 0);
        let mut ahead = u64::from(PLIES_AHEAD);
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            // UCI has clocks for White and Black: the first and the second player.
            let word = match word {
                "wtime" => "p1time",
                "btime" => "p2time",
                "winc" => "p1inc",
                "binc" => "p2inc",
                "ponder" => continue,
                word => word,
            };
            if word == "infinite" {
                asked.infinite = true;
                continue;
            }
            let is_clock = word
                .strip_prefix('p')
                .and_then(|rest| rest.strip_suffix("time").or_else(|| rest.strip_suffix("inc")))
                .is_some_and(|number| number.parse::<u8>().is_ok());
            if !is_clock && !["movetime", "nodes", "depth", "movestogo"].contains(&word) {
                return Err(unknown(
                    "limit",
                    word,
                    &[
                        "movetime", "nodes", "depth", "infinite", "p1time", "p2time", "p1inc",
                        "p2inc",
                    ],
                ));
            }
            let value = words.next().unwrap_or("");
            let number: u64 = value.parse().map_err(|_| {
                format!("expected a whole number after `{word}`, found `{}`", clip(value))
            })?;
            match word {
                "movetime" => asked.time = Some(Duration::from_millis(number)),
                "nodes" => asked.iterations = Some(number.max(1)),
                "depth" => asked.depth = Some(number as usize),
                "movestogo" => ahead = number.clamp(1, ahead),
                _ if word == format!("p{mover}time") => left = Some(number),
                // Half of the increment is kept in reserve against latency.
                _ if word == format!("p{mover}inc") => added = number / 2,
                _ => {}
            }
        }
        let is_timed = left.is_some() || added > 0;
        let clock = is_timed.then(|| left.unwrap_or(0) / ahead + added);
        asked.time =
            asked.time.or(clock.map(|milliseconds| Duration::from_millis(milliseconds.max(1))));
        if asked.infinite {
            (asked.time, asked.iterations, asked.depth) = (None, None, None);
        }
        Ok(asked)
    }
}
