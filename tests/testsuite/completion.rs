//! Removes a word of a shipped game: completion at its place must include it.

use crate::snapshots_in;
use crate::support;
use ludwright::editor::completion::complete;
use ludwright::files::gather;
use ludwright::language::finding::Edit;
use ludwright::language::{check, names::Names};
use ludwright::random::Random;
use ludwright::syntax::{Node, Span, parse};
use std::path::Path;

/// Number of words removed per game.
const WORDS: usize = 60;

/// Words of a text that declare no name, in order.
fn words(text: &str, names: &Names) -> Vec<Span> {
    let mut words = Vec::new();
    let mut left: Vec<Node> = parse(text).forms;
    while let Some(node) = left.pop() {
        // Nothing refers to the name of a phase.
        let phase = node.head().is_some_and(|(head, _)| head == "phase");
        let declared = names.iter().any(|name| name.span == node.span);
        words.extend(node.as_word().filter(|_| !declared).map(|_| node.span));
        let parts = node.as_form().unwrap_or_default().iter();
        left.extend(
            parts
                .enumerate()
                .filter(|(index, _)| !(phase && *index == 1))
                .map(|(_, part)| part.clone()),
        );
    }
    words.sort();
    words
}

#[test]
fn a_word_that_was_there_is_offered() {
    let mut random = Random::new(7);
    let (mut asked, mut missed) = (0, Vec::new());
    for folder in ["games", "tests/games"] {
        for name in support::files(folder) {
            let path = Path::new(folder).join(format!("{name}.game"));
            let sources = gather(&path).expect("the file");
            let names = check(&sources, &[]).names;
            let text = sources.text_of(0);
            let words = words(text, &names);
            for _ in 0..WORDS.min(words.len()) {
                let span = words[random.below(words.len() as u32) as usize];
                let word = span.text(text);
                let without = sources.spliced(&Edit { span, text: String::new() });
                let offers = complete(&without, 0, span.start).candidates;
                asked += 1;
                if !offers.iter().any(|offer| offer.label == word) {
                    let line = text[..span.start].matches('\n').count() + 1;
                    missed.push(format!("{name}:{line}: {word}"));
                }
            }
        }
    }
    assert!(asked > 800, "{asked}");
    let share = 100.0 * (asked - missed.len()) as f64 / asked as f64;
    println!("{share:.1} % of {asked}");
    assert!(share >= 98.0, "{share:.1} % of {asked}; not {}", missed.join("\n"));
}

#[test]
fn offers_begin_with_what_fits_best() {
    let text = std::fs::read_to_string("games/swarm.game").expect("the file");
    let first = |before: &str| {
        let place = text.find(before).expect(before) + before.len();
        let end = place + text[place..].find([' ', ')', '\n']).expect("an end of the word");
        let without = format!("{}{}", &text[..place], &text[end..]);
        let offers = complete(&(&without).into(), 0, place).candidates;
        offers.into_iter().map(|offer| offer.snippet).take(4).collect::<Vec<String>>().join(" | ")
    };
    let shown = [
        "(put Cube (Edge p) ",
        "(for d (list ",
        "(relocate s ",
        "(beside s ",
        "(phase Entering (",
        "(case Steps (all all) (",
        "(remember Bonus ",
        "(define (Advance (",
    ]
    .map(|before| format!("{before}… {}", first(before)))
    .join("\n");
    snapshots_in("completion").bind(|| insta::assert_snapshot!(shown));
}

#[test]
fn a_variant_is_offered_the_headings_of_its_base() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("completion");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy("tests/games/chess.game", folder.join("chess.game")).expect("the base");
    let file = folder.join("variant.game");
    let offered = |added: &str| {
        let text = format!(
            "(variant-of \"chess.game\" \"Variant\" (define Own (mine)) (add (define {added})))"
        );
        let place = text.find('|').expect("a cursor");
        std::fs::write(&file, text.replace('|', "")).expect("the variant");
        let offers = complete(&gather(&file).expect("the files"), 0, place).candidates;
        offers.into_iter().map(|offer| offer.text).collect::<Vec<String>>()
    };
    let headings = [
        "LastRow",
        "(Aslant (site s) (player p))",
        "(Reach (site s) (player p))",
        "(Attacked (site s))",
        "(Advance (site s))",
        "Check",
        "(Settle (site s) (site t))",
    ];
    assert_eq!(offered("|"), headings);
    assert_eq!(offered("Ad| (mine)"), headings);
    assert_eq!(offered("(|)")[4..6], ["Advance (site s)", "Check"]);
    assert_eq!(offered("(A| (site s)) (mine)")[4..6], ["Advance", "Check"]);
}
