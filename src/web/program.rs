//! Programs in an instance of their own: they choose plies and suggest them, and make rule sheets,
//! while another instance keeps the game.

use crate::budget::Deadline;
use crate::desk::requests::{Arguments, Refused};
use crate::desk::{Bundle, Desk, Files, Origin, thoughts};
use crate::engine::game::{Game, State, Turn};
use crate::load::load;
use crate::notation::spell;
use crate::pages;
use crate::random::mix;
use crate::record::Record;
use crate::search::{Choice, Mcts, Player, PlayerKind, SearchLimits, thought};
use serde_json::{Value, json};
use std::time::Duration;

/// The most memory of a program that searches, in bytes: telephones have little to spare.
const MEMORY: usize = 64 << 20;
/// Winning chances are estimated in steps of this length, and the number of steps for a position.
const STEP: Duration = Duration::from_millis(250);
const STEPS: usize = 6;

/// A game, with the text and the options that it was loaded from.
struct Loaded {
    text: String,
    options: Vec<(String, String)>,
    game: Game,
}

/// The games and programs that were asked for, which think on where they have stopped.
#[derive(Default)]
pub struct Programs {
    game: Option<Loaded>,
    seated: Vec<((u16, PlayerKind), Player)>,
    /// The turn whose winning chances are estimated, and the moments that this has taken.
    estimated: Option<(usize, Mcts, usize)>,
}

/// Describes the position of a desk for a program that is to choose a ply in it; `None` if no player
/// is to move.
pub fn task(desk: &Desk, kind: PlayerKind) -> Option<Value> {
    let run = desk.run.as_ref()?;
    let Turn::Player(mover) = run.state.turn() else { return None };
    let seed = desk.draft.variations.seed;
    Some(json!({
        // The rules that are played; the text at hand may have errors.
        "text": run.state.game().rules().files.text_of(0),
        "record": Record::of(&run.state, seed).write(),
        "seed": seed,
        "person": run.state.person(mover).0,
        "kind": kind.to_string(),
        "turn": desk.turn,
    }))
}

impl Programs {
    /// Chooses a ply for a [`task`].
    pub fn choose(&mut self, bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
        let (position, choice) = self.chosen(bundle, arguments)?;
        let rules = position.game().rules();
        let Turn::Player(mover) = position.turn() else { return Err("nobody is to move".into()) };
        Ok(json!({
            "ply": spell(rules, &choice.ply),
            "turn": arguments.number("turn")?,
            "seat": arguments.text("kind")?,
            "text": choice.thinking.map(|thinking| thought(rules, mover, &thinking)),
        }))
    }

    /// Suggests a ply for a [`task`].
    pub fn hint(&mut self, bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
        let (position, choice) = self.chosen(bundle, arguments)?;
        Ok(thoughts::hint(&position, &choice)?)
    }

    /// Estimates the winning chances in the position of a [`task`], for a moment; asked again, it
    /// goes on. `done` says that it need not be asked again.
    pub fn evaluate(&mut self, bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
        let position = self.position(bundle, arguments)?;
        let turn = arguments.number("turn")?;
        if self.estimated.as_ref().is_none_or(|(known, ..)| *known != turn) {
            self.estimated = Some((turn, Mcts::new(1, MEMORY), 0));
        }
        let (_, mcts, steps) = self.estimated.as_mut().ok_or("nothing is estimated")?;
        let deadline = Deadline::after(Some(STEP));
        let limits = SearchLimits { deadline, ..SearchLimits::default() };
        let thinking = mcts.think(&position, 1, &limits, &mut |_| true);
        let thinking = thinking.map_err(|fault| fault.message)?;
        *steps = if thinking.solved { STEPS } else { *steps + 1 };
        let done = *steps >= STEPS;
        Ok(json!({ "evaluation": thoughts::evaluation(&position, &thinking), "done": done }))
    }

    /// Returns the position of a [`task`].
    fn position(&mut self, bundle: &Bundle, arguments: &Arguments) -> Result<State, Refused> {
        let text = arguments.text("record")?;
        let record = Record::parse(text).map_err(|misread| misread.to_string())?;
        let rules = arguments.maybe_text("text").unwrap_or(bundle.text());
        let game = self.game(bundle, rules, &record.options)?;
        let mut position = record.begin(&game).map_err(|stopped| stopped.to_string())?;
        record.replay(&mut position).map_err(|stopped| stopped.to_string())?;
        Ok(position)
    }

    fn chosen(
        &mut self,
        bundle: &Bundle,
        arguments: &Arguments,
    ) -> Result<(State, Choice), Refused> {
        let position = self.position(bundle, arguments)?;
        let kind = arguments.text("kind")?.parse::<PlayerKind>()?;
        let person = arguments.number("person")?;
        let seat = (u16::try_from(person).map_err(|_| "there is no such player")?, kind);
        let index = match self.seated.iter().position(|(known, _)| *known == seat) {
            Some(index) => index,
            None => {
                let seed = mix(!(arguments.number("seed")? as u64), u64::from(seat.0));
                let player = Player::searching(kind, seed, || Mcts::new(1, MEMORY));
                let player = player.ok_or("expected a program")?;
                self.seated.push((seat, player));
                self.seated.len() - 1
            }
        };
        let choice = self.seated[index].1.choose(&position).map_err(|fault| fault.message)?;
        Ok((position, choice.ok_or("the program finds no move")?))
    }

    /// Writes the rules in words with these options, as the body of a page.
    pub fn sheet(&mut self, bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
        let options = arguments.maybe_pairs("options")?.unwrap_or_default();
        let game = self.game(bundle, bundle.text(), &options)?;
        Ok(json!({ "html": pages::sheet_body(&game, &[]) }))
    }

    fn game(
        &mut self,
        bundle: &Bundle,
        text: &str,
        options: &[(String, String)],
    ) -> Result<Game, Refused> {
        match &self.game {
            Some(known) if known.text == text && known.options == options => Ok(known.game.clone()),
            _ => {
                let sources = bundle.gather(&Origin::New, text);
                let game = load(sources, options).map_err(|error| error.summary())?;
                let (text, options) = (text.to_owned(), options.to_vec());
                self.game = Some(Loaded { text, options, game: game.clone() });
                self.seated.clear();
                self.estimated = None;
                Ok(game)
            }
        }
    }
}
