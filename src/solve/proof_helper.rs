//! The helpers of a proof search: the positions that they search, and a round of all searches.

use super::proof::Shared;
use super::proof_by_numbers::ByNumbers;
use super::proof_search::Search;
use super::proof_table::Proven;
use super::tags::Tag;
use super::{Clock, Stopped};
use crate::language::rules::PlayerId;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The most successors that a helper gets for a round.
const TASKS: usize = 4;

/// A successor that a helper is to search.
struct Task {
    parent: Tag,
    tag: Tag,
    /// Its packed position.
    packed: Vec<u64>,
}

/// A search of successors of positions on the path of the first search.
pub struct Helper {
    pub search: Search,
    /// The successor that it is searching, and the successors that it searches next.
    current: Option<Task>,
    tasks: VecDeque<Task>,
    /// The successors whose search it has finished in the last round, each with its parent.
    pub searched: Vec<(Tag, Tag)>,
    /// Whether its memory or the limit of plies has ended it.
    has_ended: bool,
}

/// The settings shared by all searches of a round.
pub struct Round<'r> {
    pub shared: &'r Shared,
    pub player: PlayerId,
    /// The number of positions that every search expands.
    pub positions: u64,
    pub threads: usize,
}

/// A part of the search by numbers.
pub struct NumbersTask<'r> {
    pub search: &'r mut ByNumbers,
    /// The position of the question.
    pub from: (Tag, &'r [u64]),
    /// The number of positions at which the search stops, in total.
    pub until: u64,
}

/// The work of a thread in a round beside the first search.
enum Work<'r> {
    Help(&'r mut Helper),
    ByNumbers(NumbersTask<'r>),
}

impl Helper {
    pub fn new(search: Search) -> Helper {
        Helper {
            search,
            current: None,
            tasks: VecDeque::new(),
            searched: Vec::new(),
            has_ended: false,
        }
    }

    /// Forgets its successors.
    pub fn end(&mut self) {
        self.search.end();
        self.current = None;
        self.tasks.clear();
        self.searched.clear();
    }

    /// Searches until it has expanded the positions of a round or has nothing left to search.
    fn search(&mut self, round: &Round, clock: &mut Clock) {
        let until = self.search.nodes.saturating_add(round.positions);
        while self.search.nodes < until {
            if self.current.is_none() {
                let Some(task) = self.tasks.pop_front() else { break };
                if self.search.begin_at(task.tag, &task.packed).is_err() {
                    self.has_ended = true;
                    break;
                }
                self.current = Some(task);
            }
            match self.search.prove(round.shared, round.player, until, None, clock) {
                Ok(Some(_)) => {
                    let task = self.current.take();
                    self.searched.extend(task.map(|task| (task.parent, task.tag)));
                }
                Ok(None) => break,
                Err(_) => {
                    self.end();
                    self.has_ended = true;
                    break;
                }
            }
        }
    }
}

/// Deals successors of the positions on the path of the first search to the helpers. A helper goes
/// on with its current successor while the result can matter.
pub fn deal(first: &mut Search, helpers: &mut [Helper], shared: &Shared, player: PlayerId) {
    let is_known = |tag: Tag| shared.table.look(tag, player).is_some();
    let mut busy = std::mem::take(&mut first.busy);
    busy.clear();
    for helper in helpers.iter_mut() {
        helper.tasks.clear();
        helper.searched.clear();
        let matters = |task: &Task| {
            first.is_on_path(task.parent)
                && !first.is_on_path(task.tag)
                && !is_known(task.tag)
                && busy.insert(task.tag)
        };
        if !helper.current.as_ref().is_some_and(matters) {
            helper.end();
            helper.search.learn(first);
        }
    }
    let mut open: VecDeque<&mut Helper> =
        helpers.iter_mut().filter(|helper| !helper.has_ended).collect();
    // Idle helpers get the first successors.
    open.make_contiguous().sort_by_key(|helper| helper.current.is_some());
    for (parent, tag, packed) in first.divisible() {
        let Some(helper) = open.pop_front() else { break };
        if is_known(tag) || !busy.insert(tag) {
            open.push_front(helper);
            continue;
        }
        helper.tasks.push_back(Task { parent, tag, packed: packed.to_vec() });
        if helper.tasks.len() < TASKS {
            open.push_back(helper);
        }
    }
    first.busy = busy;
}

/// Lets every search expand the positions of a round; the first search begins with a result, if
/// there is one. Returns the answer of the first search.
///
/// # Errors
/// Stops if memory or time of the first search runs out, or if the rules do not terminate
/// somewhere.
pub fn search_round(
    round: &Round,
    first: &mut Search,
    elsewhere: Option<Proven>,
    helpers: &mut [Helper],
    by_numbers: Option<NumbersTask>,
    clock: &mut Clock,
) -> Result<Option<Proven>, Stopped> {
    let (deadline, most_plies) =
        (clock.deadline.clone(), clock.most_plies.saturating_sub(clock.plies));
    let until = first.nodes.saturating_add(round.positions);
    let plies = AtomicU64::default();
    let pieces = helpers.len() + usize::from(by_numbers.is_some());
    let work = helpers.iter_mut().map(Work::Help);
    // The longest first.
    let open = Mutex::new(by_numbers.map(Work::ByNumbers).into_iter().chain(work));
    let spawned = pieces.min(round.threads.saturating_sub(1));
    let help = || {
        loop {
            let next = open.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(work) = next else { break };
            let (mut go_on, deadline) = (|_: &_| true, deadline.clone());
            let mut clock = Clock { deadline, most_plies, ..Clock::free(&mut go_on) };
            match work {
                Work::Help(helper) => helper.search(round, &mut clock),
                Work::ByNumbers(NumbersTask { search, from, until }) => {
                    // A limit or fault that stops a helper ends it.
                    let _ = search.prove(from, round.player, round.shared, until, &mut clock);
                }
            }
            plies.fetch_add(clock.plies, Relaxed);
        }
    };
    let found = match spawned {
        0 => {
            let found = first.prove(round.shared, round.player, until, elsewhere, clock);
            help();
            found
        }
        _ => std::thread::scope(|scope| {
            for _ in 0..spawned {
                scope.spawn(help);
            }
            let found = first.prove(round.shared, round.player, until, elsewhere, clock);
            help();
            found
        }),
    };
    clock.plies += plies.into_inner();
    found
}
