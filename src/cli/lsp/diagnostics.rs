//! Converts findings to diagnostics of the language server protocol.

use super::documents::{Documents, OpenGame};
use super::positions::Lines;
use crate::program::game::findings;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Uri,
};
use ludwright::analysis::Effort;
use ludwright::language::finding::{Code, Finding, Severity};
use ludwright::language::sources::Sources;
use ludwright::syntax::visible::shown;
use ludwright::syntax::{Span, parse};

/// Diagnostics of a file.
pub struct FileFindings {
    pub diagnostics: Vec<Diagnostic>,
    /// Whether its game has errors.
    pub faulty: bool,
}

/// Finds the diagnostics of an open file. If `thorough`, also analyzes the play of a game without
/// errors.
pub fn of(documents: &Documents, uri: &Uri, thorough: bool) -> Option<FileFindings> {
    let OpenGame { study, file } = documents.place(uri)?;
    let all = match thorough && !study.is_faulty() {
        true => findings(&study.sources, &[], Effort::Glance).unwrap_or_default(),
        false => study.checked.findings.clone(),
    };
    let faulty = all.iter().any(|finding| finding.severity() == Severity::Error);
    let text = study.sources.text_of(file);
    let lines = Lines::of(text);
    let mut diagnostics = Vec::new();
    for (of, findings) in study.sources.by_file(&all) {
        match of == file {
            true => {
                diagnostics.extend(findings.iter().map(|finding| diagnostic(finding, uri, &lines)))
            }
            false => diagnostics.extend(elsewhere(
                documents,
                &study.sources,
                (file, of),
                &findings,
                &lines,
            )),
        }
    }
    Some(FileFindings { diagnostics, faulty })
}

/// Converts a finding.
pub fn diagnostic(finding: &Finding, uri: &Uri, lines: &Lines) -> Diagnostic {
    let message = match finding.help_with_record() {
        Some(help) => shown(&format!("{}\nhelp: {help}", finding.message)).into_owned(),
        None => shown(&finding.message).into_owned(),
    };
    let related = |span: Span, text: &str| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), lines.range(span)),
        message: shown(text).into_owned(),
    };
    let others: Vec<DiagnosticRelatedInformation> =
        finding.others.iter().map(|label| related(label.span, &label.text)).collect();
    Diagnostic {
        range: lines.range(finding.span),
        severity: Some(severity(finding)),
        code: Some(NumberOrString::String(finding.code.name().to_owned())),
        source: Some(String::from("ludwright")),
        message,
        related_information: (!others.is_empty()).then_some(others),
        tags: (finding.code == Code::Unused).then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Diagnostic::default()
    }
}

/// Reports the errors of another file of the game once, where this file names it. `None` if that
/// file is open, because it then has its own diagnostics.
fn elsewhere(
    documents: &Documents,
    sources: &Sources,
    (file, of): (usize, usize),
    findings: &[Finding],
    lines: &Lines,
) -> Option<Diagnostic> {
    let name = sources.names().nth(of)?;
    let uri = documents.uri_of(name)?;
    let errors = findings.iter().filter(|finding| finding.severity() == Severity::Error);
    let first = errors.clone().next().filter(|_| documents.text(&uri).is_none())?;
    let range = Lines::of(sources.text_of(of)).range(first.span);
    let count = errors.count();
    let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
    let short = name.rsplit(['/', '\\']).next().unwrap_or(name);
    Some(Diagnostic {
        range: lines.range(naming(sources, file, of)),
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(first.code.name().to_owned())),
        source: Some(String::from("ludwright")),
        message: format!(
            "in line {} of {short}: {}{more}",
            range.start.line + 1,
            shown(&first.message)
        ),
        related_information: Some(vec![DiagnosticRelatedInformation {
            location: Location::new(uri, range),
            message: shown(&first.message).into_owned(),
        }]),
        ..Diagnostic::default()
    })
}

/// Finds where a file names another; if it names it only indirectly, where the first link is named.
fn naming(sources: &Sources, file: usize, other: usize) -> Span {
    let start = sources.byte_of(file, 0);
    let tree = parse(sources.text_of(file));
    let nodes = tree.forms.iter().filter_map(|form| form.as_form()).flatten();
    let texts =
        nodes.flat_map(|node| std::iter::once(node).chain(node.as_form().unwrap_or_default()));
    let links: Vec<(Span, usize)> = texts
        .filter_map(|node| Some((node.span, sources.linked(node.span.shifted(start))?)))
        .collect();
    let link = links.iter().find(|(_, linked)| *linked == other).or(links.first());
    link.map_or(Span::new(0, 0), |(span, _)| *span)
}

fn severity(finding: &Finding) -> DiagnosticSeverity {
    match finding.severity() {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    }
}
