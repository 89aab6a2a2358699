//! Boards: directions, labels, shapes, steps and sites.

mod drawing;
mod layers;

use super::is_soon;
use Direction::*;
use ludwright::board::{
    Board, BoardError, Direction, Drawing, Labels, Run, Shape, Site, Track, Wraps,
};
use std::time::Duration;

#[test]
fn names_and_indices_lead_back_to_the_direction() {
    for (index, direction) in Direction::ALL.into_iter().enumerate() {
        assert_eq!(direction.index(), index);
        assert_eq!(Direction::from_name(direction.name()), Some(direction));
        assert_eq!(direction.opposite().opposite(), direction);
        assert_ne!(direction.opposite(), direction);
    }
    assert_eq!(Direction::from_name("ne"), None);
    assert_eq!(Direction::NE.opposite(), Direction::SW);
}

#[test]
fn columns_run_on_after_the_last_letter() {
    let small = Labels::default();
    let spelled: Vec<String> = [0, 25, 26, 27, 51, 52, 701, 702].map(|x| small.column(x)).to_vec();
    assert_eq!(spelled, ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]);
    let capitals = Labels { first_column: 'B', rows_from_top: true };
    assert_eq!([0, 1, 24, 25].map(|x| capitals.column(x)), ["B", "C", "Z", "AA"]);
    assert_eq!(capitals.row(0, 8), 8);
    assert_eq!(capitals.row(7, 8), 1);
    assert_eq!(small.row(7, 8), 8);
}

fn hexagonal(first: usize, second: usize) -> Shape {
    Shape::Hexagon { first, second }
}

#[test]
fn counts_agree_with_the_rows() {
    for first in 1..12 {
        for second in 1..12 {
            let shape = hexagonal(first, second);
            let counted: usize = (0..shape.rows()).map(|y| shape.row(y).len()).sum();
            assert_eq!(shape.size(), counted as u128, "{first}, {second}");
            assert_eq!(shape.row(0).len(), first);
            assert_eq!(shape.row(shape.rows() - 1).len(), second);
        }
    }
    for side in 1..12 {
        for (shape, longest) in
            [(Shape::Triangle { side }, side), (Shape::Star { points: side }, 3 * side + 1)]
        {
            let rows: Vec<usize> = (0..shape.rows()).map(|y| shape.row(y).len()).collect();
            assert_eq!(shape.size(), rows.iter().sum::<usize>() as u128, "{shape:?}");
            assert_eq!(rows.iter().max(), Some(&longest), "{shape:?}");
            let columns = (0..shape.rows()).map(|y| shape.row(y).end).max();
            assert_eq!(columns, Some(shape.columns()), "{shape:?}");
        }
    }
    assert_eq!(Shape::Star { points: 4 }.size(), 121);
}

#[test]
fn counts_known_hexagons() {
    let known = [18, 36, 60, 90, 126, 168];
    for (k, count) in (2..).zip(known) {
        assert_eq!(hexagonal(k + 2, k).size(), count);
    }
}

#[test]
fn counts_absurd_shapes() {
    let most = usize::MAX;
    assert_eq!(hexagonal(most, most).size(), u128::MAX);
    assert_eq!(hexagonal(most, 0).size(), 0);
    let shape = Shape::Rhombus { columns: most, rows: most };
    assert_eq!(shape.size(), (most as u128).pow(2));
}

#[test]
fn strides_are_the_least_possible() {
    assert_eq!(hexagonal(4, 2).stride(), 4);
    for first in 1..9 {
        for second in 1..9 {
            let shape = hexagonal(first, second);
            let numbers = |stride: usize| -> Vec<usize> {
                (0..shape.rows()).flat_map(|y| shape.row(y).map(move |x| x + stride * y)).collect()
            };
            let ascends = |stride| numbers(stride).is_sorted_by(|a, b| a < b);
            assert!(ascends(shape.stride()), "{first}, {second}");
            assert!(shape.rows() == 1 || !ascends(shape.stride() - 1), "{first}, {second}");
        }
    }
}

fn board(shape: Shape) -> Board {
    Board::new(shape, Labels::default()).expect("a board")
}

pub(super) fn rectangle(columns: usize, rows: usize) -> Board {
    board(Shape::Rectangle { columns, rows })
}

pub(super) fn hexagon(first: usize, second: usize) -> Board {
    board(Shape::Hexagon { first, second })
}

fn rhombus(columns: usize, rows: usize) -> Board {
    board(Shape::Rhombus { columns, rows })
}

fn alquerque(side: usize) -> Board {
    let board = rectangle(side, side);
    let is_even = |site| (board.row_of(site) + board.column_of(site)).is_multiple_of(2);
    board.clone().joined(|site, direction| board.orthogonal().contains(&direction) || is_even(site))
}

const MORRIS: [&str; 7] = [
    "o-----o-----o",
    "| o---o---o |",
    "| | o-o-o | |",
    "o-o-o   o-o-o",
    "| | o-o-o | |",
    "| o---o---o |",
    "o-----o-----o",
];

fn drawn(rows: &[&str]) -> Board {
    let drawing = Drawing::read(rows).expect("a drawing");
    Board::drawn(&drawing, Labels::default()).expect("a board")
}

#[test]
fn joined_steps_go_both_ways_and_no_others_remain() {
    let alquerque = alquerque(5);
    assert_eq!(neighbours(&alquerque, "a1"), [(N, "a2"), (NE, "b2"), (E, "b1")]);
    assert_eq!(neighbours(&alquerque, "b1"), [(N, "b2"), (E, "c1"), (W, "a1")]);
    let one_way = rectangle(2, 1).joined(|site, direction| site.0 == 0 && direction == E);
    assert_eq!(neighbours(&one_way, "b1"), [(W, "a1")]);
    assert!(neighbours(&rectangle(2, 2).joined(|_, _| false), "a1").is_empty());
}

fn samples() -> Vec<Board> {
    let mut samples = vec![
        rectangle(1, 1),
        rectangle(8, 8),
        rectangle(1, 1024),
        rectangle(30, 2),
        rhombus(11, 11),
        rhombus(1, 5),
        rhombus(7, 2),
        board(Shape::Triangle { side: 1 }),
        board(Shape::Triangle { side: 7 }),
        board(Shape::Star { points: 1 }),
        board(Shape::Star { points: 4 }),
        alquerque(5),
        drawn(&MORRIS),
        layers::layered(&[(4, 4), (3, 3), (2, 2), (1, 1)]),
        layers::layered(&[(3, 2), (3, 2), (2, 1), (2, 1)]),
    ];
    for first in 1..7 {
        samples.extend((1..7).map(|second| hexagon(first, second)));
    }
    let across = |board: &Board| board.clone().with_diagonals().expect("no edge is joined");
    samples.extend(
        [rhombus(7, 2), board(Shape::Star { points: 2 }), hexagon(4, 5)].iter().map(across),
    );
    let leaping = |board: &Board| board.clone().with_leaps().expect("no edge is joined");
    samples.extend([rectangle(4, 9), rectangle(1, 8), rectangle(8, 8)].iter().map(leaping));
    let holed: Vec<Board> = samples
        .iter()
        .map(|board| {
            let holes: Vec<Site> = board.sites().filter(|site| site.0 % 5 == 3).collect();
            board.clone().without(&holes)
        })
        .collect();
    samples.extend(holed);
    samples
}

fn wrapped_samples() -> Vec<Board> {
    let mut samples = Vec::new();
    for (columns, rows) in [(3, 3), (3, 5), (7, 6), (4, 9), (32, 32), (3, 1)] {
        for wraps in [(true, false), (false, true), (true, true)] {
            let wraps = Wraps { columns: wraps.0, rows: wraps.1 };
            let shapes = [Shape::Rectangle { columns, rows }, Shape::Rhombus { columns, rows }];
            samples.extend(
                shapes
                    .into_iter()
                    .filter_map(|shape| Board::wrapped(shape, Labels::default(), wraps).ok()),
            );
            let rhombus = Board::wrapped(shapes[1], Labels::default(), wraps);
            samples.extend(rhombus.and_then(Board::with_diagonals).ok());
            let rectangle = Board::wrapped(shapes[0], Labels::default(), wraps);
            samples.extend(rectangle.and_then(Board::with_leaps).ok());
        }
    }
    let holed = |board: &Board| {
        board.clone().without(&board.sites().filter(|site| site.0 % 5 == 3).collect::<Vec<Site>>())
    };
    let holed: Vec<Board> = samples.iter().map(holed).collect();
    samples.extend(holed);
    samples
}

fn labels_of(board: &Board, sites: Vec<Site>) -> Vec<&str> {
    sites.into_iter().map(|site| board.label(site)).collect()
}

fn neighbours<'b>(board: &'b Board, label: &str) -> Vec<(Direction, &'b str)> {
    let site = board.find(label).expect("a site");
    Direction::ALL
        .into_iter()
        .filter_map(|direction| Some((direction, board.label(board.step(site, direction)?))))
        .collect()
}

#[test]
fn opposite_steps_lead_back() {
    for board in samples().into_iter().chain(wrapped_samples()) {
        for site in board.sites() {
            for direction in Direction::ALL {
                if let Some(to) = board.step(site, direction) {
                    assert!(board.contains(to));
                    assert!(board.straight().any(|one| one == direction));
                    assert_eq!(board.step(to, direction.opposite()), Some(site));
                }
            }
        }
    }
}

#[test]
fn shifts_are_few_parts_and_agree_with_steps() {
    for board in samples().into_iter().chain(wrapped_samples()) {
        for direction in Direction::ALL {
            let shifts = board.shifts(direction);
            let Wraps { columns, rows } = board.wraps();
            let few = 1 << (u8::from(columns) + u8::from(rows));
            assert!(board.has_lines() || shifts.len() <= few, "{shifts:?}");
            let mut shifted = vec![None; board.slots()];
            for shift in &shifts {
                for from in &shift.from {
                    let to = u16::try_from(i32::from(from.0) + shift.delta).unwrap();
                    shifted[from.index()] = Some(Site(to));
                }
            }
            for site in board.sites() {
                assert_eq!(shifted[site.index()], board.step(site, direction));
            }
        }
    }
}

#[test]
fn wrapped_steps_lead_to_as_many_sites_as_there_are_directions() {
    for board in wrapped_samples() {
        for site in board.sites() {
            let mut ends: Vec<Site> =
                board.straight().filter_map(|direction| board.step(site, direction)).collect();
            let count = ends.len();
            ends.sort_unstable();
            ends.dedup();
            assert!(ends.len() == count && !ends.contains(&site), "{}", board.label(site));
        }
    }
}

#[test]
fn edges_meet_where_the_board_wraps() {
    let cylinder = Board::wrapped(
        Shape::Rectangle { columns: 4, rows: 3 },
        Labels::default(),
        Wraps { columns: true, rows: false },
    );
    let cylinder = cylinder.unwrap();
    assert!(cylinder.is_wrapped() && !rectangle(4, 3).is_wrapped());
    assert_eq!(
        neighbours(&cylinder, "d1"),
        [(N, "d2"), (NE, "a2"), (E, "a1"), (W, "c1"), (NW, "c2")]
    );
    assert_eq!(
        neighbours(&cylinder, "a3"),
        [(E, "b3"), (SE, "b2"), (S, "a2"), (SW, "d2"), (W, "d3")]
    );
    let ring = Board::wrapped(
        Shape::Rhombus { columns: 4, rows: 3 },
        Labels::default(),
        Wraps { columns: true, rows: true },
    )
    .unwrap();
    assert_eq!(
        neighbours(&ring, "d3"),
        [(NE, "a1"), (E, "a3"), (SE, "d2"), (SW, "c2"), (W, "c3"), (NW, "d1")]
    );
    let narrow = Board::wrapped(
        Shape::Rectangle { columns: 2, rows: 9 },
        Labels::default(),
        Wraps { columns: true, rows: false },
    );
    assert_eq!(narrow, Err(BoardError::NarrowWrap { found: 2, least: 3 }));
    let [b1, c2, d1] = ["b1", "c2", "d1"].map(|label| ring.find(label).unwrap());
    assert_eq!(
        (ring.away(b1, -2, 0), ring.away(b1, 5, 4), ring.away(c2, 4, -3)),
        (Some(d1), Some(c2), Some(c2))
    );
    let hexagon = Board::wrapped(
        Shape::Hexagon { first: 3, second: 3 },
        Labels::default(),
        Wraps { columns: false, rows: true },
    );
    assert_eq!(hexagon, Err(BoardError::ShapeWraps));
}

#[test]
fn sites_ascend_and_labels_find_them() {
    for board in samples() {
        let sites: Vec<Site> = board.sites().collect();
        assert!(sites.is_sorted_by(|a, b| a < b));
        assert_eq!(sites.len(), board.len());
        assert_eq!(board.slots(), sites.last().map_or(0, |site| site.index() + 1));
        for &site in &sites {
            assert_eq!(board.find(board.label(site)), Some(site));
        }
        let rows: usize = board
            .rows_top_down()
            .iter()
            .map(|(label, sites)| {
                assert_eq!(board.row(label.parse().unwrap()), *sites);
                sites.len()
            })
            .sum();
        assert_eq!(rows, board.len());
    }
}

#[test]
fn longest_lines_agree_with_walking_from_everywhere() {
    for board in samples().into_iter().filter(|board| board.len() < 200) {
        let mut longest = 0;
        for start in board.sites() {
            for direction in board.straight() {
                let mut at = start;
                let mut steps = 0;
                while let Some(to) = board.step(at, direction) {
                    at = to;
                    steps += 1;
                }
                longest = longest.max(steps);
            }
        }
        assert_eq!(board.longest_line(), longest);
    }
    assert_eq!(rectangle(8, 5).longest_line(), 7);
    assert_eq!(hexagon(4, 2).longest_line(), 4);
}

#[test]
fn rectangle_has_four_and_eight_neighbours() {
    let board = rectangle(3, 3);
    let all = [
        (N, "b3"),
        (NE, "c3"),
        (E, "c2"),
        (SE, "c1"),
        (S, "b1"),
        (SW, "a1"),
        (W, "a2"),
        (NW, "a3"),
    ];
    assert_eq!(neighbours(&board, "b2"), all);
    assert_eq!(neighbours(&board, "a1"), [(N, "a2"), (NE, "b2"), (E, "b1")]);
    assert_eq!(board.orthogonal(), [N, E, S, W]);
    assert_eq!(board.diagonal(), [NE, SE, SW, NW]);
    assert_eq!(board.all(), Direction::ALL);
    assert_eq!(board.slots(), 9);
    assert_eq!(board.place(board.find("c1").unwrap()), (2, 0));
    assert!(!board.is_hexagonal());
}

#[test]
fn hexagon_has_six_neighbours() {
    let board = hexagon(4, 2);
    let six = [(NE, "d4"), (E, "d3"), (SE, "c2"), (SW, "b2"), (W, "b3"), (NW, "c4")];
    assert_eq!(neighbours(&board, "c3"), six);
    assert_eq!(board.orthogonal(), board.all());
    assert_eq!(board.all().len(), 6);
    assert!(board.diagonal().is_empty());
    assert!(board.is_hexagonal());
    assert!(!rhombus(3, 3).is_hexagonal());
}

/// The way b1 b2 c2 c3 b3 b2 a2 passes b2 twice.
#[test]
fn passages_of_a_site_follow_each_other_where_the_site_has_no_one_next() {
    let board = Board::new(Shape::Rectangle { columns: 3, rows: 3 }, Labels::default());
    let board = board.expect("a board");
    let site = |label: &str| board.find(label).expect("a site");
    let way: Vec<Site> = "b1 b2 c2 c3 b3 b2 a2".split(' ').map(site).collect();
    let runs = vec![Run { sites: way.clone(), is_closed: false }];
    let eight = Track { name: String::from("Eight"), runs };
    let (plain, board) = (board.clone(), board.clone().with_tracks(vec![eight]));
    let (on, back) = (Along(0), Against(0));
    assert!(board.returns(on) && board.returns(back) && !board.returns(N));
    assert!(board.sites().all(|site| board.step(site, on).is_none()));
    assert_eq!(board.sites().collect::<Vec<_>>(), plain.sites().collect::<Vec<_>>());
    assert_eq!(board.places().filter(|&place| !board.contains(place)).count(), way.len());
    let follow = |direction: Direction, from: &str| {
        let starts = board.passages(board.find(from).expect("a site"));
        let next = starts.filter_map(|start| board.step(start, direction));
        let mut next: Vec<&str> = next.map(|place| board.label(board.site_of(place))).collect();
        next.sort_unstable();
        next.join(" ")
    };
    assert_eq!(
        ["b1", "b2", "c3", "a2", "a1"].map(|from| follow(on, from)),
        ["b2", "a2 c2", "b3", "", ""]
    );
    assert_eq!(["b1", "b2", "a2"].map(|from| follow(back, from)), ["", "b1 b3", "b2"]);
    // Columns and rows exchanged: the way back.
    let turned = |site: Site| {
        let (column, row) = board.place(site);
        board.sites().find(|&other| board.place(other) == (row, column)).expect("a site")
    };
    assert!(board.has_same_ways(on, turned, back) && !board.has_same_ways(on, turned, on));
    assert!(board.has_same_ways(on, |site| site, on));
}

#[test]
fn hexagon_rows_grow_and_shrink() {
    let board = hexagon(4, 2);
    let drawn: Vec<(String, Vec<&str>)> = board
        .rows_top_down()
        .into_iter()
        .map(|(row, sites)| (row, labels_of(&board, sites)))
        .collect();
    let expected: [(&str, &[&str]); 5] = [
        ("5", &["d5", "e5"]),
        ("4", &["c4", "d4", "e4"]),
        ("3", &["b3", "c3", "d3", "e3"]),
        ("2", &["a2", "b2", "c2", "d2", "e2"]),
        ("1", &["a1", "b1", "c1", "d1"]),
    ];
    assert_eq!(drawn.len(), expected.len());
    for ((row, sites), (number, labels)) in drawn.iter().zip(expected) {
        assert_eq!(row, number);
        assert_eq!(sites, labels);
    }
    let numbers: Vec<u16> = board.sites().map(|site| site.0).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 19, 20]);
    assert!(!board.contains(Site(13)));
    assert_eq!(board.slots(), 21);
}

#[test]
fn hexagons_have_the_known_counts() {
    for (k, count) in (2..).zip([18, 36, 60, 90, 126, 168]) {
        assert_eq!(hexagon(k + 2, k).len(), count);
        assert_eq!(hexagon(k, k + 2).len(), count);
    }
}

#[test]
fn slots_stay_below_twice_the_limit() {
    let mut most = 0;
    for first in 1..=Board::LIMIT {
        for second in 1..=Board::LIMIT {
            let Ok(board) = Board::new(Shape::Hexagon { first, second }, Labels::default()) else {
                break;
            };
            most = most.max(board.slots());
        }
    }
    assert!(most < 2 * Board::LIMIT, "{most}");
}

#[test]
fn away_leads_over_holes() {
    let board = Board::new(Shape::Rectangle { columns: 4, rows: 3 }, Labels::default()).unwrap();
    let [a1, b1, b2, c1, c2, d3] =
        ["a1", "b1", "b2", "c1", "c2", "d3"].map(|label| board.find(label).unwrap());
    let holed = board.clone().without(&[b1, b2]);
    assert_eq!(holed.away(a1, 2, 0), Some(c1));
    assert_eq!(holed.away(c1, -2, 0), Some(a1));
    assert_eq!(holed.away(a1, 3, 2), Some(d3));
    assert_eq!(holed.away(c1, 0, 1), Some(c2));
    for (columns, rows) in [(1, 0), (1, 1), (4, 0), (-1, 0), (0, -1), (0, 3)] {
        assert_eq!(holed.away(a1, columns, rows), None, "{columns}, {rows}");
    }
    assert_eq!(holed.away(b1, 1, 0), None);
    let board = hexagon(4, 2);
    for site in board.sites() {
        assert_eq!(board.away(site, 1, 1), board.step(site, NE));
        assert_eq!(board.away(site, 0, -1), board.step(site, SE));
    }
}

#[test]
fn rows_count_from_either_end() {
    let shape = Shape::Rectangle { columns: 3, rows: 4 };
    let labels = Labels { first_column: 'B', rows_from_top: true };
    let board = Board::new(shape, labels).unwrap();
    assert_eq!(labels_of(&board, board.row(1)), ["B1", "C1", "D1"]);
    assert_eq!(labels_of(&board, board.column("B")), ["B4", "B3", "B2", "B1"]);
    assert_eq!(board.rows_top_down()[0].0, "1");
    let site = board.find("C2").unwrap();
    assert_eq!(board.label(board.step(site, N).unwrap()), "C1");
    assert_eq!(board.place(site), (1, 2));
    assert_eq!(board.find("A1"), None);
    assert_eq!(board.find("b1"), None);
    assert!(board.row(0).is_empty() && board.row(5).is_empty());
    assert!(board.column("A").is_empty() && board.column("").is_empty());
}

#[test]
fn holes_are_removed() {
    let board = rectangle(3, 3);
    let [centre, corner] = ["b2", "c3"].map(|label| board.find(label).unwrap());
    let board = board.without(&[centre, corner, centre, Site(999)]);
    assert_eq!(board.len(), 7);
    assert_eq!(board.slots(), 8);
    assert!(!board.contains(centre));
    assert_eq!(board.label(centre), "");
    assert_eq!(board.find("b2"), None);
    assert_eq!(board.step(centre, N), None);
    assert_eq!(neighbours(&board, "a2"), [(N, "a3"), (NE, "b3"), (SE, "b1"), (S, "a1")]);
    assert_eq!(labels_of(&board, board.row(2)), ["a2", "c2"]);

    let all: Vec<Site> = board.sites().collect();
    let bare = board.without(&all);
    assert!(bare.is_empty());
    assert_eq!((bare.slots(), bare.longest_line()), (0, 0));
    assert_eq!(bare.rows_top_down().len(), 3);
}

#[test]
fn absurd_boards_are_refused_at_once() {
    assert!(is_soon(Duration::from_secs(1), absurd_boards_are_refused));
}

fn absurd_boards_are_refused() {
    let huge = 1_000_000_000;
    let shape = Shape::Rectangle { columns: huge, rows: huge };
    assert_eq!(
        Board::new(shape, Labels::default()),
        Err(BoardError::TooLarge { sites: 1_000_000_000_000_000_000 })
    );
    for (first, second) in [(usize::MAX, usize::MAX), (1, usize::MAX), (usize::MAX, 1)] {
        for shape in
            [Shape::Hexagon { first, second }, Shape::Rhombus { columns: first, rows: second }]
        {
            let refused = Board::new(shape, Labels::default());
            assert!(matches!(refused, Err(BoardError::TooLarge { .. })));
        }
    }
}

#[test]
fn empty_and_unnameable_boards_are_refused() {
    let empty = [
        Shape::Rectangle { columns: 0, rows: usize::MAX },
        Shape::Rhombus { columns: 3, rows: 0 },
        Shape::Hexagon { first: 0, second: 3 },
        Shape::Hexagon { first: usize::MAX, second: 0 },
    ];
    for shape in empty {
        assert_eq!(Board::new(shape, Labels::default()), Err(BoardError::Empty));
    }
    for found in ['1', 'é', '\0'] {
        let labels = Labels { first_column: found, rows_from_top: false };
        let shape = Shape::Rectangle { columns: 1, rows: 1 };
        assert_eq!(Board::new(shape, labels), Err(BoardError::ColumnName { found }));
    }
}
