//! `ludwright sweep`: playtests every combination of option values and compares the reports.

use super::playtest::{Tested, seats, test};
use super::report::{show, targets};
use super::train::note_partly_trained;
use crate::program::arguments::{GameFile, Options, Sweep};
use crate::program::console::Console;
use crate::program::failure::{Failure, INTERRUPTED};
use crate::program::game::Loaded;
use ludwright::measure::write::Comparison;
use ludwright::measure::{CostModel, Plan, Report, Request, sweep};
use ludwright::random::mix;
use ludwright::search::PlayerKind;
use std::io::Write;

/// Plays every variant and compares them.
pub fn run(task: &Sweep, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let targets = targets(&task.testing.output)?;
    for (index, (name, _)) in task.axes.iter().enumerate() {
        if task.axes[..index].iter().any(|(known, _)| known == name) {
            let help = format!("give all values at once, such as `-o {name}=1,2`");
            return Err(Failure::usage(format!("{name} is given twice")).with_help(Some(help)));
        }
    }
    let variants = sweep::product(&task.axes).map_err(Failure::usage)?;
    let load = |choices: Vec<(String, String)>| {
        Loaded::new(
            &GameFile { file: task.file.clone(), options: Options { choices } },
            None,
            console,
        )
    };
    let loaded: Vec<Loaded> = variants.iter().cloned().map(load).collect::<Result<_, _>>()?;
    let takes_any = |(_, kind): &(String, PlayerKind)| kind.uses_training();
    if task.testing.seats.is_empty() || task.testing.seats.iter().any(takes_any) {
        note_partly_trained(variants.iter().map(|each| name(each)).zip(&loaded), console);
    }
    // One cost model gives all variants the same players; otherwise the figures are not comparable.
    let effort = CostModel::of_all(loaded.iter().map(|loaded| &loaded.game));
    let mut tested: Vec<Tested> = Vec::new();
    for ((loaded, variant), number) in loaded.iter().zip(&variants).zip(0..) {
        // Each variant has its own random stream: the tests that compare variants need independent
        // samples.
        let seats = seats(loaded.game.rules(), &task.testing.seats)?;
        let wishes = Request {
            games: task.testing.games,
            seats,
            seed: mix(task.testing.seed, number),
            limited: true,
        };
        if console.terminal {
            console.say(&format!("{}\n", name(variant)));
        }
        let start = loaded.begin()?;
        let pace = task.testing.pace.as_millis() as u64;
        let plan = Plan { pace, ..Plan::new(&start, &loaded.source, &wishes, &effort) };
        let done = test(&start, plan, &task.testing, None, console);
        let stopped = done.stopped;
        tested.push(done);
        if stopped {
            break;
        }
    }
    let stopped = tested.last().is_some_and(|tested| tested.stopped);
    let reports = tested
        .iter()
        .zip(&loaded)
        .zip(&variants)
        .filter(|((tested, _), _)| !tested.results.lots.is_empty());
    let reports = reports.map(|((tested, loaded), variant)| {
        (name(variant), Report::new(&loaded.game, &loaded.source, &tested.results))
    });
    let comparison = Comparison::new(reports.collect());
    show(&comparison, &task.testing.output, &targets, console, out)?;
    if stopped {
        console.warn(&format!(
            "stopped at variant {} of {}; run the same command again to continue",
            tested.len(),
            variants.len()
        ));
        return Ok(INTERRUPTED);
    }
    tested.into_iter().for_each(Tested::forget);
    Ok(0)
}

fn name(variant: &[(String, String)]) -> String {
    let options: Vec<String> =
        variant.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if options.is_empty() { "as it is".to_owned() } else { options.join(" ") }
}
