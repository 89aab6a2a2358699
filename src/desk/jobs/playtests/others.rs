//! The games that a playtest is compared with: one that comes with the program, and the game
//! without each of its rules.

use super::{paced, start_of, test};
use crate::catalog::{self, Entry};
use crate::compare::leave_out::clauses;
use crate::desk::jobs::Host;
use crate::desk::requests::{Arguments, Refused};
use crate::engine::game::Game;
use crate::load::load;
use crate::measure::left_out::{self, WithoutRule};
use crate::measure::{CostModel, Incomparable, OtherGame, Plan, Report};
use crate::random::mix;

/// The games to compare with.
pub struct Others {
    /// A game that comes with the program.
    game: Option<Entry>,
    /// Whether the game is played without each of its rules, too.
    leave_out: bool,
}

/// The planned games, and how they share the work.
pub struct PlannedOthers {
    game: Option<OtherGame>,
    leave_out: bool,
    /// The part of all work that is done after the playtest itself, and after the other game.
    ends: [f64; 2],
}

impl Others {
    /// Reads the arguments.
    ///
    /// # Errors
    /// If there is no game of this name.
    pub fn new(arguments: &Arguments) -> Result<Others, Refused> {
        let find = |name| {
            catalog::find(name).ok_or_else(|| Refused::from(format!("there is no game `{name}`")))
        };
        let game = arguments.maybe_text("compareWith").map(find).transpose()?;
        Ok(Others { game, leave_out: arguments.flag("leaveOut") })
    }

    /// Plans the games.
    ///
    /// # Errors
    /// If the other game cannot be compared with this one.
    pub fn planned(
        &self,
        game: &Game,
        own: &Plan,
        effort: &CostModel,
        host: &dyn Host,
    ) -> Result<PlannedOthers, String> {
        let other = self.game.map(|entry| planned(entry, own, host)).transpose()?;
        let work = effort.seconds(own).max(1e-3);
        let other_work = other.as_ref().map_or(0.0, OtherGame::seconds);
        // Without each rule, one pairing is played again.
        let rules = if self.leave_out { clauses(game.rules()).len() as f64 } else { 0.0 };
        let all = work + other_work + rules * work / own.pairings.len().max(1) as f64;
        let ends = [work / all, (work + other_work) / all];
        Ok(PlannedOthers { game: other, leave_out: self.leave_out, ends })
    }
}

fn planned(entry: Entry, own: &Plan, host: &dyn Host) -> Result<OtherGame, String> {
    let sources = entry.sources();
    let game = load(sources.clone(), &[]).map_err(|error| error.summary())?;
    let start = start_of(&game)?;
    let effort = paced(CostModel::of(&game), &start, host);
    // The other game gets a seed of its own: the comparison needs independent samples.
    OtherGame::planned(start, sources, effort, own, mix(own.seed, 1)).map_err(|why| match why {
        Incomparable::Over => format!("{} is over before its first move.", game.rules().title),
        Incomparable::Players => format!(
            "The same programs do not play both games against themselves, so this game cannot be compared with {}.",
            game.rules().title
        ),
    })
}

impl PlannedOthers {
    /// Converts a part of the playtest's own work to a part of all work.
    pub fn own_part(&self, part: f64) -> f64 {
        part * self.ends[0]
    }

    /// Plays the games and compares them. `show` takes intermediate reports.
    pub fn compared<'r>(
        mut self,
        mut report: Report<'r>,
        host: &dyn Host,
        show: &dyn Fn(&Report),
    ) -> Report<'r> {
        let [own_end, other_end] = self.ends;
        if let Some(other) = &mut self.game
            && !host.is_stopped()
        {
            show(&report);
            let line = format!("Programs play {} …", other.game.rules().title);
            let tell = |part: f64| host.say(own_end + part * (other_end - own_end), line.clone());
            other.results =
                test(&other.start, other.results.plan.clone(), host, &tell, &mut |_| {});
            if !host.is_stopped() {
                report = report.compared_with(&[other.report()]);
            }
        }
        if self.leave_out && !host.is_stopped() {
            show(&report);
            host.say(other_end, "Looking for rules that change nothing …".to_owned());
            report = without_rules(report, other_end, host);
        }
        report
    }
}

/// Plays the game without each of its rules. `from` is the part of all work that is already done.
fn without_rules<'r>(report: Report<'r>, from: f64, host: &dyn Host) -> Report<'r> {
    let reduced = left_out::reduced(report.game, report.sources, report.results);
    let Some(mut without) = reduced else { return report };
    let seconds = |game: &WithoutRule| match game {
        WithoutRule::Game(other) => other.seconds(),
        _ => 0.0,
    };
    let all = without.iter().map(|rule| seconds(&rule.game)).sum::<f64>().max(1e-3);
    let (mut done, rules) = (0.0, without.len());
    for (number, rule) in (1..).zip(&mut without) {
        let own = seconds(&rule.game);
        if let WithoutRule::Game(other) = &mut rule.game {
            let line = format!("Programs play without rule {number} of {rules} …");
            let tell = |part: f64| {
                let part = (done + part * own) / all;
                host.say(from + part * (1.0 - from), line.clone());
            };
            other.results =
                test(&other.start, other.results.plan.clone(), host, &tell, &mut |_| {});
        }
        if host.is_stopped() {
            return report;
        }
        done += own;
    }
    report.leaving_out(&without)
}
