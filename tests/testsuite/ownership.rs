//! What is kept of a game belongs to it: trees, tables, trainings and moves, for all ordered pairs
//! of the games that ship, with their options, and of other games. A searcher that goes from one
//! game to another finds there what a new one finds.

use crate::support::rules_file;
use ludwright::engine::game::{self, GameId, Turn};
use ludwright::learn::{Evaluation, Features, Method, Training};
use ludwright::players::{Bot, Choice, roll};
use ludwright::random::{Random, mix};
use ludwright::search::prover::Prover;
use ludwright::search::strong::Strong;
use ludwright::search::{AlphaBeta, Mcts, SearchLimits, Thinking, learned, roll_with};
use ludwright::{Game, Move, PlayError, State, load_file};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

const ITERATIONS: u64 = 4;
const MEMORY: usize = 1 << 20;

type Pairs = Vec<(String, String)>;

/// The shipped games as they are and with the first value of each option, and some others.
fn files() -> Vec<(PathBuf, Pairs)> {
    let mut files = Vec::new();
    let mut paths: Vec<PathBuf> = std::fs::read_dir("games")
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "game"))
        .collect();
    paths.sort();
    for path in paths {
        files.push((path.clone(), Vec::new()));
        for option in Game::from_file(&path, &[]).expect("a game").options() {
            let first = option.values[0].clone();
            if first != option.default {
                files.push((path.clone(), vec![(option.name, first)]));
            }
        }
    }
    files.extend(others());
    files
}

fn others() -> Vec<(PathBuf, Pairs)> {
    let games = [
        ("tic-tac-toe", None),
        ("misere-tic-tac-toe", None),
        ("three-player-tic-tac-toe", None),
        ("hex", Some(("Size", "3"))),
        ("hex", Some(("Size", "5"))),
        ("hex-with-pie", Some(("Size", "3"))),
        ("breakthrough", Some(("Size", "5"))),
        ("connect-four", None),
        ("go", None),
        ("peg-solitaire", None),
    ];
    let file = |(name, option): (&str, Option<(&str, &str)>)| {
        let option = option.map(|(key, value)| (key.to_owned(), value.to_owned()));
        (rules_file(name), option.into_iter().collect())
    };
    games.into_iter().map(file).collect()
}

/// All of them, loaded once for all tests.
fn games() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| files().iter().map(|(path, options)| load(path, options)).collect())
}

fn load(path: &Path, options: &Pairs) -> Game {
    let options: Vec<(&str, &str)> =
        options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    Game::from_file(path, &options).expect("a game")
}

/// Starts a game, and rolls the dice that come first; after some rolls, others follow.
fn start(game: &Game) -> State {
    let mut state = game.start();
    for seed in 0.. {
        let Some(rolled) = roll(&state, seed) else { break };
        state.play(rolled).expect("a legal roll");
    }
    state
}

/// Calls a function for two numbers of each ordered pair, one after the other.
fn in_pairs(count: usize, mut visit: impl FnMut(usize)) {
    let mut last = usize::MAX;
    for one in 0..count {
        for other in (0..count).filter(|&other| other != one) {
            for number in [one, other] {
                if number != last {
                    visit(number);
                }
                last = number;
            }
        }
    }
}

fn choose(bot: &mut Bot, state: &State) -> Option<Choice> {
    bot.choose(state).expect("rules that end")
}

#[test]
fn a_bot_begins_anew_with_another_game() {
    let starts: Vec<State> = games().iter().map(start).collect();
    let new = || Bot::iterations(ITERATIONS, 1).with(1, MEMORY);
    let fresh: Vec<_> = starts.iter().map(|state| choose(&mut new(), state)).collect();
    let mut bot = new();
    in_pairs(starts.len(), |number| {
        let state = &starts[number];
        assert_eq!(choose(&mut bot, state), fresh[number], "{:?}", state.game());
    });
}

/// The same rules with the same options are one game, however often they are loaded.
#[test]
fn a_game_that_is_loaded_twice_is_one_game() {
    let [one, other] = [(), ()].map(|()| load(&rules_file("hex"), &Vec::new()).start());
    let second = |state: &State| {
        let mut bot = Bot::iterations(100, 1).with(1, MEMORY);
        choose(&mut bot, &one);
        choose(&mut bot, state)
    };
    assert_eq!(second(&other), second(&one));
    let mut other = other;
    other.play(one.legal_moves()[7]).expect("a move of the same game");
}

#[test]
fn moves_of_another_game_are_refused() {
    let games = games();
    let mut starts: Vec<State> = games.iter().map(start).collect();
    let some = |state: &State| {
        let mut later = state.clone();
        let mut plies = [state.moves().next(), state.moves().next_back()].to_vec();
        for _ in 0..2 {
            let middle = later.moves().nth(later.moves().len() / 2);
            plies.push(middle);
            if let Some(ply) = middle {
                later.play(ply).expect("rules that end");
            }
        }
        plies.push(later.moves().next_back());
        plies.into_iter().flatten().collect::<Vec<Move>>()
    };
    let plies: Vec<Vec<Move>> = starts.iter().map(some).collect();
    for (number, plies) in plies.iter().enumerate() {
        assert!(plies.iter().all(|ply| ply.is_of(&games[number])));
        for (other, state) in starts.iter_mut().enumerate().filter(|(other, _)| *other != number) {
            let before = (state.hash(), state.played().len());
            for &ply in plies {
                let which = (&games[number], &games[other]);
                assert!(!ply.is_of(&games[other]) && !state.is_legal(ply), "{which:?}");
                assert_eq!(state.play(ply), Err(PlayError::OtherGame), "{which:?}");
                assert_eq!(state.spell(ply), "(a move of another game)", "{which:?}");
            }
            assert_eq!((state.hash(), state.played().len()), before);
        }
    }
    assert!(starts.iter().all(|state| state.parse_move("(a move of another game)").is_err()));
}

/// A position that a player has to act in, of the engine's game.
fn position(game: &game::Game) -> game::State {
    let mut position = game.begin().expect("a start");
    while let Some(rolled) = roll_with(&position, position.plies().len() as u64) {
        position.play(&rolled).expect("a legal roll");
    }
    position
}

fn within(iterations: u64) -> SearchLimits<'static> {
    SearchLimits { iterations: Some(iterations), ..SearchLimits::default() }
}

fn timeless(thinking: Thinking) -> Thinking {
    Thinking { seconds: 0.0, ..thinking }
}

fn person(position: &game::State) -> ludwright::language::rules::PlayerId {
    let Turn::Player(person) = position.personal_turn() else { panic!("a player is to act") };
    person
}

#[test]
fn what_was_proven_is_not_taken_to_another_game() {
    let positions: Vec<game::State> = others()
        .iter()
        .map(|(path, options)| position(&load_file(path, options).expect("a game")))
        .collect();
    let prove = |prover: &mut Prover, position: &game::State| {
        prover.prove_from(position, person(position), &within(60)).expect("rules that end")
    };
    let new = || Prover::new(1 << 16);
    let fresh: Vec<_> = positions.iter().map(|position| prove(&mut new(), position)).collect();
    let mut prover = new();
    in_pairs(positions.len(), |number| {
        let position = &positions[number];
        let title = &position.game().rules().title;
        assert_eq!(prove(&mut prover, position), fresh[number], "{title}");
    });
}

/// With small games, whose features are found quickly.
#[test]
fn a_training_fits_its_game_alone() {
    let games: Vec<game::Game> = others()
        .iter()
        .map(|(path, options)| load_file(path, options).expect("a game"))
        .filter(|game| !["Go", "Connect Four"].contains(&game.rules().title.as_str()))
        .collect();
    let ids: HashSet<GameId> = games.iter().map(game::Game::id).collect();
    assert_eq!(ids.len(), games.len());
    let evaluation = |game: &game::Game| {
        let features = Arc::new(Features::new(game));
        let mut random = Random::new(1);
        let draw = |_| random.below(1_000) as f32 / 1_000.0 - 0.5;
        let weights = (0..features.all_weights()).map(draw).collect();
        Arc::new(Evaluation::new(features, weights))
    };
    let evaluations: Vec<Arc<Evaluation>> = games.iter().map(evaluation).collect();
    let positions: Vec<game::State> = games.iter().map(position).collect();
    let methods = [Method::AlphaBeta, Method::Tree, Method::Leaves];
    let strong = |number: usize, method: Method| {
        Strong::new(Arc::clone(&evaluations[number]), method, MEMORY)
    };
    let think = |strong: &mut Strong, mcts: &mut Mcts, number: usize| {
        strong.think(mcts, &positions[number], 1, &within(40)).map(timeless)
    };
    let message = "the training is of another game, or of this one with other options";
    for (index, &method) in methods.iter().enumerate() {
        let new = || Mcts::new(1, MEMORY);
        let fresh: Vec<_> = (0..games.len())
            .map(|number| think(&mut strong(number, method), &mut new(), number))
            .collect();
        assert!(fresh.iter().all(Result::is_ok));
        let mut mcts = new();
        let mut last = mix(1, index as u64) as usize % games.len();
        in_pairs(games.len(), |number| {
            if last != number {
                let refused = think(&mut strong(last, method), &mut mcts, number);
                assert_eq!(refused.expect_err("another game").message, message);
            }
            last = number;
            assert_eq!(think(&mut strong(number, method), &mut mcts, number), fresh[number]);
        });
    }
    // Each way to use it by itself.
    let (own, other) = (&evaluations[0], &positions[1]);
    let mut alpha_beta = AlphaBeta::new(Arc::clone(own), MEMORY);
    let refused = alpha_beta.think(other, 1, &within(10)).expect_err("another game");
    assert_eq!(refused.message, message);
    let refused = learned::choose(other, own, 1, &within(10)).expect_err("another game");
    assert_eq!(refused.message, message);
    let mut mcts = Mcts::new(1, MEMORY);
    mcts.search_by(Method::Leaves.into(), own);
    let refused = mcts.think(other, 1, &within(10), &mut |_| true).expect_err("another game");
    assert_eq!(refused.message, message);
    let limits = crate::learning::limits(&games[1], 1);
    let mut training = Training::new(&games[1], Arc::clone(&own.features), 1);
    let refused = training.run(&limits, &mut |_| true).expect_err("another game");
    assert_eq!(refused.message, message);
}
