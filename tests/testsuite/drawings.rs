//! Drawings of positions for terminals: with and without colours, and in little space.

use crate::generator::generate;
use crate::midgames::{end_of, is_shown, name, records};
use crate::snapshots_in;
use ludwright::engine::game::State;
use ludwright::language::look::Shape;
use ludwright::language::rules::MemoryId;
use ludwright::notation::write_memories;
use ludwright::random::Random;
use ludwright::render::{Room, Scene, Targets, drawing, key, spell};

const NARROW: Room = Room { width: 24, height: usize::MAX };
const LOW: Room = Room { width: 80, height: 16 };

/// Makes terminal sequences readable.
fn visible(text: &str) -> String {
    text.replace('\u{1b}', "␛")
}

fn sheet(position: &State) -> String {
    let scene = Scene::of(position);
    let plain =
        |title: &str, room: Room| format!("--- {title}\n{}", spell(&drawing(&scene, room), false));
    let targets = spell(
        &drawing(&Scene::of(position).with_targets(position, Targets::All), Room::default()),
        false,
    );
    format!(
        "{}\n{}\n--- targets\n{targets}\n--- key\n{}",
        plain("80 columns", Room::default()),
        plain("24 columns", NARROW),
        spell(&key(&scene, 80), false)
    )
}

#[test]
fn positions_are_drawn() {
    let _bound = snapshots_in("drawings").bind_to_scope();
    for record in records() {
        insta::assert_snapshot!(format!("drawing@{}", name(&record)), sheet(&end_of(&record)));
    }
}

#[test]
fn colours_are_added_to_what_is_there() {
    let _bound = snapshots_in("drawings").bind_to_scope();
    for record in records() {
        let position = end_of(&record);
        let lines = drawing(&Scene::of(&position), Room::default());
        let coloured = spell(&lines, true);
        // Without its colours, the drawing is identical to the plain one.
        let mut bare = String::new();
        for (index, part) in coloured.split('\u{1b}').enumerate() {
            bare.push_str(if index == 0 {
                part
            } else {
                part.split_once('m').expect("the end of a sequence").1
            });
        }
        let trimmed = |text: &str| {
            text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>()
        };
        assert_eq!(trimmed(&bare), trimmed(&spell(&lines, false)), "{}", name(&record));
        if is_shown(&record) {
            insta::assert_snapshot!(format!("coloured@{}", name(&record)), visible(&coloured));
        }
    }
}

#[test]
fn a_drawing_fits_where_it_can() {
    for record in records() {
        let position = end_of(&record);
        for room in [NARROW, LOW, Room::default()] {
            let lines = drawing(&Scene::of(&position), room);
            let widest = lines.iter().map(|line| line.width()).max().unwrap_or(0);
            // Minimum width: a symbol and a blank per column, half of that per row of a rhombus,
            // and the row numbers. Numbers of seeds may have two digits.
            let rules = position.game().rules();
            let board = &rules.board;
            let are_seeds = |index| rules.look.mark(MemoryId(index)) == Some(Shape::Seeds);
            let symbol = 1 + usize::from((0..rules.memories.len() as u16).any(are_seeds));
            let least = board
                .sites()
                .map(|site| board.place(site))
                .map(|(column, row)| (symbol + 1) * column + row)
                .max()
                .unwrap_or(0)
                + 5;
            assert!(widest <= room.width.max(least), "{}: {widest} in {room:?}", name(&record));
        }
    }
}

/// Boards unlike those of published games.
const STRANGE: [(&str, &str); 4] = [
    (
        "tokens-on-hexagons",
        r#"(game "Pointers" (players Ash Birch Box) (board (hexagon 2 3) (without c3)) (piece Log unowned) (piece King)
            (remember Token sites (per player) (per direction all) travelling)
            (setup (put Log (sites b2 d3)) (put King b3 Ash) (put King c4 Birch)
              (for p players (for d (list NE E SW) (mark b2 (Token p d))))
              (mark b3 (Token Birch NW)) (mark c4 (Token Box W)) (cut d4))
            (move pass) (play (turns (choose pass))))"#,
    ),
    (
        "numbers-and-marks",
        r#"(game "Ages" (players Red Green) (board (rectangle 4 3) (wrap columns rows)) (piece Tree)
            (remember Age number (per site 40)) (remember Fresh sites) (remember Home sites (per player)) (remember Last site)
            (setup (put Tree (row 2) Green) (set (Age a2) 7) (set (Age b2) 31) (set (Age c1) 4) (set Fresh (sites a2 d3)) (set (Home Red) d2) (set Last a2))
            (move pass) (play (turns (choose pass))))"#,
    ),
    (
        "points-of-hexagons",
        r#"(game "Points" (players Ivory Black) (board (hexagon 3 2)) (piece Stone) (piece Tower "IT" "BT")
            (setup (put Stone b2 Ivory) (put Tower c3 Black) (cut d3))
            (move pass) (play (turns (choose pass)))
            (look (grid points) (shape Tower square "T")))"#,
    ),
    (
        "wide-signs",
        r#"(game "Pond" (players Frog Fish) (board (square 3)) (piece Swimmer "蛙" "魚") (setup (put Swimmer a1 Frog) (put Swimmer b2 Fish))
            (move pass) (play (turns (choose pass))))"#,
    ),
];

#[test]
fn strange_boards_are_drawn() {
    let _bound = snapshots_in("drawings").bind_to_scope();
    for (name, rules) in STRANGE {
        let game =
            ludwright::load(rules, &[]).unwrap_or_else(|rejected| panic!("{name}: {rejected}"));
        let position = game.begin().expect("a beginning");
        insta::assert_snapshot!(format!("strange@{name}"), sheet(&position));
    }
}

/// Where the board cannot show what a memory keeps for each site, a list below it does.
#[test]
fn memories_of_sites_are_listed_where_the_board_is_small() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut listed = 0;
    for seed in 0..700 {
        let Ok(game) = ludwright::load(generate(seed).text.as_str(), &[]) else { continue };
        let Ok(mut position) = game.begin() else { continue };
        let mut random = Random::new(seed);
        for _ in 0..6 {
            let legal = position.legal();
            if legal.is_empty() {
                break;
            }
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            if position.play(&ply).is_err() {
                break;
            }
        }
        let rules = game.rules();
        let drawn = |width| {
            words(&spell(&drawing(&Scene::of(&position), Room { width, height: 1 }), false))
        };
        let (narrow, wide) = (drawn(30), drawn(1000));
        for line in write_memories(rules, &position.snapshot()) {
            let memory = rules.memories.iter().position(|memory| memory.name == line.name);
            let hidden = memory.is_none_or(|index| rules.look.hides(MemoryId(index as u16)));
            if line.per_site && !line.idle && !hidden {
                let whole = words(&format!("{}: {}", line.name, line.value));
                for text in [&narrow, &wide] {
                    assert!(text.contains(&whole), "seed {seed}: {whole}\n{text}");
                }
                listed += 1;
            }
        }
    }
    assert!(listed > 10, "only {listed} memories");
}

#[test]
fn every_game_is_drawn_whatever_the_room() {
    let folders = ["games", "tests/games", "tests/plain/games"]
        .map(|folder| std::fs::read_dir(folder).expect(folder));
    let paths = folders.into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let mut drawn = 0;
    for path in paths.filter(|path| path.extension().is_some_and(|end| end == "game")) {
        let game = ludwright::load_file(&path, &[])
            .unwrap_or_else(|unloaded| panic!("{}: {unloaded}", path.display()));
        let position = game.begin().expect("a beginning");
        let scene = Scene::of(&position).with_targets(&position, Targets::All);
        for (width, height) in [(1, 1), (10, 24), (40, 10), (80, 24), (400, 400)] {
            let lines = drawing(&scene, Room { width, height });
            let text = spell(&lines, false);
            let numbers = game
                .rules()
                .board
                .rows_top_down()
                .into_iter()
                .filter(|(_, sites)| !sites.is_empty());
            for (number, _) in numbers {
                assert!(
                    text.lines().any(|line| line.trim_start().starts_with(&number)),
                    "{}: row {number}\n{text}",
                    path.display()
                );
            }
        }
        assert!(ludwright::render::svg(&scene).ends_with("</svg>\n"));
        drawn += 1;
    }
    assert!(drawn > 20);
}
