//! Records the uses of names, for warnings about unused ones and for navigation in editors.

use super::Checker;
use crate::language::finding::{Code, Edit, Severity};
use crate::language::ludemes::Kind;
use crate::language::names::Meaning;
use crate::language::names::{Declared, NameKind, Names};
use crate::language::rules::Local;
use crate::syntax::{Node, Span};
use std::collections::HashMap;

impl Checker<'_> {
    /// Records a use of a name.
    pub(super) fn note_use(&mut self, meaning: Meaning, span: Span) {
        self.usage.used.insert(meaning);
        self.note_mention(meaning, span);
    }

    /// Records a mention of a name that does not count as a use.
    pub(super) fn note_mention(&mut self, meaning: Meaning, span: Span) {
        if let Some(declared) = self.declared_at(meaning) {
            self.usage.uses.insert(span, declared);
        }
    }

    /// Finds what a word denotes, and records the mention.
    pub(super) fn mention(&mut self, node: &Node) -> Option<Meaning> {
        let meaning = self.meaning_of(node)?;
        self.note_mention(meaning, node.span);
        Some(meaning)
    }

    /// Records a use of a variable.
    pub(super) fn note_variable(&mut self, local: Local, span: Span) {
        self.usage.uses.insert(span, self.context.locals[local.index()].span);
    }

    /// Returns the span of a declaration.
    pub(super) fn declared_at(&self, meaning: Meaning) -> Option<Span> {
        Some(match meaning {
            Meaning::Player(id) => self.declared.all_players().nth(id.index())?.span,
            Meaning::Option(index) => self.declared.options.get(index)?.name.span,
            Meaning::Piece(id) => self.declared.pieces.get(id.index())?.name.span,
            Meaning::Memory(id) => self.declared.memories.get(id.index())?.name.span,
            Meaning::Definition(id) => self.declared.definitions.get(id.index())?.name.span,
            Meaning::Move(id) => self.declared.moves.get(id.index())?.verb.span,
            Meaning::Path(index) => self.declared.paths.get(index)?.name.span,
        })
    }

    /// Records that the declaration of a name failed.
    pub(super) fn record_lost_name(&mut self, form: &Node) {
        if let Some(name) = form.args().first().and_then(Node::word_or_head) {
            self.diagnostics.lost.insert(name.to_owned(), form.span);
        }
    }

    /// Tests if the declaration of a name elsewhere failed.
    pub(super) fn is_lost(&self, name: &str, span: Span) -> bool {
        is_lost(&self.diagnostics.lost, name, span)
    }

    /// Extends the fix of a bad name to all its uses, and withdraws findings about names whose
    /// declaration failed later.
    pub(super) fn settle_names(&mut self) {
        let (lost, stray_parts, withdrawn, source) = (
            &self.diagnostics.lost,
            &self.diagnostics.stray_parts,
            &self.diagnostics.withdrawn,
            self.source,
        );
        let all = self.diagnostics.findings.clone();
        self.diagnostics.findings.retain(|finding| match finding.code {
            Code::UnknownName | Code::UnknownLudeme => {
                !is_lost(lost, finding.span.text(source), finding.span)
            }
            Code::MissingPart => {
                !stray_parts.iter().any(|part| finding.message.contains(&format!("`{part}`")))
            }
            Code::StrayCharacter => !withdrawn.contains(&finding.span),
            _ => true,
        });
        // A failed game must keep at least one error.
        if self.diagnostics.failed
            && !self
                .diagnostics
                .findings
                .iter()
                .any(|finding| finding.severity() == Severity::Error)
        {
            self.diagnostics.findings = all;
        }
        for finding in
            self.diagnostics.findings.iter_mut().filter(|finding| finding.code == Code::BadName)
        {
            let Some(fix) = &mut finding.fix else { continue };
            let Some(better) = fix.edits.first().map(|edit| edit.text.clone()) else { continue };
            let uses = self
                .usage
                .uses
                .iter()
                .filter(|&(&span, &of)| of == finding.span && span.text(source) != better);
            fix.edits.extend(uses.map(|(&span, _)| Edit { span, text: better.clone() }));
            fix.edits.sort_by_key(|edit| edit.span);
        }
    }

    /// Returns all declared names.
    pub(super) fn declared_names(&self) -> Names {
        let named = self.declared.names.iter().map(|(&name, &(meaning, span))| Declared {
            name: name.to_owned(),
            kind: meaning.kind(),
            is: self.kind_of_name(meaning),
            span,
            uses: Vec::new(),
        });
        let moves = self.declared.moves.iter().map(|entry| &entry.verb);
        let verbs = moves.map(|verb| Declared {
            name: verb.name.clone(),
            kind: NameKind::Move,
            is: Some(Kind::Move),
            span: verb.span,
            uses: Vec::new(),
        });
        let variables =
            self.context.locals.iter().zip(&self.context.kinds).map(|(local, &kind)| Declared {
                name: local.name.clone(),
                kind: NameKind::Variable,
                is: Some(kind),
                span: local.span,
                uses: Vec::new(),
            });
        // The text does not contain those that the checker has made.
        let variables = variables.filter(|declared| !declared.span.is_empty());
        Names::new(named.chain(verbs).chain(variables).collect(), &self.usage.uses)
    }
}

fn is_lost(lost: &HashMap<String, Span>, name: &str, span: Span) -> bool {
    lost.get(name).is_some_and(|form| span.end <= form.start || form.end <= span.start)
}
