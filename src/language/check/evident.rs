//! What is evident about a game without playing it: conditions that are always so or never, moves that are never legal, and what is never come to.
//!
//! In: a game without errors, and the facts about it. Out: warnings. What another value of an option may give a meaning is left alone.

use super::Checker;
use super::constants::spell;
use super::facts::{FAR, Facts, Range};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{self, Kind};
use crate::language::rules::*;
use crate::syntax::Span;

impl Checker<'_> {
    /// Warns of what is evident in the game's own file.
    pub(super) fn warn_of_the_evident(&mut self, rules: &Rules) {
        let mut evidence = Evidence { rules, source: self.source, facts: Facts::new(self, rules), findings: Vec::new() };
        evidence.gather();
        let findings: Vec<Finding> = evidence.findings.into_iter().filter(|finding| self.sources.file_of(finding.span) == 0).collect();
        findings.into_iter().for_each(|finding| self.report(finding));
    }
}

struct Evidence<'r> {
    rules: &'r Rules,
    source: &'r str,
    facts: Facts<'r>,
    findings: Vec<Finding>,
}

/// Where statements stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Move,
    End,
    Elsewhere,
}

impl<'r> Evidence<'r> {
    fn gather(&mut self) {
        let rules = self.rules;
        for definition in &rules.definitions {
            match &definition.body {
                Value::Statements(body) => self.statements(body, Within::Elsewhere),
                Value::Condition(condition) => self.operands(condition),
                _ => {}
            }
        }
        for rule in &rules.moves {
            for parameter in &rule.parameters {
                if let Domain::Sites(sites) = &parameter.domain
                    && self.facts.is_never(sites)
                {
                    let message = format!("`{}` is never legal: there is never a site in this region", rule.verb);
                    self.warn(Code::NeverLegal, sites.span, message, self.why_never(sites));
                }
            }
            self.facts.choose(rule);
            self.statements(&rule.body, Within::Move);
            self.facts.change();
        }
        self.statements(&rules.setup, Within::Elsewhere);
        self.statements(&rules.play, Within::Elsewhere);
        self.statements(&rules.end, Within::End);
        if let Some(repetition) = &rules.repetition {
            self.statements(&repetition.then, Within::End);
        }
    }

    fn warn(&mut self, code: Code, span: Span, message: String, help: Option<String>) {
        let mut finding = Finding::new(code, span, message);
        finding.help = help;
        self.findings.push(finding);
    }

    fn statements(&mut self, statements: &'r [At<Statement>], within: Within) {
        // The conditions under which the game has ended before it comes this far.
        let mut over: Vec<&At<Condition>> = Vec::new();
        for (index, statement) in statements.iter().enumerate() {
            if let Statement::If { condition, then, .. } = &statement.it
                && within == Within::End
            {
                self.judge_again(condition, &over);
                over.retain(|_| statement.it.bodies().into_iter().all(only_ends));
                if then.iter().any(|statement| is_result(&statement.it)) {
                    over.push(condition);
                }
            } else if !is_result(&statement.it) {
                over.clear();
            }
            self.statement(statement, within);
            let last = match &statement.it {
                result if is_result(result) => "the game is over before",
                Statement::Forever(_) | Statement::Turns(_) => "what stands before goes on for ever",
                _ => continue,
            };
            if let Some(next) = statements.get(index + 1) {
                let mut finding = Finding::new(Code::NeverReached, next.span, "this is never come to").with_label(last);
                finding.help = Some(String::from("move it up, or delete it"));
                self.findings.push(finding);
            }
            break;
        }
    }

    fn statement(&mut self, statement: &'r At<Statement>, within: Within) {
        match &statement.it {
            Statement::Require(condition) => self.judge(condition, "require", within),
            Statement::If { condition, .. } => self.judge(condition, "if", within),
            Statement::While(condition, _) => self.judge(condition, "while", within),
            Statement::Steps { ending, .. } if ending.span != statement.span => self.judge(ending, "so-that", within),
            Statement::For(Binder { domain: Domain::Sites(sites), .. }, _) if self.facts.is_never(sites) => {
                let message = String::from("this is never done: there is never a site in this region");
                self.warn(Code::NeverReached, sites.span, message, self.why_never(sites));
            }
            _ => {}
        }
        if !matches!(statement.it, Statement::Require(_) | Statement::If { .. } | Statement::Let(..)) {
            self.facts.change();
        }
        for body in statement.it.bodies() {
            self.statements(body, within);
        }
    }

    /// Says of an end that the same condition has ended the game before.
    fn judge_again(&mut self, condition: &At<Condition>, over: &[&At<Condition>]) {
        let same = |earlier: &&&At<Condition>| earlier.span.text(self.source) == condition.span.text(self.source);
        if let Some(earlier) = over.iter().find(same) {
            let finding = Finding::new(Code::NeverReached, condition.span, "this end never comes: the same condition ends the game before")
                .with_other(earlier.span, "here")
                .with_help("delete one of them, or change its condition");
            self.findings.push(finding);
        }
    }

    /// Says of a condition that it is always so or never, and what follows.
    fn judge(&mut self, condition: &'r At<Condition>, asked_by: &str, within: Within) {
        let Some(so) = self.evident(condition) else {
            return self.operands(condition);
        };
        let (code, message) = match (asked_by, so, within) {
            ("require", false, Within::Move) => (Code::NeverLegal, "the move is never legal: this is never so"),
            ("require", true, _) => (Code::ConstantCondition, "this is always so, and forbids nothing"),
            ("if", false, Within::End) => (Code::NeverReached, "this end never comes: its condition is never so"),
            (_, false, _) => (Code::ConstantCondition, "this condition is never so"),
            (_, true, _) => (Code::ConstantCondition, "this condition is always so"),
        };
        let why = self.why(condition);
        self.warn(code, condition.span, message.to_owned(), why);
    }

    /// Looks at the parts of a condition that is not evident as a whole.
    fn operands(&mut self, condition: &'r At<Condition>) {
        match &condition.it {
            Condition::And(all) | Condition::Or(all) => {
                for part in all {
                    match self.evident(part) {
                        Some(so) => {
                            let message = if so { "this condition is always so" } else { "this condition is never so" };
                            let why = self.why(part);
                            self.warn(Code::ConstantCondition, part.span, message.to_owned(), why);
                        }
                        None => self.operands(part),
                    }
                }
            }
            Condition::Not(inner) => self.operands(inner),
            Condition::Exists(_, inner) | Condition::Every(_, inner) => self.judge(inner, "", Within::Elsewhere),
            _ => {}
        }
    }

    /// Tells if a condition that somebody has written out is always so, or never, whatever the options.
    fn evident(&mut self, condition: &'r At<Condition>) -> Option<bool> {
        let so = self.facts.truth(condition)?;
        // A word such as `true` says what it means; and some conditions are not the author's.
        let text = condition.span.text(self.source);
        let head = text.strip_prefix('(')?.split(|end: char| end.is_whitespace() || end == '(' || end == ')').next()?;
        ludemes::rows(head).any(|row| row.result == Kind::Condition).then_some(())?;
        self.facts.is_general(condition).then_some(so)
    }

    fn why(&mut self, condition: &'r At<Condition>) -> Option<String> {
        match &condition.it {
            Condition::In(site, sites) if !self.facts.is_never(sites) && self.facts.chosen_from(&site.it).is_some() => {
                let from = self.facts.chosen_from(&site.it)?.span.text(self.source);
                Some(format!("`{}` was chosen from `{from}`", site.span.text(self.source)))
            }
            Condition::Any(sites) | Condition::None(sites) | Condition::In(_, sites) => self.why_never(sites),
            Condition::Compare(_, left, right) => {
                let of = |number: &At<Number>, (least, most): Range| {
                    let text = number.span.text(self.source);
                    (least > -FAR && !matches!(number.it, Number::Constant(_)) && !text.contains('\n')).then(|| {
                        let least = spell(least);
                        match most < FAR {
                            true => format!("`{text}` is from {least} to {}", spell(most)),
                            false => format!("`{text}` is at least {least}"),
                        }
                    })
                };
                let (one, other) = (self.facts.range(left), self.facts.range(right));
                of(left, one).or(of(right, other))
            }
            _ => None,
        }
    }

    /// Why a region never has a site.
    fn why_never(&self, sites: &At<Sites>) -> Option<String> {
        match &sites.it {
            Sites::Pieces { kinds, .. } => {
                let kind = kinds.iter().find(|kind| !self.facts.is_put(**kind))?;
                Some(format!("no `{}` is ever put on the board", self.rules.pieces.get(kind.index())?.name))
            }
            Sites::And(all) => {
                all.iter().find_map(|part| self.why_never(part)).or(Some(String::from("no site is in all of these regions at once")))
            }
            _ => None,
        }
    }
}

fn is_result(statement: &Statement) -> bool {
    matches!(statement, Statement::Win(_) | Statement::Lose(_) | Statement::Draw | Statement::ByScore(..))
}

/// Whether statements change nothing, save that they may end the game.
fn only_ends(statements: &[At<Statement>]) -> bool {
    let harmless = |statement: &At<Statement>| match &statement.it {
        Statement::If { .. } => statement.it.bodies().into_iter().all(only_ends),
        statement => is_result(statement),
    };
    statements.iter().all(harmless)
}
