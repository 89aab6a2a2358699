//! The summary: at most three short sentences with what a designer asks first. Who is ahead; how
//! long, how drawish and how deep the game is; the greatest fault. Intervals and caveats are in the
//! verdict. What depends on luck is claimed only where the verdict claims it.

use super::course::MINUTES;
use super::evidence::{Evidence, Standing};
use super::{Coverage, Estimate, capital, comebacks, exact, families, levels, outcome, verdict};
use crate::engine::game::Game;
use crate::measure::results::Results;
use crate::notation::clause::{line_number, quote};
use crate::notation::{counted, grouped, list};

/// From this share of games on, games that do not end are a fault.
const MANY_UNFINISHED: f64 = 0.05;
/// It is a fault if players have no choice at more than this share of their plies, if more than
/// this share of the games is drawn, or if half of the games are settled before this share of their
/// plies.
const HALF: f64 = 0.5;

/// Writes the summary. Empty if no game between players was played and nothing was solved.
pub fn summary(
    (results, game): (&Results, &Game),
    evidence: Option<&Evidence>,
    coverage: &Coverage,
) -> Vec<String> {
    let hang = hang(results, game);
    let solved = results.solved();
    let solved =
        solved.map(|board| format!("With best play, {}.", exact::value(board, game.rules())));
    let Some(evidence) = evidence else { return hang.into_iter().chain(solved).collect() };
    let balance = solved.or_else(|| balance(evidence));
    // Where the rules hang, no other fault matters.
    let fault = hang.is_none().then(|| fault(evidence, game, coverage));
    hang.into_iter().chain(balance).chain(course(evidence)).chain(fault).collect()
}

/// Says that games hang.
fn hang(results: &Results, game: &Game) -> Option<String> {
    let (rules, clause) = (game.rules(), results.hang()?);
    Some(format!(
        "The rules are at fault: in {} they never reach the next ply, because of {} in line {}.",
        counted(results.hung_games(), "game"),
        quote(rules, clause),
        line_number(rules, clause)
    ))
}

/// Returns who is ahead, and the score of each player.
fn standing(evidence: &Evidence) -> Option<(Standing, Vec<Estimate>)> {
    match families::strongest(evidence.results, evidence.measures).as_deref() {
        Some([one, other]) => Some((evidence.common_standing(one, other)?, one.scores.clone())),
        Some([one]) => Some((evidence.standing(&one.scores)?, one.scores.clone())),
        _ => {
            let scores = evidence.scores();
            Some((evidence.standing(&scores)?, scores))
        }
    }
}

/// Says who is ahead.
fn balance(evidence: &Evidence) -> Option<String> {
    let players = &evidence.results.plan.players;
    let (standing, scores) = standing(evidence)?;
    let between = capital(&evidence.between());
    let scoring = |player: usize| {
        format!("scores {:.0} %{}", 100.0 * scores[player].value, evidence.equal_share())
    };
    let share = |player: usize| format!("{} {}", players[player], scoring(player));
    if players.len() == 1 || !evidence.pairing.is_even() {
        return Some(format!("{between}, {}.", share(told_player(standing))));
    }
    Some(match standing {
        Standing::Ahead(player) => {
            format!("{between}, {} is clearly ahead and {}.", players[player], scoring(player))
        }
        Standing::Close => format!("{between}, the sides are close to even: {}.", share(0)),
        Standing::ByChance(player) | Standing::Open(player) => {
            let games = counted(scores[player].sample, "game");
            format!("{between}, no side is clearly ahead: {} in {games}.", share(player))
        }
        Standing::Differ { .. } => {
            "Who is ahead is not known, since two families of players differ.".to_owned()
        }
    })
}

/// Returns the player of whom a standing speaks.
fn told_player(standing: Standing) -> usize {
    match standing {
        Standing::Ahead(player) | Standing::ByChance(player) | Standing::Open(player) => player,
        Standing::Differ { leader, .. } => leader,
        Standing::Close => 0,
    }
}

/// Says how long games are, how many are drawn, and how many levels of play there are.
fn course(evidence: &Evidence) -> Option<String> {
    let Some(plies) = evidence.figure("plies", "mean") else {
        return evidence.figure("unfinished", "").map(|_| "No game came to an end.".to_owned());
    };
    let minutes = evidence
        .figure(MINUTES, "mean")
        .map_or(String::new(), |minutes| format!(" ({} minutes)", plain(minutes.value)));
    let length = format!("a game takes {} plies{minutes}", plain(plies.value));
    let is_game_of_several = evidence.results.plan.players.len() > 1;
    let draws =
        evidence.figure("draws", "").filter(|_| is_game_of_several).map(|draws| {
            match draws.value {
                0.0 => "none is drawn".to_owned(),
                1.0 => "all are drawn".to_owned(),
                few if few < 0.005 => "fewer than 1 % are drawn".to_owned(),
                share => format!("{:.0} % are drawn", 100.0 * share),
            }
        });
    let parts: Vec<String> =
        [Some(length), draws, levels::number(evidence.results)].into_iter().flatten().collect();
    Some(format!("{}.", capital(&list(&parts, "and"))))
}

/// Formats a length in two digits, or more of long ones.
fn plain(value: f64) -> String {
    verdict::digits(value).trim_end_matches(".0").to_owned()
}

/// Says the greatest fault of the game, or that none was found.
fn fault(evidence: &Evidence, game: &Game, coverage: &Coverage) -> String {
    let faults: [&dyn Fn() -> Option<String>; 6] = [
        &|| unfinished(evidence),
        &|| skill(evidence),
        &|| drawish(evidence),
        &|| settled(evidence),
        &|| forced(evidence),
        &|| unused(game, coverage),
    ];
    // The advantage of a player, in the first sentence, is the first fault.
    let is_second = matches!(standing(evidence), Some((Standing::Ahead(_), _)))
        && !evidence.results.is_solved();
    match faults.iter().find_map(|fault| fault()) {
        Some(fault) if is_second => format!("Also against it: {fault}."),
        Some(fault) => format!("Against it: {fault}."),
        None if is_second => "Nothing else was found against it.".to_owned(),
        None => "Nothing was found against it.".to_owned(),
    }
}

fn unfinished(evidence: &Evidence) -> Option<String> {
    let share = evidence.figure("unfinished", "")?.value;
    (share >= MANY_UNFINISHED).then(|| format!("{:.0} % of games do not end", 100.0 * share))
}

fn skill(evidence: &Evidence) -> Option<String> {
    let players = evidence.results.plan.players.len();
    if players < 2 {
        return None;
    }
    if levels::is_without_skill(evidence.results) {
        return Some("no search beats random play clearly".to_owned());
    }
    let most = 1.0 / players as f64 + outcome::LITTLE;
    let steps = &evidence.measure("strength")?.figures;
    let is_little = !steps.is_empty() && steps.iter().all(|step| step.estimate.high < most);
    is_little.then(|| "skill hardly tells".to_owned())
}

fn drawish(evidence: &Evidence) -> Option<String> {
    let draws = evidence.figure("draws", "")?;
    let is_fault = draws.low > HALF && evidence.results.plan.players.len() > 1;
    is_fault.then(|| "most games are drawn".to_owned())
}

fn settled(evidence: &Evidence) -> Option<String> {
    let median = evidence.figure(comebacks::SETTLED, "median")?;
    let is_early = median.sample >= comebacks::FEW && median.high < HALF;
    is_early.then(|| {
        format!("half of the games are settled by {:.0} % of their plies", 100.0 * median.value)
    })
}

fn forced(evidence: &Evidence) -> Option<String> {
    let share = evidence.figure("forced", "")?;
    let is_much = share.low > HALF;
    is_much
        .then(|| format!("players have no choice at {:.0} % of their plies", 100.0 * share.value))
}

fn unused(game: &Game, coverage: &Coverage) -> Option<String> {
    let unobserved = coverage.clauses.iter().filter(|clause| clause.is_unobserved());
    let unobserved: Vec<_> = unobserved.filter(|_| coverage.games > 0).collect();
    let first = unobserved.first()?;
    let rules = game.rules();
    let such = if unobserved.len() > 1 { "such as " } else { "" };
    Some(format!(
        "{} of {} clauses never took effect, {such}{} in line {}",
        grouped(unobserved.len() as u64),
        grouped(coverage.clauses.len() as u64),
        quote(rules, first.span),
        line_number(rules, first.span)
    ))
}
