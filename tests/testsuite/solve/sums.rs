//! What the rules prove of positions that differ: dead pieces, and parts. Positions with the same tag
//! have the same value in the same number of plies, in generated games in which pieces are only put.

use crate::generator::dice::Dice;
use ludwright::engine::game::{Game, State};
use ludwright::solve::tags::{Tag, Tagger};
use ludwright::solve::{SolveLimits, Value, prove, tabulate};
use std::collections::{HashMap, HashSet};
use std::env;

/// The most positions of a game.
const MOST: u64 = 8_000;

/// Returns the rules of a game of lines; a few read more of the pieces than lines.
fn lines_game(dice: &mut Dice) -> String {
    let board = dice.pick(&[
        "(square 3)",
        "(square 3)",
        "(rectangle 4 3)",
        "(rectangle 5 2)",
        "(rectangle 4 3) (wrap columns)",
        "(hexagon 2)",
        "(rectangle 7 1)",
    ]);
    let below = if board.contains("hexagon") { "SE" } else { "S" };
    let number = dice.between(2, 3);
    let directions = dice.pick(&["", "", " orthogonal", " diagonal", " (list E)"]);
    let pieces = dice.pick(&["(mine)", "(of mover Stone)", "(pieces Stone)", "(of (next mover))"]);
    let pieces = if directions.contains("(list") { "(mine)" } else { pieces };
    let kind = dice.pick(&["Stone", "Stone", "Other"]);
    let put = match dice.below(4) {
        0 => {
            format!("(to t (where s (empty) (none (and (step s {below}) (empty))))) (put {kind} t)")
        }
        1 => format!("(to t (empty)) (put {kind} t) (for s (and (beside t) (empty)) (put Wall s))"),
        2 => format!("(to t (empty)) (to u (empty)) (put {kind} t) (put Stone u)"),
        _ => format!("(to t (empty)) (put {kind} t)"),
    };
    let mut moves = vec![format!("(move put {put})")];
    let mut verbs = vec!["put"];
    if dice.percent(30) {
        moves.push("(move wall (to t (empty)) (put Wall t))".to_owned());
        verbs.push("wall");
    }
    let read = dice.pick(&["(any (line {n} {p}{d}))", "(>= (count (line {n} {p}{d})) {m})"]);
    let read = read.replace("{n}", &number.to_string()).replace("{p}", pieces);
    let read = read.replace("{d}", directions).replace("{m}", &(number + 1).to_string());
    let result = dice.pick(&["(win mover)", "(win mover)", "(lose mover)", "(draw)"]);
    let mut ends = vec![format!("(if {read} {result})")];
    if dice.percent(20) {
        // Reads how many pieces there are.
        ends.push("(if (= (count (pieces Stone)) 4) (lose mover))".to_owned());
    }
    let full = dice.pick(&["(draw)", "(lose mover)", "(win mover)"]);
    ends.push(format!("(if (none (empty)) {full})"));
    format!(
        "(game \"Lines\" (players A B) (board {board}) (piece Stone) (piece Other) (piece Wall unowned) {} (play (turns (choose {}))) (end {}))",
        moves.join(" "),
        verbs.join(" "),
        ends.join(" ")
    )
}

/// Returns the rules of a game of plies that fill sites; a few read more than emptiness.
fn filling_game(dice: &mut Dice) -> String {
    let board = dice.pick(&[
        "(square 3)",
        "(rectangle 4 3)",
        "(rectangle 5 2)",
        "(rectangle 8 1)",
        "(hexagon 2)",
    ]);
    let is_hexagon = board.contains("hexagon");
    let ways: &[&str] = if is_hexagon { &["NE", "E", "SE"] } else { &["N", "E", "NE"] };
    let mut moves = Vec::new();
    for verb in ["one", "two"] {
        let way = dice.pick(ways);
        let next = format!("(step t {way})");
        moves.push(match dice.below(5) {
            0 => format!("(move {verb} (to t (empty)) (put Half t))"),
            1 => format!(
                "(move {verb} (to t (empty)) (require (in {next} (empty))) (require (in (step {next} {way}) (empty))) (put Half t) (put Half {next}))"
            ),
            2 => format!(
                "(move {verb} (to t (where s (empty) (any (and (step s {way}) (empty))))) (put Half t))"
            ),
            3 => format!("(move {verb} (to t (empty)) (require (none (and (beside t) (mine)))) (put Mine t))"),
            _ => format!(
                "(move {verb} (to t (where s (empty) (any (and (step s {way}) (empty))))) (put Half t) (put Half {next}))"
            ),
        });
    }
    let stuck = dice.pick(&["(lose mover)", "(win mover)", "(draw)"]);
    let second = dice.pick(&["one", "two", "two", "one two"]);
    let setup = dice.pick(&["", "(setup (put Half a1))"]);
    format!(
        "(game \"Filling\" (players A B) (board {board}) (piece Half unowned) (piece Mine) {} {setup} (play (forever (turn A (choose one (otherwise {stuck}))) (turn B (choose {second} (otherwise {stuck}))))))",
        moves.join(" ")
    )
}

/// Lists the positions that can be reached, each once.
fn positions(game: &Game) -> Option<Vec<State>> {
    let mut seen = HashSet::new();
    let mut all = vec![game.begin().ok()?];
    let mut next = 0;
    while let Some(state) = all.get(next).cloned() {
        next += 1;
        for &ply in state.packed() {
            let mut after = state.clone();
            assert!(after.advance(ply), "a legal ply");
            let mut bytes = Vec::new();
            after.position().write_bytes(&mut bytes);
            if after.outcome().is_none() && seen.insert(bytes) {
                all.push(after);
            }
        }
        if all.len() as u64 > MOST {
            return None;
        }
    }
    Some(all)
}

/// Compares the values of all positions with the same tag; returns the numbers of positions and tags.
fn compared(game: &Game, text: &str) -> Option<(usize, usize)> {
    let limits = SolveLimits { positions: Some(MOST), time: None, ..SolveLimits::default() };
    let start = game.begin().ok()?;
    if start.outcome().is_some() {
        return None;
    }
    let all = positions(game)?;
    let (solution, table) = tabulate(&start, &limits, &mut |_| true).expect("rules that end");
    let mut table = table?;
    let mut tagger = Tagger::new(&start, false);
    let mut by_tag: HashMap<Tag, (Value, Option<u32>)> = HashMap::new();
    for state in &all {
        let value = table.value_and_distance(state).expect("a position that can be reached");
        let tag = tagger.tag(&state.position());
        let known = *by_tag.entry(tag).or_insert(value);
        assert_eq!(value, known, "{text}\n{:?}", state.plies());
        // The way by which a tag is found does not matter.
        if state.ply_count() % 2 == 0 {
            assert_eq!(tagger.go_to(&state.position()), tag, "{text}");
        }
    }
    let proven = prove(&start, &limits, &mut |_| true).expect("rules that end");
    assert_eq!(proven.value, solution.value, "{text}");
    Some((all.len(), by_tag.len()))
}

/// Compares generated games; returns how many of them were, and of those in which positions shared a
/// tag.
fn run(write: fn(&mut Dice) -> String, games: u64) -> (u64, u64) {
    let first = env::var("SUMS_SEED").ok().and_then(|seed| seed.parse().ok());
    let (mut compared_games, mut shared) = (0, 0);
    for seed in first.map_or(0..games, |seed| seed..seed + 1) {
        let text = write(&mut Dice::new(seed));
        let game = ludwright::load(&text, &[]).unwrap_or_else(|error| panic!("{text}\n{error:?}"));
        if first.is_some() {
            println!("{text}");
        }
        if let Some((positions, tags)) = compared(&game, &text) {
            compared_games += 1;
            shared += u64::from(tags < positions);
        }
    }
    (compared_games, shared)
}

#[test]
fn positions_that_differ_in_dead_pieces_have_the_same_value() {
    let (games, shared) = run(lines_game, 60);
    println!("{shared} of {games}");
    assert!(games >= 30 && shared * 3 >= games, "{shared} of {games} games");
}

#[test]
fn positions_of_the_same_parts_have_the_same_value() {
    let (games, shared) = run(filling_game, 60);
    println!("{shared} of {games}");
    assert!(games >= 30 && shared * 3 >= games, "{shared} of {games} games");
}
