//! Derives a solution from proofs: the value of a position, then the values of its first moves and
//! a line, as far as time and a share of positions allow.

use super::best_line::{after_each, unknown};
use super::proof::Prover;
use super::repetition::EndlessPlay;
use super::{Clock, Ending, RanOut, Solution, Stopped, Unknown, Value};
use crate::engine::game::{Fault, Move, State, Turn};
use crate::language::rules::PlayerId;
use std::collections::HashMap;

/// The first moves and the line get as many positions as the value has taken, and at least these.
/// If one first move wins, refuting all the others can take many times as many.
const LEAST_FOR_DETAILS: u64 = 1 << 18;

/// Derives the solution of a position whose value proof search has found.
///
/// # Errors
/// Stops if the rules do not terminate somewhere.
pub fn describe(
    from: &State,
    value: Value,
    prover: &mut Prover,
    clock: &mut Clock,
) -> Result<Solution, Stopped> {
    let mut solution = Solution {
        value,
        symmetries: prover.symmetries(),
        ..unknown(from, Unknown::RanOut(RanOut::Time), 0)
    };
    // Running out of time or positions from here on leaves only details unknown.
    prover.until = prover.nodes().saturating_add(prover.nodes().max(LEAST_FOR_DETAILS));
    let told = match value {
        Value::Unknown(_) => Ok(()),
        _ => clock.tell_value(value).map_err(Stopped::from),
    };
    match told.and_then(|()| tell_more(from, prover, clock, &mut solution)) {
        Ok(()) | Err(Stopped::RanOut(_)) => {}
        Err(Stopped::Fault(fault)) => return Err(Stopped::Fault(fault)),
    }
    prover.until = u64::MAX;
    solution.nodes = prover.nodes();
    Ok(solution)
}

fn value(of: &State, prover: &mut Prover, clock: &mut Clock) -> Result<Value, Stopped> {
    decide(of, prover, prover.until, clock)?.ok_or(Stopped::RanOut(RanOut::Steps))
}

/// Finds the value of a position of a game of one or two players without dice; or pauses when this
/// many positions were expanded in total, and returns `None`.
///
/// # Errors
/// Stops if memory or time runs out, or if the rules do not terminate somewhere.
pub fn decide(
    of: &State,
    prover: &mut Prover,
    until: u64,
    clock: &mut Clock,
) -> Result<Option<Value>, Stopped> {
    let first = match of.team_turn() {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Nobody => PlayerId(0),
    };
    let players = of.game().rules().teams.count();
    // The player to act is more likely to win, so that one proof often suffices.
    for player in [first, PlayerId(1 - first.0)].into_iter().take(players) {
        match prover.decide(player, of, until, clock)? {
            Some(true) => return Ok(Some(Value::Win(player))),
            Some(false) => {}
            None => return Ok(None),
        }
    }
    Ok(Some(not_won(of, prover)))
}

/// Finds the value of the position after a ply, given the value before it. If nobody wins before
/// the ply, the player who makes it does not win after it.
fn value_after(
    worth: Value,
    at: &State,
    after: &State,
    prover: &mut Prover,
    clock: &mut Clock,
) -> Result<Value, Stopped> {
    let players = at.game().rules().teams.count();
    match (worth, at.team_turn()) {
        (Value::Draw, Turn::Player(player)) if players == 2 => {
            let other = PlayerId(1 - player.0);
            let wins = prover.wins(other, after, clock)?;
            Ok(if wins { Value::Win(other) } else { not_won(after, prover) })
        }
        _ => value(after, prover, clock),
    }
}

/// Returns the value of a position that nobody can win without a repetition.
fn not_won(of: &State, prover: &Prover) -> Value {
    match EndlessPlay::of(of.game().rules()) {
        EndlessPlay::Draw => Value::Draw,
        _ if !prover.met_repetition() => Value::Draw,
        _ => Value::Unknown(Unknown::Repetition),
    }
}

/// Returns the value of a position without a search, if it is known.
fn known(of: &State, prover: &mut Prover) -> Option<Value> {
    let mut all_fail = true;
    for player in of.game().rules().teams.numbers() {
        match prover.known(player, of) {
            Some((true, _)) => return Some(Value::Win(player)),
            Some((false, _)) => {}
            None => all_fail = false,
        }
    }
    all_fail.then(|| not_won(of, prover))
}

fn tell_more(
    from: &State,
    prover: &mut Prover,
    clock: &mut Clock,
    solution: &mut Solution,
) -> Result<(), Stopped> {
    // Where another player wins, every ply leads to a position that he wins.
    let lost = match solution.value {
        Value::Win(winner) if from.team_turn() != Turn::Player(winner) => Some(solution.value),
        _ => None,
    };
    value_first_moves(from, clock, solution, |after, clock| {
        clock.tick(prover.nodes())?;
        Ok(lost.or_else(|| known(after, prover)))
    })?;
    best_line(from, prover, clock, solution)?;
    let worth = solution.value;
    value_first_moves(from, clock, solution, |after, clock| {
        value_after(worth, from, after, prover, clock).map(Some)
    })
}

/// Fills in the values of the first moves that have none yet.
fn value_first_moves(
    from: &State,
    clock: &mut Clock,
    solution: &mut Solution,
    mut value: impl FnMut(&State, &mut Clock) -> Result<Option<Value>, Stopped>,
) -> Result<(), Stopped> {
    // Both lists are sorted alike, but `after_each` skips a move that cannot be made.
    let mut index = 0;
    for after in after_each(from) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        let Some(more) = solution.first[index..].iter().position(|first| first.ply == ply) else {
            break;
        };
        index += more;
        if matches!(solution.first[index].value, Value::Unknown(Unknown::RanOut(_)))
            && let Some(found) = value(&after, clock)?
        {
            set_value(solution, index, found);
        }
    }
    Ok(())
}

/// Sets the value of a first move.
fn set_value(solution: &mut Solution, index: usize, value: Value) {
    let optimal = value == solution.value && !matches!(value, Value::Unknown(_));
    let first = &mut solution.first[index];
    (first.value, first.optimal) = (value, optimal);
}

/// Plays moves that keep the value: the winner takes the move with the smallest proof, the loser
/// the move with the largest.
///
/// A proof holds if no earlier position of the line occurs again. Wins are therefore played through
/// new positions; a further path to the win that repeats no position then lets each occur at most
/// twice. If a rule ends the game at the second occurrence, the winner's moves are proven anew,
/// with the line before them, and so are all moves of a draw if a repetition may be a win.
fn best_line(
    from: &State,
    prover: &mut Prover,
    clock: &mut Clock,
    solution: &mut Solution,
) -> Result<(), Stopped> {
    if matches!(solution.value, Value::Unknown(_)) {
        return Ok(());
    }
    let mut at = from.clone();
    let mut seen: HashMap<u64, usize> = HashMap::from([(at.hash(), 0)]);
    let is_strict = from.game().rules().repetition.as_ref().is_some_and(|rule| rule.times == 2);
    while at.outcome().is_none() {
        let next = match solution.value {
            Value::Win(winner) => {
                let occurred =
                    |hash: u64| seen.contains_key(&hash) || from.history().contains(&hash);
                let is_new = |after: &State| after.outcome().is_some() || !occurred(after.hash());
                match is_strict && at.team_turn() == Turn::Player(winner) {
                    true => strictly_towards_win(winner, &at, is_new, prover, clock)?,
                    false => towards_win(winner, &at, is_new, prover, clock)?,
                }
            }
            worth => {
                let endless = EndlessPlay::of(from.game().rules());
                keeping(worth, &at, endless == EndlessPlay::Draw, prover, clock)?
            }
        };
        let Some((ply, after)) = next else { return Ok(()) };
        at = after;
        if solution.line.is_empty()
            && let Some(index) = solution.first.iter().position(|first| first.ply == ply)
        {
            set_value(solution, index, solution.value);
        }
        solution.line.push(ply);
        if at.outcome().is_none()
            && let Some(before) = seen.insert(at.hash(), solution.line.len())
        {
            solution.ending = Ending::Repeats(before);
            return Ok(());
        }
    }
    solution.ending = at.outcome().map_or(Ending::Open, Ending::Over);
    Ok(())
}

/// Returns the ply to a new position known to be won by a player, if there is one: with the
/// smallest proof if the winner acts, else with the largest.
fn towards_win(
    winner: PlayerId,
    at: &State,
    is_new: impl Fn(&State) -> bool,
    prover: &mut Prover,
    clock: &mut Clock,
) -> Result<Option<(Move, State)>, Stopped> {
    let acts = at.team_turn() == Turn::Player(winner);
    let is_listed = |after: &Result<(Move, State), Fault>| {
        after.as_ref().map_or(true, |(_, after)| is_new(after))
    };
    let mut best: Option<(i64, Move, State)> = None;
    for after in after_each(at).filter(is_listed) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        clock.tick(prover.nodes())?;
        let Some((true, work)) = prover.known(winner, &after) else { continue };
        let rank = if acts { work as i64 } else { -(work as i64) };
        if best.as_ref().is_none_or(|(least, _, _)| rank < *least) {
            best = Some((rank, ply, after));
        }
    }
    if let Some((_, ply, after)) = best {
        return Ok(Some((ply, after)));
    }
    first_to(at, |after| Ok(is_new(after) && prover.wins(winner, after, clock)?))
}

/// Returns the winner's first ply to a new position that is won even if no position of the line may
/// occur again, if there is one.
fn strictly_towards_win(
    winner: PlayerId,
    at: &State,
    is_new: impl Fn(&State) -> bool,
    prover: &mut Prover,
    clock: &mut Clock,
) -> Result<Option<(Move, State)>, Stopped> {
    first_to(at, |after| {
        let is_open = is_new(after) && !matches!(prover.known(winner, after), Some((false, _)));
        Ok(is_open && prover.anew(after, |anew| anew.wins(winner, after, clock))?)
    })
}

/// Returns the first ply that leads to a position of the same value; with `always`, of the same
/// value whatever the line before.
fn keeping(
    worth: Value,
    at: &State,
    always: bool,
    prover: &mut Prover,
    clock: &mut Clock,
) -> Result<Option<(Move, State)>, Stopped> {
    if let (Value::Draw, Turn::Player(player), true) = (worth, at.team_turn(), always) {
        // A ply to a position that the opponent is known not to win is found without a search.
        let other = PlayerId(1 - player.0);
        let held =
            first_to(at, |after| Ok(matches!(prover.known(other, after), Some((false, _)))))?;
        if held.is_some() {
            return Ok(held);
        }
    }
    first_to(at, |after| {
        let is_worth = value_after(worth, at, after, prover, clock)? == worth;
        Ok(is_worth && (always || prover.anew(after, |anew| value(after, anew, clock))? == worth))
    })
}

/// Returns the first ply that leads to a position of this kind, with the position.
fn first_to(
    at: &State,
    mut is_wanted: impl FnMut(&State) -> Result<bool, Stopped>,
) -> Result<Option<(Move, State)>, Stopped> {
    for after in after_each(at) {
        let (ply, after) = after.map_err(Stopped::Fault)?;
        if is_wanted(&after)? {
            return Ok(Some((ply, after)));
        }
    }
    Ok(None)
}
