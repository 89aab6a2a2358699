//! Mutation tests: the shipped games with a token or form deleted, doubled, exchanged or renamed
//! are either rejected with a finding, or playable.

use ludwright::engine::game::Game;
use ludwright::language::check;
use ludwright::language::finding::{Code, Finding, Severity};
use ludwright::random::{Random, mix};
use ludwright::syntax::{Node, Span, parse};
use std::sync::atomic::{AtomicU64, Ordering};

const MUTATIONS: u64 = 2_000;
/// Number of random games per accepted text, and their ply limit.
const GAMES: u64 = 20;
const PLIES: u32 = 60;
/// Games on boards with more sites are slow, and later plies show nothing new; only the first few
/// are played.
const LARGE_BOARD: usize = 150;
const FIRST_PLIES: u32 = 5;

/// Returns the games of `games` and `tests/games` that need no other file.
fn games() -> Vec<(String, String)> {
    let files = ["games", "tests/games"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect(folder));
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        (path.display().to_string(), std::fs::read_to_string(&path).expect("a rules file"))
    };
    let mut games: Vec<(String, String)> = files
        .map(read)
        .filter(|(_, source)| !source.contains("(variant-of") && !source.contains("(include"))
        .collect();
    games.sort();
    games
}

/// Spans of every form and every token of a game.
fn places(source: &str) -> Vec<Span> {
    let mut places = Vec::new();
    let mut left: Vec<Node> = parse(source).forms;
    while let Some(node) = left.pop() {
        places.push(node.span);
        if let Some(parts) = node.as_form() {
            places.extend([
                Span::new(node.span.start, node.span.start + 1),
                Span::new(node.span.end - 1, node.span.end),
            ]);
            left.extend(parts.iter().cloned());
        }
    }
    places.sort_unstable();
    places
}

/// Makes one change, and returns a description and the text.
fn mutate(source: &str, places: &[Span], random: &mut Random) -> (String, String) {
    let mut pick = || places[random.below(places.len() as u32) as usize];
    let (mut here, mut there) = (pick(), pick());
    let name = |span: Span| span.text(source).chars().take(60).collect::<String>();
    let replaced =
        |span: Span, with: &str| format!("{}{with}{}", &source[..span.start], &source[span.end..]);
    match random.below(5) {
        0 => (format!("without `{}`", name(here)), replaced(here, "")),
        1 => (
            format!("`{}` twice", name(here)),
            replaced(here, &format!("{0} {0}", here.text(source))),
        ),
        2 => {
            (format!("`{}` for `{}`", name(there), name(here)), replaced(here, there.text(source)))
        }
        3 => {
            if here > there {
                std::mem::swap(&mut here, &mut there);
            }
            if here.end > there.start {
                return (format!("without `{}`", name(here)), replaced(here, ""));
            }
            let (one, other, between) =
                (here.text(source), there.text(source), &source[here.end..there.start]);
            (
                format!("`{}` and `{}` exchanged", name(here), name(there)),
                replaced(here.join(there), &format!("{other}{between}{one}")),
            )
        }
        _ => {
            let word = loop {
                let span = places[random.below(places.len() as u32) as usize];
                if span.text(source).starts_with(char::is_alphanumeric) {
                    break span;
                }
            };
            let letters: Vec<char> = word.text(source).chars().collect();
            let at = random.below(letters.len() as u32) as usize;
            let mut new = letters.clone();
            match random.below(4) {
                0 => drop(new.remove(at)),
                1 => new.insert(at, letters[at]),
                2 => new.swap(at, letters.len() - 1),
                _ => new[at] = (b'a' + random.below(26) as u8) as char,
            }
            let new: String = new.into_iter().collect();
            (format!("`{new}` for `{}`", name(word)), replaced(word, &new))
        }
    }
}

/// Checks a text, and plays it if it is valid. Returns whether it is accepted.
fn explain_or_play(source: &str, what: &str, seed: u64) -> bool {
    let checked = check(source, &[]);
    for finding in &checked.findings {
        let places = finding.others.iter().map(|other| other.span).chain([finding.span]);
        for span in places {
            assert!(
                source.get(span.start..span.end).is_some_and(|text| !text.is_empty()),
                "{what}: {finding:?}"
            );
        }
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        assert!(
            edits.clone().all(|edit| source.get(edit.span.start..edit.span.end).is_some()),
            "{what}: {finding:?}"
        );
        assert!(edits.is_sorted_by_key(|edit| edit.span), "{what}: {finding:?}");
        assert!(!finding.message.contains("internal error"), "{what}: {finding:?}");
    }
    let Some(rules) = checked.rules else {
        let errors =
            checked.findings.iter().filter(|finding| finding.severity() == Severity::Error);
        assert!(errors.count() > 0, "{what}: rejected without a word\n{source}");
        return false;
    };
    let plies = if rules.board.len() > LARGE_BOARD { FIRST_PLIES } else { PLIES };
    let game = match Game::compile(rules) {
        Ok(game) => game,
        Err(finding) => {
            let told = source
                .get(finding.span.start..finding.span.end)
                .is_some_and(|text| !text.is_empty());
            assert!(told && !finding.message.contains("internal error"), "{what}: {finding:?}");
            return false;
        }
    };
    // Rules that do not terminate are found in play, and must be reported.
    let told = |message: &str, span: Span| {
        let shown = source.get(span.start..span.end).is_some_and(|text| !text.is_empty());
        assert!(
            shown && !message.is_empty() && !message.contains("internal error"),
            "{what}: {message}"
        );
    };
    let first = match game.begin() {
        Ok(first) => first,
        Err(fault) => {
            told(&fault.message, fault.span);
            return true;
        }
    };
    let mut playouts = game.playouts(&first);
    for number in 0..GAMES {
        if let Err(fault) = playouts.play(mix(seed, number), plies) {
            told(&fault.message, fault.span);
            break;
        }
    }
    true
}

#[test]
fn what_is_changed_is_explained_or_played() {
    let games: Vec<(String, String, Vec<Span>)> =
        games().into_iter().map(|(name, source)| (name, source.clone(), places(&source))).collect();
    let (next, accepted) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= MUTATIONS {
                    break;
                }
                let (name, source, places) = &games[(number % games.len() as u64) as usize];
                let mut random = Random::new(mix(5, number));
                let (what, text) = mutate(source, places, &mut random);
                if explain_or_play(&text, &format!("{name}, mutation {number}, {what}"), number) {
                    accepted.fetch_add(1, Ordering::Relaxed);
                }
            }
        };
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        workers.into_iter().for_each(|worker| worker.join().expect("a worker"));
    });
    // Texts with changed numbers or doubled conditions are usually accepted; most others are not.
    let accepted = accepted.into_inner();
    assert!(
        (MUTATIONS / 20..MUTATIONS * 4 / 5).contains(&accepted),
        "{accepted} of {MUTATIONS} accepted"
    );
}

/// Returns the errors of a text.
fn errors(source: &str) -> Vec<Finding> {
    let findings = check(source, &[]).findings;
    findings.into_iter().filter(|finding| finding.severity() == Severity::Error).collect()
}

/// A single change should cause few errors. Exchanging a bracket counts as several changes.
#[test]
fn few_mutations_cascade() {
    let (mut rejected, mut cascades, mut worst) = (0, Vec::new(), 0);
    for (index, (name, source)) in games().iter().enumerate() {
        let places = places(source);
        for number in 0..100 {
            let mut random = Random::new(mix(index as u64, number));
            let (what, text) = mutate(source, &places, &mut random);
            if what.contains("exchanged") && (what.contains("`(`") || what.contains("`)`")) {
                continue;
            }
            let errors = errors(&text);
            rejected += usize::from(!errors.is_empty());
            worst = worst.max(errors.len());
            // Unbalanced brackets are exempt.
            if errors.len() > 3
                && errors.iter().all(|finding| {
                    !matches!(finding.code, Code::UnclosedBracket | Code::StrayBracket)
                })
            {
                let messages: Vec<&str> =
                    errors.iter().map(|finding| finding.message.as_str()).collect();
                cascades.push(format!("{name}, {what}:\n  {}", messages.join("\n  ")));
            }
        }
    }
    if std::env::var_os("SHOW_CASCADES").is_some() {
        println!("{}\n{} of {rejected}, at worst {worst}", cascades.join("\n"), cascades.len());
    }
    assert!(
        cascades.len() * 50 < rejected,
        "{} of {rejected}, at worst {worst}:\n{}",
        cascades.len(),
        cascades.join("\n")
    );
}

/// A bracket that closes too early or too late is one mistake and, thanks to indentation, one
/// error.
#[test]
fn a_bracket_in_the_wrong_place_is_one_mistake() {
    let (mut rejected, mut cascades) = (0, Vec::new());
    for (index, (name, source)) in games().iter().enumerate() {
        let places = places(source);
        for number in 0..30 {
            let mut random = Random::new(mix(index as u64, number));
            let mut pick = || loop {
                let place = places[random.below(places.len() as u32) as usize];
                if place.text(source) == ")" {
                    break place.start;
                }
            };
            // Moves a closing bracket to the position of another one.
            let (from, to) = (pick(), pick());
            let mut text = source.clone();
            text.insert(to, ')');
            text.remove(if from < to { from } else { from + 1 });
            let errors = errors(&text);
            rejected += usize::from(!errors.is_empty());
            if errors.len() > 1 {
                let messages: Vec<&str> =
                    errors.iter().map(|finding| finding.message.as_str()).collect();
                cascades.push(format!("{name}, from {from} to {to}:\n  {}", messages.join("\n  ")));
            }
        }
    }
    if std::env::var_os("SHOW_CASCADES").is_some() {
        println!("{}\n{} of {rejected}", cascades.join("\n"), cascades.len());
    }
    assert!(
        cascades.len() * 38 < rejected,
        "{} of {rejected}:\n{}",
        cascades.len(),
        cascades.join("\n")
    );
}
