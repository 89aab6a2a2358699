//! Claims about scores and draws: games between programs, until a sequential test decides on which
//! side of the bound the mean lies.

use super::question::{MeanQuery, Question};
use super::sequential_mean::{MeanSide, SequentialMeanTest};
use super::{ClaimLimits, ClaimVerdict, Decided, ERROR};
use crate::budget::Deadline;
use crate::engine::game::{Fault, Turn};
use crate::engine::position::Outcome;
use crate::language::claims::{Counted, Side};
use crate::language::rules::Teams;
use crate::notation::{clause, counted, player};
use crate::random::mix;
use crate::search::{Mcts, Player, PlayerKind, roll};
use rayon::prelude::*;

/// Games that reach this ply limit count as draws.
const MAX_PLIES: usize = 2_000;
/// The memory limit of a searcher's tree, in bytes.
const MEMORY: usize = 16 << 20;
/// Games between two checks of the result.
const BATCH: u32 = 16;

/// Decides a claim about a mean.
pub fn decide(
    question: &Question,
    asked: MeanQuery,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Decided {
    let undecided = |reason: String| Decided::new(&question.claim, ClaimVerdict::Undecided, reason);
    let programs = match question.programs() {
        Ok(programs) => programs,
        Err(fault) => return undecided(fault),
    };
    let mut test = SequentialMeanTest::new(f64::from(asked.halves) / 200.0, ERROR);
    let mut unfinished = 0;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads.max(1)).build().ok();
    let mut next = 0;
    while next < limits.contests && test.answer().is_none() && !deadline.has_passed() {
        let batch = next..limits.contests.min(next + BATCH);
        let play = || -> Vec<Result<Option<Outcome>, NoResult>> {
            batch
                .clone()
                .into_par_iter()
                .with_max_len(1)
                .map(|number| {
                    one(question, &programs, mix(limits.seed, u64::from(number)), deadline)
                })
                .collect()
        };
        let played = match &pool {
            Some(pool) => pool.install(play),
            None => play(),
        };
        for outcome in played {
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(NoResult::Fault(fault)) => {
                    return undecided(clause::endless(question.game.rules(), &fault));
                }
                // Games after one that was cut off are dropped: the test needs an unselected
                // prefix, and slow games would otherwise be underrepresented.
                Err(NoResult::Late) => break,
            };
            // The test has stopped; further games of the batch are ignored.
            if test.answer().is_none() {
                unfinished += u64::from(outcome.is_none());
                test.observe(observation(outcome, asked.of, question.game.rules().teams));
            }
        }
        next = batch.end;
    }
    let wanted = if asked.side == Side::Below { MeanSide::Below } else { MeanSide::Above };
    let verdict = match test.answer() {
        None => ClaimVerdict::Undecided,
        Some(answer) if (answer == wanted) == asked.so => ClaimVerdict::Holds,
        Some(_) => ClaimVerdict::Fails,
    };
    let mut decided = Decided::new(
        &question.claim,
        verdict,
        words(question, asked, &test, &programs, unfinished),
    );
    decided.games = test.seen();
    decided.error = test.answer().map(|_| ERROR);
    decided
}

/// Why a game has no result.
enum NoResult {
    Fault(Fault),
    /// Time ran out during the game.
    Late,
}

impl From<Fault> for NoResult {
    fn from(fault: Fault) -> NoResult {
        NoResult::Fault(fault)
    }
}

/// Plays a game; returns its outcome by team, or `None` if it reached the ply limit.
fn one(
    question: &Question,
    programs: &[PlayerKind],
    seed: u64,
    deadline: &Deadline,
) -> Result<Option<Outcome>, NoResult> {
    let player = |(seat, &kind): (u64, &PlayerKind)| {
        Some(Player::new(kind, mix(seed, seat))?.with(Mcts::new(1, MEMORY)))
    };
    let mut players: Vec<Option<Player>> = (1..).zip(programs).map(player).collect();
    let mut position = question.start.clone();
    for _ in 0..MAX_PLIES {
        let ply = match position.personal_turn() {
            Turn::Nobody => break,
            Turn::Chance => roll(&position, seed),
            Turn::Player(player) => match players.get_mut(player.index()) {
                Some(Some(program)) => {
                    program.choose_by(&position, deadline)?.map(|choice| choice.ply)
                }
                _ => None,
            },
        };
        // A choice that was cut short is not the player's own.
        if deadline.has_passed() {
            return Err(NoResult::Late);
        }
        let Some(ply) = ply else { break };
        if let Err(crate::engine::game::PlayError::Fault(fault)) = position.play(&ply) {
            return Err(fault.into());
        }
    }
    Ok(position.team_outcome())
}

fn observation(outcome: Option<Outcome>, of: Counted, teams: Teams) -> f64 {
    match (outcome, of) {
        (over, Counted::Score(player)) => {
            over.unwrap_or(Outcome::Draw).score(teams.of(player), teams.count())
        }
        (Some(Outcome::Win(_)), Counted::Draws) => 0.0,
        (Some(Outcome::Draw | Outcome::Shared(_)) | None, Counted::Draws) => 1.0,
    }
}

fn words(
    question: &Question,
    asked: MeanQuery,
    test: &SequentialMeanTest,
    programs: &[PlayerKind],
    unfinished: u64,
) -> String {
    let rules = question.game.rules();
    let bound = f64::from(asked.halves) / 2.0;
    let mut spelled: Vec<String> = programs.iter().map(PlayerKind::to_string).collect();
    spelled.dedup();
    let games =
        format!("{} between players {}", counted(test.seen(), "game"), spelled.join(" and "));
    let percent = test.mean() * 100.0;
    let mean = match asked.of {
        Counted::Score(who) => format!("{} scored {percent:.1} % in {games}", player(rules, who)),
        Counted::Draws => format!("{percent:.1} % of {games} were drawn"),
    };
    let mut text = match test.answer() {
        Some(MeanSide::Below) => {
            format!("{mean}: below {bound} %, with an error rate of at most {:.0} %", ERROR * 100.0)
        }
        Some(MeanSide::Above) => {
            format!("{mean}: above {bound} %, with an error rate of at most {:.0} %", ERROR * 100.0)
        }
        None => format!("{mean}: too close to {bound} % to decide"),
    };
    if unfinished > 0 {
        text.push_str(&format!("; {} did not end", counted(unfinished, "game")));
    }
    text
}
