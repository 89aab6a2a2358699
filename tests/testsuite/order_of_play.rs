//! Games that do not say in which order they are played: all take turns and choose among all moves.

use ludwright::engine::game::Game;
use ludwright::language::check;
use ludwright::language::finding::Code;
use ludwright::load::{load, load_file};
use ludwright::notation;
use std::fs;

const PARTS: &str = "(game \"Grow\" (players A B C) (board (square 3)) (piece Stone)
  (move place (to t (empty)) (put Stone t))
  (move turn (from s (theirs)) (to t (beside s orthogonal)) (relocate s t))
  (move pass)
  (end (if (any (line 3 (mine))) (win mover)))
  (repetition 2 (draw))";

/// Returns the numbers of sequences of one, two, three and four plies.
fn counts(game: &Game) -> [u64; 4] {
    let start = game.begin().expect("a start");
    [1, 2, 3, 4].map(|depth| game.perft(&start, depth).expect("a count"))
}

fn loaded(text: &str) -> Game {
    load(text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn without_an_order_of_play_all_moves_are_offered_in_turns() {
    let said = loaded(&format!("{PARTS} (play (turns (choose place turn pass))))"));
    let unsaid = loaded(&format!("{PARTS})"));
    assert_eq!(counts(&unsaid), counts(&said));
    assert_eq!(counts(&unsaid)[..2], [10, 10 + 9 * 9 + 24]);
    let alone = PARTS.replace("A B C", "A").replace("(theirs)", "(mine)");
    let said = loaded(&format!("{alone} (play (turns (choose place turn pass))))"));
    assert_eq!(counts(&loaded(&format!("{alone})"))), counts(&said));
}

#[test]
fn no_move_counts_as_unused_in_it_and_a_game_has_at_least_one() {
    let findings = check(&format!("{PARTS})"), &[]).findings;
    assert!(findings.is_empty(), "{findings:?}");
    let none = "(game \"None\" (players A B) (board (square 3)) (piece Stone))";
    let findings = check(none, &[]).findings;
    assert!(findings.iter().any(|finding| finding.code == Code::MissingPart), "{findings:?}");
}

#[test]
fn variants_add_moves_to_it_and_leave_them_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect(name);
    write("grow.game", &format!("{PARTS})"));
    let count = |rules: &str, like: &str| {
        write("variant.game", &format!("(variant-of \"grow.game\" \"Other\" {rules})"));
        let variant = load_file(&folder.path().join("variant.game"), &[]);
        let variant = variant.unwrap_or_else(|error| panic!("{error}\n{rules}"));
        let changed = PARTS.replace("(move pass)", like);
        let said = "place turn pass hop".split(' ').filter(|verb| {
            changed.contains(&format!("(move {verb}")) && !rules.contains(&format!("(omit {verb}"))
        });
        let said = said.collect::<Vec<_>>().join(" ");
        let like = loaded(&format!("{changed} (play (turns (choose {said}))))"));
        assert_eq!(counts(&variant), counts(&like), "{rules}");
    };
    let hop = "(move hop (from s (mine)) (to t (empty)) (relocate s t))";
    count(hop, &format!("(move pass) {hop}"));
    count(&format!("{hop} (add (choose pass hop))"), &format!("(move pass) {hop}"));
    count("(omit pass)", "");
    count(
        &format!("{hop} (play (turns (choose hop place turn pass)))"),
        &format!("(move pass) {hop}"),
    );
}

/// Returns a game of jumps on a small board with these parts.
fn jumps(parts: &str) -> Game {
    loaded(&format!(
        "(game \"Jumps\" (players A B) (board (rectangle 5 3)) (piece Stone)
           (setup (put Stone (sites a1 b2 d2 e1) A) (put Stone (sites a3 b3 c2 d3) B))
           {parts}
           (end (if (none (theirs)) (win mover))))"
    ))
}

#[test]
fn an_extra_turn_begins_the_turn_again() {
    let moves = |last: &str| {
        format!(
            "(move step (from s (mine)) (to t (and (beside s all) (not (mine)))) (relocate s t)
               (if (in t (column \"c\")) {last}))
             (move pass (end-turn))"
        )
    };
    for (begin, rest) in [("", ""), ("(choose pass)", "(choose step pass)")] {
        let extra = moves("(extra-turn)");
        let extra = jumps(&format!("{extra} (play (turns {begin} (choose step pass) {rest}))"));
        // The same, with a memory that every turn begins with.
        let kept = moves("(set Again true) (end-turn)");
        let kept = jumps(&format!(
            "(remember Again condition) {kept} (define (Turn (player p))
               (turn p {begin} (choose step pass) {rest})
               (while Again (set Again false) (turn p {begin} (choose step pass) {rest})))
             (play (forever (Turn A) (Turn B)))"
        ));
        assert_eq!(counts(&extra), counts(&kept), "{begin}");
    }
    // What comes after the rounds is not another turn.
    let over = |last: &str| {
        let moves = moves(last);
        jumps(&format!(
            "{moves} (play (until (any (and (column \"c\") (row 3) (pieces))) (turns (choose step pass))) (choose pass step) (draw))"
        ))
    };
    let rounds = over("(extra-turn)");
    let mut position = rounds.begin().expect("a start");
    let step = |from: &str, to: &str| format!("step {from}-{to}");
    for ply in [step("b2", "b1"), step("b3", "c3")] {
        let legal = position.legal().to_vec();
        let found = legal.iter().find(|legal| notation::spell(rounds.rules(), legal) == ply);
        position.play(found.unwrap_or_else(|| panic!("{ply}"))).expect("legal");
    }
    let once = position.legal().first().cloned().expect("a ply");
    position.play(&once).expect("legal");
    assert!(position.outcome().is_some(), "one ply follows the rounds");
    // Outside of turns there is none to begin again.
    let outside =
        |last: &str| jumps(&format!("{} (play (forever (choose step pass)))", moves(last)));
    assert_eq!(counts(&outside("(extra-turn)")), counts(&outside("(end-turn)")));
}

#[test]
fn the_last_move_is_that_of_the_ply_before_until_the_next_is_made() {
    let grow = |rules: &str, [place, turn, pass]: [&str; 3]| {
        let text = PARTS
            .replace("(put Stone t)", &format!("(put Stone t) {place}"))
            .replace("(relocate s t)", &format!("(relocate s t) {turn}"))
            .replace("(move pass)", &format!("(move pass {pass})"));
        loaded(&format!("{text} {rules})"))
    };
    let placed = ["(set Placed true)", "(set Placed false)", "(set Placed false)"];
    let same = |asked: &str, kept: &str, [moves, kept_moves]: [[&str; 3]; 2]| {
        let (asked, kept) = (grow(asked, moves), grow(kept, kept_moves));
        assert_eq!(counts(&asked), counts(&kept));
        counts(&asked)
    };
    let play = |asks: &str| {
        format!("(play (turns (if {asks} (choose turn pass) (else (choose place turn pass)))))")
    };
    let none = ["", "", ""];
    let kept = |rules: &str| format!("(remember Placed condition) {rules}");
    let found = same(&play("(last-move place)"), &kept(&play("Placed")), [none, placed]);
    assert_eq!(found[..2], [10, 24 + 9 + 10]);
    // A move is not asked about itself, at its end either; nor where it is left.
    let asked = ["(require (not (last-move place)))", "", ""];
    let before = ["(require (not Placed)) (set Placed true)", placed[1], placed[2]];
    same("", "(remember Placed condition)", [asked, before]);
    let left = |asks: &str| {
        format!("(play (until {asks} (turns (choose place turn pass))) (choose place) (draw))")
    };
    same(
        &left("(last-move pass turn)"),
        &kept(&left("Placed")),
        [none, ["", placed[0], placed[0]]],
    );
    // Every player's own, and rolls left out.
    let passed =
        ["(set (Placed mover) false)", "(set (Placed mover) false)", "(set (Placed mover) true)"];
    let own = |asks: &str| {
        format!(
            "(remember Die number) (move roll (number n 1 2) (set Die n))
             (play (turns (chance roll) (choose place pass) (if (and {asks} (= Die 2)) (choose turn place))))"
        )
    };
    let found = same(
        &own("(last-move mover pass)"),
        &format!("(remember Placed condition (per player)) {}", own("(Placed mover)")),
        [none, passed],
    );
    assert_eq!(found[0], 2);
    let asked = own("(every p players (or (last-move p pass) (last-move place turn)))");
    let other = own("(every p players (or (Placed p) Other))");
    let kept =
        format!("(remember Placed condition (per player)) (remember Other condition) {other}");
    let both = ["(set (Placed mover) false) (set Other true)"; 2];
    same(&asked, &kept, [none, [both[0], both[1], "(set (Placed mover) true) (set Other false)"]]);
}

#[test]
fn a_piece_goes_on_as_long_as_it_can() {
    let jump = |from: &str, effects: &str| {
        format!(
            "(move jump (from s {from}) (towards d all)
               (require (in (step s d) (theirs))) (require (in (step s d 2) (empty)))
               (remove (step s d)) {effects})"
        )
    };
    let step = "(move step (from s (mine)) (to t (and (beside s all) (empty))) (relocate s t))";
    let kept = "(or Jumper (when (none Jumper) (mine)))";
    let also = "(let t (step s d 2)) (relocate s t)";
    let note = format!("{also} (set Jumper t)");
    let called = "(define (Land (site x) (site y)) (swap x y)) (move stop)";
    for (stop, begins, further) in [
        ("", "(any Jumper)", "(choose jump (otherwise (set Jumper nowhere)))"),
        (" stop", "(and (any Jumper) (can jump))", "(choose jump stop)"),
    ] {
        let said =
            format!("(play (turns (choose jump step (go-on jump{stop}) (otherwise (draw)))))");
        let meant = jumps(&format!(
            "(remember Jumper sites) {} {step} (move stop (set Jumper nowhere))
             (play (turns (choose jump step (otherwise (draw)))
               (while {begins} {further}) (set Jumper nowhere)))",
            jump(kept, &note)
        ));
        for effects in [
            also,
            "(Land s (step s d 2))",
            "(relocate s (step s d)) (swap (step s d 2) (step s d))",
        ] {
            let game = jumps(&format!("{called} {} {step} {said}", jump("(mine)", effects)));
            assert_eq!(counts(&game), counts(&meant), "{stop}: {effects}");
        }
    }
}
