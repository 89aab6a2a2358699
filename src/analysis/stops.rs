//! Findings about games that stop without a rule for it, or do not end.

use super::describe::Describer;
use super::observations::Hang;
use crate::language::finding::{Code, Edit, Finding, Fix};
use crate::notation::{clip, spell};
use crate::syntax::Span;

impl Describer<'_> {
    /// Reports a decision without a legal move for which no rule states a result.
    pub(super) fn no_move(&self) -> Option<Finding> {
        let (observations, (span, way)) = self
            .views()
            .find_map(|observations| Some((observations, observations.stuck.as_ref()?)))?;
        let record = observations.record(way)?;
        let message = "a player can have no legal move here, and no rule says what happens then; the game is drawn";
        let moves = &self.rules().moves;
        let (branch, title, at, text) = match moves.iter().any(|rule| rule.span == *span) {
            // The game has no order of play, so all its moves are offered.
            true => {
                let verbs: Vec<&str> = moves.iter().map(|rule| rule.verb.as_str()).collect();
                let verbs = verbs.join(" ");
                let order = |verbs| format!("(play (turns (choose {verbs} (otherwise (draw)))))");
                let few = clip(&verbs);
                let branch = format!("an order of play: `{}`", order(&few));
                let last = moves.iter().map(|rule| rule.span.end).max()?;
                (branch, "write this order of play", last, format!("\n  {}", order(&verbs)))
            }
            false => {
                let such = "`(otherwise (draw))` or `(otherwise (lose mover))`";
                let branch = format!("`(otherwise …)`, such as {such}");
                let text = " (otherwise (draw))".to_owned();
                (branch, "say that it is drawn then", span.end - 1, text)
            }
        };
        let help = format!("say what happens with {branch}; the record leads there");
        let edits = vec![Edit { span: Span::new(at, at), text }];
        Some(
            Finding::new(Code::NoMove, *span, message)
                .with_label("no move is legal here")
                .with_help(help)
                .with_record(&record)
                .with_fix(Fix { title: title.to_owned(), edits }),
        )
    }

    /// Reports a game that never reaches its next ply.
    pub(super) fn no_next_ply(&self) -> Option<Finding> {
        let (observations, hang) = self
            .views()
            .find_map(|observations| Some((observations, observations.hang.as_ref()?)))?;
        let Hang { fault, plies } = hang;
        let advice = fault.advice(self.rules().source());
        // A record cannot contain the ply after which the rules do not terminate.
        let game = &observations.instrumented.game;
        let way = plies.split_last().and_then(|(&last, before)| {
            Some((spell(game.rules(), &game.spell_out(last)), observations.record(before)?))
        });
        let help = match &way {
            Some((last, _)) => {
                format!("{advice}; it happens after `{last}` at the end of the record")
            }
            None => advice.to_owned(),
        };
        let message = match self.scope(observations) {
            scope if scope.is_empty() => format!("in some positions {}", fault.message),
            scope => format!("in some positions{scope} {}", fault.message),
        };
        let finding = Finding::new(Code::NoNextPly, fault.span, message)
            .with_label("it runs out of time here")
            .with_help(help);
        Some(match way {
            Some((_, record)) => finding.with_record(&record),
            None => finding,
        })
    }

    pub(super) fn endless(&self) -> Option<Finding> {
        if self.rules().repetition.is_some() {
            return None;
        }
        let (observations, cycle) = self
            .views()
            .find_map(|observations| Some((observations, observations.cycle.as_ref()?)))?;
        let span = observations.instrumented.game.program().decisions.get(cycle.decision)?.span;
        let record = observations.record(&cycle.plies())?;
        let message = "this game can go on for ever: positions can repeat, and no rule ends it";
        let last = match cycle.around.len() {
            1 => String::from("the last ply leads"),
            length => format!("the last {length} plies lead"),
        };
        let help = format!(
            "add `(repetition 3 (draw))`, or end the game after a number of plies; in the record, {last} back to an earlier position"
        );
        Some(
            Finding::new(Code::Endless, span, message)
                .with_label("the position repeats here")
                .with_help(help)
                .with_record(&record),
        )
    }
}
