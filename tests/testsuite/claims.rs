//! Claims are decided correctly, exactly and by games, for every kind; counterexamples are as short
//! as reported; and the error rates of tests stay within their bounds.

use crate::support;
use ludwright::claims::sequential_mean::{MeanSide, SequentialMeanTest};
use ludwright::claims::{ClaimLimits, ClaimVerdict, Decided, decide};
use ludwright::engine::game::{Game, State};
use ludwright::engine::position::Outcome;
use ludwright::language::check;
use ludwright::language::rules::PlayerId;
use ludwright::language::sources::Sources;
use ludwright::random::{Random, mix};
use ludwright::reference::Interpreter;
use ludwright::syntax::parse;
use std::collections::HashSet;

/// Stones fill a board; the player who places the last one wins.
const FILL: &str = r#"(game "Fill" (players White Black) (option Size (range 1 4) 2 "Sites along each side.")
  (board (square Size)) (piece Stone)
  (move drop (to t (empty)) (put Stone t))
  (play (turns (choose drop)))
  (end (if (none (empty)) (win mover)))
"#;

/// Two runners on a strip step to and fro until one reaches the other end.
const RUN: &str = r#"(game "Run" (players White Black) (option Length (range 3 8) 4 "Sites in the strip.")
  (board (rectangle Length 2)) (piece Runner)
  (setup (put Runner a1 White) (put Runner a2 Black))
  (move step (from s (mine)) (to t (and (beside s (list E W)) (empty))) (relocate s t))
  (play (turns (choose step)))
  (end (if (any (and (mine) (not (or (column "a") (column "b") (column "c"))))) (win mover)))
"#;

/// Three in a row.
const NOUGHTS: &str = r#"(game "Noughts" (players X O)
  (board (square 3)) (piece Mark)
  (define (Row (site s) (direction d)) (and (in s (mine)) (in (step s d) (mine)) (in (step s (opposite d)) (mine))))
  (move mark (to t (empty)) (put Mark t))
  (play (turns (choose mark)))
  (end (if (any (where s (mine) (some d (list N NE E SE) (Row s d)))) (win mover))
       (if (none (empty)) (draw)))
"#;

/// Players roll a die in turn; a six wins, a one loses.
const DICE: &str = r#"(game "Dice" (players White Black) (board (square 1)) (remember Shown number)
  (move roll (number n 1 6) (set Shown n))
  (play (turns (chance roll) (if (= Shown 6) (win mover)) (if (= Shown 1) (lose mover))))
"#;

/// White chooses a number and wins if it is at most six.
const COIN: &str = r#"(game "Coin" (players White Black) (board (square 1)) (remember Total number)
  (move say (number n 1 10) (set Total n))
  (play (turn White (choose say)) (if (<= Total 6) (win White)) (win Black))
"#;

fn game(base: &str, parts: &str) -> String {
    format!("{base}  {parts})")
}

fn limits() -> ClaimLimits {
    ClaimLimits { time: None, threads: 2, ..ClaimLimits::default() }
}

fn decided_with(text: &str, limits: &ClaimLimits) -> Vec<Decided> {
    let checked = check(text, &[]);
    assert!(checked.rules.is_some(), "{:?}\n{text}", checked.findings);
    let mut all = Vec::new();
    decide(&text.into(), &[], limits, &mut |decided| all.push(decided));
    all
}

/// Decides a single claim.
fn decided(base: &str, claim: &str) -> Decided {
    let mut all = decided_with(&game(base, &format!("(claim \"It is so.\" {claim})")), &limits());
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn claims_of_every_kind_are_decided_rightly() {
    use ClaimVerdict::{Fails, Faulty, Holds, NotRefuted, Undecided};
    for (base, claim, verdict, exact) in [
        (FILL, "(ends-within 4)", Holds, true),
        (FILL, "(ends-within 3)", Fails, true),
        (FILL, "(not (ends-within 3))", Holds, true),
        (FILL, "(not (ends-within 4))", Fails, true),
        (FILL, "(with Size 3) (ends-within 9)", Holds, true),
        (FILL, "(with Size 3) (after \"drop a1\" \"drop b2\") (ends-within 7)", Holds, true),
        (FILL, "(with Size 3) (after \"drop a1\" \"drop b2\") (ends-within 6)", Fails, true),
        (FILL, "(with Size 4) (after \"drop d4\") (possible (in d4 (theirs)))", Holds, true),
        (FILL, "(after \"drop c3\") (never-draws)", Faulty, false),
        (FILL, "(never-repeats)", Holds, true),
        (FILL, "(never-draws)", Holds, true),
        (FILL, "(always (<= (count (of Black)) (count (of White))))", Holds, true),
        (FILL, "(always (any (empty)))", Fails, true),
        (FILL, "(always (= (count (mine)) (count (theirs))))", Fails, true),
        (FILL, "(possible (= (count (of Black)) 2))", Holds, true),
        (FILL, "(possible (= (count (of Black)) 3))", Fails, true),
        (FILL, "(not (possible (= (count (of Black)) 3)))", Holds, true),
        (RUN, "(never-repeats)", Fails, true),
        (RUN, "(ends-within 1000)", Fails, true),
        (RUN, "(never-draws)", Holds, true),
        (NOUGHTS, "(never-draws)", Fails, true),
        (NOUGHTS, "(ends-within 9)", Holds, true),
        (NOUGHTS, "(ends-within 8)", Fails, true),
        (DICE, "(ends-within 20)", Fails, true),
        (DICE, "(possible (= Shown 6))", Holds, true),
        (DICE, "(possible (= Shown 7))", Fails, true),
        // A player who searches always wins.
        (COIN, "(scores-below White 80)", Fails, false),
        (COIN, "(seat \"random\") (scores-below White 80)", Holds, false),
        (COIN, "(seat \"random\") (scores-above White 80)", Fails, false),
        (COIN, "(seat \"random\") (not (scores-above White 80))", Holds, false),
        (COIN, "(seat \"random\") (scores-above White 45)", Holds, false),
        (COIN, "(seat \"random\") (scores-below White 60)", Undecided, false),
        (COIN, "(seat White \"greedy\") (scores-above White 90)", Holds, false),
        (COIN, "(seat \"mcts:1s\") (scores-above White 45)", Faulty, false),
        // Uniformly random games of tic-tac-toe are drawn with probability 12.7 %.
        (NOUGHTS, "(seat \"random\") (draws-below 25)", Holds, false),
        (NOUGHTS, "(seat \"random\") (draws-below 5)", Fails, false),
        (NOUGHTS, "(seat \"random\") (not (draws-below 5))", Holds, false),
        (COIN, "(draws-below 5)", Holds, false),
    ] {
        let decided = decided(base, claim);
        assert_eq!(
            (decided.verdict, decided.exact),
            (verdict, exact),
            "{claim}: {}",
            decided.reason
        );
    }
    // Too large for an exhaustive search.
    let few = ClaimLimits { plies: 200, games: 100, ..limits() };
    let text = game(
        FILL,
        "(claim \"a\" (with Size 4) (ends-within 16)) (claim \"b\" (with Size 4) (possible (in a1 cut-out)))",
    );
    let verdicts: Vec<ClaimVerdict> =
        decided_with(&text, &few).iter().map(|decided| decided.verdict).collect();
    assert_eq!(verdicts, [NotRefuted, Undecided]);
}

#[test]
fn best_play_is_solved() {
    use ClaimVerdict::{Fails, Holds};
    for (base, claim, verdict) in [
        (FILL, "(wins Black)", Holds),
        (FILL, "(wins White)", Fails),
        (FILL, "(not (wins White))", Holds),
        (FILL, "(with Size 1) (wins White)", Holds),
        (FILL, "(after \"drop a1\") (drawn)", Fails),
        (NOUGHTS, "(drawn)", Holds),
        (NOUGHTS, "(after \"mark b2\" \"mark b1\") (wins X)", Holds),
        (NOUGHTS, "(not (drawn))", Fails),
    ] {
        let decided = decided(base, claim);
        assert_eq!(decided.verdict, verdict, "{claim}: {}", decided.reason);
    }
}

#[test]
fn what_dice_decide_is_no_sure_win() {
    for claim in ["(wins White)", "(drawn)"] {
        let decided = decided(DICE, claim);
        assert_ne!(decided.verdict, ClaimVerdict::Holds, "{claim}: {}", decided.reason);
    }
}

/// Minimum number of plies after which a predicate holds, at most `most`, by playing all sequences.
fn fewest(start: &State, most: usize, such: &dyn Fn(&State, &[u64]) -> bool) -> Option<usize> {
    fn within(
        position: &mut State,
        before: &mut Vec<u64>,
        left: usize,
        such: &dyn Fn(&State, &[u64]) -> bool,
    ) -> bool {
        if such(position, before) {
            return true;
        }
        if left == 0 {
            return false;
        }
        before.push(position.hash());
        let found = position.legal().to_vec().iter().any(|ply| {
            position.play(ply).expect("it is legal");
            let found = within(position, before, left - 1, such);
            position.undo();
            found
        });
        before.pop();
        found
    }
    (0..=most).find(|&plies| within(&mut start.clone(), &mut Vec::new(), plies, such))
}

fn stones(position: &State, player: u16) -> usize {
    position
        .snapshot()
        .pieces
        .iter()
        .flatten()
        .filter(|standing| standing.owner == Some(PlayerId(player)))
        .count()
}

type Such = dyn Fn(&State, &[u64]) -> bool;

#[test]
fn the_shortest_counterexample_is_the_shortest() {
    let repeats: &Such =
        &|position, before| position.outcome().is_none() && before.contains(&position.hash());
    let drawn: &Such = &|position, _| position.outcome() == Some(Outcome::Draw);
    let three: &Such = &|position, _| stones(position, 1) >= 3;
    let won: &Such = &|position, _| position.outcome() == Some(Outcome::Win(PlayerId(0)));
    let far: &Such = &|position, _| {
        let at = |label: &str| position.game().rules().board.find(label).expect("a site");
        position.snapshot().pieces[at("c1").index()].is_some()
            && position.snapshot().pieces[at("c2").index()].is_some()
    };
    let repeated = "(repetition 3 (draw))";
    let coming = r#"(define Won (where s (of X) (some d (list N NE E SE) (and (in (step s d) (of X)) (in (step s (opposite d)) (of X))))))"#;
    for (base, parts, claim, such, most) in [
        (RUN, "", "(never-repeats)", repeats, 6),
        (RUN, "", "(always (not (and (in c1 (pieces)) (in c2 (pieces)))))", far, 6),
        (NOUGHTS, "", "(always (< (count (of O)) 3))", three, 7),
        (NOUGHTS, coming, "(always (none Won))", won, 5),
        (FILL, repeated, "(always (< (count (of Black)) 3))", three, 4),
    ] {
        let text = game(base, &format!("{parts} (claim \"So.\" {claim})"));
        let game = ludwright::load(&*text, &[]).expect("a game");
        let expected = fewest(&game.begin().expect("a beginning"), most, such);
        let all = decided_with(&text, &limits());
        let example = all[0].example.as_ref();
        assert_eq!(
            example.map(|example| example.record.plies.len()),
            expected,
            "{claim}: {}",
            all[0].reason
        );
        assert!(example.is_none_or(|example| example.shortest), "{claim}");
        // A counterexample found by random games and shortened is valid, too, and nearly as short.
        let blind = decided_with(&text, &ClaimLimits { plies: 0, ..limits() });
        let Some(example) = blind[0].example.as_ref() else {
            assert_eq!(expected, None, "{claim}: {}", blind[0].reason);
            continue;
        };
        let mut position = game.begin().expect("a beginning");
        let mut before = Vec::new();
        for index in 0..example.record.plies.len() {
            assert!(!such(&position, &before), "{claim}");
            before.push(position.hash());
            example.record.play(index, &mut position).expect("it is legal");
        }
        assert!(such(&position, &before), "{claim}");
        assert!(
            example.record.plies.len() <= expected.expect("there is one") + 2,
            "{claim}: {}",
            example.record.write()
        );
    }
    // A draw by repetition takes as many plies as the rules say.
    let text = game(
        RUN,
        &format!(
            "{repeated} (claim \"So.\" (never-draws)) (claim \"So.\" (ends-within 8)) (claim \"So.\" (ends-within 100000))"
        ),
    );
    let all = decided_with(&text, &limits());
    let game = ludwright::load(&*text, &[]).expect("a game");
    assert_eq!(fewest(&game.begin().expect("a beginning"), 8, drawn), Some(8));
    let example = all[0].example.as_ref().expect("a game");
    assert_eq!(
        (all[0].verdict, example.record.plies.len()),
        (ClaimVerdict::Fails, 8),
        "{}",
        all[0].reason
    );
    example.record.replay(&mut game.begin().expect("a beginning")).expect("it ends as it says");
    assert_eq!(all[1].verdict, ClaimVerdict::Fails, "{}", all[1].reason);
    assert_ne!(all[2].verdict, ClaimVerdict::Fails, "{}", all[2].reason);
}

#[test]
fn counterexamples_go_to_the_smallest_board() {
    let text = game(
        FILL,
        "(claim \"So.\" (always (none (of Black)))) (claim \"So.\" (with Size 3) (always (none (of Black))))",
    );
    let text = text.replace("(range 1 4) 2", "(range 1 4) 4");
    let all = decided_with(&text, &limits());
    let smaller = all[0].smaller.as_ref().expect("a smaller board");
    assert_eq!(smaller.record.options, [("Size".to_owned(), "2".to_owned())]);
    assert_eq!(smaller.record.plies.len(), 2);
    assert!(all[1].smaller.is_none() && all[1].example.is_some());
    // Each record replays in the game with its options.
    for (decided, options) in [(&all[0].smaller, "2"), (&all[1].example, "3")] {
        let record = &decided.as_ref().expect("a record").record;
        let game = ludwright::record::load(&*text, &[], Some(record)).expect("a game");
        record.replay(&mut record.begin(&game).expect("a beginning")).expect("it can be played");
        assert_eq!(record.options, [("Size".to_owned(), options.to_owned())]);
    }
}

#[test]
fn the_answers_are_the_same_on_any_number_of_threads() {
    let claims = "(claim \"a\" (with Size 4) (ends-within 16)) (claim \"b\" (with Size 3) (seat \"mcts:5it\") (scores-above White 45))
        (claim \"c\" (with Size 4) (always (none (and (column \"a\") (not (of White))))))";
    let text = game(FILL, claims);
    let shown = |threads: usize, seed: u64| {
        let all =
            decided_with(&text, &ClaimLimits { plies: 100, games: 300, threads, seed, ..limits() });
        all.into_iter()
            .map(|decided| (decided.reason, decided.example.map(|example| example.record)))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(1, 7), shown(2, 7));
    assert_eq!(shown(2, 7), shown(2, 7));
}

/// Frequencies of the three answers of a test with at most `observations` observations.
fn rates(share: [f64; 2], bound: f64, observations: u32) -> [f64; 3] {
    const TESTS: u32 = 2_000;
    let mut counts = [0.0; 3];
    for test in 0..TESTS {
        let mut random = Random::new(mix(11, u64::from(test)));
        let mut test = SequentialMeanTest::new(bound, 0.05);
        for _ in 0..observations {
            let drawn = f64::from(random.bits32()) / f64::from(u32::MAX);
            test.observe(if drawn < share[0] {
                1.0
            } else if drawn < share[0] + share[1] {
                0.5
            } else {
                0.0
            });
        }
        counts[match test.answer() {
            Some(MeanSide::Below) => 0,
            None => 1,
            Some(MeanSide::Above) => 2,
        }] += 1.0 / f64::from(TESTS);
    }
    counts
}

#[test]
fn sequential_mean_test_keeps_its_error_rate() {
    // The mean is at the bound, where either answer is an error.
    for (share, bound) in [
        ([0.5, 0.0], 0.5),
        ([0.55, 0.0], 0.55),
        ([0.3, 0.5], 0.55),
        ([0.1, 0.9], 0.55),
        ([0.9, 0.0], 0.9),
        ([0.02, 0.0], 0.02),
    ] {
        let [below, _, above] = rates(share, bound, 600);
        assert!(below <= 0.05 && above <= 0.05, "{share:?} at {bound}: {below} and {above}");
    }
    // Far from the bound, the test nearly always finds the true side.
    for (share, bound, side) in [
        ([0.65, 0.0], 0.55, 2),
        ([0.45, 0.0], 0.55, 0),
        ([0.45, 0.4], 0.55, 2),
        ([0.99, 0.0], 0.9, 2),
    ] {
        let found = rates(share, bound, 600);
        assert!(found[side] >= 0.9, "{share:?} at {bound}: {found:?}");
        assert!(found[2 - side] <= 0.05 / 5.0, "{share:?} at {bound}: {found:?}");
    }
}

/// Conditions to watch in each shipped game.
fn watched() -> Vec<(String, String)> {
    let conditions = [
        ("cicada", "(any (pieces Shell)) (= (count (pieces Nymph)) 3) (= mover Mover)"),
        (
            "kitaran",
            "(any Fresh) (> (count (mine)) (count (theirs))) (any (where s (mine) (none (and (beside s) (theirs)))))",
        ),
        (
            "double-move-situ",
            "(any (where s (theirs) (Controls mover s))) (= mover White) (any cut-out)",
        ),
        ("swarm", "(> (Supply mover) 10) (any Moved) (= (Die Red) (Die Blue))"),
        (
            "lichen-chess",
            "(any Controlled) (< (Supply mover) 12) (some p players (any (where s (of p King) (Controls (next p) s))))",
        ),
    ];
    conditions
        .into_iter()
        .map(|(name, conditions)| (name.to_owned(), conditions.to_owned()))
        .collect()
}

fn without_claims(text: &str) -> String {
    let tree = parse(text);
    let parts = tree.forms[0].as_form().expect("a form");
    let first = parts.iter().find(|part| part.head().is_some_and(|(head, _)| head == "claim"));
    first.map_or(text.to_owned(), |first| format!("{})", text[..first.span.start].trim_end()))
}

#[test]
fn watched_conditions_match_the_reference() {
    for (name, conditions) in watched() {
        let text = std::fs::read_to_string(format!("games/{name}.game")).expect("a game");
        let text = without_claims(&text);
        let body = text.trim_end().strip_suffix(')').expect("a bracket");
        let claims: Vec<String> = parse(&conditions)
            .forms
            .iter()
            .map(|form| format!("(claim \"So.\" (always {}))", form.span.text(&conditions)))
            .collect();
        let text = format!("{body}\n{})", claims.join("\n"));
        let checked = check(&*text, &[]);
        let rules = checked.rules.unwrap_or_else(|| panic!("{name}: {:?}", checked.findings));
        let watching = Game::compile_watching(rules.clone()).expect("a game");
        let plain = Game::compile(rules).expect("a game");
        // A training of the game fits the game with claims.
        assert!(plain.id().has_same_rules(watching.id()), "{name}");
        let (mut position, depth) =
            (watching.begin().expect("a beginning"), if name == "swarm" { 2 } else { 3 });
        let begun = plain.begin().expect("a beginning");
        assert_eq!(plain.perft(&begun, depth), watching.perft(&position, depth), "{name}");
        let mut random = Random::new(3);
        let mut seen = HashSet::new();
        for _ in 0..200 {
            if position.outcome().is_some() {
                position = watching.begin().expect("a beginning");
            }
            let mut state = position.clone();
            let interpreter = Interpreter::at(&position);
            for (index, claim) in watching.rules().claims.iter().enumerate() {
                let condition = claim.condition().expect("a condition");
                let holds = interpreter.view().condition(&condition.node);
                assert_eq!(state.holds(index), holds, "{name}: {}", condition.span.text(&text));
                seen.insert((index, holds));
            }
            let legal = position.legal();
            let ply = legal[random.below(legal.len() as u32) as usize].clone();
            position.play(&ply).expect("it is legal");
        }
        assert!(seen.len() >= 4, "{name}: {seen:?}");
    }
}

#[test]
fn claims_leave_the_game_as_it_is() {
    for variant in support::variants().iter().filter(|variant| variant.options.is_empty()) {
        let path = support::rules_file(&variant.name);
        let text = std::fs::read_to_string(&path).expect("a game");
        if text.contains("(variant-of") || text.contains("(include") {
            continue;
        }
        let program = |text: &str| {
            let game = ludwright::load(text, &[])
                .unwrap_or_else(|rejected| panic!("{}: {rejected}", path.display()));
            format!("{:?}", game.program())
        };
        assert_eq!(program(&text), program(&without_claims(&text)), "{}", path.display());
    }
}

#[test]
fn a_variant_makes_its_own_claims() {
    let base = game(FILL, "(claim \"Of the base.\" (ends-within 4))");
    let variant = "(variant-of \"fill.game\" \"Large Fill\" (default Size 3) (claim \"Of the variant.\" (ends-within 9)))";
    let sources = Sources::gather(
        ludwright::language::sources::Fetched::new("large.game", variant),
        &mut |_, _| Ok(ludwright::language::sources::Fetched::new("fill.game", &base)),
    );
    let rules = check(&sources, &[]).rules.expect("a game");
    assert_eq!(
        rules.claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>(),
        ["Of the variant."]
    );
    let mut verdicts = Vec::new();
    decide(&sources, &[], &limits(), &mut |decided| verdicts.push(decided.verdict));
    assert_eq!(verdicts, [ClaimVerdict::Holds]);
}

#[test]
fn the_shipped_games_claim_nothing_that_fails() {
    let few = ClaimLimits { plies: 30_000, games: 40, contests: 4, ..limits() };
    for entry in std::fs::read_dir("games").expect("games") {
        let path = entry.expect("a file").path();
        let sources = ludwright::files::gather(&path).expect("a game");
        decide(&sources, &[], &few, &mut |decided| {
            assert!(
                !decided.verdict.is_bad(),
                "{}: {}: {}",
                path.display(),
                decided.text,
                decided.reason
            );
        });
    }
}
