//! What the prompt completes, hints at and highlights.

use ludwright::load;
use ludwright::play::{CompletionContext, Sense};

fn words() -> CompletionContext {
    let text = r#"(game "Fill" (players A B) (option Size (range 2 3) 2 "Sites.") (board (square Size)) (piece Stone)
        (move place (to t (empty)) (put Stone t)) (move pass) (play (turns (choose place pass (otherwise (draw))))))"#;
    let game = load(text, &[]).expect("a game");
    CompletionContext::of(&game.begin().expect("a position"))
}

#[test]
fn completes_moves_and_commands_and_what_follows_them() {
    for (typed, begin, found) in [
        ("pl", 0, "play ,place a1,place a2,place b1,place b2"),
        ("b", 0, "board"),
        ("b1", 0, "b1"),
        ("play b", 5, "b1,b2"),
        ("why place b", 4, "place b1,place b2"),
        ("targets a", 8, "a1,a2"),
        ("help un", 5, "undo"),
        ("seats A=h", 6, "A=human"),
        ("restart ", 8, "Size=2,Size=3"),
        ("auto 3 gr", 7, "greedy"),
        ("undo x", 5, ""),
        ("é", 0, ""),
    ] {
        let words = words().completions(typed);
        assert_eq!((words.0, words.1.join(",").as_str()), (begin, found), "{typed}");
    }
}

#[test]
fn tab_shows_what_can_follow_with_its_meaning() {
    let shown = |typed: &str| {
        let (begin, found) = words().candidates(typed);
        let listed: Vec<String> =
            found.into_iter().map(|one| format!("{}={}", one.text, one.shown)).collect();
        (begin, listed.join("|"))
    };
    assert_eq!(
        shown("pl"),
        (0, "play =play MOVE  make a move; the word `play` can be left out|place =place SITE  4 moves".to_owned())
    );
    assert_eq!(shown("pla"), shown("pl"));
    assert_eq!(
        shown("plac"),
        (0, "place a1=place a1|place a2=place a2|place b1=place b1|place b2=place b2".to_owned())
    );
    assert_eq!(shown("place b"), (0, "place b1=place b1|place b2=place b2".to_owned()));
    assert_eq!(shown("(count (emp"), (8, "empty=empty  (empty) -> sites".to_owned()));
    assert_eq!(shown("(count (group a1 (pieces Sto"), (25, "Stone=Stone  a piece".to_owned()));
    assert_eq!(shown("seats A=h"), (6, "A=human=A=human".to_owned()));
}

#[test]
fn where_no_command_is_awaited_none_is_known() {
    let none = CompletionContext::default();
    assert_eq!(
        (none.completions("und"), none.hint("goto"), none.sense("undo")),
        ((0, Vec::new()), None, Sense::Open)
    );
}

#[test]
fn hints_and_tells_moves_from_commands() {
    let words = words();
    let hint = |typed: &str| words.hint(typed).map(|hint| (hint.shown, hint.rest));
    assert_eq!(hint("place b2"), None);
    assert_eq!(hint("und"), Some(("o".to_owned(), Some("o".to_owned()))));
    assert_eq!(hint("place a"), Some(("1 …".to_owned(), Some("1".to_owned()))));
    assert_eq!(hint("goto"), Some((" N  go to the position after N plies".to_owned(), None)));
    assert_eq!(
        [words.sense("b2"), words.sense("place  b2"), words.sense("undo"), words.sense("b")],
        [Sense::Move, Sense::Move, Sense::Command, Sense::Open]
    );
}
