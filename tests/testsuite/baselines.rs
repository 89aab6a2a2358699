//! Tests the hand-written baselines of the benchmarks against the engine: a comparison is only fair
//! if both play the same game.

#[path = "../bench/baselines/mod.rs"]
mod handwritten;

use crate::support::{Variant, load};
use handwritten::{Baseline, Breakthrough, CAP, Cicada, ConnectFour, Kitaran, Lichen, List};
use ludwright::engine::game::State;
use ludwright::engine::position::Outcome;
use ludwright::notation;
use ludwright::random::{Random, mix};

fn game(name: &str, options: &[(&str, &str)]) -> ludwright::engine::game::Game {
    let options =
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    load(&Variant { name: name.to_owned(), options, plies: 0 })
}

/// Plays a game with both in lockstep, comparing every position. `pick` chooses a ply by its index
/// among the sorted spellings.
fn compare<B: Baseline>(
    mut theirs: State,
    mut pick: impl FnMut(&[String]) -> usize,
) -> Option<Outcome> {
    let mut ours = B::start();
    let mut past = B::Past::default();
    let mut list = List::default();
    loop {
        list.clear();
        ours.list(&mut list);
        let mut spelled: Vec<(String, u16)> =
            list.plies().iter().map(|&ply| (ours.spell(ply), ply)).collect();
        spelled.sort();
        let (spelled, plies): (Vec<String>, Vec<u16>) = spelled.into_iter().unzip();
        let rules = theirs.game().rules();
        let at =
            || theirs.plies().iter().map(|ply| notation::spell(rules, ply)).collect::<Vec<_>>();
        assert_eq!(spelled, notation::legal(&theirs), "after {:?}", at());
        assert_eq!(ours.count(), spelled.len() as u64, "after {:?}", at());
        assert_eq!(ours.outcome(), theirs.outcome(), "after {:?}", at());
        if spelled.is_empty() || theirs.plies().len() == CAP as usize {
            return theirs.outcome();
        }
        let index = pick(&spelled);
        let ply = notation::read(&theirs, &spelled[index]).expect("a legal ply");
        theirs.play(&ply).expect("a legal ply");
        ours.play(plies[index], &mut past);
    }
}

/// Compares random games and perft.
fn agrees<B: Baseline>(name: &str, options: &[(&str, &str)], games: u64, depth: u32) {
    let game = game(name, options);
    let start = game.begin().expect("a first position");
    for number in 0..games {
        let mut random = Random::new(mix(1, number));
        compare::<B>(start.clone(), |plies| random.below(plies.len() as u32) as usize);
    }
    let mut lists: Vec<List> = (0..depth).map(|_| List::default()).collect();
    for depth in 1..=depth {
        let count = B::start().perft(depth, &mut lists, &mut B::Past::default());
        assert_eq!(
            count,
            game.perft(&start, depth).expect("an end"),
            "{name} {options:?}, depth {depth}"
        );
    }
}

#[test]
fn kitaran_is_kitaran() {
    agrees::<Kitaran<5>>("kitaran", &[], 60, 3);
    agrees::<Kitaran<3>>("kitaran", &[("Size", "3")], 60, 6);
    agrees::<Kitaran<4>>("kitaran", &[("Size", "4")], 30, 3);
    agrees::<Kitaran<6>>("kitaran", &[("Size", "6")], 20, 3);
    agrees::<Kitaran<7>>("kitaran", &[("Size", "7")], 20, 2);
}

#[test]
fn cicada_is_cicada() {
    agrees::<Cicada>("cicada", &[], 200, 4);
}

#[test]
fn lichen_chess_is_lichen_chess() {
    agrees::<Lichen>("lichen-chess", &[], 100, 4);
}

#[test]
fn breakthrough_is_breakthrough() {
    agrees::<Breakthrough>("breakthrough", &[], 60, 4);
}

#[test]
fn connect_four_is_connect_four() {
    agrees::<ConnectFour>("connect-four", &[], 100, 6);
}

/// Players who convert whenever they can repeat positions often.
#[test]
fn kitaran_is_drawn_by_the_same_repetitions() {
    fn draws<const SIZE: usize>(size: &str) -> usize {
        let start = game("kitaran", &[("Size", size)]).begin().expect("a first position");
        let outcomes = (0..60).map(|number| {
            let mut random = Random::new(mix(2, number));
            compare::<Kitaran<SIZE>>(start.clone(), |plies| {
                let converting = plies.iter().filter(|ply| ply.starts_with("convert")).count();
                random.below(if converting > 0 { converting } else { plies.len() } as u32) as usize
            })
        });
        outcomes.filter(|&outcome| outcome == Some(Outcome::Draw)).count()
    }
    // With an odd number of sites, repetition is the only draw.
    assert!(draws::<3>("3") + draws::<5>("5") > 10);
}

/// Each player repeatedly fills a stone of his own.
#[test]
fn lichen_chess_is_drawn_by_the_same_repetitions() {
    let start = game("lichen-chess", &[]).begin().expect("a first position");
    let mut turns = 0;
    let outcome = compare::<Lichen>(start, |plies| {
        let rank = |wanted: &str| plies.iter().position(|ply| ply.starts_with(wanted));
        if let Some(pass) = rank("pass") {
            turns += 1;
            return pass;
        }
        rank(if turns % 2 == 0 { "place A2" } else { "place E2" }).expect("a free place")
    });
    assert_eq!(outcome, Some(Outcome::Draw));
}
