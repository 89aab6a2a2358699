//! The files of a game, how they are found, and their lines.

use ludwright::diagnostics::places::{BLOCK, Places, SourcePosition};
use ludwright::files;
use ludwright::language::finding::Edit;
use ludwright::language::finding::{Code, Finding};
use ludwright::language::sources::{FetchError, Fetched, MAX_FILES, Sources};
use ludwright::syntax::{SOURCE_LIMIT, Span};
use std::fs;
use std::io::{Error, ErrorKind};

fn gather(files: &[(&str, &str)]) -> Sources {
    let find = |name: &str| {
        files
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(name, text)| Fetched::new(*name, *text))
    };
    let main = find("main").expect("a main file");
    Sources::gather(main, &mut |_, name| {
        find(name).ok_or(FetchError::Unreadable("no such file".into()))
    })
}

#[test]
fn spans_lead_back_to_their_file() {
    let sources = gather(&[
        ("main", "(game (include \"a\") (include \"b\"))"),
        ("a", "(definitions (include \"b\"))"),
        ("b", ""),
    ]);
    assert!(sources.findings().is_empty(), "{:?}", sources.findings());
    assert_eq!(sources.names().collect::<Vec<_>>(), ["main", "a", "b"]);
    for (file, tree) in sources.trees().iter().enumerate() {
        for form in &tree.forms {
            let (found, span) = sources.place(form.span);
            assert_eq!(
                (found, span.text(sources.text_of(file))),
                (file, form.span.text(sources.text()))
            );
        }
    }
    let end = Span::new(sources.text().len(), sources.text().len());
    assert_eq!(sources.place(end), (2, Span::new(0, 0)));
}

#[test]
fn what_comes_after_an_edit_moves_with_it() {
    let sources = gather(&[
        ("main", "(game (include \"a\") x (include \"b\"))"),
        ("a", "(definitions)"),
        ("b", "(definitions y)"),
    ]);
    let place = sources.text().find('x').expect("it is there");
    for text in ["", "longer"] {
        let changed =
            sources.spliced(&Edit { span: Span::new(place, place + 1), text: text.into() });
        let files: Vec<&str> = (0..3).map(|file| changed.text_of(file)).collect();
        assert_eq!(
            files,
            [
                &*format!("(game (include \"a\") {text} (include \"b\"))"),
                "(definitions)",
                "(definitions y)"
            ]
        );
        let named = changed.text().find("\"b\"").expect("it is there");
        assert_eq!(changed.linked(Span::new(named, named + 3)), Some(2));
        let last = changed.byte_of(2, 13);
        assert_eq!(changed.place(Span::new(last, last + 1)), (2, Span::new(13, 14)));
    }
}

#[test]
fn cycles_and_strays_are_found_where_they_are_named() {
    let messages = |files: &[(&str, &str)]| -> Vec<(Code, String, String)> {
        let sources = gather(files);
        let text = |finding: &Finding| finding.span.text(sources.text()).to_owned();
        sources
            .findings()
            .iter()
            .map(|finding| (finding.code, finding.message.clone(), text(finding)))
            .collect()
    };
    let found = messages(&[
        ("main", "(game (include \"a\"))"),
        ("a", "(definitions (include \"b\"))"),
        ("b", "(definitions (include \"a\"))"),
    ]);
    assert_eq!(found, [(Code::FileCycle, "`a` includes itself: a → b → a".into(), "\"a\"".into())]);
    for path in ["../a", "/a", "b/../a", "a/", ".", "c:a", "b\\\\a", ""] {
        let found = messages(&[("main", &format!("(variant-of \"{path}\" \"V\")"))]);
        assert_eq!(
            found.iter().map(|(code, ..)| *code).collect::<Vec<_>>(),
            [Code::OutsideFolder],
            "{path}"
        );
    }
    assert_eq!(messages(&[("main", "(variant-of \"b/a\" \"V\")")])[0].0, Code::UnreadableFile);
}

#[test]
fn files_are_counted() {
    let text = |index: usize| format!("(definitions (include \"{}\"))", index + 1);
    let main = Fetched::new("0", text(0));
    let sources = Sources::gather(main, &mut |_, name| {
        Ok(Fetched::new(name, text(name.parse().unwrap_or(0))))
    });
    assert_eq!(sources.names().len(), MAX_FILES);
    assert_eq!(
        sources.findings().iter().map(|finding| finding.code).collect::<Vec<_>>(),
        [Code::RulesTooLarge]
    );
}

#[test]
fn bytes_are_counted_over_all_files() {
    let named: String = (1..=9).map(|index| format!("(include \"{index}\")")).collect();
    let main = Fetched::new("0", format!("(game {named})"));
    let filled =
        |name: &str| Fetched::new(name, format!("(definitions){}", " ".repeat(SOURCE_LIMIT / 2)));
    let sources = Sources::gather(main, &mut |_, name| Ok(filled(name)));
    assert_eq!(sources.names().len(), 1 + 7);
    assert_eq!(
        sources.findings().iter().map(|finding| finding.code).collect::<Vec<_>>(),
        [Code::RulesTooLarge; 2]
    );
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_outside() {
    use std::os::unix::fs::symlink;

    let folder = std::env::temp_dir().join(format!("ludwright-files-{}", std::process::id()));
    let inner = folder.join("inner");
    fs::create_dir_all(&inner).expect("a folder");
    fs::write(folder.join("outer.game"), "(game \"Outer\")").expect("a file");
    fs::write(inner.join("near.game"), "(game \"Near\")").expect("a file");
    symlink(folder.join("outer.game"), inner.join("away.game")).expect("a link");
    symlink(&folder, inner.join("up")).expect("a link");
    symlink(inner.join("near.game"), inner.join("again.game")).expect("a link");
    for (named, code) in [
        ("near.game", None),
        ("again.game", None),
        ("away.game", Some(Code::OutsideFolder)),
        ("up/outer.game", Some(Code::OutsideFolder)),
        // Leaves the folder by a link, and comes back.
        ("up/inner/near.game", None),
        ("up", Some(Code::OutsideFolder)),
        ("main.game", Some(Code::FileCycle)),
        ("gone.game", Some(Code::UnreadableFile)),
    ] {
        let main = inner.join("main.game");
        fs::write(&main, format!("(variant-of \"{named}\" \"Variant\")")).expect("a file");
        let sources = files::gather(&main).expect("it is there");
        assert_eq!(sources.findings().first().map(|finding| finding.code), code, "{named}");
    }
    fs::remove_dir_all(&folder).expect("it was ours");
}

#[test]
fn says_what_is_not_allowed() {
    // Constructed, since the tests may run with all permissions.
    assert_eq!(files::reason(&Error::from(ErrorKind::PermissionDenied)), "permission denied");
}

#[test]
fn counts_characters_not_bytes() {
    let text = format!("é(\n  ü)\n{}x", "é".repeat(BLOCK));
    let places = Places::new(&text);
    for (found, line, column) in [("(", 1, 2), ("\n", 1, 3), (")", 2, 4), ("x", 3, BLOCK + 1)] {
        assert_eq!(
            places.of(text.find(found).unwrap()),
            SourcePosition { line, column },
            "{found}"
        );
    }
    assert_eq!(places.of(text.len()), SourcePosition { line: 3, column: BLOCK + 2 });
    assert_eq!(Places::new("").of(7), SourcePosition { line: 1, column: 1 });
    let exact = "a".repeat(BLOCK);
    assert_eq!(Places::new(&exact).of(BLOCK), SourcePosition { line: 1, column: BLOCK + 1 });
}
