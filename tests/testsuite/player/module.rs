//! The module against the program: the same positions, choices, spelling, results and programs, in
//! shipped, classic and generated games.

use super::Opened;
use crate::generator::generate;
use crate::support::{few_moves, files, rules_file};
use ludwright::desk::requests::{Arguments, change, look};
use ludwright::desk::{Bundle, Desk, Draft, Origin};
use ludwright::engine::game::Game;
use ludwright::language::sources::Sources;
use ludwright::notation::spell;
use ludwright::play::variations::Variations;
use ludwright::random::Random;
use ludwright::search::{Player, PlayerKind, roll};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Generated games, and the plies of each.
const SEEDS: u64 = 12;
const PLIES: usize = 14;
/// Positions with more moves are not compared.
const MAX_MOVES: u64 = 2_000;

fn desk(bundle: &Bundle, options: &[(String, String)], seed: u64) -> Desk {
    let draft = Draft {
        folder: PathBuf::new(),
        origin: Origin::File(PathBuf::from(bundle.name())),
        text: bundle.text().to_owned(),
        disk: Some(bundle.text().to_owned()),
        shipped: None,
        options: options.to_vec(),
        seats: Vec::new(),
        variations: Variations::new(seed),
        when: 0,
    };
    Desk::new(draft, bundle)
}

/// Plays at random; rolls are those of the seed.
fn random_game(game: &Game, seed: u64) -> Option<Vec<String>> {
    let mut random = Random::new(seed);
    let mut state = game.begin().ok()?;
    let mut chosen = Vec::new();
    while state.plies().len() < PLIES && state.outcome().is_none() {
        let ply = match roll(&state, seed) {
            Some(ply) => ply,
            None => {
                if game.perft(&state, 1).ok()? > MAX_MOVES {
                    return None;
                }
                let legal = state.legal();
                let ply = legal.get(random.below(legal.len().max(1) as u32) as usize)?.clone();
                chosen.push(spell(game.rules(), &ply));
                ply
            }
        };
        state.play(&ply).ok()?;
    }
    Some(chosen)
}

/// Tests that an answer of the module is the same as here.
#[track_caller]
fn same(there: &Value, here: &Value, what: &str) {
    assert_eq!(difference(there, here, String::new()), None, "{what}");
}

/// Finds where two values differ. JavaScript writes whole numbers without a point.
fn difference(there: &Value, here: &Value, path: String) -> Option<String> {
    match (there, here) {
        (Value::Object(one), Value::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let field =
                |name: &String| difference(&there[name], &here[name], format!("{path}.{name}"));
            names.into_iter().find_map(field)
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let pairs = one.iter().zip(other).enumerate();
            pairs.into_iter().find_map(|(index, (one, other))| {
                difference(one, other, format!("{path}[{index}]"))
            })
        }
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => None,
        _ => (there != here).then(|| format!("{path}: there {there}, here {here}")),
    }
}

/// Compares the module with the library on a game.
#[track_caller]
fn compare(
    opened: &mut Opened,
    name: &str,
    sources: Sources,
    options: &[(String, String)],
    seed: u64,
) {
    let Ok(game) = ludwright::load(&sources, options) else { return };
    let Some(chosen) = random_game(&game, seed) else { return };
    let bundle = Bundle::of(&sources);
    let named: serde_json::Map<String, Value> =
        options.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let script = format!(
        "(async () => {{ const at = modules['player.js'].answering.connection; at.files = {}; \
         const answer = await at.open({{ options: {}, seed: {seed} }}); return answer; }})()",
        json!(bundle),
        Value::Object(named)
    );
    let there = opened.page.eval(&script);
    let mut here = desk(&bundle, options, seed);
    same(&there["game"], &here.describe_game(), &format!("{name}: the start"));
    same(&there["check"], &here.describe_check(), &format!("{name}: the check"));
    // Ply by ply, each in the form that the page shows, and what can be chosen next.
    for text in &chosen {
        let arguments = json!({ "text": text });
        let Value::Object(fields) = arguments.clone() else { unreachable!() };
        let played = change(&mut here, "play", &Arguments::new(fields)).expect("a request");
        let answer = opened.ask("play", &arguments);
        match played {
            Ok(_) => same(&answer["game"], &here.describe_game(), &format!("{name}: {text}")),
            Err(refused) => {
                assert_eq!(answer["refused"], refused.message, "{name}: {text}");
                return;
            }
        }
        let parts = json!({ "chosen": [] });
        let Value::Object(fields) = parts.clone() else { unreachable!() };
        let next = look(&mut here, "choices", &Arguments::new(fields)).expect("a request");
        let next = next.unwrap_or_else(|refused| json!({ "refused": refused.message }));
        same(&opened.ask("choices", &parts), &next, &format!("{name}: after {text}"));
    }
    // Texts that go from one to the other.
    for what in ["record", "position", "fragment"] {
        let text = match what {
            "record" => here.record(),
            "position" => here.position(),
            _ => here.fragment(),
        };
        assert_eq!(opened.ask(what, &json!({}))["text"], json!(text), "{name}: {what}");
        let text = text.expect("a text");
        let answer = opened.ask("take", &json!({ "text": text }));
        let taken = here.take(&text, &bundle);
        match taken {
            Ok(_) => {
                same(&answer["game"], &here.describe_game(), &format!("{name}: {what} taken"));
            }
            Err(message) => assert_eq!(answer["refused"], message, "{name}: {what} taken"),
        }
    }
    // Programs without a clock choose the same plies.
    let Some(run) = &here.run else { return };
    for kind in ["random", "greedy"] {
        let kind: PlayerKind = kind.parse().expect("a program");
        let task = opened.ask("task", &json!({ "kind": kind.to_string() }));
        if task["refused"].is_string() {
            continue;
        }
        let there = opened.ask("choose", &task);
        let person = task["person"].as_u64().expect("a number");
        let seed = ludwright::random::mix(!task["seed"].as_u64().expect("a number"), person);
        let mut player = Player::new(kind, seed).expect("a program");
        let here = player.choose(&run.state).expect("no fault").expect("a ply");
        let ply = spell(run.state.game().rules(), &here.ply);
        assert_eq!(there["ply"], json!(ply), "{name}: {kind}");
    }
}

#[test]
fn generated_games_are_the_same() {
    let Some(mut opened) = Opened::begin("generated", &["tests/games/tic-tac-toe.game"]) else {
        return;
    };
    for seed in 0..SEEDS {
        let text = generate(seed).text;
        compare(&mut opened, &format!("seed {seed}"), Sources::named("x.game", &text), &[], seed);
    }
    opened.end();
}

#[test]
fn shipped_and_classic_games_are_the_same() {
    let Some(mut opened) = Opened::begin("classics", &["tests/games/tic-tac-toe.game"]) else {
        return;
    };
    for name in ["games", "tests/games"].iter().flat_map(|folder| files(folder)) {
        let sources = ludwright::files::gather(&rules_file(&name)).expect("the rules");
        compare(&mut opened, &name, sources, &few_moves(&name), 5);
    }
    opened.end();
}

/// `.ci/run` tells a module that cannot be built here from one with errors.
#[cfg(unix)]
#[test]
fn the_script_that_builds_the_module_says_what_it_needs() {
    use std::os::unix::fs::symlink;
    let tools = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-target");
    let _ = std::fs::remove_dir_all(&tools);
    std::fs::create_dir_all(&tools).expect("a folder");
    // A path without a linker, and with a compiler that knows no targets.
    for (name, tool) in
        [("rustc", "false"), ("dirname", "dirname"), ("sort", "sort"), ("tail", "tail")]
    {
        symlink(Path::new("/usr/bin").join(tool), tools.join(name)).expect("a link");
    }
    let mut command = std::process::Command::new("/bin/bash");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/build.sh"));
    let output = command.env("PATH", &tools).env_remove("CI").output().expect("the script");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(69), "{told}");
    assert!(told.contains("run `rustup target add wasm32-unknown-unknown`"), "{told}");
}
