//! The engine in random games against two references: the reference interpreter of the same typed
//! rules, and games written by hand from their rules.

use crate::byhand;
use crate::support::{Variant, few_moves, files, load, published, rules_file, variants};
use ludwright::engine::game::State;
use ludwright::notation;
use ludwright::random::Random;
use ludwright::reference::{Interpreter, NoopTracer};

/// Plays a random game with the engine and a reference in lockstep, comparing every position.
fn compare<T>(
    variant: &Variant,
    seed: u64,
    cap: usize,
    mut other: T,
    agree: impl Fn(&T, &State),
    play: impl Fn(&mut T, &State, &str),
) {
    let game = load(variant);
    let mut position = game.begin().expect("a first position");
    let mut random = Random::new(seed);
    for _ in 0..cap {
        agree(&other, &position);
        let legal = notation::legal(&position);
        if legal.is_empty() {
            return;
        }
        let spelled = &legal[random.below(legal.len() as u32) as usize];
        let ply = notation::read(&position, spelled)
            .unwrap_or_else(|refusal| panic!("{variant}: {spelled}: {refusal:?}"));
        play(&mut other, &position, spelled);
        position.play(&ply).expect("a legal move");
    }
}

#[test]
fn engine_and_reference_agree() {
    agree_on(variants());
}

#[test]
fn engine_and_reference_agree_on_published_games() {
    agree_on(published());
}

/// The small games of `reference`.
#[test]
fn engine_and_reference_agree_on_scripts() {
    let games = files("tests/plain/games").into_iter();
    agree_on(games.map(|name| Variant { name, options: Vec::new(), plies: 40 }).collect());
}

fn agree_on(variants: Vec<Variant>) {
    for (index, variant) in variants.into_iter().enumerate() {
        let game = load(&variant);
        let interpreter =
            Interpreter::start(game.rules(), &mut NoopTracer).expect("a first position");
        let agree = |interpreter: &Interpreter, position: &State| {
            let rules = position.game().rules();
            let at = format!(
                "{variant} after {:?}",
                position.plies().iter().map(|ply| notation::spell(rules, ply)).collect::<Vec<_>>()
            );
            assert_eq!(interpreter.outcome(), position.outcome(), "{at}");
            let mut legal: Vec<String> =
                interpreter.legal().iter().map(|ply| notation::spell(rules, ply)).collect();
            legal.sort_unstable();
            assert_eq!(legal, notation::legal(position), "{at}");
            assert_eq!(interpreter.turn(), position.turn(), "{at}");
            assert_eq!(*interpreter.snapshot(), position.snapshot(), "{at}");
            // Collecting the past takes time linear in the length of the match.
            if position.plies().len().is_multiple_of(10) {
                assert!(interpreter.is_at(&Interpreter::with_past(position)), "{at}");
            }
        };
        let play = |interpreter: &mut Interpreter, position: &State, spelled: &str| {
            let ply = notation::read(position, spelled).expect("a legal move");
            interpreter.play(&ply, &mut NoopTracer).expect("a legal move");
        };
        compare(&variant, index as u64, variant.plies, interpreter, agree, play);
    }
}

#[test]
fn engine_and_games_by_hand_agree() {
    for (index, variant) in variants().into_iter().enumerate() {
        let options: Vec<(&str, &str)> =
            variant.options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let byhand = byhand::start(&variant.name, &options);
        #[expect(clippy::borrowed_box, reason = "what is compared is handed on as it is")]
        let agree = |byhand: &Box<dyn byhand::ByHand>, position: &State| {
            let rules = position.game().rules();
            let at = format!(
                "{variant} after {:?}",
                position.plies().iter().map(|ply| notation::spell(rules, ply)).collect::<Vec<_>>()
            );
            assert_eq!(
                byhand.result(),
                position.outcome().map(|outcome| notation::outcome(rules, Some(outcome))),
                "{at}"
            );
            assert_eq!(byhand.legal(), notation::legal(position), "{at}");
            assert_eq!(
                byhand.to_move().as_deref().unwrap_or("nobody"),
                notation::turn(rules, position.turn()),
                "{at}"
            );
        };
        for game in 0..3 {
            compare(
                &variant,
                (1000 + index * 3 + game) as u64,
                300,
                byhand.boxed_clone(),
                agree,
                |byhand, _, spelled| byhand.play(spelled),
            );
        }
    }
}

/// Rows of `variants.txt`: a variant with its depth and count.
fn tweaked() -> Vec<(Variant, u32, u64)> {
    let text = std::fs::read_to_string("tests/variants.txt").expect("tests/variants.txt");
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |index: usize| {
            words[index].parse::<u64>().unwrap_or_else(|error| panic!("{line}: {error}"))
        };
        let variant =
            Variant { name: words[0].to_owned(), options: Vec::new(), plies: number(1) as usize };
        (variant, number(2) as u32, number(3))
    };
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(row).collect()
}

#[test]
fn engine_and_reference_agree_on_variants_of_files() {
    let listed = |variant: Variant| Variant { options: few_moves(&variant.name), ..variant };
    agree_on(tweaked().into_iter().map(|(variant, ..)| listed(variant)).collect());
}

#[test]
fn variants_of_files_have_their_counts_and_come_to_an_end() {
    let rows = tweaked();
    let is_variant = |name: &String| {
        std::fs::read_to_string(rules_file(name)).is_ok_and(|text| text.starts_with("(variant-of"))
    };
    let mut named: Vec<String> =
        ["games", "tests/games"].into_iter().flat_map(files).filter(is_variant).collect();
    let mut counted: Vec<String> = rows.iter().map(|(variant, ..)| variant.name.clone()).collect();
    named.sort_unstable();
    counted.sort_unstable();
    assert_eq!(named, counted, "every variant has a row");
    for (variant, depth, count) in rows {
        let game = load(&variant);
        let start = game.begin().expect("a first position");
        assert_eq!(game.perft(&start, depth).expect("an end"), count, "{variant}");
        let mut playouts = game.playouts(&start);
        for seed in 0..3 {
            playouts
                .play(seed, 2000)
                .unwrap_or_else(|fault| panic!("{variant}: {}", fault.message));
        }
    }
}
