//! What the evaluation observes of the rules' definitions, against the reference interpreter.

use crate::evaluate::{all_games, kinds, positions};
use crate::support::load;
use ludwright::engine::game::State;
use ludwright::language::rules::{PlayerId, Value as Body};
use ludwright::learn::observations::{Found, Observation};
use ludwright::learn::{Features, Scratch};
use ludwright::reference::{Interpreter, ONE, Value, Variables, View};

/// Games whose definitions are observed: conditions and numbers at sites, regions, numbers, what
/// depends on the player to act, and sites that are cut out.
const GAMES: [&str; 5] = ["chess", "double-move-situ", "lichen-chess", "connect-four", "outlast"];

/// Evaluates the definition of an observation, at a site if it has such a parameter.
fn expected(position: &State, observation: Observation, site: Option<Value>) -> Value {
    let player = observation.player.unwrap_or(PlayerId(0));
    expected_of(position, observation, player, site)
}

/// Evaluates it for a player.
fn expected_of(
    position: &State,
    observation: Observation,
    player: PlayerId,
    site: Option<Value>,
) -> Value {
    let rules = position.game().rules();
    let definition = &rules.definitions[observation.definition.index()];
    let interpreter = Interpreter::at(position);
    let view = interpreter.view();
    let mut view = View { variables: Variables::default(), mover: player, ..view.clone() };
    // What is not written in the file, such as who has dropped out, is asked of a player.
    let kinds = kinds(rules, &definition.name, &definition.parameters).unwrap_or_default();
    for (index, &parameter) in definition.parameters.iter().enumerate() {
        let value = match kinds.get(index).map_or("player", String::as_str) {
            "player" => Value::Player(player),
            "site" => site.clone().expect("a site"),
            other => panic!("{}: a parameter of type {other}", definition.name),
        };
        view = view.with(parameter, value);
    }
    view.value(&definition.body)
}

#[test]
fn definitions_are_observed_as_the_reference_works_them_out() {
    let (mut games, mut sites, mut numbers, mut leads) = (0, 0, 0, 0);
    let defining = all_games().into_iter().filter(|variant| GAMES.contains(&&*variant.name));
    for variant in defining {
        let game = load(&variant);
        let features = Features::new(&game);
        assert!(!features.observations.all.is_empty(), "{variant}");
        games += 1;
        let rules = game.rules();
        positions(&game, |position| {
            let mut scratch = Scratch::new(&features, &position.position());
            scratch.look(&position.position());
            for &(observation, register) in &features.observations.all {
                let definition = &rules.definitions[observation.definition.index()];
                let name = format!("{} of {:?} in {variant}", definition.name, observation.player);
                if observation.found == Found::Number {
                    let expected = match expected(position, observation, None) {
                        Value::Number(number) => (number / ONE) as i64,
                        Value::Condition(holds) => i64::from(holds),
                        other => panic!("{name}: {other:?}"),
                    };
                    assert_eq!(i64::from(scratch.position().number(register)), expected, "{name}");
                    numbers += 1;
                    continue;
                }
                let words = scratch.position().set(register, game.width());
                let snapshot = position.snapshot();
                for site in rules.board.sites().filter(|site| !snapshot.cut.contains(site)) {
                    let (word, bit) = (site.index() / 64, site.index() % 64);
                    let told = words[word] >> bit & 1 == 1;
                    let at = Value::Site(Some(site));
                    let expected = match (&definition.body, observation.found) {
                        (Body::Sites(_), _) => match expected(position, observation, None) {
                            Value::Sites(region) => region.contains(site),
                            other => panic!("{name}: {other:?}"),
                        },
                        (_, Found::Lead(least)) => {
                            leads += 1;
                            let [own, other] =
                                [0, 1].map(PlayerId).map(|player| {
                                    match expected_of(
                                        position,
                                        observation,
                                        player,
                                        Some(at.clone()),
                                    ) {
                                        Value::Number(number) => number,
                                        other => panic!("{name}: {other:?}"),
                                    }
                                });
                            let lead = match observation.player {
                                Some(PlayerId(0)) => own - other,
                                _ => other - own,
                            };
                            lead >= ONE * least as i128
                        }
                        (_, Found::AtLeast(least)) => {
                            let number = expected(position, observation, Some(at));
                            matches!(number, Value::Number(number) if number >= ONE * least as i128)
                        }
                        _ => expected(position, observation, Some(at)) == Value::Condition(true),
                    };
                    assert_eq!(told, expected, "{name} at {}", rules.board.label(site));
                    sites += 1;
                }
            }
        });
    }
    assert!(games == GAMES.len() && sites > 1_000, "{games}, {sites}");
    assert!(numbers > 0 && leads > 500, "{numbers}, {leads}");
}
