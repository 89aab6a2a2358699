//! What there is to be known of a game by playing it.
//!
//! In: a game, players, how many games. Out: figures with intervals, and the games themselves. It
//! refuses to know files, terminals and clocks.
//!
//! The unit is a *game with a number*. What is drawn in it depends on the seed of the whole and on
//! its number alone, so that it is the same game on whatever thread, computer or day it is played.
//! What is kept of it is a small row of whole numbers. All that is reported is worked out from the
//! rows in the order of their numbers: threads, shards, interrupted runs and merged ones come to
//! the same, bit for bit, because they come to the same rows.
//!
//! - `plan`: who meets whom and how often, cut into *lots*, each a few games that are played in one
//!   go. `cost_model`: how many games fit into a minute. [`play()`]: from the number of a lot to
//!   its rows, on any number of threads. `game_rows`: what is kept. `clauses`: how the rules are
//!   listened to. `results`: rows put together, from however many parts.
//! - [`statistics`]: estimates, intervals, tests. [`report`]: figures from rows. [`mod@write`]:
//!   reports as text, Markdown, HTML and JSON. [`sweep`]: reports of several variants side by side.
//!
//! Where the skill ladder ends depends on its lower rungs. Somebody who plays only a part of a plan
//! cannot know them, and plays all rungs; what was played beyond the end is left out when the parts
//! are put together ([`Results::settle`]).

mod clauses;
mod cost_model;
mod game_rows;
mod plan;
mod play;
pub mod report;
mod results;
pub mod statistics;
pub mod sweep;
pub mod write;

pub use clauses::{Clause, ClauseRole, Clauses, CoverageTracer};
pub use cost_model::CostModel;
pub use game_rows::{ClauseCounts, Ending, GameRow, Played, StateCount, Tally};
pub use plan::{Batch, MAX_GAMES, Pairing, Plan, Request};
pub use play::{Worker, play};
pub use report::Report;
pub use results::{Mismatch, Results};
