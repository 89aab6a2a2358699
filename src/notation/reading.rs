//! Reads moves in canonical spelling, and says why a text is not a legal move.

use super::forms::loose_readings;
use super::spelling::{clip, form, is_joined, list, spell, turn};
use crate::board::Board;
use crate::engine::game::{Argument, Move, State, Turn};
use crate::language::edit_distance::nearest;
use crate::language::rules::{MoveId, MoveRule, ParameterRole, PieceId, Rules};

/// Why a text is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such verb.
    UnknownVerb,
    /// The arguments do not fit the verb.
    WrongArguments,
    /// The board has no such site.
    UnknownSite,
    /// The game is over.
    Over,
    /// The verb is not in the current choice.
    NotNow,
    /// The move is illegal in this position.
    NotAllowed,
}

impl Reason {
    /// Tests if the text names no move of the game, in any position.
    pub fn is_no_move(self) -> bool {
        matches!(self, Reason::UnknownVerb | Reason::WrongArguments | Reason::UnknownSite)
    }
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: Reason,
    /// A sentence without its period.
    pub message: String,
    pub help: Option<String>,
    /// Whether a known word is close to the text, so that a typing error is likely.
    pub slip: bool,
}

impl Refusal {
    fn new(reason: Reason, message: String) -> Refusal {
        Refusal { reason, message, help: None, slip: false }
    }

    fn with_help(mut self, help: String) -> Refusal {
        self.help = Some(help);
        self
    }

    /// Returns message and help as one line.
    pub fn line(&self) -> String {
        match &self.help {
            Some(help) => format!("{}; {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Reads a legal move in its canonical spelling.
///
/// # Errors
/// Names the wrong part, or says only that the move is illegal; [`why::read`](crate::why::read)
/// adds the reason.
pub fn read(position: &State, text: &str) -> Result<Move, Refusal> {
    let ply = read_any(position, text)?;
    if position.legal().contains(&ply) {
        return Ok(ply);
    }
    Err(illegal(position, &ply))
}

/// Reads a well-formed move, legal or not.
fn read_any(position: &State, text: &str) -> Result<Move, Refusal> {
    let rules = position.game().rules();
    let mut words = text.split_whitespace();
    let verb = words.next().unwrap_or("");
    let Some(index) = rules.moves.iter().position(|rule| rule.verb == verb) else {
        return Err(unknown_verb(position, verb));
    };
    let rule = &rules.moves[index];
    let arguments = arguments(rules, rule, &words.collect::<Vec<&str>>())?;
    Ok(Move { rule: MoveId(index as u16), arguments }.in_order(rules))
}

/// Lists the moves that a text may stand for, legal or not: the move with this spelling; or, with
/// the verb left out, moves of the current choice; or moves of any verb; or the moves that people
/// may [mean](super::understand) by the text.
///
/// # Errors
/// Names the wrong part.
pub fn readings(position: &State, text: &str) -> Result<Vec<Move>, Refusal> {
    let refusal = match read_any(position, text) {
        Ok(ply) => return Ok(vec![ply]),
        Err(refusal) => refusal,
    };
    let loose = || {
        let found = loose_readings(position, text);
        if found.is_empty() { Err(refusal.clone()) } else { Ok(found) }
    };
    let now = verbs_now(position);
    if refusal.reason != Reason::UnknownVerb {
        return loose();
    }
    if now.is_empty() {
        return Err(refusal);
    }
    let read = |verbs: Vec<&str>| {
        verbs
            .iter()
            .filter_map(|verb| read_any(position, &format!("{verb} {text}")).ok())
            .collect::<Vec<Move>>()
    };
    let later = || position.game().rules().moves.iter().map(|rule| rule.verb.as_str()).collect();
    let found = [read(now), read(later())].into_iter().find(|found| !found.is_empty());
    found.map_or_else(loose, Ok)
}

/// Lists the legal moves that a text may stand for: the move with this spelling, or else all moves
/// that match with the verb left out.
pub fn completions(position: &State, text: &str) -> Vec<Move> {
    let rules = position.game().rules();
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let spelled = |ply: &&Move| spell(rules, ply) == text;
    if let Some(ply) = position.legal().iter().find(spelled) {
        return vec![ply.clone()];
    }
    let bare =
        |ply: &&Move| spell(rules, ply).split_once(' ').is_some_and(|(_, rest)| rest == text);
    let mut found: Vec<Move> = position.legal().iter().filter(bare).cloned().collect();
    found.sort_by_cached_key(|ply| spell(rules, ply));
    found
}

/// Describes the fault of a text that may be a move without its verb; `None` if the text does not
/// begin like a site.
pub fn refuse_bare(position: &State, text: &str) -> Option<Refusal> {
    // Letters followed by digits look like a site.
    let first = text.split([' ', '\t', '-']).next().unwrap_or("");
    let number = first.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let is_label = number.len() < first.len()
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit());
    let verbs = verbs_now(position).into_iter().filter(|_| is_label);
    let refusals: Vec<Refusal> =
        verbs.filter_map(|verb| read_any(position, &format!("{verb} {text}")).err()).collect();
    let of = |reason: Reason| refusals.iter().find(|refusal| refusal.reason == reason).cloned();
    of(Reason::UnknownSite).or_else(|| of(Reason::WrongArguments))
}

/// Lists the verbs of the current choice in declaration order.
pub(super) fn verbs_now(position: &State) -> Vec<&str> {
    let game = position.game();
    let Some(decision) = position.decision() else { return Vec::new() };
    let moves = &game.decisions()[decision].moves;
    moves.iter().map(|id| game.rules().moves[id.index()].verb.as_str()).collect()
}

fn forms_now(position: &State) -> Vec<String> {
    let game = position.game();
    let Some(decision) = position.decision() else { return Vec::new() };
    let moves = &game.decisions()[decision].moves;
    moves.iter().map(|id| format!("`{}`", form(&game.rules().moves[id.index()]))).collect()
}

fn unknown_verb(position: &State, verb: &str) -> Refusal {
    let rules = position.game().rules();
    let verbs = rules.moves.iter().map(|rule| rule.verb.as_str());
    let near = nearest(verb, verbs);
    let message = match verb {
        "" => "expected a move, found nothing".to_owned(),
        _ => format!("this game has no move `{}`", clip(verb)),
    };
    let forms = forms_now(position);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if forms.is_empty() => "the game is over".to_owned(),
        None => format!("possible now: {}", list(&forms, "or")),
    };
    Refusal { slip: near.is_some(), ..Refusal::new(Reason::UnknownVerb, message).with_help(help) }
}

/// Reads the arguments of a move: one per word, or two joined by `-`. The arguments of the move's
/// `then` are either all present or all missing.
fn arguments(rules: &Rules, rule: &MoveRule, words: &[&str]) -> Result<Vec<Argument>, Refusal> {
    let wrong = || {
        let found = match words {
            [] => "nothing after the verb".to_owned(),
            _ => format!("`{}`", clip(&words.join(" "))),
        };
        Refusal::new(Reason::WrongArguments, format!("expected `{}`, found {found}", form(rule)))
    };
    let mut words = words.iter();
    let mut arguments = Vec::new();
    let mut index = 0;
    while rule.role(index).is_some() {
        if index == rule.parameters.len() && words.len() == 0 {
            break;
        }
        let word = *words.next().ok_or_else(wrong)?;
        if is_joined(rule, index + 1) {
            let (from, to) = word.split_once('-').ok_or_else(wrong)?;
            arguments.push(argument(rules, rule, index, from)?);
            arguments.push(argument(rules, rule, index + 1, to)?);
            index += 2;
        } else {
            arguments.push(argument(rules, rule, index, word)?);
            index += 1;
        }
    }
    match words.next() {
        Some(_) => Err(wrong()),
        None => Ok(arguments),
    }
}

fn argument(rules: &Rules, rule: &MoveRule, index: usize, word: &str) -> Result<Argument, Refusal> {
    let wrong = |kind: &str, known: String| {
        let message = format!("expected {kind}, found `{}`", clip(word));
        let help = format!("it is written `{}`{known}", form(rule));
        Refusal::new(Reason::WrongArguments, message).with_help(help)
    };
    match rule.role(index) {
        None => Err(wrong("nothing more", String::new())),
        Some(ParameterRole::At | ParameterRole::From | ParameterRole::To) => {
            match rules.board.find(word) {
                Some(site) => Ok(Argument::Site(site)),
                None => Err(unknown_site(&rules.board, word)),
            }
        }
        Some(ParameterRole::Towards) => {
            let names = rules.board.direction_names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let known = || format!(", and the directions are {}", list(&names, "and"));
            rules
                .board
                .direction_named(word)
                .map(Argument::Direction)
                .ok_or_else(|| wrong("a direction", known()))
        }
        Some(ParameterRole::Piece) => {
            let names: Vec<&str> = rules.pieces.iter().map(|piece| piece.name.as_str()).collect();
            let found = names.iter().position(|name| *name == word);
            let known = || format!(", and the pieces are {}", list(&names, "and"));
            found
                .map(|index| Argument::Piece(PieceId(index as u16)))
                .ok_or_else(|| wrong("a piece", known()))
        }
        // Only the canonical spelling of a number is accepted, not `+3` or `03`.
        Some(ParameterRole::Number) => match word.parse::<i32>() {
            Ok(number) if number.to_string() == word => Ok(Argument::Number(number)),
            _ => Err(wrong("a whole number", String::new())),
        },
    }
}

/// Refuses an unknown site, with a suggestion or the board's columns and rows.
pub(super) fn unknown_site(board: &Board, word: &str) -> Refusal {
    let refusal =
        Refusal::new(Reason::UnknownSite, format!("the board has no site `{}`", clip(word)));
    let other_case =
        board.sites().map(|site| board.label(site)).find(|label| label.eq_ignore_ascii_case(word));
    if let Some(label) = other_case {
        return Refusal { slip: true, ..refusal.with_help(format!("did you mean `{label}`?")) };
    }
    let mut columns: Vec<(usize, String)> =
        board.cells().map(|site| (board.place(site).0, board.column_letters(site))).collect();
    columns.sort_unstable();
    let rows = board.cells().map(|site| board.row_of(site));
    let (least, most) =
        rows.fold((usize::MAX, 0), |(least, most), row| (least.min(row), most.max(row)));
    match (columns.first(), columns.last()) {
        (Some((_, first)), Some((_, last))) => refusal
            .with_help(format!("its columns are {first} to {last} and its rows {least} to {most}")),
        _ => refusal,
    }
}

/// Says why a well-formed move is not legal, as far as this is known without evaluating its
/// clauses.
fn illegal(position: &State, ply: &Move) -> Refusal {
    let rules = position.game().rules();
    let spelled = spell(rules, ply);
    let verb = &rules.moves[ply.rule.index()].verb;
    let who = turn(rules, position.turn());
    if position.turn() == Turn::Nobody {
        let result = super::shown_outcome(rules, position.outcome());
        return Refusal::new(
            Reason::Over,
            format!("`{spelled}` cannot be played: the game is over ({result})"),
        );
    }
    let verbs = verbs_now(position);
    if !verbs.contains(&verb.as_str()) {
        let to_move = match position.turn() {
            Turn::Chance => "the next ply is a roll".to_owned(),
            _ => format!("{who} {} to move", super::agreeing(who, "is", "are")),
        };
        let phase =
            position.decision().and_then(|index| position.game().decisions()[index].phase.clone());
        let phase = phase.map(|phase| format!(", phase {phase}")).unwrap_or_default();
        let message = format!("`{verb}` is not possible now: {to_move}{phase}");
        return Refusal::new(Reason::NotNow, message)
            .with_help(format!("possible now: {}", list(&forms_now(position), "or")));
    }
    Refusal::new(Reason::NotAllowed, format!("`{spelled}` is illegal"))
}
