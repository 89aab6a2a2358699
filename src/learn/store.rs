//! The trainings that the process has made or read, by game.
//!
//! Players are made in many places that know nothing of files, and ask here. At its start the
//! program says where the texts of trainings are found.

use super::file::{Learned, key};
use crate::engine::game::Game;
use crate::language::rules::Rules;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Finds the text of a training by the [key](super::file::key) of its game; `None` if there is
/// none, or the reason why it cannot be read.
pub type Lookup = fn(&str) -> Option<Result<String, String>>;

/// A training, or the reason why the stored one cannot be used; `None` if none is stored.
type Found = Option<Result<Arc<Learned>, String>>;

static LOOKUP: OnceLock<Lookup> = OnceLock::new();
static KNOWN: Mutex<Option<FxHashMap<String, Found>>> = Mutex::new(None);

/// Sets where texts of trainings are found. Only the first call has an effect.
pub fn set_lookup(lookup: Lookup) {
    let _ = LOOKUP.set(lookup);
}

/// Keeps a training of a game for all players made from now on.
pub fn insert(rules: &Rules, learned: Arc<Learned>) {
    if let Ok(mut known) = KNOWN.lock() {
        known.get_or_insert_default().insert(key(rules), Some(Ok(learned)));
    }
}

/// Finds the training of a game; `None` if there is none that can be used.
pub fn find(game: &Game) -> Option<Arc<Learned>> {
    look(game)?.ok()
}

/// Returns the reason why the stored training of a game cannot be used, if there is one.
pub fn trouble(game: &Game) -> Option<String> {
    look(game)?.err()
}

fn look(game: &Game) -> Found {
    let key = key(game.rules());
    if let Ok(known) = KNOWN.lock()
        && let Some(found) = known.as_ref().and_then(|known| known.get(&key))
    {
        return found.clone();
    }
    // Two threads may read the same text; both find the same.
    let text = LOOKUP.get().and_then(|lookup| lookup(&key));
    let read = text.map(|text| Learned::read(game, &text?).map(Arc::new));
    if let Ok(mut known) = KNOWN.lock() {
        known.get_or_insert_default().insert(key, read.clone());
    }
    read
}
