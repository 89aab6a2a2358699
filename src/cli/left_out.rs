//! Plays a game without each of its rules, one at a time.

use super::playtest::{Tested, test};
use crate::program::arguments::Testing;
use crate::program::console::Console;
use ludwright::measure::left_out::{self, Without, WithoutRule};
use ludwright::measure::{OtherGame, Report};
use ludwright::notation::counted;

/// A game without each of its rules.
pub struct Omissions {
    pub without: Vec<Without>,
    /// Whether Ctrl-C stopped the games early.
    pub stopped: bool,
    tested: Vec<Tested>,
}

impl Omissions {
    /// Leaves out each rule, and plays the remaining game as often as the games of the report.
    /// `None` if the report has too few games.
    pub fn play(report: &Report, testing: &Testing, console: &Console) -> Option<Omissions> {
        let Some(mut without) = left_out::reduced(report.game, report.sources, report.results)
        else {
            console.warn("too few games to say what leaving out rules changes: the same player has to play on every seat, and neither repeat its games nor use a training or a limit of time");
            return None;
        };
        announce(&without, console);
        let (mut tested, mut stopped) = (Vec::new(), false);
        for OtherGame { start, results, .. } in games(&mut without) {
            let done = test(start, results.plan.clone(), testing, None, console);
            *results = done.results.clone();
            stopped = done.stopped;
            tested.push(done);
            if stopped {
                break;
            }
        }
        Some(Omissions { without, stopped, tested })
    }

    /// Deletes the ledgers of the games.
    pub fn forget(self) {
        self.tested.into_iter().for_each(Tested::forget);
    }
}

/// Iterates over the variants that are games.
fn games(without: &mut [Without]) -> impl Iterator<Item = &mut OtherGame> {
    without.iter_mut().filter_map(|without| match &mut without.game {
        WithoutRule::Game(other) => Some(&mut **other),
        _ => None,
    })
}

/// Announces the estimated time of the games without each rule.
fn announce(without: &[Without], console: &Console) {
    let seconds = without.iter().filter_map(|without| match &without.game {
        WithoutRule::Game(other) => Some(other.seconds()),
        _ => None,
    });
    let seconds: Vec<f64> = seconds.collect();
    if !seconds.is_empty() {
        console.say(&format!(
            "leaving out {}, one at a time: about {:.0} s of processor time\n",
            counted(seconds.len() as u64, "rule"),
            seconds.iter().sum::<f64>().ceil()
        ));
    }
}
