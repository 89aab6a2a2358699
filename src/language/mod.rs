//! The language: its words, the typed game, and what can be said about a file.

pub mod finding;
pub mod ludemes;
pub mod rules;
