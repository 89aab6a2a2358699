//! Formats messages for standard error: findings, failures, warnings.

use super::answers::diagnostic::{DiagnosticAnswer, DiagnosticsAnswer, of_failure, of_findings};
use super::arguments::{Color, Format};
use super::failure::{Failure, FailureMessage};
use super::output::{own, owned, say, say_in_json};
use super::schema::line;
use ludwright::diagnostics::{self, Excerpt, Style, WIDTH};
use ludwright::files::reason;
use ludwright::language::finding::Finding;
use ludwright::language::sources::Sources;
use ludwright::syntax::visible::{abridge, shorten};
use ludwright::why::{Answer, Note, Verdict};
use std::io::IsTerminal;
use textwrap::WordSplitter;

/// Output settings. Format, colour and width are decided once, here.
pub struct Console {
    pub format: Format,
    /// Whether standard error is coloured.
    color: bool,
    /// Whether standard error is a terminal.
    pub terminal: bool,
    /// Whether standard output is coloured.
    pub paints: bool,
    /// Whether standard output is a terminal.
    prints: bool,
}

/// Groups notes by file, in order of first mention, with spans relative to the file. Without notes,
/// the only group is the game's own file.
fn by_file(sources: &Sources, notes: &[Note]) -> Vec<(usize, Vec<Note>)> {
    let mut files: Vec<(usize, Vec<Note>)> = Vec::new();
    for note in notes {
        let (file, span) = sources.place(note.span);
        let note = Note { span, text: note.text.clone() };
        match files.iter_mut().find(|(known, _)| *known == file) {
            Some((_, notes)) => notes.push(note),
            None => files.push((file, vec![note])),
        }
    }
    if files.is_empty() {
        files.push((0, Vec::new()));
    }
    files
}

/// Wraps lines longer than `width` columns. Continuation lines are indented two columns further.
pub fn broken(text: &str, width: usize) -> String {
    let line = |line: &str| {
        let rest = line.trim_start();
        let indent = &line[..line.len() - rest.len()];
        let later = format!("{indent}  ");
        let options =
            textwrap::Options::new(width).initial_indent(indent).subsequent_indent(&later);
        format!("{}\n", textwrap::fill(rest, options.word_splitter(WordSplitter::NoHyphenation)))
    };
    text.lines().map(line).collect()
}

/// Style of reports: as wide as the terminal if they go to one, else [`WIDTH`] columns.
fn style(color: bool, terminal: bool) -> Style {
    let columns = || terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
    Style { color, width: if terminal { columns() } else { WIDTH } }
}

impl Console {
    /// Decides by the arguments, the environment and the terminal.
    pub fn new(format: Format, color: Color) -> Console {
        let terminal = std::io::stderr().is_terminal();
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let prints = std::io::stdout().is_terminal();
        let takes = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !forbidden,
        };
        Console { format, color: takes(terminal), terminal, paints: takes(prints), prints }
    }

    /// Prefix of colour sequences on standard output, `None` without colours.
    pub fn color_prefix(&self) -> Option<&'static str> {
        self.paints.then(own)
    }

    /// Tests if the output format is JSON.
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Prints findings with excerpts of the texts.
    pub fn findings(&self, sources: &Sources, findings: &[Finding]) {
        if self.json() {
            return tell_in_json(of_findings(sources, findings));
        }
        say(&owned(&diagnostics::report(sources, findings, style(self.color, self.terminal))));
    }

    /// Formats an explanation with excerpts of the rules, for standard output.
    pub fn answer(&self, sources: &Sources, answer: &Answer) -> String {
        let is_error = !matches!(answer.verdict, Verdict::Legal | Verdict::Over | Verdict::Value);
        let names: Vec<&str> = sources.names().collect();
        let mut drawn = String::new();
        for (index, (file, notes)) in by_file(sources, &answer.notes).into_iter().enumerate() {
            let name = names.get(file).copied().unwrap_or_default();
            let excerpt = Excerpt::new(name, sources.text_of(file));
            let (message, help) = match index {
                0 => (answer.message.clone(), answer.help.as_deref()),
                _ => (format!("as {name} has it"), None),
            };
            drawn.push_str(&owned(&excerpt.notes(
                &message,
                &notes,
                help,
                is_error,
                style(self.paints, self.prints),
            )));
        }
        drawn
    }

    /// Prints why a command fails, and returns its exit code.
    pub fn fail(&self, failure: &Failure) -> u8 {
        self.fail_within(failure, usize::MAX)
    }

    /// Like [`fail`](Self::fail), with lines wrapped at `width` columns.
    pub fn fail_within(&self, failure: &Failure, width: usize) -> u8 {
        if self.json() {
            tell_in_json(of_failure(failure));
            return failure.exit_code();
        }
        match failure {
            Failure::AlreadyReported(_) => {}
            Failure::Rejected(rejected) => self.findings(&rejected.sources, &rejected.findings),
            Failure::Input(complaint) | Failure::Usage(complaint) => {
                self.complain(complaint, width);
            }
            Failure::Endless { fault, name, text } => say(&owned(
                &Excerpt::new(name, text).fault(fault, style(self.color, self.terminal)),
            )),
            Failure::Output(error) => self.complain(
                &FailureMessage { message: format!("cannot write: {}", reason(error)), help: None },
                width,
            ),
        }
        failure.exit_code()
    }

    /// Prints a warning; the command continues.
    pub fn warn(&self, message: &str) {
        self.advise(&FailureMessage { message: message.to_owned(), help: None });
    }

    /// Prints a warning with a help line.
    pub fn advise(&self, complaint: &FailureMessage) {
        self.tell("33m", "warning", complaint, usize::MAX);
    }

    /// Prints an assumption, and how to override it.
    pub fn note(&self, message: &str, help: &str) {
        let complaint = FailureMessage { message: message.to_owned(), help: Some(help.to_owned()) };
        self.tell("36m", "note", &complaint, usize::MAX);
    }

    fn complain(&self, complaint: &FailureMessage, width: usize) {
        self.tell("31m", "error", complaint, width);
    }

    fn tell(&self, color: &str, head: &'static str, complaint: &FailureMessage, width: usize) {
        if self.json() {
            return tell_in_json(vec![DiagnosticAnswer::new(
                head,
                None,
                &complaint.message,
                complaint.help.clone(),
            )]);
        }
        let style =
            |style: &str| if self.color { format!("{}{style}", own()) } else { String::new() };
        let (color, cyan, plain) = (style(color), style("36m"), style("0m"));
        let broken = |text: &str, later: &str| {
            let options = textwrap::Options::new(width)
                .subsequent_indent(later)
                .word_splitter(WordSplitter::NoHyphenation);
            textwrap::fill(text, options)
        };
        let message =
            broken(&format!("{color}{head}:{plain} {}", abridge(&complaint.message)), "  ");
        let help = complaint.help.as_ref().map(|help| {
            format!("\n{}", broken(&format!("  {cyan}help:{plain} {}", shorten(help)), "    "))
        });
        say(&format!("{message}{}\n", help.unwrap_or_default()));
    }

    /// Writes to standard error, in JSON as a note. Failures are ignored: they cannot be reported.
    pub fn say(&self, text: &str) {
        match self.json() {
            true => {
                let message = text.trim_end().to_owned();
                self.tell("36m", "note", &FailureMessage { message, help: None }, usize::MAX);
            }
            false => say(text),
        }
    }
}

/// Writes diagnostics to standard error as one line of JSON, if there are any.
pub fn tell_in_json(diagnostics: Vec<DiagnosticAnswer>) {
    if diagnostics.is_empty() {
        return;
    }
    if let Ok(line) = line(&DiagnosticsAnswer { diagnostics }) {
        say_in_json(&format!("{line}\n"));
    }
}
