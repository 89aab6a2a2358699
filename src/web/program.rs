//! Programs in an instance of their own: they choose plies and suggest them, and make rule sheets,
//! while another instance keeps the game.

use crate::desk::requests::{Arguments, Refused};
use crate::desk::{Bundle, Desk, Files, Origin};
use crate::engine::game::{Game, State, Turn};
use crate::load::load;
use crate::notation::spell;
use crate::pages;
use crate::random::mix;
use crate::record::Record;
use crate::search::{Choice, Mcts, Player, PlayerKind, thought};
use serde_json::{Value, json};

/// The most memory of a program that searches, in bytes: telephones have little to spare.
const MEMORY: usize = 64 << 20;

/// The games and programs that were asked for, which think on where they have stopped.
#[derive(Default)]
pub struct Programs {
    game: Option<(Vec<(String, String)>, Game)>,
    seated: Vec<((u16, PlayerKind), Player)>,
}

/// Describes the position of a desk for a program that is to choose a ply in it; `None` if no player
/// is to move.
pub fn task(desk: &Desk, kind: PlayerKind) -> Option<Value> {
    let run = desk.run.as_ref()?;
    let Turn::Player(mover) = run.state.turn() else { return None };
    let seed = desk.draft.variations.seed;
    Some(json!({
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
        let rules = position.game().rules();
        let Turn::Player(mover) = position.turn() else { return Err("nobody is to move".into()) };
        let ply = spell(rules, &choice.ply);
        let text = match &choice.thinking {
            Some(thinking) => thought(rules, mover, thinking),
            None => format!("`{ply}` is the only move"),
        };
        Ok(json!({ "ply": ply, "text": text }))
    }

    fn chosen(
        &mut self,
        bundle: &Bundle,
        arguments: &Arguments,
    ) -> Result<(State, Choice), Refused> {
        let text = arguments.text("record")?;
        let record = Record::parse(text).map_err(|misread| misread.to_string())?;
        let game = self.game(bundle, &record.options)?;
        let mut position = record.begin(&game).map_err(|stopped| stopped.to_string())?;
        record.replay(&mut position).map_err(|stopped| stopped.to_string())?;
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
        let game = self.game(bundle, &options)?;
        Ok(json!({ "html": pages::sheet_body(&game, &[]) }))
    }

    fn game(&mut self, bundle: &Bundle, options: &[(String, String)]) -> Result<Game, Refused> {
        match &self.game {
            Some((known, game)) if known == options => Ok(game.clone()),
            _ => {
                let sources = bundle.gather(&Origin::New, bundle.text());
                let game = load(sources, options).map_err(|error| error.summary())?;
                self.game = Some((options.to_vec(), game.clone()));
                self.seated.clear();
                Ok(game)
            }
        }
    }
}
