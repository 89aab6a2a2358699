//! Playtests are reproducible: on any number of threads, in shards, killed and resumed.

use crate::support::{Variant, load, rules_file};
use ludwright::engine::game::Game;
use ludwright::language::sources::Sources;
use ludwright::measure::{
    Batch, Clauses, CostModel, CoverageTracer, Plan, Report, Request, Results, StateCount, Worker,
    play, write,
};
use ludwright::search::PlayerKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

fn game(name: &str, options: &[(&str, &str)]) -> (Game, Sources) {
    let options =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let game = load(&Variant { name: name.to_owned(), options, plies: 0 });
    (game, ludwright::files::gather(&rules_file(name)).expect("its rules"))
}

fn plan(game: &Game, sources: &Sources, games: u64, seats: Option<Vec<PlayerKind>>) -> Plan {
    let mut plan = Plan::new(
        &game.begin().expect("a first position"),
        sources,
        &Request { games: Some(games), seats, seed: 3, limited: false },
        &CostModel::of(game),
    );
    // Reduces the work.
    plan.judge = 8;
    plan.openings = plan.openings.min(8);
    plan.mirrored = plan.mirrored.min(2);
    plan.exact = plan.exact.min(5_000);
    plan.levels.iter_mut().for_each(|levels| levels.milliseconds = 20);
    let weakest = plan.ladder().first().map_or(1, |kind| match kind {
        PlayerKind::Iterations(iterations) => *iterations,
        _ => 1,
    });
    let fewer = |kind: &mut PlayerKind| {
        if let PlayerKind::Iterations(iterations) = kind {
            *iterations /= weakest;
        }
    };
    plan.pairings.iter_mut().for_each(|pairing| {
        pairing.seats.iter_mut().flatten().chain(&mut pairing.challenger).for_each(fewer);
        pairing.judged = pairing.judged.min(2);
        pairing.listened = pairing.listened.min(2);
        pairing.written = pairing.written.min(4);
    });
    plan
}

fn played(
    plan: &Plan,
    game: &Game,
    threads: usize,
    part: impl Fn(usize, &Results) -> bool,
) -> Results {
    let mut results = Results::new(plan.clone());
    let mut lots: Vec<(usize, Batch)> = plan.batches().into_iter().enumerate().collect();
    lots.retain(|(number, _)| part(*number, &results));
    let start = game.begin().expect("a first position");
    play(plan, &start, &lots, threads, &AtomicBool::new(false), &mut |played| {
        results.enter(played).expect("each once")
    });
    results
}

#[test]
fn threads_and_shards_come_to_the_same() {
    for (name, options) in
        [("kitaran", &[("Size", "3")][..]), ("swarm", &[("Size", "4"), ("Cubes", "5")])]
    {
        let (game, sources) = game(name, options);
        let plan = plan(&game, &sources, 4, None);
        let whole = played(&plan, &game, 1, |_, _| true);
        assert_eq!(whole, played(&plan, &game, 3, |_, _| true), "{name}");
        let mut merged = Results::new(plan.clone());
        for part in [2, 0, 3, 1] {
            merged
                .join(played(&plan, &game, 2, |number, _| number % 4 == part))
                .expect("parts of the same");
        }
        assert_eq!(whole, merged, "{name}");
        let report = Report::new(&game, &sources, &whole);
        assert!(report.is_complete());
        // A report can be read back and reproduced.
        let text = write::json(&report).expect("JSON").to_string();
        let read = write::read(&text).expect("a report");
        assert_eq!(read, whole);
        let embedded = read.plan.sources();
        let again = ludwright::load(&embedded, &read.plan.options).expect("the same rules");
        assert_eq!(
            write::json(&Report::new(&again, &embedded, &read)).expect("JSON").to_string(),
            text
        );
    }
}

#[test]
fn all_positions_of_a_small_game_are_counted() {
    let (game, sources) = game("tic-tac-toe", &[]);
    let plan = plan(&game, &sources, 1, Some(vec![PlayerKind::Random, PlayerKind::Random]));
    let stop = AtomicBool::new(false);
    let clauses = Clauses::of(game.rules());
    let start = game.begin().expect("a first position");
    let mut worker = Worker::new(&plan, &start, &clauses, &stop);
    // Tic-tac-toe has 5478 reachable positions (765 up to symmetry, OEIS A008907).
    assert_eq!(
        worker.play(0, Batch::Census).expect("not stopped").census,
        Some(StateCount::Exactly(5478))
    );
}

/// A board of two by two, small enough to count clauses by hand.
#[test]
fn clauses_are_counted_as_by_hand() {
    let text = r#"(game "Four" (players A B) (board (square 2)) (piece Stone)
  (move place (to t (empty)) (require (or (none (pieces Stone)) (in t (beside (mine) all)))) (put Stone t) (let last t) (set last a1))
  (move never (to t (pieces Stone)) (require (none (pieces Stone))) (remove t))
  (play (turns (choose place never (otherwise (lose mover)))))
  (end (if (any (where s (mine) (any (and (mine) (beside s orthogonal))))) (win mover))))"#;
    let game = ludwright::load(text, &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
    let clauses = Clauses::of(game.rules());
    let mut teller = CoverageTracer::new(&clauses);
    let mut interpreter = ludwright::reference::Interpreter::start(game.rules(), &mut teller)
        .expect("a first position");
    // A places anywhere; then B has no stone to place beside, and loses.
    interpreter.trace_all_moves(&mut teller.trying());
    let place = game.begin().expect("a first position").legal()[0].clone();
    interpreter.play(&place, &mut teller).expect("legal");
    assert!(interpreter.outcome().is_some());
    let found = |words: &str| {
        let number = clauses
            .list()
            .iter()
            .position(|clause| clause.span.text(game.rules().source()) == words);
        let found = teller
            .uses
            .get(&number.unwrap_or_else(|| panic!("no clause {words}")))
            .copied()
            .unwrap_or_default();
        (found.asked, found.held, found.decided)
    };
    assert_eq!(found("(or (none (pieces Stone)) (in t (beside (mine) all)))"), (4, 4, 0));
    assert_eq!(found("(in t (beside (mine) all))"), (4, 0, 0));
    assert_eq!(found("(put Stone t)"), (1, 1, 0));
    assert_eq!(found("(remove t)"), (0, 0, 0));
    assert_eq!(found("(set last a1)"), (1, 1, 0));
    assert_eq!(found("(win mover)"), (0, 0, 0));
    assert_eq!(found("(lose mover)"), (1, 1, 1));
    assert_eq!(found("(choose place never (otherwise (lose mover)))"), (2, 1, 0));
}

const TMP: &str = env!("CARGO_TARGET_TMPDIR");

/// Makes a folder for the state of the program.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(TMP).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwright"));
    command
        .args(arguments.split_whitespace())
        .env("LUDWRIGHT_STATE", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &str) -> Output {
    let output = command(folder, arguments).output().expect("the binary");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn a_killed_and_resumed_playtest_is_an_unbroken_one() {
    let folder = folder("measure-killed");
    let whole = "playtest games/kitaran.game -o Size=3 --seat Black=mcts:400it --seat White=mcts:300it --games 120 --format json --threads 1";
    let unbroken = run(&folder, whole).stdout;
    let kept = || {
        let files = std::fs::read_dir(folder.join("playtests"))
            .into_iter()
            .flatten()
            .filter_map(Result::ok);
        files
            .map(|file| std::fs::read_to_string(file.path()).unwrap_or_default().lines().count())
            .sum::<usize>()
    };
    assert_eq!(kept(), 0, "what was played to the end is forgotten");
    for (lots, torn) in [(2, 0), (9, 3), (20, 1), (30, 0)] {
        let mut child = command(&folder, whole).spawn().expect("the binary");
        while kept() < lots {
            assert!(child.try_wait().expect("its state").is_none(), "it was too fast to be killed");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().expect("it ran");
        child.wait().expect("its end");
        assert!((lots..62).contains(&kept()), "{}", kept());
        // Simulates a line that was not completely written.
        let file = std::fs::read_dir(folder.join("playtests"))
            .expect("a folder")
            .next()
            .expect("a file")
            .expect("a file")
            .path();
        let mut bytes = std::fs::read(&file).expect("lots");
        bytes.truncate(bytes.len() - torn);
        std::fs::write(&file, bytes).expect("lots");
    }
    let resumed = run(&folder, whole);
    assert!(resumed.stdout == unbroken, "not the same");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(
        said.contains("\"message\":\"resuming: ")
            && said.contains(" batches of games are done; `--anew` starts afresh"),
        "{said}"
    );
    assert_eq!(kept(), 0);
}

#[test]
fn the_program_comes_to_the_same_on_two_threads_and_in_four_parts() {
    let folder = folder("measure-parts");
    let at = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let task = "playtest tests/games/tic-tac-toe.game --games 4 --seed 5";
    run(&folder, &format!("{task} --threads 1 -O {}", at("one.json")));
    run(
        &folder,
        &format!(
            "{task} --threads 2 -O {} -O {} -O {}",
            at("two.json"),
            at("two.html"),
            at("two.md")
        ),
    );
    for part in 1..=4 {
        run(&folder, &format!("{task} --shard {part}/4 -O {}", at(&format!("part{part}.json"))));
    }
    let parts: Vec<String> = [3, 1, 4, 2].map(|part| at(&format!("part{part}.json"))).to_vec();
    run(&folder, &format!("merge {} -O {}", parts.join(" "), at("merged.json")));
    let read = |name: &str| std::fs::read_to_string(at(name)).expect("a report");
    assert!(read("one.json") == read("two.json"), "threads");
    assert!(read("one.json") == read("merged.json"), "parts");
    // An incomplete merge says so.
    let refused = |arguments: &str| {
        let output = command(&folder, arguments).output().expect("the binary");
        assert_eq!(output.status.code(), Some(1), "{arguments}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let some = refused(&format!("merge {} -O {}", parts[..2].join(" "), at("some.json")));
    assert!(
        some.starts_with("warning: these parts have ")
            && some.contains(": parts 2/4 and 4/4 are missing\n"),
        "{some}"
    );
    assert!(read("some.json").contains("\"complete\":false"));
    // A truncated shard, and one without its number.
    let (whole, lots) = (read("part2.json"), "\"lots\":[{\"lot\":");
    let begin = whole.find(lots).expect("its lots") + "\"lots\":[".len();
    let end = whole[begin..].find(",{\"lot\":").expect("a second lot") + begin + 1;
    std::fs::write(at("cut.json"), format!("{}{}", &whole[..begin], &whole[end..]))
        .expect("a file");
    let cut = refused(&format!("merge {} {} {} {}", at("cut.json"), parts[0], parts[1], parts[2]));
    assert!(cut.contains(": part 2/4 is incomplete\n"), "{cut}");
    let nameless = whole.replace(",\"shard\":{\"part\":2,\"of\":4}", "");
    assert!(nameless.len() < whole.len());
    std::fs::write(at("nameless.json"), nameless).expect("a file");
    let some = refused(&format!("merge {} {} {}", at("nameless.json"), parts[0], parts[1]));
    assert!(some.contains(": batches 3, 7, "), "{some}");
    // Shards of another version of the program, or of other rules.
    let version = format!("\"program\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(whole.contains(&version));
    std::fs::write(at("younger.json"), whole.replace(&version, "\"program\":\"99.0.0\""))
        .expect("a file");
    let other = refused(&format!("merge {} {}", parts[0], at("younger.json")));
    assert!(
        other.contains("were played by different versions of the program, 99.0.0 and "),
        "{other}"
    );
    let rules = whole.find("\"rules\":\"").expect("its rules") + "\"rules\":\"".len();
    std::fs::write(
        at("changed.json"),
        format!("{}{}{}", &whole[..rules], "0".repeat(32), &whole[rules + 32..]),
    )
    .expect("a file");
    let other = refused(&format!("merge {} {}", parts[0], at("changed.json")));
    assert!(other.contains("were played under different rules"), "{other}");
    let other = at("other.json");
    run(
        &folder,
        &format!("playtest tests/games/tic-tac-toe.game --games 4 --seed 6 --shard 1/4 -O {other}"),
    );
    let refused =
        command(&folder, &format!("merge {} {other}", parts[0])).output().expect("the binary");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("are parts of different playtests"));
    self_contained(&read("two.html"));
    let variants =
        "sweep tests/games/tic-tac-toe.game -o Size=3,4 --seat X=random --seat O=random --games 20";
    run(&folder, &format!("{variants} -O {}", at("sweep.html")));
    self_contained(&read("sweep.html"));
    assert!(read("two.md").to_lowercase().starts_with("# tic-tac-toe"));
}

/// Checks that a page loads nothing and contains its plots and boards.
fn self_contained(page: &str) {
    // Parts of pictures refer to others of the same page.
    let loaded = page.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
    for word in ["http:", "https:", "src=", "<link", "<img", "@import", "url(", "fetch("] {
        assert!(!loaded.contains(word), "{word}");
    }
    assert!(page.matches("<svg").count() > 10);
    // Ids are unique, and every reference has a target.
    let named = |what: &str| -> Vec<&str> {
        page.split(what).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    };
    let ids = named(" id=\"");
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    for wanted in named("href=\"#") {
        assert!(ids.contains(&wanted), "{wanted}");
    }
    for tag in ["section", "table", "figure", "svg", "tr", "td", "div"] {
        assert_eq!(
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count(),
            page.matches(&format!("</{tag}>")).count(),
            "{tag}"
        );
    }
}

/// After an opening, figures cover only the plies after it; records contain all.
#[test]
fn games_can_begin_with_an_opening() {
    let (game, sources) = game("tic-tac-toe", &[]);
    let mut start = game.begin().expect("a first position");
    for wanted in ["place b2", "place a1"] {
        let ply = ludwright::notation::read(&start, wanted).expect("legal");
        start.play(&ply).expect("it is legal");
    }
    let wishes = Request {
        games: Some(40),
        seats: Some(vec![PlayerKind::Random, PlayerKind::Random]),
        seed: 1,
        limited: false,
    };
    let plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    assert_eq!(plan.opening, ["place b2", "place a1"]);
    let mut results = Results::new(plan.clone());
    let lots: Vec<(usize, Batch)> = plan.batches().into_iter().enumerate().collect();
    play(&plan, &start, &lots, 1, &AtomicBool::new(false), &mut |played| {
        results.enter(played).expect("each once")
    });
    assert!(results.all_rows().all(|row| row.legal[0] == 7
        && row.plies.len() <= 7
        && !row.plies.contains(&"place a1".to_owned())));
    assert!(results.all_rows().flat_map(|row| &row.chances).all(|chances| chances[0] < 7));
    let report = Report::new(&game, &sources, &results);
    for told in &report.records {
        let record = ludwright::record::Record::parse(&told.record).expect("a record");
        let mut replayed = record.begin(&game).expect("a first position");
        record.replay(&mut replayed).expect("its plies are legal");
        assert!(replayed.outcome().is_some());
    }
    let places = report.coverage.clauses.iter().map(|clause| clause.found.asked).sum::<u64>();
    assert!(places > 0);
    assert!(report.remarks()[0].contains("place b2, place a1"));
}

#[test]
fn spoilt_reports_are_refused() {
    let (game, sources) = game("tic-tac-toe", &[]);
    let plan = plan(&game, &sources, 2, Some(vec![PlayerKind::Random, PlayerKind::Greedy]));
    let results = played(&plan, &game, 1, |_, _| true);
    let text = write::json(&Report::new(&game, &sources, &results)).expect("JSON").to_string();
    assert!(write::read(&text).is_ok());
    for end in (0..text.len()).step_by(97).filter(|&end| text.is_char_boundary(end)) {
        assert!(write::read(&text[..end]).is_err());
    }
    for (from, to) in [
        ("\"schema\":\"ludwright-playtest\"", "\"schema\":\"other\""),
        ("\"version\":2", "\"version\":3"),
        ("\"games\":2,\"group\":2", "\"games\":18446744073709551615,\"group\":2"),
        ("\"group\":2", "\"group\":0"),
        ("\"lot\":1", "\"lot\":99999999999"),
        ("\"greedy\"", "\"human\""),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(write::read(&text.replace(from, to)).is_err(), "{to}");
    }
}

/// Returns the lines that are wider than a printed page.
fn wide(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > 80).collect()
}

#[test]
fn printed_reports_fit_eighty_columns() {
    for (name, options) in
        [("kitaran", &[("Size", "3")][..]), ("swarm", &[("Size", "4"), ("Cubes", "5")])]
    {
        let (game, sources) = game(name, options);
        let plan = plan(&game, &sources, 4, None);
        let results = played(&plan, &game, 2, |_, _| true);
        let report = Report::new(&game, &sources, &results);
        for text in [write::brief(&report, 80), write::full(&report, 80)] {
            assert!(wide(&text).is_empty(), "{name}: {:#?}", wide(&text));
            assert!(text.contains("beginner") && text.contains("strongest"), "{text}");
        }
        let variants = [("One", &report), ("Another=2 Third=3", &report)];
        let variants = variants.map(|(name, report)| {
            (name.to_owned(), Report::new(report.game, report.sources, report.results))
        });
        let comparison = write::Comparison::new(variants.into());
        for text in [comparison.text(false, 80), comparison.text(true, 80)] {
            assert!(wide(&text).is_empty(), "{name}: {:#?}", wide(&text));
        }
    }
}

/// Where the time decides how many games are played, it is counted, not measured: any number of
/// threads plays the same ones.
#[test]
fn the_time_allows_the_same_games_on_any_number_of_threads() {
    let (game, sources) = game("kitaran", &[("Size", "3")]);
    let start = game.begin().expect("a first position");
    let wishes = Request { games: None, seats: None, seed: 5, limited: true };
    let mut plan = Plan::new(&start, &sources, &wishes, &CostModel::of(&game));
    let allowance = plan.allowance.as_mut().expect("an allowance");
    allowance.milliseconds = 300;
    (plan.openings, plan.mirrored, plan.exact) = (4, 1, 100);
    plan.levels.iter_mut().for_each(|levels| levels.milliseconds = 20);
    plan.pairings[0].games = 100;
    plan.pairings.iter_mut().for_each(|pairing| {
        pairing.written = pairing.written.min(pairing.games);
        pairing.judged = 2;
        pairing.listened = 2;
    });
    let limited = |threads: usize| {
        let mut results = Results::new(plan.clone());
        loop {
            let lots = results.missing();
            if lots.is_empty() {
                return results;
            }
            play(&plan, &start, &lots, threads, &AtomicBool::new(false), &mut |played| {
                results.enter(played).expect("each once")
            });
        }
    };
    let one = limited(1);
    assert_eq!(one, limited(3));
    let games = one.limits();
    assert!(games[1] >= 4 && games[1] < plan.pairings[1].games, "{games:?}");
    assert!(Report::new(&game, &sources, &one).is_complete());
}

/// On a slow computer less is played, so that it takes as long there; as many strengths meet.
#[test]
fn a_slow_computer_plays_less_in_the_same_time() {
    for (name, options) in
        [("tic-tac-toe", [].as_slice()), ("kitaran", &[]), ("hex", &[("Size", "5")])]
    {
        let (game, sources) = game(name, options);
        let start = game.begin().expect("a first position");
        let effort = CostModel::of(&game);
        let request = Request { limited: true, ..Request::default() };
        let planned = |effort: &CostModel| Plan::new(&start, &sources, &request, effort);
        let milliseconds = |plan: &Plan| plan.allowance.expect("an allowance").milliseconds;
        let (usual, slowed) = (planned(&effort), planned(&effort.slowed(4.0)));
        assert_eq!(milliseconds(&slowed), milliseconds(&usual) / 4, "{name}");
        assert!(slowed.exact < usual.exact && slowed.openings <= usual.openings, "{name}");
        assert_eq!(slowed.ladder().len(), usual.ladder().len(), "{name}");
        // A faster one plays no more.
        assert_eq!(planned(&effort.slowed(0.5)), usual, "{name}");
        // Measured here: a power of two that is not absurd.
        let slowness = effort.slowness(&start);
        assert!((1.0..=64.0).contains(&slowness) && slowness.log2().fract() == 0.0, "{slowness}");
    }
}
