//! The reasons that `why` gives are true: what they say of a clause, of its sites and its numbers
//! is compared with the clause, evaluated at the moment that is explained, and what they say of an
//! effect with the positions before and after it.

use super::known::{Names, all_expressions, free, type_and_kind, value_of};
use super::reader::Type;
use crate::generator::generate;
use crate::support::rules_files;
use ludwright::board::Site;
use ludwright::engine::game::{Argument, Game, Move};
use ludwright::engine::snapshot::Snapshot;
use ludwright::language::rules::{Domain, Local, MoveId, PieceId, PlayerId, Rules};
use ludwright::language::visit::Expression;
use ludwright::notation::clause::quote;
use ludwright::random::Random;
use ludwright::reference::{Event, Interpreter, ONE, Region, Root, Tracer, Value, View};
use ludwright::syntax::Span;
use ludwright::why::{Happening, Recorder, VariableValue};
use std::collections::{BTreeMap, HashMap};

/// Generated games that are explained.
const GENERATED: u64 = 40;
const PLIES: usize = 12;
/// More sites are listed with their number.
const LISTED: usize = 12;

/// The expressions of a game by their texts, as reasons quote them.
struct Clauses<'g> {
    rules: &'g Rules,
    names: Names,
    by_text: HashMap<String, Vec<Expression<'g>>>,
}

impl<'g> Clauses<'g> {
    fn of(rules: &'g Rules) -> Clauses<'g> {
        let mut by_text: HashMap<String, Vec<Expression>> = HashMap::new();
        for expression in all_expressions(rules) {
            by_text.entry(quote(rules, expression.span())).or_default().push(expression);
        }
        Clauses { rules, names: Names::of(rules), by_text }
    }

    /// Evaluates a quoted clause of a type with the values that the reason names: the first of a
    /// name, which is the one of the clause itself, or the last, of a definition that it uses.
    fn values(&self, view: &View, quoted: &str, kind: Type, bound: &[VariableValue]) -> Vec<Value> {
        let reversed: Vec<VariableValue> = bound.iter().rev().cloned().collect();
        let mut values = self.values_in(view, quoted, kind, bound);
        values.extend(self.values_in(view, quoted, kind, &reversed));
        values
    }

    fn values_in(
        &self,
        view: &View,
        quoted: &str,
        kind: Type,
        bound: &[VariableValue],
    ) -> Vec<Value> {
        let rules = self.rules;
        let mover = bound.iter().rev().find(|bound| bound.name == "mover");
        let player = |name: &str| {
            let place = rules.players.iter().position(|player| player.name == name)?;
            Some(PlayerId(place as u16))
        };
        let mover = mover.and_then(|bound| player(&bound.value)).unwrap_or(view.mover);
        let of_text = self.by_text.get(quoted).into_iter().flatten();
        let evaluate = |&expression: &Expression| {
            if type_and_kind(expression).0 != kind {
                return None;
            }
            let mut inner = View { mover, ..view.clone() };
            for local in free(expression).into_iter().map(Local) {
                let name = &rules.locals[local.index()].name;
                let value = match bound.iter().rev().find(|bound| bound.name == *name) {
                    Some(bound) => self.read(*self.names.types.get(&local)?, &bound.value)?,
                    None => {
                        let known = view.variables.list().into_iter();
                        known.into_iter().find(|(known, _)| *known == local)?.1.clone()
                    }
                };
                inner = inner.with(local, value);
            }
            Some(value_of(&inner, expression))
        };
        of_text.filter_map(evaluate).collect()
    }

    /// Reads the value of a variable.
    fn read(&self, kind: Type, text: &str) -> Option<Value> {
        let rules = self.rules;
        Some(match kind {
            Type::Number => Value::Number((text.parse::<f64>().ok()? * ONE as f64) as i128),
            Type::Condition => Value::Condition(text == "true"),
            Type::Site if text == "nowhere" => Value::Site(None),
            Type::Site => Value::Site(Some(rules.board.find(text)?)),
            Type::Sites => {
                let sites = self.sites(text)?;
                Value::Sites(Region::listed(&rules.board, &sites))
            }
            Type::Direction => Value::Direction(rules.board.direction_named(text)),
            Type::Directions => Value::Directions(
                text.split(' ').filter_map(|name| rules.board.direction_named(name)).collect(),
            ),
            Type::Player => {
                let place = rules.players.iter().position(|player| player.name == text)?;
                Value::Player(PlayerId(place as u16))
            }
            Type::Piece => {
                let place = rules.pieces.iter().position(|piece| piece.name == text);
                Value::Piece(place.map(|place| PieceId(place as u16)))
            }
        })
    }

    /// Reads a list of sites that is whole.
    fn sites(&self, text: &str) -> Option<Vec<Site>> {
        match text {
            "no site" => Some(Vec::new()),
            _ => text.split(' ').map(|label| self.rules.board.find(label)).collect(),
        }
    }

    /// Writes a list of sites.
    fn list(&self, region: &Region) -> String {
        let all = region.list();
        let labels: Vec<&str> =
            all.iter().take(LISTED).map(|&site| self.rules.board.label(site)).collect();
        match all.len() {
            0 => "no site".to_owned(),
            many if many > LISTED => format!("{} … ({many} sites)", labels.join(" ")),
            _ => labels.join(" "),
        }
    }
}

/// Checks every reason when it is given.
struct Checking<'c, 'g> {
    clauses: &'c Clauses<'g>,
    recorder: Recorder,
    /// How many phrases of each kind were compared.
    compared: &'c mut BTreeMap<&'static str, u64>,
}

impl Tracer for Checking<'_, '_> {
    fn begin(&mut self, part: Root) {
        self.recorder.begin(part);
    }

    fn on_event(&mut self, view: &View, clause: Span, event: Event) {
        let before = self.recorder.happenings.len();
        self.recorder.on_event(view, clause, event);
        let Some(happening) = self.recorder.happenings.get(before).cloned() else { return };
        match event {
            Event::Done { after, .. } => self.effect(view, after, &happening),
            _ => happening.text.split("; ").for_each(|said| self.reason(view, said, &happening)),
        }
    }
}

impl Checking<'_, '_> {
    fn count(&mut self, kind: &'static str) {
        *self.compared.entry(kind).or_default() += 1;
    }

    /// Compares a phrase such as `` `(mine)` contains a1 b2 ``.
    fn reason(&mut self, view: &View, said: &str, happening: &Happening) {
        let clauses = self.clauses;
        let title = &clauses.rules.title;
        let mut bound = happening.bound.clone();
        // The value that decides: `… for s = a1`.
        let mut said = said;
        while let Some((text, last)) = said.rsplit_once(" for ") {
            let Some((name, value)) = last.split_once(" = ") else { break };
            bound.retain(|bound| bound.name != name);
            bound.push(VariableValue { name: name.to_owned(), value: value.to_owned() });
            said = text;
        }
        if said.contains('…') && !said.contains(" sites)") {
            return;
        }
        if let Some((quoted, listed)) = said.split_once(" contains ")
            && quoted.starts_with('`')
        {
            let values = clauses.values(view, quoted, Type::Sites, &bound);
            let is_listed = |value: &Value| matches!(value, Value::Sites(region) if clauses.list(region) == listed);
            if !values.is_empty() {
                assert!(values.iter().any(is_listed), "{title}: {said}, {bound:?}: {values:?}");
                self.count("contains");
            }
        } else if let Some((site, quoted)) =
            said.split_once(" is not in `").or_else(|| said.split_once(" is in `"))
        {
            let site = site.rsplit(' ').next().unwrap_or_default();
            let inside = !said.contains(" is not in `");
            let quoted = format!("`{quoted}");
            let site = clauses.rules.board.find(site);
            let values = clauses.values(view, &quoted, Type::Sites, &bound);
            let is_so = |value: &Value| {
                matches!(value, Value::Sites(region)
                    if site.is_some_and(|site| region.contains(site)) == inside)
            };
            if !values.is_empty() {
                assert!(values.iter().any(is_so), "{title}: {said}, {bound:?}: {values:?}");
                self.count(if inside { "is in" } else { "is not in" });
            }
        } else if let Some((quoted, value)) = said.split_once("` is ") {
            let quoted = format!("{quoted}`");
            let number = value.split([',', ' ']).next().unwrap_or_default();
            let Ok(number) = number.parse::<f64>() else { return };
            let values = clauses.values(view, &quoted, Type::Number, &bound);
            let number = Value::Number((number * ONE as f64) as i128);
            if !values.is_empty() {
                assert!(values.contains(&number), "{title}: {said}, {bound:?}: {values:?}");
                self.count("is a number");
            }
            // `(count (mine)) is 2 (a1 b1), less than 3`.
            if let (Some((_, relation)), Value::Number(left)) = (value.rsplit_once(", "), &number)
                && let Some((relation, right)) = relation.rsplit_once(' ')
                && let Ok(right) = right.parse::<f64>()
            {
                let right = (right * ONE as f64) as i128;
                let holds = match relation {
                    "not" => *left != right,
                    "at most" | "not more than" => *left <= right,
                    "at least" | "not less than" => *left >= right,
                    "less than" => *left < right,
                    "more than" => *left > right,
                    _ => return,
                };
                assert!(holds, "{title}: {said}");
                self.count("is compared");
            }
        }
    }

    /// Compares a phrase such as `Black's Stone moves from a1 to a2` with both positions.
    fn effect(&mut self, view: &View, after: &Snapshot, happening: &Happening) {
        let (clauses, before) = (self.clauses, view.snapshot);
        let rules = clauses.rules;
        let name = |pieces: &Snapshot, site: Site| {
            pieces.pieces[site.index()].map_or("nothing".to_owned(), |occupant| {
                let piece = &rules.pieces[occupant.piece.index()].name;
                let owner = occupant.owner.map(|owner| &rules.players[owner.index()].name);
                owner.map_or(piece.clone(), |owner| format!("{owner}'s {piece}"))
            })
        };
        let sites = |text: &str| clauses.sites(text).unwrap_or_default();
        for said in happening.text.split("; ") {
            let said = said.split(": stopped at").next().unwrap_or(said);
            if let Some((what, rest)) = said.split_once(" moves from ") {
                let (way, taken) = rest.split_once(", where ").unwrap_or((rest, ""));
                let (from, to) = way.split_once(" to ").expect("a way");
                let (from, to) = (sites(from)[0], sites(to)[0]);
                assert_eq!((name(before, from), name(after, to)), (what.into(), what.into()));
                assert_eq!(name(after, from), "nothing", "{said}");
                if let Some(taken) = taken.strip_suffix(" was") {
                    assert_eq!(name(before, to), taken, "{said}");
                }
                self.count("moves");
            } else if let Some((what, on)) = said.split_once(" appears on ") {
                for site in sites(on) {
                    assert_eq!(name(before, site), "nothing", "{said}");
                    assert_eq!(name(after, site), what, "{said}");
                }
                self.count("appears");
            } else if let Some((what, from)) = said.split_once(" is removed from ") {
                for site in sites(from) {
                    assert_eq!(name(before, site), what, "{said}");
                    assert_eq!(name(after, site), "nothing", "{said}");
                }
                self.count("is removed");
            } else if let Some((on, new)) = said.split_once(" becomes ")
                && let Some((what, on)) = on.rsplit_once(" on ")
            {
                for site in sites(on) {
                    assert_eq!((name(before, site), name(after, site)), (what.into(), new.into()));
                }
                self.count("becomes");
            }
        }
    }
}

/// Returns a random well-formed move, legal or not.
fn any_move(rules: &Rules, random: &mut Random) -> Move {
    let mut below = |count: usize| random.below(count.max(1) as u32) as usize;
    let rule = below(rules.moves.len());
    let sites: Vec<Site> = rules.board.sites().collect();
    let ways = rules.board.all();
    let arguments = rules.moves[rule].parameters.iter().map(|parameter| match &parameter.domain {
        Domain::Directions(_) => Argument::Direction(ways[below(ways.len())]),
        Domain::Numbers { least, most, .. } => {
            Argument::Number(least + below((most - least + 1).max(1) as usize) as i32)
        }
        Domain::Pieces(kinds, _) => Argument::Piece(kinds[below(kinds.len())]),
        _ => Argument::Site(sites[below(sites.len())]),
    });
    Move { rule: MoveId(rule as u16), arguments: arguments.collect() }
}

fn explain(game: &Game, seed: u64, compared: &mut BTreeMap<&'static str, u64>) {
    let clauses = Clauses::of(game.rules());
    let mut random = Random::new(seed);
    let Ok(mut position) = game.begin() else { return };
    for _ in 0..PLIES {
        let legal = position.legal().to_vec();
        let Some(ply) = legal.get(random.below(legal.len().max(1) as u32) as usize) else { break };
        let mut checking =
            Checking { clauses: &clauses, recorder: Recorder::default(), compared: &mut *compared };
        if !game.rules().moves.is_empty() {
            for _ in 0..4 {
                let ply = any_move(game.rules(), &mut random);
                let _ = Interpreter::at(&position).illegality(&ply, &mut checking);
            }
        }
        let explained = Interpreter::with_past(&position).play(ply, &mut checking).is_ok();
        if !explained || position.play(ply).is_err() {
            break;
        }
    }
}

#[test]
fn reasons_are_true() {
    let mut compared = BTreeMap::new();
    for (seed, path) in (0..).zip(rules_files()) {
        let game = ludwright::load_file(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
        explain(&game, seed, &mut compared);
    }
    for seed in 0..GENERATED {
        let text = generate(seed).text;
        let game = ludwright::load(text.as_str(), &[]).expect("it has been loaded before");
        explain(&game, seed, &mut compared);
    }
    println!("{compared:?}");
    let kinds = [
        "contains",
        "is in",
        "is not in",
        "is a number",
        "is compared",
        "moves",
        "appears",
        "is removed",
        "becomes",
    ];
    for kind in kinds {
        assert!(compared.get(kind).is_some_and(|&count| count >= 10), "{kind}: {compared:?}");
    }
}
