//! Deep checks: a file `survey/CODE.game` or `survey/CODE-what.game` has a mistake that only an
//! analysis of positions finds. A snapshot holds the output of `check --deep`; records in it are
//! replayed.

use crate::snapshots_in;
use ludwright::analysis::{Effort, analysis_findings};
use ludwright::engine::game::PlayError;
use ludwright::files::gather;
use ludwright::language::finding::{Code, Finding};
use ludwright::language::sources::Sources;
use ludwright::notation::spell;
use ludwright::record::{Record, load};
use std::path::{Path, PathBuf};
use std::process::Command;

fn check(path: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command
        .current_dir(path.parent().expect("a folder"))
        .args(["check", "--deep", "--color", "never"])
        .arg(path.file_name().expect("a name"));
    let output = command.output().expect("the binary");
    let text = |bytes: &[u8]| {
        String::from_utf8_lossy(bytes)
            .lines()
            .map(|line| format!("{}\n", line.trim_end()))
            .collect::<String>()
    };
    format!(
        "{}{}exit {}\n",
        text(&output.stderr),
        text(&output.stdout),
        output.status.code().expect("an exit code")
    )
}

fn look(source: &Sources) -> Vec<Finding> {
    let rules = ludwright::language::check(source, &[]).rules.expect("rules without errors");
    analysis_findings(source, &[], rules, Effort::Deep).expect("they compile")
}

/// Replays the record of a finding, and checks that it demonstrates the finding.
fn look_at_record(path: &Path, finding: &Finding) {
    let help = finding.help.as_deref().expect("help");
    let record = &finding.record.as_ref().expect("a record").0;
    let record = Record::parse(record)
        .unwrap_or_else(|misread| panic!("{}: {misread}\n{help}", path.display()));
    let source = gather(path).expect("a rules file");
    let game = load(&source, &[], Some(&record))
        .unwrap_or_else(|unloadable| panic!("{}: {unloadable}", path.display()));
    let mut position = game.begin().expect("a first position");
    let mut been = vec![position.position()];
    for index in 0..record.plies.len() {
        record
            .play(index, &mut position)
            .unwrap_or_else(|stopped| panic!("{}: {stopped}", path.display()));
        been.push(position.position());
    }
    match finding.code {
        Code::NoMove => assert!(position.outcome().is_some(), "{}: {help}", path.display()),
        Code::Endless => {
            let words: Vec<&str> = help.split_whitespace().collect();
            let before =
                words.iter().position(|word| *word == "plies").map(|index| words[index - 1]);
            let length: usize = before.map_or(1, |length| length.parse().expect("a number"));
            assert_eq!(
                been[been.len() - 1 - length],
                been[been.len() - 1],
                "{}: {help}",
                path.display()
            );
        }
        Code::NoNextPly => {
            let (_, after) = help.split_once("after `").expect("a ply");
            let (ply, _) = after.split_once('`').expect("its end");
            let rules = game.rules();
            let legal = position.legal().to_vec();
            let last = legal.iter().find(|legal| spell(rules, legal) == ply).expect("it is legal");
            let hung = matches!(position.play(last), Err(PlayError::Fault(_)));
            assert!(hung, "{}: {help}", path.display());
        }
        code => panic!("{}: a record for {}", path.display(), code.name()),
    }
}

fn has_record(finding: &&Finding) -> bool {
    matches!(finding.code, Code::NoMove | Code::NoNextPly | Code::Endless)
}

#[test]
fn what_should_not_be_is_found_and_explained() {
    let _bound = snapshots_in("survey").bind_to_scope();
    insta::glob!("../survey", "*.game", |path| {
        let findings = look(&gather(path).expect("a rules file"));
        let stem = path.file_stem().expect("a name").to_string_lossy();
        assert!(
            findings.iter().any(|finding| stem.starts_with(finding.code.name())),
            "{stem}: {findings:?}"
        );
        findings.iter().filter(has_record).for_each(|finding| look_at_record(path, finding));
        insta::assert_snapshot!("survey", check(path));
    });
}

/// Findings about the games that come with the program are true; the snapshot makes each a
/// conscious decision.
#[test]
fn the_games_are_as_they_should_be() {
    let files = |folder: &str| {
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
    };
    let mut paths: Vec<PathBuf> =
        files("games").chain(files("tests/games")).filter(|path| path.is_file()).collect();
    paths.sort_unstable();
    let mut shown = String::new();
    for path in paths {
        let source = gather(&path).expect("a rules file");
        shown.push_str(&format!("{}\n", path.display()));
        for finding in look(&source) {
            if has_record(&&finding) {
                look_at_record(&path, &finding);
            }
            let (file, span) = source.place(finding.span);
            let line = source.text_of(file)[..span.start].lines().count();
            shown.push_str(&format!(
                "  {}, line {line}: {}\n",
                finding.code.name(),
                finding.message
            ));
            shown.push_str(&format!(
                "    {}\n",
                finding.help.unwrap_or_default().trim_end().replace('\n', "\n    ")
            ));
        }
    }
    let _bound = snapshots_in("survey").bind_to_scope();
    insta::assert_snapshot!("games", shown);
}
