//! Cicada by hand: Placer adds nymphs, Mover moves them, and a group of exactly the molting size
//! turns to shells. Every turn of Placer fills a square, so no position recurs.

use super::ByHand;

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Empty,
    Nymph,
    Shell,
}

#[derive(Clone)]
pub struct Cicada {
    size: usize,
    molt: usize,
    cells: Vec<Cell>,
    placers_turn: bool,
    result: Option<String>,
}

impl Cicada {
    pub fn new(size: usize, molt: usize) -> Cicada {
        Cicada {
            size,
            molt,
            cells: vec![Cell::Empty; size * size],
            placers_turn: true,
            result: None,
        }
    }

    fn label(&self, site: usize) -> String {
        let column = (b'a' + (site % self.size) as u8) as char;
        format!("{column}{}", site / self.size + 1)
    }

    fn site(&self, label: &str) -> usize {
        (0..self.size * self.size).find(|&s| self.label(s) == label).expect("a site of the board")
    }

    /// Sites one step away, optionally also diagonally.
    fn beside(&self, site: usize, diagonally: bool) -> Vec<usize> {
        let (x, y) = ((site % self.size) as i32, (site / self.size) as i32);
        let size = self.size as i32;
        let mut found = Vec::new();
        for dy in -1..=1 {
            for dx in -1..=1 {
                if (dx, dy) == (0, 0) || (!diagonally && dx != 0 && dy != 0) {
                    continue;
                }
                let (nx, ny) = (x + dx, y + dy);
                if nx >= 0 && nx < size && ny >= 0 && ny < size {
                    found.push((ny * size + nx) as usize);
                }
            }
        }
        found
    }

    /// The orthogonally connected group of nymphs that contains this site.
    fn group(&self, cells: &[Cell], site: usize) -> Vec<usize> {
        let mut group = vec![site];
        let mut next = 0;
        while next < group.len() {
            for n in self.beside(group[next], false) {
                if cells[n] == Cell::Nymph && !group.contains(&n) {
                    group.push(n);
                }
            }
            next += 1;
        }
        group
    }

    /// The board after a nymph is put on a square, for Mover taken from another; `None` if that
    /// makes too large a group.
    fn after(&self, from: Option<usize>, to: usize) -> Option<Vec<Cell>> {
        let mut cells = self.cells.clone();
        if let Some(from) = from {
            cells[from] = Cell::Empty;
        }
        cells[to] = Cell::Nymph;
        let group = self.group(&cells, to);
        if group.len() > self.molt {
            return None;
        }
        if group.len() == self.molt {
            for site in group {
                cells[site] = Cell::Shell;
            }
        }
        Some(cells)
    }
}

impl ByHand for Cicada {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.result.is_some() {
            return moves;
        }
        for site in 0..self.cells.len() {
            if self.placers_turn {
                if self.cells[site] == Cell::Empty && self.after(None, site).is_some() {
                    moves.push(format!("place {}", self.label(site)));
                }
            } else if self.cells[site] == Cell::Nymph {
                for to in self.beside(site, true) {
                    if self.cells[to] == Cell::Empty && self.after(Some(site), to).is_some() {
                        moves.push(format!("move {}-{}", self.label(site), self.label(to)));
                    }
                }
            }
        }
        moves.sort();
        moves
    }

    fn to_move(&self) -> Option<String> {
        match (&self.result, self.placers_turn) {
            (Some(_), _) => None,
            (None, true) => Some("Placer".to_string()),
            (None, false) => Some("Mover".to_string()),
        }
    }

    fn play(&mut self, spelling: &str) {
        debug_assert!(self.legal().iter().any(|m| m == spelling), "illegal: {spelling}");
        let (verb, rest) = spelling.split_once(' ').expect("a verb and its sites");
        let cells = match verb {
            "place" => self.after(None, self.site(rest)),
            "move" => {
                let (from, to) = rest.split_once('-').expect("two sites");
                self.after(Some(self.site(from)), self.site(to))
            }
            _ => panic!("no such move: {spelling}"),
        };
        self.cells = cells.expect("a group that is not too large");
        self.placers_turn = !self.placers_turn;
        if self.legal().is_empty() {
            self.result =
                Some(if self.placers_turn { "Mover wins" } else { "Placer wins" }.to_string());
        }
    }

    fn result(&self) -> Option<String> {
        self.result.clone()
    }

    fn boxed_clone(&self) -> Box<dyn ByHand> {
        Box::new(self.clone())
    }
}
