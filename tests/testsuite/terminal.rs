//! The prompt in a pseudo-terminal: keys are typed, the screen is read, and the process is killed
//! during games.

macro_rules! shows {
    ($text:expr) => {
        crate::snapshots_in("terminal").bind(|| insta::assert_snapshot!($text));
    };
}

mod journal;
mod lines;
mod pty;
mod saves;
mod trouble;

use pty::Pty;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Time limit for an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time without output after which the screen counts as settled.
const STILL: Duration = Duration::from_millis(150);
/// Polling interval.
const POLL: Duration = Duration::from_millis(20);
const INTERRUPT: char = '\u{3}';

/// Makes an empty state folder.
fn fresh_state(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder of its own");
    folder
}

/// The binary in a pseudo-terminal.
struct Terminal {
    process: Pty,
    screen: vt100::Parser,
    /// Number of line feeds read so far.
    ended: usize,
}

impl Terminal {
    /// Opens a terminal of this width, high enough for all output.
    fn open(state: &Path, columns: u16, arguments: &str) -> Terminal {
        Terminal::sized(state, 200, columns, arguments)
    }

    fn sized(state: &Path, rows: u16, columns: u16, arguments: &str) -> Terminal {
        let mut terminal = Terminal::start(state, rows, columns, "true", arguments);
        terminal.wait("> ", 0);
        terminal
    }

    /// Opens a terminal whose shell runs `before` and then the binary.
    fn start(state: &Path, rows: u16, columns: u16, before: &str, arguments: &str) -> Terminal {
        let mut command = Command::new("sh");
        let script =
            format!("stty rows {rows} cols {columns} && {before} && exec \"$0\" {arguments}");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_ludwright")]);
        command.env("LUDWRIGHT_STATE", state).env("TERM", "xterm-256color").env_remove("NO_COLOR");
        let process = Pty::start(command);
        Terminal { process, screen: vt100::Parser::new(rows, columns, 0), ended: 0 }
    }

    /// Types keys, and waits until the text before the cursor ends with `until`.
    fn types(&mut self, keys: &str, until: &str) -> &mut Terminal {
        // The echo of a submitted line ends with a line feed before any answer.
        let ends = usize::from(keys.contains(['\r', INTERRUPT]));
        let ended = self.ended + ends;
        self.process.types(keys);
        self.wait(until, ended);
        self
    }

    /// Types a line, and waits until the text before the cursor ends with `until`.
    fn line(&mut self, text: &str, until: &str) -> &mut Terminal {
        self.types(&format!("{text}\r"), until)
    }

    /// Reads the available output; returns false if there is none.
    fn read(&mut self) -> bool {
        let Some(bytes) = self.process.read(POLL) else { return false };
        self.ended += bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.screen.process(&bytes);
        true
    }

    /// Reads until `ended` lines have ended, the text before the cursor ends with `until`, and
    /// output has settled.
    fn wait(&mut self, until: &str, ended: usize) {
        let began = Instant::now();
        let mut last = began;
        loop {
            if self.read() {
                last = Instant::now();
            }
            if last.elapsed() >= STILL
                && self.ended >= ended
                && self.before_cursor().ends_with(until)
            {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "`{until}` never came:\n{}", self.text());
        }
    }

    /// Waits until the screen shows a text this many times, and then for the prompt.
    fn wait_for(&mut self, said: &str, times: usize) -> &mut Terminal {
        let began = Instant::now();
        while self.text().matches(said).count() < times {
            self.read();
            assert!(began.elapsed() < PATIENCE, "`{said}` never came:\n{}", self.text());
        }
        self.wait("> ", 0);
        self
    }

    fn before_cursor(&self) -> String {
        let (row, column) = self.screen.screen().cursor_position();
        self.screen.screen().contents_between(row, 0, row, column)
    }

    fn text(&self) -> String {
        let lines: Vec<String> = self
            .screen
            .screen()
            .contents()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        format!("{}\n", lines.join("\n"))
    }

    /// Colour of the first character of a text on the screen.
    fn color(&self, text: &str) -> Option<vt100::Color> {
        let screen = self.screen.screen();
        let (rows, columns) = screen.size();
        let lines = screen.rows(0, columns).zip(0..rows);
        let (column, row) = lines
            .filter_map(|(line, row)| Some((line[..line.find(text)?].chars().count(), row)))
            .last()?;
        screen.cell(row, column as u16).map(vt100::Cell::fgcolor)
    }

    /// Ends the input, and returns the screen.
    fn leave(mut self) -> String {
        self.process.types("\u{4}");
        self.end()
    }

    /// Waits for the end of the process, and returns the screen.
    fn end(mut self) -> String {
        let began = Instant::now();
        while !self.process.has_ended() {
            assert!(began.elapsed() < PATIENCE, "it does not end:\n{}", self.text());
            std::thread::sleep(Duration::from_millis(5));
        }
        while self.read() {}
        self.text()
    }
}

#[test]
fn a_game_is_played_and_left_and_gone_on_with() {
    let state = fresh_state("game");
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game -o Size=3");
    terminal
        .line("moves", "Black> ")
        .line("b2", "White> ")
        .line("targets", "White> ")
        .line("b2", "White> ")
        .line("a1", "Black> ");
    terminal
        .line("undo", "White> ")
        .line("redo", "Black> ")
        .line("", "Black> ")
        .line("undp", "Black> ")
        .line("load no-such.record", "Black> ");
    terminal.line("comment why not", "Black> ");
    shows!(terminal.leave());
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game --resume");
    terminal.line("goto 0", "Black> ").line("redo", "White> ");
    let shown = terminal.leave();
    assert!(shown.contains("The game is saved; `--resume` continues it."), "{shown}");
}

#[test]
fn a_line_may_be_interrupted_completed_and_called_back() {
    let state = fresh_state("editing");
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game -o Size=3");
    // Interrupted.
    terminal.types("place a", "Black> place a");
    assert!(terminal.text().contains("Black> place a1 …"), "it hints:\n{}", terminal.text());
    terminal.types("\u{3}", "Black> ");
    assert!(!terminal.text().contains('…'), "the hint is gone:\n{}", terminal.text());
    // The arrow key accepts a hint that continues the input, but not one that only describes what
    // can follow.
    terminal
        .types("und\u{1b}[C", "Black> undo")
        .types("\u{15}goto\u{1b}[C", "Black> goto")
        .types("\u{15}", "Black> ");
    // Completed.
    terminal
        .types("targ\t", "Black> targets ")
        .types("\u{15}", "Black> ")
        .types("opt\t\r", "Black> ");
    let ended = terminal.ended;
    terminal.types("play b\t\t", "Black> play b").wait("Black> play b", ended + 1);
    assert!(terminal.text().contains("\nb1"), "it lists:\n{}", terminal.text());
    terminal.types("2\r", "White> ");
    // History, also in the next game of these rules.
    terminal
        .types("\u{1b}[A", "White> play b2")
        .types("\u{15}", "White> ")
        .types("\u{1b}[A\u{1b}[A", "White> options")
        .types("\u{15}", "White> ");
    shows!(terminal.leave());
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game");
    terminal.types("\u{1b}[A", "Black> play b2").types("\u{15}", "Black> ");
    terminal.leave();
}

#[test]
fn the_next_session_recalls_moves_only() {
    let state = fresh_state("moves");
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game -o Size=3");
    terminal.line("b2", "White> ").line("(theirs)", "White> ").line("seats", "White> ");
    // What was typed in this session can be called back.
    terminal.types("\u{1b}[A\u{1b}[A", "White> (theirs)").types("\u{15}", "White> ");
    terminal.types("plac\t", "White> place ").types("\u{15}", "White> ");
    assert!(terminal.text().contains("\nplace a1"), "it lists:\n{}", terminal.text());
    terminal.leave();
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game");
    terminal.types("\u{1b}[A\u{1b}[A\u{1b}[A", "Black> b2").types("\u{15}", "Black> ");
    terminal.leave();
}

#[test]
fn what_is_typed_while_a_program_thinks_is_kept() {
    let state = fresh_state("thinking");
    let file = "play games/kitaran.game -o Size=4 --seat White=mcts:3000s";
    let mut terminal = Terminal::open(&state, 80, file);
    terminal.types("b2\r", "White is thinking … (Ctrl-C stops it)");
    // It is not shown until the prompt comes.
    terminal.types("a1", "(Ctrl-C stops it)");
    terminal.types("\u{3}", "Black> a1");
    let shown = terminal.text();
    assert!(shown.contains("White: place") && !shown.contains("thinking"), "{shown}");
    terminal.types("\u{15}", "Black> ");
    terminal.leave();
}

#[test]
fn a_question_is_answered_by_a_number() {
    let mut terminal =
        Terminal::open(&fresh_state("question"), 80, "play tests/commands/prompt/verbs.game");
    terminal
        .line("b1", "White> ")
        .line("3", "White> ")
        .line("b1", "White> ")
        .line("2", "Black> ")
        .line("undo", "Black> ")
        .line("play undo", "White> ");
    shows!(terminal.leave());
}

#[test]
fn a_position_is_typed() {
    let mut terminal =
        Terminal::open(&fresh_state("position"), 80, "play games/kitaran.game -o Size=3");
    terminal
        .line("position draw", "| ")
        .line("  3 . B .", "| ")
        .line("  2 B W B", "| ")
        .line("  1 . . .", "| ")
        .line("    a b c", "| ");
    terminal
        .line("to move: White", "| ")
        .line("", "White> ")
        .line("position draw", "| ")
        .line("3 . X .", "| ")
        .line("", "White> ");
    // Cancelled; until then commands are neither hinted nor completed.
    terminal.line("position draw", "| ").types("und\t", "| und").types("\u{3}", "White> ");
    shows!(terminal.leave());
}

#[test]
fn colours_tell_what_is_typed_and_whose_it_is() {
    let mut terminal = Terminal::open(
        &fresh_state("colours"),
        80,
        "play games/kitaran.game -o Size=3 --color always",
    );
    let plain = Some(vt100::Color::Default);
    terminal.types("b2", "Black> b2");
    assert_eq!(terminal.color("b2"), Some(vt100::Color::Idx(2)));
    terminal.types("\u{15}undo", "Black> undo");
    assert_eq!(terminal.color("undo"), Some(vt100::Color::Idx(6)));
    terminal.types("\u{15}b9", "Black> b9");
    assert_eq!(terminal.color("b9"), plain);
    terminal.types("\u{15}b2\r", "White> ");
    let (black, _) = (terminal.color("B "), terminal.types("a1\r", "Black> "));
    assert_ne!(terminal.color("W "), black);
    terminal.leave();
    let mut terminal = Terminal::open(
        &fresh_state("colours"),
        80,
        "play games/kitaran.game -o Size=3 --color never",
    );
    terminal.types("b2", "Black> b2");
    assert_eq!(terminal.color("b2"), plain);
    terminal.types("\r", "White> ");
    assert!(
        terminal
            .screen
            .screen()
            .rows_formatted(0, 80)
            .all(|row| !row.windows(3).any(|bytes| bytes == b"\x1b[3")),
        "nothing is coloured"
    );
    terminal.leave();
}

#[test]
fn a_narrow_terminal_will_do() {
    for (name, rows, columns, file) in [
        ("narrow", 24, 32, "kitaran"),
        ("low", 12, 40, "double-move-situ"),
        ("stones", 24, 40, "lichen-chess"),
    ] {
        let mut terminal =
            Terminal::sized(&fresh_state(name), rows, columns, &format!("play games/{file}.game"));
        let first = terminal.text();
        terminal.line("help undo", "> ").line("undp", "> ").types("position", "> position");
        let text = format!("{first}--------\n{}", terminal.text());
        terminal.types("\u{15}", "> ");
        terminal.leave();
        shows!(text);
    }
}

#[test]
fn programs_are_stopped_by_ctrl_c() {
    let state = fresh_state("programs");
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game -o Size=5 --seed 3");
    let stop = |terminal: &mut Terminal, line: &str, said: &str| {
        let began = Instant::now();
        terminal.types(&format!("{line}\r"), "");
        // Waits until the editor has released the terminal.
        std::thread::sleep(Duration::from_millis(500));
        terminal.types("\u{3}", "> ");
        assert!(
            began.elapsed() < PATIENCE && terminal.text().contains(said),
            "{}",
            terminal.text()
        );
    };
    stop(&mut terminal, "hint mcts:3000s", "try `place");
    stop(&mut terminal, "eval mcts:3000s", "winning chance");
    stop(&mut terminal, "auto mcts:3000s", "stopped; enter `auto` to continue");
    terminal.leave();
}

#[test]
fn a_record_is_stepped_through() {
    let state = fresh_state("stepping");
    let file = "tests/commands/changed/before.game tests/commands/changed/whole.record";
    let mut terminal = Terminal::open(&state, 80, &format!("replay {file}"));
    terminal
        .line("", "Black> ")
        .line("", "White> ")
        .line("undo", "Black> ")
        .line("goto 4", "White> ")
        .line("", "> ")
        .line("", "> ");
    shows!(terminal.leave());
    assert!(
        !state.join("history").exists()
            || std::fs::read_dir(&state).expect("a folder").count() == 1,
        "no journal is made"
    );
}

#[test]
fn a_terminal_that_is_closed_loses_nothing() {
    let state = fresh_state("closed");
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game -o Size=3");
    terminal.line("b2", "White> ").line("a1", "Black> ");
    // The environment may ignore SIGHUP for all its processes.
    terminal.process.hang_up();
    drop(terminal);
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game --resume");
    assert!(terminal.text().contains("Black to move"), "{}", terminal.text());
    terminal.line("record", "Black> ");
    assert!(terminal.text().contains("place b2"), "{}", terminal.text());
    terminal.leave();
}
