//! Replaces the game of a session: restart, load a record or set up a position.

use super::queries;
use super::reply::{Refused, Reply, Wanted};
use super::seats::Seats;
use super::session::Session;
use super::timeline::Timeline;
use crate::notation::clip;
use crate::random::mix;
use crate::record::{CHANGED, Record, Start, load};

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
        let mut line = Timeline::begin(start, record.seed.unwrap_or(self.line.seed))?;
        line.adopt(&record)?;
        match self.replace_game(line)? {
            Reply::Moved(shown) => Ok(Reply::Moved(format!("{said}{shown}"))),
            other => Ok(other),
        }
    }

    fn go_to_position(&mut self, text: &str) -> Result<Reply, Refused> {
        let start = Start::parse(text).map_err(|misread| misread.to_string())?;
        // Options that the text does not mention keep their values.
        let mut options = start.options.clone();
        for (name, value) in queries::chosen(self.rules()) {
            if !options.iter().any(|(known, _)| *known == name) {
                options.push((name, value));
            }
        }
        let game = load(&self.source, &[], Some(&Record { options, ..Record::default() }))
            .map_err(|error| error.summary())?;
        let begun = start.begin(&game).map_err(|misread| misread.to_string())?;
        self.replace_game(Timeline::begin(begun, self.line.seed)?)
    }

    /// Replaces the game by another one of the same rules file. [`Session::bring_back`] undoes this.
    fn replace_game(&mut self, line: Timeline) -> Result<Reply, Refused> {
        let is_played = self.line.whole() > 0;
        let choices = self.choices.clone();
        let before = self.switch_to(line)?;
        if is_played {
            self.replaced.push((before, choices));
        }
        Ok(Reply::Moved(self.shown()))
    }

    /// Returns to the game that was replaced last.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn bring_back(&mut self) -> Result<Reply, Refused> {
        let (line, choices) = self.replaced.pop().ok_or("there is nothing to undo")?;
        self.switch_to(line)?;
        self.choices = choices;
        // Programs do not go on by themselves where the player wants to look back.
        self.paused = true;
        Ok(Reply::Moved(self.shown()))
    }

    /// Goes over to another game of the same rules file, and returns the one before.
    fn switch_to(&mut self, line: Timeline) -> Result<Timeline, Refused> {
        let rules = line.now().game().rules();
        self.seats = Seats::new(rules, &self.seats.wanted(self.rules()), line.seed)?;
        let before = std::mem::replace(&mut self.line, line);
        self.games += 1;
        self.seeded = true;
        self.auto = None;
        self.paused = false;
        Ok(before)
    }

    /// Starts again, with changed options if given.
    pub(super) fn restart(&mut self, rest: &str) -> Result<Reply, Refused> {
        let mut choices = queries::chosen(self.rules());
        for word in rest.split_whitespace() {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| format!("expected KEY=VALUE, found `{}`", clip(word)))?;
            choices.retain(|(known, _)| known != name);
            choices.push((name.to_owned(), value.to_owned()));
        }
        let game = load(&self.source, &choices, None).map_err(|error| error.summary())?;
        let start = game.begin()?;
        let seed = mix(self.line.seed, u64::MAX) % 1_000_000_000;
        let reply = self.replace_game(Timeline::begin(start, seed)?)?;
        // Records need no longer match an option that was changed here.
        self.choices.retain(|choice| choices.contains(choice));
        Ok(reply)
    }

    /// Adds a line to the position being entered, or sets the position up at the empty line.
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
