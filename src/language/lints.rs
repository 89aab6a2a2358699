//! Lints: conditions that are always true or always false, moves that are never legal, unreachable
//! statements, names that are never used.
//!
//! Runs on games without errors. A finding must hold for all values of the options, which the value
//! analysis sees to. `effects` has the lints on effects and on the setup, `unused` those on names.

mod effects;
mod unused;
mod value_analysis;

use crate::board::Board;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind};
use crate::language::names::{Meaning, Usage};
use crate::language::quantities::spell_halves;
use crate::language::rules::*;
use crate::language::visit::{Composite, Expression, StatementClass};
use crate::syntax::Span;
use effects::Guard;
use rustc_hash::FxHashMap;
use value_analysis::{Range, UNBOUNDED_END, ValueAnalysis};

/// The maximal number of boards that are built to find the largest one.
const BOARDS: usize = 64;

/// What the lints read: the typed rules, with the declarations and uses that the checker noted.
pub(super) struct CheckedGame<'r> {
    pub rules: &'r Rules,
    /// The chosen values of options, by name; the others have their defaults.
    pub choices: &'r [(String, String)],
    /// Iterated sort by sort, those of players excepted.
    pub declarations: Vec<(Meaning, &'r Named)>,
    pub usage: &'r Usage,
    /// In the order of the options.
    pub options: Vec<DeclaredOption>,
    /// The `board` part.
    pub board: Option<Span>,
}

pub(super) struct DeclaredOption {
    /// The spans of its values and its default.
    pub arguments: Vec<Span>,
    /// The range of its values, in halves, if they are numbers.
    pub bounds: Option<(i64, i64)>,
}

/// Returns the lints of the game's own file; included files may serve several games. `board_size`
/// returns the number of sites of the board with other choices of option values.
pub(super) fn lint(
    game: &CheckedGame,
    board_size: impl Fn(&[(String, String)]) -> Option<usize>,
) -> Vec<Finding> {
    let sites = game.rules.board.len();
    let mut linter = Linter::new(game, sites);
    linter.gather();
    if !linter.findings.is_empty() {
        // A finding may hold only because the board is as small as it is: check the largest board
        // as well.
        let largest = largest_board(game, &mut linter.values, board_size);
        if largest > sites {
            linter = Linter::new(game, largest);
            linter.gather();
        }
    }
    let mut findings = unused::unused(game);
    findings.extend(linter.findings);
    findings.retain(|finding| game.rules.files.file_of(finding.span) == 0);
    findings
}

/// Returns the maximal number of sites under any option values, or the general limit if there are
/// too many combinations.
fn largest_board(
    game: &CheckedGame,
    values: &mut ValueAnalysis,
    board_size: impl Fn(&[(String, String)]) -> Option<usize>,
) -> usize {
    let Some(options) = game.board.and_then(|board| values.options_in(board)) else {
        return Board::LIMIT;
    };
    let mut choices = vec![game.choices.to_vec()];
    for option in options.into_iter().filter_map(|option| game.rules.options.get(option)) {
        if choices.len() * option.values.len() > BOARDS {
            return Board::LIMIT;
        }
        let with = |chosen: &Vec<(String, String)>, value: &String| {
            let others = chosen.iter().filter(|(name, _)| *name != option.name).cloned();
            others.chain([(option.name.clone(), value.clone())]).collect::<Vec<_>>()
        };
        choices = choices
            .iter()
            .flat_map(|chosen| option.values.iter().map(move |value| with(chosen, value)))
            .collect();
    }
    let sizes = choices.iter().filter_map(|choices| board_size(choices));
    sizes.max().unwrap_or(Board::LIMIT).max(game.rules.board.len())
}

struct Linter<'r> {
    rules: &'r Rules,
    source: &'r str,
    values: ValueAnalysis<'r>,
    /// What the conditions tested so far imply for numbers in memories.
    guards: Vec<Guard>,
    findings: Vec<Finding>,
}

/// The context of statements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Move,
    End,
    Elsewhere,
}

impl<'r> Linter<'r> {
    fn new(game: &CheckedGame<'r>, largest: usize) -> Linter<'r> {
        Linter {
            rules: game.rules,
            source: game.rules.source(),
            values: ValueAnalysis::new(game, largest),
            guards: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn gather(&mut self) {
        let rules = self.rules;
        for definition in &rules.definitions {
            match &definition.body {
                Value::Statements(body) => self.statements(body, Within::Elsewhere),
                Value::Condition(condition) => {
                    self.operands(condition);
                    self.inside(Expression::Condition(condition));
                }
                body => body.expression().into_iter().for_each(|body| self.expression(body)),
            }
            self.guards.clear();
        }
        for rule in &rules.moves {
            for parameter in &rule.parameters {
                if let Domain::Sites(sites) = &parameter.domain
                    && self.values.is_never(sites)
                {
                    let message =
                        format!("`{}` is never legal: this region is always empty", rule.verb);
                    self.warn(Code::NeverLegal, sites.span, message, self.why_never(sites));
                }
                parameter
                    .domain
                    .expression()
                    .into_iter()
                    .for_each(|domain| self.expression(domain));
            }
            self.values.choose(rule);
            self.statements(&rule.body, Within::Move);
            self.values.change();
            self.guards.clear();
        }
        self.setup();
        self.statements(&rules.setup, Within::Elsewhere);
        self.guards.clear();
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

    fn statements(&mut self, statements: &'r [Spanned<Statement>], within: Within) {
        // The conditions after which the game has ended, by their texts.
        let mut over: FxHashMap<&str, Span> = FxHashMap::default();
        for (index, statement) in statements.iter().enumerate() {
            if let Statement::If { condition, then, .. } = &statement.node
                && within == Within::End
            {
                self.lint_repeated_end(condition, &over);
                if !over.is_empty() && !statement.node.bodies().into_iter().all(only_ends) {
                    over.clear();
                }
                if then.iter().any(|statement| is_result(&statement.node)) {
                    over.entry(condition.span.text(self.source)).or_insert(condition.span);
                }
            } else if !is_result(&statement.node) {
                over.clear();
            }
            self.effect(statement, statements.len() == 1);
            self.statement(statement, within);
            let (last, help) = match &statement.node {
                result if is_result(result) => {
                    ("the game has already ended here", "move it up, or delete it")
                }
                Statement::Forever(_) | Statement::Turns(_) => (
                    "this loop never ends",
                    "move it into the loop; or let the loop end, in an `until`: `(until (none (empty)) (turns …))`",
                ),
                _ => continue,
            };
            if let Some(next) = statements.get(index + 1) {
                let mut finding =
                    Finding::new(Code::NeverReached, next.span, format!("unreachable: {last}"));
                finding.help = Some(String::from(help));
                self.findings.push(finding);
            }
            break;
        }
    }

    fn statement(&mut self, statement: &'r Spanned<Statement>, within: Within) {
        match &statement.node {
            Statement::Require(condition) => self.lint_condition(condition, "require", within),
            Statement::If { condition, .. } => self.lint_condition(condition, "if", within),
            Statement::While(condition, _) => self.lint_condition(condition, "while", within),
            Statement::Until(condition, _) => self.lint_condition(condition, "until", within),
            Statement::Steps { ending, .. } if ending.span != statement.span => {
                self.lint_condition(ending, "so-that", within)
            }
            Statement::For(Binder { domain: Domain::Sites(sites), .. }, _)
                if self.values.is_never(sites) =>
            {
                let message = String::from("this loop never runs: its region is always empty");
                self.warn(Code::NeverReached, sites.span, message, self.why_never(sites));
            }
            Statement::Then { parameters, .. } => {
                for parameter in parameters {
                    if let Domain::Sites(sites) = &parameter.domain
                        && self.values.is_never(sites)
                    {
                        let message = String::from(
                            "nothing is ever chosen here: this region is always empty",
                        );
                        self.warn(Code::NeverReached, sites.span, message, self.why_never(sites));
                    }
                }
            }
            _ => {}
        }
        for expression in statement.node.parts() {
            match expression {
                // The condition of the statement itself was linted above.
                Expression::Condition(_) => self.inside(expression),
                _ => self.expression(expression),
            }
        }
        if !matches!(
            statement.node,
            Statement::Require(_) | Statement::If { .. } | Statement::Let(..)
        ) {
            self.values.change();
        }
        match &statement.node {
            Statement::If { condition, then, otherwise } => {
                let before = self.guards.clone();
                for (body, so) in [(then, true), (otherwise, false)] {
                    self.guard(condition, so);
                    self.statements(body, within);
                    self.guards.clone_from(&before);
                }
            }
            // A loop body may invalidate conditions tested before it.
            statement => {
                for body in statement.bodies() {
                    self.guards.clear();
                    self.statements(body, within);
                    self.guards.clear();
                }
            }
        }
        // The branches may have changed numbers that earlier conditions refer to.
        self.forget_changed(&statement.node);
        if let Statement::Require(condition) = &statement.node {
            self.guard(condition, true);
        }
    }

    /// Lints an expression and its parts.
    fn expression(&mut self, expression: Expression<'r>) {
        let judged = match expression {
            Expression::Sites(Spanned { node: Sites::When(condition, _), .. }) => {
                Some((condition, "when"))
            }
            Expression::Sites(Spanned { node: Sites::Where(_, condition), .. }) => {
                Some((condition, "where"))
            }
            Expression::Number(Spanned { node: Number::CountWhere(_, condition), .. }) => {
                Some((condition, "count"))
            }
            _ => None,
        };
        if let Some((condition, asked_by)) = judged {
            self.lint_condition(condition, asked_by, Within::Elsewhere);
        }
        if let Expression::Sites(Spanned { node: Sites::Group { of, within, .. }, span }) =
            expression
            && of.span.text(self.source) == within.span.text(self.source)
        {
            let text = of.span.text(self.source);
            let finding = Finding::new(
                Code::Redundant,
                *span,
                "redundant `group`: this is the region itself",
            )
            .with_help(format!(
                "write `{text}`; or, for the sites connected with one site, write that site first"
            ))
            .with_fix(Fix::write(*span, text));
            self.findings.push(finding);
        }
        self.lint_direction(expression);
        self.inside(expression);
    }

    /// Reports a direction in which no site of the board has a step.
    fn lint_direction(&mut self, expression: Expression<'r>) {
        let board = &self.rules.board;
        let (span, message) = match expression {
            Expression::Directions(Spanned { node: Directions::Fixed(ways), span })
                if ways.is_empty() =>
            {
                let text = span.text(self.source);
                (*span, format!("this board has no directions for `{text}`"))
            }
            Expression::Direction(Spanned { node: DirectionOf::Fixed(way), span })
                if !board.ways_of_grid().any(|known| known == *way) =>
            {
                let name = board.direction_name(*way);
                (*span, format!("no site of this board has a neighbour in direction `{name}`"))
            }
            _ => return,
        };
        if span.is_empty() || self.findings.iter().any(|finding| finding.span == span) {
            return;
        }
        let help = lacking_directions(board).map(String::from);
        self.warn(Code::Redundant, span, message, help);
    }

    /// Lints the parts of an expression.
    fn inside(&mut self, expression: Expression<'r>) {
        expression.parts().into_iter().for_each(|part| self.expression(part));
    }

    /// Reports an end whose condition has already ended the game.
    fn lint_repeated_end(&mut self, condition: &Spanned<Condition>, over: &FxHashMap<&str, Span>) {
        if let Some(&earlier) = over.get(condition.span.text(self.source)) {
            let finding = Finding::new(
                Code::NeverReached,
                condition.span,
                "unreachable: the same condition has already ended the game",
            )
            .with_other(earlier, "the game ends here")
            .with_help("delete one of the two, or change its condition");
            self.findings.push(finding);
        }
    }

    /// Reports a condition with a known truth value.
    fn lint_condition(
        &mut self,
        condition: &'r Spanned<Condition>,
        asked_by: &str,
        within: Within,
    ) {
        let Some(so) = self.known_truth(condition) else {
            return self.operands(condition);
        };
        let (code, message) = match (asked_by, so, within) {
            ("require", false, Within::Move) => {
                (Code::NeverLegal, "the move is never legal: this condition is always false")
            }
            ("require", true, _) => {
                (Code::ConstantCondition, "this condition is always true, so it forbids nothing")
            }
            ("if", false, Within::End) => {
                (Code::NeverReached, "unreachable: the condition of this end is always false")
            }
            (_, false, _) => (Code::ConstantCondition, "this condition is always false"),
            (_, true, _) => (Code::ConstantCondition, "this condition is always true"),
        };
        let why = self.why(condition);
        self.warn(code, condition.span, message.to_owned(), why);
    }

    /// Lints the operands of a condition whose own truth value is unknown.
    fn operands(&mut self, condition: &'r Spanned<Condition>) {
        match &condition.node {
            Condition::And(all) | Condition::Or(all) => {
                for part in all {
                    match self.known_truth(part) {
                        Some(so) => {
                            let message = if so {
                                "this condition is always true"
                            } else {
                                "this condition is always false"
                            };
                            let why = self.why(part);
                            self.warn(Code::ConstantCondition, part.span, message.to_owned(), why);
                        }
                        None => self.operands(part),
                    }
                }
            }
            Condition::Not(inner) => self.operands(inner),
            Condition::Exists(_, inner) | Condition::Every(_, inner) => {
                self.lint_condition(inner, "", Within::Elsewhere)
            }
            _ => {}
        }
    }

    /// Returns the truth value of a condition that the author has written out, if it holds for all
    /// option values.
    fn known_truth(&mut self, condition: &'r Spanned<Condition>) -> Option<bool> {
        let so = self.values.truth(condition)?;
        // A literal such as `true` is intended; and some conditions are generated.
        let text = condition.span.text(self.source);
        let head = text
            .strip_prefix('(')?
            .split(|end: char| end.is_whitespace() || end == '(' || end == ')')
            .next()?;
        ludemes::rows(head).any(|row| row.result == Kind::Condition).then_some(())?;
        self.values.is_general(condition).then_some(so)
    }

    fn why(&mut self, condition: &'r Spanned<Condition>) -> Option<String> {
        match &condition.node {
            Condition::In(site, sites)
                if !self.values.is_never(sites)
                    && self.values.chosen_from(&site.node).is_some() =>
            {
                let from = self.values.chosen_from(&site.node)?.span.text(self.source);
                Some(format!("`{}` is chosen from `{from}`", site.span.text(self.source)))
            }
            Condition::Any(sites) | Condition::None(sites) | Condition::In(_, sites) => {
                self.why_never(sites)
            }
            Condition::SameSite(left, right) => self.why_never_same(left, right, "none"),
            Condition::SameDirection(left, right) => self.why_never_along(left, right),
            Condition::Not(inner) => match &inner.node {
                Condition::SameSite(left, right) => self.why_never_same(left, right, "any"),
                Condition::SameDirection(left, right) => self.why_never_along(left, right),
                _ => None,
            },
            Condition::Compare(_, left, right) => {
                let of = |number: &Spanned<Number>, (least, most): Range| {
                    let text = number.span.text(self.source);
                    (least > -UNBOUNDED_END
                        && !matches!(number.node, Number::Constant(_))
                        && !text.contains('\n'))
                    .then(|| {
                        let least = spell_halves(least);
                        match most < UNBOUNDED_END {
                            true => {
                                format!("`{text}` is always from {least} to {}", spell_halves(most))
                            }
                            false => format!("`{text}` is always at least {least}"),
                        }
                    })
                };
                let (one, other) = (self.values.range(left), self.values.range(right));
                of(left, one).or(of(right, other))
            }
            Condition::And(all) | Condition::Or(all) => {
                let written =
                    all.iter().find(|part| matches!(part.node, Condition::Constant(_)))?;
                let text = written.span.text(self.source);
                Some(format!("`{text}` decides the result: replace it, or delete the condition"))
            }
            _ => None,
        }
    }

    /// Explains that a site never equals `nowhere`, and what tests if there is one.
    fn why_never_same(
        &self,
        left: &Spanned<SiteOf>,
        right: &Spanned<SiteOf>,
        instead: &str,
    ) -> Option<String> {
        let other = match (&left.node, &right.node) {
            (_, SiteOf::Nowhere) => left,
            (SiteOf::Nowhere, _) => right,
            _ => return None,
        };
        let text = other.span.text(self.source);
        Some(format!("nowhere equals nothing: to test for a site, write `({instead} {text})`"))
    }

    /// Explains that no direction equals nothing, and what tests if there is one.
    fn why_never_along(
        &self,
        left: &Spanned<DirectionOf>,
        right: &Spanned<DirectionOf>,
    ) -> Option<String> {
        let other = match (is_no_direction(&left.node), is_no_direction(&right.node)) {
            (_, true) => left,
            (true, _) => right,
            _ => return None,
        };
        let text = other.span.text(self.source);
        Some(format!(
            "no direction equals nothing: to test for a direction, write `(some d {text} true)`"
        ))
    }

    /// Explains why a region is always empty.
    fn why_never(&self, sites: &Spanned<Sites>) -> Option<String> {
        match &sites.node {
            Sites::Pieces { kinds, .. } => {
                let kind = kinds
                    .iter()
                    .filter_map(|kind| kind.node.fixed())
                    .find(|&kind| !self.values.is_put(kind))?;
                Some(format!(
                    "no rule puts a `{}` on the board",
                    self.rules.pieces.get(kind.index())?.name
                ))
            }
            Sites::And(all) => all
                .iter()
                .find_map(|part| self.why_never(part))
                .or(Some(String::from("these regions have no site in common"))),
            _ => None,
        }
    }
}

/// Tests if a direction is written as none.
pub(super) fn is_no_direction(direction: &DirectionOf) -> bool {
    matches!(direction, DirectionOf::Between(from, to)
        if matches!((&from.node, &to.node), (SiteOf::Nowhere, _) | (_, SiteOf::Nowhere)))
}

fn is_result(statement: &Statement) -> bool {
    statement.class() == StatementClass::Result
}

/// Tests if statements change nothing except that they may end the game.
fn only_ends(statements: &[Spanned<Statement>]) -> bool {
    let harmless = |statement: &Spanned<Statement>| match &statement.node {
        Statement::If { .. } => statement.node.bodies().into_iter().all(only_ends),
        statement => is_result(statement),
    };
    statements.iter().all(harmless)
}

/// Returns what would give a board further directions, if it can have some.
pub(super) fn lacking_directions(board: &Board) -> Option<&'static str> {
    match board.compass().len() {
        6 if board.diagonal().is_empty() => {
            Some("with `diagonals` in `(board …)`, hexagons have directions across their corners")
        }
        8 if board.can_leap() && board.leaping().is_empty() => {
            Some("with `leaps` in `(board …)`, squares have the directions of a knight's leap")
        }
        _ => None,
    }
}
