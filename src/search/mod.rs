//! Players that are programs: at random, greedily, or by Monte-Carlo tree search.
//!
//! In: a match, and how long one may think. Out: a legal move, with what was thought. It refuses to
//! know screens and files, and any one game: all that it asks is who acts, what is legal and how it
//! ended.
//!
//! - `tree`: nodes and edges in flat arrays, which way to descend, what is proven. `probe`: what a
//!   descent finds at its end, by the engine. [`mcts`]: the two together, on any number of threads.
//!   [`greedy`], [`player`]: the other players, and all of them under one name. `describe`: what
//!   was thought, for people.
//!
//! # What is proven
//!
//! A node is solved once its value is certain: the game is over there, or a child is a sure win for
//! whoever acts, or all of its children are solved. At a node of chance the value is then the mean
//! of what the rolls lead to. That holds for whatever the others do, as long as everybody prefers a
//! win to a draw and a draw to a loss; where three or more play and somebody is lost in any case,
//! nobody can tell who is let win, and the node stays open.
//!
//! Where the rules count repetitions (`repetition`), the value of a position depends on those that
//! came before it. There each node has a single path from the root, and the engine walks that very
//! path with all that was played before; nothing is shared between paths, so that what is proven is
//! sound. Everywhere else positions that look alike are one node. The same position is told by 64
//! bits of hash, as the engine tells repetitions.

mod describe;
pub mod greedy;
pub mod mcts;
pub mod player;
mod probe;
mod tree;

pub use describe::thought;
pub use mcts::{Mcts, SearchLimits, Thinking};
pub use player::{Choice, Player, PlayerKind, roll, roll_with};
