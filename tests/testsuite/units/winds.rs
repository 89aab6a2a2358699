//! Directions half way between two neighbouring ones of the compass.

use super::board::{hexagon, rectangle};
use ludwright::board::{Board, BoardError, Direction, Labels, Shape, Wraps};

#[test]
fn hexagons_have_six_diagonals_on_request() {
    let board = hexagon(5, 5).with_diagonals().expect("a board");
    let site = |label: &str| board.find(label).expect("a site");
    let ends = ["f7", "g6", "f4", "d3", "c4", "d6"];
    let steps = board.diagonal().iter().map(|&way| board.step(site("e5"), way));
    assert!(steps.eq(ends.map(|label| Some(site(label)))));
    let names: Vec<String> =
        board.diagonal().iter().map(|&way| board.direction_name(way)).collect();
    assert_eq!(names, ["N", "ENE", "ESE", "S", "WSW", "WNW"]);
    assert_eq!(board.all(), hexagon(5, 5).all());
    for (place, &way) in board.diagonal().iter().enumerate() {
        assert_eq!(board.turned(way, 1), Some(board.diagonal()[(place + 1) % 6]));
        assert_eq!(board.turned(way, 3), Some(way.opposite()));
        // Each lies between two sides: one before it, and the next one clockwise.
        let (before, after) = (board.all()[(place + 5) % 6], board.all()[place]);
        let around = |one, other| board.step(board.step(site("e5"), one)?, other);
        assert_eq!(around(before, after), board.step(site("e5"), way));
        assert_eq!(around(after, before), board.step(site("e5"), way));
    }
    assert_eq!(rectangle(3, 3).with_diagonals(), Ok(rectangle(3, 3)));
    let wraps = Wraps { columns: true, rows: false };
    let ring = Board::wrapped(Shape::Rhombus { columns: 3, rows: 5 }, Labels::default(), wraps);
    let narrow = ring.expect("a board").with_diagonals();
    assert_eq!(narrow, Err(BoardError::NarrowWrap { found: 3, least: 4 }));
}

#[test]
fn squares_have_the_leaps_of_a_knight_on_request() {
    let board = rectangle(9, 9).with_leaps().expect("a board");
    let knight = board.find("e5").expect("a site");
    let offsets = [("NNE", 1, 2), ("ENE", 2, 1), ("ESE", 2, -1), ("SSE", 1, -2), ("SSW", -1, -2)]
        .into_iter()
        .chain([("WSW", -2, -1), ("WNW", -2, 1), ("NNW", -1, 2)]);
    for (name, columns, rows) in offsets {
        let way = board.direction_named(name).expect("a direction");
        assert!(board.leaping().contains(&way));
        assert_eq!(board.step(knight, way), board.away(knight, columns, rows), "{name}");
        assert_eq!(board.step(knight, way.opposite()), board.away(knight, -columns, -rows));
        let right = board.turned(way, 2).expect("a quarter turn");
        assert_eq!(board.step(knight, right), board.away(knight, rows, -columns), "{name}");
    }
    assert_eq!(board.all(), Direction::ALL);
    assert_eq!(rectangle(3, 3).leaping(), []);
    assert_eq!(hexagon(3, 3).with_leaps(), Ok(hexagon(3, 3)));
    let wraps = Wraps { columns: true, rows: false };
    let ring = Board::wrapped(Shape::Rectangle { columns: 4, rows: 9 }, Labels::default(), wraps);
    let narrow = ring.expect("a board").with_leaps();
    assert_eq!(narrow, Err(BoardError::NarrowWrap { found: 4, least: 5 }));
}
