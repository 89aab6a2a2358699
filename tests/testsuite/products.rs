//! Choices that nothing relates to each other: their moves are a product, which is counted and
//! sampled without being listed.

use crate::generator::generate;
use crate::together::{legal, start};
use ludwright::compile::op::Code;
use ludwright::compile::program::{ParameterSource, Program};
use ludwright::engine::game::{CodeQuality, JitPolicy, State};

/// What makes the move sets of a program products.
#[derive(Debug, Default, PartialEq)]
struct Products {
    sites: usize,
    numbers: usize,
    together: usize,
}

fn products(program: &Program) -> Products {
    let count = |such: &dyn Fn(usize) -> bool| {
        let all = 0..program.code.len();
        all.filter(|&at| program.code[at].code == Code::AddMoveSet && such(at)).count()
    };
    let factors = |at: usize| &program.code[at - usize::from(program.code[at].x)..at];
    let is_number = |at: usize, prefix: u8| {
        let sources = &program.specializations[usize::from(program.code[at].b)].sources;
        let source = |source: &ParameterSource| match source {
            ParameterSource::PrefixNumber(known, _) => *known == prefix,
            _ => false,
        };
        sources.iter().any(source)
    };
    let each = |at: usize, numbers: bool| {
        let mut factors = factors(at).iter();
        factors.any(|op| op.code == Code::EachPrefix && is_number(at, op.x) == numbers)
    };
    Products {
        sites: count(&|at| each(at, false)),
        numbers: count(&|at| each(at, true)),
        together: count(&|at| factors(at).iter().any(|op| op.code == Code::Together)),
    }
}

/// Counts sequences of plies, interpreted and by machine code. Returns what the products are.
fn counts(moves: &str, expected: &[u64]) -> Products {
    let position = start(moves);
    legal(&position);
    let game = position.game();
    for policy in [JitPolicy::Never, JitPolicy::AfterPlies(1), JitPolicy::Auto] {
        game.set_jit_policy(policy);
        let begun = game.begin().expect("a start");
        for (depth, &count) in (1..).zip(expected) {
            assert_eq!(game.perft(&begun, depth), Ok(count), "{moves}, {depth}, {policy:?}");
        }
    }
    products(game.program())
}

/// Of the nine sites, White has the first row, Black the last one, and the middle one is empty.
#[test]
fn independent_choices_are_counted_as_products() {
    // White's man, an empty site and Black's man: each time there is one man less to be removed.
    let found = counts(
        "(move go (from s (mine)) (to t (empty)) (at u (theirs)) (relocate s t) (remove u))",
        &[27, 27 * (2 * 4 * 3), 27 * 24 * (2 * 5 * 2), 27 * 24 * 20 * (6 * 2)],
    );
    assert_eq!(found, Products { sites: 2, ..Products::default() });
    // A number that only an effect needs.
    let found = counts(
        "(move go (to t (empty)) (number n 1 5) (if (> n 2) (put Man t) (else (put Wall t))))",
        &[15, 15 * 10, 15 * 10 * 5, 0],
    );
    assert_eq!(found, Products { numbers: 2, ..Products::default() });
    // Numbers only: the last one is the member of the move set.
    let found = counts(
        "(move go (number m 1 3) (number n 2 5) (number k 0 1) (put Man (if (> (+ m n k) 4) a2 (else b2)) White))",
        &[24, 24 * 24],
    );
    assert_eq!(found, Products { numbers: 2, ..Products::default() });
    // A step from site to site beside an independent choice; a1, b1 and c1 each lead north.
    let found = counts(
        "(move go (from s (mine)) (to t (and (beside s) (empty))) (at u (theirs)) (relocate s t) (remove u))",
        &[9],
    );
    assert_eq!(found, Products { sites: 8, ..Products::default() });
}

#[test]
fn requirements_on_one_choice_are_folded_into_its_values() {
    // Only a1 and b1 are beside a site of column a that is not the site itself.
    let found = counts(
        "(move go (from s (mine)) (to t (empty)) (require (in s (or (column \"a\") (column \"b\")))) (require (not (in t (column \"c\")))) (relocate s t))",
        &[2 * 2],
    );
    assert_eq!(found, Products { sites: 2, ..Products::default() });
    // Each site in a variable of its own is still one choice.
    let found = counts(
        "(move go (from s (mine)) (to t (empty)) (let near (beside s)) (require (any (and near (column \"b\")))) (put Wall t) (remove s))",
        &[9],
    );
    assert_eq!(found, Products { sites: 2, ..Products::default() });
    // What relates two choices leaves the third one a factor.
    let found = counts(
        "(move go (from s (mine)) (to t (empty)) (at u (theirs)) (require (!= s u)) (require (in t (beside s))) (remove u))",
        &[9],
    );
    assert_eq!(found, Products::default());
    let found = counts(
        "(move go (at u (theirs)) (from s (mine)) (to t (empty)) (require (in t (beside s))) (remove u))",
        &[9],
    );
    assert_eq!(found, Products { sites: 2, ..Products::default() });
}

#[test]
fn sites_that_are_chosen_together_are_combinations() {
    let found = counts(
        "(move go (at s t (empty)) (at u (mine)) (put Wall (sites s t)) (remove u))",
        &[3 * 3, 3 * 3 * 3],
    );
    let both = Products { sites: 2, together: 2, ..Products::default() };
    assert_eq!(found, both);
    // Three of the nine sites, then of the six that are left.
    let found = counts(
        "(move go (number n 0 1) (at s t u (where x everywhere (not (in x (pieces Wall))))) (put Wall (sites s t u)))",
        &[2 * 84, 2 * 84 * 2 * 20, 2 * 84 * 2 * 20 * 2, 0],
    );
    let both = Products { numbers: 2, together: 2, ..Products::default() };
    assert_eq!(found, both);
    // A requirement on one of them makes their order matter.
    let found = counts(
        "(move go (at s t (empty)) (require (not (in s (column \"a\")))) (put Wall (sites s t)))",
        &[1],
    );
    assert_eq!(found, Products::default());
}

#[test]
fn moves_that_can_be_illegal_are_no_product() {
    for moves in [
        // After an effect; within `then`; with more combinations than are listed.
        "(move go (from s (mine)) (to t (empty)) (relocate s t) (require (any (and (beside t) (theirs)))))",
        "(move go (from s (mine)) (to t (empty)) (relocate s t) (then (at u (theirs)) (remove u)))",
    ] {
        assert_eq!(products(start(moves).game().program()), Products::default(), "{moves}");
        legal(&start(moves));
    }
}

#[test]
fn products_have_a_limit() {
    let game = |size: usize, choices: &str| {
        let text = format!(
            "(game \"Wide\" (players White Black) (board (square {size})) (piece Man)
               (move go {choices} (put Man s)) (play (turns (choose go))))"
        );
        ludwright::load(text.as_str(), &[]).expect("a game")
    };
    let pairs = game(20, "(at s (empty)) (at t (empty))");
    assert_eq!(products(pairs.program()).sites, 2);
    assert_eq!(pairs.perft(&pairs.begin().expect("a start"), 1), Ok(400 * 400));
    let triples = |size: usize| game(size, "(at s (empty)) (at t (empty)) (at u (empty))");
    assert_eq!(products(triples(12).program()).sites, 2);
    // Listed, these are 160,000 move sets.
    assert_eq!(products(triples(20).program()).sites, 0);
}

/// Random games are those of the interpreter, which lists every move, one for one.
#[test]
fn samples_of_products_are_numbered_as_the_moves_are_listed() {
    for (verbs, moves) in [
        (
            "go",
            "(move go (from s (mine)) (to t (empty)) (at u (theirs)) (number n 1 3) (relocate s t) (if (> n 1) (remove u)))",
        ),
        (
            "go change",
            "(move go (at s t u (not (pieces Wall))) (at v (mine)) (put Wall (sites s u)) (remove v))
             (move change (number n 1 4) (number m 1 2) (if (> n m) (remove a1)))",
        ),
        (
            "go back",
            "(move go (number n 2 4) (at s t (empty)) (put Man s) (if (= n 3) (put Wall t)))
             (move back (from s (mine)) (to t (and (beside s) (empty))) (at u (theirs)) (relocate s t) (remove u))",
        ),
    ] {
        let position = start_choosing(moves, verbs);
        assert_ne!(products(position.game().program()), Products::default());
        legal(&position);
        let again = start_choosing(moves, verbs);
        let (slow, fast) = (position.game(), again.game());
        slow.set_jit_policy(JitPolicy::Never);
        fast.set_code_quality(CodeQuality::Quick);
        fast.jit_compile();
        let starts = [slow, fast].map(|game| game.begin().expect("a start"));
        let (mut one, mut other) = (slow.playouts(&starts[0]), fast.playouts(&starts[1]));
        for seed in 0..200 {
            for plies in [1, 2, 5, 300] {
                assert_eq!(one.play(seed, plies), other.play(seed, plies), "{moves}, {seed}");
                assert_eq!(one.position(), other.position(), "{moves}, {seed}, {plies}");
            }
        }
    }
}

fn start_choosing(moves: &str, verbs: &str) -> State {
    let position = start("(move go (at s (empty)) (put Man s))");
    let text = position.game().rules().source();
    let text = text
        .replace("(move go (at s (empty)) (put Man s))", moves)
        .replace("(choose go ", &format!("(choose {verbs} "));
    ludwright::load(text.as_str(), &[]).expect("a game").begin().expect("a start")
}

/// Within `steps` a ply can be rejected although it meets all requirements of its move.
#[test]
fn products_within_steps_are_looked_ahead() {
    let position = start_choosing(
        "(move go (from s (mine)) (to t (empty)) (relocate s t) (if (in t (column \"a\")) (remove t)))",
        "go",
    );
    let text = position.game().rules().source();
    let text = text.replace(
        "(choose go (otherwise (draw)))",
        "(steps 2 (choose go) (so-that (any (and (mine) (row 2)))))",
    );
    let game = ludwright::load(text.as_str(), &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_ne!(products(game.program()), Products::default());
    let position = game.begin().expect("a start");
    legal(&position);
}

#[test]
fn generated_games_have_products() {
    let mut all = Products::default();
    for seed in 0..400 {
        let game = ludwright::load(generate(seed).text.as_str(), &[]).expect("a game");
        let Products { sites, numbers, together } = products(game.program());
        all.sites += usize::from(sites > 0);
        all.numbers += usize::from(numbers > 0);
        all.together += usize::from(together > 0);
    }
    println!("of 400 generated games: {all:?}");
    assert!(all.sites >= 5 && all.numbers >= 5 && all.together >= 3, "{all:?}");
}
