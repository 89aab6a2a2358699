//! The English of rule sheets says what the rules say.
//!
//! Every expression of every game, and of generated ones, is written in English and read back by a
//! reader that knows only the grammar of the sentences (`reader`, `truths`, `places`, `singles`).
//! What the sentence says is compared with the value of the expression, in positions of random games,
//! for every player.

mod known;
mod places;
mod reader;
mod reasons;
mod singles;
mod templates;
mod truths;
mod ways;

use crate::generator::generate;
use crate::support::rules_files;
use known::{
    Names, all_expressions, all_statements, draw, free, sorted, type_and_kind, value_of, variant,
    written,
};
use ludwright::budget::Fuel;
use ludwright::engine::game::Game;
use ludwright::engine::snapshot::Snapshot;
use ludwright::language::rules::{Local, PlayerId, PlayerOf, Rules, Spanned, Statement};
use ludwright::language::visit::{Composite, Expression};
use ludwright::pages::{Sentence, Words};
use ludwright::random::Random;
use ludwright::reference::{Region, Value, Variables, View};
use reader::{Around, Reader, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use templates::{by_template, template, verbs};

/// Generated games whose sentences are read.
const GENERATED: u64 = 180;
/// Positions of each game.
const POSITIONS: usize = 3;
/// Evaluations of an expression in a position are given up after this many steps.
const FUEL: u64 = 200_000;

/// Relative rows, edges and directions, for players who play to all sides.
const SIDES: &str = r#"(game "Sides" (players (North N) (East E) (South S) (West W)) (board (square 5))
  (piece Stone) (piece King)
  (remember Home sites (per player)) (remember Last player North)
  (define (Goal (player p)) (row 5 p))
  (define Side (row 1 (next mover)))
  (define (Unless (condition c)) (not c))
  (setup (for p players (put Stone (row 1 p) p)))
  (move step (from s (mine Stone)) (to t (and (beside s (list forward left right)) (empty)))
    (relocate s t)
    (if (Unless (any (and (mine King) corners))) (if (in t (row 5 mover)) (replace t King)))
    (if (in t (row 1 (next (next mover)))) (mark t (Home mover)))
    (set Last (next mover)))
  (move jump (from s (mine)) (to t (beside s (list back left)))
    (require (in t (or (row 2 Last) (row 1 (next Last)) (edge N) corners Side)))
    (relocate s t))
  (play (turns (choose step jump)))
  (end (if (any (and (mine King) (row 1 (next mover)))) (win mover))
       (if (any (and (mine) (row 3 (next mover)) (not (Goal mover)))) (draw))))"#;

/// Phrases that hardly any other game has: sites that are cut out, a definition of a player, one of
/// directions, one of a condition, and conditions by player.
const CUT: &str = r#"(game "Cut" (players North South) (board (square 4)) (piece Stone)
  (define (Other (player p)) (case p (North South) (South North)))
  (define (Near (site s) (directions ds)) (beside s ds))
  (define (Unless (condition c)) (not c))
  (setup (put Stone a1 North) (put Stone d4 South))
  (move step (from s (mine)) (to t (and (beside s) (empty) (not cut-out)))
    (require (case mover (North (not (in t (row 1)))) (South (not (in t (row 4))))))
    (relocate s t)
    (cut s))
  (play (turns (choose step)))
  (end (if (= (count (of (Other mover))) 0) (win mover))
       (if (any (and (Near a2 orthogonal) (mine) (edge N) cut-out)) (draw))
       (if (case mover (North (any (row 4))) (South (Unless (any (empty))))) (if (>= (count cut-out) 5) (win (Other mover))))))"#;

/// What was read.
#[derive(Default)]
struct Seen {
    /// Kinds of expression, with the values that they had.
    kinds: BTreeMap<String, BTreeSet<String>>,
    statements: BTreeSet<String>,
    /// Phrases compared, and those whose value depends on the player whose turn it is.
    compared: u64,
    by_mover: u64,
    failures: Vec<String>,
}

impl Seen {
    fn fail(&mut self, failure: String) {
        self.failures.push(failure);
    }

    fn add(&mut self, other: Seen) {
        for (kind, values) in other.kinds {
            self.kinds.entry(kind).or_default().extend(values);
        }
        self.statements.extend(other.statements);
        self.compared += other.compared;
        self.by_mover += other.by_mover;
        self.failures.extend(other.failures);
    }
}

/// A game, some of its positions, and the values of its variables.
struct Checked<'g> {
    rules: &'g Rules,
    names: &'g Names,
    snapshots: &'g [Snapshot],
    fuel: &'g Fuel,
    seed: u64,
    seen: Seen,
}

impl<'g> Checked<'g> {
    fn reader(&self, text: &str, free: &BTreeSet<u16>) -> Reader<'g> {
        let scope = free.iter().map(|&local| {
            let local = Local(local);
            (self.rules.locals[local.index()].name.clone(), self.names.types[&local])
        });
        Reader::new(self.rules, &self.names.parameters, text, scope.collect())
    }

    /// Compares a phrase with an expression wherever the game has been.
    fn compare(&mut self, text: &str, expression: Expression, said: &dyn Fn(&Around<'g>) -> Value) {
        let rules = self.rules;
        let free = free(expression);
        let (_, kind) = type_and_kind(expression);
        let mut random = Random::new(self.seed);
        for snapshot in self.snapshots {
            let drawn: Vec<(Local, Value)> = free
                .iter()
                .map(|&local| {
                    let (local, certain) = (Local(local), self.names.certain.contains(&local));
                    (local, draw(rules, self.names.types[&local], certain, &mut random))
                })
                .collect();
            let mut values = BTreeSet::new();
            for mover in (0..rules.players.len() as u16).map(PlayerId) {
                let mut variables = Variables::default();
                let mut names = HashMap::new();
                for (local, value) in &drawn {
                    variables = variables.with(*local, value.clone());
                    names.insert(rules.locals[local.index()].name.clone(), value.clone());
                }
                let fuel = self.fuel;
                fuel.refill();
                let value = value_of(&View { rules, snapshot, variables, mover, fuel }, expression);
                if fuel.is_empty() {
                    continue;
                }
                fuel.refill();
                let around = Around { rules, snapshot, mover, names, fuel };
                let meant = sorted(said(&around));
                if fuel.is_empty() {
                    continue;
                }
                if value != meant {
                    let mover = &rules.players[mover.index()].name;
                    self.seen.fail(format!(
                        "{}: the mover is {mover}, {drawn:?}\n`{}`\nis said to be: {text}\nvalue {value:?}\n said {meant:?}",
                        rules.title,
                        expression.span().text(rules.source()),
                    ));
                    return;
                }
                let kinds = self.seen.kinds.entry(name_of(expression, &kind)).or_default();
                kinds.insert(sort_of(&value));
                values.insert(format!("{value:?}"));
                self.seen.compared += 1;
            }
            self.seen.by_mover += u64::from(values.len() > 1);
        }
    }
}

/// Names a kind of expression: `Sites::Beside`.
fn name_of(expression: Expression, kind: &str) -> String {
    let of = match expression {
        Expression::Number(_) => "Number",
        Expression::Condition(_) => "Condition",
        Expression::Sites(_) => "Sites",
        Expression::Site(_) => "SiteOf",
        Expression::Direction(_) => "DirectionOf",
        Expression::Directions(_) => "Directions",
        Expression::Player(_) => "PlayerOf",
        Expression::Piece(_) => "PieceOf",
    };
    format!("{of}::{kind}")
}

/// Says what of a value counts as another case.
fn sort_of(value: &Value) -> String {
    match value {
        Value::Condition(holds) => holds.to_string(),
        Value::Sites(region) if region.list().is_empty() => "none".to_owned(),
        _ => "some".to_owned(),
    }
}

impl<'g> Checked<'g> {
    /// Reads all that is written of a game.
    fn check(&mut self) {
        let words = Words { rules: self.rules };
        for expression in all_expressions(self.rules) {
            if !free(expression).iter().all(|local| self.names.types.contains_key(&Local(*local))) {
                continue;
            }
            let text = written(words, expression);
            self.read(&text, expression, |reader, kind| reader.whole(kind));
            if let Expression::Sites(sites) = expression {
                let rules = self.rules;
                self.read(&words.one(&sites.node).to_string(), expression, move |reader, _| {
                    let one = reader.all(Reader::one)?;
                    reader::means(move |around| {
                        let one = one(around);
                        Value::Sites(Region::of(&rules.board, |site| one.contains(&site)))
                    })
                });
            }
        }
        for statement in all_statements(self.rules) {
            self.statement(words, statement);
        }
    }

    fn read(
        &mut self,
        text: &str,
        expression: Expression,
        read: impl Fn(&Reader<'g>, Type) -> reader::Read<'g, Value>,
    ) {
        let reader = self.reader(text, &free(expression));
        let Some(said) = read(&reader, type_and_kind(expression).0) else {
            let rules = self.rules;
            let written = expression.span().text(rules.source());
            let rest = reader.rest();
            return self.seen.fail(format!(
                "{}: `{written}` is said to be\n{text}\nwhich cannot be read from: {rest}",
                rules.title
            ));
        };
        self.compare(text, expression, &|around| said(around));
    }

    /// Reads the sentence of a statement, and compares what it names.
    fn statement(&mut self, words: Words, statement: &Statement) {
        let rules = self.rules;
        // What the checker adds is not written, or in words of its own.
        let is_added = match statement {
            statement if rules.without_pie(statement).is_some() => true,
            Statement::If { condition, .. } => rules.is_turn_guard(&condition.node),
            Statement::While(condition, _) => rules.written(condition).is_none(),
            Statement::Do(definition, _) => rules.is_generated(*definition),
            Statement::SetCondition { memory, .. } => {
                rules.pie.is_some_and(|pie| pie.swapped == *memory)
            }
            _ => false,
        };
        if is_added {
            return;
        }
        let kind = variant(&format!("{statement:?}"));
        let spanned = Spanned { node: statement.clone(), span: Default::default() };
        let sentences = words.statements(std::slice::from_ref(&spanned));
        if let Statement::ByPlayer(player, each) = statement {
            let own = |index: usize| words.statements(&each[index]);
            match &player.node {
                PlayerOf::Fixed(fixed) => assert_eq!(sentences, own(fixed.index())),
                _ => {
                    let said = (0..each.len()).filter(|&index| !each[index].is_empty());
                    let said: Vec<usize> = said.collect();
                    assert_eq!(sentences.len(), said.len());
                    for (sentence, index) in sentences.iter().zip(said) {
                        assert_eq!(sentence.below, own(index));
                        let name = &rules.players[index].name;
                        self.slots(sentence, &format!("If <0> is {name}"), statement);
                    }
                }
            }
        } else if let Some(template) = template(statement, rules) {
            if let Some(sentence) = sentences.first() {
                self.slots(sentence, template, statement);
                self.seen.statements.insert(kind);
            }
            return;
        }
        self.seen.statements.insert(kind);
    }

    /// Reads a sentence by a template and compares its parts with the parts of the statement:
    /// `{0}` is the first, `<0>` the first in parentheses where it needs them, `[m]` a memory,
    /// `[or]` the moves.
    fn slots(&mut self, sentence: &Sentence, template: &str, statement: &Statement) {
        let parts = match statement {
            Statement::While(condition, _) => {
                let written = self.rules.written(condition);
                written.map(Expression::Condition).into_iter().collect()
            }
            statement => statement.parts(),
        };
        let parts = &parts[..];
        let all: BTreeSet<u16> = parts.iter().flat_map(|&part| free(part)).collect();
        if !all.iter().all(|local| self.names.types.contains_key(&Local(*local))) {
            return;
        }
        let text = sentence.text.trim_end_matches(['.', ':']).replace(". If", " . If");
        // The first letter is a capital that need not belong to a name.
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_lowercase().collect::<String>());
        let small = format!("{}{}", first.unwrap_or_default(), letters.as_str());
        for text in [small, text] {
            let reader = self.reader(&text, &all);
            if let Some(read) = by_template(&reader, template, parts, &verbs(statement)) {
                for (index, said) in read {
                    self.compare(&text, parts[index], &|around| said(around));
                }
                return;
            }
        }
        let written = format!("{statement:?}").chars().take(400).collect::<String>();
        let title = &self.rules.title;
        self.seen.fail(format!("{title}: {written}\nis said to be: {}", sentence.text));
    }
}

/// Plays a random game, and keeps some of its positions.
fn positions(game: &Game, seed: u64) -> Vec<Snapshot> {
    let mut random = Random::new(seed);
    let Ok(mut position) = game.begin() else { return Vec::new() };
    let mut snapshots = vec![position.snapshot()];
    for _ in 1..POSITIONS {
        for _ in 0..1 + random.below(12) {
            let legal = position.legal().to_vec();
            let Some(ply) = legal.get(random.below(legal.len().max(1) as u32) as usize) else {
                break;
            };
            if position.play(ply).is_err() {
                return snapshots;
            }
        }
        snapshots.push(position.snapshot());
    }
    snapshots
}

fn check(game: &Game, seed: u64) -> Seen {
    let rules = game.rules();
    let names = Names::of(rules);
    let (snapshots, fuel) = (positions(game, seed), Fuel::new(FUEL));
    let (seen, names, snapshots, fuel) = (Seen::default(), &names, &snapshots[..], &fuel);
    let mut checked = Checked { rules, names, snapshots, fuel, seed, seen };
    checked.check();
    checked.seen
}

/// Lists the variants of a type that a source file declares in `typed!`.
fn variants(source: &str, of: &str) -> Vec<String> {
    let (_, body) = source.split_once(&format!("    pub enum {of} {{\n")).expect("the type");
    let body = body.split_once("\n    }\n").expect("the end of the type").0;
    let names = body.lines().filter_map(|line| line.strip_prefix("        "));
    let names = names.filter(|line| line.starts_with(|letter: char| letter.is_ascii_uppercase()));
    names.map(variant).collect()
}

/// Reads what is written of all games.
fn read_all() -> Seen {
    let total = Mutex::new(Seen::default());
    let mut games: Vec<Box<dyn Fn() -> Game + Send + Sync>> = Vec::new();
    for path in rules_files() {
        games.push(Box::new(move || {
            ludwright::load_file(&path, &[]).unwrap_or_else(|unloaded| panic!("{unloaded}"))
        }));
    }
    for text in [SIDES, CUT, include_str!("../../src/templates/movement.game")] {
        games.push(Box::new(move || {
            ludwright::load(text, &[]).unwrap_or_else(|unloaded| panic!("{unloaded}"))
        }));
    }
    for seed in 0..GENERATED {
        games.push(Box::new(move || {
            let text = generate(seed).text;
            ludwright::load(text.as_str(), &[]).expect("it has been loaded before")
        }));
    }
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let workers = [(); 2].map(|()| {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(game) = games.get(index as usize) else { break };
                    let seen = check(&game(), index);
                    total.lock().expect("no panic").add(seen);
                }
            })
        });
        workers.into_iter().for_each(|worker| worker.join().expect("a worker"));
    });
    total.into_inner().expect("no panic")
}

#[test]
fn sentences_say_what_the_rules_say() {
    let seen = read_all();
    let failures = seen.failures.iter().take(40).cloned().collect::<Vec<String>>();
    assert!(
        seen.failures.is_empty(),
        "{} sentences say something else, such as\n{}",
        seen.failures.len(),
        failures.join("\n\n")
    );
    println!("{} phrases compared, {} depend on the mover", seen.compared, seen.by_mover);
    assert!(seen.by_mover > 100, "{} of {} depend on the mover", seen.by_mover, seen.compared);
    every_kind_occurs(&seen);
}

/// Every kind of expression and statement has to occur in some game, conditions true and false.
fn every_kind_occurs(seen: &Seen) {
    let source = include_str!("../../src/language/rules/expressions.rs");
    let types = [
        "Number",
        "Condition",
        "Sites",
        "SiteOf",
        "DirectionOf",
        "Directions",
        "PlayerOf",
        "PieceOf",
    ];
    let mut missing = Vec::new();
    for of in types {
        for kind in variants(source, of) {
            let name = format!("{of}::{kind}");
            let needed: &[&str] = match of {
                "Condition" if kind == "Constant" => &[],
                "Condition" => &["true", "false"],
                "Sites" if kind == "Nowhere" => &["none"],
                _ => &["some"],
            };
            let values = seen.kinds.get(&name);
            let lacks = |value: &&&str| values.is_none_or(|values| !values.contains(**value));
            missing.extend(needed.iter().filter(lacks).map(|value| format!("{name} {value}")));
        }
    }
    let statements = variants(include_str!("../../src/language/rules/statements.rs"), "Statement");
    missing.extend(statements.into_iter().filter(|kind| !seen.statements.contains(kind)));
    assert!(missing.is_empty(), "these do not occur: {missing:?}");
}

/// A player's first row is the row on his side, whoever is told about it.
#[test]
fn the_far_row_is_where_the_opponent_begins() {
    let text = include_str!("../../src/templates/movement.game");
    let game = ludwright::load(text, &[]).unwrap_or_else(|unloaded| panic!("{unloaded}"));
    let words = Words { rules: game.rules() };
    let said = |statement: &Spanned<Statement>| words.statements(std::slice::from_ref(statement));
    assert_eq!(
        said(&game.rules().end[0])[0].text,
        "If there is a Runner of the mover that is in (row 5 for White and row 1 for Black):"
    );
}
