//! The heads of an evaluation: sums that say what a position is worth, and the sets of weights that
//! each head adds up.
//!
//! Each side has a set of weights that counts in all of its positions. But the worth of a position
//! depends on what comes next: placing a piece or moving one, the first ply of a turn or the
//! second. So a side that acts at several points in the order of play has a head for each point.
//! Such a head adds up the side's set, which all of its points share, and a set of its own.

use super::sides::Exchange;
use crate::compile::program::{DecisionCode, Program};
use crate::engine::position::Position;
use std::collections::BTreeSet;
use std::ops::Range;

/// The most weights of all sets; with more, points have no sets of their own.
const MAX_WEIGHTS: usize = 1 << 22;

/// A point is rare if fewer than one in this many positions is there.
const RARE: usize = 100;

/// A sum of weights.
#[derive(Clone, Debug)]
pub struct Head {
    /// The sets whose weights are added up: the side's set and, if there is one, the point's.
    pub sets: Vec<usize>,
    /// The name of its point in the order of play; `None` if the head counts at several points.
    pub point: Option<String>,
}

/// The heads of a game's evaluations.
#[derive(Debug)]
pub struct Heads {
    pub all: Vec<Head>,
    /// The number of sets of weights.
    pub sets: usize,
    /// By decision, the first of its heads.
    first: Vec<usize>,
    /// The number of heads of a position.
    each: usize,
}

impl Heads {
    /// Determines the heads from `samples`, positions of random games with their numbers of moves.
    /// `weights` is the number of weights of a set. Sides that can be exchanged share their sets.
    pub fn new(
        program: &Program,
        players: usize,
        exchange: Option<&Exchange>,
        weights: usize,
        samples: &[(Position, u32)],
    ) -> Heads {
        let sides = if exchange.is_some() { 1 } else { players.max(1) };
        // With three or more players each has a sum, whoever is to act.
        let each = if players > 2 { players } else { 1 };
        let side = |decision: usize| match each {
            1 => program.teams.of(program.decisions[decision].mover).index().min(sides - 1),
            _ => 0,
        };
        let of = if each == 1 { points(program, exchange, samples, &side) } else { Vec::new() };
        let points: BTreeSet<usize> = of.iter().copied().collect();
        if points.len() > sides && (sides + points.len()) * weights <= MAX_WEIGHTS {
            let head = |(index, &point): (usize, &usize)| Head {
                sets: vec![side(point), sides + index],
                point: Some(name(program, point)),
            };
            let all = points.iter().enumerate().map(head).collect();
            let first = of.into_iter().map(|point| points.range(..point).count()).collect();
            return Heads { all, sets: sides + points.len(), first, each };
        }
        let head = |side: usize| Head { sets: vec![side], point: None };
        let first = (0..program.decisions.len()).map(side).collect();
        Heads { all: (0..sides).map(head).collect(), sets: sides, first, each }
    }

    /// Tests if there are weights for points in the order of play.
    pub fn has_points(&self) -> bool {
        self.all.iter().any(|head| head.point.is_some())
    }

    /// Returns the heads of positions at this decision; the first heads if there is none.
    #[inline]
    pub fn at(&self, decision: usize) -> Range<usize> {
        let first = self.first.get(decision).copied().unwrap_or(0);
        first..first + self.each
    }
}

/// Returns the point of each decision, as the first decision at that point. Decisions that the
/// exchange of the sides maps to each other are one point. A decision that is rare, or leaves
/// nothing to choose, counts with the most common point of its side: a set of its own would learn
/// less than it takes away from the side's set.
fn points(
    program: &Program,
    exchange: Option<&Exchange>,
    samples: &[(Position, u32)],
    side: &dyn Fn(usize) -> usize,
) -> Vec<usize> {
    let mut points: Vec<usize> = Vec::new();
    for decision in 0..program.decisions.len() {
        let partner = exchange.map_or(decision, |exchange| exchange.decision(decision));
        points.push(if partner < decision { points[partner] } else { decision });
    }
    let mut counts = vec![0; points.len()];
    let mut has_choice = vec![false; points.len()];
    for (position, moves) in samples {
        if let Some(&point) = points.get(position.decision()) {
            counts[point] += 1;
            has_choice[point] |= *moves > 1;
        }
    }
    let stays = |point: usize| has_choice[point] && counts[point] * RARE >= samples.len();
    let usual = |point: usize| {
        let alike = points.iter().copied().filter(|&other| side(other) == side(point));
        alike.max_by_key(|&other| counts[other]).unwrap_or(point)
    };
    points.iter().map(|&point| if stays(point) { point } else { usual(point) }).collect()
}

/// Names the point of a decision: its phase, and its step where there are several.
fn name(program: &Program, decision: usize) -> String {
    let DecisionCode { mover, phase, step, .. } = &program.decisions[decision];
    let alike =
        program.decisions.iter().filter(|code| code.mover == *mover && code.phase == *phase);
    match phase {
        Some(phase) if alike.count() == 1 => phase.clone(),
        Some(phase) => format!("{phase}, step {step}"),
        None => format!("step {step}"),
    }
}
