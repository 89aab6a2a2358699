//! The parts that the commands and the studio share: arguments, the console, the files and games of
//! the user, and the wording of results. This module depends on neither of the two.

pub mod answers;
pub mod arguments;
pub mod case_files;
pub mod console;
pub mod failure;
pub mod files;
pub mod game;
pub mod journal;
pub mod module;
pub mod output;
pub mod readers;
pub mod save;
pub mod schema;
pub mod target;
pub mod templates;
pub mod workload;
