//! Every recipe is put into every game that ships and every template, and a fifth of them into each
//! classic game: it goes where its parts belong, nothing that stands there is lost, and there is no
//! error that was not there before.

use ludwright::editor::outline::{OutlinePart, parts};
use ludwright::editor::recipe::{complete, insert, name_at, replace};
use ludwright::language::finding::{Edit, Fix, Severity};
use ludwright::language::recipes::{Entry, Recipe, find, recipes};
use ludwright::language::sources::Sources;
use ludwright::language::{Checked, check};
use ludwright::syntax::{Node, parse};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "game")).collect();
    files.sort();
    files
}

fn gathered(path: &Path, text: &str) -> Sources {
    let own = |asked: &Path| (asked == path).then(|| text.to_owned());
    ludwright::files::gather_with(path, &own).expect("a game")
}

fn errors(checked: &Checked) -> Vec<String> {
    let errors = checked.findings.iter().filter(|finding| finding.severity() == Severity::Error);
    errors.map(|finding| finding.code.name().to_owned()).collect()
}

/// Returns the text after a recipe is put into it.
fn with_recipe(sources: &Sources, recipe: &Recipe) -> String {
    let edits = insert(sources, 0, None, &[], recipe);
    Fix { title: String::new(), edits }.applied(sources.text_of(0))
}

fn recipe(name: &str) -> &'static Recipe {
    match find(name) {
        Some(Entry::Recipe(recipe)) => recipe,
        other => panic!("{name} leads to {other:?}"),
    }
}

/// Counts the forms, words and numbers of a text, comments not included.
fn words(text: &str) -> BTreeMap<String, usize> {
    fn count(node: &Node, text: &str, counts: &mut BTreeMap<String, usize>) {
        match node.as_form() {
            Some(nodes) => nodes.iter().for_each(|node| count(node, text, counts)),
            None => *counts.entry(node.span.text(text).to_owned()).or_default() += 1,
        }
    }
    let mut counts = BTreeMap::new();
    parse(text).forms.iter().for_each(|form| count(form, text, &mut counts));
    counts
}

/// A text without what only lays it out.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Puts recipes into a game, one at a time, and returns how many of them are rules there, not only
/// a comment.
fn put_into<'r>(path: &Path, text: &str, recipes: impl Iterator<Item = &'r Recipe>) -> usize {
    let sources = gathered(path, text);
    let before = errors(&check(&sources, &[]));
    assert!(before.is_empty(), "{}: {before:?}", path.display());
    let mut merged = 0;
    for recipe in recipes {
        let about = format!("{} in {}", recipe.title(), path.display());
        let after = with_recipe(&sources, recipe);
        let again = gathered(path, &after);
        assert_eq!(errors(&check(&again, &[])), Vec::<String>::new(), "{about}\n{after}");
        let tree = parse(&after);
        assert!(tree.faults.is_empty() && tree.forms.len() == 1, "{about}\n{after}");
        // What a game has only once is not doubled, and nothing is within another part.
        for head in ["players", "board", "play", "end", "repetition"] {
            let count =
                |text: &str| parts(text).iter().filter(|part| part.row.spelling == head).count();
            assert!(count(&after) <= count(text).max(1), "{about}: {head}\n{after}");
        }
        // Nothing is lost; what gives way to the recipe is a comment.
        let there = words(&after);
        for (word, count) in words(text) {
            let left = there.get(&word).copied().unwrap_or(0);
            assert!(left >= count || after.contains("; Instead of "), "{about}: {word}\n{after}");
        }
        for line in text.lines().filter(|line| line.trim_start().starts_with(';')) {
            assert!(after.contains(line), "{about}: {line}\n{after}");
        }
        // A game can have all of a recipe, and the commonest one under names of its own.
        let has = |rules: &str| squeezed(text).contains(&squeezed(rules));
        let otherwise = "(otherwise (lose mover))";
        let has_it = has(recipe.parts) || recipe.parts.contains(otherwise) && has(otherwise);
        assert!(after != text || has_it || recipe.title() == "place a stone", "{about}");
        merged += usize::from(there != words(text));
        // Once more, without an error either.
        let twice = with_recipe(&again, recipe);
        assert_eq!(
            errors(&check(gathered(path, &twice), &[])),
            Vec::<String>::new(),
            "{about}\n{twice}"
        );
    }
    merged
}

#[test]
fn every_recipe_fits_into_every_template() {
    let all = recipes().count();
    for path in files("src/templates") {
        let text = fs::read_to_string(&path).expect("a template").replacen("NAME", "Mine", 1);
        let merged = put_into(&path, &text, recipes());
        // A template has a square board and pieces of the players: all recipes fit, but for what it
        // has already (a move that places a stone, or that who cannot move loses).
        assert!(merged + 1 >= all, "{}: {merged} of {all}", path.display());
    }
}

#[test]
fn every_recipe_fits_into_every_game_that_ships_and_a_fifth_into_each_classic() {
    let all: Vec<&Recipe> = recipes().collect();
    let shipped = files("games").into_iter().map(|path| (path, all.clone()));
    let classics = files("tests/games").into_iter().enumerate().map(|(number, path)| {
        (path, all.iter().copied().skip(number % 5).step_by(5).collect::<Vec<&Recipe>>())
    });
    for (path, tried) in shipped.chain(classics) {
        let text = fs::read_to_string(&path).expect("a game");
        let merged = put_into(&path, &text, tried.iter().copied());
        // Many recipes speak of pieces; a game of seeds has none.
        let share = if text.contains("(piece ") { 2 } else { 4 };
        assert!(merged * share > tried.len(), "{}: {merged}", path.display());
    }
}

#[test]
fn a_recipe_is_merged_with_what_stands() {
    let text = "(game \"Trial\"
  (players White Black)
  (board (square 3))
  (piece Guard) ; the only one
  (move drop (to t (empty)) (put Guard t))

  ; White begins.
  (play
    (turns
      (choose drop
        (otherwise (draw)))))
  (end (if (none (empty)) (draw)))
  (repetition 3 (draw)))
";
    let put = |name: &str| with_recipe(&Sources::from(text), recipe(name));
    // The move of the game does what that of the recipe does.
    let extra = put("extra turn");
    for expected in [
        "  (move drop (to t (empty)) (put Guard t) (if (any (and (beside t) (theirs))) (extra-turn)))\n",
        "(piece Guard) ; the only one\n",
    ] {
        assert!(extra.contains(expected), "{expected}\n{extra}");
    }
    // Where several moves place pieces, it is a move of its own, and a name that is taken gets
    // another one.
    let lay = "  (move lay (to t (row 1)) (put Guard t))\n  (move drop";
    let two = text.replace("  (move drop", lay).replace("(choose drop", "(choose drop lay");
    let extra = with_recipe(&Sources::from(&*two), recipe("extra turn"));
    assert!(extra.contains("(move drop-2\n    (to t (empty))\n    (put Guard t)"), "{extra}");
    assert!(extra.contains("(choose drop lay drop-2\n"), "{extra}");
    // Unless one of them is pointed at.
    let at = two.find("(to t (row 1))");
    let edits = insert(&Sources::from(&*two), 0, at, &[], recipe("extra turn"));
    let extra = Fix { title: String::new(), edits }.applied(&two);
    let lay = "  (move lay (to t (row 1)) (put Guard t) (if (any (and (beside t) (theirs))) (extra-turn)))\n";
    assert!(extra.contains(lay) && !extra.contains("drop-2"), "{extra}");
    // What the move offers is restricted further, and what it does comes around the piece.
    let flip = with_recipe(&Sources::from(text), recipe("flip"));
    let grown =
        "(move drop (to t (empty)) (let turned (Flanked t)) (put Guard t) (convert turned mover))";
    assert!(flip.contains(grown), "{flip}");
    let apart = with_recipe(&Sources::from(text), recipe("keep apart"));
    assert!(apart.contains("(to t (and (empty) (not (beside (mine)))))"), "{apart}");
    let fall = with_recipe(&Sources::from(text), recipe("gravity"));
    assert!(fall.contains("(to t (where s (empty) (none (and (step s S) (empty)))))"), "{fall}");
    // The players get the sides that a recipe needs.
    let race = put("reach the far row");
    assert!(race.contains("(players (White N) (Black S))"), "{race}");
    // A pass comes before the draw.
    let forced = put("forced pass");
    assert!(forced.contains("(otherwise (choose pass (otherwise (draw))))"), "{forced}");
    // The recipe's end is tested first.
    let largest = put("largest group");
    let (by_score, draw) =
        (largest.find("(by-score p").expect("it"), largest.find("(if (none (empty)) (draw))"));
    assert!(draw.is_some_and(|draw| by_score < draw), "{largest}");
    // What gives way is kept as a comment.
    let superko = put("superko");
    assert!(
        superko.contains("; Instead of (repetition 3 (draw)):\n  (repetition 2 (comparing board) (if (= Passes 0) (illegal)))"),
        "{superko}"
    );
    // What stands there is not replaced by the same; a board is, by another one, where its details do
    // not fit; and the piece that a recipe needs is a piece of the game.
    let stuck = text.replace("(otherwise (draw))", "(otherwise (lose mover))");
    assert_eq!(with_recipe(&Sources::from(&*stuck), recipe("cannot move loses")), stuck);
    let shape = put("board shape");
    let shaped = "; Instead of (board (square 3)):\n  (board (square 5) (without (sites";
    assert!(shape.contains(shaped), "{shape}");
    let throughout = put("perpetual check");
    assert!(throughout.contains("(any (and (beside (theirs Guard)) (mine)))"), "{throughout}");
    // Where the cursor is does not matter, and an empty file becomes a game.
    let whole = with_recipe(&Sources::from(""), recipe("pass"));
    assert_eq!(errors(&check(Sources::from(&*whole), &[])), Vec::<String>::new(), "{whole}");
    let commented = with_recipe(&Sources::from("; Mine.\n"), recipe("pass"));
    assert!(commented.starts_with("; Mine.\n(game"), "{commented}");
}

#[test]
fn a_recipe_does_not_add_to_the_errors_of_a_faulty_text() {
    let text = fs::read_to_string("src/templates/placement.game").expect("a template");
    for (from, to) in [
        ("(put Stone t)", "(put Stoen t)"),
        ("(put Stone t))", "(put Stone t)"),
        ("(board (square Size))", ""),
        ("(play (turns (choose place)))", ""),
        ("(game \"NAME\"", "(gam \"NAME\""),
    ] {
        let faulty = text.replacen(from, to, 1);
        assert_ne!(faulty, text);
        let sources = Sources::from(&*faulty);
        let before = errors(&check(&sources, &[]));
        for recipe in recipes() {
            let after = with_recipe(&sources, recipe);
            let new = errors(&check(Sources::from(&*after), &[]));
            let is_new = |error: &&String| {
                new.iter().filter(|other| other == error).count()
                    > before.iter().filter(|other| other == error).count()
            };
            let new: Vec<&String> = new.iter().filter(is_new).collect();
            assert!(new.is_empty(), "{} after {to}: {new:?}\n{after}", recipe.title());
        }
    }
}

/// Wherever the name of a recipe is typed, completing it does what inserting it does.
#[test]
fn a_recipe_that_is_completed_is_inserted() {
    let text = fs::read_to_string("src/templates/placement.game").expect("a template");
    let text = text.replacen("NAME", "Mine 😀 é", 1);
    // Players are parts, too, within another one.
    let is_form = |part: &OutlinePart| part.span.text(&text).starts_with('(');
    let ends: Vec<usize> =
        parts(&text).into_iter().skip(1).filter(is_form).map(|part| part.span.end).collect();
    assert!(ends.len() > 4, "{ends:?}");
    for (count, recipe) in recipes().enumerate() {
        let expected = with_recipe(&Sources::from(&*text), recipe);
        // Each name at another two places.
        for end in [ends[count % ends.len()], ends[(count + 3) % ends.len()]] {
            for (typed, cursor) in [
                ("\n  pa", 5),
                ("\n  (pa)", 5),
                ("\n  ()", 4),
                ("\n", 1),
                ("\r\n(pa)", 3),
                (" (pa)", 4),
                (" pa", 2),
                ("pa", 1),
                ("()", 1),
            ] {
                let before = format!("{}{typed}{}", &text[..end], &text[end..]);
                let name = name_at(&before, end + cursor).expect("a name");
                let sources = Sources::from(&*before);
                let edits = complete(&sources, 0, name, &[], recipe);
                let mut edits = edits.unwrap_or_else(|| panic!("{} {typed}", recipe.title()));
                let about = format!("{} for {typed:?} at {end}: {edits:?}", recipe.title());
                for pair in edits.windows(2) {
                    assert!(pair[0].span.end <= pair[1].span.start, "{about}");
                }
                let is_apart = |edit: &Edit| {
                    let Edit { span, .. } = edit;
                    span.end <= name.start && span.start < name.start || span.start > name.end
                };
                assert!(edits.iter().all(is_apart), "{about}");
                edits.push(Edit { span: name, text: String::new() });
                edits.sort_by_key(|edit| edit.span);
                let after = Fix { title: String::new(), edits }.applied(&before);
                // A bracket that follows stays on its line.
                let is_alone = typed.starts_with(['\n', '\r']) && text[end..].starts_with('\n');
                let flat = |text: &str| match is_alone {
                    true => text.to_owned(),
                    false => text.replace(char::is_whitespace, ""),
                };
                assert_eq!(flat(&after), flat(&expected), "{about}");
            }
        }
    }
}

/// Inside a move, a condition or a list, too, the name of a recipe becomes the recipe: the name goes, and
/// the rules are those that inserting it makes.
#[test]
fn a_recipe_is_named_anywhere() {
    fn ends(node: &Node, found: &mut Vec<usize>) {
        found.push(node.span.end);
        node.as_form().unwrap_or_default().iter().for_each(|node| ends(node, found));
    }
    let all: Vec<&Recipe> = recipes().collect();
    let mut tried = 0;
    for name in ["placement", "capture"] {
        let path = format!("src/templates/{name}.game");
        let text = fs::read_to_string(path).expect("a template").replacen("NAME", "Mine é", 1);
        let mut places = Vec::new();
        parse(&text).forms.iter().for_each(|form| ends(form, &mut places));
        // Behind the game, a text is no part of it.
        places.retain(|&place| place < text.trim_end().len());
        for (number, &place) in places.iter().enumerate() {
            for step in 0..2 {
                let recipe = all[(number * 7 + step * 11) % all.len()];
                let typed = [" pa", " (pa)", "\n    (pa)", "\n    pa"][(number + step) % 4];
                let cursor = place + typed.find("pa").expect("a name") + 2;
                let before = format!("{}{typed}{}", &text[..place], &text[place..]);
                let sources = Sources::from(&*before);
                let name = name_at(&before, cursor).expect("a name");
                let about = format!("{} typed as {typed:?} at {place}\n{before}", recipe.title());
                let edits = match complete(&sources, 0, name, &[], recipe) {
                    Some(mut edits) => {
                        edits.push(Edit { span: name, text: String::new() });
                        edits.sort_by_key(|edit| edit.span);
                        edits
                    }
                    None => vec![replace(&sources, 0, name, &[], recipe)],
                };
                let after = Fix { title: String::new(), edits }.applied(&before);
                let expected = with_recipe(&Sources::from(&*text), recipe);
                assert_eq!(words(&after), words(&expected), "{about}\n{after}");
                let left = errors(&check(Sources::from(&*after), &[]));
                assert_eq!(left, Vec::<String>::new(), "{about}\n{after}");
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}
