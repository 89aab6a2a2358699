//! Constraints between the parts of a game, which no clause shows by itself: which moves ask for
//! which, what may stand beside a pie rule or a rule of repetition, where paths return.
//!
//! The stage follows the checker and only sees typed rules. It returns findings, errors among them.

mod abilities;
mod returns;

use super::desugar::{SWAP, first_players};
use super::finding::{Code, Finding};
use super::rules::*;
use super::visit::{Composite, Expression};
use crate::syntax::Span;
use std::collections::BTreeSet;

pub(super) use returns::{ReturningStep, returning_steps};

/// Returns the constraints that the rules violate.
pub(super) fn violations(rules: &Rules) -> Vec<Finding> {
    let mut findings = Vec::new();
    abilities::asking_moves(rules, &mut findings);
    drop_outs(rules, &mut findings);
    going_on(rules, &mut findings);
    last_moves(rules, &mut findings);
    illegal_repetition(rules, &mut findings);
    findings
}

/// The pie rule: the game has two players, no move with this verb and a ply that can be replaced,
/// and it is known who has the first turn. `head` is the word of the part.
pub(super) fn pie_rule(rules: &Rules, head: Span, findings: &mut Vec<Finding>) {
    let misplaced = |message: &str| Finding::new(Code::Misplaced, head, message);
    let players = rules.players.len();
    if players != 2 {
        let found = if players == 1 { "one".to_owned() } else { players.to_string() };
        let message = format!("the pie rule needs two players, and this game has {found}");
        findings.push(misplaced(&message).with_help(
            "delete it; where more players choose their sides, write a move that changes owners",
        ));
        return;
    }
    if let Some(rule) = rules.moves.iter().find(|rule| rule.verb == SWAP) {
        let message = format!("`{SWAP}` is the move of the pie rule");
        let finding = Finding::new(Code::NameTaken, rule.span, message);
        findings.push(
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
        findings.push(
            misplaced("this game has no `choose`, in which the second player could swap")
                .with_help("a ply of `steps` cannot be replaced; begin the turn with `choose`"),
        );
    } else if first_players(rules).len() > 1 {
        findings.push(
            misplaced("the pie rule needs a first turn whose player is known before play")
                .with_help(
                    "begin the order of play with `turns`, or with `turn` and the name of a player",
                ),
        );
    }
}

/// Checks that no move with which a piece goes on is made in `steps`, whose plies are counted.
fn going_on(rules: &Rules, findings: &mut Vec<Finding>) {
    let going: Vec<MoveId> =
        rules.statements().flat_map(|statement| statement.node.go_on()).copied().collect();
    let faults: Vec<(Span, MoveId)> = rules
        .statements()
        .filter_map(|statement| match &statement.node {
            Statement::Steps { moves, .. } => {
                let id = moves.iter().find(|id| going.contains(id))?;
                Some((statement.span, *id))
            }
            _ => None,
        })
        .collect();
    for (span, id) in faults {
        let verb = &rules.moves[id.index()].verb;
        let message =
            format!("`{verb}` is not allowed in `steps`: a piece goes on with it elsewhere");
        let finding = Finding::new(Code::Misplaced, span, message);
        findings.push(finding.with_help(format!(
            "write a second move, with another verb, that does the same as `{verb}`"
        )));
    }
}

/// Checks that no player drops out by repetition: the next ply has been decided on then.
fn drop_outs(rules: &Rules, findings: &mut Vec<Finding>) {
    let Some(repetition) = &rules.repetition else { return };
    let statements = repetition.then.iter();
    for statement in statements.filter(|statement| {
        rules.holds(&statement.node, &|inner| matches!(inner, Statement::DropOut(_)))
    }) {
        let message = "no player can drop out by `repetition` in a game of three players or more";
        let finding = Finding::new(Code::Misplaced, statement.span, message);
        findings.push(finding.with_help(
            "write a result that ends the game, such as `(draw)` or `(win (next mover))`",
        ));
    }
}

/// Warns of questions about moves that no player makes.
fn last_moves(rules: &Rules, findings: &mut Vec<Finding>) {
    let chosen: BTreeSet<MoveId> =
        rules.statements().flat_map(|statement| statement.node.chosen()).collect();
    let never =
        |it: &&LastMove| !it.moves.is_empty() && !it.moves.iter().any(|id| chosen.contains(id));
    for question in rules.last_moves.iter().filter(never) {
        let message = "this condition is always false: no player makes such a move";
        let finding = Finding::new(Code::ConstantCondition, question.span, message);
        findings
            .push(finding.with_help(
                "ask for a move that a `choose` offers; rolls of `chance` do not count",
            ));
    }
}

/// Checks a game in which plies can be illegal by repetition: each has to be decided by itself.
fn illegal_repetition(rules: &Rules, findings: &mut Vec<Finding>) {
    if !rules.forbids_repetition() {
        return;
    }
    let Some(illegal) = illegal_span(rules) else { return };
    let steps =
        rules.statements().find(|statement| matches!(statement.node, Statement::Steps { .. }));
    if let Some(steps) = steps {
        let message = "plies of `steps` cannot be `illegal` by repetition: whether one is legal depends on those after it";
        let finding = Finding::new(Code::Misplaced, illegal, message)
            .with_other(steps.span, "`steps` is here")
            .with_help("write a result that ends the game, such as `(lose mover)`; or write the plies as `(repeat N (choose …))`");
        findings.push(finding);
    }
    if let Some(can) = asked_moves(rules) {
        let message = "`can` does not know which plies are `illegal` by repetition: that is known only where the order of play asks for one";
        let finding = Finding::new(Code::Misplaced, can, message)
            .with_other(illegal, "`illegal` is here")
            .with_help("say what happens without a legal move by `otherwise`: `(choose VERB (otherwise …))`");
        findings.push(finding);
    }
}

/// Returns the first `can` of the rules.
fn asked_moves(rules: &Rules) -> Option<Span> {
    let asked = rules.expressions().filter_map(|expression| match expression {
        Expression::Condition(Spanned { node: Condition::Can(..), span }) => Some(*span),
        _ => None,
    });
    asked.min_by_key(|span| span.start)
}

/// Returns the first `illegal` of the rule of repetition, or the clause that leads to it.
fn illegal_span(rules: &Rules) -> Option<Span> {
    let is_illegal = |statement: &Statement| matches!(statement, Statement::Illegal);
    let mut statements = rules.repetition.as_ref()?.then.iter().collect::<Vec<_>>();
    let mut span = None;
    while let Some(statement) =
        statements.into_iter().find(|statement| rules.holds(&statement.node, &is_illegal))
    {
        span = Some(statement.span);
        statements = statement.node.bodies().into_iter().flatten().collect();
    }
    span
}
