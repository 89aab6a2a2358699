//! Claims about all games: decided by exploring all positions if they are few enough, otherwise
//! tested by random games.

use super::monitor::{PropertyMonitor, replay};
use super::question::{ClaimQuery, GamesQuery, Property, Question};
use super::reasons;
use super::shrink::shortened;
use super::{ClaimLimits, ClaimVerdict, Decided, ERROR, Example, reachability};
use crate::analysis::reachability::{Cycle, Extent, PositionGraph};
use crate::budget::Deadline;
use crate::engine::game::{Fault, Mark, Move, State};
use crate::language::board_sizes::smaller_boards;
use crate::language::sources::Sources;
use crate::notation::clause;
use crate::random::{Random, mix};
use rayon::prelude::*;

/// The ply limit of a random game, unless the claim needs more.
const MAX_PLIES: u32 = 2_000;
/// If random games are longer than this on average, fewer are played.
const TYPICAL_PLIES: u64 = 50;
/// Games between two checks of the result.
const BATCH: u32 = 64;
/// The maximum number of times that a counterexample repeats a cycle.
const MAX_CYCLE_REPETITIONS: usize = 1_000_000;
/// The divisor of the limits on each smaller board.
const SMALLER_BOARD_SHARE: u64 = 4;
/// The limit of smaller boards that are tried.
const MAX_BOARDS: usize = 12;

/// The result of a search for a counterexample.
pub enum SearchResult {
    /// A counterexample, and whether it is shortest.
    Against {
        plies: Vec<Move>,
        shortest: bool,
        found: SearchCoverage,
    },
    /// There is no counterexample; with the length of the longest game, if known.
    Never {
        longest: Option<u32>,
        found: SearchCoverage,
    },
    NotSeen(SearchCoverage),
}

/// The coverage of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchCoverage {
    pub positions: u64,
    pub games: u64,
    /// No game of at most this many plies is a counterexample.
    pub none_up_to: Option<u32>,
    /// The length of the longest random game.
    pub longest: u32,
    /// Whether time ran out.
    pub late: bool,
}

/// Decides a claim about games.
pub fn decide(
    source: &Sources,
    question: &Question,
    asked: GamesQuery,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Decided {
    let sought = match seek(question, asked.property, limits, deadline) {
        Ok(sought) => sought,
        Err(fault) => {
            return Decided::new(
                &question.claim,
                ClaimVerdict::Undecided,
                clause::endless(question.game.rules(), &fault),
            );
        }
    };
    let mut decided = Decided::new(
        &question.claim,
        ClaimVerdict::Undecided,
        reasons::of_games(question, asked, &sought),
    );
    let (SearchResult::Against { found, .. }
    | SearchResult::Never { found, .. }
    | SearchResult::NotSeen(found)) = &sought;
    (decided.positions, decided.games) = (found.positions, found.games);
    match sought {
        SearchResult::Never { .. } => {
            decided.exact = true;
            decided.verdict = if asked.every { ClaimVerdict::Holds } else { ClaimVerdict::Fails };
        }
        SearchResult::NotSeen(found) if asked.every && found.games > 0 => {
            decided.verdict = ClaimVerdict::NotRefuted;
            decided.error = Some(ERROR);
        }
        SearchResult::NotSeen(_) => {}
        SearchResult::Against { plies, shortest, .. } => {
            decided.exact = true;
            decided.verdict = if asked.every { ClaimVerdict::Fails } else { ClaimVerdict::Holds };
            decided.example = Some(Example { record: question.record(&plies), shortest });
            if asked.every {
                decided.smaller = smaller(source, question, limits, deadline);
            }
        }
    }
    decided
}

/// Looks for a counterexample on smaller boards.
fn smaller(
    source: &Sources,
    question: &Question,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Option<Example> {
    let limits = ClaimLimits {
        plies: limits.plies / SMALLER_BOARD_SHARE,
        games: limits.games / SMALLER_BOARD_SHARE as u32,
        ..*limits
    };
    let Question { claim, choices, game, .. } = question;
    let mut boards = smaller_boards(source, choices, game.rules(), &claim.options).take(MAX_BOARDS);
    boards.find_map(|(choices, _)| {
        let question = Question::new(source, &choices, question.index, claim)
            .ok()
            .filter(|_| !deadline.has_passed())?;
        let ClaimQuery::Games(asked) = question.asked else { return None };
        match seek(&question, asked.property, &limits, deadline).ok()? {
            SearchResult::Against { plies, shortest, .. } => {
                Some(Example { record: question.record(&plies), shortest })
            }
            SearchResult::Never { .. } | SearchResult::NotSeen(_) => None,
        }
    })
}

/// Looks for a game that violates the property.
///
/// # Errors
/// Returns the [`Fault`] if the rules do not terminate somewhere.
pub fn seek(
    question: &Question,
    property: Property,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Result<SearchResult, Fault> {
    if question.game.rules().depends_on_past() {
        // Positions do not determine the games that follow them, so they cannot be explored.
        return play(question, property, limits, deadline, SearchCoverage::default());
    }
    let mut graph = PositionGraph::default();
    // The other half of the time is for random games.
    let extent =
        reachability::explore(question, property, limits.plies, deadline.half(), &mut graph)?;
    let mut looked =
        SearchCoverage { positions: graph.position_count() as u64, ..SearchCoverage::default() };
    match extent {
        Extent::Stopped(plies) => {
            return Ok(SearchResult::Against {
                plies: question.spell_out(&plies),
                shortest: true,
                found: looked,
            });
        }
        Extent::All => {
            if let Some(sought) = all_seen(question, property, &graph, looked, deadline) {
                return Ok(sought);
            }
        }
        Extent::UpTo(plies) if property != Property::NeverRepeats => {
            looked.none_up_to = Some(plies)
        }
        Extent::UpTo(_) => {}
    }
    drop(graph);
    play(question, property, limits, deadline, looked)
}

/// Concludes from a complete exploration that found no violating position. `None` if the replay of
/// a cycle, to which the repetition rule applies, violates nothing or runs out of time.
fn all_seen(
    question: &Question,
    property: Property,
    graph: &PositionGraph,
    found: SearchCoverage,
    deadline: &Deadline,
) -> Option<SearchResult> {
    if let Property::Always { .. } = property {
        return Some(SearchResult::Never { longest: None, found });
    }
    let most = if let Property::EndsWithin(most) = property { most } else { 0 };
    if let Some((longest, way)) = graph.longest(most) {
        return Some(match property {
            Property::EndsWithin(most) if longest > most => {
                SearchResult::Against { plies: question.spell_out(&way), shortest: true, found }
            }
            _ => SearchResult::Never { longest: Some(longest), found },
        });
    }
    let Some(Cycle { path, around, is_shortest, .. }) = graph.find_cycle() else {
        return Some(SearchResult::Never { longest: None, found });
    };
    let repetition = question.game.rules().repetition.as_ref();
    let rounds = match (property, repetition) {
        (Property::NeverRepeats, _) => 1,
        // An infinite game is not drawn.
        (Property::NotDrawn, None) => return Some(SearchResult::Never { longest: None, found }),
        (_, Some(rule)) => rule.times as usize,
        (_, None) => (most as usize).div_ceil(around.len()).min(MAX_CYCLE_REPETITIONS),
    };
    let (path, around) = (question.spell_out(&path), question.spell_out(&around));
    let plies = path.iter().chain(around.iter().cycle().take(around.len().saturating_mul(rounds)));
    let plies = replay(question, property, &mut question.start.clone(), plies, deadline)?;
    // The repetition rule may end a game in another cycle sooner.
    let shortest = is_shortest && property != Property::NotDrawn;
    Some(SearchResult::Against { plies, shortest, found })
}

/// Plays random games until one violates the property or the limits are reached.
fn play(
    question: &Question,
    property: Property,
    limits: &ClaimLimits,
    deadline: &Deadline,
    mut looked: SearchCoverage,
) -> Result<SearchResult, Fault> {
    let start = question.start.mark();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads.max(1)).build().ok();
    let most = u64::from(limits.games) * TYPICAL_PLIES;
    let (mut next, mut plies) = (0, 0);
    while next < limits.games && plies < most {
        if deadline.has_passed() {
            looked.late = true;
            break;
        }
        let batch = next..limits.games.min(next + BATCH);
        let play = || -> Vec<Result<PlayedGame, Fault>> {
            let games = batch.clone().into_par_iter().with_max_len(1);
            games
                .map_init(
                    || (question.start.clone(), deadline.clone()),
                    |(state, deadline), number| {
                        one(
                            question,
                            property,
                            (state, &start),
                            mix(limits.seed, u64::from(number)),
                            deadline,
                        )
                    },
                )
                .collect()
        };
        let played = match &pool {
            Some(pool) => pool.install(play),
            None => play(),
        };
        for game in played {
            let game = game?;
            looked.late |= game.late;
            looked.games += u64::from(!game.late);
            plies += u64::from(game.plies);
            looked.longest = looked.longest.max(game.plies);
            if let Some(plies) = game.against {
                let plies = shortened(question, property, plies, deadline);
                let shortest =
                    looked.none_up_to.is_some_and(|most| plies.len() as u64 <= u64::from(most) + 1)
                        || matches!(property, Property::EndsWithin(_));
                return Ok(SearchResult::Against { plies, shortest, found: looked });
            }
        }
        next = batch.end;
    }
    Ok(SearchResult::NotSeen(looked))
}

/// The result of a random game.
struct PlayedGame {
    plies: u32,
    /// Whether time ran out during the game.
    late: bool,
    /// The plies up to the violation, if there was one.
    against: Option<Vec<Move>>,
}

/// Plays a random game.
fn one(
    question: &Question,
    property: Property,
    (state, start): (&mut State, &Mark),
    seed: u64,
    deadline: &mut Deadline,
) -> Result<PlayedGame, Fault> {
    let most =
        if let Property::EndsWithin(most) = property { MAX_PLIES.max(most) } else { MAX_PLIES };
    let mut random = Random::new(seed);
    let mut watch = PropertyMonitor::new(property, &question.game);
    let mut made = Vec::new();
    state.return_to(start);
    loop {
        if watch.violates(state) {
            let against = Some(question.spell_out(&made));
            return Ok(PlayedGame { plies: made.len() as u32, late: false, against });
        }
        if deadline.is_over() {
            return Ok(PlayedGame { plies: made.len() as u32, late: true, against: None });
        }
        let legal = state.candidates();
        if let Some(fault) = state.fault() {
            return Err(fault);
        }
        let chosen = legal
            .get(random.below(legal.len().max(1) as u32) as usize)
            .filter(|_| made.len() < most as usize);
        let Some(&ply) = chosen.filter(|&&ply| state.advance(ply)) else {
            return Ok(PlayedGame { plies: made.len() as u32, late: false, against: None });
        };
        made.push(ply);
    }
}

/// Returns n such that, with confidence 1 − [`ERROR`], fewer than one random game in n violates a
/// property that none of `games` did (exact binomial bound).
pub fn rarer_than(games: u64) -> u64 {
    let share = 1.0 - ERROR.powf(1.0 / games.max(1) as f64);
    (1.0 / share).floor() as u64
}
