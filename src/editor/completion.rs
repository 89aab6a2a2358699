//! Code completion.
//!
//! The word at the cursor is replaced by a placeholder, and the checker reports which types it
//! expects there. If the checker does not reach the place because of other errors, the signatures
//! of the enclosing forms are used instead.

use super::candidates::{self, Candidate, CandidateKind, Shape};
use super::cursor_context::{CursorContext, WordRole};
use super::outline::{OutlinePart, parts};
use crate::language::finding::Edit;
use crate::language::ludemes::{Kind, Ludeme, TABLE};
use crate::language::names::NameKind;
use crate::language::sources::Sources;
use crate::language::{Expected, expected};
use crate::syntax::{Node, Span, parse};
use std::collections::BTreeSet;

/// The completions at a place.
#[derive(Clone, Debug, Default)]
pub struct Completion {
    /// The word that the candidates replace, in the file's own text.
    pub span: Span,
    /// Sorted by rank, the best first.
    pub candidates: Vec<Candidate>,
}

/// The placeholder. No author writes this word, and it is far from every suggestion.
pub(super) const BLANK: &str = "what-is-to-be-written-here";

/// The types of parameters of definitions.
const PARAMETER_TYPES: [Kind; 7] = [
    Kind::Number,
    Kind::Condition,
    Kind::Sites,
    Kind::Site,
    Kind::Direction,
    Kind::Directions,
    Kind::Player,
];

/// Lists the completions at a byte of a file.
///
/// ```
/// use ludwright::{editor::completion::complete, language::sources::Sources};
///
/// let text = r#"(game "Fill" (players White Black) (board (square 3)) (piece Stone)
///   (move drop (to t (e)) (put Stone t)) (play (turns (choose drop))))"#;
/// let completion = complete(&Sources::from(text), 0, text.find("e))").unwrap() + 1);
/// assert!(completion.candidates.iter().any(|candidate| candidate.label == "empty"));
/// ```
pub fn complete(sources: &Sources, file: usize, byte: usize) -> Completion {
    let text = sources.text_of(file);
    let Some(word) = word_at(text, byte) else { return Completion::default() };
    let start = sources.byte_of(file, 0);
    let blanked = sources.spliced(&Edit { span: word.shifted(start), text: BLANK.to_owned() });
    let blank = Span::new(word.start, word.start + BLANK.len());
    let text = blanked.text_of(file);
    let tree = parse(text);
    let Some(context) = CursorContext::of(&tree, text, blank) else {
        return Completion { span: word, candidates: Vec::new() };
    };
    let expected = expected(&blanked, blank.shifted(start));
    let parts: Vec<OutlinePart> =
        (0..blanked.names().len()).flat_map(|file| self::parts(blanked.text_of(file))).collect();
    let own = self::parts(text).into_iter().map(|part| part.name).collect();
    let scene = Scene { expected, parts, own, context };
    let mut candidates = scene.candidates();
    candidates.retain(|candidate| candidate.label != BLANK);
    candidates.sort_by_key(|candidate| candidate.rank);
    Completion { span: word, candidates }
}

/// Lists the points of a board's lines written so far.
fn points(lines: &Node) -> Vec<Candidate> {
    let lines = lines.as_form().unwrap_or_default().iter();
    let labels =
        lines.flat_map(|line| line.as_form().unwrap_or_default()).filter_map(Node::as_word);
    let labels: BTreeSet<&str> = labels.collect();
    let point = |label| Candidate::word(label, CandidateKind::Site, "a point of these lines", 0);
    labels.into_iter().map(point).collect()
}

struct Scene<'s> {
    expected: Expected,
    parts: Vec<OutlinePart>,
    /// The names that the file itself declares.
    own: Vec<String>,
    context: CursorContext<'s>,
}

impl Scene<'_> {
    fn candidates(&self) -> Vec<Candidate> {
        let word = |label: &str, what: &str| Candidate::word(label, CandidateKind::Word, what, 0);
        match &self.context.role {
            WordRole::Branch(subject) => return self.branches(subject),
            WordRole::ParameterType => {
                return PARAMETER_TYPES
                    .iter()
                    .map(|kind| word(kind.spelling(), "the type of a parameter"))
                    .collect();
            }
            WordRole::PerWhat => {
                return ["player", "direction", "kind", "site"]
                    .iter()
                    .map(|what| word(what, "the memory has one value for each"))
                    .collect();
            }
            WordRole::OptionName => return self.named(&[NameKind::Option]),
            WordRole::BasePart => return self.omittable_parts(),
            WordRole::Colored => {
                let mut candidates =
                    self.named(&[NameKind::Player, NameKind::Piece, NameKind::Memory]);
                candidates.push(word(Ludeme::Board.row().spelling, "the board, below the pieces"));
                return candidates;
            }
            WordRole::Shaped => return self.named(&[NameKind::Piece, NameKind::Memory]),
            WordRole::Teammate => return self.named(&[NameKind::Player]),
            WordRole::Hidden => return self.named(&[NameKind::Memory]),
            WordRole::AddedHeading => return self.added_headings(),
            WordRole::PointOf(lines) => return points(lines),
            WordRole::Argument | WordRole::ValueOf(_) => {}
        }
        let mut candidates = match &self.context.role {
            WordRole::ValueOf(option) => self.values(option),
            _ => Vec::new(),
        };
        let wanted = self.wanted();
        let head = self.context.head;
        let shape = match (head, self.context.alone, self.context.closed) {
            (false, ..) => Shape::Whole,
            (true, false, _) => Shape::Head,
            (true, true, true) => Shape::HeadAlone,
            (true, true, false) => Shape::HeadOpen,
        };
        candidates.extend(candidates::names(&self.expected, &self.parts, &wanted, head, shape));
        if !head {
            candidates.extend(candidates::variables(&self.expected, &wanted));
            candidates.extend(candidates::words(&self.expected, &wanted));
            candidates.extend(candidates::sites(&self.expected, &wanted));
        }
        candidates.extend(
            candidates::ludemes(&wanted, shape)
                .into_iter()
                .filter(|candidate| self.is_allowed_here(&candidate.label)),
        );
        if wanted.contains(&Kind::Part) && self.context.parent.is_some() {
            candidates.extend(candidates::recipes(shape));
        }
        candidates
    }

    /// Tests if a part is allowed here: some are whole files, and some are for variants only.
    fn is_allowed_here(&self, word: &str) -> bool {
        let is = |word: &str, ludemes: &[Ludeme]| {
            ludemes.iter().any(|ludeme| ludeme.row().spelling == word)
        };
        match self.context.parent {
            None => is(word, &[Ludeme::Game, Ludeme::VariantOf, Ludeme::Definitions]),
            Some(parent) => {
                !is(word, &[Ludeme::Game, Ludeme::VariantOf, Ludeme::Definitions])
                    && (is(parent, &[Ludeme::VariantOf])
                        || !is(word, &[Ludeme::DefaultIs, Ludeme::Omit, Ludeme::AddTo]))
            }
        }
    }

    /// Returns the kinds that fit the cursor: the kinds that the checker expects, and the kinds
    /// that it recognizes by their words only.
    fn wanted(&self) -> Vec<Kind> {
        let by_word = |kind: &Kind| {
            matches!(
                kind,
                Kind::Part
                    | Kind::Else
                    | Kind::Otherwise
                    | Kind::GoOn
                    | Kind::SoThat
                    | Kind::Limit
                    | Kind::Parameter
                    | Kind::MemoryDetail
                    | Kind::RepetitionDetail
                    | Kind::Compared
                    | Kind::Circumstance
                    | Kind::Holds
                    | Kind::Ownership
                    | Kind::Beneath
                    | Kind::Edge
                    | Kind::Wrapping
                    | Kind::Border
            )
        };
        let mut wanted = self.expected.kinds.clone();
        let told = !wanted.is_empty();
        wanted.extend(self.context.kinds.iter().filter(|kind| !told || by_word(kind)));
        wanted
    }

    /// Lists the values that a branch of a case can have.
    fn branches(&self, subject: &Node) -> Vec<Candidate> {
        let mut candidates = self.values(subject);
        if candidates.is_empty() {
            let kinds = self.expected.kinds.contains(&Kind::Piece);
            candidates = self.named(&[if kinds { NameKind::Piece } else { NameKind::Player }]);
        }
        candidates.push(Candidate::word("else", CandidateKind::Word, "all other values", 1));
        candidates
    }

    /// Lists the values of an option, as the file declares them.
    fn values(&self, option: &Node) -> Vec<Candidate> {
        let is_option = |part: &&OutlinePart| {
            candidates::declares(part, NameKind::Option)
                && Some(part.name.as_str()) == option.as_word()
        };
        let Some(part) = self.parts.iter().rfind(is_option) else { return Vec::new() };
        let words = part.values.iter().filter(|word| *word != BLANK);
        words
            .map(|word| {
                Candidate::word(word, CandidateKind::Value, format!("a value of {}", part.name), 0)
            })
            .collect()
    }

    fn named(&self, kinds: &[NameKind]) -> Vec<Candidate> {
        let names = self.expected.names.iter().filter(|declared| kinds.contains(&declared.kind));
        names
            .map(|declared| {
                Candidate::word(
                    &declared.name,
                    CandidateKind::Name(declared.kind),
                    declared.kind.word(),
                    0,
                )
            })
            .collect()
    }

    /// Lists the headings of the base game's definitions; a variant repeats a heading unchanged.
    fn added_headings(&self) -> Vec<Candidate> {
        let definitions = self
            .parts
            .iter()
            .filter(|part| part.row.ludeme == Ludeme::Define && !self.own.contains(&part.name));
        let headings = definitions.map(|part| {
            let parameters: String =
                part.arguments.iter().map(|(kind, name)| format!(" ({kind} {name})")).collect();
            let kind = CandidateKind::Name(NameKind::Definition);
            let mut candidate = Candidate::word(&part.name, kind, part.usage(), 0);
            let heading = format!("{}{parameters}", part.name);
            // If the bracket already holds more than the name, the parameters are there.
            let text = match (self.context.head, self.context.alone, parameters.is_empty()) {
                (false, _, true) | (true, true, _) => heading,
                (false, _, false) => format!("({heading})"),
                (true, false, _) => part.name.clone(),
            };
            candidate.snippet = candidates::plain(&text);
            candidate.text = text;
            candidate
        });
        headings.collect()
    }

    /// Lists what a variant can omit: a part by its word, anything else by its name. An omitted
    /// name is no longer declared, so the outlines of the files are used.
    fn omittable_parts(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for part in &self.parts {
            if !candidates.iter().any(|candidate| candidate.label == part.name)
                && TABLE.iter().any(|row| row.ludeme == part.row.ludeme)
            {
                candidates.push(Candidate::word(
                    &part.name,
                    CandidateKind::Word,
                    part.row.spelling,
                    0,
                ));
            }
        }
        candidates
    }
}

/// Finds the word around a byte, possibly empty; `None` in a string or a comment.
pub(super) fn word_at(text: &str, byte: usize) -> Option<Span> {
    let (before, after) = (text.get(..byte)?, text.get(byte..)?);
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, '(' | ')' | '"' | ';');
    let start = before
        .rfind(ends)
        .map_or(0, |end| end + before[end..].chars().next().map_or(0, char::len_utf8));
    let end = byte + after.find(ends).unwrap_or(after.len());
    let tree = parse(text);
    let line = |from: usize| text[from..].find('\n').map_or(text.len(), |end| from + end);
    let in_comment = tree
        .comments
        .iter()
        .any(|comment| comment.span.start < byte && byte <= line(comment.span.start));
    let path = super::path_to(&tree.forms, byte);
    let in_text = path.last().is_some_and(|node| {
        node.as_text().is_some() && node.span.start < byte && byte < node.span.end
    });
    (!in_comment && !in_text).then_some(Span::new(start, end))
}
