//! The clauses of a game, each with all the ways in which it is executed.
//!
//! In: the notes of a program and the rules that it was made from. Out: every clause that is written in the rules or was noted, once for each part of the rules
//! that uses it. It decides nothing anew: a clause of which nothing was noted is one for which no instruction was made.

use super::plan::{How, Kind, Note, Part, Unlifted, Why};
use super::program::Program;
use crate::language::rules::{Domain, MoveId, MoveRule, Rules, Spanned, Statement, Value};
use crate::syntax::Span;
use indexmap::IndexMap;

/// A clause of the rules.
#[derive(Clone, Debug)]
pub struct Clause {
    pub part: Part,
    pub kind: Kind,
    pub span: Span,
    pub runs: IndexMap<How, Copies>,
    /// What is asked site by site inside it.
    pub within: IndexMap<(Span, How), Copies>,
    /// Regions of pieces, each with a number: while none has more, the requirement fails for no move.
    pub guards: IndexMap<Span, u32>,
}

/// How often code was made for a clause, and how much in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    pub copies: usize,
    pub instructions: usize,
}

impl Copies {
    fn add(&mut self, note: &Note) {
        self.copies += 1;
        self.instructions += usize::from(note.to - note.from);
    }
}

impl Clause {
    fn new(part: Part, kind: Kind, span: Span) -> Clause {
        Clause { part, kind, span, runs: IndexMap::new(), within: IndexMap::new(), guards: IndexMap::new() }
    }
}

/// Gathers the clauses part by part and in reading order; what stands in a definition comes after what stands in the move itself.
pub fn clauses(program: &Program, rules: &Rules) -> Vec<Clause> {
    let mut clauses = noted(&program.notes);
    for source_clauses in source_clauses(rules) {
        let key = (source_clauses.part, source_clauses.kind, source_clauses.span);
        if !clauses.contains_key(&key) {
            let why = source_clauses.never(&clauses, program, rules);
            let clause = clauses.entry(key).or_insert_with(|| Clause::new(source_clauses.part, source_clauses.kind, source_clauses.span));
            clause.runs.insert(How::Never(why), Copies { copies: 0, instructions: 0 });
        }
    }
    let mut clauses: Vec<Clause> = clauses.into_values().collect();
    clauses.sort_by_key(|clause| {
        let elsewhere = match clause.part {
            Part::Move(id) => !extent(&rules.moves[id.index()]).contains(clause.span),
            _ => false,
        };
        (clause.part, elsewhere, clause.span)
    });
    clauses
}

/// The text of a move.
fn extent(rule: &MoveRule) -> Span {
    let parameters = rule.parameters.iter().map(|parameter| parameter.span.join(parameter.domain.span()));
    parameters.chain(rule.body.iter().map(|statement| statement.span)).fold(rule.span, Span::join)
}

type Noted = IndexMap<(Part, Kind, Span), Clause>;

fn noted(notes: &[Note]) -> Noted {
    let mut clauses = Noted::new();
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
        let bounded =
            |clause: &&mut Clause| clause.part == note.part && clause.kind == Kind::Requirement && clause.span.contains(note.span);
        if let (How::Guarded { most, of }, Some(clause)) = (note.how, clauses.values_mut().find(bounded)) {
            let known = clause.guards.entry(of).or_insert(most);
            *known = most.min(*known);
        }
    }
    clauses
}

/// Counts the note among those of its clause.
fn enter<'c>(clauses: &'c mut Noted, note: &Note) -> &'c mut Clause {
    let Note { part, kind, span, .. } = *note;
    let clause = clauses.entry((part, kind, span)).or_insert_with(|| Clause::new(part, kind, span));
    clause.runs.entry(note.how).or_default().add(note);
    clause
}

/// A clause as the rules have it.
struct SourceClause {
    part: Part,
    kind: Kind,
    span: Span,
    /// The conditions under which it is come to, and what they must be for that, from the outermost.
    conditions_above: Vec<(Span, bool)>,
}

impl SourceClause {
    /// Why nothing was made for it.
    fn never(&self, clauses: &Noted, program: &Program, rules: &Rules) -> Unlifted {
        let contrary = |&&(span, holds): &&(Span, bool)| {
            let condition = clauses.get(&(self.part, Kind::Condition, span));
            condition.is_some_and(|condition| condition.runs.keys().all(|how| *how == How::Known(!holds)))
        };
        if let Some(&(span, _)) = self.conditions_above.iter().find(contrary) {
            return Unlifted { why: Why::Known, span };
        }
        match self.part {
            Part::Move(id) if !program.decisions.iter().any(|decision| decision.moves.contains(&id)) => {
                Unlifted { why: Why::Unoffered, span: rules.moves[id.index()].span }
            }
            _ => Unlifted { why: Why::Unreached, span: self.span },
        }
    }
}

/// Every clause of the rules, in each part that uses it.
fn source_clauses(rules: &Rules) -> Vec<SourceClause> {
    let mut walk = ClauseCollector { rules, part: Part::Setup, conditions_above: Vec::new(), inside: Vec::new(), found: Vec::new() };
    walk.statements(&rules.setup);
    for (rule, id) in rules.moves.iter().zip((0..).map(MoveId)) {
        walk.part = Part::Move(id);
        rule.parameters.iter().for_each(|parameter| walk.find(Kind::Choice, parameter.domain.span()));
        walk.statements(&rule.body);
    }
    for (part, statements) in [(Part::Play, Some(&rules.play)), (Part::End, Some(&rules.end))]
        .into_iter()
        .chain([(Part::Repetition, rules.repetition.as_ref().map(|rule| &rule.then))])
    {
        walk.part = part;
        walk.statements(statements.map_or(&[], Vec::as_slice));
    }
    walk.found
}

struct ClauseCollector<'r> {
    rules: &'r Rules,
    part: Part,
    conditions_above: Vec<(Span, bool)>,
    /// The definitions that it is inside.
    inside: Vec<usize>,
    found: Vec<SourceClause>,
}

impl<'r> ClauseCollector<'r> {
    fn find(&mut self, kind: Kind, span: Span) {
        self.found.push(SourceClause { part: self.part, kind, span, conditions_above: self.conditions_above.clone() });
    }

    fn statements(&mut self, statements: &'r [Spanned<Statement>]) {
        for statement in statements {
            match &statement.node {
                Statement::Require(condition) => self.find(Kind::Requirement, condition.span),
                Statement::Steps { ending, .. } => self.find(Kind::Requirement, ending.span),
                Statement::While(condition, _) => self.find(Kind::Condition, condition.span),
                Statement::For(binder, _) if matches!(binder.domain, Domain::Sites(_)) => self.find(Kind::For, binder.domain.span()),
                Statement::Chain { from, .. } => self.find(Kind::For, from.span),
                Statement::ByScore(_, number) => self.find(Kind::Score, number.span),
                Statement::If { condition, then, otherwise } => {
                    self.find(Kind::Condition, condition.span);
                    for (holds, branch) in [(true, then), (false, otherwise)] {
                        self.conditions_above.push((condition.span, holds));
                        self.statements(branch);
                        self.conditions_above.pop();
                    }
                    continue;
                }
                Statement::Do(definition, _) if !self.inside.contains(&definition.index()) => {
                    if let Value::Statements(body) = &self.rules.definitions[definition.index()].body {
                        self.inside.push(definition.index());
                        self.statements(body);
                        self.inside.pop();
                    }
                }
                _ => {}
            }
            statement.node.bodies().into_iter().for_each(|body| self.statements(body));
        }
    }
}
