//! The ladder of levels, as a figure for each level and a sentence.

use super::{Measure, Unit};
use crate::measure::levels::{LevelTrial, TrialResult};
use crate::measure::results::Results;
use crate::measure::statistics::{Estimate, Scores};
use crate::notation::{grouped, inflected, list};

pub const KEY: &str = "levels";

fn is_level(trial: &&LevelTrial) -> bool {
    trial.result == TrialResult::Level
}

/// Returns the number of levels, of which random play is the first.
fn count(trials: &[LevelTrial]) -> u64 {
    1 + trials.iter().filter(is_level).count() as u64
}

/// Returns the times that the levels above random play think for a ply; `None` if there are none.
fn thinking(trials: &[LevelTrial]) -> Option<String> {
    let times = trials.iter().filter(is_level).map(|trial| time(trial.microseconds));
    let times: Vec<String> = times.collect();
    (!times.is_empty()).then(|| list(&times, "and"))
}

/// Computes the measure.
pub fn measure(results: &Results) -> Measure {
    let mut measure = Measure::new(
        KEY,
        "Levels of play",
        "Players of whom each beats the one below in about 60 % of the games or more, by a sequential test (Wald's, between 50 and 70 %), in which draws are decided by a coin. \
         The first plays at random; the others are tree searches with twice the iterations, or up to sixteen times as many where fewer are not enough; a figure is the score of one, by its iterations, against the one below. \
         In a game without any skill a report has a second level in one case of a hundred. The times are estimates for one core; the scores are those at the end of each test, \
         and so a little too high. Interval: Wilson's, with the variance of the scores where there are draws.",
    );
    let trials = results.levels();
    let Some(last) = trials.last() else { return measure };
    let levels = count(trials) as f64;
    let of_games = trials.iter().map(|trial| trial.games).sum();
    let high = if last.result == TrialResult::NoLevel { levels } else { f64::INFINITY };
    let found = Estimate { high, ..Estimate::count(levels, of_games) };
    measure.add("levels", "", Unit::Count, "games", Some(found));
    for trial in trials.iter().filter(is_level) {
        let below = match trial.against {
            0 => "random play".to_owned(),
            against => grouped(against),
        };
        let what = format!("{} against {below}", grouped(trial.iterations));
        let losses = trial.games - trial.wins - trial.draws;
        let scores = Scores { wins: trial.wins, draws: trial.draws, losses, ..Scores::default() };
        measure.add(what, "", Unit::Share, "games", scores.estimate(2));
    }
    measure.notes.extend(thinking(trials).map(|times| format!("They think {times} a ply.")));
    measure.notes.push(end(results, last));
    measure
}

/// Says why the ladder ends.
fn end(results: &Results, last: &LevelTrial) -> String {
    let seconds = results.plan.levels.map_or(0.0, |levels| levels.milliseconds as f64 / 1e3);
    match last.result {
        TrialResult::NoLevel if last.against == 0 => format!(
            "Searches of up to {} iterations do not beat random play so.",
            grouped(last.iterations)
        ),
        TrialResult::NoLevel => format!(
            "Thinking up to {} times as long makes no further level.",
            last.iterations / last.against
        ),
        TrialResult::Cut => format!(
            "The ladder was cut at {} iterations, when its {seconds:.1} s of processor time were used up: there may be more levels.",
            grouped(last.iterations)
        ),
        TrialResult::Level => "The ladder was cut: there may be more levels.".to_owned(),
    }
}

/// Says how many levels there are, and how long they think.
pub fn sentence(results: &Results) -> Option<String> {
    let trials = results.levels();
    let last = trials.last()?;
    let levels = count(trials);
    let is_cut = last.result != TrialResult::NoLevel;
    let players = match thinking(trials) {
        None => "random play alone".to_owned(),
        Some(times) => format!("random play, and searches that think {times} a ply"),
    };
    let beat = if levels > 1 { ", each of whom beats the one below at 60 % or more" } else { "" };
    let at_least = if is_cut { "at least " } else { "" };
    Some(format!(
        "There {} {at_least}{levels} {} of play{beat}: {players}. {}",
        if levels == 1 { "is" } else { "are" },
        inflected(levels, "level"),
        end(results, last)
    ))
}

/// Says in a few words how many levels there are.
pub fn number(results: &Results) -> Option<String> {
    let trials = results.levels();
    let levels = count(trials);
    let at_least = match trials.last()?.result {
        TrialResult::NoLevel => "",
        _ => "at least ",
    };
    let verb = if levels == 1 { "is" } else { "are" };
    Some(format!("there {verb} {at_least}{levels} {} of play", inflected(levels, "level")))
}

/// Tests if the ladder found that thinking does not beat random play.
pub fn is_without_skill(results: &Results) -> bool {
    let is_end = |trial: &LevelTrial| trial.result == TrialResult::NoLevel;
    results.levels().last().is_some_and(is_end) && count(results.levels()) == 1
}

/// Formats a time of thinking in two digits.
fn time(microseconds: u64) -> String {
    let digits = |value: f64| match value {
        value if value < 10.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    };
    match microseconds as f64 {
        own if own < 1e3 => format!("{} µs", digits(own)),
        own if own < 1e6 => format!("{} ms", digits(own / 1e3)),
        own => format!("{} s", digits(own / 1e6)),
    }
}
