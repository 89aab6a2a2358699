//! Writes and reads whole positions: a diagram, the decision and the memories.
//!
//! A decision is identified by mover, phase and `step`, an index among the decisions that match.
//! Without a `step`, the position is at the beginning of a turn, and the engine runs from there to
//! the first decision ([`Beginning`]).

use super::clause::{endless, line as clause_line};
use super::diagram::{Diagram, read_board, write_board};
use super::memory::{read_memory, write_memories};
use super::spelling::{clip, list, outcome, player};
use crate::compile::program::EntryCode;
use crate::engine::game::{Decision, Game, State};
use crate::engine::position::{Outcome, PlayerSet};
use crate::engine::snapshot::{MemoryValue, Snapshot};
use crate::language::diagram::CUT;
use crate::language::quantities::counted;
use crate::language::rules::{MemoryId, Rules};

/// A line of text with its number, from 1.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    pub number: usize,
    pub text: &'t str,
}

impl<'t> Line<'t> {
    /// Splits a text into lines.
    pub fn split(text: &'t str) -> Vec<Line<'t>> {
        text.lines().zip(1..).map(|(text, number)| Line { number, text }).collect()
    }

    /// Returns the line without its comment and surrounding blanks.
    pub fn content(&self) -> &'t str {
        self.text.split('#').next().unwrap_or("").trim()
    }

    /// Tests if the line is empty apart from a comment.
    pub fn is_blank(&self) -> bool {
        self.content().is_empty()
    }

    /// Splits a line `key: value`.
    pub fn entry(&self) -> Option<(&'t str, &'t str)> {
        let (key, value) = self.content().split_once(':')?;
        Some((key.trim(), value.trim()))
    }
}

/// A line that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The line's number, from 1.
    pub line: usize,
    pub message: String,
}

impl Misread {
    /// Creates the error for a line.
    pub fn new(line: usize, message: impl Into<String>) -> Misread {
        Misread { line, message: message.into() }
    }
}

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for Misread {}

/// Everything that determines how a game can continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    pub snapshot: Snapshot,
    /// Index of the game's decision; `None` when the game is over.
    pub decision: Option<usize>,
    /// The remaining iterations of each loop around the decision, including the current one,
    /// outermost loop first.
    pub counters: Vec<i32>,
    /// The turn that begins here, if the text does not identify a ply of it. `decision` is then the
    /// first match inside the turn, and the order of play may lead to another one.
    pub beginning: Option<Beginning>,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
}

/// The turn or phase that begins at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// Index of the program's entry.
    pub entry: usize,
    /// Whether the rolls before the player's ply have been made.
    pub rolled: bool,
    /// The number of turns and phases that match the text; this is the first of them.
    pub fitting: usize,
}

impl PositionText {
    /// Captures the position of a match.
    pub fn of(position: &State) -> PositionText {
        let (rules, mut snapshot) = (position.game().rules(), position.snapshot());
        // Notes about a ply that is being made are no part of a position. A move that ends the game
        // leaves them behind.
        for (index, values) in snapshot.memories.iter_mut().enumerate() {
            if rules.notes_ply(MemoryId(index as u16)) {
                values.fill(MemoryValue::Condition(false));
            }
        }
        PositionText {
            snapshot,
            decision: position.decision(),
            counters: position.counters(),
            beginning: None,
            outcome: position.outcome(),
        }
    }

    /// Writes the position in the form that [`PositionText::read`] reads.
    pub fn write(&self, game: &Game) -> String {
        let rules = game.rules();
        let mut text = write_board(rules, &self.snapshot.pieces, &self.snapshot.cut);
        let mut line = |key: &str, value: &str| {
            let separator = if value.is_empty() { "" } else { " " };
            text.push_str(&format!("{key}:{separator}{value}\n"));
        };
        if let Some((index, decision)) =
            self.decision.and_then(|index| Some((index, game.decisions().get(index)?)))
        {
            let said = Wanted {
                mover: Some(mover(rules, decision)),
                phase: decision.phase.as_deref(),
                step: None,
            };
            line("to move", mover(rules, decision));
            if let Some(phase) = said.phase {
                line("phase", phase);
            }
            // The step counts all decisions that match mover and phase; without a phase line,
            // decisions of every phase.
            let before =
                said.fitting(game).iter().position(|&fitting| fitting == index).unwrap_or(0);
            let is_clear = before == 0
                && (!self.counters.is_empty() || self.is_at_beginning(game, &said, index));
            if !is_clear {
                line("step", &(before + 1).to_string());
            }
            if !self.counters.is_empty() {
                let left: Vec<String> = self.counters.iter().map(i32::to_string).collect();
                line("left", &left.join(" "));
            }
        }
        for memory in write_memories(rules, &self.snapshot) {
            line(&memory.name, &memory.value);
        }
        if self.outcome.is_some() {
            line("result", &outcome(rules, self.outcome));
        }
        text
    }

    /// Reads a position from the beginning of `lines`, and returns the number of lines that it
    /// takes.
    ///
    /// Memories that are not mentioned have their values at the game's start, except that sets of
    /// sites and values per site are empty, and the time for a swap is over.
    ///
    /// # Errors
    /// Names the line that does not fit the game.
    pub fn read(game: &Game, lines: &[Line]) -> Result<(PositionText, usize), Misread> {
        let rules = game.rules();
        let (Diagram { pieces, cut }, mut used) = read_board(rules, lines)?;
        if !cut.is_empty() && game.program().layout.cut.is_none() {
            let rows = rules.board.rows_top_down();
            let mut drawn = lines[..used].iter().filter(|line| !line.is_blank()).zip(&rows);
            let holds = |line: &Line, sites: usize| {
                line.text.split_whitespace().skip(1).take(sites).any(|word| word.contains(CUT))
            };
            let line = drawn
                .find(|(line, (_, sites))| holds(line, sites.len()))
                .map_or(1, |(line, _)| line.number);
            return Err(Misread::new(
                line,
                format!("`{CUT}` is not allowed: this game cuts no sites out of its board"),
            ));
        }
        let memories = initial(game);
        let mut snapshot = Snapshot { pieces, cut, memories };
        let mut wanted = Wanted::default();
        let mut counters = None;
        let mut over = None;
        let mut last = lines.get(used.saturating_sub(1)).map_or(1, |line| line.number);
        while let Some(line) = lines.get(used) {
            if !line.is_blank() {
                let Some((key, value)) = line.entry() else { break };
                match key {
                    "to move" => wanted.mover = Some(value),
                    "phase" => wanted.phase = Some(value),
                    "step" => wanted.step = Some(number(line, value, 1)? as usize),
                    "left" => {
                        let numbers = value.split([' ', '\t', ',']).filter(|word| !word.is_empty());
                        counters = Some((
                            line.number,
                            numbers
                                .map(|word| number(line, word, 0))
                                .collect::<Result<Vec<i32>, Misread>>()?,
                        ));
                    }
                    "result" => {
                        over = Some(
                            result(rules, value)
                                .map_err(|message| Misread::new(line.number, message))?,
                        )
                    }
                    _ => match read_memory(rules, &mut snapshot, key, value) {
                        None => break,
                        Some(Ok(_)) => {}
                        Some(Err(message)) => return Err(Misread::new(line.number, message)),
                    },
                }
                last = line.number;
            }
            used += 1;
        }
        if over.is_some() {
            let counters = Vec::new();
            return Ok((
                PositionText { snapshot, decision: None, counters, beginning: None, outcome: over },
                used,
            ));
        }
        let decision = wanted.find(game).map_err(|message| Misread::new(last, message))?;
        let beginning =
            (wanted.step.is_none() && counters.is_none()).then(|| wanted.beginning(game, decision));
        let expected = game.decisions()[decision].counters;
        let counters = match counters {
            None => vec![1; expected],
            Some((_, counters)) if counters.len() == expected => counters,
            Some((line, counters)) => {
                let message = format!(
                    "expected {} after `left:` for this decision, found {}",
                    counted(expected as u64, "number"),
                    counters.len()
                );
                return Err(Misread::new(line, message));
            }
        };
        Ok((
            PositionText { snapshot, decision: Some(decision), counters, beginning, outcome: None },
            used,
        ))
    }

    /// Reads a position that takes up all of the lines.
    ///
    /// # Errors
    /// Names the line that does not fit the game or is not part of a position.
    pub fn read_whole(game: &Game, lines: &[Line]) -> Result<PositionText, Misread> {
        let (position, used) = PositionText::read(game, lines)?;
        let Some(line) = lines[used..].iter().find(|line| !line.is_blank()) else {
            return Ok(position);
        };
        let mut known =
            ["to move", "phase", "step", "left", "result"].map(|key| format!("`{key}:`")).to_vec();
        known.extend(
            write_memories(game.rules(), &position.snapshot)
                .into_iter()
                .map(|memory| format!("`{}:`", memory.name)),
        );
        Err(Misread::new(
            line.number,
            format!("expected {}, found `{}`", list(&known, "or"), clip(line.content())),
        ))
    }

    /// Starts a match at the position.
    ///
    /// # Errors
    /// Fails if no player is to move or the rules do not terminate.
    pub fn begin(&self, game: &Game) -> Result<State, String> {
        if let Some(outcome) = self.outcome {
            return game
                .over_at(&self.snapshot, outcome)
                .map_err(|fault| endless(game.rules(), &fault));
        }
        let decision = self.decision.ok_or("no player is to move in this position")?;
        if let Some(Beginning { entry, rolled, .. }) = self.beginning {
            return game
                .begin_turn(&self.snapshot, entry, rolled)
                .map_err(|fault| endless(game.rules(), &fault));
        }
        game.begin_at(&self.snapshot, decision, &self.counters)
            .map_err(|fault| endless(game.rules(), &fault))
    }
}

impl PositionText {
    /// Tests if the turn around a decision, begun at this position, leads straight to it, so that
    /// the text needs no `step`.
    fn is_at_beginning(&self, game: &Game, said: &Wanted, decision: usize) -> bool {
        let Beginning { entry, rolled, .. } = said.beginning(game, decision);
        game.begin_turn(&self.snapshot, entry, rolled)
            .is_ok_and(|begun| PositionText::of(&begun) == *self)
    }

    /// Describes the ply that was assumed, if the text matches several turns. `begun` is the match
    /// returned by [`PositionText::begin`].
    pub fn assumption(&self, begun: &State) -> Option<String> {
        let game = begun.game();
        let Beginning { fitting: 2.., .. } = self.beginning? else { return None };
        let index = begun.decision()?;
        let decision = &game.decisions()[index];
        let mover = mover(game.rules(), decision);
        let said = Wanted { mover: Some(mover), phase: decision.phase.as_deref(), step: None };
        let step = 1 + said.fitting(game).iter().position(|&fitting| fitting == index)?;
        let phase =
            decision.phase.as_ref().map(|phase| format!("phase: {phase}, ")).unwrap_or_default();
        let place = clause_line(game.rules(), game.program().decisions[index].span);
        Some(format!("to move: {mover}, {phase}step: {step} ({place})"))
    }
}

/// Returns the memories at the game's start, with sets of sites and values per site cleared.
fn initial(game: &Game) -> Vec<Vec<MemoryValue>> {
    let snapshot = match game.begin() {
        Ok(start) => start.snapshot(),
        Err(_) => Snapshot::empty(game.rules()),
    };
    let mut memories = snapshot.memories;
    if let Some(pie) = game.rules().pie {
        memories[pie.swappable.index()].fill(MemoryValue::Condition(false));
    }
    for memory_value in memories.iter_mut().flatten() {
        match memory_value {
            MemoryValue::Sites(sites) => sites.clear(),
            MemoryValue::NumberPerSite(numbers) => numbers.fill(0),
            MemoryValue::SitePerSite(sites) => sites.fill(None),
            MemoryValue::KindPerSite(kinds) => kinds.fill(None),
            MemoryValue::DirectionPerSite(directions) => directions.fill(None),
            MemoryValue::Number(_)
            | MemoryValue::Site(_)
            | MemoryValue::Player(_)
            | MemoryValue::Kind(_)
            | MemoryValue::Direction(_)
            | MemoryValue::Condition(_) => {}
        }
    }
    memories
}

fn result(rules: &Rules, value: &str) -> Result<Outcome, String> {
    let wins = rules.teams.numbers().map(|team| Outcome::Win(rules.teams.first(team)));
    // If players can drop out, a draw is shared by the remaining ones.
    let everyone = (1u16 << rules.players.len()) - 1;
    let sets = (1..=everyone).rev().map(|set| Outcome::Shared(PlayerSet(set as u8)));
    let draws: Vec<Outcome> = match rules.drop_outs {
        Some(_) => sets.collect(),
        None => vec![Outcome::Draw],
    };
    let spelled = |over: Outcome| outcome(rules, Some(over));
    if let Some(over) = wins.clone().chain(draws).find(|&over| spelled(over) == value) {
        return Ok(over);
    }
    let mut known: Vec<String> =
        wins.chain([Outcome::Draw]).map(|over| format!("`{}`", spelled(over))).collect();
    known.extend(rules.drop_outs.map(|_| "`draw of NAME and NAME`".to_owned()));
    Err(format!("expected {}, found `{}`", list(&known, "or"), clip(value)))
}

fn number(line: &Line, word: &str, least: i32) -> Result<i32, Misread> {
    match word.parse() {
        Ok(number) if number >= least => Ok(number),
        _ => Err(Misread::new(
            line.number,
            format!("expected a number of {least} or more, found `{}`", clip(word)),
        )),
    }
}

fn mover<'r>(rules: &'r Rules, decision: &Decision) -> &'r str {
    decision.mover.map_or("chance", |mover| player(rules, mover))
}

/// The identification of a decision in a text.
#[derive(Default)]
struct Wanted<'t> {
    mover: Option<&'t str>,
    phase: Option<&'t str>,
    step: Option<usize>,
}

impl Wanted<'_> {
    /// Lists the decisions with the wanted mover and phase, in the order of play. Decisions that
    /// offer a swap come last, since they occur once in a game.
    fn fitting(&self, game: &Game) -> Vec<usize> {
        let rules = game.rules();
        let fits = |decision: &Decision| {
            self.mover.is_none_or(|wanted| wanted == mover(rules, decision))
                && self.phase.is_none_or(|wanted| decision.phase.as_deref() == Some(wanted))
        };
        let swaps = |&index: &usize| {
            let moves = &game.program().decisions[index].moves;
            rules.pie.is_some_and(|pie| moves.contains(&pie.swap))
        };
        let mut fitting: Vec<usize> =
            (0..game.decisions().len()).filter(|&index| fits(&game.decisions()[index])).collect();
        fitting.sort_by_key(swaps);
        fitting
    }

    /// Finds the innermost entry around a decision: its turn, or the phase that the text names.
    fn innermost(&self, game: &Game, decision: usize) -> usize {
        let is_meant = |entry: &EntryCode| {
            entry.decisions.contains(&decision)
                && (entry.phase.is_none() || entry.phase.as_deref() == self.phase)
        };
        // Inner entries come after outer ones; the first is the whole order of play.
        game.program().entries.iter().rposition(is_meant).unwrap_or(0)
    }

    /// Returns the beginning of the turn around a decision.
    fn beginning(&self, game: &Game, decision: usize) -> Beginning {
        let mut fitting: Vec<usize> =
            self.fitting(game).into_iter().map(|other| self.innermost(game, other)).collect();
        fitting.sort_unstable();
        fitting.dedup();
        // If the text names a player as the mover, the rolls before that ply are already made.
        let rolled = self.mover.is_some() && game.decisions()[decision].mover.is_some();
        Beginning { entry: self.innermost(game, decision), rolled, fitting: fitting.len() }
    }

    /// Finds the first matching decision, or the one with the wanted step.
    fn find(&self, game: &Game) -> Result<usize, String> {
        let rules = game.rules();
        if let Some(&index) = self.fitting(game).get(self.step.unwrap_or(1) - 1) {
            return Ok(index);
        }
        let mut said: Vec<String> = Vec::new();
        let entries = [
            ("to move", self.mover.map(clip)),
            ("phase", self.phase.map(clip)),
            ("step", self.step.map(|step| step.to_string())),
        ];
        for (key, value) in entries {
            said.extend(value.map(|value| format!("`{key}: {value}`")));
        }
        let mut known: Vec<String> = Vec::new();
        for decision in game.decisions() {
            let phase =
                decision.phase.as_ref().map(|phase| format!(" in {phase}")).unwrap_or_default();
            let one = format!("{}{phase}", mover(rules, decision));
            if !known.contains(&one) {
                known.push(one);
            }
        }
        Err(format!(
            "no ply of this game matches {}; its plies belong to {}",
            list(&said, "and"),
            list(&known, "and")
        ))
    }
}
