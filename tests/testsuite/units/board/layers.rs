//! Boards in layers.

use ludwright::board::{Board, BoardError, Direction, Labels, Site};
use ludwright::solve::symmetry::automorphisms;

/// Builds a board of layers of so many columns and rows.
pub fn layered(sizes: &[(usize, usize)]) -> Board {
    Board::layered(sizes, Labels::default()).expect("layers that fit")
}

fn sorted(board: &Board, sites: impl IntoIterator<Item = Site>) -> String {
    let mut sites: Vec<Site> = sites.into_iter().collect();
    sites.sort_unstable();
    sites.dedup();
    let labels: Vec<&str> = sites.into_iter().map(|site| board.label(site)).collect();
    labels.join(" ")
}

fn next(board: &Board, label: &str, is_above: bool) -> String {
    let site = board.find(label).expect("a site");
    let ways = board.below().into_iter();
    let ways = ways.map(|way| if is_above { way.opposite() } else { way });
    sorted(board, ways.filter_map(|way| board.step(site, way)))
}

#[test]
fn sites_rest_on_four_or_on_one() {
    let pyramid = layered(&[(4, 4), (3, 3), (2, 2), (1, 1)]);
    assert_eq!(pyramid.len(), 30);
    for (site, below, above) in [
        ("a1", "", "e1"),
        ("b1", "", "e1 f1"),
        ("b2", "", "e1 f1 e2 f2"),
        ("d4", "", "g3"),
        ("g3", "c3 d3 c4 d4", "i2"),
        ("j1", "h1 i1 h2 i2", ""),
    ] {
        assert_eq!(next(&pyramid, site, false), below, "{site}");
        assert_eq!(next(&pyramid, site, true), above, "{site}");
    }
    let tower = layered(&[(3, 2), (3, 2), (2, 1)]);
    for (site, below, above) in
        [("c2", "", "f2"), ("f2", "c2", "h1"), ("e1", "b1", "g1 h1"), ("h1", "e1 f1 e2 f2", "")]
    {
        assert_eq!(next(&tower, site, false), below, "{site}");
        assert_eq!(next(&tower, site, true), above, "{site}");
    }
    // A site that is missing holds nothing.
    let hole = pyramid.find("f1").expect("a site");
    let pierced = pyramid.without(&[hole]);
    assert_eq!(next(&pierced, "b1", true), "e1");
    assert_eq!(next(&pierced, "h1", false), "e1 e2 f2");
}

#[test]
fn each_layer_has_edges_corners_and_a_middle() {
    let board = layered(&[(4, 4), (3, 3), (2, 2), (1, 1)]);
    assert_eq!(sorted(&board, board.edge(Direction::W)), "a1 e1 h1 j1 a2 e2 h2 a3 e3 a4");
    assert_eq!(sorted(&board, board.edge(Direction::N)), "j1 h2 i2 e3 f3 g3 a4 b4 c4 d4");
    assert_eq!(sorted(&board, board.corners()), "a1 d1 e1 g1 h1 i1 j1 h2 i2 e3 g3 a4 d4");
    assert_eq!(sorted(&board, board.centre()), "h1 i1 j1 b2 c2 f2 h2 i2 b3 c3");
    let rows = |direction, number| sorted(&board, board.row_from(direction, number).expect("rows"));
    assert_eq!(rows(Direction::S, 1), "j1 h2 i2 e3 f3 g3 a4 b4 c4 d4");
    assert_eq!(rows(Direction::S, 4), "a1 b1 c1 d1");
    assert_eq!(rows(Direction::W, 1), "d1 g1 i1 j1 d2 g2 i2 d3 g3 d4");
    assert_eq!(board.rows_from(Direction::E), 4);
    assert_eq!(sorted(&board, board.row(3)), "a3 b3 c3 d3 e3 f3 g3");
    assert_eq!(sorted(&board, board.column("f")), "f1 f2 f3");
    let top = board.find("j1").expect("the top");
    assert_eq!((board.column_of(top), board.row_of(top)), (10, 1));
    let [middle, corner] = ["f2", "e1"].map(|label| board.find(label).expect("a site"));
    assert!(board.off_centre(middle) < board.off_centre(corner));
    assert!(Direction::ALL.into_iter().all(|way| board.step(top, way).is_none()));
    assert_eq!(board.away(corner, -1, 0), None);
}

#[test]
fn rows_counted_from_the_top_are_in_line() {
    let labels = Labels { first_column: 'B', rows_from_top: true };
    let board = Board::layered(&[(3, 3), (2, 2)], labels).expect("layers");
    assert_eq!(sorted(&board, board.row(1)), "B1 C1 D1 E1 F1");
    assert_eq!(sorted(&board, board.row(3)), "B3 C3 D3");
    assert_eq!(next(&board, "F1", false), "C2 D2 C1 D1");
}

#[test]
fn all_layers_turn_together() {
    let cube = [(3, 3); 3];
    let mixed = [(3, 3), (3, 3), (2, 2), (1, 1)];
    for (sizes, count) in [(&[(3, 3), (2, 2), (1, 1)][..], 8), (&cube, 8), (&mixed, 8)] {
        assert_eq!(automorphisms(&layered(sizes)).len(), count, "{sizes:?}");
    }
    assert_eq!(automorphisms(&layered(&[(3, 2), (2, 1)])).len(), 4);
    // The pyramid stands on its largest layer.
    let board = layered(&[(2, 2), (2, 2)]);
    let lowest = board.find("a1").expect("a corner");
    for symmetry in automorphisms(&board) {
        assert!(["a1", "a2", "b1", "b2"].contains(&board.label(symmetry.site(lowest))));
    }
}

#[test]
fn layers_have_limits() {
    assert!(Board::can_rest((3, 2), (4, 3)) && Board::can_rest((3, 2), (3, 2)));
    for size in [(4, 2), (3, 1), (2, 2), (1, 1), (4, 3)] {
        assert!(!Board::can_rest(size, (3, 2)), "{size:?}");
    }
    let pyramid = |side: usize| (1..=side).rev().map(|side| (side, side)).collect::<Vec<_>>();
    assert_eq!(layered(&pyramid(14)).len(), 1015);
    let large = Board::layered(&pyramid(15), Labels::default());
    assert_eq!(large, Err(BoardError::TooLarge { sites: 1240 }));
    for sizes in [pyramid(14), vec![(1, 64); 16], vec![(8, 8); 16]] {
        assert!(layered(&sizes).slots() < 2 * Board::LIMIT, "{sizes:?}");
    }
    let huge = Board::layered(&[(usize::MAX, usize::MAX); 2], Labels::default());
    assert!(matches!(huge, Err(BoardError::TooLarge { .. })));
    let empty = Board::layered(&[(0, 3), (0, 3)], Labels::default());
    assert_eq!(empty, Err(BoardError::Empty));
}
