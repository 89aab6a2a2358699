//! The values of expressions of the language in a position.
//!
//! ```
//! use ludwright::{Game, expressions::{Expression, Value}};
//!
//! let game = Game::from_file("games/kitaran.game", &[("Size", "3")])?;
//! let mut state = game.start();
//! state.play(state.parse_move("b2")?)?;
//! let value = |text: &str| Expression::new(&game, text).map(|parsed| parsed.evaluate(&state));
//! assert_eq!(value("(count (empty))")?, Ok(Value::Number(8.0)));
//! let b2 = game.site("b2").expect("a site");
//! assert_eq!(value("(theirs)")?, Ok(Value::Sites(vec![b2])));
//!
//! let error = Expression::new(&game, "(cuont (empty))").unwrap_err();
//! assert_eq!(error.findings()[0].help.as_deref(), Some("did you mean `count`?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::game::Game;
use super::outcome::Player;
use super::sites::Site;
use super::state::State;
use crate::diagnostics::Style;
use crate::engine::game::GameId;
use crate::evaluate::{self, Evaluation, Rejected};
use crate::language::rules::Rules;
use crate::load::{Diagnostic, diagnostics};
use crate::reference::{self, ONE};
use serde::Serialize;
use std::fmt;

/// An expression, checked in the scope of a game: it may use its definitions, memories and options.
///
/// A lower-case word without a meaning stands for all of its values. A condition then evaluates to
/// the values for which it holds ([`Value::Holds`]), any other expression to one value for each
/// ([`Value::Each`]).
///
/// ```
/// use ludwright::{Game, expressions::{Expression, Value}};
///
/// let game = Game::from_file("tests/games/tic-tac-toe.game", &[])?;
/// let corner = Expression::new(&game, "(= (count (beside s)) 3)")?;
/// let Ok(Value::Holds { of, values, .. }) = corner.evaluate(&game.start()) else { panic!("no sites") };
/// assert_eq!((values.len(), of), (4, 9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Expression {
    parsed: evaluate::Expression,
    game: GameId,
}

/// The value of an expression.
///
/// See the [module](self) for an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Value {
    /// A number.
    Number(f64),
    /// Whether a condition holds.
    Condition(bool),
    /// A region, in the order of [`Game::sites`].
    Sites(Vec<Site>),
    /// A site, or nowhere.
    Site(Option<Site>),
    /// Directions, such as `NE`.
    Directions(Vec<String>),
    /// A player.
    Player(Player),
    /// A kind of piece, by name, or none.
    Piece(Option<String>),
    /// The chosen value of an option.
    Word(String),
    /// The values that a domain lists.
    List(Vec<Value>),
    /// The values of a variable for which a condition holds.
    Holds {
        /// The variable.
        variable: String,
        /// The values for which it holds.
        values: Vec<Value>,
        /// The number of all values of the variable.
        of: usize,
    },
    /// The value for each value of a variable.
    Each {
        /// The variable.
        variable: String,
        /// The variable's values, each with the value of the expression.
        values: Vec<(Value, Value)>,
    },
}

/// The faults in the text of an expression.
///
/// See the [module](self) for an example.
pub struct ExpressionError(Box<Rejected>);

/// An expression takes too long to evaluate, or belongs to another game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvaluationError(String);

impl Expression {
    /// Checks an expression.
    ///
    /// # Errors
    /// All faults in the text.
    ///
    /// See the [module](self) for an example.
    pub fn new(game: &Game, text: &str) -> Result<Expression, ExpressionError> {
        let parsed = evaluate::Expression::parse(&game.0, text);
        match parsed {
            Ok(parsed) => Ok(Expression { parsed, game: game.0.id() }),
            Err(rejected) => Err(ExpressionError(Box::new(rejected))),
        }
    }

    /// Evaluates the expression in a position of the same game.
    ///
    /// # Errors
    /// If the evaluation takes too long, or the position is of another game.
    ///
    /// See the [module](self) for an example.
    pub fn evaluate(&self, state: &State) -> Result<Value, EvaluationError> {
        let played = state.inner.game().rules();
        if self.game != state.inner.game().id() {
            return Err(EvaluationError("the position is of another game".to_owned()));
        }
        let evaluation = self.parsed.evaluate(&state.inner);
        let evaluation = evaluation.map_err(|message| EvaluationError(message.to_owned()))?;
        let list = |values: Vec<reference::Value>| {
            values.into_iter().map(|value| translated(played, value)).collect()
        };
        Ok(match evaluation {
            Evaluation::Value(value) => translated(played, value),
            Evaluation::List(values) => Value::List(list(values)),
            Evaluation::Word(word) => Value::Word(word),
            Evaluation::Holds { variable, values, of } => {
                Value::Holds { variable, values: list(values), of }
            }
            Evaluation::Each { variable, values } => {
                let pair = |(at, value)| (translated(played, at), translated(played, value));
                Value::Each { variable, values: values.into_iter().map(pair).collect() }
            }
        })
    }
}

fn translated(rules: &Rules, value: reference::Value) -> Value {
    match value {
        reference::Value::Number(number) => Value::Number(number as f64 / ONE as f64),
        reference::Value::Condition(holds) => Value::Condition(holds),
        reference::Value::Sites(region) => Value::Sites(
            region.list().into_iter().filter_map(|site| Site::of(rules, site)).collect(),
        ),
        reference::Value::Site(site) => Value::Site(site.and_then(|site| Site::of(rules, site))),
        reference::Value::Direction(direction) => Value::Directions(
            direction.iter().map(|&one| rules.board.direction_name(one)).collect(),
        ),
        reference::Value::Directions(all) => {
            Value::Directions(all.iter().map(|&one| rules.board.direction_name(one)).collect())
        }
        reference::Value::Player(player) => Value::Player(Player(player)),
        reference::Value::Piece(piece) => {
            Value::Piece(piece.map(|piece| rules.pieces[piece.index()].name.clone()))
        }
    }
}

impl ExpressionError {
    /// Lists the findings, at least one. Lines refer to the expression.
    ///
    /// See the [module](self) for an example.
    #[must_use]
    pub fn findings(&self) -> Vec<Diagnostic> {
        diagnostics(&self.0.sources, &self.0.findings)
    }

    /// Formats the findings as `ludwright eval` does without colours.
    ///
    /// ```
    /// use ludwright::{Game, expressions::Expression};
    ///
    /// let game = Game::from_file("games/kitaran.game", &[])?;
    /// let error = Expression::new(&game, "(cuont (empty))").unwrap_err();
    /// assert!(error.report().contains("there is no ludeme `cuont`"));
    /// # Ok::<(), ludwright::LoadError>(())
    /// ```
    #[must_use]
    pub fn report(&self) -> String {
        self.0.report(Style::PLAIN)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.parsed.text()).finish()
    }
}

impl fmt::Debug for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("ExpressionError").field(&self.findings()).finish()
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.0.findings.first().map_or("", |finding| &finding.message))
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExpressionError {}
impl std::error::Error for EvaluationError {}
