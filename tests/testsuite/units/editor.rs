//! What an editor is answered: kinds of arguments, the outline, new names.

use ludwright::cases::Runner;
use ludwright::editor::CheckedSources;
use ludwright::editor::cursor_context::slots_at;
use ludwright::editor::outline::parts;
use ludwright::editor::rename::rename;
use ludwright::editor::rename::texts::Renamed;
use ludwright::language::ludemes::{Kind, Ludeme};
use ludwright::language::sources::{FetchError, Fetched, Sources};

#[test]
fn slots_are_found_by_their_number() {
    let kinds = |ludeme: Ludeme, index: usize| slots_at(ludeme.row(), index).collect::<Vec<Kind>>();
    assert_eq!(kinds(Ludeme::If, 0), [Kind::Condition]);
    assert_eq!(kinds(Ludeme::If, 1), [Kind::Statement, Kind::Else]);
    assert_eq!(kinds(Ludeme::Put, 2), [Kind::Player, Kind::Beneath]);
    assert_eq!(kinds(Ludeme::Put, 3), [Kind::Beneath]);
    assert_eq!(kinds(Ludeme::PieceKind, 1), [Kind::Ownership, Kind::Text]);
    assert_eq!(kinds(Ludeme::MoveRule, 5), [Kind::Parameter, Kind::Statement]);
}

#[test]
fn parts_say_what_their_comments_say() {
    let text = "(game \"G\" (players White Black)\n; Not this.\n\n; First,\n; second.\n(define Rim (row 1))\n\
        (remember Die number (per player)) ; a roll\n(option Size (range 3 9) 5 \"Sites\n  along each side.\"))";
    let found: Vec<(String, String)> =
        parts(text).into_iter().map(|part| (part.usage(), part.about)).collect();
    let expected = [
        ("White", ""),
        ("Black", ""),
        ("Rim", "First, second."),
        ("(Die player: player)", "a roll"),
        ("Size", "Sites along each side."),
    ];
    assert_eq!(found, expected.map(|(usage, about)| (usage.to_owned(), about.to_owned())));
}

const BASE: &str = "(game \"Base\" (players White Black) (option Size (range 2 4) 3 \"Side.\") (board (square Size)) (piece Stone)
    (define (Near (site s)) (and (beside s) (mine Stone)))
    (move drop (to t (empty)) (require (or (none (mine)) (any (Near t)))) (put Stone t)) (play (turns (choose drop))))";
const VARIANT: &str = "(variant-of \"base.game\" \"Variant\" (define (Near (site s)) (beside s)) (default Size 4) (piece Stone \"o\" \"x\"))";

fn study(name: &str) -> CheckedSources {
    let text = |name: &str| match name {
        "base.game" => Some(BASE),
        "variant.game" => Some(VARIANT),
        _ => None,
    };
    let fetch = &mut |_: &str, name: &str| match text(name) {
        Some(text) => Ok(Fetched::new(name, text)),
        None => Err(FetchError::Outside),
    };
    CheckedSources::of(Sources::gather(Fetched::new(name, text(name).expect("a file")), fetch))
}

#[test]
fn a_name_changes_in_all_files_that_speak_of_it() {
    let games = [study("base.game"), study("variant.game")];
    let changes =
        rename(&games, 0, BASE.find("Size").expect("a name"), "Side").expect("a good name");
    let counts: Vec<(&str, usize)> =
        changes.iter().map(|(file, edits)| (file.as_str(), edits.len())).collect();
    assert_eq!(counts, [("base.game", 2), ("variant.game", 1)]);
}

#[test]
fn what_is_renamed_means_the_same() {
    let games = [study("base.game")];
    let at = |what: &str| BASE.find(what).expect("it is there");
    for (place, to, expected) in [
        (at("Size"), "size", Err("`size` would be the name of the option")),
        (at("drop"), "Drop", Err("`Drop` would be a verb, which begins with a lower-case letter")),
        (at("Size"), "White", Err("`White` is already the name of a player")),
        (at("s))"), "mover", Err("`mover` is a word of the language")),
        (at("t (empty)"), "a1", Err("`a1` is spelled like a site")),
        (at("Size"), "Two Words", Err("`Two Words` is not a name")),
        (at("Size"), "", Err("`` is not a name")),
        (at("empty"), "x", Err("there is no name here")),
        (at("t (empty)"), "target", Ok(3)),
        (at("drop"), "place", Ok(2)),
        (at("White"), "Light", Ok(1)),
    ] {
        let changes = rename(&games, 0, place, to);
        match (changes, expected) {
            (Ok(changes), Ok(count)) => assert_eq!(changes["base.game"].len(), count, "{to}"),
            (Err(why), Err(beginning)) => assert!(why.starts_with(beginning), "{why}"),
            (changes, _) => panic!("{to}: {changes:?}"),
        }
    }
}

#[test]
fn titles_of_cases_follow_the_moves_that_they_name() {
    let load = |text: &str| ludwright::load(text, &[]).expect("rules");
    let renamed = BASE.replace("move drop", "move place").replace("choose drop", "choose place");
    let (before, after) = (load(BASE), load(&renamed));
    let change = Renamed::between(&before, &after).expect("one name");
    let case = "title: drop b2 is legal, as a drop in the middle.\nlegal: drop b2\n";
    let [mut old, mut new] = [BASE, &*renamed].map(|text| Runner::new(Sources::from(text)));
    let found = change.case(&mut old, &mut new, case);
    let expected = "title: place b2 is legal, as a drop in the middle.\nlegal: place b2\n";
    assert_eq!(found.as_deref(), Some(expected));
}
