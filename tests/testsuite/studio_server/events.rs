//! What the studio does at a desk over time: games under changing rules, programs, jobs, files that
//! change, and how long answers take.

use super::{GAME, Studio};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The events of a desk.
struct Events(BufReader<TcpStream>);

impl Events {
    fn of(studio: &Studio, desk: &Value) -> Events {
        let mut stream = studio.connect();
        let desk = desk.as_str().expect("a name");
        let path = format!("/{}/events?desk={desk}", studio.token);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", studio.port)
            .expect("a request");
        let mut events = Events(BufReader::new(stream));
        // The head, and the first line of the stream.
        while !events.line().starts_with("retry:") {}
        events
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.0.read_line(&mut line).expect("a line") > 0, "the stream has ended");
        line.trim_end().to_owned()
    }

    /// Waits for the next event of a kind.
    fn next(&mut self, wanted: &str) -> Value {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            assert!(Instant::now() < deadline, "no event {wanted}");
            if self.line() == format!("event: {wanted}") {
                let data = self.line();
                let data = data.strip_prefix("data: ").expect("data");
                return serde_json::from_str(data).expect("JSON");
            }
        }
    }
}

#[test]
fn programs_play_until_a_person_is_to_move() {
    let studio = Studio::start("programs", &[]);
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    let mut events = Events::of(&studio, &desk);
    let seats = |white: &str, black: &str| {
        let seats = json!({ "White": white, "Black": black });
        studio.grant("seats", json!({ "desk": desk, "seats": seats }))
    };
    // Without a training a player is told what it does instead.
    let note = seats("human", "strong:20it")["note"].clone();
    assert_eq!(
        note,
        "there is no training of this game with these options, so that `strong:20it` plays as `mcts`"
    );
    assert_eq!(seats("human", "greedy")["note"], Value::Null);
    studio.grant("play", json!({ "desk": desk, "text": "drop a1" }));
    let game = loop {
        let game = events.next("game");
        if game["thinking"] == false {
            break game;
        }
    };
    assert_eq!((&game["ply"], &game["plies"][1]["seat"]), (&json!(2), &json!("greedy")));
    // Taking back a ply takes back that of the program, too.
    let game = studio.grant("undo", json!({ "desk": desk }))["game"].clone();
    assert_eq!(game["ply"], 0);
    // Two programs play to the end.
    seats("random", "random");
    let game = loop {
        let game = events.next("game");
        if game["result"].is_object() && game["thinking"] == false {
            break game;
        }
    };
    assert_eq!(game["ply"], 9);
    assert!(game["result"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    studio.grant("restart", json!({ "desk": desk }));
    seats("human", "human");
    let hint = studio.grant("hint", json!({ "desk": desk }));
    assert!(hint["ply"].as_str().is_some_and(|ply| ply.starts_with("drop ")), "{hint}");
    studio.grant("evaluate", json!({ "desk": desk, "on": true }));
    let evaluation = events.next("evaluation");
    assert_eq!(evaluation["players"].as_array().map(Vec::len), Some(2));
    studio.grant("evaluate", json!({ "desk": desk, "on": false }));
}

/// Opens Hex at a desk with a program as the first player; returns the desk and a function that
/// chooses the size of the board.
fn hex(studio: &Studio) -> (Value, impl Fn(u32) -> Value) {
    std::fs::copy("tests/games/hex.game", studio.folder.join("games/hex.game")).expect("a file");
    let opened = studio.open(json!({ "path": "hex.game" }));
    let (desk, text) = (opened["desk"].clone(), opened["text"].clone());
    let edit = json!({ "desk": desk, "text": text, "revision": 1 });
    let resize = move |size: u32| {
        let mut edit = edit.clone();
        edit["options"] = json!({ "Size": size });
        studio.grant("edit", edit)["game"].clone()
    };
    (desk, resize)
}

fn seat(studio: &Studio, desk: &Value, red: &str) {
    let seats = json!({ "Red": red, "Blue": "human" });
    studio.grant("seats", json!({ "desk": desk, "seats": seats }));
}

/// The program comes to this conclusion, and makes the first ply.
fn thinks_and_plays(events: &mut Events, conclusion: &str) {
    let thought = events.next("thinking");
    assert_eq!(thought["failed"], Value::Null, "{thought}");
    let text = thought["text"].as_str().expect("a text");
    assert!(text.starts_with(conclusion), "{text}");
    let game = loop {
        let game = events.next("game");
        if game["thinking"] == false {
            break game;
        }
    };
    assert_eq!((&game["ply"], &game["stopped"]), (&json!(1), &Value::Null));
    assert_eq!(game["plies"][0]["seat"], "mcts:500s");
}

/// A program that still thinks when an option is changed does not go on with the game before, for
/// however long.
#[test]
fn a_program_turns_to_the_rules_at_hand() {
    let studio = Studio::start("turning", &[]);
    let (desk, resize) = hex(&studio);
    let mut events = Events::of(&studio, &desk);
    seat(&studio, &desk, "mcts:500s");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(resize(2)["ply"], 0);
    thinks_and_plays(&mut events, "Red has a proven win: ");
}

/// Nor when the rules are written anew, with errors in between.
#[test]
fn a_program_turns_to_the_rules_that_are_written() {
    let studio = Studio::start("rewriting", &[]);
    let (desk, _) = hex(&studio);
    let mut events = Events::of(&studio, &desk);
    let rules = include_str!("../../games/hex.game");
    let edit = |text: &str, revision: u64| {
        let edit = json!({ "desk": desk, "text": text, "revision": revision });
        studio.grant("edit", edit)["game"].clone()
    };
    seat(&studio, &desk, "mcts:500s");
    std::thread::sleep(Duration::from_millis(500));
    // Whoever joins his sides loses, on three by three hexagons: the second player wins.
    let small = rules.replace("(range 2 19) 9", "(range 2 19) 3").replace("(win mover)", "(lose");
    let faulty = edit(&small, 2);
    assert_eq!((&faulty["faulty"], &faulty["ply"]), (&json!(true), &json!(0)));
    assert_eq!(faulty["sites"].as_array().map(Vec::len), Some(81));
    let game = edit(&small.replace("(lose", "(lose mover)"), 3);
    assert_eq!((&game["ply"], &game["faulty"]), (&json!(0), &Value::Null));
    assert_eq!(game["sites"].as_array().map(Vec::len), Some(9));
    thinks_and_plays(&mut events, "Red has a proven loss: ");
}

/// A hint for another position, or under other rules, is not given.
#[test]
fn a_late_hint_is_refused() {
    let studio = Studio::start("late-hint", &[]);
    let (desk, resize) = hex(&studio);
    let rules = include_str!("../../games/hex.game");
    let mut revision = 1;
    let mut edit = |text: &str| {
        revision += 1;
        let edit = json!({ "desk": desk, "text": text, "revision": revision });
        studio.grant("edit", edit)
    };
    let misere = rules.replace("(win mover)", "(lose mover)");
    let ply = |attempt: usize| match attempt % 2 {
        0 => studio.grant("play", json!({ "desk": desk, "text": "place a1" })),
        _ => studio.grant("undo", json!({ "desk": desk })),
    };
    type Change<'c> = Box<dyn FnMut(usize) -> Value + 'c>;
    let mut changes: [(&str, Change<'_>); 3] = [
        ("option", Box::new(|attempt| resize(5 + attempt as u32 % 2))),
        ("ply", Box::new(ply)),
        ("rules", Box::new(|attempt| edit(if attempt % 2 == 0 { &misere } else { rules }))),
    ];
    for (what, change) in &mut changes {
        // A hint takes a second; where much else goes on, the change may miss it.
        let mut is_refused = |attempt: usize| {
            let (status, answer) = std::thread::scope(|scope| {
                let hint = scope.spawn(|| studio.ask("hint", &json!({ "desk": desk })));
                std::thread::sleep(Duration::from_millis(300));
                change(attempt);
                hint.join().expect("an answer")
            });
            let error = "the position has changed meanwhile; ask again";
            assert!(status == 200 || answer["error"] == error, "{what}: {answer}");
            status == 400
        };
        assert!((0..10).any(&mut is_refused), "{what}");
    }
    let (status, hint) = studio.ask("hint", &json!({ "desk": desk }));
    assert_eq!(status, 200, "{hint}");
}

/// What a program has found on one board says nothing of another one.
#[test]
fn a_program_forgets_the_board_before() {
    let studio = Studio::start("forgetting", &[]);
    let (desk, resize) = hex(&studio);
    let mut events = Events::of(&studio, &desk);
    // The first search ends at once, but its ply is made a moment later. Usually the option is
    // changed in between.
    let is_in_time = || {
        seat(&studio, &desk, "human");
        studio.grant("restart", json!({ "desk": desk }));
        resize(2);
        seat(&studio, &desk, "mcts:300ms");
        std::thread::sleep(Duration::from_millis(50));
        resize(7)["ply"] == 0
    };
    let attempts = (0..20).position(|_| is_in_time());
    // Those that came too late were told of.
    let thought =
        (0..=attempts.expect("an attempt in time")).map(|_| events.next("thinking")).last();
    let thought = thought.expect("an event");
    assert_eq!(thought["failed"], Value::Null, "{thought}");
    let text = thought["text"].as_str().expect("a text");
    assert!(text.starts_with("Red has a winning chance of "), "{text}");
    let game = loop {
        let game = events.next("game");
        if game["ply"] == 1 && game["thinking"] == false && game["plies"][0]["seat"] == "mcts:300ms"
        {
            break game;
        }
    };
    assert_eq!(game["stopped"], Value::Null, "{game}");
}

#[test]
fn chances_after_a_roll_are_those_of_the_new_position() {
    let studio = Studio::start("chances", &[]);
    let rules =
        "(game \"Dice\" (players A B) (board (square 3)) (piece Stone) (remember Die number)
      (move roll (number n 1 6) (set Die n)) (move place (to t (empty)) (put Stone t))
      (play (forever (for p players (chance roll) (turn p (choose place)))))
      (end (if (none (empty)) (by-score p Die))))";
    std::fs::write(studio.folder.join("games/dice.game"), rules).expect("a file");
    let desk = studio.open(json!({ "path": "dice.game" }))["desk"].clone();
    let mut events = Events::of(&studio, &desk);
    let game = studio.grant("goto", json!({ "desk": desk, "id": 0 }))["game"].clone();
    assert_eq!((&game["chance"], &game["ply"]), (&json!(true), &json!(0)));
    studio.grant("evaluate", json!({ "desk": desk, "on": true }));
    let evaluation = events.next("evaluation");
    assert_eq!((&evaluation["ply"], &evaluation["best"]), (&json!(0), &Value::Null));
    // Until no more is estimated of this position.
    std::thread::sleep(Duration::from_secs(3));
    studio.grant("roll", json!({ "desk": desk }));
    let evaluation = loop {
        let evaluation = events.next("evaluation");
        if evaluation["ply"] != 0 {
            break evaluation;
        }
    };
    assert_eq!(evaluation["ply"], 1);
    assert!(evaluation["best"].as_str().is_some_and(|best| best.starts_with("place ")));
}

#[test]
fn a_search_is_stopped_at_will() {
    let studio = Studio::start("stopped", &[]);
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    let mut events = Events::of(&studio, &desk);
    let seats = json!({ "White": "mcts:300s" });
    let game = studio.grant("seats", json!({ "desk": desk, "seats": seats }))["game"].clone();
    assert_eq!(game["thinking"], true);
    studio.grant("stopThinking", json!({ "desk": desk }));
    let game = events.next("game");
    assert_eq!((&game["thinking"], &game["paused"]), (&json!(false), &json!(true)));
    assert_eq!(game["ply"], 0);
}

#[test]
fn files_that_change_are_noticed() {
    let studio = Studio::start("changes", &[]);
    let folder = studio.folder.join("games");
    let variant = "(variant-of \"fill.game\" \"Small\" (default Size 2))";
    std::fs::write(folder.join("small.game"), variant).expect("a file");
    let opened = studio.open(json!({ "path": "small.game" }));
    let desk = &opened["desk"];
    assert_eq!(opened["base"], "fill.game");
    assert_eq!(opened["game"]["sites"].as_array().map(Vec::len), Some(4));
    let base = studio.open(json!({ "path": "fill.game" }));
    assert_eq!(base["variants"][0]["path"], "small.game");
    let mut events = Events::of(&studio, desk);
    // The base game changes.
    let faulty = GAME.replace("(empty)", "(emty)");
    std::fs::write(folder.join("fill.game"), faulty).expect("a file");
    let mut check = events.next("check");
    while check["ok"] == true {
        check = events.next("check");
    }
    assert_eq!(check["findings"][0]["other"]["file"], "fill.game");
    std::fs::write(folder.join("fill.game"), GAME).expect("a file");
    assert_eq!(events.next("check")["ok"], true);
    // The file itself changes: the page decides.
    std::fs::write(folder.join("small.game"), variant.replace('2', "3")).expect("a file");
    let disk = events.next("disk");
    assert_eq!(disk["text"], variant.replace('2', "3"));
}

#[test]
fn play_finds_what_reading_does_not() {
    let studio = Studio::start("observed", &[]);
    let text = GAME.replace("(put Stone t)", "(put Stone t) (remove t)");
    std::fs::write(studio.folder.join("games/endless.game"), &text).expect("a file");
    let opened = studio.open(json!({ "path": "endless.game" }));
    assert_eq!(opened["check"]["ok"], true);
    let check = Events::of(&studio, &opened["desk"]).next("check");
    let findings = check["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|finding| finding["code"] == "endless"), "{check}");
}

#[test]
fn a_record_is_opened_with_its_game() {
    let studio = Studio::start("record", &[]);
    let record = "game: Fill\noption: Size=2\n\ndrop a1\ndrop b2\n";
    std::fs::write(studio.folder.join("games/one.record"), record).expect("a file");
    let opened = studio.open(json!({ "path": "one.record" }));
    assert_eq!((&opened["path"], &opened["game"]["ply"]), (&json!("fill.game"), &json!(2)));
    assert_eq!(opened["game"]["sites"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_record_of_the_game_that_is_opened_first_has_its_own_options() {
    let folder = std::mem::take(&mut Studio::start("first", &[]).folder);
    let file = folder.join("games/fill.game");
    let studio = Studio::at(folder, &file, &["-o", "Size=4"]);
    let record = "game: Fill\noption: Size=2\n\ndrop a1\n";
    std::fs::write(studio.folder.join("games/one.record"), record).expect("a file");
    let sites = |path: &str| {
        let opened = studio.open(json!({ "path": path }));
        opened["game"]["sites"].as_array().map(Vec::len)
    };
    assert_eq!((sites("fill.game"), sites("one.record")), (Some(16), Some(4)));
}

#[test]
fn a_game_goes_on_when_its_rules_change() {
    let studio = Studio::start("rules", &[]);
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    for ply in ["drop a1", "drop b1", "drop c1"] {
        studio.grant("play", json!({ "desk": desk, "text": ply }));
    }
    let edit =
        |text: &str| studio.grant("edit", json!({ "desk": desk, "text": text, "revision": 1 }));
    // Faulty rules: the last good game stays.
    let answer = edit(&GAME.replace("(empty)", "(emty)"));
    assert_eq!((&answer["check"]["ok"], &answer["game"]["faulty"]), (&json!(false), &json!(true)));
    assert_eq!(answer["game"]["ply"], 3);
    assert_eq!(answer["check"]["findings"][0]["edits"][0]["changes"][0]["text"], "empty");
    // The second ply is no longer legal.
    let answer = edit(&GAME.replace("(empty)", "(and (empty) (not b1))"));
    assert_eq!((&answer["game"]["ply"], &answer["game"]["stopped"]["ply"]), (&json!(1), &json!(2)));
    let reason = answer["game"]["stopped"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("b1"), "{reason}");
    // It is legal again: the game is where it was.
    let answer = edit(GAME);
    assert_eq!((&answer["game"]["ply"], &answer["game"]["stopped"]), (&json!(3), &Value::Null));
    let lit = studio.grant(
        "light",
        json!({ "desk": desk, "text": GAME, "at": GAME.find("(empty)").expect("it is there") + 1 }),
    );
    assert_eq!((&lit["type"], lit["sites"].as_array().map(Vec::len)), (&json!("region"), Some(6)));
    let why = studio.grant("why", json!({ "desk": desk, "site": "a1", "chosen": [] }));
    assert!(why["text"].as_str().is_some_and(|text| text.contains("a1")), "{why}");
    assert_eq!(why["legal"], false);
    assert!(!why["clauses"].as_array().expect("clauses").is_empty());
    let trace = studio.grant("trace", json!({ "desk": desk }));
    assert!(trace["clauses"].to_string().contains("c1"), "{trace}");
}

#[test]
fn jobs_report_and_stop() {
    let studio = Studio::start("jobs", &[]);
    let desk = studio.open(json!({ "shipped": "cicada" }))["desk"].clone();
    let start = |kind: &str, arguments: Value| -> Value {
        let job = json!({ "desk": desk, "kind": kind, "arguments": arguments });
        studio.grant("job", job)["job"].clone()
    };
    let wait = |job: &Value| -> Value {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let jobs = studio.grant("jobs", json!({ "desk": desk }));
            let jobs = jobs["jobs"].as_array().expect("jobs").clone();
            let found = jobs.into_iter().find(|known| known["job"] == *job).expect("a job");
            if found["state"] != "running" {
                return found;
            }
            assert!(Instant::now() < deadline, "{found}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let seats = json!({ "Placer": "random", "Mover": "random" });
    let job = start("playtest", json!({ "games": 40, "seats": seats }));
    let done = wait(&job);
    assert_eq!((&done["state"], &done["line"]), (&json!("done"), &json!("")), "{done}");
    let report = &done["found"]["report"];
    assert_eq!((&report["games"], &report["played"]), (&json!(40), &Value::Null), "{done}");
    assert!(!done["found"]["start"]["sites"].as_array().expect("sites").is_empty());
    assert_eq!(done["about"]["options"]["Size"], "5", "{}", done["about"]);
    let view = format!("/{}/view/{}", studio.token, done["view"].as_str().expect("a page"));
    let (status, page) = studio.get(&view, &format!("127.0.0.1:{}", studio.port), "");
    assert_eq!((status, page.starts_with("<!DOCTYPE html>")), (200, true));
    // A long one is stopped, and another one goes on.
    let long = start("solve", json!({ "seconds": 3000 }));
    studio.grant("stop", json!({ "desk": desk, "job": long }));
    let stopped = wait(&long);
    assert_eq!((&stopped["state"], &stopped["line"]), (&json!("stopped"), &json!("")), "{stopped}");
    let diff =
        wait(&start("sweep", json!({ "axes": { "Size": "3 4" }, "games": 4, "seats": seats })));
    assert_eq!(diff["state"], "done", "{diff}");
    let variants = diff["found"]["sweep"]["variants"].as_array().expect("variants");
    assert_eq!(variants[1]["report"]["options"]["Size"], "4", "{diff}");
    // Players that are asked for by name are those of the default playtest, and keep their name.
    let named = start("playtest", json!({ "games": 2, "strength": "beginner" }));
    let named = wait(&named)["found"]["report"].clone();
    let kind = named["strengths"]["beginner"].as_str().expect("a beginner").to_owned();
    assert!(kind.starts_with("mcts:"), "{kind}");
    let figures = named["measures"].to_string();
    assert!(figures.contains(&format!("{kind} against itself")), "{figures}");
    let unknown = json!({ "desk": desk, "kind": "playtest", "arguments": { "strength": "guru" } });
    assert_eq!(studio.ask("job", &unknown).0, 400);
    for kind in ["page", "sheet", "record", "file"] {
        let shared = studio.grant("share", json!({ "desk": desk, "kind": kind }));
        assert!(shared["content"].as_str().is_some_and(|content| content.len() > 40), "{kind}");
        // What is looked at stays at its address, and is as the game is by then.
        if let Some(view) = shared["view"].as_str() {
            let view = format!("/{}/view/{view}", studio.token);
            let (status, page) = studio.get(&view, &format!("127.0.0.1:{}", studio.port), "");
            assert!(status == 200 && page.contains("<h1>"), "{kind}");
        }
    }
}

#[test]
fn a_job_that_was_stopped_says_so_while_its_thread_goes_on() {
    let studio = Studio::start("ended", &[]);
    let desk = studio.open(json!({ "path": "fill.game" }))["desk"].clone();
    let large = json!({ "desk": desk, "text": GAME, "options": { "Size": 4 }, "revision": 1 });
    studio.grant("edit", large);
    let job = studio.grant("job", json!({ "desk": desk, "kind": "diff" }))["job"].clone();
    let stopped = studio.grant("stop", json!({ "desk": desk, "job": job }));
    assert_eq!(stopped["line"], "It was stopped before anything was found.");
    std::thread::sleep(Duration::from_secs(1));
    let jobs = studio.grant("jobs", json!({ "desk": desk }));
    assert_eq!(
        (&jobs["jobs"][0]["state"], &jobs["jobs"][0]["line"]),
        (&stopped["state"], &stopped["line"])
    );
}

/// The median time of an answer, of several.
fn median(mut ask: impl FnMut()) -> Duration {
    let time = |_| {
        let began = Instant::now();
        ask();
        began.elapsed()
    };
    let mut times: Vec<Duration> = (0..7).map(time).collect();
    times.sort_unstable();
    times[times.len() / 2]
}

#[test]
fn answers_come_while_one_waits() {
    let studio = Studio::start("latency", &[]);
    let large = GAME.replace("(range 2 4) 3", "(range 2 20) 20");
    std::fs::write(studio.folder.join("games/large.game"), &large).expect("a file");
    for (name, opened) in [
        ("the largest game that ships", studio.open(json!({ "shipped": "swarm" }))),
        ("a board of 400 sites", studio.open(json!({ "path": "large.game" }))),
    ] {
        let desk = &opened["desk"];
        let text = opened["text"].as_str().expect("a text").to_owned();
        let mut revision = 0;
        let edit = median(|| {
            revision += 1;
            let text = format!("{text}; {revision}\n");
            let edit = json!({ "desk": desk, "text": text, "revision": revision });
            assert_eq!(studio.grant("edit", edit)["check"]["ok"], true);
        });
        studio.grant("edit", json!({ "desk": desk, "text": text, "revision": 0 }));
        let choices = median(|| {
            studio.grant("choices", json!({ "desk": desk, "chosen": [] }));
        });
        let play = median(|| {
            let mut chosen: Vec<String> = Vec::new();
            loop {
                let next = studio.grant("choices", json!({ "desk": desk, "chosen": chosen }));
                if next["complete"].is_object() {
                    break;
                }
                let site = next["sites"][0]["site"].as_str();
                let part = site.or(next["menus"][0]["value"].as_str());
                chosen.push(part.expect("something to choose").to_owned());
            }
            studio.grant("playChosen", json!({ "desk": desk, "chosen": chosen }));
        });
        let at = text.find("(move").expect("a move");
        let at = at + text[at..].find("(to ").expect("a site") + 7;
        let light = median(|| {
            studio.grant("light", json!({ "desk": desk, "text": text, "at": at }));
        });
        println!(
            "{name}: keystroke to findings {edit:?}, choices {choices:?}, \
             a move by clicks {play:?}, light {light:?}"
        );
        assert!(edit < Duration::from_secs(2) && play < Duration::from_secs(2));
    }
}
