//! The first plies of a game. Plies that a symmetry of the game maps to each other count as one, if
//! it keeps the first position: to the players they are the same.

use super::plan::Plan;
use crate::engine::game::{Game, Move, State};
use crate::notation::spell;
use crate::solve::symmetries_of;
use std::collections::HashMap;

/// With more legal plies, each is a class of its own: hardly any ply is played twice.
const MAX_COMPARED: usize = 10_000;

/// The legal plies of a position, in classes that symmetries map to each other.
pub struct FirstPlies {
    /// By number of a ply: the lowest number in its class.
    classes: Vec<usize>,
}

impl FirstPlies {
    /// Finds the classes of the legal plies of a position.
    pub fn of(start: &State) -> FirstPlies {
        let legal = start.legal();
        let mut classes: Vec<usize> = (0..legal.len()).collect();
        if legal.len() > MAX_COMPARED {
            return FirstPlies { classes };
        }
        let symmetries = symmetries_of(start);
        if symmetries.is_empty() {
            return FirstPlies { classes };
        }
        let numbers: HashMap<&Move, usize> = legal.iter().zip(0..).collect();
        let root = |classes: &[usize], mut at: usize| {
            while classes[at] != at {
                at = classes[at];
            }
            at
        };
        for (number, ply) in legal.iter().enumerate() {
            for symmetry in &symmetries {
                let arguments = ply.arguments.iter().map(|&own| symmetry.argument(own)).collect();
                let image = Move { rule: ply.rule, arguments };
                if let Some(&image) = numbers.get(&image) {
                    let (one, other) = (root(&classes, number), root(&classes, image));
                    classes[one.max(other)] = one.min(other);
                }
            }
        }
        for number in 0..classes.len() {
            classes[number] = classes[classes[number]];
        }
        FirstPlies { classes }
    }

    /// Returns the lowest number in the class of a ply.
    pub fn class(&self, number: usize) -> usize {
        self.classes[number]
    }

    /// Returns the number of classes.
    pub fn count(&self) -> usize {
        self.classes.iter().enumerate().filter(|(number, class)| number == *class).count()
    }

    /// Returns the spelling of the first ply in the class of each first ply of a plan's games;
    /// without plies that are first themselves.
    pub fn named(plan: &Plan, game: &Game) -> HashMap<String, String> {
        let Some(start) = start(plan, game) else { return HashMap::new() };
        let plies = FirstPlies::of(&start);
        let name = |number: usize| spell(game.rules(), &start.legal()[number]);
        let images = plies.classes.iter().enumerate().filter(|(number, class)| number != *class);
        images.map(|(number, &class)| (name(number), name(class))).collect()
    }
}

/// Returns the position in which the games of a plan begin.
fn start(plan: &Plan, game: &Game) -> Option<State> {
    let mut start = game.begin().ok()?;
    for text in &plan.opening {
        let ply = start.legal().iter().find(|ply| spell(game.rules(), ply) == *text)?.clone();
        start.play(&ply).ok()?;
    }
    Some(start)
}
