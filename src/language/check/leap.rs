//! Checks `leap` and `offsets`, which [`Leaps`] rewrites to steps.

use super::Checker;
use super::typed::{Typed, at};
use crate::language::builder::Builder;
use crate::language::finding::{Code, Finding};
use crate::language::leaps::{LONGEST, Leaps};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

impl Checker<'_> {
    /// Builds the sites that a leaper reaches.
    pub(super) fn leaps(
        &mut self,
        from: Spanned<SiteOf>,
        along: Spanned<Number>,
        across: Spanned<Number>,
        span: Span,
    ) -> Option<Typed> {
        let (along, across) =
            (self.constant_within(&along, 0, LONGEST), self.constant_within(&across, 0, LONGEST));
        let (along, across) = (along? as usize, across? as usize);
        let board = self.require_board(span)?;
        let leaps = Leaps { board: &board, from: &from, new: Builder { span } };
        Some(Typed::Sites(at(leaps.all(along, across), span)))
    }

    /// Checks `(offsets site player? (x y)…)`.
    pub(super) fn offsets(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let ([from], rest) = self.leading(Ludeme::Offsets.row(), node, args)?;
        let from = self.value::<Spanned<SiteOf>>(from);
        let (player, listed) = match rest.split_first() {
            Some((first, listed)) if self.kind_of_node(first) == Some(Kind::Player) => {
                (self.value(first)?, listed)
            }
            _ => (at(PlayerOf::Mover, node.span), rest),
        };
        if listed.is_empty() {
            let message = "expected an offset such as `(1 2)` in `offsets`, found nothing";
            let span = node.head_span();
            return self.refuse_missing(Finding::new(Code::MissingArgument, span, message));
        }
        let offsets: Vec<Option<(i64, i64)>> =
            listed.iter().map(|offset| self.offset(offset)).collect();
        let offsets: Vec<(i64, i64)> = offsets.into_iter().collect::<Option<_>>()?;
        let from = from?;
        let board = self.require_board(node.span)?;
        if board.has_lines() || board.compass().len() != 8 {
            let message = "`offsets` counts columns and rows of squares, and this board has none";
            let help = "write each way as steps, such as `(step s NE 2)`";
            return self.refuse(Finding::new(Code::Misplaced, node.span, message).with_help(help));
        }
        let players = match player.node {
            PlayerOf::Fixed(player) => vec![player],
            _ => self.each_player(|_, player| Some(player))?,
        };
        let looks = players.iter().map(|&player| {
            let forward = self.forward_of(player, node.span)?;
            match board.offset(forward)? {
                (0, _) | (_, 0) => board.offset(forward),
                _ => self.looks_aslant(player, node.span),
            }
        });
        let looks: Vec<(isize, isize)> = looks.collect::<Option<_>>()?;
        let leaps = Leaps { board: &board, from: &from, new: Builder { span: node.span } };
        let ends = leaps.at_offsets(&offsets, &player, &looks);
        Some(Typed::Sites(at(ends, node.span)))
    }

    /// Checks an offset: how many columns to the right and how many rows forward.
    fn offset(&mut self, node: &Node) -> Option<(i64, i64)> {
        let Some([columns, rows]) = node.as_form() else {
            let wanted = "an offset, columns to the right and rows forward";
            let finding = self.mismatch(Code::WrongType, node, wanted);
            return self
                .refuse(finding.with_help("write two numbers in brackets, such as `(-1 2)`"));
        };
        let columns = self.constant_node(columns, -LONGEST, LONGEST);
        let rows = self.constant_node(rows, -LONGEST, LONGEST);
        Some((columns?, rows?))
    }

    /// Reports that a player looks aslant, so that columns and rows are none for him.
    fn looks_aslant<T>(&mut self, player: PlayerId, span: Span) -> Option<T> {
        let name = self.declared.players.get(player.index())?.name.clone();
        let message = format!("`offsets` counts columns and rows, and {name} plays aslant to them");
        let help = "write each way as steps, such as `(step s forward 2)`";
        let finding = Finding::new(Code::Misplaced, span, message).with_help(help);
        self.report_again(format!("the slant of {name}"), finding);
        None
    }
}
