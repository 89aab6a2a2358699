//! Orders plies before they are searched: by where on the board they end, and by how often they
//! have decided positions elsewhere.

use crate::compile::program::ParameterSource;
use crate::engine::PackedMove;
use crate::engine::game::State;

/// The number of entries of the history of plies; plies with the same index share an entry.
const HISTORY: usize = 1 << 14;
/// The fixed-point precision of a ply's share of decisions, in bits.
const SHARE_BITS: u32 = 16;

/// The history indices of two plies.
pub type Killers = [Option<u16>; 2];

/// The statistics by which plies are ordered.
pub struct PlyOrder {
    /// By index of a site, its distance from the middle of the board.
    off_centre: Vec<u32>,
    /// By specialization, the source of the last site of a move.
    ends: Vec<Option<ParameterSource>>,
    /// By index: how often a ply has decided a position, and how often it was searched.
    history: Vec<[u32; 2]>,
    /// By the number of positions on the path, the plies that were the last to decide there.
    killers: Vec<Killers>,
}

impl PlyOrder {
    /// Creates the initial order of a game.
    pub fn new(from: &State) -> PlyOrder {
        let (board, program) = (&from.game().rules().board, from.game().program());
        let mut off_centre = vec![0; board.slots()];
        for site in board.sites() {
            off_centre[site.index()] = u32::try_from(board.off_centre(site)).unwrap_or(u32::MAX);
        }
        let is_site = |source: &&ParameterSource| {
            use ParameterSource::{Member, MemberPath, Prefix, Site};
            matches!(source, Member | MemberPath(_) | Prefix(_) | Site(_))
        };
        let specializations = program.specializations.iter();
        let ends = specializations.map(|one| one.sources.iter().rev().find(is_site).copied());
        let (history, killers) = (vec![[0; 2]; HISTORY], Vec::new());
        PlyOrder { off_centre, ends: ends.collect(), history, killers }
    }

    /// Copies the statistics of another search.
    pub fn learn(&mut self, from: &PlyOrder) {
        self.history.clone_from(&from.history);
        self.killers.clone_from(&from.killers);
    }

    /// Returns the history index of a player's ply.
    #[inline]
    pub fn place(ply: PackedMove, mover: u8) -> u16 {
        (ply.hash_by(mover) as usize % HISTORY) as u16
    }

    /// Returns the distance of a ply's last site from the middle of the board. For a path, its
    /// first site counts.
    #[inline]
    pub fn off_centre(&self, ply: PackedMove) -> u32 {
        let site = match self.ends[usize::from(ply.specialization)] {
            None => return 0,
            Some(ParameterSource::Prefix(index)) => ply.prefix[usize::from(index)] as usize,
            Some(ParameterSource::Site(site)) => site.index(),
            Some(_) => usize::from(ply.member),
        };
        self.off_centre.get(site).copied().unwrap_or(0)
    }

    /// Returns how often a ply has decided a position, as a share of how often it was searched.
    #[inline]
    pub fn share(&self, place: u16) -> u64 {
        let [decided, searched] = self.history[usize::from(place)];
        (u64::from(decided) << SHARE_BITS) / (u64::from(searched) + 1)
    }

    /// Counts a ply that was searched.
    #[inline]
    pub fn count(&mut self, place: u16) {
        let searched = &mut self.history[usize::from(place)][1];
        *searched = searched.saturating_add(1);
    }

    /// Records a ply that has decided a position; `depth` is the number of positions on the path,
    /// including this one.
    pub fn remember(&mut self, depth: usize, place: u16) {
        let decided = &mut self.history[usize::from(place)][0];
        *decided = decided.saturating_add(1);
        if self.killers.len() <= depth {
            self.killers.resize(depth + 1, [None; 2]);
        }
        let killers = &mut self.killers[depth];
        if killers[0] != Some(place) {
            *killers = [Some(place), killers[0]];
        }
    }

    /// Moves the plies to the front that were the last to decide with this many positions on the
    /// path.
    pub fn killers_first(&self, depth: usize, plies: &mut [(PackedMove, u16)]) {
        let mut first = 0;
        for killer in self.killers.get(depth).into_iter().flatten().flatten() {
            let at = plies[first..].iter().position(|(_, place)| place == killer);
            if let Some(at) = at {
                plies[first..=first + at].rotate_right(1);
                first += 1;
            }
        }
    }
}
