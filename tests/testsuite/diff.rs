//! Comparison of games: changed copies of the shipped games against brute force, equivalent rules,
//! chance, results, repetition, names.

use ludwright::compare::{
    CompareLimits, Comparison, Incompatible, Names, Renaming, Side, compare, match_names,
};
use ludwright::engine::game::{Game, State};
use ludwright::language::rules::MemoryId;
use ludwright::notation::{legal, outcome, spell, turn, write_board, write_memories};
use std::path::{Path, PathBuf};
use std::time::Duration;

const LONG: CompareLimits = CompareLimits {
    time: Some(Duration::from_secs(3600)),
    positions: None,
    memory: 2 << 30,
    games: 300,
    seed: 1,
};

fn game(text: &str, options: &[(&str, &str)]) -> Game {
    let options: Vec<(String, String)> =
        options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    ludwright::load(text, &options).unwrap_or_else(|rejected| panic!("{rejected}:\n{text}"))
}

fn rules_file(name: &str) -> PathBuf {
    let paths = ["games", "tests/games"].map(|folder| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(format!("{name}.game"))
    });
    paths.into_iter().find(|path| path.is_file()).expect("a rules file")
}

fn source(name: &str) -> String {
    std::fs::read_to_string(rules_file(name)).expect("a rules file")
}

fn compared(left: &Game, right: &Game, limits: &CompareLimits) -> Comparison {
    let names = Names::new(left.rules(), right.rules(), &[]).expect("the same board and players");
    compare(left, right, &names, limits, &mut |_| {}).expect("no end")
}

/// Returns after how many plies two games differ.
fn distance(left: &Game, right: &Game) -> Option<usize> {
    let found = compared(left, right, &LONG);
    if let Some(difference) = &found.difference {
        assert!(difference.is_shortest);
        assert_differs(&difference.left, &difference.right);
    } else {
        assert!(found.is_same());
    }
    found.difference.map(|difference| difference.left.plies().len())
}

/// Everything that is compared, as text; of the memories only those that both games have under the
/// same name and show.
fn look(position: &State, other: &State) -> String {
    let rules = position.game().rules();
    let shown = |position: &State, name: &str| {
        let rules = position.game().rules();
        let name = name.split(' ').next().unwrap_or_default();
        rules
            .memories
            .iter()
            .position(|memory| memory.name == name)
            .is_some_and(|index| !rules.look.hides(MemoryId(index as u16)))
    };
    let snapshot = position.snapshot();
    let mut text = write_board(rules, &snapshot.pieces, &snapshot.cut);
    for line in write_memories(rules, &snapshot)
        .iter()
        .filter(|line| shown(position, &line.name) && shown(other, &line.name))
    {
        text.push_str(&format!("{}: {}\n", line.name, line.value));
    }
    format!(
        "{text}{} {} {}",
        turn(rules, position.turn()),
        outcome(rules, position.outcome()),
        legal(position).join(",")
    )
}

fn assert_differs(left: &State, right: &State) {
    assert_ne!(look(left, right), look(right, left), "what was found is no difference");
    let spelled = [left, right].map(|one| {
        one.plies().iter().map(|ply| spell(one.game().rules(), ply)).collect::<Vec<String>>()
    });
    assert_eq!(spelled[0], spelled[1], "the same plies");
}

/// Plays every sequence of `depth` plies in both games, and tests if one ends in a difference.
fn differ_after(left: &mut State, right: &mut State, depth: usize) -> bool {
    if depth == 0 {
        return look(left, right) != look(right, left);
    }
    for ply in left.legal().to_vec() {
        let spelled = spell(left.game().rules(), &ply);
        let other = right
            .legal()
            .iter()
            .find(|other| spell(right.game().rules(), other) == spelled)
            .cloned()
            .expect("they agree so far");
        left.play(&ply).expect("a legal move");
        right.play(&other).expect("a legal move");
        let differ = differ_after(left, right, depth - 1);
        left.undo();
        right.undo();
        if differ {
            return true;
        }
    }
    false
}

/// Minimum number of plies after which two games differ, at most `most`, by brute force.
fn by_brute_force(left: &Game, right: &Game, most: usize) -> Option<usize> {
    let (mut left, mut right) =
        (left.begin().expect("a beginning"), right.begin().expect("a beginning"));
    (0..=most).find(|&depth| differ_after(&mut left, &mut right, depth))
}

#[test]
fn changed_copies_differ_as_soon_as_brute_force_says() {
    type Change = (&'static str, &'static str);
    /// A game, its options, the depth of brute force, and the changes.
    type Row = (&'static str, &'static [(&'static str, &'static str)], usize, &'static [Change]);
    const ROWS: &[Row] = &[
        (
            "kitaran",
            &[("Size", "3")],
            4,
            &[
                ("(require (none (and taken Fresh)))", ""),
                ("(require (any taken))", ""),
                ("(and (beside s) (theirs Stone))", "(and (beside s all) (theirs Stone))"),
                ("(set Fresh taken)", "(set Fresh nowhere)"),
                (
                    "(convert taken mover)\n    (set Fresh taken)",
                    "(set Fresh (and taken (theirs Stone)))\n    (convert taken mover)",
                ),
                ("(convert taken mover)", "(remove taken)"),
                ("(turns (choose place convert))", "(turns (choose convert place))"),
            ],
        ),
        (
            "cicada",
            &[("Size", "3"), ("Molt", "3")],
            5,
            &[
                ("(if (= (count (Group t)) Molt)", "(if (= (count (Group t)) 2)"),
                ("(require (<= (count (Group t)) Molt))", ""),
                ("(replace (Group t) Shell)", "(remove (Group t))"),
                ("(otherwise (lose Mover))", "(otherwise (lose Placer))"),
                ("(group t (pieces Nymph) orthogonal)", "(group t (pieces Nymph) all)"),
                ("(to t (and (beside s all) (empty)))", "(to t (and (beside s) (empty)))"),
            ],
        ),
        (
            "double-move-situ",
            &[("Grid", "square"), ("Order", "2"), ("Surplus", "1")],
            3,
            &[
                ("(repeat 2 (choose cut pass))", "(repeat 3 (choose cut pass))"),
                ("(require (not (Controls (next mover) t)))", ""),
                ("(end-turn)", ""),
                ("(cut s)", "(put Stone s)"),
                ("(turn White (choose place))", "(turn Maroon (choose place))"),
            ],
        ),
        (
            "swarm",
            &[("Size", "4"), ("Cubes", "5")],
            2,
            &[
                ("(number b 1 6)", "(number b 1 5)"),
                ("(if (< (Die Red) (Die Blue))", "(if (> (Die Red) (Die Blue))"),
                ("(put Cube t)\n    (lower (Supply mover) 1)", "(lower (Supply mover) 1)"),
                ("(lower (Supply mover) 1)\n    (Arrive t)", "(Arrive t)"),
                ("(set (Die Blue) b)", "(set (Die Blue) r)"),
            ],
        ),
        (
            "lichen-chess",
            &[("Hand", "2"), ("Wings", "off")],
            2,
            &[
                ("(move pass)", "(move pass (require (none (pieces King))))"),
                (
                    "(require (not (in s (or (Token White d) (Token Black d)))))",
                    "(require (not (in s (Token White d))))",
                ),
                (
                    "(mark s (Token mover d))\n    (lower (Supply mover) 1)",
                    "(mark s (Token (next mover) d))\n    (lower (Supply mover) 1)",
                ),
                ("(relocate s t)", "(relocate t s)"),
                ("(require (in s (Token mover (direction s t))))", ""),
            ],
        ),
    ];
    for (name, options, most, changes) in ROWS {
        let text = source(name);
        let original = game(&text, options);
        let mut found = 0;
        for (before, after) in *changes {
            assert_eq!(text.matches(before).count(), 1, "{name}: {before}");
            let changed = game(&text.replace(before, after), options);
            let expected = by_brute_force(&original, &changed, *most);
            let small = CompareLimits { memory: 20 << 20, games: 0, ..LONG };
            let differs = compared(&original, &changed, &small).difference.map(|difference| {
                assert!(difference.is_shortest);
                assert_differs(&difference.left, &difference.right);
                difference.left.plies().len()
            });
            match expected {
                Some(_) => assert_eq!(differs, expected, "{name}: {before} became {after}"),
                None => assert!(
                    differs.is_none_or(|plies| plies > *most),
                    "{name}: {before} became {after}"
                ),
            }
            found += usize::from(expected.is_some());
        }
        assert!(found * 2 > changes.len(), "{name}: brute force sees hardly any difference");
    }
}

const PLAIN: &str = r#"(game "Three" (players X O) (board (square 3)) (piece Mark)
  (define (Row (player p)) (some d (list N NE E SE) (any (where s (of p Mark) (>= (+ 1 (count (walk s d (of p Mark)))) 3)))))
  (move place (to t (empty)) (put Mark t))
  (play (turns (choose place)))
  (end (if (Row mover) (win mover)) (if (none (empty)) (draw))))"#;

/// An equivalent of `PLAIN` without the definition: its parts in another order, its variables
/// renamed, its rows found by another condition.
const OTHERWISE: &str = r#"(game "Noughts" (players X O) (piece Mark) (board (square 3))
  (end
    (if (some way (list N NE E SE) (any (where middle (mine Mark) (and (in (step middle way) (mine)) (in (step middle (opposite way)) (mine))))))
      (win mover))
    (if (= (count (pieces Mark)) 9) (draw)))
  (play (forever (turn X (choose place)) (turn O (choose place))))
  (move place (to cell (empty)) (put Mark cell)))"#;

#[test]
fn one_game_written_in_two_ways_is_the_same() {
    let (left, right) = (game(PLAIN, &[]), game(OTHERWISE, &[]));
    let found = compared(&left, &right, &LONG);
    assert!(found.is_same());
    // The known number of reachable positions of tic-tac-toe.
    assert_eq!((found.positions, found.depth), (5478, 9));
    assert!(found.confusion() < -100.0, "{}", found.confusion());
    assert_eq!(distance(&game(&source("tic-tac-toe"), &[]), &right), None);
    // A file on a single line, and formatted.
    for (name, options) in
        [("cicada", &[("Size", "3"), ("Molt", "3")][..]), ("kitaran", &[("Size", "3")])]
    {
        let text = source(name);
        let bare: Vec<&str> =
            text.lines().map(|line| line.split(';').next().unwrap_or_default().trim()).collect();
        let bare = bare.join(" ");
        let small = CompareLimits { memory: 8 << 20, games: 20, ..LONG };
        let found = compared(&game(&text, options), &game(&bare, options), &small);
        assert!(found.difference.is_none() && found.positions > 1000, "{name}");
        let laid_out = ludwright::language::format::format(&bare).expect("brackets that match");
        assert_ne!(laid_out, text);
        assert!(
            compared(&game(&laid_out, options), &game(&text, options), &small).difference.is_none(),
            "{name}"
        );
    }
}

#[test]
fn a_variant_is_the_same_as_its_written_out_form() {
    let variant = ludwright::load_file(
        &rules_file("diagonal-kitaran"),
        &[("Size".to_owned(), "3".to_owned())],
    )
    .expect("a variant");
    let text = source("kitaran");
    let limits = CompareLimits { memory: 8 << 20, games: 20, ..LONG };
    let written = game(&text.replace("(beside s)", "(beside s all)"), &[("Size", "3")]);
    let found = compared(&variant, &written, &limits);
    assert!(found.difference.is_none() && found.positions > 1000);
    assert_eq!(
        distance(&variant, &game(&text, &[("Size", "3")])),
        by_brute_force(&variant, &game(&text, &[("Size", "3")]), 4)
    );
}

#[test]
fn results_at_the_end_are_compared() {
    let left = game(PLAIN, &[]);
    assert_eq!(distance(&left, &game(&PLAIN.replace("(draw)", "(win O)"), &[])), Some(9));
    assert_eq!(
        distance(&left, &game(&PLAIN.replace("(win mover)", "(win (next mover))"), &[])),
        Some(5)
    );
    // Testing O's row first is equivalent: only the player who has just moved can have a new row.
    assert_eq!(
        distance(
            &left,
            &game(
                &PLAIN.replace(
                    "(if (Row mover) (win mover))",
                    "(if (Row O) (win O)) (if (Row X) (win X))"
                ),
                &[]
            )
        ),
        None
    );
}

/// A draw among all players is a draw, whether or not a rule that never applies lets players drop out.
#[test]
fn a_draw_among_all_is_a_draw() {
    let plain = "(game \"Filling\" (players A B C) (board (rectangle 3 2)) (piece Stone)
        (move drop (to t (empty)) (put Stone t)) (play (turns (choose drop))) (end (if (none (empty)) (draw))))";
    let with = |rules: &str| game(&plain.replace("(end", rules), &[]);
    let left = game(plain, &[]);
    assert_eq!(distance(&left, &with("(define Falling (lose mover)) (end")), None);
    let earlier = "(define Falling (lose mover)) (end (if (= (count (empty)) 2) (win B))";
    assert_eq!(distance(&left, &with(earlier)), Some(4));
}

#[test]
fn what_cannot_be_searched_is_played_at_random_and_made_shorter() {
    let left = game(PLAIN, &[]);
    let none = CompareLimits { memory: 1, ..LONG };
    for (after, expected) in [
        ("(draw)", None),
        ("(win O)", Some(9)),
        ("(if (in b2 (mine)) (draw)) (if (in a1 (mine)) (win O) (else (draw)))", Some(9)),
    ] {
        let found = compared(&left, &game(&PLAIN.replace("(draw)", after), &[]), &none);
        assert_eq!((found.positions, found.is_same()), (0, false));
        assert_eq!(
            found.difference.as_ref().map(|difference| difference.left.plies().len()),
            expected,
            "{after}"
        );
        assert!(found.difference.is_none_or(|difference| difference.is_shortest));
    }
    let misere = game(&PLAIN.replace("(win mover)", "(lose mover)"), &[]);
    let found = compared(&left, &misere, &none).difference.expect("somebody gets a row");
    assert_eq!(found.left.plies().len(), 5);
    assert_differs(&found.left, &found.right);
    // On a board of the usual size, a search from the first position reaches no end of a game.
    let text = source("kitaran");
    let (left, right) = (
        game(&text, &[]),
        game(&text.replace("(count (of p Stone))", "(+ 1 (count (of p Stone)))"), &[]),
    );
    let found = compared(&left, &right, &CompareLimits { memory: 1 << 20, games: 50, ..LONG });
    assert!(found.difference.is_none(), "a point more for either is nothing");
    let right =
        game(&text.replace("(by-score p (+ (count", "(by-score p (- (count"), &[("Komi", "3")]);
    let left = game(&text, &[("Komi", "3")]);
    let found = compared(&left, &right, &CompareLimits { memory: 1 << 20, games: 50, ..LONG })
        .difference
        .expect("other results");
    assert_eq!(found.left.plies().len(), 25, "a full board is the least that it takes");
}

const DICE: &str = r#"(game "Race" (players A B) (board (rectangle 6 2)) (piece Runner) (remember Die number)
  (setup (put Runner a1 A) (put Runner a2 B))
  (move roll (number n 1 2) (set Die n))
  (move run (from s (mine)) (to t (empty)) (require (or (= t (step s E)) (and (= Die 2) (= t (step (step s E) E))))) (relocate s t))
  (move stay)
  (play (turns (chance roll) (choose run stay)))
  (end (if (any (and (mine) (column "f"))) (win mover))))"#;

#[test]
fn chance_is_compared_by_what_it_brings() {
    let left = game(DICE, &[]);
    assert_eq!(distance(&left, &left), None);
    assert_eq!(distance(&left, &game(&DICE.replace("n 1 2", "n 1 3"), &[])), Some(0));
    assert_eq!(distance(&left, &game(&DICE.replace("(= Die 2)", "(= Die 1)"), &[])), Some(1));
    let late = game(&DICE.replace("\"f\"", "\"e\""), &[]);
    // Two rolls and two double steps of A, with a roll and a ply of B in between.
    assert_eq!(distance(&left, &late), Some(6));
    // A player's choice differs from chance.
    assert_eq!(
        distance(&left, &game(&DICE.replace("(chance roll)", "(choose roll)"), &[])),
        Some(0)
    );
}

/// A stone moves to and fro between two sites.
const FRO: &str = r#"(game "Fro" (players A B) (board (rectangle 2 1)) (piece Stone unowned)
  (setup (put Stone a1))
  (move go (from s (pieces)) (to t (beside s)) (relocate s t))
  (play (turns (choose go)))
  (repetition 2 (draw)))"#;

fn to_and_fro(repetition: &str) -> Game {
    game(&FRO.replace("(repetition 2 (draw))", repetition), &[])
}

#[test]
fn repetitions_are_compared() {
    let draw = |times: u32| to_and_fro(&format!("(repetition {times} (draw))"));
    assert_eq!(distance(&draw(2), &draw(2)), None);
    assert_eq!(distance(&draw(2), &draw(3)), Some(2));
    assert_eq!(distance(&draw(3), &draw(4)), Some(4));
    assert_eq!(distance(&draw(3), &to_and_fro("")), Some(4));
    assert_eq!(distance(&draw(2), &to_and_fro("(repetition 2 (win mover))")), Some(2));
    assert_eq!(
        distance(
            &draw(2),
            &to_and_fro("(repetition 2 (if (in a1 (pieces)) (draw) (else (win mover))))")
        ),
        None
    );
    // One game counts its plies in memory, so no position of it repeats.
    let counting = FRO
        .replace("(relocate s t)", "(relocate s t) (raise Plies 1)")
        .replace("(setup", "(remember Plies number) (look (hide Plies)) (setup");
    assert_eq!(distance(&draw(2), &game(&counting, &[])), Some(2));
    // If no position can repeat, the rule for repetition does not matter.
    let idle = game(&PLAIN.replace("(piece Mark)", "(piece Mark) (repetition 2 (draw))"), &[]);
    assert_eq!(distance(&game(PLAIN, &[]), &idle), None);
}

#[test]
fn other_names_are_told_and_matched() {
    let left = game(PLAIN, &[]);
    let renamed = OTHERWISE
        .replace("place", "mark")
        .replace("Mark", "Sign")
        .replace("X O", "Cross Nought")
        .replace("turn X", "turn Cross")
        .replace("turn O", "turn Nought");
    let right = game(&renamed, &[]);
    assert!(matches!(
        Names::new(left.rules(), right.rules(), &[]),
        Err(Incompatible::Players { .. })
    ));
    let pairs = [("X", "Cross"), ("O", "Nought"), ("Mark", "Sign"), ("place", "mark")];
    let renamings =
        pairs.map(|(left, right)| Renaming { left: left.to_owned(), right: right.to_owned() });
    let names = Names::new(left.rules(), right.rules(), &renamings).expect("the same players");
    assert!(names.unmatched().is_empty());
    assert!(compare(&left, &right, &names, &LONG, &mut |_| {}).expect("an end").is_same());
    let matched = match_names(&left, &right, &[], &LONG, &mut |_| {}).expect("few ways");
    assert_eq!(matched, renamings);
    // With an unmatched verb, all first moves differ.
    let names = Names::new(left.rules(), right.rules(), &renamings[..3]).expect("the same players");
    let found = compare(&left, &right, &names, &LONG, &mut |_| {})
        .expect("an end")
        .difference
        .expect("other verbs");
    assert_eq!(
        (
            found.left.plies().len(),
            found.divergence.only_left.len(),
            found.divergence.only_right.len()
        ),
        (0, 9, 9)
    );
    assert_eq!(
        (found.divergence.only_left[0].as_str(), found.divergence.only_right[0].as_str()),
        ("place a1", "mark a1")
    );
    assert_eq!(names.unmatched().len(), 2);
}

#[test]
fn paths_correspond_by_name() {
    let text = "(game \"Rounds\" (players White Black) (board (square 3))
      (path Spare a1 a2 a3) (path Round b1 b2 b3) (piece Stone)
      (move put (towards way Round) (to t (empty)) (put Stone t) (if (any (and (beside t way) (mine))) (remove t)))
      (play (turns (choose put))) (end (if (none (empty)) (draw))))";
    let (both, one) = (game(text, &[]), game(&text.replace("(path Spare a1 a2 a3)", ""), &[]));
    assert_eq!(distance(&both, &one), None);
    // A path of another name in the same place is the same path.
    let renamed = text.replace("Round", "Circle");
    assert_eq!(distance(&both, &game(&renamed, &[])), None);
    // Of the same name on other sites it is another one.
    let other = text.replace("Round b1 b2 b3", "Round b1 b2");
    assert!(distance(&both, &game(&other, &[])).is_some());
}

#[test]
fn rules_without_end_are_blamed() {
    let text = PLAIN
        .replace("(turns (choose", "(turns (while (in b2 (pieces)) (set Idle 1)) (choose")
        .replace("(piece Mark)", "(piece Mark) (remember Idle number)");
    let endless = game(&text, &[]);
    let left = game(PLAIN, &[]);
    let names = Names::new(left.rules(), endless.rules(), &[]).expect("the same players");
    let stuck = compare(&left, &endless, &names, &LONG, &mut |_| {}).err().expect("it goes round");
    assert_eq!((stuck.side, stuck.plies), (Side::Right, vec!["place b2".to_owned()]));
}
