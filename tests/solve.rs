//! Exact values.
use ludwright::engine::game::Game;
use ludwright::language::rules::PlayerId;
use ludwright::notation::spell;
use ludwright::solve::{Budget, Solution, Value, solve};
use std::path::Path;

fn game(file: &str, choices: &[(&str, &str)]) -> Game {
    let choices: Vec<(String, String)> = choices.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    ludwright::load_file(Path::new(file), &choices).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn solved(file: &str, choices: &[(&str, &str)]) -> Solution {
    let game = game(file, choices);
    solve(&game.begin().expect("it begins"), &Budget::default(), &mut |_| true).expect("the rules end")
}

#[test]
fn published_values() {
    let ttt = solved("tests/games/tic-tac-toe.game", &[]);
    assert_eq!(ttt.value, Value::Draw);
    assert_eq!(ttt.nodes, 4520);
    let hex = solved("tests/games/hex.game", &[("Size", "3")]);
    assert_eq!(hex.value, Value::Win(PlayerId(0)));
    println!("{hex:?}");
}

#[test]
fn sizes() {
    for (file, choices) in [
        ("games/kitaran.game", &[("Size", "3")][..]),
        ("games/cicada.game", &[("Size", "3")]),
        ("tests/games/connect-four.game", &[("Columns", "4"), ("Rows", "4")]),
        ("games/cicada.game", &[("Size", "4")]),
    ] {
        let game = game(file, choices);
        let solution = solve(&game.begin().expect("it begins"), &Budget::default(), &mut |_| true).expect("the rules end");
        println!(
            "{file} {:?} {:?} nodes {} acyclic {:?} longest {:?} {:.2} s",
            solution.value, solution.distance, solution.nodes, solution.acyclic, solution.longest, solution.seconds
        );
        println!("{:?} {:?}", solution.line.iter().map(|ply| spell(game.rules(), ply)).collect::<Vec<_>>(), solution.ending);
    }
}
