//! What there is to be known of a game by playing it.

pub mod statistics;
