//! Makes relations, by the laws that put what is spelled differently into one form.

use super::{GuardId, LoopId, RelationId, RelationTerm, SetId, Stuck, Terms};
use crate::board::Direction;
use crate::syntax::Span;

impl Terms<'_> {
    /// Returns the identity on a set.
    pub fn test(&mut self, set: SetId) -> RelationId {
        match set {
            SetId::NONE => RelationId::NONE,
            _ => self.relation(RelationTerm::Test(set)),
        }
    }

    /// Returns the pairs of a site of the first set and one of the second.
    pub fn product(&mut self, a: SetId, b: SetId) -> RelationId {
        match a == SetId::NONE || b == SetId::NONE {
            true => RelationId::NONE,
            false => self.relation(RelationTerm::Product(a, b)),
        }
    }

    /// Returns one step in any of the directions of the mask.
    pub fn step(&mut self, mask: u16) -> RelationId {
        match mask {
            0 => RelationId::NONE,
            _ => self.relation(RelationTerm::Step(mask)),
        }
    }

    /// Returns the steps of a path.
    pub fn path(&mut self, path: &[Direction]) -> RelationId {
        path.iter().rev().fold(RelationId::SAME, |rest, direction| {
            let step = self.step(1 << direction.index());
            self.then(step, rest)
        })
    }

    /// Returns a ray in the directions of the mask, through sites of the set.
    pub fn ray(&mut self, mask: u16, through: SetId) -> RelationId {
        match mask {
            0 => RelationId::NONE,
            _ => self.relation(RelationTerm::Ray(mask, through)),
        }
    }

    /// Notes the text that a relation was lowered from.
    pub(super) fn note(&mut self, relation: RelationId, span: Span) {
        self.spans.insert(relation, span);
    }

    /// Returns what is connected within a set by steps in the directions of the mask.
    pub fn flood(&mut self, mask: u16, within: SetId) -> RelationId {
        match within {
            SetId::NONE => RelationId::NONE,
            _ if mask == 0 => self.test(within),
            _ => self.relation(RelationTerm::Flood(mask, within)),
        }
    }

    /// Returns any number of steps of a relation, or none.
    pub fn star(&mut self, step: RelationId) -> RelationId {
        let (mask, within) = match *self.relation_term(step) {
            RelationTerm::None | RelationTerm::Test(_) => return RelationId::SAME,
            RelationTerm::Step(mask) => (mask, SetId::BOARD),
            RelationTerm::Then(first, last) => {
                match (self.relation_term(first), self.relation_term(last)) {
                    (&RelationTerm::Step(mask), &RelationTerm::Test(within)) => (mask, within),
                    _ => return self.relation(RelationTerm::Star(step)),
                }
            }
            _ => return self.relation(RelationTerm::Star(step)),
        };
        let (first, flood) = (self.step(mask), self.flood(mask, within));
        let steps = self.then(first, flood);
        self.union(RelationId::SAME, steps)
    }

    /// Returns one relation after the other.
    pub fn then(&mut self, a: RelationId, b: RelationId) -> RelationId {
        match (self.relation_term(a), self.relation_term(b)) {
            (RelationTerm::None, _) | (_, RelationTerm::None) => RelationId::NONE,
            (&RelationTerm::Test(SetId::BOARD), _) => b,
            (_, &RelationTerm::Test(SetId::BOARD)) => a,
            (&RelationTerm::Test(one), &RelationTerm::Test(other)) => {
                let both = self.and(one, other);
                self.test(both)
            }
            (&RelationTerm::Test(one), &RelationTerm::Product(from, to)) => {
                let from = self.and(one, from);
                self.product(from, to)
            }
            (&RelationTerm::Then(first, next), _) => {
                let rest = self.then(next, b);
                self.then(first, rest)
            }
            (&RelationTerm::Test(one), &RelationTerm::Then(test, rest)) => {
                match *self.relation_term(test) {
                    RelationTerm::Test(other) => {
                        let both = self.and(one, other);
                        let both = self.test(both);
                        self.then(both, rest)
                    }
                    _ => self.relation(RelationTerm::Then(a, b)),
                }
            }
            (_, &RelationTerm::Product(from, to)) => match self.preimage(a, from) {
                Ok(from) => self.product(from, to),
                Err(_) => self.relation(RelationTerm::Then(a, b)),
            },
            (&RelationTerm::Product(from, to), _) => {
                let back = self.converse(b);
                match self.preimage(back, to) {
                    Ok(to) => self.product(from, to),
                    Err(_) => self.relation(RelationTerm::Then(a, b)),
                }
            }
            _ => self.relation(RelationTerm::Then(a, b)),
        }
    }

    /// Returns the union.
    pub fn union(&mut self, a: RelationId, b: RelationId) -> RelationId {
        match (self.relation_term(a), self.relation_term(b)) {
            _ if a == b => a,
            (RelationTerm::None, _) => b,
            (_, RelationTerm::None) => a,
            _ if a == RelationId::ALL || b == RelationId::ALL => RelationId::ALL,
            (&RelationTerm::Test(one), &RelationTerm::Test(other)) => {
                let either = self.or(one, other);
                self.test(either)
            }
            (&RelationTerm::Step(one), &RelationTerm::Step(other)) => self.step(one | other),
            (&RelationTerm::Ray(one, through), &RelationTerm::Ray(other, passed))
                if through == passed =>
            {
                self.ray(one | other, through)
            }
            (
                &RelationTerm::Minus(RelationId::ALL, one),
                &RelationTerm::Minus(RelationId::ALL, other),
            ) => {
                let both = self.both(one, other);
                self.difference(RelationId::ALL, both)
            }
            (&RelationTerm::Product(from, to), &RelationTerm::Product(one, other)) => {
                if from == one {
                    let to = self.or(to, other);
                    self.product(from, to)
                } else if to == other {
                    let from = self.or(from, one);
                    self.product(from, to)
                } else {
                    self.relation(RelationTerm::Or(a, b))
                }
            }
            (&RelationTerm::Then(first, next), &RelationTerm::Then(one, other)) => {
                if first == one {
                    let next = self.union(next, other);
                    self.then(first, next)
                } else if next == other {
                    let first = self.union(first, one);
                    self.then(first, next)
                } else {
                    self.relation(RelationTerm::Or(a, b))
                }
            }
            _ => self.relation(RelationTerm::Or(a, b)),
        }
    }

    /// Returns the intersection.
    pub fn both(&mut self, a: RelationId, b: RelationId) -> RelationId {
        match (self.relation_term(a), self.relation_term(b)) {
            _ if a == b => a,
            (RelationTerm::None, _) | (_, RelationTerm::None) => RelationId::NONE,
            (&RelationTerm::Test(one), &RelationTerm::Test(other)) => {
                let both = self.and(one, other);
                self.test(both)
            }
            (_, &RelationTerm::Product(from, to)) => self.restricted(from, a, to),
            (&RelationTerm::Product(from, to), _) => self.restricted(from, b, to),
            (_, &RelationTerm::Minus(RelationId::ALL, out)) => self.difference(a, out),
            (&RelationTerm::Minus(RelationId::ALL, out), _) => self.difference(b, out),
            _ => self.relation(RelationTerm::And(a.min(b), a.max(b))),
        }
    }

    /// Returns the pairs of a relation that lead from one set to the other.
    pub fn restricted(&mut self, from: SetId, relation: RelationId, to: SetId) -> RelationId {
        let (from, to) = (self.test(from), self.test(to));
        let relation = self.then(relation, to);
        self.then(from, relation)
    }

    /// Returns the difference.
    pub fn difference(&mut self, a: RelationId, b: RelationId) -> RelationId {
        match (self.relation_term(a), self.relation_term(b)) {
            _ if a == b => RelationId::NONE,
            (RelationTerm::None, _) => RelationId::NONE,
            (_, RelationTerm::None) => a,
            (&RelationTerm::Test(one), &RelationTerm::Test(other)) => {
                let rest = self.minus(one, other);
                self.test(rest)
            }
            // Other sites: a union is taken apart, since each part has a preimage.
            (&RelationTerm::Or(one, other), _) if b == RelationId::SAME => {
                let (one, other) = (self.difference(one, b), self.difference(other, b));
                self.union(one, other)
            }
            // Twice the complement.
            (_, &RelationTerm::Minus(RelationId::ALL, rest)) => self.both(a, rest),
            _ => self.relation(RelationTerm::Minus(a, b)),
        }
    }

    /// Returns from each site the one that bit planes name there.
    pub fn stored(&mut self, planes: Vec<SetId>) -> RelationId {
        self.relation(RelationTerm::Stored(planes))
    }

    /// Returns the relation if the guard holds, else no pair.
    pub(super) fn relation_under(&mut self, guard: GuardId, relation: RelationId) -> RelationId {
        match relation {
            RelationId::NONE => relation,
            _ => self.relation(RelationTerm::Guarded(guard, relation)),
        }
    }

    /// Returns a relation that is only known site by site, and why.
    pub(super) fn loop_over(&mut self, why: Stuck) -> RelationId {
        let id = LoopId(self.loops.len() as u32);
        self.loops.push(why);
        self.relation(RelationTerm::Loop(id, false))
    }
}
