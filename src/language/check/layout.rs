//! Checks `(board …)` and builds the board, before any expression that refers to sites.

use super::known::BEFORE_PLAY;
use super::report::Within;
use super::typed::{BoardDetail, BoardShape, Layout, Typed, at};
use super::{Checker, Stage};
use crate::board::{Board, BoardError, Direction, Drawing, Labels, SameWay, Shape, Site, Wraps};
use crate::language::board_expressions::{Evaluator, SiteSet, Variables};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// Limit on the work for the sites that a board is without.
const MAX_HOLE_WORK: u32 = 1 << 22;

const LINE: &str = "write a line as the sites that it joins, such as `(a1 d1 g1)`";

const EMPTY_BOARD: &str = "expected a board of at least one site, found none";

impl Checker<'_> {
    /// Builds the board of a `(board …)`.
    pub(super) fn declare_board(&mut self, node: &Node, args: &[Node]) {
        let row = Ludeme::Board.row();
        self.declared.board_span = Some(node.span);
        self.inside(Within::Row(row), |checker| {
            if let Some(layout) = checker.layout(node, args) {
                checker.build_board(layout);
            }
        });
    }

    /// Checks the shape and the details. `without` and `joined` forms are returned: they refer to
    /// the built board.
    fn layout(&mut self, node: &Node, args: &[Node]) -> Option<(Layout, Vec<Node>)> {
        let is_part = |kind: Kind| matches!(kind, Kind::Shape | Kind::BoardDetail);
        let corrected = self.bracketed(args, &is_part);
        let args = corrected.as_deref().unwrap_or(args);
        let ([shape], details) = self.leading(Ludeme::Board.row(), node, args)?;
        if shape.as_number().is_some() {
            let count = args.iter().take_while(|arg| arg.as_number().is_some()).count();
            let span = shape.span.join(args[count - 1].span);
            let numbers = span.text(self.source);
            let head = if count == 1 { "square" } else { "rectangle" };
            let message = format!("expected the shape of a board, found `{numbers}`");
            let finding = Finding::new(Code::WrongType, span, message);
            return self.refuse(finding.with_right(span, format!("({head} {numbers})")));
        }
        let shape = self.value::<Box<_>>(shape);
        let mut labels = Labels::default();
        let mut wraps = Wraps::default();
        let mut wrap = None;
        let mut borders = None;
        let mut diagonals = None;
        let mut leaps = None;
        let mut sound = true;
        let mut later: Vec<Node> = Vec::new();
        let mut seen: Vec<(Discriminant<BoardDetail>, Span)> = Vec::new();
        for detail in details {
            let rows = [Ludeme::Without.row(), Ludeme::Joined.row()];
            if rows.iter().any(|row| detail.begins_with(row.spelling)) {
                later.push(detail.clone());
                continue;
            }
            let Some(it) = self.value::<Box<Spanned<BoardDetail>>>(detail) else {
                sound = false;
                // Clauses about piles are no further mistakes, however high these are.
                if detail.begins_with(Ludeme::Piled.row().spelling) {
                    let least = at(Number::Constant(4), detail.span);
                    self.declared.piled = Some((least, Vec::new(), detail.span));
                }
                continue;
            };
            let sort = discriminant(&it.node);
            if let Some(&(_, before)) = seen.iter().find(|&&(known, _)| known == sort) {
                let message = format!("`{}` appears twice", detail.head_span().text(self.source));
                let finding = Finding::new(Code::RepeatedPart, it.span, message);
                self.report(finding.with_other(before, "the first one is here"));
            }
            seen.push((sort, it.span));
            match it.node {
                BoardDetail::ColumnsFrom(letter) => labels.first_column = letter,
                BoardDetail::RowsFromTop(top) => labels.rows_from_top = top,
                BoardDetail::Wrap(edges) => (wraps, wrap) = (edges, Some(it.span)),
                BoardDetail::Borders(sorts) => borders = Some(at(sorts, it.span)),
                BoardDetail::Diagonals => diagonals = Some(it.span),
                BoardDetail::Leaps => leaps = Some(it.span),
                BoardDetail::Piled(most, covered) => {
                    self.declared.piled = Some((most, covered, it.span));
                }
                BoardDetail::Without(_) | BoardDetail::Joined(..) => {}
            }
        }
        // If a detail failed, the labels of the sites are unknown.
        let shape = shape.filter(|_| sound)?;
        Some((Layout { shape: *shape, labels, wraps, wrap, borders, diagonals, leaps }, later))
    }

    fn build_board(&mut self, (layout, later): (Layout, Vec<Node>)) {
        let Layout { shape, labels, wraps, wrap, borders, diagonals, leaps } = layout;
        let has_borders = borders.is_some();
        let built = match (&shape.node, wrap) {
            (&BoardShape::Grid(Shape::Rectangle { columns, rows }), None) if borders.is_some() => {
                let sorts = borders.map_or(Vec::new(), |borders| borders.node);
                Board::bordered(columns, rows, labels, &sorts)
            }
            _ if let Some(borders) = &borders => return self.report_borders(borders.span, wrap),
            (BoardShape::Drawn(_) | BoardShape::Lines(_), _) if let Some(span) = diagonals => {
                let message = "a board of points and lines has the directions of its lines";
                return self.report(Finding::new(Code::Misplaced, span, message));
            }
            (&BoardShape::Grid(shape), _) => {
                let board = Board::wrapped(shape, labels, wraps);
                match diagonals {
                    Some(_) => board.and_then(Board::with_diagonals),
                    None => board,
                }
            }
            (BoardShape::Drawn(drawing), None) => Board::drawn(drawing, labels),
            (BoardShape::Lines(lines), None) => match self.joining(lines, labels) {
                Some(drawing) => Board::drawn(&drawing, labels),
                None => return,
            },
            (BoardShape::Layers(sizes), None) => Board::layered(sizes, labels),
            (_, Some(_)) => Err(BoardError::ShapeWraps),
        };
        let built = match (built, leaps) {
            (Ok(board), Some(span)) if !board.can_leap() => return self.report_leaps(&board, span),
            (Ok(board), Some(_)) => board.with_leaps(),
            (built, _) => built,
        };
        let board = match built {
            Ok(board) => Arc::new(board),
            Err(error) => {
                let wrap = wrap.unwrap_or(shape.span);
                return self.report(bad_board(&error, &shape, wrap, has_borders));
            }
        };
        self.declared.board = Some(board.clone());
        self.stage = Stage::Remembering;
        self.check_sides(&board);
        self.change_board(&board, shape.span, &later);
    }

    /// Applies `without` and `joined` forms to a board that is built without them.
    fn change_board(&mut self, board: &Board, shape: Span, changes: &[Node]) {
        let mut lacking: BTreeSet<Site> = BTreeSet::new();
        let mut joined: Vec<(Vec<Direction>, Option<SiteSet>)> = Vec::new();
        for node in changes {
            let Some(detail) = self.value::<Box<Spanned<BoardDetail>>>(node) else { continue };
            match detail.node {
                BoardDetail::Without(sites) => {
                    lacking.extend(self.fixed_sites(&sites, board).iter().flat_map(SiteSet::iter));
                }
                BoardDetail::Joined(directions, sites) => {
                    let ways = self.fixed_directions(&directions);
                    let sites = sites.map(|sites| self.fixed_sites(&sites, board));
                    joined.extend(ways.map(|ways| (ways, sites.flatten())));
                }
                _ => {}
            }
        }
        if lacking.is_empty() && joined.is_empty() {
            return;
        }
        let lacking: Vec<Site> = lacking.into_iter().collect();
        let mut changed = board.clone();
        if !joined.is_empty() {
            changed = changed.joined(|from, direction| {
                let to = board.step(from, direction);
                let inside = |sites: &SiteSet| {
                    [Some(from), to].iter().flatten().all(|&site| sites.contains(site))
                };
                joined.iter().any(|(ways, sites)| {
                    ways.contains(&direction) && sites.as_ref().is_none_or(inside)
                })
            });
        }
        let changed = changed.without(&lacking);
        if changed.is_empty() {
            let last = changes.last().map_or(shape, |node| node.span);
            self.report(Finding::new(Code::BoardEmpty, last, EMPTY_BOARD));
        }
        self.declared.board = Some(Arc::new(changed)).filter(|changed| !changed.is_empty());
    }

    fn report_leaps(&mut self, board: &Board, span: Span) {
        let message = "only the cells of `square` and `rectangle` have the leaps of a knight";
        let finding = Finding::new(Code::Misplaced, span, message);
        self.report(match board.has_borders() {
            true => finding.with_help("leave `leaps` or `borders` out"),
            false => finding.with_help("leave `leaps` out"),
        });
    }

    /// Evaluates a region of a detail of the board, which must be known before play.
    fn fixed_sites(&mut self, sites: &Spanned<Sites>, board: &Board) -> Option<SiteSet> {
        let help = "what depends on the board alone is known before play; pieces, memories and definitions are not";
        fixed_sites(&sites.node, board).or_else(|| self.not_constant(sites.span, "sites", help))
    }

    /// Returns directions of a detail of the board, which must be known before play.
    fn fixed_directions(&mut self, directions: &Spanned<Directions>) -> Option<Vec<Direction>> {
        if let Directions::Fixed(ways) = &directions.node {
            return Some(ways.clone());
        }
        let help = "write them by name, such as `orthogonal`, `diagonal` or `(list N E)`";
        self.not_constant(directions.span, "directions", help)
    }

    /// Builds a drawn board's shape.
    pub(super) fn drawing(&mut self, rows: &[Spanned<String>], span: Span) -> Option<Typed> {
        let text: Vec<&str> = rows.iter().map(|row| row.node.as_str()).collect();
        match Drawing::read(&text) {
            Ok(drawing) => Some(Typed::Shape(Box::new(at(BoardShape::Drawn(drawing), span)))),
            Err(error) => {
                let row = rows.get(error.row)?;
                let start = row.node.char_indices().nth(error.place)?.0;
                let wrong = &row.node[start..start + error.found.len_utf8()];
                let at = self.span_in(row, wrong);
                let help =
                    "`o` is a point; `-`, `|`, `/` and `\\` lead straight on to the next point";
                self.refuse(Finding::new(Code::BadDiagram, at, error.to_string()).with_help(help))
            }
        }
    }

    /// Reads the lines of a board that lists them.
    pub(super) fn listed_lines(&mut self, listed: &[Node], span: Span) -> Option<Typed> {
        let mut lines = Vec::with_capacity(listed.len());
        for node in listed {
            let sites: Vec<Spanned<String>> = match node.as_form() {
                Some(words) if words.len() > 1 => words
                    .iter()
                    .map(|word| Some(at(word.as_word()?.to_owned(), word.span)))
                    .collect::<Option<_>>()
                    .unwrap_or_default(),
                _ => Vec::new(),
            };
            if sites.is_empty() {
                return self.no_line(node);
            }
            lines.push(sites);
        }
        if lines.is_empty() {
            let message = "expected a line in `lines`, found nothing";
            return self.refuse(Finding::new(Code::MissingArgument, span, message).with_help(LINE));
        }
        Some(Typed::Shape(Box::new(at(BoardShape::Lines(lines), span))))
    }

    /// Reports a node that is no line.
    pub(super) fn no_line<T>(&mut self, node: &Node) -> Option<T> {
        let finding = self.mismatch(Code::WrongType, node, "the sites of a line in brackets");
        self.refuse(finding.with_help(LINE))
    }

    /// Joins the sites of lines, as they are labelled.
    fn joining(&mut self, lines: &[Vec<Spanned<String>>], labels: Labels) -> Option<Drawing> {
        let mut read: Vec<Vec<(usize, usize)>> = Vec::with_capacity(lines.len());
        for line in lines {
            let mut places = Vec::with_capacity(line.len());
            for label in line {
                let Some(place) = labels.read(&label.node) else {
                    let help = format!(
                        "a site is a column and a row, such as `{}1`: where it lies in the picture",
                        labels.column(0)
                    );
                    let finding = self.mismatch(Code::WrongType, label.span, "the label of a site");
                    return self.refuse(finding.with_help(help));
                };
                if places.last() == Some(&place) {
                    let message = format!("`{}` comes twice in a row", label.node);
                    let finding = Finding::new(Code::RepeatedPart, label.span, message);
                    return self.refuse(finding.with_help("a line joins a site to another one"));
                }
                places.push(place);
            }
            read.push(places);
        }
        let rows = read.iter().flatten().map(|&(_, row)| row).max()?;
        for (_, row) in read.iter_mut().flatten() {
            *row = if labels.rows_from_top { rows - *row } else { *row - 1 };
        }
        match Drawing::joining(&read) {
            Ok(drawing) => Some(drawing),
            Err(SameWay { line, place, way, other: (column, row) }) => {
                let label = &lines[line][place];
                let message = format!(
                    "two lines lead {} from {}, one of them to {}{}",
                    way,
                    label.node,
                    labels.column(column),
                    labels.row(row, rows)
                );
                let help = "a step has one of sixteen directions: give the sites places from which their lines lead apart, or write one of the ways as a `path`";
                self.refuse(Finding::new(Code::OutOfRange, label.span, message).with_help(help))
            }
        }
    }

    /// Returns the board, for an expression that refers to it.
    pub(super) fn require_board(&mut self, span: Span) -> Option<Arc<Board>> {
        if self.stage == Stage::Shaping {
            let wanted = "something that does not depend on the board";
            let finding = self.mismatch(Code::NotConstant, span, wanted);
            return self.refuse(finding.with_help(BEFORE_PLAY));
        }
        match self.declared.board.clone() {
            Some(board) => Some(board),
            None => self.fail(),
        }
    }

    /// Checks the side of a board.
    pub(super) fn side(&mut self, number: &Spanned<Number>) -> Option<usize> {
        self.whole(number)?;
        let side = self.constant_of(number)? / 2;
        // A side of zero or less makes an empty board, which is reported there.
        Some(usize::try_from(side).unwrap_or(0))
    }

    /// Builds a shape.
    pub(super) fn shape(
        &mut self,
        ludeme: Ludeme,
        side: Spanned<Number>,
        other: Option<Spanned<Number>>,
        span: Span,
    ) -> Option<Typed> {
        let first = self.side(&side);
        let second = other.map_or(first, |other| self.side(&other));
        let (first, second) = (first?, second?);
        let (columns, rows) = (first, second);
        let shape = match ludeme {
            Ludeme::Hexagon => Shape::Hexagon { first, second },
            Ludeme::Rhombus => Shape::Rhombus { columns, rows },
            Ludeme::Triangle => Shape::Triangle { side: first },
            Ludeme::Star => Shape::Star { points: first },
            _ => Shape::Rectangle { columns, rows },
        };
        Some(Typed::Shape(Box::new(at(BoardShape::Grid(shape), span))))
    }

    /// Checks the letter of the first column.
    pub(super) fn first_column(&mut self, letter: Spanned<String>, span: Span) -> Option<Typed> {
        let mut letters = letter.node.chars();
        match (letters.next(), letters.next()) {
            (Some(first), None) if first.is_ascii_alphabetic() => {
                Some(Typed::BoardDetail(Box::new(at(BoardDetail::ColumnsFrom(first), span))))
            }
            _ => self.refuse(self.mismatch(
                Code::WrongType,
                letter.span,
                "one letter from `\"A\"` to `\"z\"`",
            )),
        }
    }

    /// Builds a row of the board.
    pub(super) fn board_row(&mut self, number: &Spanned<Number>, span: Span) -> Option<Typed> {
        let board = self.require_board(span)?;
        let rows = board.shape().cell_rows();
        let row = self.constant_within(number, 1, rows as i64)?;
        let sites = board.row(usize::try_from(row).ok()?);
        Some(Typed::Sites(at(Sites::Literal(sites), span)))
    }

    /// Builds a column of the board.
    pub(super) fn board_column(&mut self, letters: &Spanned<String>, span: Span) -> Option<Typed> {
        self.require_board(span)?;
        Some(Typed::Sites(at(Sites::Literal(self.sites_of_column(letters)?), span)))
    }

    /// Returns the sites of a column, one at least.
    fn sites_of_column(&mut self, letters: &Spanned<String>) -> Option<Vec<Site>> {
        let board = self.declared.board.clone()?;
        let sites = board.column(&letters.node);
        if sites.is_empty() {
            let message = format!("the board has no column `{}`", self.excerpt(letters.span));
            let mut finding = Finding::new(Code::UnknownSite, letters.span, message);
            let mut columns: Vec<String> =
                board.cells().map(|site| board.column_letters(site)).collect();
            columns.sort_by_key(|letters| (letters.len(), letters.clone()));
            if let (Some(first), Some(last)) = (columns.first(), columns.last()) {
                finding = finding.with_help(format!("its columns are `{first}` to `{last}`"));
            }
            return self.refuse_live(finding);
        }
        Some(sites)
    }

    /// Builds the rows from one number to another.
    pub(super) fn board_rows(
        &mut self,
        first: &Spanned<Number>,
        last: &Spanned<Number>,
        span: Span,
    ) -> Option<Typed> {
        let board = self.require_board(span)?;
        let rows = board.shape().cell_rows() as i64;
        let (first, last) =
            (self.constant_within(first, 1, rows), self.constant_within(last, 1, rows));
        let (first, last) = (first? as usize, last? as usize);
        let rows = first.min(last)..=first.max(last);
        let mut sites: Vec<Site> = rows.flat_map(|row| board.row(row)).collect();
        sites.sort_unstable();
        Some(Typed::Sites(at(Sites::Literal(sites), span)))
    }

    /// Builds the columns from one to another.
    pub(super) fn board_columns(
        &mut self,
        first: &Spanned<String>,
        last: &Spanned<String>,
        span: Span,
    ) -> Option<Typed> {
        let board = self.require_board(span)?;
        let (first, last) = (self.sites_of_column(first), self.sites_of_column(last));
        let (first, last) = (board.place(first?[0]).0, board.place(last?[0]).0);
        let columns = first.min(last)..=first.max(last);
        let sites = board.cells().filter(|&site| columns.contains(&board.place(site).0)).collect();
        Some(Typed::Sites(at(Sites::Literal(sites), span)))
    }

    /// Builds an edge of the board.
    pub(super) fn board_edge(
        &mut self,
        direction: &Spanned<DirectionOf>,
        span: Span,
    ) -> Option<Typed> {
        let board = self.require_board(span)?;
        let DirectionOf::Fixed(fixed) = direction.node else {
            let help = "write the direction by name; for an edge of the mover, write \
                `(case mover (White (edge N)) (Black (edge S)))`";
            return self.not_constant(direction.span, "a direction", help);
        };
        if fixed.is_track() {
            let message = format!(
                "expected one of the eight directions of the compass, found {}`{}`",
                if board.is_wind(fixed) { "" } else { "the path " },
                self.excerpt(direction.span)
            );
            let help = match board.is_wind(fixed) {
                true => "sites without a step are `(where s everywhere (none (step s …)))`",
                false => "the last site of an open path is `(start (opposite …))`",
            };
            return self
                .refuse(Finding::new(Code::OutOfRange, direction.span, message).with_help(help));
        }
        Some(Typed::Sites(at(Sites::Literal(board.edge(fixed)), span)))
    }
}

/// Returns the finding on a board that cannot be built. `wrap` is the `wrap` form, or else the shape.
fn bad_board(
    error: &BoardError,
    shape: &Spanned<BoardShape>,
    wrap: Span,
    has_borders: bool,
) -> Finding {
    let (code, span, message, help) = match error {
        BoardError::ShapeWraps => {
            let help = "only `square`, `rectangle` and `rhombus` can wrap";
            (Code::Misplaced, wrap, error.to_string(), help)
        }
        BoardError::NarrowWrap { .. } => {
            let help = "make the board larger, or leave `wrap` out";
            (Code::OutOfRange, wrap, error.to_string(), help)
        }
        BoardError::TooLarge { sites } => {
            let most = Board::LIMIT;
            let message = format!("expected a board of at most {most} sites, found {sites}");
            let help = match shape.node {
                _ if has_borders => "choose a shorter side: with `borders` at most 15 for a square",
                BoardShape::Layers(_) => {
                    "choose smaller layers: a pyramid has at most 14 sites along a side"
                }
                _ => "choose a shorter side: at most 32 for a square, 18 for a hexagon",
            };
            (Code::BoardTooLarge, shape.span, message, help)
        }
        BoardError::Empty | BoardError::ColumnName { .. } => {
            let help = "the side of a board must be 1 or more";
            (Code::BoardEmpty, shape.span, EMPTY_BOARD.to_owned(), help)
        }
    };
    Finding::new(code, span, message).with_help(help)
}

/// Evaluates a region that depends on the board alone.
pub(super) fn fixed_sites(sites: &Sites, board: &Board) -> Option<SiteSet> {
    Evaluator::new(board, &Cell::new(MAX_HOLE_WORK)).sites(sites, &Variables::None)
}
