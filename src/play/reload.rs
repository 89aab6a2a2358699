//! A game under way and rules that were changed in, the same game under those rules out. It refuses to know files, and when they change.

use super::session::{Refused, Session};
use crate::engine::game::{Fault, Game, Match};
use crate::language::check;
use crate::language::sources::Sources;
use crate::notation::clip;
use crate::record::{Record, load};

impl Session {
    /// Plays the same plies under other rules, from where `start` begins a match of them if this game began at a position of its own; what was taken back is forgotten. Options keep the values that
    /// they have, if the rules still know them, and dice what they showed.
    ///
    /// # Errors
    /// Tells at which ply the game cannot go on and why, or that the rules are no game with these options; this game is still there then.
    pub fn under(&self, source: &Sources, start: impl FnOnce(&Game) -> Result<Match, Refused>) -> Result<Session, Refused> {
        let mut record = Record::of(self.position(), self.seed());
        // The title may be what was changed.
        record.game = None;
        if let Some(rules) = check(source, self.choices()).rules {
            record.options.retain(|(name, _)| rules.options.iter().any(|option| option.name == *name));
        }
        let game = load(source, self.choices(), Some(&record)).map_err(|unloadable| unloadable.to_string())?;
        let mut position = if self.is_elsewhere() { start(&game)? } else { game.begin()? };
        record.replay(&mut position).map_err(|stopped| {
            let message = format!("ply {}, `{}`, cannot be played under these rules: {}", stopped.ply, clip(&stopped.text), stopped.message);
            match stopped.endless {
                Some(span) => Fault { message, span }.into(),
                None => Refused::from(message),
            }
        })?;
        self.again(source, position)
    }
}
