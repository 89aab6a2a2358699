//! Which first plies are better or worse, in made-up games.

use ludwright::measure::report::dominance::{Difference, differences};
use ludwright::random::{Random, mix};

/// Games of the same players with a first ply, of which the first player wins some.
fn games(players: usize, ply: &str, won: u32, all: u32) -> Vec<(usize, &str, f64, f64)> {
    (0..all).map(|game| (players, ply, f64::from(u8::from(game < won)), 1.0)).collect()
}

#[test]
fn a_first_ply_that_wins_more_is_better() {
    let mut all = games(0, "a", 28, 30);
    all.extend(games(0, "b", 10, 30));
    all.extend(games(0, "c", 11, 30));
    let found = differences(&all);
    let plies: Vec<(&str, bool)> = found.iter().map(|own| (own.ply, own.is_better)).collect();
    assert_eq!(plies, [("a", true), ("b", false), ("c", false)]);
    // Of 49 wins in 90 games, a has 28 and expects 16.3, with a variance of 5.02: z = 5.20.
    assert!(found[0].p < 1e-5, "{found:?}");
    // If a tenth of the games is independent, that says nothing.
    all.iter_mut().for_each(|game| game.3 = 0.05);
    assert_eq!(differences(&all), []);
    // Nor do a few games.
    all = games(0, "a", 4, 4);
    all.extend(games(0, "b", 0, 30));
    assert_eq!(differences(&all), []);
}

/// Strong players choose a more often, and win more whatever they choose.
#[test]
fn strength_is_no_difference_of_first_plies() {
    let mut all = games(0, "a", 36, 40);
    all.extend(games(0, "b", 9, 10));
    all.extend(games(1, "a", 2, 10));
    all.extend(games(1, "b", 8, 40));
    assert_eq!(differences(&all), []);
    all.iter_mut().for_each(|game| game.0 = 0);
    assert!(matches!(differences(&all)[..], [Difference { ply: "a", is_better: true, .. }, _]));
}

#[test]
fn equal_first_plies_differ_in_one_of_twenty_reports() {
    let mut wrong = 0;
    for report in 0..400 {
        let mut random = Random::new(mix(9, report));
        let mut all = Vec::new();
        for game in 0..160 {
            let ply = ["a", "b", "c", "d", "e"][random.below(5) as usize];
            let players = game % 4;
            // The stronger ones win more often with the first player.
            let score = f64::from(u8::from(random.below(10) < 3 + players));
            all.push((players as usize, ply, score, 1.0));
        }
        wrong += u32::from(!differences(&all).is_empty());
    }
    assert!(wrong <= 29, "{wrong} of 400 reports name a first ply");
}
