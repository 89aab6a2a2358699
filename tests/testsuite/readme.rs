//! What the README shows is so.

use ludwright::cases::Runner;

/// The fenced blocks of a page in that language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or("").to_owned()).collect()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The lines that are not blank.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

#[test]
fn the_tour_shows_the_whole_of_cicada() {
    let blocks = blocks(&read("README.md"), "scheme");
    assert!(!blocks.is_empty());
    let game = read("games/cicada.game");
    // What the game says of itself is left out, and its look, which comes last.
    let start = game.find("  (author").expect("an author");
    let end = game.find("  (players").expect("players");
    let look = game.find("\n\n  (look").expect("a look");
    let shown = blocks.concat();
    assert_eq!(lines(&shown), lines(&format!("{}{})", &game[..start], &game[end..look])));
}

#[test]
fn the_variant_is_the_one_in_the_repository() {
    let blocks = blocks(&read("README.md"), "lisp");
    let game = read("games/hexomino-cicada.game");
    // What the game says of itself is left out.
    let shown: Vec<&str> = lines(&game).into_iter().filter(|line| !line.starts_with("  (about")).collect();
    assert_eq!(lines(&blocks[0]), shown);
}

#[test]
fn the_rust_program_is_one_of_the_documentation() {
    let blocks = blocks(&read("README.md"), "rust");
    let tested = read("src/library/players.rs");
    let tested: Vec<&str> =
        tested.lines().filter_map(|line| line.strip_prefix("//!")).map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let shown: Vec<&str> = blocks[0].lines().collect();
    assert!(tested.windows(shown.len()).any(|lines| lines == shown), "{tested:#?}");
}

#[test]
fn the_rule_case_passes() {
    let page = read("README.md");
    let cases = blocks(&page, "text");
    assert!(!cases.is_empty());
    let game = read("games/kitaran.game");
    let mut runner = Runner::new(&game);
    for case in cases {
        let report = runner.run(&case, &[]);
        assert!(report.passed(), "{}", report.explain());
        assert!(!report.title.is_empty());
    }
}

#[test]
fn the_misspelt_word_is_found_as_shown() {
    let page = read("README.md");
    let session = blocks(&page, "console").into_iter().next().expect("a session");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    std::fs::create_dir_all(&path).expect("a folder");
    std::fs::write(path.join("kitaran.game"), read("games/kitaran.game").replace("(beside s)", "(besides s)")).expect("a file");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ludwright"));
    let output = command.current_dir(&path).args(["check", "kitaran.game"]).output().expect("the binary");
    let shown = format!("$ ludwright check kitaran.game\n{}{}", text(&output.stderr), text(&output.stdout));
    assert_eq!(lines(&session), lines(&shown));
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn every_command_is_listed() {
    let page = read("README.md");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ludwright"));
    let help = text(&command.arg("--help").output().expect("the binary").stdout);
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1).take_while(|line| line.starts_with("  "));
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect();
    assert!(names.contains(&"play"), "{help}");
    for name in names {
        assert!(page.contains(&format!("| `{name}")), "the README does not list `{name}`");
    }
}
