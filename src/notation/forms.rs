//! Understands moves as people type them: without the verb or with its beginning, sites in any case
//! and with any sign between them (`b5b4`, `B5 b4`, `b5xb4`), or only the parts that distinguish a
//! move from the others: its target, a piece and a direction, a verb.

use super::reading::{completions, verbs_now};
use super::spelling::spell;
use crate::board::{Direction, Site};
use crate::engine::game::{Argument, Move, State};
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{MoveId, MoveRule, ParameterRole, PieceId, Rules};

/// The most characters of a line that is read this way.
const LONGEST: usize = 200;

/// Lists the legal moves that a text may stand for, by spelling: the moves with this
/// [spelling](completions) if there are any, or else the moves of the first of these readings that
/// has any:
///
/// - All arguments are given; the verb is left out or begun.
/// - Some arguments are given, the last of them the site where the move ends.
/// - Some arguments, or the verb alone, are given.
/// - The kind or symbol of the piece that moves, and the site where the move ends: `Nf3`.
/// - A direction, and the site from which the piece moves in it if several can.
pub fn understand(position: &State, text: &str) -> Vec<Move> {
    let exact = completions(position, text);
    if !exact.is_empty() || text.chars().nth(LONGEST).is_some() {
        return exact;
    }
    let rules = position.game().rules();
    let legal = |plies: Vec<Move>| -> Vec<Move> {
        plies.into_iter().filter(|ply| position.legal().contains(ply)).collect()
    };
    let whole = loose_readings(position, text);
    // A text that can be read as a whole move means that move, even if it is illegal. Without the
    // choices of a `then`, it may also be a part of another move.
    let is_whole = |ply: &Move| {
        let rule = &rules.moves[ply.rule.index()];
        rule.further.is_empty() || ply.arguments.len() > rule.parameters.len()
    };
    let is_certain = whole.iter().any(is_whole);
    let whole = legal(whole);
    if is_certain || !whole.is_empty() {
        return sorted(rules, whole);
    }
    let words = atoms(text);
    let partial: Vec<&Move> =
        position.legal().iter().filter(|ply| is_part_of(rules, &words, ply)).collect();
    let ends = |ply: &&&Move| {
        words.last().is_some_and(|word| {
            let mut sites = ply.arguments.iter().filter(|one| matches!(one, Argument::Site(_)));
            sites.next_back().is_some_and(|last| is_argument(rules, word, last))
        })
    };
    let ending: Vec<Move> = partial.iter().filter(ends).map(|&ply| ply.clone()).collect();
    if !ending.is_empty() {
        return sorted(rules, ending);
    }
    if !partial.is_empty() {
        return sorted(rules, partial.into_iter().cloned().collect());
    }
    if let [word] = &split(text)[..] {
        let snapshot = position.snapshot();
        let of_kind = |ply: &&Move| is_of_kind(rules, &snapshot, word, ply);
        let moved: Vec<Move> = position.legal().iter().filter(of_kind).cloned().collect();
        if !moved.is_empty() {
            return sorted(rules, moved);
        }
    }
    let towards = position.legal().iter().filter(|ply| leads_towards(rules, &words, ply));
    sorted(rules, towards.cloned().collect())
}

fn sorted(rules: &Rules, mut plies: Vec<Move>) -> Vec<Move> {
    plies.sort_by_cached_key(|ply| spell(rules, ply));
    plies.dedup();
    plies
}

/// Lists the complete moves that a text may stand for, legal or not: moves of the current choice,
/// or else moves of any verb.
pub(super) fn loose_readings(position: &State, text: &str) -> Vec<Move> {
    if text.chars().nth(LONGEST).is_some() {
        return Vec::new();
    }
    let rules = position.game().rules();
    let words = split(text);
    let atoms = atoms(text);
    let mut verbs: Vec<&MoveRule> = rules.moves.iter().collect();
    // A whole verb is not read as the beginning of another verb.
    if let Some(first) = words.first()
        && let Some(rule) = verbs.iter().copied().find(|rule| rule.verb.eq_ignore_ascii_case(first))
    {
        verbs = vec![rule];
    }
    let now = verbs_now(position);
    let (now, later): (Vec<&MoveRule>, Vec<&MoveRule>) =
        verbs.into_iter().partition(|rule| now.contains(&rule.verb.as_str()));
    let read = |verbs: Vec<&MoveRule>| -> Vec<Move> {
        let readings = verbs.into_iter().flat_map(|rule| {
            [&words, &atoms].into_iter().filter_map(|words| assigned(rules, rule, words))
        });
        let mut found: Vec<Move> = Vec::new();
        for ply in readings {
            if !found.contains(&ply) {
                found.push(ply);
            }
        }
        found
    };
    let found = read(now);
    if found.is_empty() { read(later) } else { found }
}

/// Reads words as the arguments of a move, with its verb, the beginning of its verb, or without it.
fn assigned(rules: &Rules, rule: &MoveRule, words: &[String]) -> Option<Move> {
    let arguments = |words: &[String]| -> Option<Vec<Argument>> {
        let with_further = rule.parameters.len() + rule.further.len();
        if words.len() != rule.parameters.len() && words.len() != with_further {
            return None;
        }
        let roles = rule.roles().zip(words);
        roles.map(|(role, word)| argument(rules, role.role, word)).collect()
    };
    // Without arguments, the beginning of a verb could also begin other verbs.
    let is_verb = |first: &str, rest: &[String]| match rest {
        [] => rule.verb.eq_ignore_ascii_case(first),
        _ => begins(&rule.verb, first),
    };
    let begun = words.split_first().filter(|(first, rest)| is_verb(first, rest));
    let found = begun
        .and_then(|(_, rest)| arguments(rest))
        .or_else(|| arguments(words).filter(|found| !found.is_empty()))?;
    let index = rules.moves.iter().position(|known| std::ptr::eq(known, rule))?;
    Some(Move { rule: MoveId(index as u16), arguments: found }.in_order(rules))
}

/// Reads an argument: sites and directions in any case, kinds of piece by the beginning of their
/// names or by their symbols.
fn argument(rules: &Rules, role: ParameterRole, word: &str) -> Option<Argument> {
    match role {
        ParameterRole::At | ParameterRole::From | ParameterRole::To => {
            site(rules, word).map(Argument::Site)
        }
        ParameterRole::Towards => direction(rules, word).map(Argument::Direction),
        ParameterRole::Piece => kind(rules, word).map(Argument::Piece),
        ParameterRole::Number => word.parse().ok().map(Argument::Number),
    }
}

fn site(rules: &Rules, word: &str) -> Option<Site> {
    let board = &rules.board;
    let find = |word: &str| {
        board
            .find(word)
            .or_else(|| board.find(&word.to_ascii_lowercase()))
            .or_else(|| board.find(&word.to_ascii_uppercase()))
    };
    // Skips the sign of a capture.
    find(word).or_else(|| find(word.strip_prefix(['x', 'X', '×', ':'])?))
}

fn direction(rules: &Rules, word: &str) -> Option<Direction> {
    let board = &rules.board;
    let is_named = |way: &Direction| board.direction_name(*way).eq_ignore_ascii_case(word);
    Direction::from_name(&word.to_ascii_uppercase())
        .or_else(|| board.track_ways().iter().copied().find(is_named))
}

/// Finds the only kind with this name, beginning of a name, or symbol.
fn kind(rules: &Rules, word: &str) -> Option<PieceId> {
    let find = |fits: &dyn Fn(usize) -> bool| {
        let mut found = (0..rules.pieces.len()).filter(|&index| fits(index));
        found.next().filter(|_| found.next().is_none()).map(|index| PieceId(index as u16))
    };
    find(&|index| rules.pieces[index].name.eq_ignore_ascii_case(word))
        .or_else(|| {
            let is_symbol = |symbol: &String| symbol.eq_ignore_ascii_case(word);
            find(&|index| rules.pieces[index].symbols.iter().any(is_symbol))
        })
        .or_else(|| find(&|index| begins(&rules.pieces[index].name, word)))
}

/// Tests if a word is the beginning of a name, in any case.
fn begins(name: &str, word: &str) -> bool {
    !word.is_empty() && name.get(..word.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(word))
}

/// Splits a text at blanks, arrows, and hyphens after a letter or digit.
pub fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for letter in text.chars() {
        let separates = letter.is_whitespace()
            || matches!(letter, '→' | '>' | '–' | '—')
            || letter == '-' && last.is_alphanumeric();
        match words.last_mut() {
            Some(word) if !separates => word.push(letter),
            _ => words.push(String::new()),
        }
        last = letter;
    }
    words.retain(|word| !word.is_empty() && word != "-");
    words
}

/// Splits a text as [`split`] does, and each word after the number of a site: `b5b4`.
pub fn atoms(text: &str) -> Vec<String> {
    let mut atoms: Vec<String> = Vec::new();
    for word in split(text) {
        let mut atom = String::new();
        for letter in word.chars() {
            let numbered = atom.chars().next_back().is_some_and(|last| last.is_ascii_digit());
            if numbered && !letter.is_ascii_digit() {
                atoms.push(std::mem::take(&mut atom));
            }
            atom.push(letter);
        }
        atoms.push(atom);
    }
    atoms
}

fn is_argument(rules: &Rules, word: &str, found: &Argument) -> bool {
    match found {
        Argument::Site(known) => site(rules, word) == Some(*known),
        Argument::Direction(known) => direction(rules, word) == Some(*known),
        Argument::Piece(known) => kind(rules, word) == Some(*known),
        Argument::Number(known) => word.parse() == Ok(*known),
    }
}

/// Tests if words are some of a move's arguments in their order, perhaps after its verb or the
/// beginning of its verb.
fn is_part_of(rules: &Rules, words: &[String], ply: &Move) -> bool {
    let are_arguments = |words: &[String]| {
        let mut left = ply.arguments.iter();
        words.iter().all(|word| left.any(|found| is_argument(rules, word, found)))
    };
    let verb = &rules.moves[ply.rule.index()].verb;
    match words.split_first() {
        Some((first, rest)) => begins(verb, first) && are_arguments(rest) || are_arguments(words),
        None => false,
    }
}

/// Tests if a word is the kind of the piece on a move's first site, directly followed by the move's
/// last site.
fn is_of_kind(rules: &Rules, snapshot: &Snapshot, word: &str, ply: &Move) -> bool {
    let mut sites = ply.arguments.iter().filter_map(|argument| match argument {
        Argument::Site(site) => Some(*site),
        _ => None,
    });
    let (Some(first), Some(last)) = (sites.next(), sites.next_back()) else { return false };
    let Some(moved) = snapshot.pieces.get(first.index()).copied().flatten() else { return false };
    word.char_indices().skip(1).any(|(index, _)| {
        kind(rules, &word[..index]) == Some(moved.piece)
            && site(rules, &word[index..]) == Some(last)
    })
}

/// Tests if a move goes from one site to another in the direction named by the last word. A word
/// before it names the first site; the beginning of the verb may come first.
fn leads_towards(rules: &Rules, words: &[String], ply: &Move) -> bool {
    let Some((towards, before)) = words.split_last() else { return false };
    let Some(towards) = direction(rules, towards) else { return false };
    let rule = &rules.moves[ply.rule.index()];
    let of_role = |role: ParameterRole| {
        let index = rule.parameters.iter().position(|parameter| parameter.role == role)?;
        match ply.arguments.get(index) {
            Some(Argument::Site(site)) => Some(*site),
            _ => None,
        }
    };
    let (Some(from), Some(to)) = (of_role(ParameterRole::From), of_role(ParameterRole::To)) else {
        return false;
    };
    let fits = match before {
        [] => true,
        [one] => site(rules, one) == Some(from) || begins(&rule.verb, one),
        [verb, one] => begins(&rule.verb, verb) && site(rules, one) == Some(from),
        _ => false,
    };
    let board = &rules.board;
    // A line on a board that wraps returns to its beginning.
    let line = std::iter::successors(board.step(from, towards), |&at| board.step(at, towards));
    fits && line.take(board.len()).any(|at| at == to)
}
