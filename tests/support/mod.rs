//! The shipped games with the options that the tests play them with.

use ludwright::engine::game::Game;
use std::fmt;
use std::path::PathBuf;

/// A game file with options chosen.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The file's name without its ending, with its folder unless that is `games`.
    pub name: String,
    pub options: Vec<(String, String)>,
    /// How many plies of a random game the slow evaluator can be asked for.
    pub plies: usize,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.name)?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

/// Every shipped game with its defaults, with every value of every option, and with some values together.
pub fn variants() -> Vec<Variant> {
    const MIXED: &[(&str, &str)] = &[
        ("kitaran", "Size=4 Komi=0.5"),
        ("cicada", "Size=4 Molt=3"),
        ("double-move-situ", "Grid=square Order=2 Surplus=1"),
        ("double-move-situ", "Grid=diagonal Order=2 Surplus=2"),
        ("double-move-situ", "Order=2 Surplus=1"),
        ("double-move-situ", "Order=7 Surplus=4"),
        ("swarm", "Size=4 Cubes=5 Chain=on"),
        ("swarm", "Size=5 Cubes=32 Steps=orthogonal"),
        ("lichen-chess", "Hand=2 Wings=off Pointer=any"),
        ("lichen-chess", "Hand=1 Facing=back"),
    ];
    let mut variants = Vec::new();
    for name in ["cicada", "double-move-situ", "kitaran", "lichen-chess", "swarm"] {
        let plies = if name == "swarm" { 40 } else { 120 };
        let plain = Variant { name: name.to_string(), options: Vec::new(), plies };
        let choices = load(&plain).rules().options.clone();
        variants.push(plain.clone());
        for choice in choices {
            for (index, value) in choice.values.iter().enumerate().filter(|&(index, _)| index != choice.default) {
                // Long ranges are sampled at their ends and in steps.
                if choice.values.len() > 12 && index % 5 != 0 && index + 1 != choice.values.len() {
                    continue;
                }
                variants.push(Variant { options: vec![(choice.name.clone(), value.clone())], ..plain.clone() });
            }
        }
        for (_, options) in MIXED.iter().filter(|(mixed, _)| *mixed == name) {
            let options = options.split(' ').filter_map(|option| option.split_once('=')).map(|(name, value)| (name.into(), value.into()));
            variants.push(Variant { options: options.collect(), ..plain.clone() });
        }
    }
    variants
}

/// Loads a variant.
///
/// # Panics
/// If it is not a game.
pub fn load(variant: &Variant) -> Game {
    let folder = if variant.name.contains('/') { "." } else { "games" };
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{}.game", variant.name));
    ludwright::load_file(&path, &variant.options).unwrap_or_else(|unloaded| panic!("{variant}: {unloaded}"))
}
