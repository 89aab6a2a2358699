//! `src/ARCHITECTURE.md` says what the code is: whatever it names in backquotes exists in the file
//! that is named beside it, and a recipe that names a variant names every file that matches on it.

use crate::floors;
use ludwright::language::ludemes::rows;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a page names in backquotes.
#[derive(Clone, Debug, PartialEq)]
enum Named {
    File(PathBuf),
    Item(String),
}

/// A paragraph, a row of a table or a step of a list, with what it names, in order.
struct Passage {
    section: String,
    names: Vec<Named>,
}

/// Resolves a path that is written from the root of the repository, or beside the path before it.
fn file(word: &str, before: Option<&Path>) -> Option<PathBuf> {
    let is_path =
        word.ends_with('/') || [".rs", ".js", ".sh", ".md"].iter().any(|end| word.ends_with(end));
    let from_root =
        ["src/", "tests/", "games/", "grammar/", ".ci/"].iter().any(|root| word.starts_with(root));
    if from_root {
        return Some(PathBuf::from(word));
    }
    (is_path && !word.contains(' ')).then(|| match before.and_then(Path::parent) {
        Some(folder) => folder.join(word),
        None => PathBuf::from(word),
    })
}

fn passages(page: &str) -> Vec<Passage> {
    let begins = |line: &str| {
        let is_step = line.trim_start_matches(|sign: char| sign.is_ascii_digit()).starts_with(". ");
        line.is_empty() || line.starts_with(['|', '#']) || is_step
    };
    let mut passages = Vec::new();
    let mut section = String::new();
    let mut text = String::new();
    let mut is_code = false;
    for line in page.lines().chain([""]) {
        is_code ^= line.starts_with("```");
        if is_code || line.starts_with("```") {
            continue;
        }
        if begins(line) {
            let mut names: Vec<Named> = Vec::new();
            for word in text.split('`').skip(1).step_by(2) {
                let before = names.iter().rev().find_map(|named| match named {
                    Named::File(path) => Some(path.as_path()),
                    Named::Item(_) => None,
                });
                let path = file(word, before);
                names.push(path.map_or(Named::Item(word.to_owned()), Named::File));
            }
            passages.push(Passage { section: section.clone(), names });
            text.clear();
        }
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.to_owned();
        }
        text += line;
        text += " ";
    }
    passages
}

/// The code of a file without its comments, or of all files in a folder.
fn code(path: &Path) -> String {
    if path.is_dir() {
        return floors::sources(path).iter().map(|path| code(path)).collect();
    }
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let lines = text.lines().map(|line| match line.trim_start().starts_with("//") {
        true => "\n".to_owned(),
        false => format!("{line}\n"),
    });
    lines.collect()
}

/// Returns what stands before and after a name, wherever it stands as a whole.
fn places<'t>(text: &'t str, name: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name).map(move |(at, name)| (&text[..at], &text[at + name.len()..])).filter(
        move |(before, after)| !before.ends_with(is_inside) && !after.starts_with(is_inside),
    )
}

fn holds(text: &str, name: &str) -> bool {
    places(text, name).next().is_some()
}

/// Tests if code holds every identifier of an item, such as both of `Board::is_wrapped`.
fn holds_item(text: &str, item: &str) -> bool {
    let names = item.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let mut names = names.filter(|name| !name.is_empty()).peekable();
    names.peek().is_some() && names.all(|name| holds(text, name))
}

/// Tests if text is typed at a shell: this program or `cargo`, with words and options that exist.
fn is_command(item: &str, options: &str) -> bool {
    let is_setting = |word: &&str| word.contains('=') && word.starts_with(char::is_uppercase);
    let mut words = item.split(' ').skip_while(is_setting).peekable();
    let is_known = |word: &str| {
        let name = word.trim_start_matches("--");
        let variant = name[..1].to_uppercase() + &name[1..];
        word.to_uppercase() == word || holds(options, name) || holds(options, &variant)
    };
    match words.peek() {
        Some(&"cargo") => true,
        _ => words.filter(|word| *word != "ludwright").all(is_known),
    }
}

fn page() -> Vec<Passage> {
    passages(&fs::read_to_string("src/ARCHITECTURE.md").expect("the page"))
}

#[test]
fn what_is_named_exists() {
    let modules: Vec<&str> = floors::FLOORS.into_iter().chain(floors::PROGRAM).collect();
    let options = code(Path::new("src/program/arguments.rs"));
    let mut faults = Vec::new();
    let mut checked = 0;
    for Passage { section, names } in page() {
        for (index, named) in names.iter().enumerate() {
            checked += 1;
            let item = match named {
                Named::File(path) if path.exists() => continue,
                Named::File(path) => {
                    faults.push(format!("{section}: {} does not exist", path.display()));
                    continue;
                }
                Named::Item(item) => item,
            };
            let is_file = |named: &&Named| matches!(named, Named::File(_));
            let before = names[..index].iter().rev().find(is_file);
            let beside = before.into_iter().chain(names[index..].iter().find(is_file));
            let is_held = beside.clone().any(|named| match named {
                Named::File(path) => holds_item(&code(path), item),
                Named::Item(_) => false,
            });
            // Code is named with its file; words of the language and of a shell may stand alone.
            let is_code = !item.contains([' ', '='])
                && (item.contains("::")
                    || item.starts_with(char::is_uppercase)
                    || item.ends_with('!'));
            let is_word = modules.contains(&&**item) || rows(item).next().is_some();
            let is_known = is_held || !is_code && (is_word || is_command(item, &options));
            if !is_known {
                let files: Vec<&Named> = beside.collect();
                faults.push(format!("{section}: `{item}` is not in {files:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 200, "{checked}");
}

/// Returns the sources that name a variant of an enum, or call a method of a type.
fn users(owner: &str, name: &str, sources: &[(PathBuf, String)]) -> BTreeSet<PathBuf> {
    let uses = |text: &str| {
        if name.starts_with(char::is_lowercase) {
            let is_own = text.contains(&format!("fn {name}("));
            return !is_own && text.contains(&format!(".{name}("));
        }
        let alias = places(text, &format!("{owner} as")).next().map(|(_, after)| {
            let end = |letter: char| !letter.is_alphanumeric();
            after.trim_start().split(end).next().unwrap_or_default()
        });
        let mut owners = alias.into_iter().chain([owner]);
        owners.any(|owner| holds(text, &format!("{owner}::{name}")))
    };
    let users = sources.iter().filter(|(_, text)| uses(text));
    users.map(|(path, _)| path.clone()).collect()
}

#[test]
fn recipes_name_every_match() {
    let mut faults = Vec::new();
    let mut checked = 0;
    let passages = page();
    let sources = floors::sources(Path::new("src")).into_iter();
    let sources: Vec<(PathBuf, String)> = sources.map(|path| (path.clone(), code(&path))).collect();
    for Passage { section, names } in &passages {
        let recipe = passages.iter().filter(|passage| passage.section == *section);
        let listed: Vec<&Named> = recipe.flat_map(|passage| &passage.names).collect();
        for named in names.iter().filter(|_| section.starts_with("How to add")) {
            let Named::Item(item) = named else { continue };
            let Some((owner, name)) = item.split_once("::") else { continue };
            let users = users(owner, name, &sources);
            assert!(!users.is_empty(), "nothing uses `{item}`");
            checked += users.len();
            let missing =
                users.into_iter().filter(|path| !listed.contains(&&Named::File(path.clone())));
            faults.extend(
                missing.map(|path| format!("{section}: `{item}` is in {}", path.display())),
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 30, "{checked}");
}

#[test]
fn what_does_not_exist_is_seen() {
    let passages =
        passages("## How\n\n1. `src/a/b.rs`: `X::y`,\n   `c.rs`\n2. `d`\n```text\n`e`\n```\n");
    let names: Vec<&Named> = passages.iter().flat_map(|passage| &passage.names).collect();
    let item = |name: &str| Named::Item(name.to_owned());
    let file = |name: &str| Named::File(PathBuf::from(name));
    assert_eq!(names, [&file("src/a/b.rs"), &item("X::y"), &file("src/a/c.rs"), &item("d")]);
    assert!(holds_item("fn leap() { Sites::Between }", "Sites::Between"));
    assert!(!holds_item("fn leaps() { Sites::Betwixt }", "Sites::Between"));
    assert!(!holds_item("fn leaps() {}", "…"));
    assert!(!is_command("--shallow", "deep"));
}
