//! Lists the games of the package, which the library carries, and names the build, for `ludwright
//! --version`. With the feature `web`, also builds the modules for
//! browsers that the program carries, except in the build of the modules themselves.

use std::env;
use std::path::PathBuf;
use std::process::{Command, exit};

fn main() {
    println!("cargo::rerun-if-changed=src/web/build.rs");
    // The list of games has absolute paths, and a folder of builds may be copied with the package.
    println!("cargo::rerun-if-env-changed=CARGO_MANIFEST_DIR");
    list_games();
    name_build();
    let is_set = |name: &str| env::var_os(name).is_some();
    let is_module = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|name| name == "wasm32");
    if !is_set("CARGO_FEATURE_WEB") || !is_set("CARGO_FEATURE_CLI") || is_module {
        return;
    }
    for path in ["src", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=LUDWRIGHT_WEB_MODULE");
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let module = folder.join("ludwright.wasm.gz");
    let made = match env::var_os("LUDWRIGHT_WEB_MODULE").map(PathBuf::from) {
        // Packages and releases for several systems build the modules once.
        Some(built) => {
            let name = built.file_name().unwrap_or_default().to_string_lossy();
            let stem = name.split('.').next().unwrap_or_default();
            let asking = built.with_file_name(format!("{stem}-ask{}", &name[stem.len()..]));
            let copied = std::fs::copy(&built, &module);
            copied
                .and_then(|_| std::fs::copy(asking, folder.join("ludwright-ask.wasm.gz")))
                .map(|_| true)
        }
        None => Command::new("src/web/build.sh")
            .arg(&module)
            .env("LUDWRIGHT_WEB_TARGET", folder.join("web"))
            .status()
            .map(|status| status.success()),
    };
    match made {
        Ok(true) => {}
        Ok(false) => exit(1),
        Err(error) => {
            eprintln!("cannot make the module for browsers: {error}");
            exit(1);
        }
    }
}

/// Writes the list of the games in the package: the group, the name and the text of each.
fn list_games() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut list = String::from("static GAMES: &[(&str, &str, &str)] = &[\n");
    for (group, folder) in [("shipped", "games"), ("classic", "tests/games")] {
        println!("cargo::rerun-if-changed={folder}");
        let files = std::fs::read_dir(root.join(folder)).into_iter().flatten();
        let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        paths.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "game")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            list.push_str(&format!("    ({group:?}, {name:?}, include_str!({path:?})),\n"));
        }
    }
    list.push_str("];\n");
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    if let Err(error) = std::fs::write(folder.join("games.rs"), list) {
        eprintln!("cannot write the list of the games: {error}");
        exit(1);
    }
}

/// Passes the target and, in a release build of a repository, the commit to the program. Other
/// builds would have to be repeated after each commit.
fn name_build() {
    println!("cargo::rustc-env=LUDWRIGHT_TARGET={}", env::var("TARGET").unwrap_or_default());
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"])
        && let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
    {
        println!("cargo::rerun-if-changed={log}");
        println!("cargo::rustc-env=LUDWRIGHT_COMMIT={commit}");
    }
}
