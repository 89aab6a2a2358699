//! Claims about scores and draws: games between programs, until it can be told on which side of the bound the mean is.

use super::question::{OfMean, Question};
use super::wager::{Answer, Wager};
use super::words::count;
use super::{Decided, ERROR, Limits, Verdict};
use crate::deadline::Deadline;
use crate::engine::game::{Fault, Turn};
use crate::engine::position::Outcome;
use crate::language::claims::{Counted, Side};
use crate::notation::{clause, player};
use crate::random::mix;
use crate::search::{Kind, Mcts, Player, roll};
use rayon::prelude::*;

/// A game that comes to no end is given up after so many plies, and counts as a draw.
const LONGEST: usize = 2_000;
/// How much memory a searcher takes.
const MEMORY: usize = 16 << 20;
/// So many games are played before somebody looks how they went.
const BATCH: u32 = 16;

/// Decides a claim about a mean.
pub fn decide(question: &Question, asked: OfMean, limits: &Limits, deadline: &Deadline) -> Decided {
    let undecided = |reason: String| Decided::new(&question.claim, Verdict::Undecided, reason);
    let programs = match question.programs() {
        Ok(programs) => programs,
        Err(fault) => return undecided(fault),
    };
    let mut wager = Wager::new(f64::from(asked.halves) / 200.0, ERROR);
    let mut unfinished = 0;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads.max(1)).build().ok();
    let mut next = 0;
    while next < limits.contests && wager.answer().is_none() && !deadline.has_passed() {
        let batch = next..limits.contests.min(next + BATCH);
        let play = || -> Vec<Result<Option<Outcome>, Unplayed>> {
            batch
                .clone()
                .into_par_iter()
                .with_max_len(1)
                .map(|number| one(question, &programs, mix(limits.seed, u64::from(number)), deadline))
                .collect()
        };
        let played = match &pool {
            Some(pool) => pool.install(play),
            None => play(),
        };
        for outcome in played {
            let outcome = match outcome {
                Ok(outcome) => outcome,
                Err(Unplayed::Fault(fault)) => return undecided(clause::endless(question.game.rules(), &fault)),
                // Nothing is said of the games after it either, so that a batch counts as far as it was played in order.
                Err(Unplayed::Late) => break,
            };
            // What was played beyond the answer is not looked at.
            if wager.answer().is_none() {
                unfinished += u64::from(outcome.is_none());
                wager.see(counted(outcome, asked.of));
            }
        }
        next = batch.end;
    }
    let wanted = if asked.side == Side::Below { Answer::Below } else { Answer::Above };
    let verdict = match wager.answer() {
        None => Verdict::Undecided,
        Some(answer) if (answer == wanted) == asked.so => Verdict::Holds,
        Some(_) => Verdict::Fails,
    };
    let mut decided = Decided::new(&question.claim, verdict, words(question, asked, &wager, &programs, unfinished));
    decided.games = wager.seen();
    decided.error = wager.answer().map(|_| ERROR);
    decided
}

/// Why a game says nothing.
enum Unplayed {
    Fault(Fault),
    /// The time was over before its end.
    Late,
}

impl From<Fault> for Unplayed {
    fn from(fault: Fault) -> Unplayed {
        Unplayed::Fault(fault)
    }
}

/// Plays a game; gives how it ended, if it did.
fn one(question: &Question, programs: &[Kind], seed: u64, deadline: &Deadline) -> Result<Option<Outcome>, Unplayed> {
    let mut deadline = deadline.clone();
    let player = |(seat, &kind): (u64, &Kind)| Some(Player::new(kind, mix(seed, seat))?.with(Mcts::new(1, MEMORY)));
    let mut players: Vec<Option<Player>> = (1..).zip(programs).map(player).collect();
    let mut position = question.start.clone();
    for _ in 0..LONGEST {
        if deadline.is_over() {
            return Err(Unplayed::Late);
        }
        let ply = match position.turn() {
            Turn::Nobody => break,
            Turn::Chance => roll(&position, seed),
            Turn::Player(player) => match players.get_mut(player.index()) {
                Some(Some(program)) => program.choose_by(&position, &deadline)?.map(|choice| choice.ply),
                _ => None,
            },
        };
        let Some(ply) = ply else { break };
        if let Err(crate::engine::game::PlayError::Fault(fault)) = position.play(&ply) {
            return Err(fault.into());
        }
    }
    Ok(position.outcome())
}

fn counted(outcome: Option<Outcome>, of: Counted) -> f64 {
    match (outcome, of) {
        (Some(Outcome::Win(winner)), Counted::Score(player)) => f64::from(u8::from(winner == player)),
        (Some(Outcome::Draw) | None, Counted::Score(_)) => 0.5,
        (Some(Outcome::Win(_)), Counted::Draws) => 0.0,
        (Some(Outcome::Draw) | None, Counted::Draws) => 1.0,
    }
}

fn words(question: &Question, asked: OfMean, wager: &Wager, programs: &[Kind], unfinished: u64) -> String {
    let rules = question.game.rules();
    let bound = f64::from(asked.halves) / 2.0;
    let mut spelled: Vec<String> = programs.iter().map(Kind::to_string).collect();
    spelled.dedup();
    let games = format!("{} between players {}", count(wager.seen(), "game"), spelled.join(" and "));
    let percent = wager.mean() * 100.0;
    let mean = match asked.of {
        Counted::Score(who) => format!("{} scored {percent:.1} % in {games}", player(rules, who)),
        Counted::Draws => format!("{percent:.1} % were drawn of {games}"),
    };
    let mut text = match wager.answer() {
        Some(Answer::Below) => format!("{mean}: below {bound} %, with an error rate of at most {:.0} %", ERROR * 100.0),
        Some(Answer::Above) => format!("{mean}: above {bound} %, with an error rate of at most {:.0} %", ERROR * 100.0),
        None => format!("{mean}, too near to {bound} % to tell by so few"),
    };
    if unfinished > 0 {
        text.push_str(&format!("; {} came to no end", count(unfinished, "game")));
    }
    text
}
