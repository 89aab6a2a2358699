//! The rows: every word of the language, by topic, in the order of the manual.
//!
//! Rows are arguments of macros, so that an enum, a static and a struct for each row can be made of
//! the same text. Each file below passes its rows on to the next, after those before them.

mod expressions;
mod parts;
mod statements;

use super::{Kind, Row, Slot, Times};
pub(in crate::language) use {
    expressions::with_expressions, parts::with_parts, statements::with_statements,
};

/// Passes all rows to a macro: one makes the table of them, another the types of their arguments.
/// A row is a `word`, a `form`, or `special`: a form that the checker builds by a function of its
/// own.
macro_rules! with_rows {
    ($then:ident) => {
        $crate::language::ludemes::table::with_parts! { $then }
    };
}
pub(in crate::language) use with_rows;

with_rows!(ludemes);
