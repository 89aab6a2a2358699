//! Continues a game after its rules have changed, by replaying it under the new rules.

use super::reply::Refused;
use super::seats::Seats;
use super::session::Session;
use super::timeline::Timeline;
use crate::engine::game::Fault;
use crate::language::check;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::clip;
use crate::record::{Record, Stopped, load};
use crate::search::PlayerKind;

impl Session {
    /// Replays the game under changed rules and returns how many plies can no longer be redone.
    ///
    /// Comments, times, rolls, seats and the options that still exist are kept.
    ///
    /// # Errors
    /// Fails, and changes nothing, if the rules are invalid with these options or a ply cannot be
    /// replayed.
    pub fn go_on_under(&mut self, source: &Sources) -> Result<usize, Refused> {
        let record = self.under(source);
        let played = record.at.unwrap_or(record.plies.len());
        let game = load(source, &self.choices, Some(&record)).map_err(|error| error.summary())?;
        let mut position = record.begin(&game).map_err(at_ply)?;
        (0..played).try_for_each(|index| record.play(index, &mut position)).map_err(at_ply)?;
        let again = (played..record.plies.len())
            .take_while(|&index| record.play(index, &mut position).is_ok())
            .count();
        let lost = record.plies.len() - played - again;
        let seats = Seats::new(
            game.rules(),
            &reseated(&self.seats.wanted(self.rules()), game.rules()),
            self.line.seed,
        )?;
        let mut line = Timeline::begin(position, self.line.seed)?;
        line.adopt(&Record { at: Some(played), ..record })?;
        (self.line, self.seats, self.source) = (line, seats, source.clone());
        // The moves belong to the old rules.
        self.asked.clear();
        self.auto = None;
        Ok(lost)
    }

    /// Returns the record without what changed rules may invalidate: title, fingerprint, result and
    /// options that no longer exist.
    fn under(&self, source: &Sources) -> Record {
        let mut record = self.line.record(true);
        // The title itself may have changed.
        (record.game, record.rules, record.result, record.reason) = (None, None, None, None);
        if let Some(rules) = check(source, &self.choices).rules {
            record
                .options
                .retain(|(name, _)| rules.options.iter().any(|option| option.name == *name));
        }
        record
    }
}

/// Assigns the old seats to the new players by name; renamed players are matched by their index.
fn reseated(before: &[(String, PlayerKind)], rules: &Rules) -> Vec<(String, PlayerKind)> {
    let is_known = |name: &str| rules.players.iter().any(|player| player.name == name);
    let seat = |(place, name): (usize, &String)| {
        let same = before.iter().find(|(known, _)| known == name);
        let renamed = || before.get(place).filter(|(known, _)| !is_known(known));
        Some((name.clone(), same.or_else(renamed)?.1))
    };
    rules.players.iter().map(|player| &player.name).enumerate().filter_map(seat).collect()
}

/// Describes the ply at which the replay failed.
fn at_ply(stopped: Stopped) -> Refused {
    let message = match stopped.ply {
        0 => format!("the game cannot begin under these rules: {}", stopped.message),
        ply => format!(
            "ply {ply}, `{}`, cannot be played under these rules: {}",
            clip(&stopped.text),
            stopped.message
        ),
    };
    match stopped.endless {
        Some(span) => Fault { message, span }.into(),
        None => Refused { help: stopped.help, ..message.into() },
    }
}
