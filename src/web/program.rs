//! Programs in an instance of their own: they choose and suggest plies, and write rule sheets,
//! while another instance keeps the game.

use crate::desk::requests::{Arguments, Refused};
use crate::desk::thoughts::{Estimate, MEMORY, SeatedPrograms};
use crate::desk::{Bundle, Desk, Files, Origin, thoughts};
use crate::engine::game::{Game, State, Turn};
use crate::load::load;
use crate::notation::spell;
use crate::pages;
use crate::record::Record;
use crate::search::{Choice, Mcts, PlayerKind, thought};
use serde_json::{Value, json};

/// A game, with the text and the options that it was loaded from.
struct Loaded {
    text: String,
    options: Vec<(String, String)>,
    game: Game,
}

/// The games and programs of earlier requests; a program continues its last search.
#[derive(Default)]
pub struct Programs {
    game: Option<Loaded>,
    seated: SeatedPrograms,
    estimate: Option<Estimate>,
}

/// Describes the position of a desk as a task for a program, which will choose a ply in it; `None`
/// if no player is to move.
pub fn task(desk: &Desk, kind: PlayerKind) -> Option<Value> {
    let run = desk.run.as_ref()?;
    let Turn::Player(mover) = run.state.turn() else { return None };
    let seed = desk.draft.variations.seed;
    Some(json!({
        // The rules that are played; the current text may have errors.
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

    /// Estimates the winning chances in the position of a [`task`] for a moment; the next request
    /// continues the estimate. `done` says that no more requests are needed.
    pub fn evaluate(&mut self, bundle: &Bundle, arguments: &Arguments) -> Result<Value, Refused> {
        let position = self.position(bundle, arguments)?;
        let turn = arguments.number("turn")? as u64;
        let estimate = self.estimate.take().filter(|estimate| estimate.is_for(turn));
        let estimate = self.estimate.insert(estimate.unwrap_or_else(|| Estimate::new(turn)));
        let chances = estimate.improve(&position).map_err(|fault| fault.message)?;
        Ok(json!({ "evaluation": chances, "done": estimate.is_done() }))
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
        let person = u16::try_from(person).map_err(|_| "there is no such player")?;
        let seed = arguments.number("seed")? as u64;
        let program = self.seated.of(person, kind, seed, || Mcts::new(1, MEMORY));
        let program = program.ok_or("expected a program")?;
        let choice = program.choose(&position).map_err(|fault| fault.message)?;
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
                self.seated = SeatedPrograms::default();
                self.estimate = None;
                Ok(game)
            }
        }
    }
}
