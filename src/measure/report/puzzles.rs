//! Puzzles: positions of the games that were played in which exactly one of several plies wins, and
//! not at once. The solver knows the value of every ply, so that no other one wins.
//!
//! Positions that a symmetry of the game maps to each other count once. A report gives what the
//! solver finds anew in the position as it is written, without the plies before it.

use super::{Measure, records};
use crate::budget::MemoryBudget;
use crate::engine::game::{Game, State, Turn};
use crate::measure::game_rows::GameRow;
use crate::measure::late_plies::{only_win, valued};
use crate::measure::results::Results;
use crate::notation::{counted, inflected, outcome, spell};
use crate::record::Start;
use crate::solve::{Canonicalizer, Ending, Progress, SolveLimits, tabulate};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The key of the measure.
pub const KEY: &str = "puzzles";
/// The most puzzles of a report.
const TOLD: usize = 3;
/// The most positions for solving one puzzle again, and all puzzles of a report.
const POSITIONS: u64 = 50_000;
const POSITIONS_OF_REPORT: u64 = 100_000;
/// The memory of the solver, in bytes.
const MEMORY: u64 = 64 << 20;

/// A position in which exactly one of several plies wins, with its solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Puzzle {
    /// The position, as `--position` reads it.
    pub position: String,
    /// Who is to move, and wins.
    pub to_move: String,
    /// The only ply that wins.
    pub ply: String,
    /// The plies to the win, this one included.
    pub plies: u32,
    /// The number of legal plies.
    pub legal: u32,
    /// A line of best play to the end.
    pub line: Vec<String>,
    /// The result after it.
    pub result: String,
    /// Whose game it comes from, and its number in the pairing, from 1.
    pub who: String,
    pub game: u64,
    /// The number of the ply in the record of that game, from 1.
    pub number: u32,
    /// Whether the ply was played there.
    pub found: bool,
}

/// A puzzle of a game that is still to be solved again.
struct Candidate<'r> {
    row: &'r GameRow,
    position: State,
    /// The number of plies before it, and to the win.
    made: u32,
    plies: u32,
}

/// The puzzles of some games, the best first.
pub struct Puzzles<'r> {
    results: &'r Results,
    candidates: Vec<Candidate<'r>>,
}

impl<'r> Puzzles<'r> {
    /// Collects the puzzles: those with the longest way to the win first, then those with the most
    /// legal plies, then in the order of the games.
    pub fn of(results: &'r Results, game: &Game) -> Puzzles<'r> {
        let mut candidates: Vec<Candidate<'r>> = Vec::new();
        for row in results.all_rows().filter(|row| !row.puzzles.is_empty()) {
            candidates.extend(positions(results, game, row));
        }
        let mut keys = HashSet::new();
        let first = candidates.first().map(|own| Canonicalizer::new(&own.position, true));
        if let Some(mut canonicalizer) = first {
            let mut memory_budget = MemoryBudget::new(u64::MAX);
            candidates.retain(|own| {
                let position = own.position.position();
                let key = canonicalizer.canonical_key(&position, &mut memory_budget);
                key.is_ok_and(|key| keys.insert(key.to_vec()))
            });
        }
        let legal = |own: &Candidate| own.row.legal.get(own.made as usize).copied();
        candidates.sort_by_key(|own| {
            (Reverse(own.plies), Reverse(legal(own)), own.row.pairing, own.row.game, own.made)
        });
        Puzzles { results, candidates }
    }

    /// Returns the number of different puzzles.
    pub fn count(&self) -> usize {
        self.candidates.len()
    }

    /// Solves the best puzzles again: at most `most`, with about `positions` positions in all.
    pub fn solve(&self, most: usize, positions: u64) -> Vec<Puzzle> {
        let mut left = positions;
        let mut solved = Vec::new();
        for candidate in &self.candidates {
            if solved.len() >= most || left == 0 {
                break;
            }
            solved.extend(candidate.solve(self.results, &mut left));
        }
        solved
    }

    /// Returns the puzzles of a report.
    pub fn told(&self) -> Vec<Puzzle> {
        self.solve(TOLD, POSITIONS_OF_REPORT)
    }

    /// Returns all puzzles that can be solved again.
    pub fn all(&self) -> Vec<Puzzle> {
        self.solve(usize::MAX, self.count() as u64 * POSITIONS)
    }

    /// Computes the measure.
    pub fn measure(&self, told: &[Puzzle]) -> Measure {
        let mut measure = Measure::new(
            KEY,
            "Puzzles",
            "Positions of the games that were examined for blunders in which exactly one of several legal plies wins, and not at once. The solver knows the values of all plies: where all \
             positions of the game were solved, anywhere; elsewhere late in a game, as far as 2,000 positions are enough. Positions that a symmetry maps to each other count once. Those \
             with the longest way to the win are the best.",
        );
        // A note, not a figure: the number is no estimate, and sweeps do not test it.
        let examined = self.results.all_rows().filter(|row| row.late.plies > 0).count() as u64;
        measure.notes.extend((self.count() > 0).then(|| {
            let positions = counted(self.count() as u64, "position");
            format!("{positions} in {} that were examined.", counted(examined, "game"))
        }));
        measure.notes.extend(told.iter().map(Puzzle::text));
        measure
    }
}

/// Returns the positions of a game that are puzzles.
fn positions<'r>(results: &'r Results, game: &Game, row: &'r GameRow) -> Vec<Candidate<'r>> {
    let record = records::record(results, game, row);
    let opening = results.plan.opening.len();
    let Ok(mut position) = record.begin(game) else { return Vec::new() };
    let mut found = Vec::new();
    for index in 0..record.plies.len() {
        let puzzle = row.puzzles.iter().find(|own| own.made as usize + opening == index);
        found.extend(puzzle.map(|own| Candidate {
            row,
            position: position.clone(),
            made: own.made,
            plies: own.plies,
        }));
        if found.len() == row.puzzles.len() || record.play(index, &mut position).is_err() {
            break;
        }
    }
    found
}

impl Candidate<'_> {
    /// Solves the position as it is written; `None` if it is no puzzle without the plies before it,
    /// or takes too many positions.
    fn solve(&self, results: &Results, left: &mut u64) -> Option<Puzzle> {
        let text = Start::write(&self.position);
        let game = self.position.game();
        let rules = game.rules();
        let position = Start::parse(&text).ok()?.begin(game).ok()?;
        if position.hash() != self.position.hash() {
            return None;
        }
        let (Turn::Player(person), Turn::Player(mover)) = (position.team_turn(), position.turn())
        else {
            return None;
        };
        let limits = SolveLimits {
            memory: MEMORY,
            time: None,
            positions: Some(POSITIONS.min(*left)),
            plies: Some(POSITIONS.saturating_mul(position.legal().len() as u64)),
            symmetric: true,
            threads: 1,
            by_numbers: false,
        };
        let (solution, _) = tabulate(&position, &limits, &mut |_: &Progress| true).ok()?;
        *left = left.saturating_sub(solution.nodes.max(1));
        let after = valued(solution.first);
        let (ply, plies) =
            only_win(person, &after).filter(|_| after.len() == position.legal().len())?;
        let Ending::Over(_) = solution.ending else { return None };
        let mut last = position.clone();
        let mut line = Vec::new();
        for ply in &solution.line {
            line.push(spell(rules, ply));
            last.play(ply).ok()?;
        }
        let ply = spell(rules, ply);
        let plan = &results.plan;
        Some(Puzzle {
            position: text,
            to_move: rules.players[mover.index()].name.clone(),
            found: self.row.plies.get(self.made as usize) == Some(&ply),
            ply,
            plies,
            legal: after.len() as u32,
            line,
            result: outcome(rules, last.outcome()),
            who: plan.pairings[self.row.pairing].name(&plan.players),
            game: self.row.game + 1,
            number: self.made + plan.opening.len() as u32 + 1,
        })
    }
}

impl Puzzle {
    /// Says what the puzzle is, without the solution.
    pub fn task(&self) -> String {
        format!("{} wins in {}", self.to_move, counted(self.plies.into(), "ply"))
    }

    /// Says what the puzzle is, with the solution.
    fn text(&self) -> String {
        format!(
            "{} by {} alone, of {} legal {} ({}, game {}, ply {}, {}): {}; {}.",
            self.task(),
            self.ply,
            self.legal,
            inflected(self.legal.into(), "ply"),
            self.who,
            self.game,
            self.number,
            if self.found { "where it was played" } else { "where it was missed" },
            self.line.join(", "),
            self.result
        )
    }

    /// Writes the puzzle as a position with a title, for `--position`.
    pub fn as_position(&self, game: &str) -> String {
        format!("title: {game}: {}.\n{}", self.task(), self.position)
    }

    /// Writes the puzzle with its solution as a rule case.
    pub fn as_case(&self, game: &str) -> String {
        format!(
            "{}count: {}\nplay: {}\nresult: {}\n",
            self.as_position(game),
            self.legal,
            self.line.join(", "),
            self.result
        )
    }
}
