//! Module dependencies: each module imports only those before it in this list, a linear order of
//! the levels in `src/ARCHITECTURE.md`. The program is above all of them and uses the library from
//! outside: `cli` and `studio` share `program` and import nothing of each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the program above them. The first imports neither of the other two.
pub const PROGRAM: [&str; 3] = ["program", "cli", "studio"];

/// Modules from the lowest level to the highest.
pub const FLOORS: [&str; 35] = [
    "syntax",
    "random",
    "budget",
    "board",
    "language",
    "files",
    "catalog",
    "compile",
    "engine",
    "reference",
    "notation",
    "why",
    "diagnostics",
    "load",
    "render",
    "record",
    "evaluate",
    "formats",
    "pages",
    "verify",
    "solve",
    "learn",
    "search",
    "compare",
    "analysis",
    "measure",
    "cases",
    "claims",
    "answers",
    "play",
    "editor",
    "desk",
    "web",
    "library",
    "python",
];

pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let sources = entries.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    sources.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// Names that follow `crate::` in code, outside comments.
fn imports(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let after = lines.flat_map(|line| line.split("crate::").skip(1));
    after
        .map(|rest| {
            rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
        })
        .collect()
}

#[test]
fn no_floor_imports_a_higher_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for path in sources(&root) {
        let relative = path.strip_prefix(&root).expect("a source");
        let module = relative
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy()
            .replace(".rs", "");
        let allowed: Vec<&str> = match FLOORS.iter().position(|known| *known == module) {
            Some(floor) => FLOORS[..=floor].to_vec(),
            None if PROGRAM.contains(&&*module) => vec![PROGRAM[0], &module],
            None => {
                assert!(["lib", "main"].contains(&&*module), "{module} has no floor");
                continue;
            }
        };
        for import in imports(&fs::read_to_string(&path).expect("a text")) {
            if !allowed.contains(&&*import) {
                faults.push(format!("{} imports {import}", relative.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_has_a_floor() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs"))
        .expect("a text");
    let modules: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';')
        })
        .collect();
    assert_eq!(modules, FLOORS.into_iter().collect());
}

/// Tests of the library are in `tests/testsuite/units`: beside the code nothing would run them.
#[test]
fn the_library_has_no_tests_beside_its_code() {
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&path).expect("a text");
        let shown = path.display().to_string().replace('\\', "/");
        let has_tests = text.contains("cfg(test)") || text.contains("#[test]");
        let mut of_program = PROGRAM.iter().chain(&["main.rs"]);
        let is_of_program = of_program.any(|part| shown.contains(&format!("/src/{part}")));
        assert!(!has_tests || is_of_program, "{shown}");
    }
}

/// The file of a module stands beside its folder and has its name.
/// The most lines of a file.
const MOST_LINES: usize = 600;

#[test]
fn files_are_short() {
    let long =
        ["src", "tests"].iter().flat_map(|folder| sources(Path::new(folder))).filter(|path| {
            fs::read_to_string(path).expect("a source file").lines().count() > MOST_LINES
        });
    let long: Vec<PathBuf> = long.collect();
    assert!(long.is_empty(), "longer than {MOST_LINES} lines: {long:?}");
}

#[test]
fn module_files_have_the_names_of_their_modules() {
    for folder in ["src", "tests/testsuite"] {
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
            assert!(!path.ends_with("mod.rs"), "{} has not the name of its folder", path.display());
        }
    }
}

#[test]
fn an_import_of_a_higher_floor_is_seen() {
    assert_eq!(
        imports("use crate::engine::game::Game; // crate::solve\n//! crate::play"),
        BTreeSet::from(["engine".to_owned()])
    );
}

/// All examples are compiled as one program, in a folder of its own. One that names a file by its
/// path from the source would break that, and each would be compiled by itself.
#[test]
fn examples_include_no_files() {
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = fs::read_to_string(&path).expect("a text");
        let mut examples = text.lines().filter(|line| line.trim_start().starts_with("//"));
        assert!(!examples.any(|line| line.contains("include_str!(")), "{}", path.display());
    }
}
