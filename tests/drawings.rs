//! Positions in the midst of games, drawn for terminals: with and without colours, and where there is little room.

#[path = "support/midgames.rs"]
mod midgames;

use ludwright::engine::game::Match;
use ludwright::render::{Room, Scene, Targets, drawing, key, spell};
use midgames::{end_of, name, records};

const NARROW: Room = Room { width: 24, height: usize::MAX };
const LOW: Room = Room { width: 80, height: 16 };

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/drawings");
    settings
}

/// What colours a terminal, where it can be read.
fn visible(text: &str) -> String {
    text.replace('\u{1b}', "␛")
}

fn sheet(position: &Match) -> String {
    let scene = Scene::of(position);
    let plain = |title: &str, room: Room| format!("--- {title}\n{}", spell(&drawing(&scene, room), false));
    let targets = spell(&drawing(&Scene::of(position).with_targets(position, Targets::All), Room::default()), false);
    format!(
        "{}\n{}\n--- targets\n{targets}\n--- key\n{}",
        plain("80 columns", Room::default()),
        plain("24 columns", NARROW),
        spell(&key(&scene, 80), false)
    )
}

#[test]
fn positions_are_drawn() {
    let _bound = settings().bind_to_scope();
    for record in records("games/pictures").into_iter().chain(records("tests/pictures")) {
        insta::assert_snapshot!(format!("drawing@{}", name(&record)), sheet(&end_of(&record)));
    }
}

#[test]
fn colours_are_added_to_what_is_there() {
    let _bound = settings().bind_to_scope();
    for record in records("games/pictures").into_iter().chain(records("tests/pictures")) {
        let position = end_of(&record);
        let lines = drawing(&Scene::of(&position), Room::default());
        let coloured = spell(&lines, true);
        // Without its colours it is the same to the letter.
        let mut bare = String::new();
        for (index, part) in coloured.split('\u{1b}').enumerate() {
            bare.push_str(if index == 0 { part } else { part.split_once('m').expect("the end of a sequence").1 });
        }
        let trimmed = |text: &str| text.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>();
        assert_eq!(trimmed(&bare), trimmed(&spell(&lines, false)), "{}", name(&record));
        if record.starts_with("games") {
            insta::assert_snapshot!(format!("coloured@{}", name(&record)), visible(&coloured));
        }
    }
}

#[test]
fn a_drawing_fits_where_it_can() {
    for record in records("games/pictures").into_iter().chain(records("tests/pictures")) {
        let position = end_of(&record);
        for room in [NARROW, LOW, Room::default()] {
            let lines = drawing(&Scene::of(&position), room);
            let widest = lines.iter().map(|line| line.width()).max().unwrap_or(0);
            // A symbol and a blank for each column, half of that for each row of a rhombus, and the numbers of the rows.
            let board = &position.game().rules().board;
            let least = board.sites().map(|site| board.place(site)).map(|(column, row)| 2 * column + row).max().unwrap_or(0) + 5;
            assert!(widest <= room.width.max(least), "{}: {widest} in {room:?}", name(&record));
        }
    }
}
