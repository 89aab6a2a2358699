//! Lichen Chess on 5 columns of 3.
//!
//! Each of the eight stones has one byte per player, with one bit per direction, so that all tokens
//! of a player are one word.

use super::{Baseline, CAP, List, win};
use ludwright::engine::position::Outcome;

/// Clockwise from north, as columns to the right and rows down.
const DIRECTIONS: [(&str, i32, i32); 8] = [
    ("N", 0, -1),
    ("NE", 1, -1),
    ("E", 1, 0),
    ("SE", 1, 1),
    ("S", 0, 1),
    ("SW", -1, 1),
    ("W", -1, 0),
    ("NW", -1, -1),
];
const COLUMNS: i32 = 5;
const ROWS: i32 = 3;
const SQUARES: usize = 15;

/// Neighbour of each square by direction, `SQUARES` beyond the edge.
const NEXT: [[u8; 8]; 16] = {
    let mut next = [[SQUARES as u8; 8]; 16];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let (_, right, down) = DIRECTIONS[direction];
            let (column, row) = (square as i32 % COLUMNS + right, square as i32 / COLUMNS + down);
            if column >= 0 && column < COLUMNS && row >= 0 && row < ROWS {
                next[square][direction] = (row * COLUMNS + column) as u8;
            }
            direction += 1;
        }
        square += 1;
    }
    next
};

/// Content of a square without a stone, and of the square beyond the board.
const NONE: u8 = 8;
const BEYOND: u8 = 9;

/// Kingstones of the first and the second player.
const KINGS: [usize; 2] = [6, 1];

/// The part of a position that decides repetition.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    /// Tokens of White and of Black, eight bits per stone.
    tokens: [u64; 2],
    /// Square of each stone.
    squares: [u8; 8],
    hands: [u8; 2],
    mover: u8,
    moving: bool,
}

#[derive(Clone, Copy)]
pub struct Lichen {
    state: State,
    /// Stone on each square, `NONE` or `BEYOND`.
    stones: [u8; 16],
    /// Index of the position in the past, and of the first one that can recur: no token has left
    /// the game since.
    index: usize,
    since: usize,
    /// Whether tokens have returned to a hand since then; otherwise no position can have recurred.
    returned: bool,
    outcome: Option<Outcome>,
}

/// The positions of a game, by index.
pub struct Past(Box<[State]>);

impl Default for Past {
    fn default() -> Past {
        Past(vec![Lichen::start().state; CAP as usize + 1].into())
    }
}

const BYTES: u64 = 0x0101_0101_0101_0101;

/// Counts the bits of every byte.
#[inline(always)]
fn counts(word: u64) -> u64 {
    let pairs = word - (word >> 1 & (BYTES * 0x55));
    let fours = (pairs & (BYTES * 0x33)) + (pairs >> 2 & (BYTES * 0x33));
    (fours + (fours >> 4)) & (BYTES * 0x0f)
}

impl State {
    /// Stones that the mover controls, each as the highest bit of its byte: the difference of the
    /// counts plus 127 reaches that bit if it is positive.
    #[inline(always)]
    fn controlled(&self) -> u64 {
        let mover = usize::from(self.mover);
        (counts(self.tokens[mover]) + BYTES * 0x7f - counts(self.tokens[mover ^ 1]))
            & (BYTES * 0x80)
    }

    /// Compares positions. Stones other than the kings are interchangeable.
    fn is_same(&self, other: &State) -> bool {
        if (self.hands, self.mover, self.moving) != (other.hands, other.mover, other.moving) {
            return false;
        }
        (0..8).all(|stone| {
            let matching = if KINGS.contains(&stone) { stone..stone + 1 } else { 0..8 };
            let byte = |state: &State, stone: usize| {
                state.tokens.map(|tokens| (tokens >> (8 * stone)) as u8)
            };
            matching.into_iter().any(|twin| {
                KINGS.contains(&twin) == KINGS.contains(&stone)
                    && self.squares[stone] == other.squares[twin]
                    && byte(self, stone) == byte(other, twin)
            })
        })
    }
}

impl Lichen {
    /// Calls `see` with each candidate action (stone and direction) and whether it is legal.
    #[inline(always)]
    fn actions(&self, mut see: impl FnMut(u16, bool)) {
        let State { tokens, squares, hands, mover, .. } = self.state;
        let mine = tokens[usize::from(mover)];
        let has_tokens = hands[usize::from(mover)] > 0;
        // Widens the controlled stones to all eight bits of their bytes.
        let mut pointing = mine & ((self.state.controlled() >> 7) * 0xff);
        while pointing != 0 {
            let place = pointing.trailing_zeros() as usize;
            pointing &= pointing - 1;
            let direction = place % 8;
            let next = NEXT[usize::from(squares[place / 8]) % 16][direction];
            let stone = self.stones[usize::from(next) % 16];
            let is_mine = mine >> ((usize::from(stone) * 8 + direction) % 64) & 1 != 0;
            let colonizes = stone < NONE && has_tokens && !is_mine;
            see(place as u16, stone == NONE || colonizes);
        }
    }

    /// Places without a token.
    #[inline(always)]
    fn free(&self) -> u64 {
        !(self.state.tokens[0] | self.state.tokens[1])
    }

    /// Puts a token from the mover's hand on a place.
    #[inline(always)]
    fn put(&mut self, place: usize) {
        let mover = usize::from(self.state.mover);
        let other = mover ^ 1;
        let bit = 1 << place;
        if self.state.tokens[other] & bit != 0 {
            self.state.tokens[other] ^= bit;
            self.forget();
        }
        self.state.tokens[mover] |= bit;
        self.state.hands[mover] -= 1;
        if place / 8 == KINGS[other] {
            let [mine, theirs] = [mover, other]
                .map(|player| ((self.state.tokens[player] >> (place & !7)) as u8).count_ones());
            if mine > theirs {
                self.outcome = win(mover);
            }
        }
    }

    /// Notes that a token has left the game, so that no earlier position can recur.
    fn forget(&mut self) {
        self.since = self.index + 1;
        self.returned = false;
    }

    /// Clears the full stones that the mover controls.
    #[cold]
    fn harvest(&mut self) {
        let mover = usize::from(self.state.mover);
        let mut full = self.state.controlled();
        while full != 0 {
            let stone = full.trailing_zeros() / 8;
            full &= full - 1;
            let bits = 0xff << (8 * stone);
            if self.free() & bits != 0 {
                continue;
            }
            self.state.hands[mover] += (self.state.tokens[mover] & bits).count_ones() as u8;
            if self.state.tokens[mover ^ 1] & bits == 0 {
                self.returned = true;
            } else {
                self.forget();
            }
            self.state.tokens.iter_mut().for_each(|tokens| *tokens &= !bits);
        }
    }

    /// Starts the next player's turn.
    #[inline(always)]
    fn begin_turn(&mut self) {
        self.state.mover ^= 1;
        self.state.moving = false;
        // A full stone is a zero byte of the free places, found by the usual zero-byte test.
        let free = self.free();
        if free.wrapping_sub(BYTES) & !free & (BYTES * 0x80) != 0 {
            self.harvest();
        }
        if self.state.hands[usize::from(self.state.mover)] == 0 || self.free() == 0 {
            self.outcome = win(usize::from(self.state.mover ^ 1));
        }
    }

    #[cold]
    fn is_third(&self, past: &Past) -> bool {
        past.0[self.since..self.index].iter().filter(|before| before.is_same(&self.state)).count()
            >= 2
    }
}

const PASS: u16 = 64;

impl Baseline for Lichen {
    type Past = Past;

    fn start() -> Self {
        // Squares B1 C1 D1, A2 E2, B3 C3 D3.
        let squares = [1, 2, 3, 5, 9, 11, 12, 13];
        let mut stones = [NONE; 16];
        stones[SQUARES] = BEYOND;
        for (stone, &square) in (0..).zip(&squares) {
            stones[usize::from(square)] = stone;
        }
        let tokens = [0x01_01_01 << 40, 0x10_10_10];
        let state = State { tokens, squares, hands: [20; 2], mover: 0, moving: false };
        Lichen { state, stones, index: 0, since: 0, returned: false, outcome: None }
    }

    #[inline(always)]
    fn list(&self, plies: &mut List) {
        if self.outcome.is_some() {
            return;
        }
        if self.state.moving {
            plies.push_if(true, PASS);
            self.actions(|ply, legal| plies.push_if(legal, ply));
        } else {
            plies.push_many_bits(self.free());
        }
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        if self.outcome.is_some() {
            return 0;
        }
        if !self.state.moving {
            return u64::from(self.free().count_ones());
        }
        let mut count = 1;
        self.actions(|_, legal| count += u64::from(legal));
        count
    }

    #[inline(always)]
    fn play(&mut self, ply: u16, past: &mut Past) {
        let place = usize::from(ply);
        if !self.state.moving {
            self.put(place);
            self.state.moving = true;
        } else {
            if ply != PASS {
                let (stone, direction) = (place / 8, place % 8);
                let from = self.state.squares[stone];
                let to = NEXT[usize::from(from) % 16][direction];
                match self.stones[usize::from(to) % 16] {
                    NONE => {
                        self.stones[usize::from(from) % 16] = NONE;
                        self.stones[usize::from(to) % 16] = stone as u8;
                        self.state.squares[stone] = to;
                    }
                    other => self.put(usize::from(other) * 8 + direction),
                }
            }
            if self.outcome.is_none() {
                self.begin_turn();
            }
        }
        self.index += 1;
        past.0[self.index] = self.state;
        if self.returned && self.outcome.is_none() && self.is_third(past) {
            self.outcome = Some(Outcome::Draw);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn spell(&self, ply: u16) -> String {
        if ply == PASS {
            return "pass".into();
        }
        let label = |square: u8| format!("{}{}", char::from(b'A' + square % 5), square / 5 + 1);
        let (stone, direction) = (usize::from(ply) / 8, usize::from(ply) % 8);
        let from = self.state.squares[stone];
        let to = NEXT[usize::from(from)][direction];
        match self.state.moving {
            false => format!("place {} {}", label(from), DIRECTIONS[direction].0),
            true if self.stones[usize::from(to)] == NONE => {
                format!("move {}-{}", label(from), label(to))
            }
            true => format!("colonize {}-{}", label(from), label(to)),
        }
    }
}
