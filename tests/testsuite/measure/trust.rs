//! How far a report trusts its players: trends over strength, two families, what is known exactly,
//! and blunders, on made-up figures and on small games that are solved.

use ludwright::engine::game::Game;
use ludwright::language::sources::Sources;
use ludwright::measure::report::{Agreement, Balance, Report, balance, compare};
use ludwright::measure::statistics::{
    Estimate, Scores, homogeneity, mean_ci, proportion_ci, weighted_trend,
};
use ludwright::measure::{
    Batch, BoardGames, CostModel, Effort, Ending, ExactValue, GameRow, LatePlies, Pairing, Plan,
    Played, Request, Results, SolvedBoard, Tally, TrainingSummary,
};
use ludwright::random::{Random, mix};
use ludwright::search::PlayerKind;

fn near(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} is not {expected}");
}

fn won(wins: u64, games: u64) -> Estimate {
    proportion_ci(wins, games).expect("games")
}

#[test]
fn a_ladder_that_rises_has_a_slope() {
    // Equal errors: the slope is that of plain least squares, 0.1, and its variance error² / Σ(x − 2.5)².
    let point = |at: f64, value: f64| {
        (at, Estimate { low: 0.0, high: 1.0, error: 0.05, ..Estimate::count(value, 100) })
    };
    let points = [point(1.0, 0.3), point(2.0, 0.45), point(3.0, 0.45), point(4.0, 0.65)];
    let trend = weighted_trend(&points).expect("a trend");
    near(trend.slope.value, (-1.5 * 0.3 - 0.5 * 0.45 + 0.5 * 0.45 + 1.5 * 0.65) / 5.0, 1e-12);
    near(trend.slope.error, 0.05 / 5_f64.sqrt(), 1e-12);
    assert_eq!(trend.slope.sample, 400);
    // z = 0.105 / 0.02236 = 4.696.
    assert!(trend.p < 1e-5, "{}", trend.p);
    // A point with a large error hardly counts.
    let doubtful = (5.0, Estimate { high: 1.0, error: 50.0, ..Estimate::count(0.0, 2) });
    let same = weighted_trend(&[&points[..], &[doubtful]].concat()).expect("a trend");
    near(same.slope.value, trend.slope.value, 1e-4);
}

#[test]
fn a_flat_ladder_has_none_nineteen_times_in_twenty() {
    let wins = |random: &mut Random| (0..60).filter(|_| random.below(2) == 0).count() as u64;
    let ladders = 2_000;
    let found = (0..ladders).filter(|&number| {
        let mut random = Random::new(mix(5, number));
        let points: Vec<(f64, Estimate)> =
            (0..4).map(|rung| (f64::from(rung), won(wins(&mut random), 60))).collect();
        weighted_trend(&points).expect("a trend").p <= 0.05
    });
    let share = found.count() as f64 / ladders as f64;
    assert!((0.03..0.065).contains(&share), "{share}");
}

#[test]
fn a_noisy_ladder_has_none_although_its_ends_differ() {
    let points = [(1.0, won(4, 10)), (2.0, won(7, 10)), (3.0, won(3, 10)), (4.0, won(6, 10))];
    let trend = weighted_trend(&points).expect("a trend");
    assert!(trend.p > 0.4 && trend.slope.low < 0.0 && trend.slope.high > 0.0, "{trend:?}");
}

#[test]
fn estimates_without_error_are_taken_as_they_are() {
    let certain = |value: f64| mean_ci(&[value, value, value]).expect("a sample");
    let flat = [(1.0, certain(9.0)), (2.0, certain(9.0)), (3.0, certain(9.0))];
    assert_eq!(weighted_trend(&flat).map(|trend| (trend.slope.value, trend.p)), Some((0.0, 1.0)));
    let rising = [(1.0, certain(7.0)), (2.0, certain(8.0)), (3.0, certain(9.0))];
    assert_eq!(weighted_trend(&rising).map(|trend| (trend.slope.value, trend.p)), Some((1.0, 0.0)));
    // One of them has the smallest error of the others.
    let mixed = [(1.0, certain(9.0)), (2.0, mean_ci(&[8.0, 10.0]).expect("a sample")), flat[2]];
    near(weighted_trend(&mixed).expect("a trend").slope.error, 1.0 / 2_f64.sqrt(), 1e-12);
    assert_eq!(weighted_trend(&flat[..2]), None);
    assert_eq!(weighted_trend(&[flat[0]; 3]), None);
}

fn scores(wins: u64, losses: u64) -> Vec<Estimate> {
    let scores = |wins, losses| Scores { wins, draws: 0, losses, shared: 0 }.estimate(2);
    [scores(wins, losses), scores(losses, wins)].into_iter().flatten().collect()
}

#[test]
fn families_agree_only_where_both_say_the_same() {
    assert_eq!(balance(&scores(70, 30)), Balance::Ahead(0));
    assert_eq!(balance(&scores(30, 70)), Balance::Ahead(1));
    assert_eq!(balance(&scores(500, 500)), Balance::Close);
    assert_eq!(balance(&scores(11, 9)), Balance::Open);
    let both = |one: (u64, u64), other: (u64, u64)| {
        compare(&scores(one.0, one.1), &scores(other.0, other.1))
    };
    assert_eq!(both((70, 30), (95, 5)), Agreement::Both(Balance::Ahead(0)));
    assert_eq!(both((500, 500), (510, 490)), Agreement::Both(Balance::Close));
    assert_eq!(both((11, 9), (9, 11)), Agreement::Both(Balance::Open));
    // One finds a player ahead, the other does not know.
    assert_eq!(both((62, 38), (11, 9)), Agreement::Neither);
    let Agreement::Differ(p) = both((70, 30), (30, 70)) else { panic!("they differ") };
    assert!(p < 1e-6, "{p}");
    // 70 of 100 and close to even differ as well.
    assert!(matches!(both((70, 30), (500, 500)), Agreement::Differ(_)));
}

const RULES: &str = r#"(game "Fill" (players White Black) (option Size (range 2 3) 3 "Sites along each side.")
  (board (square Size)) (piece Stone)
  (move drop (to t (empty)) (put Stone t))
  (play (turns (choose drop)))
  (end (if (none (empty)) (win mover))))"#;

fn fill() -> (Game, Sources) {
    let sources = Sources::named("fill.game", RULES);
    (ludwright::load(&sources, &[]).unwrap_or_else(|rejected| panic!("{rejected}")), sources)
}

/// A default plan with 60 games of each pairing and a second family of players, without what plays
/// no games.
fn plan(game: &Game, sources: &Sources) -> Plan {
    let wishes = Request { games: Some(60), seats: None, seed: 1, limited: false };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, sources, &wishes, &CostModel::of(game));
    (plan.openings, plan.mirrored, plan.exact) = (0, 0, 0);
    plan.training = Some(TrainingSummary {
        method: "alpha-beta".to_owned(),
        exploration: None,
        games: 1_000,
        score: 30.0,
        of: 40,
        fingerprint: "0".to_owned(),
    });
    let trained = PlayerKind::StrongIterations(500);
    let even = plan.pairings[4].clone();
    plan.pairings.push(Pairing { seats: vec![vec![trained; 2]], ..even });
    plan
}

/// Fills a plan with games: `wins` says how many of 60 games White, or the challenger, wins of each
/// pairing.
fn filled(plan: Plan, wins: impl Fn(usize) -> u64) -> Results {
    let mut results = Results::new(plan.clone());
    for (lot, batch) in plan.batches().into_iter().enumerate() {
        let mut played = Played::empty(lot);
        match batch {
            Batch::Census => played.census = Some(ludwright::measure::StateCount::Many),
            Batch::Light { games, .. } => {
                played.tallies = vec![Tally { ending: Ending::Win(0), plies: 9, games }];
            }
            Batch::Written { pairing, first, games } => {
                let row = |game: u64| {
                    let described = &plan.pairings[pairing];
                    let challenger = described.challenger;
                    let seat = described
                        .arrangement(game)
                        .iter()
                        .position(|kind| challenger.is_none_or(|challenger| challenger == *kind));
                    let seat = seat.unwrap_or(0) as u16;
                    // Spread over the seatings.
                    let is_won = game * wins(pairing) / 60 != (game + 1) * wins(pairing) / 60;
                    row(pairing, game, if is_won { seat } else { 1 - seat })
                };
                played.rows = (first..first + games).map(row).collect();
            }
            _ => continue,
        }
        results.add(vec![played]).expect("it is of the plan");
    }
    results
}

fn row(pairing: usize, game: u64, winner: u16) -> GameRow {
    let plies = if game.is_multiple_of(2) { 8 } else { 10 };
    GameRow {
        pairing,
        game,
        ending: Ending::Win(winner),
        plies: vec!["drop a1".to_owned(); plies],
        movers: vec![0; plies],
        legal: vec![2; plies],
        sites: Vec::new(),
        states: "0123456789abcdef".repeat(plies + 1),
        fingerprint: String::new(),
        chances: Vec::new(),
        clauses: None,
        listened: 0,
        late: LatePlies { plies: 2, blunders: u32::from(pairing == 1) },
        puzzles: Vec::new(),
        recycled: u64::from(pairing == 4),
        effort: Effort::default(),
    }
}

fn verdict(game: &Game, sources: &Sources, results: &Results) -> Vec<String> {
    let report = Report::new(game, sources, results);
    report.verdict.iter().map(|sentence| sentence.text.clone()).collect()
}

fn summary(game: &Game, sources: &Sources, results: &Results) -> Vec<String> {
    Report::new(game, sources, results).summary
}

fn contains(verdict: &[String], sentence: &str) {
    assert!(verdict.iter().any(|own| own == sentence), "{sentence}\n\nis not in\n{verdict:#?}");
}

/// A figure that moves up and down has no trend, and depends on strength all the same.
#[test]
fn figures_that_go_up_and_down_depend_on_strength() {
    let (game, sources) = fill();
    let results = filled(plan(&game, &sources), |pairing| match pairing {
        1 | 4 => 36,
        2 => 20,
        3 => 42,
        _ => 30,
    });
    contains(
        &verdict(&game, &sources, &results),
        "This depends on strength: the score of White moves up and down: 60 % (beginner), 33 % (club), 70 % (strong) and 60 % (strongest), p = 0.008.",
    );
}

/// Of equal shares, one test in twenty says that they differ.
#[test]
fn the_test_of_equal_shares_keeps_its_error_rate() {
    let mut random = Random::new(5);
    let mut found = 0;
    for _ in 0..2_000 {
        let share = |_| {
            let won = (0..60).filter(|_| random.below(10) < 3).count();
            proportion_ci(won as u64, 60).expect("a sample")
        };
        let shares: Vec<Estimate> = (0..4).map(share).collect();
        found += u32::from(homogeneity(&shares).is_some_and(|p| p <= 0.05));
    }
    assert!((70..=140).contains(&found), "{found} of 2,000");
}

#[test]
fn families_that_differ_leave_no_verdict() {
    let (game, sources) = fill();
    let plan = plan(&game, &sources);
    // White scores less the stronger the players are; trained players see it the other way round.
    let trained = plan.pairings.len() - 1;
    let results = filled(plan, |pairing| match pairing {
        1 => 48,
        2 => 40,
        3 => 30,
        4 => 18,
        5 | 6 => 55,
        7 => 45,
        other if other == trained => 42,
        _ => 30,
    });
    let told = verdict(&game, &sources, &results);
    contains(
        &told,
        "The two families of players differ, so there is no verdict on who is ahead: Black scores 70 % (95 % interval 57–80, 60 games) between two strongest players, and 30 % (95 % interval 20–43, 60 games) between two trained players (p < 0.001).",
    );
    contains(
        &told,
        "This depends on strength: the score of White falls from 80 % (beginner) to 30 % (strongest), p < 0.001.",
    );
    contains(
        &told,
        "All this is provisional, since twice the thinking still gains: the strongest player scores 75 % (95 % interval 63–84, 60 games) against one with half its iterations. Nothing is said about players who think longer than 8,000 iterations per ply.",
    );
    contains(
        &told,
        "Late in the game, where the result can be proven and given away, players give it away with 50 % (beginner), 0 % (club), 0 % (strong), 0 % (strongest) and 0 % (trained) of their plies (at least 120 plies each, which 2,000 positions are enough to prove).",
    );
    let report = Report::new(&game, &sources, &results);
    assert_eq!(
        report.summary,
        [
            "Who is ahead is not known, since two families of players differ.",
            "A game takes 9 plies (4.5 minutes) and none is drawn.",
            "Nothing was found against it.",
        ]
    );
    assert!(
        report.remarks().iter().any(|remark| remark.starts_with("In 60 of ")
            && remark.contains("the memory of a search was full (32 MB)")),
        "{:?}",
        report.remarks()
    );
}

#[test]
fn families_that_agree_make_a_verdict() {
    let (game, sources) = fill();
    let mut plan = plan(&game, &sources);
    let results = filled(plan.clone(), |pairing| if pairing == 7 { 31 } else { 45 });
    let told = verdict(&game, &sources, &results);
    contains(
        &told,
        "White is clearly ahead with both families of players: White scores 75 % (95 % interval 63–84, 60 games) between two strongest players, and 75 % (95 % interval 63–84, 60 games) between two trained players.",
    );
    contains(
        &told,
        "Nothing is found to depend on strength from 64 to 8,000 iterations per ply: the score of White, the share of draws and the length show no significant change.",
    );
    assert!(
        told.iter().any(|text| text.starts_with(
            "All this is provisional, since twice the thinking may still gain: the strongest player scores 52 %"
        )),
        "{told:#?}"
    );
    assert_eq!(
        summary(&game, &sources, &results),
        [
            "Between two strongest players, White is clearly ahead and scores 75 %.",
            "A game takes 9 plies (4.5 minutes) and none is drawn.",
            "Nothing else was found against it.",
        ]
    );
    // Without a second family, the report says so.
    plan.pairings.pop();
    plan.training = None;
    let told = verdict(&game, &sources, &filled(plan, |_| 45));
    contains(
        &told,
        "Tree search finds White ahead: between two strongest players, White scores 75 % (95 % interval 63–84, 60 games). That is no verdict, which takes two families of players: no training is kept.",
    );
}

/// The summary names one fault, the greatest, and claims no more than the verdict.
#[test]
fn a_summary_names_the_greatest_fault() {
    let (game, sources) = fill();
    let plan = plan(&game, &sources);
    let filled = |wins: u64| filled(plan.clone(), |_| wins);
    let last = |results: &Results| summary(&game, &sources, results).pop().expect("a sentence");
    let mut results = filled(30);
    // Stronger players win as often as others, which 60 games do not show to be little.
    assert_eq!(last(&results), "Nothing was found against it.");
    let rows = |results: &mut Results, change: &dyn Fn(&mut GameRow)| {
        results.lots.iter_mut().flat_map(|lot| &mut lot.rows).for_each(change);
    };
    rows(&mut results, &|row| row.legal[1..].fill(1));
    assert_eq!(last(&results), "Against it: players have no choice at 89 % of their plies.");
    // Settled after two of eight or ten plies.
    rows(&mut results, &|row| {
        let winner = if row.ending == Ending::Win(0) { 1_000 } else { 0 };
        row.chances = vec![vec![0, 500, 500], vec![2, winner, 1_000 - winner]];
    });
    assert_eq!(last(&results), "Against it: half of the games are settled by 20 % of their plies.");
    let strongest = results.strongest_equals().expect("a pairing").0;
    rows(&mut results, &|row| {
        let is_drawn = row.pairing == strongest && row.game < 50;
        row.ending = if is_drawn { Ending::Draw } else { row.ending };
    });
    assert_eq!(last(&results), "Against it: most games are drawn.");
    rows(&mut results, &|row| {
        row.ending = if row.game < 6 { Ending::TooLong } else { row.ending };
    });
    assert_eq!(last(&results), "Against it: 10 % of games do not end.");
    // Without fault but for the advantage.
    assert_eq!(last(&filled(45)), "Nothing else was found against it.");
    // What the interval shows and all tests together do not, is not claimed: 39 of 60.
    let mut alone = plan.clone();
    (alone.training, alone.pairings) = (None, plan.pairings[..plan.pairings.len() - 1].to_vec());
    let mut close = self::filled(alone, |_| 30);
    rows(&mut close, &|row| {
        let is_own = row.pairing == strongest && row.game < 18;
        row.ending = if is_own { Ending::Win(0) } else { row.ending };
    });
    assert_eq!(
        summary(&game, &sources, &close)[0],
        "Between two strongest players, no side is clearly ahead: White scores 65 % in 60 games."
    );
}

/// Players who repeat two games sixty times have said little.
#[test]
fn games_that_are_repeated_count_little() {
    let (game, sources) = fill();
    let plan = plan(&game, &sources);
    let trained = plan.pairings.len() - 1;
    let mut results = filled(plan, |_| 45);
    for row in results.lots.iter_mut().flat_map(|lot| &mut lot.rows) {
        let number = if row.pairing == trained { row.game % 2 } else { row.game };
        row.fingerprint = format!("{number:016x}");
        row.legal[0] = 2 + (row.game % 2) as u32;
        row.chances = vec![vec![0, 400, 600]];
    }
    let variety = results.variety(trained);
    assert_eq!((variety.games, variety.different), (60, 2));
    near(variety.independent, 2.0 / 60.0, 1e-12);
    near(results.variety(1).independent, 1.0, 1e-12);
    let told = verdict(&game, &sources, &results);
    contains(
        &told,
        "No player is clearly ahead with both families of players: White scores 75 % (95 % interval 63–84, 60 games) between two strongest players, and 75 % (95 % interval 20–97, 60 games) between two trained players.",
    );
    let remarks = Report::new(&game, &sources, &results).remarks();
    let repeated = "60 of trained against itself are 2 different ones, which count as 2";
    assert!(remarks.iter().any(|remark| remark.contains(repeated)), "{remarks:#?}");
    let report = Report::new(&game, &sources, &results);
    let reach = |key: &str, pairing: usize| {
        let who = results.plan.pairings[pairing].name(&results.plan.players);
        let figure = report.measure(key).and_then(|measure| measure.figure("", &who));
        figure.map(|figure| figure.estimate.high - figure.estimate.value).expect("a figure")
    };
    for key in ["branching", "game-tree", "drama"] {
        near(reach(key, trained), 30_f64.sqrt() * reach(key, 1), 1e-9);
    }
    // Four strengths with 60 games that differ, and two games thirty times each.
    let all = Scores { wins: 5 * 45, draws: 0, losses: 5 * 15, shared: 0 };
    let expected = all.estimate_of_independent(2, 300.0 / (240.0 + 2.0 * 900.0));
    let first = report.measure("first-moves").and_then(|measure| measure.figure("drop a1", ""));
    assert_eq!(first.map(|figure| figure.estimate), expected);
}

#[test]
fn players_who_misjudge_a_solved_board_are_named() {
    let (game, sources) = fill();
    let mut plan = plan(&game, &sources);
    (plan.exact, plan.levels) = (1, None);
    let lot = plan.batches().len() - 1;
    let mut results = filled(plan, |_| 30);
    let games = |iterations: u64, wins: u64| BoardGames {
        kind: PlayerKind::Iterations(iterations),
        wins: vec![wins, 40 - wins],
        draws: 0,
        unfinished: 0,
    };
    let board = SolvedBoard {
        options: vec![("Size".to_owned(), "2".to_owned())],
        value: ExactValue::Win(1),
        plies: Some(4),
        optimal: 4,
        first: 4,
        positions: 16,
        tabulated: true,
        first_plies: Vec::new(),
        games: vec![games(64, 30), games(320, 20), games(1_600, 10), games(8_000, 0)],
    };
    results
        .add(vec![Played { exact: vec![board.clone()], ..Played::empty(lot) }])
        .expect("it is of the plan");
    // What is known of a smaller board comes last.
    let told = verdict(&game, &sources, &results);
    assert_eq!(
        told.last().map(String::as_str),
        Some(
            "Exactly: on the smaller board Size=2, with best play, Black wins in 4 plies; the whole game is too large to solve here. Games there between equal players end so in 25 % (beginner, 40 games), 50 % (club, 40 games), 75 % (strong, 40 games) and 100 % (strongest, 40 games). Beginner players misjudge who is ahead."
        )
    );
    assert!(told.iter().any(|text| text.starts_with("All this is provisional")), "{told:#?}");
    // Where best play is a draw, those who win as often with either side misjudge nobody.
    let games = vec![games(64, 20), games(320, 30), games(1_600, 8), games(8_000, 21)];
    let drawn = SolvedBoard { value: ExactValue::Draw, games, ..board.clone() };
    let mut others = Results::new(results.plan.clone());
    others
        .add(vec![Played { exact: vec![drawn], ..Played::empty(lot) }])
        .expect("it is of the plan");
    let told = verdict(&game, &sources, &others).pop().expect("a sentence");
    assert!(told.ends_with("Club and strong players misjudge who is ahead."), "{told}");
    // Nothing is provisional where the game itself is solved, and best play is what is said first.
    let mut solved = Results::new(results.plan.clone());
    let whole = SolvedBoard { options: Vec::new(), games: Vec::new(), ..board.clone() };
    solved.lots.clone_from(&results.lots);
    solved.lots.pop();
    solved
        .add(vec![Played { exact: vec![whole], ..Played::empty(lot) }])
        .expect("it is of the plan");
    let told = verdict(&game, &sources, &solved);
    assert!(told[0].starts_with("Exactly: with best play, Black wins in 4 plies."), "{told:#?}");
    assert!(!told.iter().any(|text| text.contains("provisional")), "{told:#?}");
    assert!(
        told.iter().any(|text| text.starts_with("Twice the thinking is not seen to gain:")),
        "{told:#?}"
    );
    let spoilt = SolvedBoard { value: ExactValue::Win(2), ..board };
    assert!(
        Results::new(results.plan.clone())
            .add(vec![Played { exact: vec![spoilt], ..Played::empty(lot) }])
            .is_err()
    );
}

/// One interval in twenty does not hold an equal score: that alone is no claim.
#[test]
fn a_report_of_many_tests_claims_what_holds_for_all_of_them() {
    let (game, sources) = fill();
    let mut plan = plan(&game, &sources);
    plan.pairings.pop();
    plan.training = None;
    // 38 of 60: 63 %, from 51 to 74 %, with p = 0.039 by itself.
    let results = filled(plan, |pairing| match pairing {
        4..=7 => 38,
        _ => 30,
    });
    let told = verdict(&game, &sources, &results);
    contains(
        &told,
        "Tree search finds no player clearly ahead: between two strongest players, White scores 63 % (95 % interval 51–74, 60 games), which a report of 7 tests can show by chance. That is no verdict, which takes two families of players: no training is kept.",
    );
    for claim in ["This depends on strength", "Skill tells", "still gains"] {
        assert!(!told.iter().any(|text| text.contains(claim)), "{claim}: {told:#?}");
    }
}

/// Few plies say little about how often players blunder.
#[test]
fn blunders_are_told_from_fifty_plies_on() {
    let (game, sources) = fill();
    let mut results = filled(plan(&game, &sources), |_| 30);
    let tells = |results: &Results| {
        verdict(&game, &sources, results).iter().any(|text| text.contains("give it away"))
    };
    assert!(tells(&results));
    for row in results.lots.iter_mut().flat_map(|lot| &mut lot.rows) {
        row.late = LatePlies { plies: u32::from(row.game < 49), blunders: 0 };
    }
    assert!(!tells(&results));
}
