//! Instruments rules so that a finished position tells which clause ended the game: before every
//! end, a hidden memory is set to the number of the clause.

use crate::compile::layout::Home;
use crate::engine::game::Game;
use crate::language::rules::{
    Memory, MemoryId, MemoryType, Number, Rules, Spanned, Statement, Value,
};
use crate::language::visit::Composite;
use crate::syntax::Span;

/// The cause of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// A clause of the rules.
    Clause(Span),
    /// A choice without a legal move, at this place, for which no rule states a result.
    Stuck(Span),
}

/// A game whose finished positions record how they ended.
pub struct Instrumented {
    pub game: Game,
    /// All ends of the rules, except those in `repetition`, which is not instrumented.
    pub ends: Vec<End>,
    register: u16,
}

impl Instrumented {
    /// Instruments and compiles rules; `None` if they exceed the size limits.
    pub fn new(mut rules: Rules) -> Option<Instrumented> {
        let memory = MemoryId(rules.memories.len() as u16);
        rules.memories.push(Memory::new(
            String::new(),
            Span::default(),
            MemoryType::Number { most: i32::MAX },
        ));
        let mut marks = Instrumenter { memory, ends: Vec::new() };
        let definitions =
            rules.definitions.iter_mut().filter_map(|definition| match &mut definition.body {
                Value::Statements(body) => Some(body),
                _ => None,
            });
        let moves = rules.moves.iter_mut().map(|rule| &mut rule.body);
        let all =
            definitions.chain(moves).chain([&mut rules.setup, &mut rules.play, &mut rules.end]);
        all.for_each(|list| marks.put(list));
        let ends = marks.ends;
        let game = Game::compile(rules).ok()?;
        let Home::Nums { first } = game.program().layout.home(memory) else { return None };
        Some(Instrumented { game, ends, register: first })
    }

    /// Returns the register of the mark: 0, or the number of an end in [`Instrumented::ends`] from
    /// 1.
    pub fn register(&self) -> u16 {
        self.register
    }
}

struct Instrumenter {
    memory: MemoryId,
    ends: Vec<End>,
}

impl Instrumenter {
    /// Inserts a mark before every end in a list of statements, recursively.
    fn put(&mut self, list: &mut Vec<Spanned<Statement>>) {
        for mut statement in std::mem::take(list) {
            match &mut statement.node {
                // Statements that the checker adds are no clauses of the rules.
                Statement::Win(_) | Statement::Draw if statement.span.is_empty() => {}
                Statement::Win(_)
                | Statement::Lose(_)
                | Statement::Draw
                | Statement::ByScore(..) => {
                    list.push(self.mark(End::Clause(statement.span)));
                }
                Statement::Choose { otherwise: otherwise @ None, .. } => {
                    let draw = Spanned { node: Statement::Draw, span: statement.span };
                    *otherwise = Some(vec![self.mark(End::Stuck(statement.span)), draw]);
                }
                other => other.bodies_mut().into_iter().for_each(|body| self.put(body)),
            }
            list.push(statement);
        }
    }

    fn mark(&mut self, end: End) -> Spanned<Statement> {
        self.ends.push(end);
        let (End::Clause(span) | End::Stuck(span)) = end;
        // Constants are in halves.
        let to = Spanned { node: Number::Constant(2 * self.ends.len() as i64), span };
        Spanned {
            node: Statement::SetNumber {
                memory: self.memory,
                player: None,
                site: None,
                key: None,
                to,
            },
            span,
        }
    }
}
