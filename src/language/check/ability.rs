//! Checks `can`.

use super::Checker;
use super::typed::{Typed, at};
use crate::language::ludemes::{Kind, Ludeme, Row};
use crate::language::rules::*;
use crate::syntax::{Node, NodeKind};

impl Checker<'_> {
    /// Checks `(can player? move…)`.
    pub(super) fn can(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let (player, moves) = self.player_and_moves(node, args, Ludeme::Can.row())?;
        let player = player.unwrap_or_else(|| Box::new(at(PlayerOf::Mover, node.span)));
        Some(Typed::Condition(at(Condition::Can(player, moves), node.span)))
    }

    /// Checks the arguments of `can` or `last-move`.
    pub(super) fn player_and_moves(
        &mut self,
        node: &Node,
        args: &[Node],
        row: &'static Row,
    ) -> Option<(Option<SpannedBox<PlayerOf>>, Vec<MoveId>)> {
        if let Some(first) = args.first() {
            self.record_expected(first, Kind::Player);
        }
        let (player, moves) = match args.split_first() {
            Some((first, moves)) if self.is_player(first) => {
                (self.value(first).map(|player| Some(Box::new(player))), moves)
            }
            _ => (Some(None), args),
        };
        let moves = self.chosen_moves(node, moves, row);
        Some((player?, moves?))
    }

    /// Tests if the first argument of `can` or `last-move` is meant as a player.
    fn is_player(&mut self, node: &Node) -> bool {
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
}
