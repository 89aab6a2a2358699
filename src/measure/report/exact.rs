//! What best play leads to, and how far players of each strength agree with it.

use super::{Measure, Strengths, Unit, capital};
use crate::language::rules::{PlayerId, Rules};
use crate::measure::game_rows::{BoardGames, Ending, ExactValue, SolvedBoard};
use crate::measure::results::Results;
use crate::measure::statistics::proportion_ci;
use crate::notation::{grouped, list, person};

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
            measure.add("", &who, Unit::Share, "games", proportion_ci(agreeing, all));
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

/// Names a board: `the whole board`, or its options.
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
fn value(board: &SolvedBoard, rules: &Rules) -> String {
    let name = |player: u16| person(rules, PlayerId(player));
    match (board.value, board.plies) {
        (ExactValue::Win(winner), Some(1)) => format!("{} wins in 1 ply", name(winner)),
        (ExactValue::Win(winner), Some(plies)) => format!("{} wins in {plies} plies", name(winner)),
        (ExactValue::Win(winner), None) => format!("{} wins", name(winner)),
        (ExactValue::Draw | ExactValue::NeverEnds, _) if rules.players.len() == 1 => {
            format!("{} cannot win", name(0))
        }
        (ExactValue::Draw, _) => "the game is a draw".to_owned(),
        (ExactValue::NeverEnds, _) if rules.repetition.is_some() => {
            "positions repeat until the game is a draw by repetition".to_owned()
        }
        (ExactValue::NeverEnds, _) => "play repeats for ever, which is a draw".to_owned(),
        (ExactValue::Open, _) => {
            "no player can force a win, and not everybody can force a draw".to_owned()
        }
        (ExactValue::Score(score), _) => format!("{} scores {:.1} %", name(0), score * 100.0),
    }
}

/// Says what is known exactly, and which players agree with it; `None` if nothing was solved.
pub fn sentence(results: &Results, rules: &Rules, strengths: &Strengths) -> Option<String> {
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
        let share = proportion_ci(agreeing, all)?;
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
    let wrong: Vec<String> = games
        .iter()
        .filter(|games| misjudges(games, board.value))
        .map(|games| strengths.name(&games.kind))
        .collect();
    if !wrong.is_empty() && rules.players.len() > 1 {
        let who = capital(&list(&wrong, "and"));
        text.push_str(&format!(" {who} players misjudge who is ahead."));
    }
    Some(text)
}

/// Tests if equal players surely score less with the side that wins with best play than an equal
/// share, or more with one side where best play is a draw.
fn misjudges(games: &BoardGames, value: ExactValue) -> bool {
    let even = 1.0 / games.wins.len().max(2) as f64;
    let all = games.wins.iter().sum::<u64>() + games.draws + games.unfinished;
    let share = |wins: u64| proportion_ci(wins, all);
    match value {
        ExactValue::Win(winner) => {
            let wins = games.wins.get(usize::from(winner)).copied().unwrap_or(0);
            share(wins).is_some_and(|share| share.high < even)
        }
        // Half of the games that are not won, rounded down, so that nobody is thought ahead by it.
        ExactValue::Draw | ExactValue::NeverEnds => {
            let others = games.draws + games.unfinished;
            let points = |wins: &u64| wins + others / games.wins.len().max(2) as u64;
            let mut shares = games.wins.iter().map(points).filter_map(share);
            shares.any(|share| share.low > even)
        }
        ExactValue::Open | ExactValue::Score(_) => false,
    }
}
