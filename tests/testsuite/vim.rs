//! The files for Vim and Neovim: the syntax file is generated from the table of ludemes, and both
//! colours and indentation fit real files, in Vim where there is one.

use crate::support;
use ludwright::editor::CheckedSources;
use ludwright::editor::tokens::{Token, TokenKind};
use ludwright::files::gather;
use ludwright::language::names::NameKind;
use ludwright::language::vim::{GROUPS, syntax};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FOLDER: &str = "grammar/vim";

#[test]
fn the_syntax_file_is_the_one_in_the_repository() {
    let file = format!("{FOLDER}/syntax/ludwright.vim");
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(syntax() == kept, "run `cargo run -- manual --vim > {file}`");
}

#[test]
fn every_group_has_a_look() {
    let text = syntax();
    for line in text
        .lines()
        .filter(|line| line.starts_with("syntax match") || line.starts_with("syntax region"))
    {
        let group = line
            .split(' ')
            .nth(2)
            .and_then(|name| name.strip_prefix("ludwright"))
            .expect("a group");
        assert!(GROUPS.iter().any(|(known, _)| *known == group), "{group}");
    }
    for (group, _) in GROUPS {
        let defined = [format!("match ludwright{group} "), format!("region ludwright{group} ")];
        assert!(defined.iter().any(|begin| text.contains(begin)), "{group}");
    }
}

/// Makes an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vim").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a script in Vim with the files of the repository; false if there is no Vim.
fn run(script: &str, folder: &Path) -> bool {
    let file = folder.join("script.vim");
    let start = format!(
        "set nocompatible\nset runtimepath^={}/{FOLDER}\nfiletype plugin indent on\nsyntax on\n",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::write(&file, format!("{start}{script}\nqall!\n")).expect("a script");
    let mut command = Command::new("vim");
    command
        .args(["-N", "-u", "NONE", "-i", "NONE", "-n", "-es", "-S"])
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match command.status() {
        Ok(status) => {
            assert!(status.success(), "{status}: {script}");
            true
        }
        Err(_) => {
            eprintln!("*** There is no `vim`: its files were not tried. ***");
            false
        }
    }
}

/// The groups that a token may have in Vim, which knows no names and no types.
fn groups(kind: TokenKind) -> &'static [&'static str] {
    match kind {
        TokenKind::Part => &["Part", "Declaring"],
        TokenKind::Control => &["Control"],
        TokenKind::Parameter => &["Parameter"],
        TokenKind::Ludeme => &["Ludeme", "Parameter", "Part", "Control", "Declaring"],
        TokenKind::Operator => &["Operator"],
        TokenKind::Word | TokenKind::Direction => &["Word"],
        TokenKind::Site => &["Site"],
        TokenKind::Number => &["Number"],
        TokenKind::Text => &["String"],
        TokenKind::Comment => &["Comment"],
        TokenKind::Name(NameKind::Definition | NameKind::Memory) => &["Call", "Name", "Declared"],
        TokenKind::Name(NameKind::Player | NameKind::Option | NameKind::Piece | NameKind::Path) => {
            &["Name", "Call", "Declared"]
        }
        TokenKind::Name(NameKind::Move | NameKind::Variable)
        | TokenKind::Value
        | TokenKind::Type => &[],
    }
}

#[test]
fn words_have_their_colours_in_vim() {
    let folder = folder("colours");
    let mut asked: Vec<(String, Token)> = Vec::new();
    let mut script = String::from("let s:found = []\n");
    for name in support::files("games") {
        let path = format!("games/{name}.game");
        let game = CheckedSources::of(gather(Path::new(&path)).expect("the file"));
        let text = game.sources.text_of(0);
        script.push_str(&format!("edit {}/{path}\n", env!("CARGO_MANIFEST_DIR")));
        for token in game.tokens(0).into_iter().filter(|token| !groups(token.kind).is_empty()) {
            let before = &text[..token.span.start];
            // The word of a part that begins no form, as in `(color board tan)`.
            if token.kind == TokenKind::Part && !before.ends_with('(') {
                continue;
            }
            let line = before.matches('\n').count() + 1;
            let column = token.span.start - before.rfind('\n').map_or(0, |end| end + 1) + 1;
            script.push_str(&format!(
                "call add(s:found, synIDattr(synID({line}, {column}, 0), 'name'))\n"
            ));
            asked.push((format!("{name}:{line}: {}", token.span.text(text)), token));
        }
    }
    let output = folder.join("found");
    script.push_str(&format!("call writefile(s:found, '{}')\n", output.display()));
    if !run(&script, &folder) {
        return;
    }
    let found = std::fs::read_to_string(output).expect("what Vim wrote");
    let found: Vec<&str> = found.lines().collect();
    assert_eq!(found.len(), asked.len());
    assert!(asked.len() > 1_000, "{}", asked.len());
    for ((place, token), group) in asked.iter().zip(found) {
        let group = group.strip_prefix("ludwright").unwrap_or(group);
        assert!(
            groups(token.kind).contains(&group),
            "{place} is {:?}, and {group:?} in Vim",
            token.kind
        );
    }
}

#[test]
fn files_are_indented_in_vim_as_by_fmt() {
    let folder = folder("indent");
    let mut script = String::new();
    let mut files = Vec::new();
    for from in ["games", "tests/games"] {
        // Vim takes a tenth of a second for a file.
        let step = if from == "games" { 1 } else { 3 };
        for name in support::files(from).into_iter().step_by(step) {
            let text = std::fs::read_to_string(format!("{from}/{name}.game")).expect("the file");
            // Each form that begins a line is moved.
            let moved: String = text
                .lines()
                .zip(0..)
                .map(|(line, number)| match line.trim_start() {
                    form if form.starts_with('(') => format!("{:1$}{form}\n", "", number * 5 % 9),
                    _ => format!("{line}\n"),
                })
                .collect();
            let file = folder.join(format!("{name}.game"));
            std::fs::write(&file, &moved).expect("a file");
            script.push_str(&format!("edit {}\nnormal! gg=G\nwrite\n", file.display()));
            files.push((file, text));
        }
    }
    if !run(&script, &folder) {
        return;
    }
    for (file, text) in files {
        let found = std::fs::read_to_string(&file).expect("a file");
        let different = found.lines().zip(text.lines()).find(|(found, wanted)| found != wanted);
        assert_eq!(different, None, "{}", file.display());
    }
}

#[test]
fn a_case_is_recognized_in_vim() {
    let folder = folder("case");
    let case = folder.join("a.case");
    std::fs::write(&case, "title: A stone. # here\nposition:\n  1 . #\n# about\n").expect("a file");
    let output = folder.join("found");
    let at = |line: usize, column: usize| format!("synIDattr(synID({line}, {column}, 0), 'name')");
    let script = format!(
        "edit {}\ncall writefile([&filetype, &commentstring, {}, {}, {}, {}], '{}')\n",
        case.display(),
        at(1, 1),
        at(1, 18),
        at(3, 7),
        at(4, 1),
        output.display()
    );
    if !run(&script, &folder) {
        return;
    }
    let found = std::fs::read_to_string(output).expect("what Vim wrote");
    let expected =
        "ludwrightcase\n# %s\nludwrightcaseKey\nludwrightcaseComment\n\nludwrightcaseComment\n";
    assert_eq!(found, expected);
}
