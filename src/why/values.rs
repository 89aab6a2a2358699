//! Formats values for explanations.

use crate::board::{Direction, Site};
use crate::language::rules::{PieceId, Rules};
use crate::notation::player;
use crate::reference::{ONE, Region, Value};

/// Maximum number of values listed in an explanation; longer lists end with a count.
const LISTED: usize = 12;

/// Formats any value.
pub fn value(rules: &Rules, value: &Value) -> String {
    match value {
        Value::Number(value) => number(*value),
        Value::Condition(true) => "true".to_owned(),
        Value::Condition(false) => "false".to_owned(),
        Value::Sites(region) => sites(rules, region),
        Value::Site(value) => site(rules, *value),
        Value::Direction(value) => direction(rules, *value),
        Value::Directions(values) => directions(rules, values),
        Value::Player(value) => player(rules, *value).to_owned(),
        Value::Piece(value) => kind(rules, *value),
    }
}

/// Formats a number given in multiples of [`ONE`].
pub fn number(number: i128) -> String {
    match number % ONE {
        0 => (number / ONE).to_string(),
        // Fractions come from halves, so few decimals are needed.
        _ => (number as f64 / ONE as f64).to_string(),
    }
}

/// Returns the name of a kind of piece.
pub fn kind(rules: &Rules, kind: Option<PieceId>) -> String {
    kind.map_or("no kind", |kind| &rules.pieces[kind.index()].name).to_owned()
}

/// Returns the label of a site.
pub fn site(rules: &Rules, site: Option<Site>) -> String {
    site.map_or("nowhere", |site| rules.board.label(site)).to_owned()
}

/// Lists the sites of a region.
pub fn sites(rules: &Rules, region: &Region) -> String {
    list(rules, &region.list())
}

/// Lists sites.
pub fn list(rules: &Rules, sites: &[Site]) -> String {
    list_up_to(rules, sites, LISTED)
}

/// Lists sites; if there are more than `most`, the list ends with their number.
pub fn list_up_to(rules: &Rules, sites: &[Site], most: usize) -> String {
    let labels: Vec<&str> = sites.iter().take(most).map(|&site| rules.board.label(site)).collect();
    match sites.len() {
        0 => "no site".to_owned(),
        many if many > most => format!("{} … ({many} sites)", labels.join(" ")),
        _ => labels.join(" "),
    }
}

/// Lists values of the same type.
pub fn all(rules: &Rules, values: &[Value]) -> String {
    let listed: Vec<String> =
        values.iter().take(LISTED).map(|listed| value(rules, listed)).collect();
    let noun = if matches!(values.first(), Some(Value::Site(_))) { "sites" } else { "values" };
    match values.len() {
        0 => "no values".to_owned(),
        many if many > LISTED => format!("{} … ({many} {noun})", listed.join(" ")),
        _ => listed.join(" "),
    }
}

/// Returns the name of a direction.
pub fn direction(rules: &Rules, direction: Option<Direction>) -> String {
    let name = |direction| rules.board.direction_name(direction);
    direction.map_or(String::from("no direction"), name)
}

/// Lists directions.
pub fn directions(rules: &Rules, directions: &[Direction]) -> String {
    match directions {
        [] => "no direction".to_owned(),
        _ => directions
            .iter()
            .map(|&direction| rules.board.direction_name(direction))
            .collect::<Vec<String>>()
            .join(" "),
    }
}
