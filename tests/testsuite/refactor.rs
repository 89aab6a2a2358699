//! Refactorings of every game that ships, every classic and every template: afterwards it is the same
//! game.

mod places;

use ludwright::compare::{CompareLimits, Names, Renaming, compare};
use ludwright::editor::CheckedSources;
use ludwright::editor::refactor::{Action, refactor, variant};
use ludwright::editor::rename::rename;
use ludwright::engine::game::Game;
use ludwright::language::finding::{Edit, Fix};
use ludwright::language::names::NameKind;
use ludwright::language::sources::Sources;
use ludwright::syntax::{Node, Span, parse};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Lists the games that are one file, and the base games of variants.
fn games() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = ["games", "tests/games", "src/templates"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("a folder"))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "game"))
        .collect();
    files.sort();
    files
}

fn study(path: &Path, text: &str) -> CheckedSources {
    let own = |asked: &Path| (asked == path).then(|| text.to_owned());
    CheckedSources::of(ludwright::files::gather_with(path, &own).expect("a game"))
}

fn applied(text: &str, edits: Vec<Edit>) -> String {
    Fix { title: String::new(), edits }.applied(text)
}

/// The words and brackets of a text.
fn tokens(text: &str) -> Vec<String> {
    fn collect(node: &Node, text: &str, tokens: &mut Vec<String>) {
        match node.as_form() {
            Some(nodes) => {
                tokens.push("(".to_owned());
                nodes.iter().for_each(|node| collect(node, text, tokens));
                tokens.push(")".to_owned());
            }
            None => tokens.push(node.span.text(text).to_owned()),
        }
    }
    let mut tokens = Vec::new();
    parse(text).forms.iter().for_each(|form| collect(form, text, &mut tokens));
    tokens
}

fn game(study: &CheckedSources) -> Game {
    ludwright::load(study.sources.clone(), &[]).expect("a game without errors")
}

/// Says how two games differ, as far as a short search goes; names of the left are renamed.
fn difference(one: &Game, other: &Game, renamed: &[Renaming]) -> Option<String> {
    let names = match Names::new(one.rules(), other.rules(), renamed) {
        Ok(names) => names,
        Err(apart) => return Some(format!("{apart}")),
    };
    // A position of generated rules can have very many moves.
    let time = Some(Duration::from_secs(5));
    let limits = CompareLimits { time, positions: Some(20), games: 1, ..CompareLimits::default() };
    // Rules that do not terminate are at fault in the same way.
    let found = compare(one, other, &names, &limits, &mut |_| {}).ok()?.difference?;
    Some(format!("another game: {:?}", found.divergence))
}

/// Demands that two games agree as far as a short search goes; names of the left are renamed.
fn assert_same(one: &Game, other: &Game, renamed: &[Renaming], about: &str) {
    assert_eq!(difference(one, other, renamed), None, "{about}");
}

/// Lists the spans of expressions within parts.
fn expressions(text: &str) -> Vec<Span> {
    fn collect(node: &Node, spans: &mut Vec<Span>) {
        for inner in node.as_form().into_iter().flatten().filter(|inner| inner.as_form().is_some())
        {
            spans.push(inner.span);
            collect(inner, spans);
        }
    }
    let tree = parse(text);
    let mut spans = Vec::new();
    let parts = tree.forms.iter().filter_map(Node::as_form).flatten();
    parts.for_each(|part| collect(part, &mut spans));
    spans
}

#[test]
fn what_is_extracted_and_written_out_again_is_the_same_game() {
    let (mut extracted, mut inlined) = (0, 0);
    for (number, path) in games().into_iter().enumerate() {
        let text = fs::read_to_string(&path).expect("a game");
        let before = study(&path, &text);
        let original = game(&before);
        let spans = expressions(&text);
        // One expression of each game, others in each.
        for &span in spans.iter().cycle().skip(number * 7).take(1.min(spans.len())) {
            let edits = refactor(&before, 0, span, Action::Extract, Some("Extracted"));
            let Ok(edits) = edits else { continue };
            extracted += 1;
            let about = format!("{} with {}", path.display(), span.text(&text));
            let after = applied(&text, edits);
            let named = study(&path, &after);
            assert_same(&original, &game(&named), &[], &about);
            let at = after.find("Extracted").expect("the definition");
            let Ok(edits) = refactor(&named, 0, Span::new(at, at), Action::Inline, None) else {
                continue;
            };
            inlined += 1;
            assert_eq!(tokens(&applied(&after, edits)), tokens(&text), "{about}\n{after}");
        }
    }
    assert!(extracted > 15 && inlined * 10 >= extracted * 8, "{extracted}, {inlined}");
}

#[test]
fn what_is_renamed_is_the_same_game() {
    let mut renamed = 0;
    for (number, path) in games().into_iter().enumerate() {
        let text = fs::read_to_string(&path).expect("a game");
        let before = study(&path, &text);
        let original = game(&before);
        let names: Vec<_> = before
            .checked
            .names
            .iter()
            .filter(|name| name.kind != NameKind::Variable)
            .filter(|name| before.sources.place(name.span).0 == 0)
            .collect();
        // One name of each game, of other kinds in each.
        for name in names.iter().skip(number * 5 % names.len().max(1)).take(1) {
            let to = if name.kind == NameKind::Move { "renamed" } else { "Renamed" };
            let at = before.sources.place(name.span).1.start;
            let about = format!("{} with {} {}", path.display(), name.kind.word(), name.name);
            let changes = rename(std::slice::from_ref(&before), 0, at, to);
            // The symbols of diagrams in the setup follow from the names of players.
            let Ok(changes) = changes else { continue };
            let own = changes.get(before.sources.name()).cloned().unwrap_or_default();
            if changes.len() > 1 {
                continue;
            }
            let after = study(&path, &applied(&text, own));
            let kinds = [NameKind::Definition, NameKind::Option];
            let pair = vec![Renaming { left: name.name.clone(), right: to.to_owned() }];
            let pair = if kinds.contains(&name.kind) { Vec::new() } else { pair };
            assert_same(&original, &game(&after), &pair, &about);
            renamed += 1;
        }
    }
    assert!(renamed > 15, "{renamed}");
}

#[test]
fn a_number_becomes_an_option_with_the_same_default() {
    let mut made = 0;
    for path in games() {
        let text = fs::read_to_string(&path).expect("a game");
        let before = study(&path, &text);
        let is_digit = |at: &usize| {
            text[*at..].starts_with(|letter: char| letter.is_ascii_digit())
                && text[..*at].ends_with([' ', '('])
        };
        for at in
            (0..text.len()).filter(|at| text.is_char_boundary(*at)).filter(is_digit).step_by(9)
        {
            let edits = refactor(&before, 0, Span::new(at, at), Action::MakeOption, Some("Made"));
            let Ok(edits) = edits else { continue };
            let after = study(&path, &applied(&text, edits));
            assert!(after.sources.text().contains("(option Made (range "));
            assert_same(&game(&before), &game(&after), &[], &path.display().to_string());
            made += 1;
        }
    }
    assert!(made > 6, "{made}");
}

#[test]
fn what_is_unused_is_deleted() {
    let text = "(game \"Trial\"
  (players White Black)
  (option Height (range 2 5) 3 \"Unused, as soon as Tall is gone.\")
  (board (square 3))
  (piece Stone)
  (piece Pebble) ; never put
  (remember Count number)

  (define Tall (row Height))

  (move drop
    (to t (empty))
    (let crowd (count (mine)))
    (put Stone t)
    (raise Count 1))
  (move skip)

  (play (turns (choose drop)))
  (end (if (none (empty)) (draw))))
";
    let study = CheckedSources::of(Sources::from(text));
    let edits = refactor(&study, 0, Span::new(0, 0), Action::DeleteUnused, None).expect("some");
    let after = applied(text, edits);
    let expected = "(game \"Trial\"
  (players White Black)
  (board (square 3))
  (piece Stone) ; never put

  (move drop
    (to t (empty))
    (put Stone t))

  (play (turns (choose drop)))
  (end (if (none (empty)) (draw))))
";
    assert_eq!(tokens(&after), tokens(expected), "{after}");
    let clean = CheckedSources::of(Sources::from(&*after));
    assert!(clean.checked.findings.is_empty(), "{after}");
    assert!(refactor(&clean, 0, Span::new(0, 0), Action::DeleteUnused, None).is_err());
}

#[test]
fn a_variant_of_the_changes_is_the_changed_game() {
    let base = fs::read_to_string("tests/games/tic-tac-toe.game").expect("a game");
    let changed = base
        .replace("(players X O)", "(players Cross Ring)")
        .replace("(shape Mark O ring)", "(shape Mark Ring ring)")
        .replace("(if (InARow mover) (win mover))", "(if (InARow mover) (lose mover))")
        .replace("  (look", "  (move pass)\n\n  (play (turns (choose place pass)))\n\n  (repetition 3 (draw))\n\n  (look");
    let text = variant("tic-tac-toe.game", &base, &changed, "Other Noughts").expect("a variant");
    assert!(!text.contains("(board") && text.contains("(players Cross Ring)"), "{text}");
    let path = Path::new("tests/games/other.game");
    let made = game(&study(path, &text));
    assert_same(&game(&CheckedSources::of(Sources::from(&*changed))), &made, &[], &text);
    assert!(variant("tic-tac-toe.game", &base, &base, "Same").is_err());
}
