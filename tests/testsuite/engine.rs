//! The engine protocol from outside: matches between two processes, and malformed input.

use crate::support::{self, Variant, load};
use ludwright::engine::game::{State, Turn};
use ludwright::notation::{outcome, spell};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// An engine process.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn new(variant: &Variant, seed: u64) -> Engine {
        Engine::with_state(variant, seed, None)
    }

    /// Starts an engine that looks for trainings in that folder.
    fn with_state(variant: &Variant, seed: u64, state: Option<&Path>) -> Engine {
        let options = variant
            .options
            .iter()
            .flat_map(|(name, value)| ["-o".to_owned(), format!("{name}={value}")]);
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        command
            .arg("engine")
            .arg(support::rules_file(&variant.name))
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        if let Some(state) = state {
            command.env("LUDWRIGHT_STATE", state);
        }
        let mut child = command.spawn().expect("the binary");
        let (input, output) =
            (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
        let mut engine = Engine { child, input, output: BufReader::new(output) };
        engine.send("ugi");
        assert!(engine.until("ugiok").iter().any(|line| line.starts_with("id name Ludwright")));
        engine.send(&format!("setoption name Seed value {seed}"));
        engine.send("setoption name Threads value 1");
        engine.send("isready");
        assert_eq!(engine.until("readyok"), ["readyok"]);
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).expect("it listens");
    }

    /// Reads lines up to the first with this prefix.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.starts_with(beginning)) {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).expect("text") > 0,
                "it said no `{beginning}`, but {lines:?}"
            );
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    fn ask(&mut self, question: &str) -> String {
        self.send(&format!("query {question}"));
        let lines = self.until("response");
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines[0]["response ".len()..].to_owned()
    }

    /// Lets the engine choose a move; returns it and the lines before.
    fn go(&mut self, limit: &str) -> (String, Vec<String>) {
        self.send(&format!("go {limit}"));
        let mut lines = self.until("bestmove");
        let best = lines.pop().expect("a line");
        (best["bestmove ".len()..].to_owned(), lines)
    }

    fn quit(mut self) {
        self.send("quit");
        assert_eq!(self.child.wait().expect("its end").code(), Some(0));
    }
}

/// Checks that both engines report the state of a position correctly.
fn agree(engines: &mut [Engine; 2], position: &State) {
    let winner = match outcome(position.game().rules(), position.outcome()).as_str() {
        "unfinished" => "none",
        "draw" => "draw",
        text if text.starts_with(position.game().rules().players[0].name.as_str()) => "p1win",
        _ => "p2win",
    };
    for engine in engines {
        assert_eq!(engine.ask("gameover"), position.outcome().is_some().to_string());
        assert_eq!(
            engine.ask("p1turn"),
            matches!(position.turn(), Turn::Player(player) if player.index() == 0).to_string()
        );
        assert_eq!(engine.ask("result"), winner);
    }
}

/// Plays games between two processes with alternating seats. The library is the referee, and the
/// first process rolls the dice.
fn compete(name: &str, options: &[(&str, &str)], games: usize) {
    const LONGEST: usize = 400;
    let options =
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let variant = Variant { name: name.to_owned(), options, plies: 0 };
    let game = load(&variant);
    let mut engines = [Engine::new(&variant, 1), Engine::new(&variant, 2)];
    for number in 0..games {
        let mut position = game.begin().expect("a first position");
        let mut moves = String::new();
        for engine in &mut engines {
            engine.send("uginewgame");
            engine.send("isready");
            engine.until("readyok");
        }
        while position.outcome().is_none() && position.plies().len() < LONGEST {
            let place = if moves.is_empty() {
                "position startpos".to_owned()
            } else {
                format!("position startpos moves{moves}")
            };
            for engine in &mut engines {
                engine.send(&place);
                engine.send("isready");
                assert_eq!(engine.until("readyok"), ["readyok"], "{name}: {place}");
            }
            let (turn, limit) = match position.turn() {
                Turn::Player(player) => ((player.index() + number) % 2, "nodes 20"),
                _ => (0, ""),
            };
            let (best, told) = engines[turn].go(limit);
            let is_info = |line: &String| {
                line.starts_with("info depth ") || line.starts_with("info string root ")
            };
            assert!(told.iter().all(is_info), "{told:?}");
            let spelled = |ply: &&ludwright::engine::game::Move| {
                spell(game.rules(), ply).replace(' ', "_") == best
            };
            let ply = position
                .legal()
                .iter()
                .find(spelled)
                .cloned()
                .unwrap_or_else(|| panic!("{name}: {best} is not legal after{moves}"));
            position.play(&ply).expect("a legal move");
            moves.push_str(&format!(" {best}"));
        }
        for engine in &mut engines {
            engine.send(&format!("position startpos moves{moves}"));
        }
        agree(&mut engines, &position);
        assert!(position.outcome().is_some(), "{name}: no end after {LONGEST} plies");
    }
    engines.into_iter().for_each(Engine::quit);
}

#[test]
fn twenty_games_between_two_processes_have_no_illegal_move() {
    compete("kitaran", &[("Size", "4")], 6);
    compete("swarm", &[("Size", "4"), ("Cubes", "5")], 6);
    compete("double-move-situ", &[("Order", "2")], 4);
    compete("lichen-chess", &[], 4);
}

fn kitaran() -> Variant {
    Variant { name: "kitaran".into(), options: Vec::new(), plies: 0 }
}

#[test]
fn a_search_can_be_stopped_and_is_not_disturbed() {
    let mut engine = Engine::new(&kitaran(), 1);
    engine.send("go infinite");
    engine.send("isready");
    assert_eq!(engine.until("readyok").last().map(String::as_str), Some("readyok"));
    // Queued until the search ends.
    engine.send("position startpos moves place_a1");
    engine.send("stop");
    let lines = engine.until("bestmove place_");
    assert!(
        lines[lines.len() - 2].contains(" nodes ") && lines[lines.len() - 2].contains(" nps "),
        "{lines:?}"
    );
    assert_eq!(engine.ask("p1turn"), "false");
    for limit in ["movetime 20", "p1time 900 p2time 900 p1inc 10 p2inc 10", "depth 2", "nodes 5"] {
        engine.go(limit);
    }
    engine.send("go infinite");
    engine.quit();
}

/// Waits, and returns the lines that the engine writes until it is ready.
fn told_while_ready(engine: &mut Engine) -> Vec<String> {
    let mut told = Vec::new();
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(100));
        engine.send("isready");
        told.extend(engine.until("readyok"));
    }
    told
}

#[test]
fn an_infinite_search_waits_for_stop() {
    let tic_tac_toe = Variant { name: "tic-tac-toe".into(), ..kitaran() };
    // The last ply is known at once, the game is over, or dice are rolled.
    for (variant, place, best) in [
        (&tic_tac_toe, "startpos moves place_a1 place_b1 place_a2 place_b2", "bestmove place_"),
        (
            &tic_tac_toe,
            "startpos moves place_a1 place_b1 place_a2 place_b2 place_a3",
            "bestmove (none)",
        ),
        (&Variant { name: "swarm".into(), ..kitaran() }, "startpos", "bestmove roll_"),
    ] {
        for limit in ["infinite", "infinite depth 1 nodes 1 movetime 1"] {
            let mut engine = Engine::new(variant, 1);
            engine.send(&format!("position {place}"));
            engine.send(&format!("go {limit}"));
            let told = told_while_ready(&mut engine);
            assert!(told.iter().all(|line| !line.starts_with("bestmove")), "{place}: {told:?}");
            engine.send("stop");
            assert!(
                engine.until("bestmove").last().is_some_and(|line| line.starts_with(best)),
                "{place}"
            );
            // It answers once, and goes on.
            engine.send("stop");
            engine.send("isready");
            assert_eq!(engine.until("readyok"), ["readyok"]);
            engine.quit();
        }
    }
    // A full tree ends the search, not the waiting.
    let mut engine = Engine::new(&kitaran(), 1);
    engine.send("setoption name Hash value 1");
    engine.send("go infinite");
    let mut quiet = 0;
    while quiet < 3 {
        let told = told_while_ready(&mut engine);
        assert!(told.iter().all(|line| !line.starts_with("bestmove")), "{told:?}");
        quiet = if told.len() == 4 { quiet + 1 } else { 0 };
    }
    engine.send("stop");
    engine.until("bestmove place_");
    engine.quit();
}

#[test]
fn the_legal_moves_are_listed() {
    for name in ["kitaran", "swarm", "lichen-chess"] {
        let variant = Variant { name: name.into(), ..kitaran() };
        let game = load(&variant);
        let mut position = game.begin().expect("a first position");
        let mut engine = Engine::new(&variant, 1);
        let mut moves = String::new();
        for _ in 0..6 {
            let expected: Vec<String> = position
                .legal()
                .iter()
                .map(|ply| spell(game.rules(), ply).replace(' ', "_"))
                .collect();
            let answer = engine.ask("moves");
            assert_eq!(answer.split(' ').collect::<Vec<&str>>(), expected, "{name}");
            let (best, _) = engine.go("nodes 1");
            let ply = expected.iter().position(|ply| *ply == best).expect("it is legal");
            let ply = position.legal()[ply].clone();
            position.play(&ply).expect("a legal move");
            moves.push_str(&format!(" {best}"));
            engine.send(&format!("position startpos moves{moves}"));
        }
        engine.quit();
    }
    let mut engine = Engine::new(&Variant { name: "tic-tac-toe".into(), ..kitaran() }, 1);
    engine.send("position startpos moves place_a1 place_b1 place_a2 place_b2 place_a3");
    assert_eq!(engine.ask("moves"), "(none)");
    engine.quit();
}

#[test]
fn positions_are_taken_as_they_are_told() {
    for name in ["kitaran", "cicada", "double-move-situ", "swarm", "lichen-chess"] {
        let mut engine = Engine::new(&Variant { name: name.into(), ..kitaran() }, 1);
        let first = engine.ask("position");
        let mut moves = String::new();
        for _ in 0..5 {
            moves.push_str(&format!(" {}", engine.go("nodes 2").0));
            engine.send(&format!("position startpos moves{moves}"));
        }
        let (told, turn) = (engine.ask("position"), engine.ask("turn"));
        engine.send("position startpos");
        assert_eq!(engine.ask("position"), first, "{name}");
        assert_ne!(told, first, "{name}");
        engine.send(&format!("position fen {told}"));
        assert_eq!((engine.ask("position"), engine.ask("turn")), (told.clone(), turn), "{name}");
        let (next, _) = engine.go("nodes 2");
        engine.send(&format!("position fen {told} moves {next}"));
        assert_ne!(engine.ask("position"), told, "{name}");
        engine.quit();
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_answer() {
    let answers = ["1", "2"].map(|threads| {
        let mut engine = Engine::new(&kitaran(), 9);
        engine.send(&format!("setoption name Threads value {threads}"));
        let (best, told) = engine.go("nodes 800");
        engine.quit();
        let line =
            told.last().and_then(|line| line.split_once(" pv ")).map(|(_, line)| line.to_owned());
        (best, line.expect("a line"))
    });
    assert_eq!(answers[0], answers[1]);
}

/// A training is used without being asked for, and only with the options that it was made with.
#[test]
fn the_player_is_strong_where_the_game_is_trained() {
    let state = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine-trained");
    let _ = std::fs::remove_dir_all(&state);
    let path = support::rules_file("kitaran");
    let train = ["-o", "Size=3", "--games", "2", "--match", "0", "--threads", "1"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command.arg("train").arg(&path).args(train).env("LUDWRIGHT_STATE", &state);
    assert!(command.output().expect("the binary").status.success());

    let mut engine = Engine::with_state(&kitaran(), 1, Some(&state));
    let player = |engine: &mut Engine| {
        engine.send("ugi");
        let lines = engine.until("ugiok");
        let line = lines.iter().find(|line| line.starts_with("option name Player"));
        line.and_then(|line| line.split(' ').nth(6)).expect("a default").to_owned()
    };
    assert_eq!(player(&mut engine), "mcts");
    engine.send("setoption name Size value 3");
    assert_eq!(player(&mut engine), "strong");
    let line = |lines: &[String]| {
        let pv = lines.last().and_then(|line| line.split_once(" pv ")).expect("a line").1;
        pv.to_owned()
    };
    let (best, told) = engine.go("nodes 400");
    assert_eq!(line(&told).split(' ').next(), Some(&best[..]));

    // By hand it is another search, which tries every ply of the first position.
    engine.send("setoption name Player value mcts");
    let (best, told) = engine.go("nodes 400");
    let root = told.iter().find_map(|line| line.strip_prefix("info string root "));
    let root: Vec<&str> = root.expect("statistics").split(", ").collect();
    let parts: Vec<Vec<&str>> = root.iter().map(|tried| tried.split(' ').collect()).collect();
    assert_eq!((parts.len(), parts[0][0]), (9, &best[..]));
    let visits: u64 = parts.iter().map(|tried| tried[1].parse::<u64>().expect("visits")).sum();
    assert!((1..=400).contains(&visits), "{root:?}");
    let score = |tried: &Vec<&str>| tried[2].parse::<f64>().expect("a score");
    assert!(parts.iter().map(score).all(|score| (0.0..=1.0).contains(&score)), "{root:?}");

    // Those that do not search answer without a report.
    for name in ["greedy", "random", "learned"] {
        engine.send(&format!("setoption name Player value {name}"));
        let (best, told) = engine.go("nodes 400");
        assert!(best.starts_with("place_") && told.is_empty(), "{name}: {best} {told:?}");
    }
    // The size of the board decides whether there is a training.
    engine.send("setoption name Player value strong");
    engine.send("setoption name Size value 4");
    let note = engine.until("info string");
    assert!(note[0].contains("so that `strong` plays as `mcts`"), "{note:?}");
    engine.quit();
}

#[test]
fn options_of_the_game_begin_it_anew() {
    let mut engine = Engine::new(&kitaran(), 1);
    engine.send("ugi");
    let options = engine.until("ugiok");
    assert!(
        options.iter().any(|line| line
            == "option name Size type combo default 5 var 3 var 4 var 5 var 6 var 7 var 8 var 9"),
        "{options:?}"
    );
    let first = engine.ask("position");
    engine.send("position startpos moves place_a1");
    engine.send("setoption name Size value 3");
    let small = engine.ask("position");
    assert!(small.len() < first.len(), "{small}");
    assert_eq!(engine.ask("p1turn"), "true");
    engine.send("setoption name Size value 5");
    assert_eq!(engine.ask("position"), first);
    engine.quit();
}

#[test]
fn queued_lines_are_limited() {
    let mut engine = Engine::new(&kitaran(), 1);
    engine.send("go infinite");
    (0..1000).for_each(|_| engine.send("query turn"));
    engine.send("query result");
    assert_eq!(
        engine.until("info string").last().map(String::as_str),
        Some("info string too many lines wait for the search to end")
    );
    engine.send("stop");
    engine.until("bestmove");
    for _ in 0..1000 {
        assert_eq!(engine.until("response"), ["response Black"]);
    }
    assert_eq!(engine.ask("result"), "none");
    engine.quit();
}

/// Input that is not a line of text; malformed lines are in `commands/engine.cmd`.
#[test]
fn whatever_is_said_is_answered() {
    let mut engine = Engine::new(&kitaran(), 1);
    engine.input.write_all(b"\xff\xfe\0\x1b[31m\n").expect("it listens");
    assert!(
        engine.until("info string")[0].is_ascii()
            || engine.child.try_wait().expect("its state").is_none()
    );
    engine
        .input
        .write_all(&[b'x'; 3 << 20])
        .and_then(|()| engine.input.write_all(b"\n"))
        .expect("it listens");
    assert_eq!(engine.until("info string"), ["info string a line was longer than 1048576 bytes"]);
    // None of this changed the state.
    assert_eq!(
        (engine.ask("p1turn"), engine.ask("result")),
        ("true".to_owned(), "none".to_owned())
    );
    engine.quit();
}
