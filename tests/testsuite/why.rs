//! Explanations of moves, plies and results in random games: there always is one, it points into
//! the rules, and it agrees with the engine.

use crate::support::{Variant, load, published, variants};
use ludwright::engine::game::{Argument, Move, State};
use ludwright::language::rules::{Domain, MoveId, PieceId};
use ludwright::notation::spell;
use ludwright::random::Random;
use ludwright::why::{Answer, HappeningKind, Reply, RulesPart, Verdict, ask, why_move, why_result};

/// Returns the shipped and the published games with their defaults.
fn games() -> Vec<Variant> {
    let all = variants().into_iter().chain(published());
    all.filter(|variant| variant.options.is_empty()).collect()
}

/// Returns a random well-formed move, legal or not.
fn any_move(position: &State, random: &mut Random) -> Move {
    let rules = position.game().rules();
    let mut one_of = |count: usize| random.below(count as u32) as usize;
    let rule = one_of(rules.moves.len());
    let sites: Vec<_> = rules.board.sites().collect();
    let arguments = rules.moves[rule].parameters.iter().map(|parameter| match &parameter.domain {
        Domain::Directions(_) => {
            Argument::Direction(rules.board.all()[one_of(rules.board.all().len())])
        }
        Domain::Numbers { least, most, .. } => {
            Argument::Number(least - 1 + one_of((most - least + 3) as usize) as i32)
        }
        Domain::Pieces(..) => Argument::Piece(PieceId(one_of(rules.pieces.len()) as u16)),
        _ => Argument::Site(sites[one_of(sites.len())]),
    });
    let arguments = arguments.collect();
    Move { rule: MoveId(rule as u16), arguments }
}

fn points_into_the_rules(position: &State, answer: &Answer, at: &str) {
    let source = position.game().rules().source();
    for span in answer.notes.iter().map(|note| note.span).chain(answer.clause) {
        assert!(!span.text(source).is_empty(), "{at}: {answer:?}");
    }
    assert!(answer.notes.iter().all(|note| !note.text.is_empty()), "{at}: {answer:?}");
}

#[test]
fn every_move_has_its_reason() {
    for variant in games() {
        let game = load(&variant);
        let mut random = Random::new(11);
        let mut position = game.begin().expect("a first position");
        let mut seen = Vec::new();
        for _ in 0..variant.plies.min(60) {
            let legal = position.legal().to_vec();
            if legal.is_empty() {
                break;
            }
            let asked = (0..12).map(|_| any_move(&position, &mut random)).chain([legal[0].clone()]);
            for ply in asked.collect::<Vec<Move>>() {
                let at = format!(
                    "{variant} after {} plies, {}",
                    position.plies().len(),
                    spell(game.rules(), &ply)
                );
                let answer = why_move(&position, &ply);
                assert_eq!(
                    answer.verdict == Verdict::Legal,
                    legal.contains(&ply),
                    "{at}: {answer:?}"
                );
                assert_eq!(
                    answer.clause.is_some(),
                    answer.verdict != Verdict::Legal,
                    "{at}: {answer:?}"
                );
                assert!(!answer.notes.is_empty(), "{at}: {answer:?}");
                points_into_the_rules(&position, &answer, &at);
                seen.push(answer.verdict);
            }
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            position.play(&ply).expect("a legal move");
            let Ok(Reply::Stories(stories)) = ask(&position, "") else {
                panic!("{variant}: a story of each ply")
            };
            let told = stories.iter().find(|story| {
                story.played == spell(game.rules(), position.plies().last().unwrap_or(&ply))
            });
            let clauses = told.map_or(0, |story| story.happenings.len());
            let silent = game.rules().moves[ply.rule.index()].parameters.is_empty()
                && game.rules().moves[ply.rule.index()].body.is_empty();
            assert!(clauses > 0 || silent, "{variant}: {stories:?}");
        }
        assert!(seen.contains(&Verdict::NotOffered), "{variant}: {seen:?}");
    }
}

#[test]
fn every_result_has_its_clause() {
    for variant in games() {
        let game = load(&variant);
        for seed in 0..3 {
            let mut random = Random::new(seed);
            let mut position = game.begin().expect("a first position");
            while !position.legal().is_empty() && position.plies().len() < 300 {
                let ply =
                    position.legal()[random.below(position.legal().len() as u32) as usize].clone();
                position.play(&ply).expect("a legal move");
            }
            if position.outcome().is_none() {
                assert!(why_result(&position).is_err());
                continue;
            }
            let at = format!("{variant}, seed {seed}");
            let answer = why_result(&position).unwrap_or_else(|refused| panic!("{at}: {refused}"));
            points_into_the_rules(&position, &answer, &at);
            assert!(answer.clause.is_some(), "{at}");
            let Ok(Reply::Stories(stories)) = ask(&position, "") else {
                panic!("{at}: a story of the last ply")
            };
            let last = stories
                .last()
                .and_then(|story| story.happenings.last())
                .expect("something happened");
            assert_eq!(
                (last.kind, last.part == RulesPart::Setup),
                (HappeningKind::Result, false),
                "{at}"
            );
        }
    }
}

/// If finding the reason exceeds its limit, the answer says so.
#[test]
fn explanations_are_bounded() {
    let text = r#"(game "Heavy" (players A B) (board (rectangle 32 32)) (piece Stone)
      (move look (at s (empty)) (require (any (where x everywhere (> (count (where y (empty) (in y (beside x)))) 9)))) (put Stone s))
      (move drop (at s (empty)) (put Stone s))
      (play (turns (choose look drop))))"#;
    let game = ludwright::load(text, &[]).expect("a game");
    let position = game.begin().expect("a first position");
    let Ok(Reply::Answers(answers)) = ask(&position, "look a1") else { panic!("an answer") };
    assert_eq!(
        answers[0].message,
        "`look a1` is illegal; finding the clause that forbids it takes too long here"
    );
}
