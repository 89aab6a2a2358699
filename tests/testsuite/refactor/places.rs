//! Refactorings at many places, drawn by a seed: of games that ship, classics and generated games.
//! Whatever is done, it is refused or the game stays the same. `PLACES_FROM` and `PLACES_TIME` (in
//! seconds) draw others.

use super::{applied, difference, expressions, game, games, study};
use crate::generator::generate;
use ludwright::compare::Renaming;
use ludwright::editor::CheckedSources;
use ludwright::editor::refactor::{Action, refactor, variant};
use ludwright::editor::rename::rename;
use ludwright::language::finding::Severity;
use ludwright::language::names::NameKind;
use ludwright::random::Random;
use ludwright::syntax::{Span, parse};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a test goes on drawing, in seconds, and how many places it tries in any case.
const TIME: u64 = 20;
const LEAST: usize = 12;
/// Larger rules take too long to be checked again and again.
const LARGEST: usize = 6_000;

/// A game at which something is tried.
struct Sample {
    path: PathBuf,
    text: String,
    study: CheckedSources,
    random: Random,
}

impl Sample {
    /// Draws a game: every second one is generated.
    fn draw(files: &[(PathBuf, String)], number: usize) -> Option<Sample> {
        let mut random = Random::new(0x5eed + number as u64);
        let (path, text) = match number % 2 {
            0 => files[random.below(files.len() as u32) as usize].clone(),
            _ => (stand_in(), generate(random.bits64()).text),
        };
        let study = study(&path, &text);
        (!study.is_faulty()).then_some(Sample { path, text, study, random })
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        (!all.is_empty()).then(|| all[self.random.below(all.len() as u32) as usize].clone())
    }

    /// Says how the game with another text differs, if it does.
    fn fault(&self, after: &str, renamed: &[Renaming], about: &str) -> Option<String> {
        let changed = study(&self.path, after);
        let told = format!("{about} in {}", self.path.display());
        if changed.is_faulty() {
            return Some(format!("{told}: {:?}\n{after}", changed.checked.findings));
        }
        let found = difference(&game(&self.study), &game(&changed), renamed)?;
        Some(format!("{told}: {found}\n{}\nbecame\n{after}", self.text))
    }
}

/// Where generated games are said to be: a variant can only name a file that there is.
fn stand_in() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games/tic-tac-toe.game")
}

/// Tries something at many games; the trial returns `None` if it was refused, or what is wrong.
fn try_many(trial: &mut dyn FnMut(&mut Sample) -> Option<Result<(), String>>) {
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a game");
        (text.len() <= LARGEST).then_some((path, text))
    };
    let files: Vec<(PathBuf, String)> = games().into_iter().filter_map(read).collect();
    let asked = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let time = Duration::from_secs(asked("PLACES_TIME").unwrap_or(TIME));
    let from = asked("PLACES_FROM").unwrap_or(0) as usize;
    let began = Instant::now();
    let (mut done, mut faults) = (0, Vec::new());
    for number in from..from + 2_000 {
        if began.elapsed() > time && (done >= LEAST || began.elapsed() > time * 6) {
            break;
        }
        let Some(mut sample) = Sample::draw(&files, number) else { continue };
        if let Some(tried) = trial(&mut sample) {
            done += 1;
            faults.extend(tried.err().map(|fault| format!("{number}: {fault}")));
        }
    }
    println!("{done} tried");
    assert!(done >= LEAST, "only {done}");
    assert!(faults.is_empty(), "{} of {done}:\n{}", faults.len(), faults.join("\n\n"));
}

fn result(fault: Option<String>) -> Option<Result<(), String>> {
    Some(fault.map_or(Ok(()), Err))
}

#[test]
fn any_expression_is_extracted() {
    try_many(&mut |sample| {
        let span = sample.pick(&expressions(&sample.text))?;
        let edits = refactor(&sample.study, 0, span, Action::Extract, None).ok()?;
        let about = format!("{} extracted", span.text(&sample.text));
        result(sample.fault(&applied(&sample.text, edits), &[], &about))
    });
}

#[test]
fn any_definition_is_written_out() {
    try_many(&mut |sample| {
        let is_own = |span: Span| sample.study.sources.place(span).0 == 0;
        let names = sample.study.checked.names.iter();
        let defined = names.filter(|name| name.kind == NameKind::Definition && is_own(name.span));
        let spans: Vec<Span> =
            defined.map(|name| sample.study.sources.place(name.span).1).collect();
        let span = sample.pick(&spans)?;
        let edits = refactor(&sample.study, 0, span, Action::Inline, None).ok()?;
        let about = format!("{} written out", span.text(&sample.text));
        result(sample.fault(&applied(&sample.text, edits), &[], &about))
    });
}

/// Also to names that are taken: that is refused, or makes no difference.
#[test]
fn anything_is_renamed() {
    try_many(&mut |sample| {
        let names: Vec<_> = sample.study.checked.names.iter().cloned().collect();
        let own = |span: Span| sample.study.sources.place(span).0 == 0;
        let named: Vec<_> = names.iter().filter(|name| own(name.span)).cloned().collect();
        let name = sample.pick(&named)?;
        let is_small = matches!(name.kind, NameKind::Move | NameKind::Variable);
        let to = match sample.random.below(2) {
            0 => (if is_small { "renamed" } else { "Renamed" }).to_owned(),
            _ => sample.pick(&names)?.name,
        };
        let at = sample.study.sources.place(name.span).1.start;
        let changes = rename(std::slice::from_ref(&sample.study), 0, at, &to).ok()?;
        if changes.len() != 1 {
            return None;
        }
        let edits = changes.get(sample.study.sources.name()).cloned()?;
        let is_compared =
            !matches!(name.kind, NameKind::Definition | NameKind::Option | NameKind::Variable);
        let pair = Renaming { left: name.name.clone(), right: to.clone() };
        let pairs = if is_compared { vec![pair] } else { Vec::new() };
        let about = format!("{} {} renamed to {to}", name.kind.word(), name.name);
        result(sample.fault(&applied(&sample.text, edits), &pairs, &about))
    });
}

#[test]
fn any_number_becomes_an_option() {
    try_many(&mut |sample| {
        let is_number = |span: &Span| span.text(&sample.text).parse::<u32>().is_ok();
        let numbers: Vec<Span> = words(&sample.text).into_iter().filter(is_number).collect();
        let span = sample.pick(&numbers)?;
        let edits = refactor(&sample.study, 0, span, Action::MakeOption, None).ok()?;
        let about = format!("{} at {} as an option", span.text(&sample.text), span.start);
        result(sample.fault(&applied(&sample.text, edits), &[], &about))
    });
}

/// Declarations that nothing uses go again; the game is as before they came.
#[test]
fn what_nothing_uses_goes() {
    const UNUSED: [&str; 5] = [
        "(option Spare (range 1 3) 2 \"Unused.\")",
        "(remember Spare number)",
        "(define Spare (empty))",
        "(define (Spare (site s)) (and (empty) (beside s)))",
        "(define Spare (count (mine)))",
    ];
    try_many(&mut |sample| {
        let parts: Vec<Span> = parts(&sample.text);
        let (at, unused) = (sample.pick(&parts)?.start, sample.pick(&UNUSED)?);
        let text = format!("{}{unused}\n  {}", &sample.text[..at], &sample.text[at..]);
        let with = study(&sample.path, &text);
        if with.is_faulty() {
            return None;
        }
        let edits = refactor(&with, 0, Span::new(0, 0), Action::DeleteUnused, None);
        let about = format!("{unused} at {at}");
        let edits = match edits {
            Ok(edits) => edits,
            Err(message) => return Some(Err(format!("{about}: {message}"))),
        };
        let after = applied(&text, edits);
        if after.contains("Spare") {
            return Some(Err(format!("{about} is still there\n{after}")));
        }
        result(sample.fault(&after, &[], &about))
    });
}

/// A game with a part of another, without one of its parts, or with another number is written as a
/// variant of what it was.
#[test]
fn any_change_becomes_a_variant() {
    try_many(&mut |sample| {
        let spans = parts(&sample.text);
        let changed = match sample.random.below(3) {
            0 => {
                let span = sample.pick(&spans)?;
                format!("{}{}", &sample.text[..span.start], &sample.text[span.end..])
            }
            1 => {
                let other = generate(sample.random.bits64()).text;
                let (span, taken) = (sample.pick(&spans)?, sample.pick(&parts(&other))?);
                let taken = taken.text(&other);
                format!("{}{taken}{}", &sample.text[..span.start], &sample.text[span.end..])
            }
            _ => {
                let is_number = |span: &Span| span.text(&sample.text).parse::<u32>().is_ok();
                let numbers: Vec<Span> =
                    words(&sample.text).into_iter().filter(is_number).collect();
                let span = sample.pick(&numbers)?;
                format!("{}2{}", &sample.text[..span.start], &sample.text[span.end..])
            }
        };
        let after = study(&sample.path, &changed);
        let is_whole = |finding: &&ludwright::language::finding::Finding| {
            finding.severity() == Severity::Error
        };
        if after.is_faulty() || after.checked.findings.iter().any(|finding| is_whole(&finding)) {
            return None;
        }
        let base = sample.path.file_name()?.to_str()?.to_owned();
        let written = variant(&base, &sample.text, &changed, "Other").ok()?;
        let folder = sample.path.parent()?;
        let (own, path) = (sample.path.clone(), folder.join("variant-of-it.game"));
        let known = |asked: &Path| match asked {
            asked if asked == path => Some(written.clone()),
            asked if asked == own => Some(sample.text.clone()),
            _ => None,
        };
        let sources = ludwright::files::gather_with(&path, &known).ok()?;
        let made = CheckedSources::of(sources);
        let told = format!("{}\nchanged to\n{changed}\nas a variant\n{written}", sample.text);
        if made.is_faulty() {
            return Some(Err(format!("{told}: {:?}", made.checked.findings)));
        }
        // What is changed at random can be too large to compile.
        let after = ludwright::load(after.sources.clone(), &[]).ok()?;
        let found = difference(&after, &game(&made), &[]);
        result(found.map(|found| format!("{found}: {told}")))
    });
}

/// Lists the spans of the parts of a game.
fn parts(text: &str) -> Vec<Span> {
    let tree = parse(text);
    let parts = tree.forms.iter().filter_map(|form| form.as_form()).flatten();
    parts.filter(|node| node.as_form().is_some()).map(|node| node.span).collect()
}

/// Lists the spans of the words and numbers of a text.
fn words(text: &str) -> Vec<Span> {
    fn collect(node: &ludwright::syntax::Node, spans: &mut Vec<Span>) {
        match node.as_form() {
            Some(nodes) => nodes.iter().for_each(|node| collect(node, spans)),
            None => spans.push(node.span),
        }
    }
    let mut spans = Vec::new();
    parse(text).forms.iter().for_each(|form| collect(form, &mut spans));
    spans
}
