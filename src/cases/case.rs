//! Parses rule cases; moves and positions stay text, since reading them takes the rules.

use crate::language::edit_distance::nearest;
use crate::notation::{Line, Misread, clip, list};

/// A rule case.
#[derive(Clone, Debug)]
pub struct Case<'t> {
    pub title: &'t str,
    pub options: Vec<(String, String)>,
    /// The lines of the starting position.
    pub position: Option<Vec<Line<'t>>>,
    pub steps: Vec<CaseStep<'t>>,
}

/// A step of a case.
#[derive(Clone, Debug)]
pub struct CaseStep<'t> {
    pub line: Line<'t>,
    pub expectation: Expectation<'t>,
}

/// What a step does or expects.
#[derive(Clone, Debug)]
pub enum Expectation<'t> {
    Legal(Vec<&'t str>),
    Illegal(Vec<&'t str>),
    /// Exactly these moves are legal; with a verb, these are its arguments.
    Moves {
        verb: Option<&'t str>,
        moves: Vec<&'t str>,
    },
    Count(usize),
    Play(Vec<&'t str>),
    Mover(&'t str),
    Result(&'t str),
    Board(Vec<Line<'t>>),
    Now {
        name: &'t str,
        value: &'t str,
    },
}

const KEYS: [&str; 12] = [
    "title", "option", "position", "legal", "illegal", "moves", "count", "play", "mover", "result",
    "then", "now",
];

impl<'t> Case<'t> {
    /// Parses a case.
    ///
    /// # Errors
    /// Names the line that is not part of a case.
    pub fn parse(text: &'t str) -> Result<Case<'t>, Misread> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = Line::split(text);
        let mut rest = &lines[..];
        let mut case = Case { title: "", options: Vec::new(), position: None, steps: Vec::new() };
        while let Some((line, after)) = rest.split_first() {
            rest = after;
            if line.is_blank() {
                continue;
            }
            let at = |message: String| Misread::new(line.number, message);
            let Some((key, value)) = line.entry() else {
                return Err(at(format!("expected `key: value`, found `{}`", clip(line.content()))));
            };
            if case.title.is_empty() && key != "title" {
                return Err(at(format!(
                    "expected `title: One sentence.` first, found `{}:`",
                    clip(key)
                )));
            }
            let started = case.position.is_some() || !case.steps.is_empty();
            let (word, argument) = key.split_once(char::is_whitespace).unwrap_or((key, ""));
            let expectation = match (word, argument.trim()) {
                ("title", "") if case.title.is_empty() && !value.is_empty() => {
                    case.title = value;
                    continue;
                }
                ("title", "") => return Err(at("expected one title".to_owned())),
                ("option", "") if started => {
                    return Err(at("expected `option:` lines directly after the title".to_owned()));
                }
                ("option", "") => {
                    let found =
                        || at(format!("expected `option: Name=Value`, found `{}`", clip(value)));
                    let (name, value) = value.split_once('=').ok_or_else(found)?;
                    case.options.push((name.trim().to_owned(), value.trim().to_owned()));
                    continue;
                }
                ("position", "") if started => {
                    return Err(at("expected `position:` before the first step".to_owned()));
                }
                ("position", "") => {
                    let used = rest
                        .iter()
                        .take_while(|line| !line.entry().is_some_and(|(key, _)| is_key(key)))
                        .count();
                    let (position, after) = rest.split_at(used);
                    case.position = Some(position.to_vec());
                    rest = after;
                    continue;
                }
                ("then", "") => {
                    let used = rest.iter().take_while(|line| line.entry().is_none()).count();
                    let (board, after) = rest.split_at(used);
                    rest = after;
                    Expectation::Board(board.to_vec())
                }
                ("legal", "") => Expectation::Legal(moves(value)),
                ("illegal", "") => Expectation::Illegal(moves(value)),
                ("moves", "") => Expectation::Moves { verb: None, moves: moves(value) },
                ("moves", verb) => Expectation::Moves { verb: Some(verb), moves: moves(value) },
                ("count", "") => match value.parse() {
                    Ok(count) => Expectation::Count(count),
                    Err(_) => {
                        return Err(at(format!("expected a number, found `{}`", clip(value))));
                    }
                },
                ("play", "") => Expectation::Play(moves(value)),
                ("mover", "") => Expectation::Mover(value),
                ("result", "") => Expectation::Result(value),
                ("now", name) if !name.is_empty() => Expectation::Now { name, value },
                _ => return Err(at(unknown(key, word))),
            };
            let needs = match &expectation {
                Expectation::Legal(moves)
                | Expectation::Illegal(moves)
                | Expectation::Play(moves) => moves.is_empty(),
                _ => false,
            };
            if needs {
                return Err(at(format!("expected moves after `{key}:`")));
            }
            case.steps.push(CaseStep { line: *line, expectation });
        }
        match (case.title, case.steps.is_empty()) {
            ("", _) => Err(Misread::new(
                lines.len().max(1),
                "expected `title: One sentence.`, found nothing",
            )),
            (_, true) => Err(Misread::new(
                lines.len(),
                "expected at least one step, such as `play:` or `legal:`, found nothing",
            )),
            _ => Ok(case),
        }
    }
}

fn is_key(key: &str) -> bool {
    let (word, argument) = key.split_once(char::is_whitespace).unwrap_or((key, ""));
    KEYS.contains(&word) && (argument.is_empty() || ["moves", "now"].contains(&word))
}

fn unknown(key: &str, word: &str) -> String {
    let keys = KEYS.map(|key| format!("`{key}:`"));
    let help = match nearest(word, KEYS) {
        Some(near) if !KEYS.contains(&word) => format!("did you mean `{near}:`?"),
        _ => format!("its keys are {}", list(&keys, "and")),
    };
    format!("a case has no `{}:`; {help}", clip(key))
}

fn moves(value: &str) -> Vec<&str> {
    value.split(',').map(str::trim).filter(|spelled| !spelled.is_empty()).collect()
}
