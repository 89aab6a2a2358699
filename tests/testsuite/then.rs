//! A further choice within a move: against published counts, a game written by hand, the same game
//! in two plies, and small rules for every question that its meaning leaves.

use ludwright::engine::game::{Game, State};
use ludwright::notation;
use ludwright::random::Random;
use ludwright::reference::{Interpreter, NoopTracer};
use ludwright::why;
use std::collections::HashMap;
use std::path::Path;

fn game(text: &str) -> Game {
    ludwright::load(text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The turns of amazons are known: 2176, then 4307152. Here a turn is one move.
#[test]
fn an_arrow_flies_in_the_same_move() {
    let text = std::fs::read_to_string("tests/games/amazons.game").expect("the rules");
    let two = "(move move\n    (from s (mine Amazon))\n    (to t (QueenMoves s))\n    (relocate s t)\n    (set Shooter t))";
    let one = "(move move (from s (mine Amazon)) (to t (QueenMoves s)) (relocate s t) (set Shooter t) (then (at u (QueenMoves Shooter)) (put Arrow u)))";
    assert!(text.contains(two));
    let from = text.find("(move shoot").expect("the other move");
    let to = from + text[from..].find("(play").expect("the order of play");
    let text = format!("{}{}", &text[..from], &text[to..]).replace(two, one);
    let game = game(&text.replace("(choose shoot)", ""));
    let start = game.begin().expect("a start");
    assert_eq!(game.perft(&start, 1), Ok(2176));
    assert_eq!(game.perft(&start, 2), Ok(4_307_152));
    assert_eq!(start.legal().len(), 2176);
    assert!(notation::legal(&start).contains(&String::from("move a4-d4 a4")));
}

/// A position of the second phase: the stones, sorted, and whether it is White's turn.
type Past = (Vec<((i32, i32), bool)>, bool);

/// Dara by hand, from its rules: rows of sites, as text.
#[derive(Clone)]
struct Dara {
    columns: i32,
    rows: i32,
    cells: HashMap<(i32, i32), bool>,
    left: [usize; 2],
    whites_turn: bool,
    result: Option<&'static str>,
    /// The positions of the second phase so far.
    past: Vec<Past>,
}

impl Dara {
    fn new(columns: i32, rows: i32, stones: usize) -> Dara {
        let (cells, past) = (HashMap::new(), Vec::new());
        Dara { columns, rows, cells, left: [stones; 2], whites_turn: true, result: None, past }
    }

    fn label((x, y): (i32, i32)) -> String {
        format!("{}{}", char::from(b'a' + x as u8), y + 1)
    }

    fn sites(&self) -> impl Iterator<Item = (i32, i32)> {
        let (columns, rows) = (self.columns, self.rows);
        (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y)))
    }

    /// Lengths of the two rows that a stone of the mover makes at a site.
    fn lengths(&self, site: (i32, i32), without: Option<(i32, i32)>) -> [usize; 2] {
        let is_own =
            |at: &(i32, i32)| Some(*at) != without && self.cells.get(at) == Some(&self.whites_turn);
        [(1, 0), (0, 1)].map(|(dx, dy)| {
            let side = |sign: i32| {
                (1..)
                    .map(move |n| (site.0 + sign * n * dx, site.1 + sign * n * dy))
                    .take_while(is_own)
            };
            1 + side(1).count() + side(-1).count()
        })
    }

    fn is_dropping(&self) -> bool {
        self.left != [0, 0]
    }

    fn legal(&self) -> Vec<String> {
        let mut legal = Vec::new();
        if self.result.is_some() {
            return legal;
        }
        for to in self.sites().filter(|site| !self.cells.contains_key(site)) {
            if self.is_dropping() {
                if self.lengths(to, None).iter().all(|&length| length < 3) {
                    legal.push(format!("drop {}", Dara::label(to)));
                }
                continue;
            }
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let from = (to.0 + dx, to.1 + dy);
                if self.cells.get(&from) != Some(&self.whites_turn) {
                    continue;
                }
                let lengths = self.lengths(to, Some(from));
                let step = format!("step {}-{}", Dara::label(from), Dara::label(to));
                if lengths.iter().any(|&length| length > 3) {
                    continue;
                }
                if !lengths.contains(&3) {
                    legal.push(step);
                    continue;
                }
                let theirs = self.cells.iter().filter(|&(_, white)| *white != self.whites_turn);
                legal.extend(theirs.map(|(&site, _)| format!("{step} {}", Dara::label(site))));
            }
        }
        legal.sort_unstable();
        legal
    }

    fn play(&mut self, spelled: &str) {
        let find = |label: &str| self.sites().find(|&site| Dara::label(site) == label);
        let words: Vec<&str> = spelled.split([' ', '-']).collect();
        let sites: Vec<(i32, i32)> = words[1..].iter().filter_map(|word| find(word)).collect();
        let begins = self.is_dropping();
        match sites[..] {
            [to] => {
                self.cells.insert(to, self.whites_turn);
                self.left[usize::from(!self.whites_turn)] -= 1;
            }
            [from, to, ..] => {
                self.cells.remove(&from);
                self.cells.insert(to, self.whites_turn);
                if let Some(taken) = sites.get(2) {
                    self.cells.remove(taken);
                }
                let theirs = self.cells.values().filter(|white| **white != self.whites_turn);
                if theirs.count() < 3 {
                    self.result = Some(if self.whites_turn { "White wins" } else { "Black wins" });
                }
            }
            [] => unreachable!("a move has sites"),
        }
        self.pass();
        // A player who cannot drop loses the drop.
        while self.is_dropping() && self.left[usize::from(!self.whites_turn)] > 0 {
            if !self.legal().is_empty() {
                break;
            }
            self.left[usize::from(!self.whites_turn)] -= 1;
            self.pass();
        }
        if self.result.is_none() && !self.is_dropping() {
            let mut now: Vec<_> = self.cells.iter().map(|(&site, &white)| (site, white)).collect();
            now.sort_unstable();
            let now = (now, self.whites_turn);
            let times = 1 + self.past.iter().filter(|past| **past == now).count();
            self.past.push(now);
            if self.legal().is_empty() {
                self.result = Some(if self.whites_turn { "Black wins" } else { "White wins" });
            } else if times == 3 && !begins {
                self.result = Some("draw");
            }
        }
    }

    fn pass(&mut self) {
        self.whites_turn = !self.whites_turn;
    }
}

const SIZES: [(i32, i32, usize); 5] = [(6, 5, 12), (4, 4, 4), (3, 3, 3), (5, 4, 3), (8, 8, 5)];

fn options((columns, rows, stones): (i32, i32, usize)) -> Vec<(String, String)> {
    let option = |name: &str, value: String| (name.to_owned(), value);
    vec![
        option("Columns", columns.to_string()),
        option("Rows", rows.to_string()),
        option("Stones", stones.to_string()),
    ]
}

fn dara(size: (i32, i32, usize)) -> Game {
    ludwright::load_file(Path::new("tests/games/dara.game"), &options(size)).expect("the rules")
}

#[test]
fn dara_is_played_as_by_hand() {
    let mut taken = 0;
    for (index, size) in SIZES.into_iter().enumerate() {
        let game = dara(size);
        for seed in 0..6 {
            let mut random = Random::new(100 * index as u64 + seed);
            let mut position = game.begin().expect("a start");
            let mut hand = Dara::new(size.0, size.1, size.2);
            for _ in 0..160 {
                let played: Vec<String> =
                    position.plies().iter().map(|ply| notation::spell(game.rules(), ply)).collect();
                let legal = notation::legal(&position);
                assert_eq!(legal, hand.legal(), "{played:?}");
                let result = position
                    .outcome()
                    .map(|outcome| notation::outcome(game.rules(), Some(outcome)));
                assert_eq!(result.as_deref(), hand.result, "{played:?}");
                if legal.is_empty() {
                    break;
                }
                let spelled = &legal[random.below(legal.len() as u32) as usize];
                let ply = notation::read(&position, spelled).expect("a legal move");
                position.play(&ply).expect("a legal move");
                hand.play(spelled);
                taken += usize::from(spelled.split(' ').count() == 3);
            }
        }
    }
    assert!(taken > 50, "{taken} stones were taken");
}

/// The same game with a second ply for the stone that is taken: a turn is what a move is here.
#[test]
fn two_plies_are_as_many_as_one() {
    let text = std::fs::read_to_string("tests/games/dara.game").expect("the rules");
    let from = text.find("    (if (MakesThree t)\n      (then").expect("the choice");
    let to = from + text[from..].find("(play").expect("the order of play");
    let two = format!(
        "{}    (set Due (if (MakesThree t) 1 (else 0))))
         (move take (at u (theirs)) (remove u) (set Due 0)
           (if (< (count (theirs)) 3) (win mover)))
         {}",
        &text[..from],
        &text[to..]
    );
    let two = two.replace("(piece Stone)", "(piece Stone) (remember Due number)").replace(
        "(otherwise (lose mover)))",
        "(otherwise (lose mover))) (if (= Due 1) (choose take))",
    );
    for (size, depth) in [((3, 3, 3), 4), ((4, 3, 3), 4), ((4, 4, 4), 3), ((6, 5, 12), 2)] {
        let two = ludwright::load(two.as_str(), &options(size)).expect("the rules");
        let one = dara(size);
        for seed in 0..4 {
            let [mut turns, mut moves] = [&two, &one].map(|game| game.begin().expect("a start"));
            let mut random = Random::new(seed);
            for _ in 0..2 * size.2 {
                let legal = notation::legal(&moves);
                if !legal[0].starts_with("drop") {
                    break;
                }
                let spelled = &legal[random.below(legal.len() as u32) as usize];
                for position in [&mut turns, &mut moves] {
                    let ply = notation::read(position, spelled).expect("a legal move");
                    position.play(&ply).expect("a legal move");
                }
            }
            let counts = (one.perft(&moves, depth), two.perft_turns(&turns, depth));
            assert_eq!(counts.0, counts.1, "{size:?}");
        }
    }
}

/// A game on three by three squares with this move; White has a1 to c1, Black a3 to c3.
fn small(moves: &str, play: &str) -> State {
    let text = format!(
        "(game \"Small\" (players White Black) (board (square 3)) (piece Man) (piece Wall unowned)
           (remember Total number)
           (setup (put Man (row 1) White) (put Man (row 3) Black)) {moves} (play {play}))"
    );
    game(&text).begin().expect("a start")
}

fn legal(moves: &str) -> Vec<String> {
    let position = small(moves, "(turns (choose go (otherwise (draw))))");
    let legal = notation::legal(&position);
    // The reference interpreter lists the same, and every other move is explained.
    let interpreter =
        Interpreter::start(position.game().rules(), &mut NoopTracer).expect("a start");
    let rules = position.game().rules();
    let mut listed: Vec<String> =
        interpreter.legal().iter().map(|ply| notation::spell(rules, ply)).collect();
    listed.sort_unstable();
    assert_eq!(legal, listed);
    assert_eq!(position.game().perft(&position, 1), Ok(legal.len() as u64));
    legal
}

#[test]
fn what_can_be_chosen_depends_on_the_position_after_the_effects() {
    let moves = legal(
        "(move go (from s (mine)) (to t (step s N)) (relocate s t) (then (at u (and (beside t) (empty))) (put Wall u)))",
    );
    assert_eq!(
        moves,
        [
            "go a1-a2 a1",
            "go a1-a2 b2",
            "go b1-b2 a2",
            "go b1-b2 b1",
            "go b1-b2 c2",
            "go c1-c2 b2",
            "go c1-c2 c1"
        ]
    );
}

#[test]
fn without_a_possible_choice_the_move_is_made_without_it() {
    // Nothing is east of c2.
    let moves = legal("(move go (to t (row 2)) (put Man t) (then (at u (step t E)) (put Wall u)))");
    assert_eq!(moves, ["go a2 b2", "go b2 c2", "go c2"]);
    // A requirement after the choice is one on what can be chosen.
    let moves = legal(
        "(move go (to t (row 2)) (put Man t) (then (at u (row 2)) (require (not (= u t))) (put Wall u) (require (none (and (beside t) (pieces Wall))))))",
    );
    assert_eq!(moves, ["go a2 c2", "go b2", "go c2 a2"]);
    // To forbid the move instead is a requirement before the choice.
    let moves = legal(
        "(move go (to t (row 2)) (put Man t) (require (any (step t E))) (then (at u (step t E)) (put Wall u)))",
    );
    assert_eq!(moves, ["go a2 b2", "go b2 c2"]);
}

#[test]
fn conditions_decide_whether_there_is_a_choice() {
    let moves = legal(
        "(move go (to t (row 2)) (put Man t) (if (= t b2) (raise Total 1) (then (at u (theirs)) (remove u)) (else (raise Total 2))))",
    );
    assert_eq!(moves, ["go a2", "go b2 a3", "go b2 b3", "go b2 c3", "go c2"]);
    // A result before the choice ends the game, and nothing is chosen.
    let moves = legal("(move go (to t (row 2)) (put Man t) (if (= t a2) (win mover)) (if (= t b2) (draw)) (then (at u (corners)) (remove u)))".replace("(corners)", "corners").as_str());
    assert_eq!(moves, ["go a2", "go b2", "go c2 a1", "go c2 a3", "go c2 c1", "go c2 c3"]);
    // One in it makes the choice possible.
    let moves = legal(
        "(move go (to t (row 2)) (put Man t) (then (at u (row 3)) (if (= u a3) (win mover)) (require (= u b3))))",
    );
    let all = ["a2", "b2", "c2"].map(|t| ["a3", "b3"].map(|u| format!("go {t} {u}"))).concat();
    assert_eq!(moves, all);
}

#[test]
fn several_things_are_chosen() {
    // In brackets of a definition; a site, a direction, a number and a kind.
    let moves = legal(
        "(define (Rest (site t)) (let here t) (then (from a (and (row 1) (not here))) (to b (step a N)) (relocate a b)))
         (move go (to t (row 2)) (put Man t) (Rest t))",
    );
    assert_eq!(moves.len(), 9);
    assert!(moves.contains(&String::from("go b2 a1-a2")), "{moves:?}");
    let moves = legal(
        "(move go (put Man b2) (then (towards d (list N S)) (number n 1 2) (kind k Man Wall) (require (> n 1)) (put k (step b2 d))))",
    );
    assert_eq!(moves, ["go N 2 Man", "go N 2 Wall", "go S 2 Man", "go S 2 Wall"]);
    let moves = legal(
        "(move go (to t (empty)) (towards d (list E W)) (put Man t) (then (towards e (list N S)) (require (any (step (step t d) e))) (remove (step (step t d) e))))",
    );
    assert_eq!(
        moves,
        [
            "go a2 E N",
            "go a2 E S",
            "go a2 W",
            "go b2 E N",
            "go b2 E S",
            "go b2 W N",
            "go b2 W S",
            "go c2 E",
            "go c2 W N",
            "go c2 W S"
        ]
    );
}

#[test]
fn effects_are_taken_back_after_a_trial() {
    // Memories, loops and chains in the effects, a choice in a loop over two prefix sites.
    let mut position = small(
        "(move go (at a (mine)) (at b (and (mine) (not a))) (to t (empty))
           (raise Total 3) (for s (theirs) (replace s Wall)) (chain s t (join (and (beside s) (empty))) (put Man s))
           (then (at u (and (pieces Wall) (not (column \"b\")))) (remove u) (set Total 7)))",
        "(turns (choose go (otherwise (draw))))",
    );
    let before = position.snapshot();
    let legal = notation::legal(&position);
    assert_eq!(legal.len(), 3 * 2 * 3 * 2);
    assert_eq!(position.snapshot(), before);
    let ply = notation::read(&position, "go a1 c1 b2 a3").expect("a legal move");
    position.play(&ply).expect("a legal move");
    let rules = position.game().rules();
    let mut interpreter = Interpreter::start(rules, &mut NoopTracer).expect("a start");
    interpreter.play(&ply, &mut NoopTracer).expect("a legal move");
    assert_eq!(*interpreter.snapshot(), position.snapshot());
    assert!(position.undo());
    assert_eq!(position.snapshot(), before);
}

#[test]
fn turns_and_steps_know_of_it() {
    let position = small(
        "(move go (from s (mine)) (to t (and (beside s) (empty))) (relocate s t) (if (in t (row 2)) (end-turn) (then (at u (theirs)) (remove u))))",
        "(turns (steps 2 (choose go) (so-that (any (and (row 2) (mine))))))",
    );
    let rules = position.game().rules();
    let interpreter = Interpreter::start(rules, &mut NoopTracer).expect("a start");
    let mut listed: Vec<String> =
        interpreter.legal().iter().map(|ply| notation::spell(rules, ply)).collect();
    listed.sort_unstable();
    assert_eq!(notation::legal(&position), listed);
    assert_eq!(listed.len(), 9);
}

#[test]
fn a_missing_choice_is_explained() {
    let position = small(
        "(move go (to t (row 2)) (put Man t) (if (= t b2) (then (at u (theirs)) (remove u))))",
        "(turns (choose go (otherwise (draw))))",
    );
    let says = |text: &str| match why::ask(&position, text) {
        Ok(why::Reply::Answers(answers)) => answers[0].message.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(says("go b2"), "`go b2` is illegal: u must be chosen, too");
    assert_eq!(says("go a2 a3"), "`go a2 a3` is illegal: nothing more is chosen in this move here");
    assert!(says("go b2 a1").contains("a1 cannot be chosen"), "{}", says("go b2 a1"));
    assert_eq!(says("go b2 a3"), "`go b2 a3` is legal for White");
    assert_eq!(says("go a2"), "`go a2` is legal for White");
    // At the prompt, the first part stands for all moves that begin with it.
    assert_eq!(notation::understand(&position, "b2").len(), 3);
    assert_eq!(notation::understand(&position, "b2 c3").len(), 1);
    assert_eq!(notation::understand(&position, "a2").len(), 1);
    assert_eq!(notation::understand(&position, "a2 c3").len(), 0);
    let refused = notation::read(&position, "go b2 a3 c3").expect_err("too many sites");
    assert!(refused.message.contains("expected `go SITE [SITE]`"), "{refused:?}");
}

#[test]
fn random_play_is_uniform() {
    let moves =
        "(move go (to t (row 2)) (put Man t) (if (= t b2) (then (at u (theirs)) (remove u))))";
    let position = small(moves, "(turn White (choose go))");
    let game = position.game().clone();
    for compiled in [false, true] {
        if compiled {
            game.jit_compile();
        }
        let start = game.begin().expect("a start");
        let mut playouts = game.playouts(&start);
        let mut counts: HashMap<_, u32> = HashMap::new();
        for seed in 0..5000 {
            playouts.play(seed, 10).expect("a playout");
            *counts.entry(format!("{:?}", playouts.position().words())).or_default() += 1;
        }
        // Five moves: a2, c2, and b2 with each of three stones.
        assert_eq!(counts.len(), 5);
        assert!(counts.values().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    }
}

/// White has the first row of nine sites, Black the last one. After the middle man has stepped
/// there are seven second steps, else five.
#[test]
fn a_second_step_is_made_along_paths() {
    let steps = |requirement: &str| {
        legal(&format!(
            "(move go (from s (mine)) (to t (and (beside s) (empty))) (relocate s t)
               (then (from u (mine)) (to v (and (beside u) (empty))) (relocate u v) {requirement}))"
        ))
    };
    assert_eq!(steps("").len(), 5 + 7 + 5);
    // A requirement after the second effect is tested for each second step.
    assert_eq!(
        steps("(require (none (and (mine) (column \"b\"))))"),
        ["go a1-a2 b1-a1", "go b1-b2 b2-a2", "go b1-b2 b2-c2", "go c1-c2 b1-c1"]
    );
}
