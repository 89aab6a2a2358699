//! Measures: statistics against worked examples and simulation, playtests for reproducibility.

mod calibration;
mod compared;
mod copies;
mod fairest;
mod figures;
mod left_out;
mod levels;
mod openings;
mod playtest;
mod puzzles;
mod solved;
mod statistics;
mod trust;
