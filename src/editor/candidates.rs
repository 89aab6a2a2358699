//! Completion candidates: ludemes, words of the language, and names, variables and sites of the
//! game.

use super::outline::OutlinePart;
use crate::board::Direction;
use crate::language::Expected;
use crate::language::explain::literals;
use crate::language::ludemes::{Kind, Ludeme, Row, TABLE, Times, rows};
use crate::language::names::NameKind;
use crate::language::recipes;

/// The kind of a candidate, for its symbol in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// A ludeme that begins a form.
    Ludeme,
    /// A word of the language that is not a form.
    Word,
    Name(NameKind),
    Site,
    Direction,
    /// A value of an option.
    Value,
    /// A recipe: parts of a game that show how a rule is written, in several lines.
    Recipe,
}

/// A completion candidate.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The word itself.
    pub label: String,
    pub kind: CandidateKind,
    /// The signature or description, on one line.
    pub detail: String,
    /// The documentation, in Markdown.
    pub about: String,
    /// The text to insert; empty for a recipe.
    pub text: String,
    /// The text with tab stops `${number:name}`, in the snippet syntax of editors.
    pub snippet: String,
    /// Lower ranks come first.
    pub rank: u8,
}

/// Ranks by sort of candidate. [`fit`] adds 1 if the type only converts to an expected one.
const VARIABLE: u8 = 0;
const NAME: u8 = 2;
const WORD: u8 = 4;
const FORM: u8 = 6;
const PLACE: u8 = 8;
const RECIPE: u8 = 10;

/// Which brackets to insert with a form.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// After an open bracket; the arguments that follow stay.
    Head,
    /// After an open bracket of an otherwise empty form that is closed.
    HeadAlone,
    /// After an open bracket that is not closed.
    HeadOpen,
    /// Where there is no bracket yet.
    Whole,
}

impl Candidate {
    /// Creates a candidate that is a single word.
    pub(super) fn word(
        label: &str,
        kind: CandidateKind,
        detail: impl Into<String>,
        rank: u8,
    ) -> Candidate {
        let (text, snippet) = (label.to_owned(), plain(label));
        Candidate {
            label: label.to_owned(),
            kind,
            detail: detail.into(),
            about: String::new(),
            text,
            snippet,
            rank,
        }
    }

    /// Creates a candidate that is a form with these arguments.
    fn form<'n>(
        label: &str,
        kind: CandidateKind,
        detail: String,
        arguments: impl Iterator<Item = &'n str>,
        shape: Shape,
        rank: u8,
    ) -> Candidate {
        let filled: String = arguments
            .zip(1..)
            .map(|(name, number)| format!(" ${{{number}:{}}}", plain(name)))
            .collect();
        let word = plain(label);
        let (text, snippet) = match shape {
            Shape::Head => (label.to_owned(), word),
            Shape::HeadAlone => (label.to_owned(), format!("{word}{filled}")),
            Shape::HeadOpen => (format!("{label})"), format!("{word}{filled})")),
            Shape::Whole => (format!("({label})"), format!("({word}{filled})")),
        };
        Candidate {
            label: label.to_owned(),
            kind,
            detail,
            about: String::new(),
            text,
            snippet,
            rank,
        }
    }

    fn about(self, about: String) -> Candidate {
        Candidate { about, ..self }
    }
}

/// Escapes a text for a snippet.
pub(super) fn plain(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// Ranks how a kind fits the wanted kinds: 0 if it is among them, 1 if it converts to one of them.
pub(super) fn fit(wanted: &[Kind], found: Kind) -> Option<u8> {
    let fits = |&wanted: &Kind| match wanted {
        // `Any` accepts values and statements.
        Kind::Any => is_value(found).then_some(1),
        _ if wanted == found => Some(0),
        _ => crate::language::accepts(wanted, found).then_some(1),
    };
    wanted.iter().filter_map(fits).min()
}

fn is_value(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Any
            | Kind::Number
            | Kind::Condition
            | Kind::Sites
            | Kind::Site
            | Kind::Direction
            | Kind::Directions
            | Kind::Player
            | Kind::Piece
            | Kind::OptionValue
            | Kind::Statement
            | Kind::Domain
    )
}

/// Lists the ludemes that begin a form of a wanted kind.
pub(super) fn ludemes(wanted: &[Kind], shape: Shape) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let adds = |row: &Row| {
        wanted.contains(&Kind::Addition)
            && matches!(row.ludeme, Ludeme::Look | Ludeme::Choose | Ludeme::Define)
    };
    let fitting = |row: &&'static Row| {
        fit(wanted, row.result).or(adds(row).then_some(0)).filter(|_| !row.word)
    };
    for row in TABLE {
        let Some(fit) = fitting(&row) else { continue };
        if candidates.iter().any(|candidate| candidate.label == row.spelling) {
            continue;
        }
        let needed = row
            .slots
            .iter()
            .filter(|slot| matches!(slot.times, Times::One | Times::Some))
            .map(|slot| slot.name);
        let meanings =
            TABLE.iter().filter(|other| other.spelling == row.spelling && fitting(other).is_some());
        let candidate = Candidate::form(
            row.spelling,
            CandidateKind::Ludeme,
            row.signature(),
            needed,
            shape,
            FORM + fit,
        );
        candidates
            .push(candidate.about(meanings.map(page).collect::<Vec<_>>().join("\n\n---\n\n")));
    }
    candidates
}

/// Formats the documentation of a row, in Markdown.
pub(super) fn page(row: &Row) -> String {
    format!(
        "```ludwright\n{}\n```\n{}\n\n```ludwright\n{}\n```",
        row.signature(),
        row.documentation(),
        row.example
    )
}

/// Lists the recipes. Their parts go into the parts of the game, not to the place where the name is
/// typed; see [`super::recipe::complete`].
pub(super) fn recipes(shape: Shape) -> Vec<Candidate> {
    // The arguments that follow the head would be left over.
    if matches!(shape, Shape::Head) {
        return Vec::new();
    }
    let candidate = |recipe: &recipes::Recipe| {
        let about = format!("{}\n\n```ludwright\n{}\n```", recipe.text, recipe.parts);
        let candidate = Candidate::word(recipe.title(), CandidateKind::Recipe, "recipe", RECIPE);
        Candidate { about, text: String::new(), snippet: String::new(), ..candidate }
    };
    recipes::recipes().map(candidate).collect()
}

/// The kinds whose values are words of the language that have no row in the table.
pub(super) const WORD_KINDS: [Kind; 11] = [
    Kind::Edge,
    Kind::Wrapping,
    Kind::Border,
    Kind::Ownership,
    Kind::Beneath,
    Kind::Compared,
    Kind::Grid,
    Kind::Format,
    Kind::Spelled,
    Kind::Color,
    Kind::Figure,
];

/// Lists the single words of a wanted kind.
pub(super) fn words(expected: &Expected, wanted: &[Kind]) -> Vec<Candidate> {
    // A word with several meanings is offered once, with the first of its best-fitting meanings.
    let best = |row: &Row| {
        let fits = rows(row.spelling).filter(|row| row.word).map(|row| fit(wanted, row.result));
        fits.flatten().min()
    };
    let is_best = |row: &&Row| {
        let same = |other: &&Row| other.word && fit(wanted, other.result) == best(row);
        rows(row.spelling).find(same).is_some_and(|first| first.ludeme == row.ludeme)
    };
    let bare = TABLE.iter().filter(|row| row.word).filter(is_best).filter_map(|row| {
        let candidate = Candidate::word(
            row.spelling,
            CandidateKind::Word,
            row.signature(),
            WORD + fit(wanted, row.result)?,
        );
        Some(candidate.about(page(row)))
    });
    let only = WORD_KINDS.into_iter().filter(|kind| wanted.contains(kind));
    let only = only.flat_map(|kind| {
        literals(kind)
            .into_iter()
            .map(move |word| Candidate::word(word, CandidateKind::Word, kind.spelling(), WORD))
    });
    let held = HOLDS
        .iter()
        .filter(|_| wanted.contains(&Kind::Holds))
        .map(|word| Candidate::word(word, CandidateKind::Word, "what it holds", WORD));
    let winds = expected.board.iter().flat_map(|board| board.wind_names());
    let directions = Direction::ALL.into_iter().map(Direction::name).chain(winds);
    let directions = directions.filter_map(|name| {
        Some(Candidate::word(
            name,
            CandidateKind::Direction,
            Kind::Direction.spelling(),
            WORD + fit(wanted, Kind::Direction)?,
        ))
    });
    directions.chain(bare).chain(only).chain(held).collect()
}

/// The types of a memory.
const HOLDS: [&str; 7] = ["number", "sites", "site", "player", "kind", "direction", "condition"];

/// Lists the visible variables of a wanted kind.
pub(super) fn variables(expected: &Expected, wanted: &[Kind]) -> Vec<Candidate> {
    let variables = expected.variables.iter();
    let candidate = |(name, kind): &(String, Kind)| {
        let detail = format!("{name} -> {kind}");
        Some(Candidate::word(
            name,
            CandidateKind::Name(NameKind::Variable),
            detail,
            VARIABLE + fit(wanted, *kind)?,
        ))
    };
    variables.filter_map(candidate).collect()
}

/// Lists the sites of the board, if a site is wanted.
pub(super) fn sites(expected: &Expected, wanted: &[Kind]) -> Vec<Candidate> {
    let Some((board, fit)) = expected.board.as_ref().zip(fit(wanted, Kind::Site)) else {
        return Vec::new();
    };
    board
        .sites()
        .map(|site| {
            Candidate::word(
                board.label(site),
                CandidateKind::Site,
                Kind::Site.spelling(),
                PLACE + fit,
            )
        })
        .collect()
}

/// Lists the declared names of a wanted kind, documented by their declarations.
pub(super) fn names(
    expected: &Expected,
    parts: &[OutlinePart],
    wanted: &[Kind],
    head: bool,
    shape: Shape,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for declared in expected.names.iter().filter(|declared| declared.kind != NameKind::Variable) {
        let part =
            parts.iter().find(|part| part.name == declared.name && declares(part, declared.kind));
        let arguments = part.map_or(&[][..], |part| &part.arguments);
        let kept = declared.kind == NameKind::Memory && wanted.contains(&Kind::Memory);
        // A declaration with an error has no known type, so its name fits any value, with the lower
        // rank.
        let fit = match declared.is {
            _ if kept => Some(0),
            Some(kind) => fit(wanted, kind),
            None => wanted.iter().any(|&kind| is_value(kind)).then_some(1),
        };
        let Some(fit) = fit else { continue };
        let calls = matches!(declared.kind, NameKind::Definition | NameKind::Memory);
        if head && !calls {
            continue;
        }
        let word = declared.kind.word();
        let is = declared.is.map_or(String::new(), |kind| format!(" -> {kind}"));
        let detail = part.map_or(word.to_owned(), |part| format!("{}{is}", part.usage()));
        let candidate = match head || !arguments.is_empty() {
            true => Candidate::form(
                &declared.name,
                CandidateKind::Name(declared.kind),
                detail,
                arguments.iter().map(|(_, name)| name.as_str()),
                shape,
                NAME + fit,
            ),
            false => Candidate::word(
                &declared.name,
                CandidateKind::Name(declared.kind),
                detail,
                NAME + fit,
            ),
        };
        let about = part.map_or("", |part| &part.about);
        candidates.push(candidate.about(if about.is_empty() {
            word.to_owned()
        } else {
            format!("{word}: {about}")
        }));
    }
    candidates
}

/// Tests if a part declares names of that kind.
pub(super) fn declares(part: &OutlinePart, kind: NameKind) -> bool {
    match kind {
        NameKind::Player => part.row.ludeme == Ludeme::Players,
        NameKind::Option => part.row.ludeme == Ludeme::Option,
        NameKind::Piece => part.row.ludeme == Ludeme::PieceKind,
        NameKind::Memory => matches!(part.row.ludeme, Ludeme::Remember | Ludeme::Hand),
        NameKind::Definition => part.row.ludeme == Ludeme::Define,
        NameKind::Path => part.row.ludeme == Ludeme::Path,
        NameKind::Move => part.row.ludeme == Ludeme::MoveRule,
        NameKind::Variable => false,
    }
}
