//! Messages for every kind of finding: a file `findings/CODE.game` or `findings/CODE-what.game`
//! holds faulty rules, and a snapshot the output of `check`. Very large or binary files are
//! generated here. `mistakes/*.game` are typical mistakes of users: each causes one finding, unless
//! a first line such as `; 3 mistakes.` says otherwise.

use crate::snapshots_in;
use ludwright::language::check as look;
use ludwright::language::finding::{Code, Severity};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "tests/findings";

/// Returns the output of `check` for a file, without its folder, and the codes of the findings.
fn check(path: &Path) -> (String, Vec<String>) {
    let folder = path.parent().expect("a folder");
    let name = path.file_name().expect("a name");
    let run = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        let output = command
            .current_dir(folder)
            .arg("check")
            .arg(name)
            .args(["--format", format, "--color", "never"])
            .output();
        output.expect("the binary")
    };
    let output = run("text");
    let text = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect::<String>()
    };
    let shown = format!(
        "{}{}exit {}\n",
        text(&output.stderr),
        text(&output.stdout),
        output.status.code().expect("an exit code")
    );
    let report: serde_json::Value = serde_json::from_slice(&run("json").stdout).expect("JSON");
    // A finding may be in a file that this one names.
    let files = report["files"].as_array().expect("files").iter();
    let findings = files.flat_map(|file| file["findings"].as_array().expect("findings"));
    (shown, findings.map(|finding| finding["code"].as_str().expect("a code").to_owned()).collect())
}

/// Returns the code that a file's name begins with.
fn code(path: &Path) -> &'static str {
    let stem = path.file_stem().expect("a name").to_string_lossy();
    let begins = |code: &&Code| {
        stem.strip_prefix(code.name()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    let named = Code::ALL.iter().filter(begins).max_by_key(|code| code.name().len());
    named.unwrap_or_else(|| panic!("{stem} begins with no code")).name()
}

#[test]
fn mistakes_are_found_and_explained() {
    let _bound = snapshots_in("findings").bind_to_scope();
    insta::glob!("../findings", "*.game", |path| {
        let (shown, found) = check(path);
        let code = code(path);
        assert!(
            found.iter().any(|found| found == code),
            "{} is not found to be {code}\n{shown}",
            path.display()
        );
        insta::assert_snapshot!("finding", shown);
    });
}

/// Generates files that are too large, or not text.
fn made() -> Vec<(&'static str, Vec<u8>)> {
    let game = |body: &str| {
        let text = format!(
            "(game \"Made\"\n  (players Black White)\n  (board (square 5))\n  (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (play (turns (choose drop)))\n  {body})\n"
        );
        text.into_bytes()
    };
    let mut doubled = String::from("(define Holds0x (> (count (empty)) 3))");
    for index in 1..40 {
        doubled.push_str(&format!(
            "\n  (define Holds{index}x (or (and Holds{0}x (any (mine))) (and (not Holds{0}x) (none (mine)))))",
            index - 1
        ));
    }
    doubled.push_str("\n  (end (if Holds39x (draw)))");
    vec![
        ("file-too-large", game(&format!("; {}", "-".repeat(1 << 20)))),
        (
            "not-text",
            game("(author \"?\")")
                .into_iter()
                .map(|byte| if byte == b'?' { 0xe9 } else { byte })
                .collect(),
        ),
        (
            "nested-too-deep",
            game(&format!(
                "(end (if\n    {}(any (mine)){} (draw)))",
                "(not ".repeat(300),
                ")".repeat(300)
            )),
        ),
        ("rules-too-large", game(&doubled)),
    ]
}

#[test]
fn files_that_are_too_much_are_found_and_explained() {
    let _bound = snapshots_in("findings").bind_to_scope();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("findings");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, bytes) in made() {
        let path = folder.join(name).with_extension("game");
        std::fs::write(&path, bytes).expect("a file");
        let (shown, found) = check(&path);
        assert!(found.iter().any(|found| found == name), "{name}\n{shown}");
        insta::assert_snapshot!(format!("finding@{name}.made"), shown);
    }
}

#[test]
fn every_code_has_a_case() {
    let files = |folder: &str| {
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    };
    // Codes that need an analysis of play are tested in `analysis`.
    let files = files(FOLDER).chain(files("tests/survey"));
    let cases: BTreeSet<&str> =
        files.map(|path| code(&path)).chain(made().into_iter().map(|(name, _)| name)).collect();
    let codes: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(cases, codes);
}

#[test]
fn a_mistake_is_one_finding() {
    let _bound = snapshots_in("mistakes").bind_to_scope();
    let mut count = 0;
    insta::glob!("../mistakes", "*.game", |path| {
        count += 1;
        let (shown, found) = check(path);
        let source = std::fs::read_to_string(path).expect("a game");
        let said = source.strip_prefix("; ").and_then(|rest| rest.split_once(" mistakes."));
        let expected: usize = said.map_or(1, |(number, _)| number.parse().expect("a number"));
        assert_eq!(found.len(), expected, "{}\n{shown}", path.display());
        insta::assert_snapshot!("mistake", shown);
    });
    assert!(count >= 60, "{count}");
}

/// Applying a fix removes the finding and leaves no error.
#[test]
fn fixes_remove_their_findings() {
    let mut mended = 0;
    for folder in ["tests/findings", "tests/mistakes"] {
        for entry in std::fs::read_dir(folder).expect(folder) {
            let path = entry.expect("an entry").path();
            let mut source = std::fs::read_to_string(&path).expect("a game");
            if source.contains("(variant-of") || source.contains("(include") {
                continue;
            }
            let before = look(&source, &[]).findings;
            let fixes: Vec<_> = before.iter().filter_map(|finding| finding.fix.clone()).collect();
            // With several findings, one may hide another.
            if fixes.is_empty() || before.len() > 1 {
                continue;
            }
            mended += 1;
            for fix in fixes.iter().rev() {
                assert!(fix.edits.is_sorted_by_key(|edit| edit.span), "{}", path.display());
                source = fix.applied(&source);
            }
            let after = look(&source, &[]).findings;
            let errors: Vec<_> =
                after.iter().filter(|finding| finding.severity() == Severity::Error).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}\n{source}", path.display());
        }
    }
    assert!(mended > 60, "{mended}");
}
