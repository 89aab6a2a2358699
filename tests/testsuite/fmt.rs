//! The standard layout: formatting is idempotent, changes only white space, and does not depend on
//! the previous layout.

use ludwright::language::check;
use ludwright::language::format::format;
use ludwright::language::sources::{FetchError, Fetched, Sources};
use ludwright::random::Random;
use ludwright::syntax::{Comment, Node, NodeKind, Tree, parse};
use std::path::{Path, PathBuf};

/// Returns all rules files of the folders.
fn files(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for folder in folders {
        for entry in
            Path::new(folder).read_dir().unwrap_or_else(|error| panic!("{folder}: {error}"))
        {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|end| end == "game") {
                let text = std::fs::read_to_string(&path).expect("text");
                files.push((path, text));
            }
        }
    }
    files.sort_unstable();
    files
}

fn shipped() -> Vec<(PathBuf, String)> {
    files(&["games", "tests/games", "src/templates"])
}

fn all() -> Vec<(PathBuf, String)> {
    files(&[
        "games",
        "tests/games",
        "src/templates",
        "tests/plain/games",
        "tests/findings",
        "tests/commands",
        "tests/commands/parts",
    ])
}

/// Meaning of a file: the typed rules without spans, or the findings.
fn meaning(path: &Path, text: &str) -> String {
    let folder = path.parent().expect("a folder");
    let main = Fetched::new(path.file_name().expect("a name").to_string_lossy(), text);
    let sources = Sources::gather(main, &mut |_, wanted| {
        let text = std::fs::read_to_string(folder.join(wanted))
            .map_err(|_| FetchError::Unreadable("gone".into()))?;
        Ok(Fetched::new(wanted, text))
    });
    let checked = check(&sources, &[]);
    let findings: Vec<String> = checked
        .findings
        .iter()
        .map(|finding| format!("{}: {}", finding.code.name(), finding.message))
        .collect();
    let rules = checked.rules.map(|mut rules| {
        rules.files = Sources::named("", "");
        format!("{rules:?}")
    });
    // Removes a hash map of the labels, whose order varies.
    let rules = rules.unwrap_or_default();
    let (before, table) = rules.split_once("by_label: {").unwrap_or((&rules, "}"));
    let rules = format!("{before}{}", table.split_once('}').expect("its end").1);
    // Removes spans: `Span { start: 1, end: 2 }` becomes `Span`.
    let mut parts = rules.split("Span { ");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = parts.map(|part| part.split_once('}').expect("a bracket").1).collect();
    format!("{first}{}\n{}", rest.join("Span"), findings.join("\n"))
}

/// Tokens including brackets, without positions.
fn tokens(tree: &Tree, source: &str) -> Vec<String> {
    fn add(nodes: &[Node], source: &str, tokens: &mut Vec<String>) {
        for node in nodes {
            match &node.kind {
                NodeKind::Form(parts) => {
                    tokens.push("(".into());
                    add(parts, source, tokens);
                    tokens.push(")".into());
                }
                _ => tokens.push(node.span.text(source).to_owned()),
            }
        }
    }
    let mut tokens = Vec::new();
    add(&tree.forms, source, &mut tokens);
    tokens
}

fn comments(tree: &Tree) -> Vec<String> {
    tree.comments.iter().map(|comment: &Comment| comment.text.clone()).collect()
}

/// Formats a text that can be formatted, and checks the invariants of every layout.
fn laid_out(source: &str) -> String {
    let text = format(source).unwrap_or_else(|findings| panic!("{findings:?}\n{source}"));
    let (before, after) = (parse(source), parse(&text));
    assert_eq!(after.faults, []);
    assert_eq!(tokens(&before, source), tokens(&after, &text), "{source}");
    assert_eq!(comments(&before), comments(&after), "{source}\n---\n{text}");
    assert_eq!(format(&text).expect("it has no fault"), text, "from\n{source}");
    assert!(text.is_empty() || text.ends_with('\n'));
    text
}

#[test]
fn what_is_shipped_is_laid_out() {
    for (path, text) in shipped() {
        assert!(laid_out(&text) == text, "run `ludwright fmt {}`", path.display());
    }
}

#[test]
fn what_a_file_means_stays() {
    let mut plain = 0;
    for (path, text) in all() {
        if !parse(&text).faults.is_empty() {
            let findings = format(&text).expect_err("it has a fault");
            assert!(!findings.is_empty(), "{}", path.display());
            continue;
        }
        plain += 1;
        let written = meaning(&path, &text);
        assert!(
            is_of_layout(&written) || meaning(&path, &laid_out(&text)) == written,
            "{}",
            path.display()
        );
    }
    assert!(plain > 60, "{plain}");
}

/// Tests if the meaning has a finding that depends on indentation.
fn is_of_layout(meaning: &str) -> bool {
    meaning.contains("\nmisplaced-bracket: ")
}

/// Splits a text into tokens and comments, each with the white space before it, and the white space
/// at the end.
fn pieces(source: &str) -> (Vec<(&str, &str)>, &str) {
    let tree = parse(source);
    let mut spans: Vec<(usize, usize)> =
        tree.comments.iter().map(|comment| (comment.span.start, comment.span.end)).collect();
    fn add(nodes: &[Node], spans: &mut Vec<(usize, usize)>) {
        for node in nodes {
            let (start, end) = (node.span.start, node.span.end);
            match &node.kind {
                NodeKind::Form(parts) => {
                    spans.extend([(start, start + 1), (end - 1, end)]);
                    add(parts, spans);
                }
                _ => spans.push((start, end)),
            }
        }
    }
    add(&tree.forms, &mut spans);
    spans.sort_unstable();
    let mut from = 0;
    let mut pieces = Vec::new();
    for (start, end) in spans {
        pieces.push((&source[from..start], &source[start..end]));
        from = end;
    }
    (pieces, &source[from..])
}

/// Replaces white space at random, also between brackets where there was none. Blank lines and the
/// lines of comments remain.
fn mangled(source: &str, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    let mut before = "";
    let (pieces, end) = pieces(source);
    for (blanks, token) in pieces {
        let beside_bracket =
            before.is_empty() || before.ends_with(['(', ')']) || token.starts_with(['(', ')']);
        let chosen = match random.below(5) {
            0 if beside_bracket => "",
            0 | 1 => " ",
            2 => "\n",
            3 => "\t \r\n   ",
            _ => "                                                                 ",
        };
        let fixed =
            blanks.matches('\n').count() > 1 || token.starts_with(';') || before.starts_with(';');
        text.push_str(if fixed { blanks } else { chosen });
        text.push_str(token);
        before = token;
    }
    text + end
}

/// The number of texts that are made at random for each property.
const CASES: u64 = 50;

#[test]
fn however_a_game_was_laid_out_it_becomes_the_same() {
    let shipped = shipped();
    for seed in 0..CASES {
        for (path, text) in shipped.iter().skip(seed as usize % 4).step_by(4) {
            let mangled = mangled(text, seed);
            assert!(laid_out(&mangled) == *text, "{}\n{mangled}", path.display());
        }
    }
}

#[test]
fn whatever_the_file_its_meaning_stays() {
    let mut files = all();
    files.retain(|(_, text)| parse(text).faults.is_empty());
    let mut random = Random::new(1);
    for seed in 0..CASES {
        let (path, text) = &files[random.below(files.len() as u32) as usize];
        let written = meaning(path, text);
        let again = meaning(path, &laid_out(&mangled(text, seed)));
        assert!(is_of_layout(&written) || again == written, "{again}\n{written}");
    }
}

/// Returns up to 79 words.
fn words(random: &mut Random) -> Vec<&'static str> {
    (0..random.below(80)).map(|_| WORDS[random.below(WORDS.len() as u32) as usize]).collect()
}

#[test]
fn any_text_is_laid_out_or_refused() {
    let mut random = Random::new(1);
    for _ in 0..20 * CASES {
        let text = words(&mut random).concat();
        if parse(&text).faults.is_empty() {
            laid_out(&text);
        } else {
            assert!(format(&text).is_err(), "{text}");
        }
    }
}

#[test]
fn any_balanced_text_is_laid_out() {
    let mut random = Random::new(1);
    for _ in 0..CASES {
        laid_out(&balanced(&words(&mut random)));
    }
}

const WORDS: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    " ",
    " ",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "; note\n",
    "\n; note\n",
    "\n   ;note\n",
    ";\n",
    "if",
    "define",
    "play",
    "game",
    "case",
    "choose",
    "where",
    "option",
    "move",
    "\"text\"",
    "\"two\nlines\"",
    "Name",
    "12",
    "and",
    "a-word-that-is-rather-long-and-fills-the-line",
    "(count (empty))",
];

/// Removes unmatched closing brackets, and closes open ones.
fn balanced(words: &[&str]) -> String {
    let mut text = String::new();
    let mut open = 0_usize;
    for word in words {
        match *word {
            "(" => open += 1,
            ")" if open == 0 => continue,
            ")" => open -= 1,
            _ => {}
        }
        text.push_str(word);
        // Adjacent words would merge.
        text.push_str(if word.starts_with(|letter: char| letter.is_alphanumeric()) {
            " "
        } else {
            ""
        });
    }
    text + "\n" + &")".repeat(open)
}

#[test]
fn comments_stay_where_they_are_written() {
    for (text, expected) in [
        ("", ""),
        ("\n\n; alone\n\n\n", "; alone\n"),
        ("\u{feff}(a)\r\n\r\n\r\n(b) ; end\r\n", "(a)\n\n(b)  ; end\n"),
        (
            "(play ; first\n (turns (choose drop) ; then\n ) )",
            "(play                     ; first\n  (turns (choose drop)))  ; then\n",
        ),
        ("(a ; one\n   ; and more\n b)", "(a  ; one\n    ; and more\n  b)\n"),
        ("( ; before\n a)", "; before\n(a)\n"),
        ("(play\n  ; nothing yet\n)", "(play\n  ; nothing yet\n)\n"),
        ("(a (b c ; deep\n) ; outer\n)", "(a (b c))  ; deep\n           ; outer\n"),
    ] {
        assert_eq!(laid_out(text), expected, "{text}");
    }
}

#[test]
fn a_file_that_would_grow_too_large_is_refused() {
    let deep = format!("{}{}{}", "(and ".repeat(150), "(mine)\n".repeat(40_000), ")".repeat(150));
    let findings = format(&deep).expect_err("it would be too large");
    assert_eq!(findings[0].code.name(), "file-too-large");
}
