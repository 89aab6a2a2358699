//! Describes the value of an expression in JSON.

use super::subject::Subject;
use crate::program::schema::Answer;
use ludwright::evaluate::{Evaluation, Expression};
use ludwright::language::rules::Rules;
use ludwright::reference::{ONE, Value};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// The value of an expression in a position.
#[derive(Serialize, JsonSchema)]
pub struct EvalAnswer {
    /// The game; absent at the prompt.
    #[serde(flatten)]
    pub subject: Option<Subject>,
    #[serde(flatten)]
    pub evaluation: EvaluationAnswer,
}

impl Answer for EvalAnswer {
    const NAME: &'static str = "eval";
}

/// An expression and its value.
#[derive(Serialize, JsonSchema)]
pub struct EvaluationAnswer {
    pub expression: String,
    #[serde(flatten)]
    pub value: ValueAnswer,
}

/// The value of an expression, or its values by a free variable. Sites are labels, players, pieces
/// and directions names; nowhere, no direction and no piece are null.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ValueAnswer {
    /// A value; null without a type if the expression has none under changed rules.
    One {
        /// `number`, `condition`, `sites`, `site`, `direction`, `directions`, `player`, `piece`,
        /// `list` or `word`.
        #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
        kind: Option<&'static str>,
        value: Json,
    },
    /// For which values of a variable a condition holds.
    Holds {
        variable: String,
        /// The number of all its values.
        of: usize,
        holds: Vec<Json>,
    },
    /// The value for each value of a variable.
    Each {
        variable: String,
        /// The number of its values.
        of: usize,
        values: Vec<ValueAt>,
    },
}

/// A value of a variable, and the value of the expression for it.
#[derive(Serialize, JsonSchema)]
pub struct ValueAt {
    pub at: Json,
    pub value: Json,
}

/// Describes a value in JSON.
pub fn describe(expression: &Expression, evaluation: &Evaluation) -> EvaluationAnswer {
    let rules = expression.rules();
    let list = |values: &[Value]| values.iter().map(|one| value(rules, one)).collect::<Vec<Json>>();
    let one = |kind, value| ValueAnswer::One { kind: Some(kind), value };
    let value = match evaluation {
        Evaluation::Value(found) => one(kind(found), value(rules, found)),
        Evaluation::List(values) => one("list", list(values).into()),
        Evaluation::Word(word) => one("word", json!(word)),
        Evaluation::Holds { variable, values, of } => {
            ValueAnswer::Holds { variable: variable.clone(), of: *of, holds: list(values) }
        }
        Evaluation::Each { variable, values } => {
            let each = |(at, found): &(Value, Value)| ValueAt {
                at: value(rules, at),
                value: value(rules, found),
            };
            ValueAnswer::Each {
                variable: variable.clone(),
                of: values.len(),
                values: values.iter().map(each).collect(),
            }
        }
    };
    EvaluationAnswer { expression: expression.text().to_owned(), value }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "number",
        Value::Condition(_) => "condition",
        Value::Sites(_) => "sites",
        Value::Site(_) => "site",
        Value::Direction(_) => "direction",
        Value::Directions(_) => "directions",
        Value::Player(_) => "player",
        Value::Piece(_) => "piece",
    }
}

fn value(rules: &Rules, value: &Value) -> Json {
    match value {
        Value::Number(number) if number % ONE == 0 => json!((number / ONE) as i64),
        Value::Number(number) => json!(*number as f64 / ONE as f64),
        Value::Condition(holds) => json!(holds),
        Value::Sites(region) => {
            region.list().into_iter().map(|site| json!(rules.board.label(site))).collect()
        }
        Value::Site(site) => json!(site.map(|site| rules.board.label(site))),
        Value::Direction(direction) => json!(direction.map(|one| rules.board.direction_name(one))),
        Value::Directions(all) => {
            all.iter().map(|one| json!(rules.board.direction_name(*one))).collect()
        }
        Value::Player(player) => json!(rules.players[player.index()].name),
        Value::Piece(kind) => json!(kind.map(|kind| &rules.pieces[kind.index()].name)),
    }
}
