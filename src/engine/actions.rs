//! Numbers every ply that a game can have: the same ply has the same number in all positions.
//!
//! The plies of a move rule are numbered by the values of their arguments, as the digits of a
//! number in mixed radix. Most numbers stand for plies that are legal in no position, such as those
//! from a corner to a site that no piece reaches from there; finding them would take knowing all
//! positions.

use super::PackedMove;
use super::game::{Argument, Game, Move};
use crate::board::Site;
use crate::compile::program::{ParameterSource, Specialization};
use crate::language::rules::{Domain, MoveId, MoveRule, ParameterRole, PieceId, Rules};
use std::ops::Range;

/// The numbers of the plies of a game.
pub struct Actions {
    rules: Vec<RuleActions>,
    count: usize,
    /// By site number: the number of sites on the board before it.
    ranks: Vec<usize>,
    /// The sites of the board, in ascending order.
    sites: Vec<Site>,
}

/// The numbers of the plies of a move rule: from `first` on.
struct RuleActions {
    first: usize,
    /// By argument; the digit of the first argument counts most.
    digits: Vec<Digit>,
}

/// The digit of an argument: the index of its value among all possible values.
struct Digit {
    values: Values,
    /// Whether the argument may be missing; "missing" is then the last of its values.
    optional: bool,
}

enum Values {
    Sites,
    Numbers(Range<i32>),
    /// Directions or kinds of piece.
    Listed(Vec<Argument>),
}

impl Actions {
    /// Numbers the plies; `None` if there are more than `u32::MAX`.
    pub fn new(game: &Game) -> Option<Actions> {
        let (rules, program) = (game.rules(), game.program());
        let sites: Vec<Site> = rules.board.sites().collect();
        let mut ranks = vec![0; rules.board.slots()];
        (0..).zip(&sites).for_each(|(rank, site)| ranks[site.index()] = rank);
        let mut actions = Actions { rules: Vec::new(), count: 0, ranks, sites };
        for (number, rule) in (0..).map(MoveId).zip(&rules.moves) {
            let made: Vec<&Specialization> =
                program.specializations.iter().filter(|made| made.rule == number).collect();
            let roles = rule.roles().enumerate();
            let digits: Vec<Digit> = roles
                .map(|(index, role)| {
                    let sources = || made.iter().filter_map(|made| made.sources.get(index));
                    Digit {
                        values: values(rules, rule, index, role.role, sources(), 64 * game.width()),
                        optional: made.iter().any(|made| made.sources.len() <= index),
                    }
                })
                .collect();
            let mut count = digits.iter().map(|digit| digit.radix(&actions.sites));
            let count = match made.is_empty() {
                true => 0,
                false => count.try_fold(1, |all: usize, one| all.checked_mul(one?))?,
            };
            actions.rules.push(RuleActions { first: actions.count, digits });
            actions.count = actions.count.checked_add(count)?;
            u32::try_from(actions.count).ok()?;
        }
        Some(actions)
    }

    /// Returns how many numbers there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of a ply; `None` if the game cannot have it.
    pub fn number(&self, game: &Game, ply: PackedMove) -> Option<usize> {
        let made = game.program().specializations.get(usize::from(ply.specialization))?;
        let rule = &self.rules[made.rule.index()];
        let mut number = 0;
        for (index, digit) in rule.digits.iter().enumerate() {
            let argument = made.sources.get(index).map(|source| game.argument(ply, source));
            number = number * digit.radix(&self.sites)? + self.digit(digit, argument)?;
        }
        Some(rule.first + number)
    }

    fn digit(&self, digit: &Digit, argument: Option<Argument>) -> Option<usize> {
        match (&digit.values, argument) {
            (_, None) => digit.radix(&self.sites)?.checked_sub(1),
            (Values::Sites, Some(Argument::Site(site))) => self.ranks.get(site.index()).copied(),
            (Values::Numbers(range), Some(Argument::Number(number))) => {
                range.contains(&number).then(|| number.abs_diff(range.start) as usize)
            }
            (Values::Listed(all), Some(argument)) => all.iter().position(|&one| one == argument),
            _ => None,
        }
    }

    /// Returns the ply with this number, which may be legal in no position; `None` if no ply has
    /// it.
    pub fn ply(&self, number: usize) -> Option<Move> {
        if number >= self.count {
            return None;
        }
        let rule = self.rules.partition_point(|rule| rule.first <= number).checked_sub(1)?;
        let RuleActions { first, digits } = &self.rules[rule];
        let mut rest = number - first;
        let mut arguments = Vec::new();
        for digit in digits.iter().rev() {
            let radix = digit.radix(&self.sites)?;
            let value = rest % radix;
            rest /= radix;
            let is_none = digit.optional && value + 1 == radix;
            arguments.push((!is_none).then(|| match &digit.values {
                Values::Sites => Argument::Site(self.sites[value]),
                Values::Numbers(range) => Argument::Number(range.start + value as i32),
                Values::Listed(all) => all[value],
            }));
        }
        arguments.reverse();
        // If an argument is missing, all later ones are missing, too.
        let given = arguments.iter().position(Option::is_none).unwrap_or(arguments.len());
        let are_first = arguments[given..].iter().all(Option::is_none);
        let arguments = arguments.into_iter().flatten().collect();
        are_first.then_some(Move { rule: MoveId(rule as u16), arguments })
    }
}

impl Digit {
    fn radix(&self, sites: &[Site]) -> Option<usize> {
        let values = match &self.values {
            Values::Sites => sites.len(),
            Values::Numbers(range) => range.end.abs_diff(range.start) as usize,
            Values::Listed(all) => all.len(),
        };
        values.checked_add(usize::from(self.optional))
    }
}

/// Returns the values of an argument. A number that is a member of a set is less than `limit` above
/// the least such number.
fn values<'p>(
    rules: &Rules,
    rule: &MoveRule,
    index: usize,
    role: ParameterRole,
    sources: impl Iterator<Item = &'p ParameterSource>,
    limit: usize,
) -> Values {
    match role {
        ParameterRole::At | ParameterRole::From | ParameterRole::To => Values::Sites,
        ParameterRole::Towards => {
            let board = &rules.board;
            let ways = board.ways_of_grid();
            Values::Listed(ways.map(Argument::Direction).collect())
        }
        ParameterRole::Piece => Values::Listed(
            (0..rules.pieces.len() as u16).map(|piece| Argument::Piece(PieceId(piece))).collect(),
        ),
        ParameterRole::Number => match rule.parameters.get(index).map(|one| &one.domain) {
            Some(&Domain::Numbers { least, most, .. }) => {
                Values::Numbers(least..most.saturating_add(1))
            }
            _ => {
                let ranges = sources.filter_map(|source| match *source {
                    ParameterSource::Number(number) => Some(number..number.saturating_add(1)),
                    ParameterSource::MemberNumber(least)
                    | ParameterSource::PrefixNumber(_, least) => {
                        Some(least..least.saturating_add(limit as i32))
                    }
                    _ => None,
                });
                let joined =
                    ranges.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end));
                Values::Numbers(joined.unwrap_or(0..0))
            }
        },
    }
}
