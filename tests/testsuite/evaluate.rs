//! Expressions typed apart from the rules, against the reference interpreter on every game: what
//! holds for a free variable equals what is asked value by value.

use crate::support::{Variant, files, load, published, variants};
use ludwright::diagnostics::Style;
use ludwright::engine::game::{Game, State};
use ludwright::evaluate::{Evaluation, Expression};
use ludwright::language::rules::{Local, PieceId, PlayerId, Rules, Value as Body};
use ludwright::notation::read;
use ludwright::random::Random;
use ludwright::reference::{Interpreter, ONE, Value};
use std::time::{Duration, Instant};

/// Positions tried of each game.
const POSITIONS: usize = 2;
/// Plies between them.
const PLIES: usize = 9;

/// A parameter's values, with how they are spelled in an expression.
fn values(rules: &Rules, kind: &str) -> Vec<(String, Value)> {
    let board = &rules.board;
    match kind {
        "site" => board
            .sites()
            .map(|site| (board.label(site).to_owned(), Value::Site(Some(site))))
            .collect(),
        "direction" => board
            .all()
            .iter()
            .map(|&one| (one.name().to_owned(), Value::Direction(Some(one))))
            .collect(),
        "player" => (0..rules.players.len())
            .map(|index| (rules.players[index].name.clone(), Value::Player(PlayerId(index as u16))))
            .collect(),
        "piece" => (0..rules.pieces.len())
            .map(|index| {
                (rules.pieces[index].name.clone(), Value::Piece(Some(PieceId(index as u16))))
            })
            .collect(),
        "number" => (0..=board.len() as i128)
            .map(|number| (number.to_string(), Value::Number(number * ONE)))
            .collect(),
        _ => Vec::new(),
    }
}

/// Finds the kinds of a definition's parameters in its heading, such as `(Near (site t))`.
pub fn kinds(rules: &Rules, name: &str, parameters: &[Local]) -> Option<Vec<String>> {
    let text = rules.source();
    let heading = &text[text.find(&format!("(define ({name} "))?..];
    let kind = |parameter: &Local| {
        let variable = &rules.locals[parameter.index()].name;
        let end = heading.find(&format!(" {variable})"))?;
        Some(heading[..end].rsplit('(').next()?.to_owned())
    };
    parameters.iter().map(kind).collect()
}

/// Compares one free parameter of a definition, the others constant, with its value for each.
/// Returns whether the definition could be asked.
fn compare(game: &Game, position: &State, name: &str, free: usize) -> bool {
    let rules = game.rules();
    let definition = rules.definitions.iter().find(|it| it.name == name).expect("a definition");
    if matches!(definition.body, Body::Statements(_)) {
        return false;
    }
    let Some(kinds) = kinds(rules, name, &definition.parameters) else { return false };
    let all: Vec<Vec<(String, Value)>> = kinds.iter().map(|kind| values(rules, kind)).collect();
    if all.iter().any(Vec::is_empty) {
        return false;
    }
    // The other parameters take a value from the middle.
    let fixed: Vec<&(String, Value)> = all.iter().map(|values| &values[values.len() / 2]).collect();
    let arguments: Vec<&str> = fixed
        .iter()
        .enumerate()
        .map(|(index, (text, _))| if index == free { "zz" } else { text.as_str() })
        .collect();
    let text = format!("({name} {})", arguments.join(" "));
    let expression = Expression::parse(game, &text)
        .unwrap_or_else(|rejected| panic!("{text}: {}", rejected.report(Style::PLAIN)));
    let found = expression.evaluate(position).expect("enough fuel");
    let interpreter = Interpreter::at(position);
    let view = interpreter.view();
    let asked = |value: &Value| {
        let mut inside = ludwright::reference::View {
            variables: ludwright::reference::Variables::default(),
            ..view.clone()
        };
        for (index, (&parameter, (_, other))) in
            definition.parameters.iter().zip(&fixed).enumerate()
        {
            let value = if index == free { value } else { other };
            inside = inside.with(parameter, value.clone());
        }
        inside.value(&definition.body)
    };
    let expected: Vec<(Value, Value)> =
        all[free].iter().map(|(_, value)| (value.clone(), asked(value))).collect();
    let told = match found {
        Evaluation::Each { values, .. } => values,
        Evaluation::Holds { values, of, .. } => {
            assert_eq!(of, expected.len(), "{text}");
            let holds = |value: &Value| Value::Condition(values.contains(value));
            expected.iter().map(|(value, _)| (value.clone(), holds(value))).collect()
        }
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(told, expected, "{text} in {}", rules.title);
    true
}

/// Calls `look` on some positions of a random game.
pub fn positions(game: &Game, mut look: impl FnMut(&State)) {
    let mut position = game.begin().expect("a first position");
    let mut random = Random::new(5);
    for _ in 0..POSITIONS {
        // When the game is over, the order of play has no mover.
        if position.outcome().is_some() {
            return;
        }
        look(&position);
        for _ in 0..PLIES {
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            position.play(&ply).expect("a legal ply");
        }
    }
}

pub fn all_games() -> Vec<Variant> {
    let plain = files("tests/plain/games").into_iter();
    let plain = plain.map(|name| Variant { name, options: Vec::new(), plies: 0 });
    let shipped = variants().into_iter().chain(published());
    shipped.filter(|variant| variant.options.is_empty()).chain(plain).collect()
}

#[test]
fn free_variables_agree_with_the_reference_on_every_definition_of_every_game() {
    let mut asked = 0;
    let mut games = 0;
    for variant in all_games() {
        let game = load(&variant);
        let before = asked;
        let names: Vec<(String, usize)> = game
            .rules()
            .definitions
            .iter()
            .map(|it| (it.name.clone(), it.parameters.len()))
            .collect();
        positions(&game, |position| {
            for (name, parameters) in &names {
                let free = (0..*parameters).filter(|&free| compare(&game, position, name, free));
                asked += free.count();
            }
        });
        games += usize::from(asked > before);
    }
    assert!(asked > 120 && games > 25, "{asked} definitions of {games} games");
}

/// Expressions of the language, with `s` free.
const EXPRESSIONS: [&str; 12] = [
    "(in s (empty))",
    "(any (and (beside s) (mine)))",
    "(some d all (in (step s d) (theirs)))",
    "(count (beside s))",
    "(count (group s (pieces) all))",
    "(walk s all (empty))",
    "(slide s all)",
    "(row s)",
    "(= s (step (step s N) S))",
    "(and (beside s) (pieces))",
    "(every d all (not (in (step s d) (mine))))",
    "(distance s s)",
];

#[test]
fn expressions_agree_with_the_same_written_for_each_site_on_every_game() {
    let mut tried = 0;
    for variant in all_games() {
        let game = load(&variant);
        let board = game.rules().board.clone();
        positions(&game, |position| {
            for text in EXPRESSIONS {
                // Boards differ in their directions.
                let Ok(free) = Expression::parse(&game, text) else { continue };
                let found = free.evaluate(position).expect("enough fuel");
                for site in board.sites().step_by(1 + board.len() / 5) {
                    let bound = text
                        .replace(" s ", &format!(" {} ", board.label(site)))
                        .replace(" s)", &format!(" {})", board.label(site)));
                    let bound = Expression::parse(&game, &bound).expect("the same at a site");
                    let Evaluation::Value(expected) =
                        bound.evaluate(position).expect("enough fuel")
                    else {
                        panic!("{text}: a value");
                    };
                    let at = Value::Site(Some(site));
                    let told = match &found {
                        Evaluation::Holds { values, .. } => Value::Condition(values.contains(&at)),
                        Evaluation::Each { values, .. } => {
                            values.iter().find(|(site, _)| *site == at).expect("each").1.clone()
                        }
                        other => panic!("{text}: {other:?}"),
                    };
                    assert_eq!(told, expected, "{text} at {} in {variant}", board.label(site));
                    tried += 1;
                }
            }
        });
    }
    assert!(tried > 2000, "{tried}");
}

/// A game on 400 sites with groups and rows.
const LARGE: &str = r#"(game "Large" (players Black White) (board (square 20)) (piece Stone)
  (remember Fresh sites)
  (define (Group (site t)) (group t (mine) orthogonal))
  (define (Five (site t))
    (some d (list N NE E SE) (>= (count (walk t (list d (opposite d)) (mine))) 4)))
  (define (Controls (player p) (site t)) (> (count (and (beside t) (of p))) 2))
  (move place (to t (empty)) (put Stone t) (set Fresh t))
  (play (turns (choose place))))"#;

#[test]
fn a_board_of_400_sites_is_evaluated_at_once() {
    let game = ludwright::load(LARGE, &[]).expect("a game");
    let mut position = game.begin().expect("a first position");
    let mut random = Random::new(1);
    for _ in 0..200 {
        let legal = position.legal();
        let ply = legal[random.below(legal.len() as u32) as usize].clone();
        position.play(&ply).expect("a legal ply");
    }
    for text in [
        "(theirs)",
        "(Controls White s)",
        "(count (Group s))",
        "(Five s)",
        "(beside s)",
        "(in s Fresh)",
    ] {
        let best = (0..5)
            .map(|_| {
                let began = Instant::now();
                let expression = Expression::parse(&game, text).expect("an expression");
                expression.evaluate(&position).expect("a value");
                began.elapsed()
            })
            .min()
            .expect("several");
        println!("{text}: {best:?}");
        // The development profile is several times slower than a release.
        assert!(best < Duration::from_millis(100), "{text} takes {best:?}");
    }
}

#[test]
fn what_is_no_expression_is_refused_and_nothing_panics() {
    let game = load(&Variant { name: "kitaran".to_owned(), options: Vec::new(), plies: 0 });
    let mut position = game.begin().expect("a first position");
    position.play(&read(&position, "place b2").expect("a ply")).expect("a legal ply");
    let text = std::fs::read_to_string("games/kitaran.game").expect("a text");
    let words: Vec<&str> = text.split_inclusive([' ', '(', ')', '\n']).collect();
    let odd = ["s", "t", "nowhere", "\"", "é", "\u{0}", "(", ")", "((", "1.5", "99999999999", ";"];
    let mut random = Random::new(3);
    let mut values = 0;
    for _ in 0..3000 {
        let count = random.below(12) + 1;
        let mut text = String::from("(");
        for _ in 0..count {
            let pool: &[&str] = if random.below(4) == 0 { &odd } else { &words };
            text.push_str(pool[random.below(pool.len() as u32) as usize]);
        }
        match Expression::parse(&game, &text) {
            Ok(expression) => {
                if let Ok(found) = expression.evaluate(&position) {
                    found.describe(expression.rules());
                    values += 1;
                }
                let _ = expression.explain(&position);
            }
            Err(rejected) => {
                assert!(!rejected.findings.is_empty(), "{text}");
                rejected.report(Style::PLAIN);
            }
        }
    }
    assert!(values > 0);
}

#[test]
fn endless_work_is_given_up() {
    let game = load(&Variant { name: "kitaran".to_owned(), options: Vec::new(), plies: 0 });
    let position = game.begin().expect("a first position");
    let mut text = "(in t (empty))".to_owned();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        text = format!("(every v{name} (not (mine)) {text})");
    }
    let expression = Expression::parse(&game, &format!("(some t (empty) (not {text}))"));
    let expression = expression.expect("an expression");
    let began = Instant::now();
    assert!(expression.evaluate(&position).is_err());
    assert!(began.elapsed() < Duration::from_secs(20));
}
