//! Ludwright: write, check, play and measure abstract board games.

pub mod board;
pub mod compile;
pub mod engine;
pub mod language;
pub mod random;
pub mod syntax;
