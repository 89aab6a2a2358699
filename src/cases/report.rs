//! Reports of rule cases.

use crate::engine::game::State;

/// The outcome of a case.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// Empty if no title could be read.
    pub title: String,
    /// The expectations that fail; empty if the case passes.
    pub differences: Vec<Difference>,
    /// The lines of the case, with the position at the start and after each `play:`.
    pub transcript: String,
}

/// An expectation that fails, or a line that cannot be read.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The line of the case, from 1.
    pub line: usize,
    /// The text of the line; empty if unknown.
    pub said: String,
    pub expected: String,
    pub found: String,
    /// The position at that point; empty if there is none.
    pub position: String,
    /// The positions that a page draws.
    pub boards: Option<Box<Boards>>,
}

/// Positions to draw for a line of a rule case that disagrees with the rules.
#[derive(Clone)]
pub struct Boards {
    /// The position under the rules.
    pub found: State,
    /// The position that the case demands, if the line is a diagram.
    pub expected: Option<State>,
}

impl std::fmt::Debug for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Boards").finish_non_exhaustive()
    }
}

impl CaseReport {
    /// Tests if the case passes.
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// Formats the differences; equal consecutive positions are shown once.
    pub fn explain(&self) -> String {
        let mut text = String::new();
        for (index, difference) in self.differences.iter().enumerate() {
            let next = self.differences.get(index + 1).map(|next| &next.position);
            let shown = match next == Some(&difference.position) {
                true => &Difference { position: String::new(), ..difference.clone() },
                false => difference,
            };
            text.push_str(&shown.to_string());
        }
        text
    }
}

impl Difference {
    /// Returns the difference for a line that cannot be read or executed.
    pub fn unreadable(line: usize, message: impl Into<String>) -> Difference {
        Difference {
            line,
            said: String::new(),
            expected: String::new(),
            found: message.into(),
            position: String::new(),
            boards: None,
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.said.as_str() {
            "" => write!(f, "line {}: ", self.line)?,
            said => writeln!(f, "line {}: {said}", self.line)?,
        }
        if self.expected.is_empty() {
            writeln!(f, "{}", self.found)?;
        } else {
            for (name, text) in [("expected", &self.expected), ("found", &self.found)] {
                match text.contains('\n') {
                    true => writeln!(f, "  {name}\n{}", indent(text, 4))?,
                    false => writeln!(f, "  {name:8} {text}")?,
                }
            }
        }
        match self.position.as_str() {
            "" => Ok(()),
            position => writeln!(f, "  where\n{}", indent(position, 4)),
        }
    }
}

/// Indents every line of a text.
fn indent(text: &str, by: usize) -> String {
    let lines: Vec<String> = text
        .trim_end()
        .lines()
        .map(|line| format!("{:by$}{line}", "").trim_end().to_owned())
        .collect();
    lines.join("\n")
}
