//! Parts of the checker and of its messages: diagrams, misspelled words, colours, hints for users of
//! Ludii.

use ludwright::language::diagram::{CUT, Cell, EMPTY, RowError, Symbol, count, read_row};
use ludwright::language::edit_distance::{distance, list, nearest};
use ludwright::language::look::Color;
use ludwright::language::ludemes;
use ludwright::language::ludii_hints::{FORMS, LudiiHint, WORDS, elsewhere, form, word};
use ludwright::language::rules::PieceId;
use ludwright::syntax::parse;

fn symbol(text: &str, piece: u16) -> Symbol {
    Symbol { text: text.to_owned(), piece: PieceId(piece), owner: None }
}

#[test]
fn symbols_of_one_character_need_no_spaces() {
    let symbols = [symbol("k", 0), symbol("n", 1), symbol("kn", 2), symbol("♔\u{fe0e}", 3)];
    let pieces = |text: &'static str, sites| {
        let row = read_row(&symbols, text, sites)?;
        let drawn = row.cells.iter().map(|cell| match cell {
            Cell::Piece(piece, _) => piece.index().to_string(),
            Cell::Empty => EMPTY.to_owned(),
            Cell::Cut => CUT.to_owned(),
        });
        Ok((drawn.collect::<String>(), row.rest.to_owned()))
    };
    let read = |drawn: &str, rest: &str| Ok((drawn.to_owned(), rest.to_owned()));
    assert_eq!(pieces("knk", 3), read("010", ""));
    assert_eq!(pieces("kn k", 2), read("20", ""));
    assert_eq!(pieces("  k#.   n ", 4), read("0#.1", " "));
    assert_eq!(pieces("♔\u{fe0e}k.", 3), read("30.", ""));
    assert_eq!(pieces("kkkk", 3), read("000", "k"));
    assert_eq!(pieces("", 0), read("", ""));
    assert_eq!(pieces("kxk", 3), Err(RowError::Unknown(1, "x")));
    assert_eq!(pieces("xyz", 3), Err(RowError::Unknown(0, "xyz")));
    assert_eq!(pieces("k", 2), Err(RowError::TooShort(1)));
    assert_eq!(count(&symbols, "kn kk ..# what"), 7);
}

#[test]
fn slips_are_counted() {
    for (from, to, expected) in [
        ("beside", "besdie", 1),
        ("beside", "besides", 1),
        ("beside", "aside", 2),
        ("", "abc", 3),
        ("empty", "empty", 0),
    ] {
        assert_eq!(distance(from, to), expected, "{from} {to}");
    }
}

#[test]
fn what_was_meant_is_near_or_begun() {
    let words = ["when", "where", "beside", "bedside", "opposite", "group", "or", "in", "pass"];
    for (word, meant) in [
        ("besdie", Some("beside")),
        ("opp", Some("opposite")),
        ("groups", Some("group")),
        ("Group", Some("group")),
        ("pss", Some("pass")),
        ("wher", Some("where")),
        ("on", None),
        ("", None),
        ("xyzzy", None),
    ] {
        assert_eq!(nearest(word, words), meant, "{word}");
    }
    assert_eq!(nearest(&"p".repeat(1_000_000), words), None);
}

#[test]
fn lists_are_cut_short() {
    assert_eq!(list(&["a"], "or"), "`a`");
    assert_eq!(list(&["a", "b", "c"], "or"), "`a`, `b` or `c`");
    let many: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    assert!(list(&many, "and").ends_with("`7` and 12 more"));
}

#[test]
fn colours_are_read_and_spelled() {
    assert_eq!(Color::parse("#3A69b0"), Color::named("blue"));
    assert_eq!(Color::rgb(0x0a69b0).to_string(), "#0a69b0");
    for wrong in ["3a69b0", "#3a69b", "#3a69b0f", "#3a69g0", "#+3a69b", "#日本"] {
        assert_eq!(Color::parse(wrong), None, "{wrong}");
    }
    let (black, white) = (Color::rgb(0), Color::rgb(0xffffff));
    assert_eq!(black.towards(white, 50), Color::rgb(0x7f7f7f));
    assert_eq!([black.lightness(), white.lightness()], [0, 255]);
}

#[test]
fn the_most_particular_form_is_found() {
    let find = |text: &str| {
        let tree = parse(text);
        let parts = tree.forms[0].as_form().expect("a form").to_vec();
        form(parts[0].as_word().expect("a word"), &parts[1..]).map(LudiiHint::help)
    };
    assert_eq!(find("(sites Empty)").as_deref(), Some("Ludii's `(sites Empty)` is `(empty)` here"));
    assert_eq!(find("(sites a1)"), None);
    assert_eq!(find("(== 1 2)").as_deref(), Some("write `=`"));
    assert_eq!(elsewhere("(sites Empty)"), elsewhere("sites Empty"));
    assert!(elsewhere("moveAgain").is_some() && elsewhere("put").is_none());
    // What cannot be said says so, whatever players call it.
    for (notion, said) in [
        ("fog-of-war", "hidden information cannot"),
        ("bluff", "hidden information cannot"),
        ("simultaneous", "simultaneous moves cannot"),
        ("partners", "(teams (North South)"),
        ("alliances", "(teams (North South)"),
        ("auction", "agree on cannot"),
        ("clock", "time cannot"),
        ("layer", "as layers, the lowest first"),
        ("3d", "as layers, the lowest first"),
        ("pyramid", "as layers, the lowest first"),
    ] {
        assert!(elsewhere(notion).is_some_and(|help| help.contains(said)), "{notion}");
    }
    assert!(find("(is Pending)").is_some_and(|help| help.contains("`(is …)`")));
}

#[test]
fn what_is_ours_is_not_foreign() {
    for row in FORMS {
        let ours = ludemes::rows(row.head).next().is_some();
        let found = form(row.head, &[]).is_some_and(|found| std::ptr::eq(found, row));
        assert!(!(ours && found), "{}", row.head);
        if let Some(exact) = row.exact {
            let tree = parse(exact);
            let head = tree.forms[0]
                .as_word()
                .or(tree.forms[0].head().map(|(head, _)| head))
                .expect("a word");
            assert!(ludemes::rows(head).next().is_some(), "{exact}");
        }
    }
    for (ours, ..) in WORDS {
        assert!(ludemes::rows(ours).next().is_none() || word(ours).is_none(), "{ours}");
    }
}

/// A piece can have the shapes that menus offer for it, and no others.
#[test]
fn pieces_can_have_the_shapes_of_pieces() {
    use ludwright::language::look::Shape;
    for word in Shape::WORDS {
        let text = format!(
            "(game \"G\" (players A B) (board (square 3)) (piece Stone)
               (move drop (to t (empty)) (put Stone t)) (end (if (none (empty)) (draw)))
               (look (shape Stone {word})))"
        );
        let is_of_pieces = Shape::from_word(word).is_some_and(Shape::is_of_pieces);
        assert_eq!(ludwright::load(&text, &[]).is_ok(), is_of_pieces, "{word}");
    }
}
