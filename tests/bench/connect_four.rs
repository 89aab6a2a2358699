//! Makes positions of Connect Four in which exactly one column keeps the value: plays games between
//! weak players, and solves by a search written by hand for this game alone.

use super::Settings;
use super::baselines::connect_four::{BOARD, BOTTOM, COLUMN, has_line};
use super::games::load;
use super::positions::{after, make_ply};
use ludwright::engine::game::{Game, Move};
use ludwright::random::{Random, mix};

/// The number of positions.
const COUNT: usize = 200;
/// The fewest and the most plies before them.
const PLIES: std::ops::Range<u64> = 14..26;
/// The columns in the order in which they are tried, by the shift of their first site.
const ORDER: [u32; 7] = [21, 14, 28, 7, 35, 0, 42];
/// The entries of the table of values, a power of two.
const ENTRIES: usize = 1 << 23;

/// A search for values: 1 for a win of the player to act, 0 for a draw, -1 for a loss.
struct Solver {
    /// Keys of positions with the least and the greatest possible value.
    table: Vec<(u64, [i8; 2])>,
}

impl Solver {
    /// Returns the value within a window. `mine` are the discs of the player to act.
    fn value(&mut self, mine: u64, all: u64, mut alpha: i8, mut beta: i8) -> i8 {
        let (theirs, landings) = (mine ^ all, (all + BOTTOM) & BOARD);
        let lands = |first: u32| landings & (0b11_1111 << first);
        let mut forced = 0;
        for bit in ORDER.map(lands).into_iter().filter(|&bit| bit != 0) {
            if has_line(mine | bit) {
                return 1;
            }
            forced |= if has_line(theirs | bit) { bit } else { 0 };
        }
        if landings == 0 || forced.count_ones() > 1 {
            return if landings == 0 { 0 } else { -1 };
        }
        let tried = if forced != 0 { forced } else { landings };
        let key = mine + all + BOTTOM;
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (ENTRIES - 1);
        let (known, [low, high]) = self.table[place];
        let [low, high] = if known == key { [low, high] } else { [-1, 1] };
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return if low >= beta { low } else { high };
        }
        let (least, mut best) = (alpha, -1);
        for bit in ORDER.map(lands).into_iter().filter(|bit| bit & tried != 0) {
            best = best.max(-self.value(theirs, all | bit, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        let bounds = match best {
            best if best >= beta => [best, high],
            best if best > least => [best, best],
            _ => [low, best],
        };
        self.table[place] = (key, bounds);
        best
    }

    /// Returns the columns, from 0, that keep the value, and whether the first of them wins at
    /// once.
    fn right(&mut self, columns: &str) -> (Vec<u32>, bool) {
        let (mut mine, mut all) = (0u64, 0u64);
        let land =
            |all: u64, column: u32| ((all + BOTTOM) & BOARD) & (0b11_1111 << (COLUMN * column));
        for column in columns.bytes() {
            let bit = land(all, u32::from(column - b'1'));
            // The player who has just moved is the other one from now on.
            (mine, all) = (mine ^ all, all | bit);
        }
        let rated: Vec<(u32, i8, u64)> = (0..7)
            .map(|column| (column, land(all, column)))
            .filter(|&(_, bit)| bit != 0)
            .map(|(column, bit)| match has_line(mine | bit) {
                true => (column, 1, bit),
                false => (column, -self.value(mine ^ all, all | bit, -1, 1), bit),
            })
            .collect();
        let most = rated.iter().map(|rated| rated.1).max();
        let right = || rated.iter().filter(|rated| Some(rated.1) == most);
        let wins = right().next().is_some_and(|&(_, _, bit)| has_line(mine | bit));
        (right().map(|rated| rated.0).collect(), wins)
    }
}

/// Prints positions with exactly one column that keeps the value and does not win at once: the
/// columns of the plies before, and the right one. None of them, or its image, comes twice.
pub fn make(_: &Settings) {
    let game = load("connect-four", &[]);
    let mut solver = Solver { table: vec![(0, [0; 2]); ENTRIES] };
    let mut seen = std::collections::HashSet::new();
    let mut made = 0;
    for number in 0u64.. {
        let mut random = Random::new(mix(4, number));
        let plies = PLIES.start + number % (PLIES.end - PLIES.start);
        let mut state = game.begin().expect("a first position");
        let mut columns = String::new();
        while (columns.len() as u64) < plies {
            let Some(ply) = make_ply(&state, &mut random) else { break };
            columns.push(column(&game, &ply));
            state.play(&ply).expect("a legal ply");
        }
        let hash = |columns: &str| after(&game, columns).hash();
        let image =
            columns.bytes().map(|column| char::from(b'1' + b'7' - column)).collect::<String>();
        if state.outcome().is_some() || !seen.insert(hash(&columns)) {
            continue;
        }
        seen.insert(hash(&image));
        if let (right, false) = solver.right(&columns)
            && let [only] = right[..]
        {
            println!("{columns} {}", only + 1);
            made += 1;
            if made == COUNT {
                return;
            }
        }
    }
}

/// The column of a ply, from 1.
pub fn column(game: &Game, ply: &Move) -> char {
    let spelled = ludwright::notation::spell(game.rules(), ply);
    let file = spelled.bytes().rev().find(u8::is_ascii_lowercase).expect("a column");
    char::from(file - b'a' + b'1')
}
