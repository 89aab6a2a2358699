//! Explores a game, completely or by random games, and reports what can never happen and what
//! should not, such as moves that are never legal, ends that are never reached, players without a
//! legal move where no rule says what happens, plies after which the rules never reach the next
//! one, and games that can go on for ever.
//!
//! "Never" is claimed only of a board with all reachable positions visited. All other findings
//! report observations, and their board.
//!
//! - `instrument`: rewrites the rules to record which clause ended the game. `observations`: the
//!   observations with one choice of options.
//! - `reachability`: breadth-first search of all positions. `random_games`: random games on boards
//!   that are too large for it. `suspects`: parts of the rules that observations can turn into
//!   findings. `describe`: the findings. `examine`: these findings and the checker's.
//!   findings. `describe`: the findings. `examine`: with the findings of the checker.

mod describe;
mod examine;
mod instrument;
mod observations;
mod random_games;
pub mod reachability;
mod stops;
mod suspects;

pub use examine::{Examined, examine};

use crate::engine::PlyBudget;
use crate::language::board_sizes::smaller_boards;
use crate::language::finding::Finding;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::syntax::Span;
use instrument::Instrumented;
use observations::Observations;

/// Longer programs have slower plies: [`Effort::Glance`] divides its budget by 1 + length / this.
const MAX_FAST_INSTRUCTIONS: u64 = 400;

/// The effort of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few hundred plies with the chosen options: one or two milliseconds.
    Glance,
    /// Some ten thousand plies, on small boards too: up to a few seconds.
    Deep,
}

impl Effort {
    /// Returns the budgets of exploration and of random games, for one board.
    fn ply_budgets(self, observations: &Observations) -> (PlyBudget, PlyBudget) {
        match self {
            Effort::Glance => {
                let part = 1 + observations.instrumented.game.program().code.len() as u64
                    / MAX_FAST_INSTRUCTIONS;
                (PlyBudget::of(120 / part), PlyBudget::of(240 / part))
            }
            Effort::Deep => (PlyBudget::of(20_000), PlyBudget::of(20_000)),
        }
    }

    /// Returns the greatest length, in plies, of a random game with a cycle that is reported.
    fn showable(self) -> usize {
        match self {
            Effort::Glance => 20,
            Effort::Deep => 100,
        }
    }
}

/// The result of an analysis.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The boards that were explored, smallest first; the last has the chosen options.
    pub looked: Vec<BoardCoverage>,
    /// The ends not reached by incomplete exploration, which does not prove them unreachable.
    pub unreached: Vec<Span>,
}

/// The coverage of a game's exploration with one choice of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardCoverage {
    /// The options that differ from the chosen ones, by name.
    pub options: Vec<(String, String)>,
    /// Positions visited; repeats count.
    pub positions: usize,
    /// Random games that ended.
    pub games: usize,
    pub plies: usize,
    /// Whether all reachable positions were visited, ignoring rules of repetition.
    pub exhaustive: bool,
}

/// Explores a game with the chosen options and, if its board is too large and `effort` is deep, on
/// smaller boards. Returns its findings in the order of the text. The result is deterministic.
///
/// `rules` are the checked rules of `source` with these `choices`. `None` if they do not compile,
/// with or without the instrumentation.
pub fn analysis_findings(
    source: &Sources,
    choices: &[(String, String)],
    rules: Rules,
    effort: Effort,
) -> Option<Vec<Finding>> {
    analyze(source, choices, rules, effort).map(|survey| survey.findings)
}

/// As [`analysis_findings`], and reports the coverage.
pub fn analyze(
    source: &Sources,
    choices: &[(String, String)],
    rules: Rules,
    effort: Effort,
) -> Option<Analysis> {
    let mut chosen = observations(rules, effort)?;
    let mut small: Vec<Observations> = Vec::new();
    if !chosen.complete {
        if effort == Effort::Deep {
            for (_, rules) in smaller_boards(source, choices, chosen.rules(), &[]) {
                let Some(observations) = observations(rules, effort) else { continue };
                // Boards grow: if this one is too large to explore, so are the rest.
                let complete = observations.complete;
                small.push(observations);
                if !complete {
                    break;
                }
            }
        }
        let (_, mut games) = effort.ply_budgets(&chosen);
        random_games::play(&mut chosen, &mut games, effort.showable());
    }
    Some(describe::describe(&chosen, &small))
}

/// Explores the positions with the options of these rules.
fn observations(rules: Rules, effort: Effort) -> Option<Observations> {
    let mut observations = Observations::new(Instrumented::new(rules)?);
    let (mut positions, _) = effort.ply_budgets(&observations);
    observations.explore(&mut positions);
    Some(observations)
}
