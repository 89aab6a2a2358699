//! Moves that ask by `can` for moves: none may ask for its own legality.

use crate::language::depth_first::Search;
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;
use crate::language::visit::{Composite, Expression};
use crate::syntax::Span;

/// The maximal number of moves on a path on which each asks for the next.
const MAX_DEPTH: usize = 8;

/// What a move or a definition uses. Moves are numbered first, definitions after them.
struct Link {
    to: usize,
    /// The `can`, if it is a move that is asked for.
    asks: Option<Span>,
}

/// Reports moves that ask for their own legality, and paths of moves that are too long.
pub(super) fn asking_moves(rules: &Rules, findings: &mut Vec<Finding>) {
    let moves = rules.moves.len();
    let links = links(rules);
    let ends: Vec<Vec<usize>> =
        links.iter().map(|links| links.iter().map(|link| link.to).collect()).collect();
    let Search { order, cycles } = Search::from(0..moves, links.len(), |node| &ends[node]);
    for cycle in cycles {
        // Definitions are not recursive, so that there is a move among these.
        let asks = (0..cycle.len()).rev().find_map(|at| {
            let next = cycle[(at + 1) % cycle.len()];
            links[cycle[at]].iter().filter(|link| link.to == next).find_map(|link| link.asks)
        });
        let asked: Vec<usize> = cycle.iter().copied().filter(|node| *node < moves).collect();
        findings.extend(asking_itself(rules, &asked, asks.unwrap_or_default()));
    }
    // By node: how many moves are asked for on the longest path from there.
    let mut depths = vec![0; links.len()];
    for node in order {
        let below =
            links[node].iter().map(|link| depths[link.to] + usize::from(link.asks.is_some()));
        depths[node] = below.max().unwrap_or(0);
    }
    if let Some(start) = (0..moves).find(|&start| depths[start] > MAX_DEPTH) {
        let rule = &rules.moves[start];
        let message = format!(
            "`{}` asks for a move that asks for another, and so on for more than {MAX_DEPTH} moves",
            rule.verb
        );
        let finding = Finding::new(Code::RulesTooLarge, rule.span, message);
        findings.push(finding.with_help("ask by `can` for fewer moves"));
    }
}

/// Returns the finding on a cycle of moves: each asks for the next by `can`, and the last for the
/// first. `asks` is one of these `can`.
fn asking_itself(rules: &Rules, cycle: &[usize], asks: Span) -> Option<Finding> {
    let verb = |index: &usize| format!("`{}`", rules.moves[*index].verb);
    let (first, others) = cycle.split_first()?;
    let others: Vec<String> = others.iter().chain([first]).map(verb).collect();
    let message = match cycle {
        [own] => format!("{} asks here if it is itself legal", verb(own)),
        _ => format!(
            "{} asks for {}, so it depends on itself",
            verb(first),
            others.join(", which asks for ")
        ),
    };
    let finding = Finding::new(Code::RecursiveCan, asks, message)
        .with_other(rules.moves[*first].span, "this move");
    Some(finding.with_help(
        "ask for the other moves only; or give what both need to a move that no `choose` offers, and ask for that",
    ))
}

/// Lists what moves and definitions use, by node.
fn links(rules: &Rules) -> Vec<Vec<Link>> {
    let moves = rules.moves.iter().map(|rule| {
        let domains = rule.parameters.iter().filter_map(|parameter| parameter.domain.expression());
        links_of(rules, &rule.body, domains.collect())
    });
    let definitions = rules.definitions.iter().map(|definition| {
        let body = &definition.body;
        links_of(rules, body.statements(), body.expression().into_iter().collect())
    });
    moves.chain(definitions).collect()
}

fn links_of<'r>(
    rules: &Rules,
    statements: &'r [Spanned<Statement>],
    mut expressions: Vec<Expression<'r>>,
) -> Vec<Link> {
    let definition = |id: DefinitionId| Link { to: rules.moves.len() + id.index(), asks: None };
    let mut links = Vec::new();
    let mut left: Vec<&Spanned<Statement>> = statements.iter().collect();
    while let Some(statement) = left.pop() {
        if let Statement::Do(id, _) = &statement.node {
            links.push(definition(*id));
        }
        left.extend(statement.node.bodies().into_iter().flatten());
        expressions.extend(statement.node.parts());
    }
    for expression in expressions.into_iter().flat_map(Expression::descendants) {
        if let Expression::Condition(Spanned { node: Condition::Can(_, moves), span }) = expression
        {
            links.extend(moves.iter().map(|id| Link { to: id.index(), asks: Some(*span) }));
        }
        links.extend(expression.definition().map(definition));
    }
    links
}
