//! Says which rules of a game make no difference, as text and JSON.

use super::place::{Place, place};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, print};
use ludwright::compare::Comparison;
use ludwright::compare::leave_out::{LeftOut, Without};
use ludwright::notation::{counted, grouped};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// What a game is without each of its rules.
#[derive(Serialize, JsonSchema)]
pub struct LeaveOutAnswer {
    file: String,
    rules: Vec<RuleAnswer>,
}

/// What a game is without a rule.
#[derive(Serialize, JsonSchema)]
struct RuleAnswer {
    /// Where the rule is.
    at: Place,
    /// What the game is without it.
    verdict: Outcome,
    /// Pairs of positions searched.
    positions: u64,
    /// Random games played where not all were searched.
    games: u32,
    /// The plies before the first difference that was found.
    plies: Option<usize>,
}

/// What leaving out a rule does to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    /// The same, in all positions.
    Same,
    NoDifferenceFound,
    Different,
    /// No game: its rules do not end.
    Endless,
}

impl Answer for LeaveOutAnswer {
    const NAME: &'static str = "leave-out";
}

impl RuleAnswer {
    fn of(loaded: &Loaded, left_out: &LeftOut) -> RuleAnswer {
        let made = |verdict, found: Option<&Comparison>| RuleAnswer {
            at: place(left_out.clause, loaded.game.rules(), &loaded.source),
            verdict,
            positions: found.map_or(0, |found| found.positions),
            games: found.map_or(0, |found| found.games),
            plies: found
                .and_then(|found| found.difference.as_ref())
                .map(|difference| difference.left.ply_count()),
        };
        match &left_out.without {
            Without::Endless => made(Outcome::Endless, None),
            Without::Game(found) if found.difference.is_some() => {
                made(Outcome::Different, Some(found))
            }
            Without::Game(found) if found.is_same() => made(Outcome::Same, Some(found)),
            Without::Game(found) => made(Outcome::NoDifferenceFound, Some(found)),
        }
    }

    /// Says what the game is without the rule.
    fn says(&self) -> String {
        match (self.verdict, self.plies) {
            (Outcome::Same, _) => "the same game without it".to_owned(),
            (Outcome::Endless, _) => "without it, the rules never end".to_owned(),
            (Outcome::NoDifferenceFound, _) => format!(
                "no difference in {} and {}",
                counted(self.positions, "position"),
                counted(u64::from(self.games), "random game")
            ),
            (Outcome::Different, Some(0)) => "another game at once".to_owned(),
            (Outcome::Different, plies) => {
                format!("another game after {}", counted(plies.unwrap_or(0) as u64, "ply"))
            }
        }
    }
}

impl LeaveOutAnswer {
    /// Describes the results of leaving out each rule.
    pub fn of(path: &Path, loaded: &Loaded, found: &[LeftOut]) -> LeaveOutAnswer {
        let mut rules: Vec<RuleAnswer> =
            found.iter().map(|left_out| RuleAnswer::of(loaded, left_out)).collect();
        // The rules that matter least come first.
        let rank = |rule: &RuleAnswer| match rule.verdict {
            Outcome::Same => (0, 0),
            Outcome::NoDifferenceFound => (1, 0),
            Outcome::Different => (2, usize::MAX - rule.plies.unwrap_or(0)),
            Outcome::Endless => (3, 0),
        };
        rules.sort_by_key(rank);
        LeaveOutAnswer { file: path.display().to_string(), rules }
    }

    /// Prints the answer as text or JSON.
    ///
    /// # Errors
    /// If the answer cannot be written.
    pub fn write(&self, console: &Console, out: &mut dyn Write) -> Result<(), Failure> {
        if console.json() {
            return print(self, out);
        }
        let idle =
            |rule: &&RuleAnswer| matches!(rule.verdict, Outcome::Same | Outcome::NoDifferenceFound);
        let idle = self.rules.iter().filter(idle).count();
        let all = grouped(self.rules.len() as u64);
        match idle {
            0 => writeln!(out, "Each of {all} rules makes a difference, as far as was searched.")?,
            _ => writeln!(
                out,
                "{} of {all} rules can be left out, as far as was searched:",
                grouped(idle as u64)
            )?,
        }
        for (index, rule) in self.rules.iter().enumerate() {
            if index == idle {
                writeln!(out, "\nThe others, those that matter latest first:")?;
            }
            writeln!(out, "  line {}, `{}`: {}", rule.at.line, rule.at.text, rule.says())?;
        }
        Ok(())
    }
}
