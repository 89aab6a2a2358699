//! Observations: values of the rules' definitions. Of a condition or number at a site, or of a
//! region, the sites where it holds are observed; of other numbers and conditions, the value.
//! Where a definition depends on a player, each player has an observation.
//!
//! A definition often names what a game is about, such as who controls a site, which no window of
//! sites shows. Definitions are left out that never change in random games, equal another one, or
//! take long to compute.

use super::sites::other;
use crate::compile::Observing;
use crate::engine::game::Game;
use crate::engine::observer::Observer;
use crate::engine::position::Position;
use crate::language::rules::{
    Binder, Comparison, Condition, DefinitionId, Domain, Local, Memory, MemoryId, MemoryType,
    Named, Number, PlayerId, PlayerOf, Rules, SiteOf, Sites, Spanned, Statement, Value,
};
use crate::language::visit::Expression;
use crate::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// The most definitions that are examined, and the most observations that are kept.
const MAX_DEFINITIONS: usize = 40;
const MAX_KEPT: usize = 32;
/// A number at a site is observed as the sites where it is at least 1, 2, and so on up to this.
const MAX_THRESHOLD: i64 = 6;
/// A player's lead in a number at a site, likewise.
pub const MAX_LEAD: i64 = 3;
/// The most fuel, on average, that computing a definition may take; loops over sites take fuel.
const MAX_FUEL: u64 = 40;

/// An observed value of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    pub definition: DefinitionId,
    /// The player for whom the definition is computed, if it depends on a player.
    pub player: Option<PlayerId>,
    pub found: Found,
}

/// What is observed of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The sites of a region, or where a condition holds.
    Sites,
    /// The sites where a number is at least this.
    AtLeast(i64),
    /// The sites where the player's number exceeds the other player's by at least this.
    Lead(i64),
    /// A number; 1 for a condition that holds.
    Number,
}

/// What is observed in the positions of a game.
#[derive(Debug, Default)]
pub struct Observations {
    /// Each observation with its register in positions with room: a set, or a number.
    pub all: Vec<(Observation, u16)>,
    observer: Option<Observer>,
}

impl Observations {
    /// Determines what is worth observing, from positions of random games.
    pub fn new(game: &Game, samples: &[Position]) -> Observations {
        // By hash: a collision only leaves out an observation.
        let mut known: FxHashSet<u64> = FxHashSet::default();
        let mut kept: Vec<Observation> = Vec::new();
        let width = game.width();
        let definitions = game.rules().definitions.len().min(MAX_DEFINITIONS) as u16;
        for definition in (0..definitions).map(DefinitionId) {
            let made = Observations::of(game, candidates(game.rules(), definition));
            let Some(mut observer) = made.observer.clone() else { continue };
            let seen: Vec<Position> = samples
                .iter()
                .map(|sample| {
                    let mut seen = observer.with_room(sample);
                    observer.observe(&mut seen);
                    seen
                })
                .collect();
            if observer.fuel_used() > MAX_FUEL * samples.len() as u64 {
                continue;
            }
            // An observation is kept for all players or none, so that sides correspond.
            for found in made.found() {
                let (mut differs, mut is_new) = (false, false);
                let alike = || made.all.iter().filter(move |(each, _)| each.found == found);
                for &(observation, register) in alike() {
                    let value = |seen: &Position| match observation.found {
                        Found::Number => vec![seen.number(register) as u64],
                        _ => seen.set(register, width).to_vec(),
                    };
                    let values: Vec<Vec<u64>> = seen.iter().map(value).collect();
                    differs |= values.iter().any(|value| *value != values[0]);
                    let mut hasher = FxHasher::default();
                    values.hash(&mut hasher);
                    is_new |= known.insert(hasher.finish());
                }
                if differs && is_new && kept.len() < MAX_KEPT {
                    kept.extend(alike().map(|&(observation, _)| observation));
                }
            }
        }
        Observations::of(game, kept)
    }

    /// Compiles the observer of some observations; without one if that fails.
    fn of(game: &Game, mut all: Vec<Observation>) -> Observations {
        // Sets come before numbers, as in a position.
        all.sort_by_key(|observation| observation.found == Found::Number);
        let mut rules = game.rules().clone();
        let site = Local(rules.locals.len() as u16);
        rules.locals.push(Named { name: String::new(), span: Span::default() });
        let mut statements: Vec<Observing> = Vec::new();
        for observation in &all {
            let (mover, statement) = observation.statement(&rules, site);
            let holds = match observation.found {
                Found::Number => MemoryType::Number { most: i32::MAX },
                Found::Sites | Found::AtLeast(_) | Found::Lead(_) => MemoryType::Sites,
            };
            rules.memories.push(Memory::new(String::new(), Span::default(), holds));
            // Within one list of statements, what several of them have in common is computed once.
            match statements.iter_mut().find(|(player, _)| *player == mover) {
                Some((_, together)) => together.push(statement),
                None => statements.push((mover, vec![statement])),
            }
        }
        let observer = match all.is_empty() {
            true => None,
            false => Observer::new(game.program(), &rules, &statements),
        };
        let (mut set, mut number) = (game.program().layout.sets, game.program().nums);
        let next = |observation: Observation| {
            let next = if observation.found == Found::Number { &mut number } else { &mut set };
            *next += 1;
            (observation, *next - 1)
        };
        let all = all.into_iter().filter(|_| observer.is_some()).map(next).collect();
        Observations { all, observer }
    }

    /// Makes an observer; `None` if there is nothing to observe.
    pub fn observer(&self) -> Option<Observer> {
        self.observer.clone()
    }

    /// Returns the kinds of observations, each once.
    fn found(&self) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        for (observation, _) in &self.all {
            if !found.contains(&observation.found) {
                found.push(observation.found);
            }
        }
        found
    }
}

impl Observation {
    /// Returns the statement that stores the observation in the next memory of the rules, and the
    /// player to act meanwhile. `site` is a fresh variable.
    fn statement(&self, rules: &Rules, site: Local) -> (PlayerId, Spanned<Statement>) {
        let memory = MemoryId(rules.memories.len() as u16);
        let needs = Needs::of(rules, self.definition);
        let arguments_of = |player: PlayerId| -> Vec<Value> {
            let argument = |need: &Need| match need {
                Need::Player => Value::Player(plain(PlayerOf::Fixed(player))),
                Need::Site => Value::Site(plain(SiteOf::Local(site))),
            };
            needs.parameters.iter().map(argument).collect()
        };
        let player = self.player.unwrap_or(PlayerId(0));
        let arguments = arguments_of(player);
        let (called, is_at_site) = (self.definition, needs.parameters.contains(&Need::Site));
        let whole = |condition: Condition| {
            let domain = Domain::Sites(plain(Sites::Everywhere));
            let binder = Box::new(Binder { variable: site, domain });
            Sites::Where(binder, boxed(condition))
        };
        let number = |node: Number| Statement::SetNumber {
            memory,
            player: None,
            site: None,
            key: None,
            to: plain(node),
        };
        let sites = |node: Sites| Statement::SetSites {
            memory,
            player: None,
            direction: None,
            to: plain(node),
        };
        let statement = match (&rules.definitions[called.index()].body, self.found) {
            (Value::Condition(_), _) if is_at_site => {
                sites(whole(Condition::Call(called, arguments)))
            }
            (Value::Condition(_), _) => number(Number::If(
                boxed(Condition::Call(called, arguments)),
                boxed(constant(1)),
                boxed(constant(0)),
            )),
            (Value::Number(_), Found::Lead(least)) => sites(whole(Condition::Compare(
                Comparison::AtLeast,
                boxed(Number::Subtract(
                    boxed(Number::Call(called, arguments)),
                    boxed(Number::Call(called, arguments_of(other(player)))),
                )),
                boxed(constant(least)),
            ))),
            (Value::Number(_), Found::AtLeast(least)) => sites(whole(Condition::Compare(
                Comparison::AtLeast,
                boxed(Number::Call(called, arguments)),
                boxed(constant(least)),
            ))),
            (Value::Number(_), _) => number(Number::Call(called, arguments)),
            _ => sites(Sites::Call(called, arguments)),
        };
        let mover = self.player.filter(|_| needs.mover).unwrap_or(PlayerId(0));
        (mover, plain(statement))
    }
}

/// What the value of a definition depends on.
struct Needs {
    parameters: Vec<Need>,
    /// Whether the player to act matters.
    mover: bool,
    /// Whether there is a parameter of another type, or a second one of a type.
    others: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Need {
    Player,
    Site,
}

impl Needs {
    fn of(rules: &Rules, definition: DefinitionId) -> Needs {
        let definition = &rules.definitions[definition.index()];
        let mut needs = Needs { parameters: Vec::new(), mover: false, others: false };
        let mut open: Vec<Expression> = definition.body.expression().into_iter().collect();
        let mut called: FxHashSet<DefinitionId> = FxHashSet::default();
        let mut types: FxHashMap<Local, Need> = FxHashMap::default();
        while let Some(expression) = open.pop() {
            match expression {
                Expression::Player(Spanned { node: PlayerOf::Mover, .. }) => needs.mover = true,
                Expression::Player(Spanned { node: PlayerOf::Local(local), .. }) => {
                    types.insert(*local, Need::Player);
                }
                Expression::Site(Spanned { node: SiteOf::Local(local), .. }) => {
                    types.insert(*local, Need::Site);
                }
                _ => {}
            }
            open.extend(expression.parts());
            if let Some(inner) = expression.definition().filter(|&inner| called.insert(inner)) {
                open.extend(rules.definitions[inner.index()].body.expression());
            }
        }
        for parameter in &definition.parameters {
            match types.get(parameter) {
                Some(need) if !needs.parameters.contains(need) => needs.parameters.push(*need),
                _ => needs.others = true,
            }
        }
        needs
    }
}

/// Lists the possible observations of a definition.
fn candidates(rules: &Rules, definition: DefinitionId) -> Vec<Observation> {
    let needs = Needs::of(rules, definition);
    let is_at_site = needs.parameters.contains(&Need::Site);
    let found = match &rules.definitions[definition.index()].body {
        _ if needs.others => return Vec::new(),
        Value::Condition(_) if is_at_site => vec![Found::Sites],
        Value::Number(_) if is_at_site => {
            let has_lead = rules.players.len() == 2 && needs.parameters.contains(&Need::Player);
            let leads = (1..=MAX_LEAD).map(Found::Lead).filter(|_| has_lead);
            leads.chain((1..=MAX_THRESHOLD).map(Found::AtLeast)).collect()
        }
        Value::Condition(_) | Value::Number(_) => vec![Found::Number],
        Value::Sites(_) if !is_at_site => vec![Found::Sites],
        _ => return Vec::new(),
    };
    let players: Vec<Option<PlayerId>> =
        match needs.mover || needs.parameters.contains(&Need::Player) {
            true => (0..rules.players.len() as u16).map(|player| Some(PlayerId(player))).collect(),
            false => vec![None],
        };
    let of = |&found: &Found| {
        players.iter().map(move |&player| Observation { definition, player, found })
    };
    found.iter().flat_map(of).collect()
}

fn plain<T>(node: T) -> Spanned<T> {
    Spanned { node, span: Span::default() }
}

fn boxed<T>(node: T) -> Box<Spanned<T>> {
    Box::new(plain(node))
}

fn constant(number: i64) -> Number {
    Number::Constant(2 * number)
}
