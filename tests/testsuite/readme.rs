//! The README, the guides and the architecture document are correct.

use crate::cli::commands;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A fenced block of a page, with the comment above it.
struct Block {
    language: String,
    text: String,
    note: Option<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut note = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let text = body.iter().map(|line| format!("{line}\n")).collect();
            found.push(Block { language: language.to_owned(), text, note: note.take() });
        } else {
            note = line
                .strip_prefix("<!-- ")
                .and_then(|line| line.strip_suffix(" -->"))
                .map(str::to_owned);
        }
    }
    found
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The README and the guides, sorted by name.
fn pages() -> Vec<String> {
    let guides = std::fs::read_dir("grammar/guides").expect("the guides");
    let guides = guides.map(|entry| entry.expect("an entry").path().display().to_string());
    let mut pages: Vec<String> = guides.chain(["README.md".to_owned()]).collect();
    pages.sort();
    pages
}

/// Blocks of the pages in a language, except those that are files.
fn texts(language: &str) -> Vec<String> {
    let texts: Vec<String> = pages()
        .iter()
        .flat_map(|page| blocks(&read(page)))
        .filter(|block| block.language == language && block.note.is_none())
        .map(|block| block.text)
        .collect();
    assert!(!texts.is_empty(), "{language}");
    texts
}

/// Lines that are not blank.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.trim().is_empty()).collect()
}

#[test]
fn the_tour_shows_the_whole_of_cicada() {
    let game = read("games/cicada.game");
    // The guide omits the information about the game, its look and its claims.
    let start = game.find("  (author").expect("an author");
    let end = game.find("  (players").expect("players");
    let look = game.find("\n\n  (look").expect("a look");
    let shown = texts("scheme").concat();
    assert_eq!(lines(&shown), lines(&format!("{}{})", &game[..start], &game[end..look])));
}

#[test]
fn the_variant_is_the_one_in_the_repository() {
    let game = read("games/hexomino-cicada.game");
    // The guide omits the information about the game.
    let shown: Vec<&str> =
        lines(&game).into_iter().filter(|line| !line.starts_with("  (about")).collect();
    assert_eq!(lines(&texts("lisp")[0]), shown);
}

#[test]
fn the_rust_program_is_one_of_the_documentation() {
    let tested = read("src/library/players.rs");
    let tested: Vec<&str> = tested
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let program = &texts("rust")[0];
    let shown: Vec<&str> = program.lines().collect();
    assert!(tested.windows(shown.len()).any(|lines| lines == shown), "{tested:#?}");
}

/// Copies a folder recursively.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// Splits a command line at blanks, except within double quotes.
fn words(line: &str) -> Vec<String> {
    let quoted = line.split('"').enumerate();
    let words = quoted.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Returns the input in a line such as `Black> place b2` or `> query moves`.
fn typed(line: &str) -> Option<&str> {
    let (who, typed) = line.split_once("> ")?;
    who.chars().all(char::is_alphanumeric).then_some(typed)
}

fn run(folder: &Path, command: &str, input: &str) -> Vec<String> {
    let words = words(command.strip_prefix("ludwright ").expect("a command of this program"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .current_dir(folder)
        .args(words)
        .env("LUDWRIGHT_STATE", folder.join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    // A command that does not read its input may have ended.
    let _ =
        std::io::Write::write_all(&mut child.stdin.take().expect("its input"), input.as_bytes());
    let output = child.wait_with_output().expect("its output");
    let text = [output.stderr, output.stdout]
        .map(|bytes| String::from_utf8(bytes).expect("text"))
        .concat();
    lines(&text).into_iter().map(timeless).collect()
}

/// Masks what depends on the speed of the computer.
fn timeless(line: &str) -> String {
    let time = fancy_regex::Regex::new(r"\d+\.\d\d s$").expect("an expression");
    time.replace(line.trim_end(), "TIME").into_owned()
}

/// Tests if the lines found match those shown, where `…` stands for any lines.
fn fits(shown: &[String], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first == "…" => {
            (0..=found.len()).any(|skipped| fits(rest, &found[skipped..]))
        }
        Some((first, rest)) => {
            found.split_first().is_some_and(|(line, others)| line == first && fits(rest, others))
        }
    }
}

/// Runs every session in the order of its page, in one folder with the files that the page shows.
#[test]
fn sessions_print_what_is_shown() {
    let sessions: usize = pages().iter().map(|page| run_sessions(page)).sum();
    assert!(sessions > 10, "{sessions}");
}

/// Returns how many sessions a page has.
fn run_sessions(page: &str) -> usize {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pages").join(page);
    let _ = std::fs::remove_dir_all(&folder);
    for part in ["games", "tests/survey", "tests/games", "tests/commands/formats"] {
        copy(Path::new(part), &folder.join(part));
    }
    let mut sessions = 0;
    for block in blocks(&read(page)) {
        if let Some(name) = block.note.as_ref().and_then(|note| note.strip_prefix("file: ")) {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, block.text).expect("a file");
            continue;
        }
        if block.language != "console" {
            continue;
        }
        // Some sessions show a file with a mistake.
        let spoilt = block.note.as_ref().and_then(|note| note.strip_prefix("with ")).map(|note| {
            let (name, change) = note.split_once(": ").expect("a name");
            let (from, to) = change.split_once(" => ").expect("a change");
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path).expect("a file");
            assert!(text.contains(from), "{note}");
            std::fs::write(&path, text.replace(from, to)).expect("a file");
            (path, text)
        });
        for session in block.text.split("$ ").skip(1) {
            let (command, rest) = session.split_once('\n').expect("a command");
            let input: String =
                rest.lines().filter_map(typed).map(|line| format!("{line}\n")).collect();
            let shown: Vec<String> = lines(rest)
                .into_iter()
                .filter(|line| typed(line).is_none())
                .map(timeless)
                .collect();
            let found = run(&folder, command, &input);
            assert!(
                fits(&shown, &found),
                "{page}: $ {command}\n{}\n\nshown\n{}",
                found.join("\n"),
                shown.join("\n")
            );
            sessions += 1;
        }
        if let Some((path, text)) = spoilt {
            std::fs::write(path, text).expect("a file");
        }
    }
    sessions
}

#[test]
fn what_is_elided_may_be_anything() {
    let text =
        |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
    assert!(fits(&text(&["a", "…", "c"]), &text(&["a", "b", "b", "c"])));
    assert!(!fits(&text(&["a", "…", "c"]), &text(&["a", "b"])));
    assert!(!fits(&text(&["a"]), &text(&["a", "b"])));
}

/// `cargo run --` of the README starts the program, whatever other binaries there are.
#[test]
fn the_program_is_what_runs() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let described = Command::new(cargo)
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .output()
        .expect("cargo");
    let described: serde_json::Value =
        serde_json::from_slice(&described.stdout).expect("a description");
    assert_eq!(described["packages"][0]["default_run"], "ludwright");
    assert!(read("README.md").contains("cargo run -- play"));
}

#[test]
fn every_command_is_listed() {
    let page: String = pages().iter().map(|page| read(page)).collect();
    for name in commands() {
        assert!(page.contains(&format!("| `{name}")), "no page lists `{name}`");
    }
}

/// Paths in backquotes that begin with a folder of the repository.
#[test]
fn every_path_that_is_named_exists() {
    let mut named = 0;
    for page in pages().into_iter().chain(["src/ARCHITECTURE.md".to_owned()]) {
        let text = read(&page);
        let quoted = text.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
        let folders = ["src/", "tests/", "games/", "grammar/", ".ci/"];
        let paths = quoted.filter(|word| {
            folders.iter().any(|folder| word.starts_with(folder)) && !word.contains([' ', '*'])
        });
        let paths: Vec<&str> = paths.filter(|path| !path.contains("STEM")).collect();
        named += paths.len();
        for path in paths {
            assert!(Path::new(path).exists(), "{page} names {path}");
        }
    }
    assert!(named > 20, "{named}");
}

/// Links between the pages lead somewhere: to a file, and to a heading of it.
#[test]
fn every_link_leads_somewhere() {
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|sign| sign.is_alphanumeric() || " -".contains(*sign));
        kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
    };
    let mut links = 0;
    for page in pages() {
        let text = read(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let folder = Path::new(&page).parent().expect("a folder");
            let file = if path.is_empty() { PathBuf::from(&page) } else { folder.join(path) };
            assert!(file.exists(), "{page} links to {link}");
            if !heading.is_empty() {
                let text = read(&file.display().to_string());
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(found, "{page} links to {link}");
            }
            links += 1;
        }
    }
    assert!(links > 5, "{links}");
}

/// The front door is short.
#[test]
fn the_readme_fits_into_a_sitting() {
    assert!(read("README.md").lines().count() <= 300);
}
