//! A lookup table of the values of all positions of a game.

use super::verdict::Verdicts;
use super::{
    Clock, Progress, Solution, SolveLimits, Value, best_line, by_history, depends_on_past,
    finished, is_symmetric,
};
use crate::budget::MemoryBudget;
use crate::engine::game::{Fault, State};

/// The values of all positions that can be reached from one.
pub struct Table {
    verdicts: Verdicts,
}

impl Table {
    /// Returns the value of a position; `None` if it cannot be reached.
    pub fn value(&mut self, of: &State) -> Option<Value> {
        Some(self.value_and_distance(of)?.0)
    }

    /// As [`value`](Self::value); for a win, also returns the number of plies to it. A repetition
    /// may win sooner.
    pub fn value_and_distance(&mut self, of: &State) -> Option<(Value, Option<u32>)> {
        let node = self.verdicts.graph.node(of)?;
        Some(self.verdicts.value(node))
    }
}

/// As [`solve`](super::solve), by exploring all positions alone. If that succeeds, it also returns
/// the values of all positions.
///
/// ```
/// use ludwright::solve::{SolveLimits, Value, tabulate};
///
/// let text = r#"
/// (game "Last Stone"
///   (players A B)
///   (board (rectangle 4 1))
///   (piece Stone)
///   (move put (to t (empty)) (put Stone t))
///   (play (turns (choose put (otherwise (lose mover))))))
/// "#;
/// let game = ludwright::load(text, &[])?;
/// let mut state = game.begin()?;
/// let (_, table) = tabulate(&state, &SolveLimits::default(), &mut |_| true)?;
/// state.play(&state.legal()[2].clone())?;
/// let value = table.and_then(|mut table| table.value(&state));
/// assert_eq!(value, Some(Value::Win(ludwright::language::rules::PlayerId(1))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`solve`](super::solve).
pub fn tabulate(
    from: &State,
    limits: &SolveLimits,
    tell: &mut dyn FnMut(&Progress) -> bool,
) -> Result<(Solution, Option<Table>), Fault> {
    let mut clock = Clock::new(limits, tell);
    if depends_on_past(from) {
        // The value of a position depends on its past.
        let solved = by_history::solve(from, limits, &mut clock);
        return Ok((finished(from, solved, &clock)?, None));
    }
    let mut memory_budget = MemoryBudget::new(limits.memory);
    let mut table = None;
    let verdicts = Verdicts::find(from, is_symmetric(from, limits), &mut memory_budget, &mut clock);
    let solved = verdicts.and_then(|mut verdicts| {
        let solution = best_line::describe(from, &mut verdicts, &mut memory_budget, &mut clock)?;
        table = Some(Table { verdicts });
        Ok(solution)
    });
    Ok((finished(from, solved, &clock)?, table))
}
