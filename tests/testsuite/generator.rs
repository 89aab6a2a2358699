//! Generates the text of a random well-typed game from a seed.
//!
//! Generation follows the table of ludemes: an expression of a kind is a row with that result, its
//! slots filled recursively. A new ludeme is covered without a change here, unless it has
//! constraints beyond its kinds.
//!
//! - `writer`: expressions and statements by kind. `limits`: constraints that the table does not
//!   express.
//! - `board`, `parts`, `play`: the frame of a game that usually goes on for a while.
//!   `drop_outs`: games in which players drop out.
//! - `small`: games with few positions, for the solver.
//! - `ways`: comparison of several implementations on a game. `shrink`: reduces a failing game.

pub mod board;
pub mod dice;
pub mod drop_outs;
pub mod limits;
pub mod names;
pub mod parts;
pub mod play;
pub mod reads;
pub mod shrink;
pub mod small;
pub mod ways;
pub mod writer;

use ludwright::language::format::format;
use ludwright::language::ludemes::Ludeme;
use ludwright::random::mix;
use writer::Writer;

/// A generated game.
pub struct Generated {
    pub text: String,
    /// Ludemes in it, with repetitions.
    pub used: Vec<Ludeme>,
    /// Rejected candidates with the reasons.
    pub refused: Vec<(String, String)>,
}

/// What the games are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Anything.
    Any,
    /// Players who drop out, in turns of several plies.
    DropOuts,
}

/// Generates the game of a seed.
pub fn generate(seed: u64) -> Generated {
    let drops = mix(seed, u64::MAX).is_multiple_of(6);
    generate_about(seed, if drops { Theme::DropOuts } else { Theme::Any })
}

/// Generates the game of a seed about a theme: the first candidate that loads.
pub fn generate_about(seed: u64, theme: Theme) -> Generated {
    let mut refused = Vec::new();
    for attempt in 0.. {
        let mut writer = Writer::new(mix(seed, attempt), theme);
        let game = writer.game();
        let text = format(&game).unwrap_or(game);
        match ludwright::load(text.as_str(), &[]) {
            Ok(_) => return Generated { text, used: writer.used, refused },
            Err(rejected) => refused.push((text, rejected.to_string())),
        }
    }
    unreachable!("some game is not refused")
}
