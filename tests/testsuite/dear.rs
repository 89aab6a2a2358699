//! Dear games: rules whose plies take very long or never end. Generated, they hold every command to
//! its limits of time and memory; a few that are known must get the same verdict from every command.
//!
//! `DEAR_SEED=7 cargo test --test testsuite dear::one_game -- --ignored --nocapture` repeats a game
//! and prints it.

use ludwright::random::Random;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// The most processor time of a command whose limit is a second or less, in seconds. Builds for
/// tests are some four times as slow as those that are released.
const SECONDS: f64 = if cfg!(debug_assertions) { 6.0 } else { 1.5 };
/// The most memory of a check, in bytes; the tests' binary and the rules take a part of it.
const CHECK_MEMORY: u64 = 200 << 20;

/// Writes rules that take long.
struct Writer {
    random: Random,
    text: String,
    variables: usize,
    /// The variables that are sites, of the constructs around.
    sites: Vec<String>,
}

impl Writer {
    fn below(&mut self, most: u32) -> u32 {
        self.random.below(most)
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        let letters = [self.variables / 26 % 26, self.variables % 26];
        let letters: String =
            letters.map(|letter| char::from(b'a' + letter as u8)).iter().collect();
        format!("v{letters}")
    }

    fn site(&mut self) -> String {
        let index = self.below(self.sites.len().max(1) as u32) as usize;
        self.sites.get(index).cloned().unwrap_or_else(|| "t".to_owned())
    }

    fn domain(&mut self) -> &'static str {
        ["everywhere", "(mine)", "(pieces)", "(empty)"][self.random.below(4) as usize]
    }

    /// Writes a region that binds a variable and has another region inside.
    fn binder(&mut self, word: &str, depth: u32) {
        let (variable, domain) = (self.variable(), self.domain());
        let _ = write!(self.text, "({word} {variable} {domain} ");
        self.sites.push(variable);
        self.region(depth - 1);
        self.sites.pop();
        self.text.push(')');
    }

    fn region(&mut self, depth: u32) {
        if depth == 0 {
            let site = self.site();
            let region = match self.below(4) {
                0 => format!("(beside {site})"),
                1 => format!("(walk {site} all (empty))"),
                2 => format!("(group {site} (pieces))"),
                _ => format!("(union d all (walk {site} d (empty)))"),
            };
            self.text.push_str(&region);
            return;
        }
        match self.below(6) {
            0 | 1 => self.binder("reach", depth),
            2 => self.binder("union", depth),
            3 => {
                self.text.push_str("(and ");
                self.region(depth - 1);
                self.text.push(' ');
                self.region(depth - 1);
                self.text.push(')');
            }
            4 => {
                let (variable, domain) = (self.variable(), self.domain());
                let _ = write!(self.text, "(where {variable} {domain} (any ");
                self.sites.push(variable);
                self.region(depth - 1);
                self.sites.pop();
                self.text.push_str("))");
            }
            _ => {
                self.text.push_str("(line 3 ");
                self.region(depth - 1);
                self.text.push(')');
            }
        }
    }

    /// Writes a statement for `end`.
    fn end(&mut self) {
        let depth = 1 + self.below(6);
        match self.below(5) {
            0 => {
                let levels = 4 + self.below(16);
                self.text.push_str("(if (any ");
                for _ in 0..levels {
                    let variable = self.variable();
                    let _ = write!(self.text, "(reach {variable} (mine) ");
                    self.sites.push(variable);
                }
                let _ = write!(self.text, "(beside {})", self.sites[0]);
                self.sites.clear();
                self.text.push_str(&")".repeat(levels as usize));
                self.text.push_str(") (draw))");
            }
            1 => {
                let [one, other] = [self.variable(), self.variable()];
                let _ =
                    write!(self.text, "(for {one} everywhere (for {other} everywhere (if (any ");
                self.sites = vec![one, other];
                self.region(depth.min(2));
                self.sites.clear();
                self.text.push_str(") (draw))))");
            }
            _ => {
                let variable = self.variable();
                let _ = write!(self.text, "(if (some {variable} everywhere (> (count ");
                self.sites.push(variable);
                self.region(depth);
                self.sites.clear();
                self.text.push_str(") 1000)) (draw))");
            }
        }
    }

    /// Writes definitions of which each calls the one before several times; returns the last.
    fn definitions(&mut self) -> Option<String> {
        let levels = self.below(10);
        if levels < 4 {
            return None;
        }
        self.text.push_str(" (define (D0 (site s)) (walk s all (empty)))");
        for level in 1..levels {
            let below = level - 1;
            let _ = match self.below(3) {
                0 => write!(
                    self.text,
                    " (define (D{level} (site s)) (union u (D{below} s) (D{below} u)))"
                ),
                1 => write!(
                    self.text,
                    " (define (D{level} (site s)) (and (D{below} s) (D{below} (step s N))))"
                ),
                _ => write!(self.text, " (define (D{level} (site s)) (reach u s (D{below} u)))"),
            };
        }
        Some(format!("(if (some x everywhere (none (D{} x))) (draw))", levels - 1))
    }
}

/// Writes a dear game.
fn generate(seed: u64) -> String {
    let mut writer =
        Writer { random: Random::new(seed), text: String::new(), variables: 0, sites: Vec::new() };
    let boards = ["(square 8)", "(square 20)", "(square 32)", "(rectangle 1024 1)", "(hexagon 9)"];
    let board = boards[writer.below(5) as usize];
    let _ = write!(
        writer.text,
        "(game \"Dear\" (players X O) (board {board}) (piece Stone) (remember Total number)"
    );
    let last = writer.definitions();
    let lets = match writer.below(4) {
        0 => writer.below(300),
        _ => 0,
    };
    writer.text.push_str(" (move drop (to t (empty))");
    for number in 0..lets {
        let (tens, ones) = (number / 26, number % 26);
        let name: String =
            [tens, ones].map(|letter| char::from(b'a' + letter as u8)).iter().collect();
        let _ = write!(writer.text, " (let l{name} (count (group t (empty))))");
    }
    if writer.below(3) == 0 {
        writer.sites.push("t".to_owned());
        writer.text.push_str(" (require (any ");
        let depth = 1 + writer.below(3);
        writer.region(depth);
        writer.text.push_str("))");
        writer.sites.clear();
    }
    writer.text.push_str(" (put Stone t) (raise Total 1))");
    let play = match writer.below(6) {
        0 => {
            " (play (turns (repeat 30000 (if (any (line 5 (empty) all)) (raise Total 1))) (choose drop)))"
        }
        1 => " (play (turns (choose drop) (while (> Total 3) (raise Total 1))))",
        2 => " (play (turns (steps 300 (choose drop))))",
        _ => " (play (turns (choose drop)))",
    };
    writer.text.push_str(play);
    writer.text.push_str(" (end ");
    match last {
        Some(last) => writer.text.push_str(&last),
        None => writer.end(),
    }
    writer.text.push_str("))");
    writer.text
}

/// What a command took and returned.
struct Ran {
    code: Option<i32>,
    /// Processor time in seconds.
    seconds: f64,
    /// The most memory, in bytes.
    memory: u64,
    output: String,
}

/// A game of a playtest may take as long as the playtest announces; then Ctrl-C ends it.
const INTERRUPTED_AFTER: std::time::Duration = std::time::Duration::from_secs(2);

/// Runs a command with this input. Kills it if it takes far too long.
#[cfg(unix)]
fn run(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    run_until(None, folder, arguments, input)
}

/// Runs a command, and ends it by Ctrl-C after some time.
#[cfg(unix)]
fn run_until(
    interrupted_after: Option<std::time::Duration>,
    folder: &Path,
    arguments: &[&str],
    input: &str,
) -> Ran {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let file = |what: &str| folder.join(format!("{}.{what}", arguments[0]));
    fs::write(file("in"), input).expect("a file");
    let open = |what: &str| fs::File::create(file(what)).expect("a file");
    #[allow(clippy::zombie_processes, reason = "`wait4` waits for it")]
    let child = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .current_dir(folder)
        .args(arguments)
        .env("XDG_DATA_HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .stdin(Stdio::from(fs::File::open(file("in")).expect("a file")))
        .stdout(open("out"))
        .stderr(open("err"))
        .spawn()
        .expect("the binary");
    let process = child.id() as libc::pid_t;
    let begun = Instant::now();
    let (mut status, mut is_killed, mut is_interrupted) = (0, false, false);
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `wait4` writes to the two variables; the process is a child that nothing else waits
    // for.
    while unsafe { libc::wait4(process, &mut status, libc::WNOHANG, &mut usage) } == 0 {
        if interrupted_after.is_some_and(|time| begun.elapsed() > time) && !is_interrupted {
            // SAFETY: the process has not been waited for, so that the number is still its own.
            unsafe { libc::kill(process, libc::SIGINT) };
            is_interrupted = true;
        }
        if begun.elapsed() > Duration::from_secs(120) && !is_killed {
            // SAFETY: the process has not been waited for, so that the number is still its own.
            unsafe { libc::kill(process, libc::SIGKILL) };
            is_killed = true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let read = |what: &str| fs::read_to_string(file(what)).expect("a file");
    Ran {
        code: match libc::WIFEXITED(status) {
            true => Some(libc::WEXITSTATUS(status)),
            // As shells say it.
            false => Some(128 + libc::WTERMSIG(status)),
        },
        seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        memory: usage.ru_maxrss as u64 * if cfg!(target_os = "macos") { 1 } else { 1024 },
        output: read("out") + &read("err"),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("dear").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

const UCI: &str = "position startpos\ngo movetime 200\n";
const CHECK: &[&str] = &["check", "dear.game"];
const BENCH: &[&str] = &["bench", "dear.game", "--seconds", "0.5"];
const SOLVE: &[&str] = &["solve", "dear.game", "--time", "500ms", "--memory", "100MB"];
const ENGINE: &[&str] = &["engine", "dear.game"];
const PLAYTEST: &[&str] = &[
    "playtest",
    "dear.game",
    "--games",
    "1",
    "--threads",
    "1",
    "--anew",
    "--seat",
    "X=random",
    "--seat",
    "O=random",
];

/// Runs every command on a game, and returns what exceeds its limits.
#[cfg(unix)]
fn excesses(folder: &Path, text: &str) -> Vec<String> {
    fs::write(folder.join("dear.game"), text).expect("a file");
    let commands: [(&[&str], &str, f64); 9] = [
        (CHECK, "", 1.0),
        (&["perft", "dear.game", "1"], "", 1.0),
        (SOLVE, "", 1.0),
        (BENCH, "", 1.5),
        (ENGINE, UCI, 1.0),
        (PLAYTEST, "", 3.0),
        (&["rules", "dear.game"], "", 1.0),
        (&["plan", "dear.game"], "", 1.0),
        (&["eval", "dear.game", "(count (empty))"], "", 1.0),
    ];
    let mut wrong = Vec::new();
    for (arguments, input, times) in commands {
        let interrupted_after = (arguments == PLAYTEST).then_some(INTERRUPTED_AFTER);
        let ran = run_until(interrupted_after, folder, arguments, input);
        println!("  {:9} {:6.2} s, exit {:?}", arguments[0], ran.seconds, ran.code);
        if ran.seconds > times * SECONDS {
            wrong.push(format!("{} took {:.1} s", arguments.join(" "), ran.seconds));
        }
        if arguments == CHECK && ran.memory > CHECK_MEMORY {
            wrong.push(format!("check took {} MB", ran.memory >> 20));
        }
        if !matches!(ran.code, Some(0 | 1 | 3 | 130)) {
            wrong.push(format!("{} exited with {:?}: {}", arguments[0], ran.code, ran.output));
        }
    }
    wrong
}

#[cfg(unix)]
fn hold(seeds: impl Iterator<Item = u64>) {
    for seed in seeds {
        let text = generate(seed);
        println!("seed {seed}");
        let wrong = excesses(&folder(&seed.to_string()), &text);
        assert!(wrong.is_empty(), "seed {seed}: {}\n{text}", wrong.join("\n"));
    }
}

/// As many games as fit into a usual run.
#[test]
#[cfg(unix)]
fn limits_hold() {
    hold(0..4);
}

#[test]
#[ignore = "takes long"]
#[cfg(unix)]
fn limits_hold_in_many_games() {
    hold(100..220);
}

#[test]
#[ignore = "for one seed"]
#[cfg(unix)]
fn one_game() {
    let seed = std::env::var("DEAR_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    println!("{}", generate(seed));
    hold(std::iter::once(seed));
}

/// `reach` in `reach`, as deep as the number says: its plies take twice as long for each.
fn nested_reach(levels: u8) -> String {
    let open: String =
        (0..levels).map(|level| format!("(reach s{} (mine) ", char::from(b'a' + level))).collect();
    let close = ")".repeat(usize::from(levels));
    format!(
        "(game \"T\" (players X O) (board (square 8)) (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (end (if (any {open}(beside sa){close}) (draw))))"
    )
}

/// Two unions over all sites with a line between both, which no relation of two sites is: a million
/// walks after a ply.
fn nested_union(size: u8) -> String {
    format!(
        "(game \"T\" (players X O) (board (square {size})) (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (end (if (none (empty)) (draw))\n    (if (any (union sa everywhere (union sb everywhere (and (walk sa all (empty)) (between sa sb))))) (draw))))"
    )
}

/// A loop that never ends after the third ply.
const ENDLESS: &str = "(game \"M\" (players X O) (board (square 3)) (piece Stone)\n  (remember Total number)\n  (move drop (to t (empty)) (put Stone t) (raise Total 1))\n  (play (turns (choose drop)\n    (while (> Total 2) (if (any (mine)) (raise Total 1))))))";

/// Every command says of rules that hang that they do, in which line, and fails.
#[test]
#[cfg(unix)]
fn the_verdict_is_the_same_everywhere() {
    let games = [
        ("reach", nested_reach(20), 3),
        ("union", nested_union(32), 4),
        ("endless", ENDLESS.to_owned(), 5),
    ];
    for (name, text, line) in games {
        let folder = folder(name);
        fs::write(folder.join("dear.game"), text).expect("a file");
        let place = format!("dear.game:{line}:");
        let perft: &[&str] = &["perft", "dear.game", "8"];
        let deep: &[&str] = &["check", "--deep", "dear.game"];
        for arguments in [CHECK, BENCH, perft, SOLVE, ENGINE, PLAYTEST, deep] {
            let ran = run(&folder, arguments, UCI);
            let told = format!("{name}, {}: {}", arguments.join(" "), ran.output);
            let often = if arguments == deep || arguments == PLAYTEST { 8.0 } else { 1.5 };
            assert!(ran.seconds < often * SECONDS, "{:.1} s: {told}", ran.seconds);
            assert!(ran.output.contains("never reach the "), "{told}");
            let is_placed =
                ran.output.contains(&place) || ran.output.contains(&format!("line {line}"));
            assert!(is_placed, "{told}");
            if arguments != ENGINE {
                assert_eq!(ran.code, Some(1), "{told}");
            }
        }
    }
}

/// A file of many `let`s is checked in time that grows with its size.
#[test]
#[cfg(unix)]
fn many_lets_are_checked_in_time() {
    let mut text = String::from(
        "(game \"T\" (players X O) (board (square 3)) (piece Stone) (move drop (to t (empty))",
    );
    for number in 0..15_000 {
        let letters = [number / 676, number / 26 % 26, number % 26];
        let name: String = letters.map(|letter| char::from(b'a' + letter as u8)).iter().collect();
        let _ = write!(text, " (let l{name} (count (mine)))");
    }
    text.push_str(" (put Stone t)))");
    let folder = folder("lets");
    fs::write(folder.join("dear.game"), text).expect("a file");
    let ran = run(&folder, CHECK, "");
    assert!(ran.seconds < SECONDS, "{:.1} s: {}", ran.seconds, ran.output);
    assert!(ran.memory < CHECK_MEMORY, "{} MB", ran.memory >> 20);
}

/// Products of many constants are folded in time that grows with their number.
#[test]
#[cfg(unix)]
fn many_factors_are_folded_in_time() {
    let product = format!("(* {})", "1 ".repeat(9_900));
    let text = format!(
        "(game \"T\" (players X O) (board (square 3)) (piece Stone) (define Much (+ {}))
        (move drop (to t (empty)) (require (< (count (pieces)) Much)) (put Stone t)) (play (turns (choose drop))))",
        format!("{product} ").repeat(8)
    );
    let folder = folder("factors");
    fs::write(folder.join("dear.game"), text).expect("a file");
    let ran = run(&folder, CHECK, "");
    assert!(ran.seconds < SECONDS, "{:.1} s: {}", ran.seconds, ran.output);
}

/// Positions for the pictures of a rule sheet are searched with a budget.
#[test]
#[cfg(unix)]
fn rule_sheets_are_written_in_time() {
    for board in ["(rectangle 1024 1)", "(rectangle 1 127)", "(square 32)"] {
        let folder = folder("sheet");
        let text = format!(
            "(game \"Wide\" (players X O) (board {board}) (piece Stone)\n  (move drop (to t (empty)) (put Stone t))\n  (move slide (from s (mine)) (to t (and (walk s all (empty)) (line 9 (mine)))) (relocate s t)))"
        );
        fs::write(folder.join("dear.game"), text).expect("a file");
        let ran = run(&folder, &["rules", "dear.game"], "");
        assert!(ran.seconds < SECONDS, "{board}: {:.1} s", ran.seconds);
        assert_eq!(ran.code, Some(0), "{board}: {}", ran.output);
    }
}
