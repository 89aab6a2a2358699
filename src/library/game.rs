//! Games that are loaded and ready to be played.

use super::outcome::Player;
use super::state::State;
use crate::catalog;
use crate::engine::game as engine;
use crate::language::rules::PlayerId;
use crate::language::sources::Sources;
use crate::load::{Cause, LoadError, load, load_file};
use crate::record::fingerprint;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

/// A game. Cheap to clone; clones share the compiled rules.
///
/// ```
/// use ludwright::Game;
///
/// let game = Game::from_source(
///     r#"
///     (game "Noughts and crosses"
///       (players X O)
///       (option Size (range 3 5) 3 "Sites along each side.")
///       (board (square Size))
///       (piece Mark)
///       (define (Row (site s) (direction d))
///         (and (in s (mine)) (in (step s d) (mine)) (in (step s (opposite d)) (mine))))
///       (move mark (to t (empty)) (put Mark t))
///       (play (turns (choose mark)))
///       (end
///         (if (any (where s (mine) (some d (list N NE E SE) (Row s d)))) (win mover))
///         (if (none (empty)) (draw))))
///     "#,
///     &[("Size", "4")],
/// )?;
/// assert_eq!(game.title(), "Noughts and crosses");
/// assert_eq!(game.start().legal_moves().len(), 16);
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone)]
pub struct Game(pub(super) engine::Game);

/// An option of a game, with its chosen value.
///
/// ```
/// let game = ludwright::Game::from_file("games/kitaran.game", &[("Size", "7")])?;
/// let size = &game.options()[0];
/// assert_eq!((&*size.name, &*size.chosen, &*size.default), ("Size", "7", "5"));
/// assert_eq!(size.values, ["3", "4", "5", "6", "7", "8", "9"]);
/// # Ok::<(), ludwright::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GameOption {
    /// The name, as spelled in the rules.
    pub name: String,
    /// The description in the rules.
    pub about: String,
    /// All values, in order.
    pub values: Vec<String>,
    /// The default value.
    pub default: String,
    /// The value chosen in this game.
    pub chosen: String,
}

impl Game {
    /// Loads a game from its file and the files that it includes. Options are pairs of name and
    /// value; other options have their defaults.
    ///
    /// # Errors
    /// If the file cannot be read, and as [`from_source`](Self::from_source).
    ///
    /// ```
    /// use ludwright::Game;
    ///
    /// let game = Game::from_file("games/kitaran.game", &[("Size", "3"), ("Komi", "0.5")])?;
    /// assert_eq!(format!("\n{}", game.start()), "
    ///   3 . . .
    ///   2 . . .
    ///   1 . . .
    ///     a b c
    ///
    /// Black to move
    /// ");
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn from_file(path: impl AsRef<Path>, options: &[(&str, &str)]) -> Result<Game, LoadError> {
        load_file(path.as_ref(), &owned(options)).map(Game)
    }

    /// Loads a game from its text, which cannot include other files. Options are pairs of name and
    /// value; other options have their defaults.
    ///
    /// # Errors
    /// All errors in the rules, or in the options.
    ///
    /// ```
    /// use ludwright::Game;
    ///
    /// let text = r#"(game "Two faults" (players A B) (board (sqare 3)) (piece Stone)
    ///   (move drop (to t (emty)) (put Stone t)) (play (turns (choose drop))))"#;
    /// let error = Game::from_source(text, &[]).unwrap_err();
    /// assert_eq!(error.findings().len(), 2);
    /// assert_eq!(error.to_string(), "1:42: there is no ludeme `sqare` (and 1 more error)");
    /// ```
    pub fn from_source(text: &str, options: &[(&str, &str)]) -> Result<Game, LoadError> {
        load(text, &owned(options)).map(Game)
    }

    /// Loads one of the games that come with the library, as `ludwright games` lists them.
    ///
    /// # Errors
    /// If there is no such game, and as [`from_source`](Self::from_source).
    ///
    /// ```
    /// use ludwright::Game;
    ///
    /// assert_eq!(Game::named("kitaran", &[("Size", "3")])?.title(), "Kitaran");
    /// assert!(Game::names().any(|name| name == "chess"));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn named(name: &str, options: &[(&str, &str)]) -> Result<Game, LoadError> {
        let Some(entry) = catalog::find(name) else {
            let missing = std::io::Error::new(ErrorKind::NotFound, "there is no such game");
            let sources = Sources::named(name, "");
            return Err(LoadError::new(Cause::Unreadable(missing), sources));
        };
        load(entry.sources(), &owned(options)).map(Game)
    }

    /// Lists the names of the games that come with the library.
    ///
    /// See [`named`](Self::named) for an example.
    pub fn names() -> impl Iterator<Item = &'static str> {
        catalog::entries().into_iter().map(|entry| entry.name)
    }

    /// Loads the same rules with other options, given as pairs of any texts; options that are not
    /// given have their defaults.
    ///
    /// # Errors
    /// As [`from_source`](Self::from_source).
    ///
    /// ```
    /// use ludwright::Game;
    ///
    /// let kitaran = Game::named("kitaran", &[])?;
    /// for size in 3..=5 {
    ///     let game = kitaran.with_options([("Size", size.to_string())])?;
    ///     assert_eq!(game.sites().len(), size * size);
    /// }
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn with_options(
        &self,
        options: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>,
    ) -> Result<Game, LoadError> {
        let mut choices = Vec::new();
        for (name, value) in options {
            choices.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        }
        load(&self.0.rules().files, &choices).map(Game)
    }

    /// Returns the sources of the game and its chosen options.
    pub(super) fn origin(&self) -> (Sources, Vec<(String, String)>) {
        let chosen = self.options().into_iter().map(|option| (option.name, option.chosen));
        (self.0.rules().files.clone(), chosen.collect())
    }

    /// Returns a hash of the rules and the files that they include, in hexadecimal: the key `rules`
    /// of records. Options do not change it.
    ///
    /// ```
    /// use ludwright::Game;
    ///
    /// let [small, large] = [3, 5].map(|size| Game::named("kitaran", &[("Size", &size.to_string())]));
    /// assert_eq!(small?.rules_hash(), large?.rules_hash());
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn rules_hash(&self) -> String {
        fingerprint(self.0.rules())
    }

    /// Returns the title.
    ///
    /// ```
    /// assert_eq!(ludwright::Game::from_file("games/kitaran.game", &[])?.title(), "Kitaran");
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn title(&self) -> &str {
        &self.0.rules().title
    }

    /// Lists the players, in the order of the rules.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("games/cicada.game", &[])?;
    /// let names: Vec<&str> = game.players().map(|player| game.name_of(player)).collect();
    /// assert_eq!(names, ["Placer", "Mover"]);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn players(&self) -> impl ExactSizeIterator<Item = Player> + use<> {
        (0..self.0.rules().players.len() as u16).map(|index| Player(PlayerId(index)))
    }

    /// Returns the name of a player.
    ///
    /// # Panics
    /// If the player is of another game with more players.
    ///
    /// See [`players`](Self::players) for an example.
    #[must_use]
    pub fn name_of(&self, player: Player) -> &str {
        crate::notation::player(self.0.rules(), player.0)
    }

    /// Tests if dice are rolled in the game.
    ///
    /// ```
    /// assert!(ludwright::Game::from_file("games/two-dice-swarm.game", &[])?.has_dice());
    /// assert!(!ludwright::Game::from_file("games/kitaran.game", &[])?.has_dice());
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn has_dice(&self) -> bool {
        self.0.decisions().iter().any(|decision| decision.mover.is_none())
    }

    /// Lists the options, in the order of the rules.
    ///
    /// See [`GameOption`] for an example.
    #[must_use]
    pub fn options(&self) -> Vec<GameOption> {
        let option = |option: &crate::language::rules::Choice| GameOption {
            name: option.name.clone(),
            about: option.description.clone(),
            values: option.values.to_vec(),
            default: option.values[option.default].clone(),
            chosen: option.value().to_owned(),
        };
        self.0.rules().options.iter().map(option).collect()
    }

    /// Returns the first position.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("tests/games/breakthrough.game", &[("Size", "4")])?;
    /// assert_eq!(game.start().legal_moves().len(), 6);
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> State {
        let begun = self.0.begin().expect("rules without a first position are not loaded");
        State::new(begun)
    }

    /// Writes a page of HTML on which the game is played, in one file that needs no network.
    /// `module` is this library as a module for browsers, packed by gzip; `src/web/build.sh` in the
    /// sources of the crate builds it. With the feature `cli` only.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("games/kitaran.game", &[("Size", "7")])?;
    /// let module = std::fs::read("target/web/ludwright.wasm.gz").unwrap_or_default();
    /// assert!(game.page(&module).contains("<title>Kitaran</title>"));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn page(&self, module: &[u8]) -> String {
        use crate::desk::{ModulePlace, PlayPage};
        let page = PlayPage {
            game: &self.0,
            examples: &[],
            record: None,
            seats: &[],
            license: None,
            module: ModulePlace::Inside(module),
        };
        page.html()
    }

    /// Compiles the game to machine code now: playouts, counts and searches that start afterwards
    /// become several times faster. Without this call, they compile the game themselves after
    /// running for a while; call it before measuring. Without the feature `native`, it does
    /// nothing.
    ///
    /// ```
    /// let game = ludwright::Game::from_file("tests/games/tic-tac-toe.game", &[])?;
    /// game.compile();
    /// assert_eq!(ludwright::perft::perft(&game.start(), 5), Ok(15_120));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    pub fn compile(&self) {
        self.0.jit_compile();
    }
}

pub(super) fn owned(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let chosen: Vec<(String, String)> =
            self.options().into_iter().map(|option| (option.name, option.chosen)).collect();
        f.debug_struct("Game").field("title", &self.title()).field("options", &chosen).finish()
    }
}
