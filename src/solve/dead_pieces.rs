//! Pieces whose kind and owner no longer matter, where the rules prove it: a proof search
//! identifies positions that differ only in such pieces.
//!
//! Pieces are only put on empty sites and stay there, and the rules read them only as lines of at
//! least a given length. A line is possible while each of its sites is empty or has a matching
//! piece. A piece on no possible line is *dead*: it only occupies its site, since a line that is
//! complete, now or later, is possible until then. So positions with the same empty sites and the
//! same living pieces have the same plies, and the positions after equal plies agree likewise.

use super::placing::PlacingGame;
use crate::board::{Board, Direction};
use crate::engine::bits::Bits;
use crate::engine::game::Game;
use crate::engine::tables::Stepping;

/// The sites of a board with at most 64 slots.
type Sites = Bits<1>;

/// The lines that make pieces of a game matter.
pub struct DeadPieces {
    sites: Sites,
    /// The number of sets that hold pieces; they come first.
    pieces: usize,
    lines: Vec<Line>,
}

/// Lines of at least `number` pieces from these sets.
struct Line {
    sets: Vec<usize>,
    number: usize,
    /// The steps in both directions of each axis.
    axes: Vec<[Stepping<1>; 2]>,
}

impl DeadPieces {
    /// Determines if the rules prove that pieces can be dead. Returns `None` also on large boards,
    /// which have too many positions anyway.
    pub fn of(game: &Game) -> Option<DeadPieces> {
        let (board, layout) = (&game.rules().board, &game.program().layout);
        if board.slots() > u64::BITS as usize {
            return None;
        }
        let lines = PlacingGame::of(game.rules())?.lines()?.into_iter().map(|line| {
            let register = |&(kind, owner)| usize::from(layout.piece(kind, owner).0);
            let sets = line.pieces.iter().map(register).collect();
            Line { sets, number: line.number, axes: axes(board, &line.directions) }
        });
        Some(DeadPieces {
            sites: board.sites().map(|site| site.index()).collect(),
            pieces: usize::from(layout.pieces_end),
            lines: lines.collect(),
        })
    }

    /// Copies the words of the sets of a position, and moves dead pieces to an additional set at
    /// the end.
    pub fn bury(&self, sets: &[u64], into: &mut [u64]) {
        let Some((dead, into)) = into.split_last_mut() else { return };
        into.copy_from_slice(sets);
        let occupied = sets[..self.pieces].iter().fold(0, |all, set| all | set);
        let mut buried = occupied;
        into[..self.pieces].fill(0);
        for line in &self.lines {
            let own = line.sets.iter().fold(0, |own, &set| own | sets[set]);
            let open = self.sites & !Bits([occupied]) | Bits([own]);
            let Bits([alive]) = line.on_lines(Bits([own]), open);
            buried &= !alive;
            for &set in &line.sets {
                into[set] |= sets[set] & alive;
            }
        }
        *dead = buried;
    }
}

/// Returns the steps in both directions of each axis of some directions.
fn axes(board: &Board, directions: &[Direction]) -> Vec<[Stepping<1>; 2]> {
    let is_first =
        |way: &Direction| !directions.contains(&way.opposite()) || *way <= way.opposite();
    let step = |way: Direction| Stepping::new(board, Some(way));
    let axes = directions.iter().copied().filter(is_first);
    axes.map(|way| [step(way), step(way.opposite())]).collect()
}

impl Line {
    /// Keeps the sites that are on a line within `open`.
    #[inline(always)]
    fn on_lines(&self, sites: Sites, open: Sites) -> Sites {
        let mut left = sites;
        for [forth, back] in &self.axes {
            let mut starts = open;
            for _ in 1..self.number {
                starts = open & back.step(starts);
            }
            let mut covered = starts;
            for _ in 1..self.number {
                covered = starts | forth.step(covered);
            }
            left &= !covered;
            if left.is_none() {
                break;
            }
        }
        sites & !left
    }
}
