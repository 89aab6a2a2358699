//! Reads the English of rule sheets back, and says what it means in a position.
//!
//! The reader knows the names of a game, its position and the grammar of the sentences, but not the
//! typed rules. Phrases become functions of an environment.

use super::ways::steps;
use ludwright::board::{Board, Direction, Site};
use ludwright::budget::Fuel;
use ludwright::engine::snapshot::{MemoryValue, Snapshot};
use ludwright::language::rules::{
    DefinitionId, Keys, MemoryType, PlayerId, Rules, Value as Expression,
};
use ludwright::reference::{ONE, Region, Value, Variables, View};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The type of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Number,
    Condition,
    Sites,
    Site,
    Direction,
    Directions,
    Player,
    Piece,
}

/// Where a phrase is true or has a value.
#[derive(Clone)]
pub struct Around<'g> {
    pub rules: &'g Rules,
    pub snapshot: &'g Snapshot,
    pub mover: PlayerId,
    pub names: HashMap<String, Value>,
    pub fuel: &'g Fuel,
}

impl<'g> Around<'g> {
    pub fn with(&self, name: &str, value: Value) -> Around<'g> {
        let mut inner = self.clone();
        inner.names.insert(name.to_owned(), value);
        inner
    }

    pub fn board(&self) -> &'g Board {
        &self.rules.board
    }

    pub fn is_cut(&self, site: Site) -> bool {
        self.snapshot.cut.contains(&site)
    }
}

pub type Means<'g, T> = Rc<dyn Fn(&Around<'g>) -> T + 'g>;
pub type Set = BTreeSet<Site>;
pub type Read<'g, T> = Option<Means<'g, T>>;

pub fn means<'g, T>(meaning: impl Fn(&Around<'g>) -> T + 'g) -> Read<'g, T> {
    Some(Rc::new(meaning))
}

pub struct Reader<'g> {
    pub rules: &'g Rules,
    /// The types of the parameters of the definitions.
    parameters: &'g HashMap<DefinitionId, Vec<Type>>,
    pub words: Vec<String>,
    pub at: Cell<usize>,
    pub scope: RefCell<Vec<(String, Type)>>,
    /// Rules that do not fit the parentheses at a word, so that none is tried twice there.
    unfit: RefCell<HashSet<(usize, usize, Vec<String>)>>,
}

/// A function that reads a phrase.
pub type Rule<'g, T> = fn(&Reader<'g>) -> Read<'g, T>;

impl<'g> Reader<'g> {
    pub fn new(
        rules: &'g Rules,
        parameters: &'g HashMap<DefinitionId, Vec<Type>>,
        text: &str,
        scope: Vec<(String, Type)>,
    ) -> Reader<'g> {
        let spaced =
            text.replace('(', " ( ").replace(')', " ) ").replace(", ", " , ").replace("; ", " ; ");
        let words = spaced.split_whitespace().map(str::to_owned).collect();
        Reader {
            rules,
            parameters,
            words,
            at: Cell::new(0),
            scope: RefCell::new(scope),
            unfit: RefCell::default(),
        }
    }

    /// Reads a whole phrase as a value.
    pub fn whole(&self, wanted: Type) -> Read<'g, Value> {
        let read = self.value(wanted, false)?;
        (self.at.get() == self.words.len()).then_some(read)
    }

    /// Reads a whole text by a rule.
    pub fn all<T>(&self, rule: Rule<'g, T>) -> Read<'g, T> {
        let read = rule(self)?;
        (self.at.get() == self.words.len()).then_some(read)
    }

    /// Where reading has stopped, for failures.
    pub fn rest(&self) -> String {
        self.words[self.at.get()..].join(" ")
    }

    pub fn value(&self, wanted: Type, is_part: bool) -> Read<'g, Value> {
        macro_rules! read {
            ($open:ident, $part:ident, $wrap:expr) => {{
                let inner = if is_part { self.$part()? } else { self.$open()? };
                means(move |around| $wrap(around, inner(around)))
            }};
        }
        match wanted {
            Type::Number => read!(number, number_part, |_: &_, it| Value::Number(it)),
            Type::Condition => read!(condition, condition_part, |_: &_, it| Value::Condition(it)),
            Type::Sites => read!(region, region_part, |around: &Around, it: Set| {
                Value::Sites(Region::of(around.board(), |site| it.contains(&site)))
            }),
            Type::Site => read!(site, site_part, |_: &_, it| Value::Site(it)),
            Type::Direction => read!(direction, direction_part, |_: &_, it| Value::Direction(it)),
            Type::Directions => {
                read!(directions, directions_part, |_: &_, it| Value::Directions(it))
            }
            Type::Player => read!(player, player_part, |_: &_, it| Value::Player(it)),
            Type::Piece => read!(piece, piece_part, |_: &_, it| Value::Piece(it)),
        }
    }

    // Words.

    pub fn word(&self) -> Option<&str> {
        self.words.get(self.at.get()).map(String::as_str)
    }

    pub fn next(&self) -> Option<String> {
        let word = self.words.get(self.at.get())?.clone();
        self.at.set(self.at.get() + 1);
        Some(word)
    }

    /// Reads these words, or nothing.
    pub fn eat(&self, text: &str) -> bool {
        let from = self.at.get();
        for word in text.split(' ') {
            if self.next().as_deref() != Some(word) {
                self.at.set(from);
                return false;
            }
        }
        true
    }

    pub fn expect(&self, text: &str) -> Option<()> {
        self.eat(text).then_some(())
    }

    /// Reads by a rule, or nothing.
    pub fn attempt<T>(&self, rule: impl FnOnce(&Self) -> Option<T>) -> Option<T> {
        let from = self.at.get();
        let depth = self.scope.borrow().len();
        let read = rule(self);
        if read.is_none() {
            self.at.set(from);
            self.scope.borrow_mut().truncate(depth);
        }
        read
    }

    pub fn in_parentheses<T>(&self, rule: Rule<'g, T>) -> Read<'g, T> {
        let names = self.scope.borrow().iter().map(|(name, _)| name.clone()).collect();
        let place = (rule as *const () as usize, self.at.get(), names);
        if self.word() != Some("(") || self.unfit.borrow().contains(&place) {
            return None;
        }
        let read = self.attempt(|reader| {
            reader.expect("(")?;
            let inner = rule(reader)?;
            reader.expect(")")?;
            Some(inner)
        });
        if read.is_none() {
            self.unfit.borrow_mut().insert(place);
        }
        read
    }

    /// Reads the name of something with this type: a variable, a memory or a definition.
    pub fn named(&self, wanted: Type) -> Read<'g, Value> {
        self.attempt(|reader| {
            let name = reader.next()?;
            let scope = reader.scope.borrow();
            if let Some((_, kind)) = scope.iter().rev().find(|(known, _)| *known == name) {
                let is_it = *kind == wanted;
                drop(scope);
                return is_it.then(|| means(move |around| around.names[&name].clone()))?;
            }
            drop(scope);
            reader.memory(&name, wanted).or_else(|| reader.call(&name, wanted))
        })
    }

    /// Reads a memory behind its name.
    fn memory(&self, name: &str, wanted: Type) -> Read<'g, Value> {
        let index = self.rules.memories.iter().position(|memory| memory.name == name)?;
        let memory = &self.rules.memories[index];
        let holds = match memory.holds {
            MemoryType::Number { .. } => Type::Number,
            MemoryType::Sites => Type::Sites,
            MemoryType::Site => Type::Site,
            MemoryType::Player => Type::Player,
            MemoryType::Kind => Type::Piece,
            MemoryType::Direction => Type::Direction,
            MemoryType::Condition => Type::Condition,
        };
        if holds != wanted {
            return None;
        }
        let mut wants = Vec::new();
        wants.extend(memory.per_player.then_some(Type::Player));
        match memory.keys {
            Keys::One => {}
            Keys::Kinds(_) => wants.push(Type::Piece),
            Keys::Numbers(_) => wants.push(Type::Number),
        }
        wants.extend(memory.per_site.then_some(Type::Site));
        let read = if wants.is_empty() {
            Vec::new()
        } else {
            self.expect("of")?;
            self.listed(&wants)?
        };
        let towards = match memory.per_direction.is_empty() {
            true => None,
            false => {
                self.expect("towards")?;
                Some(self.direction_part()?)
            }
        };
        let players = self.rules.players.len();
        means(move |around| {
            let memory = &around.rules.memories[index];
            let mut place = 0;
            let mut on = None;
            let none = match wanted {
                Type::Number => Value::Number(0),
                Type::Site => Value::Site(None),
                Type::Piece => Value::Piece(None),
                Type::Direction => Value::Direction(None),
                _ => Value::Sites(Region::none(around.board())),
            };
            let each = memory.values_per_player();
            for qualifier in &read {
                match qualifier(around) {
                    Value::Player(player) => {
                        assert!(player.index() < players);
                        place += player.index() * each;
                    }
                    Value::Piece(kind) => {
                        match kind.and_then(|kind| memory.keys.place_of_kind(kind)) {
                            Some(index) => place += index,
                            None => return none,
                        }
                    }
                    Value::Number(number) => {
                        let number = i64::try_from(number.div_euclid(ONE)).ok();
                        match number.and_then(|number| memory.keys.place_of_number(number)) {
                            Some(index) => place += index,
                            None => return none,
                        }
                    }
                    Value::Site(site) => on = Some(site),
                    other => panic!("{other:?} qualifies no memory"),
                }
            }
            if let Some(towards) = &towards {
                let direction = towards(around);
                match memory.per_direction.iter().position(|one| Some(*one) == direction) {
                    Some(index) => place += index,
                    None => return none,
                }
            }
            match (&around.snapshot.memories[index][place], on) {
                (MemoryValue::Number(number), _) => Value::Number(ONE * i128::from(*number)),
                (MemoryValue::Sites(sites), _) => {
                    Value::Sites(Region::of(around.board(), |site| sites.contains(&site)))
                }
                (MemoryValue::Site(site), _) => Value::Site(*site),
                (MemoryValue::Player(player), _) => Value::Player(*player),
                (MemoryValue::Kind(kind), _) => Value::Piece(*kind),
                (MemoryValue::Direction(direction), _) => Value::Direction(*direction),
                (MemoryValue::Condition(holds), _) => Value::Condition(*holds),
                (_, None | Some(None)) => none,
                (MemoryValue::NumberPerSite(each), Some(Some(site))) => {
                    Value::Number(ONE * i128::from(each[site.index()]))
                }
                (MemoryValue::SitePerSite(each), Some(Some(site))) => {
                    Value::Site(each[site.index()])
                }
                (MemoryValue::KindPerSite(each), Some(Some(site))) => {
                    Value::Piece(each[site.index()])
                }
                (MemoryValue::DirectionPerSite(each), Some(Some(site))) => {
                    Value::Direction(each[site.index()])
                }
            }
        })
    }

    /// Reads a definition behind its name. What it says is read and compared elsewhere.
    fn call(&self, name: &str, wanted: Type) -> Read<'g, Value> {
        let definitions = &self.rules.definitions;
        let index = definitions.iter().position(|definition| definition.name == name)?;
        let definition = &definitions[index];
        if type_of(&definition.body) != Some(wanted) {
            return None;
        }
        let read = match definition.parameters.len() {
            0 => Vec::new(),
            _ => {
                self.expect("of")?;
                self.listed(self.parameters.get(&DefinitionId(index as u16))?)?
            }
        };
        means(move |around| {
            let mut variables = Variables::default();
            for (&parameter, argument) in definition.parameters.iter().zip(&read) {
                variables = variables.with(parameter, argument(around));
            }
            let view = View {
                rules: around.rules,
                snapshot: around.snapshot,
                variables,
                mover: around.mover,
                fuel: around.fuel,
            };
            view.value(&definition.body)
        })
    }

    /// Reads `a, b and c` of known types.
    pub fn listed(&self, wanted: &[Type]) -> Option<Vec<Means<'g, Value>>> {
        let mut read = Vec::new();
        for (index, &wanted_here) in wanted.iter().enumerate() {
            if index > 0 {
                self.expect(if index + 1 == wanted.len() { "and" } else { "," })?;
            }
            let is_alone = wanted.len() == 1;
            let one = self.attempt(|reader| reader.value(wanted_here, true));
            read.push(match one {
                None if is_alone => self.value(wanted_here, false)?,
                one => one?,
            });
        }
        Some(read)
    }

    /// Reads what can follow a value: `if C, else V`, `for White and V for Black`.
    pub fn tail<T: Clone + 'g>(
        &self,
        first: Means<'g, T>,
        part: Rule<'g, T>,
        open: Rule<'g, T>,
    ) -> Read<'g, T> {
        let either = self.attempt(|reader| {
            reader.expect("if")?;
            let condition = reader.condition_part()?;
            reader.expect(", else")?;
            Some((condition, open(reader)?))
        });
        if let Some((condition, otherwise)) = either {
            return means(move |around| match condition(around) {
                true => first(around),
                false => otherwise(around),
            });
        }
        self.attempt(|reader| {
            let whose = |reader: &Self| -> Option<(Read<'g, PlayerId>, PlayerId)> {
                let whose = match reader.eat("for") {
                    true => None,
                    false => {
                        reader.expect("where")?;
                        let whose = reader.player_part()?;
                        reader.expect("is")?;
                        Some(whose)
                    }
                };
                Some((whose, reader.player_name()?))
            };
            let mut each = vec![(whose(reader)?, first.clone())];
            while reader.eat(",") || reader.eat("and") {
                let own = part(reader)?;
                each.push((whose(reader)?, own));
            }
            means(move |around| {
                let is_his = |(whose, player): &(Read<'g, PlayerId>, PlayerId)| match whose {
                    None => around.mover == *player,
                    Some(whose) => whose(around) == *player,
                };
                let own = each.iter().find(|(whose, _)| is_his(whose));
                own.expect("something is said of every player").1(around)
            })
        })
        .or(Some(first))
    }
}

/// Splits a region into its largest connected parts.
pub fn groups(around: &Around, sites: &Set, how: &[Direction]) -> Vec<Set> {
    let mut left = sites.clone();
    let mut groups = Vec::new();
    while let Some(start) = left.pop_first() {
        let mut group = Set::from([start]);
        loop {
            let near: Vec<Site> = left
                .iter()
                .copied()
                .filter(|&site| {
                    how.iter().flat_map(|one| [*one, one.opposite()]).any(|direction| {
                        steps(around.board(), site, direction).iter().any(|at| group.contains(at))
                    })
                })
                .collect();
            if near.is_empty() {
                break;
            }
            for site in near {
                left.remove(&site);
                group.insert(site);
            }
        }
        groups.push(group);
    }
    groups
}

/// Returns the type of a value; `None` for statements.
pub fn type_of(value: &Expression) -> Option<Type> {
    Some(match value {
        Expression::Number(_) => Type::Number,
        Expression::Condition(_) => Type::Condition,
        Expression::Sites(_) => Type::Sites,
        Expression::Site(_) => Type::Site,
        Expression::Direction(_) => Type::Direction,
        Expression::Directions(_) => Type::Directions,
        Expression::Player(_) => Type::Player,
        Expression::Piece(_) => Type::Piece,
        Expression::Statements(_) => return None,
    })
}
