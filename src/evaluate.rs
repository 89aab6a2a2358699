//! Evaluates an expression that is typed apart from the rules, in a position of a game: at the
//! prompt, in the command `eval`, in an editor.
//!
//! The expression is checked in the scope of the game's declarations and evaluated by the
//! [reference interpreter](crate::reference). A *free variable*, a word that means nothing in the
//! game, stands for all of its values at once: a condition yields the values for which it holds,
//! any other expression its value for each of them.
//!
//! ```
//! use ludwright::evaluate::Expression;
//!
//! let text = r#"(game "Fill" (players A B) (board (square 3)) (piece Stone)
//!   (move place (to t (empty)) (put Stone t)) (play (turns (choose place))))"#;
//! let game = ludwright::load(text, &[])?;
//! let mut position = game.begin()?;
//! let ply = ludwright::notation::read(&position, "place a1").expect("a legal move");
//! position.play(&ply).expect("a legal move");
//!
//! let told = |text: &str| {
//!     let expression = Expression::parse(&game, text).expect("an expression");
//!     expression.evaluate(&position).expect("a value").describe(expression.rules())
//! };
//! assert_eq!(told("(count (empty))"), "8");
//! assert_eq!(told("(theirs)"), "a1");
//! assert_eq!(told("(in a1 (beside s))"), "holds for s = b1 a2 (2 of 9)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`at_cursor`] evaluates an expression of the rules themselves, at the place where an author
//! points; the variables that are bound around the expression are then free.

mod cursor;
mod describe;
mod in_moves;
mod scope;

pub use cursor::{AtCursor, at_cursor};

use crate::board::Site;
use crate::budget::Fuel;
use crate::diagnostics::{Style, report};
use crate::engine::game::{Game, State, Turn};
use crate::language::finding::Finding;
use crate::language::ludemes::Kind;
use crate::language::rules::{PieceId, PlayerId, Rules};
use crate::language::sources::Sources;
use crate::language::{CheckedExpression, ExpressionBody, check_expression};
use crate::notation::clip;
use crate::reference::{Interpreter, ONE, Value, Variables, View};
use crate::syntax::Span;
use crate::why::{Answer, why_value};

/// The name of the text in findings.
const NAME: &str = "expression";
/// The longest text, in bytes.
const LONGEST: usize = 1 << 16;
/// The fuel of an evaluation, in expressions: some tenths of a second.
const FUEL: u64 = 4_000_000;

/// An expression that can be evaluated in the positions of a game.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    checked: CheckedExpression,
    /// The place of the text in [`Rules::source`].
    span: Span,
}

/// Why a text is no expression.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The texts that the findings refer to: the game's, and the typed one.
    pub sources: Sources,
    /// The findings, at least one.
    pub findings: Vec<Finding>,
}

/// The value of an expression in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluation {
    Value(Value),
    /// The values in the expression's domain, if it is a domain.
    List(Vec<Value>),
    /// The chosen value of an option.
    Word(String),
    /// The values of the free variable for which a condition holds.
    Holds {
        variable: String,
        values: Vec<Value>,
        /// The number of values of the variable.
        of: usize,
    },
    /// The value for each value of the free variable.
    Each {
        variable: String,
        values: Vec<(Value, Value)>,
    },
}

/// The message for expressions that run out of fuel.
pub const TOO_LONG: &str = "evaluating this expression takes too long";

/// Tests if a line is meant as an expression: it begins with a bracket.
pub fn is_expression(line: &str) -> bool {
    line.trim_start().starts_with('(')
}

impl Expression {
    /// Checks a text in the scope of a game with its chosen options.
    ///
    /// # Errors
    /// Returns all faults of the text.
    pub fn parse(game: &Game, text: &str) -> Result<Expression, Rejected> {
        let text = text.trim();
        let rules = game.rules();
        let short = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
        let sources = rules.files.with_text(NAME, short);
        let choices = rules.chosen_options();
        let end = sources.text().len();
        match check_expression(&sources, &choices) {
            Ok(checked) => Ok(Expression {
                text: text.to_owned(),
                checked,
                span: Span::new(end - short.len(), end),
            }),
            Err(findings) => Err(Rejected { sources, findings }),
        }
    }

    /// Returns the text, without blanks around it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the declarations that the expression refers to. Their source is the text of the game
    /// followed by the expression's.
    pub fn rules(&self) -> &Rules {
        &self.checked.rules
    }

    /// Evaluates the expression in a position of the same game. `mover` is the player to act or,
    /// when the game is over, the player who acted last.
    ///
    /// # Errors
    /// Returns [`TOO_LONG`] if the fuel runs out.
    pub fn evaluate(&self, position: &State) -> Result<Evaluation, &'static str> {
        let snapshot = position.snapshot();
        let fuel = Fuel::new(FUEL);
        let view = self.view(position, &snapshot, &fuel);
        let evaluation = match (&self.checked.body, self.checked.free) {
            (ExpressionBody::Word(word), _) => Evaluation::Word(word.clone()),
            (ExpressionBody::Value(value), None) => Evaluation::Value(view.value(value)),
            (ExpressionBody::Domain(domain), None) => Evaluation::List(view.domain(domain)),
            (body, Some(free)) => {
                let variable = view.rules.locals[free.variable.index()].name.clone();
                let all = domain_of(view.rules, free.kind);
                let of = all.len();
                let at = |value: &Value| view.with(free.variable, value.clone());
                match body {
                    ExpressionBody::Value(body @ crate::language::rules::Value::Condition(_)) => {
                        let holds = |value: &Value| at(value).value(body) == Value::Condition(true);
                        let values = all.into_iter().filter(holds).collect();
                        Evaluation::Holds { variable, values, of }
                    }
                    ExpressionBody::Value(body) => {
                        let each = |value: Value| (value.clone(), at(&value).value(body));
                        Evaluation::Each { variable, values: all.into_iter().map(each).collect() }
                    }
                    ExpressionBody::Domain(domain) => {
                        // A domain with a free variable is shown as its number of values.
                        let size = |value: Value| {
                            let size = at(&value).domain(domain).len() as i128;
                            (value, Value::Number(size * ONE))
                        };
                        Evaluation::Each { variable, values: all.into_iter().map(size).collect() }
                    }
                    ExpressionBody::Word(word) => Evaluation::Word(word.clone()),
                }
            }
        };
        if fuel.is_empty() { Err(TOO_LONG) } else { Ok(evaluation) }
    }

    /// Explains the value in a position by the values of its parts.
    ///
    /// # Errors
    /// Returns the reason, without a period, why there is nothing to explain.
    pub fn explain(&self, position: &State) -> Result<Answer, String> {
        let ExpressionBody::Value(body) = &self.checked.body else {
            return Err(format!("`{}` has no parts to explain", clip(&self.text)));
        };
        let snapshot = position.snapshot();
        let fuel = Fuel::new(FUEL);
        let view = self.view(position, &snapshot, &fuel);
        if let Some(free) = self.checked.free {
            let name = &view.rules.locals[free.variable.index()].name;
            return Err(format!("`{name}` has no value here; write one in its place"));
        }
        let answer = why_value(&view, body, &clip(&self.text), self.span);
        if fuel.is_empty() { Err(TOO_LONG.to_owned()) } else { Ok(answer) }
    }

    fn view<'v>(
        &'v self,
        position: &State,
        snapshot: &'v crate::engine::snapshot::Snapshot,
        fuel: &'v Fuel,
    ) -> View<'v> {
        let (rules, variables) = (&self.checked.rules, Variables::default());
        View { rules, snapshot, variables, mover: mover(position), fuel }
    }
}

impl Rejected {
    /// Formats the findings with the lines of the text that they refer to.
    pub fn report(&self, style: Style) -> String {
        report(&self.sources, &self.findings, style)
    }
}

impl Evaluation {
    /// Lists the sites of the value, to mark them on the board; `None` if the value does not
    /// consist of sites.
    pub fn sites(&self) -> Option<Vec<Site>> {
        let site = |value: &Value| match value {
            Value::Site(site) => *site,
            _ => None,
        };
        match self {
            Evaluation::Value(Value::Sites(region)) => Some(region.list()),
            Evaluation::Value(Value::Site(site)) => Some(site.iter().copied().collect()),
            Evaluation::Holds { values, .. }
                if values.iter().any(|value| site(value).is_some()) =>
            {
                Some(values.iter().filter_map(site).collect())
            }
            _ => None,
        }
    }
}

/// Returns the player to act; at a roll the player whose turn it is, and when the game is over the
/// player who acted last.
fn mover(position: &State) -> PlayerId {
    match position.turn() {
        Turn::Player(player) => player,
        Turn::Chance => Interpreter::at(position).view().mover,
        Turn::Nobody => {
            let mut earlier = position.clone();
            while earlier.undo() {
                if let Turn::Player(player) = earlier.turn() {
                    return player;
                }
            }
            PlayerId(0)
        }
    }
}

/// Lists the values of a free variable: all sites, players, kinds and directions of the board, and
/// the numbers from 0 to the number of sites.
fn domain_of(rules: &Rules, kind: Kind) -> Vec<Value> {
    let board = &rules.board;
    match kind {
        Kind::Site => board.sites().map(|site| Value::Site(Some(site))).collect(),
        Kind::Direction => {
            board.straight().map(|direction| Value::Direction(Some(direction))).collect()
        }
        Kind::Player => {
            (0..rules.players.len() as u16).map(|player| Value::Player(PlayerId(player))).collect()
        }
        Kind::Piece => {
            (0..rules.pieces.len() as u16).map(|kind| Value::Piece(Some(PieceId(kind)))).collect()
        }
        _ => (0..=board.len() as i128).map(|number| Value::Number(number * ONE)).collect(),
    }
}
