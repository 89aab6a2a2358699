//! Formats moves, players, results and lists.

use crate::engine::game::{Argument, Move, State, Turn};
use crate::engine::position::Outcome;
use crate::language::rules::{MoveRule, ParameterRole, PlayerId, Rules};

/// Formats a move in canonical spelling: the verb, a space and the arguments, such as `move b2-c3`.
pub fn spell(rules: &Rules, ply: &Move) -> String {
    let rule = &rules.moves[ply.rule.index()];
    let mut text = rule.verb.clone();
    for (index, argument) in ply.arguments.iter().enumerate() {
        text.push(if is_joined(rule, index) { '-' } else { ' ' });
        text.push_str(&spell_argument(rules, argument));
    }
    text
}

/// Formats an argument of a move.
pub(super) fn spell_argument(rules: &Rules, argument: &Argument) -> String {
    match argument {
        Argument::Site(site) => rules.board.label(*site).to_owned(),
        Argument::Direction(direction) => rules.board.direction_name(*direction),
        Argument::Number(number) => number.to_string(),
        Argument::Piece(piece) => rules.pieces[piece.index()].name.clone(),
    }
}

/// Tests if an argument is joined to the preceding one by `-`.
pub(super) fn is_joined(rule: &MoveRule, index: usize) -> bool {
    index > 0
        && index != rule.parameters.len()
        && rule.role(index) == Some(ParameterRole::To)
        && rule.role(index - 1) == Some(ParameterRole::From)
}

/// Returns the pattern of a move, such as `move FROM-TO`, with the arguments of a `then` in
/// brackets.
pub fn form(rule: &MoveRule) -> String {
    let mut text = rule.verb.clone();
    for (index, role) in rule.roles().map(|role| role.role).enumerate() {
        text.push(if is_joined(rule, index) { '-' } else { ' ' });
        if index == rule.parameters.len() {
            text.push('[');
        }
        text.push_str(match role {
            ParameterRole::At => "SITE",
            ParameterRole::From => "FROM",
            ParameterRole::To if is_joined(rule, index) => "TO",
            ParameterRole::To => "SITE",
            ParameterRole::Towards => "DIRECTION",
            ParameterRole::Number => "NUMBER",
            ParameterRole::Piece => "PIECE",
        });
    }
    if !rule.further.is_empty() {
        text.push(']');
    }
    text
}

/// Lists the spellings of all legal moves, sorted by bytes.
pub fn legal(position: &State) -> Vec<String> {
    let rules = position.game().rules();
    let mut spelled: Vec<String> = position.legal().iter().map(|ply| spell(rules, ply)).collect();
    spelled.sort_unstable();
    spelled
}

/// Returns the name of a player.
pub fn player(rules: &Rules, player: PlayerId) -> &str {
    &rules.players[player.index()].name
}

/// Names the players of a player's team: `North and South`.
pub fn partners(rules: &Rules, of: PlayerId) -> String {
    let names: Vec<&str> =
        rules.teams.members(rules.teams.of(of)).map(|one| player(rules, one)).collect();
    list(&names, "and")
}

/// Names a person: by the player as whom he began or, with the pie rule, `the first player` or `the
/// second player`, because colours can change hands.
pub fn person(rules: &Rules, person: PlayerId) -> &str {
    match rules.pie {
        Some(pie) if pie.second == person => "the second player",
        Some(_) => "the first player",
        None => player(rules, person),
    }
}

/// Names a team of [persons](person) by its number, such as `North and South`.
pub fn team(rules: &Rules, team: PlayerId) -> String {
    match rules.teams.has_partners() {
        true => partners(rules, rules.teams.first(team)),
        false => person(rules, team).to_owned(),
    }
}

/// Joins a team and a verb: `White wins`, but `North and South win`.
pub fn team_does(rules: &Rules, team: PlayerId, singular: &str, plural: &str) -> String {
    let verb = if rules.teams.members(team).count() == 1 { singular } else { plural };
    format!("{} {verb}", self::team(rules, team))
}

/// Returns the name of the player to act, `chance`, or `nobody` when the game is over.
pub fn turn(rules: &Rules, turn: Turn) -> &str {
    match turn {
        Turn::Player(mover) => player(rules, mover),
        Turn::Chance => "chance",
        Turn::Nobody => "nobody",
    }
}

/// Formats a result: `NAME wins`, `NAME and NAME win`, `draw`, `draw of NAME and NAME` or
/// `unfinished`.
pub fn outcome(rules: &Rules, outcome: Option<Outcome>) -> String {
    match outcome {
        Some(Outcome::Win(winner)) if rules.teams.has_partners() => {
            team_does(rules, rules.teams.of(winner), "wins", "win")
        }
        Some(Outcome::Win(winner)) => format!("{} wins", player(rules, winner)),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Shared(among)) if among.len() == rules.players.len() => "draw".to_owned(),
        Some(Outcome::Shared(among)) => {
            let names: Vec<&str> = among.iter().map(|one| player(rules, one)).collect();
            format!("draw of {}", list(&names, "and"))
        }
        None => "unfinished".to_owned(),
    }
}

/// Returns the form of a verb after the name of a player: `wins`, but `Raiders win`.
pub fn agreeing<'v>(name: &str, singular: &'v str, plural: &'v str) -> &'v str {
    // Names such as Zeus, Boris, Thomas and Boss are no plurals.
    let is_plural = name.ends_with('s')
        && name.len() > 3
        && !["ss", "us", "is", "as", "os"].iter().any(|end| name.ends_with(end));
    if is_plural { plural } else { singular }
}

/// Formats a result for people: as [`outcome`], but with `Raiders win`, and with `lost` instead of
/// `draw` in a game of one player.
pub fn shown_outcome(rules: &Rules, over: Option<Outcome>) -> String {
    match over {
        Some(Outcome::Draw) if rules.players.len() == 1 => "lost".to_owned(),
        Some(Outcome::Win(winner)) if !rules.teams.has_partners() => {
            let name = player(rules, winner);
            format!("{name} {}", agreeing(name, "wins", "win"))
        }
        over => outcome(rules, over),
    }
}

/// Formats, for use after a score, the score of equally strong players or teams, written by `of`: `
/// (an equal share is 33 %)`. Empty for up to two players, where it is obvious.
pub fn equal_share(players: usize, of: impl FnOnce(f64) -> String) -> String {
    match players {
        0..=2 => String::new(),
        _ => format!(" (an equal share is {})", of(1.0 / players as f64)),
    }
}

/// Joins words for a sentence: `a`, `a or b`, `a, b or c`, where `joint` is the `or`.
pub fn list<S: AsRef<str>>(words: &[S], joint: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {joint} {}", first.join(", "), last.as_ref())
        }
    }
}

/// Makes the first letter of a sentence a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Clips a text to 40 characters and escapes invisible ones.
pub fn clip(text: &str) -> String {
    clip_to(text, 40)
}

/// Clips a text to `most` characters and escapes invisible ones.
pub(super) fn clip_to(text: &str, most: usize) -> String {
    let shown: String = text.chars().take(most).flat_map(char::escape_debug).collect();
    let shown = shown.replace("\\'", "'").replace("\\\"", "\"");
    if text.chars().nth(most).is_some() { format!("{shown}…") } else { shown }
}
