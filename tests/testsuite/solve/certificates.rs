//! Certificates: what the solver writes shows the value that it says, and nothing else shows a value.

use crate::generator::small::small_game;
use crate::support::{Variant, load};
use ludwright::engine::game::{Game, State};
use ludwright::engine::position::Outcome;
use ludwright::language::rules::{PlayerId, Statement};
use ludwright::random::Random;
use ludwright::solve::{SolveLimits, Value, certified, prove_certified};
use ludwright::verify::{Certificate, Goal, Refused, Verified, verify};

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    load(&Variant { name: name.to_owned(), options: options.collect(), plies: 0 })
}

fn limits() -> SolveLimits {
    SolveLimits { time: None, positions: Some(300_000), ..SolveLimits::default() }
}

/// Solves a position by exploring everything, or by a proof, and returns what shows its value. `None`
/// if the rules do not end.
fn shown(from: &State, by_proof: bool) -> Option<(Value, Option<Certificate>)> {
    let mut place = None;
    let solution = match by_proof {
        true => prove_certified(from, &limits(), Some(&mut place), &mut |_| true),
        false => certified(from, &limits(), Some(&mut place), &mut |_| true),
    };
    Some((solution.ok()?.value, place))
}

fn check(game: &Game, certificate: &Certificate) -> Result<Verified, Refused> {
    let text = certificate.write(game.rules());
    let again = Certificate::parse(&text, game.rules()).expect("what was written is read");
    verify(game, &again, &mut |_| true)
}

fn outcome(game: &Game, value: Value) -> Outcome {
    match value {
        Value::Win(team) => Outcome::Win(game.rules().teams.first(team)),
        _ => Outcome::Draw,
    }
}

const GAMES: [(&str, &[(&str, &str)]); 7] = [
    ("tic-tac-toe", &[]),
    ("misere-tic-tac-toe", &[]),
    ("kitaran", &[("Size", "3")]),
    ("connect-four", &[("Columns", "4"), ("Rows", "4")]),
    ("hex-with-pie", &[("Size", "3")]),
    ("dodgem", &[]),
    ("kalah", &[("Houses", "2"), ("Start", "2")]),
];

#[test]
fn what_is_solved_is_shown() {
    for (name, options) in GAMES {
        let game = game(name, options);
        let start = game.begin().expect("a position");
        for by_proof in [false, true] {
            let (value, certificate) = shown(&start, by_proof).expect("rules that end");
            // A proof may lead through a position twice.
            if by_proof && certificate.is_none() && name == "dodgem" {
                continue;
            }
            let certificate = certificate.unwrap_or_else(|| panic!("{name}: {value:?}"));
            let verified = check(&game, &certificate)
                .unwrap_or_else(|refused| panic!("{name}, proof {by_proof}: {refused:?}"));
            assert_eq!(verified.value, outcome(&game, value), "{name}");
            let moves: usize = certificate.strategies.iter().map(|one| one.moves.len()).sum();
            assert!(moves > 0 && verified.positions as usize >= moves, "{name}: {verified:?}");
        }
    }
}

/// Writing and checking a certificate take no more memory than there is; the value is known all the
/// same.
#[test]
fn certificates_keep_to_the_memory() {
    let game = game("tic-tac-toe", &[]);
    let start = game.begin().expect("a position");
    for (memory, is_shown) in [(16 << 20, true), (256 << 10, false)] {
        let limits = SolveLimits { memory, ..limits() };
        let mut place = None;
        let solution = prove_certified(&start, &limits, Some(&mut place), &mut |_| true);
        assert_eq!(solution.expect("rules that end").value, Value::Draw, "{memory} bytes");
        assert_eq!(place.is_some(), is_shown, "{memory} bytes");
    }
}

/// Where generated games with cycles, rules of repetition and one to four players have a value that
/// strategies can show, they do.
#[test]
fn values_of_generated_games_are_shown() {
    let mut kinds = [0; 3];
    for seed in 0..160 {
        let text = small_game(seed);
        let Ok(game) = ludwright::load(text.as_str(), &[]) else { continue };
        let Ok(start) = game.begin() else { continue };
        for by_proof in [false, true] {
            let Some((value, certificate)) = shown(&start, by_proof) else { continue };
            if !matches!(value, Value::Win(_) | Value::Draw) || game.rules().teams.count() > 2 {
                assert!(certificate.is_none(), "seed {seed}:\n{text}");
                continue;
            }
            let Some(certificate) = certificate else {
                // A proof may lead through a position twice, and a rule may draw only here.
                let rule = game.rules().repetition.as_ref().map(|rule| &rule.then[0].node);
                let is_plain = matches!(rule, None | Some(Statement::Draw));
                assert!(by_proof || !is_plain, "seed {seed}, {value:?}:\n{text}");
                kinds[2] += 1;
                continue;
            };
            let verified = check(&game, &certificate)
                .unwrap_or_else(|refused| panic!("seed {seed}: {refused:?}\n{text}"));
            assert_eq!(verified.value, outcome(&game, value), "seed {seed}:\n{text}");
            kinds[usize::from(value == Value::Draw)] += 1;
        }
    }
    assert!(kinds[0] > 30 && kinds[1] > 60 && kinds[2] < 20, "{kinds:?}");
}

/// Other claims, other moves and missing ones are refused, or show the same value in another way.
#[test]
fn changed_certificates_show_no_other_value() {
    let mut refused = 0;
    for (name, options) in GAMES {
        let game = game(name, options);
        let start = game.begin().expect("a position");
        let (value, certificate) = shown(&start, false).expect("rules that end");
        let certificate = certificate.expect("a certificate");
        let mut random = Random::new(11);
        for _ in 0..40 {
            let mut changed = certificate.clone();
            let which = random.below(changed.strategies.len() as u32) as usize;
            let strategy = &mut changed.strategies[which];
            let at = random.below(strategy.moves.len() as u32) as usize;
            let other = random.below(strategy.moves.len() as u32) as usize;
            match random.below(5) {
                0 => drop(strategy.moves.remove(at)),
                1 => strategy.moves[at].1 = strategy.moves[other].1.clone(),
                2 => strategy.moves[at].0 ^= 1 << random.below(64),
                3 => {
                    strategy.goal = match strategy.goal {
                        Goal::Win(player) | Goal::Hold(player) => Goal::Win(PlayerId(1 - player.0)),
                        Goal::NoWin => Goal::Win(PlayerId(0)),
                    };
                }
                _ => changed.strategies.truncate(which),
            }
            match check(&game, &changed) {
                Ok(verified) => assert_eq!(verified.value, outcome(&game, value), "{name}"),
                Err(reason) => {
                    assert!(!reason.message.is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

/// A win by going round in circles is none; and a certificate is of one game with its options.
#[test]
fn other_games_and_endless_play_are_refused() {
    let text = |repetition: &str| {
        format!(
            "(game \"Walk\" (players A B) (board (rectangle 3 1)) (piece Stone \"A\" \"B\") (setup (diagram \"A..\"))
            (move go (from s (pieces Stone)) (to t (beside s)) (relocate s t)) {repetition})"
        )
    };
    for (repetition, is_drawn) in
        [("", true), ("(repetition 3 (draw))", true), ("(repetition 3 (lose mover))", false)]
    {
        let game = ludwright::load(text(repetition).as_str(), &[]).expect("a game");
        let start = game.begin().expect("a position");
        let mut certificate = Certificate::new(&start);
        for player in 0..2 {
            let mut moves = Vec::new();
            let mut at = start.clone();
            for _ in 0..6 {
                let legal = at.packed().to_vec();
                if legal.is_empty() {
                    break;
                }
                moves.push((at.hash(), ludwright::notation::spell(game.rules(), &at.legal()[0])));
                at.advance(legal[0]);
            }
            let goal = Goal::Hold(PlayerId(player));
            certificate.strategies.push(ludwright::verify::Strategy { goal, moves });
        }
        let drawn = check(&game, &certificate);
        assert_eq!(drawn.is_ok(), is_drawn, "{repetition}: {drawn:?}");
        certificate.strategies.truncate(1);
        certificate.strategies[0].goal = Goal::Win(PlayerId(0));
        let won = check(&game, &certificate).expect_err("nobody wins");
        assert!(won.message.contains("recurs"), "{won:?}");
        certificate.rules = String::from("0");
        let other = check(&game, &certificate).expect_err("other rules");
        assert_eq!(other.message, "it was made for other rules");
    }
}

#[test]
fn damaged_texts_are_no_certificates() {
    let game = game("tic-tac-toe", &[]);
    let rules = game.rules();
    for (text, line) in [
        ("", 1),
        ("ludwright certificate 2\n", 1),
        ("ludwright certificate 1\nnonsense\n", 2),
        ("ludwright certificate 1\noption: Size\n", 2),
        ("ludwright certificate 1\n\nstrategy: X loses\n", 3),
        ("ludwright certificate 1\n0123 place a1\n", 2),
    ] {
        assert_eq!(Certificate::parse(text, rules).expect_err(text).line, line, "{text}");
    }
}
