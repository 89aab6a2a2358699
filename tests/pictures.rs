//! Positions in the midst of games as pictures.

#[path = "support/midgames.rs"]
mod midgames;

use ludwright::render::{Scene, Targets, svg};
use midgames::{end_of, name, records};

/// The folder of the pictures that the README shows.
const SHOWN: &str = "pictures";

#[test]
fn positions_are_pictured() {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("snapshots/pictures");
    let _bound = settings.bind_to_scope();
    for record in records(SHOWN).into_iter().chain(records("tests/pictures")) {
        let position = end_of(&record);
        let scene = Scene::of(&position).with_targets(&position, Targets::All);
        insta::assert_snapshot!(format!("picture@{}", name(&record)), svg(&scene));
    }
}

#[test]
fn the_pictures_of_the_readme_are_up_to_date() {
    let games = ["cicada", "double-move-situ", "kitaran", "lichen-chess", "swarm"];
    assert_eq!(records(SHOWN).iter().map(|record| name(record)).collect::<Vec<String>>(), games);
    for record in records(SHOWN) {
        let (name, picture) = (name(&record), record.with_extension("svg"));
        let shown = std::fs::read_to_string(&picture).unwrap_or_default();
        let command = format!("ludwright show games/{name}.game --from {SHOWN}/{name}.record -O {SHOWN}/{name}.svg");
        assert!(shown == svg(&Scene::of(&end_of(&record))), "the picture is another by now; make it anew:\n  {command}");
    }
}

#[cfg(feature = "png")]
#[test]
fn pictures_have_pixels() {
    for record in records(SHOWN) {
        let png = ludwright::render::png(&svg(&Scene::of(&end_of(&record)))).unwrap_or_else(|why| panic!("{}: {why}", name(&record)));
        assert!(png.starts_with(b"\x89PNG"), "{}", name(&record));
    }
}
