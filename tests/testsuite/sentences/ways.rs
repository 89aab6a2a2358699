//! Ways over the board, which follow each passage of a path that passes a site more than once.

use super::reader::{Around, Set};
use ludwright::board::{Board, Direction, Site};

/// Returns the sites that lines from a site pass. `test` says if a site belongs to them, and if the
/// line ends there.
pub fn line_out(
    around: &Around,
    from: Option<Site>,
    ways: &[Direction],
    test: impl Fn(Site) -> (bool, bool),
) -> Set {
    let (mut all, board) = (Set::new(), around.board());
    let starts = ways.iter().flat_map(|&way| {
        from.into_iter().flat_map(move |from| starts(board, from, way)).map(move |at| (at, way))
    });
    for (start, way) in starts {
        let mut seen = Set::new();
        let mut at = board.step(start, way);
        while let Some(place) = at.filter(|&place| seen.insert(place)) {
            let (belongs, ends) = test(board.site_of(place));
            if belongs {
                all.insert(board.site_of(place));
            }
            if ends {
                break;
            }
            at = board.step(place, way);
        }
    }
    all
}

/// Lists where a direction leads on from a site: itself, or its passages by a path that passes a site
/// more than once.
fn starts(board: &Board, site: Site, way: Direction) -> Vec<Site> {
    if board.returns(way) { board.passages(site).collect() } else { vec![site] }
}

/// Lists the sites one step from a site.
pub fn steps(board: &Board, site: Site, way: Direction) -> Vec<Site> {
    let next = starts(board, site, way).into_iter().filter_map(|at| board.step(at, way));
    next.map(|at| board.site_of(at)).collect()
}
