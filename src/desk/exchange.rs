//! Text that players exchange: records, positions and codes of games.

use super::{Desk, Files};
use crate::engine::game::Game;
use crate::language::sources::Sources;
use crate::load::load;
use crate::play::variations::Variations;
use crate::record::{CHANGED, LIMIT, Record, Start, encode, load as load_for};

/// What stands before the code in the address of a page.
const FRAGMENT: &str = "#play=";

impl Desk {
    /// Writes the current game, up to the current position, as a record.
    pub fn record(&self) -> Option<String> {
        Some(self.draft.variations.record(self.run.as_ref()?, false).write())
    }

    /// Writes the current position, as `--position` reads it.
    pub fn position(&self) -> Option<String> {
        self.run.as_ref().map(|run| Start::write(&run.state))
    }

    /// Writes the current game, up to the current position, as the end of an address.
    pub fn fragment(&self) -> Option<String> {
        let run = self.run.as_ref()?;
        Some(format!("{FRAGMENT}{}", encode(&run.state, self.draft.variations.seed)))
    }

    /// Continues a game or a position given as text: a record, a position, an address or the end of
    /// one. The current game is kept, and [`Desk::undo`] at the start restores it. Returns a remark
    /// for the player, if there is one.
    ///
    /// # Errors
    /// Says what is wrong with the text; the current game is then unchanged.
    pub fn take(&mut self, text: &str, files: &dyn Files) -> Result<Option<String>, String> {
        if text.len() > 2 * LIMIT {
            return Err("this text is too long for a game".to_owned());
        }
        let sources = self.study.sources.clone();
        let record = self.read(text.trim_end(), &sources)?;
        let game = load_for(&sources, &[], Some(&record)).map_err(|error| error.summary())?;
        let mut state = record.begin(&game).map_err(|stopped| stopped.to_string())?;
        record.replay(&mut state).map_err(|stopped| stopped.to_string())?;
        let variations = Variations::of_record(&record, self.draft.variations.seed);
        self.begin(variations, record.options.clone(), files)?;
        Ok(record.is_changed(game.rules()).then(|| CHANGED.to_owned()))
    }

    fn read(&self, text: &str, sources: &Sources) -> Result<Record, String> {
        let text = text.trim_start_matches('\u{feff}');
        let is_position = |line: &str| line.trim_end() == "position:";
        if text.lines().any(is_position) {
            let start = Start::parse(text).map_err(|misread| misread.to_string())?;
            let options = match self.rules() {
                Some(rules) => start.options_under(rules),
                None => start.options.clone(),
            };
            let lines = start.position.iter().map(|line| line.text.to_owned()).collect();
            return Ok(Record { options, start: lines, ..Record::default() });
        }
        let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let code = match text.split_once(FRAGMENT) {
            // A chat message may have words around the code.
            Some((_, code)) => Some(code.split(|letter| !is_letter(letter)).next().unwrap_or("")),
            None => Some(text.trim()).filter(|text| text.len() >= 4 && text.chars().all(is_letter)),
        };
        let Some(code) = code else {
            let record = Record::parse(text).map_err(|misread| misread.to_string())?;
            let Record { game, plies, start, .. } = &record;
            let is_empty = game.is_none() && plies.is_empty() && start.is_empty();
            return match is_empty {
                true => Err("this is no game, position or move".to_owned()),
                false => Ok(record),
            };
        };
        let rules = self.rules().ok_or("the rules cannot be played yet")?;
        let mut with_options = |options: &[(String, String)]| -> Result<Game, String> {
            load(sources, options).map_err(|error| error.summary())
        };
        Record::of_code(code, rules, &mut with_options)
    }
}
