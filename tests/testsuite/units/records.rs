//! Records of games as text.

use ludwright::record::{KEYS, Record};

#[test]
fn reads_what_it_writes() {
    let text = "game: Chase\noption: Size=5\noption: Komi=0.5\nseed: 7\n\nplace a1\nconvert a1\n";
    assert_eq!(Record::parse(text).unwrap().write(), text);
    let full = "game: Chase\nrules: 00ff\noption: Size=2\nseat: Black=human\nseat: White=mcts:1s\nseed: 7\nat: 1\nresult: White wins\n\
        reason: no move is legal\nstart:  2 . B\nstart: 1 . .\nstart: to move: White\n# the last game\n# of three\n\n\
        place a1  # [3.2 s] hasty\n# and more\nconvert a1  # [0.0 s]\nplace b2  # [x s] or so\n";
    let record = Record::parse(full).unwrap();
    assert_eq!(record.write(), full);
    assert_eq!(record.clone().numbered(), record);
    assert_eq!(record.plies[0].note.time, Some(std::time::Duration::from_millis(3200)));
    assert_eq!(record.plies[0].note.comment.as_deref(), Some("hasty\nand more"));
    assert_eq!(Record::parse("").unwrap(), Record::default());
    let bare = Record::parse("# no header\n\nplace a1\r\n\n\nplace b2 # two\n").unwrap();
    assert_eq!(
        bare.plies.iter().map(|ply| (ply.line, ply.text.as_str())).collect::<Vec<_>>(),
        [(3, "place a1"), (6, "place b2")]
    );
}

#[test]
fn a_comment_that_looks_like_a_time_stays_one() {
    let mut record =
        Record::parse("\nplace a1\n# [3 s] is long\nplace b1  # [4.0 s]\n# [5 s]\n").unwrap();
    assert_eq!(
        (record.plies[0].note.time, record.plies[0].note.comment.as_deref()),
        (None, Some("[3 s] is long"))
    );
    assert_eq!(record.plies[1].note.comment.as_deref(), Some("[5 s]"));
    record.plies.iter_mut().zip([2, 4]).for_each(|(ply, line)| ply.line = line);
    assert_eq!(Record::parse(&record.write()).unwrap(), record);
    assert_eq!(record.clone().numbered(), record);
}

#[test]
fn the_page_about_records_has_every_key_and_shows_one() {
    let page = include_str!("../../../grammar/RECORDS.md");
    for key in KEYS {
        assert!(page.contains(&format!("| `{key}: ")), "{key}");
    }
    let sample = page.split("```\n").nth(1).unwrap();
    let record = Record::parse(sample).unwrap();
    assert_eq!(record.write(), sample);
    assert_eq!(
        record.plies[1].note.comment.as_deref(),
        Some("A quiet answer;\ntoo quiet, as it turned out.")
    );
}

#[test]
fn names_the_line_that_is_wrong() {
    for (text, message) in [
        (
            "gmae: X",
            "line 1: a record has no `gmae:`; its keys are `game:`, `rules:`, `option:`, `seat:`, `seed:`, `start:`, `result:`, `reason:` and `at:`; did you mean `game`?",
        ),
        ("game: X\ngame: Y", "line 2: `game:` appears twice"),
        ("seed: -1", "line 1: expected a whole number from 0 to 18446744073709551615, found `-1`"),
        ("at: x", "line 1: expected a number of plies, found `x`"),
        ("seat: White", "line 1: expected `seat: Name=Player`, found `White`"),
        ("option: Size", "line 1: expected `option: Name=Value`, found `Size`"),
        ("option: Size=5\noption: Size=6", "line 2: Size is 6 here but 5 above"),
        (
            "game: X\n\nplace a1\nseed: 7",
            "line 4: expected a move, found `seed: 7`; the header ends at the empty line",
        ),
    ] {
        assert_eq!(Record::parse(text).unwrap_err().to_string(), message);
    }
}
