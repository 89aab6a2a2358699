//! Claims about what games do: all positions looked at if they are few enough, and else random games.

use super::graph::{Found, Graph, Round};
use super::question::{Asked, OfGames, Property, Question};
use super::shrink::{shortened, smaller_boards};
use super::watch::{Watch, replay};
use super::words;
use super::{Decided, ERROR, Example, Limits, Verdict};
use crate::deadline::Deadline;
use crate::engine::game::{Fault, Mark, Move, State};
use crate::language::sources::Sources;
use crate::notation::clause;
use crate::random::{Random, mix};
use rayon::prelude::*;

/// A random game that comes to no end is given up after so many plies, unless more of them are claimed.
const LONGEST: u32 = 2_000;
/// Where random games have more plies than that in the mean, fewer are played.
const USUAL: u64 = 50;
/// So many games are played before somebody looks how they went.
const BATCH: u32 = 64;
/// A game that goes round is followed for so many plies at most.
const MOST_ROUND: usize = 1_000_000;
/// What of all that may be spent is spent on each smaller board.
const SMALLER: u64 = 4;

/// What is known of the games that are asked about.
pub enum Sought {
    /// A game that goes against the property, and whether there is no shorter one.
    Against {
        plies: Vec<Move>,
        shortest: bool,
        found: Looked,
    },
    /// There is none. The longest game has so many plies, where that is known.
    Never {
        longest: Option<u32>,
        found: Looked,
    },
    NotSeen(Looked),
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looked {
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
    asked: OfGames,
    limits: &Limits,
    deadline: &Deadline,
) -> Decided {
    let sought = match seek(question, asked.property, limits, deadline) {
        Ok(sought) => sought,
        Err(fault) => return Decided::new(&question.claim, Verdict::Undecided, clause::endless(question.game.rules(), &fault)),
    };
    let mut decided = Decided::new(&question.claim, Verdict::Undecided, words::of_games(question, asked, &sought));
    let (Sought::Against { found, .. } | Sought::Never { found, .. } | Sought::NotSeen(found)) = &sought;
    (decided.positions, decided.games) = (found.positions, found.games);
    match sought {
        Sought::Never { .. } => {
            decided.exact = true;
            decided.verdict = if asked.every { Verdict::Holds } else { Verdict::Fails };
        }
        Sought::NotSeen(found) if asked.every && found.games > 0 => {
            decided.verdict = Verdict::NotRefuted;
            decided.error = Some(ERROR);
        }
        Sought::NotSeen(_) => {}
        Sought::Against { plies, shortest, .. } => {
            decided.exact = true;
            decided.verdict = if asked.every { Verdict::Fails } else { Verdict::Holds };
            decided.example = Some(Example { record: question.record(&plies), shortest });
            if asked.every {
                decided.smaller = smaller(source, choices, question, limits, deadline);
            }
        }
    }
    decided
}

/// Looks for a counterexample on smaller boards.
fn smaller(source: &Sources, choices: &[(String, String)], question: &Question, limits: &Limits, deadline: &Deadline) -> Option<Example> {
    let limits = Limits { plies: limits.plies / SMALLER, games: limits.games / SMALLER as u32, ..*limits };
    smaller_boards(source, choices, question).into_iter().find_map(|choices| {
        let question = Question::new(source, &choices, question.index, &question.claim).ok().filter(|_| !deadline.has_passed())?;
        let Asked::Games(asked) = question.asked else { return None };
        match seek(&question, asked.property, &limits, deadline).ok()? {
            Sought::Against { plies, shortest, .. } => Some(Example { record: question.record(&plies), shortest }),
            Sought::Never { .. } | Sought::NotSeen(_) => None,
        }
    })
}

/// Looks for a game that goes against the property.
///
/// # Errors
/// Fails where the rules go round without end.
pub fn seek(question: &Question, property: Property, limits: &Limits, deadline: &Deadline) -> Result<Sought, Fault> {
    let mut graph = Graph::new(question);
    let found = graph.explore(property, limits.plies, &deadline.half())?;
    let mut looked = Looked { positions: graph.len() as u64, ..Looked::default() };
    match found {
        Found::Against(plies) => return Ok(Sought::Against { plies: graph.moves(&plies), shortest: true, found: looked }),
        Found::Nothing => {
            if let Some(sought) = all_seen(question, property, &graph, looked, deadline) {
                return Ok(sought);
            }
        }
        Found::NothingUpTo(plies) if property != Property::NeverRepeats => looked.none_up_to = Some(plies),
        Found::NothingUpTo(_) => {}
    }
    drop(graph);
    play(question, property, limits, deadline, looked)
}

/// What follows when all positions were looked at and none by itself is against the property; nothing where that depends on what the rules make of repetition.
fn all_seen(question: &Question, property: Property, graph: &Graph, found: Looked, deadline: &Deadline) -> Option<Sought> {
    if let Property::Always { .. } = property {
        return Some(Sought::Never { longest: None, found });
    }
    let most = if let Property::EndsWithin(most) = property { most } else { 0 };
    if let Some((longest, way)) = graph.longest(most) {
        return Some(match property {
            Property::EndsWithin(most) if longest > most => Sought::Against { plies: graph.moves(&way), shortest: true, found },
            _ => Sought::Never { longest: Some(longest), found },
        });
    }
    let Some(Round { way, around, shortest }) = graph.round() else { return Some(Sought::Never { longest: None, found }) };
    let repetition = question.game.rules().repetition.as_ref();
    let rounds = match (property, repetition) {
        (Property::NeverRepeats, _) => 1,
        // A game that goes on for ever is not drawn.
        (Property::NotDrawn, None) => return Some(Sought::Never { longest: None, found }),
        (_, Some(rule)) => rule.times as usize,
        (_, None) => (most as usize).div_ceil(around.len()).min(MOST_ROUND),
    };
    let (way, around) = (graph.moves(&way), graph.moves(&around));
    let plies = way.iter().chain(around.iter().cycle().take(around.len().saturating_mul(rounds)));
    let plies = replay(question, property, &mut question.start.clone(), plies, deadline)?;
    // Where the rules count repetitions, another way round may be shorter.
    let shortest = shortest && property != Property::NotDrawn;
    Some(Sought::Against { plies, shortest, found })
}

/// Plays random games.
fn play(question: &Question, property: Property, limits: &Limits, deadline: &Deadline, mut looked: Looked) -> Result<Sought, Fault> {
    let start = question.start.mark();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads.max(1)).build().ok();
    let most = u64::from(limits.games) * USUAL;
    let (mut next, mut plies) = (0, 0);
    while next < limits.games && plies < most {
        if deadline.has_passed() {
            looked.late = true;
            break;
        }
        let batch = next..limits.games.min(next + BATCH);
        let play = || -> Vec<Result<Played, Fault>> {
            let games = batch.clone().into_par_iter().with_max_len(1);
            games
                .map_init(
                    || (question.start.clone(), deadline.clone()),
                    |(state, deadline), number| one(question, property, (state, &start), mix(limits.seed, u64::from(number)), deadline),
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
                let shortest = looked.none_up_to.is_some_and(|most| plies.len() as u64 <= u64::from(most) + 1)
                    || matches!(property, Property::EndsWithin(_));
                return Ok(Sought::Against { plies, shortest, found: looked });
            }
        }
        next = batch.end;
    }
    Ok(Sought::NotSeen(looked))
}

/// How a random game went.
struct Played {
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
) -> Result<Played, Fault> {
    let most = if let Property::EndsWithin(most) = property { LONGEST.max(most) } else { LONGEST };
    let mut random = Random::new(seed);
    let mut watch = Watch::new(property, &question.game);
    let mut made = Vec::new();
    state.return_to(start);
    loop {
        if watch.objects(state) {
            let against = made.iter().map(|&ply| question.game.spell_out(ply)).collect();
            return Ok(Played { plies: made.len() as u32, late: false, against: Some(against) });
        }
        if deadline.is_over() {
            return Ok(Played { plies: made.len() as u32, late: true, against: None });
        }
        let legal = state.candidates();
        if let Some(fault) = state.fault() {
            return Err(fault);
        }
        let chosen = legal.get(random.below(legal.len().max(1) as u32) as usize).filter(|_| made.len() < most as usize);
        let Some(&ply) = chosen.filter(|&&ply| state.advance(ply)) else {
            return Ok(Played { plies: made.len() as u32, late: false, against: None });
        };
        made.push(ply);
    }
}

/// The share of random games that go against what none of so many did, at most, with the confidence that [`ERROR`] leaves: one in so many.
pub fn rarer_than(games: u64) -> u64 {
    let share = 1.0 - ERROR.powf(1.0 / games.max(1) as f64);
    (1.0 / share).floor() as u64
}
