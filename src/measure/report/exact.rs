//! What best play leads to, and how far players of each strength agree with it.

use super::significance::{Claim, Claims};
use super::{Measure, Strengths, Unit, capital};
use crate::language::rules::{PlayerId, Rules};
use crate::measure::game_rows::{BoardGames, Ending, ExactValue, SolvedBoard};
use crate::measure::plan::Pairing;
use crate::measure::results::Results;
use crate::measure::statistics::{Estimate, Scores, proportion_ci};
use crate::notation::{grouped, list, team_does};
use crate::search::PlayerKind;

/// The key of the measure.
pub const KEY: &str = "best-play";

/// Computes the measure.
pub fn measures(results: &Results, rules: &Rules) -> Vec<Measure> {
    let mut measure = Measure::new(
        KEY,
        "Best play",
        "What happens if everybody plays perfectly, found by searching all positions of the game or of its smaller boards, as far as a limited number of positions allows. The \
         figures are the share of games between equal players that end as with best play, on the largest board that was solved. Interval: Wilson's.",
    );
    for board in results.exact() {
        let best = match (board.value, board.optimal) {
            (ExactValue::Win(_), optimal) if optimal > 0 => {
                let keep = if optimal == 1 { "keeps" } else { "keep" };
                format!("; {optimal} of {} first plies {keep} this", board.first)
            }
            _ => String::new(),
        };
        measure.notes.push(format!(
            "{}: {}{best} ({} positions searched).",
            capital(&place(board)),
            value(board, rules),
            grouped(board.positions)
        ));
    }
    if let Some(board) = results.exact().next_back() {
        for games in agreement(results, board) {
            let Some((agreeing, all)) = games.agreeing(board.value) else { continue };
            let who = format!("{} against itself", games.kind);
            let share = agreeing_share(results, board, &games, (agreeing, all));
            measure.add("", &who, Unit::Share, "games", share);
        }
    }
    vec![measure]
}

/// Returns the results of equal players of each strength on a solved board, weakest first.
pub fn agreement(results: &Results, board: &SolvedBoard) -> Vec<BoardGames> {
    if !board.options.is_empty() {
        return board.games.clone();
    }
    let players = results.plan.players.len();
    let equals = results.pairings().into_iter().filter(|(_, pairing)| {
        pairing.challenger.is_none() && pairing.is_even() && !pairing.is_random()
    });
    let played = equals.filter_map(|(index, pairing)| {
        let kind = *pairing.seats[0].first()?;
        let mut games = BoardGames { kind, wins: vec![0; players], draws: 0, unfinished: 0 };
        for row in results.rows(index) {
            match row.ending {
                Ending::Win(winner) => *games.wins.get_mut(usize::from(winner))? += 1,
                Ending::Draw | Ending::Shared(_) => games.draws += 1,
                Ending::TooLong | Ending::Circling | Ending::Endless => games.unfinished += 1,
            }
        }
        Some(games)
    });
    played.collect()
}

/// Returns the pairing of equal players of a kind.
fn pairing_of(results: &Results, kind: &PlayerKind) -> Option<usize> {
    let mut pairings = results.pairings().into_iter();
    let is_own = |pairing: &Pairing| {
        pairing.challenger.is_none() && pairing.is_even() && pairing.seats[0].first() == Some(kind)
    };
    pairings.find(|(_, pairing)| is_own(pairing)).map(|(index, _)| index)
}

/// Estimates the share of games that end as with best play: `agreeing` of `all`. Recorded games
/// that depend on each other count as fewer.
fn agreeing_share(
    results: &Results,
    board: &SolvedBoard,
    games: &BoardGames,
    (agreeing, all): (u64, u64),
) -> Option<Estimate> {
    let pairing = pairing_of(results, &games.kind).filter(|_| board.options.is_empty());
    let Some(pairing) = pairing else { return proportion_ci(agreeing, all) };
    let agrees = |ending: Ending| match board.value {
        ExactValue::Win(winner) => ending == Ending::Win(winner),
        ExactValue::Draw => matches!(ending, Ending::Draw | Ending::Shared(_)),
        _ => !matches!(ending, Ending::Win(_)),
    };
    results.proportion(pairing, |ending| Some(agrees(ending)))
}

/// Returns the score of each player on a solved board, between equal players of each strength, and
/// the p-value of the test that the score is an equal share. On a smaller board unfinished games
/// count as draws. Empty where best play leads to no single result.
pub fn solved_scores(results: &Results, board: &SolvedBoard) -> Vec<(PlayerKind, Vec<(f64, f64)>)> {
    if matches!(board.value, ExactValue::Open | ExactValue::Score(_)) {
        return Vec::new();
    }
    let players = results.plan.players.len();
    let of_board = |games: BoardGames| {
        let all = games.wins.iter().sum::<u64>() + games.draws + games.unfinished;
        let own = |player: usize| {
            let wins = games.wins.get(player).copied().unwrap_or(0);
            let draws = games.draws + games.unfinished;
            let losses = all.saturating_sub(wins + draws);
            let scores = Scores { wins, draws, losses, shared: 0 };
            let known = pairing_of(results, &games.kind).filter(|_| board.options.is_empty());
            match known {
                Some(pairing) => Some((
                    results.score(pairing, player)?.value,
                    results.score_test(pairing, player),
                )),
                None => {
                    let value = scores.estimate(players)?.value;
                    Some((value, scores.equality_test(players, 1.0)))
                }
            }
        };
        let scores = (0..players).map(own).collect::<Option<Vec<(f64, f64)>>>()?;
        Some((games.kind, scores))
    };
    agreement(results, board).into_iter().filter_map(of_board).collect()
}

/// Names a board: `the game itself`, or its options.
fn place(board: &SolvedBoard) -> String {
    match options(board) {
        none if none.is_empty() => "the game itself".to_owned(),
        options => options,
    }
}

fn options(board: &SolvedBoard) -> String {
    let options = board.options.iter().map(|(name, value)| format!("{name}={value}"));
    options.collect::<Vec<String>>().join(" ")
}

/// Says what best play leads to: `Mover wins in 30 plies`.
pub fn value(board: &SolvedBoard, rules: &Rules) -> String {
    let does = |player, one, all| team_does(rules, PlayerId(player), one, all);
    let wins = |winner| does(winner, "wins", "win");
    match (board.value, board.plies) {
        (ExactValue::Win(winner), Some(1)) => format!("{} in 1 ply", wins(winner)),
        (ExactValue::Win(winner), Some(plies)) => format!("{} in {plies} plies", wins(winner)),
        (ExactValue::Win(winner), None) => wins(winner),
        (ExactValue::Draw | ExactValue::NeverEnds, _) if rules.players.len() == 1 => {
            does(0, "cannot win", "cannot win")
        }
        (ExactValue::Draw, _) => "the game is a draw".to_owned(),
        (ExactValue::NeverEnds, _) if rules.repetition.is_some() => {
            "positions repeat until the game is a draw by repetition".to_owned()
        }
        (ExactValue::NeverEnds, _) => "play repeats for ever, which is a draw".to_owned(),
        (ExactValue::Open, _) => {
            "no player can force a win, and not everybody can force a draw".to_owned()
        }
        (ExactValue::Score(score), _) => {
            format!("{} {:.1} %", does(0, "scores", "score"), score * 100.0)
        }
    }
}

/// Says what best play leads to in the game itself, and whether that is even; `None` if it was not
/// solved.
pub fn best_play(results: &Results, rules: &Rules) -> Option<(String, bool)> {
    let board = results.exact().find(|board| board.options.is_empty())?;
    let scores = board.value.scores(rules.players.len());
    let is_even = scores.is_some_and(|all| all.iter().all(|&score| score == all[0]));
    Some((value(board, rules), is_even))
}

/// Says what is known exactly, and which players agree with it; `None` if nothing was solved.
pub fn sentence(
    results: &Results,
    rules: &Rules,
    strengths: &Strengths,
    claims: &Claims,
) -> Option<String> {
    let board = results.exact().next_back()?;
    let mut text = match options(board) {
        none if none.is_empty() => {
            format!("Exactly: with best play, {}.", value(board, rules))
        }
        options => format!(
            "Exactly: on the smaller board {options}, with best play, {}; the whole game is too large to solve here.",
            value(board, rules)
        ),
    };
    let games = agreement(results, board);
    let agreeing = |games: &BoardGames| {
        let (agreeing, all) = games.agreeing(board.value)?;
        let share = agreeing_share(results, board, games, (agreeing, all))?;
        Some((strengths.name(&games.kind), share))
    };
    let found: Vec<_> = games.iter().filter_map(agreeing).collect();
    if found.is_empty() {
        return Some(text);
    }
    let shown = found.iter().map(|(name, share)| {
        format!("{:.0} % ({name}, {} games)", share.value * 100.0, grouped(share.sample))
    });
    let there = if board.options.is_empty() { "Games" } else { "Games there" };
    text.push_str(&format!(
        " {there} between equal players end so in {}.",
        list(&shown.collect::<Vec<String>>(), "and")
    ));
    let wrong: Vec<String> = solved_scores(results, board)
        .iter()
        .filter(|(kind, scores)| misjudges(*kind, scores, board.value, claims))
        .map(|(kind, _)| strengths.name(kind))
        .collect();
    if !wrong.is_empty() && rules.players.len() > 1 {
        let who = capital(&list(&wrong, "and"));
        text.push_str(&format!(" {who} players misjudge who is ahead."));
    }
    Some(text)
}

/// Tests if equal players score significantly less than an equal share with the side that wins with
/// best play, or more with one side where best play is a draw.
fn misjudges(kind: PlayerKind, scores: &[(f64, f64)], value: ExactValue, claims: &Claims) -> bool {
    let players = scores.len();
    let even = 1.0 / players.max(2) as f64;
    let is_sure = |player: usize| claims.hold(Claim::Solved { kind, player });
    match value {
        ExactValue::Win(winner) => {
            let winner = usize::from(winner);
            scores.get(winner).is_some_and(|(score, _)| *score < even) && is_sure(winner)
        }
        ExactValue::Draw | ExactValue::NeverEnds => {
            let mut ahead = scores.iter().enumerate().filter(|(_, (score, _))| *score > even);
            ahead.any(|(player, _)| is_sure(player))
        }
        ExactValue::Open | ExactValue::Score(_) => false,
    }
}
