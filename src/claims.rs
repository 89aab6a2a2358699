//! Decides the claims of a game: exactly if all positions can be explored, otherwise by games, with
//! a stated error rate.
//!
//! The same seed gives the same verdicts on any number of threads, unless time runs out.
//!
//! - `question`: prepares a claim. `monitor`: checks a property along a game.
//! - `games`: claims about all games, decided by exploring all positions (`reachability`) or tested
//!   by random games; `shrink` shortens their counterexamples.
//! - `best_play`: claims about best play. `program_games`: claims about scores and draws, by games
//!   between programs, which the sequential test [`sequential_mean`] ends.
//!
//! # Exactness
//!
//! - A claim about all games is decided exactly once all positions are explored. Positions are
//!   compared as a whole, not by hash. The exploration ignores repetition rules: each reachable
//!   position is reached by some game without repetition. If such a rule matters to the claim, a
//!   game that repeats positions is replayed under it.
//! - If there are too many positions, random games look for a counterexample. If none of n games is
//!   one, then with 95 % confidence fewer than 1 − 0.05^(1/n) of all random games are.
//! - A counterexample is shortened by deleting plies. It is called shortest only if no shorter game
//!   can be one.

mod best_play;
mod games;
mod monitor;
mod program_games;
mod question;
mod reachability;
mod reasons;
pub mod sequential_mean;
mod shrink;

use crate::budget::Deadline;
use crate::language::check;
use crate::language::claims::Claim;
use crate::language::sources::Sources;
use crate::record::Record;
use question::{ClaimQuery, Question};
use std::time::Duration;

/// The error rate of sequential tests, and one minus the confidence of statements about random
/// games.
pub const ERROR: f64 = 0.05;

/// The limits for deciding one claim.
#[derive(Clone, Copy, Debug)]
pub struct ClaimLimits {
    /// Plies followed when exploring all positions.
    pub plies: u64,
    /// Random games; fewer if they are long.
    pub games: u32,
    /// Games between programs.
    pub contests: u32,
    pub time: Option<Duration>,
    pub seed: u64,
    pub threads: usize,
}

impl Default for ClaimLimits {
    /// About a second for most claims. The time limit is for very slow plies; a claim decided
    /// before it has the same result on every machine.
    fn default() -> ClaimLimits {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        ClaimLimits {
            plies: 400_000,
            games: 10_000,
            contests: 400,
            time: Some(Duration::from_secs(60)),
            seed: 1,
            threads,
        }
    }
}

/// The result for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// The claim is true: proven, or accepted by a test with a stated error rate.
    Holds,
    /// No random game was a counterexample.
    NotRefuted,
    /// The claim is false: refuted, or rejected by a test with a stated error rate.
    Fails,
    /// The search was inconclusive.
    Undecided,
    /// The claim is meaningless: its opening is illegal, or it names a player that does not exist.
    Faulty,
}

impl ClaimVerdict {
    /// Tests if the verdict shows a fault, in the claim or in the game.
    pub fn is_bad(self) -> bool {
        matches!(self, ClaimVerdict::Fails | ClaimVerdict::Faulty)
    }

    /// Returns the verdict in words.
    pub fn word(self) -> &'static str {
        match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::NotRefuted => "not refuted",
            ClaimVerdict::Fails => "fails",
            ClaimVerdict::Undecided => "undecided",
            ClaimVerdict::Faulty => "faulty",
        }
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The claim in its author's words.
    pub text: String,
    pub verdict: ClaimVerdict,
    /// Whether the verdict is proven.
    pub exact: bool,
    /// The reason: a sentence without its period.
    pub reason: String,
    /// Positions explored.
    pub positions: u64,
    /// Games played.
    pub games: u64,
    /// The error rate or one minus the confidence, if the verdict is statistical.
    pub error: Option<f64>,
    /// A counterexample, or an example of the claim.
    pub example: Option<Example>,
    /// Such a game on a smaller board.
    pub smaller: Option<Example>,
}

/// A counterexample, or an example of the claim.
#[derive(Clone, Debug)]
pub struct Example {
    pub record: Record,
    /// Whether no shorter example exists with these options.
    pub shortest: bool,
}

impl Decided {
    fn new(claim: &Claim, verdict: ClaimVerdict, reason: impl Into<String>) -> Decided {
        Decided {
            text: claim.text.clone(),
            verdict,
            exact: false,
            reason: reason.into(),
            positions: 0,
            games: 0,
            error: None,
            example: None,
            smaller: None,
        }
    }
}

/// Decides the claims of a game in the order of the file, passing each to `tell` as soon as it is
/// decided. Does nothing if the rules have errors.
///
/// ```
/// use ludwright::claims::{ClaimLimits, ClaimVerdict, decide};
///
/// let text = r#"(game "Fill" (players White Black) (board (square 2)) (piece Stone)
///   (move drop (to t (empty)) (put Stone t))
///   (play (turns (choose drop)))
///   (end (if (none (empty)) (win mover)))
///   (claim "It is over after four plies." (ends-within 4))
///   (claim "To begin is to win." (wins White)))"#;
/// let (limits, mut verdicts) = (ClaimLimits::default(), Vec::new());
/// decide(&text.into(), &[], &limits, &mut |decided| verdicts.push(decided.verdict));
/// assert_eq!(verdicts, [ClaimVerdict::Holds, ClaimVerdict::Fails]);
/// ```
pub fn decide(
    source: &Sources,
    choices: &[(String, String)],
    limits: &ClaimLimits,
    tell: &mut dyn FnMut(Decided),
) {
    decide_while(source, choices, limits, &mut |decided| {
        tell(decided);
        true
    });
}

/// As [`decide`], until `tell` returns false.
pub fn decide_while(
    source: &Sources,
    choices: &[(String, String)],
    limits: &ClaimLimits,
    tell: &mut dyn FnMut(Decided) -> bool,
) {
    let Some(rules) = check(source, choices).rules else { return };
    for (index, claim) in rules.claims.iter().enumerate() {
        let deadline = Deadline::after(limits.time);
        let goes_on = tell(match Question::new(source, choices, index, claim) {
            Err(fault) => Decided::new(claim, ClaimVerdict::Faulty, fault),
            Ok(question) => match question.asked {
                ClaimQuery::Games(asked) => {
                    games::decide(source, &question, asked, limits, &deadline)
                }
                ClaimQuery::Best(wanted, so) => {
                    best_play::decide(&question, wanted, so, limits, &deadline)
                }
                ClaimQuery::Mean(asked) => {
                    program_games::decide(&question, asked, limits, &deadline)
                }
            },
        });
        if !goes_on {
            break;
        }
    }
}
