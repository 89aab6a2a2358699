//! Each shipped game is played to its end in its page, against the computer, on a phone.

use super::{OFFERS, Opened};
use ludwright::notation::outcome;
use ludwright::random::Random;
use ludwright::record::{Record, load};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long a game may take, on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// The shipped games with options that make them short. The computer plays the other side.
const GAMES: [(&str, &[&str]); 9] = [
    ("kitaran", &["-o", "Size=3"]),
    ("diagonal-kitaran", &["-o", "Size=3"]),
    ("cicada", &[]),
    ("hexomino-cicada", &[]),
    ("lichen-chess", &[]),
    ("double-move-situ", &[]),
    ("wide-situ", &["-o", "Order=4"]),
    ("swarm", &["-o", "Size=4", "-o", "Cubes=8"]),
    ("two-dice-swarm", &["-o", "Size=4", "-o", "Cubes=8"]),
];

/// Plays a game to its end with random clicks; the program replays its record.
#[track_caller]
fn play(name: &str, options: &[&str], seed: u64) {
    let rules = format!("games/{name}.game");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&rules);
    let sources = ludwright::files::gather(&path).expect("the rules");
    let game = ludwright::load(&sources, &[]).expect("the game");
    let second = &game.rules().players[1].name;
    let seat = format!("{second}=mcts:20it");
    let arguments = [&[rules.as_str()][..], options, &["--seat", &seat]].concat();
    let Some(mut opened) = Opened::begin(name, &arguments) else { return };
    // The computer waits between two plies so that people can follow; the test need not.
    opened.page.eval(
        "(() => { const timer = setTimeout; window.setTimeout = (act, time = 0) => timer(act, Math.min(time, 20)); })()",
    );
    let mut random = Random::new(seed);
    for _ in 0..600 {
        opened
            .page
            .until_within(&format!("((now) => now.over || now.places.length)({OFFERS})"), LIMIT);
        let offers = opened.page.eval(OFFERS);
        if offers["over"] == true {
            break;
        }
        let places = offers["places"].as_array().expect("a list");
        let place = &places[random.below(places.len() as u32) as usize];
        let at = |index: usize| place[index].as_f64().expect("a number");
        opened.page.click_at((at(0), at(1)));
        let moment = json!(offers["moment"].as_str().expect("a text"));
        opened.page.until_within(&format!("({OFFERS}).moment !== {moment}"), LIMIT);
    }
    assert_eq!(opened.page.eval(OFFERS)["over"], true, "{name} is not over");
    let text = opened.copied("#copy-record");
    let record = Record::parse(&text).expect("a record");
    let loaded = load(&sources, &[], Some(&record)).expect("the game");
    let mut state = record.begin(&loaded).expect("a start");
    record.replay(&mut state).expect("legal plies");
    assert!(!record.is_changed(loaded.rules()));
    let result = outcome(loaded.rules(), state.outcome());
    assert_eq!(record.result.as_ref(), Some(&result), "{name}");
    let status = opened.shown("#status");
    assert!(status.contains(&result), "{name}: {status}, {result}");
    let _ = fs::write(opened.file.with_extension("record"), text);
    opened.end();
}

macro_rules! games {
    ($($test:ident: $index:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            let (name, options) = GAMES[$index];
            play(name, options, 7 + $index);
        })*
    };
}

// One test each, so that they run side by side.
games! {
    kitaran: 0, diagonal_kitaran: 1, cicada: 2, hexomino_cicada: 3, lichen_chess: 4,
    double_move_situ: 5, wide_situ: 6, swarm: 7, two_dice_swarm: 8,
}

#[test]
fn all_shipped_games_are_played() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let files =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let games = files.filter(|path| path.extension().is_some_and(|end| end == "game"));
    for game in games {
        let name = game.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(GAMES.iter().any(|(known, _)| *known == name), "{name}");
    }
}
