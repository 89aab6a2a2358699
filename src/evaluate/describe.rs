//! Writes evaluations as text.

use super::Evaluation;
use crate::board::Site;
use crate::language::rules::Rules;
use crate::notation::write_sites;
use crate::reference::Value;
use crate::why::values::{self, value};

/// The most sites listed; longer lists end with their number.
const LISTED: usize = 24;
/// The most lines of a table with the value for each value of a free variable.
const MAX_LINES: usize = 30;

impl Evaluation {
    /// Describes the value, in one line unless it is a table. Long lists of sites are shortened.
    pub fn describe(&self, rules: &Rules) -> String {
        match self {
            Evaluation::Value(Value::Sites(region)) => {
                let sites = region.list();
                counted(values::list_up_to(rules, &sites, LISTED), sites.len())
            }
            Evaluation::Value(one) => value(rules, one),
            Evaluation::List(all) if all.is_empty() => "nothing".to_owned(),
            Evaluation::List(all) => listed(rules, all),
            Evaluation::Word(word) => word.clone(),
            Evaluation::Holds { variable, values, of } => match values.len() {
                0 => format!("holds for no {variable} (of {of})"),
                all if all == *of => format!("holds for every {variable} (all {of})"),
                some => {
                    format!("holds for {variable} = {} ({some} of {of})", listed(rules, values))
                }
            },
            Evaluation::Each { variable, values } => table(rules, variable, values),
        }
    }

    /// Draws the board with a number on each site, if the value is a number for each site.
    pub fn numbers(&self, rules: &Rules) -> Option<String> {
        let Evaluation::Each { values, .. } = self else { return None };
        let mut shown: Vec<Option<String>> = vec![None; rules.board.slots()];
        for (at, number) in values {
            let (Value::Site(Some(site)), Value::Number(number)) = (at, number) else {
                return None;
            };
            *shown.get_mut(site.index())? = Some(values::number(*number));
        }
        let widest = shown.iter().flatten().map(|text| text.len()).max()?;
        let at = |site: Site| shown[site.index()].clone().unwrap_or_default();
        Some(write_sites(&rules.board, widest, &|site| format!("{:>widest$}", at(site))))
    }
}

/// Appends the number of sites to a short list.
fn counted(listed: String, count: usize) -> String {
    if count < 2 || listed.ends_with(')') { listed } else { format!("{listed} ({count} sites)") }
}

/// Lists values; sites are shortened to a count.
fn listed(rules: &Rules, all: &[Value]) -> String {
    let sites: Option<Vec<Site>> = all
        .iter()
        .map(|value| match value {
            Value::Site(site) => *site,
            _ => None,
        })
        .collect();
    match sites {
        Some(sites) => {
            let listed = values::list_up_to(rules, &sites, LISTED);
            // The caller appends the count to the list.
            listed.split(" (").next().unwrap_or_default().to_owned()
        }
        None if matches!(all.first(), Some(Value::Sites(_))) => {
            all.iter().map(|group| value(rules, group)).collect::<Vec<String>>().join(" / ")
        }
        None => all.iter().map(|one| value(rules, one)).collect::<Vec<String>>().join(" "),
    }
}

/// Writes a line for each value of the expression, with the variable's values that have this
/// result.
fn table(rules: &Rules, variable: &str, values: &[(Value, Value)]) -> String {
    let mut lines: Vec<(&Value, Vec<Value>)> = Vec::new();
    for (at, found) in values {
        match lines.iter_mut().find(|(known, _)| *known == found) {
            Some((_, all)) => all.push(at.clone()),
            None => lines.push((found, vec![at.clone()])),
        }
    }
    if let [(only, _)] = &lines[..] {
        return format!("{} for every {variable}", value(rules, only));
    }
    let number = |found: &Value| match found {
        Value::Number(number) => Some(*number),
        _ => None,
    };
    lines.sort_by_key(|(found, _)| number(found));
    let left = lines.len().saturating_sub(MAX_LINES);
    let mut written: Vec<String> = lines
        .iter()
        .take(MAX_LINES)
        .map(|(found, all)| {
            format!("{} for {variable} = {}", value(rules, found), listed(rules, all))
        })
        .collect();
    if left > 0 {
        written.push(format!("… and {left} other values"));
    }
    written.join("\n")
}
