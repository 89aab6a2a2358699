//! Checks `can`, and that no move asks by it for its own legality.

use super::Checker;
use super::search::Search;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::language::visit::{Composite, Expression};
use crate::syntax::{Node, NodeKind, Span};

/// The maximal number of moves on a path on which each asks for the next.
const MAX_DEPTH: usize = 8;

/// What a move or a definition uses. Moves are numbered first, definitions after them.
struct Link {
    to: usize,
    /// The `can`, if it is a move that is asked for.
    asks: Option<Span>,
}

impl Checker<'_> {
    /// Checks `(can player? move…)`.
    pub(super) fn can(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        if let Some(first) = args.first() {
            self.record_expected(first, Kind::Player);
        }
        let (player, moves) = match args.split_first() {
            Some((first, moves)) if self.is_player(first) => (self.value(first), moves),
            _ => (Some(at(PlayerOf::Mover, node.span)), args),
        };
        let moves = self.chosen_moves(node, moves, Ludeme::Can.row());
        Some(Typed::Condition(at(Condition::Can(Box::new(player?), moves?), node.span)))
    }

    /// Tests if the first argument of `can` or `last-move` is meant as a player.
    pub(super) fn is_player(&mut self, node: &Node) -> bool {
        match &node.kind {
            // Unlike verbs, the names of players begin with an upper-case letter.
            NodeKind::Word(word) => match self.kind_of_node(node) {
                _ if self.is_verb(word) => false,
                None => word.starts_with(char::is_uppercase),
                kind => kind == Some(Kind::Player),
            },
            // A verb in brackets is reported with the moves.
            NodeKind::Form(parts) => match &parts[..] {
                [verb] => !verb.as_word().is_some_and(|word| self.is_verb(word)),
                _ => true,
            },
            _ => false,
        }
    }

    fn is_verb(&self, word: &str) -> bool {
        self.declared.verbs.contains_key(word)
    }

    /// Reports moves that ask for their own legality, and paths of moves that are too long.
    pub(super) fn check_abilities(&mut self, rules: &Rules) {
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
            self.report_asking_itself(rules, &asked, asks.unwrap_or_default());
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
            self.report(finding.with_help("ask by `can` for fewer moves"));
        }
    }

    /// Reports moves each of which asks for the next, and the last for the first. `asks` is a `can`
    /// by which one of them does.
    fn report_asking_itself(&mut self, rules: &Rules, cycle: &[usize], asks: Span) {
        let verb = |index: &usize| format!("`{}`", rules.moves[*index].verb);
        let Some((first, others)) = cycle.split_first() else { return };
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
        self.report(finding.with_help(
            "ask for the other moves only; or give what both need to a move that no `choose` offers, and ask for that",
        ));
    }
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
    while let Some(expression) = expressions.pop() {
        if let Expression::Condition(Spanned { node: Condition::Can(_, moves), span }) = expression
        {
            links.extend(moves.iter().map(|id| Link { to: id.index(), asks: Some(*span) }));
        }
        links.extend(expression.definition().map(definition));
        expressions.extend(expression.parts());
    }
    links
}
