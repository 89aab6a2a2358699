//! Comparison of a playtest with playtests of other games.

use super::played;
use crate::support::{Variant, load, rules_file};
use ludwright::engine::game::Game;
use ludwright::language::sources::Sources;
use ludwright::measure::compared::{Compared, ComparedFigure, FEW, common_players, compare};
use ludwright::measure::statistics::{Estimate, proportion_ci, proportions_test, welch_test};
use ludwright::measure::{
    Batch, CostModel, Plan, Report, Request, Results, TrainingSummary, sweep, write,
};
use ludwright::playtests::Playtest;
use ludwright::random::mix;
use ludwright::search::PlayerKind;
use serde_json::{Value, json};
use std::path::Path;

/// A game with its rules.
struct Known {
    game: Game,
    sources: Sources,
}

impl Known {
    fn new(name: &str, options: &[(&str, &str)]) -> Known {
        let options =
            options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let game = load(&Variant { name: name.to_owned(), options, plies: 0 });
        Known { game, sources: ludwright::files::gather(&rules_file(name)).expect("its rules") }
    }

    fn plan(&self, kind: PlayerKind, games: u64, seed: u64) -> Plan {
        let start = self.game.begin().expect("a first position");
        let seats = Some(vec![kind; self.game.rules().players.len()]);
        let wishes = Request { games: Some(games), seats, seed, limited: false };
        let plan = Plan::new(&start, &self.sources, &wishes, &CostModel::of(&self.game));
        // What other tests train at the same time changes no player of these.
        let mut plan = Plan { judge: 2, exact: 0, counted: 1, training: None, ..plan };
        let pairing = &mut plan.pairings[0];
        (pairing.written, pairing.judged, pairing.listened) = (games, games.min(20), 0);
        plan
    }

    fn play(&self, plan: &Plan) -> Results {
        played(plan, &self.game)
    }

    fn random_games(&self, games: u64, seed: u64) -> Results {
        self.play(&self.plan(PlayerKind::Random, games, seed))
    }

    fn report<'r>(&'r self, results: &'r Results) -> Report<'r> {
        Report::new(&self.game, &self.sources, results)
    }
}

/// The distribution function of Student's t, by Simpson's rule over its density.
fn student(t: f64, freedom: f64) -> f64 {
    let density = |x: f64| (1.0 + x * x / freedom).powf(-(freedom + 1.0) / 2.0);
    // By the substitution x = u / (1 − u²), over all numbers and up to t.
    let integral = |to: f64| {
        let (from, steps) = (-1.0 + 1e-9, 20_000);
        let value = |u: f64| {
            let square = 1.0 - u * u;
            density(u / square) * (1.0 + u * u) / (square * square)
        };
        let width = (to - from) / f64::from(steps);
        let term = |step: i32| {
            let weight = match step {
                0 => 1.0,
                last if last == steps => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * value(from + width * f64::from(step))
        };
        (0..=steps).map(term).sum::<f64>() * width / 3.0
    };
    let at = if t == 0.0 { 0.0 } else { ((1.0 + 4.0 * t * t).sqrt() - 1.0) / (2.0 * t) };
    integral(at) / integral(1.0 - 1e-9)
}

/// The mean, the square of the standard error, and the number of values.
fn moments(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, squares / (n - 1.0) / n, n)
}

/// Welch's test, from the textbook.
fn welch((one, a, n): (f64, f64, f64), (other, b, m): (f64, f64, f64)) -> f64 {
    let freedom = (a + b).powi(2) / (a * a / (n - 1.0) + b * b / (m - 1.0));
    2.0 * student(-((one - other) / (a + b).sqrt()).abs(), freedom)
}

/// Yates's test with the quantiles of Student, for samples whose size their errors tell.
fn yates(one: &Estimate, other: &Estimate) -> f64 {
    let size = |own: &Estimate| {
        let error = |n: f64| {
            let added = (own.value * n + 1.0) / (n + 2.0);
            added * (1.0 - added) / (n + 2.0)
        };
        // By steps of a thousandth.
        let sizes = (1..400_000).map(|thousandths| f64::from(thousandths) / 1000.0);
        let off = |n: &f64| (error(*n) - own.error * own.error).abs();
        sizes.min_by(|one, other| off(one).total_cmp(&off(other))).expect("a size")
    };
    let (n, m) = (size(one), size(other));
    let all = (one.value * n + other.value * m + 1.0) / (n + m + 2.0);
    let error = (all * (1.0 - all) * (1.0 / (n + 2.0) + 1.0 / (m + 2.0))).sqrt();
    let apart = (one.value - other.value).abs() - (1.0 / n + 1.0 / m) / 2.0;
    if apart <= 0.0 { 1.0 } else { 2.0 * student(-apart / error, n + m - 2.0) }
}

/// Of samples of the same proportion, at most as many differ as the level says, in small samples
/// of different sizes and at the levels that Holm's correction needs. All samples are counted with
/// their probabilities.
#[test]
fn equal_proportions_differ_as_seldom_as_the_level_says() {
    let chances = |games: u64, share: f64| -> Vec<f64> {
        let mut chances = vec![(1.0 - share).powi(games as i32)];
        for so in 0..games {
            let odds = (games - so) as f64 / (so + 1) as f64 * share / (1.0 - share);
            chances.push(chances[so as usize] * odds);
        }
        chances
    };
    let of = |so: u64, games: u64| proportion_ci(so, games).expect("games");
    for (one, other) in [(15, 15), (15, 40), (15, 120), (40, 40)] {
        let all = (0..=one).flat_map(|a| (0..=other).map(move |b| (a, b)));
        let tests = all.map(|(a, b)| (a, b, proportions_test(&of(a, one), &of(b, other))));
        let tests: Vec<(u64, u64, f64)> = tests.collect();
        for (share, level) in
            [0.01, 0.05, 0.2, 0.5, 0.9].map(|share| [(share, 0.05), (share, 0.006)]).concat()
        {
            let (first, second) = (chances(one, share), chances(other, share));
            let wrong = tests.iter().filter(|(_, _, p)| *p <= level);
            let wrong: f64 = wrong.map(|(a, b, _)| first[*a as usize] * second[*b as usize]).sum();
            assert!(wrong <= level, "{one} and {other} games at {share}: {wrong} at {level}");
        }
    }
    // 3 of 40 and 16 of 40: the table of the books has χ² = 9.94 with Yates's correction.
    let p = proportions_test(&of(3, 40), &of(16, 40));
    assert!((0.001..0.004).contains(&p), "{p}");
}

fn figure<'c>(compared: &'c Compared, game: usize, measure: &str) -> &'c ComparedFigure {
    let mut own = compared.games[game].figures.iter().filter(|own| own.measure == measure);
    own.next().unwrap_or_else(|| panic!("{measure}: not compared"))
}

fn lengths(results: &Results) -> Vec<f64> {
    results.rows(0).map(|row| row.plies.len() as f64).collect()
}

/// The p-values are those of the tests as the books have them, corrected by Holm's rule as it is
/// defined.
#[test]
fn p_values_are_those_of_the_games() {
    let (one, other) = (Known::new("tic-tac-toe", &[]), Known::new("dodgem", &[]));
    let (own, second) = (one.random_games(40, 1), one.random_games(50, 2));
    let third = other.random_games(45, 3);
    let compared = compare(&one.report(&own), &[one.report(&second), other.report(&third)]);
    let all: Vec<&ComparedFigure> = compared.games.iter().flat_map(|game| &game.figures).collect();
    assert_eq!(all.len(), compared.tests);
    let raw = |own: &ComparedFigure| {
        let part = |figure: &ludwright::measure::report::Figure| {
            let own = figure.estimate;
            (own.value, own.error * own.error, own.sample as f64)
        };
        let is_mean = ["plies", "branching", "decisiveness", "forced"].contains(&own.measure);
        match own.own.estimate.error + own.other.estimate.error {
            _ if !is_mean => yates(&own.own.estimate, &own.other.estimate),
            0.0 => f64::from(u8::from(own.own.estimate.value == own.other.estimate.value)),
            _ => welch(part(&own.own), part(&own.other)),
        }
    };
    let raws: Vec<f64> = all.iter().map(|own| raw(own)).collect();
    for (own, p) in all.iter().zip(&raws) {
        let least = |one: &f64| raws.iter().filter(|other| *other >= one).count() as f64 * one;
        let holm = raws.iter().filter(|one| *one <= p).map(least).fold(0.0, f64::max).min(1.0);
        assert!((own.p - holm).abs() < 1e-6, "{}: {} and not {holm}", own.measure, own.p);
    }
    // The figures are those of the games.
    for (game, results) in [(0, &second), (1, &third)] {
        let found = figure(&compared, game, "plies");
        for (figure, results) in [(&found.own, &own), (&found.other, results)] {
            let (mean, square, n) = moments(&lengths(results));
            assert!((figure.estimate.value - mean).abs() < 1e-9);
            assert_eq!(figure.estimate.sample as f64, n);
            // Games that repeat others count for less.
            assert!(figure.estimate.error >= square.sqrt() * (1.0 - 1e-9));
        }
    }
    assert!(!figure(&compared, 0, "plies").differs());
    assert!(figure(&compared, 1, "plies").differs());
}

/// A sweep tests a figure as a comparison with another game does: every proportion and score by one
/// test, every mean by another, and no quantile or count.
#[test]
fn sweeps_test_figures_as_comparisons_do() {
    let (one, other) = (Known::new("tic-tac-toe", &[]), Known::new("dodgem", &[]));
    let (own, second) = (one.random_games(40, 1), other.random_games(25, 3));
    let reports = [one.report(&own), other.report(&second)];
    let measures: Vec<&[_]> = reports.iter().map(|report| &report.measures[..]).collect();
    let mut seen = [0; 3];
    for row in sweep::rows(&measures) {
        let [Some(own), Some(second)] = &row.figures[..] else { continue };
        let (own, second) = (&own.estimate, &second.estimate);
        let welch = [
            "branching",
            "game-tree",
            "drama",
            "lead-changes",
            "decisiveness",
            "uncertainty",
            "forced",
            "sites",
            "chance",
        ];
        let (kind, expected) = match (row.measure, row.what.as_str()) {
            (_, "median" | "5 %" | "90 %" | "95 %") | ("states", _) => (0, None),
            ("repetition", "plies") | (_, "mean") => (1, Some(welch_test(own, second))),
            (measure, _) if welch.contains(&measure) => (1, Some(welch_test(own, second))),
            _ => (2, Some(proportions_test(own, second))),
        };
        let tested = sweep::tested([&row].into_iter(), &[(0, 1)]);
        let p = tested.first().map(|difference| difference.p);
        assert_eq!(p, expected, "{} {}", row.measure, row.what);
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|seen| *seen >= 3), "{seen:?}");
}

/// Counts the comparisons of random games of the same game that claim a difference.
fn false_claims(known: &Known, games: (u64, u64), often: u64) -> u64 {
    // What is proven of recorded games takes long.
    let plan = |games: u64| {
        let mut plan = known.plan(PlayerKind::Random, games, 1);
        plan.pairings[0].written = 20;
        plan
    };
    let plans = (plan(games.0), plan(games.1));
    let claims = |number: &u64| {
        let play = |plan: &Plan, seed: u64| known.play(&Plan { seed, ..plan.clone() });
        let own = play(&plans.0, mix(5, 2 * number));
        let other = play(&plans.1, mix(5, 2 * number + 1));
        let compared = compare(&known.report(&own), &[known.report(&other)]);
        assert!(compared.tests > 4, "{compared:?}");
        compared.games[0].figures.iter().any(ComparedFigure::differs)
    };
    (0..often).filter(claims).count() as u64
}

#[test]
fn a_game_does_not_differ_from_itself() {
    assert_eq!(false_claims(&Known::new("tic-tac-toe", &[]), (30, 40), 6), 0);
    assert_eq!(
        false_claims(&Known::new("swarm", &[("Size", "4"), ("Cubes", "5")]), (40, 40), 2),
        0
    );
}

/// Of a hundred comparisons of a game with itself, at most five claim a difference.
#[test]
#[ignore = "takes minutes"]
fn comparisons_hold_their_error_rate() {
    for (name, options) in [
        ("tic-tac-toe", &[][..]),
        ("kitaran", &[("Size", "3")][..]),
        ("swarm", &[("Size", "4"), ("Cubes", "5")][..]),
        ("dodgem", &[][..]),
        ("three-player-tic-tac-toe", &[][..]),
    ] {
        let known = Known::new(name, options);
        for games in [(40, 40), (40, 120)] {
            let often = 100;
            let wrong = false_claims(&known, games, often);
            println!("{name} {games:?}: {wrong} of {often}");
            // More than 5 % at a level of 0.1 %.
            assert!(wrong <= 13, "{name} {games:?}: {wrong} of {often} claim a difference");
        }
    }
}

/// Random tic-tac-toe takes at most nine plies and one game in eight is drawn; Hex takes more than
/// fourteen on five by five cells and none is.
#[test]
fn known_differences_are_said() {
    let (one, other) = (Known::new("tic-tac-toe", &[]), Known::new("hex", &[("Size", "5")]));
    let (own, second) = (one.random_games(200, 1), other.random_games(150, 1));
    let report = one.report(&own).compared_with(&[other.report(&second)]);
    let compared = report.compared.as_ref().expect("a comparison");
    assert_eq!(compared.games[0].games, (200, 150));
    for text in [
        write::brief(&report, 1000),
        write::full(&report, 1000),
        write::html(&report),
        write::markdown(&report),
    ] {
        for said in [
            "Compared with Hex (Size=5)",
            "Both games were played by random players, which says little of good play: this one 200 times, Hex (Size=5) 150 times.",
            "Shorter than Hex (Size=5): 7.",
            "Less choice than in Hex (Size=5): ",
            "More drawish than Hex (Size=5): 1",
            "No significant difference is found in games without an end, ",
        ] {
            let text = text.replace('\\', "");
            assert!(text.contains(said), "{said}: {text}");
        }
    }
    // The other way round, it is the other way round.
    let report = other.report(&second).compared_with(&[one.report(&own)]);
    let text = write::brief(&report, 1000);
    assert!(text.contains("Longer than Tic-Tac-Toe: "), "{text}");
    assert!(text.contains("Less drawish than Tic-Tac-Toe: 0.0 % "), "{text}");
}

/// A report with a comparison is read as one without.
#[test]
fn the_comparison_is_no_part_of_the_games() {
    let known = Known::new("tic-tac-toe", &[]);
    let (own, other) = (known.random_games(20, 1), known.random_games(20, 2));
    let plain = write::json(&known.report(&own)).expect("JSON");
    assert_eq!(plain.get("compared_with"), None);
    let report = known.report(&own).compared_with(&[known.report(&other), known.report(&other)]);
    let mut json = write::json(&report).expect("JSON");
    assert_eq!(write::read(&json.to_string()).expect("a report"), own);
    let removed = json.as_object_mut().and_then(|json| json.remove("compared_with"));
    let removed = removed.expect("a comparison");
    assert_eq!(json, plain);
    // Names that are the same are numbered.
    let names = removed["games"].as_array().into_iter().flatten().map(|game| &game["game"]);
    assert_eq!(names.collect::<Vec<_>>(), ["Tic-Tac-Toe [2]", "Tic-Tac-Toe [3]"]);
}

#[test]
fn too_few_games_claim_nothing() {
    let (one, other) = (Known::new("tic-tac-toe", &[]), Known::new("dodgem", &[]));
    let (own, second) = (one.random_games(FEW - 1, 1), other.random_games(200, 1));
    let compared = compare(&one.report(&own), &[other.report(&second)]);
    assert_eq!((compared.tests, &compared.games[0].player), (0, &None));
    // However often greedy players repeat a game, it is one.
    let greedy = one.play(&one.plan(PlayerKind::Greedy, 100, 1));
    let variety = greedy.independent_games(0);
    let compared = compare(&one.report(&greedy), &[one.report(&greedy)]);
    assert_eq!(compared.games[0].player.is_some(), variety >= FEW as f64, "{variety}");
}

/// Where the strongest repeat themselves, weaker ones are compared, and the report says so.
#[test]
fn players_who_repeat_themselves_are_passed_over() {
    let known = Known::new("tic-tac-toe", &[]);
    let mut plan = known.plan(PlayerKind::Random, 20, 1);
    plan.pairings.extend(known.plan(PlayerKind::Iterations(2000), 16, 1).pairings);
    let results = known.play(&plan);
    assert!(results.independent_games(1) < FEW as f64);
    let report = known.report(&results).compared_with(&[known.report(&results)]);
    let compared = report.compared.as_ref().expect("a comparison");
    assert_eq!(compared.games[0].player.as_deref(), Some("random"));
    assert_eq!(compared.games[0].stronger, ["mcts:2000it"]);
    let text = write::brief(&report, 1000);
    assert!(text.contains(" Too few games of mcts:2000it neither repeat each other "), "{text}");
}

/// What means something else in the other game is not compared.
#[test]
fn measures_are_compared_where_they_mean_the_same() {
    let (one, other) =
        (Known::new("tic-tac-toe", &[]), Known::new("three-player-tic-tac-toe", &[]));
    let (own, second) = (one.random_games(40, 1), other.random_games(40, 1));
    let compared = compare(&one.report(&own), &[other.report(&second)]);
    assert_eq!(compared.games[0].other_players, ["comebacks", "seat-advantage"]);
    assert!(compared.games[0].figures.iter().any(|own| own.measure == "decisiveness"));
    let plan = Plan { judge: 3, ..one.plan(PlayerKind::Random, 40, 2) };
    let third = one.play(&plan);
    let compared = compare(&one.report(&own), &[one.report(&third)]);
    assert_eq!(compared.games[0].other_judge, ["decisiveness", "comebacks"]);
    assert!(compared.games[0].figures.iter().all(|own| own.measure != "comebacks"));
}

/// Games are compared by players who are exactly the same, the strongest of them first.
#[test]
fn only_the_same_players_are_compared() {
    let known = Known::new("tic-tac-toe", &[]);
    let of = |kind: PlayerKind| known.plan(kind, 20, 1);
    let all = [
        PlayerKind::Random,
        PlayerKind::Greedy,
        PlayerKind::Iterations(20),
        PlayerKind::Iterations(30),
        PlayerKind::StrongIterations(20),
    ];
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))) {
        let common = common_players(&of(one), &of(other));
        assert_eq!(common, if one == other { vec![one] } else { vec![] }, "{one} and {other}");
    }
    let second = std::time::Duration::from_secs(1);
    for kind in [PlayerKind::Learned, PlayerKind::Time(second), PlayerKind::StrongTime(second)] {
        assert_eq!(common_players(&of(kind), &of(kind)), [], "{kind}");
    }
    // A training changes how it plays.
    let strong = of(PlayerKind::StrongIterations(20));
    let training = TrainingSummary {
        method: "mcts".to_owned(),
        exploration: None,
        games: 1,
        score: 0.5,
        of: 1,
        fingerprint: String::new(),
    };
    let trained = Plan { training: Some(training), ..strong.clone() };
    assert_eq!(common_players(&strong, &trained), []);
    // Players who are not equal say nothing of another game.
    let mut uneven = of(PlayerKind::Random);
    uneven.pairings[0].seats[0][1] = PlayerKind::Greedy;
    assert_eq!(common_players(&uneven, &uneven), []);
    let mut several = of(PlayerKind::Random);
    several.pairings.extend(of(PlayerKind::Iterations(30)).pairings);
    several.pairings.extend(of(PlayerKind::Iterations(20)).pairings);
    let kinds = [PlayerKind::Iterations(30), PlayerKind::Iterations(20), PlayerKind::Random];
    assert_eq!(common_players(&several, &several), kinds);
}

/// The plan for another game has the same players, as many games and the same judge.
#[test]
fn another_game_is_played_alike() {
    let (one, other) =
        (Known::new("tic-tac-toe", &[]), Known::new("three-player-tic-tac-toe", &[]));
    let start = one.game.begin().expect("a first position");
    let default = Plan::new(
        &start,
        &one.sources,
        &Request { games: Some(30), seats: None, seed: 1, limited: false },
        &CostModel::of(&one.game),
    );
    let (first, effort) = (other.game.begin().expect("a position"), CostModel::of(&other.game));
    let plan = default.for_comparison(&first, &other.sources, &effort, 9).expect("a plan");
    assert_eq!((plan.check(), plan.seed, plan.judge), (Ok(()), 9, default.judge));
    assert_eq!(common_players(&default, &plan).len(), 5);
    assert!(
        plan.pairings.iter().all(|own| own.games == 30 && own.seats == [vec![own.seats[0][0]; 3]])
    );
    assert!(
        plan.batches().iter().all(|batch| *batch == Batch::Census || batch.pairing().is_some())
    );
    let mut uneven = one.plan(PlayerKind::Random, 20, 1);
    uneven.pairings[0].seats[0][1] = PlayerKind::Greedy;
    assert_eq!(uneven.for_comparison(&first, &other.sources, &effort, 9), None);
}

/// What is no whole report of this program is refused before the game is played.
#[test]
fn other_files_are_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compared");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let known = Known::new("tic-tac-toe", &[]);
    let results = known.random_games(20, 1);
    let whole = write::json(&known.report(&results)).expect("JSON");
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut report = whole.clone();
        change(&mut report);
        report.to_string()
    };
    let lots = |report: &mut Value, keep: usize| {
        let lots = report["played"]["lots"].as_array_mut().expect("batches");
        lots.truncate(keep);
    };
    let cases = [
        ("no.json", String::new(), "it is not a JSON report"),
        ("list.json", "[1, 2]".to_owned(), "it is not a JSON report"),
        ("other.json", "{}".to_owned(), "it is not a report of a playtest"),
        // A report is known by how it begins.
        ("report", changed(&|report| report["version"] = json!(99)), "it has version 99"),
        ("cut.json", whole.to_string()[..5000].to_owned(), "it is not a JSON report"),
        ("stopped.json", changed(&|report| lots(report, 4)), "its playtest was stopped after 4 of"),
        ("empty.json", changed(&|report| lots(report, 1)), "its playtest was stopped after 1 of"),
        (
            "part.json",
            changed(&|report| {
                lots(report, 3);
                report["shard"] = json!({ "part": 1, "of": 4 });
            }),
            "it is part 1 of 4 of a playtest",
        ),
        (
            "older.json",
            changed(&|report| report["program"] = json!("0.0.1")),
            "it was played by another version of the program",
        ),
        (
            "strange.json",
            changed(&|report| report["played"]["lots"][2]["rows"][0]["pairing"] = json!(7)),
            "its games do not match its plan",
        ),
        (
            "nobody.json",
            changed(&|report| {
                report["played"]["plan"]["pairings"] = json!([]);
                lots(report, 1);
            }),
            "it has no games",
        ),
    ];
    for (name, text, why) in cases {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        let path = path.to_string_lossy();
        let seats = ["--seat", "X=random", "--seat", "O=random", "--games", "2"];
        let game = ["playtest", "tests/games/tic-tac-toe.game", "--compare-with", &path];
        let output = crate::cli::run(&[&game[..], &seats].concat(), "");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {told}");
        assert!(told.contains(why), "{name}: {told}");
        assert!(output.stdout.is_empty(), "{name}: it was played");
    }
}

/// The library compares games as `ludwright playtest` does, with the same words and figures.
#[test]
fn the_library_compares_games_and_leaves_out_rules_as_the_program_does() {
    let file = rules_file("tic-tac-toe");
    let game = ludwright::Game::from_file(&file, &[]).expect("a game");
    let other = ludwright::Game::named("kitaran", &[("Size", "3")]).expect("a game");
    let playtest = Playtest::new().games(30).seats(&["random", "random"]);
    let compared = playtest.clone().compare_with(std::slice::from_ref(&other)).leave_out();
    let report = compared.threads(2).run(&game).expect("a report");
    let written = tempfile::tempdir().expect("a folder");
    let output = written.path().join("report.json");
    let done = std::process::Command::new(env!("CARGO_BIN_EXE_ludwright"))
        .args(["playtest", "--seat", "X=random", "--seat", "O=random", "--games", "30", "--anew"])
        .args(["--compare-with", "kitaran", "--other", "Size=3", "--leave-out"])
        .arg("-O")
        .arg(&output)
        .arg(&file)
        .output();
    let done = done.expect("it runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(&output).expect("a report");
    let program: Value = serde_json::from_str(&text).expect("JSON");
    let own: Value = serde_json::from_str(&report.json()).expect("JSON");
    assert_eq!(own["compared_with"], program["compared_with"]);
    assert_eq!(own["leave_out"], program["leave_out"]);
    assert!(own["leave_out"]["rules"].as_array().is_some_and(|rules| rules.len() > 2));
    assert_eq!(report.omissions().expect("enough games").len(), 3);
    assert_eq!(report.comparisons()[0].games, (30, 30));
    let refused = |playtest: Playtest| playtest.run(&game).expect_err("an error").to_string();
    assert!(refused(playtest.clone().leave_out().shard(1, 2)).starts_with("only a whole playtest"));
    let mixed = playtest.seats(&["random", "greedy"]).compare_with(&[other]);
    assert!(refused(mixed).starts_with("the same players do not meet as equals"));
}
