//! Findings and answers in, miette's reports out. This is the one place that knows how they are drawn.

use super::output::owned;
use super::places::Places;
use indexmap::IndexMap;
use ludwright::engine::game::Fault;
use ludwright::language::finding::{Finding, Severity};
use ludwright::syntax::Span;
use ludwright::syntax::visible::{self, is_hidden, shorten};
use ludwright::why::Note;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteHandler, MietteHandlerOpts, MietteSpanContents, ReportHandler, SourceCode, SourceSpan,
    SpanContents,
};
use rustc_hash::FxHashMap;
use std::fmt;

/// So many findings of a file are drawn at most, and so many of one code; the rest are counted.
const DRAWN: usize = 30;
const DRAWN_OF_A_CODE: usize = 8;
/// Where there are no more findings than this, all are drawn.
const FEW: usize = 16;
/// How wide reports are when there is no terminal to ask.
const WIDTH: usize = 100;
/// How many bytes of a line are shown on either side of a label.
const REACH: usize = 300;
/// How many bytes an excerpt may have; one for a single label always fits.
const EXCERPT: usize = 4 * REACH;

/// A text that findings speak of, to be shown in excerpts.
pub struct Excerpt<'t> {
    name: String,
    /// The text without characters that would act on a terminal; every byte stands where it stood.
    shown: String,
    places: Places<'t>,
}

impl<'t> Excerpt<'t> {
    /// Takes a text and the name of its file.
    pub fn new(name: &'t str, text: &'t str) -> Excerpt<'t> {
        let mut shown = String::with_capacity(text.len());
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\n' | '\t' => shown.push(character),
                '\r' if characters.peek() == Some(&'\n') => shown.push(character),
                _ if is_hidden(character) => shown.extend(std::iter::repeat_n('?', character.len_utf8())),
                _ => shown.push(character),
            }
        }
        Excerpt { name: visible::shown(name).into_owned(), shown, places: Places::new(text) }
    }

    /// Draws findings in the order given.
    pub fn findings(&self, findings: &[Finding], color: bool, terminal: bool) -> String {
        let mut text = String::new();
        let mut left_out: IndexMap<&str, usize> = IndexMap::new();
        let mut of_a_code: FxHashMap<&str, usize> = FxHashMap::default();
        let mut drawn = 0;
        for finding in findings {
            let code = finding.code.name();
            let alike = of_a_code.entry(code).or_default();
            if findings.len() > FEW && (*alike >= DRAWN_OF_A_CODE || drawn >= DRAWN) {
                *left_out.entry(code).or_default() += 1;
                continue;
            }
            *alike += 1;
            drawn += 1;
            let mut labels = vec![self.label(finding.span, &finding.label, true)];
            labels.extend(finding.others.iter().map(|label| self.label(label.span, &label.text, false)));
            let labels: Vec<LabeledSpan> = labels.into_iter().flatten().collect();
            // Without an excerpt nothing else would name the file.
            let message = if labels.is_empty() { &format!("{}: {}", self.name, finding.message) } else { &finding.message };
            let report = Report {
                message,
                code: Some(finding.code.name()),
                severity: match finding.severity() {
                    Severity::Warning => miette::Severity::Warning,
                    Severity::Error => miette::Severity::Error,
                },
                help: finding.help.as_deref(),
                labels,
                excerpt: self,
            };
            text.push_str(&draw(&report, color, terminal));
        }
        if !left_out.is_empty() {
            let more: usize = left_out.values().sum();
            let codes: Vec<String> = left_out.iter().map(|(code, count)| format!("{count} more {code}")).collect();
            let list = ludwright::language::near::series(&codes, "and");
            let noun = if more == 1 { "finding is" } else { "findings are" };
            text.push_str(&format!("{more} {noun} not shown in {}: {list}; `check --format json` lists them all\n", self.name));
        }
        text
    }

    /// Draws the clause that never ends.
    pub fn fault(&self, fault: &Fault, color: bool, terminal: bool) -> String {
        let labels = self.label(fault.span, "", true).into_iter().collect();
        let severity = miette::Severity::Error;
        let help = Some(fault.way_out(&self.shown));
        let report = Report { message: &fault.message, code: None, severity, help, labels, excerpt: self };
        draw(&report, color, terminal)
    }

    /// Draws a message with what there is to say about places in the text, the first of them first of all.
    pub fn notes(
        &self,
        message: &str,
        notes: &[Note],
        help: Option<&str>,
        severity: miette::Severity,
        color: bool,
        terminal: bool,
    ) -> String {
        let labels = notes.iter().enumerate().filter_map(|(index, note)| self.label(note.span, &note.text, index == 0)).collect();
        draw(&Report { message, code: None, severity, help, labels, excerpt: self }, color, terminal)
    }

    /// Makes a label that is not empty, within the text, and not longer than can be looked at.
    fn label(&self, span: Span, text: &str, primary: bool) -> Option<LabeledSpan> {
        let length = self.shown.len();
        let start = self.shown.floor_char_boundary(span.start.min(length.saturating_sub(1)));
        let line = self.places.line(start);
        // A span over many lines is shown by its first.
        let most = if self.places.line(span.end.min(length)) > line + 10 { self.places.start(line + 1) } else { length };
        let end = span.end.min(most).min(start + REACH);
        let next = self.shown.get(start..)?.chars().next()?.len_utf8();
        let end = self.shown.ceil_char_boundary(end.max(start + next));
        let label = (!text.is_empty()).then(|| legible(text));
        let span = SourceSpan::from(start..end);
        Some(match primary {
            true => LabeledSpan::new_primary_with_span(label, span),
            false => LabeledSpan::new_with_span(label, span),
        })
    }
}

/// An own way to cut excerpts: miette's would go through the whole text for every label, and show the whole of a line however long.
impl SourceCode for Excerpt<'_> {
    fn read_span<'a>(&'a self, span: &SourceSpan, before: usize, after: usize) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let start = span.offset();
        let end = start + span.len().max(1);
        if end > self.shown.len() {
            return Err(MietteError::OutOfBounds);
        }
        let first = self.places.line(start).saturating_sub(before);
        let last = self.places.line(end - 1) + after;
        let from = if before == 0 { start } else { self.places.start(first) };
        let from = from.max(self.shown.floor_char_boundary(start.saturating_sub(REACH)));
        let to = self.places.start(last + 1).min(self.shown.ceil_char_boundary((end + REACH).min(self.shown.len())));
        // So miette asks for two labels in one excerpt; it draws two when it gets none.
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

/// A finding as miette sees it.
struct Report<'r, 't> {
    message: &'r str,
    code: Option<&'static str>,
    severity: miette::Severity,
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

    fn severity(&self) -> Option<miette::Severity> {
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

/// Makes a text visible and short that may repeat what a file says.
fn legible(text: &str) -> String {
    shorten(&visible::shown(text)).into_owned()
}

fn draw(report: &Report, color: bool, terminal: bool) -> String {
    let help = report.help.map(legible);
    let report = &Report { message: &legible(report.message), help: help.as_deref(), labels: report.labels.clone(), ..*report };
    let options = MietteHandlerOpts::new().force_graphical(true).terminal_links(false).unicode(true).color(color).break_words(false);
    let options = if terminal { options } else { options.width(WIDTH) };
    // All that is in it was made visible.
    owned(&Drawing { report, handler: options.build() }.to_string())
}

struct Drawing<'r, 't> {
    report: &'r Report<'r, 't>,
    handler: MietteHandler,
}

impl fmt::Display for Drawing<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handler.debug(self.report, f)?;
        writeln!(f)
    }
}
