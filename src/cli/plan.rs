//! `ludwright plan`: a game in, how each clause of its rules is executed out.
//!
//! In JSON it is one object with the keys `game`, `options`, `instructions` (how many in all), `clauses` and, with `--code`, `code`. A clause has `part` (`setup`,
//! `move`, `play`, `end` or `repetition`), `move` (the verb of a move, else null), `kind` (`choice`, `requirement`, `condition` or `loop`), its place (`file`,
//! `line`, `column`, `start`, `end`, `text`), `runs`, `within` (what is asked site by site inside it, places with `runs`) and `sure` (places of the pieces, each
//! with `most`: while there are no more of any, the requirement fails for no move). Each of `runs` has `how` (`lifted`, `paths`, `numbers`, `decision`, `once`,
//! `tried`, `each`, `cases` or `known`), `many` (paths or cases, else null), `holds` (of what is known, else null), `instructions` (in all copies), `copies`,
//! `says`, and `because`: null, or a place with `reason` and `says`. A routine of `code` has `title`, `start` and `lines`, each with `address`, `target` and `text`.

use super::arguments::Plan;
use super::failure::Failure;
use super::game::Loaded;
use super::screen::Screen;
use super::trace::locate;
use super::why::place;
use indexmap::IndexMap;
use ludwright::compile::listing::{Listing, listing};
use ludwright::compile::plan::{How, Kind, Note, Part, Unlifted};
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::clause::quote;
use ludwright::syntax::Span;
use serde_json::{Map, Value, json};
use std::io::Write;

/// A clause with all the ways in which it is executed.
struct Clause {
    part: Part,
    kind: Kind,
    span: Span,
    runs: IndexMap<How, Copies>,
    /// What is asked site by site inside it.
    within: IndexMap<(Span, How), Copies>,
    /// The pieces to count, and how many there may be.
    sure: IndexMap<(Span, i32), ()>,
}

/// How often code was made for it, and how much.
#[derive(Clone, Copy, Default)]
struct Copies {
    copies: usize,
    instructions: usize,
}

impl Copies {
    fn add(&mut self, note: &Note) {
        self.copies += 1;
        self.instructions += usize::from(note.to - note.from);
    }
}

/// Shows how the rules are executed.
pub fn run(task: &Plan, screen: &Screen, out: &mut dyn Write) -> Result<u8, Failure> {
    let loaded = Loaded::new(&task.game, None, screen)?;
    let (rules, program, source) = (loaded.game.rules(), loaded.game.program(), &loaded.source);
    let clauses = clauses(&program.notes, rules);
    let code = task.code.then(|| listing(program, rules));
    if screen.json() {
        let options = rules.options.iter().map(|option| (option.name.clone(), json!(option.values[option.chosen])));
        let mut report = json!({
            "game": rules.title,
            "options": options.collect::<Map<String, Value>>(),
            "instructions": program.code.len(),
            "clauses": clauses.iter().map(|clause| describe(clause, rules, source)).collect::<Vec<Value>>(),
        });
        if let Some(code) = code {
            report["code"] = code.iter().map(describe_code).collect();
        }
        writeln!(out, "{report}")?;
        return Ok(0);
    }
    writeln!(out, "{}: {} instructions in {} routines", rules.title, program.code.len(), program.origins.len())?;
    let mut part = None;
    for clause in &clauses {
        if part.replace(clause.part) != Some(clause.part) {
            writeln!(out, "\n{}", heading(clause.part, &loaded))?;
        }
        tell(clause, rules, source, out)?;
    }
    for routine in code.iter().flatten() {
        writeln!(out, "\n{}", routine.title)?;
        for line in &routine.lines {
            writeln!(out, "{:>6}{} {}", line.address, if line.is_target { ':' } else { ' ' }, line.text)?;
        }
    }
    Ok(0)
}

/// Gathers the notes by clause, part by part and in reading order; what stands in a definition comes after what stands in the move itself.
fn clauses(notes: &[Note], rules: &Rules) -> Vec<Clause> {
    let mut clauses: IndexMap<(Part, Kind, Span), Clause> = IndexMap::new();
    // What is within a clause is noted before it.
    let mut loops: Vec<Note> = Vec::new();
    let mut bounds = Vec::new();
    for note in notes {
        match note.kind {
            Kind::Loop => loops.push(*note),
            Kind::Bound => bounds.push(note),
            _ => {
                let inside = |inner: &mut Note| note.from <= inner.from && inner.to <= note.to;
                let within: Vec<Note> = loops.extract_if(.., inside).collect();
                let clause = enter(&mut clauses, note);
                within.iter().for_each(|inner| clause.within.entry((inner.span, inner.how)).or_default().add(inner));
            }
        }
    }
    for note in &loops {
        enter(&mut clauses, note);
    }
    for note in bounds {
        let holds = |clause: &&mut Clause| {
            let around = clause.span.start <= note.span.start && note.span.end <= clause.span.end;
            clause.part == note.part && clause.kind == Kind::Requirement && around
        };
        if let (How::Sure { most, of }, Some(clause)) = (note.how, clauses.values_mut().find(holds)) {
            clause.sure.insert((of, most), ());
        }
    }
    let mut clauses: Vec<Clause> = clauses.into_values().collect();
    clauses.sort_by_key(|clause| {
        let elsewhere = match clause.part {
            Part::Move(id) => {
                let rule = rules.moves[id.index()].span;
                clause.span.start < rule.start || clause.span.end > rule.end
            }
            _ => false,
        };
        (clause.part, elsewhere, clause.span)
    });
    clauses
}

/// Counts the note among those of its clause.
fn enter<'c>(clauses: &'c mut IndexMap<(Part, Kind, Span), Clause>, note: &Note) -> &'c mut Clause {
    let Note { part, kind, span, .. } = *note;
    let new = || Clause { part, kind, span, runs: IndexMap::new(), within: IndexMap::new(), sure: IndexMap::new() };
    let clause = clauses.entry((part, kind, span)).or_insert_with(new);
    clause.runs.entry(note.how).or_default().add(note);
    clause
}

fn heading(part: Part, loaded: &Loaded) -> String {
    let program = loaded.game.program();
    match part {
        Part::Setup => String::from("setup"),
        Part::Play => String::from("play"),
        Part::End => String::from("end"),
        Part::Repetition => String::from("repetition"),
        Part::Move(id) => {
            let mut variations = program.variations.iter().filter(|variation| variation.rule == id);
            let legal = match variations.all(|variation| variation.exact) {
                true => "whatever is offered is legal",
                false => "what is offered is tried before it counts as legal",
            };
            format!("move {}: {legal}", loaded.game.rules().moves[id.index()].verb)
        }
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Choice => "choice",
        Kind::Requirement => "requirement",
        Kind::Condition => "condition",
        Kind::Loop | Kind::Bound => "loop",
    }
}

fn tell(clause: &Clause, rules: &Rules, source: &Sources, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "  {}, {}", locate(clause.span, rules, source), kind(clause.kind))?;
    for (how, copies) in &clause.runs {
        writeln!(out, "      {}", sentence(how, *copies, clause.part, rules, source))?;
    }
    for ((span, how), copies) in &clause.within {
        writeln!(out, "      within it, {}", locate(*span, rules, source))?;
        writeln!(out, "          {}", sentence(how, *copies, clause.part, rules, source))?;
    }
    for (of, most) in clause.sure.keys() {
        writeln!(out, "      never doubtful while there {}", bound(*most, *of, rules))?;
    }
    Ok(())
}

fn bound(most: i32, of: Span, rules: &Rules) -> String {
    match most {
        ..0 => format!("is less than nothing of {}", quote(rules, of)),
        0 => format!("are none of {}", quote(rules, of)),
        most => format!("are at most {most} of {}", quote(rules, of)),
    }
}

/// How it is executed, by how much code, and why.
fn sentence(how: &How, copies: Copies, part: Part, rules: &Rules, source: &Sources) -> String {
    let Copies { copies, instructions } = copies;
    let size = match (how, instructions, copies) {
        (How::Known(_) | How::Cases(_) | How::Numbers, 0, _) => String::new(),
        (_, 0, _) => String::from(" (no instruction of its own)"),
        (_, 1, 1) => String::from(" (1 instruction)"),
        (_, many, 1) => format!(" ({many} instructions)"),
        (_, many, copies) => format!(" ({many} instructions in {copies} copies)"),
    };
    let why =
        because(how).map(|unlifted| format!(",\n          because of {}: {}", locate(unlifted.span, rules, source), unlifted.why.words()));
    says(how, part) + &size + &why.unwrap_or_default()
}

fn says(how: &How, part: Part) -> String {
    match how {
        How::Lifted => String::from("for all sites at once"),
        How::Paths(1) => String::from("for all sites at once, by one path from the site before it"),
        How::Paths(many) => format!("for all sites at once, by each of {many} paths from the site before it"),
        How::Numbers => String::from("for all numbers at once"),
        How::Decision => String::from("once per decision"),
        How::Once => String::from(match part {
            Part::Setup => "once, before play",
            Part::Move(_) => "when the move is tried or made",
            Part::Play => "when play comes to it",
            Part::End => "once after each ply",
            Part::Repetition => "once when a position is repeated",
        }),
        How::Tried(_) => String::from("for each candidate when it is tried"),
        How::Each(_) => String::from("for one site after the other"),
        How::Cases(many) => format!("made anew for each of {many}"),
        How::Known(true) => String::from("known before play: it holds"),
        How::Known(false) => String::from("known before play: it does not hold"),
        How::Sure { most, .. } => format!("sure up to {most}"),
    }
}

fn because(how: &How) -> Option<&Unlifted> {
    match how {
        How::Tried(unlifted) | How::Each(Some(unlifted)) => Some(unlifted),
        _ => None,
    }
}

fn describe(clause: &Clause, rules: &Rules, source: &Sources) -> Value {
    let (part, verb) = match clause.part {
        Part::Setup => ("setup", None),
        Part::Move(id) => ("move", Some(&rules.moves[id.index()].verb)),
        Part::Play => ("play", None),
        Part::End => ("end", None),
        Part::Repetition => ("repetition", None),
    };
    let run = |how: &How, copies: &Copies| describe_run(how, *copies, clause.part, rules, source);
    let within = clause.within.iter().map(|((span, how), copies)| {
        let mut inner = place(*span, rules, source);
        inner["runs"] = json!([run(how, copies)]);
        inner
    });
    let sure = clause.sure.keys().map(|(of, most)| {
        let mut pieces = place(*of, rules, source);
        pieces["most"] = json!(most);
        pieces
    });
    let mut entry = Map::from_iter([
        (String::from("part"), json!(part)),
        (String::from("move"), json!(verb)),
        (String::from("kind"), json!(kind(clause.kind))),
    ]);
    if let Value::Object(place) = place(clause.span, rules, source) {
        entry.extend(place);
    }
    entry.insert(String::from("runs"), clause.runs.iter().map(|(how, copies)| run(how, copies)).collect());
    entry.insert(String::from("within"), within.collect());
    entry.insert(String::from("sure"), sure.collect());
    Value::Object(entry)
}

fn describe_run(how: &How, copies: Copies, part: Part, rules: &Rules, source: &Sources) -> Value {
    let (name, many, holds) = match *how {
        How::Lifted => ("lifted", None, None),
        How::Paths(many) => ("paths", Some(many), None),
        How::Numbers => ("numbers", None, None),
        How::Decision => ("decision", None, None),
        How::Once => ("once", None, None),
        How::Tried(_) => ("tried", None, None),
        How::Each(_) => ("each", None, None),
        How::Cases(many) => ("cases", Some(many), None),
        How::Known(holds) => ("known", None, Some(holds)),
        How::Sure { .. } => ("sure", None, None),
    };
    let because = because(how).map(|unlifted| {
        let mut because = place(unlifted.span, rules, source);
        because["reason"] = json!(unlifted.why.name());
        because["says"] = json!(unlifted.why.words());
        because
    });
    json!({
        "how": name,
        "many": many,
        "holds": holds,
        "instructions": copies.instructions,
        "copies": copies.copies,
        "says": says(how, part),
        "because": because,
    })
}

fn describe_code(routine: &Listing) -> Value {
    let lines = routine.lines.iter().map(|line| json!({ "address": line.address, "target": line.is_target, "text": line.text }));
    json!({ "title": routine.title, "start": routine.start, "lines": lines.collect::<Vec<Value>>() })
}
