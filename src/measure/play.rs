//! Plays batches of a plan. A batch gives the same results whoever plays it and when, since its
//! random choices depend only on the plan's seed and the numbers of its games.

use super::clauses::{Clauses, CoverageTracer};
use super::copies::Fingerprints;
use super::exact::{Exploration, explore, solve_boards};
use super::first_plies::FirstPlies;
use super::game_rows::{Effort, Ending, GameRow, LatePlies, Opening, Played, StateCount, Tally};
use super::plan::{Batch, Plan, TrainingSummary, iterations};
use super::{late_plies, levels, mirror};
use crate::board::Site;
use crate::engine::PackedMove;
use crate::engine::game::{Argument, Fault, Move, PlayError, Playouts, State, Turn};
use crate::language::rules::PlayerId;
use crate::notation::spell;
use crate::random::mix;
use crate::reference::Interpreter;
use crate::search::{Mcts, Player, PlayerKind, SearchLimits, Thinking, roll_with};
use crate::syntax::Span;
use rayon::prelude::*;
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The ply limit of a game.
pub const CAP: u32 = 2_000;
/// The memory limit of a searcher's tree, in bytes.
pub const MEMORY: usize = 32 << 20;
/// The most positions per game of which winning chances are estimated.
pub const JUDGED_POSITIONS: usize = 40;
/// The most positions per game in which all moves are tried for coverage.
const TRIED_POSITIONS: usize = 24;
/// The steps of the reference interpreter in a game after which no more moves are tried.
const TRIED_STEPS: u64 = 500_000;
/// The most first plies that are judged, or named with their exact values.
pub const MAX_OPENINGS: usize = 1_000;
/// The approximate limit of plies for counting positions.
pub const COUNTED_PLIES: u64 = 1_000_000;

/// A batch was stopped before its end.
#[derive(Clone, Copy, Debug)]
pub struct Stopped;

/// Plays batches on one thread.
pub struct Worker<'p> {
    plan: &'p Plan,
    clauses: &'p Clauses,
    start: &'p State,
    playouts: Playouts,
    /// Made when the first game between searchers is played.
    fingerprints: OnceCell<Fingerprints>,
    /// Made when the first game is examined or solved; all threads share it.
    explored: Arc<OnceLock<Exploration>>,
    /// The clause at which the rules first hung in the current batch.
    hang: Cell<Option<Span>>,
    stop: &'p AtomicBool,
}

/// Plays batches from the position `start` on several threads. Passes each result to `receive` as
/// soon as it is complete, in no particular order. Setting `stop` ends it early.
pub fn play(
    plan: &Plan,
    start: &State,
    lots: &[(usize, Batch)],
    threads: usize,
    stop: &AtomicBool,
    receive: &mut (dyn FnMut(Played) + Send),
) {
    let game = start.game();
    let clauses = Clauses::of(game.rules());
    if plan.pairings.iter().any(|pairing| pairing.is_random() && pairing.games > pairing.written) {
        game.jit_compile_in_background();
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok();
    // Falls back to one thread if the pool cannot be started.
    let threads = pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads);
    let explored = Arc::new(OnceLock::new());
    let worker = |_| {
        let explored = Arc::clone(&explored);
        Mutex::new(Worker { explored, ..Worker::new(plan, start, &clauses, stop) })
    };
    let workers: Vec<Mutex<Worker>> = (0..threads).map(worker).collect();
    let receive = Mutex::new(receive);
    let work = |&(number, lot): &(usize, Batch)| {
        let thread = rayon::current_thread_index().unwrap_or(0) % workers.len();
        let played =
            workers[thread].lock().ok().and_then(|mut worker| worker.play(number, lot).ok());
        if let Some(played) = played
            && let Ok(mut receive) = receive.lock()
        {
            receive(played);
        }
    };
    match pool {
        Some(pool) => pool.install(|| lots.par_iter().with_max_len(1).for_each(work)),
        None => lots.iter().for_each(work),
    }
}

impl<'p> Worker<'p> {
    /// Creates a worker that begins games at `start`.
    pub fn new(
        plan: &'p Plan,
        start: &'p State,
        clauses: &'p Clauses,
        stop: &'p AtomicBool,
    ) -> Worker<'p> {
        let playouts = start.game().playouts(start);
        let (fingerprints, explored) = (OnceCell::new(), Arc::default());
        let hang = Cell::new(None);
        Worker { plan, clauses, start, playouts, fingerprints, explored, hang, stop }
    }

    /// Plays a batch.
    ///
    /// # Errors
    /// Returns `Stopped` if it was stopped before the end.
    pub fn play(&mut self, number: usize, lot: Batch) -> Result<Played, Stopped> {
        self.check_stop()?;
        let mut played = Played::empty(number);
        self.hang.set(None);
        match lot {
            Batch::Openings => played.openings = self.judge_openings(&mut played.effort)?,
            Batch::Mirrored => {
                let plan = self.plan;
                let (seed, judge) = (mix(plan.seed, u64::MAX), mirror_strength(plan));
                let stop = self.stop;
                (played.mirrored, played.effort) =
                    mirror::play(self.start, judge, plan.mirrored, seed, stop);
                self.check_stop()?;
            }
            Batch::Exact => {
                let explored = self.explored();
                (played.exact, played.effort) =
                    solve_boards(self.plan, self.start, explored, self.stop)?;
            }
            Batch::Levels => {
                if let Some(budget) = self.plan.levels {
                    let seed = mix(self.plan.seed, u64::MAX - 2);
                    (played.levels, played.effort) =
                        levels::climb(self.start, budget, seed, self.stop);
                    self.check_stop()?;
                }
            }
            Batch::Census => played.census = Some(self.count_states(&mut played.effort)?),
            Batch::Written { pairing, first, games } => {
                for game in first..first + games {
                    played.rows.push(self.record_game(pairing, game)?);
                }
            }
            Batch::Light { pairing, first, games } => {
                played.tallies = self.tally(pairing, first, games)?;
                let plies = |tally: &Tally| tally.games * u64::from(tally.plies);
                played.effort.plies = played.tallies.iter().map(plies).sum();
            }
        }
        played.hang = self.hang.get().map(|clause| (clause.start, clause.end));
        Ok(played)
    }

    /// Notes the clause at which the rules hang, and returns how the game ends.
    fn note_hang(&self, fault: &Fault) -> Ending {
        self.hang.set(self.hang.get().or(Some(fault.span)));
        Ending::Endless
    }

    fn check_stop(&self) -> Result<(), Stopped> {
        if self.stop.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    /// Returns the exploration of the game's positions, which the first call makes.
    fn explored(&self) -> &Exploration {
        self.explored.get_or_init(|| explore(self.plan, self.start, self.stop))
    }

    /// Plays random games and tallies their endings and lengths.
    fn tally(&mut self, pairing: usize, first: u64, games: u64) -> Result<Vec<Tally>, Stopped> {
        let mut found: BTreeMap<(Ending, u32), u64> = BTreeMap::new();
        for game in first..first + games {
            self.check_stop()?;
            let mut stop = || self.stop.load(Ordering::Relaxed);
            let played = self.playouts.play_until(self.plan.seed_of(pairing, game), CAP, &mut stop);
            // A game that was cut short is discarded.
            self.check_stop()?;
            let (ending, plies) = match played {
                Ok(playout) => (Ending::from(playout.team_outcome()), playout.plies),
                Err(fault) => (self.note_hang(&fault), 0),
            };
            *found.entry((ending, plies)).or_default() += 1;
        }
        Ok(found
            .into_iter()
            .map(|((ending, plies), games)| Tally { ending, plies, games })
            .collect())
    }

    /// Plays a game and records it.
    fn record_game(&self, pairing: usize, game: u64) -> Result<GameRow, Stopped> {
        let seed = self.plan.seed_of(pairing, game);
        let described = &self.plan.pairings[pairing];
        let kinds = described.arrangement(game);
        let searcher = || Mcts::new(1, MEMORY);
        let mut players: Vec<Option<Player>> = (0..)
            .zip(kinds)
            .map(|(seat, &kind)| Player::searching(kind, mix(seed, seat), searcher))
            .collect();
        let dice = self.plan.dice_of(pairing, game);
        let mut position = self.start.clone();
        let mut row = GameRow {
            pairing,
            game,
            ending: Ending::TooLong,
            plies: Vec::new(),
            movers: Vec::new(),
            legal: Vec::new(),
            sites: Vec::new(),
            states: format!("{:016x}", position.hash()),
            fingerprint: String::new(),
            chances: Vec::new(),
            clauses: None,
            listened: 0,
            late: LatePlies::default(),
            puzzles: Vec::new(),
            recycled: 0,
            effort: Effort::default(),
        };
        let evaluates = self.plan.training.as_ref().is_some_and(TrainingSummary::is_used);
        let mut rolls = 0;
        while row.plies.len() < CAP as usize {
            self.check_stop()?;
            let chosen = match position.team_turn() {
                Turn::Nobody => break,
                Turn::Chance => {
                    rolls += 1;
                    Ok(roll_with(&position, mix(dice, rolls)))
                }
                Turn::Player(player) => {
                    match players.get_mut(player.index()).and_then(Option::as_mut) {
                        Some(program) => {
                            let learned = evaluates
                                && matches!(kinds[player.index()], PlayerKind::StrongIterations(_));
                            program.choose_until(&position, Some(self.stop)).map(|choice| {
                                choice.map(|choice| {
                                    if let Some(thinking) = &choice.thinking {
                                        row.effort.add_search(thinking);
                                        row.effort.evaluated +=
                                            if learned { thinking.iterations } else { 0 };
                                        row.recycled += u64::from(thinking.recycled > 0);
                                    }
                                    choice.ply
                                })
                            })
                        }
                        None => Ok(None),
                    }
                }
            };
            // A choice cut short by the stop signal is not deterministic and is discarded.
            self.check_stop()?;
            let made = match chosen {
                Ok(Some(ply)) => record_ply(&mut row, &mut position, &ply),
                Ok(None) => Err(PlayError::Illegal),
                Err(fault) => Err(PlayError::Fault(fault)),
            };
            if let Err(why) = made {
                row.ending = match why {
                    PlayError::Fault(fault) => self.note_hang(&fault),
                    PlayError::Illegal => Ending::Endless,
                };
                break;
            }
        }
        row.ending = match (position.team_outcome(), row.ending) {
            (Some(over), _) => Ending::from(Some(over)),
            (None, Ending::TooLong) if 2 * row.repeated() > row.plies.len() as u64 => {
                Ending::Circling
            }
            (None, ending) => ending,
        };
        let plies = &position.plies()[self.start.ply_count()..];
        if !described.is_random() {
            let fingerprints =
                self.fingerprints.get_or_init(|| Fingerprints::new(self.start.game()));
            row.fingerprint = format!("{:016x}", fingerprints.of(plies, &row.legal));
        }
        if game < described.judged {
            row.chances = self.judge(&position, seed, &mut row.effort)?;
            let table = (self.plan.exact > 0).then(|| self.explored().table.as_ref()).flatten();
            let proven = late_plies::examine(self.start, plies, table, self.stop);
            (row.late, row.puzzles, row.effort.solved) =
                (proven.late, proven.puzzles, proven.tried);
            self.check_stop()?;
        }
        if game < described.listened {
            self.trace(&position, &mut row)?;
        }
        Ok(row)
    }

    /// Estimates the expected scores in a sample of a game's positions, each by an independent
    /// search.
    fn judge(
        &self,
        played: &State,
        seed: u64,
        effort: &mut Effort,
    ) -> Result<Vec<Vec<u32>>, Stopped> {
        let limits = SearchLimits {
            iterations: Some(self.plan.judge),
            stop: Some(self.stop),
            ..SearchLimits::default()
        };
        let mut judge = Mcts::new(1, MEMORY);
        let mut found = Vec::new();
        let mut position = self.start.clone();
        let plies = &played.plies()[position.ply_count()..];
        let stride = plies.len().div_ceil(JUDGED_POSITIONS).max(1);
        for (made, ply) in plies.iter().enumerate() {
            self.check_stop()?;
            if made % stride == 0 && matches!(position.turn(), Turn::Player(_) | Turn::Chance) {
                judge.clear();
                let thought =
                    judge.think(&position, mix(!seed, made as u64), &limits, &mut |_| true);
                self.check_stop()?;
                let Ok(thinking) = thought else { break };
                effort.add_search(&thinking);
                found.push(
                    std::iter::once(made as u32).chain(thousandths(&position, &thinking)).collect(),
                );
            }
            if position.play(ply).is_err() {
                break;
            }
        }
        Ok(found)
    }

    /// Replays a game in the reference interpreter and counts the coverage of clauses.
    fn trace(&self, played: &State, row: &mut GameRow) -> Result<(), Stopped> {
        let mut tracer = CoverageTracer::new(self.clauses);
        let opening = self.start.ply_count();
        let plies = &played.plies()[opening..];
        let stride = plies.len().div_ceil(TRIED_POSITIONS).max(1);
        let interpreter = match opening {
            0 => Interpreter::start(self.start.game().rules(), &mut tracer),
            _ => Ok(Interpreter::with_past(self.start)),
        };
        let Ok(mut interpreter) = interpreter else { return Ok(()) };
        for (made, ply) in plies.iter().enumerate() {
            self.check_stop()?;
            if made % stride == 0 && interpreter.steps() < TRIED_STEPS {
                interpreter
                    .trace_all_moves_while(&mut tracer.trying(), &|| self.check_stop().is_ok());
                self.check_stop()?;
                row.listened += 1;
            }
            if interpreter.play(ply, &mut tracer).is_err() {
                break;
            }
        }
        row.effort.steps += interpreter.steps();
        row.clauses = Some(tracer.uses);
        Ok(())
    }

    /// Estimates the expected scores after each first ply, each by an independent search.
    fn judge_openings(&self, effort: &mut Effort) -> Result<Vec<Opening>, Stopped> {
        let limits = SearchLimits {
            iterations: Some(self.plan.openings),
            stop: Some(self.stop),
            ..SearchLimits::default()
        };
        let rules = self.start.game().rules();
        let mut judge = Mcts::new(1, MEMORY);
        let first = FirstPlies::of(self.start);
        let mut openings: Vec<Opening> = Vec::new();
        for (number, ply) in self.start.legal().iter().take(MAX_OPENINGS).enumerate() {
            self.check_stop()?;
            let (spelled, site) = (spell(rules, ply), last_site(ply));
            // The image of an earlier ply is worth the same.
            if first.class(number) < number {
                let chances = openings[first.class(number)].chances.clone();
                openings.push(Opening { ply: spelled, site, chances });
                continue;
            }
            let mut position = self.start.clone();
            if position.play(ply).is_err() {
                break;
            }
            judge.clear();
            let seed = mix(mix(self.plan.seed, u64::MAX - 1), number as u64);
            let thought = judge.think(&position, seed, &limits, &mut |_| true);
            self.check_stop()?;
            let Ok(thinking) = thought else { break };
            effort.add_search(&thinking);
            let chances = match position.team_outcome() {
                Some(over) => {
                    let players = rules.teams.count();
                    let score = |player| over.score(PlayerId(player), players);
                    (0..players as u16).map(|player| (score(player) * 1000.0) as u32).collect()
                }
                None => thousandths(&position, &thinking).collect(),
            };
            openings.push(Opening { ply: spelled, site, chances });
        }
        Ok(openings)
    }

    /// Counts the reachable positions by breadth-first search, up to a limit. Positions are stored
    /// as paths and replayed from the start.
    fn count_states(&self, effort: &mut Effort) -> Result<StateCount, Stopped> {
        let (mut state, start) = (self.start.clone(), self.start.mark());
        let mut seen = HashSet::from([state.hash()]);
        let most = if self.plan.counted > 0 { self.plan.counted } else { COUNTED_PLIES };
        // By position: its predecessor in the search tree and the ply from there.
        let mut found: Vec<Option<(usize, PackedMove)>> = vec![None];
        let mut next = 0;
        while next < found.len() {
            self.check_stop()?;
            let back = std::iter::successors(found[next], |(from, _)| found[*from]);
            let mut way: Vec<PackedMove> = back.map(|(_, ply)| ply).collect();
            way.reverse();
            let mut walk = |state: &mut State| {
                state.return_to(&start);
                effort.plies += way.len() as u64 + 1;
                way.iter().all(|&ply| state.advance(ply))
            };
            if !walk(&mut state) {
                return Ok(StateCount::Many);
            }
            let legal = state.candidates();
            if legal.len() as u64 * (way.len() as u64 + 1) > most {
                return Ok(StateCount::Many);
            }
            for ply in legal {
                self.check_stop()?;
                if !walk(&mut state) || !state.advance(ply) || state.fault().is_some() {
                    return Ok(StateCount::Many);
                }
                if seen.insert(state.hash()) {
                    found.push(Some((next, ply)));
                }
            }
            if effort.plies > most {
                return Ok(StateCount::Many);
            }
            next += 1;
        }
        Ok(StateCount::Exactly(seen.len() as u64))
    }
}

/// Returns the expected score of each team in thousandths, from a search of the position.
fn thousandths<'t>(position: &State, thinking: &'t Thinking) -> impl Iterator<Item = u32> + 't {
    let swapped = position.is_swapped();
    let (teams, chances) = (position.game().rules().teams, &thinking.win_probabilities);
    teams.numbers().map(move |team| {
        let player = teams.first(team).exchanged(swapped);
        (chances[player.index()] * 1000.0).round() as u32
    })
}

/// Returns the iterations of the players in mirror play, which are of the second strength.
fn mirror_strength(plan: &Plan) -> u64 {
    let ladder = plan.ladder();
    ladder.get(1).or(ladder.first()).map_or(1, iterations)
}

/// Makes a ply and records it. Fails if it is illegal or the rules do not terminate.
fn record_ply(row: &mut GameRow, position: &mut State, ply: &Move) -> Result<(), PlayError> {
    let teams = position.game().rules().teams;
    let mover = match position.turn() {
        Turn::Player(player) => i32::from(teams.of(player).0),
        Turn::Chance | Turn::Nobody => -1,
    };
    let legal = position.legal().len() as u32;
    position.play(ply)?;
    row.plies.push(spell(position.game().rules(), ply));
    row.movers.push(mover);
    row.legal.push(legal);
    if mover >= 0 {
        row.sites.extend(ply.arguments.iter().filter_map(|argument| match argument {
            Argument::Site(Site(site)) => Some(site),
            _ => None,
        }));
    }
    row.states.push_str(&format!("{:016x}", position.hash()));
    Ok(())
}

/// Returns the number of the site that a ply chooses last.
pub fn last_site(ply: &Move) -> Option<u16> {
    ply.arguments.iter().rev().find_map(|argument| match argument {
        Argument::Site(Site(site)) => Some(*site),
        _ => None,
    })
}
