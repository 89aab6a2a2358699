//! Games that do not say in which order they are played: all take turns and choose among all moves.

use ludwright::engine::game::Game;
use ludwright::language::check;
use ludwright::language::finding::Code;
use ludwright::load::{load, load_file};
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
