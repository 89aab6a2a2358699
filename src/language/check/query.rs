//! Checks an expression that is typed apart from the rules, in the scope of a game.
//!
//! A lower-case word that means nothing in the game, and is no likely misspelling, is a *free
//! variable*; its type follows from the first place where it stands. An expression has at most one.

use super::report::{Within, found_phrase};
use super::spelling;
use super::typed::{Typed, accepts};
use super::{Checker, Suspects};
use crate::board::Direction;
use crate::language::desugar::desugar;
use crate::language::finding::{Code, Finding, Severity};
use crate::language::ludemes::{Kind, Ludeme, TABLE};
use crate::language::ludii_hints;
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::language::sources::Sources;
use crate::language::{CheckedExpression, ExpressionBody, FreeVariable};
use crate::syntax::{self, Node, Span};

/// Words up to this length are rarely misspelled, and often variables.
const SHORT: usize = 2;

/// Checks the last file of `sources` as an expression in the scope of the game of the others; see
/// [`check_expression`](crate::language::check_expression).
pub(in crate::language) fn query(
    sources: &Sources,
    choices: &[(String, String)],
) -> Result<CheckedExpression, Vec<Finding>> {
    let own = sources.names().len() - 1;
    let start = sources.byte_of(own, 0);
    let tree = syntax::parse(sources.text_of(own)).shifted(start);
    let mut checker = Checker::new(sources, choices, Suspects::All);
    let declared = checker.declarations(sources.trees());
    // Conditions can ask for the legality of moves.
    checker.move_rules();
    checker.usage.called.clear();
    checker.free = Some(Vec::new());
    let body = match checker.faults(&tree.faults) && tree.faults.is_empty() {
        true => checker.queried(&tree.forms, Span::new(start, sources.text().len())),
        false => None,
    };
    let free = checker.free.take().unwrap_or_default();
    let mut rules = declared.and_then(|(title, _)| checker.scope_rules(title.unwrap_or_default()));
    if let Some(rules) = &mut rules {
        desugar(rules, &checker.declared.sugar);
    }
    checker.settle_findings();
    match (rules, body) {
        (Some(rules), Some(body)) if !checker.diagnostics.failed => {
            let free = free.first().map(|&variable| FreeVariable {
                variable,
                kind: checker.context.kinds[variable.index()],
            });
            Ok(CheckedExpression { rules, body, free })
        }
        _ => {
            let findings = checker.diagnostics.findings.into_iter();
            let errors = findings.filter(|finding| finding.severity() == Severity::Error);
            Err(errors.map(Finding::shortened).collect())
        }
    }
}

impl Checker<'_> {
    /// Checks the nodes of the query, which must be one expression.
    fn queried(&mut self, nodes: &[Node], whole: Span) -> Option<ExpressionBody> {
        self.context.part += 1;
        self.context.within = Within::Nothing;
        let [node] = nodes else {
            let (span, found) = match nodes.get(1) {
                Some(second) => (second.span, format!("{} after it", self.snippet(second))),
                None => (whole, String::from("nothing")),
            };
            let message = format!("expected one expression, found {found}");
            return self.refuse(Finding::new(Code::ExtraArgument, span, message));
        };
        if let Some(option) = self.option_of_words(node) {
            return Some(ExpressionBody::Word(option));
        }
        let kind = match node.as_word() {
            Some(word) if word == Ludeme::Nowhere.row().spelling => Some(Kind::Sites),
            Some(word) if self.declared.verbs.contains_key(word) => Some(Kind::Move),
            _ => self.kind_of_node(node),
        };
        if kind == Some(Kind::Statement) || kind == Some(Kind::Move) {
            self.no_value(node, kind.unwrap_or(Kind::Statement));
            return None;
        }
        let wanted = kind.filter(|&kind| kind == Kind::Domain).unwrap_or(Kind::Any);
        let typed = self.expression(node, wanted);
        if typed.is_none() && self.diagnostics.findings.is_empty() {
            self.report_cause(node);
        }
        let kind = typed.as_ref()?.kind();
        let body = match typed? {
            Typed::Domain(domain) => Some(ExpressionBody::Domain(domain)),
            typed => match typed.value() {
                None | Some(Value::Statements(_)) => None,
                Some(value) => Some(ExpressionBody::Value(value)),
            },
        };
        if body.is_none() {
            self.no_value(node, kind);
        }
        body
    }

    /// Returns the chosen value of an option of words that a node names.
    fn option_of_words(&self, node: &Node) -> Option<String> {
        let Some(Meaning::Option(index)) = self.meaning_of(node) else { return None };
        let option = self.declared.options.get(index).filter(|option| !option.is_numeric())?;
        option.values.get(option.chosen).map(|value| value.spelling())
    }

    /// Reports a node that has no value.
    fn no_value(&mut self, node: &Node, kind: Kind) {
        let message = format!(
            "expected an expression, found {}, which is {}",
            self.snippet(node),
            found_phrase(kind)
        );
        let help = match kind {
            Kind::Statement => {
                "a statement changes the position; an expression has a value, such as `(count (empty))`"
            }
            Kind::Move => {
                "to play it, type it with its arguments at the prompt; `(can …)` asks if it is legal"
            }
            Kind::Assertion => "an assertion is tested by `claim`; type the condition in it",
            _ => "an expression has a value, such as `(count (empty))`",
        };
        self.report(Finding::new(Code::WrongType, node.span, message).with_help(help));
    }

    /// Reports why a definition that the expression uses has no value with the chosen options.
    fn report_cause(&mut self, node: &Node) {
        let mut left = std::mem::take(&mut self.usage.called);
        let mut seen = vec![false; self.declared.definitions.len()];
        while let Some(index) = left.pop() {
            if !std::mem::replace(&mut seen[index], true) {
                left.extend(&self.declared.definitions[index].calls);
                for finding in std::mem::take(&mut self.declared.definitions[index].deferred) {
                    self.report(finding);
                }
            }
        }
        if self.diagnostics.findings.is_empty() {
            let message = format!("{} has no value with these options", self.snippet(node));
            self.report(Finding::new(Code::WrongType, node.span, message));
        }
    }

    /// Finds the free variable of that name.
    pub(super) fn free_variable(&self, word: &str) -> Option<Local> {
        let free = self.free.as_ref()?;
        free.iter().copied().find(|local| self.context.locals[local.index()].name == word)
    }

    /// Makes a word that means nothing a free variable, if the expression may have one.
    pub(super) fn new_free_variable(
        &mut self,
        node: &Node,
        word: &str,
        wanted: Kind,
    ) -> Option<Local> {
        let first = self.free.as_ref()?.first().copied();
        let kind = match wanted {
            Kind::Site | Kind::Sites => Kind::Site,
            Kind::Direction | Kind::Directions => Kind::Direction,
            Kind::Number | Kind::Player | Kind::Piece => wanted,
            _ => return None,
        };
        if !word.starts_with(char::is_lowercase) || self.has_meaning(word, wanted) {
            return None;
        }
        if let Some(first) = first {
            let first = self.context.locals[first.index()].clone();
            let message = format!(
                "expected at most one free variable, found `{word}` besides `{}`",
                first.name
            );
            let help = format!(
                "write {} for one of them, or bind it, as in `(some {word} … …)`",
                kind.phrase()
            );
            let finding = Finding::new(Code::UnknownName, node.span, message)
                .with_other(first.span, format!("`{}` is free here", first.name));
            self.report_again(self.key(word), finding.with_help(help));
        }
        let local = self.add_variable(word, node.span, kind)?;
        self.free.as_mut()?.push(local);
        Some(local)
    }

    /// Tests if a word has a meaning elsewhere, or is probably a misspelling.
    fn has_meaning(&self, word: &str, wanted: Kind) -> bool {
        let is_direction = || {
            accepts(wanted, Kind::Direction)
                && Direction::from_name(&word.to_ascii_uppercase()).is_some()
        };
        if self.declared.verbs.contains_key(word)
            || TABLE.iter().any(|row| row.spelling == word)
            || is_direction()
        {
            return true;
        }
        if word.chars().count() <= SHORT {
            return false;
        }
        ludii_hints::word(word).is_some()
            || TABLE.iter().any(|row| spelling::is_typo(word, row.spelling))
            || self.words_for(wanted).iter().any(|known| spelling::is_typo(word, known))
    }
}
