//! Games that are the same up to symmetry, and what they leave of a sample.

use crate::support::{Variant, load};
use ludwright::engine::game::{Argument, Game, Move};
use ludwright::measure::Fingerprints;
use ludwright::measure::statistics::{Scores, mean_ci, proportion_ci};
use ludwright::random::{Random, mix};
use ludwright::solve::symmetry::{Symmetry, symmetries};
use std::collections::HashSet;

/// Plays a random game: its plies, and how many were legal at each.
fn random_game(game: &Game, seed: u64) -> (Vec<Move>, Vec<u32>) {
    let mut state = game.begin().expect("a first position");
    let mut random = Random::new(seed);
    let mut legal = Vec::new();
    while state.outcome().is_none() {
        let plies = state.legal();
        legal.push(plies.len() as u32);
        let ply = plies[random.below(plies.len() as u32) as usize].clone();
        state.play(&ply).expect("a legal ply");
    }
    (state.plies().to_vec(), legal)
}

fn image(plies: &[Move], symmetry: &Symmetry) -> Vec<Move> {
    let mut plies = plies.to_vec();
    for argument in plies.iter_mut().flat_map(|ply| &mut ply.arguments) {
        match argument {
            Argument::Site(site) => *site = symmetry.site(*site),
            Argument::Direction(direction) => *direction = symmetry.direction(*direction),
            Argument::Number(_) | Argument::Piece(_) => {}
        }
    }
    plies
}

/// As many games are different as there are classes of games that symmetries map to each other.
#[test]
fn games_are_told_apart_up_to_symmetry() {
    for (name, options, expected) in [
        ("tic-tac-toe", &[][..], 8),
        ("connect-four", &[("Columns", "4"), ("Rows", "3"), ("Line", "3")][..], 2),
        ("kitaran", &[("Size", "3")][..], 8),
    ] {
        let options =
            options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let game = load(&Variant { name: name.to_owned(), options, plies: 0 });
        let symmetries = symmetries(&game);
        assert_eq!(symmetries.len() + 1, expected, "{name}");
        let fingerprints = Fingerprints::new(&game);
        let (mut found, mut classes) = (HashSet::new(), HashSet::new());
        for number in 0..300 {
            let (plies, legal) = random_game(&game, mix(3, number));
            let print = fingerprints.of(&plies, &legal);
            found.insert(print);
            let images: Vec<Vec<Move>> =
                symmetries.iter().map(|symmetry| image(&plies, symmetry)).collect();
            for image in &images {
                assert_eq!(fingerprints.of(image, &legal), print, "{name}");
            }
            let spelled = images.iter().chain([&plies]).map(|plies| format!("{plies:?}"));
            classes.insert(spelled.min());
        }
        assert_eq!(found.len(), classes.len(), "{name}");
        assert!(found.len() > 20, "{name}: {}", found.len());
    }
}

/// Half of 60 independent games say as much as 30.
#[test]
fn an_interval_is_that_of_the_independent_part() {
    let all = Scores { wins: 40, draws: 8, losses: 12, shared: 0 };
    let half = Scores { wins: 20, draws: 4, losses: 6, shared: 0 }.estimate(2).expect("games");
    let found = all.estimate_of_independent(2, 0.5).expect("games");
    assert_eq!((found.value, found.low, found.high, found.error), {
        (half.value, half.low, half.high, half.error)
    });
    assert_eq!(found.sample, 60);
    assert_eq!(all.estimate_of_independent(2, 1.0), all.estimate(2));
    // One game, repeated: nothing much is known.
    let same = Scores::of_proportion(60, 60).estimate_of_independent(2, 1.0 / 60.0);
    assert_eq!(same.map(|found| found.low), proportion_ci(1, 1).map(|one| one.low));
    let mean = mean_ci(&[1.0, 2.0, 3.0, 6.0]).expect("a sample");
    let wider = mean.of_independent(0.25);
    assert!((wider.high - mean.value - 2.0 * (mean.high - mean.value)).abs() < 1e-12);
    assert_eq!((wider.value, wider.error), (mean.value, 2.0 * mean.error));
}
