//! Tracks that pass a site more than once, followed by their places in the list of sites.

use crate::board::{Board, Direction, Run, Site};

/// A site on the way in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    pub site: Site,
    /// The track and the place on it, if the track passes a site more than once.
    place: Option<(usize, usize)>,
}

/// Lists a site's passages in a direction: one, or all of a track that passes it more than once.
fn passages(board: &Board, site: Site, direction: Direction) -> Vec<Passage> {
    if !board.returns(direction) {
        return vec![Passage { site, place: None }];
    }
    let mut passages = Vec::new();
    for (way, run) in runs(board, direction).iter().enumerate() {
        for (place, _) in run.sites.iter().enumerate().filter(|(_, passed)| **passed == site) {
            passages.push(Passage { site, place: Some((way, place)) });
        }
    }
    passages
}

/// Returns the passage after another one in a direction.
pub fn after(board: &Board, passage: Passage, direction: Direction) -> Option<Passage> {
    let Some((way, place)) = passage.place else {
        return board.step(passage.site, direction).map(|site| Passage { site, place: None });
    };
    let run = runs(board, direction).get(way)?;
    let (length, is_back) = (run.sites.len(), matches!(direction, Direction::Against(_)));
    let next = match (is_back, run.is_closed) {
        (false, true) => (place + 1) % length,
        (false, false) => place + 1,
        (true, true) => (place + length - 1) % length,
        (true, false) => place.checked_sub(1)?,
    };
    Some(Passage { site: *run.sites.get(next)?, place: Some((way, next)) })
}

/// Lists the passages after each passage of a site in a direction.
pub fn next(board: &Board, site: Site, direction: Direction) -> Vec<Passage> {
    let passages = passages(board, site, direction).into_iter();
    passages.filter_map(|passage| after(board, passage, direction)).collect()
}

fn runs(board: &Board, direction: Direction) -> &[Run] {
    let track = direction.track().and_then(|track| board.tracks().get(usize::from(track)));
    track.map_or(&[], |track| &track.runs)
}
