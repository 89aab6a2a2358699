//! A generator of games: a seed in, the text of a well-typed rules file out.
//!
//! What it writes is made from the table of ludemes: something of a kind is a row that yields the
//! kind, with something of the slots' kinds in its slots. A ludeme that is added to the table is
//! generated without a further line here, unless it asks for more than its kinds say.
//!
//! - `writer`: expressions and statements by kind. `limits`: what the table does not say.
//! - `board`, `parts`, `play`: the frame of a game that most often goes on for a while.
//! - `ways`: the same game played in several ways that must agree. `shrink`: a game with as few
//!   forms as still fail.

pub mod board;
pub mod dice;
pub mod limits;
pub mod names;
pub mod parts;
pub mod play;
pub mod shrink;
pub mod ways;
pub mod writer;

use ludwright::language::format::format;
use ludwright::language::ludemes::Ludeme;
use ludwright::random::mix;
use writer::Writer;

/// A game that was drawn.
pub struct Generated {
    pub text: String,
    /// The rows that it was written with, each as often as it stands there.
    pub used: Vec<Ludeme>,
    /// What was drawn before and refused, with the reason.
    pub refused: Vec<(String, String)>,
}

/// Draws the game of a seed: the first that is not refused.
pub fn generate(seed: u64) -> Generated {
    let mut refused = Vec::new();
    for attempt in 0.. {
        let mut writer = Writer::new(mix(seed, attempt));
        let game = writer.game();
        let text = format(&game).unwrap_or(game);
        match ludwright::load(text.as_str(), &[]) {
            Ok(_) => return Generated { text, used: writer.used, refused },
            Err(rejected) => refused.push((text, rejected.to_string())),
        }
    }
    unreachable!("some game is not refused")
}
