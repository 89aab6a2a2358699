//! Steps in a direction as constant shifts, with the masks that keep shifted sets on the board.

use smallvec::SmallVec;

/// A set of sites as a compile-time constant, word by word.
pub type WordSet = SmallVec<[u64; 4]>;

/// The steps in one direction.
#[derive(Debug)]
pub struct Steps {
    /// The sites that each part moves, and by how much. There is one part if the direction is one
    /// constant shift.
    parts: Vec<(WordSet, i32)>,
    /// If there is one part: at most one more than the steps of the longest line; the number of
    /// sites if lines are endless.
    longest: i32,
    /// All that sets can hold: the sites of the board, and the passages of its tracks.
    board: WordSet,
}

impl Steps {
    /// Makes the steps with these parts on a board with these sites and passages, all numbered
    /// below `slots`.
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

    /// Returns the parts: the sites that each moves, and by how much.
    pub fn parts(&self) -> &[(WordSet, i32)] {
        &self.parts
    }

    /// Returns by how much all sites are moved, if it is the same for all.
    pub fn one_shift(&self) -> Option<i32> {
        match self.parts[..] {
            [(_, delta)] => Some(delta),
            _ => None,
        }
    }

    /// Returns the mask that clears those sites to which `shifts` plain shifts lead across an edge,
    /// so that only true steps are left. It must be [one shift](Steps::one_shift).
    pub fn ends(&self, shifts: u32) -> WordSet {
        let delta = self.one_shift().unwrap_or_default();
        let shift = |set: WordSet| and(&shifted(&set, delta), &self.board);
        let led = (0..shifts).fold(self.board.clone(), |set, _| self.step(&set));
        let shifted = (0..shifts).fold(self.board.clone(), |set, _| shift(set));
        shifted.iter().zip(&led).map(|(shifted, led)| !(shifted & !led)).collect()
    }

    /// Returns the mask that clears those board sites that are not in `from` before a shift. Sites
    /// that the shift moves out of all words need not be cleared, which often makes the mask
    /// trivial.
    pub fn kept(&self, from: &[u64], delta: i32) -> WordSet {
        let others: WordSet =
            self.board.iter().zip(from).map(|(board, from)| board & !from).collect();
        let staying = shifted(&shifted(&others, delta), -delta);
        staying.iter().map(|word| !word).collect()
    }

    /// Returns an upper bound on the steps of a line, at most one too high. It must be [one
    /// shift](Steps::one_shift).
    pub fn longest(&self) -> i32 {
        self.longest
    }

    /// Returns the sites one step from the set.
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

/// Adds `delta`, which may be negative, to every site number; sites that leave the words are lost.
pub fn shifted(set: &[u64], delta: i32) -> WordSet {
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
