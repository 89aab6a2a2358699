//! The part of a desk that outlives the program, and where its text comes from.

use super::Bundle;
use crate::editor::rename::texts::Renamed;
use crate::play::variations::Variations;
use crate::search::PlayerKind;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Where a text comes from, which decides what it can include.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// A file, by its path in the folder.
    File(PathBuf),
    /// A game that comes with the program, by its name; not saved as a file yet.
    Shipped(String),
    /// A text that is not saved yet.
    New,
}

impl Origin {
    /// Returns the path of the file, if the text comes from one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Origin::File(path) => Some(path),
            Origin::Shipped(_) | Origin::New => None,
        }
    }
}

/// The part of a desk that outlives the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Draft {
    /// The folder that the program was started for.
    pub folder: PathBuf,
    pub origin: Origin,
    pub text: String,
    /// The content of the file, as far as the desk knows.
    pub disk: Option<String>,
    /// The original text, if the rules began as a game that comes with the program.
    #[serde(default)]
    pub shipped: Option<String>,
    pub options: Vec<(String, String)>,
    pub seats: Vec<(String, PlayerKind)>,
    pub variations: Variations,
    /// When the draft was written, in seconds since 1970.
    pub when: u64,
}

impl Draft {
    /// Begins a draft of the rules that a page carries. `seed` seeds the dice.
    pub fn of_bundle(
        bundle: &Bundle,
        origin: Origin,
        options: Vec<(String, String)>,
        seed: u64,
    ) -> Draft {
        let is_file = origin.file().is_some();
        let is_shipped = matches!(origin, Origin::Shipped(_));
        Draft {
            folder: PathBuf::new(),
            origin,
            text: bundle.text().to_owned(),
            disk: is_file.then(|| bundle.text().to_owned()),
            shipped: is_shipped.then(|| bundle.text().to_owned()),
            options,
            seats: Vec::new(),
            variations: Variations::new(seed),
            when: 0,
        }
    }

    /// Carries a renaming of the rules into the plies and the seats.
    pub(super) fn rename(&mut self, renamed: &Renamed) {
        self.variations.start = renamed.start(&self.variations.start);
        for node in &mut self.variations.nodes {
            node.text = renamed.words(&node.text);
            node.player = node.player.as_ref().map(|player| renamed.words(player));
        }
        for (player, _) in &mut self.seats {
            *player = renamed.words(player);
        }
    }

    /// Follows the file to another path. `None` means that the file is gone; the text is then
    /// unsaved.
    pub fn follow(&mut self, to: Option<PathBuf>) {
        match to {
            Some(to) => self.origin = Origin::File(to),
            None => (self.origin, self.disk) = (Origin::New, None),
        }
    }

    /// Tests if the text differs from the file's text, or there is no file.
    pub fn is_unsaved(&self) -> bool {
        self.disk.as_ref() != Some(&self.text)
    }
}
