//! Renders findings and notes with excerpts of the source text, by miette.
//!
//! For terminals and Python, excerpts are drawn with lines and marks. Otherwise (the library alone,
//! the module for browsers, whose page marks findings in its editor) the same report is narrated, a
//! line for each excerpt and label; what draws is not built then.
//!
//! Text from a file reaches a report only after its control characters were made visible, so the
//! only escape sequences in a report are miette's colours.

mod clause_place;
pub mod places;

pub use clause_place::{Place, place};
pub use places::{Places, SourcePosition};

use crate::engine::game::Fault;
use crate::language::finding::{Finding, MAX_FINDINGS, Severity};
use crate::language::sources::Sources;
use crate::syntax::Span;
use crate::syntax::visible::{self, is_hidden, shorten};
use crate::why::Note;
use indexmap::IndexMap;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity as MietteSeverity,
    SourceCode, SourceSpan, SpanContents,
};
use rustc_hash::FxHashMap;
use std::fmt;

/// The maximal numbers of findings shown, for a file and for one code. The rest are counted.
const MAX_SHOWN: usize = 30;
const MAX_PER_CODE: usize = 8;
/// Up to this number of findings, all are shown.
const SHOW_ALL_UP_TO: usize = 16;
/// The width of reports without a terminal, in columns.
pub const WIDTH: usize = 100;
/// How many bytes of a line are shown on either side of a label.
const CONTEXT_BYTES: usize = 300;
/// The maximal length of an excerpt in bytes; one for a single label always fits.
const EXCERPT: usize = 4 * CONTEXT_BYTES;

/// The style of reports.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to use terminal colours.
    pub color: bool,
    /// In columns.
    pub width: usize,
}

impl Style {
    /// No colours, [`WIDTH`] columns: for text of any destination.
    pub const PLAIN: Style = Style { color: false, width: WIDTH };
}

/// Renders findings, grouped by file.
pub fn report(sources: &Sources, findings: &[Finding], style: Style) -> String {
    let names: Vec<&str> = sources.names().collect();
    let drawn = sources.by_file(findings).into_iter().map(|(file, findings)| {
        let excerpt =
            Excerpt::new(names.get(file).copied().unwrap_or_default(), sources.text_of(file));
        excerpt.findings(&findings, style)
    });
    drawn.collect()
}

/// A source text to show excerpts of.
pub struct Excerpt<'t> {
    name: String,
    /// The text with control characters replaced; byte offsets are unchanged.
    shown: String,
    places: Places<'t>,
}

impl<'t> Excerpt<'t> {
    /// Prepares a text; `name` is the name of its file.
    pub fn new(name: &'t str, text: &'t str) -> Excerpt<'t> {
        let mut shown = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\n' | '\t' => shown.push(character),
                '\r' if characters.peek() == Some(&'\n') => shown.push(character),
                _ if is_hidden(character) => {
                    shown.extend(std::iter::repeat_n('?', character.len_utf8()))
                }
                _ => shown.push(character),
            }
        }
        Excerpt { name: visible::shown(name).into_owned(), shown, places: Places::new(text) }
    }

    /// Renders findings in the given order.
    pub fn findings(&self, findings: &[Finding], style: Style) -> String {
        let mut text = String::new();
        let mut left_out: IndexMap<&str, usize> = IndexMap::new();
        let mut of_a_code: FxHashMap<&str, usize> = FxHashMap::default();
        let mut drawn = 0;
        for finding in findings {
            let code = finding.code.name();
            let alike = of_a_code.entry(code).or_default();
            if findings.len() > SHOW_ALL_UP_TO && (*alike >= MAX_PER_CODE || drawn >= MAX_SHOWN) {
                *left_out.entry(code).or_default() += 1;
                continue;
            }
            *alike += 1;
            drawn += 1;
            let mut labels = vec![self.label(finding.span, &finding.label, true)];
            labels.extend(
                finding.others.iter().map(|label| self.label(label.span, &label.text, false)),
            );
            let labels: Vec<LabeledSpan> = labels.into_iter().flatten().collect();
            // Without an excerpt nothing else would name the file.
            let message = if labels.is_empty() {
                &format!("{}: {}", self.name, finding.message)
            } else {
                &finding.message
            };
            let help = finding.help_with_record();
            let report = Report {
                message,
                code: Some(finding.code.name()),
                severity: match finding.severity() {
                    Severity::Warning => MietteSeverity::Warning,
                    Severity::Error => MietteSeverity::Error,
                },
                help: help.as_deref(),
                labels,
                excerpt: self,
            };
            text.push_str(&draw(&report, style));
        }
        if !left_out.is_empty() {
            let more: usize = left_out.values().sum();
            let codes: Vec<String> =
                left_out.iter().map(|(code, count)| format!("{count} more {code}")).collect();
            let list = crate::language::edit_distance::series(&codes, "and");
            let noun = if more == 1 { "finding is" } else { "findings are" };
            let all = match findings.len() < MAX_FINDINGS {
                true => "them all".to_owned(),
                false => format!("the first {MAX_FINDINGS} of all"),
            };
            text.push_str(&format!(
                "{more} {noun} not shown in {}: {list}; `check --format json` lists {all}\n",
                self.name
            ));
        }
        text
    }

    /// Renders a run-time fault: rules that never reach the next ply.
    pub fn fault(&self, fault: &Fault, style: Style) -> String {
        let labels = self.label(fault.span, "", true).into_iter().collect();
        let severity = MietteSeverity::Error;
        let help = Some(fault.advice(&self.shown));
        let report =
            Report { message: &fault.message, code: None, severity, help, labels, excerpt: self };
        draw(&report, style)
    }

    /// Renders a message with notes on places in the text. The first note is the primary label.
    pub fn notes(
        &self,
        message: &str,
        notes: &[Note],
        help: Option<&str>,
        is_error: bool,
        style: Style,
    ) -> String {
        let severity = if is_error { MietteSeverity::Error } else { MietteSeverity::Advice };
        let labels = notes
            .iter()
            .enumerate()
            .filter_map(|(index, note)| self.label(note.span, &note.text, index == 0))
            .collect();
        draw(&Report { message, code: None, severity, help, labels, excerpt: self }, style)
    }

    /// Creates a label: non-empty, within the text, and at most [`CONTEXT_BYTES`] bytes long.
    fn label(&self, span: Span, text: &str, primary: bool) -> Option<LabeledSpan> {
        let length = self.shown.len();
        let start = self.shown.floor_char_boundary(span.start.min(length.saturating_sub(1)));
        let line = self.places.line(start);
        // A span of many lines is reduced to its first line.
        let most = if self.places.line(span.end.min(length)) > line + 10 {
            self.places.start(line + 1)
        } else {
            length
        };
        let end = span.end.min(most).min(start + CONTEXT_BYTES);
        let next = self.shown.get(start..)?.chars().next()?.len_utf8();
        let end = self.shown.ceil_char_boundary(end.max(start + next));
        let label = (!text.is_empty()).then(|| sanitize(text));
        let span = SourceSpan::from(start..end);
        Some(match primary {
            true => LabeledSpan::new_primary_with_span(label, span),
            false => LabeledSpan::new_with_span(label, span),
        })
    }
}

/// Replaces miette's implementation for strings, which scans the whole text for every label and
/// shows lines at full length.
impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let start = span.offset();
        let end = start + span.len().max(1);
        if end > self.shown.len() {
            return Err(MietteError::OutOfBounds);
        }
        let first = self.places.line(start).saturating_sub(before);
        let last = self.places.line(end - 1) + after;
        let from = if before == 0 { start } else { self.places.start(first) };
        let from = from.max(self.shown.floor_char_boundary(start.saturating_sub(CONTEXT_BYTES)));
        let to = self
            .places
            .start(last + 1)
            .min(self.shown.ceil_char_boundary((end + CONTEXT_BYTES).min(self.shown.len())));
        // miette first asks for one excerpt around two labels, and on an error uses two excerpts.
        if to - from > EXCERPT {
            return Err(MietteError::OutOfBounds);
        }
        let place = self.places.of(from);
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            &self.shown.as_bytes()[from..to],
            (from, to - from).into(),
            place.line - 1,
            place.column - 1,
            last + 1 - first,
        );
        Ok(Box::new(contents))
    }
}

/// A finding as a miette diagnostic.
struct Report<'r, 't> {
    message: &'r str,
    code: Option<&'static str>,
    severity: MietteSeverity,
    help: Option<&'r str>,
    labels: Vec<LabeledSpan>,
    excerpt: &'r Excerpt<'t>,
}

impl fmt::Display for Report<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl fmt::Debug for Report<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Report<'_, '_> {}

impl Diagnostic for Report<'_, '_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code?))
    }

    fn severity(&self) -> Option<MietteSeverity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.help?))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.excerpt)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().cloned()))
    }
}

/// Escapes hidden characters and shortens overlong words.
fn sanitize(text: &str) -> String {
    shorten(&visible::shown(text)).into_owned()
}

fn draw(report: &Report, style: Style) -> String {
    let help = report.help.map(sanitize);
    let report = &Report {
        message: &sanitize(report.message),
        help: help.as_deref(),
        labels: report.labels.clone(),
        ..*report
    };
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = render(report, style, &mut text);
    text.push('\n');
    text
}

#[cfg(any(feature = "cli", feature = "python"))]
fn render(report: &Report, style: Style, text: &mut String) -> fmt::Result {
    use miette::{GraphicalReportHandler, GraphicalTheme, ThemeCharacters, ThemeStyles};
    let styles = if style.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let theme = GraphicalTheme { characters: ThemeCharacters::unicode(), styles };
    GraphicalReportHandler::new_themed(theme)
        .with_width(style.width)
        .with_links(false)
        .with_break_words(false)
        .render_report(text, report)
}

#[cfg(not(any(feature = "cli", feature = "python")))]
fn render(report: &Report, _: Style, text: &mut String) -> fmt::Result {
    miette::NarratableReportHandler::new().render_report(text, report)
}
