//! The value of every reachable position.

use super::components::Components;
use super::graph::{CHANCE, Exploration, Graph, NodeIndex};
use super::interval_iteration::{Recurrence, SCORE_TOLERANCE, Scores, expect};
use super::repetition::EndlessPlay;
use super::retrograde::{NOT_FORCED, force, longest};
use super::{Clock, RanOut, Stopped, Unknown, Value};
use crate::budget::MemoryBudget;
use crate::engine::game::State;
use crate::language::rules::PlayerId;

/// All reachable positions with their values.
pub struct Verdicts {
    pub graph: Graph,
    worth: Evaluation,
    /// The longest possible play in plies; `None` if the graph has a cycle.
    pub longest: Option<u32>,
    /// The value of infinite play, if there can be any.
    endless: Option<EndlessPlay>,
    /// The components, if positions can recur and the rule of repetition matters for values or
    /// distances.
    pub components: Option<Components>,
}

/// The results of the evaluation, by node.
enum Evaluation {
    Forced {
        /// By player and node: plies in which the player can force a win.
        wins: Vec<Vec<u32>>,
        /// With more than two players, by player and node: plies in which the others together can
        /// force that the player does not even draw.
        losses: Vec<Vec<u32>>,
        /// The player who wins infinite play, if there is one, and by node the plies in which the
        /// others can force an end that he does not win.
        prevented: Option<(PlayerId, Vec<u32>)>,
    },
    Expected(Scores),
    DiceForMany,
}

impl Verdicts {
    /// Begins to explore the reachable positions, for [`Verdicts::evaluate`].
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if not even the first position fits into the budget.
    pub fn exploration(
        from: &State,
        symmetric: bool,
        memory_budget: &mut MemoryBudget,
    ) -> Result<Exploration, RanOut> {
        Exploration::begin(from, symmetric, counts(from), memory_budget)
    }

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
        let mut exploration = Verdicts::exploration(from, symmetric, memory_budget)?;
        exploration.advance(u64::MAX, memory_budget, clock)?;
        Verdicts::evaluate(from, exploration.graph(), memory_budget, clock)
    }

    /// Evaluates all positions that are reachable from a state.
    ///
    /// # Errors
    /// Stops if memory or time runs out.
    pub fn evaluate(
        from: &State,
        graph: Graph,
        memory_budget: &mut MemoryBudget,
        clock: &mut Clock,
    ) -> Result<Verdicts, Stopped> {
        let (rolls, counts) = (has_rolls(from), counts(from));
        let endless = EndlessPlay::of(from.game().rules());
        let reversed = graph.reversed(memory_budget)?;
        let longest = longest(&graph, &reversed, memory_budget)?;
        let players = graph.players();
        let endless = Some(endless).filter(|_| longest.is_none());
        let find_components = |memory_budget: &mut MemoryBudget| {
            let found = endless.filter(|_| counts);
            found.map(|_| Components::find(&graph, memory_budget)).transpose()
        };
        let (worth, components) = match (rolls, players) {
            (true, 1 | 2) => {
                reversed.drop(memory_budget);
                let components = find_components(memory_budget)?;
                let recurrence = components.as_ref().zip(endless);
                let recurrence =
                    recurrence.map(|(components, worth)| Recurrence { components, worth });
                let scores = expect(&graph, recurrence.as_ref(), memory_budget, clock)?;
                (Evaluation::Expected(scores), components)
            }
            (true, _) => {
                reversed.drop(memory_budget);
                (Evaluation::DiceForMany, None)
            }
            (false, _) => {
                let mut wins = Vec::new();
                let mut losses = Vec::new();
                for player in 0..players as NodeIndex {
                    wins.push(force(
                        &graph,
                        &reversed,
                        std::iter::once(player),
                        |actor| NodeIndex::from(actor) == player,
                        memory_budget,
                    )?);
                    if players > 2 {
                        let others = graph.lost(PlayerId(player as u16));
                        losses.push(force(
                            &graph,
                            &reversed,
                            others,
                            |actor| NodeIndex::from(actor) != player,
                            memory_budget,
                        )?);
                    }
                }
                let prevented = match endless {
                    Some(EndlessPlay::Win(player)) => {
                        let ends = graph.not_won(player);
                        let others = |actor| u16::from(actor) != player.0;
                        let forced = force(&graph, &reversed, ends, others, memory_budget)?;
                        Some((player, forced))
                    }
                    _ => None,
                };
                reversed.drop(memory_budget);
                let components = find_components(memory_budget)?;
                (Evaluation::Forced { wins, losses, prevented }, components)
            }
        };
        Ok(Verdicts { graph, worth, longest, endless, components })
    }

    /// Returns the value of a node and, if it is won without a repetition, the plies to that win.
    /// With a rule of repetition there may be a quicker win by a repetition, or only such a win.
    pub fn value(&self, node: NodeIndex) -> (Value, Option<u32>) {
        let index = node as usize;
        match &self.worth {
            Evaluation::DiceForMany => (Value::Unknown(Unknown::DiceForMany), None),
            Evaluation::Expected(scores) => {
                let (lower, upper) = (scores.lower[index], scores.upper[index]);
                let value = match (upper - lower > SCORE_TOLERANCE, &self.components) {
                    (false, _) => Value::Score((lower + upper) / 2.0),
                    (true, None) => Value::Unknown(Unknown::Endless),
                    (true, Some(_)) => Value::Unknown(Unknown::DiceRepetition),
                };
                (value, None)
            }
            Evaluation::Forced { wins, losses, prevented } => {
                if let Some(player) = wins.iter().position(|plies| plies[index] != NOT_FORCED) {
                    return (Value::Win(PlayerId(player as u16)), Some(wins[player][index]));
                }
                if let Some((player, forced)) = prevented
                    && forced[index] == NOT_FORCED
                {
                    return (Value::Win(*player), None);
                }
                let draw = losses.iter().all(|plies| plies[index] == NOT_FORCED);
                let varies = self.endless == Some(EndlessPlay::Varies);
                match (draw, varies && index >= self.graph.ends()) {
                    (_, true) => (Value::Unknown(Unknown::Repetition), None),
                    (true, false) => (Value::Draw, None),
                    (false, false) => (Value::Open, None),
                }
            }
        }
    }

    /// Tests if a single player wins infinite play.
    pub fn wins_alone(&self) -> bool {
        self.graph.players() == 1 && matches!(self.endless, Some(EndlessPlay::Win(_)))
    }

    /// Returns the shortest path of plies that keep the value of a position to a result or a roll,
    /// found by breadth-first search. `None` if there is no such path: best play is then infinite.
    ///
    /// # Errors
    /// Returns [`RanOut::Memory`] if the search does not fit into the budget.
    pub fn path_to_end(
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
            if (node as usize) < self.graph.ends() || self.graph.actor(node) == CHANCE {
                let before =
                    |&at: &NodeIndex| Some(came[at as usize]).filter(|&before| before != at);
                let mut back: Vec<NodeIndex> = std::iter::successors(Some(node), before).collect();
                back.reverse();
                path = Some(back);
                break;
            }
            for after in self.graph.after(node) {
                if came[after as usize] == NodeIndex::MAX && self.keeps(node, self.value(after).0) {
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

fn has_rolls(from: &State) -> bool {
    from.game().decisions().iter().any(|decision| decision.mover.is_none())
}

/// Tests if the evaluation looks for positions that can recur.
fn counts(from: &State) -> bool {
    let rules = from.game().rules();
    // Under a rule that makes repetition a draw, a win takes the same number of plies as without
    // it.
    match has_rolls(from) {
        true => rules.repetition.is_some() && rules.teams.count() <= 2,
        false => EndlessPlay::of(rules) != EndlessPlay::Draw,
    }
}
