//! Several sites that are chosen together, in no order.

use ludwright::engine::game::{Game, State};
use ludwright::notation;
use ludwright::reference::{Interpreter, NoopTracer};
use ludwright::solve::symmetry::symmetries;
use ludwright::why;

pub fn start(moves: &str) -> State {
    let text = format!(
        "(game \"Together\" (players White Black) (board (square 3)) (piece Man) (piece Wall unowned)
           (setup (put Man (row 1) White) (put Man (row 3) Black)) {moves}
           (play (turns (choose go (otherwise (draw))))))"
    );
    let game = ludwright::load(text.as_str(), &[]).unwrap_or_else(|error| panic!("{error}"));
    game.begin().expect("a start")
}

/// The legal moves, as the engine, the reference interpreter and both ways of counting have them.
pub fn legal(position: &State) -> Vec<String> {
    let (game, rules) = (position.game(), position.game().rules());
    let legal = notation::legal(position);
    let interpreter = Interpreter::start(rules, &mut NoopTracer).expect("a start");
    let mut listed: Vec<String> =
        interpreter.legal().iter().map(|ply| notation::spell(rules, ply)).collect();
    listed.sort_unstable();
    assert_eq!(legal, listed);
    assert_eq!(game.perft(position, 1), Ok(legal.len() as u64));
    game.jit_compile();
    assert_eq!(game.perft(&game.begin().expect("a start"), 1), Ok(legal.len() as u64));
    legal
}

#[test]
fn every_set_is_chosen_once() {
    let pairs = legal(&start("(move go (at s t (theirs)) (remove (sites s t)))"));
    assert_eq!(pairs, ["go a3 b3", "go a3 c3", "go b3 c3"]);
    let sets = legal(&start("(move go (at s t u (not (row 2))) (remove (sites s t u)))"));
    assert_eq!(sets.len(), 20);
    let sets = legal(&start("(move go (at s t u v everywhere) (remove (sites s t u v)))"));
    assert_eq!(sets.len(), 126);
    // Fewer sites than variables: no move.
    let none = start("(move go (at s t u v (row 1)) (remove s))");
    assert_eq!(none.legal().len(), 0);
}

#[test]
fn requirements_and_later_choices_may_use_the_sites() {
    let moves = legal(&start(
        "(move go (at s t (empty)) (require (any (and (beside s) (sites t)))) (put Wall (sites s t)))",
    ));
    assert_eq!(moves, ["go a2 b2", "go b2 c2"]);
    let moves = legal(&start(
        "(move go (from s t (mine)) (to u (and (or (beside s) (beside t)) (empty))) (remove (sites s t)) (put Man u))",
    ));
    assert_eq!(moves.len(), 6);
    assert!(moves.contains(&String::from("go a1 b1-a2")), "{moves:?}");
    let moves = legal(&start(
        "(move go (towards d (list N S)) (at s t (row 2)) (kind k Man Wall) (require (any (step s d)))
           (put k (sites s t)) (require (none (and (column \"b\") (row 2) (pieces)))))",
    ));
    assert_eq!(moves, ["go N a2 c2 Man", "go N a2 c2 Wall", "go S a2 c2 Man", "go S a2 c2 Wall"]);
    // After an effect, too.
    let moves = legal(&start(
        "(move go (to t (row 2)) (put Man t) (then (at u v (theirs)) (require (not (in t (union d orthogonal (step u d))))) (remove (sites u v))))",
    ));
    assert_eq!(
        moves,
        ["go a2 b3 c3", "go b2 a3 b3", "go b2 a3 c3", "go c2 a3 b3", "go c2 a3 c3", "go c2 b3 c3"]
    );
}

#[test]
fn a_move_is_read_in_any_order() {
    let position = start("(move go (at s t u (not (row 2))) (remove (sites s t u)))");
    for text in ["go a1 b3 c1", "go c1 b3 a1", "go b3 a1 c1"] {
        let ply = notation::read(&position, text).expect("a legal move");
        assert_eq!(notation::spell(position.game().rules(), &ply), "go a1 c1 b3");
    }
    for text in ["b3 a1 c1", "go b3a1c1", "B3 c1 a1"] {
        assert_eq!(notation::understand(&position, text).len(), 1, "{text}");
    }
    let Ok(why::Reply::Answers(answers)) = why::ask(&position, "go a1 a1 b3") else {
        panic!("an answer")
    };
    assert_eq!(answers[0].message, "`go a1 a1 b3` is illegal: a1 is chosen twice");
    let Ok(why::Reply::Answers(answers)) = why::ask(&position, "go b2 a1 b3") else {
        panic!("an answer")
    };
    assert!(answers[0].message.contains("b2 cannot be chosen"), "{}", answers[0].message);
}

/// Six in a line on the full board: 361 first stones, then two of the other 360.
#[test]
fn pairs_are_counted() {
    let path = std::path::Path::new("tests/games/connect-six.game");
    let game = ludwright::load_file(path, &[]).expect("the rules");
    let start = game.begin().expect("a start");
    assert_eq!(game.perft(&start, 2), Ok(361 * (360 * 359 / 2)));
}

#[test]
fn images_of_pairs_are_pairs() {
    let count = |game: &Game| symmetries(game).len();
    let symmetric = start("(move go (at s t (empty)) (put Wall (sites s t)))");
    assert_eq!(count(symmetric.game()), 7);
    // The first of two sites in the order of the board is another one in the image.
    let ordered = start("(move go (at s t (empty)) (put Wall s) (put Man t))");
    assert_eq!(count(ordered.game()), 0);
}
