//! Writes SVG elements with escaping and indentation.

use super::plane::Point;
use crate::language::look::Color;
use std::fmt::Write;

/// An SVG document being written.
#[derive(Default)]
pub struct Writer {
    text: String,
    depth: usize,
}

/// The value of an attribute.
pub enum Value<'v> {
    Number(f64),
    Color(Color),
    Text(&'v str),
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Number(number)
    }
}

impl From<Color> for Value<'_> {
    fn from(color: Color) -> Self {
        Value::Color(color)
    }
}

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Value::Text(text)
    }
}

/// Builds a list of attributes from names and values.
macro_rules! attributes {
    ($($name:literal: $value:expr),* $(,)?) => {
        &[$(($name, $crate::render::svg::writer::Value::from($value))),*]
    };
}
pub(in crate::render) use attributes;

type Attributes<'a> = &'a [(&'a str, Value<'a>)];

impl Writer {
    /// Writes an element without content.
    pub fn element(&mut self, name: &str, attributes: Attributes) {
        self.begin(name, attributes);
        self.text.push_str("/>\n");
    }

    /// Writes an element that contains text.
    pub fn text(&mut self, name: &str, attributes: Attributes, content: &str) {
        self.begin(name, attributes);
        self.text.push('>');
        self.escaped(content);
        self.text.push_str(&format!("</{name}>\n"));
    }

    /// Opens an element that contains other elements.
    pub fn open(&mut self, name: &str, attributes: Attributes) {
        self.begin(name, attributes);
        self.text.push_str(">\n");
        self.depth += 1;
    }

    /// Closes the element.
    pub fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.indent();
        self.text.push_str(&format!("</{name}>\n"));
    }

    /// Returns the document.
    pub fn finish(self) -> String {
        self.text
    }

    fn begin(&mut self, name: &str, attributes: Attributes) {
        self.indent();
        self.text.push_str(&format!("<{name}"));
        for (name, value) in attributes {
            self.text.push_str(&format!(" {name}=\""));
            match value {
                Value::Number(number) => self.text.push_str(&short(*number)),
                Value::Color(color) => self.text.push_str(&color.to_string()),
                Value::Text(text) => self.escaped(text),
            }
            self.text.push('"');
        }
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n(' ', 2 * self.depth));
    }

    /// Writes escaped text, without characters that XML does not allow.
    fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\u{fffe}' | '\u{ffff}' => {}
                _ if character.is_control() => {}
                _ => self.text.push(character),
            }
        }
    }
}

/// Formats a number with at most one decimal.
pub fn short(number: f64) -> String {
    let tenths = (number * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    match tenths.unsigned_abs() {
        tenths if tenths % 10 == 0 => format!("{sign}{}", tenths / 10),
        tenths => format!("{sign}{}.{}", tenths / 10, tenths % 10),
    }
}

/// Returns the closed path along some corners.
pub fn closed(corners: &[Point]) -> String {
    let mut path = String::new();
    for (index, corner) in corners.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        let _ = write!(path, "{letter}{} {}", short(corner.x), short(corner.y));
    }
    path.push('Z');
    path
}
