//! Computer players. They work for any game, since they only ask who is to act, which plies are
//! legal and how the game ended.
//!
//! - `tree`: nodes and edges in flat arrays, selection, and proven values. [`history`]: how well
//!   plies have done in other positions. `probe`: the playouts of descents. `window`: runs them on
//!   several threads, and finishes them in order; `watch` tells the threads when time is up.
//!   [`mcts`]: the search that combines these modules. [`greedy`]: the player that looks one ply
//!   ahead. [`player`]: all players under one type. `describe`: results as text.
//! - [`alpha_beta`]: search with a learned evaluation; `table`: its tables. [`learned`]: the player
//!   that looks one ply ahead with a learned evaluation. [`prover`]: forced wins. [`strong`]: the
//!   player that asks the prover and then searches by the style that the training found best.
//!   [`selection`]: the matches that choose this style; [`openings`]: the positions in which their
//!   games begin.
//!
//! # Proven values
//!
//! A node is solved once its value is certain: the game is over, or a child is a proven win for the
//! player to act, or all children are solved. The value of a roll is then the mean of its
//! children's values. This holds against any play, provided that every player prefers a win to a
//! draw and a draw to a loss. With three or more players, a lost player's choice among equal
//! children is unknown, and the node stays open.
//!
//! Where the rules count repetitions (`repetition`), the value of a position depends on its
//! history. The tree then shares no nodes, and each playout has the hashes of the positions before
//! it, so that proofs stay sound. Otherwise the tree is a graph: positions of equal 64-bit hash are
//! one node, the same identity that the engine uses for repetitions.

pub mod alpha_beta;
mod describe;
pub mod greedy;
pub mod history;
pub mod learned;
pub mod mcts;
pub mod openings;
pub mod player;
mod probe;
pub mod prover;
pub mod selection;
pub mod strong;
pub mod table;
mod tree;
mod watch;
pub mod window;

pub use alpha_beta::AlphaBeta;
pub use describe::thought;
pub use mcts::{Mcts, RootMove, SearchLimits, Thinking};
pub use player::{Choice, Player, PlayerKind, roll, roll_with};
pub use prover::Prover;
