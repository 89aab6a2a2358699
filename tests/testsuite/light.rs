//! The value of an expression of the rules at a cursor: at every word and bracket of every game
//! there is one, or a reason why there is none; and it is what the reference interpreter says.

use crate::support::{files, rules_file};
use ludwright::board::Site;
use ludwright::engine::game::{Game, State};
use ludwright::evaluate::{AtCursor, Evaluation, Expression as Expressed, at_cursor};
use ludwright::language::rules::{Domain, Rules};
use ludwright::language::visit::{Composite, Expression};
use ludwright::load_file;
use ludwright::notation::read;
use ludwright::random::Random;
use ludwright::reference::{ONE, Value};
use ludwright::syntax::{Node, parse};
use std::time::{Duration, Instant};

/// The most that one answer about a game that ships may take, with hardly any optimization and on a
/// busy machine.
const LIMIT: Duration = Duration::from_secs(1);

/// Plays some random plies.
fn later(game: &Game, plies: usize) -> State {
    let mut position = game.begin().expect("a start");
    let mut random = Random::new(7);
    for _ in 0..plies {
        let legal = position.legal();
        if legal.is_empty() {
            break;
        }
        let ply = legal[random.below(legal.len() as u32) as usize].clone();
        position.play(&ply).expect("a legal move");
    }
    position
}

/// Lists the starts of all words and forms.
fn places(nodes: &[Node], found: &mut Vec<usize>) {
    for node in nodes {
        found.push(node.span.start);
        places(node.as_form().unwrap_or_default(), found);
    }
}

/// Lists the expressions of the parts that have values in a position.
fn expressions(rules: &Rules) -> Vec<Expression<'_>> {
    let domains = rules.moves.iter().flat_map(|rule| &rule.parameters);
    let domains = domains.flat_map(|parameter| Domain::parts(&parameter.domain));
    let bodies = rules.definitions.iter().filter_map(|definition| definition.body.expression());
    let mut left: Vec<Expression> = domains.chain(bodies).collect();
    left.extend(rules.statements().flat_map(|statement| statement.node.parts()));
    let mut all = Vec::new();
    while let Some(expression) = left.pop() {
        all.push(expression);
        left.extend(expression.parts());
        left.extend(expression.binder().into_iter().flat_map(|binder| binder.domain.parts()));
    }
    all
}

#[test]
fn every_expression_of_every_game_has_a_value_or_a_reason() {
    let folders = ["games", "tests/games"];
    let (mut answers, mut reasons, mut slowest) = (0, 0, (Duration::ZERO, String::new()));
    let named = folders
        .into_iter()
        .flat_map(|folder| files(folder).into_iter().map(move |name| (folder, name)));
    for (folder, name) in named {
        let Ok(game) = load_file(&rules_file(&name), &[]) else { continue };
        let rules = game.rules();
        let own = rules.files.text_of(0);
        let mut cursors = Vec::new();
        places(&parse(own).forms, &mut cursors);
        // All places of the shipped games, every third one of the others.
        let every = if folder == "games" { 1 } else { 3 };
        let cursors: Vec<usize> = cursors.into_iter().step_by(every).collect();
        let positions = [later(&game, 0), later(&game, 9)];
        for position in &positions {
            let site = rules.board.sites().nth(rules.board.len() / 2);
            for &cursor in &cursors {
                let began = Instant::now();
                let found = at_cursor(position, rules.files.byte_of(0, cursor), site);
                let time = began.elapsed();
                if time > slowest.0 && folder == "games" {
                    let text: String = own[cursor..].chars().take(40).collect();
                    slowest = (time, format!("{name}: {text}"));
                }
                match found {
                    Ok(found) => {
                        answers += 1;
                        assert!(!found.text.is_empty(), "{name} at {cursor}");
                        let byte = rules.files.byte_of(0, cursor);
                        assert!(found.span.start <= byte && byte < found.span.end);
                    }
                    Err(reason) => {
                        reasons += 1;
                        assert!(!reason.is_empty(), "{name} at {cursor}");
                    }
                }
            }
            let is_last = std::ptr::eq(position, &positions[1]);
            for expression in expressions(rules).into_iter().filter(|_| is_last) {
                let span = expression.span();
                if span.start < span.end {
                    let found = at_cursor(position, span.start, None);
                    assert!(
                        found.is_ok() || found == Err(ludwright::evaluate::TOO_LONG.to_owned()),
                        "{name}: `{}`: {found:?}",
                        span.text(rules.source())
                    );
                }
            }
        }
    }
    println!("{answers} values, {reasons} reasons; slowest {:?}, {}", slowest.0, slowest.1);
    // Titles, boards, pieces, options, statements and claims are about half of what is written.
    assert!(answers > 2_500, "{answers} values, {reasons} reasons");
    assert!(slowest.0 < LIMIT, "{slowest:?}");
}

/// A definition about a site is shown as the same expression is evaluated that is typed at the
/// prompt.
#[test]
fn definitions_have_the_values_that_the_prompt_tells() {
    let mut compared = 0;
    for name in ["games", "tests/games"].iter().flat_map(|folder| files(folder)) {
        let Ok(game) = load_file(&rules_file(&name), &[]) else { continue };
        let rules = game.rules();
        let position = later(&game, 9);
        for definition in &rules.definitions {
            let ([_], Some(body)) = (&definition.parameters[..], definition.body.expression())
            else {
                continue;
            };
            let typed = Expressed::parse(&game, &format!("({} s)", definition.name));
            let Some(told) = typed.ok().and_then(|typed| typed.evaluate(&position).ok()) else {
                continue;
            };
            let Ok(found) = at_cursor(&position, body.span().start, None) else { continue };
            let site = |value: &Value| match value {
                Value::Site(site) => *site,
                _ => None,
            };
            let expected: Vec<(Site, String)> = match &told {
                Evaluation::Holds { values, .. } => {
                    values.iter().filter_map(|value| Some((site(value)?, String::new()))).collect()
                }
                Evaluation::Each { values, .. } => {
                    let at = |(at, value): &(Value, Value)| {
                        let text = match value {
                            Value::Number(number) => (*number / ONE).to_string(),
                            Value::Sites(region) => region.list().len().to_string(),
                            _ => return None,
                        };
                        Some((site(at)?, text))
                    };
                    values.iter().filter_map(at).collect()
                }
                _ => continue,
            };
            // What does not depend on the site is shown once.
            let shown: Vec<(Site, String)> = match found.kind {
                "condition" if found.text.contains(" sites ") => {
                    found.sites.iter().flatten().map(|&site| (site, String::new())).collect()
                }
                "number" | "region" if !found.at_sites.is_empty() => found.at_sites.clone(),
                _ => continue,
            };
            assert_eq!(shown, expected, "{name}: {} ({})", definition.name, found.text);
            compared += 1;
        }
    }
    println!("{compared} definitions");
    assert!(compared > 10, "{compared} definitions");
}

/// Points at the nth occurrence of a text in the rules of a game, after some plies.
fn point(game: &str, plies: &[&str], text: &str, pointed: Option<&str>) -> (State, AtCursor) {
    let game = load_file(&rules_file(game), &[]).expect("a game");
    let mut position = game.begin().expect("a start");
    for ply in plies {
        let ply = read(&position, ply).expect("a legal move");
        position.play(&ply).expect("a legal move");
    }
    let place = game.rules().source().find(text).expect("it is there");
    let site = pointed.map(|label| game.rules().board.find(label).expect("a site"));
    let found = at_cursor(&position, place, site).expect("a value");
    (position, found)
}

fn labels(position: &State, found: &AtCursor) -> String {
    let board = &position.game().rules().board;
    let sites = found.sites.iter().flatten().map(|&site| board.label(site));
    sites.collect::<Vec<&str>>().join(" ")
}

#[test]
fn regions_conditions_and_numbers_are_shown_on_the_board() {
    let plies = ["place c3", "move c3-c4", "place c3", "move c4-d4", "place b3"];
    // The region of a definition, at the site under the mouse.
    let (position, found) = point("cicada", &plies, "(group t (pieces", Some("c3"));
    assert_eq!((labels(&position, &found).as_str(), found.kind), ("b3 c3", "region"));
    assert!(found.text.ends_with("for t = c3"), "{}", found.text);
    // Without a mouse: all such regions, and the size of each.
    let (position, found) = point("cicada", &plies, "(group t (pieces", None);
    assert_eq!(labels(&position, &found), "b3 c3 d4");
    assert_eq!(found.at_sites.len(), 25);
    assert_eq!(found.at_sites.iter().filter(|(_, size)| size == "2").count(), 2);
    // After an effect, the position of each move counts: of those to c4, one joins two nymphs and
    // two join three.
    let (position, found) = point("cicada", &plies, "(count (Group t)) Molt)", None);
    let c4 = position.game().rules().board.find("c4");
    let at = found.at_sites.iter().find(|(site, _)| Some(*site) == c4);
    assert_eq!(at.map(|(_, text)| text.as_str()), Some("2–3"), "{found:?}");
    assert!(found.text.ends_with("as each move reaches it"), "{}", found.text);
    let (_, found) = point("cicada", &plies, "(<= (count (Group t)) Molt)", None);
    assert_eq!(found.kind, "condition");
    assert!(found.text.starts_with("holds for all"), "{}", found.text);
    // Two sites: the first is the one under the mouse.
    let (position, found) = point("cicada", &plies, "(and (beside s all) (empty))", Some("d4"));
    assert_eq!(labels(&position, &found), "d3 e3 c4 e4 c5 d5 e5");
}
