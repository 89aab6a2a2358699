//! Describes the value of an expression in JSON.

use ludwright::board::Direction;
use ludwright::evaluate::{Evaluation, Expression};
use ludwright::language::rules::Rules;
use ludwright::reference::{ONE, Value};
use serde_json::{Value as Json, json};

/// Describes a value in JSON.
pub fn describe(expression: &Expression, evaluation: &Evaluation) -> Json {
    let rules = expression.rules();
    let text = expression.text();
    let list = |values: &[Value]| values.iter().map(|one| value(rules, one)).collect::<Json>();
    match evaluation {
        Evaluation::Value(found) => {
            json!({ "expression": text, "type": kind(found), "value": value(rules, found) })
        }
        Evaluation::List(values) => {
            json!({ "expression": text, "type": "list", "value": list(values) })
        }
        Evaluation::Word(word) => json!({ "expression": text, "type": "word", "value": word }),
        Evaluation::Holds { variable, values, of } => {
            json!({ "expression": text, "variable": variable, "of": of, "holds": list(values) })
        }
        Evaluation::Each { variable, values } => {
            let each = |(at, found): &(Value, Value)| {
                let (at, found) = (value(rules, at), value(rules, found));
                json!({ "at": at, "value": found })
            };
            json!({
                "expression": text,
                "variable": variable,
                "of": values.len(),
                "values": values.iter().map(each).collect::<Json>(),
            })
        }
    }
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
        Value::Direction(direction) => json!(direction.map(Direction::name)),
        Value::Directions(all) => all.iter().map(|one| json!(one.name())).collect(),
        Value::Player(player) => json!(rules.players[player.index()].name),
        Value::Piece(kind) => json!(kind.map(|kind| &rules.pieces[kind.index()].name)),
    }
}
