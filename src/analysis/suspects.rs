//! Properties of the rules that are harmless in most games and become findings only together with
//! observations from play.

use crate::compile::layout::Home;
use crate::engine::game::Game;
use crate::language::rules::{
    Domain, MemoryId, MoveId, Number, ParameterRole, Rules, SiteOf, Sites, Spanned, Statement,
};
use crate::language::visit::{Composite, Expression};
use crate::syntax::Span;

/// The suspicious parts of a game.
#[derive(Clone, Debug, Default)]
pub struct Suspects {
    /// Numbers that are raised and never lowered or set.
    pub counters: Vec<Counter>,
    /// Moves that change nothing and do not end the turn.
    pub idle: Vec<MoveId>,
    /// The choices inside a loop within a turn.
    pub looped: Vec<Span>,
    /// Moves that put a piece on two sites chosen from textually equal regions, with the indices of
    /// the two parameters.
    pub twice: Vec<(MoveId, usize, usize)>,
}

/// A number that only grows.
#[derive(Clone, Debug)]
pub struct Counter {
    pub memory: MemoryId,
    /// Its registers, one for each player if it is per player.
    pub registers: Vec<u16>,
    /// Whether the end or a condition in the order of play depends on the number, which then may
    /// end the game.
    pub is_asked: bool,
}

impl Suspects {
    /// Finds the suspicious parts of a game.
    pub fn of(game: &Game) -> Suspects {
        let rules = game.rules();
        let idle = |rule: &MoveId| {
            let is_idle = |statement: &Statement| {
                matches!(statement, Statement::Require(_) | Statement::Let(..))
            };
            rules.moves[rule.index()].body.iter().all(|statement| is_idle(&statement.node))
        };
        let moves = (0..rules.moves.len() as u16).map(MoveId);
        let mut looped = Vec::new();
        choices_in_loops(rules, &rules.play, false, &mut looped);
        Suspects {
            counters: counters(game),
            idle: moves.clone().filter(idle).collect(),
            looped,
            twice: moves.flat_map(|rule| twice(rules, rule)).collect(),
        }
    }
}

/// Collects the choices inside a loop within a turn. Recursion terminates because definitions are
/// acyclic.
fn choices_in_loops(
    rules: &Rules,
    statements: &[Spanned<Statement>],
    in_loop: bool,
    found: &mut Vec<Span>,
) {
    for statement in statements {
        let inside = match &statement.node {
            Statement::Turn(..) | Statement::Turns(_) => false,
            Statement::While(..)
            | Statement::Until(..)
            | Statement::Repeat(..)
            | Statement::Forever(_) => true,
            _ => in_loop,
        };
        if matches!(statement.node, Statement::Choose { .. }) && in_loop {
            found.push(statement.span);
        }
        if let Statement::Do(definition, _) = statement.node {
            let body = rules.definitions[definition.index()].body.statements();
            choices_in_loops(rules, body, in_loop, found);
        }
        statement
            .node
            .bodies()
            .into_iter()
            .for_each(|body| choices_in_loops(rules, body, inside, found));
    }
}

fn counters(game: &Game) -> Vec<Counter> {
    let rules = game.rules();
    let counter = |memory: MemoryId| {
        let declared = &rules.memories[memory.index()];
        let Home::Nums { first } = game.program().layout.home(memory) else { return None };
        let grows = |statement: &Statement| match statement {
            Statement::Raise { memory: of, by, .. } => *of == memory && is_positive(&by.node),
            _ => false,
        };
        let else_changes = |statement: &Statement| match statement {
            Statement::SetNumber { memory: of, .. } | Statement::Lower { memory: of, .. } => {
                *of == memory
            }
            Statement::Raise { memory: of, by, .. } => *of == memory && !is_positive(&by.node),
            _ => false,
        };
        if !rules.any_holds(&grows) || rules.any_holds(&else_changes) {
            return None;
        }
        let players = if declared.per_player { rules.players.len() } else { 1 };
        let copies = (players * declared.values_per_player()) as u16;
        let is_memory = |part: Expression| match part {
            Expression::Number(Spanned { node: Number::Memory { memory: of, .. }, .. }) => {
                *of == memory
            }
            _ => false,
        };
        let asked = rules.end.iter().chain(&rules.play).any(|statement| {
            rules.holds(&statement.node, &|inner| {
                inner.parts().into_iter().any(|whole| rules.mentions(whole, is_memory))
            })
        });
        Some(Counter { memory, registers: (first..first + copies).collect(), is_asked: asked })
    };
    (0..rules.memories.len() as u16).map(MemoryId).filter_map(counter).collect()
}

fn is_positive(number: &Number) -> bool {
    matches!(number, Number::Constant(1..))
}

/// Returns the pairs of parameters that are sites from textually equal regions, with a piece put on
/// both sites.
fn twice(rules: &Rules, id: MoveId) -> Vec<(MoveId, usize, usize)> {
    let rule = &rules.moves[id.index()];
    let source = rules.source();
    let is_put = |index: usize| {
        let variable = rule.parameters[index].variable;
        rule.body.iter().any(|statement| match &statement.node {
            Statement::Put { at, .. } => match &at.node {
                Sites::One(site) => matches!(site.node, SiteOf::Local(local) if local == variable),
                _ => false,
            },
            _ => false,
        })
    };
    let region = |index: usize| match &rule.parameters[index] {
        parameter if !matches!(parameter.role, ParameterRole::At | ParameterRole::To) => None,
        parameter => match &parameter.domain {
            Domain::Sites(sites) => Some(sites.span.text(source)),
            _ => None,
        },
    };
    let mut pairs = Vec::new();
    for second in 1..rule.parameters.len() {
        for first in 0..second {
            if !rule.parameters[second].alike
                && region(first).is_some()
                && region(first) == region(second)
                && is_put(first)
                && is_put(second)
            {
                pairs.push((id, first, second));
            }
        }
    }
    pairs
}
