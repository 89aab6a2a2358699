//! Every position that a game can come to.
//!
//! In: where a game begins, and how many plies may be followed. Out: the shortest game that goes
//! against a property, or that there is none. Rules of repetition are left aside: what they would
//! make of a game that goes round is for whoever plays it to see.

use super::question::{Property, Question};
use crate::deadline::Deadline;
use crate::engine::PackedMove;
use crate::engine::game::{Fault, Move, State};
use crate::engine::position::{Outcome, Position};
use indexmap::IndexMap;
use std::collections::VecDeque;

/// What looking for the shortest way round may cost, in plies followed.
const ROUND_COST: u64 = 20_000_000;

/// What was found.
pub enum Found {
    /// The shortest game that goes against the property.
    Against(Vec<PackedMove>),
    /// All positions; none of them is against the property.
    Nothing,
    /// Not all positions; but no game of so many plies is against the property.
    NothingUpTo(u32),
}

/// A game that goes round.
pub struct Cycle {
    /// From the first position to the one that comes again.
    pub way: Vec<PackedMove>,
    /// Once around.
    pub around: Vec<PackedMove>,
    /// Whether no game is shorter in which a position comes twice.
    pub shortest: bool,
}

/// The positions that were come to, each with where from, in the order in which they were: those of
/// fewer plies first.
pub struct ReachabilityGraph<'q> {
    question: &'q Question,
    state: State,
    positions: IndexMap<Position, Discovery>,
    plies: Vec<Transition>,
    /// Of each position that was looked at, where its plies end among all, and whether a ply from
    /// there ends the game.
    until: Vec<u32>,
    ends: Vec<bool>,
}

/// How a position was come to.
#[derive(Clone, Copy)]
struct Discovery {
    from: Option<(u32, PackedMove)>,
    depth: u32,
}

#[derive(Clone, Copy)]
struct Transition {
    to: u32,
    made: PackedMove,
}

impl<'q> ReachabilityGraph<'q> {
    pub fn new(question: &'q Question) -> ReachabilityGraph<'q> {
        let state = question.start.clone();
        ReachabilityGraph {
            question,
            state,
            positions: IndexMap::new(),
            plies: Vec::new(),
            until: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// How many positions were found.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Follows plies, those of the first positions first.
    ///
    /// # Errors
    /// Fails where the rules go round without end.
    pub fn explore(
        &mut self,
        property: Property,
        most: u64,
        deadline: &Deadline,
    ) -> Result<Found, Fault> {
        let mut deadline = deadline.clone();
        self.state.return_to(&self.question.start.mark());
        if self.is_against(property, 0) {
            return Ok(Found::Against(Vec::new()));
        }
        if self.state.outcome().is_some() {
            return Ok(Found::Nothing);
        }
        self.positions.insert(self.state.position(), Discovery { from: None, depth: 0 });
        let mut followed = 0;
        while let Some((position, &step)) = self.positions.get_index(self.until.len()) {
            let at = self.until.len() as u32;
            let position = position.clone();
            self.state.go_to(&position);
            let mut ends = false;
            for made in self.state.candidates() {
                followed += 1;
                if followed > most || deadline.is_over() {
                    return Ok(Found::NothingUpTo(step.depth));
                }
                self.state.go_to(&position);
                if !self.state.advance(made) {
                    continue;
                }
                if self.is_against(property, step.depth + 1) {
                    let mut way = self.path_to(at);
                    way.push(made);
                    return Ok(Found::Against(way));
                }
                if self.state.outcome().is_some() {
                    ends = true;
                    continue;
                }
                let entry = self.positions.entry(self.state.position());
                let to = entry.index() as u32;
                entry.or_insert(Discovery { from: Some((at, made)), depth: step.depth + 1 });
                self.plies.push(Transition { to, made });
            }
            if let Some(fault) = self.state.fault() {
                return Err(fault);
            }
            self.until.push(self.plies.len() as u32);
            self.ends.push(ends);
        }
        Ok(Found::Nothing)
    }

    /// Whether the position at hand, come to in so many plies, is by itself against the property.
    fn is_against(&mut self, property: Property, plies: u32) -> bool {
        match property {
            Property::Always { condition, so } => self.state.holds(condition) != so,
            Property::NotDrawn => self.state.outcome() == Some(Outcome::Draw),
            Property::EndsWithin(most) => plies >= most && self.state.outcome().is_none(),
            Property::NeverRepeats => false,
        }
    }

    /// The plies that lead to a position.
    fn path_to(&self, to: u32) -> Vec<PackedMove> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some((from, made)) = self.positions[at as usize].from {
            way.push(made);
            at = from;
        }
        way.reverse();
        way
    }

    fn after(&self, position: u32) -> &[Transition] {
        let at = position as usize;
        let from = at.checked_sub(1).map_or(0, |before| self.until[before]);
        &self.plies[from as usize..self.until[at] as usize]
    }

    /// Orders the positions such that each comes before those that it leads to; those that can come
    /// again, and those between two such, are left out. (A. B. Kahn, *Topological Sorting of Large
    /// Networks*, Communications of the ACM 5, 1962.)
    fn order(&self) -> Vec<u32> {
        let mut before = vec![0u32; self.len()];
        self.plies.iter().for_each(|ply| before[ply.to as usize] += 1);
        let mut order: Vec<u32> =
            (0..self.len() as u32).filter(|&position| before[position as usize] == 0).collect();
        let mut next = 0;
        while let Some(&position) = order.get(next) {
            next += 1;
            for ply in self.after(position) {
                before[ply.to as usize] -= 1;
                if before[ply.to as usize] == 0 {
                    order.push(ply.to);
                }
            }
        }
        order
    }

    /// By position, how many plies a game can go on from there, the last of which ends it; none
    /// where a position can come twice.
    fn lasting(&self) -> Option<Vec<u32>> {
        let order = self.order();
        if order.len() < self.len() {
            return None;
        }
        let mut lasting = vec![0u32; self.len()];
        for &position in order.iter().rev() {
            let on = self
                .after(position)
                .iter()
                .map(|ply| lasting[ply.to as usize] + 1)
                .max()
                .unwrap_or(0);
            lasting[position as usize] = on.max(u32::from(self.ends[position as usize]));
        }
        Some(lasting)
    }

    /// How many plies the longest game has, where all positions were looked at and none can come
    /// twice; and the first so many of them.
    pub fn longest(&self, first: u32) -> Option<(u32, Vec<PackedMove>)> {
        let lasting = self.lasting()?;
        let (mut way, mut at) = (Vec::new(), 0);
        while way.len() < first as usize
            && let Some(ply) = self.after(at).iter().max_by_key(|ply| lasting[ply.to as usize])
        {
            way.push(ply.made);
            at = ply.to;
        }
        Some((lasting.first().copied().unwrap_or(0), way))
    }

    /// By position, whether it can come again, or lies between two such.
    fn recurring(&self) -> Vec<bool> {
        let mut remains = vec![true; self.len()];
        self.order().into_iter().for_each(|position| remains[position as usize] = false);
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.len()];
        let mut after = vec![0u32; self.len()];
        for position in (0..self.len() as u32).filter(|&position| remains[position as usize]) {
            for ply in self.after(position).iter().filter(|ply| remains[ply.to as usize]) {
                before[ply.to as usize].push(position);
                after[position as usize] += 1;
            }
        }
        // What leads to none of them does not come again either.
        let mut last: Vec<u32> = (0..self.len() as u32)
            .filter(|&at| remains[at as usize] && after[at as usize] == 0)
            .collect();
        while let Some(position) = last.pop() {
            remains[position as usize] = false;
            for &earlier in &before[position as usize] {
                after[earlier as usize] -= 1;
                if after[earlier as usize] == 0 {
                    last.push(earlier);
                }
            }
        }
        remains
    }

    /// Finds a game that comes back to where it was, a short one, if there is any among all
    /// positions.
    pub fn find_cycle(&self) -> Option<Cycle> {
        let remains = self.recurring();
        let mut best: Option<(u32, Vec<PackedMove>)> = None;
        let mut length = u32::MAX;
        let mut cost = 0;
        let mut from: Vec<Option<(u32, PackedMove)>> = vec![None; self.len()];
        for position in (0..self.len() as u32).filter(|&position| remains[position as usize]) {
            let depth = self.positions[position as usize].depth;
            // Positions come in the order of their depth.
            if depth.saturating_add(1) >= length || cost > ROUND_COST {
                break;
            }
            let within = length - depth - 1;
            if let Some(around) = self.around(position, within, &remains, &mut from, &mut cost) {
                length = depth + around.len() as u32;
                best = Some((position, around));
            }
        }
        let (position, around) = best?;
        Some(Cycle { way: self.path_to(position), around, shortest: cost <= ROUND_COST })
    }

    /// The shortest way from a position back to it, of so many plies at most.
    fn around(
        &self,
        position: u32,
        within: u32,
        remains: &[bool],
        from: &mut [Option<(u32, PackedMove)>],
        cost: &mut u64,
    ) -> Option<Vec<PackedMove>> {
        let mut met = Vec::new();
        let mut queue = VecDeque::from([(position, 0)]);
        'search: while let Some((at, depth)) =
            queue.pop_front().filter(|&(_, depth)| depth < within)
        {
            for ply in self.after(at).iter().filter(|ply| remains[ply.to as usize]) {
                *cost += 1;
                if from[ply.to as usize].is_none() {
                    from[ply.to as usize] = Some((at, ply.made));
                    met.push(ply.to);
                    if ply.to == position {
                        break 'search;
                    }
                    queue.push_back((ply.to, depth + 1));
                }
            }
        }
        let mut around = Vec::new();
        let mut at = position;
        while let Some((before, made)) = from[at as usize] {
            around.push(made);
            at = before;
            if at == position {
                break;
            }
        }
        met.into_iter().for_each(|position| from[position as usize] = None);
        around.reverse();
        (!around.is_empty()).then_some(around)
    }

    /// Spells plies out.
    pub fn moves(&self, plies: &[PackedMove]) -> Vec<Move> {
        plies.iter().map(|&ply| self.question.game.spell_out(ply)).collect()
    }
}
