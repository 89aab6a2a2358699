//! Checks `then`: a further choice in a move, and its place at the end of the move.

use super::Checker;
use super::moves::statement;
use super::report::usage;
use super::typed::Typed;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// A `then` in a list of statements, or a call of a definition that has one.
struct FoundThen {
    span: Span,
    roles: Vec<ArgumentRole>,
    /// The definition that is called.
    within: Option<DefinitionId>,
    /// Whether nothing is executed after it.
    is_last: bool,
}

impl Checker<'_> {
    /// Checks `(then parameters… statements…)`.
    pub(super) fn then_statement(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let mark = self.context.scope.mark();
        let (first, body) = args.split_at(self.count_parameters(args));
        if first.is_empty() {
            self.report_no_choice(node, args);
        }
        let parameters = self.parameters(first);
        let body = self.statements(body);
        self.context.scope.release(mark);
        let then = Statement::Then { parameters, body };
        (!first.is_empty()).then(|| statement(then, node.span))
    }

    /// Reports a `then` in which nothing is chosen. It may be meant as a word for "and" or as a
    /// branch of an `if`.
    fn report_no_choice(&mut self, node: &Node, args: &[Node]) {
        let head = node.head_span();
        let found = match args.first() {
            Some(first) => self.snippet(first),
            None => String::from("nothing"),
        };
        let message = format!("expected something to choose in `then`, found {found}");
        let finding = Finding::new(Code::MissingArgument, head, message);
        let finding = match args {
            [first, .., last] | [first @ last] => {
                let bare = first.span.join(last.span).text(self.source).to_owned();
                finding
                    .with_help("without a choice, write the statements one after the other")
                    .with_fix(Fix::write(node.span, bare))
            }
            [] => finding.with_help(usage(Ludeme::Then.row())),
        };
        self.report_missing(finding);
    }

    /// Returns the roles of what is chosen in the `then` of these statements, if they have one.
    /// Reports one that is not last, and a second one.
    pub(super) fn further(&mut self, statements: &[Spanned<Statement>]) -> Vec<ArgumentRole> {
        let mut all = Vec::new();
        self.find_thens(statements, true, &mut all);
        for (index, found) in all.iter().enumerate() {
            let what = match found.within {
                None => String::from("`then`"),
                Some(id) => {
                    let name = &self.declared.definitions[id.index()].name.name;
                    format!("`{name}`, which has a `then`,")
                }
            };
            let finding = if index > 0 {
                let message = format!("a move can have only one `then`, and {what} is the second");
                Finding::new(Code::Misplaced, found.span, message)
                    .with_other(all[0].span, "the first is here")
            } else if !found.is_last {
                let message = format!("{what} must be the last statement of its move");
                Finding::new(Code::Misplaced, found.span, message)
                    .with_help(
                        "move what follows it up, or into it: a `then` is last in the move, or in an `if` that is last",
                    )
            } else {
                continue;
            };
            self.report(finding);
        }
        all.into_iter().next().map(|found| found.roles).unwrap_or_default()
    }

    fn find_thens(
        &self,
        statements: &[Spanned<Statement>],
        is_last: bool,
        found: &mut Vec<FoundThen>,
    ) {
        for (index, statement) in statements.iter().enumerate() {
            let is_last = is_last && index + 1 == statements.len();
            let mut add = |roles: Vec<ArgumentRole>, within| {
                found.push(FoundThen { span: statement.span, roles, within, is_last });
            };
            match &statement.node {
                Statement::Then { parameters, body } => {
                    add(parameters.iter().map(Parameter::argument_role).collect(), None);
                    self.find_thens(body, false, found);
                }
                Statement::Do(id, _) => {
                    let roles = &self.declared.definitions[id.index()].further;
                    if !roles.is_empty() {
                        add(roles.clone(), Some(*id));
                    }
                }
                other => {
                    let is_branch = matches!(other, Statement::If { .. } | Statement::ByPlayer(..));
                    for body in other.bodies() {
                        self.find_thens(body, is_last && is_branch, found);
                    }
                }
            }
        }
    }
}
