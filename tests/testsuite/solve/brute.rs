//! Brute-force search without symmetries, hashing or retrograde analysis, as a reference for the
//! solver.

use super::solved;
use ludwright::engine::game::{Game, Move, State, Turn};
use ludwright::engine::position::{Outcome, PlayerSet};
use ludwright::engine::snapshot::{MemoryValue, Snapshot};
use ludwright::language::rules::PlayerId;
use ludwright::notation::spell;
use ludwright::solve::{Ending, Solution, SolveLimits, Unknown, Value, tabulate};
use std::collections::HashMap;
use std::rc::Rc;

pub type Key = (Snapshot, usize, Vec<i32>);

/// The graph of all positions reachable from a start, which is the first one.
struct Brute<'g> {
    game: &'g Game,
    graph: PlayGraph,
    /// `None` for a position where the game is over.
    keys: Vec<Option<Rc<Key>>>,
}

/// Positions and results, with the successors of each.
#[derive(Default)]
pub struct PlayGraph {
    pub positions: Vec<Node>,
}

pub struct Node {
    /// By person.
    pub turn: Turn,
    /// By person.
    pub outcome: Option<Outcome>,
    /// The same by colour.
    pub shown: Option<Outcome>,
    /// Successors in the order of the legal moves.
    pub after: Vec<u32>,
    /// The players who have dropped out.
    pub dropped_out: PlayerSet,
}

/// Maximum number of value iterations.
const MAX_ITERATIONS: usize = 3_000;

impl Node {
    /// Tests if a player has lost: he does not even draw, or has dropped out.
    pub fn is_lost(&self, player: PlayerId) -> bool {
        self.dropped_out.contains(player)
            || match self.outcome {
                Some(Outcome::Win(winner)) => winner != player,
                Some(Outcome::Shared(among)) => !among.contains(player),
                Some(Outcome::Draw) | None => false,
            }
    }

    /// The first player's score from the successors' scores.
    fn score(&self, scores: &[f64], drawn: f64) -> f64 {
        let after = self.after.iter().map(|&after| scores[after as usize]);
        match (self.outcome, self.turn) {
            (Some(Outcome::Win(winner)), _) => f64::from(winner == PlayerId(0)),
            (Some(Outcome::Draw | Outcome::Shared(_)), _) => drawn,
            (None, Turn::Player(PlayerId(0))) => after.fold(0.0, f64::max),
            (None, Turn::Player(_)) => after.fold(1.0, f64::min),
            (None, _) => after.sum::<f64>() / self.after.len() as f64,
        }
    }
}

impl<'g> Brute<'g> {
    /// Builds the graph; `None` if it has more than `most` positions.
    fn find(game: &'g Game, start: &Key, most: usize) -> Option<Brute<'g>> {
        let start = Rc::new(start.clone());
        let mut numbers: HashMap<Rc<Key>, u32> = HashMap::from([(Rc::clone(&start), 0)]);
        let mut ends: HashMap<(Outcome, Outcome), u32> = HashMap::new();
        let mut keys = vec![Some(start)];
        let mut positions: Vec<Node> = Vec::new();
        while let Some(key) = keys.get(positions.len()).cloned() {
            if keys.len() > most {
                return None;
            }
            let Some(key) = key else {
                let here = positions.len() as u32;
                let end = ends.iter().find(|(_, number)| **number == here).map(|(end, _)| *end);
                let (outcome, shown) = end.unzip();
                positions.push(Node {
                    turn: Turn::Nobody,
                    outcome,
                    shown,
                    after: Vec::new(),
                    dropped_out: PlayerSet(0),
                });
                continue;
            };
            let here = begun(game, &key);
            let mut after = Vec::with_capacity(here.legal().len());
            for ply in here.legal() {
                let mut next = here.clone();
                next.play(ply).expect("a legal move");
                let fresh = keys.len() as u32;
                let number = match next.outcome() {
                    Some(shown) => {
                        *ends.entry((personal(&next, shown), shown)).or_insert_with(|| {
                            keys.push(None);
                            fresh
                        })
                    }
                    None => {
                        let key = Rc::new(self::key(&next));
                        *numbers.entry(Rc::clone(&key)).or_insert_with(|| {
                            keys.push(Some(key));
                            fresh
                        })
                    }
                };
                after.push(number);
            }
            positions.push(Node {
                turn: personal_turn(&here),
                outcome: None,
                shown: None,
                after,
                dropped_out: dropped_out(&here),
            });
        }
        Some(Brute { game, graph: PlayGraph { positions }, keys })
    }

    /// Returns the successor by a ply.
    fn after(&self, at: usize, ply: &Move) -> usize {
        let key = self.keys[at].as_ref().expect("it is not over there");
        let number = begun(self.game, key)
            .legal()
            .iter()
            .position(|other| other == ply)
            .expect("a legal move");
        self.graph.positions[at].after[number] as usize
    }
}

impl PlayGraph {
    /// Returns, for each position, the number of plies in which these players together can force
    /// one of these nodes. Iterates from one ply upwards until nothing changes.
    pub fn force(
        &self,
        players: &dyn Fn(PlayerId) -> bool,
        goals: &dyn Fn(&Node) -> bool,
    ) -> Vec<Option<u32>> {
        let mut plies: Vec<Option<u32>> =
            self.positions.iter().map(|node| goals(node).then_some(0)).collect();
        for round in 1.. {
            let known = |plies: &[Option<u32>], number: usize| {
                plies[number].is_some_and(|known| known < round)
            };
            let new: Vec<usize> = (0..plies.len())
                .filter(|&index| plies[index].is_none() && self.positions[index].outcome.is_none())
                .filter(|&index| {
                    let node = &self.positions[index];
                    match node.turn {
                        Turn::Player(player) if players(player) => {
                            node.after.iter().any(|&after| known(&plies, after as usize))
                        }
                        _ => node.after.iter().all(|&after| known(&plies, after as usize)),
                    }
                })
                .collect();
            if new.is_empty() {
                break;
            }
            new.into_iter().for_each(|index| plies[index] = Some(round));
        }
        plies
    }

    /// Lower and upper bounds of the first player's expected score by position: value iteration
    /// with unfinished play counted as lost, and as won.
    pub fn scores(&self, drawn: f64) -> [Vec<f64>; 2] {
        [0.0, 1.0].map(|unfinished| {
            let mut scores = vec![unfinished; self.positions.len()];
            for _ in 0..MAX_ITERATIONS {
                let next: Vec<f64> =
                    self.positions.iter().map(|node| node.score(&scores, drawn)).collect();
                let change = next
                    .iter()
                    .zip(&scores)
                    .map(|(one, other)| (one - other).abs())
                    .fold(0.0, f64::max);
                scores = next;
                if change < 1e-14 {
                    break;
                }
            }
            scores
        })
    }

    /// Tests if the graph has a cycle, by repeatedly removing positions without remaining
    /// successors.
    pub fn has_cycle(&self) -> bool {
        let mut open: Vec<usize> = self.positions.iter().map(|node| node.after.len()).collect();
        loop {
            let settled = |open: &[usize], index: usize| open[index] == 0;
            let now: Vec<usize> = (0..open.len())
                .map(|index| {
                    self.positions[index]
                        .after
                        .iter()
                        .filter(|&&after| !settled(&open, after as usize))
                        .count()
                })
                .collect();
            if now == open {
                return open.iter().any(|&left| left > 0);
            }
            open = now;
        }
    }
}

/// Returns the person who plays a colour, by the memory of the pie rule in the position; or the
/// number of his team.
pub fn person(of: &State, player: PlayerId) -> PlayerId {
    let swapped = of.game().rules().pie.is_some_and(|pie| {
        of.snapshot().memories[pie.swapped.index()] == [MemoryValue::Condition(true)]
    });
    let person = if swapped { PlayerId(1 - player.0) } else { player };
    of.game().rules().teams.of(person)
}

/// Returns who is to act, by person.
pub fn personal_turn(of: &State) -> Turn {
    match of.turn() {
        Turn::Player(player) => Turn::Player(person(of, player)),
        turn => turn,
    }
}

/// Returns the teams that have dropped out.
pub fn dropped_out(of: &State) -> PlayerSet {
    let rules = of.game().rules();
    let Some(drop_outs) = rules.drop_outs else { return PlayerSet(0) };
    let out = &of.snapshot().memories[drop_outs.out.index()];
    let players = (0..rules.players.len() as u16).map(PlayerId);
    let out = players.filter(|player| out[player.index()] == MemoryValue::Condition(true));
    out.map(|player| rules.teams.of(player)).collect()
}

/// Returns an outcome by person.
pub fn personal(of: &State, outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win(winner) => Outcome::Win(person(of, winner)),
        Outcome::Draw => Outcome::Draw,
        Outcome::Shared(among) => {
            Outcome::Shared(among.iter().map(|player| person(of, player)).collect())
        }
    }
}

/// Starts a match at a position.
fn begun(game: &Game, key: &Key) -> State {
    game.begin_at(&key.0, key.1, &key.2).expect("a position")
}

pub fn key(of: &State) -> Key {
    (of.snapshot(), of.decision().expect("it is not over"), of.counters())
}

/// Coverage of the comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Covered {
    /// Number of solutions compared.
    pub solved: usize,
    /// How many of them can reach a cycle.
    pub cyclic: usize,
    /// How many of them can reach a ply of chance.
    pub rolled: usize,
    /// Number of positions in their graphs.
    pub positions: usize,
}

impl std::ops::AddAssign for Covered {
    fn add_assign(&mut self, other: Covered) {
        self.solved += other.solved;
        self.cyclic += other.cyclic;
        self.rolled += other.rolled;
        self.positions += other.positions;
    }
}

/// Compares solutions of a position with brute force; `None` if the graph has more than `most`
/// positions.
pub fn agrees(what: &str, game: &Game, start: &Key, most: usize) -> Option<Covered> {
    let brute = Brute::find(game, start, most)?;
    let from = begun(game, start);
    for symmetric in [true, false] {
        let limits = SolveLimits { symmetric, ..SolveLimits::default() };
        let explored = tabulate(&from, &limits, &mut |_| true).expect("rules that come to an end");
        compare(what, game, &brute, &explored.0);
    }
    if provable(game) {
        for by_numbers in [false, true] {
            // So little memory forces the depth-first proof search, which finds no distances.
            let (memory, all) = (LITTLE_MEMORY, SolveLimits::default());
            let proven = solved(&from, &SolveLimits { memory, by_numbers, ..all });
            assert_eq!((proven.acyclic, proven.distance), (None, None), "{what}");
            compare_proof(what, game, &brute, &proven);
        }
    }
    let rolled = brute
        .graph
        .positions
        .iter()
        .any(|node| node.outcome.is_none() && node.turn == Turn::Chance);
    Some(Covered {
        solved: 1,
        cyclic: usize::from(brute.graph.has_cycle()),
        rolled: usize::from(rolled),
        positions: brute.graph.positions.len(),
    })
}

/// Tolerance for equal scores.
const SCORE_TOLERANCE: f64 = 1e-8;
/// Too little memory to store all positions of any game.
const LITTLE_MEMORY: u64 = 1 << 20;

fn provable(game: &Game) -> bool {
    game.rules().teams.count() == 2
        && game.decisions().iter().all(|decision| decision.mover.is_some())
}

fn compare_proof(what: &str, game: &Game, brute: &Brute, solution: &Solution) {
    let wins: Vec<Vec<Option<u32>>> = [PlayerId(0), PlayerId(1)]
        .map(|player| {
            brute
                .graph
                .force(&|other| other == player, &|node| node.outcome == Some(Outcome::Win(player)))
        })
        .into();
    let value = |index: usize| {
        wins.iter()
            .position(|plies| plies[index].is_some())
            .map_or(Value::Draw, |winner| Value::Win(PlayerId(winner as u16)))
    };
    assert_eq!(solution.value, value(0), "{what}");
    for first in &solution.first {
        assert_eq!(
            first.value,
            value(brute.after(0, &first.ply)),
            "{what}: {}",
            spell(game.rules(), &first.ply)
        );
        assert_eq!(first.optimal, first.value == solution.value, "{what}");
    }
    let mut at = 0;
    for ply in &solution.line {
        at = brute.after(at, ply);
        assert_eq!(value(at), solution.value, "{what}: after {}", spell(game.rules(), ply));
    }
    match solution.ending {
        Ending::Over(end) => assert_eq!(brute.graph.positions[at].shown, Some(end), "{what}"),
        Ending::Repeats(_) => assert_eq!(solution.value, Value::Draw, "{what}"),
        Ending::Chance | Ending::Open => {
            assert!(brute.graph.has_cycle(), "{what}: {:?}", solution.ending)
        }
    }
}

fn compare(what: &str, game: &Game, brute: &Brute, solution: &Solution) {
    let rules = game.rules();
    let players = || rules.teams.numbers();
    assert_eq!(solution.first.len(), brute.graph.positions[0].after.len(), "{what}");
    assert_eq!(solution.acyclic, Some(!brute.graph.has_cycle()), "{what}");
    if game.decisions().iter().any(|decision| decision.mover.is_none()) {
        return compare_scores(what, game, brute, solution);
    }
    let wins: Vec<Vec<Option<u32>>> = players()
        .map(|player| {
            brute
                .graph
                .force(&|other| other == player, &|node| node.outcome == Some(Outcome::Win(player)))
        })
        .collect();
    let losses: Vec<Vec<Option<u32>>> = players()
        .map(|player| brute.graph.force(&|other| other != player, &|node| node.is_lost(player)))
        .collect();
    let value = |index: usize| match players().find(|player| wins[player.index()][index].is_some())
    {
        Some(winner) => (Value::Win(winner), wins[winner.index()][index]),
        None if losses.iter().all(|plies| plies[index].is_none()) => (Value::Draw, None),
        None => (Value::Open, None),
    };
    assert_eq!((solution.value, solution.distance), value(0), "{what}");
    for first in &solution.first {
        let (expected, plies) = value(brute.after(0, &first.ply));
        assert_eq!(
            (first.value, first.distance),
            (expected, plies.map(|plies| plies + 1)),
            "{what}: {}",
            spell(rules, &first.ply)
        );
        assert_eq!(
            first.optimal,
            expected == solution.value,
            "{what}: {}",
            spell(rules, &first.ply)
        );
    }
    // The line keeps the value to its end.
    let mut at = 0;
    for ply in &solution.line {
        at = brute.after(at, ply);
        assert_eq!(value(at).0, solution.value, "{what}: after {}", spell(rules, ply));
    }
    match solution.ending {
        Ending::Over(end) => assert_eq!(brute.graph.positions[at].shown, Some(end), "{what}"),
        Ending::Repeats(_) => assert_eq!(solution.value, Value::Draw, "{what}"),
        Ending::Chance | Ending::Open => assert_eq!(solution.value, Value::Open, "{what}"),
    }
    if let Some(plies) = solution.distance {
        assert_eq!(plies as usize, solution.line.len(), "{what}");
    }
}

/// Scores must lie between the bounds of brute force, and be unknown exactly where the bounds
/// differ.
fn compare_scores(what: &str, game: &Game, brute: &Brute, solution: &Solution) {
    let [lower, upper] = brute.graph.scores(0.5);
    let agree = |value: Value, at: usize, what: &str| match value {
        Value::Score(score) => assert!(
            lower[at] - SCORE_TOLERANCE < score
                && score < upper[at] + SCORE_TOLERANCE
                && upper[at] - lower[at] < 1e-3,
            "{what}"
        ),
        Value::Unknown(Unknown::Endless) => {
            assert!(upper[at] - lower[at] > SCORE_TOLERANCE, "{what}")
        }
        value => panic!("{what}: {value:?}"),
    };
    agree(solution.value, 0, what);
    for first in &solution.first {
        agree(
            first.value,
            brute.after(0, &first.ply),
            &format!("{what}: {}", spell(game.rules(), &first.ply)),
        );
    }
    let mut at = 0;
    for ply in &solution.line {
        let after = brute.after(at, ply);
        assert!(
            (lower[at] - lower[after]).abs() < SCORE_TOLERANCE
                && (upper[at] - upper[after]).abs() < SCORE_TOLERANCE,
            "{what}: {}",
            spell(game.rules(), ply)
        );
        at = after;
    }
    match solution.ending {
        Ending::Over(end) => assert_eq!(brute.graph.positions[at].shown, Some(end), "{what}"),
        Ending::Chance => assert_eq!(brute.graph.positions[at].turn, Turn::Chance, "{what}"),
        Ending::Repeats(_) | Ending::Open => {
            assert!(brute.graph.has_cycle(), "{what}: {:?}", solution.ending)
        }
    }
}

/// Value by full search under the actual rules, including repetition; `None` if it takes too many
/// plies. For two players without dice.
pub fn tried(at: &State, plies: &mut usize) -> Option<Value> {
    let Turn::Player(player) = at.turn() else {
        return at.outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => Value::Win(winner),
            Outcome::Draw | Outcome::Shared(_) => Value::Draw,
        });
    };
    let mut best = Value::Win(PlayerId(1 - player.0));
    for ply in at.legal() {
        *plies = plies.checked_sub(1)?;
        let mut after = at.clone();
        after.play(ply).expect("a legal move");
        match tried(&after, plies)? {
            win if win == Value::Win(player) => return Some(win),
            Value::Draw => best = Value::Draw,
            _ => {}
        }
    }
    Some(best)
}
