//! The first plies of a game. Those that are images of each other under a symmetry of the game
//! that keeps the first position are one and the same to everybody who plays, and count as one.

use super::plan::Plan;
use crate::engine::game::{Game, Move, State};
use crate::notation::spell;
use crate::solve::symmetries_of;
use std::collections::HashMap;

/// With more legal plies, each is a class of its own: hardly one of them is played twice.
const MAX_COMPARED: usize = 10_000;

/// The legal plies of a position in classes of images of each other.
pub struct FirstPlies {
    /// By number of the ply, the first number of its class.
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

    /// Returns the first number of the class of a ply, by its number.
    pub fn class(&self, number: usize) -> usize {
        self.classes[number]
    }

    /// Returns the number of classes.
    pub fn count(&self) -> usize {
        self.classes.iter().enumerate().filter(|(number, class)| number == *class).count()
    }

    /// Returns the first ply of the class of each first ply of the games of a plan, as they are
    /// spelled; without plies that are alone.
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
