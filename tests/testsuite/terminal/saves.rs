//! Rules that are saved during a game at a terminal: the game continues, or the reason is printed.

use super::{Terminal, fresh_state};
use std::path::Path;

const GAME: &str = r#"(game "Fill"
  (players Black White)
  (board (square 2))
  (piece Stone)
  (move place (to t (empty)) (put Stone t))
  (move pass)
  (play (turns (choose place pass))))
"#;
const POSITION: &str = "2 B .\n1 . W\nto move: White\n";

fn save(path: &Path, text: &str) {
    // Renames as many editors do, so that no partial file is read.
    let new = path.with_extension("new");
    std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, path)).expect("a file");
}

#[test]
fn rules_are_saved_while_somebody_plays() {
    let state = fresh_state("saves");
    let (game, position) = (state.join("fill.game"), state.join("begun.position"));
    save(&game, GAME);
    save(&position, POSITION);
    let passless =
        GAME.replace("  (move pass)\n", "").replace("place pass", "place (otherwise (draw))");
    let mut terminal = Terminal::open(
        &state,
        80,
        &format!("play {0}/fill.game --position {0}/begun.position --watch", state.display()),
    );
    terminal.line("a1", "Black> ").line("pass", "White> ").line("undo", "Black> ");
    // An undone ply is lost, and the game continues.
    save(&game, &passless);
    terminal.wait_for("the rules were reloaded", 1).line("redo", "Black> ");
    save(&game, GAME);
    terminal.wait_for("the rules were reloaded", 2).line("pass", "White> ");
    // A ply of the game is no longer legal.
    save(&game, &passless);
    terminal.wait_for("under the rules as they were", 1);
    // The starting position does not fit.
    save(&game, &GAME.replace("(square 2)", "(square 3)"));
    terminal.wait_for("under the rules as they were", 2);
    // The rules are malformed.
    save(&game, "(game");
    terminal.wait_for("under the rules as they were", 3);
    shows!(terminal.leave().replace(&state.display().to_string(), "{tmp}"));
}

#[test]
fn somebody_is_asked_before_another_record_is_replaced() {
    let state = fresh_state("replaced");
    let other = state.join("other.record");
    let text = "game: Another\n\nplace a1\n";
    save(&other, text);
    let mut terminal = Terminal::open(&state, 80, "play games/kitaran.game -o Size=3 --seed 1");
    let typed = format!("save {}", other.display());
    terminal.line("b2", "White> ").line(&typed, "(yes or no) ").line("perhaps", "White> ");
    assert_eq!(std::fs::read_to_string(&other).expect("a record"), text);
    terminal.line(&typed, "(yes or no) ").types("\u{3}", "White> ");
    assert_eq!(std::fs::read_to_string(&other).expect("a record"), text);
    terminal.line(&typed, "(yes or no) ").line("yes", "White> ");
    assert!(std::fs::read_to_string(&other).is_ok_and(|text| text.starts_with("game: Kitaran\n")));
    // A record saved in this session can be overwritten.
    terminal.line("b1", "Black> ").line(&typed, "Black> ");
    assert!(std::fs::read_to_string(&other).is_ok_and(|text| text.contains("\nplace b1")));
    terminal.leave();
}
