//! Pictures of midgame positions.

use crate::midgames::{FOLDER, end_of, name, records, shown};
use crate::snapshots_in;
use ludwright::render::{Scene, Targets, svg};

#[test]
fn positions_are_pictured() {
    let _bound = snapshots_in("pictures").bind_to_scope();
    for record in records() {
        let position = end_of(&record);
        let scene = Scene::of(&position).with_targets(&position, Targets::All);
        insta::assert_snapshot!(format!("picture@{}", name(&record)), svg(&scene));
    }
}

#[test]
fn the_pictures_of_the_readme_are_up_to_date() {
    let games = ["cicada", "double-move-situ", "kitaran", "lichen-chess", "swarm"];
    assert_eq!(shown().iter().map(|record| name(record)).collect::<Vec<String>>(), games);
    for record in shown() {
        let (name, picture) = (name(&record), record.with_extension("svg"));
        let known = std::fs::read_to_string(&picture).unwrap_or_default();
        let command = format!(
            "ludwright show games/{name}.game --from {FOLDER}/{name}.record -O {FOLDER}/{name}.svg"
        );
        assert!(
            known == svg(&Scene::of(&end_of(&record))),
            "the picture is another by now; make it anew:\n  {command}"
        );
    }
}

#[cfg(feature = "png")]
#[test]
fn pictures_have_pixels() {
    for record in shown() {
        let png = ludwright::render::png(&svg(&Scene::of(&end_of(&record))))
            .unwrap_or_else(|why| panic!("{}: {why}", name(&record)));
        assert!(png.starts_with(b"\x89PNG"), "{}", name(&record));
    }
}
