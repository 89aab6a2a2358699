//! Engine options: the player that thinks and its resources, and the options of the game.

use super::unknown;
use crate::program::failure::Failure;
use ludwright::engine::game::Game;
use ludwright::language::rules::{Choice, Rules};
use ludwright::notation::clip;
use ludwright::search::mcts::MEMORY;
use ludwright::search::player::untrained_by_name;
use ludwright::search::{Mcts, Player, PlayerKind};
use std::sync::{Arc, Mutex};

/// The values of the option `Player`. Search limits come from `go`.
const PLAYERS: [(&str, PlayerKind); 5] = [
    ("strong", PlayerKind::StrongIterations(1)),
    ("mcts", PlayerKind::Iterations(1)),
    ("learned", PlayerKind::Learned),
    ("greedy", PlayerKind::Greedy),
    ("random", PlayerKind::Random),
];
/// Engine settings that `setoption` changes.
pub struct Settings {
    threads: usize,
    /// Size of the search tree, in mebibytes.
    hash: usize,
    pub seed: u64,
    /// The name of the player; `None` until the option is set.
    player: Option<&'static str>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            hash: MEMORY >> 20,
            seed: 1,
            player: None,
        }
    }
}

impl Settings {
    /// Returns the name and the kind of the player for a game.
    pub fn chosen(&self, game: &Game) -> (&'static str, PlayerKind) {
        let [strong, plain, ..] = PLAYERS;
        let named = |name| PLAYERS.into_iter().find(|(own, _)| *own == name);
        let by_default = || if untrained(game, strong).is_none() { strong } else { plain };
        self.player.and_then(named).unwrap_or_else(by_default)
    }

    pub fn player(&self, game: &Game) -> Result<Arc<Mutex<Player>>, Failure> {
        let (name, kind) = self.chosen(game);
        let searcher = || Mcts::new(self.threads, self.hash << 20);
        let player = Player::searching(kind, self.seed, searcher);
        let player = player.ok_or_else(|| Failure::input(format!("{name} is no program")))?;
        Ok(Arc::new(Mutex::new(player)))
    }

    pub fn list(&self, game: &Game) -> String {
        let Settings { threads, hash, seed, .. } = self;
        let players: String = PLAYERS.iter().map(|(name, _)| format!(" var {name}")).collect();
        format!(
            "option name Threads type spin default {threads} min 1 max 256\noption name Hash type spin default {hash} min 1 max 65536\n\
             option name Seed type spin default {seed} min 0 max {}\noption name Player type combo default {}{players}\n",
            u64::MAX,
            self.chosen(game).0
        )
    }

    /// Sets an engine option. The game's own options are handled by [`super::Engine::choose`].
    pub fn set(&mut self, name: &str, value: &str, rules: &Rules) -> Result<(), String> {
        let number = |least: u64, most: u64| {
            let number = value.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| {
                format!("expected {name} from {least} to {most}, found `{}`", clip(value))
            })
        };
        match name {
            "Threads" => self.threads = number(1, 256)? as usize,
            "Hash" => self.hash = number(1, 65_536)? as usize,
            "Seed" => self.seed = number(0, u64::MAX)?,
            "Player" => {
                let names = PLAYERS.map(|(name, _)| name);
                let chosen = names.into_iter().find(|name| *name == value);
                self.player = Some(chosen.ok_or_else(|| unknown("player", value, &names))?);
            }
            _ => {
                let own = rules.options.iter().map(|option| option.name.as_str());
                let known = ["Threads", "Hash", "Seed", "Player"].into_iter().chain(own);
                let known: Vec<&str> = known.collect();
                return Err(unknown("option", name, &known));
            }
        }
        Ok(())
    }
}

/// Warns if a player that could use a training has none, and says how it plays instead.
pub fn untrained(game: &Game, (name, kind): (&str, PlayerKind)) -> Option<String> {
    untrained_by_name(game, kind, name)
}

/// Declares an option of the game to the client.
pub fn described(option: &Choice) -> String {
    let default = option.value();
    let values: String = option.values.iter().map(|value| format!(" var {value}")).collect();
    format!("option name {} type combo default {default}{values}\n", option.name)
}
