//! The pie rule: who acts and who wins after a swap, against the same game played by hand.

use ludwright::engine::game::{Game, State, Turn};
use ludwright::engine::position::Outcome;
use ludwright::engine::snapshot::Snapshot;
use ludwright::language::rules::PlayerId;
use ludwright::language::sources::Sources;
use ludwright::learn::{Features, Training};
use ludwright::measure::{Batch, CostModel, ExactValue, Plan, Report, Request, Results, play};
use ludwright::notation::{legal, spell};
use ludwright::reference::{Interpreter, NoopTracer};
use ludwright::search::{AlphaBeta, Mcts, Player, PlayerKind, SearchLimits};
use ludwright::solve::{SolveLimits, Value, solve};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const FIRST: PlayerId = PlayerId(0);
const SECOND: PlayerId = PlayerId(1);

fn hex(file: &str, size: &str) -> Game {
    let path = format!("tests/games/{file}.game");
    ludwright::load_file(Path::new(&path), &[("Size".to_owned(), size.to_owned())]).expect("a game")
}

fn played(game: &Game, plies: &[&str]) -> State {
    let mut state = game.begin().expect("it begins");
    for text in plies {
        let ply = state.legal().iter().find(|ply| spell(game.rules(), ply) == *text).cloned();
        state.play(&ply.unwrap_or_else(|| panic!("{text} is not legal"))).expect("a legal move");
    }
    state
}

/// Positions of Hex without the rule, with what it adds: whether the persons have exchanged their
/// colours, and whether the second one still can.
type Key = (Snapshot, PlayerId, bool, bool);

/// Hex by the reference interpreter, with the pie rule added by hand.
struct ByHand {
    known: HashMap<Key, (PlayerId, u32)>,
}

impl ByHand {
    /// Returns the person who wins, and in how many plies. `made` counts the plies so far.
    fn value(&mut self, at: &Interpreter, swapped: bool, made: usize) -> (PlayerId, u32) {
        let person = |player: PlayerId| if swapped { PlayerId(1 - player.0) } else { player };
        if let Some(over) = at.outcome() {
            let Outcome::Win(winner) = over else { panic!("Hex has no draws") };
            return (person(winner), 0);
        }
        let can_swap = made == 1 && !swapped;
        let Turn::Player(mover) = at.turn() else { panic!("Hex has no dice") };
        let key = (at.snapshot().clone(), mover, swapped, can_swap);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let mut after: Vec<(PlayerId, u32)> = Vec::new();
        for ply in at.legal() {
            let mut next = at.clone();
            next.play(&ply, &mut NoopTracer).expect("a legal move");
            after.push(self.value(&next, swapped, made + 1));
        }
        if can_swap {
            after.push(self.value(at, true, made + 1));
        }
        let wins = after.iter().filter(|(winner, _)| *winner == person(mover));
        let value = match wins.map(|(_, plies)| plies).min() {
            Some(plies) => (person(mover), plies + 1),
            None => {
                let longest = after.iter().map(|(_, plies)| plies).max().expect("a legal move");
                (person(PlayerId(1 - mover.0)), longest + 1)
            }
        };
        self.known.insert(key, value);
        value
    }
}

/// The second person wins small boards of Hex, as long as he can choose his colour.
#[test]
fn the_solver_says_which_person_wins() {
    for size in ["2", "3"] {
        let (plain, pie) = (hex("hex", size), hex("hex-with-pie", size));
        let mut by_hand = ByHand { known: HashMap::new() };
        let start = Interpreter::start(plain.rules(), &mut NoopTracer).expect("it begins");
        assert_eq!(by_hand.value(&start, false, 0).0, SECOND);
        let start = pie.begin().expect("it begins");
        for symmetric in [true, false] {
            let limits = SolveLimits { symmetric, ..SolveLimits::default() };
            let solution = solve(&start, &limits, &mut |_| true).expect("it ends");
            let root = Interpreter::start(plain.rules(), &mut NoopTracer).expect("it begins");
            let (winner, plies) = by_hand.value(&root, false, 0);
            assert_eq!((solution.value, solution.distance), (Value::Win(winner), Some(plies)));
            for first in &solution.first {
                let mut next = root.clone();
                let ply = next
                    .legal()
                    .into_iter()
                    .find(|ply| spell(plain.rules(), ply) == spell(pie.rules(), &first.ply));
                next.play(&ply.expect("a move of both"), &mut NoopTracer).expect("it is legal");
                let (winner, plies) = by_hand.value(&next, false, 1);
                assert_eq!((first.value, first.distance), (Value::Win(winner), Some(plies + 1)));
            }
        }
    }
}

/// A sequence without a swap is one of Hex; with one it is one of Hex and the swap after the first
/// ply.
#[test]
fn each_first_ply_has_one_more_reply() {
    for (size, most) in [("2", 6), ("3", 5), ("9", 3)] {
        let count = |file: &str, plies: u32| {
            let game = hex(file, size);
            game.perft(&game.begin().expect("it begins"), plies).expect("it ends")
        };
        for plies in 2..=most {
            let expected = count("hex", plies) + count("hex", plies - 1);
            assert_eq!(count("hex-with-pie", plies), expected, "{plies} plies on size {size}");
        }
    }
}

/// The result of every game of 2x2 is paid to the person who plays the winner's colour.
#[test]
fn results_are_paid_to_persons() {
    let pie = hex("hex-with-pie", "2");
    let start = pie.begin().expect("it begins");
    let mut left = vec![start];
    let (mut swapped, mut over) = (0, 0);
    while let Some(state) = left.pop() {
        let names: Vec<String> = state.plies().iter().map(|ply| spell(pie.rules(), ply)).collect();
        let has_swapped = names.iter().any(|name| name == "swap");
        swapped += usize::from(has_swapped);
        assert_eq!(state.is_swapped(), has_swapped);
        let other = |player: PlayerId| if has_swapped { PlayerId(1 - player.0) } else { player };
        match (state.turn(), state.personal_turn()) {
            (Turn::Player(colour), Turn::Player(person)) => assert_eq!(person, other(colour)),
            (turn, personal) => assert_eq!(turn, personal),
        }
        if let Some(outcome) = state.outcome() {
            over += 1;
            let Outcome::Win(winner) = outcome else { panic!("Hex has no draws") };
            assert_eq!(state.personal_outcome(), Some(Outcome::Win(other(winner))));
        }
        for ply in state.legal() {
            let mut next = state.clone();
            next.play(ply).expect("a legal move");
            // Undoing a swap gives the colours back.
            let mut back = next.clone();
            back.undo();
            assert_eq!(back.is_swapped(), has_swapped);
            left.push(next);
        }
    }
    assert!(swapped > 0 && over > 0, "{swapped} swapped, {over} over");
}

/// After a strong first stone, programs swap; after a weak one, they do not.
#[test]
fn programs_choose_the_better_colour() {
    let pie = hex("hex-with-pie", "3");
    for (first, swaps) in [("place b2", true), ("place a3", false)] {
        let state = played(&pie, &[first]);
        // What the solver says must agree with what is expected here.
        let solution = solve(&state, &SolveLimits::default(), &mut |_| true).expect("it ends");
        assert_eq!(solution.value, Value::Win(SECOND));
        let best: Vec<String> =
            solution.optimal().map(|first| spell(pie.rules(), &first.ply)).collect();
        assert_eq!(best.contains(&"swap".to_owned()), swaps, "{first}: {best:?}");
        let mut program = Player::new(PlayerKind::Iterations(4_000), 1).expect("a program");
        let choice = program.choose(&state).expect("it ends").expect("a choice");
        assert_eq!(spell(pie.rules(), &choice.ply) == "swap", swaps, "{first}");
        let thinking = choice.thinking.expect("it has searched");
        assert!(thinking.win_probabilities[SECOND.index()] > 0.5, "{thinking:?}");
    }
    // The winner's colour is named at the position that is asked about.
    let state = played(&pie, &["place b2", "swap"]);
    let limits = SearchLimits { iterations: Some(4_000), ..SearchLimits::default() };
    let thinking = Mcts::new(1, 1 << 24).think(&state, 1, &limits, &mut |_| true).expect("it ends");
    assert!(thinking.win_probabilities[FIRST.index()] > 0.5, "Red has b2: {thinking:?}");
}

/// Alpha-beta with a learned evaluation chooses the better colour, too.
#[test]
fn what_is_learned_is_learned_for_persons() {
    let pie = hex("hex-with-pie", "3");
    let mut training = Training::new(&pie, Arc::new(Features::new(&pie)), 1);
    training.run(&crate::learning::limits(&pie, 60), &mut |_| true).expect("it ends");
    let mut search = AlphaBeta::new(Arc::new(training.evaluation().clone()), 1 << 20);
    let limits = SearchLimits { iterations: Some(100_000), ..SearchLimits::default() };
    for (plies, best, winner) in [
        (&["place b2"][..], Some("swap"), SECOND),
        (&["place a3"], Some("place b2"), SECOND),
        // By colour: Red has b2, now played by the second person.
        (&["place b2", "swap"], None, FIRST),
    ] {
        let state = played(&pie, plies);
        let thinking = search.think(&state, 1, &limits).expect("it ends");
        assert!(thinking.solved, "{plies:?}: {thinking:?}");
        assert_eq!(thinking.win_probabilities[winner.index()], 1.0, "{plies:?}: {thinking:?}");
        let first = spell(pie.rules(), &thinking.plies[0].ply);
        assert!(best.is_none_or(|best| best == first), "{plies:?}: {first}");
    }
}

fn game(play: &str) -> Game {
    let text = format!(
        "(game \"Small\" (players Red Blue) (board (square 2)) (piece Stone)
          (move place (to t (empty)) (put Stone t))
          (move take (at s (theirs)) (require (= (count (pieces)) 2)) (remove s))
          (move rest (end-turn))
          (move roll (number n 1 2))
          {play}
          (end (if (none (empty)) (draw)))
          (pie-rule))"
    );
    ludwright::load(text.as_str(), &[]).unwrap_or_else(|error| panic!("{play}: {error}"))
}

fn moves(game: &Game, plies: &[&str]) -> String {
    legal(&played(game, plies)).join(", ")
}

/// A swap takes the place of the second player's first ply, wherever that is made.
#[test]
fn a_swap_is_offered_once_and_in_time() {
    // A turn of two plies: only the first can be replaced, and the turn goes on from there.
    let two = game("(play (turns (choose place) (choose place rest)))");
    assert_eq!(moves(&two, &["place a1"]), "place a2, place b1, place b2, rest");
    assert_eq!(moves(&two, &["place a1", "rest"]), "place a2, place b1, place b2, swap");
    assert_eq!(moves(&two, &["place a1", "rest", "swap"]), "place a2, place b1, place b2");
    assert_eq!(moves(&two, &["place a1", "rest", "swap", "place a2"]), "place b1, place b2, rest");
    assert_eq!(moves(&two, &["place a1", "rest", "place a2"]), "place b1, place b2, rest");
    assert_eq!(moves(&two, &["place a1", "rest", "place a2", "rest"]), "place b1, place b2");
    assert_eq!(
        moves(&two, &["place a1", "rest", "place a2", "rest", "place b1", "rest"]),
        "place b2"
    );
    // A ply that ends the turn is a first ply, too.
    let resting = game("(play (turns (choose rest place) (choose place)))");
    assert_eq!(moves(&resting, &["rest", "rest", "rest"]), moves(&resting, &[]));
    assert_eq!(moves(&resting, &["rest"]), "place a1, place a2, place b1, place b2, rest, swap");
    // What is offered only if nothing else is legal stays so.
    let first = game("(play (turns (choose take (otherwise (choose place)))))");
    assert_eq!(moves(&first, &["place a1"]), "place a2, place b1, place b2, swap");
    assert_eq!(moves(&first, &["place a1", "place a2"]), "take a2");
    assert_eq!(moves(&first, &["place a1", "swap", "place a2"]), "take a2");
    let taking = game(
        "(play (turn Red (choose place) (choose place))
           (forever (turn Blue (choose take (otherwise (choose place)))) (turn Red (choose place))))",
    );
    assert_eq!(moves(&taking, &["place a1", "place a2"]), "swap, take a1, take a2");
    assert_eq!(moves(&taking, &["place a1", "place a2", "swap"]), "take a1, take a2");
    // The second player is the one who does not begin, and dice are no ply of his.
    let blue = game("(play (turn Blue (choose place)) (turns (chance roll) (choose place)))");
    assert_eq!(moves(&blue, &["place a1", "roll 1"]), "place a2, place b1, place b2, swap");
    assert_eq!(moves(&blue, &["place a1", "roll 1", "swap"]), "place a2, place b1, place b2");
    assert_eq!(
        moves(&blue, &["place a1", "roll 1", "swap", "place a2", "roll 1"]),
        "place b1, place b2"
    );
}

/// Plays all of a default plan of Hex with the pie rule, with at most `most` games of each pairing
/// and as many positions for solving first.
fn tested(size: &str, most: u64, exact: u64) -> (State, Sources, Results) {
    let game = hex("hex-with-pie", size);
    let path = Path::new("tests/games/hex-with-pie.game");
    let sources = ludwright::files::gather(path).expect("its rules");
    let start = game.begin().expect("it begins");
    let wishes = Request { games: Some(most), seats: None, seed: 1, limited: false };
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    (plan.openings, plan.mirrored, plan.exact) = (0, 0, exact);
    let lots: Vec<(usize, Batch)> = plan.batches().into_iter().enumerate().collect();
    let mut results = Results::new(plan.clone());
    play(&plan, &start, &lots, 2, &AtomicBool::new(false), &mut |played| {
        results.enter(played).expect("each once");
    });
    (start, sources, results)
}

/// Who gives a win away is the person who could force it, whichever colour he plays.
#[test]
fn blunders_are_those_of_persons() {
    let (start, _, results) = tested("2", 10, 0);
    let mut swapped = 0;
    for row in results.all_rows().filter(|row| !row.chances.is_empty()) {
        let (mut plies, mut blunders) = (0, 0);
        let mut state = start.clone();
        for text in &row.plies {
            let rules = state.game().rules();
            let ply = state.legal().iter().find(|ply| spell(rules, ply) == *text).cloned();
            let ply = ply.expect("a legal move");
            let solution = solve(&state, &SolveLimits::default(), &mut |_| true).expect("it ends");
            let Turn::Player(person) = state.personal_turn() else { panic!("Hex has no dice") };
            let mine = |value: Value| value == Value::Win(person);
            let gives_away = solution.first.iter().filter(|first| !mine(first.value));
            let lost: Vec<_> = gives_away.map(|first| &first.ply).collect();
            if mine(solution.value) && !lost.is_empty() {
                plies += 1;
                blunders += u32::from(lost.contains(&&ply));
            }
            state.play(&ply).expect("a legal move");
        }
        swapped += usize::from(state.is_swapped());
        assert_eq!((row.late.plies, row.late.blunders), (plies, blunders), "{:?}", row.plies);
    }
    assert!(swapped > 5, "only {swapped} games with a swap");
}

/// The second person wins the smaller board, and games of players who see that end so.
#[test]
fn games_on_a_smaller_board_are_won_by_persons() {
    let (start, sources, results) = tested("3", 2, 400);
    let boards: Vec<_> = results.exact().collect();
    let [board] = boards[..] else { panic!("{boards:?}") };
    assert_eq!((&board.options[0].1[..], board.value), ("2", ExactValue::Win(1)));
    let strongest = board.games.last().expect("games");
    assert!(strongest.wins[1] > 0, "{strongest:?}");
    assert_eq!(strongest.wins[0], 0, "{strongest:?}");
    let report = Report::new(start.game(), &sources, &results);
    let last = &report.verdict.last().expect("a sentence").text;
    let said = "Exactly: on the smaller board Size=2, with best play, the second player wins in ";
    assert!(last.starts_with(said), "{last}");
}
