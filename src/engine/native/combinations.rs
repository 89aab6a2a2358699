//! Combinations by rank: the members of a set that are chosen together, in the order in which they
//! are listed.

use crate::compile::program::MAX_PARAMETERS;

/// Returns the number of ways to choose `size` of `many`.
fn binomial(many: u32, size: u32) -> u64 {
    // Every quotient is a whole number: that of the ways to choose as many so far.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_listed_by_rank() {
        for (many, size) in
            [(1, 1), (5, 1), (2, 2), (7, 2), (361, 2), (3, 3), (9, 3), (8, 5), (6, 6)]
        {
            let mut expected: Vec<u32> = (0..size).collect();
            for rank in 0..binomial(many, size) as u32 {
                let found = combination(many, size, rank);
                assert_eq!(found[..size as usize], expected, "{size} of {many}, {rank}");
                // The last number that can grow grows, and those after it follow it.
                let Some(place) =
                    (0..size).rev().find(|&place| expected[place as usize] < many - size + place)
                else {
                    assert_eq!(u64::from(rank) + 1, binomial(many, size));
                    break;
                };
                let grown = expected[place as usize] + 1;
                (place..size).for_each(|later| expected[later as usize] = grown + later - place);
            }
        }
    }
}
