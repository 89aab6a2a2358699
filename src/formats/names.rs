//! How a format names sites, pieces and players.

use crate::board::{Direction, Site, Sort};
use crate::engine::snapshot::Occupant;
use crate::language::notations::Spellings;
use crate::language::rules::{PieceId, PlayerId, Rules};

/// The names of a format.
#[derive(Clone, Copy)]
pub(super) struct Names<'r> {
    pub rules: &'r Rules,
    pub spellings: &'r Spellings,
}

impl Names<'_> {
    pub fn column(&self, site: Site) -> String {
        let x = self.rules.board.column_of(site).saturating_sub(1);
        match &self.spellings.columns {
            Some(columns) => columns.chars().nth(x).map_or_else(String::new, String::from),
            None => self.rules.board.column_letters(site),
        }
    }

    pub fn row(&self, site: Site) -> String {
        let board = &self.rules.board;
        let rows = board.shape().cell_rows();
        let y = board.place(site).1 * rows / board.shape().rows();
        let from_top = rows.saturating_sub(y + 1);
        let named = |text: &str, index: usize| {
            text.chars().nth(index).map_or_else(String::new, String::from)
        };
        match (&self.spellings.rows, &self.spellings.rows_down) {
            (Some(rows), _) => named(rows, y),
            (None, Some(rows)) => named(rows, from_top),
            (None, None) => board.row_of(site).to_string(),
        }
    }

    pub fn site(&self, site: Site) -> String {
        match self.rules.board.sort(site) {
            Sort::Cell => self.column(site) + &self.row(site),
            Sort::Side | Sort::Post => self.rules.board.label(site).to_owned(),
        }
    }

    pub fn find(&self, text: &str) -> Option<Site> {
        self.rules.board.sites().find(|&site| self.site(site) == text)
    }

    pub fn direction(&self, direction: Direction) -> String {
        self.rules.board.direction_name(direction)
    }

    /// Returns the text of a kind of piece; with the owner, if the text differs by player.
    pub fn piece(&self, piece: PieceId, owner: Option<PlayerId>) -> &str {
        let spelled = self.spellings.pieces.iter().find(|(known, _)| *known == piece);
        let declared = || self.rules.pieces.get(piece.index()).map(|piece| &piece.symbols);
        let texts = spelled.map(|(_, texts)| texts).or_else(declared);
        let index = owner.map_or(0, PlayerId::index);
        texts.and_then(|texts| texts.get(index).or(texts.first())).map_or("?", String::as_str)
    }

    /// Lists all possible occupants of a site with their texts, longer texts first.
    pub fn occupants(&self) -> Vec<(Occupant, &str)> {
        let mut all: Vec<(Occupant, &str)> = crate::notation::symbols(self.rules)
            .into_iter()
            .map(|(occupant, ..)| (occupant, self.piece(occupant.piece, occupant.owner)))
            .collect();
        all.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
        all
    }

    pub fn player(&self, player: PlayerId) -> &str {
        let spelled = self.spellings.players.iter().find(|(known, _)| *known == player);
        let name = || self.rules.players.get(player.index()).map_or("", |player| &player.name);
        spelled.map_or_else(name, |(_, text)| text)
    }

    pub fn player_named(&self, text: &str) -> Option<PlayerId> {
        let all = (0..self.rules.players.len()).map(|index| PlayerId(index as u16));
        all.into_iter().find(|&player| self.player(player).eq_ignore_ascii_case(text))
    }
}
