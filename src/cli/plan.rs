//! `ludwright plan`: shows how each clause of a game's rules is executed.
//!
//! In JSON it is one object with the keys `game`, `options`, `instructions` (total), `clauses` and,
//! with `--code`, `code`. A clause has `part` (`setup`, `move`, `play`, `end` or `repetition`),
//! `move` (the verb of a move, else null), `kind` (`choice`, `requirement`, `condition`, `for`,
//! `score` or `loop`), its place (`file`, `line`, `column`, `start`, `end`, `text`), `runs`,
//! `within` (parts that are tested per site, places with `runs`) and `sure` (guards: places of
//! regions, each with `most`: while none has more pieces, the requirement fails for no move). Each
//! of `runs` has `how` (`lifted`, `anew`, `paths`, `numbers`, `decision`, `once`, `tried`, `drawn`,
//! `ahead`, `each`, `cases`, `known`, `sure` or `never`), `many` (number of paths or cases, else
//! null), `holds` (value of a known condition, else null), `instructions` (in all copies),
//! `copies`, `says`, and `because`: null, or a place with `reason`, `says`
//! and `instead` (what to write to avoid it, or null). A routine of `code`
//! has `title`, `start` and `lines`, each with `address`, `target` (whether it is a jump target)
//! and `text`.

use crate::program::answers::place::{locate, place};
use crate::program::arguments::Plan;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use ludwright::compile::clauses::{Clause, Copies, clauses};
use ludwright::compile::listing::{Listing, listing};
use ludwright::compile::plan::{ClauseKind, ClausePart, ExecutionNote, How, Unlifted};
use ludwright::compile::program::{Address, Program};
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::clause::{fold, quote};
use ludwright::syntax::Span;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;

/// Longer clauses are clipped, in characters.
const LONGEST: usize = 56;

/// The game that the output is about.
struct PlanPrinter<'g> {
    rules: &'g Rules,
    program: &'g Program,
    source: &'g Sources,
}

/// Shows how the rules are executed.
pub fn run(task: &Plan, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let loaded = Loaded::new(&task.game, None, console)?;
    let told = PlanPrinter {
        rules: loaded.game.rules(),
        program: loaded.game.program(),
        source: &loaded.source,
    };
    let clauses = clauses(told.program, told.rules);
    let code = task.code.then(|| listing(told.program, told.rules));
    if console.json() {
        writeln!(out, "{}", told.describe(&clauses, code.as_deref()))?;
        return Ok(0);
    }
    told.tell(&clauses, out)?;
    if let Some(code) = code {
        told.list(&code, out)?;
    }
    Ok(0)
}

/// Tests if a clause is executed for one site or one move at a time.
fn is_asked(clause: &Clause) -> bool {
    clause.runs.keys().any(|how| matches!(how, How::Each(_) | How::Tried(_) | How::Ahead))
}

fn name(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Choice => "choice",
        ClauseKind::Requirement => "requirement",
        ClauseKind::Condition => "condition",
        ClauseKind::For => "for",
        ClauseKind::Score => "score",
        ClauseKind::Loop | ClauseKind::Bound => "loop",
    }
}

/// Label of the kind in the table.
fn label(kind: ClauseKind) -> &'static str {
    match kind {
        ClauseKind::Choice => "choose",
        ClauseKind::Requirement => "require",
        ClauseKind::Condition => "if",
        kind => name(kind),
    }
}

fn because(how: &How) -> Option<&Unlifted> {
    match how {
        How::Tried(unlifted) | How::Each(Some(unlifted)) | How::Never(unlifted) => Some(unlifted),
        _ => None,
    }
}

impl PlanPrinter<'_> {
    fn tell(&self, clauses: &[Clause], out: &mut dyn Write) -> std::io::Result<()> {
        let chosen: Vec<&Clause> = clauses
            .iter()
            .filter(|clause| matches!(clause.kind, ClauseKind::Choice | ClauseKind::Requirement))
            .collect();
        let asked = chosen.iter().filter(|clause| is_asked(clause)).count();
        let (code, all) = (self.program.code.len(), chosen.len());
        let (title, lifted) = (&self.rules.title, all - asked);
        writeln!(
            out,
            "{title}: {code} instructions. Choices and requirements that run for all sites at once: {lifted} of {all}."
        )?;
        let places: Vec<Span> = clauses
            .iter()
            .flat_map(|clause| clause.within.keys().map(|(span, _)| *span).chain([clause.span]))
            .collect();
        let width = places.into_iter().map(|span| self.line(span).len()).max().unwrap_or(0);
        let mut part = None;
        for clause in clauses {
            if part.replace(clause.part) != Some(clause.part) {
                writeln!(out, "\n{}", self.heading(clause.part))?;
            }
            let text = fold(self.rules, clause.span, LONGEST);
            let runs = clause
                .runs
                .iter()
                .map(|(how, copies)| (clause.span, label(clause.kind), how, copies, text.clone()));
            let within = clause.within.iter().map(|((span, how), copies)| {
                let text = format!("  inside it: {}", fold(self.rules, *span, LONGEST - 12));
                (*span, "", how, copies, text)
            });
            let mut told = None;
            for (span, label, how, copies, text) in runs.chain(within) {
                let mark = mark(how, clause.part, self.is_exact(clause.part));
                let many = match copies {
                    Copies { instructions: 0, .. } => String::new(),
                    Copies { instructions, copies: 1 } => instructions.to_string(),
                    Copies { instructions, copies } => format!("{instructions} in {copies}"),
                };
                // A clause with several modes of execution is quoted once.
                let (line, label, text) = match told.replace((span, label)) == Some((span, label)) {
                    true => (String::new(), "", String::new()),
                    false => (self.line(span), label, text),
                };
                let row = format!("{line:>width$}  {label:<7}  {mark:<13} {many:>10}  {text}");
                writeln!(out, "  {}", row.trim_end())?;
                if let Some(unlifted) = because(how) {
                    let cause = match unlifted.span == span {
                        true => String::new(),
                        false => format!("of {}: ", self.locate(unlifted.span)),
                    };
                    writeln!(
                        out,
                        "  {:width$}           because {cause}{}",
                        "",
                        unlifted.why.words()
                    )?;
                    if let Some(instead) = unlifted.why.instead() {
                        writeln!(out, "  {:width$}           {instead}", "")?;
                    }
                }
                if *how == How::Sampled {
                    writeln!(
                        out,
                        "  {:width$}           random play tests it for the sampled site only",
                        ""
                    )?;
                }
            }
            for (of, most) in &clause.guards {
                let few = match most {
                    0 => String::from("are none"),
                    most => format!("are at most {most}"),
                };
                writeln!(
                    out,
                    "  {:width$}           holds for every move while there {few} of {}",
                    "",
                    quote(self.rules, *of)
                )?;
            }
        }
        Ok(())
    }

    /// First line of a clause, with its file if there are several.
    fn line(&self, clause: Span) -> String {
        let (file, span) = self.source.place(clause);
        let line = self.source.text_of(file)[..span.start].matches('\n').count() + 1;
        match self.source.names().nth(file) {
            Some(name) if self.source.names().len() > 1 => {
                format!("{}:{line}", name.rsplit(['/', '\\']).next().unwrap_or(name))
            }
            _ => line.to_string(),
        }
    }

    fn locate(&self, clause: Span) -> String {
        locate(clause, self.rules, self.source)
    }

    fn heading(&self, part: ClausePart) -> String {
        let ClausePart::Move(id) = part else {
            let (name, _) = self.part(part);
            return name.to_owned();
        };
        let verb = &self.rules.moves[id.index()].verb;
        match self.is_exact(part) {
            _ if !self
                .program
                .specializations
                .iter()
                .any(|specialization| specialization.rule == id) =>
            {
                format!("move {verb}, never offered")
            }
            true => format!("move {verb}, generated only where it is legal"),
            false => format!("move {verb}, tried to find out if it is legal"),
        }
    }

    /// Tests if the move sets of a part contain legal moves only.
    fn is_exact(&self, part: ClausePart) -> bool {
        self.program.specializations.iter().all(|specialization| {
            specialization.exact
                || specialization.is_proposal
                || ClausePart::Move(specialization.rule) != part
        })
    }

    /// Key of the part, and the verb of a move.
    fn part(&self, part: ClausePart) -> (&'static str, Option<&str>) {
        match part {
            ClausePart::Setup => ("setup", None),
            ClausePart::Move(id) => ("move", Some(&self.rules.moves[id.index()].verb)),
            ClausePart::Play => ("play", None),
            ClausePart::End => ("end", None),
            ClausePart::Repetition => ("repetition", None),
        }
    }

    fn says(&self, how: &How, part: ClausePart) -> String {
        let says = match how {
            How::Lifted => "for all sites of the board at once",
            How::Anew => "for all sites of the board at once, again for each site chosen before",
            How::Paths(1) => {
                return String::from(
                    "for all sites at once, by the path from the site chosen before",
                );
            }
            How::Paths(many) => {
                return format!(
                    "for all sites at once, by each of the {many} paths from the site chosen before"
                );
            }
            How::Numbers => "for all numbers at once",
            How::Decision => "once for all moves of a decision",
            How::Once => match part {
                ClausePart::Setup => "once, before play",
                ClausePart::Move(_) if self.is_exact(part) => "when the move is made",
                ClausePart::Move(_) => "when the move is tried or made",
                ClausePart::Play => "whenever play reaches it",
                ClausePart::End => "after each ply",
                ClausePart::Repetition => "when a position is repeated",
            },
            How::Tried(_) => "for each candidate move when it is tried",
            How::Sampled => "for the move that random play has sampled",
            How::Ahead => "after each ply of the look-ahead",
            How::Each(_) => "for one site after another",
            How::Cases(many) => {
                return format!(
                    "in {many} copies, one for each direction, number or kind of piece"
                );
            }
            How::Known(true) => "never: it is known before play to hold",
            How::Known(false) => "never: it is known before play not to hold",
            How::Guarded { .. } => "once for all moves of a decision, by counting",
            How::Never(_) => "never",
        };
        says.to_owned()
    }

    /// Lists the instructions, each clause above its first one.
    fn list(&self, code: &[Listing], out: &mut dyn Write) -> std::io::Result<()> {
        let mut begins: BTreeMap<Address, Vec<&ExecutionNote>> = BTreeMap::new();
        for note in self.program.notes.iter().filter(|note| note.from < note.to) {
            begins.entry(note.from).or_default().push(note);
        }
        for routine in code {
            writeln!(out, "\n{}", routine.title)?;
            for line in &routine.lines {
                // Inner clauses are noted first, but printed after those around them.
                for note in begins.get(&line.address).into_iter().flatten().rev() {
                    writeln!(out, "        ; {}, {}", self.locate(note.span), label(note.kind))?;
                }
                writeln!(
                    out,
                    "{:>6}{} {}",
                    line.address,
                    if line.is_target { ':' } else { ' ' },
                    line.text
                )?;
            }
        }
        Ok(())
    }

    fn describe(&self, clauses: &[Clause], code: Option<&[Listing]>) -> Value {
        let options = self
            .rules
            .options
            .iter()
            .map(|option| (option.name.clone(), json!(option.values[option.chosen])));
        let mut report = json!({
            "game": self.rules.title,
            "options": options.collect::<Map<String, Value>>(),
            "instructions": self.program.code.len(),
            "clauses": clauses.iter().map(|clause| self.clause(clause)).collect::<Vec<Value>>(),
        });
        if let Some(code) = code {
            report["code"] = code.iter().map(routine).collect();
        }
        report
    }

    fn clause(&self, clause: &Clause) -> Value {
        let (part, verb) = self.part(clause.part);
        let mut entry = json!({ "part": part, "move": verb, "kind": name(clause.kind) });
        if let (Value::Object(entry), Value::Object(place)) =
            (&mut entry, place(clause.span, self.rules, self.source))
        {
            entry.extend(place);
        }
        let run = |how: &How, copies: &Copies| self.run(how, *copies, clause.part);
        entry["runs"] = clause.runs.iter().map(|(how, copies)| run(how, copies)).collect();
        let within = clause.within.iter().map(|((span, how), copies)| {
            let mut inner = place(*span, self.rules, self.source);
            inner["runs"] = json!([run(how, copies)]);
            inner
        });
        entry["within"] = within.collect();
        let guards = clause.guards.iter().map(|(of, most)| {
            let mut pieces = place(*of, self.rules, self.source);
            pieces["most"] = json!(most);
            pieces
        });
        entry["sure"] = guards.collect();
        entry
    }

    fn run(&self, how: &How, copies: Copies, part: ClausePart) -> Value {
        let (name, many, holds) = match *how {
            How::Lifted => ("lifted", None, None),
            How::Anew => ("anew", None, None),
            How::Paths(many) => ("paths", Some(many), None),
            How::Numbers => ("numbers", None, None),
            How::Decision => ("decision", None, None),
            How::Once => ("once", None, None),
            How::Tried(_) => ("tried", None, None),
            How::Sampled => ("drawn", None, None),
            How::Ahead => ("ahead", None, None),
            How::Each(_) => ("each", None, None),
            How::Cases(many) => ("cases", Some(many), None),
            How::Known(holds) => ("known", None, Some(holds)),
            How::Guarded { .. } => ("sure", None, None),
            How::Never(_) => ("never", None, None),
        };
        let because = because(how).map(|unlifted| {
            let mut because = place(unlifted.span, self.rules, self.source);
            because["reason"] = json!(unlifted.why.name());
            because["says"] = json!(unlifted.why.words());
            because["instead"] = json!(unlifted.why.instead());
            because
        });
        json!({
            "how": name,
            "many": many,
            "holds": holds,
            "instructions": copies.instructions,
            "copies": copies.copies,
            "says": self.says(how, part),
            "because": because,
        })
    }
}

/// How a clause is executed, in the few words of the table.
fn mark(how: &How, part: ClausePart, exact: bool) -> String {
    let mark = match how {
        How::Lifted => "all at once",
        How::Anew => "at once, anew",
        How::Paths(1) => return String::from("by 1 path"),
        How::Paths(many) => return format!("by {many} paths"),
        How::Numbers => "all numbers",
        How::Decision => "per decision",
        How::Once => match part {
            ClausePart::Setup => "before play",
            ClausePart::Move(_) if exact => "when made",
            ClausePart::Move(_) => "when tried",
            ClausePart::Play => "when reached",
            ClausePart::End => "each ply",
            ClausePart::Repetition => "when repeated",
        },
        How::Tried(_) => "move by move",
        How::Sampled => "when drawn",
        How::Ahead => "looking ahead",
        How::Each(_) => "site by site",
        How::Cases(many) => return format!("{many} cases"),
        How::Known(true) => "known: yes",
        How::Known(false) => "known: no",
        How::Guarded { .. } => "by counting",
        How::Never(_) => "never",
    };
    mark.to_owned()
}

fn routine(routine: &Listing) -> Value {
    let lines = routine.lines.iter().map(
        |line| json!({ "address": line.address, "target": line.is_target, "text": line.text }),
    );
    json!({ "title": routine.title, "start": routine.start, "lines": lines.collect::<Vec<Value>>() })
}
