//! Layers: `(layers (square 3) (square 2))`, and the regions that lead from layer to layer.
//!
//! What a site rests on lies one step away in directions that no word names ([`Board::below`]), so
//! that `(below s)` is what `beside` finds in them.

use super::Checker;
use super::typed::{BoardShape, Typed, at};
use crate::board::{Board, Shape};
use crate::language::finding::{Code, Finding};
use crate::language::rules::*;
use crate::syntax::Span;

impl Checker<'_> {
    /// Builds a board of layers. The last layers may have no site, so that an option can say how
    /// many there are.
    pub(super) fn layers(
        &mut self,
        shapes: impl ExactSizeIterator<Item = Box<Spanned<BoardShape>>>,
        span: Span,
    ) -> Option<Typed> {
        let mut layers: Vec<Spanned<(usize, usize)>> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let BoardShape::Grid(Shape::Rectangle { columns, rows }) = shape.node else {
                let finding = self.mismatch(Code::WrongType, shape.span, "a layer of squares");
                return self
                    .refuse(finding.with_help("a layer is `(square …)` or `(rectangle …)`"));
            };
            layers.push(at((columns, rows), shape.span));
        }
        while layers.len() > 1 && layers.last().is_some_and(|layer| is_empty(layer.node)) {
            layers.pop();
        }
        for pair in layers.windows(2) {
            let (below, above) = (pair[0].node, pair[1].node);
            if Board::can_rest(above, below) && !is_empty(above) {
                continue;
            }
            let size = |(columns, rows): (usize, usize)| format!("{columns} by {rows}");
            let smaller = (below.0.saturating_sub(1), below.1.saturating_sub(1));
            let or = match is_empty(smaller) {
                true => String::new(),
                false => format!(" or {}", size(smaller)),
            };
            let message = format!(
                "expected a layer of {0}{or} sites on one of {0}, found one of {1}",
                size(below),
                size(above)
            );
            let help =
                "a layer is as large as the one below it, or has one column and one row less";
            let finding = Finding::new(Code::OutOfRange, pair[1].span, message);
            return self
                .refuse(finding.with_other(pair[0].span, "the layer below").with_help(help));
        }
        if let Some(layer) = layers.get(Board::MAX_LAYERS) {
            let message =
                format!("expected at most {} layers, found {}", Board::MAX_LAYERS, layers.len());
            return self.refuse(Finding::new(Code::OutOfRange, layer.span, message));
        }
        let sizes = layers.into_iter().map(|layer| layer.node).collect();
        Some(Typed::Shape(Box::new(at(BoardShape::Layers(sizes), span))))
    }

    /// Builds the sites that a region rests on, or those that rest on it.
    pub(super) fn in_next_layer(
        &mut self,
        of: Spanned<Sites>,
        is_above: bool,
        span: Span,
    ) -> Option<Typed> {
        let board = self.require_board(span)?;
        if !board.has_layers() {
            let message = "this board has one layer";
            let help =
                "let it have several, the lowest first: `(board (layers (square 4) (square 3)))`";
            return self.refuse(Finding::new(Code::Misplaced, span, message).with_help(help));
        }
        let ways = if is_above { board.above() } else { board.below() };
        let ways = Box::new(at(Directions::Fixed(ways), span));
        Some(Typed::Sites(at(Sites::Beside(Box::new(of), ways), span)))
    }
}

fn is_empty((columns, rows): (usize, usize)) -> bool {
    columns == 0 || rows == 0
}
