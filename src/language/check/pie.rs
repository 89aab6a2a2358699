//! Checks of the pie rule, which [`desugar`](crate::language::desugar) turns into statements.

use super::Checker;
use super::parts::Part;
use super::report::Within;
use crate::language::desugar::{SWAP, first_players};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;

impl Checker<'_> {
    /// Notes the part, if the game has it, before anything else is checked.
    pub(super) fn note_pie_rule(&mut self, parts: &[Part]) {
        let part = parts.iter().find(|part| part.row.ludeme == Ludeme::PieRule);
        self.declared.sugar.pie = part.map(|part| part.node.span);
    }

    /// Checks the part: the game has two players, no move with this verb and a ply that can be
    /// replaced, and it is known who has the first turn.
    pub(super) fn check_pie_rule(&mut self, parts: &[Part], rules: &Rules) {
        let Some(part) = parts.iter().find(|part| part.row.ludeme == Ludeme::PieRule) else {
            return;
        };
        self.context.within = Within::Row(part.row);
        if !part.args.is_empty() {
            self.extra(part.row.spelling, 0, part.args);
        }
        let head = part.head();
        let misplaced = |message: &str| Finding::new(Code::Misplaced, head, message);
        let players = rules.players.len();
        if players != 2 {
            let found = if players == 1 { "one".to_owned() } else { players.to_string() };
            let message = format!("the pie rule needs two players, and this game has {found}");
            self.report(misplaced(&message).with_help(
                "delete it; where more players choose their sides, write a move that changes owners",
            ));
            return;
        }
        if let Some(rule) = rules.moves.iter().find(|rule| rule.verb == SWAP) {
            let message = format!("`{SWAP}` is the move of the pie rule");
            let finding = Finding::new(Code::NameTaken, rule.span, message);
            self.report(
                finding
                    .with_other(head, "the game has it here")
                    .with_help("give this move another name"),
            );
        }
        let chooses = |list: &[Spanned<Statement>]| {
            list.iter().any(|statement| {
                rules.holds(&statement.node, &|inner| matches!(inner, Statement::Choose { .. }))
            })
        };
        if !rules.play.is_empty() && !chooses(&rules.play) {
            self.report(
                misplaced("this game has no `choose`, in which the second player could swap")
                    .with_help("a ply of `steps` cannot be replaced; begin the turn with `choose`"),
            );
        } else if first_players(rules).len() > 1 {
            self.report(
                misplaced("the pie rule needs a first turn whose player is known before play")
                    .with_help("begin the order of play with `turns`, or with `turn` and the name of a player"),
            );
        }
    }
}
