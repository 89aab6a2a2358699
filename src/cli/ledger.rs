//! What was played of a playtest, kept as it goes: lots in, the same lots out after a crash or a Ctrl-C. Nobody but playtests reads or writes it.
//!
//! A ledger is a file of lines, each what came of a lot. Its name tells the plan, so that nobody goes on with what was played of another one. A line that was not written to its end is passed over. Whoever
//! writes a ledger holds a lock on it.

use super::journal::state;
use ludwright::measure::{Plan, Played};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Error, Write};
use std::path::PathBuf;

/// How many ledgers are kept; of more, the oldest go.
const MOST: usize = 32;

/// A ledger with its file.
pub struct Ledger {
    path: PathBuf,
    file: File,
}

impl Ledger {
    /// Opens the ledger of a plan, or of a part of it, and reads what is in it if one is to go on with that; else it begins anew. None where there is no place for it, or somebody else writes it.
    ///
    /// # Errors
    /// Tells if it cannot be read or written.
    pub fn open(plan: &Plan, shard: Option<(usize, usize)>, resume: bool) -> Result<Option<(Ledger, Vec<Played>)>, Error> {
        let Some(folder) = state().map(|state| state.join("playtests")) else { return Ok(None) };
        fs::create_dir_all(&folder)?;
        let mut hash = Sha256::new();
        // Another version of the program may play otherwise.
        hash.update(env!("CARGO_PKG_VERSION"));
        hash.update(serde_json::to_vec(plan)?);
        hash.update(format!("{shard:?}"));
        let name: String = hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let path = folder.join(format!("{name}.lots"));
        clear(&folder, &path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        if file.try_lock().is_err() {
            return Ok(None);
        }
        let mut played = Vec::new();
        if resume {
            let mut whole = 0;
            let mut lines = BufReader::new(&file);
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
                whole += line.len() as u64;
                played.extend(serde_json::from_slice::<Played>(&line));
                line.clear();
            }
            // An unfinished line at its end must not begin the next one.
            file.set_len(whole)?;
        } else {
            file.set_len(0)?;
        }
        file.flush()?;
        Ok(Some((Ledger { path, file }, played)))
    }

    /// Keeps what came of a lot.
    ///
    /// # Errors
    /// Tells if it cannot be written.
    pub fn keep(&mut self, played: &Played) -> Result<(), Error> {
        let mut line = serde_json::to_vec(played)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// Forgets everything: all was played.
    pub fn forget(self) {
        // One too many is no harm.
        let _ = fs::remove_file(self.path);
    }
}

/// Removes the oldest ledgers that nobody writes, so that one more is not too many.
fn clear(folder: &std::path::Path, own: &std::path::Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let ledgers = paths.filter(|path| path.extension().is_some_and(|end| end == "lots") && path != own);
    let mut dated: Vec<_> = ledgers.filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path))).collect();
    dated.sort();
    let many = dated.len().saturating_sub(MOST - 1);
    for (_, path) in dated.into_iter().take(many) {
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}
