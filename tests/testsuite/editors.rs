//! The editor grammar is generated from the table of ludemes and fits real files; shell completions
//! cover all commands.

use crate::cli::commands;
use fancy_regex::Regex;
use ludwright::language::ludemes::{Kind, TABLE};
use ludwright::language::textmate::grammar;
use serde_json::Value;

const FOLDER: &str = "grammar/vscode";

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// The patterns in order: regular expression and scope. That of strings matches the opening quote.
fn patterns() -> Vec<(Regex, String)> {
    let grammar = json(&grammar());
    let patterns = grammar["patterns"].as_array().expect("patterns").iter().map(|pattern| {
        let looked_for =
            pattern["match"].as_str().or(pattern["begin"].as_str()).expect("something to look for");
        let name =
            pattern["name"].as_str().or(pattern["captures"]["1"]["name"].as_str()).expect("a name");
        (Regex::new(looked_for).expect("a regular expression"), name.to_owned())
    });
    patterns.collect()
}

/// Scope that an editor gives the word at a byte: that of the first pattern that matches there.
fn name_at(patterns: &[(Regex, String)], text: &str, at: usize) -> String {
    let begins = |regex: &Regex| {
        regex
            .find_from_pos(text, at)
            .expect("it can be run")
            .is_some_and(|found| found.start() == at)
    };
    patterns.iter().find(|(regex, _)| begins(regex)).map_or(String::new(), |(_, name)| name.clone())
}

#[test]
fn the_grammar_is_the_one_in_the_repository() {
    let kept =
        std::fs::read_to_string(format!("{FOLDER}/ludwright.tmLanguage.json")).unwrap_or_default();
    assert!(
        grammar() == kept,
        "run `cargo run -- manual --textmate > {FOLDER}/ludwright.tmLanguage.json`"
    );
}

#[test]
fn every_word_of_the_language_has_a_colour() {
    let patterns = patterns();
    for row in TABLE {
        let (text, at) = if row.word {
            (format!("(of {})", row.spelling), 4)
        } else {
            (format!("({} x)", row.spelling), 1)
        };
        let expected = match row.result {
            _ if row.word => "constant.language",
            Kind::Part => "keyword.declaration",
            // A word that is also a parameter's choice is coloured as one.
            _ if TABLE
                .iter()
                .any(|other| other.spelling == row.spelling && other.result == Kind::Parameter) =>
            {
                "variable.parameter"
            }
            kind if kind == Kind::Statement || kind.is_branch() => "keyword.control",
            // A statement that can stand for a value.
            _ if TABLE
                .iter()
                .any(|other| other.spelling == row.spelling && other.result == Kind::Statement) =>
            {
                "keyword.control"
            }
            _ if !row.spelling.starts_with(char::is_alphabetic) => "keyword.operator",
            _ => "support.function",
        };
        assert_eq!(name_at(&patterns, &text, at), format!("{expected}.ludwright"), "{text}");
    }
}

#[test]
fn what_is_no_word_of_the_language_has_one_too() {
    let patterns = patterns();
    for (text, at, expected) in [
        ("(Settle t)", 1, "entity.name.function"),
        ("(of p Stone)", 6, "entity.name.type"),
        ("(put Stone a1)", 11, "constant.other.site"),
        ("(step s NE)", 8, "constant.language"),
        ("(* -3 0.5)", 3, "constant.numeric"),
        ("(* -3 0.5)", 6, "constant.numeric"),
        ("(author \"me\")", 8, "string.quoted.double"),
        ("(mine) ; all", 7, "comment.line.semicolon"),
        ("(beside sites)", 8, ""),
        ("(besides s)", 1, ""),
        ("(step empty)", 6, ""),
    ] {
        let name = name_at(&patterns, text, at);
        assert_eq!(name.strip_suffix(".ludwright").unwrap_or(&name), expected, "{text} at {at}");
    }
}

#[test]
fn the_settings_name_files_that_are_there() {
    let package =
        json(&std::fs::read_to_string(format!("{FOLDER}/package.json")).expect("a package"));
    let contributes = &package["contributes"];
    let languages = contributes["languages"].as_array().expect("languages").iter();
    let configurations = languages.map(|language| &language["configuration"]);
    for path in configurations.chain([&contributes["grammars"][0]["path"]]) {
        let path = path.as_str().expect("a path");
        json(&std::fs::read_to_string(format!("{FOLDER}/{path}")).expect(path));
    }
    assert_eq!(contributes["grammars"][0]["scopeName"], json(&grammar())["scopeName"]);
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_problem_matcher_finds_what_check_shows() {
    let package =
        json(&std::fs::read_to_string(format!("{FOLDER}/package.json")).expect("a package"));
    let pattern =
        package["contributes"]["problemMatchers"][0]["pattern"].as_array().expect("lines").clone();
    let looked_for: Vec<Regex> = pattern
        .iter()
        .map(|line| Regex::new(line["regexp"].as_str().expect("one")).expect("one"))
        .collect();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ludwright"));
    let output = command
        .args(["check", "tests/findings/unknown-ludeme.game", "tests/findings/unused.game"])
        .output()
        .expect("the binary");
    let shown = String::from_utf8(output.stderr).expect("text");
    let lines: Vec<&str> = shown.lines().collect();
    let found = lines.windows(2).filter(|pair| {
        looked_for
            .iter()
            .zip(*pair)
            .all(|(regex, line)| regex.is_match(line).expect("it can be run"))
    });
    assert_eq!(found.count(), shown.matches("╭─[").count(), "{shown}");
    assert!(shown.contains('×') && shown.contains('⚠'), "{shown}");
}

#[test]
fn completions_know_every_command() {
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ludwright"));
        String::from_utf8(command.args(arguments).output().expect("the binary").stdout)
            .expect("text")
    };
    let commands = commands();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
        assert!(script.contains("textmate"), "{shell}");
    }
    // So do man pages.
    let page = run(&["man"]);
    assert!(page.contains(".TH ludwright 1"), "{page}");
    for command in commands {
        assert!(page.contains(&format!("ludwright\\-{command}(1)")), "{command}");
        let page = run(&["man", &command]);
        assert!(page.contains(&format!(".TH ludwright-{command} 1")), "{page}");
    }
}

#[test]
fn the_version_names_the_build() {
    let run = |argument: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ludwright"));
        String::from_utf8(command.arg(argument).output().expect("the binary").stdout).expect("text")
    };
    let short = format!("ludwright {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run("-V"), short);
    let long = run("--version");
    assert!(long.starts_with(&short) && long.contains("\ntarget: "), "{long}");
    assert_eq!(long.contains(" native"), cfg!(feature = "native"), "{long}");
}
