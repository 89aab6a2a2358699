//! Collects the clauses of a game with all the ways in which each is executed, from the notes of
//! the program and the rules that it was compiled from.
//!
//! Every clause that is written or noted is listed once for each part of the rules that uses it. A
//! clause without notes is one for which no instruction was emitted.

use super::plan::{ClauseKind, ClausePart, ExecutionNote, How, Unlifted, Why};
use super::program::Program;
use crate::language::rules::{Domain, MoveId, MoveRule, Rules, Spanned, Statement};
use crate::language::visit::Composite;
use crate::syntax::Span;
use indexmap::IndexMap;

/// A clause of the rules.
#[derive(Clone, Debug)]
pub struct Clause {
    pub part: ClausePart,
    pub kind: ClauseKind,
    pub span: Span,
    pub runs: IndexMap<How, Copies>,
    /// The parts of the clause that are evaluated site by site.
    pub within: IndexMap<(Span, How), Copies>,
    /// Regions of pieces, each with a number: while no region has more pieces, no move fails the
    /// requirement.
    pub guards: IndexMap<Span, u32>,
}

/// How many copies of a clause were compiled, and their instructions in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    pub copies: usize,
    pub instructions: usize,
}

impl Copies {
    fn add(&mut self, note: &ExecutionNote) {
        self.copies += 1;
        self.instructions += usize::from(note.to - note.from);
    }
}

impl Clause {
    fn new(part: ClausePart, kind: ClauseKind, span: Span) -> Clause {
        Clause {
            part,
            kind,
            span,
            runs: IndexMap::new(),
            within: IndexMap::new(),
            guards: IndexMap::new(),
        }
    }
}

/// Returns the clauses by part and in reading order; the clauses of definitions follow the clauses
/// of the move that uses them.
pub fn clauses(program: &Program, rules: &Rules) -> Vec<Clause> {
    let mut clauses = noted(&program.notes);
    for source_clauses in source_clauses(rules) {
        let key = (source_clauses.part, source_clauses.kind, source_clauses.span);
        if !clauses.contains_key(&key) {
            let why = source_clauses.never(&clauses, program, rules);
            let clause = clauses.entry(key).or_insert_with(|| {
                Clause::new(source_clauses.part, source_clauses.kind, source_clauses.span)
            });
            clause.runs.insert(How::Never(why), Copies { copies: 0, instructions: 0 });
        }
    }
    let mut clauses: Vec<Clause> = clauses.into_values().collect();
    clauses.sort_by_key(|clause| {
        let elsewhere = match clause.part {
            ClausePart::Move(id) => !extent(&rules.moves[id.index()]).contains(clause.span),
            _ => false,
        };
        (clause.part, elsewhere, clause.span)
    });
    clauses
}

/// Returns the text of a move.
fn extent(rule: &MoveRule) -> Span {
    let parameters =
        rule.parameters.iter().map(|parameter| parameter.span.join(parameter.domain.span()));
    parameters.chain(rule.body.iter().map(|statement| statement.span)).fold(rule.span, Span::join)
}

type Noted = IndexMap<(ClausePart, ClauseKind, Span), Clause>;

fn noted(notes: &[ExecutionNote]) -> Noted {
    let mut clauses = Noted::new();
    // A clause inside another is noted before it.
    let mut loops: Vec<ExecutionNote> = Vec::new();
    let mut bounds = Vec::new();
    for note in notes {
        match note.kind {
            ClauseKind::Loop => loops.push(*note),
            ClauseKind::Bound => bounds.push(note),
            _ => {
                let inside =
                    |inner: &mut ExecutionNote| note.from <= inner.from && inner.to <= note.to;
                let within: Vec<ExecutionNote> = loops.extract_if(.., inside).collect();
                let clause = enter(&mut clauses, note);
                within.iter().for_each(|inner| {
                    clause.within.entry((inner.span, inner.how)).or_default().add(inner)
                });
            }
        }
    }
    for note in &loops {
        enter(&mut clauses, note);
    }
    for note in bounds {
        let bounded = |clause: &&mut Clause| {
            clause.part == note.part
                && clause.kind == ClauseKind::Requirement
                && clause.span.contains(note.span)
        };
        if let (How::Guarded { most, of }, Some(clause)) =
            (note.how, clauses.values_mut().find(bounded))
        {
            let known = clause.guards.entry(of).or_insert(most);
            *known = most.min(*known);
        }
    }
    clauses
}

/// Adds the note to its clause.
fn enter<'c>(clauses: &'c mut Noted, note: &ExecutionNote) -> &'c mut Clause {
    let ExecutionNote { part, kind, span, .. } = *note;
    let clause = clauses.entry((part, kind, span)).or_insert_with(|| Clause::new(part, kind, span));
    clause.runs.entry(note.how).or_default().add(note);
    clause
}

/// A clause as it is written.
struct SourceClause {
    part: ClausePart,
    kind: ClauseKind,
    span: Span,
    /// The conditions under which it is reachable, and the values that they must have, outermost
    /// first.
    conditions_above: Vec<(Span, bool)>,
}

impl SourceClause {
    /// Returns why no instruction was emitted for it.
    fn never(&self, clauses: &Noted, program: &Program, rules: &Rules) -> Unlifted {
        let contrary = |&&(span, holds): &&(Span, bool)| {
            let condition = clauses.get(&(self.part, ClauseKind::Condition, span));
            condition.is_some_and(|condition| {
                condition.runs.keys().all(|how| *how == How::Known(!holds))
            })
        };
        if let Some(&(span, _)) = self.conditions_above.iter().find(contrary) {
            return Unlifted { why: Why::Known, span };
        }
        match self.part {
            ClausePart::Move(id)
                if !program.decisions.iter().any(|decision| decision.moves.contains(&id)) =>
            {
                Unlifted { why: Why::Unoffered, span: rules.moves[id.index()].span }
            }
            _ => Unlifted { why: Why::Unreached, span: self.span },
        }
    }
}

/// Returns every written clause, for each part that uses it.
fn source_clauses(rules: &Rules) -> Vec<SourceClause> {
    let mut walk = ClauseCollector {
        rules,
        part: ClausePart::Setup,
        conditions_above: Vec::new(),
        inside: Vec::new(),
        found: Vec::new(),
    };
    walk.statements(&rules.setup);
    for (rule, id) in rules.moves.iter().zip((0..).map(MoveId)) {
        walk.part = ClausePart::Move(id);
        rule.parameters
            .iter()
            .for_each(|parameter| walk.find(ClauseKind::Choice, parameter.domain.span()));
        walk.statements(&rule.body);
    }
    for (part, statements) in
        [(ClausePart::Play, Some(&rules.play)), (ClausePart::End, Some(&rules.end))]
            .into_iter()
            .chain([(ClausePart::Repetition, rules.repetition.as_ref().map(|rule| &rule.then))])
    {
        walk.part = part;
        walk.statements(statements.map_or(&[], Vec::as_slice));
    }
    walk.found
}

struct ClauseCollector<'r> {
    rules: &'r Rules,
    part: ClausePart,
    conditions_above: Vec<(Span, bool)>,
    /// The definitions around the current statement.
    inside: Vec<usize>,
    found: Vec<SourceClause>,
}

impl<'r> ClauseCollector<'r> {
    fn find(&mut self, kind: ClauseKind, span: Span) {
        // What the checker has added is at an empty span.
        if span.is_empty() {
            return;
        }
        self.found.push(SourceClause {
            part: self.part,
            kind,
            span,
            conditions_above: self.conditions_above.clone(),
        });
    }

    fn statements(&mut self, statements: &'r [Spanned<Statement>]) {
        for statement in statements {
            match &statement.node {
                Statement::Require(condition) => self.find(ClauseKind::Requirement, condition.span),
                Statement::Steps { ending, .. } => self.find(ClauseKind::Requirement, ending.span),
                Statement::While(condition, _) | Statement::Until(condition, _) => {
                    self.find(ClauseKind::Condition, condition.span)
                }
                Statement::For(binder, _)
                    if matches!(binder.domain, Domain::Sites(_) | Domain::Groups { .. }) =>
                {
                    self.find(ClauseKind::For, binder.domain.span())
                }
                Statement::Then { parameters, .. } => parameters
                    .iter()
                    .for_each(|parameter| self.find(ClauseKind::Choice, parameter.domain.span())),
                Statement::Chain { from, .. } => self.find(ClauseKind::For, from.span),
                Statement::ByScore(_, number) => self.find(ClauseKind::Score, number.span),
                Statement::If { condition, then, otherwise } => {
                    self.find(ClauseKind::Condition, condition.span);
                    for (holds, branch) in [(true, then), (false, otherwise)] {
                        let above = self.conditions_above.len();
                        if !condition.span.is_empty() {
                            self.conditions_above.push((condition.span, holds));
                        }
                        self.statements(branch);
                        self.conditions_above.truncate(above);
                    }
                    continue;
                }
                Statement::Do(definition, _) if !self.inside.contains(&definition.index()) => {
                    self.inside.push(definition.index());
                    self.statements(self.rules.definitions[definition.index()].body.statements());
                    self.inside.pop();
                }
                _ => {}
            }
            statement.node.bodies().into_iter().for_each(|body| self.statements(body));
        }
    }
}
