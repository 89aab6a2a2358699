//! A gallery: a folder of pages that share the module.

use super::module;
use crate::studio::chromium::Chromium;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn site(folder: &Path, files: &[&str], module: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command.arg("site").arg(folder).args(files).arg("--module").arg(module);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("the program")
}

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("player").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.parent().expect("a folder")).expect("a folder");
    folder
}

#[test]
fn all_games_that_come_with_the_program_are_in_the_gallery_and_play() {
    let Some(module) = module() else { return };
    let folder = fresh("gallery");
    let output = site(&folder, &[], &module);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index = fs::read_to_string(folder.join("index.html")).expect("the gallery");
    for games in ["games", "tests/games"] {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join(games);
        for file in fs::read_dir(games).expect("a folder") {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            if !text.contains("(game ") && !text.contains("(variant-of ") {
                continue;
            }
            let page = path.with_extension("html");
            let page = page.file_name().expect("a name").to_string_lossy();
            assert!(index.contains(&format!("href=\"{page}\"")), "{page}");
            assert!(
                folder.join(&*page).metadata().is_ok_and(|about| about.len() < 600_000),
                "{page}"
            );
        }
    }
    // From the disk, as from a web server.
    let Some(mut browser) = Chromium::start(&folder) else { return };
    browser.open(&format!("file://{}/index.html", folder.display()));
    browser.click("a[href='breakthrough.html']");
    browser.until("document.querySelector('[data-site=a2].can')");
    browser.drag("[data-site=a2]", "[data-site=a3]");
    browser.until("document.querySelectorAll('#plies li:not(.start)').length === 1");
    assert!(browser.complaints.is_empty(), "{}", browser.complaints.join("\n"));
}

#[test]
fn a_gallery_of_own_games_replaces_nothing_else() {
    let Some(module) = module() else { return };
    let folder = fresh("own-gallery");
    fs::create_dir_all(&folder).expect("a folder");
    let odd = folder.with_file_name("50% #1?.game");
    let text = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games/hex.game"));
    fs::write(&odd, text.expect("a game")).expect("a file");
    let odd = odd.to_str().expect("a path");
    for _ in 0..2 {
        let output = site(&folder, &[odd, "tests/games/go.game"], &module);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("with 2 games"), "{told}");
    }
    let index = fs::read_to_string(folder.join("index.html")).expect("the gallery");
    assert!(index.contains("href=\"50%25 %231%3F.html\""), "{index}");
    let refused = site(&folder, &["tests/games/go.game", "tests/games/go.game"], &module);
    assert_eq!(refused.status.code(), Some(2));
    fs::write(folder.join("go.html"), "my own page").expect("a file");
    let refused = site(&folder, &["tests/games/go.game"], &module);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.join("go.html")).expect("a page"), "my own page");
}
