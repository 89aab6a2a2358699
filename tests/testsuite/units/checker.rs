//! Spellings that the checker reads and makes: chosen values, numbers, symbols, sites.

use ludwright::language::check;
use ludwright::language::sources::Sources;
use ludwright::load;

/// Returns a game with these parts beside the least that there must be.
fn rules(players: &str, parts: &str) -> String {
    format!(
        r#"(game "G" (players {players}) {parts} (board (square 3))
        (move place (to t (empty)) (put Stone t)) (play (turns (choose place))))"#
    )
}

#[test]
fn numbers_are_chosen_by_value() {
    let text = rules("A B", r#"(option Komi (one-of -1.5 0 0.5 1 5) 5 "Points.") (piece Stone)"#);
    for (chosen, expected) in [
        ("5", Some("5")),
        ("05.0", Some("5")),
        (".5", Some("0.5")),
        ("0.50", Some("0.5")),
        ("-1.5", Some("-1.5")),
        ("1.", Some("1")),
        ("", None),
        (".", None),
        ("-", None),
        ("0.25", None),
        ("five", None),
        ("99999999999999999999", None),
    ] {
        let game = load(text.as_str(), &[("Komi".to_owned(), chosen.to_owned())]).ok();
        let value = game.map(|game| {
            let option = &game.rules().options[0];
            option.values[option.chosen].clone()
        });
        assert_eq!(value.as_deref(), expected, "{chosen}");
    }
}

#[test]
fn halves_are_spelled() {
    let text = rules("A B", r#"(option Komi (range -3.5 5 0.5) 5 "Points.") (piece Stone)"#);
    let game = load(text.as_str(), &[]).expect("a game");
    let values = &game.rules().options[0].values;
    for (at, spelled) in [(0, "-3.5"), (6, "-0.5"), (7, "0"), (8, "0.5"), (17, "5")] {
        assert_eq!(values[at], spelled);
    }
}

#[test]
fn symbols_grow_until_they_differ() {
    let names = ["White", "Wolf", "Wonder", "Wonders"];
    let unowned = names.map(|name| format!("(piece {name} unowned)")).concat();
    let pieces = format!("{unowned} (piece King owned) (piece Knight owned) (piece Stone unowned)");
    let game = load(rules("A B C", &pieces).as_str(), &[]).expect("a game");
    let found: Vec<String> =
        game.rules().pieces.iter().map(|piece| piece.symbols.join(" ")).collect();
    assert_eq!(found, ["W", "Wo", "Won", "W00", "K k K3", "Kn kn Kn3", "S"]);
}

#[test]
fn sites_are_letters_and_digits() {
    let refused = |word: &str| {
        let text = rules("A B", &format!("(piece Stone) (move go (to {word} (empty)))"));
        let checked = check(Sources::named("g.game", &text), &[]);
        let message = format!("`{word}` is spelled like a site");
        checked.findings.iter().any(|finding| finding.message.contains(&message))
    };
    for word in ["a1", "A2", "aa12", "amj1", "b1024"] {
        assert!(refused(word), "{word}");
    }
    for word in ["a", "a0", "1a", "Ab1", "abcd1", "a1b", "Player1", "é1", "a12345"] {
        assert!(!refused(word), "{word}");
    }
}
