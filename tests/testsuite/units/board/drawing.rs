//! Boards of points and lines, drawn in text or listed.

use super::{MORRIS, drawn, neighbours};
use ludwright::board::Direction::*;
use ludwright::board::{Board, BoardError, Drawing, Labels};

#[test]
fn steps_follow_the_lines_of_a_drawing() {
    let morris = drawn(&MORRIS);
    assert_eq!((morris.len(), morris.has_lines()), (24, true));
    assert_eq!(neighbours(&morris, "a1"), [(N, "a4"), (E, "d1")]);
    assert_eq!(neighbours(&morris, "d2"), [(N, "d3"), (E, "f2"), (S, "d1"), (W, "b2")]);
    assert_eq!(neighbours(&morris, "d5"), [(N, "d6"), (E, "e5"), (W, "c5")]);
    assert_eq!(morris.longest_line(), 2);

    let crossed = drawn(&["o o oo", " X    ", "o o-o "]);
    assert_eq!(neighbours(&crossed, "a1"), [(NE, "b2")]);
    assert_eq!(neighbours(&crossed, "b1"), [(E, "c1"), (NW, "a2")]);
    assert_eq!(neighbours(&crossed, "c2"), [(E, "d2")]);
    let plus = drawn(&[" o ", "o+o", " o "]);
    assert_eq!(neighbours(&plus, "a2"), [(E, "c2")]);
    assert_eq!(neighbours(&plus, "b3"), [(S, "b1")]);
}

fn listed(lines: &[&[&str]]) -> Board {
    let place = |label: &&str| {
        let (column, row) = Labels::default().read(label).expect("a label");
        (column, row - 1)
    };
    let lines: Vec<Vec<(usize, usize)>> =
        lines.iter().map(|line| line.iter().map(place).collect()).collect();
    let drawing = Drawing::joining(&lines).expect("lines that lead apart");
    Board::drawn(&drawing, Labels::default()).expect("a board")
}

#[test]
fn lines_that_are_listed_are_those_of_the_drawing() {
    let morris: [&[&str]; 16] = [
        &["a1", "d1", "g1"],
        &["b2", "d2", "f2"],
        &["c3", "d3", "e3"],
        &["a4", "b4", "c4"],
        &["e4", "f4", "g4"],
        &["c5", "d5", "e5"],
        &["b6", "d6", "f6"],
        &["a7", "d7", "g7"],
        &["a1", "a4", "a7"],
        &["b2", "b4", "b6"],
        &["c3", "c4", "c5"],
        &["d1", "d2", "d3"],
        &["d5", "d6", "d7"],
        &["e3", "e4", "e5"],
        &["f2", "f4", "f6"],
        &["g1", "g4", "g7"],
    ];
    let (drawn, listed_board) = (drawn(&MORRIS), listed(&morris));
    assert_eq!(listed_board.len(), drawn.len());
    for site in drawn.sites() {
        let label = drawn.label(site);
        assert_eq!(neighbours(&listed_board, label), neighbours(&drawn, label), "{label}");
    }

    // A line has one direction, though a step of it is nearer to another one.
    let slanting = listed(&[&["a5", "c3", "e2", "h1"]]);
    assert_eq!(neighbours(&slanting, "e2"), [(SE, "h1"), (NW, "c3")]);
    // A ring has that of each step.
    let ring = listed(&[&["a2", "b3", "c2", "b1", "a2"]]);
    assert_eq!(neighbours(&ring, "a2"), [(NE, "b3"), (SE, "b1")]);
    let corner = listed(&[&["a1", "c1", "c3", "a3"]]);
    assert_eq!(neighbours(&corner, "c1"), [(N, "c3"), (W, "a1")]);

    let apart = |lines: &[Vec<(usize, usize)>]| Drawing::joining(lines).expect_err("a fault");
    let fault = apart(&[vec![(0, 0), (2, 0)], vec![(5, 5), (0, 0), (1, 0)]]);
    assert_eq!((fault.line, fault.place, fault.way, fault.other), (1, 1, "E", (2, 0)));
}

#[test]
fn lines_that_would_share_a_direction_have_one_of_sixteen() {
    // Two lines to each side of the top, one of which is twice as steep as the other.
    let fan: [&[&str]; 5] = [
        &["e3", "d2", "c1"],
        &["e3", "c2", "a1"],
        &["e3", "f2", "g1"],
        &["e3", "g2", "i1"],
        &["c2", "d2", "f2", "g2"],
    ];
    let board = listed(&fan);
    let named = |label: &str| {
        let site = board.find(label).expect("a site");
        let step = |&way: &ludwright::board::Direction| Some((way, board.step(site, way)?));
        let name = |(way, to)| (board.direction_name(way), board.label(to).to_owned());
        board.all().iter().filter_map(step).map(name).collect::<Vec<_>>()
    };
    let told = |all: &[(&str, &str)]| {
        all.iter().map(|(way, to)| (way.to_string(), to.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(named("e3"), told(&[("SE", "f2"), ("SW", "d2"), ("ESE", "g2"), ("WSW", "c2")]));
    assert_eq!(named("c2"), told(&[("E", "d2"), ("ENE", "e3"), ("WSW", "a1")]));
    assert_eq!(board.wind_names().collect::<Vec<_>>(), ["ENE", "WSW", "ESE", "WNW"]);
    for way in board.all() {
        assert_eq!(board.direction_named(&board.direction_name(*way)), Some(*way));
    }
    // Without the flatter lines, eight directions are enough.
    assert_eq!(listed(&[fan[0], fan[2]]).all(), ludwright::board::Direction::ALL);

    // Every slope of small boards has the direction that is nearest, measured in whole numbers: a
    // way is nearest of sixteen if its angle with it is at most a 32nd of a turn.
    let nearest = |across: i64, up: i64| {
        let of = |(x, y): (f64, f64)| (across as f64 * x + up as f64 * y) / (x * x + y * y).sqrt();
        let steep = (std::f64::consts::TAU / 16.0).tan();
        let compass = [("N", (0.0, 1.0)), ("NE", (1.0, 1.0)), ("E", (1.0, 0.0))];
        let between = [("NNE", (steep, 1.0)), ("ENE", (1.0, steep))];
        let all = compass.into_iter().chain(between);
        all.max_by(|one, other| of(one.1).total_cmp(&of(other.1))).expect("a direction").0
    };
    for (across, up) in (0..9).flat_map(|x| (0..9).map(move |y| (x, y))).skip(1) {
        // Two lines that both lead east by eight make the board have sixteen.
        let place = |x: i64, y: i64| (x as usize + 20, y as usize + 20);
        let lines =
            [vec![place(0, 0), place(across, up)], vec![(0, 0), (9, 0)], vec![(0, 0), (7, 2)]];
        let drawing = Drawing::joining(&lines).expect("lines that lead apart");
        let board = Board::drawn(&drawing, Labels::default()).expect("a board");
        let at = |(x, y): (usize, usize)| board.sites().find(|&site| board.place(site) == (x, y));
        let from = at(place(0, 0)).expect("a site");
        let way = *board.all().iter().find(|&&way| board.step(from, way).is_some()).expect("a way");
        assert_eq!(board.direction_name(way), nearest(across, up), "{across} {up}");
    }
}

#[test]
fn labels_are_read_as_they_are_written() {
    for first_column in ['a', 'c', 'A', 'Y'] {
        let labels = Labels { first_column, rows_from_top: false };
        for column in 0..60 {
            let label = format!("{}{}", labels.column(column), 17);
            assert_eq!(labels.read(&label), Some((column, 17)), "{label}");
        }
    }
    for wrong in ["", "a", "7", "a0", "a-1", "A1", "1a", "é1", "a99999999999999999999", "zzzz1"] {
        assert_eq!(Labels::default().read(wrong), None, "{wrong}");
    }
}

#[test]
fn a_drawing_with_a_line_that_joins_nothing_is_refused() {
    let refused = |rows: &[&str]| {
        let error = Drawing::read(rows).expect_err("a fault");
        (error.row, error.place, error.found, error.to_string())
    };
    let joins = |found: char| format!("this `{found}` does not join two points");
    assert_eq!(refused(&["o-o-"]), (0, 3, '-', joins('-')));
    assert_eq!(refused(&["o o", "| ", "o-"]), (2, 1, '-', joins('-')));
    assert_eq!(refused(&["o-o", "\\ ", "o-o"]), (1, 0, '\\', joins('\\')));
    // One of the lines that cross ends nowhere.
    assert_eq!(refused(&["o o", " X ", "  o"]), (1, 1, 'X', joins('X')));
    let expected =
        String::from("expected `o`, `-`, `|`, `/`, `\\`, `X`, `+` or a space, found '*'");
    assert_eq!(refused(&["o-*"]), (0, 2, '*', expected));
    let empty = Drawing::read(&[" "]).expect("a drawing");
    assert_eq!(Board::drawn(&empty, Labels::default()), Err(BoardError::Empty));
    // However many points there are, that is soon said.
    let many = vec!["o".repeat(20_000); 10];
    let many = Board::drawn(&Drawing::read(&many).expect("a drawing"), Labels::default());
    assert_eq!(many, Err(BoardError::TooLarge { sites: 200_000 }));
    let far: Vec<String> = (0..40).map(|row| format!("{}o", " ".repeat(row))).collect();
    let far = Board::drawn(&Drawing::read(&far).expect("a drawing"), Labels::default());
    assert_eq!(far, Err(BoardError::TooLarge { sites: 1600 }));
}
