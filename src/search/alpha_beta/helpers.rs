//! The threads of a search. Each helper runs the same search, with equally rated plies in another
//! order, and every second helper searches a ply deeper. Helpers pass on their results only through
//! the tables. (Chess programs call this lazy SMP.)

use super::quiescence::Quiescence;
use super::{AlphaBeta, List, MAX_DEPTH, RootPly, Search, Shared};
use crate::engine::PackedMove;
use crate::engine::game::{Fault, State};
use crate::learn::Scratch;
use crate::random::mix;
use crate::search::history::PLACES;
use crate::search::mcts::SearchLimits;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// The result of a search.
pub(super) struct Found {
    /// The plies of the root, best first.
    pub root: Vec<RootPly>,
    pub depth: i32,
    /// The positions that all threads reached.
    pub positions: u64,
    /// Whether any thread met a roll.
    pub rolled: bool,
}

/// The working data of one search thread, kept between searches.
pub(super) struct Working {
    pub history: Vec<u32>,
    pub killers: Vec<[Option<PackedMove>; 2]>,
    /// Lists of plies for each ply of depth.
    pub lists: Vec<List>,
}

impl Working {
    pub(super) fn new() -> Working {
        Working {
            history: vec![0; PLACES],
            killers: vec![[None; 2]; MAX_DEPTH as usize + 2],
            lists: vec![List::default(); MAX_DEPTH as usize + 2],
        }
    }

    /// Forgets most of the previous search.
    fn fade(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 8);
        self.killers.fill([None; 2]);
    }
}

impl Shared {
    /// Begins a search by one thread.
    fn begin<'s>(
        &'s self,
        own: &'s mut Working,
        position: &State,
        seed: u64,
        limits: &SearchLimits<'s>,
        ended: &'s AtomicBool,
    ) -> Search<'s> {
        own.fade();
        let players = position.game().rules().teams.count();
        Search {
            shared: self,
            own,
            limits: limits.clone(),
            ended,
            scratch: Scratch::new(&self.evaluation.features, &position.position()),
            quiescence: (self.settles && players <= 2).then(|| Quiescence::new(position)),
            players,
            seed,
            positions: 0,
            until: limits.iterations.unwrap_or(u64::MAX),
            stopped: false,
            is_exhaustive: false,
            rolled: false,
        }
    }
}

impl AlphaBeta {
    /// Searches a position on this thread and on helpers, until a limit is reached or `ended` is
    /// set. Sets `ended` at the end.
    pub(super) fn search(
        &mut self,
        helpers: usize,
        state: &mut State,
        seed: u64,
        limits: &SearchLimits,
        ended: &AtomicBool,
    ) -> Result<Found, Fault> {
        let AlphaBeta { shared, own, others } = self;
        let shared = &*shared;
        others.resize_with(others.len().max(helpers), Working::new);
        let position = state.clone();
        let mut main = shared.begin(own, &position, seed, limits, ended);
        thread::scope(|scope| {
            let help = |(number, own)| {
                let mut helper = shared.begin(own, &position, mix(seed, number), limits, ended);
                let mut state = position.clone();
                let run = move || {
                    helper.deepen(&mut state, 1 + (number % 2) as i32);
                    (helper.positions, helper.rolled, state.fault())
                };
                // Without another thread there is no help.
                thread::Builder::new().spawn_scoped(scope, run).ok()
            };
            let helping: Vec<_> =
                (1..).zip(others.iter_mut().take(helpers)).filter_map(help).collect();
            let (root, depth) = match main.players {
                0..=2 => main.deepen(state, 1),
                _ => main.deepen_for_each(state),
            };
            ended.store(true, Relaxed);
            let Search { positions, rolled, .. } = main;
            let mut found = Found { root, depth, positions, rolled };
            let mut fault = state.fault();
            for helper in helping {
                let (positions, rolled, its_fault) =
                    helper.join().unwrap_or_else(|panic| resume_unwind(panic));
                found.positions += positions;
                found.rolled |= rolled;
                fault = fault.or(its_fault);
            }
            fault.map_or(Ok(found), Err)
        })
    }
}
