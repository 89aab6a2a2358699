//! What the library answers to editors: tokens, signatures and folding, on every shipped game and on
//! damaged ones.

use crate::support;
use ludwright::cases::Runner;
use ludwright::editor::CheckedSources;
use ludwright::editor::case::{self, CaseFaultKind};
use ludwright::editor::folding::{FoldKind, folds};
use ludwright::editor::tokens::{Token, TokenKind};
use ludwright::files::gather;
use ludwright::language::ludemes::rows;
use ludwright::language::names::NameKind;
use ludwright::language::sources::Sources;
use ludwright::random::Random;
use ludwright::syntax::{Node, NodeKind, Span, parse};
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Returns the games of the folders, with their names.
fn games() -> Vec<(String, CheckedSources)> {
    let named = |folder: &str| {
        let folder = folder.to_owned();
        support::files(&folder).into_iter().map(move |name| format!("{folder}/{name}.game"))
    };
    let paths = ["games", "tests/games"].into_iter().flat_map(named);
    paths
        .map(|path| (path.clone(), CheckedSources::of(gather(Path::new(&path)).expect("the file"))))
        .collect()
}

/// Lists the nodes that are no forms, in order.
fn leaves(text: &str) -> Vec<Node> {
    let mut leaves = Vec::new();
    let mut left: Vec<Node> = parse(text).forms;
    while let Some(node) = left.pop() {
        match node.kind {
            NodeKind::Form(parts) => left.extend(parts),
            _ => leaves.push(node),
        }
    }
    leaves.sort_by_key(|leaf| leaf.span);
    leaves
}

fn at(tokens: &[Token], span: Span) -> Option<&Token> {
    tokens.binary_search_by_key(&span, |token| token.span).ok().map(|index| &tokens[index])
}

fn are_ordered(tokens: &[Token]) -> bool {
    tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start)
}

#[test]
fn every_word_of_a_game_has_a_token() {
    let mut words = 0;
    for (name, game) in games() {
        let text = game.sources.text_of(0);
        let tokens = game.tokens(0);
        assert!(are_ordered(&tokens), "{name}");
        for leaf in leaves(text) {
            words += 1;
            let token = at(&tokens, leaf.span)
                .unwrap_or_else(|| panic!("{name}: {} has no token", leaf.span.text(text)));
            let word = leaf.as_word().unwrap_or_default();
            let said = || format!("{name}: {word} is {:?}", token.kind);
            match token.kind {
                TokenKind::Number => assert!(leaf.as_number().is_some(), "{}", said()),
                TokenKind::Text => assert!(leaf.as_text().is_some(), "{}", said()),
                TokenKind::Part | TokenKind::Control | TokenKind::Ludeme | TokenKind::Operator => {
                    assert!(rows(word).any(|row| !row.word), "{}", said())
                }
                TokenKind::Name(kind) => {
                    let capital = !matches!(kind, NameKind::Variable | NameKind::Move);
                    assert_eq!(word.starts_with(char::is_uppercase), capital, "{}", said());
                }
                _ => {}
            }
        }
        for declared in game.checked.names.iter() {
            let (file, span) = game.sources.place(declared.span);
            if file == 0 {
                let token = at(&tokens, span)
                    .unwrap_or_else(|| panic!("{name}: {} has no token", declared.name));
                assert_eq!(
                    (token.kind, token.declares),
                    (TokenKind::Name(declared.kind), true),
                    "{name}: {}",
                    declared.name
                );
            }
        }
    }
    assert!(words > 5_000, "{words}");
}

#[test]
fn words_have_the_tokens_that_they_mean() {
    let text = "(game \"G\" ; a game\n  (players (White N) (Black S)) (option Grid (one-of hex wide) hex \"Which.\")
  (board (case Grid (hex (hexagon 3)) (wide (square 4)))) (piece Man) (remember Seen sites)
  (define (Near (site s)) (beside s all))
  (move step (from s (mine Man)) (to t (and (Near s) (not a1))) (require (<= 1 2)) (relocate s t) (mark t Seen))
  (play (phase Early (turns (choose step (otherwise (lose mover)))))))";
    let expected = "game part; \"G\" text; ; a game comment; players part; White player; N direction; Black player; \
        S direction; option part; Grid option; one-of ludeme; hex value; wide value; hex value; \"Which.\" text; board part; \
        case control; Grid option; hex value; hexagon ludeme; 3 number; wide value; square ludeme; 4 number; piece part; \
        Man piece; remember part; Seen memory; sites type; define part; Near definition; site type; s variable; \
        beside ludeme; s variable; all direction; move part; step move; from parameter; s variable; mine ludeme; \
        Man piece; to parameter; t variable; and ludeme; Near definition; s variable; not ludeme; a1 site; \
        require control; <= operator; 1 number; 2 number; relocate control; s variable; t variable; mark control; \
        t variable; Seen memory; play part; phase control; Early value; turns control; choose control; step move; \
        otherwise control; lose control; mover word";
    let listed = |text: &str| {
        let tokens = CheckedSources::of(Sources::from(text)).tokens(0);
        let said = |token: &Token| format!("{} {}", token.span.text(text), token.kind.name());
        tokens.iter().map(said).collect::<Vec<String>>().join("; ")
    };
    assert_eq!(listed(text), expected);
    let facing = "(game \"G\" (option Facing (one-of forward back) back \"Where to.\") (define D (case Facing (forward N) (back S))))";
    let tokens = CheckedSources::of(Sources::from(facing)).tokens(0);
    let words: Vec<&str> = tokens.iter().map(|token| token.kind.name()).collect();
    assert_eq!(words[5..8], ["value", "value", "value"]);
    assert_eq!(words[13..], ["value", "direction", "value", "direction"]);
    // The same without the checker: an unknown part leaves no typed rules, and a file of definitions
    // is no game.
    let faulty = text.replace("(hexagon 3)", "(hexagram 3)");
    assert_eq!(listed(&faulty), expected.replace("hexagon ludeme; ", ""));
    let alone = "(definitions (define (Rim (player p)) (and (row 1 p) (of p Man))))";
    assert_eq!(
        listed(alone),
        "definitions part; define part; Rim definition; player type; p variable; and ludeme; row ludeme; 1 number; \
         p variable; of ludeme; p variable"
    );
}

/// Removes a bracket, or makes a word unknown.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    let places: Vec<usize> = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| b"()".contains(byte))
        .map(|(at, _)| at)
        .collect();
    let place = places[random.below(places.len() as u32) as usize];
    match random.below(2) {
        0 => text.replace_range(place..place + 1, ""),
        _ => text.insert_str(place, " unknwon "),
    }
    text
}

#[test]
fn a_mistake_costs_few_tokens() {
    let mut random = Random::new(5);
    let (mut kept, mut all) = (0, 0);
    for (name, game) in games() {
        let text = game.sources.text_of(0);
        // A variant alone lacks the names of its base.
        if game.sources.names().len() > 1 {
            continue;
        }
        let before = game.tokens(0);
        for _ in 0..2 {
            let damaged = damaged(text, &mut random);
            let after = CheckedSources::of(Sources::named(&name, &damaged)).tokens(0);
            assert!(are_ordered(&after), "{name}");
            let place = text.bytes().zip(damaged.bytes()).take_while(|(one, other)| one == other);
            let place = place.count();
            let shift = damaged.len() as isize - text.len() as isize;
            let found: HashMap<(usize, usize), TokenKind> = after
                .iter()
                .map(|token| ((token.span.start, token.span.end), token.kind))
                .collect();
            let moved = |at: usize| if at < place { at } else { at.wrapping_add_signed(shift) };
            let is_kept = |token: &&Token| {
                let span = (moved(token.span.start), moved(token.span.end));
                found.get(&span) == Some(&token.kind)
            };
            kept += before.iter().filter(is_kept).count();
            all += before.len();
        }
    }
    let share = 100.0 * kept as f64 / all as f64;
    println!("{share:.1} % of {all}");
    assert!(all > 10_000 && share >= 99.0, "{share:.1} % of {all}");
}

/// Lists the forms of a file that are calls of ludemes, with the position of each argument.
fn arguments(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut left: Vec<(Node, bool)> =
        parse(text).forms.into_iter().map(|form| (form, true)).collect();
    while let Some((node, is_call)) = left.pop() {
        let Some(parts) = node.as_form() else { continue };
        let head = node.head().map_or(String::new(), |(head, _)| head.to_owned());
        let is_word = is_call && rows(&head).any(|row| !row.word);
        for (index, part) in parts.iter().enumerate().skip(1) {
            if is_word {
                found.push((head.clone(), part.span.start));
            }
            let declares = head == "define" && index == 1 || head == "players" || !is_call;
            let is_branch =
                head == "case" && index > 1 && part.head().is_none_or(|(head, _)| head != "else");
            left.push((part.clone(), !declares && !is_branch));
        }
    }
    found
}

#[test]
fn every_argument_has_a_parameter() {
    const ASKED: usize = 40;
    let mut random = Random::new(9);
    let mut asked = 0;
    for (name, game) in games() {
        let text = game.sources.text_of(0);
        let arguments = arguments(text);
        for _ in 0..ASKED.min(arguments.len()) {
            let (head, byte) = &arguments[random.below(arguments.len() as u32) as usize];
            let line = text[..*byte].matches('\n').count() + 1;
            // A form as an argument: the cursor is before its bracket.
            let help = game.signature(0, *byte);
            let help = help.unwrap_or_else(|| panic!("{name}:{line}: ({head} …)"));
            let signature = &help.signatures[help.active];
            assert!(
                signature.label.starts_with(&format!("({head}")),
                "{name}:{line}: {}",
                signature.label
            );
            let active = signature.active.and_then(|active| signature.parameters.get(active));
            let active = active.unwrap_or_else(|| panic!("{name}:{line}: {}", signature.label));
            assert!(active.span.text(&signature.label).contains(": "), "{name}:{line}");
            asked += 1;
        }
    }
    assert!(asked > 1_000, "{asked}");
}

/// Signature and parameter at the mark `|`, which is not part of the text.
fn signature(marked: &str) -> String {
    let place = marked.find('|').expect("a mark");
    let text = marked.replacen('|', "", 1);
    let text = format!(
        "(game \"G\" (players White Black) (board (square 3)) (piece Stone) (remember Height number (per site 9))\n  \
           ; The sites near s.\n  (define (Near (site s) (player p)) (and (beside s) (of p)))\n  {text}"
    );
    let place = text.len() - (marked.len() - 1) + place;
    let help = CheckedSources::of(Sources::from(&text)).signature(0, place);
    help.map_or("nothing".to_owned(), |help| {
        let signature = &help.signatures[help.active];
        let active =
            signature.active.map(|active| signature.parameters[active].span.text(&signature.label));
        format!("{} / {}", signature.label, active.unwrap_or("none"))
    })
}

#[test]
fn the_argument_that_is_written_is_known() {
    for (marked, expected) in [
        (
            "(move drop (to t (empty)) (put |",
            "(put piece: kind at: sites owner?: player beneath?: beneath) -> statement / piece: kind",
        ),
        (
            "(move drop (to t (empty)) (put Stone |",
            "(put piece: kind at: sites owner?: player beneath?: beneath) -> statement / at: sites",
        ),
        (
            "(move drop (to t (empty)) (put Stone t White |",
            "(put piece: kind at: sites owner?: player beneath?: beneath) -> statement / beneath?: beneath",
        ),
        (
            "(move drop (to t |))",
            "(to variable: new variable sites: sites) -> parameter / sites: sites",
        ),
        (
            "(move drop (to t u |))",
            "(to variable: new variable sites: sites) -> parameter / sites: sites",
        ),
        (
            "(move drop |(to t (empty)) (put Stone t))",
            "(move verb: new verb parameters…?: parameter body…?: statement) -> part / parameters…?: parameter",
        ),
        (
            "(move drop (to t (empty)) (put Stone t) |)",
            "(move verb: new verb parameters…?: parameter body…?: statement) -> part / body…?: statement",
        ),
        (
            "(move drop (to t (empty)) (require (any |",
            "(any region: sites) -> condition / region: sites",
        ),
        // Of several meanings, the one that fits.
        (
            "(move drop (to t (empty)) (require (> (count p |",
            "(count variable: new variable domain: sites, directions, players, numbers, groups or kinds condition: condition) -> number / domain: sites, directions, players, numbers, groups or kinds",
        ),
        ("(move drop (to t (and |)))", "(and regions…: sites) -> sites / regions…: sites"),
        (
            "(move drop (to t (empty)) (require (and |)))",
            "(and conditions…: condition) -> condition / conditions…: condition",
        ),
        (
            "(piece Man \"|m\")",
            "(piece name: new name ownership?: owned or unowned symbols…?: text) -> part / symbols…?: text",
        ),
        // Of the game's own definitions and memories.
        ("(move drop (to t (Near a1 |)))", "(Near s: site p: player) -> sites / p: player"),
        (
            "(move drop (to t (empty)) (raise (Height |",
            "(Height site: site) -> number / site: site",
        ),
        // The word of a form belongs to the form around it.
        (
            "(move drop (to t (em|pty)))",
            "(to variable: new variable sites: sites) -> parameter / sites: sites",
        ),
        (
            "(define (Far (site |s)) (empty))",
            "(define heading: name, or (name (type variable) …) body…?: any expression) -> part / heading: name, or (name (type variable) …)",
        ),
        ("(move drop (to t (empty)) (put Stone t)) ; (put |", "nothing"),
    ] {
        assert_eq!(signature(marked), expected, "{marked}");
    }
    let study = CheckedSources::of(Sources::from("(game \"G\" (piece Stone)) "));
    assert!(study.signature(0, 25).is_none() && study.signature(0, 999).is_none());
}

#[test]
fn signatures_and_their_parameters_agree() {
    let text = "(game \"G\" (board (square 3)) (play (choose drop (otherwise (draw)))))";
    let study = CheckedSources::of(Sources::from(text));
    for row in ludwright::language::ludemes::TABLE.iter().filter(|row| !row.word) {
        let text = text.replace("(draw)", &format!("({} ", row.spelling));
        let study = CheckedSources { sources: Sources::from(&text), ..study.clone() };
        let byte = text.find(&format!("({} ", row.spelling)).expect("it is there");
        let help = study.signature(0, byte + row.spelling.len() + 2).expect(row.spelling);
        let signature = help
            .signatures
            .iter()
            .find(|signature| signature.label == row.full_signature())
            .unwrap_or_else(|| panic!("{}", row.signature()));
        let shown: Vec<&str> = signature
            .parameters
            .iter()
            .map(|parameter| parameter.span.text(&signature.label))
            .collect();
        let slots: Vec<String> = row.slots.iter().map(|slot| slot.signature()).collect();
        assert_eq!(shown, slots);
    }
}

#[test]
fn whatever_is_written_has_tokens() {
    let mut random = Random::new(21);
    let text = std::fs::read_to_string("games/swarm.game").expect("the file");
    let case = std::fs::read_to_string("tests/commands/good.case").expect("the file");
    for round in 0..60 {
        let mut damaged = if round % 2 == 0 { text.clone() } else { case.clone() };
        for _ in 0..1 + random.below(6) {
            let pieces = [
                "(",
                ")",
                "\"",
                ";",
                "\n",
                "\r",
                "𝄞",
                "é",
                "#",
                ":",
                "title:",
                "then:",
                "(define ((",
            ];
            let piece = pieces[random.below(pieces.len() as u32) as usize];
            let start = damaged.floor_char_boundary(random.below(damaged.len() as u32) as usize);
            let end =
                damaged.floor_char_boundary((start + random.below(40) as usize).min(damaged.len()));
            damaged.replace_range(start..end, piece);
        }
        let study = CheckedSources::of(Sources::from(&damaged));
        for tokens in [study.tokens(0), case::tokens(&damaged)] {
            let is_word = |token: &Token| !token.span.text(&damaged).is_empty();
            assert!(are_ordered(&tokens) && tokens.iter().all(is_word), "{damaged}");
        }
        for fold in folds(&damaged).into_iter().chain(case::folds(&damaged)) {
            assert!(fold.span.text(&damaged).contains('\n'), "{damaged}");
        }
        for _ in 0..5 {
            let byte = damaged.floor_char_boundary(random.below(damaged.len() as u32) as usize);
            if let Some(help) = study.signature(0, byte) {
                assert!(help.active < help.signatures.len());
            }
        }
        case::syntax_fault(&damaged);
    }
}

#[test]
fn large_files_are_answered_in_time() {
    let half = 1 << 18;
    let begun = Instant::now();
    for text in [
        "(a ".repeat(half / 3),
        format!("(game \"G\" (players {}", "a1 ".repeat(half / 3)),
        format!("(move x {}", "(let y y) ".repeat(half / 10)),
        "; a comment\n".repeat(half / 12),
        "(define X (row 1)) ; a comment\n".repeat(half / 32),
        "(then:\n".repeat(half / 7),
        "position:\n# a\n".repeat(half / 14),
    ] {
        let study = CheckedSources {
            sources: Sources::from(&text),
            ..CheckedSources::of(Sources::from("(game \"G\")"))
        };
        study.tokens(0);
        folds(&text);
        case::folds(&text);
        case::tokens(&text);
        case::syntax_fault(&text);
        // Quadratic work would take minutes.
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", &text[..20]);
    }
}

#[test]
fn forms_and_comments_fold() {
    let text = "(game \"G\"\n  ; One.\n\n  ; Two,\n  ; three.\n  (players A\n    B) (board\n (square 3)) ; behind\n)\n";
    let found: Vec<(FoldKind, &str)> =
        folds(text).into_iter().map(|fold| (fold.kind, fold.span.text(text))).collect();
    assert_eq!(
        found[1..],
        [
            (FoldKind::Comment, "; Two,\n  ; three."),
            (FoldKind::Form, "(players A\n    B)"),
            (FoldKind::Form, "(board\n (square 3))")
        ]
    );
    assert_eq!(found[0].0, FoldKind::Form);
    assert!(folds("(a b) ; c").is_empty());
}

#[test]
fn a_case_fails_where_its_line_is() {
    let sources = gather(Path::new("games/kitaran.game")).expect("the file");
    let mut runner = Runner::new(sources);
    let text = "title: A stone.\noption: Size=3\nplay: place b2 # in the middle\nmover: Black\ncount: 9\nthen:\n  3 . . .\n  2 . W .\n  1 . . .\n    a b c\n\nnow Frehs: b2\n";
    let found: Vec<(CaseFaultKind, &str, String)> = case::faults(&mut runner, text)
        .into_iter()
        .map(|fault| (fault.kind, fault.span.text(text), fault.message))
        .collect();
    let messages: Vec<(CaseFaultKind, &str)> =
        found.iter().map(|(kind, line, _)| (*kind, *line)).collect();
    assert_eq!(
        messages,
        [
            (CaseFaultKind::Failed, "mover: Black"),
            (CaseFaultKind::Failed, "count: 9"),
            (CaseFaultKind::Failed, "then:"),
            (CaseFaultKind::Unreadable, "now Frehs: b2"),
        ]
    );
    assert_eq!(found[0].2, "expected Black, found White");
    assert!(
        found[2].2.contains("\n  2 . W .\n") && found[2].2.contains("\n  2 . B .\n"),
        "{}",
        found[2].2
    );
    let right = "title: A stone.\nplay: place b2\nmover: White\n";
    assert_eq!(case::faults(&mut runner, right), []);
    // Nothing but a title: the fault is at the last line.
    let fault = case::syntax_fault("title: A stone.\n\n").expect("a fault");
    assert_eq!(fault.span, Span::new(0, 15));
    assert_eq!(case::syntax_fault("").map(|fault| fault.span), Some(Span::default()));
}

#[test]
fn cases_have_tokens_and_fold() {
    let text = "# About\n# two lines.\ntitle: A stone. # here\nposition:\n  2 . #\n  1 . . # there\n    a b\n\nplay: place a1\nthen:\n  2 B #\n  1 . .\n";
    let found: Vec<(&str, &str)> = case::tokens(text)
        .into_iter()
        .map(|token| (token.kind.name(), token.span.text(text)))
        .collect();
    assert_eq!(
        found,
        [
            ("comment", "# About"),
            ("comment", "# two lines."),
            ("part", "title:"),
            ("comment", "# here"),
            ("part", "position:"),
            ("part", "play:"),
            ("part", "then:"),
        ]
    );
    let found: Vec<(FoldKind, usize)> = case::folds(text)
        .into_iter()
        .map(|fold| (fold.kind, fold.span.text(text).lines().count()))
        .collect();
    assert_eq!(
        found,
        [
            (FoldKind::Comment, 2),
            (FoldKind::Case, 10),
            (FoldKind::Diagram, 4),
            (FoldKind::Diagram, 3)
        ]
    );
}
