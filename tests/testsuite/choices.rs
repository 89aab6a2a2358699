//! Moves chosen part by part: what is offered leads to every legal move, and to nothing else.

use crate::support::{few_moves, files, rules_file};
use ludwright::engine::game::{Move, State};
use ludwright::load_file;
use ludwright::notation::spell;
use ludwright::play::{Part, choices};
use ludwright::random::Random;
use ludwright::render::{Scene, touch_svg};
use std::collections::BTreeSet;

/// Positions with more moves are not explored.
const MAX_MOVES: usize = 400;
/// Positions tried of each game, and plies between them.
const POSITIONS: usize = 6;
const PLIES: usize = 7;

/// Collects the moves that clicks and menus lead to.
fn explore(
    position: &State,
    parts: &mut Vec<Part>,
    found: &mut BTreeSet<String>,
    left: &mut usize,
) {
    assert!(*left > 0, "too many ways to choose a move: {parts:?}");
    *left -= 1;
    let offered = choices(position, parts);
    let rules = position.game().rules();
    assert!(!offered.is_reset || parts.is_empty(), "{parts:?}");
    if let Some(ply) = &offered.complete {
        assert!(offered.sites.is_empty() && offered.menu.is_empty(), "{parts:?}");
        found.insert(spell(rules, ply));
        return;
    }
    let next = offered.sites.iter().map(|(site, _)| Part::Site(*site));
    let next: Vec<Part> = next.chain(offered.menu.iter().map(|entry| entry.part)).collect();
    assert!(!next.is_empty(), "{}: nothing follows {parts:?}", rules.title);
    let labels: BTreeSet<String> = next.iter().map(|part| part.write(rules)).collect();
    assert_eq!(labels.len(), next.len(), "{next:?}");
    for part in next {
        assert_eq!(Part::parse(rules, &part.write(rules)), Some(part));
        parts.push(part);
        explore(position, parts, found, left);
        parts.pop();
    }
}

#[test]
fn every_legal_move_can_be_chosen_and_no_other() {
    let mut tried = 0;
    for name in
        ["games", "tests/games", "tests/plain/games"].iter().flat_map(|folder| files(folder))
    {
        let path = rules_file(&name);
        let Ok(game) = load_file(&path, &few_moves(&name)) else { continue };
        let rules = game.rules();
        let mut position = game.begin().expect("a start");
        let mut random = Random::new(3);
        for _ in 0..POSITIONS {
            let legal: Vec<Move> = position.legal().to_vec();
            if legal.is_empty() {
                break;
            }
            if legal.len() <= MAX_MOVES {
                let mut found = BTreeSet::new();
                explore(&position, &mut Vec::new(), &mut found, &mut 40_000);
                let expected: BTreeSet<String> =
                    legal.iter().map(|ply| spell(rules, ply)).collect();
                assert_eq!(found, expected, "{name}");
                tried += 1;
            }
            for _ in 0..PLIES {
                let legal = position.legal();
                if legal.is_empty() {
                    break;
                }
                let ply = legal[random.below(legal.len() as u32) as usize].clone();
                position.play(&ply).expect("a legal move");
            }
        }
    }
    println!("{tried} positions");
    assert!(tried > 100, "{tried} positions");
}

#[test]
fn every_site_of_a_picture_can_be_chosen() {
    for name in files("games") {
        let game = load_file(&rules_file(&name), &[]).expect("a game");
        let start = game.begin().expect("a start");
        let picture = touch_svg(&Scene::of(&start), "board-");
        assert_eq!(picture.sites.len(), game.rules().board.len(), "{name}");
        for site in &picture.sites {
            let cell = format!("data-site=\"{}\" role=\"button\"", site.name);
            assert_eq!(picture.svg.matches(&cell).count(), 1, "{name}: {}", site.name);
            assert!(site.label.starts_with(&format!("{}, ", site.name)), "{}", site.label);
        }
    }
}
