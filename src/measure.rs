//! Playtests: plays many games and reports statistics with confidence intervals.
//!
//! The unit is a *numbered game*. Its random choices depend only on the seed of the playtest and
//! its number, so that it is the same on any thread, computer and day. Its row of integers is kept.
//! All figures are computed from the rows in the order of their numbers. So threads, shards,
//! interrupted and merged runs give bit-identical reports.
//!
//! - `plan`: pairings and numbers of games, divided into *batches*. `cost_model`: how many games
//!   fit into a minute; `allowance`: how many fit, estimated anew as they are played; `progress`:
//!   the share that is done.
//! - [`play()`]: plays batches on any number of threads. `game_rows`: what is recorded. `exact`:
//!   best play on the game or a smaller board. `late_plies`: blunders and puzzles that the solver
//!   proves. `mirror`: a second player who mirrors. `levels`: the ladder of levels of play.
//!   `clauses`: coverage of the rules.
//! - `results`: rows merged from any number of parts. `copies`: repeated games. `first_plies`:
//!   equal first plies.
//! - [`statistics`]: estimates, intervals, tests. [`report`]: figures from rows. [`mod@write`]:
//!   reports as text, Markdown, HTML and JSON.
//! - [`sweep`]: comparison of variants; `fairest`: which of them may be the fairest. [`compared`]:
//!   comparison with other games. [`left_out`]: comparison with the game without one of its rules.
//!   `other_game`: the games played for these two.
//!
//! A plan without a limit of time has a fixed number of games, so that its shards are independent.

mod allowance;
mod clauses;
pub mod compared;
mod copies;
mod cost_model;
mod exact;
mod fairest;
mod first_plies;
mod game_rows;
mod late_plies;
pub mod left_out;
mod levels;
mod mirror;
mod other_game;
mod plan;
mod play;
mod progress;
pub mod report;
mod results;
pub mod statistics;
pub mod sweep;
pub mod write;

pub use clauses::{Clause, ClauseRole, Clauses, CoverageTracer};
pub use copies::{Fingerprints, Variety};
pub use cost_model::CostModel;
pub use fairest::{Fairness, VariantFairness};
pub use first_plies::FirstPlies;
pub use game_rows::{
    BoardGames, ClauseCounts, Effort, Ending, ExactValue, GameRow, LatePlies, MirroredGame,
    Opening, Played, PuzzlePly, SolvedBoard, SolvedPly, StateCount, Tally,
};
pub use levels::{LevelTrial, TrialResult};
pub use other_game::{Incomparable, OtherGame};
pub use plan::{
    Allowance, Batch, MAX_GAMES, Pairing, Plan, Request, TrainingSummary, USUAL_PACE, team_seats,
};
pub use play::{Worker, play};
pub use progress::Progress;
pub use report::Report;
pub use results::{Mismatch, Results};
