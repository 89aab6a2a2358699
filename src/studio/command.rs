//! `ludwright studio`: serves the page on which games are written and played, and opens it.

use super::site;
use crate::program::answers::studio::StudioAnswer;
use crate::program::arguments::Studio;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::files::built_in;
use crate::program::game::agree;
use crate::program::module::{ASKING_SCRIPT, SCRIPT, asking, module};
use crate::program::output::Out;
use crate::program::schema::print;
use crate::program::target::{Content, Target, keep, make_folder};
use crate::studio::{Origin, Server, Setup};
use ludwright::desk::{MODULE_NAME, module_script};
use ludwright::pages::PageKind;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Serves until the process ends.
pub fn run(task: &Studio, console: &Console, out: &mut Out) -> Result<u8, Failure> {
    if let Some(folder) = &task.site {
        return write_site(folder, task.module.as_deref(), console, out);
    }
    agree(&task.options.choices)?;
    let (folder, first) = placed(task.path.as_deref())?;
    let setup = Setup {
        folder: folder.clone(),
        first,
        port: task.port,
        is_read_only: task.read_only,
        options: task.options.choices.clone(),
    };
    let server = Server::open(setup).map_err(|error| {
        let why = ludwright::files::reason(&error);
        Failure::usage(format!("cannot serve {}: {why}", folder.display()))
    })?;
    let address = server.address();
    match console.json() {
        true => print(&StudioAnswer { address: address.clone() }, out)?,
        false => writeln!(out, "{address}")?,
    }
    out.flush()?;
    if !server.keeps_drafts() {
        console.warn("texts that are not saved are lost when the program ends");
    }
    console.say("open this address in a browser; Ctrl-C ends the program\n");
    if !task.no_open {
        open(&address);
    }
    server.serve();
    Ok(0)
}

/// Writes the studio as a page, with its modules beside it.
fn write_site(
    folder: &Path,
    module: Option<&Path>,
    console: &Console,
    out: &mut Out,
) -> Result<u8, Failure> {
    let (module, asking) = (self::module(module)?, asking(module)?);
    make_folder(folder)?;
    let page = Target::new(&folder.join("index.html"), Content::Page(PageKind::Studio))?;
    let script = Target::new(&folder.join(SCRIPT), Content::Module)?;
    let asking_script = Target::new(&folder.join(ASKING_SCRIPT), Content::Module)?;
    script.write(module_script(MODULE_NAME, &module).as_bytes())?;
    asking_script.write(module_script(site::ASKING_NAME, &asking).as_bytes())?;
    keep(&page, site::page(SCRIPT, ASKING_SCRIPT).as_bytes(), console, out)?;
    Ok(0)
}

/// Splits the argument into the folder and the file to be opened first.
fn placed(path: Option<&Path>) -> Result<(PathBuf, Option<Origin>), Failure> {
    let Some(path) = path else { return Ok((PathBuf::from("."), None)) };
    if path.is_dir() {
        return Ok((path.to_owned(), None));
    }
    if let Some(entry) = built_in(path) {
        return Ok((PathBuf::from("."), Some(Origin::Shipped(entry.name.to_owned()))));
    }
    let about = path.metadata().map_err(|error| Failure::file("read", path, &error))?;
    if !about.is_file() {
        return Err(Failure::usage(format!("{} is no rules file", path.display())));
    }
    if path.extension().is_none_or(|end| end != "game") {
        let message =
            format!("{} is no rules file: its name does not end with `.game`", path.display());
        return Err(Failure::usage(message));
    }
    let name = path.file_name().map(PathBuf::from);
    Ok((crate::program::save::folder_of(path).to_owned(), name.map(Origin::File)))
}

/// Opens the address in the browser, if there is one. The address is printed anyway.
fn open(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Waits for the child process, so that it does not stay as a zombie.
        std::thread::spawn(move || child.wait());
    }
}
