//! Reports of games whose truth is known: how often their intervals hold it, where games share dice,
//! and how often their verdicts are wrong.

use ludwright::engine::game::Game;
use ludwright::language::sources::Sources;
use ludwright::measure::report::Measure;
use ludwright::measure::statistics::{Clusters, Estimate, mean_ci};
use ludwright::measure::{
    Batch, Clauses, CostModel, Plan, Report, Request, Results, Worker, sweep,
};
use ludwright::random::{Random, mix};
use ludwright::search::PlayerKind;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A game of which something is known.
struct Known {
    title: &'static str,
    text: String,
    /// The score of the first player, whoever plays; `None` if it depends on who does.
    score: Option<f64>,
}

/// A game that the dice decide: the sides of the die, what is played, how it ends and what the first
/// player scores. Stones placed at random make games differ; the dice decide who wins, and how long it
/// takes.
fn dice(title: &'static str, sides: u32, play: &str, end: &str, score: Option<f64>) -> Known {
    let text = format!(
        "(game \"{title}\" (players A B) (board (square 4)) (piece Stone)
           (remember Die number) (remember Other number)
           (move roll (number n 1 {sides}) (set Die n)) (move other (number n 1 6) (set Other n))
           (move place (to t (empty)) (put Stone t)) (play {play}) (end {end}))"
    );
    Known { title, text, score }
}

const ONE_DIE: &str = "(chance roll) (turns (choose place))";
const TWO_DICE: &str = "(chance roll) (chance other) (turns (choose place))";

fn fair_roll() -> Known {
    let end = "(if (= (count (pieces Stone)) (* 2 Die)) (if (= Die 1) (win A) (else (win B))))";
    dice("a fair roll", 2, ONE_DIE, end, Some(0.5))
}

fn two_dice() -> Known {
    let end = "(if (= (count (pieces Stone)) (+ 1 Die Other)) (if (> Die Other) (win A)) (if (< Die Other) (win B)) (draw))";
    dice("the greater of two dice", 6, TWO_DICE, end, Some(0.5))
}

/// Of 36 throws, 15 have a sum below seven, 15 above, and six of seven.
fn sum_of_dice() -> Known {
    let end = "(if (= (count (pieces Stone)) (+ 2 Die)) (if (< (+ Die Other) 7) (win A)) (if (> (+ Die Other) 7) (win B)) (draw))";
    dice("the sum of two dice", 6, TWO_DICE, end, Some(0.5))
}

fn biased_roll() -> Known {
    let end = "(if (= (count (pieces Stone)) 4) (if (<= Die 90) (win A) (else (win B))))";
    dice("a biased roll", 100, ONE_DIE, end, Some(0.9))
}

/// Whoever plays better does not lose it; best play is a draw.
fn drawn() -> Known {
    let text = "(game \"a draw by best play\" (players A B) (board (square 3)) (piece Stone)
       (move place (to t (empty)) (put Stone t)) (play (turns (choose place)))
       (end (if (any (line 3 (mine))) (win mover)) (if (none (empty)) (draw))))";
    Known { title: "a draw by best play", text: text.to_owned(), score: None }
}

/// The first player wins with two of three sites, of which the second can take only one; few who
/// play at random find them.
fn hidden() -> Known {
    let text = "(game \"a win that is hard to see\" (players A B) (board (square 4)) (piece Stone)
       (move place (to t (empty)) (put Stone t)) (play (turns (choose place)))
       (end (if (= (count (and (mine) (sites a1 b3 d2))) 2) (win mover))
            (if (= (count (pieces Stone)) 3) (win B))))";
    Known { title: "a win that is hard to see", text: text.to_owned(), score: None }
}

fn games() -> Vec<Known> {
    let hundred = "(if (= (count (pieces Stone)) 4) (if (<= Die 50) (win A) (else (win B))))";
    let ahead = "(if (= (count (pieces Stone)) (+ 2 Die)) (if (<= Die 2) (win A)) (if (= Die 3) (win B)) \
         (if (= (mod (count (and (row 1) (pieces Stone))) 2) 1) (win A)) (win B))";
    vec![
        dice("a roll of a hundred", 100, ONE_DIE, hundred, Some(0.5)),
        fair_roll(),
        two_dice(),
        sum_of_dice(),
        biased_roll(),
        dice("an advantage of the first player", 6, ONE_DIE, ahead, None),
        drawn(),
        hidden(),
    ]
}

fn load(known: &Known) -> (Game, Sources) {
    let sources = Sources::named("known.game", &known.text);
    (ludwright::load(&sources, &[]).unwrap_or_else(|rejected| panic!("{rejected}")), sources)
}

/// Plans games of a pairing that are recorded. Of some, a search of two iterations estimates the
/// winning chances.
fn plan(game: &Game, sources: &Sources, kind: PlayerKind, games: u64, judged: u64) -> Plan {
    let wishes =
        Request { games: Some(games), seats: Some(vec![kind; 2]), seed: 1, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, sources, &wishes, &CostModel::of(game));
    (plan.openings, plan.mirrored, plan.exact, plan.judge) = (0, 0, 0, 2);
    let pairing = &mut plan.pairings[0];
    (pairing.written, pairing.judged, pairing.listened) = (games, judged, 0);
    plan
}

fn played(plan: Plan, game: &Game) -> Results {
    let (clauses, stop) = (Clauses::of(game.rules()), AtomicBool::new(false));
    let start = game.begin().expect("a first position");
    let mut results = Results::new(plan.clone());
    let mut worker = Worker::new(&plan, &start, &clauses, &stop);
    for (number, lot) in plan.batches().into_iter().enumerate() {
        if !matches!(lot, Batch::Census) {
            results.enter(worker.play(number, lot).expect("not stopped")).expect("each once");
        }
    }
    results
}

fn measures(game: &Game, sources: &Sources, results: &Results) -> Vec<Measure> {
    Report::new(game, sources, results).measures
}

/// Every estimate of a report of which the truth is a single number, by measure and what it is of.
fn estimates(measures: &[Measure]) -> BTreeMap<(&'static str, String), Estimate> {
    let known = measures.iter().filter(|measure| measure.key != "states");
    let figures = known.flat_map(|measure| {
        measure.figures.iter().map(|figure| ((measure.key, figure.what.clone()), figure.estimate))
    });
    figures.collect()
}

/// How many of how many intervals hold the truth, and how often tests find a difference where there
/// is none: by figure.
type Calibration = BTreeMap<String, (u32, u32)>;

fn count(into: &mut Calibration, key: String, is_so: bool) {
    let (so, all) = into.entry(key).or_default();
    (*so, *all) = (*so + u32::from(is_so), *all + 1);
}

/// How a game is played to see whether its intervals hold the truth.
#[derive(Clone, Copy)]
struct Trial {
    kind: PlayerKind,
    /// The games of a report, and how many of them a search judges.
    games: u64,
    judged: u64,
    seeds: u64,
    /// The games by which the truth is known, where it cannot be worked out.
    reference: u64,
}

/// Plays a game with many seeds. Returns how its intervals hold, how they would if games with the
/// same dice were independent, and how often tests are wrong.
fn calibrate(known: &Known, trial: Trial) -> [Calibration; 3] {
    let Trial { kind, games, judged, seeds, reference } = trial;
    let (game, sources) = load(known);
    let mut many = plan(&game, &sources, kind, reference, if judged > 0 { reference } else { 0 });
    many.seed = 77;
    // How much the dice decide is seen in pairs, all else in games with their own dice.
    let paired = estimates(&measures(&game, &sources, &played(many.clone(), &game)));
    many.pairings[0].group = 1;
    let mut truth = estimates(&measures(&game, &sources, &played(many, &game)));
    truth.extend(paired.into_iter().filter(|((key, _), _)| *key == "chance"));
    for (player, score) in [("A", known.score), ("B", known.score.map(|score| 1.0 - score))] {
        let found = truth.get_mut(&("seat-advantage", player.to_owned())).expect("scores");
        found.value = score.unwrap_or(found.value);
    }
    let plan = plan(&game, &sources, kind, games, judged);
    let [mut held, mut apart, mut wrong] = [(); 3].map(|()| Calibration::new());
    let mut reports: Vec<Vec<Measure>> = Vec::new();
    for seed in 0..seeds {
        let mut results = played(Plan { seed: mix(5, seed), ..plan.clone() }, &game);
        let own = measures(&game, &sources, &results);
        results.plan.pairings[0].group = 1;
        let before = measures(&game, &sources, &results);
        for (counted, measures) in [(&mut held, &own), (&mut apart, &before)] {
            for ((key, what), found) in estimates(measures) {
                let Some(truth) = truth.get(&(key, what.clone())) else { continue };
                // Rounding apart.
                let holds = found.low - 1e-9 <= truth.value && truth.value <= found.high + 1e-9;
                count(counted, format!("{key} {what}").trim().to_owned(), holds);
            }
        }
        reports.push(own);
    }
    for four in reports.chunks_exact(4) {
        let variants: Vec<&[Measure]> = four.iter().map(Vec::as_slice).collect();
        let players = ["A".to_owned(), "B".to_owned()];
        let differences = sweep::differences(&sweep::rows(&variants), &players).1;
        count(&mut wrong, "any difference in a sweep".to_owned(), !differences.is_empty());
    }
    [held, apart, wrong]
}

fn share((so, all): (u32, u32)) -> f64 {
    f64::from(so) / f64::from(all)
}

/// The first words of figures, which are of a kind: `plies mean` of `plies`, but `first-moves place
/// b2` of `first-moves`.
fn kind_of(figure: &str) -> &str {
    match figure.split_once(' ') {
        Some((measure @ ("first-moves" | "seat-advantage"), _)) => measure,
        _ => figure,
    }
}

/// Adds up figures of a kind.
fn by_kind(held: &Calibration, into: &mut Calibration) {
    for (figure, &(so, all)) in held {
        let sum = into.entry(kind_of(figure).to_owned()).or_default();
        *sum = (sum.0 + so, sum.1 + all);
    }
}

/// The kinds of intervals that reports of these games have.
const KINDS: [&str; 12] = [
    "seat-advantage",
    "draws",
    "plies mean",
    "turns median",
    "minutes mean",
    "minutes median",
    "branching",
    "first-moves",
    "comebacks",
    "settled median",
    "settled 90 %",
    "drama",
];

/// A 95 % interval holds the truth where each roll is seen twice; so it does not where games with
/// the same dice count as independent.
#[test]
fn intervals_of_games_with_dice_hold_the_truth() {
    let mut apart_held = (0, 0);
    let trial =
        Trial { kind: PlayerKind::Random, games: 60, judged: 0, seeds: 100, reference: 2_000 };
    for known in games().iter().filter(|known| known.text.contains("(chance")) {
        let [held, apart, _] = calibrate(known, trial);
        assert!(held.len() >= 12, "{held:?}");
        for (what, &found) in &held {
            // Of a hundred intervals at 95 %, 85 hold as good as always.
            assert!(share(found) >= 0.85, "{}: {what} {found:?}", known.title);
        }
        let (so, all) = apart["seat-advantage A"];
        apart_held = (apart_held.0 + so, apart_held.1 + all);
    }
    assert!(share(apart_held) < 0.9, "{apart_held:?} without clusters");
}

/// So do those of games that a search judges, and of first plies: every kind of interval.
#[test]
fn intervals_of_judged_games_hold_the_truth() {
    let mut kinds = Calibration::new();
    let kind = PlayerKind::Iterations(2);
    for known in [drawn(), hidden(), sum_of_dice()] {
        let trial = Trial { kind, games: 20, judged: 20, seeds: 40, reference: 600 };
        by_kind(&calibrate(&known, trial)[0], &mut kinds);
    }
    for kind in KINDS {
        let found = kinds.get(kind).copied().unwrap_or_else(|| panic!("{kind}: {kinds:?}"));
        // Of 40 intervals at 95 %, 34 hold as good as always, and of 120 a hundred and four.
        let least = if found.1 > 100 { 0.87 } else { 0.85 };
        assert!(share(found) >= least, "{kind} {found:?}");
    }
}

/// Plays games with each of some numbers of games a report, prints how their intervals hold, and adds
/// it up by kind; and how often sweeps find a difference where there is none.
fn published(games: &[Known], trials: &[Trial]) -> (Calibration, (u32, u32)) {
    let (mut kinds, mut swept) = (Calibration::new(), (0, 0));
    for known in games {
        for trial in trials {
            let [held, apart, wrong] = calibrate(known, *trial);
            let Trial { kind, games, seeds, .. } = trial;
            println!("{}, {kind}, {games} games, {seeds} seeds", known.title);
            for (what, &found) in &held {
                let before = share(apart.get(what).copied().unwrap_or(found));
                println!("  {what}: {:.1} % (before {:.1})", 100.0 * share(found), 100.0 * before);
            }
            by_kind(&held, &mut kinds);
            for (so, all) in wrong.into_values() {
                swept = (swept.0 + so, swept.1 + all);
            }
        }
    }
    println!("all of them, by kind:");
    for (kind, &found) in &kinds {
        println!("  {kind}: {:.1} % of {}", 100.0 * share(found), found.1);
    }
    println!("any difference in a sweep, wrongly: {swept:?}");
    (kinds, swept)
}

/// Tests that of every kind of interval 93 % hold, and that at most five of a hundred sweeps are
/// wrong, within two and a half standard errors.
#[track_caller]
fn are_calibrated((kinds, swept): (Calibration, (u32, u32))) {
    let error = |share: f64, all: u32| 2.5 * (share * (1.0 - share) / f64::from(all)).sqrt();
    let is_low = |found: &(u32, u32)| share(*found) < 0.93 - error(0.93, found.1);
    let low: Vec<_> = kinds.iter().filter(|(_, found)| is_low(found)).collect();
    assert!(low.is_empty(), "{low:#?}");
    assert!(share(swept) <= 0.05 + error(0.05, swept.1), "{swept:?}");
}

/// The same with more seeds; prints all figures.
///
/// With a thousand seeds each, of a roll of a hundred, a fair roll, the greater of two dice and an
/// advantage of the first player, in reports of 20 and 60 games, the intervals held: of scores 94.8 to
/// 98.8 %, of draws 92.2 to 100, of means of plies, turns and minutes, of choice and of the game tree
/// 94.0 to 100, of their quantiles 95.8 to 100, of what the dice decide 94.0 to 100. Of four such
/// reports, which do not differ, sweeps found a difference in 0 to 3.6 %.
#[test]
#[ignore = "takes minutes"]
fn intervals_of_many_reports_hold_the_truth() {
    let kind = PlayerKind::Random;
    let trial = |games| Trial { kind, games, judged: 0, seeds: 200, reference: 3_000 };
    are_calibrated(published(&games(), &[20, 60].map(trial)));
}

/// The same of games that a search judges; prints all figures.
#[test]
#[ignore = "takes minutes"]
fn intervals_of_many_judged_reports_hold_the_truth() {
    let kind = PlayerKind::Iterations(2);
    let trial = Trial { kind, games: 20, judged: 20, seeds: 200, reference: 1_000 };
    are_calibrated(published(&[drawn(), hidden(), sum_of_dice()], &[trial]));
}

/// What can be claimed of a game, and what a sentence says that claims it.
const CLAIMS: [(&str, &str); 11] = [
    ("a win by force", "ith best play, A wins"),
    ("First is ahead", "A is clearly ahead"),
    ("First is ahead", "Tree search finds A ahead"),
    ("Second is ahead", "B is clearly ahead"),
    ("Second is ahead", "Tree search finds B ahead"),
    ("depends on strength", "This depends on strength"),
    ("thinking gains", "twice the thinking still gains"),
    ("skill", "Skill tells"),
    ("families differ", "The two families of players differ"),
    ("misjudged", "misjudge who is ahead"),
    ("levels", "levels of play, each of whom beats the one below"),
];

/// Plays default playtests with this number of games of each pairing and searches of a few
/// iterations, and with the ladder of levels if `has_levels`. Returns how many of them make each claim,
/// and how many make any that is not among the true ones. The game is solved where it can be.
fn claims(
    known: &Known,
    games: u64,
    seeds: u64,
    truth: &[&str],
    has_levels: bool,
) -> (BTreeMap<&'static str, u32>, u32) {
    let (game, sources) = load(known);
    let wishes = Request { games: Some(games), seats: None, seed: 1, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    (plan.openings, plan.mirrored) = (0, 0);
    plan.exact = if known.text.contains("(chance") { 0 } else { plan.exact };
    plan.levels = plan.levels.filter(|_| has_levels);
    let ladder = plan.ladder();
    for pairing in &mut plan.pairings {
        for kind in pairing.seats.iter_mut().flatten() {
            let rung = ladder.iter().position(|own| own == kind);
            if let PlayerKind::Iterations(iterations) = kind {
                *iterations = rung.map_or(7, |rung| [1, 2, 4, 8][rung]);
            }
        }
        (pairing.games, pairing.judged, pairing.listened) = (games, 0, 0);
        pairing.written = games;
    }
    let (mut made, mut wrong) = (BTreeMap::new(), 0);
    for seed in 0..seeds {
        let results = played(Plan { seed: mix(6, seed), ..plan.clone() }, &game);
        let report = Report::new(&game, &sources, &results);
        let verdict = report.verdict.iter().map(|sentence| &sentence.text);
        let sentences: Vec<&String> = report.summary.iter().chain(verdict).collect();
        let says =
            |(_, text): &&(&str, &str)| sentences.iter().any(|sentence| sentence.contains(*text));
        let own: Vec<&str> = CLAIMS.iter().filter(says).map(|(claim, _)| *claim).collect();
        own.iter().for_each(|claim| *made.entry(*claim).or_default() += 1);
        wrong += u32::from(own.iter().any(|claim| !truth.contains(claim)));
    }
    (made, wrong)
}

/// Luck alone decides, with and without draws.
fn luck() -> [Known; 3] {
    [fair_roll(), two_dice(), sum_of_dice()]
}

/// Games of which some claims are true, and these claims. Of those that are not decided by dice, it is
/// true of weak players that the first (or the second) is ahead, though best play says otherwise, that
/// this depends on strength and that skill tells; but nobody finds the other ahead.
const DRAWN: [&str; 6] =
    ["First is ahead", "depends on strength", "thinking gains", "skill", "misjudged", "levels"];
const HIDDEN: [&str; 7] = [
    "a win by force",
    "Second is ahead",
    "depends on strength",
    "thinking gains",
    "skill",
    "misjudged",
    "levels",
];

/// Of a hundred reports of a fair game of luck, some five make any claim; those of a game that is
/// not fair say so, and those of a game that is solved say nothing else.
#[test]
fn verdicts_of_luck_claim_nothing() {
    let mut wrong = 0;
    for known in luck() {
        let (made, own) = claims(&known, 20, 20, &[], false);
        println!("{}: {own} of 20, {made:?}", known.title);
        wrong += own;
    }
    assert!(wrong <= 7, "{wrong} of 60 reports make a false claim");
    let (made, own) = claims(&biased_roll(), 60, 10, &["First is ahead"], false);
    assert!(own <= 2, "{own} of 10 reports make a false claim: {made:?}");
    assert!(made.get("First is ahead").is_some_and(|&said| said >= 5), "{made:?}");
    let (made, own) = claims(&drawn(), 20, 5, &DRAWN, false);
    assert!(own <= 1, "{own} of 5 reports of a draw make a false claim: {made:?}");
    let (made, own) = claims(&hidden(), 20, 5, &HIDDEN, false);
    assert!(own <= 1, "{own} of 5 reports of a hidden win make a false claim: {made:?}");
    assert_eq!(made.get("a win by force"), Some(&5), "{made:?}");
}

/// The same with more games and seeds, and with the ladder of levels; prints all figures.
#[test]
#[ignore = "takes minutes"]
fn verdicts_of_many_reports_claim_what_is_true() {
    for games in [20, 60] {
        let mut wrong = 0;
        for known in luck() {
            let (made, own) = claims(&known, games, 200, &[], true);
            println!(
                "{}, {games} games: {own} of 200 reports claim falsely; {made:?}",
                known.title
            );
            wrong += own;
        }
        // Five of a hundred, within two standard errors.
        assert!(wrong <= 41, "{wrong} of 600 reports make a false claim");
        for (known, truth) in [
            (biased_roll(), &["First is ahead"][..]),
            (drawn(), &DRAWN[..]),
            (hidden(), &HIDDEN[..]),
        ] {
            let (made, own) = claims(&known, games, 200, truth, true);
            println!(
                "{}, {games} games: {own} of 200 reports claim falsely; {made:?}",
                known.title
            );
            assert!(own <= 16, "{own} of 200 reports make a false claim");
        }
    }
}

/// Clusters of one leave a sample as it is; clusters of equal values leave one value of each.
#[test]
fn clusters_leave_what_is_independent() {
    let mut random = Random::new(3);
    let values: Vec<f64> = (0..40).map(|_| f64::from(random.below(10))).collect();
    let mut alone = Clusters::default();
    let mut twice = Clusters::default();
    for (number, &value) in (0..).zip(&values) {
        alone.add(value, 1, Some((0, number)));
        twice.add(value, 2, Some((0, number)));
    }
    assert_eq!(alone.independent_of_mean(), 1.0);
    assert_eq!(alone.independent_of_proportion(), 1.0);
    // Every value twice: the interval is that of the values once.
    let doubled: Vec<f64> = values.iter().flat_map(|&value| [value; 2]).collect();
    let found = mean_ci(&doubled).expect("a sample").of_independent(twice.independent_of_mean());
    let once = mean_ci(&values).expect("a sample");
    for (found, once) in [(found.low, once.low), (found.high, once.high)] {
        assert!((found - once).abs() < 1e-9, "{found} is not {once}");
    }
    // Half of the pairs are the same, worked out by hand: pairs 11, 00, 10, 10 around 0.5 have sums
    // of 1, -1, 0 and 0, so that the variance is 4/3 · 2 in place of 8/7 · 2 as if independent.
    let mut mixed = Clusters::default();
    for (pair, values) in (0..).zip([[1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]) {
        values.iter().for_each(|&value| mixed.add(value, 1, Some((1, pair))));
    }
    let effect = (4.0 / 3.0) / (8.0 / 7.0);
    let quantiles: f64 = 2.364_624_251 / 3.182_446_305;
    assert!((mixed.independent_of_mean() - quantiles * quantiles / effect).abs() < 1e-6);
    // Nothing says that games of one cluster are not the same.
    assert_eq!(mixed.independent_of_proportion(), 0.5);
    let mut single = Clusters::default();
    single.add(1.0, 3, Some((0, 0)));
    assert_eq!(
        (single.independent_of_mean(), single.independent_of_proportion()),
        (0.0, 1.0 / 3.0)
    );
}
