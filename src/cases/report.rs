//! What running a case shows.

/// What came of a case.
#[derive(Clone, Debug, Default)]
pub struct CaseReport {
    /// Empty when the case has none that could be read.
    pub title: String,
    /// Where the rules make something else of it than the case says; none when it passes.
    pub differences: Vec<Difference>,
    /// The case as it went: its lines, with the position at the start and after each line that
    /// plays.
    pub transcript: String,
}

/// A line of a case that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line in the case, from 1.
    pub line: usize,
    /// What the line says; empty when it cannot be told.
    pub said: String,
    pub expected: String,
    pub found: String,
    /// The position at that point, if it came to one.
    pub position: String,
}

impl CaseReport {
    /// Tests if everything is as the case says.
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// Writes the differences one after another, each position only once.
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
    /// Makes one for a line that cannot be obeyed.
    pub fn unreadable(line: usize, message: impl Into<String>) -> Difference {
        Difference {
            line,
            said: String::new(),
            expected: String::new(),
            found: message.into(),
            position: String::new(),
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

/// Moves every line of a text to the right.
fn indent(text: &str, by: usize) -> String {
    let lines: Vec<String> = text
        .trim_end()
        .lines()
        .map(|line| format!("{:by$}{line}", "").trim_end().to_owned())
        .collect();
    lines.join("\n")
}
