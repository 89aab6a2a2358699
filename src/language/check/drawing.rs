//! Rewrites the `diagram` of a setup to a `put` for each piece and owner, and a `cut`.

use super::Checker;
use super::spelling::{nearest, series};
use super::typed::{Typed, at};
use crate::board::Site;
use crate::language::diagram::{CUT, Cell, EMPTY, RowError, Symbol, count, read_row, symbols};
use crate::language::finding::{Code, Finding, Fix};
use crate::language::names::Meaning;
use crate::language::quantities::counted;
use crate::language::rules::*;
use crate::syntax::Span;
use crate::syntax::visible::shorten;
use std::rc::Rc;

/// What users write for a site without a piece.
const BLANKS: [&str; 8] = ["-", "_", "·", "0", "+", "*", ",", "x"];

impl Checker<'_> {
    /// Builds the statements that set up a diagram, whose rows go from top to bottom.
    pub(super) fn diagram(&mut self, rows: Vec<Spanned<String>>, span: Span) -> Option<Typed> {
        let board = self.require_board(span)?;
        let known = self.symbols()?;
        let drawn = board.rows_of_cells();
        let mut found: Vec<(Cell, Vec<Site>)> = Vec::new();
        let mut sound = true;
        for (row, (number, sites)) in rows.iter().zip(&drawn) {
            let text = row.node.as_str();
            let read = match read_row(&known, text, sites.len()) {
                Ok(read) if read.rest.trim().is_empty() => read,
                // A row of another length is reported as such, unless it has an unknown symbol.
                Ok(_) | Err(RowError::TooShort(_)) => {
                    self.report_length(row, &known, number, sites.len());
                    sound = false;
                    continue;
                }
                Err(RowError::Unknown(index, symbol)) => {
                    let label = board.label(sites[index]);
                    if symbol == number && text.trim_start().len() > symbol.len() {
                        let help =
                            "leave out the numbers of the rows and the letters of the columns";
                        let finding = self.unknown_symbol(row, symbol, label);
                        return self.refuse_live(finding.with_help(help));
                    }
                    self.report_symbol(row, symbol, label, &known);
                    sound = false;
                    continue;
                }
            };
            for (cell, &site) in read.cells.into_iter().zip(sites) {
                match found.iter_mut().find(|(known, _)| *known == cell) {
                    _ if cell == Cell::Empty => {}
                    Some((_, sites)) => sites.push(site),
                    None => found.push((cell, vec![site])),
                }
            }
        }
        if rows.len() != drawn.len() {
            self.report_height(&rows, drawn.len());
            sound = false;
        }
        if !sound {
            return None;
        }
        // Who does not play has no pieces.
        let is_absent =
            |cell: &Cell| matches!(cell, Cell::Piece(_, Some(owner)) if self.is_absent(*owner));
        found.retain(|(cell, _)| !is_absent(cell));
        let statements = found.into_iter().map(|(cell, mut sites)| {
            sites.sort_unstable();
            let sites = at(Sites::Literal(sites), span);
            let statement = match cell {
                Cell::Piece(piece, owner) => {
                    self.usage.used.insert(Meaning::Piece(piece));
                    let owner = owner.map(|owner| at(PlayerOf::Fixed(owner), span));
                    let piece = at(PieceOf::Fixed(piece), span);
                    Statement::Put { piece, at: sites, owner, beneath: false }
                }
                Cell::Empty | Cell::Cut => Statement::Cut(sites),
            };
            at(statement, span)
        });
        Some(Typed::Statement(statements.collect()))
    }

    /// Returns the symbols of all pieces, or fails if a piece is faulty.
    fn symbols(&mut self) -> Option<Rc<[Symbol]>> {
        if self.declared.symbols.is_none() {
            self.declared.symbols = Some(symbols(&self.described_pieces()).into());
        }
        match &self.declared.symbols {
            Some(symbols) if !self.declared.faulty_pieces => Some(symbols.clone()),
            _ => self.fail(),
        }
    }

    fn unknown_symbol(&self, row: &Spanned<String>, symbol: &str, label: &str) -> Finding {
        let message = format!("expected a symbol at {label}, found `{}`", shorten(symbol));
        Finding::new(Code::BadDiagram, self.span_in(row, symbol), message)
    }

    fn report_symbol(
        &mut self,
        row: &Spanned<String>,
        symbol: &str,
        label: &str,
        known: &[Symbol],
    ) {
        let finding = self.unknown_symbol(row, symbol, label);
        let span = finding.span;
        let is_close = |known: &&Symbol| {
            known.text.to_lowercase() == symbol.to_lowercase() || known.text.contains(symbol)
        };
        let near = known.iter().find(is_close).or_else(|| {
            let text = nearest(symbol, known.iter().map(|known| known.text.as_str()))?;
            known.iter().find(|known| known.text == text)
        });
        let finding = if symbol.chars().all(|sign| sign.is_ascii_digit()) {
            finding.with_help(format!("write `{EMPTY}` for each empty site, not their number"))
        } else if let Some(near) = near {
            let fix = (span != row.span).then(|| Fix::write(span, &near.text));
            let help = format!(
                "did you mean `{}` ({})? The symbols are {}",
                near.text,
                self.name_of(near),
                self.list_symbols(known)
            );
            finding.with_help(help).with_optional_fix(fix)
        } else if BLANKS.contains(&symbol) {
            let help =
                format!("an empty site is `{EMPTY}`. The symbols are {}", self.list_symbols(known));
            finding.with_help(help).with_fix(Fix::write(span, EMPTY))
        } else {
            finding.with_help(format!("the symbols are {}", self.list_symbols(known)))
        };
        self.report_live(finding);
    }

    fn report_length(
        &mut self,
        row: &Spanned<String>,
        known: &[Symbol],
        number: &str,
        sites: usize,
    ) {
        let text = row.node.as_str();
        let found = count(known, text);
        let message = format!("row {number} has {}, found {found}", counted(sites as u64, "site"));
        let finding = Finding::new(Code::BadDiagram, row.span, message);
        let help = if text.contains('/') {
            String::from("write each row as a text of its own")
        } else if found < sites {
            format!(
                "write one symbol for each site of the row, `{EMPTY}` if it is empty; spaces and sites that the board lacks have none"
            )
        } else {
            format!(
                "write one symbol for each site of the row; sites that the board lacks have none, and symbols of several characters stand between spaces: {}",
                self.list_symbols(known)
            )
        };
        self.report_live(finding.with_help(help));
    }

    fn report_height(&mut self, rows: &[Spanned<String>], wanted: usize) {
        let message =
            format!("the board has {}, found {}", counted(wanted as u64, "row"), rows.len());
        let extra = rows.get(wanted);
        let Some(row) = extra.or(rows.last()) else { return };
        let is_letters = self.declared.board.as_ref().is_some_and(|board| {
            row.node.split_whitespace().all(|word| !board.column(word).is_empty())
        });
        let help = match extra {
            Some(_) if is_letters && !row.node.trim().is_empty() => {
                "leave the letters of the columns out"
            }
            Some(_) => "write one text for each row of the board, from top to bottom",
            None => {
                "write one text for each row of the board, from top to bottom, empty rows included"
            }
        };
        let finding = Finding::new(Code::BadDiagram, row.span, message);
        self.report_live(finding.with_help(help));
    }

    /// Returns the place of a symbol in the text of a row, or all of it if the text has escapes.
    pub(super) fn span_in(&self, row: &Spanned<String>, symbol: &str) -> Span {
        let offset = symbol.as_ptr() as usize - row.node.as_ptr() as usize;
        let begin = row.span.start + 1 + offset;
        let span = Span::new(begin, begin + symbol.len());
        let is_plain = self.source.get(span.start..span.end) == Some(symbol)
            && row.span.end - row.span.start == row.node.len() + 2;
        if is_plain { span } else { row.span }
    }

    fn name_of(&self, symbol: &Symbol) -> String {
        let piece = &self.declared.pieces[symbol.piece.index()].name.name;
        match symbol.owner.and_then(|owner| self.declared.players.get(owner.index())) {
            Some(player) => format!("{}'s {piece}", player.name),
            None => piece.clone(),
        }
    }

    /// Lists the symbols with the names of their pieces, or the first of many.
    fn list_symbols(&self, known: &[Symbol]) -> String {
        const FEW: usize = 16;
        let mut all = vec![format!("`{EMPTY}` (empty)"), format!("`{CUT}` (cut out)")];
        let named = |known: &Symbol| format!("`{}` ({})", known.text, self.name_of(known));
        all.extend(known.iter().take(FEW).map(named));
        if known.len() > FEW {
            all.push(String::from("…"));
        }
        series(&all, "and")
    }
}
