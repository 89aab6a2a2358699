//! The parser: trees, faults, hostile text.

use super::is_soon;
use ludwright::syntax::{
    DEPTH_LIMIT, FAULT_LIMIT, Fault, FaultKind, Node, NodeKind, Number, SOURCE_LIMIT, Span, Tree,
    parse,
};
use std::time::Duration;

/// Writes a node on one line.
fn show(node: &Node) -> String {
    match &node.kind {
        NodeKind::Form(parts) => {
            let parts: Vec<String> = parts.iter().map(show).collect();
            format!("({})", parts.join(" "))
        }
        NodeKind::Word(word) => word.clone(),
        NodeKind::Number(number) => number.text.clone(),
        NodeKind::Text(text) => format!("{text:?}"),
    }
}

fn shown(source: &str) -> String {
    let forms: Vec<String> = parse(source).forms.iter().map(show).collect();
    forms.join(" ")
}

/// Formats each fault as its spanned text, its kind, and the line where a bracket should close.
fn faults(source: &str) -> Vec<String> {
    let tree = parse(source);
    check(source, &tree);
    tree.faults
        .iter()
        .map(|Fault { kind, span }| {
            let line_from = source[..span.start].rfind('\n').map_or(0, |at| at + 1);
            let line = source[line_from..].lines().next().unwrap_or("").trim();
            let text = span.text(source);
            match kind {
                FaultKind::UnclosedBracket { suggested_end, .. } => {
                    let rest = &source[span.start..*suggested_end];
                    format!("unclosed {rest}")
                }
                FaultKind::StrayBracket => {
                    let before = &source[line_from..span.end];
                    format!("stray {}", before.trim())
                }
                FaultKind::MisplacedBracket { belongs } => {
                    format!("{text} belongs behind {}", &source[..*belongs])
                }
                FaultKind::NestedTooDeep => format!("deep {text} at {}", span.start),
                FaultKind::UnclosedString => format!("unclosed {text} in {line}"),
                FaultKind::WrongBrackets { close } => {
                    format!("brackets {text} {}", close.text(source))
                }
                FaultKind::WrongQuotes => format!("quotes {text}"),
                FaultKind::StrayCharacter(found) => format!("stray {found:?}"),
                FaultKind::BadNumber => format!("bad {text}"),
                FaultKind::FileTooLarge => "large".to_owned(),
            }
        })
        .collect()
}

/// Checks the invariants of every tree.
fn check(source: &str, tree: &Tree) {
    fn check_nodes(source: &str, nodes: &[Node], within: Span, depth: usize) {
        let mut from = within.start;
        for node in nodes {
            assert!(node.span.start >= from && node.span.end <= within.end);
            assert!(!node.span.is_empty());
            assert!(!node.span.text(source).is_empty());
            from = node.span.end;
            if let Some(parts) = node.as_form() {
                assert!(depth < DEPTH_LIMIT);
                check_nodes(source, parts, node.span, depth + 1);
            }
        }
    }
    check_nodes(source, &tree.forms, Span::new(0, source.len()), 0);
    assert!(tree.faults.len() <= FAULT_LIMIT);
    assert!(tree.faults.is_sorted_by_key(|fault| fault.span));
    for fault in &tree.faults {
        assert!(!fault.span.text(source).is_empty(), "{fault:?}");
        if let FaultKind::UnclosedBracket { suggested_end, .. } = fault.kind {
            assert!(["(", "[", "{"].contains(&fault.span.text(source)));
            assert!(source.is_char_boundary(suggested_end));
            assert!(suggested_end >= fault.span.end);
        }
    }
    for comment in &tree.comments {
        assert_eq!(comment.span.text(source), comment.text);
    }
}

#[test]
fn tokens_are_what_they_look_like() {
    let source = r#"(a1 A2 5 -3 0.5 5x 1. 1.2.3 - -> <= a.b_c#d? "x \"y\" \\ \n" Mühle)"#;
    let tree = parse(source);
    check(source, &tree);
    assert_eq!(tree.faults, []);
    let parts = tree.forms[0].as_form().unwrap();
    let numbers: Vec<i64> =
        parts.iter().filter_map(|part| Some(part.as_number()?.halves)).collect();
    assert_eq!(numbers, [10, -6, 1]);
    let words: Vec<&str> = parts.iter().filter_map(Node::as_word).collect();
    let expected = ["a1", "A2", "5x", "1.", "1.2.3", "-", "->", "<=", "a.b_c#d?", "Mühle"];
    assert_eq!(words, expected);
    assert_eq!(parts[12].as_text(), Some(r#"x "y" \ \n"#));
    assert_eq!(tree.forms[0].span.text(source), source);
    assert_eq!(tree.forms[0].head(), Some(("a1", Span::new(1, 3))));
    assert_eq!(parts[0].head(), None);
}

#[test]
fn texts_span_lines_and_adjoin() {
    assert_eq!(shown("(a\"b\n(c\"d\"\"5)"), r#"(a "b\n(c" d "" 5)"#);
    assert_eq!(shown(r#""\\" "\"" "a; b" ;"c""#), r#""\\" "\"" "a; b""#);
}

#[test]
fn strange_brackets_and_quotes_are_adopted() {
    assert_eq!(faults("(a [b {c}])"), ["brackets [ ]", "brackets { }"]);
    assert_eq!(shown("(a [b {c}] “d e” f)"), "(a (b (c)) \"d e\" f)");
    assert_eq!(faults("(a [b) c)"), ["brackets [ )"]);
    assert_eq!(faults("(a [b c)"), ["stray '['"]);
    assert_eq!(faults("(a “b c)"), ["stray '“'"]);
    assert_eq!(faults("(a [b] c"), ["unclosed (a [b] c", "brackets [ ]"]);
}

#[test]
fn comments_keep_their_place() {
    let source = "; one \r\n(a ; two (\r\n;; three\n b) ;\n;last";
    let tree = parse(source);
    check(source, &tree);
    let comments: Vec<(&str, bool)> =
        tree.comments.iter().map(|comment| (comment.text.as_str(), comment.trailing)).collect();
    let expected =
        [("; one", false), ("; two (", true), (";; three", false), (";", true), (";last", false)];
    assert_eq!(comments, expected);
    assert_eq!(shown(source), "(a b)");
    assert_eq!(tree.faults, []);
}

#[test]
fn a_byte_order_mark_is_dropped_once() {
    let source = "\u{feff}(a\n(b))";
    let tree = parse(source);
    check(source, &tree);
    assert_eq!(tree.faults, []);
    assert_eq!(tree.forms[0].span, Span::new(3, source.len()));
    assert_eq!(faults("\u{feff}\u{feff}"), ["stray '\\u{feff}'"]);
    assert_eq!(faults("\u{feff}(a\n(b)\n"), ["unclosed (a"]);
    assert_eq!(parse(""), Tree::default());
    assert_eq!(parse("\u{feff}"), Tree::default());
}

#[test]
fn bad_numbers_and_stray_characters_are_told() {
    let source = "(a 0.25 99999999999999999999 [b] \0, “c” \u{a0})";
    let found = [
        "bad 0.25",
        "bad 99999999999999999999",
        "brackets [ ]",
        "stray '\\0'",
        "stray ','",
        "quotes “c”",
        "stray '\\u{a0}'",
    ];
    assert_eq!(faults(source), found);
    assert_eq!(shown(source), "(a 0.25 99999999999999999999 (b) \"c\")");
    assert_eq!(faults(&",".repeat(99)).len(), FAULT_LIMIT);
}

#[test]
fn a_balanced_file_may_be_indented_anyhow() {
    for source in ["(a\n(b\n(c)\n)\n)", "      (a\n  (b (c)\n(d)))\n(e)", "(a (b)\n        (c)\n)"]
    {
        assert_eq!(faults(source), [""; 0], "{source}");
    }
}

#[test]
fn a_missing_bracket_is_told_once_where_the_indentation_shows_it() {
    let source = "(game\n  (players 2\n  (play (a)\n    (b))\n  (end))\n";
    assert_eq!(faults(source), ["unclosed (players 2"]);
    assert_eq!(shown(source), "(game (players 2) (play (a) (b)) (end))");

    // A part below another, a hanging part, and a form inside the line that began it.
    let aligned = "(game\n  (if (x 1\n      (then 2))\n  (end))";
    assert_eq!(faults(aligned), ["unclosed (x 1"]);
    let hanging = "(game\n   (start (board\n      (rectangle 3 3))\n   (end))";
    let start = "unclosed (start (board\n      (rectangle 3 3))";
    assert_eq!(faults(hanging), [start]);
    assert_eq!(shown(hanging), "(game (start (board (rectangle 3 3))) (end))");
    let inside = "(game\n  (a (b 1) (c 2)\n  ; of d\n  (d))";
    assert_eq!(faults(inside), ["unclosed (a (b 1) (c 2)"]);
}

#[test]
fn missing_brackets_are_told_once_for_each_place() {
    let source = "(define a (b\n(define c (d)\n(game\n  (e)\n  (f\n";
    assert_eq!(
        faults(source),
        ["unclosed (define a (b", "unclosed (define c (d)", "unclosed (game\n  (e)\n  (f"]
    );
    assert_eq!(faults("(a (b (c 1"), ["unclosed (a (b (c 1"]);
    assert_eq!(faults("(a\n\t(b\n    (c))"), ["unclosed (b"]);
    assert_eq!(faults("("), ["unclosed ("]);
}

#[test]
fn stray_brackets_are_told_each() {
    assert_eq!(faults(")(a))\n )"), ["stray )", "stray )(a))", "stray )"]);
    assert_eq!(shown(")(a))\n )"), "(a)");
    assert_eq!(faults(&")".repeat(99)).len(), FAULT_LIMIT);
    assert_eq!(faults("(a (b)))"), ["stray (a (b)))"]);
}

#[test]
fn a_stray_bracket_is_told_where_the_indentation_shows_it() {
    let source = "(game\n  (a\n    (b 1)) ; note\n    (c 2))\n  (d))";
    assert_eq!(faults(source), ["stray (b 1))"]);
    assert_eq!(shown(source), "(game (a (b 1) (c 2)) (d))");
    let source = "(game\n  (a 1)))\n  (b 2)\n  (c 3))";
    assert_eq!(faults(source).len(), 2);
    assert_eq!(shown(source), "(game (a 1) (b 2) (c 3))");
    let both = "(game\n  (a 1))\n  (b 2)\n  (c 3\n  (d 4))";
    assert_eq!(faults(both), [""; 0]);
}

#[test]
fn an_unclosed_text_is_told_where_it_begins() {
    assert_eq!(faults("(a \"b c) d"), ["unclosed \"b c in (a \"b c) d"]);
    assert_eq!(shown("(a \"b c) d"), r#"(a "b c") d"#);
    let source = "(a \"one\ntwo\")\n(b \"c)\n(d \"e\" \"f\")\n(g \"h\")";
    assert_eq!(faults(source), ["unclosed \"c in (b \"c)"]);
    assert_eq!(shown(source), r#"(a "one\ntwo") (b "c") (d "e" "f") (g "h")"#);
    assert_eq!(faults("\""), ["unclosed \" in \""]);
    assert_eq!(faults("\"a\\"), ["unclosed \"a\\ in \"a\\"]);
    assert_eq!(faults("(a \"b\n)"), ["unclosed \"b in (a \"b"]);
}

#[test]
fn deep_nesting_is_a_fault() {
    let nested = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
    assert_eq!(faults(&nested(DEPTH_LIMIT)), [""; 0]);
    assert_eq!(faults(&nested(DEPTH_LIMIT + 1)), ["deep ( at 200"]);
    assert_eq!(faults(&nested(100_000)), ["deep ( at 200"]);
    assert_eq!(shown(&(nested(300) + " a")).len(), 2 * DEPTH_LIMIT + 2);
    let open = parse(&"(".repeat(100_000));
    assert_eq!(open.faults.len(), 2);
}

#[test]
fn large_files_are_not_read() {
    assert_eq!(parse(&" ".repeat(SOURCE_LIMIT)), Tree::default());
    assert_eq!(faults(&"é".repeat(SOURCE_LIMIT / 2 + 1)), ["large"]);
    let huge = "(a ".repeat(50 << 20 >> 2);
    assert!(is_soon(Duration::from_secs(5), || assert_eq!(parse(&huge).forms, [])));
}

#[test]
fn tokens_longer_than_a_window_stay_whole() {
    for length in [1 << 14, (1 << 15) - 2, 1 << 15, 200_000] {
        let long = "é1".repeat(length / 3);
        assert_eq!(shown(&format!("(a {long} b)")), format!("(a {long} b)"));
        let text = format!("(a \"{long}\\\"\" {long})");
        assert_eq!(parse(&text).faults, []);
        assert_eq!(shown(&text), text);
    }
    let digits = "7".repeat(1 << 17);
    assert_eq!(shown(&digits), digits);
    let words = "(ab 1)".repeat(1 << 14);
    assert_eq!(parse(&words).forms.len(), 1 << 14);
}

#[test]
fn hostile_text_is_read_in_good_time() {
    let pieces = [
        "(",
        ")",
        "()",
        "a(",
        "a ",
        "\"",
        "\"\\",
        "\\\"",
        "\"(\\",
        "\"\n",
        ";\"\n",
        "\0",
        "1",
        "-",
        "1.",
        ",",
        "\n(",
        "\n (",
        "\n)",
        "é",
        "\u{feff}",
        "\"a\n\"b",
        "((a\n",
        "(a))\n  (b",
    ];
    // Enough for several windows, and for quadratic time to be noticed.
    let short = pieces.map(|piece| piece.repeat(SOURCE_LIMIT / 8 / piece.len()));
    let long = ["(", ")"].map(|piece| piece.repeat(SOURCE_LIMIT));
    for source in short.iter().chain(&long) {
        let mut tree = Tree::default();
        let soon = is_soon(Duration::from_secs(5), || tree = parse(source));
        check(source, &tree);
        let piece: String = source.chars().take(8).collect();
        assert!(soon, "{piece:?}…");
    }
}

#[test]
fn random_text_makes_sound_trees() {
    let alphabet: Vec<char> = "(((()))) \n\n\t\r;\"\\a1.-é,\0\u{feff}".chars().collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for length in 0..3000 {
        let source: String = (0..length % 300)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                alphabet[(state % alphabet.len() as u64) as usize]
            })
            .collect();
        check(&source, &parse(&source));
    }
}

#[test]
fn numbers_are_read_in_halves() {
    for (text, halves) in [
        ("5", Some(10)),
        ("-3", Some(-6)),
        ("0.5", Some(1)),
        ("-0.50", Some(-1)),
        ("007.0", Some(14)),
        ("-0", Some(0)),
        ("4611686018427387903.5", Some(i64::MAX)),
        ("4611686018427387904", None),
        ("99999999999999999999", None),
        ("0.25", None),
        ("0.05", None),
    ] {
        assert_eq!(Number::halves(text), halves, "{text}");
    }
}

#[test]
fn spans_join_and_measure() {
    let joined = Span::new(4, 6).join(Span::new(1, 2));
    assert_eq!((joined, joined.len()), (Span::new(1, 6), 5));
    assert!(Span::new(3, 3).is_empty() && !joined.is_empty());
    assert_eq!(joined.text("(ab cd)"), "ab cd");
    assert_eq!(joined.text("ab"), "");
    assert_eq!(joined.text("ééé"), "");
}
