//! Every example in the table of ludemes, put where it belongs in a small game, checks.

use ludwright::language::finding::Severity;
use ludwright::language::ludemes::{Kind, TABLE, rows};
use ludwright::language::sources::{Fetched, Sources, Unfetched};
use ludwright::language::{Checked, check};
use ludwright::syntax::parse;

/// What the examples speak of.
const NAMES: &str = "
  (players White Black)
  (option Grid (one-of hex square) square \"The grid.\")
  (piece Stone)
  (piece Shell unowned)
  (remember Total number)
  (remember Fresh sites)
  (remember Moved sites travelling)
  (move drop (to t (empty)) (put Stone t))
  (move pass)
  (move roll (number n 1 6) (raise Total n))";

/// What every game has, unless the example brings its own.
const PARTS: [(&str, &str); 2] = [("board", "(board (square 3))"), ("play", "(play (turns (choose drop pass)))")];

/// Puts an example into a game, by its head and what it is.
fn game(example: &str) -> String {
    let tree = parse(example);
    let (head, _) = tree.forms[0].head().unwrap_or_else(|| panic!("{example} is no form"));
    // Those of the variant and of what is included stand in for whole files.
    match head {
        "variant-of" | "definitions" => return example.to_owned(),
        "default" | "omit" => return format!("(variant-of \"noughts.game\" \"Example\" {example})"),
        _ => {}
    }
    let result = rows(head).next().unwrap_or_else(|| panic!("{head} is no ludeme")).result;
    if head == "game" {
        return with_names_besides(example);
    }
    let part = match result {
        Kind::Part => example.to_owned(),
        // Whatever its type: a name can be given to it.
        Kind::Number | Kind::Condition | Kind::Sites | Kind::Any => format!("(move try (let value {example}))"),
        Kind::Statement
            if example.contains("(draw)") || example.contains("(win") || example.contains("(lose") || example.contains("(by-score") =>
        {
            format!("(end {example})")
        }
        Kind::Statement => format!("(move try {example})"),
        _ => panic!("nowhere to put {example}"),
    };
    // A part that the example brings stands in for ours: `drop`, `roll` and `pass` among them.
    let mut names = NAMES.to_owned();
    if let Some(name) = tree.forms[0].as_form().and_then(|parts| parts.get(1)?.as_word()) {
        for head in ["option", "piece", "remember", "move"] {
            let start = format!("({head} {name}");
            if let Some(at) = names.find(&start)
                && result == Kind::Part
            {
                let line = names[at..].find('\n').map_or(names.len(), |end| at + end);
                names.replace_range(at..line, "");
            }
        }
    }
    if head == "players" {
        names = names.replacen("(players White Black)", "", 1);
    }
    let missing = PARTS.iter().filter(|(word, _)| *word != head).map(|(_, part)| *part);
    format!("(game \"Example\" {names} {part} {})", missing.collect::<Vec<_>>().join(" "))
}

/// A whole game may lack what its example does not show.
fn with_names_besides(example: &str) -> String {
    let own = example.strip_suffix(')').unwrap_or(example);
    format!("{own} (piece Stone) (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))))")
}

/// Checks an example, with the files that it may name: a base for variants, and something to include.
fn check_example(example: &str) -> Checked {
    const BASE: &str =
        "(game \"Noughts\" (players X O) (option Size (range 3 9) 3 \"Sites along each side.\") (board (square Size)) (piece Stone)
        (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))) (repetition 3 (draw)))";
    let (main, included) = match game(example) {
        text if text.starts_with("(definitions") => (game("(include \"edges.game\")"), text),
        text => (text, game("(definitions (define Rim (row 1)))")),
    };
    let sources = Sources::gather(Fetched::new("main", main), &mut |_, name| match name {
        "noughts.game" => Ok(Fetched::new(name, BASE)),
        "edges.game" => Ok(Fetched::new(name, included.clone())),
        _ => Err(Unfetched::Unreadable("no such file".into())),
    });
    check(&sources, &[])
}

#[test]
fn every_example_checks() {
    let mut faults = Vec::new();
    for row in TABLE {
        let checked = check_example(row.example);
        let errors = checked.findings.iter().filter(|finding| finding.severity() == Severity::Error);
        faults.extend(errors.map(|finding| format!("{}: {}", row.example, finding.message)));
        if checked.rules.is_none() {
            faults.push(format!("{}: no rules", row.example));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_example_shows_its_ludeme() {
    for row in TABLE {
        let shown = |text: &str| text.split(['(', ')', ' ']).any(|word| word == row.spelling);
        assert!(shown(row.example), "{} in {}", row.spelling, row.example);
    }
}
