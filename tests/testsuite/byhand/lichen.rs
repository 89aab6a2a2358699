//! Lichen Chess by hand: stones bear tokens in eight places, and the player with more tokens on a
//! stone controls it.

use super::ByHand;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    White,
    Black,
}

#[derive(Clone, PartialEq)]
struct Stone {
    /// Owner, if this is a kingstone.
    king_of: Option<Side>,
    /// Tokens in the order of `DIRECTIONS`.
    tokens: [Option<Side>; 8],
}

/// The eight directions: name, columns to the right, rows down.
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
const NORTH: usize = 0;
const SOUTH: usize = 4;

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Place,
    Act,
}

/// Everything that determines the continuations.
#[derive(Clone, PartialEq)]
struct Position {
    /// Row by row from the top, each from the left.
    squares: Vec<Option<Stone>>,
    white_hand: usize,
    black_hand: usize,
    to_move: Side,
    phase: Phase,
}

#[derive(Clone)]
pub struct Lichen {
    columns: usize,
    first_column: u8,
    any_pointer: bool,
    now: Position,
    /// All positions of the game, including the current one.
    history: Vec<Position>,
    result: Option<String>,
}

impl Lichen {
    pub fn new(hand: usize, forward: bool, any_pointer: bool, wings: bool) -> Lichen {
        let columns = if wings { 5 } else { 3 };
        let first_column = if wings { b'A' } else { b'B' };
        let mut squares: Vec<Option<Stone>> = vec![None; columns * 3];
        for x in 0..columns {
            let column = first_column + x as u8;
            if column == b'A' || column == b'E' {
                squares[columns + x] = Some(Stone { king_of: None, tokens: [None; 8] });
                continue;
            }
            let king = column == b'C';
            let mut black = Stone { king_of: king.then_some(Side::Black), tokens: [None; 8] };
            black.tokens[if forward { SOUTH } else { NORTH }] = Some(Side::Black);
            squares[x] = Some(black);
            let mut white = Stone { king_of: king.then_some(Side::White), tokens: [None; 8] };
            white.tokens[if forward { NORTH } else { SOUTH }] = Some(Side::White);
            squares[2 * columns + x] = Some(white);
        }
        let now = Position {
            squares,
            white_hand: hand,
            black_hand: hand,
            to_move: Side::White,
            phase: Phase::Place,
        };
        Lichen { columns, first_column, any_pointer, history: vec![now.clone()], now, result: None }
    }

    fn label(&self, square: usize) -> String {
        let column = (self.first_column + (square % self.columns) as u8) as char;
        format!("{column}{}", square / self.columns + 1)
    }

    fn square(&self, label: &str) -> usize {
        (0..self.columns * 3).find(|&s| self.label(s) == label).expect("a square of the board")
    }

    /// The next square in a direction, `None` beyond the edge.
    fn next(&self, square: usize, direction: usize) -> Option<usize> {
        let (_, dx, dy) = DIRECTIONS[direction];
        let x = (square % self.columns) as i32 + dx;
        let y = (square / self.columns) as i32 + dy;
        let inside = x >= 0 && x < self.columns as i32 && (0..3).contains(&y);
        inside.then(|| y as usize * self.columns + x as usize)
    }

    /// The direction from a square to an adjacent one.
    fn direction(&self, from: usize, to: usize) -> usize {
        (0..8).find(|&d| self.next(from, d) == Some(to)).expect("adjacent squares")
    }

    fn hand(&mut self, side: Side) -> &mut usize {
        match side {
            Side::White => &mut self.now.white_hand,
            Side::Black => &mut self.now.black_hand,
        }
    }

    fn in_hand(&self, side: Side) -> usize {
        match side {
            Side::White => self.now.white_hand,
            Side::Black => self.now.black_hand,
        }
    }

    fn controls_kingstone_of_other(&self, side: Side) -> bool {
        self.now
            .squares
            .iter()
            .flatten()
            .any(|stone| stone.king_of == Some(other(side)) && controls(side, stone))
    }

    /// Clears the full stones that the player to move controls.
    fn harvest(&mut self) {
        let me = self.now.to_move;
        for square in 0..self.now.squares.len() {
            let Some(stone) = &mut self.now.squares[square] else {
                continue;
            };
            if stone.tokens.iter().all(|t| t.is_some()) && controls(me, stone) {
                let own = count(me, stone);
                stone.tokens = [None; 8];
                *self.hand(me) += own;
            }
        }
    }

    /// Passes the turn to the other player, who harvests, and loses if he cannot place.
    fn end_turn(&mut self) {
        self.now.to_move = other(self.now.to_move);
        self.now.phase = Phase::Place;
        self.harvest();
        let me = self.now.to_move;
        let room = self.now.squares.iter().flatten().any(|s| s.tokens.iter().any(|t| t.is_none()));
        if self.in_hand(me) == 0 || !room {
            self.result = Some(format!("{} wins", name(other(me))));
        }
    }
}

fn count(side: Side, stone: &Stone) -> usize {
    stone.tokens.iter().filter(|t| **t == Some(side)).count()
}

fn controls(side: Side, stone: &Stone) -> bool {
    count(side, stone) > count(other(side), stone)
}

fn other(side: Side) -> Side {
    match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

impl ByHand for Lichen {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.result.is_some() {
            return moves;
        }
        let me = self.now.to_move;
        if self.now.phase == Phase::Act {
            moves.push("pass".to_string());
        }
        for from in 0..self.now.squares.len() {
            let Some(stone) = &self.now.squares[from] else {
                continue;
            };
            for (d, &(direction, _, _)) in DIRECTIONS.iter().enumerate() {
                if self.now.phase == Phase::Place {
                    if stone.tokens[d].is_none() {
                        moves.push(format!("place {} {}", self.label(from), direction));
                    }
                    continue;
                }
                let Some(to) = self.next(from, d) else {
                    continue;
                };
                if !controls(me, stone) {
                    continue;
                }
                let own_token = stone.tokens[d] == Some(me);
                match &self.now.squares[to] {
                    None => {
                        if own_token {
                            moves.push(format!("move {}-{}", self.label(from), self.label(to)));
                        }
                    }
                    Some(target) => {
                        let points = own_token || (self.any_pointer && stone.tokens[d].is_some());
                        if points && target.tokens[d] != Some(me) && self.in_hand(me) > 0 {
                            moves.push(format!("colonize {}-{}", self.label(from), self.label(to)));
                        }
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    fn to_move(&self) -> Option<String> {
        match self.result {
            Some(_) => None,
            None => Some(name(self.now.to_move).to_string()),
        }
    }

    fn play(&mut self, spelling: &str) {
        debug_assert!(self.legal().iter().any(|m| m == spelling), "illegal: {spelling}");
        let me = self.now.to_move;
        let words: Vec<&str> = spelling.split([' ', '-']).collect();
        match words[..] {
            ["place", square, direction] => {
                let square = self.square(square);
                let d = DIRECTIONS.iter().position(|d| d.0 == direction).expect("a direction");
                *self.hand(me) -= 1;
                self.now.squares[square].as_mut().expect("a stone").tokens[d] = Some(me);
            }
            ["move", from, to] => {
                let (from, to) = (self.square(from), self.square(to));
                self.now.squares[to] = self.now.squares[from].take();
            }
            ["colonize", from, to] => {
                let (from, to) = (self.square(from), self.square(to));
                let d = self.direction(from, to);
                *self.hand(me) -= 1;
                self.now.squares[to].as_mut().expect("a stone").tokens[d] = Some(me);
            }
            ["pass"] => {}
            _ => panic!("no such move: {spelling}"),
        }
        if self.controls_kingstone_of_other(me) {
            self.result = Some(format!("{} wins", name(me)));
            return;
        }
        match self.now.phase {
            Phase::Place => self.now.phase = Phase::Act,
            Phase::Act => self.end_turn(),
        }
        self.history.push(self.now.clone());
        if self.result.is_none() && self.history.iter().filter(|p| **p == self.now).count() >= 3 {
            self.result = Some("draw".to_string());
        }
    }

    fn result(&self) -> Option<String> {
        self.result.clone()
    }

    fn boxed_clone(&self) -> Box<dyn ByHand> {
        Box::new(self.clone())
    }
}
