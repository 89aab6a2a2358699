//! What computer players find out at a desk, as the page shows it.

use crate::budget::Deadline;
use crate::engine::game::{Fault, State, Turn};
use crate::notation::spell;
use crate::random::mix;
use crate::search::{Choice, Mcts, Player, PlayerKind, SearchLimits, Thinking, thought};
use serde_json::{Value, json};
use std::time::Duration;

/// The memory limit of a search, in bytes: telephones have little to spare.
pub const MEMORY: usize = 64 << 20;
/// The length of one step in the estimate of winning chances; a position gets `STEPS` of them.
pub const STEP: Duration = Duration::from_millis(250);
const STEPS: usize = 6;

/// The computer players of a desk. Each plays for one person and keeps its search tree from ply to
/// ply.
#[derive(Default)]
pub struct SeatedPrograms(Vec<((u16, PlayerKind), Player)>);

impl SeatedPrograms {
    /// Returns the computer player of this kind for a person; `None` if the kind is a human. The
    /// player is created with the seed and the searcher at the first call.
    pub fn of(
        &mut self,
        person: u16,
        kind: PlayerKind,
        seed: u64,
        searcher: impl FnOnce() -> Mcts,
    ) -> Option<&mut Player> {
        let seat = (person, kind);
        let index = match self.0.iter().position(|(known, _)| *known == seat) {
            Some(index) => index,
            None => {
                let program = Player::searching(kind, mix(!seed, u64::from(person)), searcher)?;
                self.0.push((seat, program));
                self.0.len() - 1
            }
        };
        self.0.get_mut(index).map(|(_, program)| program)
    }
}

/// The winning chances of one turn of a desk, estimated step by step.
pub struct Estimate {
    turn: u64,
    mcts: Mcts,
    steps: usize,
}

impl Estimate {
    /// Begins the estimate for a turn of the desk.
    pub fn new(turn: u64) -> Estimate {
        Estimate { turn, mcts: Mcts::new(1, MEMORY), steps: 0 }
    }

    /// Tests if the estimate is for this turn.
    pub fn is_for(&self, turn: u64) -> bool {
        self.turn == turn
    }

    /// Tests if more steps would not improve the estimate.
    pub fn is_done(&self) -> bool {
        self.steps >= STEPS
    }

    /// Searches for another [`STEP`] and describes the chances.
    ///
    /// # Errors
    /// Returns the [`Fault`] if the rules do not terminate in a position of the search.
    pub fn improve(&mut self, position: &State) -> Result<Value, Fault> {
        let deadline = Deadline::after(Some(STEP));
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let thinking = self.mcts.think(position, 1, &limits, &mut |_| true)?;
        self.steps = if thinking.solved { STEPS } else { self.steps + 1 };
        Ok(evaluation(position, &thinking))
    }
}

/// Describes the ply that a program would choose, as a hint.
pub fn hint(position: &State, choice: &Choice) -> Result<Value, String> {
    let Turn::Player(mover) = position.turn() else {
        return Err("no player is to move".to_owned());
    };
    let rules = position.game().rules();
    let ply = spell(rules, &choice.ply);
    let text = match &choice.thinking {
        Some(thinking) => thought(rules, mover, thinking),
        None => format!("`{ply}` is the only move"),
    };
    Ok(json!({ "ply": ply, "text": text }))
}

/// Describes the winning chances in a position.
fn evaluation(position: &State, thinking: &Thinking) -> Value {
    let rules = position.game().rules();
    let players = rules
        .players
        .iter()
        .zip(&thinking.win_probabilities)
        .map(|(player, chance)| json!({ "player": player.name, "chance": chance }));
    // Nobody chooses a roll, so it is no best ply.
    let best = thinking.plies.first().filter(|_| position.turn() != Turn::Chance);
    json!({
        "ply": position.ply_count(),
        "players": players.collect::<Vec<Value>>(),
        "best": best.map(|best| spell(rules, &best.ply)),
    })
}
