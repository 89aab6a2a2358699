//! Kinds of pieces in a region or a domain: listed, all, or those that have an owner.

use super::super::Checker;
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

impl Checker<'_> {
    /// Returns the kinds of piece without duplicates. They must be constant.
    pub(in crate::language::check) fn distinct_kinds(
        &mut self,
        kinds: Vec<Spanned<PieceOf>>,
    ) -> Option<Vec<PieceId>> {
        let mut known: Vec<PieceId> = Vec::with_capacity(kinds.len());
        for kind in &kinds {
            let PieceOf::Fixed(id) = kind.node else {
                return self.not_constant(kind.span, "a kind of piece", "write the kinds by name");
            };
            if !known.contains(&id) {
                known.push(id);
            }
        }
        Some(known)
    }

    /// Returns the listed kinds, or all kinds of the game if none is listed.
    pub(in crate::language::check) fn listed_or_all_kinds(
        &mut self,
        listed: Vec<PieceId>,
        span: Span,
    ) -> Option<Vec<PieceId>> {
        if !listed.is_empty() {
            return Some(listed);
        }
        let all: Vec<PieceId> = (0..self.declared.pieces.len() as u16).map(PieceId).collect();
        if all.is_empty() {
            let message = "expected kinds of piece, found none: the game declares no piece";
            let finding = Finding::new(Code::MissingPart, span, message);
            return self.refuse(finding.with_help("add a piece, such as `(piece Stone)`"));
        }
        Some(all)
    }

    /// Returns the kinds of piece; those that are constant must have owners.
    pub(super) fn owned_kinds(
        &mut self,
        kinds: Vec<Spanned<PieceOf>>,
        node: &Node,
    ) -> Option<Vec<Spanned<PieceOf>>> {
        let mut sound = true;
        for kind in &kinds {
            sound &= self.is_owned(kind, node);
        }
        sound.then_some(kinds)
    }

    /// Checks that a piece with a named owner is of an owned kind.
    pub(super) fn owned_by(
        &mut self,
        piece: Spanned<PieceOf>,
        owner: &Option<Spanned<PlayerOf>>,
        node: &Node,
    ) -> Option<Spanned<PieceOf>> {
        (owner.is_none() || self.is_owned(&piece, node)).then_some(piece)
    }

    pub(super) fn is_owned(&mut self, piece: &Spanned<PieceOf>, node: &Node) -> bool {
        // A kind that is not constant is unknown; an unowned one ignores the owner.
        let PieceOf::Fixed(id) = piece.node else { return true };
        let entry = &self.declared.pieces[id.index()];
        if entry.owned {
            return true;
        }
        let head = node.head().map_or("", |(head, _)| head);
        let name = &entry.name.name;
        let message =
            format!("expected an owned piece in `{head}`, found `{name}`, which is unowned");
        let finding = Finding::new(Code::WrongType, piece.span, message)
            .with_other(entry.name.span, "declared here");
        let finding = match (head, node.as_form()) {
            ("mine" | "theirs" | "of", Some([.., last])) if last.span == piece.span => {
                let form = format!("(pieces {name})");
                finding.with_right(node.span, form)
            }
            _ => finding
                .with_help(format!("leave the player out, or declare the piece with `(piece {name})`, so that each player has his own")),
        };
        self.report(finding);
        false
    }
}
