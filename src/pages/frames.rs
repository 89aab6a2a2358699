//! Pictures of a game's positions that share their lines.
//!
//! Two positions of a game differ in a few elements, and a picture has one element per line. So
//! every distinct line is kept once, and a picture is a list of ranges of line numbers.

use crate::syntax::visible::shown;
use serde_json::{Value, json};
use std::collections::HashMap;

/// The lines of all pictures.
#[derive(Default)]
pub struct Frames {
    lines: Vec<String>,
    numbers: HashMap<String, usize>,
}

/// A picture: ranges of line numbers, both ends included.
pub type Frame = Vec<(usize, usize)>;

impl Frames {
    /// Adds a picture.
    pub fn add(&mut self, picture: &str) -> Frame {
        let mut frame: Frame = Vec::new();
        // Hidden characters would break the JSON when the page is cleaned.
        for line in shown(picture).lines() {
            let line = line.trim_start();
            let number = match self.numbers.get(line) {
                Some(&number) => number,
                None => {
                    self.lines.push(line.to_owned());
                    self.numbers.insert(line.to_owned(), self.lines.len() - 1);
                    self.lines.len() - 1
                }
            };
            match frame.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => frame.push((number, number)),
            }
        }
        frame
    }

    /// Returns the text of a picture.
    pub fn picture(&self, frame: &Frame) -> String {
        let lines = frame.iter().flat_map(|&(first, last)| &self.lines[first..=last]);
        lines.map(|line| format!("{line}\n")).collect()
    }

    /// Returns the lines as JSON.
    pub fn json(&self) -> Value {
        json!(self.lines)
    }
}

/// Returns a picture as a flat list of line numbers, two for each range.
pub fn flat(frame: &Frame) -> Vec<usize> {
    frame.iter().flat_map(|&(first, last)| [first, last]).collect()
}
