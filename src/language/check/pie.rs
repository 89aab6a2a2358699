//! Checks of the pie rule, which [`desugar`](crate::language::desugar) turns into statements.

use super::Checker;
use super::parts::{Part, only_part};
use super::report::Within;
use crate::language::constraints;
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;

impl Checker<'_> {
    /// Notes the part, if the game has it, before anything else is checked.
    pub(super) fn note_pie_rule(&mut self, parts: &[Part]) {
        self.declared.sugar.pie = only_part(parts, Ludeme::PieRule).map(|part| part.node.span);
    }

    /// Checks the part, and the rules that it is part of.
    pub(super) fn check_pie_rule(&mut self, parts: &[Part], rules: &Rules) {
        let Some(part) = only_part(parts, Ludeme::PieRule) else { return };
        self.context.within = Within::Row(part.row);
        if !part.args.is_empty() {
            self.extra(part.row.spelling, 0, part.args);
        }
        let head = part.head();
        let mut findings = Vec::new();
        constraints::pie_rule(rules, head, &mut findings);
        findings.into_iter().for_each(|finding| self.report(finding));
    }
}
