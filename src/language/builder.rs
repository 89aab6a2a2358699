//! Builds nodes of the typed rules that the text does not contain.
//!
//! Reports and rule sheets leave out clauses with empty spans.

use super::rules::*;
use crate::syntax::Span;

/// Builds nodes at a span.
#[derive(Clone, Copy)]
pub(super) struct Builder {
    pub span: Span,
}

impl Builder {
    /// Builds at the empty span before a clause.
    pub fn before(span: Span) -> Builder {
        Builder { span: Span::new(span.start, span.start) }
    }

    pub fn at<T>(self, node: T) -> Spanned<T> {
        Spanned { node, span: self.span }
    }

    /// Adds a memory of a condition.
    pub fn memory(self, rules: &mut Rules, name: &str, per_player: bool, initial: i32) -> MemoryId {
        let id = MemoryId(rules.memories.len() as u16);
        let memory = Memory::new(name.to_owned(), self.span, MemoryType::Condition);
        rules.memories.push(Memory { per_player, initial, ..memory });
        id
    }

    pub fn holds(self, memory: MemoryId, player: Option<Spanned<PlayerOf>>) -> Spanned<Condition> {
        self.at(Condition::Memory { memory, player: player.map(Box::new) })
    }

    pub fn not(self, condition: Spanned<Condition>) -> Spanned<Condition> {
        self.at(Condition::Not(Box::new(condition)))
    }

    pub fn and(self, conditions: Vec<Spanned<Condition>>) -> Spanned<Condition> {
        self.at(Condition::And(conditions))
    }

    pub fn set(
        self,
        memory: MemoryId,
        player: Option<Spanned<PlayerOf>>,
        to: bool,
    ) -> Spanned<Statement> {
        let to = self.at(Condition::Constant(to));
        self.at(Statement::SetCondition { memory, player, to })
    }

    pub fn when(
        self,
        condition: Spanned<Condition>,
        then: Vec<Spanned<Statement>>,
        otherwise: Vec<Spanned<Statement>>,
    ) -> Spanned<Statement> {
        self.at(Statement::If { condition, then, otherwise })
    }
}
