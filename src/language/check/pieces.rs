//! Checks the kinds of pieces and their symbols in diagrams.

use super::Checker;
use super::parts::Part;
use super::report::Within;
use super::sides::PlayerEntry;
use super::spelling::nearest;
use super::sugar::forms;
use crate::language::diagram::{MAX_CHARACTERS, SymbolStyle, has_invisible, is_symbol, new_symbol};
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::collections::{HashMap, HashSet};

/// A kind of piece in the course of checking.
pub(super) struct PieceEntry<'t> {
    pub name: Named,
    /// The arguments after the name.
    pub args: &'t [Node],
    pub owned: bool,
    /// The symbols that the file gives; empty if they are to be generated.
    pub symbols: Vec<String>,
}

impl Checker<'_> {
    /// Checks the ownership and the symbols of all pieces.
    pub(super) fn describe_pieces(&mut self) {
        let mut taken: HashMap<String, Span> = HashMap::new();
        self.inside(Within::Row(Ludeme::PieceKind.row()), |checker| {
            for index in 0..checker.declared.pieces.len() {
                checker.describe_piece(index, &mut taken);
            }
        });
    }

    fn describe_piece(&mut self, index: usize, taken: &mut HashMap<String, Span>) {
        let PieceEntry { name, args, .. } = &self.declared.pieces[index];
        let (name, args) = (name.clone(), *args);
        let (owned, texts) = match args.split_first() {
            Some((word, texts)) if word.as_word() == Some("unowned") => (false, texts),
            Some((word, texts)) if word.as_word() == Some("owned") => (true, texts),
            _ => (true, args),
        };
        self.declared.pieces[index].owned = owned;
        let mut symbols = Vec::new();
        for node in texts {
            let Some(symbol) = node.as_text() else {
                let wanted = "`owned` or `unowned` and then symbols in quotes";
                let finding = self.mismatch(Code::WrongType, node, wanted);
                let meant = node.as_word().and_then(|word| nearest(word, ["owned", "unowned"]));
                let Some(meant) = meant else {
                    return self.report(finding.with_optional_help(self.usage_within()));
                };
                self.declared.pieces[index].owned = meant == "owned";
                return self.report(finding.with_suggestion(node.span, meant));
            };
            if !is_symbol(symbol) {
                let help = match has_invisible(symbol) {
                    true => "use visible characters only: no combining marks, no characters without width, none that change the direction of writing".to_owned(),
                    false => format!("use 1 to {MAX_CHARACTERS} characters, without spaces and `#`; the symbol `.` is reserved"),
                };
                self.report(self.mismatch(Code::BadName, node, "a symbol").with_help(help));
            } else if let Some(&before) = taken.get(symbol) {
                let message = format!("the symbol {} is used twice", self.snippet(node));
                let finding = Finding::new(Code::NameTaken, node.span, message)
                    .with_other(before, "first used here");
                self.report(finding);
            } else {
                taken.insert(symbol.to_owned(), node.span);
            }
            symbols.push(symbol.to_owned());
        }
        let (wanted, whom) = match owned {
            true => (self.declared.all_players().count(), "one for each player"),
            false => (1, "which is unowned"),
        };
        // One symbol is enough: those of the other players are made from it.
        if let ([own], true) = (&symbols[..], owned && wanted > 1) {
            let styles = (1..wanted).map(|player| match player {
                1 => SymbolStyle::Other,
                _ => SymbolStyle::Numbered(player + 1),
            });
            let mut used: HashSet<String> = taken.keys().cloned().collect();
            let others: Vec<String> =
                styles.map(|style| new_symbol(own, style, &mut used)).collect();
            taken.extend(others.iter().map(|other| (other.clone(), name.span)));
            symbols.extend(others);
        }
        if symbols.is_empty() || self.declared.players.is_empty() || symbols.len() == wanted {
            self.declared.pieces[index].symbols = symbols;
            return;
        }
        let code = match symbols.len() < wanted {
            true => Code::MissingArgument,
            false => Code::ExtraArgument,
        };
        let span = texts.iter().fold(name.span, |span, node| span.join(node.span));
        let message = format!(
            "expected {wanted} symbols for `{}`, {whom}, found {}",
            name.name,
            symbols.len()
        );
        let message = message.replace("expected 1 symbols", "expected 1 symbol");
        self.report(Finding::new(code, span, message));
    }

    /// Warns of a symbol that is the first of two players', where only the second has such pieces.
    /// If there is a diagram, its author knows whose the symbols are.
    pub(super) fn check_owners_of_symbols(&mut self, parts: &[Part], rules: &Rules) {
        if rules.players.len() != 2 || !forms(parts, &[], Ludeme::Diagram).is_empty() {
            return;
        }
        for (index, piece) in rules.pieces.iter().enumerate().filter(|(_, piece)| piece.owned) {
            let mut texts =
                self.declared.pieces[index].args.iter().filter(|arg| arg.as_text().is_some());
            let (Some(text), None) = (texts.next(), texts.next()) else { continue };
            let [first, second] = &piece.symbols[..] else { continue };
            if owners_of(rules, PieceId(index as u16)) != Some(vec![PlayerId(1)]) {
                continue;
            }
            let (one, other) = (&rules.players[0].name, &rules.players[1].name);
            let message = format!(
                "`{first}` is the symbol of {one}, who never has a `{}`; that of {other} is `{second}`",
                piece.name
            );
            let finding = Finding::new(Code::Unused, text.span, message);
            let both = format!("\"{second}\" \"{first}\"");
            let help = format!("write the symbols of both: `{both}`");
            self.report(finding.with_help(help).with_fix(Fix::write(text.span, both)));
        }
    }

    /// Returns the pieces with the symbols of those who play.
    pub(super) fn played_pieces(&self) -> Vec<Piece> {
        let mut pieces = self.described_pieces();
        let owned = pieces.iter_mut().filter(|piece| piece.owned);
        owned.for_each(|piece| piece.symbols.truncate(self.declared.players.len()));
        pieces
    }

    /// Returns the pieces with their symbols, of players beyond their number, too. Missing symbols
    /// are generated from initials, with as many letters as it takes to make them distinct.
    pub(super) fn described_pieces(&self) -> Vec<Piece> {
        let mut taken: HashSet<String> = HashSet::new();
        for piece in &self.declared.pieces {
            taken.extend(piece.symbols.iter().cloned());
        }
        let seats: Vec<&PlayerEntry> = self.declared.all_players().collect();
        let single = self.declared.pieces.iter().filter(|piece| piece.owned).count() == 1;
        let describe = |piece: &PieceEntry| {
            let mut symbols = piece.symbols.clone();
            let owners: Vec<Option<usize>> = match piece.owned {
                true => (0..seats.len()).map(Some).collect(),
                false => vec![None],
            };
            if symbols.is_empty() {
                for owner in owners {
                    let (word, style) = match owner {
                        None => (&piece.name.name, SymbolStyle::Capital),
                        Some(player) if single => (&seats[player].name, SymbolStyle::Capital),
                        Some(0) => (&piece.name.name, SymbolStyle::Capital),
                        Some(1) => (&piece.name.name, SymbolStyle::Small),
                        Some(player) => (&piece.name.name, SymbolStyle::Numbered(player + 1)),
                    };
                    symbols.push(new_symbol(word, style, &mut taken));
                }
            }
            Piece {
                name: piece.name.name.clone(),
                span: piece.name.span,
                owned: piece.owned,
                symbols,
            }
        };
        self.declared.pieces.iter().map(describe).collect()
    }
}

/// Returns the players who can have pieces of a kind, if that is known before play.
fn owners_of(rules: &Rules, kind: PieceId) -> Option<Vec<PlayerId>> {
    let mut owners = Vec::new();
    for statement in rules.statements() {
        match &statement.node {
            Statement::Put { piece, owner, .. } | Statement::Replace { piece, owner, .. } => {
                let is_other = piece.node.fixed().is_some_and(|other| other != kind);
                match owner.as_ref().map(|owner| &owner.node) {
                    _ if is_other => {}
                    Some(PlayerOf::Fixed(player)) if piece.node.fixed().is_some() => {
                        owners.push(*player);
                    }
                    _ => return None,
                }
            }
            Statement::Convert { .. } => return None,
            _ => {}
        }
    }
    owners.sort_unstable();
    owners.dedup();
    Some(owners)
}
