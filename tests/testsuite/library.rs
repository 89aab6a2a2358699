//! The library as programs use it: the two programs of `tests/examples` print the right output, and
//! states keep their invariants.

#[path = "../examples/bot.rs"]
mod bot;
#[path = "../examples/variants.rs"]
mod variants;

use ludwright::perft::divide;
use ludwright::playouts::Playouts;
use ludwright::{Game, State, Turn, players::Bot, records::Record};

#[test]
fn the_bot_plays_a_game_to_its_end() {
    let text = bot::play("games/kitaran.game", &[("Size", "3")], 1).expect("it plays");
    assert!(
        text.starts_with("Kitaran: mcts:300it plays for Black\n\n  3 . . .\n  2 . . .\n  1 . . .\n    a b c\n\nBlack to move\n\n1. place "),
        "{text}"
    );
    assert!(
        text.lines().last().is_some_and(|line| line == "The game is over: Black wins"),
        "{text}"
    );
    assert_eq!(bot::play("games/kitaran.game", &[("Size", "3")], 1).ok(), Some(text));
    // Also plays a game with dice.
    let text = bot::play("games/two-dice-swarm.game", &[("Size", "4")], 2).expect("it plays");
    assert!(text.contains("1. roll "), "{text}");
}

#[test]
fn the_explorer_has_a_row_for_every_value() {
    let table = variants::table("tests/games/tic-tac-toe.game", "Size", 200).expect("a table");
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["Size", "X", "O", "draws", "moves"]);
    let sizes = Game::from_file("tests/games/tic-tac-toe.game", &[]).expect("a game").options()[0]
        .values
        .clone();
    assert_eq!(rows[1..].iter().map(|row| row[0]).collect::<Vec<_>>(), sizes);
    for row in &rows[1..] {
        let shares: f64 = row[1..]
            .iter()
            .step_by(2)
            .take(3)
            .map(|share| share.parse::<f64>().expect("a share"))
            .sum();
        assert!((shares - 100.0).abs() < 0.2, "{table}");
    }
}

/// More threads than there are processors are not started, and one is the calling thread.
#[test]
fn any_number_of_threads_gives_the_same() {
    let start = Game::from_file("tests/games/hex.game", &[("Size", "4")]).expect("a game").start();
    let play = |threads| Playouts::new(30).threads(threads).play(&start).expect("rules that end");
    let divided = |threads| divide(&start, 2, threads).expect("rules that end");
    for threads in [0, 2, 100_000, usize::MAX] {
        assert_eq!(play(threads), play(1), "{threads}");
        assert_eq!(divided(threads), divided(1), "{threads}");
    }
    let others = Game::from_file("tests/games/three-player-tic-tac-toe.game", &[]).expect("a game");
    let shares: Vec<f64> = others.players().map(|player| play(1).share(player)).collect();
    assert!((shares[0] + shares[1] - 1.0).abs() < 1e-9);
    assert_eq!(shares[2], 0.0, "Hex has no third player");
}

fn played_at_random(path: &str, moves: usize) -> State {
    let mut state = Game::from_file(path, &[]).expect("a game").start();
    let mut bot = Bot::random(3);
    while state.played().len() < moves
        && let Turn::Player(_) = state.turn()
    {
        let choice = bot.choose(&state).expect("an end").expect("a player is to act");
        state.play(choice.ply).expect("it is legal");
    }
    state
}

#[test]
fn a_state_goes_back_the_way_it_came() {
    for path in ["tests/games/chess.game", "games/kitaran.game", "tests/games/amazons.game"] {
        let mut state = played_at_random(path, 30);
        let record = Record::of(&state);
        let again = record.replay(state.game()).expect("it was played");
        assert_eq!(
            (again.to_string(), again.hash(), again.legal_moves()),
            (state.to_string(), state.hash(), state.legal_moves()),
            "{path}"
        );
        let ahead = state.clone();
        let mut way = Vec::new();
        while let Some(ply) = state.undo() {
            way.push(ply);
            assert!(state.is_legal(ply), "{path}: {}", state.spell(ply));
        }
        assert_eq!(state.hash(), state.game().start().hash(), "{path}");
        assert_eq!(ahead.played().len(), way.len(), "{path}: a clone keeps its own past");
        way.into_iter().rev().for_each(|ply| state.play(ply).expect("it was played"));
        assert_eq!(state.to_string(), ahead.to_string(), "{path}");
    }
}

#[test]
fn every_spelled_move_is_read_again() {
    let state = played_at_random("tests/games/chess.game", 12);
    for ply in state.moves() {
        assert_eq!(state.parse_move(&state.spell(ply)), Ok(ply));
    }
}
