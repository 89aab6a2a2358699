//! Questions about the last ply: `last-move`.
//!
//! One memory answers the question, and is set when a ply has been made, so that a move is not
//! asked about itself. Until then another one notes that the ply is by a move that is asked for:
//!
//! ```text
//! (move VERB … (set Made true) …)
//! (end (set Last Made) (set Made false) …)
//! ```

use super::{Builder, before_effects};
use crate::language::rules::*;
use std::collections::BTreeSet;

/// Adds what is needed to answer the questions.
pub(super) fn rewrite(rules: &mut Rules) {
    if rules.last_moves.is_empty() {
        return;
    }
    let rolls = rolls(rules);
    for question in rules.last_moves.clone().iter().rev() {
        let new = Builder::before(question.span);
        let mover = question.by_player.then(|| new.at(PlayerOf::Mover));
        let copy = |from, of, memory, player| {
            let to = new.holds(from, of);
            new.at(Statement::SetCondition { memory, player, to })
        };
        let LastMove { last, made, .. } = *question;
        for (index, rule) in rules.moves.iter_mut().enumerate() {
            let id = MoveId(index as u16);
            let note = if rolls.contains(&id) {
                copy(last, mover.clone(), made, None)
            } else if question.moves.contains(&id) {
                new.set(made, None, true)
            } else {
                continue;
            };
            rule.body.insert(before_effects(&rule.body), note);
        }
        let after = [copy(made, None, last, mover), new.set(made, None, false)];
        rules.end.splice(0..0, after);
    }
}

/// Returns the moves that are made by chance alone.
fn rolls(rules: &Rules) -> BTreeSet<MoveId> {
    let (mut rolls, mut chosen) = (BTreeSet::new(), BTreeSet::new());
    for statement in rules.statements() {
        match &statement.node {
            Statement::Chance(id) => drop(rolls.insert(*id)),
            statement => chosen.extend(statement.chosen()),
        }
    }
    rolls.difference(&chosen).copied().collect()
}
