//! Where names are used, for the warnings about those that never are and for whoever wants to go to a declaration.

use super::Checker;
use super::scope::Meaning;
use crate::language::finding::{Code, Edit};
use crate::language::ludemes::Kind;
use crate::language::names::{Declared, NameKind, Names};
use crate::language::rules::Local;
use crate::syntax::{Node, Span};

impl Checker<'_> {
    /// Notes that a name is used.
    pub(super) fn note_use(&mut self, meaning: Meaning, span: Span) {
        self.used.insert(meaning);
        self.note_mention(meaning, span);
    }

    /// Notes where a name stands that is not used there.
    pub(super) fn note_mention(&mut self, meaning: Meaning, span: Span) {
        if let Some(declared) = self.declared_at(meaning) {
            self.uses.insert(span, declared);
        }
    }

    /// Notes that a variable is used.
    pub(super) fn note_variable(&mut self, local: Local, span: Span) {
        self.uses.insert(span, self.locals[local.index()].span);
    }

    /// Where the thing of that meaning is declared.
    pub(super) fn declared_at(&self, meaning: Meaning) -> Option<Span> {
        Some(match meaning {
            Meaning::Player(id) => self.players.get(id.index())?.span,
            Meaning::Option(index) => self.options.get(index)?.name.span,
            Meaning::Piece(id) => self.pieces.get(id.index())?.name.span,
            Meaning::Memory(id) => self.memories.get(id.index())?.name.span,
            Meaning::Definition(id) => self.definitions.get(id.index())?.name.span,
            Meaning::Move(id) => self.moves.get(id.index())?.verb.span,
        })
    }

    /// Makes the mending of a bad name one of its uses too, and takes back what was said of names whose declaration was found to have failed later.
    pub(super) fn settle_names(&mut self) {
        let (lost, withdrawn, source) = (&self.lost, &self.withdrawn, self.source);
        self.findings.retain(|finding| match finding.code {
            Code::UnknownName | Code::UnknownLudeme => !lost.contains(finding.span.text(source)),
            Code::StrayCharacter => !withdrawn.contains(&finding.span),
            _ => true,
        });
        for finding in self.findings.iter_mut().filter(|finding| finding.code == Code::BadName) {
            let Some(fix) = &mut finding.fix else { continue };
            let Some(better) = fix.edits.first().map(|edit| edit.text.clone()) else { continue };
            let uses = self.uses.iter().filter(|&(&span, &of)| of == finding.span && span.text(source) != better);
            fix.edits.extend(uses.map(|(&span, _)| Edit { span, text: better.clone() }));
            fix.edits.sort_by_key(|edit| edit.span);
        }
    }

    /// All names that were met.
    pub(super) fn names_met(&self) -> Names {
        let named = self.names.iter().filter_map(|(&name, &(meaning, span))| {
            let kind = match meaning {
                Meaning::Player(_) => NameKind::Player,
                Meaning::Option(_) => NameKind::Option,
                Meaning::Piece(_) => NameKind::Piece,
                Meaning::Memory(_) => NameKind::Memory,
                Meaning::Definition(_) => NameKind::Definition,
                Meaning::Move(_) => return None,
            };
            Some(Declared { name: name.to_owned(), kind, is: self.kind_of_name(meaning), span, uses: Vec::new() })
        });
        let moves = self.moves.iter().map(|entry| &entry.verb);
        let verbs = moves.map(|verb| Declared {
            name: verb.name.clone(),
            kind: NameKind::Move,
            is: Some(Kind::Move),
            span: verb.span,
            uses: Vec::new(),
        });
        let variables = self.locals.iter().zip(&self.kinds).map(|(local, &kind)| Declared {
            name: local.name.clone(),
            kind: NameKind::Variable,
            is: Some(kind),
            span: local.span,
            uses: Vec::new(),
        });
        Names::new(named.chain(verbs).chain(variables).collect(), &self.uses)
    }
}

/// Where the name stands that a node is, or begins with.
pub(super) fn name_span(node: &Node) -> Span {
    node.head().map_or(node.span, |(_, span)| span)
}
