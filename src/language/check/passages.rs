//! Reports what takes one next site on a path that passes a site more than once.

use super::Checker;
use crate::board::{Board, Site};
use crate::language::constraints::{ReturningStep, returning_steps};
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;
use crate::syntax::Span;

impl Checker<'_> {
    /// Reports what takes one next site on a path that passes a site more than once.
    pub(super) fn report_returns(&mut self, rules: &Rules) {
        for ReturningStep { word, track, span } in returning_steps(rules) {
            self.report_return(word, track, span, &rules.board);
        }
    }

    /// Reports that a word which takes one next site is given such a path.
    pub(super) fn report_return(&mut self, word: &str, track: u8, span: Span, board: &Board) {
        let Some(path) = self.declared.paths.iter().find(|path| path.has_track(track)) else {
            return;
        };
        let Named { name, span: declared } = path.name.clone();
        let passed = passed_twice(board, track).map_or("", |site| board.label(site));
        let found = self.excerpt(span);
        let can_be = match found.contains(name.as_str()) {
            true => format!("`{name}`"),
            false => format!("`{found}` can be `{name}`, which"),
        };
        let message =
            format!("`{word}` needs one next site, and {can_be} has more than one at {passed}");
        let finding = Finding::new(Code::PathReturns, span, message)
            .with_other(declared, "it is declared here");
        self.report_live(finding.with_help(
            "`beside`, `walk`, `slide` and `group` follow each passage; for one step, declare a path of the part that is meant",
        ));
    }
}

/// Returns the first site that a track passes again.
fn passed_twice(board: &Board, track: u8) -> Option<Site> {
    let runs = &board.tracks().get(usize::from(track))?.runs;
    let mut passed = Vec::new();
    runs.iter().flat_map(|run| &run.sites).copied().find(|site| {
        let again = passed.contains(site);
        passed.push(*site);
        again
    })
}
