//! Double-Move Situ by hand: two actions per turn on a hexagonal or square grid; the stones in
//! sight of a node control it.

use super::ByHand;

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Maroon,
    White,
}

#[derive(Clone, Copy, PartialEq)]
enum Node {
    Empty,
    Cut,
    Stone(Side),
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Maroon may cut; holds the number of cuts made.
    Cutting(usize),
    /// White's single stone.
    Opening,
    /// First or second action of a turn.
    First,
    Second,
}

/// Everything that determines the continuations.
#[derive(Clone, PartialEq)]
struct Position {
    nodes: Vec<Node>,
    stage: Stage,
    to_move: Side,
}

#[derive(Clone)]
pub struct Situ {
    /// Column and row of every node, both from 0.
    places: Vec<(i32, i32)>,
    directions: Vec<(i32, i32)>,
    surplus: i32,
    now: Position,
    /// All positions of the game, including the current one.
    history: Vec<Position>,
    result: Option<String>,
}

impl Situ {
    pub fn new(grid: &str, order: usize, surplus: usize) -> Situ {
        let order = order as i32;
        let mut places = Vec::new();
        if grid == "hex" {
            for row in 1..=2 * order + 1 {
                // Rows up to `order` begin at column a; later rows end at the same column.
                let first = if row <= order { 0 } else { row - order };
                let last = if row <= order { order + row } else { 2 * order };
                for column in first..=last {
                    places.push((column, row - 1));
                }
            }
        } else {
            for row in 0..2 * order {
                for column in 0..2 * order {
                    places.push((column, row));
                }
            }
        }
        let mut directions = vec![(1, 0), (-1, 0), (0, 1), (0, -1)];
        match grid {
            "hex" => directions.extend([(1, 1), (-1, -1)]),
            "diagonal" => directions.extend([(1, 1), (-1, -1), (1, -1), (-1, 1)]),
            _ => {}
        }
        let now = Position {
            nodes: vec![Node::Empty; places.len()],
            stage: Stage::Cutting(0),
            to_move: Side::Maroon,
        };
        Situ {
            places,
            directions,
            surplus: surplus as i32,
            history: vec![now.clone()],
            now,
            result: None,
        }
    }

    fn label(&self, node: usize) -> String {
        let (column, row) = self.places[node];
        format!("{}{}", (b'a' + column as u8) as char, row + 1)
    }

    fn node(&self, label: &str) -> usize {
        (0..self.places.len()).find(|&n| self.label(n) == label).expect("a node of the board")
    }

    fn at(&self, place: (i32, i32)) -> Option<usize> {
        self.places.iter().position(|&p| p == place)
    }

    /// Owner of the first stone seen from a node in a direction.
    fn seen(&self, node: usize, direction: (i32, i32)) -> Option<Side> {
        let (mut column, mut row) = self.places[node];
        loop {
            column += direction.0;
            row += direction.1;
            match self.at((column, row)) {
                None => return None,
                Some(n) => match self.now.nodes[n] {
                    Node::Empty => {}
                    Node::Cut => return None,
                    Node::Stone(side) => return Some(side),
                },
            }
        }
    }

    fn controls(&self, side: Side, node: usize) -> bool {
        let mut difference = 0;
        for &direction in &self.directions {
            match self.seen(node, direction) {
                None => {}
                Some(s) if s == side => difference += 1,
                Some(_) => difference -= 1,
            }
        }
        difference >= self.surplus
    }
}

fn other(side: Side) -> Side {
    match side {
        Side::Maroon => Side::White,
        Side::White => Side::Maroon,
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Maroon => "Maroon",
        Side::White => "White",
    }
}

impl ByHand for Situ {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.result.is_some() {
            return moves;
        }
        let me = self.now.to_move;
        let enemy = other(me);
        if let Stage::Cutting(_) = self.now.stage {
            moves.push("pass".to_string());
        }
        for node in 0..self.places.len() {
            let label = self.label(node);
            let verb = match (self.now.stage, self.now.nodes[node]) {
                (Stage::Cutting(_), Node::Empty) => "cut",
                (Stage::Opening, Node::Empty) => "place",
                (Stage::Cutting(_) | Stage::Opening, _) => continue,
                (_, Node::Empty) if !self.controls(enemy, node) => "place",
                (_, Node::Stone(side)) if side == enemy && self.controls(me, node) => "remove",
                _ => continue,
            };
            moves.push(format!("{verb} {label}"));
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
        match spelling.split_once(' ') {
            None => {}
            Some((verb, label)) => {
                let node = self.node(label);
                self.now.nodes[node] = match verb {
                    "cut" => Node::Cut,
                    "place" => Node::Stone(self.now.to_move),
                    "remove" => Node::Empty,
                    _ => panic!("no such move: {spelling}"),
                };
            }
        }
        let (stage, to_move) = match self.now.stage {
            Stage::Cutting(0) if spelling != "pass" => (Stage::Cutting(1), Side::Maroon),
            Stage::Cutting(_) => (Stage::Opening, Side::White),
            Stage::Opening => (Stage::First, Side::Maroon),
            Stage::First => (Stage::Second, self.now.to_move),
            Stage::Second => (Stage::First, other(self.now.to_move)),
        };
        self.now.stage = stage;
        self.now.to_move = to_move;
        self.history.push(self.now.clone());
        if self.legal().is_empty() {
            self.result = Some(format!("{} wins", name(other(self.now.to_move))));
        } else if self.history.iter().filter(|p| **p == self.now).count() >= 3 {
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
