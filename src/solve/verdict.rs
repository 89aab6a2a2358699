//! The value of every reachable position.

use super::graph::{CHANCE, Graph, NodeIndex};
use super::interval_iteration::{SCORE_TOLERANCE, Scores, expect};
use super::retrograde::{NOT_FORCED, force, longest};
use super::{Clock, RanOut, Stopped, Unknown, Value};
use crate::budget::MemoryBudget;
use crate::engine::game::State;
use crate::language::rules::{PlayerId, Rules, Statement};

/// All reachable positions with their values.
pub struct Verdicts {
    pub graph: Graph,
    worth: Evaluation,
    /// The longest possible play in plies; `None` if the graph has a cycle.
    pub longest: Option<u32>,
    /// Whether a repetition can occur whose result is not a draw.
    unsettled: bool,
}

/// The results of the evaluation, by node.
enum Evaluation {
    Forced {
        /// By player and node: plies in which the player can force a win.
        wins: Vec<Vec<u32>>,
        /// With more than two players, by player and node: plies in which the others together can
        /// force that the player does not even draw.
        losses: Vec<Vec<u32>>,
    },
    Expected(Scores),
    DiceForMany,
}

impl Verdicts {
    /// Explores all reachable positions and evaluates each.
    ///
    /// # Errors
    /// Stops if memory or time runs out, or if the rules do not terminate somewhere.
    pub fn find(
        from: &State,
        symmetric: bool,
        memory_budget: &mut MemoryBudget,
        clock: &mut Clock,
    ) -> Result<Verdicts, Stopped> {
        let graph = Graph::explore(from, symmetric, memory_budget, clock)?;
        let reversed = graph.reversed(memory_budget)?;
        let longest = longest(&graph, &reversed, memory_budget)?;
        let players = graph.players();
        let rolls = from.game().decisions().iter().any(|decision| decision.mover.is_none());
        let worth = match (rolls, players) {
            (true, 1 | 2) => {
                reversed.drop(memory_budget);
                Evaluation::Expected(expect(&graph, memory_budget, clock)?)
            }
            (true, _) => Evaluation::DiceForMany,
            (false, _) => {
                let mut wins = Vec::new();
                let mut losses = Vec::new();
                for player in 0..players as NodeIndex {
                    wins.push(force(
                        &graph,
                        &reversed,
                        &[player],
                        |actor| NodeIndex::from(actor) == player,
                        memory_budget,
                    )?);
                    if players > 2 {
                        let others = graph.lost(PlayerId(player as u16));
                        losses.push(force(
                            &graph,
                            &reversed,
                            &others,
                            |actor| NodeIndex::from(actor) != player,
                            memory_budget,
                        )?);
                    }
                }
                reversed.drop(memory_budget);
                Evaluation::Forced { wins, losses }
            }
        };
        // A single player who cannot win without a repetition cannot win.
        let unsettled = longest.is_none()
            && !(players == 1 && !rolls || repeats_are_draws(from.game().rules()));
        Ok(Verdicts { graph, worth, longest, unsettled })
    }

    /// Returns the value of a node, and the plies to the win if it is won.
    pub fn value(&self, node: NodeIndex) -> (Value, Option<u32>) {
        let index = node as usize;
        match &self.worth {
            Evaluation::DiceForMany => (Value::Unknown(Unknown::DiceForMany), None),
            Evaluation::Expected(scores) => {
                let (lower, upper) = (scores.lower[index], scores.upper[index]);
                let endless = upper - lower > SCORE_TOLERANCE || self.unsettled;
                (
                    if endless {
                        Value::Unknown(Unknown::Endless)
                    } else {
                        Value::Score((lower + upper) / 2.0)
                    },
                    None,
                )
            }
            Evaluation::Forced { wins, losses } => {
                if let Some(player) = wins.iter().position(|plies| plies[index] != NOT_FORCED) {
                    return (Value::Win(PlayerId(player as u16)), Some(wins[player][index]));
                }
                let draw = losses.iter().all(|plies| plies[index] == NOT_FORCED);
                match (draw, self.unsettled && index >= self.graph.ends()) {
                    (_, true) => (Value::Unknown(Unknown::Repetition), None),
                    (true, false) => (Value::Draw, None),
                    (false, false) => (Value::Open, None),
                }
            }
        }
    }

    /// Returns the shortest path of drawn positions from a drawn position to a drawn end, found by
    /// breadth-first search. `None` if there is no such path: best play is then infinite.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the search does not fit into the budget.
    pub fn drawn_path(
        &self,
        from: NodeIndex,
        memory_budget: &mut MemoryBudget,
    ) -> Result<Option<Vec<NodeIndex>>, RanOut> {
        let mut came = memory_budget.array(NodeIndex::MAX, self.graph.nodes())?;
        let mut found = memory_budget.list(self.graph.nodes())?;
        came[from as usize] = from;
        found.push(from);
        let mut next = 0;
        let mut path = None;
        while let Some(&node) = found.get(next) {
            next += 1;
            if (node as usize) < self.graph.ends() {
                let before =
                    |&at: &NodeIndex| Some(came[at as usize]).filter(|&before| before != at);
                let mut back: Vec<NodeIndex> = std::iter::successors(Some(node), before).collect();
                back.reverse();
                path = Some(back);
                break;
            }
            for after in self.graph.after(node) {
                if came[after as usize] == NodeIndex::MAX && self.value(after).0 == Value::Draw {
                    came[after as usize] = node;
                    found.push(after);
                }
            }
        }
        memory_budget.drop(came);
        memory_budget.drop(found);
        Ok(path)
    }

    /// Tests if a ply to a successor of this value keeps the value of the node for the player to
    /// act.
    pub fn keeps(&self, node: NodeIndex, after: Value) -> bool {
        let (value, _) = self.value(node);
        match (value, after) {
            (Value::Score(score), Value::Score(after)) => {
                self.graph.actor(node) == CHANCE || (score - after).abs() < SCORE_TOLERANCE
            }
            (Value::Unknown(_), _) => false,
            _ => value == after,
        }
    }
}

/// Tests if repetition is a draw or has no effect.
pub fn repeats_are_draws(rules: &Rules) -> bool {
    rules.repetition.as_ref().is_none_or(|rule| {
        matches!(rule.then.first().map(|first| &first.node), Some(Statement::Draw))
    })
}
