//! What can never come about in a game, and what should not.
//!
//! In: the texts of a game that checks clean, and the options chosen. Out: warnings of moves that
//! are never legal, of ends that never come, of players left without a move where no rule says what
//! happens, of games that can go on for ever. It refuses to guess: "never" is said only where every
//! position of a board was looked at, and of all else what was seen, and on which board.
//!
//! - `instrument`: rules that remember what ended the game. `observations`: what was seen with one
//!   choice of options.
//! - `reachability`: all positions of a small board. `random_games`: random games on a large one.
//!   `small_boards`: which boards are small.
//! - `suspects`: what in the rules is to be looked out for. `describe`: what is said of it.

mod describe;
mod instrument;
mod observations;
mod random_games;
mod reachability;
mod small_boards;
mod suspects;

use crate::language::check;
use crate::language::finding::Finding;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::syntax::Span;
use instrument::Instrumented;
use observations::{Observations, PlyBudget};

/// Rules with more instructions than this have slower plies, and a glance takes the fewer of them.
const MAX_FAST_INSTRUCTIONS: u64 = 400;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few hundred plies with the options chosen: a millisecond or two.
    Glance,
    /// Some ten thousand plies, on small boards too: up to a few seconds.
    Deep,
}

impl Effort {
    /// What looking at all positions of one board may cost, and random games, in plies.
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

    /// A cycle that is found by chance and takes more plies than this is no help to anybody.
    fn showable(self) -> usize {
        match self {
            Effort::Glance => 20,
            Effort::Deep => 100,
        }
    }
}

/// What a look at a game has found, and how much it looked at.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// The boards that were looked at, the smallest first; the last is that of the options chosen.
    pub looked: Vec<BoardCoverage>,
    /// The ends that nothing came to that was looked at, where not all was: this proves nothing.
    pub unreached: Vec<Span>,
}

/// How much of a game was looked at with one choice of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardCoverage {
    /// The options that differ from those chosen, by name.
    pub options: Vec<(String, String)>,
    /// Each as often as the search came there.
    pub positions: usize,
    /// The random games that came to an end.
    pub games: usize,
    pub plies: usize,
    /// Whether there is no other position that can be reached, rules of repetition left aside.
    pub exhaustive: bool,
}

/// Looks at the positions of a game, with the options chosen and perhaps on smaller boards, and
/// tells what seems wrong with it, in the order of the text. The same rules give the same warnings
/// on every computer.
///
/// `rules` are what the texts say with these options. None when they do not compile, or not with
/// what is added to them here.
pub fn analysis_findings(
    source: &Sources,
    choices: &[(String, String)],
    rules: Rules,
    effort: Effort,
) -> Option<Vec<Finding>> {
    analyze(source, choices, rules, effort).map(|survey| survey.findings)
}

/// The same, and tells how much was looked at.
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
            for choices in small_boards::smaller(source, choices, chosen.rules()) {
                let Some(rules) = check(source, &choices).rules else { continue };
                // The board as it is has been looked at.
                if rules
                    .options
                    .iter()
                    .zip(&chosen.rules().options)
                    .all(|(one, other)| one.chosen == other.chosen)
                {
                    break;
                }
                let Some(observations) = observations(rules, effort) else { continue };
                // Boards grow; the first that cannot be seen wholly is the last to be looked at.
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

/// Looks at the positions with the options of these rules.
fn observations(rules: Rules, effort: Effort) -> Option<Observations> {
    let mut observations = Observations::new(Instrumented::new(rules)?);
    let (mut positions, _) = effort.ply_budgets(&observations);
    reachability::explore(&mut observations, &mut positions);
    Some(observations)
}
