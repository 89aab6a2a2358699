//! Applies what a variant adds to its base game: details of the look, moves to choose, and the
//! bodies of definitions.

use super::Checker;
use super::cases::MAX_COPIED;
use super::parts::Part;
use super::report::{Within, usage};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, NodeKind, Span};
use std::collections::HashSet;
use std::sync::Arc;

/// Something that a variant adds to its base game.
#[derive(Clone)]
pub(super) enum Addition<'t> {
    Look(Part<'t>),
    Moves {
        verb: &'t str,
        moves: &'t [Node],
        /// The parts of the base game.
        base: Arc<[Span]>,
    },
    Body {
        /// The name, or the form with the name and the parameters.
        heading: &'t Node,
        body: &'t [Node],
        /// The definition in the base game.
        base: Span,
    },
}

/// Moves that are offered after another one in the parts of a base game.
pub(super) struct AddedMoves {
    moves: Vec<MoveId>,
    /// The spans of those parts, in ascending order.
    base: Arc<[Span]>,
}

impl<'t> Addition<'t> {
    /// Tests if the part that it adds to is still there when an outer variant is applied.
    pub(super) fn is_kept(&self, parts: &[Part], keeps_look: bool) -> bool {
        match self {
            Addition::Look(_) => keeps_look,
            Addition::Moves { .. } => true,
            Addition::Body { base, .. } => parts.iter().any(|part| part.node.span == *base),
        }
    }
}

impl<'t> Checker<'t> {
    /// Reads the `add` parts of a variant. `inner` is what the variants that it is based on add.
    pub(super) fn additions(
        &mut self,
        added: &[Part<'t>],
        base: &[Part<'t>],
        inner: &[Addition<'t>],
    ) -> Vec<Addition<'t>> {
        if added.is_empty() {
            return Vec::new();
        }
        let mut spans: Vec<Span> = base.iter().map(|part| part.node.span).collect();
        spans.extend(inner.iter().filter_map(|addition| match addition {
            Addition::Body { heading, body, .. } => {
                Some(body.last().map_or(heading.span, |last| heading.span.join(last.span)))
            }
            _ => None,
        }));
        spans.sort_unstable();
        let spans: Arc<[Span]> = spans.into();
        let mut offered = offered(base, inner);
        let mut found = Vec::new();
        for part in added {
            self.context.within = Within::Row(part.row);
            let Some([what]) = self.exactly(part.row, part.node, part.args) else { continue };
            let addition = match what.head() {
                Some(("look", _)) => Some(Addition::Look(Part {
                    row: Ludeme::Look.row(),
                    node: what,
                    args: what.args(),
                })),
                Some(("choose", head)) => {
                    let addition = self.added_choice(what, head, &offered, &spans);
                    // Moves can be added after added ones.
                    if let Some(Addition::Moves { moves, .. }) = &addition {
                        offered.extend(moves.iter().filter_map(Node::as_word));
                    }
                    addition
                }
                Some(("define", head)) => self.added_body(what, head, base),
                _ => {
                    let finding = self.mismatch(Code::WrongType, what, Kind::Addition.phrase());
                    let help = match self.part_row(what) {
                        Some(row) => format!("write `({} …)` without `add`", row.spelling),
                        None => usage(part.row),
                    };
                    self.refuse(finding.with_help(help))
                }
            };
            found.extend(addition);
        }
        found
    }

    fn added_choice(
        &mut self,
        what: &'t Node,
        head: Span,
        offered: &HashSet<&'t str>,
        base: &Arc<[Span]>,
    ) -> Option<Addition<'t>> {
        let Some((verb, moves)) = what.args().split_first() else {
            self.missing("choose", head, "moves", Kind::Move);
            return None;
        };
        let help = "write `(choose VERB NEW…)`: the move that is offered, then those to add";
        let Some(word) = verb.as_word() else {
            let finding = self.mismatch(Code::WrongType, verb, "the verb of a move");
            return self.refuse(finding.with_help(help));
        };
        if !offered.contains(word) {
            let mut words: Vec<&str> = offered.iter().copied().collect();
            words.sort_unstable();
            let message = format!("no `choose` of the base game offers `{word}`");
            let finding = Finding::new(Code::UnknownName, verb.span, message);
            self.unknown(finding, word, &words, None);
            return None;
        }
        if moves.is_empty() {
            let message = format!("expected the moves to offer after `{word}`, found nothing");
            let finding = Finding::new(Code::MissingArgument, head, message);
            return self.refuse(finding.with_help(help));
        }
        Some(Addition::Moves { verb: word, moves, base: base.clone() })
    }

    fn added_body(
        &mut self,
        what: &'t Node,
        head: Span,
        base: &[Part<'t>],
    ) -> Option<Addition<'t>> {
        let Some((heading, body)) = what.args().split_first() else {
            self.missing("define", head, "heading", Kind::Heading);
            return None;
        };
        let name = name_of(heading);
        let definitions = base.iter().filter(|part| part.row.ludeme == Ludeme::Define);
        let known: Vec<(&str, &Part)> = definitions
            .filter_map(|part| Some((name_of(part.args.first()?)?.as_word()?, part)))
            .collect();
        let word = name.and_then(Node::as_word).unwrap_or_default();
        let Some(&(_, definition)) = known.iter().find(|(known, _)| *known == word) else {
            let words: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
            let span = name.map_or(heading.span, |name| name.span);
            let message = match name.and_then(Node::as_word) {
                Some(word) => format!("the base game has no definition `{word}`"),
                None => {
                    format!("expected the name of a definition, found {}", self.snippet(heading))
                }
            };
            self.unknown(Finding::new(Code::UnknownName, span, message), word, &words, None);
            return None;
        };
        let base = definition.args.first()?;
        if !is_same(base, heading) {
            let wanted = format!("the heading `{}` of the base game", self.excerpt(base.span));
            let help = "repeat the heading with the same parameters, which the added body can use";
            let finding = self.mismatch(Code::WrongType, heading, wanted).with_help(help);
            return self.refuse(finding.with_other(base.span, "defined here"));
        }
        if body.is_empty() {
            let message = format!("expected what to add to `{word}`, found nothing");
            let finding = Finding::new(Code::MissingArgument, head, message);
            return self
                .refuse(finding.with_help("write the statements or the region after the heading"));
        }
        Some(Addition::Body { heading, body, base: definition.node.span })
    }

    /// Applies what variants add, after all names are declared.
    pub(super) fn add(&mut self, additions: &[Addition<'t>], parts: &mut Vec<Part<'t>>) {
        for addition in additions {
            match addition {
                // The details of an added look come after those of the base.
                Addition::Look(part) => parts.push(*part),
                Addition::Moves { verb, moves, base } => {
                    self.context.within = Within::Row(Ludeme::Choose.row());
                    let mut known: Vec<MoveId> = Vec::new();
                    for node in *moves {
                        if let Some(chosen) = self.value::<Spanned<MoveId>>(node)
                            && !known.contains(&chosen.node)
                        {
                            known.push(chosen.node);
                        }
                    }
                    let entries = self.declared.added_moves.entry(verb).or_default();
                    match entries.last_mut().filter(|last| Arc::ptr_eq(&last.base, base)) {
                        Some(last) => {
                            known.retain(|id| !last.moves.contains(id));
                            last.moves.extend(known);
                        }
                        None => entries.push(AddedMoves { moves: known, base: base.clone() }),
                    }
                }
                Addition::Body { heading, body, .. } => self.add_body(heading, body),
            }
        }
    }

    fn add_body(&mut self, heading: &'t Node, body: &'t [Node]) {
        let Some(name) = name_of(heading) else { return };
        let Some(meaning @ Meaning::Definition(id)) = self.meaning_of(name) else { return };
        self.note_mention(meaning, name.span);
        // The parameters of the repeated heading are those of the base.
        let parameters = self.declared.definitions[id.index()].parameters.clone();
        let repeated = heading.args();
        for ((local, _), node) in parameters.into_iter().zip(repeated) {
            if let Some([_, variable]) = node.as_form() {
                self.note_variable(local, variable.span);
            }
        }
        self.declared.definitions[id.index()].added.push(body);
    }

    /// Adds the moves that variants offer after this one, and those after these, unless they are
    /// offered already. `choose` is the span of the form.
    pub(super) fn add_moves(&mut self, verb: &Node, choose: Span, moves: &mut Vec<MoveId>) {
        let is_in = |base: &[Span]| {
            let after = base.partition_point(|part| part.start <= choose.start);
            after > 0 && choose.end <= base[after - 1].end
        };
        let before = moves.len();
        let mut at = before;
        let mut verb = verb.as_word();
        while let Some(word) = verb {
            for added in self.declared.added_moves.get(word).into_iter().flatten() {
                if is_in(&added.base) {
                    let is_new = |id: &&MoveId| !moves.contains(id);
                    let new: Vec<MoveId> = added.moves.iter().filter(is_new).copied().collect();
                    moves.extend(new);
                }
            }
            // Each move is added at most once, so that this ends.
            verb = moves.get(at).map(|id| self.declared.moves[id.index()].verb.name.as_str());
            at += 1;
        }
        self.copied = self.copied.saturating_add((moves.len() - before) * size_of::<Node>());
        if moves.len() > before && self.copied > MAX_COPIED {
            moves.truncate(before);
            let message =
                "there are more moves here than the engine can hold, with those that variants add";
            self.report(Finding::new(Code::RulesTooLarge, choose, message));
        }
    }
}

/// Returns the verbs that the `choose` forms of a base game offer: all, if it has no order of play.
fn offered<'t>(base: &[Part<'t>], inner: &[Addition<'t>]) -> HashSet<&'t str> {
    let has_play = base.iter().any(|part| part.row.ludeme == Ludeme::Play);
    let moves = base.iter().filter(|part| !has_play && part.row.ludeme == Ludeme::MoveRule);
    let mut offered: HashSet<&str> =
        moves.filter_map(|part| part.args.first()?.as_word()).collect();
    let mut left: Vec<&'t Node> = base.iter().map(|part| part.node).collect();
    let bodies = inner.iter().filter_map(|addition| match addition {
        Addition::Body { body, .. } => Some(*body),
        _ => None,
    });
    left.extend(bodies.flatten());
    while let Some(node) = left.pop() {
        let parts = node.as_form().unwrap_or_default();
        if node.begins_with("choose") {
            offered.extend(parts.iter().skip(1).filter_map(Node::as_word));
        }
        left.extend(parts);
    }
    for addition in inner {
        if let Addition::Moves { moves, .. } = addition {
            offered.extend(moves.iter().filter_map(Node::as_word));
        }
    }
    offered
}

/// Returns the name in a heading.
fn name_of(heading: &Node) -> Option<&Node> {
    match heading.as_form() {
        Some(parts) => parts.first(),
        None => Some(heading),
    }
}

/// Tests if two headings are the same apart from white space and comments.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (NodeKind::Form(one), NodeKind::Form(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        _ => name_of(one).and_then(Node::as_word) == name_of(other).and_then(Node::as_word),
    }
}
