//! `--watch`: the running binary reacts to saved files. Every wait is bounded, generously for slow
//! computers.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);

const GAME: &str = r#"(game "Fill"
  (players Black White)
  (include "lines.game")
  (option Size (range 2 5) 3 "Sites along each side.")
  (board (square Size))
  (piece Stone)
  (move place (to t (empty)) (put Stone t))
  (play (turns (choose place (otherwise (draw)))))
  (end (if (Done) (win mover))))
"#;
const LINES: &str = "(definitions\n  (define (Done) (= (count (mine)) 3)))\n";
const CASE: &str = "title: Three stones win.\noption: Size=3\nposition:\n  3 . . .\n  2 B . W\n  1 B . W\n    a b c\nto move: Black\nplay: place c3\nresult: Black wins\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("watch").join(name);
    // Removes what an earlier run left.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("fill.cases")).expect("a folder");
    save(&folder.join("lines.game"), LINES);
    save(&folder.join("fill.game"), GAME);
    save(&folder.join("fill.cases/three.case"), CASE);
    folder
}

fn save(path: &Path, text: &str) {
    std::fs::write(path, text).expect("a file");
}

/// The running binary, and its output so far.
struct Running {
    child: Child,
    input: Option<ChildStdin>,
    shown: Arc<Mutex<String>>,
    /// Length of the output already matched.
    seen: usize,
}

impl Running {
    fn start(folder: &Path, arguments: &[&str]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        command
            .current_dir(folder)
            .args(arguments)
            .args(["--color", "never"])
            .env("LUDWRIGHT_STATE", folder.join("state"));
        // One pipe for both streams, as on a terminal, keeps their order.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        command.stdin(Stdio::piped()).stdout(writer.try_clone().expect("a pipe")).stderr(writer);
        let mut child = command.spawn().expect("the binary");
        let shown = Arc::new(Mutex::new(String::new()));
        collect(reader, &shown);
        let input = child.stdin.take();
        Running { child, input, shown, seen: 0 }
    }

    /// Waits until a text follows in the output, and marks everything up to it as matched.
    fn wait_for(&mut self, text: &str) {
        let begun = Instant::now();
        loop {
            let shown = self.shown.lock().expect("what was shown").clone();
            if let Some(place) = shown[self.seen..].find(text) {
                self.seen += place + text.len();
                return;
            }
            let gone = self.child.try_wait().expect("a child");
            assert!(
                begun.elapsed() < PATIENCE && gone.is_none(),
                "no `{text}` ({gone:?}) in\n{}",
                &shown[self.seen..]
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("its input");
        writeln!(input, "{line}").expect("a reader");
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it does not end");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(mut from: impl Read + Send + 'static, into: &Arc<Mutex<String>>) {
    let into = Arc::clone(into);
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            into.lock().expect("what was shown").push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    });
}

#[test]
fn cases_run_again_when_something_is_saved() {
    let folder = folder("test");
    let mut running = Running::start(&folder, &["test", "fill.game", "--watch"]);
    running.wait_for("1 passed, 0 failed");
    running.wait_for("waiting for fill.game or a case to be saved");
    save(&folder.join("fill.cases/three.case"), &CASE.replace("Black wins", "White wins"));
    running.wait_for("0 passed, 1 failed");
    running.wait_for("waiting");
    // Another case.
    save(&folder.join("fill.cases/two.case"), &CASE.replace("Three", "Two"));
    running.wait_for("1 passed, 1 failed");
    running.wait_for("waiting");
    // An included file.
    save(&folder.join("lines.game"), &LINES.replace('3', "4"));
    running.wait_for("0 passed, 2 failed");
    running.wait_for("waiting");
    // Saving by rename, as many editors do.
    save(&folder.join("new"), &GAME.replace("(empty)", "(emty)"));
    std::fs::rename(folder.join("new"), folder.join("fill.game")).expect("a file");
    running.wait_for("did you mean `empty`?");
    running.wait_for("waiting");
    save(&folder.join("lines.game"), LINES);
    running.wait_for("did you mean `empty`?");
    running.wait_for("waiting");
    save(&folder.join("fill.game"), GAME);
    running.wait_for("1 passed, 1 failed");
    running.wait_for("waiting");
    save(&folder.join("fill.game"), &GAME.replace(" (otherwise (draw))", ""));
    running.wait_for("1 passed, 1 failed");
    running.wait_for("waiting");
    // No player has nine stones before the board is full.
    save(&folder.join("lines.game"), &LINES.replace('3', "9"));
    running.wait_for("no-move");
    running.wait_for("a player can have no legal move here");
}

/// Saves by rename, as many editors do.
fn save_by_rename(path: &Path, text: &str) {
    let new = path.with_extension("new");
    save(&new, text);
    std::fs::rename(&new, path).expect("a file");
}

#[test]
fn a_game_goes_on_under_the_rules_that_were_saved() {
    let folder = folder("play");
    let game = folder.join("fill.game");
    let passing = GAME
        .replace("choose place", "choose place pass")
        .replace("(play (", "(move pass)\n  (play (");
    let mut running = Running::start(&folder, &["play", "fill.game", "--watch", "-o", "Size=2"]);
    running.wait_for("Black to move");
    running.say("place a1");
    running.wait_for("White to move");
    running.say("comment into the corner");
    save(&game, &passing);
    running.wait_for(
        "the rules were reloaded (cases: 1 passed, 0 failed), and the game continues under them",
    );
    running.wait_for("White to move");
    running.say("pass");
    running.wait_for("Black to move");
    // A mistake.
    save_by_rename(&game, &GAME.replace("(empty)", "(emty)"));
    running.wait_for("did you mean `empty`?");
    running.wait_for("the game continues under the rules as they were");
    // Rules under which the record is illegal.
    save_by_rename(&game, GAME);
    running.wait_for("ply 2, `pass`, cannot be played under these rules");
    running.wait_for("the game continues under the rules as they were");
    running.say("seats White=random");
    running.say("place b1");
    running.wait_for("White: ");
    running.wait_for("Black to move");
    running.say("undo");
    running.wait_for("Black to move");
    // Comments, undone plies and seats are kept.
    save_by_rename(&game, &passing.replace("Fill", "Fill Up"));
    running.wait_for("and the game continues under them\n");
    running.wait_for("Black to move");
    running.say("record");
    running.wait_for("game: Fill Up");
    running.wait_for("seat: Black=human\nseat: White=random");
    running.wait_for("place a1  # into the corner");
    running.say("redo");
    running.wait_for("Black to move");
    running.say("undo");
    running.wait_for("Black to move");
    // Rules under which Black has already won.
    save(&folder.join("lines.game"), &LINES.replace('3', "1"));
    running.wait_for("cannot be played under these rules: ");
    running.wait_for("the game continues under the rules as they were");
    let journals = std::fs::read_dir(folder.join("state"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    let kept: Vec<String> = journals
        .filter(|path| path.extension().is_some_and(|end| end == "record"))
        .map(|path| std::fs::read_to_string(path).expect("a record"))
        .collect();
    assert!(
        matches!(&kept[..], [kept] if kept.contains("game: Fill Up") && kept.contains("into the corner")),
        "{kept:?}"
    );
    running.say("quit");
    assert_eq!(running.end(), Some(0));
}
