//! Checks `last-move`. Each question that the rules ask has memories of its own, so that positions
//! differ by what the rules ask alone.

use super::Checker;
use super::additions::Addition;
use super::parts::Part;
use super::sugar::forms;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::collections::BTreeSet;

/// A question about the last ply.
#[derive(PartialEq, Eq)]
pub(super) struct LastMoveEntry {
    moves: BTreeSet<MoveId>,
    by_player: bool,
    span: Span,
}

impl Checker<'_> {
    /// Notes the questions of the rules, in the order of the text.
    pub(super) fn note_last_moves(&mut self, parts: &[Part], additions: &[Addition]) {
        let mut asked = forms(parts, additions, Ludeme::LastMove);
        asked.sort_by_key(|node| node.span);
        for node in asked {
            let question = self.question(node);
            if self.last_move_index(&question).is_none() {
                self.declared.last_moves.push(question);
            }
        }
    }

    /// Reads a question; faults in it are reported when it is checked.
    fn question(&self, node: &Node) -> LastMoveEntry {
        let verb = |node: &Node| self.declared.verbs.get(node.as_word()?).copied();
        LastMoveEntry {
            moves: node.args().iter().filter_map(verb).collect(),
            by_player: node.args().first().is_some_and(|first| verb(first).is_none()),
            span: node.span,
        }
    }

    fn last_move_index(&self, question: &LastMoveEntry) -> Option<usize> {
        self.declared.last_moves.iter().position(|known| {
            (&known.moves, known.by_player) == (&question.moves, question.by_player)
        })
    }

    /// Checks `(last-move player? move…)`.
    pub(super) fn last_move(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let (player, _) = self.player_and_moves(node, args, Ludeme::LastMove.row())?;
        let Some(index) = self.last_move_index(&self.question(node)) else {
            let message = "the rules do not ask this, so that it is not remembered";
            let finding = Finding::new(Code::Misplaced, node.span, message);
            return self.refuse(finding.with_help(match self.declared.last_moves.first() {
                Some(known) => format!("they ask `{}`", self.excerpt(known.span)),
                None => String::from("add `(last-move …)` to the rules"),
            }));
        };
        let memory = self.last_moves().swap_remove(index).last;
        Some(Typed::Condition(at(Condition::Memory { memory, player }, node.span)))
    }

    /// Returns the questions with their memories.
    pub(super) fn last_moves(&self) -> Vec<LastMove> {
        let first = self.declared.memories.len() + self.sets_of_piles();
        let memory = |index: usize| MemoryId((first + index) as u16);
        let asked = self.declared.last_moves.iter().enumerate();
        asked
            .map(|(index, entry)| LastMove {
                span: entry.span,
                moves: entry.moves.iter().copied().collect(),
                by_player: entry.by_player,
                last: memory(2 * index),
                made: memory(2 * index + 1),
            })
            .collect()
    }

    /// Returns the memories of a question, as the rules list them.
    pub(super) fn memories_of_question(&self, question: &LastMove) -> [Memory; 2] {
        let verb = |id: &MoveId| self.declared.moves[id.index()].verb.name.as_str();
        let verbs: Vec<&str> = question.moves.iter().map(verb).collect();
        let at = Span::new(question.span.start, question.span.start);
        let memory = |prefix: &str, per_player: bool| {
            let name = format!("{prefix}-{}", verbs.join("/"));
            Memory { per_player, ..Memory::new(name, at, MemoryType::Condition) }
        };
        // Positions spell both by name, where the last ply of all and of each player is asked for.
        let is_of_all =
            |other: &LastMoveEntry| !other.by_player && other.moves.iter().eq(&question.moves);
        let last = match question.by_player && self.declared.last_moves.iter().any(is_of_all) {
            true => "own-last-move",
            false => "last-move",
        };
        [memory(last, question.by_player), memory("this-move", false)]
    }
}
