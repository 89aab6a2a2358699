//! How statements are written: sentences with slots for their parts.

use super::known::type_and_kind;
use super::reader::{self, Around, Reader, Type};
use ludwright::language::rules::{Condition, MoveId, Number, Rules, Sites, Spanned, Statement};
use ludwright::language::visit::Expression;
use ludwright::reference::{Region, Value};

/// Says how a statement of a game is written; `None` if its sentence has no parts of its own.
pub fn template(statement: &Statement, rules: &Rules) -> Option<&'static str> {
    let piled = rules.piles.is_some();
    Some(match statement {
        Statement::Require(_) => "This is allowed only if {0}",
        Statement::If { .. } => "If {0}",
        Statement::While(..) => "As long as {0}",
        Statement::Repeat(..) => "This many times: {0}",
        Statement::Chain { .. } => "For each site [v] of <0>, and of those that are added",
        Statement::Join(_) => "Add {0}",
        Statement::Put { at: Spanned { node: Sites::One(_), .. }, beneath: true, .. } => {
            "Put [k] beneath what is on {s}"
        }
        Statement::Put {
            at: Spanned { node: Sites::Literal(sites), .. }, beneath: true, ..
        } if sites.len() == 1 => "Put [k] beneath what is on {s}",
        Statement::Put { beneath: true, .. } => "Put [k] beneath what is on each of {1}",
        Statement::Put { at: Spanned { node: Sites::One(_), .. }, .. } => "Put [k] on {s}",
        Statement::Put { at: Spanned { node: Sites::Literal(sites), .. }, .. }
            if sites.len() == 1 =>
        {
            "Put [k] on {s}"
        }
        Statement::Put { .. } => "Put [k] on each of {1}",
        Statement::Remove { number: None, .. } => "Remove what is on {0}",
        Statement::Remove { number: Some(Spanned { node: Number::Constant(2), .. }), .. } => {
            "Remove the piece from the top of each pile on <0>"
        }
        Statement::Remove { .. } => "Remove {1} pieces from the top of each pile on <0>",
        Statement::Relocate { number: None, beneath: false, .. } if piled => {
            "Move what is on <0> to {1}"
        }
        Statement::Relocate { number: None, beneath: false, .. } => "Move the piece on <0> to {1}",
        Statement::Relocate { number: None, .. } => "Move what is on <0> beneath what is on {1}",
        Statement::Relocate {
            number: Some(Spanned { node: Number::Constant(2), .. }),
            beneath,
            ..
        } => match beneath {
            false => "Move the piece from the top of <0> to {1}",
            true => "Move the piece from the top of <0> beneath what is on {1}",
        },
        Statement::Relocate { beneath: false, .. } => "Move {2} pieces from the top of <0> to {1}",
        Statement::Relocate { .. } => "Move {2} pieces from the top of <0> beneath what is on {1}",
        Statement::Shift { .. } => {
            "Move the pieces on <0> one step towards <1>; what stands in their way or leaves the board is removed"
        }
        Statement::Swap(..) => "Exchange what is on <0> and {1}",
        Statement::Convert { .. } => "The pieces on <0> now belong to {1}",
        Statement::Replace { .. } => "Each piece on <1> becomes [k]",
        Statement::Cut(_) => "Take <0> out of play",
        Statement::SetCondition {
            to: Spanned { node: Condition::Constant(holds), .. }, ..
        } => {
            if *holds {
                "Set [m] to true"
            } else {
                "Set [m] to false"
            }
        }
        Statement::SetCondition { .. } => "Set [m] to whether {0}",
        Statement::SetNumber { .. }
        | Statement::SetSite { .. }
        | Statement::SetSites { .. }
        | Statement::SetPlayer { .. }
        | Statement::SetKind { .. }
        | Statement::SetDirection { .. } => "Set [m] to {0}",
        Statement::Raise { .. } => "Raise [m] by {0}",
        Statement::Lower { .. } => "Lower [m] by {0}",
        Statement::Mark { .. } => "Mark <0> as [m]",
        Statement::Unmark { .. } => "Unmark <0> as [m]",
        Statement::Win(_) => "<0> wins",
        Statement::Lose(_) => "<0> loses",
        Statement::DropOut(_) if rules.teams.has_partners() => {
            "<0> drops out with the whole team; the last team left wins"
        }
        Statement::DropOut(_) => "<0> drops out; the last one left wins",
        Statement::ByScore(..) if rules.teams.has_partners() => {
            "The team whose players [v] have the greatest sum of scores wins: {0} . If the greatest is shared, the game is drawn"
        }
        Statement::ByScore(..) => {
            "The player [v] with the greatest score wins: {0} . If the greatest is shared, the game is drawn"
        }
        Statement::Turn(..) => "A turn of {0}",
        Statement::Choose { moves, .. } if moves.len() == 1 => "The player makes this move: [or]",
        Statement::Choose { .. } => "The player makes one of these moves: [or]",
        Statement::Chance(_) => "Chance decides: [or]",
        Statement::Steps { ending: Spanned { node: Condition::Constant(true), .. }, .. } => {
            "The player makes <0> plies ( [or] ) , or as many as possible"
        }
        Statement::Steps { .. } => {
            "The player makes <0> plies ( [or] ) , or as many as possible, such that at their end {1}"
        }
        _ => return None,
    })
}

/// Lists the moves that a statement offers.
pub fn verbs(statement: &Statement) -> Vec<MoveId> {
    match statement {
        Statement::Choose { moves, .. } | Statement::Steps { moves, .. } => moves.clone(),
        Statement::Chance(rule) => vec![*rule],
        _ => Vec::new(),
    }
}

type Slot<'g> = (usize, reader::Means<'g, Value>);

/// Reads a sentence: which part of the statement each of its slots means.
pub fn by_template<'g>(
    reader: &Reader<'g>,
    template: &str,
    parts: &[Expression],
    moves: &[MoveId],
) -> Option<Vec<Slot<'g>>> {
    let kind_of = |index: usize| type_and_kind(parts[index]).0;
    // The qualifiers of a memory come before what it is set to.
    let last = parts.len().saturating_sub(1);
    let has_memory = template.contains("[m]");
    let place = |index: usize| if has_memory { last } else { index };
    let mut read: Vec<Slot> = Vec::new();
    let spaced = template.replace(", ", " , ").replace("; ", " ; ");
    for (at, word) in spaced.split_whitespace().enumerate() {
        match word {
            "<0>" => read.push((place(0), reader.value(kind_of(place(0)), true)?)),
            "<1>" => read.push((1, reader.value(kind_of(1), true)?)),
            "{2}" => read.push((2, reader.value(kind_of(2), false)?)),
            "{0}" => read.push((place(0), reader.value(kind_of(place(0)), false)?)),
            "{1}" => read.push((1, reader.value(kind_of(1), false)?)),
            "{s}" => {
                let site = reader.site()?;
                let sites = reader::means(move |around: &Around<'g>| {
                    let site = site(around);
                    Value::Sites(Region::of(&around.rules.board, |one| Some(one) == site))
                });
                read.push((1, sites?));
            }
            "[v]" => drop(reader.next()?),
            // `step`, `step or jump`, `step, jump or pass`: each once.
            "[or]" => {
                let mut named = Vec::new();
                loop {
                    let verb = reader.next()?;
                    let rule = reader.rules.moves.iter().position(|rule| rule.verb == verb)?;
                    named.push(MoveId(rule as u16));
                    let is_last = named.len() + 1 == moves.len();
                    if named.len() == moves.len() || !reader.eat(if is_last { "or" } else { "," }) {
                        break;
                    }
                }
                if named != moves {
                    return None;
                }
            }
            "[k]" => {
                if !reader.eat("a") {
                    reader.expect("an")?;
                }
                reader.eat("piece of kind");
                read.push((0, reader.value(Type::Piece, true)?));
                if parts.len() > 2 {
                    reader.expect("of")?;
                    read.push((2, reader.value(Type::Player, true)?));
                }
            }
            "[m]" => {
                let is_grouped = reader.eat("(");
                let name = reader.next()?;
                reader.rules.memories.iter().find(|memory| memory.name == name)?;
                let qualifiers = [Type::Player, Type::Piece, Type::Number, Type::Site].into_iter();
                let places: Vec<usize> = qualifiers
                    .filter_map(|kind| (0..last).find(|&index| kind_of(index) == kind))
                    .collect();
                if !places.is_empty() {
                    reader.expect("of")?;
                    let types: Vec<Type> = places.iter().map(|&index| kind_of(index)).collect();
                    read.extend(places.into_iter().zip(reader.listed(&types)?));
                }
                if let Some(index) = (0..last).find(|&index| kind_of(index) == Type::Direction) {
                    reader.expect("towards")?;
                    read.push((index, reader.value(Type::Direction, true)?));
                }
                if is_grouped {
                    reader.expect(")")?;
                }
            }
            word => {
                let small = word.to_lowercase();
                let is_first = at == 0 && reader.eat(&small);
                // `Raiders win`.
                let is_verb = ["wins", "loses", "drops"].contains(&word);
                let is_plural = is_verb && reader.eat(word.trim_end_matches('s'));
                if !is_first && !is_plural {
                    reader.expect(word)?;
                }
            }
        }
    }
    (reader.at.get() == reader.words.len()).then_some(read)
}
