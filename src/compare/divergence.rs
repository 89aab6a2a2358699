//! Describes the differences of two positions in words.

use super::lockstep::Pair;
use super::names::Names;
use crate::engine::game::{State, Turn};
use crate::engine::snapshot::Occupant;
use crate::language::rules::{PlayerId, Rules};
use crate::notation::{MemoryLine, PILES, outcome, player, spell, turn, write_memories};

/// The differences of two positions. In every pair, the first text describes the left game; each
/// text uses its own game's names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divergence {
    /// How each game ended, or `unfinished`.
    pub result: Option<[String; 2]>,
    /// Who is to act; `None` where a game is over.
    pub turn: Option<[String; 2]>,
    /// The occupants of sites that differ, by label.
    pub sites: Vec<(String, [String; 2])>,
    /// The values of memories that differ, by the left game's name.
    pub memories: Vec<(String, [String; 2])>,
    /// The moves that only the left game allows, in its spelling, sorted.
    pub only_left: Vec<String>,
    /// The moves that only the right game allows, in its spelling, sorted.
    pub only_right: Vec<String>,
}

impl Divergence {
    /// Finds every difference. Moves are compared only if both games are in progress with the same
    /// player to act.
    pub(super) fn between(names: &Names, left: &State, right: &State) -> Divergence {
        let rules = [left, right].map(|position| position.game().rules());
        let [mine, other] = Pair::new(names, left, right).seen();
        let mut divergence = Divergence::default();
        if mine.outcome != other.outcome {
            divergence.result =
                Some([outcome(rules[0], left.outcome()), outcome(rules[1], right.outcome())]);
        }
        if mine.turn != other.turn && mine.turn != Turn::Nobody && other.turn != Turn::Nobody {
            divergence.turn = Some([
                turn(rules[0], left.turn()).to_owned(),
                turn(rules[1], right.turn()).to_owned(),
            ]);
        }
        let snapshots = [left.snapshot(), right.snapshot()];
        for site in rules[0].board.sites() {
            let is_cut = [&mine, &other].map(|seen| seen.snapshot.cut.contains(&site));
            if mine.snapshot.pieces[site.index()] == other.snapshot.pieces[site.index()]
                && is_cut[0] == is_cut[1]
            {
                continue;
            }
            let label = rules[0].board.label(site);
            let own = rules[1].board.find(label).unwrap_or(site);
            let bears = [(0, site), (1, own)].map(|(side, site)| {
                match snapshots[side].pieces[site.index()] {
                    _ if is_cut[side] => "cut out".to_owned(),
                    None => "empty".to_owned(),
                    Some(occupant) => name(rules[side], occupant),
                }
            });
            divergence.sites.push((label.to_owned(), bears));
        }
        let lines = [0, 1].map(|side| write_memories(rules[side], &snapshots[side]));
        for (shared, (one, another)) in
            names.shared.iter().zip(mine.snapshot.memories.iter().zip(&other.snapshot.memories))
        {
            if one == another {
                continue;
            }
            if rules[0].is_of_pile(shared.left) {
                continue;
            }
            let own = [shared.left, shared.right].map(|id| id.index());
            let said = [0, 1].map(|side| lines_of(&lines[side], own[side]));
            let memory = &rules[0].memories[own[0]];
            for (index, line) in said[0].iter().enumerate() {
                let there = match memory.per_player {
                    true => (0..said[1].len())
                        .find(|&place| names.player(PlayerId(place as u16)).index() == index),
                    false => Some(0),
                };
                let Some(there) = there.and_then(|place| said[1].get(place)) else { continue };
                if line.value != there.value {
                    let value = |line: &MemoryLine| {
                        if line.value.is_empty() {
                            "nothing".to_owned()
                        } else {
                            line.value.clone()
                        }
                    };
                    divergence.memories.push((line.name.clone(), [value(line), value(there)]));
                }
            }
        }
        let piles = lines.each_ref().map(|lines| {
            let line = lines.iter().find(|line| rules[0].is_of_pile(line.memory));
            line.map_or_else(|| "nothing".to_owned(), |line| line.value.clone())
        });
        if piles[0] != piles[1] {
            divergence.memories.push((PILES.to_owned(), piles));
        }
        if divergence.result.is_none() && divergence.turn.is_none() {
            let told: Vec<_> = right.legal().iter().map(|ply| names.ply(ply)).collect();
            let only = left
                .legal()
                .iter()
                .filter(|ply| !told.contains(ply))
                .map(|ply| spell(rules[0], ply));
            divergence.only_left = only.collect();
            let only =
                right.legal().iter().zip(&told).filter(|(_, told)| !left.legal().contains(told));
            divergence.only_right = only.map(|(ply, _)| spell(rules[1], ply)).collect();
            divergence.only_left.sort_unstable();
            divergence.only_right.sort_unstable();
        }
        divergence
    }

    /// Tests if only the legal moves differ.
    pub fn is_of_moves(&self) -> bool {
        self.result.is_none()
            && self.turn.is_none()
            && self.sites.is_empty()
            && self.memories.is_empty()
    }
}

fn name(rules: &Rules, occupant: Occupant) -> String {
    let piece = &rules.pieces[occupant.piece.index()].name;
    occupant.owner.map_or(piece.clone(), |owner| format!("{}'s {piece}", player(rules, owner)))
}

/// Returns the lines of one memory: one for each player if it is per player.
fn lines_of(lines: &[MemoryLine], memory: usize) -> Vec<&MemoryLine> {
    lines.iter().filter(|line| line.memory.index() == memory).collect()
}
