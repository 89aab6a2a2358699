//! Differential tests on generated games, and on every file that ever failed: all implementations
//! of the rules must agree.
//!
//! `GENERATED_SEED=7 cargo test --test testsuite generated::one_game -- --ignored --nocapture`
//! repeats a game and prints it, `GENERATED_FILE=x.game` one in a file; `shrinks` instead of
//! `one_game` finds a smaller game that fails as well. Both also handle games that abort the
//! process. `GENERATED_THEME=drop-outs` chooses among other games.

use crate::generator::shrink::shrink;
use crate::generator::ways::{Effort, Figures, compare};
use crate::generator::{Generated, Theme, generate, generate_about};
use ludwright::engine::game::{Game, JitPolicy};
use ludwright::language::finding::Code;
use ludwright::language::ludemes::{Ludeme, TABLE};
use ludwright::notation;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use std::{env, fs, thread};

const THREADS: u64 = 2;

/// Amounts compared in a quick and in a thorough run.
const QUICK: Effort = Effort {
    plies: 30,
    reference: 10_000,
    nodes: 600,
    playouts: 3,
    single_plies: 2,
    native_every: 4,
    time: Duration::from_secs(60),
};
const THOROUGH: Effort = Effort {
    plies: 60,
    reference: 100_000,
    nodes: 20_000,
    playouts: 12,
    single_plies: 4,
    native_every: 1,
    time: Duration::from_secs(60),
};

/// Compares all implementations on a game. Returns the error, if any, including panics.
fn play(text: &str, seed: u64, effort: &Effort) -> (Figures, Option<String>) {
    match catch_unwind(AssertUnwindSafe(|| compare(text, seed, effort))) {
        Ok((figures, result)) => (figures, result.err()),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message =
                message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            (
                Figures { games: 1, ..Figures::default() },
                Some(format!("panic: {}", message.unwrap_or_default())),
            )
        }
    }
}

/// File for the current game, which remains if the game aborts the process.
fn kept(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("generated-{}-{name}.game", std::process::id()))
}

/// Generates the game of a seed, about the theme if there is one.
fn game_of(seed: u64, theme: Option<Theme>) -> Generated {
    theme.map_or_else(|| generate(seed), |theme| generate_about(seed, theme))
}

/// Plays the games of `games` seeds, and prints statistics.
fn play_all(first: u64, games: u64, theme: Option<Theme>, effort: &Effort) -> Figures {
    let next = AtomicU64::new(first);
    let worker = |thread: u64| {
        let (mut figures, mut refused, mut failed) = (Figures::default(), 0, Vec::new());
        let file = kept(&thread.to_string());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + games {
                fs::remove_file(&file).ok();
                break (figures, refused, failed);
            }
            let game = game_of(seed, theme);
            refused += game.refused.len();
            for (_, why) in &game.refused {
                println!("seed {seed}, a text was refused: {why}");
            }
            fs::write(&file, format!("; seed {seed}\n{}", game.text)).expect("a file is written");
            let (seen, wrong) = play(&game.text, seed, effort);
            figures.add(&seen);
            if let Some(wrong) = wrong {
                println!("seed {seed}: {wrong}\n{}", game.text);
                failed.push(seed);
            }
        }
    };
    let worker = &worker;
    let (mut figures, mut refused, mut failed) = (Figures::default(), 0, Vec::new());
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || worker(thread))).collect();
        for thread in threads {
            let (seen, rejected, wrong) = thread.join().expect("a thread");
            figures.add(&seen);
            refused += rejected;
            failed.extend(wrong);
        }
    });
    let share = |count: u64| format!("{count} ({:.1} %)", 100.0 * count as f64 / games as f64);
    println!(
        "{games} games of seeds from {first}, {} plies, {} sequences counted, {} playouts",
        figures.plies, figures.nodes, figures.playouts
    );
    println!("{} positions asked of the reference interpreter", figures.referred);
    println!("{} single plies made by machine code in every way", figures.single_plies);
    println!("{} plies by which their player dropped out and the game went on", figures.drop_outs);
    println!("{} games with ten plies and more", share(figures.long));
    println!(
        "{} out of fuel, {} with too many legal plies, {} too slow",
        share(figures.without_end),
        share(figures.wide),
        share(figures.slow)
    );
    println!("{refused} texts refused, {} disagreements: seeds {failed:?}", failed.len());
    assert!(failed.is_empty(), "the ways part in the games of the seeds {failed:?}");
    // That rules never reach a first ply cannot be told from their text.
    assert!(refused as u64 <= 1 + games / 50, "{refused} texts were refused");
    // Where players drop out, more games are short.
    let is_any = theme.is_none_or(|theme| theme == Theme::Any);
    assert!(!is_any || figures.long * 10 >= games * 6, "{} games have ten plies", figures.long);
    figures
}

#[test]
fn generated_games_agree() {
    play_all(0, 150, None, &QUICK);
}

/// Players drop out in turns of several plies, by everything that lets them.
#[test]
fn games_in_which_players_drop_out_agree() {
    // Plies alone, one by one: code that counts and plays at random takes longer to compile.
    let effort = Effort {
        plies: 12,
        reference: 4_000,
        nodes: 0,
        playouts: 0,
        single_plies: 4,
        native_every: 1,
        ..QUICK
    };
    let games = 16;
    let figures = play_all(0, games, Some(Theme::DropOuts), &effort);
    assert!(figures.drop_outs * 5 >= games, "{} drop-outs", figures.drop_outs);
}

/// `GENERATED_FROM` and `GENERATED_GAMES` choose the seeds; `GENERATED_EFFORT=quick` shortens each
/// game; `GENERATED_THEME=drop-outs` lets players drop out in each.
#[test]
#[ignore = "takes long; `cargo test --release --test testsuite generated::many -- --ignored --nocapture`"]
fn many_generated_games_agree() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let effort = if env::var("GENERATED_EFFORT").is_ok_and(|effort| effort == "quick") {
        Effort { native_every: 1, ..QUICK }
    } else {
        THOROUGH
    };
    play_all(
        number("GENERATED_FROM").unwrap_or(1000),
        number("GENERATED_GAMES").unwrap_or(20_000),
        theme(),
        &effort,
    );
}

/// Ludemes that a game in a single file cannot use.
const ELSEWHERE: [Ludeme; 6] = [
    // Forms for whole files, references to them, and forms for variants only.
    Ludeme::VariantOf,
    Ludeme::Definitions,
    Ludeme::Include,
    Ludeme::DefaultIs,
    Ludeme::Omit,
    Ludeme::AddTo,
];

#[test]
fn every_row_is_generated() {
    let mut missing: BTreeSet<usize> =
        (0..TABLE.len()).filter(|&row| !ELSEWHERE.contains(&TABLE[row].ludeme)).collect();
    for seed in 0..1500 {
        for ludeme in generate(seed).used {
            missing.remove(&(ludeme as usize));
        }
        if missing.is_empty() {
            println!("every row occurs in the games of {} seeds", seed + 1);
            return;
        }
    }
    let missing: Vec<String> = missing.into_iter().map(|row| TABLE[row].signature()).collect();
    panic!("no game has {missing:#?}");
}

/// Theme from the environment.
fn theme() -> Option<Theme> {
    env::var("GENERATED_THEME").is_ok_and(|theme| theme == "drop-outs").then_some(Theme::DropOuts)
}

/// Game and seed from the environment.
fn asked() -> Option<(String, u64)> {
    let seed = env::var("GENERATED_SEED").ok().map(|text| text.parse().expect("a number"));
    match env::var("GENERATED_FILE") {
        Ok(file) => Some((fs::read_to_string(file).expect("a file"), seed.unwrap_or(0))),
        Err(_) => seed.map(|seed| (game_of(seed, theme()).text, seed)),
    }
}

#[test]
#[ignore = "plays the game of GENERATED_SEED or GENERATED_FILE"]
fn one_game() {
    let Some((text, seed)) = asked() else { return };
    println!("; seed {seed}\n{text}");
    let (figures, wrong) =
        play(&text, seed, &Effort { native_every: 1, time: Duration::from_secs(30), ..QUICK });
    println!("{figures:?}");
    if let Some(wrong) = wrong {
        println!("wrong: {wrong}");
        panic!("the ways part");
    }
}

#[test]
#[ignore = "finds a smaller game that fails as that of GENERATED_SEED or GENERATED_FILE does"]
fn shrinks() {
    let Some((text, seed)) = asked() else { return };
    let file = kept("shrunk");
    // A separate process, because the game may abort it.
    let failure = |text: &str| {
        fs::write(&file, text).expect("a file is written");
        let program = env::current_exe().expect("this program");
        let mut child = Command::new(program);
        child.args([
            "generated::one_game",
            "--exact",
            "--ignored",
            "--nocapture",
            "--test-threads",
            "1",
        ]);
        let output = child
            .env("GENERATED_FILE", &file)
            .env("GENERATED_SEED", seed.to_string())
            .output()
            .expect("a child");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = told.lines().find_map(|line| line.strip_prefix("wrong: ").map(str::to_owned));
        let kind = |wrong: &str| {
            wrong
                .split([',', ':'])
                .next()
                .unwrap_or_default()
                .split(" after ")
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        match (output.status.success(), wrong) {
            (true, _) => None,
            (false, Some(wrong)) => Some(kind(&wrong)),
            (false, None) => Some(String::from("ended")),
        }
    };
    let Some(first) = failure(&text) else {
        println!("it does not fail");
        return;
    };
    let small = shrink(&text, |smaller| {
        failure(smaller).is_some_and(|kind| kind == first || kind == "ended" && first == "panic")
    });
    fs::remove_file(&file).ok();
    println!("{first}\n{small}");
}

/// A shrunk text is a game, still satisfies the predicate, and is small.
#[test]
fn what_is_shrunk_is_small() {
    let moves = |text: &str| text.contains("(relocate ");
    let text = (0..).map(|seed| generate(seed).text).find(|text| moves(text)).expect("a game");
    let small = shrink(&text, moves);
    assert!(
        moves(&small) && ludwright::load(small.as_str(), &[]).is_ok() && small.len() < 220,
        "{small}"
    );
}

/// Lines `; key: value` at the head of a file.
fn directives(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines()
        .take_while(|line| line.starts_with(';'))
        .filter_map(|line| line.strip_prefix("; ")?.split_once(": "))
}

/// Checks counts for depths from 1 under every compilation policy.
fn check_counts(game: &Game, name: &str, key: &str, counts: &str, first: Option<&str>) {
    for (depth, count) in (1..).zip(counts.split(' ')) {
        let count: u64 = count.parse().expect("a count");
        for policy in [
            JitPolicy::Never,
            JitPolicy::AfterPlies(1),
            JitPolicy::AfterPlies(count as u32 / 3),
            JitPolicy::Auto,
        ] {
            game.set_jit_policy(policy);
            let mut start = game.begin().unwrap_or_else(|fault| panic!("{name}: {fault}"));
            if let Some(spelled) = first {
                let ply = notation::read(&start, spelled)
                    .unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
                start.play(&ply).expect("a legal ply");
            }
            let found = match key {
                "turns" => game.perft_turns(&start, depth),
                _ => game.perft(&start, depth),
            };
            assert_eq!(found, Ok(count), "{name}: {key} {depth}, {policy:?}");
        }
    }
}

/// Checks the files of `tests/generated` against the lines at their head:
/// - `; perft: 14 181` and `; turns: 14` are counts, `; after: move a1-a2, 12 150` those after a
///   ply, and `; deep: 5 533203` is one that takes longer.
/// - `; begins: never` is a game without a first position.
/// - All others are compared across implementations, except with `; ways: few`, because they take
///   too long.
fn check_cases(deep: bool) {
    let mut files: Vec<PathBuf> = fs::read_dir("tests/generated")
        .expect("tests/generated")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "game"));
    files.sort();
    let next = AtomicU64::new(0);
    let check = |file: &PathBuf| {
        let name = file.display().to_string();
        let text = fs::read_to_string(file).expect("a file");
        let says = |wanted: (&str, &str)| directives(&text).any(|said| said == wanted);
        let loaded = ludwright::load(text.as_str(), &[]);
        if says(("begins", "never")) {
            let findings = loaded.err().map(|error| error.findings()).unwrap_or_default();
            assert!(
                findings.iter().any(|finding| finding.code == Code::NoStart.name()),
                "{name}: {findings:?}"
            );
            return;
        }
        let game = loaded.unwrap_or_else(|rejected| panic!("{name}: {rejected}"));
        for (key, value) in directives(&text) {
            match key {
                "perft" | "turns" if !deep => check_counts(&game, &name, key, value, None),
                "after" if !deep => {
                    let (ply, counts) = value.split_once(", ").expect("a ply and counts");
                    for key in ["perft", "turns"] {
                        check_counts(&game, &name, key, counts, Some(ply));
                    }
                }
                "deep" if deep => {
                    let (depth, count) = value.split_once(' ').expect("a depth and a count");
                    let start = game.begin().expect("a first position");
                    let found = game.perft(&start, depth.parse().expect("a depth"));
                    assert_eq!(
                        found.map(|count| count.to_string()).as_deref(),
                        Ok(count),
                        "{name}"
                    );
                }
                _ => {}
            }
        }
        if !says(("ways", "few")) && !deep {
            for seed in 0..2 {
                let (_, wrong) = play(&text, seed, &QUICK);
                assert_eq!(wrong, None, "{name}, seed {seed}");
            }
        }
    };
    let (check, files, next) = (&check, &files, &next);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(move || {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                    check(file);
                }
            });
        }
    });
}

#[test]
fn what_has_failed_agrees() {
    check_cases(false);
}

#[test]
#[ignore = "takes long; `cargo test --release --test testsuite generated::what_has_failed -- --ignored`"]
fn what_has_failed_agrees_in_deep_counts() {
    check_cases(true);
}
