//! Swarm by hand: dice, cubes that enter from both edges, and turns of several steps that must use
//! the whole count. Repetition has no effect, so there is no history.

use super::ByHand;
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Red,
    Blue,
}

type Board = Vec<Option<Side>>;

/// Constants of a game.
#[derive(Clone)]
struct Rules {
    size: usize,
    /// Cubes of each player, on the board and in the supply.
    cubes: usize,
    orthogonal: bool,
    chain: bool,
}

/// A player's movement: the board, the origin of each of his cubes, and the steps left.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Turn {
    side: Side,
    left: usize,
    board: Board,
    /// For each tile with a cube of the player, the tile where it began the turn.
    began: Vec<Option<usize>>,
    /// For each tile, whether its cube belongs to the player and has moved this turn.
    moved: Vec<bool>,
}

#[derive(Clone)]
pub struct Swarm {
    rules: Rules,
    board: Board,
    /// Equal rolls so far in this round, and whether one of them was a double one.
    equal_rolls: usize,
    double_one: bool,
    /// Player who enters first after an equal roll: the one with the lower die in the previous
    /// round.
    enters_first: Side,
    /// Pending entries, one element per cube.
    entries: Vec<Side>,
    /// Pending movements after the entries, with their counts.
    movements: Vec<(Side, usize)>,
    /// Current movement.
    turn: Option<Turn>,
    /// Legal moves, cached because they are expensive to find.
    moves: Vec<String>,
    result: Option<String>,
}

impl Rules {
    fn label(&self, tile: usize) -> String {
        let column = (b'a' + (tile % self.size) as u8) as char;
        format!("{column}{}", tile / self.size + 1)
    }

    fn tile(&self, label: &str) -> usize {
        (0..self.size * self.size).find(|&t| self.label(t) == label).expect("a tile of the board")
    }

    /// Returns the tile `dx` columns to the right and `dy` rows up.
    fn offset(&self, tile: usize, dx: i32, dy: i32) -> Option<usize> {
        let size = self.size as i32;
        let (x, y) = ((tile % self.size) as i32 + dx, (tile / self.size) as i32 + dy);
        let inside = x >= 0 && x < size && y >= 0 && y < size;
        inside.then(|| (y * size + x) as usize)
    }

    fn on_board(&self, board: &Board, side: Side) -> usize {
        board.iter().filter(|c| **c == Some(side)).count()
    }

    fn supply(&self, board: &Board, side: Side) -> usize {
        self.cubes - self.on_board(board, side)
    }

    /// Converts the enemy cubes captured by an arrival on a tile. Returns their tiles in order.
    fn arrive(&self, board: &mut Board, tile: usize, side: Side) -> Vec<usize> {
        let enemy = Some(other(side));
        let mut gained = Vec::new();
        let mut arrivals = vec![tile];
        let mut next = 0;
        while next < arrivals.len() {
            for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let beside = self.offset(arrivals[next], dx, dy);
                let beyond = self.offset(arrivals[next], 2 * dx, 2 * dy);
                let (Some(beside), Some(beyond)) = (beside, beyond) else {
                    continue;
                };
                if board[beside] == enemy
                    && board[beyond] == Some(side)
                    && self.supply(board, side) > 0
                {
                    board[beside] = Some(side);
                    gained.push(beside);
                    if self.chain {
                        arrivals.push(beside);
                    }
                }
            }
            next += 1;
        }
        gained
    }

    fn outcome(&self, board: &Board) -> Option<String> {
        let red = self.on_board(board, Side::Red);
        let blue = self.on_board(board, Side::Blue);
        let result = if red == self.cubes {
            "Red wins"
        } else if blue == self.cubes {
            "Blue wins"
        } else if blue <= 1 {
            "Red wins"
        } else if red <= 1 {
            "Blue wins"
        } else if red + blue < self.size * self.size {
            return None;
        } else if red > blue {
            "Red wins"
        } else if blue > red {
            "Blue wins"
        } else {
            "draw"
        };
        Some(result.to_string())
    }

    /// Lists all single steps on the board, whether or not they can be completed to a legal turn.
    fn steps(&self, turn: &Turn) -> Vec<(usize, usize)> {
        let mut steps = Vec::new();
        for from in 0..turn.board.len() {
            if turn.board[from] != Some(turn.side) {
                continue;
            }
            for dy in -1..=1 {
                for dx in -1..=1 {
                    if (dx, dy) == (0, 0) || (self.orthogonal && dx != 0 && dy != 0) {
                        continue;
                    }
                    match self.offset(from, dx, dy) {
                        Some(to) if turn.board[to].is_none() => steps.push((from, to)),
                        _ => {}
                    }
                }
            }
        }
        steps
    }

    fn after_step(&self, turn: &Turn, from: usize, to: usize) -> Turn {
        let mut after = turn.clone();
        after.left -= 1;
        after.board[to] = after.board[from].take();
        after.began[to] = after.began[from].take();
        after.moved[from] = false;
        after.moved[to] = true;
        for gained in self.arrive(&mut after.board, to, turn.side) {
            after.began[gained] = Some(gained);
        }
        after
    }

    /// Maximum number of further steps, at most `left`, that end with no moved cube on its origin;
    /// `None` if none do, not even zero.
    fn longest(&self, turn: &Turn, memo: &mut HashMap<Turn, Option<usize>>) -> Option<usize> {
        if let Some(&known) = memo.get(turn) {
            return known;
        }
        let mut best = settled(turn).then_some(0);
        if turn.left > 0 {
            for (from, to) in self.steps(turn) {
                best = best.max(self.longest_with(turn, from, to, memo));
                if best == Some(turn.left) {
                    break; // there is no more to be had
                }
            }
        }
        memo.insert(turn.clone(), best);
        best
    }

    /// One step plus the longest continuation. A step that ends the game counts as all steps left.
    fn longest_with(
        &self,
        turn: &Turn,
        from: usize,
        to: usize,
        memo: &mut HashMap<Turn, Option<usize>>,
    ) -> Option<usize> {
        let after = self.after_step(turn, from, to);
        if self.outcome(&after.board).is_some() {
            return settled(&after).then_some(turn.left);
        }
        self.longest(&after, memo).map(|following| 1 + following)
    }
}

/// Tests that no moved cube is on its origin.
fn settled(turn: &Turn) -> bool {
    (0..turn.board.len()).all(|t| !(turn.moved[t] && turn.began[t] == Some(t)))
}

impl Swarm {
    pub fn new(size: usize, cubes: usize, orthogonal: bool, chain: bool) -> Swarm {
        let mut board = vec![None; size * size];
        for x in 0..size {
            board[x] = Some(Side::Red);
            board[(size - 1) * size + x] = Some(Side::Blue);
        }
        let mut start = Swarm {
            rules: Rules { size, cubes, orthogonal, chain },
            board,
            equal_rolls: 0,
            double_one: false,
            enters_first: Side::Red,
            entries: Vec::new(),
            movements: Vec::new(),
            turn: None,
            moves: Vec::new(),
            result: None,
        };
        start.advance();
        start
    }

    /// Empty tiles of a player's own edge.
    fn free_edge(&self, side: Side) -> Vec<usize> {
        let size = self.rules.size;
        let row = match side {
            Side::Red => 0,
            Side::Blue => size - 1,
        };
        (row * size..(row + 1) * size).filter(|&t| self.board[t].is_none()).collect()
    }

    fn roll(&mut self, red: usize, blue: usize) {
        if red == blue {
            self.equal_rolls += 1;
            let mut each = 0;
            if self.equal_rolls <= 3 {
                each += 1;
            }
            if red == 1 && !self.double_one {
                self.double_one = true;
                each += 1;
            }
            for side in [self.enters_first, other(self.enters_first)] {
                for _ in 0..each {
                    self.entries.push(side);
                }
            }
            return;
        }
        let lower = if red < blue { Side::Red } else { Side::Blue };
        if red.min(blue) == 1 {
            self.entries.push(lower);
        }
        self.movements = vec![(lower, red.min(blue)), (other(lower), red.max(blue))];
        // This round has no more rolls; the rest is for the next.
        self.equal_rolls = 0;
        self.double_one = false;
        self.enters_first = lower;
    }

    /// Advances to the next decision and finds its moves. Impossible entries are lost, finished
    /// movements are skipped.
    fn advance(&mut self) {
        let mut moves = Vec::new();
        loop {
            if let Some(&side) = self.entries.first() {
                if self.rules.supply(&self.board, side) > 0 {
                    for tile in self.free_edge(side) {
                        moves.push(format!("enter {}", self.rules.label(tile)));
                    }
                }
                if !moves.is_empty() {
                    break;
                }
                self.entries.remove(0);
            } else if let Some(turn) = &self.turn {
                let mut memo = HashMap::new();
                let longest = self.rules.longest(turn, &mut memo);
                if longest != Some(0) {
                    for (from, to) in self.rules.steps(turn) {
                        if self.rules.longest_with(turn, from, to, &mut memo) == longest {
                            let (from, to) = (self.rules.label(from), self.rules.label(to));
                            moves.push(format!("move {from}-{to}"));
                        }
                    }
                    break;
                }
                self.turn = None;
            } else if !self.movements.is_empty() {
                let (side, count) = self.movements.remove(0);
                let own = |t: usize| self.board[t] == Some(side);
                self.turn = Some(Turn {
                    side,
                    left: count,
                    board: self.board.clone(),
                    began: (0..self.board.len()).map(|t| own(t).then_some(t)).collect(),
                    moved: vec![false; self.board.len()],
                });
            } else {
                for red in 1..=6 {
                    for blue in 1..=6 {
                        moves.push(format!("roll {red} {blue}"));
                    }
                }
                break;
            }
        }
        moves.sort();
        self.moves = moves;
    }
}

fn other(side: Side) -> Side {
    match side {
        Side::Red => Side::Blue,
        Side::Blue => Side::Red,
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Red => "Red",
        Side::Blue => "Blue",
    }
}

impl ByHand for Swarm {
    fn legal(&self) -> Vec<String> {
        self.moves.clone()
    }

    fn to_move(&self) -> Option<String> {
        if self.result.is_some() {
            None
        } else if let Some(&side) = self.entries.first() {
            Some(name(side).to_string())
        } else if let Some(turn) = &self.turn {
            Some(name(turn.side).to_string())
        } else {
            Some("chance".to_string())
        }
    }

    fn play(&mut self, spelling: &str) {
        debug_assert!(self.legal().iter().any(|m| m == spelling), "illegal: {spelling}");
        let words: Vec<&str> = spelling.split([' ', '-']).collect();
        match words[..] {
            ["roll", red, blue] => {
                self.roll(red.parse().expect("a die"), blue.parse().expect("a die"));
            }
            ["enter", tile] => {
                let side = self.entries.remove(0);
                let tile = self.rules.tile(tile);
                self.board[tile] = Some(side);
                self.rules.arrive(&mut self.board, tile, side);
            }
            ["move", from, to] => {
                let turn = self.turn.as_ref().expect("a movement");
                let after = self.rules.after_step(turn, self.rules.tile(from), self.rules.tile(to));
                self.board = after.board.clone();
                self.turn = Some(after);
            }
            _ => panic!("no such move: {spelling}"),
        }
        self.result = self.rules.outcome(&self.board);
        match self.result {
            None => self.advance(),
            Some(_) => self.moves.clear(),
        }
    }

    fn result(&self) -> Option<String> {
        self.result.clone()
    }

    fn boxed_clone(&self) -> Box<dyn ByHand> {
        Box::new(self.clone())
    }
}
