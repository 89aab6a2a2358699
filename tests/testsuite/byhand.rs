//! Five games written by hand directly from their rules, independently of the engine, as a
//! reference for it.
//!
//! They favour simplicity over speed: a game is an array of cells and a few counters; repetition is
//! a search in the list of all positions so far.

mod cicada;
mod kitaran;
mod lichen;
mod situ;
mod swarm;

/// A game written by hand.
pub trait ByHand {
    /// Lists the legal moves in canonical spelling, sorted by bytes; empty when the game is over.
    fn legal(&self) -> Vec<String>;
    /// Returns `chance`, a player's name, or `None` at the end.
    fn to_move(&self) -> Option<String>;
    /// Plays a legal move given in canonical spelling.
    fn play(&mut self, spelling: &str);
    /// Returns `NAME wins` or `draw`, `None` while unfinished.
    fn result(&self) -> Option<String>;
    fn boxed_clone(&self) -> Box<dyn ByHand>;
}

/// Starts a game by the name of its file; omitted options have their defaults.
pub fn start(name: &str, options: &[(&str, &str)]) -> Box<dyn ByHand> {
    let known: &[&str] = match name {
        "cicada" => &["Size", "Molt"],
        "double-move-situ" => &["Grid", "Order", "Surplus"],
        "kitaran" => &["Size", "Komi"],
        "lichen-chess" => &["Hand", "Facing", "Pointer", "Wings"],
        "swarm" => &["Size", "Cubes", "Steps", "Chain"],
        _ => panic!("no game by hand is called {name}"),
    };
    for (key, _) in options {
        assert!(known.contains(key), "{name} has no option {key}");
    }
    match name {
        "cicada" => Box::new(cicada::Cicada::new(
            number(options, "Size", 5, 3..=8),
            number(options, "Molt", 5, 3..=8),
        )),
        "double-move-situ" => Box::new(situ::Situ::new(
            word(options, "Grid", &["hex", "square", "diagonal"]),
            number(options, "Order", 4, 2..=7),
            number(options, "Surplus", 3, 1..=4),
        )),
        "kitaran" => Box::new(kitaran::Kitaran::new(
            number(options, "Size", 5, 3..=9),
            halves(options, "Komi", 0..=21),
        )),
        "lichen-chess" => Box::new(lichen::Lichen::new(
            number(options, "Hand", 20, 1..=40),
            word(options, "Facing", &["forward", "back"]) == "forward",
            word(options, "Pointer", &["own", "any"]) == "any",
            word(options, "Wings", &["on", "off"]) == "on",
        )),
        _ => {
            let size = number(options, "Size", 6, 4..=8);
            Box::new(swarm::Swarm::new(
                size,
                number(options, "Cubes", 20, size + 1..=32),
                word(options, "Steps", &["all", "orthogonal"]) == "orthogonal",
                word(options, "Chain", &["off", "on"]) == "on",
            ))
        }
    }
}

fn given<'a>(options: &[(&str, &'a str)], key: &str) -> Option<&'a str> {
    options.iter().find(|(k, _)| *k == key).map(|(_, value)| *value)
}

fn number(
    options: &[(&str, &str)],
    key: &str,
    default: usize,
    range: std::ops::RangeInclusive<usize>,
) -> usize {
    let value = match given(options, key) {
        Some(text) => text.parse().unwrap_or_else(|_| panic!("{key} is no number: {text}")),
        None => default,
    };
    assert!(range.contains(&value), "{key} cannot be {value}");
    value
}

/// Reads a number given in halves ("0", "0.5", "1", …), in units of one half; 0 by default.
fn halves(options: &[(&str, &str)], key: &str, range: std::ops::RangeInclusive<usize>) -> usize {
    let text = given(options, key).unwrap_or("0");
    let value: f64 = text.parse().unwrap_or_else(|_| panic!("{key} is no number: {text}"));
    let doubled = value * 2.0;
    assert!(doubled.fract() == 0.0 && doubled >= 0.0, "{key} cannot be {text}");
    assert!(range.contains(&(doubled as usize)), "{key} cannot be {text}");
    doubled as usize
}

/// Reads one of a few words, by default the first.
fn word<'a>(options: &[(&str, &'a str)], key: &str, words: &[&'a str]) -> &'a str {
    let value = given(options, key).unwrap_or(words[0]);
    assert!(words.contains(&value), "{key} cannot be {value}");
    value
}
