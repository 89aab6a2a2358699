//! Kitaran by hand: two players fill a square board, and a stone may convert all adjacent enemy
//! stones unless one of them is protected.

use super::ByHand;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Black,
    White,
}

/// Everything that determines the continuations.
#[derive(Clone, PartialEq)]
struct Position {
    cells: Vec<Option<Side>>,
    /// Stones that the last turn placed or converted.
    protected: Vec<bool>,
    to_move: Side,
}

#[derive(Clone)]
pub struct Kitaran {
    size: usize,
    /// Bonus of White, in half stones.
    komi_halves: usize,
    now: Position,
    /// All positions of the game, including the current one.
    history: Vec<Position>,
    result: Option<String>,
}

impl Kitaran {
    pub fn new(size: usize, komi_halves: usize) -> Kitaran {
        let now = Position {
            cells: vec![None; size * size],
            protected: vec![false; size * size],
            to_move: Side::Black,
        };
        Kitaran { size, komi_halves, history: vec![now.clone()], now, result: None }
    }

    fn label(&self, site: usize) -> String {
        let column = (b'a' + (site % self.size) as u8) as char;
        format!("{column}{}", site / self.size + 1)
    }

    fn site(&self, label: &str) -> usize {
        (0..self.size * self.size).find(|&s| self.label(s) == label).expect("a site of the board")
    }

    fn neighbours(&self, site: usize) -> Vec<usize> {
        let (x, y) = (site % self.size, site / self.size);
        let mut found = Vec::new();
        if y + 1 < self.size {
            found.push(site + self.size);
        }
        if x + 1 < self.size {
            found.push(site + 1);
        }
        if y > 0 {
            found.push(site - self.size);
        }
        if x > 0 {
            found.push(site - 1);
        }
        found
    }

    /// Enemy stones adjacent to a site.
    fn enemies_beside(&self, site: usize) -> Vec<usize> {
        let enemy = Some(other(self.now.to_move));
        self.neighbours(site).into_iter().filter(|&n| self.now.cells[n] == enemy).collect()
    }

    fn outcome(&self) -> Option<String> {
        let cells = &self.now.cells;
        if cells.iter().all(|c| c.is_some()) {
            let black = 2 * cells.iter().filter(|c| **c == Some(Side::Black)).count();
            let white =
                2 * cells.iter().filter(|c| **c == Some(Side::White)).count() + self.komi_halves;
            return Some(
                match black.cmp(&white) {
                    std::cmp::Ordering::Greater => "Black wins",
                    std::cmp::Ordering::Less => "White wins",
                    std::cmp::Ordering::Equal => "draw",
                }
                .to_string(),
            );
        }
        if self.history.iter().filter(|p| **p == self.now).count() >= 3 {
            return Some("draw".to_string());
        }
        None
    }
}

fn other(side: Side) -> Side {
    match side {
        Side::Black => Side::White,
        Side::White => Side::Black,
    }
}

impl ByHand for Kitaran {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.result.is_some() {
            return moves;
        }
        for site in 0..self.now.cells.len() {
            if self.now.cells[site].is_none() {
                moves.push(format!("place {}", self.label(site)));
            }
            if self.now.cells[site] == Some(self.now.to_move) {
                let enemies = self.enemies_beside(site);
                if !enemies.is_empty() && !enemies.iter().any(|&e| self.now.protected[e]) {
                    moves.push(format!("convert {}", self.label(site)));
                }
            }
        }
        moves.sort();
        moves
    }

    fn to_move(&self) -> Option<String> {
        match (&self.result, self.now.to_move) {
            (Some(_), _) => None,
            (None, Side::Black) => Some("Black".to_string()),
            (None, Side::White) => Some("White".to_string()),
        }
    }

    fn play(&mut self, spelling: &str) {
        debug_assert!(self.legal().iter().any(|m| m == spelling), "illegal: {spelling}");
        let (verb, label) = spelling.split_once(' ').expect("a verb and a site");
        let site = self.site(label);
        let changed = match verb {
            "place" => vec![site],
            "convert" => self.enemies_beside(site),
            _ => panic!("no such move: {spelling}"),
        };
        self.now.protected = vec![false; self.size * self.size];
        for &c in &changed {
            self.now.cells[c] = Some(self.now.to_move);
            self.now.protected[c] = true;
        }
        self.now.to_move = other(self.now.to_move);
        self.history.push(self.now.clone());
        self.result = self.outcome();
    }

    fn result(&self) -> Option<String> {
        self.result.clone()
    }

    fn boxed_clone(&self) -> Box<dyn ByHand> {
        Box::new(self.clone())
    }
}
