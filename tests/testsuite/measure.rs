//! What is measured of games: the statistics against hand-computed examples and by simulation,
//! playtests against themselves.

mod figures;
mod playtest;
mod statistics;
