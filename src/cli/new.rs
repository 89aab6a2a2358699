//! `ludwright new`: creates a small game with a rule case, a copy of a built-in game, or a draft of
//! a game of Ludii. It never overwrites a file.

use crate::program::answers::diagnostic::{DiagnosticAnswer, of_findings};
use crate::program::arguments::New;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::read_rules;
use crate::program::save;
use crate::program::schema::{Answer, print};
use crate::program::templates::{NAME, TEMPLATES, Template, title};
use ludwright::catalog;
use ludwright::files::legible;
use ludwright::language::ludii;
use ludwright::language::sources::Sources;
use ludwright::notation::counted;
use schemars::JsonSchema;
use serde::Serialize;
use std::ffi::{OsStr, OsString};
use std::fs::{create_dir, remove_dir, remove_file};
use std::io::Write;
use std::path::Path;

/// The files that were written.
#[derive(Serialize, JsonSchema)]
pub struct NewAnswer {
    /// The rules file.
    game: String,
    /// The rule cases.
    cases: Vec<String>,
    /// All files.
    files: Vec<String>,
    /// What of a file of Ludii has no counterpart.
    findings: Vec<DiagnosticAnswer>,
}

impl Answer for NewAnswer {
    const NAME: &'static str = "new";
}

/// Creates the game and its case.
pub fn run(task: &New, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let stem = match task.name.extension() {
        Some(extension) if extension == "game" => task.name.file_stem(),
        _ => task.name.file_name(),
    };
    let title = stem.and_then(OsStr::to_str).and_then(title);
    let (Some(stem), Some(title)) = (stem, title) else {
        let help = "use letters or digits, such as `three-stones`".to_owned();
        return Err(Failure::usage(format!(
            "{} cannot be the name of a game",
            task.name.display()
        ))
        .with_help(Some(help)));
    };
    let beside = |ending: &str| {
        let mut name = OsString::from(stem);
        name.push(ending);
        task.name.with_file_name(name)
    };
    let (game, cases) = (beside(".game"), beside(".cases"));
    if let Some(there) = [&game, &cases].into_iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(Failure::usage(format!(
            "{} exists already; nothing was written",
            there.display()
        )));
    }
    if let Some(folder) =
        game.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir())
    {
        return Err(Failure::usage(format!("there is no folder {}", folder.display())));
    }
    if let Some(from) = &task.from {
        return from_catalog(from, &game, &title, console, out);
    }
    if let Some(from) = &task.from_ludii {
        return from_ludii(from, &game, &title, console, out);
    }
    let case = cases.join("first.case");
    let Template { game: rules, case: example, .. } = &TEMPLATES[task.like as usize];
    write((&game, &rules.replacen(NAME, &title, 1)), &cases, (&case, example))?;
    if console.json() {
        let (game, case) = (game.display().to_string(), case.display().to_string());
        print(
            &NewAnswer {
                files: vec![game.clone(), case.clone()],
                game,
                cases: vec![case],
                findings: Vec::new(),
            },
            out,
        )?;
        return Ok(0);
    }
    writeln!(out, "wrote {} and {}", game.display(), case.display())?;
    suggest(
        &game,
        &[
            ("play", "play it"),
            ("check", "find mistakes"),
            ("test", "run its cases"),
            ("fmt", "format it"),
        ],
        out,
    )
}

/// Suggests commands to try on the new game.
fn suggest(game: &Path, commands: &[(&str, &str)], out: &mut dyn Write) -> Result<u8, Failure> {
    writeln!(out, "\nTry it, then make it yours:")?;
    for (command, what) in commands {
        let line = format!("ludwright {command} {}", quoted(game));
        writeln!(out, "  {line}  # {what}")?;
    }
    Ok(0)
}

/// Copies a built-in game under a new title, together with the files that it depends on.
fn from_catalog(
    from: &str,
    game: &Path,
    title: &str,
    console: &Console,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let Some(entry) = catalog::find(from) else {
        let help = "`ludwright games` lists them".to_owned();
        return Err(Failure::usage(format!(
            "there is no game {from} among those that come with the program"
        ))
        .with_help(Some(help)));
    };
    let sources = entry.sources();
    let mut texts = vec![(game.to_owned(), titled(entry.text, title))];
    for (index, name) in sources.names().enumerate().skip(1) {
        texts.push((game.with_file_name(name), sources.text_of(index).to_owned()));
    }
    if let Some((there, _)) = texts.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        return Err(Failure::usage(format!(
            "{} exists already; nothing was written",
            there.display()
        )));
    }
    for (path, text) in &texts {
        save::create(path, text.as_bytes())
            .map_err(|error| Failure::file("write", path, &error))?;
    }
    let names: Vec<String> = texts.iter().map(|(path, _)| path.display().to_string()).collect();
    if console.json() {
        let game = names[0].clone();
        let (cases, findings) = (Vec::new(), Vec::new());
        print(&NewAnswer { game, cases, files: names, findings }, out)?;
        return Ok(0);
    }
    writeln!(out, "wrote {}", names.join(" and "))?;
    suggest(game, &[("play", "play it"), ("check", "find mistakes"), ("fmt", "format it")], out)
}

/// Writes a draft of the rules from a file of Ludii, and reports which parts have no counterpart.
/// If the file cannot be read, nothing is written.
fn from_ludii(
    from: &Path,
    game: &Path,
    title: &str,
    console: &Console,
    out: &mut dyn Write,
) -> Result<u8, Failure> {
    let name = from.display().to_string();
    let text = match legible(&name, read_rules(Some(from))?) {
        Ok(text) => text,
        Err(faulty) => {
            console.findings(&faulty, faulty.findings());
            return Ok(1);
        }
    };
    let source = Sources::named(&name, &text);
    let draft = match ludii::draft(&text, title) {
        Ok(draft) => draft,
        Err(findings) => {
            console.findings(&source, &findings);
            return Ok(1);
        }
    };
    save::create(game, draft.rules.as_bytes())
        .map_err(|error| Failure::file("write", game, &error))?;
    let code = u8::from(!draft.findings.is_empty());
    let written = game.display().to_string();
    if console.json() {
        let findings = of_findings(&source, &draft.findings);
        let files = vec![written.clone()];
        print(&NewAnswer { game: written, cases: Vec::new(), files, findings }, out)?;
        return Ok(code);
    }
    console.findings(&source, &draft.findings);
    let found = counted(draft.findings.len() as u64, "finding");
    let found = if code == 0 { String::from("no findings") } else { found };
    writeln!(out, "wrote {written}, a draft of {name}: {found}")?;
    suggest(game, &[("check", "find mistakes"), ("play", "play it"), ("fmt", "format it")], out)?;
    Ok(code)
}

/// Replaces the title of a rules file: the first string of `game`, the second of `variant-of`.
fn titled(rules: &str, title: &str) -> String {
    let texts = match rules.find("(variant-of") {
        Some(_) => 2,
        None => 1,
    };
    let start = rules.find("(variant-of").or_else(|| rules.find("(game")).unwrap_or(0);
    let quotes: Vec<usize> =
        rules[start..].match_indices('"').map(|(at, _)| start + at).take(2 * texts).collect();
    match quotes[..] {
        [.., open, close] => format!("{}{title}{}", &rules[..=open], &rules[close..]),
        _ => rules.to_owned(),
    }
}

/// Writes the game and its case; on failure neither remains.
fn write(game: (&Path, &str), cases: &Path, case: (&Path, &str)) -> Result<(), Failure> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| Failure::file("write", &path, &error)
    };
    save::create(game.0, game.1.as_bytes()).map_err(fail(game.0))?;
    let folder = create_dir(cases).map_err(fail(cases));
    let written = folder.and_then(|()| {
        let written = save::create(case.0, case.1.as_bytes()).map_err(fail(case.0));
        written.inspect_err(|_| drop(remove_dir(cases)))
    });
    // This call has just created the file, so it holds nothing else.
    written.inspect_err(|_| drop(remove_file(game.0)))
}

/// Quotes a path for a shell, if necessary.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
