//! Depth-first proof-number search of AND/OR graphs without cycles (Ayumu Nagai, *Df-pn Algorithm
//! for Searching AND/OR Trees and Its Applications*, University of Tokyo, 2002).
//!
//! A node is searched until one of its numbers is a quarter above the number of the second-best
//! successor, not merely above it, so that the search does not alternate between the two (Jakub
//! Pawlewicz and Łukasz Lew, *Improving Depth-First PN-Search: 1 + ε Trick*, Computers and Games
//! 2006).

use super::Stopped;

/// The proof number of an impossible proof, or the disproof number of an impossible disproof.
const IMPOSSIBLE: u32 = u32::MAX;

/// Lower bounds on the nodes still to be decided to answer a question by yes and by no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    yes: u32,
    no: u32,
}

impl Numbers {
    /// Marks an empty entry.
    pub const NONE: Numbers = Numbers { yes: 0, no: 0 };
    const UNLIMITED: Numbers = Numbers { yes: IMPOSSIBLE, no: IMPOSSIBLE };

    /// Returns the initial numbers of a node: 1 for the answer that the player to act wants, and
    /// for the other answer an upper bound of the number of plies, all of which must fail. `wants`
    /// tells if the player wants a yes.
    pub fn open(wants: bool, plies: u32) -> Numbers {
        Numbers { yes: 1, no: plies.max(1) }.seen_by(wants)
    }

    /// Returns the numbers of a node with an answer.
    pub fn decided(answer: bool) -> Numbers {
        match answer {
            true => Numbers { yes: 0, no: IMPOSSIBLE },
            false => Numbers { yes: IMPOSSIBLE, no: 0 },
        }
    }

    /// Returns the answer if there is one.
    pub fn answer(self) -> Option<bool> {
        match self {
            Numbers { yes: 0, .. } => Some(true),
            Numbers { no: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Exchanges yes and no unless `keeps`, so that `yes` is the answer that the player to act
    /// wants.
    fn seen_by(self, keeps: bool) -> Numbers {
        if keeps { self } else { Numbers { yes: self.no, no: self.yes } }
    }

    /// Returns the sum of both numbers, as a measure of the work behind them.
    pub fn sum(self) -> u64 {
        u64::from(self.yes) + u64::from(self.no)
    }
}

/// A graph with a question whose answer is yes or no. It follows the search from node to node.
pub trait Graph {
    type Key: Copy;
    /// An answer, with further information.
    type Answer: Copy;

    /// Lists the successors of the current node and enters it; or settles it.
    ///
    /// # Errors
    /// If a limit is reached, the rules do not terminate, or there is a cycle.
    fn expand(
        &mut self,
        key: Self::Key,
        open: &mut Vec<Open<Self::Key>>,
    ) -> Result<Expansion<Self::Answer>, Stopped>;

    /// Goes to an open successor of the node that was entered last, by its index in the list.
    fn go_to(&mut self, place: usize);

    /// Leaves the node that was entered last, whose successors begin at this index in the list.
    fn leave(&mut self, key: Self::Key, open: usize);

    /// Stores the answer at a node, which took this many expansions.
    ///
    /// # Errors
    /// If there is no room.
    fn keep(&mut self, key: Self::Key, answer: Self::Answer, work: u64) -> Result<(), Stopped>;

    /// Stores the numbers of a node, for [`expand`](Self::expand).
    ///
    /// # Errors
    /// If there is no room.
    fn note(&mut self, key: Self::Key, numbers: Numbers) -> Result<(), Stopped>;

    fn is_yes(&self, answer: Self::Answer) -> bool;

    /// Combines the answers of two successors, both yes or both no, into an answer of their node.
    fn both(&self, one: Self::Answer, other: Self::Answer) -> Self::Answer;
}

/// A successor that is not decided.
#[derive(Clone, Copy)]
pub struct Open<K> {
    pub key: K,
    pub numbers: Numbers,
}

/// The result of expanding a node.
pub enum Expansion<A> {
    Settled(A),
    /// `wants`: whether the player to act wants a yes. `otherwise`: the answer if all open
    /// successors have the answer that he does not want.
    Open {
        wants: bool,
        otherwise: A,
    },
}

/// A node on the path.
struct Step<K, A> {
    key: K,
    wants: bool,
    otherwise: A,
    /// The limits at which the node is left, as seen by the player to act.
    limit: Numbers,
    /// The index of its first successor, and of the successor that is searched.
    open: usize,
    at: usize,
    /// The number of expansions before this one.
    nodes: u64,
}

/// A search that can pause.
pub struct NumberSearch<K, A> {
    path: Vec<Step<K, A>>,
    /// The open successors of the nodes on the path.
    open: Vec<Open<K>>,
    /// The node that is expanded next.
    next: Option<(K, Numbers)>,
    /// How many nodes were expanded.
    pub nodes: u64,
}

impl<K: Copy, A: Copy> NumberSearch<K, A> {
    pub fn new() -> Self {
        NumberSearch { path: Vec::new(), open: Vec::new(), next: None, nodes: 0 }
    }

    /// Tests if the search is in progress.
    pub fn is_begun(&self) -> bool {
        self.next.is_some()
    }

    /// Begins at the current node of the graph.
    pub fn begin(&mut self, key: K) {
        self.end();
        self.next = Some((key, Numbers::UNLIMITED));
    }

    /// Discards the path. The graph must discard its path, too.
    pub fn end(&mut self) {
        self.path.clear();
        self.open.clear();
        self.next = None;
    }

    /// Searches until this many nodes were expanded in total, and returns the answer if there is
    /// one.
    ///
    /// # Errors
    /// The errors of the graph. The search must then begin anew.
    pub fn search(
        &mut self,
        graph: &mut impl Graph<Key = K, Answer = A>,
        until: u64,
    ) -> Result<Option<A>, Stopped> {
        while self.nodes < until
            && let Some((key, limit)) = self.next.take()
        {
            let nodes = self.nodes;
            self.nodes += 1;
            let open = self.open.len();
            let settled = match graph.expand(key, &mut self.open)? {
                Expansion::Settled(answer) => Some(answer),
                Expansion::Open { wants, otherwise } => {
                    let limit = limit.seen_by(wants);
                    self.path.push(Step { key, wants, otherwise, limit, open, at: open, nodes });
                    None
                }
            };
            if let Some(answer) = self.back_up(settled, graph)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// Leaves the nodes that are decided or reach a limit, and goes on to the most promising
    /// successor of the first other node. Returns the answer at the first node of the path.
    fn back_up(
        &mut self,
        mut settled: Option<A>,
        graph: &mut impl Graph<Key = K, Answer = A>,
    ) -> Result<Option<A>, Stopped> {
        while let Some(step) = self.path.last_mut() {
            let wants = step.wants;
            let mut answer = None;
            if let Some(found) = settled.take() {
                match graph.is_yes(found) == wants {
                    true => answer = Some(found),
                    false => {
                        step.otherwise = graph.both(step.otherwise, found);
                        self.open[step.at].numbers = Numbers::decided(!wants);
                    }
                }
            }
            let (numbers, best, second) = combined(&self.open[step.open..], wants);
            if numbers.no == 0 {
                answer = answer.or(Some(step.otherwise));
            }
            let (key, open) = (step.key, step.open);
            if let Some(answer) = answer {
                graph.keep(key, answer, self.nodes - step.nodes)?;
                settled = Some(answer);
            } else if numbers.yes >= step.limit.yes || numbers.no >= step.limit.no {
                let numbers = numbers.seen_by(wants);
                graph.note(key, numbers)?;
                if let [.., parent, _] = &self.path[..] {
                    self.open[parent.at].numbers = numbers;
                }
            } else {
                step.at = open + best;
                let next = self.open[step.at];
                let own = next.numbers.seen_by(wants);
                let limit = Numbers {
                    yes: step.limit.yes.min(second.saturating_add(second / 4).saturating_add(1)),
                    no: match step.limit.no {
                        IMPOSSIBLE => IMPOSSIBLE,
                        most => most - (numbers.no - own.no),
                    },
                };
                graph.go_to(step.at);
                self.next = Some((next.key, limit.seen_by(wants)));
                return Ok(None);
            }
            self.path.pop();
            self.open.truncate(open);
            graph.leave(key, open);
        }
        Ok(settled)
    }
}

/// Returns the numbers of a node as seen by the player to act, the index of its most promising
/// successor, and the number of the second-best successor.
fn combined<K>(open: &[Open<K>], wants: bool) -> (Numbers, usize, u32) {
    let (mut best, mut least, mut second) = (0, IMPOSSIBLE, IMPOSSIBLE);
    let mut no = 0u32;
    for (place, successor) in open.iter().enumerate() {
        let numbers = successor.numbers.seen_by(wants);
        if numbers.yes < least {
            (best, least, second) = (place, numbers.yes, least);
        } else {
            second = second.min(numbers.yes);
        }
        no = no.saturating_add(numbers.no).min(IMPOSSIBLE - 1);
    }
    (Numbers { yes: least, no }, best, second)
}
