//! What can be offered to somebody who writes: the words of the language, the names of the game,
//! and how each is to be written.

use super::outline::OutlinePart;
use crate::board::Direction;
use crate::language::Expected;
use crate::language::explain::literals;
use crate::language::ludemes::{Kind, Row, TABLE, Times};
use crate::language::names::NameKind;

/// What kind of thing is offered, for its symbol in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// A ludeme that begins a form.
    Ludeme,
    /// A word of the language that stands alone.
    Word,
    Name(NameKind),
    Site,
    Direction,
    /// A value of an option.
    Value,
}

/// Something that could be written.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The word itself.
    pub label: String,
    pub kind: CandidateKind,
    /// Its signature, or what it is, in a line.
    pub detail: String,
    /// What there is to say about it, in Markdown.
    pub about: String,
    /// What is to be written for it.
    pub text: String,
    /// The same with places to fill in, each `${number:name}`, as editors read them.
    pub snippet: String,
    /// The lower, the likelier.
    pub rank: u8,
}

/// Ranks: what is nearest to the author comes first, and of each sort what is just of the type that
/// is wanted.
const VARIABLE: u8 = 0;
const NAME: u8 = 2;
const WORD: u8 = 4;
const FORM: u8 = 6;
const PLACE: u8 = 8;

/// How the form that is written ends.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// A bracket is open already, and what stands behind it stays.
    Head,
    /// A bracket is open already; nothing stands in it, and it is closed.
    HeadAlone,
    /// A bracket is open already, and not closed.
    HeadOpen,
    /// There is no bracket yet.
    Whole,
}

impl Candidate {
    /// A word that stands alone.
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

    /// A word that begins a form with these arguments.
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

/// Writes a text such that a snippet has it as it is.
fn plain(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// How well something of the kind found fits where one of those wanted can stand: 0 is best.
pub(super) fn fit(wanted: &[Kind], found: Kind) -> Option<u8> {
    let fits = |&wanted: &Kind| match wanted {
        // Wherever anything may stand, a value is meant, or a statement.
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

/// The ludemes that begin a form of one of the kinds wanted.
pub(super) fn ludemes(wanted: &[Kind], shape: Shape) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let fitting = |row: &&'static Row| fit(wanted, row.result).filter(|_| !row.word);
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

/// What is said of a row, in Markdown.
pub(super) fn page(row: &Row) -> String {
    format!(
        "```ludwright\n{}\n```\n{}\n\n```ludwright\n{}\n```",
        row.signature(),
        row.documentation(),
        row.example
    )
}

/// The words of the language that are of one of the kinds wanted.
pub(super) fn words(wanted: &[Kind]) -> Vec<Candidate> {
    let bare = TABLE.iter().filter(|row| row.word).filter_map(|row| {
        let candidate = Candidate::word(
            row.spelling,
            CandidateKind::Word,
            row.signature(),
            WORD + fit(wanted, row.result)?,
        );
        Some(candidate.about(page(row)))
    });
    let only = [Kind::Edge, Kind::Wrapping, Kind::Ownership, Kind::Grid, Kind::Color, Kind::Figure]
        .into_iter()
        .filter(|kind| wanted.contains(kind));
    let only = only.flat_map(|kind| {
        literals(kind)
            .into_iter()
            .map(move |word| Candidate::word(word, CandidateKind::Word, kind.spelling(), WORD))
    });
    let held = HOLDS
        .iter()
        .filter(|_| wanted.contains(&Kind::Holds))
        .map(|word| Candidate::word(word, CandidateKind::Word, "what it holds", WORD));
    let directions = Direction::ALL.into_iter().filter_map(|direction| {
        Some(Candidate::word(
            direction.name(),
            CandidateKind::Direction,
            Kind::Direction.spelling(),
            WORD + fit(wanted, Kind::Direction)?,
        ))
    });
    bare.chain(only).chain(held).chain(directions).collect()
}

/// What a memory can hold.
const HOLDS: [&str; 4] = ["number", "sites", "site", "player"];

/// The variables that are of one of the kinds wanted.
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

/// The sites of the board, if a site is wanted.
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

/// The names that the game declares and that are of one of the kinds wanted, with what their
/// declarations say.
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
        // What has failed may be of any kind, last of all.
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

/// Tells if a part declares names of that kind.
pub(super) fn declares(part: &OutlinePart, kind: NameKind) -> bool {
    use crate::language::ludemes::Ludeme;
    match kind {
        NameKind::Player => part.row.ludeme == Ludeme::Players,
        NameKind::Option => part.row.ludeme == Ludeme::Option,
        NameKind::Piece => part.row.ludeme == Ludeme::PieceKind,
        NameKind::Memory => matches!(part.row.ludeme, Ludeme::Remember | Ludeme::Hand),
        NameKind::Definition => part.row.ludeme == Ludeme::Define,
        NameKind::Move => part.row.ludeme == Ludeme::MoveRule,
        NameKind::Variable => false,
    }
}
