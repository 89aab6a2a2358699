//! Pieces whose kind and owner no longer matter, where the rules prove it: a proof search takes
//! positions for one that differ in nothing else.
//!
//! In a game in which pieces are only put on empty sites and stay there, and which reads them only as
//! lines of at least so many, a piece counts as long as a line through it is still possible: one whose
//! sites are empty or have such pieces. If none is, the piece is *dead*. It still takes its site, and
//! that is all: no site of a line that is or will be complete has a dead piece, for such lines are
//! possible until then. So positions that agree in what is empty and in the pieces that are not dead
//! have the same plies, and the positions after them agree likewise.

use super::placing::PlacingGame;
use crate::board::{Board, Direction};
use crate::engine::bits::Bits;
use crate::engine::game::Game;
use crate::engine::tables::Stepping;
use std::sync::Arc;

/// The sets of a position in which dead pieces are one set of their own, after all others.
pub trait DeadPieces: Send + Sync {
    /// Copies the words of the sets, and moves dead pieces to the last one.
    fn bury(&self, words: &[u64], into: &mut [u64]);
}

/// Finds out if the rules prove that pieces can be dead.
pub fn dead_pieces(game: &Game) -> Option<Arc<dyn DeadPieces>> {
    let lines = PlacingGame::of(game.rules())?.lines()?;
    let layout = &game.program().layout;
    let (board, pieces) = (&game.rules().board, usize::from(layout.pieces_end));
    let lines = lines.into_iter().map(|line| {
        let register = |&(kind, owner)| usize::from(layout.piece(kind, owner).0);
        (line.pieces.iter().map(register).collect(), line.number, line.directions)
    });
    Some(match board.slots() {
        0..=64 => Arc::new(PossibleLines::<1>::new(board, pieces, lines)),
        65..=128 => Arc::new(PossibleLines::<2>::new(board, pieces, lines)),
        129..=192 => Arc::new(PossibleLines::<3>::new(board, pieces, lines)),
        193..=256 => Arc::new(PossibleLines::<4>::new(board, pieces, lines)),
        _ => return None,
    })
}

/// The lines of one game on a board of a width.
struct PossibleLines<const W: usize> {
    sites: Bits<W>,
    /// The number of sets that hold pieces, which come first.
    pieces: usize,
    lines: Vec<Line<W>>,
}

/// Lines of pieces of some sets, at least `number` long.
struct Line<const W: usize> {
    sets: Vec<usize>,
    number: usize,
    /// Steps to and fro along each axis.
    axes: Vec<[Stepping<W>; 2]>,
}

impl<const W: usize> PossibleLines<W> {
    fn new(
        board: &Board,
        pieces: usize,
        lines: impl Iterator<Item = (Vec<usize>, usize, Vec<Direction>)>,
    ) -> PossibleLines<W> {
        let lines = lines.map(|(sets, number, directions)| {
            let step = |way: Direction| Stepping::new(board, Some(way));
            let is_first =
                |way: &Direction| !directions.contains(&way.opposite()) || *way <= way.opposite();
            let axes = directions.iter().copied().filter(is_first);
            let axes = axes.map(|way| [step(way), step(way.opposite())]).collect();
            Line { sets, number, axes }
        });
        let lines = lines.collect();
        PossibleLines { sites: board.sites().map(|site| site.index()).collect(), pieces, lines }
    }
}

impl<const W: usize> Line<W> {
    /// Returns those of the sites that are on a line within `open`.
    #[inline(always)]
    fn on_lines(&self, sites: Bits<W>, open: Bits<W>) -> Bits<W> {
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

impl<const W: usize> DeadPieces for PossibleLines<W> {
    fn bury(&self, words: &[u64], into: &mut [u64]) {
        let (sets, _) = words.as_chunks::<W>();
        let (into, _) = into.as_chunks_mut::<W>();
        let Some((dead, into)) = into.split_last_mut() else { return };
        into.copy_from_slice(sets);
        let pieces = &sets[..self.pieces];
        let occupied = pieces.iter().fold(Bits::NONE, |all, &set| all | Bits(set));
        let mut buried = occupied;
        into[..self.pieces].fill([0; W]);
        for line in &self.lines {
            let own = line.sets.iter().fold(Bits::NONE, |own, &set| own | Bits(sets[set]));
            let alive = line.on_lines(own, self.sites & !occupied | own);
            buried &= !alive;
            for &set in &line.sets {
                into[set] = (Bits(into[set]) | Bits(sets[set]) & alive).0;
            }
        }
        *dead = buried.0;
    }
}
