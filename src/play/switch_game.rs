//! Replaces the game of a session: restart, load a record or set up a position.

use super::reply::{Refused, Reply, Wanted};
use super::seats::Seats;
use super::session::{Replaced, Session};
use super::variations::{Run, Variations, next_seed};
use crate::notation::clip;
use crate::record::{CHANGED, Record, Start, load};
use std::mem::replace;

impl Session {
    /// Loads a record or sets up a position from the text of a file.
    ///
    /// # Errors
    /// Says what is wrong with the text; the game is then unchanged.
    pub fn take(&mut self, wanted: Wanted, text: &str) -> Result<Reply, Refused> {
        match wanted {
            Wanted::Record { force } => self.load(text, force),
            Wanted::Position => self.go_to_position(text),
        }
    }

    fn load(&mut self, text: &str, force: bool) -> Result<Reply, Refused> {
        let record = Record::parse(text).map_err(|misread| misread.to_string())?;
        let game =
            load(&self.source, &self.choices, Some(&record)).map_err(|error| error.summary())?;
        let mut start = record.begin(&game)?;
        let said = match record.replay(&mut start) {
            Err(stopped) if force => format!("played as far as it is legal: {stopped}\n"),
            Ok(()) if record.is_changed(game.rules()) => format!("{CHANGED}\n"),
            done => done.map(|()| String::new())?,
        };
        let seed = record.seed.unwrap_or(self.tree.seed);
        let (mut tree, mut run) = Variations::of_match(start, seed)?;
        tree.adopt(&mut run, &record)?;
        match self.replace_game(tree, run)? {
            Reply::Moved(shown) => Ok(Reply::Moved(format!("{said}{shown}"))),
            other => Ok(other),
        }
    }

    fn go_to_position(&mut self, text: &str) -> Result<Reply, Refused> {
        let start = Start::parse(text).map_err(|misread| misread.to_string())?;
        // Options that the text does not mention keep their values.
        let options = start.options_under(self.rules());
        let game = load(&self.source, &[], Some(&Record { options, ..Record::default() }))
            .map_err(|error| error.summary())?;
        let begun = start.begin(&game).map_err(|misread| misread.to_string())?;
        let (tree, run) = Variations::of_match(begun, self.tree.seed)?;
        self.replace_game(tree, run)
    }

    /// Replaces the game by another game of the same rules file. [`Session::bring_back`] undoes
    /// this.
    fn replace_game(&mut self, tree: Variations, run: Run) -> Result<Reply, Refused> {
        let is_played = self.whole() > 0;
        let choices = self.choices.clone();
        let (tree, run) = self.switch_to(tree, run)?;
        if is_played {
            self.replaced.push(Replaced { tree, run, choices });
        }
        Ok(Reply::Moved(self.shown()))
    }

    /// Returns to the game that was replaced last.
    ///
    /// # Errors
    /// If no game was replaced.
    pub(super) fn bring_back(&mut self) -> Result<Reply, Refused> {
        let Replaced { tree, run, choices } =
            self.replaced.pop().ok_or("there is nothing to undo")?;
        self.switch_to(tree, run)?;
        self.choices = choices;
        // Programs stay paused: the player wants to look back.
        self.paused = true;
        Ok(Reply::Moved(self.shown()))
    }

    /// Switches to another game of the same rules file, and returns the previous one.
    fn switch_to(&mut self, tree: Variations, run: Run) -> Result<(Variations, Run), Refused> {
        let rules = run.state.game().rules();
        self.seats = Seats::new(rules, &self.seats.wanted(self.rules()), tree.seed)?;
        let before = (replace(&mut self.tree, tree), replace(&mut self.run, run));
        self.games += 1;
        self.seeded = true;
        self.auto = None;
        self.paused = false;
        Ok(before)
    }

    /// Starts again, with changed options if given.
    pub(super) fn restart(&mut self, rest: &str) -> Result<Reply, Refused> {
        let mut choices = self.rules().chosen_options();
        for word in rest.split_whitespace() {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| format!("expected KEY=VALUE, found `{}`", clip(word)))?;
            choices.retain(|(known, _)| known != name);
            choices.push((name.to_owned(), value.to_owned()));
        }
        let game = load(&self.source, &choices, None).map_err(|error| error.summary())?;
        let start = game.begin()?;
        let (tree, run) = Variations::of_match(start, next_seed(self.tree.seed))?;
        let reply = self.replace_game(tree, run)?;
        // Records no longer have to match an option that was changed here.
        self.choices.retain(|choice| choices.contains(choice));
        Ok(reply)
    }

    /// Adds a line to the position being entered; an empty line sets the position up.
    pub(super) fn draw(&mut self, mut text: String, line: &str) -> Result<Reply, Refused> {
        if line.trim().is_empty() {
            return self.go_to_position(&text).map_err(|refused| Refused {
                message: format!("in the input, {refused}"),
                ..refused
            });
        }
        if text.len() + line.len() > crate::record::LIMIT {
            return Err("the position is too large".into());
        }
        text.extend([line, "\n"]);
        self.drawn = Some(text);
        Ok(Reply::Said(String::new()))
    }
}
