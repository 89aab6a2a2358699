//! Solves the game, or else the largest of its smaller boards that can be solved, before any game
//! is played.
//!
//! The work is limited by a number of positions, and of plies where later positions have far more
//! than the first. It is not limited by a clock, so that a plan finds the same on every computer. A
//! quarter explores the positions of the game, a quarter is for proof search, and the rest is for
//! smaller boards, the smallest first. On the largest solved board, players of each strength then
//! play each other: where they favour another side than best play does, their games on the whole
//! board say as little.

use super::game_rows::{BoardGames, Effort, ExactValue, SolvedBoard, SolvedPly};
use super::plan::Plan;
use super::play::{CAP, MAX_OPENINGS, MEMORY, Stopped, last_site};
use crate::engine::game::{Game, State, Turn};
use crate::engine::position::Outcome;
use crate::language::board_sizes::{Choices, smaller_boards};
use crate::load::load;
use crate::notation::spell;
use crate::random::mix;
use crate::search::{Mcts, Player, PlayerKind, roll_with};
use crate::solve::{
    POSITIONS_BETWEEN_CHECKS, Progress, Solution, SolveLimits, Table, Value, prove, tabulate,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The memory of the solver, in bytes.
const SOLVER_MEMORY: u64 = 256 << 20;
/// The memory of proof search, whose table is allocated at once, in bytes.
const PROVER_MEMORY: u64 = 64 << 20;
/// Divides the number of positions for games with dice, whose values take many rounds.
const DICE: u64 = 8;
/// A position counts as one with up to `USUAL_PLIES` plies plus `MORE_PLIES` times the plies of the
/// first position of its board, on average; with more plies it counts as several.
const USUAL_PLIES: u64 = 8;
const MORE_PLIES: u64 = 2;
/// The most smaller boards that are tried.
const MAX_BOARDS: usize = 12;
/// The most games of each strength on the smaller board.
const MAX_GAMES: u64 = 40;
/// The iterations of the games on the smaller board, per position of the solver's limit.
const ITERATIONS: u64 = 2;

/// The result of exploring the positions of the game.
pub struct Exploration {
    solution: Option<Solution>,
    /// The values of all positions, if all were explored.
    pub table: Option<Mutex<Table>>,
}

/// Explores the positions of the game, as far as a quarter of the work allows.
pub fn explore(plan: &Plan, start: &State, stop: &AtomicBool) -> Exploration {
    let work = work(plan, start);
    let solver = BoardSolver { left: work, effort: Effort::default(), stop };
    let limits = solver.limits(start, work / 4, SOLVER_MEMORY);
    let found = tabulate(start, &limits, &mut |_: &Progress| !stop.load(Ordering::Relaxed));
    let Ok((solution, table)) = found else { return Exploration { solution: None, table: None } };
    // Where the value of the first position is not known, the values of others say little.
    let is_known = !matches!(solution.value, Value::Unknown(_));
    Exploration { solution: Some(solution), table: table.filter(|_| is_known).map(Mutex::new) }
}

/// Returns the most positions for solving.
fn work(plan: &Plan, start: &State) -> u64 {
    let has_dice = start.game().decisions().iter().any(|decision| decision.mover.is_none());
    if has_dice { plan.exact / DICE } else { plan.exact }
}

/// Solves the game, which is then the only board, or as many of its smaller boards as the positions
/// are enough for, the largest last. Empty if none can be solved. Also returns the work.
///
/// # Errors
/// Returns [`Stopped`] if `stop` was set.
pub fn solve_boards(
    plan: &Plan,
    start: &State,
    explored: &Exploration,
    stop: &AtomicBool,
) -> Result<(Vec<SolvedBoard>, Effort), Stopped> {
    let work = work(plan, start);
    let mut solver = BoardSolver { left: work, effort: Effort::default(), stop };
    let solved = match solver.keep(start, explored.solution.clone())? {
        None => solver.prove(start, work / 4)?,
        Some(solved) => Some(SolvedBoard { tabulated: explored.table.is_some(), ..solved }),
    };
    if let Some(solved) = solved {
        return Ok((vec![solved], solver.effort));
    }
    // The opening cannot be played on a smaller board.
    if !plan.opening.is_empty() {
        return Ok((Vec::new(), solver.effort));
    }
    let sources = plan.sources();
    let mut largest: Option<Game> = None;
    let mut boards = Vec::new();
    let smaller = smaller_boards(&sources, &plan.options, start.game().rules(), &[]);
    for (choices, _) in smaller.take(MAX_BOARDS) {
        let Ok(game) = load(&sources, &choices) else { continue };
        let Ok(begun) = game.begin() else { continue };
        if begun.outcome().is_some() {
            continue;
        }
        let left = solver.left;
        let Some(solved) = solver.solve(&begun, left)? else { break };
        let options = changed(plan, choices);
        boards.push(SolvedBoard { options, first_plies: Vec::new(), ..solved });
        largest = Some(game);
    }
    if let (Some(board), Some(game)) = (boards.last_mut(), largest) {
        let most = plan.exact.saturating_mul(ITERATIONS);
        board.games = play_board(plan, &game, most, &mut solver.effort, stop)?;
    }
    Ok((boards, solver.effort))
}

/// Returns the choices that differ from the plan's.
fn changed(plan: &Plan, choices: Choices) -> Choices {
    choices.into_iter().filter(|choice| !plan.options.contains(choice)).collect()
}

/// Solves boards with a limited number of positions.
struct BoardSolver<'s> {
    left: u64,
    effort: Effort,
    stop: &'s AtomicBool,
}

impl BoardSolver<'_> {
    /// Explores at most `most` positions.
    fn solve(&mut self, start: &State, most: u64) -> Result<Option<SolvedBoard>, Stopped> {
        let limits = self.limits(start, most, SOLVER_MEMORY);
        let found = tabulate(start, &limits, &mut |_| !self.stop.load(Ordering::Relaxed));
        self.keep(start, found.ok().map(|(solution, _)| solution))
    }

    /// Expands at most `most` positions by proof search.
    fn prove(&mut self, start: &State, most: u64) -> Result<Option<SolvedBoard>, Stopped> {
        let limits = self.limits(start, most, PROVER_MEMORY);
        let found = prove(start, &limits, &mut |_: &Progress| !self.stop.load(Ordering::Relaxed));
        self.keep(start, found.ok())
    }

    fn limits(&self, start: &State, most: u64, memory: u64) -> SolveLimits {
        let most = most.min(self.left);
        // The solver may exceed its limit by this many before it checks.
        let positions = most.saturating_add(u64::from(POSITIONS_BETWEEN_CHECKS));
        let plies = positions.saturating_mul(plies_of_position(start));
        SolveLimits {
            memory,
            time: None,
            positions: Some(most),
            plies: Some(plies),
            symmetric: true,
            threads: 1,
            by_numbers: false,
        }
    }

    /// Charges the positions, and returns the solution if the value is known.
    fn keep(
        &mut self,
        start: &State,
        found: Option<Solution>,
    ) -> Result<Option<SolvedBoard>, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let Some(found) = found else { return Ok(None) };
        let positions = found.nodes.max(found.plies / plies_of_position(start));
        self.left = self.left.saturating_sub(positions);
        self.effort.add_solution(&found, start.legal().len());
        let value = match found.value {
            Value::Draw if found.goes_round => ExactValue::NeverEnds,
            value => match exact(value) {
                Some(value) => value,
                None => return Ok(None),
            },
        };
        let rules = start.game().rules();
        let first_plies = found.first.iter().take(MAX_OPENINGS).map(|first| SolvedPly {
            ply: spell(rules, &first.ply),
            site: last_site(&first.ply),
            value: exact(first.value),
        });
        Ok(Some(SolvedBoard {
            options: Vec::new(),
            value,
            plies: found.distance,
            optimal: found.optimal().count() as u32,
            first: found.first.len() as u32,
            positions: found.nodes,
            tabulated: false,
            first_plies: first_plies.collect(),
            games: Vec::new(),
        }))
    }
}

/// Returns the value, if it is known.
fn exact(value: Value) -> Option<ExactValue> {
    match value {
        Value::Win(player) => Some(ExactValue::Win(player.0)),
        Value::Draw => Some(ExactValue::Draw),
        Value::Open => Some(ExactValue::Open),
        Value::Score(score) => Some(ExactValue::Score(score)),
        Value::Unknown(_) => None,
    }
}

/// Returns the number of plies up to which a position of the board of `start` counts as one.
fn plies_of_position(start: &State) -> u64 {
    USUAL_PLIES + MORE_PLIES * start.legal().len() as u64
}

/// Plays games on a smaller board between equal players of each strength of the plan, the weakest
/// first. Each has an equal part of the iterations that are left, and plays at least one game.
fn play_board(
    plan: &Plan,
    game: &Game,
    mut left: u64,
    effort: &mut Effort,
    stop: &AtomicBool,
) -> Result<Vec<BoardGames>, Stopped> {
    let players = plan.players.len();
    let kinds = plan.ladder();
    if game.rules().teams.count() != players || kinds.len() < 2 {
        return Ok(Vec::new());
    }
    let Ok(start) = game.begin() else { return Ok(Vec::new()) };
    let mut played = Vec::new();
    for (index, &kind) in (0..).zip(&kinds) {
        let mut own = BoardGames { kind, wins: vec![0; players], draws: 0, unfinished: 0 };
        let part = left / (kinds.len() as u64 - index);
        let mut spent = 0;
        for number in 0..MAX_GAMES {
            let seed = mix(mix(!plan.seed, index), number);
            let (outcome, own_effort) = play_game(&start, kind, seed, stop)?;
            match outcome {
                Some(Outcome::Win(winner)) => own.wins[winner.index()] += 1,
                Some(Outcome::Draw | Outcome::Shared(_)) => own.draws += 1,
                None => own.unfinished += 1,
            }
            spent += own_effort.iterations;
            effort.add(own_effort);
            if spent >= part {
                break;
            }
        }
        left = left.saturating_sub(spent);
        played.push(own);
    }
    Ok(played)
}

/// Plays a game between equal players. Returns its result by team.
fn play_game(
    start: &State,
    kind: PlayerKind,
    seed: u64,
    stop: &AtomicBool,
) -> Result<(Option<Outcome>, Effort), Stopped> {
    let mut effort = Effort::default();
    let mut players: Vec<Option<Player>> = (0..start.game().rules().teams.count() as u64)
        .map(|seat| Player::searching(kind, mix(seed, seat), || Mcts::new(1, MEMORY)))
        .collect();
    let mut position = start.clone();
    for made in 0..u64::from(CAP) {
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let ply = match position.team_turn() {
            Turn::Nobody => break,
            Turn::Chance => roll_with(&position, mix(!seed, made)),
            Turn::Player(player) => {
                let program = players.get_mut(player.index()).and_then(Option::as_mut);
                let choice = program
                    .and_then(|program| program.choose_until(&position, Some(stop)).ok().flatten());
                choice.map(|choice| {
                    choice.thinking.iter().for_each(|thinking| effort.add_search(thinking));
                    choice.ply
                })
            }
        };
        let Some(ply) = ply else { break };
        if position.play(&ply).is_err() {
            break;
        }
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped);
    }
    Ok((position.team_outcome(), effort))
}
