//! Measures every game, and compares it with known figures of other programs.

use super::Settings;
use super::baselines::CAP;
use super::measure::median_rate;
use super::report::Column;
use super::support::{self, Variant};
use ludwright::engine::game::Game;
use ludwright::random::mix;

/// Loads a game with some options.
pub fn load(name: &str, options: &[(&str, String)]) -> Game {
    let game = support::load(&variant(name, options));
    // Measures the steady state, not how soon compilation to machine code pays off.
    game.jit_compile();
    game
}

pub fn variant(name: &str, options: &[(&str, String)]) -> Variant {
    let options = options.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    Variant { name: name.to_owned(), options, plies: 0 }
}

/// Returns a function that plays a random game from the first position and returns its number of
/// plies.
pub fn playouts(game: &Game) -> impl FnMut() -> u64 + use<> {
    let mut source = game.playouts(&game.begin().expect("a first position"));
    let mut number = 0;
    move || {
        number += 1;
        u64::from(source.play(mix(0, number), CAP).expect("an end").plies)
    }
}

/// Names of all games, the shipped ones first.
pub fn all() -> Vec<String> {
    ["games", "tests/games"].into_iter().flat_map(support::files).collect()
}

/// Published figures of random play by other programs, on one thread of a current machine.
struct Known {
    game: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// Games per second of an interpreter of a similar language.
    interpreter: Option<f64>,
    /// Games per second of the fastest compiler from rules to C++.
    compiler: Option<f64>,
    by_hand: Option<ByHand>,
}

/// Rate per second of engines written by hand for one game.
enum ByHand {
    Games(f64),
    Plies(f64),
}

const fn known(
    game: &'static str,
    options: &'static [(&'static str, &'static str)],
    interpreter: Option<f64>,
    compiler: Option<f64>,
    by_hand: Option<ByHand>,
) -> Known {
    Known { game, options, interpreter, compiler, by_hand }
}

const KNOWN: &[Known] = &[
    known("kitaran", &[], Some(2_400.0), None, Some(ByHand::Plies(48e6))),
    known("cicada", &[], Some(1_650.0), None, Some(ByHand::Plies(10e6))),
    known("swarm", &[], None, None, Some(ByHand::Plies(6e6))),
    known("lichen-chess", &[], None, None, Some(ByHand::Plies(22e6))),
    known("double-move-situ", &[("Order", "2")], None, None, Some(ByHand::Plies(35e6))),
    known("double-move-situ", &[], Some(69.0), None, Some(ByHand::Plies(25e6))),
    known("double-move-situ", &[("Order", "7")], None, None, Some(ByHand::Plies(9e6))),
    known("breakthrough", &[], Some(2_200.0), Some(30_000.0), Some(ByHand::Games(141e3))),
    known("othello", &[], Some(940.0), Some(10_700.0), Some(ByHand::Games(155e3))),
    known("connect-four", &[], Some(20_000.0), Some(526e3), Some(ByHand::Games(4.3e6))),
    known("hex", &[("Size", "11")], Some(7_500.0), Some(8_300.0), None),
];

const COLUMNS: &[Column] = &[
    Column { key: "games/s", digits: 0 },
    Column { key: "plies/s", digits: 0 },
    Column { key: "plies/game", digits: 1 },
    Column { key: "interpreter", digits: 1 },
    Column { key: "compiler", digits: 1 },
    Column { key: "by hand", digits: 2 },
];

/// Measures every game.
pub fn measure(settings: &Settings) {
    let about = "random games; how many times what is known of an interpreter (wanted: 30), a compiler (3) and programs by hand (1)";
    let table = settings.table("games", about, COLUMNS);
    for name in all().iter().filter(|name| settings.wants(name)) {
        let mut rows: Vec<Option<&Known>> =
            KNOWN.iter().filter(|known| known.game == name).map(Some).collect();
        if rows.is_empty() {
            rows.push(None);
        }
        for known in rows {
            let options: Vec<(&str, String)> = known
                .map_or(&[][..], |known| known.options)
                .iter()
                .map(|&(key, value)| (key, value.to_owned()))
                .collect();
            let mut playout = playouts(&load(name, &options));
            let (mut games, mut plies) = (0, 0);
            let rate = median_rate(settings.seconds / 2.0, || {
                let made = playout();
                games += 1;
                plies += made;
                made
            });
            let length = plies as f64 / f64::from(games);
            let times = |figure: Option<f64>| figure.map(|figure| rate / length / figure);
            let by_hand =
                known.and_then(|known| known.by_hand.as_ref()).map(|by_hand| match by_hand {
                    ByHand::Games(games) => rate / length / games,
                    ByHand::Plies(plies) => rate / plies,
                });
            let interpreter = times(known.and_then(|known| known.interpreter));
            let compiler = times(known.and_then(|known| known.compiler));
            let values =
                [Some(rate / length), Some(rate), Some(length), interpreter, compiler, by_hand];
            table.row(&variant(name, &options).to_string(), &values);
        }
    }
}
