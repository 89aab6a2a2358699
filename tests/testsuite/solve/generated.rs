//! Everything that is said to be exact, on generated games with one to four players, against the
//! truth by the rules as they are: the solver in all its ways and at its limits, claims, the exact
//! part of playtests, and what searches call proven.
//!
//! `SOLVED_SEED=7 cargo test --test testsuite solve::generated::one -- --ignored --nocapture` repeats
//! a game and prints it.

use super::truth::Truth;
use crate::generator::small::small_game;
use ludwright::claims::{ClaimLimits, ClaimVerdict, decide};
use ludwright::engine::game::{Game, Turn};
use ludwright::language::rules::{PlayerId, PlayerOf, Statement};
use ludwright::language::sources::Sources;
use ludwright::learn::{Evaluation, Features, Method};
use ludwright::measure::{Batch, Clauses, CostModel, ExactValue, Plan, Request, Worker};
use ludwright::notation::spell;
use ludwright::random::{Random, mix};
use ludwright::search::prover::{Answer, Prover};
use ludwright::search::strong::Strong;
use ludwright::search::{AlphaBeta, Mcts, SearchLimits, Thinking};
use ludwright::solve::{Ending, Solution, SolveLimits, Unknown, Value, prove, solve};
use std::collections::BTreeMap;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Scores that differ by less are equal.
const TOLERANCE: f64 = 1e-7;
/// The most nodes of a truth, in a quick and in a thorough run.
const FEW_NODES: usize = 300;
const MANY_NODES: usize = 2_500;

/// Of the games of two players, every how many are searched with an evaluation.
const RATED_EVERY: u64 = 8;

/// How a solution was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// All positions were explored.
    Whole,
    /// By proof search, or whole, as far as limits allowed.
    Limited,
}

/// What was compared.
type Figures = BTreeMap<&'static str, u64>;

/// Tests if the rule of repetition says the same whatever recurs, as the solver can use it.
fn is_settled(game: &Game) -> bool {
    let rules = game.rules();
    let Some(rule) = &rules.repetition else { return true };
    let is_fixed = |player: &PlayerOf| {
        rules.teams.count() == 1
            || rules.teams.count() == 2
                && rules.pie.is_none()
                && matches!(player, PlayerOf::Fixed(_))
    };
    match &rule.then[0].node {
        Statement::Draw => true,
        Statement::Win(player) | Statement::Lose(player) => is_fixed(&player.node),
        _ => false,
    }
}

/// Compares a value, and the plies to a win.
fn is_true(truth: &Truth, node: usize, value: Value, distance: Option<u32>, way: Way) {
    let no_dice = || assert!(!truth.has_dice, "{value:?} with dice");
    match value {
        Value::Unknown(Unknown::RanOut(_)) => assert!(way == Way::Limited, "{value:?}"),
        Value::Unknown(Unknown::Repetition) => {
            no_dice();
            let is_settled = is_settled(truth.start.game());
            let says_draw = is_settled && way == Way::Whole;
            assert!(truth.has_rule && truth.repeats && !says_draw, "{value:?}");
        }
        Value::Unknown(Unknown::Past) => panic!("only how often positions occurred matters"),
        Value::Unknown(Unknown::DiceForMany) => assert!(truth.has_dice && truth.players > 2),
        Value::Unknown(Unknown::DiceRepetition) => {
            assert!(truth.has_dice && truth.has_rule && truth.repeats, "{value:?}");
        }
        Value::Unknown(Unknown::Endless) => {
            let [lower, upper] = truth.scores.as_ref().expect("scores");
            assert!(!truth.has_rule && upper[node] - lower[node] > TOLERANCE / 100.0, "{value:?}");
        }
        Value::Score(score) => {
            let [lower, upper] = truth.scores.as_ref().expect("scores");
            let is_within = lower[node] - TOLERANCE < score && score < upper[node] + TOLERANCE;
            assert!(is_within, "{score}, but {} to {}", lower[node], upper[node]);
        }
        Value::Win(winner) => {
            no_dice();
            let wins = truth.wins[winner.index()][node];
            assert!(wins.is_some(), "{value:?}, but {:?}", truth.value(node));
            assert!(distance.is_none() || distance == wins, "{distance:?}, but {wins:?}");
            let is_exact = way == Way::Whole && (!truth.repeats || !truth.has_rule);
            assert!(!is_exact || distance.is_some(), "no distance, but {wins:?}");
        }
        Value::Draw | Value::Open => {
            no_dice();
            assert_eq!(truth.value(node), value);
        }
    }
    assert!(distance.is_none() || matches!(value, Value::Win(_)), "{value:?} in {distance:?}");
}

/// Tests if two nodes are worth the same.
fn is_as_good(truth: &Truth, one: usize, other: usize) -> bool {
    match &truth.scores {
        Some(bounds) => bounds.iter().all(|all| (all[one] - all[other]).abs() < TOLERANCE),
        None => truth.value(one) == truth.value(other),
    }
}

/// Compares everything that a solution says.
fn solution_is_true(truth: &Truth, solution: &Solution, way: Way) {
    let rules = truth.start.game().rules();
    is_true(truth, 0, solution.value, solution.distance, way);
    let is_known = |value: Value| !matches!(value, Value::Unknown(_));
    assert_eq!(solution.first.len(), truth.start.legal().len());
    for first in &solution.first {
        let node = truth.after(0, &first.ply);
        let from_there = first.distance.map(|plies| plies - 1);
        is_true(truth, node, first.value, from_there, way);
        let both = is_known(solution.value) && is_known(first.value);
        let is_roll = truth.graph.positions[0].turn == Turn::Chance;
        let expected = both && (is_roll || is_as_good(truth, 0, node));
        assert_eq!(first.optimal, expected, "optimal: {}", spell(rules, &first.ply));
    }
    if let Some(ply) = solution.line.first() {
        let first = solution.first.iter().find(|first| first.ply == *ply).expect("a first move");
        assert!(first.optimal, "the line begins with {}, which is not optimal", spell(rules, ply));
    }
    let mut nodes = vec![0];
    for ply in &solution.line {
        let node = truth.after(nodes[nodes.len() - 1], ply);
        nodes.push(node);
        let line = || {
            let line: Vec<String> = solution.line.iter().map(|ply| spell(rules, ply)).collect();
            format!("{way:?}, {:?}: {}", solution.value, line.join(", "))
        };
        let lost = || format!("the line loses value by {}: {}", spell(rules, ply), line());
        assert!(is_as_good(truth, 0, node), "{}", lost());
    }
    let last = nodes[nodes.len() - 1];
    let end = &truth.graph.positions[last];
    match solution.ending {
        Ending::Over(shown) => assert_eq!(end.shown, Some(shown)),
        Ending::Repeats(before) => {
            assert!(truth.is_same_position(nodes[before], last), "{:?}", solution.ending);
            assert!(truth.has_rule || solution.value == Value::Draw);
        }
        Ending::Chance => assert_eq!(end.turn, Turn::Chance),
        Ending::Open => {
            let has_line = matches!(solution.value, Value::Win(_) | Value::Draw | Value::Score(_));
            assert!(way == Way::Limited || !has_line, "the line stops");
        }
    }
    if let Some(plies) = solution.distance {
        assert!(solution.line.len() == plies as usize || way == Way::Limited, "{plies} plies");
    }
    assert!(solution.acyclic.is_none_or(|acyclic| acyclic != truth.repeats), "acyclic");
    assert!(solution.longest.is_none() || solution.longest == truth.longest, "longest");
    assert!(!solution.goes_round || solution.value == Value::Draw);
    if solution.acyclic.is_some() {
        let is_endless =
            solution.value == Value::Draw && truth.players > 1 && !truth.can_end_drawn();
        // The repetition of a position that has occurred by the start is an end like any other.
        let rule = rules.repetition.as_ref();
        let times = truth.start.max_repetitions() + 1;
        let is_exact = rule.is_none_or(|rule| times < rule.times as usize);
        assert!(!solution.goes_round || is_endless, "goes round");
        assert!(!is_exact || solution.goes_round == is_endless, "goes round");
        assert_eq!(solution.acyclic == Some(true), solution.longest.is_some() && !truth.repeats);
    } else {
        assert!(way == Way::Limited);
    }
}

/// Compares the solver in all its ways, and stopped at limits.
fn solver_is_true(truth: &Truth, random: &mut Random, figures: &mut Figures) {
    let from = &truth.start;
    let go = |limits: &SolveLimits| solve(from, limits, &mut |_| true).expect("rules that end");
    let proof = |limits: &SolveLimits| prove(from, limits, &mut |_| true).expect("rules that end");
    let all = SolveLimits { time: None, ..SolveLimits::default() };
    for symmetric in [true, false] {
        let solution = go(&SolveLimits { symmetric, ..all });
        solution_is_true(truth, &solution, Way::Whole);
        if symmetric {
            *figures.entry("positions solved").or_default() += 1;
            let kind = match solution.value {
                Value::Unknown(Unknown::Repetition | Unknown::DiceRepetition) => {
                    "unknown, repetition"
                }
                Value::Unknown(_) => "unknown otherwise",
                Value::Win(_) if solution.distance.is_none() => "won, distance not said",
                Value::Win(_) => "won",
                Value::Draw if solution.goes_round => "drawn by going round",
                Value::Draw => "drawn",
                Value::Open => "open",
                Value::Score(_) => "scores with dice",
            };
            *figures.entry(kind).or_default() += 1;
        }
    }
    let little = SolveLimits { memory: 1 << 20, ..all };
    let mut limited = vec![
        proof(&all),
        proof(&SolveLimits { by_numbers: true, ..all }),
        go(&little),
        proof(&SolveLimits { threads: 3, ..all }),
    ];
    for _ in 0..3 {
        let plies = Some(1 + u64::from(random.below(120)));
        limited.push(proof(&SolveLimits { plies, ..all }));
        limited.push(go(&SolveLimits { plies, ..all }));
    }
    for solution in &limited {
        solution_is_true(truth, solution, Way::Limited);
        let is_partial = solution.acyclic.is_none() && !matches!(solution.value, Value::Unknown(_));
        let is_stopped =
            solution.first.iter().any(|first| matches!(first.value, Value::Unknown(_)));
        *figures.entry("proven").or_default() += u64::from(is_partial);
        *figures.entry("proven, stopped midway").or_default() +=
            u64::from(is_partial && is_stopped);
    }
}

/// Compares claims about the whole game.
fn claims_are_true(text: &str, truth: &Truth, random: &mut Random, figures: &mut Figures) {
    let rules = truth.start.game().rules();
    let leaders = rules.teams.numbers().map(|team| rules.teams.first(team));
    let players = leaders.map(|leader| &rules.players[leader.index()].name);
    // As many plies as it takes, and one less.
    let longest = truth.longest.unwrap_or_else(|| 1 + random.below(12)).max(1);
    let mut claims: Vec<(String, Option<bool>)> = players
        .enumerate()
        .map(|(player, name)| {
            let wins = match &truth.scores {
                Some([lower, upper]) if player == 0 => {
                    (upper[0] - lower[0] < TOLERANCE).then(|| lower[0] > 1.0 - 1e-12)
                }
                Some([lower, upper]) => (upper[0] - lower[0] < TOLERANCE).then(|| upper[0] < 1e-12),
                None if truth.has_dice => None,
                None => Some(truth.value(0) == Value::Win(PlayerId(player as u16))),
            };
            (format!("(wins {name})"), wins)
        })
        .collect();
    claims.push(("(drawn)".to_owned(), (!truth.has_dice).then(|| truth.value(0) == Value::Draw)));
    claims.push(("(never-repeats)".to_owned(), Some(!truth.repeats)));
    for plies in [longest, (longest - 1).max(1)] {
        let ends = truth.longest.is_some_and(|longest| longest <= plies);
        claims.push((format!("(ends-within {plies})"), Some(ends)));
    }
    claims.push(("(never-draws)".to_owned(), Some(!truth.can_draw)));
    let written: Vec<String> =
        claims.iter().map(|(claim, _)| format!("(claim \"It is so.\" {claim})")).collect();
    let text = text.trim_end();
    let open = text.strip_suffix(')').expect("a form");
    let text = format!("{open} {})", written.join(" "));
    let limits =
        ClaimLimits { plies: 20_000, games: 20, contests: 4, threads: 1, ..ClaimLimits::default() };
    let mut verdicts = Vec::new();
    decide(&Sources::from(text.as_str()), &[], &limits, &mut |decided| verdicts.push(decided));
    // The game may have claims of its own, which come first.
    let own = verdicts.len().checked_sub(claims.len());
    let own = own.unwrap_or_else(|| panic!("{} verdicts: {text}", verdicts.len()));
    for ((claim, is_so), decided) in claims.iter().zip(&verdicts[own..]) {
        let says = match decided.verdict {
            ClaimVerdict::Holds => true,
            ClaimVerdict::Fails => false,
            _ => continue,
        };
        if decided.exact {
            assert!(is_so.is_none_or(|is_so| is_so == says), "{claim} {says}: {}", decided.reason);
            *figures.entry("claims").or_default() += 1;
        }
    }
}

/// Compares the exact part of a playtest.
fn playtest_is_true(text: &str, truth: &Truth, figures: &mut Figures) {
    let game = truth.start.game();
    let wishes = Request { games: Some(1), seats: None, seed: 1, limited: false };
    let sources = Sources::from(text);
    let mut plan = Plan::new(&truth.start, &sources, &wishes, &CostModel::of(game));
    plan.exact = 4_000;
    let (clauses, stop) = (Clauses::of(game.rules()), AtomicBool::new(false));
    let played = Worker::new(&plan, &truth.start, &clauses, &stop).play(0, Batch::Exact);
    let Ok(played) = played else { panic!("nobody stops it") };
    for board in played.exact.iter().filter(|board| board.options.is_empty()) {
        let (value, plies) = match board.value {
            ExactValue::Win(winner) => (Value::Win(PlayerId(winner)), board.plies),
            ExactValue::Draw => (Value::Draw, None),
            ExactValue::NeverEnds => {
                assert!(!truth.can_end_drawn(), "something else ends it");
                (Value::Draw, None)
            }
            ExactValue::Open => (Value::Open, None),
            ExactValue::Score(score) => (Value::Score(score), None),
        };
        is_true(truth, 0, value, plies, Way::Limited);
        *figures.entry("playtests").or_default() += 1;
    }
}

/// Compares what searches call proven.
fn searches_are_true(
    truth: &Truth,
    evaluation: Option<&Arc<Evaluation>>,
    seed: u64,
    figures: &mut Figures,
) {
    let state = &truth.start;
    let Turn::Player(person) = truth.graph.positions[0].turn else { return };
    let limits =
        |iterations| SearchLimits { iterations: Some(iterations), ..SearchLimits::default() };
    for player in (0..truth.players as u16).map(PlayerId) {
        let mut prover = Prover::new(1 << 16);
        let (answer, _) = prover.prove(&mut state.clone(), player, &limits(2_000));
        let Answer::Wins(ply) = answer else { continue };
        assert!(truth.wins[player.index()][0].is_some(), "proven for {player:?}");
        if let Some(ply) = ply {
            let node = truth.after(0, &state.game().spell_out(ply));
            assert!(truth.wins[player.index()][node].is_some(), "proven by another ply");
        }
        *figures.entry("proofs by df-pn").or_default() += 1;
    }
    let ends = "rules that end";
    let mut mcts = Mcts::new(1, 1 << 20);
    let found = mcts.think(state, seed, &limits(300), &mut |_| true).expect(ends);
    thinking_is_true(truth, person, &found, "tree", figures);
    if let Some(evaluation) = evaluation {
        let evaluation = || Arc::clone(evaluation);
        let found = AlphaBeta::new(evaluation(), 1 << 16).think(state, seed, &limits(300));
        thinking_is_true(truth, person, &found.expect(ends), "alpha-beta", figures);
        let method = if seed.is_multiple_of(2) { Method::Leaves } else { Method::Quiescence };
        let mut strong = Strong::new(evaluation(), method, 1 << 18);
        let found = strong.think(&mut Mcts::new(1, 1 << 20), state, seed, &limits(300));
        thinking_is_true(truth, person, &found.expect(ends), "strong", figures);
    }
}

fn thinking_is_true(
    truth: &Truth,
    person: PlayerId,
    thinking: &Thinking,
    who: &'static str,
    figures: &mut Figures,
) {
    for tried in thinking.plies.iter().filter(|tried| tried.solved) {
        let node = truth.after(0, &tried.ply);
        is_chance(truth, node, person, tried.chance, who);
    }
    if thinking.solved {
        let Turn::Player(colour) = truth.start.turn() else { return };
        is_chance(truth, 0, person, thinking.win_probabilities[colour.index()], who);
        *figures.entry("proven by searches").or_default() += 1;
    }
}

/// Compares a chance that is called proven.
fn is_chance(truth: &Truth, node: usize, person: PlayerId, chance: f64, who: &str) {
    if let (Some([_, upper]), 1) = (&truth.scores, truth.players) {
        assert!(chance < 1.0 || upper[node] > 1.0 - TOLERANCE, "{who}: a proven win");
    } else if let Some([lower, upper]) = &truth.scores {
        let share = |score: f64| if person == PlayerId(0) { score } else { 1.0 - score };
        let (one, other) = (share(lower[node]), share(upper[node]));
        let is_within = one.min(other) - 1e-5 < chance && chance < one.max(other) + 1e-5;
        assert!(is_within, "{who}: proven {chance}, but {one} to {other}");
    } else if !truth.has_dice {
        let wins = truth.wins[person.index()][node].is_some();
        assert!(wins || chance < 1.0, "{who}: a proven win");
        if truth.players == 2 {
            let expected = match truth.value(node) {
                Value::Win(winner) => f64::from(winner == person),
                _ => 0.5,
            };
            assert!((chance - expected).abs() < 1e-5, "{who}: proven {chance}, but {expected}");
        }
    }
}

/// Compares everything about a game, from its first position and from some later ones.
fn game_is_true(text: &str, seed: u64, most: usize, figures: &mut Figures) {
    let Ok(game) = ludwright::load(text, &[]) else {
        *figures.entry("refused").or_default() += 1;
        return;
    };
    let Ok(start) = game.begin() else { return };
    *figures.entry("games").or_default() += 1;
    let mut random = Random::new(mix(seed, 1));
    // Finding the patterns of a board takes longer than all else.
    let is_rated = game.rules().teams.count() == 2 && seed.is_multiple_of(RATED_EVERY);
    let evaluation =
        is_rated.then(|| Arc::new(Evaluation::new(Arc::new(Features::new(&game)), Vec::new())));
    let mut played = vec![start];
    for number in 0..4 {
        let state = played[played.len() - 1].clone();
        if state.outcome().is_some() {
            break;
        }
        match Truth::find(&played, most) {
            Some(truth) => {
                solver_is_true(&truth, &mut random, figures);
                searches_are_true(&truth, evaluation.as_ref(), mix(seed, number), figures);
                if number == 0 {
                    claims_are_true(text, &truth, &mut random, figures);
                    playtest_is_true(text, &truth, figures);
                }
                *figures.entry("nodes").or_default() += truth.graph.positions.len() as u64;
                *figures.entry("that can repeat").or_default() += u64::from(truth.repeats);
            }
            None => *figures.entry("too large").or_default() += 1,
        }
        for _ in 0..=number {
            let mut next = played[played.len() - 1].clone();
            let plies = next.legal();
            if plies.is_empty() {
                return;
            }
            let ply = plies[random.below(plies.len() as u32) as usize].clone();
            if next.play(&ply).is_err() {
                return;
            }
            played.push(next);
        }
    }
}

/// Compares the games of these seeds, and prints what was compared.
fn games_are_true(seeds: std::ops::Range<u64>, most: usize) -> Figures {
    let (mut figures, mut wrong) = (Figures::new(), Vec::new());
    for seed in seeds.clone() {
        let text = small_game(seed);
        let compared =
            catch_unwind(AssertUnwindSafe(|| game_is_true(&text, seed, most, &mut figures)));
        if let Err(panic) = compared {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
            println!("seed {seed}: {}\n{text}\n", said.unwrap_or_default());
            wrong.push(seed);
        }
    }
    println!("seeds {seeds:?}: {figures:?}");
    assert!(wrong.is_empty(), "{} games are judged wrongly: {wrong:?}", wrong.len());
    figures
}

#[test]
fn what_is_said_of_small_games_is_true() {
    let figures = games_are_true(0..250, FEW_NODES);
    let least = [
        ("games", 200),
        ("that can repeat", 100),
        ("won", 15),
        ("drawn", 30),
        ("drawn by going round", 20),
        ("scores with dice", 15),
        ("unknown, repetition", 5),
        ("proven", 200),
        ("proven, stopped midway", 5),
        ("claims", 200),
        ("playtests", 50),
        ("proofs by df-pn", 15),
        ("proven by searches", 40),
    ];
    for (what, least) in least {
        assert!(figures.get(what).is_some_and(|&count| count >= least), "{what}: {figures:?}");
    }
}

/// `SOLVED_FROM` and `SOLVED_GAMES` choose the seeds.
#[test]
#[ignore = "takes long; `cargo test --profile checked --test testsuite solve::generated::many -- --ignored --nocapture`"]
fn many_small_games_are_judged_truly() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let from = number("SOLVED_FROM").unwrap_or(1_000);
    games_are_true(from..from + number("SOLVED_GAMES").unwrap_or(5_000), MANY_NODES);
}

#[test]
#[ignore = "repeats one game: `SOLVED_SEED=7`"]
fn one_game() {
    let seed = env::var("SOLVED_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    println!("{}", small_game(seed));
    let mut figures = Figures::new();
    game_is_true(&small_game(seed), seed, MANY_NODES, &mut figures);
    println!("{figures:?}");
}

/// A position from a game, as a file: what each of them says is compared like a generated game.
#[test]
fn what_was_once_said_wrongly_is_true() {
    for entry in std::fs::read_dir("tests/generated/solved").expect("the games") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a file");
        let mut figures = Figures::new();
        // Other seeds come through other positions.
        (1..=8).for_each(|seed| game_is_true(text.trim(), seed, MANY_NODES, &mut figures));
        assert_eq!(figures.get("games"), Some(&8), "{}", path.display());
    }
}
