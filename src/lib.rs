//! Ludwright: write, check, play and measure abstract board games.
//!
//! The floors of the house, each knowing only those below it:
//!
//! 1. [`syntax`]: text to a tree with spans.
//! 2. [`board`]: sites, directions, labels.

pub mod board;
pub mod random;
pub mod syntax;
