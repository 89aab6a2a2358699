//! File writes are atomic: on a full disk, when the process is killed, through links, and to
//! targets that are no files.

#![cfg(unix)]

use ludwright::random::Random;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// An unformatted rules file, long enough to be truncated.
fn untidy() -> String {
    let comment = "; The same line again and again, so that the file is long.\n".repeat(200);
    format!(
        "(game \"Fill\"   (players White Black)\n{comment}(board (square 2)) (piece Stone) (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop (otherwise (lose mover))))))\n"
    )
}

/// Makes an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("writing").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command.args(arguments).env("LUDWRIGHT_STATE", folder.join("state")).stdin(Stdio::null());
    command
}

/// Runs the binary with a limit on file sizes: writing beyond it fails as on a full disk.
fn cramped(folder: &Path, kilobytes: u32, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new("bash");
    let script = format!("trap '' XFSZ; ulimit -f {kilobytes} && exec \"$0\" \"$@\"");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_ludwright")])
        .args(arguments)
        .env("LUDWRIGHT_STATE", folder.join("state"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    child.wait_with_output().expect("its output")
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Names and sizes of all files below a folder.
fn contents(folder: &Path) -> BTreeSet<(String, u64)> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(contents(&path)),
            false => {
                found.insert((
                    path.display().to_string(),
                    path.metadata().map_or(0, |about| about.len()),
                ));
            }
        }
    }
    found
}

#[test]
fn links_are_followed_and_permissions_kept() {
    let folder = folder("links");
    let (game, link) = (folder.join("real.game"), folder.join("link.game"));
    fs::write(&game, untidy()).expect("a file");
    fs::set_permissions(&game, fs::Permissions::from_mode(0o640)).expect("its owner");
    symlink("real.game", &link).expect("a link");
    let output = command(&folder, &["fmt", &link.to_string_lossy()]).output().expect("the binary");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        link.symlink_metadata().is_ok_and(|about| about.is_symlink()),
        "the link is a link still"
    );
    assert!(fs::read_to_string(&game).is_ok_and(|text| text.starts_with("(game \"Fill\"\n")));
    assert_eq!(game.metadata().expect("a file").permissions().mode() & 0o777, 0o640);
    // A link to a missing file, and a missing file.
    let dangling = folder.join("dangling.svg");
    symlink("made.svg", &dangling).expect("a link");
    for path in [&dangling, &folder.join("new.svg")] {
        let output =
            command(&folder, &["show", "games/kitaran.game", "-O", &path.to_string_lossy()])
                .output()
                .expect("the binary");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    }
    assert_eq!(
        fs::read(folder.join("made.svg")).expect("a file"),
        fs::read(folder.join("new.svg")).expect("a file")
    );
    assert_eq!(contents(&folder).len(), 5, "{:?}", contents(&folder));
    // A link to itself.
    let circle = folder.join("circle.svg");
    symlink("circle.svg", &circle).expect("a link");
    let output = command(&folder, &["show", "games/kitaran.game", "-O", &circle.to_string_lossy()])
        .output()
        .expect("the binary");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

#[test]
fn what_is_no_file_is_written_to() {
    let folder = folder("streams");
    let full = folder.join("full.json");
    symlink("/dev/full", &full).expect("a link");
    let full = full.to_string_lossy();
    let record = folder.join("first.record");
    fs::write(&record, "game: Kitaran\n").expect("a file");
    let small =
        ["-o", "Size=3", "--seat", "Black=random", "--seat", "White=random", "--games", "2"];
    let runs: [&[&str]; 5] = [
        &["show", "games/kitaran.game", "--svg", "-O", "/dev/full"],
        &["solve", "games/kitaran.game", "-o", "Size=3", "--line", "/dev/full"],
        &[
            "diff",
            "tests/commands/changed/before.game",
            "tests/commands/changed/after.game",
            "-O",
            "/dev/full",
        ],
        &[&["playtest", "games/kitaran.game", "-O", &full], &small[..]].concat(),
        &[&["sweep", "games/kitaran.game", "-O", &full], &small[..]].concat(),
    ];
    for arguments in runs {
        let output = command(&folder, arguments).output().expect("the binary");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        assert!(
            said(&output).contains("no space is left on the disk"),
            "{arguments:?}: {}",
            said(&output)
        );
    }
    // A pipe, and a file opened as standard output, whose content is kept.
    let output = command(&folder, &["show", "games/kitaran.game", "--svg", "-O", "/dev/stdout"])
        .output()
        .expect("the binary");
    assert!(said(&output).contains("</svg>"), "{}", said(&output));
    let kept = folder.join("kept.txt");
    fs::write(&kept, "before\n").expect("a file");
    let opened = fs::OpenOptions::new().append(true).open(&kept).expect("a file");
    let mut child = command(&folder, &["show", "games/kitaran.game", "--svg", "-O", "/dev/stdout"])
        .stdout(opened)
        .spawn()
        .expect("the binary");
    child.wait().expect("its end");
    let text = fs::read_to_string(&kept).expect("a file");
    assert!(text.starts_with("before\n") && text.contains("</svg>"), "{text}");
}

#[test]
fn a_full_disk_cuts_nothing_and_leaves_nothing() {
    let folder = folder("full");
    let game = folder.join("untidy.game");
    fs::write(&game, untidy()).expect("a file");
    let record = folder.join("long.record");
    let before = contents(&folder);
    let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let comment = format!("comment {}\n", "long ".repeat(600));
    let typed = format!("a1\n{comment}save {}\n", at("long.record"));
    let parts =
        ["--seat", "Black=random", "--seat", "White=random", "--games", "30", "-o", "Size=3"];
    let names = ["untidy.game", "board.svg", "board.png", "begun", "report.html"].map(at);
    let [untidy_game, svg, png, begun, html] = names.each_ref().map(String::as_str);
    let runs: [(&[&str], &str); 6] = [
        (&["fmt", untidy_game], ""),
        (&["show", "games/kitaran.game", "-O", svg], ""),
        (&["show", "games/kitaran.game", "-O", png], ""),
        (&["new", begun], ""),
        (&["play", "games/kitaran.game", "-o", "Size=3"], &typed),
        (&[&["playtest", "games/kitaran.game", "-O", html], &parts[..]].concat(), ""),
    ];
    for (arguments, input) in runs {
        let output = cramped(&folder, 1, arguments, input);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains("cannot write"), "{arguments:?}: {}", said(&output));
        let mut left = contents(&folder);
        // Journals and ledgers are whole and may remain.
        left.retain(|(name, length)| !name.contains("/state/") || *length == 0);
        assert_eq!(left, before, "{arguments:?}: {}", said(&output));
    }
    assert_eq!(fs::read_to_string(&game).expect("a file"), untidy());
    assert!(!record.exists());
}

/// The same on a disk that is really full; skipped without the right to mount one.
#[test]
fn a_disk_without_room_is_left_as_it_was() {
    let folder = folder("disk");
    let disk = folder.join("disk");
    fs::create_dir(&disk).expect("a folder");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=32k", "tmpfs"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: nobody here may mount a file system, so that none was filled");
        return;
    }
    let done = std::panic::catch_unwind(|| {
        let game = disk.join("untidy.game");
        fs::write(&game, untidy()).expect("room");
        // Room for an empty file, but not for content.
        let mut filling = fs::File::create(disk.join("filling")).expect("a file");
        while filling.write(&[b'x'; 512]).is_ok_and(|written| written > 0) {}
        drop(filling);
        let before = contents(&disk);
        let path = |name: &str| disk.join(name).to_string_lossy().into_owned();
        let output = command(&disk, &["fmt", &path("untidy.game")]).output().expect("the binary");
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("no space is left on the disk"), "{}", said(&output));
        let output = cramped(
            &disk,
            1000,
            &["play", "games/kitaran.game", "-o", "Size=3"],
            &format!("a1\nsave {}\n", path("kept.record")),
        );
        assert!(said(&output).contains("cannot be saved"), "{}", said(&output));
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let small = [
            "playtest",
            "games/kitaran.game",
            "-o",
            "Size=3",
            "--seat",
            "Black=random",
            "--seat",
            "White=random",
            "--games",
            "20",
        ];
        let output = command(&disk, &small).output().expect("the binary");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        assert_eq!(contents(&disk), before);
        assert_eq!(fs::read_to_string(&game).expect("a file"), untidy());
    });
    let unmounted = Command::new("umount").arg(&disk).status();
    assert!(unmounted.is_ok_and(|status| status.success()), "it was mounted just now");
    done.unwrap_or_else(|failed| std::panic::resume_unwind(failed));
}

#[test]
fn whoever_is_killed_leaves_the_old_text_or_the_new_one() {
    let folder = folder("killed");
    let path = folder.join("game.record");
    let save = format!("save {}\n", path.display());
    let long = "long ".repeat(700);
    let play = || {
        let mut command =
            command(&folder, &["play", "games/kitaran.game", "-o", "Size=3", "--seed", "1"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary")
    };
    // Two texts of very different lengths.
    let mut texts = Vec::new();
    for lines in [format!("a1\n{save}"), format!("a1\ncomment {long}\n{save}")] {
        let _ = fs::remove_file(&path);
        let mut child = play();
        child
            .stdin
            .take()
            .expect("its input")
            .write_all(lines.as_bytes())
            .expect("somebody who reads");
        let output = child.wait_with_output().expect("its output");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        texts.push(fs::read_to_string(&path).expect("a record"));
    }
    let script = format!("a1\n{}", format!("{save}comment {long}\n{save}undo\na1\n").repeat(400));
    let mut random = Random::new(11);
    let mut seen = [0; 2];
    for attempt in 0..30 {
        let _ = fs::remove_file(&path);
        let mut child = play();
        let mut input = child.stdin.take().expect("its input");
        let lines = script.clone();
        // The process is killed before it has read everything.
        let writer = std::thread::spawn(move || drop(input.write_all(lines.as_bytes())));
        let began = std::time::Instant::now();
        while !path.exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "nothing was ever saved");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(u64::from(random.below(20_000))));
        child.kill().expect("a process");
        child.wait().expect("its end");
        writer.join().expect("its end");
        let text = fs::read_to_string(&path).expect("a record");
        let which = texts.iter().position(|known| *known == text);
        seen[which.unwrap_or_else(|| panic!("attempt {attempt} left neither text but\n{text}"))] +=
            1;
    }
    assert!(seen[0] > 0 && seen[1] > 0, "all were killed at the same point: {seen:?}");
}

/// Sets the time of the last change of a file, in seconds before now.
fn age(path: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(path).expect("a file");
    let time = std::time::SystemTime::now() - Duration::from_secs(seconds);
    file.set_times(fs::FileTimes::new().set_modified(time)).expect("a file system with times");
}

#[test]
fn what_a_killed_write_left_is_removed_and_nothing_else() {
    let folder = folder("left-behind");
    let path = folder.join("mine.game");
    fs::write(&path, untidy()).expect("a file");
    let gone = folder.join(".mine.game.AbCd12.ludwright-part");
    let kept = [
        // Of another write that goes on, as far as its age says.
        (".mine.game.AbCd13.ludwright-part", 5),
        // Of another file, of another program, of the user.
        (".other.game.AbCd12.ludwright-part", 5_000),
        (".mine.game.backup", 5_000),
        (".mine.game.AbCd12", 5_000),
        (".mine.game.notes.md.ludwright-part", 5_000),
        ("mine.game.AbCd12.ludwright-part", 5_000),
    ];
    for (name, seconds) in kept {
        fs::write(folder.join(name), "half").expect("a file");
        age(&folder.join(name), seconds);
    }
    fs::write(&gone, "half").expect("a file");
    age(&gone, 5_000);
    // One that another process has locked is being written.
    let locked = folder.join(".mine.game.AbCd14.ludwright-part");
    fs::write(&locked, "half").expect("a file");
    age(&locked, 5_000);
    let holder = fs::File::open(&locked).expect("a file");
    holder.lock().expect("a lock");
    let output = command(&folder, &["fmt", path.to_str().expect("a path")]).output().expect("it");
    assert!(output.status.success(), "{}", said(&output));
    assert_ne!(fs::read_to_string(&path).expect("a file"), untidy());
    assert!(!gone.exists());
    for (name, _) in kept {
        assert!(folder.join(name).exists(), "{name}");
    }
    assert!(locked.exists());
    // What a write in progress looks like: killed before it ends, its file goes with the next one.
    let names: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert_eq!(names.iter().filter(|entry| entry.path().is_file()).count(), kept.len() + 2);
}

#[test]
fn a_pipe_in_place_of_a_kept_file_does_not_block() {
    let folder = folder("pipes");
    let path = folder.join("fill.game");
    fs::write(&path, untidy()).expect("a file");
    let path = path.to_str().expect("a path");
    let train = ["train", path, "--games", "2", "--match", "0", "--threads", "1"];
    let output = command(&folder, &train).output().expect("the binary");
    assert!(output.status.success(), "{}", said(&output));
    let trainings = folder.join("state/trainings");
    let kept = fs::read_dir(&trainings).expect("a folder").next().expect("one").expect("it").path();
    fs::remove_file(&kept).expect("a file");
    let made = Command::new("mkfifo").arg(&kept).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let mut child = command(&folder, &["play", path])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    let lines = b"hint strong:20it\nquit\n";
    child.stdin.take().expect("its input").write_all(lines).expect("somebody who reads");
    let began = std::time::Instant::now();
    while child.try_wait().expect("its state").is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it runs");
            panic!("it waits for the pipe");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("its output");
    let said = said(&output).split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(said.contains("it is a pipe, and no file"), "{said}");
}
