//! Figures of a small artificial playtest, against values computed by hand.

use ludwright::engine::game::Game;
use ludwright::language::sources::Sources;
use ludwright::measure::report::{Figure, Report};
use ludwright::measure::{
    Allowance, Batch, CostModel, Effort, Ending, GameRow, LatePlies, MirroredGame, Opening,
    Pairing, Plan, Played, Progress, Request, Results, StateCount, Tally, sweep,
};
use ludwright::search::PlayerKind;

/// Two players, dice, a board of nine sites.
const RULES: &str = r#"(game "Made up" (players A B) (board (square 3)) (piece Stone)
  (remember Die number)
  (move roll (number n 1 6) (set Die n))
  (move place (to t (empty)) (put Stone t))
  (play (forever (turn A (chance roll) (choose place (otherwise (draw)))) (turn B (chance roll) (choose place (otherwise (draw)))))))"#;

fn load() -> (Game, Sources) {
    let sources = Sources::named("made-up.game", RULES);
    (ludwright::load(&sources, &[]).unwrap_or_else(|rejected| panic!("{rejected}")), sources)
}

/// Row of a game: players of the plies, numbers of legal plies, and small numbers as hashes of
/// positions.
fn row(game: u64, ending: Ending, movers: &[i32], legal: &[u32], states: &[u64]) -> GameRow {
    GameRow {
        pairing: 0,
        game,
        ending,
        plies: vec!["place a1".to_owned(); movers.len()],
        movers: movers.to_vec(),
        legal: legal.to_vec(),
        sites: Vec::new(),
        states: states.iter().map(|state| format!("{state:016x}")).collect(),
        fingerprint: String::new(),
        chances: Vec::new(),
        clauses: None,
        listened: 0,
        late: LatePlies::default(),
        puzzles: Vec::new(),
        recycled: 0,
        effort: Effort::default(),
    }
}

/// Results with four recorded games, and four without records.
fn results(game: &Game, sources: &Sources) -> Results {
    let wishes = Request {
        games: Some(8),
        seats: Some(vec![PlayerKind::Random, PlayerKind::Random]),
        seed: 1,
        limited: false,
    };
    let mut plan =
        Plan::new(&game.begin().expect("a first position"), sources, &wishes, &CostModel::of(game));
    plan.pairings[0].written = 4;
    let mut first = row(0, Ending::Win(0), &[0, 1, 0], &[10, 1, 10], &[1, 2, 3, 2]);
    first.sites = vec![0, 1, 0];
    // A leads, B leads clearly, A leads again; a lead of 2 % does not count.
    first.chances = vec![vec![0, 600, 400], vec![1, 320, 680], vec![2, 850, 150]];
    let mut second = row(1, Ending::Win(0), &[-1, 0, -1, 0], &[6, 10, 6, 10], &[1, 4, 5, 6, 7]);
    second.chances = vec![vec![0, 510, 490], vec![2, 500, 500]];
    let rows = [
        first,
        second,
        row(2, Ending::Draw, &[0, 0], &[1, 1], &[1, 8, 9]),
        row(3, Ending::TooLong, &[1], &[4], &[1, 2]),
    ];
    let mut results = Results::new(plan);
    let [one, two, three, four] = rows;
    let lot = |lot, rows| Played { rows, ..Played::empty(lot) };
    let census = Played { census: Some(StateCount::Exactly(99)), ..lot(0, Vec::new()) };
    let tallies = vec![
        Tally { ending: Ending::Win(1), plies: 7, games: 3 },
        Tally { ending: Ending::TooLong, plies: 2000, games: 1 },
    ];
    let light = Played { tallies, ..lot(3, Vec::new()) };
    for played in [light, lot(2, vec![three, four]), census, lot(1, vec![one, two])] {
        results.add(vec![played]).expect("it is of the plan");
    }
    results
}

fn figure<'r>(report: &'r Report, key: &str, what: &str) -> &'r Figure {
    let measure = report.measure(key).unwrap_or_else(|| panic!("no {key}"));
    measure
        .figures
        .iter()
        .find(|figure| figure.what == what)
        .unwrap_or_else(|| panic!("no {what} of {key}"))
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

#[test]
fn figures_are_those_worked_out_by_hand() {
    let (game, sources) = load();
    let results = results(&game, &sources);
    let report = Report::new(&game, &sources, &results);
    let value = |key: &str, what: &str| figure(&report, key, what).estimate.value;
    assert!(report.is_complete());
    assert_eq!(report.games(), 8);
    // Of six finished games, A won two and drew one; B won three and drew one.
    near(value("seat-advantage", "A"), 2.5 / 6.0);
    near(value("seat-advantage", "B"), 3.5 / 6.0);
    near(value("draws", ""), 1.0 / 6.0);
    near(value("unfinished", ""), 2.0 / 8.0);
    near(value("unfinished", "too long"), 2.0 / 8.0);
    // Lengths 2, 3, 4, 7, 7, 7.
    near(value("plies", "mean"), 5.0);
    near(value("plies", "median"), 4.0);
    near(value("plies", "5 %"), 2.0);
    near(value("plies", "95 %"), 7.0);
    // Turns of the finished games: A B A; two, with a roll between them; one of two plies.
    near(value("turns", "mean"), 2.0);
    // Three, two and two plies of players, of half a minute each.
    near(value("minutes", "mean"), 3.5 / 3.0);
    near(value("minutes", "median"), 1.0);
    // Means of 7, 10, 1 and 4, without rolls.
    near(value("branching", ""), 5.5);
    near(value("forced", ""), (1.0 / 3.0 + 0.0 + 1.0 + 0.0) / 4.0);
    // 100; 6·10·6·10 = 3600; 1.
    near(value("game-tree", ""), (2.0 + 3600_f64.log10()) / 3.0);
    // Nine distinct positions in 14: one four times, one three times, the others once each.
    near(value("states", "seen"), 9.0);
    near(value("states", "at least"), 9.0 + 7.0 * 6.0 / 2.0);
    near(value("states", "exactly"), 99.0);
    near(value("repetition", "games"), 0.25);
    near(value("repetition", "plies"), (1.0 / 3.0) / 4.0);
    near(value("sites", ""), (2.0 / 9.0) / 4.0);
    // The winner was 0.36 behind in one position of three, and never in the other game.
    near(value("drama", ""), (0.36_f64.sqrt() / 3.0) / 2.0);
    near(value("lead-changes", ""), (2.0 + 0.0) / 2.0);
    // The first game was decided after two of three plies, the second never.
    near(value("decisiveness", ""), (1.0 / 3.0) / 2.0);
    near(value("settled", "median"), 2.0 / 3.0);
    near(value("settled", "90 %"), 1.0);
    // B alone fell to 15 %, and lost.
    near(value("comebacks", ""), 0.0);
    assert_eq!(figure(&report, "comebacks", "").estimate.sample, 1);
    let entropy = |chance: f64| -(chance * chance.log2() + (1.0 - chance) * (1.0 - chance).log2());
    let first = (entropy(0.6) + entropy(0.32) + entropy(0.85)) / 3.0;
    near(value("uncertainty", ""), (first + (entropy(0.51) + 1.0) / 2.0) / 2.0);
    // Only one group of games with the same dice is complete, (1, 1): too few for an estimate.
    assert!(report.measure("chance").is_none());
    assert_eq!(report.heat[0].named[0], ("a1".to_owned(), 2.0 / 3.0));
    let titles: Vec<&str> =
        report.records.iter().map(|told| told.why.split(';').next().unwrap_or("")).collect();
    assert_eq!(
        titles,
        ["4 plies", "2 plies", "33 % of it was played after the decision", "drama 0.20"]
    );
    // In the most dramatic game, A fell from 60 % to 32 % with his first ply and B from 68 % to 15 %.
    let critical: Vec<(usize, &str)> =
        report.records[3].critical.iter().map(|ply| (ply.ply, ply.text.as_str())).collect();
    assert_eq!(critical, [(1, "1. place a1: A 60 % → 32 %"), (2, "2. place a1: B 68 % → 15 %")]);
    assert_eq!(
        report.summary,
        [
            "Between two random players, no side is clearly ahead: B scores 58 % in 6 games.",
            "A game takes 5 plies (1.2 minutes) and 17 % are drawn.",
            "Against it: 25 % of games do not end.",
        ]
    );
    let verdict: Vec<&str> = report.verdict.iter().map(|sentence| sentence.text.as_str()).collect();
    assert_eq!(
        verdict,
        [
            "Between two random players, no player is clearly ahead: B scores 58 % (95 % interval 26–84, 6 games), which includes an even game.",
            "Between two random players, a game takes 5.0 plies on average; nine in ten take 2 to 7 plies. At 30 s a ply that is 1.2 minutes, nine in ten 1.0 to 1.5.",
            "17 % (95 % interval 3–56, 6 games) of such games are drawn; 25 % (95 % interval 7–59, 8 games) were not finished.",
        ]
    );
}

/// Only who is the first of a game to have a quarter counts. A search that is wrong is said to be.
#[test]
fn comebacks_are_those_of_the_first_who_falls_behind() {
    let (game, sources) = load();
    let mut known = results(&game, &sources);
    let chances = |first: u32| vec![vec![0, first, 1000 - first], vec![1, 900, 100]];
    let rows = |games: std::ops::Range<u64>, first: u32, won: u64| {
        let row = move |game| {
            let ending = if game < won { Ending::Win(0) } else { Ending::Draw };
            GameRow { chances: chances(first), ..row(game, ending, &[0, 1], &[2, 2], &[1, 2, 3]) }
        };
        games.map(row).collect::<Vec<GameRow>>()
    };
    let mut comebacks = |first: u32, won: u64| {
        known.lots.truncate(1);
        known.plan.pairings[0].written = 40;
        known.plan.pairings[0].games = 40;
        for lot in 0..20 {
            let rows = rows(2 * lot..2 * lot + 2, first, won);
            let played = Played { rows, ..Played::empty(1 + lot as usize) };
            known.add(vec![played]).expect("it is of the plan");
        }
        let report = Report::new(&game, &sources, &known);
        let share = figure(&report, "comebacks", "").estimate;
        let mut verdict = report.verdict.iter().filter(|own| own.measure == "comebacks");
        (share.value, share.sample, verdict.next().map_or(String::new(), |own| own.text.clone()))
    };
    let (share, sample, verdict) = comebacks(250, 30);
    near(share, 0.75);
    assert_eq!(sample, 40);
    assert!(verdict.contains("who falls clearly behind still wins 75 %"), "{verdict}");
    assert!(verdict.contains("this search misjudges the game"), "{verdict}");
    let (share, _, verdict) = comebacks(250, 10);
    near(share, 0.25);
    assert!(!verdict.contains("misjudges"), "{verdict}");
    // A has a quarter and a thousandth; B falls behind, and never wins.
    near(comebacks(251, 30).0, 0.0);
}

#[test]
fn the_dice_decide_as_much_as_games_with_the_same_dice_are_alike() {
    let (game, sources) = load();
    let wishes = Request {
        games: Some(4),
        seats: Some(vec![PlayerKind::Greedy, PlayerKind::Greedy]),
        seed: 1,
        limited: false,
    };
    let plan = Plan::new(
        &game.begin().expect("a first position"),
        &sources,
        &wishes,
        &CostModel::of(&game),
    );
    let played = |endings: [Ending; 4]| {
        let mut results = Results::new(plan.clone());
        for (lot, pair) in (1..).zip(endings.chunks(2)) {
            let rows = (2 * (lot as u64 - 1)..)
                .zip(pair)
                .map(|(game, &ending)| row(game, ending, &[0], &[2], &[1, 2]));
            results
                .add(vec![Played { rows: rows.collect(), ..Played::empty(lot) }])
                .expect("it is of the plan");
        }
        let report = Report::new(&game, &sources, &results);
        report.measure("chance").map(|measure| measure.figures[0].estimate.value)
    };
    let (win, loss) = (Ending::Win(0), Ending::Win(1));
    near(played([win, win, loss, loss]).expect("a share"), 1.0);
    near(played([win, loss, loss, win]).expect("a share"), -1.0);
    assert_eq!(played([win, win, win, win]), None);
}

#[test]
fn lots_that_are_not_of_the_plan_are_refused() {
    let (game, sources) = load();
    let mut known = results(&game, &sources);
    let played = known.lots[1].clone();
    assert!(known.add(vec![played.clone()]).is_ok(), "the same once more");
    let mut other = played.clone();
    other.rows[0].ending = Ending::Win(1);
    assert!(known.add(vec![other]).is_err());
    for spoil in [
        (|played: &mut Played| played.lot = 4) as fn(&mut Played),
        |played| played.lot = 0,
        |played| played.rows[0].game = 7,
        |played| played.rows[0].ending = Ending::Win(2),
        |played| played.rows[0].movers.push(0),
        |played| played.rows[0].states.push('g'),
        |played| played.rows[0].chances = vec![vec![0, 1]],
        |played| played.rows.truncate(1),
        |played| played.census = Some(StateCount::Many),
    ] {
        let mut spoilt = played.clone();
        spoil(&mut spoilt);
        assert!(Results::new(known.plan.clone()).add(vec![spoilt]).is_err());
    }
}

#[test]
fn values_of_options_are_read_and_multiplied() {
    assert_eq!(sweep::values("1..4"), Ok(["1", "2", "3", "4"].map(str::to_owned).to_vec()));
    for several in ["4 5 6", "4, 5 6", "4 .. 6", "4..5 6", " 4 5..6 "] {
        let read = sweep::values(several);
        assert_eq!(read, Ok(["4", "5", "6"].map(str::to_owned).to_vec()), "{several}");
    }
    assert_eq!(sweep::values("hex, square"), Ok(vec!["hex".to_owned(), "square".to_owned()]));
    assert_eq!(
        sweep::values("0.5,1..2"),
        Ok(vec!["0.5".to_owned(), "1".to_owned(), "2".to_owned()])
    );
    for wrong in [
        "",
        "1,,2",
        "4..1",
        "a..b",
        "1..1000000000000",
        "-9223372036854775808..9223372036854775807",
        "1,1",
    ] {
        assert!(sweep::values(wrong).is_err(), "{wrong}");
    }
    let axis = |name: &str, values: &str| (name.to_owned(), sweep::values(values).expect("values"));
    let product = sweep::product(&[axis("A", "1..2"), axis("B", "x,y,z")]).expect("not too many");
    let spelled: Vec<String> = product
        .iter()
        .map(|variant| variant.iter().map(|(_, value)| value.as_str()).collect())
        .collect();
    assert_eq!(spelled, ["1x", "1y", "1z", "2x", "2y", "2z"]);
    assert_eq!(sweep::product(&[]), Ok(vec![Vec::new()]));
    assert!(sweep::product(&[axis("A", "1..60"), axis("B", "1..60")]).is_err());
}

#[test]
fn first_plies_and_mirror_play_are_those_worked_out_by_hand() {
    let (game, sources) = load();
    let mut known = results(&game, &sources);
    (known.plan.openings, known.plan.mirrored) = (10, 3);
    let opening = |ply: &str, first: u32| Opening {
        ply: ply.to_owned(),
        site: None,
        chances: vec![first, 1000 - first],
    };
    let openings =
        vec![opening("place a1", 620), opening("place b2", 810), opening("place c3", 380)];
    let mirrored = |ending, images| MirroredGame { ending, replies: 4, images };
    let games =
        vec![mirrored(Ending::Win(1), 3), mirrored(Ending::Win(0), 0), mirrored(Ending::Draw, 3)];
    known.add(vec![Played { openings, ..Played::empty(4) }]).expect("it is of the plan");
    known.add(vec![Played { mirrored: games, ..Played::empty(5) }]).expect("it is of the plan");
    let report = Report::new(&game, &sources, &known);
    assert!(report.is_complete());
    assert_eq!(
        report.measure("first-moves").expect("a measure").notes,
        [
            "A search with 10 iterations after each of the 3 first plies expects most for A of place b2 (81 %), and least of place c3 (38 %)."
        ]
    );
    assert_eq!(
        report.measure("pie-rule").expect("a measure").notes,
        [
            "With the pie rule the game would begin with place a1 or place c3, and the player who chooses the side expects 62 %. Without it, the first player expects 81 % after the best first ply."
        ]
    );
    near(figure(&report, "mirror", "mirrored").estimate.value, 6.0 / 12.0);
    near(figure(&report, "mirror", "score").estimate.value, 1.5 / 3.0);
    let spoilt = Played {
        openings: vec![Opening { chances: vec![1], ..opening("x", 1) }],
        ..Played::empty(4)
    };
    assert!(Results::new(known.plan.clone()).add(vec![spoilt]).is_err());
}

/// Games have the time that other batches leave. A round costs what the games before it cost; the
/// last one is cut where the time ends.
#[test]
fn games_are_limited_by_what_they_cost() {
    let (game, sources) = load();
    let kinds = vec![PlayerKind::Iterations(10), PlayerKind::Iterations(10)];
    let wishes = Request { games: None, seats: Some(kinds), seed: 1, limited: true };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    // Each game takes a second: 10^9 plies that take half of their estimate, 2 nanoseconds.
    plan.allowance = Some(Allowance { milliseconds: 12_500, ply: 2_000, listing: 0 });
    plan.exact = 0;
    // 4 games, and other batches that take a second; 4 more; then 3.5 seconds are left, rounded up
    // to whole groups.
    let (wanted, known) = limited(plan, |_| 1.0);
    assert_eq!(wanted, [[4], [8], [12]]);
    assert_eq!(known.games(0), 12);
}

/// Where a position has some ten thousand plies, listing them takes longer than an iteration.
#[test]
fn listing_very_many_plies_is_counted() {
    let plan = |size: u32| {
        let text = format!(
            "(game \"Pairs\" (players A B) (board (square {size})) (piece Stone)
               (move place (to s t (empty)) (put Stone (sites s t)))
               (play (turns (choose place (otherwise (draw))))))"
        );
        let game = ludwright::load(text.as_str(), &[]).expect("a game");
        let start = game.begin().expect("a first position");
        let sources = Sources::named("pairs.game", &text);
        let wishes = Request { games: None, seats: None, seed: 1, limited: true };
        Plan::new(&start, &sources, &wishes, &CostModel::of(&game))
    };
    let [few, many] = [5, 12].map(plan);
    let listing = |plan: &Plan| plan.allowance.map(|allowance| allowance.listing);
    assert_eq!(listing(&few), Some(0));
    // The legal plies of a random position are a third of those of the first, 144 · 143 / 2.
    let expected = 40_000 * 10_296 / 3;
    let own = listing(&many).unwrap_or_default();
    assert!((expected / 2..2 * expected).contains(&own), "{own}, not {expected}");
    assert!(many.judge < few.judge, "{} and {} iterations", many.judge, few.judge);
}

/// What is said to be done is the part of the work, though later rounds are not known yet: whether
/// the time ends the games, or all games of the plan are played before.
#[test]
fn the_part_that_is_done_is_known_before_all_rounds_are() {
    let (game, sources) = load();
    let wishes = Request { games: None, seats: None, seed: 1, limited: true };
    let start = game.begin().expect("a first position");
    for (each, most) in [(2e-4, 1_000), (2e-4, 100), (2e-5, 40), (2e-3, 1_000)] {
        let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
        plan.allowance = Some(Allowance { milliseconds: 60_000, ply: 2_000, listing: 0 });
        (plan.openings, plan.mirrored, plan.exact, plan.levels) = (0, 0, 0, None);
        for pairing in &mut plan.pairings {
            pairing.games = pairing.games.min(most);
            pairing.written = pairing.games;
            pairing.lot = 4;
        }
        let pairings = plan.pairings.clone();
        let seconds = |pairing: usize| each * mean_iterations(&pairings[pairing]);
        let mut progress = Progress::default();
        // What is said after each batch, and the seconds that all have taken so far.
        let mut told: Vec<(f64, f64)> = Vec::new();
        let mut done = 0.0;
        limited_with(plan, seconds, &mut |results, round, played| match played {
            None => progress.begin_round(results, round),
            Some((batch, played)) => {
                progress.add(results, batch, played);
                done += match batch {
                    Batch::Census => 1.0,
                    batch => batch.pairing().map_or(0.0, seconds) * batch.games() as f64,
                };
                told.push((progress.part(), done));
            }
        });
        assert!(told.is_sorted_by_key(|(part, _)| *part), "{told:?}");
        let far = told.iter().filter(|(part, now)| (part - now / done).abs() > 0.1);
        assert_eq!(far.count(), 0, "{each} s, {most} games, {done} s in all: {told:?}");
    }
}

fn iterations(kind: &PlayerKind) -> f64 {
    match kind {
        PlayerKind::Iterations(iterations) => *iterations as f64,
        _ => 0.0,
    }
}

fn mean_iterations(pairing: &Pairing) -> f64 {
    let kinds = pairing.seats.iter().flatten();
    kinds.clone().map(iterations).sum::<f64>() / kinds.count() as f64
}

/// Plays what a plan calls for, where counting positions takes a second, and the games of each
/// pairing a number of seconds. Also returns the limits before each round.
fn limited(plan: Plan, seconds: impl Fn(usize) -> f64) -> (Vec<Vec<u64>>, Results) {
    limited_with(plan, seconds, &mut |_, _, _| ())
}

/// Sees what was played so far, the batches ahead, and what was played last.
type Look<'l> = dyn FnMut(&Results, &[(usize, Batch)], Option<(Batch, &Played)>) + 'l;

/// The same; `look` is called before each round, and with each batch, before its results are known.
fn limited_with(
    plan: Plan,
    seconds: impl Fn(usize) -> f64,
    look: &mut Look,
) -> (Vec<Vec<u64>>, Results) {
    let mut known = Results::new(plan);
    let work = |seconds: f64| Effort { plies: (seconds * 1e9) as u64, ..Effort::default() };
    let mut wanted = Vec::new();
    loop {
        let missing = known.missing();
        if missing.is_empty() {
            return (wanted, known);
        }
        wanted.push(known.limits());
        look(&known, &missing, None);
        for (lot, batch) in missing {
            let mut played = Played::empty(lot);
            match batch {
                Batch::Census => {
                    played.census = Some(StateCount::Many);
                    played.effort = work(1.0);
                }
                Batch::Written { pairing, first, games } => {
                    let rows = (first..first + games).map(|game| GameRow {
                        pairing,
                        effort: work(seconds(pairing)),
                        ..row(game, Ending::Draw, &[], &[], &[1])
                    });
                    played.rows = rows.collect();
                }
                Batch::Light { games, .. } => {
                    played.tallies = vec![Tally { ending: Ending::Draw, plies: 9, games }];
                }
                Batch::Openings | Batch::Mirrored | Batch::Exact | Batch::Levels => {}
            }
            look(&known, &[], Some((batch, &played)));
            known.add(vec![played]).expect("of the plan");
        }
    }
}

/// Where the games of the strongest take too long, the others have their time, and the report says
/// so.
#[test]
fn games_that_take_too_long_are_left_out() {
    let (game, sources) = load();
    let wishes = Request { games: None, seats: None, seed: 1, limited: true };
    let start = game.begin().expect("a first position");
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    plan.allowance = Some(Allowance { milliseconds: 60_000, ply: 2_000, listing: 0 });
    let [.., strongest] = plan.ladder()[..] else { panic!("{:?}", plan.ladder()) };
    // A game of the strongest takes 20 seconds.
    let pairings = plan.pairings.clone();
    let all = iterations(&strongest);
    let seconds = |pairing: usize| 20.0 * mean_iterations(&pairings[pairing]) / all;
    let (_, known) = limited(plan, seconds);
    // Four games of each other pairing take 31 seconds. Of the other 28, two games of the strongest
    // would take 40, and three more of the others take 24, rounded up to whole groups.
    assert_eq!(known.limits()[1..], [8, 8, 8, 0, 8, 8, 0]);
    let report = Report::new(&game, &sources, &known);
    assert!(report.is_complete());
    assert!(report.remarks()[0].starts_with("Games of strongest against itself take too long"));
    assert!(report.verdict[0].text.contains("between two strong players"), "{:?}", report.verdict);
}
