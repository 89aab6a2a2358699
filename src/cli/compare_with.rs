//! The games that a playtest is compared with: written reports, and games that are played by the
//! same players.

use super::playtest::{Tested, announce, test};
use crate::program::arguments::Testing;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_text;
use crate::program::game::Loaded;
use ludwright::engine::game::Game;
use ludwright::language::rules::Rules;
use ludwright::measure::compared::{MAX_COMPARED, common_players};
use ludwright::measure::{CostModel, Incomparable, OtherGame, Plan, Report, Results, write};
use ludwright::notation::{clip, list};
use ludwright::random::mix;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Maximum size of a report, in bytes.
const LIMIT: usize = 1 << 30;
/// The number of bytes by which a report is told from a rules file.
const HEAD: usize = 64;

/// A game to compare with.
pub enum Other {
    /// Its report.
    Read { game: Box<Game>, results: Results },
    /// The game, to be played.
    Rules { game: Box<OtherGame>, tested: Option<Tested> },
}

/// Reads the games that a playtest with this plan is compared with, before the playtest begins.
/// Each choice of an option applies to all games that have the option.
///
/// # Errors
/// If a file is neither a complete report of this version of the program nor a game, or shares no
/// players with the plan; or if no game has a chosen option.
pub fn read(
    paths: &[PathBuf],
    choices: &[(String, String)],
    own: &Plan,
    console: &Console,
) -> Result<Vec<Other>, Failure> {
    check_number(paths)?;
    let read = |(number, path): (u64, &PathBuf)| match is_report(path) {
        true => report(path, own),
        // The other game's seed differs: the comparison needs independent samples.
        false => rules(path, choices, own, mix(own.seed, number), console),
    };
    let others: Vec<Other> = (1..).zip(paths).map(read).collect::<Result<_, Failure>>()?;
    let games = others.iter().filter_map(|other| match other {
        Other::Rules { game, .. } => Some(game.game.rules()),
        Other::Read { .. } => None,
    });
    let games: Vec<&Rules> = games.collect();
    match choices.iter().find(|(name, _)| !games.iter().any(|rules| rules.has_option(name))) {
        None => Ok(others),
        Some((name, _)) => {
            let message = format!(
                "no rules file that the game is compared with has an option `{}`",
                clip(name)
            );
            Err(Failure::usage(message).with_help(Some(known_options(&games))))
        }
    }
}

/// Lists the options that can be chosen.
fn known_options(games: &[&Rules]) -> String {
    let options = games.iter().flat_map(|rules| &rules.options);
    let known: BTreeSet<String> = options.map(|option| format!("`{}`", option.name)).collect();
    match known.is_empty() {
        true => "they have no options".to_owned(),
        false => {
            format!("the options are {}", list(&known.into_iter().collect::<Vec<_>>(), "and"))
        }
    }
}

/// Reads the reports that another report is to be compared with.
///
/// # Errors
/// If a file is no complete report of this version of the program, or shares no players with the
/// plan.
pub fn read_reports(paths: &[PathBuf], own: &Plan) -> Result<Vec<Other>, Failure> {
    check_number(paths)?;
    paths.iter().map(|path| report(path, own)).collect()
}

fn check_number(paths: &[PathBuf]) -> Result<(), Failure> {
    match paths.len() {
        0..=MAX_COMPARED => Ok(()),
        _ => {
            let message = format!("a game is compared with at most {MAX_COMPARED} others");
            Err(Failure::usage(message))
        }
    }
}

/// Tests if a file is a report, by its name or its beginning. Reading it later reports its errors.
fn is_report(path: &Path) -> bool {
    let is_json = |bytes: Vec<u8>| bytes.trim_ascii_start().first() == Some(&b'{');
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
        || path.is_file() && ludwright::files::read(path, HEAD).is_ok_and(is_json)
}

fn report(path: &Path, own: &Plan) -> Result<Other, Failure> {
    let fail = |why: String| Failure::input(format!("{}: {why}", path.display()));
    let part = write::read_part(&read_text(path, LIMIT)?).map_err(fail)?;
    let game = Box::new(part.game().map_err(fail)?);
    let missing = part.results.missing().len();
    if missing > 0 {
        let (why, help) = match part.shard {
            Some((part, of)) => (
                format!("it is part {part} of {of} of a playtest"),
                "`ludwright merge` makes a whole report of all parts",
            ),
            None => (
                format!(
                    "its playtest was stopped after {} of {} batches of games",
                    part.results.lots.len(),
                    part.results.lots.len() + missing
                ),
                "run the same command again to continue it",
            ),
        };
        return Err(fail(why).with_help(Some(help.to_owned())));
    }
    if part.results.pairings().is_empty() {
        return Err(fail("it has no games".to_owned()));
    }
    if !part.is_of_this_program() {
        let help = "players of other versions can play differently; give the rules file, so that this version plays the game";
        let why = "it was played by another version of the program".to_owned();
        return Err(fail(why).with_help(Some(help.to_owned())));
    }
    agree(path, own, &part.results.plan)?;
    Ok(Other::Read { game, results: part.results })
}

fn rules(
    path: &Path,
    choices: &[(String, String)],
    own: &Plan,
    seed: u64,
    console: &Console,
) -> Result<Other, Failure> {
    let loaded = Loaded::with_own_of(path, choices, &[], console)?;
    let (start, effort) = (loaded.begin()?, CostModel::of(&loaded.game));
    match OtherGame::planned(start, loaded.source, effort, own, seed) {
        Ok(game) => Ok(Other::Rules { game: Box::new(game), tested: None }),
        Err(Incomparable::Over) => Err(Failure::input(format!(
            "{}: the game is over before its first ply",
            path.display()
        ))),
        Err(Incomparable::Players) => Err(incomparable(path)),
    }
}

/// Checks that some players have played both games.
fn agree(path: &Path, own: &Plan, other: &Plan) -> Result<(), Failure> {
    match common_players(own, other).is_empty() {
        true => Err(incomparable(path)),
        false => Ok(()),
    }
}

fn incomparable(path: &Path) -> Failure {
    let message = format!(
        "{}: the same players do not meet as equals in both games, so these cannot be compared",
        path.display()
    );
    let help = "choose one player for every seat of both games, such as `mcts:100it`, but neither `learned` nor one with a training or a limit of time";
    Failure::input(message).with_help(Some(help.to_owned()))
}

impl Other {
    /// Plays the game if it has no report yet. Returns whether Ctrl-C stopped it.
    pub fn play(&mut self, testing: &Testing, console: &Console) -> bool {
        let Other::Rules { game, tested } = self else { return false };
        if console.terminal {
            console.say(&format!("{}\n", game.game.rules().title));
        }
        announce(&game.results.plan, &game.effort, testing, None, console);
        let done = test(&game.start, game.results.plan.clone(), testing, None, console);
        game.results = done.results.clone();
        tested.insert(done).stopped
    }

    /// Reports the games; `None` if they have not been played.
    pub fn report(&self) -> Option<Report<'_>> {
        match self {
            Other::Read { game, results } => Some(Report::new(game, &game.rules().files, results)),
            Other::Rules { tested: None, .. } => None,
            Other::Rules { game, .. } => Some(game.report()),
        }
    }

    /// Deletes the ledger of the games played.
    pub fn forget(self) {
        if let Other::Rules { tested: Some(tested), .. } = self {
            tested.forget();
        }
    }
}
