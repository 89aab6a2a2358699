//! Diagnostics of rule cases: the results of `ludwright test`, with the unsaved text of the rules.

use super::documents::{Documents, is_same};
use super::positions::Lines;
use crate::program::case_files::LIMIT;
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Range, Uri};
use ludwright::cases::Runner;
use ludwright::catalog;
use ludwright::editor::case::{CaseFault, faults, syntax_fault};
use ludwright::language::sources::Sources;
use ludwright::syntax::visible::shown;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// At most this many folders are searched for the rules file of a case.
const MAX_FOLDERS: usize = 200;

/// Runs cases, and keeps the compiled rules of the last case's game.
#[derive(Default)]
pub struct Cases {
    runner: Option<(Sources, Runner)>,
}

impl Cases {
    /// Finds the first fault of a case that needs no rules to be found.
    pub fn syntax(documents: &Documents, uri: &Uri) -> Option<Diagnostic> {
        let text = documents.text(uri)?;
        if text.len() > LIMIT {
            let message = format!("a case has at most {LIMIT} bytes");
            return Some(described(
                "case-too-large",
                DiagnosticSeverity::ERROR,
                message,
                Range::default(),
            ));
        }
        Some(diagnostic(&syntax_fault(text)?, &Lines::of(text)))
    }

    /// Runs an open case whose lines can be read.
    pub fn run(&mut self, documents: &Documents, uri: &Uri) -> Vec<Diagnostic> {
        let Some(text) = documents.text(uri) else { return Vec::new() };
        let lines = Lines::of(text);
        let Some(sources) = rules_of(documents, uri) else {
            let title = text.find("title:").unwrap_or(0);
            let at = lines.position(title);
            let message = "there is no rules file for this case: the cases of `NAME.game` are in the folder \
                `NAME.cases` next to it, or in `tests/cases/NAME`";
            let range = Range::new(at, at);
            return vec![described(
                "case-without-rules",
                DiagnosticSeverity::INFORMATION,
                message.to_owned(),
                range,
            )];
        };
        let runner = match &mut self.runner {
            Some((known, runner)) if is_same(known, &sources) => runner,
            other => &mut other.insert((sources.clone(), Runner::new(sources))).1,
        };
        faults(runner, text).iter().map(|fault| diagnostic(fault, &lines)).collect()
    }
}

fn diagnostic(fault: &CaseFault, lines: &Lines) -> Diagnostic {
    let message = shown(&fault.message).into_owned();
    described(fault.kind.name(), DiagnosticSeverity::ERROR, message, lines.range(fault.span))
}

fn described(
    code: &str,
    severity: DiagnosticSeverity,
    message: String,
    range: Range,
) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some(String::from("ludwright")),
        message,
        ..Diagnostic::default()
    }
}

/// Gathers the rules that a case is about: the rules file near the case's folder, or else the game
/// of that name that comes with the program.
fn rules_of(documents: &Documents, uri: &Uri) -> Option<Sources> {
    let path = documents.path(uri)?;
    if let Some(rules) = rules_path(path, &|path| documents.has_path(path) || path.is_file()) {
        return documents.gather(&rules);
    }
    let name = path.parent()?.file_stem()?.to_str()?;
    Some(catalog::find(name)?.sources())
}

/// Finds the rules file of a case. For a case in `NAME.cases`, it is the file `NAME.game` next to
/// that folder; for a case in `tests/cases/NAME`, it is the file `NAME.game` closest to the folder
/// that contains `tests`, in that folder or below.
fn rules_path(case: &Path, exists: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let folder = case.parent()?;
    if folder.extension() == Some(OsStr::new("cases")) {
        return Some(folder.with_extension("game")).filter(|path| exists(path));
    }
    let cases = folder.parent().filter(|cases| cases.ends_with("tests/cases"))?;
    let root = cases.parent()?.parent()?;
    let mut name = folder.file_name()?.to_owned();
    name.push(".game");
    // Breadth first, and each folder in the order of the names.
    let mut folders = vec![root.to_owned()];
    let mut searched = 0;
    while let Some(folder) = folders.get(searched).cloned() {
        let path = folder.join(&name);
        if exists(&path) {
            return Some(path);
        }
        searched += 1;
        if searched == MAX_FOLDERS {
            break;
        }
        let entries = folder.read_dir().into_iter().flatten().take(MAX_FOLDERS).flatten();
        let inner = entries.filter(|entry| {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir())
        });
        let mut inner: Vec<PathBuf> = inner.map(|entry| entry.path()).collect();
        inner.sort_unstable();
        folders.extend(inner);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::rules_path;
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn rules_are_found_from_the_folder_of_the_case() {
        let root = std::env::temp_dir().join(format!("ludwright-cases-{}", std::process::id()));
        for path in ["games/one.game", "tests/games/two.game", "tests/games/one.game"] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "").expect("a file");
        }
        let found = |case: &str| rules_path(&root.join(case), &|path| path.is_file());
        let expected = |path: &str| Some(root.join(path));
        assert_eq!(found("tests/cases/one/a.case"), expected("games/one.game"));
        assert_eq!(found("tests/cases/two/a.case"), expected("tests/games/two.game"));
        assert_eq!(found("games/one.cases/a.case"), expected("games/one.game"));
        assert_eq!(found("games/no-such.cases/a.case"), None);
        assert_eq!(found("tests/commands/a.case"), None);
        assert_eq!(rules_path(Path::new("a.case"), &|_| true), None::<PathBuf>);
        fs::remove_dir_all(&root).expect("it was ours");
    }
}
