//! What is measured of games: the statistics against hand-computed examples and by simulation, playtests against themselves.

mod support;

#[path = "measure/statistics.rs"]
mod statistics;
