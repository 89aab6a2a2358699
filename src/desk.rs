//! A desk: a text that is being written and a game that is being played under it, as a page in the
//! browser shows them.
//!
//! The server of the studio has a desk for each tab; the module for browsers (`web`) has one. Both
//! answer the page by the same [`requests`].
//!
//! - `describe`: the game as the page shows it. `findings`: the text as the page shows it.
//!   [`offsets`]: places in texts, as pages count.
//! - `identity`: which rules an answer is about. `exchange`: records, positions and codes.
//!   [`Bundle`]: the files of a game as one text. [`PlayPage`]: a page that plays, as one file.
//! - [`thoughts`]: what computer players find out, as the page shows it.
//! - [`requests`]: what a page can ask about a desk and do at it. [`commands`]: the actions of the
//!   page that a search finds by name.

mod bundle;
pub mod commands;
mod describe;
mod draft;
mod exchange;
mod findings;
mod identity;
pub mod jobs;
pub mod offsets;
mod page;
pub mod requests;
pub mod thoughts;

pub use bundle::{Bundle, base_of};
pub use describe::{describe_board, describe_case};
pub use draft::{Draft, Origin};
pub use identity::identity;
pub use page::{MODULE_MARK, MODULE_NAME, ModulePlace, PLAY_WORKER, PlayPage, module_script};

use crate::editor::CheckedSources;
use crate::editor::rename::texts::Renamed;
use crate::engine::game::{Game, Move, State};
use crate::language::check;
use crate::language::finding::Finding;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::notation::grouped;
use crate::play::reseated;
use crate::play::variations::{Run, Variations, next_seed};
use crate::record::Stopped;
use crate::search::PlayerKind;
use offsets::Offsets;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// Where a desk finds the files that its text names.
pub trait Files {
    /// Gathers a game whose own file has this text, with the files that it names.
    fn gather(&self, origin: &Origin, text: &str) -> Sources;
}

/// A game with more plies than this is replayed under edited rules only after the edit is answered.
const LONG: usize = 20;
/// The most legal moves that are listed, for choosing, for explanations and for programs. Longer
/// lists took gigabytes and minutes.
const MAX_MOVES: u64 = 250_000;

/// Why a game with errors in its rules does not go on.
const UNPLAYABLE: &str = "the rules cannot be played yet; mend the errors first";

/// The previous game, if the current one was begun with another start or other options.
struct Earlier {
    variations: Variations,
    options: Vec<(String, String)>,
    study: Arc<CheckedSources>,
    game: Game,
}

/// A text with its findings, and the game that is played under it.
pub struct Desk {
    pub draft: Draft,
    /// Counts the changes of the text, as the page does.
    pub revision: u64,
    /// Counts how often the text was checked.
    pub checks: u64,
    /// Counts the changes of the position, so that late answers of programs are dropped; see
    /// [`Desk::is_at`].
    pub turn: u64,
    /// The current text with the files that it names, checked.
    pub study: Arc<CheckedSources>,
    /// Findings of a short trial of the game, for the current revision of the text.
    pub observed: Vec<Finding>,
    /// The current rules, or the last rules without errors.
    pub game: Option<Game>,
    pub run: Option<Run>,
    /// Why the game stopped before the wanted ply.
    pub halt: Option<Stopped>,
    /// Whether computer players wait until a person makes a ply.
    pub paused: bool,
    /// Whether a program is choosing a ply.
    pub is_thinking: bool,
    /// Whether the page wants to see winning chances.
    pub evaluates: bool,
    /// Newer rules under which a long game is being played again; see [`Desk::settle`].
    pub pending: Option<Game>,
    /// Whether a thread is replaying the game under [`Desk::pending`].
    pub is_replaying: bool,
    /// The previous game, if the current one has another start or other options.
    earlier: Option<Earlier>,
    /// The nodes of lines that the page only looks at; see [`Desk::follow`].
    lent: Option<Range<usize>>,
    /// A value of [`Desk::turn`], and whether its position has more than [`MAX_MOVES`] moves.
    crowded: Cell<Option<(u64, bool)>>,
    /// Why rules that pass the checker cannot be played.
    uncompiled: Option<Finding>,
}

impl Desk {
    /// Makes a desk for a draft.
    pub fn new(draft: Draft, files: &dyn Files) -> Desk {
        let study = Arc::new(CheckedSources::of(Sources::named("", "")));
        let mut desk = Desk {
            draft,
            revision: 0,
            checks: 0,
            turn: 0,
            study,
            observed: Vec::new(),
            game: None,
            run: None,
            halt: None,
            paused: false,
            is_thinking: false,
            evaluates: false,
            pending: None,
            is_replaying: false,
            earlier: None,
            crowded: Cell::new(None),
            lent: None,
            uncompiled: None,
        };
        desk.check(files);
        desk
    }

    /// Replaces the text and the options.
    pub fn edit(
        &mut self,
        text: String,
        options: Option<Vec<(String, String)>>,
        files: &dyn Files,
    ) {
        if text == self.draft.text && options.is_none() {
            return;
        }
        self.draft.text = text;
        if let Some(options) = options {
            self.draft.options = options;
        }
        self.check(files);
    }

    /// Checks the text, and goes on with the game if it can be played.
    pub fn check(&mut self, files: &dyn Files) {
        self.checks += 1;
        self.observed.clear();
        self.uncompiled = None;
        self.pending = None;
        let sources = files.gather(&self.draft.origin, &self.draft.text);
        let mut checked = check(&sources, &self.draft.options);
        if !checked.choice_faults.is_empty() {
            self.drop_unfit_options(&sources);
            checked = check(&sources, &self.draft.options);
        }
        let rules = checked.rules.clone();
        self.study = Arc::new(CheckedSources { sources, checked });
        let Some(rules) = rules else { return };
        let compiled = Game::compile(rules);
        if let (Some(before), Ok(after)) = (&self.game, &compiled)
            && let Some(renamed) = Renamed::between(before, after)
        {
            self.draft.rename(&renamed);
        }
        match compiled {
            // Findings are answered before a long game is replayed.
            Ok(game) if self.run.is_some() && self.draft.variations.length() > LONG => {
                self.pending = Some(game);
            }
            Ok(game) => self.go_on_under(game),
            Err(finding) => self.uncompiled = Some(finding),
        }
    }

    /// Replays the current game under these rules.
    fn go_on_under(&mut self, game: Game) {
        let played = self.draft.variations.run(&game);
        self.go_on(game, played);
    }

    /// Replays the current game under the pending rules, if there are any.
    pub fn settle(&mut self) {
        if let Some(game) = self.pending.take() {
            self.go_on_under(game);
        }
    }

    /// Replaces the game by its replay under these rules.
    pub fn go_on(&mut self, game: Game, played: Result<(Run, Option<Stopped>), Stopped>) {
        self.pending = None;
        match played {
            Ok((run, halt)) => {
                (self.run, self.halt) = (Some(run), halt);
                self.turn += 1;
                self.draft.seats = reseated(&self.draft.seats, game.rules());
                self.game = Some(game);
            }
            Err(stopped) => {
                self.halt = Some(Stopped { text: "the start".to_owned(), ..stopped });
            }
        }
    }

    /// Tests if the position of a turn is still the current one, under the current rules.
    pub fn is_at(&self, turn: u64) -> bool {
        self.turn == turn && self.pending.is_none()
    }

    /// Removes options that the game does not have, and options whose value it does not have.
    fn drop_unfit_options(&mut self, sources: &Sources) {
        let fits = |option: &(String, String)| {
            check(sources, std::slice::from_ref(option)).choice_faults.is_empty()
        };
        self.draft.options.retain(fits);
    }

    /// Returns the rules that are played.
    pub fn rules(&self) -> Option<&Rules> {
        self.game.as_ref().map(Game::rules)
    }

    /// Tests if the current text cannot be played.
    pub fn is_faulty(&self) -> bool {
        self.study.checked.rules.is_none() || self.uncompiled.is_some()
    }

    /// Lists the findings about the current text.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.study.checked.findings.clone();
        findings.extend(self.uncompiled.clone());
        let is_new = |new: &&Finding| {
            !findings.iter().any(|known| known.code == new.code && known.span == new.span)
        };
        let observed: Vec<Finding> = self.observed.iter().filter(is_new).cloned().collect();
        findings.extend(observed);
        findings
    }

    /// Returns the offsets of the current text.
    pub fn offsets(&self) -> Offsets {
        Offsets::new(self.study.sources.text_of(0))
    }

    /// Returns the current game and its plies.
    ///
    /// # Errors
    /// Says why the rules cannot be played.
    pub fn run(&mut self) -> Result<(&mut Run, &mut Variations), String> {
        match &mut self.run {
            Some(run) => Ok((run, &mut self.draft.variations)),
            None => Err(UNPLAYABLE.to_owned()),
        }
    }

    /// Tests if the current position has more legal moves than can be listed.
    pub fn is_crowded(&self) -> bool {
        let Some(run) = &self.run else { return false };
        match self.crowded.get() {
            Some((turn, crowded)) if turn == self.turn => crowded,
            _ => {
                let count = run.state.game().perft(&run.state, 1);
                let crowded = count.is_ok_and(|count| count > MAX_MOVES);
                self.crowded.set(Some((self.turn, crowded)));
                crowded
            }
        }
    }

    /// Refuses a request that needs the list of moves, if there are too many.
    ///
    /// # Errors
    /// If the position is crowded ([`Desk::is_crowded`]).
    pub fn listable(&self) -> Result<(), String> {
        match self.is_crowded() {
            true => Err(format!(
                "this position has more than {} legal moves, too many to choose from",
                grouped(MAX_MOVES)
            )),
            false => Ok(()),
        }
    }

    /// Plays a ply; `seat` names the program that chose it, if one did.
    ///
    /// # Errors
    /// Says why it is not played.
    pub fn play(&mut self, ply: &Move, seat: Option<String>) -> Result<(), String> {
        let is_program = seat.is_some();
        self.turn += 1;
        let (run, variations) = self.run()?;
        variations.play(run, ply, seat)?;
        self.halt = None;
        self.paused &= is_program;
        Ok(())
    }

    /// Plays a line from the start, beside the plies played before, and goes to its ply number
    /// `at`. [`Desk::leave_line`] removes the line again.
    ///
    /// # Errors
    /// Says which ply is not legal; then the position is as it was.
    pub fn follow(&mut self, line: &[&str], at: usize) -> Result<(), String> {
        let before = self.draft.variations.wanted;
        let known = self.draft.variations.nodes.len();
        self.go_to(0)?;
        let (run, variations) = self.run()?;
        let followed = variations.follow(run, line);
        let count = variations.nodes.len();
        let first =
            self.lent.take().filter(|lent| lent.end == known).map_or(known, |lent| lent.start);
        self.lent = Some(first..count);
        let (run, _) = self.run()?;
        let node = run.path.get(at.wrapping_sub(1)).copied().unwrap_or(0);
        if let Err(stopped) = followed {
            self.go_to(before)?;
            let (ply, reason) = (stopped.ply, String::from(stopped));
            return Err(format!("ply {ply} of this line is not legal here: {reason}"));
        }
        self.go_to(node)
    }

    /// Goes from a line that [`Desk::follow`] played to another node. The plies of the line leave
    /// the list, unless other plies follow them.
    ///
    /// # Errors
    /// As [`Desk::go_to`].
    pub fn leave_line(&mut self, node: usize) -> Result<(), String> {
        self.go_to(node)?;
        let lent = self.lent.take().filter(|lent| lent.end == self.draft.variations.nodes.len());
        if let Some(lent) = lent.filter(|lent| node < lent.start) {
            self.draft.variations.cut(lent.start);
        }
        Ok(())
    }

    /// Makes the rolls that are due.
    ///
    /// # Errors
    /// Says why one of them is not made.
    pub fn roll(&mut self) -> Result<(), String> {
        self.turn += 1;
        let (run, variations) = self.run()?;
        Ok(variations.roll(run)?)
    }

    /// Goes to a node of the tree.
    ///
    /// # Errors
    /// If there is no such ply, or the rules do not allow one before it.
    pub fn go_to(&mut self, node: usize) -> Result<(), String> {
        let (run, variations) = self.run()?;
        if node >= variations.nodes.len() {
            return Err("there is no such ply".to_owned());
        }
        let gone = variations.go_to(run, node);
        self.moved(gone.err());
        Ok(())
    }

    /// Notes a change of the position: computer players pause, and `halt` says why replaying
    /// stopped.
    fn moved(&mut self, halt: Option<Stopped>) {
        self.turn += 1;
        self.paused = true;
        self.halt = halt;
    }

    /// Takes back the last ply of a person, with the rolls and the plies of programs after it; at
    /// the start of a game, goes back to the previous game.
    ///
    /// # Errors
    /// If there is nothing to take back.
    pub fn undo(&mut self) -> Result<(), String> {
        let run = self.run.as_ref().ok_or(UNPLAYABLE)?;
        let own = run.plies_before_own(|position| is_programs_turn(&self.draft.seats, position));
        let node = own.and_then(|plies| plies.checked_sub(1)).map_or(0, |ply| run.path[ply]);
        let is_played = !run.path.is_empty();
        if own.is_none() {
            if let Some(left) = self.draft.variations.go_back() {
                return self.go_to(left);
            }
            if let Some(earlier) = self.earlier.take() {
                self.go_back_to(earlier);
                return Ok(());
            }
        }
        if !is_played {
            return Err("there is nothing to take back".to_owned());
        }
        self.go_to(node)
    }

    /// Removes a ply and all plies that follow it from the list; if one of them is shown, goes to
    /// the ply before the removed one.
    ///
    /// # Errors
    /// If there is no such ply.
    pub fn remove(&mut self, node: usize) -> Result<(), String> {
        let shown = self.draft.variations.wanted;
        self.draft.variations.remove(node)?;
        match self.draft.variations.wanted {
            wanted if wanted == shown => Ok(()),
            wanted => self.go_to(wanted),
        }
    }

    /// Redoes the ply that was taken back last, with the rolls and the plies of programs after it.
    ///
    /// # Errors
    /// If no ply was taken back.
    pub fn redo(&mut self) -> Result<(), String> {
        let run = self.run.as_mut().ok_or(UNPLAYABLE)?;
        let Draft { variations, seats, .. } = &mut self.draft;
        match variations.redo(run, |position| is_programs_turn(seats, position)) {
            Ok(false) => Err("there is nothing to play again".to_owned()),
            redone => {
                self.moved(redone.err());
                Ok(())
            }
        }
    }

    /// Begins a new game under the current rules. The plies of the previous game stay.
    ///
    /// # Errors
    /// If the rules cannot be played.
    pub fn restart(&mut self) -> Result<(), String> {
        let game = self.game.clone().ok_or("the rules cannot be played yet")?;
        self.draft.variations.begin_again();
        self.let_programs_begin();
        self.go_on_under(game);
        Ok(())
    }

    /// Begins a new game with these options.
    ///
    /// # Errors
    /// If the rules cannot be played.
    pub fn restart_with(
        &mut self,
        options: Vec<(String, String)>,
        files: &dyn Files,
    ) -> Result<(), String> {
        self.begin(self.fresh(), options, files)
    }

    /// Begins a game that was played elsewhere, with these options.
    fn begin(
        &mut self,
        variations: Variations,
        options: Vec<(String, String)>,
        files: &dyn Files,
    ) -> Result<(), String> {
        let game = self.game.clone().ok_or("the rules cannot be played yet")?;
        self.replace(variations, &game);
        self.draft.options = options;
        self.check(files);
        self.settle();
        Ok(())
    }

    fn fresh(&self) -> Variations {
        Variations::new(next_seed(self.draft.variations.seed))
    }

    /// Replaces the plies, and keeps the previous ones as the earlier game, unless there are none.
    fn replace(&mut self, variations: Variations, game: &Game) {
        let before = std::mem::replace(&mut self.draft.variations, variations);
        if before.nodes.len() > 1 || !before.start.is_empty() {
            self.earlier = Some(Earlier {
                variations: before,
                options: self.draft.options.clone(),
                study: Arc::clone(&self.study),
                game: game.clone(),
            });
        }
        self.let_programs_begin();
    }

    /// Clears the halt. Computer players stay paused only if a person plays: the pause, after a
    /// person has taken back plies, belongs to the previous game.
    fn let_programs_begin(&mut self) {
        self.halt = None;
        self.paused &= !has_person(&self.draft.seats);
    }

    fn go_back_to(&mut self, earlier: Earlier) {
        let Earlier { variations, options, study, game } = earlier;
        self.draft.variations = variations;
        self.draft.options = options;
        // If the text has changed since, its rules are played after their next check.
        if study.sources.text() == self.study.sources.text() {
            self.study = study;
        }
        self.checks += 1;
        self.halt = None;
        self.paused = true;
        self.go_on_under(game);
    }

    /// Tests if there is a previous game, which [`Desk::undo`] restores at the start of this one.
    pub fn has_before(&self) -> bool {
        self.draft.variations.has_left() || self.earlier.is_some()
    }

    /// Returns the program that must choose a ply; `None` if a person is to move, or programs wait.
    pub fn due(&self) -> Option<PlayerKind> {
        let run = self.run.as_ref()?;
        let waits = self.paused || self.halt.is_some() || self.is_faulty();
        if waits || self.pending.is_some() || self.is_crowded() {
            return None;
        }
        program(&self.draft.seats, &run.state)
    }
}

/// Returns who plays the player of this name.
pub fn kind_of(seats: &[(String, PlayerKind)], name: &str) -> PlayerKind {
    seats.iter().find(|(known, _)| known == name).map_or(PlayerKind::Human, |(_, kind)| *kind)
}

/// Returns the program that plays the player to act; `None` if it is a person.
fn program(seats: &[(String, PlayerKind)], position: &State) -> Option<PlayerKind> {
    let mover = position.personal_turn().player()?;
    let player = &position.game().rules().players[mover.index()];
    Some(kind_of(seats, &player.name)).filter(|kind| *kind != PlayerKind::Human)
}

/// Tests if a person plays.
fn has_person(seats: &[(String, PlayerKind)]) -> bool {
    seats.iter().any(|(_, kind)| *kind == PlayerKind::Human)
}

/// Tests if a program is to move and a person plays too: undo and redo skip the program's plies.
fn is_programs_turn(seats: &[(String, PlayerKind)], position: &State) -> bool {
    has_person(seats) && program(seats, position).is_some()
}
