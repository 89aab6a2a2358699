//! Positions, memories and moves as text.

use ludwright::board::{Board, Direction, Labels, Shape, Site};
use ludwright::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use ludwright::language::rules::{
    About, Keys, Memory, MemoryType, Piece, PieceId, Player, PlayerId, Rules, Teams,
};
use ludwright::language::sources::Sources;
use ludwright::load;
use ludwright::notation::forms::{atoms, split};
use ludwright::notation::{
    Line, PositionText, clip, list, read_board, read_memory, write_board, write_memories,
};
use ludwright::random::Random;
use ludwright::syntax::Span;
use std::sync::Arc;

fn piece(name: &str, owned: bool, symbols: &[&str]) -> Piece {
    let symbols = symbols.iter().map(|&symbol| symbol.to_owned()).collect();
    Piece { name: name.to_owned(), span: Span::default(), owned, symbols }
}

fn memory(name: &str, holds: MemoryType) -> Memory {
    Memory::new(name.to_owned(), Span::default(), holds)
}

fn player(name: &str) -> Player {
    Player { name: name.to_owned(), span: Span::default(), forward: None }
}

/// Returns rules with two players, an owned and an unowned piece, and a memory of every type.
fn rules(board: Board, symbols: &[&str]) -> Rules {
    let memories = vec![
        Memory {
            per_player: true,
            hand: true,
            initial: 14,
            ..memory("Supply", MemoryType::Number { most: 0 })
        },
        memory("Fresh", MemoryType::Sites),
        Memory {
            per_player: true,
            per_direction: board.all().to_vec(),
            ..memory("Token", MemoryType::Sites)
        },
        memory("Last", MemoryType::Site),
        memory("Leader", MemoryType::Player),
        Memory { per_site: true, ..memory("Age", MemoryType::Number { most: 9 }) },
        Memory { per_site: true, ..memory("Start", MemoryType::Site) },
        Memory {
            per_player: true,
            keys: Keys::Kinds(vec![PieceId(1), PieceId(0)]),
            ..memory("Reserve", MemoryType::Number { most: i32::MAX })
        },
        Memory {
            keys: Keys::Numbers(-1..=2),
            ..memory("Shown", MemoryType::Number { most: i32::MAX })
        },
        memory("Taken", MemoryType::Kind),
        Memory { per_site: true, ..memory("Former", MemoryType::Kind) },
        memory("Course", MemoryType::Direction),
        Memory { per_site: true, ..memory("Facing", MemoryType::Direction) },
        Memory { per_player: true, ..memory("Checked", MemoryType::Condition) },
    ];
    Rules {
        title: "None".to_owned(),
        about: About::default(),
        files: Sources::named("", ""),
        players: vec![player("Black"), player("White")],
        teams: Teams::alone(2),
        options: Vec::new(),
        board: Arc::new(board),
        pieces: vec![piece("Stone", true, symbols), piece("Shell", false, &["s"])],
        memories,
        definitions: Vec::new(),
        moves: Vec::new(),
        locals: Vec::new(),
        setup: Vec::new(),
        play: Vec::new(),
        end: Vec::new(),
        repetition: None,
        drop_outs: None,
        pie: None,
        going_on: None,
        last_moves: Vec::new(),
        piles: None,
        look: Default::default(),
        notations: Default::default(),
        claims: Vec::new(),
    }
}

fn board(shape: Shape) -> Board {
    Board::new(shape, Labels::default()).expect("a board")
}

fn boards() -> Vec<Board> {
    let rectangle = |columns, rows| Shape::Rectangle { columns, rows };
    let hexagon = |first, second| Shape::Hexagon { first, second };
    let rhombus = |columns, rows| Shape::Rhombus { columns, rows };
    let shapes = [
        rectangle(1, 1),
        rectangle(3, 2),
        rectangle(30, 3),
        rectangle(2, 12),
        hexagon(1, 1),
        hexagon(4, 2),
        hexagon(2, 4),
        hexagon(7, 5),
        hexagon(1, 6),
        rhombus(4, 3),
        rhombus(2, 11),
    ];
    let mut boards: Vec<Board> = shapes.into_iter().map(board).collect();
    let labels = Labels { first_column: 'A', rows_from_top: true };
    boards.push(Board::new(rectangle(5, 3), labels).expect("a board"));
    boards.push(Board::new(hexagon(3, 3), labels).expect("a board"));
    let holed: Vec<Board> = boards
        .iter()
        .filter(|board| board.len() > 4)
        .map(|board| {
            board
                .clone()
                .without(&board.sites().filter(|site| site.0 % 5 == 1).collect::<Vec<Site>>())
        })
        .collect();
    boards.extend(holed);
    boards
}

fn random_setting(rules: &Rules, random: &mut Random) -> Snapshot {
    let mut snapshot = Snapshot::empty(rules);
    for site in rules.board.sites() {
        let owned = |owner| Some(Occupant { piece: PieceId(0), owner: Some(PlayerId(owner)) });
        match random.below(6) {
            0 => snapshot.pieces[site.index()] = owned(0),
            1 => snapshot.pieces[site.index()] = owned(1),
            2 => snapshot.pieces[site.index()] = Some(Occupant { piece: PieceId(1), owner: None }),
            3 => snapshot.cut.push(site),
            _ => {}
        }
    }
    let mut some = || rules.board.sites().filter(|_| random.below(4) == 0).collect::<Vec<Site>>();
    let all = rules.board.all();
    for memory_value in snapshot.memories.iter_mut().flatten() {
        let sites = some();
        match memory_value {
            MemoryValue::Number(number) => *number = sites.len() as i32,
            MemoryValue::Sites(marked) => *marked = sites,
            MemoryValue::Site(site) => *site = sites.first().copied(),
            MemoryValue::Player(player) => player.0 = (sites.len() % 2) as u16,
            MemoryValue::NumberPerSite(numbers) => {
                sites.iter().for_each(|site| numbers[site.index()] = 3)
            }
            MemoryValue::SitePerSite(starts) => {
                sites.iter().for_each(|site| starts[site.index()] = sites.last().copied())
            }
            MemoryValue::Direction(direction) => {
                *direction = sites.first().map(|site| all[usize::from(site.0) % all.len()])
            }
            MemoryValue::DirectionPerSite(directions) => sites.iter().for_each(|site| {
                directions[site.index()] = Some(all[usize::from(site.0) % all.len()])
            }),
            MemoryValue::Condition(holds) => *holds = sites.len() % 2 == 1,
            MemoryValue::Kind(kind) => *kind = sites.first().map(|site| PieceId(site.0 % 2)),
            MemoryValue::KindPerSite(kinds) => {
                sites.iter().for_each(|site| kinds[site.index()] = Some(PieceId(site.0 % 2)))
            }
        }
    }
    snapshot
}

#[test]
fn diagrams_and_memories_read_what_they_write() {
    let mut random = Random::new(1);
    for board in boards() {
        for symbols in [["B", "W"], ["x1", "Wht"]] {
            let rules = rules(board.clone(), &symbols);
            for _ in 0..5 {
                let snapshot = random_setting(&rules, &mut random);
                let drawn = write_board(&rules, &snapshot.pieces, &snapshot.cut);
                let (read, used) = read_board(&rules, &Line::split(&drawn))
                    .unwrap_or_else(|misread| panic!("{misread}\n{drawn}"));
                assert_eq!((&read.pieces, &read.cut), (&snapshot.pieces, &snapshot.cut), "{drawn}");
                assert_eq!(used, drawn.lines().count(), "{drawn}");
                let mut copy =
                    Snapshot { memories: Snapshot::empty(&rules).memories, ..snapshot.clone() };
                for line in write_memories(&rules, &snapshot) {
                    read_memory(&rules, &mut copy, &line.name, &line.value).unwrap().unwrap();
                }
                assert_eq!(copy, snapshot);
            }
        }
    }
}

fn drawing(board: Board) -> String {
    let rules = rules(board, &["B", "W"]);
    let snapshot = Snapshot::empty(&rules);
    write_board(&rules, &snapshot.pieces, &snapshot.cut)
}

#[test]
fn rows_stand_as_the_grid_does() {
    assert_eq!(
        drawing(board(Shape::Rectangle { columns: 3, rows: 2 })),
        "  2 . . .\n  1 . . .\n    a b c\n"
    );
    let hexagon =
        ["    5 . .", "   4 . . .", "  3 . . . .", " 2 . . . . .", "  1 . . . . e", "     a b c d"];
    let drawn = drawing(board(Shape::Hexagon { first: 4, second: 2 }));
    let indent = drawn.lines().nth(3).map_or(0, |line| line.len() - line.trim_start().len());
    let lines: Vec<&str> = drawn.lines().map(|line| &line[indent.saturating_sub(1)..]).collect();
    assert_eq!(lines, hexagon, "\n{drawn}");
}

#[test]
fn misreadings_name_the_line() {
    let rules = rules(board(Shape::Rectangle { columns: 3, rows: 2 }), &["B", "W"]);
    for (text, message) in [
        ("2 . .\n1 . . .", "line 1: row 2 has 3 sites, found 2"),
        ("2 . . .\n1 . . . .", "line 2: row 1 has 3 sites, found 4"),
        ("2 . . .", "line 1: expected row 1 of the diagram, found the end of the file"),
        ("1 . . .\n2 . . .", "line 1: expected row 2 of the diagram, found `1 . . .`"),
        (
            "2 . X .\n1 . . .",
            "line 1: expected `.`, `#`, `B` (Black's Stone), `W` (White's Stone) or `s` (Shell) at b2, found `X`",
        ),
    ] {
        assert_eq!(read_board(&rules, &Line::split(text)).unwrap_err().to_string(), message);
    }
    let mut snapshot = Snapshot::empty(&rules);
    for (name, value, message) in [
        ("Supply", "3", "`Supply` is kept per player: write `Supply Black:`"),
        ("Supply Red", "3", "there is no player `Red`; the players are Black and White"),
        ("Supply Black", "-3", "Supply Black: expected a number of 0 or more, found -3"),
        (
            "Fresh",
            "a1 z9",
            "Fresh: the board has no site `z9`; its columns are a to c and its rows 1 to 2",
        ),
        ("Fresh", "A1", "Fresh: the board has no site `A1`; did you mean `a1`?"),
        ("Fresh Black", "a1", "expected `Fresh:`, found `Fresh Black:`"),
        (
            "Token White",
            "a1",
            "Token White: expected `SITE DIRECTION` pairs with commas between, found `a1`",
        ),
        (
            "Token White",
            "a1 up",
            "Token White: expected a direction, found `up`; the directions are N, NE, E, SE, S, SW, W and NW",
        ),
        ("Age", "a1 10", "Age: expected a number from 0 to 9, found 10"),
    ] {
        assert_eq!(read_memory(&rules, &mut snapshot, name, value).unwrap().unwrap_err(), message);
    }
    assert!(read_memory(&rules, &mut snapshot, "Nothing", "").is_none());
    assert_eq!(snapshot, Snapshot::empty(&rules));
    assert_eq!(Direction::from_name("up"), None);
}

#[test]
fn a_position_that_is_nobodys_and_not_over_begins_nothing() {
    let text = r#"(game "Fill" (players A B) (board (square 2)) (piece Stone) (move place (to t (empty)) (put Stone t)) (play (turns (choose place))))"#;
    let game = load(text, &[]).expect("a game");
    let position =
        PositionText { decision: None, ..PositionText::of(&game.begin().expect("a position")) };
    assert_eq!(
        position.begin(&game).err().as_deref(),
        Some("no player is to move in this position")
    );
}

#[test]
fn words_are_split_where_people_do_not_write_blanks() {
    for (text, words, parts) in [
        ("b5b4", "b5b4", "b5,b4"),
        ("b5 - b4", "b5,b4", "b5,b4"),
        ("step b5-b4", "step,b5,b4", "step,b5,b4"),
        ("e7xf8q", "e7xf8q", "e7,xf8,q"),
        ("a2 ne", "a2,ne", "a2,ne"),
        ("pay -1", "pay,-1", "pay,-1"),
        ("b5→b4", "b5,b4", "b5,b4"),
        ("", "", ""),
    ] {
        assert_eq!((split(text).join(","), atoms(text).join(",")), (words.into(), parts.into()));
    }
}

#[test]
fn lists_and_clips() {
    assert_eq!(list(&["a"], "or"), "a");
    assert_eq!(list(&["a", "b", "c"], "or"), "a, b or c");
    assert_eq!(clip("Müller's\t\"x\""), "Müller's\\t\"x\"");
    assert_eq!(clip(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
}
