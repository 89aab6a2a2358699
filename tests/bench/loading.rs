//! Measures the time from a file to a game, and from a command to the first position shown.

use super::Settings;
use super::measure::{Spread, times};
use super::report::Column;
use super::support::{files as files_in, rules_file};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const COLUMNS: &[Column] = &[
    Column { key: "ms", digits: 2 },
    Column { key: "from", digits: 2 },
    Column { key: "to", digits: 2 },
];

/// Measures every shipped file, and judges the slowest.
fn each_file(
    settings: &Settings,
    section: &'static str,
    about: &str,
    reach: [f64; 2],
    measure: impl Fn(&Path) -> Duration,
) {
    let table = settings.table(section, about, COLUMNS);
    let mut worst: f64 = 0.0;
    for name in files_in("games").iter().filter(|name| settings.wants(name)) {
        let path = rules_file(name);
        let Spread { low, median, high } = times(settings.seconds / 4.0, || measure(&path));
        table.row(name, &[median, low, high].map(|seconds| Some(seconds * 1e3)));
        worst = worst.max(median * 1e3);
    }
    table.verdict("slowest", worst, reach[0], reach[1]);
}

/// Measures loading: reading, checking and compiling.
pub fn files(settings: &Settings) {
    each_file(
        settings,
        "loading",
        "a file is read, checked and compiled; median and quartiles",
        [10.0, 2.0],
        |path| {
            let began = Instant::now();
            let game = ludwright::load_file(path, &[]);
            let time = began.elapsed();
            assert!(game.is_ok(), "{}", path.display());
            time
        },
    );
}

/// Measures the start of the program.
pub fn start(settings: &Settings) {
    let about = "`ludwright play` is started, and shows the first position; median and quartiles";
    each_file(settings, "start", about, [50.0, 10.0], |path| {
        let began = Instant::now();
        let mut program = Command::new(env!("CARGO_BIN_EXE_ludwright"));
        let program = program
            .arg("play")
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = program.spawn().expect("the program");
        let mut out = child.stdout.take().expect("its output");
        let read = out.read(&mut [0; 256]).expect("something to read");
        let time = began.elapsed();
        assert!(read > 0, "{}", path.display());
        // The program ends with its input.
        drop(child.stdin.take());
        out.read_to_end(&mut Vec::new()).expect("the rest");
        assert!(child.wait().expect("an end").success(), "{}", path.display());
        time
    });
}
