//! Steps in a direction as constant shifts, and the masks that keep shifted sets on the board.

use smallvec::SmallVec;

/// A set of sites that is known when code is made, word by word.
pub type WordSet = SmallVec<[u64; 4]>;

/// How a set takes one step in a direction.
#[derive(Debug)]
pub struct Steps {
    /// The sites that each part moves, and by how much: one part, except on boards whose directions
    /// are not one constant shift.
    parts: Vec<(WordSet, i32)>,
    /// Where there is one part: how many steps one after the other lead on at most; as many as
    /// there are sites where they lead round and round.
    longest: i32,
    /// All sites of the board.
    board: WordSet,
}

impl Steps {
    /// The steps that such parts make up on a board with those sites, whose numbers are below
    /// `slots`.
    pub fn new(parts: Vec<(WordSet, i32)>, board: WordSet, slots: usize) -> Steps {
        let mut steps = Steps { parts, longest: 0, board };
        let mut front = match &steps.parts[..] {
            [(from, _)] => from.clone(),
            _ => WordSet::new(),
        };
        while front.iter().any(|&word| word != 0) && steps.longest < slots as i32 {
            front = steps.step(&front);
            steps.longest += 1;
        }
        steps
    }

    /// The parts: the sites that each moves, and by how much.
    pub fn parts(&self) -> &[(WordSet, i32)] {
        &self.parts
    }

    /// By how much every site is moved, where it is the same for all of them.
    pub fn one_shift(&self) -> Option<i32> {
        match self.parts[..] {
            [(_, delta)] => Some(delta),
            _ => None,
        }
    }

    /// What must be left of the board's sites that are in a set and in all of those that so many
    /// shifts lead to, so that steps lead there. It must be [one shift](Steps::one_shift).
    pub fn ends(&self, shifts: u32) -> WordSet {
        let delta = self.one_shift().unwrap_or_default();
        let shift = |set: WordSet| and(&shifted(&set, delta), &self.board);
        let led = (0..shifts).fold(self.board.clone(), |set, _| self.step(&set));
        let shifted = (0..shifts).fold(self.board.clone(), |set, _| shift(set));
        shifted.iter().zip(&led).map(|(shifted, led)| !(shifted & !led)).collect()
    }

    /// What must be left of a set of the board's sites so that only those of `from` are moved by
    /// that much: what is moved out of all words need not be taken away before.
    pub fn kept(&self, from: &[u64], delta: i32) -> WordSet {
        let others: WordSet =
            self.board.iter().zip(from).map(|(board, from)| board & !from).collect();
        let staying = shifted(&shifted(&others, delta), -delta);
        staying.iter().map(|word| !word).collect()
    }

    /// How many steps one after the other lead on at most, or one more. It must be [one
    /// shift](Steps::one_shift).
    pub fn longest(&self) -> i32 {
        self.longest
    }

    /// The sites one step from those of the set.
    fn step(&self, set: &[u64]) -> WordSet {
        let none = WordSet::from_elem(0, set.len());
        self.parts.iter().fold(none, |all, (from, delta)| {
            let moved = shifted(&and(set, from), *delta);
            all.iter().zip(moved).map(|(all, moved)| all | moved).collect()
        })
    }
}

fn and(one: &[u64], other: &[u64]) -> WordSet {
    one.iter().zip(other).map(|(one, other)| one & other).collect()
}

/// Every number raised by `delta`, which may be below zero; what leaves the words is lost.
fn shifted(set: &[u64], delta: i32) -> WordSet {
    let (whole, part) = ((delta.unsigned_abs() / 64) as usize, delta.unsigned_abs() % 64);
    let moved = (0..set.len()).map(|index| {
        let near = if delta >= 0 { index.checked_sub(whole) } else { index.checked_add(whole) };
        let far = near
            .and_then(|near| if delta >= 0 { near.checked_sub(1) } else { near.checked_add(1) });
        let [near, far] =
            [near, far].map(|place| place.and_then(|place| set.get(place)).copied().unwrap_or(0));
        match (part, delta >= 0) {
            (0, _) => near,
            (_, true) => near << part | far >> (64 - part),
            (_, false) => near >> part | far << (64 - part),
        }
    });
    moved.collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::bits::Bits;
    use super::*;

    #[test]
    fn shifts_as_sets_of_a_fixed_width_do() {
        let set: Bits<3> = [0, 1, 7, 62, 63, 64, 100, 127, 128, 190, 191].into_iter().collect();
        for by in [0, 1, 7, 63, 64, 65, 100, 128, 191, 192] {
            assert_eq!(shifted(&set.0, by)[..], set.up(by as u32).0, "{by}");
            assert_eq!(shifted(&set.0, -by)[..], set.down(by as u32).0, "-{by}");
        }
    }
}
