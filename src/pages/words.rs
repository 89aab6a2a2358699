//! Typed expressions in English, for rule sheets.
//!
//! Numbers and conditions are here; regions in `regions`; sites, directions, pieces and players in
//! `singles`. Variables and definitions keep their names. Every phrase can be read back: the tests
//! evaluate the meaning of phrases, and compare the value with the expression's.

use super::phrase::Phrase;
use crate::language::rules::{
    Comparison, Condition, DefinitionId, DirectionOf, KeyOf, Local, MemoryId, Number, PlayerId,
    PlayerOf, Rules, SiteOf, Sites, Spanned, Value,
};

/// Writes the expressions of a game.
#[derive(Clone, Copy)]
pub struct Words<'r> {
    pub rules: &'r Rules,
}

/// The qualifiers of a memory: owner, site, kind or number, direction.
#[derive(Clone, Copy, Default)]
pub(super) struct Place<'r> {
    pub player: Option<&'r Spanned<PlayerOf>>,
    pub site: Option<&'r Spanned<SiteOf>>,
    pub key: Option<&'r KeyOf>,
    pub direction: Option<&'r Spanned<DirectionOf>>,
}

impl<'r> Words<'r> {
    /// Returns the name of a variable.
    pub fn local(self, local: Local) -> Phrase {
        let name = self.rules.locals.get(local.index()).map_or("", |local| &local.name);
        Phrase::closed(name)
    }

    /// Writes a value that differs by player. Each phrase is for a mover, not for the player: by
    /// `(next mover)`, the phrase for White is Black's value.
    pub(super) fn by_player(self, player: &Spanned<PlayerOf>, each: &[Phrase]) -> Phrase {
        if let Some(first) = each.first().filter(|first| each.iter().all(|other| other == *first)) {
            return first.clone();
        }
        let movers = (0..each.len() as u16).map(PlayerId);
        let by_mover: Option<Vec<&Phrase>> =
            movers.map(|mover| each.get(self.player_for(mover, &player.node)?.index())).collect();
        let (whose, each) = match by_mover {
            Some(by_mover) => {
                if let [first, others @ ..] = &by_mover[..]
                    && others.iter().all(|other| other == first)
                {
                    return (*first).clone();
                }
                (None, by_mover)
            }
            None => (Some(self.player(&player.node).part()), each.iter().collect()),
        };
        let names = self.rules.players.iter().map(|player| player.name.as_str());
        let each: Vec<Phrase> = names
            .zip(each)
            .map(|(name, each)| {
                let each = each.part();
                Phrase::closed(match &whose {
                    None => format!("{each} for {name}"),
                    Some(whose) => format!("{each} where {whose} is {name}"),
                })
            })
            .collect();
        Phrase::list(&each, "and")
    }

    /// Returns the player that an expression stands for when `mover` moves; `None` if this depends
    /// on the position or on a variable.
    fn player_for(self, mover: PlayerId, player: &PlayerOf) -> Option<PlayerId> {
        match player {
            PlayerOf::Fixed(player) => Some(*player),
            PlayerOf::Mover => Some(mover),
            PlayerOf::Next(of) if self.rules.drop_outs.is_none() => {
                let of = self.player_for(mover, &of.node)?;
                Some(PlayerId((of.0 + 1) % self.rules.players.len() as u16))
            }
            PlayerOf::ByPlayer(player, each) => {
                let own = each.get(self.player_for(mover, &player.node)?.index())?;
                self.player_for(mover, &own.node)
            }
            _ => None,
        }
    }

    pub(super) fn call(self, definition: DefinitionId, values: &[Value]) -> Phrase {
        let name = &self.rules.definitions[definition.index()].name;
        let values: Vec<Phrase> = values.iter().map(|value| self.value(value)).collect();
        match &values[..] {
            [] => Phrase::closed(name),
            [value] => Phrase::closed(format!("{name} of {}", value.part())),
            _ => Phrase::open(format!("{name} of {}", Phrase::list(&values, "and"))),
        }
    }

    /// Writes a value of any type.
    pub fn value(self, value: &Value) -> Phrase {
        match value {
            Value::Number(number) => self.number(&number.node),
            Value::Condition(condition) => self.condition(&condition.node),
            Value::Sites(sites) => self.sites(&sites.node),
            Value::Site(site) => self.site(&site.node),
            Value::Direction(direction) => self.direction(&direction.node),
            Value::Directions(directions) => self.directions(&directions.node),
            Value::Player(player) => self.player(&player.node),
            Value::Piece(piece) => self.piece(&piece.node),
            Value::Statements(_) => Phrase::closed("these steps"),
        }
    }

    /// Writes a memory: `Supply of White`.
    pub(super) fn memory(self, memory: MemoryId, place: Place) -> Phrase {
        let name = &self.rules.memories[memory.index()].name;
        let of = [
            place.player.map(|player| self.player(&player.node)),
            place.key.map(|key| match key {
                KeyOf::Kind(kind) => self.piece(&kind.node),
                KeyOf::Number(number) => self.number(&number.node),
            }),
            place.site.map(|site| self.site(&site.node)),
        ];
        let of: Vec<Phrase> = of.into_iter().flatten().collect();
        let towards = place.direction.map_or_else(String::new, |direction| {
            format!(" towards {}", self.direction(&direction.node).part())
        });
        match &of[..] {
            [] => Phrase::closed(format!("{name}{towards}")),
            [of] => Phrase::closed(format!("{name} of {}{towards}", of.part())),
            _ => Phrase::open(format!("{name} of {}{towards}", Phrase::list(&of, "and"))),
        }
    }

    fn numbers(self, numbers: &[Spanned<Number>]) -> Vec<Phrase> {
        numbers.iter().map(|number| self.number(&number.node)).collect()
    }

    /// Writes a number.
    pub fn number(self, number: &Number) -> Phrase {
        let part = |number: &Spanned<Number>| self.number(&number.node).part();
        match number {
            Number::Constant(halves) if halves % 2 == 0 => Phrase::closed((halves / 2).to_string()),
            Number::Constant(halves) => Phrase::closed(format!("{}", *halves as f64 / 2.0)),
            Number::Local(local) => self.local(*local),
            Number::Memory { memory, player, site, key } => self.memory(
                *memory,
                Place {
                    player: player.as_ref(),
                    site: site.as_deref(),
                    key: key.as_ref(),
                    direction: None,
                },
            ),
            Number::Add(all) => Phrase::joined(&self.numbers(all), "plus"),
            Number::Subtract(from, less) => {
                Phrase::open(format!("{} minus {}", part(from), part(less)))
            }
            Number::Multiply(all) => Phrase::joined(&self.numbers(all), "times"),
            Number::Divide(of, by) => {
                Phrase::open(format!("{} divided by {by}, rounded down", part(of)))
            }
            Number::Remainder(of, by) => {
                Phrase::closed(format!("the remainder of {} divided by {by}", part(of)))
            }
            Number::Least(all) => {
                Phrase::open(format!("the least of {}", listed(&self.numbers(all))))
            }
            Number::Greatest(all) => {
                Phrase::open(format!("the greatest of {}", listed(&self.numbers(all))))
            }
            Number::Count(sites) => {
                let sites = self.sites(&sites.node);
                let text = match sites.text().strip_prefix("the ") {
                    Some(bare) => format!("the number of {bare}"),
                    None => format!("the number of sites in {}", sites.part()),
                };
                if sites.is_closed() { Phrase::closed(text) } else { Phrase::open(text) }
            }
            Number::CountWhere(binder, condition) => Phrase::open(format!(
                "the number of {} for which {}",
                self.binders(binder),
                self.condition(&condition.node)
            )),
            Number::Sum(binder, each) => {
                Phrase::open(format!("the sum of {} over {}", part(each), self.binder(binder)))
            }
            Number::LeastOver(binder, each) => {
                Phrase::open(format!("the least {} over {}", part(each), self.binder(binder)))
            }
            Number::GreatestOver(binder, each) => {
                Phrase::open(format!("the greatest {} over {}", part(each), self.binder(binder)))
            }
            Number::RowOf(site) => {
                Phrase::closed(format!("the row of {}", self.site(&site.node).part()))
            }
            Number::ColumnOf(site) => {
                Phrase::closed(format!("the column of {}", self.site(&site.node).part()))
            }
            Number::Distance { from, to, directions } => Phrase::closed(format!(
                "the number of steps from {} to {} {}",
                self.site(&from.node).part(),
                self.site(&to.node).part(),
                self.how_of(directions)
            )),
            Number::ByPlayer(player, each) => self.by_player(player, &self.numbers(each)),
            Number::If(condition, then, otherwise) => {
                self.either(condition, &self.number(&then.node), &self.number(&otherwise.node))
            }
            Number::Call(definition, values) => self.call(*definition, values),
        }
    }

    /// Writes a choice between two values.
    pub(super) fn either(
        self,
        condition: &Spanned<Condition>,
        then: &Phrase,
        otherwise: &Phrase,
    ) -> Phrase {
        let condition = self.condition(&condition.node).part();
        Phrase::open(format!("{} if {condition}, else {otherwise}", then.part()))
    }

    /// Writes a condition in the form that follows `if`.
    pub fn condition(self, condition: &Condition) -> Phrase {
        let all = |parts: &[Spanned<Condition>]| -> Vec<Phrase> {
            parts.iter().map(|part| self.condition(&part.node)).collect()
        };
        match condition {
            Condition::Constant(true) => Phrase::closed("in any case"),
            Condition::Constant(false) => Phrase::closed("in no case"),
            Condition::And(parts) => Phrase::joined(&all(parts), "and"),
            Condition::Or(parts) => Phrase::joined(&all(parts), "or"),
            Condition::Not(inner) => match &inner.node {
                Condition::Any(sites) => self.condition(&Condition::None(sites.clone())),
                Condition::None(sites) => self.condition(&Condition::Any(sites.clone())),
                Condition::In(site, sites) => Phrase::closed(format!(
                    "{} {}",
                    self.subject(site),
                    self.is_not(&sites.node, false)
                )),
                Condition::SamePlayer(one, other) => {
                    same(&self.player(&one.node), "is not", &self.player(&other.node))
                }
                Condition::SameSite(one, other) => {
                    same(&self.site(&one.node), "is not", &self.site(&other.node))
                }
                inner => {
                    Phrase::closed(format!("it is not true that {}", self.condition(inner).part()))
                }
            },
            Condition::Any(sites) => match &sites.node {
                Sites::One(site) => {
                    Phrase::closed(format!("{} is on the board", self.subject(site)))
                }
                sites => like("there is ", self.one(sites)),
            },
            Condition::None(sites) => match &sites.node {
                Sites::One(site) => {
                    Phrase::closed(format!("{} is not on the board", self.subject(site)))
                }
                sites => {
                    let one = self.one(sites);
                    let bare = one.text().strip_prefix("a ").or(one.text().strip_prefix("an "));
                    let text = format!("there is no {}", bare.unwrap_or(one.text()));
                    if one.is_closed() { Phrase::closed(text) } else { Phrase::open(text) }
                }
            },
            // A site off the board is in no region, even if the region's predicate is negated.
            Condition::In(site, sites)
                if has_negation(&sites.node) && !matches!(site.node, SiteOf::Literal(_)) =>
            {
                Phrase::open(format!(
                    "{} is a site that {}",
                    self.subject(site),
                    self.is(&sites.node, false)
                ))
            }
            Condition::In(site, sites) => {
                like(&format!("{} ", self.subject(site)), self.is(&sites.node, false))
            }
            Condition::Exists(binder, condition) => Phrase::open(format!(
                "for some {}, {}",
                self.binder(binder),
                self.condition(&condition.node)
            )),
            Condition::Every(binder, condition) => Phrase::open(format!(
                "for each {}, {}",
                self.binder(binder),
                self.condition(&condition.node)
            )),
            Condition::Compare(comparison, left, right) => {
                let is = match comparison {
                    Comparison::Equal => "is",
                    Comparison::Unequal => "is not",
                    Comparison::Less => "is less than",
                    Comparison::AtMost => "is at most",
                    Comparison::Greater => "is more than",
                    Comparison::AtLeast => "is at least",
                };
                same(&self.number(&left.node), is, &self.number(&right.node))
            }
            Condition::SamePlayer(one, other) => {
                same(&self.player(&one.node), "is", &self.player(&other.node))
            }
            Condition::SameSite(one, other) => {
                same(&self.site(&one.node), "is", &self.site(&other.node))
            }
            Condition::SameDirection(one, other) => {
                same(&self.direction(&one.node), "is", &self.direction(&other.node))
            }
            Condition::SameKind(one, other) => {
                same(&self.piece(&one.node), "is", &self.piece(&other.node))
            }
            Condition::Can(player, moves) => Phrase::closed(format!(
                "{} can make a move {}",
                self.player(&player.node).part(),
                self.verbs(moves, "or").part()
            )),
            Condition::Connected(sites, directions) => Phrase::closed(format!(
                "{} are connected {}",
                self.sites(&sites.node).part(),
                self.how(&directions.node)
            )),
            Condition::ByPlayer(player, each) => self.by_player(player, &all(each)),
            Condition::Memory { memory, player } if self.rules.last_move(*memory).is_some() => {
                self.last_move(*memory, player.as_deref())
            }
            Condition::Memory { memory, player } => {
                let place = Place { player: player.as_deref(), ..Place::default() };
                Phrase::closed(format!("{} is true", self.memory(*memory, place).part()))
            }
            Condition::Local(local) => self
                .throughout(*local)
                .unwrap_or_else(|| Phrase::closed(format!("{} is true", self.local(*local)))),
            Condition::Call(definition, values) => {
                Phrase::closed(format!("{} is true", self.call(*definition, values).part()))
            }
        }
    }

    /// Writes the question about the last ply that a memory answers.
    fn last_move(self, memory: MemoryId, player: Option<&Spanned<PlayerOf>>) -> Phrase {
        let verbs = self.rules.last_move(memory).map_or(&[][..], |it| &it.moves);
        let whose = match player {
            Some(player) => format!("the last move of {}", self.player(&player.node).part()),
            None => "the last move".to_owned(),
        };
        Phrase::closed(format!("{whose} was {}", self.verbs(verbs, "or").part()))
    }

    /// Writes a condition on the plies before a repetition, if the variable stands for such a
    /// condition.
    fn throughout(self, local: Local) -> Option<Phrase> {
        let mut all = self.rules.repetition.iter().flat_map(|rule| &rule.throughout);
        let throughout = all.find(|throughout| throughout.variable == local)?;
        let whose = match &throughout.player {
            None => String::from("ply"),
            Some(player) => format!("ply of {}", self.player(&player.node).part()),
        };
        let holds = self.condition(&throughout.condition.node).part();
        Some(Phrase::closed(format!("{holds} after every {whose} in between")))
    }

    /// Writes the site that a condition is about.
    fn subject(self, site: &Spanned<SiteOf>) -> String {
        self.site(&site.node).part()
    }
}

/// Puts words before a phrase, which stays open or closed.
fn like(before: &str, phrase: Phrase) -> Phrase {
    let text = format!("{before}{phrase}");
    if phrase.is_closed() { Phrase::closed(text) } else { Phrase::open(text) }
}

fn same(one: &Phrase, is: &str, other: &Phrase) -> Phrase {
    Phrase::closed(format!("{} {is} {}", one.part(), other.part()))
}

fn listed(phrases: &[Phrase]) -> String {
    match phrases {
        [only] => only.part(),
        _ => Phrase::list(phrases, "and").text().to_owned(),
    }
}

/// Tests if the predicate of a region contains a negation.
fn has_negation(sites: &Sites) -> bool {
    match sites {
        Sites::Not(_) => true,
        Sites::And(parts) | Sites::Or(parts) => parts.iter().any(|part| has_negation(&part.node)),
        _ => false,
    }
}
