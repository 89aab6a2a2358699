//! The source files of a game line by line, annotated with the coverage of clauses.

use crate::measure::report::Report;
use crate::syntax::Span;

/// A file of the game.
pub struct MarkedFile {
    pub name: String,
    pub lines: Vec<MarkedLine>,
}

/// A line of a file.
pub struct MarkedLine {
    pub number: usize,
    pub text: String,
    pub marks: Vec<Mark>,
}

/// The coverage of a clause that begins on a line.
pub struct Mark {
    /// The column in characters, from 0.
    pub column: usize,
    /// The text of the clause.
    pub clause: String,
    pub says: String,
    pub unobserved: bool,
    /// Whether it decided a game.
    pub decided: bool,
}

/// Annotates the files of a game. Tabs become spaces and control characters question marks.
pub fn marked(report: &Report) -> Vec<MarkedFile> {
    let sources = report.sources;
    let mut files: Vec<MarkedFile> = Vec::new();
    for (index, name) in sources.names().enumerate() {
        let mut lines = Vec::new();
        let mut start = 0;
        for (number, line) in (1..).zip(sources.text_of(index).split_inclusive('\n')) {
            let end = start + line.len();
            let own = report.coverage.clauses.iter().filter_map(|clause| {
                let (file, Span { start: at, end: until }) = sources.place(clause.span);
                (file == index && (start..end).contains(&at)).then(|| Mark {
                    column: line[..at - start].chars().count(),
                    clause: sources.text_of(index).get(at..until).unwrap_or_default().to_owned(),
                    says: clause.says(&report.coverage),
                    unobserved: clause.is_unobserved(),
                    decided: clause.found.decided > 0,
                })
            });
            let plain = |character: char| match character {
                '\t' => ' ',
                character if character.is_control() => '?',
                character => character,
            };
            let text = line.trim_end_matches(['\n', '\r']).chars().map(plain).collect();
            lines.push(MarkedLine { number, text, marks: own.collect() });
            start = end;
        }
        files.push(MarkedFile { name: name.to_owned(), lines });
    }
    files
}

/// Returns the first line of a clause, truncated to `most` characters, with an ellipsis if anything
/// is left out.
pub fn first_line(clause: &str, most: usize) -> String {
    let line = clause.lines().next().unwrap_or_default();
    let plain: String = line
        .chars()
        .map(|character| if character.is_control() { '?' } else { character })
        .take(most)
        .collect();
    if plain.len() < clause.len() { format!("{plain} …") } else { plain }
}
