//! Prints tables line by line as they are measured, as text or JSON.

use serde_json::{Map, Value, json};

/// A column: its JSON key, which is also its heading, and its number of decimals.
#[derive(Clone, Copy)]
pub struct Column {
    pub key: &'static str,
    pub digits: usize,
}

/// A table being printed.
pub struct Table<'s> {
    section: &'static str,
    columns: &'s [Column],
    json: bool,
}

/// Width of the column of names.
const NAMES: usize = 36;

impl<'s> Table<'s> {
    /// Prints the headings.
    pub fn begin(
        section: &'static str,
        about: &str,
        columns: &'s [Column],
        json: bool,
    ) -> Table<'s> {
        if !json {
            println!("\n{section}: {about}");
            let headings: String = columns
                .iter()
                .map(|column| format!("  {:>1$}", column.key, width(column)))
                .collect();
            println!("{:NAMES$}{headings}", "");
        }
        Table { section, columns, json }
    }

    /// Prints a line; `None` leaves a gap.
    pub fn row(&self, name: &str, values: &[Option<f64>]) {
        if self.json {
            let mut object = Map::from_iter([
                ("section".to_owned(), json!(self.section)),
                ("name".to_owned(), json!(name)),
            ]);
            for (column, value) in self.columns.iter().zip(values) {
                if let Some(value) = value {
                    object.insert(column.key.replace([' ', '/'], "_"), json!(value));
                }
            }
            println!("{}", Value::Object(object));
            return;
        }
        let spelled = |(column, value): (&Column, &Option<f64>)| {
            let number = value.map(|value| grouped(value, column.digits)).unwrap_or_default();
            format!("  {number:>0$}", width(column))
        };
        println!(
            "{name:NAMES$}{}",
            self.columns.iter().zip(values).map(spelled).collect::<String>()
        );
    }

    /// Prints a figure with its minimum and its target.
    pub fn verdict(&self, what: &str, value: f64, at_least: f64, aim: f64) {
        if self.json {
            println!(
                "{}",
                json!({ "section": self.section, "name": what, "value": value, "at_least": at_least, "aim": aim })
            );
        } else {
            println!("{what:NAMES$}  {value:.2}   (at least {at_least}, aim {aim})");
        }
    }
}

fn width(column: &Column) -> usize {
    column.key.len().max(11)
}

/// Formats a number with commas between thousands.
fn grouped(number: f64, digits: usize) -> String {
    let spelled = format!("{number:.digits$}");
    let (whole, rest) = spelled.split_at(spelled.find('.').unwrap_or(spelled.len()));
    let mut result = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            result.push(',');
        }
        result.push(digit);
    }
    result + rest
}
