//! Claims about what games do: all positions looked at if they are few enough, and else random
//! games.

use super::monitor::{PropertyMonitor, replay};
use super::question::{ClaimQuery, GamesQuery, Property, Question};
use super::reachability::{Cycle, Found, ReachabilityGraph};
use super::reasons;
use super::shrink::{shortened, smaller_boards};
use super::{ClaimLimits, ClaimVerdict, Decided, ERROR, Example};
use crate::deadline::Deadline;
use crate::engine::game::{Fault, Mark, Move, State};
use crate::language::sources::Sources;
use crate::notation::clause;
use crate::random::{Random, mix};
use rayon::prelude::*;

/// A random game that comes to no end is given up after so many plies, unless more of them are
/// claimed.
const MAX_PLIES: u32 = 2_000;
/// Where random games have more plies than that in the mean, fewer are played.
const TYPICAL_PLIES: u64 = 50;
/// So many games are played before somebody looks how they went.
const BATCH: u32 = 64;
/// A game that goes round is followed for so many plies at most.
const MAX_CYCLE_PLIES: usize = 1_000_000;
/// What of all that may be spent is spent on each smaller board.
const SMALLER_BOARD_SHARE: u64 = 4;

/// What is known of the games that are asked about.
pub enum SearchResult {
    /// A game that goes against the property, and whether there is no shorter one.
    Against {
        plies: Vec<Move>,
        shortest: bool,
        found: SearchCoverage,
    },
    /// There is none. The longest game has so many plies, where that is known.
    Never {
        longest: Option<u32>,
        found: SearchCoverage,
    },
    NotSeen(SearchCoverage),
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchCoverage {
    pub positions: u64,
    pub games: u64,
    /// No game of so many plies goes against the property.
    pub none_up_to: Option<u32>,
    /// The most plies that a random game took.
    pub longest: u32,
    /// Whether there was no time for all that was to be looked at.
    pub late: bool,
}

/// Decides a claim about games.
pub fn decide(
    source: &Sources,
    choices: &[(String, String)],
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
                decided.smaller = smaller(source, choices, question, limits, deadline);
            }
        }
    }
    decided
}

/// Looks for a counterexample on smaller boards.
fn smaller(
    source: &Sources,
    choices: &[(String, String)],
    question: &Question,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Option<Example> {
    let limits = ClaimLimits {
        plies: limits.plies / SMALLER_BOARD_SHARE,
        games: limits.games / SMALLER_BOARD_SHARE as u32,
        ..*limits
    };
    smaller_boards(source, choices, question).into_iter().find_map(|choices| {
        let question = Question::new(source, &choices, question.index, &question.claim)
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

/// Looks for a game that goes against the property.
///
/// # Errors
/// Fails where the rules go round without end.
pub fn seek(
    question: &Question,
    property: Property,
    limits: &ClaimLimits,
    deadline: &Deadline,
) -> Result<SearchResult, Fault> {
    let mut graph = ReachabilityGraph::new(question);
    let found = graph.explore(property, limits.plies, &deadline.half())?;
    let mut looked = SearchCoverage { positions: graph.len() as u64, ..SearchCoverage::default() };
    match found {
        Found::Against(plies) => {
            return Ok(SearchResult::Against {
                plies: graph.moves(&plies),
                shortest: true,
                found: looked,
            });
        }
        Found::Nothing => {
            if let Some(sought) = all_seen(question, property, &graph, looked, deadline) {
                return Ok(sought);
            }
        }
        Found::NothingUpTo(plies) if property != Property::NeverRepeats => {
            looked.none_up_to = Some(plies)
        }
        Found::NothingUpTo(_) => {}
    }
    drop(graph);
    play(question, property, limits, deadline, looked)
}

/// What follows when all positions were looked at and none by itself is against the property;
/// nothing where that depends on what the rules make of repetition.
fn all_seen(
    question: &Question,
    property: Property,
    graph: &ReachabilityGraph,
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
                SearchResult::Against { plies: graph.moves(&way), shortest: true, found }
            }
            _ => SearchResult::Never { longest: Some(longest), found },
        });
    }
    let Some(Cycle { way, around, shortest }) = graph.find_cycle() else {
        return Some(SearchResult::Never { longest: None, found });
    };
    let repetition = question.game.rules().repetition.as_ref();
    let rounds = match (property, repetition) {
        (Property::NeverRepeats, _) => 1,
        // A game that goes on for ever is not drawn.
        (Property::NotDrawn, None) => return Some(SearchResult::Never { longest: None, found }),
        (_, Some(rule)) => rule.times as usize,
        (_, None) => (most as usize).div_ceil(around.len()).min(MAX_CYCLE_PLIES),
    };
    let (way, around) = (graph.moves(&way), graph.moves(&around));
    let plies = way.iter().chain(around.iter().cycle().take(around.len().saturating_mul(rounds)));
    let plies = replay(question, property, &mut question.start.clone(), plies, deadline)?;
    // Where the rules count repetitions, another way round may be shorter.
    let shortest = shortest && property != Property::NotDrawn;
    Some(SearchResult::Against { plies, shortest, found })
}

/// Plays random games.
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

/// How a random game went.
struct PlayedGame {
    plies: u32,
    /// Whether the time was over before its end.
    late: bool,
    /// The plies up to where it went against the property, if it did.
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
            let against = made.iter().map(|&ply| question.game.spell_out(ply)).collect();
            return Ok(PlayedGame {
                plies: made.len() as u32,
                late: false,
                against: Some(against),
            });
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

/// The share of random games that go against what none of so many did, at most, with the confidence
/// that [`ERROR`] leaves: one in so many.
pub fn rarer_than(games: u64) -> u64 {
    let share = 1.0 - ERROR.powf(1.0 / games.max(1) as f64);
    (1.0 / share).floor() as u64
}
