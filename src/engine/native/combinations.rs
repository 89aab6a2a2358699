//! Combinations by rank: the members of a set that are chosen together, in the order in which they
//! are listed.

use crate::compile::program::MAX_PARAMETERS;

/// Returns the number of ways to choose `size` of `many`.
pub fn binomial(many: u32, size: u32) -> u64 {
    // Every quotient is a whole number: the binomial coefficient for `place + 1`.
    (0..size)
        .fold(1, |ways, place| ways * u64::from(many.saturating_sub(place)) / u64::from(place + 1))
}

/// Returns the combination of `size` of the numbers below `many` with that rank in lexicographic
/// order, ascending. There must be one.
pub fn combination(many: u32, size: u32, rank: u32) -> [u32; MAX_PARAMETERS] {
    let mut combination = [0; MAX_PARAMETERS];
    let (mut next, mut rank) = (0, u64::from(rank));
    for place in 0..size as usize {
        let more = size - 1 - place as u32;
        if more == 1 {
            // The pairs from the last one on: the lesser number is one less after 1, 2, 3, ...
            let left = u64::from(many - next);
            let behind = left * (left - 1) / 2 - 1 - rank;
            let row = ((8 * behind + 1).isqrt() - 1) / 2;
            let column = behind - row * (row + 1) / 2;
            combination[place] = next + (left - 2 - row) as u32;
            combination[place + 1] = next + (left - 1 - column) as u32;
            break;
        }
        if more == 0 {
            combination[place] = next + rank as u32;
            break;
        }
        loop {
            let here = binomial(many - next - 1, more);
            if rank < here {
                break;
            }
            rank -= here;
            next += 1;
        }
        combination[place] = next;
        next += 1;
    }
    combination
}
