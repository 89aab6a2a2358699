//! Work is not lost: by tabs that save at the same time, by what arrives late, by a new game, by
//! opening a file again.

use super::{GAME, Studio};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Saves texts at the same time, each over the content that all know; returns who was told "saved".
fn save_at_once(clients: &[(&Studio, &Value, String)], disk: &Value) -> Vec<bool> {
    let save = |(studio, desk, text): &(&Studio, &Value, String)| {
        let answer = studio.grant("save", json!({ "desk": desk, "text": text, "disk": disk }));
        assert!(answer["path"].is_string() != answer["conflict"].is_object(), "{answer}");
        answer["path"].is_string()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            clients.iter().map(|client| scope.spawn(move || save(client))).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    })
}

/// Races two desks for one file: in each round exactly one of them is told "saved".
fn race(one: &Studio, other: &Studio, rounds: usize) {
    let file = one.folder.join("games/fill.game");
    let desks =
        [one, other].map(|studio| studio.open(json!({ "path": "fill.game" }))["desk"].clone());
    let mut disk = one.open(json!({ "path": "fill.game" }))["disk"].clone();
    for round in 0..rounds {
        let text = |tab: usize| GAME.replace("Fill", &format!("Fill {round} of {tab}"));
        let clients = [(one, &desks[0], text(0)), (other, &desks[1], text(1))];
        let saved = save_at_once(&clients, &disk);
        assert_eq!(saved.iter().filter(|saved| **saved).count(), 1, "round {round}: {saved:?}");
        let winner = saved.iter().position(|saved| *saved).expect("one");
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), text(winner));
        // The other takes the file in, and both know it again.
        let (studio, desk, mine) = &clients[1 - winner];
        let conflict = studio.grant("save", json!({ "desk": desk, "text": mine, "disk": disk }));
        assert_eq!(conflict["conflict"]["text"], json!(text(winner)));
        disk = conflict["conflict"]["disk"].clone();
    }
    let left: Vec<_> = std::fs::read_dir(one.folder.join("games"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn of_two_tabs_that_save_at_once_one_is_told_so() {
    let studio = Studio::start("race", &[]);
    race(&studio, &studio, 60);
}

#[test]
#[cfg(unix)]
fn of_two_studios_that_save_at_once_one_is_told_so() {
    let one = Studio::start("race-of-two", &[]);
    let mut other = Studio::again(one.folder.clone(), &[]);
    race(&one, &other, 30);
    other.folder = PathBuf::from("/nonexistent");
}

#[test]
fn what_arrives_late_does_not_replace_newer_text() {
    let studio = Studio::start("late", &[]);
    let opened = studio.open(json!({ "path": "fill.game" }));
    let (desk, disk) = (&opened["desk"], &opened["disk"]);
    let text = |title: &str| GAME.replace("Fill", title);
    let edit = |title: &str, revision: u64| {
        studio.grant("edit", json!({ "desk": desk, "text": text(title), "revision": revision }))
    };
    edit("First", 1);
    edit("Third", 3);
    let late = edit("Second", 2);
    assert_eq!(late["check"]["title"], "Third");
    assert_eq!(late["check"]["revision"], 3);
    // An older text that is saved is in the file, and the newer one stays at the desk.
    let save = json!({ "desk": desk, "text": text("Second"), "disk": disk, "revision": 2 });
    let saved = studio.grant("save", save);
    assert_eq!(saved["title"], "Third");
    let file = studio.folder.join("games/fill.game");
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), text("Second"));
    let again = studio.open(json!({ "desk": desk }));
    assert_eq!((&again["text"], &again["draft"]), (&json!(text("Third")), &json!(true)));
    assert_eq!(again["savedText"], json!(text("Second")));
    // The page that is loaded again is ahead of what the page before has sent.
    assert!(again["check"]["revision"].as_u64().is_some_and(|number| number > 4), "{again}");
    edit("Fourth", 4);
    let again = studio.open(json!({ "desk": desk }));
    assert_eq!(again["title"], "Third");
    let revision = again["check"]["revision"].as_u64().expect("a number");
    edit("Fifth", revision + 1);
    assert_eq!(studio.open(json!({ "desk": desk }))["title"], "Fifth");
}

/// The texts of the plies that lead to the position, and all plies with variations.
fn plies(opened: &Value) -> (Vec<&str>, usize) {
    let game = &opened["game"];
    let count = game["ply"].as_u64().expect("a number") as usize;
    let line = game["plies"].as_array().expect("a list").iter().take(count);
    let texts = line.map(|ply| ply["text"].as_str().expect("a text")).collect();
    (texts, game["tree"].as_array().expect("a list").len())
}

#[test]
fn a_file_and_a_shipped_game_keep_their_game() {
    let mut studio = Studio::start("kept", &[]);
    for what in [json!({ "path": "fill.game" }), json!({ "shipped": "kitaran" })] {
        let verb = if what["path"].is_string() { "drop" } else { "place" };
        let players =
            if what["path"].is_string() { ["White", "Black"] } else { ["Black", "White"] };
        let opened = studio.open(what.clone());
        let desk = opened["desk"].clone();
        let play = |site: &str| {
            studio.grant("play", json!({ "desk": desk, "text": format!("{verb} {site}") }))
        };
        let text = opened["text"].clone();
        let options = json!({ "Size": "4" });
        studio.grant(
            "edit",
            json!({ "desk": desk, "text": text, "revision": 9, "options": options }),
        );
        play("a1");
        play("b2");
        studio.grant("undo", json!({ "desk": desk }));
        play("c3");
        let seats = json!({ players[0]: "greedy" });
        studio.grant("stopThinking", json!({ "desk": desk }));
        studio.grant("seats", json!({ "desk": desk, "seats": seats }));
        studio.grant("stopThinking", json!({ "desk": desk }));
        let before = studio.open(json!({ "desk": desk }));
        let check = |opened: &Value| {
            assert_eq!(plies(opened), plies(&before), "{what}");
            assert!(plies(opened).1 >= 3, "{opened}");
            assert_eq!(opened["game"]["seats"][players[0]], "greedy");
            assert_eq!(opened["game"]["sites"].as_array().map(Vec::len), Some(16));
            assert_eq!(opened["game"]["undoable"], true);
        };
        let again = studio.open(what.clone());
        assert_ne!(again["desk"], desk, "another tab may still have it");
        check(&again);
        // What is played does not make a draft of what is saved, or comes with the program.
        assert_eq!(studio.grant("home", json!({}))["drafts"], json!([]));
        // Also after the program has ended, and the file has changed meanwhile.
        studio.child.kill().expect("it runs");
        studio.child.wait().expect("its end");
        let folder = std::mem::take(&mut studio.folder);
        let file = folder.join("games/fill.game");
        std::fs::write(&file, GAME.replace("Fill", "Refilled")).expect("a file");
        studio = Studio::again(folder, &[]);
        check(&studio.open(what.clone()));
        std::fs::write(&file, GAME).expect("a file");
    }
    // What is written and not saved is a draft; the file has its own game.
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    let draft = json!({ "desk": desk, "text": GAME.replace("Fill", "Draft"), "revision": 90 });
    studio.grant("edit", draft);
    assert_eq!(studio.grant("home", json!({}))["drafts"][0]["title"], "Draft");
    assert_eq!(studio.open(json!({ "path": "fill.game" }))["title"], "Fill");
    // Saved under another name, both files have the game.
    let opened = studio.open(json!({ "path": "fill.game" }));
    let count = plies(&opened).1;
    assert!(count >= 3, "{opened}");
    let save = json!({ "desk": opened["desk"], "text": GAME, "path": "other" });
    studio.grant("save", save);
    for path in ["fill.game", "other.game"] {
        assert_eq!(plies(&studio.open(json!({ "path": path }))).1, count, "{path}");
    }
}

#[test]
fn a_new_game_leaves_the_one_before() {
    let studio = Studio::start("restart", &[]);
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    let act = |name: &str| studio.grant(name, json!({ "desk": desk }));
    let play =
        |site: &str| studio.grant("play", json!({ "desk": desk, "text": format!("drop {site}") }));
    assert_eq!(act("restart")["game"]["undoable"], false);
    for site in ["a1", "b2", "c3"] {
        play(site);
    }
    act("undo");
    let left = act("restart");
    assert_eq!((&left["game"]["ply"], plies(&left).1), (&json!(0), 3));
    assert_eq!(left["game"]["undoable"], true);
    play("b1");
    // Undo takes back the ply, then the restart; the ply that was taken back before is still ahead.
    act("undo");
    let back = act("undo");
    assert_eq!((plies(&back).0, plies(&back).1), (vec!["drop a1", "drop b2"], 4));
    assert_eq!(plies(&act("redo")).0, ["drop a1", "drop b2", "drop c3"]);
    for _ in 0..3 {
        act("undo");
    }
    assert_eq!(studio.ask("undo", &json!({ "desk": desk })).0, 400);
}

#[test]
fn a_recipe_goes_where_it_belongs() {
    let studio = Studio::start("recipe", &[]);
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    // Offsets are code units, after letters outside ASCII as well.
    let text = GAME.replace("Fill", "Fill 😀 é");
    let answer = studio.grant("recipe", json!({ "desk": desk, "text": text, "title": "pass" }));
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let changes = answer["changes"].as_array().expect("a list");
    for change in changes.iter().rev() {
        let at = |index: usize| change["at"][index].as_u64().expect("an offset") as usize;
        let put = change["text"].as_str().expect("a text").encode_utf16();
        units.splice(at(0)..at(1), put);
    }
    let after = String::from_utf16(&units).expect("a text");
    assert!(after.contains("(put Stone t))\n\n  (move pass)\n"), "{after}");
    assert!(after.contains("(play (turns (choose drop pass)))"), "{after}");
    let edited = studio.grant("edit", json!({ "desk": desk, "text": after, "revision": 1 }));
    assert_eq!(edited["check"]["ok"], true, "{edited}");
    let none = json!({ "desk": desk, "text": text, "title": "none" });
    assert_eq!(studio.ask("recipe", &none).0, 400);
}
