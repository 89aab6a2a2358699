//! Every printed example runs: those of the table of ludemes and of the pages of types, each in a
//! complete small game, and the corrected examples of the pages of findings. Their wrong examples
//! cause the finding.

use ludwright::analysis::{Effort, analysis_findings};
use ludwright::engine::game::Game;
use ludwright::files::legible;
use ludwright::language::explain::{Subject, subjects, topics};
use ludwright::language::finding::{Code, Finding, Rules, Severity};
use ludwright::language::format::format;
use ludwright::language::ludemes::{Kind, TABLE, rows};
use ludwright::language::recipes::{Entry, find, recipes};
use ludwright::language::samples::{NAME, Sample};
use ludwright::language::sources::Sources;
use ludwright::language::{check, check_values};
use ludwright::random::Random;

/// Lists the errors of a sample when it is checked, compiled and played.
fn faults(sample: &Sample) -> Vec<String> {
    let game = match ludwright::load(sample.sources(), &[]) {
        Ok(game) => game,
        Err(rejected) => return vec![format!("{}\n{rejected}", sample.text)],
    };
    let mut random = Random::new(7);
    let mut play = match game.begin() {
        Ok(play) => play,
        Err(fault) => return vec![format!("{}\n{}", sample.text, fault.message)],
    };
    for _ in 0..20 {
        let legal = play.legal();
        if legal.is_empty() {
            break;
        }
        let ply = legal[random.below(legal.len() as u32) as usize].clone();
        if let Err(fault) = play.play(&ply) {
            return vec![format!("{}\n{fault:?}", sample.text)];
        }
    }
    Vec::new()
}

fn findings(sources: &Sources) -> Vec<Finding> {
    let checked = check(sources, &[]);
    let with_other_values =
        checked.rules.as_ref().map(|rules| check_values(sources, rules)).unwrap_or_default();
    let compiled = checked.rules.and_then(|rules| Game::compile(rules).err());
    checked.findings.into_iter().chain(compiled).chain(with_other_values).collect()
}

#[test]
fn every_example_runs() {
    let faults: Vec<String> =
        TABLE.iter().flat_map(|row| faults(&Sample::of_rows([row]))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_example_shows_its_ludeme() {
    for row in TABLE {
        let shown = |text: &str| text.split(['(', ')', ' ', '\n']).any(|word| word == row.spelling);
        assert!(shown(row.example), "{} in {}", row.spelling, row.example);
        let sample = Sample::of_rows([row]);
        let files = sample.files.iter().map(|(_, text)| text);
        assert!(
            files.chain([&sample.text]).any(|text| shown(text)),
            "{} in {}",
            row.spelling,
            sample.text
        );
    }
}

#[test]
fn every_page_shows_a_game_that_runs() {
    let words =
        TABLE.iter().map(|row| row.spelling).chain(Kind::ALL.iter().map(|kind| kind.spelling()));
    for word in words.chain(Code::ALL.iter().map(|code| code.name())) {
        let found = subjects(word);
        assert!(!found.is_empty(), "{word} has no page");
        for subject in found {
            let page = subject.page();
            let game = ludwright::load(page.sample.sources(), &[]).ok();
            let begun = game.and_then(|game| Some(!game.begin().ok()?.legal().is_empty()));
            assert_eq!(begun, Some(true), "{word}: the game is over before it begins");
            assert_eq!(faults(&page.sample), [""; 0], "{word}");
            // A copied sample is already formatted.
            assert_eq!(
                format(&page.sample.text).expect("its brackets match"),
                page.sample.text,
                "{word}"
            );
            assert!(
                page.meanings.iter().all(|meaning| meaning.text.ends_with(['.', '`'])),
                "{word}"
            );
        }
    }
}

/// A recipe is a game without any finding, which can be begun, and is found by all of its names.
#[test]
fn every_recipe_runs() {
    let mut faulty = String::new();
    for recipe in recipes() {
        let sample = recipe.sample();
        let sources = sample.sources();
        for finding in findings(&sources).into_iter().chain(look(&sources)) {
            faulty += &format!("{}: {}\n{}\n", recipe.title(), finding.message, sample.text);
        }
        faulty.extend(faults(&sample));
        let game = ludwright::load(sample.sources(), &[]);
        let begun = game.is_ok_and(|game| game.begin().is_ok_and(|play| !play.legal().is_empty()));
        assert!(begun || !faulty.is_empty(), "{} is over before it begins", recipe.title());
        for name in recipe.names {
            let found = find(name);
            let leads =
                matches!(found, Some(Entry::Recipe(found)) if found.title() == recipe.title());
            assert!(leads, "{name} leads to {found:?}, not to {}", recipe.title());
        }
    }
    assert!(faulty.is_empty(), "{faulty}");
}

/// Sowing by the recipe puts one seed into each house that follows, on rings and round two rows.
#[test]
fn the_recipe_sows_one_by_one() {
    let Some(Entry::Recipe(recipe)) = find("sow") else { panic!("there is no recipe") };
    let ring = |letters: &str| -> Vec<String> {
        letters.chars().map(|letter| format!("{letter}1")).collect()
    };
    let rows: Vec<String> = ring("abcdef")
        .into_iter()
        .chain("fedcba".chars().map(|letter| format!("{letter}2")))
        .collect();
    let boards = [
        ("(rectangle 6 2)", rows),
        ("(rectangle 6 3) (wrap columns)", ring("abcdef")),
        ("(rectangle 5 1) (wrap columns)", ring("abcde")),
    ];
    for (board, houses) in boards {
        for (from, seeds) in [(0, 1), (0, 2), (3, 4), (1, 13), (2, 48)] {
            let is_ring = board.contains("wrap");
            let path = if is_ring { "(path Round a1 E)" } else { "(path Round a1 E N 1 W S)" };
            let parts = recipe.parts.replace("(path Round a1 E N 1 W S)", path);
            let text = format!(
                "(game \"Sow\" (players White Black) (board {board}) {parts} (setup (set (Seeds {}) {seeds})) (play (turns (choose sow))) (repetition 3 (draw)))",
                houses[from]
            );
            let game =
                ludwright::Game::from_source(&text, &[]).unwrap_or_else(|error| panic!("{error}"));
            let mut state = game.start();
            state.play(state.parse_move("sow").expect("one move")).expect("it is legal");
            let mut expected = vec![0; houses.len()];
            (1..=seeds).for_each(|round| expected[(from + round) % houses.len()] += 1);
            let written = ludwright::records::write_position(&state);
            let line =
                written.lines().find_map(|line| line.strip_prefix("Seeds: ")).expect("seeds");
            let mut shown: Vec<&str> = line.split(", ").collect();
            let mut wanted: Vec<String> = houses
                .iter()
                .zip(&expected)
                .filter(|(_, seeds)| **seeds > 0)
                .map(|(house, seeds)| format!("{house} {seeds}"))
                .collect();
            shown.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(shown, wanted, "{seeds} seeds from {} on {board}", houses[from]);
        }
    }
}

/// Designers' words all have a page.
#[test]
fn words_of_designers_have_a_page() {
    let words = "pass, extra turn, stack, height, wall, sowing, superko, ko, swap, pie rule, neighbours, path, \
        connected, liberties, mill, majority capture, must capture, custodial, hop, chain, promotion, drop, \
        reserve, check, checkmate, stalemate, largest group, elimination, dice, score, distance, edge, corners, \
        center, passed, line, clockwise, left, legal, mate, rotate, again, card, sow, rank";
    for word in words.split(", ") {
        assert!(!subjects(word).is_empty(), "{word}");
    }
}

#[test]
fn every_row_is_under_its_topic() {
    let listed: Vec<&str> = topics().into_iter().flat_map(|(_, words)| words).collect();
    for row in TABLE {
        assert!(listed.contains(&row.spelling));
        let Subject::Ludeme(word) = subjects(row.spelling)[0] else {
            panic!("{} is no ludeme first of all", row.spelling)
        };
        assert_eq!(subjects(word)[0].page().meanings.len(), rows(word).count());
    }
}

/// Returns the findings of a deep analysis, if the rules can be played.
fn look(source: &Sources) -> Vec<Finding> {
    let rules = check(source, &[]).rules;
    rules.and_then(|rules| analysis_findings(source, &[], rules, Effort::Deep)).unwrap_or_default()
}

/// Reads the bytes of a generated file as the checker does.
fn made(bytes: Vec<u8>) -> Sources {
    legible(NAME, bytes).map_or_else(|faulty| faulty, |text| Sources::named(NAME, &text))
}

#[test]
fn every_mistake_is_found_and_its_remedy_helps() {
    for code in Code::ALL {
        let advice = code.advice();
        let sources = |rules: &Rules| match rules {
            Rules::Made(_, make) => made(make()),
            Rules::Parts(_) | Rules::Whole(_) => {
                rules.sample().expect("it is no made file").sources()
            }
        };
        let wrong = sources(&advice.wrong);
        let in_text = findings(&wrong);
        let is_in_text = in_text.iter().any(|finding| finding.code == *code);
        let found: Vec<Finding> = in_text.into_iter().chain(look(&wrong)).collect();
        let shown = |findings: &[Finding]| {
            findings.iter().map(|finding| finding.code.name()).collect::<Vec<&str>>().join(" ")
        };
        assert!(
            found.iter().any(|finding| finding.code == *code),
            "{}: {}",
            code.name(),
            shown(&found)
        );
        // A mistake causes a single error.
        let errors = found.iter().filter(|finding| finding.severity() == Severity::Error).count();
        assert!(errors <= 1, "{}: {}", code.name(), shown(&found));
        let right = sources(&advice.right);
        // Other findings of the analysis do not concern this page.
        let deep = look(&right).into_iter().filter(|finding| finding.code == *code);
        let found: Vec<Finding> = findings(&right).into_iter().chain(deep).collect();
        assert!(found.is_empty(), "{}: {}", code.name(), shown(&found));
        if !matches!(advice.wrong, Rules::Made(..)) {
            let page = Subject::Finding(*code).page();
            let says = page.mistake.is_some_and(|mistake| mistake.said.is_some());
            // Pages quote only messages that need neither the analysis nor the engine.
            assert_eq!(says, is_in_text && *code != Code::NoStart, "{} says nothing", code.name());
        }
    }
}
