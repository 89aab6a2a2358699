//! `ludwright plan`: shows how each clause of a game's rules is executed.

use crate::program::answers::place::{Place, RemarkedPlace, locate, place};
use crate::program::answers::subject::Subject;
use crate::program::arguments::Plan;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::{Answer, print};
use ludwright::compile::clauses::{Clause, Copies, clauses};
use ludwright::compile::listing::{Listing, listing};
use ludwright::compile::plan::{ClauseKind, ClausePart, ExecutionNote, How, Unlifted};
use ludwright::compile::program::{Address, Program};
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::notation::clause::{fold, quote};
use ludwright::syntax::Span;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// Longer clauses are clipped, in characters.
const LONGEST: usize = 56;

/// How the clauses of a game are executed.
#[derive(Serialize, JsonSchema)]
pub struct PlanAnswer {
    #[serde(flatten)]
    subject: Subject,
    /// The instructions of the whole program.
    instructions: usize,
    clauses: Vec<PlannedClause>,
    /// The routines of the program, with `--code`.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Vec<Routine>>,
}

impl Answer for PlanAnswer {
    const NAME: &'static str = "plan";
}

/// How a clause is executed.
#[derive(Serialize, JsonSchema)]
struct PlannedClause {
    /// `setup`, `move`, `play`, `end` or `repetition`.
    part: &'static str,
    /// The verb, if it is a part of a move.
    #[serde(rename = "move")]
    verb: Option<String>,
    /// `choice`, `requirement`, `condition`, `for`, `score` or `loop`.
    kind: &'static str,
    #[serde(flatten)]
    place: Place,
    runs: Vec<Run>,
    /// Its parts that are tested for one site after another.
    within: Vec<PlannedPart>,
    /// Its guards.
    sure: Vec<Guard>,
}

/// A part of a clause.
#[derive(Serialize, JsonSchema)]
struct PlannedPart {
    #[serde(flatten)]
    place: Place,
    runs: Vec<Run>,
}

/// A region that guards a requirement: while it has no more pieces than `most`, the requirement
/// fails for no move.
#[derive(Serialize, JsonSchema)]
struct Guard {
    #[serde(flatten)]
    place: Place,
    most: u64,
}

/// A way in which a clause is executed.
#[derive(Serialize, JsonSchema)]
struct Run {
    /// `lifted`, `anew`, `paths`, `numbers`, `decision`, `once`, `tried`, `drawn`, `ahead`, `each`,
    /// `cases`, `known`, `sure` or `never`.
    how: &'static str,
    /// The number of paths or cases.
    many: Option<u64>,
    /// The value of a condition that is known before play.
    holds: Option<bool>,
    /// The instructions in all copies.
    instructions: usize,
    copies: usize,
    /// The same in words.
    says: String,
    /// Why it is not executed for all sites at once.
    because: Option<Because>,
}

/// What prevents a faster way.
#[derive(Serialize, JsonSchema)]
struct Because {
    #[serde(flatten)]
    place: RemarkedPlace,
    reason: &'static str,
    /// What to write to avoid it.
    instead: Option<&'static str>,
}

/// A routine of the program.
#[derive(Serialize, JsonSchema)]
struct Routine {
    title: String,
    /// The address of its first instruction.
    start: Address,
    lines: Vec<RoutineLine>,
}

/// An instruction.
#[derive(Serialize, JsonSchema)]
struct RoutineLine {
    address: Address,
    /// Whether it is the target of a jump.
    target: bool,
    text: String,
}

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
        print(&told.describe(&clauses, code.as_deref()), out)?;
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
                let piles = self.rules.piles.as_ref().filter(|piles| piles.span == *of);
                let holds = match (piles, most) {
                    (Some(_), most) => format!("no pile is higher than {most}"),
                    (None, 0) => format!("there are none of {}", quote(self.rules, *of)),
                    (None, most) => {
                        format!("there are at most {most} of {}", quote(self.rules, *of))
                    }
                };
                writeln!(out, "  {:width$}           holds for every move while {holds}", "")?;
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

    fn describe(&self, clauses: &[Clause], code: Option<&[Listing]>) -> PlanAnswer {
        PlanAnswer {
            subject: Subject::of(self.rules),
            instructions: self.program.code.len(),
            clauses: clauses.iter().map(|clause| self.clause(clause)).collect(),
            code: code.map(|code| code.iter().map(routine).collect()),
        }
    }

    fn place(&self, span: Span) -> Place {
        place(span, self.rules, self.source)
    }

    fn clause(&self, clause: &Clause) -> PlannedClause {
        let (part, verb) = self.part(clause.part);
        let run = |(how, copies): (&How, &Copies)| self.run(how, *copies, clause.part);
        let within = clause.within.iter().map(|((span, how), copies)| PlannedPart {
            place: self.place(*span),
            runs: vec![run((how, copies))],
        });
        let guards = clause
            .guards
            .iter()
            .map(|(of, most)| Guard { place: self.place(*of), most: u64::from(*most) });
        PlannedClause {
            part,
            verb: verb.map(str::to_owned),
            kind: name(clause.kind),
            place: self.place(clause.span),
            runs: clause.runs.iter().map(run).collect(),
            within: within.collect(),
            sure: guards.collect(),
        }
    }

    fn run(&self, how: &How, copies: Copies, part: ClausePart) -> Run {
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
        let because = because(how).map(|unlifted| Because {
            place: RemarkedPlace {
                place: self.place(unlifted.span),
                says: unlifted.why.words().to_owned(),
            },
            reason: unlifted.why.name(),
            instead: unlifted.why.instead(),
        });
        Run {
            how: name,
            many: many.map(|many| many as u64),
            holds,
            instructions: copies.instructions,
            copies: copies.copies,
            says: self.says(how, part),
            because,
        }
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

fn routine(routine: &Listing) -> Routine {
    let lines = routine.lines.iter().map(|line| RoutineLine {
        address: line.address,
        target: line.is_target,
        text: line.text.clone(),
    });
    Routine { title: routine.title.clone(), start: routine.start, lines: lines.collect() }
}
