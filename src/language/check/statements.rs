//! Checks lists of statements, and the statements with irregular arguments.

use super::Checker;
use super::moves::statement;
use super::report::usage;
use super::typed::{Access, Target, Typed, at};
use crate::language::builder::Builder;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

impl Checker<'_> {
    /// Checks a list of statements, which is the scope of its variables. Statements that fail are
    /// dropped.
    pub(super) fn statements(&mut self, nodes: &[Node]) -> Vec<Spanned<Statement>> {
        let corrected = self.bracketed(nodes, &|kind| kind == Kind::Statement);
        let nodes = corrected.as_deref().unwrap_or(nodes);
        let mark = self.context.scope.mark();
        let mut statements = Vec::with_capacity(nodes.len());
        for node in nodes {
            statements.extend(self.value::<Vec<_>>(node).unwrap_or_default());
        }
        self.context.scope.release(mark);
        let is_let = |node: &&Node| node.begins_with(Ludeme::Let.row().spelling);
        let mut lets = nodes.iter().filter(is_let).peekable();
        if lets.peek().is_some() && self.has_known_ply(&statements) {
            for node in lets {
                let message = "`let` is not allowed in the order of play: its value would be of an earlier position";
                let finding = Finding::new(Code::Misplaced, node.head_span(), message);
                self.report(finding.with_help(
                    "use `define` to compute it again each time, or `remember` to keep a value",
                ));
            }
        }
        statements
    }

    /// Checks `(if condition statements… (else statements…))`.
    pub(super) fn if_statement(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let ([condition], rest) = self.leading(Ludeme::If.row(), node, args)?;
        if self.is_diagnosing()
            && let Some((head, _)) = condition.head()
            && self.kind_of_node(condition) == Some(Kind::Statement)
        {
            let message =
                format!("expected a condition in `if`, found `{head}`, which is a statement");
            let finding = Finding::new(Code::MissingArgument, condition.span, message);
            self.report_missing(finding.with_help(usage(Ludeme::If.row())));
            self.statements(rest);
            return None;
        }
        let rest = self.without_then(rest);
        if rest.is_empty() {
            let head = node.head_span();
            self.missing("if", head, Kind::Statement.spelling(), Kind::Statement);
        }
        let condition = self.value(condition);
        let (then, last) = self.split_branch(rest, "else");
        let then = self.statements(then);
        let otherwise = last.map(|body| self.statements(body.args())).unwrap_or_default();
        let choice = Statement::If { condition: condition?, then, otherwise };
        Some(statement(choice, node.span))
    }

    /// Reports a word `then` after the condition of an `if`, and returns what follows.
    pub(super) fn without_then<'n>(&mut self, nodes: &'n [Node]) -> &'n [Node] {
        let then = Ludeme::Then.row().spelling;
        let Some((word, rest)) =
            nodes.split_first().filter(|(word, _)| word.as_word() == Some(then))
        else {
            return nodes;
        };
        let message = format!("`if` takes no `{then}`: what is done follows the condition");
        let finding = Finding::new(Code::ExtraArgument, word.span, message);
        let fix = Fix::delete(word.span, &format!("`{then}`"));
        self.report(finding.with_help(format!("delete `{then}`")).with_fix(fix));
        rest
    }

    /// Builds a `while`. A bound on its rounds is a variable that counts down, and a requirement
    /// behind the loop.
    pub(super) fn while_statement(
        &mut self,
        condition: Spanned<Condition>,
        limit: Option<Box<Spanned<Spanned<Number>>>>,
        mut body: Vec<Spanned<Statement>>,
        span: Span,
    ) -> Option<Typed> {
        let Some(limit) = limit else {
            return Some(statement(Statement::While(condition, body), span));
        };
        let bound = limit.span;
        let new = Builder::before(bound);
        let left = self.add_variable("rounds-left", new.span, Kind::Number)?;
        let held = || Box::new(new.at(Number::Local(left)));
        let halves = |halves| Box::new(new.at(Number::Constant(halves)));
        let has_left = new.at(Condition::Compare(Comparison::Greater, held(), halves(0)));
        let asked = at(Condition::And(vec![condition.clone(), has_left]), condition.span);
        let less = new.at(Number::Subtract(held(), halves(2)));
        body.insert(0, new.at(Statement::Assign(left, Value::Number(less))));
        let over = at(Condition::Not(Box::new(condition)), bound);
        Some(Typed::Statement(vec![
            new.at(Statement::Let(left, Value::Number(limit.node))),
            at(Statement::While(asked, body), span),
            at(Statement::Require(over), bound),
        ]))
    }

    /// Checks `(let variable value)`.
    pub(super) fn let_statement(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let row = Ludeme::Let.row();
        let Some(([variable, value], extra)) = self.leading(row, node, args) else {
            args.iter().for_each(|variable| self.bind_unknown(variable));
            return None;
        };
        self.extra(row.spelling, 2, extra);
        let typed = self.expression(value, Kind::Any);
        let kind = typed.as_ref().map_or(Kind::Any, Typed::kind);
        let whole = match &typed {
            Some(Typed::Number(number)) => self.whole(number),
            _ => Some(()),
        };
        let named = match typed {
            None | Some(Typed::Statement(_)) => None,
            Some(typed) => typed.value(),
        };
        if named.is_none() && kind != Kind::Any {
            self.not_a_value(value, kind);
        }
        let kind = if named.is_some() { kind } else { Kind::Any };
        let local = self.new_variable(variable, kind)?;
        self.bind(local);
        self.context.lets.insert(local);
        self.usage.named.push(local);
        whole?;
        let value = named?;
        Some(statement(Statement::Let(local, value), node.span))
    }

    /// Checks `(set memory to)`.
    pub(super) fn set_statement(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let row = Ludeme::Set.row();
        let ([memory, to], extra) = self.leading(row, node, args)?;
        if self.swapped(row.spelling, &[Kind::Memory, Kind::Any], args).is_some() {
            return None;
        }
        self.extra(row.spelling, 2, extra);
        let target = self.target(memory);
        let wanted = match &target {
            Some(Target::Variable(_, kind)) => *kind,
            Some(Target::Memory(access)) => {
                self.declared.memories[access.memory.index()].kind().unwrap_or(Kind::Any)
            }
            None => Kind::Any,
        };
        let to = self.expression(to, wanted)?;
        if let Typed::Number(number) = &to {
            self.whole(number)?;
        }
        let access = match target? {
            Target::Memory(access) => *access,
            Target::Variable(variable, _) => {
                return Some(statement(Statement::Assign(variable.node, to.value()?), node.span));
            }
        };
        let Access { memory, player, direction, key, site, .. } = access;
        let set = match to {
            Typed::Number(to) => Statement::SetNumber { memory, player, site, key, to },
            Typed::Sites(to) => Statement::SetSites { memory, player, direction, to },
            Typed::Site(to) => Statement::SetSite { memory, player, site, to },
            Typed::Player(to) => Statement::SetPlayer { memory, player, to },
            Typed::Piece(to) => Statement::SetKind { memory, player, site, to },
            Typed::Direction(to) => Statement::SetDirection { memory, player, site, to },
            Typed::Condition(to) => Statement::SetCondition { memory, player, to },
            _ => return None,
        };
        Some(statement(set, node.span))
    }

    /// Builds `raise` and `lower`.
    pub(super) fn change(
        &mut self,
        ludeme: Ludeme,
        target: Target,
        by: Spanned<Number>,
    ) -> Option<Statement> {
        let access = match self.check_held(target, Kind::Number)? {
            Target::Memory(access) => *access,
            Target::Variable(variable, _) => {
                self.whole(&by)?;
                let span = by.span;
                let held = at(Number::Local(variable.node), variable.span);
                let to = match ludeme {
                    Ludeme::Lower => Number::Subtract(Box::new(held), Box::new(by)),
                    _ => Number::Add(vec![held, by]),
                };
                let to = at(to, span);
                return Some(Statement::Assign(variable.node, Value::Number(to)));
            }
        };
        let Access { memory, player, site, key, .. } = access;
        Some(match ludeme {
            Ludeme::Lower => Statement::Lower { memory, player, site, key, by },
            _ => Statement::Raise { memory, player, site, key, by },
        })
    }

    /// Builds `mark` and `unmark`.
    pub(super) fn mark(
        &mut self,
        ludeme: Ludeme,
        sites: Spanned<Sites>,
        target: Target,
    ) -> Option<Statement> {
        let access = match self.check_held(target, Kind::Sites)? {
            Target::Memory(access) => *access,
            Target::Variable(variable, _) => {
                let span = sites.span;
                let held = at(Sites::Local(variable.node), variable.span);
                let to = match ludeme {
                    Ludeme::Unmark => Sites::And(vec![held, at(Sites::Not(Box::new(sites)), span)]),
                    _ => Sites::Or(vec![held, sites]),
                };
                return Some(Statement::Assign(variable.node, Value::Sites(at(to, span))));
            }
        };
        let Access { memory, player, direction, .. } = access;
        Some(match ludeme {
            Ludeme::Unmark => Statement::Unmark { memory, player, direction, sites },
            _ => Statement::Mark { memory, player, direction, sites },
        })
    }

    /// Checks that what is to be changed holds the wanted type.
    fn check_held(&mut self, target: Target, wanted: Kind) -> Option<Target> {
        let (kind, span, named, sort) = match &target {
            Target::Memory(access) => {
                let entry = &self.declared.memories[access.memory.index()];
                (entry.kind()?, access.span, entry.name.span, "memory")
            }
            Target::Variable(variable, kind) => {
                let named = self.context.locals[variable.node.index()].span;
                (*kind, variable.span, named, "variable")
            }
        };
        if kind == wanted {
            return Some(target);
        }
        let message = format!(
            "expected a {sort} that holds {}, found `{}`, which holds {}",
            wanted.phrase(),
            self.excerpt(span),
            kind.phrase()
        );
        let finding = Finding::new(Code::WrongType, span, message)
            .with_other(named, format!("this {sort} is declared here"));
        self.refuse(finding.with_optional_help(self.usage_within()))
    }

    /// Finds what `set` and its like change: a memory, or the variable of a `let`.
    pub(super) fn target(&mut self, node: &Node) -> Option<Target> {
        let variable = node.as_word().and_then(|word| self.variable(word));
        let Some((local, kind)) = variable else {
            return self.access(node).map(|access| Target::Memory(Box::new(access)));
        };
        self.record_expected(node, Kind::Memory);
        self.usage.uses.insert(node.span, self.context.locals[local.index()].span);
        self.usage.written.insert(node.span);
        if self.context.lets.contains(&local) && kind != Kind::Directions {
            return Some(Target::Variable(at(local, node.span), kind));
        }
        if kind == Kind::Any {
            return self.fail();
        }
        let word = self.excerpt(node.span);
        let declared = self.context.locals[local.index()].span;
        let message = format!("`{word}` cannot be changed: it is not the variable of a `let`");
        let help = format!("name its value first, with another name, such as `(let now {word})`");
        let finding = Finding::new(Code::WrongType, node.span, message).with_help(help);
        self.refuse(finding.with_other(declared, "declared here"))
    }
}
