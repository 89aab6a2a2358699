//! The truth about a position by the rules as they are, rules of repetition included: a graph whose
//! nodes are positions together with how often each position has occurred. Under a rule of
//! repetition this graph has no cycle, and values follow from its ends alone.

use super::brute::{Key, Node, PlayGraph, dropped_out, key, personal, personal_turn};
use ludwright::engine::game::{Move, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::language::rules::PlayerId;
use ludwright::solve::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A position, and how often each has occurred; without a rule of repetition nothing but the
/// position.
type Occurred = (u32, BTreeMap<u32, u32>);

/// Everything that is true of play from a position, which is node 0.
pub struct Truth {
    pub graph: PlayGraph,
    pub start: State,
    /// By node, its legal plies.
    plies: Vec<Vec<Move>>,
    /// By node, whether the rule of repetition ended the game there.
    ended_by_rule: Vec<bool>,
    /// By node, the number of its position; `None` where the game is over.
    positions: Vec<Option<u32>>,
    pub players: usize,
    pub has_rule: bool,
    pub has_dice: bool,
    /// Whether a position can occur twice from the start on, or the rule of repetition applies.
    pub repeats: bool,
    /// By player and node, the plies to a forced win, against all others and all dice.
    pub wins: Vec<Vec<Option<u32>>>,
    /// By player and node, whether the others force that he does not even draw.
    lost: Vec<Vec<Option<u32>>>,
    /// By node, bounds of the first player's score.
    pub scores: Option<[Vec<f64>; 2]>,
    /// The longest play, unless play can go on for ever.
    pub longest: Option<u32>,
    /// Whether a drawn end can be reached.
    pub can_draw: bool,
}

impl Truth {
    /// Explores play from the last state of a game, which came through all of them. `None` if there
    /// are more than `most` nodes, or if the rules do not terminate somewhere.
    pub fn find(game: &[State], most: usize) -> Option<Truth> {
        let (start, past) = game.split_last()?;
        let rules = start.game().rules();
        let (players, has_rule) = (rules.teams.count(), rules.repetition.is_some());
        let mut numbers: HashMap<Key, u32> = HashMap::new();
        let mut number = |state: &State| {
            let fresh = numbers.len() as u32;
            *numbers.entry(key(state)).or_insert(fresh)
        };
        let mut occurred = BTreeMap::new();
        let mut first = 0;
        for state in game.iter().filter(|state| state.outcome().is_none()) {
            first = number(state);
            *occurred.entry(first).or_default() += 1;
        }
        let before: u32 = past.len() as u32;
        assert!(occurred.values().sum::<u32>() >= before);
        let begin: Occurred = (first, if has_rule { occurred } else { BTreeMap::new() });
        let mut nodes: HashMap<Occurred, u32> = HashMap::from([(begin.clone(), 0)]);
        let mut states = vec![(start.clone(), begin)];
        let mut truth = Truth {
            graph: PlayGraph::default(),
            start: start.clone(),
            plies: Vec::new(),
            ended_by_rule: vec![false],
            positions: Vec::new(),
            players,
            has_rule,
            has_dice: start.game().decisions().iter().any(|decision| decision.mover.is_none()),
            repeats: false,
            wins: Vec::new(),
            lost: Vec::new(),
            scores: None,
            longest: None,
            can_draw: false,
        };
        while let Some((here, counts)) = states.get(truth.graph.positions.len()).cloned() {
            if states.len() > most {
                return None;
            }
            let shown = here.outcome();
            let outcome = shown.map(|shown| personal(&here, shown));
            truth.can_draw |= shown.is_some_and(Outcome::is_draw);
            let mut after = Vec::new();
            if outcome.is_none() {
                for ply in here.legal() {
                    let mut next = here.clone();
                    next.play(ply).ok()?;
                    let fresh = states.len() as u32;
                    let is_over = next.outcome().is_some();
                    // Only a position in which nothing else ends the game is counted.
                    let is_counted = next.history().len() > here.history().len();
                    let by_rule = is_over && is_counted;
                    // Who repeats a position may drop out, which makes it another.
                    let since = start.history().len().saturating_sub(1);
                    let recurs = || {
                        let (last, before) = next.history().split_last().expect("its own");
                        before[since..].contains(last)
                    };
                    truth.repeats |= by_rule || is_counted && recurs();
                    let node = if is_over {
                        truth.ended_by_rule.push(by_rule);
                        // The end itself is no position, and no two are the same.
                        states.push((next, (u32::MAX, BTreeMap::new())));
                        fresh
                    } else {
                        let position = number(&next);
                        let mut counts = counts.1.clone();
                        if has_rule {
                            let times: &mut u32 = counts.entry(position).or_default();
                            *times += 1;
                        }
                        let occurred = (position, counts);
                        *nodes.entry(occurred.clone()).or_insert_with(|| {
                            truth.ended_by_rule.push(false);
                            states.push((next, occurred));
                            fresh
                        })
                    };
                    after.push(node);
                }
            }
            truth.positions.push(outcome.is_none().then_some(counts.0));
            truth.plies.push(if outcome.is_none() { here.legal().to_vec() } else { Vec::new() });
            truth.graph.positions.push(Node {
                turn: if outcome.is_none() { personal_turn(&here) } else { Turn::Nobody },
                outcome,
                shown,
                after,
                dropped_out: dropped_out(&here),
            });
        }
        truth.evaluate();
        Some(truth)
    }

    fn evaluate(&mut self) {
        let graph = &self.graph;
        let persons = || (0..self.players as u16).map(PlayerId);
        let won = |player| move |node: &Node| node.outcome == Some(Outcome::Win(player));
        self.wins =
            persons().map(|player| graph.force(&|other| other == player, &won(player))).collect();
        self.lost = persons()
            .map(|player| graph.force(&|other| other != player, &|node| node.is_lost(player)))
            .collect();
        if self.has_dice && self.players <= 2 {
            self.scores = Some(graph.scores(if self.players == 1 { 0.0 } else { 0.5 }));
        }
        if graph.has_cycle() {
            assert!(!self.has_rule, "a rule of repetition ends every play");
            self.repeats = true;
        } else {
            let mut longest: Vec<u32> = vec![0; graph.positions.len()];
            loop {
                let next: Vec<u32> = graph
                    .positions
                    .iter()
                    .map(|node| {
                        let after = node.after.iter().map(|&after| longest[after as usize] + 1);
                        after.max().unwrap_or(0)
                    })
                    .collect();
                if next == longest {
                    break;
                }
                longest = next;
            }
            self.longest = Some(longest[0]);
        }
    }

    /// Returns the value of a node, without dice.
    pub fn value(&self, node: usize) -> Value {
        let winner = self.wins.iter().position(|wins| wins[node].is_some());
        match winner {
            Some(winner) => Value::Win(PlayerId(winner as u16)),
            None if self.players <= 2 => Value::Draw,
            None if self.lost.iter().all(|lost| lost[node].is_none()) => Value::Draw,
            None => Value::Open,
        }
    }

    /// Returns the node after a legal ply.
    pub fn after(&self, node: usize, ply: &Move) -> usize {
        let number = self.plies[node].iter().position(|other| other == ply);
        self.graph.positions[node].after[number.expect("a legal ply")] as usize
    }

    /// Tests if two nodes are the same position.
    pub fn is_same_position(&self, one: usize, other: usize) -> bool {
        self.positions[one].is_some() && self.positions[one] == self.positions[other]
    }

    /// Tests if some play that keeps a draw reaches a result otherwise than by repetition.
    pub fn can_end_drawn(&self) -> bool {
        let mut reached: HashSet<usize> = HashSet::from([0]);
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if self.graph.positions[node].outcome.is_some() && !self.ended_by_rule[node] {
                return true;
            }
            for &after in &self.graph.positions[node].after {
                let after = after as usize;
                if self.value(after) == Value::Draw && reached.insert(after) {
                    open.push(after);
                }
            }
        }
        false
    }
}
