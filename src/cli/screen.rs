//! Where things are shown: text or JSON, in colours or not.

use super::arguments::{Color, Format};
use super::diagnostics::Excerpt;
use super::failure::{Complaint, Failure};
use ludwright::language::finding::Finding;
use ludwright::language::sources::Sources;
use std::io::{IsTerminal, Write};

/// How to show things. Colour and width are decided once, here.
pub struct Screen {
    pub format: Format,
    /// Whether standard error takes colours.
    color: bool,
    /// Whether standard error is a terminal.
    pub terminal: bool,
    /// Whether standard output takes colours.
    pub paint: bool,
}

impl Screen {
    /// Decides by the arguments, the environment and the terminal.
    pub fn new(format: Format, color: Color) -> Screen {
        let terminal = std::io::stderr().is_terminal();
        let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let takes = |terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !forbidden,
        };
        Screen { format, color: takes(terminal), terminal, paint: takes(std::io::stdout().is_terminal()) }
    }

    /// Whether JSON is wanted.
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }

    /// Shows findings in the texts that they speak of.
    pub fn findings(&self, sources: &Sources, findings: &[Finding]) {
        let names: Vec<&str> = sources.names().collect();
        for (file, findings) in sources.by_file(findings) {
            let excerpt = Excerpt::new(names.get(file).copied().unwrap_or_default(), sources.text_of(file));
            self.say(&excerpt.findings(&findings, self.color, self.terminal));
        }
    }

    /// Says why a command cannot go on, and returns its exit code.
    pub fn fail(&self, failure: &Failure) -> u8 {
        match failure {
            Failure::Said(code) => *code,
            Failure::Input(complaint) => {
                self.complain(complaint);
                1
            }
            Failure::Usage(complaint) => {
                self.complain(complaint);
                2
            }
            Failure::Endless { fault, name, text } => {
                self.say(&Excerpt::new(name, text).fault(fault, self.color, self.terminal));
                1
            }
            Failure::Output(error) => {
                self.complain(&Complaint { message: format!("cannot write: {error}"), help: None });
                2
            }
        }
    }

    fn complain(&self, complaint: &Complaint) {
        let (red, cyan, plain) = if self.color { ("\u{1b}[31m", "\u{1b}[36m", "\u{1b}[0m") } else { ("", "", "") };
        let help = complaint.help.as_ref().map(|help| format!("\n  {cyan}help:{plain} {help}")).unwrap_or_default();
        self.say(&format!("{red}error:{plain} {}{help}\n", complaint.message));
    }

    /// Writes to standard error. There is nobody to tell if that fails.
    pub fn say(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}
