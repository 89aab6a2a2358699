//! `ludwright diff`: compares two games; if they differ, prints a shortest sequence of plies that
//! shows it.

use crate::program::answers::comparison::Report;
use crate::program::answers::leave_out::LeaveOutAnswer;
use crate::program::arguments::{Diff, GameFile, Options};
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::target::{Content, Target};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludwright::compare::{
    CompareLimits, Incompatible, Names, Namespace, Progress, Renaming, Side, Stuck, compare,
    leave_out, match_names,
};
use ludwright::language::rules::{Choice, Rules};
use ludwright::notation::{clip, list};
use ludwright::record::Record;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// The time limit of a comparison without `--time` and `--positions`.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// The number of random games of a comparison without `--games`.
const USUAL_GAMES: u32 = 1000;
/// With `--leave-out`: the limits of pairs of positions and of random games for each rule.
const EACH_POSITIONS: u64 = 20_000;
const EACH_GAMES: u32 = 100;

/// Compares two games. The exit code is 1 if they differ.
pub fn run(task: &Diff, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    if task.leave_out {
        return leave_out(task, console, out);
    }
    let other = match &task.other {
        Some(other) => other,
        None if task.left.is_empty() && task.right.is_empty() => {
            let help =
                "name a second file, or set an option on one side, such as `--right Key=Value`"
                    .to_owned();
            return Err(Failure::usage("expected a second game to compare with, found one file")
                .with_help(Some(help)));
        }
        None => &task.one,
    };
    let target =
        task.output.as_deref().map(|path| Target::new(path, Content::Record)).transpose()?;
    let paths = [task.one.as_path(), other.as_path()];
    let load = |path: &Path, own: &[(String, String)]| {
        Loaded::with_own_of(path, &task.choices, own, console)
    };
    let sides = [load(paths[0], &task.left)?, load(paths[1], &task.right)?];
    let mut spare = task
        .choices
        .iter()
        .filter(|(name, _)| !sides.iter().any(|side| side.game.rules().has_option(name)));
    if let Some((name, _)) = spare.next() {
        return Err(unknown_option(name, &sides));
    }
    let rules = [sides[0].game.rules(), sides[1].game.rules()];
    let mut renamings = renamings(task, rules)?;
    let limits = CompareLimits {
        time: task.time.or(task.positions.is_none().then_some(DEFAULT_TIME)),
        positions: task.positions,
        memory: task.memory,
        games: task.games.unwrap_or(USUAL_GAMES),
        seed: task.seed,
    };
    let bar = waiting(console);
    let mut watch = |progress| tell(&bar, progress);
    if task.match_names {
        let found = match_names(&sides[0].game, &sides[1].game, &renamings, &limits, &mut watch);
        renamings = found.map_err(|too_many| {
            Failure::usage(too_many.to_string())
                .with_help(Some("match some of them with `--rename`".to_owned()))
        })?;
    }
    let mut report = Report::new(paths, &sides);
    let names = match Names::new(rules[0], rules[1], &renamings) {
        Ok(names) => names,
        Err(apart) => {
            bar.finish_and_clear();
            let help = help_apart(&apart, &sides, task);
            report.apart(&apart, help.as_deref(), console, out)?;
            return Ok(1);
        }
    };
    let compared = compare(&sides[0].game, &sides[1].game, &names, &limits, &mut watch);
    bar.finish_and_clear();
    let comparison = compared.map_err(|stuck| endless(stuck, &sides, paths))?;
    report.write(&names, &comparison, task.match_names, console, out)?;
    if let (Some(target), Some(difference)) = (target, &comparison.difference) {
        target.write(Record::of(&difference.left, task.seed).write().as_bytes())?;
    }
    Ok(u8::from(comparison.difference.is_some()))
}

/// Compares a game with its variants that lack one rule each.
fn leave_out(task: &Diff, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let game =
        GameFile { file: task.one.clone(), options: Options { choices: task.choices.clone() } };
    let loaded = Loaded::new(&game, None, console)?;
    let limits = CompareLimits {
        time: task.time,
        positions: task.positions.or(task.time.is_none().then_some(EACH_POSITIONS)),
        memory: task.memory,
        games: task.games.unwrap_or(EACH_GAMES),
        seed: task.seed,
    };
    let bar = waiting(console);
    let mut watch = |done, of| {
        if !bar.is_hidden() {
            bar.set_message(format!("leaving out rules: {done} of {of}"));
        }
    };
    let found =
        leave_out::leave_out(&loaded.game, &loaded.source, &task.choices, &limits, &mut watch);
    bar.finish_and_clear();
    LeaveOutAnswer::of(&task.one, &loaded, &found).write(console, out)?;
    Ok(0)
}

fn unknown_option(name: &str, sides: &[Loaded; 2]) -> Failure {
    let mut known: Vec<String> = Vec::new();
    for option in sides.iter().flat_map(|side| &side.game.rules().options) {
        let spelled = format!("`{}`", option.name);
        if !known.contains(&spelled) {
            known.push(spelled);
        }
    }
    let help = match known.is_empty() {
        true => "neither file has any options".to_owned(),
        false => format!("the options are {}", list(&known, "and")),
    };
    Failure::usage(format!("neither file has an option `{}`", clip(name))).with_help(Some(help))
}

/// Checks that each renaming matches two names of the same kind, and that no renamings conflict.
fn renamings(task: &Diff, rules: [&Rules; 2]) -> Result<Vec<Renaming>, Failure> {
    let mut renamings: Vec<Renaming> = Vec::new();
    for (left, right) in &task.renamings {
        let has =
            |side: usize, name: &str, sort: Namespace| sort.names(rules[side]).contains(&name);
        if !Namespace::ALL.iter().any(|&sort| has(0, left, sort) && has(1, right, sort)) {
            let lacks =
                |side: usize, name: &str| !Namespace::ALL.iter().any(|&sort| has(side, name, sort));
            let message = match (lacks(0, left), lacks(1, right)) {
                (true, _) => format!("the left file has no name `{}`", clip(left)),
                (_, true) => format!("the right file has no name `{}`", clip(right)),
                _ => {
                    format!("`{}` and `{}` name different kinds of things", clip(left), clip(right))
                }
            };
            let help = "`--rename LEFT=RIGHT` matches names of players, pieces, moves and memories"
                .to_owned();
            return Err(Failure::usage(message).with_help(Some(help)));
        }
        if let Some(known) =
            renamings.iter().find(|known| known.left == *left || known.right == *right)
        {
            let message = format!(
                "`{}={}` and `{left}={right}` contradict each other",
                known.left, known.right
            );
            return Err(Failure::usage(message));
        }
        renamings.push(Renaming { left: left.clone(), right: right.clone() });
    }
    Ok(renamings)
}

/// Suggests how to make two games comparable.
fn help_apart(apart: &Incompatible, sides: &[Loaded; 2], task: &Diff) -> Option<String> {
    match apart {
        Incompatible::Boards { .. } => {
            let [mine, others] = [0, 1].map(|side| &sides[side].game.rules().options);
            let other = |name: &str| others.iter().find(|other| other.name == name);
            // Looks for an option with different values on both sides for which the left value also
            // gives the right side the left board.
            let gives_one_board = |name: &str, value: &str| {
                let choose = |option: &Choice| (option.name.clone(), option.value().to_owned());
                let kept = others
                    .iter()
                    .filter(|option| option.name != name && option.chosen != option.default)
                    .map(choose);
                let choices: Vec<(String, String)> =
                    kept.chain([(name.to_owned(), value.to_owned())]).collect();
                let game = ludwright::load(&sides[1].source, &choices).ok();
                game.is_some_and(|game| {
                    !matches!(
                        Names::new(sides[0].game.rules(), game.rules(), &[]),
                        Err(Incompatible::Boards { .. })
                    )
                })
            };
            let found = mine.iter().find_map(|option| {
                let (own, other) = (option.value(), other(&option.name)?);
                let other = &other.values[other.chosen];
                (own != other && gives_one_board(&option.name, own)).then_some((
                    &option.name,
                    own,
                    other,
                ))
            });
            let (name, own, other) = found?;
            let how = if task.left.is_empty() && task.right.is_empty() {
                format!("-o {name}={own}")
            } else {
                format!("--right {name}={own}")
            };
            Some(format!(
                "{name} is {own} on the left and {other} on the right; `{how}` gives both the same board"
            ))
        }
        Incompatible::Players { left, right } if left.len() == right.len() => {
            let pairs = left.iter().zip(right).filter(|(left, right)| left != right);
            let chosen = pairs
                .map(|(left, right)| format!("--rename {left}={right}"))
                .collect::<Vec<String>>()
                .join(" ");
            (!chosen.is_empty()).then(|| format!("`{chosen}` matches them in their order of play"))
        }
        Incompatible::Players { .. } | Incompatible::Teams { .. } => None,
    }
}

/// Reports the clause that does not terminate, and the plies after which this happens.
fn endless(stuck: Stuck, sides: &[Loaded; 2], paths: [&Path; 2]) -> Failure {
    let side = usize::from(stuck.side == Side::Right);
    let after = match &stuck.plies[..] {
        [] => format!("{}: before the first ply", paths[side].display()),
        plies => {
            format!(
                "{}: after {}",
                paths[side].display(),
                plies.iter().map(|ply| format!("`{ply}`")).collect::<Vec<String>>().join(", ")
            )
        }
    };
    sides[side].fault(stuck.fault).after(&after)
}

/// Progress line on standard error; hidden without a terminal.
fn waiting(console: &Console) -> ProgressBar {
    let target = if console.terminal && !console.json() {
        ProgressDrawTarget::stderr_with_hz(5)
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn tell(bar: &ProgressBar, progress: Progress) {
    if bar.is_hidden() {
        return;
    }
    bar.set_message(match progress {
        Progress::Matching { tried, of } => format!("matching names: {tried} of {of}"),
        Progress::Searching { positions, depth } => {
            format!(
                "searching: {} positions, {depth} plies deep",
                ludwright::notation::grouped(positions)
            )
        }
        Progress::Playing { games } => {
            format!("playing random games: {}", ludwright::notation::grouped(games.into()))
        }
        Progress::Shortening { plies } => {
            format!("difference found; shortening it from {plies} plies")
        }
    });
}
