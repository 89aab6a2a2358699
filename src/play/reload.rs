//! Continues a game after its rules have changed, by replaying it under the new rules.

use super::reply::Refused;
use super::seats::{Seats, reseated};
use super::session::Session;
use crate::engine::game::Fault;
use crate::language::check;
use crate::language::sources::Sources;
use crate::notation::clip;
use crate::record::{Record, Stopped, load};

impl Session {
    /// Replays the game under changed rules, and returns how many plies can no longer be redone.
    ///
    /// Comments, times, rolls, seats and the options that still exist are kept.
    ///
    /// # Errors
    /// Fails, and changes nothing, if the rules are invalid with these options or a ply cannot be
    /// replayed.
    pub fn go_on_under(&mut self, source: &Sources) -> Result<usize, Refused> {
        let mut options = self.rules().chosen_options();
        if let Some(rules) = check(source, &self.choices).rules {
            options.retain(|(name, _)| rules.options.iter().any(|option| option.name == *name));
        }
        let record = Record { options, ..Record::default() };
        let game = load(source, &self.choices, Some(&record)).map_err(|error| error.summary())?;
        let mut tree = self.tree.clone();
        let (run, stopped) = tree.run(&game).map_err(at_ply)?;
        if let Some(stopped) = stopped {
            return Err(at_ply(stopped));
        }
        let mut last = run.clone();
        tree.play_ahead(&mut last);
        let lost = tree.ahead(last.node()).len();
        tree.nodes[last.node()].next = None;
        let wanted = reseated(&self.seats.wanted(self.rules()), game.rules());
        let seats = Seats::new(game.rules(), &wanted, tree.seed)?;
        (self.tree, self.run, self.seats) = (tree, run, seats);
        self.source = source.clone();
        // The moves belong to the old rules.
        self.asked.clear();
        self.auto = None;
        Ok(lost)
    }
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
