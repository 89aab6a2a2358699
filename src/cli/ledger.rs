//! Ledgers: the finished batches of a playtest, saved so that it can be resumed after a crash or
//! Ctrl-C.
//!
//! A ledger has one line of JSON per batch. Its name is a hash of the plan, so that only the same
//! plan resumes it. Incomplete lines are skipped. The process that plays holds a lock on the file.

use crate::program::journal::state;
use ludwright::measure::{Plan, Played};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Error, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Age at which a ledger counts as abandoned. Their number is not limited: a playtest in shards
/// leaves one for each.
const OLDEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Maximum size of all ledgers together, in bytes; the oldest are removed.
const MOST: u64 = 4 << 30;

/// A ledger with its open, locked file.
pub struct Ledger {
    path: PathBuf,
    file: File,
}

impl Ledger {
    /// Opens the ledger of a plan, or of a shard of it. Returns the saved batches if `resume` is
    /// set, and otherwise starts afresh. `None` if there is no state folder or another process
    /// holds the lock.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn open(
        plan: &Plan,
        shard: Option<(usize, usize)>,
        resume: bool,
    ) -> Result<Option<(Ledger, Vec<Played>)>, Error> {
        let Some(folder) = state().map(|state| state.join("playtests")) else { return Ok(None) };
        fs::create_dir_all(&folder)?;
        let mut hash = Sha256::new();
        // Another version of the program may play differently.
        hash.update(env!("CARGO_PKG_VERSION"));
        hash.update(serde_json::to_vec(plan)?);
        hash.update(format!("{shard:?}"));
        let name: String =
            hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let path = folder.join(format!("{name}.lots"));
        clear(&folder, &path);
        if path.symlink_metadata().is_ok_and(|about| !about.is_file()) {
            return Err(Error::other(format!("{} is not a file", path.display())));
        }
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
            // Removes an unfinished last line, so that the next one starts on a new line.
            file.set_len(whole)?;
        } else {
            file.set_len(0)?;
        }
        file.flush()?;
        Ok(Some((Ledger { path, file }, played)))
    }

    /// Appends the result of a batch.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, played: &Played) -> Result<(), Error> {
        let mut line = serde_json::to_vec(played)?;
        line.push(b'\n');
        let whole = self.file.metadata()?.len();
        // Removes a partly written line.
        self.file.write_all(&line).inspect_err(|_| drop(self.file.set_len(whole)))
    }

    /// Deletes the ledger of a finished playtest.
    pub fn forget(self) {
        // A superfluous ledger does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for Ledger {
    /// Deletes an empty ledger, for example after the disk was full.
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|about| about.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes unlocked ledgers that are too old or exceed the total size.
fn clear(folder: &Path, own: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let ledgers =
        paths.filter(|path| path.extension().is_some_and(|end| end == "lots") && path != own);
    let about = |path: PathBuf| {
        // A pipe would block whoever opens it.
        let about = path.symlink_metadata().ok().filter(|about| about.is_file())?;
        Some((about.modified().ok()?, about.len(), path))
    };
    for path in expired(ledgers.filter_map(about).collect(), SystemTime::now()) {
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Selects the ledgers to remove, given modification times and sizes.
fn expired(mut ledgers: Vec<(SystemTime, u64, PathBuf)>, now: SystemTime) -> Vec<PathBuf> {
    ledgers.sort_by(|one, other| other.cmp(one));
    let mut size = 0;
    let goes = |(written, length, path): (SystemTime, u64, PathBuf)| {
        size += length;
        let is_old = now.duration_since(written).is_ok_and(|age| age > OLDEST);
        (is_old || size > MOST).then_some(path)
    };
    ledgers.into_iter().filter_map(goes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ledgers_go_by_age_and_size_not_by_number() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 30);
        let day = Duration::from_secs(24 * 60 * 60);
        let ledger = |days: u32, length: u64| {
            (now - day * days, length, PathBuf::from(format!("{days}.lots")))
        };
        let many: Vec<_> =
            (0..29).flat_map(|days| (0..40).map(move |_| ledger(days, 1 << 20))).collect();
        assert_eq!(expired(many, now), Vec::<PathBuf>::new());
        let names = |found: Vec<PathBuf>| {
            found.iter().map(|path| path.display().to_string()).collect::<Vec<String>>()
        };
        assert_eq!(names(expired(vec![ledger(29, 1), ledger(31, 1)], now)), ["31.lots"]);
        let large = vec![ledger(3, 1 << 30), ledger(1, 3 << 30), ledger(2, 1 << 30)];
        assert_eq!(names(expired(large, now)), ["3.lots"]);
    }
}
