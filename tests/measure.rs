//! What is measured of games: the statistics against hand-computed examples and by simulation, playtests against themselves.

#[allow(dead_code, reason = "not every test plays every variant")]
mod support;

#[path = "measure/figures.rs"]
mod figures;
#[path = "measure/playtest.rs"]
mod playtest;
#[path = "measure/statistics.rs"]
mod statistics;
