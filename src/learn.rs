//! An evaluation of positions that is learned from self-play, for any game.
//!
//! It knows nothing of a game but its rules. [`network`] sums up weights of patterns ([`patterns`])
//! of site states ([`sites`], [`channels`]), of [`counters`], of [`marks`] that point somewhere,
//! and of what the rules define ([`observations`]), seen by the player to act where the two sides
//! can be exchanged ([`sides`]), with weights for each point in the order of play ([`heads`]).
//! [`training`] finds the weights, within what [`costs`] estimates, [`file`](mod@file) keeps them,
//! [`beliefs`] and [`describe`] say in words what they mean, [`style`] how players search with
//! them, and [`store`] knows what was learned of which game.

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
