//! Pages in a real browser, headless Chromium: nothing lies outside its box at any width, text can
//! be read in light and dark, and games can be stepped through.
//!
//! Each page is opened in frames of several widths, with a script added that measures all elements
//! and presses keys and buttons (`browser/check.js`). Chromium prints the outer page, in which the
//! scripts have left what they found. In the dark only colours are different, whatever the width.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TMP: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/browser");
const CHECK: &str = include_str!("browser/check.js");
const WIDTHS: [u32; 3] = [400, 1000, 2000];
const DARK_WIDTHS: [u32; 1] = [1000];
/// How long a browser may take, on a busy machine.
const LIMIT: Duration = Duration::from_secs(240);

/// Finds Chromium, or a browser that takes the same arguments.
pub fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// Runs the program, which writes a page.
fn write_page(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .args(arguments)
        .env("LUDWRIGHT_STATE", Path::new(TMP).join("state"))
        .stdin(Stdio::null())
        .output()
        .expect("the binary");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Writes pages of every kind; returns their paths.
fn pages() -> Vec<PathBuf> {
    let _ = fs::remove_dir_all(TMP);
    fs::create_dir_all(TMP).expect("a folder");
    let at = |name: &str| Path::new(TMP).join(name).to_string_lossy().into_owned();
    let games = [
        ("games/kitaran.game", "kitaran"),
        ("games/lichen-chess.game", "lichen-chess"),
        ("games/swarm.game", "swarm"),
        ("tests/games/chess.game", "chess"),
    ];
    let mut pages = Vec::new();
    for (rules, name) in games {
        let (game, sheet) = (at(&format!("{name}-game.html")), at(&format!("{name}-rules.html")));
        let record = format!("tests/pictures/{name}.record");
        write_page(&["show", rules, "--html", &record, "-O", &game]);
        write_page(&["rules", rules, "-O", &sheet]);
        pages.extend([game, sheet]);
    }
    let (report, chosen, sweep) = (at("report.html"), at("chosen.html"), at("sweep.html"));
    let few = ["--games", "4", "-O"];
    let small = ["playtest", "games/kitaran.game", "-o", "Size=3"];
    write_page(&[&small[..], &few[..], &[&report]].concat());
    let seats = ["--seat", "Black=mcts:20it", "--seat", "White=greedy"];
    write_page(&[&small[..], &seats[..], &few[..], &[&chosen]].concat());
    let variants = ["sweep", "games/kitaran.game", "-o", "Size=3,4", "-o", "Komi=0,0.5,1"];
    let random = ["--seat", "Black=random", "--seat", "White=random"];
    write_page(&[&variants[..], &random[..], &few[..], &[&sweep]].concat());
    pages.extend([report, chosen, sweep]);
    pages.into_iter().map(PathBuf::from).collect()
}

/// Writes a page with a frame for each page and width.
fn frames(pages: &[PathBuf], widths: &[u32]) -> PathBuf {
    let mut body = String::from(
        "<!DOCTYPE html><body><pre id=\"results\">[]</pre><script>\nconst results = [];\n\
         addEventListener(\"message\", (event) => {\nresults.push(event.data);\n\
         document.getElementById(\"results\").textContent = JSON.stringify(results);\n});\n</script>\n",
    );
    for page in pages {
        let text = fs::read_to_string(page).expect("a page");
        let checked = page.with_extension("checked.html");
        // The page keeps its policy, which permits its own script; this one is permitted besides.
        let policy = "content=\"default-src 'none'; script-src ";
        assert!(text.contains(policy), "{} has no policy", page.display());
        let own = text.matches("<script>").count();
        let hashes = text.matches("script-src 'sha256-").count();
        assert_eq!((own, hashes), (hashes, own), "{}", page.display());
        let text = text.replacen("script-src 'none'", "script-src", 1);
        let text = text.replacen("script-src", "script-src 'nonce-check'", 1);
        let script = format!("<script nonce=\"check\">\n{CHECK}</script>\n</head>");
        let text = text.replacen("</head>", &script, 1);
        assert!(text.contains("postMessage"), "{}", page.display());
        fs::write(&checked, text).expect("a file");
        let name = page.file_stem().expect("a name").to_string_lossy();
        let file = checked.file_name().expect("a name").to_string_lossy();
        for width in widths {
            body.push_str(&format!(
                "<iframe name=\"{name} {width}\" src=\"{file}\" width=\"{width}\" height=\"1000\" style=\"border: 0\"></iframe>\n"
            ));
        }
    }
    let path = Path::new(TMP).join("frames.html");
    fs::write(&path, body).expect("a file");
    path
}

/// Opens a page and returns its content after all scripts have run.
fn dump(browser: &Path, page: &Path, is_dark: bool) -> String {
    let scheme = if is_dark { 0 } else { 1 };
    let profile = Path::new(TMP).join(format!("profile{scheme}"));
    let shown = Path::new(TMP).join(format!("dump{scheme}.html"));
    let mut child = Command::new(browser)
        // Root may not use the sandbox; the pages are our own.
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--window-size=2100,1200", "--virtual-time-budget=30000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(fs::File::create(&shown).expect("a file"))
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser");
    let began = Instant::now();
    while child.try_wait().expect("its state").is_none() {
        if began.elapsed() > LIMIT {
            child.kill().expect("it runs");
            child.wait().expect("its end");
            panic!("the browser takes longer than {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    fs::read_to_string(&shown).expect("a page")
}

/// Reads the results that the scripts have left.
fn results(dumped: &str) -> Vec<Value> {
    let (_, after) = dumped.split_once("<pre id=\"results\">").expect("the results");
    let (json, _) = after.split_once("</pre>").expect("the end of the results");
    let json = json.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn pages_fit_any_window_and_can_be_stepped_through() {
    let pages = pages();
    let Some(browser) = chromium() else {
        // Written directly, so that it is seen although the test passes.
        let _ = std::io::stderr().write_all(
            b"\n*** NO BROWSER: the pages were written but NOT LOOKED AT. ***\n\
              *** Install Chromium (Debian: apt-get install chromium) and test again. ***\n\n",
        );
        return;
    };
    let mut papers = Vec::new();
    for (is_dark, widths) in [(false, &WIDTHS[..]), (true, &DARK_WIDTHS)] {
        let results = results(&dump(&browser, &frames(&pages, widths), is_dark));
        assert_eq!(results.len(), pages.len() * widths.len(), "some pages were not measured");
        let faults: Vec<String> = results
            .iter()
            .flat_map(|result| {
                let faults = result["faults"].as_array().expect("a list");
                faults.iter().map(|fault| format!("{}: {fault}", result["page"]))
            })
            .collect();
        assert!(faults.is_empty(), "dark: {is_dark}\n{}", faults.join("\n"));
        papers.push(results[0]["paper"].clone());
    }
    assert_ne!(papers[0], papers[1], "dark is as light");
}
