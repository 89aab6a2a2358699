//! The desk: plies as a tree, offsets as pages count, games given to others, and pages that play.

use ludwright::desk::jobs::Progress;
use ludwright::desk::offsets::Offsets;
use ludwright::desk::{Bundle, Desk, Draft, Files, ModulePlace, Origin, PlayPage};
use ludwright::language::sources::Sources;
use ludwright::pages::script::joined;
use ludwright::pages::sheet;
use ludwright::play::variations::{MAX_PLIES, Node, Variations, read};
use ludwright::search::PlayerKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[test]
fn a_tree_in_which_a_ply_follows_itself_is_not_read() {
    let mut tree = Variations::new(1);
    assert!(tree.is_valid());
    tree.nodes[0].next = Some(0);
    assert!(!tree.is_valid());
}

/// Adds a line of plies after the start.
fn add_line(tree: &mut Variations, plies: usize) {
    tree.wanted = 0;
    for ply in 0..plies {
        let node = Node { parent: Some(tree.wanted), text: format!("{ply}"), ..Node::default() };
        tree.nodes.push(node);
        let added = tree.nodes.len() - 1;
        tree.nodes[tree.wanted].next = Some(added);
        tree.wanted = added;
    }
}

/// A line that was looked at leaves the list; what was played before, and after it, stays.
#[test]
fn lines_that_were_looked_at_leave_the_list() {
    let text = include_str!("../../games/tic-tac-toe.game");
    let bundle = Bundle::of(&Sources::named("tic-tac-toe.game", text));
    let mut desk = desk(&bundle, &[], 1);
    desk.follow(&["place a1", "place b1", "place c1"], 3).expect("legal");
    // Playing makes the plies one's own.
    play(&mut desk, &["place a2"]);
    let own = desk.draft.variations.nodes.len();
    desk.leave_line(1).expect("a ply");
    assert_eq!(desk.draft.variations.nodes.len(), own);
    let ahead = desk.draft.variations.ahead(1);
    for line in [["place a1", "place c3", "place a2"], ["place b2", "place a1", "place c1"]] {
        desk.follow(&line, 2).expect("legal");
    }
    assert_eq!(desk.draft.variations.nodes.len(), own + 5);
    assert!(desk.follow(&["place a1", "place a1"], 2).is_err());
    desk.leave_line(1).expect("a ply");
    assert_eq!(desk.draft.variations.nodes.len(), own);
    assert_eq!(desk.draft.variations.ahead(1).len(), ahead.len());
    assert!(desk.draft.variations.is_valid());
}

#[test]
fn games_that_were_left_come_back_one_by_one() {
    let mut tree = Variations::new(1);
    tree.begin_again();
    assert!(!tree.has_left(), "nothing was played");
    let mut shown = Vec::new();
    for plies in [3, 5] {
        add_line(&mut tree, plies);
        shown.push((tree.wanted, tree.seed, tree.ahead(0)));
        tree.begin_again();
        assert_eq!((tree.wanted, tree.ahead(0).len()), (0, 0));
    }
    assert_eq!(tree.nodes.len(), 9);
    while let Some((wanted, seed, line)) = shown.pop() {
        assert_eq!(tree.go_back(), Some(wanted));
        assert_eq!((tree.seed, tree.ahead(0)), (seed, line));
    }
    assert_eq!(tree.go_back(), None);
}

#[test]
fn the_oldest_games_make_room() {
    let mut tree = Variations::new(1);
    for _ in 0..6 {
        add_line(&mut tree, MAX_PLIES / 4);
        tree.begin_again();
        assert!(tree.is_valid() && tree.nodes.len() <= MAX_PLIES / 2 + MAX_PLIES / 4 + 1);
    }
    // The last game is never among them.
    let wanted = tree.go_back().expect("a game");
    assert_eq!(tree.path(wanted).len(), MAX_PLIES / 4);
}

/// The remarks of a record are kept, and a program's plies are taken back and made again with those of
/// a person.
#[test]
fn records_and_programs_go_back_and_forth() {
    let text = include_str!("../../games/tic-tac-toe.game");
    let bundle = Bundle::of(&Sources::named("tic-tac-toe.game", text));
    let mut desk = desk(&bundle, &[], 1);
    let remarks = ["# a whole game\n", "place b2  # [3.2 s] the centre\n"];
    let record = format!("game: Tic-Tac-Toe\n{}\n{}place a1\n", remarks[0], remarks[1]);
    desk.take(&record, &bundle).expect("a record");
    let draft = serde_json::to_value(&desk.draft).expect("JSON");
    let mut desk = Desk::new(serde_json::from_value(draft).expect("a draft"), &bundle);
    let kept = desk.record().expect("a game");
    assert!(remarks.iter().all(|remark| kept.contains(remark)), "{kept}");
    desk.draft.seats[1].1 = PlayerKind::Random;
    let plies = |desk: &Desk| desk.run.as_ref().map(|run| run.path.len());
    desk.undo().expect("plies");
    assert_eq!(plies(&desk), Some(0));
    desk.redo().expect("plies");
    assert_eq!(plies(&desk), Some(2));
}

#[test]
fn both_kinds_of_offset_agree_at_every_character() {
    for text in ["", "plain", "é", "aé😀b→c😀", "😀😀"] {
        let offsets = Offsets::new(text);
        let mut units = 0;
        for (byte, character) in text.char_indices() {
            assert_eq!((offsets.unit(byte), offsets.byte(units)), (units, byte), "{text}");
            units += character.len_utf16();
        }
        assert_eq!((offsets.unit(text.len() + 5), offsets.byte(units + 5)), (units, text.len()));
    }
    assert_eq!((Offsets::new("a😀b").byte(2), Offsets::new("a😀b").unit(3)), (1, 1));
}

/// A small game with an option, and dice.
const RACE: &str = "(game \"Race\"
  (players Red Blue)
  (option Size (range 3 5) 3 \"Sites along each side.\")
  (board (square Size))
  (piece Stone)
  (remember Die number)
  (move roll (number n 1 2) (set Die n))
  (move place (to t (empty)) (put Stone t))
  (play (forever (for p players (chance roll) (turn p (steps Die (choose place))))))
  (end (if (none (empty)) (draw))))
";

fn desk(bundle: &Bundle, options: &[(&str, &str)], seed: u64) -> Desk {
    let options =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let draft = Draft {
        folder: PathBuf::new(),
        origin: Origin::New,
        text: bundle.text().to_owned(),
        disk: None,
        shipped: None,
        options,
        seats: Vec::new(),
        variations: Variations::new(seed),
        when: 0,
    };
    Desk::new(draft, bundle)
}

/// Plays these plies.
fn play(desk: &mut Desk, plies: &[&str]) {
    for text in plies {
        let (run, _) = desk.run().expect("a game");
        let ply = read(&run.state, text).expect("a legal ply");
        desk.play(&ply, None).expect("a legal ply");
    }
}

#[test]
fn a_game_goes_from_desk_to_desk_as_a_record_a_code_or_a_position() {
    let bundle = Bundle::of(&Sources::named("race.game", RACE));
    let mut here = desk(&bundle, &[("Size", "4")], 11);
    play(&mut here, &["b2", "c3", "a1", "d4"]);
    let texts = [here.record(), here.fragment(), here.position()].map(|text| text.expect("it"));
    for text in &texts {
        let mut there = desk(&bundle, &[], 5);
        play(&mut there, &["a1"]);
        let before = there.record();
        there.take(text, &bundle).expect("a game");
        assert_eq!(there.position(), here.position(), "{text}");
        there.undo().expect("the start");
        while there.position().is_some_and(|_| there.record() != before) {
            there.undo().expect("the game before");
        }
    }
    // A code is short, and tells what it belongs to.
    let code = &texts[1];
    assert!(code.len() < 40, "{code}");
    let mut there = desk(&bundle, &[], 5);
    let others = Bundle::of(&Sources::named("x.game", &RACE.replace("Red", "Green")));
    let mut other = desk(&others, &[], 5);
    assert!(other.take(code, &others).is_err());
    for length in 1..code.len() {
        let cut = &code[..length];
        assert!(there.take(cut, &bundle).is_err(), "{cut}");
    }
    for wrong in ["", "x", "place a1 b1", "game: Chess\n\nplace a1\n", "position:\n x\n"] {
        assert!(there.take(wrong, &bundle).is_err(), "{wrong}");
    }
}

#[test]
fn a_new_game_and_other_options_are_taken_back() {
    let bundle = Bundle::of(&Sources::named("race.game", RACE));
    let mut desk = desk(&bundle, &[], 11);
    play(&mut desk, &["b2", "c3"]);
    let before = (desk.record(), desk.describe_game()["sites"].clone());
    desk.restart().expect("a game");
    assert_ne!(desk.record(), before.0);
    desk.undo().expect("the game before");
    assert_eq!(desk.record(), before.0);
    desk.restart_with(vec![("Size".to_owned(), "5".to_owned())], &bundle).expect("a game");
    assert_eq!(desk.describe_game()["sites"].as_array().map(Vec::len), Some(25));
    desk.undo().expect("the game before");
    assert_eq!((desk.record(), desk.describe_game()["sites"].clone()), before);
    assert_eq!(desk.describe_check()["options"][0]["value"], "3");
}

#[test]
fn a_bundle_holds_the_files_that_a_game_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/diagonal-kitaran.game");
    let sources = ludwright::files::gather(&path).expect("the rules");
    let bundle = Bundle::of(&sources);
    let text = serde_json::to_string(&bundle).expect("JSON");
    assert!(!text.contains(env!("CARGO_MANIFEST_DIR")), "{text}");
    let again: Bundle = serde_json::from_str(&text).expect("a bundle");
    let gathered = again.gather(&Origin::New, again.text());
    assert_eq!(gathered.text(), sources.text());
    assert!(gathered.names().len() > 1 && gathered.findings().is_empty());
}

#[test]
fn modules_become_one_script() {
    let one = "export const A = 1;\nconst hidden = 2;\nexport class B {}\n";
    let other = "import { A, B as Other } from \"./one.js\";\nexport async function run() {}\n";
    let script = joined(&[("one.js", one), ("other.js", other)]);
    assert!(script.contains("return { A, B };"), "{script}");
    assert!(script.contains("const { A, B: Other } = modules[\"one.js\"];"), "{script}");
    assert!(script.contains("return { run };"), "{script}");
    assert!(!script.contains("import ") && !script.contains("export "), "{script}");
}

/// The licence in the rules is on the page and the rule sheet; another may be named for a page.
#[test]
fn a_page_names_the_licence_of_the_game() {
    let text =
        RACE.replace("(players", "(license \"CC BY 4.0\") (author \"A. Designer\") (players");
    let game = ludwright::load(text.as_str(), &[]).expect("a game");
    let html = |license| {
        let module = ModulePlace::Inside(b"module");
        PlayPage { game: &game, examples: &[], record: None, seats: &[], license, module }.html()
    };
    assert!(html(None).contains("A. Designer, CC BY 4.0"));
    assert!(html(Some("MIT")).contains("A. Designer, MIT"));
    assert!(sheet(&game, &[]).contains("<p>A. Designer, CC BY 4.0</p>"));
}

#[test]
fn what_is_put_into_a_page_stays_data() {
    let name = "</script><u>{{script}}";
    let text = RACE.replace("Race", name);
    let game = ludwright::load(text.as_str(), &[]).expect("a game");
    let page = PlayPage {
        game: &game,
        examples: &[],
        record: None,
        seats: &[],
        license: Some(name),
        module: ModulePlace::Inside(b"module"),
    };
    let html = page.html();
    assert!(!html.contains("<u>"), "{name} is markup in the page");
    assert_eq!(html.matches("</script>").count(), 3);
    assert!(html.contains("bW9kdWxl") && html.contains("'wasm-unsafe-eval'"));
}

/// The time that is left is said once something is known of the pace, never grows, and is nothing in
/// the end.
#[test]
fn the_time_left_never_grows() {
    let second = Duration::from_secs;
    let mut progress = Progress::new("playtest");
    progress.say(0.0, String::new());
    assert_eq!(progress.left_after(second(5)), None);
    progress.say(0.1, String::new());
    assert_eq!(progress.left_after(second(1)), None);
    assert_eq!(progress.left_after(second(6)).map(f64::round), Some(54.0));
    // It is slower for a while, and then fast again.
    assert_eq!(progress.left_after(second(8)).map(f64::round), Some(54.0));
    progress.say(0.5, String::new());
    assert_eq!(progress.left_after(second(30)).map(f64::round), Some(30.0));
    // What is done does not become undone.
    progress.say(0.4, String::new());
    assert_eq!(progress.left_after(second(30)).map(f64::round), Some(30.0));
    progress.say(1.0, String::new());
    assert_eq!(progress.left_after(second(61)), Some(0.0));

    // Of work for hours, a small part tells enough after a while; of none, nothing is known.
    let mut progress = Progress::new("playtest");
    assert_eq!(progress.left_after(second(20)), None);
    progress.say(0.001, String::new());
    assert_eq!(progress.left_after(second(9)), None);
    assert_eq!(progress.left_after(second(10)).map(f64::round), Some(9990.0));
}
