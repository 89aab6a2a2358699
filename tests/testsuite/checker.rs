//! The checker on the shipped games, unchanged and with tokens deleted, doubled and swapped: it
//! never panics, and its findings have valid spans.

use ludwright::language::finding::{Code, Edit, Fix, Severity};
use ludwright::language::look::{Color, Shape};
use ludwright::language::rules::*;
use ludwright::language::sources::{Fetched, Sources};
use ludwright::language::{Checked, check};
use ludwright::syntax::{Node, Span, parse};

/// Returns the games of `games` that are no variants, by name.
fn games() -> Vec<(String, String)> {
    let files =
        std::fs::read_dir("games").expect("games").map(|entry| entry.expect("an entry").path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("a rules file"))
    };
    let mut games: Vec<(String, String)> =
        files.map(read).filter(|(_, source)| !source.starts_with("(variant-of")).collect();
    games.sort();
    games
}

/// Checks a text, and the invariants that hold for every text.
fn look(source: &str, choices: &[(String, String)]) -> Checked {
    let checked = check(source, choices);
    for finding in &checked.findings {
        let spans = finding.others.iter().map(|other| other.span).chain([finding.span]);
        for span in spans {
            assert!(!span.is_empty() || source.is_empty(), "{finding:?}");
            assert!(source.get(span.start..span.end).is_some(), "{finding:?}");
        }
        assert!(!finding.message.is_empty() && !finding.message.ends_with('.'), "{finding:?}");
    }
    assert!(checked.findings.is_sorted_by_key(|finding| finding.span), "{:?}", checked.findings);
    let errors = checked.findings.iter().any(|finding| finding.severity() == Severity::Error);
    let sound = !errors && checked.choice_faults.is_empty();
    assert_eq!(checked.rules.is_some(), sound, "{:?}\n{source}", checked.findings);
    checked
}

/// Checks the invariants for a variant of a text.
fn look_at_variant(base: &str) {
    const VARIANT: &str = "(variant-of \"base\" \"Variant\" (default Size 4) (omit repetition Komi) (include \"base\") (define Size 5)
        (piece Stone unowned) (move move (at s (empty)) (put Stone s)) (players Black White))";
    let sources =
        Sources::gather(Fetched::new("main", VARIANT), &mut |_, name| Ok(Fetched::new(name, base)));
    let checked = check(&sources, &[]);
    for finding in &checked.findings {
        for span in finding.others.iter().map(|other| other.span).chain([finding.span]) {
            assert!(
                !span.is_empty() && sources.text().get(span.start..span.end).is_some(),
                "{finding:?}"
            );
        }
    }
    let errors = checked.findings.iter().any(|finding| finding.severity() == Severity::Error);
    assert_eq!(checked.rules.is_some(), !errors, "{:?}", checked.findings);
    let sorted: usize =
        sources.by_file(&checked.findings).iter().map(|(_, findings)| findings.len()).sum();
    assert_eq!(sorted, checked.findings.len());
}

fn codes(source: &str) -> Vec<Code> {
    look(source, &[]).findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn shipped_games_check_under_every_value() {
    for (name, source) in &games() {
        let plain = look(source, &[]);
        assert!(plain.findings.is_empty(), "{name}: {:?}", plain.findings);
        for option in plain.rules.expect("no finding, so there are rules").options {
            for value in option.values.iter() {
                let chosen = [(option.name.clone(), value.clone())];
                let checked = look(source, &chosen);
                assert!(checked.findings.is_empty(), "{name} {chosen:?}: {:?}", checked.findings);
                assert!(checked.rules.is_some(), "{name} {chosen:?}: {:?}", checked.choice_faults);
            }
        }
    }
}

#[test]
fn no_text_is_too_odd() {
    // PCG-XSH-RR (O'Neill 2014), so that the texts are the same everywhere.
    let mut state = 2024u64;
    let mut random = move |below: usize| {
        let old = state;
        state = old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (((old >> 18) ^ old) >> 27) as u32;
        mixed.rotate_right((old >> 59) as u32) as usize % below.max(1)
    };
    let games = games();
    for round in 0..700 {
        let source = &games[round % games.len()].1;
        let mut tokens = tokens(source);
        for _ in 0..=random(3) {
            if tokens.is_empty() {
                break;
            }
            let (here, there) = (random(tokens.len()), random(tokens.len()));
            match random(5) {
                0 => {
                    tokens.remove(here);
                }
                1 => tokens.insert(here, tokens[there]),
                2 => tokens.swap(here, there),
                // Replaces a form or token by another one.
                3 => {
                    let (from, to) = (extent(&tokens, here), extent(&tokens, there));
                    let form = tokens[from].to_vec();
                    tokens.splice(to, form);
                }
                _ => {
                    let odd = [
                        "0.5",
                        "-3",
                        "99999999999",
                        "\"\"",
                        "()",
                        "a1",
                        "N",
                        "Z",
                        "s",
                        "else",
                        "(case",
                        "mover",
                    ];
                    tokens[here] = odd[random(odd.len())];
                }
            }
        }
        look(&tokens.join(" "), &[]);
        look_at_variant(&tokens.join(" "));
    }
}

/// Splits a text into brackets, strings and words, without comments.
fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            '(' | ')' => 1,
            blank if blank.is_whitespace() => blank.len_utf8(),
            _ => rest
                .find(|end: char| end.is_whitespace() || "();\"".contains(end))
                .unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() && first != ';' {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

/// Range of the form that begins at a token, or of the token alone.
fn extent(tokens: &[&str], start: usize) -> std::ops::Range<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match *token {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return start..index + 1;
        }
    }
    start..start + 1
}

#[test]
fn depth_is_no_danger() {
    for (open, inner) in [
        ("(and ", "true"),
        ("(where s ", "s"),
        ("(case mover (else ", "1"),
        ("(if true ", "(draw)"),
        ("(+ ", "1"),
    ] {
        for depth in [50, 190, 250] {
            let nested =
                open.repeat(depth) + inner + &")".repeat(depth * open.matches('(').count());
            for body in [format!("(require {nested})"), format!("(let x {nested})"), nested] {
                look(&wrapped(&format!("(move step {body})")), &[]);
            }
        }
    }
    let chain: String =
        (0..3000).map(|index| format!("(define D{index} (and D{} true))", index + 1)).collect();
    look(&wrapped(&chain), &[]);
    look(&wrapped(&format!("{chain}(define D3000 D0)")), &[]);
}

/// Embeds parts in a small game.
fn wrapped(parts: &str) -> String {
    format!(
        "(game \"Small\" (players White Black) (board (square 3)) (piece Stone) {parts}
           (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))"
    )
}

/// A word that is a ludeme only in brackets is no ludeme where a variable is named.
#[test]
fn variables_have_the_names_of_ludemes() {
    let game = |text: &str| {
        format!(
            "(game \"Names\" (players Black White) (board (square 4)) (piece Stone) (move drop {text}) (play (turns (choose drop))) (end (if (none (empty)) (draw))))"
        )
    };
    for text in [
        "(to beside (empty)) (put Stone beside)",
        "(to t (empty)) (require (some beside (beside t) (in beside (empty)))) (put Stone t)",
        "(to t (empty)) (let beside (beside t)) (require (any (and beside (empty)))) (put Stone t)",
    ] {
        assert_eq!(codes(&game(text)), [], "{text}");
    }
}

#[test]
fn halves_stand_where_scores_are_made() {
    let komi = "(option Komi (range 0 2 0.5) 0.5 \"Points.\")";
    let score =
        |body: &str| wrapped(&format!("{komi} (end (if (none (empty)) (by-score p {body})))"));
    assert_eq!(codes(&score("(+ (count (of p)) (case p (White Komi) (else 0)))")), []);
    assert_eq!(codes(&score("(+ (count (of p)) (* 2 Komi))")), []);
    assert_eq!(codes(&score("(/ Komi 2)")), [Code::HalfNotAllowed]);
    let memory = format!("{komi} (remember Total number Komi) (end (if (= Total 1) (draw)))");
    assert_eq!(codes(&wrapped(&memory)), [Code::HalfNotAllowed]);
    let defined =
        format!("{komi} (define Bonus (+ Komi 1)) (end (if (> (count (empty)) Bonus) (draw)))");
    assert_eq!(codes(&wrapped(&defined)), []);
    let defined = format!(
        "{komi} (remember Total number) (define (Bonus (player p)) (case p (White Komi) (else 1)))
         (move step (set Total (Bonus mover)))"
    );
    assert_eq!(codes(&wrapped(&defined)), [Code::HalfNotAllowed]);
}

#[test]
fn only_the_branch_that_lives_must_fit_the_board() {
    let source = |corner: &str| {
        wrapped(&format!(
            "(option Wide (one-of yes no) no \"Whether.\")
             (define Corner {corner})
             (define Wing (sites e5 a9))
             (setup (put Stone (case Wide (yes Wing) (no Corner)) White))"
        ))
    };
    assert_eq!(codes(&source("(case Wide (yes (row 9)) (no (row 3)))")), []);
    assert_eq!(codes(&source("(case Wide (yes (row x)) (no (row 3)))")), [Code::UnknownName]);
    assert_eq!(codes(&source("(case Wide (yes (row 3)) (no (row 9)))")), [Code::OutOfRange]);
    let wide = look(&source("(row 3)"), &[("Wide".into(), "yes".into())]);
    // Two unknown sites make one finding.
    assert_eq!(
        wide.findings
            .iter()
            .map(|finding| (finding.code, finding.others.len()))
            .collect::<Vec<_>>(),
        [(Code::UnknownSite, 1)]
    );
}

#[test]
fn choices_are_compared_by_value() {
    let source = wrapped(
        "(option Komi (range 0 2 0.5) 0.5 \"Points.\") (end (if (> (count (empty)) Komi) (draw)))",
    );
    let choose = |choices: &[(&str, &str)]| {
        let choices: Vec<(String, String)> =
            choices.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        look(&source, &choices)
    };
    let value = |checked: &Checked| {
        checked.rules.as_ref().map(|rules| rules.options[0].values[rules.options[0].chosen].clone())
    };
    assert_eq!(value(&choose(&[])).as_deref(), Some("0.5"));
    for spelling in [".5", "0.5", "0.50"] {
        assert_eq!(value(&choose(&[("Komi", spelling), ("Komi", "0.5")])).as_deref(), Some("0.5"));
    }
    let fault = |choices| {
        let faults = choose(choices).choice_faults;
        assert_eq!(faults.len(), 1, "{faults:?}");
        (faults[0].message.clone(), faults[0].help.clone().unwrap_or_default())
    };
    assert_eq!(
        fault(&[("komi", "1")]),
        (
            "the game has no option `komi`".into(),
            "did you mean `Komi`? Its options are `Komi`".into()
        )
    );
    assert_eq!(
        fault(&[("Komi", "7")]),
        (
            "`7` is not a value of the option `Komi`".into(),
            "its values are 0 to 2 in steps of 0.5".into()
        )
    );
    assert_eq!(
        fault(&[("Komi", "1"), ("Komi", "2")]).0,
        "the option `Komi` is given twice, as `1` and as `2`"
    );
}

#[test]
fn symbols_are_initials() {
    let symbols = |parts: &str| {
        let rules = look(&wrapped(parts), &[]).rules.expect("a sound game");
        rules.pieces.into_iter().map(|piece| piece.symbols.join(" ")).collect::<Vec<_>>()
    };
    assert_eq!(symbols(""), ["W B"]);
    assert_eq!(symbols("(piece Wall unowned)"), ["W B", "Wa"]);
    assert_eq!(symbols("(piece Wall unowned \"W\")"), ["Wh B", "W"]);
    assert_eq!(symbols("(piece King)"), ["S s", "K k"]);
}

#[test]
fn statements_know_their_place() {
    for (parts, expected) in [
        ("(setup (require (any (empty))))", Code::Misplaced),
        ("(end (put Stone a1))", Code::Misplaced),
        ("(move step (choose drop))", Code::Misplaced),
        ("(move step (join a1))", Code::Misplaced),
        ("(define Act (choose drop)) (move step (Act))", Code::Misplaced),
        ("(define Need (require (any (empty)))) (setup (Need))", Code::Misplaced),
        (
            "(define Grow (join a1)) (setup (chain s a2 (put Stone s) (Grow)) (Grow))",
            Code::Misplaced,
        ),
        ("(define A B) (define B (and A true))", Code::RecursiveDefinition),
        ("(define Idle (forever (turn White)))", Code::NoPly),
        ("(define Idle (let n (count (empty))) (choose drop))", Code::Misplaced),
        ("(define Idle (for s (empty) (choose drop)))", Code::Misplaced),
    ] {
        let codes = codes(&wrapped(parts));
        let errors: Vec<Code> =
            codes.into_iter().filter(|code| code.severity() == Severity::Error).collect();
        assert_eq!(errors, [expected], "{parts}");
    }
}

#[test]
fn definitions_that_are_constant_are_constants() {
    let rules =
        look(&wrapped("(define Ways (list N E)) (define Few (+ 1 2)) (end (if (= (count d Ways (in a1 (empty))) Few) (draw)))"), &[]).rules;
    let rules = rules.expect("a sound game");
    let Statement::If { condition, .. } = &rules.end[0].node else { panic!("{:?}", rules.end) };
    let Condition::Compare(Comparison::Equal, left, right) = &condition.node else {
        panic!("{condition:?}")
    };
    assert!(matches!(right.node, Number::Constant(6)));
    let Number::CountWhere(binder, _) = &left.node else { panic!("{left:?}") };
    let Domain::Directions(directions) = &binder.domain else { panic!("{binder:?}") };
    assert!(matches!(&directions.node, Directions::Fixed(fixed) if fixed.len() == 2));
}

#[test]
fn every_word_of_the_shipped_games_parses() {
    // The mutations above rely on `tokens` to keep the whole text.
    for (name, source) in &games() {
        let flat = |source: &str| parse(source).forms.iter().map(shape).collect::<Vec<_>>();
        assert_eq!(flat(source), flat(&tokens(source).join(" ")), "{name}");
    }
}

fn shape(node: &Node) -> String {
    match node.as_form() {
        Some(parts) => format!("({})", parts.iter().map(shape).collect::<Vec<_>>().join(" ")),
        None => node.as_word().or(node.as_text()).unwrap_or("number").to_owned(),
    }
}

#[test]
fn every_name_is_found_where_it_is_used() {
    for (name, source) in &games() {
        let names = look(source, &[]).names;
        for declared in names.iter() {
            for span in declared.uses.iter().chain([&declared.span]) {
                assert_eq!(span.text(source), declared.name, "{name}");
                assert_eq!(names.at(span.start), Some(declared), "{name}");
                assert_eq!(names.at(span.end), Some(declared), "{name}");
            }
        }
        // Renaming every mention keeps the game valid.
        for declared in names.iter() {
            let new = format!("{}x", declared.name);
            let mut places: Vec<Span> =
                declared.uses.iter().chain([&declared.span]).copied().collect();
            places.sort_unstable();
            let renamed = Fix {
                title: String::new(),
                edits: places.into_iter().map(|span| Edit { span, text: new.clone() }).collect(),
            };
            let findings = look(&renamed.applied(source), &[]).findings;
            assert!(findings.is_empty(), "{name} with {new}: {findings:?}");
        }
    }
}

/// A move that a variant omits is left out of every `choose` of the base game.
#[test]
fn an_omitted_move_is_left_out_of_the_choices() {
    const BASE: &str = "(game \"Base\" (players A B) (board (square 3)) (piece Stone \"S\")
        (move drop (to t (empty)) (put Stone t)) (move castle (at s (mine)) (remove s))
        (play (turns (choose drop castle (otherwise (draw))))) (repetition 3 (draw)))";
    let look = |variant: &str| {
        let text = format!("(variant-of \"base\" \"Variant\" {variant})");
        let sources = Sources::gather(Fetched::new("main", &*text), &mut |_, name| {
            Ok(Fetched::new(name, BASE))
        });
        check(&sources, &[])
    };
    let checked = look("(omit castle)");
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
    let rules = checked.rules.expect("rules");
    assert_eq!(rules.moves.len(), 1);
    for (variant, message) in [
        ("(omit castle drop)", "nothing is left to choose here: all of these moves are left out"),
        (
            "(omit castle) (play (turns (choose castle)))",
            "`castle` is left out by `(omit castle)`, and is used here",
        ),
    ] {
        let messages: Vec<String> =
            look(variant).findings.into_iter().map(|finding| finding.message).collect();
        assert_eq!(messages, [message], "{variant}");
    }
}

/// Variants of variants add to a look, to every `choose` of their bases and to definitions.
#[test]
fn variants_add_to_their_bases() {
    const BASE: &str = "(game \"Base\" (players A B) (board (square 3)) (piece Stone \"S\")
        (define (Settle (site t))) (define Home (row 1)) (remember Last site)
        (move drop (to t (and (empty) Home)) (put Stone t) (Settle t)) (move pass)
        (play (turns (choose drop pass (otherwise (choose drop)))))
        (look (grid points) (shape Stone A ring) (shape Stone B disc) (color A white)) (repetition 3 (draw)))";
    const MIDDLE: &str = "(variant-of \"base\" \"Middle\" (move lift (at s (mine)) (remove s))
        (add (choose drop lift)) (add (look (shape Stone A star) (color A red)))
        (add (define (Settle (site t)) (set Last t))))";
    const OUTER: &str = "(variant-of \"middle\" \"Outer\" (move roll (put Stone c3)) (move leap (remove Last))
        (add (choose lift leap pass roll)) (add (choose drop roll)) (add (define Home (row 2) (column \"c\")))
        (add (define (Settle (site t)) (let x t) (remove (and x (row 1))))) (add (look (color A blue))))";
    let checked = |outer: &str| {
        let sources = Sources::gather(Fetched::new("main", outer), &mut |_, name| {
            Ok(Fetched::new(name, if name == "base" { BASE } else { MIDDLE }))
        });
        check(&sources, &[])
    };
    let outer = checked(OUTER);
    assert!(outer.findings.is_empty(), "{:?}", outer.findings);
    let rules = outer.rules.expect("rules");
    assert_eq!(rules.look.of_player(PlayerId(0)), Color::named("blue"));
    let shape = |player| {
        rules.look.figure(PieceId(0), Some(PlayerId(player))).and_then(|figure| figure.shape)
    };
    assert_eq!([shape(0), shape(1)], [Some(Shape::Star), Some(Shape::Disc)]);
    let verbs = |moves: &[MoveId]| {
        let verb = |id: &MoveId| rules.moves[id.index()].verb.as_str();
        moves.iter().map(verb).collect::<Vec<_>>().join(" ")
    };
    let [Spanned { node: Statement::Turns(turn), .. }] = &rules.play[..] else { panic!("turns") };
    let [Spanned { node: Statement::Choose { moves, otherwise, .. }, .. }] = &turn[..] else {
        panic!("a choice")
    };
    assert_eq!(verbs(moves), "drop lift roll leap pass");
    let Some([Spanned { node: Statement::Choose { moves, .. }, .. }]) = otherwise.as_deref() else {
        panic!("a choice")
    };
    assert_eq!(verbs(moves), "drop lift roll leap pass");
    let lengths: Vec<usize> = rules
        .definitions
        .iter()
        .map(|definition| match &definition.body {
            Value::Statements(statements) => statements.len(),
            Value::Sites(Spanned { node: Sites::Or(regions), .. }) => regions.len(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(lengths, [3, 3]);
    let alone = look(BASE, &[]);
    assert!(alone.findings.iter().all(|finding| finding.code == Code::Unused), "{alone:?}");
    // A variant that replaces what an inner one adds to starts afresh.
    let afresh = checked(
        "(variant-of \"middle\" \"Outer\" (look (shape Stone ring)) (define (Settle (site t)) (set Last t))
        (play (turns (choose drop lift pass))) (define Home (row 3)))",
    );
    assert!(afresh.findings.is_empty(), "{:?}", afresh.findings);
    let rules = afresh.rules.expect("rules");
    assert_eq!(rules.look.of_player(PlayerId(0)), None);
    let figure = |player| rules.look.figure(PieceId(0), Some(PlayerId(player)));
    assert_eq!(figure(0).map(|figure| figure.shape), figure(1).map(|figure| figure.shape));
    let Value::Statements(settle) = &rules.definitions[0].body else { panic!("statements") };
    assert_eq!(settle.len(), 1);
}

/// With three players, a `lose` that only a variant adds lets players drop out, too.
#[test]
fn players_drop_out_by_what_a_variant_adds() {
    const BASE: &str = "(game \"Base\" (players A B C) (board (square 2)) (piece Stone \"S\")
        (define Finish (if (none (empty)) (draw))) (move drop (to t (empty)) (put Stone t))
        (play (turns (choose drop))) (end Finish))";
    let sources = Sources::gather(
        Fetched::new(
            "main",
            "(variant-of \"base\" \"Variant\" (add (define Finish (if (any (and a1 (mine))) (lose mover)))))",
        ),
        &mut |_, name| Ok(Fetched::new(name, BASE)),
    );
    let rules = check(&sources, &[]).rules.expect("rules");
    let game = ludwright::engine::game::Game::compile(rules).expect("a game");
    let mut state = game.begin().expect("it begins");
    let movers = ["drop a1", "drop b1", "drop a2"].map(|text| {
        let ply = ludwright::why::read(&state, text).expect("a legal ply");
        state.play(&ply).expect("it is legal");
        ludwright::notation::turn(game.rules(), state.turn()).to_owned()
    });
    assert_eq!(movers, ["B", "C", "B"], "A has dropped out");
}

/// The symbols of further players are made from the only one that is given.
#[test]
fn one_symbol_is_enough() {
    const GAME: &str =
        "(game \"Three\" (players A B C) (board (square 3)) (piece Stone \"K\") (piece Queen \"q\")
        (move drop (to t (empty)) (put Stone t)) (move crown (to t (empty)) (put Queen t))
        (play (turns (choose drop crown))))";
    let rules = look(GAME, &[]).rules.expect("rules");
    let symbols: Vec<&[String]> = rules.pieces.iter().map(|piece| &*piece.symbols).collect();
    assert_eq!(symbols, [["K", "k", "K3"], ["q", "Q", "Q3"]]);
}
