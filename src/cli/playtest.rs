//! `ludwright playtest`: plays many games between computer players and reports statistics.

use super::compare_with::{self, Other};
use super::interrupt;
use super::ledger::Ledger;
use super::left_out::Omissions;
use super::puzzles;
use super::report::{ReportShard, show, targets};
use crate::program::arguments::{Playtest, Testing};
use crate::program::console::Console;
use crate::program::failure::{Failure, INTERRUPTED};
use crate::program::game::Loaded;
use crate::program::target::{Content, Target};
use crate::program::workload::cores;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludwright::engine::game::State;
use ludwright::language::rules::Rules;
use ludwright::measure::{
    Batch, CostModel, Plan, Played, Progress, Report, Request, Results, play, team_seats,
};
use ludwright::play::Seats;
use ludwright::search::PlayerKind;
use std::io::Write;

/// Plays the plan and reports the results.
pub fn run(task: &Playtest, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let targets = targets(&task.testing.output)?;
    if let Some(folder) = &task.puzzles {
        puzzles::folder(folder)?;
    }
    let (loaded, start) = begin(task, console)?;
    let seats = seats(loaded.game.rules(), &task.testing.seats)?;
    if task.train {
        super::train::train_once(&loaded, task.testing.threads, console)?;
        if interrupt::is_wished() {
            return Ok(INTERRUPTED);
        }
    }
    super::train::note_untrained(&loaded, &task.testing.seats, console);
    let (plan, effort) = plan(task, &loaded, &start, seats);
    let mut others = compare_with::read(&task.compare_with, &task.other, &plan, console)?;
    announce(&plan, &effort, &task.testing, task.shard, console);
    let tested = test(&start, plan, &task.testing, task.shard, console);
    let mut stopped =
        tested.stopped || others.iter_mut().any(|other| other.play(&task.testing, console));
    let mut report = Report::new(&loaded.game, &loaded.source, &tested.results);
    let compared: Vec<Report> = others.iter().filter_map(Other::report).collect();
    if !stopped && !compared.is_empty() {
        report = report.compared_with(&compared);
    }
    let is_tried = task.leave_out && !stopped;
    let omissions = is_tried.then(|| Omissions::play(&report, &task.testing, console)).flatten();
    if let Some(omissions) = &omissions {
        match omissions.stopped {
            true => stopped = true,
            false => report = report.leaving_out(&omissions.without),
        }
    }
    write(task, &report, &targets, stopped, console, out)?;
    if stopped {
        console.warn(&unfinished(&report));
        return Ok(INTERRUPTED);
    }
    let hangs = tested.results.hang().is_some();
    tested.forget();
    others.into_iter().for_each(Other::forget);
    omissions.into_iter().for_each(Omissions::forget);
    Ok(u8::from(hangs))
}

/// Loads the game, and the position from which all games are played.
fn begin(task: &Playtest, console: &Console) -> Result<(Loaded, State), Failure> {
    let from = task.from.as_deref().map(|path| (path, false));
    let (loaded, start, _) = Loaded::at_end_of(&task.game, from, console)?;
    if start.outcome().is_some() {
        let path = task.from.as_deref().unwrap_or(&task.game.file).display();
        return Err(Failure::input(format!(
            "{path}: the game is over here, so there is nothing to play"
        )));
    }
    Ok((loaded, start))
}

/// Plans the games, by their estimated cost.
fn plan(
    task: &Playtest,
    loaded: &Loaded,
    start: &State,
    seats: Option<Vec<PlayerKind>>,
) -> (Plan, CostModel) {
    // A shard does not know the results of the others.
    let limited = task.shard.is_none();
    let wishes = Request { games: task.testing.games, seats, seed: task.testing.seed, limited };
    let effort = CostModel::of(&loaded.game);
    let pace = task.testing.pace.as_millis() as u64;
    (Plan { pace, ..Plan::new(start, &loaded.source, &wishes, &effort) }, effort)
}

/// Writes the report, and the puzzles if there are any.
fn write(
    task: &Playtest,
    report: &Report,
    targets: &[(Content, Target)],
    stopped: bool,
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let output = &task.testing.output;
    match task.shard {
        Some(shard) => show(&ReportShard { report, shard }, output, targets, console, out)?,
        None if report.games() > 0 => show(report, output, targets, console, out)?,
        None => {}
    }
    match task.puzzles.as_deref().filter(|_| !stopped) {
        Some(folder) => puzzles::write(folder, &task.game.file, report, console),
        None => Ok(()),
    }
}

/// Says how far an interrupted playtest has come.
fn unfinished(report: &Report) -> String {
    let (known, lots) = report.played;
    let stopped = match report.is_complete() {
        true => "stopped in the games that this one is compared with".to_owned(),
        false => format!("stopped after {known} of {lots} batches of games"),
    };
    format!("{stopped}; run the same command again to continue")
}

/// Computer players in the order of the players, or of the teams. `None` without `--seat`: then the
/// standard strengths meet.
///
/// # Errors
/// If a name is no player of the game, or a seat is missing or human.
pub fn seats(
    rules: &Rules,
    wanted: &[(String, PlayerKind)],
) -> Result<Option<Vec<PlayerKind>>, Failure> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let seats = Seats::new(rules, wanted, 0)
        .map_err(|refused| Failure::usage(refused.message).with_help(refused.help))?;
    let seated = seats.wanted(rules);
    if let Some((name, _)) = seated.iter().find(|(_, kind)| *kind == PlayerKind::Human) {
        let message = match wanted.iter().any(|(known, _)| known == name) {
            true => format!("a human cannot play as {name} in a playtest"),
            false => format!("nobody plays as {name}"),
        };
        let help = format!("choose a player, such as `--seat {name}=mcts:100it`");
        return Err(Failure::usage(message).with_help(Some(help)));
    }
    let kinds: Vec<PlayerKind> = seated.into_iter().map(|(_, kind)| kind).collect();
    team_seats(rules, &kinds).map(Some).map_err(Failure::usage)
}

/// A playtest with a shorter estimate is not announced.
const ANNOUNCED_SECONDS: f64 = 15.0;

/// Announces the games and the estimated time of a playtest.
pub fn announce(
    plan: &Plan,
    effort: &CostModel,
    testing: &Testing,
    shard: Option<(usize, usize)>,
    console: &Console,
) {
    let seconds = effort.seconds(plan) / shard.map_or(1.0, |(_, of)| of as f64);
    if seconds < ANNOUNCED_SECONDS {
        return;
    }
    let threads = testing.threads.map_or_else(cores, usize::from).max(1);
    let most = if plan.allowance.is_some() { "at most about" } else { "about" };
    let shared = match threads {
        1 => String::new(),
        _ => format!(", {:.0} s on {threads} cores", (seconds / threads as f64).ceil()),
    };
    let games = plan.pairings.iter().filter(|pairing| !pairing.is_random());
    let games = games.map(|pairing| pairing.games).max().unwrap_or(0);
    let games = match (plan.allowance, games) {
        (Some(_), 1..) => format!("up to {games} games of each pairing, as many as fit"),
        _ if plan.pairings.len() == 1 => "1 pairing".to_owned(),
        _ => format!("{} pairings", plan.pairings.len()),
    };
    let first = if plan.exact > 0 { "solving first, then " } else { "" };
    console.say(&format!(
        "{first}{games}: {most} {:.0} s of processor time{shared}\n",
        seconds.ceil()
    ));
}

/// Results of a playtest.
pub struct Tested {
    pub results: Results,
    /// Whether Ctrl-C stopped it early.
    pub stopped: bool,
    ledger: Option<Ledger>,
}

impl Tested {
    /// Deletes the ledger.
    pub fn forget(self) {
        self.ledger.into_iter().for_each(Ledger::forget);
    }
}

/// Plays a plan or a shard of it, resuming from its ledger.
pub fn test(
    start: &State,
    plan: Plan,
    testing: &Testing,
    shard: Option<(usize, usize)>,
    console: &Console,
) -> Tested {
    let threads = testing.threads.map_or_else(cores, usize::from);
    let (mut ledger, kept) = open(&plan, shard, !testing.anew, console);
    let mut results = Results::new(plan);
    // A ledger line that does not fit the plan is dropped together with those after it.
    let _ = results.add(kept);
    if !results.lots.is_empty() {
        let (known, lots) = (results.lots.len(), results.plan.batches().len());
        console.say(&format!(
            "resuming: {known} of {lots} batches of games are done; `--anew` starts afresh\n"
        ));
    }
    interrupt::watch();
    let bar = bar(console);
    let mut progress = Progress::default();
    loop {
        let lots = wanted(&results, shard);
        if lots.is_empty() || interrupt::is_wished() {
            break;
        }
        let is_first = progress.part() == 0.0;
        progress.begin_round(&results, &lots);
        if is_first && progress.part() > 0.0 {
            // Games of an earlier run say nothing about the speed of this one.
            bar.set_position(shown(&progress));
            bar.reset_eta();
        }
        let bar = (&bar, &mut progress);
        round(start, &mut results, &lots, threads, ledger.as_mut(), bar, console);
    }
    bar.finish_and_clear();
    let stopped = interrupt::is_wished() && !wanted(&results, shard).is_empty();
    Tested { results, stopped, ledger }
}

fn open(
    plan: &Plan,
    shard: Option<(usize, usize)>,
    resume: bool,
    console: &Console,
) -> (Option<Ledger>, Vec<Played>) {
    match Ledger::open(plan, shard, resume) {
        Ok(Some((ledger, kept))) => (Some(ledger), kept),
        Ok(None) => (None, Vec::new()),
        Err(error) => {
            console.warn(&format!("if interrupted, this playtest cannot be resumed: {error}"));
            (None, Vec::new())
        }
    }
}

/// Lists the batches to play next: all of a shard regardless of the results, or the batches that
/// the results so far call for.
fn wanted(results: &Results, shard: Option<(usize, usize)>) -> Vec<(usize, Batch)> {
    match shard {
        Some((part, of)) => results.missing_of(part, of),
        None => results.missing(),
    }
}

fn round(
    start: &State,
    results: &mut Results,
    lots: &[(usize, Batch)],
    threads: usize,
    mut ledger: Option<&mut Ledger>,
    (bar, progress): (&ProgressBar, &mut Progress),
    console: &Console,
) {
    let plan = results.plan.clone();
    let all = plan.batches();
    let mut lost = false;
    play(&plan, start, lots, threads, interrupt::watch(), &mut |played| {
        if let Some(ledger) = &mut ledger
            && !lost
            && let Err(error) = ledger.keep(&played)
        {
            lost = true;
            bar.suspend(|| {
                console.warn(&format!(
                    "from now on, this playtest cannot be resumed if interrupted: {error}"
                ))
            });
        }
        progress.add(results, all[played.lot], &played);
        bar.set_position(shown(progress));
        // The batch comes from this plan, so it fits.
        let _ = results.enter(played);
    });
}

/// The length of the bar.
const LENGTH: u64 = 10_000;

fn shown(progress: &Progress) -> u64 {
    (progress.part() * LENGTH as f64) as u64
}

fn bar(console: &Console) -> ProgressBar {
    if !console.terminal {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {percent} %  {elapsed} elapsed, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar =
        ProgressBar::with_draw_target(Some(LENGTH), ProgressDrawTarget::stderr()).with_style(style);
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}
