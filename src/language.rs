//! The language: its words ([`ludemes`]), and the checker, which turns source texts into typed
//! rules ([`rules`]) or findings ([`finding`]). Execution is left to the compiler and the engine.

pub mod board_expressions;
pub mod board_sizes;
mod builder;
mod check;
pub mod claims;
mod constraints;
mod depth_first;
mod desugar;
pub mod diagram;
pub mod edit_distance;
pub mod explain;
pub mod finding;
pub mod format;
mod leaps;
mod lints;
pub mod look;
pub mod ludemes;
#[cfg(feature = "cli")]
pub mod ludii;
pub mod ludii_hints;
#[cfg(feature = "cli")]
pub mod manual;
pub mod names;
pub mod notations;
mod option_values;
mod piles;
pub mod quantities;
pub mod recipes;
pub mod rules;
pub mod samples;
pub mod sources;
#[cfg(feature = "cli")]
pub mod textmate;
#[cfg(feature = "cli")]
pub mod vim;
pub mod visit;

use crate::board::Board;
use crate::syntax::Span;
use crate::syntax::visible::shorten;
use finding::{Code, Finding};
use ludemes::Kind;
use names::Names;
use rules::Rules;
use rustc_hash::FxHashMap;
use sources::Sources;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// The result of checking a game.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The typed rules; present if and only if no finding is an error and there is no choice fault.
    pub rules: Option<Rules>,
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// In the order of the choices.
    pub choice_faults: Vec<ChoiceFault>,
    /// The names that the game declares, with their uses.
    pub names: Names,
}

/// A `-o Key=Value` that does not fit the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceFault {
    /// A full sentence without its period.
    pub message: String,
    /// The available choices.
    pub help: Option<String>,
}

/// Checks a game. `choices` are names and values of options; the others have their defaults.
///
/// Names are compared exactly, numbers by value, so that `.5` and `0.50` are the same choice.
///
/// ```
/// use ludwright::language::check;
///
/// let text = r#"(game "Fill" (players White Black)
///   (option Size (range 2 4) 3 "Sites along each side.")
///   (board (square Size)) (piece Stone)
///   (move drop (to t (empty)) (put Stone t))
///   (play (turns (choose drop))))"#;
/// let checked = check(text, &[("Size".into(), "2".into())]);
/// let rules = checked.rules.expect("a game without faults");
/// assert_eq!(rules.board.len(), 4);
///
/// let checked = check(&text.replace("(empty)", "(emty)"), &[]);
/// assert_eq!(checked.findings[0].message, "there is no ludeme `emty`");
/// assert_eq!(checked.findings[0].help.as_deref(), Some("did you mean `empty`?"));
/// ```
pub fn check(source: impl Into<Sources>, choices: &[(String, String)]) -> Checked {
    let mut checked = check::check(&source.into(), choices);
    checked.findings = checked.findings.into_iter().map(Finding::shortened).collect();
    for fault in &mut checked.choice_faults {
        fault.message = shorten(&fault.message).into_owned();
        fault.help = fault.help.take().map(|help| shorten(&help).into_owned());
    }
    checked
}

/// What a place of a text can contain.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The expected types; empty if the checker does not reach the place.
    pub kinds: Vec<Kind>,
    /// The visible variables and their types.
    pub variables: Vec<(String, Kind)>,
    /// The names that the game declares.
    pub names: Names,
    /// The board, if it could be built.
    pub board: Option<Arc<Board>>,
}

/// Determines what can stand in place of a word, whatever the word is and whatever other errors the
/// game has.
///
/// ```
/// use ludwright::{language::{expected, ludemes::Kind, sources::Sources}, syntax::Span};
///
/// let text = r#"(game "Fill" (players White Black) (board (square 3)) (piece Stone)
///   (move drop (to t (empty)) (put Stone what)) (play (turns (choose drop))))"#;
/// let place = text.find("what").expect("it is there");
/// let expected = expected(&Sources::from(text), Span::new(place, place + 4));
/// assert_eq!(expected.kinds, [Kind::Sites]);
/// assert_eq!(expected.variables, [(String::from("t"), Kind::Site)]);
/// ```
pub fn expected(sources: &Sources, place: Span) -> Expected {
    check::expected(sources, place)
}

/// An expression typed apart from a game, checked in its scope.
#[derive(Clone, Debug)]
pub struct CheckedExpression {
    /// All that the expression can refer to: the board, players, pieces, memories, definitions and
    /// moves of the game, without its order of play. Spans refer to the text of the game followed
    /// by that of the expression.
    pub rules: Rules,
    pub body: ExpressionBody,
    /// The variable that has no value in the expression, if there is one.
    pub free: Option<FreeVariable>,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExpressionBody {
    /// Never statements.
    Value(rules::Value),
    /// What variables run through: `players`, `(groups (mine))`.
    Domain(rules::Domain),
    /// The chosen value of an option of words.
    Word(String),
}

/// A variable without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeVariable {
    pub variable: rules::Local,
    /// A site, number, direction, player or kind of piece.
    pub kind: Kind,
}

/// Checks the last file of `sources`, which [`Sources::with_text`] appends, as an expression in the
/// scope of the game in the others, without its order of play.
///
/// # Errors
/// Returns the findings; with a game that is free of errors, they are in the text typed, or in a
/// definition that has no value with these options.
///
/// ```
/// use ludwright::language::{check_expression, ludemes::Kind, sources::Sources};
///
/// let game = Sources::from(r#"(game "Fill" (players White Black) (board (square 3)) (piece Stone)
///   (define (Near (site t)) (count (beside t)))
///   (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))"#);
/// let checked = check_expression(&game.with_text("typed", "(> (Near s) 3)"), &[]).expect("an expression");
/// assert_eq!(checked.free.map(|free| free.kind), Some(Kind::Site));
///
/// let findings = check_expression(&game.with_text("typed", "(Neer a1)"), &[]).unwrap_err();
/// assert_eq!(findings[0].help.as_deref(), Some("did you mean `Near`?"));
/// ```
pub fn check_expression(
    sources: &Sources,
    choices: &[(String, String)],
) -> Result<CheckedExpression, Vec<Finding>> {
    check::query(sources, choices)
}

/// Tests if a value of type `found` is accepted where `wanted` is expected: a site is accepted as a
/// region.
pub fn accepts(wanted: Kind, found: Kind) -> bool {
    check::accepts(wanted, found)
}

/// The maximal number of values tried of one option. Of more, an evenly spaced sample is tried.
const MAX_TRIED_VALUES: usize = 8;

/// The budget for trying values, in checked expressions: some tenths of a second. Only a long game
/// with hundreds of values exhausts it, and after the extreme values of each option have been
/// tried.
const MAX_CHECKED_EXPRESSIONS: usize = 1 << 20;

/// Checks an error-free game with the other values of its options, one at a time, and finds the
/// errors that these values cause.
///
/// ```
/// use ludwright::language::{check, check_values, sources::Sources};
///
/// let text = r#"(game "Fill" (players White Black) (option Size (range 2 4) 3 "Sites along each side.")
///   (board (square Size)) (piece Stone)
///   (move drop (to t (and (empty) (not c3))) (put Stone t)) (play (turns (choose drop))))"#;
/// let source = Sources::from(text);
/// let rules = check(source.clone(), &[]).rules.expect("nothing is wrong with it as it is");
/// let findings = check_values(&source, &rules);
/// assert_eq!(findings[0].message, "with `Size=2`: the board has no site `c3`");
/// ```
pub fn check_values(source: &Sources, rules: &Rules) -> Vec<Finding> {
    let mut found: Vec<(Finding, Vec<(usize, usize)>)> = Vec::new();
    let mut places: FxHashMap<(Code, Span), usize> = FxHashMap::default();
    let mut budget = MAX_CHECKED_EXPRESSIONS;
    // The extreme values of every option come first, so that the budget does not run out before all
    // options have been tried.
    let mut tried: Vec<(bool, usize, usize)> = Vec::new();
    for (which, option) in rules.options.iter().enumerate() {
        let count = option.values.len();
        let indices: Vec<usize> = match count > MAX_TRIED_VALUES {
            true => (0..MAX_TRIED_VALUES)
                .map(|index| index * (count - 1) / (MAX_TRIED_VALUES - 1))
                .collect(),
            false => (0..count).collect(),
        };
        let indices = indices.into_iter().filter(|&index| index != option.default);
        tried.extend(indices.map(|index| (index > 0 && index + 1 < count, which, index)));
    }
    tried.sort_unstable();
    for (_, which, index) in tried {
        let option = &rules.options[which];
        let (errors, checked_expressions) =
            check::errors(source, &[(option.name.clone(), option.values[index].clone())]);
        for finding in errors {
            match places.entry((finding.code, finding.span)) {
                Entry::Occupied(place) => {
                    let (known, choices) = &mut found[*place.get()];
                    // The finding of the first value is reported.
                    if choices.iter().all(|&choice| (which, index) < choice) {
                        *known = finding;
                    }
                    choices.push((which, index));
                }
                Entry::Vacant(place) => {
                    place.insert(found.len());
                    found.push((finding, vec![(which, index)]));
                }
            }
        }
        match budget.checked_sub(checked_expressions) {
            Some(left) => budget = left,
            None => break,
        }
    }
    found.sort_by_key(|(finding, _)| (finding.span, finding.code));
    let named = |(finding, mut choices): (Finding, Vec<(usize, usize)>)| {
        choices.sort_unstable();
        let spell = |&(which, index): &(usize, usize)| {
            format!("{}={}", rules.options[which].name, rules.options[which].values[index])
        };
        let choices: Vec<String> = choices.iter().map(spell).collect();
        let message = format!("with {}: {}", edit_distance::list(&choices, "or"), finding.message);
        Finding { code: Code::UnfitValue, message, ..finding }.shortened()
    };
    found.into_iter().map(named).collect()
}
