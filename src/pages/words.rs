//! Typed expressions in English, for rule sheets.
//!
//! Numbers and conditions are here; sites, directions, pieces and players in `regions`. Variables
//! and definitions keep their names.

use crate::language::rules::{
    Comparison, Condition, DefinitionId, DirectionOf, Local, MemoryId, Number, PieceOf, PlayerOf,
    Rules, SiteOf, Sites, Spanned, Value,
};
use crate::notation::list;

/// Writes the expressions of a game.
#[derive(Clone, Copy)]
pub struct Words<'r> {
    pub rules: &'r Rules,
}

impl Words<'_> {
    /// Returns the name of a variable.
    pub fn local(self, local: Local) -> String {
        self.rules.locals.get(local.index()).map_or_else(String::new, |local| local.name.clone())
    }

    /// Writes a value by player: once if it is the same for all.
    pub(super) fn by_player(self, player: &Spanned<PlayerOf>, each: Vec<String>) -> String {
        if let Some(first) = each.first().filter(|first| each.iter().all(|other| other == *first)) {
            return first.clone();
        }
        if let PlayerOf::Fixed(fixed) = &player.node
            && let Some(own) = each.get(fixed.index())
        {
            return own.clone();
        }
        let names = self.rules.players.iter().map(|player| player.name.as_str());
        let each: Vec<String> =
            names.zip(&each).map(|(name, each)| format!("{each} for {name}")).collect();
        list(&each, "and")
    }

    pub(super) fn call(self, definition: DefinitionId, values: &[Value]) -> String {
        let name = &self.rules.definitions[definition.index()].name;
        if values.is_empty() {
            return name.clone();
        }
        let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
        format!("{name} of {}", list(&values, "and"))
    }

    /// Writes a value of any type.
    pub fn value(self, value: &Value) -> String {
        match value {
            Value::Number(number) => self.number(&number.node),
            Value::Condition(condition) => self.condition(&condition.node),
            Value::Sites(sites) => self.sites(&sites.node),
            Value::Site(site) => self.site(&site.node),
            Value::Direction(direction) => self.direction(&direction.node),
            Value::Directions(directions) => self.directions(&directions.node),
            Value::Player(player) => self.player(&player.node),
            Value::Piece(piece) => self.piece(&piece.node),
            Value::Statements(_) => "these steps".to_owned(),
        }
    }

    /// Writes a memory: `Supply of White`.
    pub fn memory(
        self,
        memory: MemoryId,
        player: Option<&PlayerOf>,
        site: Option<&SiteOf>,
        kind: Option<&PieceOf>,
        direction: Option<&DirectionOf>,
    ) -> String {
        let name = self.rules.memories[memory.index()].name.clone();
        let of = [
            player.map(|player| self.player(player)),
            kind.map(|kind| self.piece(kind)),
            site.map(|site| self.site(site)),
        ];
        let of: Vec<String> = of.into_iter().flatten().collect();
        let of = if of.is_empty() { String::new() } else { format!(" of {}", list(&of, "and")) };
        let towards = direction.map(|direction| format!(" towards {}", self.direction(direction)));
        format!("{name}{of}{}", towards.unwrap_or_default())
    }

    fn numbers(self, numbers: &[Spanned<Number>]) -> Vec<String> {
        numbers.iter().map(|number| self.number(&number.node)).collect()
    }

    /// Writes a number.
    pub fn number(self, number: &Number) -> String {
        match number {
            Number::Constant(halves) if halves % 2 == 0 => (halves / 2).to_string(),
            Number::Constant(halves) => format!("{}", *halves as f64 / 2.0),
            Number::Local(local) => self.local(*local),
            Number::Memory { memory, player, site, kind } => self.memory(
                *memory,
                player.as_ref().map(|player| &player.node),
                site.as_ref().map(|site| &site.node),
                kind.as_ref().map(|kind| &kind.node),
                None,
            ),
            Number::Add(all) => self.numbers(all).join(" plus "),
            Number::Subtract(from, less) => {
                format!("{} minus {}", self.number(&from.node), self.number(&less.node))
            }
            Number::Multiply(all) => self.numbers(all).join(" times "),
            Number::Divide(of, by) => {
                format!("{} divided by {by}, rounded down", self.number(&of.node))
            }
            Number::Remainder(of, by) => {
                format!("the remainder of {} divided by {by}", self.number(&of.node))
            }
            Number::Least(all) => format!("the least of {}", list(&self.numbers(all), "and")),
            Number::Greatest(all) => {
                format!("the greatest of {}", list(&self.numbers(all), "and"))
            }
            Number::Count(sites) => format!("the number of {}", self.bare(&sites.node)),
            Number::CountWhere(binder, condition) => format!(
                "the number of {} for which {}",
                self.binder(binder),
                self.condition(&condition.node)
            ),
            Number::Sum(binder, each) => {
                format!("the sum of {} over {}", self.number(&each.node), self.binder(binder))
            }
            Number::LeastOver(binder, each) => {
                format!("the least {} over {}", self.number(&each.node), self.binder(binder))
            }
            Number::GreatestOver(binder, each) => {
                format!("the greatest {} over {}", self.number(&each.node), self.binder(binder))
            }
            Number::RowOf(site) => format!("the row of {}", self.site(&site.node)),
            Number::ColumnOf(site) => format!("the column of {}", self.site(&site.node)),
            Number::Distance { from, to, .. } => format!(
                "the number of steps from {} to {}",
                self.site(&from.node),
                self.site(&to.node)
            ),
            Number::ByPlayer(player, each) => self.by_player(player, self.numbers(each)),
            Number::If(condition, then, otherwise) => format!(
                "{} if {}, else {}",
                self.number(&then.node),
                self.condition(&condition.node),
                self.number(&otherwise.node)
            ),
            Number::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes a condition, as it stands after `if`.
    pub fn condition(self, condition: &Condition) -> String {
        let joined = |parts: &[Spanned<Condition>], joint: &str| {
            let part = |part: &Spanned<Condition>| match &part.node {
                Condition::And(_) | Condition::Or(_) if parts.len() > 1 => {
                    format!("({})", self.condition(&part.node))
                }
                _ => self.condition(&part.node),
            };
            parts.iter().map(part).collect::<Vec<String>>().join(&format!(" {joint} "))
        };
        match condition {
            Condition::Constant(true) => "in any case".to_owned(),
            Condition::Constant(false) => "in no case".to_owned(),
            Condition::And(parts) => joined(parts, "and"),
            Condition::Or(parts) => joined(parts, "or"),
            Condition::Not(inner) => match &inner.node {
                Condition::Any(sites) => self.condition(&Condition::None(sites.clone())),
                Condition::None(sites) => self.condition(&Condition::Any(sites.clone())),
                Condition::In(site, sites) => {
                    format!("{} {}", self.site(&site.node), self.is_not(&sites.node, false))
                }
                Condition::SamePlayer(one, other) => {
                    format!("{} is not {}", self.player(&one.node), self.player(&other.node))
                }
                Condition::SameSite(one, other) => {
                    format!("{} is not {}", self.site(&one.node), self.site(&other.node))
                }
                inner => format!("it is not true that {}", self.condition(inner)),
            },
            Condition::Any(sites) if is_named(&sites.node) => {
                format!("{} is not empty", self.sites(&sites.node))
            }
            Condition::None(sites) if is_named(&sites.node) => {
                format!("{} is empty", self.sites(&sites.node))
            }
            Condition::Any(sites) => format!("there is {}", self.one(&sites.node)),
            Condition::None(sites) => {
                let one = self.one(&sites.node);
                let bare = one.strip_prefix("a ").or_else(|| one.strip_prefix("an "));
                format!("there is no {}", bare.unwrap_or(&one))
            }
            Condition::In(site, sites) => {
                format!("{} {}", self.site(&site.node), self.is(&sites.node, false))
            }
            Condition::Exists(binder, condition) => {
                format!("for some {}, {}", self.binder(binder), self.condition(&condition.node))
            }
            Condition::Every(binder, condition) => {
                format!("for each {}, {}", self.binder(binder), self.condition(&condition.node))
            }
            Condition::Compare(comparison, left, right) => {
                let is = match comparison {
                    Comparison::Equal => "is",
                    Comparison::Unequal => "is not",
                    Comparison::Less => "is less than",
                    Comparison::AtMost => "is at most",
                    Comparison::Greater => "is more than",
                    Comparison::AtLeast => "is at least",
                };
                format!("{} {is} {}", self.number(&left.node), self.number(&right.node))
            }
            Condition::SamePlayer(one, other) => {
                format!("{} is {}", self.player(&one.node), self.player(&other.node))
            }
            Condition::SameSite(one, other) => {
                format!("{} is {}", self.site(&one.node), self.site(&other.node))
            }
            Condition::SameDirection(one, other) => {
                format!("{} is {}", self.direction(&one.node), self.direction(&other.node))
            }
            Condition::SameKind(one, other) => {
                format!("{} is {}", self.piece(&one.node), self.piece(&other.node))
            }
            Condition::Can(player, moves) => {
                let verbs: Vec<&str> =
                    moves.iter().map(|rule| self.rules.moves[rule.index()].verb.as_str()).collect();
                format!("{} can make a move {}", self.player(&player.node), list(&verbs, "or"))
            }
            Condition::Connected(sites, directions) => {
                format!("{} are connected {}", self.sites(&sites.node), self.how(&directions.node))
            }
            Condition::ByPlayer(player, each) => {
                let each = each.iter().map(|each| self.condition(&each.node)).collect();
                self.by_player(player, each)
            }
            Condition::Memory { memory, player } => {
                let player = player.as_ref().map(|player| &player.node);
                format!("{} is true", self.memory(*memory, player, None, None, None))
            }
            Condition::Local(local) => format!("{} is true", self.local(*local)),
            Condition::Call(definition, values) => {
                format!("{} is true", self.call(*definition, values))
            }
        }
    }
}

/// Tests if a region is written by its name.
fn is_named(sites: &Sites) -> bool {
    matches!(sites, Sites::Local(_) | Sites::Call(..) | Sites::Memory { .. })
}
