//! An evaluation of positions that is learned from self-play, for any game.
//!
//! The features of a position follow from the rules of its game:
//!
//! - [`network`] adds up the weights of [`patterns`] of site states ([`sites`], [`channels`]),
//!   [`counters`] and [`marks`]. Site states and counters include definitions of the rules
//!   ([`observations`]). Positions are seen by the player to act where the two sides can be
//!   exchanged ([`sides`]). Each point in the order of play has weights of its own ([`heads`]).
//! - [`training`] finds the weights, within the estimates of [`costs`]; [`style`] says how players
//!   search with them.
//! - [`file`](mod@file) writes and reads trainings; [`store`] finds the training of a game.
//! - [`beliefs`] and [`describe`] put the weights into words.

pub mod beliefs;
pub mod channels;
pub mod costs;
pub mod counters;
pub mod describe;
pub mod file;
pub mod heads;
pub mod marks;
pub mod network;
pub mod observations;
pub mod patterns;
pub mod sides;
pub mod sites;
pub mod store;
pub mod style;
pub mod training;

pub use beliefs::Beliefs;
pub use costs::Costs;
pub use file::{Learned, MatchResult};
pub use network::{Evaluation, Features, Scratch};
pub use style::{Method, Style};
pub use training::{Training, TrainingLimits};
